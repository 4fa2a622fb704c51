//! What a property is asked about: a map from relative paths to bytes.
//!
//! One file is the common case. Cloning is cheap: paths and bytes are shared. A candidate that a generator made also
//! has a cost: the length of its trace.

use std::any::Any;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use xxhash_rust::xxh3::Xxh3;

/// One file of a [`Candidate`].
#[derive(Clone, Debug)]
pub struct File {
    path: Arc<Path>,
    bytes: Arc<Vec<u8>>,
    memo: Arc<OnceLock<Box<dyn Any + Send + Sync>>>,
}

impl PartialEq for File {
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path && self.bytes == other.bytes
    }
}

impl Eq for File {}

impl File {
    fn new(path: Arc<Path>, bytes: Vec<u8>) -> Self {
        Self { path, bytes: Arc::new(bytes), memo: Arc::default() }
    }

    /// What was found out about the bytes, such as their parse: `find_out` runs once, and clones of the file share the
    /// answer. `None` if the file already has an answer of another type.
    pub fn memo<T: Any + Send + Sync>(&self, find_out: impl FnOnce() -> T) -> Option<&T> {
        self.memo.get_or_init(|| Box::new(find_out())).downcast_ref()
    }

    /// The path of the file, relative to the scratch folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the file holds.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// What the file holds, to be kept without a copy.
    pub fn shared_bytes(&self) -> Arc<Vec<u8>> {
        Arc::clone(&self.bytes)
    }
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
}

impl Candidate {
    /// A candidate of one file.
    pub fn single(path: impl AsRef<Path>, bytes: Vec<u8>) -> Self {
        Self::from_files([(path, bytes)])
    }

    /// A candidate of several files; the order in which they are given does not matter.
    pub fn from_files<P: AsRef<Path>>(files: impl IntoIterator<Item = (P, Vec<u8>)>) -> Self {
        let mut files: Vec<File> =
            files.into_iter().map(|(path, bytes)| File::new(Arc::from(path.as_ref()), bytes)).collect();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Self { files, cost: 0 }
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

    /// The files, in path order.
    pub fn files(&self) -> &[File] {
        &self.files
    }

    /// The same files, but for the bytes of the one at `index`.
    ///
    /// # Panics
    /// If there is no such file.
    #[must_use]
    pub fn with_bytes(&self, index: usize, bytes: Vec<u8>) -> Self {
        let mut files = self.files.clone();
        files[index] = File::new(Arc::clone(&files[index].path), bytes);
        Self { files, cost: self.cost }
    }

    /// The number of bytes in all files together.
    pub fn byte_count(&self) -> u64 {
        self.files.iter().map(|file| file.bytes.len() as u64).sum()
    }

    /// The fingerprint of paths and bytes.
    pub fn fingerprint(&self) -> Fingerprint {
        let mut hasher = Xxh3::new();
        for file in &self.files {
            let path = file.path.as_os_str().as_encoded_bytes();
            // Lengths go in too, so that no two lists of files share one stream of bytes.
            hasher.update(&(path.len() as u64).to_le_bytes());
            hasher.update(path);
            hasher.update(&(file.bytes.len() as u64).to_le_bytes());
            hasher.update(&file.bytes);
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
    }

    #[test]
    fn the_order_of_files_does_not_matter() {
        let one = Candidate::from_files([("a", vec![1]), ("b", vec![2])]);
        let other = Candidate::from_files([("b", vec![2]), ("a", vec![1])]);
        assert_eq!(one, other);
        assert_eq!(one.fingerprint(), other.fingerprint());
    }
}
