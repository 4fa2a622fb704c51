//! [`Source`]: where a generator gets its random choices from.

use std::ops::RangeInclusive;
use std::panic::Location;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::TraceError;
use crate::fingerprint::Fingerprint;
use crate::numbers::Numbers;
use crate::player::{Outputs, Player, Wanted};
use crate::recorder::Step;

/// A source of random choices that can be recorded and replayed.
///
/// Dropping it marks the run as complete, so drop it before [`std::process::exit`]. A replay that cannot succeed exits
/// the process.
#[derive(Debug)]
pub struct Source {
    numbers: Numbers,
    player: Option<Player>,
}

impl Source {
    /// Draws from `seed`. Records, or replays a trace instead, if the environment asks for it
    /// (`docs/trace-protocol.md`).
    ///
    /// This applies to the first source of a process; later ones are like [`Source::seeded`]. It is not meant for
    /// programs that the generator starts either: if they use this crate too, start them without the variables that
    /// start with `WHITTLE_TRACE_` (there is no safe way to remove them from the environment of a running program).
    pub fn from_env(seed: u64) -> Result<Self, TraceError> {
        static TAKEN: AtomicBool = AtomicBool::new(false);
        if TAKEN.swap(true, Ordering::Relaxed) {
            return Ok(Self::seeded(seed));
        }
        let record = variable("RECORD");
        let (replay, misfit, budget) = (variable("REPLAY"), variable("MISFIT"), variable("BUDGET"));
        let wanted =
            record.map(|record| Wanted { record: record.into(), replay: replay.map(PathBuf::from), misfit, budget });
        Ok(Self { numbers: Numbers::new(seed), player: wanted.map(Player::new).transpose()? })
    }

    /// Draws from `seed` and ignores the environment.
    pub fn seeded(seed: u64) -> Self {
        Self { numbers: Numbers::new(seed), player: None }
    }

    /// A number in the range.
    ///
    /// # Panics
    ///
    /// If the range is empty.
    #[track_caller]
    pub fn int(&mut self, range: RangeInclusive<i64>) -> i64 {
        let (low, high) = range.into_inner();
        assert!(low <= high, "the range from {low} to {high} is empty");
        let outputs = Outputs::From(low.fingerprint());
        low.wrapping_add_unsigned(self.draw("int", Location::caller(), high.abs_diff(low), outputs))
    }

