//! A command line: split like a shell does, but run without one.
//!
//! In each word, also in a quoted one, `{}` stands for the candidate's file name and `{cwd}` for the folder in which
//! the user called Whittle. Other braces stand for themselves, so that `awk '{print}'` works. The command runs in the
//! scratch folder that holds the candidate, so the name is relative; a name that begins with `-` gets `./` in front, so
//! that it is not taken for an option.
//!
//! Of all words, only the program is resolved against the user's folder: with a slash it is a path, without one it is
//! left to be looked up on the `PATH`. Either way it must be there, and executable, when the command line is parsed.
//! A program word with `{}` runs the candidate itself and is not resolved.
//!
//! For pipes, redirections and variables there is `sh -c '…'`: `sh -c 'gcc -c "$1" 2>&1 | grep fault' sh {}`.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use nix::unistd::{AccessFlags, access};
use serde::{Deserialize, Serialize};

use super::split::{SplitError, split};

/// A command line whose program was found.
///
/// ```
/// use std::ffi::OsStr;
/// use std::path::Path;
/// use whittle_property::conditions::CommandLine;
///
/// let command = CommandLine::parse("sh '{cwd}/my test.sh' --in={}", Path::new("/home/me"))?;
/// assert_eq!(command.words(OsStr::new("bug.c")), ["sh", "/home/me/my test.sh", "--in=bug.c"]);
/// assert!(command.mentions_candidate());
///
/// let error = CommandLine::parse("./missing.sh {}", Path::new("/home/me")).unwrap_err();
/// assert_eq!(error.to_string(), "/home/me/missing.sh does not exist");
/// # Ok::<(), whittle_property::conditions::CommandLineError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandLine {
    text: String,
    words: Vec<Word>,
    program_file: Option<PathBuf>,
}

impl CommandLine {
    /// Splits `text`, which a user wrote in the folder `cwd` (an absolute path), and looks for its program.
    pub fn parse(text: &str, cwd: &Path) -> Result<Self, CommandLineError> {
        Self::parse_on(text, cwd, &env::var_os("PATH").unwrap_or_default())
    }

    fn parse_on(text: &str, cwd: &Path, path: &OsStr) -> Result<Self, CommandLineError> {
        let words = split(text)?;
        let mut words: Vec<Word> = words.iter().map(|word| Word::new(word, cwd)).collect();
        let program = words.first_mut().ok_or(CommandLineError::Empty)?;
        let program_file = program.resolve(cwd, path)?;
        Ok(Self { text: text.to_owned(), words, program_file })
    }

    /// The words for the candidate of this file name: the program, then its arguments. Never empty.
    pub fn words(&self, candidate: &OsStr) -> Vec<OsString> {
        self.words.iter().map(|word| word.with(candidate)).collect()
    }

    /// Whether `{}` occurs. If not, and the candidate is not fed on standard input either, something is wrong.
    pub fn mentions_candidate(&self) -> bool {
        self.words.iter().any(Word::mentions_candidate)
    }

    /// The file in which the program was found, or none if the candidate is the program.
    pub fn program_file(&self) -> Option<&Path> {
        self.program_file.as_deref()
    }

    /// The same command line where files have moved: each pair is an absolute path and the one that takes its place, be it in
    /// the middle of a word.
    #[must_use]
    pub fn relocated(&self, moved: &[(PathBuf, PathBuf)]) -> Self {
        let piece = |piece: &OsString| moved.iter().fold(piece.clone(), |piece, (from, to)| replaced(&piece, from, to));
        let words = self.words.iter().map(|word| Word(word.0.iter().map(piece).collect())).collect();
        let program_file = self.program_file.as_ref().map(|file| piece(&file.clone().into()).into());
        Self { text: self.text.clone(), words, program_file }
    }
}

/// As typed.
impl fmt::Display for CommandLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The pieces of a word between which the candidate's file name stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Word(Vec<OsString>);

impl Word {
    fn new(word: &str, cwd: &Path) -> Self {
        Self(word.split("{}").map(|piece| with_folder(piece, cwd)).collect())
    }

    fn mentions_candidate(&self) -> bool {
        self.0.len() > 1
    }

    fn with(&self, candidate: &OsStr) -> OsString {
        let word = self.0.join(candidate);
        let is_named_first = self.mentions_candidate() && self.0[0].is_empty();
        if is_named_first && word.as_bytes().starts_with(b"-") { Path::new(".").join(word).into() } else { word }
    }

