//! Canonical tokens with few tests: the goals of T-Rec, reached in another way.
//!
//! All names become `a`, `b`, `c`, ... in the order of their first use, in one test, or in halves where that fails.
//! Then each name is tried as the canonical names in use before it; a name that must stay is tried as only two of them.
//! Other tokens become the smallest of their type in the same way. Those that cannot are spelled plainer, shrunk, and
//! replaced fragment by fragment. Of a number that has to reach a bound, the smallest value is searched.
//!
//! Promise: a second run that finds nothing changes nothing. Cost: one test if all names can change;
//! `docs/decisions/0005-canonical-tokens.md` has figures.

use std::collections::HashSet;
use std::sync::Arc;

use whittle_grammars::Alphabet;
use whittle_lists::Algorithm;
use whittle_search::{Search, Stop};
use whittle_trees::Workshop;

use crate::number_search::search_numbers;
use crate::numbers::plainer;
use crate::piece::{Piece, Rewrite};
use crate::replacement::{Attempts, names, smallest_texts};
use crate::round::Work;
use crate::token::TokenKind;

/// How many names in use are tried for a name that cannot have a fresh one. Such a name is mostly one that the language
/// defines. Not measured.
const NAMES_TRIED_FOR_FIXED: usize = 2;

/// How long a name is, at least, whose characters are tried. Compilers' own names are shorter. Not measured.
const LONG_NAME_BYTES: usize = 40;

/// Canonicalises all tokens.
pub(crate) fn canon(
    search: &mut Search,
    workshop: &Workshop,
    alphabet: &Alphabet,
    lists: Algorithm,
) -> Result<(), Stop> {
    let Some(mut piece) = Piece::take(search, workshop, alphabet) else { return Ok(()) };
    let stayed = rename(search, &mut piece)?;
    replace_others(search, &mut piece)?;
    merge_names(search, &mut piece, &stayed)?;
    let in_order = names_in_order(&piece, &stayed);
    at_once(search, &mut piece, in_order)?;
    shrink_long_names(search, &mut piece, lists)?;
    refine_others(search, &mut piece, lists)?;
    search_numbers(search, &mut piece)
}

/// Renames in the order of first use: all names, or those that can change. Returns the names that stay.
fn rename(search: &mut Search, piece: &mut Piece<'_>) -> Result<HashSet<String>, Stop> {
    let all = names_in_order(piece, &HashSet::new());
    if all.is_empty() || at_once(search, piece, all)? {
        return Ok(HashSet::new());
    }
    let fresh = fresh_names(piece);
    let tried: Vec<usize> = fresh.iter().map(|rewrite| rewrite.tokens[0]).collect();
    let before: Vec<String> = tried.iter().map(|&token| piece.text(token).to_owned()).collect();
    piece.in_halves(search, fresh)?;
    let stayed = tried.iter().zip(before).filter(|(token, name)| piece.text(**token) == name).map(|(_, name)| name);
    let stayed = stayed.collect();
    let rest = names_in_order(piece, &stayed);
    at_once(search, piece, rest)?;
    Ok(stayed)
}

/// The first possible names for all names in use but those that stay, in order, each once.
fn names_in_order(piece: &Piece<'_>, stayed: &HashSet<String>) -> Vec<Rewrite> {
    let mut given = stayed.clone();
    let renamed = piece.names().into_iter().filter(|name| !stayed.contains(name));
    // If one finds no name, another may have been given its own.
    let rewrites: Option<Vec<Rewrite>> = renamed.map(|name| rewrite(piece, &name, &mut given)).collect();
    let mut rewrites = rewrites.unwrap_or_default();
    rewrites.retain(|rewrite| piece.text(rewrite.tokens[0]) != rewrite.text);
    rewrites
}

/// The first possible names that are not in use, each once, for the names that come after them.
fn fresh_names(piece: &Piece<'_>) -> Vec<Rewrite> {
    let mut given: HashSet<String> = piece.names().into_iter().collect();
    let rewrites = piece.names().into_iter().filter_map(|name| rewrite(piece, &name, &mut given));
    rewrites.filter(|rewrite| piece.is_below(&rewrite.text, piece.text(rewrite.tokens[0]))).collect()
}

/// The first name that is not given yet, for all tokens of a name.
fn rewrite(piece: &Piece<'_>, name: &str, given: &mut HashSet<String>) -> Option<Rewrite> {
    let tokens = piece.with_text(name, TokenKind::Name);
    let text = piece.possible_names(*tokens.first()?).find(|text| !given.contains(text))?;
    given.insert(text.clone());
    Some(Rewrite { tokens, text })
}

