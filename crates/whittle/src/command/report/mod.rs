//! `--report`: a page about a reduction, for people who were not there. One file of HTML that needs nothing else.
//!
//! It is written when the search ends, or made from the events of a run. Steps whose texts are long are listed with their
//! sizes only, so that the page stays small.

mod changes;
mod from_events;

use std::cell::RefCell;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use whittle::search::{Event, Listener, Moment};

use super::passes::Passes;
use super::print::tell;
use changes::text_of;

pub(crate) use changes::{Change, Changes};
pub(crate) use from_events::{ReportArgs, run};

/// All texts together. The last steps have their texts in any case.
const MOST_TEXT: usize = 600 << 10;

const PAGE: &str = include_str!("page.html");

/// Where the data goes in the page.
const DATA: &str = "/*DATA*/";

/// What is known before the reduction begins.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct About {
    /// The name of the input.
    pub(crate) input: String,
    pub(crate) language: String,
    /// What sizes count.
    pub(crate) unit: String,
    /// The command that was typed.
    pub(crate) command: String,
    /// The version of Whittle.
    pub(crate) version: String,
}

/// Listens, and writes the page at the end. Clones share one page.
#[derive(Clone)]
pub(crate) struct Report {
    path: PathBuf,
    page: Rc<RefCell<Page>>,
}

#[derive(Debug, Serialize)]
struct Page {
    about: About,
    steps: Vec<Step>,
    passes: Passes,
    end: Option<End>,
    /// What tokens of the result are needed for.
    needed: Vec<NeededToken>,
}

/// A token of the result, by places as JavaScript counts them, and what happens without it.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct NeededToken {
    start: usize,
    end: usize,
    reason: String,
}

/// A candidate that was the best.
#[derive(Debug, Serialize)]
struct Step {
    tests: u64,
    seconds: f64,
    pass: String,
    units: u64,
    bytes: u64,
    text: Option<String>,
}

#[derive(Debug, Serialize)]
struct End {
    reason: String,
    seconds: f64,
    /// An object with the numbers of [`Tally`](whittle::search::Tally).
    tally: Value,
}

impl Report {
    /// A report that goes to `path`.
    pub(crate) fn new(path: PathBuf, about: About) -> Self {
        Self { path, page: Rc::new(RefCell::new(Page::new(about))) }
    }

    /// Adds what tokens of the result are needed for, and writes the page again.
    pub(crate) fn explain(&self, text: &[u8], tokens: &[(Range<usize>, String)]) {
        let mut page = self.page.borrow_mut();
        page.annotate(text, tokens);
        page.save(&self.path);
    }
}

impl Page {
    fn add_step(&mut self, moment: &Moment<'_>) {
        let candidate = &moment.best.candidate;
        let text = text_of(candidate);
        let pass = self.passes.current().to_owned();
        self.steps.push(Step {
            tests: moment.tally.tests,
            seconds: moment.elapsed.as_secs_f64(),
            pass,
            units: moment.best.size.units,
            bytes: candidate.byte_count(),
            text,
        });
    }

    /// Marks tokens of the result, if it is the last step and a text.
    fn annotate(&mut self, text: &[u8], tokens: &[(Range<usize>, String)]) {
        let Ok(text) = str::from_utf8(text) else { return };
        if self.steps.last().and_then(|step| step.text.as_deref()) == Some(text) {
            let place = |at: usize| text[..at].encode_utf16().count();
            let token = |(range, reason): &(Range<usize>, String)| NeededToken {
                start: place(range.start),
                end: place(range.end),
                reason: reason.clone(),
            };
            self.needed = tokens.iter().map(token).collect();
        }
    }

    fn new(about: About) -> Self {
        Self { about, steps: Vec::new(), passes: Passes::default(), end: None, needed: Vec::new() }
    }

    /// Writes it to `path`, or says that this is not possible.
    fn save(&mut self, path: &Path) {
        if let Err(error) = self.write(path) {
            tell(&format!("warning: the report {} cannot be written: {error}", path.display()));
        }
    }

    /// Writes it to `path`.
    fn write(&mut self, path: &Path) -> io::Result<()> {
        self.drop_texts();
        // `</script>` in a text must not end the data.
        let data = serde_json::to_string(self)?.replace('<', "\\u003c");
        fs::write(path, PAGE.replace(DATA, &data))
    }

    /// Drops the texts of the earliest steps until the rest is short enough.
    fn drop_texts(&mut self) {
        let mut left = MOST_TEXT;
        for step in self.steps.iter_mut().rev() {
            let length = step.text.as_ref().map_or(0, String::len);
            match left.checked_sub(length) {
                Some(rest) => left = rest,
                None => (step.text, left) = (None, 0),
            }
        }
    }
}

impl Listener for Report {
    fn notify(&mut self, event: &Event, moment: &Moment<'_>) {
        let mut page = self.page.borrow_mut();
        if page.steps.is_empty() {
            page.add_step(moment);
        }
        page.passes.take_in(event, moment);
        match event {
            Event::Improved => page.add_step(moment),
            Event::StartedOver { .. } => {
                page.steps.clear();
                page.add_step(moment);
            }
            Event::Finished { reason } => {
                let (reason, seconds) = (reason.clone(), moment.elapsed.as_secs_f64());
                let tally = serde_json::to_value(moment.tally).unwrap_or_default();
                page.end = Some(End { reason, seconds, tally });
                page.save(&self.path);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(lengths: &[usize]) -> Page {
        let about = ["", "", "", "", ""].map(str::to_owned);
        let [input, language, unit, command, version] = about;
        let step = |&length: &usize| Step {
            tests: 0,
            seconds: 0.0,
            pass: String::new(),
            units: 0,
            bytes: length as u64,
            text: Some("x".repeat(length)),
        };
        let about = About { input, language, unit, command, version };
        Page { steps: lengths.iter().map(step).collect(), ..Page::new(about) }
    }

    #[test]
    fn the_last_texts_stay() {
        let mut page = page(&[10, MOST_TEXT / 2, MOST_TEXT / 2, MOST_TEXT / 4]);
        page.drop_texts();
        let shown: Vec<bool> = page.steps.iter().map(|step| step.text.is_some()).collect();
        assert_eq!(shown, [false, false, true, true]);
    }

    #[test]
    fn tokens_are_counted_as_in_the_browser() {
        let mut page = page(&[0]);
        page.steps[0].text = Some("é😀 x".to_owned());
        let tokens = [(0.."é😀".len(), "a".to_owned()), ("é😀 ".len().."é😀 x".len(), "b".to_owned())];
        page.annotate("other".as_bytes(), &tokens);
        assert!(page.needed.is_empty(), "the result is not the last step");
        page.annotate("é😀 x".as_bytes(), &tokens);
        let places: Vec<(usize, usize)> = page.needed.iter().map(|token| (token.start, token.end)).collect();
        assert_eq!(places, [(0, 3), (4, 5)]);
    }

    #[test]
    fn the_page_has_one_place_for_data_and_loads_nothing() {
        assert_eq!(PAGE.matches(DATA).count(), 1);
        assert!(!PAGE.contains("http://") && !PAGE.contains("https://") && !PAGE.contains("src="));
    }
}
