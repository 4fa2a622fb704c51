//! The part of a candidate that is visible: some lines, cut to the width of the screen.

use std::borrow::Cow;

use similar::TextDiff;
use whittle::search::Candidate;

/// How long comparing two texts may take. What is not aligned by then is shown as replaced.
const DIFF_TIME: std::time::Duration = std::time::Duration::from_millis(20);

/// Longer texts are not compared.
const LONGEST_COMPARED: u64 = 256 << 10;

/// How many lines around a change are shown.
const CONTEXT: usize = 2;

/// Some lines of a text, and how many it has.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Excerpt {
    pub(super) text: String,
    pub(super) lines: usize,
}

/// Up to `height` lines from line `from` on, the first being 0. If there are fewer, the last ones.
pub(super) fn excerpt(candidate: &Candidate, from: usize, height: usize, width: usize) -> Excerpt {
    let count = lines(candidate).count();
    let from = from.min(count.saturating_sub(height));
    // A character takes up to four bytes, and some take no column.
    let cut = |line: Cow<'_, [u8]>| String::from_utf8_lossy(&line[..line.len().min(4 * width)]).into_owned();
    let shown: Vec<String> = lines(candidate).skip(from).take(height).map(cut).collect();
    Excerpt { text: shown.join("\n"), lines: count }
}

/// The lines of a file, or of all files below their names.
fn lines(candidate: &Candidate) -> impl Iterator<Item = Cow<'_, [u8]>> {
    candidate.files().iter().flat_map(|file| {
        let name = candidate.is_project().then(|| heading(&file.path().display().to_string()));
        let bytes = file.bytes().strip_suffix(b"\n").unwrap_or(file.bytes());
        name.map(|name| Cow::Owned(name.into_bytes()))
            .into_iter()
            .chain(bytes.split(|byte| *byte == b'\n').map(Cow::Borrowed))
    })
}

fn heading(path: &str) -> String {
    format!("==> {path} <==")
}

/// What changed from one candidate to the next, as a unified diff.
pub(super) fn difference(from: &Candidate, to: &Candidate) -> String {
    if from.byte_count() > LONGEST_COMPARED {
        return "The text is too long to be compared with the one before.".to_owned();
    }
    let texts = [from, to].map(|candidate| {
        lines(candidate).map(|line| format!("{}\n", String::from_utf8_lossy(&line))).collect::<String>()
    });
    let diff = TextDiff::configure().timeout(DIFF_TIME).diff_lines(&texts[0], &texts[1]);
    diff.unified_diff().context_radius(CONTEXT).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_and_the_last_ones_stay_visible() {
        let candidate = Candidate::single("a", b"one\ntwo two two\nthree\n".to_vec());
        let of = |text: &str| Excerpt { text: text.to_owned(), lines: 3 };
        assert_eq!(excerpt(&candidate, 0, 2, 1), of("one\ntwo "));
        assert_eq!(excerpt(&candidate, 9, 2, 9), of("two two two\nthree"));
        assert_eq!(excerpt(&candidate, 9, 9, 9), of("one\ntwo two two\nthree"));
    }

    #[test]
    fn the_files_of_a_project_have_headings() {
        let candidate = Candidate::from_files([("a", b"1\n".to_vec()), ("b/c", b"2".to_vec())]);
        assert_eq!(excerpt(&candidate, 0, 9, 9).text, "==> a <==\n1\n==> b/c <==\n2");
    }

    #[test]
    fn a_difference_has_what_went_and_what_came() {
        let of = |text: &str| Candidate::single("a", text.as_bytes().to_vec());
        let shown = difference(&of("a\nb\nc\nd\ne\nf\n"), &of("a\nb\nc\nD\ne\nf\n"));
        assert!(shown.contains("\n-d\n+D\n") && !shown.contains(" a\n"), "{shown}");
    }
}
