//! Events as JSON lines, for scripts and plots.

use std::fs::File;
use std::io::{BufWriter, Write};

use serde::Serialize;
use whittle::search::{Event, Listener, Moment, Size, Tally};

/// Writes one JSON object per event.
pub(crate) struct JsonLines {
    file: BufWriter<File>,
}

#[derive(Serialize)]
struct Line<'a> {
    #[serde(flatten)]
    event: &'a Event,
    elapsed: f64,
    /// The best candidate at that moment.
    size: Size,
    bytes: u64,
    #[serde(flatten)]
    tally: Tally,
    speculative: u64,
    busy: usize,
}

impl JsonLines {
    pub(crate) fn new(file: File) -> Self {
        Self { file: BufWriter::new(file) }
    }
}

impl Listener for JsonLines {
    fn notify(&mut self, event: &Event, moment: &Moment<'_>) {
        let line = Line {
            event,
            elapsed: moment.elapsed.as_secs_f64(),
            size: moment.best.size,
            bytes: moment.best.candidate.byte_count(),
            tally: moment.tally,
            speculative: moment.tally.speculative(),
            busy: moment.busy,
        };
        // A log that cannot be written must not end the reduction.
        let _ = serde_json::to_writer(&mut self.file, &line).map(|()| self.file.write_all(b"\n"));
        if !matches!(event, Event::Tested { .. }) {
            let _ = self.file.flush();
        }
    }
}
