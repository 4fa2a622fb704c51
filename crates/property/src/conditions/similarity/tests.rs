use super::*;

fn between(a: &str, b: &str) -> f64 {
    Similarity::between(a.as_bytes(), b.as_bytes()).value()
}

#[test]
fn similarity_is_the_share_of_common_words_in_order() {
    for (a, b, expected) in [
        ("", "", 1.0),
        ("one two", "one two", 1.0),
        ("one two", "three four", 0.0),
        ("one two", "", 0.0),
        ("one two", "two one", 0.5),
        ("one two three", "one three", 0.8),
        ("a a a a", "a a", 4.0 / 6.0),
        ("one, (two)", "one: two!", 1.0),
        ("One", "one", 0.0),
        ("???", "???", 1.0),
        ("???", "!!!", 0.0),
        ("???", "one", 0.0),
        ("grün", "grun", 0.0),
    ] {
        assert_eq!(between(a, b), expected, "{a} | {b}");
    }
}

#[test]
fn numbers_are_equal_to_each_other_but_not_to_letters() {
    for (a, b, expected) in [
        ("a.c:12:5", "a.c:7:133", 1.0),
        ("func_1", "func_24", 1.0),
        ("0x7f3a21bc01", "0x1b", 1.0),
        ("==4711==ERROR on 0xdeadbeef", "==9==ERROR on 0x0", 1.0),
        ("i386", "i", 0.0),
        ("12", "twelve", 0.0),
        ("0xyz", "0x12", 0.0),
    ] {
        assert_eq!(between(a, b), expected, "{a} | {b}");
    }
}

#[test]
fn a_similarity_is_read_from_a_number_from_0_to_1() {
    for (text, shown) in [("0.8", "0.80"), ("1", "1.00"), ("0", "0.00"), (" .95 ", "0.95"), ("0.805", "0.805")] {
        assert_eq!(text.parse::<Similarity>().unwrap().to_string(), shown);
    }
    for text in ["", "80", "80%", "-0.1", "1.01", "nan", "inf", "high"] {
        let message = text.parse::<Similarity>().unwrap_err().to_string();
        assert_eq!(message, format!("`{text}` is not a similarity: write a number from 0 to 1, such as 0.8"));
    }
}

#[test]
fn the_length_of_random_common_subsequences_is_that_of_the_textbook() {
    for seed in 0..300 {
        let mut random = fastrand::Rng::with_seed(seed);
        let letters = random.usize(1..30);
        let mut text = |longest: usize| -> Vec<String> {
            (0..random.usize(..longest))
                .map(|_| "abcdefghijklmnopqrstuvwxyzABCD"[random.usize(..letters)..].into())
                .collect()
        };
        let (a, b) = (text(400), text(200));
        let common = Words::new(a.join(" ").as_bytes()).common(&words(b.join(" ").as_bytes()));
        assert_eq!(common, textbook(&a, &b), "seed {seed}");
    }
}

fn textbook(a: &[String], b: &[String]) -> usize {
    let mut row = vec![0; b.len() + 1];
    for x in a {
        let mut diagonal = 0;
        for (column, y) in b.iter().enumerate() {
            let above = row[column + 1];
            row[column + 1] = if x == y { diagonal + 1 } else { above.max(row[column]) };
            diagonal = above;
        }
    }
    row[b.len()]
}

#[test]
fn similarity_is_symmetric_and_1_for_itself() {
    for seed in 0..200 {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut text =
            || -> Vec<u8> { (0..random.usize(..300)).map(|_| random.choice(*b"ab 1.\xff").unwrap()).collect() };
        let (a, b) = (text(), text());
        assert_eq!(Similarity::between(&a, &b), Similarity::between(&b, &a), "seed {seed}");
        assert_eq!(Similarity::between(&a, &a).value(), 1.0, "seed {seed}");
        assert!((0.0..=1.0).contains(&Similarity::between(&a, &b).value()), "seed {seed}");
    }
}

#[test]
fn only_the_ends_of_a_large_output_count() {
    let large = |middle: &str, end: &str| {
        [&"warning ".repeat(10_000), &middle.repeat(10_000), &"note ".repeat(10_000), end].concat()
    };
    assert_eq!(between(&large("this ", "crash"), &large("that ", "crash")), 1.0);
    assert!(between(&large("this ", "crash"), &large("that ", "other")) < 1.0);
}

