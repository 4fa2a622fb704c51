//! Random choices for generators of test inputs, recorded and replayed so that Whittle can reduce those inputs.
//!
//! A generator asks a [`Source`] for all its random choices. On its own, it draws from a seed. Under
//! `whittle generator TEST -- ./generator 7`, its choices are recorded, and it runs again and again with some of them
//! removed or lowered (Ren et al.: *Validity-Preserving Delta Debugging via Generator Trace Reduction*, 2024).
//! `docs/trace-protocol.md` specifies how the two communicate.
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
//! To make a generator reduce well:
//!
//! - **Use scopes**: run a recursive function in a [`scope`](Source::scope). A call can then be replaced by one nested
//!   in it, and its choices stay aligned with the recorded ones.
//! - **Use [`repeat`](Source::repeat) and [`optional`](Source::optional)** for random loops and blocks: they are
//!   removed first.
//! - **Put the simplest first**: numbers shrink to the lower end of their range, choices to the first item.
//!
//! - **Let items have an identity**: [`choose`](Source::choose) finds the recorded item again by its [`Fingerprint`],
//!   even if there are fewer items to choose from now. For other types, [`choose_by`](Source::choose_by) takes a key.
//!
//! Choices are identified by their place in the generator's source code, so a function that draws for several callers
//! should be `#[track_caller]` or a scope.
//!
//! # Generators that do not use this crate
//!
//! With the feature `rand_core` a [`Source`] is an `RngCore` for code that uses `rand`; each number is a choice. Code
//! that reads bytes gets them from [`Source::bytes`]: `arbitrary::Unstructured::new(&bytes)`, or proptest's
//! `TestRng::from_seed(RngAlgorithm::PassThrough, &bytes)`. A program that reads bytes from standard input needs no
//! changes: `whittle generator --bytes FILE`. The less Whittle knows about the meaning of a number, the worse it
//! reduces.

mod error;
mod fingerprint;
mod numbers;
mod player;
mod recorder;
#[cfg(feature = "rand_core")]
mod rng;
mod script;
mod source;

pub use error::TraceError;
pub use fingerprint::Fingerprint;
pub use source::Source;

/// Makes a test of the README's example.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
