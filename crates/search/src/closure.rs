//! [`Closure`]: a Rust closure as a property.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use crate::workers::panic_text;
use crate::{Cancel, Candidate, Property, TestError, Tested, Verdict};

/// A property that calls a closure and keeps nothing of what it tested. If the closure panics, that is the end of the
/// search, with the message of the panic.
///
/// ```
/// use std::sync::Arc;
/// use whittle_search::{Candidate, Closure, Setup};
///
/// let property = Closure::on_bytes(|bytes| bytes.contains(&b'x'));
/// let mut search = Setup::default().start(Arc::new(property), Candidate::single("f", b"axb".to_vec()))?;
/// assert!(search.attempt(Candidate::single("f", b"x".to_vec()))?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Closure<F>(F);

impl<F: Fn(&Candidate) -> Verdict + Send + Sync> Closure<F> {
    /// The closure grades whole candidates.
    pub fn new(grade: F) -> Self {
        Self(grade)
    }
}

impl Closure<()> {
    /// The closure says whether the bytes of a candidate's first file are interesting.
    pub fn on_bytes(
        is_interesting: impl Fn(&[u8]) -> bool + Send + Sync + 'static,
    ) -> Closure<impl Fn(&Candidate) -> Verdict + Send + Sync + 'static> {
        Closure(move |candidate: &Candidate| {
            let bytes = candidate.files().first().map_or(&[][..], |file| file.bytes());
            if is_interesting(bytes) { Verdict::Interesting } else { Verdict::Uninteresting }
        })
    }
}

impl<F: Fn(&Candidate) -> Verdict + Send + Sync> Property for Closure<F> {
    fn test(&self, candidate: &Candidate, _: &Cancel) -> Result<Tested, TestError> {
        let began = Instant::now();
        let verdict = catch_unwind(AssertUnwindSafe(|| (self.0)(candidate)))
            .map_err(|panic| TestError::Failed(format!("the property panicked: {}", panic_text(&*panic))))?;
        Ok(Tested { verdict, elapsed: began.elapsed() })
    }
}
