//! Texts that would crash an external scanner or stall the parser, and are not given to it.

/// How many levels of indentation YAML's scanner is given. It keeps a stack of them in a buffer of fixed size and
/// aborts the process when that is full, which by its code is at 253.
const YAML_LEVELS: usize = 200;

/// YAML's scanner counts lines in 16 bits.
const YAML_LINES: usize = 32_000;

/// How many ends of comments that did not begin the parsers of C and C++ are given. They try each as a multiplication and
/// a division of what the error has collected so far: 700 take half a second, 2,700 eleven. The limits on operations and on
/// what is read do not see that.
const STRAY_COMMENT_ENDS: usize = 500;

/// Whether the parser of the grammar of that name, with its scanner, can take the text.
pub(crate) fn can_bear(grammar: &str, text: &[u8]) -> bool {
    match grammar {
        "yaml" => yaml_levels(text) <= YAML_LEVELS && text.split(|&byte| byte == b'\n').count() <= YAML_LINES,
        "c" | "cpp" => stray_comment_ends(text) <= STRAY_COMMENT_ENDS,
        _ => true,
    }
}

/// How often a comment ends that did not begin. Strings are not looked for: hundreds of such ends in them are as rare.
fn stray_comment_ends(text: &[u8]) -> usize {
    let (mut stray, mut in_comment, mut rest) = (0, false, text);
    while let Some(at) = rest.iter().position(|&byte| byte == b'/') {
        let (before, behind) = (at.checked_sub(1).map(|before| rest[before]), rest.get(at + 1));
        rest = &rest[at + 1..];
        match (before, behind) {
            (Some(b'*'), _) if in_comment => in_comment = false,
            (Some(b'*'), _) => stray += 1,
            (_, Some(b'*')) if !in_comment => {
                in_comment = true;
                rest = &rest[1..];
            }
            (_, Some(b'/')) if !in_comment => {
                rest = &rest[rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len())..];
            }
            _ => {}
        }
    }
    stray
}

/// At least as many levels as YAML's scanner opens: one for the indentation of a line and for each mark of an entry in
/// it.
fn yaml_levels(text: &[u8]) -> usize {
    let mut columns: Vec<usize> = Vec::new();
    let mut deepest = 0;
    for line in text.split(|&byte| byte == b'\n') {
        let mut column = line.iter().take_while(|&&byte| byte == b' ').count();
        if column == line.len() {
            continue;
        }
        columns.truncate(columns.partition_point(|&open| open < column));
        columns.push(column);
        while let [b'-' | b'?' | b':', b' ' | b'\t', ..] = line[column..] {
            column += 1 + line[column + 1..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            columns.push(column);
        }
        deepest = deepest.max(columns.len());
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_counted_by_indentation_and_by_entries() {
        for (text, levels) in [
            ("", 0),
            ("a: 1\nb: 2\n", 1),
            ("a:\n  b:\n    c: 1\nd: 2\n", 3),
            ("- - - a\n", 4),
            ("-  ? b\n\n   : c\n", 3),
        ] {
            assert_eq!(yaml_levels(text.as_bytes()), levels, "{text:?}");
        }
    }

    #[test]
    fn ends_of_comments_are_stray_if_none_began() {
        for (text, stray) in [
            ("", 0),
            ("/* a */ b /* c */", 0),
            ("*/ a */", 2),
            ("/* /* a */ */ */", 2),
            ("/*/ */ */", 1),
            ("// */ */\n*/", 1),
            ("/* // */ a */ / b */", 2),
            ("a / b * c", 0),
        ] {
            assert_eq!(stray_comment_ends(text.as_bytes()), stray, "{text:?}");
        }
        assert!(!can_bear("c", "*/ ".repeat(501).as_bytes()) && can_bear("css", "*/ ".repeat(501).as_bytes()));
    }

    #[test]
    fn only_yaml_is_kept_from_its_scanner() {
        let deep: String = (0..300).map(|level| " ".repeat(level) + "a:\n").collect();
        assert!(!can_bear("yaml", deep.as_bytes()) && can_bear("python", deep.as_bytes()));
        assert!(!can_bear("yaml", "- ".repeat(300).as_bytes()));
        assert!(can_bear("yaml", b"a:\n  - b\n"));
    }
}
