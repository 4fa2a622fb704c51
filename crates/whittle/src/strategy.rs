//! Which passes run, in which order, until when.
//!
//! A step reduces every file of the best candidate by trees, by units of text or token by token. Steps run from coarse to fine, again
//! and again, until a whole round of them finds nothing. Only the strategy loops.

use whittle_lists::{Algorithm, ProbabilityOptions, TooLong, Unit, Units};
use whittle_search::{Search, Stop};
use whittle_tokens::{TokenAlgorithm, TokenReducer};
use whittle_trees::{Limits, TreeAlgorithm, TreeReducer, Workshop};

/// What is done to make a candidate small.
#[derive(Clone, Debug, PartialEq)]
pub struct Strategy {
    /// What is done, coarse to fine.
    pub steps: Vec<Step>,
    /// Whether that is repeated until nothing changes.
    pub repeated: bool,
}

/// One way to reduce a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// As a list of pieces of text.
    Text(Unit, Algorithm),
    /// As a tree.
    Tree(TreeAlgorithm),
    /// Token by token.
    Tokens(TokenAlgorithm),
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
    /// The default for a file of a known language: its tree, then what is left by lines and characters. What is too long
    /// for the parser goes by lines and words first: they need little memory, and once it is short it has a better tree.
    pub fn for_syntax(bytes: &[u8]) -> Self {
        let lists = Algorithm::Wprobdd(ProbabilityOptions::default()).swept();
        let tree = Step::Tree(TreeAlgorithm { reducer: TreeReducer::Perses, repeated: true, lists });
        let by = |unit: Unit| Step::Text(unit, Algorithm::default());
        let mut steps = vec![tree, by(Unit::Line), by(smallest_unit(bytes))];
        if bytes.len() > Limits::default().bytes {
            steps.splice(0..0, [by(Unit::Line), by(Unit::Word)]);
        }
        Self { steps, repeated: true }
    }

    /// A file as text alone: lines, then words, then characters; bytes in place of characters if it is not text.
    pub fn for_text(bytes: &[u8], algorithm: Algorithm) -> Self {
        let units = [Unit::Line, Unit::Word, smallest_unit(bytes)];
        Self { steps: units.map(|unit| Step::Text(unit, algorithm)).to_vec(), repeated: true }
    }

    /// One tree algorithm and nothing else.
    pub fn of_tree(algorithm: TreeAlgorithm) -> Self {
        Self { steps: vec![Step::Tree(algorithm)], repeated: false }
    }

    /// A tree algorithm and a token algorithm in turn until neither finds anything: Algorithm 1 of T-Rec.
    pub fn of_tokens(tree: TreeAlgorithm, tokens: TokenAlgorithm) -> Self {
        Self { steps: vec![Step::Tree(tree), Step::Tokens(tokens)], repeated: true }
    }

    /// Whether it ends only when nothing more can be removed by its own means.
    pub fn is_fixpoint(&self) -> bool {
        self.repeated || self.steps.iter().all(|step| matches!(step, Step::Tree(algorithm) if algorithm.repeated))
    }

    /// Runs all steps, if they are to be repeated until none of them finds anything. There is a workshop for each file.
    pub fn run(&self, search: &mut Search, workshops: &[Workshop]) -> Result<(), Unfinished> {
        let mut ended = vec![None; self.steps.len()];
        let mut round = |search: &mut Search| {
            self.steps.iter().zip(&mut ended).try_for_each(|(step, ended)| {
                let before = search.best().candidate.fingerprint();
                if *ended != Some(before) || !step.is_thorough() {
                    step.run(search, workshops)?;
                    *ended = Some(search.best().candidate.fingerprint());
                }
                Ok(())
            })
        };
        if self.repeated { search.fixpoint(round) } else { round(search) }
    }
}

impl Step {
    /// Whether it leaves nothing that is worth a second run before something else has changed.
    fn is_thorough(&self) -> bool {
        matches!(self, Self::Tokens(TokenAlgorithm { reducer: TokenReducer::Canon, .. }))
    }

    fn run(&self, search: &mut Search, workshops: &[Workshop]) -> Result<(), Unfinished> {
        match self {
            Self::Text(unit, algorithm) => {
                search.pass(&format!("{unit}s"), |search| reduce_by(*unit, *algorithm, search))
            }
            Self::Tokens(algorithm) => Ok(workshops.iter().try_for_each(|workshop| algorithm.run(search, workshop))?),
            Self::Tree(algorithm) => Ok(workshops.iter().try_for_each(|workshop| algorithm.run(search, workshop))?),
        }
    }
}

fn smallest_unit(bytes: &[u8]) -> Unit {
    if std::str::from_utf8(bytes).is_ok() { Unit::Char } else { Unit::Byte }
}

/// Deletes pieces of every file. A second run that finds nothing to delete changes nothing.
fn reduce_by(unit: Unit, algorithm: Algorithm, search: &mut Search) -> Result<(), Unfinished> {
    for index in 0..search.best().candidate.files().len() {
        search.attempt(search.best().candidate.with_bytes(index, Vec::new()))?;
        let base = search.best().candidate.clone();
        let units = Units::cut(base.files()[index].shared_bytes(), unit)?;
        let minimizer = algorithm.minimizer(&units.weights());
        search.run(minimizer, move |kept| Some(base.with_bytes(index, units.render(kept))))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_for_the_parser_goes_by_lines_and_words_first() {
        let first = |len: usize| Strategy::for_syntax(&vec![b' '; len]).steps.swap_remove(0);
        let limit = Limits::default().bytes;
        assert!(matches!(first(limit), Step::Tree(_)));
        assert!(matches!(first(limit + 1), Step::Text(Unit::Line, _)));
    }
}
