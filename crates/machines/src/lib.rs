//! One reduction over many machines: workers test candidates for a client, and the result is that of one machine.
//!
//! A client has a [`Fleet`], which is a property like any other. A worker is a process that a user starts: by `ssh`, or
//! anywhere with NATS. What both say is the same on every transport (`frames.rs`): the property and the base travel once, by
//! digest, and each candidate is a small edit of the base.
//!
//! | | client | worker |
//! |---|---|---|
//! | finding each other | `recruiting.rs`, `nats.rs` | `worker.rs`, `nats.rs` |
//! | what travels before the first test | `payload.rs` | `session.rs`, `contents.rs` |
//! | who gets which test | `fleet.rs`, `roster.rs`, `slots.rs`, `here.rs`, `testing.rs` | |
//! | which verdicts count | `audit.rs`, `ledger.rs` | |
//! | questions and answers | `remote.rs` | `session.rs` |
//! | candidates as edits | `edits.rs` | `edits.rs` |
//!
//! Promise: a worker that dies, hangs, is cut off, or answers twice or late costs time, and changes no verdict. If a worker is found
//! to disagree with this machine, its verdicts are withdrawn, and the result is that of one machine. What no comparison shows is
//! not found.

mod audit;
mod contents;
mod edits;
mod fleet;
mod frames;
mod here;
mod ledger;
mod link;
mod nats;
mod news;
mod payload;
mod recruiting;
mod remote;
mod roster;
mod session;
mod slots;
mod testing;
mod worker;

pub use fleet::{Basis, Fleet, FleetReport, FleetView, Machines, SharedView};
pub use frames::{About, MAX_FILES_BYTES, VERSION};
pub use nats::{NatsAddress, census, serve_nats};
pub use news::{News, NewsListener};
pub use recruiting::{Address, AddressError};
pub use session::WorkerSetup;
pub use worker::serve_stdio;
