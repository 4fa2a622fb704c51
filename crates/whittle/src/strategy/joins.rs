//! One file takes in another: a directive that names a file is replaced by what the file holds, and the file goes.
//!
//! `#include "b.h"` in C and C++, `mod b;` in Rust, which becomes `mod b { … }`, imports in Python, JavaScript and
//! TypeScript. Other directives that name the same file go with it: a file that was included twice was most likely guarded
//! against that. Whether the result still means the same is for the test to say.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use whittle_search::{Candidate, File, FirstOf, Halves, Search, Stop};

use super::project::ProjectFacts;

/// A directive in one file that names another.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Directive {
    /// The place of the file that has it.
    host: usize,
    /// Where it is.
    range: Range<usize>,
    /// The place of the file that it names.
    guest: usize,
    form: Form,
}

/// What becomes of a directive.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Form {
    /// The text alone.
    Include,
    /// A module in braces, after what the directive says before its semicolon.
    Module,
    /// The text without the words that export its definitions. Uses lose the module's name and the dot, if it has one.
    Import { qualifier: Option<Vec<u8>> },
}

/// So many files are joined at once; in a larger project, too many of them are still to go.
const MOST_AT_ONCE: usize = 64;

/// So many directives are tried one by one.
const MOST_ONE_BY_ONE: usize = 24;

/// Joins files until no two can be joined: as many as possible at once, then one by one.
pub(super) fn run(search: &mut Search, facts: &ProjectFacts) -> Result<(), Stop> {
    let base = search.best().candidate.clone();
    let found = directives(&base, facts);
    let together = independent(&found);
    if together.len() > MOST_AT_ONCE {
        return Ok(());
    }
    search.run(Halves::new(together.len()), move |numbers| {
        let chosen: Vec<usize> = numbers.iter().map(|&number| together[number]).collect();
        Some(joined(&base, &found, &chosen))
    })?;
    loop {
        let base = search.best().candidate.clone();
        let found = directives(&base, facts);
        if found.len() > MOST_ONE_BY_ONE {
            return Ok(());
        }
        let choices: Vec<usize> = (0..found.len()).collect();
        let ended = search.run(FirstOf::new(choices), move |choice| Some(joined(&base, &found, &[*choice])))?;
        if ended.taken().is_none() {
            return Ok(());
        }
    }
}

/// The numbers of directives that can be replaced at the same time: one for each guest, and none that would put a file into
/// itself.
fn independent(directives: &[Directive]) -> Vec<usize> {
    let mut hosts: BTreeMap<usize, usize> = BTreeMap::new();
    let mut chosen = Vec::new();
    for (number, Directive { host, guest, .. }) in directives.iter().enumerate() {
        let around = std::iter::successors(Some(*host), |inner| hosts.get(inner).copied());
        if !hosts.contains_key(guest) && !around.into_iter().any(|outer| outer == *guest) {
            hosts.insert(*guest, *host);
            chosen.push(number);
        }
    }
    chosen
}

/// All directives whose files may change.
fn directives(candidate: &Candidate, facts: &ProjectFacts) -> Vec<Directive> {
    let files = candidate.files();
    let mut found = Vec::new();
    for (host, file) in files.iter().enumerate().filter(|(_, file)| file.kind().has_content()) {
        let named = match extension(file.path()) {
            "c" | "h" | "cc" | "cpp" | "cxx" | "hh" | "hpp" | "hxx" | "m" | "mm" | "cu" | "inc" | "inl" | "ipp" => {
                includes(file)
            }
            "rs" => modules(file),
            "py" => python_imports(file),
            "js" | "mjs" | "cjs" | "jsx" | "ts" | "mts" | "cts" | "tsx" => script_imports(file),
            _ => Vec::new(),
        };
        for (range, paths, form) in named {
            let guest = paths.iter().find_map(|path| resolve(files, path));
            let is_free = |guest: &usize| *guest != host && !facts.is_fixed(&files[*guest]) && !facts.is_fixed(file);
            found.extend(guest.filter(is_free).map(|guest| Directive { host, range, guest, form }));
        }
    }
    // Small guests first: they are the likeliest to be leaves that name nobody.
    found.sort_by_key(|directive| (files[directive.guest].bytes().len(), directive.host, directive.range.start));
    found
}

fn extension(path: &Path) -> &str {
    path.extension().and_then(|extension| extension.to_str()).unwrap_or_default()
}

