//! The signature of a crash, from what sanitizers, libFuzzer, assertions and Rust's panics print: what went wrong, and the
//! functions on top of the stack, without addresses, lines and numbers, which differ from input to input.
//!
//! A program that prints nothing of the kind has the signal that ended it.

use super::observation::{Ending, Observation};
use super::signal_name::SignalName;

/// How many functions of the stack tell one bug from another. ClusterFuzz takes as many.
const MAX_FRAMES: usize = 3;

/// Functions that report a failure and are not where it is; what begins with one of these is left out.
const REPORTERS: [&str; 26] = [
    "__asan",
    "__ubsan",
    "__msan",
    "__tsan",
    "__lsan",
    "__sanitizer",
    "__interceptor",
    "__interception",
    "__assert",
    "__GI_",
    "__pthread_kill",
    "__restore_rt",
    // What C's library has of these depends on the processor: `__memcpy_avx_unaligned_erms`.
    "__mem",
    "__str",
    "abort",
    "gsignal",
    "raise",
    "pthread_kill",
    "operator new",
    "operator delete",
    "fuzzer::",
    "rust_begin_unwind",
    "rust_panic",
    "core::panicking",
    "std::panicking",
    "std::sys",
];

/// Functions of C that fail for what they are given; sanitizers call them by these names or by those of their own.
const GIVEN: [&str; 18] = [
    "free", "malloc", "calloc", "realloc", "memchr", "memcmp", "memcpy", "memmove", "memset", "strcat", "strchr",
    "strcmp", "strcpy", "strdup", "strlen", "strncmp", "strncpy", "strtol",
];

/// Functions below which nothing belongs to the program that is tested.
const BOTTOMS: [&str; 5] = ["LLVMFuzzerTestOneInput", "main", "__libc_start", "_start", "rust_fuzzer_test_input"];

/// The signature of a crash; `None` if the run shows none.
pub(super) fn signature(run: &Observation) -> Option<Vec<u8>> {
    let printed = [run.stderr.as_slice(), b"\n", run.stdout.as_slice()].concat();
    let text = String::from_utf8_lossy(&printed);
    let kind = assertion(&text).or_else(|| panic(&text)).or_else(|| runtime_error(&text)).or_else(|| report(&text));
    let kind = kind.or_else(|| match run.ending {
        Ending::Signalled(number) => Some(format!("signal {}", SignalName::from_raw(number))),
        _ => None,
    })?;
    let frames = frames(&text);
    let signature = if frames.is_empty() { kind } else { format!("{kind} in {}", frames.join(" < ")) };
    Some(signature.into_bytes())
}

/// `prog: file.c:3: int f(int): Assertion `x' failed.`
fn assertion(text: &str) -> Option<String> {
    let line = text.lines().find(|line| line.contains("Assertion `") && line.ends_with("failed."))?;
    Some(line[line.find("Assertion `")?..].trim_end_matches('.').to_owned())
}

/// `thread 'main' panicked at src/lib.rs:3:5:` and the message on the next line; or both on one line, as before Rust 1.73.
fn panic(text: &str) -> Option<String> {
    let mut lines = text.lines().skip_while(|line| !line.contains("panicked at "));
    let (_, place) = lines.next()?.split_once("panicked at ")?;
    let message = match place.strip_suffix(':') {
        Some(_) => lines.next()?,
        None => place,
    };
    Some(format!("panic: {}", without_numbers(message)))
}

/// `file.c:3:4: runtime error: division by zero`, by UndefinedBehaviorSanitizer.
fn runtime_error(text: &str) -> Option<String> {
    let (place, message) = text.lines().find_map(|line| line.split_once(": runtime error: "))?;
    let file = place.split(':').next().unwrap_or_default().rsplit('/').next().unwrap_or_default();
    Some(format!("{} in {file}", without_numbers(message)))
}

/// `==1==ERROR: AddressSanitizer: heap-use-after-free on address …`, and the like.
fn report(text: &str) -> Option<String> {
    let line = text.lines().find_map(|line| line.split_once("ERROR: ").or_else(|| line.split_once("WARNING: ")))?.1;
    let (_, kind) = line.split_once("Sanitizer: ").or_else(|| line.split_once("libFuzzer: "))?;
    let ends = [" on ", " (", " after ", ": "].iter().filter_map(|end| kind.find(end));
    Some(kind[..ends.min().unwrap_or(kind.len())].trim().to_owned())
}

/// The functions on top of the first stack that is printed, without those that only report or do as they are asked.
fn frames(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let is_frame = |line: &&str| line.trim_start().starts_with('#');
    let stack = text.lines().skip_while(|line| !is_frame(line)).take_while(is_frame);
    for name in stack.filter_map(function) {
        if BOTTOMS.iter().any(|bottom| name.starts_with(bottom)) || found.len() == MAX_FRAMES {
            break;
        }
        let is_to_blame =
            !REPORTERS.iter().any(|reporter| name.starts_with(reporter)) && !GIVEN.contains(&name.as_str());
        // Recursion is as deep as the input makes it.
        if is_to_blame && found.last() != Some(&name) {
            found.push(name);
        }
    }
    found
}

