//! [`Labeler`]: the labels of a normal-form tree, by its grammar.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use whittle_grammars::{Grammar, Part, PartId, SymbolId};

use super::labeled::{Item, Labeled, Name, Role};
use crate::print::expected;
use crate::{Kind, NodeId, Tree};

/// Makes labeled trees, and remembers the names of one grammar.
#[derive(Debug, Default)]
pub struct Labeler {
    symbols: HashMap<SymbolId, Name>,
    edges: HashMap<PartId, Name>,
    texts: HashMap<Vec<u8>, Name>,
}

impl Labeler {
    /// The labels of a tree. Trees of one labeler have one grammar; a tree without a grammar has no labels.
    pub fn label(&mut self, tree: &Tree) -> Labeled {
        let mut nodes: Vec<Item> = Vec::with_capacity(tree.len());
        for node in tree.nodes() {
            let size = tree.end(node).0 - node.0;
            let parent = tree.parent(node);
            let is_list = matches!(tree.kind(node), Kind::List { .. });
            nodes.push(Item { label: None, edge: None, parent, size, is_list, role: Role::Single });
            if let Some(grammar) = tree.grammar() {
                nodes[node.index()].label = self.label_of(tree, grammar, node);
                nodes[node.index()].edge = tree.slot(node).map(|slot| self.edge_of(grammar, slot));
            }
        }
        for node in tree.nodes() {
            let role = nodes[node.index()].role;
            for (index, child) in tree.children(node).enumerate() {
                nodes[child.index()].role = match tree.kind(node) {
                    Kind::List { separated: true, .. } if index % 2 == 1 => Role::Separator,
                    Kind::List { .. } => Role::Element,
                    // What is all that an element without a label holds is as good as the element.
                    _ if nodes[node.index()].label.is_none() && tree.children(node).nth(1).is_none() => role,
                    _ => Role::Single,
                };
            }
        }
        Labeled { nodes, is_concrete: true }
    }

    fn label_of(&mut self, tree: &Tree, grammar: &Arc<Grammar>, node: NodeId) -> Option<Name> {
        if let Some(symbol) = tree.symbol(node) {
            let name = || grammar.describe(symbol).name.as_str().into();
            return Some(Rc::clone(self.symbols.entry(symbol).or_insert_with(name)));
        }
        let Kind::Token { silent, .. } = tree.kind(node) else { return None };
        let text = if silent { &[] } else { tree.token_text(node) };
        if let Some(known) = self.texts.get(text) {
            return Some(Rc::clone(known));
        }
        let written = std::str::from_utf8(text).ok().filter(|text| grammar.label(text, false).is_some());
        // What is no word of the grammar may be any text: it has no name of its own, and is not remembered.
        let Some(written) = written else {
            return Some(Rc::clone(self.texts.entry(Vec::new()).or_insert(TOKEN.into())));
        };
        // Escaped, since a line end may be a token, and a name is to stand in a line of its own.
        let name: Name = format!("'{}'", written.escape_default()).into();
        self.texts.insert(text.to_vec(), Rc::clone(&name));
        Some(name)
    }

    fn edge_of(&mut self, grammar: &Grammar, slot: PartId) -> Name {
        let name = || match field_of(grammar, slot) {
            Some(field) => field.into(),
            None => match expected(grammar, slot).as_str() {
                "" => CHILD.into(),
                names => names.escape_default().to_string().into(),
            },
        };
        Rc::clone(self.edges.entry(slot).or_insert_with(name))
    }
}

/// The label of tokens that have neither a symbol nor a fixed text.
const TOKEN: &str = "token";
/// The label of edges to places of which nothing can be said.
const CHILD: &str = "child";

/// The field of a place: all that can stand there has it.
fn field_of(grammar: &Grammar, part: PartId) -> Option<&str> {
    match grammar.part(part) {
        Part::Child { field, .. } | Part::Call(_, field) => field.map(|field| grammar.field_name(field)),
        Part::Choice(members) => {
            let mut fields = members.iter().map(|&member| field_of(grammar, member));
            let first = fields.next().flatten();
            first.filter(|_| fields.all(|field| field == first))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::testing::syntax;

    /// A tree as lines of edge and label, as deep as they are.
    fn shown(tree: &Labeled) -> String {
        let name = |name: Option<&Name>| name.map_or("-", |name| name).to_owned();
        let mut lines: Vec<(usize, String)> = Vec::new();
        for node in tree.nodes() {
            let depth = tree.nodes[node.index()].parent.map_or(0, |parent| lines[parent.index()].0 + 1);
            lines.push((depth, format!("{}{}:{}", "  ".repeat(depth), name(tree.edge(node)), name(tree.label(node)))));
        }
        lines.into_iter().map(|line| line.1).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn edges_are_fields_or_what_their_places_expect() {
        let tree = Labeler::default().label(&syntax("javascript").tree("f(1, x);"));
        assert_eq!(
            shown(&tree),
            "-:program
  child:-
    statement:expression_statement
      expression|sequence_expression:call_expression
        function:identifier
        arguments:arguments
          (:'('
          child:-
            child:-
              expression|spread_element:number
            ,:','
            child:-
              expression|spread_element:identifier
          ):')'
      ;:';'"
        );
    }

    #[test]
    fn a_tree_without_a_grammar_has_no_labels() {
        let tree = Tree::generic("(a b)");
        let labeled = Labeler::default().label(&tree);
        assert!(tree.nodes().all(|node| labeled.label(node).is_none() && labeled.edge(node).is_none()));
    }
}
