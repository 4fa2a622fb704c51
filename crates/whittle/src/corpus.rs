//! Learning from a corpus: the files of a language below some folders, parsed on all cores into one model.
//!
//! Files are read one at a time by each thread, and what they say is merged in the order of their paths, so the model
//! and its learning curve do not depend on the number of threads.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use whittle_trees::Syntax;
use whittle_trees::gtr::{Labeler, Model};

use crate::own::AnyLanguage;

/// What was learned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Learned {
    /// What the files say together.
    pub model: Model,
    /// How many files were passed over: they could not be read or did not parse.
    pub skipped: u64,
    /// How knowledge grew.
    pub curve: Vec<Point>,
}

/// How much was known after so many files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// Files that were learned from.
    pub files: u64,
    /// Pairs of a label and an edge below it.
    pub pairs: usize,
    /// Those pairs with each label that stands at their end.
    pub contexts: usize,
}

/// The files of a language below folders, by path. Their names say which are of the language. A file that is named itself is taken as it is;
/// links to folders are not followed.
pub fn files(roots: &[PathBuf], language: &AnyLanguage) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for root in roots {
        if root.is_dir() { list(root, language, &mut found)? } else { found.push(root.clone()) }
    }
    Ok(found)
}

fn list(folder: &Path, language: &AnyLanguage, found: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut entries: Vec<fs::DirEntry> = fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            list(&path, language, found)?;
        } else if path.is_file() && language.is_of(&path) {
            found.push(path);
        }
    }
    Ok(())
}

/// Learns from files on so many threads. `on_file` hears how many files are done.
pub fn learn(syntax: &Syntax, files: &[PathBuf], threads: usize, on_file: impl FnMut(usize)) -> Learned {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = sync_channel(2 * threads);
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let (sender, syntax, next) = (sender.clone(), syntax.clone(), &next);
            scope.spawn(move || read(files, &syntax, next, &sender));
        }
        drop(sender);
        merge(syntax.name(), &receiver, on_file)
    })
}

/// What a file says, by its number; `None`: it is passed over.
type Said = (usize, Option<Model>);

/// Reads one file after the other until there are none left.
fn read(files: &[PathBuf], syntax: &Syntax, next: &AtomicUsize, sender: &SyncSender<Said>) {
    let mut labeler = Labeler::default();
    loop {
        let index = next.fetch_add(1, Ordering::Relaxed);
        let Some(path) = files.get(index) else { return };
        let text = fs::read(path).ok().filter(|text| syntax.errors(text).is_some_and(|errors| errors.count() == 0));
        let said = text.map(|text| {
            let mut model = Model::new(syntax.name());
            model.learn(&labeler.label(&syntax.tree(text)));
            model
        });
        // Nobody listens any more: there is nothing left to do.
        if sender.send((index, said)).is_err() {
            return;
        }
    }
}

/// Puts together what the threads read, in the order of the files.
fn merge(language: &str, receiver: &Receiver<Said>, mut on_file: impl FnMut(usize)) -> Learned {
    let mut learned = Learned { model: Model::new(language), skipped: 0, curve: Vec::new() };
    let mut waiting: BTreeMap<usize, Option<Model>> = BTreeMap::new();
    let mut done = 0;
    for (index, said) in receiver {
        waiting.insert(index, said);
        while let Some(said) = waiting.remove(&done) {
            learned.take(said);
            done += 1;
            on_file(done);
        }
    }
    learned.note();
    learned
}

impl Learned {
    fn take(&mut self, said: Option<Model>) {
        let Some(model) = said else {
            self.skipped += 1;
            return;
        };
        self.model.merge(&model);
        if is_round(self.model.files) {
            self.note();
        }
    }

    /// Adds a point to the curve, if there is something new to tell.
    fn note(&mut self) {
        let Model { files, .. } = self.model;
        let point = Point { files, pairs: self.model.pairs(), contexts: self.model.contexts() };
        if self.curve.last() != Some(&point) {
            self.curve.push(point);
        }
    }
}

/// Whether a number is 1, 2 or 5 times a power of ten.
fn is_round(number: u64) -> bool {
    let power = 10u64.pow(number.checked_ilog10().unwrap_or(0));
    number > 0 && number.is_multiple_of(power) && matches!(number / power, 1 | 2 | 5)
}

#[cfg(test)]
mod tests {
    use whittle_languages::Language;

    use super::*;

    /// A folder with JSON files, one of which is broken, and a file in another language.
    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("deeper")).unwrap();
        for number in 0..12 {
            fs::write(folder.path().join(format!("deeper/{number}.json")), format!("[{number}, {{\"a\": 1}}]"))
                .unwrap();
        }
        fs::write(folder.path().join("broken.json"), "[1,").unwrap();
        fs::write(folder.path().join("other.py"), "pass\n").unwrap();
        folder
    }

    #[test]
    fn what_is_learned_does_not_depend_on_the_number_of_threads() {
        let (folder, json) = (folder(), AnyLanguage::BuiltIn(Language::by_name("json").unwrap()));
        let files = files(&[folder.path().to_owned()], &json).unwrap();
        assert_eq!(files.len(), 13);
        let learned = |threads| learn(&json.syntax().unwrap(), &files, threads, |_| {});
        let alone = learned(1);
        assert_eq!((alone.model.files, alone.skipped), (12, 1));
        assert_eq!(alone.curve.iter().map(|point| point.files).collect::<Vec<_>>(), [1, 2, 5, 10, 12]);
        assert!(alone.model.is_mandatory("pair", "key"));
        assert_eq!(learned(4), alone);
    }

    #[test]
    fn round_numbers_are_one_two_and_five_times_a_power_of_ten() {
        let round: Vec<u64> = (0..120).filter(|&number| is_round(number)).collect();
        assert_eq!(round, [1, 2, 5, 10, 20, 50, 100]);
    }
}
