//! [`Standing`]: the folder in which a helper tests the candidates of a project, one after the other.
//!
//! Copying a whole project for every test would cost more than most tests, and so would linking it: two thousand links
//! take tens of milliseconds, and a test that writes to a hard link harms the file for all others. Instead the folder
//! stays from test to test. Before each one, whatever the last test did to it is undone, and then only the files in which
//! the next candidate differs are written. So a test finds exactly its candidate, as in a fresh folder.
//!
//! A file is taken as untouched if its inode, mode, length and time of change are those it had when it was written: any write,
//! truncation, link, or change of mode or owner sets that time. A file that was written so recently that the clock of the
//! file system may not have moved since is compared by content. Nothing is ever written to an existing file or through
//! a link: what is wrong is removed and made anew.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, DirEntry, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use whittle_search::{Candidate, File, Kind};

use crate::scratch::remove_folder;

/// The clocks of file systems are at least this fine, with a wide margin: Linux used to move them every 10 ms at worst.
const CLOCK_TICK: Duration = Duration::from_millis(50);

/// A folder that holds a candidate.
#[derive(Debug)]
pub(crate) struct Standing {
    folder: PathBuf,
    /// What tests may leave behind, as relative paths.
    warm: Arc<[PathBuf]>,
    /// What was written and not changed since, by path.
    laid: HashMap<OsString, Laid>,
    /// The folders that files need, and how many of them are below. The root is not among them.
    folders: HashMap<OsString, usize>,
    /// How often this was looked through: what was found has this number.
    round: u64,
    /// The mode and the owner of every folder.
    rights: (u32, u32),
}

/// A file as it was written.
#[derive(Debug)]
struct Laid {
    file: File,
    stamp: Stamp,
    /// Whether the clock has moved since, so that the stamp can be trusted.
    settled: bool,
    /// When it was last found.
    round: u64,
}

/// What changes with every change of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    inode: u64,
    /// What it is, and who may use it: a fifo can get the inode of a file that was deleted in the same tick.
    mode: u32,
    length: u64,
    changed: (i64, i64),
}

impl Stamp {
    fn of(metadata: &Metadata) -> Self {
        let changed = (metadata.ctime(), metadata.ctime_nsec());
        Self { inode: metadata.ino(), mode: metadata.mode(), length: metadata.len(), changed }
    }

    fn is_older_than_a_tick(&self) -> bool {
        let (seconds, nanos) = self.changed;
        let changed = u64::try_from(seconds).map(|seconds| UNIX_EPOCH + Duration::new(seconds, nanos as u32));
        let age = changed.ok().and_then(|changed| SystemTime::now().duration_since(changed).ok());
        age.is_some_and(|age| age > CLOCK_TICK)
    }
}

