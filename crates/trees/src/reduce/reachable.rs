//! The first candidates for a large text: what some declarations reach.
//!
//! First those that the words of the test name, then the last one as well, in widening rings ([`Reach`]). Most of a
//! preprocessed file are declarations that its last lines never reach. If much is left, a binary search deletes
//! declarations from the end, since most texts declare before they use. The last one that is needed is then kept with what
//! it reaches.
//!
//! Promise: none; passes over the tree follow. Cost: a test for each ring, and a logarithmic number for the end.
//!
//! [`Reach`]: super::reach::Reach

use std::sync::Arc;

use whittle_lists::Subset;
use whittle_search::{Candidate, FirstOf, Proposer, Search, Stop};

use super::declarations::Declarations;
use super::reach::Ring;
use super::workpiece::Workshop;
use crate::Tree;
use crate::rendered::Rendered;

/// With fewer declarations, other passes do as well. Not measured.
const MIN_DECLARATIONS: usize = 256;

/// A test has words that only its own language needs, so so many of its words are also tried alone, the rarest first. Not
/// measured.
const MAX_SINGLE_WORDS: usize = 4;

/// A ring that leaves more than this share of the tokens is not tried: three quarters. Not measured.
const LEAVES_AT_MOST: (u64, u64) = (3, 4);

/// Keeps only what is reachable in the best candidate, as far as the property allows.
pub(crate) fn reachable(search: &mut Search, workshop: &Workshop, words: &[String]) -> Result<(), Stop> {
    if let Some(piece) = Piece::take(search, workshop, words) {
        let rings = piece.named_rings();
        search.run(FirstOf::new(rings), piece.renderer(search, workshop))?;
    }
    if let Some(piece) = Piece::take(search, workshop, &[]) {
        let render = piece.renderer(search, workshop);
        let beginning =
            search.run(Beginning { works: piece.weights.len(), fails: 0 }, piece.renderer(search, workshop))?;
        search.run(FirstOf::new(piece.rings_within(beginning.works)), render)?;
    }
    Ok(())
}

/// A text with its declarations.
struct Piece {
    tree: Tree,
    declarations: Arc<Declarations>,
    weights: Vec<u32>,
}

impl Piece {
    /// The best candidate, and which words it has; `None` if it has few declarations.
    fn take(search: &Search, workshop: &Workshop, words: &[String]) -> Option<Self> {
        workshop.syntax.as_ref()?;
        let tree = workshop.tree(&search.best().candidate);
        let declarations = Declarations::of(&tree, words);
        let weights = declarations.weights();
        (weights.len() >= MIN_DECLARATIONS).then(|| Self { tree, declarations: Arc::new(declarations), weights })
    }

