//! Failures that are known by their texts: internal errors of compilers, sanitizers, stack traces of many languages.
//!
//! The table is data, `failures.toml`. Each row has a recorded sample, which is its test.

use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

/// The table as it is written.
#[derive(Debug, Deserialize)]
struct Table {
    failure: Vec<Row>,
}

/// A row of the table, as `failures.toml` explains it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Row {
    name: String,
    pattern: String,
    frame: Option<String>,
    skip: Option<String>,
    #[serde(default)]
    last_frame: bool,
    #[cfg_attr(not(test), expect(dead_code, reason = "only the test of the table reads it"))]
    sample: String,
    #[cfg_attr(not(test), expect(dead_code, reason = "only the test of the table reads it"))]
    keeps: Vec<String>,
}

/// A failure that can be recognised.
#[derive(Debug)]
struct Failure {
    name: String,
    pattern: Regex,
    frame: Option<Regex>,
    skip: Option<Regex>,
    takes_last_frame: bool,
}

/// A failure that was recognised: what it is, and the texts that tell it from others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Recognised {
    pub(super) name: String,
    pub(super) keys: Vec<String>,
}

/// So many bytes of a message say which failure it is. With a frame besides, candidates that fail in the same way by another
/// path would be rejected.
const LONG_MESSAGE: usize = 45;

const TABLE: &str = include_str!("failures.toml");

static FAILURES: LazyLock<Vec<Failure>> = LazyLock::new(|| {
    let table: Table = toml::from_str(TABLE).expect("a test reads the table");
    table.failure.iter().map(Failure::new).collect()
});

impl Failure {
    fn new(row: &Row) -> Self {
        let regex = |text: &String| Regex::new(text).expect("a test compiles the patterns");
        Self {
            name: row.name.clone(),
            pattern: regex(&row.pattern),
            frame: row.frame.as_ref().map(regex),
            skip: row.skip.as_ref().map(regex),
            takes_last_frame: row.last_frame,
        }
    }

    /// The texts that tell this failure from others, if the output has it. `input` is the file name of the input: frames
    /// in it change when it is reduced.
    fn keys(&self, output: &str, input: &str) -> Option<Vec<String>> {
        let found = self.pattern.captures(output)?;
        let mut keys: Vec<String> = found.iter().skip(1).flatten().map(|group| group.as_str().to_owned()).collect();
        if keys.iter().all(|key| key.len() < LONG_MESSAGE) {
            keys.extend(self.frame_in(&output[found.get(0)?.start()..], output, input));
        }
        Some(keys).filter(|keys| !keys.is_empty())
    }

    /// The frame that is likeliest to be where it failed. A stack comes after its message, except where the last frame
    /// counts: there it comes before.
    fn frame_in(&self, after: &str, output: &str, input: &str) -> Option<String> {
        let text = if self.takes_last_frame { output } else { after };
        let frames = self.frame.as_ref()?.captures_iter(text);
        let functions = frames.filter_map(|frame| Some(frame.get(1)?.as_str().to_owned()));
        let is_useful =
            |frame: &String| !frame.contains(input) && !self.skip.as_ref().is_some_and(|skip| skip.is_match(frame));
        let mut useful = functions.filter(is_useful);
        if self.takes_last_frame { useful.last() } else { useful.next() }
    }
}

/// The first failure of the table that the output has.
pub(super) fn recognise(output: &str, input: &str) -> Option<Recognised> {
    FAILURES.iter().find_map(|failure| {
        let keys = failure.keys(output, input)?;
        Some(Recognised { name: failure.name.clone(), keys })
    })
}

#[cfg(test)]
mod tests {
    use super::super::conditions::generalised;
    use super::*;

    #[test]
    fn every_sample_is_recognised_as_what_it_is() {
        let table: Table = toml::from_str(TABLE).unwrap();
        // What the samples quote from their inputs.
        let input = b"int width size _walk";
        for row in &table.failure {
            let found = recognise(&row.sample, "bug.c").unwrap_or_else(|| panic!("{} is not recognised", row.name));
            assert_eq!(found.name, row.name, "{}", row.sample);
            let kept: Vec<String> = found.keys.iter().map(|key| generalised(key, input, "bug.c")).collect();
            assert_eq!(kept, row.keeps, "{}", row.sample);
            let matches = |kept: &String| Regex::new(kept).unwrap().is_match(&row.sample);
            assert!(kept.iter().all(matches), "{}: {kept:?}", row.sample);
        }
        assert!(table.failure.len() >= 30);
    }

    #[test]
    fn ordinary_output_is_no_failure() {
        for text in ["", "0 errors, 0 warnings", "bug.c:3:1: error: expected ';' before '}' token", "sat\n(model)\n"] {
            assert_eq!(recognise(text, "bug.c"), None, "{text}");
        }
    }

    #[test]
    fn frames_in_the_input_do_not_count() {
        let output = "Traceback (most recent call last):\n  File \"/lib/a.py\", line 3, in load\n  \
                      File \"/tmp/bug.py\", line 1, in f\nValueError: no\n";
        let found = recognise(output, "bug.py").unwrap();
        assert_eq!(found.keys, ["ValueError: no", "a.py\", line 3, in load"]);
    }
}
