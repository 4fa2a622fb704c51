//! Free text: comments, long tokens such as strings, and what the parser does not understand.
//!
//! To a tree, comments are whitespace and a token is one piece, so no other reducer over trees looks into them. But
//! linters, documentation tools and compilers give a meaning to words in comments. All regions of free text are one
//! list of parts: whole regions, then lines, words and characters. All parts are deleted at once first, which nearly
//! always works; otherwise a list minimizer chooses. Characters of long tokens are left to token reducers.
//!
//! A part that ends a comment or a string needs no care: without it, the text mostly has more tokens, and then it is not
//! tested.
//!
//! Promise: that of the minimizer, over the parts of each kind. Cost: one test if no part is needed, none if there is
//! no free text.

use std::ops::Range;
use std::sync::Arc;

use whittle_lists::{Algorithm, EmptyFirst, Subset, Unit, Units, Weights};
use whittle_search::{Search, Stop};

use super::workpiece::Workshop;
use crate::Tree;
use crate::comments::solid;
use crate::tree::Kind;

/// Shorter tokens are left to token reducers, which delete single characters. Not measured.
const LONG_TOKEN_BYTES: usize = 16;

/// What is deleted as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// All comments before a token.
    Comments,
    /// A line, a word or a character of a comment, or of what the parser does not understand; and of a long token,
    /// unless it is a character.
    Of(Unit),
}

impl Part {
    /// Those that need few tests.
    pub(crate) const COARSE: [Self; 2] = [Self::Comments, Self::Of(Unit::Line)];

    /// Coarse to fine.
    pub(crate) const ALL: [Self; 4] =
        [Self::Comments, Self::Of(Unit::Line), Self::Of(Unit::Word), Self::Of(Unit::Char)];
}

/// Deletes free text of the best candidate by parts of several kinds, one after the other.
pub(crate) fn texts(
    search: &mut Search,
    workshop: &Workshop,
    parts: &[Part],
    algorithm: Algorithm,
) -> Result<(), Stop> {
    parts.iter().try_for_each(|&part| delete(search, workshop, part, algorithm))
}

fn delete(search: &mut Search, workshop: &Workshop, part: Part, algorithm: Algorithm) -> Result<(), Stop> {
    let base = search.best().candidate.clone();
    let tree = workshop.tree(&base);
    let parts: Vec<Range<usize>> =
        regions(&tree, part).into_iter().flat_map(|region| cut(&tree, region, part)).collect();
    if parts.is_empty() {
        return Ok(());
    }
    let file = workshop.file;
    let lengths: Vec<u32> = parts.iter().map(|part| part.len() as u32).collect();
    let render = move |kept: &Subset| Some(base.with_bytes(file, without(tree.text(), part, &parts, kept)));
    search.run(EmptyFirst::new(algorithm.coarse_first(&Weights::new(&lengths))), render).map(drop)
}

/// Where free text is, in text order.
fn regions(tree: &Tree, part: Part) -> Vec<Range<usize>> {
    let tokens = tree.nodes().filter_map(|node| match tree.kind(node) {
        Kind::Token { silent, .. } => is_free(tree.token_text(node), silent, part).then(|| tree.token_range(node)),
        _ => None,
    });
    let mut regions: Vec<Range<usize>> = tree.gaps().filter_map(|gap| solid(tree.text(), gap)).chain(tokens).collect();
    regions.sort_unstable_by_key(|region| region.start);
    regions
}

/// Whether a token is free text, to be cut into these parts.
fn is_free(text: &[u8], is_silent: bool, part: Part) -> bool {
    match part {
        Part::Comments => false,
        Part::Of(Unit::Char | Unit::Byte) => is_silent,
        Part::Of(_) => is_silent || text.len() >= LONG_TOKEN_BYTES,
    }
}

