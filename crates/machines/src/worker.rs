//! `whittle worker`: a process that runs tests for others.

use std::io;
use std::os::fd::AsFd;
use std::sync::Arc;

use crate::link::over_pipes;
use crate::session::{Worker, WorkerSetup};

/// Works for the client at the other end of standard input and output, until that leaves.
pub fn serve_stdio(setup: WorkerSetup) -> io::Result<()> {
    // Unbuffered, and out of reach of whatever else prints.
    let input = std::fs::File::from(io::stdin().as_fd().try_clone_to_owned()?);
    let output = std::fs::File::from(io::stdout().as_fd().try_clone_to_owned()?);
    Arc::new(Worker::new(setup)).serve(over_pipes(input, output));
    Ok(())
}
