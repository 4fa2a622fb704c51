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
    /// Finds the input among the words: the last one that is a file and is not written. None if there is none.
    pub(super) fn find(words: Vec<String>) -> Option<Self> {
        let spoken: Vec<&str> = match words.as_slice() {
            [line] => shell_commands(line).flat_map(|command| shell_parts(command).skip(1)).collect(),
            _ => words.windows(2).filter(|pair| !is_output(&pair[0], &pair[1])).map(|pair| value(&pair[1])).collect(),
        };
        let is_input = |path: &&&str| !path.is_empty() && Path::new(path).exists() && !path.starts_with("/dev/");
        let paths: Vec<&str> = spoken.iter().filter(is_input).copied().collect();
        let input = paths.iter().rev().find(|path| Path::new(path).is_file()).or(paths.last());
        let input = PathBuf::from(*input?);
        Some(Self::with_input(words, input, false))
    }

    /// The command with an input that was named.
    pub(super) fn with_input(words: Vec<String>, input: PathBuf, stdin: bool) -> Self {
        // Whittle would take it for an option.
        let input = if input.to_string_lossy().starts_with('-') { Path::new(".").join(input) } else { input };
        Self { words, input, stdin }
    }

    /// Whether it is a text for a shell: one word that is more than the name of a program.
    fn is_shell(&self) -> bool {
        matches!(self.words.as_slice(), [line] if shell_parts(line).nth(1).is_some())
    }

    /// Whether a word is the input, however it is spelled.
    fn is_input(&self, path: &str) -> bool {
        let same = |one: &Path, other: &Path| Some(one.canonicalize().ok()? == other.canonicalize().ok()?);
        Path::new(path) == self.input || (!path.is_empty() && same(Path::new(path), &self.input).unwrap_or_default())
    }

    /// The rest of a path that leads into an input that is a folder.
    fn in_input(&self, path: &str) -> Option<PathBuf> {
        let rest = Path::new(path).strip_prefix(&self.input).ok().filter(|_| self.input.is_dir())?;
        Some(rest.to_owned()).filter(|rest| !rest.as_os_str().is_empty())
    }

    /// Whether the command is given the input at all.
    pub(super) fn mentions_input(&self) -> bool {
        match self.is_shell() {
            _ if self.stdin => true,
            true => self.shell_line("").contains("$1"),
            false => self.run_line().contains("{}"),
        }
    }

    /// The text for `--run`: `{}` in place of the input, and paths of the current folder with `{cwd}`. A shell gets both as
    /// parameters, since they may contain spaces.
    pub(super) fn run_line(&self) -> String {
        if self.is_shell() {
            let words = ["sh", "-c", &self.shell_line("\"$0\"/"), "{cwd}", "{}"];
            return shell_words(&words.map(str::to_owned));
        }
        let mut words = vec![self.words[0].clone()];
        words.extend(self.words.windows(2).map(|pair| self.word(&pair[0], &pair[1])));
        shell_words(&words)
    }

    /// The same as a line of a script, in which `$1` is the candidate.
    pub(super) fn script_line(&self, cwd: &Path) -> String {
        let cwd = cwd.to_string_lossy();
        let line = match self.is_shell() {
            true => format!("sh -c {} {} \"$1\"", quoted(&self.shell_line("\"$0\"/")), quoted(&cwd)),
            false => self.script_words(&cwd),
        };
        let feed = if self.stdin { "\"$1\"" } else { "/dev/null" };
        format!("{line} <{feed}")
    }

    fn script_words(&self, cwd: &str) -> String {
        let program = match self.words[0].contains('/') && !self.words[0].starts_with('/') {
            true => format!("{cwd}/{}", self.words[0]),
            false => self.words[0].clone(),
        };
        let arguments = self.words.windows(2).map(|pair| {
            let word = self.word(&pair[0], &pair[1]).replace("{cwd}", cwd);
            let part = |text: &str| if text.is_empty() { String::new() } else { quoted(text) };
            match word.split_once("{}") {
                Some((option, rest)) => format!("{}\"$1\"{}", part(option), part(rest)),
                None => quoted(&word),
            }
        });
        std::iter::once(quoted(&program)).chain(arguments).collect::<Vec<_>>().join(" ")
    }

    /// The text for a shell, in which `$1` is the input and paths begin with `cwd`.
    fn shell_line(&self, cwd: &str) -> String {
        let line = replaced_word(&self.words[0], &self.input.to_string_lossy(), "\"$1\"");
        let has_folder = |part: &&str| part.contains('/') && is_path_here(part) && !self.is_input(part);
        let paths: BTreeSet<&str> = shell_parts(&self.words[0]).filter(has_folder).collect();
        paths.into_iter().fold(line, |line, path| replaced_word(&line, path, &format!("{cwd}{path}")))
    }

    /// The text that runs the command where the user is.
    pub(super) fn in_place(&self) -> String {
        let feed = if self.stdin { format!(" <{}", quoted(&self.input.to_string_lossy())) } else { String::new() };
        let run = match self.is_shell() {
            true => format!("{{\n{}\n}}", self.words[0]),
            // The shell would turn a signal into an exit status.
            false => format!("exec {}", shell_words(&self.words)),
        };
        shell_words(&["sh".into(), "-c".into(), format!("cd \"$0\" && {run}{feed}"), "{cwd}".into()])
    }

    /// Whether the program is a compiler of C or C++.
    pub(super) fn is_compiler(&self) -> bool {
        let program = self.words.first().and_then(|word| Path::new(word).file_name()?.to_str()).unwrap_or_default();
        let stem = program.trim_end_matches(|char: char| char.is_ascii_digit() || ".-".contains(char));
        !self.is_shell() && ["cc", "c++", "gcc", "g++", "clang", "clang++"].iter().any(|known| stem.ends_with(known))
    }

    /// The command with a folder in which a C compiler looks for headers.
    pub(super) fn with_headers_here(&self) -> Option<Self> {
        let mut words = self.words.clone();
        words.insert(1, "-I.".to_owned());
        self.is_compiler().then(|| Self { words, ..self.clone() })
    }

    /// The words of the command that prints the input preprocessed, if it is a compiler.
    pub(super) fn preprocessing(&self) -> Vec<String> {
        let mut words = vec![self.words[0].clone(), "-E".to_owned(), "-P".to_owned()];
        let rest = self.words.windows(2).filter(|pair| pair[0] != "-o").map(|pair| pair[1].clone());
        words.extend(rest.filter(|word| !["-c", "-S", "-o"].contains(&word.as_str())));
        words
    }

    /// The same command on another input.
    pub(super) fn on(&self, input: PathBuf) -> Self {
        let replace = |word: &String| if self.is_input(word) { input.display().to_string() } else { word.clone() };
        Self { words: self.words.iter().map(replace).collect(), input, stdin: self.stdin }
    }

    /// A word as it is in the folder in which tests run.
    fn word(&self, before: &str, word: &str) -> String {
        let (option, path) = split_option(word);
        match self.in_input(path) {
            _ if self.stdin && self.is_input(path) => word.to_owned(),
            _ if self.is_input(path) => format!("{option}{{}}"),
            Some(rest) => format!("{option}{{}}/{}", rest.display()),
            None if is_path_here(path) && !is_output(before, word) => format!("{option}{{cwd}}/{path}"),
            None => word.to_owned(),
        }
    }
}

