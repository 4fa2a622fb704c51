//! How a project is reduced: files and folders first, then what is in them, then what joins and renames files.
//!
//! The steps for a single file run here too, each on all files that it suits, users of others first. Steps take turns by what
//! they gain, as they do on a single file. A step leaves out a file that has not changed since the step last looked at
//! it, because most of what happens elsewhere makes no difference to it. Before the end, one round leaves nothing out, so
//! that every step has looked at every file of the result.

use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use whittle_search::{Candidate, File, Lens, Search};
use whittle_trees::{Limits, Memory, Workshop};

use super::bundle::Bundle;
use super::files::{Files, MOST_SEARCHED_BYTES};
use super::turns::{Turn, take_turns};
use super::{Effort, Step, Strategy, Unfinished, crates, file_names, joins};
use crate::project::Mentions;

/// What a strategy needs to know about a project besides its files.
#[derive(Clone, Debug, Default)]
pub struct ProjectFacts {
    /// The numbers of files that stay as they are.
    pub fixed: BTreeSet<usize>,
    /// What the test says: files that it names are likely to be needed.
    pub hints: Vec<u8>,
    /// Whether files keep their names.
    pub keeps_names: bool,
}

impl ProjectFacts {
    /// Whether a file must stay as it is.
    pub fn is_fixed(&self, file: &File) -> bool {
        self.fixed.contains(&file.number())
    }
}

/// A file as far as the choice of steps is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Scope {
    /// Its language is known.
    Known,
    /// The same, but it is too long for the parser.
    Long,
    /// It is text.
    Unknown,
    /// It is not even that.
    Binary,
}

impl Scope {
    fn of(file: &File, workshop: &Workshop) -> Self {
        match workshop.syntax.is_some() {
            true if file.bytes().len() > Limits::default().bytes => Self::Long,
            true => Self::Known,
            false if std::str::from_utf8(file.bytes()).is_ok() => Self::Unknown,
            false => Self::Binary,
        }
    }
}

/// What takes turns.
#[derive(Clone, Debug)]
enum Item {
    /// Many files and folders at once go, or become empty. It has one turn: later there are few.
    ManyFiles,
    /// Files and folders go, or become empty.
    Files,
    /// One file takes in another.
    Joins,
    /// Files get short names.
    FileNames,
    /// A step on every file that it suits.
    On(Scope, Step),
    /// A step on all files of one language as if they were one.
    Across(Step),
}

impl Item {
    /// Whether it has a turn only when no other finds anything.
    fn is_late(&self) -> bool {
        matches!(self, Self::On(_, step) | Self::Across(step) if step.is_late())
    }
}

/// A project that is being reduced.
struct Project<'a> {
    strategy: &'a Strategy,
    facts: &'a ProjectFacts,
    /// For each file of the input, by number.
    workshops: Vec<(&'a Workshop, Option<Memory>)>,
    files: RefCell<Files<'a>>,
    /// The digest of the file with which a step ended when it last looked at it.
    seen: RefCell<HashMap<(usize, usize), u128>>,
    /// Whether a file was left out since that was last forgotten.
    left_out: Cell<bool>,
}

impl Strategy {
    /// Runs the steps on a project. There is a workshop for each file of the input, by number.
    pub(super) fn run_project(
        &self,
        search: &mut Search,
        workshops: &[Workshop],
        facts: &ProjectFacts,
    ) -> Result<(), Unfinished> {
        let memory = || self.remembers.then(Memory::default);
        let project = Project {
            strategy: self,
            facts,
            workshops: workshops.iter().map(|workshop| (workshop, memory())).collect(),
            files: RefCell::new(Files::new(facts)),
            seen: RefCell::default(),
            left_out: Cell::new(false),
        };
        let is_wanted = |item: &Item| !(facts.keeps_names && matches!(item, Item::FileNames));
        let items: Vec<(usize, Item)> = self.items().into_iter().filter(is_wanted).enumerate().collect();
        loop {
            project.left_out.set(false);
            let is_late = |(_, item): &(usize, Item)| item.is_late();
            take_turns(&items, is_late, search, |(index, item), turn, search| project.run(*index, item, turn, search))?;
            if !project.left_out.get() {
                break;
            }
            project.seen.borrow_mut().clear();
        }
        let last = self.last.iter().map(|step| Item::On(Scope::Known, step.clone()));
        last.enumerate().try_for_each(|(index, item)| project.run(items.len() + index, &item, Turn::First, search))
    }

