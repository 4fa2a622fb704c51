//! GReduce as it was published (Ren et al. 2024): the six settings of its table 1.
//!
//! Reducible parts are a sequence, which a list minimizer reduces, or a tree, which is searched as in HDD: level by
//! level, from the top. There are three ways to align a replay that does not match. As in the paper's Algorithm 2,
//! every interesting input is accepted, even a larger one. So the whole reduction is a trial, and the search keeps its
//! result only if it is smaller.

use std::sync::Arc;

use whittle_lists::{Algorithm, EmptyFirst, Subset, Weights};
use whittle_search::{Search, Stop};

use crate::parts::Parts;
use crate::runs::Alignment;
use crate::session::{Bar, Session};
use crate::trace::Trace;

/// How reducible parts are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// All parts in one list.
    Sequence,
    /// One list of parts for each level of nesting.
    Tree,
}

/// One of the six settings, and the list minimizer in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GReduce {
    /// How parts are searched.
    pub order: Order,
    /// What to do where a replay does not match.
    pub alignment: Alignment,
    /// How lists of parts are minimized.
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

    /// Reduces the current trace. In the end it is the trace of Algorithm 2's result, which may be larger than the best
    /// of the search.
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

    /// Repeats the descent, as the paper does, while traces get shorter. A generator that is not monotone could otherwise
    /// go on forever.
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

    /// Minimizes the list of these parts. Tries the empty list first.
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

/// Returns the trace without those of `places` that are not kept.
fn removing(parts: Parts, places: Vec<usize>, trace: Arc<Trace>) -> impl Fn(&Subset) -> Option<Trace> + Send + Sync {
    move |kept| {
        let removed = places.iter().enumerate().filter(|(index, _)| !kept.contains(*index)).map(|(_, place)| *place);
        Some(parts.without(&trace, removed))
    }
}
