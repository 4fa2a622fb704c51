//! A crate of a Cargo workspace becomes a module of a crate that depends on it, so that one file can show a bug that
//! crosses crates.
//!
//! `either/src/lib.rs` becomes `mod either { … }` at the end of the other crate's root. Its manifest goes, and other
//! manifests no longer name it. Attributes of the whole crate move to the top. A crate with files besides these two waits
//! until they are joined. Manifests are read by lines: what they say in another way costs one test.

use std::path::{Path, PathBuf};

use whittle_search::{Candidate, File, FirstOf, Search, Stop};

use super::project::ProjectFacts;

/// So many merges are tried; a larger workspace is far from small.
const MOST_MERGES: usize = 24;

/// A crate: its name in programs and the places of its manifest and its root.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Crate {
    name: String,
    folder: PathBuf,
    manifest: usize,
    root: usize,
}

/// One crate that takes in another.
#[derive(Clone, Debug)]
struct Merge {
    host: Crate,
    guest: Crate,
    /// Whether uses of the crate start at `crate`, which modules of the host need and its root does not.
    is_qualified: bool,
}

/// Merges crates until no two can be merged.
pub(super) fn run(search: &mut Search, facts: &ProjectFacts) -> Result<(), Stop> {
    loop {
        let base = search.best().candidate.clone();
        let merges = merges(&base, facts);
        if merges.len() > MOST_MERGES {
            return Ok(());
        }
        let ended = search.run(FirstOf::new(merges), move |merge| merge.apply(&base))?;
        if ended.taken().is_none() {
            return Ok(());
        }
    }
}

/// All pairs of a crate and another that it depends on.
fn merges(base: &Candidate, facts: &ProjectFacts) -> Vec<Merge> {
    let files = base.files();
    let crates: Vec<Crate> = (0..files.len()).filter_map(|manifest| Crate::at(files, manifest)).collect();
    let is_free = |place: usize| !facts.is_fixed(&files[place]);
    let mut merges = Vec::new();
    for guest in crates.iter().filter(|guest| guest.is_alone(files)) {
        for host in &crates {
            let places = [host.manifest, host.root, guest.manifest, guest.root];
            let depends = lines_of(&files[host.manifest]).iter().any(|line| names_dependency(line, &guest.name));
            if host != guest && depends && places.into_iter().all(is_free) {
                let merge = |is_qualified| Merge { host: host.clone(), guest: guest.clone(), is_qualified };
                merges.extend([false, true].map(merge));
            }
        }
    }
    merges
}

impl Crate {
    fn at(files: &[File], manifest: usize) -> Option<Self> {
        let path = files[manifest].path();
        let folder = path.parent().filter(|_| path.file_name().is_some_and(|name| name == "Cargo.toml"))?.to_owned();
        let place = |name: &str| files.binary_search_by(|file| file.path().cmp(&folder.join(name))).ok();
        let root = place("src/lib.rs").or_else(|| place("src/main.rs"))?;
        let named = lines_of(&files[manifest]).into_iter().find_map(|line| {
            let value = line.strip_prefix("name")?.trim_start().strip_prefix('=')?;
            Some(value.trim().trim_matches('"').to_owned())
        });
        let name = named.or_else(|| Some(folder.file_name()?.to_str()?.to_owned()))?.replace('-', "_");
        Some(Self { name, folder, manifest, root })
    }

    /// Whether the folder has nothing but the manifest and the root.
    fn is_alone(&self, files: &[File]) -> bool {
        let is_library = files[self.root].path().ends_with("src/lib.rs");
        is_library && files.iter().filter(|file| file.path().starts_with(&self.folder)).count() == 2
    }
}

fn lines_of(file: &File) -> Vec<String> {
    String::from_utf8_lossy(file.bytes()).lines().map(str::to_owned).collect()
}

/// Whether a line of a manifest is about a dependency: `[dependencies.b]` or `b = { … }`.
fn names_dependency(line: &str, name: &str) -> bool {
    let line = line.trim();
    let key = match line.strip_prefix('[') {
        Some(section) => section.trim_end_matches(']').rsplit_once("dependencies.").map(|(_, key)| key),
        None => line.split(['=', '.']).next().filter(|_| line.contains('=')),
    };
    key.is_some_and(|key| key.trim().trim_matches('"').replace('-', "_") == name)
}

impl Merge {
    fn apply(&self, base: &Candidate) -> Option<Candidate> {
        let files = base.files();
        let rewritten = |(place, file): (usize, &File)| {
            let text = String::from_utf8_lossy(file.bytes());
            let is_manifest = file.path().file_name().is_some_and(|name| name == "Cargo.toml");
            let new = match place {
                _ if place == self.guest.manifest || place == self.guest.root => return None,
                _ if place == self.host.root => {
                    self.root(&text, &String::from_utf8_lossy(files[self.guest.root].bytes()))
                }
                _ if place == self.host.manifest => without_member(&self.manifest(&text), &self.guest.folder),
                _ if is_manifest => without_member(&text, &self.guest.folder),
                _ if self.is_module(file) => self.uses(&text),
                _ => return Some(file.clone()),
            };
            Some(if new.as_bytes() == file.bytes() { file.clone() } else { file.with_bytes(new.into_bytes()) })
        };
        Some(base.with_files(files.iter().enumerate().filter_map(rewritten)))
    }

    /// Whether a file is a module of the host.
    fn is_module(&self, file: &File) -> bool {
        file.kind().has_content()
            && file.path().starts_with(&self.host.folder)
            && file.path().extension().is_some_and(|extension| extension == "rs")
    }

