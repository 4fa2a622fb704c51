//! How workers are found, checked and taken in, and what happens when they are gone.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, select};
use whittle_property::conditions::{CommandLine, CommandLineError};
use whittle_search::Cancel;

use crate::audit::FIRST_CHECKS;
use crate::contents::part;
use crate::edits::whole;
use crate::frames::{Answer, Hello, Question, ToClient, ToWorker, decode, digest, encode};
use crate::link::{Link, over_pipes};
use crate::nats::NatsAddress;
use crate::news::News;
use crate::remote::{Remote, Reply};
use crate::roster::{Prospect, Roster};

/// How long a worker may take to say hello: a connection by ssh may be slow.
const HELLO: Duration = Duration::from_secs(60);

/// How long it may say nothing while it gets ready.
const READY: Duration = Duration::from_secs(60);

/// An address at which nobody was reached for so long, from the start on, is not waited for if there is nobody else.
const FIRST_CONTACT: Duration = Duration::from_secs(30);

/// The shortest and the longest pause before a lost worker is called again.
const PAUSES: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(30));

/// How much of what a command says on standard error is kept, in bytes: the last lines say why it ended.
const LAST_WORDS: usize = 400;

/// Where workers are.
#[derive(Clone, Debug)]
pub enum Address {
    /// A command that connects to one worker by its standard input and output, such as `ssh host whittle worker --stdio`.
    Command(CommandLine),
    /// A group of workers at a NATS server.
    Nats(NatsAddress),
}

/// A text that is no address.
#[derive(Debug, thiserror::Error)]
pub enum AddressError {
    /// A command that cannot be run.
    #[error(transparent)]
    Command(#[from] CommandLineError),
    /// The address of a server that makes no sense.
    #[error("{0}")]
    Nats(String),
}

impl Address {
    /// Reads an address as typed in `cwd`.
    pub fn parse(text: &str, cwd: &Path) -> Result<Self, AddressError> {
        if NatsAddress::is_one(text) {
            return NatsAddress::parse(text).map(Self::Nats).map_err(AddressError::Nats);
        }
        Ok(CommandLine::parse(text, cwd).map(Self::Command)?)
    }
}

/// Why a worker is not at work any more.
pub(crate) enum Parting {
    /// It may come again.
    Lost(String),
    /// It is not wanted again.
    LeftOut(String),
}

/// Keeps workers at an address at work until the fleet retires.
pub(crate) fn recruit(number: usize, address: Address, roster: Arc<Roster>) -> JoinHandle<()> {
    std::thread::spawn(move || match address {
        Address::Command(line) => {
            call_again(&line, &Contact::new(line.to_string(), number, Arc::clone(&roster)), &roster);
            roster.expect(number, Prospect::Closed);
        }
        Address::Nats(address) => {
            let contact = Arc::new(Contact::new(address.to_string(), number, Arc::clone(&roster)));
            crate::nats::seek(&address, &contact, &roster);
        }
    })
}

/// Whether anybody was ever reached at an address.
pub(crate) struct Contact {
    address: String,
    number: usize,
    roster: Arc<Roster>,
    began: Instant,
    is_made: AtomicBool,
}

impl Contact {
    fn new(address: String, number: usize, roster: Arc<Roster>) -> Self {
        Self { address, number, roster, began: Instant::now(), is_made: AtomicBool::new(false) }
    }

    /// Somebody answered.
    pub(crate) fn make(&self) {
        if !self.is_made.swap(true, Ordering::Relaxed) {
            self.roster.expect(self.number, Prospect::Open);
        }
    }

