//! Rules: built-in ones are listed, and users add their own.

use crate::bench_folder::Folder;

const RULES: &str = "\
grammars = [\"c\"]

[[rule]]
name = \"swap-to-call\"
declaration = \"int $X:name = swap($A, $B);\"
becomes = \"int $X = $B;\"
uses = [[\"use($X)\", \"$X\"]]
example = [\"int x = swap(1, 2); int y = use(x);\", \"int x = 2; int y = x;\"]
";

/// The variable has the value of a call and is used, or it has a number and is not.
const NEEDS: &str =
    "grep -qE 'int a = swap[(]1, 2[)]; int b = use[(]a[)];' bug.c || grep -qE 'int a = 2; int b = a;' bug.c";

#[test]
fn the_rules_of_a_file_are_used_in_addition() {
    let text = "int a = swap(1, 2); int b = use(a);\n";
    let folder = Folder::new(NEEDS, "bug.c", text);
    std::fs::write(folder.path("my.toml"), RULES).unwrap();
    let ran = folder.whittle("test.sh bug.c");
    assert!(folder.text("bug.reduced.c").contains("swap"), "{}", ran.stderr);
    let ran = folder.whittle("test.sh bug.c --rules my.toml --force");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(!folder.text("bug.reduced.c").contains("swap"), "{}", folder.text("bug.reduced.c"));
}

#[test]
fn rules_are_listed_with_what_they_do() {
    let folder = Folder::new("true", "bug.c", "");
    std::fs::write(folder.path("my.toml"), RULES).unwrap();
    let ran = folder.whittle("rules my.toml");
    let expected = "swap-to-call (c)\n    int x = swap(1, 2); int y = use(x);\n -> int x = 2; int y = x;\n";
    assert_eq!(ran.stdout, expected);
    assert!(folder.whittle("rules --grammar cpp").stdout.contains("remove-namespace (cpp)\n    namespace N {"));
}

#[test]
fn a_bad_rule_has_a_line_and_a_column() {
    let folder = Folder::new("true", "bug.c", "int a;");
    std::fs::write(folder.path("bad.toml"), RULES.replace("use($X)\", \"$X", "use($X)\", \"$Y")).unwrap();
    for command in ["rules bad.toml", "test.sh bug.c --rules bad.toml"] {
        let ran = folder.whittle(command);
        assert_eq!(ran.status, Some(2), "{command}");
        assert!(ran.stderr.contains("bad.toml:7:21: nothing binds $Y"), "{}", ran.stderr);
    }
}
