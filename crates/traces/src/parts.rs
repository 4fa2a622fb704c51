//! Reducible parts (GReduce, section 3.4): the rounds of loops and the blocks of selections that a draw decides, and
//! the draws that must change when parts are removed.
//!
//! Loops that share the draw that decides them lose the same rounds together, so that two loops over the same n things
//! stay consistent. A loop that ends by a random condition inside needs no change of a draw.

use std::collections::{BTreeMap, HashMap};

use crate::edits::Edits;
use crate::trace::{DrawKind, Kind, NodeId, Site, THEN, Trace, Value};

/// What was found out about the generator's loops and selections, by site.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// What decides the number of rounds of a loop.
    pub loops: HashMap<Site, Count>,
    /// What makes the condition of a selection false.
    pub selections: HashMap<Site, Decision>,
}

/// What decides the number of rounds of a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Count {
    /// A draw before the loop.
    Drawn(Link),
    /// No draw before the loop.
    NotDrawn,
}

/// Where the draw is that decides a loop's number of rounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The site of the draw.
    pub site: Site,
    /// How many scopes around the loop do not contain the draw.
    pub up: usize,
    /// How many rounds one step of the draw makes.
    pub slope: u64,
}

/// What makes the condition of a selection false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// This value of one of the draws in it, by its place among them.
    Drawn(usize, Value),
    /// No draw in it.
    NotDrawn,
}

impl Link {
    /// The link between a loop and a draw before it.
    pub fn between(trace: &Trace, looping: NodeId, draw: NodeId, slope: u64) -> Self {
        Self { site: trace.node(draw).site.clone(), up: steps_up(trace, looping, draw), slope }
    }

    /// The draw that decides the number of rounds of this loop: the last one before it at that distance.
    pub fn draw(&self, trace: &Trace, looping: NodeId) -> Option<NodeId> {
        let scope = trace.ancestors(looping).nth(self.up)?;
        let here = |id: &NodeId| {
            let node = trace.node(*id);
            node.draw().is_some() && node.site == self.site && steps_up(trace, looping, *id) == self.up
        };
        (scope.0..looping.0).rev().map(NodeId).find(here)
    }
}

fn steps_up(trace: &Trace, looping: NodeId, draw: NodeId) -> usize {
    trace.ancestors(looping).take_while(|around| !trace.contains(*around, draw)).count()
}

/// The draws of a selection's condition.
pub fn condition_draws(trace: &Trace, selection: NodeId) -> Vec<NodeId> {
    let branch = trace.children(selection).find(|child| trace.node(*child).kind == Kind::Branch);
    let end = branch.unwrap_or(trace.node(selection).end);
    trace
        .within(selection)
        .take_while(|(id, _)| *id < end)
        .filter(|(_, node)| node.draw().is_some())
        .map(|(id, _)| id)
        .collect()
}

/// The branch that a selection took, if its condition was true.
pub(crate) fn then_branch(trace: &Trace, selection: NodeId) -> Option<NodeId> {
    trace.children(selection).find(|child| {
        let node = trace.node(*child);
        node.kind == Kind::Branch && &*node.site == THEN
    })
}

/// One reducible part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What is removed: the same round of one loop or several, or a block.
    pub nodes: Vec<NodeId>,
    /// The smallest part around it.
    pub around: Option<usize>,
    /// How many parts are around it.
    pub level: usize,
    /// What it is one of.
    pub group: usize,
}

/// The parts that share a draw.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Group {
    Rounds { draw: Option<NodeId>, slope: u64, count: u64 },
    Block { draw: NodeId, value: Value },
}

/// Loops that share the draw that decides them, and that draw with its slope.
#[derive(Default)]
struct Loops {
    draw: Option<(NodeId, u64)>,
    nodes: Vec<NodeId>,
}

/// All reducible parts of a trace, in trace order.
#[derive(Clone, Debug)]
pub struct Parts {
    parts: Vec<Part>,
    groups: Vec<Group>,
}

impl Parts {
    /// The parts of `trace` that are known from `facts`.
    pub fn of(trace: &Trace, facts: &Facts) -> Self {
        let mut parts = Self { parts: Vec::new(), groups: Vec::new() };
        // By the draw that decides them, or each on its own.
        let mut loops: BTreeMap<NodeId, Loops> = BTreeMap::new();
        for (id, node) in trace.nodes() {
            match &node.kind {
                Kind::Loop { open_ended } => {
                    let link = match facts.loops.get(&node.site) {
                        Some(Count::Drawn(link)) => link.draw(trace, id).map(|draw| (draw, link.slope)),
                        _ => None,
                    };
                    if link.is_some() || *open_ended {
                        let key = link.map_or(id, |(draw, _)| draw);
                        let together = loops.entry(key).or_default();
                        together.draw = link;
                        together.nodes.push(id);
                    }
                }
                Kind::Selection => parts.add_block(trace, id, facts),
                _ => {}
            }
        }
        for loops in loops.values() {
            parts.add_rounds(trace, loops);
        }
        parts.arrange(trace);
        parts
    }

