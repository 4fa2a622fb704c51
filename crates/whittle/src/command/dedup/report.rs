//! What `whittle dedup` found: the table, the folder of representatives, and the same as JSON.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};
use serde::Serialize;
use whittle::dedup::{Group, Reduced, groups};
use whittle::output::replace_file;

use super::Settled;
use super::bugs::Bug;
use super::job::Job;
use super::record::Entry;
use super::table::{Side, table};
use crate::command::exit::{Exit, Refusal};
use crate::command::format::{count, time};
use crate::command::print::{answer, tell};

/// How many names a row shows.
const NAMES: usize = 3;

/// What was found.
pub(crate) struct Report {
    /// The inputs that were reduced, as they went on record, and what groups are made of.
    entries: Vec<Entry>,
    reduced: Vec<Reduced>,
    groups: Vec<Group>,
    /// The representative of each group.
    files: Vec<PathBuf>,
    failures: Vec<Failure>,
    /// How many inputs were not begun, or not ended.
    unfinished: usize,
    elapsed: Duration,
}

/// An input that could not be reduced.
#[derive(Debug, Serialize)]
struct Failure {
    name: String,
    reason: String,
}

/// What goes to `--json`.
#[derive(Serialize)]
struct Json<'a> {
    inputs: usize,
    duplicates: usize,
    groups: Vec<JsonGroup<'a>>,
    failed: &'a [Failure],
    unfinished: usize,
    tests: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct JsonGroup<'a> {
    group: usize,
    signature: Option<&'a str>,
    /// The input that represents the group, and the file that holds what it became.
    representative: &'a str,
    file: String,
    equal_after_renaming: Vec<usize>,
    same_kinds_of_tokens: Vec<usize>,
    inputs: Vec<&'a Entry>,
}

impl Report {
    /// Groups what was reduced.
    pub(crate) fn of(job: &Job, outcomes: Vec<Settled>, elapsed: Duration) -> Self {
        let (mut entries, mut reduced, mut failures, mut unfinished) = (Vec::new(), Vec::new(), Vec::new(), 0);
        let mut extensions = Vec::new();
        for (input, outcome) in job.inputs.iter().zip(outcomes) {
            match outcome {
                Settled::Done { entry, reduced: result, .. } => {
                    entries.push(*entry);
                    reduced.push(result);
                    extensions.push(job.extension(input));
                }
                Settled::Failed(reason) => {
                    failures.push(Failure { name: input.name.to_string_lossy().into_owned(), reason });
                }
                Settled::Unfinished => unfinished += 1,
            }
        }
        let groups = groups(&reduced);
        let file = |(index, group): (usize, &Group)| {
            let mut path = job.output.join("groups").join((index + 1).to_string());
            if let Some(extension) = &extensions[group.members[0]] {
                path.set_extension(extension);
            }
            path
        };
        let files = groups.iter().enumerate().map(file).collect();
        Self { entries, reduced, groups, files, failures, unfinished, elapsed }
    }

    /// Writes the representatives, and the JSON if that is asked for. Those of an earlier run go.
    pub(crate) fn write(&self, job: &Job) -> Result<()> {
        let folder = job.output.join("groups");
        if folder.exists() {
            fs::remove_dir_all(&folder).with_context(|| format!("cannot renew {}", folder.display()))?;
        }
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        for (group, path) in self.groups.iter().zip(&self.files) {
            let text = &self.reduced[group.members[0]].text;
            replace_file(path, text, None, false).with_context(|| format!("cannot write {}", path.display()))?;
        }
        let Some(path) = &job.json else { return Ok(()) };
        let text = serde_json::to_vec_pretty(&self.json())?;
        fs::write(path, text).map_err(|error| {
            let problem = format!("the groups cannot be written to {}: {error}", path.display());
            Refusal::new(problem, "Give --json the path of a file that can be written; all else is kept.").into()
        })
    }

    /// Prints the table, and around it what the table does not tell.
    pub(crate) fn print(&self, job: &Job) {
        if !self.groups.is_empty() {
            answer(self.table().trim_end());
        }
        self.near().iter().for_each(|line| answer(line));
        for Failure { name, reason } in &self.failures {
            tell(&format!("failed:  {name}: {}", reason.lines().next().unwrap_or_default()));
        }
        if !job.quiet {
            self.summary(job).iter().for_each(|line| tell(line));
        }
    }

