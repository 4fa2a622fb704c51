//! The journal: verdicts on disk, so that a run can be resumed after it was killed.
//!
//! Algorithms are deterministic, so a resumed run tests what the killed one tested, and the journal has the verdicts.
//! The file is a header of three lines of text (magic word, format version and a checksum of what follows; the binding;
//! the constants), then records of 18 bytes: fingerprint, verdict, check. In place of a verdict, a record may withdraw the
//! earlier ones on the same content. A record is appended by one unbuffered write,
//! so nothing is lost however the process ends; only a crash of the whole machine may truncate the file, and then
//! everything before the cut is valid.

use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use xxhash_rust::xxh3::xxh3_64;

use crate::{Fingerprint, Verdict};

const MAGIC: &str = "whittle-journal 1";
const RECORD: usize = 18;
const VERDICTS: [Verdict; 5] =
    [Verdict::Interesting, Verdict::Uninteresting, Verdict::TimedOut, Verdict::Invalid, Verdict::Other];

/// Stands for no verdict: earlier ones on the same content are withdrawn.
const WITHDRAWN: u8 = b'W';

/// A file to which verdicts are appended while a search runs. Shared by all workers.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: Mutex<File>,
    failure: OnceLock<io::Error>,
}

/// What a resumed run gets from a journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// What the killed run had measured, as it was given to [`Journal::create`].
    pub constants: String,
    /// The verdicts, in the order in which they were appended. For [`Setup::replay`](crate::Setup::replay).
    pub verdicts: Vec<(Fingerprint, Verdict)>,
}

/// Why a journal cannot be resumed. The file is left as it is.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// There is no such file, or it is empty: the run was killed before it had written the header, by one write.
    #[error("there is no journal")]
    Missing,
    /// It is something else, of another version, or its header is damaged or was never written to its end.
    #[error("it is not a journal, is one of another version, or its header is damaged")]
    Foreign,
    /// Its verdicts are about something else.
    #[error("it belongs to a run with another input, test or option")]
    OtherBinding {
        /// The binding it was created with.
        found: String,
    },
    /// It could not be read or cut.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Journal {
    /// Starts a journal at `path`, and overwrites an existing file. `binding` says what its verdicts are about, and
    /// must be the same to resume; `constants` is then returned. Both are single lines.
    pub fn create(path: &Path, binding: &str, constants: &str) -> io::Result<Self> {
        let header = header(binding, constants)?;
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        lock(&file)?;
        file.set_len(0)?;
        file.write_all(header.as_bytes())?;
        Ok(Self::over(path, file))
    }

    /// Reads the journal at `path` up to where it was cut or damaged, and continues from there.
    pub fn resume(path: &Path, binding: &str) -> Result<(Self, Replay), ResumeError> {
        let mut file = OpenOptions::new().read(true).append(true).open(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => ResumeError::Missing,
            _ => ResumeError::Io(error),
        })?;
        lock(&file)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        if bytes.is_empty() {
            return Err(ResumeError::Missing);
        }
        let (replay, whole) = parse(&bytes, binding)?;
        file.set_len(whole as u64)?;
        Ok((Self::over(path, file), replay))
    }

    /// Reads the journal at `path` and leaves it as it is.
    pub fn read(path: &Path, binding: &str) -> Result<Replay, ResumeError> {
        parse(&std::fs::read(path)?, binding).map(|(replay, _)| replay)
    }

    /// Appends a verdict. If that fails (the disk is full), nothing is recorded from then on: a search without a
    /// journal is better than none. See [`Journal::failed`].
    pub fn append(&self, fingerprint: Fingerprint, verdict: Verdict) {
        self.write(&encode(fingerprint, letter(verdict)));
    }

    /// Takes back what was appended about a content.
    pub fn withdraw(&self, fingerprint: Fingerprint) {
        self.write(&encode(fingerprint, WITHDRAWN));
    }

    fn write(&self, record: &[u8]) {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        if self.failure.get().is_some() {
            return;
        }
        if let Err(error) = file.write_all(record) {
            self.failure.get_or_init(|| error);
        }
    }

    /// Why verdicts are no longer recorded, if they are not.
    pub fn failed(&self) -> Option<&io::Error> {
        self.failure.get()
    }

    /// Deletes the file: the run is complete, and there is nothing to resume.
    pub fn remove(&self) -> io::Result<()> {
        std::fs::remove_file(&self.path)
    }

    fn over(path: &Path, file: File) -> Self {
        Self { path: path.to_owned(), file: Mutex::new(file), failure: OnceLock::new() }
    }
}