    fn add_block(&mut self, trace: &Trace, selection: NodeId, facts: &Facts) {
        let Some(Decision::Drawn(place, value)) = facts.selections.get(&trace.node(selection).site) else { return };
        let Some(branch) = then_branch(trace, selection) else { return };
        let Some(draw) = condition_draws(trace, selection).get(*place).copied() else { return };
        self.parts.push(Part { nodes: vec![branch], around: None, level: 0, group: self.groups.len() });
        self.groups.push(Group::Block { draw, value: value.clone() });
    }

    fn add_rounds(&mut self, trace: &Trace, loops: &Loops) {
        let mut rounds: Vec<Vec<NodeId>> = Vec::new();
        for looping in &loops.nodes {
            for (place, round) in trace.rounds(*looping).enumerate() {
                if place == rounds.len() {
                    rounds.push(Vec::new());
                }
                rounds[place].push(round);
            }
        }
        let (draw, slope) = loops.draw.map_or((None, 1), |(draw, slope)| (Some(draw), slope));
        let group = self.groups.len();
        self.groups.push(Group::Rounds { draw, slope, count: rounds.len() as u64 });
        self.parts.extend(rounds.into_iter().map(|nodes| Part { nodes, around: None, level: 0, group }));
    }

    /// Sorts parts in trace order and finds out which are nested in which.
    fn arrange(&mut self, trace: &Trace) {
        self.parts.sort_by(|a, b| a.nodes.cmp(&b.nodes));
        let owners: HashMap<NodeId, usize> = self
            .parts
            .iter()
            .enumerate()
            .flat_map(|(place, part)| part.nodes.iter().map(move |node| (*node, place)))
            .collect();
        for place in 0..self.parts.len() {
            let nodes = &self.parts[place].nodes;
            let (first, last) = (nodes[0], nodes[nodes.len() - 1]);
            let scope = if first == last { trace.node(first).parent } else { trace.common_ancestor(first, last) };
            let around =
                trace.ancestors(scope).find_map(|id| owners.get(&id).copied()).filter(|around| *around != place);
            self.parts[place].around = around;
            // The part around comes first in the trace, so its level is known.
            self.parts[place].level = around.map_or(0, |around| self.parts[around].level + 1);
        }
    }

    /// The parts in trace order.
    pub fn list(&self) -> &[Part] {
        &self.parts
    }

    /// The parts that are rounds of one loop, or of loops that share a draw; outermost first.
    pub fn rounds(&self) -> Vec<Vec<usize>> {
        let mut groups: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
        let mut first: HashMap<usize, (usize, usize)> = HashMap::new();
        for (place, part) in self.parts.iter().enumerate() {
            if matches!(self.groups[part.group], Group::Rounds { .. }) {
                let key = *first.entry(part.group).or_insert((part.level, place));
                groups.entry(key).or_default().push(place);
            }
        }
        groups.into_values().collect()
    }

    /// The smallest part around a node.
    pub fn smallest_around(&self, trace: &Trace, id: NodeId) -> Option<usize> {
        let owner = |around: NodeId| self.parts.iter().position(|part| part.nodes.contains(&around));
        trace.ancestors(id).find_map(owner)
    }

    /// The edits that remove these parts.
    pub fn removal(&self, trace: &Trace, removed: impl IntoIterator<Item = usize>) -> Edits {
        let mut edits = Edits::default();
        let mut gone: BTreeMap<usize, u64> = BTreeMap::new();
        for place in removed {
            let part = &self.parts[place];
            edits.removed.extend(&part.nodes);
            *gone.entry(part.group).or_default() += 1;
        }
        for (group, gone) in gone {
            if let Some((draw, value)) = self.groups[group].draw_without(trace, gone) {
                edits.values.insert(draw, value);
            }
        }
        edits
    }

    /// The trace without these parts.
    pub fn without(&self, trace: &Trace, removed: impl IntoIterator<Item = usize>) -> Trace {
        self.removal(trace, removed).apply(trace)
    }
}

impl Group {
    /// The value that the draw of this group must have if `gone` of its parts are removed.
    fn draw_without(&self, trace: &Trace, gone: u64) -> Option<(NodeId, Value)> {
        match self {
            Self::Block { draw, value } => Some((*draw, value.clone())),
            Self::Rounds { draw: None, .. } => None,
            Self::Rounds { draw: Some(id), slope, count } => {
                let draw = trace.node(*id).draw()?;
                let value = draw.value.number()?;
                let lower = match draw.kind {
                    // The number of rounds is about proportional to the fraction.
                    DrawKind::Fraction => scaled(value, 2 * (count - gone) + 1, 2 * count + 1),
                    _ => value.saturating_sub((gone / slope).max(1)),
                };
                Some((*id, Value::One(lower)))
            }
        }
    }
}

fn scaled(value: u64, numerator: u64, denominator: u64) -> u64 {
    (u128::from(value) * u128::from(numerator) / u128::from(denominator.max(1))) as u64
}
