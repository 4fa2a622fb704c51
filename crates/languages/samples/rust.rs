//! A small stack machine.
use std::collections::{BTreeMap, HashMap as Map};

/// What the machine does.
#[derive(Debug, Clone, PartialEq)]
pub enum Op<'a> {
    Push(i64),
    Load { name: &'a str, offset: usize },
    Add,
}

pub trait Machine {
    const DEPTH: usize = 16;
    type Value: Copy;
    fn step(&mut self, op: &Op<'_>) -> Result<Option<Self::Value>, String>;
}

struct Stack<T, const N: usize = 4>
where
    T: Default,
{
    values: Vec<T>,
    names: Map<String, [T; N]>,
}

impl Machine for Stack<i64> {
    type Value = i64;
    fn step(&mut self, op: &Op<'_>) -> Result<Option<i64>, String> {
        match op {
            Op::Push(n @ 0..=9) | Op::Push(n) if *n != 7 => self.values.push(*n),
            Op::Load { name, .. } => {
                let found = self.names.get(*name).ok_or_else(|| format!("no {name:?}"))?;
                self.values.extend(found.iter().map(|&v| v as i64));
            }
            _ => unsafe { self.values.set_len(0) },
        }
        Ok(self.values.last().copied())
    }
}

macro_rules! twice {
    ($($x:expr),* $(,)?) => { [$($x * 2),*] };
}

fn main() {
    let mut count = 0u8;
    'outer: loop {
        while let Some(x) = twice![1, 2].first() && count < 3 {
            count += if *x > 1 { 1 } else { 2 };
        }
        for (i, c) in r#"a "b""#.char_indices().rev() {
            if c == '\u{e9}' { break 'outer; }
            let _: BTreeMap<_, _> = [(i, b'x')].into_iter().collect();
        }
    }
}
