//! [`Piece`]: the tokens of one file, their texts so far, and how other texts are tried.

use std::collections::HashSet;
use std::sync::Arc;

use whittle_grammars::{Alphabet, Grammar};
use whittle_lists::{Algorithm, EmptyFirst, Subset, Weights};
use whittle_search::{Candidate, Halves, Search, Stop};
use whittle_trees::{Editable, StageOf, Tree, Work, Workshop};

use crate::reading::{Change, Reading};
use crate::token::{Token, TokenKind, mark_of, tokens_of};

/// How many texts of a token's type are looked at to find names, to bound the time. Not measured.
const MAX_TEXTS: usize = 1 << 16;

/// Another text for some tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewrite {
    /// The numbers of the tokens.
    pub tokens: Vec<usize>,
    /// What each of them becomes.
    pub text: String,
}

/// The tokens of a file that are being changed.
#[derive(Clone)]
pub(crate) struct Piece<'a> {
    pub(crate) alphabet: &'a Alphabet,
    /// The tokens, and their texts so far.
    pub(crate) work: Work<Shared>,
}

/// What is tried for one token.
pub(crate) type Stage = StageOf<Shared>;

/// What the workers need to make candidates.
pub(crate) struct Shared {
    pub(crate) base: Candidate,
    pub(crate) file: usize,
    pub(crate) tokens: Vec<Token>,
    /// How the text is read; without it nothing is checked.
    pub(crate) reading: Option<Reading>,
    pub(crate) grammar: Option<Arc<Grammar>>,
}

impl Editable for Shared {
    type Edit = Vec<Rewrite>;
    /// The text of each token.
    type Edits = Vec<String>;

    fn with(texts: &Vec<String>, rewrites: &Vec<Rewrite>) -> Vec<String> {
        let mut texts = texts.clone();
        for rewrite in rewrites {
            for &token in &rewrite.tokens {
                texts[token].clone_from(&rewrite.text);
            }
        }
        texts
    }

    fn render(&self, texts: &Vec<String>) -> Option<Candidate> {
        let original = self.base.files()[self.file].bytes();
        let mut text = Vec::with_capacity(original.len());
        let mut changes = Vec::new();
        let mut position = 0;
        for (token, new) in self.tokens.iter().zip(texts) {
            text.extend_from_slice(&original[position..token.range.start]);
            let start = text.len();
            text.extend_from_slice(new.as_bytes());
            position = token.range.end;
            if *new != token.text {
                changes.push(Change { old: token.range.clone(), new: start..text.len(), is_single: token.is_single });
            }
        }
        text.extend_from_slice(&original[position..]);
        let candidate = self.base.with_bytes(self.file, text);
        let file = &candidate.files()[self.file];
        self.reading.as_ref().is_none_or(|reading| reading.is_kept_by(file, &changes)).then_some(candidate)
    }
}

impl<'a> Piece<'a> {
    /// The file of the best candidate; `None` if it is too much for its parser. Without a syntax, tokens are what looks
    /// like words, numbers and literals.
    pub(crate) fn take(search: &Search, workshop: &Workshop, alphabet: &'a Alphabet) -> Option<Self> {
        let base = search.best().candidate.clone();
        let file = &base.files()[workshop.file];
        let Some(syntax) = workshop.syntax.as_ref() else {
            let tokens = tokens_of(&Tree::generic(file.bytes()));
            return Some(Self::new(
                Shared { base, file: workshop.file, tokens, reading: None, grammar: None },
                alphabet,
            ));
        };
        let tokens = tokens_of(&syntax.tree_from_scratch(file));
        let reading = Some(Reading::new(syntax, file)?);
        let grammar = Some(Arc::clone(syntax.grammar()));
        Some(Self::new(Shared { base, file: workshop.file, tokens, reading, grammar }, alphabet))
    }

    pub(crate) fn new(shared: Shared, alphabet: &'a Alphabet) -> Self {
        let texts = shared.tokens.iter().map(|token| token.text.clone()).collect();
        Self { alphabet, work: Work::new(shared, texts) }
    }

    /// The tokens before any change.
    pub(crate) fn tokens(&self) -> &[Token] {
        &self.work.original().tokens
    }

