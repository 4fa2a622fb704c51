//! Source text with colours, as an editor shows it. Only what is visible is parsed, so that a long text costs no more than a
//! short one.

use std::ops::Range;

use ratatui::style::{Color, Style};
use ratatui::text::{Line, Span};
use whittle::trees::{NodeId, Syntax, Tree};

/// The columns of a tabulator.
const TAB: &str = "    ";

/// How far above its text a string is in a tree.
const STRING_DEPTH: usize = 3;

/// The lines of `text`, in colours if its syntax is known.
pub(super) fn coloured(text: &str, syntax: Option<&Syntax>) -> Vec<Line<'static>> {
    let spans = syntax.map_or_else(Vec::new, |syntax| styles(&syntax.tree(text)));
    let mut lines = Vec::new();
    let mut start = 0;
    for line in text.split('\n') {
        lines.push(styled_line(line, start, &spans));
        start += line.len() + 1;
    }
    lines
}

/// Which parts of a text have which style, in order. Between tokens is whitespace, or a comment.
fn styles(tree: &Tree) -> Vec<(Range<usize>, Style)> {
    let mut styles = Vec::new();
    let mut end = 0;
    for token in tree.tokens(tree.root()) {
        let range = tree.token_range(token);
        styles.push((end..range.start, Style::new().fg(Color::DarkGray)));
        end = range.end;
        styles.push((range, style_of(tree, token)));
    }
    styles.push((end..tree.text().len(), Style::new().fg(Color::DarkGray)));
    styles
}

fn style_of(tree: &Tree, token: NodeId) -> Style {
    let text = tree.token_text(token);
    let is_keyword = |text: &[u8]| {
        str::from_utf8(text).is_ok_and(|word| tree.grammar().is_some_and(|grammar| grammar.is_keyword(word)))
    };
    let kind =
        |node: NodeId| tree.symbol(node).zip(tree.grammar()).map(|(symbol, grammar)| &grammar.describe(symbol).name);
    let is_a = |node: NodeId, word: &str| kind(node).is_some_and(|kind| kind.contains(word));
    // The text between quotes is often a token of its own, and the only one in a list.
    let mut around = std::iter::successors(Some(token), |node| tree.parent(*node)).take(STRING_DEPTH);
    let is_string = around.any(|node| is_a(node, "string") || is_a(node, "char_"));
    match text.first() {
        Some(b'"' | b'\'' | b'`') => Style::new().fg(Color::Green),
        _ if is_string => Style::new().fg(Color::Green),
        Some(byte) if byte.is_ascii_digit() => Style::new().fg(Color::Magenta),
        _ if is_a(token, "comment") => Style::new().fg(Color::DarkGray),
        Some(byte) if byte.is_ascii_alphabetic() && is_keyword(text) => Style::new().fg(Color::Blue),
        _ => Style::new(),
    }
}

/// The line that begins at `start`, with the styles that meet it.
fn styled_line(line: &str, start: usize, styles: &[(Range<usize>, Style)]) -> Line<'static> {
    let end = start + line.len();
    let first = styles.partition_point(|(range, _)| range.end <= start);
    let mut spans = Vec::new();
    let mut at = start;
    for (range, style) in styles[first..].iter().take_while(|(range, _)| range.start < end) {
        let (from, to) = (range.start.max(at), range.end.min(end));
        // A text that is not UTF-8 was shown with other characters before; a range may then end within one.
        let Some(part) = line.get(from - start..to.max(from) - start) else { break };
        spans.push(Span::styled(part.replace('\t', TAB), *style));
        at = to.max(from);
    }
    spans.push(Span::raw(line.get(at - start..).unwrap_or_default().replace('\t', TAB)));
    Line::from(spans)
}

#[cfg(test)]
mod tests {
    use super::*;
    use whittle::languages::Language;
    use whittle::syntaxes::syntax;

    #[test]
    fn every_character_is_shown_once_and_kinds_have_their_colours() {
        let c = syntax(Language::by_name("c").unwrap()).unwrap();
        let text = "/* one\n two */ int f() {\n\treturn 12; // x\n}\nchar *s = \"é\";";
        let lines = coloured(text, Some(&c));
        let shown: Vec<String> = lines.iter().map(ToString::to_string).collect();
        assert_eq!(shown.join("\n"), text.replace('\t', TAB));
        let colour = |word: &str| {
            let mut spans = lines.iter().flat_map(|line| &line.spans);
            spans.find(|span| span.content.contains(word)).unwrap().style.fg
        };
        let found = ["return", "12", "// x", "é", "f"].map(colour);
        let [blue, magenta, gray, green] = [Color::Blue, Color::Magenta, Color::DarkGray, Color::Green];
        assert_eq!(found, [Some(blue), Some(magenta), Some(gray), Some(green), None]);
        assert_eq!(lines[1].spans[0].style.fg, Some(gray), "a comment goes on in the next line");
    }

    #[test]
    fn text_without_a_syntax_has_no_colours() {
        assert_eq!(coloured("a\n b", None), [Line::from("a"), Line::from(" b")]);
    }
}