/// Two runs that write one journal would use each other's verdicts. The lock ends with the process.
fn lock(file: &File) -> io::Result<()> {
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => io::Error::new(io::ErrorKind::ResourceBusy, "another run is writing it"),
        TryLockError::Error(error) => error,
    })
}

fn header(binding: &str, constants: &str) -> io::Result<String> {
    if [binding, constants].iter().any(|text| text.contains('\n')) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "what is kept in a journal's header is of one line"));
    }
    Ok(format!("{MAGIC} {:016x}\n{binding}\n{constants}\n", header_sum(binding, constants)))
}

/// What a journal with this binding holds, and how many of its bytes are whole.
fn parse(bytes: &[u8], binding: &str) -> Result<(Replay, usize), ResumeError> {
    let (found, constants, records) = parse_header(bytes).ok_or(ResumeError::Foreign)?;
    if found != binding {
        return Err(ResumeError::OtherBinding { found: found.to_owned() });
    }
    let entries: Vec<_> = records.chunks(RECORD).map_while(decode).collect();
    let whole = bytes.len() - records.len() + entries.len() * RECORD;
    Ok((Replay { constants: constants.to_owned(), verdicts: standing(&entries) }, whole))
}

/// The verdicts that were not withdrawn after they were appended.
fn standing(entries: &[(Fingerprint, Option<Verdict>)]) -> Vec<(Fingerprint, Verdict)> {
    let withdrawals = entries.iter().enumerate().filter(|(_, (_, verdict))| verdict.is_none());
    let last: HashMap<Fingerprint, usize> =
        withdrawals.map(|(index, (fingerprint, _))| (*fingerprint, index)).collect();
    let stands = |index: usize, fingerprint: &Fingerprint| last.get(fingerprint).is_none_or(|&last| last < index);
    let verdict = |(index, (fingerprint, verdict)): (usize, &(Fingerprint, Option<Verdict>))| {
        verdict.filter(|_| stands(index, fingerprint)).map(|verdict| (*fingerprint, verdict))
    };
    entries.iter().enumerate().filter_map(verdict).collect()
}

/// Binding, constants, and the records behind them.
fn parse_header(bytes: &[u8]) -> Option<(&str, &str, &[u8])> {
    let mut parts = bytes.splitn(4, |&byte| byte == b'\n');
    let mut line = || std::str::from_utf8(parts.next()?).ok();
    let (first, binding, constants) = (line()?, line()?, line()?);
    let records = parts.next()?;
    let intact = first == format!("{MAGIC} {:016x}", header_sum(binding, constants));
    intact.then_some((binding, constants, records))
}

fn header_sum(binding: &str, constants: &str) -> u64 {
    xxh3_64(format!("{binding}\n{constants}").as_bytes())
}

fn encode(fingerprint: Fingerprint, letter: u8) -> [u8; RECORD] {
    let mut record = [0; RECORD];
    record[..16].copy_from_slice(&fingerprint.0.to_le_bytes());
    record[16] = letter;
    record[17] = check(&record[..17]);
    record
}

/// A verdict, or that earlier ones are withdrawn; `None` if the record is cut or damaged.
fn decode(record: &[u8]) -> Option<(Fingerprint, Option<Verdict>)> {
    let record: &[u8; RECORD] = record.try_into().ok()?;
    let (content, verdict) = record[..17].split_first_chunk()?;
    let verdict = match verdict {
        [WITHDRAWN] => None,
        verdict => Some(VERDICTS.into_iter().find(|&known| [letter(known)] == *verdict)?),
    };
    (check(&record[..17]) == record[17]).then_some((Fingerprint(u128::from_le_bytes(*content)), verdict))
}

