//! A set of exit statuses.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

const BITS: usize = u64::BITS as usize;

/// A set of exit statuses, never empty, each 0 to 255.
///
/// ```
/// use whittle_property::conditions::ExitSet;
///
/// let failures: ExitSet = "128..=255, 1".parse()?;
/// assert!(failures.contains(1) && failures.contains(139) && !failures.contains(0));
/// assert_eq!(failures.to_string(), "1,128..=255");
/// # Ok::<(), whittle_property::conditions::ExitSetError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExitSet([u64; 4]);

impl ExitSet {
    /// The set of exit status 0 alone: success.
    pub const SUCCESS: Self = Self([1, 0, 0, 0]);

    /// Whether `status` is in the set; never so for a number that is not an exit status.
    pub fn contains(self, status: i32) -> bool {
        u8::try_from(status).is_ok_and(|status| self.has(status))
    }

    /// In words: `1`, or `one of 1, 128 to 255`.
    pub(super) fn spelled_out(self) -> String {
        let text = self.to_string().replace("..=", " to ").replace(',', ", ");
        if text.contains(' ') { format!("one of {text}") } else { text }
    }

    fn has(self, status: u8) -> bool {
        let status = usize::from(status);
        self.0[status / BITS] >> (status % BITS) & 1 == 1
    }

    fn insert(&mut self, status: u8) {
        let status = usize::from(status);
        self.0[status / BITS] |= 1 << (status % BITS);
    }
}

impl FromStr for ExitSet {
    type Err = ExitSetError;

    /// Numbers and ranges such as `1,128..=255` or `1,128-255`; `nonzero`; or `!` and what must not be.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some(others) = text.trim().strip_prefix('!') {
            let Self(bits) = others.parse()?;
            let rest = Self(bits.map(|bits| !bits));
            return if rest.0 == [0; 4] { Err(ExitSetError::Empty) } else { Ok(rest) };
        }
        let mut set = Self([0; 4]);
        for part in text.split(',').map(str::trim) {
            let range = part.split_once("..=").or_else(|| part.split_once('-'));
            let (first, last) = match range {
                _ if part == "nonzero" => (1, u8::MAX),
                Some((first, last)) => (status(first, part)?, status(last, part)?),
                None => (status(part, part)?, status(part, part)?),
            };
            if first > last {
                return Err(ExitSetError::Descending { first, last });
            }
            (first..=last).for_each(|status| set.insert(status));
        }
        Ok(set)
    }
}

fn status(text: &str, part: &str) -> Result<u8, ExitSetError> {
    let text = text.trim();
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(ExitSetError::NotAStatus { part: part.to_owned() });
    }
    text.parse().map_err(|_| ExitSetError::TooLarge { status: text.to_owned() })
}

/// Canonical: ascending, and neighbours joined to ranges.
impl fmt::Display for ExitSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        let mut next = 0;
        while let Some(first) = (next..=255).find(|&status| self.has(status)) {
            let last = (first..255).find(|&status| !self.has(status + 1)).unwrap_or(255);
            if first == last {
                write!(f, "{separator}{first}")?;
            } else {
                write!(f, "{separator}{first}..={last}")?;
            }
            separator = ",";
            match last.checked_add(1) {
                Some(after) => next = after,
                None => break,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for ExitSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ExitSet({self})")
    }
}

/// Why a text is no set of exit statuses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExitSetError {
    /// A part is neither a number nor a range.
    #[error("`{part}` is not an exit status: write numbers and ranges such as 1,128-255, or nonzero, or !0")]
    NotAStatus {
        /// The part between two commas.
        part: String,
    },
    /// No process can exit with a status so large.
    #[error("{status} is not an exit status: they go from 0 to 255")]
    TooLarge {
        /// The number as typed.
        status: String,
    },
    /// Every exit status is excluded.
    #[error("no exit status is left: `!` excludes what follows")]
    Empty,
    /// A range that ends before it begins.
    #[error("the range {first}-{last} goes down: write {last}-{first}")]
    Descending {
        /// Where the range begins.
        first: u8,
        /// Where it ends.
        last: u8,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_and_written_canonically() {
        for (text, canonical) in [
            ("0", "0"),
            ("1,128..=255", "1,128..=255"),
            ("1..=3,7", "1..=3,7"),
            (" 7 , 3 ..= 4,5", "3..=5,7"),
            ("2,1,1", "1..=2"),
            ("0..=255", "0..=255"),
            ("255", "255"),
            ("63,64,127..=128", "63..=64,127..=128"),
            ("007", "7"),
            ("nonzero", "1..=255"),
            ("1-255", "1..=255"),
            ("1-3, 7", "1..=3,7"),
            ("!0", "1..=255"),
            ("!1-254", "0,255"),
        ] {
            assert_eq!(text.parse::<ExitSet>().unwrap().to_string(), canonical, "{text}");
        }
    }

    #[test]
    fn a_wrong_text_is_refused_with_the_reason() {
        for (text, reason) in [
            ("", "`` is not an exit status: write numbers and ranges such as 1,128-255, or nonzero, or !0"),
            ("1,", "`` is not an exit status: write numbers and ranges such as 1,128-255, or nonzero, or !0"),
            ("!0-255", "no exit status is left: `!` excludes what follows"),
            ("3-1", "the range 3-1 goes down: write 1-3"),
            ("zero", "`zero` is not an exit status: write numbers and ranges such as 1,128-255, or nonzero, or !0"),
            ("1..3", "`1..3` is not an exit status: write numbers and ranges such as 1,128-255, or nonzero, or !0"),
            ("128..=", "`128..=` is not an exit status: write numbers and ranges such as 1,128-255, or nonzero, or !0"),
            ("-1", "`-1` is not an exit status: write numbers and ranges such as 1,128-255, or nonzero, or !0"),
            ("+1", "`+1` is not an exit status: write numbers and ranges such as 1,128-255, or nonzero, or !0"),
            ("256", "256 is not an exit status: they go from 0 to 255"),
            ("1..=99999999999", "99999999999 is not an exit status: they go from 0 to 255"),
            ("3..=1", "the range 3-1 goes down: write 1-3"),
        ] {
            assert_eq!(text.parse::<ExitSet>().unwrap_err().to_string(), reason, "{text}");
        }
    }

    #[test]
    fn a_number_that_is_no_status_is_in_no_set() {
        let all: ExitSet = "0..=255".parse().unwrap();
        assert!(!all.contains(-1) && !all.contains(256) && !all.contains(i32::MAX));
    }

    #[test]
    fn a_random_set_contains_what_was_listed_and_survives_being_written_and_read() {
        for seed in 0..200 {
            let mut random = fastrand::Rng::with_seed(seed);
            let listed: Vec<u8> = (0..random.usize(1..60)).map(|_| random.u8(..)).collect();
            let text = listed.iter().map(u8::to_string).collect::<Vec<_>>().join(",");
            let set: ExitSet = text.parse().unwrap();
            for status in 0..=255_u8 {
                assert_eq!(set.contains(status.into()), listed.contains(&status), "seed {seed}");
            }
            assert_eq!(set.to_string().parse(), Ok(set), "seed {seed}");
        }
    }
}
