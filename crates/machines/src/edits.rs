//! Candidates as edits of a base that both sides have: whole files that stay, and files as runs of bytes that are copied or
//! new.
//!
//! Most candidates are the best with a few parts deleted, so an edit has a few runs. What the common head and tail of a file
//! leave is matched by blocks, as rsync does (Tridgell 1996): blocks of the base at fixed places are looked up at every place
//! of the candidate. A part that both have in common is found if it has two blocks less a byte. The base is indexed once.
//!
//! Promise: [`apply`] gives back what [`Base::edit`] was given, and never more than [`MAX_CANDIDATE_BYTES`], whatever it is given.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use whittle_search::{Candidate, File, Kind};

/// The size of a block, in bytes: shorter ones find shorter common parts, but a run that is copied costs about 6 bytes, and
/// short blocks of programs are everywhere.
const BLOCK: usize = 16;

/// A middle part of up to this many bytes is sent as it is: that costs less than to look for common parts.
const SHORT_MIDDLE: usize = 64;

/// How many places of the base are compared for one block. Blocks of repetitive texts are in many places.
const MAX_PLACES: usize = 4;

/// The largest candidate that an edit may describe. Inputs of a reduction are smaller.
pub(crate) const MAX_CANDIDATE_BYTES: u64 = 1 << 30;

/// A candidate, as changes of a base.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Edit {
    is_project: bool,
    files: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Part {
    /// So many files of the base, from this one on, as they are.
    Same(u64, u64),
    Changed(Changed),
}

/// A file of a candidate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Changed {
    path: OsString,
    kind: Kind,
    /// The file of the base from which bytes are copied.
    from: Option<u64>,
    runs: Vec<Run>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Run {
    /// Where it begins in the base's file, and how long it is.
    Copy(u64, u64),
    Bytes(Vec<u8>),
}

/// A candidate that both sides have.
#[derive(Debug)]
pub(crate) struct Base {
    candidate: Candidate,
    blocks: Vec<OnceLock<Blocks>>,
    places: HashMap<OsString, usize>,
}

/// Where each block of a text is, in ascending order.
type Blocks = HashMap<[u8; BLOCK], Vec<u32>>;

impl Base {
    pub(crate) fn new(candidate: Candidate) -> Self {
        let blocks = candidate.files().iter().map(|_| OnceLock::new()).collect();
        let place = |(index, file): (usize, &File)| (file.path().as_os_str().to_owned(), index);
        let places = candidate.files().iter().enumerate().map(place).collect();
        Self { candidate, blocks, places }
    }

    pub(crate) fn candidate(&self) -> &Candidate {
        &self.candidate
    }

    /// `candidate` as an edit of this one.
    pub(crate) fn edit(&self, candidate: &Candidate) -> Edit {
        let mut files: Vec<Part> = Vec::new();
        for file in candidate.files() {
            let from = self.origin(file);
            let is_same = |index: usize| {
                let base = &self.candidate.files()[index];
                base.path() == file.path() && base.kind() == file.kind() && base.has_bytes_of(file)
            };
            match (from, files.last_mut()) {
                (Some(index), Some(Part::Same(first, count))) if *first + *count == index as u64 && is_same(index) => {
                    *count += 1;
                }
                (Some(index), _) if is_same(index) => files.push(Part::Same(index as u64, 1)),
                (from, _) => files.push(Part::Changed(self.changed(file, from))),
            }
        }
        Edit { is_project: candidate.is_project(), files }
    }

    /// The file of the base at the same path, or else the one of the same number: it has moved.
    fn origin(&self, file: &File) -> Option<usize> {
        let files = self.candidate.files();
        let by_path = self.places.get(file.path().as_os_str()).copied();
        by_path.or_else(|| files.iter().position(|base| base.number() == file.number()))
    }

