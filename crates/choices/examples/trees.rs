//! A small generator of trees of letters and numbers. The same program exists in Python, C and JavaScript, and Whittle
//! reduces all of them alike (`tests/conformance`).
//!
//! `whittle generator test.sh -- target/debug/examples/trees 7`

use std::io::Write;

use whittle_choices::Source;

fn tree(source: &mut Source, depth: usize) -> String {
    source.scope("tree", |source| {
        let letters: Vec<char> = ('a'..='f').enumerate().filter(|(place, _)| *place != depth).map(|(_, c)| c).collect();
        let mut text = format!("{}(", source.choose(&letters));
        text.extend(source.repeat(0..=3 - depth, |source| tree(source, depth + 1)));
        text.extend(source.optional(|source| source.int(10..=99).to_string()));
        text + ")"
    })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let seed = std::env::args().nth(1).unwrap_or_default().parse()?;
    let mut source = Source::from_env(seed)?;
    Ok(writeln!(std::io::stdout(), "{}", tree(&mut source, 0))?)
}
