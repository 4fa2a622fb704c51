//! What a reduction came to, as plain values for Python.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use whittle::Outcome;
use whittle::ReductionError;
use whittle::reduction::{Confirmation, End};
use whittle::search::Stop;

use crate::predicate::data;

/// The fields of `whittle.Result`.
pub(crate) fn fields<'py>(
    py: Python<'py>,
    outcome: &Outcome,
    as_text: bool,
    language: Option<&str>,
    notices: &[String],
) -> PyResult<Bound<'py, PyDict>> {
    let fields = PyDict::new(py);
    let input = outcome.first.candidate.files().first().map_or(&[][..], |file| file.bytes());
    fields.set_item("data", data(py, outcome.bytes(), as_text)?)?;
    fields.set_item("input", data(py, input, as_text)?)?;
    fields.set_item("unit", outcome.unit.to_string())?;
    fields.set_item("size_before", outcome.first.size.units)?;
    fields.set_item("size_after", outcome.best.size.units)?;
    fields.set_item("end", end(&outcome.end))?;
    fields.set_item("reason", outcome.end.to_string())?;
    fields.set_item("confirmed", confirmed(&outcome.confirmation))?;
    fields.set_item("tests", outcome.tally.tests)?;
    fields.set_item("speculative", outcome.tally.speculative())?;
    fields.set_item("cached", outcome.tally.cached)?;
    fields.set_item("timed_out", outcome.tally.timed_out)?;
    fields.set_item("elapsed", outcome.elapsed.as_secs_f64())?;
    fields.set_item("language", language)?;
    fields.set_item("signature", outcome.signature.as_deref().map(|bytes| data(py, bytes, false)).transpose()?)?;
    let notices = notices.iter().cloned().chain(outcome.notices.iter().map(ToString::to_string));
    fields.set_item("notices", notices.collect::<Vec<_>>())?;
    Ok(fields)
}

fn end(end: &End) -> &'static str {
    match end {
        End::Complete | End::OnePass => "complete",
        End::Stopped(Stop::MaxTests(_)) => "max-tests",
        End::Stopped(Stop::MaxTime) => "max-time",
        End::Stopped(_) => "interrupted",
        End::Failed(_) => "failed",
    }
}

/// Whether the result was tested at the end, and what came of it.
fn confirmed(confirmation: &Confirmation) -> Option<bool> {
    match confirmation {
        Confirmation::NotNeeded | Confirmation::Confirmed(_) => Some(true),
        Confirmation::SteppedBack { .. } => Some(false),
        Confirmation::Unknown(_) => None,
    }
}

/// Which of the package's exceptions an error is.
pub(crate) fn kind(error: &ReductionError) -> &'static str {
    match error {
        ReductionError::NotInteresting(_) | ReductionError::Unmet(_) | ReductionError::NoLongerInteresting => {
            "not-interesting"
        }
        ReductionError::Flaky(_) | ReductionError::Indistinct(_) => "flaky",
        ReductionError::Stopped(_) => "stopped",
        _ => "failed",
    }
}