/// Whether a word names something that is written.
fn is_output(before: &str, word: &str) -> bool {
    let option = split_option(word).0.trim_end_matches('=');
    [before, option].iter().any(|option| OUTPUT_OPTIONS.contains(option))
}

/// The commands of a text for a shell.
fn shell_commands(line: &str) -> impl Iterator<Item = &str> {
    line.split(['|', ';', '&', '\n'])
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
    let parts = line.split([' ', '\t', '\n', '\'', '"', ';', '|', '&', '<', '>', '(', ')']);
    parts.filter(|part| !part.is_empty())
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
        assert_eq!(
            command.script_line(Path::new("/w")),
            "gcc -O2 -I/w/src -c \"$1\" --map=/w/Cargo.toml -o x.o </dev/null"
        );
        let glued = with(&["tool", "--in=bug.c"], "bug.c");
        assert_eq!(glued.run_line(), "tool --in={}");
        let shell = with(&["gcc -c bug.c 2>&1 | grep x"], "bug.c");
        assert_eq!(shell.run_line(), r#"sh -c 'gcc -c "$1" 2>&1 | grep x' {cwd} {}"#);
        assert_eq!(shell.script_line(Path::new("/w")), r#"sh -c 'gcc -c "$1" 2>&1 | grep x' /w "$1" </dev/null"#);
        let path = with(&["./Cargo.toml bug.c"], "bug.c");
        assert_eq!(path.run_line(), r#"sh -c '"$0"/./Cargo.toml "$1"' {cwd} {}"#);
        let folder = with(&["make", "-C", "src", "./src/lib.rs"], "./src");
        assert_eq!(folder.run_line(), "make -C {} {}/lib.rs");
        assert!(folder.mentions_input() && !with(&["make", "all"], "src").mentions_input());
    }

    #[test]
    fn what_is_written_is_written_where_tests_run() {
        let command = with(&["rustc", "--out-dir", ".", "-o", "Cargo.toml", "--output=src", "x.rs"], "x.rs");
        assert_eq!(command.run_line(), "rustc --out-dir . -o Cargo.toml --output=src {}");
    }

    #[test]
    fn the_input_is_found_among_the_words() {
        let find = |text: &[&str]| FailingCommand::find(words(text)).map(|command| command.input);
        assert_eq!(find(&["tool", "README.md", "-o", "Cargo.toml"]), Some("README.md".into()));
        assert_eq!(find(&["tool", "--x=Cargo.toml", "-v"]), Some("Cargo.toml".into()));
        assert_eq!(find(&["tool", "src"]), Some("src".into()));
        assert_eq!(find(&["cat README.md | tool"]), Some("README.md".into()));
        assert_eq!(find(&["./Cargo.toml README.md 2>&1 | ./Cargo.toml"]), Some("README.md".into()));
        assert_eq!(find(&["tool", "-v"]), None);
    }

    #[test]
    fn a_compiler_can_preprocess_in_place_of_compiling() {
        let command = with(&["gcc", "-O2", "-c", "-DX", "a.c", "-o", "a.o"], "a.c");
        assert_eq!(command.preprocessing(), ["gcc", "-E", "-P", "-O2", "-DX", "a.c"]);
        assert_eq!(command.on("b.c".into()).run_line(), "gcc -O2 -c -DX {} -o a.o");
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
