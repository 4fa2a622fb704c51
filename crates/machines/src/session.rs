//! A worker at work for one client: from [`Hello`] to the end of the link. Whatever ends it, its tests are ended and its folders
//! removed.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use whittle_property::{
    CommandProperty, Constants, HelperProgram, Judged, SentFile, TestCommand, Trust, conditions::Observation,
};
use whittle_search::{Cancel, Candidate, TestError, Tested};

use crate::contents::{Arriving, Contents};
use crate::edits::{Edit, apply};
use crate::frames::{About, Answer, Digest, Hello, Question, Spec, ToClient, ToWorker, decode, encode};
use crate::link::{Link, Outbox};

/// A client that says nothing for so long is gone: it says something every second.
pub(crate) const CLIENT_SILENCE: Duration = Duration::from_secs(15);

/// How often a worker looks whether something arrives.
const TICK: Duration = Duration::from_secs(1);

/// How much of an output is shown, in bytes: about a screen.
const SHOWN_BYTES: usize = 4 << 10;

/// What the starter of a worker decides.
#[derive(Clone, Debug)]
pub struct WorkerSetup {
    /// How many tests run at once.
    pub slots: usize,
    /// Where scratch folders go; `None`: where it is best.
    pub scratch: Option<PathBuf>,
    /// The most memory that a client may let a process of a test have, in bytes.
    pub memory_limit: Option<u64>,
    /// The longest time that a client may let a test take.
    pub time_limit: Option<Duration>,
    /// The program that runs as a helper.
    pub helper: HelperProgram,
    /// The groups that it works for.
    pub groups: Vec<String>,
}

/// A worker, over all its sessions.
#[derive(Debug)]
pub(crate) struct Worker {
    pub(crate) setup: WorkerSetup,
    contents: Mutex<Contents>,
    tests: AtomicU64,
    disagreements: AtomicU64,
}

impl Worker {
    pub(crate) fn new(setup: WorkerSetup) -> Self {
        Self { setup, contents: Mutex::default(), tests: AtomicU64::new(0), disagreements: AtomicU64::new(0) }
    }

    /// How it describes itself.
    pub(crate) fn about(&self, is_busy: bool) -> About {
        let load = std::fs::read_to_string("/proc/loadavg").ok();
        About {
            host: host_name(),
            process: std::process::id(),
            group: self.setup.groups.join(","),
            cores: std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32),
            slots: self.setup.slots as u32,
            load: load.and_then(|text| text.split(' ').next()?.parse().ok()).unwrap_or_default(),
            tests: self.tests.load(Ordering::Relaxed),
            disagreements: self.disagreements.load(Ordering::Relaxed),
            is_busy,
        }
    }

    /// Works for one client until the link ends.
    pub(crate) fn serve(self: &Arc<Self>, link: Link) {
        let Link { outbox, inbox, traffic } = link;
        outbox.send(encode(&Hello::new(self.about(false))));
        let mut session = Session { worker: Arc::clone(self), outbox, start: None, work: None };
        let (mut heard, mut arrived) = (Instant::now(), 0);
        loop {
            match inbox.recv_timeout(TICK) {
                Ok(frame) => {
                    heard = Instant::now();
                    if decode(&frame).and_then(|message| session.take(message)).is_none() {
                        break;
                    }
                }
                // A large frame is on its way, and pings wait behind it. So the client needs to hear something too.
                Err(RecvTimeoutError::Timeout) if traffic.arrived() > arrived => {
                    heard = Instant::now();
                    session.send(&ToClient::Pong);
                }
                Err(RecvTimeoutError::Timeout) if heard.elapsed() <= CLIENT_SILENCE => {}
                Err(_) => break,
            }
            arrived = traffic.arrived();
        }
    }
}

pub(crate) fn host_name() -> String {
    nix::unistd::gethostname().map_or_else(|_| "unknown".to_owned(), |name| name.to_string_lossy().into_owned())
}

