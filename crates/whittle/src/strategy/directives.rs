//! Directives: the places where one file of a project names another, in the languages that have such places.
//!
//! They are found by lines and words, without a parser: a place that is none after all costs one test. A directive that
//! moves to another folder, or whose file does, spells the way to its file anew.

use std::cmp::Reverse;
use std::ops::Range;
use std::path::{Path, PathBuf};

use whittle_search::{Candidate, File};

use super::project::ProjectFacts;

/// A directive in one file that names another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Directive {
    /// The place of the file that has it.
    pub(super) host: usize,
    /// Where it is.
    pub(super) range: Range<usize>,
    /// The place of the file that it names.
    pub(super) guest: usize,
    pub(super) form: Form,
    /// How it spells the way from its file to the other, unless the way starts elsewhere.
    way: Option<Way>,
    /// Whether both files may change.
    pub(super) is_free: bool,
}

/// The way from one file to another, as a directive spells it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Way {
    range: Range<usize>,
    style: Style,
    /// What the path of the other file has after what is spelled: `.js`, `/index.js`.
    unspelled: String,
}

/// How a way is spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// `../inc/b.h`
    Path,
    /// `./b`, `../lib/b`
    Script,
    /// `.b`, `..lib.b`
    Dots,
}

impl Directive {
    /// Where the way to the file is spelled, and how it is spelled if the directive is in `folder` and the file at `path`.
    pub(super) fn respelled(&self, folder: &Path, path: &Path) -> Option<(Range<usize>, String)> {
        let Way { range, style, unspelled } = self.way.as_ref()?;
        let path = path.to_str()?.strip_suffix(unspelled.as_str())?;
        Some((range.clone(), style.spell(folder, Path::new(path))))
    }
}

impl Style {
    fn spell(self, folder: &Path, path: &Path) -> String {
        let shared = folder.components().zip(path.components()).take_while(|(one, other)| one == other).count();
        let up = folder.components().count() - shared;
        let down: PathBuf = path.components().skip(shared).collect();
        let down = down.to_string_lossy();
        match self {
            Style::Path => format!("{}{down}", "../".repeat(up)),
            Style::Script if up == 0 => format!("./{down}"),
            Style::Script => format!("{}{down}", "../".repeat(up)),
            Style::Dots => format!("{}{}", ".".repeat(up + 1), down.replace('/', ".")),
        }
    }
}

/// What becomes of a directive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// The text alone.
    Include,
    /// A module in braces, after what the directive says before its semicolon.
    Module,
    /// The text without the words that export its definitions. Uses lose the module's name and the dot, if it has one.
    Import { qualifier: Option<Vec<u8>> },
}

/// All directives that name a file of the candidate.
pub(super) fn directives(candidate: &Candidate, facts: &ProjectFacts) -> Vec<Directive> {
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
        for Named { range, paths, form, way } in named {
            let Some(guest) = paths.iter().find_map(|path| resolve(files, path)) else { continue };
            let way = way.and_then(|way| way.to(files[guest].path()));
            let is_free = guest != host && !facts.is_fixed(&files[guest]) && !facts.is_fixed(file);
            found.push(Directive { host, range, guest, form, way, is_free });
        }
    }
    // Small guests first: they are the likeliest to be leaves that name nobody.
    found.sort_by_key(|directive| (files[directive.guest].bytes().len(), directive.host, directive.range.start));
    found
}

