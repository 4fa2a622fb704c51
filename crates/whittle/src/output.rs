//! The result file: whole at every moment, replaced at every improvement.
//!
//! A thread of its own writes the newest candidate to a temporary file beside the result and renames it, so the
//! search never waits for the disk, and a kill at any time leaves the last whole candidate. The end is synced.

use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use whittle_search::{Event, Listener, Measured, Moment};

/// Writes candidates to one path.
pub struct Output {
    target: Arc<Target>,
    desk: Arc<Desk>,
    writer: Option<JoinHandle<()>>,
}

/// Hands every improvement to an [`Output`].
pub struct OutputListener {
    desk: Arc<Desk>,
}

struct Target {
    path: PathBuf,
    permissions: Option<Permissions>,
    /// What is in place as far as we know, where it is not ours alone.
    expected: Mutex<Option<Stamp>>,
    /// What is in place and must not be replaced by anything larger.
    floor: Option<Measured>,
}

/// Tells whether a file is still the one it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    inode: u64,
    length: u64,
    modified: (i64, i64),
}

impl From<&Metadata> for Stamp {
    fn from(metadata: &Metadata) -> Self {
        Self { inode: metadata.ino(), length: metadata.len(), modified: (metadata.mtime(), metadata.mtime_nsec()) }
    }
}

/// Where the search leaves the newest candidate and the writer finds it.
#[derive(Default)]
struct Desk {
    state: Mutex<DeskState>,
    changed: Condvar,
}

#[derive(Default)]
struct DeskState {
    newest: Option<Measured>,
    closing: bool,
}

impl Output {
    /// An output at `path`; files get `permissions` if they are given. With a stamp, the file that is replaced must
    /// be the one with that stamp, or one that was written here: what somebody else put there is not written over.
    /// With a floor, which is in place from an earlier run, nothing larger than that is written.
    pub fn new(
        path: PathBuf,
        permissions: Option<Permissions>,
        expected: Option<Stamp>,
        floor: Option<Measured>,
    ) -> Self {
        let target = Arc::new(Target { path, permissions, expected: Mutex::new(expected), floor });
        let desk = Arc::<Desk>::default();
        let (their_target, their_desk) = (Arc::clone(&target), Arc::clone(&desk));
        let writer = std::thread::spawn(move || their_desk.serve(&their_target));
        Self { target, desk, writer: Some(writer) }
    }

    /// Where the result is.
    pub fn path(&self) -> &Path {
        &self.target.path
    }

    /// A listener that hands improvements to this output.
    pub fn listener(&self) -> OutputListener {
        OutputListener { desk: Arc::clone(&self.desk) }
    }

    /// Writes `candidate` now, on the calling thread.
    pub fn write(&self, candidate: &Measured) -> io::Result<()> {
        self.target.replace(candidate, false).map(drop)
    }

    /// Ends the writer, then writes `last` for good: synced, whatever happened to earlier ones.
    pub fn finish(mut self, last: &Measured) -> io::Result<()> {
        self.close();
        self.target.replace(last, true)?;
        File::open(folder_of(&self.target.path))?.sync_all()
    }

    fn close(&mut self) {
        self.desk.lock().closing = true;
        self.desk.changed.notify_one();
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        self.close();
    }
}

impl Listener for OutputListener {
    fn notify(&mut self, event: &Event, moment: &Moment<'_>) {
        if *event == Event::Improved {
            self.desk.lock().newest = Some(moment.best.clone());
            self.desk.changed.notify_one();
        }
    }
}

impl Desk {
    fn lock(&self) -> MutexGuard<'_, DeskState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn serve(&self, target: &Target) {
        while let Some(candidate) = self.take() {
            // A failure here is not the last word: the next improvement and the end write again, and the end reports.
            let _ = target.replace(&candidate, false);
        }
    }

    /// The newest candidate, as soon as there is one; `None` when nothing more will come.
    fn take(&self) -> Option<Measured> {
        let mut state = self.lock();
        while state.newest.is_none() && !state.closing {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.newest.take().filter(|_| !state.closing)
    }
}

