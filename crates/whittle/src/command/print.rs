//! What people read. A terminal that is gone must not end a reduction, so failures to print are ignored.

use std::io::Write;

/// Prints a line to standard error: progress, warnings, summary, errors.
pub(crate) fn tell(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Prints a line to standard output: what a command was asked for.
pub(crate) fn answer(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}
