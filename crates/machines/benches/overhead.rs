//! What a test costs on a worker of the same machine, against the same test without one: a base of 100 KB, candidates that lack a
//! line, a command that does nothing. By pipes, and by NATS if there is `nats-server`. Tests alternate, so that both meet the same
//! load; medians are printed.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "this is a benchmark")]

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use whittle_machines::{
    Address, Basis, Fleet, Machines, NatsAddress, NewsListener, SharedView, WorkerSetup, serve_nats, serve_stdio,
};
use whittle_property::{CommandProperty, Constants, HelperProgram, TestCommand, Trust};
use whittle_search::{Cancel, Candidate, Property};

const TESTS: usize = 300;

/// On loopback only.
const SERVER: &str = "nats://127.0.0.1:14333";

fn main() {
    whittle_property::init();
    let setup = || WorkerSetup {
        slots: 1,
        scratch: None,
        memory_limit: None,
        time_limit: None,
        helper: HelperProgram::this().unwrap(),
        groups: vec!["bench".to_owned()],
    };
    match std::env::args().nth(1).as_deref() {
        Some("worker-stdio") => return serve_stdio(setup()).unwrap(),
        Some("worker-nats") => {
            let address = NatsAddress::of_group(SERVER, "bench").unwrap();
            return serve_nats(setup(), &address, &|_| ()).unwrap();
        }
        _ => {}
    }
    let program = std::env::current_exe().unwrap();
    measure("pipes", &format!("'{}' worker-stdio", program.display()));
    let server = Command::new("nats-server").args(["-a", "127.0.0.1", "-p", "14333"]).stderr(Stdio::null()).spawn();
    let Ok(server) = server else { return println!("NATS: there is no nats-server") };
    let _server = Ended(server);
    let worker = Command::new(program).arg("worker-nats").stdin(Stdio::null()).spawn().unwrap();
    let _worker = Ended(worker);
    measure("NATS", &format!("{SERVER}/bench"));
}

struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn measure(transport: &str, address: &str) {
    let text: String = (0..2800).map(|line| format!("int variable_{line:05} = {:>8};  /**/\n", line * 7919)).collect();
    let input = Candidate::single("bug.c", text.into_bytes());
    let command = TestCommand::line("true {}").unwrap();
    let test = command.start(input.byte_count(), 1).unwrap();
    let constants = Constants { timeout: Duration::from_secs(10), trust: Trust::default(), signature: None };
    let local = Arc::new(CommandProperty::new(test, constants, 1));
    let view = SharedView::default();
    let machines = Machines {
        addresses: vec![Address::parse(address, Path::new("/")).unwrap()],
        only: true,
        files: Vec::new(),
        environment: Vec::new(),
        listener: NewsListener(Arc::new(|news| println!("{news}"))),
        view: view.clone(),
    };
    let basis = Basis { local: Arc::clone(&local), jobs: 1, input: input.clone(), known: Vec::new(), is_stable: false };
    let fleet = Fleet::start(&machines, basis).unwrap();
    while view.get().slots == 0 {
        std::thread::sleep(Duration::from_millis(10));
    }
    let lines: Vec<&[u8]> = input.files()[0].bytes().split_inclusive(|byte| *byte == b'\n').collect();
    let (mut here, mut there) = (Vec::new(), Vec::new());
    for number in 0..TESTS {
        // The candidate replaces a line, so that its size is that of the base, and it does not become the base.
        let mut edited = lines.clone();
        edited[number * 7] = b"int other;                       /**/\n";
        let candidate = input.with_bytes(0, edited.concat());
        for (property, times) in [(&*local as &dyn Property, &mut here), (&fleet, &mut there)] {
            let began = Instant::now();
            property.test(&candidate, &Cancel::new()).unwrap();
            times.push(began.elapsed());
        }
    }
    let median = |times: &mut Vec<Duration>| {
        times.sort_unstable();
        times[times.len() / 2].as_secs_f64() * 1e3
    };
    let (here, there) = (median(&mut here), median(&mut there));
    let bytes = fleet.report().median_bytes;
    println!(
        "{transport}: {here:.2} ms here, {there:.2} ms on a worker, {:.2} ms more; {bytes} bytes sent for a test, base of {} bytes",
        there - here,
        input.byte_count(),
    );
}
