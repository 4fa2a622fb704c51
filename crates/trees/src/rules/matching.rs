//! Matches patterns against a [`View`].
//!
//! A match is a run: one node or several neighbours. A metavariable stands for a node that begins where it is; small ones
//! come first, and the search goes back where the rest does not match. A comma beside a list that stands for nothing stands
//! for nothing, too: `f($$$L, $P)` matches `f(1)`.
//!
//! Cost: bounded by [`MAX_STEPS`] for each place where a match could begin.

use super::pattern::{Element, Kinds, Pattern};
use super::view::{Run, View};
use crate::names::Names;

/// How many parts of a pattern are compared at one place. Patterns with several `$$$` could take forever. Not measured.
const MAX_STEPS: usize = 5_000;

/// What metavariables stand for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bindings(Vec<(String, Run)>);

impl Bindings {
    pub(crate) fn get(&self, name: &str) -> Option<&Run> {
        self.0.iter().find(|(bound, _)| bound == name).map(|(_, run)| run)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Run)> {
        self.0.iter().map(|(name, run)| (name.as_str(), run))
    }
}

/// A place where a pattern matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Match {
    pub(crate) run: Run,
    /// Also what was bound before.
    pub(crate) bindings: Bindings,
}

/// The match of a pattern that begins with a token. Metavariables in `bound` stand for what they stand for there.
pub(crate) fn match_at(
    view: &View<'_>,
    names: &Names,
    pattern: &Pattern,
    start: usize,
    bound: &Bindings,
) -> Option<Match> {
    matches_at(view, names, pattern, start, bound, 1).pop()
}

/// Up to `most` matches of a pattern that begin with a token: metavariables may stand for more or less.
pub(crate) fn matches_at(
    view: &View<'_>,
    names: &Names,
    pattern: &Pattern,
    start: usize,
    bound: &Bindings,
    most: usize,
) -> Vec<Match> {
    let (bindings, seeds) = (bound.clone(), bound.0.len());
    let mut matcher = Matcher { view, names, start, steps: 0, bindings, seeds, most, found: Vec::new() };
    matcher.rest(&pattern.elements, start);
    matcher.found
}

struct Matcher<'a> {
    view: &'a View<'a>,
    names: &'a Names,
    start: usize,
    steps: usize,
    bindings: Bindings,
    /// How many bindings there were before.
    seeds: usize,
    /// How many matches are wanted.
    most: usize,
    found: Vec<Match>,
}

impl Matcher<'_> {
    /// Takes note of the matches that the remaining elements lead to.
    fn rest(&mut self, elements: &[Element], at: usize) {
        self.steps += 1;
        if self.steps > MAX_STEPS || self.found.len() >= self.most {
            return;
        }
        let Some((first, rest)) = elements.split_first() else {
            let run = self.start..at;
            if !self.view.members(&run).is_empty() {
                self.found.push(Match { run, bindings: self.bindings.clone() });
            }
            return;
        };
        match first {
            Element::Text(text) => {
                if let Some(at) = self.text(text, at) {
                    self.rest(rest, at);
                }
                // A comma before a list that stands for nothing.
                if let (b",", Some((Element::Many(name, alike), after))) = (text.as_slice(), rest.split_first())
                    && self.wanted(alike.as_deref()).is_none_or(|wanted| wanted == 0)
                {
                    self.bound(name, &(at..at), after);
                }
            }
            Element::One(name, kinds) => self.one(name, kinds.as_ref(), rest, at),
            Element::Many(name, alike) => self.many(name, alike.as_deref(), rest, at),
        }
    }

    /// Where tokens end that make up a text.
    fn text(&self, text: &[u8], at: usize) -> Option<usize> {
        let (mut left, mut at) = (text, at);
        while !left.is_empty() {
            let token = (at < self.view.tokens.len()).then(|| self.view.token(at))?;
            left = left.strip_prefix(token)?;
            at += 1;
        }
        Some(at)
    }

    fn one(&mut self, name: &str, kinds: Option<&Kinds>, rest: &[Element], at: usize) {
        let view = self.view;
        let mut last = None;
        for node in view.starting(at).rev() {
            let run = view.nodes[node].run.clone();
            if kinds.is_some_and(|kinds| !is_kind(view, node, kinds)) || last == Some(run.end) {
                continue;
            }
            last = Some(run.end);
            self.bound(name, &run, rest);
        }
    }

    fn many(&mut self, name: &str, alike: Option<&str>, rest: &[Element], at: usize) {
        let wanted = self.wanted(alike);
        let ends = std::iter::once(at).chain(self.view.ends(at));
        let runs = ends.map(|end| at..end).filter(|run| self.is_balanced(run.clone()));
        let runs: Vec<Run> = runs.filter(|run| wanted.is_none_or(|wanted| wanted == self.length(run))).collect();
        for run in runs {
            self.bound(name, &run, rest);
            // A comma behind a list that stands for nothing.
            if let (true, Some((Element::Text(text), after))) = (run.is_empty(), rest.split_first())
                && text == b","
            {
                self.bound(name, &run, after);
            }
        }
    }

    /// How many elements a list must have.
    fn wanted(&self, alike: Option<&str>) -> Option<usize> {
        alike.and_then(|alike| self.bindings.get(alike)).map(|run| self.length(run))
    }

    fn length(&self, run: &Run) -> usize {
        if run.is_empty() { 0 } else { self.view.elements(run).len() }
    }

    /// Whether brackets are closed where they are opened: in Lisps they are neighbours of what is between them.
    fn is_balanced(&self, mut run: Run) -> bool {
        let mut depth = 0_i32;
        let is_closed = run.all(|token| {
            depth += match self.view.token(token) {
                b"(" | b"[" | b"{" => 1,
                b")" | b"]" | b"}" => -1,
                _ => 0,
            };
            depth >= 0
        });
        is_closed && depth == 0
    }

    /// The rest, where a metavariable stands for a run.
    fn bound(&mut self, name: &str, run: &Run, rest: &[Element]) {
        if name == "_" {
            return self.rest(rest, run.end);
        }
        if let Some(position) = self.bindings.0.iter().position(|(bound, _)| bound == name) {
            let known = self.bindings.0[position].1.clone();
            let is_seed = position < self.seeds && run.len() == 1;
            if self.view.is_same(&known, run) && (!is_seed || self.names.may_be_same(known.start, run.start)) {
                self.rest(rest, run.end);
            }
            return;
        }
        self.bindings.0.push((name.to_owned(), run.clone()));
        self.rest(rest, run.end);
        self.bindings.0.pop();
    }
}

