use std::collections::HashSet;

use nix::sys::signal::Signal;

use super::super::similarity::Similarity;
use super::*;

const SEGV: Ending = Ending::Signalled(Signal::SIGSEGV as i32);
const ABRT: Ending = Ending::Signalled(Signal::SIGABRT as i32);

/// Conditions from the options as typed, one per element.
fn conditions(options: &[&str]) -> Conditions {
    let mut conditions = Conditions::default();
    for option in options {
        let (name, value) = option.split_once(' ').unwrap_or((option, ""));
        match name {
            "exit" => conditions.exits = Some(value.parse().unwrap()),
            "signal" => conditions.signals.push(value.parse().unwrap()),
            "timeout" => conditions.timeout_is_interesting = true,
            "stdout" => conditions.stdout.push(value.parse().unwrap()),
            "stderr" => conditions.stderr.push(value.parse().unwrap()),
            "not-stdout" => conditions.not_stdout.push(value.parse().unwrap()),
            "not-stderr" => conditions.not_stderr.push(value.parse().unwrap()),
            "like" => {
                conditions.stderr_like = Some(Likeness::new(value.as_bytes(), Similarity::DEFAULT_THRESHOLD));
            }
            _ => panic!("{option}"),
        }
    }
    conditions
}

fn judged(options: &[&str], ending: Ending, stdout: &str, stderr: &str) -> String {
    let run = Observation { ending, stdout: stdout.into(), stderr: stderr.into() };
    conditions(options).judge(&run).map_or_else(|unmet| unmet.to_string(), |()| "interesting".to_owned())
}

#[test]
fn endings_are_judged_as_asked() {
    let (ok, one) = (Ending::Exited(0), Ending::Exited(1));
    for (options, ending, expected) in [
        (&[][..], ok, "interesting"),
        (&[], one, "exit status 1, expected 0"),
        (&[], SEGV, "ended by signal SEGV, but exit status 0 is asked for"),
        (&[], Ending::TimedOut, "timed out"),
        (&[], Ending::OverLimit, "printed more than the output limit"),
        (&["exit 1,128..=255"], one, "interesting"),
        (&["exit 1,128..=255"], ok, "exit status 0, expected one of 1, 128 to 255"),
        (&["exit 0..=255"], SEGV, "ended by signal SEGV, but exit status 0..=255 is asked for"),
        (&["exit 0..=255"], Ending::TimedOut, "timed out"),
        (&["signal SEGV"], SEGV, "interesting"),
        (&["signal SEGV"], ABRT, "ended by signal ABRT, not SEGV"),
        (&["signal SEGV"], ok, "exit status 0, but signal SEGV is asked for"),
        (&["signal SEGV", "signal ABRT"], ABRT, "interesting"),
        (&["signal SEGV", "signal ABRT"], one, "exit status 1, but signal ABRT or SEGV is asked for"),
        (&["exit 1", "signal SEGV"], SEGV, "interesting"),
        (&["exit 1", "signal SEGV"], one, "interesting"),
        (&["exit 1", "signal SEGV"], ok, "exit status 0, but exit status 1 or signal SEGV is asked for"),
        (&["timeout"], Ending::TimedOut, "interesting"),
        (&["timeout"], ok, "exit status 0, but a timeout is asked for"),
        (&["timeout"], Ending::OverLimit, "printed more than the output limit"),
        (&["timeout", "exit 0"], ok, "interesting"),
        (&["timeout", "exit 0"], Ending::TimedOut, "interesting"),
        (&["timeout", "exit 0"], one, "exit status 1, but exit status 0 or a timeout is asked for"),
        (&["timeout", "signal SEGV"], ABRT, "ended by signal ABRT, but signal SEGV or a timeout is asked for"),
    ] {
        assert_eq!(judged(options, ending, "", ""), expected, "{options:?} {ending:?}");
    }
}

