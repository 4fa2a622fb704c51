//! Reductions on several machines, which are processes here. Whatever happens to workers, the result and the counted tests are
//! those of one machine, and nothing is left.

use std::fs;
use std::io::BufRead;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::bench_folder::{Folder, Ran, wait_until};
use crate::fleet::{self, REDUCE};

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

/// Reduces with these options besides.
fn reduce(folder: &Folder, options: &[&str]) -> Ran {
    let ran = folder.whittle_words(REDUCE.iter().chain(options).copied());
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    ran
}

/// Reduces with these options, lets `meanwhile` happen, and expects what one machine makes of it, and that nothing is left.
fn expect_the_same(folder: &Folder, options: &[&str], meanwhile: impl FnOnce()) -> Ran {
    let ran = fleet::expect_the_same(folder, options, meanwhile);
    folder.assert_nothing_left();
    ran
}

fn wait_for_workers(folder: &Folder, count: usize) {
    wait_until("workers are there", || worker_processes(folder).len() >= count);
}

/// Lets tests on workers leave a mark. What is done to a worker then is done to one that has joined.
fn mark_tests_on_workers(folder: &Folder) {
    let script = folder.text("test.sh");
    let mark = format!("[ -z \"$WORKER\" ] || echo $WORKER >> {}", folder.path("served").display());
    folder.script("test.sh", &format!("{mark}\n{script}"));
}

/// Waits until `count` workers have tested something after the two checks.
fn wait_until_served(folder: &Folder, count: usize) {
    wait_until("workers run tests", || {
        let served = fs::read_to_string(folder.path("served")).unwrap_or_default();
        let has_joined = |process: &&String| served.lines().filter(|line| line == process).count() > 2;
        worker_processes(folder).iter().filter(has_joined).count() >= count
    });
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
        let kept: Vec<String> = NEEDED.iter().map(|line| format!("line {line} of the input\n")).collect();
        assert_eq!(folder.text("bug.reduced.txt"), kept.concat());
    }
}

#[test]
fn a_killed_worker_costs_only_time() {
    let folder = folder("0.05");
    mark_tests_on_workers(&folder);
    let worker = worker(&folder, "worker.sh", "export WORKER=$$", "-j 2");
    let ran = expect_the_same(&folder, &["--workers", &worker, "--workers", &worker, "--workers-only"], || {
        wait_until_served(&folder, 2);
        worker_processes(&folder).iter().take(2).for_each(|process| signal("-KILL", process));
    });
    assert!(ran.stderr.contains("worker ./worker.sh is lost: "), "{}", ran.stderr);
    assert!(worker_processes(&folder).len() > 2, "workers that were lost are called again");
}

#[test]
fn a_stopped_worker_costs_only_time() {
    let folder = folder("0.05");
    mark_tests_on_workers(&folder);
    let worker = worker(&folder, "worker.sh", "export WORKER=$$", "-j 2");
    // This machine does not finish alone meanwhile.
    let ran = expect_the_same(&folder, &["--workers", &worker, "--workers-only"], || {
        wait_until_served(&folder, 1);
        let process = &worker_processes(&folder)[0];
        signal("-STOP", process);
        std::thread::sleep(Duration::from_secs(11));
        // It may be gone: its client kills what it does not hear from.
        let _ = Command::new("kill").args(["-CONT", process]).output();
    });
    assert!(ran.stderr.contains("is lost: no answer for 10 s"), "{}", ran.stderr);
}

#[test]
fn an_input_that_takes_longer_than_a_silence_to_arrive_arrives() {
    let lines: String = (0..80).map(|line| format!("line {line} of {}\n", "x".repeat(8000))).collect();
    let folder = Folder::new("grep -q 'line 48 of' \"$1\"", "bug.txt", lines);
    // 640 KB at 32 KB a second.
    let throttle = "import os, sys, time
while block := os.read(0, 16384):
    sys.stdout.buffer.write(block)
    sys.stdout.flush()
    time.sleep(len(block) / 32768)";
    fs::write(folder.path("throttle.py"), throttle).unwrap();
    let whittle = env!("CARGO_BIN_EXE_whittle");
    folder.script("worker.sh", &format!("python3 throttle.py | {whittle} worker --stdio -j 2"));
    let ran = expect_the_same(&folder, &["--workers", "./worker.sh", "--workers-only"], || ());
    assert!(!ran.stderr.contains("is lost"), "{}", ran.stderr);
}

#[test]
fn a_test_that_ends_every_worker_runs_here() {
    let folder = folder("0");
    // The first candidate after the checks ends each worker that tests it.
    let script = folder.text("test.sh");
    let first = folder.path("first").display().to_string();
    let trap = format!(
        "if [ -n \"$WORKER\" ] && [ -s \"$1\" ] && ! cmp -s \"$1\" {}; then\nmkdir {first}.lock && cp \"$1\" {first}\n\
         cmp -s \"$1\" {first} && kill -KILL $WORKER\nfi 2> /dev/null",
        folder.path("bug.txt").display()
    );
    folder.script("test.sh", &format!("{trap}\n{script}"));
    let line = worker(&folder, "worker.sh", "export WORKER=$$", "-j 1");
    let words: Vec<&str> = (0..8).flat_map(|_| ["--workers", line.as_str()]).chain(["--workers-only"]).collect();
    expect_the_same(&folder, &words, || ());
    assert!(worker_processes(&folder).len() >= 8);
}

