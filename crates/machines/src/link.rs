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
    pub(crate) traffic: Arc<Traffic>,
}

/// How many bytes of frames have passed, those of half a frame included: a large one may take its time.
#[derive(Debug, Default)]
pub(crate) struct Traffic {
    sent: AtomicU64,
    written: AtomicU64,
    arrived: AtomicU64,
}

impl Traffic {
    /// The transport has taken so many bytes.
    pub(crate) fn note_written(&self, bytes: usize) {
        self.written.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// So many bytes came from the other side.
    pub(crate) fn note_arrived(&self, bytes: usize) {
        self.arrived.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    pub(crate) fn arrived(&self) -> u64 {
        self.arrived.load(Ordering::Relaxed)
    }
}

/// Whether something passes on a link, from look to look.
#[derive(Debug, Default)]
pub(crate) struct Pulse {
    arrived: u64,
    written: u64,
    waiting: bool,
}

impl Pulse {
    /// Whether bytes arrived since the last look, or a frame that waited then is being written. What is written at once shows
    /// nothing: it may be on its way to nobody.
    pub(crate) fn beats(&mut self, traffic: &Traffic) -> bool {
        let (arrived, written) = (traffic.arrived(), traffic.written.load(Ordering::Relaxed));
        let beats = arrived > self.arrived || (self.waiting && written > self.written);
        let waiting = traffic.sent.load(Ordering::Relaxed) > written;
        *self = Self { arrived, written, waiting };
        beats
    }
}

/// Where frames are sent. Clones share one link.
#[derive(Clone)]
pub(crate) struct Outbox {
    send: Arc<dyn Fn(Vec<u8>) + Send + Sync>,
    traffic: Arc<Traffic>,
}

impl Outbox {
    pub(crate) fn new(traffic: &Arc<Traffic>, send: impl Fn(Vec<u8>) + Send + Sync + 'static) -> Self {
        Self { send: Arc::new(send), traffic: Arc::clone(traffic) }
    }

    /// Sends a frame. If the link is broken, the inbox says so.
    pub(crate) fn send(&self, frame: Vec<u8>) {
        self.traffic.sent.fetch_add(frame.len() as u64, Ordering::Relaxed);
        (self.send)(frame);
    }

    /// How many bytes were sent.
    pub(crate) fn sent(&self) -> u64 {
        self.traffic.sent.load(Ordering::Relaxed)
    }
}

impl fmt::Debug for Outbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Outbox").field(&self.sent()).finish()
    }
}

/// How many bytes pass before that is noted.
const STEP: usize = 64 << 10;

/// A link over two pipes. Two threads serve it: one ends with the reader, the other with the outbox or the writer.
pub(crate) fn over_pipes(reader: impl Read + Send + 'static, writer: impl Write + Send + 'static) -> Link {
    let traffic = Arc::<Traffic>::default();
    let (send, frames) = crossbeam_channel::unbounded::<Vec<u8>>();
    let (arrived, inbox) = crossbeam_channel::unbounded();
    let (outgoing, incoming) = (Arc::clone(&traffic), Arc::clone(&traffic));
    std::thread::spawn(move || write_frames(writer, &frames, &outgoing));
    std::thread::spawn(move || read_frames(reader, &arrived, &incoming));
    // A writer that has ended is noticed at the inbox.
    let outbox = Outbox::new(&traffic, move |frame| drop(send.send(frame)));
    Link { outbox, inbox, traffic }
}

fn write_frames(mut writer: impl Write, frames: &Receiver<Vec<u8>>, traffic: &Traffic) {
    for frame in frames {
        // The length and a short frame go in one write.
        let (first, rest) = frame.split_at(frame.len().min(STEP));
        let length = (frame.len() as u64).to_le_bytes();
        let mut write = |head: &[u8], bytes: &[u8]| {
            let written = writer.write_all(&[head, bytes].concat()).and_then(|()| writer.flush());
            traffic.note_written(bytes.len());
            written
        };
        if write(&length, first).and_then(|()| rest.chunks(STEP).try_for_each(|step| write(&[], step))).is_err() {
            return;
        }
    }
}

fn read_frames(mut reader: impl Read, arrived: &Sender<Vec<u8>>, traffic: &Traffic) {
    while let Ok(frame) = read_frame(&mut reader, traffic) {
        if arrived.send(frame).is_err() {
            return;
        }
    }
}

fn read_frame(reader: &mut impl Read, traffic: &Traffic) -> io::Result<Vec<u8>> {
    let mut length = [0; 8];
    reader.read_exact(&mut length)?;
    let length = u64::from_le_bytes(length);
    if length > MAX_FRAME_BYTES {
        return Err(io::ErrorKind::InvalidData.into());
    }
    // It grows as bytes arrive: a length that is not true costs nothing.
    let mut frame = Vec::new();
    while (frame.len() as u64) < length {
        let step = (length - frame.len() as u64).min(STEP as u64);
        let read = reader.take(step).read_to_end(&mut frame)?;
        traffic.note_arrived(read);
        if read as u64 != step {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    Ok(frame)
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

    #[test]
    fn a_large_frame_that_passes_slowly_is_a_sign_of_life_and_one_that_does_not_pass_is_none() {
        let (mut ours, theirs) = UnixStream::pair().unwrap();
        let link = over_pipes(io::empty(), theirs);
        let mut pulse = Pulse::default();
        link.outbox.send(vec![0; 10]);
        let look = |pulse: &mut Pulse| {
            std::thread::sleep(std::time::Duration::from_millis(50));
            pulse.beats(&link.traffic)
        };
        assert!(!look(&mut pulse) && !look(&mut pulse), "what was written at once may have reached nobody");
        link.outbox.send(vec![0; 100 * STEP]);
        look(&mut pulse);
        assert!(!look(&mut pulse), "nobody reads");
        ours.read_exact(&mut vec![0; 20 * STEP]).unwrap();
        assert!(look(&mut pulse), "it passes");
        assert!(!look(&mut pulse));
    }

    #[test]
    fn half_a_frame_is_a_sign_of_life() {
        let (mut ours, theirs) = UnixStream::pair().unwrap();
        let link = over_pipes(theirs, io::sink());
        ours.write_all(&(4 * STEP as u64).to_le_bytes()).unwrap();
        ours.write_all(&vec![0; 2 * STEP]).unwrap();
        while link.traffic.arrived() < 2 * STEP as u64 {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        assert!(Pulse::default().beats(&link.traffic));
        assert!(link.inbox.try_recv().is_err());
        ours.write_all(&vec![0; 2 * STEP]).unwrap();
        assert_eq!(link.inbox.recv().unwrap().len(), 4 * STEP);
    }
}
