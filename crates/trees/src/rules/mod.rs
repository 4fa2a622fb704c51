//! Rules: edits of a declaration together with its uses, as data.
//!
//! A rule has a pattern for a declaration, one or more patterns for its uses, and templates for both. Metavariables that
//! the declaration binds mean the same in the uses. Rules are TOML (`crates/trees/rules`), one file for each family of
//! languages; users add their own. `docs/rules.md` explains the format.
//!
//! | file | what it holds |
//! |---|---|
//! | `pattern.rs` | patterns and templates |
//! | `view.rs` | a parsed text as tokens and runs of nodes |
//! | `matching.rs` | where a pattern matches |
//! | `rewrite.rs` | what is left of a text |
//! | `candidates.rs` | what a set of rules can do to a text |
//! | `load.rs` | rule files |

mod candidates;
mod load;
pub(crate) mod matching;
mod pattern;
mod rewrite;
pub(crate) mod view;

use std::sync::{Arc, LazyLock};

use serde::Deserialize;

pub(crate) use candidates::{Proposal, Reading};
pub use load::BadRules;
use pattern::{Pattern, Template};
pub(crate) use rewrite::Replacement;

/// An edit of a declaration and its uses.
#[derive(Clone, Debug)]
pub struct Rule {
    /// What the edit is called; several rules may have the same name.
    pub name: String,
    /// A text before and after the edit.
    pub example: Option<Example>,
    /// The names of the grammars to which it applies.
    pub grammars: Vec<String>,
    declaration: Option<(Pattern, Template)>,
    /// What else must be in the text, apart from the declaration.
    given: Option<Pattern>,
    uses: Vec<(Pattern, Template)>,
    /// Where uses are not replaced.
    stay: Vec<Pattern>,
    /// Which uses are replaced.
    extent: Extent,
    /// Whether the declaration alone is replaced if there is no use.
    is_use_optional: bool,
    /// Whether the result may have more syntax errors: the language allows what its grammar does not know.
    is_unchecked: bool,
    when: When,
}

/// When a rule is tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum When {
    /// In turn with other passes.
    #[default]
    Usually,
    /// When no other pass finds anything: what it leaves is smaller, but gives others less to work with.
    Late,
    /// Late, and only by those who want the smallest result at any cost: it seldom helps.
    Max,
}

/// Which rules a pass tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleTier {
    /// Those that are tried in turn with other passes.
    Usual,
    /// Those that are tried when no other pass finds anything.
    Late,
    /// The same, and those that seldom help.
    LateThorough,
}

impl RuleTier {
    /// Whether a rule is among them.
    pub(crate) fn has(self, rule: &Rule) -> bool {
        match rule.when {
            When::Usually => self == Self::Usual,
            When::Late => self != Self::Usual,
            When::Max => self == Self::LateThorough,
        }
    }
}

impl Rule {
    /// Whether the result may have more syntax errors than the text before.
    pub(crate) fn is_unchecked(&self) -> bool {
        self.is_unchecked
    }
}

/// A text before and after an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The text before.
    pub before: String,
    /// What the rule makes of it.
    pub after: String,
}

/// Which uses of a declaration are replaced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Extent {
    /// Everywhere.
    #[default]
    All,
    /// The first one.
    First,
    /// Those within the declaration.
    Inside,
}

/// Rules in the order in which they are tried.
#[derive(Clone, Debug, Default)]
pub struct RuleSet {
    rules: Arc<Vec<Rule>>,
}

/// The built-in rule files, each with its name.
const FILES: [(&str, &str); 16] = [
    ("c.toml", include_str!("../../rules/c.toml")),
    ("cpp.toml", include_str!("../../rules/cpp.toml")),
    ("csharp.toml", include_str!("../../rules/csharp.toml")),
    ("go.toml", include_str!("../../rules/go.toml")),
    ("graphql.toml", include_str!("../../rules/graphql.toml")),
    ("java.toml", include_str!("../../rules/java.toml")),
    ("javascript.toml", include_str!("../../rules/javascript.toml")),
    ("kotlin.toml", include_str!("../../rules/kotlin.toml")),
    ("llvm.toml", include_str!("../../rules/llvm.toml")),
    ("others.toml", include_str!("../../rules/others.toml")),
    ("python.toml", include_str!("../../rules/python.toml")),
    ("rust.toml", include_str!("../../rules/rust.toml")),
    ("smtlib.toml", include_str!("../../rules/smtlib.toml")),
    ("sql.toml", include_str!("../../rules/sql.toml")),
    ("verilog.toml", include_str!("../../rules/verilog.toml")),
    ("xml.toml", include_str!("../../rules/xml.toml")),
];

static BUILT_IN: LazyLock<RuleSet> = LazyLock::new(|| {
    let rules = FILES.iter().flat_map(|(name, text)| {
        RuleSet::parse(text).unwrap_or_else(|error| panic!("built in, and tested: {name}:{error}")).rules.to_vec()
    });
    RuleSet { rules: Arc::new(rules.collect()) }
});

impl RuleSet {
    /// All built-in rules.
    pub fn built_in() -> Self {
        BUILT_IN.clone()
    }

    /// The rules of a file in TOML.
    ///
    /// # Errors
    /// If the text is not TOML, or a rule makes no sense; the error has the line and the column.
    pub fn parse(text: &str) -> Result<Self, BadRules> {
        load::parse(text).map(|rules| Self { rules: Arc::new(rules) })
    }

