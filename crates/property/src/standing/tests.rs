//! Whatever a test does to the folder, the next one finds its candidate and nothing else.

use super::*;
use std::collections::BTreeMap;

/// What is in a folder: paths with kinds, modes and bytes.
fn contents(folder: &Path) -> BTreeMap<PathBuf, (Kind, u32, Vec<u8>)> {
    let mut found = BTreeMap::new();
    collect(folder, Path::new(""), &mut found);
    found
}

fn collect(folder: &Path, relative: &Path, found: &mut BTreeMap<PathBuf, (Kind, u32, Vec<u8>)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let (path, metadata) = (relative.join(entry.file_name()), entry.metadata().unwrap());
        let mode = metadata.mode() & 0o7777;
        if metadata.is_dir() {
            if fs::read_dir(entry.path()).unwrap().next().is_none() {
                found.insert(path.clone(), (Kind::Folder, 0, Vec::new()));
            }
            collect(&entry.path(), &path, found);
        } else if metadata.is_symlink() {
            let target = fs::read_link(entry.path()).unwrap();
            found.insert(path, (Kind::Link, 0, target.into_os_string().into_vec()));
        } else {
            let kind = if mode & 0o100 == 0 { Kind::Plain } else { Kind::Executable };
            found.insert(path, (kind, mode, fs::read(entry.path()).unwrap()));
        }
    }
}

/// The same, made of nothing: what a fresh folder would hold.
fn fresh(candidate: &Candidate) -> BTreeMap<PathBuf, (Kind, u32, Vec<u8>)> {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("fresh");
    crate::scratch::unpack(candidate, &folder).unwrap();
    contents(&folder)
}

fn standing(parent: &Path) -> Standing {
    Standing::new(parent.join("p"), Arc::from([]))
}

fn project() -> Candidate {
    let file = |path: &str, kind, text: &str| File::new(path, kind, text.as_bytes().to_vec());
    Candidate::project([
        file("a.c", Kind::Plain, "int a;"),
        file("lib/b.h", Kind::Plain, "int b;"),
        file("lib/deep/er/c.h", Kind::Plain, ""),
        file("run.sh", Kind::Executable, "#!/bin/sh\n"),
        file("link", Kind::Link, "lib/b.h"),
        file("outside", Kind::Link, "/nonexistent/elsewhere"),
        file("lib/empty", Kind::Folder, ""),
    ])
}

#[test]
fn a_folder_holds_one_candidate_after_the_other() {
    let parent = tempfile::tempdir().unwrap();
    let mut standing = standing(parent.path());
    let all = project();
    let some = all.with_files(all.files().iter().filter(|file| !file.path().starts_with("lib")).cloned());
    let other = some.with_bytes(0, b"int c;".to_vec());
    for candidate in [&all, &some, &other, &all, &all.with_files([]), &some] {
        standing.hold(candidate).unwrap();
        assert_eq!(contents(standing.folder()), fresh(candidate));
    }
}

#[test]
fn untouched_files_are_not_written_again() {
    let parent = tempfile::tempdir().unwrap();
    let mut standing = standing(parent.path());
    let inode = |standing: &Standing, path: &str| fs::symlink_metadata(standing.folder().join(path)).unwrap().ino();
    standing.hold(&project()).unwrap();
    let before = ["a.c", "lib/b.h", "run.sh", "link"].map(|path| inode(&standing, path));
    standing.hold(&project().with_bytes(0, b"int c;".to_vec())).unwrap();
    let after = ["a.c", "lib/b.h", "run.sh", "link"].map(|path| inode(&standing, path));
    assert_eq!(before[1..], after[1..]);
    assert_eq!(fs::read(standing.folder().join("a.c")).unwrap(), b"int c;");
}

#[test]
fn a_write_in_the_same_tick_of_the_clock_is_seen() {
    let parent = tempfile::tempdir().unwrap();
    let mut standing = standing(parent.path());
    for _ in 0..200 {
        standing.hold(&project()).unwrap();
        // The same inode and the same length.
        fs::write(standing.folder().join("a.c"), "int X;").unwrap();
    }
    standing.hold(&project()).unwrap();
    assert_eq!(contents(standing.folder()), fresh(&project()));
}

