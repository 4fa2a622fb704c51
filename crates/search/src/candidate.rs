//! What a property is asked about: a map from relative paths to files.
//!
//! One file is the common case; a project has many, with links and empty folders among them. Cloning is cheap: paths
//! and contents are shared, and what was found out about a content (its digest, its parse) is found out once, however
//! many candidates have it. A candidate that a generator made also has a cost: the length of its trace.

use std::any::Any;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

/// What a [`File`] is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Kind {
    /// A regular file.
    #[default]
    Plain,
    /// A regular file that may be executed.
    Executable,
    /// A symbolic link; its bytes are where it points to.
    Link,
    /// A folder with nothing in it. Other folders are there because files are in them.
    Folder,
}

impl Kind {
    /// Whether it is a regular file, whose bytes can be edited.
    pub fn has_content(self) -> bool {
        matches!(self, Self::Plain | Self::Executable)
    }
}

/// One file of a [`Candidate`].
#[derive(Clone, Debug)]
pub struct File {
    path: Arc<Path>,
    kind: Kind,
    number: u32,
    content: Arc<Content>,
}

/// The bytes of a file, and what was found out about them.
#[derive(Debug)]
struct Content {
    bytes: Arc<Vec<u8>>,
    digest: OnceLock<u128>,
    solid: OnceLock<u64>,
    words: OnceLock<u64>,
    memo: OnceLock<Box<dyn Any + Send + Sync>>,
}

impl Content {
    fn new(bytes: Vec<u8>) -> Arc<Self> {
        let (digest, solid, words, memo) = (OnceLock::new(), OnceLock::new(), OnceLock::new(), OnceLock::new());
        Arc::new(Self { bytes: Arc::new(bytes), digest, solid, words, memo })
    }

    fn digest(&self) -> u128 {
        *self.digest.get_or_init(|| xxh3_128(&self.bytes))
    }
}

impl PartialEq for File {
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path && self.kind == other.kind && self.has_bytes_of(other)
    }
}

impl Eq for File {}

impl File {
    /// A file of this kind. What it is the number of, its candidate decides.
    pub fn new(path: impl AsRef<Path>, kind: Kind, bytes: Vec<u8>) -> Self {
        Self { path: Arc::from(path.as_ref()), kind, number: 0, content: Content::new(bytes) }
    }

    /// The same file with other bytes.
    #[must_use]
    pub fn with_bytes(&self, bytes: Vec<u8>) -> Self {
        Self { path: Arc::clone(&self.path), content: Content::new(bytes), ..*self }
    }

    /// The same file at another path.
    #[must_use]
    pub fn at(&self, path: impl AsRef<Path>) -> Self {
        Self { path: Arc::from(path.as_ref()), content: Arc::clone(&self.content), ..*self }
    }

    /// The same file without what was found out about its bytes, to be kept for long: that may take many times their memory.
    #[must_use]
    pub fn bare(&self) -> Self {
        let Content { bytes, digest, solid, words, .. } = &*self.content;
        let (bytes, digest, solid, words) = (Arc::clone(bytes), digest.clone(), solid.clone(), words.clone());
        let content = Arc::new(Content { bytes, digest, solid, words, memo: OnceLock::new() });
        Self { path: Arc::clone(&self.path), content, ..*self }
    }

    /// What was found out about the bytes, such as their parse: `find_out` runs once, and clones of the file share the
    /// answer. `None` if the file already has an answer of another type.
    pub fn memo<T: Any + Send + Sync>(&self, find_out: impl FnOnce() -> T) -> Option<&T> {
        self.content.memo.get_or_init(|| Box::new(find_out())).downcast_ref()
    }

    /// The path of the file, relative to the scratch folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Which file of the input it was, in path order. It stays the same when other files go and when this one moves.
    pub fn number(&self) -> usize {
        self.number as usize
    }

    /// What the file holds.
    pub fn bytes(&self) -> &[u8] {
        &self.content.bytes
    }

    /// What the file holds, to be kept without a copy.
    pub fn shared_bytes(&self) -> Arc<Vec<u8>> {
        Arc::clone(&self.content.bytes)
    }

    /// A digest of its bytes.
    pub fn digest(&self) -> u128 {
        self.content.digest()
    }

    /// How many of its bytes are not whitespace.
    pub fn solid(&self) -> u64 {
        *self.content.solid.get_or_init(|| count_solid(self.bytes()))
    }

    /// How many words and signs it has: what takes the place of tokens where there is no grammar. A word is a run of
    /// letters, digits, underscores and bytes beyond ASCII; every other byte that is not whitespace is a sign.
    pub fn words(&self) -> u64 {
        let is_in_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii();
        let count = || {
            let mut before = b' ';
            let starts = |byte: &&u8| {
                let goes_on = is_in_word(**byte) && is_in_word(before);
                before = **byte;
                !goes_on && !byte.is_ascii_whitespace()
            };
            self.bytes().iter().filter(starts).count() as u64
        };
        *self.content.words.get_or_init(count)
    }