/// The file at a path, or the one whose path ends with it.
fn resolve(files: &[File], path: &Path) -> Option<usize> {
    let exact = files.binary_search_by(|file| file.path().cmp(path)).ok();
    exact
        .or_else(|| files.iter().position(|file| file.path().ends_with(path)))
        .filter(|at| files[*at].kind().has_content())
}

/// The candidate in which some directives are replaced by their files.
fn joined(base: &Candidate, directives: &[Directive], chosen: &[usize]) -> Candidate {
    let guests = chosen.iter().map(|&number| (directives[number].guest, number)).collect();
    let join = Join { files: base.files(), directives, guests };
    let rewritten = |(place, file): (usize, &File)| match join.touches(place) {
        _ if join.guests.contains_key(&place) => None,
        true => Some(file.with_bytes(join.text(place))),
        false => Some(file.clone()),
    };
    base.with_files(base.files().iter().enumerate().filter_map(rewritten))
}

/// Files that take in others.
struct Join<'a> {
    files: &'a [File],
    directives: &'a [Directive],
    /// The directive that each file takes the place of.
    guests: BTreeMap<usize, usize>,
}

impl Join<'_> {
    /// The directives of a file that change, the last first.
    fn changing(&self, place: usize) -> Vec<(usize, &Directive)> {
        let all = self.directives.iter().enumerate();
        let is_changing = |(_, directive): &(usize, &Directive)| {
            directive.host == place && self.guests.contains_key(&directive.guest)
        };
        let mut changing: Vec<_> = all.filter(is_changing).collect();
        changing.sort_by_key(|(_, directive)| Reverse(directive.range.start));
        changing
    }

    fn touches(&self, place: usize) -> bool {
        !self.changing(place).is_empty()
    }

    /// What a file becomes.
    fn text(&self, place: usize) -> Vec<u8> {
        let original = self.files[place].bytes();
        let mut text = original.to_vec();
        let mut qualifiers = Vec::new();
        for (number, directive) in self.changing(place) {
            let is_replaced = self.guests.get(&directive.guest) == Some(&number);
            let replacement = match is_replaced {
                true => directive.text(original, &self.text(directive.guest)),
                false => Vec::new(),
            };
            text.splice(directive.range.clone(), replacement);
            if let Form::Import { qualifier: Some(qualifier) } = &directive.form {
                qualifiers.push(qualifier);
            }
        }
        qualifiers.into_iter().fold(text, |text, qualifier| without_qualifier(&text, qualifier))
    }
}

impl Directive {
    /// What takes the place of the directive.
    fn text(&self, host: &[u8], guest: &[u8]) -> Vec<u8> {
        match &self.form {
            Form::Include => guest.to_vec(),
            Form::Module => {
                let before = host[self.range.clone()].strip_suffix(b";").unwrap_or(&host[self.range.clone()]);
                [before, b" {\n", guest, b"\n}"].concat()
            }
            Form::Import { .. } => without_exports(guest),
        }
    }
}

/// What was found in a file: where, which paths it may name, and what becomes of it.
type Named = (Range<usize>, Vec<PathBuf>, Form);

/// The lines of a text, as ranges without line ends.
fn lines(text: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut start = 0;
    text.split(|byte| *byte == b'\n').map(move |line| {
        let range = start..start + line.len();
        start = range.end + 1;
        range
    })
}

fn folder(file: &File) -> &Path {
    file.path().parent().unwrap_or(Path::new(""))
}

/// `folder/name` without `.` and `..`.
fn joined_path(folder: &Path, name: &str) -> PathBuf {
    let mut path = folder.to_owned();
    for part in Path::new(name).components() {
        match part {
            std::path::Component::ParentDir => drop(path.pop()),
            std::path::Component::Normal(part) => path.push(part),
            _ => {}
        }
    }
    path
}

/// The text between two quotation marks of one of these kinds, and what is before it.
fn quoted<'a>(text: &'a str, marks: &[(char, char)]) -> Option<(&'a str, &'a str)> {
    let (at, close) = text
        .char_indices()
        .find_map(|(at, char)| marks.iter().find(|(open, _)| *open == char).map(|(_, close)| (at, *close)))?;
    let rest = &text[at + 1..];
    Some((&rest[..rest.find(close)?], &text[..at]))
}

