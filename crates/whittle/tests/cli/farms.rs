//! `whittle dedup` on the folders of fuzzers.

use std::fs;

use crate::bench_folder::Folder;

/// A target that prints reports like AddressSanitizer's, at addresses of its own each time.
const TARGET: &str = r#"head() { echo "==$$==ERROR: AddressSanitizer: $1 on address 0x$$ at pc 0x$$" >&2; }
frame() { echo "    #$1 0x$$ in $2 /src/t.c:$$:3" >&2; }
if grep -q over "$1"; then head heap-buffer-overflow; frame 0 __asan_memcpy; frame 1 copy_name; frame 2 main; exit 1; fi
if grep -q null "$1"; then head SEGV; frame 0 'read_field(int)'; frame 1 parse; frame 2 main; exit 1; fi
exit 0"#;

const SHA1: &str = "0123456789abcdef0123456789abcdef0123456";

fn bugs(folder: &Folder, output: &str) -> Vec<String> {
    let entries = fs::read_dir(folder.path(output).join("bugs")).unwrap().flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn crashes_become_one_folder_a_bug_by_what_the_sanitizer_reports() {
    let folder = Folder::new(TARGET, "unused", "");
    fs::create_dir(folder.path("artifacts")).unwrap();
    for (name, text) in [
        (format!("crash-{SHA1}1"), "one over two"),
        (format!("crash-{SHA1}2"), "a b c over d e f"),
        (format!("leak-{SHA1}3"), "x null y"),
        (format!("crash-{SHA1}4"), "nothing"),
        ("README.txt".to_owned(), "over"),
    ] {
        fs::write(folder.path("artifacts").join(name), text).unwrap();
    }
    let ran = folder.whittle_words(["dedup", "--run", "{cwd}/test.sh {}", "artifacts"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let bugs = bugs(&folder, "artifacts.dedup");
    assert_eq!(bugs.len(), 2, "{bugs:?}");
    assert!(bugs[0].starts_with("SEGV_in_read_field___parse-"), "{bugs:?}");
    assert!(bugs[1].starts_with("heap-buffer-overflow_in_copy_name-"), "{bugs:?}");
    let place = folder.path("artifacts.dedup/bugs").join(&bugs[1]);
    assert_eq!(fs::read_to_string(place.join("input")).unwrap(), "over");
    assert!(fs::read_to_string(place.join("output.txt")).unwrap().contains("AddressSanitizer"));
    let report = fs::read_to_string(place.join("report.md")).unwrap();
    assert!(
        report.starts_with("# heap-buffer-overflow in copy_name\n\nFound by 2 inputs of up to 16 bytes"),
        "{report}"
    );
    let command = format!("{}/test.sh input", fs::canonicalize(folder.path("")).unwrap().display());
    assert!(report.contains(&command) && report.contains("#1 0x"), "{report}");
    assert!(
        ran.stderr.contains(&format!("failed:  crash-{SHA1}4")) && !ran.stderr.contains("README"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("bugs:    2 in artifacts.dedup/bugs"), "{}", ran.stderr);
}

#[test]
fn the_output_folder_of_aflpp_is_read_as_it_is() {
    let folder = Folder::new(TARGET, "unused", "");
    for (path, text) in [
        ("out/main/crashes/id:000000,sig:06,src:000000,op:havoc", "so over it"),
        ("out/main/crashes/README.txt", "over"),
        ("out/main/queue/id:000000,orig:seed", "null"),
        ("out/second/crashes/id:000000,sig:11,src:000002", "1 null 2"),
    ] {
        fs::create_dir_all(folder.path(path).parent().unwrap()).unwrap();
        fs::write(folder.path(path), text).unwrap();
    }
    let ran = folder.whittle_words(["dedup", "--run", "{cwd}/test.sh {}", "out", "--json", "groups.json"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(bugs(&folder, "out.dedup").len(), 2);
    let json = folder.text("groups.json");
    assert!(json.contains("main-id:000000,sig:06") && json.contains("second-id:000000,sig:11"), "{json}");
    assert!(!json.contains("README") && !json.contains("orig:seed"), "{json}");
}

#[test]
fn a_stack_can_be_the_signature_of_one_reduction() {
    let folder = Folder::new(TARGET, "bug.txt", "a null b\nover c\nd\n");
    // The target looks for one of the two first; what shows only the other is another bug.
    let ran = folder.whittle_words(["--run", "{cwd}/test.sh {}", "--signature", "@stack", "bug.txt"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(folder.text("bug.reduced.txt"), "over");
}

mod needs_fuzzers {
    use std::path::Path;
    use std::process::Command;

    use super::*;

    /// All that can be found in `fuzz_target.c`.
    const BUGS: [&str; 6] = [
        "Assertion__kind_____A___failed-",
        "SEGV_in_null_read-",
        "division_by_zero_in_fuzz_target.c-",
        "heap-buffer-overflow_in_overflow-",
        "heap-use-after-free_in_use_after_free-",
        "stack-overflow_in_recurse-",
    ];

    fn sh(folder: &Folder, command: &str) {
        let output = Command::new("sh").args(["-c", command]).current_dir(folder.path("")).output().unwrap();
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// Two frames of four pixels each.
    const GIF: &[u8] = b"GIF89a\x02\0\x02\0\x80\0\0\0\0\0\xff\xff\xff\
        \x21\xf9\x04\x04\x05\0\0\0\x2c\0\0\0\0\x02\0\x02\0\0\x02\x02\x44\x0a\0\
        \x21\xf9\x04\x04\x05\0\0\0\x2c\0\0\0\0\x02\0\x02\0\0\x02\x02\x44\x0a\0;";

    fn is_real(bug: &str) -> bool {
        bug.contains("_stbi__")
    }

    fn assert_known(found: &[String], least: usize) {
        let is_known = |name: &String| is_real(name) || BUGS.iter().any(|bug| name.starts_with(bug));
        assert!(found.iter().all(is_known) && found.len() >= least, "{found:?}");
    }

    fn found_by(fuzzer: &str, folder: &Folder) -> Vec<String> {
        let ran = folder.whittle_words(["dedup", "--run", "{cwd}/target {}", fuzzer, "--quiet"]);
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        bugs(folder, &format!("{fuzzer}.dedup"))
    }

    #[test]
    #[ignore = "needs clang with libFuzzer, and AFL++"]
    fn what_real_fuzzers_find_becomes_one_folder_a_bug() {
        let folder = Folder::new("exit 1", "seed", "F____");
        fs::write(folder.path("fuzz_target.c"), include_str!("fuzz_target.c")).unwrap();
        let clang = "clang -g -O0 -fsanitize=address,undefined -fno-sanitize-recover=undefined fuzz_target.c";
        sh(&folder, &format!("{clang} -DMAIN -o target && {clang} -fsanitize=fuzzer -o fuzzer"));
        sh(&folder, "mkdir art corpus seeds && cp seed corpus && cp seed seeds");
        sh(
            &folder,
            "./fuzzer -fork=1 -ignore_crashes=1 -max_total_time=15 -max_len=16 -artifact_prefix=art/ corpus || true",
        );
        // The real bugs take 10,000 to 200,000 runs, if crashes of ours do not end them. Half of what crashes the fuzzer does not
        // crash the target, whose memory has other contents. So it goes on until something does.
        fs::create_dir(folder.path("gifs")).unwrap();
        fs::write(folder.path("gifs/seed"), GIF).unwrap();
        sh(&folder, &format!("{clang} -DONLY_REAL -fsanitize=fuzzer -o gif_fuzzer"));
        sh(
            &folder,
            "for seed in $(seq 30); do
                 ./gif_fuzzer -seed=$seed -runs=1000000 -max_len=90 -exact_artifact_path=crash-gif gifs
                 [ -e crash-gif ] && ! ./target crash-gif && mv crash-gif art && exit
             done; true",
        );
        let found = found_by("art", &folder);
        assert_known(&found, 3);
        if Path::new("/usr/include/stb/stb_image.h").exists() {
            assert!(found.iter().any(|bug| is_real(bug)), "{found:?}");
        } else {
            eprintln!("skipped: the bugs of stb_image, which is not installed (Debian: libstb-dev)");
        }

        // Up to the first crash, some 10,000 runs.
        sh(&folder, "AFL_QUIET=1 AFL_USE_ASAN=1 afl-clang-fast -g -O0 -DMAIN fuzz_target.c -o afl");
        sh(
            &folder,
            "AFL_BENCH_UNTIL_CRASH=1 AFL_SKIP_CPUFREQ=1 AFL_NO_UI=1 AFL_NO_AFFINITY=1 \
             AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 afl-fuzz -V 600 -m none -i seeds -o out -- ./afl @@",
        );
        assert_known(&found_by("out", &folder), 1);
    }
}
