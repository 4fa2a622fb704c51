//! The `whittle` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    whittle::command::main()
}
