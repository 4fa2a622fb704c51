//! One generator in Rust, C, JavaScript and Python, run through the protocol. All behave like Whittle's own player for
//! any script, and reductions take the same steps to the same result. The tests of JavaScript need Node.
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod client;
mod reference;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use client::{Client, clients};
use reference::Reference;
use whittle_search::{Recorder, Setup};
use whittle_traces::{
    Alignment, Edits, GReduce, Generated, Generator, Kind, Misfit, NoInput, Order, Script, Session, Shrink, Trace,
    Value,
};

/// The output of the reference for a seed, large enough to reduce.
fn large(seed: u64) -> Generated {
    let mut random = fastrand::Rng::with_seed(seed);
    loop {
        let made = reference::recorded(&mut |max| random.u64(0..=max));
        if made.trace.len() > 60 {
            return made;
        }
    }
}

/// A trace with some nodes removed, some calls replaced by nested ones, and some draws changed, perhaps to impossible
/// values.
fn edited(trace: &Trace, random: &mut fastrand::Rng) -> Trace {
    let (mut removed, mut values, mut bodies) = (BTreeSet::new(), BTreeMap::new(), BTreeMap::new());
    for (id, node) in trace.nodes() {
        if random.u8(0..30) == 0 {
            removed.insert(id);
        } else if node.draw().is_some() && random.u8(0..15) == 0 {
            values.insert(id, Value::One(random.u64(0..100)));
        } else if node.kind == Kind::Call && random.u8(0..6) == 0 {
            // Within another tree there are other letters to choose from.
            let nested = trace.within(id).filter(|(_, node)| node.kind == Kind::Call).map(|(id, _)| id).last();
            bodies.extend(nested.map(|nested| (id, nested)));
        }
    }
    Edits { removed, values, bodies }.apply(trace)
}

type Summary<'a> = Result<(&'a [u8], &'a Trace, u64), &'a NoInput>;

fn summary(outcome: &Result<Generated, NoInput>) -> Summary<'_> {
    outcome.as_ref().map(|made| (&made.input[..], &*made.trace, made.misaligned))
}

#[test]
fn every_language_follows_a_script_as_whittle_does() {
    assert_follow_scripts(&clients());
}

fn assert_follow_scripts(clients: &[Client]) {
    let (mut halted, mut misaligned, mut over) = (0, 0, 0);
    for seed in 0..12 {
        let mut random = fastrand::Rng::with_seed(seed);
        let made = large(seed);
        let trace = Arc::new(if seed == 0 { (*made.trace).clone() } else { edited(&made.trace, &mut random) });
        let defaults = Arc::new(HashMap::from([("letter".into(), Value::One(4)), ("number".into(), Value::One(7))]));
        let budget = if seed % 4 == 3 { 20 } else { reference::BUDGET };
        for misfit in [Misfit::Halt, Misfit::Realign] {
            let script = Script { trace: Arc::clone(&trace), misfit, defaults: Arc::clone(&defaults) };
            let expected = reference::follow(&script, budget);
            match &expected {
                Ok(made) => misaligned += made.misaligned,
                Err(NoInput::Halted(_)) => halted += 1,
                Err(_) => over += 1,
            }
            for client in clients {
                let outcome = client.follow(&script, budget);
                assert_eq!(summary(&outcome), summary(&expected), "{}, seed {seed}, {misfit:?}", client.language);
            }
        }
    }
    assert!(halted > 3 && misaligned > 10 && over > 1, "{halted} halted, {misaligned} misaligned, {over} over budget");
}

/// Two nested trees, the outer one with a letter after c, so that rounds, calls, letters and numbers are all reduced.
fn is_nested(text: &str) -> bool {
    text.as_bytes()[0] > b'c' && text.as_bytes().windows(3).any(|three| three[0] == b'(' && three[2] == b'(')
}

/// The tests of a reduction with one setting, in order, and the result.
fn reduction(generator: Arc<dyn Generator>, made: &Generated, by: Option<(Order, Alignment)>) -> (Vec<String>, String) {
    let property = Arc::new(Recorder::new(is_nested));
    let mut session = Session::new(generator, "tree", made);
    let mut search = Setup::default().start(property.clone(), session.input().clone()).unwrap();
    match by {
        None => Shrink::default().reduce(&mut session, &mut search).unwrap(),
        Some((order, alignment)) => {
            let algorithm = Shrink::default().algorithm;
            GReduce { order, alignment, algorithm }.reduce(&mut session, &mut search).unwrap();
        }
    }
    let best = String::from_utf8(search.best().candidate.files()[0].bytes().to_vec()).unwrap();
    (property.asked(), best)
}

