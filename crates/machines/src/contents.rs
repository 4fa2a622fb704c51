//! Contents by digest, as a worker has them: those that are kept from session to session, and those that arrive in parts.
//!
//! A worker asks for a few parts ahead, and for the next one as each arrives. So both sides hear of each other all the time,
//! however slow the link is, and pings do not wait behind a large content.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use crate::frames::{Digest, MAX_CONTENT_BYTES, PART_BYTES, digest};

/// How many bytes of contents are kept for the next session of a client that lost its link.
const KEPT_BYTES: usize = 256 << 20;

/// How many parts are asked for ahead: enough to use a link of 100 Mb/s with 40 ms to the other side.
const PARTS_AHEAD: u64 = 4;

/// Contents that are whole, the oldest dropped first.
#[derive(Debug, Default)]
pub(crate) struct Contents {
    kept: HashMap<Digest, Arc<Vec<u8>>>,
    order: VecDeque<Digest>,
    bytes: usize,
}

impl Contents {
    pub(crate) fn get(&self, name: Digest) -> Option<Arc<Vec<u8>>> {
        self.kept.get(&name).cloned()
    }

    pub(crate) fn keep(&mut self, name: Digest, content: &Arc<Vec<u8>>) {
        if self.kept.contains_key(&name) {
            return;
        }
        self.bytes += content.len();
        self.kept.insert(name, Arc::clone(content));
        self.order.push_back(name);
        while self.bytes > KEPT_BYTES && self.order.len() > 1 {
            let oldest = self.order.pop_front().and_then(|name| self.kept.remove(&name));
            self.bytes -= oldest.map_or(0, |content| content.len());
        }
    }
}

/// A content of which parts are there.
#[derive(Debug)]
pub(crate) struct Arriving {
    name: Digest,
    bytes: Vec<u8>,
    /// Up to where it was asked for.
    asked: u64,
    /// How large it is, once a part has said so.
    size: Option<u64>,
}

impl Arriving {
    pub(crate) fn new(name: Digest) -> Self {
        Self { name, bytes: Vec::new(), asked: 0, size: None }
    }

    /// Where the parts begin that should be asked for now. Of a content of unknown size, that is the first alone.
    pub(crate) fn wishes(&mut self) -> Vec<u64> {
        let ahead = self.bytes.len() as u64 + PARTS_AHEAD * PART_BYTES;
        let until = self.size.map_or(1, |size| size.min(ahead));
        let mut wishes = Vec::new();
        while self.asked < until {
            wishes.push(self.asked);
            self.asked += PART_BYTES;
        }
        wishes
    }

    /// Takes the next part of a content of so many bytes; `None` if it cannot be that.
    pub(crate) fn take(&mut self, size: u64, part: &[u8]) -> Option<()> {
        let left = size.checked_sub(self.bytes.len() as u64)?;
        let is_next = part.len() as u64 == left.min(PART_BYTES) && self.size.is_none_or(|known| known == size);
        if !is_next || size > MAX_CONTENT_BYTES {
            return None;
        }
        self.size = Some(size);
        self.bytes.extend_from_slice(part);
        Some(())
    }

    /// The content, if it is whole; `Some(None)` if it is not what its name says.
    pub(crate) fn finish(&mut self) -> Option<Option<Arc<Vec<u8>>>> {
        if self.size != Some(self.bytes.len() as u64) {
            return None;
        }
        let bytes = std::mem::take(&mut self.bytes);
        Some((digest(&bytes) == self.name).then(|| Arc::new(bytes)))
    }
}

/// The part of a content that begins at `from`; `None` if there is none.
pub(crate) fn part(content: &[u8], from: u64) -> Option<&[u8]> {
    let rest = content.get(usize::try_from(from).ok()?..)?;
    Some(&rest[..rest.len().min(PART_BYTES as usize)])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sends a content in parts, and gives what arrives and the most parts that were under way at once.
    fn sent(content: &[u8]) -> (Vec<u8>, usize) {
        let mut arriving = Arriving::new(digest(content));
        let mut asked = VecDeque::from(arriving.wishes());
        let mut most = asked.len();
        while let Some(from) = asked.pop_front() {
            arriving.take(content.len() as u64, part(content, from).unwrap()).unwrap();
            asked.extend(arriving.wishes());
            most = most.max(asked.len());
        }
        (arriving.finish().unwrap().unwrap().to_vec(), most)
    }

    #[test]
    fn a_content_of_any_size_arrives_in_parts_and_few_are_under_way() {
        let part = PART_BYTES as usize;
        for size in [0, 1, part - 1, part, part + 1, 4 * part, 20 * part + 5] {
            let content: Vec<u8> = (0..size).map(|at| (at * 7 / 3) as u8).collect();
            let (arrived, most) = sent(&content);
            assert!(arrived == content, "{size} bytes");
            assert!(most <= PARTS_AHEAD as usize, "{most} parts of {size} bytes");
        }
    }

    #[test]
    fn parts_that_cannot_be_of_the_content_are_refused() {
        let mut arriving = Arriving::new(digest(b"content"));
        assert_eq!(arriving.take(3, b"content"), None, "more than there is");
        assert_eq!(arriving.take(MAX_CONTENT_BYTES + 1, &vec![0; PART_BYTES as usize]), None, "too large");
        assert_eq!(arriving.take(9, b"content"), None, "half a part");
        assert_eq!(arriving.take(7, b"Content"), Some(()));
        assert_eq!(arriving.finish(), Some(None), "another digest");
        assert_eq!(part(b"content", 8), None);
        assert_eq!(part(b"content", u64::MAX), None);
    }
}
