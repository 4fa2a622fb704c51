//! A file that is too long for a tree loses large parts of its text first: runs of lines, then of words, then of characters,
//! until it is short enough.
//!
//! That needs little memory and few tests, and once the file is short it has a better tree. What is left in between is not
//! parsed, unless it is as short as a text without pieces must be: each parse would cost more than the rest.
//!
//! Promise: nothing is done to a file that is short enough. A file that stays too long has a generic tree. Cost: that of
//! [`AnyMinimizer::large_parts`], at most 126 tests for each unit if nothing can be deleted.

use whittle_lists::{AnyMinimizer, EmptyFirst, Unit, Units};
use whittle_search::Search;
use whittle_trees::{Tree, Unparsed, Workshop};

use super::turns::skippable;
use super::{Unfinished, smallest_unit};

/// Makes the file of a workshop shorter, if it is too long for a tree.
pub(super) fn shorten(search: &mut Search, workshop: &Workshop) -> Result<(), Unfinished> {
    let bytes = search.best().candidate.files()[workshop.file].bytes();
    for unit in [Unit::Line, Unit::Word, smallest_unit(bytes)] {
        if !is_too_long(search, workshop) {
            break;
        }
        skippable(search, |search| search.pass(&format!("{unit}s"), |search| delete_parts(unit, search, workshop)))?;
        search.measure_again();
    }
    Ok(())
}

fn is_too_long(search: &Search, workshop: &Workshop) -> bool {
    let file = &search.best().candidate.files()[workshop.file];
    match &workshop.syntax {
        Some(syntax) => syntax.refusal_of(file) == Some(Unparsed::TooLong),
        None => Tree::is_in_chunks(file.bytes()) && !file.bytes().contains(&0),
    }
}

fn delete_parts(unit: Unit, search: &mut Search, workshop: &Workshop) -> Result<(), Unfinished> {
    let base = search.best().candidate.clone();
    let units = Units::cut(base.files()[workshop.file].shared_bytes(), unit)?;
    let (file, syntax) = (workshop.file, workshop.syntax.clone());
    let minimizer = EmptyFirst::new(AnyMinimizer::large_parts(units.weights()));
    let render = move |kept: &_| {
        let candidate = base.with_bytes(file, units.render(kept));
        syntax.iter().for_each(|syntax| syntax.leave_unparsed(&candidate.files()[file]));
        Some(candidate)
    };
    search.run(minimizer, render)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use whittle_search::{Candidate, Closure, Setup};
    use whittle_trees::{Limits, SyntaxCheck};

    use super::*;
    use crate::syntaxes::{LanguageChoice, Syntaxes};

    /// What is left of a text in which `x` is needed, in how many tests.
    fn shortened(name: &str, text: String) -> (String, u64) {
        let input = Candidate::single(name, text.into_bytes());
        let syntaxes = Syntaxes::choose(&LanguageChoice::Detect, &input).unwrap();
        let property = Closure::on_bytes(|bytes| bytes.contains(&b'x'));
        let setup = Setup { measure: syntaxes.measure(), ..Setup::default() };
        let mut search = setup.start(Arc::new(property), input).unwrap();
        let before = search.tally().tests;
        let workshop = syntaxes.workshops(SyntaxCheck::Off).into_iter().next().unwrap_or_default();
        shorten(&mut search, &workshop).unwrap();
        let left = search.best().candidate.files()[0].bytes().to_vec();
        (String::from_utf8(left).unwrap(), search.tally().tests - before)
    }

    /// Elements of a kilobyte: few tokens, so that this is fast.
    fn list(len: usize) -> String {
        format!("[{}\"x\"]", format!("\"{}\",\n", "a".repeat(1020)).repeat(len >> 10))
    }

    fn single(len: usize) -> String {
        format!("\"{}x\"", "a".repeat(len - 3))
    }

    #[test]
    fn a_text_that_is_parsed_stays_as_it_is() {
        let Limits { bytes, .. } = Limits::default();
        for text in [list(bytes + 1024), single(bytes)] {
            assert_eq!(shortened("a.json", text.clone()), (text, 0));
        }
    }

    #[test]
    fn a_text_that_is_too_long_for_pieces_loses_lines() {
        let (left, tests) = shortened("a.json", list(Limits::default().bytes_in_pieces + 1024));
        assert!(left == "\"x\"]" && tests < 60, "{left:?} after {tests} tests");
    }

    #[test]
    fn a_long_string_loses_runs_of_characters() {
        let (left, tests) = shortened("a.json", single(2 * Limits::default().bytes));
        assert!(left.len() < 10 && tests < 60, "{} bytes after {tests} tests", left.len());
    }

    #[test]
    fn plain_text_is_shortened_if_it_is_too_long_for_a_tree_of_its_words() {
        let text = |lines: usize| format!("{}a x b\n", "some words\n".repeat(lines));
        assert_eq!(shortened("a.txt", text(1000)), (text(1000), 0));
        assert_eq!(shortened("a.txt", text(4 << 20)).0, "a x b\n");
    }
}
