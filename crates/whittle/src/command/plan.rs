//! The plan of a reduction: arguments resolved once; the rest sees only the plan.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use whittle::Reduction;
use whittle::external::{PassCommand, PassLimits};
use whittle::grammars::Alphabet;
use whittle::lists::{Algorithm, DdminOptions, SplitFactor, Unit};
use whittle::machines::Machines;
use whittle::property::CommandTest;
use whittle::search::Candidate;
use whittle::strategy::{Effort, Step, Strategy, Turns};
use whittle::syntaxes::{LanguageChoice, Syntaxes};
use whittle::trees::gtr::GtrOptions;

use super::args::{ReduceArgs, RunArgs};
use super::choice::AlgorithmChoice;
use super::exit::Refusal;
use super::external_passes;
use super::gtr;
use super::languages::{language_choice, language_missing};
use super::print::is_stdout;
use super::subject::Subject;

/// All that a reduction needs to know.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) subject: Subject,
    /// Where the result goes; `-` is standard output, where it goes once, at the end.
    pub(crate) output: PathBuf,
    pub(crate) in_place: bool,
    /// The folder of several files that are replaced one by one.
    pub(crate) in_place_below: Option<PathBuf>,
    /// Whether copies of what the result replaces are kept.
    pub(crate) keeps_originals: bool,
    /// Whether whatever is in the place of the result is replaced.
    pub(crate) force: bool,
    pub(crate) keeps_history: bool,
    pub(crate) resume: bool,
    pub(crate) jobs: usize,
    /// Other machines that run tests.
    pub(crate) machines: Option<Machines>,
    pub(crate) max_tests: Option<u64>,
    pub(crate) max_time: Option<Duration>,
    pub(crate) language: LanguageChoice,
    pub(crate) syntaxes: Syntaxes,
    /// What the user should know about the language, and about what does not apply to it.
    pub(crate) notices: Vec<String>,
    pub(crate) strategy: Strategy,
    /// Passes by other programs.
    pub(crate) passes: Vec<PassCommand>,
    pub(crate) pass_limits: PassLimits,
    pub(crate) alphabet: Alphabet,
    pub(crate) gtr: GtrOptions,
    /// Up to how many bytes a candidate is parsed before it is tested; `None`: as long as that is cheap.
    pub(crate) check_up_to: Option<usize>,
    /// Whether candidates must parse as well as the input.
    pub(crate) well_formed: bool,
    /// What lays out the result.
    pub(crate) format: Option<String>,
    /// Whether each token of the result is explained.
    pub(crate) explain: bool,
    /// Where candidates with other signatures go, if they are kept.
    pub(crate) others: Option<PathBuf>,
    pub(crate) voice: Voice,
    pub(crate) json: Option<PathBuf>,
    pub(crate) report: Option<PathBuf>,
}

/// What the journal's name ends with.
pub(crate) const JOURNAL: &str = ".journal";

/// How much to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Voice {
    Quiet,
    Normal,
    Verbose,
    /// The whole screen.
    Live,
}

impl Plan {
    /// Checks the arguments, reads the input, and settles what is left open.
    pub(crate) fn resolve(args: ReduceArgs) -> Result<Self> {
        let subject = Subject::resolve(args.test)?;
        let others = others_beside(&subject.path);
        if args.in_place {
            refuse_in_place(&subject)?;
        }
        let output = match subject.input.candidate().is_project() {
            true => resolve_folder(args.output, args.in_place, &subject.path)?,
            false => resolve_output(args.output, args.in_place, &subject.path)?,
        };
        if is_stdout(&output) && args.run.resume {
            let remedy = "A run that writes to standard output keeps no journal. Choose a file with --output.";
            return Err(Refusal::new("--resume does not go with --output -", remedy).into());
        }
        let alphabet = args.run.how.alphabet.clone();
        let mut plan = Self {
            in_place: args.in_place,
            force: args.force,
            keeps_history: !args.in_place && !is_stdout(&output),
            others: Some(others),
            format: args.format,
            explain: args.explain,
            ..Self::about(subject, output, args.run)?
        };
        plan.machines = args.machines.resolve(plan.voice)?;
        refuse_idle_alphabet(alphabet.as_ref(), "--alphabet", &plan.strategy)?;
        let single = [("--format", plan.format.is_some()), ("--explain", plan.explain)];
        if let Some((flag, _)) = single.iter().find(|(_, given)| *given && plan.subject.input.candidate().is_project())
        {
            let problem = format!("{flag} does not go with a project");
            return Err(Refusal::new(problem, "Leave it out: it is for single files.").into());
        }
        plan.keep_apart()?;
        Ok(plan)
    }

