//! [`Names`]: which tokens of a text declare a name, what they declare, in which scope, and which tokens use them.
//!
//! Made from a small table for each language (`table.rs`). It is approximate: imports, overloads and the members of
//! objects are not followed. The property decides whether an edit is right; the index only keeps edits from what cannot
//! be. A language without a table has no declarations, and equal texts count as the same name.
//!
//! Cost: linear in the text, times the depth of scopes.

mod apart;
mod table;

use std::collections::HashMap;

use crate::rules::view::{Run, View};
pub(crate) use apart::apart;
use table::{TABLES, Table};

/// What a name is declared as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum DeclarationKind {
    Type,
    Function,
    Variable,
    Parameter,
    TypeParameter,
    Field,
    Namespace,
    Label,
    Macro,
}

/// A token that declares a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Declaration {
    pub(crate) token: usize,
    pub(crate) kind: DeclarationKind,
    /// The tokens among which the name has this meaning.
    pub(crate) scope: Run,
}

/// The names of one text.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// In the order of their tokens.
    declarations: Vec<Declaration>,
    /// The declaration that each token means, by its number, as far as that is known.
    meaning: HashMap<usize, usize>,
}

impl Names {
    /// The names of a text whose grammar has this name.
    pub(crate) fn of(view: &View<'_>, grammar: &str) -> Self {
        let Some(table) = TABLES.iter().find(|table| table.grammars.contains(&grammar)) else { return Self::default() };
        let mut declarations = Vec::new();
        for (number, node) in view.nodes.iter().enumerate() {
            declarations.extend(declared(view, table, number).map(|(kind, token)| {
                let own = node.parent.filter(|_| node.field.is_some()).unwrap_or(number);
                Declaration { token, kind, scope: scope(view, table, own, kind) }
            }));
        }
        declarations.sort_by_key(|declaration| declaration.token);
        declarations.dedup_by_key(|declaration| declaration.token);
        let meaning = meanings(view, &declarations);
        Self { declarations, meaning }
    }

    /// Whether two tokens with the same text may mean the same: they are not known to mean different declarations. All
    /// functions of one name may be the same: a declaration and its definition can be in different scopes.
    pub(crate) fn may_be_same(&self, one: usize, other: usize) -> bool {
        let (Some(&one), Some(&other)) = (self.meaning.get(&one), self.meaning.get(&other)) else { return true };
        let (one, other) = (&self.declarations[one], &self.declarations[other]);
        let is_function = one.kind == DeclarationKind::Function && other.kind == DeclarationKind::Function;
        one.token == other.token || is_function || one.scope == other.scope && space(one.kind) == space(other.kind)
    }

    /// Whether it is known which declaration a token means.
    pub(crate) fn is_known(&self, token: usize) -> bool {
        self.meaning.contains_key(&token)
    }

    /// The token of the first name that a run declares. Where the table says nothing: its only name, the one before a
    /// colon, or the last one.
    pub(crate) fn declared_in(&self, view: &View<'_>, run: &Run) -> Option<usize> {
        let first = self.declarations.partition_point(|declaration| declaration.token < run.start);
        let known = self.declarations.get(first).filter(|declaration| declaration.token < run.end);
        known.map(|declaration| declaration.token).or_else(|| {
            let is_first = run.clone().any(|token| view.token(token) == b":");
            let mut names = run.clone().filter(|&token| view.is_name(token));
            if is_first { names.next() } else { names.next_back() }
        })
    }
}

/// Names of different spaces may be the same and mean different things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Space {
    Types,
    Values,
    Members,
    Labels,
}

fn space(kind: DeclarationKind) -> Space {
    match kind {
        DeclarationKind::Type | DeclarationKind::TypeParameter | DeclarationKind::Namespace => Space::Types,
        DeclarationKind::Function | DeclarationKind::Variable | DeclarationKind::Parameter | DeclarationKind::Macro => {
            Space::Values
        }
        DeclarationKind::Field => Space::Members,
        DeclarationKind::Label => Space::Labels,
    }
}

