//! Words as a shell reads them.

use anyhow::{Context, Result};
use whittle::property::this_program;

/// The words that start this program again, for a command line.
pub(crate) fn own_words() -> Result<Vec<String>> {
    let words = this_program().context("cannot find this program")?;
    Ok(words.iter().map(|word| word.to_string_lossy().into_owned()).collect())
}

/// Words as a user would type them, for `--run` and for shells.
pub(crate) fn shell_words(words: &[String]) -> String {
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// A word in quotation marks, if it needs them.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |char: char| char.is_alphanumeric() || "-_./=+:,@%{}".contains(char);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}
