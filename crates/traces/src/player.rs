//! [`Player`]: gives a generator its random choices, records them, and replays a script if there is one.
//!
//! A step is matched to the n-th step of the same kind and site within the scope that its own scope is matched to. So
//! after a removal the rest still aligns, and steps that got out of alignment are aligned again after their scope. An
//! iteration is matched by its place among those that remain. A matched draw has the recorded output if that is still
//! possible, whatever its place among the alternatives (GReduce, section 4.4.1). `docs/trace-protocol.md` specifies the
//! same for other languages.

use std::collections::HashMap;
use std::sync::Arc;

use crate::generator::{Generated, Misfit, NoInput, Script};
use crate::trace::{Draw, DrawKind, ELSE, Kind, Node, NodeId, Site, THEN, TraceBuilder, Value};

/// Records a run, and replays a script.
pub struct Player<'a> {
    script: Option<Script>,
    /// Draws for runs without a script. The argument is the maximum.
    source: Box<dyn FnMut(u64) -> u64 + Send + 'a>,
    budget: u64,
    trace: TraceBuilder,
    frames: Vec<Frame>,
    draws: u64,
    misaligned: u64,
}

/// An open scope.
#[derive(Default)]
struct Frame {
    /// What it is matched to, and the children of that which are yet to occur, by kind and site.
    reference: Option<(NodeId, HashMap<Key, Waiting>)>,
}

type Key = (std::mem::Discriminant<Kind>, Site);

/// Nodes of one kind and site, in the order in which they are expected.
#[derive(Default)]
struct Waiting {
    nodes: Vec<NodeId>,
    met: usize,
}

impl Waiting {
    fn next(&mut self) -> Option<NodeId> {
        let node = self.nodes.get(self.met).copied();
        self.met += 1;
        node
    }
}

/// What the values of a draw stand for.
#[derive(Clone, Copy)]
enum Outputs<'a> {
    /// Nothing is known: a value stands for itself.
    Unknown,
    /// The numbers from this one on.
    From(u64),
    /// Alternatives with these fingerprints.
    Listed(&'a [u64]),
}

impl Outputs<'_> {
    fn of(self, value: u64) -> Option<Value> {
        match self {
            Self::Unknown => None,
            Self::From(low) => Some(low.wrapping_add(value)),
            Self::Listed(outputs) => outputs.get(value as usize).copied(),
        }
        .map(Value::One)
    }

    /// The value up to `max` with the output of a recorded draw, or with its value if there is no output.
    fn find(self, recorded: &Draw, max: u64) -> Option<u64> {
        let value = recorded.value.number()?;
        let output = recorded.output.as_ref().and_then(Value::number);
        let found = match (self, output) {
            (Self::Unknown, _) | (_, None) => value,
            (Self::From(low), Some(output)) => output.wrapping_sub(low),
            (Self::Listed(outputs), Some(output)) if outputs.get(value as usize) == Some(&output) => value,
            (Self::Listed(outputs), Some(output)) => outputs.iter().position(|other| *other == output)? as u64,
        };
        Some(found).filter(|found| *found <= max)
    }
}

impl<'a> Player<'a> {
    /// Records a run that draws from `source`, whose argument is the maximum.
    pub fn recording(source: impl FnMut(u64) -> u64 + Send + 'a) -> Self {
        Self::new(None, Box::new(source), u64::MAX)
    }

    /// Replays a script, with at most `budget` draws.
    pub fn following(script: &Script, budget: u64) -> Self {
        Self::new(Some(script.clone()), Box::new(|_| 0), budget)
    }

    fn new(script: Option<Script>, source: Box<dyn FnMut(u64) -> u64 + Send + 'a>, budget: u64) -> Self {
        let root = script.as_ref().map(|_| NodeId::ROOT);
        let mut player = Self {
            script,
            source,
            budget,
            trace: TraceBuilder::default(),
            frames: Vec::new(),
            draws: 0,
            misaligned: 0,
        };
        player.frames.push(player.frame(root));
        player
    }

    /// Draws a number from 0 to `max`, matched by its value.
    pub fn draw(&mut self, site: &str, max: u64) -> Result<u64, NoInput> {
        self.draw_with(site, max, Outputs::Unknown)
    }

    /// Draws a number from `low` to `low + span`, matched by the number.
    pub fn number(&mut self, site: &str, low: u64, span: u64) -> Result<u64, NoInput> {
        Ok(low.wrapping_add(self.draw_with(site, span, Outputs::From(low))?))
    }

    /// Chooses the place of one of the alternatives, matched by their fingerprints.
    ///
    /// # Panics
    ///
    /// If there are no alternatives.
    pub fn choose(&mut self, site: &str, fingerprints: &[u64]) -> Result<usize, NoInput> {
        assert!(!fingerprints.is_empty(), "there is nothing to choose from");
        let place = self.draw_with(site, fingerprints.len() as u64 - 1, Outputs::Listed(fingerprints))?;
        Ok(place as usize)
    }

    fn draw_with(&mut self, site: &str, max: u64, outputs: Outputs<'_>) -> Result<u64, NoInput> {
        self.draws += 1;
        if self.draws > self.budget {
            return Err(NoInput::OverBudget);
        }
        let site: Site = site.into();
        let blank = Draw { kind: DrawKind::Integer, max, value: Value::One(0), output: None };
        let fitting = self.fit(&Kind::Draw(blank.clone()), &site)?;
        let value = match &self.script {
            None => (self.source)(max).min(max),
            Some(script) => {
                let recorded = fitting.and_then(|id| script.trace.node(id).draw());
                match recorded.and_then(|recorded| outputs.find(recorded, max)) {
                    Some(value) => value,
                    _ if script.misfit == Misfit::Halt => return Err(NoInput::Halted(fitting.unwrap_or(NodeId::ROOT))),
                    _ => {
                        self.misaligned += 1;
                        let default = script.defaults.get(&site).and_then(Value::number).unwrap_or(0);
                        recorded.and_then(|recorded| recorded.value.number()).unwrap_or(default).min(max)
                    }
                }
            }
        };
        self.trace.draw(site, Draw { value: Value::One(value), output: outputs.of(value), ..blank });
        Ok(value)
    }