    /// What shows a bug, by group; only inputs that have a signature do.
    pub(super) fn bugs(&self) -> impl Iterator<Item = Bug<'_>> {
        self.groups.iter().zip(&self.files).filter_map(|(group, file)| {
            let first = group.members[0];
            let inputs = group.members.iter().map(|&input| {
                let entry = &self.entries[input];
                (entry.name.as_str(), entry.before.bytes)
            });
            Some(Bug {
                signature: self.entries[first].signature.as_deref()?,
                text: &self.reduced[first].text,
                extension: file.extension().and_then(|extension| extension.to_str()),
                inputs: inputs.collect(),
            })
        })
    }

    /// Whether all went well.
    pub(crate) fn exit(&self) -> Exit {
        if self.unfinished > 0 || self.entries.iter().any(|entry| entry.stopped.is_some()) {
            Exit::Stopped
        } else if self.entries.is_empty() {
            Exit::Usage
        } else {
            Exit::Done
        }
    }

    fn table(&self) -> String {
        let mut heads = vec![("group", Side::Right), ("inputs", Side::Right), ("bytes before", Side::Right)];
        heads.extend([("after", Side::Right), ("representative", Side::Left), ("names", Side::Left)]);
        let has_signatures = self.entries.iter().any(|entry| entry.signature.is_some());
        if has_signatures {
            heads.push(("signature", Side::Left));
        }
        let row = |(index, group): (usize, &Group)| {
            let first = &self.entries[group.members[0]];
            let mut row = vec![
                (index + 1).to_string(),
                count(group.members.len() as u64),
                self.sizes(group),
                count(first.after.bytes),
                self.files[index].display().to_string(),
                self.names(group),
            ];
            if has_signatures {
                row.push(first.signature.clone().unwrap_or_default());
            }
            row
        };
        let rows: Vec<Vec<String>> = self.groups.iter().enumerate().map(row).collect();
        table(&heads, &rows)
    }

    /// The smallest and the largest of the inputs.
    fn sizes(&self, group: &Group) -> String {
        let sizes = || group.members.iter().map(|&input| self.entries[input].before.bytes);
        let (least, most) = (sizes().min().unwrap_or_default(), sizes().max().unwrap_or_default());
        if least == most { count(least) } else { format!("{}..{}", count(least), count(most)) }
    }

    fn names(&self, group: &Group) -> String {
        let names = group.members.iter().take(NAMES).map(|&input| self.entries[input].name.as_str());
        let shown = names.collect::<Vec<_>>().join(" ");
        match group.members.len().saturating_sub(NAMES) {
            0 => shown,
            more => format!("{shown} and {} more", count(more as u64)),
        }
    }

    /// A line for each set of near-duplicates, told by the first of its groups.
    fn near(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (index, group) in self.groups.iter().enumerate() {
            // Groups that are equal after renaming have the same others: one line is enough.
            if group.renamed().next().is_some_and(|first| first < index) {
                continue;
            }
            lines.extend(near_line(index, group.renamed(), "are equal after renaming"));
            lines.extend(near_line(index, group.alike(), "have the same kinds of tokens"));
        }
        lines
    }

    fn summary(&self, job: &Job) -> Vec<String> {
        let number = |number: usize| count(number as u64);
        let mut lines = vec![format!(
            "inputs:  {}: {} groups, {} duplicates, {} failed",
            number(job.inputs.len()),
            number(self.groups.len()),
            number(self.duplicates()),
            number(self.failures.len()),
        )];
        lines.push(format!("tests:   {} counted", count(self.tests())));
        lines.push(format!("time:    {}", time(self.elapsed)));
        lines.push(format!("results: {}", job.output.display()));
        let stopped = self.entries.iter().filter(|entry| entry.stopped.is_some()).count();
        if stopped > 0 {
            lines.push(format!("stopped: {} inputs by a limit, with the best so far", number(stopped)));
        }
        if self.unfinished > 0 {
            lines.push(format!("resume:  {} inputs are left; the same command goes on", number(self.unfinished)));
        }
        lines
    }

    fn duplicates(&self) -> usize {
        self.entries.len() - self.groups.len()
    }

    fn tests(&self) -> u64 {
        self.entries.iter().map(|entry| entry.tests).sum()
    }

    fn json(&self) -> Json<'_> {
        let group = |(index, group): (usize, &Group)| {
            let representative = &self.entries[group.members[0]];
            JsonGroup {
                group: index + 1,
                signature: representative.signature.as_deref(),
                representative: &representative.name,
                file: self.files[index].display().to_string(),
                equal_after_renaming: group.renamed().map(|other| other + 1).collect(),
                same_kinds_of_tokens: group.alike().map(|other| other + 1).collect(),
                inputs: group.members.iter().map(|&input| &self.entries[input]).collect(),
            }
        };
        Json {
            inputs: self.entries.len() + self.failures.len() + self.unfinished,
            duplicates: self.duplicates(),
            groups: self.groups.iter().enumerate().map(group).collect(),
            failed: &self.failures,
            unfinished: self.unfinished,
            tests: self.tests(),
            seconds: self.elapsed.as_secs_f64(),
        }
    }
}

/// What is printed about a group and its near-duplicates, if it is the first of them.
fn near_line(index: usize, others: impl Iterator<Item = usize>, how: &str) -> Option<String> {
    let mut others = others.peekable();
    others.next_if(|&first| index < first).map(|first| {
        let numbers: Vec<String> = [index, first].into_iter().chain(others).map(|i| (i + 1).to_string()).collect();
        format!("near:    groups {} {how}", numbers.join(", "))
    })
}
