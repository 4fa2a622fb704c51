//! How a helper puts candidates to a server: starts it, asks, waits within the limits, replaces it.

use std::time::{Duration, Instant};

use crate::descendants::{drain, end_descendants};
use crate::helper::{Helper, ending};
use crate::protocol::{End, Order, OutputRule, Question, Report, Run, ServerState, Task, receive};
use crate::server::{Answer, Heard, Server, end_without_answer};

/// How long a server may take to start.
const START_LIMIT: Duration = Duration::from_secs(300);

/// How much a server may say in one line if nothing else is asked for, in bytes.
const MAX_LINE_BYTES: u64 = 1 << 20;

/// After this time a test is slow enough to be worth a look at how much processor time it takes.
const SLOW: Duration = Duration::from_millis(50);

/// What the wait for a line came to.
enum Waited {
    Line(Vec<u8>),
    Ended,
    TimedOut,
    OverLimit,
    /// Whittle is gone.
    Abandoned,
}

/// When the wait for a line ends without one.
struct Patience {
    deadline: Instant,
    /// How long to wait on after the task was cancelled. As long as another start would take, waiting is better: then the
    /// server can go on.
    after_cancel: Duration,
    /// How long a line may be, in bytes.
    limit: u64,
}

/// What came of a question.
struct Reply {
    waited: Waited,
    was_cancelled: bool,
    /// The processor time of a slow test.
    processor: Duration,
}

/// Why a new server cannot be asked.
enum Unready {
    Cancelled,
    /// Whittle is gone.
    Abandoned,
    Failed(String),
}

impl Helper {
    /// Puts a candidate to the server, which is started if there is none; `None` if Whittle went away meanwhile.
    pub(crate) fn ask(&self, task: &Task, question: &Question) -> Option<Report> {
        let mut slot = self.server.borrow_mut();
        let mut server = match self.server_for(task, question, slot.take()) {
            Ok(server) => server,
            Err(report) => return Some(report),
        };
        if question.is_dialogue {
            server.skip_greeting();
        }
        if !server.is_ready() {
            match self.await_start(&mut server) {
                Ok(()) => {}
                Err(Unready::Abandoned) => {
                    self.dismiss(server);
                    return None;
                }
                // It may be ready for the next candidate.
                Err(Unready::Cancelled) => {
                    *slot = Some(server);
                    return Some(cancelled(Duration::ZERO));
                }
                Err(Unready::Failed(problem)) => return Some(self.fault(server, &problem)),
            }
        }
        let is_used = server.tests > 0;
        // A server that is gone now is one that ends over this candidate.
        if let Ok(Err(problem)) = server.ask(&question.line, question.is_dialogue) {
            return Some(self.fault(server, &problem));
        }
        let start = Instant::now();
        let limit = if let OutputRule::Keep(limit) = task.output { limit } else { MAX_LINE_BYTES };
        let deadline = start.checked_add(task.timeout).unwrap_or(start + START_LIMIT);
        let patience = Patience { deadline, after_cancel: server.start_took(), limit };
        let Reply { waited, was_cancelled, processor } = self.await_answer(&mut server, &patience);
        let elapsed = start.elapsed();
        server.count(elapsed);
        let ran = |end, stdout, has_died, is_due| {
            let server = Some(ServerState { is_used, has_died, is_due });
            Some(Report::Ran(Run { end, stdout, stderr: Vec::new(), elapsed, processor, server }))
        };
        match waited {
            Waited::Abandoned => {
                self.dismiss(server);
                None
            }
            Waited::Line(_) if was_cancelled => {
                *slot = Some(server);
                Some(cancelled(elapsed))
            }
            _ if was_cancelled => {
                self.dismiss(server);
                Some(cancelled(elapsed))
            }
            Waited::Line(line) if question.is_dialogue => {
                *slot = Some(server);
                ran(End::Exited(0), line, false, false)
            }
            Waited::Line(line) => match Answer::parse(&line) {
                Some(Answer { status, text }) => {
                    let is_due = server.is_due(&question.rules);
                    *slot = Some(server);
                    ran(End::Exited(status), text, false, is_due)
                }
                None => {
                    let said = String::from_utf8_lossy(&line).into_owned();
                    let problem = format!("the server answered '{said}', which is neither yes, no nor a status");
                    Some(self.fault(server, &problem))
                }
            },
            Waited::Ended => ran(end_without_answer(self.dismiss(server).0), Vec::new(), true, false),
            Waited::OverLimit => {
                self.dismiss(server);
                ran(End::OverLimit, Vec::new(), false, false)
            }
            Waited::TimedOut => {
                self.dismiss(server);
                ran(End::TimedOut, Vec::new(), false, false)
            }
        }
    }

