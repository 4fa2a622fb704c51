//! Reads a project from disk.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::{self, FileType, Metadata};
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};

use ignore::WalkBuilder;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use whittle_search::{Candidate, File, Kind};

/// The largest file that is read: positions in a file are 32-bit numbers.
const MAX_FILE_BYTES: u64 = u32::MAX as u64;

/// Folders of version control. They are no part of what is built, and often larger than that.
const VERSION_CONTROL: [&str; 5] = [".git", ".hg", ".jj", ".svn", "CVS"];

/// Which files of a project are read, and which of them may change. Patterns are those of `.gitignore` files.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// What matches one of these does not change.
    pub keep: Vec<String>,
    /// If there are any, what matches none of these does not change.
    pub only: Vec<String>,
    /// Whether files that `.gitignore` files name are left out.
    pub git_ignore: bool,
}

/// A project that was read.
#[derive(Clone, Debug)]
pub struct Project {
    /// Its files.
    pub candidate: Candidate,
    /// The numbers of those that must stay as they are.
    pub fixed: BTreeSet<usize>,
    /// Something in the folder that is not part of the project, if there is anything.
    pub left_out: Option<PathBuf>,
}

/// Why a project cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    /// A file or folder cannot be read.
    #[error("{} cannot be read: {error}", path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Something that is neither a file, a link nor a folder.
    #[error("{} is {what}, which cannot be part of a candidate", path.display())]
    Unusual {
        /// Where it is.
        path: PathBuf,
        /// What it is.
        what: &'static str,
    },
    /// A file is larger than a list can be.
    #[error("{} is larger than 4 GiB", .0.display())]
    TooLarge(PathBuf),
    /// A pattern is wrong.
    #[error("the pattern {pattern} is wrong: {reason}")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// Why it is wrong.
        reason: String,
    },
    /// A pattern that means nothing here is most likely a mistake.
    #[error("no file matches the pattern {0}")]
    Unmatched(String),
    /// There is nothing to reduce.
    #[error("there is no file in it that may change")]
    NothingToReduce,
    /// One path is given twice, or two paths lead to one place.
    #[error("{} is given twice", .0.display())]
    Twice(PathBuf),
}

/// Reads a folder with everything in it.
pub fn read_folder(folder: &Path, selection: &Selection) -> Result<Project, ProjectError> {
    let mut walk = WalkBuilder::new(folder);
    walk.standard_filters(false).follow_links(false).require_git(false);
    walk.git_ignore(selection.git_ignore).git_exclude(selection.git_ignore).parents(selection.git_ignore);
    walk.filter_entry(|entry| entry.depth() == 0 || !is_version_control(entry.file_name()));
    let mut files = Vec::new();
    let mut folders = BTreeMap::new();
    for entry in walk.build() {
        let entry = entry.map_err(|error| unreadable(folder, error))?;
        let path = entry.path();
        let relative = path.strip_prefix(folder).unwrap_or(path);
        if let Some(parent) = relative.parent() {
            folders.insert(parent.to_owned(), true);
        }
        let metadata = fs::symlink_metadata(path).map_err(|error| cannot_read(path, error))?;
        match metadata.is_dir() {
            true => drop(folders.entry(relative.to_owned()).or_insert(false)),
            false => files.push(read_file(path, relative, &metadata)?),
        }
    }
    let empty = folders.into_iter().filter(|(path, is_used)| !is_used && !path.as_os_str().is_empty());
    files.extend(empty.map(|(path, _)| File::new(path, Kind::Folder, Vec::new())));
    let left_out = first_left_out(folder, selection, &files);
    Project::new(files, selection, left_out)
}

/// Reads several files. Their paths stay as they are given, if they are all relative; else they are relative to the
/// innermost folder that holds all of them. The second part of the result has these paths in the order in which they were
/// given, the third the folder to which they are relative.
pub fn read_files(paths: &[PathBuf], selection: &Selection) -> Result<(Project, Vec<PathBuf>, PathBuf), ProjectError> {
    let (relative, folder) = relative_paths(paths)?;
    let mut files = Vec::new();
    for (path, relative) in paths.iter().zip(&relative) {
        // A link that somebody names is meant for what it points to.
        let metadata = fs::metadata(path).map_err(|error| cannot_read(path, error))?;
        if metadata.is_dir() {
            let what = "a folder among files";
            return Err(ProjectError::Unusual { path: path.clone(), what });
        }
        files.push(read_file(path, relative, &metadata)?);
    }
    Ok((Project::new(files, selection, None)?, relative, folder))
}

impl Project {
    fn new(files: Vec<File>, selection: &Selection, left_out: Option<PathBuf>) -> Result<Self, ProjectError> {
        let candidate = Candidate::project(files);
        let (keep, only) = (matcher(&selection.keep)?, matcher(&selection.only)?);
        for pattern in selection.keep.iter().chain(&selection.only) {
            let alone = matcher(std::slice::from_ref(pattern))?;
            if !candidate.files().iter().any(|file| matches(&alone, file)) {
                return Err(ProjectError::Unmatched(pattern.clone()));
            }
        }
        let is_fixed = |file: &&File| matches(&keep, file) || (!only.is_empty() && !matches(&only, file));
        let fixed: BTreeSet<usize> = candidate.files().iter().filter(is_fixed).map(File::number).collect();
        if fixed.len() == candidate.files().len() {
            return Err(ProjectError::NothingToReduce);
        }
        Ok(Self { candidate, fixed, left_out })
    }
}

