//! `whittle rules` and `--rules`: edits of a declaration together with its uses, as data.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use whittle::trees::{Rule, RuleSet};

use super::exit::{Exit, Refusal};
use super::print::answer;

/// List the rules that edit a declaration together with its uses
///
/// Each rule is shown with a text before and after it. With FILE, lists the rules of that file, and so checks it; a
/// reduction uses them with --rules FILE. docs/rules.md explains the format.
#[derive(Debug, Args)]
pub(crate) struct RulesArgs {
    /// A file with rules, instead of the built-in ones
    pub(crate) file: Option<PathBuf>,

    /// Only the rules for this grammar, such as cpp
    #[arg(short, long, value_name = "NAME")]
    pub(crate) grammar: Option<String>,
}

/// Prints rules: their names and grammars, and an example of each.
pub(crate) fn run(args: &RulesArgs) -> Result<Exit> {
    let rules = args.file.as_deref().map_or_else(|| Ok(RuleSet::built_in()), read)?;
    let known: BTreeSet<&str> = rules.iter().flat_map(|rule| &rule.grammars).map(String::as_str).collect();
    if let Some(name) = args.grammar.as_deref().filter(|name| !known.contains(name)) {
        let names: Vec<&str> = known.into_iter().collect();
        let problem = format!("there is no rule for a grammar named {name}");
        return Err(Refusal::new(problem, format!("There are rules for {}.", names.join(", "))).into());
    }
    let is_shown = |rule: &&Rule| args.grammar.as_ref().is_none_or(|grammar| rule.grammars.contains(grammar));
    for rule in rules.iter().filter(is_shown) {
        answer(&format!("{} ({})", rule.name, rule.grammars.join(", ")));
        if let Some(example) = &rule.example {
            answer(&format!("    {}", one_line(&example.before)));
            answer(&format!(" -> {}", one_line(&example.after)));
        }
    }
    Ok(Exit::Done)
}

fn one_line(text: &str) -> String {
    text.trim().replace('\n', "\n    ")
}

/// The rules of a file.
pub(crate) fn read(path: &Path) -> Result<RuleSet> {
    let text = fs::read_to_string(path).map_err(|error| {
        Refusal::new(format!("{} cannot be read: {error}", path.display()), "Check its path and permissions.")
    })?;
    let rules = RuleSet::parse(&text).map_err(|error| {
        Refusal::new(format!("{}:{error}", path.display()), "docs/rules.md explains the format of rules.")
    })?;
    Ok(rules)
}
