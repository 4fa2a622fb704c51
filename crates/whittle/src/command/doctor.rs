//! `whittle doctor`: whether this machine is fit for reductions, and how fast a test can be.

use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use nix::sys::resource::{Resource, getrlimit};
use nix::sys::statfs::{TMPFS_MAGIC, statfs};
use whittle::languages::{Known, Language};
use whittle::property::TestCommand;
use whittle::search::{Cancel, Candidate};

use super::exit::Exit;
use super::format::count;
use super::print::answer;

/// Check that this machine is fit for reductions
///
/// Runs a few tests that do nothing, and looks at scratch space, limits, cores, languages and tools.
#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// Where scratch folders would go [default: TMPDIR, else /dev/shm if it has room, else /tmp]
    #[arg(long, value_name = "DIR")]
    scratch: Option<PathBuf>,
}

/// How often a test runs that does nothing.
const RUNS: usize = 21;

/// Such a test should not take longer.
const SLOW_TEST: Duration = Duration::from_millis(20);

/// Candidates and what tests write should find this much room.
const LITTLE_ROOM: u64 = 1 << 30;

/// Each test needs a few processes, and a few files for each.
const FEW: u64 = 256;

/// Programs that tests and options of Whittle often use.
const TOOLS: [&str; 14] = [
    "cc",
    "gcc",
    "clang",
    "rustc",
    "python3",
    "node",
    "java",
    "go",
    "z3",
    "cvc5",
    "clang-format",
    "rustfmt",
    "prettier",
    "gdb",
];

/// What was found.
enum Finding {
    Fine(String),
    /// Something is slow or missing.
    Warning(String),
    /// Reductions fail.
    Problem(String),
}

use Finding::{Fine, Problem, Warning};

/// Prints what was found.
pub(crate) fn run(args: &DoctorArgs) -> Result<Exit> {
    let mut findings = vec![version(), cores()];
    findings.extend(tests(args.scratch.as_deref()));
    findings.extend([limit("open files", Resource::RLIMIT_NOFILE), limit("processes", Resource::RLIMIT_NPROC)]);
    findings.extend([null_device(), tools()]);
    for finding in &findings {
        let (word, text) = match finding {
            Fine(text) => ("ok", text),
            Warning(text) => ("warning", text),
            Problem(text) => ("problem", text),
        };
        answer(&format!("{word:<8} {text}"));
    }
    let is_fit = !findings.iter().any(|finding| matches!(finding, Problem(_)));
    Ok(if is_fit { Exit::Done } else { Exit::Internal })
}

fn version() -> Finding {
    let (here, missing) = (Language::all().len(), Known::missing().count());
    let more = if missing > 0 { format!("; {missing} more with --features all-languages") } else { String::new() };
    Fine(format!("whittle {}, {here} languages{more}", env!("CARGO_PKG_VERSION")))
}

fn cores() -> Finding {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    Fine(format!("cores: {cores}; as many tests run in parallel unless --jobs says otherwise"))
}

/// Runs a test that does nothing, as reductions do.
fn tests(scratch: Option<&Path>) -> Vec<Finding> {
    let prepare = || -> Result<(PathBuf, Duration)> {
        let command = TestCommand { scratch: scratch.map(Path::to_owned), ..TestCommand::line("true")? };
        let test = command.start(1, 1)?;
        let input = Candidate::single("input", b"x".to_vec());
        let mut times = Vec::new();
        for _ in 0..RUNS {
            times.push(test.observe(&input, Duration::from_secs(10), &Cancel::new())?.elapsed);
        }
        times.sort();
        Ok((test.scratch().parent().unwrap_or(Path::new("/")).to_owned(), times[RUNS / 2]))
    };
    match prepare() {
        Err(error) => vec![Problem(format!("a test cannot be run: {error}; choose another place with --scratch"))],
        Ok((folder, time)) => {
            let text = format!("a test that does nothing takes {:.1} ms", time.as_secs_f64() * 1e3);
            let speed =
                if time > SLOW_TEST { Warning(format!("{text}; processes start slowly here")) } else { Fine(text) };
            vec![room(&folder), speed]
        }
    }
}

fn room(folder: &Path) -> Finding {
    let Ok(stats) = statfs(folder) else { return Warning(format!("nothing is known about {}", folder.display())) };
    let free = stats.blocks_available().saturating_mul(u64::try_from(stats.block_size()).unwrap_or(0));
    let is_memory = stats.filesystem_type() == TMPFS_MAGIC;
    let kind = if is_memory { "in memory" } else { "on disk" };
    let text = format!("scratch folders: {}, {kind}, {} MB free", folder.display(), count(free >> 20));
    match (free < LITTLE_ROOM, is_memory) {
        (true, _) => {
            Warning(format!("{text}: large outputs of tests may not fit; choose another place with --scratch"))
        }
        (false, false) => Warning(format!("{text}: tests that write files are faster with --scratch /dev/shm")),
        (false, true) => Fine(text),
    }
}

fn limit(what: &str, resource: Resource) -> Finding {
    match getrlimit(resource) {
        Ok((soft, _)) if soft < FEW => {
            Warning(format!("limit on {what}: {soft}; raise it with ulimit, or use fewer --jobs"))
        }
        Ok((soft, _)) if soft > u64::MAX / 2 => Fine(format!("limit on {what}: none")),
        Ok((soft, _)) => Fine(format!("limit on {what}: {}", count(soft))),
        Err(error) => Warning(format!("limit on {what}: {error}")),
    }
}

/// Tests that run as root can replace it by a file, as by `tcc -o /dev/null`, or change its mode, as linkers do. Odd failures
/// follow.
fn null_device() -> Finding {
    match fs::metadata("/dev/null") {
        Ok(null) if null.file_type().is_char_device() && null.mode() & 0o666 != 0o666 => {
            Problem("/dev/null is not writable for all users; restore it with chmod 666 /dev/null".to_owned())
        }
        Ok(null) if null.file_type().is_char_device() => Fine("/dev/null is a device".to_owned()),
        _ => Problem("/dev/null is not a device; restore it with mknod -m 666 /dev/null c 1 3".to_owned()),
    }
}

fn tools() -> Finding {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_there = |tool: &&&str| std::env::split_paths(&path).any(|folder| folder.join(tool).is_file());
    let (here, missing): (Vec<&str>, Vec<&str>) = TOOLS.iter().partition(|tool| is_there(tool));
    let missing = if missing.is_empty() { String::new() } else { format!("; not: {}", missing.join(", ")) };
    Fine(format!("on the PATH: {}{missing}", here.join(", ")))
}
