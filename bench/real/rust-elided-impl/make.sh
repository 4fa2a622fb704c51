rust_source fixedbitset 0.4.2 >fixedbitset.rs
sed -i '1i #![feature(anonymous_lifetime_in_impl_trait)]' fixedbitset.rs
cat >>fixedbitset.rs <<'END'

/// What makes something of itself.
pub trait Make {
    type Made;
    fn make(self) -> Self::Made;
}

/// A look at some blocks.
pub trait Look<'a> {
    fn blocks(&self) -> usize;
}

fn together<'a>(set: &'a FixedBitSet, look: impl Look<'a>) -> usize {
    look.blocks().min(set.len())
}

/// How many blocks a look covers.
pub fn covered(set: &FixedBitSet, maker: impl Make<Made: Look>) -> usize {
    let count = together(set, maker.make());
    count
}
END