    fn changed(&self, file: &File, from: Option<usize>) -> Changed {
        let runs = match from {
            Some(index) => {
                let base = self.candidate.files()[index].bytes();
                let blocks = || self.blocks[index].get_or_init(|| index_blocks(base));
                runs_of(base, blocks, file.bytes())
            }
            None => vec![Run::Bytes(file.bytes().to_vec())],
        };
        let path = file.path().as_os_str().to_owned();
        Changed { path, kind: file.kind(), from: from.map(|index| index as u64), runs }
    }
}

fn index_blocks(text: &[u8]) -> Blocks {
    let mut blocks = Blocks::new();
    for (number, block) in text.as_chunks::<BLOCK>().0.iter().enumerate() {
        // Files have less than 4 GB: an input has at most one.
        blocks.entry(*block).or_default().push((number * BLOCK) as u32);
    }
    blocks
}

/// `text` as runs of `base` and new bytes.
fn runs_of<'a>(base: &[u8], blocks: impl FnOnce() -> &'a Blocks, text: &[u8]) -> Vec<Run> {
    let head = common_head(base, text);
    let tail = common_tail(&base[head..], &text[head..]);
    let middle = head..text.len() - tail;
    let mut runs = Runs { runs: Vec::new() };
    runs.copy(0, head);
    if middle.len() <= SHORT_MIDDLE {
        runs.bytes(&text[middle]);
    } else {
        runs.matching(base, blocks(), &text[..middle.end], head);
    }
    runs.copy(base.len() - tail, tail);
    runs.runs
}

fn common_head(a: &[u8], b: &[u8]) -> usize {
    // Chunks are compared at once.
    const CHUNK: usize = 256;
    let equal = a.chunks(CHUNK).zip(b.chunks(CHUNK)).take_while(|(a, b)| a == b && a.len() == CHUNK).count() * CHUNK;
    equal + a[equal..].iter().zip(&b[equal..]).take_while(|(a, b)| a == b).count()
}

fn common_tail(a: &[u8], b: &[u8]) -> usize {
    a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count()
}

struct Runs {
    runs: Vec<Run>,
}

impl Runs {
    /// The part of `text` from `at` on.
    fn matching(&mut self, base: &[u8], blocks: &Blocks, text: &[u8], mut at: usize) {
        let (mut new, mut expected) = (at, at);
        while let Some(block) = text[at..].first_chunk::<BLOCK>() {
            let places = blocks.get(block).map_or(&[][..], Vec::as_slice);
            let next = places.partition_point(|&place| (place as usize) < expected);
            let candidates = places[next..].iter().take(MAX_PLACES).chain(places.first());
            let length = |&place: &u32| common_head(&base[place as usize..], &text[at..]);
            let Some((place, length)) =
                candidates.map(|place| (*place as usize, length(place))).max_by_key(|found| found.1)
            else {
                at += 1;
                continue;
            };
            let before = common_tail(&base[..place], &text[new..at]);
            self.bytes(&text[new..at - before]);
            self.copy(place - before, before + length);
            at += length;
            (new, expected) = (at, place + length);
        }
        self.bytes(&text[new..]);
    }

    fn copy(&mut self, start: usize, length: usize) {
        if length == 0 {
            return;
        }
        match self.runs.last_mut() {
            Some(Run::Copy(first, count)) if *first + *count == start as u64 => *count += length as u64,
            _ => self.runs.push(Run::Copy(start as u64, length as u64)),
        }
    }

    fn bytes(&mut self, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.runs.push(Run::Bytes(bytes.to_vec()));
        }
    }
}

/// The candidate that an edit of `base` describes; `None` if it is none.
pub(crate) fn apply(base: &Candidate, edit: &Edit) -> Option<Candidate> {
    apply_within(MAX_CANDIDATE_BYTES, base, edit)
}

