//! Classic shrinking challenges (https://github.com/jlink/shrinking-challenge): small properties on which ways of making
//! inputs small are compared. Each has a generator as one would write it, and a measure of how small a result is.

use whittle_traces::{NoInput, Player};

use crate::harness::Make;

/// One challenge.
pub(crate) struct Challenge {
    pub(crate) name: &'static str,
    pub(crate) make: Make,
    pub(crate) accepts: fn(&str) -> bool,
    /// How large an input is, in the challenge's own measure.
    pub(crate) size: fn(&str) -> usize,
    /// The size of the smallest.
    pub(crate) smallest: usize,
}

pub(crate) const CHALLENGES: [Challenge; 12] = [
    challenge("reverse", |p| list(p, 20, 2000), |text| numbers(text).iter().rev().ne(numbers(text).iter()), count, 2),
    challenge("bound5", bound5, bound5_fails, count, 2),
    challenge("binheap", |p| heap(p, 0, 0), heap_fails, count, 4),
    challenge("calculator", |p| expression(p, 0), divides_by_zero, count_terms, 5),
    challenge("large union list", |p| lists(p, 10), |text| distinct(text) >= 5, count, 5),
    challenge("distinct", |p| list(p, 20, 2000), |text| distinct(text) >= 3, count, 3),
    challenge("nested lists", |p| lists(p, 20), |text| numbers(text).len() > 10, count, 11),
    challenge("coupling", coupled, coupling_fails, count, 2),
    challenge("length list", |p| list(p, 100, 1000), |text| numbers(text).iter().any(|n| n + 1000 >= 900), count, 1),
    challenge("difference zero", pair, |text| differ(text, |d| d == 0), sum, 20),
    challenge("difference small", pair, |text| differ(text, |d| (1..5).contains(&d)), sum, 16),
    challenge("difference one", pair, |text| differ(text, |d| d == 1), sum, 19),
];

const fn challenge(
    name: &'static str,
    make: Make,
    accepts: fn(&str) -> bool,
    size: fn(&str) -> usize,
    smallest: usize,
) -> Challenge {
    Challenge { name, make, accepts, size, smallest }
}

/// All numbers in a text, in order.
fn numbers(text: &str) -> Vec<i64> {
    text.split(|c: char| !c.is_ascii_digit() && c != '-').filter_map(|word| word.parse().ok()).collect()
}

fn count(text: &str) -> usize {
    numbers(text).len()
}

fn sum(text: &str) -> usize {
    numbers(text).iter().sum::<i64>() as usize
}

fn distinct(text: &str) -> usize {
    let mut all = numbers(text);
    all.sort_unstable();
    all.dedup();
    all.len()
}

/// A list of up to `longest` numbers around zero.
fn list(player: &mut Player<'_>, longest: u64, range: u64) -> Result<String, NoInput> {
    player.call("list", |player| {
        let mut items = Vec::new();
        let length = player.draw("length", longest)?;
        player.times("items", length, |player, _| {
            items.push((player.draw("item", range)? as i64 - range as i64 / 2).to_string());
            Ok(())
        })?;
        Ok(format!("[{}]", items.join(", ")))
    })
}

fn lists(player: &mut Player<'_>, longest: u64) -> Result<String, NoInput> {
    let mut items = Vec::new();
    let length = player.draw("lists", longest)?;
    player.times("all lists", length, |player, _| {
        items.push(list(player, longest, 2000)?);
        Ok(())
    })?;
    Ok(format!("[{}]", items.join(", ")))
}

fn bound5(player: &mut Player<'_>) -> Result<String, NoInput> {
    let mut all = Vec::new();
    player.times("five", 5, |player, _| {
        all.push(list(player, 10, 65535)?);
        Ok(())
    })?;
    Ok(all.join("\n"))
}

fn bound5_fails(text: &str) -> bool {
    let wrapping = |text: &str| numbers(text).iter().fold(0i16, |sum, number| sum.wrapping_add(*number as i16));
    let sums: Vec<i16> = text.lines().map(wrapping).collect();
    sums.iter().all(|sum| *sum < 256) && sums.iter().fold(0i16, |a, b| a.wrapping_add(*b)) >= 1280
}

