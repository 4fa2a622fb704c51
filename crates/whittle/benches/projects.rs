//! What a test of a project costs outside of the test: laying the files, and undoing what the last test did.
//!
//! The property is `true`, which does nothing. Of each candidate, one file has changed. The table has the time of a test
//! in a folder of one file, and in projects of many; only the differences between rows of one run say anything. The largest
//! project has as many files and bytes as the documentation promises. It is also reduced to a needle.
//! `cargo bench -p whittle --bench projects`

#![allow(clippy::print_stdout, reason = "the figures are what this program is for")]

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use whittle::Reduction;
use whittle::property::{CommandProperty, Constants, Target, TestCommand};
use whittle::reduction::Input;
use whittle::search::{Cancel, Candidate, Property, Verdict};

/// Files and megabytes.
const SIZES: [(usize, usize); 4] = [(1, 0), (100, 1), (2_000, 50), (10_000, 500)];

/// The same for `cargo test`, which only sees that this program runs.
const SIZES_IN_TESTS: [(usize, usize); 2] = [(1, 0), (20, 1)];

/// Tests a row; the median is printed, because the machine does other things too.
const TESTS: usize = 51;

fn main() -> Result<()> {
    whittle::init();
    let is_test = !std::env::args().any(|flag| flag == "--bench");
    let sizes = if is_test { &SIZES_IN_TESTS[..] } else { &SIZES[..] };
    println!("| files | MB | first test, ms | a test, ms | more than one file, ms | to a needle: tests | s |");
    println!("|--:|--:|--:|--:|--:|--:|--:|");
    let mut single = None;
    for &(files, megabytes) in sizes {
        let project = project(files, megabytes << 20);
        let (first, median) = cost(&project)?;
        let single = *single.get_or_insert(median);
        let (tests, seconds) = reduce(project)?;
        let millis = |time: Duration| time.as_secs_f64() * 1e3;
        let more = millis(median) - millis(single);
        println!(
            "| {files} | {megabytes} | {:.1} | {:.1} | {more:.1} | {tests} | {seconds:.1} |",
            millis(first),
            millis(median)
        );
    }
    Ok(())
}

/// A project of so many files in folders of twenty, with a needle in one of them.
fn project(files: usize, bytes: usize) -> Candidate {
    let line = "int variable = 1;\n";
    let text = |file: usize| {
        let mut text = line.repeat(bytes / files / line.len());
        if file == files / 3 {
            text.push_str("needle\n");
        }
        text.into_bytes()
    };
    Candidate::from_files((0..files).map(|file| (format!("folder{}/file{file}.txt", file / 20), text(file))))
}

/// How long the first test takes, and the median of the next.
fn cost(project: &Candidate) -> Result<(Duration, Duration)> {
    let mut command = TestCommand::line("true")?;
    command.criteria.target = Target::Folder;
    let constants = Constants { timeout: Duration::from_secs(60), ..Constants::default() };
    let property = CommandProperty::new(command.start(project.byte_count(), 1)?, constants, 1);
    let test = |candidate: &Candidate| -> Result<Duration> {
        let began = Instant::now();
        let tested = property.test(candidate, &Cancel::new())?;
        ensure!(tested.verdict == Verdict::Interesting, "`true` fails");
        Ok(began.elapsed())
    };
    let first = test(project)?;
    // Files that were written a moment ago are compared by content: that is not the usual case.
    std::thread::sleep(Duration::from_millis(100));
    test(project)?;
    let mut times = Vec::new();
    for number in 0..TESTS {
        let place = number * 7 % project.files().len();
        times.push(test(&project.with_bytes(place, format!("{number}\n").into_bytes()))?);
    }
    times.sort();
    Ok((first, times[TESTS / 2]))
}

/// How many tests and seconds it takes to find the needle.
fn reduce(project: Candidate) -> Result<(u64, f64)> {
    let has_needle = |candidate: &Candidate| {
        let has = |bytes: &[u8]| bytes.windows(6).any(|text| text == b"needle");
        let is_there = candidate.files().iter().any(|file| has(file.bytes()));
        if is_there { Verdict::Interesting } else { Verdict::Uninteresting }
    };
    let outcome = Reduction::graded(Input::from(project), has_needle).run()?;
    let left = &outcome.best.candidate;
    ensure!(left.files().len() == 1 && left.byte_count() < 8, "{left:?}");
    Ok((outcome.tally.tests, outcome.elapsed.as_secs_f64()))
}
