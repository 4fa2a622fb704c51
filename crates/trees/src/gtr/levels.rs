//! Generalized tree reduction (algorithm 4): level by level from the root down, each template in turn.
//!
//! If a template has at most one candidate for a node, a list minimizer chooses among them; otherwise a backtracking
//! search does. Templates that make nothing smaller are tried at the end, each time followed by the others. With
//! deletion alone and without a filter this is [`hdd`](crate::TreeReducer::Hdd), test by test. Repeated to its fixpoint
//! (`gtr*`, algorithm 6), the result is 1-transformation-minimal: no single candidate that the filter lets through can
//! take the place of a node. A filter that only comes first takes part in the passes until one of them finds nothing
//! (`gtr`: in the first of two), so it lets through everything in the end.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use whittle_lists::Algorithm;
use whittle_search::{Search, Stop};

use super::backtrack::{Backtrack, Choice};
use super::filter::{Filter, Judge, Member, No};
use super::labeled::{Labeled, Standing};
use super::labeler::Labeler;
use super::model::Model;
use super::template::{Change, Manner, Template};
use super::{GtrOptions, swaps};
use crate::reduce::{EditList, EditSet, TreeOptions, Workpiece, Workshop, with_tokens};
use crate::{Edit, NodeId};

/// One pass over all levels of the best candidate; and one without a filter, if there is one only at first and the pass
/// found nothing or is not repeated.
pub(crate) fn gtr(
    search: &mut Search,
    workshop: &Workshop,
    options: &TreeOptions,
    algorithm: Algorithm,
    is_repeated: bool,
) -> Result<(), Stop> {
    let pass = |search: &mut Search, filter: Filter| {
        let shrink = |search: &mut Search| shrink(search, workshop, options, algorithm, filter);
        shrink(search)?;
        let restructuring = |template: &&dyn Template| template.manner() == Manner::Restructuring;
        options
            .gtr
            .templates
            .iter()
            .filter(restructuring)
            .try_for_each(|template| swaps::restructure(search, workshop, template, shrink))
    };
    let filter = options.gtr.filter;
    let before = search.best().candidate.fingerprint();
    pass(search, filter.at_first())?;
    let is_over = !is_repeated || search.best().candidate.fingerprint() == before;
    if filter != filter.at_first() && is_over { pass(search, Filter::None) } else { Ok(()) }
}

/// The templates that make trees smaller, level by level.
fn shrink(
    search: &mut Search,
    workshop: &Workshop,
    options: &TreeOptions,
    algorithm: Algorithm,
    filter: Filter,
) -> Result<(), Stop> {
    let checked = if filter == Filter::Syntax { workshop.take_checked(search) } else { None };
    let piece = checked.unwrap_or_else(|| workshop.take(search)).with_listener(options);
    let labels = Labeler::default().label(piece.tree());
    let language = workshop.syntax.as_ref().map(|syntax| syntax.name());
    let model = options.gtr.models.iter().find(|model| Some(model.language.as_str()) == language);
    let mut pass = Pass { piece, labels, filter, options: &options.gtr, model: model.map(Arc::as_ref), algorithm };
    let mut level = pass.members(None, [pass.piece.tree().root()]);
    while !level.is_empty() {
        for template in options.gtr.templates.iter() {
            level = pass.apply(search, template, level)?;
        }
        level = level.into_iter().flat_map(|member| pass.below(member)).collect();
    }
    Ok(())
}

struct Pass<'a> {
    piece: Workpiece<'a>,
    labels: Labeled,
    /// The filter of this pass.
    filter: Filter,
    options: &'a GtrOptions,
    /// The model of the file's language.
    model: Option<&'a Model>,
    algorithm: Algorithm,
}