    fn renderer(
        &self,
        search: &Search,
        workshop: &Workshop,
    ) -> impl Fn(&Subset) -> Option<Candidate> + Send + Sync + 'static {
        let (base, file, syntax) = (search.best().candidate.clone(), workshop.file, workshop.syntax.clone());
        let (tree, declarations) = (self.tree.clone(), Arc::clone(&self.declarations));
        move |kept| {
            let Rendered { text, copies } = declarations.render(&tree, kept);
            let candidate = base.with_bytes(file, text);
            syntax.as_ref()?.note_origin(&candidate.files()[file], &base.files()[file], copies);
            Some(candidate)
        }
    }

    /// What words and the last declaration reach, from few declarations to many.
    fn named_rings(&self) -> Vec<Subset> {
        let named = self.declarations.named();
        let together: Vec<u32> = named.concat();
        let with_last: Vec<u32> = together.iter().copied().chain(self.declarations.last()).collect();
        let by_words = [Ring::Own, Ring::Near].map(|ring| (&together, ring));
        let by_word = named.iter().take(MAX_SINGLE_WORDS).map(|units| (units, Ring::Near));
        let by_last = [Ring::Near, Ring::Members, Ring::All].map(|ring| (&with_last, ring));
        let starts = by_words.into_iter().chain(by_word).chain(by_last).filter(|(from, _)| !from.is_empty());
        self.worthwhile(self.weights.len(), starts.map(|(from, ring)| self.closure(from, ring)))
    }

    /// What the last of so many declarations reaches among them.
    fn rings_within(&self, len: usize) -> Vec<Subset> {
        let last = [len as u32 - 1];
        let within = |kept: Subset| Subset::from_elements(kept.elements().take_while(|&unit| unit < len));
        let rings = [Ring::Own, Ring::Near, Ring::Members, Ring::All];
        self.worthwhile(len, rings.into_iter().map(|ring| within(self.closure(&last, ring))))
    }

    fn closure(&self, from: &[u32], ring: Ring) -> Subset {
        self.declarations.reach().closure(from.iter().copied(), ring)
    }

    /// Those that delete much of the first `len` declarations, each once.
    fn worthwhile(&self, len: usize, rings: impl Iterator<Item = Subset>) -> Vec<Subset> {
        let tokens = |kept: &Subset| kept.elements().map(|unit| u64::from(self.weights[unit])).sum::<u64>();
        let all = tokens(&Subset::full(len));
        let mut worthwhile: Vec<Subset> = Vec::new();
        for kept in rings {
            if tokens(&kept) * LEAVES_AT_MOST.1 <= all * LEAVES_AT_MOST.0 && !worthwhile.contains(&kept) {
                worthwhile.push(kept);
            }
        }
        worthwhile
    }
}

/// A binary search for the shortest beginning of a list that works. What is around an element comes before it.
#[derive(Clone)]
struct Beginning {
    works: usize,
    fails: usize,
}

impl Beginning {
    fn middle(&self) -> usize {
        usize::midpoint(self.works, self.fails)
    }
}

impl Proposer for Beginning {
    type Proposal = Subset;

    fn propose(&self) -> Option<Subset> {
        (!self.is_done()).then(|| Subset::full(self.middle()))
    }

    fn is_done(&self) -> bool {
        self.works - self.fails < 2
    }

    fn observe(&mut self, interesting: bool) {
        if interesting {
            self.works = self.middle();
        } else {
            self.fails = self.middle();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{syntax, tests_of};
    use super::*;

    /// The tests for functions that each call the one before, and other declarations between them.
    fn tests(words: &[&str], is_interesting: impl Fn(&str) -> bool + Send + Sync + 'static) -> Vec<String> {
        let function = |number: usize| format!("int f{number}() {{ return f{}(); }}\n", number.saturating_sub(1));
        let text: String = (0..200).map(|number| function(number) + &format!("int other{number};\n")).collect();
        let workshop = Workshop { syntax: Some(syntax("c")), ..Workshop::default() };
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        tests_of(&text, is_interesting, |search| reachable(search, &workshop, &words))
    }

    #[test]
    fn what_the_words_of_the_test_name_comes_first() {
        let tests = tests(&["grep", "other77"], |text| text.contains("other77"));
        assert_eq!(tests[0].trim(), "int other77;");
        assert_eq!(tests.len(), 1, "what is left is too short for more");
    }

    #[test]
    fn without_words_the_last_declaration_that_is_needed_is_found() {
        let tests = tests(&[], |text| text.contains("int f50()"));
        assert_eq!(tests[0].trim(), "int other199;", "this is all that the last declaration reaches");
        let last = tests.iter().rfind(|text| text.contains("int f50()")).unwrap();
        assert!(last.lines().count() <= 55 && tests.len() < 40, "{} tests: {last}", tests.len());
    }

    #[test]
    fn where_nothing_can_go_few_tests_are_made() {
        let tests = tests(&["other1"], |text| text.lines().count() >= 400);
        assert!(tests.len() <= 30, "{} tests", tests.len());
    }
}