struct Session {
    worker: Arc<Worker>,
    outbox: Outbox,
    start: Option<Start>,
    work: Option<Work>,
}

/// What the client wants, until everything for it is there.
struct Start {
    spec: Digest,
    base: Digest,
    /// What was asked for, and what was found; no other session can take it away.
    held: HashMap<Digest, Held>,
}

/// A content that is wanted.
enum Held {
    Whole(Arc<Vec<u8>>),
    Arriving(Arriving),
}

impl Session {
    /// Takes in a message; `None` if it is invalid.
    fn take(&mut self, message: ToWorker) -> Option<()> {
        match message {
            ToWorker::Start { spec, base } => {
                self.start = Some(Start { spec, base, held: HashMap::new() });
                self.try_start()?;
            }
            ToWorker::Part { content, size, bytes } => self.take_part(content, size, &bytes)?,
            ToWorker::Base(edit) => {
                let work = self.work.as_mut()?;
                work.base = apply(&work.base, &edit)?;
            }
            ToWorker::Ask { id, edit, question } => self.work.as_ref()?.ask(id, &edit, question)?,
            ToWorker::Cancel(id) => self.work.as_ref()?.cancel(id),
            ToWorker::Disagreed => {
                self.worker.disagreements.fetch_add(1, Ordering::Relaxed);
            }
            ToWorker::Ping => self.send(&ToClient::Pong),
        }
        Some(())
    }

    fn send(&self, message: &ToClient) {
        self.outbox.send(encode(message));
    }

    /// Begins to work, or asks for what is missing.
    fn try_start(&mut self) -> Option<()> {
        let worker = Arc::clone(&self.worker);
        let start = self.start.as_ref()?;
        let wanted = [start.spec, start.base];
        let Some(found) = self.obtain(&wanted) else { return Some(()) };
        let spec: Spec = decode(&found[0])?;
        let base = apply(&Candidate::project([]), &decode(&found[1])?)?;
        let names: Vec<Digest> = spec.files.iter().map(|file| file.content).collect();
        let Some(contents) = self.obtain(&names) else { return Some(()) };
        self.start = None;
        match start_work(&worker, spec, contents, base, &self.outbox) {
            Ok(work) => {
                self.work = Some(work);
                self.send(&ToClient::Ready);
            }
            Err(reason) => self.send(&ToClient::Refused(reason)),
        }
        Some(())
    }

    /// The contents of these digests. If one is missing, it is asked for once.
    fn obtain(&mut self, names: &[Digest]) -> Option<Vec<Arc<Vec<u8>>>> {
        for name in names {
            let kept = self.worker.lock_contents().get(*name);
            let held = &mut self.start.as_mut()?.held;
            if held.contains_key(name) {
                continue;
            }
            let arriving = Held::Arriving(Arriving::new(*name));
            held.insert(*name, kept.map_or(arriving, Held::Whole));
            self.ask_for_parts(*name);
        }
        let held = &self.start.as_ref()?.held;
        let whole = |name: &Digest| match held.get(name)? {
            Held::Whole(content) => Some(Arc::clone(content)),
            Held::Arriving(_) => None,
        };
        names.iter().map(whole).collect()
    }

    /// Takes a part of a content; `None` if it was not asked for.
    fn take_part(&mut self, name: Digest, size: u64, bytes: &[u8]) -> Option<()> {
        let held = self.start.as_mut()?.held.get_mut(&name)?;
        let Held::Arriving(arriving) = held else { return None };
        arriving.take(size, bytes)?;
        let Some(content) = arriving.finish() else {
            self.ask_for_parts(name);
            return Some(());
        };
        let content = content?;
        self.worker.lock_contents().keep(name, &content);
        *held = Held::Whole(content);
        self.try_start()
    }

