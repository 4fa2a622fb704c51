//! The languages, one row each, by name. Adding one is told in the documentation of the crate.
//!
//! An extension belongs to one language. Where several use it:
//!
//! | extension | goes to | not to |
//! |---|---|---|
//! | `.h` | C | C++, Objective-C |

use crate::{Language, Source};

pub(crate) static LANGUAGES: &[Language] = &[
    #[cfg(feature = "c")]
    Language {
        name: "c",
        title: "C",
        aliases: &[],
        extensions: &["c", "h", "i", "cl"],
        file_names: &[],
        interpreters: &["tcc"],
        signs: &[],
        source: Source { package: "tree-sitter-c", grammar: "src/grammar.json" },
        parser: tree_sitter_c::LANGUAGE,
        grammar: include_bytes!("../grammars/c.json.gz"),
    },
    #[cfg(feature = "cpp")]
    Language {
        name: "cpp",
        title: "C++",
        aliases: &["c++", "cxx"],
        extensions: &[
            "cc", "cpp", "cxx", "c++", "C", "hh", "hpp", "hxx", "h++", "H", "ii", "ipp", "tpp", "inl", "ixx", "cppm",
        ],
        file_names: &[],
        interpreters: &[],
        signs: &[],
        source: Source { package: "tree-sitter-cpp", grammar: "src/grammar.json" },
        parser: tree_sitter_cpp::LANGUAGE,
        grammar: include_bytes!("../grammars/cpp.json.gz"),
    },
    #[cfg(feature = "javascript")]
    Language {
        name: "javascript",
        title: "JavaScript",
        aliases: &["js", "jsx", "ecmascript"],
        extensions: &["js", "mjs", "cjs", "jsx", "es6"],
        file_names: &[],
        interpreters: &["node", "nodejs", "bun", "d8", "qjs"],
        signs: &[],
        source: Source { package: "tree-sitter-javascript", grammar: "src/grammar.json" },
        parser: tree_sitter_javascript::LANGUAGE,
        grammar: include_bytes!("../grammars/javascript.json.gz"),
    },
    #[cfg(feature = "json")]
    Language {
        name: "json",
        title: "JSON",
        aliases: &[],
        extensions: &["json", "jsonl", "ndjson", "geojson", "webmanifest", "ipynb"],
        file_names: &["composer.lock", ".prettierrc", ".eslintrc", "Pipfile.lock", "flake.lock"],
        interpreters: &[],
        signs: &[r#"{ ""#, "[ {"],
        source: Source { package: "tree-sitter-json", grammar: "src/grammar.json" },
        parser: tree_sitter_json::LANGUAGE,
        grammar: include_bytes!("../grammars/json.json.gz"),
    },
    #[cfg(feature = "python")]
    Language {
        name: "python",
        title: "Python",
        aliases: &["py", "python3"],
        extensions: &["py", "pyi", "pyw"],
        file_names: &["SConstruct", "SConscript", "wscript"],
        interpreters: &["python", "pypy"],
        signs: &[],
        source: Source { package: "tree-sitter-python", grammar: "src/grammar.json" },
        parser: tree_sitter_python::LANGUAGE,
        grammar: include_bytes!("../grammars/python.json.gz"),
    },
    #[cfg(feature = "rust")]
    Language {
        name: "rust",
        title: "Rust",
        aliases: &["rs"],
        extensions: &["rs"],
        file_names: &[],
        interpreters: &["rust-script", "cargo"],
        signs: &[],
        source: Source { package: "tree-sitter-rust", grammar: "src/grammar.json" },
        parser: tree_sitter_rust::LANGUAGE,
        grammar: include_bytes!("../grammars/rust.json.gz"),
    },
    #[cfg(feature = "smtlib")]
    Language {
        name: "smtlib",
        title: "SMT-LIB v2",
        aliases: &["smt", "smt2", "smt-lib"],
        extensions: &["smt2", "smt"],
        file_names: &[],
        interpreters: &[],
        signs: &[
            "(set-logic",
            "(set-info",
            "(set-option",
            "(declare-fun",
            "(declare-const",
            "(declare-sort",
            "(declare-datatype",
            "(define-fun",
            "(define-sort",
            "(check-sat)",
        ],
        source: Source { package: "tree-sitter-smt2", grammar: "src/grammar.json" },
        parser: tree_sitter_smt2::LANGUAGE,
        grammar: include_bytes!("../grammars/smtlib.json.gz"),
    },
    #[cfg(feature = "xml")]
    Language {
        name: "xml",
        title: "XML",
        aliases: &[],
        extensions: &[
            "xml",
            "xsd",
            "xsl",
            "xslt",
            "svg",
            "rss",
            "atom",
            "xhtml",
            "xmi",
            "wsdl",
            "plist",
            "csproj",
            "vcxproj",
            "props",
            "targets",
            "resx",
            "xaml",
            "kml",
            "gpx",
            "glif",
            "xib",
            "storyboard",
            "ui",
            "qrc",
        ],
        file_names: &[],
        interpreters: &[],
        signs: &["<?xml"],
        source: Source { package: "tree-sitter-xml", grammar: "xml/src/grammar.json" },
        parser: tree_sitter_xml::LANGUAGE_XML,
        grammar: include_bytes!("../grammars/xml.json.gz"),
    },
];
