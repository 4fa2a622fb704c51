//! What the live view knows about a run. The search writes it, the view reads it.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use whittle::search::{Candidate, Event, Listener, Moment, Tally};
use whittle::syntaxes::SizeUnit;

use super::super::passes::Passes;

/// The span over which tests per second are counted.
const RATE_SPAN: Duration = Duration::from_secs(10);

/// A curve has at most twice as many points as a wide terminal has dots for it.
const MOST_POINTS: usize = 1000;

/// A run at one moment.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) name: String,
    pub(super) unit: SizeUnit,
    pub(super) jobs: usize,
    /// The best candidate and the one before; `None` while the input is checked.
    pub(super) best: Option<Candidate>,
    pub(super) previous: Option<Candidate>,
    pub(super) size: Sizes,
    pub(super) first: Option<Sizes>,
    pub(super) tally: Tally,
    pub(super) passes: Passes,
    pub(super) curve: Curve,
    pub(super) notices: Vec<String>,
    pub(super) started: Instant,
    /// Counts its changes of any kind.
    pub(super) version: u64,
    recent: VecDeque<(Instant, u64)>,
}

/// How large a candidate is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sizes {
    pub(super) units: u64,
    pub(super) bytes: u64,
    /// `None` if it is not a project.
    pub(super) files: Option<u64>,
}

impl State {
    pub(super) fn new(name: String, unit: SizeUnit, jobs: usize) -> Self {
        Self {
            name,
            unit,
            jobs,
            best: None,
            previous: None,
            size: Sizes::default(),
            first: None,
            tally: Tally::default(),
            passes: Passes::default(),
            curve: Curve::default(),
            notices: Vec::new(),
            started: Instant::now(),
            version: 0,
            recent: VecDeque::new(),
        }
    }

    /// Tests per second over the last seconds.
    pub(super) fn rate(&self) -> f64 {
        let (Some((began, first)), now) = (self.recent.front(), Instant::now()) else { return 0.0 };
        let seconds = now.duration_since(*began).as_secs_f64().max(0.1);
        self.tally.tests.saturating_sub(*first) as f64 / seconds
    }

    fn take_best(&mut self, moment: &Moment<'_>) {
        let best = &moment.best.candidate;
        let files = best.is_project().then_some(moment.best.size.files);
        self.size = Sizes { units: moment.best.size.units, bytes: best.byte_count(), files };
        self.first.get_or_insert(self.size);
        self.previous = self.best.replace(best.clone());
    }

    fn note_rate(&mut self) {
        let now = Instant::now();
        let is_due = self.recent.back().is_none_or(|(at, _)| now.duration_since(*at) >= RATE_SPAN / 20);
        if is_due {
            self.recent.push_back((now, self.tally.tests));
        }
        while self.recent.front().is_some_and(|(at, _)| now.duration_since(*at) > RATE_SPAN) {
            self.recent.pop_front();
        }
    }
}

impl Listener for State {
    fn notify(&mut self, event: &Event, moment: &Moment<'_>) {
        self.version += 1;
        self.tally = moment.tally;
        if matches!(event, Event::StartedOver { .. }) {
            self.curve = Curve::default();
        }
        if self.best.is_none() || matches!(event, Event::Improved | Event::StartedOver { .. }) {
            self.take_best(moment);
        }
        if let Event::Notice { text } = event {
            self.notices.push(text.clone());
        }
        self.passes.take_in(event, moment);
        self.curve.add(self.tally.tests, self.size.units);
        self.note_rate();
    }
}

/// Size over tests. Old points are thinned out, so that it stays short.
#[derive(Clone, Debug)]
pub(super) struct Curve {
    points: Vec<(u64, u64)>,
    /// The least distance of two points, in tests.
    step: u64,
}

impl Default for Curve {
    fn default() -> Self {
        Self { points: Vec::new(), step: 1 }
    }
}

impl Curve {
    pub(super) fn points(&self) -> &[(u64, u64)] {
        &self.points
    }

    /// The size after so many tests.
    fn add(&mut self, tests: u64, size: u64) {
        match self.points.last_mut() {
            Some((last, at)) if tests < *last + self.step => *at = size,
            _ => self.points.push((tests, size)),
        }
        if self.points.len() > MOST_POINTS {
            self.step *= 2;
            let mut index = 0;
            self.points.retain(|_| {
                index += 1;
                index % 2 == 1
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_stays_short_and_ends_at_the_last_size() {
        let mut curve = Curve::default();
        let tests = 20_000;
        for test in 0..=tests {
            curve.add(test, tests - test);
        }
        assert!(curve.points().len() <= MOST_POINTS + 1, "{}", curve.points().len());
        assert_eq!((curve.points()[0].0, curve.points().last().unwrap().1), (0, 0));
        assert!(curve.points().is_sorted_by_key(|(tests, _)| *tests));
    }
}