/// The function of a line such as `    #0 0x4f in f(int) /src/a.c:3:4`, without its arguments.
fn function(line: &str) -> Option<String> {
    let (_, rest) = line.split_once(" in ")?;
    let mut depth = 0;
    let mut end = rest.len();
    for (index, character) in rest.char_indices() {
        match character {
            '<' => depth += 1,
            '(' if depth > 0 || rest[index..].starts_with("(anonymous") => depth += 1,
            '>' | ')' if depth > 0 => depth -= 1,
            ' ' | '(' if depth == 0 => {
                end = index;
                break;
            }
            _ => {}
        }
    }
    let name = &rest[..end];
    // The hash at the end of Rust's names changes with the compiler.
    let plain =
        name.rsplit_once("::h").filter(|(_, hash)| hash.len() == 16 && hash.chars().all(|c| c.is_ascii_hexdigit()));
    Some(plain.map_or(name, |(plain, _)| plain).to_owned()).filter(|name| !name.is_empty())
}

/// The text with `N` for every number.
fn without_numbers(text: &str) -> String {
    let mut result = String::new();
    for character in text.chars() {
        match character.is_ascii_digit() {
            true if result.ends_with('N') => {}
            true => result.push('N'),
            false => result.push(character),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(stderr: &str, ending: Ending) -> Option<String> {
        let run = Observation { ending, stdout: Vec::new(), stderr: stderr.into() };
        signature(&run).map(|bytes| String::from_utf8(bytes).unwrap())
    }

    /// What programs of Clang 14 and Rust print.
    const REPORTS: [(&str, &str); 9] = [
        (
            "=====\n==9==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602 at pc 0x55 bp 0x7f sp 0x7f\nWRITE of \
             size 6 at 0x602 thread T0\n    #0 0x55c in __asan_memcpy (/tmp/repro+0x9e)\n    #1 0x55d in overflow \
             /src/target.c:7:70\n    #2 0x55e in parse(char const*, int) /src/t.c:15\n    #3 0x55 in \
             LLVMFuzzerTestOneInput /src/t.c:1:2\n    #4 0x55f in main /src/main.c:4:3\n\n0x602 is located\n    #0 0x1 in \
             malloc (/tmp/repro+0x1)\n",
            "heap-buffer-overflow in overflow < parse",
        ),
        (
            "==1==ERROR: AddressSanitizer: stack-overflow on address 0x7ffe (pc 0x55)\n    #0 0x5 in recurse /a.c:6\n    \
             #1 0x5 in recurse /a.c:6:103\n    #2 0x5 in recurse /a.c:6:103\n",
            "stack-overflow in recurse",
        ),
        (
            "==1==ERROR: AddressSanitizer: attempting double-free on 0x602 in thread T0:\n    #0 0x5 in __interceptor_free \
             (/x+0x1)\n    #1 0x6 in ns::Box<int (*)(long)>::drop(int) /a.cc:3\n",
            "attempting double-free in ns::Box<int (*)(long)>::drop",
        ),
        (
            "==1==ERROR: AddressSanitizer: SEGV on unknown address 0x602 (pc 0x7f bp 0x7f)\n    #0 0x7f in \
             __memcpy_avx512_unaligned_erms (/lib/libc.so.6+0x1)\n    #1 0x5 in memcpy (/x+0x1)\n    #2 0x6 in copy \
             /a.c:3\n    #3 0x6 in strategy /a.c:9\n",
            "SEGV in copy < strategy",
        ),
        (
            "/src/target.c:9:44: runtime error: signed integer overflow: 2147483647 + 1\nSUMMARY: x\n",
            "signed integer overflow: N + N in target.c",
        ),
        (
            "fuzz: target.c:11: void check(int): Assertion `kind != 'A'' failed.\n==1== ERROR: libFuzzer: deadly signal\n    \
             #0 0x5 in __sanitizer_print_stack_trace (/f+0x1)\n    #1 0x5 in fuzzer::PrintStackTrace() (/f+0x2)\n    #2 0x1 \
             in raise (/lib/libc.so+0x1)\n    #3 0x2 in check /src/target.c:11:3\n",
            "Assertion `kind != 'A'' failed in check",
        ),
        (
            "thread 'main' panicked at src/lib.rs:41:9:\nindex out of bounds: the len is 3 but the index is 17\nnote: run \
             with\n==5== ERROR: libFuzzer: deadly signal\n    #0 0x1 in rust_begin_unwind /rustc/x\n    #1 0x2 in \
             core::panicking::panic_fmt::h0123456789abcdef /rustc/y\n    #2 0x3 in \
             demo::parse::h00112233445566ff /src/lib.rs:41:9\n    #3 0x4 in rust_fuzzer_test_input /x\n",
            "panic: index out of bounds: the len is N but the index is N in demo::parse",
        ),
        ("thread 'main' panicked at 'oops 12', src/main.rs:2:3\n", "panic: 'oops N', src/main.rs:N:N"),
        ("==7== ERROR: libFuzzer: timeout after 25 seconds\n    #0 0x1 in spin /a.c:1:1\n", "timeout in spin"),
    ];

    #[test]
    fn reports_become_what_went_wrong_and_where() {
        for (text, expected) in REPORTS {
            assert_eq!(of(text, Ending::Exited(1)).as_deref(), Some(expected));
        }
    }

    #[test]
    fn addresses_and_lines_make_no_difference() {
        for (text, expected) in REPORTS {
            let other = text.replace("0x5", "0x7c1").replace(".c:1", ".c:93");
            assert_eq!(of(&other, Ending::Exited(77)).as_deref(), Some(expected));
        }
    }

    #[test]
    fn a_silent_crash_is_its_signal_and_a_normal_end_is_none() {
        assert_eq!(of("", Ending::Signalled(11)).as_deref(), Some("signal SEGV"));
        assert_eq!(of("error: no such file\n", Ending::Exited(1)), None);
        assert_eq!(of("", Ending::TimedOut), None);
    }
}
