//! A generator that is a program in some language. For the reducers its sites have the names of the reference's sites.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use whittle_traces::records::{RunEnd, decode, encode};
use whittle_traces::{
    Draw, Edits, Generated, Generator, Kind, Misfit, NoInput, Node, NodeId, Script, Site, Trace, TraceBuilder, Value,
};

use crate::reference;

const HERE: &str = env!("CARGO_MANIFEST_DIR");

/// A program that uses one of the clients of the protocol.
pub(crate) struct Client {
    pub(crate) language: &'static str,
    words: Vec<String>,
    folder: tempfile::TempDir,
    runs: AtomicU64,
    /// The names of the reference's sites by the names here, and the reverse.
    names: HashMap<Site, Site>,
    places: HashMap<Site, Site>,
    /// The reference's fingerprints by those here, and the reverse.
    outputs: HashMap<u64, u64>,
    fingerprints: HashMap<u64, u64>,
}

impl Client {
    fn new(language: &'static str, words: Vec<String>, folder: tempfile::TempDir) -> Self {
        let mut client = Self {
            language,
            words,
            folder,
            runs: AtomicU64::new(0),
            names: HashMap::new(),
            places: HashMap::new(),
            outputs: HashMap::new(),
            fingerprints: HashMap::new(),
        };
        client.learn_sites();
        client.learn_fingerprints();
        client
    }

    /// Has every letter drawn at least once, and pairs the fingerprints.
    fn learn_fingerprints(&mut self) {
        let made = reference::recorded(&mut reference::nested());
        let letters: Vec<NodeId> = letters(&made.trace).map(|(id, _)| id).collect();
        for place in 0..5 {
            let values = letters.iter().map(|id| (*id, Value::One(place))).collect();
            let trace = Arc::new(Edits { values, ..Edits::default() }.apply(&made.trace));
            let script = Script { trace, misfit: Misfit::Halt, defaults: Arc::default() };
            let [here, there] = [self.follow(&script, u64::MAX), reference::follow(&script, u64::MAX)]
                .map(|made| letters_of(&made.expect("the letters are possible").trace));
            self.outputs.extend(here.iter().copied().zip(there.iter().copied()));
            self.fingerprints.extend(there.into_iter().zip(here));
        }
        let count = |map: &HashMap<u64, u64>| map.len();
        assert_eq!((count(&self.outputs), count(&self.fingerprints)), (6, 6), "{}: fingerprints", self.language);
    }

    /// Finds a seed whose run reaches all sites in the same order as the reference, and pairs them.
    fn learn_sites(&mut self) {
        let wanted = sites(&reference::recorded(&mut reference::everything()).trace);
        for seed in 0..200 {
            let made = self.perform(None, u64::MAX, &seed.to_string()).expect("a run without a script makes an input");
            let found = sites(&made.trace);
            let shape = |sites: &[(Shape, Site)]| sites.iter().map(|(shape, _)| *shape).collect::<Vec<_>>();
            if shape(&found) == shape(&wanted) {
                let pairs = found.into_iter().zip(&wanted).map(|((_, here), (_, there))| (here, there.clone()));
                self.names = pairs.collect();
                self.places = self.names.iter().map(|(here, there)| (there.clone(), here.clone())).collect();
                return;
            }
        }
        panic!("{}: no seed makes a trace with the sites {wanted:?}", self.language);
    }

