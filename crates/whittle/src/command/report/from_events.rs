//! `whittle report`: the page of a run whose events were kept.

use std::fs;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use serde::Deserialize;
use serde_json::Value;

use super::changes::{Change, Changes};
use super::{About, End, Page, Step};
use crate::command::exit::{Exit, Refusal};
use crate::command::plan::is_same_file;
use crate::command::print::is_stdout;

/// Make the page of --report from the events of a run
///
/// Run whittle reduce with --json to keep events. A run that still goes on, or was killed, is shown as far as it came.
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// What --json wrote
    events: PathBuf,

    /// Write the page to FILE [default: EVENTS with the extension html]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// A line of events, as far as the page needs it.
#[derive(Deserialize)]
struct Line {
    kind: String,
    about: Option<About>,
    change: Option<Change>,
    pass: Option<String>,
    pass_tests: Option<u64>,
    from: Option<Units>,
    reason: Option<String>,
    elapsed: f64,
    size: Units,
    bytes: u64,
    tests: u64,
}

#[derive(Deserialize)]
struct Units {
    units: u64,
}

/// Writes the page.
pub(crate) fn run(args: &ReportArgs) -> Result<Exit> {
    let shown = args.events.display();
    let text = fs::read_to_string(&args.events)
        .map_err(|error| Refusal::new(format!("cannot read {shown}: {error}"), "Give a file that --json wrote."))?;
    let mut page = page_of(&text).map_err(|problem| {
        Refusal::new(format!("{shown}: {problem}"), "Give a file that --json of this version of Whittle wrote.")
    })?;
    let output = args.output.clone().unwrap_or_else(|| args.events.with_extension("html"));
    if is_same_file(&output, &args.events) || is_stdout(&output) {
        let problem = format!("the page cannot go to {}", output.display());
        return Err(Refusal::new(problem, "Pass --output the path of another file.").into());
    }
    page.write(&output).map_err(|error| {
        let problem = format!("cannot write {}: {error}", output.display());
        Refusal::new(problem, "Choose another place with --output.")
    })?;
    Ok(Exit::Done)
}

/// The page that the events of a run describe.
fn page_of(text: &str) -> Result<Page, String> {
    let mut lines = text.lines().enumerate().peekable();
    let mut changes = Changes::default();
    let mut page = None;
    while let Some((number, text)) = lines.next() {
        let parsed = serde_json::from_str(text).and_then(|all: Value| Ok((Line::deserialize(&all)?, all)));
        let (line, all) = match parsed {
            Ok(parsed) => parsed,
            // A run that was killed may have written half a line.
            Err(error) if error.is_eof() && lines.peek().is_none() => break,
            Err(error) => return Err(format!("line {}: {error}", number + 1)),
        };
        let page = match (&mut page, &line.about) {
            (Some(page), _) => page,
            (none, Some(about)) => none.insert(Page::new(about.clone())),
            (None, None) => return Err("the first line does not describe a run".to_owned()),
        };
        page.take_in_line(line, all, &mut changes);
    }
    page.ok_or_else(|| "there are no events".to_owned())
}

impl Page {
    fn take_in_line(&mut self, line: Line, all: Value, changes: &mut Changes) {
        let Line { pass, elapsed: seconds, size: Units { units }, bytes, tests, .. } = line;
        match (line.kind.as_str(), pass) {
            ("begun" | "improved" | "started-over", _) => {
                if line.kind == "started-over" {
                    self.steps.clear();
                    self.passes.start_over();
                }
                let (pass, text) = (self.passes.current().to_owned(), changes.apply(line.change.as_ref()));
                self.steps.push(Step { tests, seconds, pass, units, bytes, text });
            }
            ("pass-begun", Some(pass)) => self.passes.begin(&pass),
            ("pass-ended", Some(pass)) => {
                let from = line.from.map_or(units, |from| from.units);
                self.passes.end(&pass, line.pass_tests.unwrap_or_default(), from.saturating_sub(units));
            }
            _ => {}
        }
        let reason = line.reason.unwrap_or_else(|| "not ended when its events were read".to_owned());
        self.end = Some(End { reason, seconds, tally: all });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABOUT: &str = r#""about":{"input":"a","language":"C","unit":"tokens","command":"c","version":"1"}"#;

    fn line(kind: &str, more: &str) -> String {
        format!(r#"{{"kind":"{kind}",{more}"elapsed":1.5,"size":{{"units":3}},"bytes":7,"tests":2}}"#)
    }

    #[test]
    fn a_run_that_was_killed_is_shown_as_far_as_it_came() {
        let begun = line("begun", &format!("{ABOUT},"));
        let events = [begun.as_str(), &line("tested", ""), r#"{"kind":"impr"#].join("\n");
        let page = page_of(&events).unwrap();
        let end = page.end.unwrap();
        assert_eq!((page.steps.len(), end.reason.as_str()), (1, "not ended when its events were read"));
    }

    #[test]
    fn what_was_found_before_the_search_started_over_is_not_shown() {
        let pass = |kind: &str| line(kind, r#""pass":"lines","pass_tests":4,"from":{"units":9},"#);
        let begun = line("begun", &format!("{ABOUT},"));
        let lines =
            [&begun, &pass("pass-begun"), &line("improved", ""), &pass("pass-ended"), &line("started-over", "")];
        let page = page_of(&lines.map(String::as_str).join("\n")).unwrap();
        assert_eq!((page.steps.len(), page.passes.ended().len()), (1, 0));
    }

    #[test]
    fn other_files_are_refused_with_the_line() {
        let begun = line("begun", &format!("{ABOUT},"));
        for (text, problem) in [
            ("", "there are no events"),
            (&line("tested", ""), "the first line does not describe a run"),
            ("int main;", "line 1: expected value"),
            (&format!("{begun}\n[]\n{begun}"), "line 2: "),
        ] {
            let found = page_of(text).err().unwrap_or_default();
            assert!(found.contains(problem), "{text}: {found}");
        }
    }
}
