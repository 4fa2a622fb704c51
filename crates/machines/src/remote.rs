//! One worker, as its client sees it: questions, answers, and the base that both sides have.
//!
//! An answer that nobody waits for is ignored: it came twice, or late. When the link ends, all waiting questions are answered with [`Reply::Lost`].

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, select};
use whittle_search::{Cancel, Candidate};

use crate::edits::Base;
use crate::frames::{Answer, Question, ToClient, ToWorker, decode, encode};
use crate::link::{Outbox, Pulse, Traffic};

/// How often a worker is asked whether it is there.
const PING: Duration = Duration::from_secs(1);

/// A worker that says nothing for so long is taken for lost: it answers every ping, whatever its tests do.
const SILENCE: Duration = Duration::from_secs(10);

/// How much longer than its timeout an answer may take: two runs of the validity check and the test, and what surrounds them.
const ANSWER_TIMEOUTS: u32 = 4;
const ANSWER_GRACE: Duration = Duration::from_secs(60);

/// A worker that takes questions.
#[derive(Debug)]
pub(crate) struct Remote {
    /// How messages call it.
    pub(crate) name: Arc<str>,
    pub(crate) host: String,
    pub(crate) slots: usize,
    /// How many of its verdicts count.
    pub(crate) believed: AtomicU64,
    /// The size of the smallest candidate that it found interesting as another machine did, in bytes.
    pub(crate) confirmed: AtomicU64,
    left_out: AtomicBool,
    desk: Mutex<Desk>,
    pending: Arc<Mutex<Pending>>,
}

/// What is sent, in order.
#[derive(Debug)]
struct Desk {
    /// `None` once the link has ended.
    outbox: Option<Outbox>,
    /// What edits are made against.
    base: Arc<Base>,
}

/// Who waits for an answer.
#[derive(Debug, Default)]
struct Pending {
    next: u64,
    waiting: HashMap<u64, Sender<Reply>>,
    is_over: bool,
}

/// What comes of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    Answer(Answer),
    /// The worker is gone.
    Lost,
}

impl Remote {
    pub(crate) fn new(name: Arc<str>, host: String, slots: usize, outbox: Outbox, base: Arc<Base>) -> Self {
        let (believed, confirmed) = (AtomicU64::new(0), AtomicU64::new(u64::MAX));
        let desk = Mutex::new(Desk { outbox: Some(outbox), base });
        Self { name, host, slots, believed, confirmed, left_out: AtomicBool::new(false), desk, pending: Arc::default() }
    }

    /// It finds this candidate interesting, as another machine does.
    pub(crate) fn note_confirmed(&self, candidate: &Candidate) {
        self.confirmed.fetch_min(candidate.byte_count(), Ordering::Relaxed);
    }

    /// Whether its verdicts do not count any more.
    pub(crate) fn is_left_out(&self) -> bool {
        self.left_out.load(Ordering::Relaxed)
    }

    /// Its verdicts do not count from now on; `false` if that was so before.
    pub(crate) fn set_left_out(&self) -> bool {
        !self.left_out.swap(true, Ordering::Relaxed)
    }

    /// Asks about a candidate and waits. `base` is what others use too. Gives the answer, and the bytes that were sent for it.
    pub(crate) fn ask(
        &self,
        candidate: &Candidate,
        question: Question,
        base: &Arc<Base>,
        timeout: Duration,
        cancel: &Cancel,
    ) -> (Reply, u64) {
        let edit = base.edit(candidate);
        let (answer, answered) = crossbeam_channel::bounded(2);
        let Some(id) = self.lock_pending().register(answer) else { return (Reply::Lost, 0) };
        let sent = {
            let mut desk = self.lock_desk();
            let before = desk.sent();
            desk.use_base(base);
            desk.send(&ToWorker::Ask { id, edit, question });
            desk.sent() - before
        };
        let limit = Instant::now() + timeout.saturating_mul(ANSWER_TIMEOUTS) + ANSWER_GRACE;
        let reply = cancel.watch(self.canceller(id), || answered.recv_deadline(limit));
        self.lock_pending().waiting.remove(&id);
        let reply = reply.unwrap_or_else(|_| {
            // It answers pings, but not this.
            self.end();
            Reply::Lost
        });
        (reply, sent)
    }