    /// How `subject` is reduced to `output`; other bugs are not kept.
    pub(crate) fn about(subject: Subject, output: PathBuf, run: RunArgs) -> Result<Self> {
        let options = run.how.options.clone().unwrap_or_default();
        let algorithm = resolve_algorithm(run.how.algorithm, run.how.split_factor)?;
        let algorithm = algorithm.map(|algorithm| options.apply(algorithm)).transpose()?;
        let alphabet = resolve_alphabet(run.how.alphabet.clone(), options.alphabet())?;
        let language = language_choice(
            run.how.language.as_deref(),
            &run.how.grammars,
            subject.input.candidate().files().iter().map(whittle::search::File::path),
        )?;
        let syntaxes = Syntaxes::choose(&language, subject.input.candidate())?;
        let unit = run.how.unit.unit();
        let input = subject.input.candidate();
        if let (LanguageChoice::Is(_) | LanguageChoice::Own(_), true) = (&language, input.is_project()) {
            return Err(refuse_for_project(&run.how.grammars).into());
        }
        let strategy = resolve_strategy(algorithm, unit, &syntaxes, run.how.effort.into(), input)?;
        let mut strategy = options.apply_to_strategy(strategy);
        if let Some(path) = &run.how.rules {
            strategy.rules = super::rules::read(path)?;
        }
        // One of many inputs may be of no known language.
        if syntaxes.any() {
            let flag = if run.how.alphabet.is_some() { "--alphabet" } else { "--options characters" };
            refuse_idle_alphabet(alphabet.as_ref(), flag, &strategy)?;
        }
        if run.how.well_formed && !syntaxes.any() {
            let problem = "--well-formed needs a language, and that of the input is not known";
            return Err(Refusal::new(problem, "Name it with --language, or leave out --well-formed.").into());
        }
        let passes = external_passes::resolve(&run.how)?;
        let gtr = gtr::resolve(&run.how, algorithm, &syntaxes)?;
        let mut notices: Vec<String> =
            language_missing(&language, &syntaxes, subject.input.candidate()).into_iter().collect();
        if !syntaxes.any() && !input.is_project() {
            notices.extend(idle_parts(algorithm, run.how.effort.into()));
        }
        notices.extend(external_passes::offer(&run.how, &syntaxes));
        // What has been found out is not found out again.
        let language = match syntaxes.first_language() {
            _ if input.is_project() => language,
            Some(chosen) => chosen.into(),
            None => LanguageChoice::Text,
        };
        Ok(Self {
            output,
            in_place: false,
            in_place_below: None,
            keeps_originals: true,
            // Inputs among many have places of their own.
            force: true,
            keeps_history: false,
            resume: run.resume,
            jobs: run.limits.jobs.count(),
            machines: None,
            max_tests: run.limits.max_tests,
            max_time: run.limits.max_time,
            notices,
            language,
            syntaxes,
            strategy,
            passes,
            pass_limits: external_passes::limits(&run.how),
            alphabet: alphabet.unwrap_or_default(),
            gtr,
            check_up_to: None,
            well_formed: run.how.well_formed,
            format: None,
            explain: false,
            others: None,
            voice: match (run.quiet, run.verbose, run.live) {
                (true, ..) => Voice::Quiet,
                (_, true, _) => Voice::Verbose,
                (.., true) => Voice::Live,
                _ => Voice::Normal,
            },
            json: run.json,
            report: run.report,
            subject,
        })
    }

