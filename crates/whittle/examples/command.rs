//! Reduces a file with a command as the property, and prints progress: `cargo run --example command -- FILE`.
//!
//! The command is the C compiler; interesting is a file for which it reports a division by zero. Without FILE, a small
//! program is reduced.

#![allow(clippy::print_stdout, reason = "it prints progress and the result")]

use std::error::Error;
use std::time::Duration;

use whittle::property::conditions::Conditions;
use whittle::search::Event;
use whittle::{Input, Reduction, TestCommand};

const PROGRAM: &str = "int used(int a) { return a; }\nint main(void) { int x = used(3); return x + 7 / 0; }\n";

fn main() -> Result<(), Box<dyn Error>> {
    // Tests run in helper processes, which are this program started again. They stay and end in this call.
    whittle::init();

    let conditions = Conditions { stderr: vec!["division by zero".parse()?], ..Conditions::default() };
    let mut command = TestCommand::line("cc -Wall -fsyntax-only {}")?.asking(conditions);
    command.timeout = Some(Duration::from_secs(10));

    let input = match std::env::args_os().nth(1) {
        Some(path) => Input::read(path)?,
        None => Input::new("program.c", PROGRAM),
    };
    let outcome = Reduction::by_command(input, command)
        .max_tests(1000)
        .on_event(|event, moment| match event {
            Event::PassBegun { pass } => println!("{pass}"),
            Event::Improved => println!("  {} tokens after {} tests", moment.best.size.units, moment.tally.tests),
            _ => {}
        })
        .run()?;
    println!("{}", String::from_utf8_lossy(outcome.bytes()));
    Ok(())
}
