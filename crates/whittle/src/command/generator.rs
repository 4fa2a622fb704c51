//! `whittle generator`: makes an input, then reduces it through the generator that made it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use whittle::generator::{ByteGenerator, GeneratorCommand, GeneratorError, Limits, Program};
use whittle::lists::Algorithm;
use whittle::property::{Crew, CrewSetup, HelperProgram};
use whittle::search::{Cancel, Interrupter, Search, Stop};
use whittle::strategy::Unfinished;
use whittle::traces::{Alignment, GReduce, Generated, Generator, Order, Session, Shrink};

use super::args::ReduceArgs;
use super::choice::AlgorithmChoice;
use super::exit::{Exit, Refusal, StoppedEarly};
use super::explain::printed;
use super::format::count;
use super::generator_args::{Align, By, GeneratorArgs};
use super::machines::MachinesArgs;
use super::plan::{Plan, Voice};
use super::print::tell;
use super::reduce::Watched;
use super::subject::no_helpers;
use super::test_args::{ProjectArgs, TestArgs};

/// Generates, reduces and reports.
pub(crate) fn run(args: GeneratorArgs) -> Result<Exit> {
    keep_apart(&args)?;
    if args.by == By::Auto && args.align.is_some() {
        let remedy = "Choose one of GReduce's orders with --by sequence or --by tree, or leave out --align.";
        return Err(Refusal::new("--align does not go with --by auto", remedy).into());
    }
    let interrupter = Interrupter::default();
    let (generator, made) = first_run(&args, program(&args, interrupter.cancel())?)?;
    fs::write(&args.name, &made.input).map_err(|error| {
        let problem = format!("the generated input cannot be written to {}: {error}", args.name.display());
        Refusal::new(problem, "Choose another place with --name.")
    })?;
    let reducer =
        Reducer { by: args.by, align: args.align.unwrap_or(Align::Adapt), algorithm: lists(args.run.how.algorithm) };
    let then = args.then.is_some();
    let mut plan = Plan::resolve(arguments(args))?;
    let name = plan.subject.input.candidate().files()[0].path().to_owned();
    let mut session = Session::new(generator, &name, &made);
    plan.subject.input = plan.subject.input.with_candidate(session.input().clone());
    let mut watched = Watched::start(&plan, interrupter)?;
    let mut ended = reducer.run(&mut session, watched.run.search()).map_err(Unfinished::from);
    let mut halfway = None;
    if then && ended.is_ok() {
        halfway = Some(watched.run.search().best().candidate.byte_count());
        ended = watched.run.reduce();
    }
    let exit = watched.finish(&plan, ended)?;
    if plan.voice != Voice::Quiet {
        report(&made, &session, halfway);
    }
    Ok(exit)
}

/// How traces are reduced.
struct Reducer {
    by: By,
    align: Align,
    algorithm: Algorithm,
}

impl Reducer {
    fn run(&self, session: &mut Session, search: &mut Search) -> Result<(), Stop> {
        let order = match self.by {
            By::Auto => return Shrink { algorithm: self.algorithm }.reduce(session, search),
            By::Sequence => Order::Sequence,
            By::Tree => Order::Tree,
        };
        let alignment = match self.align {
            Align::Halt => Alignment::Halt,
            Align::Bypass => Alignment::Bypass,
            Align::Adapt => Alignment::Realign,
        };
        GReduce { order, alignment, algorithm: self.algorithm }.reduce(session, search)
    }
}

/// The list minimizer in what was chosen; it ends with a sweep, as for files.
fn lists(choice: Option<AlgorithmChoice>) -> Algorithm {
    match choice {
        Some(AlgorithmChoice::Lists(lists)) => lists.swept(),
        Some(AlgorithmChoice::Tree(choice)) => choice.tree.lists.swept(),
        None => Algorithm::default(),
    }
}

/// The generator, and what it makes when nobody guides it.
fn first_run(args: &GeneratorArgs, program: Program) -> Result<(Arc<dyn Generator>, Generated)> {
    let explained = |error: GeneratorError| explain(&error, args);
    if let Some(file) = &args.bytes {
        let bytes = fs::read(file).map_err(|error| {
            let problem = format!("the bytes in {} cannot be read: {error}", file.display());
            Refusal::new(problem, "--bytes names the file that the generator reads on its standard input.")
        })?;
        let mut generator = ByteGenerator::new(program);
        let made = generator.record(&bytes).map_err(explained)?;
        return Ok((Arc::new(generator), made));
    }
    let mut generator = GeneratorCommand::new(program).map_err(no_scratch)?;
    let made = generator.record().map_err(explained)?;
    Ok((Arc::new(generator), made))
}

