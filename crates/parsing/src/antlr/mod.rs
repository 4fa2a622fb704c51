//! Reads ANTLR 4 grammars: a file, with the files that it imports or takes its tokens from.
//!
//! Imports are merged as ANTLR does: rules of the main file win over imported ones, and imported rules come last. A
//! parser grammar's tokens come from the file of its `tokenVocab`; if it names none, from the file that has its name with
//! `Lexer` for `Parser`.

mod chars;
mod read;

use std::collections::HashSet;

use crate::description::{Definition, Description};
use crate::problem::{Fault, Problem};

use self::read::{File, read};

/// Reads a grammar. `sibling` is asked for the text of other files by their names.
pub fn from_antlr(file: &str, text: &str, sibling: &dyn Fn(&str) -> Option<String>) -> Result<Description, Problem> {
    let mut seen = HashSet::new();
    let main = read(file, text)?;
    let vocabulary = main.vocabulary.clone();
    let (is_parser, name) = (main.is_parser, main.description.name.clone());
    let mut description = with_imports(file, main, sibling, &mut seen)?;
    // With the ending: rules for a built-in grammar of the same name are not for this one.
    description.name = file.to_owned();
    let tokens = match vocabulary {
        Some((name, place)) => match sibling(&format!("{name}.g4")) {
            Some(text) => Some((format!("{name}.g4"), text)),
            // Without the file, all tokens may still be in this one.
            None if !is_parser => None,
            None => return Err(Problem { file: file.into(), place, fault: Fault::NoFile(format!("{name}.g4")) }),
        },
        None if is_parser => {
            let name = format!("{}Lexer.g4", name.strip_suffix("Parser").unwrap_or(&name));
            sibling(&name).map(|text| (name, text))
        }
        None => None,
    };
    if let Some((file, text)) = tokens {
        let lexer = read(&file, &text)?;
        let lexer = with_imports(&file, lexer, sibling, &mut seen)?;
        description.tokens.extend(lexer.tokens.iter().cloned());
        description.notices.extend(lexer.notices.iter().cloned());
        add_lexical(&mut description, lexer);
    }
    Ok(description)
}

fn with_imports(
    file: &str,
    main: File,
    sibling: &dyn Fn(&str) -> Option<String>,
    seen: &mut HashSet<String>,
) -> Result<Description, Problem> {
    let mut description = main.description;
    for (name, place) in main.imports {
        let name = format!("{name}.g4");
        if !seen.insert(name.clone()) {
            continue;
        }
        let no_file = || Problem { file: file.into(), place, fault: Fault::NoFile(name.clone()) };
        let text = sibling(&name).ok_or_else(no_file)?;
        let imported = with_imports(&name, read(&name, &text)?, sibling, seen)?;
        let has = |rules: &[Definition], rule: &Definition| rules.iter().any(|other| other.name == rule.name);
        for rule in &imported.syntax {
            if !has(&description.syntax, rule) {
                description.syntax.push(rule.clone());
            }
        }
        description.tokens.extend(imported.tokens.iter().cloned());
        description.notices.extend(imported.notices.iter().cloned());
        add_lexical(&mut description, imported);
    }
    Ok(description)
}

/// Adds the rules of tokens that are not there yet, in the modes that they are in.
fn add_lexical(description: &mut Description, from: Description) {
    for mut rule in from.lexical {
        let mode = &from.modes[rule.mode];
        rule.mode = description.modes.iter().position(|other| other == mode).unwrap_or_else(|| {
            description.modes.push(mode.clone());
            description.modes.len() - 1
        });
        if !description.lexical.iter().any(|other| other.name == rule.name && other.mode == rule.mode) {
            description.lexical.push(rule);
        }
    }
}