/// The same, if the candidate has at most `room` bytes.
fn apply_within(room: u64, base: &Candidate, edit: &Edit) -> Option<Candidate> {
    let mut files = Files { room, all: Vec::new(), paths: HashSet::new() };
    for part in &edit.files {
        match part {
            Part::Same(first, count) => {
                let first = usize::try_from(*first).ok()?;
                let range = first..first.checked_add(usize::try_from(*count).ok()?)?;
                base.files().get(range)?.iter().try_for_each(|file| files.add(file.clone()))?;
            }
            Part::Changed(changed) => files.add(changed.file(base, files.room)?)?,
        }
    }
    let empty = if edit.is_project { Candidate::project([]) } else { Candidate::single("f", Vec::new()) };
    Some(empty.with_files(files.all))
}

/// The files of a candidate so far, and how many bytes more it may have.
struct Files {
    room: u64,
    all: Vec<File>,
    paths: HashSet<PathBuf>,
}

impl Files {
    /// `None` if there is no room, if its path leads elsewhere, or if there is one at its path.
    fn add(&mut self, file: File) -> Option<()> {
        let is_inside = |path: &Path| path.components().all(|part| matches!(part, Component::Normal(_)));
        if file.path().as_os_str().is_empty() || !is_inside(file.path()) {
            return None;
        }
        self.room = self.room.checked_sub(file.bytes().len() as u64)?;
        // `a//b` is the path of `a/b`.
        let is_new = self.paths.insert(file.path().components().collect());
        self.all.push(file);
        is_new.then_some(())
    }
}

impl Changed {
    /// The file, unless it has more than `room` bytes.
    fn file(&self, base: &Candidate, mut room: u64) -> Option<File> {
        let from = match self.from {
            Some(index) => base.files().get(usize::try_from(index).ok()?)?.bytes(),
            None => &[],
        };
        let mut bytes = Vec::new();
        for run in &self.runs {
            let run = match run {
                Run::Copy(start, length) => {
                    let start = usize::try_from(*start).ok()?;
                    from.get(start..start.checked_add(usize::try_from(*length).ok()?)?)?
                }
                Run::Bytes(bytes) => bytes,
            };
            room = room.checked_sub(run.len() as u64)?;
            bytes.extend_from_slice(run);
        }
        Some(File::new(Path::new(&self.path), self.kind, bytes))
    }
}

