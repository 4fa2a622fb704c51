//! Which syntax each file of a candidate has, and what its size is by that.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use whittle_grammars::{Grammar, GrammarError};
use whittle_languages::Language;
use whittle_search::{Candidate, LayoutMeasure, Measure, Size, count_solid};
use whittle_trees::{Syntax, SyntaxCheck, Workshop};

use crate::guess::guess;
use crate::strategy::Strategy;

/// Which language the files of an input are in.
#[derive(Clone, Debug, Default)]
pub enum LanguageChoice {
    /// Each by its name, extension, `#!` line or first lines; if none of them is known, by what it looks like.
    #[default]
    Detect,
    /// None: plain text.
    Text,
    /// This one, all of them.
    Is(&'static Language),
}

impl LanguageChoice {
    /// The language of a file by this choice.
    pub fn of(&self, path: &Path, bytes: &[u8]) -> Option<Chosen> {
        let certain = |language| Chosen { language, guessed: None };
        match self {
            Self::Detect => Language::detect(path, bytes).map(certain).or_else(|| {
                guess(bytes).map(|guess| Chosen { language: guess.language, guessed: Some(guess.recognized) })
            }),
            Self::Text => None,
            Self::Is(language) => Some(certain(language)),
        }
    }
}

/// A language in use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chosen {
    /// The language.
    pub language: &'static Language,
    /// If it is a guess: the part of the text that the parser takes, of 1.
    pub guessed: Option<f64>,
}

/// What sizes count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeUnit {
    /// Tokens of a known language.
    Tokens,
    /// Bytes.
    Bytes,
}

impl fmt::Display for SizeUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tokens => "tokens",
            Self::Bytes => "bytes",
        })
    }
}

/// The syntax of each file; `None` for a file of an unknown language.
#[derive(Clone, Debug)]
pub struct Syntaxes(Vec<Option<(Chosen, Syntax)>>);

impl Syntaxes {
    /// The syntax of each file of a candidate.
    pub fn choose(choice: &LanguageChoice, candidate: &Candidate) -> Result<Self, GrammarError> {
        let with_syntax = |chosen: Chosen| Ok((chosen, syntax(chosen.language)?));
        let chosen =
            candidate.files().iter().map(|file| choice.of(file.path(), file.bytes()).map(with_syntax).transpose());
        chosen.collect::<Result<_, _>>().map(Self)
    }

    /// Whether any file has one.
    pub fn any(&self) -> bool {
        self.0.iter().any(Option::is_some)
    }

    /// Whether no file is known for certain to be in its language.
    pub fn are_guessed(&self) -> bool {
        self.0.iter().flatten().all(|(chosen, _)| chosen.guessed.is_some())
    }

    /// The language of the first file, if it has one.
    pub fn first_language(&self) -> Option<Chosen> {
        self.0.first()?.as_ref().map(|(chosen, _)| *chosen)
    }

    /// What sizes count.
    pub fn unit(&self) -> SizeUnit {
        if self.any() { SizeUnit::Tokens } else { SizeUnit::Bytes }
    }

    /// The syntax of the first file, if it has one.
    pub fn first(&self) -> Option<&Syntax> {
        self.0.first()?.as_ref().map(|(_, syntax)| syntax)
    }

    /// The names of the grammars, one for each file that has one.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().flatten().map(|(_, syntax)| syntax.name())
    }

    /// What size means: tokens and parse errors where there is a syntax, bytes where there is none or where a file is
    /// too much for the parser.
    pub fn measure(&self) -> Measure {
        let syntaxes = self.0.clone();
        Arc::new(move |candidate| {
            let mut size = Size { units: 0, solid: count_solid(candidate), errors: 0 };
            for (file, syntax) in candidate.files().iter().zip(&syntaxes) {
                let counted = syntax.as_ref().and_then(|(_, syntax)| syntax.count_of(file));
                size.units += counted.map_or(file.bytes().len() as u64, |count| count.tokens);
                size.errors += counted.map_or(0, |count| count.errors);
            }
            size
        })
    }

    /// How whitespace is compared by a strategy: if it lays out texts, by how much of it is out of place.
    pub fn layout_for(&self, strategy: &Strategy) -> Option<LayoutMeasure> {
        let syntaxes = self.0.clone();
        let distance = move |candidate: &Candidate| {
            let files = candidate.files().iter().zip(&syntaxes);
            let trees = files.filter_map(|(file, syntax)| Some(syntax.as_ref()?.1.tree_of(file)));
            trees.map(|tree| tree.misplaced_whitespace().len() as u64).sum()
        };
        strategy.lays_out().then(|| LayoutMeasure::new(distance))
    }

    /// A workshop for each file, with the same check of syntax.
    pub fn workshops(&self, check: SyntaxCheck) -> Vec<Workshop> {
        let syntaxes = self.0.iter().map(|syntax| syntax.as_ref().map(|(_, syntax)| syntax.clone()));
        syntaxes.enumerate().map(|(file, syntax)| Workshop { file, syntax, check }).collect()
    }
}

/// The syntax of a built-in language. It is made once: reading a grammar takes as long as many tests.
pub fn syntax(language: &Language) -> Result<Syntax, GrammarError> {
    static MADE: Mutex<BTreeMap<&str, Syntax>> = Mutex::new(BTreeMap::new());
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(syntax) = made.get(language.name) {
        return Ok(syntax.clone());
    }
    let syntax = Syntax::new(language.tree_sitter(), Grammar::from_tree_sitter(&language.grammar_json())?);
    made.insert(language.name, syntax.clone());
    Ok(syntax)
}
