//! Every odd shape of text ends, in every language of the build and in none, within a bound on counted tests.

use whittle::languages::Language;
use whittle::reduction::{Confirmation, End};

use crate::odd::{MARK, SHAPES, Wanted, reduce};

/// Tests per byte of the input. The most that was seen at 300 bytes is 7, where half of the text has to stay.
const MAX_TESTS_PER_BYTE: u64 = 20;

/// Reduces every shape of so many bytes.
fn all_shapes_end(bytes: usize, wanted: Wanted) {
    for language in Language::all().iter().map(Some).chain([None]) {
        for (shape, make) in SHAPES {
            let text = make(bytes);
            let what = format!("{shape} in {language:?}, {wanted:?}");
            let bound = text.len() as u64 * MAX_TESTS_PER_BYTE;
            let outcome = reduce(language, text, wanted, |reduction| reduction.max_tests(bound)).expect(&what);
            assert!(
                matches!(outcome.end, End::Complete),
                "{what}: {} after {} tests",
                outcome.end,
                outcome.tally.tests
            );
            // A token of which a part has to stay may stay as it is.
            let is_same = outcome.bytes() == outcome.first.candidate.files()[0].bytes();
            let confirmation = if is_same { Confirmation::NotNeeded } else { Confirmation::Confirmed(None) };
            assert_eq!(outcome.confirmation, confirmation, "{what}");
            assert!(outcome.bytes().windows(MARK.len()).any(|window| window == MARK), "{what}");
        }
    }
}

// The sizes are such that all shapes in all languages take about a minute in a debug build.

#[test]
fn every_odd_shape_ends_if_nearly_all_of_it_can_go() {
    all_shapes_end(200, Wanted::Mark);
}

#[test]
fn every_odd_shape_ends_if_half_of_it_has_to_stay() {
    all_shapes_end(24, Wanted::MarkAndHalf);
}