    /// What takes turns in a project, from coarse to fine.
    fn items(&self) -> Vec<Item> {
        let on =
            |scope: Scope, steps: &[Step]| steps.iter().map(|step| Item::On(scope, step.clone())).collect::<Vec<_>>();
        let Some(others) = &self.others else {
            // An algorithm that was chosen applies to all files.
            let scopes = [Scope::Long, Scope::Known, Scope::Unknown, Scope::Binary];
            let all = scopes.into_iter().flat_map(|scope| on(scope, &self.steps));
            return [Item::ManyFiles, Item::Files].into_iter().chain(all).collect();
        };
        let (text_coarse, text_fine) = others.text.split_at(1.min(others.text.len()));
        let mut items = vec![Item::ManyFiles];
        items.extend(on(Scope::Long, &others.long));
        items.extend(on(Scope::Binary, &others.binary));
        // What is in one file is reduced together: its names are all there. A join costs one test.
        items.push(Item::Joins);
        // Large parts of each file, then files again: a file that is to go is not worth more.
        items.extend(self.steps.first().and_then(Step::coarse).map(|step| Item::On(Scope::Known, step)));
        items.extend([Item::Files, Item::Joins]);
        items.extend(on(Scope::Known, &self.steps[..1.min(self.steps.len())]));
        items.extend(on(Scope::Unknown, text_coarse));
        items.extend([Item::Files, Item::Joins]);
        items.extend(on(Scope::Known, self.steps.get(1..).unwrap_or_default()));
        let across = self.steps.iter().filter(|step| step.edits_names());
        items.extend(across.map(|step| Item::Across(step.clone())));
        items.extend(on(Scope::Unknown, text_fine));
        items.push(Item::FileNames);
        items
    }

    /// The default for a project: each file as if it were alone, and files as parts of the project.
    pub fn for_project(effort: Effort) -> Self {
        // Long files have steps of their own.
        let known = Self::for_syntax(&[], effort);
        let by_text = |bytes: &[u8]| Self::for_text(bytes, whittle_lists::Algorithm::default()).steps;
        let binary = by_text(&[0xff]);
        let long = by_text(&[])[..2].to_vec();
        let text = Self::for_unknown(&[]).steps;
        Self { others: Some(OtherFiles { text, binary, long }), ..known }
    }
}

/// The steps for files of a project that have no syntax, or are too long for it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct OtherFiles {
    text: Vec<Step>,
    binary: Vec<Step>,
    long: Vec<Step>,
}

