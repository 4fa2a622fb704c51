//! [`Trace`]: what a generator did, as a tree of calls, loops, selections and draws.
//!
//! Nodes are in the order in which the generator reached them, so a subtree is a range of nodes, an edit is one pass
//! over them, and the n-th record of a trace file is the n-th node. A *site* names a place in the generator's source
//! code: nodes with the same site come from the same code.

use std::collections::HashMap;
use std::sync::Arc;

/// A place in the generator's source code.
pub type Site = Arc<str>;

/// A node of one trace, numbered in the order of the trace. The root is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The whole trace.
    pub const ROOT: Self = Self(0);

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The kind of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The whole run.
    Root,
    /// A call of one of the generator's functions.
    Call,
    /// A loop; its children are iterations.
    Loop {
        /// It ended by a condition inside, not because its range was exhausted.
        open_ended: bool,
    },
    /// One round of a loop.
    Iteration,
    /// A condition and the branch that was taken; the draws of the condition come before the branch.
    Selection,
    /// The branch of a selection; its site is [`THEN`] or [`ELSE`].
    Branch,
    /// A random choice.
    Draw(Draw),
}

/// The site of a branch whose condition was true.
pub const THEN: &str = "then";

/// The site of a branch whose condition was false.
pub const ELSE: &str = "else";

/// A random choice and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draw {
    /// What kind of value is drawn.
    pub kind: DrawKind,
    /// The largest value that could have been drawn.
    pub max: u64,
    /// The value that was drawn.
    pub value: Value,
    /// A fingerprint of what the value stood for, such as the chosen element: one number for each of the value. `None`
    /// if the generator did not record it, or if an edit changed the value.
    pub output: Option<Value>,
}

/// What kind of value is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DrawKind {
    /// A number from 0 to the maximum.
    Integer,
    /// A fraction of 1, in units of 2⁻⁵³.
    Fraction,
    /// Any floating-point number, by its bits.
    Real,
    /// Different numbers from 0 to the maximum: a shuffle or a sample.
    Arrangement,
    /// A number of more than 64 bits, its lowest 64 first.
    Wide,
}

/// The value that was drawn.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// One number.
    One(u64),
    /// Several numbers that belong together.
    Many(Arc<[u64]>),
}

impl Value {
    /// The number, if it is a single one.
    pub fn number(&self) -> Option<u64> {
        match self {
            Self::One(number) => Some(*number),
            Self::Many(_) => None,
        }
    }

    /// All numbers.
    pub fn numbers(&self) -> &[u64] {
        match self {
            Self::One(number) => std::slice::from_ref(number),
            Self::Many(numbers) => numbers,
        }
    }
}

/// One node of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its kind.
    pub kind: Kind,
    /// Its place in the generator's source code.
    pub site: Site,
    /// The node around it; the root is its own parent.
    pub parent: NodeId,
    /// The first node after its subtree.
    pub end: NodeId,
}

impl Node {
    /// The draw, if it is one.
    pub fn draw(&self) -> Option<&Draw> {
        match &self.kind {
            Kind::Draw(draw) => Some(draw),
            _ => None,
        }
    }

    /// Whether `other` could be the same step in another run.
    pub fn matches(&self, other: &Self) -> bool {
        std::mem::discriminant(&self.kind) == std::mem::discriminant(&other.kind) && self.site == other.site
    }
}

/// What a generator did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    nodes: Vec<Node>,
}

