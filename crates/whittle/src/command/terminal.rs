//! Progress for people: a live line on a terminal, else a plain line per improvement.

use std::io::IsTerminal;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use whittle::machines::{FleetView, SharedView};
use whittle::property::Running;
use whittle::search::{Event, Listener, Moment};
use whittle::syntaxes::SizeUnit;

use super::format::{count, counted, percent, time};
use super::machines::started_over;
use super::plan::Voice;
use super::print::tell;

/// A test that runs for longer is worth a word on the live line.
const LONG_RUN: Duration = Duration::from_secs(1);

/// Prints progress to standard error.
pub(crate) struct Terminal {
    status: Arc<Mutex<Status>>,
    live: Option<ProgressBar>,
    verbose: bool,
    /// The size in units and bytes in the last line about an improvement.
    shown: Option<(u64, u64)>,
}

/// What the live line shows.
#[derive(Clone, Debug)]
struct Status {
    pass: String,
    /// The size of the input, and its bytes; `None` while it is checked.
    first: Option<(u64, u64)>,
    size: u64,
    bytes: u64,
    /// How many files a project has.
    files: Option<u64>,
    /// What sizes count.
    unit: SizeUnit,
    tests: u64,
    running: Running,
    /// Other machines, if they are used.
    machines: Option<SharedView>,
    started: Instant,
    last_gain: Option<Instant>,
}

impl Terminal {
    /// `None` if nothing is to be printed.
    pub(crate) fn new(voice: Voice, unit: SizeUnit, running: Running, machines: Option<SharedView>) -> Option<Self> {
        if voice == Voice::Quiet {
            return None;
        }
        let status = Arc::new(Mutex::new(Status::new(unit, running, machines)));
        // A terminal that cannot redraw a line, as TERM=dumb says, gets plain lines.
        let live = std::io::stderr().is_terminal().then(|| live_line(Arc::clone(&status)));
        let live = live.filter(|bar| !bar.is_hidden());
        Some(Self { status, live, verbose: voice == Voice::Verbose, shown: None })
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

    fn describe(&mut self, event: &Event, status: &Status) -> Option<String> {
        let best = status.best();
        match event {
            Event::Notice { text } => Some(text.clone()),
            Event::Improved if self.live.is_none() || self.verbose => {
                // Other names or other whitespace of the same size are no news.
                let size = Some((status.size, status.bytes));
                let is_news = std::mem::replace(&mut self.shown, size) != size;
                (is_news || self.verbose).then(|| status.improvement())
            }
            Event::StartedOver { withdrawn } => {
                self.shown = None;
                Some(started_over(*withdrawn))
            }
            Event::PassBegun { pass } if self.verbose => Some(format!("pass {pass}: {best}")),
            Event::PassEnded { pass, tests, .. } if self.verbose => {
                Some(format!("pass {pass} ended: {best}, {} tests", count(*tests)))
            }
            Event::Tested { verdict, candidate, seconds } if self.verbose => {
                let (number, bytes, verdict) = (count(status.tests), count(*candidate), verdict);
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
        if let Some(line) = self.describe(event, &status) {
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
    fn new(unit: SizeUnit, running: Running, machines: Option<SharedView>) -> Self {
        Self {
            pass: "checking the input".into(),
            first: None,
            size: 0,
            bytes: 0,
            files: None,
            unit,
            tests: 0,
            running,
            machines,
            started: Instant::now(),
            last_gain: None,
        }
    }

    fn take_in(&mut self, event: &Event, moment: &Moment<'_>) {
        self.size = moment.best.size.units;
        self.bytes = moment.best.candidate.byte_count();
        self.files = moment.best.candidate.is_project().then_some(moment.best.size.files);
        self.first.get_or_insert((self.size, self.bytes));
        self.tests = moment.tally.tests;
        match event {
            Event::PassBegun { pass } => self.pass.clone_from(pass),
            Event::Improved => self.last_gain = Some(Instant::now()),
            _ => {}
        }
    }

    /// The best's part of the input: in bytes if the input has no tokens.
    fn share(&self) -> String {
        match self.first {
            Some((size @ 1.., _)) => percent(self.size as f64, size as f64),
            Some((0, bytes)) => percent(self.bytes as f64, bytes as f64),
            None => percent(1.0, 1.0),
        }
    }

    /// `12 tokens, 40 bytes`, or bytes alone; in a project `3 files, 12 tokens`.
    fn best(&self) -> String {
        let (size, bytes) = (counted(self.size, "token"), counted(self.bytes, "byte"));
        match (self.files, self.unit) {
            (Some(files), _) => format!("{}, {size}", counted(files, "file")),
            (None, SizeUnit::Bytes) => counted(self.size, "byte"),
            (None, SizeUnit::Tokens) => format!("{size}, {bytes}"),
        }
    }

    fn improvement(&self) -> String {
        let (elapsed, best, share, tests) =
            (time(self.started.elapsed()), self.best(), self.share(), counted(self.tests, "test"));
        format!("{elapsed:>8}  {}: {best} ({share}), {tests}", self.pass)
    }

    fn live(&self) -> String {
        let (elapsed, running) = (self.started.elapsed(), self.running());
        if self.first.is_none() {
            return format!("{} for {}, {running}", self.pass, time(elapsed));
        }
        let gain = match self.last_gain {
            Some(gain) => format!("last gain {} ago", time(gain.elapsed())),
            None => "no gain yet".to_owned(),
        };
        format!(
            "{}: {} ({}), {} tests, {:.0}/s, {running}, {gain}",
            self.pass,
            self.best(),
            self.share(),
            count(self.tests),
            self.tests as f64 / elapsed.as_secs_f64().max(0.001),
        )
    }

    /// How many tests run, and for how long if it is long enough to wonder.
    fn running(&self) -> String {
        let elsewhere = self.machines.as_ref().map(|view| elsewhere(view.get())).unwrap_or_default();
        let count = self.running.count();
        let here = match self.running.longest().filter(|longest| *longest >= LONG_RUN) {
            Some(longest) if count == 1 => format!("1 running for {}", time(longest)),
            Some(longest) => format!("{count} running for up to {}", time(longest)),
            None => format!("{count} running"),
        };
        here + &elsewhere
    }
}

/// ` here, 3 machines (24 slots)`.
fn elsewhere(view: FleetView) -> String {
    let machines = if view.hosts == 1 { "machine" } else { "machines" };
    format!(" here, {} {machines} ({} slots)", view.hosts, view.slots)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn before_any_gain_the_live_line_says_so_and_names_no_time() {
        let mut status = Status::new(SizeUnit::Tokens, Running::default(), None);
        assert!(status.live().starts_with("checking the input for 0.0") && status.live().ends_with(", 0 running"));
        (status.pass, status.first, status.size, status.bytes) = ("lines".into(), Some((10, 42)), 10, 42);
        let live = status.live();
        assert!(live.starts_with("lines: 10 tokens, 42 bytes (100%), 0 tests, 0/s, 0 running"), "{live}");
        assert!(live.ends_with("no gain yet"), "{live}");
        status.last_gain = Some(Instant::now());
        assert!(status.live().contains("last gain 0.0"), "{}", status.live());
        status.machines = Some(SharedView::default());
        assert!(status.live().contains(", 0 running here, 0 machines (0 slots), "), "{}", status.live());
        assert_eq!(elsewhere(FleetView { hosts: 1, slots: 8 }), " here, 1 machine (8 slots)");
    }
}
