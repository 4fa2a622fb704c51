//! The plan of a reduction: arguments resolved once; the rest sees only the plan.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use whittle::Reduction;
use whittle::grammars::Alphabet;
use whittle::lists::{Algorithm, DdminOptions, SplitFactor, Unit};
use whittle::property::CommandTest;
use whittle::strategy::{Effort, Step, Strategy, Turns};
use whittle::syntaxes::{LanguageChoice, Syntaxes};
use whittle::trees::gtr::GtrOptions;

use super::args::{ReduceArgs, RunArgs};
use super::choice::{AlgorithmChoice, language_choice, language_missing};
use super::exit::Refusal;
use super::gtr;
use super::print::is_stdout;
use super::subject::Subject;

/// All that a reduction needs to know.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) subject: Subject,
    /// Where the result goes; `-` is standard output, where it goes once, at the end.
    pub(crate) output: PathBuf,
    pub(crate) in_place: bool,
    /// Whether whatever is in the place of the result is replaced.
    pub(crate) force: bool,
    pub(crate) keeps_history: bool,
    pub(crate) resume: bool,
    pub(crate) jobs: usize,
    pub(crate) max_tests: Option<u64>,
    pub(crate) max_time: Option<Duration>,
    pub(crate) language: LanguageChoice,
    pub(crate) syntaxes: Syntaxes,
    /// What the user should know about the language, and about what does not apply to it.
    pub(crate) notices: Vec<String>,
    pub(crate) strategy: Strategy,
    pub(crate) alphabet: Alphabet,
    pub(crate) gtr: GtrOptions,
    /// Up to how many bytes a candidate is parsed before it is tested; `None`: as long as that is cheap.
    pub(crate) check_up_to: Option<usize>,
    /// Where candidates with other signatures go, if they are kept.
    pub(crate) others: Option<PathBuf>,
    pub(crate) voice: Voice,
    pub(crate) json: Option<PathBuf>,
}

/// What the journal's name ends with.
pub(crate) const JOURNAL: &str = ".journal";

/// How much to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Voice {
    Quiet,
    Normal,
    Verbose,
}

impl Plan {
    /// Checks the arguments, reads the input, and settles what is left open.
    pub(crate) fn resolve(args: ReduceArgs) -> Result<Self> {
        let subject = Subject::resolve(args.test)?;
        if args.in_place && subject.input.origin().is_none() {
            let remedy = "Choose where the result goes with --output.";
            return Err(Refusal::new("--in-place needs a file: the input comes from standard input", remedy).into());
        }
        let others = others_beside(&subject.path);
        let output = resolve_output(args.output, args.in_place, &subject.path)?;
        if is_stdout(&output) && args.run.resume {
            let remedy = "A run that writes to standard output keeps no journal. Choose a file with --output.";
            return Err(Refusal::new("--resume does not go with --output -", remedy).into());
        }
        let alphabet = args.run.how.alphabet.clone();
        let plan = Self {
            in_place: args.in_place,
            force: args.force,
            keeps_history: !args.in_place && !is_stdout(&output),
            others: Some(others),
            ..Self::about(subject, output, args.run)?
        };
        refuse_idle_alphabet(alphabet.as_ref(), "--alphabet", &plan.strategy)?;
        plan.keep_apart()?;
        Ok(plan)
    }

