//! Folders and several files: what is reduced, what stays, and that the result is whole whatever happens.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use crate::bench_folder::{Folder, wait_until};

/// What is below a folder: files with their texts, links with `-> target`, empty folders with `/`.
fn tree(root: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut open = vec![PathBuf::new()];
    while let Some(relative) = open.pop() {
        let entries: Vec<_> = fs::read_dir(root.join(&relative)).unwrap().map(|entry| entry.unwrap()).collect();
        if entries.is_empty() && relative != Path::new("") {
            found.insert(relative.display().to_string(), "/".to_owned());
        }
        for entry in entries {
            let (path, kind) = (relative.join(entry.file_name()), entry.file_type().unwrap());
            let text = match (kind.is_dir(), kind.is_symlink()) {
                (true, _) => {
                    open.push(path);
                    continue;
                }
                (_, true) => format!("-> {}", fs::read_link(entry.path()).unwrap().display()),
                _ => String::from_utf8_lossy(&fs::read(entry.path()).unwrap()).into_owned(),
            };
            found.insert(path.display().to_string(), text);
        }
    }
    found
}

fn of(files: &[(&str, &str)]) -> BTreeMap<String, String> {
    files.iter().map(|(path, text)| (path.to_string(), text.to_string())).collect()
}

/// A folder with a test and a project of these files in `src`.
fn project(script: &str, files: &[(&str, &str)]) -> Folder {
    let folder = Folder::new(script, "unused", "");
    for (path, text) in files {
        let place = folder.path("src").join(path);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::write(place, text).unwrap();
    }
    folder
}

/// Three places that matter, in two folders, among files that do not.
fn scattered() -> Vec<(String, String)> {
    let mut files: Vec<(String, String)> =
        (0..12).map(|i| (format!("lib{}/f{i}.txt", i % 3), format!("one {i}\ntwo\nthree\n"))).collect();
    files[4].1 = "one\nneedle a\nthree\n".into();
    files[7].1 = "needle b\ntwo\n".into();
    files.push(("top.txt".into(), "x\nneedle c\n".into()));
    files
}

fn scattered_project(script: &str) -> Folder {
    let files = scattered();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    project(script, &files)
}

/// Needs the three lines, wherever they are.
const NEEDLES: &str = "[ \"$(cat $(find . -type f) 2>/dev/null | grep -c '^needle [abc]')\" = 3 ]";

#[test]
fn a_folder_is_reduced_to_a_folder_and_stays_as_it_is() {
    let script = "[ \"$1\" = \"$PWD\" ] || exit 1; grep -q 'int bug' src/a.c && [ -e Makefile ]";
    let files =
        [("src/a.c", "#include \"b.h\"\nint bug;\n"), ("src/b.h", "int b;\n"), ("Makefile", "all:\n"), ("README", "")];
    let folder = project(script, &files);
    let before = tree(&folder.path("src"));
    let ran = folder.whittle("test.sh src --jobs 2");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(tree(&folder.path("src.reduced")), of(&[("Makefile", ""), ("src/a.c", "int bug\n")]));
    assert_eq!(tree(&folder.path("src")), before);
    assert!(ran.stderr.contains("files:   4 -> 2\n"), "{}", ran.stderr);
    assert!(ran.stderr.contains(": 2 files, "), "{}", ran.stderr);
    assert_eq!(folder.files(), ["src", "src.reduced", "src.reduced.history", "test.sh", "tmp", "unused"]);
}