/// The parts of a region; none if it is a single one, which other passes delete.
fn cut(tree: &Tree, region: Range<usize>, part: Part) -> Vec<Range<usize>> {
    let Part::Of(unit) = part else { return vec![region] };
    let Ok(units) = Units::cut(Arc::new(tree.text()[region.clone()].to_vec()), unit) else { return Vec::new() };
    let lens = units.weights();
    let mut end = region.start;
    let parts = (0..units.len()).map(|unit| {
        let start = end;
        end += lens.of(unit) as usize;
        start..end
    });
    parts.filter(|_| units.len() > 1).collect()
}

/// The text without the parts that are not kept. A space replaces comments that kept two tokens apart.
fn without(text: &[u8], part: Part, ranges: &[Range<usize>], kept: &Subset) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut position = 0;
    for (number, range) in ranges.iter().enumerate() {
        if kept.contains(number) {
            continue;
        }
        out.extend_from_slice(&text[position..range.start]);
        position = range.end;
        let is_blank = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_whitespace);
        if part == Part::Comments && !is_blank(out.last()) && !is_blank(text.get(position)) {
            out.push(b' ');
        }
    }
    out.extend_from_slice(&text[position..]);
    out
}

#[cfg(test)]
mod tests {
    use whittle_lists::ProbabilityOptions;

    use super::super::testing::{syntax, tests_of};
    use super::*;

    #[test]
    fn tokens_and_lines_stay_apart_without_their_comments() {
        let text = b"a/**/b // c\n\n/* d */ e /* f */";
        let comments = [1..5, 7..11, 13..20, 23..30];
        let kept = |kept: &[usize]| Subset::from_elements(kept.iter().copied());
        let left = |elements: &[usize]| without(text, Part::Comments, &comments, &kept(elements));
        assert_eq!(left(&[]), b"a b \n\n e ");
        assert_eq!(left(&[0, 2]), b"a/**/b \n\n/* d */ e ");
    }

    #[test]
    fn free_text_is_comments_long_tokens_and_what_the_parser_skips() {
        let text =
            "a; // one two\nb(\"a text of several words\", 'short one', averylongnameofonetoken); /* x\ny */ @ 1";
        let tree = syntax("javascript").tree(text);
        let of = |part: Part| -> Vec<Vec<&str>> {
            let shown = |region: Range<usize>| cut(&tree, region, part).into_iter().map(|range| &text[range]).collect();
            regions(&tree, part).into_iter().map(shown).filter(|parts: &Vec<&str>| !parts.is_empty()).collect()
        };
        assert_eq!(of(Part::Comments), [["// one two"], ["/* x\ny */"]]);
        assert_eq!(of(Part::Of(Unit::Line)), [["/* x\n", "y */"]]);
        let words = of(Part::Of(Unit::Word));
        assert_eq!(words[0], ["/", "/ ", "one ", "two"]);
        assert_eq!(words[1], ["a ", "text ", "of ", "several ", "words"]);
        assert_eq!(of(Part::Of(Unit::Char)).len(), 2);
    }

    #[test]
    fn of_many_comments_the_needed_one_is_found_by_halves() {
        let workshop = Workshop { syntax: Some(syntax("c")), ..Workshop::default() };
        let text = format!("{}// needed\n{}int a;", "// a b c\n".repeat(2000), "// a b c\n".repeat(2000));
        let tests = tests_of(
            &text,
            |text| text.contains("needed"),
            |search| texts(search, &workshop, &Part::ALL, Algorithm::Wprobdd(ProbabilityOptions::default()).swept()),
        );
        assert!(tests.len() < 60, "{} tests", tests.len());
    }

    #[test]
    fn without_free_text_nothing_is_tested() {
        let workshop = Workshop { syntax: Some(syntax("c")), ..Workshop::default() };
        let tests =
            tests_of("int a = 1;", |_| true, |search| texts(search, &workshop, &Part::ALL, Algorithm::default()));
        assert!(tests.is_empty(), "{tests:?}");
    }
}
