//! Which passes run, in which order, until when.
//!
//! A step reduces every file of the best candidate by trees, by units of text or token by token. Steps take turns until
//! none of them finds anything.
//!
//! A pass goes over a file once, and the strategy repeats it. Four algorithms also loop themselves:
//! - [`TreeAlgorithm`]: `hdd*`, `gtr*` and Perses are published as fixpoints, and fast passes repeat while each halves the
//!   text;
//! - [`TreePass::Splices`]: every success makes new stretches, for few tests;
//! - [`GReduce`](whittle_traces::GReduce) by levels, which the paper repeats until the trace is no shorter;
//! - [`Shrink`](whittle_traces::Shrink), which is the strategy for traces.

mod bundle;
mod crates;
mod directives;
mod file_names;
mod files;
mod joins;
mod one_file;
mod project;
mod shorten;
mod turns;

use whittle_grammars::Alphabet;
use whittle_lists::{Algorithm, EmptyFirst, ProbabilityOptions, TooLong, Unit, Units};
use whittle_search::{Candidate, Search, SizeOrder, Stop};
use whittle_tokens::{TokenAlgorithm, TokenReducer};
use whittle_trees::{Memory, RuleSet, RuleTier, TreeAlgorithm, TreeFile, TreeOptions, TreePass, TreeReducer, Workshop};

use crate::external::ExternalPass;
use crate::syntaxes::Syntaxes;
use one_file::OneFile;
use project::OtherFiles;
use shorten::shorten;
use turns::Turn;

pub use project::ProjectFacts;

/// What is done to make a candidate small.
#[derive(Clone, Debug)]
pub struct Strategy {
    /// What is done, coarse to fine.
    pub steps: Vec<Step>,
    /// How often, and who is next.
    pub turns: Turns,
    /// What is done once in the end: what it changes makes no difference to the others.
    pub last: Vec<Step>,
    /// Whether a failed edit is retried only after the code around it changes. The promise that no single part can be
    /// deleted within the syntax holds all the same.
    pub remembers: bool,
    /// Options of single tree reducers.
    pub trees: TreeOptions,
    /// More rules than the built-in ones.
    pub rules: RuleSet,
    /// Which candidates count as smaller. The caller starts the search with it.
    pub order: SizeOrder,
    /// What is done to files of a project that have no syntax; `None`: the same as to others.
    others: Option<OtherFiles>,
    /// Whether a file that is too long for a tree loses large parts of its text first.
    begins_with_text: bool,
}

/// When steps run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turns {
    /// Each once.
    Once,
    /// In rounds, until a whole round changes nothing.
    Rounds,
    /// The one from which most is expected is next, until none finds anything.
    ByGain,
}

/// How much a small result is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// What the syntax allows to delete, laid out.
    Quick,
    /// Canonical tokens, and what goes only together.
    #[default]
    Normal,
    /// All that there is.
    Max,
}

/// One way to reduce a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// As a list of pieces of text.
    Text(Unit, Algorithm),
    /// As a tree.
    Tree(TreeAlgorithm),
    /// As a tree, by the coarse passes of an algorithm only.
    Coarse(TreeAlgorithm),
    /// Token by token.
    Tokens(TokenAlgorithm),
    /// By one pass over its tree, such as edits of several places at once.
    Pass(TreePass),
    /// By what another program proposes.
    External(ExternalPass),
}

