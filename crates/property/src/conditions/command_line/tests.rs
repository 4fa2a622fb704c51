use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::PermissionsExt;

use tempfile::TempDir;

use super::*;

const NAME: &str = "bug.c";

/// A folder with an executable `test.sh`, a text `notes.txt`, a folder `sub` and an executable `sub/tool`.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("sub")).unwrap();
    for (name, mode) in [("test.sh", 0o755), ("notes.txt", 0o644), ("sub/tool", 0o755)] {
        let file = folder.path().join(name);
        fs::write(&file, "").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
    }
    folder
}

/// `CWD` in place of the folder's path.
fn words(text: &str, candidate: &str, path: &str) -> Result<Vec<String>, String> {
    let folder = folder();
    let cwd = folder.path().to_str().unwrap();
    let command = CommandLine::parse_on(text, folder.path(), OsStr::new(&path.replace("CWD", cwd)));
    let shown = |text: &str| text.replace(cwd, "CWD");
    match command {
        Ok(command) => {
            assert_eq!(command.to_string(), text);
            Ok(command.words(OsStr::new(candidate)).iter().map(|word| shown(word.to_str().unwrap())).collect())
        }
        Err(error) => Err(shown(&error.to_string())),
    }
}

#[test]
fn braces_stand_for_the_candidate_and_the_folder_and_otherwise_for_themselves() {
    for (text, expected) in [
        ("tool -c {}", &["tool", "-c", "bug.c"][..]),
        ("tool '{}' \"{}\"", &["tool", "bug.c", "bug.c"]),
        ("tool --in={} x{}{}y", &["tool", "--in=bug.c", "xbug.cbug.cy"]),
        ("tool -I{cwd}/include {cwd}", &["tool", "-ICWD/include", "CWD"]),
        ("tool {cwd}/{}", &["tool", "CWD/bug.c"]),
        ("tool '{print $1}' {{}} {cwd {x} {", &["tool", "{print $1}", "{bug.c}", "{cwd", "{x}", "{"]),
        ("tool ''", &["tool", ""]),
    ] {
        assert_eq!(words(text, NAME, "CWD/sub").unwrap(), expected, "{text}");
    }
}

#[test]
fn only_the_program_is_resolved_and_only_if_it_has_a_slash() {
    for (text, path, program) in [
        ("./test.sh ./notes.txt", "", "CWD/test.sh"),
        ("sub/tool ./notes.txt", "", "CWD/sub/tool"),
        ("sub/../test.sh ./notes.txt", "", "CWD/sub/../test.sh"),
        ("{cwd}/test.sh ./notes.txt", "", "CWD/test.sh"),
        ("tool ./notes.txt", "/nowhere:CWD/sub", "tool"),
        ("tool ./notes.txt", "/nowhere:sub", "CWD/sub/tool"),
    ] {
        assert_eq!(words(text, NAME, path).unwrap(), [program, "./notes.txt"], "{text}");
    }
}

#[test]
fn a_wrong_command_is_refused_with_the_reason() {
    for (text, reason) in [
        ("", "the command is empty"),
        ("  ", "the command is empty"),
        ("tool 'a", "the quotation mark ' is not closed"),
        ("tool a\\", "the backslash at the end has nothing to quote"),
        (
            "tool {} | grep a",
            "`|` needs a shell, and there is none: quote it to pass it on as it is, or write: sh -c '…'",
        ),
        ("gccc {}", "there is no program gccc on the PATH"),
        ("'' {}", "there is no program  on the PATH"),
        ("LANG=C tool {}", "there is no program LANG=C on the PATH; to set a variable, write: env LANG=C …"),
        ("test.sh {}", "there is no program test.sh on the PATH; for the one in this folder, write: ./test.sh"),
        ("./tset.sh {}", "CWD/tset.sh does not exist"),
        ("./sub {}", "CWD/sub is a folder"),
        ("./notes.txt {}", "CWD/notes.txt is not executable; try: chmod +x CWD/notes.txt"),
        ("./notes.txt/x {}", "CWD/notes.txt/x cannot be read: Not a directory (os error 20)"),
    ] {
        assert_eq!(words(text, NAME, "CWD/sub").unwrap_err(), reason, "{text}");
    }
}

#[test]
fn folders_and_plain_files_on_the_path_are_no_programs() {
    for text in ["sub", "notes.txt"] {
        assert!(words(text, NAME, "CWD").unwrap_err().contains("on the PATH"), "{text}");
    }
}

#[test]
fn the_candidate_itself_can_be_the_program() {
    for (text, program) in [("{} -x", "./bug.c"), ("./{} -x", "./bug.c"), ("a{} -x", "./abug.c")] {
        assert_eq!(words(text, NAME, "").unwrap(), [program, "-x"], "{text}");
    }
}

#[test]
fn a_candidate_that_looks_like_an_option_gets_its_folder_in_front() {
    let expected = ["tool", "./-o.c", "--in=-o.c", "-c"];
    assert_eq!(words("tool {} --in={} -c", "-o.c", "CWD/sub").unwrap(), expected);
}

#[test]
fn candidates_with_names_that_are_not_utf_8_are_passed_on_unchanged() {
    let folder = folder();
    let name = OsString::from_vec(b"b\xffg {}.c".to_vec());
    let command = CommandLine::parse_on("./test.sh --in={}", folder.path(), OsStr::new("")).unwrap();
    assert_eq!(command.words(&name)[1], OsString::from_vec(b"--in=b\xffg {}.c".to_vec()));
}

#[test]
fn a_folder_with_a_name_that_is_not_utf_8_is_passed_on_unchanged() {
    let cwd = PathBuf::from(OsString::from_vec(b"/home/\xff{}".to_vec()));
    let command = CommandLine::parse("sh {cwd}", &cwd).unwrap();
    assert_eq!(command.words(OsStr::new(NAME))[1], cwd);
    assert!(!command.mentions_candidate());
}

#[test]
fn the_file_of_the_program_is_known() {
    let folder = folder();
    let file = |text: &str| {
        let path = folder.path().join("sub").into_os_string();
        let command = CommandLine::parse_on(text, folder.path(), &path).unwrap();
        command.program_file().map(|file| file.strip_prefix(folder.path()).unwrap().to_owned())
    };
    assert_eq!(file("tool {}"), Some("sub/tool".into()));
    assert_eq!(file("./test.sh {}"), Some("test.sh".into()));
    assert_eq!(file("./{}"), None);
}

#[test]
fn a_command_that_does_not_mention_the_candidate_says_so() {
    for (text, mentions) in
        [("sh {}", true), ("sh -c 'cat {}'", true), ("./{}", true), ("sh bug.c", false), ("sh {cwd} { }", false)]
    {
        let command = CommandLine::parse(text, Path::new("/")).unwrap();
        assert_eq!(command.mentions_candidate(), mentions, "{text}");
    }
}

#[test]
fn paths_of_files_that_moved_are_replaced_and_others_are_not() {
    let line =
        CommandLine::parse("sh -c 'cmp /a/b.txt {} /a/b.txt.old =/a/b.txt; /x/a/b.txt'", Path::new("/")).unwrap();
    let moved = line.relocated(&[("/a/b.txt".into(), "/new/b.txt".into())]);
    assert_eq!(moved.words(OsStr::new("f.c"))[2], "cmp /new/b.txt f.c /a/b.txt.old =/new/b.txt; /x/a/b.txt");
}
