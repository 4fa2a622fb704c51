//! Single edits of the samples of every language, read again: no token is joined with another, none is split.

use std::path::Path;

use crate::{grammar, parse};
use whittle_languages::Language;
use whittle_trees::{Edit, Kind, NodeId, Tree};

const SEED: u64 = 4;
/// How many deletions and how many hoists are made in a sample; where there are more, some are taken at random.
const EDITS: usize = 60;

/// Names of tokens that are text between other tokens, with no bounds of their own: what comes together becomes one.
const CONTENT: [&str; 7] = ["content", "fragment", "text", "data", "chars", "interpolation", "escape"];

/// Languages in which a token depends on what is far from it, so that a few edits change how others are read.
const CONTEXTUAL: [(&str, &str); 9] = [
    ("bash", "the pattern of an expansion is optional, and what separates it is read otherwise without it"),
    ("cmake", "what an argument begins with decides whether its parts are tokens"),
    ("css", "a property without a value is the beginning of a selector"),
    ("kotlin", "a name without its mark is text in a string"),
    ("make", "a recipe and a definition reach to a line that an edit may take"),
    ("markdown", "what begins a line decides what the line is"),
    ("perl", "a string of one delimiter is read as that of another"),
    ("php", "what follows a closing tag, or a brace without a variable in a string, is text"),
    ("ruby", "a here-document is elsewhere than what begins it"),
];

