//! [`Condition`]: a random property over the words and signs of a text, and [`Timed`], which takes its time to decide it.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use fastrand::Rng;
use whittle::search::{Cancel, Candidate, Property, TestError, Tested, Verdict};

/// What makes a text interesting.
#[derive(Clone, Debug)]
pub(crate) enum Condition {
    /// These pieces stand in the text in this order, with any others between them.
    Ordered(Vec<String>),
    /// There are at least so many of this piece.
    AtLeast(usize, String),
    /// The number of these pieces, divided by two, leaves this rest.
    Parity(String, usize),
    /// Where the first piece is, the second is too.
    Needs(String, String),
    /// The number of all pieces, divided by two, leaves this rest.
    Length(usize),
    All(Vec<Condition>),
    Any(Vec<Condition>),
}

impl Condition {
    /// A condition that holds for the text.
    pub(crate) fn random(text: &str, rng: &mut Rng) -> Self {
        let pieces = pieces(text);
        match rng.u8(..5) {
            0 => Self::Any((0..2).map(|_| Self::all(&pieces, rng)).collect()),
            _ => Self::all(&pieces, rng),
        }
    }

    fn all(pieces: &[&str], rng: &mut Rng) -> Self {
        // Without an order of pieces nearly everything could go at once.
        let ordered = Self::ordered(pieces, rng);
        let more = rng.usize(..4);
        Self::All(std::iter::once(ordered).chain((0..more).map(|_| Self::single(pieces, rng))).collect())
    }

    fn ordered(pieces: &[&str], rng: &mut Rng) -> Self {
        let mut places: Vec<usize> = (0..rng.usize(2..=5)).map(|_| rng.usize(..pieces.len())).collect();
        places.sort_unstable();
        places.dedup();
        Self::Ordered(places.into_iter().map(|place| pieces[place].to_owned()).collect())
    }

    fn single(pieces: &[&str], rng: &mut Rng) -> Self {
        let mut any = || pieces[rng.usize(..pieces.len())];
        let (piece, other) = (any(), any());
        let count = count(pieces, piece);
        match rng.u8(..4) {
            0 => Self::AtLeast(count.min(3), piece.to_owned()),
            1 => Self::Parity(piece.to_owned(), count % 2),
            2 => Self::Needs(piece.to_owned(), other.to_owned()),
            _ => Self::Length(pieces.len() % 2),
        }
    }

    pub(crate) fn holds(&self, text: &str) -> bool {
        self.holds_for(&pieces(text))
    }

    fn holds_for(&self, found: &[&str]) -> bool {
        match self {
            Self::Ordered(wanted) => {
                let mut rest = found.iter();
                wanted.iter().all(|wanted| rest.any(|piece| piece == wanted))
            }
            Self::AtLeast(least, piece) => count(found, piece) >= *least,
            Self::Parity(piece, rest) => count(found, piece) % 2 == *rest,
            Self::Needs(piece, needed) => count(found, piece) == 0 || count(found, needed) > 0,
            Self::Length(rest) => found.len() % 2 == *rest,
            Self::All(parts) => parts.iter().all(|part| part.holds_for(found)),
            Self::Any(parts) => parts.iter().any(|part| part.holds_for(found)),
        }
    }
}

fn count(pieces: &[&str], piece: &str) -> usize {
    pieces.iter().filter(|&&found| found == piece).count()
}

/// Words, numbers and single signs. It is no lexer of any language, so that it has nothing to do with what is tested.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let len = if is_word(first) { rest.find(|c| !is_word(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
        let (piece, after) = rest.split_at(len);
        pieces.push(piece);
        rest = after.trim_start();
    }
    pieces
}

/// A condition whose tests take more or less long, so that they end in another order than they began.
pub(crate) struct Timed {
    condition: Condition,
    jobs: usize,
}

impl Timed {
    pub(crate) fn new(condition: Condition, jobs: usize) -> Self {
        Self { condition, jobs }
    }

    fn linger(&self, text: &str) {
        let mut hasher = DefaultHasher::new();
        (text, self.jobs).hash(&mut hasher);
        match hasher.finish() % 64 {
            0 => std::thread::sleep(Duration::from_micros(100)),
            1..16 => std::thread::yield_now(),
            _ => {}
        }
    }
}

impl Property for Timed {
    fn test(&self, candidate: &Candidate, _: &Cancel) -> Result<Tested, TestError> {
        let text = String::from_utf8_lossy(candidate.files()[0].bytes());
        if self.jobs > 1 {
            self.linger(&text);
        }
        let verdict = if self.condition.holds(&text) { Verdict::Interesting } else { Verdict::Uninteresting };
        Ok(Tested { verdict, elapsed: Duration::ZERO })
    }
}
