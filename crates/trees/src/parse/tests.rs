//! Parsers that fail in every way, and texts that are not UTF-8.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use whittle_languages::Language as Known;

use super::*;
use crate::reduce::testing::syntax;

/// tree-sitter's `TSLanguage` up to what all versions have, as words of a machine, and where the lexer is.
const WORDS: usize = 29;
const LEXER: usize = 18;

/// What a scanner reads by, as far as it is used here.
#[repr(C)]
struct Lexer {
    lookahead: i32,
    symbol: u16,
    advance: unsafe extern "C" fn(*mut Lexer, bool),
}

type Lex = unsafe extern "C" fn(*mut Lexer, u16) -> bool;

/// The language of JSON, with another lexer.
fn with_lexer(lex: Lex) -> Language {
    let json = Known::by_name("json").expect("JSON is in every build").tree_sitter();
    // SAFETY: a language is never freed, and is laid out as above; the version is its first number.
    unsafe {
        let words = json.into_raw().cast::<usize>();
        assert_eq!(*words.cast::<u32>(), 14, "this test knows the layout of that version");
        let mut words = Box::new(*words.cast::<[usize; WORDS]>());
        words[LEXER] = lex as usize;
        Language::from_raw(Box::leak(words).as_ptr().cast())
    }
}

unsafe extern "C" fn write_to_null(_: *mut Lexer, _: u16) -> bool {
    // SAFETY: not at all.
    unsafe { std::hint::black_box(ptr::null_mut::<u8>()).write_volatile(1) };
    true
}

unsafe extern "C" fn abort(_: *mut Lexer, _: u16) -> bool {
    std::process::abort();
}

#[allow(unconditional_recursion, clippy::only_used_in_recursion, reason = "that is what it is for")]
unsafe extern "C" fn overflow_the_stack(lexer: *mut Lexer, depth: u16) -> bool {
    let room = std::hint::black_box([depth; 1000]);
    // SAFETY: not at all.
    unsafe { overflow_the_stack(lexer, room[usize::from(depth) % 1000].wrapping_add(1)) && room[1] > 0 }
}

unsafe extern "C" fn read_for_ever(lexer: *mut Lexer, _: u16) -> bool {
    loop {
        // SAFETY: this is what a lexer is for.
        unsafe { ((*lexer).advance)(lexer, false) };
    }
}

/// How often [`count_and_read_for_ever`] was called.
static ENTERED: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" fn count_and_read_for_ever(lexer: *mut Lexer, state: u16) -> bool {
    ENTERED.fetch_add(1, Relaxed);
    // SAFETY: it is called as this is.
    unsafe { read_for_ever(lexer, state) }
}

unsafe extern "C" fn think_for_ever(_: *mut Lexer, _: u16) -> bool {
    let mut number = 0_u64;
    while std::hint::black_box(number) < u64::MAX {
        number += 1;
    }
    true
}

thread_local! {
    /// How many blocks [`take_all_memory`] has taken.
    static TAKEN: Cell<usize> = const { Cell::new(0) };
}

unsafe extern "C" fn take_all_memory(_: *mut Lexer, _: u16) -> bool {
    loop {
        // SAFETY: these blocks are lost to all but the fence.
        let block = unsafe { crate::fence::whittle_fence_malloc(1 << 20) };
        assert!(!std::hint::black_box(block).is_null());
        TAKEN.set(TAKEN.get() + 1);
    }
}

/// How each of them fails.
const FAILING: [(Lex, Fault); 6] = [
    (write_to_null, Fault::Crashed(11)),
    (abort, Fault::Crashed(6)),
    (overflow_the_stack, Fault::Crashed(11)),
    (take_all_memory, Fault::Greedy),
    (read_for_ever, Fault::Hung),
    (think_for_ever, Fault::Hung),
];

fn fails(lex: Lex) -> Unparsed {
    let limits = Limits { millis: 100, ..Limits::default() };
    parse(b"[1, {\"a\": null}]", None, &with_lexer(lex), limits, None).expect_err("it fails")
}

