//! What the printer makes of small texts, and what it promises for random parts of the samples of every language.

use std::path::Path;

use fastrand::Rng;
use whittle_grammars::Grammar;
use whittle_languages::Language;

use super::atoms::atoms;
use super::style::{Lines, Style};
use crate::{Edit, Edits, Gap, Kind, NodeId, Skeleton, Syntax};

const SEED: u64 = 11;
/// How many parts of each sample are laid out.
const PARTS: usize = 12;
/// How many stretches of whitespace of a part are changed at random.
const CHANGES: usize = 12;

fn syntax(language: &Language) -> Syntax {
    let grammar = Grammar::from_tree_sitter(&language.grammar_json()).expect("a shipped grammar is sound");
    Syntax::new(language.tree_sitter(), grammar)
}

fn laid_out(syntax: &Syntax, text: &str) -> String {
    with_gaps(text, &syntax.tree(text).misplaced_whitespace())
}

fn with_gaps(text: &str, gaps: &[Gap]) -> String {
    let mut out = String::new();
    let mut position = 0;
    for gap in gaps {
        out.push_str(&text[position..gap.range.start]);
        out.push_str(&gap.text);
        position = gap.range.end;
    }
    out + &text[position..]
}

fn skeleton(syntax: &Syntax, text: &str) -> Skeleton {
    Skeleton::of(syntax, text.as_bytes()).expect("a part of a sample can be parsed")
}

#[test]
fn texts_look_as_a_formatter_would_leave_them() {
    for (language, text, expected) in [
        ("c", "a(a) { a / 0; }", "a(a) {\n  a / 0;\n}\n"),
        ("c", "a(a)\n{\na/0;\n}", "a(a) {\n  a / 0;\n}\n"),
        ("c", "int*a[]={1,\n2} ;// x\nint b;", "int *a[] = { 1, 2 };\n// x\nint b;\n"),
        ("c", "for(;;)if(-a*b->c)d( & e );else f++;", "for (;;) if (-a * b->c) d(&e);\nelse f++;\n"),
        ("c", "#if A\nint a;int f(){}\n#else\n#endif\n", "#if A\nint a;\nint f() {}\n#else\n#endif\n"),
        ("c", "main()\n{}", "main() {}\n"),
        ("c", "int * f ( char * * a , int ( * b ) ( ) , t * ) ;", "int *f(char **a, int (*b)(), t *);\n"),
        ("c", "__attribute__((a))b(int * c) { }", "__attribute__ ((a)) b(int *c) {}\n"),
        ("c", "a=(char*)b*c+sizeof(int*);", "a = (char *) b * c + sizeof(int *);\n"),
        ("c", "a = {\n0, 1 };", "a = {\n  0, 1\n};\n"),
        ("cpp", "int & a = * b ; int f ( int && c , int * ) ;", "int &a = *b;\nint f(int &&c, int *);\n"),
        ("cpp", "template<class T>struct a:b<c<T>>{};", "template <class T> struct a: b<c<T>> {};\n"),
        ("rust", "fn  f(a:&mut[u8;2])->u8{g!(a);a[0]}", "fn f(a: &mut [u8; 2]) -> u8 {\n    g!(a);\n    a[0]\n}\n"),
        ("javascript", "a\nb ( c=>{ return 1 })", "a\nb(c => {\n  return 1\n})\n"),
        (
            "go",
            "package a\nfunc f(){if a:=1;a>0{b()}}\n",
            "package a\nfunc f() {\n    if a := 1; a > 0 {\n        b()\n    }\n}\n",
        ),
        ("css", "a:hover{color:red;b:0}", "a:hover {\n  color: red;\n  b: 0\n}\n"),
        ("css", "a{margin : 0\n 1px   solid}", "a {\n  margin: 0 1px solid\n}\n"),
        ("json", "{ \"a\" :[ 1,{} ]\n}", "{\"a\": [1, {}]}\n"),
        (
            "json",
            r#"["twenty characters...", "twenty characters...", {"a": "twenty characters..."}, [1, 2]]"#,
            "[\n  \"twenty characters...\",\n  \"twenty characters...\",\n  {\"a\": \"twenty characters...\"},\n  [1, 2]\n]\n",
        ),
        ("python", "if a : b=c( 1,\n  d = 2 )\n\n\nelse:\n\tpass", "if a:\n    b = c(1, d=2)\nelse:\n    pass\n"),
        ("yaml", "a:\n    -   b: 1\n        c:   2\n\n    - d\n", "a:\n  - b: 1\n    c: 2\n  - d\n"),
        ("smtlib", "(assert(= a ( f  b)))(check-sat)", "(assert (= a (f b)))\n(check-sat)\n"),
        ("ruby", "def a\n      b do |c|\n d\n end\nend", "def a\n  b do |c|\n    d\n  end\nend\n"),
        ("bash", "if  a; then\nb\n  else\nc  d\nfi", "if a; then\n  b\nelse\n  c d\nfi\n"),
        (
            "lua",
            "local function f(a)if a then x=1 return b\nelseif c then d{1,\n2}else end end\nf ( 1 )g()",
            "local function f(a)\n  if a then\n    x = 1\n    return b\n  elseif c then\n    d { 1, 2 }\n  else end\nend\nf(1)\ng()\n",
        ),
        ("toml", "a=1\n\n[b]\n  c = [ 1,\n 2 ]", "a = 1\n[b]\nc = [1, 2]\n"),
        ("sql", "SELECT a.b,c FROM d ;SELECT 1", "SELECT a.b, c FROM d;\nSELECT 1\n"),
        ("xml", "<a   b = '1'>\n\n  x</a>", "<a b='1'>\n\n  x</a>\n"),
        ("xml", "<a >x = > <b  c='1' /></a >", "<a>x = > <b c='1'/></a>\n"),
        ("html", "<a  b = c   d='1' ><br /><i e=f /></a >", "<a b=c d='1'><br/><i e=f /></a>\n"),
    ] {
        let language = Language::by_name(language).expect("a default language");
        assert_eq!(laid_out(&syntax(language), text), expected, "{language}");
    }
}

