//! What a reduction leaves: where, with what permissions, and the same for any number of workers.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::bench_folder::Folder;

/// Needs one `a` and one `z`, in that order, each somewhere in the file.
const A_THEN_Z: &str = "tr -d '\\n' < bug.txt | grep -q 'a.*z'";

fn twenty_lines() -> String {
    (0..20)
        .map(|i| {
            format!(
                "line {i} {}\n",
                if i == 4 {
                    "abc"
                } else if i == 15 {
                    "xyz"
                } else {
                    "---"
                }
            )
        })
        .collect()
}

#[test]
fn the_result_lies_beside_the_input_which_stays_as_it_was() {
    let folder = Folder::new(A_THEN_Z, "bug.txt", twenty_lines());
    fs::set_permissions(folder.path("bug.txt"), fs::Permissions::from_mode(0o640)).unwrap();
    let ran = folder.whittle("test.sh bug.txt");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(folder.text("bug.reduced.txt"), "az");
    assert_eq!(folder.text("bug.txt"), twenty_lines());
    assert_eq!(fs::metadata(folder.path("bug.reduced.txt")).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(folder.files(), ["bug.reduced.txt", "bug.reduced.txt.history", "bug.txt", "test.sh", "tmp"]);
}

#[test]
fn output_and_in_place_choose_another_place() {
    let folder = Folder::new(A_THEN_Z, "bug.txt", twenty_lines());
    assert_eq!(folder.whittle("reduce ./test.sh ./bug.txt --output small -q").status, Some(0));
    assert_eq!(folder.text("small"), "az");

    let ran = folder.whittle("test.sh bug.txt --in-place");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(folder.text("bug.txt"), "az");
    assert_eq!(folder.text("bug.txt.orig"), twenty_lines());
    assert!(ran.stderr.contains("bug.txt.orig"), "{}", ran.stderr);
    assert_eq!(folder.files(), ["bug.txt", "bug.txt.orig", "small", "small.history", "test.sh", "tmp"]);
}

#[test]
fn the_same_bytes_and_the_same_counted_tests_for_any_number_of_workers() {
    let results: Vec<(String, String)> = [1, 2, 5]
        .map(|jobs| {
            let folder = Folder::new(A_THEN_Z, "bug.txt", twenty_lines());
            let ran = folder.whittle(&format!("test.sh bug.txt --jobs {jobs}"));
            (folder.text("bug.reduced.txt"), ran.counted().to_owned())
        })
        .into();
    assert!(results.iter().all(|result| *result == results[0]), "{results:?}");
}

#[test]
fn every_algorithm_and_unit_ends_interesting() {
    for algorithm in ["ddmin", "onemin", "wddmin", "probdd", "wprobdd", "cdd", "bisect"] {
        for (unit, expected) in [("line", "line 4 abc\nline 15 xyz\n"), ("char", "az"), ("byte", "az"), ("auto", "az")]
        {
            let folder = Folder::new(A_THEN_Z, "bug.txt", twenty_lines());
            let ran = folder.whittle(&format!("test.sh bug.txt --algorithm {algorithm} --unit {unit}"));
            assert_eq!(ran.status, Some(0), "{algorithm} {unit}: {}", ran.stderr);
            assert_eq!(folder.text("bug.reduced.txt"), expected, "{algorithm} {unit}");
        }
    }
    let folder = Folder::new(A_THEN_Z, "bug.txt", twenty_lines());
    assert_eq!(folder.whittle("test.sh bug.txt --split-factor 5").status, Some(0));
    assert_eq!(folder.text("bug.reduced.txt"), "az");
}

#[test]
fn an_input_that_is_minimal_already_is_a_success() {
    let folder = Folder::new(A_THEN_Z, "bug.txt", "az");
    let ran = folder.whittle("test.sh bug.txt");
    assert_eq!((ran.status, folder.text("bug.reduced.txt").as_str()), (Some(0), "az"));
}

#[test]
fn a_link_stays_a_link_when_what_it_points_to_is_reduced_in_place() {
    let folder = Folder::new(A_THEN_Z, "real.txt", "a and z");
    folder.script("test.sh", "grep -q 'a.*z' bug.txt");
    std::os::unix::fs::symlink("real.txt", folder.path("bug.txt")).unwrap();
    assert_eq!(folder.whittle("test.sh bug.txt --in-place").status, Some(0));
    assert!(fs::symlink_metadata(folder.path("bug.txt")).unwrap().is_symlink());
    assert_eq!(folder.text("real.txt"), "az");
    assert_eq!(folder.text("real.txt.orig"), "a and z");
}

#[test]
fn a_result_that_must_be_well_formed_parses_as_the_input_does() {
    // A test that looks at words only: the shortest text with them is no program.
    let script = "grep -q 'return' bug.c && grep -q 'needle' bug.c";
    let text = "int f(int x) {\n  int y = x + 1;\n  return needle(y, 2);\n}\nint g(void) { return 0; }\n";
    let folder = Folder::new(script, "bug.c", text);
    assert_eq!(folder.whittle("test.sh bug.c").status, Some(0));
    assert_eq!(folder.text("bug.reduced.c").split_whitespace().collect::<String>(), "returnneedle");
    let ran = folder.whittle("test.sh bug.c --well-formed --force");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let result = folder.text("bug.reduced.c");
    assert!(result.trim_end().ends_with(['}', ';']), "{result}");
    let ran = folder.whittle("test.sh test.sh --language none --well-formed");
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("--well-formed needs a language"), "{}", ran.stderr);
}

