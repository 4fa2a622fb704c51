//! A link over two subjects. Frames that are larger than a message may be go in several. Messages are numbered: core NATS
//! loses some when a connection breaks, and then the link ends. Who starts again has lost time only.

use std::sync::Arc;

use async_nats::{Client, Subscriber};
use crossbeam_channel::Sender;
use futures_util::StreamExt;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::oneshot;

use crate::frames::MAX_FRAME_BYTES;
use crate::link::{Link, Outbox, Traffic};

/// What a message begins with: its number in 8 bytes, and its kind.
const HEAD: usize = 9;

/// More of the frame follows.
const PART: u8 = 0;
/// The frame ends here.
const LAST: u8 = 1;
/// The link ends here.
const BYE: u8 = 2;

/// The largest part of a frame in one message, in bytes, whatever the server allows: its default is 1 MiB. A message shows that
/// the link works when all of it is there, so on a slow link it must be small.
const MAX_PART: usize = 64 << 10;

/// A link that sends to `subject`.
pub(super) fn open(client: Client, subject: String, arriving: Subscriber) -> Link {
    let (send, frames) = tokio::sync::mpsc::unbounded_channel();
    let (ended, end) = oneshot::channel::<()>();
    let (arrived, inbox) = crossbeam_channel::unbounded();
    let traffic = Arc::<Traffic>::default();
    let (outgoing, incoming) = (Arc::clone(&traffic), Arc::clone(&traffic));
    let runtime = super::runtime();
    runtime.spawn(async move {
        write(&client, &subject, frames, &outgoing).await;
        drop(ended);
    });
    runtime.spawn(async move {
        tokio::select! {
            () = read(arriving, arrived, &incoming) => {}
            _ = end => {}
        }
    });
    Link { outbox: Outbox::new(&traffic, move |frame| drop(send.send(frame))), inbox, traffic }
}

async fn write(client: &Client, subject: &str, mut frames: UnboundedReceiver<Vec<u8>>, traffic: &Traffic) {
    let mut number = 0;
    let mut message = |kind: u8, part: &[u8]| {
        let mut message = Vec::with_capacity(HEAD + part.len());
        message.extend_from_slice(&u64::to_le_bytes(number));
        message.push(kind);
        message.extend_from_slice(part);
        number += 1;
        message
    };
    let size = MAX_PART.min(client.max_payload().saturating_sub(HEAD)).max(1);
    while let Some(frame) = frames.recv().await {
        let (head, last) = frame.split_at(frame.len().saturating_sub(1) / size * size);
        let parts = head.chunks(size).map(|part| (PART, part)).chain([(LAST, last)]);
        for (kind, part) in parts {
            if client.publish(subject.to_owned(), message(kind, part).into()).await.is_err() {
                return;
            }
            traffic.note_written(part.len());
        }
    }
    let _ = client.publish(subject.to_owned(), message(BYE, &[]).into()).await;
}

/// Ends when the other side does, when a message is missing, and when nobody wants frames any more.
async fn read(mut arriving: Subscriber, arrived: Sender<Vec<u8>>, traffic: &Traffic) {
    let (mut expected, mut frame) = (0u64, Vec::new());
    while let Some(message) = arriving.next().await {
        let Some((head, part)) = message.payload.split_at_checked(HEAD) else { return };
        if head[..8] != expected.to_le_bytes() || (frame.len() + part.len()) as u64 > MAX_FRAME_BYTES {
            return;
        }
        expected += 1;
        traffic.note_arrived(part.len());
        frame.extend_from_slice(part);
        match head[8] {
            PART => {}
            LAST => {
                if arrived.send(std::mem::take(&mut frame)).is_err() {
                    return;
                }
            }
            _ => return,
        }
    }
}
