//! Dissolving: a statement is replaced by all its bodies, one after the other.
//!
//! `try { f(); } catch { g(); }` becomes `f(); g();`, and a class becomes what its methods do. A body alone is tried by the
//! tree reducer; where something of each is needed, they have to stay together. Most tokens come first.
//!
//! Promise: no statement can be replaced by all its bodies without a new syntax error. Cost: one test for each statement
//! with at least two bodies.

use std::cmp::Reverse;

use crate::reduce::{EditSet, Workpiece};
use crate::{Edit, Kind, NodeId};

/// Statements replaced by their bodies, largest first.
pub(super) fn sets(piece: &Workpiece<'_>) -> Vec<EditSet> {
    let tree = piece.tree();
    let is_block = |&node: &NodeId| matches!(tree.kind(node), Kind::List { separated: false, .. });
    let elements = tree.nodes().filter(is_block).flat_map(|list| tree.elements(list));
    let mut dissolved: Vec<NodeId> = elements.filter(|&element| tree.bodies(element).len() > 1).collect();
    dissolved.sort_by_key(|&element| Reverse(piece.tokens(element)));
    dissolved.into_iter().map(|element| vec![(element, Edit::Dissolve)]).collect()
}

#[cfg(test)]
mod tests {
    use crate::reduce::testing::{syntax, tests_of};
    use crate::{TreePass, Workshop};

    /// What is tried for a text.
    fn asked(language: &str, text: &'static str) -> Vec<String> {
        let workshop = Workshop { syntax: Some(syntax(language)), ..Workshop::default() };
        tests_of(text, move |asked| asked == text, |search| TreePass::Dissolving.run(search, &workshop, None))
    }

    #[test]
    fn bodies_follow_each_other_in_every_language() {
        for (language, text, expected) in [
            ("javascript", "try { f() } catch (e) { g() } finally { h() }", "f()\ng()\nh()"),
            ("javascript", "class A { f() { g() } h() { i(); j() } }", "g()\ni(); j()"),
            ("javascript", "if (a) b(); else c();", "b();\nc();"),
            ("javascript", "try { f() } catch { g() } h()", "f()\ng()\nh()"),
            ("c", "int f() { if (a) { b(); } else { c(); } }", "int f() { b();\n c();\n }"),
            (
                "java",
                "class A { void f() { try { g(); } catch (E e) { h(); } } }",
                "class A { void f() { g();\n h();\n } }",
            ),
            (
                "python",
                "def f():\n  try:\n      g()\n  except E:\n        h()\n        i()\n  j()\n",
                "def f():\n  g()\n  h()\n  i()\n  j()\n",
            ),
            ("python", "if a: f()\nelse: g()\n", "f()\ng()\n"),
            ("lua", "if a then f() else g() end", "f()\ng()"),
        ] {
            let asked = asked(language, text);
            assert!(asked.contains(&expected.to_owned()), "{language}: {asked:?}");
        }
    }

    #[test]
    fn a_single_body_is_left_to_others() {
        assert_eq!(asked("javascript", "while (a) { b(); }"), Vec::<String>::new());
    }
}
