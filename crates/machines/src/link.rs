//! [`Link`]: frames in both directions, in order, until it breaks. On a pipe, each frame has its length in front.
//!
//! Sending never waits: a worker that does not read must not stop those who ask others. A link ends when either side drops its
//! [`Outbox`], or when the transport breaks; the inbox is disconnected then.

use std::fmt;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crossbeam_channel::{Receiver, Sender};

use crate::frames::MAX_FRAME_BYTES;

/// A connection between a client and a worker.
#[derive(Debug)]
pub(crate) struct Link {
    pub(crate) outbox: Outbox,
    pub(crate) inbox: Receiver<Vec<u8>>,
}

/// Where frames are sent. Clones share one link.
#[derive(Clone)]
pub(crate) struct Outbox {
    send: Arc<dyn Fn(Vec<u8>) + Send + Sync>,
    sent: Arc<AtomicU64>,
}

impl Outbox {
    pub(crate) fn new(send: impl Fn(Vec<u8>) + Send + Sync + 'static) -> Self {
        Self { send: Arc::new(send), sent: Arc::default() }
    }

    /// Sends a frame. If the link is broken, the inbox says so.
    pub(crate) fn send(&self, frame: Vec<u8>) {
        self.sent.fetch_add(frame.len() as u64, Ordering::Relaxed);
        (self.send)(frame);
    }

    /// How many bytes were sent.
    pub(crate) fn sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }
}

impl fmt::Debug for Outbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Outbox").field(&self.sent()).finish()
    }
}

/// A link over two pipes. Two threads serve it: one ends with the reader, the other with the outbox or the writer.
pub(crate) fn over_pipes(reader: impl Read + Send + 'static, writer: impl Write + Send + 'static) -> Link {
    let (send, frames) = crossbeam_channel::unbounded::<Vec<u8>>();
    std::thread::spawn(move || write_frames(writer, &frames));
    let (arrived, inbox) = crossbeam_channel::unbounded();
    std::thread::spawn(move || read_frames(reader, &arrived));
    // A writer that has ended is noticed at the inbox.
    Link { outbox: Outbox::new(move |frame| drop(send.send(frame))), inbox }
}

fn write_frames(mut writer: impl Write, frames: &Receiver<Vec<u8>>) {
    for frame in frames {
        let mut bytes = Vec::with_capacity(frame.len() + 8);
        bytes.extend_from_slice(&(frame.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&frame);
        if writer.write_all(&bytes).and_then(|()| writer.flush()).is_err() {
            return;
        }
    }
}

fn read_frames(mut reader: impl Read, arrived: &Sender<Vec<u8>>) {
    while let Ok(frame) = read_frame(&mut reader) {
        if arrived.send(frame).is_err() {
            return;
        }
    }
}

fn read_frame(reader: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut length = [0; 8];
    reader.read_exact(&mut length)?;
    let length = u64::from_le_bytes(length);
    if length > MAX_FRAME_BYTES {
        return Err(io::ErrorKind::InvalidData.into());
    }
    // It grows as bytes arrive: a length that is not true costs nothing.
    let mut frame = Vec::new();
    if reader.take(length).read_to_end(&mut frame)? as u64 == length {
        Ok(frame)
    } else {
        Err(io::ErrorKind::UnexpectedEof.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::net::UnixStream;

    #[test]
    fn frames_arrive_in_order_and_the_end_is_seen_on_the_other_side() {
        let (a, b) = UnixStream::pair().unwrap();
        let half = |stream: &UnixStream| stream.try_clone().unwrap();
        let left = over_pipes(half(&a), half(&a));
        let right = over_pipes(half(&b), half(&b));
        for size in [0, 1, 100_000] {
            left.outbox.send(vec![7; size]);
        }
        let sizes: Vec<usize> = right.inbox.iter().take(3).map(|frame| frame.len()).collect();
        assert_eq!(sizes, [0, 1, 100_000]);
        a.shutdown(std::net::Shutdown::Both).unwrap();
        assert!(right.inbox.recv().is_err());
    }

    #[test]
    fn a_length_that_is_not_true_ends_the_link() {
        for bytes in [u64::MAX.to_le_bytes().to_vec(), [5, 0, 0, 0, 0, 0, 0, 0, 1].to_vec()] {
            let link = over_pipes(io::Cursor::new(bytes), io::sink());
            assert!(link.inbox.recv().is_err());
        }
    }
}
