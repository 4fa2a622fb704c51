//! Names apart: a text in which no name means two things.
//!
//! Canonical names are the same in all scopes. A rule that moves a declaration to an outer scope fails where its name is
//! taken there, so it is tried with other names. Of the declarations that share a name, the one with the largest scope
//! keeps it. All members with one name stay alike, because the index does not follow objects.
//!
//! Cost: linear in the text, times the number of declarations that share a name.

use std::collections::{BTreeMap, HashSet};

use super::{DeclarationKind, Names, is_qualified};
use crate::rules::view::View;

/// The text with a name of its own for every declaration; `None` if no name is shared.
pub(crate) fn apart(view: &View<'_>, names: &Names) -> Option<Vec<u8>> {
    let mut taken: HashSet<Vec<u8>> = (0..view.tokens.len()).map(|token| view.token(token).to_vec()).collect();
    let mut fresh: BTreeMap<usize, Vec<u8>> = BTreeMap::new();
    for (text, declared) in shared(view, names) {
        for declaration in declared {
            let name = unused(text, &mut taken);
            let means_it = |&token: &usize| view.token(token) == text && names.means(view, token, declaration);
            fresh.extend((0..view.tokens.len()).filter(means_it).map(|token| (token, name.clone())));
        }
    }
    (!fresh.is_empty()).then(|| renamed(view, &fresh))
}

/// The names that mean several things, each with the declarations that need another one.
fn shared<'a>(view: &View<'a>, names: &Names) -> Vec<(&'a [u8], Vec<usize>)> {
    let mut by_text: BTreeMap<&[u8], Vec<usize>> = BTreeMap::new();
    for (number, declaration) in names.declarations.iter().enumerate() {
        let same = by_text.entry(view.token(declaration.token)).or_default();
        if !same.iter().any(|&known| names.is_alike(known, number)) {
            same.push(number);
        }
    }
    let several = by_text.into_iter().filter(|(_, declared)| declared.len() > 1);
    let others = several.map(|(text, mut declared)| {
        let is_member = |number: &usize| names.declarations[*number].kind == DeclarationKind::Field;
        declared.sort_by_key(|number| {
            (is_member(number), std::cmp::Reverse(names.declarations[*number].scope.len()), *number)
        });
        (text, declared.split_off(1))
    });
    others.collect()
}

/// A name that begins with another one and is not taken.
fn unused(text: &[u8], taken: &mut HashSet<Vec<u8>>) -> Vec<u8> {
    let numbered = |number: usize| [text, number.to_string().as_bytes()].concat();
    let name = (1..).map(numbered).find(|name| !taken.contains(name)).unwrap_or_default();
    taken.insert(name.clone());
    name
}

fn renamed(view: &View<'_>, fresh: &BTreeMap<usize, Vec<u8>>) -> Vec<u8> {
    let mut text = Vec::with_capacity(view.text.len() + fresh.len());
    let mut at = 0;
    for (&token, name) in fresh {
        text.extend_from_slice(&view.text[at..view.tokens[token].start]);
        text.extend_from_slice(name);
        at = view.tokens[token].end;
    }
    text.extend_from_slice(&view.text[at..]);
    text
}

impl Names {
    /// Whether two declarations of one name are renamed together.
    fn is_alike(&self, one: usize, other: usize) -> bool {
        let (one, other) = (&self.declarations[one], &self.declarations[other]);
        let are_members = one.kind == DeclarationKind::Field && other.kind == DeclarationKind::Field;
        are_members || self.may_be_same(one.token, other.token)
    }

    /// Whether a token with the name of a declaration means it.
    fn means(&self, view: &View<'_>, token: usize, declaration: usize) -> bool {
        match self.meaning.get(&token) {
            Some(&meant) => self.is_alike(meant, declaration),
            None => self.declarations[declaration].kind == DeclarationKind::Field && is_qualified(view, token),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::testing::syntax;

    fn shown(language: &str, text: &str) -> Option<String> {
        let syntax = syntax(language);
        let parsed = syntax.parse(text.as_bytes(), None).unwrap();
        let view = View::of(text.as_bytes(), &parsed);
        apart(&view, &Names::of(&view, syntax.name())).map(|text| String::from_utf8(text).unwrap())
    }

    #[test]
    fn what_is_in_an_inner_scope_gets_another_name() {
        let text = "struct { int a; } a; int b(int a) { return a; } int c() { return a.a + b(a.a); }";
        let expected = "struct { int a2; } a; int b(int a1) { return a1; } int c() { return a.a2 + b(a.a2); }";
        assert_eq!(shown("c", text).as_deref(), Some(expected));
        let text = "fn a() {} fn f(a: i32) -> i32 { a } fn g() { a(); }";
        assert_eq!(shown("rust", text).as_deref(), Some("fn a() {} fn f(a1: i32) -> i32 { a1 } fn g() { a(); }"));
    }

    #[test]
    fn a_text_without_shared_names_stays() {
        assert_eq!(shown("c", "int a; int f(int b) { return a + b; } int f(int);"), None);
    }
}
