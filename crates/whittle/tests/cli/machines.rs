//! Reductions on several machines, which are processes here. Whatever happens to workers, the result and the counted tests are
//! those of one machine, and nothing is left.

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::bench_folder::{Folder, Ran, wait_until};

/// What the input is reduced to.
const NEEDED: [usize; 4] = [17, 48, 49, 101];

/// A folder with an input of 120 lines, of which four are needed, and a test that takes `seconds` besides.
fn folder(seconds: &str) -> Folder {
    let lines: String = (0..120).map(|line| format!("line {line} of the input\n")).collect();
    let needed: Vec<String> = NEEDED.iter().map(|line| format!("grep -q 'line {line} of' \"$1\"")).collect();
    Folder::new(&format!("sleep {seconds}; {}", needed.join(" && ")), "bug.txt", lines)
}

/// A command for `--workers` that runs `before` first. The numbers of its processes go to the file `workers`.
fn worker(folder: &Folder, name: &str, before: &str, options: &str) -> String {
    let (pids, whittle) = (folder.path("workers"), env!("CARGO_BIN_EXE_whittle"));
    let script = format!("{before}\necho $$ >> {}\nexec {whittle} worker --stdio {options}", pids.display());
    folder.script(name, &script);
    format!("./{name}")
}

fn worker_processes(folder: &Folder) -> Vec<String> {
    let pids = fs::read_to_string(folder.path("workers")).unwrap_or_default();
    pids.lines().map(str::to_owned).collect()
}

fn signal(signal: &str, process: &str) {
    assert!(Command::new("kill").args([signal, process]).status().unwrap().success());
}

const REDUCE: [&str; 6] = ["test.sh", "bug.txt", "-u", "line", "--force", "-j1"];

/// Reduces with these options besides.
fn reduce(folder: &Folder, options: &[&str]) -> Ran {
    let ran = folder.whittle_words(REDUCE.iter().chain(options).copied());
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    ran
}

/// What a single machine makes of it.
fn alone(folder: &Folder) -> (String, String) {
    let ran = reduce(folder, &[]);
    let kept: Vec<String> = NEEDED.iter().map(|line| format!("line {line} of the input\n")).collect();
    assert_eq!(folder.text("bug.reduced.txt"), kept.concat());
    (folder.text("bug.reduced.txt"), ran.counted().to_owned())
}

/// Reduces with these options, lets `meanwhile` happen, and expects what one machine makes of it.
fn expect_the_same(folder: &Folder, options: &[&str], meanwhile: impl FnOnce()) -> Ran {
    let (bytes, counted) = alone(folder);
    let child = folder.command(REDUCE.iter().chain(options).copied()).spawn().unwrap();
    meanwhile();
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!((folder.text("bug.reduced.txt"), ran.counted().to_owned()), (bytes, counted), "{}", ran.stderr);
    folder.assert_nothing_left();
    ran
}

fn wait_for_workers(folder: &Folder, count: usize) {
    wait_until("workers are there", || worker_processes(folder).len() >= count);
}

#[test]
fn the_result_and_the_counted_tests_are_those_of_one_machine() {
    let folder = folder("0");
    let two = worker(&folder, "two.sh", "", "-j 2");
    let one = worker(&folder, "one.sh", "", "-j 1");
    for options in [
        &["--workers", &one][..],
        &["--workers", &two, "--workers", &one],
        &["--workers", &two, "--workers", &two, "--workers", &one],
        &["--workers", &two, "--workers-only"],
        &["--workers", &one, "--workers", &two, "--workers-only"],
    ] {
        let ran = expect_the_same(&folder, options, || ());
        assert!(ran.stderr.contains("\nworkers: "), "{}", ran.stderr);
    }
}

#[test]
fn a_killed_worker_costs_only_time() {
    let folder = folder("0.05");
    let worker = worker(&folder, "worker.sh", "", "-j 2");
    let ran = expect_the_same(&folder, &["--workers", &worker, "--workers", &worker], || {
        wait_for_workers(&folder, 2);
        std::thread::sleep(Duration::from_millis(500));
        worker_processes(&folder).iter().take(2).for_each(|process| signal("-KILL", process));
    });
    assert!(ran.stderr.contains("worker ./worker.sh is lost: "), "{}", ran.stderr);
    assert!(worker_processes(&folder).len() > 2, "workers that were lost are called again");
}

#[test]
fn a_stopped_worker_costs_only_time() {
    let folder = folder("0.05");
    let worker = worker(&folder, "worker.sh", "", "-j 2");
    let ran = expect_the_same(&folder, &["--workers", &worker], || {
        wait_for_workers(&folder, 1);
        std::thread::sleep(Duration::from_millis(500));
        let process = &worker_processes(&folder)[0];
        signal("-STOP", process);
        std::thread::sleep(Duration::from_secs(11));
        // It may be gone: its client kills what it does not hear from.
        let _ = Command::new("kill").args(["-CONT", process]).output();
    });
    assert!(ran.stderr.contains("is lost: no answer for 10 s"), "{}", ran.stderr);
}

