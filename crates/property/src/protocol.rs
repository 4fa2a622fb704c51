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
    Run(Task),
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
        };
        let mut pipe = Vec::new();
        send(&Order::Run(task), &mut pipe).unwrap();
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