fn is_kind(view: &View<'_>, node: usize, kinds: &Kinds) -> bool {
    let node = &view.nodes[node];
    let is = |kind: &str| match kind {
        "name" => node.run.len() == 1 && view.is_name(node.run.start),
        _ => node.kind == kind || (node.run.len() == 1 && view.token(node.run.start) == kind.as_bytes()),
    };
    kinds.alternatives.iter().any(|kind| is(kind)) != kinds.negated
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::testing::syntax;

    /// The matches of a pattern in a text, each with what its metavariables stand for.
    fn matches(language: &str, text: &str, pattern: &str) -> Vec<String> {
        let parsed = syntax(language).parse(text.as_bytes(), None).unwrap();
        let view = View::of(text.as_bytes(), &parsed);
        let names = Names::of(&view, language);
        let pattern = Pattern::parse(pattern).unwrap();
        let shown = |run: &Run| text[view.bytes(run)].to_owned();
        let found =
            (0..view.tokens.len()).filter_map(|start| match_at(&view, &names, &pattern, start, &Bindings::default()));
        let bound = |found: &Match| {
            found.bindings.iter().map(|(name, run)| format!(" {name}={}", shown(run))).collect::<String>()
        };
        found.map(|found| shown(&found.run) + &bound(&found)).collect()
    }

    #[test]
    fn a_match_is_a_node_or_neighbours() {
        let text = "int f(int a, int b) { g(b - a - b); return a; }";
        assert_eq!(matches("c", text, "$X - $Y"), ["b - a X=b Y=a"]);
        assert_eq!(matches("c", text, "return $E;"), ["return a; E=a"]);
        assert_eq!(matches("c", text, "( $$$A )"), ["(int a, int b) A=int a, int b", "(b - a - b) A=b - a - b"]);
        assert_eq!(matches("cpp", "int x = N::a + N::b;", "N ::"), ["N::", "N::"]);
    }

    #[test]
    fn a_metavariable_that_occurs_again_is_the_same() {
        assert_eq!(matches("javascript", "f(1, 1); f(1, 2);", "f($A, $A)"), ["f(1, 1) A=1"]);
    }

    #[test]
    fn a_list_can_be_as_long_as_another() {
        let text = "int f(int a, int b, int c); int d = f(1, 2, 3);";
        let parsed = syntax("c").parse(text.as_bytes(), None).unwrap();
        let view = View::of(text.as_bytes(), &parsed);
        let names = Names::of(&view, "c");
        let declaration = Pattern::parse("f($$$L, $P, $$$R)").unwrap();
        let all = matches_at(&view, &names, &declaration, 1, &Bindings::default(), 9);
        let call = Pattern::parse("f($$$M~L, $A, $$$N~R)").unwrap();
        let calls: Vec<Match> = (2..view.tokens.len())
            .flat_map(|start| {
                all.iter()
                    .filter_map(|found| match_at(&view, &names, &call, start, &found.bindings))
                    .collect::<Vec<_>>()
            })
            .collect();
        let shown = |found: &Match, name: &str| text[view.bytes(found.bindings.get(name).unwrap())].to_owned();
        assert_eq!(all.iter().map(|found| shown(found, "P")).collect::<Vec<_>>(), ["int a", "int b", "int c"]);
        assert_eq!(calls.iter().map(|found| shown(found, "A")).collect::<Vec<_>>(), ["1", "2", "3"]);
    }

    #[test]
    fn kinds_restrict_metavariables() {
        let text = "struct s { int a; }; union u { int b; };";
        assert_eq!(
            matches("c", text, "$K:(struct|enum) $N:name { $$$B }"),
            ["struct s { int a; } K=struct N=s B=int a;"]
        );
        assert_eq!(matches("c", text, "$K:!struct $N:type_identifier"), ["union u K=union N=u"]);
        assert_eq!(matches("c", "f(1); f(a);", "f($X:!name)"), ["f(1) X=1"]);
    }
}
