//! [`Model`]: what was learned from a corpus about a language (section 4.2), as counts; and its text file.
//!
//! For each label: how many nodes have it, how many of them have each edge, and how often each label is at the end of
//! that edge. From that follow the *mandatory edges* of a label, which are on all of its nodes, and its *contexts*, the
//! pairs of a label above and an edge. Labels that were seen too rarely are ignored. `docs/models.md` describes the
//! file.

use std::collections::BTreeMap;
use std::fmt;

use thiserror::Error;

use super::labeled::Labeled;
use crate::{Edits, NodeId};

/// How many nodes with a label a corpus must have before the model says anything about that label. With 1 or
/// 1,000, `gtr*` takes up to 6% fewer or 31% more tests, for results of the same size within 4% (`docs/models.md`).
const MIN_NODES: u64 = 10;

/// The first line of a model, before the version.
const MAGIC: &str = "whittle-model";
const VERSION: u32 = 1;

/// What was seen in a corpus.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    /// The name of the grammar.
    pub language: String,
    /// How many files were read.
    pub files: u64,
    /// How many labeled nodes they had.
    pub nodes: u64,
    labels: BTreeMap<String, Seen>,
}

/// What was seen of a label.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Seen {
    nodes: u64,
    edges: BTreeMap<String, Edge>,
}

/// What was seen of an edge below a label.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Edge {
    /// How many nodes of the label have it, once or more.
    nodes: u64,
    /// How often each label is at its end.
    children: BTreeMap<String, u64>,
}

/// Why a text is no model.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ModelError {
    /// It does not begin as one.
    #[error("this is not a model: it does not begin with '{MAGIC}'")]
    Foreign,
    /// It is of another version.
    #[error("this is a model of version {0}, and only version {VERSION} can be read")]
    Version(String),
    /// A line that cannot be read.
    #[error("line {0} cannot be read: {1}")]
    Line(usize, String),
}

impl Model {
    /// A model that has seen nothing.
    pub fn new(language: &str) -> Self {
        Self { language: language.to_owned(), ..Self::default() }
    }

    /// Whether all nodes of a label have an edge.
    pub fn is_mandatory(&self, label: &str, edge: &str) -> bool {
        let seen = self.labels.get(label).filter(|seen| seen.nodes >= MIN_NODES);
        seen.is_some_and(|seen| seen.edges.get(edge).is_some_and(|edge| edge.nodes == seen.nodes))
    }

    /// Whether nodes of a label occur at an edge below another label, as far as that is known.
    pub fn can_stand(&self, label: &str, (above, edge): (&str, &str)) -> bool {
        let known = |label: &str| self.labels.get(label).filter(|seen| seen.nodes >= MIN_NODES);
        match (known(label), known(above)) {
            (Some(_), Some(above)) => above.edges.get(edge).is_some_and(|edge| edge.children.contains_key(label)),
            _ => true,
        }
    }

    /// How many pairs of a label and an edge below it were seen.
    pub fn pairs(&self) -> usize {
        self.labels.values().map(|seen| seen.edges.len()).sum()
    }

    /// How many contexts all labels have together.
    pub fn contexts(&self) -> usize {
        self.labels.values().flat_map(|seen| seen.edges.values()).map(|edge| edge.children.len()).sum()
    }

    /// Learns from one more file. Nodes whose children could not be placed by their rule are passed over.
    pub fn learn(&mut self, tree: &Labeled) {
        self.files += 1;
        for node in tree.nodes() {
            if let Some(label) = tree.label(node).filter(|_| tree.is_understood(node)) {
                self.nodes += 1;
                entry(&mut self.labels, label).learn(tree, node);
            }
        }
    }

    /// Adds what another model of the language has seen.
    pub fn merge(&mut self, other: &Self) {
        self.files += other.files;
        self.nodes += other.nodes;
        for (label, theirs) in &other.labels {
            let seen = entry(&mut self.labels, label);
            seen.nodes += theirs.nodes;
            for (edge, theirs) in &theirs.edges {
                let edge = entry(&mut seen.edges, edge);
                edge.nodes += theirs.nodes;
                theirs.children.iter().for_each(|(label, count)| *entry(&mut edge.children, label) += count);
            }
        }
    }

    /// Reads what was written.
    pub fn parse(text: &str) -> Result<Self, ModelError> {
        let mut lines = text.lines().enumerate();
        let (_, first) = lines.next().unwrap_or_default();
        let version = first.strip_prefix(MAGIC).ok_or(ModelError::Foreign)?.trim();
        if version != VERSION.to_string() {
            return Err(ModelError::Version(version.to_owned()));
        }
        let mut reader = Reader::default();
        for (index, line) in lines.filter(|(_, line)| !line.is_empty()) {
            reader.read(line).ok_or_else(|| ModelError::Line(index + 1, line.to_owned()))?;
        }
        Ok(reader.model)
    }
}

impl Seen {
    fn learn(&mut self, tree: &Labeled, node: NodeId) {
        self.nodes += 1;
        let mut met: Vec<&str> = Vec::new();
        for part in tree.parts(node, &Edits::new()) {
            let (Some(name), Some(label)) = (tree.edge(part.node), tree.label(part.node)) else { continue };
            let edge = entry(&mut self.edges, name);
            *entry(&mut edge.children, label) += 1;
            if !met.contains(&&**name) {
                met.push(name);
                edge.nodes += 1;
            }
        }
    }
}

