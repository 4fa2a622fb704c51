//! Every algorithm with every combination of options, and random properties of short lists.

use whittle_lists::{
    AfterSuccess, Algorithm, CddOptions, Complements, DdminOptions, Order, ProbabilityOptions, Split, Subset,
    WddminOptions, Weights,
};

const ORDERS: [Order; 2] = [Order::Forward, Order::Backward];

pub(crate) fn complements() -> Vec<Complements> {
    let with = |order| {
        [AfterSuccess::Continue, AfterSuccess::Restart].map(|after_success| Complements { order, after_success })
    };
    ORDERS.into_iter().flat_map(with).collect()
}

/// Every algorithm with every combination of options.
pub(crate) fn variants() -> Vec<Algorithm> {
    let mut variants = Vec::new();
    let subset_orders = [None, Some(Order::Forward), Some(Order::Backward)];
    for complements in complements() {
        variants.push(Algorithm::Onemin(complements));
        for subsets in subset_orders {
            variants.push(Algorithm::Wddmin(WddminOptions { subsets, complements }));
            for split in [Split::Zeller, Split::Balanced] {
                for factor in ["2", "3", "5", "100", "auto"] {
                    let split_factor = factor.parse().unwrap();
                    variants.push(Algorithm::Ddmin(DdminOptions { split_factor, split, subsets, complements }));
                }
            }
        }
    }
    for sweep in [None, Some(Complements::default())] {
        for start in [0.01, 0.25, 0.9] {
            variants.push(Algorithm::Cdd(CddOptions { start, sweep }));
            for threshold in [0.8, 1.0] {
                let options = ProbabilityOptions { start, threshold, sweep };
                variants.extend([Algorithm::Probdd(options), Algorithm::Wprobdd(options)]);
            }
        }
    }
    variants
}

/// A property of the subsets of a short list, as a table; the whole list has it.
pub(crate) struct Problem {
    pub(crate) len: usize,
    pub(crate) weights: Weights,
    table: Vec<bool>,
}

impl Problem {
    /// A random problem of at most `max_len` elements; for half of the seeds the property is monotone.
    pub(crate) fn random(seed: u64, max_len: usize) -> Self {
        println!("seed {seed}");
        let mut random = fastrand::Rng::with_seed(seed);
        let len = random.usize(0..=max_len);
        let mut table = vec![false; 1 << len];
        if seed.is_multiple_of(2) {
            let sufficient: Vec<usize> = (0..random.usize(1..4)).map(|_| random.usize(0..1 << len)).collect();
            for (set, interesting) in table.iter_mut().enumerate() {
                *interesting = sufficient.iter().any(|some| some & set == *some);
            }
        } else {
            let density = random.f64() * 0.6;
            table.iter_mut().for_each(|interesting| *interesting = random.f64() < density);
        }
        *table.last_mut().unwrap() = true;
        let heaviest = [1, 3, 100, u32::MAX][random.usize(0..4)];
        let weights: Vec<u32> = (0..len).map(|_| random.u32(0..=heaviest)).collect();
        Self { len, weights: Weights::new(&weights), table }
    }

    pub(crate) fn holds(&self, subset: &Subset) -> bool {
        self.table[subset.elements().map(|element| 1 << element).sum::<usize>()]
    }

    pub(crate) fn is_one_minimal(&self, list: &[usize]) -> bool {
        let list = Subset::from_elements(list.iter().copied());
        // The empty list is never proposed, so a list of one element is as small as it gets.
        list.len() < 2 || (0..list.len()).all(|position| !self.holds(&list.without(position..position + 1)))
    }
}
