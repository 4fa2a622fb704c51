//! Reads a trace file to replay, and finds the next step in it.

use std::collections::{HashMap, VecDeque};

use crate::recorder::{LONG_RECORD, MAGIC, MAGIC_1, SHORT, Site, Sites, Step, WITH_OUTPUT};

/// The steps that a run should follow.
#[derive(Debug, Default)]
pub(crate) struct Script {
    /// The steps by their numbers; the first is the whole run.
    nodes: Vec<Node>,
    /// The steps yet to occur, by the scope they are in, their kind and their site; in order.
    waiting: HashMap<(u32, Step, Site), VecDeque<u32>>,
    /// What to draw at a site where no step matches.
    defaults: HashMap<Site, u64>,
}

/// A recorded draw of a single number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drawn {
    pub(crate) value: u64,
    /// The fingerprint of what the number stood for.
    pub(crate) output: Option<u64>,
}

/// One step.
#[derive(Debug, Default)]
struct Node {
    /// What was drawn, if it is a single number.
    drawn: Option<Drawn>,
    /// Whether it has occurred in this run.
    occurred: bool,
    /// The steps within it, in order.
    children: Vec<u32>,
}

impl Script {
    /// The whole run.
    pub(crate) const ROOT: u32 = 0;

    /// Reads a file up to its last complete record; `None` if it is not a trace. Its sites get numbers in `sites`.
    pub(crate) fn read(bytes: &[u8], sites: &mut Sites) -> Option<Self> {
        let (mut body, split) = match bytes.strip_prefix(MAGIC) {
            Some(body) => (body, split_record as fn(&[u8]) -> Option<(u8, &[u8], &[u8])>),
            None => (bytes.strip_prefix(MAGIC_1)?, split_long_record as _),
        };
        let mut script = Self { nodes: vec![Node::default()], ..Self::default() };
        let (mut known, mut open) = (Vec::new(), vec![Self::ROOT]);
        while let Some((tag, payload, rest)) = split(body) {
            body = rest;
            let within = *open.last()?;
            match tag {
                b'S' => known.push(sites.named(&String::from_utf8_lossy(payload))),
                b'O' => {
                    let (kind, rest) = payload.split_first()?;
                    open.push(script.add((within, Step::scope(*kind)?, site_in(rest, &known)?), None));
                }
                b'C' if open.len() > 1 => drop(open.pop()),
                b'D' => {
                    let (kind, rest) = payload.split_first()?;
                    let drawn = drawn(*kind, rest.get(4..)?);
                    script.add((within, Step::Draw, site_in(rest, &known)?), drawn);
                }
                b'V' => {
                    if let Some(value) = single(payload.get(4..)?) {
                        script.defaults.insert(site_in(payload, &known)?, value);
                    }
                }
                _ => {}
            }
        }
        Some(script)
    }

    fn add(&mut self, key: (u32, Step, Site), drawn: Option<Drawn>) -> u32 {
        let number = self.nodes.len() as u32;
        self.nodes.push(Node { drawn, ..Node::default() });
        self.nodes[key.0 as usize].children.push(number);
        self.waiting.entry(key).or_default().push_back(number);
        number
    }

    /// The next step of this kind and site within a scope, which has now occurred.
    pub(crate) fn next(&mut self, within: u32, step: Step, site: Site) -> Option<u32> {
        let number = self.waiting.get_mut(&(within, step, site))?.pop_front()?;
        self.nodes[number as usize].occurred = true;
        Some(number)
    }

    /// The first step within a scope that has not occurred.
    pub(crate) fn missing(&self, scope: u32) -> Option<u32> {
        let children = &self.nodes[scope as usize].children;
        children.iter().copied().find(|child| !self.nodes[*child as usize].occurred)
    }

    /// What a step drew.
    pub(crate) fn drawn(&self, number: u32) -> Option<Drawn> {
        self.nodes[number as usize].drawn
    }

    /// What to draw at a site where no step matches.
    pub(crate) fn default_value(&self, site: Site) -> u64 {
        self.defaults.get(&site).copied().unwrap_or_default()
    }
}

/// Splits off a record whose length has 1 byte, or 5.
fn split_record(body: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let ([tag, length], rest) = body.split_first_chunk()?;
    if *length == LONG_RECORD {
        let (_, payload, rest) = split_long_record(body.get(1..)?)?;
        return Some((*tag, payload, rest));
    }
    let (payload, rest) = rest.split_at_checked(usize::from(*length))?;
    Some((*tag, payload, rest))
}

/// Splits off a record whose length has 4 bytes.
fn split_long_record(body: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (tag, rest) = body.split_first()?;
    let (length, rest) = rest.split_first_chunk::<4>()?;
    let (payload, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    Some((*tag, payload, rest))
}

fn site_in(bytes: &[u8], known: &[Site]) -> Option<Site> {
    known.get(u32::from_le_bytes(*bytes.first_chunk()?) as usize).copied()
}

/// The number after the maximum, and its output, if there is exactly one number.
fn drawn(kind: u8, numbers: &[u8]) -> Option<Drawn> {
    let width = if kind & SHORT == 0 { 8 } else { 4 };
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte));
    let numbers: Vec<u64> = numbers.chunks_exact(width).map(number).collect();
    match (numbers[..].get(1..)?, kind & WITH_OUTPUT) {
        ([value], 0) => Some(Drawn { value: *value, output: None }),
        ([value, output], WITH_OUTPUT) => Some(Drawn { value: *value, output: Some(*output) }),
        _ => None,
    }
}

/// The number, if there is exactly one.
fn single(bytes: &[u8]) -> Option<u64> {
    bytes.try_into().ok().map(u64::from_le_bytes)
}