#[test]
fn a_parser_that_fails_costs_its_tree_and_nothing_else() {
    for (lex, fault) in FAILING {
        assert_eq!(fails(lex), Unparsed::Failed(fault));
        assert_eq!(syntax("json").count(b"[1]").map(|count| count.tokens), Some(3), "{fault:?}");
    }
}

#[cfg(target_env = "gnu")]
#[test]
fn what_a_left_parser_had_is_freed() {
    /// What malloc has handed out, in glibc.
    #[repr(C)]
    struct Info {
        other: [usize; 4],
        mapped: usize,
        more: [usize; 2],
        in_use: usize,
        rest: [usize; 2],
    }
    unsafe extern "C" {
        fn mallinfo2() -> Info;
    }
    let in_use = || {
        // SAFETY: it only counts.
        let info = unsafe { mallinfo2() };
        (info.mapped + info.in_use) as i64
    };
    let (before, times) = (in_use(), 50);
    for _ in 0..times {
        assert_eq!(fails(take_all_memory), Unparsed::Failed(Fault::Greedy));
    }
    // Other tests of this process take memory, too, but not so much.
    assert!(in_use() - before < max_live(0) * times / 5, "{before} bytes, then {}", in_use());
}

#[test]
fn attempts_at_one_text_end_together() {
    let grammar = whittle_grammars::Grammar::clone(syntax("json").grammar());
    let attempts = crate::Syntax::new(with_lexer(count_and_read_for_ever), grammar).for_attempts_at(b"[1]");
    for _ in 0..20 {
        assert_eq!(attempts.count(b"[1]"), None);
    }
    assert_eq!(attempts.faults().into_iter().collect::<Vec<_>>(), [Fault::Hung]);
    assert_eq!(ENTERED.load(Relaxed), 1, "the first attempt takes all the time that there is");
}

#[test]
fn parsers_fail_again_and_again_and_on_many_threads() {
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..50 {
                    for (lex, fault) in &FAILING[..3] {
                        assert_eq!(fails(*lex), Unparsed::Failed(*fault));
                    }
                    assert!(syntax("json").count(b"[1]").is_some());
                }
            });
        }
    });
}

#[test]
fn what_a_left_parser_lost_is_missing_in_further_attempts() {
    let grammar = whittle_grammars::Grammar::clone(syntax("json").grammar());
    let attempts = crate::Syntax::new(with_lexer(take_all_memory), grammar).for_attempts_at(b"[1]");
    assert_eq!(attempts.count(b"[1]"), None);
    let taken = TAKEN.get();
    assert!(taken > 1);
    assert_eq!(attempts.count(b"[1]"), None);
    assert_eq!(TAKEN.get(), taken, "the first attempt takes all the memory that there is");
}

#[test]
fn a_fault_is_on_record_once() {
    let json = syntax("json");
    let grammar = json.grammar().as_ref();
    let failing = crate::Syntax::new(with_lexer(abort), whittle_grammars::Grammar::clone(grammar)).with_new_record();
    for text in ["1", "2"] {
        assert_eq!(failing.tree(text).unparse(&crate::Edits::new()), text.as_bytes());
    }
    assert_eq!(failing.faults().into_iter().collect::<Vec<_>>(), [Fault::Crashed(6)]);
    assert!(json.faults().is_empty());
}

/// The characters of a text, read at once.
fn characters(text: &[u8]) -> Vec<(u32, u32)> {
    let mut rest = text;
    let mut found = Vec::new();
    while !rest.is_empty() {
        let (character, bytes) = first_character(rest);
        found.push((character, bytes));
        rest = &rest[bytes as usize..];
    }
    found
}