#[test]
fn every_language_is_reduced_by_the_same_steps_to_the_same_tree() {
    assert_reduced_alike(clients());
}

fn assert_reduced_alike(clients: Vec<Client>) {
    let made = (0..).map(large).find(|made| made.input[0] > b'c').unwrap();
    let settings = [None, Some((Order::Tree, Alignment::Bypass)), Some((Order::Sequence, Alignment::Realign))];
    let clients: Vec<Arc<Client>> = clients.into_iter().map(Arc::new).collect();
    for by in settings {
        let expected = reduction(Arc::new(Reference), &made, by);
        if by.is_none() {
            assert_eq!(expected.1, "d(a())\n");
        }
        for client in &clients {
            let outcome = reduction(Arc::clone(client) as Arc<dyn Generator>, &made, by);
            assert_eq!(outcome, expected, "{}, {by:?}", client.language);
        }
    }
}

#[test]
fn a_seed_makes_the_same_in_all_languages_but_python_which_has_numbers_of_its_own() {
    let all = clients().into_iter();
    assert_same_from_seeds(&all.filter(|client| client.language != "Python").collect::<Vec<_>>());
}

fn assert_same_from_seeds(clients: &[Client]) {
    let made = |seed| clients.iter().map(|client| client.alone(seed)).collect::<Vec<_>>();
    let trees: Vec<Vec<String>> = [1, 2, 3, u64::MAX].into_iter().map(made).collect();
    assert!(trees.iter().all(|same| same.iter().all(|tree| *tree == same[0])), "{trees:?}");
    assert!(trees.iter().any(|same| same[0].len() > 20), "{trees:?}");
}

mod needs_node {
    use super::{assert_follow_scripts, assert_reduced_alike, assert_same_from_seeds};
    use crate::client::{clients, exceptions, javascript, places, run_javascript};
    use whittle_traces::records::decode;

    #[test]
    #[ignore = "needs Node"]
    fn javascript_follows_a_script_as_whittle_does() {
        assert_follow_scripts(&[javascript()]);
    }

    #[test]
    #[ignore = "needs Node"]
    fn javascript_is_reduced_by_the_same_steps_to_the_same_tree() {
        assert_reduced_alike(vec![javascript()]);
    }

    #[test]
    #[ignore = "needs Node"]
    fn a_seed_makes_the_same_in_javascript_as_in_rust() {
        let rust = clients().swap_remove(0);
        assert_same_from_seeds(&[rust, javascript()]);
    }

    #[test]
    #[ignore = "needs Node"]
    fn javascript_records_the_same_with_a_limit_of_draws_as_without_one() {
        let program = exceptions();
        let mut longest = 0;
        for seed in ["1", "2"] {
            let [words, steps] = [&[][..], &[("WHITTLE_TRACE_BUDGET", "100000000")]]
                .map(|limit| run_javascript(&[], &program, &[seed], limit).1);
            longest = longest.max(words.len());
            let [words, steps] = [words, steps].map(|record| decode(&record).unwrap());
            assert!(words.trace == steps.trace, "seed {seed}");
            assert_eq!(words.end, steps.end, "seed {seed}");
        }
        assert!(longest > 1 << 22, "no trace is longer than the buffer: {longest}");
    }

    #[test]
    #[ignore = "needs Node"]
    fn places_that_javascript_is_told_at_the_start_are_those_of_stack_traces() {
        let [client, program] = places();
        let preload = ["-r", client.to_str().unwrap()];
        for seed in ["1", "2", "3"] {
            let traced = run_javascript(&[], &program, &[seed], &[]);
            assert_eq!(run_javascript(&preload, &program, &[seed, "untraced"], &[]), traced, "seed {seed}");
        }
    }

    #[test]
    #[ignore = "needs Node"]
    fn javascript_that_may_be_a_division_or_a_regular_expression_is_left_alone() {
        let [client, program] = places();
        let code = std::fs::read_to_string(&program).unwrap();
        let unclear = r#"if (texts) /".int(a)/.test("a"); const { b = 1 } = {} /1/ 1;"#;
        let code = code.replace("../../../../javascript/whittle-choices.js", client.to_str().unwrap());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("unclear.js");
        std::fs::write(&path, format!("{code}\n{unclear}\n")).unwrap();
        let [traced, told] =
            [&[][..], &["-r", client.to_str().unwrap()]].map(|options| run_javascript(options, &path, &["1"], &[]));
        assert_eq!(told, traced);
    }
}
