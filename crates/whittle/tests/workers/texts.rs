//! Random small texts in six languages, by rules that are written down as templates.
//!
//! `$name` in a template is a part by another rule, `$>name` one whose lines are indented. Where a text is deep enough, the
//! first template of a rule is taken: it must not lead back to the rule.

use fastrand::Rng;

type Rule = (&'static str, &'static [&'static str]);

const DEPTH: usize = 5;

/// A language and a text in it. Seeds take turns among the languages.
pub(crate) fn random(rng: &mut Rng, seed: u64) -> (&'static str, String) {
    let (language, rules) = LANGUAGES[(seed % LANGUAGES.len() as u64) as usize];
    (language, expand(rules, "text", 0, rng))
}

fn expand(rules: &[Rule], name: &str, depth: usize, rng: &mut Rng) -> String {
    let (_, templates) = rules.iter().find(|(rule, _)| *rule == name).unwrap_or_else(|| panic!("no rule {name}"));
    let template = templates[if depth < DEPTH { rng.usize(..templates.len()) } else { 0 }];
    let mut parts = template.split('$');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_lowercase() && c != '>').unwrap_or(part.len());
        let (name, after) = part.split_at(end);
        let inner = expand(rules, name.trim_start_matches('>'), depth + 1, rng);
        text += &if name.starts_with('>') { indented(&inner) } else { inner };
        text += after;
    }
    text
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}

const LANGUAGES: [(&str, &[Rule]); 6] =
    [("c", C), ("javascript", JAVASCRIPT), ("json", JSON), ("python", PYTHON), ("rust", RUST), ("smtlib", SMTLIB)];

const C: &[Rule] = &[
    ("text", &["int $name(int $name) {\n$>body}\n", "int $name = $number;\nvoid $name(void) {\n$>body}\n"]),
    ("body", &["$simple\n", "$simple\n$body", "$block$simple\n$body"]),
    ("block", &["if ($value) {\n$>body}\n", "while ($value) {\n$>body}\n", "for (;;) {\n$>body}\n"]),
    ("simple", &["$name++;", "int $name = $value;", "$name = $value;", "$name($value, $value);", "return $value;"]),
    ("value", &["$name", "$number", "$value + $value", "($value)", "-$value", "$name[$value]", "\"ab\""]),
    ("name", &["a", "count", "main", "x"]),
    ("number", &["0", "1", "0x10", "42"]),
];

const JAVASCRIPT: &[Rule] = &[
    ("text", &["$body", "function $name($name, $name) {\n$>body}\n"]),
    ("body", &["$simple\n", "$simple\n$body", "$block$simple\n$body"]),
    ("block", &["if ($value) {\n$>body}\n", "for (const $name of $value) {\n$>body}\n", "try {\n$>body} finally {}\n"]),
    (
        "simple",
        &["$name();", "let $name = $value;", "$name = $value;", "throw $value;", "console.log($value, $value);"],
    ),
    ("value", &["$name", "$number", "[$value, $value]", "{ $name: $value }", "$name => $value", "$value * $value"]),
    ("name", &["a", "item", "result", "f"]),
    ("number", &["0", "1.5", "'text'", "`t`"]),
];

const JSON: &[Rule] = &[
    ("text", &["[$value, $value, $value]", "{$entry, $entry}", "{$entry, $entry, $entry, $entry}"]),
    ("entry", &["\"id\": $value", "\"name\": $value", "\"list\": $value"]),
    (
        "value",
        &["0", "12", "true", "null", "\"abc\"", "-1.5e3", "[$value, $value]", "{$entry}", "[]", "{$entry, $entry}"],
    ),
];

const PYTHON: &[Rule] = &[
    ("text", &["$body", "import $name\n$body", "class $name:\n$>body"]),
    ("body", &["$simple\n", "$simple\n$body", "$block$simple\n$body"]),
    (
        "block",
        &["if $value:\n$>body", "for $name in $value:\n$>body", "def $name($name):\n$>body", "with $name:\n$>body"],
    ),
    ("simple", &["pass", "$name = $value", "print($value, $value)", "return $value", "$name += 1"]),
    ("value", &["$name", "$number", "[$value, $value]", "$value + $value", "$name($value)", "lambda: $value"]),
    ("name", &["a", "items", "x", "total"]),
    ("number", &["0", "10", "'text'", "None"]),
];

const RUST: &[Rule] = &[
    ("text", &["fn $name($name: u8) {\n$>body}\n", "struct $name;\nimpl $name {\n$>function}\n"]),
    ("function", &["fn $name(&self) {\n$>body}\n"]),
    ("body", &["$simple\n", "$simple\n$body", "$block$simple\n$body"]),
    (
        "block",
        &["if $value {\n$>body}\n", "loop {\n$>body}\n", "match $value {\n    $number => $value,\n    _ => {}\n}\n"],
    ),
    ("simple", &["$name();", "let $name = $value;", "let mut $name = vec![$value, $value];", "return $value;"]),
    ("value", &["$name", "$number", "$value + $value", "$name($value)", "&$value", "Some($value)"]),
    ("name", &["a", "item", "self_", "x"]),
    ("number", &["0", "1u8", "'c'", "\"s\""]),
];

const SMTLIB: &[Rule] = &[
    (
        "text",
        &[
            "$command\n(check-sat)\n",
            "(set-logic QF_LIA)\n$command\n$command\n(check-sat)\n",
            "$command\n$command\n$command\n",
        ],
    ),
    ("command", &["(assert $term)", "(declare-const $name Int)", "(declare-fun $name (Int) Bool)", "(push 1)"]),
    ("term", &["true", "(= $value $value)", "(and $term $term)", "(not $term)", "(let (($name $value)) $term)"]),
    ("value", &["$name", "0", "17", "(+ $value $value)", "(ite $term $value $value)"]),
    ("name", &["a", "b", "x"]),
];
