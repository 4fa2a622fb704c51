//! What grammars mean: small languages of our own, and a grammar that is printed in a paper.

use std::collections::BTreeMap;

use crate::{compile, read, shown};
use whittle_parsing::{NodeKind, RunTimeGrammar, from_antlr, from_ebnf};

#[test]
fn json_has_lists_with_separators() {
    let grammar = compile(
        r#"grammar Data;
        text : value EOF ;
        value : object | array | STRING | NUMBER | 'true' | 'null' ;
        object : '{' (pair (',' pair)*)? '}' ;
        pair : STRING ':' value ;
        array : '[' (value (',' value)*)? ']' ;
        STRING : '"' (~["\\] | '\\' .)* '"' ;
        NUMBER : '-'? [0-9]+ ('.' [0-9]+)? ;
        SPACE : [ \t\r\n]+ -> skip ;"#,
    );
    assert_eq!(
        shown(&grammar, r#"{"a\"": [1, true]}"#),
        r#"text(value(object({ pair("a\"" : value(array([ value(1) , value(true) ]))) })))"#
    );
    let rule = grammar.description().syntax_rule("array").unwrap();
    assert_eq!((rule.place.line, rule.place.column), (6, 9));
}

#[test]
fn earlier_alternatives_bind_tighter_and_operators_group_to_the_left_unless_told_otherwise() {
    let grammar = compile(
        "grammar E; e : <assoc=right> e '^' e | '-' e | e ('*' | '/') e | e ('+' | '-') e | <assoc=right> e '?' e ':' e | e '!' \
         | '(' e ')' | [0-9]+ ;"
            .replace("[0-9]+ ;", "N ; N : [0-9]+ ;")
            .as_str(),
    );
    for (text, grouped) in [
        ("1+2*3", "e(e(1) + e(e(2) * e(3)))"),
        ("1*2+3", "e(e(e(1) * e(2)) + e(3))"),
        ("1-2-3", "e(e(e(1) - e(2)) - e(3))"),
        ("1^2^3", "e(e(1) ^ e(e(2) ^ e(3)))"),
        ("-1^2", "e(- e(e(1) ^ e(2)))"),
        ("-1*2", "e(e(- e(1)) * e(2))"),
        ("1*-2", "e(e(1) * e(- e(2)))"),
        ("1?2:3?4:5", "e(e(1) ? e(2) : e(e(3) ? e(4) : e(5)))"),
        ("1+2!", "e(e(e(1) + e(2)) !)"),
        ("(1+2)*3", "e(e(( e(e(1) + e(2)) )) * e(3))"),
    ] {
        assert_eq!(shown(&grammar, text), grouped, "{text}");
    }
}

#[test]
fn an_ambiguous_text_is_read_by_the_first_alternative() {
    let grammar = compile("grammar A; s : a | b ; a : 'x' 'y' ; b : 'x' 'y' | 'x' 'z' ;");
    assert_eq!(shown(&grammar, "xy"), "s(a(x y))");
    assert_eq!(shown(&grammar, "xz"), "s(b(x z))");
    let found = grammar.ambiguities(b"xy").unwrap();
    assert_eq!(found.iter().map(|found| (found.rule.name.as_str(), found.at)).collect::<Vec<_>>(), [("s", 0)]);
    assert_eq!(grammar.ambiguities(b"xz").unwrap(), []);
    let grammar = compile("grammar I; s : 'if' s | 'if' s 'else' s | 'x' ; W : ' ' -> skip ;");
    assert_eq!(shown(&grammar, "if if x else x"), "s(if s(if s(x) else s(x)))");
}

#[test]
fn modes_split_a_text_by_other_rules() {
    let lexer = "lexer grammar TemplateLexer;
        OPEN : '{{' -> pushMode(INSIDE) ;
        TEXT : ~'{'+ | '{' ;
        mode INSIDE ;
        CLOSE : '}}' -> popMode ;
        NAME : [a-z]+ ;
        QUOTE : '\"' -> more, pushMode(QUOTED) ;
        SPACE : ' '+ -> channel(HIDDEN) ;
        mode QUOTED ;
        STRING : '\"' -> popMode ;
        ANY : . -> more ;";
    let parser = "parser grammar TemplateParser; options { tokenVocab = TemplateLexer; }
        text : (TEXT | OPEN (NAME | STRING)* CLOSE)* EOF ;";
    let files = BTreeMap::from([("TemplateLexer.g4", lexer)]);
    let sibling = |name: &str| files.get(name).map(|text| (*text).to_owned());
    let description = from_antlr("TemplateParser.g4", parser, &sibling).unwrap();
    let grammar = RunTimeGrammar::new(&description, None).unwrap();
    assert_eq!(shown(&grammar, "a b {{ a \"x }} y\" }} c"), "text(a b  {{ a \"x }} y\" }}  c)");
    assert_eq!(grammar.parse(b"a {{ b }} {").unwrap().errors(), 0);
}

#[test]
fn rules_of_an_imported_file_come_after_those_that_replace_them() {
    let files = BTreeMap::from([("Base.g4", "grammar Base; word : 'base' ; other : 'other' ; ID : [a-z]+ ;")]);
    let sibling = |name: &str| files.get(name).map(|text| (*text).to_owned());
    let text = "grammar Main; import Base; top : word other ID ; word : 'main' ; W : ' ' -> skip ;";
    let grammar = RunTimeGrammar::new(&from_antlr("Main.g4", text, &sibling).unwrap(), None).unwrap();
    assert_eq!(shown(&grammar, "main other x"), "top(word(main) other(other) x)");
}

#[test]
fn the_longest_match_wins_then_the_first_rule_and_non_greedy_loops_end_early() {
    let tokens = |grammar: &RunTimeGrammar, text: &str| -> Vec<String> {
        let tokens = grammar.tokens(text.as_bytes()).unwrap();
        let shown = tokens.iter().map(|token| {
            let kind = grammar.label(NodeKind::Token(token.kind)).0;
            format!("{kind}:{}", &text[token.start as usize..token.end as usize])
        });
        shown.collect()
    };
    let grammar = compile(
        "grammar T; t : . ; IF : 'if' ; ID : [a-z]+ ; C : '/*' .*? '*/' ; N : '(*' (N | .)*? '*)' ; S : '<' .*? '>>'? ;
        LINE : '#' ~[\\n]* ('\\n' | EOF) ; W : ' ' -> skip ;",
    );
    assert_eq!(tokens(&grammar, "if iff"), ["if:if", "ID:iff"]);
    assert_eq!(tokens(&grammar, "/* a */ b */"), ["C:/* a */", "ID:b", "ERROR:*/"]);
    assert_eq!(tokens(&grammar, "(* a (* b *) c *) d"), ["N:(* a (* b *) c *)", "ID:d"]);
    assert_eq!(tokens(&grammar, "#a\n#b"), ["LINE:#a\n", "LINE:#b"]);
    let grammar =
        compile("grammar T; options { caseInsensitive = true; } t : 'select' A ; A : [a-b]+ ; W : ' ' -> skip ;");
    assert_eq!(shown(&grammar, "SeLect aB"), "t(SeLect aB)");
}

#[test]
fn what_does_not_parse_is_in_error_nodes_and_the_rest_is_not() {
    let grammar = compile(
        "grammar S; program : statement* EOF ; statement : ID '=' e ';' | '{' statement* '}' ; e : e '+' e | ID | '(' e ')' ;
        ID : [a-z]+ ; W : [ \\n]+ -> skip ;",
    );
    let tree = |text: &str| shown(&grammar, text);
    assert_eq!(tree("a = b; c = ; d = e;").matches("statement(").count(), 3);
    assert_eq!(tree("a = b; $$ d = e;"), "program(statement(a = e(b) ;) statement(ERROR($$) d = e(e) ;))");
    assert_eq!(tree("{ a = b + ; } d = e;").matches("statement(").count(), 3);
    for text in ["", "}", "a", "{{{", "= = =", "a = (b;", "a = b; }}} c = d;", "$"] {
        let tree = grammar.parse(text.as_bytes()).unwrap();
        assert_eq!(crate::leaves(&tree, text).replace(' ', ""), text.replace(' ', ""), "{text}");
        assert_eq!(tree.errors() == 0, text.is_empty(), "{text}");
    }
}

/// Figure 4 of Xu et al., *T-Rec: Fine-Grained Language-Agnostic Program Reduction Guided by Lexical Syntax*, as it is
/// printed. `FloatingConstant` and `CharacterConstant` are not in the figure, so the alternatives of the first rule that name them never match.
const FIGURE_4: &str = r"
Constant
: IntegerConstant
| FloatingConstant
| CharacterConstant ;

fragment IntegerConstant
: DecConstant IntSuffix?
| OctConstant IntSuffix?
| HexConstant IntSuffix?
| BinaryConstant ;

fragment BinaryConstant
: '0' [bB] [0-1]+ ;

fragment DecConstant
: NonzeroDigit Digit* ;

fragment OctConstant
: '0' OctalDigit* ;

fragment HexConstant
: HexPrefix HexDigit+ ;

fragment HexPrefix
: '0' [xX] ;

fragment NonzeroDigit
: [1-9] ;
fragment OctalDigit
: [0-7] ;

fragment HexDigit
: [0-9a-fA-F] ;

fragment IntSuffix
: USuffix LongSuffix?
| USuffix LLSuffix
| LongSuffix USuffix?
| LLSuffix USuffix? ;

fragment USuffix
: [uU] ;

fragment LongSuffix
: [lL] ;

fragment LLSuffix
: 'll'
| 'LL' ;

fragment Digit
: [0-9] ;
";

#[test]
fn the_figure_of_the_paper_on_tokens_is_read_as_it_is_printed() {
    let figure = format!("grammar Figure; start : Constant* EOF ; W : ' ' -> skip ;\n{FIGURE_4}");
    let missing = RunTimeGrammar::new(&read(&figure).unwrap(), None).unwrap_err();
    assert_eq!(missing.to_string(), "Test.g4:5:3: 'FloatingConstant' is not defined");
    let rest = "fragment FloatingConstant : Digit+ '.' Digit* ; fragment CharacterConstant : '\\'' ~'\\'' '\\'' ;";
    let grammar = compile(&format!("{figure}{rest}"));
    // The token that the paper takes apart: a prefix, digits and a suffix.
    for text in ["0xff00ull", "0b101", "0", "017L", "12llu", "1.5", "'x'"] {
        let tree = grammar.parse(text.as_bytes()).unwrap();
        assert_eq!((tree.errors(), tree.children(tree.root()).len()), (0, 1), "{text}");
    }
    assert_eq!(grammar.parse(b"0xff00ull 089").unwrap().children(grammar.parse(b"0").unwrap().root()).len(), 0);
    let lowered = grammar.lowered().unwrap();
    let constant = lowered.symbol("Constant").unwrap();
    assert_eq!(lowered.smallest_sentence(constant).map(|sentence| sentence.texts().concat()), Some("0".to_owned()));
}

const EBNF: &str = r#"
/* A language of the W3C's kind. */
[1] query   ::= 'SELECT' VAR+ 'WHERE' group
[2] group   ::= "{" (triple ("." triple)* "."?)? "}"
[3] triple  ::= term term term
[4] term    ::= VAR | IRI | NUMBER
VAR         ::= ('?' | '$') NAME
IRI         ::= '<' ([^<>"{}|^`\]-[#x00-#x20])* '>'
NUMBER      ::= [0-9]+ ('.' [0-9]+)?
NAME        ::= [A-Za-z_#xC0-#xD6]+
COMMENT     ::= '#' [^#xA#xD]*
WS          ::= #x20 | #x9 | #xD | #xA
"#;

#[test]
fn ebnf_of_the_w3c_is_read_with_tokens_in_capitals() {
    let grammar = RunTimeGrammar::new(&from_ebnf("Query.ebnf", EBNF).unwrap(), None).unwrap();
    assert_eq!(
        shown(&grammar, "SELECT ?a $É\nWHERE { ?a <x:y> 1.5 . # two\n}"),
        "query(SELECT ?a $É WHERE group({ triple(term(?a) term(<x:y>) term(1.5)) . }))"
    );
    // A blank is taken out of what an IRI may have.
    assert!(grammar.parse(b"SELECT ?a WHERE { ?a <x y> 1 }").unwrap().errors() > 0);
    let plain = from_ebnf("List.ebnf", "list ::= '(' (list | ATOM)* ')'  ATOM ::= [a-z]+").unwrap();
    let grammar = RunTimeGrammar::new(&plain, None).unwrap();
    assert_eq!(shown(&grammar, "(a (b c))"), "list(( a list(( b c )) ))");
    for (text, problem) in [
        ("a ::= 'x", "T.ebnf:1:7: a literal without an end"),
        ("a ::= (b", "T.ebnf:1:9: expected )"),
        ("a ::= b\nb = c", "T.ebnf:2:3: expected a name, a literal, a set or a bracket"),
        ("A ::= B - 'c'", "T.ebnf:1:7: expected single characters around '-'"),
        ("A ::= #xFFFFFFF", "T.ebnf:1:7: expected the number of a character, as #x20"),
    ] {
        assert_eq!(from_ebnf("T.ebnf", text).map(|_| ()).map_err(|found| found.to_string()), Err(problem.to_owned()));
    }
}
