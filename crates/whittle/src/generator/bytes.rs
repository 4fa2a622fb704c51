//! [`ByteGenerator`]: a program that takes its choices from bytes on its standard input, as targets for libFuzzer do.
//!
//! Nothing is known of what a byte is for, and every run follows its script. The trace is one loop with a draw in each
//! round, so that bytes go and the rest is lowered; bytes that are not read go because the trace becomes shorter.

use std::path::Path;
use std::sync::Arc;

use whittle_property::Observed;
use whittle_property::conditions::Ending;
use whittle_traces::{Draw, DrawKind, Generated, Generator, Kind, NoInput, Script, Trace, TraceBuilder, Value};

use super::program::confirmed;
use super::{GeneratorError, Program};

/// A program that makes inputs from bytes.
#[derive(Debug)]
pub struct ByteGenerator {
    program: Program,
}

impl ByteGenerator {
    /// A generator that is run as `program` says.
    pub fn new(program: Program) -> Self {
        Self { program }
    }

    /// Runs the program on these bytes, twice to see that it does the same again. What was not limited is limited by the
    /// first run from now on.
    pub fn record(&mut self, bytes: &[u8]) -> Result<Generated, GeneratorError> {
        let (made, observed) = self.perform(bytes)?;
        if made.input.is_empty() {
            return Err(GeneratorError::Empty);
        }
        self.program.limit_by(&observed);
        confirmed(made, self.perform(bytes).map(|(again, _)| again))
    }

    fn perform(&self, bytes: &[u8]) -> Result<(Generated, Observed), GeneratorError> {
        self.program.in_folder(|folder| self.perform_in(folder, bytes))
    }

    fn perform_in(&self, folder: &Path, bytes: &[u8]) -> Result<(Generated, Observed), GeneratorError> {
        let mut observed = self.program.run(folder, Vec::new(), Some(bytes.to_vec()))?;
        if observed.observation.ending != Ending::Exited(0) {
            return Err(GeneratorError::Failed(Box::new(observed)));
        }
        let input = self.program.input(folder, &mut observed);
        Ok((Generated { input, trace: Arc::new(trace_of(bytes)), misaligned: 0 }, observed))
    }
}

impl Generator for ByteGenerator {
    fn run(&self, script: &Script) -> Result<Generated, NoInput> {
        match self.perform(&bytes_of(&script.trace)) {
            Ok((made, _)) => Ok(made),
            Err(error) => Err(error.into()),
        }
    }
}

fn trace_of(bytes: &[u8]) -> Trace {
    let mut builder = TraceBuilder::default();
    builder.open(Kind::Loop { open_ended: true }, "bytes".into());
    for byte in bytes {
        builder.open(Kind::Iteration, "".into());
        let (max, value) = (u64::from(u8::MAX), Value::One(u64::from(*byte)));
        builder.draw("byte".into(), Draw { kind: DrawKind::Integer, max, value, output: None });
        builder.close();
    }
    builder.finish()
}

fn bytes_of(trace: &Trace) -> Vec<u8> {
    let draws = trace.nodes().filter_map(|(_, node)| node.draw()?.value.number());
    // A byte is never drawn beyond its maximum.
    draws.map(|value| value.min(u64::from(u8::MAX)) as u8).collect()
}
