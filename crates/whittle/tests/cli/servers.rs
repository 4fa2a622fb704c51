//! `--server`: tests that stay alive between candidates.

use std::fs;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::bench_folder::{Folder, Ran, wait_until};

/// Input with one line that matters.
fn haystack() -> String {
    (0..60).map(|number| if number == 41 { "the needle\n".to_owned() } else { format!("hay {number}\n") }).collect()
}

/// A folder with a server of this text, in which `path` is the candidate and `answer` prints; `log` gets a line a start.
fn with_server(body: &str) -> Folder {
    let folder = Folder::new("exit 1", "bug.txt", haystack());
    let log = folder.path("log").display().to_string();
    let start = format!("import os, sys, time\nopen('{log}', 'a').write('start\\n')\nprint('ready', flush=True)\n");
    let answer = "def answer(line): print(line, flush=True)\n";
    let asked = "asked = 0\nfor line in sys.stdin:\n    asked += 1\n    text = open(line[:-1]).read()\n";
    let body: String = body.lines().map(|line| format!("    {line}\n")).collect();
    fs::write(folder.path("server.py"), [&start, answer, asked, &body].concat()).unwrap();
    folder
}

fn starts(folder: &Folder) -> usize {
    folder.text("log").lines().count()
}

fn reduced(folder: &Folder, options: &str) -> Ran {
    let words = ["--server", "python3 {cwd}/server.py", "bug.txt", "--jobs", "2"];
    folder.whittle_words(words.into_iter().chain(options.split_whitespace()))
}

#[test]
fn a_server_gives_the_result_of_a_test_with_one_start_per_worker() {
    let folder = with_server("answer('yes' if 'needle' in text else 'no')");
    let ran = reduced(&folder, "--server-tests 1000000");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(folder.text("bug.reduced.txt"), "needle");
    // Preflight, both workers, and a new one for the last test.
    assert!(starts(&folder) <= 7, "{}", starts(&folder));

    folder.script("test.sh", "grep -q needle bug.txt");
    fs::rename(folder.path("bug.reduced.txt"), folder.path("by-server.txt")).unwrap();
    let by_test = folder.whittle("test.sh bug.txt --jobs 1 --force");
    assert_eq!(folder.text("bug.reduced.txt"), folder.text("by-server.txt"));
    assert_eq!(by_test.counted(), ran.counted());
}

#[test]
fn a_server_is_replaced_after_some_tests() {
    let folder = with_server("answer(0 if 'needle' in text and asked <= 6 else 1)");
    let ran = reduced(&folder, "--server-tests 5");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(folder.text("bug.reduced.txt"), "needle");
    assert!(!ran.stderr.contains("keeps state"), "{}", ran.stderr);
}

#[test]
fn a_server_that_dies_is_started_again_and_its_candidate_is_tested_once_more() {
    // It dies of every fourth candidate, whatever that is, and of every candidate without hay.
    let folder =
        with_server("if asked == 4 or 'hay' not in text: os._exit(0)\nanswer('yes' if 'needle' in text else 'no')");
    let ran = reduced(&folder, "");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let result = folder.text("bug.reduced.txt");
    assert!(result.contains("needle") && result.contains("hay") && result.len() < 15, "{result}");
}

#[test]
fn the_way_a_server_dies_can_be_what_is_interesting() {
    let folder = with_server("if 'needle' in text: os.kill(os.getpid(), 11)\nanswer('no')");
    let ran = reduced(&folder, "--signal SEGV");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(folder.text("bug.reduced.txt"), "needle");
}

#[test]
fn a_server_that_hangs_is_killed_and_the_candidate_timed_out() {
    let folder = with_server("if len(text) < 20: time.sleep(3600)\nanswer('yes' if 'needle' in text else 'no')");
    let ran = reduced(&folder, "--timeout 0.3 --unit line");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let result = folder.text("bug.reduced.txt");
    assert!(result.contains("needle") && (20..40).contains(&result.len()), "{result}");
    assert!(!ran.stderr.contains("0 timed out"), "{}", ran.stderr);
}

