//! [`Round`]: each token in turn is replaced; if that fails, it loses optional parts and gets smaller fragments.
//!
//! This is the body of T-Rec's Algorithm 1. It is one chain of stages, so that the search tests beyond the current
//! token.

use std::sync::Arc;

use whittle_lists::Algorithm;
use whittle_search::{Search, Stages, Stop};

use crate::fragments::Fragments;
use crate::piece::{Piece, Stage};
use crate::shrink::Shrink;

/// What is done to each token of a round.
#[derive(Clone, Copy)]
pub(crate) struct Work {
    /// The texts that it is replaced by, the best first.
    pub(crate) texts: fn(&Piece<'_>, usize) -> Vec<String>,
    /// How it loses elements, where it cannot be replaced.
    pub(crate) shrinks: Option<Algorithm>,
    /// How many texts are tried for each fragment, where it cannot be replaced.
    pub(crate) fragments: usize,
}

impl Work {
    /// Works on some tokens, in their order.
    pub(crate) fn run(
        self,
        search: &mut Search,
        piece: &mut Piece<'_>,
        tokens: impl IntoIterator<Item = usize>,
    ) -> Result<(), Stop> {
        let tokens = tokens.into_iter().collect();
        let round = Round { piece: piece.clone(), tokens, begun: 0, work: self, doing: Doing::Nothing };
        *piece = piece.work.run_stages(search, round)?.piece;
        Ok(())
    }
}

#[derive(Clone)]
struct Round<'a> {
    piece: Piece<'a>,
    tokens: Arc<[usize]>,
    /// How many of them have had their turn, or have it now.
    begun: usize,
    work: Work,
    doing: Doing,
}

#[derive(Clone)]
enum Doing {
    Nothing,
    Replacing(usize),
    Shrinking(Shrink),
    Fragments(Fragments),
}

impl Stages for Round<'_> {
    type Stage = Stage;

    fn begin(&mut self) -> Option<Stage> {
        loop {
            let stage = match &mut self.doing {
                Doing::Nothing | Doing::Replacing(_) => return self.begin_next(),
                Doing::Shrinking(shrink) => shrink.begin(&self.piece),
                Doing::Fragments(fragments) => fragments.begin(&self.piece),
            };
            if stage.is_some() {
                return stage;
            }
            self.doing = match &self.doing {
                Doing::Shrinking(shrink) => self.fragments_of(shrink.token()),
                _ => Doing::Nothing,
            };
        }
    }

    fn end(&mut self, stage: Stage) {
        self.doing = match std::mem::replace(&mut self.doing, Doing::Nothing) {
            Doing::Replacing(token) => match self.piece.work.take(&stage) {
                Some(_) => Doing::Nothing,
                None => self.parts_of(token),
            },
            Doing::Shrinking(mut shrink) => {
                shrink.end(&mut self.piece, &stage);
                Doing::Shrinking(shrink)
            }
            Doing::Fragments(mut fragments) => {
                fragments.end(&mut self.piece, &stage);
                Doing::Fragments(fragments)
            }
            Doing::Nothing => Doing::Nothing,
        };
    }
}

impl Round<'_> {
    fn begin_next(&mut self) -> Option<Stage> {
        let &token = self.tokens.get(self.begun)?;
        self.begun += 1;
        self.doing = Doing::Replacing(token);
        Some(self.piece.replacing(token, &(self.work.texts)(&self.piece, token)))
    }

    /// The next work on a token that cannot be replaced.
    fn parts_of(&self, token: usize) -> Doing {
        let shrink = self.work.shrinks.and_then(|lists| Shrink::new(&self.piece, token, lists));
        shrink.map_or_else(|| self.fragments_of(token), Doing::Shrinking)
    }

    fn fragments_of(&self, token: usize) -> Doing {
        if self.work.fragments == 0 {
            return Doing::Nothing;
        }
        Fragments::new(&self.piece, token, self.work.fragments).map_or(Doing::Nothing, Doing::Fragments)
    }
}
