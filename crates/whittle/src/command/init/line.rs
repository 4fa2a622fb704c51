//! The failing command as the user typed it, and as `--run` takes it: which of its words is the input, and what the others
//! are called in the folder in which tests run.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::command::shell::{quoted, shell_words};

/// The failing command and its input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FailingCommand {
    /// The program and its arguments; or a single text for a shell.
    words: Vec<String>,
    pub(super) input: PathBuf,
    /// Whether the input is fed on standard input.
    pub(super) stdin: bool,
}

/// Options of compilers and linkers whose value follows without a blank and may be a folder.
const GLUED_OPTIONS: [&str; 3] = ["-I", "-L", "-B"];

/// Options before the path of something that is written: it belongs in the folder in which a test runs.
const OUTPUT_OPTIONS: [&str; 9] =
    ["-o", "-out", "--out", "--output", "--outfile", "--out-dir", "--outdir", "-MF", "-d"];

impl FailingCommand {
    /// Finds the input among the words: the last one that is a file, rather one that `is_source`. None if there is none.
    pub(super) fn find(words: Vec<String>, is_source: impl Fn(&Path) -> bool) -> Option<Self> {
        let spoken = match words.as_slice() {
            // A text for a shell.
            [line] => shell_parts(line).map(PathBuf::from).collect(),
            _ => words.iter().skip(1).map(|word| PathBuf::from(value(word))).collect::<Vec<_>>(),
        };
        let is_input =
            |path: &&PathBuf| path.exists() && !path.as_os_str().is_empty() && path.as_path() != Path::new("/dev/null");
        let candidates: Vec<&PathBuf> = spoken.iter().filter(is_input).collect();
        let best = candidates.iter().rev().find(|path| path.is_file() && is_source(path));
        let input = best.or_else(|| candidates.iter().rev().find(|path| path.is_file())).or(candidates.last());
        let input = input.map(|path| path.to_path_buf())?;
        Some(Self { words, input, stdin: false })
    }

    /// The command with an input that was named.
    pub(super) fn with_input(words: Vec<String>, input: PathBuf, stdin: bool) -> Self {
        Self { words, input, stdin }
    }

    fn is_shell(&self) -> bool {
        self.words.len() == 1
    }

    /// The text for `--run`: `{}` in place of the input, and paths of the current folder with `{cwd}`.
    pub(super) fn run_line(&self) -> String {
        let input = self.input.to_string_lossy();
        if self.is_shell() {
            let line = self.shell_line("{}", "{cwd}");
            return shell_words(&["sh".into(), "-c".into(), line]);
        }
        let mut words = vec![self.words[0].clone()];
        words.extend(self.words.windows(2).map(|pair| self.word(&pair[0], &pair[1], &input)));
        shell_words(&words)
    }

    /// The same as a line of a script, in which `$1` is the candidate.
    pub(super) fn script_line(&self, cwd: &Path) -> String {
        let cwd = cwd.to_string_lossy();
        let input = self.input.to_string_lossy();
        if self.is_shell() {
            return self.shell_line("\"$1\"", &cwd);
        }
        let program = match self.words[0].contains('/') && !self.words[0].starts_with('/') {
            true => format!("{cwd}/{}", self.words[0]),
            false => self.words[0].clone(),
        };
        let arguments = self.words.windows(2).map(|pair| {
            let word = self.word(&pair[0], &pair[1], &input).replace("{cwd}", &cwd);
            match word.strip_suffix("{}") {
                Some("") => "\"$1\"".to_owned(),
                Some(option) => format!("{}\"$1\"", quoted(option)),
                None => quoted(&word),
            }
        });
        let line = std::iter::once(quoted(&program)).chain(arguments).collect::<Vec<_>>().join(" ");
        if self.stdin { format!("{line} <\"$1\"") } else { line }
    }

    /// The text for a shell, in which the input and the current folder have these names.
    fn shell_line(&self, input: &str, cwd: &str) -> String {
        let line = replaced_word(&self.words[0], &self.input.to_string_lossy(), input);
        let has_folder = |part: &&str| part.contains('/') && is_path_here(part);
        let paths: BTreeSet<&str> = shell_parts(&self.words[0]).filter(has_folder).collect();
        paths.into_iter().fold(line, |line, path| replaced_word(&line, path, &format!("{cwd}/{path}")))
    }

    /// The text that runs the command where the user is.
    pub(super) fn in_place(&self) -> String {
        let run = match self.is_shell() {
            true => self.words[0].clone(),
            false => shell_words(&self.words),
        };
        let feed = if self.stdin { format!(" <{}", quoted(&self.input.to_string_lossy())) } else { String::new() };
        // The shell would turn a signal into an exit status.
        let start = if self.is_shell() { "" } else { "exec " };
        shell_words(&["sh".into(), "-c".into(), format!("cd \"$0\" && {start}{run}{feed}"), "{cwd}".into()])
    }

    /// The command with a folder in which a C compiler looks for headers.
    pub(super) fn with_headers_here(&self) -> Option<Self> {
        let program = Path::new(self.words.first()?).file_name()?.to_str()?;
        let stem = program.trim_end_matches(|char: char| char.is_ascii_digit() || ".-".contains(char));
        let is_compiler = !self.is_shell()
            && ["cc", "c++", "gcc", "g++", "clang", "clang++"].iter().any(|known| stem.ends_with(known));
        let mut words = self.words.clone();
        words.insert(1, "-I.".to_owned());
        is_compiler.then(|| Self { words, ..self.clone() })
    }

