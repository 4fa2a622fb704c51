//! The default reducer: what it can do, and what it promises.

use whittle_lists::Algorithm;
use whittle_traces::{GReduce, NoInput, Player, Shrink};

use crate::challenges::CHALLENGES;
use crate::harness::{Make, Reduced, record_draws, record_seed, reduce};

fn shrink(make: Make, draws: &[u64], accepts: impl Fn(&str) -> bool + Send + Sync + 'static) -> Reduced {
    reduce(make, &record_draws(make, draws), 1, accepts, |session, search| Shrink::default().reduce(session, search))
}

/// Calls, loops with drawn and with random ends, selections, recursion; things that draw from what was made before.
pub(crate) fn everything(player: &mut Player<'_>) -> Result<String, NoInput> {
    let mut made = vec!["z".to_owned()];
    let count = player.draw("count", 6)?;
    player.times("things", count, |player, _| {
        let thing = thing(player, 0)?;
        made.push(thing);
        Ok(())
    })?;
    player.repeat("uses", |player| {
        player.mark_open_ended();
        loop {
            let more = player.iteration(|player| {
                let which = player.draw("which", made.len() as u64 - 1)?;
                made[which as usize].push('!');
                Ok(player.draw("more", 2)? > 0)
            })?;
            if !more {
                return Ok(());
            }
        }
    })?;
    Ok(made.join(" "))
}

fn thing(player: &mut Player<'_>, depth: u32) -> Result<String, NoInput> {
    player.call("thing", |player| {
        player.select(
            "if leaf",
            |player| Ok(depth > 3 || player.draw("leaf", 1)? == 1),
            |player| Ok(char::from(b'a' + player.draw("letter", 4)? as u8).to_string()),
            |player| Ok(format!("({}{})", thing(player, depth + 1)?, thing(player, depth + 1)?)),
        )
    })
}

#[test]
fn the_same_result_tests_and_trace_for_any_number_of_workers() {
    for seed in 0..8 {
        println!("seed {seed}");
        let generated = record_seed(everything, seed);
        let wanted = generated.input.iter().rev().find(|byte| byte.is_ascii_lowercase()).copied().unwrap();
        let accepts = move |text: &str| text.matches(char::from(wanted)).count() == 1 && text.contains('!');
        if !accepts(std::str::from_utf8(&generated.input).unwrap()) {
            continue;
        }
        let by = |jobs| {
            let reduced = reduce(everything, &generated, jobs, accepts, |session, search| {
                Shrink::default().reduce(session, search)
            });
            (reduced.best, reduced.last, reduced.tests, reduced.steps)
        };
        let alone = by(1);
        for jobs in 2..=8 {
            assert_eq!(by(jobs), alone, "{jobs} workers");
        }
    }
}

#[test]
fn the_published_settings_do_not_depend_on_the_number_of_workers_either() {
    let generated = record_seed(everything, 3);
    for setting in GReduce::all() {
        let by = |jobs| {
            let reduced = reduce(
                everything,
                &generated,
                jobs,
                |text| text.contains('!'),
                |session, search| setting.reduce(session, search),
            );
            (reduced.best, reduced.last, reduced.tests, reduced.steps)
        };
        assert_eq!(by(1), by(5), "{setting:?}");
    }
}

#[test]
fn what_it_ends_with_is_interesting_comes_from_its_trace_and_stays_as_it_is() {
    for seed in 0..60 {
        println!("seed {seed}");
        let generated = record_seed(everything, seed);
        let letter = ['a', 'b', 'c', 'd'][seed as usize % 4];
        let accepts = move |text: &str| text.contains(letter) || text.contains("!!");
        if !accepts(std::str::from_utf8(&generated.input).unwrap()) {
            continue;
        }
        let reduced = reduce(everything, &generated, 2, accepts, |session, search| {
            Shrink::default().reduce(session, search)?;
            let (best, tests) = (search.best().candidate.clone(), search.tally().tests);
            Shrink::default().reduce(session, search)?;
            assert_eq!(
                (search.best().candidate.clone(), search.tally().tests),
                (best, tests),
                "a second run finds nothing"
            );
            Ok(())
        });
        assert!(accepts(&reduced.best));
        assert_eq!(reduced.best, reduced.last, "the last trace makes the best input");
        assert!(reduced.best.len() <= generated.input.len());
    }
}

#[test]
fn every_list_algorithm_ends_interesting() {
    let generated = record_seed(everything, 5);
    for algorithm in Algorithm::all() {
        let reduced = reduce(
            everything,
            &generated,
            1,
            |text| text.contains('!'),
            |session, search| Shrink { algorithm: algorithm.swept() }.reduce(session, search),
        );
        assert_eq!(reduced.best, "z!", "{algorithm}");
    }
}

#[test]
fn a_recursive_call_becomes_one_that_is_nested_in_it() {
    // ((a(bc))d)
    let draws = [1, 0, 0, 1, 0, 0, 1, 1, 1, 2, 1, 3];
    let made = record_draws(everything, &draws);
    assert_eq!(made.input, b"z! ((a(bc))d)");
    assert_eq!(shrink(everything, &draws, |text| text.contains("(bc)")).best, "z! (bc)");
}

#[test]
fn selections_are_turned_in_both_directions() {
    let draws = [1, 0, 0, 1, 0, 0, 1, 1, 1, 2, 1, 3];
    // Only a leaf is smaller than a pair, and only `true` makes one.
    assert_eq!(shrink(everything, &draws, |text| text.split(' ').count() == 2).best, "z a!");
}

