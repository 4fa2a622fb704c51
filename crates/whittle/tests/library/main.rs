//! Whittle as a library: what an embedder can rely on.

#![allow(clippy::unwrap_used, reason = "a failed step fails the test")]

mod examples;
mod flaky;
mod odd;
mod shapes;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use whittle::lists::{Algorithm, Unit};
use whittle::property::{CrewError, HelperProgram};
use whittle::reduction::{Confirmation, End, Notice};
use whittle::search::{Candidate, Event, Interrupter, Moment, Stop, Verdict};
use whittle::strategy::{Step, Strategy, Turns};
use whittle::syntaxes::{LanguageChoice, SizeUnit};
use whittle::{Input, Reduction, ReductionError, TestCommand};

const PROGRAM: &str =
    "int f(int a) { return a + 1; }\nint g(void) { return f(2) % 0; }\nint main(void) { return g(); }\n";

fn has_bug(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    text.contains("f(") && text.contains("% 0")
}

fn program() -> Input {
    Input::new("bug.c", PROGRAM)
}

#[test]
fn sizes_are_in_tokens_where_the_language_is_known_and_in_bytes_where_it_is_not() {
    let outcome = whittle::reduce("bug.c", PROGRAM, has_bug).unwrap();
    assert_eq!((outcome.unit, outcome.best.size.units), (SizeUnit::Tokens, 4), "{:?}", outcome.best);
    assert!(matches!(outcome.end, End::Complete));
    assert_eq!(outcome.confirmation, Confirmation::Confirmed(None));
    let outcome = whittle::reduce("crash-1", PROGRAM, has_bug).unwrap();
    assert_eq!((outcome.unit, outcome.best.size.units), (SizeUnit::Tokens, 4), "the language is guessed");
    let outcome = whittle::reduce("notes", "the order of f(x) is 7 % 0, and\nthat is all\n", has_bug).unwrap();
    assert_eq!((outcome.unit, outcome.best.size.units), (SizeUnit::Bytes, 5));
    let outcome = Reduction::new(program(), has_bug).language(LanguageChoice::Text).run().unwrap();
    assert_eq!(outcome.unit, SizeUnit::Bytes);
}

#[test]
fn the_result_and_the_counted_tests_do_not_depend_on_the_number_of_workers() {
    let came_to = |jobs| {
        let outcome = Reduction::new(program(), has_bug).jobs(jobs).run().unwrap();
        (outcome.bytes().to_vec(), outcome.tally.tests)
    };
    let one = came_to(1);
    for jobs in [2, 7, 32] {
        assert_eq!(came_to(jobs), one, "{jobs} workers");
    }
}

/// `impl` may lose its bound only once the struct is called `a`, which is long after that was tried for the first time.
#[test]
fn what_failed_early_is_tried_again_at_the_end() {
    let has_bug = |text: &[u8]| {
        let squeezed: String = String::from_utf8_lossy(text).split_whitespace().collect();
        let of_struct = squeezed.strip_prefix("struct").and_then(|rest| rest.strip_suffix("{}"));
        match of_struct.and_then(|rest| rest.split_once(";fnb()->impl")) {
            Some(("a", bound)) => bound.is_empty() || bound == "c::c",
            Some((name, bound)) => name.len() == 1 && bound == "c::c",
            None => false,
        }
    };
    let outcome = whittle::reduce("bug.rs", "struct k;\nfn b() -> impl c::c {}\n", has_bug).unwrap();
    let text = String::from_utf8_lossy(outcome.bytes()).into_owned();
    assert_eq!(text.split_whitespace().collect::<String>(), "structa;fnb()->impl{}");
}

#[test]
fn verdicts_can_be_graded_and_listeners_hear_of_them() {
    let grade = |candidate: &Candidate| match candidate.files()[0].bytes() {
        text if has_bug(text) => Verdict::Interesting,
        text if text.contains(&b'%') => Verdict::Other,
        _ => Verdict::Uninteresting,
    };
    let others = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&others);
    let hear = move |event: &Event, _: &Moment<'_>| {
        counted.fetch_add(u64::from(matches!(event, Event::Tested { verdict: Verdict::Other, .. })), Ordering::Relaxed);
    };
    let outcome = Reduction::graded(program(), grade).on_event(hear).run().unwrap();
    assert!(outcome.tally.other > 0);
    assert_eq!(outcome.tally.other, others.load(Ordering::Relaxed));
}

#[test]
fn an_input_without_the_property_is_an_error() {
    let error = whittle::reduce("bug.c", "int x;\n", has_bug).unwrap_err();
    assert!(matches!(error, ReductionError::NotInteresting(Verdict::Uninteresting)), "{error}");
}

#[test]
fn a_property_that_accepts_an_empty_file_is_noticed() {
    let outcome = whittle::reduce("bug.c", PROGRAM, |_| true).unwrap();
    assert_eq!(outcome.notices, [Notice::AcceptsTrivial]);
    assert_eq!(outcome.bytes(), b"");
}

#[test]
fn a_property_that_panics_is_an_error_with_its_message() {
    let panics = |text: &[u8]| {
        assert!(text.len() > 40, "too short for this property");
        has_bug(text)
    };
    let error = Reduction::new(program(), panics).run().unwrap_err();
    assert!(matches!(&error, ReductionError::Test(reason) if reason.contains("too short")), "{error}");
}

