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
use std::time::{Duration, Instant};

use whittle_property::lay;
use whittle_search::{Candidate, Event, Listener, Measured, Moment};

use crate::project::Selection;

/// Writes candidates to one path, or to the paths of several files.
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
    /// The files of the input, if each is replaced where it is, below `path`.
    files: Option<Vec<PathBuf>>,
}

/// How long the writer rests after it wrote, in times of what it took: a project of thousands of files is not written at
/// every improvement.
const REST: u32 = 9;

/// Nobody waits for longer to see a better result on disk.
const LONGEST_REST: Duration = Duration::from_secs(5);

/// Shows whether a file is still the one it was.
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
        Self::to(Target { path, permissions, expected: Mutex::new(expected), floor, files: None })
    }

    /// An output to `files` below `folder`. Each is replaced atomically, one after the other; one that a candidate does not
    /// have any more is removed.
    pub fn to_files(folder: PathBuf, files: Vec<PathBuf>) -> Self {
        Self::to(Target {
            path: folder,
            permissions: None,
            expected: Mutex::default(),
            floor: None,
            files: Some(files),
        })
    }

    fn to(target: Target) -> Self {
        let target = Arc::new(target);
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
        let folder = if self.target.files.is_some() { &self.target.path } else { folder_of(&self.target.path) };
        File::open(folder)?.sync_all()
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
        if matches!(event, Event::Improved | Event::StartedOver { .. }) {
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
            let began = Instant::now();
            // A failure here is not the last word: the next improvement and the end write again, and the end reports.
            let _ = target.replace(&candidate, false);
            self.rest(began.elapsed() * REST);
        }
    }

    /// Waits, unless nothing more will come.
    fn rest(&self, time: Duration) {
        let closing = |state: &mut DeskState| !state.closing;
        drop(self.changed.wait_timeout_while(self.lock(), time.min(LONGEST_REST), closing));
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
    /// Puts `newest` in the place of the result.
    fn replace(&self, newest: &Measured, durable: bool) -> io::Result<()> {
        if self.floor.as_ref().is_some_and(|floor| floor.is_smaller_than(newest)) {
            return Ok(());
        }
        if let Some(files) = &self.files {
            return replace_files(&self.path, files, &newest.candidate, durable);
        }
        let mut expected = self.expected.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(expected) = &*expected
            && fs::metadata(&self.path).is_ok_and(|metadata| Stamp::from(&metadata) != *expected)
        {
            return Err(io::Error::other("another program changed it during the run"));
        }
        replace(&self.path, &newest.candidate, self.permissions.as_ref(), durable)?;
        if expected.is_some() {
            *expected = Some(Stamp::from(&fs::metadata(&self.path)?));
        }
        Ok(())
    }
}

/// Replaces what is at `path` by a candidate: by a file, or by a folder if the candidate is a project. Readers see the
/// old content or the new one. With `durable`, the new content is on disk before it takes its place.
pub fn replace(path: &Path, candidate: &Candidate, permissions: Option<&Permissions>, durable: bool) -> io::Result<()> {
    match candidate.files() {
        [file] if !candidate.is_project() => replace_file(path, file.bytes(), permissions, durable),
        files => replace_folder(path, files, durable),
    }
}

/// Replaces one file, as [`replace`] does.
pub fn replace_file(path: &Path, bytes: &[u8], permissions: Option<&Permissions>, durable: bool) -> io::Result<()> {
    let unfinished = unfinished(path);
    // A run that was killed may have left one.
    let _ = fs::remove_file(&unfinished);
    let write = || {
        write_new(&unfinished, bytes, permissions, durable)?;
        fs::rename(&unfinished, path)
    };
    write().inspect_err(|_| drop(fs::remove_file(&unfinished)))
}

fn replace_folder(path: &Path, files: &[whittle_search::File], durable: bool) -> io::Result<()> {
    let unfinished = unfinished(path);
    let clear = || if unfinished.exists() { fs::remove_dir_all(&unfinished) } else { Ok(()) };
    clear()?;
    let write = || {
        fs::create_dir(&unfinished)?;
        for file in files {
            let place = unfinished.join(file.path());
            fs::create_dir_all(folder_of(&place))?;
            lay(&place, file)?;
            if durable && file.kind().has_content() {
                File::open(&place)?.sync_all()?;
            }
        }
        swap_in(&unfinished, path)
    };
    let written = write();
    // What is there now is what was replaced, or what could not be written.
    clear().and(written)
}

/// Replaces the files below `folder` that differ from those of the candidate, and removes those that it does not have.
fn replace_files(folder: &Path, files: &[PathBuf], candidate: &Candidate, durable: bool) -> io::Result<()> {
    for file in candidate.files() {
        let path = folder.join(file.path());
        // What a link points to is reduced, and the link stays.
        let path = fs::canonicalize(&path).unwrap_or(path);
        if fs::read(&path).is_ok_and(|bytes| bytes == file.bytes()) {
            continue;
        }
        let permissions = fs::metadata(&path).ok().map(|metadata| metadata.permissions());
        replace_file(&path, file.bytes(), permissions.as_ref(), durable)?;
    }
    let is_kept = |path: &Path| candidate.files().iter().any(|file| file.path() == path);
    for gone in files.iter().filter(|path| !is_kept(path)) {
        fs::remove_file(folder.join(gone)).or_else(|error| match error.kind() {
            io::ErrorKind::NotFound => Ok(()),
            _ => Err(error),
        })?;
    }
    Ok(())
}

