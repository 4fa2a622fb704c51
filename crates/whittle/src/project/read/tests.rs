//! What is read, what is left out, and what is refused.

use super::*;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;

fn write(folder: &Path, path: &str, text: &str) {
    let place = folder.join(path);
    fs::create_dir_all(place.parent().unwrap()).unwrap();
    fs::write(place, text).unwrap();
}

fn paths(project: &Project) -> Vec<(String, Kind)> {
    let shown = |file: &File| (file.path().display().to_string(), file.kind());
    project.candidate.files().iter().map(shown).collect()
}

#[test]
fn a_folder_is_read_with_links_modes_and_empty_folders_and_without_version_control() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, "src/a.c", "int a;");
    write(root, ".hidden", "");
    write(root, ".git/config", "");
    write(root, "sub/.git", "gitdir: elsewhere");
    write(root, "run.sh", "#!/bin/sh");
    fs::set_permissions(root.join("run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    fs::create_dir_all(root.join("empty/inner")).unwrap();
    symlink("/etc", root.join("outside")).unwrap();
    let project = read_folder(root, &Selection::default()).unwrap();
    let expected = [
        (".hidden", Kind::Plain),
        ("empty/inner", Kind::Folder),
        ("outside", Kind::Link),
        ("run.sh", Kind::Executable),
        ("src/a.c", Kind::Plain),
        ("sub", Kind::Folder),
    ];
    assert_eq!(paths(&project), expected.map(|(path, kind)| (path.to_owned(), kind)));
    assert_eq!(project.candidate.files()[2].bytes(), b"/etc", "the link, not what it leads to");
    assert!(project.left_out.is_some_and(|path| path.starts_with(".git") || path.starts_with("sub")));
    fs::remove_dir_all(root.join(".git")).unwrap();
    fs::remove_dir_all(root.join("sub")).unwrap();
    assert_eq!(read_folder(root, &Selection::default()).unwrap().left_out, None);
}

#[test]
fn names_that_are_not_text_are_read() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let name = OsStr::from_bytes(b"a\xff\n.c");
    fs::write(folder.path().join(name), "x").unwrap();
    let project = read_folder(folder.path(), &Selection::default()).unwrap();
    assert_eq!(project.candidate.files()[0].path(), Path::new(name));
}

#[test]
fn patterns_say_what_may_change_and_gitignore_what_is_read() {
    let folder = tempfile::tempdir().unwrap();
    for path in ["a.c", "lib/b.c", "vendor/x/c.c", "Makefile", "out/a.o"] {
        write(folder.path(), path, "x");
    }
    write(folder.path(), ".gitignore", "out/\n");
    let fixed = |selection: &Selection| {
        let project = read_folder(folder.path(), selection).unwrap();
        let is_fixed = |file: &&File| project.fixed.contains(&file.number());
        project
            .candidate
            .files()
            .iter()
            .filter(is_fixed)
            .map(|file| file.path().display().to_string())
            .collect::<Vec<_>>()
    };
    let of = |keep: &[&str], only: &[&str]| Selection {
        keep: keep.iter().map(ToString::to_string).collect(),
        only: only.iter().map(ToString::to_string).collect(),
        git_ignore: false,
    };
    assert_eq!(fixed(&of(&["vendor/", "Makefile"], &[])), ["Makefile", "vendor/x/c.c"]);
    assert_eq!(fixed(&of(&[], &["*.c"])), [".gitignore", "Makefile", "out/a.o"]);
    assert_eq!(fixed(&of(&["/a.c"], &["*.c", "out"])), [".gitignore", "Makefile", "a.c"]);
    assert!(matches!(read_folder(folder.path(), &of(&["*"], &[])), Err(ProjectError::NothingToReduce)));
    let wrong = read_folder(folder.path(), &of(&["a{b"], &[])).unwrap_err();
    assert!(matches!(&wrong, ProjectError::Pattern { pattern, .. } if pattern == "a{b"), "{wrong}");
    let unmatched = read_folder(folder.path(), &of(&["*.h"], &[])).unwrap_err();
    assert_eq!(unmatched.to_string(), "no file matches the pattern *.h");
    let ignoring = read_folder(folder.path(), &Selection { git_ignore: true, ..Selection::default() }).unwrap();
    assert!(ignoring.candidate.files().iter().all(|file| !file.path().starts_with("out")));
    assert_eq!(ignoring.left_out, Some("out".into()));
}

#[test]
fn what_cannot_be_part_of_a_candidate_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.c", "");
    let _socket = UnixListener::bind(folder.path().join("socket")).unwrap();
    let error = read_folder(folder.path(), &Selection::default()).unwrap_err().to_string();
    assert!(error.ends_with("socket is a socket, which cannot be part of a candidate"), "{error}");
    fs::remove_file(folder.path().join("socket")).unwrap();
    nix::unistd::mkfifo(&folder.path().join("fifo"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    let error = read_folder(folder.path(), &Selection::default()).unwrap_err().to_string();
    assert!(error.ends_with("fifo is a fifo, which cannot be part of a candidate"), "{error}");
}

#[test]
fn several_files_keep_their_paths_or_lose_what_they_have_in_common() {
    let folder = tempfile::tempdir().unwrap();
    for path in ["p/a.c", "p/inc/b.h", "q/c.c"] {
        write(folder.path(), path, path);
    }
    let at = |path: &str| folder.path().join(path);
    let (project, given, _) = read_files(&[at("p/inc/b.h"), at("p/a.c")], &Selection::default()).unwrap();
    assert_eq!(given, [PathBuf::from("inc/b.h"), "a.c".into()]);
    assert_eq!(project.candidate.files()[0].path(), Path::new("a.c"));
    let (_, given, common) = read_files(&[at("p/a.c"), at("q/c.c")], &Selection::default()).unwrap();
    assert_eq!(given, [PathBuf::from("p/a.c"), "q/c.c".into()]);
    assert_eq!(common, fs::canonicalize(folder.path()).unwrap());
    let twice = read_files(&[at("p/a.c"), at("p/../p/a.c")], &Selection::default());
    assert!(matches!(twice, Err(ProjectError::Twice(_))));
    assert!(matches!(read_files(&[at("p/a.c"), at("q")], &Selection::default()), Err(ProjectError::Unusual { .. })));
}

#[test]
fn relative_paths_stay_as_they_are_given() {
    let paths = relative_paths(&["./src/a.c".into(), "b.h".into()]).unwrap();
    assert_eq!(paths, (vec![PathBuf::from("src/a.c"), "b.h".into()], ".".into()));
}