    /// Refuses to write over what is read, or to write two things to one place.
    fn keep_apart(&self) -> Result<()> {
        let journal = self.beside_output(JOURNAL);
        let mut written: Vec<(&str, &Path)> = Vec::new();
        if !self.is_to_stdout() {
            written.push(("the journal", &journal));
            written.extend((!self.in_place).then_some(("the result", self.output.as_path())));
        }
        let is_project = self.subject.input.candidate().is_project();
        if is_project && self.is_to_stdout() {
            let remedy = "A project is a folder. Choose one with --output.";
            return Err(Refusal::new("a project cannot be written to standard output", remedy).into());
        }
        for (what, path) in &written {
            if is_project && *path == self.output {
                refuse_unsafe_folder(path, &self.subject.path)?;
            } else if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
                let problem = format!("{what} would be written to {}, which is not a file", path.display());
                return Err(Refusal::new(problem, "Give the path of a regular file, or - for standard output.").into());
            }
        }
        let json_to_stdout = self.json.as_deref().is_some_and(is_stdout);
        if json_to_stdout && self.is_to_stdout() {
            let problem = "the result and the events would both be written to standard output";
            return Err(Refusal::new(problem, "Choose another place with --output, --json or --report.").into());
        }
        written.extend(self.json.as_deref().filter(|_| !json_to_stdout).map(|path| ("--json", path)));
        written.extend(self.report.as_deref().map(|path| ("--report", path)));
        let read = self.subject.files_read();
        for (index, (what, path)) in written.iter().enumerate() {
            let others = read.iter().map(|path| path.as_path()).chain(written[..index].iter().map(|(_, path)| *path));
            if let Some(other) = others.into_iter().find(|other| is_same_file(path, other)) {
                let problem = format!("{what} would overwrite {}", other.display());
                return Err(Refusal::new(problem, "Choose another place with --output, --json or --report.").into());
            }
        }
        Ok(())
    }

    /// Whether the result goes to standard output.
    pub(crate) fn is_to_stdout(&self) -> bool {
        is_stdout(&self.output)
    }

    /// The reduction, with nobody to listen to it.
    pub(crate) fn reduction(&self, test: &Arc<CommandTest>) -> Reduction {
        self.set_up(Reduction::by_test(self.subject.input.clone(), test))
    }

    /// Any reduction of the input, run as planned.
    pub(crate) fn set_up(&self, reduction: Reduction) -> Reduction {
        let mut reduction = reduction
            .language(self.language.clone())
            .strategy(self.strategy.clone())
            .passes(self.passes.clone())
            .pass_limits(self.pass_limits)
            .alphabet(self.alphabet.clone())
            .gtr(self.gtr.clone())
            .jobs(self.jobs);
        // The journal would be about an input that is written over.
        if !self.keeps_originals {
            reduction = reduction.without_originals();
        }
        reduction = if let Some(folder) = &self.in_place_below {
            reduction.in_place_files(folder)
        } else if self.in_place {
            reduction.in_place(&self.output)
        } else if self.is_to_stdout() {
            reduction
        } else {
            reduction.output(&self.output).journal(self.beside_output(JOURNAL))
        };
        if self.keeps_history {
            reduction = reduction.history();
        }
        if self.force {
            reduction = reduction.overwrite();
        }
        if let Some(machines) = &self.machines {
            reduction = reduction.machines(machines.clone());
        }
        if let Some(repeat) = self.subject.test.repeat {
            reduction = reduction.repeat(repeat);
        }
        if self.resume {
            reduction = reduction.resume();
        }
        if let Some(bytes) = self.check_up_to {
            reduction = reduction.check_up_to(bytes);
        }
        if self.well_formed {
            reduction = reduction.well_formed();
        }
        if let Some(tests) = self.max_tests {
            reduction = reduction.max_tests(tests);
        }
        if let Some(time) = self.max_time {
            reduction = reduction.max_time(time);
        }
        if let Some(folder) = &self.others {
            reduction = reduction.other_bugs(folder);
        }
        reduction
    }

    /// The result's name with another ending, beside it: `bug.reduced.c.journal`.
    pub(crate) fn beside_output(&self, ending: &str) -> PathBuf {
        let mut name = self.output.clone().into_os_string();
        name.push(ending);
        name.into()
    }
}

