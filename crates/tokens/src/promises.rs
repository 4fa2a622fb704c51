//! Every text that is produced is read as one token of the same type, over the samples of every language; and what
//! comes first in shortlex order is smaller to the search.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use whittle_grammars::{Alphabet, FragmentKind, LexTree, SymbolId};
use whittle_languages::Language;
use whittle_trees::{Syntax, Tree, Workshop};

use crate::layout::layout;
use crate::piece::{Piece, Rewrite};
use crate::testing::{ends_with, recorded, syntax};
use crate::token::{Token, tokens_of};

const SEED: u64 = 3;
/// How many tokens of a sample are looked at, and how many texts of each; where there are more, some at random.
const TOKENS: usize = 20;
const TEXTS: usize = 4;
/// Longer tokens have more of the same.
const LONGEST: usize = 40;

/// The other texts that the algorithms would try for a token.
fn other_texts(token: &Token, random: &mut fastrand::Rng) -> Vec<String> {
    let alphabet = Alphabet::default();
    let mut texts: BTreeSet<String> = token.rule.texts(&alphabet, token.text.chars().count()).take(3).collect();
    let tree = token.rule.lex_tree(&token.text).expect("a token follows its rule");
    texts.extend(shrunk(&tree));
    for leaf in tree.leaves() {
        let smaller = token.rule.smaller_leaves(&tree, leaf, &alphabet, 2);
        texts.extend(smaller.iter().map(|text| tree.with_leaf(leaf, text).spell()));
    }
    let mut texts: Vec<String> = texts.into_iter().filter(|text| *text != token.text && !text.is_empty()).collect();
    random.shuffle(&mut texts);
    texts.truncate(TEXTS);
    texts
}

/// The tree without one fragment that can go.
fn shrunk(tree: &LexTree) -> Vec<String> {
    let mut texts = Vec::new();
    let mut left = vec![tree.root()];
    while let Some(fragment) = left.pop() {
        let children = tree.children(fragment);
        match tree.kind(fragment) {
            FragmentKind::Optional => texts.push(tree.without(&[fragment]).spell()),
            FragmentKind::Kleene { min } if children.len() > min => {
                texts.extend(children.iter().map(|&child| tree.without(&[child]).spell()));
            }
            _ => {}
        }
        left.extend(children);
    }
    texts
}

/// What is compared of a token: its text, and whether it is one to the parser.
fn seen(token: &Token) -> (&str, bool) {
    (&token.text, token.is_single)
}

/// Whether a token with another text is read as one of its type; `None` if that is not proposed.
fn is_read(syntax: &Syntax, piece: &Piece<'_>, number: usize, text: &str) -> Option<bool> {
    let candidate = piece.render(&[Rewrite { tokens: vec![number], text: text.to_owned() }])?;
    let tree = syntax.tree(candidate.files()[0].bytes());
    let read = tokens_of(&tree);
    let found: Vec<_> = read.iter().map(seen).collect();
    let mut expected: Vec<_> = piece.tokens().iter().map(seen).collect();
    expected[number].0 = text;
    if found == expected {
        return Some(true);
    }
    // What has become the only text of its type is still a token, but not one that could have another text.
    expected.remove(number);
    let range = piece.tokens()[number].range.clone();
    let before = symbol_at(&syntax.tree(piece.render(&[])?.files()[0].bytes()), &range);
    let now = symbol_at(&tree, &(range.start..range.start + text.len()));
    // A literal may have been several tokens before.
    Some(now.is_some() && (before.is_none() || now == before) && found == expected)
}

/// The symbol of the token that is exactly there, if there is one.
fn symbol_at(tree: &Tree, range: &Range<usize>) -> Option<Option<SymbolId>> {
    let token = tree.tokens(tree.root()).find(|&token| tree.token_range(token) == *range)?;
    Some(tree.symbol(token))
}

#[test]
fn every_text_that_is_produced_is_read_as_one_token_of_the_same_type() {
    let (mut poor, mut wrong) = (Vec::new(), Vec::new());
    for language in Language::all() {
        let text = sample(language);
        let syntax = syntax(language.name);
        let workshop = Workshop { syntax: Some(syntax.clone()), ..Workshop::default() };
        let (search, _) = recorded(&text, |_| true);
        let alphabet = Alphabet::default();
        let piece = Piece::take(&search, &workshop, &alphabet).expect("a sample can be parsed");
        let is_short = |&number: &usize| piece.tokens()[number].text.len() <= LONGEST;
        let mut numbers: Vec<usize> = (0..piece.tokens().len()).filter(is_short).collect();
        let mut random = fastrand::Rng::with_seed(SEED);
        random.shuffle(&mut numbers);
        let (mut made, mut kept) = (0, 0);
        for &number in numbers.iter().take(TOKENS) {
            for text in other_texts(&piece.tokens()[number], &mut random) {
                made += 1;
                let Some(is_read) = is_read(&syntax, &piece, number, &text) else { continue };
                kept += 1;
                if !is_read {
                    wrong.push(format!("{}: {:?} as {text:?}", language.name, piece.tokens()[number].text));
                }
            }
        }
        // Most of what the rules allow is read so: what is not is a keyword, or a literal of another kind.
        if kept * 2 < made {
            poor.push(format!("{}: {kept} of {made}", language.name));
        }
        assert!(made > 0, "{}: no token has another text", language.name);
    }
    assert!(wrong.is_empty(), "these are read otherwise: {}", wrong.join(", "));
    assert!(poor.is_empty(), "few texts are read as they should: {}", poor.join(", "));
}

#[test]
fn the_layout_changes_no_token() {
    for language in Language::all() {
        let text = sample(language);
        let (end, _) = ends_with(language.name, &text, |_| true, layout);
        let syntax = syntax(language.name);
        let texts = |text: &str| {
            let read = syntax.leaves(text.as_bytes()).expect("a sample can be parsed");
            let texts: Vec<String> = read.leaves.iter().map(|leaf| text[leaf.start..leaf.end].to_owned()).collect();
            // Some grammars have line ends for tokens.
            texts.into_iter().filter(|text| !text.trim().is_empty()).collect::<Vec<_>>()
        };
        assert_eq!(texts(&end), texts(&text), "{}", language.name);
    }
}

fn sample(language: &Language) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../languages/samples");
    let mut paths = language.extensions.iter().map(|extension| folder.join(format!("{}.{extension}", language.name)));
    let path = paths.find(|path| path.exists()).unwrap_or_else(|| panic!("{language:?} has no sample"));
    std::fs::read_to_string(path).expect("a sample is text")
}
