//! [`Source`]: what a generator asks for its random choices.

use std::ops::RangeInclusive;
use std::panic::Location;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::TraceError;
use crate::numbers::Numbers;
use crate::player::{Player, Wanted};
use crate::recorder::Step;

/// A source of random choices that can be recorded and replayed.
///
/// When it is dropped, the run counts as complete; so drop it before [`std::process::exit`]. A replay that leads nowhere
/// ends the process at once.
#[derive(Debug)]
pub struct Source {
    numbers: Numbers,
    player: Option<Player>,
}

impl Source {
    /// Draws from `seed`; recorded, and replayed instead, if the environment says so (`docs/trace-protocol.md`).
    ///
    /// Only the first source of a process is meant; those after it are as [`Source::seeded`]. Programs that the generator
    /// starts are not meant either: start those that ask Whittle too without the variables that begin with
    /// `WHITTLE_TRACE_` (there is no safe way to remove them from the environment of a running program).
    pub fn from_env(seed: u64) -> Result<Self, TraceError> {
        static TAKEN: AtomicBool = AtomicBool::new(false);
        if TAKEN.swap(true, Ordering::Relaxed) {
            return Ok(Self::seeded(seed));
        }
        let record = told("RECORD");
        let (replay, misfit, budget) = (told("REPLAY"), told("MISFIT"), told("BUDGET"));
        let wanted =
            record.map(|record| Wanted { record: record.into(), replay: replay.map(PathBuf::from), misfit, budget });
        Ok(Self { numbers: Numbers::new(seed), player: wanted.map(Player::new).transpose()? })
    }

    /// Draws from `seed`, whatever the environment says.
    pub fn seeded(seed: u64) -> Self {
        Self { numbers: Numbers::new(seed), player: None }
    }

    /// A number of the range.
    ///
    /// # Panics
    ///
    /// If there is none.
    #[track_caller]
    pub fn int(&mut self, range: RangeInclusive<i64>) -> i64 {
        let (low, high) = range.into_inner();
        assert!(low <= high, "there is no number from {low} to {high}");
        low.wrapping_add_unsigned(self.draw("int", Location::caller(), high.abs_diff(low)))
    }

