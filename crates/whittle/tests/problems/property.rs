//! A problem as its own property, decided in process.

use std::time::Duration;

use whittle::search::{Cancel, Candidate, Property, TestError, Tested, Verdict};

use crate::problem::{Chance, Problem};

impl Property for Problem {
    fn test(&self, candidate: &Candidate, _: &Cancel) -> Result<Tested, TestError> {
        let verdict = if self.is_interesting(candidate) { Verdict::Interesting } else { Verdict::Uninteresting };
        Ok(Tested { verdict, elapsed: Duration::ZERO })
    }
}

impl Problem {
    /// Whether all parts of the property hold.
    pub(crate) fn is_interesting(&self, candidate: &Candidate) -> bool {
        self.verdicts.get(candidate, || {
            let text = candidate.files()[0].bytes();
            // The cheapest parts first: what has not even the texts of the tokens need not be made a tree.
            contains_in_order(text, self.wanted())
                && contains_in_order(text, self.property.contains.iter().map(String::as_bytes))
                && !self.is_unlucky(text)
                && (!self.property.syntax || self.errors(text) == 0)
                && self.has_tokens(text)
        })
    }

    /// Whether a text is not interesting by chance, the same in every run and with any whitespace: reducers promise nothing
    /// where whitespace decides, since they lay out the result at the end.
    fn is_unlucky(&self, text: &[u8]) -> bool {
        self.property.chance.is_some_and(|Chance { salt, one_in }| {
            let fnv = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
            let hash = text.iter().filter(|byte| !byte.is_ascii_whitespace()).fold(salt, fnv);
            text != self.input_text() && (hash >> 32).is_multiple_of(one_in)
        })
    }

    fn wanted(&self) -> impl Iterator<Item = &[u8]> {
        self.property.tokens.split_whitespace().map(str::as_bytes)
    }

    fn has_tokens(&self, text: &[u8]) -> bool {
        if self.property.tokens.is_empty() && self.property.needs.is_empty() && !self.property.balanced {
            return true;
        }
        let tokens = self.tokens(text);
        let has = |token: &str| tokens.iter().any(|found| found == token.as_bytes());
        let mut rest = tokens.iter();
        self.wanted().all(|wanted| rest.any(|token| token == wanted))
            && self.property.needs.iter().all(|(token, needed)| !has(token) || has(needed))
            && (!self.property.balanced || is_balanced(&tokens))
    }
}

/// Whether these texts are there in their order, be they tokens or not.
fn contains_in_order<'a>(text: &[u8], mut wanted: impl Iterator<Item = &'a [u8]>) -> bool {
    let mut rest = text;
    wanted.all(|wanted| {
        let found = rest.windows(wanted.len()).position(|window| window == wanted);
        rest = found.map_or(&[], |at| &rest[at + wanted.len()..]);
        found.is_some()
    })
}

/// Whether each bracket has its other half.
fn is_balanced(tokens: &[Vec<u8>]) -> bool {
    let mut open = Vec::new();
    let fits = |token: &Vec<u8>| match token.as_slice() {
        b"(" | b"[" | b"{" => {
            open.push(token[0]);
            true
        }
        b")" => open.pop() == Some(b'('),
        b"]" => open.pop() == Some(b'['),
        b"}" => open.pop() == Some(b'{'),
        _ => true,
    };
    tokens.iter().all(fits) && open.is_empty()
}
