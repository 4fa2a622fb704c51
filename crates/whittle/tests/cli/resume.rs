//! A run that was stopped or killed goes on where it was, and tests nothing twice.

use std::collections::HashMap;
use std::fs;

use crate::bench_folder::{Folder, wait_until};

/// Writes down the content of each candidate when its test has ended, then needs the three lines with `keep`.
const SCRIPT: &str = "r=1; [ $(grep -c keep bug.txt) = 3 ] && r=0; sleep 0.002; \
                      md5sum < bug.txt >> \"$0.runs\"; exit $r";

fn lines() -> String {
    (0..90).map(|i| if i % 31 == 7 { format!("keep {i}\n") } else { format!("{i}\n") }).collect()
}

fn uninterrupted() -> String {
    let folder = Folder::new(SCRIPT, "bug.txt", lines());
    assert_eq!(folder.whittle("test.sh bug.txt -u line --jobs 1").status, Some(0));
    assert!(!folder.path("bug.reduced.txt.journal").exists(), "a normal end leaves no journal");
    folder.text("bug.reduced.txt")
}

/// How often each content was tested, for contents tested more than once.
fn repeated(folder: &Folder) -> HashMap<String, usize> {
    let mut times: HashMap<String, usize> = HashMap::new();
    for line in folder.text("test.sh.runs").lines() {
        *times.entry(line.to_owned()).or_default() += 1;
    }
    times.retain(|_, times| *times > 1);
    times
}

#[test]
fn a_killed_run_is_resumed_without_testing_anything_twice() {
    let expected = uninterrupted();
    for round in 0..8 {
        let folder = Folder::new(SCRIPT, "bug.txt", lines());
        let (jobs, jobs_later) = if round % 2 == 0 { (1, 1) } else { (2, 3) };
        let mut child = folder.start(&format!("test.sh bug.txt -u line --jobs {jobs}"));
        folder.wait_for_journal("bug.reduced.txt.journal");
        let runs = || fs::read_to_string(folder.path("test.sh.runs")).unwrap_or_default().lines().count();
        wait_until("some tests have been made", || runs() >= 5 + 3 * round);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(folder.path("bug.reduced.txt.journal").exists(), "it was at work in round {round}");
        folder.assert_nothing_left();
        let ran = folder.whittle(&format!("test.sh bug.txt -u line --jobs {jobs_later} --max-time 1h --resume"));
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        assert_eq!(folder.text("bug.reduced.txt"), expected);
        if jobs > 1 {
            // Tests that ran ahead may be cancelled after they have written their line, and are needed later all the same.
            continue;
        }
        // The input is confirmed at the start of both runs and the result at the end; a test whose end was written
        // down but whose verdict was on its way when the kill came is tested again.
        let mut excess: Vec<usize> = repeated(&folder).into_values().collect();
        excess.sort_unstable();
        assert!(excess.len() <= 2 + 1 && excess.iter().sum::<usize>() <= 4 + 2 + 2, "{excess:?}");
    }
}

#[test]
fn a_stopped_run_says_how_to_go_on_and_replays_every_verdict() {
    let expected = uninterrupted();
    for limit in [5, 20, 41] {
        let folder = Folder::new(SCRIPT, "bug.txt", lines());
        let ran = folder.whittle(&format!("test.sh bug.txt -u line --jobs 1 --max-tests {limit}"));
        assert_eq!(ran.status, Some(1), "{}", ran.stderr);
        assert!(ran.stderr.contains("with --resume to continue"), "{}", ran.stderr);
        let ran = folder.whittle("test.sh bug.txt -u line --jobs 1 --resume");
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        assert_eq!(folder.text("bug.reduced.txt"), expected);
        // Input: three runs at the first start, one at the second. The best of the stopped run: once more at its end,
        // and the result once more.
        assert!(repeated(&folder).len() <= 3, "{:?}", repeated(&folder));
    }
}

