//! Reads a trace file to replay, and finds the next step in it.

use std::collections::{HashMap, VecDeque};

use crate::recorder::{MAGIC, Site, Sites, Step};

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

/// One step.
#[derive(Debug, Default)]
struct Node {
    /// The number that was drawn, if it is a single number.
    value: Option<u64>,
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
        let mut body = bytes.strip_prefix(MAGIC)?;
        let mut script = Self { nodes: vec![Node::default()], ..Self::default() };
        let (mut known, mut open) = (Vec::new(), vec![Self::ROOT]);
        while let Some((tag, payload, rest)) = split_record(body) {
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
                    let site = site_in(payload.get(1..)?, &known)?;
                    script.add((within, Step::Draw, site), single(payload.get(13..)?));
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

    fn add(&mut self, key: (u32, Step, Site), value: Option<u64>) -> u32 {
        let number = self.nodes.len() as u32;
        self.nodes.push(Node { value, ..Node::default() });
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

    /// The number that a step drew.
    pub(crate) fn value(&self, number: u32) -> Option<u64> {
        self.nodes[number as usize].value
    }

    /// What to draw at a site where no step matches.
    pub(crate) fn default_value(&self, site: Site) -> u64 {
        self.defaults.get(&site).copied().unwrap_or_default()
    }
}

fn split_record(body: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (tag, rest) = body.split_first()?;
    let (length, rest) = rest.split_first_chunk::<4>()?;
    let (payload, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    Some((*tag, payload, rest))
}

fn site_in(bytes: &[u8], known: &[Site]) -> Option<Site> {
    known.get(u32::from_le_bytes(*bytes.first_chunk()?) as usize).copied()
}

/// The number, if there is exactly one.
fn single(bytes: &[u8]) -> Option<u64> {
    bytes.try_into().ok().map(u64::from_le_bytes)
}