/// Tries each token with a name as the canonical names before it: all of that name, then the one.
///
/// A name that cannot become an unused one is mostly defined by the language, and is tried as few of them.
fn merge_names(search: &mut Search, piece: &mut Piece<'_>, stayed: &HashSet<String>) -> Result<(), Stop> {
    let is_name = |&token: &usize| piece.tokens()[token].kind == TokenKind::Name;
    let tokens = (0..piece.tokens().len()).filter(is_name);
    let (known, free): (Vec<usize>, Vec<usize>) = tokens.partition(|&token| stayed.contains(piece.text(token)));
    let all = Work { texts: |piece, token| names(piece, token, 0), shrinks: None, fragments: 0 };
    let few = |piece: &Piece<'_>, token| names(piece, token, 0).into_iter().take(NAMES_TRIED_FOR_FIXED).collect();
    all.run(search, piece, free)?;
    Work { texts: few, ..all }.run(search, piece, known)
}

/// Shortens names that had to stay. A shorter one that has to stay mostly is a name that the language defines, of which
/// every character is needed.
fn shrink_long_names(search: &mut Search, piece: &mut Piece<'_>, lists: Algorithm) -> Result<(), Stop> {
    let is_long =
        |&token: &usize| piece.tokens()[token].kind == TokenKind::Name && piece.text(token).len() >= LONG_NAME_BYTES;
    let tokens: Vec<usize> = (0..piece.tokens().len()).filter(is_long).collect();
    Work { texts: |_, _| Vec::new(), shrinks: Some(lists), fragments: 0 }.run(search, piece, tokens)
}

/// Replaces tokens other than names by the smallest of their type, all of one text together.
fn replace_others(search: &mut Search, piece: &mut Piece<'_>) -> Result<(), Stop> {
    let mut seen = HashSet::new();
    let mut rewrites = Vec::new();
    for token in others(piece) {
        let kind = piece.tokens()[token].kind;
        if seen.insert((kind, piece.text(token).to_owned()))
            && let Some(text) = smallest_texts(piece, token, 1).pop()
        {
            rewrites.push(Rewrite { tokens: piece.with_text(piece.text(token), kind), text });
        }
    }
    piece.in_halves(search, rewrites)
}

/// Makes tokens smaller that cannot be the smallest of their type.
fn refine_others(search: &mut Search, piece: &mut Piece<'_>, lists: Algorithm) -> Result<(), Stop> {
    let tokens = others(piece);
    Work { texts: plainer_texts, shrinks: Some(lists), fragments: Attempts::PAPER.others }.run(search, piece, tokens)
}

/// The smallest texts of a token's type, those that mean the same, and those in use.
fn plainer_texts(piece: &Piece<'_>, token: usize) -> Vec<String> {
    let mut texts = smallest_texts(piece, token, Attempts::PAPER.others);
    let plain = plainer(piece.text(token)).into_iter().filter(|text| piece.is_below(text, piece.text(token)));
    texts.extend(plain);
    texts.extend(texts_in_use(piece, token));
    let mut seen = HashSet::new();
    texts.retain(|text| seen.insert(text.clone()));
    texts
}

/// The smallest texts of other tokens of the same type: what is needed at one place, as a type, often does at another.
fn texts_in_use(piece: &Piece<'_>, token: usize) -> Vec<String> {
    let rule = &piece.tokens()[token].rule;
    let of_type = (0..piece.tokens().len()).filter(|&other| Arc::ptr_eq(&piece.tokens()[other].rule, rule));
    let mut texts: Vec<&str> = of_type.map(|other| piece.text(other)).collect();
    texts.retain(|text| piece.is_below(text, piece.text(token)));
    texts.sort_by(|a, b| piece.alphabet.compare(a, b));
    texts.dedup();
    texts.into_iter().take(Attempts::PAPER.others).map(str::to_owned).collect()
}

fn others(piece: &Piece<'_>) -> Vec<usize> {
    (0..piece.tokens().len()).filter(|&token| piece.tokens()[token].kind != TokenKind::Name).collect()
}

