//! `table`: results as Markdown.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::args::TableArgs;
use crate::comparison::{Comparison, Measure, Ratio};
use crate::duels;
use crate::outcome::{End, Outcome};
use crate::print::answer;

const BEGIN: &str = "<!-- figures -->";
const END: &str = "<!-- end of figures -->";

/// Prints the tables, or inserts them into a file.
pub(crate) fn run(args: &TableArgs) -> Result<()> {
    let text = tables(&Comparison::read(&args.results)?, &args.baseline, &args.after)?;
    match &args.into {
        Some(file) => put_into(file, &text),
        None => Ok(answer(&text)?),
    }
}

fn put_into(file: &Path, tables: &str) -> Result<()> {
    let context = || file.display().to_string();
    let text = fs::read_to_string(file).with_context(context)?;
    let parts = text.split_once(BEGIN).and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let (before, after) = parts.with_context(|| format!("{} needs the lines {BEGIN} and {END}", file.display()))?;
    fs::write(file, format!("{before}{BEGIN}\n\n{tables}\n{END}{after}")).with_context(context)
}

fn tables(comparison: &Comparison, baseline: &str, after: &[u64]) -> Result<String> {
    let mut text = String::new();
    writeln!(text, "{}", summary(comparison, baseline))?;
    writeln!(text, "### Next to the best peer\n\n{}", duels::table(comparison, baseline))?;
    let after = after.iter().map(|&runs| (format!("Tokens left after {runs} runs"), Measure::TokensAfter(runs)));
    let always = [
        ("Tokens left", Measure::Tokens),
        ("Non-blank bytes left", Measure::NonBlank),
        ("Test runs", Measure::Runs),
        ("Processor seconds, with the tests", Measure::Cpu),
        ("Seconds", Measure::Seconds),
    ];
    for (title, measure) in always.map(|(title, measure)| (title.to_owned(), measure)).into_iter().chain(after) {
        writeln!(text, "### {title}\n\n{}", by_subject(comparison, measure))?;
    }
    writeln!(text, "### Share of the reduction after a tenth of the runs\n\n{}", early_shares(comparison))?;
    write!(text, "{}{}", failures(comparison), versions(comparison))?;
    Ok(text)
}

/// One row per reducer, compared with the baseline.
fn summary(comparison: &Comparison, baseline: &str) -> String {
    let head = ["reducer", "subjects", "tokens", "p", "runs", "p", "time", "p", "tokens/s", "in tests", "memory"];
    let mut rows = vec![head.map(String::from).to_vec()];
    for (reducer, _) in &comparison.reducers {
        let mut row = vec![format!("`{reducer}`"), comparison.count(reducer).to_string()];
        for measure in [Measure::Tokens, Measure::Runs, Measure::Seconds] {
            let ratio = if reducer == baseline { None } else { comparison.ratio(reducer, baseline, measure) };
            row.push(ratio.as_ref().map_or(String::new(), |ratio| format!("{:.2}", ratio.mean)));
            row.push(ratio.as_ref().map_or(String::new(), shown_p));
        }
        let shown = |value: Option<f64>, show: fn(f64) -> String| value.map_or(String::new(), show);
        row.push(shown(comparison.tokens_per_second(reducer), |rate| format!("{rate:.1}")));
        row.push(shown(comparison.share_in_property(reducer), |share| format!("{:.0}%", 100.0 * share)));
        row.push(shown(comparison.memory(reducer), |bytes| format!("{:.0} MB", bytes / 1e6)));
        rows.push(row);
    }
    markdown(&rows)
}

/// A p value, to the digits that matter.
fn shown_p(ratio: &Ratio) -> String {
    match ratio.p {
        None => "–".into(),
        Some(p) if p < 0.001 => "<0.001".into(),
        Some(p) => format!("{p:.3}"),
    }
}

/// One row per subject, one column per reducer; the smallest in bold.
fn by_subject(comparison: &Comparison, measure: Measure) -> String {
    let mut rows = vec![head_by_subject(comparison)];
    for (subject, tokens) in &comparison.subjects {
        let values: Vec<Option<f64>> =
            comparison.reducers.iter().map(|(reducer, _)| comparison.value(subject, reducer, measure)).collect();
        let smallest = values.iter().flatten().copied().min_by(f64::total_cmp);
        let mut row = vec![subject.clone(), tokens.to_string()];
        for ((reducer, _), value) in comparison.reducers.iter().zip(&values) {
            let number = value.map_or(String::new(), |value| format!("{value:.0}"));
            let is_size = matches!(measure, Measure::Tokens | Measure::TokensAfter(_) | Measure::NonBlank);
            let is_marked = is_size && value.is_some() && *value == smallest;
            let number = if is_marked { format!("**{number}**") } else { number };
            let is_cut = matches!(measure, Measure::TokensAfter(_));
            row.push(if is_cut { number } else { number + mark(comparison.end(subject, reducer)) });
        }
        rows.push(row);
    }
    markdown(&rows)
}

/// Early progress: one row per subject, and the median of each reducer.
fn early_shares(comparison: &Comparison) -> String {
    let percent = |share: Option<f64>| share.map(|share| format!("{:.0}%", 100.0 * share)).unwrap_or_default();
    let mut rows = vec![head_by_subject(comparison)];
    for (subject, tokens) in &comparison.subjects {
        let cell = |(reducer, _): &(String, String)| match comparison.early_share(subject, reducer) {
            None => String::new(),
            share => percent(share) + mark(comparison.end(subject, reducer)),
        };
        let cells = comparison.reducers.iter().map(cell);
        rows.push([subject.clone(), tokens.to_string()].into_iter().chain(cells).collect());
    }
    let medians = comparison.reducers.iter().map(|(reducer, _)| percent(comparison.usual_early_share(reducer)));
    rows.push(["median".to_owned(), String::new()].into_iter().chain(medians).collect());
    markdown(&rows)
}