    /// The root of the host with the guest as a module.
    fn root(&self, host: &str, guest: &str) -> String {
        let name = &self.guest.name;
        let (attributes, items): (Vec<&str>, Vec<&str>) = guest.lines().partition(|line| line.starts_with("#!["));
        let is_extern = |line: &str| line.trim_start().starts_with(&format!("extern crate {name};"));
        let own: Vec<&str> = host.lines().filter(|line| !is_extern(line)).collect();
        let items = items.join("\n").replace("crate::", &format!("crate::{name}::"));
        let mut lines = attributes.into_iter().map(str::to_owned).collect::<Vec<_>>();
        lines.extend([self.uses(&own.join("\n")), format!("mod {name} {{"), items, "}\n".to_owned()]);
        lines.join("\n")
    }

    /// A text of the host whose uses of the guest start at `crate`, if they are to.
    fn uses(&self, text: &str) -> String {
        let path = format!("{}::", self.guest.name);
        if !self.is_qualified {
            return text.to_owned();
        }
        let mut new = String::with_capacity(text.len());
        for (at, char) in text.char_indices() {
            let is_start = !text[..at].ends_with(|before: char| before.is_alphanumeric() || "_:".contains(before));
            if is_start && text[at..].starts_with(&path) {
                new.push_str("crate::");
            }
            new.push(char);
        }
        new
    }

    /// A manifest without the dependency: its line, or its section.
    fn manifest(&self, text: &str) -> String {
        let mut is_in_section = false;
        let mut kept = String::new();
        for line in text.lines() {
            let is_named = names_dependency(line, &self.guest.name);
            if line.trim_start().starts_with('[') {
                is_in_section = is_named;
            }
            if !is_named && !is_in_section {
                kept.push_str(line);
                kept.push('\n');
            }
        }
        kept
    }
}

/// A manifest whose lists of members do not have a folder.
fn without_member(text: &str, folder: &Path) -> String {
    let Some(name) = folder.file_name().and_then(|name| name.to_str()) else { return text.to_owned() };
    let spellings = [format!("\"{name}\""), format!("\"{}\"", folder.display())];
    let without = |text: String, spelled: &String| {
        let with_comma = [format!("{spelled}, "), format!("{spelled},"), format!(", {spelled}"), format!(",{spelled}")];
        // `name = "b"` is no element of a list.
        let text = with_comma.iter().fold(text, |text, element| text.replace(element, ""));
        text.replace(&format!("[{spelled}]"), "[]")
    };
    spellings.iter().fold(text.to_owned(), without)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workspace() -> Candidate {
        let files = [
            ("Cargo.toml", "[workspace]\nmembers = [\"app\", \"my-lib\"]\n"),
            (
                "app/Cargo.toml",
                "[package]\nname = \"app\"\n[dependencies.my-lib]\npath = \"../my-lib\"\n[features]\nx = []\n",
            ),
            ("app/src/lib.rs", "extern crate my_lib;\nmod m;\nuse my_lib::f;"),
            ("app/src/m.rs", "use my_lib::g;"),
            ("my-lib/Cargo.toml", "[package]\nname = \"my-lib\"\n"),
            ("my-lib/src/lib.rs", "#![feature(x)]\npub fn f() { crate::g() }\npub fn g() {}"),
        ];
        Candidate::from_files(files.map(|(path, text)| (path, text.as_bytes().to_vec())))
    }

    #[test]
    fn a_crate_becomes_a_module_and_no_manifest_names_it() {
        let base = workspace();
        let merges = merges(&base, &ProjectFacts::default());
        assert_eq!(merges.len(), 2, "{merges:?}");
        let texts = |merge: &Merge| -> Vec<String> {
            let merged = merge.apply(&base).unwrap();
            merged.files().iter().map(|file| String::from_utf8_lossy(file.bytes()).into_owned()).collect()
        };
        let module = "mod my_lib {\npub fn f() { crate::my_lib::g() }\npub fn g() {}\n}\n";
        assert_eq!(
            texts(&merges[0]),
            [
                "[workspace]\nmembers = [\"app\"]\n".to_owned(),
                "[package]\nname = \"app\"\n[features]\nx = []\n".to_owned(),
                format!("#![feature(x)]\nmod m;\nuse my_lib::f;\n{module}"),
                "use my_lib::g;".to_owned(),
            ]
        );
        assert_eq!(texts(&merges[1])[2], format!("#![feature(x)]\nmod m;\nuse crate::my_lib::f;\n{module}"));
        assert_eq!(texts(&merges[1])[3], "use crate::my_lib::g;");
    }

    #[test]
    fn crates_with_other_files_or_fixed_ones_wait() {
        let base = workspace();
        let fixed = ProjectFacts { fixed: [4].into(), ..ProjectFacts::default() };
        assert!(merges(&base, &fixed).is_empty());
        let more = base.files().iter().cloned().chain([base.files()[5].at("my-lib/src/n.rs")]);
        assert!(merges(&base.with_files(more), &ProjectFacts::default()).is_empty());
    }

    #[test]
    fn dependencies_are_found_as_sections_and_as_lines() {
        for line in ["[dependencies.b-c]", "[target.x.dev-dependencies.b_c]", "b-c = \"1\"", "b_c.path = \"..\""] {
            assert!(names_dependency(line, "b_c"), "{line}");
        }
        for line in ["[dependencies]", "[b-c]", "name = \"b-c\"", "b-c-d = 1"] {
            assert!(!names_dependency(line, "b_c"), "{line}");
        }
    }
}
