//! The generators in `bench/generators`: by simple tests, so that they stay in order; and with the systems that they show
//! bugs in, where those are installed.

use std::process::Command;

use crate::bench_folder::{Folder, Ran};
use crate::generator::python;

/// Where the generators are.
fn at(name: &str) -> String {
    format!("{}/../../bench/generators/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// The generator of graphs, made in a folder.
fn graphs(folder: &Folder) -> String {
    let header = concat!("-I", env!("CARGO_MANIFEST_DIR"), "/../../c");
    let made = Command::new("cc").args([header, "-o"]).arg(folder.path("graphs")).arg(at("graphs/gen.c")).status();
    assert!(made.unwrap().success());
    "./graphs".to_owned()
}

fn reduced(folder: &Folder, line: &str) -> String {
    let ran = folder.whittle(line);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    folder.text("small")
}

#[test]
fn a_graph_is_reduced_to_one_heavy_edge() {
    let folder = Folder::new("grep -q 'weight=10' \"$1\"", "unused", "");
    let generator = graphs(&folder);
    let small = reduced(&folder, &format!("generator test.sh -o small -- {generator} 6 20 60"));
    assert_eq!(small, "graph.add_vertex(0)\ngraph.add_edge(0, 0, weight=10)\n");
}

#[test]
fn a_model_is_reduced_to_a_resize() {
    let python = python();
    let folder = Folder::new("grep -q Resize \"$1\"", "unused", "");
    let small = reduced(&folder, &format!("generator test.sh -o small -- {python} {} 2 12", at("models/gen.py")));
    assert_eq!(small.lines().count(), 4, "{small}");
    assert!(small.contains("make_node('Resize'"), "{small}");
}

mod needs_node {
    use super::{Folder, at, reduced};

    #[test]
    #[ignore = "needs Node"]
    fn a_javascript_program_is_reduced_to_an_arrow() {
        let folder = Folder::new("grep -q '=>' \"$1\"", "unused", "");
        let small = reduced(&folder, &format!("generator test.sh -o small -- node {} 36 2", at("javascript/gen.js")));
        // The language is guessed: one token fewer than `((() => a_0));`, although that is shorter.
        assert_eq!(small, "throw (() => a_0);\n");
    }
}

mod needs_generator_tools {
    use super::{Command, Folder, Ran, at, graphs, python};

    /// Reduces what a generator makes by a real system, one of those that `bench/generators/setup.sh` installs to the
    /// folder in GENERATOR_TOOLS.
    fn really_reduced(check: &str, bug: &str, generator: impl FnOnce(&Folder) -> String) -> String {
        let folder = Folder::new("", "unused", "");
        let line = format!(
            "{check} {} generator {} -o small -- {}",
            env!("CARGO_BIN_EXE_whittle"),
            at("ask"),
            generator(&folder)
        );
        let mut command = Command::new(at("serving"));
        command.args(line.split_whitespace()).env("BUG", bug);
        command.current_dir(folder.path("")).env("TMPDIR", folder.path("tmp"));
        let ran = Ran::from(command.output().unwrap());
        folder.assert_nothing_left();
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        folder.text("small")
    }

    #[test]
    #[ignore = "needs the Closure Compiler in GENERATOR_TOOLS"]
    fn closure_compiler_fails_on_a_few_words() {
        let small = really_reduced("closure", "RemoveUnusedCode", |_| format!("node {} 1", at("javascript/gen.js")));
        assert!(small.len() < 60, "{small}");
    }

    #[test]
    #[ignore = "needs JGraphT in GENERATOR_TOOLS"]
    fn jgrapht_misses_a_path_of_three_edges() {
        let small = really_reduced("delta-stepping", "misses a path", |folder| graphs(folder) + " 0");
        assert_eq!((small.matches("add_vertex").count(), small.matches("add_edge").count()), (4, 3), "{small}");
    }

    #[test]
    #[ignore = "needs TVM in GENERATOR_TOOLS"]
    fn tvm_fails_behind_a_resize() {
        let generator = |_: &Folder| format!("{} {} 54", python(), at("models/gen.py"));
        let small = really_reduced("tvm", "InferTypeReshape", generator);
        assert!(small.contains("Resize") && small.matches("make_node").count() < 6, "{small}");
    }
}
