//! Where declarations begin and end, and what their heads declare, by [`Tokens`].
//!
//! A parser that stumbles over an extension of the language loses track of what is within what, and preprocessed C++ is
//! full of extensions. So where braces and semicolons end declarations, these are looked for among the tokens. In other
//! languages, declarations are the elements of the outermost list, and of the bodies of classes; in data, those of the
//! longest list. Bodies of functions are not looked into, but for that of the last one.
//!
//! The head of a declaration is what comes before its parameters, its body or its value.
//!
//! Cost: linear in the tokens.

use std::ops::Range;

use super::reach::Unit;
use super::token_stream::Tokens;
use crate::layout::{Lines, Style};
use crate::words::starts_name;
use crate::{Kind, NodeId};

/// Words that end the head: what follows are other classes or tables.
const AFTER_NAME: [&[u8]; 5] = [b"extends", b"implements", b"where", b"as", b"on"];

/// Words whose parentheses are not parameters, although they look like names.
const OPERATORS: [&[u8]; 3] = [b"typeof", b"__typeof", b"__typeof__"];

/// Words before a colon that is a declaration of its own.
const ACCESS: [&[u8]; 3] = [b"public", b"protected", b"private"];

/// Words that go on with a declaration after a closing brace.
const CONTINUED: [&[u8]; 4] = [b"catch", b"else", b"while", b"__attribute__"];

/// What goes on with a declaration if it follows a name after a closing brace.
const AFTER_DECLARATOR: [&[u8]; 4] = [b";", b",", b"[", b"="];

/// A declaration.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// Its tokens.
    pub(crate) tokens: Range<u32>,
    /// The element of a list that it is; `None` if it was found by tokens.
    pub(crate) element: Option<NodeId>,
    /// The number of the declaration around it.
    pub(crate) wrapper: Option<u32>,
    /// Whether it is in the body of a function.
    pub(crate) is_statement: bool,
}

/// What comes before the parameters, the body or the value of a declaration.
#[derive(Default)]
pub(crate) struct Head {
    /// The names in it.
    names: Vec<u32>,
    /// What is declared after the body, or by its parts.
    more: Vec<u32>,
    /// Names of parameters.
    locals: Vec<u32>,
    /// The first token after the head and the parameters.
    end: u32,
    /// Whether there are parameters.
    is_function: bool,
    /// The braces of a body that holds declarations.
    body: Option<Range<u32>>,
}

