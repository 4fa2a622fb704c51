//! The running program: what it was called with, and how to start it again.
//!
//! For a program of its own, both are what the system says. A host inside an interpreter says it itself
//! ([`init_as`](crate::init_as)): the interpreter's program is not Whittle, and its arguments are not Whittle's.

use std::ffi::OsString;
use std::io;
use std::sync::OnceLock;

/// A program that is not what the system takes it for.
#[derive(Clone, Debug)]
pub struct Host {
    /// What starts it again, before any arguments: such as an interpreter, its options and a script.
    pub again: Vec<OsString>,
    /// What it was called with, its name included.
    pub arguments: Vec<OsString>,
}

static HOST: OnceLock<Host> = OnceLock::new();

/// Takes effect once: later calls say the same about the same process.
pub(crate) fn set(host: Host) {
    let _ = HOST.set(host);
}

/// What starts the running program again, if it has said so itself.
pub(crate) fn stated() -> Option<&'static [OsString]> {
    HOST.get().map(|host| &*host.again)
}

/// The words that start the running program again, before any arguments.
pub fn this_program() -> io::Result<Vec<OsString>> {
    match stated() {
        Some(words) => Ok(words.to_vec()),
        None => Ok(vec![std::env::current_exe()?.into()]),
    }
}

/// What the running program was called with, its name included.
pub fn arguments() -> Vec<OsString> {
    HOST.get().map_or_else(|| std::env::args_os().collect(), |host| host.arguments.clone())
}
