//! The texts of a run's steps, one after the other, each as what changed: so that events can carry all of them.

use serde::{Deserialize, Serialize};
use whittle::search::Candidate;

/// The longest text of a step that is kept.
pub(super) const LONGEST_TEXT: usize = 64 << 10;

/// What to do with the text before: at `from`, `removed` bytes give way to `text`. If there is no text before, `text` is all
/// of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Change {
    from: usize,
    removed: usize,
    text: String,
}

/// The last text, on both sides.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    last: Option<String>,
}

impl Changes {
    /// What changes from the last text to that of `candidate`; `None` if it is too long.
    pub(crate) fn to(&mut self, candidate: &Candidate) -> Option<Change> {
        let text = text_of(candidate);
        let last = std::mem::replace(&mut self.last, text.clone());
        let (last, text) = (last.unwrap_or_default(), text?);
        let from = common_prefix(&last, &text);
        let kept = common_suffix(&last[from..], &text[from..]);
        let (removed, text) = (last.len() - from - kept, text[from..text.len() - kept].to_owned());
        Some(Change { from, removed, text })
    }

    /// The text after `change`. `None` if there is no change, or if it is one of another text.
    pub(crate) fn apply(&mut self, change: Option<&Change>) -> Option<String> {
        let last = self.last.take().unwrap_or_default();
        self.last = change.and_then(|Change { from, removed, text }| {
            let (before, after) = (last.get(..*from)?, last.get(from.checked_add(*removed)?..)?);
            Some([before, text, after].concat())
        });
        self.last.clone()
    }
}

/// The text of a file, or of all files below their names; `None` if it is too long.
pub(super) fn text_of(candidate: &Candidate) -> Option<String> {
    if candidate.byte_count() > LONGEST_TEXT as u64 {
        return None;
    }
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Some(match candidate.files() {
        [file] if !candidate.is_project() => text(file.bytes()),
        files => {
            files.iter().map(|file| format!("==> {} <==\n{}\n", file.path().display(), text(file.bytes()))).collect()
        }
    })
}

/// How many bytes two texts begin with alike, by whole characters.
fn common_prefix(one: &str, other: &str) -> usize {
    let pairs = one.chars().zip(other.chars()).take_while(|(a, b)| a == b);
    pairs.map(|(char, _)| char.len_utf8()).sum()
}

fn common_suffix(one: &str, other: &str) -> usize {
    let pairs = one.chars().rev().zip(other.chars().rev()).take_while(|(a, b)| a == b);
    pairs.map(|(char, _)| char.len_utf8()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_texts_come_back_and_long_ones_are_left_out() {
        let long = "x".repeat(LONGEST_TEXT + 1);
        let texts = ["aé b", "aé c b", "", &long, "aéa", "aéaéa", "èa", "a\u{fffd}b"];
        let (mut writer, mut reader) = (Changes::default(), Changes::default());
        for text in texts {
            let change = writer.to(&Candidate::single("f", text.as_bytes().to_vec()));
            let expected = (text.len() <= LONGEST_TEXT).then(|| text.to_owned());
            assert_eq!(reader.apply(change.as_ref()), expected);
        }
    }

    #[test]
    fn a_change_of_another_text_is_no_text() {
        let change = Change { from: 7, removed: usize::MAX, text: "x".into() };
        assert_eq!(Changes::default().apply(Some(&change)), None);
    }
}