#[test]
fn valid_text_is_read_as_it_is_and_other_bytes_as_latin_1() {
    for text in ["", "abc", "é😀 ﻿ß\u{10ffff}\u{d7ff}"] {
        let expected: Vec<_> = text.chars().map(|found| (found as u32, found.len_utf8() as u32)).collect();
        assert_eq!(characters(text.as_bytes()), expected);
    }
    let latin = b"caf\xe9 \xc3\xa9 \xf0\x9f\x98 \xff";
    let expected = "café é ð\u{9f}\u{98} ÿ";
    assert_eq!(
        characters(latin).iter().map(|found| found.0).collect::<Vec<_>>(),
        expected.chars().map(u32::from).collect::<Vec<_>>()
    );
}

#[test]
fn no_chunk_cuts_a_character() {
    let mut random = fastrand::Rng::with_seed(7);
    let alphabet: [&[u8]; 9] =
        [b"a", "é".as_bytes(), "€".as_bytes(), "😀".as_bytes(), b"\x80", b"\xff", b"\xc3", b"\xe2\x82", b"\xf0"];
    for _ in 0..2000 {
        let text: Vec<u8> = (0..30).flat_map(|_| alphabet[random.usize(..9)]).copied().collect();
        let (mut rest, mut found) = (text.as_slice(), Vec::new());
        while !rest.is_empty() {
            let (chunk, behind) = rest.split_at(between_characters(rest, 8));
            assert!(!chunk.is_empty() && chunk.len() <= 8);
            found.extend(characters(chunk));
            rest = behind;
        }
        assert_eq!(found, characters(&text), "{text:?}");
    }
}

#[test]
fn text_in_latin_1_has_the_tokens_that_it_has_in_utf_8() {
    let text = "int caf\u{e9} = 1; /* d\u{e9}j\u{e0} vu \u{ff} */ char *s = \"\u{e9}\";\nint x\u{e9}y(void) { return caf\u{e9}; }\n";
    let latin: Vec<u8> = text.chars().map(|character| character as u8).collect();
    for name in ["c", "javascript", "rust", "python", "lua"] {
        let syntax = syntax(name);
        assert_eq!(syntax.count(&latin), syntax.count(text.as_bytes()), "{name}");
        assert_eq!(syntax.tree(latin.as_slice()).unparse(&crate::Edits::new()), latin, "{name}");
    }
    assert_eq!(syntax("c").count(&latin).map(|count| count.errors), Some(0));
}

#[test]
fn a_scanner_that_has_read_its_share_finds_the_end_also_within_a_character() {
    // From every `[[`, Lua's scanner reads to the end, until it has read enough. No chunk holds a whole number of these
    // characters, nor of the bytes that are none.
    let line = b"\xc3\x28\xff\xfe\x80 foo(\xf0\x28\x8c\x28);\n".repeat(1500);
    let texts =
        [format!("[[ {}\n", "€".repeat(60)).repeat(500).into_bytes(), [line.as_slice(), b"KEEP\n", &line].concat()];
    let lua = Known::by_name("lua").expect("Lua is in the default build").tree_sitter();
    for text in texts {
        assert_eq!(parse(&text, None, &lua, Limits::default(), None).err(), Some(Unparsed::TooHard));
    }
}

#[test]
fn a_parser_that_takes_too_much_memory_is_stopped_and_leaks_nothing() {
    let text = ["(".repeat(100_000), ")".repeat(100_000)].concat();
    for name in ["xml", "css", "sql", "python", "ruby"] {
        let language = Known::by_name(name).expect("it is in every build").tree_sitter();
        let mut job =
            Job::new(text.as_bytes(), None, &language, Limits::default(), i64::MAX, 0).expect("the version is known");
        assert_eq!(job.fenced(run_parser, job.parser.cast()), Ok(()), "{name}");
        assert!(job.is_greedy() && job.tree.is_null(), "{name}");
        assert_eq!(job.fenced(delete_parser, ptr::null_mut()), Ok(()), "{name}");
        assert!(job.meter.live < 1 << 16, "{name}: {} bytes are lost", job.meter.live);
        assert_eq!(
            parse(text.as_bytes(), None, &language, Limits::default(), None).err(),
            Some(Unparsed::Failed(Fault::Greedy))
        );
    }
}
