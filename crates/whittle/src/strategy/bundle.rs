//! [`Bundle`]: files of one language seen as one, so that edits of names reach all of them.
//!
//! Passes that rename, inline or merge see one file and its names. In a project, a name is defined in one file and used in
//! others, so none of these edits works in one file alone. A bundle puts the files behind one another, each after a
//! comment that says which it is; what a pass proposes is cut at these comments again. A proposal that has lost one of them is
//! no candidate.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use whittle_search::{Candidate, File, Lens};

/// More text is not put together: these passes are for what is left in the end.
const MOST_BYTES: usize = 64 << 10;

/// How the languages whose names cross files begin a comment that ends with the line.
const COMMENTS: [(&str, &[&str]); 4] = [
    (
        "//",
        &[
            "c",
            "cpp",
            "c_sharp",
            "go",
            "java",
            "javascript",
            "jsx",
            "kotlin",
            "php",
            "rust",
            "scala",
            "solidity",
            "swift",
            "systemverilog",
            "tsx",
            "typescript",
            "verilog",
            "zig",
        ],
    ),
    ("#", &["bash", "elixir", "julia", "perl", "python", "r", "ruby"]),
    ("--", &["haskell", "lua", "sql"]),
    ("%", &["erlang"]),
];

/// Several files as one.
pub(super) struct Bundle {
    comment: &'static str,
    /// The path of the first file, which is the one that the bundle has.
    path: PathBuf,
    /// The files as they were last shown.
    members: Mutex<Vec<File>>,
}

impl Bundle {
    /// The files of a candidate for which `belongs` holds, all of them in this language; `None` if they are fewer than two
    /// or too long, or if one of them has a comment like ours.
    pub(super) fn of(candidate: &Candidate, language: &str, belongs: impl Fn(&File) -> bool) -> Option<Self> {
        let (comment, _) = COMMENTS.iter().find(|(_, languages)| languages.contains(&language))?;
        let members: Vec<File> = candidate.files().iter().filter(|file| belongs(file)).cloned().collect();
        let bytes: usize = members.iter().map(|file| file.bytes().len()).sum();
        let marker = format!("{comment}{MARK}");
        let is_marked = |file: &File| file.bytes().windows(marker.len()).any(|text| text == marker.as_bytes());
        if members.len() < 2 || bytes > MOST_BYTES || members.iter().any(is_marked) {
            return None;
        }
        Some(Self { comment, path: members[0].path().to_owned(), members: Mutex::new(members) })
    }

    /// The place of the bundle among the files that it shows.
    pub(super) fn place(&self, shown: &Candidate) -> Option<usize> {
        shown.files().iter().position(|file| file.path() == self.path)
    }

    fn marker(&self, number: usize) -> Vec<u8> {
        format!("{}{MARK}{number}", self.comment).into_bytes()
    }
}

/// What a comment of a bundle says before the number of the file.
const MARK: &str = "whittle-file-";

impl Lens for Bundle {
    fn show(&self, candidate: &Candidate) -> Candidate {
        let mut members = self.members.lock().unwrap_or_else(PoisonError::into_inner);
        let is_member = |file: &File| members.iter().any(|member| member.number() == file.number());
        let (inside, outside): (Vec<File>, Vec<File>) = candidate.files().iter().cloned().partition(is_member);
        let mut text = Vec::new();
        for (number, file) in inside.iter().enumerate() {
            text.extend_from_slice(&self.marker(number));
            text.push(b'\n');
            text.extend_from_slice(file.bytes());
            text.push(b'\n');
        }
        let bundle = inside[0].at(&self.path).with_bytes(text);
        *members = inside;
        candidate.with_files(outside.into_iter().chain([bundle]))
    }

    fn restore(&self, shown: &Candidate) -> Option<Candidate> {
        let members = self.members.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let place = self.place(shown)?;
        let mut rest = shown.files()[place].bytes();
        let mut files = Vec::new();
        rest = rest.trim_ascii_start().strip_prefix(self.marker(0).as_slice())?.strip_prefix(b"\n")?;
        for (number, member) in members.iter().enumerate() {
            let text = match number + 1 == members.len() {
                true => rest,
                false => {
                    let marker = [b"\n".as_slice(), &self.marker(number + 1), b"\n"].concat();
                    // A file that has become empty is followed by the marker at once.
                    let at_once = rest.starts_with(&marker[1..]);
                    let end = if at_once { 0 } else { rest.windows(marker.len()).position(|text| text == marker)? };
                    let text = &rest[..end];
                    rest = &rest[if at_once { marker.len() - 1 } else { end + marker.len() }..];
                    text
                }
            };
            let text = if number + 1 == members.len() { text.strip_suffix(b"\n").unwrap_or(text) } else { text };
            files.push(if text == member.bytes() { member.clone() } else { member.with_bytes(text.to_vec()) });
        }
        let others = shown.files().iter().enumerate().filter(|(at, _)| *at != place).map(|(_, file)| file.clone());
        Some(shown.with_files(others.chain(files)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project() -> Candidate {
        let files = [("a.c", "int a;\n"), ("b.c", ""), ("c.c", "int c;"), ("d.txt", "text")];
        Candidate::from_files(files.map(|(path, text)| (path, text.as_bytes().to_vec())))
    }

    fn bundle(candidate: &Candidate) -> Bundle {
        let is_c = |file: &File| file.path().extension().is_some_and(|extension| extension == "c");
        Bundle::of(candidate, "c", is_c).unwrap()
    }

    #[test]
    fn what_is_shown_is_restored_byte_for_byte() {
        let candidate = project();
        let bundle = bundle(&candidate);
        let shown = bundle.show(&candidate);
        assert_eq!(shown.files().len(), 2);
        assert_eq!(bundle.restore(&shown), Some(candidate));
    }

    #[test]
    fn an_edit_reaches_the_files_it_is_about_and_a_lost_border_is_no_candidate() {
        let candidate = project();
        let bundle = bundle(&candidate);
        let shown = bundle.show(&candidate);
        let place = bundle.place(&shown).unwrap();
        let text = String::from_utf8(shown.files()[place].bytes().to_vec()).unwrap();
        let edited = |text: String| bundle.restore(&shown.with_bytes(place, text.into_bytes()));
        let restored = edited(text.replace("int", "x")).unwrap();
        let texts: Vec<_> =
            restored.files().iter().map(|file| String::from_utf8_lossy(file.bytes()).into_owned()).collect();
        assert_eq!(texts, ["x a;\n", "", "x c;", "text"]);
        assert_eq!(restored.files().iter().map(File::number).collect::<Vec<_>>(), [0, 1, 2, 3]);
        assert_eq!(edited(text.replace("//whittle-file-1\n", "")), None);
        assert_eq!(edited(text.replace("//whittle-file-0\n", "")), None);
    }

    #[test]
    fn a_text_with_a_border_of_its_own_is_not_bundled() {
        let candidate = project().with_bytes(0, b"//whittle-file-1\n".to_vec());
        assert!(Bundle::of(&candidate, "c", |_| true).is_none());
        assert!(Bundle::of(&project(), "json", |_| true).is_none());
    }
}
