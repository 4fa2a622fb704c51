//! Random problems whose texts hardly parse: halves of comments, strings and brackets, of which random stretches are
//! needed. Deleting a part often makes the parser find more tokens, or more errors. Half of the problems are not
//! monotone: of the texts with those stretches, some are not interesting, by chance.
//!
//! `BAD_SYNTAX=100..200` takes these seeds in place of the usual ones.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use whittle::search::Candidate;

use crate::problem::{Chance, Expected, Problem, Property, Written};
use crate::syntaxes_of;

/// The seeds of the problems in each language.
const SEEDS: Range<u64> = 0..6;
/// In a problem that is not monotone, one in this many texts is not interesting by chance.
const MISSES: u64 = 4;

/// What texts are made of.
const FRAGMENTS: [(&str, &[&str]); 7] = [
    ("c", &["/*", "*/", "//", "\"", "\\\n", "'", "{", "}", "(", ")", ";", "=", "int", "#if", "a", "0x1", "\n", " "]),
    ("json", &["\"", "{", "}", "[", "]", ",", ":", "a", "1", "\\", "true", "\n", " "]),
    ("javascript", &["`", "${", "}", "/", "/*", "*/", "'", "(", ")", "=>", "{", ";", "let", "if", "a", "1", "\n", " "]),
    ("rust", &["r#\"", "\"#", "\"", "'", "/*", "*/", "{", "}", "<", ">", "fn", "!", ";", "a", "1", "\n", " "]),
    (
        "xml",
        &["<", ">", "</", "/>", "<a", "</a>", "<!--", "-->", "<![CDATA[", "]]>", "\"", "=", "&", ";", "a", "\n", " "],
    ),
    ("yaml", &["- ", ": ", "|", "\n", "\n  ", "\n    ", "'", "\"", "#", "{", "}", "[", "]", "&a", "*a", "a", " "]),
    ("python", &["\"\"\"", "'", "(", ")", ":", "if", "=", "a", "1", "#", "\n", "\n  ", " "]),
];

/// The same problems at every run.
pub(crate) fn problems() -> Vec<Arc<Problem>> {
    let of_language = |(language, fragments): (&'static str, &'static [&'static str])| {
        let syntaxes = syntaxes_of(language, &Candidate::single("input", Vec::new()));
        seeds().map(move |seed| {
            let written = random(language, fragments, &mut fastrand::Rng::with_seed(seed));
            let input = Candidate::single("input", written.input.clone().into_bytes());
            let name = format!("bad-{language}-{seed}");
            Arc::new(Problem::new(Path::new(&name), written, input, syntaxes.clone()))
        })
    };
    FRAGMENTS.into_iter().flat_map(of_language).collect()
}

fn seeds() -> Range<u64> {
    let Ok(asked) = std::env::var("BAD_SYNTAX") else { return SEEDS };
    let ends = asked.split_once("..").and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?));
    ends.unwrap_or_else(|| panic!("BAD_SYNTAX={asked}: not like 100..200"))
}

/// A text of a few fragments, two of which are needed, each with some text after it.
fn random(language: &str, fragments: &[&str], random: &mut fastrand::Rng) -> Written {
    let input: String = (0..random.usize(8..20)).map(|_| fragments[random.usize(..fragments.len())]).collect();
    let middle = input.len() / 2;
    let mut stretch = |within: std::ops::Range<usize>| {
        let start = random.usize(within.clone());
        input[start..within.end.min(start + random.usize(1..6))].to_owned()
    };
    let contains = vec![stretch(0..middle), stretch(middle..input.len())];
    let chance = random.bool().then(|| Chance { salt: random.u64(..), one_in: MISSES });
    Written {
        language: Some(language.to_owned()),
        property: Property { contains, chance, ..Property::default() },
        expected: BTreeMap::from([("default".to_owned(), Expected::Tokens(usize::MAX))]),
        input,
    }
}
