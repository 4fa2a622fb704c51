//! Splits a command line into words by the rules of the POSIX shell, without a shell.
//!
//! Whitespace separates words. Between single quotes everything stands for itself; between double quotes too, except that a
//! backslash removes the meaning of `"`, `\`, `$`, a backtick and a line end; elsewhere a backslash removes the
//! meaning of the next character. What only a shell can do is refused rather than passed on as a word that means
//! nothing to the program: `|`, `&`, `;`, `<`, `>`, parentheses, backticks, `$VARIABLE`, and `~` at the start of a
//! word. Wildcards and `#` stand for themselves.

use std::iter::Peekable;
use std::str::Chars;

/// Why a text cannot be split.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SplitError {
    /// This quotation mark is never closed.
    Unclosed(char),
    /// A backslash at the very end.
    LoneBackslash,
    /// This has a meaning only to a shell.
    NeedsShell(char),
}

/// The words of `text`.
pub(super) fn split(text: &str) -> Result<Vec<String>, SplitError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        if matches!(character, ' ' | '\t' | '\n') {
            words.extend(word.take());
            continue;
        }
        if character == '\\' && rest.next_if_eq(&'\n').is_some() {
            continue;
        }
        if character == '~' && word.is_none() {
            return Err(SplitError::NeedsShell('~'));
        }
        let word = word.get_or_insert_default();
        match character {
            '\'' => single_quoted(&mut rest, word)?,
            '"' => double_quoted(&mut rest, word)?,
            '\\' => word.push(rest.next().ok_or(SplitError::LoneBackslash)?),
            '|' | '&' | ';' | '<' | '>' | '(' | ')' | '`' => return Err(SplitError::NeedsShell(character)),
            '$' if begins_expansion(&mut rest) || matches!(rest.peek(), Some('\'' | '"')) => {
                return Err(SplitError::NeedsShell('$'));
            }
            _ => word.push(character),
        }
    }
    words.extend(word);
    Ok(words)
}

fn single_quoted(rest: &mut Peekable<Chars<'_>>, word: &mut String) -> Result<(), SplitError> {
    for character in rest {
        match character {
            '\'' => return Ok(()),
            _ => word.push(character),
        }
    }
    Err(SplitError::Unclosed('\''))
}

fn double_quoted(rest: &mut Peekable<Chars<'_>>, word: &mut String) -> Result<(), SplitError> {
    while let Some(character) = rest.next() {
        match character {
            '"' => return Ok(()),
            '\\' => match rest.next_if(|next| matches!(next, '"' | '\\' | '$' | '`' | '\n')) {
                Some('\n') => {}
                Some(escaped) => word.push(escaped),
                None => word.push('\\'),
            },
            '`' => return Err(SplitError::NeedsShell('`')),
            '$' if begins_expansion(rest) => return Err(SplitError::NeedsShell('$')),
            _ => word.push(character),
        }
    }
    Err(SplitError::Unclosed('"'))
}

/// Whether a shell would expand the dollar sign that was just read; otherwise it stands for itself, as in `end$`.
fn begins_expansion(rest: &mut Peekable<Chars<'_>>) -> bool {
    rest.peek().is_some_and(|next| next.is_ascii_alphanumeric() || "_{(@*#?$!-".contains(*next))
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn words_are_split_as_a_shell_does() {
        for (text, words) in [
            ("gcc -O2 -c {}", &["gcc", "-O2", "-c", "{}"][..]),
            ("  gcc\t{}\n", &["gcc", "{}"]),
            ("", &[]),
            (" \n ", &[]),
            ("'a b' \"c d\" e\\ f", &["a b", "c d", "e f"]),
            ("a'b'\"c\"d", &["abcd"]),
            ("'' \"\"", &["", ""]),
            (r#"'\' "\a\\\"\$x""#, &["\\", r#"\a\"$x"#]),
            ("awk '{print $1}' {}", &["awk", "{print $1}", "{}"]),
            ("sh -c 'gcc {} 2>&1 | grep fault'", &["sh", "-c", "gcc {} 2>&1 | grep fault"]),
            ("grep end$ \"end$\" a~ \\~", &["grep", "end$", "end$", "a~", "~"]),
            ("a\\\nb \\\n c", &["ab", "c"]),
            ("a \\| b", &["a", "|", "b"]),
            ("a #b *.c", &["a", "#b", "*.c"]),
            ("grün ' '", &["grün", " "]),
        ] {
            assert_eq!(split(text).unwrap(), words, "{text}");
        }
    }

    #[test]
    fn what_cannot_be_split_is_refused() {
        for (text, error) in [
            ("a 'b", SplitError::Unclosed('\'')),
            ("a \"b\\\"", SplitError::Unclosed('"')),
            ("a\\", SplitError::LoneBackslash),
            ("gcc {} | grep a", SplitError::NeedsShell('|')),
            ("gcc {} 2>&1", SplitError::NeedsShell('>')),
            ("cat <{}", SplitError::NeedsShell('<')),
            ("make;gcc {}", SplitError::NeedsShell(';')),
            ("make && gcc {}", SplitError::NeedsShell('&')),
            ("(gcc {})", SplitError::NeedsShell('(')),
            ("$HOME/gcc {}", SplitError::NeedsShell('$')),
            ("gcc \"${X}\"", SplitError::NeedsShell('$')),
            ("gcc $(ls)", SplitError::NeedsShell('$')),
            ("gcc $'a'", SplitError::NeedsShell('$')),
            ("gcc `ls`", SplitError::NeedsShell('`')),
            ("~/bin/gcc {}", SplitError::NeedsShell('~')),
        ] {
            assert_eq!(split(text), Err(error), "{text}");
        }
    }

    #[test]
    fn random_texts_are_split_as_sh_splits_them() {
        let mut compared = 0;
        for seed in 0..400 {
            let mut random = fastrand::Rng::with_seed(seed);
            let text: String = (0..random.usize(1..14))
                .map(|_| char::from(random.choice(*b"aabbc   ''\"\"\\$`{}=").unwrap()))
                .collect();
            let Ok(words) = split(&text) else { continue };
            let script = format!("printf '%s\\n' begin {text}");
            let shell = Command::new("sh").arg("-c").arg(script).output().unwrap();
            let expected = ["begin"]
                .into_iter()
                .chain(words.iter().map(String::as_str))
                .fold(String::new(), |lines, word| lines + word + "\n");
            assert_eq!(String::from_utf8_lossy(&shell.stdout), expected, "seed {seed}: {text}");
            compared += 1;
        }
        assert!(compared > 100, "only {compared} texts could be split");
    }
}
