//! The inputs: generated, so that they have any size.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

/// The languages of *needles*; `txt` has no grammar.
pub(crate) const LANGUAGES: [&str; 6] = ["c", "cpp", "json", "py", "smt2", "txt"];

/// The cases of *nesting*: an extension, what opens and closes a level, and what is around and inside.
pub(crate) const NESTED: [&str; 13] =
    ["c (", "c [", "c {", "cpp (", "cpp {", "js (", "js [", "js {", "py (", "py [", "json [", "smt2 (", "css {"];

/// The cases of *long*: one name or one string.
pub(crate) const LONG: [&str; 6] = ["c name", "c string", "js name", "js string", "py string", "json string"];

/// What is large about an input.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Kind {
    Needles,
    Nesting,
    Long,
    Header,
}

/// An input.
#[derive(Serialize, Deserialize)]
pub(crate) struct Case {
    pub(crate) kind: Kind,
    /// The extension, and for some kinds a variant.
    pub(crate) language: String,
    /// Bytes, or levels.
    pub(crate) size: usize,
}

impl Case {
    pub(crate) fn name(&self) -> String {
        format!("{} {}", self.kind_name(), self.language)
    }

    /// Whether the test does not name the words that matter.
    pub(crate) fn is_hidden(&self) -> bool {
        self.language.ends_with(" hidden")
    }

    fn kind_name(&self) -> &'static str {
        match self.kind {
            Kind::Needles => "needles",
            Kind::Nesting => "nesting",
            Kind::Long => "long",
            Kind::Header => "header",
        }
    }

    /// Whether words on the command line choose it: a kind and languages, each of which may be left out.
    pub(crate) fn is_chosen(&self, words: &[String]) -> bool {
        let kinds = ["needles", "nesting", "long", "header"];
        let (by_kind, by_language): (Vec<_>, Vec<_>) = words.iter().partition(|word| kinds.contains(&word.as_str()));
        let extension = self.language.split(' ').next().unwrap_or_default();
        let kind_fits = by_kind.iter().any(|word| *word == self.kind_name());
        // The header takes long: only if it is asked for.
        (kind_fits || by_kind.is_empty() && self.kind != Kind::Header)
            && (by_language.is_empty() || by_language.iter().any(|word| *word == extension))
    }

    /// The file's name, its text, and the words that must stay in this order.
    pub(crate) fn input(&self, folder: &Path) -> Result<(String, String, Vec<String>)> {
        let extension = self.language.split(' ').next().unwrap_or_default();
        let variant = self.language.split(' ').nth(1).unwrap_or_default();
        let (text, words) = match self.kind {
            Kind::Needles => (needles(extension, self.size), vec!["needle_a".to_owned(), "needle_b".to_owned()]),
            Kind::Nesting => (nesting(extension, variant, self.size), vec!["needle".to_owned()]),
            Kind::Long => long(extension, variant, self.size),
            Kind::Header => (header(folder)?, vec!["accumulate".to_owned()]),
        };
        Ok((format!("input.{extension}"), text, words))
    }
}

/// Functions, records or lines up to this size, with a word at a third and at two thirds of them.
fn needles(extension: &str, size: usize) -> String {
    let mut text = String::with_capacity(size + 1000);
    match extension {
        "json" => text.push_str("[\n"),
        "smt2" => text.push_str("(set-logic QF_LIA)\n"),
        _ => {}
    }
    let mut hidden = ["needle_a", "needle_b"].into_iter().peekable();
    for number in 0.. {
        let found = 2 - hidden.len();
        let is_due = hidden.peek().is_some() && text.len() >= size * (found + 1) / 3;
        let name = if is_due { hidden.next() } else { None };
        let name = name.map_or_else(|| format!("value_{number}"), str::to_owned);
        declare(&mut text, extension, number, &name);
        if text.len() >= size {
            break;
        }
    }
    match extension {
        "json" => text.push_str("{\"end\": 0}\n]\n"),
        "smt2" => text.push_str("(check-sat)\n"),
        _ => {}
    }
    text
}

