//! Pseudo-random numbers for runs without a script: SplitMix64 (Steele, Lea, Flood, 2014). The C header and the
//! JavaScript file draw the same numbers from the same seed.

/// A stream of numbers.
#[derive(Clone, Debug)]
pub(crate) struct Numbers {
    state: u64,
}

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 to `max`, all equally likely. Draws as many bits as `max` has until they fit.
    pub(crate) fn up_to(&mut self, max: u64) -> u64 {
        if max == 0 {
            return 0;
        }
        loop {
            let number = self.next() >> max.leading_zeros();
            if number <= max {
                return number;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Numbers;

    #[test]
    fn the_numbers_are_those_of_the_published_generator() {
        let mut numbers = Numbers::new(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| numbers.up_to(u64::MAX)).collect();
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn every_number_of_a_range_comes_up_and_no_other() {
        for max in [0, 1, 2, 6, 7, 8, 100] {
            let mut numbers = Numbers::new(3);
            let mut seen: Vec<u64> = (0..5000).map(|_| numbers.up_to(max)).collect();
            seen.sort_unstable();
            seen.dedup();
            assert_eq!(seen, (0..=max).collect::<Vec<_>>());
        }
    }
}
