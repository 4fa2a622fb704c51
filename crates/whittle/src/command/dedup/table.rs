//! Rows of words in columns that are as wide as they must be.

use std::fmt::Write;

/// To which side the words of a column go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

/// The rows under the heads of their columns, one line each.
pub(crate) fn table(heads: &[(&str, Side)], rows: &[Vec<String>]) -> String {
    let heading: Vec<String> = heads.iter().map(|(head, _)| (*head).to_owned()).collect();
    let lines = || std::iter::once(&heading).chain(rows);
    let width = |column: usize| lines().map(|row| row[column].chars().count()).max().unwrap_or_default();
    let widths: Vec<usize> = (0..heads.len()).map(width).collect();
    let mut text = String::new();
    for row in lines() {
        let mut line = String::new();
        for ((word, width), (_, side)) in row.iter().zip(&widths).zip(heads) {
            // Writing to a string does not fail.
            let _ = match side {
                Side::Left => write!(line, "{word:<width$}  "),
                Side::Right => write!(line, "{word:>width$}  "),
            };
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_word() {
        let rows = [vec!["1".to_owned(), "a".to_owned()], vec!["1,000".to_owned(), "b c".to_owned()]];
        let shown = table(&[("n", Side::Right), ("names", Side::Left)], &rows);
        assert_eq!(shown, "    n  names\n    1  a\n1,000  b c\n");
    }
}
