//! A folder with a test script and an input, and a way to run the binary there.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Once};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT};
use signal_hook::flag;

/// No test waits longer than this for anything.
pub(crate) const PATIENCE: Duration = Duration::from_secs(180);

/// A user and a group that own nothing.
const NOBODY: u32 = 65534;

/// A temporary folder to work in; scratch folders go below it too, so that leftovers are seen.
pub(crate) struct Folder {
    root: tempfile::TempDir,
}

impl Folder {
    /// A folder with `test.sh`, a shell script of this text, and an input file.
    pub(crate) fn new(script: &str, input: &str, bytes: impl AsRef<[u8]>) -> Self {
        let folder = Self { root: tempfile::tempdir().unwrap() };
        fs::create_dir(folder.path("tmp")).unwrap();
        folder.script("test.sh", script);
        fs::write(folder.path(input), bytes).unwrap();
        folder
    }

    pub(crate) fn script(&self, name: &str, text: &str) {
        fs::write(self.path(name), format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(self.path(name), fs::Permissions::from_mode(0o755)).unwrap();
    }

    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.root.path().join(name)
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    pub(crate) fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    pub(crate) fn command<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Command {
        restore_signals();
        let mut command = Command::new(env!("CARGO_BIN_EXE_whittle"));
        command.current_dir(self.root.path()).env("TMPDIR", self.path("tmp")).args(args);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs `whittle` with the words of `line`, and sees to it that nothing is left.
    pub(crate) fn whittle(&self, line: &str) -> Ran {
        self.whittle_words(line.split_whitespace())
    }

    /// The same with words that may contain spaces.
    pub(crate) fn whittle_words<'a>(&self, words: impl IntoIterator<Item = &'a str>) -> Ran {
        let output = self.command(words).output().unwrap();
        self.assert_nothing_left();
        Ran::from(output)
    }

    /// The same with some variables in the environment.
    pub(crate) fn whittle_with(&self, line: &str, variables: &[(&str, &str)]) -> Ran {
        let mut command = self.command(line.split_whitespace());
        let output = command.envs(variables.iter().copied()).output().unwrap();
        self.assert_nothing_left();
        Ran::from(output)
    }

    /// The same by a user who is bound by permissions. Root is not: for root, a copy of the binary runs as nobody.
    pub(crate) fn whittle_as_ordinary_user(&self, line: &str) -> Ran {
        if fs::metadata(self.root.path()).unwrap().uid() != 0 {
            return self.whittle(line);
        }
        for folder in [self.root.path().to_owned(), self.path("tmp")] {
            fs::set_permissions(folder, fs::Permissions::from_mode(0o777)).unwrap();
        }
        let copy = self.path("whittle");
        fs::copy(env!("CARGO_BIN_EXE_whittle"), &copy).unwrap();
        let mut command = Command::new(copy);
        command.current_dir(self.root.path()).env("TMPDIR", self.path("tmp")).args(line.split_whitespace());
        let output = command.uid(NOBODY).gid(NOBODY).stdin(Stdio::null()).output().unwrap();
        self.assert_nothing_left();
        Ran::from(output)
    }

    pub(crate) fn start(&self, line: &str) -> Child {
        self.command(line.split_whitespace()).spawn().unwrap()
    }

    /// Waits until a run has written the header of its journal: from then on it can be resumed, and keeps others away.
    pub(crate) fn wait_for_journal(&self, name: &str) {
        let path = self.path(name);
        wait_until("there is a journal", || fs::metadata(&path).is_ok_and(|journal| journal.len() > 0));
    }

    /// No scratch folder and no process is left, or will be in a moment: helpers of a killed run need one to clean up.
    pub(crate) fn assert_nothing_left(&self) {
        wait_until("no scratch folder is left", || fs::read_dir(self.path("tmp")).unwrap().next().is_none());
        wait_until("no process is left", || self.processes().is_empty());
    }

    /// The living processes that inherited this folder's environment.
    pub(crate) fn processes(&self) -> Vec<String> {
        let mark = self.path("tmp").into_os_string().into_encoded_bytes();
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        let pids = entries.filter_map(|entry| entry.file_name().into_string().ok());
        pids.filter(|pid| pid.parse::<u32>().is_ok())
            .filter(|pid| {
                let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
                environment.windows(mark.len()).any(|window| window == mark)
            })
            .collect()
    }

    pub(crate) fn files(&self) -> Vec<String> {
        let names = fs::read_dir(self.root.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    }
}

/// Makes programs that are started from now on react to SIGINT and SIGHUP. A shell starts background jobs with SIGINT
/// ignored, `nohup` ignores SIGHUP, and programs inherit that. A handler is not inherited: a started program has the
/// default again. Here SIGINT still ends the tests, and SIGHUP does nothing.
fn restore_signals() {
    static RESTORED: Once = Once::new();
    RESTORED.call_once(|| {
        flag::register_conditional_shutdown(SIGINT, 128 + SIGINT, Arc::new(AtomicBool::new(true))).unwrap();
        flag::register(SIGHUP, Arc::default()).unwrap();
    });
}

/// How a run ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) status: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    /// What the summary says of counted tests.
    pub(crate) fn counted(&self) -> &str {
        let line = self.stderr.lines().find_map(|line| line.strip_prefix("tests:"));
        line.unwrap_or_else(|| panic!("{}", self.stderr)).split(" counted").next().unwrap_or_default()
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            status: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// Polls until `done` says so.
pub(crate) fn wait_until(what: &str, mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < PATIENCE, "still waiting until {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}
