//! Short, canonical names for the files of a project: `a.c`, `b.h`, with the places that name them.
//!
//! A file gets the first free letter and keeps its extension, in the root folder if it can be there and in its own folder
//! otherwise. Wherever another file has its old name as a word, it gets the new one. A file whose name the test needs
//! stays as it is: the test fails without it. Before that, what is in a folder moves up, in place of files that have the
//! same names there: the member of a workspace is a project of its own.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use whittle_search::{Candidate, File, FirstOf, Search, Stop};

use super::directives::{Directive, directives, folder, last_first};
use super::project::ProjectFacts;

/// More files than this do not get new names: the project is far from small.
const MOST_FILES: usize = 50;

/// One file moves.
#[derive(Clone, Debug)]
struct Move {
    from: PathBuf,
    to: PathBuf,
}

/// Moves folders up until none can, and renames files until none can get a shorter name.
pub(super) fn run(search: &mut Search, facts: &ProjectFacts) -> Result<(), Stop> {
    if search.best().candidate.files().len() > MOST_FILES {
        return Ok(());
    }
    hoist_folders(search, facts)?;
    let mut failed: BTreeSet<PathBuf> = BTreeSet::new();
    loop {
        let base = search.best().candidate.clone();
        let next = base
            .files()
            .iter()
            .find(|file| !facts.is_fixed(file) && !failed.contains(file.path()) && !moves(&base, file).is_empty());
        let Some(file) = next else { return Ok(()) };
        let (old, moves) = (file.path().to_owned(), moves(&base, file));
        let found = directives(&base, facts);
        let ended = search.run(FirstOf::new(moves), move |to| Some(moved(&base, &found, to)))?;
        failed.insert(ended.taken().map_or(old, |taken| taken.to.clone()));
    }
}

/// Moves what is in a folder to where the folder is, until that helps nowhere.
fn hoist_folders(search: &mut Search, facts: &ProjectFacts) -> Result<(), Stop> {
    loop {
        let base = search.best().candidate.clone();
        let parents = base.files().iter().flat_map(|file| file.path().ancestors().skip(1));
        let folders: BTreeSet<&Path> = parents.filter(|folder| !folder.as_os_str().is_empty()).collect();
        let hoisted: Vec<Candidate> = folders.into_iter().filter_map(|folder| hoisted(&base, facts, folder)).collect();
        if search.run(FirstOf::new(hoisted), |candidate| Some(candidate.clone()))?.taken().is_none() {
            return Ok(());
        }
    }
}

/// The candidate in which a folder is gone and what was in it has moved up, unless that changes a file that must stay.
fn hoisted(base: &Candidate, facts: &ProjectFacts, folder: &Path) -> Option<Candidate> {
    let above = folder.parent()?;
    let place = |file: &File| file.path().strip_prefix(folder).map(|rest| above.join(rest));
    let arriving: BTreeSet<PathBuf> = base.files().iter().filter_map(|file| place(file).ok()).collect();
    let mut files = Vec::new();
    for file in base.files() {
        match place(file) {
            Ok(_) if facts.is_fixed(file) => return None,
            Ok(to) => files.push(file.at(to)),
            Err(_) if arriving.contains(file.path()) && facts.is_fixed(file) => return None,
            Err(_) if arriving.contains(file.path()) => {}
            Err(_) => files.push(file.clone()),
        }
    }
    Some(base.with_files(files))
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

/// The candidate in which a file has moved. Directives spell the way to it anew, and its own to others; wherever else a
/// file has its old name, it gets the new one.
fn moved(base: &Candidate, directives: &[Directive], Move { from, to }: &Move) -> Candidate {
    let pairs = spellings(from, to);
    let rewritten = |(place, file): (usize, &File)| {
        let here = if file.path() == from { file.at(to) } else { file.clone() };
        if !file.kind().has_content() {
            return here;
        }
        let mut text = file.bytes().to_vec();
        for (_, directive) in last_first(directives, place) {
            let guest = base.files()[directive.guest].path();
            let respelled = directive.respelled(folder(&here), if guest == from { to } else { guest });
            if let Some((range, way)) = respelled.filter(|_| guest == from || file.path() == from) {
                text.splice(range, way.into_bytes());
            }
        }
        let text = pairs.iter().fold(text, |text, (old, new)| replaced(&text, old, new));
        if text == file.bytes() { here } else { here.with_bytes(text) }
    };
    base.with_files(base.files().iter().enumerate().map(rewritten))
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
        let moved = moved(&base, &[], &moves[0]);
        let shown: Vec<_> = moved.files().iter().map(|file| (file.path().to_owned(), file.bytes().to_vec())).collect();
        assert_eq!(shown[0], ("a.h".into(), b"int a;".to_vec()));
        assert_eq!(shown[1], ("main.c".into(), b"#include \"a.h\"\n#include <a.h>\nmypoint".to_vec()));
    }

    #[test]
    fn ways_are_spelled_anew_when_a_file_moves() {
        let base = project(&[("es/in/bee.js", "import '../index'"), ("es/index.js", "import './in/bee'")]);
        let directives = directives(&base, &ProjectFacts::default());
        let to_root = Move { from: "es/in/bee.js".into(), to: "a.js".into() };
        let moved = moved(&base, &directives, &to_root);
        let texts: Vec<&[u8]> = moved.files().iter().map(File::bytes).collect();
        assert_eq!(texts, [b"import './es/index'", b"import '../a'".as_slice()]);
    }

    #[test]
    fn what_is_in_a_folder_replaces_what_is_above_it() {
        let base = project(&[("Cargo.toml", "workspace"), ("app/Cargo.toml", "package"), ("app/src/lib.rs", "")]);
        let paths = |candidate: Option<Candidate>| {
            let shown = |file: &File| (file.path().to_owned(), file.bytes().to_vec());
            candidate.map(|candidate| candidate.files().iter().map(shown).collect::<Vec<_>>())
        };
        let free = ProjectFacts::default();
        let expected = vec![("Cargo.toml".into(), b"package".to_vec()), ("src/lib.rs".into(), Vec::new())];
        assert_eq!(paths(hoisted(&base, &free, Path::new("app"))), Some(expected));
        for fixed in [0, 2] {
            let facts = ProjectFacts { fixed: BTreeSet::from([fixed]), ..ProjectFacts::default() };
            assert_eq!(paths(hoisted(&base, &facts, Path::new("app"))), None);
        }
    }

    #[test]
    fn a_file_with_the_best_name_stays() {
        let base = project(&[("a.c", ""), ("b.h", "")]);
        assert!(base.files().iter().all(|file| moves(&base, file).is_empty()));
        let taken = project(&[("a.c", ""), ("zoo.h", "")]);
        assert_eq!(moves(&taken, &taken.files()[1])[0].to, Path::new("b.h"));
    }
}
