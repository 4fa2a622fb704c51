//! Scratch folders: one root for a run, on a memory file system where there is one with room; below it a home for
//! each helper; in that a fresh folder for each test. All gone at the end, and swept at the next start otherwise.

use std::fs::{self, DirBuilder, File};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use nix::sys::statvfs::{FsFlags, statvfs};
use whittle_search::Candidate;

use crate::standing::lay;

const PREFIX: &str = "whittle-scratch-";

/// Held open and locked by the run that owns a root: the system frees the lock when the run dies, however it dies.
const LOCK: &str = "lock";

/// What the lock file holds, so that nothing is ever taken for a root that is not one.
const MAGIC: &[u8] = b"This folder belongs to a run of Whittle. If that is dead, the next run removes it.\n";

/// What tests may need besides copies of the candidate.
const ROOM: u64 = 256 << 20;

/// The root of a run's scratch folders. Dropping it removes everything below.
#[derive(Debug)]
pub(crate) struct ScratchRoot {
    root: PathBuf,
    _lock: File,
}

impl ScratchRoot {
    /// A path for a new root in `parent`, or where it is best for `copies` candidates of `size` bytes; nothing is there yet.
    /// Sweeps what dead runs left.
    pub(crate) fn choose_path(parent: Option<&Path>, size: u64, copies: u64) -> PathBuf {
        let needed = ROOM.saturating_add(size.saturating_mul(copies).saturating_mul(4));
        let parent = parent.map_or_else(|| choose_parent(needed), Path::to_owned);
        // Tests run in folders below, so a relative path would lead nowhere.
        let parent = std::path::absolute(&parent).unwrap_or(parent);
        sweep(&parent);
        // Random, so that nobody else has the same; a folder that is there all the same is not taken.
        parent.join(format!("{PREFIX}{:016x}", RandomState::new().hash_one(std::process::id())))
    }

    /// A new root at `path`.
    pub(crate) fn create(path: PathBuf) -> io::Result<Self> {
        DirBuilder::new().mode(0o700).create(&path)?;
        let lock = make_lock(&path)?;
        Ok(Self { root: path, _lock: lock })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.root
    }

    /// A new folder for one helper.
    pub(crate) fn home(&self, number: usize) -> io::Result<PathBuf> {
        let home = self.root.join(number.to_string());
        fs::create_dir(&home)?;
        Ok(home)
    }

    /// Removes everything at once.
    pub(crate) fn remove(&self) {
        remove_folder(&self.root);
    }
}

impl Drop for ScratchRoot {
    fn drop(&mut self) {
        self.remove();
    }
}

/// A file that is locked before it gets its name: no other run ever sees it unlocked.
fn make_lock(root: &Path) -> io::Result<File> {
    let unfinished = root.join("lock.new");
    let mut lock = File::create_new(&unfinished)?;
    lock.write_all(MAGIC)?;
    lock.try_lock()?;
    fs::rename(unfinished, root.join(LOCK))?;
    Ok(lock)
}

/// Writes the files of `candidate` to a new folder.
pub(crate) fn unpack(candidate: &Candidate, folder: &Path) -> io::Result<()> {
    fs::create_dir(folder)?;
    for file in candidate.files() {
        let path = folder.join(file.path());
        if let Some(parent) = path.parent().filter(|parent| *parent != folder) {
            fs::create_dir_all(parent)?;
        }
        lay(&path, file)?;
    }
    Ok(())
}

/// Removes a folder with all that is in it, also if a test has taken away the right to do so.
pub(crate) fn remove_folder(folder: &Path) {
    if fs::remove_dir_all(folder).is_err() && folder.exists() {
        make_writable(folder);
        // What cannot be removed even now is not ours to remove.
        let _ = fs::remove_dir_all(folder);
    }
}

fn make_writable(folder: &Path) {
    let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o700));
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            make_writable(&entry.path());
        }
    }
}