fn includes(file: &File) -> Vec<Named> {
    let text = file.bytes();
    let named = |range: Range<usize>| {
        let line = std::str::from_utf8(&text[range.clone()]).ok()?;
        let directive = line.trim_start().strip_prefix('#')?.trim_start();
        let rest = directive.strip_prefix("include").or_else(|| directive.strip_prefix("import"))?;
        let (name, _) = quoted(rest, &[('"', '"'), ('<', '>')])?;
        Some((range, vec![joined_path(folder(file), name), joined_path(Path::new(""), name)], Form::Include))
    };
    lines(text).filter_map(named).collect()
}

fn modules(file: &File) -> Vec<Named> {
    let Ok(text) = std::str::from_utf8(file.bytes()) else { return Vec::new() };
    let stem = file.path().file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    // `lib.rs`, `main.rs` and `mod.rs` have their modules beside them, others in a folder of their name.
    let home = match stem {
        "lib" | "main" | "mod" => folder(file).to_owned(),
        _ => folder(file).join(stem),
    };
    let named = |(at, _): (usize, &str)| {
        let is_word = text[..at].chars().next_back().is_none_or(|before| !before.is_alphanumeric() && before != '_');
        let rest = text[at + 3..].strip_prefix(char::is_whitespace)?.trim_start();
        let name =
            rest.split(|char: char| !char.is_alphanumeric() && char != '_').next().filter(|name| !name.is_empty())?;
        let end = rest[name.len()..].trim_start().strip_prefix(';').map(|after| text.len() - after.len())?;
        let beside = |name: String| home.join(name);
        let paths = vec![
            beside(format!("{name}.rs")),
            beside(format!("{name}/mod.rs")),
            folder(file).join(format!("{name}.rs")),
        ];
        is_word.then_some((at..end, paths, Form::Module))
    };
    text.match_indices("mod").filter_map(named).collect()
}

/// `from a.b import c`, `from . import b` and `import a.b` at the left margin.
fn python_imports(file: &File) -> Vec<Named> {
    let Ok(text) = std::str::from_utf8(file.bytes()) else { return Vec::new() };
    let named = |range: Range<usize>| {
        let line = &text[range.clone()];
        let mut words = line.split_whitespace();
        let keyword = words.next().filter(|_| !line.starts_with(char::is_whitespace))?;
        let module = words.next()?.trim_end_matches(',');
        let dots = module.len() - module.trim_start_matches('.').len();
        let mut home = if dots > 0 { folder(file).to_owned() } else { PathBuf::new() };
        for _ in 1..dots {
            home.pop();
        }
        let mut path = module[dots..].replace('.', "/");
        let qualifier = match keyword {
            "from" => {
                let imported = line.split_once(" import ")?.1.trim();
                if path.is_empty() {
                    path = imported.split([',', ' ']).next()?.to_owned();
                }
                None
            }
            "import" => Some([module.as_bytes(), b"."].concat()),
            _ => return None,
        };
        // An import in parentheses goes on to the line that closes them.
        let end = match line.contains('(') && !line.contains(')') {
            true => text[range.end..].find(')').map_or(range.end, |close| range.end + close + 1),
            false => range.end,
        };
        let paths = vec![home.join(format!("{path}.py")), home.join(&path).join("__init__.py")];
        Some((range.start..end, paths, Form::Import { qualifier }))
    };
    lines(file.bytes()).filter_map(named).collect()
}

/// `import x from "./b"`, `export * from "./b"` and `const x = require("./b")`, on one line.
fn script_imports(file: &File) -> Vec<Named> {
    let text = file.bytes();
    let named = |range: Range<usize>| {
        let line = std::str::from_utf8(&text[range.clone()]).ok()?;
        let (name, before) = quoted(line, &[('"', '"'), ('\'', '\'')])?;
        let words = before.trim_start();
        let is_import = words.starts_with("import") || (words.starts_with("export") && before.contains("from"));
        let is_require = before.trim_end().ends_with("require(");
        let path = joined_path(folder(file), name);
        let with = |ending: &str| PathBuf::from(format!("{}{ending}", path.display()));
        let mut paths = vec![path.clone()];
        paths.extend([".js", ".ts", ".mjs", ".cjs", ".jsx", ".tsx", "/index.js", "/index.ts"].map(with));
        (is_import || is_require).then_some((range, paths, Form::Import { qualifier: None }))
    };
    lines(text).filter_map(named).collect()
}

/// A text whose definitions are not exported any more.
fn without_exports(text: &[u8]) -> Vec<u8> {
    let strip = |range: Range<usize>| {
        let line = &text[range];
        let line = line.strip_prefix(b"export default ").unwrap_or(line);
        line.strip_prefix(b"export ").unwrap_or(line).to_vec()
    };
    lines(text).map(strip).collect::<Vec<_>>().join(&b'\n')
}

