//! The signature of a failure: what tells one bug from another.

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::observation::{Observation, Stream};
use super::pattern::{Pattern, PatternError};
use super::stack;

/// The longest file-name stem that is made of a signature, in bytes.
const LONGEST_NAME: usize = 60;

/// A pattern that picks the signature out of what a command prints.
///
/// Standard output is searched before standard error, and the first match in it wins. The signature is the first group
/// that took part in the match, or the whole match where the pattern has no groups or none took part.
///
/// ```
/// use whittle_property::conditions::{Ending, Observation, Signature};
///
/// let signature: Signature = r"internal compiler error: in (\w+)".parse()?;
/// let stderr = b"a.c:1:1: internal compiler error: in expand_expr, at expr.cc:9\n".to_vec();
/// let run = Observation { ending: Ending::Exited(1), stdout: Vec::new(), stderr };
/// assert_eq!(signature.capture(&run).as_deref(), Some(&b"expand_expr"[..]));
/// # Ok::<(), whittle_property::conditions::PatternError>(())
/// ```
///
/// `@stack` stands for the crash that a sanitizer, an assertion or a panic reports: what went wrong, and the functions on top
/// of the stack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signature(Source);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Source {
    Pattern(Pattern),
    Stack,
}

/// What stands for [`Signature::STACK`].
const STACK: &str = "@stack";

impl Signature {
    /// The crash that is reported, or the signal if nothing is.
    pub const STACK: Self = Self(Source::Stack);

    /// Whether it is [`Self::STACK`].
    pub fn is_stack(&self) -> bool {
        self.0 == Source::Stack
    }

    /// The signature of this run, if it has one.
    pub fn capture(&self, run: &Observation) -> Option<Vec<u8>> {
        let Source::Pattern(pattern) = &self.0 else { return stack::signature(run) };
        let captures = [Stream::Stdout, Stream::Stderr]
            .into_iter()
            .find_map(|stream| pattern.regex().captures(run.printed(stream)))?;
        let found = captures.iter().skip(1).flatten().next().or_else(|| captures.get(0))?;
        Some(found.as_bytes().to_vec())
    }

    /// A stem for the name of a file about this signature: its readable characters and a hash of all of it, at most 60
    /// characters of `A-Za-z0-9._-`. Different signatures have different names (by the 64 bits of the hash), on
    /// file systems that ignore case as well.
    ///
    /// ```
    /// use whittle_property::conditions::Signature;
    ///
    /// let name = Signature::file_name(b"in expand_expr");
    /// assert!(name.starts_with("in_expand_expr-"));
    /// ```
    pub fn file_name(signature: &[u8]) -> String {
        let hash = format!("{:016x}", xxh3_64(signature));
        let readable: String =
            signature.iter().take(LONGEST_NAME - 1 - hash.len()).map(|&byte| safe(byte.into())).collect();
        let readable = match readable.as_bytes().first() {
            None => "empty".to_owned(),
            // A hidden file would be overlooked, and a dash be taken for an option.
            Some(b'.' | b'-') => format!("_{}", &readable[1..]),
            Some(_) => readable,
        };
        format!("{readable}-{hash}")
    }
}

fn safe(character: char) -> char {
    if character.is_ascii_alphanumeric() || matches!(character, '.' | '_' | '-') { character } else { '_' }
}

impl FromStr for Signature {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == STACK { Ok(Self::STACK) } else { text.parse().map(|pattern| Self(Source::Pattern(pattern))) }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::observation::Ending;
    use super::*;

    #[test]
    fn the_signature_is_the_first_group_of_the_first_match() {
        for (pattern, stdout, stderr, signature) in [
            (r"error: \w+", "", "error: one, error: two", Some("error: one")),
            (r"error: (\w+)", "", "error: one, error: two", Some("one")),
            (r"error: (\w+), (\w+)", "", "error: one, two", Some("one")),
            (r"error: (?:\w+)", "", "error: one", Some("error: one")),
            (r"in (\w+)|at (\w+)", "", "at two", Some("two")),
            (r"fault( in \w+)?", "", "fault", Some("fault")),
            (r"error: (\w*)", "", "error: !", Some("")),
            (r"error: (\w+)", "error: out", "error: err", Some("out")),
            (r"error: (\w+)", "fine", "error: err", Some("err")),
            (r"^at (\w+)$", "", "here\nat main\n", Some("main")),
            (r"error", "fine", "fine", None),
        ] {
            let run = Observation { ending: Ending::Exited(1), stdout: stdout.into(), stderr: stderr.into() };
            let captured = pattern.parse::<Signature>().unwrap().capture(&run);
            assert_eq!(captured.as_deref(), signature.map(str::as_bytes), "{pattern}");
        }
    }

    #[test]
    fn a_name_shows_what_can_be_read() {
        for (signature, readable) in [
            (&b"in expand_expr, at expr.cc:12"[..], "in_expand_expr__at_expr.cc_12-"),
            (b"", "empty-"),
            (b"/", "_-"),
            (b"..", "_.-"),
            (b"-rf", "_rf-"),
            (b"\xff\0\n", "___-"),
            (b"CON", "CON-"),
        ] {
            let name = Signature::file_name(signature);
            assert!(name.starts_with(readable), "{name}");
            assert_eq!(name.len(), readable.len() + 16, "{name}");
        }
    }

    #[test]
    fn names_of_random_signatures_are_safe_and_differ() {
        let mut random = fastrand::Rng::with_seed(7);
        let mut signatures = HashSet::new();
        let mut names = HashSet::new();
        for _ in 0..2_000 {
            let signature: Vec<u8> =
                (0..random.usize(..90)).map(|_| if random.bool() { b'a' } else { random.u8(..) }).collect();
            let name = Signature::file_name(&signature);
            assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c)), "{name}");
            assert!(name.len() <= LONGEST_NAME && !name.starts_with(['.', '-']), "{name}");
            signatures.insert(signature);
            names.insert(name.to_ascii_lowercase());
        }
        assert_eq!(names.len(), signatures.len());
    }
}
