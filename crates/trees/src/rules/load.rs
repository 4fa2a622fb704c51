//! Rule files: TOML with a list of rules.

use std::fmt;

use serde::Deserialize;
use toml::Spanned;

use super::pattern::{BadPattern, Pattern, Template};
use super::{Example, Extent, Rule, When};

/// Why a rule file makes no sense, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct BadRules {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub problem: String,
}

impl fmt::Display for BadRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.problem)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleFile {
    #[serde(default)]
    grammars: Vec<String>,
    #[serde(default)]
    rule: Vec<Spanned<RawRule>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RawRule {
    name: String,
    grammars: Option<Vec<String>>,
    declaration: Option<Spanned<String>>,
    becomes: Option<Spanned<String>>,
    given: Option<Spanned<String>>,
    #[serde(default)]
    uses: Vec<[Spanned<String>; 2]>,
    #[serde(default)]
    stay: Vec<Spanned<String>>,
    #[serde(default)]
    extent: RawExtent,
    #[serde(default)]
    use_optional: bool,
    #[serde(default)]
    unchecked: bool,
    #[serde(default)]
    when: When,
    example: Option<[String; 2]>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "kebab-case")]
enum RawExtent {
    #[default]
    All,
    First,
    Inside,
}

pub(super) fn parse(text: &str) -> Result<Vec<Rule>, BadRules> {
    let file: RuleFile = toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        bad(text, at, error.message())
    })?;
    file.rule.into_iter().map(|raw| rule(text, &file.grammars, raw)).collect()
}

fn bad(text: &str, at: usize, problem: impl Into<String>) -> BadRules {
    let before = &text[..at.min(text.len())];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    BadRules { line, column, problem: problem.into() }
}

fn rule(text: &str, grammars: &[String], raw: Spanned<RawRule>) -> Result<Rule, BadRules> {
    let start = raw.span().start;
    let raw = raw.into_inner();
    let declaration = match (&raw.declaration, &raw.becomes) {
        (Some(pattern), becomes) => {
            let template = becomes.as_ref().map(|becomes| template_of(text, becomes)).transpose()?;
            Some((pattern_of(text, pattern)?, template.unwrap_or(Template { parts: Vec::new() })))
        }
        (None, Some(becomes)) => {
            return Err(bad(text, becomes.span().start, "`becomes` needs a `declaration`"));
        }
        (None, None) => None,
    };
    let mut uses = Vec::new();
    for [pattern, template] in &raw.uses {
        uses.push((pattern_of(text, pattern)?, template_of(text, template)?));
    }
    let stay = raw.stay.iter().map(|pattern| pattern_of(text, pattern)).collect::<Result<Vec<Pattern>, BadRules>>()?;
    if declaration.is_none() && uses.is_empty() {
        return Err(bad(text, start, "a rule needs a `declaration` or `uses`"));
    }
    let given = raw.given.as_ref().map(|given| pattern_of(text, given)).transpose()?;
    if let (None, Some(given)) = (&declaration, &raw.given) {
        return Err(bad(text, given.span().start, "`given` needs a `declaration`"));
    }
    let patterns = declaration.iter().map(|(pattern, _)| pattern).chain(&given);
    let declared: Vec<&str> = patterns.flat_map(Pattern::variables).collect();
    for ((pattern, _), [raw, _]) in uses.iter().zip(&raw.uses) {
        if let Some(name) = pattern.lengths().find(|name| !declared.contains(name)) {
            return Err(bad(text, raw.span().start, format!("nothing binds $$${name}")));
        }
    }
    let check = |template: &Template, own: Vec<&str>, at: usize| {
        let is_unknown = |name: &&str| !declared.contains(name) && !own.contains(name);
        template
            .variables()
            .find(is_unknown)
            .map_or(Ok(()), |name| Err(bad(text, at, format!("nothing binds ${name}"))))
    };
    if let (Some((_, template)), Some(becomes)) = (&declaration, &raw.becomes) {
        check(template, Vec::new(), becomes.span().start)?;
    }
    for ((pattern, template), [_, raw]) in uses.iter().zip(&raw.uses) {
        check(template, pattern.variables().collect(), raw.span().start)?;
    }
    let grammars = raw.grammars.unwrap_or_else(|| grammars.to_vec());
    if grammars.is_empty() {
        return Err(bad(text, start, "a rule needs `grammars`, its own or those of the file"));
    }
    let extent = match raw.extent {
        RawExtent::All => Extent::All,
        RawExtent::First => Extent::First,
        RawExtent::Inside => Extent::Inside,
    };
    let example = raw.example.map(|[before, after]| Example { before, after });
    let is_use_optional = raw.use_optional || uses.is_empty();
    let (name, is_unchecked, when) = (raw.name, raw.unchecked, raw.when);
    Ok(Rule { name, example, grammars, declaration, given, uses, stay, extent, is_use_optional, is_unchecked, when })
}

fn pattern_of(text: &str, raw: &Spanned<String>) -> Result<Pattern, BadRules> {
    Pattern::parse(raw.get_ref()).map_err(|error| within(text, raw, &error))
}

fn template_of(text: &str, raw: &Spanned<String>) -> Result<Template, BadRules> {
    Template::parse(raw.get_ref()).map_err(|error| within(text, raw, &error))
}

/// An error within a TOML string; its place is exact for a string without escapes.
fn within(text: &str, raw: &Spanned<String>, error: &BadPattern) -> BadRules {
    let quote = text[raw.span().start..].bytes().take_while(|&byte| byte == b'"' || byte == b'\'').count().max(1);
    bad(text, raw.span().start + quote.min(3) + error.at, error.problem.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_has_a_line_and_a_column() {
        for (text, expected) in [
            ("grammars = [\"c\"]\n[[rule]]\nname = \"a\"\n", "2:1: a rule needs a `declaration` or `uses`"),
            ("[[rule]]\nname = \"a\"\ndeclaration = 'a $$B'", "3:18: a metavariable is $X or $$$X, in capital letters"),
            ("[[rule]]\nname = \"a\"\ndeclaration = 'a'\nbecomes = '$B'", "4:11: nothing binds $B"),
            ("[[rule]]\nname = \"a\"\ngiven = 'a'\nuses = [['a', 'b']]", "3:9: `given` needs a `declaration`"),
            ("[[rule]]\nname = \"a\"\nuses = [['a $$$B~C', 'b']]", "3:10: nothing binds $$$C"),
            (
                "[[rule]]\nname = \"a\"\nuses = [['a', 'b']]",
                "1:1: a rule needs `grammars`, its own or those of the file",
            ),
        ] {
            assert_eq!(parse(text).unwrap_err().to_string(), expected);
        }
        let unknown = parse("[[rule]]\nnaem = \"a\"\n").unwrap_err();
        assert_eq!((unknown.line, unknown.column), (2, 1), "{unknown}");
        assert_eq!(parse("[[rule]\n").unwrap_err().line, 1);
    }
}
