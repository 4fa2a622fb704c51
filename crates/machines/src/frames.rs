//! What a client and a worker say to each other. The frames are the same on every transport: a transport carries sequences of
//! bytes in order, or breaks.
//!
//! A worker begins with [`Hello`]. The client starts the worker with the digests of a property and a base; the worker asks for
//! what it does not have. Then come tests, each an [`Edit`] of the base, and verdicts in any order.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use whittle_property::Criteria;
use whittle_search::Verdict;
use xxhash_rust::xxh3::xxh3_128;

use crate::edits::Edit;

/// Changes with every change of a frame, or of when it may come. Sides of different protocols part at the handshake.
pub(crate) const PROTOCOL: u32 = 3;

/// What the first frame begins with.
const MAGIC: [u8; 8] = *b"whittle\n";

/// The version of Whittle. Verdicts depend on how conditions judge, so both sides must have the same.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The largest frame, in bytes: a candidate and what surrounds it.
pub(crate) const MAX_FRAME_BYTES: u64 = crate::edits::MAX_CANDIDATE_BYTES + (1 << 20);

/// The largest content, in bytes: a base and what surrounds it.
pub(crate) const MAX_CONTENT_BYTES: u64 = MAX_FRAME_BYTES;

/// The most bytes of files that workers get besides the input.
pub const MAX_FILES_BYTES: u64 = 1 << 30;

/// The size of the parts of contents, in bytes. Something must arrive more often than silence is taken for an end, on a link of
/// 16 KB/s too; smaller parts would make fast links slower.
pub(crate) const PART_BYTES: u64 = 128 << 10;

/// The digest of a content that travels once.
pub(crate) type Digest = u128;

/// The digest by which a content is known.
pub(crate) fn digest(content: &[u8]) -> Digest {
    xxh3_128(content)
}

/// What a worker says first. The fields up to the version are the same in every protocol.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Hello {
    magic: [u8; 8],
    protocol: u32,
    version: String,
    pub(crate) about: About,
}

/// A worker, as it describes itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct About {
    /// The name of its machine.
    pub host: String,
    /// Its process.
    pub process: u32,
    /// Under which group it works, if any.
    pub group: String,
    /// How many cores the machine has.
    pub cores: u32,
    /// How many tests it runs at once.
    pub slots: u32,
    /// The load of the machine: how many processes want to run, on average over a minute.
    pub load: f32,
    /// How many tests it has run so far.
    pub tests: u64,
    /// How often it was left out because it disagreed with others.
    pub disagreements: u64,
    /// Whether it works for somebody now.
    pub is_busy: bool,
}

impl Hello {
    pub(crate) fn new(about: About) -> Self {
        Self { magic: MAGIC, protocol: PROTOCOL, version: VERSION.to_owned(), about }
    }

    /// Reads the first frame of a worker, or says why there can be no talk.
    pub(crate) fn read(frame: &[u8]) -> Result<About, String> {
        let head = postcard::take_from_bytes::<([u8; 8], u32, String)>(frame);
        match head {
            Ok(((MAGIC, PROTOCOL, version), _)) if version == VERSION => {
                decode::<Self>(frame).map(|hello| hello.about).ok_or_else(|| "its first frame is broken".to_owned())
            }
            Ok(((MAGIC, protocol, version), _)) => Err(format!(
                "it is Whittle {version} (protocol {protocol}), and this is Whittle {VERSION} (protocol {PROTOCOL})"
            )),
            _ => Err(format!(
                "it is not a Whittle worker; it printed: {}",
                String::from_utf8_lossy(&frame[..frame.len().min(200)])
            )),
        }
    }
}

/// A frame to a worker.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum ToWorker {
    /// Begin to work with this [`Spec`] and this base.
    Start {
        spec: Digest,
        base: Digest,
    },
    /// A part that the worker asked for, of a content of so many bytes.
    Part {
        content: Digest,
        size: u64,
        bytes: Vec<u8>,
    },
    /// The base is another from now on.
    Base(Edit),
    Ask {
        id: u64,
        edit: Edit,
        question: Question,
    },
    Cancel(u64),
    /// The worker is left out because it gave another verdict than others.
    Disagreed,
    Ping,
}

/// What a worker is asked about a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Question {
    /// The verdict.
    Verdict,
    /// How the command ends and what it prints, for the eyes of the user.
    Output,
}

/// A frame to a client.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum ToClient {
    /// Send the part of a content that begins there.
    Need {
        content: Digest,
        from: u64,
    },
    Ready,
    /// The worker does not work with this property.
    Refused(String),
    Answer {
        id: u64,
        answer: Answer,
    },
    Pong,
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Answer {
    Verdict {
        verdict: Verdict,
        elapsed: Duration,
        reason: Option<String>,
        signature: Option<Vec<u8>>,
    },
    Output(String),
    /// The test could not be run.
    Failed(String),
    Cancelled,
}

/// A property, as it travels.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Spec {
    pub(crate) criteria: Criteria,
    pub(crate) timeout: Duration,
    pub(crate) signature: Option<Vec<u8>>,
    pub(crate) memory_limit: Option<u64>,
    pub(crate) warm: Vec<PathBuf>,
    pub(crate) files: Vec<SpecFile>,
    pub(crate) environment: Vec<(OsString, OsString)>,
    /// The size of the input, in bytes: scratch folders must have room.
    pub(crate) bytes: u64,
}

/// A file that a property uses.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct SpecFile {
    /// The absolute path by which the command knows it.
    pub(crate) path: OsString,
    pub(crate) executable: bool,
    pub(crate) content: Digest,
}

pub(crate) fn encode(message: &impl Serialize) -> Vec<u8> {
    postcard::to_stdvec(message).expect("frames hold nothing that cannot be written")
}

/// `None` for what is no frame of this type.
pub(crate) fn decode<T: DeserializeOwned>(frame: &[u8]) -> Option<T> {
    postcard::from_bytes(frame).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_of_different_versions_part_with_a_reason() {
        let about = About { host: "a".into(), slots: 3, ..About::default() };
        let hello = Hello::new(about.clone());
        assert_eq!(Hello::read(&encode(&hello)), Ok(about));
        let newer = encode(&(MAGIC, PROTOCOL + 1, "9.0.0".to_owned(), "something else"));
        let said = Hello::read(&newer).unwrap_err();
        assert!(said.starts_with(&format!("it is Whittle 9.0.0 (protocol {})", PROTOCOL + 1)), "{said}");
        let older = encode(&Hello { version: "0.0.1".into(), ..hello });
        assert!(Hello::read(&older).unwrap_err().contains("0.0.1"));
        assert!(Hello::read(b"bash: whittle: command not found").unwrap_err().contains("not found"));
    }
}
