//! Models on disk and in the binary: what `whittle learn` writes, and what was learned for the default languages.
//!
//! A model is a text, compressed by gzip or not. Those in the binary are files of the folder `models`, one row each here.
//! What they were learned from, and how to learn them anew, is told in `docs/models.md`.

use std::fs;
use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;
use thiserror::Error;
use whittle_trees::gtr::{Model, ModelError};

/// Why a model could not be read from a file.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The file cannot be read, or is no text.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// It is no model.
    #[error(transparent)]
    Model(#[from] ModelError),
}

/// The name of a grammar, and the model of its language.
type Row = (&'static str, &'static [u8]);

static SHIPPED: &[Row] = &[];

/// The model in the binary for a grammar, by its name.
pub fn shipped(grammar: &str) -> Option<Model> {
    let (_, bytes) = SHIPPED.iter().find(|(name, _)| *name == grammar)?;
    Some(decode(bytes).expect("compiled in, and a test reads each of them"))
}

/// Reads a model from a file.
pub fn read(path: &Path) -> Result<Model, ReadError> {
    decode(&fs::read(path)?)
}

fn decode(bytes: &[u8]) -> Result<Model, ReadError> {
    let mut text = String::new();
    if bytes.starts_with(&[0x1f, 0x8b]) {
        GzDecoder::new(bytes).read_to_string(&mut text)?;
    } else {
        { bytes }.read_to_string(&mut text)?;
    }
    Ok(Model::parse(&text)?)
}