    /// Nobody answers. `is_final`: another try would not help.
    pub(crate) fn fail(&self, reason: &str, is_final: bool) {
        if !self.is_made.load(Ordering::Relaxed) && (is_final || self.began.elapsed() >= FIRST_CONTACT) {
            self.roster.expect(self.number, Prospect::Unreachable(format!("{}: {reason}", self.address)));
        }
    }
}

/// Starts a command as often as needed. What it says when it ends is said once, unless it is something new.
fn call_again(line: &CommandLine, contact: &Contact, roster: &Arc<Roster>) {
    let name = line.to_string();
    let (mut pause, mut last) = (PAUSES.0, String::new());
    while !roster.is_retired() {
        let began = Instant::now();
        let parting = call(line, &name, contact, roster);
        if roster.is_retired() {
            return;
        }
        match parting {
            Parting::LeftOut(reason) => {
                roster.tell(&News::LeftOut { worker: name, reason });
                return;
            }
            // It was left out for what it said, which was reported.
            Parting::Lost(_) if roster.payload.is_banned(&name) => return,
            Parting::Lost(reason) => {
                contact.fail(&reason, false);
                // The reason was reported when it was dismissed.
                if reason != last && !reason.is_empty() {
                    roster.tell(&News::Lost { worker: name.clone(), reason: reason.clone() });
                    last = reason;
                }
            }
        }
        // One that worked for a while is called at once.
        pause = if began.elapsed() > PAUSES.1 { PAUSES.0 } else { (pause * 2).min(PAUSES.1) };
        roster.rest(pause);
    }
}

/// One life of a command.
fn call(line: &CommandLine, name: &str, contact: &Contact, roster: &Arc<Roster>) -> Parting {
    let words = line.words("".as_ref());
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => return Parting::Lost(format!("cannot run {}: {error}", words[0].to_string_lossy())),
    };
    let (Some(stdin), Some(stdout), Some(stderr)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
    else {
        return Parting::Lost("no pipes".to_owned());
    };
    let last_words = Arc::<Mutex<Vec<u8>>>::default();
    let listener = listen_to(stderr, Arc::clone(&last_words));
    let parting = employ(over_pipes(stdout, stdin), name, contact, roster);
    if matches!(parting, Parting::Lost(_)) && !roster.is_retired() {
        // It may hang. What it has started notices that it is gone, and clears up.
        let _ = child.kill();
    }
    end(&mut child);
    // What it said last arrives shortly after its end, unless somebody else has its standard error.
    let deadline = Instant::now() + Duration::from_millis(200);
    while !listener.is_finished() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(1));
    }
    let said = String::from_utf8_lossy(&last_words.lock().unwrap_or_else(PoisonError::into_inner)).trim().to_owned();
    match parting {
        Parting::Lost(reason) if !said.is_empty() => Parting::Lost(format!("{reason}: {said}")),
        parting => parting,
    }
}

/// Keeps the end of what a command says.
fn listen_to(mut stderr: impl Read + Send + 'static, last_words: Arc<Mutex<Vec<u8>>>) -> JoinHandle<()> {
    std::thread::spawn(move || {
        let mut buffer = [0; LAST_WORDS];
        while let Ok(count @ 1..) = stderr.read(&mut buffer) {
            let mut last = last_words.lock().unwrap_or_else(PoisonError::into_inner);
            last.extend_from_slice(&buffer[..count]);
            let excess = last.len().saturating_sub(LAST_WORDS);
            last.drain(..excess);
        }
    })
}

