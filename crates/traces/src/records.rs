//! Trace files: binary records, or one JSON object per line, as specified in `docs/trace-protocol.md`.
//!
//! A file is read up to its last complete record, because what a generator wrote before it was killed is a trace too.

mod words;

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::{Value as Json, json};
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_128;

use crate::generator::Misfit;
use crate::trace::{Draw, DrawKind, Kind, NodeId, Site, Trace, TraceBuilder, Value};

/// The versions of the binary format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version {
    /// Without outputs; lengths have 4 bytes.
    One,
    /// With outputs; lengths have 1 byte, or 5.
    Two,
}

impl Version {
    /// How a file starts.
    fn magic(self) -> &'static [u8] {
        match self {
            Self::One => b"whittle-trace 1\n",
            Self::Two => b"whittle-trace 2\n",
        }
    }
}

/// Set in the kind of a draw if its values are followed by as many outputs.
const WITH_OUTPUT: u8 = 0x80;

/// Set in the kind of a draw if its numbers have 4 bytes instead of 8.
const SHORT: u8 = 0x40;

/// Set in the kind of a draw if its numbers have 2 bytes, which only recorders write.
const NARROW: u8 = 0x20;

/// In place of a length: the length follows in 4 bytes.
const LONG_RECORD: u8 = u8::MAX;

/// The content of a trace file.
#[derive(Clone, Debug)]
pub struct Recording {
    /// The trace.
    pub trace: Trace,
    /// How the run ended; `None` if the generator was killed.
    pub end: Option<End>,
}

/// The last record of a trace file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// The outcome of the run.
    pub outcome: RunEnd,
    /// How many draws have another value than in the script.
    pub misaligned: u64,
}

/// The outcome of a run, as the generator's side reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// The generator finished.
    Complete,
    /// The run did not match the script at this node.
    Halted(NodeId),
    /// It exceeded the limit of draws.
    OverBudget,
}

/// Why a file is not a trace.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BadTrace {
    /// It does not start like one.
    #[error("this is not a trace file")]
    Foreign,
    /// A record is invalid.
    #[error("record {0} of the trace is invalid")]
    Record(usize),
}

const KINDS: [(&str, Kind); 5] = [
    ("call", Kind::Call),
    ("loop", Kind::Loop { open_ended: false }),
    ("iteration", Kind::Iteration),
    ("selection", Kind::Selection),
    ("branch", Kind::Branch),
];

const DRAWS: [(&str, DrawKind); 5] = [
    ("integer", DrawKind::Integer),
    ("fraction", DrawKind::Fraction),
    ("real", DrawKind::Real),
    ("arrangement", DrawKind::Arrangement),
    ("wide", DrawKind::Wide),
];

/// One record, in either format.
enum Record {
    Open(Kind, Site),
    Close,
    OpenEnded,
    Draw(Site, Draw),
    Default,
    End(End),
}

/// A fingerprint of everything a replay depends on.
pub(crate) fn fingerprint(trace: &Trace, misfit: Misfit) -> u128 {
    let mut bytes = encode(trace, &HashMap::new());
    bytes.push(u8::from(misfit == Misfit::Halt));
    xxh3_128(&bytes)
}

/// A trace in binary format, with the values to draw where no step matches. Without outputs it is a file of the first
/// version, which generators that know no other can read.
pub fn encode(trace: &Trace, defaults: &HashMap<Site, Value>) -> Vec<u8> {
    let has_outputs = trace.nodes().any(|(_, node)| node.draw().is_some_and(|draw| draw.output.is_some()));
    let version = if has_outputs { Version::Two } else { Version::One };
    let mut writer = Writer { bytes: version.magic().to_vec(), version, sites: HashMap::new() };
    let mut defaults: Vec<_> = defaults.iter().collect();
    defaults.sort();
    for (site, value) in defaults {
        let site = writer.site(site);
        writer.record(b'V', &[&site.to_le_bytes()[..], &packed(value)].concat());
    }
    let mut open: Vec<NodeId> = Vec::new();
    for (id, node) in trace.nodes() {
        while open.last().is_some_and(|around| trace.node(*around).end <= id) {
            open.pop();
            writer.record(b'C', &[]);
        }
        let site = writer.site(&node.site).to_le_bytes();
        if let Kind::Draw(draw) = &node.kind {
            let kind = place(&DRAWS, |kind| *kind == draw.kind);
            let kind = if draw.output.is_some() { kind | WITH_OUTPUT } else { kind };
            let output = draw.output.as_ref().map(packed).unwrap_or_default();
            let values = packed(&draw.value);
            writer.record(b'D', &[&[kind][..], &site, &draw.max.to_le_bytes(), &values, &output].concat());
            continue;
        }
        let kind = place(&KINDS, |kind| std::mem::discriminant(kind) == std::mem::discriminant(&node.kind));
        writer.record(b'O', &[&[kind][..], &site].concat());
        if node.kind == (Kind::Loop { open_ended: true }) {
            writer.record(b'B', &[]);
        }
        open.push(id);
    }
    open.iter().for_each(|_| writer.record(b'C', &[]));
    writer.bytes
}

