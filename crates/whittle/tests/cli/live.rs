//! `--live` in a pseudo-terminal: what it shows, what its keys do, and that the terminal is as before afterwards.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::num::NonZero;
use std::os::fd::OwnedFd;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

use nix::pty::{Winsize, openpty};
use nix::sys::signal::{Signal, kill};
use nix::sys::termios::{LocalFlags, tcgetattr};
use nix::unistd::Pid;

use crate::bench_folder::{Folder, wait_until};

/// Slow enough to be watched. What a rejected test prints is known.
const TEST: &str =
    "sleep 0.05; for i in 1 2 3 4 5 6 7 8; do grep -q \"needle$i\" bug.c || { echo no needle$i; exit 7; }; done";

fn input() -> String {
    let line = |i: usize| format!("int f{i}(void) {{ return needle{}; }} /* {i} */\n", i / 8);
    (0..80).map(line).collect()
}

/// A program in a terminal.
struct Session {
    child: Child,
    screen: Arc<Mutex<vt100::Parser>>,
    /// Everything it printed.
    printed: Arc<Mutex<Vec<u8>>>,
    keys: File,
    slave: OwnedFd,
}

impl Session {
    fn start(mut command: Command, rows: u16, columns: u16) -> Self {
        let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        let pty = openpty(&size, None).unwrap();
        let end = || Stdio::from(pty.slave.try_clone().unwrap());
        command.env("TERM", "xterm-256color").env_remove("NO_COLOR").stdin(end()).stdout(end()).stderr(end());
        let child = command.spawn().unwrap();
        let screen = Arc::new(Mutex::new(vt100::Parser::new(nonzero(rows), nonzero(columns), 0)));
        let printed = Arc::<Mutex<Vec<u8>>>::default();
        let mut output = File::from(pty.master.try_clone().unwrap());
        let (shown, log) = (Arc::clone(&screen), Arc::clone(&printed));
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(length @ 1..) = output.read(&mut bytes) {
                log.lock().unwrap().extend(&bytes[..length]);
                shown.lock().unwrap().process(&bytes[..length]);
            }
        });
        Self { child, screen, printed, keys: File::from(pty.master), slave: pty.slave }
    }

    fn contents(&self) -> String {
        self.screen.lock().unwrap().screen().contents()
    }

    fn await_text(&self, text: &str) {
        wait_until(&format!("the screen shows {text:?}"), || self.contents().contains(text));
    }

    fn press(&mut self, key: &str) {
        self.keys.write_all(key.as_bytes()).unwrap();
    }

    fn resize(&self, rows: u16, columns: u16) {
        self.screen.lock().unwrap().screen_mut().set_size(nonzero(rows), nonzero(columns));
        let stdin = Stdio::from(self.slave.try_clone().unwrap());
        let words = ["rows", &rows.to_string(), "cols", &columns.to_string()];
        assert!(Command::new("stty").args(words).stdin(stdin).status().unwrap().success());
        // Not the foreground group of this terminal: nobody else tells it.
        kill(Pid::from_raw(self.child.id().try_into().unwrap()), Signal::SIGWINCH).unwrap();
    }

    /// Waits for the end, and checks that the terminal is as it was.
    fn end(mut self) -> (Option<i32>, String) {
        let status = self.child.wait().unwrap();
        let modes = tcgetattr(&self.slave).unwrap();
        assert!(modes.local_flags.contains(LocalFlags::ECHO | LocalFlags::ICANON), "the terminal is in raw mode");
        let is_back = || {
            let screen = self.screen.lock().unwrap();
            !screen.screen().alternate_screen() && !screen.screen().hide_cursor()
        };
        wait_until("the screen is given back", is_back);
        let printed = || String::from_utf8_lossy(&self.printed.lock().unwrap()).into_owned();
        wait_until("the summary is printed", || printed().contains("stopped:"));
        let summary = printed().rsplit("\u{1b}[?1049l").next().unwrap_or_default().to_owned();
        (status.code(), summary)
    }
}

fn nonzero(number: u16) -> NonZero<u16> {
    NonZero::new(number).unwrap()
}

fn live(folder: &Folder, rows: u16, columns: u16) -> Session {
    Session::start(folder.command(["test.sh", "bug.c", "--jobs", "2", "--live"]), rows, columns)
}

#[test]
fn the_view_shows_the_run_and_obeys_keys() {
    let folder = Folder::new(TEST, "bug.c", input());
    let mut session = live(&folder, 40, 130);
    session.await_text("smallest so far");
    session.await_text("rejected because of");
    session.await_text("exit status 7, expected 0");
    // What a terminal sends whose input has ended is not a key.
    session.press("\u{0}\u{4}p");
    session.await_text("paused");
    session.await_text("0 of 2 workers");
    session.press("f");
    session.await_text("last rejected tests");
    session.await_text("  no needle");
    session.press("d");
    session.await_text("last change");
    session.press("c");
    session.await_text("Saved");
    let copy = folder.text("bug.reduced.copy1.c");
    assert!(copy.contains("needle8") && copy.len() < input().len(), "{copy}");
    session.press("p");
    session.await_text("p pause");
    session.press("q");
    let (status, shown) = session.end();
    assert!(status == Some(1) && shown.contains("stopped: interrupted"), "{shown}");
    assert!(folder.text("bug.reduced.c").contains("needle8"));
    folder.assert_nothing_left();
}

#[test]
fn a_skipped_pass_can_be_run_later() {
    let folder = Folder::new(TEST, "bug.c", input());
    let mut session = live(&folder, 30, 100);
    session.await_text("smallest so far");
    for _ in 0..200 {
        session.press("s");
        if fs::exists(folder.path("bug.reduced.c")).unwrap() && session.child.try_wait().unwrap().is_some() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    let (status, shown) = session.end();
    assert!(status == Some(1) && shown.contains("a pass was skipped") && shown.contains("--resume"), "{shown}");
}

#[test]
fn the_view_follows_the_size_of_the_terminal() {
    let folder = Folder::new(TEST, "bug.c", input());
    let mut session = live(&folder, 8, 40);
    session.await_text("smallest so far");
    assert!(!session.contents().contains("passes"), "{}", session.contents());
    session.resize(45, 140);
    session.await_text("exit status 7, expected 0");
    session.resize(3, 9);
    session.resize(30, 100);
    session.await_text("q quit");
    session.press("\u{3}");
    let (status, shown) = session.end();
    assert!(status == Some(1) && shown.contains("interrupted"), "{shown}");
}

#[test]
fn a_run_that_ends_gives_the_screen_back_and_keeps_the_result() {
    let folder = Folder::new("grep -q needle1 bug.c", "bug.c", input());
    let (status, shown) = live(&folder, 24, 80).end();
    assert!(status == Some(0) && shown.contains("result:"), "{shown}");
    assert_eq!(folder.text("bug.reduced.c"), "needle1\n");
}

#[test]
fn without_a_terminal_lines_are_printed() {
    let folder = Folder::new("grep -q needle1 bug.c", "bug.c", input());
    let ran = folder.whittle("test.sh bug.c --live");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("--live needs a terminal") && ran.stderr.contains("perses:"), "{}", ran.stderr);
}
