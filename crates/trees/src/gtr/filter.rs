//! [`Filter`]: which candidates of the templates are not worth a test, by a corpus (section 4.2), by the grammar or by
//! the parser.
//!
//! The corpus rejects a deletion after which a node would lack an edge that all nodes of its label have (of an edge
//! that occurs several times, all but one may be deleted, algorithm 3), and a substitute whose label was never seen in
//! that context. The grammar rejects the deletion of anything but optionals and list elements, and a substitute that
//! does not fit its place. With either of them, separators are what they are in the paper's trees: no nodes, but text
//! between elements.
//!
//! Whittle's trees hold every token, so both also reject what the paper's trees cannot express, such as a declaration
//! that becomes an assignment without its keyword. The parser rejects only candidates with new syntax errors. If no such
//! candidate is interesting, it changes nothing but the number of tests: the tests that are left come in the same order
//! and end with the same result as without a filter. `corpus-first`, `grammar-first` and `syntax-first` try the rest
//! too, but last, when little is left.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::labeled::{Labeled, Name, Standing};
use super::model::Model;
use crate::{Edits, Kind, NodeId, Tree};

/// What filters candidates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Filter {
    /// Nothing: `gtr` by itself knows no language.
    #[default]
    None,
    /// A model learned from a corpus.
    Corpus,
    /// The grammar.
    Grammar,
    /// Both: a candidate that either of them rejects is filtered.
    Both,
    /// The parser: a candidate with more syntax errors than the best is filtered.
    Syntax,
    /// A model, until nothing more is found; then nothing.
    CorpusFirst,
    /// The grammar, until nothing more is found; then nothing.
    GrammarFirst,
    /// The parser, until nothing more is found; then nothing.
    SyntaxFirst,
}

/// A name that no filter has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown filter '{0}'; known are {names}", names = Filter::ALL.map(Filter::name).join(", "))]
pub struct UnknownFilter(String);

impl Filter {
    /// Every filter.
    pub const ALL: [Self; 8] = [
        Self::None,
        Self::Corpus,
        Self::Grammar,
        Self::Both,
        Self::Syntax,
        Self::CorpusFirst,
        Self::GrammarFirst,
        Self::SyntaxFirst,
    ];

    /// The name by which users choose it.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Corpus => "corpus",
            Self::Grammar => "grammar",
            Self::Both => "both",
            Self::Syntax => "syntax",
            Self::CorpusFirst => "corpus-first",
            Self::GrammarFirst => "grammar-first",
            Self::SyntaxFirst => "syntax-first",
        }
    }

    /// Whether a model is asked.
    pub fn asks_model(self) -> bool {
        matches!(self.at_first(), Self::Corpus | Self::Both)
    }

    /// The filter that comes first, where two come one after the other.
    pub(super) fn at_first(self) -> Self {
        match self {
            Self::CorpusFirst => Self::Corpus,
            Self::GrammarFirst => Self::Grammar,
            Self::SyntaxFirst => Self::Syntax,
            only => only,
        }
    }

    /// Whether it lets all nodes of the tree through, so that a separator is a node like any other.
    pub(super) fn takes_all_nodes(self) -> bool {
        matches!(self, Self::None | Self::Syntax)
    }

    fn asks_grammar(self) -> bool {
        matches!(self, Self::Grammar | Self::Both)
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Filter {
    type Err = UnknownFilter;

    fn from_str(name: &str) -> Result<Self, UnknownFilter> {
        Self::ALL.into_iter().find(|filter| filter.name() == name).ok_or_else(|| UnknownFilter(name.to_owned()))
    }
}

/// Something on the level that is being reduced, and the labeled node above it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub(super) standing: Standing,
    pub(super) owner: Option<NodeId>,
}

/// Decides for one tree.
pub(super) struct Judge<'a> {
    pub(super) filter: Filter,
    /// The model; without one, it rejects nothing.
    pub(super) model: Option<&'a Model>,
    pub(super) tree: &'a Tree,
    pub(super) labels: &'a Labeled,
}

/// Why a candidate is not worth a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum No {
    ByModel,
    ByGrammar,
}

