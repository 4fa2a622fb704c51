//! [`Letters`]: which characters people like to read, for the order of texts that are equally large otherwise.
//!
//! Letters come before digits; but digits come first in a number, that is from its first digit or a `#` to the end of the
//! word, so that `0x1f` is smaller than `0xaf`. Tokens are made canonical in the same order.

use std::fmt;
use std::sync::Arc;

/// An order of characters, byte by byte. The usual one is letters, capital letters, digits, the underscore; then other
/// characters of ASCII, and others.
#[derive(Clone, PartialEq, Eq)]
pub struct Letters {
    /// The place of each byte.
    places: Arc<[u8; 256]>,
}

impl Default for Letters {
    fn default() -> Self {
        Self::beginning_with([])
    }
}

impl fmt::Debug for Letters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut bytes: Vec<u8> = (b'!'..=b'~').collect();
        bytes.sort_by_key(|&byte| self.places[usize::from(byte)]);
        f.debug_tuple("Letters").field(&String::from_utf8_lossy(&bytes)).finish()
    }
}

impl Letters {
    /// These characters first, then the others as usual.
    pub fn beginning_with(first: impl IntoIterator<Item = u8>) -> Self {
        let readable = (b'a'..=b'z').chain(b'A'..=b'Z').chain(b'0'..=b'9').chain([b'_']);
        let others = (b'!'..=b'~').chain(0x80..=0xff).chain(0..=0x7f);
        let mut places = [None; 256];
        let mut next = 0..=u8::MAX;
        for byte in first.into_iter().chain(readable).chain(others) {
            let place = &mut places[usize::from(byte)];
            *place = place.or_else(|| next.next());
        }
        Self { places: Arc::new(places.map(Option::unwrap_or_default)) }
    }

    /// The places of the bytes that are not blank.
    pub(crate) fn solid_ranks(&self, bytes: &[u8]) -> impl Iterator<Item = (bool, u8)> {
        let (mut in_word, mut in_number) = (false, false);
        bytes.iter().filter_map(move |&byte| {
            let rank = self.rank(byte, in_number);
            let was_in_word = std::mem::replace(&mut in_word, byte.is_ascii_alphanumeric() || byte == b'_');
            let begins_number = if in_word { !was_in_word && byte.is_ascii_digit() } else { byte == b'#' };
            in_number = begins_number || (in_word && in_number);
            (!byte.is_ascii_whitespace()).then_some(rank)
        })
    }

    fn rank(&self, byte: u8, in_number: bool) -> (bool, u8) {
        if in_number && byte.is_ascii_digit() { (false, byte) } else { (true, self.places[usize::from(byte)]) }
    }
}