/// The directives of one file with their numbers, the last first, so that edits do not move those that are left. One that
/// reaches into the next is left out.
pub(super) fn last_first(directives: &[Directive], host: usize) -> Vec<(usize, &Directive)> {
    let mut found: Vec<_> = directives.iter().enumerate().filter(|(_, directive)| directive.host == host).collect();
    found.sort_by_key(|(_, directive)| Reverse(directive.range.start));
    let mut next = usize::MAX;
    found.retain(|(_, directive)| {
        let is_apart = directive.range.end <= next;
        next = if is_apart { directive.range.start } else { next };
        is_apart
    });
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

/// What was found in a file: where, which paths it may name, what becomes of it, and how it spells the way.
struct Named {
    range: Range<usize>,
    paths: Vec<PathBuf>,
    form: Form,
    way: Option<SpelledWay>,
}

/// A way as it is spelled, and where it would lead.
struct SpelledWay {
    range: Range<usize>,
    style: Style,
    leads_to: PathBuf,
}

impl SpelledWay {
    /// The way to a file, if it leads there.
    fn to(self, path: &Path) -> Option<Way> {
        let unspelled = path.to_str()?.strip_prefix(self.leads_to.to_str()?)?.to_owned();
        Some(Way { range: self.range, style: self.style, unspelled })
    }
}

/// The lines of a text, as ranges without line ends.
pub(super) fn lines(text: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut start = 0;
    text.split(|byte| *byte == b'\n').map(move |line| {
        let range = start..start + line.len();
        start = range.end + 1;
        range
    })
}

/// The folder of a file.
pub(super) fn folder(file: &File) -> &Path {
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

/// Where the text between two quotation marks of one of these kinds is.
fn quoted(text: &str, marks: &[(char, char)]) -> Option<Range<usize>> {
    let (at, close) = text
        .char_indices()
        .find_map(|(at, char)| marks.iter().find(|(open, _)| *open == char).map(|(_, close)| (at, *close)))?;
    let start = at + 1;
    Some(start..start + text[start..].find(close)?)
}

/// A range within a line, as one within the text.
fn within(line: &Range<usize>, range: &Range<usize>) -> Range<usize> {
    line.start + range.start..line.start + range.end
}

fn includes(file: &File) -> Vec<Named> {
    let text = file.bytes();
    let named = |range: Range<usize>| {
        let line = std::str::from_utf8(&text[range.clone()]).ok()?;
        let directive = line.trim_start().strip_prefix('#')?.trim_start();
        let is_include = directive.starts_with("include") || directive.starts_with("import");
        let at = quoted(line, &[('"', '"'), ('<', '>')]).filter(|_| is_include)?;
        let name = &line[at.clone()];
        let beside = joined_path(folder(file), name);
        let way = SpelledWay { range: within(&range, &at), style: Style::Path, leads_to: beside.clone() };
        Some(Named {
            range,
            paths: vec![beside, joined_path(Path::new(""), name)],
            form: Form::Include,
            way: Some(way),
        })
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
        is_word.then_some(Named { range: at..end, paths, form: Form::Module, way: None })
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
        let code = line.split('#').next().unwrap_or_default();
        let end = match code.contains('(') && !code.contains(')') {
            true => text[range.end..].find(')').map_or(range.end, |close| range.end + close + 1),
            false => range.end,
        };
        let paths = vec![home.join(format!("{path}.py")), home.join(&path).join("__init__.py")];
        let way = || {
            let start = range.start + line.find(module)?;
            Some(SpelledWay { range: start..start + module.len(), style: Style::Dots, leads_to: home.join(&path) })
        };
        let way = (0 < dots && dots < module.len()).then(way).flatten();
        Some(Named { range: range.start..end, paths, form: Form::Import { qualifier }, way })
    };
    lines(file.bytes()).filter_map(named).collect()
}

/// `import x from "./b"`, `export * from "./b"` and `const x = require("./b")`, on one line.
fn script_imports(file: &File) -> Vec<Named> {
    let text = file.bytes();
    let named = |range: Range<usize>| {
        let line = std::str::from_utf8(&text[range.clone()]).ok()?;
        let at = quoted(line, &[('"', '"'), ('\'', '\'')])?;
        let (name, before) = (&line[at.clone()], &line[..at.start - 1]);
        let words = before.trim_start();
        let is_import = words.starts_with("import") || (words.starts_with("export") && before.contains("from"));
        let is_require = before.trim_end().ends_with("require(");
        let path = joined_path(folder(file), name);
        let with = |ending: &str| PathBuf::from(format!("{}{ending}", path.display()));
        let mut paths = vec![path.clone()];
        paths.extend([".js", ".ts", ".mjs", ".cjs", ".jsx", ".tsx", "/index.js", "/index.ts"].map(with));
        let way = SpelledWay { range: within(&range, &at), style: Style::Script, leads_to: path };
        let way = Some(way).filter(|_| name.starts_with('.'));
        (is_import || is_require).then_some(Named { range, paths, form: Form::Import { qualifier: None }, way })
    };
    lines(text).filter_map(named).collect()
}
