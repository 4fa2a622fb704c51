//! [`Style`]: the kinds of languages that are laid out differently.

use whittle_grammars::Grammar;

/// What decides where lines begin, and where spaces are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Style {
    pub(crate) lines: Lines,
    pub(crate) spaces: Spaces,
    /// Columns per level of indentation.
    pub(crate) indent: usize,
    /// Whether there is a space inside the braces of a list on one line.
    pub(crate) spaced_braces: bool,
    /// Whether a line break before a closing bracket ends a statement, unless a comma is before it.
    pub(crate) closes_in_line: bool,
}

/// What begins a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lines {
    /// Statements, by braces and semicolons.
    Braces,
    /// Statements, in blocks that end with a word.
    Words,
    /// Forms, and the parts of those that are too long.
    Lisp,
    /// What begins one in the text: line breaks and indentation are syntax.
    Indented,
    /// What begins one in the text: line breaks are syntax, indentation is not.
    Kept,
    /// What begins one in the text: whitespace is content, and only its amount changes.
    Markup,
}

/// What is separated by a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spaces {
    /// What usually is.
    Usual,
    /// What is in the text: a space can have a meaning between any two tokens.
    Kept,
}

impl Style {
    /// By the name of the grammar, or by what its definition says. A grammar that is not listed is one of braces and
    /// semicolons, which is also right for those that have neither.
    pub(crate) fn of(grammar: &Grammar) -> Self {
        use {Lines as L, Spaces as S};
        let (lines, spaces, indent) = match grammar.layout() {
            "lisp" | "smt2" | "smtlib" | "scheme" | "clojure" => (L::Lisp, S::Usual, 2),
            "python" => (L::Indented, S::Usual, 4),
            "yaml" => (L::Indented, S::Kept, 2),
            "indented" => (L::Indented, S::Kept, 4),
            "braces" => (L::Braces, S::Usual, 2),
            _ if grammar.has_indentation() => (L::Indented, S::Kept, 4),
            "markup" | "html" | "xml" | "dtd" | "markdown" | "latex" => (L::Markup, S::Kept, 0),
            // Lines are not indented below the header of their section.
            "toml" => (L::Kept, S::Usual, 0),
            "lua" => (L::Words, S::Usual, 2),
            "lines" | "julia" | "fortran" | "ada" | "pascal" | "vhdl" | "verilog" | "systemverilog" => {
                (L::Kept, S::Usual, 2)
            }
            // A space decides what an operator or a word is, or a tab begins a recipe.
            "spaces" | "bash" | "ruby" | "llvm" | "mlir" | "make" | "cmake" | "elixir" | "erlang" | "ocaml"
            | "ocaml_interface" | "perl" | "powershell" | "r" | "nix" | "souffle" => (L::Kept, S::Kept, 2),
            "rust" | "go" | "java" | "c_sharp" | "php" | "swift" | "zig" | "kotlin" => (L::Braces, S::Usual, 4),
            _ => (L::Braces, S::Usual, 2),
        };
        Self {
            lines,
            spaces,
            indent,
            spaced_braces: !matches!(grammar.name(), "json" | "python"),
            closes_in_line: grammar.name() == "go",
        }
    }

    /// Whether line breaks of the text stay, outside of brackets.
    pub(crate) fn keeps_lines(self) -> bool {
        matches!(self.lines, Lines::Indented | Lines::Kept | Lines::Markup)
    }
}
