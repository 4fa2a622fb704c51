//! Which odd shapes of text end in time, with a property that costs nothing.
//!
//! Each shape of `tests/library/odd.rs` is reduced in each language (`none`: in no language), in a process of its own, since
//! some might overflow the stack or take too long. Prints seconds, processor time, counted tests and sizes of those that do
//! not end in time, and of all others with `all`.
//!
//! Arguments: languages; `bytes=200000`, the size of each shape; `seconds=25`, the limit; `half`, if half of the text has
//! to stay; `shape=WORDS`, only shapes whose names contain that: `cargo bench -p whittle --bench shapes -- c css half`.

#![allow(clippy::print_stdout, reason = "the figures are what this program is for")]

#[path = "../tests/library/odd.rs"]
mod odd;

use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use whittle::languages::Language;

use odd::{SHAPES, Wanted, reduce};

/// How much longer a process may take than its reduction, which looks at the clock between tests only.
const GRACE: Duration = Duration::from_secs(5);

/// What the arguments ask for.
struct Asked {
    bytes: usize,
    limit: Duration,
    wanted: Wanted,
    shape: String,
    all: bool,
    languages: Vec<String>,
}

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    if let [one, language, shape, bytes, seconds, half] = words.as_slice()
        && one == "one"
    {
        return reduce_one(language, shape, bytes.parse()?, seconds.parse()?, half == "half");
    }
    let asked = Asked::from(&words)?;
    for language in &asked.languages {
        for (shape, _) in SHAPES.iter().filter(|(shape, _)| shape.contains(&asked.shape)) {
            asked.try_one(language, shape)?;
        }
    }
    Ok(())
}

impl Asked {
    fn from(words: &[String]) -> Result<Self> {
        let is_test = cfg!(debug_assertions);
        let mut asked = Self {
            bytes: if is_test { 20 } else { 200_000 },
            limit: Duration::from_secs(25),
            wanted: Wanted::Mark,
            shape: String::new(),
            all: false,
            languages: Vec::new(),
        };
        for word in words {
            match word.split_once('=') {
                Some(("bytes", bytes)) => asked.bytes = bytes.parse()?,
                Some(("seconds", seconds)) => asked.limit = Duration::from_secs(seconds.parse()?),
                Some(("shape", shape)) => shape.clone_into(&mut asked.shape),
                Some(_) => bail!("unknown argument {word}"),
                None if word == "half" => asked.wanted = Wanted::MarkAndHalf,
                None if word == "all" => asked.all = true,
                None => asked.languages.push(word.clone()),
            }
        }
        if asked.languages.is_empty() {
            asked.languages = Language::all().iter().map(|language| language.name.to_owned()).collect();
            asked.languages.push("none".to_owned());
        }
        Ok(asked)
    }

    /// Reduces one shape in a process of its own.
    fn try_one(&self, language: &str, shape: &str) -> Result<()> {
        let half = if matches!(self.wanted, Wanted::MarkAndHalf) { "half" } else { "mark" };
        let (bytes, seconds) = (self.bytes.to_string(), self.limit.as_secs().to_string());
        let mut child = Command::new(std::env::current_exe()?)
            .args(["one", language, shape, &bytes, &seconds, half])
            .stdout(Stdio::piped())
            .spawn()?;
        let (began, processor) = (Instant::now(), processor_seconds()?);
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break Some(status);
            }
            if began.elapsed() > self.limit + GRACE {
                child.kill()?;
                child.wait()?;
                break None;
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        let printed = std::io::read_to_string(child.stdout.take().context("piped")?)?;
        let ended = status.is_some_and(|status| status.success()) && printed.contains("no pass found");
        if self.all || !ended {
            let how = status.map_or_else(|| "did not stop in time".to_owned(), failure);
            let (seconds, processor) = (began.elapsed().as_secs_f64(), processor_seconds()? - processor);
            println!("{language:10} {shape:30} {seconds:6.1} s, CPU {processor:6.1} s  {how}{}", printed.trim());
        }
        Ok(())
    }
}

/// The processor time of all processes that have ended.
fn processor_seconds() -> Result<f64> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    Ok((usage.user_time() + usage.system_time()).num_milliseconds() as f64 / 1000.0)
}

fn failure(status: ExitStatus) -> String {
    if status.success() { String::new() } else { format!("{status} ") }
}

fn reduce_one(language: &str, shape: &str, bytes: usize, seconds: u64, half: bool) -> Result<()> {
    let (_, make) = SHAPES.iter().find(|(name, _)| *name == shape).context("no such shape")?;
    let text = make(bytes);
    let wanted = if half { Wanted::MarkAndHalf } else { Wanted::Mark };
    let limit = Duration::from_secs(seconds);
    let outcome = reduce(Language::by_name(language), text, wanted, |reduction| reduction.max_time(limit))?;
    let (before, after) = (outcome.first.candidate.byte_count(), outcome.bytes().len());
    println!("{before} -> {after} bytes, {} tests: {}", outcome.tally.tests, outcome.end);
    Ok(())
}
