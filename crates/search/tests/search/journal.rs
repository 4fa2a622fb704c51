//! The file in which verdicts are kept: read up to any cut or damage, and never taken for another run's.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use whittle_search::{Fingerprint, Journal, Replay, ResumeError, Verdict};

const BINDING: &str = "input 12, test 34";
const CONSTANTS: &str = "timeout 2.5 s";

fn verdicts() -> Vec<(Fingerprint, Verdict)> {
    use Verdict::{Interesting, Invalid, Other, TimedOut, Uninteresting};
    let kinds = [Interesting, Uninteresting, TimedOut, Invalid, Other, Uninteresting, Interesting];
    (1_u128..).map(|i| Fingerprint(i * 0x1234_5678_9abc_def0_1357_9bdf)).zip(kinds).collect()
}

/// A folder with a journal of all [`verdicts`].
fn written() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let journal = Journal::create(&path, BINDING, CONSTANTS).unwrap();
    for (fingerprint, verdict) in verdicts() {
        journal.append(fingerprint, verdict);
    }
    (folder, path)
}

fn replay(path: &Path) -> Replay {
    Journal::resume(path, BINDING).unwrap().1
}

#[test]
fn what_was_appended_is_read_back_and_a_new_journal_starts_empty() {
    let (_folder, path) = written();
    assert_eq!(replay(&path), Replay { constants: CONSTANTS.into(), verdicts: verdicts() });
    Journal::create(&path, BINDING, "other").unwrap();
    assert_eq!(replay(&path), Replay { constants: "other".into(), verdicts: Vec::new() });
}

#[test]
fn a_journal_cut_at_any_byte_is_read_up_to_the_cut_and_goes_on_from_there() {
    let (_folder, path) = written();
    let whole = fs::read(&path).unwrap();
    let records = verdicts().len() * 18;
    let header = whole.len() - records;
    for cut in 0..=whole.len() {
        fs::write(&path, &whole[..cut]).unwrap();
        let resumed = Journal::resume(&path, BINDING);
        let Some(kept) = cut.checked_sub(header).map(|bytes| bytes / 18) else {
            let told = if cut == 0 {
                matches!(resumed, Err(ResumeError::Missing))
            } else {
                matches!(resumed, Err(ResumeError::Foreign))
            };
            assert!(told, "cut at {cut}, within the header: {resumed:?}");
            continue;
        };
        let (journal, replayed) = resumed.unwrap();
        assert_eq!(replayed.verdicts, verdicts()[..kept], "cut at {cut}");
        for &(fingerprint, verdict) in &verdicts()[kept..] {
            journal.append(fingerprint, verdict);
        }
        assert_eq!(fs::read(&path).unwrap(), whole, "completed after a cut at {cut}");
    }
}

#[test]
fn reading_ends_at_a_damaged_record() {
    let (_folder, path) = written();
    let whole = fs::read(&path).unwrap();
    let header = whole.len() - verdicts().len() * 18;
    for index in header..whole.len() {
        let mut damaged = whole.clone();
        damaged[index] ^= 0x10;
        fs::write(&path, &damaged).unwrap();
        let kept = (index - header) / 18;
        assert_eq!(replay(&path).verdicts, verdicts()[..kept], "byte {index} is damaged");
        assert_eq!(fs::read(&path).unwrap(), whole[..header + kept * 18], "byte {index} is damaged");
    }
}

#[test]
fn what_is_no_journal_of_this_run_is_refused_and_left_alone() {
    let (folder, path) = written();
    let other = Journal::resume(&path, "input 13, test 34").unwrap_err();
    assert!(matches!(&other, ResumeError::OtherBinding { found } if found == BINDING), "{other:?}");
    assert_eq!(replay(&path).verdicts, verdicts());

    let mut later = fs::read(&path).unwrap();
    later["whittle-journal ".len()] = b'2';
    for foreign in [&b"int main(void) {}\n\n\n\n"[..], b"\xff\xfe\n\n\n", &later] {
        fs::write(&path, foreign).unwrap();
        let error = Journal::resume(&path, BINDING).unwrap_err();
        assert!(matches!(error, ResumeError::Foreign), "{error:?}");
        assert_eq!(fs::read(&path).unwrap(), foreign);
    }

    let missing = Journal::resume(&folder.path().join("none"), BINDING).unwrap_err();
    assert!(matches!(missing, ResumeError::Missing), "{missing:?}");
    let folder = Journal::resume(folder.path(), BINDING).unwrap_err();
    assert!(matches!(folder, ResumeError::Io(_)), "{folder:?}");
}

#[test]
fn a_removed_journal_is_gone() {
    let (_folder, path) = written();
    let (journal, _) = Journal::resume(&path, BINDING).unwrap();
    journal.remove().unwrap();
    assert!(!path.exists());
}

#[test]
fn workers_append_at_once_without_tearing_records_but_no_other_run_does() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let journal = Journal::create(&path, BINDING, CONSTANTS).unwrap();
    std::thread::scope(|scope| {
        for worker in 0..4_u128 {
            let journal = &journal;
            scope.spawn(move || {
                (0..100).for_each(|i| journal.append(Fingerprint(worker << 100 | i), Verdict::Uninteresting));
            });
        }
    });
    assert!(journal.failed().is_none());
    let is_busy = |error: &io::Error| error.kind() == io::ErrorKind::ResourceBusy;
    assert!(Journal::create(&path, BINDING, CONSTANTS).is_err_and(|error| is_busy(&error)));
    assert!(matches!(Journal::resume(&path, BINDING), Err(ResumeError::Io(error)) if is_busy(&error)));
    drop(journal);
    let mut fingerprints: Vec<_> = replay(&path).verdicts.into_iter().map(|(fingerprint, _)| fingerprint).collect();
    fingerprints.sort();
    fingerprints.dedup();
    assert_eq!(fingerprints.len(), 400);
}