    /// Resolves this word as a program, and gives its file.
    fn resolve(&mut self, cwd: &Path, path: &OsStr) -> Result<Option<PathBuf>, CommandLineError> {
        if self.mentions_candidate() {
            // Without a slash, the name would be looked up on the PATH.
            if !self.0.iter().any(|piece| has_slash(piece)) {
                self.0[0] = Path::new(".").join(&self.0[0]).into();
            }
            return Ok(None);
        }
        let program = &self.0[0];
        if has_slash(program) {
            // Through its components, so that a `./` inside goes.
            let file = check_program(cwd.join(program).components().collect())?;
            self.0[0] = file.clone().into();
            return Ok(Some(file));
        }
        let folder = look_up(program, cwd, path)?;
        let file = cwd.join(&folder).join(program);
        if folder.is_relative() {
            // The command runs in another folder, where this part of the PATH would lead elsewhere.
            self.0[0] = file.clone().into();
        }
        Ok(Some(file))
    }
}

/// `text` with a path in place of another. A path that goes on is another one.
fn replaced(text: &OsStr, from: &Path, to: &Path) -> OsString {
    let (bytes, from, to) = (text.as_bytes(), from.as_os_str().as_bytes(), to.as_os_str().as_bytes());
    let goes_on = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'.' | b'_' | b'-');
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(byte) = bytes.get(at) {
        let rest = &bytes[at..];
        let begins = at == 0 || !goes_on(&bytes[at - 1]);
        if begins && rest.starts_with(from) && !rest.get(from.len()).is_some_and(goes_on) {
            out.extend_from_slice(to);
            at += from.len();
        } else {
            out.push(*byte);
            at += 1;
        }
    }
    OsString::from_vec(out)
}

fn with_folder(piece: &str, cwd: &Path) -> OsString {
    piece.split("{cwd}").map(OsStr::new).collect::<Vec<_>>().join(cwd.as_os_str())
}

fn has_slash(word: &OsStr) -> bool {
    word.as_bytes().contains(&b'/')
}

fn check_program(file: PathBuf) -> Result<PathBuf, CommandLineError> {
    match fs::metadata(&file) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(CommandLineError::Missing { file }),
        Err(error) => Err(CommandLineError::Unreadable { file, reason: error.to_string() }),
        Ok(metadata) if metadata.is_dir() => Err(CommandLineError::Folder { file }),
        Ok(_) if !is_executable(&file) => Err(CommandLineError::NotExecutable { file }),
        Ok(_) => Ok(file),
    }
}

fn is_executable(file: &Path) -> bool {
    file.is_file() && access(file, AccessFlags::X_OK).is_ok()
}

/// The folder of the `PATH` in which the program is.
fn look_up(program: &OsStr, cwd: &Path, path: &OsStr) -> Result<PathBuf, CommandLineError> {
    env::split_paths(path)
        .find(|folder| is_executable(&cwd.join(folder).join(program)))
        .ok_or_else(|| not_on_path(&program.to_string_lossy(), cwd))
}

fn not_on_path(program: &str, cwd: &Path) -> CommandLineError {
    let remedy = if program.contains('=') {
        format!("; to set a variable, write: env {program} …")
    } else if cwd.join(program).is_file() {
        format!("; for the one in this folder, write: ./{program}")
    } else {
        String::new()
    };
    CommandLineError::NotOnPath { program: program.to_owned(), remedy }
}

/// Why a command line cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandLineError {
    /// It has no words.
    #[error("the command is empty")]
    Empty,
    /// A quotation mark is not closed.
    #[error("the quotation mark {0} is not closed")]
    Unclosed(char),
    /// The last character is a backslash.
    #[error("the backslash at the end has nothing to quote")]
    LoneBackslash,
    /// A character that means something to a shell.
    #[error("`{0}` needs a shell, and there is none: quote it to pass it on as it is, or write: sh -c '…'")]
    NeedsShell(char),
    /// The program is not on the `PATH`.
    #[error("there is no program {program} on the PATH{remedy}")]
    NotOnPath {
        /// Its name.
        program: String,
        /// What to write instead, if that is likely.
        remedy: String,
    },
    /// The program does not exist.
    #[error("{} does not exist", file.display())]
    Missing {
        /// Its path.
        file: PathBuf,
    },
    /// The program cannot be looked at.
    #[error("{} cannot be read: {reason}", file.display())]
    Unreadable {
        /// Its path.
        file: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// The program is a folder.
    #[error("{} is a folder", file.display())]
    Folder {
        /// Its path.
        file: PathBuf,
    },
    /// The program is not executable.
    #[error("{0} is not executable; try: chmod +x {0}", file.display())]
    NotExecutable {
        /// Its path.
        file: PathBuf,
    },
}

impl From<SplitError> for CommandLineError {
    fn from(error: SplitError) -> Self {
        match error {
            SplitError::Unclosed(quote) => Self::Unclosed(quote),
            SplitError::LoneBackslash => Self::LoneBackslash,
            SplitError::NeedsShell(character) => Self::NeedsShell(character),
        }
    }
}

#[cfg(test)]
mod tests;
