//! `ddmin` against runs recorded from Picire, the tool of the split factor's paper.
//!
//! Results and numbers of tests must agree. The folder named by `WHITTLE_GOLDEN_DIR`, if set, adds further recordings.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use whittle_lists::{AfterSuccess, Complements, Ddmin, DdminOptions, Order, Split, SplitFactor, Subset};

use crate::harness::{Run, minimize};
use crate::recorded::Property;

#[derive(Debug, Deserialize)]
struct Row {
    n: usize,
    property: Property,
    split_factor: usize,
    split: String,
    subsets: String,
    complements: String,
    tests: usize,
    result: Vec<usize>,
}

impl Row {
    fn options(&self) -> DdminOptions {
        let split = match self.split.as_str() {
            "zeller" => Split::Zeller,
            "balanced" => Split::Balanced,
            other => panic!("split {other}"),
        };
        DdminOptions {
            split_factor: SplitFactor::new(self.split_factor).unwrap(),
            split,
            subsets: order(&self.subsets),
            complements: Complements {
                order: order(&self.complements).expect("complements are always tested"),
                after_success: AfterSuccess::Continue,
            },
        }
    }

    fn run(&self) -> Run {
        minimize(Ddmin::new(Subset::full(self.n), self.options()), |list| self.property.holds(list))
    }
}

fn order(name: &str) -> Option<Order> {
    match name {
        "skip" => None,
        "forward" => Some(Order::Forward),
        "backward" => Some(Order::Backward),
        other => panic!("order {other}"),
    }
}

fn recordings() -> Vec<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata");
    let folders = [Some(own), std::env::var_os("WHITTLE_GOLDEN_DIR").map(PathBuf::from)];
    let files = |folder: PathBuf| std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = folders.into_iter().flatten().flat_map(files).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "jsonl"));
    files.sort();
    files
}

#[test]
fn golden_rows_agree_in_result_and_number_of_tests() {
    for file in recordings() {
        let text = std::fs::read_to_string(&file).unwrap();
        let mut rows = 0;
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let row: Row = serde_json::from_str(line).unwrap();
            let run = row.run();
            let place = format!("{}:{}", file.display(), number + 1);
            assert_eq!((run.tests, run.result), (row.tests, row.result.clone()), "{place}: {row:?}");
            rows += 1;
        }
        println!("{}: {rows} rows agree", file.display());
        let recorded = if file.ends_with("testdata/ddmin-picire.jsonl") { 600 } else { 1 };
        assert!(rows >= recorded, "{} holds {rows} rows", file.display());
    }
}
