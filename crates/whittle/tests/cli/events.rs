//! Events as JSON lines: every field documented, no key twice, written wherever one can write.

use std::collections::BTreeSet;
use std::fmt;
use std::io::Read;
use std::process::Command;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;

use crate::bench_folder::Folder;

/// A JSON object with all its keys, also those that occur twice.
struct Pairs(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct All;
        impl<'de> Visitor<'de> for All {
            type Value = Pairs;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Pairs, M::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(All)
    }
}

fn folder() -> Folder {
    let lines: String = (0..30).map(|i| format!("{i}\n")).collect();
    Folder::new("grep -q keep bug.txt", "bug.txt", lines + "keep\n")
}

/// The kinds of events, in order, each once in a row.
fn kinds(lines: &str) -> Vec<String> {
    let kind = |line: &str| serde_json::from_str::<Value>(line).unwrap()["kind"].as_str().unwrap().to_owned();
    let mut kinds: Vec<String> = lines.lines().map(kind).collect();
    kinds.dedup();
    kinds
}

#[test]
fn every_kind_and_every_field_is_documented_and_no_key_occurs_twice() {
    let page = include_str!("../../../../docs/events.md");
    let folder = folder();
    // There is nothing to resume, which is a notice.
    let ran = folder.whittle("test.sh bug.txt --resume --json - --jobs 2");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let mut seen = BTreeSet::new();
    for line in ran.stdout.lines() {
        let Pairs(pairs) = serde_json::from_str(line).unwrap();
        let names: BTreeSet<&str> = pairs.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names.len(), pairs.len(), "a key occurs twice: {line}");
        for (name, value) in &pairs {
            assert!(page.contains(&format!("| `{name}` |")) || name == "kind", "{name} has no row in docs/events.md");
            for part in value.as_object().into_iter().flat_map(|object| object.keys()) {
                assert!(page.contains(&format!("`{part}` (")), "{name}.{part} is not in docs/events.md");
            }
        }
        seen.insert(pairs.iter().find(|(name, _)| name == "kind").unwrap().1.as_str().unwrap().to_owned());
    }
    let all = ["begun", "finished", "improved", "notice", "pass-begun", "pass-ended", "tested"];
    assert_eq!(seen.iter().map(String::as_str).collect::<Vec<_>>(), all);
    assert!(all.iter().all(|kind| page.contains(&format!("| `{kind}` |"))));
}

#[test]
fn a_pass_tells_its_own_tests_beside_those_of_the_search() {
    let ran = folder().whittle("test.sh bug.txt --json -");
    let events = ran.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let ended: Vec<Value> = events.filter(|event| event["kind"] == "pass-ended").collect();
    assert!(ended.len() > 1);
    let own: u64 = ended.iter().map(|event| event["pass_tests"].as_u64().unwrap()).sum();
    // The input's own test belongs to no pass.
    assert_eq!(own + 1, ended.last().unwrap()["tests"].as_u64().unwrap());
}

#[test]
fn events_go_to_standard_output_and_to_pipes() {
    let folder = folder();
    for place in ["-", "/dev/stdout"] {
        let ran = folder.whittle(&format!("test.sh bug.txt --force --json {place}"));
        assert_eq!(ran.status, Some(0), "{place}: {}", ran.stderr);
        assert_eq!(kinds(&ran.stdout).last().unwrap(), "finished", "{place}");
        assert!(ran.stderr.contains("stopped: no pass found"), "{}", ran.stderr);
    }
    assert!(Command::new("mkfifo").arg(folder.path("pipe")).status().unwrap().success());
    let child = folder.start("test.sh bug.txt --force --json pipe");
    let mut read = String::new();
    std::fs::File::open(folder.path("pipe")).unwrap().read_to_string(&mut read).unwrap();
    assert!(child.wait_with_output().unwrap().status.success());
    assert_eq!(kinds(&read).last().unwrap(), "finished");
}

#[test]
fn a_result_on_standard_output_comes_alone_and_leaves_no_file() {
    let folder = folder();
    let ran = folder.whittle("test.sh bug.txt -o -");
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(0), "keep"), "{}", ran.stderr);
    assert!(ran.stderr.contains("stopped: no pass found") && !ran.stderr.contains("resume"), "{}", ran.stderr);
    let stopped = folder.whittle("test.sh bug.txt -o - --max-tests 5");
    assert_eq!(stopped.status, Some(1), "{}", stopped.stderr);
    assert!(stopped.stdout.contains("keep") && !stopped.stderr.contains("resume"), "{}", stopped.stderr);
    assert_eq!(folder.files(), ["bug.txt", "test.sh", "tmp"]);
    for (line, word) in [("-o - --resume", "--resume does not go"), ("-o - --json -", "both be written")] {
        let ran = folder.whittle(&format!("test.sh bug.txt {line}"));
        assert_eq!(ran.status, Some(2), "{line}: {}", ran.stderr);
        assert!(ran.stderr.contains(word), "{line}: {}", ran.stderr);
    }
}