#[test]
fn only_whitespace_changes_even_where_bytes_are_not_text() {
    let syntax = syntax(Language::by_name("c").expect("a default language"));
    let text = b"int  a; /* \xe4 */ char *s=\"\xfc\" \\\n ;\n#define A \\\n  1\n";
    for gap in syntax.tree(&text[..]).misplaced_whitespace() {
        assert!(text[gap.range.clone()].trim_ascii().is_empty(), "{gap:?}");
    }
}

/// The sample of a language.
fn sample(language: &Language) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../languages/samples");
    let mut paths = language.extensions.iter().map(|extension| folder.join(format!("{}.{extension}", language.name)));
    let path = paths.find(|path| path.exists()).unwrap_or_else(|| panic!("{language:?} has no sample"));
    std::fs::read_to_string(path).expect("a sample is text")
}

/// What a random reduction could leave of a text.
fn part(syntax: &Syntax, text: &str, random: &mut Rng) -> String {
    let tree = syntax.tree(text);
    let is_element = |&node: &NodeId| {
        let list = tree.parent(node).filter(|&list| matches!(tree.kind(list), Kind::List { at_least_one: false, .. }));
        list.is_some_and(|list| tree.elements(list).any(|element| element == node))
    };
    let mut nodes: Vec<NodeId> =
        tree.nodes().filter(|node| is_element(node) || tree.kind(*node) == Kind::Optional).collect();
    random.shuffle(&mut nodes);
    nodes.truncate(random.usize(1..12));
    let edits = nodes.into_iter().map(|node| (node, Edit::Delete));
    String::from_utf8(tree.unparse(&Edits::from_iter(edits))).expect("a part of a text is text")
}

/// The text with other whitespace that is parsed in the same way.
fn perturbed(syntax: &Syntax, text: &str, random: &mut Rng) -> String {
    let lines = Style::of(syntax.grammar()).lines;
    let keeps_lines = !matches!(lines, Lines::Braces | Lines::Words | Lines::Lisp);
    let expected = skeleton(syntax, text);
    let mut text = text.to_owned();
    for _ in 0..CHANGES {
        let atoms = atoms(&syntax.tree(text.as_str()));
        if atoms.len() < 2 {
            break;
        }
        let number = random.usize(1..atoms.len());
        let gap = atoms[number - 1].range.end..atoms[number].range.start;
        let old = &text[gap.clone()];
        let is_digit = text[..gap.start].ends_with(|last: char| last.is_ascii_digit());
        if atoms[number].is_bound
            || (is_digit && old.is_empty())
            || (keeps_lines && (old.is_empty() || old.contains('\n')))
        {
            continue;
        }
        let new = match (keeps_lines, random.bool()) {
            (true, is_tab) => {
                if is_tab {
                    "\t"
                } else {
                    "   "
                }
            }
            (false, true) if !is_digit => "",
            (false, _) => "\n  ",
        };
        let other = format!("{}{new}{}", &text[..gap.start], &text[gap.end..]);
        if skeleton(syntax, &other) == expected {
            text = other;
        }
    }
    text
}

#[test]
fn the_layout_of_random_parts_is_a_function_of_their_tokens_and_a_fixed_point() {
    let mut failures = Vec::new();
    for language in Language::all() {
        let (syntax, sample) = (syntax(language), sample(language));
        let mut random = Rng::with_seed(SEED);
        let mut unprinted = 0;
        for number in 0..PARTS {
            let text = if number == 0 { sample.clone() } else { part(&syntax, &sample, &mut random) };
            let out = laid_out(&syntax, &text);
            if skeleton(&syntax, &out) != skeleton(&syntax, &text) {
                unprinted += 1;
                continue;
            }
            if laid_out(&syntax, &out) != out {
                let again = laid_out(&syntax, &out);
                let differ = out.lines().zip(again.lines()).find(|(one, other)| one != other);
                failures.push(format!("{language} {number}: laid out again, this changes: {differ:?}"));
            }
            let other = perturbed(&syntax, &text, &mut random);
            let printed = laid_out(&syntax, &other);
            if printed != out {
                let differ = out.lines().zip(printed.lines()).find(|(one, other)| one != other);
                failures.push(format!("{language} {number}: the layouts of one text differ: {differ:?}"));
            }
        }
        // Deleted nodes leave texts with syntax errors, where whitespace can decide how the parser recovers.
        if unprinted * 5 > PARTS {
            failures.push(format!("{language}: {unprinted} of {PARTS} are parsed differently"));
        }
    }
    assert!(failures.is_empty(), "seed {SEED}\n{}", failures.join("\n"));
}

#[test]
fn deep_nesting_is_indented_only_so_far() {
    let syntax = syntax(Language::by_name("c").expect("C is built in"));
    let levels = 17_000;
    let text = format!("void f() {}a();{}", "{".repeat(levels), "}".repeat(levels));
    let laid_out = laid_out(&syntax, &text);
    let widest = laid_out.lines().map(|line| line.len() - line.trim_start().len()).max();
    assert_eq!(widest, Some(400));
    assert_eq!(laid_out.split_whitespace().collect::<String>(), text.split_whitespace().collect::<String>());
}
