//! Detects the language of a file by its name, its `#!` line or how it starts.

use std::collections::HashMap;
use std::path::Path;

use whittle_languages::Language;

use crate::samples::sample;

fn name_of(path: &str, content: &str) -> Option<&'static str> {
    Language::detect(Path::new(path), content.as_bytes()).map(|language| language.name)
}

/// The expected language, or `None` if it is not compiled in.
fn if_known(name: &'static str) -> Option<&'static str> {
    Language::by_name(name).map(|language| language.name)
}

#[test]
fn every_sample_is_detected_by_its_extension() {
    for language in Language::all() {
        let (path, _) = sample(language);
        assert_eq!(Language::detect(&path, b""), Some(language));
    }
}

#[test]
fn every_sample_of_a_language_with_signs_is_detected_without_a_name() {
    for language in Language::all() {
        let (path, text) = sample(language);
        let expected = text.starts_with("#!") || !language.signs.is_empty();
        let found = Language::detect(Path::new("unnamed"), text.as_bytes());
        assert_eq!(found, expected.then_some(language), "{}", path.display());
    }
}

#[test]
fn every_row_is_detected_by_each_of_its_names() {
    for language in Language::all() {
        for name in [language.name].iter().chain(language.aliases) {
            assert_eq!(Language::by_name(&name.to_uppercase()), Some(language), "{name}");
        }
        for extension in language.extensions {
            assert_eq!(name_of(&format!("a/b.c.{extension}"), ""), Some(language.name), "{extension}");
        }
        for file in language.file_names {
            assert_eq!(name_of(&format!("a/{file}"), ""), Some(language.name), "{file}");
        }
        for interpreter in language.interpreters {
            assert_eq!(name_of("x", &format!("#!/usr/bin/{interpreter}\n")), Some(language.name), "{interpreter}");
        }
        for sign in language.signs {
            assert_eq!(name_of("x", &format!("\n  {sign} x")), Some(language.name), "{sign}");
        }
    }
}

#[test]
fn no_name_belongs_to_two_languages() {
    let mut owners = HashMap::new();
    for language in Language::all() {
        let names = [language.name].into_iter().chain(language.aliases.iter().copied()).map(|name| ("name", name));
        let extensions = language.extensions.iter().map(|&name| ("extension", name));
        let files = language.file_names.iter().map(|&name| ("file", name));
        let interpreters = language.interpreters.iter().map(|&name| ("interpreter", name));
        for key in names.chain(extensions).chain(files).chain(interpreters) {
            assert_eq!(owners.insert(key, language), None, "{key:?} of {language:?}");
        }
    }
}

#[test]
fn languages_are_listed_by_name() {
    assert!(Language::all().is_sorted_by_key(|language| language.name));
}

#[test]
fn a_feature_that_is_off_is_not_listed() {
    for (name, on) in [("c", cfg!(feature = "c")), ("zig", cfg!(feature = "zig")), ("tsx", cfg!(feature = "tsx"))] {
        assert_eq!(Language::by_name(name).is_some(), on, "{name}");
        assert_eq!(Language::all().iter().any(|language| language.name == name), on, "{name}");
    }
}

#[test]
fn the_case_of_an_extension_matters_only_where_a_row_says_so() {
    assert_eq!(name_of("a.c", ""), if_known("c"));
    assert_eq!(name_of("a.C", ""), if_known("cpp"));
    assert_eq!(name_of("a.H", ""), if_known("cpp"));
    assert_eq!(name_of("a.h", ""), if_known("c"));
    assert_eq!(name_of("a.JSON", ""), if_known("json"));
}

#[test]
fn a_name_is_believed_more_than_the_content() {
    assert_eq!(name_of("a.c", "<?xml version='1.0'?>"), if_known("c").or(if_known("xml")));
    assert_eq!(name_of("Cargo.lock", "{\"a\": 1}"), if_known("toml").or(if_known("json")));
}

#[test]
fn a_shebang_is_read_through_env_options_and_versions() {
    for line in [
        "#!/usr/bin/python3",
        "#! /usr/local/bin/python3.12 -u",
        "#!/usr/bin/env python",
        "#!/usr/bin/env -S LANG=C python3 -u",
        "#!/usr/bin/python3\r",
    ] {
        assert_eq!(name_of("script", &format!("{line}\nprint(1)\n")), if_known("python"), "{line}");
    }
    for line in ["#!", "#!/usr/bin/env", "#!/opt/unheard-of", "#!/usr/bin/env -S", "#!\u{e9}"] {
        assert_eq!(name_of("script", line), None, "{line}");
    }
}

#[test]
fn signs_are_found_behind_a_mark_blanks_and_comments() {
    for text in ["\u{feff}<?XML version='1.0'?>", "\n\t <?xml?>"] {
        assert_eq!(name_of("x", text), if_known("xml"), "{text}");
    }
    let commented = "; a comment\n\n;; another\n(set-logic QF_LIA)\n";
    assert_eq!(name_of("x", commented), if_known("smtlib"));
    assert_eq!(name_of("x.unknown", "{\n  \"a\": 1 }"), if_known("json"));
    assert_eq!(name_of("x", "<!doctype  HTML>"), if_known("html"));
}

#[test]
fn nothing_is_guessed() {
    for text in [
        "",
        "{",
        "{ a: 1 }",
        "hello",
        "(define x 1)",
        "<p>",
        "# only\n# comments",
        "#version 1.0\n",
        "graph theory",
        "int main() {}",
    ] {
        assert_eq!(name_of("x", text), None, "{text}");
    }
    assert_eq!(Language::detect(Path::new(""), &[0xff, 0xfe, 0x00]), None);
    assert_eq!(Language::by_name(""), None);
    assert_eq!(name_of("a.unheard-of", "x"), None);
}

#[test]
fn a_long_comment_is_not_read_to_its_end() {
    let text = "; comment\n".repeat(1_000_000) + "(set-logic ALL)";
    assert_eq!(name_of("x", &text), None);
}