/// Fragments with a use for each: `0:5 1:3 use 1`.
fn indexed(player: &mut Player<'_>) -> Result<String, NoInput> {
    let mut values = Vec::new();
    let count = player.draw("count", 9)?;
    player.times("values", count, |player, _| {
        values.push(player.draw("value", 9)?);
        Ok(())
    })?;
    let used = player.draw("used", count.max(1) - 1)? as usize;
    let used = values.get(used).copied().unwrap_or(0);
    Ok(format!("{values:?} uses {used}"))
}

#[test]
fn an_index_moves_with_what_it_points_to() {
    let draws = [5, 1, 2, 3, 7, 4, 3];
    assert_eq!(record_draws(indexed, &draws).input, b"[1, 2, 3, 7, 4] uses 7");
    let accepts = |text: &str| text.ends_with("uses 7") && text.contains('4');
    assert_eq!(shrink(indexed, &draws, accepts).best, "[7, 4] uses 7");
    // Without moving the index, a removal before the 7 points it elsewhere.
    let setting = GReduce::all()[5];
    let plain =
        reduce(indexed, &record_draws(indexed, &draws), 1, accepts, |session, search| setting.reduce(session, search));
    assert_eq!(plain.best, "[1, 2, 3, 7, 4] uses 7");
}

/// Two loops over the same number of things.
fn twice(player: &mut Player<'_>) -> Result<String, NoInput> {
    let mut text = String::new();
    let count = player.draw("count", 9)?;
    for site in ["first", "second"] {
        player.times(site, count, |player, _| {
            text.push_str(&player.draw("item", 9)?.to_string());
            Ok(())
        })?;
        text.push(';');
    }
    Ok(text)
}

#[test]
fn loops_that_one_draw_decides_lose_the_same_rounds() {
    let draws = [3, 1, 2, 3, 4, 5, 6];
    assert_eq!(record_draws(twice, &draws).input, b"123;456;");
    let reduced = shrink(twice, &draws, |text| text.contains('2') && text.contains('5'));
    assert_eq!(reduced.best, "2;5;");
    assert!(reduced.tests <= 16, "{} tests", reduced.tests);
}

/// Twice as many rounds as were drawn, and as many as a fraction says.
fn scaled(player: &mut Player<'_>) -> Result<String, NoInput> {
    let mut text = String::new();
    let doubled = 2 * player.draw("half", 9)?;
    player.times("doubled", doubled, |player, _| {
        text.push(char::from(b'a' + player.draw("letter", 25)? as u8));
        Ok(())
    })?;
    Ok(text)
}

#[test]
fn a_loop_with_twice_as_many_rounds_as_drawn_keeps_what_it_must() {
    let draws = [4, 0, 1, 2, 3, 4, 5, 6, 7];
    assert_eq!(record_draws(scaled, &draws).input, b"abcdefgh");
    assert_eq!(shrink(scaled, &draws, |text| text.contains('f')).best, "af");
}

/// Rounds that change nothing.
fn idle(player: &mut Player<'_>) -> Result<String, NoInput> {
    let count = player.draw("count", 9)?;
    player.times("rounds", count, |player, _| player.draw("nothing", 9).map(drop))?;
    Ok("x".into())
}

#[test]
fn steps_without_effect_go_without_a_test() {
    let reduced = shrink(idle, &[7, 1, 2, 3, 4, 5, 6, 7], |_| true);
    assert_eq!((reduced.best.as_str(), reduced.steps, reduced.tests), ("x", 2, 1), "only the input is tested");
}

#[test]
fn challenges_end_as_small_as_they_can_be() {
    // Those where a step downwards always exists; the benchmark of the same name has figures for all.
    let sure =
        ["reverse", "calculator", "large union list", "distinct", "nested lists", "length list", "difference zero"];
    for challenge in CHALLENGES.into_iter().filter(|challenge| sure.contains(&challenge.name)) {
        let inputs = (0..200).map(|seed| (seed, record_seed(challenge.make, seed)));
        let failing = inputs.filter(|(_, made)| (challenge.accepts)(std::str::from_utf8(&made.input).unwrap()));
        for (seed, made) in failing.take(5) {
            println!("{} seed {seed}", challenge.name);
            let reduced = reduce(challenge.make, &made, 2, challenge.accepts, |session, search| {
                Shrink::default().reduce(session, search)
            });
            assert_eq!((challenge.size)(&reduced.best), challenge.smallest, "{}", reduced.best);
        }
    }
}

fn largest(player: &mut Player<'_>) -> Result<String, NoInput> {
    Ok(player.draw("number", u64::MAX)?.to_string())
}

#[test]
fn the_largest_number_of_all_is_lowered_too() {
    let reduced = shrink(largest, &[u64::MAX], |text| text.parse().is_ok_and(|number: u64| number > u64::MAX / 4));
    assert_eq!(reduced.best, (u64::MAX / 4 + 1).to_string());
}

/// Makes things in a loop, and draws one of them by a number up to the largest of all.
fn at_the_end(player: &mut Player<'_>) -> Result<String, NoInput> {
    let made = player.draw("count", 5)?;
    player.times("things", made, |player, _| player.draw("thing", 1).map(drop))?;
    let last = u64::MAX - 5 + made;
    Ok(format!("{made} {}", last - player.draw("which", last)?))
}

#[test]
fn an_index_into_the_largest_range_of_all_moves_with_what_it_points_to() {
    let reduced = shrink(at_the_end, &[5, 0, 0, 0, 0, 0, u64::MAX - 1], |text| text.ends_with(" 1"));
    // The thing that it points to stays, and so does the last one.
    assert_eq!(reduced.best, "2 1");
}
