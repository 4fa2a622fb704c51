//! Prints the normal-form tree of a file.
#![allow(clippy::print_stdout, clippy::unwrap_used)]
fn main() {
    let mut args = std::env::args().skip(1);
    let language = whittle_languages::Language::by_name(&args.next().unwrap()).unwrap();
    let text = std::fs::read(args.next().unwrap()).unwrap();
    let grammar = std::sync::Arc::new(whittle_grammars::Grammar::from_tree_sitter(&language.grammar_json()).unwrap());
    let tree = whittle_trees::Tree::parse(text, &language.tree_sitter(), &grammar);
    if std::env::var_os("SEXP").is_some() {
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&language.tree_sitter()).unwrap();
        let parsed = parser.parse(tree.text(), None).unwrap();
        let mut stack = vec![(parsed.root_node(), 0)];
        while let Some((node, depth)) = stack.pop() {
            println!("{:>3$}{:?} g={}", "", node, node.grammar_name(), depth * 2);
            for i in (0..node.child_count()).rev() {
                stack.push((node.child(i as u32).unwrap(), depth + 1));
            }
        }
    }
    print!("{tree}");
    println!("{:?}", tree.shape());
}
