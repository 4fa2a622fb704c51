//! What is measured on the input once and holds for the whole run; a line of text in the journal.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::trust::Trust;

/// What was measured on the input and holds for the whole run.
///
/// ```
/// use whittle_property::Constants;
/// use whittle_property::Trust;
/// let timeout = std::time::Duration::from_secs(2);
/// let constants = Constants { timeout, trust: Trust::Times(3), signature: Some(b"in f".to_vec()) };
/// assert_eq!(constants.to_string().parse(), Ok(constants));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Constants {
    /// How long a test may take.
    pub timeout: Duration,
    /// How runs become a verdict.
    pub trust: Trust,
    /// The signature of the input.
    pub signature: Option<Vec<u8>>,
}

/// A line that holds no constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("these are not the constants of a run")]
pub struct ConstantsError;

impl fmt::Display for Constants {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "timeout={} repeat={}", self.timeout.as_nanos(), self.trust)?;
        if let Some(signature) = &self.signature {
            f.write_str(" signature=")?;
            signature.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        }
        Ok(())
    }
}

impl FromStr for Constants {
    type Err = ConstantsError;

    fn from_str(line: &str) -> Result<Self, ConstantsError> {
        let value = |name: &str| line.split(' ').find_map(|part| part.strip_prefix(name)?.strip_prefix('='));
        let nanos = value("timeout").and_then(|text| text.parse().ok()).ok_or(ConstantsError)?;
        Ok(Self {
            timeout: Duration::from_nanos(nanos),
            trust: value("repeat").and_then(|text| text.parse().ok()).ok_or(ConstantsError)?,
            signature: value("signature").map(|text| from_hex(text).ok_or(ConstantsError)).transpose()?,
        })
    }
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let pairs = text.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).ok().filter(|pair| pair.len() == 2));
    pairs.map(|pair| u8::from_str_radix(pair?, 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_was_cut_or_made_up_is_refused() {
        for line in
            ["", "timeout=1", "timeout=x repeat=1", "timeout=1 repeat=1 signature=f", "timeout=1 repeat=1 signature=zz"]
        {
            assert_eq!(line.parse::<Constants>(), Err(ConstantsError), "{line}");
        }
    }

    #[test]
    fn an_empty_signature_is_not_the_same_as_none() {
        for signature in [None, Some(vec![]), Some(vec![0, 0xff, b' '])] {
            let constants = Constants { timeout: Duration::from_nanos(1), trust: Trust::default(), signature };
            assert_eq!(constants.to_string().parse(), Ok(constants));
        }
    }
}
