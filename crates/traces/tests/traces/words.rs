//! Steps as words: what the recorders for Python and JavaScript write, compared with the same steps as other records.

use whittle_traces::records::{decode, encode_json};

const LEAVE: u64 = 0;
const FINISHED: u64 = 1;
const INTEGER: u64 = 2;
const OUTPUT: u64 = 3;
const FRACTION: u64 = 4;
const WITHIN: u64 = 5;
const ROUND: u64 = 6;
const NO_ROUND: u64 = 7;
const CALL: u64 = 8;
const LOOP: u64 = 9;
const SELECTION: u64 = 11;
const BACK: u64 = 13;
const THEN: u64 = 14;
const ELSE: u64 = 15;
const LEAVE_NTH: u64 = 16;

/// The sites by number.
const SITES: [&str; 6] = ["", "f", "for", "if", "d", "in"];
const F: u64 = 1;
const FOR: u64 = 2;
const IF: u64 = 3;
const D: u64 = 4;
const IN: u64 = 5;

fn word(what: u64, site: u64) -> u64 {
    site << 8 | what
}

/// A draw of a value from 0 to 9.
fn draw(value: u64) -> [u64; 3] {
    [word(INTEGER, D), 9, value]
}

/// The trace in a file with these words, as nested text: a letter for each scope, `~` for one that is open-ended.
fn shape(words: &[u64]) -> String {
    let mut bytes = b"whittle-trace 2\n".to_vec();
    for site in SITES {
        bytes.extend([b'S', site.len() as u8]);
        bytes.extend(site.as_bytes());
    }
    // Two records, so that the first scope stays open from one to the next.
    for part in [&words[..1], &words[1..]] {
        bytes.extend([b'W', 255]);
        bytes.extend((8 * part.len() as u32).to_le_bytes());
        bytes.extend(part.iter().flat_map(|word| word.to_le_bytes()));
    }
    let mut shape = String::new();
    for line in encode_json(&decode(&bytes).unwrap().trace).lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        match line["do"].as_str().unwrap() {
            "open" => shape.push_str(&format!("{}(", line["kind"].as_str().unwrap()[..1].to_uppercase())),
            "close" => shape.push(')'),
            "open-ended" => shape.push('~'),
            _ => shape.push_str(&format!("{}", line["value"][0])),
        }
    }
    shape
}

#[test]
fn a_word_closes_what_is_open_in_its_scope() {
    let body = [word(CALL, F), word(LOOP, FOR), word(ROUND, FOR), word(SELECTION, IF), word(THEN, IF)];
    // A return from the branch, and one draw after it.
    let words = [&body[..], &[word(LEAVE, F), word(FRACTION, D), 5]].concat();
    assert_eq!(shape(&words), "C(L(~I(S(B()))))5");
    // The same with a break, then with an exception that is caught in the loop.
    let words = [&body[..], &[word(LEAVE, FOR), word(FRACTION, D), 5, word(LEAVE, F)]].concat();
    assert_eq!(shape(&words), "C(L(~I(S(B())))5)");
    let words = [&body[..], &[word(BACK, FOR), word(FRACTION, D), 5]].concat();
    assert_eq!(shape(&words), "C(L(~I(S(B())5)))");
    let words = [&body[..], &[word(WITHIN, FOR), word(FRACTION, D), 5]].concat();
    assert_eq!(shape(&words), "C(L(~I(S(B()))5))");
}

#[test]
fn the_innermost_scope_of_a_site_is_meant_or_the_one_of_a_number() {
    let calls = [word(CALL, F), word(LOOP, IN), word(CALL, F), word(LOOP, IN)];
    let words = [&calls[..], &[word(LEAVE, F), word(FRACTION, D), 5, word(LEAVE, F), word(FRACTION, D), 6]].concat();
    assert_eq!(shape(&words), "C(L(~C(L(~))5))6");
    // The second loop is closed already; the first one is not meant.
    let words = [&calls[..], &[word(LEAVE, F), word(LEAVE_NTH, IN), 2, word(FRACTION, D), 5]].concat();
    assert_eq!(shape(&words), "C(L(~C(L(~))5))");
    let words = [&calls[..], &[word(LEAVE_NTH, IN), 1, word(FRACTION, D), 5]].concat();
    assert_eq!(shape(&words), "C(L(~C(L(~)))5)");
    // No such scope is open.
    assert_eq!(shape(&[word(CALL, F), word(LEAVE, IF), word(ROUND, FOR), word(LEAVE, F)]), "C()");
}

#[test]
fn loops_have_rounds_and_are_open_ended_until_they_are_finished() {
    let [a, b, c] = draw(1);
    let round = word(ROUND, FOR);
    let words = [word(LOOP, FOR), round, a, b, c, round, word(FINISHED, FOR), a, b, c, word(LEAVE, FOR), word(CALL, F)];
    assert_eq!(shape(&words), "L(I(1)I(1))C()");
    // The condition of a while loop is evaluated in a round, which is none if it is false and nothing was drawn.
    let words = [word(LOOP, FOR), round, a, b, c, round, word(NO_ROUND, FOR), word(LEAVE, FOR)];
    assert_eq!(shape(&words), "L(~I(1))");
    let words = [word(LOOP, FOR), round, round, a, b, c, word(NO_ROUND, FOR), word(LEAVE, FOR)];
    assert_eq!(shape(&words), "L(~I()I(1))");
}

#[test]
fn selections_have_branches_and_draws_have_outputs() {
    let words = [word(SELECTION, IF), word(OUTPUT, D), 9, 4, 77, word(ELSE, IF), word(LEAVE, IF), word(CALL, F)];
    assert_eq!(shape(&words), "S(4B())C()");
}

#[test]
fn a_word_that_makes_no_sense_is_an_error() {
    let file = |word: u64| [&b"whittle-trace 2\nS\x01fW\x08"[..], &word.to_le_bytes()].concat();
    assert!(decode(&file(CALL)).is_ok());
    // No such kind; no such site; a draw without its value.
    for word in [17, word(CALL, 1), INTEGER] {
        assert!(decode(&file(word)).is_err(), "{word}");
    }
}
