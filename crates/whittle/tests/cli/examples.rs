//! The examples end as their READMEs say. `tests/library/examples.rs` has calc.

use std::fs;
use std::path::PathBuf;

use crate::bench_folder::{Folder, Ran};
use crate::generator::python;

/// An example's folder.
fn folder_of(example: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples")).join(example)
}

/// The code blocks of an example's README.
fn code_blocks(readme: &str) -> Vec<&str> {
    let blocks = readme.split("```").skip(1).step_by(2).filter_map(|block| block.split_once('\n'));
    blocks.map(|(_, text)| text.trim()).collect()
}

/// Reduces an example, and checks that its README shows the result in a code block. Returns the README and the run.
fn ends_as_its_readme_says(example: &str, test: &str, input: &str) -> (String, Ran) {
    let example = folder_of(example);
    let folder = Folder::new("true", "unused", "");
    let (test, input) = (example.join(test), example.join(input));
    let words = [test.to_str().unwrap(), input.to_str().unwrap(), "-o", "result"];
    let ran = folder.whittle_words(words);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let readme = fs::read_to_string(example.join("README.md")).unwrap();
    let (result, shown) = (folder.text("result"), code_blocks(&readme));
    let stderr = &ran.stderr;
    assert!(shown.contains(&result.trim()), "it ends with\n{result}\nbut the README shows\n{shown:#?}\n{stderr}");
    (readme, ran)
}

#[test]
fn json_float_ends_as_its_readme_says() {
    // The test is a Python program.
    python();
    ends_as_its_readme_says("json-float", "test.py", "numbers.json");
}

mod needs_gcc {
    use std::process::Command;

    use super::*;

    /// The README says "about", so that it need not change with every pass: rounded to this many tests.
    const TESTS_ROUNDED_TO: u64 = 100;

    #[test]
    #[ignore = "needs gcc; the README's figures are those of gcc 12"]
    fn gcc_overflow_ends_as_its_readme_says() {
        let (readme, ran) = ends_as_its_readme_says("gcc-overflow", "test.sh", "bug.c");
        let tests: u64 = ran.counted().trim().replace(',', "").parse().unwrap();
        let rounded = (tests + TESTS_ROUNDED_TO / 2) / TESTS_ROUNDED_TO * TESTS_ROUNDED_TO;
        let stderr = &ran.stderr;
        assert!(readme.contains(&format!("with about {rounded} tests")), "{stderr}");
        let (_, sizes) = stderr.split_once("size:").unwrap();
        let (sizes, _) = sizes.split_once(" tokens").unwrap();
        assert!(readme.contains(&format!("from {} tokens", sizes.trim().replace("->", "to"))), "{stderr}");
    }

    #[test]
    #[ignore = "needs gcc"]
    fn the_smallest_program_in_the_readme_of_gcc_overflow_is_interesting() {
        let example = folder_of("gcc-overflow");
        let readme = fs::read_to_string(example.join("README.md")).unwrap();
        let folder = Folder::new("true", "bug.c", code_blocks(&readme).last().unwrap());
        let test = Command::new(example.join("test.sh")).current_dir(folder.path("")).output().unwrap();
        assert!(test.status.success(), "{test:?}");
    }
}