    /// The output for a seed without recording.
    pub(crate) fn alone(&self, seed: u64) -> String {
        let output = Command::new(&self.words[0]).args(&self.words[1..]).arg(seed.to_string()).output().unwrap();
        assert!(output.status.success(), "{}: {}", self.language, String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Replays a script with a limit of draws.
    pub(crate) fn follow(&self, script: &Script, budget: u64) -> Result<Generated, NoInput> {
        self.perform(Some(script), budget, "0")
    }

    fn perform(&self, script: Option<&Script>, budget: u64, seed: &str) -> Result<Generated, NoInput> {
        let number = self.runs.fetch_add(1, Ordering::Relaxed);
        let file = |what: &str| self.folder.path().join(format!("{what}{number}"));
        let mut command = Command::new(&self.words[0]);
        command.args(&self.words[1..]).arg(seed).stdin(Stdio::null());
        command.env("WHITTLE_TRACE_RECORD", file("record")).env("PYTHONHASHSEED", "0");
        command.env("WHITTLE_TRACE_BUDGET", budget.to_string());
        command.env("PYTHONPATH", format!("{HERE}/../whittle/python/start:{HERE}/../whittle/python"));
        if let Some(script) = script {
            let defaults = script.defaults.iter().map(|(site, value)| (translated(site, &self.places), value.clone()));
            fs::write(
                file("replay"),
                encode(&renamed(&script.trace, &self.places, &self.fingerprints), &defaults.collect()),
            )
            .unwrap();
            let misfit = if script.misfit == Misfit::Halt { "halt" } else { "re-align" };
            command.env("WHITTLE_TRACE_REPLAY", file("replay")).env("WHITTLE_TRACE_MISFIT", misfit);
        }
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}: {}", self.language, String::from_utf8_lossy(&output.stderr));
        let recording = decode(&fs::read(file("record")).unwrap()).unwrap();
        let end = recording.end.expect("every run ends with an end record");
        let trace = Arc::new(renamed(&recording.trace, &self.names, &self.outputs));
        match end.outcome {
            RunEnd::Complete => Ok(Generated { input: output.stdout, trace, misaligned: end.misaligned }),
            RunEnd::Halted(node) => Err(NoInput::Halted(node)),
            RunEnd::OverBudget => Err(NoInput::OverBudget),
        }
    }
}

impl Generator for Client {
    fn run(&self, script: &Script) -> Result<Generated, NoInput> {
        self.follow(script, reference::BUDGET)
    }
}

/// The kind of a step, and the largest value of a draw.
type Shape = (std::mem::Discriminant<Kind>, u64);

/// The sites of a trace in the order of their first steps, except those that are the same everywhere.
fn sites(trace: &Trace) -> Vec<(Shape, Site)> {
    let mut found: Vec<(Shape, Site)> = Vec::new();
    for (_, node) in trace.nodes() {
        let fixed = matches!(node.kind, Kind::Iteration | Kind::Branch);
        if !fixed && found.iter().all(|(_, site)| *site != node.site) {
            let max = node.draw().map_or(0, |draw| draw.max);
            found.push(((std::mem::discriminant(&node.kind), max), node.site.clone()));
        }
    }
    found
}

fn letters(trace: &Trace) -> impl Iterator<Item = (NodeId, &Node)> {
    trace.nodes().filter(|(_, node)| &*node.site == "letter")
}

/// The outputs of all letters.
fn letters_of(trace: &Trace) -> Vec<u64> {
    letters(trace).filter_map(|(_, node)| node.draw()?.output.as_ref()?.number()).collect()
}

fn translated(site: &Site, names: &HashMap<Site, Site>) -> Site {
    names.get(site).unwrap_or(site).clone()
}

/// The same trace with other names for its sites and other fingerprints for letters.
fn renamed(trace: &Trace, names: &HashMap<Site, Site>, fingerprints: &HashMap<u64, u64>) -> Trace {
    let mut builder = TraceBuilder::default();
    let mut ends = Vec::new();
    for (id, node) in trace.nodes() {
        while ends.last().is_some_and(|end| *end <= id) {
            ends.pop();
            builder.close();
        }
        let (mut kind, site) = (node.kind.clone(), translated(&node.site, names));
        // Numbers are their own fingerprints.
        if let (Kind::Draw(Draw { output: Some(Value::One(output)), .. }), true) =
            (&mut kind, [&node.site, &site].into_iter().any(|site| &**site == "letter"))
        {
            *output = fingerprints.get(output).copied().unwrap_or(*output);
        }
        // Python sees a choice between false and true, which has an output.
        if let (Kind::Draw(Draw { output, .. }), "whether") = (&mut kind, &*site) {
            *output = None;
        }
        builder.open(kind, site);
        ends.push(node.end);
    }
    builder.finish()
}

/// The languages that every developer has.
pub(crate) fn clients() -> Vec<Client> {
    vec![rust(), c(), python()]
}

fn program(name: &str) -> String {
    format!("{HERE}/tests/conformance/{name}")
}

fn rust() -> Client {
    // Cargo builds examples before tests, into a folder beside them.
    let tests = std::env::current_exe().unwrap();
    let example = tests.parent().and_then(Path::parent).unwrap().join("examples/trees");
    assert!(example.exists(), "cargo test builds examples, but there is no {}", example.display());
    Client::new("Rust", vec![text(example)], tempfile::tempdir().unwrap())
}

fn c() -> Client {
    let folder = tempfile::tempdir().unwrap();
    let binary = text(folder.path().join("trees"));
    let header = format!("{HERE}/../../c");
    let options = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I", &header, "-o", &binary];
    let output = Command::new("cc").args(options).arg(program("trees.c")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Client::new("C", vec![binary], folder)
}

/// What a program in JavaScript prints and records, with options for Node before it, arguments behind it, and variables.
pub(crate) fn run_javascript(
    options: &[&str],
    path: &Path,
    arguments: &[&str],
    variables: &[(&str, &str)],
) -> (String, Vec<u8>) {
    let record = tempfile::NamedTempFile::new().unwrap();
    let mut command = Command::new("node");
    command.args(options).arg(path).args(arguments).env("WHITTLE_TRACE_RECORD", record.path());
    let output = command.envs(variables.iter().copied()).output().unwrap();
    assert!(output.status.success(), "{options:?} {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    (String::from_utf8(output.stdout).unwrap(), fs::read(record.path()).unwrap())
}

/// The client for JavaScript, and a program that uses all of it.
pub(crate) fn places() -> [PathBuf; 2] {
    [format!("{HERE}/../../javascript/whittle-choices.js"), program("places.js")].map(PathBuf::from)
}

/// A program in JavaScript that throws and catches exceptions.
pub(crate) fn exceptions() -> PathBuf {
    PathBuf::from(program("exceptions.js"))
}

pub(crate) fn javascript() -> Client {
    Client::new("JavaScript", vec!["node".to_owned(), program("trees.js")], tempfile::tempdir().unwrap())
}

fn python() -> Client {
    // The program on the path may be a slow wrapper.
    let show = "import sys; print(sys.executable if sys.version_info >= (3, 9) else '')";
    let asked = Command::new("python3").args(["-c", show]).output().unwrap();
    let path = String::from_utf8_lossy(&asked.stdout).trim().to_owned();
    assert!(!path.is_empty(), "there is no python3 of version 3.9 or later");
    Client::new("Python", vec![path, program("trees.py")], tempfile::tempdir().unwrap())
}

fn text(path: PathBuf) -> String {
    path.into_os_string().into_string().unwrap()
}
