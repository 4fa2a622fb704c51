//! Loose parts: parts of rules are deleted although the parser then misses a token and makes it up.
//!
//! Languages allow more than their tree-sitter grammars: a function in C may have no type, the last statement of a file
//! no semicolon. This runs when nothing more can be deleted within the syntax, and once more when no other pass finds anything.
//!
//! Promise, for a short text or one without syntax errors: no part of a rule can be deleted with at most one more missing token.
//! Cost: one test for each such part.

use std::cmp::Reverse;

use whittle_search::{Search, Stop};

use super::memory::Memory;
use super::sets::take_sets;
use super::workpiece::{Checked, Strictness, SyntaxCheck, Workpiece, Workshop};
use crate::{Edit, Kind, NodeId};

/// With so few tokens, candidates are parsed before their tests, however long the text is: there are few of them, and without
/// a parse there would be none until other passes have shortened the tokens, which would then run again. Not measured.
const ALWAYS_PARSED_TOKENS: u64 = 300;

/// Whether a text may have syntax errors before. While other passes still have something to delete, that does harm: each error
/// hides structure from them. On sql-duckdb-natural it led to 35 tokens instead of 25.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum OldErrors {
    Allowed,
    Excluded,
}

/// Deletes parts of rules, the largest first, if the parser then makes up at most one more token.
pub(crate) fn loose_parts(
    search: &mut Search,
    workshop: &Workshop,
    memory: Option<&Memory>,
    errors: OldErrors,
) -> Result<(), Stop> {
    let is_short = search.best().size.units <= ALWAYS_PARSED_TOKENS;
    let check = match workshop.check {
        SyntaxCheck::UpTo(_) if is_short => SyntaxCheck::Always,
        check => check,
    };
    let workshop = &Workshop { check, ..workshop.clone() };
    let mut piece = workshop.take_guarded(search, Strictness::Loose).with_memory(memory);
    let is_tried = match piece.checked() {
        Checked::Off => false,
        Checked::WithErrors => is_short && errors == OldErrors::Allowed,
        Checked::WithoutErrors => true,
    };
    if !is_tried {
        return Ok(());
    }
    let sets = parts(&piece).into_iter().map(|part| vec![(part, Edit::Drop)]).collect();
    take_sets(search, &mut piece, sets)
}

fn parts(piece: &Workpiece<'_>) -> Vec<NodeId> {
    let tree = piece.tree();
    let is_part = |node: &NodeId| tree.parent(*node).is_some_and(|parent| tree.kind(parent) == Kind::Rule);
    let mut parts: Vec<NodeId> = tree.nodes().filter(is_part).filter(|&node| piece.tokens(node) > 0).collect();
    parts.sort_by_key(|&node| Reverse(piece.tokens(node)));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::testing::{ends_with, syntax};

    fn ends(text: &str, needed: &'static [&'static str], errors: OldErrors) -> String {
        let workshop = Workshop { file: 0, syntax: Some(syntax("rust")), check: SyntaxCheck::Always };
        let has_all = |text: &str| needed.iter().all(|part| text.contains(part));
        ends_with(text, has_all, |search| loose_parts(search, &workshop, None, errors))
    }

    #[test]
    fn a_part_goes_if_the_parser_makes_up_one_token() {
        let end = ends("fn a() -> impl b::b {}", &["fn a", "impl", "{}"], OldErrors::Excluded);
        assert_eq!(end.trim(), "fn a() -> impl {}");
    }

    #[test]
    fn a_short_text_may_have_errors_before_if_that_does_no_harm() {
        let text = "impl a b { fn a() -> impl b::b {} }";
        let needed = &["impl a b", "-> impl", "{}"];
        assert_eq!(ends(text, needed, OldErrors::Allowed), "impl a b { fn a() -> impl {} }");
        assert_eq!(ends(text, needed, OldErrors::Excluded), text);
    }
}
