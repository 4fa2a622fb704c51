//! The smallest value of a number: a bound that it must reach is found by bisection.
//!
//! A number of which only the size matters, as in `a[100]`, has no smaller text that other passes would try: 73 is no part
//! of 100. The value below the current one says whether it is such a number. If that works, bisection finds the smallest
//! value. If not, half the value is tried, for sizes that are powers of two. Numbers with the same text change together where
//! that works.
//!
//! Promise: the value below the result does not work, nor half of it. Cost: two tests for a number that must stay,
//! otherwise one for each bit of it; twice that if several tokens have the text.

use std::sync::Arc;

use whittle_search::{Search, Stages, Stop};

use crate::piece::{Piece, Stage};
use crate::token::TokenKind;

/// Searches the smallest value of each number.
pub(crate) fn search_numbers(search: &mut Search, piece: &mut Piece<'_>) -> Result<(), Stop> {
    let is_number =
        |&token: &usize| piece.tokens()[token].kind != TokenKind::Name && number(piece.text(token)).is_some();
    let tokens = (0..piece.tokens().len()).filter(is_number).collect();
    let numbers = Numbers { piece: piece.clone(), tokens, begun: 0, current: None };
    *piece = piece.work.run_stages(search, numbers)?.piece;
    Ok(())
}

/// The value of a decimal number above one, and the suffix behind its digits. Smaller ones are tried by other passes.
fn number(text: &str) -> Option<(u64, &str)> {
    let (digits, suffix) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    let is_plain = !digits.starts_with('0') && suffix.chars().all(|c| c.is_ascii_alphabetic() || c == '%');
    digits.parse().ok().filter(|&value: &u64| value > 1 && is_plain).map(|value| (value, suffix))
}

#[derive(Clone)]
struct Numbers<'a> {
    piece: Piece<'a>,
    tokens: Arc<[usize]>,
    /// How many of them have had their turn, or have it now.
    begun: usize,
    current: Option<Bisection>,
}

/// The search for the smallest value of one token.
#[derive(Clone)]
struct Bisection {
    token: usize,
    suffix: String,
    /// A value that is taken to be too small.
    low: u64,
    /// The value so far.
    high: u64,
    probe: Probe,
}

/// Which value is tried next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Probe {
    Below,
    Half,
    Middle,
}

impl Bisection {
    fn new(piece: &Piece<'_>, token: usize) -> Option<Self> {
        let (high, suffix) = number(piece.text(token))?;
        Some(Self { token, suffix: suffix.to_owned(), low: 0, high, probe: Probe::Below })
    }

    fn value(&self) -> Option<u64> {
        let value = match self.probe {
            Probe::Below => self.high - 1,
            Probe::Half => self.high / 2,
            Probe::Middle => self.low + (self.high - self.low) / 2,
        };
        Some(value).filter(|&value| value > self.low)
    }

    /// The search after a value worked or failed; `None` at the end.
    fn after(self, value: u64, works: bool) -> Option<Self> {
        let next = match (self.probe, works) {
            (Probe::Below, true) => Self { high: value, probe: Probe::Middle, ..self },
            (Probe::Below, false) => Self { probe: Probe::Half, ..self },
            (Probe::Half, true) => Self { high: value, probe: Probe::Below, ..self },
            (Probe::Half, false) => return None,
            (Probe::Middle, true) => Self { high: value, ..self },
            (Probe::Middle, false) => Self { low: value, ..self },
        };
        Some(next)
    }
}

impl Stages for Numbers<'_> {
    type Stage = Stage;

    fn begin(&mut self) -> Option<Stage> {
        loop {
            let current = match self.current.take() {
                Some(current) => Some(current),
                None => {
                    let &token = self.tokens.get(self.begun)?;
                    self.begun += 1;
                    Bisection::new(&self.piece, token)
                }
            };
            if let Some(current) = current
                && let Some(value) = current.value()
            {
                let stage = self.piece.replacing(current.token, &[format!("{value}{}", current.suffix)]);
                self.current = Some(current);
                return Some(stage);
            }
        }
    }

    fn end(&mut self, stage: Stage) {
        let works = self.piece.work.take(&stage).is_some();
        self.current = self.current.take().and_then(|current| {
            let value = current.value()?;
            current.after(value, works)
        });
    }
}

#[cfg(test)]
mod tests {
    use whittle_grammars::Alphabet;
    use whittle_trees::Workshop;

    use super::*;
    use crate::testing::ends_with;

    fn run(search: &mut Search, workshop: &Workshop) -> Result<(), Stop> {
        let alphabet = Alphabet::default();
        match Piece::take(search, workshop, &alphabet) {
            Some(mut piece) => search_numbers(search, &mut piece),
            None => Ok(()),
        }
    }

    fn first_number(text: &str) -> u64 {
        let digits = text.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit);
        digits.collect::<String>().parse().unwrap_or(0)
    }

    #[test]
    fn every_bound_below_a_number_is_found() {
        for bound in 0..=100 {
            let (end, asked) = ends_with("c", "int a[100];", move |text| first_number(text) >= bound, run);
            assert_eq!(first_number(&end), bound.max(1), "{end}");
            assert!(asked.len() <= 9, "{} tests", asked.len());
        }
    }

    #[test]
    fn a_number_that_must_stay_takes_two_tests() {
        let (end, asked) = ends_with("python", "f(100)\n", |text| text.contains("(100)"), run);
        assert_eq!((end.as_str(), asked.len()), ("f(100)\n", 2));
    }

    #[test]
    fn a_power_of_two_is_halved() {
        let is_aligned = |text: &str| first_number(text) >= 8 && first_number(text).is_power_of_two();
        assert_eq!(ends_with("c", "int a[64];", is_aligned, run).0, "int a[8];");
    }

    #[test]
    fn equal_numbers_change_together_and_suffixes_stay() {
        let is_pair = |text: &str| {
            let bounds: Vec<u64> = text.split(['[', '=']).skip(1).map(first_number).collect();
            bounds.len() == 2 && bounds[0] == bounds[1] && bounds[0] >= 5
        };
        assert_eq!(ends_with("c", "int a[10]; int b = 10;", is_pair, run).0, "int a[5]; int b = 5;");
        let is_large = |text: &str| first_number(text) >= 73 && text.contains("L;");
        assert_eq!(ends_with("c", "long a = 100L;", is_large, run).0, "long a = 73L;");
    }
}
