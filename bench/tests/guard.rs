//! The guard: what the default makes of ten small subjects must be what `guard/table.md` records, to the byte and the test.
//!
//! The counts do not depend on the machine, the clock or the number of workers, so a change of the table is a change of what
//! Whittle does, and shows as a diff in review. `GUARD=renew cargo test -p whittle-bench --test guard` renews the table.
//!
//! The checks are Python programs that look at a file in the current folder. One process per subject runs its check again and
//! again, so the guard takes seconds.
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use whittle::{Input, Reduction};

/// Subjects with their inputs, and with their checks if these are not their own: those have tools that differ from machine
/// to machine, or may run for seconds.
const SUBJECTS: [(&str, &str, Option<&str>); 10] = [
    ("c-format", "log.c", Some("guard/calls.py")),
    ("cpp-ambiguous", "shapes.cpp", Some("guard/calls.py")),
    ("css-merge", "site.css", None),
    ("html-outline", "manual.html", None),
    ("ini-interpolation", "editor.ini", None),
    ("js-dead-zone", "player.js", Some("guard/calls.py")),
    ("json-extends", "services.json", None),
    ("python-iteration", "stock.py", Some("guard/calls.py")),
    ("xml-namespace", "catalogue.xml", None),
    ("yaml-merge", "pipeline.yaml", None),
];

const TABLE: &str = "guard/table.md";
const RENEW: &str = "GUARD";
const HEAD: &str = "\
Written by `bench/tests/guard.rs`. Units are tokens, or bytes where there is no grammar (ini-interpolation).

| subject | input units | units | non-blank bytes | tests |
|---|--:|--:|--:|--:|
";

/// Runs a check again and again in one process, each time it reads a line, and prints the exit status.
const SERVER: &str = "
import runpy, sys
for _ in sys.stdin:
    try:
        runpy.run_path(sys.argv[1], run_name='__main__')
        print(0, flush=True)
    except SystemExit as end:
        print(end.code, flush=True)
";

/// A process that runs [`SERVER`] in a folder, and the file that its check looks at.
struct Check {
    child: Child,
    asks: ChildStdin,
    answers: BufReader<ChildStdout>,
    candidate: PathBuf,
}

impl Check {
    fn start(program: &Path, candidate: PathBuf) -> Self {
        let mut python = Command::new("python3");
        python.args(["-I", "-S", "-c", SERVER]).arg(program).current_dir(candidate.parent().unwrap());
        let mut child = python.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (asks, answers) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, asks, answers, candidate }
    }

    fn is_interesting(&mut self, text: &[u8]) -> bool {
        fs::write(&self.candidate, text).unwrap();
        writeln!(self.asks).unwrap();
        let mut status = String::new();
        self.answers.read_line(&mut status).unwrap();
        assert!(!status.is_empty(), "the check ended on\n{}", String::from_utf8_lossy(text));
        status.trim() == "0"
    }
}

impl Drop for Check {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The table's row of a subject.
fn row(name: &str, input: &str, check: Option<&str>) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = root.join("subjects").join(name);
    let program = check.map_or_else(|| folder.join("check.py"), |check| root.join(check));
    let text = fs::read(folder.join(input)).unwrap();
    let scratch = tempfile::tempdir().unwrap();
    let check = Mutex::new(Check::start(&program, scratch.path().join(input)));
    let is_interesting = move |text: &[u8]| check.lock().unwrap_or_else(PoisonError::into_inner).is_interesting(text);
    // Whether candidates are parsed before they are tested depends on the clock, unless it is said here.
    let reduction = Reduction::new(Input::new(input, text), is_interesting).check_up_to(usize::MAX).jobs(1);
    let outcome = reduction.run().unwrap();
    assert!(outcome.end.is_complete(), "{name}: {:?}", outcome.end);
    let (before, after) = (&outcome.first.size, &outcome.best.size);
    format!("| {name} | {} | {} | {} | {} |\n", before.units, after.units, after.solid, outcome.tally.tests)
}

#[test]
fn the_default_does_what_the_table_records() {
    let rows: Vec<String> = std::thread::scope(|scope| {
        let threads = SUBJECTS.map(|(name, input, check)| scope.spawn(move || row(name, input, check)));
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let table = format!("{HEAD}{}", rows.concat());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(TABLE);
    if std::env::var(RENEW).is_ok_and(|value| value == "renew") {
        fs::write(&path, table).unwrap();
        return;
    }
    let recorded = fs::read_to_string(&path).unwrap();
    assert!(
        table == recorded,
        "what Whittle does has changed. If it is meant to, run {RENEW}=renew cargo test -p whittle-bench --test guard and \
         commit bench/{TABLE}:\n{}",
        difference(&recorded, &table)
    );
}

/// The lines that differ, the recorded one before the new one.
fn difference(recorded: &str, new: &str) -> String {
    let pairs = recorded.lines().zip(new.lines()).filter(|(old, new)| old != new);
    pairs.map(|(old, new)| format!("-{old}\n+{new}\n")).collect()
}
