//! Small generators against all that they can make.

use whittle_traces::{NoInput, Player, Shrink};

use crate::harness::{Make, record_draws, record_seed, reduce};

type Accepts = fn(&str) -> bool;

/// A word of up to three letters of three, twice if a coin says so.
fn word(player: &mut Player<'_>) -> Result<String, NoInput> {
    let mut word = String::new();
    let length = player.draw("length", 3)?;
    player.times("letters", length, |player, _| {
        word.push(char::from(b'a' + player.draw("letter", 2)? as u8));
        Ok(())
    })?;
    let mut text = word.clone();
    player.when(
        "if twice",
        |player| Ok(player.draw("twice", 1)? == 1),
        |_| {
            text.push_str(&word);
            Ok(())
        },
    )?;
    Ok(text)
}

/// Everything that a generator can make, with draws of at most four values and at most five of them.
fn all_inputs(make: Make) -> Vec<String> {
    let mut all: Vec<String> = (0..4u64.pow(5))
        .map(|number| {
            let draws: Vec<u64> = (0..5).map(|place| number >> (2 * place) & 3).collect();
            String::from_utf8(record_draws(make, &draws).input).unwrap()
        })
        .collect();
    all.sort_by_key(|text| (text.len(), text.clone()));
    all.dedup();
    all
}

#[test]
fn where_smaller_inputs_of_an_interesting_one_are_interesting_too_the_smallest_is_found() {
    let all = all_inputs(word);
    let properties: [(&str, Accepts); 5] = [
        ("has a c", |text| text.contains('c')),
        ("has two letters", |text| text.len() >= 2),
        ("has two of a kind", |text| ["aa", "bb", "cc"].iter().any(|pair| text.contains(pair))),
        ("has four letters", |text| text.len() >= 4),
        ("anything", |_| true),
    ];
    for (name, accepts) in properties {
        let smallest = all.iter().find(|text| accepts(text)).unwrap();
        for seed in 0..200 {
            let generated = record_seed(word, seed);
            if !accepts(std::str::from_utf8(&generated.input).unwrap()) {
                continue;
            }
            println!("{name}, seed {seed}");
            let reduced =
                reduce(word, &generated, 1, accepts, |session, search| Shrink::default().reduce(session, search));
            assert_eq!(reduced.best, *smallest);
        }
    }
}

#[test]
fn for_any_property_the_result_is_one_that_the_generator_can_make_and_no_draw_lowered_to_zero_is_smaller() {
    let all = all_inputs(word);
    for seed in 0..300 {
        println!("seed {seed}");
        let mut random = fastrand::Rng::with_seed(seed);
        let salt = random.u64(..);
        let accepts = move |text: &str| {
            let hash = text.bytes().fold(salt, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
            (hash >> 20) % 3 == 0
        };
        let generated = record_seed(word, seed);
        if !accepts(std::str::from_utf8(&generated.input).unwrap()) {
            continue;
        }
        let mut draws = Vec::new();
        let reduced = reduce(word, &generated, 1, accepts, |session, search| {
            Shrink::default().reduce(session, search)?;
            draws = session.trace().nodes().filter_map(|(_, node)| node.draw()?.value.number()).collect();
            Ok(())
        });
        assert!(accepts(&reduced.best) && all.contains(&reduced.best));
        for place in 0..draws.len() {
            let mut lower = draws.clone();
            lower[place] = 0;
            let text = String::from_utf8(record_draws(word, &lower).input).unwrap();
            // What was drawn for the length decides what later draws mean, so only those after it are compared.
            assert!(
                place == 0 || text.len() >= reduced.best.len() || !accepts(&text),
                "{text:?} for {:?}",
                reduced.best
            );
        }
    }
}
