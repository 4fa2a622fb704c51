//! Workers that are found by a NATS server: core NATS alone, requests with a queue group and plain messages.
//!
//! An idle worker subscribes to `whittle.GROUP.hire` in a queue group. A client's request goes to one of them, which unsubscribes
//! and works for that client until it leaves. So the next request goes to another worker, and a request without an answer says
//! that nobody is idle. What follows is a link (`stream.rs`) over two subjects that only these two know. Workers also listen to
//! `whittle.GROUP.census`, which asks all of them who is there.

mod account;
mod stream;

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use async_nats::client::RequestErrorKind;
use async_nats::{Client, Message, Subscriber};
use futures_util::stream::select_all;
use futures_util::{FutureExt, StreamExt};
use serde::{Deserialize, Serialize};
use tokio::runtime::Runtime;

pub use account::NatsAddress;

use crate::frames::{About, Hello, decode, encode};
use crate::link::Link;
use crate::news::News;
use crate::recruiting::{Contact, Parting, employ};
use crate::roster::Roster;
use crate::session::{Worker, WorkerSetup};

/// The queue group of idle workers.
const QUEUE: &str = "whittle-workers";

/// How often a client asks for idle workers if there was none.
const HIRE_PAUSE: Duration = Duration::from_secs(1);

/// The pause before somebody who has no connection tries again.
const CONNECT_PAUSE: Duration = Duration::from_secs(2);

/// How long answers of workers are collected.
const CENSUS: Duration = Duration::from_secs(1);

/// A client asks for a worker.
#[derive(Debug, Serialize, Deserialize)]
struct Hire {
    /// Where the client listens.
    subject: String,
    /// Workers it does not want.
    without: Vec<String>,
}

/// A worker takes the offer, and says how it is called and where it listens; or it does not.
type Reply = Option<(String, String)>;

/// One thread serves all connections of the process.
fn runtime() -> &'static Runtime {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    RUNTIME.get_or_init(|| {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        builder.worker_threads(1).thread_name("whittle-nats").enable_all();
        builder.build().expect("a thread can be started")
    })
}

fn hire_subject(group: &str) -> String {
    format!("whittle.{group}.hire")
}

fn census_subject(group: &str) -> String {
    format!("whittle.{group}.census")
}

fn name_of(about: &About) -> String {
    format!("{} ({})", about.host, about.process)
}

/// Hires idle workers of a group until the fleet retires.
pub(crate) fn seek(address: &NatsAddress, contact: &Arc<Contact>, roster: &Arc<Roster>) {
    let mut employed = Vec::new();
    let mut said = String::new();
    let client = loop {
        match runtime().block_on(address.connect()) {
            Ok(client) => break client,
            Err(problem) => {
                let reason = problem.to_string();
                if reason != said {
                    roster.tell(&News::Lost { worker: address.to_string(), reason: reason.clone() });
                }
                contact.fail(&reason, problem.is_final());
                said = reason;
            }
        }
        roster.rest(CONNECT_PAUSE);
        if roster.is_retired() {
            return;
        }
    };
    // Workers may connect to the server at any time.
    contact.make();
    while !roster.is_retired() {
        match runtime().block_on(hire(&client, address, roster)) {
            Ok((name, link)) => {
                let (contact, roster) = (Arc::clone(contact), Arc::clone(roster));
                employed.push(std::thread::spawn(move || employ_by_name(link, name, &contact, &roster)));
            }
            Err(is_nobody_idle) => roster.rest(if is_nobody_idle { HIRE_PAUSE } else { Duration::ZERO }),
        }
    }
    for thread in employed {
        let _ = thread.join();
    }
    // What is on its way says goodbye.
    let _ = runtime().block_on(client.flush());
}

fn employ_by_name(link: Link, name: String, contact: &Contact, roster: &Arc<Roster>) {
    match employ(link, &name, contact, roster) {
        Parting::LeftOut(reason) => {
            roster.payload.ban(&name);
            roster.tell(&News::LeftOut { worker: name, reason });
        }
        // The reason was reported when it was dismissed.
        Parting::Lost(reason) if reason.is_empty() || roster.payload.is_banned(&name) => {}
        Parting::Lost(reason) => roster.tell(&News::Lost { worker: name, reason }),
    }
}

/// A worker that was idle. `Err(true)`: there is none. `Err(false)`: one did not answer, so that another may.
async fn hire(client: &Client, address: &NatsAddress, roster: &Roster) -> Result<(String, Link), bool> {
    let inbox = client.new_inbox();
    let arriving = client.subscribe(inbox.clone()).await.map_err(|_| true)?;
    let hire = Hire { subject: inbox, without: roster.payload.banned() };
    let reply = client.request(hire_subject(&address.group), encode(&hire).into()).await;
    let reply = reply.map_err(|error| error.kind() != RequestErrorKind::TimedOut)?;
    let (name, subject) = decode::<Reply>(&reply.payload).flatten().ok_or(true)?;
    Ok((name, stream::open(client.clone(), subject, arriving)))
}

