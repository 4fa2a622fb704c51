rust_source linked-hash-map 0.5.6 >linked_hash_map.rs
cat >>linked_hash_map.rs <<'END'

/// What has values.
pub trait Valued {
    type Value;
}

/// What hears of values.
pub trait Hear<K: Valued>: Fn(K::Value) {}

/// All that hear.
pub struct Ears<K> {
    count: usize,
    ear: dyn Hear<K>,
}

impl<K> Ears<K> {
    fn tell(self) {
        (self.ear)();
    }
}
END
