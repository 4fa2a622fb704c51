//! The command lines of `docs/papers.md`: all of them run as they stand there.

use std::path::Path;

use crate::bench_folder::Folder;

const INPUT: &str = "/* twice */\nint twice(int number) {\n  return number + number;\n}\n\nint main(void) {\n  int count = \
                     1;\n  for (;;) {\n    count = twice(count);\n  }\n}\n";

/// What stands in backticks in the tables and begins with an algorithm.
fn command_lines() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/papers.md");
    let page = std::fs::read_to_string(path).unwrap();
    let spans = page.lines().filter(|line| line.starts_with('|')).flat_map(|line| line.split('`').skip(1).step_by(2));
    spans.filter(|span| span.starts_with("-a ")).map(str::to_owned).collect()
}

#[test]
fn every_command_line_of_the_page_about_papers_runs() {
    let lines = command_lines();
    assert!(lines.len() > 20, "{lines:#?}");
    for line in lines {
        let folder = Folder::new("grep -q twice bug.c && grep -q for bug.c", "bug.c", INPUT);
        let ran = folder.whittle(&format!("test.sh bug.c {line}"));
        assert_eq!(ran.status, Some(0), "{line}\n{}", ran.stderr);
        let result = folder.text("bug.reduced.c");
        let is_interesting = result.contains("twice") && result.contains("for");
        assert!(is_interesting && result.len() < INPUT.len(), "{line}\n{result}");
    }
}
