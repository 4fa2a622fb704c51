//! How a replay follows a trace that was edited.

use std::collections::HashMap;
use std::sync::Arc;

use whittle_traces::{Edits, Generated, Kind, Misfit, NoInput, NodeId, Player, Script, Trace, Value};

use crate::harness::{Make, record_draws, record_seed, replaying};

/// Two lists whose lengths are drawn, then a last draw: `[3, 1] [2] 9`.
fn two_lists(player: &mut Player<'_>) -> Result<String, NoInput> {
    let mut text = String::new();
    for _ in 0..2 {
        let list = player.call("list", |player| {
            let mut list = Vec::new();
            let length = player.draw("length", 3)?;
            player.times("items", length, |player, _| {
                list.push(player.draw("item", 9)?);
                Ok(())
            })?;
            Ok(format!("{list:?} "))
        })?;
        text.push_str(&list);
    }
    Ok(format!("{text}{}", player.draw("last", 9)?))
}

fn follow(make: Make, trace: Trace, misfit: Misfit) -> Result<Generated, NoInput> {
    replaying(make).run(&Script { trace: Arc::new(trace), misfit, defaults: Arc::default() })
}

fn draw_named(trace: &Trace, site: &str, place: usize) -> NodeId {
    trace.nodes().filter(|(_, node)| &*node.site == site).nth(place).unwrap().0
}

fn text(generated: &Generated) -> &str {
    std::str::from_utf8(&generated.input).unwrap()
}

#[test]
fn a_replay_without_edits_does_the_same_again() {
    for seed in 0..100 {
        println!("seed {seed}");
        let first = record_seed(two_lists, seed);
        let again = follow(two_lists, first.trace.as_ref().clone(), Misfit::Halt).unwrap();
        assert_eq!(again, first);
    }
}

#[test]
fn after_a_removal_what_follows_falls_into_place() {
    let first = record_draws(two_lists, &[2, 3, 1, 1, 2, 9]);
    assert_eq!(text(&first), "[3, 1] [2] 9");
    let round = first.trace.nodes().find(|(_, node)| node.kind == Kind::Iteration).unwrap().0;
    let mut edits = Edits::value(draw_named(&first.trace, "length", 0), Value::One(1));
    edits.removed.insert(round);
    let made = follow(two_lists, edits.apply(&first.trace), Misfit::Halt).unwrap();
    assert_eq!((text(&made), made.misaligned), ("[1] [2] 9", 0));
}

#[test]
fn what_is_out_of_step_is_in_step_again_when_its_scope_ends() {
    let first = record_draws(two_lists, &[2, 3, 1, 1, 2, 9]);
    let longer = Edits::value(draw_named(&first.trace, "length", 0), Value::One(3)).apply(&first.trace);
    let made = follow(two_lists, longer.clone(), Misfit::Realign).unwrap();
    assert_eq!((text(&made), made.misaligned), ("[3, 1, 0] [2] 9", 1));
    let loop_of_first = first.trace.nodes().find(|(_, node)| matches!(node.kind, Kind::Loop { .. })).unwrap().0;
    assert_eq!(follow(two_lists, longer, Misfit::Halt), Err(NoInput::Halted(loop_of_first)));
}

#[test]
fn steps_that_do_not_come_halt_a_strict_replay() {
    let first = record_draws(two_lists, &[2, 3, 1, 1, 2, 9]);
    let shorter = Edits::value(draw_named(&first.trace, "length", 0), Value::One(1)).apply(&first.trace);
    let second_round = first.trace.nodes().filter(|(_, node)| node.kind == Kind::Iteration).nth(1).unwrap().0;
    assert_eq!(follow(two_lists, shorter.clone(), Misfit::Halt), Err(NoInput::Halted(second_round)));
    assert_eq!(text(&follow(two_lists, shorter, Misfit::Realign).unwrap()), "[3] [2] 9");
}

#[test]
fn a_value_that_is_impossible_becomes_the_nearest_and_a_missing_one_the_default() {
    let first = record_draws(two_lists, &[1, 5, 1, 6, 9]);
    let mut edits = Edits::value(draw_named(&first.trace, "item", 0), Value::One(99));
    edits.removed.insert(draw_named(&first.trace, "last", 0));
    let script = Script {
        trace: Arc::new(edits.apply(&first.trace)),
        misfit: Misfit::Realign,
        defaults: Arc::new(HashMap::from([("last".into(), Value::One(4))])),
    };
    let made = replaying(two_lists).run(&script).unwrap();
    assert_eq!((text(&made), made.misaligned), ("[9] [6] 4", 2));
}

#[test]
fn a_call_can_get_what_another_did() {
    let first = record_draws(two_lists, &[2, 3, 1, 1, 2, 9]);
    let calls: Vec<NodeId> =
        first.trace.nodes().filter(|(_, node)| node.kind == Kind::Call).map(|(id, _)| id).collect();
    let made = follow(two_lists, Edits::body(calls[0], calls[1]).apply(&first.trace), Misfit::Halt).unwrap();
    assert_eq!(text(&made), "[2] [2] 9");
}

/// Draws for ever unless the first draw is zero.
fn endless(player: &mut Player<'_>) -> Result<String, NoInput> {
    while player.draw("go on", 1)? == 1 {}
    Ok(String::new())
}

#[test]
fn a_generator_that_draws_for_ever_ends_with_its_budget() {
    let first = record_draws(endless, &[1, 0]);
    let script = Script {
        trace: Arc::new(Edits { removed: [NodeId(1), NodeId(2)].into(), ..Edits::default() }.apply(&first.trace)),
        misfit: Misfit::Realign,
        defaults: Arc::new(HashMap::from([("go on".into(), Value::One(1))])),
    };
    assert_eq!(replaying(endless).run(&script), Err(NoInput::OverBudget));
}