#[test]
fn a_limit_or_an_interrupter_ends_it_with_the_best_so_far() {
    let outcome = Reduction::new(program(), has_bug).max_tests(5).run().unwrap();
    assert!(matches!(outcome.end, End::Stopped(Stop::MaxTests(5))));
    assert!(has_bug(outcome.bytes()));
    let interrupter = Interrupter::default();
    let at_first_gain = interrupter.clone();
    let outcome = Reduction::new(program(), has_bug)
        .interrupter(interrupter)
        .on_event(move |event, _| {
            if *event == Event::Improved {
                at_first_gain.interrupt();
            }
        })
        .run()
        .unwrap();
    assert!(matches!(outcome.end, End::Stopped(Stop::Interrupted)));
    assert!(has_bug(outcome.bytes()) && outcome.bytes().len() < PROGRAM.len());
}

#[test]
fn a_command_in_a_program_that_never_called_init_is_an_error() {
    // The harness of these tests calls no init.
    let command = TestCommand::line("grep -q '% 0' {}").unwrap();
    let error = Reduction::by_command(program(), command).run().unwrap_err();
    assert!(matches!(error, ReductionError::Helpers(CrewError::NotInitialized)), "{error}");
    assert!(error.to_string().contains("whittle::init()"), "{error}");
}

#[test]
fn another_program_can_be_the_helper() {
    let mut command = TestCommand::line("grep -q '% 0' {}").unwrap();
    command.helper = Some(HelperProgram::at(env!("CARGO_BIN_EXE_whittle")));
    let outcome = Reduction::by_command(program(), command).run().unwrap();
    assert_eq!(outcome.bytes().trim_ascii(), b"% 0");
}

#[test]
fn all_files_of_a_candidate_are_reduced_and_written() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("result");
    let input = Candidate::from_files([
        ("a.c", b"int f(void);\nint unused;\nint main(void) { return f(); }\n".to_vec()),
        ("lib/b.c", b"int g;\nint f(void) { return 7 % 0; }\n".to_vec()),
    ]);
    let grade = |candidate: &Candidate| {
        let has = |name: &str, text: &str| {
            let mut files = candidate.files().iter().filter(|file| file.path() == Path::new(name));
            files.any(|file| String::from_utf8_lossy(file.bytes()).contains(text))
        };
        if has("a.c", "f()") && has("lib/b.c", "% 0") { Verdict::Interesting } else { Verdict::Uninteresting }
    };
    let outcome = Reduction::graded(input.into(), grade).output(&place).run().unwrap();
    assert_eq!(outcome.best.size.units, 5, "{:?}", outcome.best);
    for (name, file) in [("a.c", 0), ("lib/b.c", 1)] {
        assert_eq!(std::fs::read(place.join(name)).unwrap(), outcome.best.candidate.files()[file].bytes(), "{name}");
    }
}

#[test]
fn a_chosen_algorithm_also_removes_single_files_that_others_name() {
    let name = |number: usize| format!("f{number:02}");
    // Too many are needed for large parts of the list to go, and the first one names the others.
    let text = |number: usize| if number == 0 { "f05 f15 f25 f35\n" } else { "x\n" }.as_bytes().to_vec();
    let input = Candidate::from_files((0..40).map(|number| (name(number), text(number))));
    // Four may be missing, but what is there is as it was.
    let is_interesting = move |candidate: &Candidate| {
        let is_right = |number: usize| {
            let file = candidate.files().iter().find(|file| file.path() == Path::new(&name(number)));
            file.map_or(number % 10 == 5, |file| file.bytes() == text(number))
        };
        if (0..40).all(is_right) { Verdict::Interesting } else { Verdict::Uninteresting }
    };
    let lines = Strategy::new(vec![Step::Text(Unit::Line, Algorithm::default())], Turns::Rounds);
    let outcome = Reduction::graded(input.into(), is_interesting).strategy(lines).run().unwrap();
    assert_eq!(outcome.best.candidate.files().len(), 36, "{:?}", outcome.tally);
}

#[test]
fn a_closure_can_be_resumed_if_it_has_a_name() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal");
    let calls = Arc::new(AtomicU64::new(0));
    let reduction = |identity: &str| {
        let calls = Arc::clone(&calls);
        let reduction = Reduction::new(program(), move |text| {
            calls.fetch_add(1, Ordering::Relaxed);
            has_bug(text)
        });
        reduction.jobs(1).journal(&journal).identity(identity)
    };
    let unnamed = Reduction::new(program(), has_bug).journal(&journal).run().unwrap_err();
    assert!(matches!(unnamed, ReductionError::NoIdentity), "{unnamed}");

    let whole = reduction("has a bug").run().unwrap();
    let calls_of_whole = calls.swap(0, Ordering::Relaxed);
    reduction("has a bug").max_tests(10).run().unwrap();
    calls.store(0, Ordering::Relaxed);
    let resumed = reduction("has a bug").resume().run().unwrap();
    assert_eq!((resumed.bytes(), resumed.tally.tests), (whole.bytes(), whole.tally.tests));
    assert!(calls.load(Ordering::Relaxed) + 9 <= calls_of_whole, "what the journal knows is not tested again");

    reduction("has a bug").max_tests(10).run().unwrap();
    let other = reduction("has another bug").resume().run().unwrap_err();
    assert!(matches!(&other, ReductionError::Resume { differs, .. } if differs == &["property"]), "{other}");
}
