//! [`Server`]: a test that stays alive between candidates, as its helper sees it.
//!
//! The protocol is one line each way (`docs/servers.md`): the server prints `ready` when it has started, then reads the path of
//! a candidate and prints a status, a number as of a process that exits, with an optional text behind it. What it prints on
//! standard error is kept only to explain why it failed.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::ffi::OsStrExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, ExitStatus};
use std::time::{Duration, Instant};

use nix::fcntl::{FcntlArg, OFlag, fcntl};

use crate::descendants::{Group, has_exited};
use crate::protocol::{End, ServerRules};

/// What a server says when it can be asked.
const READY: &[u8] = b"ready";

/// How much of standard error is kept, in bytes: a stack trace.
const MAX_COMPLAINT_BYTES: usize = 4 << 10;

/// How many times longer a server is used than its start took, if nothing else ends it before. So the checks of its verdicts by
/// new ones cost a twentieth of the time.
const USE_PER_START: u32 = 20;

/// A running server.
pub(crate) struct Server {
    words: Vec<OsString>,
    child: Child,
    questions: ChildStdin,
    answers: ChildStdout,
    complaints: Option<ChildStderr>,
    heard: Vec<u8>,
    complaint: VecDeque<u8>,
    is_ready: bool,
    began: Instant,
    /// How long the start took.
    start: Duration,
    /// How many candidates it was asked about, and how long that took.
    pub(crate) tests: u64,
    used: Duration,
}

/// What came from a server.
pub(crate) enum Heard {
    Nothing,
    Line(Vec<u8>),
    /// It has printed more than it may without ending the line.
    TooMuch,
}

/// What a line says.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) status: i32,
    pub(crate) text: Vec<u8>,
}

