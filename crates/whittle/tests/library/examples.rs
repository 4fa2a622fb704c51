//! Examples whose tests start slowly end as their READMEs say. `tests/cli/examples.rs` has the others.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use whittle::{Input, Reduction};

/// Runs a test that is a Python program again and again in one process, on the file whose name it reads, and prints the
/// exit status.
const SERVER: &str = "
import runpy, signal, sys
test = sys.argv[1]
for path in sys.stdin:
    sys.argv = [test, path.rstrip()]
    try:
        runpy.run_path(test, run_name='__main__')
    except SystemExit as end:
        status = end.code
    signal.alarm(0)
    print(status, flush=True)
";

/// A process that runs [`SERVER`], and the file that it looks at.
struct Server {
    child: Child,
    asks: ChildStdin,
    answers: BufReader<ChildStdout>,
    candidate: PathBuf,
}

impl Server {
    fn start(test: &Path, candidate: PathBuf) -> Self {
        let mut python = Command::new("python3");
        let python = python.args(["-c", SERVER]).arg(test).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = python.spawn().unwrap();
        let (asks, answers) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, asks, answers, candidate }
    }

    fn is_interesting(&mut self, text: &[u8]) -> bool {
        std::fs::write(&self.candidate, text).unwrap();
        writeln!(self.asks, "{}", self.candidate.display()).unwrap();
        let mut status = String::new();
        self.answers.read_line(&mut status).unwrap();
        assert!(!status.is_empty(), "the test ended its process on\n{}", String::from_utf8_lossy(text));
        status.trim() == "0"
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn calc_ends_as_its_readme_says() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/calc");
    let folder = tempfile::tempdir().unwrap();
    let server = Mutex::new(Server::start(&example.join("test.py"), folder.path().join("bug.calc")));
    let is_interesting = move |text: &[u8]| {
        let mut server = server.lock().unwrap_or_else(PoisonError::into_inner);
        server.is_interesting(text)
    };
    let input = Input::new("bug.calc", std::fs::read(example.join("bug.calc")).unwrap());
    let outcome = Reduction::new(input, is_interesting).jobs(1).run().unwrap();
    let result = String::from_utf8_lossy(outcome.bytes());
    let readme = std::fs::read_to_string(example.join("README.md")).unwrap();
    let tests = outcome.tally.tests;
    assert!(readme.contains(&format!("```\n{}\n```", result.trim_end())), "after {tests} tests it ends with\n{result}");
}