impl Project<'_> {
    fn run(&self, index: usize, item: &Item, turn: Turn, search: &mut Search) -> Result<(), Unfinished> {
        match item {
            Item::ManyFiles if turn == Turn::Later => {}
            Item::ManyFiles => search.pass("files", |search| self.files.borrow_mut().run_coarsely(search))?,
            Item::Files => search.pass("files", |search| self.files.borrow_mut().run(search))?,
            Item::Joins => search.pass("joins", |search| {
                joins::run(search, self.facts)?;
                crates::run(search, self.facts)
            })?,
            Item::FileNames => search.pass("file names", |search| file_names::run(search, self.facts))?,
            Item::On(scope, step) => self.run_on_files(index, *scope, step, turn, search)?,
            Item::Across(step) => self.run_across(step, turn, search)?,
        }
        Ok(())
    }

    /// How far each file is from those that the test names, by number: what uses others is reduced before them. In a
    /// large project, it is not worth the time to find out.
    fn distances(&self, candidate: &Candidate) -> HashMap<usize, usize> {
        if candidate.byte_count() > MOST_SEARCHED_BYTES {
            return HashMap::new();
        }
        let mentions = Mentions::of(candidate);
        let mut roots = Mentions::in_text(candidate, &self.facts.hints);
        if roots.is_empty() {
            roots = mentions.unnamed();
        }
        candidate.files().iter().map(File::number).zip(mentions.distances(&roots)).collect()
    }

    /// Runs a step on each file that it suits: users of other files first, then the largest.
    fn run_on_files(
        &self,
        index: usize,
        scope: Scope,
        step: &Step,
        turn: Turn,
        search: &mut Search,
    ) -> Result<(), Unfinished> {
        let mut done = BTreeSet::new();
        let distances = self.distances(&search.best().candidate);
        while let Some((place, file)) = self.next_file(index, scope, &done, &distances, search) {
            done.insert(file.number());
            let (workshop, memory) = &self.workshops[file.number()];
            let workshop = Workshop { file: place, ..(*workshop).clone() };
            self.strategy.run_on_file(step, turn, search, &workshop, memory.as_ref())?;
            let after = search.best().candidate.files().get(place).map(File::digest);
            let is_changed = after != Some(file.digest());
            // A step that has just changed a file may find more in it, unless it ends only when it does not.
            if let Some(digest) = after.filter(|_| !is_changed || step.is_fixpoint()) {
                self.seen.borrow_mut().insert((index, file.number()), digest);
            }
            if is_changed {
                self.files.borrow_mut().drop_unnamed(search)?;
            }
        }
        Ok(())
    }

    /// Runs a step on the files of each language as if they were one.
    fn run_across(&self, step: &Step, turn: Turn, search: &mut Search) -> Result<(), Unfinished> {
        let language = |file: &File| {
            let (workshop, _) = self.workshops.get(file.number()).filter(|_| file.kind().has_content())?;
            Some(workshop.syntax.as_ref().filter(|_| !self.facts.is_fixed(file))?.name().to_owned())
        };
        let languages: BTreeSet<String> = search.best().candidate.files().iter().filter_map(language).collect();
        for name in languages {
            let belongs = |file: &File| language(file).is_some_and(|own| own == name);
            let Some(bundle) = Bundle::of(&search.best().candidate, &name, belongs) else { continue };
            let bundle = Arc::new(bundle);
            search.under(Arc::clone(&bundle) as Arc<dyn Lens>, |search| {
                let shown = &search.best().candidate;
                let Some(place) = bundle.place(shown) else { return Ok(()) };
                let (workshop, _) = &self.workshops[shown.files()[place].number()];
                let workshop = Workshop { file: place, ..(*workshop).clone() };
                self.strategy.run_on_file(step, turn, search, &workshop, None)
            })?;
        }
        Ok(())
    }

    /// The next file that the step suits and has not looked at, and its place.
    fn next_file(
        &self,
        index: usize,
        scope: Scope,
        done: &BTreeSet<usize>,
        distances: &HashMap<usize, usize>,
        search: &Search,
    ) -> Option<(usize, File)> {
        let files = search.best().candidate.files().iter().enumerate();
        let suits = |file: &File| {
            file.kind().has_content()
                && !file.bytes().is_empty()
                && !done.contains(&file.number())
                && !self.facts.is_fixed(file)
                && self.workshops.get(file.number()).is_some_and(|(workshop, _)| Scope::of(file, workshop) == scope)
        };
        let seen = self.seen.borrow();
        let is_new = |file: &File| {
            let is_new = seen.get(&(index, file.number())) != Some(&file.digest());
            self.left_out.set(self.left_out.get() || !is_new);
            is_new
        };
        let open = files.filter(|(_, file)| suits(file) && is_new(file));
        let order = |file: &File| {
            let distance = distances.get(&file.number()).copied().unwrap_or(usize::MAX);
            (Reverse(distance), file.bytes().len())
        };
        // Of equals, the first.
        let next = open.max_by_key(|(place, file)| (order(file), Reverse(*place)));
        next.map(|(place, file)| (place, file.clone()))
    }
}
