//! Reduction problems, one TOML file each in `data/`, that every reducer must solve, minimal in its own sense.
//!
//! A problem has a language (or none), an input, a property that is decided in process, and what the reducers are to
//! end with. Several workers must end with the same as one, and a second run with what the first ended with, if the
//! reducer promises a fixpoint. Adding a problem is adding a file; `problem.rs` says what may stand in it.

mod bad_syntax;
mod memory;
mod minimality;
mod problem;
mod property;
mod reducer;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

use whittle::languages::Language;
use whittle::search::{Candidate, Measured, Search, Setup};
use whittle::syntaxes::{LanguageChoice, Syntaxes};

use minimality::smaller_neighbour;
use problem::{Expected, Problem, Written};
use reducer::Reducer;

/// How many workers must end as one does. Three run ahead of the order in which tests count, 32 run ahead beyond the end
/// of nearly every stage.
const MORE_WORKERS: [usize; 2] = [3, 32];

#[test]
fn every_reducer_solves_every_problem_and_ends_with_what_is_minimal_in_its_own_sense() {
    assert_solved(read_problems());
}

#[test]
fn the_promises_hold_for_texts_that_parse_badly() {
    assert_solved(bad_syntax::problems());
}

fn assert_solved(problems: Vec<Arc<Problem>>) {
    let problems = Mutex::new(problems);
    let failures = Mutex::new(Vec::new());
    let work = || {
        while let Some(problem) = next(&problems) {
            let found = failures_of(&problem);
            failures.lock().expect("no thread panics while it adds").extend(found);
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    let mut failures = failures.into_inner().expect("no thread panics while it adds");
    failures.sort();
    assert!(failures.is_empty(), "{} failures\n\n{}", failures.len(), failures.join("\n\n"));
}

fn next(problems: &Mutex<Vec<Arc<Problem>>>) -> Option<Arc<Problem>> {
    problems.lock().expect("no thread panics while it takes").pop()
}

/// All problems of the folder. Each language is read once.
fn read_problems() -> Vec<Arc<Problem>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/problems/data");
    let mut syntaxes: BTreeMap<String, Syntaxes> = BTreeMap::new();
    let mut read = |path: &Path| {
        let written: Written = toml::from_str(&fs::read_to_string(path).expect("a problem can be read"))
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let input = Candidate::single("input", written.input.clone().into_bytes());
        let language = written.language.clone().unwrap_or_default();
        let syntax = syntaxes.entry(language).or_insert_with_key(|language| syntaxes_of(language, &input)).clone();
        Arc::new(Problem::new(path, written, input, syntax))
    };
    let mut paths: Vec<_> = fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("it can be listed").path())
        .collect();
    paths.sort();
    paths.iter().map(|path| read(path)).collect()
}

fn syntaxes_of(language: &str, input: &Candidate) -> Syntaxes {
    let named = |name| Language::by_name(name).unwrap_or_else(|| panic!("there is no language {name}"));
    let choice = if language.is_empty() { LanguageChoice::Text } else { LanguageChoice::Is(named(language)) };
    Syntaxes::choose(&choice, input).expect("a shipped grammar is sound")
}

/// What the reducers get wrong, each with the names of problem and reducer.
fn failures_of(problem: &Arc<Problem>) -> Vec<String> {
    let judge = |reducer: &Reducer| {
        let complaint = attempt(problem, reducer).unwrap_or_else(Some)?;
        Some(format!("{}, {}: {complaint}", problem.name, reducer.name))
    };
    let reducers = Reducer::all(problem.input_text());
    let unused = problem.unused_expectation(&reducers).map(|key| format!("{}: no reducer is {key}", problem.name));
    reducers.iter().filter_map(judge).chain(unused).collect()
}

/// What is wrong with how a reducer solves a problem; an error if it could not even try.
fn attempt(problem: &Arc<Problem>, reducer: &Reducer) -> Result<Option<String>, String> {
    let end = solve(problem, &problem.input, reducer, 1)?;
    for workers in MORE_WORKERS {
        let parallel = solve(problem, &problem.input, reducer, workers)?;
        if parallel.best.candidate != end.best.candidate || parallel.tests != end.tests {
            let (shown, other, tests, more) = (end.text(), parallel.text(), end.tests, parallel.tests);
            return Ok(Some(format!(
                "one worker ends after {tests} tests with\n{shown}\nand {workers} after {more} with\n{other}"
            )));
        }
    }
    if let Some(complaint) = complaint(problem, reducer, &end) {
        return Ok(Some(complaint));
    }
    if !reducer.strategy.is_fixpoint() {
        return Ok(None);
    }
    let again = solve(problem, &end.best.candidate, reducer, 1)?;
    let is_fixed = again.best.candidate == end.best.candidate;
    Ok((!is_fixed).then(|| format!("ends with\n{}\nand a second run with\n{}", end.text(), again.text())))
}

/// How a reduction ended.
struct End {
    best: Measured,
    tests: u64,
}

impl End {
    fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(self.best.candidate.files()[0].bytes())
    }
}

fn solve(problem: &Arc<Problem>, input: &Candidate, reducer: &Reducer, jobs: usize) -> Result<End, String> {
    let layout = problem.syntaxes.layout_for(&reducer.strategy);
    let setup = Setup { jobs, measure: problem.measure(), order: reducer.strategy.order, layout, ..Setup::default() };
    let mut search: Search = setup.start(Arc::clone(problem) as _, input.clone()).map_err(|error| error.to_string())?;
    let workshops = problem.syntaxes.workshops(reducer.check);
    reducer.strategy.run(&mut search, &workshops).map_err(|error| error.to_string())?;
    Ok(End { best: search.best().clone(), tests: search.tally().tests })
}

/// What is wrong with the end of a reduction.
fn complaint(problem: &Problem, reducer: &Reducer, end: &End) -> Option<String> {
    let shown = end.text();
    if !problem.is_interesting(&end.best.candidate) {
        return Some(format!("the result is not interesting:\n{shown}"));
    }
    let input = problem.measured_as(&end.best, problem.input.clone());
    if input.is_smaller_than(&end.best) {
        return Some(format!("the result is larger than the input:\n{shown}"));
    }
    let tokens = problem.tokens(shown.as_bytes()).len();
    match problem.expected(reducer) {
        Expected::Text(expected) if !is_same(problem, expected, &shown) => {
            return Some(format!("ends with {tokens} tokens:\n{shown}\nand not with\n{expected}"));
        }
        Expected::Tokens(most) if tokens > *most => {
            return Some(format!("ends with {tokens} tokens, not with {most}:\n{shown}"));
        }
        Expected::Text(_) | Expected::Tokens(_) => {}
    }
    let smaller = smaller_neighbour(problem, &end.best, reducer.promise)?;
    Some(format!("ends with\n{shown}\nbut this is smaller:\n{}", String::from_utf8_lossy(&smaller)))
}

/// Whether two texts are the same but for whitespace between tokens: some reducers lay out their results.
fn is_same(problem: &Problem, expected: &str, shown: &str) -> bool {
    let solid = |text: &str| text.split_whitespace().collect::<String>();
    let tokens = |text: &str| problem.tokens(text.as_bytes());
    solid(expected) == solid(shown) && tokens(expected) == tokens(shown)
}
