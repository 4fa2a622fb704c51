//! Which files of a project are needed: whole folders first, then single files; what cannot go becomes empty.
//!
//! 1. What the test names, with all that those files name, alone: in most projects this is one test for most of the files.
//! 2. Folders and files, level by level. Whatever a kept file names is kept with it, so that most proposals build.
//! 3. The same without that rule: names are only a guess.
//! 4. Files that must be there become empty.
//!
//! [`Files::run_coarsely`] has the first two, and of the others only large parts of the list: once large parts of the files
//! are gone, far fewer files are left to try one by one. [`Files::run`] has the last two. [`Files::drop_unnamed`] tries
//! a file as soon as no other file names it any more.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use whittle_lists::{AnyMinimizer, EmptyFirst, Subset, Weights};
use whittle_search::{Candidate, File, FirstOf, Search, Stop};

use super::lists_in_trees;
use super::project::ProjectFacts;
use crate::project::Mentions;

/// Fewer files are as cheap to try one by one.
const FEW_FILES: usize = 4;

/// More text is not searched for names after every change.
pub(super) const MOST_SEARCHED_BYTES: u64 = 4 << 20;

/// What is known about the files of a project.
pub(super) struct Files<'a> {
    facts: &'a ProjectFacts,
    /// The paths of files that were named by no other file when that was last looked at.
    unnamed: BTreeSet<PathBuf>,
}

impl<'a> Files<'a> {
    pub(super) fn new(facts: &'a ProjectFacts) -> Self {
        Self { facts, unnamed: BTreeSet::new() }
    }

    /// Removes and empties many files at once.
    pub(super) fn run_coarsely(&mut self, search: &mut Search) -> Result<(), Stop> {
        if search.best().candidate.files().len() < FEW_FILES {
            return Ok(());
        }
        self.keep_hinted(search)?;
        self.by_levels(search, Manner::WithMentions)?;
        self.by_levels(search, Manner::LargeParts)?;
        self.empty(search, Manner::LargeParts)?;
        self.drop_empty(search)?;
        self.unnamed = unnamed(&search.best().candidate);
        Ok(())
    }

    /// Removes and empties files down to single ones.
    pub(super) fn run(&mut self, search: &mut Search) -> Result<(), Stop> {
        self.by_levels(search, Manner::OneByOne)?;
        self.empty(search, Manner::OneByOne)?;
        self.unnamed = unnamed(&search.best().candidate);
        Ok(())
    }

    /// Tries to remove files that no other file names any more.
    pub(super) fn drop_unnamed(&mut self, search: &mut Search) -> Result<(), Stop> {
        let base = search.best().candidate.clone();
        if base.byte_count() > MOST_SEARCHED_BYTES {
            return Ok(());
        }
        let now = unnamed(&base);
        let is_new = |file: &&File| {
            !self.facts.is_fixed(file) && now.contains(file.path()) && !self.unnamed.contains(file.path())
        };
        let new: BTreeSet<PathBuf> = base.files().iter().filter(is_new).map(|file| file.path().to_owned()).collect();
        self.unnamed = now;
        if new.is_empty() {
            return Ok(());
        }
        search.pass("files", |search| {
            let values = std::iter::once(new.clone()).chain(new.iter().map(|path| BTreeSet::from([path.clone()])));
            search.run(FirstOf::new(values.collect()), move |gone: &BTreeSet<PathBuf>| {
                Some(base.with_files(base.files().iter().filter(|file| !gone.contains(file.path())).cloned()))
            })
        })?;
        Ok(())
    }

    /// Keeps what the test names, and what that names.
    fn keep_hinted(&self, search: &mut Search) -> Result<(), Stop> {
        let base = search.best().candidate.clone();
        let mut hinted = Mentions::in_text(&base, &self.facts.hints);
        if hinted.is_empty() {
            return Ok(());
        }
        hinted.extend(self.fixed(&base));
        let mentions = Mentions::of(&base);
        let direct = hinted.iter().flat_map(|place| mentions.named_by(*place)).copied();
        let direct: BTreeSet<usize> = direct.chain(hinted.iter().copied()).collect();
        let rings = [hinted.clone(), direct, mentions.closure(hinted)];
        let rings: Vec<_> = rings.into_iter().filter(|ring| ring.len() < base.files().len()).collect();
        search.run(FirstOf::new(rings), move |ring| Some(keep(&base, |place| ring.contains(&place))))?;
        Ok(())
    }

    fn fixed(&self, candidate: &Candidate) -> Vec<usize> {
        let files = candidate.files().iter().enumerate();
        files.filter(|(_, file)| self.facts.is_fixed(file)).map(|(place, _)| place).collect()
    }