#[test]
fn a_worker_that_is_never_there_is_reported_once() {
    let folder = folder("0.01");
    folder.script("worker.sh", "echo no route to host >&2; exit 255");
    let ran = expect_the_same(&folder, &["--workers", "./worker.sh"], || ());
    assert_eq!(ran.stderr.matches("is lost: it does not answer: no route to host").count(), 1, "{}", ran.stderr);
    folder.script("worker.sh", "printf '\\005\\0\\0\\0\\0\\0\\0\\0hello'; cat > /dev/null");
    let ran = expect_the_same(&folder, &["--workers", "./worker.sh"], || ());
    assert!(ran.stderr.contains("is left out: it is no worker; it says: hello"), "{}", ran.stderr);
}

#[test]
fn a_worker_with_another_compiler_is_left_out_and_both_outputs_are_shown() {
    let folder = folder("0");
    for (path, answer) in [("a", "0"), ("b", "1")] {
        fs::create_dir(folder.path(path)).unwrap();
        folder.script(&format!("{path}/tool"), &format!("echo this is compiler {path}; exit {answer}"));
    }
    let script = folder.text("test.sh").replace("sleep 0;", "tool &&");
    folder.script("test.sh", &script);
    let put = |path: &str| format!("export PATH={}:$PATH", folder.path(path).display());
    let other = worker(&folder, "other.sh", &put("b"), "-j 1");
    let same = worker(&folder, "same.sh", &put("a"), "-j 1");
    let with_tool = |words: &[&str]| {
        let path = format!("{}:{}", folder.path("a").display(), std::env::var("PATH").unwrap());
        let mut command = folder.command(REDUCE.iter().chain(words).copied());
        let ran = Ran::from(command.env("PATH", path).output().unwrap());
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        (folder.text("bug.reduced.txt"), ran.counted().to_owned(), ran.stderr)
    };
    let (bytes, counted, _) = with_tool(&[]);
    let (many_bytes, many_counted, said) = with_tool(&["--workers", &other, "--workers", &same]);
    assert_eq!((many_bytes, many_counted), (bytes, counted));
    for part in [
        "worker ./other.sh is left out: its verdict on a candidate of ",
        "is not interesting, and here it is interesting\n  there: exit status 1\n    stdout: this is compiler b\n  here: exit \
         status 0\n    stdout: this is compiler a\n",
    ] {
        assert!(said.contains(part), "{said}");
    }
    assert!(!said.contains("same.sh is left out"), "{said}");
}

#[test]
fn a_worker_whose_verdicts_differ_on_small_candidates_is_left_out() {
    let folder = folder("0.05");
    // On the worker, small files are not interesting.
    let script = folder.text("test.sh");
    folder.script("test.sh", &format!("[ -z \"$STRICT\" ] || [ $(wc -l < \"$1\") -gt 100 ] || exit 1\n{script}"));
    let strict = worker(&folder, "strict.sh", "export STRICT=1", "-j 1");
    let ran = reduce(&folder, &["--workers", &strict]);
    assert!(ran.stderr.contains("strict.sh is left out"), "{}", ran.stderr);
}

