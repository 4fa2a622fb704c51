//! [`Lens`]: another look at candidates, for algorithms that do not know what they really consist of.
//!
//! Under a lens, a search shows its best candidate in another form, and takes proposals in that form. So several files can
//! be edited as one by an algorithm that knows only single files. What is tested, measured and kept stays the same.

use crate::Candidate;

/// Shows candidates in another form.
pub trait Lens: Send + Sync {
    /// A candidate in the other form.
    fn show(&self, candidate: &Candidate) -> Candidate;

    /// The candidate that is shown like this; `None` if there is none.
    fn restore(&self, shown: &Candidate) -> Option<Candidate>;
}
