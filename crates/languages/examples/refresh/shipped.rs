//! The grammars in the resolved crates, found with `cargo metadata`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;
use whittle_languages::Language;

/// A parser crate on this machine.
pub(crate) struct Shipped {
    /// Version and license.
    #[cfg_attr(test, expect(dead_code, reason = "for the list that the refresh writes"))]
    pub(crate) origin: [String; 2],
    folder: PathBuf,
}

impl Shipped {
    /// The crates of all languages that are compiled in, by name; or why they were not found.
    pub(crate) fn all() -> Result<BTreeMap<String, Shipped>, String> {
        let features: Vec<_> = Language::all().iter().map(|language| language.name).collect();
        // Without the host, it would ask for crates of other platforms, which were never fetched.
        let host = output_of(Command::new("rustc").args(["--print", "host-tuple"]))?;
        let metadata = output_of(
            Command::new(env!("CARGO"))
                .args(["metadata", "--format-version=1", "--offline", "--filter-platform", host.trim()])
                .args(["--no-default-features", "--features", &features.join(",")])
                .current_dir(env!("CARGO_MANIFEST_DIR")),
        )?;
        let metadata: Value = serde_json::from_str(&metadata).map_err(|error| error.to_string())?;
        let packages = metadata["packages"].as_array().ok_or("cargo metadata lists no packages")?;
        Ok(packages.iter().filter_map(Shipped::read).collect())
    }

    fn read(package: &Value) -> Option<(String, Shipped)> {
        let text = |key: &str| package[key].as_str().map(str::to_owned);
        let folder = PathBuf::from(text("manifest_path")?).parent()?.to_owned();
        let license = text("license").unwrap_or_else(|| "?".to_owned());
        Some((text("name")?, Shipped { origin: [text("version")?, license], folder }))
    }

    /// The grammar of a language of this crate, without whitespace.
    pub(crate) fn grammar(&self, language: &Language) -> Result<String, String> {
        let path = self.folder.join(language.source.grammar);
        let json = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(without_blanks(&json))
    }
}

fn output_of(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{command:?} does not start: {error}"))?;
    if !output.status.success() {
        return Err(format!("{command:?} failed: {}", String::from_utf8_lossy(&output.stderr)));
    }
    String::from_utf8(output.stdout).map_err(|error| error.to_string())
}

/// JSON without the whitespace between its tokens. Keeps the order of keys, because the first rule is the start rule.
fn without_blanks(json: &str) -> String {
    let mut short = String::with_capacity(json.len());
    let (mut in_string, mut escaped) = (false, false);
    for c in json.chars() {
        if in_string || !c.is_ascii_whitespace() {
            short.push(c);
        }
        in_string ^= c == '"' && !escaped;
        escaped = c == '\\' && in_string && !escaped;
    }
    short
}
