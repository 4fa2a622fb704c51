//! [`TokenRule`]: what tokens of one type look like, and which other texts they can have.
//!
//! A rule comes from a pattern of the grammar, or from a syntax rule of a literal (see `composite.rs`), or, for tokens
//! that only an external scanner knows, from the text of one token.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use whittle_search::Alphabet;

use crate::automaton::Automaton;
use crate::lex_tree::{FragmentId, LexTree};
use crate::lexical::{LexId, Lexical, LexicalRules};
use crate::shortlex::Texts;

/// Patterns for tokens without a rule; the first that matches is used. Identifiers, identifiers with `.`, `:` and `-`,
/// integers, floats, quoted strings.
const LOOKS: [&str; 7] = [
    "[A-Za-z_][A-Za-z0-9_]*",
    "[A-Za-z_][A-Za-z0-9_.:-]*",
    "[0-9]+",
    "[0-9][0-9_]*([.][0-9_]*)?([eE][-+]?[0-9_]+)?([A-Za-z][A-Za-z0-9]*)?",
    r#""([^"\\]|\\.)*""#,
    r"'([^'\\]|\\.)*'",
    r"`([^`\\]|\\.)*`",
];

/// What tokens of one type look like.
///
/// ```
/// use whittle_grammars::{Alphabet, TokenRule};
/// let rule = TokenRule::from_pattern("0|[1-9][0-9]*|0x[0-9a-f]+")?;
/// let first: Vec<String> = rule.texts(&Alphabet::default(), 3).take(3).collect();
/// assert_eq!(first, ["0", "1", "2"]);
/// assert!(rule.accepts("0xff") && !rule.accepts("0x"));
/// # Ok::<(), Box<regex_syntax::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TokenRule {
    rules: LexicalRules,
    root: LexId,
    automaton: Automaton,
}

impl TokenRule {
    pub(crate) fn new(rules: LexicalRules, root: LexId) -> Self {
        Self { automaton: Automaton::new(&rules, root), rules, root }
    }

    /// The rule of a regular expression.
    pub fn from_pattern(pattern: &str) -> Result<Self, Box<regex_syntax::Error>> {
        let mut rules = LexicalRules::default();
        let root = rules.add_pattern(pattern, "")?;
        Ok(Self::new(rules, root))
    }

    /// A rule guessed from the text of a token that only an external scanner knows. If no pattern matches, the rule
    /// allows any text of the token's own characters.
    pub fn from_look(text: &str) -> Self {
        static KNOWN: OnceLock<Vec<TokenRule>> = OnceLock::new();
        let known = || LOOKS.iter().filter_map(|look| Self::from_pattern(look).ok()).collect();
        let fitting = KNOWN.get_or_init(known).iter().find(|rule| rule.accepts(text));
        fitting.cloned().unwrap_or_else(|| {
            let mut rules = LexicalRules::default();
            let characters: BTreeSet<char> = text.chars().collect();
            let content = rules.add(Lexical::Class(characters.into_iter().map(|c| (c, c)).collect()));
            let root = rules.add(Lexical::Repeat { content, min: 1, max: None });
            Self::new(rules, root)
        })
    }

    /// Whether the rule allows only one text.
    pub fn is_fixed(&self) -> bool {
        matches!(self.rules.get(self.root), Lexical::Literal(_))
    }

    /// Whether a text follows the rule.
    pub fn accepts(&self, text: &str) -> bool {
        self.automaton.path(text).is_some()
    }

    /// The fragments of a text; `None` if it does not follow the rule.
    pub fn lex_tree(&self, text: &str) -> Option<LexTree> {
        self.automaton.path(text).map(|marks| LexTree::build(&self.rules, &marks))
    }

    /// All texts of up to `longest` characters in shortlex order, except the empty one.
    pub fn texts<'a>(&'a self, alphabet: &'a Alphabet, longest: usize) -> Texts<'a> {
        Texts::new(&self.automaton, alphabet, longest)
    }

    /// The texts that could replace a leaf and make the token smaller, in shortlex order, at most `most`.
    pub fn smaller_leaves(&self, tree: &LexTree, leaf: FragmentId, alphabet: &Alphabet, most: usize) -> Vec<String> {
        let automaton = Automaton::new(&self.rules, tree.leaf_rule(&self.rules, leaf));
        let (old, context) = (tree.spell(), tree.context(leaf));
        let texts = Texts::new(&automaton, alphabet, tree.leaf_text(leaf).chars().count()).in_context(context);
        let is_smaller = |text: &String| alphabet.compare(&tree.with_leaf(leaf, text).spell(), &old).is_lt();
        texts.take_while(is_smaller).take(most).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lex_tree::FragmentKind;
    use crate::{Grammar, Quoted};

    /// Figure 4 of the paper, but for `LLSuffix`, which figures 7 and 8 show as an optional.
    const CONSTANT: &str = include_str!("../testdata/figure4.json");

    fn constant() -> TokenRule {
        let grammar = Grammar::from_tree_sitter(CONSTANT).unwrap();
        grammar.flat_rule(grammar.symbol("constant").unwrap()).unwrap()
    }

    /// Leaves by their texts, what can go in brackets.
    fn shown(tree: &LexTree, fragment: FragmentId) -> String {
        let below: String = tree.children(fragment).into_iter().map(|child| shown(tree, child)).collect();
        match tree.kind(fragment) {
            FragmentKind::Leaf => format!("'{}'", tree.leaf_text(fragment)),
            FragmentKind::Group => below,
            FragmentKind::Optional => format!("[{below}]?"),
            FragmentKind::Kleene { min } => format!("[{below}]{min}+"),
        }
    }

    #[test]
    fn a_token_falls_into_the_fragments_of_its_rule() {
        let tree = constant().lex_tree("0xff00ull").unwrap();
        assert_eq!(tree.spell(), "0xff00ull");
        assert_eq!(shown(&tree, tree.root()), "'0''x'['f''f''0''0']1+['u'['ll']?]?");
        assert!(constant().lex_tree("0xg").is_none());
    }

    #[test]
    fn texts_come_in_shortlex_order_and_every_one_follows_the_rule() {
        let alphabet = Alphabet::default();
        let constant = constant();
        let texts: Vec<String> = constant.texts(&alphabet, 3).collect();
        assert_eq!(texts[..11], ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "00"]);
        assert!(texts.windows(2).all(|pair| alphabet.compare(&pair[0], &pair[1]).is_lt()));
        assert!(texts.iter().all(|text| constant.accepts(text)));
        assert!(texts.contains(&"0xf".to_owned()) && texts.contains(&"0b1".to_owned()));
    }

