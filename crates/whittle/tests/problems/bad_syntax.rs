//! Random problems whose texts hardly parse: halves of comments, strings and brackets, of which random stretches are
//! needed. Deleting a part often makes the parser find more tokens, or more errors.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use whittle::search::Candidate;

use crate::problem::{Expected, Problem, Property, Written};
use crate::syntaxes_of;

/// How many problems there are for each language.
const PROBLEMS_PER_LANGUAGE: u64 = 6;

/// What texts are made of.
const FRAGMENTS: [(&str, &[&str]); 3] = [
    ("c", &["/*", "*/", "//", "\"", "\\\n", "'", "{", "}", "(", ")", ";", "=", "int", "#if", "a", "0x1", "\n", " "]),
    ("json", &["\"", "{", "}", "[", "]", ",", ":", "a", "1", "\\", "true", "\n", " "]),
    ("python", &["\"\"\"", "'", "(", ")", ":", "if", "=", "a", "1", "#", "\n", "\n  ", " "]),
];

/// The same problems at every run.
pub(crate) fn problems() -> Vec<Arc<Problem>> {
    let of_language = |(language, fragments): (&'static str, &'static [&'static str])| {
        let syntaxes = syntaxes_of(language, &Candidate::single("input", Vec::new()));
        (0..PROBLEMS_PER_LANGUAGE).map(move |seed| {
            let written = random(language, fragments, &mut fastrand::Rng::with_seed(seed));
            let input = Candidate::single("input", written.input.clone().into_bytes());
            let name = format!("bad-{language}-{seed}");
            Arc::new(Problem::new(Path::new(&name), written, input, syntaxes.clone()))
        })
    };
    FRAGMENTS.into_iter().flat_map(of_language).collect()
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
    Written {
        language: Some(language.to_owned()),
        property: Property { contains, ..Property::default() },
        expected: BTreeMap::from([("default".to_owned(), Expected::Tokens(usize::MAX))]),
        input,
    }
}
