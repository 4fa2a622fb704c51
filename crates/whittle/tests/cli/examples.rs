//! The examples end as their READMEs say. `tests/library/examples.rs` has calc.

use std::fs;
use std::path::PathBuf;

use crate::bench_folder::Folder;
use crate::generator::python;

/// Reduces an example, and checks that its README shows the result in a code block.
fn ends_as_its_readme_says(example: &str, input: &str) {
    // The tests are Python programs.
    python();
    let examples = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples")).join(example);
    let folder = Folder::new("true", "unused", "");
    let (test, input) = (examples.join("test.py"), examples.join(input));
    let words = [test.to_str().unwrap(), input.to_str().unwrap(), "-o", "result"];
    let ran = folder.whittle_words(words);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let readme = fs::read_to_string(examples.join("README.md")).unwrap();
    let result = folder.text("result");
    let shown = readme.split("```").skip(1).step_by(2).filter_map(|block| block.split_once('\n'));
    let shown: Vec<&str> = shown.map(|(_, text)| text.trim()).collect();
    assert!(shown.contains(&result.trim()), "{example} ends with\n{result}\nbut its README shows\n{shown:#?}");
}

#[test]
fn json_float_ends_as_its_readme_says() {
    ends_as_its_readme_says("json-float", "numbers.json");
}

mod needs_gcc {
    use std::fs;
    use std::process::Command;

    use super::*;

    #[test]
    #[ignore = "needs gcc"]
    fn the_smallest_program_in_the_readme_of_gcc_overflow_is_interesting() {
        let example = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/gcc-overflow"));
        let readme = fs::read_to_string(example.join("README.md")).unwrap();
        let (_, program) = readme.split_once("```c\n").unwrap();
        let (program, _) = program.split_once("```").unwrap();
        let folder = Folder::new("true", "bug.c", program);
        let test = Command::new(example.join("test.sh")).current_dir(folder.path("")).output().unwrap();
        assert!(test.status.success(), "{test:?}");
    }
}