    #[test]
    fn every_short_text_of_a_rule_is_among_its_texts() {
        let alphabet = Alphabet::default();
        for pattern in ["(a|b)*c?", "[ab]{2,3}|c+", "(ab?)+", "((a*)*b)?"] {
            let rule = TokenRule::from_pattern(pattern).unwrap();
            let texts: Vec<String> = rule.texts(&alphabet, 4).collect();
            let mut all = vec![String::new()];
            for length in 1..=4 {
                let longer = all.iter().filter(|text| text.len() == length - 1);
                let longer: Vec<String> =
                    longer.flat_map(|text| ["a", "b", "c"].map(|c| format!("{text}{c}"))).collect();
                all.extend(longer);
            }
            all.retain(|text| !text.is_empty() && rule.accepts(text));
            assert_eq!(texts, all, "{pattern}");
        }
    }

    #[test]
    fn a_leaf_can_become_what_its_class_or_its_choice_has_below_it() {
        let smaller = |pattern: &str, text: &str, at: usize| {
            let rule = TokenRule::from_pattern(pattern).unwrap();
            let tree = rule.lex_tree(text).unwrap();
            rule.smaller_leaves(&tree, tree.leaves()[at], &Alphabet::default(), 2)
        };
        assert_eq!(smaller("0x[0-9a-fA-F]+", "0xff", 1), ["0", "1"]);
        assert_eq!(smaller("0x[0-9a-fA-F]+", "0x1f", 1), ["0"]);
        assert_eq!(smaller("[a-z]+", "ba", 0), ["a"]);
        assert_eq!(smaller("[a-z]+", "ba", 1), [""; 0]);
        assert_eq!(smaller("[0-9]+(usize|u8|i16)", "1usize", 1), ["u8", "i16"]);
    }

    #[test]
    fn external_tokens_are_known_by_their_look() {
        let first = |text: &str| {
            let rule = TokenRule::from_look(text);
            assert!(rule.accepts(text), "{text}");
            rule.texts(&Alphabet::default(), 4).next().unwrap()
        };
        for (text, expected) in
            [("crc", "a"), ("data-id", "a"), ("12", "0"), ("1_0.5e3f32", "0"), ("\"x\"", "\"\""), ("<é>", "<")]
        {
            assert_eq!(first(text), expected, "{text}");
        }
    }

    #[test]
    fn a_literal_that_rules_spell_is_one_token() {
        let json = r#"{ "name": "strings", "externals": [{ "type": "SYMBOL", "name": "open" }, { "type": "SYMBOL", "name": "text" }], "rules": {
            "all": { "type": "SYMBOL", "name": "string" },
            "string": { "type": "SEQ", "members": [ { "type": "SYMBOL", "name": "open" },
                { "type": "REPEAT", "content": { "type": "CHOICE", "members": [
                    { "type": "SYMBOL", "name": "text" }, { "type": "SYMBOL", "name": "escape" }, { "type": "SYMBOL", "name": "hole" } ] } },
                { "type": "STRING", "value": "\"" } ] },
            "hole": { "type": "SEQ", "members": [{ "type": "STRING", "value": "{" }, { "type": "SYMBOL", "name": "string" }, { "type": "STRING", "value": "}" }] },
            "escape": { "type": "IMMEDIATE_TOKEN", "content": { "type": "PATTERN", "value": "\\\\." } }
        } }"#;
        let grammar = Grammar::from_tree_sitter(json).unwrap();
        let quoted = Quoted { open: "f\"", content: "a b\\n", close: "\"" };
        let rule = grammar.composite_rule(grammar.symbol("string").unwrap(), quoted).unwrap();
        let tree = rule.lex_tree("f\"a b\\n\"").unwrap();
        assert_eq!(shown(&tree, tree.root()), "'f\"'[['a'' ''b']1+'\\''n']0+'\"'");
        assert_eq!(rule.texts(&Alphabet::default(), 4).next().as_deref(), Some("f\"\""));
    }
}
