//! Conditions from what a run showed: the text of a known failure, or else a signal, a line that looks like an error, an
//! exit status.
//!
//! A text that becomes a condition is made general: what the input quotes, addresses, folders and process numbers differ
//! from candidate to candidate.

use std::sync::LazyLock;

use regex::Regex;
use whittle::property::conditions::{Ending, Observation};

use super::failures::recognise;

/// One option of `whittle reduce` and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    Stdout(String),
    Stderr(String),
    Exit(i32),
    Signal(i32),
    TimedOut,
}

/// What is proposed: what was seen, in words, and the conditions that keep it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Proposal {
    pub(super) seen: String,
    pub(super) conditions: Vec<Condition>,
}

impl Proposal {
    /// The proposal that holds for two runs, if they differ in nothing but a part of a text: a process number or the name of
    /// a temporary file.
    pub(super) fn merged(&self, other: &Self) -> Option<Self> {
        if self.seen != other.seen || self.conditions.len() != other.conditions.len() {
            return None;
        }
        let pairs = self.conditions.iter().zip(&other.conditions);
        let conditions: Option<Vec<Condition>> = pairs.map(|(one, other)| one.merged(other)).collect();
        Some(Self { seen: self.seen.clone(), conditions: conditions? })
    }
}

impl Condition {
    fn merged(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            (Self::Stdout(one), Self::Stdout(other)) => Some(Self::Stdout(common(one, other)?)),
            (Self::Stderr(one), Self::Stderr(other)) => Some(Self::Stderr(common(one, other)?)),
            _ => (self == other).then(|| self.clone()),
        }
    }
}

/// So many bytes of two patterns must be the same, or they are not about the same failure.
const SHORTEST_COMMON: usize = 12;

/// A pattern for what two patterns match: what they begin and end with.
fn common(one: &str, other: &str) -> Option<String> {
    if one == other {
        return Some(one.to_owned());
    }
    let (one, other) = (atoms(one), atoms(other));
    let prefix = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
    let rest = one.len().min(other.len()) - prefix;
    let suffix = one.iter().rev().zip(other.iter().rev()).take(rest).take_while(|(one, other)| one == other).count();
    let (start, end) = (one[..prefix].concat(), one[one.len() - suffix..].concat());
    (start.len() + end.len() >= SHORTEST_COMMON).then(|| format!("{start}.*{end}"))
}

/// The parts of a pattern that cannot be cut: an escaped character, a class with its repetition, `.*`, or a character.
fn atoms(pattern: &str) -> Vec<&str> {
    static ATOM: LazyLock<Regex> = LazyLock::new(|| regex(r"(?s)\\.|\[[^\]]*\]\+|\.\*|."));
    ATOM.find_iter(pattern).map(|atom| atom.as_str()).collect()
}

/// Words by which people say that something went wrong.
static ERROR_WORDS: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)\b(error|errors|fail|failed|failure|fatal|exception|panic|assert\w*|abort\w*|invalid|unexpected|cannot|crash\w*|bug|unreachable|overflow|violation|fault)\b",
    )
});

/// What differs from candidate to candidate: quotations, what is not text, addresses, folders, lines of the
/// input, large numbers.
static VOLATILE: LazyLock<Regex> = LazyLock::new(|| {
    regex(concat!(
        r#"(?P<quoted>'[^'\n]+'|"[^"\n]+"|`[^`'\n]+[`']|‘[^’\n]+’|“[^”\n]+”)"#,
        r"|(?P<unreadable>\x{FFFD}+)",
        r"|(?P<address>0x[0-9a-fA-F]{3,})",
        r"|(?P<folder>(?:\.{0,2}/)(?:[\w.+@~-]+/)*)",
        r"|(?P<line>\b(?:line|column) [0-9]+)",
        r"|(?P<number>\b[0-9]{5,}\b)",
    ))
});

fn regex(text: &str) -> Regex {
    Regex::new(text).expect("a test compiles it")
}

