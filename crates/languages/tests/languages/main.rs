//! Tests every language that is compiled in on its sample in `samples/`.

mod detection;
mod grammars;
mod samples;
