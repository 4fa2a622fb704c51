//! Canonical layout: whitespace becomes what a formatter would leave, as a function of the tokens.
//!
//! All at once, or in halves where that fails, again until nothing changes. A text that is parsed differently is not tested:
//! the printer in `whittle_trees` does not know every meaning of whitespace.
//!
//! Promise: a second run changes nothing. If all whitespace can change, results with the same tokens are equal. Cost: one
//! test if all whitespace can change, none if it is canonical.

use std::sync::Arc;

use whittle_search::{Halves, Search, Stop};
use whittle_trees::{Gap, Skeleton, Workshop};

/// How many parts whitespace is cut into. Each one that fails is parsed several times. Not measured.
const MAX_PARTS: usize = 512;

/// Lays out one file. The search must have the layout in its order, or more whitespace is never smaller.
pub(crate) fn layout(search: &mut Search, workshop: &Workshop) -> Result<(), Stop> {
    search.fixpoint(|search| layout_once(search, workshop))
}

fn layout_once(search: &mut Search, workshop: &Workshop) -> Result<(), Stop> {
    let Some(syntax) = workshop.syntax.clone() else { return Ok(()) };
    let base = search.best().candidate.clone();
    let file = workshop.file;
    let tree = syntax.tree_from_scratch(&base.files()[file]);
    let Some(skeleton) = Skeleton::of(&syntax, tree.text()) else { return Ok(()) };
    let gaps = tree.misplaced_whitespace();
    let size = gaps.len().div_ceil(MAX_PARTS).max(1);
    let parts: Arc<Vec<Vec<Gap>>> = Arc::new(gaps.chunks(size).map(<[Gap]>::to_vec).collect());
    let count = parts.len();
    let render = move |chosen: &Vec<usize>| {
        let mut chosen = chosen.clone();
        chosen.sort_unstable();
        let text = with_gaps(tree.text(), chosen.into_iter().flat_map(|number| &parts[number]));
        (Skeleton::of(&syntax, &text).as_ref() == Some(&skeleton)).then(|| base.with_bytes(file, text))
    };
    search.run(Halves::new(count), render).map(drop)
}

/// The text with some gaps changed, which are in text order.
fn with_gaps<'a>(text: &[u8], gaps: impl Iterator<Item = &'a Gap>) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut position = 0;
    for gap in gaps {
        out.extend_from_slice(&text[position..gap.range.start]);
        out.extend_from_slice(gap.text.as_bytes());
        position = gap.range.end;
    }
    out.extend_from_slice(&text[position..]);
    out
}

#[cfg(test)]
mod tests {
    use crate::testing::ends_with;

    #[test]
    fn a_text_is_laid_out_in_one_test() {
        for (language, text, expected) in [
            ("c", "\n\n  int  a ;\n\n    int\tb;  \n\n", "int a;\nint b;\n"),
            ("c", "f( 1 , a [ 2 ] ) ;", "f(1, a[2]);\n"),
            ("c", "#define A   1\n\n\n int a;", "#define A 1\nint a;\n"),
            // Forty skipped lines lead to another tree, but to the same tokens.
            ("c", &("\n".repeat(40) + "a"), "a\n"),
            ("c", "char *s = \"a   b\"   ;", "char *s = \"a   b\";\n"),
            ("python", "if  a:\n\n  b = 'x   y'\n\n  c\n\n\nd  \n", "if a:\n    b = 'x   y'\n    c\nd\n"),
        ] {
            let (end, asked) = ends_with(language, text, |_| true, super::layout);
            assert_eq!((end.as_str(), asked.len()), (expected, 1), "{language}");
        }
    }

    #[test]
    fn whitespace_that_is_needed_stays() {
        let needed = |text: &str| text.contains("int  a");
        let (end, _) = ends_with("c", "int  a;\n\n\nint  b;\n", needed, super::layout);
        assert_eq!(end, "int  a;\nint b;\n");
    }

    #[test]
    fn whitespace_with_a_meaning_stays_without_a_test() {
        let (end, asked) = ends_with("bash", "a=1\n[ a ]\n", |_| true, super::layout);
        assert_eq!((end.as_str(), asked.len()), ("a=1\n[ a ]\n", 0));
    }
}
