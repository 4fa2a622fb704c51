//! Likeness to a recorded output.

use std::fmt;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use super::similarity::{Similarity, Words};

/// An output that was recorded, and how similar to it another must be.
///
/// ```
/// use whittle_property::conditions::{Likeness, Similarity};
///
/// let likeness = Likeness::new(b"main.c:3: assertion failed in fold", Similarity::DEFAULT_THRESHOLD);
/// assert!(likeness.check(b"main.c:1: assertion failed in fold").is_ok());
/// assert!(likeness.check(b"main.c:1: syntax error").is_err());
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "(Vec<u8>, Similarity)", into = "(Vec<u8>, Similarity)")]
pub struct Likeness {
    recorded: Words,
    threshold: Similarity,
}

impl Likeness {
    /// Asks that an output is at least `threshold` similar to `recorded`.
    pub fn new(recorded: &[u8], threshold: Similarity) -> Self {
        Self { recorded: Words::new(recorded), threshold }
    }

    /// The recorded output.
    pub fn recorded(&self) -> &[u8] {
        self.recorded.text()
    }

    /// How similar an output must be.
    pub fn threshold(&self) -> Similarity {
        self.threshold
    }

    /// Whether `printed` is similar enough; if not, how similar it is.
    pub fn check(&self, printed: &[u8]) -> Result<(), Similarity> {
        let similarity = self.recorded.similarity(printed);
        if similarity >= self.threshold { Ok(()) } else { Err(similarity) }
    }
}

impl From<(Vec<u8>, Similarity)> for Likeness {
    fn from((recorded, threshold): (Vec<u8>, Similarity)) -> Self {
        Self::new(&recorded, threshold)
    }
}

impl From<Likeness> for (Vec<u8>, Similarity) {
    fn from(likeness: Likeness) -> Self {
        (likeness.recorded().to_vec(), likeness.threshold)
    }
}

/// Short, for fingerprints: a hash in place of the recorded output.
impl fmt::Display for Likeness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x} at {}", xxh3_128(self.recorded()), self.threshold)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_threshold_itself_is_enough() {
        for (threshold, enough) in [("0.8", true), ("0.81", false), ("0", true), ("1", false)] {
            let likeness = Likeness::new(b"one two three", threshold.parse().unwrap());
            assert_eq!(likeness.check(b"one three").is_ok(), enough, "{threshold}");
        }
    }

    #[test]
    fn other_records_and_thresholds_are_written_differently() {
        let texts = [("a", "0.8"), ("b", "0.8"), ("a", "0.81"), ("", "1")]
            .map(|(recorded, threshold)| Likeness::new(recorded.as_bytes(), threshold.parse().unwrap()).to_string());
        let distinct: std::collections::HashSet<&String> = texts.iter().collect();
        assert_eq!(distinct.len(), texts.len());
        assert!(texts[0].ends_with(" at 0.80"), "{}", texts[0]);
    }
}
