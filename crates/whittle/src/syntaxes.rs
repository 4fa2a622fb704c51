//! Which syntax each file of a candidate has, and what its size is by that.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use whittle_grammars::{Grammar, GrammarError};
use whittle_languages::Language;
use whittle_search::{Candidate, File, LayoutMeasure, Measure, Size};
use whittle_trees::{Fault, Limits, Syntax, SyntaxCheck, Unparsed, Workshop};

use crate::guess::guess;
use crate::own::{AnyLanguage, OwnLanguage};
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
    /// This one, all of them; its grammar was read at run time.
    Own(Arc<OwnLanguage>),
    /// Those of these that a file's name says, otherwise as `Detect`.
    DetectWith(Arc<[Arc<OwnLanguage>]>),
}

impl LanguageChoice {
    /// The language of a file by this choice.
    pub fn of(&self, path: &Path, bytes: &[u8]) -> Option<Chosen> {
        let certain = |language| Chosen { language: AnyLanguage::BuiltIn(language), guessed: None };
        match self {
            Self::DetectWith(own) => of_these(own, path).or_else(|| Self::Detect.of(path, bytes)),
            Self::Detect => Language::detect(path, bytes).map(certain).or_else(|| {
                let language = |guess| AnyLanguage::BuiltIn(guess);
                guess(bytes).map(|guess| Chosen { language: language(guess.language), guessed: Some(guess.recognized) })
            }),
            Self::Text => None,
            Self::Is(language) => Some(certain(language)),
            Self::Own(language) => Some(Chosen { language: AnyLanguage::Own(Arc::clone(language)), guessed: None }),
        }
    }
}

/// The language that a file's name says.
fn of_these(own: &[Arc<OwnLanguage>], path: &Path) -> Option<Chosen> {
    let language = own.iter().find(|language| language.is_of(path))?;
    Some(Chosen { language: AnyLanguage::Own(Arc::clone(language)), guessed: None })
}

/// A language in use.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// The language.
    pub language: AnyLanguage,
    /// If it is a guess: the part of the text that the parser takes, of 1.
    pub guessed: Option<f64>,
}

impl Chosen {
    /// The parser and the grammar.
    pub fn syntax(&self) -> Result<Syntax, GrammarError> {
        self.language.syntax()
    }
}

impl From<&Chosen> for LanguageChoice {
    fn from(chosen: &Chosen) -> Self {
        match &chosen.language {
            AnyLanguage::BuiltIn(language) => Self::Is(language),
            AnyLanguage::Own(language) => Self::Own(Arc::clone(language)),
        }
    }
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

/// The syntax of each file of an input, by number; `None` for a file of an unknown language.
#[derive(Clone, Debug)]
pub struct Syntaxes {
    files: Vec<Option<(Chosen, Syntax)>>,
    is_project: bool,
}

impl Syntaxes {
    /// The syntax of each file of an input.
    pub fn choose(choice: &LanguageChoice, input: &Candidate) -> Result<Self, GrammarError> {
        let with_syntax = |chosen: Chosen| {
            let syntax = chosen.syntax()?.with_new_record();
            Ok::<_, GrammarError>((chosen, syntax))
        };
        let chosen: Vec<_> = match input.is_project() {
            false => input.files().iter().map(|file| choice.of(file.path(), file.bytes())).collect(),
            true => chosen_in_project(choice, input),
        };
        let files = chosen.into_iter().map(|chosen| chosen.map(with_syntax).transpose());
        Ok(Self { files: files.collect::<Result<_, _>>()?, is_project: input.is_project() })
    }

    /// The syntax of a file.
    fn of(&self, file: &File) -> Option<&Syntax> {
        self.files.get(file.number())?.as_ref().map(|(_, syntax)| syntax)
    }

    /// Whether they are of a project.
    pub fn are_of_project(&self) -> bool {
        self.is_project
    }

    /// Whether any file has one.
    pub fn any(&self) -> bool {
        self.files.iter().any(Option::is_some)
    }

    /// Whether no file is known for certain to be in its language.
    pub fn are_guessed(&self) -> bool {
        self.files.iter().flatten().all(|(chosen, _)| chosen.guessed.is_some())
    }

    /// The language of the first file, if it has one.
    pub fn first_language(&self) -> Option<&Chosen> {
        self.files.first()?.as_ref().map(|(chosen, _)| chosen)
    }

    /// The languages in use, each once, with the number of files that are in it, the most frequent first.
    pub fn languages(&self) -> Vec<(&AnyLanguage, usize)> {
        let mut counts: BTreeMap<&str, (&AnyLanguage, usize)> = BTreeMap::new();
        for (chosen, _) in self.files.iter().flatten() {
            counts.entry(chosen.language.name()).or_insert((&chosen.language, 0)).1 += 1;
        }
        let mut counts: Vec<_> = counts.into_values().collect();
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        counts
    }

