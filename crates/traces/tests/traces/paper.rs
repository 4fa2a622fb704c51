//! The worked examples of GReduce's paper: the password (sections 2 to 4.1), the tree of parts (4.3), the two cases of
//! infeasible alignment and figure 3 (4.4), and what goes wrong without monotonicity and locality (7).

use whittle_traces::{Alignment, Facts, GReduce, NoInput, Order, Parts, Player, Runs, Shrink};

use crate::harness::{Make, Reduced, record_draws, record_seed, reduce, replaying};

/// Listing 1.
pub(crate) fn password(player: &mut Player<'_>) -> Result<String, NoInput> {
    let mut word = String::new();
    let length = player.draw("length", 19)?;
    player.times("letters", length, |player, _| {
        word.push(char::from(b'a' + player.draw("letter", 25)? as u8));
        Ok(())
    })?;
    Ok(format!("{word}\n{word}\n"))
}

/// The bug of section 2: two equal passwords with a "c".
pub(crate) fn accepts_password(text: &str) -> bool {
    let (first, second) = text.split_at(text.len() / 2);
    first == second && text.ends_with('\n') && text.contains('c')
}

fn settings(order: Order) -> impl Iterator<Item = GReduce> {
    GReduce::all().into_iter().filter(move |setting| setting.order == order)
}

fn by(setting: GReduce, make: Make, draws: &[u64], accepts: fn(&str) -> bool) -> Reduced {
    reduce(make, &record_draws(make, draws), 1, accepts, |session, search| setting.reduce(session, search))
}

fn by_default(make: Make, draws: &[u64], accepts: fn(&str) -> bool) -> Reduced {
    reduce(make, &record_draws(make, draws), 1, accepts, |session, search| Shrink::default().reduce(session, search))
}

#[test]
fn the_password_ends_as_one_c_twice_in_all_settings_and_by_default() {
    let abc = [3, 0, 1, 2];
    assert_eq!(record_draws(password, &abc).input, b"abc\nabc\n");
    for setting in GReduce::all() {
        assert_eq!(by(setting, password, &abc, accepts_password).best, "c\nc\n", "{setting:?}");
    }
    assert_eq!(by_default(password, &abc, accepts_password).best, "c\nc\n");
}

#[test]
fn every_password_with_a_c_ends_as_one_c_twice() {
    let mut reduced = 0;
    for seed in 1..=200 {
        let generated = record_seed(password, seed);
        if generated.input.contains(&b'c') {
            println!("seed {seed}");
            let result = reduce(password, &generated, 2, accepts_password, |session, search| {
                Shrink::default().reduce(session, search)
            });
            assert_eq!(result.best, "c\nc\n");
            reduced += 1;
        }
    }
    assert!(reduced > 50, "{reduced} of 200 seeds make a password with a c");
}

/// Section 4.3: a loop A, in it a selection B and then a loop C.
fn nested(player: &mut Player<'_>) -> Result<String, NoInput> {
    let mut text = String::new();
    let rounds = player.draw("A", 9)?;
    player.times("for A", rounds, |player, _| {
        player.when(
            "if B",
            |player| Ok(player.draw("B", 1)? == 1),
            |_| {
                text.push('b');
                Ok(())
            },
        )?;
        let inner = player.draw("C", 9)?;
        player.times("for C", inner, |_, _| {
            text.push('c');
            Ok(())
        })?;
        text.push(';');
        Ok(())
    })?;
    Ok(text)
}

#[test]
fn parts_form_the_tree_of_section_4_3() {
    // Two rounds of A: with B and two rounds of C; without B and one round of C.
    let generated = record_draws(nested, &[2, 1, 2, 0, 1]);
    assert_eq!(generated.input, b"bcc;c;");
    let runs = Runs::new(replaying(nested), &generated.trace);
    let mut facts = Facts::default();
    facts.learn(&generated.trace, &runs);
    let parts = Parts::of(&generated.trace, &facts);
    let shape: Vec<(&str, usize, Option<usize>)> = parts
        .list()
        .iter()
        .map(|part| {
            let node = generated.trace.node(part.nodes[0]);
            (&*generated.trace.node(node.parent).site, part.level, part.around)
        })
        .collect();
    let expected = [
        ("for A", 0, None),
        ("if B", 1, Some(0)),
        ("for C", 1, Some(0)),
        ("for C", 1, Some(0)),
        ("for A", 0, None),
        ("for C", 1, Some(4)),
    ];
    assert_eq!(shape, expected);
    let texts = |removed: &[usize]| {
        let outcome = runs.aligned(parts.without(&generated.trace, removed.iter().copied()), Alignment::Halt, &facts);
        outcome.as_ref().clone().map(|made| String::from_utf8(made.input).unwrap())
    };
    assert_eq!(texts(&[0]).unwrap(), "c;");
    assert_eq!(texts(&[1]).unwrap(), "cc;c;");
    assert_eq!(texts(&[2, 5]).unwrap(), "bc;;");
    assert_eq!(texts(&[0, 4]).unwrap(), "");
}

