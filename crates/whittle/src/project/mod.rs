//! Projects: folders and several files as one input.
//!
//! A project is read once, without following links. What is neither a file, a link nor a folder is refused by name, and so
//! is what cannot be read: a result that silently lacks a part of its input would be no result.

mod mentions;
mod read;

pub use mentions::Mentions;
pub use read::{Project, ProjectError, Selection, read_files, read_folder};