impl Pass<'_> {
    fn members(&self, owner: Option<NodeId>, nodes: impl IntoIterator<Item = NodeId>) -> Vec<Member> {
        let member = |node| Member { standing: Standing::own(node), owner };
        with_tokens(&self.piece, nodes).into_iter().map(member).collect()
    }

    /// The members below a member.
    fn below(&self, member: Member) -> Vec<Member> {
        let node = member.standing.node;
        let owner = self.labels.label(node).map_or(member.owner, |_| Some(node));
        self.members(owner, self.piece.tree().children(node))
    }

    /// Applies a template to a level, and returns the new level.
    fn apply(&mut self, search: &mut Search, template: &dyn Template, level: Vec<Member>) -> Result<Vec<Member>, Stop> {
        match template.manner() {
            Manner::AtMostOne => self.minimize(search, template, level),
            Manner::Many => self.backtrack(search, template, level),
            Manner::Restructuring => Ok(level),
        }
    }

    /// Lets a list minimizer choose which nodes get their only candidate.
    fn minimize(
        &mut self,
        search: &mut Search,
        template: &dyn Template,
        level: Vec<Member>,
    ) -> Result<Vec<Member>, Stop> {
        let candidates = self.candidates(template, &level);
        let only = |(member, changes): (&Member, Vec<Change>)| {
            changes.first().map(|change| (member.standing.place, self.edit(*change)))
        };
        let edits: Vec<(NodeId, Edit)> = level.iter().zip(candidates).filter_map(only).collect();
        if !edits.is_empty() {
            self.piece.minimize(search, EditList::new(edits), self.algorithm)?;
        }
        Ok(self.left_of(level))
    }

    /// Lets the backtracking search choose among many candidates for each node.
    fn backtrack(
        &mut self,
        search: &mut Search,
        template: &dyn Template,
        level: Vec<Member>,
    ) -> Result<Vec<Member>, Stop> {
        let candidates = self.candidates(template, &level);
        let choice = |(member, changes): (&Member, Vec<Change>)| {
            let sized = |change: Change| match change {
                Change::Substitute(node) => Some((node, self.labels.size(node))),
                Change::Delete | Change::Swap(..) => None,
            };
            let Standing { place, node } = member.standing;
            Choice { place, size: self.labels.size(node), candidates: changes.into_iter().filter_map(sized).collect() }
        };
        let choices = level.iter().zip(candidates).map(choice).filter(|choice| !choice.candidates.is_empty()).collect();
        let end = self.piece.work.run(search, Backtrack::new(choices), EditSet::clone)?;
        let chosen = end.configuration().map(|(place, node)| (place, Edit::Hoist(node)));
        self.piece.work.edit(&chosen.collect());
        Ok(self.left_of(level))
    }

    /// The members of a level after the edits so far.
    fn left_of(&self, level: Vec<Member>) -> Vec<Member> {
        let left = |Member { standing, owner }| {
            Some(Member { standing: Standing::after(self.piece.work.so_far(), standing.place)?, owner })
        };
        level.into_iter().filter_map(left).collect()
    }

    /// What a template suggests for each member of a level, and the filter lets through.
    fn candidates(&self, template: &dyn Template, level: &[Member]) -> Vec<Vec<Change>> {
        let edits = self.piece.work.so_far();
        let judge = Judge { filter: self.filter, model: self.model, tree: self.piece.tree(), labels: &self.labels };
        let deletions = judge.deletions(level, edits);
        let judged = |(member, deletion): (&Member, Result<(), No>)| {
            let mut changes = template.candidates(&self.labels, member.standing.node);
            changes.retain(|change| {
                let answer = match *change {
                    Change::Delete => deletion,
                    Change::Substitute(inner) => judge.substitution(*member, inner, edits),
                    Change::Swap(..) => Ok(()),
                };
                self.options.filtered.fetch_add(u64::from(answer == Err(No::ByModel)), Ordering::Relaxed);
                answer.is_ok()
            });
            changes
        };
        level.iter().zip(deletions).map(judged).collect()
    }

    /// The edit that makes a change. With a filter, lists are known, and separators are deleted with their elements.
    fn edit(&self, change: Change) -> Edit {
        match change {
            Change::Substitute(node) => Edit::Hoist(node),
            _ if self.filter.takes_all_nodes() => Edit::Drop,
            _ => Edit::Delete,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::template::Templates;
    use super::*;
    use crate::reduce::testing::{syntax, tests_of};
    use crate::{TreeFile, TreeReducer};

    /// What is tested and what is left when a JavaScript text is reduced; interesting is what parses and has all
    /// `wanted`.
    fn reduced(reducer: &str, gtr: GtrOptions, input: &'static str, wanted: &'static [&'static str]) -> Vec<String> {
        let algorithm: crate::TreeAlgorithm = format!("{reducer}+ddmin").parse().unwrap();
        assert!(matches!(algorithm.reducer, TreeReducer::Gtr | TreeReducer::Hdd));
        let javascript = syntax("javascript");
        let workshop = Workshop { syntax: Some(javascript.clone()), ..Workshop::default() };
        let options = TreeOptions { gtr, ..TreeOptions::default() };
        let is_interesting = move |text: &str| {
            javascript.errors(text.as_bytes()) == Some(crate::Errors::default())
                && wanted.iter().all(|part| text.contains(part))
        };
        let mut best = String::new();
        let mut tests = tests_of(input, is_interesting, |search| {
            let ended = algorithm.run(search, TreeFile { workshop: &workshop, memory: None, options: &options });
            best = String::from_utf8(search.best().candidate.files()[0].bytes().to_vec()).unwrap();
            ended
        });
        tests.push(best.split_whitespace().collect::<Vec<_>>().join(" "));
        tests
    }

    const RUNNING: &str = "if(!c) {\n  var a = 5;\n} else {\n  isNaN(2);\n}\n";
    const LOOP: &str = "for (var i = 0; i < 10; i++) {\n  if (cond1 || cond2) {\n    partOfBug();\n  }\n  if (cond3) {\n    \
                        otherPartOfBug();\n  }\n}\n";

    #[test]
    fn the_running_example_loses_its_if_in_one_pass_and_its_braces_in_the_next() {
        let last = |reducer| reduced(reducer, GtrOptions::default(), RUNNING, &["var a = 5;"]).pop().unwrap();
        assert_eq!([last("gtr"), last("gtr*")], ["{ var a = 5; }", "var a = 5;"]);
    }

    #[test]
    fn the_loop_of_the_introduction_ends_with_the_two_calls() {
        let last = reduced("gtr*", GtrOptions::default(), LOOP, &["partOfBug()", "otherPartOfBug()"]).pop();
        assert_eq!(last.as_deref(), Some("partOfBug() otherPartOfBug()"));
    }

    #[test]
    fn a_chained_assignment_loses_what_nobody_asks_for_any_more() {
        let input = "a = b = 0;\nif (a)\n  crash(b);\n";
        let last = reduced("gtr*", GtrOptions::default(), input, &["b = 0;", "crash(b);"]).pop();
        assert_eq!(last.as_deref(), Some("b = 0; crash(b);"));
    }

    #[test]
    fn with_deletion_alone_it_is_hdd_test_by_test() {
        let templates: Templates = "delete".parse().unwrap();
        let options = || GtrOptions { templates, ..GtrOptions::default() };
        for (input, wanted) in [(RUNNING, &["a = 5"][..]), (LOOP, &["partOfBug", "otherPartOfBug"]), (LOOP, &["i++"])] {
            for (gtr, hdd) in [("gtr", "hdd"), ("gtr*", "hdd*")] {
                let expected = reduced(hdd, GtrOptions::default(), input, wanted);
                assert_eq!(reduced(gtr, options(), input, wanted), expected, "{gtr} on {input}");
            }
        }
    }

    #[test]
    fn the_grammar_filters_what_does_not_parse() {
        let grammar = || GtrOptions { filter: Filter::Grammar, ..GtrOptions::default() };
        let wanted = &["partOfBug()", "otherPartOfBug()"];
        let (all, filtered) =
            (reduced("gtr*", GtrOptions::default(), LOOP, wanted), reduced("gtr*", grammar(), LOOP, wanted));
        assert_eq!(filtered.last().map(String::as_str), Some("partOfBug(); otherPartOfBug();"));
        assert!(filtered.len() < all.len() / 2, "{} and {} tests", filtered.len(), all.len());
        let javascript = syntax("javascript");
        let broken =
            filtered.iter().filter(|text| javascript.errors(text.as_bytes()) != Some(crate::Errors::default())).count();
        assert!(broken * 10 < filtered.len(), "{broken} of {} tests do not parse", filtered.len());
    }

    #[test]
    fn a_filter_that_only_comes_first_costs_no_size_and_saves_tests() {
        let wanted = &["partOfBug()", "otherPartOfBug()"];
        let with = |reducer, filter| reduced(reducer, GtrOptions { filter, ..GtrOptions::default() }, LOOP, wanted);
        for reducer in ["gtr", "gtr*"] {
            let all = with(reducer, Filter::None);
            for first in [Filter::GrammarFirst, Filter::SyntaxFirst].map(|filter| with(reducer, filter)) {
                assert_eq!(first.last().map(String::as_str), Some("partOfBug() otherPartOfBug()"), "{reducer}");
                assert!(first.len() < all.len(), "{reducer}: {} and {} tests", first.len(), all.len());
            }
        }
    }
}
