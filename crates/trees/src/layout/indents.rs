//! How far lines are indented where no brackets say so.

use std::collections::HashSet;

use super::atoms::Atom;
use super::style::{Lines, Style};
use crate::{NodeId, Tree};

/// Words that begin a part of the construct around them, and stand below its beginning.
const MIDDLE: [&[u8]; 14] = [
    b"else", b"elif", b"elsif", b"elseif", b"then", b"do", b"when", b"in", b"rescue", b"ensure", b"catch", b"after",
    b"finally", b"until",
];

/// How many rules around a token count: what is deeper is as far to the right. Not measured.
const MAX_RULES: usize = 500;

/// The indentation of each atom that begins a line; the others have none.
pub(crate) fn indents(tree: &Tree, style: Style, atoms: &[Atom], breaks: &[bool]) -> Vec<usize> {
    match style.lines {
        Lines::Indented => by_columns(tree, style, atoms, breaks),
        Lines::Kept | Lines::Words if style.indent > 0 => by_rules(tree, style, atoms, breaks),
        _ => vec![0; atoms.len()],
    }
}

/// One level for each column at which lines of an enclosing block begin.
fn by_columns(tree: &Tree, style: Style, atoms: &[Atom], breaks: &[bool]) -> Vec<usize> {
    let mut indents = vec![0; atoms.len()];
    let column = |atom: &Atom| {
        let before = &tree.text()[..atom.range.start];
        before.len() - before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1)
    };
    let below = columns_below(atoms, column);
    // Columns in the text, and what they become.
    let mut levels: Vec<(usize, usize)> = Vec::from([(0, 0)]);
    let new = |levels: &[(usize, usize)]| levels.last().map_or(0, |&(_, new)| new);
    let mut line_indent = 0;
    for (index, atom) in atoms.iter().enumerate() {
        if breaks[index] && !atom.begins_line {
            // A block that was on the line of its header.
            line_indent += style.indent;
            indents[index] = line_indent;
            continue;
        }
        if index == 0 || breaks[index] {
            // A comment belongs to the block of the line below it.
            let old = if atom.token.is_none() { column(atom).min(below[index]) } else { column(atom) };
            while levels.len() > 1 && levels.last().is_some_and(|&(known, _)| known > old) {
                levels.pop();
            }
            if levels.last().is_some_and(|&(known, _)| known < old) {
                levels.push((old, new(&levels) + style.indent));
            }
            line_indent = new(&levels);
            indents[index] = line_indent;
        }
        // What follows a dash is a block of its own.
        if matches!(&tree.text()[atom.range.clone()], b"-" | b"?")
            && atoms.get(index + 1).is_some_and(|next| !next.begins_line)
            && (index == 0 || breaks[index] || levels.last().is_some_and(|&(known, _)| known == column(atom)))
        {
            levels.push((column(&atoms[index + 1]), new(&levels) + style.indent));
        }
    }
    indents
}

/// For each atom, the column of the next token that begins a line.
fn columns_below(atoms: &[Atom], column: impl Fn(&Atom) -> usize) -> Vec<usize> {
    let mut columns = vec![usize::MAX; atoms.len()];
    let mut next = usize::MAX;
    for (index, atom) in atoms.iter().enumerate().rev() {
        if atom.token.is_some() && atom.begins_line {
            next = column(atom);
        }
        columns[index] = next;
    }
    columns
}

/// One level for each line above on which a rule around the token begins with a token of its own.
fn by_rules(tree: &Tree, style: Style, atoms: &[Atom], breaks: &[bool]) -> Vec<usize> {
    let mut lines = vec![0; tree.len()];
    let mut line = 0;
    for (index, atom) in atoms.iter().enumerate() {
        line += usize::from(breaks[index]);
        if let Some(token) = atom.token {
            lines[token.index()] = line;
        }
    }
    let starts: HashSet<NodeId> =
        atoms.iter().zip(breaks).filter(|(_, begins)| **begins).filter_map(|(atom, _)| atom.token).collect();
    let is_middle = |token: NodeId| starts.contains(&token) && MIDDLE.contains(&tree.token_text(token));
    let is_closing = |token: NodeId| {
        let own = tree.rules_above(token).next();
        tree.symbol(token).is_none() && own.is_some_and(|own| tree.first_token(own) != Some(token))
    };
    let level = |token: NodeId| {
        let mut last = lines[token.index()];
        let mut levels = 0;
        for rule in tree.rules_above(token).take(MAX_RULES).filter(|&rule| rule != tree.root()) {
            let Some(first) = tree.first_token(rule) else { continue };
            let is_own = tree.rules_above(first).next() == Some(rule);
            let is_end = tree.end(token) == tree.end(rule) && is_closing(token);
            let is_part = is_middle(token) && tree.rules_above(token).take(3).any(|above| above == rule);
            if is_own && !is_end && !is_part && !is_middle(first) && lines[first.index()] < last {
                last = lines[first.index()];
                levels += 1;
            }
        }
        levels * style.indent
    };
    let mut indents = vec![0; atoms.len()];
    let mut next = 0;
    for (index, atom) in atoms.iter().enumerate().rev() {
        if breaks[index] {
            next = atom.token.map_or(next, level);
            indents[index] = next;
        }
    }
    indents
}
