//! Literals and sets of characters in ANTLR's notation: `'a\n'` and `[a-z\p{L}]`.

use crate::charset::CharSet;
use crate::cursor::Cursor;
use crate::problem::{Fault, Problem};

/// What an escape stands for.
enum Escaped {
    Char(u32),
    Set(CharSet),
}

/// Reads a literal in single quotes.
pub(super) fn literal(cursor: &mut Cursor<'_>) -> Result<String, Problem> {
    let place = cursor.place();
    cursor.need("'")?;
    let mut text = String::new();
    loop {
        match cursor.peek() {
            None | Some('\n' | '\r') => return Err(cursor.problem_at(place, Fault::Unclosed("a literal"))),
            Some('\'') => {
                cursor.bump();
                return Ok(text);
            }
            Some('\\') => match escape(cursor)? {
                Escaped::Char(c) => text.extend(char::from_u32(c)),
                Escaped::Set(_) => return Err(cursor.problem(Fault::Expected("a single character in a literal"))),
            },
            Some(c) => {
                cursor.bump();
                text.push(c);
            }
        }
    }
}

/// Reads a set in brackets.
pub(super) fn set(cursor: &mut Cursor<'_>) -> Result<CharSet, Problem> {
    let place = cursor.place();
    cursor.need("[")?;
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    // The character that a `-` may follow.
    let mut from: Option<u32> = None;
    loop {
        let next = match cursor.peek() {
            None => return Err(cursor.problem_at(place, Fault::Unclosed("a set"))),
            Some(']') => {
                cursor.bump();
                return Ok(CharSet::new(ranges));
            }
            Some('\\') => escape(cursor)?,
            Some('-') if from.is_some() && !cursor.rest().starts_with("-]") => {
                cursor.bump();
                let to = match cursor.peek() {
                    Some('\\') => escape(cursor)?,
                    _ => Escaped::Char(cursor.bump().map_or(0, u32::from)),
                };
                if let (Some(start), Escaped::Char(end)) = (from.take(), &to) {
                    ranges.push(cursor.range(place, start, *end)?);
                }
                to
            }
            Some(c) => {
                cursor.bump();
                Escaped::Char(c as u32)
            }
        };
        match next {
            Escaped::Char(c) => {
                ranges.push((c, c));
                from = Some(c);
            }
            Escaped::Set(set) => {
                ranges.extend(set.ranges());
                from = None;
            }
        }
    }
}

fn escape(cursor: &mut Cursor<'_>) -> Result<Escaped, Problem> {
    let place = cursor.place();
    cursor.need("\\")?;
    let wrong = |cursor: &Cursor<'_>, text: &str| Err(cursor.problem_at(place, Fault::Escape(text.to_owned())));
    let Some(c) = cursor.bump() else { return wrong(cursor, "") };
    Ok(Escaped::Char(match c {
        'n' => '\n'.into(),
        'r' => '\r'.into(),
        't' => '\t'.into(),
        'b' => 8,
        'f' => 12,
        'u' => {
            let from = cursor.offset();
            let digits = if cursor.eat("{") {
                let digits = cursor.skip_while(|c| c.is_ascii_hexdigit());
                cursor.need("}")?;
                digits
            } else {
                for _ in 0..4 {
                    if cursor.peek().is_some_and(|c| c.is_ascii_hexdigit()) {
                        cursor.bump();
                    }
                }
                cursor.since(from)
            };
            match u32::from_str_radix(digits, 16) {
                Ok(code) if code <= u32::from(char::MAX) => code,
                _ => return wrong(cursor, &format!("u{digits}")),
            }
        }
        'p' | 'P' => {
            cursor.need("{")?;
            let name = cursor.skip_while(|c| c != '}');
            cursor.need("}")?;
            let Some(set) = CharSet::property(name) else { return wrong(cursor, &format!("{c}{{{name}}}")) };
            return Ok(Escaped::Set(if c == 'p' { set } else { set.complement() }));
        }
        // ANTLR reports other letters and drops the set; what is meant is the character.
        other => other.into(),
    }))
}
