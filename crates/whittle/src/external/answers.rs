//! What external passes have answered, by what they were asked: in memory, and in a file beside the journal, so that a resumed
//! run proposes what the killed one proposed, whatever the programs would say now.
//!
//! A record is the question's digest (16 bytes), the length of the answer (4), the answer, and a checksum of it all (8). The
//! file is read up to where it was cut or damaged.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use whittle_search::Candidate;

/// The digest of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key(u128);

impl Key {
    /// The digest of these parts, in this order.
    pub(super) fn of(parts: &[&[u8]]) -> Self {
        // Lengths, so that no two lists of parts read the same.
        let bytes = parts.iter().flat_map(|part| [&(part.len() as u64).to_le_bytes()[..], part].concat()).collect();
        Self(Candidate::single("", bytes).fingerprint().0)
    }
}

impl Key {
    /// The digest of this question and what was said after it.
    pub(super) fn followed_by(self, said: &[u8]) -> Self {
        Self::of(&[&self.0.to_le_bytes(), said])
    }
}

/// Answers of an external pass: a text, or that there is none.
#[derive(Debug, Default)]
pub(super) struct Answers {
    known: Mutex<HashMap<Key, Vec<u8>>>,
    file: Option<(PathBuf, Mutex<File>)>,
}

impl Answers {
    /// Answers that last as long as the run; with a path, also beyond. Those that are there are used if `resumes` is set.
    pub(super) fn new(path: Option<&Path>, resumes: bool) -> io::Result<Self> {
        let Some(path) = path else { return Ok(Self::default()) };
        let mut file = OpenOptions::new().create(true).read(true).append(true).open(path)?;
        let mut bytes = Vec::new();
        if resumes {
            file.read_to_end(&mut bytes)?;
        }
        let (known, whole) = parse(&bytes);
        file.set_len(whole as u64)?;
        Ok(Self { known: Mutex::new(known), file: Some((path.to_owned(), Mutex::new(file))) })
    }

    /// The answer to a question that was asked before.
    pub(super) fn known(&self, key: Key) -> Option<Vec<u8>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned()
    }

    /// Keeps an answer. If it cannot be written, the run goes on, and a resumed one asks again.
    pub(super) fn keep(&self, key: Key, answer: &[u8]) {
        if let Some((_, file)) = &self.file {
            let _ = file.lock().unwrap_or_else(PoisonError::into_inner).write_all(&encode(key, answer));
        }
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(key, answer.to_vec());
    }

    /// Deletes the file: there is nothing to resume.
    pub(super) fn remove(&self) {
        if let Some((path, _)) = &self.file {
            let _ = std::fs::remove_file(path);
        }
    }
}

fn encode(Key(key): Key, answer: &[u8]) -> Vec<u8> {
    let mut record = key.to_le_bytes().to_vec();
    record.extend((answer.len() as u32).to_le_bytes());
    record.extend(answer);
    record.extend(checksum(&record).to_le_bytes());
    record
}

/// The records before the first that is not whole, and how many bytes they take.
fn parse(bytes: &[u8]) -> (HashMap<Key, Vec<u8>>, usize) {
    let mut known = HashMap::new();
    let mut whole = 0;
    while let Some((key, answer, length)) = decode(&bytes[whole..]) {
        known.insert(key, answer);
        whole += length;
    }
    (known, whole)
}

fn decode(bytes: &[u8]) -> Option<(Key, Vec<u8>, usize)> {
    let (key, rest) = bytes.split_first_chunk()?;
    let (length, rest) = rest.split_first_chunk()?;
    let length = u32::from_le_bytes(*length) as usize;
    let sum = rest.get(length..)?.first_chunk()?;
    let record = bytes.get(..20 + length)?;
    let is_whole = checksum(record) == u64::from_le_bytes(*sum);
    is_whole.then(|| (Key(u128::from_le_bytes(*key)), rest[..length].to_vec(), record.len() + 8))
}

fn checksum(record: &[u8]) -> u64 {
    Candidate::single("", record.to_vec()).fingerprint().0 as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_survive_the_run_up_to_where_the_file_is_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("answers");
        let keys = [Key::of(&[b"a", b"bc"]), Key::of(&[b"ab", b"c"]), Key::of(&[b"abc"])];
        let answers = Answers::new(Some(&path), false).unwrap();
        for (key, answer) in keys.iter().zip([&b"one"[..], b"", b"three"]) {
            answers.keep(*key, answer);
        }
        drop(answers);
        let resumed = Answers::new(Some(&path), true).unwrap();
        assert_eq!(keys.map(|key| resumed.known(key)), [Some(b"one".to_vec()), Some(vec![]), Some(b"three".to_vec())]);
        let mut bytes = std::fs::read(&path).unwrap();
        let last = bytes.len() - 9;
        bytes[last] ^= 1;
        std::fs::write(&path, bytes).unwrap();
        let damaged = Answers::new(Some(&path), true).unwrap();
        assert_eq!(keys.map(|key| damaged.known(key).is_some()), [true, true, false]);
        damaged.keep(keys[2], b"again");
        assert_eq!(Answers::new(Some(&path), true).unwrap().known(keys[2]), Some(b"again".to_vec()));
        assert_eq!(Answers::new(Some(&path), false).unwrap().known(keys[0]), None, "a new run starts from nothing");
    }
}