    /// A word as it is in the folder in which tests run.
    fn word(&self, before: &str, word: &str, input: &str) -> String {
        let (option, path) = split_option(word);
        let is_output = [before, option.trim_end_matches('=')].iter().any(|option| OUTPUT_OPTIONS.contains(option));
        match path {
            _ if path == input && !self.stdin => format!("{option}{{}}"),
            _ if is_path_here(path) && !is_output => format!("{option}{{cwd}}/{path}"),
            _ => word.to_owned(),
        }
    }
}

/// What a word says: `x` for `x` and for `--file=x`.
fn value(word: &str) -> &str {
    split_option(word).1
}

fn split_option(word: &str) -> (&str, &str) {
    let is_option = word.starts_with('-');
    let at = word.find('=').filter(|_| is_option).map(|at| at + 1);
    let glued = || GLUED_OPTIONS.iter().find(|option| word.starts_with(**option)).map(|option| option.len());
    word.split_at(at.or_else(glued).unwrap_or(0))
}

/// Whether a word is the path of something in the current folder or below it.
fn is_path_here(path: &str) -> bool {
    !path.is_empty() && !path.starts_with(['/', '-']) && Path::new(path).exists()
}

/// What stands between the signs of a shell.
fn shell_parts(line: &str) -> impl Iterator<Item = &str> {
    line.split([' ', '\t', '\n', '\'', '"', ';', '|', '&', '<', '>', '(', ')'])
}

/// The text with `new` wherever `old` is a word of its own.
fn replaced_word(text: &str, old: &str, new: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    let is_part = |char: char| char.is_alphanumeric() || "_-./".contains(char);
    while let Some(at) = rest.find(old) {
        let (before, after) = (&rest[..at], &rest[at + old.len()..]);
        let is_word = !before.ends_with(is_part) && !after.starts_with(is_part);
        result.push_str(before);
        result.push_str(if is_word { new } else { old });
        rest = after;
    }
    result + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &[&str]) -> Vec<String> {
        text.iter().map(|&word| word.to_owned()).collect()
    }

    fn with(text: &[&str], input: &str) -> FailingCommand {
        FailingCommand::with_input(words(text), input.into(), false)
    }

    #[test]
    fn the_input_becomes_braces_and_other_paths_keep_their_folder() {
        // Paths are those of the crate: tests run in its folder.
        let command = with(&["gcc", "-O2", "-Isrc", "-c", "x y.c", "--map=Cargo.toml", "-o", "x.o"], "x y.c");
        assert_eq!(command.run_line(), "gcc -O2 -I{cwd}/src -c {} --map={cwd}/Cargo.toml -o x.o");
        assert_eq!(command.script_line(Path::new("/w")), "gcc -O2 -I/w/src -c \"$1\" --map=/w/Cargo.toml -o x.o");
        let glued = with(&["tool", "--in=bug.c"], "bug.c");
        assert_eq!(glued.run_line(), "tool --in={}");
        let shell = with(&["gcc -c bug.c 2>&1 | grep 'x'"], "bug.c");
        assert_eq!(shell.run_line(), r"sh -c 'gcc -c {} 2>&1 | grep '\''x'\'''");
        assert_eq!(shell.script_line(Path::new("/w")), "gcc -c \"$1\" 2>&1 | grep 'x'");
        let path = with(&["./Cargo.toml bug.c"], "bug.c");
        assert_eq!(path.run_line(), "sh -c '{cwd}/./Cargo.toml {}'");
    }

    #[test]
    fn what_is_written_is_written_where_tests_run() {
        let command = with(&["rustc", "--out-dir", ".", "-o", "Cargo.toml", "--output=src", "x.rs"], "x.rs");
        assert_eq!(command.run_line(), "rustc --out-dir . -o Cargo.toml --output=src {}");
    }

    #[test]
    fn the_input_is_found_among_the_words() {
        let find = |text: &[&str]| {
            let is_source = |path: &Path| path.extension().is_some_and(|extension| extension == "md");
            FailingCommand::find(words(text), is_source).map(|command| command.input)
        };
        assert_eq!(find(&["tool", "README.md", "-o", "Cargo.toml"]), Some("README.md".into()));
        assert_eq!(find(&["tool", "--x=Cargo.toml", "-v"]), Some("Cargo.toml".into()));
        assert_eq!(find(&["tool", "src"]), Some("src".into()));
        assert_eq!(find(&["cat README.md | tool"]), Some("README.md".into()));
        assert_eq!(find(&["tool", "-v"]), None);
    }

    #[test]
    fn headers_are_looked_for_only_by_compilers() {
        let added =
            |program: &str| with(&[program, "a.c"], "a.c").with_headers_here().map(|command| command.run_line());
        assert_eq!(added("x86_64-linux-gnu-gcc-12"), Some("x86_64-linux-gnu-gcc-12 -I{cwd}/. {}".into()));
        assert_eq!(added("clang++-14"), Some("clang++-14 -I{cwd}/. {}".into()));
        assert_eq!(added("rustc"), None);
    }
}
