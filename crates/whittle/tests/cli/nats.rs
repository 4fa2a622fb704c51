//! Workers that are connected to a NATS server. The result is that of one machine, whatever happens to them, to the server and to
//! the links between them.

use std::fs;
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::bench_folder::{Folder, Ran, wait_until};
use crate::fleet::{self, REDUCE};

/// What ends with the test.
pub(crate) struct Process(pub(crate) Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A program of its own, in the network of `space` if there is one.
fn program(space: Option<&str>, program: &str) -> Command {
    match space {
        Some(space) => {
            let mut command = Command::new("ip");
            command.args(["netns", "exec", space, program]);
            command
        }
        None => Command::new(program),
    }
}

/// A server that listens at an address.
pub(crate) fn server(address: &str, port: u16, options: &[&str]) -> Process {
    let mut command = Command::new("nats-server");
    command.args(["-a", address, "-p", &port.to_string()]).args(options);
    let server = Process(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
    wait_until("the server listens", || std::net::TcpStream::connect((address, port)).is_ok());
    server
}

pub(crate) fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// A folder whose input has lines of this length, of which three are needed.
pub(crate) fn folder(seconds: &str, length: usize) -> Folder {
    let text = "x".repeat(length);
    let lines: String = (0..80).map(|line| format!("line {line} of {text}\n")).collect();
    let script = format!("sleep {seconds}; for n in 7 8 61; do grep -q \"line $n of\" \"$1\" || exit 1; done");
    Folder::new(&script, "bug.txt", lines)
}

/// A worker of the group `g`.
fn worker(folder: &Folder, space: Option<&str>, url: &str, slots: &str) -> Process {
    start_worker(folder, program(space, env!("CARGO_BIN_EXE_whittle")), url, slots)
}

/// A worker of the group `g`, by a command that knows the program already.
pub(crate) fn start_worker(folder: &Folder, mut command: Command, url: &str, slots: &str) -> Process {
    command.args(["worker", "--connect", url, "--group", "g", "-j", slots]).env("TMPDIR", folder.path("tmp"));
    command.current_dir(folder.path("")).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    Process(command.spawn().unwrap())
}

fn listed(folder: &Folder, url: &str) -> Vec<String> {
    let output = folder.command(["workers", &format!("{url}/g")]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().skip(1).map(str::to_owned).collect()
}

fn wait_for_workers(folder: &Folder, url: &str, count: usize) {
    wait_until("workers are connected", || listed(folder, url).len() == count);
}

/// Reduces alone and with the workers of `g` at `url`, while something happens, and compares.
fn expect_the_same(folder: &Folder, url: &str, meanwhile: impl FnOnce()) -> Ran {
    let ran = fleet::expect_the_same(folder, &["--workers", &format!("{url}/g")], meanwhile);
    assert!(ran.stderr.contains("\nworkers: "), "{}", ran.stderr);
    ran
}

fn no_scratch_is_left(folder: &Folder) {
    wait_until("no scratch folder is left", || fs::read_dir(folder.path("tmp")).unwrap().next().is_none());
}

mod needs_nats {
    use super::*;

    #[test]
    #[ignore = "needs nats-server"]
    fn workers_are_found_used_and_listed() {
        let (folder, port) = (folder("0.2", 20), free_port());
        let url = format!("nats://127.0.0.1:{port}");
        let _server = server("127.0.0.1", port, &[]);
        let _workers = [worker(&folder, None, &url, "2"), worker(&folder, None, &url, "1")];
        wait_for_workers(&folder, &url, 2);
        let ran = expect_the_same(&folder, &url, || ());
        assert!(ran.stderr.contains(" tests on 1 machine, up to 3 at once"), "{}", ran.stderr);
        no_scratch_is_left(&folder);
        wait_until("workers are idle", || listed(&folder, &url).iter().all(|line| line.ends_with("idle")));
        // A second client finds them again.
        expect_the_same(&folder, &url, || ());
    }

    #[test]
    #[ignore = "needs nats-server"]
    fn an_input_beyond_the_size_of_a_message_goes_in_parts() {
        let (folder, port) = (folder("0", 40_000), free_port());
        let url = format!("nats://127.0.0.1:{port}");
        let _server = server("127.0.0.1", port, &[]);
        let _worker = worker(&folder, None, &url, "2");
        wait_for_workers(&folder, &url, 1);
        expect_the_same(&folder, &url, || ());
    }

    #[test]
    #[ignore = "needs nats-server"]
    fn killed_workers_and_a_restarted_server_cost_only_time() {
        let (folder, port) = (folder("0.4", 20), free_port());
        let url = format!("nats://127.0.0.1:{port}");
        let mut first = Some(server("127.0.0.1", port, &[]));
        let mut workers: Vec<Process> = (0..3).map(|_| worker(&folder, None, &url, "2")).collect();
        wait_for_workers(&folder, &url, 3);
        let mut second = None;
        let ran = expect_the_same(&folder, &url, || {
            wait_until("all work", || listed(&folder, &url).iter().all(|line| line.ends_with("busy")));
            std::thread::sleep(Duration::from_millis(600));
            workers.truncate(2);
            std::thread::sleep(Duration::from_millis(300));
            first.take();
            second = Some(server("127.0.0.1", port, &[]));
        });
        assert!(ran.stderr.contains(" is lost: "), "{}", ran.stderr);
        drop(workers);
        folder.assert_nothing_left();
    }

    #[test]
    #[ignore = "needs nats-server"]
    fn nothing_is_left_of_a_client_that_is_killed() {
        let (folder, port) = (folder("0.2", 20), free_port());
        let url = format!("nats://127.0.0.1:{port}");
        let _server = server("127.0.0.1", port, &[]);
        let worker = worker(&folder, None, &url, "2");
        wait_for_workers(&folder, &url, 1);
        let address = format!("{url}/g");
        let words = REDUCE.iter().copied().chain(["--workers", &address]);
        let mut child = folder.command(words).spawn().unwrap();
        wait_until("the worker works", || listed(&folder, &url).iter().any(|line| line.ends_with("busy")));
        child.kill().unwrap();
        child.wait().unwrap();
        no_scratch_is_left(&folder);
        wait_until("the worker is idle", || listed(&folder, &url).iter().all(|line| line.ends_with("idle")));
        drop(worker);
        folder.assert_nothing_left();
    }

    #[test]
    #[ignore = "needs nats-server"]
    fn secrets_come_from_the_environment_or_from_files() {
        let (folder, port) = (folder("0", 20), free_port());
        let url = format!("nats://127.0.0.1:{port}");
        let _server = server("127.0.0.1", port, &["--auth", "let-me-in"]);
        fs::write(folder.path("token"), "let-me-in\n").unwrap();
        let (ask, path) = (["workers".to_owned(), format!("{url}/g")], folder.path("token"));
        let said = |variable: &str, value: &std::ffi::OsStr| {
            let output = folder.command(&ask).env(variable, value).output().unwrap();
            String::from_utf8(output.stderr).unwrap()
        };
        for (variable, value) in
            [("WHITTLE_NATS_TOKEN", "let-me-in".as_ref()), ("WHITTLE_NATS_TOKEN_FILE", path.as_os_str())]
        {
            let said = said(variable, value);
            assert!(said.starts_with("no worker is connected to "), "{said}");
        }
        assert!(said("WHITTLE_NATS_TOKEN", "wrong".as_ref()).contains("authorization violation"));
        let open = folder.whittle(&format!("workers nats://me:secret@127.0.0.1:{port}/g"));
        assert!(open.status == Some(2) && open.stderr.contains("visible to other users"), "{}", open.stderr);
    }
}

mod needs_netns {
    use super::*;

    /// Networks of their own, on a bridge with this machine.
    struct Spaces {
        bridge: String,
        names: Vec<String>,
        address: String,
    }

    fn ip(words: &str) -> bool {
        Command::new("ip").args(words.split(' ')).stderr(Stdio::null()).status().unwrap().success()
    }

    impl Spaces {
        fn new(count: usize) -> Self {
            let id = std::process::id() % 100_000;
            let (bridge, net) = (format!("wb{id}"), format!("10.213.{}", id % 250));
            let address = format!("{net}.1");
            let spaces = Self { bridge, names: (0..count).map(|n| format!("whittle{id}-{n}")).collect(), address };
            let bridge = &spaces.bridge;
            assert!(ip(&format!("link add {bridge} type bridge")));
            assert!(ip(&format!("addr add {net}.1/24 dev {bridge}")) && ip(&format!("link set {bridge} up")));
            for (n, name) in spaces.names.iter().enumerate() {
                let (here, there) = (spaces.link(n), format!("wt{id}{n}"));
                assert!(ip(&format!("netns add {name}")));
                assert!(ip(&format!("link add {here} type veth peer name {there}")));
                assert!(ip(&format!("link set {here} master {bridge}")) && ip(&format!("link set {here} up")));
                assert!(ip(&format!("link set {there} netns {name}")));
                assert!(ip(&format!("-n {name} addr add {net}.{}/24 dev {there}", n + 2)));
                assert!(ip(&format!("-n {name} link set {there} up")));
            }
            spaces
        }

        /// This machine's end of the link to a network.
        fn link(&self, n: usize) -> String {
            format!("wv{}{n}", &self.bridge[2..])
        }
    }

    impl Drop for Spaces {
        fn drop(&mut self) {
            for (n, name) in self.names.iter().enumerate() {
                ip(&format!("link del {}", self.link(n)));
                ip(&format!("netns del {name}"));
            }
            ip(&format!("link del {}", self.bridge));
        }
    }

    #[test]
    #[ignore = "needs root, network namespaces and nats-server"]
    fn a_link_that_is_dropped_costs_only_time() {
        let (folder, port, spaces) = (folder("0.4", 20), free_port(), Spaces::new(2));
        let url = format!("nats://{}:{port}", spaces.address);
        let _server = server(&spaces.address, port, &[]);
        let workers: Vec<Process> = spaces.names.iter().map(|name| worker(&folder, Some(name), &url, "2")).collect();
        wait_for_workers(&folder, &url, 2);
        let ran = expect_the_same(&folder, &url, || {
            wait_until("both work", || listed(&folder, &url).iter().all(|line| line.ends_with("busy")));
            std::thread::sleep(Duration::from_millis(500));
            assert!(ip(&format!("link set {} down", spaces.link(0))));
            std::thread::sleep(Duration::from_secs(12));
            assert!(ip(&format!("link set {} up", spaces.link(0))));
        });
        assert!(ran.stderr.contains("is lost: no answer for 10 s"), "{}", ran.stderr);
        no_scratch_is_left(&folder);
        drop(workers);
        folder.assert_nothing_left();
    }
}