/// A trace with one JSON object per line.
pub fn encode_json(trace: &Trace) -> String {
    let mut lines = Vec::new();
    let mut open: Vec<NodeId> = Vec::new();
    let close = json!({"do": "close"});
    for (id, node) in trace.nodes() {
        while open.last().is_some_and(|around| trace.node(*around).end <= id) {
            open.pop();
            lines.push(close.clone());
        }
        if let Kind::Draw(Draw { kind, max, value, output }) = &node.kind {
            let kind = DRAWS[usize::from(place(&DRAWS, |other| other == kind))].0;
            let value = value.numbers();
            let mut line = json!({"do": "draw", "kind": kind, "site": &*node.site, "max": max, "value": value});
            if let Some(output) = output {
                line["output"] = json!(output.numbers());
            }
            lines.push(line);
            continue;
        }
        let kind = place(&KINDS, |kind| std::mem::discriminant(kind) == std::mem::discriminant(&node.kind));
        lines.push(json!({"do": "open", "kind": KINDS[usize::from(kind)].0, "site": &*node.site}));
        if node.kind == (Kind::Loop { open_ended: true }) {
            lines.push(json!({"do": "open-ended"}));
        }
        open.push(id);
    }
    lines.extend(open.iter().map(|_| close.clone()));
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Reads a trace file in either format.
pub fn decode(bytes: &[u8]) -> Result<Recording, BadTrace> {
    let body = |version: Version| Some((bytes.strip_prefix(version.magic())?, version));
    let records = match body(Version::Two).or_else(|| body(Version::One)) {
        Some((body, version)) => read_binary(body, version)?,
        None if bytes.first() == Some(&b'{') => read_json(bytes)?,
        None => return Err(BadTrace::Foreign),
    };
    let mut builder = TraceBuilder::default();
    let mut end = None;
    for record in records {
        match record {
            Record::Open(kind, site) => drop(builder.open(kind, site)),
            Record::Close => builder.close(),
            Record::OpenEnded => builder.mark_open_ended(),
            Record::Draw(site, draw) => builder.draw(site, draw),
            Record::Default => {}
            Record::End(ending) => end = Some(ending),
        }
    }
    Ok(Recording { trace: builder.finish(), end })
}

struct Writer {
    bytes: Vec<u8>,
    version: Version,
    sites: HashMap<Site, u32>,
}

impl Writer {
    fn record(&mut self, tag: u8, payload: &[u8]) {
        self.bytes.push(tag);
        let length = payload.len() as u32;
        match (self.version, u8::try_from(length)) {
            (Version::Two, Ok(length)) if length != LONG_RECORD => self.bytes.push(length),
            (version, _) => {
                self.bytes.extend((version == Version::Two).then_some(LONG_RECORD));
                self.bytes.extend_from_slice(&length.to_le_bytes());
            }
        }
        self.bytes.extend_from_slice(payload);
    }

    fn site(&mut self, site: &Site) -> u32 {
        if let Some(known) = self.sites.get(site) {
            return *known;
        }
        self.record(b'S', site.as_bytes());
        let number = self.sites.len() as u32;
        self.sites.insert(site.clone(), number);
        number
    }
}

fn packed(value: &Value) -> Vec<u8> {
    value.numbers().iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn place<T>(table: &[(&str, T)], is: impl Fn(&T) -> bool) -> u8 {
    table.iter().position(|(_, entry)| is(entry)).unwrap_or_default() as u8
}

fn read_binary(mut body: &[u8], version: Version) -> Result<Vec<Record>, BadTrace> {
    let mut sites: Vec<Site> = Vec::new();
    let mut words = words::Words::default();
    let mut records = Vec::new();
    let mut number = 0;
    while let Some((tag, payload, rest)) = split_record(body, version) {
        body = rest;
        number += 1;
        match tag {
            b'S' => sites.push(String::from_utf8_lossy(payload).into()),
            b'W' => words.read(payload, &sites, &mut records).ok_or(BadTrace::Record(number))?,
            _ => records.push(binary_record(tag, payload, &sites).ok_or(BadTrace::Record(number))?),
        }
    }
    Ok(records)
}

fn split_record(body: &[u8], version: Version) -> Option<(u8, &[u8], &[u8])> {
    let (tag, rest) = body.split_first()?;
    let (length, rest) = match (version, rest.split_first()?) {
        (Version::Two, (length, rest)) if *length != LONG_RECORD => (usize::from(*length), rest),
        (version, (_, after_mark)) => {
            let rest = if version == Version::Two { after_mark } else { rest };
            let (length, rest) = rest.split_first_chunk::<4>()?;
            (u32::from_le_bytes(*length) as usize, rest)
        }
    };
    let (payload, rest) = rest.split_at_checked(length)?;
    Some((*tag, payload, rest))
}

fn binary_record(tag: u8, payload: &[u8], sites: &[Site]) -> Option<Record> {
    let site = |bytes: &[u8; 4]| sites.get(u32::from_le_bytes(*bytes) as usize).cloned();
    match tag {
        b'O' => {
            let (kind, rest) = payload.split_first()?;
            Some(Record::Open(KINDS.get(usize::from(*kind))?.1.clone(), site(rest.first_chunk()?)?))
        }
        b'C' => Some(Record::Close),
        b'B' => Some(Record::OpenEnded),
        b'D' => {
            let (kind, rest) = payload.split_first()?;
            let (number, rest) = rest.split_first_chunk::<4>()?;
            let width = match (kind & NARROW != 0, kind & SHORT != 0) {
                (true, _) => 2,
                (false, true) => 4,
                (false, false) => 8,
            };
            let mut numbers = rest.chunks_exact(width).map(little_endian);
            let max = numbers.next()?;
            let mut values: Vec<u64> = numbers.collect();
            let outputs = (kind & WITH_OUTPUT != 0).then(|| values.split_off(values.len() / 2));
            let kind = DRAWS.get(usize::from(kind & !(WITH_OUTPUT | SHORT | NARROW)))?.1;
            Some(Record::Draw(site(number)?, draw_of(kind, max, values, outputs)?))
        }
        b'V' => Some(Record::Default),
        b'Z' => {
            let (outcome, rest) = payload.split_first()?;
            let (misaligned, rest) = rest.split_first_chunk::<8>()?;
            let node = NodeId(u32::from_le_bytes(*rest.first_chunk()?));
            let outcome = run_end(usize::from(*outcome), node)?;
            Some(Record::End(End { outcome, misaligned: u64::from_le_bytes(*misaligned) }))
        }
        _ => None,
    }
}

fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

fn draw_of(kind: DrawKind, max: u64, values: Vec<u64>, outputs: Option<Vec<u64>>) -> Option<Draw> {
    if outputs.as_ref().is_some_and(|outputs| outputs.len() != values.len()) {
        return None;
    }
    let output = match outputs {
        Some(outputs) => Some(value_of(outputs, kind)?),
        None => None,
    };
    Some(Draw { kind, max, value: value_of(values, kind)?, output })
}

fn value_of(numbers: Vec<u64>, kind: DrawKind) -> Option<Value> {
    match kind {
        DrawKind::Arrangement | DrawKind::Wide => Some(Value::Many(Arc::from(numbers))),
        _ => numbers.first().map(|number| Value::One(*number)),
    }
}

fn run_end(outcome: usize, node: NodeId) -> Option<RunEnd> {
    match outcome {
        0 => Some(RunEnd::Complete),
        1 => Some(RunEnd::Halted(node)),
        2 => Some(RunEnd::OverBudget),
        _ => None,
    }
}

fn read_json(bytes: &[u8]) -> Result<Vec<Record>, BadTrace> {
    let mut lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    // What follows the last line end is incomplete.
    lines.pop();
    let parse = |(index, line): (usize, &&[u8])| {
        let value: Option<Json> = serde_json::from_slice(line).ok();
        value.and_then(|value| json_record(&value)).ok_or(BadTrace::Record(index + 1))
    };
    lines.iter().enumerate().filter(|(_, line)| !line.is_empty()).map(parse).collect()
}

fn json_record(line: &Json) -> Option<Record> {
    let text = |name: &str| line.get(name)?.as_str();
    let number = |name: &str| line.get(name).and_then(Json::as_u64);
    match text("do")? {
        "open" => {
            let kind = KINDS.iter().find(|(name, _)| Some(*name) == text("kind"))?.1.clone();
            Some(Record::Open(kind, text("site")?.into()))
        }
        "close" => Some(Record::Close),
        "open-ended" => Some(Record::OpenEnded),
        "draw" => {
            let kind = DRAWS.iter().find(|(name, _)| Some(*name) == text("kind"))?.1;
            let numbers = |list: &Json| list.as_array()?.iter().map(Json::as_u64).collect::<Option<Vec<u64>>>();
            let outputs = match line.get("output") {
                Some(list) => Some(numbers(list)?),
                None => None,
            };
            let draw = draw_of(kind, number("max")?, numbers(line.get("value")?)?, outputs)?;
            Some(Record::Draw(text("site")?.into(), draw))
        }
        "default" => Some(Record::Default),
        "end" => {
            let outcomes = ["complete", "halted", "over-budget"];
            let outcome = outcomes.iter().position(|name| Some(*name) == text("outcome"))?;
            let node = NodeId(u32::try_from(number("node")?).ok()?);
            Some(Record::End(End { outcome: run_end(outcome, node)?, misaligned: number("misaligned")? }))
        }
        _ => None,
    }
}
