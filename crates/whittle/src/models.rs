//! Models on disk and in the binary: what `whittle learn` writes, and what was learned for the default languages.
//!
//! A model is a text, compressed by gzip or not. Those in the binary are files of the folder `models`, one row each
//! here. `docs/models.md` says what they were learned from, and how to learn them again.

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

static SHIPPED: &[Row] = &[
    ("bash", include_bytes!("../models/bash.model.gz")),
    ("c", include_bytes!("../models/c.model.gz")),
    ("cpp", include_bytes!("../models/cpp.model.gz")),
    ("css", include_bytes!("../models/css.model.gz")),
    ("go", include_bytes!("../models/go.model.gz")),
    ("html", include_bytes!("../models/html.model.gz")),
    ("java", include_bytes!("../models/java.model.gz")),
    ("javascript", include_bytes!("../models/javascript.model.gz")),
    ("json", include_bytes!("../models/json.model.gz")),
    ("lua", include_bytes!("../models/lua.model.gz")),
    ("php", include_bytes!("../models/php.model.gz")),
    ("python", include_bytes!("../models/python.model.gz")),
    ("ruby", include_bytes!("../models/ruby.model.gz")),
    ("rust", include_bytes!("../models/rust.model.gz")),
    ("sql", include_bytes!("../models/sql.model.gz")),
    ("toml", include_bytes!("../models/toml.model.gz")),
    ("tsx", include_bytes!("../models/tsx.model.gz")),
    ("typescript", include_bytes!("../models/typescript.model.gz")),
    ("xml", include_bytes!("../models/xml.model.gz")),
    ("yaml", include_bytes!("../models/yaml.model.gz")),
];

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_in_the_binary_can_be_read_and_is_of_the_language_of_its_row() {
        for (name, _) in SHIPPED {
            let model = shipped(name).unwrap();
            assert_eq!(model.language, *name);
            assert!(model.files > 0 && model.pairs() > 0, "{name}");
        }
    }

    #[test]
    fn the_models_know_what_the_paper_says_of_an_if_statement() {
        let model = shipped("javascript").unwrap();
        let edges = ["condition", "consequence", "alternative"];
        assert_eq!(edges.map(|edge| model.is_mandatory("if_statement", edge)), [true, true, false]);
        assert!(!model.can_stand("variable_declarator", ("statement_block", "statement")));
        assert!(model.can_stand("variable_declaration", ("statement_block", "statement")));
    }

    #[test]
    fn an_operator_has_both_operands_however_its_lines_are_broken() {
        let model = shipped("python").unwrap();
        let edges = ["left", "operator", "right"];
        assert_eq!(edges.map(|edge| model.is_mandatory("binary_operator", edge)), [true; 3]);
    }

    #[test]
    fn a_semicolon_that_only_style_asks_for_may_go() {
        let statements = ["lexical_declaration", "expression_statement", "return_statement", "import_statement"];
        for name in ["javascript", "typescript", "tsx"] {
            let model = shipped(name).unwrap();
            assert_eq!(statements.map(|label| model.is_mandatory(label, ";")), [false; 4], "{name}");
        }
    }

    #[test]
    fn what_is_no_model_is_refused_compressed_or_not() {
        assert!(matches!(decode(b"text"), Err(ReadError::Model(ModelError::Foreign))));
        assert!(matches!(decode(&[0x1f, 0x8b, 0]), Err(ReadError::Io(_))));
        assert!(matches!(decode(&[0xff]), Err(ReadError::Io(_))));
    }
}