#[test]
fn a_warm_folder_stays_and_nothing_else_does() {
    let parent = tempfile::tempdir().unwrap();
    let warm = [PathBuf::from("target"), PathBuf::from("out/cache")];
    let mut standing = Standing::new(parent.path().join("p"), Arc::from(warm));
    standing.hold(&project()).unwrap();
    for folder in ["target/debug", "out/cache", "out/other"] {
        fs::create_dir_all(standing.folder().join(folder)).unwrap();
        fs::write(standing.folder().join(folder).join("x"), "built").unwrap();
    }
    standing.hold(&project()).unwrap();
    let there = |path: &str| standing.folder().join(path).exists();
    assert!(there("target/debug/x") && there("out/cache/x") && !there("out/other"));
}

/// What is in a folder outside. Tests may have put anything there, also hard links to files that we remove.
fn listed(outside: &Path) -> BTreeMap<PathBuf, (u32, Option<Vec<u8>>)> {
    let entries = fs::read_dir(outside).into_iter().flatten().flatten();
    let look = |entry: DirEntry| {
        let metadata = entry.metadata().unwrap();
        let bytes = metadata.is_file().then(|| fs::read(entry.path()).unwrap());
        (entry.path(), (metadata.mode(), bytes))
    };
    entries.map(look).collect()
}

/// One thing that a test may do to its folder or to what is around it.
fn vandalise(folder: &Path, outside: &Path, random: &mut fastrand::Rng) {
    let places =
        ["a.c", "lib", "lib/b.h", "lib/deep", "lib/deep/er", "run.sh", "link", "lib/empty", "new", "lib/new", ""];
    let place = folder.join(places[random.usize(0..places.len())]);
    let remove = |path: &Path| {
        let _ = fs::remove_file(path).or_else(|_| fs::remove_dir_all(path));
        Ok(())
    };
    // Nobody reads a fifo that an earlier call has made.
    if fs::metadata(&place).is_ok_and(|found| !found.is_dir() && !found.is_file()) {
        let _: io::Result<()> = remove(&place);
        return;
    }
    // Whatever fails was not possible at that place.
    let _ = match random.usize(0..11) {
        0 => fs::write(&place, "vandal"),
        1 => fs::write(&place, "int V;"),
        2 => fs::create_dir_all(place.join("sub/folder")),
        3 => remove(&place),
        4 => fs::set_permissions(&place, fs::Permissions::from_mode(random.u32(0..0o1000))),
        5 => remove(&place).and_then(|()| symlink(outside, &place)),
        6 => {
            remove(&place).and_then(|()| nix::unistd::mkfifo(&place, nix::sys::stat::Mode::S_IRWXU).map_err(Into::into))
        }
        7 => fs::hard_link(folder.join("a.c"), &place),
        8 => fs::rename(&place, folder.join("moved")),
        9 => OpenOptions::new().write(true).open(&place).and_then(|file| file.set_len(3)),
        _ => remove(&place).and_then(|()| fs::create_dir(&place)),
    };
}

#[test]
fn whatever_a_test_does_the_next_one_finds_its_candidate_and_the_outside_is_untouched() {
    for seed in 0..60 {
        println!("seed {seed}");
        let mut random = fastrand::Rng::with_seed(seed);
        let parent = tempfile::tempdir().unwrap();
        let outside = parent.path().join("outside");
        fs::create_dir(&outside).unwrap();
        for name in ["b.h", "a.c"] {
            fs::write(outside.join(name), "not ours").unwrap();
        }
        let mut standing = standing(parent.path());
        let all = project();
        for _ in 0..6 {
            let kept = all.files().iter().filter(|_| random.usize(0..4) > 0).cloned().collect::<Vec<_>>();
            let mut candidate = all.with_files(kept);
            if candidate.files().first().is_some_and(|file| file.kind().has_content()) && random.bool() {
                candidate = candidate.with_bytes(0, b"int V;".to_vec());
            }
            let before = listed(&outside);
            standing.hold(&candidate).unwrap();
            assert_eq!(contents(standing.folder()), fresh(&candidate));
            assert_eq!(listed(&outside), before);
            (0..random.usize(0..8)).for_each(|_| vandalise(standing.folder(), &outside, &mut random));
        }
    }
}
