//! The one place that prints.

use std::io::Write;

/// Reports progress. A closed output is not an error.
pub(crate) fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Prints a result.
pub(crate) fn answer(text: &str) -> std::io::Result<()> {
    std::io::stdout().write_all(text.as_bytes())
}