    /// The text of a token so far.
    pub(crate) fn text(&self, token: usize) -> &str {
        &self.work.so_far()[token]
    }

    /// The tokens of one kind that have a text.
    pub(crate) fn with_text(&self, text: &str, kind: TokenKind) -> Vec<usize> {
        let has_it = |&token: &usize| self.text(token) == text && self.tokens()[token].kind == kind;
        (0..self.tokens().len()).filter(has_it).collect()
    }

    /// The names that are used so far, each once, in the order of their first use.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut seen = HashSet::new();
        let names = self.tokens().iter().zip(self.work.so_far()).filter(|(token, _)| token.kind == TokenKind::Name);
        names.map(|(_, text)| text).filter(|text| seen.insert(text.as_str())).cloned().collect()
    }

    /// The names that a token could have, in order: no longer than its own, with the mark that it begins with, and no
    /// keywords.
    pub(crate) fn possible_names(&self, token: usize) -> impl Iterator<Item = String> + '_ {
        let name = self.text(token);
        let mark = mark_of(name);
        let texts = self.tokens()[token].rule.texts(self.alphabet, name.chars().count());
        let is_keyword =
            |text: &str| self.work.original().grammar.as_ref().is_some_and(|grammar| grammar.is_keyword(text));
        // Marks come late in the order: where they are long, the search for names stops early.
        let texts = texts.take(MAX_TEXTS);
        texts.filter(move |text| mark_of(text) == mark && text.len() > mark.len() && !is_keyword(text))
    }

    /// Whether a text comes before another one.
    pub(crate) fn is_below(&self, text: &str, other: &str) -> bool {
        self.alphabet.compare(text, other).is_lt()
    }

    /// A stage that tries other texts for all tokens that have the text of this one, then for this one alone: the
    /// paper's `replaceIfPassTest`, for each text until one works.
    pub(crate) fn replacing(&self, token: usize, texts: &[String]) -> Stage {
        let alike = self.with_text(self.text(token), self.tokens()[token].kind);
        let mut edits = Vec::new();
        for text in texts {
            if alike.len() > 1 {
                edits.push(vec![Rewrite { tokens: alike.clone(), text: text.clone() }]);
            }
            edits.push(vec![Rewrite { tokens: vec![token], text: text.clone() }]);
        }
        self.work.first_of(edits)
    }

    /// A stage in which a minimizer chooses among `len` elements; `rewrite` spells those that stay, if they are enough.
    pub(crate) fn choosing(
        &self,
        lists: Algorithm,
        len: usize,
        rewrite: impl Fn(&Subset) -> Option<Rewrite> + Send + Sync + 'static,
    ) -> Stage {
        let minimizer = EmptyFirst::not_empty(lists.coarse_first(&Weights::uniform(len)));
        self.work.list(minimizer, None, move |kept| Some(vec![rewrite(kept)?]))
    }

    /// Tries edits one after the other until one works; `true` if one does.
    pub(crate) fn first_of(&mut self, search: &mut Search, edits: Vec<Vec<Rewrite>>) -> Result<bool, Stop> {
        let stage = self.work.first_of(edits);
        Ok(self.work.run_stage(search, stage)?.taken().is_some())
    }

    /// Tries all rewrites together, then in halves, and keeps those that work.
    pub(crate) fn in_halves(&mut self, search: &mut Search, rewrites: Vec<Rewrite>) -> Result<(), Stop> {
        let halves = Halves::new(rewrites.len());
        let chosen =
            move |numbers: &[usize]| numbers.iter().map(|&number| rewrites[number].clone()).collect::<Vec<_>>();
        let choose = chosen.clone();
        let ended = self.work.run(search, halves, move |numbers: &Vec<usize>| choose(numbers))?;
        self.work.edit(&chosen(ended.accepted()));
        Ok(())
    }

    /// The candidate with rewrites; `None` if it would be read differently.
    #[cfg(test)]
    pub(crate) fn render(&self, rewrites: &[Rewrite]) -> Option<Candidate> {
        self.work.render_with(&rewrites.to_vec())
    }
}