#[test]
fn a_result_is_laid_out_only_if_it_stays_interesting() {
    let input = "int a;\nint needle(void) { return 1; }\n";
    // One formatter prints, one changes the file, one breaks the bug, one fails.
    for (command, expected, said) in [
        ("sed 's/needle/& /'", "needle \n", "format:  the result is laid out, 8 bytes"),
        ("sed -i 's/needle/  &/' {}", "  needle\n", "format:  the result is laid out, 9 bytes"),
        ("tr a-z A-Z < {}", "needle\n", "is not interesting"),
        ("./format.sh", "needle  \n", "format:  the result is laid out, 9 bytes"),
        ("false", "needle\n", "the formatter failed: exit status 1"),
    ] {
        let folder = Folder::new("grep -q needle bug.c", "bug.c", input);
        folder.script("format.sh", "sed 's/needle/&  /' \"$1\"");
        let ran = folder.whittle_words(["test.sh", "bug.c", "--format", command]);
        assert_eq!((ran.status, folder.text("bug.reduced.c").as_str()), (Some(0), expected), "{}", ran.stderr);
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
        let ran = folder.whittle_words(["test.sh", "bug.c", "--format", command, "--output", "-"]);
        assert_eq!(ran.stdout, expected);
        let quiet = folder.whittle_words(["test.sh", "bug.c", "--format", command, "--force", "--quiet"]);
        assert_eq!(quiet.stderr.is_empty(), said.starts_with("format:"), "what failed is printed: {}", quiet.stderr);
    }
}

#[test]
fn the_doctor_finds_a_machine_fit_and_an_unusable_folder_a_problem() {
    let folder = Folder::new("true", "bug.c", "");
    let ran = folder.whittle("doctor");
    assert_eq!(ran.status, Some(0), "{}{}", ran.stdout, ran.stderr);
    for line in ["languages", "cores", "scratch folders: ", "a test that does nothing takes ", "on the PATH"] {
        assert!(ran.stdout.contains(line), "{}", ran.stdout);
    }
    let ran = folder.whittle("doctor --scratch /proc");
    assert!(ran.status == Some(3) && ran.stdout.contains("problem  a test cannot be run"), "{}", ran.stdout);
}