    /// Whether it holds what another file holds. Files of candidates that come from one another mostly share it.
    pub fn has_bytes_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.content, &other.content)
            || (self.bytes().len() == other.bytes().len() && self.content.bytes == other.content.bytes)
    }
}

/// How many bytes are not whitespace. Every candidate is counted, so the sum of a chunk fits into one byte: that makes it vector
/// instructions, a fifth of the time.
fn count_solid(bytes: &[u8]) -> u64 {
    let is_solid = |byte: &u8| u8::from(!byte.is_ascii_whitespace());
    bytes.chunks(255).map(|chunk| u64::from(chunk.iter().map(is_solid).sum::<u8>())).sum()
}

/// The 128-bit fingerprint of a candidate's paths and bytes: equal content, equal fingerprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint(pub u128);

/// A possible input: files by relative path, in path order.
///
/// ```
/// use whittle_search::Candidate;
/// let candidate = Candidate::single("bug.c", b"int x;".to_vec());
/// assert_eq!(candidate.files()[0].bytes(), b"int x;");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    files: Vec<File>,
    cost: u64,
    is_project: bool,
}

impl Candidate {
    /// A candidate of one file.
    pub fn single(path: impl AsRef<Path>, bytes: Vec<u8>) -> Self {
        Self::from_files([(path, bytes)])
    }

    /// A candidate of several files, which is a [`project`](Self::project) unless there is just one. The order in which
    /// they are given does not matter.
    pub fn from_files<P: AsRef<Path>>(files: impl IntoIterator<Item = (P, Vec<u8>)>) -> Self {
        let project = Self::project(files.into_iter().map(|(path, bytes)| File::new(path, Kind::Plain, bytes)));
        Self { is_project: project.files.len() != 1, ..project }
    }

    /// A project: files that may go, be it that one or none is left. No two have the same path.
    pub fn project(files: impl IntoIterator<Item = File>) -> Self {
        let mut files: Vec<File> = files.into_iter().collect();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        for (number, file) in files.iter_mut().enumerate() {
            file.number = number as u32;
        }
        Self { files, cost: 0, is_project: true }
    }

    /// The same candidate with other files in place of its own. They keep their numbers.
    #[must_use]
    pub fn with_files(&self, files: impl IntoIterator<Item = File>) -> Self {
        let mut files: Vec<File> = files.into_iter().collect();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Self { files, ..*self }
    }

    /// The same project, whose files have the numbers of those of `input` at the same paths. A file that the input does
    /// not have gets the number of one with its extension, which is most likely in the same language.
    #[must_use]
    pub fn numbered_as_in(mut self, input: &Self) -> Self {
        for file in &mut self.files {
            let same = |other: &&File| other.path == file.path;
            let similar = |other: &&File| other.path.extension() == file.path.extension();
            let origin = input.files.iter().find(same).or_else(|| input.files.iter().find(similar));
            file.number = origin.map_or(u32::MAX, |origin| origin.number);
        }
        self
    }

    /// The same files, made at this cost, such as the length of a generator's trace. Of two candidates of one size the
    /// cheaper is the smaller. What it costs does not change whether it is interesting, so fingerprints leave it out.
    #[must_use]
    pub fn at_cost(self, cost: u64) -> Self {
        Self { cost, ..self }
    }

    /// The cost of making it; 0 by default.
    pub fn cost(&self) -> u64 {
        self.cost
    }

    /// Whether it is a folder of files and not a single one.
    pub fn is_project(&self) -> bool {
        self.is_project
    }

    /// The files, in path order.
    pub fn files(&self) -> &[File] {
        &self.files
    }

    /// The same files without what was found out about their bytes.
    #[must_use]
    pub fn bare(&self) -> Self {
        Self { files: self.files.iter().map(File::bare).collect(), ..*self }
    }

    /// The same files, but for the bytes of the one at `index`.
    ///
    /// # Panics
    /// If there is no such file.
    #[must_use]
    pub fn with_bytes(&self, index: usize, bytes: Vec<u8>) -> Self {
        let mut changed = self.clone();
        changed.files[index] = self.files[index].with_bytes(bytes);
        changed
    }

    /// The number of bytes in all files together.
    pub fn byte_count(&self) -> u64 {
        self.files.iter().map(|file| file.bytes().len() as u64).sum()
    }