    /// What gives up a question. Nobody waits until the worker has done so.
    fn canceller(&self, id: u64) -> impl FnOnce() + Send + 'static {
        let (pending, outbox) = (Arc::clone(&self.pending), self.lock_desk().outbox.clone());
        move || {
            let waiting = lock(&pending).waiting.remove(&id);
            if let Some(waiting) = waiting {
                outbox.iter().for_each(|outbox| outbox.send(encode(&ToWorker::Cancel(id))));
                let _ = waiting.send(Reply::Answer(Answer::Cancelled));
            }
        }
    }

    pub(crate) fn send(&self, message: &ToWorker) {
        self.lock_desk().send(message);
    }

    /// Ends the link from this side. The reader notices, and so does the worker.
    pub(crate) fn end(&self) {
        self.lock_desk().outbox = None;
        self.lock_pending().end();
    }

    /// Whether every question is lost from now on.
    pub(crate) fn has_ended(&self) -> bool {
        self.lock_pending().is_over
    }

    /// Reads answers until the link ends or `retirement` is disconnected, and says why. Pings meanwhile.
    pub(crate) fn listen(
        &self,
        inbox: &Receiver<Vec<u8>>,
        traffic: &Traffic,
        retirement: &Receiver<Infallible>,
    ) -> String {
        let reason = self.listen_until_broken(inbox, traffic, retirement);
        self.end();
        reason
    }

    fn listen_until_broken(
        &self,
        inbox: &Receiver<Vec<u8>>,
        traffic: &Traffic,
        retirement: &Receiver<Infallible>,
    ) -> String {
        let (mut heard, mut ping) = (Instant::now(), Instant::now() + PING);
        let mut pulse = Pulse::default();
        loop {
            select! {
                recv(inbox) -> frame => {
                    let Ok(frame) = frame else { return "the connection ended".to_owned() };
                    heard = Instant::now();
                    match decode(&frame) {
                        Some(ToClient::Answer { id, answer }) => self.deliver(id, answer),
                        Some(_) => {}
                        None => return "invalid frame".to_owned(),
                    }
                }
                recv(retirement) -> _ => return "the connection ended".to_owned(),
                default(ping.saturating_duration_since(Instant::now())) => {
                    if pulse.beats(traffic) {
                        heard = Instant::now();
                    }
                    if heard.elapsed() > SILENCE {
                        return format!("no answer for {} s", SILENCE.as_secs());
                    }
                }
            }
            if Instant::now() >= ping {
                if self.lock_desk().outbox.is_none() {
                    return "the connection ended".to_owned();
                }
                self.send(&ToWorker::Ping);
                ping = Instant::now() + PING;
            }
        }
    }

    fn deliver(&self, id: u64, answer: Answer) {
        // Nobody waits for what came twice or late.
        if let Some(waiting) = self.lock_pending().waiting.remove(&id) {
            let _ = waiting.send(Reply::Answer(answer));
        }
    }

    fn lock_desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock_pending(&self) -> MutexGuard<'_, Pending> {
        lock(&self.pending)
    }
}

fn lock(pending: &Mutex<Pending>) -> MutexGuard<'_, Pending> {
    pending.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Desk {
    fn send(&self, message: &ToWorker) {
        if let Some(outbox) = &self.outbox {
            outbox.send(encode(message));
        }
    }

    fn sent(&self) -> u64 {
        self.outbox.as_ref().map_or(0, Outbox::sent)
    }

    /// Sends the worker another base, as an edit of the one it has.
    fn use_base(&mut self, base: &Arc<Base>) {
        if !Arc::ptr_eq(&self.base, base) {
            self.send(&ToWorker::Base(self.base.edit(base.candidate())));
            self.base = Arc::clone(base);
        }
    }
}

impl Pending {
    fn register(&mut self, answer: Sender<Reply>) -> Option<u64> {
        if self.is_over {
            return None;
        }
        self.next += 1;
        self.waiting.insert(self.next, answer);
        Some(self.next)
    }

    fn end(&mut self) {
        self.is_over = true;
        for (_, waiting) in self.waiting.drain() {
            let _ = waiting.send(Reply::Lost);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use whittle_search::Verdict;

    fn answer(id: u64, verdict: Verdict) -> Vec<u8> {
        let answer = Answer::Verdict { verdict, elapsed: Duration::ZERO, reason: None, signature: None };
        encode(&ToClient::Answer { id, answer })
    }

    #[test]
    fn answers_that_come_twice_or_late_are_ignored_and_the_end_is_told_to_all() {
        let base = Arc::new(Base::new(Candidate::single("f", b"text".to_vec())));
        let (sent, outgoing) = crossbeam_channel::unbounded();
        let (arrive, inbox) = crossbeam_channel::unbounded();
        let traffic = Arc::<Traffic>::default();
        let outbox = Outbox::new(&traffic, move |frame| drop(sent.send(frame)));
        let remote = Arc::new(Remote::new("w".into(), "h".into(), 1, outbox, Arc::clone(&base)));
        let listening = {
            let remote = Arc::clone(&remote);
            std::thread::spawn(move || remote.listen(&inbox, &traffic, &crossbeam_channel::never()))
        };
        // What it is asked, it answers twice, after an answer to something else.
        let worker = {
            let arrive = arrive.clone();
            std::thread::spawn(move || {
                for frame in outgoing {
                    if let Some(ToWorker::Ask { id, .. }) = decode(&frame)
                        && id < 3
                    {
                        let verdicts = [Verdict::Interesting, Verdict::Uninteresting];
                        let answers = verdicts.map(|verdict| answer(id, verdict));
                        let all = [answer(id + 100, Verdict::Other)].into_iter().chain(answers);
                        all.for_each(|frame| arrive.send(frame).unwrap());
                    }
                }
            })
        };
        let ask =
            |cancel: &Cancel| remote.ask(base.candidate(), Question::Verdict, &base, Duration::from_secs(60), cancel).0;
        for _ in 0..2 {
            let reply = ask(&Cancel::new());
            assert!(matches!(reply, Reply::Answer(Answer::Verdict { verdict: Verdict::Interesting, .. })), "{reply:?}");
        }
        let cancel = Cancel::new();
        std::thread::scope(|scope| {
            let asked = scope.spawn(|| ask(&cancel));
            std::thread::sleep(Duration::from_millis(50));
            cancel.cancel();
            assert_eq!(asked.join().unwrap(), Reply::Answer(Answer::Cancelled), "nobody waits for the worker");
            arrive.send(answer(3, Verdict::Interesting)).unwrap();
            let lost = scope.spawn(|| ask(&Cancel::new()));
            std::thread::sleep(Duration::from_millis(50));
            remote.end();
            assert_eq!(lost.join().unwrap(), Reply::Lost);
        });
        assert_eq!(ask(&Cancel::new()), Reply::Lost);
        assert!(remote.has_ended());
        worker.join().unwrap();
        assert_eq!(listening.join().unwrap(), "the connection ended");
    }
}
