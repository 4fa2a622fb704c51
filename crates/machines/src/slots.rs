//! [`Slots`]: who can run a test now, and who waits for that, in order. Pure: it knows no threads and no clock.
//!
//! Comparisons come before tests of the search on a quarter of the slots, since what they find out late must be done again. On
//! the others they come last: at the start, every verdict of every worker is compared, and tests should not wait for that.
//! Somebody who cannot use what is free keeps nobody else from it.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crossbeam_channel::{Receiver, Sender};

use crate::fleet::FleetView;
use crate::remote::Remote;

/// One in so many slots is for comparisons first.
const COMPARING_SHARE: usize = 4;

/// Room for one test.
#[derive(Clone, Debug)]
pub(crate) enum Slot {
    Here,
    At(Arc<Remote>),
    /// For a comparison.
    Comparing(Arc<Remote>),
}

/// Which slots will do.
pub(crate) enum Wish {
    /// All.
    Any,
    /// One of another worker than this, the better the longer ago that has found something interesting.
    OtherThan(Arc<Remote>),
    /// One of this worker.
    Of(Arc<Remote>),
}

/// The slots of this machine and of all workers.
#[derive(Default)]
pub(crate) struct Slots {
    local: usize,
    free_here: usize,
    members: Vec<Member>,
    /// How many slots are in use for comparisons.
    comparing: usize,
    queue: VecDeque<Waiting>,
    tickets: u64,
    is_retired: bool,
}

struct Member {
    remote: Arc<Remote>,
    free: usize,
}

struct Waiting {
    ticket: u64,
    wish: Wish,
    give: Sender<Slot>,
}

impl Slots {
    /// So many tests at once run on this machine.
    pub(crate) fn new(local: usize) -> Self {
        Self { local, free_here: local, ..Self::default() }
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.local + self.remote_count()
    }

    /// How many workers have.
    pub(crate) fn remote_count(&self) -> usize {
        self.members.iter().map(|member| member.remote.slots).sum()
    }

    pub(crate) fn view(&self) -> FleetView {
        let hosts: BTreeSet<&str> = self.remotes().map(|remote| remote.host.as_str()).collect();
        FleetView { hosts: hosts.len(), slots: self.remote_count() }
    }

    /// Whether there is nobody to run a test.
    pub(crate) fn are_none(&self) -> bool {
        self.local == 0 && self.members.is_empty() && !self.is_retired
    }

    pub(crate) fn remotes(&self) -> impl Iterator<Item = &Arc<Remote>> {
        self.members.iter().map(|member| &member.remote)
    }

    pub(crate) fn add(&mut self, remote: &Arc<Remote>) {
        self.members.push(Member { remote: Arc::clone(remote), free: remote.slots });
        self.dispatch();
    }

    /// `true` if it was there.
    pub(crate) fn remove(&mut self, remote: &Remote) -> bool {
        let before = self.members.len();
        self.members.retain(|member| !std::ptr::eq(&*member.remote, remote));
        self.members.len() < before
    }

    /// Lets all workers go. From now on, this machine runs whatever comes.
    pub(crate) fn retire(&mut self) -> Vec<Arc<Remote>> {
        self.is_retired = true;
        let members = std::mem::take(&mut self.members);
        self.dispatch();
        members.into_iter().map(|member| member.remote).collect()
    }

    /// Queues up for a slot, which arrives at the receiver.
    pub(crate) fn queue(&mut self, wish: Wish) -> (u64, Receiver<Slot>) {
        self.tickets += 1;
        let (ticket, (give, given)) = (self.tickets, crossbeam_channel::bounded(1));
        let is_test = matches!(wish, Wish::Any);
        let waiting = Waiting { ticket, wish, give };
        if is_test {
            self.queue.push_back(waiting);
        } else {
            self.queue.push_front(waiting);
        }
        self.dispatch();
        (ticket, given)
    }

    /// Leaves the queue. What has been given meanwhile goes back.
    pub(crate) fn leave_queue(&mut self, ticket: u64, given: &Receiver<Slot>) {
        self.queue.retain(|waiting| waiting.ticket != ticket);
        if let Ok(slot) = given.try_recv() {
            self.release(&slot);
        }
    }

    pub(crate) fn release(&mut self, slot: &Slot) {
        match slot {
            Slot::Here => self.free_here = (self.free_here + 1).min(self.local),
            Slot::At(remote) | Slot::Comparing(remote) => {
                self.comparing -= usize::from(matches!(slot, Slot::Comparing(_)));
                let member = self.members.iter_mut().find(|member| Arc::ptr_eq(&member.remote, remote));
                member.into_iter().for_each(|member| member.free += 1);
            }
        }
        self.dispatch();
    }

    /// Gives free slots to those who wait.
    fn dispatch(&mut self) {
        self.give_out(self.remote_count() / COMPARING_SHARE + 1);
        self.give_out(usize::MAX);
    }

    /// The same, with at most so many for comparisons.
    fn give_out(&mut self, max_comparing: usize) {
        let mut index = 0;
        while index < self.queue.len() {
            let is_over = self.comparing >= max_comparing && !matches!(self.queue[index].wish, Wish::Any);
            match if is_over { None } else { self.take(index) } {
                Some(slot) => {
                    let waiting = self.queue.remove(index);
                    // Who leaves the queue does so under the same lock, so somebody is there to take it.
                    waiting.into_iter().for_each(|waiting| drop(waiting.give.send(slot.clone())));
                }
                None => index += 1,
            }
        }
    }

