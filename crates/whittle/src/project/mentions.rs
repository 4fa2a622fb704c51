//! [`Mentions`]: which files of a project name which others.
//!
//! `#include "point.h"`, `mod point;`, `from .point import x` and `require("./point")` all have the name of a file in
//! them, with or without its extension. So a file is taken to name another if one of its words is that name. This is an
//! over-estimate in every language, and needs no parser: it only decides what is tried first.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use whittle_search::{Candidate, File};

/// Files that stand for the folder they are in: naming the folder names them.
const FOLDER_FILES: [&str; 5] = ["__init__", "mod", "index", "lib", "main"];

/// Longer files are data rather than programs that name others.
const LONGEST_READ_BYTES: usize = 1 << 20;

/// Which files name which. Files are known by their places in the candidate.
#[derive(Clone, Debug)]
pub struct Mentions {
    named_by: Vec<BTreeSet<usize>>,
}

impl Mentions {
    /// The mentions among the files of a candidate.
    pub fn of(candidate: &Candidate) -> Self {
        let files = candidate.files();
        let names = names(files);
        let named = |file: &File, own: usize| -> BTreeSet<usize> {
            let mut named = named_in(file.bytes(), &names);
            named.extend(package_files(files, file));
            named.remove(&own);
            named
        };
        let mut named_by = vec![BTreeSet::new(); files.len()];
        for (place, file) in files.iter().enumerate() {
            named_by[place] = named(file, place);
        }
        Self { named_by }
    }

    /// The files that a text names.
    pub fn in_text(candidate: &Candidate, text: &[u8]) -> BTreeSet<usize> {
        named_in(text, &names(candidate.files()))
    }

    /// The files that the one at `place` names.
    pub fn named_by(&self, place: usize) -> &BTreeSet<usize> {
        &self.named_by[place]
    }

    /// These files, those that they name, those that those name, and so on.
    pub fn closure(&self, from: impl IntoIterator<Item = usize>) -> BTreeSet<usize> {
        let mut open: Vec<usize> = from.into_iter().collect();
        let mut reached: BTreeSet<usize> = open.iter().copied().collect();
        while let Some(place) = open.pop() {
            let new: Vec<usize> = self.named_by[place].iter().copied().filter(|named| reached.insert(*named)).collect();
            open.extend(new);
        }
        reached
    }

    /// How far each file is from these: 0 for one of them, 1 for what one of them names, and so on. What they do not lead
    /// to is as far as can be.
    pub fn distances(&self, from: &BTreeSet<usize>) -> Vec<usize> {
        let mut distances = vec![usize::MAX; self.named_by.len()];
        let mut ring = from.clone();
        for distance in 0.. {
            ring.retain(|place| distances[*place] == usize::MAX);
            if ring.is_empty() {
                break;
            }
            ring.iter().for_each(|place| distances[*place] = distance);
            ring = ring.iter().flat_map(|place| self.named_by[*place].iter().copied()).collect();
        }
        distances
    }

    /// The files that no other file names.
    pub fn unnamed(&self) -> BTreeSet<usize> {
        let named: BTreeSet<usize> = self.named_by.iter().flatten().copied().collect();
        (0..self.named_by.len()).filter(|place| !named.contains(place)).collect()
    }
}

/// The files that each name may mean.
fn names(files: &[File]) -> HashMap<&[u8], Vec<usize>> {
    let mut names: HashMap<&[u8], Vec<usize>> = HashMap::new();
    for (place, file) in files.iter().enumerate() {
        for name in names_of(file.path()) {
            names.entry(name).or_default().push(place);
        }
    }
    names
}

/// What a file may be called: its name, its name without extensions, and the folder that it stands for.
fn names_of(path: &Path) -> impl Iterator<Item = &[u8]> {
    let stem = path.file_stem();
    let stands_for_folder = stem.is_some_and(|stem| FOLDER_FILES.iter().any(|known| stem == *known));
    let folder = path.parent().and_then(Path::file_name).filter(|_| stands_for_folder);
    [path.file_name(), stem, folder].into_iter().flatten().map(|name| name.as_encoded_bytes())
}

fn named_in(text: &[u8], names: &HashMap<&[u8], Vec<usize>>) -> BTreeSet<usize> {
    let text = &text[..text.len().min(LONGEST_READ_BYTES)];
    let mut named = BTreeSet::new();
    for name in text.split(|byte| !is_in_name(*byte)).filter(|name| !name.is_empty()) {
        match names.get(name) {
            Some(places) => named.extend(places),
            // The path of a module, or a name at the end of a sentence.
            None => named.extend(name.split(|byte| *byte == b'.').filter_map(|part| names.get(part)).flatten()),
        }
    }
    named
}

fn is_in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'+') || !byte.is_ascii()
}

/// A module of Python needs the `__init__.py` of each package around it, which it does not name.
fn package_files<'a>(files: &'a [File], file: &'a File) -> impl Iterator<Item = usize> + 'a {
    let is_python = file.path().extension().is_some_and(|extension| extension == "py");
    let folders = file.path().ancestors().skip(1).filter(move |_| is_python);
    folders.filter_map(|folder| {
        let init = folder.join("__init__.py");
        files.binary_search_by(|other| other.path().cmp(&init)).ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(files: &[(&str, &str)]) -> Candidate {
        Candidate::from_files(files.iter().map(|&(path, text)| (path, text.as_bytes().to_vec())))
    }

    fn named(candidate: &Candidate, path: &str) -> Vec<String> {
        let place = candidate.files().iter().position(|file| file.path() == Path::new(path)).unwrap();
        let paths = Mentions::of(candidate).named_by(place).clone();
        paths.into_iter().map(|place| candidate.files()[place].path().display().to_string()).collect()
    }

    #[test]
    fn a_file_names_others_as_its_language_does() {
        let c =
            project(&[("a.c", "#include \"point.h\"\n#include <stdio.h>"), ("lib/point.h", ""), ("lib/other.h", "")]);
        assert_eq!(named(&c, "a.c"), ["lib/point.h"]);
        let rust =
            project(&[("src/lib.rs", "mod point; use shape::Shape;"), ("src/point.rs", ""), ("src/shape/mod.rs", "")]);
        assert_eq!(named(&rust, "src/lib.rs"), ["src/point.rs", "src/shape/mod.rs"]);
        let node = project(&[("main.js", "require('./lib/b')"), ("lib/b.js", ""), ("lib/index.js", "")]);
        assert_eq!(named(&node, "main.js"), ["lib/b.js", "lib/index.js"]);
        let python = project(&[("p/__init__.py", ""), ("p/a.py", "from p.b import x"), ("p/b.py", "")]);
        assert_eq!(named(&python, "p/a.py"), ["p/__init__.py", "p/b.py"]);
        assert_eq!(named(&python, "p/b.py"), ["p/__init__.py"]);
    }

    #[test]
    fn what_is_named_is_found_through_others() {
        let c = project(&[("a.c", "b.h"), ("b.h", "c.h"), ("c.h", "b.h"), ("d.c", "a.c"), ("e.h", "")]);
        let mentions = Mentions::of(&c);
        assert_eq!(mentions.closure([0]), BTreeSet::from([0, 1, 2]));
        assert_eq!(mentions.unnamed(), BTreeSet::from([3, 4]));
        assert_eq!(mentions.distances(&BTreeSet::from([3])), [1, 2, 3, 0, usize::MAX]);
        assert_eq!(Mentions::in_text(&c, b"gcc -c d.c && true"), BTreeSet::from([3]));
    }
}
