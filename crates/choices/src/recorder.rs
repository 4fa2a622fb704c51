//! Writes a trace file, in the binary format of `docs/trace-protocol.md`.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::panic::Location;
use std::path::Path;

/// How a binary trace file starts.
pub(crate) const MAGIC: &[u8] = b"whittle-trace 1\n";

/// The kinds of steps; the scopes by their numbers in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Step {
    Call,
    Loop,
    Iteration,
    Selection,
    Branch,
    Draw,
}

impl Step {
    /// The kind of scope of this number.
    pub(crate) fn scope(number: u8) -> Option<Self> {
        [Self::Call, Self::Loop, Self::Iteration, Self::Selection, Self::Branch].get(usize::from(number)).copied()
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Outcome {
    Complete,
    Halted,
    OverBudget,
}

/// The number of a site in the file.
pub(crate) type Site = u32;

/// Gives numbers to the sites of a run.
#[derive(Debug, Default)]
pub(crate) struct Sites {
    texts: Vec<String>,
    numbers: HashMap<String, Site>,
    /// The sites by place in the generator's source code, so that their names are built only once.
    places: HashMap<(&'static str, Location<'static>), Site>,
}

impl Sites {
    pub(crate) fn named(&mut self, text: &str) -> Site {
        if let Some(known) = self.numbers.get(text) {
            return *known;
        }
        let number = self.texts.len() as Site;
        self.texts.push(text.to_owned());
        self.numbers.insert(text.to_owned(), number);
        number
    }

    pub(crate) fn placed(&mut self, what: &'static str, place: &Location<'static>) -> Site {
        if let Some(known) = self.places.get(&(what, *place)) {
            return *known;
        }
        let number = self.named(&format!("{what} {place}"));
        self.places.insert((what, *place), number);
        number
    }
}

/// Writes records as they occur. Write errors are ignored: Whittle then finds no end record, and treats the run as
/// failed.
#[derive(Debug)]
pub(crate) struct Recorder {
    file: BufWriter<File>,
    /// How many sites are in the file.
    written: usize,
}

impl Recorder {
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let mut file = BufWriter::new(File::create(path)?);
        file.write_all(MAGIC)?;
        Ok(Self { file, written: 0 })
    }

    pub(crate) fn open(&mut self, step: Step, site: Site, sites: &Sites) {
        self.write_sites(sites);
        self.record(b'O', &[&[step as u8], &site.to_le_bytes()]);
    }

    pub(crate) fn close(&mut self) {
        self.record(b'C', &[]);
    }

    pub(crate) fn draw(&mut self, site: Site, max: u64, value: u64, sites: &Sites) {
        self.write_sites(sites);
        let integer = [0];
        self.record(b'D', &[&integer, &site.to_le_bytes(), &max.to_le_bytes(), &value.to_le_bytes()]);
    }

    pub(crate) fn end(&mut self, outcome: Outcome, misaligned: u64, node: u32) {
        self.record(b'Z', &[&[outcome as u8], &misaligned.to_le_bytes(), &node.to_le_bytes()]);
        let _ = self.file.flush();
    }

    /// Writes the sites that are not yet in the file.
    fn write_sites(&mut self, sites: &Sites) {
        for text in &sites.texts[self.written..] {
            self.record(b'S', &[text.as_bytes()]);
        }
        self.written = sites.texts.len();
    }

    fn record(&mut self, tag: u8, parts: &[&[u8]]) {
        let length: usize = parts.iter().map(|part| part.len()).sum();
        let _ = self.file.write_all(&[tag]);
        let _ = self.file.write_all(&(length as u32).to_le_bytes());
        for part in parts {
            let _ = self.file.write_all(part);
        }
    }
}
