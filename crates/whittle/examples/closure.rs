//! Reduces a C text in memory with a closure: `cargo run --example closure`.
//!
//! The closure stands for whatever a program can ask about a text: does my parser accept it, do two versions of my
//! library disagree about it, does it make this function return an error?

#![allow(clippy::print_stdout, reason = "it prints the result")]

const PROGRAM: &str = r#"
#include <stdio.h>

struct point { int x, y; };

static int scale(struct point *p, int factor) {
    if (p->x > 10) {
        printf("%d\n", p->x);
    }
    p->x *= factor;
    return p->x / (factor - 1);
}

int main(void) {
    struct point p = { 3, 4 };
    return scale(&p, 1);
}
"#;

fn main() -> Result<(), whittle::ReductionError> {
    // The bug: a division whose right side is in parentheses.
    let outcome = whittle::reduce("program.c", PROGRAM, |text| {
        let text = String::from_utf8_lossy(text);
        text.split_once("/ (").is_some_and(|(before, after)| before.contains("return") && after.contains(')'))
    })?;
    println!("{}", String::from_utf8_lossy(outcome.bytes()));
    println!(
        "{} -> {} {}, {} tests, ended: {}",
        outcome.first.size.units, outcome.best.size.units, outcome.unit, outcome.tally.tests, outcome.end
    );
    Ok(())
}