/// What a node declares: by its own kind, or as a field of its parent.
fn declared(view: &View<'_>, table: &Table, number: usize) -> Option<(DeclarationKind, usize)> {
    let node = &view.nodes[number];
    let row = table.declarations.iter().find(|&&(kind, field, _)| match field {
        None => kind == node.kind,
        Some(field) => node.field == Some(field) && node.parent.is_some_and(|parent| view.nodes[parent].kind == kind),
    })?;
    // `struct a b;` only uses the name `a`.
    let is_use = |parent: usize| view.nodes[parent].kind.ends_with("_specifier") && !has_body(view, parent);
    if row.1.is_some() && node.parent.is_some_and(is_use) {
        return None;
    }
    let token = if row.1.is_some() { innermost(view, number) } else { first_name(view, &node.run) };
    let token = token.filter(|&token| !is_qualified(view, token))?;
    let is_function = matches!(row.2, DeclarationKind::Variable | DeclarationKind::Field)
        && (token + 1..node.run.end).next().is_some_and(|next| view.token(next) == b"(");
    Some((if is_function { DeclarationKind::Function } else { row.2 }, token))
}

/// Whether a token is a member of what is before it: its meaning is not found by scopes.
fn is_qualified(view: &View<'_>, token: usize) -> bool {
    token > 0 && matches!(view.token(token - 1), b"::" | b"." | b"->")
}

fn has_body(view: &View<'_>, node: usize) -> bool {
    let end = view.nodes[node].run.end;
    let mut below = (node + 1..view.nodes.len()).take_while(|&next| view.nodes[next].run.start < end);
    below.any(|next| view.nodes[next].parent == Some(node) && view.nodes[next].field == Some("body"))
}

/// The name in a declarator such as `*a[3]`: that of its innermost declarator.
fn innermost(view: &View<'_>, node: usize) -> Option<usize> {
    let mut at = node;
    let is_inner = |field: Option<&str>| matches!(field, Some("declarator" | "name" | "pattern"));
    while let Some(inner) = (at + 1..view.nodes.len())
        .take_while(|&next| view.nodes[next].run.start < view.nodes[at].run.end)
        .find(|&next| view.nodes[next].parent == Some(at) && is_inner(view.nodes[next].field))
    {
        at = inner;
    }
    first_name(view, &view.nodes[at].run)
}

fn first_name(view: &View<'_>, run: &Run) -> Option<usize> {
    run.clone().find(|&token| view.is_name(token))
}

/// The scope of a declaration: the nearest one above the node that declares, or around a parameter.
fn scope(view: &View<'_>, table: &Table, node: usize, kind: DeclarationKind) -> Run {
    let is_parameter = matches!(kind, DeclarationKind::Parameter | DeclarationKind::TypeParameter);
    let mut above = view.nodes[node].parent;
    while let Some(outer) = above {
        let outer_node = &view.nodes[outer];
        // The parameters of a prototype mean nothing beyond it.
        let is_prototype = is_parameter && matches!(outer_node.kind, "declaration" | "field_declaration");
        if is_prototype || table.scopes.contains(&outer_node.kind) {
            return outer_node.run.clone();
        }
        above = outer_node.parent;
    }
    0..view.tokens.len()
}

/// The declaration that each name means: of those around it with its text, the innermost of its space.
fn meanings(view: &View<'_>, declarations: &[Declaration]) -> HashMap<usize, usize> {
    let mut by_text: HashMap<&[u8], Vec<usize>> = HashMap::new();
    for (number, declaration) in declarations.iter().enumerate() {
        by_text.entry(view.token(declaration.token)).or_default().push(number);
    }
    let mut meaning: HashMap<usize, usize> =
        declarations.iter().enumerate().map(|(number, declaration)| (declaration.token, number)).collect();
    for token in (0..view.tokens.len()).filter(|&token| view.is_name(token)) {
        let Some(known) = by_text.get(view.token(token)).filter(|_| !meaning.contains_key(&token)) else { continue };
        let Some(wanted) = use_space(view, token).filter(|_| !is_qualified(view, token)) else { continue };
        let around = known.iter().copied().filter(|&number| declarations[number].scope.contains(&token));
        let of_space = around.filter(|&number| space(declarations[number].kind) == wanted);
        // Of the same scope, the last declaration before the use.
        let order = |&number: &usize| {
            let declaration = &declarations[number];
            (std::cmp::Reverse(declaration.scope.len()), declaration.token < token, declaration.token)
        };
        meaning.extend(of_space.max_by_key(order).map(|number| (token, number)));
    }
    meaning
}

