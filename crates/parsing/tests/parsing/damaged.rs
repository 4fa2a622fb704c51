//! Damaged grammars give problems with a place, and never a panic.

use fastrand::Rng;

use crate::{pick, read};
use whittle_parsing::{RunTimeGrammar, check, from_antlr, from_ebnf};

const GRAMMAR: &str = r#"
/* A grammar with a bit of everything. */
grammar Everything;
options { caseInsensitive = true; tokenVocab = Other; }
tokens { INDENT, DEDENT }
channels { COMMENTS }
@header { package a.b; /* } */ }
program : (statement | block)* EOF ;
block locals [int depth] @init { depth = 0; } : '{' statement+ '}' # Block ;
statement : {isStatement()}? name=ID op='=' values+=e (',' values+=e)* ';' { done("}"); } | . ~('a' | ID) ;
e : <assoc=right> e '^' e | e ('*' | '/') e | e '+' e | '-' e | '(' e ')' | ID | NUMBER ;
ID : [a-z_\p{L}] [a-z0-9_]* ;
NUMBER : DIGIT+ ('.' DIGIT+)? -> type(NUM) ;
NUM : 'n' '0'..'9' ;
fragment DIGIT : [0-9] ;
COMMENT : '/*' (COMMENT | .)*? '*/' -> channel(COMMENTS) ;
OPEN : '"' -> more, pushMode(STRING) ;
WS : [ \t\r\n\u000C\u{1F600}]+ -> skip ;
mode STRING ;
CLOSE : '"' -> popMode ;
CHAR : ~["\\] -> more ;
"#;

fn damaged(random: &mut Rng) -> String {
    let mut text: Vec<char> = GRAMMAR.chars().collect();
    for _ in 0..random.usize(1..6) {
        let (at, len) = (random.usize(0..text.len()), random.usize(1..20));
        let end = (at + len).min(text.len());
        match random.u32(0..4) {
            0 if len < text.len() => drop(text.drain(at..end)),
            1 => text[at] = pick(random, "'[](){}:;|*+?~.\\-><#@=,\0é"),
            2 => {
                let copy: Vec<char> = text[at..end].to_vec();
                let to = random.usize(0..text.len());
                text.splice(to..to, copy);
            }
            _ => text.truncate(at.max(1)),
        }
    }
    text.into_iter().collect()
}

#[test]
fn damaged_grammars_never_panic() {
    let (mut read_well, mut usable) = (0, 0);
    for seed in 0..1000 {
        let mut random = Rng::with_seed(seed);
        let text = damaged(&mut random);
        // The other notation must not panic either.
        drop(from_ebnf("Test.ebnf", &text.replace(" : ", " ::= ")));
        let Ok(description) = read(&text) else { continue };
        read_well += 1;
        drop(check(&description, None));
        if let Ok(grammar) = RunTimeGrammar::new(&description, None) {
            usable += 1;
            let sample: String = (0..30).map(|_| pick(&mut random, "a1 ={};\"*/+^(é")).collect();
            if let Ok(tree) = grammar.parse(sample.as_bytes()) {
                assert!(tree.span(tree.root()).end <= sample.len(), "seed {seed}");
            }
        }
    }
    assert!(read_well > 50 && usable > 20, "{read_well} {usable}");
}

#[test]
fn problems_have_a_file_a_line_and_a_column() {
    for (text, problem) in [
        ("", "Test.g4:1:1: expected 'grammar'"),
        ("grammar A;\na : 'x ;", "Test.g4:2:5: a literal without an end"),
        ("grammar A;\na : b ) ;", "Test.g4:2:7: expected ;"),
        ("grammar A;\nB : [a-z ;", "Test.g4:2:5: a set without an end"),
        ("grammar A;\nB : '\\u{FFFFFFFF}' ;", "Test.g4:2:6: '\\uFFFFFFFF' is not an escape"),
        ("grammar A;\nB : [\\p{Nope}] ;", "Test.g4:2:6: '\\p{Nope}' is not an escape"),
        ("grammar A;\nB : 'a' -> fly ;", "Test.g4:2:12: expected skip, more, type, channel, mode, pushMode or popMode"),
        (
            "grammar A;\nB : 'x' [z-a] ;",
            "Test.g4:2:9: the range 'z'-'a' is empty: its first character comes after its last one",
        ),
        (
            "grammar A;\nB : '9'..'0' ;",
            "Test.g4:2:5: the range '9'-'0' is empty: its first character comes after its last one",
        ),
        ("grammar A;\n@members { int a; ", "Test.g4:2:10: an action without an end"),
        ("grammar A;\nimport Missing;", "Test.g4:2:8: there is no file 'Missing.g4' in the same folder"),
    ] {
        assert_eq!(read(text).map(|_| ()).map_err(|found| found.to_string()), Err(problem.to_owned()), "{text}");
    }
}

#[test]
fn a_check_finds_all_that_is_wrong() {
    let text = "grammar A;\na : b missing ;\nb : c 'x' ;\nc : b 'y' ;\nd : d 'z' ;\nID : [a-z]+ ;\nIF : 'if' ;\nNO : [] ;\n\
                MAYBE : 'm'? ;\nNO : 'n' ;";
    let found = check(&read(text).unwrap(), None);
    let errors: Vec<String> = found.errors.iter().map(ToString::to_string).collect();
    assert_eq!(
        errors,
        [
            "Test.g4:2:7: 'missing' is not defined",
            "Test.g4:3:1: 'b' begins with itself through 'c', so it cannot be parsed",
            "Test.g4:4:1: 'c' begins with itself through 'b', so it cannot be parsed",
            "Test.g4:5:1: 'd' has no form that does not begin with itself",
            "Test.g4:10:1: 'NO' is defined twice",
        ]
    );
    let text = "grammar A;\na : ID IF;\nID : [a-z]+ ;\nIF : 'if' ;\nNO : [] ;\nMAYBE : 'm'? ;";
    let found = check(&read(text).unwrap(), None);
    assert_eq!(found.errors, []);
    let warnings: Vec<String> = found.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        warnings,
        [
            "Test.g4:4:1: the token 'IF' can never match: 'ID' comes first and matches the same text",
            "Test.g4:5:1: the token 'NO' matches no text",
            "Test.g4:6:1: the token 'MAYBE' can be empty; its empty matches are ignored",
        ]
    );
}

