rust_source thin-vec 0.2.16 >thin_vec.rs
sed -i '1i #![feature(anonymous_lifetime_in_impl_trait)]' thin_vec.rs
cat >>thin_vec.rs <<'END'

/// What makes something of itself.
pub trait Make {
    type Made;
    fn make(self) -> Self::Made;
}

/// A look at some elements.
pub trait Look<'a> {
    fn elements(&self) -> usize;
}

fn together<'a, T>(vec: &'a ThinVec<T>, look: impl Look<'a>) -> usize {
    look.elements().min(vec.len())
}

/// How many elements a look covers.
pub fn covered<T>(vec: &ThinVec<T>, maker: impl Make<Made: Look>) -> usize {
    let count = together(vec, maker.make());
    count
}
END
