rust_source vec_map 0.8.2 >vec_map.rs
cat >>vec_map.rs <<'END'

/// Where maps are kept.
pub trait Keeper {
    fn keep(place: ()) -> impl core::future::Future + Send;
}

/// Keeps nothing.
pub struct Nowhere;

impl Keeper for Nowhere {
    fn keep(place: ()) -> impl core::future::Future {
        loop {}
        async { place }
    }
}
END
