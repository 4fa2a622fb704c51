//! Arguments resolved: every path is absolute or read, every default is chosen, every mistake is found.

use std::fs::{self, Permissions};
use std::io;
use std::num::NonZeroUsize;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use whittle::lists::{Algorithm, DdminOptions};
use whittle::search::Candidate;
use whittle::strategy::Strategy;

use super::args::ReduceArgs;
use super::exit::Refusal;

/// All that a reduction needs to know.
#[derive(Debug)]
pub(crate) struct Plan {
    /// The test, as an absolute path.
    pub(crate) test: PathBuf,
    /// The test as the user wrote it.
    pub(crate) test_name: String,
    pub(crate) input: Input,
    pub(crate) output: PathBuf,
    pub(crate) in_place: bool,
    pub(crate) jobs: usize,
    pub(crate) timeout: Duration,
    pub(crate) max_tests: Option<u64>,
    pub(crate) max_time: Option<Duration>,
    pub(crate) strategy: Strategy,
    pub(crate) voice: Voice,
    pub(crate) json: Option<PathBuf>,
}

/// The file to reduce.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) path: PathBuf,
    pub(crate) permissions: Permissions,
    pub(crate) candidate: Candidate,
}

/// How much to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Voice {
    Quiet,
    Normal,
    Verbose,
}

/// Checks the arguments, reads the input, and settles everything that is left open.
pub(crate) fn resolve(args: ReduceArgs) -> Result<Plan> {
    let test = resolve_test(&args.test, &args.input)?;
    let input = read_input(&args.input)?;
    // Users expect that nothing more can go; whoever wants the bare algorithm has the library.
    let algorithm = resolve_algorithm(&args)?.swept();
    let units = match args.unit.unit() {
        Some(unit) => vec![unit],
        None => Strategy::units_for(input.candidate.files()[0].bytes()),
    };
    Ok(Plan {
        test,
        test_name: args.test.display().to_string(),
        output: resolve_output(&args)?,
        input,
        in_place: args.in_place,
        jobs: args.jobs.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get),
        timeout: args.timeout,
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

fn resolve_test(test: &Path, input: &Path) -> Result<PathBuf> {
    let shown = test.display();
    let metadata = fs::metadata(test).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Refusal::new(
            format!("the test {shown} does not exist"),
            "TEST comes first, then INPUT; TEST is a path, it is not looked up on PATH.",
        ),
        _ => Refusal::new(format!("the test {shown} cannot be read: {error}"), "Check its path and permissions."),
    })?;
    if !metadata.is_file() {
        return Err(Refusal::new(format!("the test {shown} is not a file"), "TEST is an executable file.").into());
    }
    if !is_executable(&metadata) {
        let remedy = if fs::metadata(input).is_ok_and(|input| input.is_file() && is_executable(&input)) {
            "Are the two swapped? TEST comes first, then INPUT.".to_owned()
        } else {
            format!("Make it executable: chmod +x {shown}")
        };
        return Err(Refusal::new(format!("the test {shown} is not executable"), remedy).into());
    }
    std::path::absolute(test).with_context(|| format!("cannot find out where {shown} is"))
}

fn is_executable(metadata: &fs::Metadata) -> bool {
    metadata.permissions().mode() & 0o111 != 0
}

fn read_input(path: &Path) -> Result<Input> {
    let refuse = |problem: &str, remedy: &str| Refusal::new(format!("the input {} {problem}", path.display()), remedy);
    let metadata = fs::metadata(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => refuse("does not exist", "Check the path: INPUT is the file to reduce."),
        _ => refuse(&format!("cannot be read: {error}"), "Check its path and permissions."),
    })?;
    if !metadata.is_file() {
        return Err(refuse("is not a file", "INPUT is one regular file.").into());
    }
    if metadata.len() > u64::from(u32::MAX) {
        return Err(refuse("is larger than 4 GiB", "Cut it down by other means first.").into());
    }
    let bytes =
        fs::read(path).map_err(|error| refuse(&format!("cannot be read: {error}"), "Check its permissions."))?;
    let name = path.file_name().ok_or_else(|| refuse("has no file name", "INPUT is one regular file."))?;
    Ok(Input { path: path.to_owned(), permissions: metadata.permissions(), candidate: Candidate::single(name, bytes) })
}

fn resolve_algorithm(args: &ReduceArgs) -> Result<Algorithm> {
    match (args.algorithm, args.split_factor) {
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

fn resolve_output(args: &ReduceArgs) -> Result<PathBuf> {
    let path = match &args.output {
        // A link is followed, so that what it points to is reduced and the link stays.
        None if args.in_place => fs::canonicalize(&args.input).context("cannot find out where the input is")?,
        None => default_output(&args.input),
        Some(path) => path.clone(),
    };
    if !args.in_place && is_same_file(&path, &args.input) {
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
