rust_source either 1.9.0 >either.rs
sed -i '1i #![feature(non_lifetime_binders)]' either.rs
cat >>either.rs <<'END'

/// An iterator over anything.
pub trait Stream<T>: Iterator<Item = T> {}

/// The first of a stream of anything.
pub fn first_of(mut stream: impl for<T> Stream<T>) -> Either<Option<u32>, ()> {
    let found = stream.next();
    Either::Left(found)
}
END