    /// Removes folders and files, those nearest to the root first.
    fn by_levels(&self, search: &mut Search, manner: Manner) -> Result<(), Stop> {
        let mut level = 0;
        loop {
            let base = search.best().candidate.clone();
            let groups = self.groups(&base, level);
            if groups.is_empty() {
                return Ok(());
            }
            let weights: Vec<u32> =
                groups.iter().map(|group| weight(group.iter().map(|&place| &base.files()[place]))).collect();
            let mentions = (manner == Manner::WithMentions).then(|| Mentions::of(&base));
            let minimizer = EmptyFirst::new(manner.minimizer(&weights));
            search.run(minimizer, move |kept: &Subset| {
                let removed = (0..groups.len()).filter(|group| !kept.contains(*group));
                let mut gone: BTreeSet<usize> = removed.flat_map(|group| groups[group].iter().copied()).collect();
                if let Some(mentions) = &mentions {
                    let stays = (0..base.files().len()).filter(|place| !gone.contains(place));
                    let needed = mentions.closure(stays);
                    gone.retain(|place| !needed.contains(place));
                }
                (!gone.is_empty()).then(|| keep(&base, |place| !gone.contains(&place)))
            })?;
            level += 1;
        }
    }

    /// What can go at a level: files that are that deep, and folders with all that is below them.
    fn groups(&self, candidate: &Candidate, level: usize) -> Vec<Vec<usize>> {
        let mut groups: Vec<(PathBuf, Vec<usize>)> = Vec::new();
        for (place, file) in candidate.files().iter().enumerate().filter(|(_, file)| !self.facts.is_fixed(file)) {
            let Some(path) = prefix(file.path(), level + 1) else { continue };
            match groups.last_mut() {
                Some((last, places)) if *last == path => places.push(place),
                _ => groups.push((path, vec![place])),
            }
        }
        groups.into_iter().map(|(_, places)| places).collect()
    }

    /// Removes many empty files at once: not all of them are there because they must be.
    fn drop_empty(&self, search: &mut Search) -> Result<(), Stop> {
        let base = search.best().candidate.clone();
        let is_open = |file: &File| file.bytes().is_empty() && !self.facts.is_fixed(file);
        let empty = base.files().iter().enumerate().filter(|(_, file)| is_open(file));
        let empty: Vec<usize> = empty.map(|(place, _)| place).collect();
        if empty.is_empty() {
            return Ok(());
        }
        let minimizer = EmptyFirst::new(Manner::LargeParts.minimizer(&vec![1; empty.len()]));
        search.run(minimizer, move |kept: &Subset| {
            let gone = left_out(&empty, kept);
            Some(keep(&base, |place| !gone.contains(&place)))
        })?;
        Ok(())
    }

    /// Files that must be there become empty.
    fn empty(&self, search: &mut Search, manner: Manner) -> Result<(), Stop> {
        let base = search.best().candidate.clone();
        let is_open = |file: &File| file.kind().has_content() && !file.bytes().is_empty() && !self.facts.is_fixed(file);
        let files = base.files().iter().enumerate();
        let open: Vec<usize> = files.filter(|(_, file)| is_open(file)).map(|(place, _)| place).collect();
        if open.is_empty() {
            return Ok(());
        }
        let weights: Vec<u32> = open.iter().map(|&place| weight([&base.files()[place]])).collect();
        let minimizer = EmptyFirst::new(manner.minimizer(&weights));
        search.run(minimizer, move |kept: &Subset| {
            let emptied = left_out(&open, kept);
            let empty = |(place, file): (usize, &File)| match emptied.contains(&place) {
                true => file.with_bytes(Vec::new()),
                false => file.clone(),
            };
            Some(base.with_files(base.files().iter().enumerate().map(empty)))
        })?;
        Ok(())
    }
}

/// How files are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    /// Down to single files; what a kept file names stays.
    WithMentions,
    /// Many at once, as long as that works.
    LargeParts,
    /// Down to single files.
    OneByOne,
}

impl Manner {
    fn minimizer(self, weights: &[u32]) -> AnyMinimizer {
        let weights = Weights::new(weights);
        match self {
            Self::LargeParts => AnyMinimizer::large_parts(weights),
            Self::WithMentions | Self::OneByOne => lists_in_trees().coarse_first(&weights),
        }
    }
}

/// The places that a choice leaves out.
fn left_out(places: &[usize], kept: &Subset) -> BTreeSet<usize> {
    let numbered = places.iter().enumerate().filter(|(number, _)| !kept.contains(*number));
    numbered.map(|(_, place)| *place).collect()
}

/// The first components of a path; `None` if it has fewer.
fn prefix(path: &Path, components: usize) -> Option<PathBuf> {
    let prefix: PathBuf = path.components().take(components).collect();
    (path.components().count() >= components).then_some(prefix)
}

/// What a file or a folder weighs: its size, in units that a project of many gigabytes does not exhaust.
fn weight<'a>(files: impl IntoIterator<Item = &'a File>) -> u32 {
    let bytes: u64 = files.into_iter().map(|file| file.bytes().len() as u64 + 1).sum();
    u32::try_from(bytes / 16 + 1).unwrap_or(u32::MAX >> 8)
}

fn keep(base: &Candidate, is_kept: impl Fn(usize) -> bool) -> Candidate {
    let files = base.files().iter().enumerate();
    base.with_files(files.filter(|(place, _)| is_kept(*place)).map(|(_, file)| file.clone()))
}

/// The paths of files that no other file names.
fn unnamed(candidate: &Candidate) -> BTreeSet<PathBuf> {
    let places = Mentions::of(candidate).unnamed();
    places.into_iter().map(|place| candidate.files()[place].path().to_owned()).collect()
}
