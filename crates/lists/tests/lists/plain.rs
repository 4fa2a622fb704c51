//! `ddmin` as Kiss prints it: plain lists, slow, nothing shared with the minimizers. The models of reducers in other
//! crates use this file too.

use whittle_lists::{AfterSuccess, DdminOptions, Order, Split};

pub(crate) fn in_order<T>(order: Order, items: impl DoubleEndedIterator<Item = T>) -> Vec<T> {
    match order {
        Order::Forward => items.collect(),
        Order::Backward => items.rev().collect(),
    }
}

pub(crate) fn without(list: &[usize], part: &[usize]) -> Vec<usize> {
    list.iter().copied().filter(|element| !part.contains(element)).collect()
}

/// Algorithm 3 of Kiss on the numbers below `len`: `parts` is what it calls the Δs. A complement keeps its parts, as in
/// Picire.
pub(crate) fn ddmin(
    len: usize,
    factor: usize,
    options: DdminOptions,
    test: &mut dyn FnMut(&[usize]) -> bool,
) -> Vec<usize> {
    let DdminOptions { split, subsets, complements, .. } = options;
    let mut list: Vec<usize> = (0..len).collect();
    if list.len() < 2 {
        return list;
    }
    let mut parts = even_parts(&list, factor, split);
    // Where to begin among the complements: a fraction, since it is scaled when parts are cut.
    let (mut offset, mut divisor) = (0, 1);
    'round: loop {
        for index in subsets.map(|order| in_order(order, 0..parts.len())).unwrap_or_default() {
            if parts.len() > 1 && test(&parts[index]) {
                list = parts.swap_remove(index);
                if list.len() < 2 {
                    return list;
                }
                parts = even_parts(&list, factor, split);
                (offset, divisor) = (0, 1);
                continue 'round;
            }
        }
        for index in in_order(complements.order, 0..parts.len()) {
            let index = (index + offset / divisor) % parts.len();
            let complement = without(&list, &parts[index]);
            if !complement.is_empty() && test(&complement) {
                list = complement;
                parts.remove(index);
                let goes_on = complements.after_success == AfterSuccess::Continue;
                (offset, divisor) = (if goes_on { index } else { 0 }, 1);
                // One part is the whole list.
                if parts.len() == 1 {
                    if list.len() < 2 {
                        return list;
                    }
                    parts = even_parts(&list, factor, split);
                }
                continue 'round;
            }
        }
        if parts.len() >= list.len() {
            return list;
        }
        let cut = even_parts(&list, parts.len().saturating_mul(factor), split);
        (offset, divisor) = (offset * cut.len(), divisor * parts.len());
        parts = cut;
    }
}

/// Parts of almost equal length.
fn even_parts(list: &[usize], count: usize, split: Split) -> Vec<Vec<usize>> {
    let count = count.min(list.len());
    let mut rest = list;
    let part = |part: usize| {
        let taken = match split {
            // The longer ones last.
            Split::Zeller => rest.len() / (count - part),
            Split::Balanced => list.len() * (part + 1) / count - list.len() * part / count,
        };
        let (head, tail) = rest.split_at(taken);
        rest = tail;
        head.to_vec()
    };
    (0..count).map(part).collect()
}