impl Standing {
    /// A folder that will be at `folder`, where nothing is yet.
    pub(crate) fn new(folder: PathBuf, warm: Arc<[PathBuf]>) -> Self {
        Self { folder, warm, laid: HashMap::new(), folders: HashMap::new(), round: 0, rights: (0, 0) }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Makes the folder hold `candidate` and nothing else.
    pub(crate) fn hold(&mut self, candidate: &Candidate) -> io::Result<()> {
        if self.tidy().and_then(|()| self.drop_stale(candidate)).is_err() {
            self.start_anew()?;
        }
        self.lay_missing(candidate)
    }

    /// Removes everything, for a start from nothing.
    pub(crate) fn start_anew(&mut self) -> io::Result<()> {
        remove_folder(&self.folder);
        // A file or a link may be in its place.
        if self.folder.symlink_metadata().is_ok() {
            fs::remove_file(&self.folder)?;
        }
        self.laid.clear();
        self.folders.clear();
        fs::create_dir(&self.folder)?;
        let made = fs::symlink_metadata(&self.folder)?;
        self.rights = (made.mode(), made.uid());
        Ok(())
    }

    /// Undoes what a test did. Files that it changed or deleted are not laid any more.
    fn tidy(&mut self) -> io::Result<()> {
        let root = fs::symlink_metadata(&self.folder)?;
        if !root.is_dir() {
            return Err(ErrorKind::NotADirectory.into());
        }
        self.restore_mode(&self.folder, &root)?;
        self.round += 1;
        self.tidy_folder(&self.folder.clone(), Path::new(""))?;
        self.forget_lost();
        Ok(())
    }

    /// Takes off the books what was not found in this round.
    fn forget_lost(&mut self) {
        let lost = self.laid.iter().filter(|(_, laid)| laid.round != self.round).map(|(path, _)| path.clone());
        for path in lost.collect::<Vec<_>>() {
            self.forget(Path::new(&path));
        }
    }

    fn tidy_folder(&mut self, folder: &Path, relative: &Path) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let (path, metadata) = (relative.join(entry.file_name()), entry.metadata()?);
            if metadata.is_dir() {
                self.tidy_subfolder(&entry, &path, &metadata)?;
            } else if !self.is_untouched(&entry, &path, &metadata) {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }

    fn tidy_subfolder(&mut self, entry: &DirEntry, path: &Path, metadata: &Metadata) -> io::Result<()> {
        if self.warm.iter().any(|warm| warm == path) {
            return Ok(());
        }
        let round = self.round;
        let empty = self.laid.get_mut(path.as_os_str()).filter(|laid| laid.file.kind() == Kind::Folder);
        let is_empty_folder = empty.map(|laid| laid.round = round).is_some();
        let holds_warm = self.warm.iter().any(|warm| warm.starts_with(path));
        if !is_empty_folder && !holds_warm && !self.folders.contains_key(path.as_os_str()) {
            remove_folder(&entry.path());
            return Ok(());
        }
        self.restore_mode(&entry.path(), metadata)?;
        self.tidy_folder(&entry.path(), path)
    }

    /// A folder that belongs to somebody else cannot be made ours again: the caller starts from nothing.
    fn restore_mode(&self, folder: &Path, metadata: &Metadata) -> io::Result<()> {
        let (mode, owner) = self.rights;
        if metadata.uid() != owner {
            return Err(ErrorKind::PermissionDenied.into());
        }
        if metadata.mode() == mode {
            return Ok(());
        }
        fs::set_permissions(folder, fs::Permissions::from_mode(mode & 0o7777))
    }

    /// Whether a file is as it was written.
    fn is_untouched(&mut self, entry: &DirEntry, path: &Path, metadata: &Metadata) -> bool {
        let Some(laid) = self.laid.get_mut(path.as_os_str()) else { return false };
        if laid.file.kind() == Kind::Folder || Stamp::of(metadata) != laid.stamp {
            return false;
        }
        if !laid.settled {
            if !has_content(&entry.path(), &laid.file) {
                return false;
            }
            laid.settled = laid.stamp.is_older_than_a_tick();
        }
        laid.round = self.round;
        true
    }

    /// Removes what `candidate` does not have, or has with other bytes.
    fn drop_stale(&mut self, candidate: &Candidate) -> io::Result<()> {
        self.round += 1;
        for file in candidate.files() {
            let laid = self.laid.get_mut(file.path().as_os_str());
            let same = laid.filter(|laid| file.kind() == laid.file.kind() && file.has_bytes_of(&laid.file));
            same.into_iter().for_each(|laid| laid.round = self.round);
        }
        for (path, laid) in self.laid.iter().filter(|(_, laid)| laid.round != self.round) {
            let place = self.folder.join(path);
            match laid.file.kind() {
                Kind::Folder => fs::remove_dir(place)?,
                _ => fs::remove_file(place)?,
            }
        }
        self.forget_lost();
        Ok(())
    }

    /// Takes a file off the books, and removes the folders that nothing needs any more.
    fn forget(&mut self, path: &Path) {
        if self.laid.remove(path.as_os_str()).is_none() {
            return;
        }
        for ancestor in ancestors(path) {
            let Some(count) = self.folders.get_mut(ancestor.as_os_str()) else { continue };
            *count -= 1;
            if *count == 0 {
                self.folders.remove(ancestor.as_os_str());
                // One that holds a warm folder is not empty, and stays.
                let _ = fs::remove_dir(self.folder.join(ancestor));
            }
        }
    }

    /// Writes what is not there yet.
    fn lay_missing(&mut self, candidate: &Candidate) -> io::Result<()> {
        let is_missing = |file: &&File| !self.laid.contains_key(file.path().as_os_str());
        for file in candidate.files().iter().filter(is_missing).collect::<Vec<_>>() {
            let place = self.folder.join(file.path());
            if let Some(parent) = place.parent() {
                fs::create_dir_all(parent)?;
            }
            lay(&place, file)?;
            let stamp = Stamp::of(&fs::symlink_metadata(&place)?);
            for ancestor in ancestors(file.path()) {
                *self.folders.entry(ancestor.as_os_str().to_owned()).or_default() += 1;
            }
            let laid = Laid { file: file.clone(), stamp, settled: false, round: self.round };
            self.laid.insert(file.path().as_os_str().to_owned(), laid);
        }
        Ok(())
    }
}

/// The folders around a relative path, the innermost first.
fn ancestors(path: &Path) -> impl Iterator<Item = &Path> {
    path.ancestors().skip(1).filter(|ancestor| !ancestor.as_os_str().is_empty())
}

/// Makes a file of a candidate at `place`, where nothing is.
pub fn lay(place: &Path, file: &File) -> io::Result<()> {
    match file.kind() {
        Kind::Folder => fs::create_dir(place),
        Kind::Link => symlink(OsStr::from_bytes(file.bytes()), place),
        Kind::Plain => write_new(place, file.bytes(), 0o666),
        Kind::Executable => write_new(place, file.bytes(), 0o777),
    }
}

fn write_new(place: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    OpenOptions::new().write(true).create_new(true).mode(mode).open(place)?.write_all(bytes)
}

fn has_content(place: &Path, file: &File) -> bool {
    match file.kind() {
        Kind::Link => fs::read_link(place).is_ok_and(|target| target.into_os_string().into_vec() == file.bytes()),
        _ => fs::read(place).is_ok_and(|bytes| bytes == file.bytes()),
    }
}

#[cfg(test)]
mod tests;