    fn ask_for_parts(&mut self, name: Digest) {
        let held = self.start.as_mut().and_then(|start| start.held.get_mut(&name));
        let Some(Held::Arriving(arriving)) = held else { return };
        let wishes = arriving.wishes();
        wishes.into_iter().for_each(|from| self.send(&ToClient::Need { content: name, from }));
    }
}

impl Worker {
    fn lock_contents(&self) -> MutexGuard<'_, Contents> {
        self.contents.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A property that is ready, and those who run it.
struct Work {
    base: Candidate,
    jobs: Option<Sender<Job>>,
    cancels: Arc<Mutex<HashMap<u64, Cancel>>>,
    threads: Vec<JoinHandle<()>>,
}

struct Job {
    id: u64,
    candidate: Candidate,
    question: Question,
    cancel: Cancel,
}

/// Starts the command of a property, unless it asks for more than this worker allows. A limit that is lower than the client's
/// would change verdicts, so it is not applied instead.
fn start_work(
    worker: &Arc<Worker>,
    spec: Spec,
    contents: Vec<Arc<Vec<u8>>>,
    base: Candidate,
    outbox: &Outbox,
) -> Result<Work, String> {
    let setup = &worker.setup;
    if let Some(limit) = setup.time_limit.filter(|limit| spec.timeout > *limit) {
        let asked = spec.timeout.as_secs_f64();
        return Err(format!(
            "a test may take {asked} s, and this worker allows {} s; see --timeout",
            limit.as_secs_f64()
        ));
    }
    if let Some(limit) = setup.memory_limit.filter(|limit| spec.memory_limit.is_none_or(|asked| asked > *limit)) {
        return Err(format!(
            "this worker allows no more memory than --memory-limit {}; pass that, or less",
            size(limit)
        ));
    }
    let command = TestCommand {
        criteria: spec.criteria,
        timeout: Some(spec.timeout),
        memory_limit: spec.memory_limit,
        scratch: setup.scratch.clone(),
        warm: spec.warm,
        helper: Some(setup.helper.clone().with_environment(spec.environment)),
    };
    let file = |(file, content): (crate::frames::SpecFile, Arc<Vec<u8>>)| SentFile {
        path: PathBuf::from(file.path),
        executable: file.executable,
        bytes: content,
    };
    let files: Vec<SentFile> = spec.files.into_iter().zip(contents).map(file).collect();
    let test = command.start_with_files(&files, spec.bytes, setup.slots).map_err(|error| error.to_string())?;
    let constants = Constants { timeout: spec.timeout, trust: Trust::default(), signature: spec.signature };
    let property = Arc::new(CommandProperty::new(test, constants, setup.slots));
    let (jobs, queue) = crossbeam_channel::unbounded();
    let cancels = Arc::<Mutex<HashMap<u64, Cancel>>>::default();
    let thread = |_| {
        let (queue, property, outbox) = (queue.clone(), Arc::clone(&property), outbox.clone());
        let (cancels, worker) = (Arc::clone(&cancels), Arc::clone(worker));
        std::thread::spawn(move || work_off(&queue, &property, &outbox, &cancels, &worker))
    };
    let threads = (0..setup.slots).map(thread).collect();
    Ok(Work { base, jobs: Some(jobs), cancels, threads })
}

/// A number of bytes, as users write it.
fn size(bytes: u64) -> String {
    let units = [(30, "G"), (20, "M"), (10, "K")];
    let unit = units.into_iter().find(|(shift, _)| bytes > 0 && bytes.trailing_zeros() >= *shift);
    unit.map_or_else(|| bytes.to_string(), |(shift, unit)| format!("{}{unit}", bytes >> shift))
}

impl Work {
    fn ask(&self, id: u64, edit: &Edit, question: Question) -> Option<()> {
        let candidate = apply(&self.base, edit)?;
        let cancel = Cancel::new();
        self.lock_cancels().insert(id, cancel.clone());
        self.jobs.as_ref()?.send(Job { id, candidate, question, cancel }).ok()
    }