/// Puts the folder `new` in the place of `path`, and what was there in the place of `new`.
fn swap_in(new: &Path, path: &Path) -> io::Result<()> {
    if !path.exists() {
        return fs::rename(new, path);
    }
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        use nix::fcntl::{AT_FDCWD, RenameFlags, renameat2};
        if renameat2(AT_FDCWD, new, AT_FDCWD, path, RenameFlags::RENAME_EXCHANGE).is_ok() {
            return Ok(());
        }
    }
    // Not every system can swap two folders. For a moment there is none, but its content is beside it.
    let mut old = new.as_os_str().to_owned();
    old.push("-old");
    fs::rename(path, &old)?;
    fs::rename(new, path)?;
    fs::rename(&old, new)
}

fn write_new(path: &Path, bytes: &[u8], permissions: Option<&Permissions>, durable: bool) -> io::Result<()> {
    let mut file = File::create_new(path)?;
    file.write_all(bytes)?;
    if let Some(permissions) = permissions {
        file.set_permissions(permissions.clone())?;
    }
    if durable { file.sync_all() } else { Ok(()) }
}

/// Writes a candidate whose place at `path` failed to the folder for temporary files, and says where.
pub fn save_elsewhere(path: &Path, candidate: &Candidate) -> io::Result<PathBuf> {
    let suffix = format!("-{}", path.file_name().unwrap_or_default().to_string_lossy());
    let mut builder = tempfile::Builder::new();
    let place = builder.prefix("whittled-").suffix(&suffix);
    match candidate.files() {
        [file] if !candidate.is_project() => {
            let mut kept = place.tempfile()?;
            kept.write_all(file.bytes())?;
            Ok(kept.keep()?.1)
        }
        _ => {
            let kept = place.tempdir()?;
            replace(kept.path(), candidate, None, true)?;
            Ok(kept.keep())
        }
    }
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

/// The original of a project, beside it: `path.orig`, or the first of `path.orig.2`, `path.orig.3`, … that is free or holds
/// the same already.
pub fn keep_original_folder(path: &Path, original: &Candidate) -> io::Result<PathBuf> {
    let is_same = |copy: &Path| {
        let read = crate::project::read_folder(copy, &Selection::default());
        read.is_ok_and(|read| read.candidate.fingerprint() == original.fingerprint())
    };
    for copy in originals(path) {
        if copy.symlink_metadata().is_err() {
            replace(&copy, original, None, true)?;
            return Ok(copy);
        }
        if is_same(&copy) {
            return Ok(copy);
        }
    }
    Err(io::Error::other("no free name for the copy of the original"))
}

/// Names for the copy of what is at `path`.
fn originals(path: &Path) -> impl Iterator<Item = PathBuf> + '_ {
    (1u32..).map(|number| {
        let mut name = path.as_os_str().to_owned();
        name.push(if number == 1 { ".orig".to_owned() } else { format!(".orig.{number}") });
        PathBuf::from(name)
    })
}

/// Copies `path` to `path.orig`, or to the first of `path.orig.2`, `path.orig.3`, … that is free or holds the same
/// bytes already, and says which it was.
pub fn keep_original(path: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
    for copy in originals(path) {
        match fs::read(&copy) {
            Ok(existing) if existing == bytes => return Ok(copy),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                replace_file(&copy, bytes, Some(&fs::metadata(path)?.permissions()), true)?;
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
    fn several_files_are_a_folder_that_is_replaced_as_a_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let of = |files: &[(&str, &str)]| {
            let files = files.iter().map(|&(path, text)| (path, text.as_bytes().to_vec()));
            Measured::in_bytes(Candidate::from_files(files))
        };
        let output = Output::new(path.clone(), None, None, None);
        output.write(&of(&[("a.c", "one"), ("lib/b.h", "two")])).unwrap();
        assert_eq!(fs::read_to_string(path.join("lib/b.h")).unwrap(), "two");
        output.finish(&of(&[("a.c", "1"), ("c.h", "")])).unwrap();
        assert_eq!(fs::read_to_string(path.join("a.c")).unwrap(), "1");
        assert_eq!(fs::read_to_string(path.join("c.h")).unwrap(), "");
        assert!(!path.join("lib").exists(), "files of earlier candidates are gone");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
    }

    #[test]
    fn files_are_replaced_where_they_are_and_removed_when_they_are_gone() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        fs::create_dir(at("lib")).unwrap();
        fs::write(at("a.c"), "one").unwrap();
        fs::write(at("lib/real.h"), "two").unwrap();
        std::os::unix::fs::symlink("lib/real.h", at("b.h")).unwrap();
        fs::write(at("other"), "mine").unwrap();
        let output = Output::to_files(folder.path().to_owned(), vec!["a.c".into(), "b.h".into()]);
        let of = |files: &[(&str, &str)]| {
            let files = files.iter().map(|&(path, text)| (path, text.as_bytes().to_vec()));
            Measured::in_bytes(Candidate::from_files(files))
        };
        output.write(&of(&[("a.c", "one"), ("b.h", "2")])).unwrap();
        assert_eq!(fs::read_to_string(at("lib/real.h")).unwrap(), "2");
        assert!(at("b.h").symlink_metadata().unwrap().is_symlink());
        output.finish(&of(&[("a.c", "1")])).unwrap();
        assert_eq!(fs::read_to_string(at("a.c")).unwrap(), "1");
        assert!(at("b.h").symlink_metadata().is_err());
        assert_eq!(fs::read_to_string(at("other")).unwrap(), "mine");
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
