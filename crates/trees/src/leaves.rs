//! [`Leaves`]: what the parser takes for tokens, as it lists them.

use crate::concrete::ParserTree;

/// A leaf of the parser's tree that has a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// The parser's number of its type, before aliasing.
    pub kind: u16,
    /// Where its text begins.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
}

/// The leaves of a parsed text, comments included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaves {
    /// In text order.
    pub leaves: Vec<Leaf>,
    /// The places where the parser had to skip something or to make something up.
    pub errors: u64,
}

impl Leaves {
    pub(crate) fn of(parsed: &ParserTree) -> Self {
        let mut cursor = parsed.walk();
        let mut leaves = Vec::new();
        loop {
            let node = cursor.node();
            if cursor.goto_first_child() {
                continue;
            }
            if node.start_byte() < node.end_byte() {
                leaves.push(Leaf { kind: node.grammar_id(), start: node.start_byte(), end: node.end_byte() });
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return Self { leaves, errors: crate::count_errors(parsed) };
                }
            }
        }
    }
}