    /// One of the items.
    ///
    /// # Panics
    ///
    /// If there is none.
    #[track_caller]
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        assert!(!items.is_empty(), "there is nothing to choose from");
        &items[self.draw("choose", Location::caller(), items.len() as u64 - 1) as usize]
    }

    /// One of the items, each as likely as its weight is large. What a weight of 0 keeps from being drawn can still be
    /// what a reduction ends with; so leave out what is not possible.
    ///
    /// # Panics
    ///
    /// If all weights together are 0.
    #[track_caller]
    pub fn weighted<'a, T>(&mut self, items: &'a [(u32, T)]) -> &'a T {
        let total: u64 = items.iter().map(|(weight, _)| u64::from(*weight)).sum();
        assert!(total > 0, "there is nothing to choose from");
        let place = Location::caller();
        let own = |numbers: &mut Numbers| {
            let mut left = numbers.up_to(total - 1);
            let passed = items.iter().take_while(|(weight, _)| {
                let passes = left >= u64::from(*weight);
                left = left.saturating_sub(u64::from(*weight));
                passes
            });
            passed.count() as u64
        };
        &items[self.draw_by("weighted", place, items.len() as u64 - 1, own) as usize].1
    }

    /// Runs `body` as often as chance decides, and collects what it gives.
    #[track_caller]
    pub fn repeat<T>(&mut self, times: RangeInclusive<usize>, mut body: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let place = Location::caller();
        let (least, most) = times.into_inner();
        assert!(least <= most, "there is no number from {least} to {most}");
        let count = least + self.draw("count", place, (most - least) as u64) as usize;
        let open = self.enter(Step::Loop, |player| player.sites.placed("repeat", place));
        let made = (0..count).map(|_| {
            let round = self.enter(Step::Iteration, |player| player.sites.named(""));
            let made = body(self);
            self.leave(round);
            made
        });
        let made = made.collect();
        self.leave(open);
        made
    }

    /// Runs `body` or not: one is as likely as the other.
    #[track_caller]
    pub fn optional<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> Option<T> {
        let place = Location::caller();
        let selection = self.enter(Step::Selection, |player| player.sites.placed("optional", place));
        let made = (self.draw("whether", place, 1) == 1).then(|| {
            let branch = self.enter(Step::Branch, |player| player.sites.named("then"));
            let made = body(self);
            self.leave(branch);
            made
        });
        self.leave(selection);
        made
    }

    /// Runs `body` as what `name` stands for, such as the function that this is called in. What is drawn in it belongs
    /// together.
    pub fn scope<T>(&mut self, name: &str, body: impl FnOnce(&mut Self) -> T) -> T {
        let call = self.enter(Step::Call, |player| player.sites.named(name));
        let made = body(self);
        self.leave(call);
        made
    }

    /// Bytes for something that takes its choices from bytes.
    #[track_caller]
    pub fn bytes(&mut self, length: RangeInclusive<usize>) -> Vec<u8> {
        let place = Location::caller();
        self.repeat(length, |source| source.draw("byte", place, u64::from(u8::MAX)) as u8)
    }

    /// A draw at a place of the generator's text.
    fn draw(&mut self, what: &'static str, place: &'static Location<'static>, max: u64) -> u64 {
        self.draw_by(what, place, max, |numbers| numbers.up_to(max))
    }

    fn draw_by(
        &mut self,
        what: &'static str,
        place: &'static Location<'static>,
        max: u64,
        own: impl FnOnce(&mut Numbers) -> u64,
    ) -> u64 {
        let Self { numbers, player } = self;
        match player {
            Some(player) => {
                let site = player.sites.placed(what, place);
                player.draw(site, max, || own(numbers))
            }
            None => own(numbers),
        }
    }

    /// Opens a scope if the run is recorded; gives what [`leave`](Self::leave) is told.
    fn enter(&mut self, step: Step, site: impl FnOnce(&mut Player) -> u32) -> usize {
        self.player.as_mut().map_or(0, |player| {
            let site = site(player);
            player.enter(step, site)
        })
    }

    fn leave(&mut self, depth: usize) {
        if let Some(player) = &mut self.player {
            player.leave(depth);
        }
    }
}

#[cfg(feature = "rand_core")]
impl Source {
    /// A draw of someone who does not say where.
    pub(crate) fn draw_named(&mut self, name: &'static str, max: u64) -> u64 {
        let Self { numbers, player } = self;
        match player {
            Some(player) => {
                let site = player.sites.named(name);
                player.draw(site, max, || numbers.up_to(max))
            }
            None => numbers.up_to(max),
        }
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        // A generator that panics has made nothing.
        if let Some(player) = self.player.as_mut().filter(|_| !std::thread::panicking()) {
            player.finish();
        }
    }
}

/// What the environment says.
fn told(what: &str) -> Option<std::ffi::OsString> {
    std::env::var_os(format!("WHITTLE_TRACE_{what}")).filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::Source;

    #[test]
    fn what_weighs_more_is_drawn_more_often_and_what_weighs_nothing_never() {
        let mut source = Source::seeded(1);
        let mut counts = [0; 4];
        for _ in 0..4000 {
            counts[*source.weighted(&[(1, 0), (0, 1), (2, 2), (5, 3)])] += 1;
        }
        assert!((400..600).contains(&counts[0]) && counts[1] == 0, "{counts:?}");
        assert!((900..1100).contains(&counts[2]) && (2400..2600).contains(&counts[3]), "{counts:?}");
    }

    #[test]
    fn numbers_and_rounds_keep_to_their_ranges() {
        let mut source = Source::seeded(2);
        assert_eq!(source.int(-3..=-3), -3);
        let wide = source.int(i64::MIN..=i64::MAX);
        assert_ne!(wide, i64::MIN);
        for _ in 0..200 {
            assert!((-2..=4).contains(&source.int(-2..=4)));
            assert!((2..=5).contains(&source.repeat(2..=5, |source| source.optional(|_| ())).len()));
            assert!(source.bytes(1..=3).len() <= 3);
        }
    }
}
