//! Finds what is wrong with a grammar, all of it, with line and column.
//!
//! Errors keep a grammar from being used, warnings do not. A token can never match if earlier rules of its mode take each
//! text of it, or if nothing leads to its mode (`lexer/reach.rs`).

use std::collections::HashSet;

use crate::compiled::RunTimeGrammar;
use crate::description::{Command, Definition, Description, Expr, Place};
use crate::problem::{Fault, Problem};
use crate::recursion;

/// What a check found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// What keeps the grammar from being used, in the order of the files.
    pub errors: Vec<Problem>,
    /// What may not be meant.
    pub warnings: Vec<Problem>,
}

/// Checks a grammar as its files say it. `start` is the rule of a whole text, if it is not found by itself.
pub fn check(description: &Description, start: Option<&str>) -> Findings {
    let mut findings = Findings::default();
    let description = &description.with_choices_unwrapped();
    undefined(description, &mut findings.errors);
    twice(description, &mut findings.errors);
    findings.errors.extend(recursion::problems(description));
    match RunTimeGrammar::new(description, start) {
        Err(problem) if !findings.errors.contains(&problem) => findings.errors.push(problem),
        Err(_) => {}
        Ok(grammar) => {
            findings.errors.extend(grammar.lowered().err());
            findings.warnings.extend(recursion::empty_loops(description));
            tokens(&grammar, &mut findings.warnings);
        }
    }
    findings.errors.sort();
    findings.errors.dedup();
    findings.warnings.sort();
    findings
}

fn problem(rule: &Definition, place: Place, fault: Fault) -> Problem {
    Problem { file: rule.file.clone(), place, fault }
}

fn undefined(description: &Description, errors: &mut Vec<Problem>) {
    let rules = |rules: &[Definition]| rules.iter().map(|rule| rule.name.clone()).collect::<HashSet<_>>();
    let (syntax, lexical) = (rules(&description.syntax), rules(&description.lexical));
    let produced = description.lexical.iter().flat_map(|rule| &rule.alternatives).flat_map(|form| &form.commands);
    let produced = produced.filter_map(|command| match command {
        Command::Type(name) => Some(name.clone()),
        _ => None,
    });
    let tokens: HashSet<String> =
        lexical.iter().cloned().chain(description.tokens.iter().cloned()).chain(produced).collect();
    let all =
        description.syntax.iter().map(|rule| (rule, true)).chain(description.lexical.iter().map(|rule| (rule, false)));
    for (rule, is_syntax) in all {
        for form in &rule.alternatives {
            form.expr.each_name(&mut |name, place| {
                let is_known =
                    if is_syntax { syntax.contains(name) || tokens.contains(name) } else { lexical.contains(name) };
                if !is_known && !is_syntax && syntax.contains(name) {
                    errors.push(problem(rule, place, Fault::SyntaxInToken(name.to_owned())));
                } else if !is_known {
                    errors.push(problem(rule, place, Fault::Undefined(name.to_owned())));
                }
            });
        }
    }
}

fn twice(description: &Description, errors: &mut Vec<Problem>) {
    for rules in [&description.syntax, &description.lexical] {
        let mut seen = HashSet::new();
        for rule in rules.iter().filter(|rule| !seen.insert(rule.name.as_str())) {
            errors.push(problem(rule, rule.place, Fault::DefinedTwice(rule.name.clone())));
        }
    }
}

fn tokens(grammar: &RunTimeGrammar, warnings: &mut Vec<Problem>) {
    let description = grammar.description();
    let mut used = HashSet::new();
    for rule in &description.syntax {
        for form in &rule.alternatives {
            form.expr.each_name(&mut |name, _| {
                used.insert(name.to_owned());
            });
        }
    }
    for rule in description.lexical.iter().filter(|rule| !rule.fragment) {
        let warn = |fault| problem(rule, rule.place, fault);
        if rule.alternatives.iter().all(|form| has_no_text(description, &form.expr, 0)) {
            warnings.push(warn(Fault::NoText(rule.name.clone())));
        } else if grammar.takes_nothing(rule) {
            warnings.push(warn(Fault::EmptyToken(rule.name.clone())));
        }
    }
    warnings.extend(grammar.unreachable().into_iter().map(|(rule, fault)| problem(rule, rule.place, fault)));
    for name in description.tokens.iter().filter(|name| used.contains(*name)) {
        if !grammar.is_produced(name) {
            let Some(rule) = description.syntax.first() else { return };
            let place = Place { line: 1, column: 1 };
            warnings.push(problem(rule, place, Fault::NeverProduced(name.clone())));
        }
    }
}

/// How deep names are followed to find out whether there is a text.
const MAX_DEPTH: usize = 50;

/// Whether no text matches. A rule that uses itself without end has none.
fn has_no_text(description: &Description, expr: &Expr, depth: usize) -> bool {
    let none = |expr: &Expr| has_no_text(description, expr, depth + 1);
    match expr {
        _ if depth > MAX_DEPTH => true,
        Expr::Seq(parts) => parts.iter().any(none),
        Expr::Choice(parts) => parts.iter().all(none),
        Expr::Repeat { body, optional, .. } => !optional && none(body),
        Expr::Set(set) => set.is_empty(),
        Expr::Not(..) => description.single(expr, false).is_some_and(|set| set.is_empty()),
        Expr::Name(name, _) => {
            let rule = description.lexical.iter().find(|rule| rule.name == *name);
            rule.is_some_and(|rule| rule.alternatives.iter().all(|form| none(&form.expr)))
        }
        Expr::Text(..) | Expr::Any | Expr::Eof => false,
    }
}
