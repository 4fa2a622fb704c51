//! Guesses the language of a text that neither a file name nor the first lines tell, by parsing it.
//!
//! A parser's tree of a text in another language consists of errors for the most part. So the text is taken to be in the
//! language whose parser skips least of it, if that is little and there are keywords enough. Some parsers take anything
//! (PHP, YAML, HTML), and tables or settings are expressions to others (`key = 1` and `1, 2, 3` in Python), but they find
//! no keywords there. JSON and XML have none, so a text must be nearly flawless for them, and begin as they do. Any words
//! make a command for Bash, which is never guessed.
//!
//! Depends on the text and the build alone. Cost: one parse of the first `SAMPLE_BYTES` by every parser of the build.

use whittle_languages::Language;
use whittle_trees::{Limits, Recognition};

/// How much of a text is parsed. Comments at the start can be long.
const SAMPLE_BYTES: usize = 16 << 10;

/// The least of a text that makes a guess: less can be anything.
const LEAST_SOLID_BYTES: u64 = 16;

/// The least keywords: one or two can be any words.
const LEAST_KEYWORDS: u64 = 3;

/// The parser may skip this part of a text. `docs/languages.md` says what that lets through.
const MAX_SKIPPED: f64 = 0.05;

/// The same for languages without keywords. Not zero: the parser for JSON knows no `1E+4`.
const MAX_SKIPPED_OF_DATA: f64 = 0.01;

/// Bytes for each keyword, at most.
const BYTES_PER_KEYWORD: u64 = 200;

/// Languages without keywords, and how texts in them begin.
const BEGINNINGS: [(&str, &[u8]); 2] = [("json", b"[{"), ("xml", b"<")];

/// The language in which most texts are flawless.
const TAKES_ANY_WORDS: &str = "bash";

/// A language, and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guess {
    /// The language.
    pub language: &'static Language,
    /// The part of the text that its parser takes, of 1.
    pub recognized: f64,
}

/// The language that a text looks like; `None` if there is none that is likely enough.
pub fn guess(text: &[u8]) -> Option<Guess> {
    let sample = sample(text);
    // Binary data is in no language.
    std::str::from_utf8(sample).ok()?;
    let guessable = Language::all().iter().filter(|language| language.name != TAKES_ANY_WORDS);
    let candidates = guessable.filter_map(|language| likely(language, sample));
    // Of equally good ones the first: languages are in the order of names, and C before C++.
    let best = candidates.min_by(|one, other| one.0.total_cmp(&other.0).then(other.1.cmp(&one.1)));
    best.map(|(skipped, _, language)| Guess { language, recognized: 1.0 - skipped })
}

/// The first lines of a text.
fn sample(text: &[u8]) -> &[u8] {
    if text.len() <= SAMPLE_BYTES {
        return text;
    }
    let start = &text[..SAMPLE_BYTES];
    let end = start.iter().rposition(|&byte| byte == b'\n');
    end.map_or(start, |end| &start[..=end])
}

/// What part of the sample the parser of a language skips, and how many keywords it finds, if that is good enough.
fn likely(language: &'static Language, sample: &[u8]) -> Option<(f64, u64, &'static Language)> {
    let beginning = BEGINNINGS.iter().find(|(name, _)| *name == language.name).map(|(_, beginning)| *beginning);
    // A text in its language takes a parser a tenth of the operations that are left to it for any text.
    let limits = Limits { operations_per_byte: 0, ..Limits::default() };
    let Recognition { solid, skipped, missing, keywords } = Recognition::of(sample, &language.tree_sitter(), limits)?;
    let skipped = (skipped + missing) as f64 / solid.max(1) as f64;
    let is_likely = match beginning {
        Some(beginning) => {
            let begins = sample.trim_ascii_start().first().is_some_and(|byte| beginning.contains(byte));
            begins && skipped <= MAX_SKIPPED_OF_DATA
        }
        None => skipped <= MAX_SKIPPED && keywords >= LEAST_KEYWORDS && keywords * BYTES_PER_KEYWORD >= solid,
    };
    (is_likely && solid >= LEAST_SOLID_BYTES).then_some((skipped, keywords, language))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guessed(text: &str) -> Option<&'static str> {
        guess(text.as_bytes()).map(|guess| guess.language.name)
    }

    const PROGRAMS: [(&str, &str); 9] = [
        ("c", "static int add(int a, int b) {\n    return a + b;\n}\nint main(void) { return add(1, 2); }\n"),
        ("cpp", "template <class T> class Box { public: T value; };\nint main() { return Box<int>().value; }\n"),
        ("go", "package main\n\nimport \"fmt\"\n\nfunc main() {\n\tfmt.Println(1)\n}\n"),
        ("java", "public class Main {\n    public static void main(String[] args) { int a = 1; }\n}\n"),
        ("javascript", "const f = (a) => { if (a) return 1; };\nfor (let i = 0; i < 3; i++) f(i);\n"),
        ("json", "[{\"name\": \"a\", \"values\": [1, 2, 1.5e3]}]\n"),
        ("python", "def f(a):\n    if a:\n        return [x for x in a]\n    return None\n"),
        ("rust", "pub fn main() {\n    let mut a = 1;\n    while a < 5 { a += 1; }\n}\n"),
        ("xml", "<a><b name=\"x\">text</b><c/></a>\n"),
    ];

    #[test]
    fn programs_are_recognized_without_their_names() {
        for (language, text) in PROGRAMS {
            assert_eq!(guessed(text), Some(language), "{text}");
        }
    }

    #[test]
    fn a_similar_language_is_taken_for_one_that_is_known() {
        let shader = "#version 330\nuniform float time;\nvoid main() {\n    float a = sin(time);\n    if (a < 0.0) \
                      return;\n    for (int i = 0; i < 3; i++) a += 1.0;\n}\n";
        assert_eq!(guessed(shader), Some("c"));
        assert!(guess(shader.as_bytes()).is_some_and(|guess| guess.recognized > 0.95));
    }

    #[test]
    fn what_is_not_a_program_is_in_no_language() {
        for text in [
            "",
            "\n\n",
            "if\n",
            "keep (this)\nand  this\n",
            "This is a letter. If it is for you, do not return it; while you read, try to enjoy the case.\n",
            "one, two, three\n1, 2, 3\n4, 5, 6\nwhite, black, 7.5\n",
            "name;size;for\n\"a\";1;2\n\"b\";3;4\n",
            "[server]\nhost = example.org\nport = 8080\n\n[client]\nname = \"x\"\n; a comment\n",
            "key: value\nlist:\n  - one\n  - two\n",
            "2024-03-01 12:00:01 INFO  started in 5 ms\n2024-03-01 12:00:02 ERROR no connection to db:5432 (try 3)\n",
            "127.0.0.1 - - [01/Mar/2024:12:00:01] \"GET / HTTP/1.1\" 200 512\n",
            "root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1::/usr/sbin:/usr/sbin/nologin\n",
            "udp tpi_clts v inet udp - -\ntcp tpi_cots_ord v inet tcp - -\n",
        ] {
            assert_eq!(guessed(text), None, "{text}");
        }
        assert_eq!(guess(b"int main(void) { return 0; }\xff\xfe"), None);
        assert_eq!(guess(b"int main(void) { return 0; }\0"), None);
    }

    #[test]
    fn only_the_first_lines_are_looked_at() {
        let long = PROGRAMS[0].1.repeat(1000);
        assert!(sample(long.as_bytes()).len() <= SAMPLE_BYTES && sample(long.as_bytes()).ends_with(b"\n"));
        assert_eq!(guessed(&long), Some("c"));
    }
}