/// Tries all rewrites together.
fn at_once(search: &mut Search, piece: &mut Piece<'_>, rewrites: Vec<Rewrite>) -> Result<bool, Stop> {
    if rewrites.is_empty() {
        return Ok(false);
    }
    piece.first_of(search, vec![rewrites])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::ends_with;

    fn run_canon(search: &mut Search, workshop: &Workshop) -> Result<(), Stop> {
        search.fixpoint(|search| canon(search, workshop, &Alphabet::default(), Algorithm::default()))?;
        crate::layout::layout(search, workshop)
    }

    #[test]
    fn names_are_given_in_the_order_of_their_first_use_in_one_test() {
        let text = "def gamma(beta, alpha):\n    return alpha + beta + gamma\n";
        let is_function = |text: &str| text.starts_with("def ") && text.contains("(b, c)") || text.contains("gamma");
        let (end, asked) = ends_with("python", text, is_function, run_canon);
        assert_eq!(asked[0], "def a(b, c):\n    return c + b + a\n");
        assert!(end.starts_with("def a(b, c):\n"), "{end}");
    }

    #[test]
    fn names_that_must_stay_are_left_out_and_the_others_are_still_in_order() {
        let text = "int zeta(int first) { return printf(first, other); }\nint main() { return zeta(other); }\n";
        let is_program = |text: &str| {
            let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
            let at = |index: usize| words.get(index).copied().unwrap_or_default();
            // Who is declared, who calls whom, and who is someone else.
            words.len() == 13
                && (at(5), at(9)) == ("printf", "main")
                && (at(1), at(3), at(7)) == (at(11), at(6), at(12))
                && !["printf", "main"].contains(&at(1))
        };
        let (end, asked) = ends_with("c", text, is_program, run_canon);
        assert_eq!(end, "int a(int a) {\n  return printf(a, a);\n}\nint main() {\n  return a(a);\n}\n");
        assert!(asked.len() < 60, "{} tests", asked.len());
    }

    #[test]
    fn programs_that_differ_in_names_numbers_and_whitespace_become_equal() {
        let ends = ["let x1 = 0x10 ;\n\nlet  y = x1 ;", "let beta = 7;\nlet alpha = beta;"].map(|text| {
            let is_chain = |text: &str| text.matches("let").count() == 2 && text.matches('=').count() == 2;
            ends_with("javascript", text, is_chain, run_canon).0
        });
        assert_eq!(ends[0], ends[1]);
    }

    #[test]
    fn what_cannot_be_the_smallest_is_spelled_plainer_and_loses_what_it_can() {
        let value = |text: &str| {
            let number = text.split(['=', ';']).nth(1)?.trim().trim_end_matches("ull");
            match number.strip_prefix("0x") {
                Some(digits) => u64::from_str_radix(digits, 16).ok(),
                None => number.parse().ok(),
            }
        };
        let (end, _) =
            ends_with("c", "long x = 0xff00ull;", move |text| value(text).is_some_and(|value| value >= 100), run_canon);
        assert_eq!(end, "long a = 100;\n");
        let has_format = |text: &str| text.contains("%X") && text.starts_with("char");
        let (end, _) = ends_with("c", "char *s = \"checksum = %X\\n\";", has_format, run_canon);
        assert_eq!(end, "char *a = \"%X\";\n");
    }

    #[test]
    fn a_long_name_of_which_a_part_matters_loses_the_rest() {
        // What a name starts with is replaced, but not deleted.
        let text = format!("int {}needed{};", "x".repeat(60), "y".repeat(60));
        assert_eq!(ends_with("c", &text, |text| text.contains("needed"), run_canon).0, "int xneeded;\n");
        let text = "int the_name_that_is_needed_here_and_nowhere_else_at_all;";
        assert_eq!(ends_with("c", text, |text| text.contains("needed"), run_canon).0, "int tneeded;\n");
        let short = "int notneeded;\n";
        assert_eq!(ends_with("c", short, |text| text.contains("needed"), run_canon).0, short);
    }

    #[test]
    fn a_long_string_loses_characters_by_halves() {
        let text = format!("int *a = \"{0}%{0}\";", "ab".repeat(500));
        let (end, asked) = ends_with("c", &text, |text| text.contains('%'), run_canon);
        assert_eq!(end, "int *a = \"%\";\n");
        assert!(asked.len() < 60, "{} tests", asked.len());
    }

    #[test]
    fn what_is_optional_by_a_choice_with_nothing_goes_too() {
        let has_fraction = |text: &str| text.trim().parse::<f64>().is_ok_and(|value| value % 1.0 > 0.0);
        assert_eq!(ends_with("json", "10.1", has_fraction, run_canon).0, "1.1\n");
    }
}