/// A candidate without a base, for those who have none yet.
pub(crate) fn whole(candidate: &Candidate) -> Edit {
    Base::new(candidate.with_files([])).edit(candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(edit: &Edit) -> usize {
        postcard::to_stdvec(edit).unwrap().len()
    }

    fn lines(count: usize) -> Vec<u8> {
        (0..count).flat_map(|line| format!("  call_{line}(argument, {});\n", line * 7919 % 1000).into_bytes()).collect()
    }

    #[test]
    fn a_random_candidate_comes_back_from_its_edit() {
        for seed in 0..300 {
            let mut random = fastrand::Rng::with_seed(seed);
            let letters = random.u8(2..20);
            let text = |random: &mut fastrand::Rng| -> Vec<u8> {
                let length = random.usize(..400);
                (0..length).map(|_| b'a' + random.u8(..letters)).collect()
            };
            let mut pieces: Vec<Vec<u8>> = (0..8).map(|_| text(&mut random)).collect();
            let base = Candidate::from_files([("a", pieces.concat()), ("b/c", text(&mut random)), ("d", vec![])]);
            random.shuffle(&mut pieces);
            pieces.truncate(random.usize(1..8));
            let mut files = base.files().to_vec();
            files[0] = files[0].with_bytes(pieces.concat());
            if random.bool() {
                files[1] = files[1].at("moved");
            }
            files.remove(random.usize(..3));
            let candidate = base.with_files(files);
            let edit = Base::new(base.clone()).edit(&candidate);
            assert_eq!(apply(&base, &edit).as_ref(), Some(&candidate), "seed {seed}");
            assert_eq!(apply(&base, &whole(&candidate)).as_ref(), Some(&candidate), "seed {seed}");
        }
    }

    #[test]
    fn deleted_lines_cost_about_twenty_bytes_each() {
        let text = lines(4000);
        let base = Candidate::single("bug.c", text.clone());
        let kept = text.split_inclusive(|byte| *byte == b'\n').enumerate().filter(|(line, _)| line % 100 != 7);
        let candidate = base.with_bytes(0, kept.flat_map(|(_, line)| line.to_vec()).collect());
        let edit = Base::new(base.clone()).edit(&candidate);
        assert_eq!(apply(&base, &edit), Some(candidate));
        assert!(size(&edit) <= 40 * 24, "{} bytes for 40 deleted lines", size(&edit));
    }

    #[test]
    fn files_that_stay_cost_nothing() {
        let project = Candidate::project((0..1000).map(|n| File::new(format!("src/{n:04}.c"), Kind::Plain, lines(3))));
        let mut files = project.files().to_vec();
        files.remove(500);
        files[700] = files[700].with_bytes(b"x".to_vec());
        let candidate = project.with_files(files);
        let edit = Base::new(project.clone()).edit(&candidate);
        assert_eq!(apply(&project, &edit), Some(candidate));
        assert!(size(&edit) < 60, "{} bytes", size(&edit));
    }

    #[test]
    fn an_edit_that_makes_no_sense_makes_no_candidate() {
        let base = Candidate::single("f", vec![1; 100]);
        let edit = |path: &str, from, runs| Edit {
            is_project: false,
            files: vec![Part::Changed(Changed { path: path.into(), kind: Kind::Plain, from, runs })],
        };
        assert!(apply(&base, &edit("f", Some(0), vec![Run::Copy(50, 50)])).is_some());
        for (path, from, runs) in [
            ("f", Some(0), vec![Run::Copy(50, 51)]),
            ("f", Some(0), vec![Run::Copy(u64::MAX, 2)]),
            ("f", Some(1), vec![]),
            ("f", None, vec![Run::Copy(0, 1)]),
            ("../f", None, vec![]),
            ("/f", None, vec![]),
            ("", None, vec![]),
        ] {
            assert_eq!(apply(&base, &edit(path, from, runs)), None, "{path} {from:?}");
        }
        let large = Candidate::single("f", vec![0; 1 << 20]);
        assert_eq!(apply(&large, &edit("f", Some(0), vec![Run::Copy(0, 1 << 20); 1025])), None);
        assert_eq!(apply(&base, &Edit { is_project: true, files: vec![Part::Same(0, 2)] }), None);
    }

    #[test]
    fn an_edit_cannot_have_a_path_twice_or_more_bytes_than_a_candidate_may() {
        let file = |path: &str, bytes| File::new(path, Kind::Plain, vec![0; bytes]);
        let base = Candidate::project([file("a", 4), file("b/c", 1)]);
        let empty = |path: &str| Changed { path: path.into(), kind: Kind::Plain, from: None, runs: vec![] };
        let is_candidate = |files| apply_within(10, &base, &Edit { is_project: true, files }).is_some();
        assert!(is_candidate(vec![Part::Same(0, 2), Part::Changed(empty("d"))]));
        assert!(!is_candidate(vec![Part::Same(0, 2), Part::Same(1, 1)]));
        assert!(!is_candidate(vec![Part::Same(1, 1), Part::Changed(empty("b//c"))]));
        assert!(!is_candidate(vec![Part::Changed(empty("d")), Part::Changed(empty("d"))]));
        // What stays counts as much as what is new.
        let large =
            |path: &str| Part::Changed(Changed { from: Some(0), runs: vec![Run::Copy(0, 4); 2], ..empty(path) });
        assert!(is_candidate(vec![Part::Same(1, 1), large("c")]));
        assert!(!is_candidate(vec![Part::Same(0, 1), large("c")]));
        assert!(!is_candidate(vec![large("c"), Part::Same(0, 1)]));
    }
}
