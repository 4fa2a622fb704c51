//! Generators that are functions, properties that are closures, and a way to bring them together.

use std::sync::Arc;

use whittle_search::{Recorder, Search, Setup, Stop};
use whittle_traces::{Generated, Generator, NoInput, Player, Script, Session};

/// A generator asks a player for its draws and gives an input.
pub(crate) type Make = fn(&mut Player<'_>) -> Result<String, NoInput>;

const BUDGET: u64 = 5000;

/// The first run: draws come from `source`.
pub(crate) fn record(make: Make, source: impl FnMut(u64) -> u64 + Send) -> Generated {
    let mut player = Player::recording(source);
    let input = make(&mut player).unwrap();
    player.finish(input.into_bytes()).unwrap()
}

/// A first run with draws from a pseudo-random source.
pub(crate) fn record_seed(make: Make, seed: u64) -> Generated {
    let mut random = fastrand::Rng::with_seed(seed);
    record(make, |max| random.u64(0..=max))
}

/// A first run with these draws, then zeros.
pub(crate) fn record_draws(make: Make, draws: &[u64]) -> Generated {
    let mut draws = draws.iter().copied();
    record(make, |_| draws.next().unwrap_or(0))
}

/// Later runs.
pub(crate) fn replaying(make: Make) -> Arc<dyn Generator> {
    Arc::new(move |script: &Script| -> Result<Generated, NoInput> {
        let mut player = Player::following(script, BUDGET);
        let input = make(&mut player)?;
        player.finish(input.into_bytes())
    })
}

/// What a reduction came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reduced {
    /// The best of the search.
    pub(crate) best: String,
    /// The input that the last trace makes.
    pub(crate) last: String,
    pub(crate) tests: u64,
    pub(crate) steps: usize,
    pub(crate) bypasses: u64,
}

/// Reduces what a first run made.
pub(crate) fn reduce(
    make: Make,
    generated: &Generated,
    jobs: usize,
    accepts: impl Fn(&str) -> bool + Send + Sync + 'static,
    reducer: impl FnOnce(&mut Session, &mut Search) -> Result<(), Stop>,
) -> Reduced {
    let mut session = Session::new(replaying(make), "input", generated);
    let setup = Setup { jobs, ..Setup::default() };
    let mut search = setup.start(Arc::new(Recorder::new(accepts)), session.input().clone()).unwrap();
    reducer(&mut session, &mut search).unwrap();
    let script =
        Script { trace: Arc::clone(session.trace()), misfit: whittle_traces::Misfit::Halt, defaults: Arc::default() };
    let last = replaying(make).run(&script).unwrap().input;
    Reduced {
        best: String::from_utf8(search.best().candidate.files()[0].bytes().to_vec()).unwrap(),
        last: String::from_utf8(last).unwrap(),
        tests: search.tally().tests,
        steps: session.trace().len(),
        bypasses: session.tally().bypasses,
    }
}