/// Why a strategy ended without an answer to "is anything left to remove?".
#[derive(Debug, thiserror::Error)]
pub enum Unfinished {
    /// The search was stopped.
    #[error(transparent)]
    Stopped(#[from] Stop),
    /// A file is larger than a list can be.
    #[error(transparent)]
    TooLong(#[from] TooLong),
}

impl Strategy {
    /// Steps and their turns, and no more. If all of them only delete text or rewrite tokens, the order is that of
    /// the text, so that every interesting subset is accepted, as the algorithms are published
    /// (`docs/decisions/0008-two-orders.md`).
    pub fn new(steps: Vec<Step>, turns: Turns) -> Self {
        let order = if steps.iter().all(Step::keeps_text_order) { SizeOrder::Text } else { SizeOrder::Units };
        Self {
            steps,
            turns,
            last: Vec::new(),
            remembers: false,
            trees: TreeOptions::default(),
            rules: RuleSet::default(),
            order,
            others: None,
            begins_with_text: false,
        }
    }

    /// The default for an input.
    pub fn suiting(syntaxes: &Syntaxes, input: &Candidate, effort: Effort) -> Self {
        let bytes = input.files().first().map_or(&[][..], |file| file.bytes());
        match syntaxes.any() {
            _ if input.is_project() => Self::for_project(effort),
            false => Self::for_unknown(bytes),
            true if syntaxes.are_guessed() => Self::for_guess(bytes, effort),
            true => Self::for_syntax(bytes, effort),
        }
    }

    /// The default for a file whose language is a guess: as if it were known, and then by text alone, because the file's
    /// own syntax may allow more.
    fn for_guess(bytes: &[u8], effort: Effort) -> Self {
        let mut strategy = Self::for_syntax(bytes, effort);
        if effort != Effort::Quick {
            let by_text = Self::for_text(bytes, Algorithm::default()).steps;
            let more: Vec<Step> = by_text.into_iter().filter(|step| !strategy.steps.contains(step)).collect();
            strategy.steps.extend(more);
        }
        strategy
    }

    /// The default for a file of a known language, from coarse to fine.
    pub fn for_syntax(bytes: &[u8], effort: Effort) -> Self {
        let lists = lists_in_trees();
        let by = |unit: Unit| Step::Text(unit, Algorithm::default());
        let mut steps = vec![Step::Tree(TreeAlgorithm { reducer: TreeReducer::Perses, repeated: true, lists })];
        if effort != Effort::Quick {
            // Before tokens become canonical: a long string loses words for fewer tests than characters.
            steps.push(Step::Pass(TreePass::Texts));
            steps.extend(TreePass::JOINT.map(Step::Pass));
            // Earlier, it found more where variables are not merged yet, but a bug of UglifyJS ended at 28 tokens, not 26.
            steps.push(Step::Pass(TreePass::Rewriting(RuleTier::Usual)));
            steps.push(Step::Tokens(TokenAlgorithm::new(TokenReducer::Canon, lists)));
            steps.extend(TreePass::VULCAN.map(Step::Pass));
            steps.push(Step::Pass(TreePass::Tokens));
            steps.push(Step::Pass(TreePass::LooseParts));
            let late = if effort == Effort::Max { RuleTier::LateThorough } else { RuleTier::Late };
            steps.push(Step::Pass(TreePass::Rewriting(late)));
        }
        if effort == Effort::Max {
            steps.extend(TreePass::VULCAN_WIDE.map(Step::Pass));
            steps.extend([by(Unit::Line), by(smallest_unit(bytes))]);
        }
        Self {
            last: vec![layout(lists)],
            remembers: effort != Effort::Max,
            order: SizeOrder::Units,
            begins_with_text: true,
            ..Self::new(steps, Turns::ByGain)
        }
    }

    /// The default for a file of no known language: its generic tree of brackets, indentation and separators, then
    /// names and numbers by their look, then text alone. Characters come last: they take away line ends, which others
    /// need.
    pub fn for_unknown(bytes: &[u8]) -> Self {
        let lists = lists_in_trees();
        let tree = Step::Tree(TreeAlgorithm { reducer: TreeReducer::Perses, repeated: true, lists });
        let tokens = Step::Tokens(TokenAlgorithm::new(TokenReducer::Canon, lists));
        let by_tree = [tree, Step::Pass(TreePass::Splices), tokens];
        let by_text = Self::for_text(bytes, Algorithm::default()).steps;
        let steps = by_tree.into_iter().chain(by_text).collect();
        Self { order: SizeOrder::Units, begins_with_text: true, ..Self::new(steps, Turns::Rounds) }
    }

    /// A file as text alone: lines, then words, then characters; bytes in place of characters if it is not text.
    pub fn for_text(bytes: &[u8], algorithm: Algorithm) -> Self {
        let units = [Unit::Line, Unit::Word, smallest_unit(bytes)];
        let steps = units.map(|unit| Step::Text(unit, algorithm)).to_vec();
        Self::new(steps, Turns::Rounds)
    }

    /// One tree algorithm and nothing else.
    pub fn of_tree(algorithm: TreeAlgorithm) -> Self {
        Self::new(vec![Step::Tree(algorithm)], Turns::Once)
    }

    /// A tree algorithm and what comes after it in turn until neither finds anything, as Algorithm 1 of T-Rec has it.
    /// With a token reducer, the layout becomes canonical at the end.
    pub fn of_tree_and(tree: TreeAlgorithm, more: impl IntoIterator<Item = Step>) -> Self {
        let steps: Vec<Step> = std::iter::once(Step::Tree(tree)).chain(more).collect();
        let has_tokens = steps.iter().any(|step| matches!(step, Step::Tokens(_)));
        let last = has_tokens.then(|| layout(tree.lists)).into_iter().collect();
        Self { last, ..Self::new(steps, Turns::Rounds) }
    }

    /// The same, with names in the order of another alphabet.
    pub fn in_alphabet(mut self, alphabet: &Alphabet) -> Self {
        for step in self.steps.iter_mut().chain(&mut self.last) {
            if let Step::Tokens(algorithm) = step {
                algorithm.alphabet = alphabet.clone();
            }
        }
        self
    }

    /// The same, with whitespace left as it is at the end.
    pub fn without_layout(mut self) -> Self {
        self.last.retain(|step| !step.is_reducer(TokenReducer::Layout));
        self
    }

    /// Whether whitespace becomes canonical, which then decides between candidates that differ in nothing else.
    pub fn lays_out(&self) -> bool {
        self.steps.iter().chain(&self.last).any(|step| step.is_reducer(TokenReducer::Layout))
    }

    /// Whether names become others.
    pub fn gives_names(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::Tokens(algorithm) if algorithm.reducer.gives_names()))
    }

