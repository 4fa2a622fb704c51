//! One reducer next to the best peer, subject by subject: what it loses comes first.
//!
//! Results are compared by tokens, then by non-blank bytes. The best peer is the one with the smallest result.

use std::cmp::Ordering;

use crate::comparison::{Comparison, Measure, ordered};
use crate::table::{mark, markdown};

/// How near to the best peer's result, in tokens, counts as near.
const NEAR: f64 = 1.1;

/// How a subject went for the reducer. In the order of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Duel {
    Lost,
    Drawn,
    Won,
    /// No peer has a result.
    Alone,
}

impl Duel {
    fn name(self) -> &'static str {
        match self {
            Self::Lost => "lost",
            Self::Drawn => "equal",
            Self::Won => "won",
            Self::Alone => "",
        }
    }
}

/// A row per subject that the reducer has reduced.
pub(crate) fn table(comparison: &Comparison, reducer: &str) -> String {
    let mut rows: Vec<(Duel, Vec<String>)> =
        comparison.subjects.iter().filter_map(|(subject, tokens)| row(comparison, reducer, subject, *tokens)).collect();
    rows.sort_by_key(|(duel, _)| *duel);
    let size = "tokens / bytes / runs / CPU s / s";
    let head =
        ["subject", "input tokens", &format!("`{reducer}`: {size}"), &format!("best peer: {size}"), "", "runs to 1.1"];
    let rows = rows.into_iter().map(|(_, row)| row);
    markdown(&[head.map(String::from).to_vec()].into_iter().chain(rows).collect::<Vec<_>>())
}

fn row(comparison: &Comparison, reducer: &str, subject: &str, tokens: u64) -> Option<(Duel, Vec<String>)> {
    let mine = comparison.size(subject, reducer)?;
    let peer = comparison.best_peer(subject);
    let theirs = peer.and_then(|peer| comparison.size(subject, peer));
    let duel = match theirs.map(|theirs| ordered(&[mine.0, mine.1], &[theirs.0, theirs.1])) {
        None => Duel::Alone,
        Some(Ordering::Less) => Duel::Won,
        Some(Ordering::Equal) => Duel::Drawn,
        Some(Ordering::Greater) => Duel::Lost,
    };
    let near = comparison.runs_to_come_near(subject, reducer, NEAR);
    let cells = vec![
        subject.to_owned(),
        tokens.to_string(),
        figures(comparison, subject, reducer),
        peer.map_or(String::new(), |peer| format!("`{peer}` {}", figures(comparison, subject, peer))),
        duel.name().to_owned(),
        near.map_or(String::new(), |runs| format!("{runs:.0}")),
    ];
    Some((duel, cells))
}

fn figures(comparison: &Comparison, subject: &str, reducer: &str) -> String {
    let measures = [Measure::Tokens, Measure::NonBlank, Measure::Runs, Measure::Cpu, Measure::Seconds];
    let value = |measure| comparison.value(subject, reducer, measure);
    let shown = measures.map(|measure| value(measure).map_or(String::new(), |value| format!("{value:.0}")));
    shown.join(" / ") + mark(comparison.end(subject, reducer))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::tests::outcome;

    #[test]
    fn losses_come_first_and_bytes_decide_between_equal_tokens() {
        let mut short = outcome("bytes", "cvise", 10, 90);
        short.result.non_blank = 29;
        let comparison = Comparison::new(vec![
            outcome("alone", "whittle", 10, 100),
            outcome("bytes", "whittle", 10, 100),
            short,
            outcome("won", "whittle", 10, 100),
            outcome("won", "cvise", 11, 20),
        ]);
        let expected = "\
| subject | input tokens | `whittle`: tokens / bytes / runs / CPU s / s | best peer: tokens / bytes / runs / CPU s / s |      | runs to 1.1 |
|---------|-------------:|---------------------------------------------:|---------------------------------------------:|-----:|------------:|
| bytes   |         1000 |                       10 / 30 / 100 / 8 / 10 |                `cvise` 10 / 29 / 90 / 8 / 10 | lost |          50 |
| won     |         1000 |                       10 / 30 / 100 / 8 / 10 |                `cvise` 11 / 33 / 20 / 8 / 10 |  won |          50 |
| alone   |         1000 |                       10 / 30 / 100 / 8 / 10 |                                              |      |             |
";
        assert_eq!(table(&comparison, "whittle"), expected);
    }
}