#[test]
fn a_server_that_grows_is_replaced() {
    let body = "kept = globals().setdefault('kept', [])\nkept.append(bytearray(b'x' * 8_000_000))\n\
                answer('yes' if 'needle' in text else 'no')";
    let folder = with_server(body);
    let ran = reduced(&folder, "--server-memory 100M --server-tests 1000000");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(folder.text("bug.reduced.txt"), "needle");
    assert!(starts(&folder) > 4, "{}", starts(&folder));
}

#[test]
fn state_that_leaks_from_test_to_test_is_reported_and_does_not_spoil_the_result() {
    // After seven tests it accepts everything.
    let folder = with_server("answer('yes' if 'needle' in text or asked > 7 else 'no')");
    let ran = reduced(&folder, "--server-tests 9");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("the server keeps state from test to test"), "{}", ran.stderr);
    assert!(folder.text("bug.reduced.txt").contains("needle"), "the last test is by a new server");
}

#[test]
fn the_text_of_an_answer_is_what_the_test_printed() {
    let body = "answer('0 crash in f' if 'needle' in text else '0 crash in g' if 'hay 7' in text else '1')";
    let folder = with_server(body);
    let words = ["--server", "python3 {cwd}/server.py", "bug.txt", "--signature", "in (.)"];
    let ran = folder.whittle_words(words);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(folder.text("bug.reduced.txt"), "needle");
    assert!(folder.path("bug.other").is_dir());
}

#[test]
fn a_server_that_does_not_keep_to_the_protocol_is_named_with_what_it_printed() {
    let folder = Folder::new("exit 1", "bug.txt", haystack());
    let fails = |server: &str, said: &str| {
        fs::write(folder.path("server.py"), server).unwrap();
        let ran = reduced(&folder, "");
        assert!(matches!(ran.status, Some(2 | 3)), "{:?} {}", ran.status, ran.stderr);
        assert!(ran.stderr.contains(said), "{server}: {}", ran.stderr);
    };
    fails("raise SystemError('no licence')", "no licence");
    fails("print('hello')", "it must print 'ready' first");
    fails("print('ready', flush=True)\nfor line in __import__('sys').stdin: print('maybe', flush=True)", "'maybe'");
    let stray = "print('ready', flush=True)\nfor line in __import__('sys').stdin: print('0\\n0', flush=True)";
    fails(stray, "without being asked");
    let ran = folder.whittle_words(["--server", "no-such-program", "bug.txt"]);
    assert_eq!(ran.status, Some(2), "{}", ran.stderr);
    for other in ["--run", "--valid"] {
        let ran = folder.whittle_words(["--server", "python3", other, "true {}", "bug.txt"]);
        assert!(ran.status == Some(2) && ran.stderr.contains("cannot be used with"), "{}", ran.stderr);
    }
}