/// The generator's program, with helpers to run it.
fn program(args: &GeneratorArgs, cancel: &Cancel) -> Result<Program> {
    let setup = CrewSetup {
        helper: HelperProgram::this().map_err(|error| no_helpers(&error))?,
        scratch: args.options.scratch.clone(),
        room: (0, 1),
        memory_limit: args.options.memory_limit,
        warm: Arc::from([]),
    };
    let crew = Crew::new(setup).map_err(|error| no_helpers(&error))?;
    let folder = std::env::current_dir().context("cannot find the current folder")?;
    let name = args.name.file_name().ok_or_else(|| {
        Refusal::new(format!("--name {} is not the name of a file", args.name.display()), "Write it as in bug.c.")
    })?;
    let limits = Limits { timeout: args.generator_timeout, draws: args.max_draws, output: args.max_input };
    let program = Program::new(args.generator.clone(), folder, name, crew, limits, cancel.clone());
    Ok(program.map_err(no_scratch)?)
}

fn no_scratch(error: std::io::Error) -> Refusal {
    no_helpers(&error.into())
}

/// The arguments of a reduction of the generated file.
fn arguments(args: GeneratorArgs) -> ReduceArgs {
    let (first, rest) = match args.test {
        Some(test) => (test, vec![args.name]),
        None => (args.name, Vec::new()),
    };
    let test = TestArgs { first, rest, name: None, project: ProjectArgs::default(), options: args.options };
    ReduceArgs {
        machines: MachinesArgs::default(),
        test,
        output: args.output,
        force: args.force,
        in_place: false,
        format: None,
        explain: false,
        run: args.run,
    }
}

/// Refuses to write the generated input over what is run.
fn keep_apart(args: &GeneratorArgs) -> Result<()> {
    let words = args.generator.iter().map(PathBuf::from);
    let place = fs::canonicalize(&args.name).ok();
    let same = |path: &Path| place.is_some() && fs::canonicalize(path).ok() == place;
    match args.test.iter().chain(&args.bytes).cloned().chain(words).find(|path| same(path)) {
        Some(path) => {
            let problem = format!("the generated input would overwrite {}", path.display());
            Err(Refusal::new(problem, "Choose another place with --name.").into())
        }
        None => Ok(()),
    }
}

fn explain(error: &GeneratorError, args: &GeneratorArgs) -> anyhow::Error {
    let shown: Vec<_> = args.generator.iter().map(|word| word.to_string_lossy()).collect();
    let mut shown = shown.join(" ");
    if let Some(file) = &args.bytes {
        shown = format!("{shown} < {}", file.display());
    }
    let remedy = match error {
        GeneratorError::Cancelled => return StoppedEarly("stopped by a signal or a time limit".into()).into(),
        GeneratorError::Unrunnable(_) => format!("Run it by hand to see why: {shown}"),
        GeneratorError::Failed(observed) => {
            let mut lines = vec![format!("command: {shown}")];
            lines.extend(printed(&observed.observation));
            lines.join("\n  ")
        }
        GeneratorError::Empty => {
            "It must print the input, or write it to the file that {} stands for among its arguments.".to_owned()
        }
        GeneratorError::NoTrace => {
            "Its choices are seen if it is a Python program (3.9 or later) that draws by random or numpy and is run \
             without -I, -E or -S, or if it uses whittle-choices (docs/trace-protocol.md). If it reads bytes on its \
             standard input instead, name them with --bytes."
                .to_owned()
        }
        GeneratorError::BadTrace(_) => "Does it use the variables WHITTLE_TRACE_... for something else?".to_owned(),
        GeneratorError::NotDeterministic | GeneratorError::Halted(_) | GeneratorError::OverBudget => {
            "Something else influences it: the clock, os.urandom, uuid, threads, a file that changes. Make it depend on \
             recorded choices alone."
                .to_owned()
        }
    };
    Refusal::new(error.to_string(), remedy).into()
}

/// What a summary does not know of.
fn report(made: &Generated, session: &Session, halfway: Option<u64>) {
    let tally = session.tally();
    let runs = tally.runs + tally.bypasses;
    let mut line = format!(
        "trace:   {} -> {} steps; {} runs of the generator, {} of them without an input",
        count(made.trace.len() as u64),
        count(session.trace().len() as u64),
        count(runs),
        count(tally.fruitless),
    );
    if tally.bypasses > 0 {
        line.push_str(&format!(", {} after a bypass", count(tally.bypasses)));
    }
    tell(&line);
    if let Some(bytes) = halfway {
        tell(&format!("then:    {} bytes by the generator, the rest without it", count(bytes)));
    }
}
