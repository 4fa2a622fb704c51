#!/usr/bin/env bash
# build.sh OUT: a Cargo workspace of either, fixedbitset and itertools, with a function over all three that rustc fails on (see README.md).
source "$(dirname "$0")/../fetch.sh"
begin "$1"
crate either 1.9.0 "$out/either"
crate fixedbitset 0.4.2 "$out/fixedbitset"
crate itertools 0.13.0 "$out/itertools"
cd "$out"
rm -f ./*/Cargo.toml.orig ./*/Cargo.lock

cat >Cargo.toml <<'TOML'
[workspace]
members = ["either", "fixedbitset", "itertools"]
resolver = "2"
TOML
# Cargo resolves optional and test dependencies too, and the tests run without network: only the members depend on each other.
python3 - either fixedbitset itertools <<'PYTHON'
import re, sys
for member in sys.argv[1:]:
    path = f"{member}/Cargo.toml"
    sections = re.split(r"(?m)^(?=\[)", open(path, encoding="utf-8").read())
    unwanted = re.compile(r"\[\[bench\]\]|\[dev-dependencies|\[dependencies\.serde\]|\[profile")
    text = "".join(section for section in sections if not unwanted.match(section))
    open(path, "w", encoding="utf-8").write(re.sub(r'(?m)^(serde|.*"serde.*)\n', "", text))
PYTHON
weave itertools/Cargo.toml '[dependencies.either]' <<<'path = "../either"'
cat >>itertools/Cargo.toml <<'TOML'

[dependencies.fixedbitset]
version = "0.4"
path = "../fixedbitset"
TOML

weave either/src/lib.rs 'pub use crate::Either::{Left, Right};' <<'RUST'

mod producer;
pub use crate::producer::Producer;
RUST
cat >either/src/producer.rs <<'RUST'
use crate::Either;

/// Builds a value when asked for it.
pub trait Producer {
    /// What is built.
    type Output;
    /// Builds it.
    fn produce(self) -> Self::Output;
}

impl<L, R> Producer for Either<L, R>
where
    L: Producer,
    R: Producer<Output = L::Output>,
{
    type Output = L::Output;

    fn produce(self) -> Self::Output {
        match self {
            Either::Left(left) => left.produce(),
            Either::Right(right) => right.produce(),
        }
    }
}
RUST
weave fixedbitset/src/lib.rs 'mod range;' <<'RUST'
mod view;

pub use view::{same_lifetime, BlockView};
RUST
cat >fixedbitset/src/view.rs <<'RUST'
use crate::FixedBitSet;

/// A part of the blocks of a set.
pub trait BlockView<'a> {
    /// How many blocks it covers.
    fn covered(&self) -> usize {
        0
    }
}

/// The bits of a set and of a view of that set.
pub fn same_lifetime<'a>(set: &'a FixedBitSet, view: impl BlockView<'a>) -> usize {
    set.len() + view.covered()
}
RUST
weave itertools/src/lib.rs 'mod adaptors;' <<'RUST'
mod covered;
RUST
weave itertools/src/lib.rs '#![crate_name = "itertools"]' <<'RUST'
#![feature(anonymous_lifetime_in_impl_trait)]
RUST
weave itertools/src/lib.rs 'pub use either::Either;' <<'RUST'
pub use covered::count_covered;
RUST
cat >itertools/src/covered.rs <<'RUST'
use either::Producer;
use fixedbitset::{same_lifetime, BlockView, FixedBitSet};

/// The bits of `set` that the view made by `producer` covers.
pub fn count_covered<'a>(set: &'a FixedBitSet, producer: impl Producer<Output: BlockView<'_>>) -> usize {
    let n = same_lifetime(set, producer.produce());
    n / 32
}
RUST
cargo generate-lockfile --offline --quiet
finish