fn warnings(text: &str) -> Vec<String> {
    let found = check(&read(text).unwrap(), None);
    assert_eq!(found.errors, []);
    found.warnings.iter().map(ToString::to_string).collect()
}

#[test]
fn patterns_that_earlier_rules_take_are_found() {
    let text = "grammar A;\na : ID NUM LOW DIGITS 'then' THEN ;\nID : [a-z] [a-z0-9]* ;\nNUM : [0-9]+ ;\nLOW : [a-f] [0-9]? ;\n\
                DIGITS : '0' '1'+ | 'x' ;\nTHEN : 'then' ;\nFREE : [a-z]+ '!' | 'a' ;";
    assert_eq!(
        warnings(text),
        [
            "Test.g4:5:1: the token 'LOW' can never match: 'ID' comes first and matches the same text",
            "Test.g4:6:1: the token 'DIGITS' can never match: 'ID' and 'NUM' come first and match the same text",
            "Test.g4:7:1: the token 'THEN' can never match: 'ID' comes first and matches the same text",
        ]
    );
}

#[test]
fn tokens_of_modes_without_an_entrance_are_found() {
    let text = "lexer grammar A;\nIN : '{' -> pushMode(INNER) ;\nmode INNER;\nWORD : [a-z]+ ;\nOUT : '}' -> popMode ;\n\
                mode LOST;\nTOKEN : 'x' -> mode(DEEPER) ;\nmode DEEPER;\nOTHER : 'y' ;";
    let parser = "parser grammar P; options { tokenVocab = A; } a : IN WORD OUT TOKEN OTHER ;";
    let description = from_antlr("P.g4", parser, &|name| (name == "A.g4").then(|| text.to_owned())).unwrap();
    let found = check(&description, None);
    assert_eq!(found.errors, []);
    assert_eq!(
        found.warnings.iter().map(ToString::to_string).collect::<Vec<_>>(),
        [
            "A.g4:7:1: the token 'TOKEN' can never match: no token leads to its mode 'LOST'",
            "A.g4:9:1: the token 'OTHER' can never match: no token leads to its mode 'DEEPER'",
        ]
    );
}

#[test]
fn nested_comments_hide_no_other_finding() {
    let text =
        "grammar A;\na : NAME SHORT ;\nCOMMENT : '(*' (COMMENT | .)*? '*)' -> skip ;\nNAME : [a-z]+ ;\nSHORT : [x-z] ;";
    assert_eq!(
        warnings(text),
        ["Test.g4:5:1: the token 'SHORT' can never match: 'NAME' comes first and matches the same text"]
    );
}

#[test]
fn tokens_that_begin_with_themselves_are_refused() {
    let text = "grammar A;\na : X Y Z W;\nX : X 'x' | 'y' ;\nY : Z 'y' | 'u' ;\nZ : 'z'? Y ;\nW : '(' W? ')' ;";
    let found = check(&read(text).unwrap(), None);
    assert_eq!(
        found.errors.iter().map(ToString::to_string).collect::<Vec<_>>(),
        [
            "Test.g4:3:1: the token 'X' begins with itself; a token can only contain itself, or repeat with * and +",
            "Test.g4:4:1: 'Y' begins with itself through 'Z', so it cannot be parsed",
            "Test.g4:5:1: 'Z' begins with itself through 'Y', so it cannot be parsed",
        ]
    );
    assert!(RunTimeGrammar::new(&read(text).unwrap(), None).is_err());
}

#[test]
fn deep_nesting_is_refused_or_borne() {
    let nested = |open: &str, close: &str, times: usize| {
        format!("grammar D; a : {}B{} ; B : 'b' ;", open.repeat(times), close.repeat(times))
    };
    for (open, close) in [("(", ")"), ("~", ""), ("(a|", ")")] {
        assert!(read(&nested(open, close, 100_000)).unwrap_err().to_string().contains("more than 200 brackets"));
    }
    assert!(from_ebnf("D.ebnf", &format!("a ::= {}", "(".repeat(100_000))).is_err());
    // Tokens that use each other a hundred times over.
    let rules: String =
        (0..90).map(|number| format!("fragment F{number} : ('x' F{} | 'y')? 'z' ;\n", number + 1)).collect();
    let text = format!("grammar D; a : T ; T : F0 ;\n{rules}fragment F90 : 'w' ;");
    let grammar = RunTimeGrammar::new(&read(&text).unwrap(), None).unwrap();
    assert!(grammar.lowered().is_ok());
    assert_eq!(grammar.parse(b"xxyzzz").unwrap().errors(), 0);
}