#[test]
fn the_most_words_that_count_are_compared_without_overflow() {
    let (ones, twos) = ("a ".repeat(100_000), "b a ".repeat(100_000));
    assert_eq!(between(&ones, &ones), 1.0);
    assert_eq!(between(&ones, &twos), 0.5);
}

const BEFORE: &str = "\
fuzz.c: In function 'func_41':
fuzz.c:1187:23: warning: comparison of integer expressions of different signedness: 'int' and 'unsigned int' [-Wsign-compare]
 1187 |       for (l_2011 = 0; l_2011 < g_73; l_2011++) {
      |                               ^
during GIMPLE pass: vect
fuzz.c: In function 'main':
fuzz.c:2209:5: internal compiler error: in vect_transform_reduction, at tree-vect-loop.cc:7241
 2209 | int main (int argc, char* argv[])
      |     ^~~~
";

const AFTER: &str = "\
during GIMPLE pass: vect
fuzz.c: In function 'a':
fuzz.c:3:6: internal compiler error: in vect_transform_reduction, at tree-vect-loop.cc:7241
    3 | void a() {
      |      ^
";

/// Where the compiler was when it crashed, before and after.
const BACKTRACE: &str = "\
0x1f0a1c5 internal_error(char const*, ...)
\t../../gcc/diagnostic-global-context.cc:491
0x7c2d0b fancy_abort(char const*, int, char const*)
\t../../gcc/diagnostic.cc:1772
0x6d21fe vect_transform_reduction(_loop_vec_info*, _stmt_vec_info*, gimple_stmt_iterator*, gimple**, _slp_tree*)
\t../../gcc/tree-vect-loop.cc:7241
0x120e3a5 vect_transform_stmt(vec_info*, _stmt_vec_info*, gimple_stmt_iterator*, _slp_tree*, _slp_instance*)
\t../../gcc/tree-vect-stmts.cc:13460
0x1231b69 vect_transform_loop(_loop_vec_info*, gimple*)
\t../../gcc/tree-vect-loop.cc:12089
0x12757f2 vect_transform_loops
\t../../gcc/tree-vectorizer.cc:1008
0x1276157 execute
\t../../gcc/tree-vectorizer.cc:1298
";

const OTHER_CRASH: &str = "\
during RTL pass: reload
fuzz.c: In function 'a':
fuzz.c:3:1: internal compiler error: maximum number of generated reload insns per insn achieved (90)
    3 | }
      | ^
";

const OTHER_BACKTRACE: &str = "\
0x1f0a1c5 internal_error(char const*, ...)
\t../../gcc/diagnostic-global-context.cc:491
0xf83c2e lra_constraints(bool)
\t../../gcc/lra-constraints.cc:5429
0xf6a9d4 lra(_IO_FILE*, int)
\t../../gcc/lra.cc:2449
0xf1c5b9 do_reload
\t../../gcc/ira.cc:5976
0xf1c5b9 execute
\t../../gcc/ira.cc:6164
";

const ADVICE: &str = "\
Please submit a full bug report, with preprocessed source (by using -freport-bug).
Please include the complete backtrace with any bug report.
See <https://gcc.gnu.org/bugs/> for instructions.
";

const SYNTAX_ERROR: &str = "\
fuzz.c: In function 'main':
fuzz.c:12:3: error: expected declaration or statement at end of input
   12 |   }
      |   ^
";

#[test]
fn the_default_threshold_tells_a_reduced_compiler_crash_from_another_failure() {
    let [before, after, other] = [(BEFORE, BACKTRACE), (AFTER, BACKTRACE), (OTHER_CRASH, OTHER_BACKTRACE)]
        .map(|(message, trace)| [message, trace, ADVICE].concat());
    let default = Similarity::DEFAULT_THRESHOLD.value();
    assert!(between(&before, &after) >= default, "{}", between(&before, &after));
    assert!(between(&before, &other) < 0.6, "{}", between(&before, &other));
    assert!(between(&after, &other) < 0.7, "{}", between(&after, &other));
    assert!(between(&before, SYNTAX_ERROR) < 0.2, "{}", between(&before, SYNTAX_ERROR));
}