    /// These rules and, behind them, others.
    #[must_use]
    pub fn and(&self, more: &Self) -> Self {
        Self { rules: Arc::new(self.rules.iter().chain(more.rules.iter()).cloned().collect()) }
    }

    /// The rules for one grammar.
    #[must_use]
    pub fn of_grammar(&self, grammar: &str) -> Self {
        let applies = |rule: &&Rule| rule.grammars.iter().any(|name| name == grammar);
        Self { rules: Arc::new(self.rules.iter().filter(applies).cloned().collect()) }
    }

    /// All rules in their order.
    pub fn iter(&self) -> impl Iterator<Item = &Rule> {
        self.rules.iter()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use whittle_languages::Language;

    use super::*;
    use crate::Syntax;
    use crate::reduce::testing::syntax;

    fn without_spaces(text: &str) -> String {
        text.chars().filter(|char| !char.is_whitespace()).collect()
    }

    /// What one rule makes of a text, each as a whole text.
    fn results(rule: &Rule, syntax: &Syntax, text: &str) -> Vec<String> {
        let parsed = syntax.parse(text.as_bytes(), None).unwrap();
        let rules = RuleSet { rules: Arc::new(vec![rule.clone()]) };
        let reading = Reading::new(text.as_bytes(), &parsed, syntax.name());
        let made = reading.proposals(&rules).into_iter().map(|proposal| reading.text_of(&proposal));
        made.map(|text| String::from_utf8(text).unwrap()).collect()
    }

    #[test]
    fn every_example_becomes_what_it_says_in_every_language_of_its_rule() {
        let mut wrong = Vec::new();
        let applies = |syntax: &Syntax| !syntax.rules().is_empty();
        let syntaxes: Vec<Syntax> =
            Language::all().iter().map(|language| syntax(language.name)).filter(applies).collect();
        for rule in RuleSet::built_in().iter() {
            let Some(example) = &rule.example else {
                wrong.push(format!("{} has no example", rule.name));
                continue;
            };
            for syntax in syntaxes.iter().filter(|syntax| rule.grammars.iter().any(|name| name == syntax.name())) {
                let results = results(rule, syntax, &example.before);
                let is_it = |result: &String| without_spaces(result) == without_spaces(&example.after);
                if !results.iter().any(is_it) {
                    wrong.push(format!("{} in {}: {} => {results:?}", rule.name, syntax.name(), example.before));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn a_value_is_not_substituted_for_a_name_that_means_something_else() {
        let (syntax, rules) = (syntax("c"), RuleSet::built_in());
        let rule = rules.iter().find(|rule| rule.name == "inline-body").unwrap();
        let text = "void g(int x) { h(x); { int x; h(x); } } int f() { g(1); }";
        let expected = "intf(){h(1);{intx;h(x);}}";
        assert_eq!(
            results(rule, &syntax, text).iter().map(|text| without_spaces(text)).collect::<Vec<_>>(),
            [expected]
        );
    }

    #[test]
    fn a_comma_beside_an_empty_list_means_nothing_in_every_language() {
        let text = r#"[[rule]]
            name = "remove-argument"
            grammars = ["c", "python"]
            declaration = "g($$$L, $P, $$$R)"
            becomes = "g($$$L, $$$R)"
            uses = [["h($$$M~L, $A, $$$N~R)", "h($$$M, $$$N)"]]"#;
        let rules = RuleSet::parse(text).unwrap();
        let rule = rules.iter().next().unwrap();
        for (language, end) in [("c", ";"), ("python", "")] {
            let made = |before: &str| -> Vec<String> {
                let results = results(rule, &syntax(language), &format!("{before}{end}\n"));
                results.iter().map(|text| without_spaces(text)).collect()
            };
            assert_eq!(made("x = g(1) + h(2)"), [format!("x=g()+h(){end}")]);
            let both = ["x=g(2)+h(4)", "x=g(1)+h(3)"].map(|text| format!("{text}{end}"));
            assert_eq!(made("x = g(1, 2) + h(3, 4)"), both);
        }
    }

    #[test]
    fn what_stays_is_not_replaced() {
        let text = r#"[[rule]]
            name = "substitute"
            grammars = ["c"]
            declaration = "set ($X:name, $V)"
            uses = [["$X:name", "$V"]]
            stay = ["keep ($X)"]"#;
        let rules = RuleSet::parse(text).unwrap();
        let rule = rules.iter().next().unwrap();
        let made = results(rule, &syntax("c"), "int y = set(x, 3) + x + keep(x) + f(x);");
        assert_eq!(made.iter().map(|text| without_spaces(text)).collect::<Vec<_>>(), ["inty=+3+keep(x)+f(3);"]);
    }

    #[test]
    fn every_rule_is_for_a_grammar_that_there_is() {
        let known: Vec<String> =
            Language::all().iter().map(|language| syntax(language.name).name().to_owned()).collect();
        let optional = ["llvm", "cuda", "objc", "glsl", "hlsl", "c_sharp", "kotlin", "scala", "swift", "systemverilog"];
        for rule in RuleSet::built_in().iter() {
            let is_known = |name: &String| known.contains(name) || optional.contains(&name.as_str());
            assert!(rule.grammars.iter().all(is_known), "{}: {:?}", rule.name, rule.grammars);
        }
    }
}