/// What to ask of a run that showed this. `input` is the text of the input, and `name` its file name.
pub(super) fn propose(observation: &Observation, input: &[u8], name: &str) -> Option<Proposal> {
    let (out, err) = (String::from_utf8_lossy(&observation.stdout), String::from_utf8_lossy(&observation.stderr));
    let on = |is_err: bool, text: &str| {
        let text = generalised(text, input, name);
        if is_err { Condition::Stderr(text) } else { Condition::Stdout(text) }
    };
    for (is_err, text) in [(true, &err), (false, &out)] {
        if let Some(found) = recognise(text, name) {
            return Some(Proposal {
                seen: found.name,
                conditions: found.keys.iter().map(|key| on(is_err, key)).collect(),
            });
        }
    }
    let error_line = error_in(&out, &err).map(|(is_err, line)| on(is_err, message(line, name)));
    let (seen, conditions) = match observation.ending {
        Ending::Signalled(signal) => ("a signal", vec![Condition::Signal(signal)]),
        Ending::TimedOut => ("that it does not end", vec![Condition::TimedOut]),
        Ending::Exited(0) => match error_line {
            Some(line) => ("a line that looks like an error", vec![line]),
            None => {
                let line = out.lines().map(str::trim).find(|line| !line.is_empty())?;
                ("no failure, but this output", vec![on(false, line)])
            }
        },
        Ending::Exited(status) => match error_line {
            Some(line) => ("a line that looks like an error", vec![line, Condition::Exit(status)]),
            None => ("an exit status", vec![Condition::Exit(status)]),
        },
        Ending::OverLimit => return None,
    };
    Some(Proposal { seen: seen.to_owned(), conditions })
}

/// The first line that looks like an error, and whether it is on standard error.
fn error_in<'a>(out: &'a str, err: &'a str) -> Option<(bool, &'a str)> {
    let find = |text: &'a str| text.lines().find(|line| ERROR_WORDS.is_match(line));
    find(err).map(|line| (true, line)).or_else(|| find(out).map(|line| (false, line)))
}

/// What a run says went wrong, without what depends on the candidate: the text of a known failure, or a line that looks like
/// an error.
pub(crate) fn error_line(observation: &Observation, input: &[u8], name: &str) -> Option<String> {
    let (out, err) = (String::from_utf8_lossy(&observation.stdout), String::from_utf8_lossy(&observation.stderr));
    let known = [&err, &out].into_iter().find_map(|text| recognise(text, name)?.keys.into_iter().next());
    known.or_else(|| {
        error_in(&out, &err).map(|(_, line)| generalised(message(line, name), input, name).replace('\\', ""))
    })
}

/// A line without the place in the input that it begins with: `bug.c:3:1: `.
fn message<'a>(line: &'a str, name: &str) -> &'a str {
    let after =
        find_name(line, name).map_or(line, |at| line[at + name.len()..].trim_start_matches([':', ',', ' ', '(', ')']));
    let after = if after.is_empty() { line } else { after };
    after.trim_start_matches(|char: char| char.is_ascii_digit() || ": ".contains(char)).trim_end()
}

/// Where a text has the name of the input as a word. A name like an ordinary word is not looked for.
fn find_name(text: &str, name: &str) -> Option<usize> {
    let is_telling = name.contains('.') && name.len() > 2 || name.len() > 5;
    let is_part = |char: char| char.is_alphanumeric() || char == '_';
    let is_word = |at: usize| !text[..at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part);
    text.match_indices(name).map(|(at, _)| at).find(|at| is_telling && is_word(*at))
}

/// A pattern that matches the text, and others that differ from it in nothing but what depends on the candidate.
pub(super) fn generalised(text: &str, input: &[u8], name: &str) -> String {
    match find_name(text, name) {
        None => without_name(text, input, name),
        Some(at) => {
            let (before, after) = (&text[..at], &text[at + name.len()..]);
            format!("{}.*{}", without_name(before, input, name), generalised(after, input, name))
        }
    }
}

/// The same for a text without the name of the input.
fn without_name(text: &str, input: &[u8], name: &str) -> String {
    let mut pattern = String::new();
    let mut at = 0;
    for found in VOLATILE.captures_iter(text) {
        let Some(whole) = found.get(0) else { continue };
        let replacement = match () {
            () if found.name("quoted").is_some() => &quotation(whole.as_str(), input, name),
            () if found.name("unreadable").is_some() => ".*",
            // A place in the input, unless it is one in a program's own file.
            () if found.name("line").is_some_and(|line| text[..line.start()].ends_with("\", ")) => continue,
            () if found.name("line").is_some_and(|line| line.as_str().starts_with('l')) => "line [0-9]+",
            () if found.name("line").is_some() => "column [0-9]+",
            () if found.name("address").is_some() => "0x[0-9a-fA-F]+",
            () if found.name("folder").is_some_and(|folder| is_in_path(text, folder.start())) => continue,
            () if found.name("folder").is_some() => ".*",
            () => "[0-9]+",
        };
        pattern.push_str(&escaped(&text[at..whole.start()]));
        pattern.push_str(replacement);
        at = whole.end();
    }
    pattern.push_str(&escaped(&text[at..]));
    pattern
}