    /// One of the items. A replay chooses the recorded item wherever it is among the items now.
    ///
    /// # Panics
    ///
    /// If there are no items.
    #[track_caller]
    pub fn choose<'a, T: Fingerprint>(&mut self, items: &'a [T]) -> &'a T {
        self.choose_by(items, Fingerprint::fingerprint)
    }

    /// One of the items, each of which has a key that is its own and the same in every run, such as a name.
    ///
    /// # Panics
    ///
    /// If there are no items.
    #[track_caller]
    pub fn choose_by<'a, T, K: Fingerprint>(&mut self, items: &'a [T], key: impl Fn(&T) -> K) -> &'a T {
        assert!(!items.is_empty(), "there is nothing to choose from");
        let each = |place: u64| key(&items[place as usize]).fingerprint();
        &items[self.draw("choose", Location::caller(), items.len() as u64 - 1, Outputs::Each(&each)) as usize]
    }

    /// A number below `count`, such as an index. A replay repeats the number, so this suits lists that are always the
    /// same.
    ///
    /// # Panics
    ///
    /// If `count` is 0.
    #[track_caller]
    pub fn index(&mut self, count: usize) -> usize {
        assert!(count > 0, "there is nothing to choose from");
        self.draw("choose", Location::caller(), count as u64 - 1, Outputs::Unknown) as usize
    }

    /// One of the items, with probabilities in proportion to their weights. An item of weight 0 is never drawn, but a
    /// reduction can still choose it; so leave out items that are not possible.
    ///
    /// # Panics
    ///
    /// If all weights are 0.
    #[track_caller]
    pub fn weighted<'a, T: Fingerprint>(&mut self, items: &'a [(u32, T)]) -> &'a T {
        self.weighted_by(items, Fingerprint::fingerprint)
    }

    /// The same for items that have a key, as in [`choose_by`](Self::choose_by).
    ///
    /// # Panics
    ///
    /// If all weights are 0.
    #[track_caller]
    pub fn weighted_by<'a, T, K: Fingerprint>(&mut self, items: &'a [(u32, T)], key: impl Fn(&T) -> K) -> &'a T {
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
        let each = |place: u64| key(&items[place as usize].1).fingerprint();
        &items[self.draw_by("weighted", place, items.len() as u64 - 1, Outputs::Each(&each), own) as usize].1
    }

    /// Runs `body` a random number of times, and collects the results.
    #[track_caller]
    pub fn repeat<T>(&mut self, times: RangeInclusive<usize>, mut body: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let place = Location::caller();
        let (least, most) = times.into_inner();
        assert!(least <= most, "the range from {least} to {most} is empty");
        let count = least + self.draw("count", place, (most - least) as u64, Outputs::From(least as u64)) as usize;
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

    /// Runs `body` or not, with equal probability.
    #[track_caller]
    pub fn optional<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> Option<T> {
        let place = Location::caller();
        let selection = self.enter(Step::Selection, |player| player.sites.placed("optional", place));
        let made = (self.draw("whether", place, 1, Outputs::Unknown) == 1).then(|| {
            let branch = self.enter(Step::Branch, |player| player.sites.named("then"));
            let made = body(self);
            self.leave(branch);
            made
        });
        self.leave(selection);
        made
    }

    /// Runs `body` as a scope called `name`, such as the name of the calling function. Choices within a scope are
    /// reduced together.
    pub fn scope<T>(&mut self, name: &str, body: impl FnOnce(&mut Self) -> T) -> T {
        let call = self.enter(Step::Call, |player| player.sites.named(name));
        let made = body(self);
        self.leave(call);
        made
    }

    /// Bytes for code that makes its choices from bytes.
    #[track_caller]
    pub fn bytes(&mut self, length: RangeInclusive<usize>) -> Vec<u8> {
        let place = Location::caller();
        self.repeat(length, |source| source.draw("byte", place, u64::from(u8::MAX), Outputs::Unknown) as u8)
    }

    /// A draw at a place in the generator's source code.
    fn draw(&mut self, what: &'static str, place: &'static Location<'static>, max: u64, outputs: Outputs<'_>) -> u64 {
        self.draw_by(what, place, max, outputs, |numbers| numbers.up_to(max))
    }

    fn draw_by(
        &mut self,
        what: &'static str,
        place: &'static Location<'static>,
        max: u64,
        outputs: Outputs<'_>,
        own: impl FnOnce(&mut Numbers) -> u64,
    ) -> u64 {
        let Self { numbers, player } = self;
        match player {
            Some(player) => {
                let site = player.sites.placed(what, place);
                player.draw(site, max, outputs, || own(numbers))
            }
            None => own(numbers),
        }
    }

    /// Opens a scope if the run is recorded. Returns the depth to pass to [`leave`](Self::leave).
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
    /// A draw without a place.
    pub(crate) fn draw_named(&mut self, name: &'static str, max: u64) -> u64 {
        let Self { numbers, player } = self;
        match player {
            Some(player) => {
                let site = player.sites.named(name);
                player.draw(site, max, Outputs::Unknown, || numbers.up_to(max))
            }
            None => numbers.up_to(max),
        }
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        // A generator that panics has no output.
        if let Some(player) = self.player.as_mut().filter(|_| !std::thread::panicking()) {
            player.finish();
        }
    }
}

/// The value of a variable of the trace protocol.
fn variable(what: &str) -> Option<std::ffi::OsString> {
    std::env::var_os(format!("WHITTLE_TRACE_{what}")).filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::Source;

    #[test]
    fn heavier_items_are_drawn_more_often_and_items_of_weight_0_never() {
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