/// Works for clients of a NATS server, one after the other, until the process ends.
pub fn serve_nats(setup: WorkerSetup, address: &NatsAddress, say: &dyn Fn(&str)) -> io::Result<()> {
    let mut said = String::new();
    let client = loop {
        match runtime().block_on(address.connect()) {
            Ok(client) => break client,
            Err(problem) => {
                let reason = problem.to_string();
                if reason != said {
                    say(&format!("cannot connect to {address}: {reason}; trying again"));
                }
                said = reason;
                std::thread::sleep(CONNECT_PAUSE);
            }
        }
    };
    say(&format!("connected to {address}"));
    let worker = Arc::new(Worker::new(setup));
    let is_busy = Arc::new(AtomicBool::new(false));
    runtime().block_on(answer_census(&client, &worker, &is_busy))?;
    loop {
        let link = runtime().block_on(await_hire(&client, &worker))?;
        is_busy.store(true, Ordering::Relaxed);
        worker.serve(link);
        is_busy.store(false, Ordering::Relaxed);
    }
}

/// Answers requests for the list of workers, until the process ends.
async fn answer_census(client: &Client, worker: &Arc<Worker>, is_busy: &Arc<AtomicBool>) -> io::Result<()> {
    for group in &worker.setup.groups {
        let mut asked = client.subscribe(census_subject(group)).await.map_err(io::Error::other)?;
        let (client, worker, is_busy) = (client.clone(), Arc::clone(worker), Arc::clone(is_busy));
        tokio::spawn(async move {
            while let Some(message) = asked.next().await {
                let hello = Hello::new(worker.about(is_busy.load(Ordering::Relaxed)));
                reply(&client, message, encode(&hello)).await;
            }
        });
    }
    Ok(())
}

/// Waits for a client.
async fn await_hire(client: &Client, worker: &Worker) -> io::Result<Link> {
    let mut asked: Vec<Subscriber> = Vec::new();
    for group in &worker.setup.groups {
        let subscribed = client.queue_subscribe(hire_subject(group), QUEUE.to_owned()).await;
        asked.push(subscribed.map_err(io::Error::other)?);
    }
    let name = name_of(&worker.about(false));
    let mut asked = select_all(asked);
    loop {
        let message = asked.next().await.ok_or(io::ErrorKind::ConnectionAborted)?;
        let wanted = decode::<Hire>(&message.payload).filter(|hire| !hire.without.contains(&name));
        let Some(hire) = wanted else {
            reply(client, message, encode(&Reply::None)).await;
            continue;
        };
        let inbox = client.new_inbox();
        let arriving = client.subscribe(inbox.clone()).await.map_err(io::Error::other)?;
        reply(client, message, encode(&Some((name, inbox)))).await;
        // The requests of others that came meanwhile: they ask somebody else.
        while let Some(Some(message)) = asked.next().now_or_never() {
            reply(client, message, encode(&Reply::None)).await;
        }
        return Ok(stream::open(client.clone(), hire.subject, arriving));
    }
}

async fn reply(client: &Client, message: Message, payload: Vec<u8>) {
    if let Some(subject) = message.reply {
        // Without an answer, the client asks again.
        let _ = client.publish(subject, payload.into()).await;
    }
}

/// The workers of a group, by machine and process. Those of other versions of Whittle are errors.
pub fn census(address: &NatsAddress) -> Result<Vec<Result<About, String>>, String> {
    runtime().block_on(async {
        let client = address.connect().await.map_err(|problem| problem.to_string())?;
        let inbox = client.new_inbox();
        let failed = |error: &dyn std::error::Error| error.to_string();
        let mut answers = client.subscribe(inbox.clone()).await.map_err(|error| failed(&error))?;
        let asked = client.publish_with_reply(census_subject(&address.group), inbox, Vec::new().into()).await;
        asked.map_err(|error| failed(&error))?;
        let (mut all, deadline) = (Vec::new(), Instant::now() + CENSUS);
        while let Ok(Some(message)) = tokio::time::timeout_at(deadline.into(), answers.next()).await {
            // A server that knows of nobody answers with nothing.
            if !message.payload.is_empty() {
                all.push(Hello::read(&message.payload));
            }
        }
        all.sort_by_key(|about| about.as_ref().map(|about| (about.host.clone(), about.process)).ok());
        Ok(all)
    })
}
