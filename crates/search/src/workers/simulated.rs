//! Workers in virtual time: any number of them on one thread, without waiting.
//!
//! A test takes a fixed virtual time. Everything else takes none, so that a run is the same every time; or, with a clock, as
//! much processor time as it takes here, on a machine with a core for every thread. The property is asked when the virtual
//! test ends, so that a verdict is not known before, and never if the test was cancelled.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};
use std::time::Duration;

use crossbeam_channel::Sender;

use super::parking::{Parking, Task};
use super::{Job, JobId, Message, Prepared};
use crate::examine::Report;

/// The processor time that the calling thread has used so far.
pub type Clock = fn() -> Duration;

/// Workers that are simulated: one thread finds out how long a search with any number of them would take.
#[derive(Clone, Copy, Debug)]
pub struct Simulation {
    /// How long a test takes, in virtual time.
    pub test: Duration,
    /// Measures what everything else takes. Without it, that is no time.
    pub clock: Option<Clock>,
}

impl Simulation {
    /// Everything but a test takes no time, so that each run comes to the same.
    pub fn ideal(test: Duration) -> Self {
        Self { test, clock: None }
    }
}

pub(super) struct Simulated {
    duration: Duration,
    clock: Option<Clock>,
    /// Where the search is in virtual time, and what the clock said then.
    now: (Duration, Duration),
    /// When each free worker became free.
    free: BinaryHeap<Reverse<Duration>>,
    /// With the time from which they can start, the oldest first.
    queue: VecDeque<(Duration, JobId, Job)>,
    /// What is going to happen, and when.
    events: BTreeMap<Moment, Event>,
    foreseen: u64,
    parking: Parking,
    outbox: Sender<Message>,
    /// How long workers were in tests.
    tested: Duration,
}

enum Event {
    Prepared(Task),
    Tested(Task),
    Message(Message),
}

/// When something happens. At the same time, a test ends last, after jobs have started; others in the order in which they
/// were foreseen.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Moment {
    time: Duration,
    order: Order,
    number: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Order {
    Message,
    Start,
    End,
}

impl Simulated {
    pub(super) fn new(count: usize, Simulation { test, clock }: Simulation, outbox: Sender<Message>) -> Self {
        let free = std::iter::repeat_n(Reverse(Duration::ZERO), count).collect();
        let (queue, events, parking) = (VecDeque::new(), BTreeMap::new(), Parking::default());
        let now = (Duration::ZERO, clock.map_or(Duration::ZERO, |clock| clock()));
        let tested = Duration::ZERO;
        Self { duration: test, clock, now, free, queue, events, foreseen: 0, parking, outbox, tested }
    }

    /// A job that can start from now on.
    pub(super) fn hand_out(&mut self, id: JobId, job: Job) {
        self.queue.push_back((self.now(), id, job));
    }

    /// Waits for something else, which takes the search no virtual time: waiting may use the processor, too.
    pub(super) fn waiting<T>(&mut self, wait: impl FnOnce() -> T) -> T {
        let (result, took) = self.timed(Duration::ZERO, wait);
        self.now.1 += took;
        result
    }

    /// Sends the search a message at some time.
    pub(super) fn wake_at(&mut self, time: Duration) {
        self.foresee(time, Event::Message(Message::More));
    }

    /// Where the search is, which may be at work.
    pub(super) fn now(&self) -> Duration {
        self.now.0 + self.clock.map_or(Duration::ZERO, |clock| clock() - self.now.1)
    }

    pub(super) fn clock(&self) -> Option<Clock> {
        self.clock
    }

    pub(super) fn parked(&self) -> usize {
        self.parking.parked()
    }

    pub(super) fn tested(&self) -> Duration {
        self.tested
    }

    /// The search waits until there is a message, or nothing left to happen. What happened while it was at work is there at
    /// once.
    pub(super) fn advance(&mut self) {
        let mut now = self.now();
        self.end_cancelled(now);
        loop {
            let event = self.events.first_key_value().map(|(&moment, _)| (moment.time, moment.order));
            let start = self.free.peek().zip(self.queue.front()).map(|(free, job)| free.0.max(job.0));
            let start = start.map(|time| (time, Order::Start)).filter(|&start| event.is_none_or(|event| start < event));
            let Some((time, _)) = start.or(event) else { break };
            if !self.outbox.is_empty() && time >= now {
                break;
            }
            match start {
                Some((time, _)) => self.start(time),
                None => now = self.happen().max(now),
            }
        }
        self.now = (now, self.clock.map_or(Duration::ZERO, |clock| clock()));
    }

    /// The oldest job starts.
    fn start(&mut self, time: Duration) {
        let Some((_, id, Job { prepare, cancel })) = self.queue.pop_front() else { return };
        self.free.pop();
        let (prepared, time) = self.timed(time, prepare);
        match prepared {
            Prepared::Ended(report) => {
                self.free.push(Reverse(time));
                self.foresee(time, Event::Message(Message::Ended(id, report)));
            }
            Prepared::Test(test) => self.foresee(time, Event::Prepared(Task { id, test, cancel })),
        }
    }

    /// The next event happens, at the time that is returned.
    fn happen(&mut self) -> Duration {
        let Some((Moment { time, .. }, event)) = self.events.pop_first() else { return Duration::ZERO };
        match event {
            Event::Message(message) => self.send(message),
            Event::Prepared(task) => {
                self.send(Message::More);
                match self.parking.enter(task) {
                    Some(task) => self.foresee(time + self.duration, Event::Tested(task)),
                    None => self.free.push(Reverse(time)),
                }
            }
            Event::Tested(task) => {
                self.tested += self.duration;
                self.end(time, task);
            }
        }
        time
    }

    /// All that wait for the verdict have it at the same time.
    fn end(&mut self, mut time: Duration, task: Task) {
        let mut next = Some(task);
        while let Some(Task { id, test, .. }) = next {
            let (report, end) = self.timed(time, test.run);
            time = end;
            self.foresee(time, Event::Message(Message::Ended(id, report)));
            next = self.parking.next(test.content);
        }
        self.free.push(Reverse(time));
    }

    /// A cancelled test ends at once, without a verdict; the next that waits for one begins.
    fn end_cancelled(&mut self, now: Duration) {
        let is_over = |event: &Event| matches!(event, Event::Tested(task) if task.cancel.is_cancelled());
        let cancelled: Vec<Moment> =
            self.events.iter().filter(|(_, event)| is_over(event)).map(|(&moment, _)| moment).collect();
        for moment in cancelled {
            let Some(Event::Tested(Task { id, test, .. })) = self.events.remove(&moment) else { continue };
            self.tested += self.duration - moment.time.saturating_sub(now).min(self.duration);
            self.send(Message::Ended(id, Report::Cancelled));
            match self.parking.next(test.content) {
                Some(next) => self.foresee(now + self.duration, Event::Tested(next)),
                None => self.free.push(Reverse(now)),
            }
        }
    }

    /// What a worker comes to that begins at some time, and when it does.
    fn timed<T>(&self, begin: Duration, work: impl FnOnce() -> T) -> (T, Duration) {
        let before = self.clock.map_or(Duration::ZERO, |clock| clock());
        let result = work();
        (result, begin + self.clock.map_or(Duration::ZERO, |clock| clock() - before))
    }

    fn foresee(&mut self, time: Duration, event: Event) {
        let order = if matches!(event, Event::Tested(_)) { Order::End } else { Order::Message };
        self.events.insert(Moment { time, order, number: self.foreseen }, event);
        self.foreseen += 1;
    }

    fn send(&self, message: Message) {
        self.outbox.send(message).expect("the search holds the other end");
    }
}