impl Target {
    /// Puts the first file of `candidate` in the place of the result.
    fn replace(&self, newest: &Measured, durable: bool) -> io::Result<()> {
        if self.floor.as_ref().is_some_and(|floor| floor.is_smaller_than(newest)) {
            return Ok(());
        }
        let bytes = newest.candidate.files().first().map_or(&[][..], |file| file.bytes());
        let mut expected = self.expected.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(expected) = &*expected
            && fs::metadata(&self.path).is_ok_and(|metadata| Stamp::from(&metadata) != *expected)
        {
            return Err(io::Error::other("somebody else changed it during the run"));
        }
        let file = replace(&self.path, bytes, self.permissions.as_ref(), durable)?;
        if expected.is_some() {
            *expected = Some(Stamp::from(&file.metadata()?));
        }
        Ok(())
    }
}

/// Replaces the file at `path` atomically: whoever reads it sees the old bytes or the new ones. The new ones are on
/// disk before they take its place if `durable`.
pub fn replace(path: &Path, bytes: &[u8], permissions: Option<&Permissions>, durable: bool) -> io::Result<File> {
    let unfinished = unfinished(path);
    // A run that was killed may have left one.
    let _ = fs::remove_file(&unfinished);
    let write = || {
        let mut file = File::create_new(&unfinished)?;
        file.write_all(bytes)?;
        if let Some(permissions) = permissions {
            file.set_permissions(permissions.clone())?;
        }
        if durable {
            file.sync_all()?;
        }
        fs::rename(&unfinished, path)?;
        Ok(file)
    };
    write().inspect_err(|_| drop(fs::remove_file(&unfinished)))
}

/// Where a file is written before it takes the place of the one at `path`: always the same, so that leftovers of
/// killed runs do not pile up.
pub fn unfinished(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    // File systems allow 255 bytes.
    let stem: String = name.chars().take(48).collect();
    folder_of(path).join(format!(".{stem}.whittle-tmp"))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Copies `path` to `path.orig`, or to the first of `path.orig.2`, `path.orig.3`, … that is free or holds the same
/// bytes already, and says which it was.
pub fn keep_original(path: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
    for number in 1u32.. {
        let mut name = path.as_os_str().to_owned();
        name.push(if number == 1 { ".orig".to_owned() } else { format!(".orig.{number}") });
        let copy = PathBuf::from(name);
        match fs::read(&copy) {
            Ok(existing) if existing == bytes => return Ok(copy),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                replace(&copy, bytes, Some(&fs::metadata(path)?.permissions()), true)?;
                return Ok(copy);
            }
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("no free name for the copy of the original"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;
    use whittle_search::Candidate;

    fn candidate(text: &str) -> Measured {
        Measured::in_bytes(Candidate::single("f", text.as_bytes().to_vec()))
    }

    #[test]
    fn the_end_is_written_with_the_given_permissions_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.c");
        let output = Output::new(path.clone(), Some(Permissions::from_mode(0o640)), None, None);
        output.write(&candidate("long")).unwrap();
        output.finish(&candidate("short")).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "short");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_that_is_not_there_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let output = Output::new(folder.path().join("no/out.c"), None, None, None);
        assert!(output.write(&candidate("x")).is_err());
        assert!(output.finish(&candidate("x")).is_err());
    }

    #[test]
    fn what_somebody_else_wrote_is_not_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bug.c");
        fs::write(&path, "input").unwrap();
        let stamp = Stamp::from(&fs::metadata(&path).unwrap());
        let output = Output::new(path.clone(), None, Some(stamp), None);
        output.write(&candidate("inpt")).unwrap();
        output.write(&candidate("int")).unwrap();
        fs::write(&path, "edited").unwrap();
        assert!(output.write(&candidate("it")).is_err());
        assert!(output.finish(&candidate("it")).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "edited");
    }

    #[test]
    fn nothing_larger_takes_the_place_of_an_earlier_result() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.c");
        fs::write(&path, "four").unwrap();
        let output = Output::new(path.clone(), None, None, Some(candidate("four")));
        output.write(&candidate("seventh")).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "four");
        output.finish(&candidate("one")).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one");
    }

    #[test]
    fn an_original_is_never_overwritten_by_another() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bug.c");
        let keep = |bytes: &str| {
            fs::write(&path, bytes).unwrap();
            keep_original(&path, bytes.as_bytes()).unwrap().file_name().unwrap().to_owned()
        };
        assert_eq!(keep("one"), "bug.c.orig");
        assert_eq!(keep("one"), "bug.c.orig");
        assert_eq!(keep("two"), "bug.c.orig.2");
        assert_eq!(keep("one"), "bug.c.orig");
        assert_eq!(fs::read_to_string(folder.path().join("bug.c.orig")).unwrap(), "one");
    }
}