#[test]
fn a_project_is_the_path_of_its_folder() {
    let folder = Folder::new("exit 1", "unused", "");
    fs::create_dir(folder.path("src")).unwrap();
    fs::write(folder.path("src/a.txt"), haystack()).unwrap();
    fs::write(folder.path("src/b.txt"), "hay\n").unwrap();
    let server = "import sys, pathlib\nprint('ready', flush=True)\nfor line in sys.stdin:\n    files = \
                  pathlib.Path(line[:-1]).rglob('*.txt')\n    found = any('needle' in f.read_text() for f in files)\n    \
                  print('yes' if found else 'no', flush=True)\n";
    fs::write(folder.path("server.py"), server).unwrap();
    let ran = folder.whittle_words(["--server", "python3 {cwd}/server.py", "src"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let files: Vec<_> = fs::read_dir(folder.path("src.reduced")).unwrap().flatten().collect();
    assert_eq!(files.len(), 1);
    assert_eq!(fs::read_to_string(files[0].path()).unwrap(), "needle");
}

#[test]
fn a_killed_whittle_leaves_no_server_and_its_run_can_be_resumed() {
    let folder = with_server("time.sleep(0.02)\nanswer('yes' if 'needle' in text else 'no')");
    let words = ["--server", "python3 {cwd}/server.py", "bug.txt", "--jobs", "2", "--unit", "char"];
    let mut child = folder.command(words).spawn().unwrap();
    folder.wait_for_journal("bug.reduced.txt.journal");
    wait_until("some tests ran", || fs::metadata(folder.path("bug.reduced.txt.journal")).unwrap().len() > 600);
    kill(Pid::from_raw(child.id() as i32), Signal::SIGKILL).unwrap();
    child.wait().unwrap();
    folder.assert_nothing_left();
    let ran = folder.whittle_words(words.into_iter().chain(["--resume"]));
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(folder.text("bug.reduced.txt"), "needle");
}

#[test]
fn a_killed_whittle_leaves_no_server_that_hangs_while_it_starts_or_answers() {
    for server in [
        "import time\ntime.sleep(3600)",
        "import time\nprint('ready', flush=True)\ninput()\ntime.sleep(3600)",
        "import os, time\nprint('ready', flush=True)\ninput()\nos.fork()\nos.setsid()\ntime.sleep(3600)",
    ] {
        let folder = Folder::new("exit 1", "bug.txt", haystack());
        fs::write(folder.path("server.py"), format!("open('{}', 'w')\n{server}", folder.path("on").display())).unwrap();
        let mut child = folder.command(["--server", "python3 {cwd}/server.py", "bug.txt"]).spawn().unwrap();
        wait_until("the server runs", || folder.path("on").exists());
        std::thread::sleep(std::time::Duration::from_millis(200));
        kill(Pid::from_raw(child.id() as i32), Signal::SIGKILL).unwrap();
        child.wait().unwrap();
        folder.assert_nothing_left();
    }
}

#[test]
fn the_python_module_makes_a_function_a_server() {
    let folder = Folder::new("exit 1", "bug.txt", haystack());
    let module = folder.whittle("server-module python");
    assert_eq!(module.status, Some(0));
    fs::write(folder.path("whittle_server.py"), module.stdout).unwrap();
    let server = "from whittle_server import serve\ndef check(path):\n    print('noise')\n    text = open(path).read()\n    \
                  if 'hay 3' in text and 'needle' not in text: raise ValueError('no\\nneedle')\n    \
                  return 'needle' in text, 'found'\nserve(check)\n";
    fs::write(folder.path("server.py"), server).unwrap();
    let ran = reduced(&folder, "--stdout found");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(folder.text("bug.reduced.txt"), "needle");
}

mod needs_node {
    use super::*;

    #[test]
    #[ignore = "needs node"]
    fn the_node_module_makes_a_function_a_server() {
        let folder = Folder::new("exit 1", "bug.txt", haystack());
        let module = folder.whittle("server-module node");
        fs::write(folder.path("whittle_server.js"), module.stdout).unwrap();
        let server = "const { serve } = require('./whittle_server.js');\nserve(async (path) => {\n  console.log('noise');\n  \
                      const text = require('fs').readFileSync(path, 'utf8');\n  if (text === '') throw new Error('a\\nb');\n  \
                      return [text.includes('needle'), 'found'];\n});\n";
        fs::write(folder.path("server.js"), server).unwrap();
        let words = ["--server", "node {cwd}/server.js", "bug.txt", "--stdout", "found"];
        let ran = folder.whittle_words(words);
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        assert_eq!(folder.text("bug.reduced.txt"), "needle");
    }
}

#[test]
fn a_server_that_cannot_serve_is_refused_with_what_to_do() {
    let folder = Folder::new("exit 1", "bug.txt", haystack());
    fs::write(folder.path("server.py"), "print('ready', flush=True)\ninput()\nraise SystemExit(3)\n").unwrap();
    for (server, said) in [
        ("nope", ["no program nope", "python3 {cwd}/server.py"]),
        ("cat {}", ["'cat {}' contains {}", "reads the paths of candidates"]),
        ("true", ["ended before it was ready (exit status 0)", "prints the line ready"]),
        ("python3 server.py", ["ended before it was ready", "{cwd}/server.js"]),
        ("python3 {cwd}/server.py", ["exit status 3, expected 0", "ended without an answer"]),
    ] {
        let ran = folder.whittle_words(["--server", server, "bug.txt"]);
        assert_eq!(ran.status, Some(2), "{server}: {}", ran.stderr);
        said.iter().for_each(|said| assert!(ran.stderr.contains(said), "{server}: {}", ran.stderr));
    }
}
