//! Trace files in both forms.

use whittle_traces::records::{BadTrace, End, RunEnd, decode, encode, encode_json};
use whittle_traces::{Draw, DrawKind, Edits, Kind, NodeId, Trace, TraceBuilder, Value};

use crate::harness::record_seed;
use crate::shrinking::everything;

fn every_kind() -> Trace {
    let mut builder = TraceBuilder::default();
    builder.open(Kind::Call, "f".into());
    builder.open(Kind::Loop { open_ended: false }, "while ü".into());
    builder.mark_open_ended();
    builder.open(Kind::Iteration, "".into());
    builder.open(Kind::Selection, "if".into());
    for (kind, value) in [
        (DrawKind::Integer, Value::One(u64::MAX)),
        (DrawKind::Fraction, Value::One(1 << 52)),
        (DrawKind::Real, Value::One(1.5f64.to_bits())),
    ] {
        builder.draw("d".into(), Draw { kind, max: u64::MAX, value, output: None });
    }
    builder.open(Kind::Branch, "then".into());
    for kind in [DrawKind::Arrangement, DrawKind::Wide] {
        builder.draw("many".into(), Draw { kind, max: 2, value: Value::Many([2, 0, 1].into()), output: None });
    }
    let output = Some(Value::Many([7, u64::MAX, 9].into()));
    let shuffled = Draw { kind: DrawKind::Arrangement, max: 2, value: Value::Many([2, 0, 1].into()), output };
    builder.draw("many".into(), shuffled);
    let output = Some(Value::One(1 << 63));
    builder.draw("d".into(), Draw { kind: DrawKind::Integer, max: 5, value: Value::One(3), output });
    builder
        .draw("none".into(), Draw { kind: DrawKind::Arrangement, max: 0, value: Value::Many([].into()), output: None });
    builder.finish()
}

#[test]
fn both_forms_give_back_what_was_written() {
    let traces = (0..50).map(|seed| record_seed(everything, seed).trace.as_ref().clone());
    for trace in traces.chain([every_kind(), TraceBuilder::default().finish()]) {
        assert_eq!(decode(&encode(&trace, &trace.cheapest_values())).unwrap().trace, trace);
        if !trace.is_empty() {
            assert_eq!(decode(encode_json(&trace).as_bytes()).unwrap().trace, trace);
        }
    }
}

#[test]
fn a_file_without_outputs_is_one_of_the_first_version() {
    let trace = every_kind();
    let without = Edits {
        values: trace.nodes().filter_map(|(id, node)| Some((id, node.draw()?.value.clone()))).collect(),
        ..Edits::default()
    };
    assert!(encode(&trace, &Default::default()).starts_with(b"whittle-trace 2\n"));
    let first = encode(&without.apply(&trace), &Default::default());
    assert!(first.starts_with(b"whittle-trace 1\n"));
    assert_eq!(decode(&first).unwrap().trace, without.apply(&trace), "an edited draw has no output");
}

#[test]
fn a_file_that_was_cut_is_a_trace_as_far_as_it_is_whole() {
    let trace = every_kind();
    let (binary, json) = (encode(&trace, &Default::default()), encode_json(&trace));
    for length in 16..=binary.len() {
        let cut = decode(&binary[..length]).unwrap();
        assert!(cut.end.is_none() && cut.trace.len() <= trace.len());
    }
    for length in 1..=json.len() {
        assert!(decode(&json.as_bytes()[..length]).unwrap().trace.len() <= trace.len());
    }
}

#[test]
fn the_end_tells_where_a_replay_halted_and_how_often_it_made_something_up() {
    let line = br#"{"do":"end","outcome":"halted","misaligned":3,"node":7}
"#;
    let end = End { outcome: RunEnd::Halted(NodeId(7)), misaligned: 3 };
    assert_eq!(decode(line).unwrap().end, Some(end.clone()));
    let mut binary = encode(&TraceBuilder::default().finish(), &Default::default());
    binary.extend([&b"Z\x0d\0\0\0\x01"[..], &3u64.to_le_bytes(), &7u32.to_le_bytes()].concat());
    assert_eq!(decode(&binary).unwrap().end, Some(end));
}

#[test]
fn what_is_no_trace_is_refused() {
    assert_eq!(decode(b"").unwrap_err(), BadTrace::Foreign);
    assert_eq!(decode(b"hello").unwrap_err(), BadTrace::Foreign);
    assert_eq!(decode(b"{\"do\":\"dance\"}\n").unwrap_err(), BadTrace::Record(1));
    for record in [&b"?\0\0\0\0"[..], b"O\x05\0\0\0\x00\x09\0\0\0", b"O\x01\0\0\0\x00", b"D\x05\0\0\0\x00\0\0\0\0"] {
        assert_eq!(decode(&[b"whittle-trace 2\n", record].concat()).unwrap_err(), BadTrace::Record(1));
        assert_eq!(decode(&[b"whittle-trace 1\n", record].concat()).unwrap_err(), BadTrace::Record(1));
    }
    let uneven = br#"{"do":"draw","kind":"integer","site":"d","max":5,"value":[3],"output":[1,2]}
"#;
    assert_eq!(decode(uneven).unwrap_err(), BadTrace::Record(1));
}
