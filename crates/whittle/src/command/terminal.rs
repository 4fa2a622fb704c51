//! Progress for people: a live line on a terminal, else a plain line per improvement.

use std::io::IsTerminal;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use whittle::search::{Event, Listener, Moment, Verdict};
use whittle::syntaxes::SizeUnit;

use super::format::{count, percent, time};
use super::plan::Voice;
use super::print::tell;

/// Prints progress to standard error.
pub(crate) struct Terminal {
    status: Arc<Mutex<Status>>,
    live: Option<ProgressBar>,
    verbose: bool,
}

/// What the live line shows.
#[derive(Clone, Debug)]
struct Status {
    pass: String,
    /// The size of the input; `None` while it is checked.
    first: Option<u64>,
    size: u64,
    /// What sizes count.
    unit: SizeUnit,
    tests: u64,
    busy: usize,
    started: Instant,
    last_gain: Instant,
}

impl Terminal {
    /// `None` if nothing is to be printed.
    pub(crate) fn new(voice: Voice, unit: SizeUnit) -> Option<Self> {
        if voice == Voice::Quiet {
            return None;
        }
        let now = Instant::now();
        let pass = "checking the input".into();
        let status = Status { pass, first: None, size: 0, unit, tests: 0, busy: 0, started: now, last_gain: now };
        let status = Arc::new(Mutex::new(status));
        // A terminal that cannot redraw a line, as TERM=dumb says, gets plain lines.
        let live = std::io::stderr().is_terminal().then(|| live_line(Arc::clone(&status)));
        let live = live.filter(|bar| !bar.is_hidden());
        Some(Self { status, live, verbose: voice == Voice::Verbose })
    }

    fn say(&self, line: &str) {
        match &self.live {
            Some(bar) => bar.println(line),
            None => tell(line),
        }
    }

    /// Clears the live line.
    fn clear(&self) {
        if let Some(bar) = &self.live {
            bar.finish_and_clear();
        }
    }

    fn describe(&self, event: &Event, moment: &Moment<'_>, status: &Status) -> Option<String> {
        let (best, unit) = (count(status.size), status.unit);
        match event {
            Event::Notice { text } => Some(text.clone()),
            Event::Improved if self.live.is_none() || self.verbose => Some(status.improvement(moment.elapsed)),
            Event::PassBegun { pass } if self.verbose => Some(format!("pass {pass}: {best} {unit}")),
            Event::PassEnded { pass, tests, .. } if self.verbose => {
                Some(format!("pass {pass} ended: {best} {unit}, {} tests", count(*tests)))
            }
            Event::Tested { verdict, candidate, seconds } if self.verbose => {
                let (number, bytes, verdict) = (count(status.tests), count(*candidate), word(*verdict));
                Some(format!("  test {number}: {bytes} bytes, {seconds:.3} s, {verdict}"))
            }
            _ => None,
        }
    }
}

impl Listener for Terminal {
    fn notify(&mut self, event: &Event, moment: &Moment<'_>) {
        let status = {
            let mut status = self.status.lock().unwrap_or_else(PoisonError::into_inner);
            status.take_in(event, moment);
            status.clone()
        };
        if let Some(line) = self.describe(event, moment, &status) {
            self.say(&line);
        }
        if matches!(event, Event::Finished { .. }) {
            self.clear();
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.clear();
    }
}

impl Status {
    fn take_in(&mut self, event: &Event, moment: &Moment<'_>) {
        self.size = moment.best.size.units;
        self.first.get_or_insert(self.size);
        self.tests = moment.tally.tests;
        self.busy = moment.busy;
        match event {
            Event::PassBegun { pass } => self.pass.clone_from(pass),
            Event::Improved => self.last_gain = Instant::now(),
            _ => {}
        }
    }

    fn share(&self) -> String {
        percent(self.size as f64, self.first.unwrap_or(self.size) as f64)
    }

    fn improvement(&self, elapsed: Duration) -> String {
        let (size, share, tests) = (count(self.size), self.share(), count(self.tests));
        format!("{:>8}  {}: {size} {} ({share}), {tests} tests", time(elapsed), self.pass, self.unit)
    }

    fn live(&self) -> String {
        if self.first.is_none() {
            return format!("{} for {}", self.pass, time(self.started.elapsed()));
        }
        let elapsed = self.started.elapsed().as_secs_f64().max(0.001);
        format!(
            "{}: {} {} ({}), {} tests, {:.0}/s, {} busy, last gain {} ago",
            self.pass,
            count(self.size),
            self.unit,
            self.share(),
            count(self.tests),
            self.tests as f64 / elapsed,
            self.busy,
            time(self.last_gain.elapsed()),
        )
    }
}

/// A line that redraws itself, so that the time since the last gain moves even when nothing else does.
fn live_line(status: Arc<Mutex<Status>>) -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    let style = ProgressStyle::with_template("{spinner} {status}").unwrap_or_else(|_| ProgressStyle::default_spinner());
    bar.set_style(style.with_key("status", move |_: &indicatif::ProgressState, out: &mut dyn std::fmt::Write| {
        let status = status.lock().unwrap_or_else(PoisonError::into_inner).live();
        // Writing to a line in memory does not fail.
        let _ = out.write_str(&status);
    }));
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Interesting => "interesting",
        Verdict::Uninteresting => "not interesting",
        Verdict::Invalid => "invalid",
        Verdict::Other => "another bug",
        Verdict::TimedOut => "timed out",
    }
}
