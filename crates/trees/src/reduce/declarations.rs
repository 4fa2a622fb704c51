//! [`Declarations`]: the declarations of a text at all depths, and what names they declare and mention.
//!
//! What is declared is guessed by the head: the last name there, or the first in Lisp. That fits languages as different as
//! C++, Rust, Python, SQL and SMT-LIB. Where the guess is wrong, a test fails.

use std::ops::Range;

use whittle_lists::Subset;

use super::heads::Found;
use super::reach::{Reach, Units};
use super::token_stream::Tokens;
use crate::rendered::{Copies, Rendered};
use crate::{Edit, NodeId, Tree};

/// A word of the test that more declarations declare or mention does not say what matters. Not measured.
const MAX_MENTIONING: usize = 16;

/// Shorter words of a test are options of commands and the like. Not measured.
const MIN_WORD_BYTES: usize = 3;

/// The declarations of a text.
#[derive(Debug)]
pub(crate) struct Declarations {
    /// In text order; those within another come after it.
    declared: Vec<Declared>,
    reach: Reach,
    /// The numbers of the long words of the test that are names here.
    words: Vec<u32>,
}

/// A declaration.
#[derive(Debug)]
struct Declared {
    /// How many tokens it has.
    tokens: u32,
    /// The element of a list that it is, if it was not found by tokens.
    element: Option<NodeId>,
    /// Else its text, with the whitespace before it.
    bytes: Range<u32>,
    wrapper: Option<u32>,
}

impl Declared {
    fn new(found: &Found, text: &Tokens<'_>) -> Self {
        let Range { start, end } = found.tokens;
        let bytes = if found.element.is_some() { 0..0 } else { text.bytes(start..end) };
        Self { tokens: end - start, element: found.element, bytes, wrapper: found.wrapper }
    }
}

impl Declarations {
    /// Finds all declarations of a text, and which of the test's words they have.
    pub(crate) fn of(tree: &Tree, words: &[String]) -> Self {
        let text = Tokens::read(tree);
        let mut open: Vec<Found> = text.outermost();
        open.reverse();
        let (mut declared, mut units) = (Vec::new(), Units::default());
        while let Some(next) = open.pop() {
            let is_last = open.is_empty() && next.wrapper.is_none();
            let head = text.head(next.tokens.clone(), is_last);
            let number = declared.len() as u32;
            let within: Vec<Found> =
                text.within(&next, &head).into_iter().map(|inner| Found { wrapper: Some(number), ..inner }).collect();
            units.extend([text.unit(&next, &head, &within)]);
            declared.push(Declared::new(&next, &text));
            open.extend(within.into_iter().rev());
        }
        let long = words.iter().filter(|word| word.len() >= MIN_WORD_BYTES);
        let words = long.filter_map(|word| text.numbers.get(word.as_bytes()).copied()).collect();
        Self { declared, reach: Reach::new(units, text.numbers.len()), words }
    }

    /// Which of them need which others.
    pub(crate) fn reach(&self) -> &Reach {
        &self.reach
    }

    /// The declarations that each word of the test names, the rarest words first: those that declare it, or mention it where
    /// nothing declares it. Short words are left out.
    pub(crate) fn named(&self) -> Vec<Vec<u32>> {
        let units = |number: u32| match self.reach.declarers(number) {
            [] => self.reach.mentioning(number).take(MAX_MENTIONING + 1).collect(),
            declaring => declaring.to_vec(),
        };
        let mut named: Vec<Vec<u32>> =
            self.words.iter().copied().map(units).filter(|units| units.len() <= MAX_MENTIONING).collect();
        named.sort_by_key(Vec::len);
        named
    }

    /// The last declaration that is not within another, and what is in it.
    pub(crate) fn last(&self) -> impl Iterator<Item = u32> + use<> {
        let outer = self.declared.iter().rposition(|declared| declared.wrapper.is_none());
        outer.unwrap_or(self.declared.len()) as u32..self.declared.len() as u32
    }

    /// How many tokens each has that are not in others within it.
    pub(crate) fn weights(&self) -> Vec<u32> {
        let mut weights: Vec<u32> = self.declared.iter().map(|declared| declared.tokens).collect();
        for inner in &self.declared {
            if let Some(wrapper) = inner.wrapper {
                weights[wrapper as usize] -= inner.tokens;
            }
        }
        weights
    }

    /// The text that is left of some declarations, those around others included.
    pub(crate) fn render(&self, tree: &Tree, kept: &Subset) -> Rendered {
        let deleted = || (0..).zip(&self.declared).filter(|&(number, _)| !kept.contains(number));
        if self.declared.iter().any(|declared| declared.element.is_some()) {
            let elements = deleted().filter_map(|(_, declared)| declared.element);
            return tree.render(&elements.map(|element| (element, Edit::Delete)).collect());
        }
        // Tokens, and not edits of nodes: the parser may see other nodes.
        let mut rendered = Rendered { text: Vec::new(), copies: Copies::default() };
        let mut copy = |range: Range<usize>| {
            rendered.copies.add(range.clone(), rendered.text.len());
            rendered.text.extend_from_slice(&tree.text()[range]);
        };
        let mut end = 0;
        for (_, Declared { bytes, .. }) in deleted() {
            if bytes.start as usize >= end {
                copy(end..bytes.start as usize);
                end = bytes.end as usize;
            }
        }
        copy(end..tree.text().len());
        rendered
    }
}

#[cfg(test)]
mod tests {
    use super::super::reach::Ring;
    use super::super::testing::syntax;
    use super::*;