#[test]
fn conditions_on_the_output_leave_the_exit_status_free() {
    for options in [&["stderr fault"][..], &["not-stdout fine"], &["like segmentation fault"]] {
        for ending in [Ending::Exited(0), Ending::Exited(77), SEGV] {
            assert_eq!(judged(options, ending, "", "segmentation fault"), "interesting", "{options:?} {ending:?}");
        }
        assert_eq!(judged(options, Ending::TimedOut, "", "segmentation fault"), "timed out", "{options:?}");
        assert_eq!(
            judged(options, Ending::OverLimit, "", "segmentation fault"),
            "printed more than the output limit",
            "{options:?}"
        );
    }
}

#[test]
fn all_conditions_on_the_output_must_hold() {
    for (options, expected) in [
        (&["stdout one", "stdout two", "stderr three"][..], "interesting"),
        (&["stdout one", "stdout three"], "stdout does not match /three/"),
        (&["stderr one"], "stderr does not match /one/"),
        (&["not-stdout three"], "interesting"),
        (&["not-stdout three", "not-stdout two"], "stdout matches /two/, which it must not"),
        (&["not-stderr [0-9]"], "stderr matches /[0-9]/, which it must not"),
        (&["like three 1 four"], "interesting"),
        (&["like three four five six seven"], "stderr is 0.50 similar to the recorded one; 0.80 is asked for"),
        (&["stdout one", "exit 1"], "exit status 0, expected 1"),
        (&["stdout zero", "exit 0"], "stdout does not match /zero/"),
        (&["stdout one", "exit 0"], "interesting"),
    ] {
        assert_eq!(judged(options, Ending::Exited(0), "one two", "three 3 four"), expected, "{options:?}");
    }
}

#[test]
fn a_timeout_that_is_asked_for_must_still_print_what_is_asked_for() {
    let options = ["timeout", "stderr looping"];
    assert_eq!(judged(&options, Ending::TimedOut, "", "looping"), "interesting");
    assert_eq!(judged(&options, Ending::TimedOut, "", ""), "stderr does not match /looping/");
    assert_eq!(judged(&options, Ending::Exited(0), "", "looping"), "exit status 0, but a timeout is asked for");
}

#[test]
fn output_is_needed_only_where_a_condition_looks_at_it() {
    for options in [&[][..], &["exit 1", "signal SEGV", "timeout"]] {
        assert!(!conditions(options).needs_output(), "{options:?}");
    }
    for option in ["stdout a", "stderr a", "not-stdout a", "not-stderr a", "like a"] {
        assert!(conditions(&[option]).needs_output(), "{option}");
    }
}

#[test]
fn conditions_that_ask_the_same_have_one_fingerprint() {
    for (one, other) in [
        (&[][..], &["exit 0"][..]),
        (&["exit 2,1"], &["exit 1..=2"]),
        (&["signal SEGV", "signal ABRT"], &["signal 6", "signal SIGSEGV", "signal abrt"]),
        (&["stdout a", "stdout b"], &["stdout b", "stdout a", "stdout b"]),
    ] {
        assert_eq!(conditions(one).to_string(), conditions(other).to_string());
    }
}

#[test]
fn conditions_that_ask_something_else_have_another_fingerprint_of_one_line() {
    let all: [&[&str]; 16] = [
        &[],
        &["exit 1"],
        &["signal SEGV"],
        &["timeout"],
        &["exit 0", "timeout"],
        &["stdout a"],
        &["stdout a", "exit 0"],
        &["stderr a"],
        &["not-stdout a"],
        &["not-stderr a"],
        &["stdout a", "stdout b"],
        &["stdout a\"; stdout \"b"],
        &["stdout a\nb"],
        &["stdout a\\nb"],
        &["like a"],
        &["like b"],
    ];
    let fingerprints: HashSet<String> = all.iter().map(|options| conditions(options).to_string()).collect();
    assert_eq!(fingerprints.len(), all.len());
    assert!(fingerprints.iter().all(|fingerprint| !fingerprint.contains('\n')));
}
