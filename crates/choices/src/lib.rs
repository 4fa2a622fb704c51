//! Random choices for generators of test inputs, recorded and replayed so that Whittle can reduce what they made.
//!
//! A generator asks a [`Source`] for everything that it would leave to chance. Run by hand, it draws from a seed; run by
//! `whittle generator TEST -- ./generator 7`, its choices are recorded, and it is run again and again with some of them
//! left out or lowered (Ren et al.: *Validity-Preserving Delta Debugging via Generator Trace Reduction*, 2024). What
//! passes between the two is told in `docs/trace-protocol.md`.
//!
//! ```
//! use whittle_choices::Source;
//!
//! fn tree(source: &mut Source) -> String {
//!     source.scope("tree", |source| {
//!         let name = *source.choose(&["a", "b", "c"]);
//!         let inner = source.optional(tree).unwrap_or_default();
//!         let numbers = source.repeat(0..=3, |source| source.int(0..=99).to_string());
//!         format!("{name}({inner}{})", numbers.join(","))
//!     })
//! }
//!
//! # fn main() -> Result<(), whittle_choices::TraceError> {
//! let mut source = Source::from_env(7)?;
//! print!("{}", tree(&mut source));
//! # Ok(())
//! # }
//! ```
//!
//! Three things make a generator one that reduces well:
//!
//! - **Scopes**: a function that calls itself runs in a [`scope`](Source::scope), so that a call can become one that is
//!   nested in it, and what is drawn in it stays in step with what is recorded.
//! - **Loops and blocks** that chance decides are [`repeat`](Source::repeat) and [`optional`](Source::optional): their
//!   parts are what is left out first.
//! - **Lower is simpler**: numbers go down to the lower end of their range, choices to the first.
//!
//! A choice is told from others by where it stands in the generator's text, so a helper that draws for others should be
//! `#[track_caller]` or a scope.
//!
//! # Generators that know nothing of this
//!
//! With the feature `rand_core` a [`Source`] is an `RngCore`: what draws by `rand` is seen number by number. What reads
//! bytes gets them from [`Source::bytes`]: `arbitrary::Unstructured::new(&bytes)`, or proptest's
//! `TestRng::from_seed(RngAlgorithm::PassThrough, &bytes)`. A whole program that reads bytes from its standard input needs
//! nothing at all: `whittle generator --bytes FILE`. The less is known of what a number is for, the worse it reduces.

mod error;
mod numbers;
mod player;
mod recorder;
#[cfg(feature = "rand_core")]
mod rng;
mod script;
mod source;

pub use error::TraceError;
pub use source::Source;
