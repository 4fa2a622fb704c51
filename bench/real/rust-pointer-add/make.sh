rust_source slab 0.4.9 >slab.rs
cat >>slab.rs <<'END'

/// Sums of addresses.
pub struct Addresses<T> {
    all: Vec<T>,
}

impl<T> Addresses<T>
where
    *const T: core::ops::Add,
{
    /// Twice an address.
    pub fn twice(one: *const T) -> usize {
        let seen = 0;
        one + one;
        seen
    }
}
END