    /// Runs `body` as a call of the function `name`.
    pub fn call<T>(&mut self, name: &str, body: impl FnOnce(&mut Self) -> Result<T, NoInput>) -> Result<T, NoInput> {
        self.scope(Kind::Call, name, body)
    }

    /// Runs `body` as a loop; it marks its rounds with [`iteration`](Self::iteration).
    pub fn repeat<T>(&mut self, site: &str, body: impl FnOnce(&mut Self) -> Result<T, NoInput>) -> Result<T, NoInput> {
        self.scope(Kind::Loop { open_ended: false }, site, body)
    }

    /// Runs `body` as one round of a loop.
    pub fn iteration<T>(&mut self, body: impl FnOnce(&mut Self) -> Result<T, NoInput>) -> Result<T, NoInput> {
        self.scope(Kind::Iteration, "", body)
    }

    /// Runs `body` as rounds of a loop, `count` times.
    pub fn times(
        &mut self,
        site: &str,
        count: u64,
        mut body: impl FnMut(&mut Self, u64) -> Result<(), NoInput>,
    ) -> Result<(), NoInput> {
        self.repeat(site, |player| (0..count).try_for_each(|round| player.iteration(|player| body(player, round))))
    }

    /// Runs `test`, then the branch that it chooses.
    pub fn select<T>(
        &mut self,
        site: &str,
        test: impl FnOnce(&mut Self) -> Result<bool, NoInput>,
        then: impl FnOnce(&mut Self) -> Result<T, NoInput>,
        otherwise: impl FnOnce(&mut Self) -> Result<T, NoInput>,
    ) -> Result<T, NoInput> {
        self.scope(Kind::Selection, site, |player| match test(player)? {
            true => player.scope(Kind::Branch, THEN, then),
            false => player.scope(Kind::Branch, ELSE, otherwise),
        })
    }

    /// Runs `then` if `test` returns true. There is no other branch.
    pub fn when(
        &mut self,
        site: &str,
        test: impl FnOnce(&mut Self) -> Result<bool, NoInput>,
        then: impl FnOnce(&mut Self) -> Result<(), NoInput>,
    ) -> Result<(), NoInput> {
        self.scope(Kind::Selection, site, |player| match test(player)? {
            true => player.scope(Kind::Branch, THEN, then),
            false => Ok(()),
        })
    }

    /// Marks the open loop as ending by a condition inside it.
    pub fn mark_open_ended(&mut self) {
        self.trace.mark_open_ended();
    }

    /// Ends the run.
    pub fn finish(mut self, input: Vec<u8>) -> Result<Generated, NoInput> {
        self.end_frame()?;
        Ok(Generated { input, trace: Arc::new(self.trace.finish()), misaligned: self.misaligned })
    }

    fn scope<T>(
        &mut self,
        kind: Kind,
        site: &str,
        body: impl FnOnce(&mut Self) -> Result<T, NoInput>,
    ) -> Result<T, NoInput> {
        self.open(kind, site)?;
        let result = body(self)?;
        self.close()?;
        Ok(result)
    }

    /// Opens a scope, for clients that cannot run its body in a closure.
    pub fn open(&mut self, kind: Kind, site: &str) -> Result<(), NoInput> {
        let site: Site = site.into();
        let fitting = self.fit(&kind, &site)?;
        self.frames.push(self.frame(fitting));
        self.trace.open(kind, site);
        Ok(())
    }

    /// Closes the scope that was opened last.
    pub fn close(&mut self) -> Result<(), NoInput> {
        self.trace.close();
        self.end_frame()
    }

    fn frame(&self, reference: Option<NodeId>) -> Frame {
        let Some((script, id)) = self.script.as_ref().zip(reference) else { return Frame::default() };
        let mut waiting: HashMap<Key, Waiting> = HashMap::new();
        for child in script.trace.children(id) {
            let Node { kind, site, .. } = script.trace.node(child);
            waiting.entry((std::mem::discriminant(kind), site.clone())).or_default().nodes.push(child);
        }
        Frame { reference: Some((id, waiting)) }
    }

    fn halts(&self) -> bool {
        self.script.as_ref().is_some_and(|script| script.misfit == Misfit::Halt)
    }

    /// The step of the script that matches this one.
    fn fit(&mut self, kind: &Kind, site: &Site) -> Result<Option<NodeId>, NoInput> {
        let halts = self.halts();
        let Some((scope, waiting)) = self.frames.last_mut().and_then(|frame| frame.reference.as_mut()) else {
            return Ok(None);
        };
        let key = (std::mem::discriminant(kind), site.clone());
        let fitting = waiting.get_mut(&key).and_then(Waiting::next);
        match fitting {
            None if halts => Err(NoInput::Halted(*scope)),
            fitting => Ok(fitting),
        }
    }

    /// Ends a scope. Under `halt` all its steps must have occurred.
    fn end_frame(&mut self) -> Result<(), NoInput> {
        let halts = self.halts();
        let Some((_, waiting)) = self.frames.pop().and_then(|frame| frame.reference).filter(|_| halts) else {
            return Ok(());
        };
        let missing = waiting.values().filter_map(|waiting| waiting.nodes.get(waiting.met)).min();
        missing.map_or(Ok(()), |missing| Err(NoInput::Halted(*missing)))
    }
}
