//! [`Input`]: what a reduction starts from.

use std::collections::BTreeSet;
use std::fs::{self, Permissions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use whittle_search::Candidate;

use crate::output::Stamp;
use crate::project::{Project, ProjectError, Selection, read_files, read_folder};

/// The largest file that is read: positions in a file are 32-bit numbers.
const MAX_FILE_BYTES: u64 = u32::MAX as u64;

/// The files to reduce, from memory or from disk.
#[derive(Clone, Debug)]
pub struct Input {
    candidate: Candidate,
    origin: Option<Origin>,
    /// The numbers of files that stay as they are.
    fixed: BTreeSet<usize>,
    /// The folder to which the paths of several files are relative.
    folder: Option<PathBuf>,
}

/// The file or folder that an input was read from.
#[derive(Clone, Debug)]
pub struct Origin {
    /// Where it is.
    pub path: PathBuf,
    /// What it is allowed; results get the same.
    pub permissions: Permissions,
    /// Shows whether it is still the file that was read.
    pub stamp: Stamp,
    /// Something in a folder that was not read, if there is anything.
    pub left_out: Option<PathBuf>,
}

/// Why a file cannot be an input.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// It does not exist.
    #[error("does not exist")]
    Missing,
    /// It is a folder or a device.
    #[error("is not a regular file")]
    NotAFile,
    /// It is larger than a list can be.
    #[error("is larger than 4 GiB")]
    TooLarge,
    /// It cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(io::Error),
}

impl Input {
    /// One file with this name and content. The name decides the language unless one is chosen.
    pub fn new(name: impl AsRef<Path>, bytes: impl Into<Vec<u8>>) -> Self {
        Candidate::single(name, bytes.into()).into()
    }

    /// Reads a file.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, InputError> {
        let path = path.as_ref();
        let metadata = fs::metadata(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => InputError::Missing,
            _ => InputError::Unreadable(error),
        })?;
        let name = path.file_name().filter(|_| metadata.is_file()).ok_or(InputError::NotAFile)?;
        if metadata.len() > MAX_FILE_BYTES {
            return Err(InputError::TooLarge);
        }
        let bytes = fs::read(path).map_err(InputError::Unreadable)?;
        let stamp = Stamp::from(&metadata);
        let permissions = metadata.permissions();
        let origin = Origin { path: path.to_owned(), permissions, stamp, left_out: None };
        Ok(Self {
            candidate: Candidate::single(name, bytes),
            origin: Some(origin),
            fixed: BTreeSet::new(),
            folder: None,
        })
    }

    /// Reads a folder.
    pub fn read_folder(path: impl AsRef<Path>, selection: &Selection) -> Result<Self, ProjectError> {
        let path = path.as_ref();
        let unreadable = |error| ProjectError::Unreadable { path: path.to_owned(), error };
        let metadata = fs::metadata(path).map_err(unreadable)?;
        let Project { candidate, fixed, left_out } = read_folder(path, selection)?;
        let (permissions, stamp) = (metadata.permissions(), Stamp::from(&metadata));
        let origin = Origin { path: path.to_owned(), permissions, stamp, left_out };
        Ok(Self { candidate, origin: Some(origin), fixed, folder: None })
    }

    /// Reads several files, and gives the paths that they have in the candidate, in the order in which they are given.
    pub fn read_files(paths: &[PathBuf], selection: &Selection) -> Result<(Self, Vec<PathBuf>), ProjectError> {
        let (Project { candidate, fixed, .. }, relative, folder) = read_files(paths, selection)?;
        Ok((Self { candidate, origin: None, fixed, folder: Some(folder) }, relative))
    }

    /// The numbers of the files that stay as they are.
    pub fn fixed(&self) -> &BTreeSet<usize> {
        &self.fixed
    }

    /// Reads all that `reader` gives, as a file of this name.
    pub fn read_from(name: impl AsRef<Path>, reader: impl Read) -> Result<Self, InputError> {
        let mut bytes = Vec::new();
        reader.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(InputError::Unreadable)?;
        if bytes.len() as u64 > MAX_FILE_BYTES { Err(InputError::TooLarge) } else { Ok(Self::new(name, bytes)) }
    }

    /// The same origin with other content or another name.
    #[must_use]
    pub fn with_candidate(self, candidate: Candidate) -> Self {
        Self { candidate, ..self }
    }

    /// The files.
    pub fn candidate(&self) -> &Candidate {
        &self.candidate
    }

    /// The folder below which several files were read.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Where it was read, if it was.
    pub fn origin(&self) -> Option<&Origin> {
        self.origin.as_ref()
    }
}

impl From<Candidate> for Input {
    fn from(candidate: Candidate) -> Self {
        Self { candidate, origin: None, fixed: BTreeSet::new(), folder: None }
    }
}
