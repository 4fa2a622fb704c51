//! Properties that live in this process, and a way to run list minimizers over bytes.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use whittle_lists::{Algorithm, AnyMinimizer, Subset, Weights};
use whittle_search::{Cancel, Candidate, Event, Listener, Moment, Property, Search, Stop, TestError, Tested, Verdict};

/// A property made of a closure over the bytes of the first file. It sleeps a while that depends on the content and
/// on `seed`, so that tests end in any order, and it keeps count.
pub(crate) struct Sleepy<F> {
    pub(crate) accepts: F,
    pub(crate) seed: u64,
    pub(crate) longest: Duration,
    pub(crate) begun: AtomicU64,
    pub(crate) cancelled: AtomicU64,
}

impl<F: Fn(&[u8]) -> bool + Send + Sync> Sleepy<F> {
    pub(crate) fn new(accepts: F, seed: u64, longest: Duration) -> Arc<Self> {
        Arc::new(Self { accepts, seed, longest, begun: AtomicU64::new(0), cancelled: AtomicU64::new(0) })
    }
}

impl<F: Fn(&[u8]) -> bool + Send + Sync> Property for Sleepy<F> {
    fn test(&self, candidate: &Candidate, cancel: &Cancel) -> Result<Tested, TestError> {
        self.begun.fetch_add(1, Ordering::SeqCst);
        let mut random = fastrand::Rng::with_seed(self.seed ^ candidate.fingerprint().0 as u64);
        let total = self.longest.mul_f64(random.f64());
        let step = Duration::from_millis(1);
        let mut slept = Duration::ZERO;
        while slept < total {
            if cancel.is_cancelled() {
                self.cancelled.fetch_add(1, Ordering::SeqCst);
                return Err(TestError::Cancelled);
            }
            std::thread::sleep(step.min(total - slept));
            slept += step;
        }
        Ok(tested((self.accepts)(candidate.files()[0].bytes()), total))
    }
}

/// A random property over a list of distinct bytes: some are required, some bring others along, and sometimes the
/// length must be even, which makes it neither monotone nor easy.
pub(crate) fn random_property(
    random: &mut fastrand::Rng,
    n: u8,
) -> impl Fn(&[u8]) -> bool + Send + Sync + Clone + 'static {
    let required: Vec<u8> = (0..n).filter(|_| random.u8(..) < 40).collect();
    let needs: Vec<(u8, u8)> = (0..n).map(|a| (a, if random.bool() { random.u8(..n) } else { a })).collect();
    let even = random.u8(..) < 64 && n.is_multiple_of(2);
    move |bytes: &[u8]| {
        let has = |byte: &u8| bytes.binary_search(byte).is_ok();
        required.iter().all(has)
            && needs.iter().all(|(a, b)| !has(a) || has(b))
            && (!even || bytes.len().is_multiple_of(2))
    }
}

/// A property that is a closure.
pub(crate) struct Closure<F>(pub(crate) F);

impl<F: Fn(&[u8], &Cancel) -> Result<Tested, TestError> + Send + Sync> Property for Closure<F> {
    fn test(&self, candidate: &Candidate, cancel: &Cancel) -> Result<Tested, TestError> {
        self.0(candidate.files()[0].bytes(), cancel)
    }
}

pub(crate) fn tested(interesting: bool, elapsed: Duration) -> Tested {
    Tested { verdict: if interesting { Verdict::Interesting } else { Verdict::Uninteresting }, elapsed }
}

/// Keeps what was heard, without what depends on the clock.
#[derive(Clone, Default)]
pub(crate) struct Log {
    pub(crate) lines: Arc<Mutex<Vec<String>>>,
}

impl Listener for Log {
    fn notify(&mut self, event: &Event, moment: &Moment<'_>) {
        let event = match event {
            Event::Tested { verdict, candidate, .. } => format!("tested {verdict:?} {candidate}"),
            other => format!("{other:?}"),
        };
        let tally = moment.tally;
        let counts = (tally.tests, tally.cached, tally.refused, tally.timed_out, tally.invalid, tally.other);
        let best = moment.best.candidate.files()[0].bytes();
        let tested = moment.tested.map(|candidate| candidate.files()[0].bytes());
        self.lines.lock().unwrap().push(format!("{event} {counts:?} {best:?} {tested:?}"));
    }
}

pub(crate) fn candidate(bytes: &[u8]) -> Candidate {
    Candidate::single("list", bytes.to_vec())
}

pub(crate) fn best(search: &Search) -> Vec<u8> {
    search.best().candidate.files()[0].bytes().to_vec()
}

/// Minimizes the bytes of the best candidate, one element each.
pub(crate) fn minimize(search: &mut Search, algorithm: Algorithm) -> Result<AnyMinimizer, Stop> {
    let bytes = best(search);
    let minimizer = algorithm.minimizer(&Weights::uniform(bytes.len()));
    search.run(minimizer, move |kept: &Subset| {
        Some(candidate(&kept.elements().map(|element| bytes[element]).collect::<Vec<u8>>()))
    })
}
