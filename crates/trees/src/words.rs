//! What is a name and what is a keyword. All passes over trees share these definitions.
//!
//! A *keyword* is a word that the grammar spells out as a token ([`Grammar::is_keyword`]). A *name* is a token that
//! starts with a letter, an underscore or a character beyond ASCII, and is not a keyword. So the names of built-in
//! types are names, where the grammar matches them by a pattern.
//!
//! Whether a name can be *renamed* is a narrower question: its lexical rule must allow other words. `whittle-tokens`
//! answers it (`TokenKind::Name`).
//!
//! [`Grammar::is_keyword`]: whittle_grammars::Grammar::is_keyword

use crate::{NodeId, Tree};

impl Tree {
    /// Whether a token is a name.
    pub(crate) fn is_name(&self, token: NodeId) -> bool {
        self.token_text(token).first().is_some_and(starts_name) && !self.is_keyword(token)
    }

    /// Whether the text of a token is a keyword, even where the parser reads it as a name, as in `x.class`.
    pub(crate) fn is_keyword(&self, token: NodeId) -> bool {
        let (Some(grammar), Ok(text)) = (self.grammar(), str::from_utf8(self.token_text(token))) else { return false };
        // Some external scanners name a keyword's symbol by its text.
        let is_named_so = |symbol| grammar.describe(symbol).external && grammar.describe(symbol).name == text;
        grammar.is_keyword(text) || self.symbol(token).is_some_and(is_named_so)
    }
}

/// Whether a name can start with this byte.
pub(crate) fn starts_name(byte: &u8) -> bool {
    byte.is_ascii_alphabetic() || *byte == b'_' || !byte.is_ascii()
}

#[cfg(test)]
mod tests {
    use crate::reduce::testing::syntax;

    #[test]
    fn names_are_words_other_than_keywords_whatever_external_tokens_are_called() {
        for (language, text, names) in [
            ("c", "static int a = b1 + 2;", &["int", "a", "b1"][..]),
            ("python", "def comment(é):\n    return None is _x\n", &["comment", "é", "_x"]),
            ("javascript", "this.class = new class {}", &[]),
        ] {
            let tree = syntax(language).tree(text);
            let found = tree.tokens(tree.root()).filter(|&token| tree.is_name(token));
            let found: Vec<&str> = found.map(|token| str::from_utf8(tree.token_text(token)).unwrap()).collect();
            assert_eq!(found, names, "{language}");
        }
    }
}
