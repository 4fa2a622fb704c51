//! [`ResultFile`]: where the result goes, what it must not replace, and what is kept beside it.

use std::path::PathBuf;

use whittle_search::{Listener, Measured};

use super::history::{History, HistoryFile};
use super::{Place, Reduction, ReductionError};
use crate::output::{Output, keep_original, keep_original_folder, save_elsewhere};

/// The result on disk, if it goes there.
pub(super) struct ResultFile {
    output: Option<Output>,
    /// Where the original is, if the result takes its place.
    pub(super) original: Option<PathBuf>,
    /// What an earlier run left as its result: nothing larger replaces it.
    floor: Option<Measured>,
    /// Where the history goes, and what it is about.
    history: Option<(PathBuf, String)>,
}

impl ResultFile {
    /// Makes sure that the result can be written before any work is done.
    pub(super) fn prepare(
        reduction: &Reduction,
        input: &Measured,
        floor: Option<Measured>,
        binding: Option<String>,
    ) -> Result<Self, ReductionError> {
        let Some(place) = &reduction.output else {
            return Ok(Self { output: None, original: None, floor, history: None });
        };
        let origin = reduction.input.origin();
        let (path, stamp) = match place {
            Place::Beside(path) => (path, None),
            Place::InPlace(path) => (path, origin.map(|origin| origin.stamp.clone())),
        };
        let refuse = |error| ReductionError::Output { path: path.clone(), error };
        let permissions = origin.map(|origin| origin.permissions.clone());
        let output = Output::new(path.clone(), permissions, stamp, floor.clone());
        let (original, history) = match place {
            Place::InPlace(path) => {
                let kept = match input.candidate.is_project() {
                    true => keep_original_folder(path, &input.candidate),
                    false => keep_original(path, input.candidate.files()[0].bytes()),
                };
                (Some(kept.map_err(refuse)?), None)
            }
            Place::Beside(path) => (None, binding.filter(|_| reduction.history).map(|b| (HistoryFile::place(path), b))),
        };
        output.write(input).map_err(refuse)?;
        Ok(Self { output: Some(output), original, floor, history })
    }

    /// Hands improvements to the file.
    pub(super) fn listener(&self) -> Option<Box<dyn Listener>> {
        self.output.as_ref().map(|output| Box::new(output.listener()) as Box<dyn Listener>)
    }

    /// Writes `best` for good, and gives what is the result then: `best`, or what was there and is smaller.
    pub(super) fn finish(
        &mut self,
        best: Measured,
        first: &Measured,
        history: &History,
    ) -> Result<(Measured, Option<PathBuf>), ReductionError> {
        let path = self.output.take().map(|output| save(output, &best)).transpose()?;
        if let Some(floor) = self.floor.take().filter(|floor| floor.is_smaller_than(&best)) {
            return Ok((floor, path));
        }
        if let Some((place, binding)) = self.history.take() {
            // If it cannot be written, the result is there all the same.
            let _ = HistoryFile::new(binding, first, history, &best).write(&place);
        }
        Ok((best, path))
    }
}

/// Writes the result for good; if its place fails, to the folder for temporary files, so that it is not lost.
fn save(output: Output, best: &Measured) -> Result<PathBuf, ReductionError> {
    let path = output.path().to_owned();
    let Err(error) = output.finish(best) else { return Ok(path) };
    match save_elsewhere(&path, &best.candidate) {
        Ok(kept) => Err(ReductionError::Misplaced { path, error, kept }),
        Err(_) => Err(ReductionError::Output { path, error }),
    }
}
