//! If Whittle itself crashes, it starts again, resumes, and does without parsers.
//!
//! A parser that fails is left behind (`whittle_trees`' fence). One that writes where it must not can make anything crash
//! later. What a run has found is on disk, so the run goes on from there.

use std::ffi::{CString, OsStr, OsString};
use std::os::unix::ffi::OsStringExt;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use whittle::property::this_program;
use whittle::trees::restart_on_crash;

use super::args::Command;
use super::live;
use super::print::{STANDARD, tell};

/// Set in a process that took the place of one that crashed.
const RESTARTED: &str = "WHITTLE_RESTARTED";

/// How long helpers may take to notice that their Whittle is gone, and to clear up.
const PATIENCE: Duration = Duration::from_secs(30);

/// Whether this process took the place of one that crashed: it must not run parsers.
pub(crate) fn is_restarted() -> bool {
    std::env::var_os(RESTARTED).is_some()
}

/// Prepares for a crash if the command can go on after one; `words` are those of the command line, the command included. In
/// a process that follows a crash, waits until what the other has started is gone; a second crash is its end.
pub(crate) fn prepare(command: &Command, mut words: Vec<OsString>) {
    if !matches!(command, Command::Reduce(_) | Command::Dedup(_)) {
        return;
    }
    if is_restarted() {
        if matches!(command, Command::Reduce(args) if args.run.live) {
            live::recover();
        }
        tell("warning: Whittle crashed, which a parser may have caused; it continues without parsers");
        return await_children();
    }
    match command {
        // Without a file to read or to write again, there is nothing to go on from.
        _ if words.iter().any(|word| word == STANDARD) => return,
        Command::Reduce(args) if args.in_place => return,
        Command::Reduce(args) if !args.run.resume => words.insert(2, "--resume".into()),
        _ => {}
    }
    let text = |word: OsString| CString::new(word.into_vec()).ok();
    let mut program = c"/proc/self/exe".to_owned();
    // An interpreter is started again with its own words.
    if let Ok(own) = this_program()
        && own.len() > 1
    {
        program = text(own[0].clone()).unwrap_or(program);
        words.splice(..1, own);
    }
    let restarted = [(OsString::from(RESTARTED), OsString::from("1"))];
    let variable = |(name, value): (OsString, OsString)| text([name, value].join(OsStr::new("=")));
    let environment = std::env::vars_os().chain(restarted).filter_map(variable);
    restart_on_crash(program, words.into_iter().filter_map(text).collect(), environment.collect());
}

/// Helpers of the process that crashed are children of this one.
fn await_children() {
    let began = Instant::now();
    while began.elapsed() < PATIENCE {
        match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
            Err(Errno::EINTR) | Ok(WaitStatus::StillAlive) => std::thread::sleep(Duration::from_millis(5)),
            Err(_) => return,
            Ok(_) => {}
        }
    }
}