/// For a helper whose Whittle has died: removes the root around its home, with the homes of its colleagues. They are
/// about to do the same; as long as one of them has to kill a test that writes files, it takes several attempts.
pub(crate) fn remove_abandoned_root(home: &Path) {
    let Some(root) = home.parent() else { return };
    for _ in 0..100 {
        remove_folder(root);
        if !root.exists() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The user's choice by `TMPDIR`, else shared memory if programs may run there and it has room, else the usual place.
fn choose_parent(needed: u64) -> PathBuf {
    let memory = Path::new("/dev/shm");
    if std::env::var_os("TMPDIR").is_none_or(|folder| folder.is_empty())
        && has_room(memory, needed)
        && is_writable(memory)
    {
        return memory.to_owned();
    }
    std::env::temp_dir()
}

#[allow(clippy::unnecessary_cast, reason = "the type of these counts differs between systems")]
fn has_room(folder: &Path, needed: u64) -> bool {
    statvfs(folder).is_ok_and(|stats| {
        let free = (stats.blocks_available() as u64).saturating_mul(stats.fragment_size() as u64);
        free >= needed && !stats.flags().contains(FsFlags::ST_NOEXEC)
    })
}

fn is_writable(folder: &Path) -> bool {
    nix::unistd::access(folder, nix::unistd::AccessFlags::W_OK | nix::unistd::AccessFlags::X_OK).is_ok()
}

/// Removes the roots of runs that are dead.
fn sweep(parent: &Path) {
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    let ours = entries.filter(|entry| entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX)));
    for root in ours.map(|entry| entry.path()).filter(|path| path.is_dir()) {
        if is_abandoned(&root) {
            remove_folder(&root);
        }
    }
}

/// Whether it is the root of a run, and nobody holds its lock any more.
fn is_abandoned(root: &Path) -> bool {
    let lock = root.join(LOCK);
    fs::read(&lock).is_ok_and(|text| text == MAGIC) && File::open(&lock).is_ok_and(|lock| lock.try_lock().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new_root(parent: &Path) -> ScratchRoot {
        ScratchRoot::create(ScratchRoot::choose_path(Some(parent), 0, 1)).unwrap()
    }

    #[test]
    fn a_folder_that_is_there_is_not_taken() {
        let parent = tempfile::tempdir().unwrap();
        assert!(ScratchRoot::create(parent.path().to_owned()).is_err());
        assert!(parent.path().exists());
    }

    #[test]
    fn a_root_goes_with_all_that_is_in_it_however_it_is_protected() {
        let parent = tempfile::tempdir().unwrap();
        let root = new_root(parent.path());
        let home = root.home(0).unwrap();
        let candidate = Candidate::from_files([("a.c", b"x".to_vec()), ("sub/b.h", b"y".to_vec())]);
        unpack(&candidate, &home.join("0")).unwrap();
        assert_eq!(fs::read(home.join("0/a.c")).unwrap(), b"x");
        assert_eq!(fs::read(home.join("0/sub/b.h")).unwrap(), b"y");
        fs::set_permissions(home.join("0/sub"), fs::Permissions::from_mode(0o500)).unwrap();
        drop(root);
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_new_run_sweeps_what_dead_runs_left_and_nothing_else() {
        let parent = tempfile::tempdir().unwrap();
        let alive = new_root(parent.path());
        let lay = |name: &str, lock: Option<&[u8]>| {
            fs::create_dir(parent.path().join(name)).unwrap();
            if let Some(text) = lock {
                fs::write(parent.path().join(name).join(LOCK), text).unwrap();
            }
        };
        lay("whittle-scratch-dead", Some(MAGIC));
        lay("whittle-scratch-notes", Some(b""));
        lay("whittle-scratch-new", None);
        lay("whittle-project", Some(MAGIC));
        let second = new_root(parent.path());
        assert!(alive.path().exists() && second.path().exists());
        assert!(!parent.path().join("whittle-scratch-dead").exists(), "its lock is free");
        for other in ["whittle-scratch-notes", "whittle-scratch-new", "whittle-project"] {
            assert!(parent.path().join(other).exists(), "{other} is not for us to remove");
        }
    }
}
