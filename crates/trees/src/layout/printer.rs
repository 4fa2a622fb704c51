//! The printer: lists in brackets are on one line if they fit, else each element is on its own.

use whittle_grammars::Grammar;

use super::Gap;
use super::atoms::{Atom, atoms};
use super::breaks::{Pairs, breaks, pairs};
use super::indents::indents;
use super::spaces::spaces;
use super::style::{Lines, Style};
use crate::Tree;

/// The columns of a line that are used if possible, as most formatters have it.
const WIDTH: usize = 80;

/// The columns by which a line is indented at most. Deeper nesting would cost the square of its depth in spaces. Where
/// indentation is syntax, what parses differently after that is not tested.
const MAX_INDENT: usize = 400;

/// The whitespace before each atom that can have another one, and at the end of the text.
pub(crate) fn print(tree: &Tree, grammar: &Grammar) -> Vec<Gap> {
    let style = Style::of(grammar);
    let atoms = atoms(tree);
    let pairs = pairs(tree, &atoms);
    let breaks = breaks(tree, style, &atoms, &pairs);
    let spaces = spaces(tree, grammar, style, &atoms, &pairs);
    let indents = indents(tree, style, &atoms, &breaks);
    Printer { tree, style, ends: flat_ends(&atoms, &spaces), atoms, pairs, breaks, spaces, indents }.print()
}

/// Where each atom would end if all were on one line.
fn flat_ends(atoms: &[Atom], spaces: &[bool]) -> Vec<usize> {
    let mut end = 0;
    let ends = atoms.iter().zip(spaces).map(|(atom, &space)| {
        end += atom.range.len() + usize::from(space);
        end
    });
    ends.collect()
}

struct Printer<'a> {
    tree: &'a Tree,
    style: Style,
    atoms: Vec<Atom>,
    pairs: Pairs,
    breaks: Vec<bool>,
    spaces: Vec<bool>,
    indents: Vec<usize>,
    ends: Vec<usize>,
}

/// Brackets that are open.
struct Level {
    close: usize,
    /// Whether the elements are on lines of their own, how far these are indented, and how far the closing bracket.
    is_broken: bool,
    /// Whether that is since they do not fit on one, so that every comma ends a line.
    is_list: bool,
    inner: usize,
    outer: usize,
}