#[test]
fn a_resumed_run_never_replaces_a_result_by_a_larger_one() {
    let folder = Folder::new(SCRIPT, "bug.txt", lines());
    assert_eq!(folder.whittle("test.sh bug.txt -u line --max-tests 40 --jobs 1").status, Some(1));
    let before = folder.text("bug.reduced.txt");
    let ran = folder.whittle("test.sh bug.txt -u line --max-tests 3 --resume");
    assert_eq!(ran.status, Some(1), "{}", ran.stderr);
    assert_eq!(folder.text("bug.reduced.txt"), before);
    assert_eq!(folder.whittle("test.sh bug.txt -u line --resume").status, Some(0));
    assert_eq!(folder.text("bug.reduced.txt"), uninterrupted());
}

#[test]
fn a_journal_that_was_cut_anywhere_is_good_up_to_the_cut() {
    let expected = uninterrupted();
    let folder = Folder::new(SCRIPT, "bug.txt", lines());
    assert_eq!(folder.whittle("test.sh bug.txt -u line --max-tests 30 --jobs 1").status, Some(1));
    let whole = folder.read("bug.reduced.txt.journal");
    let header = whole.len() - whole.len() % 18 - 18 * 20;
    for cut in [whole.len() - 1, whole.len() - 17, whole.len() - 18, header.max(200)] {
        fs::write(folder.path("bug.reduced.txt.journal"), &whole[..cut]).unwrap();
        let ran = folder.whittle("test.sh bug.txt -u line --jobs 2 --resume");
        assert_eq!(ran.status, Some(0), "cut at {cut}: {}", ran.stderr);
        assert_eq!(folder.text("bug.reduced.txt"), expected, "cut at {cut}");
    }
}

#[test]
fn a_journal_of_something_else_is_refused() {
    let stopped = || {
        let folder = Folder::new(SCRIPT, "bug.txt", lines());
        assert_eq!(folder.whittle("test.sh bug.txt -u line --max-tests 9").status, Some(1));
        folder
    };
    let assert_refused = |folder: &Folder, options: &str, word: &str| {
        let ran = folder.whittle(&format!("test.sh bug.txt -u line --resume {options}"));
        assert_eq!(ran.status, Some(2), "{}", ran.stderr);
        assert!(ran.stderr.contains(word), "no {word:?} in: {}", ran.stderr);
    };
    let folder = stopped();
    fs::write(folder.path("bug.txt"), lines() + "more\n").unwrap();
    assert_refused(&folder, "", "another input");

    let folder = stopped();
    folder.script("test.sh", &format!("{SCRIPT} # changed"));
    assert_refused(&folder, "", "another test");
    let folder = Folder::new("", "bug.txt", lines());
    folder.script("prog", "[ $(grep -c keep \"$1\") = 3 ]");
    let run = |options: &[&str]| {
        folder.whittle_words(["--run", "./prog {}", "-u", "line", "bug.txt"].iter().chain(options).copied())
    };
    assert_eq!(run(&["--max-tests", "9"]).status, Some(1));
    folder.script("prog", "[ $(grep -c keep \"$1\") = 2 ]");
    let ran = run(&["--resume"]);
    assert_eq!(ran.status, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("another test"), "{}", ran.stderr);
    assert_refused(&stopped(), "--exit 0 --not-stdout x", "another conditions");
    assert_refused(&stopped(), "--repeat 2", "another repeat");

    let folder = stopped();
    fs::write(folder.path("bug.reduced.txt.journal"), "something else").unwrap();
    assert_refused(&folder, "", "not a journal");
}

#[test]
fn a_run_that_does_not_resume_says_that_it_could_have() {
    let folder = Folder::new(SCRIPT, "bug.txt", lines());
    assert_eq!(folder.whittle("test.sh bug.txt -u line --max-tests 9").status, Some(1));
    let ran = folder.whittle("test.sh bug.txt -u line --max-tests 9");
    assert!(ran.stderr.contains("could have been resumed"), "{}", ran.stderr);
}

#[test]
fn without_a_journal_a_run_starts_afresh_and_says_so() {
    let folder = Folder::new("grep -q keep bug.txt", "bug.txt", "1\nkeep\n");
    let ran = folder.whittle("test.sh bug.txt --resume");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("nothing to resume"), "{}", ran.stderr);
}