#[test]
fn files_and_variables_go_to_workers() {
    let folder = folder("0");
    let script = "[ \"$MODE\" = strict ] && grep -q -f \"$(dirname \"$0\")/words.txt\" \"$1\"";
    folder.script("test.sh", script);
    fs::write(folder.path("words.txt"), "line 48 of\n").unwrap();
    let line = worker(&folder, "worker.sh", "unset MODE; cd /", "-j 1");
    let run = |words: &[&str]| {
        let mut command = folder.command(REDUCE.iter().chain(words).copied());
        Ran::from(command.env("MODE", "strict").output().unwrap())
    };
    let ran = run(&["--workers", &line, "--workers-only", "--with", "words.txt", "--with-env", "MODE"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(folder.text("bug.reduced.txt"), "line 48 of the input\n");
    let ran = run(&["--workers", &line, "--with", "words.txt"]);
    assert!(ran.stderr.contains("is left out: its verdict"), "{}", ran.stderr);
    folder.assert_nothing_left();
}

#[test]
fn a_command_line_finds_its_files_on_a_worker() {
    let folder = folder("0");
    folder.script("check.sh", "grep -q -f \"$2\" \"$1\"");
    fs::write(folder.path("words.txt"), "line 48 of\n").unwrap();
    let line = worker(&folder, "worker.sh", "cd /", "-j 1");
    let common = ["--run", "./check.sh {} {cwd}/words.txt", "bug.txt", "-u", "line", "-j1", "--workers-only"];
    let with = ["--workers", &line, "--with", "check.sh", "--with", "words.txt"];
    let ran = folder.whittle_words(common.iter().chain(&with).copied());
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(folder.text("bug.reduced.txt"), "line 48 of the input\n");
}

#[test]
fn a_client_cannot_lift_the_limits_of_a_worker() {
    let folder = folder("0");
    let worker = worker(&folder, "worker.sh", "", "-j 1 --max-timeout 2s --max-memory 1G");
    let said = |options: &[&str]| {
        let all: Vec<&str> = ["--workers", worker.as_str()].iter().chain(options).copied().collect();
        reduce(&folder, &all).stderr
    };
    let long = said(&["--timeout", "3s", "--memory-limit", "1G"]);
    assert!(long.contains("left out: a test may take 3 s, and this worker allows 2 s; see --timeout"), "{long}");
    let large = said(&["--timeout", "2s"]);
    assert!(large.contains("left out: this worker allows 1073741824 bytes of memory"), "{large}");
    assert!(!said(&["--timeout", "2s", "--memory-limit", "1G"]).contains("left out"));
}

#[test]
fn with_nobody_left_it_waits_or_this_machine_goes_on() {
    let folder = folder("0");
    let late = worker(&folder, "worker.sh", "[ -e there ] || exit 1", "-j 2");
    expect_the_same(&folder, &["--workers", &late], || ());
    let ran = expect_the_same(&folder, &["--workers", &late, "--workers-only"], || {
        std::thread::sleep(Duration::from_secs(2));
        fs::write(folder.path("there"), "").unwrap();
    });
    assert_eq!(ran.stderr.matches("waiting for workers: none is there").count(), 1, "{}", ran.stderr);
}

#[test]
fn nothing_is_left_when_the_client_is_killed() {
    let folder = folder("0.2");
    let worker = worker(&folder, "worker.sh", "", "-j 4");
    let words = ["--workers", &worker, "--workers", &worker];
    let mut child = folder.command(REDUCE.iter().chain(&words).copied()).spawn().unwrap();
    wait_for_workers(&folder, 2);
    std::thread::sleep(Duration::from_secs(1));
    child.kill().unwrap();
    child.wait().unwrap();
    let began = Instant::now();
    folder.assert_nothing_left();
    assert!(began.elapsed() < Duration::from_secs(20), "it took {:?}", began.elapsed());
}

#[test]
fn sixty_four_workers_share_a_test_that_sleeps() {
    let folder = folder("0.3");
    let worker = worker(&folder, "worker.sh", "", "-j 1");
    let words: Vec<&str> = (0..64).flat_map(|_| ["--workers", worker.as_str()]).collect();
    let ran = expect_the_same(&folder, &words, || ());
    assert!(ran.stderr.contains(" on 1 machine, up to "), "{}", ran.stderr);
}

#[test]
fn arguments_that_make_no_sense_are_refused() {
    let folder = folder("0");
    for (options, problem) in [
        (&["--workers", "./missing.sh"][..], "--workers: "),
        (&["--workers", "cat", "--with", "missing.txt"], "--with missing.txt is not a file"),
        (&["--workers-only"], "--workers <ADDRESS>"),
    ] {
        let ran = folder.whittle_words(REDUCE.iter().chain(options).copied());
        assert!(ran.status == Some(2) && ran.stderr.contains(problem), "{}", ran.stderr);
    }
}

mod needs_mount {
    use super::*;

    #[test]
    #[ignore = "needs root, to mount a small disk"]
    fn a_worker_with_a_full_disk_costs_only_time() {
        let folder = folder("0.01");
        let disk = folder.path("disk");
        fs::create_dir(&disk).unwrap();
        let mount = ["-t", "tmpfs", "-o", "size=64k", "tmpfs"];
        assert!(Command::new("mount").args(mount).arg(&disk).status().unwrap().success());
        fs::write(disk.join("ballast"), vec![0; 40 << 10]).unwrap();
        let full = worker(&folder, "full.sh", "", &format!("-j 2 --scratch {}", disk.display()));
        let well = worker(&folder, "well.sh", "", "-j 1");
        let ran = expect_the_same(&folder, &["--workers", &full, "--workers", &well], || {
            wait_for_workers(&folder, 2);
            // What is left of it goes to a file that fills it for good.
            let _ = fs::write(disk.join("more"), vec![0; 64 << 10]);
        });
        let unmounted = Command::new("umount").arg(&disk).status().unwrap().success();
        assert!(unmounted && ran.stderr.contains("full.sh is "), "{}", ran.stderr);
    }
}
