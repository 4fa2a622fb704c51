//! What people read. A terminal that is gone must not end a reduction, so failures to print are ignored.

use std::fmt::Display;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// What stands for standard output in the place of a path, and for standard input in that of INPUT.
pub(crate) const STANDARD: &str = "-";

/// Prints a line to standard error: progress, warnings, summary, errors.
pub(crate) fn tell(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Prints a line to standard output: what a command was asked for.
pub(crate) fn answer(line: &str) {
    let _ = writeln!(io::stdout(), "{line}");
}

/// Prints lines to standard output as they are made: the tree of a deep text takes hundreds of times its length.
pub(crate) fn answer_lines(lines: &impl Display) {
    let mut stdout = BufWriter::new(io::stdout().lock());
    let _ = write!(stdout, "{lines}").and_then(|()| stdout.flush());
}

/// Whether a path names standard output.
pub(crate) fn is_stdout(path: &Path) -> bool {
    path == Path::new(STANDARD) || path == Path::new("/dev/stdout")
}

/// Writes a result to standard output.
pub(crate) fn hand_over(bytes: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout();
    stdout.write_all(bytes)?;
    stdout.flush()
}