    /// How `subject` is reduced to `output`; other bugs are not kept.
    pub(crate) fn about(subject: Subject, output: PathBuf, run: RunArgs) -> Result<Self> {
        let options = run.how.options.clone().unwrap_or_default();
        let algorithm = resolve_algorithm(run.how.algorithm, run.how.split_factor)?;
        let algorithm = algorithm.map(|algorithm| options.apply(algorithm)).transpose()?;
        let alphabet = resolve_alphabet(run.how.alphabet.clone(), options.alphabet())?;
        let language = language_choice(run.how.language.as_deref())?;
        let syntaxes = Syntaxes::choose(&language, subject.input.candidate())?;
        let text = subject.input.candidate().files()[0].bytes();
        let unit = run.how.unit.unit();
        let strategy = resolve_strategy(algorithm, unit, &syntaxes, run.how.effort.into(), text)?;
        let mut strategy = options.apply_to_strategy(strategy);
        if let Some(path) = &run.how.rules {
            strategy.rules = super::rules::read(path)?;
        }
        // One of many inputs may be of no known language.
        if syntaxes.any() {
            let flag = if run.how.alphabet.is_some() { "--alphabet" } else { "--options characters" };
            refuse_idle_alphabet(alphabet.as_ref(), flag, &strategy)?;
        }
        let gtr = gtr::resolve(&run.how, algorithm, &syntaxes)?;
        let mut notices: Vec<String> =
            language_missing(&language, &syntaxes, subject.input.candidate()).into_iter().collect();
        if !syntaxes.any() {
            notices.extend(idle_parts(algorithm, run.how.effort.into()));
        }
        // What has been found out is not found out again.
        let language =
            syntaxes.first_language().map_or(LanguageChoice::Text, |chosen| LanguageChoice::Is(chosen.language));
        Ok(Self {
            output,
            in_place: false,
            // Inputs among many have places of their own.
            force: true,
            keeps_history: false,
            resume: run.resume,
            jobs: run.limits.jobs.count(),
            max_tests: run.limits.max_tests,
            max_time: run.limits.max_time,
            notices,
            language,
            syntaxes,
            strategy,
            alphabet: alphabet.unwrap_or_default(),
            gtr,
            check_up_to: None,
            others: None,
            voice: match (run.quiet, run.verbose) {
                (true, _) => Voice::Quiet,
                (false, true) => Voice::Verbose,
                (false, false) => Voice::Normal,
            },
            json: run.json,
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
        for (what, path) in &written {
            if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
                let problem = format!("{what} would be written to {}, which is not a file", path.display());
                return Err(Refusal::new(problem, "Give the path of a regular file, or - for standard output.").into());
            }
        }
        let json_to_stdout = self.json.as_deref().is_some_and(is_stdout);
        if json_to_stdout && self.is_to_stdout() {
            let problem = "the result and the events would both be written to standard output";
            return Err(Refusal::new(problem, "Choose another place with --output or --json.").into());
        }
        written.extend(self.json.as_deref().filter(|_| !json_to_stdout).map(|path| ("--json", path)));
        let read = self.subject.files_read();
        for (index, (what, path)) in written.iter().enumerate() {
            let others = read.iter().map(|path| path.as_path()).chain(written[..index].iter().map(|(_, path)| *path));
            if let Some(other) = others.into_iter().find(|other| is_same_file(path, other)) {
                let problem = format!("{what} would overwrite {}", other.display());
                return Err(Refusal::new(problem, "Choose another place with --output or --json.").into());
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
        let mut reduction = Reduction::by_test(self.subject.input.clone(), test)
            .language(self.language.clone())
            .strategy(self.strategy.clone())
            .alphabet(self.alphabet.clone())
            .gtr(self.gtr.clone())
            .jobs(self.jobs);
        // The journal would be about an input that is written over.
        reduction = if self.in_place {
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
        if let Some(repeat) = self.subject.test.repeat {
            reduction = reduction.repeat(repeat);
        }
        if self.resume {
            reduction = reduction.resume();
        }
        if let Some(bytes) = self.check_up_to {
            reduction = reduction.check_up_to(bytes);
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
    text: &[u8],
) -> Result<Strategy> {
    let algorithm = match choice {
        Some(AlgorithmChoice::Tree(choice)) if unit.is_none() => return Ok(choice.strategy()),
        Some(AlgorithmChoice::Tree(choice)) => {
            let problem = format!("--unit does not go with --algorithm {choice}");
            return Err(Refusal::new(problem, "Only list algorithms cut files into pieces of text.").into());
        }
        None if unit.is_none() => return Ok(Strategy::suiting(syntaxes, text, effort)),
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