    /// Whether it ends only when nothing more can be removed by its own means.
    pub fn is_fixpoint(&self) -> bool {
        self.turns != Turns::Once || self.steps.iter().all(Step::is_fixpoint)
    }

    /// Runs the steps in their turns. There is a workshop for each file of the input, by number.
    pub fn run(&self, search: &mut Search, workshops: &[Workshop]) -> Result<(), Unfinished> {
        self.run_with(search, workshops, &ProjectFacts::default())
    }

    /// The same, with what is known about a project.
    pub fn run_with(
        &self,
        search: &mut Search,
        workshops: &[Workshop],
        facts: &ProjectFacts,
    ) -> Result<(), Unfinished> {
        let workshops: Vec<Workshop> = workshops.iter().map(|workshop| workshop.with_rules(&self.rules)).collect();
        match search.best().candidate.is_project() {
            true => self.run_project(search, &workshops, facts),
            false => {
                // Text needs no workshop.
                let workshop = workshops.into_iter().next().unwrap_or_default();
                if self.begins_with_text {
                    shorten(search, &workshop)?;
                }
                OneFile::new(self.clone(), workshop).run(search)
            }
        }
    }

    /// Runs a step on one file, with what is known to fail in it.
    fn run_on_file(
        &self,
        step: &Step,
        turn: Turn,
        search: &mut Search,
        workshop: &Workshop,
        memory: Option<&Memory>,
    ) -> Result<(), Unfinished> {
        match step {
            Step::Text(unit, algorithm) => {
                search.pass(&format!("{unit}s"), |search| reduce_by(*unit, *algorithm, workshop.file, search))?;
            }
            Step::Tokens(algorithm) => algorithm.run(search, workshop)?,
            Step::Pass(pass) => pass.run(search, workshop, memory)?,
            Step::External(pass) => pass.run(search, workshop.file)?,
            Step::Coarse(algorithm) => {
                algorithm.run_coarsely(search, TreeFile { workshop, memory, options: &self.trees })?;
            }
            Step::Tree(algorithm) => {
                let file = TreeFile { workshop, memory, options: &self.trees };
                match turn {
                    Turn::First => algorithm.run(search, file)?,
                    Turn::Later => algorithm.run_again(search, file)?,
                }
            }
        }
        Ok(())
    }
}

