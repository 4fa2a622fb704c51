//! The folders of fuzzers as they are: which of their files are inputs.
//!
//! | fuzzer | inputs | beside them |
//! |---|---|---|
//! | AFL++ | `OUT/*/crashes/id:000000,sig:11,…` | `README.txt` |
//! | libFuzzer, cargo-fuzz | `crash-`, `leak-`, `oom-` or `timeout-` and 40 hexadecimal digits | `slow-unit-…`, corpora |
//! | honggfuzz | `SIGSEGV.PC.….fuzz` | `HONGGFUZZ.REPORT.TXT` |

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// What libFuzzer's names begin with.
const LIBFUZZER: [&str; 4] = ["crash-", "leak-", "oom-", "timeout-"];

/// Files of fuzzers that are no inputs.
const NOTES: [&str; 2] = ["README.txt", "HONGGFUZZ.REPORT.TXT"];

/// The name of the folders in which AFL++ keeps inputs that crash.
const CRASHES: &str = "crashes";

/// Whether a fuzzer names inputs that crash like this.
pub(super) fn is_crash(name: &str) -> bool {
    let is_afl = name.strip_prefix("id:").or_else(|| name.strip_prefix("id_")).is_some_and(|rest| {
        rest.len() > 6
            && rest.as_bytes()[..6].iter().all(u8::is_ascii_digit)
            && !rest.as_bytes()[6].is_ascii_alphanumeric()
    });
    let is_libfuzzer = LIBFUZZER.iter().any(|prefix| name.strip_prefix(prefix).is_some_and(is_sha1));
    let is_honggfuzz = name.starts_with("SIG") && name.contains(".PC.") && name.ends_with(".fuzz");
    is_afl || is_libfuzzer || is_honggfuzz
}

fn is_sha1(text: &str) -> bool {
    text.len() == 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Whether a file that lies beside inputs of a fuzzer is none.
pub(super) fn is_note(name: &str) -> bool {
    NOTES.contains(&name)
}

/// The inputs below a fuzzer's folder that holds none itself, with names that say where they were: in `crashes`, in `*/crashes`
/// as by AFL++, or in `*` as by cargo-fuzz. Empty if it is no such folder.
pub(super) fn below(folder: &Path) -> Vec<(PathBuf, OsString)> {
    let mut found = crashes_in(&folder.join(CRASHES), "");
    for subfolder in entries(folder).into_iter().filter(|path| path.is_dir()) {
        let name = subfolder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        found.extend(crashes_in(&subfolder.join(CRASHES), &name));
        if name != CRASHES {
            found.extend(crashes_in(&subfolder, &name));
        }
    }
    found
}

fn crashes_in(folder: &Path, prefix: &str) -> Vec<(PathBuf, OsString)> {
    let named = |path: PathBuf| {
        let name = path.file_name()?.to_str().filter(|name| is_crash(name))?.to_owned();
        let name = if prefix.is_empty() { name } else { format!("{prefix}-{name}") };
        path.is_file().then(|| (path, name.into()))
    };
    entries(folder).into_iter().filter_map(named).collect()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_fuzzers_are_known_and_those_of_people_are_not() {
        let sha1 = "0123456789abcdef0123456789abcdef01234567";
        for name in [
            "id:000012,sig:11,src:000003,time:12,execs:99,op:havoc,rep:2",
            "id_000012_sig_06",
            &format!("crash-{sha1}"),
            &format!("oom-{sha1}"),
            "SIGABRT.PC.7ffff7e2.STACK.18a2.CODE.-6.ADDR.0.INSTR.mov.fuzz",
        ] {
            assert!(is_crash(name), "{name}");
        }
        for name in
            ["crash-1.c", "crash-abc", &format!("slow-unit-{sha1}"), "id:12", "identity.c", "README.txt", "x.fuzz"]
        {
            assert!(!is_crash(name), "{name}");
        }
    }

    #[test]
    fn folders_of_aflpp_and_cargo_fuzz_are_found_below_their_roots() {
        let folder = tempfile::tempdir().unwrap();
        let sha1 = "0123456789abcdef0123456789abcdef01234567";
        for path in ["main/crashes/id:000000,sig:11", "main/crashes/README.txt", "main/queue/id:000000,orig:a"] {
            fs::create_dir_all(folder.path().join(path).parent().unwrap()).unwrap();
            fs::write(folder.path().join(path), "x").unwrap();
        }
        fs::create_dir(folder.path().join("parse")).unwrap();
        fs::write(folder.path().join(format!("parse/crash-{sha1}")), "x").unwrap();
        let mut names: Vec<OsString> = below(folder.path()).into_iter().map(|(_, name)| name).collect();
        names.sort();
        assert_eq!(names, [OsString::from("main-id:000000,sig:11"), format!("parse-crash-{sha1}").into()]);
    }
}
