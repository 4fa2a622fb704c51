//! Random grammars with random sentences, against a recognizer that is plain and slow: for each rule and each place, the
//! set of places where the rule can end, by iteration to a fixpoint.

use std::collections::BTreeSet;
use std::fmt::Write;

use fastrand::Rng;

use crate::{compile, leaves, pick, read};
use whittle_parsing::{Fault, RunTimeGrammar, check};

enum Part {
    Token(char),
    Rule(usize),
    Many(Box<Part>, char),
    Group(Vec<Vec<Part>>),
}

type Alternatives = Vec<Vec<Part>>;

fn part(random: &mut Rng, rules: usize, depth: usize) -> Part {
    match random.u32(0..10) {
        0..=4 => Part::Token(pick(random, "abc")),
        5..=6 => Part::Rule(random.usize(0..rules)),
        7..=8 => Part::Many(Box::new(part(random, rules, depth + 1)), pick(random, "?*+")),
        _ if depth < 2 => Part::Group(alternatives(random, rules, depth + 1)),
        _ => Part::Token('a'),
    }
}

fn alternatives(random: &mut Rng, rules: usize, depth: usize) -> Alternatives {
    let sequence = |random: &mut Rng| (0..random.usize(0..4)).map(|_| part(random, rules, depth)).collect();
    (0..random.usize(1..4)).map(|_| sequence(random)).collect()
}

fn write_alternatives(alternatives: &Alternatives, text: &mut String) {
    for (index, sequence) in alternatives.iter().enumerate() {
        if index > 0 {
            text.push_str(" | ");
        }
        for part in sequence {
            write_part(part, text);
            text.push(' ');
        }
    }
}

fn write_part(part: &Part, text: &mut String) {
    match part {
        Part::Token(c) => write!(text, "'{c}'").unwrap(),
        Part::Rule(rule) => write!(text, "r{rule}").unwrap(),
        Part::Many(inner, suffix) => {
            text.push('(');
            write_part(inner, text);
            write!(text, "){suffix}").unwrap();
        }
        Part::Group(alternatives) => {
            text.push('(');
            write_alternatives(alternatives, text);
            text.push(')');
        }
    }
}

struct Recognizer {
    text: Vec<char>,
    /// Where each rule can end, by rule and start.
    ends: Vec<Vec<BTreeSet<usize>>>,
}

impl Recognizer {
    fn accepts(rules: &[Alternatives], text: &str) -> bool {
        let text: Vec<char> = text.chars().collect();
        let ends = vec![vec![BTreeSet::new(); text.len() + 1]; rules.len()];
        let mut recognizer = Recognizer { text, ends };
        loop {
            let mut changed = false;
            for (rule, alternatives) in rules.iter().enumerate() {
                for start in 0..=recognizer.text.len() {
                    let found = recognizer.alternatives(alternatives, start);
                    changed |= found.len() > recognizer.ends[rule][start].len();
                    recognizer.ends[rule][start].extend(found);
                }
            }
            if !changed {
                return recognizer.ends[0][0].contains(&recognizer.text.len());
            }
        }
    }

    fn alternatives(&self, alternatives: &Alternatives, start: usize) -> BTreeSet<usize> {
        alternatives.iter().flat_map(|sequence| self.sequence(sequence, start)).collect()
    }

    fn sequence(&self, sequence: &[Part], start: usize) -> BTreeSet<usize> {
        sequence.iter().fold(BTreeSet::from([start]), |places, part| {
            places.into_iter().flat_map(|place| self.part(part, place)).collect()
        })
    }

