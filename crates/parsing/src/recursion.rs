//! Left recursion: which rules begin with themselves, and whether that can be read as precedence.
//!
//! An alternative that begins with its own rule becomes an operator of a loop (`network.rs`). A rule that begins with
//! itself through other rules, or behind parts that can be empty, cannot be parsed top down; ANTLR refuses it too. So it
//! does with rules of tokens that begin with themselves: they have no precedence.

use std::collections::HashMap;

use crate::description::{Definition, Description, Expr};
use crate::problem::{Fault, Problem};

/// Whether some alternative of a rule begins with the rule itself.
pub(crate) fn is_direct(rule: &Definition) -> bool {
    rule.alternatives.iter().any(|alternative| without_itself(rule, &alternative.expr).is_some())
}

/// What follows in an alternative that begins with its own rule.
pub(crate) fn without_itself<'e>(rule: &Definition, expr: &'e Expr) -> Option<&'e [Expr]> {
    match expr {
        Expr::Seq(parts) => match parts.split_first() {
            Some((Expr::Name(name, _), rest)) if *name == rule.name => Some(rest),
            _ => None,
        },
        Expr::Name(name, _) if *name == rule.name => Some(&[]),
        _ => None,
    }
}

/// The rules that cannot be parsed top down.
pub(crate) fn problems(description: &Description) -> Vec<Problem> {
    let analysis = (Analysis::new(&description.syntax), Analysis::new(&description.lexical));
    let syntax = description.syntax.iter().enumerate().filter_map(|(number, rule)| {
        let is_only =
            is_direct(rule) && rule.alternatives.iter().all(|form| without_itself(rule, &form.expr).is_some());
        let only = is_only.then(|| problem(rule, Fault::OnlyLeftRecursion(rule.name.clone())));
        only.or_else(|| analysis.0.indirect(&description.syntax, number))
    });
    let tokens = description.lexical.iter().enumerate().filter_map(|(number, rule)| {
        let direct = is_direct(rule).then(|| problem(rule, Fault::RecursiveToken(rule.name.clone())));
        direct.or_else(|| analysis.1.indirect(&description.lexical, number))
    });
    syntax.chain(tokens).collect()
}

fn problem(rule: &Definition, fault: Fault) -> Problem {
    Problem { file: rule.file.clone(), place: rule.place, fault }
}

/// The rules with a loop around something that can be empty. ANTLR refuses them.
pub(crate) fn empty_loops(description: &Description) -> Vec<Problem> {
    let analysis = Analysis::new(&description.syntax);
    let has_one = |rule: &&Definition| {
        rule.alternatives.iter().any(|form| {
            // What follows the rule itself is a round of the loop that it becomes.
            let rest = without_itself(rule, &form.expr);
            let is_empty = rest.is_some_and(|rest| rest.iter().all(|part| analysis.can_be_empty(part)));
            is_empty || analysis.has_empty_loop(&form.expr)
        })
    };
    let rules = description.syntax.iter().filter(has_one);
    rules.map(|rule| problem(rule, Fault::EmptyLoop(rule.name.clone()))).collect()
}

struct Analysis<'d> {
    by_name: HashMap<&'d str, usize>,
    nullable: Vec<bool>,
    /// The rules that each rule can begin with; direct left recursion is left out.
    corners: Vec<Vec<usize>>,
}

impl<'d> Analysis<'d> {
    fn new(rules: &'d [Definition]) -> Self {
        let count = rules.len();
        let by_name = rules.iter().enumerate().rev().map(|(at, rule)| (rule.name.as_str(), at)).collect();
        let mut analysis = Self { by_name, nullable: vec![false; count], corners: vec![Vec::new(); count] };
        let mut changed = true;
        while changed {
            changed = false;
            for (at, rule) in rules.iter().enumerate() {
                if !analysis.nullable[at] && rule.alternatives.iter().any(|form| analysis.can_be_empty(&form.expr)) {
                    analysis.nullable[at] = true;
                    changed = true;
                }
            }
        }
        for (at, rule) in rules.iter().enumerate() {
            let mut corners = Vec::new();
            for form in &rule.alternatives {
                match without_itself(rule, &form.expr) {
                    None => analysis.add_corners(&form.expr, &mut corners),
                    // What follows can only come first if the rule can be empty.
                    Some(rest) => analysis.nullable[at] && analysis.add_sequence(rest, &mut corners),
                };
            }
            corners.sort_unstable();
            corners.dedup();
            analysis.corners[at] = corners;
        }
        analysis
    }

    fn can_be_empty(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Seq(parts) => parts.iter().all(|part| self.can_be_empty(part)),
            Expr::Choice(parts) => parts.iter().any(|part| self.can_be_empty(part)),
            Expr::Repeat { body, optional, .. } => *optional || self.can_be_empty(body),
            Expr::Name(name, _) => self.by_name.get(name.as_str()).is_some_and(|&rule| self.nullable[rule]),
            Expr::Text(..) | Expr::Set(_) | Expr::Not(..) | Expr::Any | Expr::Eof => false,
        }
    }

    fn has_empty_loop(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Seq(parts) | Expr::Choice(parts) => parts.iter().any(|part| self.has_empty_loop(part)),
            Expr::Repeat { body, many, .. } => *many && self.can_be_empty(body) || self.has_empty_loop(body),
            _ => false,
        }
    }

    /// Adds the rules that an expression can begin with. Tells whether it can be empty.
    fn add_corners(&self, expr: &Expr, corners: &mut Vec<usize>) -> bool {
        match expr {
            Expr::Seq(parts) => self.add_sequence(parts, corners),
            Expr::Choice(parts) => parts.iter().fold(false, |empty, part| self.add_corners(part, corners) | empty),
            Expr::Repeat { body, optional, .. } => self.add_corners(body, corners) | optional,
            Expr::Name(name, _) => self.by_name.get(name.as_str()).is_some_and(|&rule| {
                corners.push(rule);
                self.nullable[rule]
            }),
            Expr::Text(..) | Expr::Set(_) | Expr::Not(..) | Expr::Any | Expr::Eof => false,
        }
    }

    fn add_sequence(&self, parts: &[Expr], corners: &mut Vec<usize>) -> bool {
        parts.iter().all(|part| self.add_corners(part, corners))
    }

    /// What is wrong with a rule that begins with itself through others.
    fn indirect(&self, rules: &[Definition], number: usize) -> Option<Problem> {
        let path = self.path_to_itself(number)?;
        let names: Vec<_> = path.iter().map(|&at| format!("'{}'", rules[at].name)).collect();
        let through = if names.is_empty() { "parts that can be empty".to_owned() } else { names.join(", ") };
        Some(problem(&rules[number], Fault::LeftRecursion(rules[number].name.clone(), through)))
    }

    /// The rules between a rule and itself, if it can begin with itself.
    fn path_to_itself(&self, rule: usize) -> Option<Vec<usize>> {
        let mut from: HashMap<usize, usize> = HashMap::new();
        let mut open = vec![rule];
        while let Some(at) = open.pop() {
            for &next in &self.corners[at] {
                if next == rule {
                    let mut path = Vec::new();
                    let mut back = at;
                    while back != rule {
                        path.push(back);
                        back = from[&back];
                    }
                    path.reverse();
                    return Some(path);
                }
                if let std::collections::hash_map::Entry::Vacant(entry) = from.entry(next) {
                    entry.insert(at);
                    open.push(next);
                }
            }
        }
        None
    }
}