impl Judge<'_> {
    /// For each member of a level, whether it may be deleted after these edits.
    pub(super) fn deletions(&self, level: &[Member], edits: &Edits) -> Vec<Result<(), No>> {
        let mut census = Census { labels: self.labels, edits, edges: HashMap::new() };
        level.iter().map(|member| self.deletion(*member, &mut census)).collect()
    }

    fn deletion(&self, member: Member, census: &mut Census<'_>) -> Result<(), No> {
        let place = member.standing.place;
        if self.filter.takes_all_nodes() {
            return Ok(());
        }
        if self.labels.is_separator(place) || self.filter.asks_grammar() && !self.can_go(place) {
            return Err(No::ByGrammar);
        }
        match self.model().is_some_and(|model| self.lacks_an_edge(model, member, census)) {
            true => Err(No::ByModel),
            false => Ok(()),
        }
    }

    /// Whether a node may be replaced by `inner`, which is below it, after these edits.
    pub(super) fn substitution(&self, member: Member, inner: NodeId, edits: &Edits) -> Result<(), No> {
        if self.filter.asks_grammar() && !self.tree.can_hoist(inner, member.standing.place) {
            return Err(No::ByGrammar);
        }
        match self.model().is_some_and(|model| !self.fits_context(model, member, inner, edits)) {
            true => Err(No::ByModel),
            false => Ok(()),
        }
    }

    fn model(&self) -> Option<&Model> {
        self.model.filter(|_| self.filter.asks_model())
    }

    /// Whether the grammar allows an empty place. The whole text may always be deleted.
    fn can_go(&self, place: NodeId) -> bool {
        let is_spare = matches!(self.tree.kind(place), Kind::Optional | Kind::List { at_least_one: false, .. });
        is_spare
            || self.tree.parent(place).is_none_or(|parent| match self.tree.kind(parent) {
                Kind::List { at_least_one, .. } => !at_least_one || self.tree.elements(parent).nth(1).is_some(),
                _ => false,
            })
    }

    /// Whether the owner of a member would lack a mandatory edge without it.
    fn lacks_an_edge(&self, model: &Model, member: Member, census: &mut Census<'_>) -> bool {
        let Some((owner, label)) = member.owner.and_then(|owner| Some((owner, self.labels.label(owner)?))) else {
            return false;
        };
        if !self.labels.is_understood(owner) {
            return false;
        }
        let mut lost: HashMap<&Name, usize> = HashMap::new();
        for part in self.labels.labeled(member.standing, census.edits) {
            if let Some(edge) = self.labels.edge(part.place) {
                *lost.entry(edge).or_default() += 1;
            }
        }
        lost.into_iter().any(|(edge, lost)| model.is_mandatory(label, edge) && census.edges(owner, edge) <= lost)
    }

    /// Whether all nodes that would be in the place of a member were seen in that context.
    fn fits_context(&self, model: &Model, member: Member, inner: NodeId, edits: &Edits) -> bool {
        let place = member.standing.place;
        let above = member.owner.filter(|&owner| self.labels.is_understood(owner));
        let context = above.and_then(|owner| self.labels.label(owner)).zip(self.labels.edge(place));
        let Some((above, edge)) = context else { return true };
        let mut parts = self.labels.labeled(Standing::own(inner), edits);
        parts.retain(|part| !self.labels.is_separator(part.node));
        let has_room = parts.len() <= 1 || self.labels.is_element(place);
        let fits = |part: &Standing| self.labels.label(part.node).is_none_or(|l| model.can_stand(l, (above, edge)));
        has_room && parts.iter().all(fits)
    }
}

/// How often each edge is below each owner on a level, counted when first asked for.
struct Census<'a> {
    labels: &'a Labeled,
    edits: &'a Edits,
    edges: HashMap<NodeId, HashMap<Name, usize>>,
}

