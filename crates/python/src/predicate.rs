//! A Python callable as a property.

use std::time::Instant;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use whittle::search::{Cancel, Candidate, Property, TestError, Tested, Verdict};

use crate::calling::{Called, Caller};

/// Asks a callable whether the bytes or the text of a candidate are interesting.
pub(crate) struct Predicate {
    pub(crate) caller: Caller,
    pub(crate) callable: Py<PyAny>,
    /// Whether it takes text. What is not UTF-8 is not interesting then: the input was text.
    pub(crate) takes_text: bool,
}

impl Property for Predicate {
    fn test(&self, candidate: &Candidate, _: &Cancel) -> Result<Tested, TestError> {
        let began = Instant::now();
        let verdict = self.ask(candidate)?;
        Ok(Tested { verdict, elapsed: began.elapsed() })
    }
}

impl Predicate {
    fn ask(&self, candidate: &Candidate) -> Result<Verdict, TestError> {
        let Some(bytes) = candidate.files().first().map(|file| file.shared_bytes()) else {
            return Ok(Verdict::Uninteresting);
        };
        if self.takes_text && std::str::from_utf8(&bytes).is_err() {
            return Ok(Verdict::Invalid);
        }
        let callable = Python::attach(|py| self.callable.clone_ref(py));
        let takes_text = self.takes_text;
        let called = self.caller.call(move |py| {
            let data = data(py, &bytes, takes_text)?;
            callable.bind(py).call1((data,))?.is_truthy()
        });
        match called {
            Called::Value(true) => Ok(Verdict::Interesting),
            Called::Value(false) => Ok(Verdict::Uninteresting),
            Called::Raised(text) => Err(TestError::Failed(text)),
            Called::Stopped => Err(TestError::Cancelled),
        }
    }
}

/// Bytes as the user's code sees them.
pub(crate) fn data<'py>(py: Python<'py>, bytes: &[u8], as_text: bool) -> PyResult<Bound<'py, PyAny>> {
    Ok(match as_text {
        true => PyString::from_bytes(py, bytes)?.into_any(),
        false => PyBytes::new(py, bytes).into_any(),
    })
}
