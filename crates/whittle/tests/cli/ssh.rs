//! Workers by ssh itself: a server of its own on this machine, with its own keys.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::bench_folder::{Folder, wait_until};
use crate::fleet::{self, REDUCE};
use crate::nats::{Process, folder, free_port};

/// A server that lets in who runs this test, and a configuration for `ssh` in which it is the host `worker`.
fn serve(folder: &Folder) -> (Process, String) {
    let port = free_port();
    let keys = folder.path("ssh");
    fs::create_dir(&keys).unwrap();
    for name in ["host", "user"] {
        let mut command = Command::new("ssh-keygen");
        command.args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(keys.join(name));
        assert!(command.status().unwrap().success());
    }
    fs::copy(keys.join("user.pub"), keys.join("authorized_keys")).unwrap();
    fs::set_permissions(keys.join("authorized_keys"), fs::Permissions::from_mode(0o600)).unwrap();
    let host_key = fs::read_to_string(keys.join("host.pub")).unwrap();
    fs::write(keys.join("known_hosts"), format!("[127.0.0.1]:{port} {host_key}")).unwrap();
    let (at, tmp) = (keys.display(), folder.path("tmp"));
    let server = format!(
        "ListenAddress 127.0.0.1:{port}\nHostKey {at}/host\nAuthorizedKeysFile {at}/authorized_keys\nPidFile none\n\
         StrictModes no\nUsePAM no\nPasswordAuthentication no\nPermitRootLogin yes\nSetEnv TMPDIR={}\n",
        tmp.display()
    );
    fs::write(keys.join("sshd_config"), server).unwrap();
    let client = format!(
        "Host worker\nHostName 127.0.0.1\nPort {port}\nIdentityFile {at}/user\nIdentitiesOnly yes\nBatchMode yes\n\
         UserKnownHostsFile {at}/known_hosts\n"
    );
    fs::write(keys.join("config"), client).unwrap();
    // As root, it wants an empty folder for the part of it that talks to strangers.
    let _ = fs::create_dir_all("/run/sshd");
    let program = ["/usr/sbin/sshd", "/usr/bin/sshd"].into_iter().find(|path| fs::exists(path).unwrap()).unwrap();
    let mut command = Command::new(program);
    command.args(["-D", "-e", "-f"]).arg(keys.join("sshd_config")).stderr(Stdio::null());
    let server = Process(command.spawn().unwrap());
    wait_until("sshd listens", || std::net::TcpStream::connect(("127.0.0.1", port)).is_ok());
    let whittle = env!("CARGO_BIN_EXE_whittle");
    (server, format!("ssh -F {at}/config worker {whittle} worker --stdio -j 2"))
}

mod needs_ssh {
    use super::*;

    #[test]
    #[ignore = "needs an ssh server"]
    fn workers_by_ssh_give_the_result_of_one_machine() {
        let folder = folder("0.05", 20);
        let (_server, worker) = serve(&folder);
        let words = ["--workers", &worker, "--workers", &worker, "--workers-only"];
        let ran = fleet::expect_the_same(&folder, &words, || ());
        assert!(ran.stderr.contains(" tests on 1 machine, up to 4 at once"), "{}", ran.stderr);
        assert!(!ran.stderr.contains("is lost"), "{}", ran.stderr);
        folder.assert_nothing_left();
    }

    #[test]
    #[ignore = "needs an ssh server"]
    fn a_connection_that_breaks_costs_only_time() {
        let folder = folder("0.1", 20);
        let (server, worker) = serve(&folder);
        let ran = fleet::expect_the_same(&folder, &["--workers", &worker, "--workers-only"], || {
            let sessions = || children(server.0.id());
            wait_until("a worker is there", || !folder.processes().is_empty() && !sessions().is_empty());
            std::thread::sleep(Duration::from_secs(1));
            for session in sessions() {
                let _ = Command::new("kill").args(["-KILL", &session]).status();
            }
        });
        assert!(ran.stderr.contains(" is lost: "), "{}", ran.stderr);
        folder.assert_nothing_left();
    }

    #[test]
    #[ignore = "needs an ssh server"]
    fn nothing_is_left_on_either_side_when_the_client_is_killed() {
        let folder = folder("0.2", 20);
        let (server, worker) = serve(&folder);
        let words = REDUCE.iter().copied().chain(["--workers", &worker, "--workers-only"]);
        let mut child = folder.command(words).spawn().unwrap();
        wait_until("a worker tests", || folder.path("tmp").read_dir().unwrap().count() > 1);
        std::thread::sleep(Duration::from_secs(1));
        child.kill().unwrap();
        child.wait().unwrap();
        let began = Instant::now();
        folder.assert_nothing_left();
        wait_until("no session is left", || children(server.0.id()).is_empty());
        assert!(began.elapsed() < Duration::from_secs(20), "it took {:?}", began.elapsed());
    }

    #[test]
    #[ignore = "needs an ssh server"]
    fn a_host_that_refuses_says_why() {
        let folder = folder("0", 20);
        let (_server, worker) = serve(&folder);
        fs::write(folder.path("ssh/authorized_keys"), "").unwrap();
        let ran = fleet::expect_the_same(&folder, &["--workers", &worker], || ());
        let is_told = ran.stderr.contains(" is lost: it does not answer: ")
            && ran.stderr.contains("Permission denied (publickey");
        assert!(is_told, "{}", ran.stderr);
    }

    /// The processes that a process has started, which live.
    fn children(parent: u32) -> Vec<String> {
        let path = format!("/proc/{parent}/task/{parent}/children");
        let text = fs::read_to_string(path).unwrap_or_default();
        text.split_whitespace().map(str::to_owned).collect()
    }
}