/// One declaration or record, in which `name` is used once.
fn declare(text: &mut String, extension: &str, number: usize, name: &str) {
    let caller = number.saturating_sub(1);
    let declared = match extension {
        "c" => format!(
            "static int f{number}(int a, int b)\n{{\n    int {name} = a * {number} + b;\n    if ({name} > 10 && b != 3) {{\n        \
             return f{caller}(b, {name});\n    }}\n    for (int i = 0; i < b; i++) {{\n        a += i ^ {number};\n    }}\n    \
             return a + {name};\n}}\n\n"
        ),
        "cpp" => format!(
            "namespace n{number} {{\ntemplate <typename T> struct S{number} {{\n    T first;\n    T get(T {name}) const {{ return \
             first + {name}; }}\n    static int count(int b) {{ return b * {number}; }}\n}};\ninline int g(int x) {{ return \
             S{number}<int>{{x}}.get({number}); }}\n}}\n\n"
        ),
        "json" => format!(
            "  {{\"id\": {number}, \"name\": \"{name}\", \"tags\": [\"x\", \"y{number}\", true], \"at\": {{\"x\": {number}.5, \
             \"y\": null}}}},\n"
        ),
        "py" => format!(
            "def f{number}(a, b=1):\n    {name} = a * {number} + b\n    if {name} > 10 and b != 3:\n        return f{caller}(b, \
             {name})\n    for i in range(b):\n        a += i ^ {number}\n    return a + {name}\n\n\n"
        ),
        "smt2" => format!(
            "(declare-fun x{number} () Int)\n(declare-fun {name} () Int)\n(assert (or (< x{number} (+ {name} {number})) (and (= \
             x{number} 3) (not (= {name} x{caller})))))\n"
        ),
        _ => format!("line {number} says that {name} is {number} times as large as the last one\n"),
    };
    text.push_str(&declared);
}

/// So many levels of one bracket around a word.
fn nesting(extension: &str, bracket: &str, levels: usize) -> String {
    let (before, open, inside, close, after) = match (extension, bracket) {
        ("c" | "cpp", "(") => ("int a = ", "(", "needle", ")", ";\n"),
        ("c", "[") => ("int a = ", "b[", "needle", "]", ";\n"),
        ("c" | "cpp", _) => ("void f() ", "{", " needle(); ", "}", "\n"),
        ("js", "(") => ("a = ", "(", "needle", ")", ";\n"),
        ("js" | "py", "[") => ("a = ", "[", "needle", "]", "\n"),
        ("js", _) => ("", "{", " needle() ", "}", "\n"),
        ("py", _) => ("a = ", "(", "needle", ")", "\n"),
        ("json", _) => ("", "[", "\"needle\"", "]", "\n"),
        ("smt2", _) => ("(assert ", "(not ", "needle", ")", ")\n"),
        _ => ("", "a {", " needle: 1 ", "}", "\n"),
    };
    [before, &open.repeat(levels), inside, &close.repeat(levels), after].concat()
}

/// One name or string of this many bytes, and the characters of it that matter.
fn long(extension: &str, variant: &str, size: usize) -> (String, Vec<String>) {
    let part = "abcdefghij".repeat(size / 50);
    let marks = ["Q1", "W2", "E3", "R4"];
    let content: String = marks.iter().map(|mark| format!("{part}{mark}")).collect::<String>() + &part;
    let words = marks.iter().map(|mark| (*mark).to_owned()).collect();
    let text = match (extension, variant) {
        ("c", "name") => format!("int a;\nint {content} = 1;\nint b;\n"),
        ("c", _) => format!("int a;\nchar *b = \"{content}\";\nint c;\n"),
        ("js", "name") => format!("var a;\nvar {content} = 1;\nvar b;\n"),
        ("js", _) => format!("var a;\nvar b = \"{content}\";\nvar c;\n"),
        ("py", _) => format!("a = 1\nb = \"{content}\"\nc = 2\n"),
        _ => format!("[1, \"{content}\", 2]\n"),
    };
    (text, words)
}

/// The standard library of C++ with a program that sums up a vector.
fn header(folder: &Path) -> Result<String> {
    const PROGRAM: &str = "\
#include <bits/stdc++.h>
struct item { int weight; std::string name; };
static std::vector<item> items() { return {{1, \"a\"}, {2, \"b\"}}; }
int main() {
    std::vector<int> weights;
    for (const auto &one : items()) weights.push_back(one.weight);
    std::sort(weights.begin(), weights.end());
    std::cout << std::accumulate(weights.begin(), weights.end(), 0) << '\\n';
    return 0;
}
";
    let source = folder.join("program.cpp");
    std::fs::write(&source, PROGRAM)?;
    let output = Command::new("g++").args(["-E", "-P"]).arg(&source).output()?;
    ensure!(output.status.success(), "g++ could not preprocess the program");
    Ok(String::from_utf8(output.stdout)?)
}
