//! Tests that misbehave. In all cases the result is whole and interesting, and neither process nor folder is left.

use std::fs;

use crate::bench_folder::{Folder, Ran, wait_until};

/// Reduces forty lines to the one with `keep`, with a test that does something nasty before it answers.
fn reduces_with(nasty: &str, options: &str) -> Ran {
    let lines: String = (0..40).map(|i| if i == 23 { "keep\n".into() } else { format!("{i}\n") }).collect();
    let folder = Folder::new(&format!("{nasty}\ngrep -q keep \"$1\""), "bug.txt", lines);
    let ran = folder.whittle(&format!("test.sh bug.txt --unit line --jobs 2 {options}"));
    assert_eq!(ran.status, Some(0), "{nasty}: {}", ran.stderr);
    assert_eq!(folder.text("bug.reduced.txt"), "keep\n", "{nasty}");
    ran
}

#[test]
fn daemons_do_not_outlive_their_test() {
    // In the background, in a session of its own, and by double fork.
    reduces_with("sleep 1000 &", "");
    reduces_with("setsid sleep 1000 &", "");
    reduces_with("(setsid sh -c 'sleep 1000 & sleep 1000' &)", "");
}

#[test]
fn deaf_ears_do_not_help() {
    reduces_with("trap '' TERM INT HUP; setsid sh -c \"trap '' TERM INT HUP; sleep 1000\" &", "");
}

#[test]
fn a_test_may_delete_its_own_folder() {
    let folder = Folder::new("grep -q keep bug.txt || exit 1; rm -rf \"$PWD\"", "bug.txt", "1\n2\nkeep\n3\n");
    assert_eq!(folder.whittle("test.sh bug.txt -u line").status, Some(0));
    assert_eq!(folder.text("bug.reduced.txt"), "keep\n");
}

#[test]
fn a_test_may_lock_its_folder() {
    reduces_with("mkdir -p a/b; touch a/b/c; chmod 500 a/b a", "");
}

#[test]
fn a_test_may_fill_its_folder() {
    reduces_with("head -c 20000000 /dev/zero > big; i=0; while [ $i -lt 300 ]; do : > f$i; i=$((i+1)); done", "");
}

#[test]
fn a_gigabyte_of_output_goes_nowhere() {
    reduces_with("[ $(wc -l < \"$1\") -gt 30 ] && { head -c 1000000000 /dev/zero; }", "--max-tests 100");
}

#[test]
fn a_test_that_prints_more_than_it_may_is_ended() {
    // What has no `keep` prints for ever.
    let folder = Folder::new("grep -q keep bug.txt || yes; true", "bug.txt", "1\nkeep\n2\n");
    let ran = folder.whittle("test.sh bug.txt -u line --output-limit 1M --timeout 50s");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains(" 0 timed out"), "{}", ran.stderr);
    assert_eq!(folder.text("bug.reduced.txt"), "keep\n");
}

#[test]
fn a_test_that_eats_memory_is_stopped_by_the_limit() {
    // The shell's own variable grows until the limit; what has no `keep` would never end.
    let eat = "grep -q keep bug.txt || { x=x; while :; do x=$x$x; done; }";
    let folder = Folder::new(eat, "bug.txt", "1\nkeep\n2\n");
    let ran = folder.whittle("test.sh bug.txt -u line --memory-limit 100M --timeout 50s --jobs 1");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains(" 0 timed out"), "{}", ran.stderr);
    assert_eq!(folder.text("bug.reduced.txt"), "keep\n");
}

#[test]
fn nobody_waits_for_a_key() {
    reduces_with("read answer; read answer < /dev/tty", "");
}

#[test]
fn a_terminal_that_is_gone_does_not_end_a_reduction() {
    let folder = Folder::new("grep -q keep bug.txt", "bug.txt", "1\nkeep\n2\n");
    let full = || fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    for command in ["reduce", "check"] {
        let mut whittle = folder.command([command, "test.sh", "bug.txt"]);
        let status = whittle.stdout(full()).stderr(full()).status().unwrap();
        assert_eq!(status.code(), Some(0), "{command}");
    }
    assert_eq!(folder.text("bug.reduced.txt"), "keep");
}

