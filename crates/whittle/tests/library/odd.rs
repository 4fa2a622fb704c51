//! Odd shapes of text, and how to reduce each with a property that costs nothing.
//!
//! `benches/shapes.rs` uses this file too, with larger sizes.

use whittle::languages::Language;
use whittle::reduction::Outcome;
use whittle::syntaxes::LanguageChoice;
use whittle::{Input, Reduction, ReductionError};

#[path = "odd_texts.rs"]
mod texts;

pub(crate) use texts::{MARK, SHAPES};

/// What makes a candidate interesting.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wanted {
    /// The mark: nearly everything goes.
    Mark,
    /// The mark, and half of the bytes that are no whitespace: much has to stay, and nothing says what.
    MarkAndHalf,
}

/// Reduces a text with a closure as the property, in a language (`None`: in none).
pub(crate) fn reduce(
    language: Option<&'static Language>,
    text: Vec<u8>,
    wanted: Wanted,
    limit: impl FnOnce(Reduction) -> Reduction,
) -> Result<Outcome, ReductionError> {
    let count = |text: &[u8]| text.iter().filter(|byte| !byte.is_ascii_whitespace()).count();
    let least = match wanted {
        Wanted::Mark => 0,
        Wanted::MarkAndHalf => count(&text) / 2,
    };
    let property = move |text: &[u8]| {
        text.windows(MARK.len()).any(|window| window == MARK) && (least == 0 || count(text) >= least)
    };
    let language = language.map_or(LanguageChoice::Text, LanguageChoice::Is);
    // A fixed limit, so that the counted tests are the same on every machine.
    limit(Reduction::new(Input::new("odd", text), property).language(language).jobs(1).check_up_to(1 << 20)).run()
}
