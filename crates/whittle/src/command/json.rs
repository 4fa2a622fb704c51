//! Events as JSON lines, for scripts and plots. `docs/events.md` documents every field.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde::Serialize;
use whittle::search::{Event, Listener, Moment, Size, Tally};

use super::print::is_stdout;
use super::report::{About, Change, Changes};

/// Writes one JSON object per event.
pub(crate) struct JsonLines {
    out: BufWriter<Box<dyn Write>>,
    flushed: Flushed,
    /// What the first line says; `None` after it.
    about: Option<About>,
    changes: Changes,
}

/// When lines reach their reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flushed {
    /// Each at once: somebody may read the other end of a pipe.
    Always,
    /// Lines about tests wait for the next line about something else: there may be thousands a second.
    NotAfterTests,
}

/// A line without an event: the first one.
#[derive(Serialize)]
struct Begun<'a> {
    kind: &'static str,
    about: &'a About,
    #[serde(flatten)]
    now: Now,
}

#[derive(Serialize)]
struct Line<'a> {
    #[serde(flatten)]
    event: &'a Event,
    #[serde(flatten)]
    now: Now,
}

/// What every line has.
#[derive(Serialize)]
struct Now {
    elapsed: f64,
    /// The best candidate at that moment.
    size: Size,
    bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<Change>,
    #[serde(flatten)]
    tally: Tally,
    speculative: u64,
    busy: usize,
}

impl Now {
    fn of(moment: &Moment<'_>, change: Option<Change>) -> Self {
        Self {
            elapsed: moment.elapsed.as_secs_f64(),
            size: moment.best.size,
            bytes: moment.best.candidate.byte_count(),
            change,
            tally: moment.tally,
            speculative: moment.tally.speculative(),
            busy: moment.busy,
        }
    }
}

impl JsonLines {
    /// Writes to a file, which is emptied first; to standard output; or to a pipe or device, which is opened as it is.
    pub(crate) fn open(path: &Path, about: About) -> io::Result<Self> {
        let (out, flushed): (Box<dyn Write>, _) = if is_stdout(path) {
            (Box::new(io::stdout()), Flushed::Always)
        } else if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
            (Box::new(File::options().write(true).open(path)?), Flushed::Always)
        } else {
            (Box::new(File::create(path)?), Flushed::NotAfterTests)
        };
        Ok(Self { out: BufWriter::new(out), flushed, about: Some(about), changes: Changes::default() })
    }

    fn write(&mut self, line: &impl Serialize) {
        // A log that cannot be written must not end the reduction.
        let _ = serde_json::to_writer(&mut self.out, line).map(|()| self.out.write_all(b"\n"));
    }
}

impl Listener for JsonLines {
    fn notify(&mut self, event: &Event, moment: &Moment<'_>) {
        let change = match (&self.about, event) {
            (Some(_), _) | (None, Event::Improved | Event::StartedOver { .. }) => {
                self.changes.to(&moment.best.candidate)
            }
            _ => None,
        };
        match self.about.take() {
            Some(about) => {
                self.write(&Begun { kind: "begun", about: &about, now: Now::of(moment, change) });
                self.write(&Line { event, now: Now::of(moment, None) });
            }
            None => self.write(&Line { event, now: Now::of(moment, change) }),
        }
        if self.flushed == Flushed::Always || !matches!(event, Event::Tested { .. }) {
            let _ = self.out.flush();
        }
    }
}
