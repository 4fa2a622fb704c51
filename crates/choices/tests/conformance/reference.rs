//! The generator as Whittle's own player runs it, which all languages are compared with.

use whittle_traces::{Generated, Generator, NoInput, Player, Script};

/// The limit of draws in a run.
pub(crate) const BUDGET: u64 = 1000;

/// The fingerprint of the first letter; others follow. Those of other languages are different.
const FINGERPRINT_OF_A: u64 = 1 << 40;

fn tree(player: &mut Player<'_>, depth: u64) -> Result<String, NoInput> {
    player.call("tree", |player| {
        let letters: Vec<u8> = (0..6).filter(|letter| u64::from(*letter) != depth).collect();
        let fingerprints: Vec<u64> = letters.iter().map(|letter| FINGERPRINT_OF_A + u64::from(*letter)).collect();
        let letter = char::from(b'a' + letters[player.choose("letter", &fingerprints)?]);
        let mut text = format!("{letter}(");
        let count = player.number("count", 0, 3 - depth)?;
        player.times("children", count, |player, _| {
            text += &tree(player, depth + 1)?;
            Ok(())
        })?;
        let mut number = None;
        player.when(
            "optional",
            |player| Ok(player.draw("whether", 1)? == 1),
            |player| {
                number = Some(player.number("number", 10, 89)?);
                Ok(())
            },
        )?;
        text.extend(number.map(|number| number.to_string()));
        Ok(text + ")")
    })
}

fn made(mut player: Player<'_>) -> Result<Generated, NoInput> {
    let text = tree(&mut player, 0)? + "\n";
    player.finish(text.into_bytes())
}

/// The output of a run with these draws.
pub(crate) fn recorded(draws: &mut (dyn FnMut(u64) -> u64 + Send)) -> Generated {
    made(Player::recording(draws)).expect("a run without a script makes an input")
}

/// Draws that reach every site.
pub(crate) fn everything() -> impl FnMut(u64) -> u64 {
    let mut draws = [0, 0, 1, 0].into_iter();
    move |_| draws.next().unwrap_or(0)
}

/// Draws that make a tree within a tree.
pub(crate) fn nested() -> impl FnMut(u64) -> u64 {
    let mut draws = [0, 1].into_iter();
    move |_| draws.next().unwrap_or(0)
}

/// The reference as a generator.
pub(crate) struct Reference;

impl Generator for Reference {
    fn run(&self, script: &Script) -> Result<Generated, NoInput> {
        follow(script, BUDGET)
    }
}

/// Replays a script with a limit of draws.
pub(crate) fn follow(script: &Script, budget: u64) -> Result<Generated, NoInput> {
    made(Player::following(script, budget))
}
