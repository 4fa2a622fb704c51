//! The extension module of the Python package `whittle`.
//!
//! It is thin: options are words of the command line, checked by the library; results are plain values. The package's
//! Python files make typed functions and classes of that. The whole command is in here too, so one file is both.

mod calling;
mod outcome;
mod player;
mod predicate;
mod program;
mod reducing;

use pyo3::prelude::*;

/// The module that Python imports.
#[pymodule]
mod _whittle {
    #[pymodule_export]
    use super::player::{Interrupted, Player};
    #[pymodule_export]
    use super::program::{file_name, languages, main, version};
    #[pymodule_export]
    use super::reducing::{reduce, reduce_generator};
}