/// The value of a name, which is written anew only where it was missing.
fn entry<'m, T: Default>(map: &'m mut BTreeMap<String, T>, name: &str) -> &'m mut T {
    if !map.contains_key(name) {
        map.insert(name.to_owned(), T::default());
    }
    map.get_mut(name).expect("it was missing and has been inserted, or it was there")
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{MAGIC} {VERSION}")?;
        writeln!(f, "language {}\nfiles {}\nnodes {}", self.language, self.files, self.nodes)?;
        for (label, seen) in &self.labels {
            writeln!(f, "label {} {label}", seen.nodes)?;
            for (name, edge) in &seen.edges {
                writeln!(f, "edge {} {name}", edge.nodes)?;
                edge.children.iter().try_for_each(|(label, count)| writeln!(f, "child {count} {label}"))?;
            }
        }
        Ok(())
    }
}

/// A model that is being read, and the names under which the next lines belong.
#[derive(Default)]
struct Reader {
    model: Model,
    label: String,
    edge: String,
}

impl Reader {
    /// Reads a line; `None` if it is malformed.
    fn read(&mut self, line: &str) -> Option<()> {
        let (kind, rest) = line.split_once(' ')?;
        match kind {
            "language" => self.model.language = rest.to_owned(),
            "files" => self.model.files = rest.parse().ok()?,
            "nodes" => self.model.nodes = rest.parse().ok()?,
            _ => {
                let (count, name) = rest.split_once(' ')?;
                self.read_count(kind, count.parse().ok()?, name)?;
            }
        }
        Some(())
    }

    fn read_count(&mut self, kind: &str, count: u64, name: &str) -> Option<()> {
        match kind {
            "label" => {
                name.clone_into(&mut self.label);
                self.edge.clear();
                self.model.labels.insert(self.label.clone(), Seen { nodes: count, edges: BTreeMap::new() });
            }
            "edge" => {
                name.clone_into(&mut self.edge);
                let edge = Edge { nodes: count, children: BTreeMap::new() };
                self.model.labels.get_mut(&self.label)?.edges.insert(self.edge.clone(), edge);
            }
            "child" => {
                let edge = self.model.labels.get_mut(&self.label)?.edges.get_mut(&self.edge)?;
                edge.children.insert(name.to_owned(), count);
            }
            _ => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::labeled::testing::{FIGURE_1, labeled};
    use super::*;

    /// A model that has seen each of these trees often enough.
    fn learned(notations: &[&str]) -> Model {
        let mut model = Model::new("toy");
        for notation in notations {
            (0..MIN_NODES).for_each(|_| model.learn(&labeled(notation)));
        }
        model
    }

    #[test]
    fn the_mandatory_edges_of_an_if_are_its_condition_and_its_consequence() {
        let model = learned(&[FIGURE_1, "IfStmt(test:Identifier(name:c) cons:EmptyStmt)"]);
        let is_mandatory = |edge: &str| model.is_mandatory("IfStmt", edge);
        assert_eq!(["test", "cons", "alt"].map(is_mandatory), [true, true, false]);
    }

    #[test]
    fn a_declaration_stands_only_among_declarations() {
        let model = learned(&[FIGURE_1]);
        assert!(model.can_stand("VarDecl", ("VarDecls", "declarations")));
        assert!(!model.can_stand("VarDecl", ("BlockStmt", "body")));
        assert!(model.can_stand("VarDecls", ("BlockStmt", "body")));
    }

    #[test]
    fn what_was_seen_too_rarely_says_nothing() {
        let mut model = learned(&[FIGURE_1]);
        model.learn(&labeled("Rare(edge:VarDecl)"));
        assert!(!model.is_mandatory("Rare", "edge"));
        assert!(model.can_stand("Rare", ("BlockStmt", "body")) && model.can_stand("Literal", ("Rare", "edge")));
        assert!(model.can_stand("Unknown", ("BlockStmt", "body")));
    }

    #[test]
    fn a_repeated_edge_counts_once_for_its_node() {
        let model = learned(&["Call(argument:a argument:b)", "Call"]);
        assert!(!model.is_mandatory("Call", "argument"));
    }

    #[test]
    fn what_is_written_can_be_read() {
        let model = learned(&[FIGURE_1, "Op(operator:'not)"]);
        assert_eq!(Model::parse(&model.to_string()), Ok(model.clone()));
        assert_eq!((model.files, model.nodes), (20, 210));
    }

    #[test]
    fn two_halves_of_a_corpus_make_the_whole() {
        let (first, second) = (learned(&[FIGURE_1]), learned(&["IfStmt(test:c cons:b)"]));
        let mut merged = first;
        merged.merge(&second);
        assert_eq!(merged, learned(&[FIGURE_1, "IfStmt(test:c cons:b)"]));
    }

    #[test]
    fn what_is_no_model_is_refused_with_the_reason() {
        let error = |text: &str| Model::parse(text).unwrap_err().to_string();
        assert!(error("").contains("does not begin with 'whittle-model'"));
        assert!(error("whittle-model 9\n").contains("version 9"));
        assert_eq!(error("whittle-model 1\nlabel x y\n"), "line 2 cannot be read: label x y");
        assert_eq!(error("whittle-model 1\nchild 1 a\n"), "line 2 cannot be read: child 1 a");
    }
}