#[test]
fn pipes_may_be_closed() {
    reduces_with("exec >&- 2>&- <&-", "");
    reduces_with("exec >&- 2>&- <&-", "--output-limit 1M");
}

#[test]
fn a_test_that_takes_too_long_is_not_interesting() {
    let folder = Folder::new("grep -q keep bug.txt || sleep 1000", "bug.txt", "1\nkeep\n2\n");
    let ran = folder.whittle("test.sh bug.txt -u line --timeout 2s --jobs 2");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(!ran.stderr.contains(" 0 timed out"), "{}", ran.stderr);
    assert_eq!(folder.text("bug.reduced.txt"), "keep\n");
}

#[test]
fn a_test_that_kills_itself_or_its_helper_is_not_interesting() {
    let daemon = "{ setsid sleep 1000 & kill -9 $PPID; exit 1; }";
    // Each process starts the next and ends: a single look at what is there misses the one that is just starting.
    let relay = r#"{ f='[ $1 = 0 ] && sleep 1000; sh -c "$0" "$0" $(($1 - 1)) &'
        setsid sh -c "$f" "$f" 30 & kill -9 $PPID; exit 1; }"#;
    for murder in ["kill -9 $$", "kill -9 $PPID", "{ kill -TERM $PPID; exit 1; }", daemon, relay] {
        let folder = Folder::new(&format!("grep -q keep bug.txt || {murder}"), "bug.txt", "1\nkeep\n2\n");
        let ran = folder.whittle("test.sh bug.txt -u line");
        assert_eq!(ran.status, Some(0), "{murder}: {}", ran.stderr);
        assert_eq!(folder.text("bug.reduced.txt"), "keep\n", "{murder}");
    }
}

#[test]
fn a_stopped_helper_does_not_outlive_whittle() {
    let script = "echo stopped > \"$0.log\"; kill -STOP $PPID; sleep 1000";
    let folder = Folder::new(script, "bug.txt", "1\n");
    let mut child = folder.start("test.sh bug.txt --timeout 1h");
    wait_until("the test runs", || fs::read(folder.path("test.sh.log")).is_ok_and(|log| !log.is_empty()));
    child.kill().unwrap();
    child.wait().unwrap();
    folder.assert_nothing_left();
}

#[test]
fn an_input_that_changes_during_the_run_is_not_read_again() {
    let folder =
        Folder::new("grep -q keep bug.txt && echo changed > \"$(dirname \"$0\")/bug.txt\"", "bug.txt", "1\nkeep\n2\n");
    let ran = folder.whittle("test.sh bug.txt -u line");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(folder.text("bug.reduced.txt"), "keep\n");
    assert_eq!(folder.text("bug.txt"), "changed\n");
}

#[test]
fn an_input_that_somebody_else_changes_is_not_written_over() {
    let change = "echo changed > \"$(dirname \"$0\")/bug.txt\"";
    let script = format!("grep -q keep bug.txt || exit 1; [ $(wc -l < bug.txt) -gt 2 ] || {{ {change}; exit 1; }}");
    let folder = Folder::new(&script, "bug.txt", "1\nkeep\n2\n3\n");
    let ran = Ran::from(folder.command("test.sh bug.txt -u line --in-place".split(' ')).output().unwrap());
    assert_eq!(ran.status, Some(3), "{}", ran.stderr);
    assert!(ran.stderr.contains("changed it during the run"), "{}", ran.stderr);
    assert!(take_refuge(&ran).contains("keep\n"));
    folder.assert_nothing_left();
    assert_eq!(folder.text("bug.txt"), "changed\n");
    assert_eq!(folder.text("bug.txt.orig"), "1\nkeep\n2\n3\n");
}

/// Reads and removes the result that could not be written where it belongs.
fn take_refuge(ran: &Ran) -> String {
    let path = ran.stderr.rsplit("it is in ").next().unwrap().trim();
    let text = fs::read_to_string(path).unwrap();
    fs::remove_file(path).unwrap();
    text
}

/// Sixty-four lines, and a test that turns nasty when only a few are left.
fn nasty_in_the_end(nasty: &str) -> Folder {
    let script = format!("grep -q keep bug.txt || exit 1; [ $(wc -l < bug.txt) -gt 9 ] || {{ {nasty}; true; }}");
    let lines: String = (0..64).map(|i| if i == 20 { "keep\n".into() } else { format!("{i}\n") }).collect();
    Folder::new(&script, "bug.txt", lines)
}