    /// The fingerprint of paths, kinds and bytes.
    pub fn fingerprint(&self) -> Fingerprint {
        let mut hasher = Xxh3::new();
        for file in &self.files {
            let path = file.path.as_os_str().as_encoded_bytes();
            // Its length goes in too, so that no two lists of files share one stream of bytes.
            hasher.update(&(path.len() as u64).to_le_bytes());
            hasher.update(path);
            hasher.update(&[file.kind as u8]);
            hasher.update(&file.digest().to_le_bytes());
        }
        Fingerprint(hasher.digest128())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_tell_paths_bytes_and_borders_apart() {
        let of = |files: &[(&str, &str)]| {
            Candidate::from_files(files.iter().map(|&(p, b)| (p, b.as_bytes().to_vec()))).fingerprint()
        };
        let all = [
            of(&[]),
            of(&[("a", "")]),
            of(&[("a", "b")]),
            of(&[("ab", "")]),
            of(&[("a", ""), ("b", "")]),
            of(&[("a", "b"), ("c", "d")]),
            of(&[("a", "bcd")]),
        ];
        for (i, a) in all.iter().enumerate() {
            assert!(all[..i].iter().all(|b| a != b), "number {i} is not unique");
        }
    }

    #[test]
    fn a_memo_is_made_once_and_other_bytes_have_their_own() {
        let candidate = Candidate::single("f", vec![1, 2]);
        let length = |candidate: &Candidate, add| candidate.files()[0].memo(|| add).copied();
        assert_eq!(length(&candidate, 2), Some(2));
        let same = candidate.clone();
        drop(candidate);
        assert_eq!(length(&same, 3), Some(2), "clones share it");
        assert_eq!(length(&same.with_bytes(0, vec![1, 2]), 3), Some(3));
        assert_eq!(same.files()[0].memo(|| "text"), None, "it has another type");
        assert_eq!(same, same.with_bytes(0, vec![1, 2]), "it is no part of the content");
        assert_eq!(length(&same.bare(), 3), Some(3), "it is left out");
        assert_eq!(same, same.bare());
    }

    #[test]
    fn fingerprints_tell_kinds_apart() {
        let of = |kind| Candidate::project([File::new("a", kind, b"b".to_vec())]).fingerprint();
        let all = [Kind::Plain, Kind::Executable, Kind::Link, Kind::Folder].map(of);
        assert!(all.iter().enumerate().all(|(i, one)| all[..i].iter().all(|other| one != other)));
    }

    #[test]
    fn a_file_keeps_its_number_when_others_go_and_when_it_moves() {
        let project = Candidate::from_files([("a", vec![1]), ("b", vec![2]), ("c", vec![3])]);
        let [_, b, c] = project.files() else { panic!("there are three files") };
        let smaller = project.with_files([b.at("z"), c.clone()]);
        let numbers: Vec<_> = smaller.files().iter().map(|file| (file.path().to_owned(), file.number())).collect();
        assert_eq!(numbers, [("c".into(), 2), ("z".into(), 1)]);
        assert!(smaller.is_project() && !Candidate::single("a", vec![]).is_project());
    }

    #[test]
    fn solid_bytes_are_all_but_whitespace() {
        let bytes: Vec<u8> = (0..1000_u32).map(|number| (number % 256) as u8).chain(vec![b'x'; 600]).collect();
        let expected = bytes.iter().filter(|byte| !byte.is_ascii_whitespace()).count() as u64;
        assert_eq!(File::new("f", Kind::Plain, bytes).solid(), expected);
        assert_eq!(File::new("f", Kind::Plain, b" \t\n\x0b\x0c\r".into()).solid(), 1, "as Rust sees a vertical tab");
    }

    #[test]
    fn words_and_signs_are_counted() {
        let count = |text: &str| File::new("f", Kind::Plain, text.into()).words();
        let texts = ["", " \n", "int main(void) { return x->y + 12; }", "na\u{ef}ve_1", "#!"];
        assert_eq!(texts.map(count), [0, 0, 15, 1, 2]);
    }

    #[test]
    fn files_are_numbered_by_path_or_else_by_extension() {
        let input = Candidate::from_files([("a.c", vec![]), ("b.c", vec![]), ("c.h", vec![])]);
        let later = Candidate::from_files([("b.c", vec![]), ("x.h", vec![]), ("y", vec![])]).numbered_as_in(&input);
        let numbers: Vec<_> = later.files().iter().map(File::number).collect();
        assert_eq!(numbers, [1, 2, u32::MAX as usize]);
    }

    #[test]
    fn the_order_of_files_does_not_matter() {
        let one = Candidate::from_files([("a", vec![1]), ("b", vec![2])]);
        let other = Candidate::from_files([("b", vec![2]), ("a", vec![1])]);
        assert_eq!(one, other);
        assert_eq!(one.fingerprint(), other.fingerprint());
    }
}
