//! Languages of the user: grammars that are read at run time.

use crate::bench_folder::Folder;

/// The grammar and the text of the tutorial in `docs/grammars.md`.
const RECIPE: &str = include_str!("../../../../docs/grammars/Recipe.g4");
const DINNER: &str = include_str!("../../../../docs/grammars/dinner.recipe");

fn kitchen() -> Folder {
    let folder = Folder::new("grep -q explode dinner.recipe", "dinner.recipe", DINNER);
    std::fs::write(folder.path("Recipe.g4"), RECIPE).unwrap();
    folder
}

#[test]
fn a_grammar_that_is_read_at_run_time_keeps_the_result_well_formed() {
    let folder = kitchen();
    let ran = folder.whittle("test.sh dinner.recipe --grammar Recipe.g4:book --well-formed");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(folder.text("dinner.reduced.recipe"), "recipe \"\" {\n  step 0: explode;\n}\n");
    assert!(ran.stderr.contains("language: Recipe.g4"), "{}", ran.stderr);
}

#[test]
fn a_tree_shows_lists_and_slots_of_a_grammar_that_is_read_at_run_time() {
    let folder = kitchen();
    std::fs::write(folder.path("small.recipe"), "recipe \"a\" { need 2 g flour (fine, dry); }").unwrap();
    let ran = folder.whittle("tree --grammar Recipe.g4 small.recipe");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("list+ separated by \",\"\n"), "{}", ran.stdout);
}

#[test]
fn a_check_lists_problems_with_line_and_column() {
    let folder = kitchen();
    let ran = folder.whittle("grammar check Recipe.g4 dinner.recipe");
    assert_eq!(ran.status, Some(0), "{}", ran.stdout);
    assert!(ran.stdout.contains("a whole text is book\n"), "{}", ran.stdout);
    std::fs::write(folder.path("Bad.g4"), "grammar Bad;\na : b c ;\nb : a 'x' ;\n").unwrap();
    let ran = folder.whittle("grammar check Bad.g4");
    assert_eq!(ran.status, Some(1), "{}", ran.stdout);
    assert!(ran.stdout.contains("error: Bad.g4:2:7: 'c' is not defined\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("error: Bad.g4:3:1: 'b' begins with itself through 'a'"), "{}", ran.stdout);
    let ran = folder.whittle("test.sh dinner.recipe --grammar Bad.g4");
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("--grammar Bad.g4: Bad.g4:2:1:"), "{}", ran.stderr);
}

#[test]
fn a_language_is_known_by_its_ending_once_it_is_defined() {
    let folder = kitchen();
    let languages = folder.path("config/whittle/languages");
    std::fs::create_dir_all(&languages).unwrap();
    std::fs::write(languages.join("Recipe.g4"), RECIPE.replace("COMMENT : '#' ~[\\r\\n]* -> skip ;", "")).unwrap();
    let definition = "name = \"recipe\"\nextensions = [\"recipe\"]\ngrammar = \"Recipe.g4\"\nline-comments = [\"#\"]\n";
    std::fs::write(languages.join("recipe.toml"), definition).unwrap();
    let config = folder.path("config");
    let with_config = |command: &str| folder.whittle_with(command, &[("XDG_CONFIG_HOME", config.to_str().unwrap())]);
    let ran = with_config("test.sh dinner.recipe --well-formed");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(folder.text("dinner.reduced.recipe"), "recipe \"\" {\n  step 0: explode;\n}\n");
    std::fs::write(languages.join("recipe.toml"), format!("{definition}layout = \"lisp\"\n")).unwrap();
    let ran = with_config("test.sh dinner.recipe --well-formed --force");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_ne!(
        folder.text("dinner.reduced.recipe"),
        "recipe \"\" {\n  step 0: explode;\n}\n",
        "laid out in another way"
    );
    std::fs::write(languages.join("recipe.toml"), format!("{definition}layout = \"pretty\"\n")).unwrap();
    let ran = with_config("test.sh dinner.recipe --force");
    assert!(ran.status == Some(2) && ran.stderr.contains("unknown variant `pretty`"), "{}", ran.stderr);
    std::fs::write(languages.join("recipe.toml"), definition).unwrap();
    assert!(with_config("languages").stdout.contains("recipe           (yours)              .recipe\n"));
    std::fs::write(languages.join("recipe.toml"), definition.replace("grammar", "grandma")).unwrap();
    let ran = with_config("test.sh dinner.recipe --force");
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("recipe.toml: TOML parse error at line 3"), "{}", ran.stderr);
}
