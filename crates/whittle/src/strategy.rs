//! Which passes run, in which order, until when.
//!
//! Each unit of text is one pass: cut the file, try the empty one, let a list minimizer delete elements. Passes run
//! from coarse to fine, again and again, until a whole round of them finds nothing. Only the strategy loops.

use whittle_lists::{Algorithm, TooLong, Unit, Units};
use whittle_search::{Search, Stop};

/// Reduces every file of the best candidate by units of text, to a fixpoint.
#[derive(Clone, Debug)]
pub struct Strategy {
    /// What to cut files into, coarse to fine.
    pub units: Vec<Unit>,
    /// How to choose among the pieces.
    pub algorithm: Algorithm,
}

/// Why a strategy ended without an answer to "is anything left to remove?".
#[derive(Debug, thiserror::Error)]
pub enum Unfinished {
    /// The search was stopped.
    #[error(transparent)]
    Stopped(#[from] Stop),
    /// A file is larger than a list can be.
    #[error(transparent)]
    TooLong(#[from] TooLong),
}

impl Strategy {
    /// The units for `bytes`: lines, then words, then characters; bytes in place of characters if it is not text.
    pub fn units_for(bytes: &[u8]) -> Vec<Unit> {
        let smallest = if std::str::from_utf8(bytes).is_ok() { Unit::Char } else { Unit::Byte };
        vec![Unit::Line, Unit::Word, smallest]
    }

    /// Runs all passes until none of them finds anything.
    pub fn run(&self, search: &mut Search) -> Result<(), Unfinished> {
        loop {
            let before = search.best().candidate.fingerprint();
            for &unit in &self.units {
                search.pass(&format!("{unit}s"), |search| self.reduce_by(unit, search))?;
            }
            if search.best().candidate.fingerprint() == before {
                return Ok(());
            }
        }
    }

    /// Deletes pieces of every file. A second run that finds nothing to delete changes nothing.
    fn reduce_by(&self, unit: Unit, search: &mut Search) -> Result<(), Unfinished> {
        for index in 0..search.best().candidate.files().len() {
            search.attempt(search.best().candidate.with_bytes(index, Vec::new()))?;
            let base = search.best().candidate.clone();
            let units = Units::cut(base.files()[index].shared_bytes(), unit)?;
            let minimizer = self.algorithm.minimizer(&units.weights());
            search.run(minimizer, move |kept| Some(base.with_bytes(index, units.render(kept))))?;
        }
        Ok(())
    }
}