/// A text without the module's name in front of what was defined in it.
fn without_qualifier(text: &[u8], qualifier: &[u8]) -> Vec<u8> {
    let mut kept = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let is_start = kept.last().is_none_or(|byte: &u8| !byte.is_ascii_alphanumeric() && !b"_.".contains(byte));
        if is_start && text[at..].starts_with(qualifier) {
            at += qualifier.len();
        } else {
            kept.push(text[at]);
            at += 1;
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn project(files: &[(&str, &str)]) -> Candidate {
        Candidate::from_files(files.iter().map(|&(path, text)| (path, text.as_bytes().to_vec())))
    }

    /// The first join of a project, as paths and texts.
    fn first(files: &[(&str, &str)]) -> Vec<(String, String)> {
        let base = project(files);
        let directives = directives(&base, &ProjectFacts::default());
        let joined = joined(&base, &directives, &[0]);
        let shown =
            |file: &File| (file.path().display().to_string(), String::from_utf8_lossy(file.bytes()).into_owned());
        joined.files().iter().map(shown).collect()
    }

    fn of(path: &str, text: &str) -> (String, String) {
        (path.to_owned(), text.to_owned())
    }

    #[test]
    fn an_include_becomes_the_header_and_other_includes_of_it_go() {
        let files = [
            ("a.c", "#include \"inc/b.h\"\nint a;\n# include <b.h>\n"),
            ("inc/b.h", "int b;"),
            ("c.c", "#include \"b.h\"\n"),
        ];
        assert_eq!(first(&files), [of("a.c", "int b;\nint a;\n\n"), of("c.c", "\n")]);
    }

    #[test]
    fn a_module_of_rust_gets_braces() {
        let files = [("src/lib.rs", "pub mod b;\nmod cmod; use x;"), ("src/b/mod.rs", "fn f() {}"), ("src/b.txt", "")];
        assert_eq!(
            first(&files),
            [of("src/b.txt", ""), of("src/lib.rs", "pub mod b {\nfn f() {}\n}\nmod cmod; use x;")]
        );
        let nested = [("src/a.rs", "mod b;"), ("src/a/b.rs", "x")];
        assert_eq!(first(&nested), [of("src/a.rs", "mod b {\nx\n}")]);
    }

    #[test]
    fn imports_of_python_become_definitions() {
        let files = [("p/a.py", "from .b import (\n  f,\n)\nf()\n"), ("p/b.py", "def f(): pass\n")];
        assert_eq!(first(&files), [of("p/a.py", "def f(): pass\n\nf()\n")]);
        let qualified = [("a.py", "import b\nb.f(sub.b.x)\n"), ("b.py", "def f(x): pass")];
        assert_eq!(first(&qualified), [of("a.py", "def f(x): pass\nf(sub.b.x)\n")]);
    }

    #[test]
    fn imports_of_scripts_become_definitions() {
        let files =
            [("src/a.js", "import { f } from './b'\nf()"), ("src/b.js", "export function f() {}\nexport default 1")];
        assert_eq!(first(&files), [of("src/a.js", "function f() {}\n1\nf()")]);
        let required = [("a.js", "const f = require('./lib')"), ("lib/index.js", "f()")];
        assert_eq!(first(&required), [of("a.js", "f()")]);
    }

    #[test]
    fn several_files_are_joined_at_once_and_none_with_itself() {
        let files = [
            ("a.c", "#include \"b.h\"\n#include \"c.h\"\nint a;"),
            ("b.h", "#include \"c.h\"\nint b;"),
            ("c.h", "#include \"b.h\"\nint c;"),
        ];
        let base = project(&files);
        let found = directives(&base, &ProjectFacts::default());
        let chosen = independent(&found);
        let joined = joined(&base, &found, &chosen);
        assert_eq!(joined.files().len(), 1);
        let text = String::from_utf8_lossy(joined.files()[0].bytes()).into_owned();
        assert_eq!([text.matches("int").count(), text.matches("include").count()], [3, 0], "{text}");
    }

    #[test]
    fn files_that_are_fixed_take_part_in_no_join() {
        let base = project(&[("a.c", "#include \"b.h\"\n"), ("b.h", "int b;")]);
        let facts = |fixed| ProjectFacts { fixed: BTreeSet::from([fixed]), hints: Vec::new() };
        assert!(directives(&base, &facts(0)).is_empty() && directives(&base, &facts(1)).is_empty());
    }
}