impl Census<'_> {
    fn edges(&mut self, owner: NodeId, edge: &Name) -> usize {
        let count = || {
            let mut edges: HashMap<Name, usize> = HashMap::new();
            for part in self.labels.parts(owner, self.edits) {
                if let Some(edge) = self.labels.edge(part.place) {
                    *edges.entry(Name::clone(edge)).or_default() += 1;
                }
            }
            edges
        };
        self.edges.entry(owner).or_insert_with(count).get(edge).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::labeler::Labeler;
    use super::*;
    use crate::reduce::testing::syntax;

    /// What a filter says of the nodes with a text, in a JavaScript text, against a corpus of such texts.
    struct Case {
        tree: Tree,
        labels: Labeled,
        model: Model,
    }

    impl Case {
        fn new(corpus: &[&str], text: &str) -> Self {
            let javascript = syntax("javascript");
            let mut model = Model::new("javascript");
            for text in corpus.iter().cycle().take(20 * corpus.len()) {
                model.learn(&Labeler::default().label(&javascript.tree(*text)));
            }
            let tree = javascript.tree(text);
            let labels = Labeler::default().label(&tree);
            Self { tree, labels, model }
        }

        fn judge(&self, filter: Filter) -> Judge<'_> {
            Judge { filter, model: Some(&self.model), tree: &self.tree, labels: &self.labels }
        }

        /// The innermost node of that text which has a label, if `labeled`; else the outermost.
        fn member(&self, text: &str, labeled: bool) -> Member {
            let matches = |&node: &NodeId| {
                let span = self.tree.span(node);
                self.tree.text()[span] == *text.as_bytes() && (!labeled || self.labels.label(node).is_some())
            };
            let mut found = self.tree.nodes().filter(matches);
            let node = if labeled { found.last() } else { found.next() }.unwrap();
            let mut above = std::iter::successors(self.tree.parent(node), |&node| self.tree.parent(node));
            Member { standing: Standing::own(node), owner: above.find(|&node| self.labels.label(node).is_some()) }
        }

        fn deletes(&self, filter: Filter, text: &str, edits: &Edits) -> bool {
            self.judge(filter).deletions(&[self.member(text, false)], edits)[0].is_ok()
        }

        fn substitutes(&self, filter: Filter, outer: &str, inner: &str) -> bool {
            let (outer, inner) = (self.member(outer, true), self.member(inner, true));
            self.judge(filter).substitution(outer, inner.standing.node, &Edits::new()).is_ok()
        }
    }

    const CORPUS: [&str; 3] = ["if (a) b(); else c(1, 2);", "if (a) { b(); }", "f(x); ;"];

    #[test]
    fn a_mandatory_edge_is_not_deleted_and_another_is() {
        let case = Case::new(&CORPUS, "if (x) f(); else g();");
        for (text, answers) in [("x", [true, false, false]), ("else g();", [true, true, true])] {
            let given =
                [Filter::None, Filter::Corpus, Filter::Both].map(|filter| case.deletes(filter, text, &Edits::new()));
            assert_eq!(given, answers, "{text}");
        }
    }

    #[test]
    fn an_edge_that_is_there_twice_may_go_until_one_is_left() {
        let case = Case::new(&["var a, b;", "var c;"], "var x, y;");
        assert!(case.deletes(Filter::Corpus, "x", &Edits::new()) && case.deletes(Filter::Corpus, "y", &Edits::new()));
        let gone = case.member("y", false).standing.place;
        assert!(!case.deletes(Filter::Corpus, "x", &Edits::from_iter([(gone, crate::Edit::Delete)])));
        assert!(!case.deletes(Filter::Corpus, ",", &Edits::new()));
    }

    #[test]
    fn a_substitute_must_have_been_seen_in_that_context() {
        let case = Case::new(&CORPUS, "if (x) { f(); }");
        let ask =
            |inner| [Filter::None, Filter::Corpus].map(|filter| case.substitutes(filter, "if (x) { f(); }", inner));
        assert_eq!(ask("f();"), [true, true]);
        assert_eq!(ask("(x)"), [true, false]);
    }

    #[test]
    fn the_grammar_lets_elements_and_optionals_go_and_what_fits_take_a_place() {
        let case = Case::new(&[], "if (x) { f(1, 2); }");
        let deletes = |text| case.deletes(Filter::Grammar, text, &Edits::new());
        assert_eq!(["1", "x", ",", "f(1, 2);"].map(deletes), [true, false, false, true]);
        assert!(case.substitutes(Filter::Grammar, "if (x) { f(1, 2); }", "{ f(1, 2); }"));
        assert!(!case.substitutes(Filter::Grammar, "if (x) { f(1, 2); }", "(x)"));
    }

    #[test]
    fn names_lead_back_to_filters() {
        assert!(Filter::ALL.into_iter().all(|filter| filter.to_string().parse() == Ok(filter)));
        assert!("all".parse::<Filter>().unwrap_err().to_string().ends_with("grammar-first, syntax-first"));
    }
}
