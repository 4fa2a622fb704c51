//! Whittle itself: `whittle` with its default algorithm, `whittle-quick` and `whittle-max` with another effort, `whittle:NAME`
//! with another algorithm.
//!
//! The bench measures it from outside, like every reducer: it gets the wrapped test, and the bench ignores its own counts.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use whittle_lists::{Algorithm, ProbabilityOptions};
use whittle_trees::{TreeAlgorithm, TreeReducer};
use xxhash_rust::xxh3::xxh3_64;

use super::{Call, Reducer, Reducers, Task, first_line_of, make_folder_of, on_path};

const NAME: &str = "whittle";
const PREFIX: &str = "whittle:";

/// The efforts beside the default.
const EFFORTS: [&str; 2] = ["quick", "max"];

/// Whether a reducer of this name is Whittle.
pub(crate) fn is_whittle(name: &str) -> bool {
    name == NAME
        || name.starts_with(PREFIX)
        || name.strip_prefix("whittle-").is_some_and(|effort| EFFORTS.contains(&effort))
}

/// The binary: the one given, or the one next to this program, or the one on PATH.
pub(crate) fn locate(named: Option<&Path>) -> Result<PathBuf> {
    if let Some(path) = named {
        return path.canonicalize().with_context(|| format!("--whittle {}", path.display()));
    }
    let own = std::env::current_exe()?;
    let beside = own.with_file_name(NAME);
    if beside.is_file() { Some(beside) } else { on_path(NAME) }.context(
        "whittle is not found; build it with cargo build --release -p whittle, or say where it is with --whittle",
    )
}

/// Whittle with its default, with other efforts, with every list algorithm, with every tree reducer, and with any algorithm given by name.
pub(super) fn all(program: &Path, asked: &[String]) -> Reducers {
    let mut algorithms: Vec<String> = Algorithm::all().iter().map(ToString::to_string).collect();
    algorithms.extend(tree_algorithms());
    // In hdd*+cdd the star is part of the name.
    let is_name = |name: &&str| !name.contains('*') || name.parse::<TreeAlgorithm>().is_ok();
    for name in asked.iter().filter_map(|name| name.strip_prefix(PREFIX)).filter(is_name) {
        if !algorithms.iter().any(|known| known == name) {
            algorithms.push(name.to_owned());
        }
    }
    let make = |mode| Box::new(Whittle { program: program.to_owned(), mode }) as Box<dyn Reducer>;
    let efforts = EFFORTS.map(Mode::Effort);
    std::iter::once(Mode::Default).chain(efforts).chain(algorithms.into_iter().map(Mode::Algorithm)).map(make).collect()
}

/// The tree reducers, in both forms where there is a repeated one, with the default minimizer for trees. There are too many
/// pairs to run them all.
fn tree_algorithms() -> impl Iterator<Item = String> {
    let repetitions = |reducer: TreeReducer| if reducer.is_guided() { &[true][..] } else { &[false, true] };
    let lists = Algorithm::Wprobdd(ProbabilityOptions::default());
    TreeReducer::ALL.into_iter().flat_map(move |reducer| {
        let name = move |&repeated: &bool| TreeAlgorithm { reducer, repeated, lists }.to_string();
        repetitions(reducer).iter().map(name)
    })
}

struct Whittle {
    program: PathBuf,
    mode: Mode,
}

/// What Whittle is asked to do.
enum Mode {
    Default,
    Effort(&'static str),
    Algorithm(String),
}

impl Reducer for Whittle {
    fn name(&self) -> String {
        match &self.mode {
            Mode::Default => NAME.to_owned(),
            Mode::Effort(effort) => format!("{NAME}-{effort}"),
            Mode::Algorithm(algorithm) => format!("{PREFIX}{algorithm}"),
        }
    }

    fn program(&self) -> &Path {
        &self.program
    }

    /// With the binary's fingerprint, so that results of another build do not pass for those of this one.
    fn version(&self) -> String {
        let fingerprint = fs::read(&self.program).map_or(0, |bytes| xxh3_64(&bytes));
        format!("{} ({fingerprint:016x})", first_line_of(Command::new(&self.program).arg("--version")))
    }

    fn call(&self, task: &Task<'_>) -> Result<Call> {
        let result = task.output();
        make_folder_of(&result)?;
        let mut command = Command::new(&self.program);
        command.arg("reduce").arg(task.places.test()).arg(task.input());
        command.arg("--output").arg(&result).args(["--quiet", "--jobs", &task.jobs.to_string()]);
        match &self.mode {
            Mode::Default => {}
            Mode::Effort(effort) => drop(command.args(["--effort", effort])),
            Mode::Algorithm(algorithm) => drop(command.args(["--algorithm", algorithm])),
        }
        Ok(Call { command, result })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_algorithms_are_passed_on() {
        let names = |asked: &[&str]| -> Vec<String> {
            let asked: Vec<String> = asked.iter().map(ToString::to_string).collect();
            all(Path::new("whittle"), &asked).iter().map(|reducer| reducer.name()).collect()
        };
        let known = names(&[]);
        for name in [
            "whittle",
            "whittle-quick",
            "whittle-max",
            "whittle:ddmin",
            "whittle:hdd*+wprobdd",
            "whittle:perses+wprobdd",
        ] {
            assert!(known.contains(&name.into()), "{known:?}");
        }
        let mut more = known;
        more.extend(["whittle:perses+cdd", "whittle:hdd*+cdd", "whittle:other"].map(String::from));
        let asked = ["whittle:perses+cdd", "whittle:hdd*+cdd", "whittle:ddmin", "whittle:*", "whittle:other", "cvise"];
        assert_eq!(names(&asked), more);
    }
}