impl Step {
    /// Whether a second run right after it would find nothing.
    fn is_fixpoint(&self) -> bool {
        matches!(self, Self::Tree(algorithm) if algorithm.repeated)
    }

    /// Whether it has a turn only when no other step finds anything.
    fn is_late(&self) -> bool {
        match self {
            Self::Pass(TreePass::Rewriting(tier)) => *tier != RuleTier::Usual,
            Self::Pass(TreePass::LooseParts) => true,
            _ => false,
        }
    }

    /// Whether it leaves nothing that is worth a second run before something else has changed.
    fn is_thorough(&self) -> bool {
        self.is_fixpoint() || self.is_reducer(TokenReducer::Canon)
    }

    /// Whether it needs no count of tokens to see that a candidate is smaller. Replacing a node by a text from elsewhere
    /// can save tokens and cost bytes.
    fn keeps_text_order(&self) -> bool {
        match self {
            Self::Text(..) | Self::Tokens(_) => true,
            Self::Tree(algorithm) | Self::Coarse(algorithm) => algorithm.reducer != TreeReducer::PersesSmallest,
            Self::Pass(_) | Self::External(_) => false,
        }
    }

    /// The coarse passes of this step alone, if it has any.
    fn coarse(&self) -> Option<Self> {
        match self {
            Self::Tree(algorithm) => Some(Self::Coarse(*algorithm)),
            _ => None,
        }
    }

    /// Whether it edits a name wherever it occurs, which may be in several files.
    fn edits_names(&self) -> bool {
        match self {
            Self::Pass(pass) => TreePass::JOINT.contains(pass) || matches!(pass, TreePass::Rewriting(_)),
            Self::Tokens(algorithm) => algorithm.reducer.gives_names(),
            Self::Text(..) | Self::Tree(_) | Self::Coarse(_) | Self::External(_) => false,
        }
    }

    fn is_reducer(&self, reducer: TokenReducer) -> bool {
        matches!(self, Self::Tokens(algorithm) if algorithm.reducer == reducer)
    }
}

/// The list algorithm of tree and token reducers, unless another one is chosen
/// (`docs/decisions/0011-list-algorithm-of-the-default.md`).
pub fn lists_in_trees() -> Algorithm {
    Algorithm::Probdd(ProbabilityOptions::default()).swept()
}

fn layout(lists: Algorithm) -> Step {
    Step::Tokens(TokenAlgorithm::new(TokenReducer::Layout, lists))
}

fn smallest_unit(bytes: &[u8]) -> Unit {
    if std::str::from_utf8(bytes).is_ok() { Unit::Char } else { Unit::Byte }
}

/// Deletes pieces of a file. A second run that finds nothing to delete changes nothing.
fn reduce_by(unit: Unit, algorithm: Algorithm, file: usize, search: &mut Search) -> Result<(), Unfinished> {
    let base = search.best().candidate.clone();
    let units = Units::cut(base.files()[file].shared_bytes(), unit)?;
    let minimizer = EmptyFirst::new(algorithm.minimizer(&units.weights()));
    search.run(minimizer, move |kept| Some(base.with_bytes(file, units.render(kept))))?;
    Ok(())
}