/// Where candidates with other signatures go: `bug.other` for `bug.c`.
fn others_beside(input: &Path) -> PathBuf {
    let folder = input.with_extension("other");
    // An input of that very name would be in the way.
    if folder == input { folder.with_extension("other.d") } else { folder }
}

/// Why one language cannot be that of all files of a project.
fn refuse_for_project(grammars: &[String]) -> Refusal {
    match grammars {
        [] => Refusal::new(
            "--language does not go with a project: each file is known by its name",
            "Leave it out, or treat all files as text with --language none.",
        ),
        [grammar, ..] => Refusal::new(
            format!("--grammar {grammar} does not say which files of the project it is for"),
            format!("Name their ending, as in --grammar recipe={grammar}."),
        ),
    }
}

/// The algorithm that was chosen, if one was, with its options. Users expect that no single element can be removed from
/// the result, so every minimizer ends with a sweep unless `--options sweep=off` says otherwise.
fn resolve_algorithm(
    choice: Option<AlgorithmChoice>,
    split_factor: Option<SplitFactor>,
) -> Result<Option<AlgorithmChoice>> {
    Ok(match choice {
        None if split_factor.is_none() => None,
        None => Some(AlgorithmChoice::Lists(with_split_factor(Algorithm::default(), split_factor)?)),
        Some(AlgorithmChoice::Lists(algorithm)) => {
            Some(AlgorithmChoice::Lists(with_split_factor(algorithm, split_factor)?.swept()))
        }
        Some(AlgorithmChoice::Tree(mut choice)) => {
            choice.tree.lists = with_split_factor(choice.tree.lists, split_factor)?.swept();
            Some(AlgorithmChoice::Tree(choice))
        }
    })
}

