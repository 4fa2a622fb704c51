//! What a person sees while a folder is worked through: a live line on a terminal, else a plain line per input.

use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::Settled;
use super::job::File;
use crate::command::format::{count, time};
use crate::command::print::tell;

/// Prints progress to standard error.
pub(crate) struct Progress {
    state: Mutex<State>,
    live: Option<ProgressBar>,
    quiet: bool,
    began: Instant,
}

struct State {
    inputs: usize,
    done: usize,
    failed: usize,
    /// The bytes of the inputs that were worked on in this run, and of those that are to come.
    worked: u64,
    left: u64,
}

impl Progress {
    /// For inputs of these sizes.
    pub(crate) fn new(sizes: &[u64], quiet: bool) -> Self {
        let left = sizes.iter().map(|&size| weight(size)).sum();
        let state = Mutex::new(State { inputs: sizes.len(), done: 0, failed: 0, worked: 0, left });
        let live = (!quiet && std::io::stderr().is_terminal()).then(|| live_line(sizes.len() as u64));
        Self { state, live: live.filter(|bar| !bar.is_hidden()), quiet, began: Instant::now() }
    }

    /// An input is over with.
    pub(crate) fn advance(&self, input: &File, outcome: &Settled) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.take_in(input.bytes, outcome);
        let is_news = matches!(outcome, Settled::Done { known: false, .. } | Settled::Failed(_));
        let estimate = state.estimate(self.began.elapsed());
        match &self.live {
            Some(bar) => {
                bar.set_position(state.done as u64);
                bar.set_message(format!("{} failed, {estimate}", count(state.failed as u64)));
            }
            None if is_news && !self.quiet => {
                let (name, what) = (input.name.to_string_lossy(), told(outcome));
                tell(&format!("{:>6}/{}  {name}: {what}; {estimate}", state.done, state.inputs));
            }
            None => {}
        }
    }

    /// Takes the live line away.
    pub(crate) fn end(&self) {
        if let Some(bar) = &self.live {
            bar.finish_and_clear();
        }
    }
}

impl State {
    fn take_in(&mut self, size: u64, outcome: &Settled) {
        let is_new = matches!(outcome, Settled::Done { known: false, .. });
        self.done += 1;
        self.failed += usize::from(matches!(outcome, Settled::Failed(_)));
        self.left -= weight(size);
        self.worked += if is_new { weight(size) } else { 0 };
    }

    /// How long the rest takes if it goes on like that: large inputs take longer.
    fn estimate(&self, elapsed: Duration) -> String {
        if self.worked == 0 {
            return "time left unknown".into();
        }
        let left = elapsed.as_secs_f64() * self.left as f64 / self.worked as f64;
        format!("about {} left", time(Duration::from_secs_f64(left)))
    }
}

fn told(outcome: &Settled) -> String {
    match outcome {
        Settled::Done { entry, .. } => {
            let (before, after) = (count(entry.before.bytes), count(entry.after.bytes));
            format!("{before} -> {after} bytes, {} tests", count(entry.tests))
        }
        Settled::Failed(_) => "failed".into(),
        Settled::Unfinished => "not finished".into(),
    }
}

/// What an input counts for; empty ones take a moment, too.
fn weight(size: u64) -> u64 {
    size.saturating_add(1)
}

fn live_line(inputs: u64) -> ProgressBar {
    let bar = ProgressBar::new(inputs);
    let template = "{wide_bar} {human_pos}/{human_len} inputs, {msg}";
    bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_message("0 failed");
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_estimate_is_by_size_and_follows_from_what_was_reduced_in_this_run() {
        let mut state = State { inputs: 4, done: 0, failed: 0, worked: 0, left: 1000 };
        state.take_in(499, &Settled::Failed("why".into()));
        assert_eq!(state.estimate(Duration::from_secs(1)), "time left unknown");
        state.worked = 100;
        assert_eq!(state.estimate(Duration::from_secs(60)), "about 5m 00s left");
        assert_eq!((state.done, state.failed, state.left), (1, 1, 500));
    }
}
