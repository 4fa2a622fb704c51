//! [`Input`]: what a reduction starts from.

use std::fs::{self, Permissions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use whittle_search::Candidate;

use crate::output::Stamp;

/// The largest file that is read: positions in a file are 32-bit numbers.
const MAX_FILE_BYTES: u64 = u32::MAX as u64;

/// The files to reduce, from memory or from disk.
#[derive(Clone, Debug)]
pub struct Input {
    candidate: Candidate,
    origin: Option<Origin>,
}

/// The file that an input was read from.
#[derive(Clone, Debug)]
pub struct Origin {
    /// Where it is.
    pub path: PathBuf,
    /// What it is allowed; results get the same.
    pub permissions: Permissions,
    /// Shows whether it is still the file that was read.
    pub stamp: Stamp,
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
        let origin = Origin { path: path.to_owned(), permissions: metadata.permissions(), stamp };
        Ok(Self { candidate: Candidate::single(name, bytes), origin: Some(origin) })
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

    /// Where it was read, if it was.
    pub fn origin(&self) -> Option<&Origin> {
        self.origin.as_ref()
    }
}

impl From<Candidate> for Input {
    fn from(candidate: Candidate) -> Self {
        Self { candidate, origin: None }
    }
}
