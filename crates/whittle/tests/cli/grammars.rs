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
    assert!(ran.status == Some(0) && ran.stderr.contains("unknown variant `pretty`"), "{}", ran.stderr);
    std::fs::write(languages.join("recipe.toml"), definition).unwrap();
    assert!(with_config("languages").stdout.contains("recipe           (yours)              .recipe\n"));
    std::fs::write(languages.join("recipe.toml"), definition.replace("grammar", "grandma")).unwrap();
    let ran = with_config("test.sh dinner.recipe --force");
    assert_eq!(ran.status, Some(0), "a file in another language would be reduced too: {}", ran.stderr);
    let warning = "warning: a definition of a language is ignored: ";
    assert_eq!(ran.stderr.matches(warning).count(), 1, "{}", ran.stderr);
    assert!(ran.stderr.contains("recipe.toml: TOML parse error at line 3"), "{}", ran.stderr);
    let ran = with_config("test.sh dinner.recipe --language recipe --force");
    assert!(ran.status == Some(2) && ran.stderr.contains("--language recipe is not known"), "{}", ran.stderr);
}

#[test]
fn a_grammar_with_an_ending_is_for_some_files_of_a_project() {
    let folder = Folder::new("grep -q explode dinner.recipe && grep -q keep notes.txt", "unused", "");
    std::fs::create_dir(folder.path("menu")).unwrap();
    std::fs::write(folder.path("menu/dinner.recipe"), DINNER).unwrap();
    std::fs::write(folder.path("menu/notes.txt"), "keep this\n").unwrap();
    std::fs::write(folder.path("Recipe.g4"), RECIPE).unwrap();
    let ran = folder.whittle("test.sh menu --grammar Recipe.g4");
    assert_eq!(ran.status, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("Name their ending, as in --grammar recipe=Recipe.g4."), "{}", ran.stderr);
    let ran = folder.whittle("test.sh menu --grammar recipe=Recipe.g4:book --well-formed");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("Recipe.g4 (1)"), "{}", ran.stderr);
    assert_eq!(folder.text("menu.reduced/dinner.recipe"), "recipe \"\" {\n  step 0: explode;\n}\n");
    assert_eq!(folder.text("menu.reduced/notes.txt").trim(), "keep");
}

#[test]
fn several_grammars_need_endings() {
    let folder = kitchen();
    let ran = folder.whittle("test.sh dinner.recipe --grammar Recipe.g4 --grammar other=Recipe.g4");
    assert!(ran.status == Some(2) && ran.stderr.contains("does not say which files it is for"), "{}", ran.stderr);
    let ran =
        folder.whittle("test.sh dinner.recipe --grammar recipe=Recipe.g4 --grammar other=Recipe.g4 --well-formed");
    assert_eq!(folder.text("dinner.reduced.recipe"), "recipe \"\" {\n  step 0: explode;\n}\n", "{}", ran.stderr);
}

#[test]
fn a_model_is_learned_with_a_grammar_that_is_read_at_run_time() {
    let folder = kitchen();
    std::fs::create_dir(folder.path("corpus")).unwrap();
    for number in 0..20 {
        let text = format!("recipe \"r{number}\" {{ need {number} g flour; step 1: bake; }}");
        std::fs::write(folder.path(format!("corpus/{number}.recipe")), text).unwrap();
    }
    let ran = folder.whittle("learn --grammar Recipe.g4 -o recipe.model corpus");
    assert!(ran.status == Some(2) && ran.stderr.contains("as in --grammar recipe=Recipe.g4"), "{}", ran.stderr);
    let ran = folder.whittle("learn --grammar recipe=Recipe.g4 -o recipe.model corpus");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("learned: 20 files"), "{}", ran.stderr);
    let gtr = "test.sh dinner.recipe --grammar Recipe.g4 --algorithm gtr*+ddmin --force";
    let tests = |ran: &crate::bench_folder::Ran| {
        let line = ran.stderr.lines().find_map(|line| line.strip_prefix("tests:")).unwrap().trim().to_owned();
        line.split_whitespace().next().unwrap().parse::<u64>().unwrap()
    };
    let without = folder.whittle(&format!("{gtr} --filter none"));
    let filtered = folder.whittle(&format!("{gtr} --filter corpus --model recipe.model"));
    assert_eq!((without.status, filtered.status), (Some(0), Some(0)), "{}", filtered.stderr);
    assert!(tests(&filtered) < tests(&without), "{}\n{}", without.stderr, filtered.stderr);
    assert!(filtered.stderr.contains("candidates filtered, by Recipe.g4 of 20 files"), "{}", filtered.stderr);
}

#[test]
fn a_parser_without_its_description_says_what_is_missing() {
    let folder = kitchen();
    std::fs::write(folder.path("libtree-sitter-x.so"), "").unwrap();
    let ran = folder.whittle("test.sh dinner.recipe --grammar libtree-sitter-x.so");
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("there is no grammar.json beside libtree-sitter-x.so"), "{}", ran.stderr);
    let ran = folder.whittle("test.sh dinner.recipe --grammar nowhere.so");
    assert!(ran.stderr.contains("nowhere.so cannot be read"), "{}", ran.stderr);
}