    /// What sizes count.
    pub fn unit(&self) -> SizeUnit {
        if self.any() || self.is_project { SizeUnit::Tokens } else { SizeUnit::Bytes }
    }

    /// The syntax of the first file, if it has one.
    pub fn first(&self) -> Option<&Syntax> {
        self.files.first()?.as_ref().map(|(_, syntax)| syntax)
    }

    /// The names of the grammars, one for each file that has one.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.files.iter().flatten().map(|(_, syntax)| syntax.name())
    }

    /// What size means: tokens and parse errors where there is a syntax, bytes where there is none or where a file is
    /// too much for the parser. In a project, words and signs take the place of bytes, which are not comparable with tokens.
    pub fn measure(&self) -> Measure {
        let syntaxes = self.clone();
        Arc::new(move |candidate| {
            let mut size = Size::uncounted(candidate);
            let is_parsed = syntaxes.are_parsed(candidate);
            for file in candidate.files() {
                let counted = syntaxes.of(file).filter(|_| is_parsed).and_then(|syntax| syntax.count_of(file));
                let uncounted = || if syntaxes.is_project { file.words() } else { file.bytes().len() as u64 };
                size.units += counted.map_or_else(uncounted, |count| count.tokens);
                size.errors += counted.map_or(0, |count| count.errors);
            }
            size
        })
    }

    /// Whether the files of a candidate are parsed at all. Parses take many times the memory of a text, so a project is not
    /// parsed before it is as small as a file must be.
    fn are_parsed(&self, candidate: &Candidate) -> bool {
        let texts = candidate.files().iter().filter(|file| self.of(file).is_some());
        !self.is_project || texts.map(|file| file.bytes().len()).sum::<usize>() <= Limits::default().bytes
    }

    /// The languages whose parsers do not read a file of a candidate, and why not. Such a file has a generic tree.
    pub fn refusals(&self, candidate: &Candidate) -> BTreeSet<(String, Unparsed)> {
        let refusal = |file: &File| {
            let (chosen, syntax) = self.files.get(file.number())?.as_ref()?;
            Some((chosen.language.title().to_owned(), syntax.refusal_of(file)?))
        };
        let files = candidate.files().iter();
        if self.are_parsed(candidate) { files.filter_map(refusal).collect() } else { BTreeSet::new() }
    }

    /// The languages whose parsers have failed so far, on any candidate, and how.
    pub fn faults(&self) -> BTreeSet<(String, Fault)> {
        let of_file = |(chosen, syntax): &(Chosen, Syntax)| {
            let title = chosen.language.title().to_owned();
            syntax.faults().into_iter().map(move |fault| (title.clone(), fault))
        };
        self.files.iter().flatten().flat_map(of_file).collect()
    }

    /// How whitespace is compared by a strategy: if it lays out texts, by how much of it is out of place.
    pub fn layout_for(&self, strategy: &Strategy) -> Option<LayoutMeasure> {
        let syntaxes = self.clone();
        let distance = move |file: &File| {
            syntaxes.of(file).map_or(0, |syntax| syntax.tree_of(file).misplaced_whitespace().len() as u64)
        };
        strategy.lays_out().then(|| LayoutMeasure::new(distance))
    }

    /// A workshop for each file of the input, with the same check of syntax.
    pub fn workshops(&self, check: SyntaxCheck) -> Vec<Workshop> {
        let syntaxes = self.files.iter().map(|syntax| syntax.as_ref().map(|(_, syntax)| syntax.clone()));
        syntaxes.enumerate().map(|(file, syntax)| Workshop { file, syntax, check }).collect()
    }
}

/// The languages of the files of a project. Nothing is guessed: there may be thousands of files, and most that have no
/// known name are data. A header is C++ if the project has sources in C++ and none in C.
fn chosen_in_project(choice: &LanguageChoice, input: &Candidate) -> Vec<Option<Chosen>> {
    let detect = |file: &File| match choice {
        LanguageChoice::Text => None,
        _ if !file.kind().has_content() => None,
        _ => Language::detect(file.path(), file.bytes()),
    };
    let has = |extensions: &[&str]| {
        let extension =
            |file: &File| file.path().extension().and_then(|text| text.to_str()).unwrap_or_default().to_owned();
        input.files().iter().any(|file| extensions.contains(&extension(file).as_str()))
    };
    let cpp = Language::by_name("cpp").filter(|_| has(&["cc", "cpp", "cxx"]) && !has(&["c"]));
    let of = |file: &File| {
        let is_header = file.path().extension().is_some_and(|extension| extension == "h");
        detect(file).map(|language| cpp.filter(|_| is_header).unwrap_or(language))
    };
    let certain = |language| Chosen { language: AnyLanguage::BuiltIn(language), guessed: None };
    let own = |file: &File| match choice {
        LanguageChoice::DetectWith(own) if file.kind().has_content() => of_these(own, file.path()),
        _ => None,
    };
    input.files().iter().map(|file| own(file).or_else(|| of(file).map(certain))).collect()
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
