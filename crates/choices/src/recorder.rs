//! Writes a trace file, in the binary format of `docs/trace-protocol.md`.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::panic::Location;
use std::path::Path;

/// How a binary trace file starts.
pub(crate) const MAGIC: &[u8] = b"whittle-trace 2\n";

/// How a file of the first version starts. It has no outputs, and all lengths have 4 bytes.
pub(crate) const MAGIC_1: &[u8] = b"whittle-trace 1\n";

/// Set in the kind of a draw if its value is followed by its output.
pub(crate) const WITH_OUTPUT: u8 = 0x80;

/// Set in the kind of a draw if its numbers have 4 bytes instead of 8.
pub(crate) const SHORT: u8 = 0x40;

/// In place of a length: the length follows in 4 bytes.
pub(crate) const LONG_RECORD: u8 = u8::MAX;

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
    /// The sites by the addresses of what and where they are, so that their names are built only once.
    places: HashMap<(usize, usize), Site>,
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

    pub(crate) fn placed(&mut self, what: &'static str, place: &'static Location<'static>) -> Site {
        let key = (what.as_ptr().addr(), std::ptr::from_ref(place).addr());
        if let Some(known) = self.places.get(&key) {
            return *known;
        }
        let number = self.named(&format!("{what} {place}"));
        self.places.insert(key, number);
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

    pub(crate) fn draw(&mut self, site: Site, max: u64, value: u64, output: Option<u64>, sites: &Sites) {
        self.write_sites(sites);
        let kind = if output.is_some() { WITH_OUTPUT } else { 0 };
        let numbers = [max, value, output.unwrap_or_default()];
        let numbers = &numbers[..if output.is_some() { 3 } else { 2 }];
        let short = numbers.iter().all(|number| u32::try_from(*number).is_ok());
        let (kind, width) = if short { (kind | SHORT, 4) } else { (kind, 8) };
        let mut bytes = [0; 24];
        for (at, number) in bytes.chunks_exact_mut(width).zip(numbers) {
            at.copy_from_slice(&number.to_le_bytes()[..width]);
        }
        self.record(b'D', &[&[kind], &site.to_le_bytes(), &bytes[..width * numbers.len()]]);
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
        let _ = match u8::try_from(length) {
            Ok(length) if length != LONG_RECORD => self.file.write_all(&[tag, length]),
            _ => self
                .file
                .write_all(&[tag, LONG_RECORD])
                .and_then(|()| self.file.write_all(&(length as u32).to_le_bytes())),
        };
        for part in parts {
            let _ = self.file.write_all(part);
        }
    }
}
