//! A parser that tree-sitter generated, as a shared library: `libtree-sitter-NAME.so` with its `grammar.json`.
//!
//! `grammar.json` is looked for beside the library, and in `src` beside it, which is where tree-sitter writes it. It says what
//! the language is called, and so which function of the library is the parser.

#![allow(unsafe_code, reason = "code of a shared library cannot be checked")]

use std::fs;
use std::path::{Path, PathBuf};

use libloading::{Library, Symbol};
use tree_sitter::Language;
use tree_sitter_language::LanguageFn;
use whittle_grammars::Grammar;
use whittle_trees::Syntax;

use super::OwnGrammarError;

/// The syntax of a parser in a shared library. The library stays loaded until the program ends: trees refer to it.
pub(super) fn load(path: &Path, layout: Option<&'static str>) -> Result<Syntax, OwnGrammarError> {
    let grammar = grammar_file(path)?;
    let json = fs::read_to_string(&grammar).map_err(|error| OwnGrammarError::Read { path: grammar.clone(), error })?;
    let unusable = |reason: String| OwnGrammarError::Library { path: path.into(), reason };
    let grammar = Grammar::from_tree_sitter(&json).map_err(|error| unusable(error.to_string()))?;
    let name = format!("tree_sitter_{}", grammar.name());
    // A name without a folder would be looked for where the system keeps its libraries.
    let absolute = std::path::absolute(path).map_err(|error| unusable(error.to_string()))?;
    // SAFETY: the user names the library to be run. What it does when it is loaded is beyond any check.
    let library = unsafe { Library::new(absolute) }.map_err(|error| unusable(error.to_string()))?;
    let language = {
        // SAFETY: every parser of tree-sitter has this function, without arguments, which returns its tables.
        let found: Result<Symbol<'_, unsafe extern "C" fn() -> *const ()>, _> = unsafe { library.get(name.as_bytes()) };
        let function = *found.map_err(|_| unusable(format!("it has no function {name}")))?;
        // SAFETY: as above.
        Language::new(unsafe { LanguageFn::from_raw(function) })
    };
    std::mem::forget(library);
    let (version, known) =
        (language.abi_version(), tree_sitter::MIN_COMPATIBLE_LANGUAGE_VERSION..=tree_sitter::LANGUAGE_VERSION);
    if !known.contains(&version) {
        let (first, last) = (known.start(), known.end());
        return Err(unusable(format!("its parser has version {version}; versions {first} to {last} are supported")));
    }
    Ok(Syntax::new(language, grammar.laid_out_as(layout)))
}

fn grammar_file(path: &Path) -> Result<PathBuf, OwnGrammarError> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let places = [folder.join("grammar.json"), folder.join("src").join("grammar.json")];
    fs::metadata(path).map_err(|error| OwnGrammarError::Read { path: path.into(), error })?;
    places.into_iter().find(|place| place.is_file()).ok_or_else(|| OwnGrammarError::NoDescription(path.into()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a failed step fails the test")]
mod tests {
    use std::process::Command;

    use super::*;

    /// The sources of the parser for JSON, which the build has.
    fn json_sources() -> PathBuf {
        // Without the platform, the sources of all platforms would have to be there.
        let platform = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["metadata", "--format-version", "1", "--offline", "--filter-platform", &platform]);
        let metadata = cargo.output();
        let metadata: serde_json::Value = serde_json::from_slice(&metadata.unwrap().stdout).unwrap();
        let packages = metadata["packages"].as_array().unwrap();
        let json = packages.iter().find(|package| package["name"] == "tree-sitter-json").unwrap();
        Path::new(json["manifest_path"].as_str().unwrap()).parent().unwrap().join("src")
    }

    #[test]
    fn a_shared_library_with_its_grammar_is_a_language() {
        let (folder, sources) = (tempfile::tempdir().unwrap(), json_sources());
        let library = folder.path().join("libtree-sitter-json.so");
        let mut build = Command::new("cc");
        build.args(["-shared", "-fPIC", "-I"]).arg(&sources).arg("-o").arg(&library).arg(sources.join("parser.c"));
        assert!(build.status().unwrap().success());
        assert!(matches!(load(&library, None), Err(OwnGrammarError::NoDescription(_))), "there is no grammar yet");
        fs::copy(sources.join("grammar.json"), folder.path().join("grammar.json")).unwrap();
        let syntax = load(&library, None).unwrap();
        let count = syntax.count(b"{\"a\": [1, 2]}").unwrap();
        assert_eq!((count.tokens, count.errors), (11, 0));
        let other = fs::read_to_string(sources.join("grammar.json"))
            .unwrap()
            .replace("\"name\": \"json\"", "\"name\": \"other\"");
        fs::write(folder.path().join("grammar.json"), other).unwrap();
        assert!(load(&library, None).unwrap_err().to_string().ends_with("it has no function tree_sitter_other"));
    }
}
