//! What a command prints, up to a limit, read without ever waiting for it.

use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd};
use std::process::{Child, ChildStderr, ChildStdout};

use nix::fcntl::{FcntlArg, OFlag, fcntl};

use crate::protocol::OutputRule;

/// Both outputs of a command.
pub(crate) struct Captured {
    stdout: Stream<ChildStdout>,
    stderr: Stream<ChildStderr>,
    rule: OutputRule,
}

/// One output: the pipe while it is open, and what has come out of it.
struct Stream<P> {
    pipe: Option<P>,
    bytes: Vec<u8>,
}

impl Captured {
    /// Takes the pipes of `child`, if it has any.
    pub(crate) fn new(child: &mut Child, rule: OutputRule) -> Self {
        Self { stdout: Stream::new(child.stdout.take()), stderr: Stream::new(child.stderr.take()), rule }
    }

    /// The pipes that are still open.
    pub(crate) fn pipes(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        self.stdout.pipe.as_ref().map(AsFd::as_fd).into_iter().chain(self.stderr.pipe.as_ref().map(AsFd::as_fd))
    }

    /// Reads once from each pipe; `true` if the command has printed more than it may.
    pub(crate) fn read_some(&mut self) -> bool {
        self.read_once();
        self.is_over()
    }

    /// Reads all that is there; `true` if the command has printed more than it may.
    pub(crate) fn read_rest(&mut self) -> bool {
        while self.read_once() && !self.is_over() {}
        self.is_over()
    }

    /// `true` if there was something.
    fn read_once(&mut self) -> bool {
        let mut room = match self.rule {
            OutputRule::Discard => 0,
            OutputRule::Head(limit) => limit.saturating_sub(self.len()),
            OutputRule::Keep(_) => u64::MAX,
        };
        let first = self.stdout.read_once(room);
        room = room.saturating_sub(first);
        first + self.stderr.read_once(room) > 0
    }

    fn len(&self) -> u64 {
        (self.stdout.bytes.len() + self.stderr.bytes.len()) as u64
    }

    /// Standard output and standard error.
    pub(crate) fn into_parts(self) -> (Vec<u8>, Vec<u8>) {
        (self.stdout.bytes, self.stderr.bytes)
    }

    fn is_over(&self) -> bool {
        matches!(self.rule, OutputRule::Keep(limit) if self.len() > limit)
    }
}

impl<P: Read + AsFd> Stream<P> {
    fn new(pipe: Option<P>) -> Self {
        // A pipe that cannot be made non-blocking could block this process for ever: rather lose the output.
        Self { pipe: pipe.filter(|pipe| fcntl(pipe, FcntlArg::F_SETFL(OFlag::O_NONBLOCK)).is_ok()), bytes: Vec::new() }
    }

    /// Reads once, keeps at most `room` bytes of it, and says how many there were. The pipe is closed at its end.
    fn read_once(&mut self, room: u64) -> u64 {
        let Some(pipe) = &mut self.pipe else { return 0 };
        let mut chunk = [0; 1 << 16];
        match pipe.read(&mut chunk) {
            Ok(count) if count > 0 => {
                let kept = usize::try_from(room).unwrap_or(usize::MAX).min(count);
                self.bytes.extend_from_slice(&chunk[..kept]);
                count as u64
            }
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => 0,
            Ok(_) | Err(_) => {
                self.pipe = None;
                0
            }
        }
    }
}