#[test]
fn a_test_that_deletes_all_scratch_folders_ends_the_run_with_the_best_and_the_remedy() {
    let folder = nasty_in_the_end("rm -rf ../../*");
    let ran = folder.whittle("test.sh bug.txt -u line --jobs 1");
    assert!(folder.text("bug.reduced.txt").contains("keep\n"), "{}", ran.stderr);
    assert_eq!(ran.status, Some(3), "{}", ran.stderr);
    assert!(ran.stderr.contains("a test cannot be prepared") && ran.stderr.contains("--scratch"), "{}", ran.stderr);
}

#[test]
fn a_folder_that_cannot_be_written_is_refused_at_the_start() {
    let folder = Folder::new("true", "bug.txt", "x\n");
    let mut permissions = fs::metadata(folder.path("tmp")).unwrap().permissions();
    fs::create_dir(folder.path("locked")).unwrap();
    std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o500);
    fs::set_permissions(folder.path("locked"), permissions).unwrap();
    let ran = folder.whittle_as_ordinary_user("test.sh bug.txt --output locked/out");
    assert_eq!(ran.status, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("locked/out") && ran.stderr.contains("--output"), "{}", ran.stderr);
}

mod needs_mount {
    use std::fs;
    use std::process::Command;

    use super::{Folder, Ran, nasty_in_the_end, take_refuge};

    /// A small file system.
    struct SmallDisk<'a> {
        folder: &'a Folder,
    }

    impl<'a> SmallDisk<'a> {
        fn mount(folder: &'a Folder, size: &str) -> Self {
            fs::create_dir(folder.path("disk")).unwrap();
            let mut mount = Command::new("mount");
            mount.args(["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"]).arg(folder.path("disk"));
            assert!(mount.status().unwrap().success(), "only root can mount a small file system");
            Self { folder }
        }
    }

    impl Drop for SmallDisk<'_> {
        fn drop(&mut self) {
            let unmounted = Command::new("umount").arg(self.folder.path("disk")).status();
            assert!(std::thread::panicking() || unmounted.unwrap().success());
        }
    }

    #[test]
    #[ignore = "needs root, to mount a small file system"]
    fn a_full_scratch_disk_loses_nothing() {
        let folder = nasty_in_the_end("cat /dev/zero > ../../hog");
        let _disk = SmallDisk::mount(&folder, "1m");
        let ran = folder.whittle("test.sh bug.txt -u line --scratch disk --jobs 1");
        assert!(folder.text("bug.reduced.txt").contains("keep\n"), "{}", ran.stderr);
        // What a test frees at its end may be enough for the next.
        let told = ran.status == Some(3) && ran.stderr.contains("--scratch");
        assert!(ran.status == Some(0) || told, "{}", ran.stderr);
        assert_eq!(fs::read_dir(folder.path("disk")).unwrap().count(), 0);
    }

    #[test]
    #[ignore = "needs root, to mount a small file system"]
    fn a_full_output_disk_loses_nothing() {
        // Once the reduction has begun, the test takes all the room that is left beside the result.
        let script = "grep -q keep bug.txt || exit 1; d=$(dirname \"$0\")/disk; [ $(wc -l < bug.txt) -gt 30 ] || cat /dev/zero > $d/hog; true";
        let lines: String = (0..64).map(|i| if i == 20 { "keep\n".into() } else { format!("{i}\n") }).collect();
        let folder = Folder::new(script, "bug.txt", lines);
        let _disk = SmallDisk::mount(&folder, "64k");
        let output =
            folder.command("test.sh bug.txt -u line --output disk/out.txt --jobs 1".split(' ')).output().unwrap();
        let ran = Ran::from(output);
        assert!(folder.text("disk/out.txt").contains("keep\n"), "what is in place is whole: {}", ran.stderr);
        assert_eq!(ran.status, Some(3), "{}", ran.stderr);
        assert_eq!(take_refuge(&ran), "keep\n", "{}", ran.stderr);
        folder.assert_nothing_left();
    }
}
