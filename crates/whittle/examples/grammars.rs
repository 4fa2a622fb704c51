//! How many of a folder of ANTLR grammars work: `grammars FOLDER [NAME…]`, with one folder a grammar in it: `*.g4`, samples
//! in `examples/`, and the start rule in `START`.
//!
//! A grammar works if it loads; if each sample parses without an error; if what is parsed gives back the sample byte for
//! byte; and if the sample still parses after every single deletion of an element of a list that the grammar lets go.

#![allow(clippy::print_stdout, reason = "a figure for people")]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use whittle::own::GrammarFile;
use whittle::trees::{Edit, Edits, Kind, NodeId, Syntax, Tree};

fn main() -> io::Result<()> {
    let mut args = std::env::args().skip(1);
    let Some(root) = args.next() else {
        println!("usage: grammars FOLDER [NAME…]");
        return Ok(());
    };
    let names: Vec<String> = args.collect();
    let mut total = Figures::default();
    let (mut grammars, mut working) = (0, 0);
    for folder in sorted(Path::new(&root))?.into_iter().filter(|path| path.join("START").is_file()) {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !names.is_empty() && !names.contains(&name) {
            continue;
        }
        grammars += 1;
        match check(&folder, !names.is_empty()) {
            Err(problem) => println!("{name:<24} does not load: {problem}"),
            Ok(figures) => {
                println!("{name:<24} {figures}");
                working += usize::from(figures.works());
                total.add(&figures);
            }
        }
    }
    println!("{working} of {grammars} grammars work; {total}");
    Ok(())
}

/// What was counted.
#[derive(Default)]
struct Figures {
    samples: usize,
    parsed: usize,
    same: usize,
    deletions: usize,
    sound: usize,
    millis: u128,
}

impl Figures {
    fn works(&self) -> bool {
        self.parsed == self.samples && self.same == self.samples && self.sound == self.deletions
    }

    fn add(&mut self, other: &Self) {
        self.samples += other.samples;
        self.parsed += other.parsed;
        self.same += other.same;
        self.deletions += other.deletions;
        self.sound += other.sound;
        self.millis += other.millis;
    }
}

impl std::fmt::Display for Figures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { samples, parsed, same, deletions, sound, millis } = self;
        write!(
            f,
            "samples: {parsed} of {samples} parse, {same} are given back; {sound} of {deletions} deletions parse ({millis} ms)"
        )
    }
}

fn check(folder: &Path, verbose: bool) -> Result<Figures, String> {
    let start = fs::read_to_string(folder.join("START")).map_err(|error| error.to_string())?.trim().to_owned();
    let files = sorted(folder).map_err(|error| error.to_string())?;
    let grammars = files.into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "g4"));
    // The file with the start rule; others are imported by it.
    let mut problem = String::from("no file has the start rule");
    let mut syntax = None;
    for path in grammars {
        let file = GrammarFile { extension: None, path, start: Some(start.clone()) };
        match file.describe() {
            Ok(description) if description.syntax_rule(&start).is_none() => {}
            Ok(_) => match file.language() {
                Ok(language) => {
                    syntax = Some(language.syntax.clone());
                    break;
                }
                Err(error) => problem = error.to_string(),
            },
            Err(error) => problem = error.to_string(),
        }
    }
    let syntax = syntax.ok_or(problem)?;
    let mut figures = Figures::default();
    let started = Instant::now();
    for sample in sorted(&folder.join("examples")).map_err(|error| error.to_string())? {
        let text = fs::read(&sample).map_err(|error| error.to_string())?;
        figures.samples += 1;
        check_sample(&syntax, &sample, &text, &mut figures, verbose);
    }
    figures.millis = started.elapsed().as_millis();
    Ok(figures)
}

fn check_sample(syntax: &Syntax, path: &Path, text: &[u8], figures: &mut Figures, verbose: bool) {
    let tree = syntax.tree(text);
    figures.same += usize::from(tree.unparse(&Edits::new()) == text);
    let errors = syntax.count(text).map(|count| count.errors);
    if errors != Some(0) {
        if verbose {
            println!("  {}: {errors:?} errors", path.display());
        }
        return;
    }
    figures.parsed += 1;
    for element in elements(&tree) {
        let edited = tree.unparse(&[(element, Edit::Delete)].into_iter().collect());
        let is_sound = syntax.count(&edited).is_some_and(|count| count.errors == 0);
        figures.deletions += 1;
        figures.sound += usize::from(is_sound);
        if verbose && !is_sound {
            let around = String::from_utf8_lossy(&edited).into_owned();
            let deleted: Vec<_> = tree
                .tokens(element)
                .map(|token| String::from_utf8_lossy(tree.token_text(token)).into_owned())
                .collect();
            println!("  {}: without {deleted:?}: {:?}", path.display(), first_difference(text, around.as_bytes()));
        }
    }
}

/// Elements of lists that can be deleted on their own.
fn elements(tree: &Tree) -> Vec<NodeId> {
    let lists = tree.nodes().filter(|&node| matches!(tree.kind(node), Kind::List { .. }));
    let elements = lists.flat_map(|list| {
        let elements: Vec<_> = tree.elements(list).collect();
        let must_stay = matches!(tree.kind(list), Kind::List { at_least_one: true, .. }) && elements.len() == 1;
        if must_stay { Vec::new() } else { elements }
    });
    elements.collect()
}

fn first_difference(before: &[u8], after: &[u8]) -> String {
    let at = before.iter().zip(after).take_while(|(one, other)| one == other).count();
    let from = at.saturating_sub(30);
    String::from_utf8_lossy(&after[from..after.len().min(at + 50)]).into_owned()
}

fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths: Vec<_> =
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    paths.sort();
    Ok(paths)
}