    /// A slot for somebody in the queue. Here if possible, since nothing has to travel. One that has ended stays in the list
    /// for a moment, until its thread notices. It is not chosen: a test would be lost with it again and again.
    fn take(&mut self, index: usize) -> Option<Slot> {
        let wish = &self.queue[index].wish;
        if matches!(wish, Wish::Any) && (self.free_here > 0 || self.is_retired) {
            self.free_here = self.free_here.saturating_sub(1);
            return Some(Slot::Here);
        }
        let is_wanted = |remote: &Arc<Remote>| match wish {
            Wish::Any => true,
            Wish::OtherThan(first) => !Arc::ptr_eq(remote, first),
            Wish::Of(only) => Arc::ptr_eq(remote, only),
        };
        let rank = |member: &&mut Member| {
            let confirmed = member.remote.confirmed.load(Ordering::Relaxed);
            match wish {
                Wish::OtherThan(first) => (member.remote.host != first.host, confirmed, member.free),
                Wish::Any | Wish::Of(_) => (false, 0, member.free),
            }
        };
        let usable = |member: &&mut Member| member.free > 0 && is_wanted(&member.remote) && !member.remote.has_ended();
        let member = self.members.iter_mut().filter(usable).max_by_key(rank)?;
        member.free -= 1;
        let remote = Arc::clone(&member.remote);
        if matches!(wish, Wish::Any) {
            return Some(Slot::At(remote));
        }
        self.comparing += 1;
        Some(Slot::Comparing(remote))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edits::Base;
    use crate::link::Outbox;
    use whittle_search::Candidate;

    fn remote(host: &str, slots: usize) -> Arc<Remote> {
        let base = Arc::new(Base::new(Candidate::single("f", vec![0; 100])));
        Arc::new(Remote::new(host.into(), host.into(), slots, Outbox::new(&Arc::default(), drop), base))
    }

    fn at(given: &Receiver<Slot>) -> Option<String> {
        given.try_recv().ok().map(|slot| match slot {
            Slot::Here => "here".to_owned(),
            Slot::At(remote) | Slot::Comparing(remote) => remote.host.clone(),
        })
    }

    #[test]
    fn tests_wait_in_order_and_comparisons_come_first_but_keep_nobody_from_what_they_cannot_use() {
        let mut slots = Slots::new(1);
        let a = remote("a", 1);
        slots.add(&a);
        let [first, second, third, fourth] = [(); 4].map(|()| slots.queue(Wish::Any).1);
        assert_eq!([&first, &second, &third].map(at), [Some("here".to_owned()), Some("a".to_owned()), None]);
        let other = slots.queue(Wish::OtherThan(Arc::clone(&a))).1;
        slots.release(&Slot::At(Arc::clone(&a)));
        assert_eq!([&other, &third, &fourth].map(at), [None, Some("a".to_owned()), None]);
        let b = remote("b", 1);
        slots.add(&b);
        assert_eq!([&other, &fourth].map(at), [Some("b".to_owned()), None]);
        slots.release(&Slot::Comparing(b));
        assert_eq!(at(&fourth), Some("b".to_owned()));
    }

    #[test]
    fn comparisons_come_first_on_a_quarter_of_the_slots_and_last_on_the_others() {
        let mut slots = Slots::new(0);
        let (tests, comparisons): (Vec<_>, Vec<_>) =
            (0..8).map(|_| (slots.queue(Wish::Any).1, slots.queue(Wish::OtherThan(remote("z", 1))).1)).unzip();
        let a = remote("a", 8);
        slots.add(&a);
        let count = |given: &[Receiver<Slot>]| given.iter().filter(|given| at(given).is_some()).count();
        assert_eq!((count(&tests), count(&comparisons)), (5, 3));
        slots.release(&Slot::Comparing(Arc::clone(&a)));
        assert_eq!((count(&tests), count(&comparisons)), (0, 1));
        (0..5).for_each(|_| slots.release(&Slot::At(Arc::clone(&a))));
        assert_eq!((count(&tests), count(&comparisons)), (3, 2), "no test waits any more");
    }

    #[test]
    fn comparisons_go_to_who_was_not_heard_for_longest() {
        let mut slots = Slots::new(0);
        let [a, b, c] = ["a", "b", "c"].map(|host| remote(host, 2));
        [&a, &b, &c].iter().for_each(|remote| slots.add(remote));
        b.confirmed.store(10, Ordering::Relaxed);
        assert_eq!(at(&slots.queue(Wish::OtherThan(Arc::clone(&a))).1), Some("c".to_owned()));
        assert_eq!(at(&slots.queue(Wish::OtherThan(c)).1), Some("a".to_owned()));
        assert_eq!(at(&slots.queue(Wish::Of(b)).1), Some("b".to_owned()));
    }

    #[test]
    fn who_leaves_the_queue_loses_nothing_and_after_retirement_all_run_here() {
        let mut slots = Slots::new(0);
        let a = remote("a", 1);
        slots.add(&a);
        let (ticket, given) = slots.queue(Wish::Any);
        let (waiting, never) = slots.queue(Wish::Any);
        slots.leave_queue(waiting, &never);
        slots.leave_queue(ticket, &given);
        let next = slots.queue(Wish::Any).1;
        assert_eq!([&never, &next].map(at), [None, Some("a".to_owned())]);
        let last = slots.queue(Wish::Any).1;
        assert_eq!(at(&last), None);
        a.end();
        slots.release(&Slot::At(Arc::clone(&a)));
        assert_eq!(at(&last), None, "a worker that has ended runs no test");
        assert_eq!(slots.retire().len(), 1);
        assert_eq!(at(&last), Some("here".to_owned()));
        assert!(!slots.are_none());
    }
}
