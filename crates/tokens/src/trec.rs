//! Algorithm 1: what is done to each token in turn. The strategy alternates it with a tree reducer until neither finds
//! anything.
//!
//! A token that could be replaced is done. The others lose optional and repeated parts, then their fragments are
//! replaced.
//!
//! Promise: a second run that finds nothing changes nothing. Cost: as `replacement.rs`, `shrink.rs` and `fragments.rs`
//! say.

use whittle_grammars::Alphabet;
use whittle_lists::Algorithm;
use whittle_search::{Search, Stop};
use whittle_trees::Workshop;

use crate::piece::Piece;
use crate::replacement::{Attempts, replacements};
use crate::round::Work;

/// Canonicalises all tokens, as the paper does.
pub(crate) fn trec(
    search: &mut Search,
    workshop: &Workshop,
    alphabet: &Alphabet,
    lists: Algorithm,
) -> Result<(), Stop> {
    let Some(mut piece) = Piece::take(search, workshop, alphabet) else { return Ok(()) };
    let tokens = 0..piece.tokens().len();
    let work = Work { texts: replacements, shrinks: Some(lists), fragments: Attempts::PAPER.others };
    work.run(search, &mut piece, tokens)
}

/// Only deletes optional and repeated parts of tokens (section 6.1).
pub(crate) fn trec_shrink(
    search: &mut Search,
    workshop: &Workshop,
    alphabet: &Alphabet,
    lists: Algorithm,
) -> Result<(), Stop> {
    let Some(mut piece) = Piece::take(search, workshop, alphabet) else { return Ok(()) };
    let tokens = 0..piece.tokens().len();
    Work { texts: |_, _| Vec::new(), shrinks: Some(lists), fragments: 0 }.run(search, &mut piece, tokens)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::sync::Arc;

    use whittle_grammars::Grammar;
    use whittle_search::Candidate;
    use whittle_trees::{TreeAlgorithm, TreeFile, TreeOptions, TreeReducer};

    use super::*;
    use crate::piece::Shared;
    use crate::replacement::names;
    use crate::testing::{ends_with, recorded};
    use crate::token::{Token, TokenKind};

    fn run_trec(search: &mut Search, workshop: &Workshop) -> Result<(), Stop> {
        trec(search, workshop, &Alphabet::default(), Algorithm::default())
    }

    #[test]
    fn a_constant_is_canonicalised_in_the_eight_steps_of_figure_8() {
        let grammar = Grammar::from_tree_sitter(include_str!("../../grammars/testdata/figure4.json")).unwrap();
        let rule = grammar.flat_rule(grammar.symbol("constant").unwrap()).unwrap();
        let text = "0xff00ull".to_owned();
        let token =
            Token { range: 0..9, text: text.clone(), rule: Arc::new(rule), kind: TokenKind::Number, is_single: true };
        let passing = ["0xff00ull", "0xff0ull", "0xff0u", "0x1f0u", "0x100u"];
        let (mut search, recorder) = recorded(&text, move |text| passing.contains(&text));
        let base = Candidate::single("input", text.into_bytes());
        let alphabet = Alphabet::default();
        let mut piece =
            Piece::new(Shared { base, file: 0, tokens: vec![token], reading: None, grammar: None }, &alphabet);
        let none = |_: &Piece<'_>, _| Vec::new();
        let work = Work { texts: none, shrinks: Some(Algorithm::default()), fragments: Attempts::PAPER.others };
        work.run(&mut search, &mut piece, [0]).unwrap();
        // The ninth is the last step of ddmin, which the figure leaves out.
        let steps = ["0xff00", "0xffull", "0x00ull", "0xff0ull", "0xf0ull", "0xff0u", "0x0f0u", "0x1f0u", "0x100u"];
        assert_eq!(recorder.asked()[1..], steps);
        assert_eq!(piece.text(0), "0x100u");
    }

    #[test]
    fn all_tokens_of_a_text_are_replaced_first_then_the_one_as_in_figure_6() {
        let program = "int main() {\n  int long_var = 1;\n  int b = long_var + 2;\n  return b;\n}\n";
        let alphabet = Alphabet::default();
        let (_, asked) = ends_with(
            "c",
            program,
            move |text| text == program,
            |search, workshop| {
                let mut piece = Piece::take(search, workshop, &alphabet).unwrap();
                let token = (0..piece.tokens().len()).find(|&token| piece.text(token) == "long_var").unwrap();
                let work = Work { texts: |piece, token| names(piece, token, 1), shrinks: None, fragments: 0 };
                work.run(search, &mut piece, [token])
            },
        );
        assert_eq!(asked[..2], [program.replace("long_var", "a"), program.replacen("long_var", "a", 1)]);
    }

    #[test]
    fn numbers_strings_and_names_of_several_languages_become_canonical() {
        type Case = (&'static str, &'static str, fn(&str) -> bool, &'static str);
        let cases: [Case; 5] = [
            (
                "rust",
                "fn main() { let size = 1_000_000_000_000; }",
                |t| t.contains("fn main"),
                "fn main() { let a = 0; }",
            ),
            (
                "c",
                r#"int main() { printf("checksum = %X\n", crc); }"#,
                |t| t.contains("main() { printf(") && t.contains("%X"),
                r#"int main() { printf("%X", a); }"#,
            ),
            (
                "smtlib",
                "(declare-fun my-long-name () Bool)\n(assert my-long-name)\n",
                |t| t.contains(" () Bool)"),
                "(declare-fun a () Bool)\n(assert a)\n",
            ),
            ("python", "counter = 0x1F\nprint('hello', counter)\n", |t| t.contains("print("), "a = 0\nprint('', a)\n"),
            ("json", r#"{"key": [12.5e3, "text"]}"#, |t| t.contains('['), r#"{"": [0, ""]}"#),
        ];
        for (language, text, is_interesting, expected) in cases {
            let (end, _) = ends_with(language, text, is_interesting, run_trec);
            assert_eq!(end, expected, "{language}");
        }
    }

    /// The program of figure 2, with the lines that are not needed or without, by what its names stand for.
    const FIGURE_2: &str = "typedef long LONG ; ? typedef LONG VECTOR __attribute__ ( ( ( __vector_size__ ( sizeof ( \
        LONG ) ) ) ) ) ; VECTOR FUNCTION ( ) { ? VECTOR RESULT = { VALUE } ; return RESULT ; } main ( ) { }";

    /// Whether a program is that of figure 2, and a careful compiler would accept it: all is declared, no local name
    /// hides a type, and nothing is initialised by itself. This is stricter than the paper's compiler: where types may
    /// be hidden, `a a = b; d b = {a};` is met first, which is smaller token by token, and both lines stay.
    fn is_figure_2(text: &str) -> bool {
        let apart = |c: char| if c.is_alphanumeric() || c == '_' { c.to_string() } else { format!(" {c} ") };
        let text: String = text.chars().map(apart).collect();
        let words: Vec<&str> = text.split_whitespace().collect();
        [("", ""), ("HELPER ( ) { } ", ""), ("HELPER ( ) { } ", "LONG LOCAL = HELPER ; ")].iter().any(
            |(helper, local)| {
                let pattern = FIGURE_2.replacen("? ", helper, 1).replacen("? ", local, 1);
                let Some(names) = bound(&pattern, &words) else { return false };
                let get = |name: &str| names.get(name).copied();
                let globals: Vec<&str> =
                    ["LONG", "HELPER", "VECTOR", "FUNCTION"].iter().filter_map(|name| get(name)).collect();
                let locals: Vec<&str> = ["LOCAL", "RESULT"].iter().filter_map(|name| get(name)).collect();
                let values: Vec<&str> = ["HELPER", "FUNCTION", "LOCAL"].iter().filter_map(|name| get(name)).collect();
                let are_distinct = |names: &[&str]| (1..names.len()).all(|at| !names[..at].contains(&names[at]));
                are_distinct(&globals)
                    && !globals.contains(&"main")
                    && are_distinct(&locals)
                    && !locals.iter().any(|name| [get("LONG"), get("VECTOR")].contains(&Some(name)))
                    && get("LOCAL").is_none_or(|local| Some(local) != get("HELPER"))
                    && get("VALUE") != get("RESULT")
                    && values.contains(&names["VALUE"])
            },
        )
    }

    /// What the words in capital letters stand for, if the others are as the pattern says.
    fn bound<'a>(pattern: &'a str, words: &[&'a str]) -> Option<HashMap<&'a str, &'a str>> {
        let pattern: Vec<&str> = pattern.split(' ').collect();
        let mut names = HashMap::new();
        let mut fits = |(part, word): (&&'a str, &&'a str)| match part.chars().all(|c| c.is_ascii_uppercase()) {
            true => *names.entry(*part).or_insert(*word) == *word,
            false => part == word,
        };
        let is_it = pattern.len() == words.len() && pattern.iter().zip(words).all(&mut fits);
        is_it.then_some(names)
    }

    #[test]
    fn names_that_become_equal_make_lines_superfluous_as_in_figure_2() {
        let program = "typedef long llong;\ntest1char8() {}\ntypedef llong vllong1\n__attribute__((\n(__vector_size__(sizeof(llong)))\n\
            ));\nvllong1 test2llong1() {\nllong c = test1char8;\nvllong1 v = {c};\nreturn v;\n}\nmain() {}\n";
        let tree = TreeAlgorithm { reducer: TreeReducer::Perses, repeated: true, lists: Algorithm::default() };
        let alone = ends_with("c", program, is_figure_2, |search, workshop| {
            tree.run(search, TreeFile { workshop, memory: None, options: &TreeOptions::default() })
        })
        .0;
        assert_eq!(alone, program);
        let (end, _) = ends_with("c", program, is_figure_2, |search, workshop| {
            search.fixpoint(|search| {
                run_trec(search, workshop)?;
                tree.run(search, TreeFile { workshop, memory: None, options: &TreeOptions::default() })
            })
        });
        let words: Vec<&str> = end.split_whitespace().collect();
        assert_eq!(
            words.join(" "),
            "typedef long a; typedef a d __attribute__(( (__vector_size__(sizeof(a))) )); d c() { d b = {c}; return b; } main() {}"
        );
    }
}