impl Printer<'_> {
    fn print(&self) -> Vec<Gap> {
        let mut gaps = Vec::with_capacity(self.atoms.len() + 1);
        let mut levels: Vec<Level> = Vec::new();
        let (mut column, mut line_indent, mut position) = (0, 0, 0);
        for (index, atom) in self.atoms.iter().enumerate() {
            let range = position..atom.range.start.max(position);
            position = atom.range.end;
            if atom.is_bound {
                column = after(column, &self.tree.text()[range]);
            } else {
                let text = self.whitespace(index, levels.last(), &mut line_indent);
                column = after(column, text.as_bytes());
                gaps.push(Gap { range, text });
            }
            if levels.last().is_some_and(|level| level.close == index) {
                levels.pop();
            }
            if let Some(close) = self.pairs[index].filter(|&close| close > index) {
                levels.push(self.level(index, close, column, line_indent));
            }
            column = after(column, &self.tree.text()[atom.range.clone()]);
        }
        gaps.extend(self.tail(position));
        gaps
    }

    /// The whitespace before an atom, given the brackets around it.
    fn whitespace(&self, index: usize, level: Option<&Level>, line_indent: &mut usize) -> String {
        if index == 0 {
            return String::new();
        }
        if !self.begins_line(index, level) {
            return " ".repeat(usize::from(self.spaces[index]));
        }
        *line_indent = match level {
            Some(level) if level.close == index => level.outer,
            Some(level) if level.is_broken => level.inner,
            _ => self.indents[index],
        };
        let line = if self.ends_with_line(index - 1) { "" } else { "\n" };
        line.to_owned() + &" ".repeat((*line_indent).min(MAX_INDENT))
    }

    /// The end of the text: one line end, if there is anything before it.
    fn tail(&self, position: usize) -> Option<Gap> {
        let range = position..self.tree.text().len();
        let is_whitespace = self.tree.text()[range.clone()].trim_ascii().is_empty();
        let text = if self.atoms.is_empty() || self.ends_with_line(self.atoms.len() - 1) { "" } else { "\n" };
        is_whitespace.then(|| Gap { range, text: text.to_owned() })
    }

    /// Whether an atom has a line end of its own, as some comments do.
    fn ends_with_line(&self, index: usize) -> bool {
        self.tree.text()[self.atoms[index].range.clone()].ends_with(b"\n")
    }

    fn begins_line(&self, index: usize, level: Option<&Level>) -> bool {
        if self.breaks[index] || self.ends_with_line(index - 1) {
            return true;
        }
        let Some(level) = level.filter(|level| level.is_broken) else { return false };
        let follows_comma = &self.tree.text()[self.atoms[index - 1].range.clone()] == b",";
        match (self.style.lines, level.close == index) {
            (Lines::Lisp, closes) => !self.opens(index - 1) && !closes,
            (_, true) => !self.style.closes_in_line || !level.is_list || follows_comma,
            (_, false) => self.opens(index - 1) || (level.is_list && follows_comma),
        }
    }

    fn opens(&self, index: usize) -> bool {
        self.pairs[index].is_some_and(|partner| partner > index)
    }

    /// Brackets that open in a column of a line.
    fn level(&self, open: usize, close: usize, column: usize, line_indent: usize) -> Level {
        let can_break = close > open + 1 && !matches!(self.style.lines, Lines::Kept | Lines::Markup);
        let is_comment = |index: usize| self.atoms[index].is_comment;
        let mut breaks = self.direct(open, close).filter(|&index| self.breaks[index]);
        let has_lines = breaks.clone().any(|index| !is_comment(index) && !is_comment(index - 1));
        let has_comments = breaks.next().is_some();
        let is_wide = || self.has_elements(open, close) && column + self.flat_width(open, close) > WIDTH;
        let is_list = can_break && !has_lines && (has_comments || is_wide());
        let is_broken = can_break && (has_lines || is_list);
        let begin = if self.style.lines == Lines::Lisp { column } else { line_indent };
        let inner = if is_broken { begin + self.style.indent } else { line_indent };
        Level { close, is_broken, is_list, inner, outer: line_indent }
    }

    /// The atoms directly between two brackets, and the brackets of those within.
    fn direct(&self, open: usize, close: usize) -> impl Iterator<Item = usize> + Clone {
        std::iter::successors(Some(open + 1), move |&index| {
            Some(self.pairs[index].filter(|&partner| partner > index).unwrap_or(index + 1))
        })
        .take_while(move |&index| index < close)
    }

    fn has_elements(&self, open: usize, close: usize) -> bool {
        let mut direct = self.direct(open, close);
        match self.style.lines {
            Lines::Lisp => true,
            _ => direct.any(|index| &self.tree.text()[self.atoms[index].range.clone()] == b","),
        }
    }

    /// How wide the text in brackets is up to the first line that begins in it.
    fn flat_width(&self, open: usize, close: usize) -> usize {
        let text = |index: usize| &self.tree.text()[self.atoms[index].range.clone()];
        let ends_line = |&index: &usize| self.breaks[index] || text(index).contains(&b'\n');
        // Every atom has a column at least, so a line has few of them.
        let end = (open + 1..=close).take(WIDTH).find(ends_line).map_or(close, |index| index - 1);
        self.ends[end] - self.ends[open] + self.atoms[open].range.len()
    }
}

/// The column after a text that begins in a column.
fn after(column: usize, text: &[u8]) -> usize {
    match text.iter().rposition(|&byte| byte == b'\n') {
        Some(line) => text.len() - line - 1,
        None => column + text.len(),
    }
}