/// What a quotation becomes: anything if it is from the input.
fn quotation(quoted: &str, input: &[u8], name: &str) -> String {
    let mut chars = quoted.chars();
    let (Some(open), Some(close)) = (chars.next(), chars.next_back()) else { return escaped(quoted) };
    let inner = chars.as_str();
    match find_name(inner, name).is_some() || contains(input, inner.as_bytes()) {
        true => ".*".to_owned(),
        false => format!(
            "{}{}{}",
            escaped(open.encode_utf8(&mut [0; 4])),
            generalised(inner, input, name),
            escaped(close.encode_utf8(&mut [0; 4]))
        ),
    }
}

/// Whether a slash is in the middle of a path that starts without one, or stands for a division.
fn is_in_path(text: &str, at: usize) -> bool {
    text[..at].ends_with(|before: char| before.is_alphanumeric() || "_-+.)".contains(before))
        || text[at..].starts_with("/ ")
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    !part.is_empty() && text.windows(part.len()).any(|window| window == part)
}

/// A pattern for exactly this text, for Whittle and for `grep -E`.
fn escaped(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len());
    for char in text.chars() {
        if r"\.+*?()|[]{}^$".contains(char) {
            pattern.push('\\');
        }
        pattern.push(char);
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(ending: Ending, stdout: &str, stderr: &str) -> Observation {
        Observation { ending, stdout: stdout.into(), stderr: stderr.into() }
    }

    fn conditions(observation: &Observation) -> Vec<Condition> {
        propose(observation, b"int foo;", "bug.c").map(|proposal| proposal.conditions).unwrap_or_default()
    }

    #[test]
    fn what_depends_on_the_candidate_is_left_open() {
        for (text, pattern) in [
            ("cannot find 'foo' in 'table'", "cannot find .* in 'table'"),
            ("at 0x7ffe12ab in pid 123456", "at 0x[0-9a-fA-F]+ in pid [0-9]+"),
            ("offset 0x10 of 12", "offset 0x10 of 12"),
            ("in /usr/src/a b.c, at expr.cc:262", r"in .*a b\.c, at expr\.cc:262"),
            ("compiler/rustc/src/a.rs:7", r"compiler/rustc/src/a\.rs:7"),
            ("a / b (x)", r"a / b \(x\)"),
            ("bug.c is bad", ".* is bad"),
            ("caf\u{fffd} x", "caf.* x"),
            ("invalid syntax (x, line 150)", r"invalid syntax \(x, line [0-9]+\)"),
            ("(error \"line 11 column 3: no x\")", r#"\(error "line [0-9]+ column [0-9]+: no x"\)"#),
            ("lex.py\", line 31, in f", r#"lex\.py", line 31, in f"#),
        ] {
            let general = generalised(text, b"int foo;", "bug.c");
            assert_eq!(general, pattern);
            assert!(Regex::new(&general).unwrap().is_match(text), "{general}");
        }
    }

    #[test]
    fn a_short_name_of_the_input_is_an_ordinary_word() {
        for name in ["", "a", "9", "F", "in"] {
            assert_eq!(generalised("bad a at 0x7ffe12 in 9", b"", name), "bad a at 0x[0-9a-fA-F]+ in 9");
        }
    }

    #[test]
    fn what_differs_between_two_runs_is_left_open() {
        let cases = [
            (r"written to \.*blk_a1\.log", r"written to \.*blk_b\.log", Some(r"written to \.*blk_.*\.log")),
            ("Fatal error: same", "Fatal error: same", Some("Fatal error: same")),
            ("Fatal error: [0-9]+ at x", "Fatal error: [0-9]+", Some("Fatal error: [0-9]+.*")),
            ("one failure", "another story", None),
        ];
        for (one, other, expected) in cases {
            assert_eq!(common(one, other).as_deref(), expected);
        }
    }

    #[test]
    fn without_a_known_text_the_end_counts() {
        assert_eq!(conditions(&ran(Ending::Signalled(11), "", "")), [Condition::Signal(11)]);
        assert_eq!(conditions(&ran(Ending::TimedOut, "x", "")), [Condition::TimedOut]);
        assert_eq!(conditions(&ran(Ending::Exited(3), "fine", "")), [Condition::Exit(3)]);
        assert_eq!(
            conditions(&ran(Ending::Exited(1), "", "note\nbug.c:3:9: error: unknown type 'foo'\n")),
            [Condition::Stderr("error: unknown type .*".into()), Condition::Exit(1)]
        );
        assert_eq!(conditions(&ran(Ending::Exited(0), "\nPOLLUTED\n", "")), [Condition::Stdout("POLLUTED".into())]);
        assert_eq!(conditions(&ran(Ending::Exited(0), "", "")), []);
    }
}
