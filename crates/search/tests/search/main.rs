//! The search as its callers see it, with properties that live in this process.
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod ahead;
mod common;
mod confirm;
mod journal;
mod limits;
mod memory;
mod order;
mod resume;
mod starting_over;