/// The space of the name that a token uses, by what the grammar calls it; `None` if that does not say.
fn use_space(view: &View<'_>, token: usize) -> Option<Space> {
    let leaf = &view.nodes[view.leaf(token)?];
    // What is before `::` is a namespace or a type, although some grammars call it as they call a value.
    let qualifies = view.tokens.len() > token + 1 && view.token(token + 1) == b"::";
    match leaf.kind {
        _ if qualifies => None,
        kind if kind.contains("field") || kind.contains("property") => None,
        kind if kind.contains("namespace") => None,
        kind if kind.contains("type") => Some(Space::Types),
        kind if kind.contains("label") => Some(Space::Labels),
        // Some grammars do not tell types from values.
        "identifier" | "simple_identifier" => Some(Space::Values),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use whittle_languages::Language;

    use super::*;
    use crate::reduce::testing::syntax;

    /// The declared names of a text with their kinds, and for each name token the number of the declaration it means.
    fn shown(language: &str, text: &str) -> (Vec<String>, Vec<String>) {
        let syntax = syntax(language);
        let parsed = syntax.parse(text.as_bytes(), None).unwrap();
        let view = View::of(text.as_bytes(), &parsed);
        let names = Names::of(&view, syntax.name());
        let name = |token: usize| String::from_utf8_lossy(view.token(token)).into_owned();
        let declared = names.declarations.iter().map(|found| format!("{} {:?}", name(found.token), found.kind));
        let uses = (0..view.tokens.len()).filter(|&token| view.is_name(token)).map(|token| {
            let meaning = names.meaning.get(&token).map_or("?".to_owned(), |number| number.to_string());
            format!("{}{meaning}", name(token))
        });
        (declared.collect(), uses.collect())
    }

    #[test]
    fn types_fields_parameters_and_variables_are_distinct() {
        let (declared, uses) =
            shown("c", "struct a { int a; } a; int f(struct a *b) { int c = b->a; return a.a + c; }");
        assert_eq!(declared, ["a Type", "a Field", "a Variable", "f Function", "b Parameter", "c Variable"]);
        assert_eq!(uses, ["a0", "a1", "a2", "f3", "a0", "b4", "c5", "b4", "a?", "a2", "a?", "c5"]);
    }

    #[test]
    fn an_inner_scope_hides_an_outer_one() {
        let (_, uses) = shown("c", "int a; int f(int a) { return a; } int g() { { int a; a; } return a; }");
        assert_eq!(uses, ["a0", "f1", "a2", "a2", "g3", "a4", "a4", "a0"]);
        let (_, uses) = shown("javascript", "let x = 1; function f() { let x = 2; return x; } f(x);");
        assert_eq!(uses, ["x0", "f1", "x2", "x2", "f1", "x0"]);
    }

    #[test]
    fn what_qualifies_another_name_is_no_value() {
        let (_, uses) = shown("rust", "mod a { pub struct a; } fn a(a: a::a) {}");
        assert_eq!(uses, ["a0", "a1", "a2", "a3", "a?", "a?"]);
    }

    #[test]
    fn type_parameters_are_declared_in_their_template() {
        let (declared, uses) = shown("cpp", "template <class T> T f(T t); template <class T> struct S { T x; };");
        assert_eq!(declared, ["T TypeParameter", "f Function", "t Parameter", "T TypeParameter", "S Type", "x Field"]);
        assert_eq!(uses, ["T0", "T0", "f1", "T0", "t2", "T3", "S4", "T3", "x5"]);
    }

    #[test]
    fn every_kind_and_field_in_the_tables_is_in_a_grammar() {
        for table in TABLES {
            let languages: Vec<_> = Language::all()
                .iter()
                .filter(|language| table.grammars.contains(&syntax(language.name).name()))
                .map(Language::tree_sitter)
                .collect();
            let is_kind = |kind: &str| languages.iter().any(|language| language.id_for_node_kind(kind, true) != 0);
            for (kind, field, _) in table.declarations {
                assert!(languages.is_empty() || is_kind(kind), "{:?}: {kind}", table.grammars);
                let has_field = |name: &str| languages.iter().any(|it| it.field_id_for_name(name).is_some());
                assert!(languages.is_empty() || field.is_none_or(has_field), "{:?}: {kind}", table.grammars);
            }
            for kind in table.scopes {
                assert!(languages.is_empty() || is_kind(kind), "{:?}: {kind}", table.grammars);
            }
        }
    }
}
