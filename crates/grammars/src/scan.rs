//! [`Scan`]: how a token can go on, by all lexical rules at once.
//!
//! Literals are looked up; patterns become one automaton in the manner of Thompson, simulated over sets of states. It
//! knows no contexts, as the parser's own lexer does, so it may see a token where there can be none.

use crate::lexical::{LexId, Lexical, LexicalRules};
use crate::rules::{Rule, Source};

/// A repetition that is allowed more often than this is as good as one without limit.
const COPIES: u32 = 16;

#[derive(Clone, Debug)]
enum State {
    /// A character of these ranges leads to another state.
    Step { pattern: u32, ranges: Vec<(char, char)>, to: u32 },
    /// All of these states at once.
    Fork(Vec<u32>),
    /// The end of a token.
    End,
}

/// The lexical rules of a grammar as one automaton.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scan {
    /// In ascending order; the names of external tokens are among them, as some are their texts.
    literals: Vec<String>,
    states: Vec<State>,
    starts: Vec<u32>,
}

impl Scan {
    /// Of the tokens that may have a blank before them: the others follow another token whatever stands there.
    pub(crate) fn new(source: &Source) -> Self {
        let mut scan = Self { literals: source.externals.clone(), ..Self::default() };
        for rule in &source.rules {
            let Rule::Token { lexical, immediate: false, .. } = *rule else { continue };
            match source.lexical.get(lexical) {
                Lexical::Literal(text) => scan.literals.push(text.clone()),
                _ => {
                    let end = scan.add(State::End);
                    let pattern = scan.starts.len() as u32;
                    let start = scan.compile(&source.lexical, lexical, pattern, end);
                    scan.starts.push(start);
                }
            }
        }
        scan.literals.sort_unstable();
        scan.literals.dedup();
        scan
    }

    fn add(&mut self, state: State) -> u32 {
        self.states.push(state);
        self.states.len() as u32 - 1
    }

    /// The state that reads the rule and goes on with `to`.
    fn compile(&mut self, rules: &LexicalRules, rule: LexId, pattern: u32, to: u32) -> u32 {
        match rules.get(rule) {
            Lexical::Literal(text) => {
                text.chars().rev().fold(to, |to, c| self.add(State::Step { pattern, ranges: vec![(c, c)], to }))
            }
            Lexical::Class(ranges) => self.add(State::Step { pattern, ranges: ranges.clone(), to }),
            Lexical::Concat(parts) => parts.iter().rev().fold(to, |to, &part| self.compile(rules, part, pattern, to)),
            Lexical::Alternation(parts) => {
                let ways = parts.iter().map(|&part| self.compile(rules, part, pattern, to)).collect();
                self.add(State::Fork(ways))
            }
            &Lexical::Repeat { content, min, max } => {
                let mut rest = to;
                match max.filter(|&max| max <= COPIES) {
                    Some(max) => {
                        for _ in min.min(max)..max {
                            let once = self.compile(rules, content, pattern, rest);
                            rest = self.add(State::Fork(vec![once, to]));
                        }
                    }
                    None => {
                        let again = self.add(State::Fork(vec![to]));
                        let once = self.compile(rules, content, pattern, again);
                        self.states[again as usize] = State::Fork(vec![once, to]);
                        rest = again;
                    }
                }
                (0..min.min(COPIES)).fold(rest, |rest, _| self.compile(rules, content, pattern, rest))
            }
        }
    }

    /// Whether some token that begins with `text` can go on with `next`, and could not go on with a blank instead.
    pub(crate) fn reads_on(&self, text: &str, next: char) -> bool {
        self.has_literal(text, next) || {
            let states =
                text.chars().fold(self.closure(&self.starts), |states, c| self.closure(&self.steps(&states, c)));
            let with_blank = self.patterns(&states, ' ');
            self.patterns(&states, next).iter().any(|pattern| !with_blank.contains(pattern))
        }
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

    fn steps(&self, states: &[u32], c: char) -> Vec<u32> {
        let to = |&state: &u32| match &self.states[state as usize] {
            State::Step { ranges, to, .. } if has_char(ranges, c) => Some(*to),
            _ => None,
        };
        states.iter().filter_map(to).collect()
    }

    /// The patterns that read a character in one of these states.
    fn patterns(&self, states: &[u32], c: char) -> Vec<u32> {
        let of = |&state: &u32| match &self.states[state as usize] {
            State::Step { pattern, ranges, .. } if has_char(ranges, c) => Some(*pattern),
            _ => None,
        };
        states.iter().filter_map(of).collect()
    }

    /// These states and those that need no character from there, in ascending order.
    fn closure(&self, states: &[u32]) -> Vec<u32> {
        let mut left = states.to_vec();
        let mut closed = std::collections::BTreeSet::new();
        while let Some(state) = left.pop() {
            if closed.insert(state)
                && let State::Fork(ways) = &self.states[state as usize]
            {
                left.extend(ways);
            }
        }
        closed.into_iter().collect()
    }
}

fn has_char(ranges: &[(char, char)], c: char) -> bool {
    ranges.iter().any(|&(from, to)| (from..=to).contains(&c))
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