/// None is zero: a run of zeros, which a crashed file system may leave behind, is not a record.
fn letter(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Interesting => b'I',
        Verdict::Uninteresting => b'U',
        Verdict::TimedOut => b'T',
        Verdict::Invalid => b'V',
        Verdict::Other => b'O',
    }
}

/// The cyclic redundancy check of 8 bits (polynomial x⁸ + x² + x + 1): any damage to a single byte changes it.
fn check(bytes: &[u8]) -> u8 {
    let shift = |crc: u8, _| if crc & 0x80 == 0 { crc << 1 } else { (crc << 1) ^ 0x07 };
    bytes.iter().fold(0xff, |crc, byte| (0..8).fold(crc ^ byte, shift))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{Candidate, Recorder, Setup};

    #[test]
    fn every_verdict_survives_its_record_and_no_damage_to_one_byte_does() {
        for verdict in VERDICTS {
            let fingerprint = Fingerprint(0x0123_4567_89ab_cdef_0011_2233_4455_6677);
            let record = encode(fingerprint, letter(verdict));
            assert_eq!(decode(&record), Some((fingerprint, Some(verdict))));
            for (index, damage) in (0..RECORD).flat_map(|index| (1..=255).map(move |damage| (index, damage))) {
                let mut damaged = record;
                damaged[index] ^= damage;
                assert_eq!(decode(&damaged), None, "{verdict:?}, byte {index} changed by {damage}");
            }
        }
        assert_eq!(decode(&[0; RECORD]), None);
    }

    #[test]
    fn a_withdrawn_verdict_is_not_replayed_unless_it_was_given_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let journal = Journal::create(&path, "b", "c").unwrap();
        let [a, b, c] = [1, 2, 3].map(Fingerprint);
        journal.append(a, Verdict::Interesting);
        journal.append(b, Verdict::Uninteresting);
        for content in [a, c] {
            journal.withdraw(content);
        }
        journal.append(c, Verdict::Other);
        let expected = vec![(b, Verdict::Uninteresting), (c, Verdict::Other)];
        assert_eq!(Journal::read(&path, "b").unwrap().verdicts, expected);
        journal.append(a, Verdict::Invalid);
        drop(journal);
        let (_, replay) = Journal::resume(&path, "b").unwrap();
        assert_eq!(replay.verdicts, [expected, vec![(a, Verdict::Invalid)]].concat());
    }

    #[test]
    fn a_header_is_of_three_lines_and_any_damage_to_it_shows() {
        let text = header("input 12, test 34", "timeout 2 s").unwrap();
        assert_eq!(parse_header(text.as_bytes()), Some(("input 12, test 34", "timeout 2 s", &[][..])));
        for index in 0..text.len() {
            let mut damaged = text.clone().into_bytes();
            damaged[index] ^= 1;
            assert_eq!(parse_header(&damaged), None, "byte {index}");
            assert_eq!(parse_header(&text.as_bytes()[..index]), None, "cut at {index}");
        }
        assert_eq!(header("two\nlines", "").unwrap_err().kind(), io::ErrorKind::InvalidInput);
    }

    #[test]
    fn a_full_disk_ends_the_journal_but_not_the_search() {
        let full = Path::new("/dev/full");
        let Ok(file) = OpenOptions::new().append(true).open(full) else { return };
        let journal = Arc::new(Journal::over(full, file));
        let setup = Setup { journal: Some(Arc::clone(&journal)), ..Setup::default() };
        let mut search = setup
            .start(Arc::new(Recorder::new(|text| text.contains('x'))), Candidate::single("f", b"axb".to_vec()))
            .unwrap();
        assert_eq!(journal.failed().map(io::Error::kind), Some(io::ErrorKind::StorageFull));
        assert_eq!(search.attempt(Candidate::single("f", b"x".to_vec())), Ok(true));
    }
}