/// A heap: a number and two heaps of numbers that are not smaller.
fn heap(player: &mut Player<'_>, least: i64, depth: u64) -> Result<String, NoInput> {
    player.call("heap", |player| {
        player.select(
            "if empty",
            |player| Ok(depth > 5 || player.draw("empty", 2)? == 0),
            |_| Ok("-".to_owned()),
            |player| {
                let value = least + player.draw("value", 1000)? as i64;
                Ok(format!("({value} {} {})", heap(player, value, depth + 1)?, heap(player, value, depth + 1)?))
            },
        )
    })
}

struct Heap(i64, Option<Box<Heap>>, Option<Box<Heap>>);

fn read_heap(text: &mut std::iter::Peekable<std::str::SplitWhitespace<'_>>) -> Option<Box<Heap>> {
    match text.next()? {
        "(" => {
            let value = text.next()?.parse().ok()?;
            let (left, right) = (read_heap(text), read_heap(text));
            text.next();
            Some(Box::new(Heap(value, left, right)))
        }
        _ => None,
    }
}

fn merge(a: Option<Box<Heap>>, b: Option<Box<Heap>>) -> Option<Box<Heap>> {
    match (a, b) {
        (None, other) | (other, None) => other,
        (Some(a), Some(b)) if a.0 <= b.0 => Some(Box::new(Heap(a.0, merge(a.2, Some(b)), a.1))),
        (a, Some(b)) => Some(Box::new(Heap(b.0, merge(b.2, a), b.1))),
    }
}

/// The bug: the first element is taken, and the rest is listed in the order of the tree.
fn heap_fails(text: &str) -> bool {
    let spaced = text.replace('(', "( ").replace(')', " )");
    let Some(heap) = read_heap(&mut spaced.split_whitespace().peekable()) else { return false };
    let mut listed = vec![heap.0];
    let mut pending = vec![merge(heap.1, heap.2)];
    while let Some(next) = pending.pop() {
        if let Some(next) = next {
            listed.push(next.0);
            pending.push(next.2);
            pending.push(next.1);
        }
    }
    listed.windows(2).any(|pair| pair[0] > pair[1])
}

fn expression(player: &mut Player<'_>, depth: u64) -> Result<String, NoInput> {
    player.call("expression", |player| {
        let kind = player.draw("kind", if depth > 5 { 0 } else { 2 })?;
        player.select(
            "if number",
            |_| Ok(kind == 0),
            |player| Ok(player.draw("number", 1000)?.to_string()),
            |player| {
                let (left, right) = (expression(player, depth + 1)?, expression(player, depth + 1)?);
                Ok(format!("({left} {} {right})", if kind == 1 { '+' } else { '/' }))
            },
        )
    })
}

fn count_terms(text: &str) -> usize {
    text.split(|c: char| " ()".contains(c)).filter(|word| !word.is_empty()).count()
}

/// The value of an expression; `None` if it divides by zero.
fn evaluate(words: &mut std::slice::Iter<'_, String>) -> Option<i64> {
    let word = words.next()?;
    if word != "(" {
        return word.parse().ok();
    }
    let left = evaluate(words)?;
    let operator = words.next()?.clone();
    let right = evaluate(words)?;
    words.next();
    if operator == "+" { left.checked_add(right) } else { left.checked_div(right) }
}

/// Fails by a division by zero, but not by a literal zero.
fn divides_by_zero(text: &str) -> bool {
    let spaced = text.replace('(', "( ").replace(')', " )");
    let words: Vec<String> = spaced.split_whitespace().map(str::to_owned).collect();
    !text.contains("/ 0") && evaluate(&mut words.iter()).is_none()
}

/// A list of indices into itself.
fn coupled(player: &mut Player<'_>) -> Result<String, NoInput> {
    let mut items = Vec::new();
    let length = player.draw("length", 20)?;
    player.times("items", length, |player, _| {
        items.push(player.draw("item", length - 1)?.to_string());
        Ok(())
    })?;
    Ok(items.join(" "))
}

fn coupling_fails(text: &str) -> bool {
    let all = numbers(text);
    all.iter().enumerate().any(|(place, target)| {
        *target != place as i64 && all.get(*target as usize).is_some_and(|back| *back == place as i64)
    })
}

fn pair(player: &mut Player<'_>) -> Result<String, NoInput> {
    Ok(format!("{} {}", player.draw("first", 1000)?, player.draw("second", 1000)?))
}

fn differ(text: &str, wrong: fn(i64) -> bool) -> bool {
    let all = numbers(text);
    all[0] >= 10 && wrong((all[0] - all[1]).abs())
}
