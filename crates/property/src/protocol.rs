//! What Whittle and its helpers say to each other: length-prefixed messages over the helper's standard input and
//! output. Where it works and what its tests may use, a helper learns from its arguments.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A message to a helper.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Order {
    Run(Box<Task>),
    /// Ends the task that runs, if one does. It is answered by the task's report alone.
    Cancel,
    /// There will be no more orders. The end of the pipe without this means that Whittle has died.
    Leave,
}

/// One command to run in a scratch folder.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Task {
    /// The scratch folder.
    pub(crate) folder: OsString,
    /// Whether the folder stays for the next task. It is removed otherwise.
    pub(crate) keeps_folder: bool,
    /// Program and arguments.
    pub(crate) words: Vec<OsString>,
    /// Where else than in the scratch folder it runs, and what its environment holds besides.
    pub(crate) surroundings: Option<Surroundings>,
    /// The file to feed on standard input.
    pub(crate) stdin: Option<OsString>,
    pub(crate) timeout: Duration,
    pub(crate) output: OutputRule,
    /// If the words start a server: what to ask it.
    pub(crate) question: Option<Question>,
}

/// What a server is asked.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Question {
    /// The path of a candidate; anything in a dialogue.
    pub(crate) line: OsString,
    /// Whether it is part of a dialogue: the process need not say that it is ready, and what it says is for the caller.
    pub(crate) is_dialogue: bool,
    /// Whether the answer must come from a server that was asked nothing before.
    pub(crate) fresh: bool,
    pub(crate) rules: ServerRules,
}

/// When a server is replaced by a new one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerRules {
    /// After this many tests; `None`: when it was used 20 times as long as its start took.
    pub tests: Option<u64>,
    /// If it holds more memory than this, in bytes.
    pub memory: Option<u64>,
}

/// Where a command runs that is not about a candidate.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Surroundings {
    pub(crate) folder: OsString,
    pub(crate) environment: Vec<(OsString, OsString)>,
}

/// What happens to what a command prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum OutputRule {
    /// It goes nowhere.
    Discard,
    /// This many bytes are kept, the rest goes nowhere.
    Head(u64),
    /// It is kept; a command that prints more bytes than this is ended.
    Keep(u64),
}

/// The helper's answer to a task.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Report {
    Ran(Run),
    /// The program could not be started: the system's error number and text.
    Unrunnable(Option<i32>, String),
}

/// How a command ended and what it used.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Run {
    pub(crate) end: End,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
    pub(crate) elapsed: Duration,
    /// Processor time of the command and all its descendants.
    pub(crate) processor: Duration,
    /// If a server was asked: how it is.
    pub(crate) server: Option<ServerState>,
}

/// How a server is after a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ServerState {
    /// Whether it was asked before.
    pub(crate) is_used: bool,
    /// Whether it ended without an answer.
    pub(crate) has_died: bool,
    /// Whether a new one takes its place, which can check its last answer.
    pub(crate) is_due: bool,
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum End {
    Exited(i32),
    Signalled(i32),
    TimedOut,
    OverLimit,
    Cancelled,
}

/// Sends one message.
pub(crate) fn send(message: &impl Serialize, pipe: &mut impl Write) -> io::Result<()> {
    let body = postcard::to_stdvec(message).map_err(io::Error::other)?;
    let mut frame = Vec::with_capacity(body.len() + 8);
    frame.extend_from_slice(&(body.len() as u64).to_le_bytes());
    frame.extend_from_slice(&body);
    pipe.write_all(&frame)?;
    pipe.flush()
}

/// Receives one message, or `None` at the end of the pipe.
pub(crate) fn receive<T: DeserializeOwned>(pipe: &mut impl Read) -> io::Result<Option<T>> {
    let mut length = [0; 8];
    if let Err(error) = pipe.read_exact(&mut length) {
        return if error.kind() == io::ErrorKind::UnexpectedEof { Ok(None) } else { Err(error) };
    }
    let mut body = vec![0; usize::try_from(u64::from_le_bytes(length)).map_err(io::Error::other)?];
    pipe.read_exact(&mut body)?;
    postcard::from_bytes(&body).map(Some).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStringExt;

    #[test]
    fn messages_arrive_as_they_were_sent_one_after_the_other() {
        let name = OsString::from_vec(vec![b'a', 0xff, b'\n']);
        let task = Task {
            folder: "f".into(),
            keeps_folder: false,
            words: vec![name.clone()],
            surroundings: None,
            stdin: None,
            timeout: Duration::from_millis(1500),
            output: OutputRule::Keep(7),
            question: None,
        };
        let mut pipe = Vec::new();
        send(&Order::Run(Box::new(task)), &mut pipe).unwrap();
        send(&Order::Cancel, &mut pipe).unwrap();
        let mut pipe = &pipe[..];
        let Some(Order::Run(task)) = receive(&mut pipe).unwrap() else { panic!("a task was sent") };
        assert_eq!((task.words, task.timeout), (vec![name], Duration::from_millis(1500)));
        assert!(matches!(receive(&mut pipe).unwrap(), Some(Order::Cancel)));
        assert!(receive::<Order>(&mut pipe).unwrap().is_none());
    }

    #[test]
    fn a_message_that_is_cut_is_an_error() {
        let mut pipe = Vec::new();
        send(&Order::Cancel, &mut pipe).unwrap();
        assert!(receive::<Order>(&mut &pipe[..pipe.len() - 1]).is_err());
    }
}
