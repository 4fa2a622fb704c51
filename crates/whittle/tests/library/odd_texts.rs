//! Odd shapes of text: deep, flat, long, unclosed, binary.
//!
//! Every shape contains [`MARK`] once, about in the middle. `fuzz/src/hostile.rs` uses this file too.

/// What is looked for in every shape. No shape has a `Q` elsewhere.
pub(crate) const MARK: &[u8] = b"Q";

/// A name, and the text of about so many bytes.
pub(crate) type Shape = (&'static str, fn(usize) -> Vec<u8>);

pub(crate) const SHAPES: &[Shape] = &[
    ("nested ()", |size| nested(size, "(", "Q", ")")),
    ("nested []", |size| nested(size, "[", "Q", "]")),
    ("nested {}", |size| nested(size, "{", "Q", "}")),
    ("nested lists, one per line", |size| nested(size, "[\n", "Q\n", "]\n")),
    ("nested objects", |size| nested(size, "{\"a\":", "\"Q\"", "}")),
    ("nested tags", |size| nested(size, "<b>", "Q", "</b>")),
    ("nested if (", |size| nested(size, "if (a) ", "Q;", "")),
    ("nested blocks of C", |size| format!("int f() {}", text(nested(size, "{ if (a) ", "Q;", " }"))).into()),
    ("nested calls", |size| nested(size, "f(1, ", "Q", ")")),
    ("nested ternaries", |size| nested(size, "a ? b : (", "Q", ")")),
    ("nested comments", |size| nested(size, "/* ", "Q", " */")),
    ("nested templates", |size| nested(size, "`${", "Q", "}`")),
    ("nested begin end", |size| nested(size, "begin\n", "Q\n", "end\n")),
    ("nested let of SMT-LIB", |size| nested(size, "(let ((a true)) ", "Q", ")")),
    ("unary operators", |size| nested(size, "-", "Q", "")),
    ("unary operators with spaces", |size| nested(size, "! ~ ", "Q", "")),
    ("pointers", |size| format!("int {}", text(nested(size, "*", "Q", ";"))).into()),
    ("else if", |size| format!("if (a) b; {} else Q;", "else if (a) b; ".repeat(size / 15)).into()),
    ("operator chain", |size| around(size, "a + ", "Q + ", "b")),
    ("operator chain without spaces", |size| around(size, "1*2-", "Q-", "3")),
    ("method chain", |size| around(size, ".f(a)", ".Q(b)", ";")),
    ("comma list", |size| around(size, "a, ", "Q, ", "b")),
    ("statements", |size| around(size, "a = b;\n", "Q = b;\n", "")),
    ("statements on one line", |size| around(size, "a = b; ", "Q = b; ", "")),
    ("assignments", |size| around(size, "a = ", "Q = ", "b")),
    ("emoji", |size| around(size, "😀", "Q", "")),
    ("emoji words", |size| around(size, "👩‍👩‍👧 é ", "Q ", "")),
    ("right-to-left text", |size| around(size, "\u{202e}שלום ", "Q", "مرحبا")),
    ("unclosed comment", |size| around(size, "/* a b\n", "/* Q\n", "")),
    ("unclosed string", |size| around(size, "a b c ", "\"Q ", "d")),
    ("unclosed (", |size| nested(size, "(", "Q", "")),
    ("unclosed [", |size| nested(size, "[", "Q", "")),
    ("unclosed {", |size| nested(size, "{", "Q", "")),
    ("unclosed <", |size| nested(size, "<", "Q", "")),
    ("unclosed strings of all kinds", |size| around(size, "' a\n\" b\n` c\n\"\"\" d\n[[ e\n", "Q", "")),
    ("unclosed brackets", |size| nested(size, "([{", "Q", "")),
    ("closing brackets only", |size| around(size, ")]}", "Q", "")),
    ("alternating brackets", |size| around(size, "()[]{}", "(Q)", "")),
    ("crossed brackets", |size| around(size, "([)]", "Q", "")),
    ("staircase", |size| staircase(size, |depth| format!("{}a:\n", " ".repeat(depth)))),
    ("staircase of if", |size| staircase(size, |depth| format!("{}if a:\n", " ".repeat(depth)))),
    ("one huge line of words", |size| around(size, "word ", "Q ", "end")),
    ("a very long name", |size| around(size, "a", "Q", "")),
    ("a very long number", |size| around(size, "7", "Q", "")),
    ("a very long string", |size| format!("\"{}\"", text(around(size, "a b", "Q", ""))).into()),
    ("many tiny lines", |size| around(size, "a\n", "Q\n", "")),
    ("many empty lines", |size| around(size, "\n", "Q", "\n")),
    ("whitespace", |size| around(size, " \t\r\n", "Q", " ")),
    ("comments only", |size| around(size, "// a b c\n", "// Q\n", "")),
    ("comments with # only", |size| around(size, "# a b c\n", "# Q\n", "")),
    ("CRLF", |size| around(size, "a = 1;\r\n", "Q = 1;\r\n", "")),
    ("mixed line ends", |size| around(size, "a = 1;\r\nb;\n\rc;\r", "Q = 1;\u{2028}", "")),
    ("CR", |size| around(size, "a = 1;\r", "Q = 1;\r", "")),
    ("byte order mark", |size| [b"\xef\xbb\xbf".to_vec(), around(size, "a = 1;\n", "Q = 1;\n", "")].concat()),
    ("NUL bytes", |size| around_bytes(size, b"\0", b"Q", b"\0")),
    ("words and NUL bytes", |size| around_bytes(size, b"a\0b ", b"Q\0", b"")),
    ("invalid UTF-8", |size| around_bytes(size, b"a \xff\xc3( ", b"Q\x80", b"\xf0\x9f")),
    ("lines of invalid UTF-8", |size| {
        around_bytes(size, b"\xc3\x28\xff\xfe\x80 foo(\xf0\x28\x8c\x28);\n", b"Q\n", b"")
    }),
    ("random bytes", |size| {
        // A linear congruential generator: the same bytes everywhere. NUL bytes would keep it from every parser.
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 56) as u8
        };
        let mut random: Vec<u8> =
            (0..size).map(|_| next()).map(|byte| if b"Q\0".contains(&byte) { 1 } else { byte }).collect();
        random.insert(size / 2, b'Q');
        random
    }),
    ("every byte", |size| {
        let every: Vec<u8> = (0..=255).filter(|byte| *byte != b'Q').cycle().take(size / 2).collect();
        [every.as_slice(), MARK, &every].concat()
    }),
    ("backslashes", |size| around(size, "\\", "Q", "")),
    ("line continuations", |size| around(size, "#define a \\\n", "Q \\\n", "b")),
    ("conditional lines", |size| nested(size, "#if a\n", "Q\n", "#endif\n")),
    ("quotes", |size| around(size, "'\"`", "Q", "")),
    ("heredocs", |size| around(size, "cat <<E\na\nE\n", "cat <<E\nQ\nE\n", "")),
    ("mixed indentation", |size| around(size, "\ta:\n  b:\n        c\n", "   Q\n", "")),
];

/// So much of `open` as makes about `size` bytes, `inner`, and as many times `close`.
fn nested(size: usize, open: &str, inner: &str, close: &str) -> Vec<u8> {
    let depth = size / (open.len() + close.len());
    format!("{}{inner}{}", open.repeat(depth), close.repeat(depth)).into()
}

/// About `size` bytes of `part`, with `middle` in the middle and `end` at the end.
fn around(size: usize, part: &str, middle: &str, end: &str) -> Vec<u8> {
    around_bytes(size, part.as_bytes(), middle.as_bytes(), end.as_bytes())
}

fn around_bytes(size: usize, part: &[u8], middle: &[u8], end: &[u8]) -> Vec<u8> {
    let half = part.repeat(size / part.len() / 2);
    [&half, middle, &half, end].concat()
}

/// Lines, each deeper than the one before, and the mark at the deepest.
fn staircase(size: usize, line: fn(usize) -> String) -> Vec<u8> {
    let mut lines = String::new();
    let mut depth = 0;
    while lines.len() + depth < size {
        lines += &line(depth);
        depth += 1;
    }
    format!("{lines}{}Q\n", " ".repeat(depth)).into()
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("made of text")
}