/// Case 1 of section 4.4.1: what a draw decided decides later which function is called.
fn case_1(player: &mut Player<'_>) -> Result<String, NoInput> {
    let mut x = 0;
    player.when(
        "if random",
        |player| Ok(player.draw("coin", 1)? == 1),
        |_| {
            x = 1;
            Ok(())
        },
    )?;
    let called = player.select(
        "if x == 0",
        |_| Ok(x == 0),
        |player| player.call("f", |_| Ok("f")),
        |player| player.call("g", |player| Ok(["g", "G"][player.draw("in g", 1)? as usize])),
    )?;
    let after = player.draw("after", 9)?;
    Ok(format!("{called}{after}"))
}

#[test]
fn case_1_halts_under_halt_and_bypass_and_goes_on_under_realign() {
    let draws = [1, 1, 7];
    assert_eq!(record_draws(case_1, &draws).input, b"G7");
    for setting in settings(Order::Tree).chain(settings(Order::Sequence)) {
        let result = by(setting, case_1, &draws, |text| text.ends_with('7'));
        // No part encloses the second selection: nothing random decides it.
        let expected = if setting.alignment == Alignment::Realign { "f7" } else { "G7" };
        assert_eq!(result.best, expected, "{setting:?}");
    }
}

/// Case 2 of section 4.4.1, and figure 3.
fn case_2(player: &mut Player<'_>) -> Result<String, NoInput> {
    let (mut count, mut text) = (1, "x=[0]".to_owned());
    player.when(
        "first if",
        |player| Ok(player.draw("first", 1)? == 1),
        |_| {
            count = 2;
            "x=[0, 1]".clone_into(&mut text);
            Ok(())
        },
    )?;
    player.when(
        "second if",
        |player| Ok(player.draw("second", 1)? == 1),
        |player| {
            let y = player.draw("y", count - 1)?;
            text.push_str(&format!(" y={y}"));
            Ok(())
        },
    )?;
    Ok(text)
}

#[test]
fn figure_3_halts_bypasses_the_second_block_or_draws_what_is_possible() {
    let generated = record_draws(case_2, &[1, 1, 1]);
    assert_eq!(generated.input, b"x=[0, 1] y=1");
    let runs = Runs::new(replaying(case_2), &generated.trace);
    let mut facts = Facts::default();
    facts.learn(&generated.trace, &runs);
    let parts = Parts::of(&generated.trace, &facts);
    assert_eq!(parts.list().len(), 2);
    let without_first = parts.without(&generated.trace, [0]);
    let text = |alignment| {
        let outcome = runs.aligned(without_first.clone(), alignment, &facts);
        outcome.as_ref().clone().map(|made| String::from_utf8(made.input).unwrap())
    };
    let before = runs.tally();
    assert!(matches!(text(Alignment::Halt), Err(NoInput::Halted(_))));
    assert_eq!(text(Alignment::Bypass).unwrap(), "x=[0]");
    assert_eq!(text(Alignment::Realign).unwrap(), "x=[0] y=0");
    assert_eq!((before.bypasses, runs.tally().bypasses), (0, 1), "the run after a bypass is counted apart");
}

#[test]
fn if_y_was_0_in_case_2_there_is_nothing_to_align() {
    let draws = [1, 1, 0];
    for setting in settings(Order::Tree) {
        let result = by(setting, case_2, &draws, |text| text.contains("y=0"));
        assert_eq!(result.best, "x=[0] y=0", "{setting:?}");
    }
}

/// Section 7, monotonicity: the block that is conditional removes something.
fn popping(player: &mut Player<'_>) -> Result<String, NoInput> {
    let mut list = vec![1, 2];
    player.when(
        "if",
        |player| Ok(player.draw("coin", 1)? == 1),
        |_| {
            list.pop();
            Ok(())
        },
    )?;
    Ok(format!("{list:?}"))
}

#[test]
fn a_generator_that_is_not_monotone_misleads_the_paper_but_does_no_harm_by_default() {
    for setting in GReduce::all() {
        let result = by(setting, popping, &[1], |text| text.contains('1'));
        assert_eq!(result.last, "[1, 2]", "Algorithm 2 accepts it: {setting:?}");
        assert_eq!(result.best, "[1]", "the search keeps what is smaller: {setting:?}");
    }
    let result = by_default(popping, &[1], |text| text.contains('1'));
    assert_eq!((result.best.as_str(), result.last.as_str()), ("[1]", "[1]"));
}

/// Section 7, locality: the input is a hash of what was generated.
fn hashed(player: &mut Player<'_>) -> Result<String, NoInput> {
    let length = player.draw("length", 9)?;
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    player.times("letters", length, |_, _| {
        hash = (hash ^ u64::from(b'a')).wrapping_mul(0x0100_0000_01b3);
        Ok(())
    })?;
    Ok(format!("{hash:016x}"))
}

#[test]
fn without_locality_the_trace_still_becomes_shorter() {
    let start = record_draws(hashed, &[9]);
    // Any hash that is not the one of the empty word: the shortest trace has one round.
    let empty = String::from_utf8(record_draws(hashed, &[0]).input).unwrap();
    let accepts = move |text: &str| text != empty;
    let result = reduce(hashed, &start, 1, accepts, |session, search| Shrink::default().reduce(session, search));
    let one = record_draws(hashed, &[1]);
    assert_eq!(result.best.as_bytes(), one.input);
    assert_eq!(result.steps, one.trace.len());
}