fn with_split_factor(algorithm: Algorithm, split_factor: Option<SplitFactor>) -> Result<Algorithm> {
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

/// What to do: a tree algorithm alone, a list algorithm by units of text, or, if nothing was chosen, what suits the file.
fn resolve_strategy(
    choice: Option<AlgorithmChoice>,
    unit: Option<Unit>,
    syntaxes: &Syntaxes,
    effort: Effort,
    input: &Candidate,
) -> Result<Strategy> {
    let text = input.files().first().map_or(&[][..], |file| file.bytes());
    let algorithm = match choice {
        Some(AlgorithmChoice::Tree(choice)) if unit.is_none() => return Ok(choice.strategy()),
        Some(AlgorithmChoice::Tree(choice)) => {
            let problem = format!("--unit does not go with --algorithm {choice}");
            return Err(Refusal::new(problem, "Only list algorithms cut files into pieces of text.").into());
        }
        None if unit.is_none() => return Ok(Strategy::suiting(syntaxes, input, effort)),
        Some(AlgorithmChoice::Lists(algorithm)) => algorithm,
        None => Algorithm::default(),
    };
    Ok(match unit {
        Some(unit) => Strategy::new(vec![Step::Text(unit, algorithm)], Turns::Rounds),
        None => Strategy::for_text(text, algorithm),
    })
}

/// What was asked for and does nothing to a file of no known language.
fn idle_parts(choice: Option<AlgorithmChoice>, effort: Effort) -> Vec<String> {
    let idle = |flag: &str, part: &str| format!("{flag}: {part} does nothing to a file of no known language");
    match choice {
        Some(AlgorithmChoice::Tree(choice)) => {
            choice.idle_without_syntax().map(|part| idle("--algorithm", part)).collect()
        }
        None if effort != Effort::Normal => vec!["--effort makes no difference to a file of no known language".into()],
        _ => Vec::new(),
    }
}

/// The order of characters that one of two options sets.
fn resolve_alphabet(given: Option<Alphabet>, option: Option<Alphabet>) -> Result<Option<Alphabet>> {
    if given.is_some() && option.is_some() {
        let problem = "--alphabet does not go with --options characters: both set the order of characters";
        return Err(Refusal::new(problem, "Leave one of them out.").into());
    }
    Ok(given.or(option))
}

/// Refuses an alphabet that no pass uses.
fn refuse_idle_alphabet(alphabet: Option<&Alphabet>, flag: &str, strategy: &Strategy) -> Result<()> {
    if alphabet.is_none() || strategy.gives_names() {
        return Ok(());
    }
    let remedy = "Names change in files of a known language with --effort normal or max, or by a token reducer, as in \
                  --algorithm canon.";
    Err(Refusal::new(format!("{flag} has no effect here: no pass renames anything"), remedy).into())
}

/// Refuses to overwrite an input that was not read from one place, or not as a whole.
fn refuse_in_place(subject: &Subject) -> Result<()> {
    let remedy = "Choose where the result goes with --output.";
    let Some(origin) = subject.input.origin() else {
        let problem = match subject.input.candidate().is_project() {
            true => "--in-place needs one file or folder: several files cannot be replaced at once",
            false => "--in-place needs a file: the input comes from standard input",
        };
        return Err(Refusal::new(problem, remedy).into());
    };
    if let Some(left_out) = &origin.left_out {
        let problem = format!("--in-place would delete {}, which is not part of the project", left_out.display());
        return Err(Refusal::new(problem, remedy).into());
    }
    Ok(())
}

/// Refuses a folder for the result that is not one, or whose replacement would take more with it.
fn refuse_unsafe_folder(output: &Path, input: &Path) -> Result<()> {
    let remedy = "Choose another folder with --output.";
    if fs::symlink_metadata(output).is_ok_and(|metadata| !metadata.is_dir()) {
        let problem = format!("the result would be written to {}, which is not a folder", output.display());
        return Err(Refusal::new(problem, remedy).into());
    }
    let absolute = |path: &Path| fs::canonicalize(path).or_else(|_| std::path::absolute(path));
    if let (Ok(output), Ok(input)) = (absolute(output), absolute(input)) {
        let is_inside = output != input && (output.starts_with(&input) || input.starts_with(&output));
        if is_inside {
            let problem =
                format!("the result at {} and the input at {} contain one another", output.display(), input.display());
            return Err(Refusal::new(problem, remedy).into());
        }
    }
    Ok(())
}

/// Where a reduced project goes: `src.reduced` beside `src`, or beside the first of several files.
fn resolve_folder(output: Option<PathBuf>, in_place: bool, input: &Path) -> Result<PathBuf> {
    // The name of `.` or `src/..` is that of the folder it leads to.
    let folder = fs::canonicalize(input).context("cannot resolve the path of the input")?;
    match output {
        None if in_place => Ok(folder),
        None => {
            let stem = if folder.is_dir() { folder.file_name() } else { folder.file_stem() };
            let mut name = stem.unwrap_or_default().to_owned();
            name.push(".reduced");
            // A relative path stays one, for people who read it.
            let is_plain = input.file_name() == folder.file_name();
            Ok(if is_plain { input.with_file_name(name) } else { folder.with_file_name(name) })
        }
        Some(path) if is_same_file(&path, input) => {
            let problem = format!("--output {} is the input itself", path.display());
            Err(Refusal::new(problem, "Use --in-place to overwrite the input; it keeps a copy.").into())
        }
        Some(path) => Ok(path),
    }
}

fn resolve_output(output: Option<PathBuf>, in_place: bool, input: &Path) -> Result<PathBuf> {
    let path = match output {
        // A link is followed, so that what it points to is reduced and the link stays.
        None if in_place => fs::canonicalize(input).context("cannot resolve the path of the input")?,
        None => default_output(input),
        Some(path) => path,
    };
    if !in_place && is_same_file(&path, input) {
        let problem = format!("--output {} is the input itself", path.display());
        return Err(Refusal::new(problem, "Use --in-place to overwrite the input; it keeps a copy.").into());
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

/// Whether two paths lead to one file, also if it does not exist yet.
pub(super) fn is_same_file(a: &Path, b: &Path) -> bool {
    match (fs::metadata(a), fs::metadata(b)) {
        (Ok(a), Ok(b)) => (a.dev(), a.ino()) == (b.dev(), b.ino()),
        (Err(_), Err(_)) => matches!((std::path::absolute(a), std::path::absolute(b)), (Ok(a), Ok(b)) if a == b),
        _ => false,
    }
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
