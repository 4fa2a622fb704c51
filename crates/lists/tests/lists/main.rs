//! Tests of the list minimizers from outside: against recorded runs, against brute force, against the papers.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "these are tests, helpers included")]

mod brute_force;
mod contract;
mod counted;
mod golden;
mod harness;
mod models;
mod neighbours;
mod plain;
mod problems;
mod recorded;
mod split_factor;
mod worked_example;