fn head_by_subject(comparison: &Comparison) -> Vec<String> {
    let names = comparison.reducers.iter().map(|(name, _)| format!("`{name}`"));
    ["subject", "input tokens"].map(String::from).into_iter().chain(names).collect()
}

pub(crate) fn mark(end: Option<End>) -> &'static str {
    match end {
        Some(End::Stopped) => r"\*",
        Some(End::Failed) => "!",
        Some(End::Finished) | None => "",
    }
}

fn failures(comparison: &Comparison) -> String {
    let mut text = String::new();
    let is_bad = |outcome: &&Outcome| outcome.end == End::Failed || !outcome.rechecked;
    for subject in comparison.subjects.keys() {
        for (reducer, _) in &comparison.reducers {
            for outcome in comparison.rounds(subject, reducer).iter().filter(is_bad) {
                text.push_str(&format!("- `{reducer}` failed on {subject}: {}\n", outcome.note.replace('`', "'")));
            }
        }
    }
    if text.is_empty() { text } else { format!("Failures:\n\n{text}\n") }
}

/// The versions of the programs. Whittle's algorithms are one program.
fn versions(comparison: &Comparison) -> String {
    let known = comparison.reducers.iter().filter(|(_, version)| !version.is_empty());
    let mut versions: Vec<String> = known
        .map(|(name, version)| match version.chars().next() {
            Some('0'..='9') => format!("`{name} {version}`"),
            _ => format!("`{version}`"),
        })
        .collect();
    versions.sort();
    versions.dedup();
    let mut stamps: Vec<&str> = comparison.outcomes().map(|outcome| outcome.stamp.as_str()).collect();
    stamps.retain(|stamp| !stamp.is_empty());
    stamps.sort_unstable();
    stamps.dedup();
    let made = if stamps.is_empty() { String::new() } else { format!(" Made with {}.", stamps.join("; ")) };
    format!("Versions: {}.{made}\n", versions.join(", "))
}

/// A Markdown table; the first row is the header, and numbers are right-aligned.
pub(crate) fn markdown(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0).max(3)).collect();
    let mut text = String::new();
    for (index, row) in rows.iter().enumerate() {
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
            text.push_str(&if column == 0 { format!("| {cell:<width$} ") } else { format!("| {cell:>width$} ") });
        }
        text.push_str("|\n");
        if index == 0 {
            for (column, width) in widths.iter().enumerate() {
                text.push_str(&if column == 0 {
                    format!("|{:-<1$}", "", width + 2)
                } else {
                    format!("|{:-<1$}:", "", width + 1)
                });
            }
            text.push_str("|\n");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::tests::outcome;

    fn comparison() -> Comparison {
        let mut stopped = outcome("one", "cvise", 20, 400);
        stopped.end = End::Stopped;
        let mut failed = outcome("two", "cvise", 1, 1);
        failed.end = End::Failed;
        failed.note = "exit status 1: oops".into();
        Comparison::new(vec![outcome("one", "whittle", 10, 100), outcome("two", "whittle", 30, 90), stopped, failed])
    }

    #[test]
    fn the_tables_show_sizes_ends_and_failures() {
        let expected = "\
| reducer   | subjects | tokens |     p | runs |     p | time |   p | tokens/s | in tests | memory |
|-----------|---------:|-------:|------:|-----:|------:|-----:|----:|---------:|---------:|-------:|
| `whittle` |        2 |        |       |      |       |      |     |     98.0 |      90% |  52 MB |
| `cvise`   |        1 |   2.00 | 1.000 | 4.00 | 1.000 | 1.00 |   – |     98.0 |      90% |  52 MB |

### Next to the best peer
";
        let text = tables(&comparison(), "whittle", &[150]).unwrap();
        assert!(text.starts_with(expected), "{text}");
        let left = "\
### Tokens left

| subject | input tokens | `whittle` | `cvise` |
|---------|-------------:|----------:|--------:|
| one     |         1000 |    **10** |    20\\* |
| two     |         1000 |    **30** |       ! |
";
        assert!(text.contains(left), "{text}");
        let after = "\
### Tokens left after 150 runs

| subject | input tokens | `whittle` | `cvise` |
|---------|-------------:|----------:|--------:|
| one     |         1000 |    **10** |    1000 |
";
        assert!(text.contains(after), "{text}");
        let shares = "\
### Share of the reduction after a tenth of the runs

| subject | input tokens | `whittle` | `cvise` |
|---------|-------------:|----------:|--------:|
| one     |         1000 |        0% |    0%\\* |
| two     |         1000 |        0% |         |
| median  |              |        0% |      0% |
";
        assert!(text.contains(shares), "{text}");
        assert!(text.contains("- `cvise` failed on two: exit status 1: oops\n"), "{text}");
    }

    #[test]
    fn figures_replace_those_that_were_there() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("page.md");
        fs::write(&file, format!("before\n{BEGIN}\nold\n{END}\nafter\n")).unwrap();
        put_into(&file, "new\n").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), format!("before\n{BEGIN}\n\nnew\n\n{END}\nafter\n"));
        fs::write(&file, "no place").unwrap();
        assert!(put_into(&file, "new\n").is_err());
    }
}