    fn cancel(&self, id: u64) {
        // Not while the lock is held: a hook may take its time.
        let cancel = self.lock_cancels().get(&id).cloned();
        cancel.iter().for_each(Cancel::cancel);
    }

    fn lock_cancels(&self) -> MutexGuard<'_, HashMap<u64, Cancel>> {
        self.cancels.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.jobs = None;
        let all: Vec<Cancel> = self.lock_cancels().values().cloned().collect();
        all.iter().for_each(Cancel::cancel);
        for thread in self.threads.drain(..) {
            // A thread that panicked has said so.
            let _ = thread.join();
        }
    }
}

fn work_off(
    queue: &Receiver<Job>,
    property: &CommandProperty,
    outbox: &Outbox,
    cancels: &Mutex<HashMap<u64, Cancel>>,
    worker: &Worker,
) {
    for Job { id, candidate, question, cancel } in queue {
        let answer = match question {
            _ if cancel.is_cancelled() => Answer::Cancelled,
            Question::Verdict => property.judge(&candidate, &cancel).map_or_else(failed, verdict),
            Question::Output => shown(property, &candidate, &cancel).map_or_else(failed, Answer::Output),
        };
        if answer != Answer::Cancelled {
            worker.tests.fetch_add(1, Ordering::Relaxed);
        }
        cancels.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
        outbox.send(encode(&ToClient::Answer { id, answer }));
    }
}

fn verdict(judged: Judged) -> Answer {
    let Judged { tested: Tested { verdict, elapsed }, reason, signature } = judged;
    Answer::Verdict { verdict, elapsed, reason, signature }
}

fn failed(error: TestError) -> Answer {
    match error {
        TestError::Cancelled => Answer::Cancelled,
        TestError::Failed(reason) => Answer::Failed(reason),
    }
}

/// How the command ends on a candidate, and what it prints, in words.
pub(crate) fn shown(property: &CommandProperty, candidate: &Candidate, cancel: &Cancel) -> Result<String, TestError> {
    let observed = property.command_test().observe(candidate, property.timeout(), cancel)?;
    let Observation { ending, stdout, stderr } = observed.observation;
    let text = |name: &str, bytes: &[u8]| {
        let head = String::from_utf8_lossy(&bytes[..bytes.len().min(SHOWN_BYTES)]).trim_end().replace('\n', "\n    ");
        if head.is_empty() { String::new() } else { format!("\n    {name}: {head}") }
    };
    Ok(format!("{ending}{}{}", text("stdout", &stdout), text("stderr", &stderr)))
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::os::unix::net::UnixStream;

    use super::*;
    use crate::link::over_pipes;

    #[test]
    fn sizes_are_written_as_users_write_them() {
        assert_eq!([0, 1000, 512 << 20, 3 << 30, 3 << 9].map(size), ["0", "1000", "512M", "3G", "1536"]);
    }

    #[test]
    fn a_worker_answers_while_a_large_frame_is_on_its_way() {
        let helper = HelperProgram::at("/bin/false");
        let setup =
            WorkerSetup { slots: 1, scratch: None, memory_limit: None, time_limit: None, helper, groups: Vec::new() };
        let (mut ours, theirs) = UnixStream::pair().unwrap();
        let half = |stream: &UnixStream| stream.try_clone().unwrap();
        let answers = over_pipes(half(&ours), std::io::sink()).inbox;
        let link = over_pipes(half(&theirs), theirs);
        let serving = std::thread::spawn(move || Arc::new(Worker::new(setup)).serve(link));
        assert!(Hello::read(&answers.recv().unwrap()).is_ok());
        ours.write_all(&(1u64 << 20).to_le_bytes()).unwrap();
        ours.write_all(&vec![0; 100 << 10]).unwrap();
        assert!(matches!(decode(&answers.recv().unwrap()), Some(ToClient::Pong)));
        ours.shutdown(std::net::Shutdown::Both).unwrap();
        serving.join().unwrap();
    }
}
