//! What large inputs cost: processor time per megabyte, tests and peak memory of whole reductions.
//!
//! - *needles*: generated programs of 1 KB to 100 MB, of which two words matter, far apart;
//! - *nesting*: 100,000 levels of brackets, of which the innermost word matters;
//! - *long*: one name or string of a megabyte, of which four characters matter;
//! - *header*: `#include <bits/stdc++.h>` preprocessed, with ten lines of program, of which one expression matters to
//!   `g++ -fsyntax-only`. Only if it is asked for: it takes long.
//!
//! Whittle starts with what the words of the test name. In *hidden* cases, the test reads the words from a file, so that it
//! cannot know them.
//!
//! The property is a program in C that looks for the words, so a test costs a process and a read of the file. Every row
//! runs in a process of its own, with one worker. *CPU* is the time of that process without its tests. Times grow by
//! *exponent*: 1 is linear.
//!
//! `cargo bench --bench scale -- needles c python` takes some kinds and some languages only.

#![allow(clippy::print_stdout, reason = "the figures are what this program is for")]

#[path = "scale/inputs.rs"]
mod inputs;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use nix::sys::resource::{Usage, UsageWho, getrusage};
use serde::{Deserialize, Serialize};
use whittle::search::Event;
use whittle::{Input, Reduction, TestCommand};

use inputs::{Case, Kind};

/// Looks for all words on its command line in the file that comes first. A word that begins with `@` is a file of words.
const PROPERTY: &str = r#"
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int count, char **words) {
    static char read[16][64], *found[18];
    if (count == 3 && words[2][0] == '@') {
        FILE *list = fopen(words[2] + 1, "r");
        if (!list) return 2;
        found[1] = words[1];
        for (count = 2; count < 18 && fscanf(list, "%63s", read[count - 2]) == 1; count++) found[count] = read[count - 2];
        words = found;
    }
    FILE *file = fopen(words[1], "rb");
    if (!file) return 2;
    fseek(file, 0, SEEK_END);
    size_t length = ftell(file);
    rewind(file);
    char *text = malloc(length + 1);
    if (fread(text, 1, length, file) != length) return 2;
    char *at = text;
    for (int word = 2; word < count; word++) {
        at = memmem(at, text + length - at, words[word], strlen(words[word]));
        if (!at) return 1;
        at += strlen(words[word]);
    }
    return 0;
}
"#;

/// The sizes of *needles*, in bytes.
const SIZES: [usize; 8] = [1 << 10, 1 << 14, 1 << 18, 1 << 20, 1 << 22, 1 << 24, 1 << 25, 100 << 20];
/// The sizes of those whose words are hidden.
const HIDDEN: [usize; 4] = [1 << 20, 1 << 22, 1 << 24, 1 << 25];
const LEVELS: usize = 100_000;
const LONG: usize = 1 << 20;
/// As much as `cargo test` needs to see that this program runs.
const SIZE_IN_TESTS: usize = 1 << 10;

/// A row of the table.
#[derive(Serialize, Deserialize)]
struct Row {
    bytes: usize,
    tests: u64,
    cpu: f64,
    wall: f64,
    in_tests: f64,
    peak: usize,
    left: usize,
    /// Tests until 5% of the tokens, and until 500 of them, were left.
    milestones: [Option<u64>; 2],
}

fn main() -> Result<()> {
    whittle::init();
    let (flags, words): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|word| word.starts_with('-'));
    if let [first, case, folder] = &words[..]
        && first == "row"
    {
        let row = measure(&serde_json::from_str(case)?, Path::new(folder))?;
        println!("{}", serde_json::to_string(&row)?);
        return Ok(());
    }
    let is_test = !flags.iter().any(|flag| flag == "--bench");
    let folder = tempfile::tempdir()?;
    compile(folder.path())?;
    println!("| case | MB | tests | CPU s | CPU s per MB | exponent | wall s | in tests | peak MB | bytes left |");
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    for cases in series(is_test).into_iter().filter(|cases| cases[0].is_chosen(&words)) {
        let mut last: Option<Row> = None;
        for case in cases {
            let row = in_own_process(&case, folder.path())?;
            print_row(&case, &row, last.as_ref());
            last = Some(row);
        }
    }
    Ok(())
}

/// The cases, those of one language by size.
fn series(is_test: bool) -> Vec<Vec<Case>> {
    let sizes = if is_test { &[SIZE_IN_TESTS][..] } else { &SIZES[..] };
    let levels = if is_test { SIZE_IN_TESTS } else { LEVELS };
    let long = if is_test { SIZE_IN_TESTS } else { LONG };
    let hidden_sizes = if is_test { sizes } else { &HIDDEN[..] };
    let case = |kind: Kind, language: &str, size: usize| Case { kind, language: language.to_owned(), size };
    let by_size =
        |language: &str, sizes: &[usize]| sizes.iter().map(|&size| case(Kind::Needles, language, size)).collect();
    let needles = inputs::LANGUAGES.map(|language| by_size(language, sizes));
    let nesting = inputs::NESTED.map(|name| vec![case(Kind::Nesting, name, levels)]);
    let long = inputs::LONG.map(|name| vec![case(Kind::Long, name, long)]);
    let hidden = inputs::LANGUAGES.map(|language| by_size(&format!("{language} hidden"), hidden_sizes));
    let header = ["cpp", "cpp hidden"].map(|name| vec![case(Kind::Header, name, 0)]);
    needles.into_iter().chain(hidden).chain(nesting).chain(long).chain(header).collect()
}