    fn part(&self, part: &Part, start: usize) -> BTreeSet<usize> {
        match part {
            Part::Token(c) => self.text.get(start).filter(|next| *next == c).map(|_| start + 1).into_iter().collect(),
            Part::Rule(rule) => self.ends[*rule][start].clone(),
            Part::Group(alternatives) => self.alternatives(alternatives, start),
            Part::Many(inner, suffix) => {
                let once = self.part(inner, start);
                let mut all = if *suffix == '+' { once.clone() } else { &once | &BTreeSet::from([start]) };
                let mut open: Vec<usize> = if *suffix == '?' { Vec::new() } else { once.into_iter().collect() };
                while let Some(place) = open.pop() {
                    open.extend(self.part(inner, place).into_iter().filter(|end| all.insert(*end)));
                }
                all
            }
        }
    }
}

/// A random sentence; `None` if it gets too deep.
fn sentence(rules: &[Alternatives], alternatives: &Alternatives, random: &mut Rng, depth: usize) -> Option<String> {
    if depth > 12 {
        return None;
    }
    let sequence = &alternatives[random.usize(0..alternatives.len())];
    sequence.iter().map(|part| words(rules, part, random, depth)).collect()
}

fn words(rules: &[Alternatives], part: &Part, random: &mut Rng, depth: usize) -> Option<String> {
    match part {
        Part::Token(c) => Some(c.to_string()),
        Part::Rule(rule) => sentence(rules, &rules[*rule], random, depth + 1),
        Part::Group(alternatives) => sentence(rules, alternatives, random, depth + 1),
        Part::Many(inner, suffix) => {
            let (from, to) = match suffix {
                '?' => (0, 1),
                '*' => (0, 3),
                _ => (1, 3),
            };
            (0..random.usize(from..=to)).map(|_| words(rules, inner, random, depth + 1)).collect()
        }
    }
}

fn random_grammar(random: &mut Rng) -> (Vec<Alternatives>, String) {
    let count = random.usize(1..5);
    let rules: Vec<Alternatives> = (0..count).map(|_| alternatives(random, count, 0)).collect();
    let mut text = String::from("grammar Random;\n");
    for (number, rule) in rules.iter().enumerate() {
        write!(text, "r{number} : ").unwrap();
        write_alternatives(rule, &mut text);
        text.push_str(";\n");
    }
    (rules, text)
}

#[test]
fn random_grammars_accept_what_a_plain_recognizer_does_and_give_sentences_back() {
    let (mut usable, mut sentences, mut others) = (0, 0, 0);
    for seed in 0..1500 {
        let mut random = Rng::with_seed(seed);
        let (rules, text) = random_grammar(&mut random);
        // Rules that begin with themselves through others are refused.
        let Ok(grammar) = RunTimeGrammar::new(&read(&text).unwrap(), Some("r0")) else { continue };
        // Loops around what can be empty are reported, and may not find what is in them.
        let has_empty_loop = has_empty_loop(&text);
        usable += usize::from(!has_empty_loop);
        for round in 0..12 {
            let input = if round % 2 == 0 {
                match sentence(&rules, &rules[0], &mut random, 0).filter(|input| input.len() < 30) {
                    Some(input) => input,
                    None => continue,
                }
            } else {
                (0..random.usize(0..8)).map(|_| pick(&mut random, "abc")).collect()
            };
            let tree = grammar.parse(input.as_bytes()).unwrap();
            let is_sentence = Recognizer::accepts(&rules, &input);
            assert!(round % 2 == 1 || is_sentence, "seed {seed}: the recognizer is wrong about {input:?}\n{text}");
            assert!(is_sentence || tree.errors() > 0, "seed {seed}: {input:?}\n{text}");
            assert!(has_empty_loop || !is_sentence || tree.errors() == 0, "seed {seed}: {input:?}\n{text}");
            assert_eq!(leaves(&tree, &input), input, "seed {seed}\n{text}");
            sentences += usize::from(is_sentence && !has_empty_loop);
            others += usize::from(!is_sentence);
        }
    }
    assert!(usable > 500 && sentences > 3000 && others > 1000, "{usable} {sentences} {others}");
}

fn has_empty_loop(text: &str) -> bool {
    let found = check(&read(text).unwrap(), Some("r0"));
    found.warnings.iter().any(|problem| matches!(problem.fault, Fault::EmptyLoop(_)))
}

