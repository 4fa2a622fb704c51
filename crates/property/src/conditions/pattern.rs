//! A regular expression over what a command prints.

use std::fmt;
use std::str::FromStr;

use regex::bytes::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};

/// A regular expression over bytes. It may match anywhere, `^` and `$` match at the ends of each line (as in `grep`),
/// and `.` matches no line end; `(?s)`, `(?i)` and the like change that.
///
/// ```
/// use whittle_property::conditions::Pattern;
///
/// let pattern: Pattern = "^error: .* overflow$".parse()?;
/// assert!(pattern.is_match(b"warning: unused\nerror: stack overflow\n"));
/// assert!("(".parse::<Pattern>().is_err());
/// # Ok::<(), whittle_property::conditions::PatternError>(())
/// ```
#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Pattern(Regex);

impl Pattern {
    /// Whether the pattern matches anywhere in `printed`.
    pub fn is_match(&self, printed: &[u8]) -> bool {
        self.0.is_match(printed)
    }

    /// The pattern as typed.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    pub(super) fn regex(&self) -> &Regex {
        &self.0
    }
}

impl FromStr for Pattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(RegexBuilder::new(text).multi_line(true).build()?))
    }
}

impl TryFrom<String> for Pattern {
    type Error = PatternError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Pattern> for String {
    fn from(pattern: Pattern) -> Self {
        pattern.as_str().to_owned()
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Pattern {}

/// Between slashes: `/internal error/`.
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "/{}/", self.as_str())
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pattern({:?})", self.as_str())
    }
}

/// Why a text is no regular expression; shows the place.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error(transparent)]
pub struct PatternError(#[from] regex::Error);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_grep_users_expect() {
        for (pattern, printed, matches) in [
            ("in expand", &b"internal compiler error: in expand_expr"[..], true),
            ("^in", b"internal\nmain\n", true),
            ("^main$", b"internal\nmain\n", true),
            ("a.b", b"a\nb", false),
            ("(?s)a.b", b"a\nb", true),
            ("(?i)ERROR", b"error", true),
            ("error", b"\xff\xfe error \xff", true),
            (r"(?-u)\xff\xfe", b"\xff\xfe", true),
            ("", b"", true),
        ] {
            assert_eq!(pattern.parse::<Pattern>().unwrap().is_match(printed), matches, "{pattern}");
        }
    }

    #[test]
    fn the_error_shows_the_place() {
        let message = "a(b".parse::<Pattern>().unwrap_err().to_string();
        assert!(message.contains("unclosed group") && message.contains("a(b"), "{message}");
    }
}