#[test]
fn several_files_are_reduced_together_and_their_paths_are_the_arguments() {
    let script = "[ $# = 2 ] && [ \"$1\" = \"$PWD/inc/b.h\" ] && grep -q bug \"$2\" && grep -q x inc/b.h";
    let folder = project(script, &[("a.c", "int bug, other;\n"), ("inc/b.h", "int x, y;\n"), ("c.c", "")]);
    let output = folder.command(["../test.sh", "inc/b.h", "a.c"]).current_dir(folder.path("src")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let reduced = tree(&folder.path("src/inc/b.reduced"));
    assert_eq!(reduced, of(&[("a.c", "bug\n"), ("inc/b.h", "x\n")]));
}

#[test]
fn a_command_line_gets_the_folder_or_the_first_file() {
    let folder = project("", &[("a.txt", "1\nbug\n"), ("b.txt", "2\n")]);
    let ran = folder.whittle_words(["--run", "grep -rq bug {}", "src"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(tree(&folder.path("src.reduced")).into_values().collect::<Vec<_>>(), ["bug"]);
    let ran = folder.whittle_words(["--run", "grep -q bug {}", "src/a.txt", "src/b.txt", "-o", "out"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(tree(&folder.path("out")), of(&[("src/a.txt", "bug")]));
}

#[test]
fn the_result_is_the_same_for_any_number_of_workers() {
    let results = [1, 2, 8].map(|jobs| {
        let folder = scattered_project(NEEDLES);
        let ran = folder.whittle(&format!("test.sh src --jobs {jobs}"));
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        (tree(&folder.path("src.reduced")), ran.counted().to_owned())
    });
    assert!(results.iter().all(|result| *result == results[0]), "{results:?}");
    let text: String = results[0].0.values().cloned().collect();
    assert_eq!(text.matches("needle").count(), 3, "{text}");
    assert!(results[0].0.len() <= 3, "{:?}", results[0].0);
}

#[test]
fn a_killed_run_leaves_one_whole_candidate_and_is_resumed_without_repeating_anything() {
    // Written down when the test has ended, so that cancelled tests are not.
    let list = "sum=$( (find . | sort; tail -n +1 $(find . -type f | sort)) 2>&1 | md5sum)";
    let counted = format!("{NEEDLES}; r=$?; {list}; echo $sum >> \"$0.runs\"; exit $r");
    let expected = {
        let folder = scattered_project(NEEDLES);
        assert_eq!(folder.whittle("test.sh src --jobs 1").status, Some(0));
        tree(&folder.path("src.reduced"))
    };
    for round in 0..4 {
        let folder = scattered_project(&counted);
        let runs = || fs::read_to_string(folder.path("test.sh.runs")).unwrap_or_default().lines().count();
        let mut child = folder.start("test.sh src --jobs 2");
        folder.wait_for_journal("src.reduced.journal");
        wait_until("some tests have been made", || runs() >= 8 + 9 * round);
        child.kill().unwrap();
        child.wait().unwrap();
        let text: String = tree(&folder.path("src.reduced")).into_values().collect();
        assert_eq!(text.matches("needle").count(), 3, "the result is interesting in round {round}: {text}");
        folder.assert_nothing_left();
        let ran = folder.whittle("test.sh src --jobs 1 --resume");
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        assert_eq!(tree(&folder.path("src.reduced")), expected);
        let mut times: BTreeMap<String, usize> = BTreeMap::new();
        for line in folder.text("test.sh.runs").lines() {
            *times.entry(line.to_owned()).or_default() += 1;
        }
        times.retain(|_, times| *times > 1);
        // The input is confirmed at the start of both runs and the result at the end; a test whose verdict was on its way
        // when the kill came is repeated, at most one per worker.
        assert!(times.len() <= 2 + 2 && times.values().sum::<usize>() <= 4 + 2 + 2 * 2, "{times:?}");
    }
}

#[test]
fn what_is_to_be_kept_stays_byte_for_byte() {
    let folder = scattered_project("grep -q 'needle c' top.txt");
    let ran = folder.whittle_words(["test.sh", "src", "--keep", "lib1/", "--keep", "/lib0/f0.txt"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let reduced = tree(&folder.path("src.reduced"));
    let original = tree(&folder.path("src"));
    let kept: Vec<&String> =
        original.keys().filter(|path| path.starts_with("lib1/") || *path == "lib0/f0.txt").collect();
    assert!(kept.iter().all(|path| reduced.get(*path) == original.get(*path)), "{reduced:?}");
    assert_eq!(reduced.len(), kept.len() + 1);
    let ran = folder.whittle_words(["test.sh", "src", "--only", "top.txt", "-o", "only"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let only = tree(&folder.path("only"));
    assert!(original.iter().all(|(path, text)| only[path] == *text || path == "top.txt"));
    assert_eq!(only["top.txt"], "needle c");
}

#[test]
fn version_control_is_left_out_and_ignored_files_on_request() {
    let files = [("a.txt", "bug\n"), (".git/config", "secret"), ("out/big", "x"), (".gitignore", "out/\n")];
    let folder = project("[ ! -e .git ] && [ ! -e out ] && grep -q bug a.txt", &files);
    let ran = folder.whittle("test.sh src --git-ignore");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(tree(&folder.path("src.reduced")), of(&[("a.txt", "bug")]));
    let ran = folder.whittle("test.sh src --git-ignore --in-place");
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("--in-place would delete"), "{}", ran.stderr);
    assert!(folder.path("src/.git/config").exists() && folder.path("src/out/big").exists());
}

#[test]
fn a_folder_is_reduced_in_place_and_the_original_is_kept() {
    let folder = project("grep -q bug a.txt", &[("a.txt", "1\nbug\n2\n"), ("sub/b.txt", "x")]);
    let original = tree(&folder.path("src"));
    let ran = folder.whittle("test.sh src/ --in-place");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(tree(&folder.path("src")), of(&[("a.txt", "bug")]));
    assert_eq!(tree(&folder.path("src.orig")), original);
}

#[test]
fn links_modes_and_empty_folders_stay_as_they_are_and_nothing_outside_is_read_or_written() {
    let script = "[ -x run.sh ] && [ -L link ] && [ -L out ] && [ -d empty ] && [ \"$(readlink out)\" = ../outside ]";
    let folder = project(script, &[("run.sh", "#!/bin/sh\n"), ("a.txt", "x")]);
    fs::set_permissions(folder.path("src/run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    fs::create_dir(folder.path("outside")).unwrap();
    fs::write(folder.path("outside/secret"), "secret").unwrap();
    symlink("a.txt", folder.path("src/link")).unwrap();
    symlink("../outside", folder.path("src/out")).unwrap();
    fs::create_dir(folder.path("src/empty")).unwrap();
    let ran = folder.whittle("test.sh src");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let expected = [("run.sh", ""), ("link", "-> a.txt"), ("out", "-> ../outside"), ("empty", "/")];
    assert_eq!(tree(&folder.path("src.reduced")), of(&expected));
    let mode = fs::metadata(folder.path("src.reduced/run.sh")).unwrap().permissions().mode();
    assert_eq!(mode & 0o111, 0o111);
    assert_eq!(tree(&folder.path("outside")), of(&[("secret", "secret")]));
}

#[test]
fn headers_are_taken_in_names_become_canonical_across_files_and_files_get_short_names() {
    let compiles = "for f in $(find . -name '*.c'); do gcc -w -fsyntax-only $f || exit 1; done";
    let script = format!("{compiles}; [ $(cat $(find . -name '*.[ch]') | grep -c 'return') -ge 1 ]");
    let files = [
        ("src/long_name.c", "#include \"../include/shapes.h\"\nint compute_area(struct shape s) { return s.width; }\n"),
        ("include/shapes.h", "struct shape { int width, height; };\nint compute_area(struct shape s);\n"),
    ];
    let folder = project(&script, &files);
    let ran = folder.whittle("test.sh src");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let reduced = tree(&folder.path("src.reduced"));
    assert_eq!(reduced.keys().collect::<Vec<_>>(), ["a.c"], "{reduced:?}");
    assert!(reduced["a.c"].len() < 30, "{reduced:?}");
}

#[test]
fn a_name_in_two_files_is_renamed_in_both() {
    let script = "python3 -c 'import sys; sys.path.insert(0, \".\"); import main_program' 2>&1 | grep -q ZeroDivisionError \
                  && [ -s main_program.py ] && grep -q def helper_module.py";
    let files = [
        ("main_program.py", "from helper_module import divide_by_nothing\ndivide_by_nothing(1)\n"),
        ("helper_module.py", "def divide_by_nothing(numerator):\n    return numerator / 0\n"),
    ];
    let folder = project(script, &files);
    let ran = folder.whittle("test.sh src");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let reduced = tree(&folder.path("src.reduced"));
    assert!(!reduced.values().any(|text| text.contains("divide_by_nothing")), "{reduced:?}");
}

#[test]
fn a_warm_folder_stays_from_test_to_test_and_other_traces_do_not() {
    let script = "[ -e left ] && exit 1; touch left; mkdir -p cache; echo run >> cache/log; \
                  cp cache/log \"$(dirname $0)/log\"; grep -q bug a.txt";
    let folder = project(script, &[("a.txt", "1\nbug\n"), ("b.txt", "2\n")]);
    let ran = folder.whittle("test.sh src --warm cache --jobs 1");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(folder.text("log").lines().count() > 3, "{}", folder.text("log"));
    assert_eq!(tree(&folder.path("src.reduced")), of(&[("a.txt", "bug")]));
    let ran = folder.whittle("test.sh src --jobs 1 --force");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(folder.text("log"), "run\n");
}

#[test]
fn hostile_tests_do_no_harm() {
    for nasty in [
        "rm -rf \"$PWD\"",
        "find . -type f -exec sh -c 'echo vandal >> \"$1\"' sh {} \\;",
        "chmod -R 000 .",
        "rm -rf lib0; ln -s /nonexistent lib0; mkfifo pipe; mkdir -p deep/er/and/deeper; touch deep/er/x",
        "for f in $(find . -type f); do mv \"$f\" \"$f.moved\"; done",
        "head -c 3000000 /dev/zero > big; i=0; while [ $i -lt 200 ]; do : > f$i; i=$((i+1)); done",
    ] {
        let folder = scattered_project(&format!("{NEEDLES}\nr=$?\n{nasty}\nexit $r"));
        let before = tree(&folder.path("src"));
        let ran = folder.whittle("test.sh src --jobs 2");
        assert_eq!(ran.status, Some(0), "{nasty}: {}", ran.stderr);
        let text: String = tree(&folder.path("src.reduced")).into_values().collect();
        assert_eq!(text.matches("needle").count(), 3, "{nasty}: {text}");
        assert!(!text.contains("vandal") && text.len() < 60, "{nasty}: {text}");
        assert_eq!(tree(&folder.path("src")), before, "{nasty}");
    }
}

#[test]
fn bad_projects_are_refused_with_one_message() {
    let folder = scattered_project("true");
    let refused = |line: &str, said: &str| {
        let ran = folder.whittle(line);
        assert_eq!(ran.status, Some(2), "{line}: {}", ran.stderr);
        assert!(ran.stderr.contains(said), "{line}: {}", ran.stderr);
    };
    refused("test.sh src -o src/out", "contain one another");
    refused("test.sh src -o -", "a project cannot be written to standard output");
    refused("test.sh src -o unused", "which is not a folder");
    refused("test.sh src --language c", "--language does not go with a project");
    refused("test.sh src --stdin", "--stdin does not go with a folder");
    refused("test.sh src --keep *.h", "no file matches the pattern *.h");
    refused("test.sh src --keep *", "there is no file in it that may change");
    refused("test.sh src --warm ../x", "is not a folder in the project");
    refused("test.sh unused --keep *.h", "--keep is for projects, and the input is one file");
    refused("test.sh src/top.txt src/top.txt", "is given twice");
    refused("test.sh src/top.txt src", "is a folder among files");
    refused("test.sh src/top.txt src/lib0/f0.txt --in-place", "several files cannot be replaced at once");
    refused("test.sh src/nothing src/top.txt", "src/nothing cannot be read");
    nix::unistd::mkfifo(&folder.path("src/pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    refused("test.sh src", "src/pipe is a fifo");
    fs::remove_file(folder.path("src/pipe")).unwrap();
    fs::create_dir(folder.path("hollow")).unwrap();
    refused("test.sh hollow", "there is no file in it that may change");
}

#[test]
fn a_folder_that_is_no_result_is_not_replaced() {
    let folder = scattered_project("grep -q 'needle c' top.txt");
    fs::create_dir(folder.path("src.reduced")).unwrap();
    fs::write(folder.path("src.reduced/mine"), "mine").unwrap();
    let ran = folder.whittle("test.sh src");
    assert_eq!(ran.status, Some(2), "{}", ran.stderr);
    assert_eq!(folder.text("src.reduced/mine"), "mine");
    assert_eq!(folder.whittle("test.sh src --force").status, Some(0));
    let smaller = tree(&folder.path("src.reduced"));
    assert_eq!(folder.whittle("test.sh src --max-tests 1").status, Some(1));
    assert_eq!(tree(&folder.path("src.reduced")), smaller, "a result is not replaced by a larger one");
}

#[test]
fn the_history_of_a_project_is_kept_and_check_names_what_it_is() {
    let folder = scattered_project("grep -q 'needle c' top.txt");
    assert_eq!(folder.whittle("test.sh src").status, Some(0));
    let listed = folder.whittle("history src.reduced");
    assert!(listed.stdout.starts_with("   0      13 files"), "{}", listed.stdout);
    assert_eq!(folder.whittle("history src.reduced 0 --output first").status, Some(0));
    assert_eq!(tree(&folder.path("first")), tree(&folder.path("src")));
    let ran = folder.whittle("history src.reduced 0");
    assert!(ran.stderr.contains("--output"), "{}", ran.stderr);
    let checked = folder.whittle("check test.sh src");
    assert_eq!(checked.status, Some(0), "{}", checked.stderr);
    assert!(checked.stdout.contains("a project without files is not interesting"), "{}", checked.stdout);
}

#[test]
fn projects_that_show_the_same_bug_are_duplicates() {
    let folder = Folder::new("grep -rqE 'alpha|omega' .", "unused", "");
    for (name, bug) in [("p", "alpha"), ("q", "alpha"), ("r", "omega")] {
        fs::create_dir_all(folder.path("all").join(name)).unwrap();
        fs::write(folder.path("all").join(name).join("a.txt"), format!("{name}\n{bug}\n")).unwrap();
        fs::write(folder.path("all").join(name).join("b.txt"), name).unwrap();
    }
    let ran = folder.whittle_words(["dedup", "test.sh", "all", "--json", "out.json", "--language", "none"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let json = folder.text("out.json");
    assert!(json.contains("\"p\"") && json.contains("\"q\"") && json.contains("\"r\""), "{json}");
    assert_eq!(json.matches("\"representative\"").count(), 2, "{json}");
}

#[test]
fn thousands_of_files_are_reduced_in_few_tests() {
    let folder = Folder::new("grep -rqs needle . ", "unused", "");
    for i in 0..3000 {
        let place = folder.path("src").join(format!("d{}/e{}", i % 30, i % 7));
        fs::create_dir_all(&place).unwrap();
        let text = if i == 1234 { "a\nneedle\n".to_owned() } else { format!("{i}\n") };
        fs::write(place.join(format!("f{i}.txt")), text).unwrap();
    }
    let ran = folder.whittle("test.sh src --jobs 1");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(tree(&folder.path("src.reduced")), of(&[("a.txt", "needle")]));
    let counted: usize = ran.counted().trim().replace(',', "").parse().unwrap();
    assert!(counted < 120, "{counted} tests");
}