/// A part without rules, over two characters.
fn plain(part: Part) -> Part {
    match part {
        Part::Token('c') | Part::Rule(_) => Part::Token('b'),
        Part::Token(c) => Part::Token(c),
        Part::Many(inner, suffix) => Part::Many(Box::new(plain(*inner)), suffix),
        Part::Group(alternatives) => Part::Group(alternatives.into_iter().map(plain_sequence).collect()),
    }
}

fn plain_sequence(parts: Vec<Part>) -> Vec<Part> {
    parts.into_iter().map(plain).collect()
}

#[test]
fn tokens_that_never_match_are_those_that_win_no_short_text() {
    let texts = |length: u32| (0..1u32 << length).map(move |bits| spelled(bits, length));
    let texts: Vec<String> = (0..7).flat_map(texts).collect();
    let (mut shadowed, mut shadowed_by_many) = (0, 0);
    for seed in 0..200 {
        let mut random = Rng::with_seed(seed);
        let rules: Vec<Alternatives> = (0..random.usize(2..5))
            .map(|_| alternatives(&mut random, 1, 0).into_iter().map(plain_sequence).collect())
            .collect();
        let mut text = "grammar T; s : 'x' ;\n".to_owned();
        for (number, rule) in rules.iter().enumerate() {
            write!(text, "T{number} : ").unwrap();
            write_alternatives(rule, &mut text);
            text.push_str(";\n");
        }
        let accepts = |rule: usize, text: &str| Recognizer::accepts(&rules[rule..=rule], text);
        let winner = |text: &String| (0..rules.len()).find(|&rule| accepts(rule, text));
        let winners: BTreeSet<usize> = texts.iter().filter_map(winner).collect();
        let losers = (0..rules.len()).filter(|rule| !winners.contains(rule));
        let expected: BTreeSet<String> = losers.map(|rule| format!("T{rule}")).collect();
        let mut found = BTreeSet::new();
        for problem in check(&read(&text).unwrap(), None).warnings {
            if let Fault::Shadowed(name, others) = problem.fault {
                shadowed += 1;
                shadowed_by_many += usize::from(others.len() > 1);
                found.insert(name);
            }
        }
        assert_eq!(found, expected, "seed {seed}\n{text}");
    }
    assert!(shadowed > 50 && shadowed_by_many > 10, "{shadowed} {shadowed_by_many}");
}

/// A text of `a` and `b` by the bits of a number.
fn spelled(bits: u32, length: u32) -> String {
    (0..length).map(|at| if bits >> at & 1 == 0 { 'a' } else { 'b' }).collect()
}

#[test]
fn a_parse_does_not_depend_on_what_was_parsed_before() {
    for seed in 0..200 {
        let mut random = Rng::with_seed(seed);
        let (_, text) = random_grammar(&mut random);
        let Ok(warm) = RunTimeGrammar::new(&read(&text).unwrap(), Some("r0")) else { continue };
        for _ in 0..10 {
            let input: String = (0..random.usize(0..12)).map(|_| pick(&mut random, "abc")).collect();
            let cold = RunTimeGrammar::new(&read(&text).unwrap(), Some("r0")).unwrap();
            assert_eq!(crate::shown(&warm, &input), crate::shown(&cold, &input), "seed {seed}: {input:?}\n{text}");
        }
    }
}

#[test]
fn a_rule_that_spells_a_long_list_is_parsed_in_linear_time() {
    // Steps are counted by a budget: a text of a million tokens that took more than a few for each would not be parsed.
    let grammar = compile("grammar L; list: item* EOF; item: 'a' 'b' | 'a' 'c' | '(' list2 ')'; list2: item*;");
    let text = "ab(acab)".repeat(20_000) + &"(".repeat(50_000) + &")".repeat(50_000);
    let tree = grammar.parse(text.as_bytes()).unwrap();
    assert_eq!(tree.errors(), 0);
    assert_eq!(leaves(&tree, &text), text);
}
