//! The figures of the bench: kept in a file, and summed up.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::LISTS;
use crate::subject::Group;

/// What one run came to.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) subject: String,
    pub(crate) group: Group,
    pub(crate) way: String,
    pub(crate) lists: String,
    pub(crate) tokens: f64,
    pub(crate) tests: f64,
    /// Processor time of the tests.
    pub(crate) seconds: f64,
    /// The mean coefficient over all lists that have one.
    pub(crate) rho: Option<f64>,
}

impl Row {
    /// A run that is about to begin.
    pub(crate) fn new(subject: &str, group: Group, way: &str, lists: &str) -> Self {
        let (subject, way, lists) = (subject.to_owned(), way.to_owned(), lists.to_owned());
        Self { subject, group, way, lists, tokens: 0.0, tests: 0.0, seconds: 0.0, rho: None }
    }

    fn parse(line: &str) -> Option<Self> {
        let [subject, group, way, lists, tokens, tests, seconds, rho] = line.split('\t').collect::<Vec<_>>()[..] else {
            return None;
        };
        let group = [Group::C, Group::Xml, Group::Other].into_iter().find(|known| format!("{known:?}") == group)?;
        let mut row = Self::new(subject, group, way, lists);
        (row.tokens, row.tests, row.seconds) = (tokens.parse().ok()?, tests.parse().ok()?, seconds.parse().ok()?);
        row.rho = rho.parse().ok();
        Some(row)
    }

    fn line(&self) -> String {
        let Self { subject, group, way, lists, tokens, tests, seconds, rho } = self;
        let rho = rho.map_or("-".to_owned(), |rho| format!("{rho:.4}"));
        format!("{subject}\t{group:?}\t{way}\t{lists}\t{tokens}\t{tests}\t{seconds:.6}\t{rho}")
    }
}

/// All rows so far.
pub(crate) struct Figures {
    rows: Vec<Row>,
    file: Option<PathBuf>,
}

impl Figures {
    /// The rows in a file, if it exists.
    pub(crate) fn open(file: Option<PathBuf>) -> Result<Self> {
        let text = match &file {
            Some(file) if file.exists() => std::fs::read_to_string(file)?,
            _ => String::new(),
        };
        let rows = text.lines().map(|line| Row::parse(line).with_context(|| format!("not a row: {line}")));
        Ok(Self { rows: rows.collect::<Result<_>>()?, file })
    }

    pub(crate) fn has(&self, subject: &str, way: &str, lists: &str) -> bool {
        self.row(subject, way, lists).is_some()
    }

    fn row(&self, subject: &str, way: &str, lists: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.subject == subject && row.way == way && row.lists == lists)
    }

    pub(crate) fn add(&mut self, row: Row) -> Result<()> {
        if let Some(file) = &self.file {
            let mut file = std::fs::File::options().create(true).append(true).open(file)?;
            writeln!(file, "{}", row.line())?;
        }
        self.rows.push(row);
        Ok(())
    }

    /// The line of a subject: for each algorithm tokens, tests, seconds.
    pub(crate) fn print(&self, subject: &str, way: &str) {
        let mut line = format!("{subject:<24} {way:<27}");
        for lists in LISTS {
            match self.row(subject, way, lists) {
                Some(row) => write!(line, " {:>6} {:>6} {:>7.1} |", row.tokens, row.tests, row.seconds),
                None => write!(line, " {:>21} |", "-"),
            }
            .unwrap_or_default();
        }
        println!("{}", line.trim_end_matches(" |"));
    }

    /// Ratios and coefficients for each way and group.
    pub(crate) fn print_summary(&self, ways: &[String]) {
        println!(
            "\nratios of tokens, tests and seconds (geometric means; in brackets: results smaller, equal, larger)"
        );
        for way in ways {
            for (name, groups) in [
                ("C", &[Group::C][..]),
                ("XML", &[Group::Xml]),
                ("other", &[Group::Other]),
                ("all", &[Group::C, Group::Xml, Group::Other]),
            ] {
                let cell = |of: &str, to: &str| self.ratios(way, groups, of, to);
                println!("{way:<27} {name:<6} {}", cell("wddmin", "ddmin"));
                println!("{way:<27} {name:<6} {}", cell("wprobdd", "probdd"));
                println!("{way:<27} {name:<6} {}", cell("probdd", "ddmin"));
                let rhos: Vec<f64> = self.of(way, groups, "ddmin").filter_map(|row| row.rho).collect();
                let positive = rhos.iter().filter(|rho| **rho > 0.0).count();
                let mean = rhos.iter().sum::<f64>() / rhos.len().max(1) as f64;
                println!("{way:<27} {name:<6} rho of ddmin {mean:+.2}, above 0 in {positive} of {}", rhos.len());
            }
        }
    }

    fn of<'a>(&'a self, way: &'a str, groups: &'a [Group], lists: &'a str) -> impl Iterator<Item = &'a Row> {
        let fits = move |row: &&Row| row.way == way && groups.contains(&row.group) && row.lists == lists;
        self.rows.iter().filter(fits)
    }

    fn ratios(&self, way: &str, groups: &[Group], of: &str, to: &str) -> String {
        let pairs: Vec<(&Row, &Row)> =
            self.of(way, groups, of).filter_map(|row| Some((row, self.row(&row.subject, way, to)?))).collect();
        let mean = |figure: fn(&Row) -> f64| {
            let logs = pairs.iter().map(|(of, to)| (figure(of).max(1e-6) / figure(to).max(1e-6)).ln());
            (logs.sum::<f64>() / pairs.len().max(1) as f64).exp()
        };
        let count = |fits: fn(f64, f64) -> bool| pairs.iter().filter(|(of, to)| fits(of.tokens, to.tokens)).count();
        format!(
            "{:<15} {:.3} {:.3} {:.3}  ({}, {}, {} of {})",
            format!("{of}/{to}"),
            mean(|row| row.tokens),
            mean(|row| row.tests),
            mean(|row| row.seconds),
            count(|of, to| of < to),
            count(|of, to| of == to),
            count(|of, to| of > to),
            pairs.len()
        )
    }
}
