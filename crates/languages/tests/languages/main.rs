//! Every language that was compiled in, over its sample in `samples/`.

mod detection;
mod grammars;
mod samples;
