//! [`Recognition`]: how well a parser gets along with a text that may be in another language. Linear in the text.

use tree_sitter::Language;

use crate::concrete::{Node, ParserTree};
use crate::convert::is_comment;
use crate::parse::{Limits, parse};

/// What a parser makes of a text, in bytes that are not whitespace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Recognition {
    /// All of them, comments aside.
    pub solid: u64,
    /// Those of tokens that the parser had to skip: the node right above them is an error.
    pub skipped: u64,
    /// How many tokens the parser had to make up.
    pub missing: u64,
    /// How many tokens are keywords: letters that the grammar spells out.
    pub keywords: u64,
}

impl Recognition {
    /// What the parser of `language` makes of a text; `None` if the text is too much for it.
    pub fn of(text: &[u8], language: &Language, limits: Limits) -> Option<Self> {
        let parsed: ParserTree = parse(text, None, language, limits, None).ok()?.into();
        let mut recognition = Self::default();
        let mut cursor = parsed.walk();
        let mut above_is_error = vec![false];
        loop {
            let node = cursor.node();
            if !is_comment(&node) {
                if cursor.goto_first_child() {
                    above_is_error.push(node.is_error());
                    continue;
                }
                recognition.add(text, &node, above_is_error.last() == Some(&true) || node.is_error());
            }
            while !cursor.goto_next_sibling() {
                above_is_error.pop();
                if !cursor.goto_parent() {
                    return Some(recognition);
                }
            }
        }
    }

    fn add(&mut self, text: &[u8], leaf: &Node<'_>, is_skipped: bool) {
        let solid = text[leaf.byte_range()].iter().filter(|byte| !byte.is_ascii_whitespace()).count() as u64;
        self.solid += solid;
        self.skipped += if is_skipped { solid } else { 0 };
        self.missing += u64::from(leaf.is_missing());
        self.keywords += u64::from(!is_skipped && is_keyword(leaf));
    }
}

/// Whether the grammar spells out the letters of a token. Some grammars for languages without regard to case have a rule for
/// each keyword.
fn is_keyword(leaf: &Node<'_>) -> bool {
    let kind = leaf.kind();
    let is_word = kind.len() > 1 && kind.bytes().all(|byte| byte.is_ascii_alphabetic());
    (is_word && !leaf.is_named()) || kind.starts_with("keyword_")
}