impl Tokens<'_> {
    /// The declarations that are not within others.
    pub(crate) fn outermost(&self) -> Vec<Found> {
        let is_list = |&node: &NodeId| matches!(self.tree.kind(node), Kind::List { .. });
        let found = if self.has_braces() {
            self.split(0..self.tokens.len() as u32)
        } else {
            self.tree.nodes().find(is_list).map_or(Vec::new(), |list| self.elements(list))
        };
        if found.len() > 1 {
            return found;
        }
        // Data, such as an array of records.
        let longest = self.tree.nodes().filter(is_list).max_by_key(|&list| self.tree.elements(list).count());
        longest.map_or(Vec::new(), |list| self.elements(list))
    }

    fn has_braces(&self) -> bool {
        self.lines() == Some(Lines::Braces)
    }

    /// Whether the first name of a head is what is declared, and not the last.
    fn is_lisp(&self) -> bool {
        self.lines() == Some(Lines::Lisp)
    }

    fn lines(&self) -> Option<Lines> {
        self.tree.grammar().map(|grammar| Style::of(grammar).lines)
    }

    /// The elements of a list as declarations.
    fn elements(&self, list: NodeId) -> Vec<Found> {
        let at = |node: NodeId| self.tokens.partition_point(|&token| token < node) as u32;
        let found = |element: NodeId| {
            let tokens = at(element)..at(self.tree.end(element));
            Found { tokens, element: Some(element), wrapper: None, is_statement: false }
        };
        self.tree.elements(list).map(found).filter(|found| !found.tokens.is_empty()).collect()
    }

    /// The declarations in a body.
    pub(crate) fn within(&self, found: &Found, head: &Head) -> Vec<Found> {
        match (found.element, &head.body) {
            (None, Some(body)) => {
                let inner = self.split(body.start + 1..body.end).into_iter();
                inner.map(|inner| Found { is_statement: head.is_function, ..inner }).collect()
            }
            (Some(element), _) if self.is_class(found.tokens.clone()) => {
                let is_body = |&node: &NodeId| {
                    let is_list = matches!(self.tree.kind(node), Kind::List { .. });
                    is_list && self.tree.first_token(node) > self.tokens.get(head.end as usize).copied()
                };
                self.tree.descendants(element).find(is_body).map_or(Vec::new(), |list| self.elements(list))
            }
            _ => Vec::new(),
        }
    }

    /// Whether a declaration has declarations in it: the word in front says so.
    fn is_class(&self, tokens: Range<u32>) -> bool {
        self.text(tokens.start) == b"class"
    }

    /// Cuts tokens into declarations.
    fn split(&self, tokens: Range<u32>) -> Vec<Found> {
        let (mut found, mut at) = (Vec::new(), tokens.start);
        while at < tokens.end {
            let end = self.end_of(at, tokens.end);
            found.push(Found { tokens: at..end, element: None, wrapper: None, is_statement: false });
            at = end;
        }
        found
    }

    /// Where a declaration ends.
    fn end_of(&self, start: u32, limit: u32) -> u32 {
        if self.text(start).starts_with(b"#") {
            return (start + 1..limit).find(|&at| self.begins_line(at)).unwrap_or(limit);
        }
        if ACCESS.contains(&self.text(start)) && self.text(start + 1) == b":" {
            return (start + 2).min(limit);
        }
        let mut at = start;
        while at < limit {
            match self.text(at) {
                b";" => return at + 1,
                b"{" => {
                    at = self.behind(at);
                    if self.is_ended(at) && self.text(start) != b"typedef" {
                        return at.min(limit);
                    }
                }
                b"(" | b"[" => at = self.behind(at),
                _ => at += 1,
            }
        }
        limit
    }

    /// Whether a declaration ends after a closing brace, before this token.
    fn is_ended(&self, at: u32) -> bool {
        let text = self.text(at);
        let is_word = text.first().is_some_and(starts_name);
        if !is_word {
            // What else can begin a declaration.
            return matches!(text, b"" | b"}" | b"~" | b"::" | b"[[" | b"@") || text.starts_with(b"#");
        }
        let is_declarator = !self.begins_line(at) && AFTER_DECLARATOR.contains(&self.text(at + 1));
        !is_declarator && !CONTINUED.contains(&text)
    }

    /// The head of a declaration; with `opened`, the body of a function holds declarations too.
    pub(crate) fn head(&self, tokens: Range<u32>, opened: bool) -> Head {
        let mut head = Head { end: tokens.end, ..Head::default() };
        let mut at = tokens.start;
        // Whether what comes now are other classes, and whether the last token was a name, or its arguments.
        let (mut is_over, mut is_name) = (false, false);
        while at < tokens.end {
            let text = self.text(at);
            match text {
                // Of a form such as `(declare-fun f () Int)`.
                b"(" if at == tokens.start => at += 1,
                b"(" if is_name && !is_over => {
                    if let Some(name) = self.pointer_name(at) {
                        head.names.push(name);
                    } else {
                        head.locals = self.parameters(at);
                    }
                    head.is_function = true;
                    head.end = self.behind(at);
                    if opened {
                        head.body = self.function_body(head.end, tokens.end);
                    }
                    break;
                }
                b"(" | b"[" => (at, is_name) = (self.behind(at), false),
                b"<" => at = self.behind_angle(at, tokens.end),
                b"{" => {
                    let after = self.behind(at);
                    head.end = at + 1;
                    head.more = (after..tokens.end).filter_map(|at| self.name(at)).collect();
                    if self.holds_declarations(at) {
                        head.body = Some(at..after - 1);
                    } else {
                        head.more.extend(self.parts(at).iter().filter_map(|part| self.name(part.start)));
                    }
                    break;
                }
                b"=" | b";" if !head.names.is_empty() => break,
                b"operator" => {
                    head.names.clear();
                    head.end = self.behind_operands(at, tokens.end);
                    break;
                }
                // What is in it is declared around it.
                b"inline" if self.text(at + 1) == b"namespace" => (at, is_over) = (at + 2, true),
                b"@" => at += 2,
                _ if OPERATORS.contains(&text) => (at, is_name) = (at + 1, false),
                _ => {
                    let name = self.name(at).filter(|_| !is_over);
                    is_over |= text == b":" && !head.names.is_empty()
                        || AFTER_NAME.iter().any(|word| text.eq_ignore_ascii_case(word));
                    is_name = name.is_some();
                    head.names.extend(name);
                    at += 1;
                }
            }
        }
        head
    }

    /// The token after the parameters of an operator, which may itself be `()`.
    fn behind_operands(&self, operator: u32, end: u32) -> u32 {
        let open = (operator..end).find(|&at| self.text(at) == b"(" && self.text(at + 1) != b")");
        open.map_or(end, |open| self.behind(open))
    }

    /// The braces of a function's body.
    fn function_body(&self, from: u32, end: u32) -> Option<Range<u32>> {
        let open = (from..end).find(|&at| self.text(at) == b"{")?;
        self.holds_declarations(open).then(|| open..self.behind(open) - 1)
    }

    /// The name of a pointer to a function: `(*name)`.
    fn pointer_name(&self, open: u32) -> Option<u32> {
        let stars = (open + 1..).take_while(|&at| self.text(at) == b"*").count() as u32;
        (stars > 0).then(|| self.name(open + 1 + stars)).flatten()
    }

    /// Whether there are declarations between braces, and not only parts separated by commas.
    fn holds_declarations(&self, open: u32) -> bool {
        let (mut at, end) = (open + 1, self.behind(open) - 1);
        while at < end {
            match self.text(at) {
                b";" | b"{" => return true,
                b"(" | b"[" => at = self.behind(at),
                _ => at += 1,
            }
        }
        false
    }

    /// The names of parameters: the last of each one, before its type or default. A single name may be a type.
    fn parameters(&self, open: u32) -> Vec<u32> {
        let name = |part: Range<u32>| {
            let end = part.clone().find(|&at| matches!(self.text(at), b"=" | b":")).unwrap_or(part.end);
            let first = part.start + u32::from(self.text(end) != b":");
            (first..end).rev().find_map(|at| self.name(at))
        };
        self.parts(open).into_iter().filter_map(name).collect()
    }

    /// What is known of a declaration.
    pub(crate) fn unit(&self, found: &Found, head: &Head, within: &[Found]) -> Unit {
        let name = if self.is_lisp() { head.names.first() } else { head.names.last() };
        // In the body of a function, what has arguments is a call.
        let is_call = found.is_statement && head.is_function;
        let declares = unique(name.into_iter().chain(&head.more).copied().filter(|_| !is_call).collect());
        let locals = head.locals.iter().copied().filter(|name| !declares.contains(name)).collect();
        let names = |tokens: Range<u32>| tokens.filter_map(|at| self.mention(at));
        let signature: Vec<u32> = names(found.tokens.start..head.end).collect();
        let mut mentions = signature.clone();
        let mut at = head.end;
        for inner in within {
            mentions.extend(names(at..inner.tokens.start));
            at = inner.tokens.end;
        }
        mentions.extend(names(at..found.tokens.end));
        let (signature, mentions) = (unique(signature), unique(mentions));
        Unit { wrapper: found.wrapper, declares, signature, mentions, locals, is_function: head.is_function }
    }
}

fn unique(mut numbers: Vec<u32>) -> Vec<u32> {
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}