impl Server {
    /// Takes over a process whose standard streams are pipes.
    pub(crate) fn new(words: Vec<OsString>, mut child: Child) -> io::Result<Self> {
        let broken = || io::Error::from(io::ErrorKind::BrokenPipe);
        let questions = child.stdin.take().ok_or_else(broken)?;
        let answers = child.stdout.take().ok_or_else(broken)?;
        let complaints = child.stderr.take().ok_or_else(broken)?;
        fcntl(&answers, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        fcntl(&complaints, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        Ok(Self {
            words,
            child,
            questions,
            answers,
            complaints: Some(complaints),
            heard: Vec::new(),
            complaint: VecDeque::new(),
            is_ready: false,
            began: Instant::now(),
            start: Duration::ZERO,
            tests: 0,
            used: Duration::ZERO,
        })
    }

    /// Whether it was started by these words and still lives.
    pub(crate) fn serves(&self, words: &[OsString]) -> bool {
        self.words == words && !has_exited(&self.child)
    }

    pub(crate) fn is_ready(&self) -> bool {
        self.is_ready
    }

    /// How long its start took: waiting for less than that is cheaper than another start.
    pub(crate) fn start_took(&self) -> Duration {
        self.start
    }

    /// Takes it as ready, for a dialogue.
    pub(crate) fn skip_greeting(&mut self) {
        self.is_ready = true;
    }

    /// Takes a line that it prints while it starts; an error if that is not what it should say.
    pub(crate) fn greet(&mut self, line: &[u8]) -> Result<(), String> {
        if line.trim_ascii() != READY {
            let said = String::from_utf8_lossy(line);
            return Err(format!("the server printed '{said}', but it must print 'ready' first"));
        }
        self.is_ready = true;
        self.start = self.began.elapsed();
        Ok(())
    }

    /// Sends a question. An error if the server is gone, or has said something without being asked, which it may in a dialogue.
    pub(crate) fn ask(&mut self, line: &OsString, is_dialogue: bool) -> io::Result<Result<(), String>> {
        self.listen_once();
        if !is_dialogue && !self.heard.is_empty() {
            let said = String::from_utf8_lossy(&self.heard);
            return Ok(Err(format!("the server printed '{}' without being asked", said.trim_end())));
        }
        self.tests += 1;
        let line = [line.as_bytes(), b"\n"].concat();
        self.questions.write_all(&line).map(Ok)
    }

    /// Counts the time that a test took.
    pub(crate) fn count(&mut self, elapsed: Duration) {
        self.used += elapsed;
    }

    /// Whether the next candidate needs a new server.
    pub(crate) fn is_due(&self, rules: &ServerRules) -> bool {
        let is_worn = || self.used >= self.start.max(Duration::from_millis(1)) * USE_PER_START;
        let is_fat = || rules.memory.is_some_and(|limit| self.resident_bytes().is_some_and(|bytes| bytes > limit));
        rules.tests.map_or_else(is_worn, |tests| self.tests >= tests) || is_fat()
    }

    /// The pipes to wait for.
    pub(crate) fn pipes(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        [Some(self.answers.as_fd()), self.complaints.as_ref().map(AsFd::as_fd)].into_iter().flatten()
    }

    /// Reads what is there, up to a line of at most `limit` bytes.
    pub(crate) fn listen(&mut self, limit: u64) -> Heard {
        self.listen_once();
        if let Some(end) = self.heard.iter().position(|&byte| byte == b'\n') {
            let rest = self.heard.split_off(end + 1);
            let mut line = std::mem::replace(&mut self.heard, rest);
            line.pop();
            return Heard::Line(line);
        }
        if self.heard.len() as u64 > limit { Heard::TooMuch } else { Heard::Nothing }
    }

    fn listen_once(&mut self) {
        let mut chunk = [0; 1 << 13];
        while let Ok(count @ 1..) = self.answers.read(&mut chunk) {
            self.heard.extend_from_slice(&chunk[..count]);
            if count < chunk.len() {
                break;
            }
        }
        let Some(complaints) = &mut self.complaints else { return };
        match complaints.read(&mut chunk) {
            Ok(0) => self.complaints = None,
            Ok(count) => {
                self.complaint.extend(&chunk[..count]);
                let excess = self.complaint.len().saturating_sub(MAX_COMPLAINT_BYTES);
                self.complaint.drain(..excess);
            }
            Err(_) => {}
        }
    }

    /// Whether its process has ended. It may have left an answer.
    pub(crate) fn has_ended(&self) -> bool {
        has_exited(&self.child)
    }

    /// Kills it, and gives how it ended. Its descendants are for the caller.
    pub(crate) fn end(mut self) -> (Option<ExitStatus>, String) {
        Group::of(&self.child).kill();
        let status = self.child.wait().ok();
        self.listen_once();
        self.complaint.make_contiguous();
        (status, String::from_utf8_lossy(self.complaint.as_slices().0).trim_end().to_owned())
    }

    /// The processor time it has used so far, without its children; zero where the system does not tell.
    pub(crate) fn processor_time(&self) -> Duration {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap_or_default();
        // The name before the last parenthesis may hold anything. Of what follows, user and system time are 12 and 13.
        let fields = stat.rsplit_once(')').map(|(_, rest)| rest.split_whitespace().collect::<Vec<_>>());
        let ticks = |fields: &[&str]| Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?);
        // The kernel counts in hundredths of a second for programs, whatever its own clock is.
        fields.and_then(|fields| ticks(&fields)).map_or(Duration::ZERO, |ticks| Duration::from_millis(ticks * 10))
    }

    fn resident_bytes(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        Some(line.split_whitespace().next()?.parse::<u64>().ok()? << 10)
    }
}

impl Answer {
    /// Reads a line: a status, or `yes` or `no` for 0 and 1, and a text.
    pub(crate) fn parse(line: &[u8]) -> Option<Self> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let (word, text) = match line.iter().position(|&byte| byte == b' ') {
            Some(space) => (&line[..space], &line[space + 1..]),
            None => (line, &[][..]),
        };
        let status = match word {
            b"yes" => 0,
            b"no" => 1,
            digits => std::str::from_utf8(digits).ok()?.parse::<u8>().ok()?.into(),
        };
        Some(Self { status, text: text.to_vec() })
    }
}

/// The end of a server that ended over a candidate, as the end of a test: that it exited with 0 does not mean yes.
pub(crate) fn end_without_answer(end: End) -> End {
    if end == End::Exited(0) { End::Exited(1) } else { end }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_a_status_with_an_optional_text() {
        let parse = |line: &str| {
            Answer::parse(line.as_bytes()).map(|answer| (answer.status, String::from_utf8(answer.text).unwrap()))
        };
        for (line, status, text) in [
            ("0", 0, ""),
            ("1", 1, ""),
            ("yes", 0, ""),
            ("no\r", 1, ""),
            ("139 SEGV in f", 139, "SEGV in f"),
            ("no  two spaces", 1, " two spaces"),
        ] {
            assert_eq!(parse(line), Some((status, text.to_owned())), "{line}");
        }
        for line in ["", "maybe", "256", "-1", "0x1", "Yes", " 0"] {
            assert_eq!(parse(line), None, "{line}");
        }
    }

    #[test]
    fn ending_without_an_answer_is_never_a_yes() {
        assert_eq!(end_without_answer(End::Exited(0)), End::Exited(1));
        assert_eq!(end_without_answer(End::Exited(3)), End::Exited(3));
        assert_eq!(end_without_answer(End::Signalled(11)), End::Signalled(11));
    }
}
