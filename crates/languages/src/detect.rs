//! Detects the language of a file, by checks that are cheap and certain.
//!
//! Reads at most the first [`MAX_COMMENT_LINES`] lines of the content, and only if the file name does not decide.

use std::path::Path;

use crate::Language;

/// How many comment lines are skipped at the start of a file. Licenses are shorter.
const MAX_COMMENT_LINES: usize = 100;

/// How comment lines start in some language. A sign may be in such a line or after it.
const COMMENTS: [&[u8]; 5] = [b";", b"//", b"#", b"--", b"%"];

pub(crate) fn detect<'a>(languages: &'a [Language], path: &Path, content: &[u8]) -> Option<&'a Language> {
    by_file_name(languages, path)
        .or_else(|| by_extension(languages, path))
        .or_else(|| by_interpreter(languages, content))
        .or_else(|| by_sign(languages, content))
}

fn by_file_name<'a>(languages: &'a [Language], path: &Path) -> Option<&'a Language> {
    let name = path.file_name()?.to_str()?;
    languages.iter().find(|language| language.file_names.contains(&name))
}

/// The extension as written, otherwise in lower case: `.C` is C++, but `.JSON` is JSON.
fn by_extension<'a>(languages: &'a [Language], path: &Path) -> Option<&'a Language> {
    let extension = path.extension()?.to_str()?;
    let of = |wanted: &str| languages.iter().find(|language| language.extensions.contains(&wanted));
    of(extension).or_else(|| of(&extension.to_ascii_lowercase()))
}

fn by_interpreter<'a>(languages: &'a [Language], content: &[u8]) -> Option<&'a Language> {
    let interpreter = interpreter(content)?;
    let of = |wanted: &str| languages.iter().find(|language| language.interpreters.contains(&wanted));
    of(interpreter).or_else(|| of(interpreter.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.')))
}

/// `python3` of `#!/usr/bin/python3 -u` and of `#!/usr/bin/env -S LANG=C python3`.
fn interpreter(content: &[u8]) -> Option<&str> {
    let line = content.strip_prefix(b"#!")?.split(|&byte| byte == b'\n').next()?;
    let mut words = std::str::from_utf8(line).ok()?.split_ascii_whitespace();
    let program = base_name(words.next()?);
    if program != "env" {
        return Some(program);
    }
    words.find(|word| !word.starts_with('-') && !word.contains('=')).map(base_name)
}

fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn by_sign<'a>(languages: &'a [Language], content: &[u8]) -> Option<&'a Language> {
    let mut rest = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content).trim_ascii_start();
    for _ in 0..MAX_COMMENT_LINES {
        let has_sign = |language: &&Language| language.signs.iter().any(|sign| starts_with(rest, sign));
        if let Some(language) = languages.iter().find(has_sign) {
            return Some(language);
        }
        if !COMMENTS.iter().any(|comment| rest.starts_with(comment)) {
            return None;
        }
        let line = rest.iter().position(|&byte| byte == b'\n')?;
        rest = rest[line..].trim_ascii_start();
    }
    None
}

/// Whether `text` starts with `sign`, in any case, with any whitespace (or none) where the sign has a space.
fn starts_with(text: &[u8], sign: &str) -> bool {
    let mut rest = text;
    for part in sign.split(' ') {
        rest = rest.trim_ascii_start();
        match rest.split_at_checked(part.len()) {
            Some((start, after)) if start.eq_ignore_ascii_case(part.as_bytes()) => rest = after,
            _ => return false,
        }
    }
    true
}