    /// What is left of a text if only what a word names is kept, with what that reaches.
    fn reached(language: &str, text: &str, word: &str, ring: Ring) -> String {
        let tree = syntax(language).tree(text);
        let declarations = Declarations::of(&tree, &[word.to_owned()]);
        let named = declarations.named().concat();
        let left = declarations.render(&tree, &declarations.reach().closure(named, ring)).text;
        String::from_utf8(left).unwrap().split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn names_reach_through_namespaces_and_classes() {
        let text = "namespace std __attribute__((x)) { class one; class one { int a; void used(); void unused(); }; \
                    class other { }; inline namespace n { typedef one alias; } \
                    void swap(one, int); void swap(other, int); void swap(long); void swap(char); } \
                    void start(std::alias value) { value.used(); swap(value); } int more;";
        let near = "namespace std __attribute__((x)) { class one; class one { void used(); }; \
                    inline namespace n { typedef one alias; } void swap(one, int); void swap(long); void swap(char); } \
                    void start(std::alias value) { value.used(); swap(value); }";
        assert_eq!(reached("cpp", text, "start", Ring::Near), near);
        let members = near.replace("void swap(one, int);", "void swap(one, int); void swap(other, int);");
        let members = members.replace("}; inline", "}; class other { }; inline");
        assert_eq!(reached("cpp", text, "start", Ring::Members), members);
        assert_eq!(reached("cpp", text, "start", Ring::Own), &near[near.find("void start").unwrap()..]);
    }

    #[test]
    fn declarations_end_with_semicolons_and_braces_and_quotes_hide_them() {
        for (text, word) in [
            ("typedef struct { } first; typedef int (*second)(first);", "second"),
            ("char brace() { return '}'; } int user() { return brace(); }", "user"),
            ("enum { A, B = 2 }; int user = B;", "user"),
            ("#pragma one\nextern \"C\" { typedef int number; } number user;", "user"),
            ("struct one { int a; } value = { 1 }; int user() { return value.a; }", "user"),
        ] {
            let without_pragma = text.trim_start_matches("#pragma one\n");
            let whole = format!("int before;\n{text}\nint after;");
            assert_eq!(reached("cpp", &whole, word, Ring::Near), without_pragma, "{word}");
        }
    }

    #[test]
    fn declarations_of_other_languages_reach_each_other() {
        for (language, text, left) in [
            (
                "rust",
                "mod a { pub struct S { x: u8 } pub fn g() {} } impl Unused { } fn start(s: a::S) { } fn h() {}",
                "mod a { pub struct S { x: u8 } } fn start(s: a::S) { }",
            ),
            (
                "python",
                "x = 1\ny = 2\nclass C(D):\n    def f(self): return x\n    def g(self): return y\n\
                        def start(): return C().f()\ndef h(): pass\n",
                "x = 1 class C(D): def f(self): return x def start(): return C().f()",
            ),
            (
                "smtlib",
                "(declare-const x Int) (declare-fun y (Int) Int) (define-fun start () Int (+ x 1)) (assert (= x 1)) \
                        (assert (= (y 1) 1))",
                "(declare-const x Int) (define-fun start () Int (+ x 1)) (assert (= x 1))",
            ),
            (
                "sql",
                "CREATE TABLE t (a INT); CREATE TABLE u (b INT); INSERT INTO t VALUES (1); \
                     CREATE VIEW start AS SELECT a FROM t;",
                "CREATE TABLE t (a INT); INSERT INTO t VALUES (1); CREATE VIEW start AS SELECT a FROM t;",
            ),
            (
                "javascript",
                "class A { f() { return 1 } g() { return 2 } } class B { } function start() { return new A().f() }",
                "class A { f() { return 1 } } function start() { return new A().f() }",
            ),
        ] {
            assert_eq!(reached(language, text, "start", Ring::Near), left, "{language}");
        }
    }

    #[test]
    fn records_are_named_by_words_in_quotes() {
        let records = r#"{"all": [{"id": 1, "name": "one"}, {"id": 2, "name": "start"}, {"id": 3, "name": "two"}]}"#;
        assert_eq!(reached("json", records, "start", Ring::Own), r#"{"all": [{"id": 2, "name": "start"}]}"#);
    }

    #[test]
    fn modules_of_verilog_reach_each_other() {
        // This language is not among those that are always built.
        if whittle_languages::Language::by_name("verilog").is_some() {
            let text = "module a (input x); endmodule module b (input x); endmodule module start (input x); a u (x); endmodule";
            let left = "module a (input x); endmodule module start (input x); a u (x); endmodule";
            assert_eq!(reached("verilog", text, "start", Ring::Near), left);
        }
    }

    #[test]
    fn the_last_declaration_is_known_with_its_statements() {
        let tree = syntax("c").tree("int a; int b; int main() { f(a); return b; }");
        let declarations = Declarations::of(&tree, &[]);
        let shown = |kept: &Subset| String::from_utf8(declarations.render(&tree, kept).text).unwrap();
        let last: Vec<usize> = declarations.last().map(|unit| unit as usize).collect();
        assert_eq!(last.len(), 3);
        assert_eq!(shown(&Subset::from_elements(last.iter().copied())).trim(), "int main() { f(a); return b; }");
        let reached = declarations.reach().closure([last[1] as u32], Ring::Near);
        assert_eq!(shown(&reached), "int a; int main() { f(a); }");
        assert_eq!(declarations.weights().iter().sum::<u32>(), 20);
    }

    #[test]
    fn rare_and_long_words_come_first() {
        let tree = syntax("c").tree("int one; int two(int); int two(long); int f() { return three; } int ab;");
        let words = ["two", "ab", "three", "four"].map(str::to_owned);
        assert_eq!(Declarations::of(&tree, &words).named(), [vec![3], vec![1, 2]]);
    }
}
