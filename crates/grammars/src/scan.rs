//! [`Scan`]: how a token can continue, by all lexical rules at once.
//!
//! Literals are looked up; all patterns together are one automaton. Unlike the parser's own lexer it knows no contexts,
//! so it may see a token where there can be none.

use crate::lexical::{Lexical, has_char};
use crate::nfa::{Nfa, State};
use crate::rules::{Rule, Source};

/// How many characters ASCII has.
const ASCII: u8 = 128;

/// The lexical rules of a grammar as one automaton.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scan {
    /// In ascending order.
    literals: Vec<String>,
    nfa: Nfa,
    /// The end of each pattern, which is the first of its states, in ascending order.
    ends: Vec<u32>,
    /// The start of each pattern.
    starts: Vec<u32>,
    /// Where the patterns are after each ASCII character that a token begins with.
    begun: Vec<Vec<u32>>,
}

impl Scan {
    /// Reads the tokens that may have whitespace before them. The others follow a token directly, whatever it is.
    pub(crate) fn new(source: &Source) -> Self {
        // Tokens of an external scanner have a symbol or a text.
        let texts = source.externals.iter().filter(|external| !source.symbol_ids.contains_key(*external));
        let mut scan = Self { literals: texts.cloned().collect(), ..Self::default() };
        for rule in &source.rules {
            let Rule::Token { lexical, immediate: false, .. } = *rule else { continue };
            match source.lexical.get(lexical) {
                Lexical::Literal(text) => scan.literals.push(text.clone()),
                _ => {
                    let end = scan.nfa.add(State::End);
                    scan.ends.push(end);
                    scan.starts.push(scan.nfa.compile(&source.lexical, lexical, end));
                }
            }
        }
        scan.literals.sort_unstable();
        scan.literals.dedup();
        let steps = scan.nfa.steps_from(&scan.starts);
        scan.begun = (0..ASCII).map(|c| scan.nfa.reached(&steps, char::from(c))).collect();
        scan
    }

    /// Whether some token that starts with `text` can continue with `next`, but not with a space.
    pub(crate) fn reads_on(&self, text: &str, next: char) -> bool {
        self.has_literal(text, next) || {
            let Some(states) = self.after(text) else { return false };
            let steps = self.nfa.steps_from(&states);
            let with_space = self.patterns(&steps, ' ');
            self.patterns(&steps, next).iter().any(|pattern| !with_space.contains(pattern))
        }
    }

    /// Where the patterns are after a text; `None` if it is the beginning of none.
    fn after(&self, text: &str) -> Option<Vec<u32>> {
        let mut chars = text.chars();
        let first = chars.next().map_or_else(|| self.starts.clone(), |first| self.after_first(first));
        let some = |states: Vec<u32>| Some(states).filter(|states| !states.is_empty());
        chars.try_fold(some(first)?, |states, c| some(self.nfa.after(&states, c)))
    }

    fn after_first(&self, c: char) -> Vec<u32> {
        self.begun.get(c as usize).cloned().unwrap_or_else(|| self.nfa.after(&self.starts, c))
    }

    /// Whether a text is a token of its own.
    pub(crate) fn is_literal(&self, text: &str) -> bool {
        self.literals.binary_search_by(|literal| literal.as_str().cmp(text)).is_ok()
    }

    fn has_literal(&self, text: &str, next: char) -> bool {
        let from = self.literals.partition_point(|literal| literal.as_str() < text);
        let mut longer = self.literals[from..].iter().map_while(|literal| literal.strip_prefix(text));
        longer.any(|rest| rest.starts_with(next))
    }

    /// The numbers of the patterns that read a character in one of these states.
    fn patterns(&self, steps: &[u32], c: char) -> Vec<usize> {
        let reads = |step: &&u32| matches!(self.nfa.get(**step), State::Step { ranges, .. } if has_char(ranges, c));
        steps.iter().filter(reads).map(|step| self.ends.partition_point(|end| end < step)).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::Grammar;

    #[test]
    fn a_token_goes_on_where_a_literal_or_a_pattern_does_but_a_blank_would_end_it() {
        let json = r#"{ "name": "tiny", "extras": [{ "type": "SYMBOL", "name": "comment" }], "rules": {
            "all": { "type": "REPEAT", "content": { "type": "CHOICE", "members": [
                { "type": "SYMBOL", "name": "word" }, { "type": "SYMBOL", "name": "number" }, { "type": "SYMBOL", "name": "string" },
                { "type": "SYMBOL", "name": "text" }, { "type": "STRING", "value": "->" }, { "type": "STRING", "value": "-" },
                { "type": "IMMEDIATE_TOKEN", "content": { "type": "PATTERN", "value": "[(]+" } } ] } },
            "word": { "type": "PATTERN", "value": "[a-z_]\\w*" },
            "number": { "type": "PATTERN", "value": "\\d+(\\.\\d{0,2})?" },
            "string": { "type": "PATTERN", "value": "\"([^\"]|\"\")*\"" },
            "text": { "type": "PATTERN", "value": "%[^%]*%" },
            "comment": { "type": "PATTERN", "value": "//.*|/\\*[^*]*\\*/" }
        } }"#;
        let grammar = Grammar::from_tree_sitter(json).unwrap();
        for (text, next, expected) in [
            ("a", 'b', true),
            ("a", '1', true),
            ("1", 'a', false),
            ("1", '.', true),
            ("1.0", '2', true),
            ("1.00", '2', false),
            ("-", '>', true),
            ("->", '>', false),
            ("-", '-', false),
            ("/", '/', true),
            ("/", '*', true),
            ("\"a\"", '"', true),
            ("\"a", 'b', false),
            ("%", 'a', false),
            ("(", '(', false),
            ("a", '(', false),
        ] {
            assert_eq!(grammar.reads_on(text, next), expected, "{text:?} before {next:?}");
        }
    }
}
