//! [`Fleet`]: the property of a run whose tests run on many machines. A search finds with it what it would find on one.
//!
//! Machines that differ are the danger: another compiler gives other verdicts. So a worker is checked before its first test, and
//! later by samples (`audit.rs`). If it disagrees with this machine, its verdicts are withdrawn.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use whittle_property::CommandProperty;
use whittle_search::{Cancel, Candidate, Fingerprint, Property, TestError, Tested, Verdict};

use crate::news::NewsListener;
use crate::payload::Payload;
use crate::recruiting::{Address, recruit};
use crate::roster::Roster;

/// How long the end of workers is waited for. They end by themselves when their connection does.
const SHUTDOWN_WAIT: Duration = Duration::from_secs(3);

/// The most tests that workers run at once. Threads of a search start when they are needed.
const MAX_REMOTE_SLOTS: usize = 4096;

/// How to use other machines.
#[derive(Clone, Debug)]
pub struct Machines {
    /// Where workers are.
    pub addresses: Vec<Address>,
    /// Whether tests run on workers alone. This machine still checks the input, and decides where workers disagree.
    pub only: bool,
    /// Files that the command uses, besides its script; absolute paths.
    pub files: Vec<PathBuf>,
    /// Names of variables that tests on workers get.
    pub environment: Vec<String>,
    /// Who hears what happens to workers.
    pub listener: NewsListener,
    /// Where those who show progress see how many workers there are.
    pub view: SharedView,
}

/// How many workers there are now. Clones share one view; any thread may look.
#[derive(Clone, Debug, Default)]
pub struct SharedView(Arc<Mutex<FleetView>>);

impl SharedView {
    /// The view now.
    pub fn get(&self) -> FleetView {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn set(&self, view: FleetView) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = view;
    }
}

/// How many machines there are, and what they can do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FleetView {
    /// How many machines have workers.
    pub hosts: usize,
    /// How many tests workers can run at once.
    pub slots: usize,
}

/// What a fleet did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FleetReport {
    /// The machines whose workers ran tests, by name.
    pub hosts: BTreeSet<String>,
    /// The most tests that could run at once on workers.
    pub slots: usize,
    /// The verdicts that came from workers.
    pub tests: u64,
    /// How many bytes were sent for a test, in the median.
    pub median_bytes: u32,
    /// How many verdicts were compared with those of another machine.
    pub compared: u64,
    /// How many verdicts were withdrawn, because they came from workers that disagreed with this machine.
    pub withdrawn: u64,
}

/// What a fleet starts from.
pub struct Basis {
    /// The property, as this machine tests it.
    pub local: Arc<CommandProperty>,
    /// How many tests run on this machine at once.
    pub jobs: usize,
    /// The input of the reduction.
    pub input: Candidate,
    /// Verdicts that every worker must give too.
    pub known: Vec<(Candidate, Verdict)>,
    /// Whether one run makes a verdict. If not, verdicts differ from run to run, and comparing them means nothing.
    pub is_stable: bool,
}

/// The property of a run whose tests run here and on workers.
pub struct Fleet {
    roster: Arc<Roster>,
    recruiters: Mutex<Vec<JoinHandle<()>>>,
}

impl Fleet {
    /// Starts to look for workers. Fails if a file that they need cannot be read.
    pub fn start(machines: &Machines, basis: Basis) -> io::Result<Self> {
        let payload = Payload::pack(machines, &basis)?;
        let roster = Arc::new(Roster::new(machines, basis, payload));
        let addresses = machines.addresses.iter().cloned().enumerate();
        let recruiters = addresses.map(|(number, address)| recruit(number, address, Arc::clone(&roster)));
        let recruiters = Mutex::new(recruiters.collect());
        Ok(Self { roster, recruiters })
    }

    /// The most tests that a search should have under way if `jobs` run on this machine: workers may still come.
    pub fn max_jobs(jobs: usize) -> usize {
        jobs + MAX_REMOTE_SLOTS
    }

    /// Waits until comparisons of verdicts are over, and lets all machines confirm the result, unless `cancel` fires. If a worker
    /// disagrees with this machine, verdicts are [withdrawn](Property::withdrawn) after that. `true` if this machine has just
    /// found the result interesting.
    pub fn settle(&self, result: &Candidate, cancel: &Cancel) -> bool {
        self.roster.settle(result, cancel)
    }

    /// Lets all workers go, and waits a while for their ends. Tests run on this machine from now on.
    pub fn retire(&self) {
        self.roster.retire();
        let recruiters = std::mem::take(&mut *self.recruiters.lock().unwrap_or_else(PoisonError::into_inner));
        let deadline = Instant::now() + SHUTDOWN_WAIT;
        while recruiters.iter().any(|thread| !thread.is_finished()) && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// What it did so far.
    pub fn report(&self) -> FleetReport {
        self.roster.report()
    }
}

impl Drop for Fleet {
    fn drop(&mut self) {
        self.retire();
    }
}

impl Property for Fleet {
    fn test(&self, candidate: &Candidate, cancel: &Cancel) -> Result<Tested, TestError> {
        self.roster.test(candidate, cancel)
    }

    fn capacity(&self) -> Option<usize> {
        Some(self.roster.capacity())
    }

    fn withdrawn(&self) -> Vec<Fingerprint> {
        self.roster.take_withdrawn()
    }
}
