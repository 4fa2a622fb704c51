//! Reducing through generators that are closures.
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]
#![allow(clippy::print_stdout, reason = "random tests print their seed")]

mod alignment;
mod brute_force;
mod challenges;
mod files;
mod graphs;
mod harness;
mod models;
mod paper;
mod shrinking;
mod words;