/// Waits for the end of a command whose pipes are closed, and enforces it if it does not come: it may have been stopped.
fn end(child: &mut Child) {
    let deadline = Instant::now() + Duration::from_secs(2);
    while Instant::now() < deadline {
        if !matches!(child.try_wait(), Ok(None)) {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// Employs the worker at the other end of a link until one of both leaves. `name` is how messages call it.
pub(crate) fn employ(link: Link, name: &str, contact: &Contact, roster: &Arc<Roster>) -> Parting {
    let Link { outbox, inbox, traffic } = link;
    let Some(frame) = receive(&inbox, Instant::now() + HELLO, roster) else {
        return Parting::Lost("it does not answer".to_owned());
    };
    let about = match Hello::read(&frame) {
        Ok(about) => about,
        Err(reason) => return Parting::LeftOut(reason),
    };
    contact.make();
    let base = Arc::clone(&roster.lock_base());
    let first = encode(&whole(base.candidate()));
    outbox.send(encode(&ToWorker::Start { spec: roster.payload.spec, base: digest(&first) }));
    if let Err(parting) = await_ready(&inbox, &first, roster, &|frame| outbox.send(frame)) {
        return parting;
    }
    let slots = (about.slots as usize).max(1);
    let remote = Arc::new(Remote::new(name.into(), about.host, slots, outbox, base));
    let refusal = Arc::<Mutex<Option<Parting>>>::default();
    let checker = {
        let (remote, roster, refusal) = (Arc::clone(&remote), Arc::clone(roster), Arc::clone(&refusal));
        std::thread::spawn(move || match check(&remote, &roster) {
            Ok(()) => {
                roster.join(&remote);
                roster.check_beside(&remote);
            }
            Err(parting) => {
                *refusal.lock().unwrap_or_else(PoisonError::into_inner) = parting;
                remote.end();
            }
        })
    };
    let reason = remote.listen(&inbox, &traffic, roster.retirement());
    // It may have joined just now.
    let _ = checker.join();
    let was_there = roster.forget(&remote);
    let refusal = refusal.lock().unwrap_or_else(PoisonError::into_inner).take();
    match refusal {
        Some(parting) => parting,
        None if was_there => Parting::Lost(reason),
        // The reason was reported when it was dismissed.
        None => Parting::Lost(String::new()),
    }
}

/// The next frame, unless the link ends, the time is over, or the fleet retires.
fn receive(inbox: &Receiver<Vec<u8>>, deadline: Instant, roster: &Roster) -> Option<Vec<u8>> {
    select! {
        recv(inbox) -> frame => frame.ok(),
        recv(roster.retirement()) -> _ => None,
        default(deadline.saturating_duration_since(Instant::now())) => None,
    }
}

/// Gives the worker what it asks for until it is ready.
fn await_ready(inbox: &Receiver<Vec<u8>>, base: &[u8], roster: &Roster, send: &dyn Fn(Vec<u8>)) -> Result<(), Parting> {
    loop {
        // It asks for one part after the other.
        let Some(frame) = receive(inbox, Instant::now() + READY, roster) else {
            return Err(Parting::Lost("it does not get ready".to_owned()));
        };
        match decode(&frame) {
            Some(ToClient::Ready) => return Ok(()),
            Some(ToClient::Refused(reason)) => return Err(Parting::LeftOut(reason)),
            Some(ToClient::Need { content: name, from }) => {
                let content = roster.payload.content(name).map_or(base, Vec::as_slice);
                let Some(bytes) = part(content, from) else { return Err(Parting::Lost("invalid frame".to_owned())) };
                let (size, bytes) = (content.len() as u64, bytes.to_vec());
                send(encode(&ToWorker::Part { content: name, size, bytes }));
            }
            // A part is on its way.
            Some(ToClient::Pong) => {}
            Some(ToClient::Answer { .. }) | None => return Err(Parting::Lost("invalid frame".to_owned())),
        }
    }
}

/// Lets a worker test the input, before it tests anything else. `Err(None)`: it was left out, and that was reported.
fn check(remote: &Arc<Remote>, roster: &Roster) -> Result<(), Option<Parting>> {
    let cancel = Cancel::new();
    for (candidate, truth) in roster.payload.known.iter().take(FIRST_CHECKS) {
        match roster.ask(remote, candidate, Question::Verdict, &cancel).0 {
            Reply::Answer(Answer::Verdict { verdict, .. }) if verdict == *truth || !roster.compares => {}
            Reply::Answer(Answer::Verdict { verdict, .. }) => {
                roster.leave_out(&remote.name, Some(remote), candidate, verdict, *truth);
                return Err(None);
            }
            Reply::Answer(Answer::Failed(reason)) => return Err(Some(Parting::Lost(reason))),
            Reply::Answer(Answer::Cancelled | Answer::Output(_)) | Reply::Lost => {
                return Err(Some(Parting::Lost("it was lost while it was checked".to_owned())));
            }
        }
    }
    Ok(())
}