fn in_own_process(case: &Case, folder: &Path) -> Result<Row> {
    let case = serde_json::to_string(case)?;
    let output = Command::new(std::env::current_exe()?).arg("row").arg(&case).arg(folder).output()?;
    ensure!(output.status.success(), "{case}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(serde_json::from_slice(&output.stdout)?)
}

fn print_row(case: &Case, row: &Row, last: Option<&Row>) {
    let megabytes = row.bytes as f64 / f64::from(1 << 20);
    let exponent = |last: &Row| (row.cpu / last.cpu).log(row.bytes as f64 / last.bytes as f64);
    println!(
        "| {} | {megabytes:.2} | {} | {:.2} | {:.2} | {} | {:.2} | {:.0}% | {} | {} |",
        case.name(),
        row.tests,
        row.cpu,
        row.cpu / megabytes,
        last.map_or(String::new(), |last| format!("{:.2}", exponent(last))),
        row.wall,
        100.0 * row.in_tests / row.wall,
        row.peak >> 10,
        row.left,
    );
    if case.kind == Kind::Header {
        println!("\nTests until 5% of the tokens and until 500 tokens were left: {:?}", row.milestones);
    }
}

fn compile(folder: &Path) -> Result<()> {
    let source = folder.join("property.c");
    std::fs::write(&source, PROPERTY)?;
    let status = Command::new("cc").arg("-O2").arg("-o").arg(property(folder)).arg(&source).status();
    ensure!(status.context("the C compiler cc")?.success(), "cc could not compile the property");
    Ok(())
}

fn property(folder: &Path) -> PathBuf {
    folder.join("property")
}

/// Reduces a case in this process.
fn measure(case: &Case, folder: &Path) -> Result<Row> {
    let (name, text, words) = case.input(folder)?;
    let bytes = text.len();
    let list = folder.join("words");
    std::fs::write(&list, words.join("\n"))?;
    let line = match (case.kind, case.is_hidden()) {
        (Kind::Header, false) => format!("sh -c 'grep -q {} \"$0\" && g++ -fsyntax-only -w \"$0\"' {{}}", words[0]),
        (Kind::Header, true) => {
            format!("sh -c 'grep -qf {} \"$0\" && g++ -fsyntax-only -w \"$0\"' {{}}", list.display())
        }
        (_, false) => format!("{} {{}} {}", property(folder).display(), words.join(" ")),
        (_, true) => format!("{} {{}} @{}", property(folder).display(), list.display()),
    };
    let mut command = TestCommand::line(&line)?;
    command.timeout = Some(Duration::from_secs(60));
    let milestones = std::rc::Rc::new(std::cell::Cell::new([None; 2]));
    let seen = std::rc::Rc::clone(&milestones);
    let mut started_with = None;
    let began = Instant::now();
    let outcome = Reduction::by_command(Input::new(name, text), command)
        .jobs(1)
        .check_up_to(1 << 16)
        .on_event(move |event, moment| {
            let tokens = moment.best.size.units;
            let all = *started_with.get_or_insert(tokens);
            if matches!(event, Event::Improved) {
                let [mut few, mut fewer] = seen.get();
                if tokens * 20 < all {
                    few = few.or(Some(moment.tally.tests));
                }
                if tokens < 500 {
                    fewer = fewer.or(Some(moment.tally.tests));
                }
                seen.set([few, fewer]);
            }
        })
        .run()?;
    let wall = began.elapsed();
    let usage = getrusage(UsageWho::RUSAGE_SELF)?;
    ensure!(outcome.end.is_complete(), "{}", outcome.end);
    if let Some(word) = words.iter().find(|word| !contains(outcome.bytes(), word.as_bytes())) {
        bail!("{word} is not in the result");
    }
    Ok(Row {
        bytes,
        tests: outcome.tally.tests,
        cpu: seconds(&usage),
        wall: wall.as_secs_f64(),
        in_tests: outcome.tally.property_time.as_secs_f64(),
        peak: usage.max_rss() as usize,
        left: outcome.bytes().len(),
        milestones: milestones.get(),
    })
}

fn seconds(usage: &Usage) -> f64 {
    let time = usage.user_time() + usage.system_time();
    time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6
}

fn contains(text: &[u8], word: &[u8]) -> bool {
    text.windows(word.len()).any(|window| window == word)
}