fn matches(matcher: &Gitignore, file: &File) -> bool {
    matcher.matched_path_or_any_parents(file.path(), file.kind() == Kind::Folder).is_ignore()
}

fn is_version_control(name: &OsStr) -> bool {
    VERSION_CONTROL.iter().any(|known| name == *known)
}

fn read_file(path: &Path, relative: &Path, metadata: &Metadata) -> Result<File, ProjectError> {
    if let Some(what) = unusual(metadata.file_type()) {
        return Err(ProjectError::Unusual { path: path.to_owned(), what });
    }
    if metadata.len() > MAX_FILE_BYTES {
        return Err(ProjectError::TooLarge(path.to_owned()));
    }
    let is_executable = metadata.permissions().mode() & 0o111 != 0;
    let (kind, bytes) = match metadata.is_symlink() {
        true => (Kind::Link, fs::read_link(path).map(|target| target.into_os_string().into_vec())),
        false => (if is_executable { Kind::Executable } else { Kind::Plain }, fs::read(path)),
    };
    Ok(File::new(relative, kind, bytes.map_err(|error| cannot_read(path, error))?))
}

fn unusual(kind: FileType) -> Option<&'static str> {
    let kinds = [
        (kind.is_socket(), "a socket"),
        (kind.is_fifo(), "a fifo"),
        (kind.is_block_device() || kind.is_char_device(), "a device"),
    ];
    kinds.into_iter().find(|(is_it, _)| *is_it).map(|(_, what)| what)
}

fn cannot_read(path: &Path, error: io::Error) -> ProjectError {
    ProjectError::Unreadable { path: path.to_owned(), error }
}

fn unreadable(folder: &Path, error: ignore::Error) -> ProjectError {
    let path = path_of(&error).unwrap_or(folder).to_owned();
    let shown = error.to_string();
    ProjectError::Unreadable { path, error: error.into_io_error().unwrap_or_else(|| io::Error::other(shown)) }
}

fn path_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => path_of(err),
        _ => None,
    }
}

/// A file or folder that the walk did not visit.
fn first_left_out(folder: &Path, selection: &Selection, files: &[File]) -> Option<PathBuf> {
    let everything = WalkBuilder::new(folder).standard_filters(false).follow_links(false).build();
    let read: BTreeSet<&Path> = files.iter().flat_map(|file| file.path().ancestors()).collect();
    let is_left_out = |path: &Path| !read.contains(path);
    // The walk before left out nothing else, unless `.gitignore` files counted.
    let relative = everything.flatten().filter_map(|entry| Some(entry.path().strip_prefix(folder).ok()?.to_owned()));
    let mut relative = relative.filter(|path| !path.as_os_str().is_empty());
    relative.find(|path| (selection.git_ignore || path.iter().any(is_version_control)) && is_left_out(path))
}

fn matcher(patterns: &[String]) -> Result<Gitignore, ProjectError> {
    let mut builder = GitignoreBuilder::new("");
    let wrong = |pattern: &str, error: ignore::Error| ProjectError::Pattern {
        pattern: pattern.to_owned(),
        reason: error.to_string(),
    };
    for pattern in patterns {
        builder.add_line(None, pattern).map_err(|error| wrong(pattern, error))?;
    }
    builder.build().map_err(|error| wrong(&patterns.join(" "), error))
}

/// Under which paths files are known that are given by `paths`, and below which folder.
fn relative_paths(paths: &[PathBuf]) -> Result<(Vec<PathBuf>, PathBuf), ProjectError> {
    let plain = |path: &PathBuf| -> PathBuf { path.components().filter(|part| *part != Component::CurDir).collect() };
    let is_inside = |path: &PathBuf| path.components().all(|part| matches!(part, Component::Normal(_)));
    let mut relative: Vec<PathBuf> = paths.iter().map(plain).collect();
    let mut folder = PathBuf::from(".");
    if !relative.iter().all(is_inside) {
        let absolute = |path: &PathBuf| fs::canonicalize(path).map_err(|error| cannot_read(path, error));
        let absolute = paths.iter().map(absolute).collect::<Result<Vec<_>, _>>()?;
        let common = absolute.iter().skip(1).fold(folder_of(&absolute[0]), |common, path| shared(&common, path));
        relative = absolute.iter().map(|path| path.strip_prefix(&common).unwrap_or(path).to_owned()).collect();
        folder = common;
    }
    let mut seen = BTreeSet::new();
    match relative.iter().find(|path| !seen.insert(*path)) {
        Some(twice) => Err(ProjectError::Twice(twice.clone())),
        None => Ok((relative, folder)),
    }
}

fn folder_of(path: &Path) -> PathBuf {
    path.parent().unwrap_or(path).to_owned()
}

/// The innermost folder around both.
fn shared(folder: &Path, path: &Path) -> PathBuf {
    let parent = folder_of(path);
    folder.components().zip(parent.components()).take_while(|(a, b)| a == b).map(|(part, _)| part).collect()
}

#[cfg(test)]
mod tests;
