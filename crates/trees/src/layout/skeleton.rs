//! [`Skeleton`]: how a text is parsed, whitespace aside.

use crate::{Syntax, count_errors};

/// The nodes and tokens of a parse, in order. Two texts with the same one differ in whitespace only. Of a text with errors,
/// only the texts of the tokens: how the parser groups and names them depends on how many lines it skips.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skeleton {
    nodes: Vec<Bone>,
    errors: u64,
}

/// A node that has a text.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Bone {
    kind: u16,
    /// How deep it is; 0 for comments, which belong to what is around them or to what is behind them.
    depth: u32,
    /// The text of a leaf.
    text: Box<[u8]>,
}

impl Skeleton {
    /// Of a text; `None` if it is too much for the parser.
    pub fn of(syntax: &Syntax, text: &[u8]) -> Option<Self> {
        let parsed = syntax.parse(text, None).ok()?;
        let mut cursor = parsed.walk();
        let mut nodes = Vec::new();
        let has_errors = parsed.root_node().has_error();
        loop {
            let node = cursor.node();
            let covered = text[node.byte_range()].trim_ascii();
            // Line ends that are tokens have no name. Named whitespace is content.
            let is_seen = !covered.is_empty()
                || (node.is_named() && node.child_count() == 0 && node.end_byte() > node.start_byte());
            if is_seen && !(has_errors && node.child_count() > 0) {
                let depth = if node.is_extra() || has_errors { 0 } else { cursor.depth() };
                let own: &[u8] = match (node.child_count(), covered.is_empty()) {
                    (0, true) => &text[node.byte_range()],
                    (0, false) => covered,
                    _ => b"",
                };
                let kind = if has_errors { 0 } else { node.kind_id() };
                nodes.push(Bone { kind, depth, text: own.into() });
            }
            if cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return Some(Self { nodes, errors: count_errors(&parsed) });
                }
            }
        }
    }
}
