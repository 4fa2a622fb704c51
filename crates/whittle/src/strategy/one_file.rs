//! A strategy on one file, in a form that can go on from any step, so that the search can look ahead into the next steps.

use std::sync::Arc;

use whittle_search::Search;
use whittle_trees::{Memory, Workshop};

use super::turns::{Schedule, Turn, skippable};
use super::{Strategy, Unfinished};

/// What is left to do with a file.
#[derive(Clone)]
pub(super) struct OneFile {
    strategy: Arc<Strategy>,
    workshop: Workshop,
    /// What is known to fail.
    memory: Option<Memory>,
    schedule: Schedule,
    /// How many of the last steps are over.
    ended: usize,
}

impl OneFile {
    pub(super) fn new(strategy: Strategy, workshop: Workshop) -> Self {
        Self {
            workshop,
            memory: strategy.remembers.then(Memory::default),
            schedule: Schedule::of(&strategy.steps, strategy.turns),
            ended: 0,
            strategy: Arc::new(strategy),
        }
    }

    /// Does what is left, whatever the search did before and will do after it.
    pub(super) fn run(mut self, search: &mut Search) -> Result<(), Unfinished> {
        let ended = self.go_on(search);
        search.forget_checkpoint();
        ended
    }

    fn go_on(&mut self, search: &mut Search) -> Result<(), Unfinished> {
        let strategy = Arc::clone(&self.strategy);
        loop {
            self.set_checkpoint(search);
            let Some((next, turn)) = self.schedule.next(search) else { break };
            let (workshop, memory) = (&self.workshop, self.memory.as_ref());
            self.schedule.take_turn(next, search, |search| {
                strategy.run_on_file(&strategy.steps[next], turn, search, workshop, memory)
            })?;
        }
        while let Some(step) = strategy.last.get(self.ended) {
            self.set_checkpoint(search);
            let (workshop, memory) = (&self.workshop, self.memory.as_ref());
            skippable(search, |search| strategy.run_on_file(step, Turn::First, search, workshop, memory))?;
            self.ended += 1;
        }
        Ok(())
    }

    fn set_checkpoint(&self, search: &mut Search) {
        let here = self.clone();
        search.checkpoint(move |search| {
            // A scout is stopped in the end, whatever it finds.
            let _ = here.clone().go_on(search);
        });
    }
}
