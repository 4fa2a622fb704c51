//! The plan of a reduction: arguments resolved once; the rest sees only the plan.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use whittle::lists::{Algorithm, DdminOptions, SplitFactor};
use whittle::strategy::Strategy;

use super::args::ReduceArgs;
use super::exit::Refusal;
use super::subject::Subject;

/// All that a reduction needs to know.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) subject: Subject,
    pub(crate) output: PathBuf,
    pub(crate) in_place: bool,
    pub(crate) resume: bool,
    pub(crate) jobs: usize,
    pub(crate) max_tests: Option<u64>,
    pub(crate) max_time: Option<Duration>,
    pub(crate) strategy: Strategy,
    pub(crate) voice: Voice,
    pub(crate) json: Option<PathBuf>,
}

/// How much to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Voice {
    Quiet,
    Normal,
    Verbose,
}

impl Plan {
    /// Checks the arguments, reads the input, and settles everything that is left open.
    pub(crate) fn resolve(args: ReduceArgs) -> Result<Self> {
        // Users expect that nothing more can go; whoever wants the bare algorithm has the library.
        let algorithm = resolve_algorithm(args.algorithm, args.split_factor)?.swept();
        let subject = Subject::resolve(args.test)?;
        let units = match args.unit.unit() {
            Some(unit) => vec![unit],
            None => Strategy::units_for(subject.input.candidate.files()[0].bytes()),
        };
        Ok(Self {
            output: resolve_output(args.output, args.in_place, &subject.input.path)?,
            subject,
            in_place: args.in_place,
            resume: args.resume,
            jobs: args.jobs.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get),
            max_tests: args.max_tests,
            max_time: args.max_time,
            strategy: Strategy { units, algorithm },
            voice: match (args.quiet, args.verbose) {
                (true, _) => Voice::Quiet,
                (false, true) => Voice::Verbose,
                (false, false) => Voice::Normal,
            },
            json: args.json,
        })
    }

    /// The result's name with another ending, beside it: `bug.reduced.c.journal`.
    pub(crate) fn beside_output(&self, ending: &str) -> PathBuf {
        let mut name = self.output.clone().into_os_string();
        name.push(ending);
        name.into()
    }

    /// Where candidates with other signatures go: `bug.other` for `bug.c`.
    pub(crate) fn others(&self) -> PathBuf {
        self.subject.input.path.with_extension("other")
    }
}

fn resolve_algorithm(algorithm: Algorithm, split_factor: Option<SplitFactor>) -> Result<Algorithm> {
    match (algorithm, split_factor) {
        (algorithm, None) => Ok(algorithm),
        (Algorithm::Ddmin(options), Some(split_factor)) => {
            Ok(Algorithm::Ddmin(DdminOptions { split_factor, ..options }))
        }
        (algorithm, Some(_)) => {
            let problem = format!("--split-factor does not go with --algorithm {algorithm}");
            Err(Refusal::new(problem, "Only ddmin has a split factor.").into())
        }
    }
}

fn resolve_output(output: Option<PathBuf>, in_place: bool, input: &Path) -> Result<PathBuf> {
    let path = match output {
        // A link is followed, so that what it points to is reduced and the link stays.
        None if in_place => fs::canonicalize(input).context("cannot find out where the input is")?,
        None => default_output(input),
        Some(path) => path,
    };
    if !in_place && is_same_file(&path, input) {
        let problem = format!("--output {} is the input itself", path.display());
        return Err(Refusal::new(problem, "Use --in-place to write over the input; it keeps a copy.").into());
    }
    if path.is_dir() {
        let problem = format!("the output {} is a folder", path.display());
        return Err(Refusal::new(problem, "Give --output the path of a file.").into());
    }
    Ok(path)
}

/// `bug.reduced.c` beside `bug.c`.
fn default_output(input: &Path) -> PathBuf {
    let mut name = input.file_stem().unwrap_or_default().to_owned();
    name.push(".reduced");
    if let Some(extension) = input.extension() {
        name.push(".");
        name.push(extension);
    }
    input.with_file_name(name)
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    matches!((fs::canonicalize(a), fs::canonicalize(b)), (Ok(a), Ok(b)) if a == b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_result_lies_beside_the_input_and_keeps_its_extension() {
        for (input, output) in [
            ("bug.c", "bug.reduced.c"),
            ("dir/a.b.rs", "dir/a.b.reduced.rs"),
            ("/x/Makefile", "/x/Makefile.reduced"),
            (".hidden", ".hidden.reduced"),
        ] {
            assert_eq!(default_output(Path::new(input)), Path::new(output));
        }
    }
}
