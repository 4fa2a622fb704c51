//! The one place that prints.

use std::io::Write;

/// Tells people what is going on. That nobody listens is no reason to stop.
pub(crate) fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Prints what was asked for.
pub(crate) fn answer(text: &str) -> std::io::Result<()> {
    std::io::stdout().write_all(text.as_bytes())
}
