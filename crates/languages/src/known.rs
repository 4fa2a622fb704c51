//! [`Known`]: a language of the table, whether or not its parser is in this build.

use std::path::Path;

use crate::Language;
use crate::table::KNOWN;

/// A language that some build has a parser for.
#[derive(Debug)]
pub struct Known {
    /// The name, as in `--language NAME`; also the Cargo feature.
    pub name: &'static str,
    /// The name as people write it.
    pub title: &'static str,
    pub(crate) aliases: &'static [&'static str],
    pub(crate) extensions: &'static [&'static str],
    pub(crate) file_names: &'static [&'static str],
}

impl Known {
    /// All names that `--language` takes.
    pub fn names() -> impl Iterator<Item = &'static str> {
        KNOWN.iter().flat_map(|known| std::iter::once(known.name).chain(known.aliases.iter().copied()))
    }

    /// The language of that name or alias, in any case, if its parser is not in this build.
    #[must_use]
    pub fn missing_by_name(name: &str) -> Option<&'static Known> {
        let is_it = |other: &&str| name.eq_ignore_ascii_case(other);
        Self::missing().find(|known| is_it(&known.name) || known.aliases.iter().any(is_it))
    }

    /// The language of a file, by its name or extension, if its parser is not in this build.
    #[must_use]
    pub fn missing_by_file(path: &Path) -> Option<&'static Known> {
        let name = path.file_name()?.to_str()?;
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let lower = extension.to_ascii_lowercase();
        Self::missing().find(|known| {
            let has = |wanted: &str| known.extensions.contains(&wanted);
            known.file_names.contains(&name) || has(extension) || has(&lower)
        })
    }

    /// Every language whose parser is not in this build.
    pub fn missing() -> impl Iterator<Item = &'static Known> {
        KNOWN.iter().filter(|known| Language::by_name(known.name).is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_missing_if_and_only_if_it_is_not_compiled_in() {
        assert!(KNOWN.len() >= Language::all().len());
        for known in KNOWN {
            let built = Language::by_name(known.name).is_some();
            assert_eq!(Known::missing_by_name(known.name).is_none(), built, "{}", known.name);
            for extension in known.extensions {
                let path = format!("a.{extension}");
                assert_eq!(Known::missing_by_file(Path::new(&path)).is_none(), built, "{path}");
            }
        }
        assert!(
            Known::missing_by_name("klingon").is_none() && Known::missing_by_file(Path::new("a.klingon")).is_none()
        );
    }
}