#[test]
fn single_edits_neither_join_nor_split_tokens() {
    let mut wrong = Vec::new();
    for language in Language::all() {
        let tree = parse(language.name, sample(language));
        let mut tried = 0;
        let mut differences = Vec::new();
        for (node, edit) in edits(&tree) {
            let Some(expected) = kept(&tree, node, edit) else { continue };
            let left = tree.unparse(&std::iter::once((node, edit)).collect());
            let Some(found) = tokens_read_again(language, &left) else { continue };
            tried += 1;
            if joined(&expected) != joined(&found) {
                differences.push(difference(&tree, &expected, &found, node, edit));
            }
        }
        assert!(tried > 0, "{language:?}: nothing was tried");
        let allowed = if CONTEXTUAL.iter().any(|(name, _)| *name == language.name) { tried / 20 } else { 0 };
        if differences.len() > allowed {
            wrong.push(format!("{}: {} of {tried}\n  {}", language.name, differences.len(), differences.join("\n  ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

pub(crate) fn sample(language: &Language) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../languages/samples");
    let mut paths = language.extensions.iter().map(|extension| folder.join(format!("{}.{extension}", language.name)));
    let path = paths.find(|path| path.exists()).unwrap_or_else(|| panic!("{language:?} has no sample"));
    std::fs::read(path).expect("a sample can be read")
}

/// All deletions and hoists, or as many at random.
fn edits(tree: &Tree) -> Vec<(NodeId, Edit)> {
    let mut random = fastrand::Rng::with_seed(SEED);
    let mut take = |mut edits: Vec<(NodeId, Edit)>| {
        random.shuffle(&mut edits);
        edits.truncate(EDITS);
        edits
    };
    let optionals = tree.nodes().filter(|&node| matches!(tree.kind(node), Kind::Optional));
    let lists = tree.nodes().filter(|&node| matches!(tree.kind(node), Kind::List { .. }));
    let elements = lists.flat_map(|list| tree.elements(list));
    let deletions = take(optionals.chain(elements).map(|node| (node, Edit::Delete)).collect());
    let below = |node| {
        tree.descendants(node)
            .filter(move |&inner| tree.can_hoist(inner, node))
            .map(move |inner| (node, Edit::Hoist(inner)))
    };
    let hoists = take(tree.nodes().flat_map(below).collect());
    deletions.into_iter().chain(hoists).collect()
}

/// A token: its text, and whether it has no bounds of its own.
type Token = (Vec<u8>, bool);

/// The tokens that are kept, those that the parser does not show too: they count as content.
fn tokens(tree: &Tree, is_kept: impl Fn(NodeId) -> bool) -> Vec<Token> {
    let all = tree.nodes().filter(|&node| matches!(tree.kind(node), Kind::Token { .. }) && is_kept(node));
    all.map(|node| token(tree, node)).filter(|(text, _)| !text.is_empty()).collect()
}

fn token(tree: &Tree, node: NodeId) -> Token {
    let name =
        tree.symbol(node).zip(tree.grammar()).map(|(symbol, grammar)| grammar.describe(symbol).name.to_lowercase());
    let is_content = name.is_some_and(|name| CONTENT.iter().any(|content| name.contains(content)));
    let is_silent = matches!(tree.kind(node), Kind::Token { silent: true, .. });
    let text = tree.token_text(node).iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
    (text, is_content || is_silent)
}

/// The tokens that an edit keeps; `None` if it leaves a list that must not be empty.
fn kept(tree: &Tree, node: NodeId, edit: Edit) -> Option<Vec<Token>> {
    let is_hoisted = |token| matches!(edit, Edit::Hoist(inner) if tree.is_within(token, inner));
    let mut separator = None;
    let list = tree.parent(node).filter(|&list| matches!(tree.kind(list), Kind::List { .. }));
    if let Some(list) = list.filter(|_| edit == Edit::Delete) {
        let Kind::List { separated, at_least_one } = tree.kind(list) else { return None };
        let children: Vec<NodeId> = tree.children(list).collect();
        let at = children.iter().position(|&child| child == node)?;
        let is_last_one = children.len() <= if separated { 2 } else { 1 };
        if is_last_one && at_least_one {
            return None;
        }
        separator = children.get(if at > 0 { at - 1 } else { 1 }).filter(|_| separated).copied();
    }
    let is_separator = |token| separator.is_some_and(|separator| tree.is_within(token, separator));
    Some(tokens(tree, |token| !tree.is_within(token, node) && !is_separator(token) || is_hoisted(token)))
}

/// The tokens of a text; `None` if it has a syntax error.
fn tokens_read_again(language: &Language, text: &[u8]) -> Option<Vec<Token>> {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&language.tree_sitter()).expect("the parser fits the core");
    let parsed = parser.parse(text, None).expect("nothing cancels");
    if has_fault(&parsed) {
        return None;
    }
    let tree = Tree::convert(text, whittle_trees::ParserTree::from(parsed), &grammar(language));
    Some(tokens(&tree, |_| true))
}

/// Whether there is an error or a token that the parser made up. A node may have an error and show none.
fn has_fault(parsed: &tree_sitter::Tree) -> bool {
    let mut cursor = parsed.walk();
    loop {
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            return true;
        }
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return false;
            }
        }
    }
}

/// The texts of tokens; those without bounds of their own become one where they come together.
fn joined(tokens: &[Token]) -> Vec<Vec<u8>> {
    let mut joined: Vec<Vec<u8>> = Vec::new();
    let mut was_content = false;
    for (text, is_content) in tokens {
        match joined.last_mut().filter(|_| was_content && *is_content) {
            Some(last) => last.extend_from_slice(text),
            None => joined.push(text.clone()),
        }
        was_content = *is_content;
    }
    joined
}

fn difference(tree: &Tree, expected: &[Token], found: &[Token], node: NodeId, edit: Edit) -> String {
    let (expected, found) = (joined(expected), joined(found));
    let same = expected.iter().zip(&found).take_while(|(a, b)| a == b).count();
    let shown = |tokens: &[Vec<u8>]| {
        let around = tokens.iter().skip(same.saturating_sub(2)).take(5);
        around.map(|text| String::from_utf8_lossy(text).into_owned()).collect::<Vec<_>>()
    };
    let what = match edit {
        Edit::Hoist(inner) => format!(
            "hoist to {:?}",
            tree.symbol(inner).zip(tree.grammar()).map(|(symbol, grammar)| &grammar.describe(symbol).name)
        ),
        _ => "delete".to_owned(),
    };
    let name = tree.symbol(node).zip(tree.grammar()).map(|(symbol, grammar)| &grammar.describe(symbol).name);
    format!("{what} of {name:?}: {:?} is read as {:?}", shown(&expected), shown(&found))
}