impl Trace {
    /// The number of steps, which is the cost of a candidate in the search.
    pub fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Whether no steps were recorded.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The node of this number.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// All nodes but the root, in order.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        self.within(NodeId::ROOT)
    }

    /// The nodes below `id`, in order.
    pub fn within(&self, id: NodeId) -> impl Iterator<Item = (NodeId, &Node)> {
        let first = id.0 + 1;
        (first..self.node(id).end.0).map(|number| (NodeId(number), &self.nodes[number as usize]))
    }

    /// The children of `id`, in order.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let end = self.node(id).end;
        let first = Some(NodeId(id.0 + 1)).filter(|first| *first < end);
        std::iter::successors(first, move |child| Some(self.node(*child).end).filter(|next| *next < end))
    }

    /// The rounds of a loop, in order.
    pub fn rounds(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.children(id).filter(|child| self.node(*child).kind == Kind::Iteration)
    }

    /// `id` and all nodes around it, from the inside out.
    pub fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(id), |inner| (*inner != NodeId::ROOT).then(|| self.node(*inner).parent))
    }

    /// The number of nodes in the subtree of `id`.
    pub fn size(&self, id: NodeId) -> u32 {
        self.node(id).end.0 - id.0
    }

    /// Whether `inner` is `outer` or is within it.
    pub fn contains(&self, outer: NodeId, inner: NodeId) -> bool {
        outer <= inner && inner < self.node(outer).end
    }

    /// The innermost node around both.
    pub fn common_ancestor(&self, a: NodeId, b: NodeId) -> NodeId {
        self.ancestors(a).find(|around| self.contains(*around, b)).unwrap_or(NodeId::ROOT)
    }

    /// The node of this trace at the place that `id` has in `other`: at each level it has the same site, and the same
    /// number of nodes of that site before it.
    pub fn counterpart(&self, other: &Self, id: NodeId) -> Option<NodeId> {
        if id == NodeId::ROOT {
            return Some(NodeId::ROOT);
        }
        let wanted = other.node(id);
        let scope = self.counterpart(other, wanted.parent)?;
        let place = other.children(wanted.parent).take_while(|child| *child != id);
        let place = place.filter(|child| other.node(*child).matches(wanted)).count();
        self.children(scope).filter(|child| self.node(*child).matches(wanted)).nth(place)
    }

    /// For each site the value with the smallest call around it: what a replay draws where no step matches. With the
    /// lowest values instead, recursive generators might not terminate.
    pub fn cheapest_values(&self) -> HashMap<Site, Value> {
        let mut seen: HashMap<(&Site, &Value), (u64, u64)> = HashMap::new();
        for (_, node, draw) in self.nodes().filter_map(|(id, node)| Some((id, node, node.draw()?))) {
            let call = self.ancestors(node.parent).find(|around| matches!(self.node(*around).kind, Kind::Call));
            let entry = seen.entry((&node.site, &draw.value)).or_default();
            *entry = (entry.0 + u64::from(self.size(call.unwrap_or(NodeId::ROOT))), entry.1 + 1);
        }
        let mut best: HashMap<Site, (u64, Value)> = HashMap::new();
        for ((site, value), (sum, times)) in seen {
            let rank = (sum / times, value.clone());
            let kept = best.entry(Arc::clone(site)).or_insert_with(|| rank.clone());
            if rank < *kept {
                *kept = rank;
            }
        }
        best.into_iter().map(|(site, (_, value))| (site, value)).collect()
    }
}

/// Builds a trace step by step.
#[derive(Clone, Debug)]
pub struct TraceBuilder {
    nodes: Vec<Node>,
    open: Vec<NodeId>,
}

impl Default for TraceBuilder {
    fn default() -> Self {
        let root = Node { kind: Kind::Root, site: "".into(), parent: NodeId::ROOT, end: NodeId(1) };
        Self { nodes: vec![root], open: vec![NodeId::ROOT] }
    }
}

impl TraceBuilder {
    /// Opens a node within the open one.
    pub fn open(&mut self, kind: Kind, site: Site) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        let parent = self.open.last().copied().unwrap_or(NodeId::ROOT);
        self.nodes.push(Node { kind, site, parent, end: id });
        self.open.push(id);
        id
    }

    /// Closes the open node; the root stays open.
    pub fn close(&mut self) {
        if self.open.len() > 1 {
            let id = self.open.pop().unwrap_or(NodeId::ROOT);
            self.nodes[id.index()].end = NodeId(self.nodes.len() as u32);
        }
    }

    /// Adds a draw.
    pub fn draw(&mut self, site: Site, draw: Draw) {
        self.open(Kind::Draw(draw), site);
        self.close();
    }

    /// Marks the open loop as ending by a condition inside it.
    pub fn mark_open_ended(&mut self) {
        if let Some(Kind::Loop { open_ended }) = self.open.last().map(|id| &mut self.nodes[id.index()].kind) {
            *open_ended = true;
        }
    }

    /// Closes all open nodes.
    pub fn finish(mut self) -> Trace {
        while self.open.len() > 1 {
            self.close();
        }
        self.nodes[0].end = NodeId(self.nodes.len() as u32);
        Trace { nodes: self.nodes }
    }
}