#[test]
fn a_worker_that_is_never_there_is_reported_once() {
    let folder = folder("0.01");
    folder.script("worker.sh", "echo no route to host >&2; exit 255");
    let ran = expect_the_same(&folder, &["--workers", "./worker.sh"], || ());
    assert_eq!(ran.stderr.matches("is lost: it does not answer: no route to host").count(), 1, "{}", ran.stderr);
    folder.script("worker.sh", "printf '\\005\\0\\0\\0\\0\\0\\0\\0hello'; cat > /dev/null");
    let ran = expect_the_same(&folder, &["--workers", "./worker.sh"], || ());
    assert!(ran.stderr.contains("is left out: it is not a Whittle worker; it printed: hello"), "{}", ran.stderr);
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

/// Workers that differ from this machine about some candidates, which does not show at the start.
fn expect_the_same_despite(difference: &str) {
    let folder = folder("0.02");
    let script = folder.text("test.sh");
    folder.script("test.sh", &format!("lines=$(wc -l < \"$1\")\n[ -z \"$ODD\" ] || {difference}\n{script}"));
    let odd = worker(&folder, "odd.sh", "export ODD=1", "-j 2");
    let even = worker(&folder, "even.sh", "", "-j 1");
    for options in [
        &["--workers", &odd][..],
        &["--workers", &odd, "--workers", &even],
        &["--workers", &odd, "--workers", &odd, "--workers", &even, "--workers-only"],
    ] {
        let ran = expect_the_same(&folder, options, || ());
        assert!(ran.stderr.contains("odd.sh is left out: its verdict"), "{}", ran.stderr);
        assert!(!ran.stderr.contains("even.sh is left out"), "{}", ran.stderr);
        let is_withdrawn = ran.stderr.contains(" withdrawn\n");
        assert_eq!(ran.stderr.contains("starting over without"), is_withdrawn, "{}", ran.stderr);
    }
}

#[test]
fn a_worker_that_finds_no_small_candidate_interesting_leaves_no_trace() {
    expect_the_same_despite("[ $lines -gt 40 ] || exit 1");
}

#[test]
fn a_worker_that_finds_every_small_candidate_interesting_leaves_no_trace() {
    expect_the_same_despite("[ $lines -gt 40 ] || [ $lines = 0 ] || exit 0");
}

#[test]
fn a_worker_that_finds_only_the_input_interesting_leaves_no_trace() {
    expect_the_same_despite("[ $lines = 120 ] || exit 1");
}

#[test]
fn a_worker_that_finds_only_the_empty_file_interesting_too_leaves_no_trace() {
    expect_the_same_despite("[ $lines -gt 0 ] || exit 0");
}

#[test]
fn wrong_verdicts_are_not_resumed() {
    let (alone, folder) = (folder("0"), folder("0.05"));
    let counted = reduce(&alone, &[]).counted().to_owned();
    let script = folder.text("test.sh");
    folder.script("test.sh", &format!("[ -z \"$ODD\" ] || [ $(wc -l < \"$1\") = 120 ] || exit 1\n{script}"));
    let odd = worker(&folder, "odd.sh", "export ODD=1", "-j 4");
    let plain = || REDUCE.iter().copied().filter(|word| *word != "--force");
    let mut child =
        folder.command(plain().chain(["--workers", &odd])).stderr(std::process::Stdio::piped()).spawn().unwrap();
    // It is killed after it has found out, and before it ends.
    let mut said = std::io::BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(said.any(|line| line.unwrap().starts_with("starting over without")));
    child.kill().unwrap();
    child.wait().unwrap();
    folder.assert_nothing_left();
    assert!(folder.path("bug.reduced.txt.journal").exists(), "it was at work");
    let ran = folder.whittle_words(plain().chain(["--resume"]));
    assert_eq!(folder.text("bug.reduced.txt"), alone.text("bug.reduced.txt"), "{}", ran.stderr);
    assert_eq!(ran.counted(), counted, "{}", ran.stderr);
    assert!(!ran.stderr.contains("nothing to resume"), "{}", ran.stderr);
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
fn tests_do_not_see_the_secrets_of_clients_and_workers() {
    let folder = folder("0");
    // Interesting as long as no secret is there, on either machine.
    folder.script("test.sh", "! env | grep -q '^WHITTLE_NATS_' && grep -q 'line 48 of' \"$1\"");
    let line = worker(&folder, "worker.sh", "", "-j 1");
    for options in [&[][..], &["--workers", &line, "--workers-only"]] {
        let mut command = folder.command(REDUCE.iter().chain(options).copied());
        command.envs([("WHITTLE_NATS_TOKEN", "secret"), ("WHITTLE_NATS_PASSWORD_FILE", "secret")]);
        let ran = Ran::from(command.output().unwrap());
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        assert!(!ran.stderr.contains("left out"), "{}", ran.stderr);
    }
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
    assert!(large.contains("left out: this worker allows no more memory than --memory-limit 1G"), "{large}");
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
fn with_workers_only_a_run_whose_workers_are_all_left_out_ends_and_says_why() {
    let folder = folder("0");
    let worker = worker(&folder, "worker.sh", "", "-j 1 --max-memory 1G");
    let reason = "worker ./worker.sh is left out: this worker allows no more memory than --memory-limit 1G";
    let problem = "every worker was left out, and --workers-only keeps tests off this machine";
    for (option, parts) in [("--quiet", &[reason][..]), ("--verbose", &[reason, problem])] {
        let options = ["--workers", worker.as_str(), "--workers-only", option];
        let ran = folder.whittle_words(REDUCE.iter().chain(&options).copied());
        assert!(ran.status != Some(0), "{}", ran.stderr);
        assert!(parts.iter().all(|part| ran.stderr.contains(part)), "{}", ran.stderr);
    }
}

#[test]
fn with_workers_only_a_run_that_reaches_nobody_ends_and_says_why() {
    let folder = folder("0");
    folder.script("worker.sh", "echo no route to host >&2; exit 255");
    let options = ["--workers", "./worker.sh", "--workers", "nats://127.0.0.1:1/g", "--workers-only"];
    let began = Instant::now();
    let ran = folder.whittle_words(REDUCE.iter().chain(&options).copied());
    assert!(ran.status != Some(0) && began.elapsed() > Duration::from_secs(20), "{}", ran.stderr);
    for part in [
        "waiting for workers: none is there",
        "no worker can be reached, and --workers-only keeps tests off this machine: ./worker.sh: it does not answer: no route to \
         host; nats://127.0.0.1:1/g: ",
    ] {
        assert!(ran.stderr.contains(part), "{}", ran.stderr);
    }
}

#[test]
fn a_command_that_says_nothing_does_not_outlive_the_client() {
    let folder = folder("0");
    folder.script("worker.sh", &format!("echo $$ >> {}; exec sleep 100", folder.path("workers").display()));
    let ran = expect_the_same(&folder, &["--workers", "./worker.sh"], || ());
    assert!(!ran.stderr.contains("left out"), "{}", ran.stderr);
    for process in worker_processes(&folder) {
        let is_there = Command::new("kill").args(["-0", &process]).output().unwrap().status.success();
        assert!(!is_there, "{process} is left");
    }
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
    // Some may come too late on a busy machine, but a run that ends before most have come shows nothing.
    let slots = ran.stderr.split(" on 1 machine, up to ").nth(1).and_then(|rest| rest.split(' ').next()?.parse().ok());
    assert!(slots.is_some_and(|slots: usize| (8..=64).contains(&slots)), "{}", ran.stderr);
}

#[test]
fn arguments_that_make_no_sense_are_refused() {
    let folder = folder("0");
    fs::File::create(folder.path("large.bin")).unwrap().set_len((1 << 30) + 1).unwrap();
    for (options, problem) in [
        (&["--workers", "./missing.sh"][..], "--workers: "),
        (
            &["--workers", "cat", "--with", "large.bin"],
            "the files of --with have 1,073,741,825 bytes, and workers take at most 1,073,741,824",
        ),
        (&["--workers", "cat", "--with", "missing.txt"], "--with missing.txt is not a file"),
        (&["--workers", "cat", "--with-env", "WHITTLE_UNSET"], "--with-env WHITTLE_UNSET is not set"),
        (&["--workers-only"], "--workers <ADDRESS>"),
    ] {
        let ran = folder.whittle_words(REDUCE.iter().chain(options).copied());
        assert!(ran.status == Some(2) && ran.stderr.contains(problem), "{}", ran.stderr);
    }
}

#[test]
fn a_secret_that_cannot_be_read_is_refused_at_once() {
    let folder = folder("0");
    let client = ["test.sh", "bug.txt", "--workers", "nats://127.0.0.1:1/g"];
    let worker = ["worker", "--connect", "nats://127.0.0.1:1", "--group", "g"];
    for words in [&client[..], &worker] {
        for variable in ["WHITTLE_NATS_TOKEN_FILE", "WHITTLE_NATS_CA_FILE"] {
            let mut command = folder.command(words.iter().copied());
            let ran = Ran::from(command.env(variable, "missing.txt").output().unwrap());
            let problem = format!("{variable}: missing.txt: ");
            assert!(ran.status == Some(2) && ran.stderr.contains(&problem), "{}", ran.stderr);
        }
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
