//! Short, canonical names for the files of a project: `a.c`, `b.h`, with the places that name them.
//!
//! A file gets the first free letter and keeps its extension, in the root folder if it can be there and in its own folder
//! otherwise. Wherever another file has its old name as a word, it gets the new one. A file whose name the test needs
//! stays as it is: the test fails without it.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use whittle_search::{Candidate, File, FirstOf, Search, Stop};

use super::project::ProjectFacts;

/// More files than this do not get new names: the project is far from small.
const MOST_FILES: usize = 50;

/// One file moves.
#[derive(Clone, Debug)]
struct Move {
    from: PathBuf,
    to: PathBuf,
}

/// Renames files until none can get a shorter name.
pub(super) fn run(search: &mut Search, facts: &ProjectFacts) -> Result<(), Stop> {
    if search.best().candidate.files().len() > MOST_FILES {
        return Ok(());
    }
    let mut failed: BTreeSet<PathBuf> = BTreeSet::new();
    loop {
        let base = search.best().candidate.clone();
        let next = base
            .files()
            .iter()
            .find(|file| !facts.is_fixed(file) && !failed.contains(file.path()) && !moves(&base, file).is_empty());
        let Some(file) = next else { return Ok(()) };
        let (old, moves) = (file.path().to_owned(), moves(&base, file));
        let ended = search.run(FirstOf::new(moves), move |to| Some(moved(&base, to)))?;
        failed.insert(ended.taken().map_or(old, |taken| taken.to.clone()));
    }
}

/// The places that are better than the present one, the best first.
fn moves(candidate: &Candidate, file: &File) -> Vec<Move> {
    let path = file.path();
    let folder = path.parent().unwrap_or(Path::new(""));
    let places = [Path::new(""), folder].into_iter().map(|folder| free_name(candidate, folder, path));
    let is_better = |to: &PathBuf| {
        let rank = |path: &Path| (path.as_os_str().len(), path.to_owned());
        rank(to) < rank(path)
    };
    let mut better: Vec<PathBuf> = places.filter(is_better).collect();
    better.dedup();
    better.into_iter().map(|to| Move { from: path.to_owned(), to }).collect()
}

/// The first name of one letter in a folder that no other file has, whatever its extension: objects are named after
/// sources.
fn free_name(candidate: &Candidate, folder: &Path, path: &Path) -> PathBuf {
    let is_taken = |stem: &str| {
        let others =
            candidate.files().iter().map(File::path).filter(|other| *other != path && other.parent() == Some(folder));
        others.into_iter().any(|other| other.file_stem().is_some_and(|taken| taken == stem))
    };
    let stems = (b'a'..=b'z').map(|letter| char::from(letter).to_string());
    let stem = stems.into_iter().find(|stem| !is_taken(stem)).unwrap_or_else(|| "aa".to_owned());
    let mut name = OsString::from(stem);
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    folder.join(name)
}

/// The candidate in which a file has moved, and others name it as it is called now.
fn moved(base: &Candidate, Move { from, to }: &Move) -> Candidate {
    let pairs = spellings(from, to);
    let rewritten = |file: &File| {
        let file = if file.path() == from { file.at(to) } else { file.clone() };
        if !file.kind().has_content() {
            return file;
        }
        let text = pairs.iter().fold(file.bytes().to_vec(), |text, (old, new)| replaced(&text, old, new));
        if text == file.bytes() { file } else { file.with_bytes(text) }
    };
    base.with_files(base.files().iter().map(rewritten))
}

/// How a file may be called, before and after: by its path, its name, and its name without its extension.
fn spellings(from: &Path, to: &Path) -> Vec<(Vec<u8>, Vec<u8>)> {
    let path = |path: &Path| Some(path.as_os_str().as_encoded_bytes().to_vec());
    let name = |path: &Path| Some(path.file_name()?.as_encoded_bytes().to_vec());
    let stem = |path: &Path| Some(path.file_stem()?.as_encoded_bytes().to_vec());
    let dotted = |path: &Path| {
        let text = path.with_extension("");
        Some(text.to_str()?.replace('/', ".").into_bytes())
    };
    let both = |spell: &dyn Fn(&Path) -> Option<Vec<u8>>| Some((spell(from)?, spell(to)?));
    [both(&path), both(&dotted), both(&name), both(&stem)]
        .into_iter()
        .flatten()
        .filter(|(old, new)| old != new)
        .collect()
}

/// The text with one word in place of another.
fn replaced(text: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    let is_word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let mut result = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let after = at + old.len();
        let is_here = text[at..].starts_with(old) && !is_word(text[..at].last()) && !is_word(text.get(after));
        match is_here && !old.is_empty() {
            true => {
                result.extend_from_slice(new);
                at = after;
            }
            false => {
                result.push(text[at]);
                at += 1;
            }
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(files: &[(&str, &str)]) -> Candidate {
        Candidate::from_files(files.iter().map(|&(path, text)| (path, text.as_bytes().to_vec())))
    }

    #[test]
    fn a_file_moves_to_the_first_free_letter_and_others_follow() {
        let base = project(&[
            ("lib/point.h", "int point;"),
            ("main.c", "#include \"lib/point.h\"\n#include <point.h>\nmypoint"),
        ]);
        let moves = moves(&base, &base.files()[0]);
        assert_eq!(moves.iter().map(|to| to.to.clone()).collect::<Vec<_>>(), [PathBuf::from("a.h"), "lib/a.h".into()]);
        let moved = moved(&base, &moves[0]);
        let shown: Vec<_> = moved.files().iter().map(|file| (file.path().to_owned(), file.bytes().to_vec())).collect();
        assert_eq!(shown[0], ("a.h".into(), b"int a;".to_vec()));
        assert_eq!(shown[1], ("main.c".into(), b"#include \"a.h\"\n#include <a.h>\nmypoint".to_vec()));
    }

    #[test]
    fn a_file_with_the_best_name_stays() {
        let base = project(&[("a.c", ""), ("b.h", "")]);
        assert!(base.files().iter().all(|file| moves(&base, file).is_empty()));
        let taken = project(&[("a.c", ""), ("zoo.h", "")]);
        assert_eq!(moves(&taken, &taken.files()[1])[0].to, Path::new("b.h"));
    }
}
