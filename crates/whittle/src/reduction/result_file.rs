//! [`ResultFile`]: where the result goes, what it must not replace, and what is kept beside it.

use std::io;
use std::path::PathBuf;

use whittle_search::{Candidate, Listener, Measured};

use super::history::{History, HistoryFile};
use super::{Place, Reduction, ReductionError};
use crate::output::{Output, keep_original, keep_original_folder, save_elsewhere};

/// The result on disk, if it goes there.
pub(super) struct ResultFile {
    output: Option<Output>,
    /// Where the originals are, if the result takes their place and copies were made.
    pub(super) originals: Vec<PathBuf>,
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
            return Ok(Self { output: None, originals: Vec::new(), floor, history: None });
        };
        let origin = reduction.input.origin();
        let (Place::Beside(path) | Place::Over(path) | Place::Files(path)) = place;
        let refuse = |error| ReductionError::Output { path: path.clone(), error };
        let permissions = origin.map(|origin| origin.permissions.clone());
        let stamp = origin.filter(|_| matches!(place, Place::Over(_))).map(|origin| origin.stamp.clone());
        let output = match place {
            Place::Files(folder) => {
                let paths = input.candidate.files().iter().map(|file| file.path().to_owned());
                Output::to_files(folder.clone(), paths.collect())
            }
            Place::Beside(_) | Place::Over(_) => Output::new(path.clone(), permissions, stamp, floor.clone()),
        };
        let originals = match reduction.keeps_originals {
            true => keep_originals(place, &input.candidate).map_err(refuse)?,
            false => Vec::new(),
        };
        let keeps_history = reduction.history && matches!(place, Place::Beside(_));
        let history = binding.filter(|_| keeps_history).map(|binding| (HistoryFile::place(path), binding));
        output.write(input).map_err(refuse)?;
        Ok(Self { output: Some(output), originals, floor, history })
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

/// Copies what the result will replace, and says where the copies are.
fn keep_originals(place: &Place, input: &Candidate) -> io::Result<Vec<PathBuf>> {
    match place {
        Place::Beside(_) => Ok(Vec::new()),
        Place::Over(path) if input.is_project() => Ok(vec![keep_original_folder(path, input)?]),
        Place::Over(path) => Ok(vec![keep_original(path, input.files()[0].bytes())?]),
        Place::Files(folder) => {
            input.files().iter().map(|file| keep_original(&folder.join(file.path()), file.bytes())).collect()
        }
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
