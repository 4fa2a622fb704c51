//! GReduce as it was published (Ren et al. 2024): the six settings of its table 1.
//!
//! Reducible parts are a sequence, which a list minimizer reduces, or a tree, which is searched as HDD does: level by
//! level, from the top. What a replay does where it does not fit is one of three alignments. As in the paper's
//! Algorithm 2 every interesting input is accepted, also a larger one; so all of it is a trial for the search, which keeps
//! the end only if it is smaller.

use std::sync::Arc;

use whittle_lists::{Algorithm, Subset, Weights};
use whittle_search::{Search, Stop};

use crate::empty_first::EmptyFirst;
use crate::parts::Parts;
use crate::runs::Alignment;
use crate::session::{Bar, Session};
use crate::trace::Trace;

/// How reducible parts are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// All parts are one list.
    Sequence,
    /// Parts within parts: one list for each level.
    Tree,
}

/// One of the six settings, and the list minimizer in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GReduce {
    /// How parts are searched.
    pub order: Order,
    /// What is done where a replay does not fit.
    pub alignment: Alignment,
    /// Which lists of parts are tried.
    pub algorithm: Algorithm,
}

impl GReduce {
    /// The six settings of table 1, with the default minimizer.
    pub fn all() -> [Self; 6] {
        let settings = [Order::Sequence, Order::Tree].map(|order| {
            let with = |alignment| Self { order, alignment, algorithm: Algorithm::default() };
            [Alignment::Halt, Alignment::Bypass, Alignment::Realign].map(with)
        });
        let [[a, b, c], [d, e, f]] = settings;
        [a, b, c, d, e, f]
    }

    /// Reduces the current trace. In the end it belongs to the input that Algorithm 2 gives, which may be larger than the
    /// best of the search.
    pub fn reduce(&self, session: &mut Session, search: &mut Search) -> Result<(), Stop> {
        let start = search.best().candidate.clone();
        search.pass("parts", |search| search.trial(start, u64::MAX, |search| self.reduce_parts(session, search)))?;
        Ok(())
    }

    fn reduce_parts(&self, session: &mut Session, search: &mut Search) -> Result<(), Stop> {
        match self.order {
            Order::Sequence => {
                session.learn();
                let parts = Parts::of(&session.current, &session.facts);
                let all = 0..parts.list().len();
                self.minimize(session, search, &parts, all.collect())
            }
            Order::Tree => self.descend_to_a_fixpoint(session, search),
        }
    }

    /// A generator that is not monotone could go on for ever; shorter traces cannot.
    fn descend_to_a_fixpoint(&self, session: &mut Session, search: &mut Search) -> Result<(), Stop> {
        loop {
            let before = session.current.len();
            let mut level = 0;
            while self.reduce_level(session, search, level)? {
                level += 1;
            }
            if session.current.len() >= before {
                return Ok(());
            }
        }
    }

    /// `false` if there are no parts on this level.
    fn reduce_level(&self, session: &mut Session, search: &mut Search, level: usize) -> Result<bool, Stop> {
        session.learn();
        let parts = Parts::of(&session.current, &session.facts);
        let places = (0..parts.list().len()).filter(|place| parts.list()[*place].level == level).collect::<Vec<_>>();
        let any = !places.is_empty();
        self.minimize(session, search, &parts, places)?;
        Ok(any)
    }

    /// Reduces the list of these parts: the empty list first, then what the minimizer proposes.
    fn minimize(
        &self,
        session: &mut Session,
        search: &mut Search,
        parts: &Parts,
        places: Vec<usize>,
    ) -> Result<(), Stop> {
        if places.is_empty() {
            return Ok(());
        }
        let state = EmptyFirst::new(self.algorithm.minimizer(&Weights::uniform(places.len())));
        let edit = removing(parts.clone(), places, Arc::clone(&session.current));
        session.pursue(search, state, (self.alignment, Bar::AnySize), edit).map(drop)
    }
}

/// Makes the trace without those of `places` that are not kept.
fn removing(parts: Parts, places: Vec<usize>, trace: Arc<Trace>) -> impl Fn(&Subset) -> Option<Trace> + Send + Sync {
    move |kept| {
        let removed = places.iter().enumerate().filter(|(index, _)| !kept.contains(*index)).map(|(_, place)| *place);
        Some(parts.without(&trace, removed))
    }
}
