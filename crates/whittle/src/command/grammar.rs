//! `whittle grammar check`: what is wrong with a grammar, with line and column, and what it makes of samples.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{Args, Subcommand};
use whittle::own::{GrammarFile, OwnGrammarError};
use whittle::parsing::{Ignored, Notice, RunTimeGrammar, check};

use super::exit::{Exit, Refusal};
use super::print::answer;

/// Check a grammar that is read at run time, for --grammar
#[derive(Debug, Args)]
pub(crate) struct GrammarArgs {
    #[command(subcommand)]
    command: GrammarCommand,
}

#[derive(Debug, Subcommand)]
enum GrammarCommand {
    Check(GrammarCheckArgs),
}

/// Report what is wrong with a grammar: undefined rules, left recursion, tokens that can never match
///
/// With SAMPLES, also reports where they do not parse, and which rules are ambiguous in them. Exit status 1 means that the
/// grammar cannot be used, or that a sample does not parse. docs/grammars.md explains what a grammar may contain.
#[derive(Debug, Args)]
struct GrammarCheckArgs {
    /// A grammar in ANTLR 4 (.g4) or EBNF (.ebnf), and the rule of a whole text [default: the first rule that no other uses]
    #[arg(value_name = "FILE[:START]")]
    grammar: String,

    /// Texts in the language
    #[arg(value_name = "SAMPLE")]
    samples: Vec<PathBuf>,
}

/// Prints what was found.
pub(crate) fn run(args: &GrammarArgs) -> Result<Exit> {
    let GrammarCommand::Check(args) = &args.command;
    let file = GrammarFile::parse(&args.grammar);
    if file.is_library() {
        let problem = format!("{} is a parser, and there is nothing to check in it", file.path.display());
        return Err(Refusal::new(problem, "`whittle tree --grammar` shows what it makes of a file.").into());
    }
    let description = match file.describe() {
        Ok(description) => description,
        Err(OwnGrammarError::Grammar(problem)) => {
            answer(&format!("error: {problem}"));
            return Ok(Exit::Stopped);
        }
        Err(error) => return Err(Refusal::new(error.to_string(), "docs/grammars.md lists the notations.").into()),
    };
    let findings = check(&description, file.start.as_deref());
    for problem in &findings.errors {
        answer(&format!("error: {problem}"));
    }
    for problem in &findings.warnings {
        answer(&format!("warning: {problem}"));
    }
    for line in ignored(&description.notices) {
        answer(&line);
    }
    if !findings.errors.is_empty() {
        return Ok(Exit::Stopped);
    }
    let grammar = RunTimeGrammar::new(&description, file.start.as_deref())?;
    answer(&format!(
        "{} syntax rules, {} tokens; a whole text is {}",
        description.syntax.len(),
        grammar.vocabulary().len() - 1,
        grammar.start()
    ));
    let mut is_sound = true;
    for sample in &args.samples {
        is_sound &= check_sample(&grammar, sample)?;
    }
    Ok(if is_sound { Exit::Done } else { Exit::Stopped })
}

/// One line for each kind of thing that is ignored: where it is first, and how often it is there.
fn ignored(notices: &[Notice]) -> Vec<String> {
    let kinds = [Ignored::SuperClass, Ignored::Predicate, Ignored::Action];
    let line = |kind: Ignored| {
        let mut found = notices.iter().filter(|notice| notice.ignored == kind);
        let first = found.next()?;
        let more = match found.count() {
            0 => String::new(),
            more => format!(" (and {more} more)"),
        };
        Some(format!("warning: {}:{}: {kind}{more}", first.file, first.place))
    };
    kinds.into_iter().filter_map(line).collect()
}

/// Prints where a sample does not parse, and what is ambiguous in it. Tells whether it parses.
fn check_sample(grammar: &RunTimeGrammar, path: &Path) -> Result<bool> {
    let text = fs::read(path).map_err(|error| {
        Refusal::new(format!("{} cannot be read: {error}", path.display()), "Check its path and permissions.")
    })?;
    let name = path.display();
    let place = |at: usize| {
        let before = String::from_utf8_lossy(&text[..at.min(text.len())]).into_owned();
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        format!("{}:{column}", before.matches('\n').count() + 1)
    };
    let Ok(tree) = grammar.parse(&text) else {
        answer(&format!("error: {name}: it takes too many steps to parse"));
        return Ok(false);
    };
    let errors = tree.error_places();
    for &at in &errors {
        answer(&format!("error: {name}:{}: this does not parse", place(at)));
    }
    for ambiguity in grammar.ambiguities(&text).unwrap_or_default() {
        let rule = &ambiguity.rule;
        let here = place(ambiguity.at);
        answer(&format!(
            "warning: {}:{}: '{}' is ambiguous at {name}:{here}; the first alternative that fits is taken",
            rule.file, rule.place, rule.name
        ));
    }
    if errors.is_empty() {
        answer(&format!("{name}: {} nodes, no errors", tree.len()));
    }
    Ok(errors.is_empty())
}