    /// The server that is there, if it can answer the question, or a new one, which is not ready yet.
    fn server_for(&self, task: &Task, question: &Question, server: Option<Server>) -> Result<Server, Report> {
        let is_good = |server: &Server| {
            let is_fresh_enough = !question.fresh || server.tests == 0;
            let is_due = !question.is_dialogue && server.is_ready() && server.is_due(&question.rules);
            server.serves(&task.words) && is_fresh_enough && !is_due
        };
        if let Some(server) = server {
            if is_good(&server) {
                return Ok(server);
            }
            self.dismiss(server);
        }
        self.make_temporary();
        let started = self.spawn_server(task).and_then(|child| Server::new(task.words.clone(), child));
        started.map_err(|error| Report::Unrunnable(error.raw_os_error(), error.to_string()))
    }

    /// Waits until a new server is ready.
    fn await_start(&self, server: &mut Server) -> Result<(), Unready> {
        let deadline = Instant::now() + START_LIMIT;
        let patience = Patience { deadline, after_cancel: Duration::ZERO, limit: MAX_LINE_BYTES };
        let failed = |problem: &str| Err(Unready::Failed(problem.to_owned()));
        match self.await_line(server, &patience) {
            (Waited::Abandoned, _) => Err(Unready::Abandoned),
            (Waited::Line(line), _) => server.greet(&line).map_err(Unready::Failed),
            (Waited::TimedOut, true) => Err(Unready::Cancelled),
            (Waited::Ended, _) => failed("the server ended before it was ready"),
            (Waited::TimedOut, false) => failed("the server did not become ready"),
            (Waited::OverLimit, _) => failed("the server printed a long line before it was ready"),
        }
    }

    /// Ends the server, if there is one.
    pub(crate) fn end_server(&self) {
        if let Some(server) = self.server.borrow_mut().take() {
            self.dismiss(server);
        }
    }

    /// Kills a server with all that it has started, and gives how it ended and what it complained about.
    fn dismiss(&self, server: Server) -> (End, String) {
        let (status, complaint) = server.end();
        end_descendants(&self.children);
        self.clear_temporary();
        (status.map_or(End::Exited(1), ending), complaint)
    }

    /// What to say about a server that does not keep to the protocol.
    fn fault(&self, server: Server, problem: &str) -> Report {
        let (end, complaint) = self.dismiss(server);
        let ended = match end {
            End::Exited(code) => format!(" (exit status {code})"),
            _ => String::new(),
        };
        let complaint = if complaint.is_empty() { String::new() } else { format!("; it printed:\n{complaint}") };
        Report::Unrunnable(None, format!("{problem}{ended}{complaint}"))
    }

    /// Waits for the answer to a question.
    fn await_answer(&self, server: &mut Server, patience: &Patience) -> Reply {
        let soon = Patience { deadline: patience.deadline.min(Instant::now() + SLOW), ..*patience };
        let (waited, was_cancelled) = self.await_line(server, &soon);
        let now = Instant::now();
        if !matches!(waited, Waited::TimedOut) || now >= patience.deadline {
            return Reply { waited, was_cancelled, processor: Duration::ZERO };
        }
        let before = server.processor_time();
        let deadline =
            if was_cancelled { patience.deadline.min(now + patience.after_cancel) } else { patience.deadline };
        let (waited, is_cancelled_later) = self.await_line(server, &Patience { deadline, ..*patience });
        let processor = SLOW + server.processor_time().saturating_sub(before);
        Reply { waited, was_cancelled: was_cancelled || is_cancelled_later, processor }
    }

    /// Waits for a line. The second part says whether the task was cancelled meanwhile.
    fn await_line(&self, server: &mut Server, patience: &Patience) -> (Waited, bool) {
        let mut deadline = patience.deadline;
        let mut was_cancelled = false;
        loop {
            // In this order: what it has printed before its end is there when it has ended.
            let has_ended = server.has_ended();
            match server.listen(patience.limit) {
                Heard::Line(line) => return (Waited::Line(line), was_cancelled),
                Heard::TooMuch => return (Waited::OverLimit, was_cancelled),
                Heard::Nothing if has_ended => return (Waited::Ended, was_cancelled),
                Heard::Nothing => {}
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return (Waited::TimedOut, was_cancelled);
            }
            let orders_wait = self.sleep(left, server.pipes());
            drain(&self.children);
            if orders_wait {
                match receive(&mut &self.orders) {
                    Ok(Some(Order::Cancel)) => {
                        was_cancelled = true;
                        deadline = deadline.min(Instant::now() + patience.after_cancel);
                    }
                    // One task at a time: anything else now is as wrong as a broken pipe.
                    Ok(Some(Order::Run(_) | Order::Leave) | None) | Err(_) => {
                        return (Waited::Abandoned, was_cancelled);
                    }
                }
            }
        }
    }
}

fn cancelled(elapsed: Duration) -> Report {
    let (end, processor) = (End::Cancelled, Duration::ZERO);
    Report::Ran(Run { end, stdout: Vec::new(), stderr: Vec::new(), elapsed, processor, server: None })
}
