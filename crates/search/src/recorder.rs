//! [`Recorder`]: a closure as a property that records what it was asked, for tests of reducers.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::{Cancel, Candidate, Property, TestError, Tested, Verdict};

/// A property over the text of the first file. Bytes that are no text are shown as the replacement character.
///
/// ```
/// use std::sync::Arc;
/// use whittle_search::{Candidate, Recorder, Setup};
///
/// let property = Arc::new(Recorder::new(|text| text.contains('x')));
/// let mut search = Setup::default().start(property.clone(), Candidate::single("f", b"axb".to_vec()))?;
/// search.attempt(Candidate::single("f", b"ab".to_vec()))?;
/// assert_eq!(property.asked(), ["axb", "ab"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Recorder {
    is_interesting: Box<dyn Fn(&str) -> bool + Send + Sync>,
    asked: Mutex<Vec<String>>,
}

impl Recorder {
    /// Interesting is what `is_interesting` says.
    pub fn new(is_interesting: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        Self { is_interesting: Box::new(is_interesting), asked: Mutex::default() }
    }

    /// The texts that it was asked about, in order; the first is the input.
    pub fn asked(&self) -> Vec<String> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<String>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Property for Recorder {
    fn test(&self, candidate: &Candidate, _: &Cancel) -> Result<Tested, TestError> {
        let began = Instant::now();
        let text = String::from_utf8_lossy(candidate.files()[0].bytes()).into_owned();
        let verdict = if (self.is_interesting)(&text) { Verdict::Interesting } else { Verdict::Uninteresting };
        self.lock().push(text);
        Ok(Tested { verdict, elapsed: began.elapsed() })
    }
}
