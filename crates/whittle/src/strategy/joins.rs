//! One file takes in another: a directive that names a file is replaced by what the file holds, and the file goes.
//!
//! `#include "b.h"` in C and C++, `mod b;` in Rust, which becomes `mod b { … }`, imports in Python, JavaScript and
//! TypeScript. Other directives that name the same file go with it: a file that was included twice was most likely guarded
//! against that. Directives of the file that goes are spelled as its new place needs it. Whether the result still means the same is for the test to say.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use whittle_search::{Candidate, File, FirstOf, Halves, Search, Stop};

use super::directives::{Directive, Form, directives, folder, last_first, lines};
use super::project::ProjectFacts;

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
        let choices: Vec<usize> = (0..found.len()).filter(|number| found[*number].is_free).collect();
        if choices.len() > MOST_ONE_BY_ONE {
            return Ok(());
        }
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
    for (number, Directive { host, guest, .. }) in directives.iter().enumerate().filter(|(_, found)| found.is_free) {
        let around = std::iter::successors(Some(*host), |inner| hosts.get(inner).copied());
        if !hosts.contains_key(guest) && !around.into_iter().any(|outer| outer == *guest) {
            hosts.insert(*guest, *host);
            chosen.push(number);
        }
    }
    chosen
}

/// The candidate in which some directives are replaced by their files.
fn joined(base: &Candidate, directives: &[Directive], chosen: &[usize]) -> Candidate {
    let guests = chosen.iter().map(|&number| (directives[number].guest, number)).collect();
    let join = Join { files: base.files(), directives, guests };
    let rewritten = |(place, file): (usize, &File)| match join.touches(place) {
        _ if join.guests.contains_key(&place) => None,
        true => Some(file.with_bytes(join.text_in(folder(file), place))),
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
    fn changes(&self, directive: &Directive) -> bool {
        directive.is_free && self.guests.contains_key(&directive.guest)
    }

    fn touches(&self, place: usize) -> bool {
        self.directives.iter().any(|directive| directive.host == place && self.changes(directive))
    }

    /// What a file becomes in a folder, its own or that of the file that takes it in.
    fn text_in(&self, folder: &Path, place: usize) -> Vec<u8> {
        let found = last_first(self.directives, place);
        let mut text = self.files[place].bytes().to_vec();
        for (number, directive) in &found {
            if let Some((range, replacement)) = self.edit(folder, *number, directive) {
                text.splice(range, replacement);
            }
        }
        let qualifiers = found.iter().filter(|(_, directive)| self.changes(directive));
        qualifiers.fold(text, |text, (_, directive)| match &directive.form {
            Form::Import { qualifier: Some(qualifier) } => without_qualifier(&text, qualifier),
            _ => text,
        })
    }

    /// What becomes of a directive whose text is now in `folder`, and where.
    fn edit(&self, folder: &Path, number: usize, directive: &Directive) -> Option<(Range<usize>, Vec<u8>)> {
        let host = &self.files[directive.host];
        if !self.changes(directive) {
            let is_elsewhere = host.path().parent() != Some(folder);
            let (range, way) = directive.respelled(folder, self.files[directive.guest].path())?;
            return is_elsewhere.then(|| (range, way.into_bytes()));
        }
        let replacement = match self.guests.get(&directive.guest) == Some(&number) {
            true => directive.text(host.bytes(), &self.text_in(folder, directive.guest)),
            false => Vec::new(),
        };
        Some((directive.range.clone(), replacement))
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
    fn a_directive_that_reaches_into_the_next_is_left_alone() {
        let files = [("a.py", "from b import (x\nimport b\nprint(b.x)"), ("b.py", "x = 1")];
        assert_eq!(first(&files).len(), 1);
        let comment = [("a.py", "from b import x  # (see below\nimport b\nprint(b.x)"), ("b.py", "x = 1")];
        assert_eq!(first(&comment), [of("a.py", "x = 1\n\nprint(x)")]);
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
    fn ways_to_other_files_are_spelled_from_the_new_place() {
        let scripts = [
            ("es/index.js", "import './in/a'"),
            ("es/in/a.js", "import './b'\nimport '../c.js'\nimport '../../lib'\nimport 'd'"),
            ("es/in/b.js", "longer than the others, so that it is not the first to be joined, by quite a lot"),
            ("es/c.js", "longer than the others, so that it is not the first to be joined, by quite a lot"),
            ("lib/index.js", "longer than the others, so that it is not the first to be joined, by quite a lot"),
        ];
        let taken = "import './in/b'\nimport './c.js'\nimport '../lib'\nimport 'd'";
        assert!(first(&scripts).contains(&of("es/index.js", taken)), "{:?}", first(&scripts));
        let headers =
            [("a.c", "#include \"x/b.h\""), ("x/b.h", "#include \"c.h\"\n"), ("x/c.h", "int c; int d; int e;")];
        assert!(first(&headers).contains(&of("a.c", "#include \"x/c.h\"\n")), "{:?}", first(&headers));
        let modules = [
            ("p/a.py", "from .q.b import f"),
            ("p/q/b.py", "from .c import g\n"),
            ("p/q/c.py", "def g():\n    return 1"),
        ];
        assert!(first(&modules).contains(&of("p/a.py", "from .q.c import g\n")), "{:?}", first(&modules));
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
        let facts = |fixed| ProjectFacts { fixed: BTreeSet::from([fixed]), ..ProjectFacts::default() };
        for fixed in [0, 1] {
            assert!(directives(&base, &facts(fixed)).iter().all(|directive| !directive.is_free));
        }
    }
}
