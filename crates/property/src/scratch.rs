//! Scratch folders: one root for a run, one fresh folder for each test in it, all gone at the end.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use whittle_search::Candidate;

/// The root of a run's scratch folders. Dropping it removes everything below.
#[derive(Debug)]
pub struct ScratchRoot {
    root: tempfile::TempDir,
    next: AtomicU64,
}

/// A folder that holds one candidate while it is tested. Dropping it removes it.
#[derive(Debug)]
pub(crate) struct Scratch {
    folder: PathBuf,
}

impl ScratchRoot {
    /// A new root in the system's folder for temporary files.
    pub fn new() -> io::Result<Self> {
        let root = tempfile::Builder::new().prefix("whittle-").tempdir()?;
        Ok(Self { root, next: AtomicU64::new(0) })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.root.path()
    }

    /// Removes all scratch folders, used or not.
    pub(crate) fn remove_all(&self) {
        remove(self.root.path());
    }

    /// A fresh folder with the files of `candidate`.
    pub(crate) fn unpack(&self, candidate: &Candidate) -> io::Result<Scratch> {
        let folder = self.root.path().join(self.next.fetch_add(1, Ordering::Relaxed).to_string());
        fs::create_dir(&folder)?;
        let scratch = Scratch { folder };
        for file in candidate.files() {
            let path = scratch.folder.join(file.path());
            if let Some(parent) = path.parent().filter(|parent| *parent != scratch.folder) {
                fs::create_dir_all(parent)?;
            }
            fs::write(path, file.bytes())?;
        }
        Ok(scratch)
    }
}

impl Drop for ScratchRoot {
    fn drop(&mut self) {
        self.remove_all();
    }
}

impl Scratch {
    pub(crate) fn path(&self) -> &Path {
        &self.folder
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        remove(&self.folder);
    }
}

fn remove(folder: &Path) {
    if fs::remove_dir_all(folder).is_err() && folder.exists() {
        make_writable(folder);
        // What cannot be removed even now is not ours to remove.
        let _ = fs::remove_dir_all(folder);
    }
}

/// Gives the owner all rights on the folders below, so that a test that took them away leaves nothing behind.
fn make_writable(folder: &Path) {
    let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o700));
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            make_writable(&entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scratch_folder_holds_the_candidate_and_goes_with_all_that_a_test_left_in_it() {
        let root = ScratchRoot::new().unwrap();
        let candidate = Candidate::from_files([("a.c", b"x".to_vec()), ("sub/b.h", b"y".to_vec())]);
        let scratch = root.unpack(&candidate).unwrap();
        assert_eq!(fs::read(scratch.path().join("a.c")).unwrap(), b"x");
        assert_eq!(fs::read(scratch.path().join("sub/b.h")).unwrap(), b"y");
        fs::create_dir(scratch.path().join("locked")).unwrap();
        fs::write(scratch.path().join("locked/f"), "").unwrap();
        fs::set_permissions(scratch.path().join("locked"), fs::Permissions::from_mode(0o500)).unwrap();
        drop(scratch);
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);
    }
}
