//! Signals: the first Ctrl-C stops and keeps the best result, a second one exits immediately.
//!
//! `timeout` signals its child and then the whole process group, and a terminal that is closed sends SIGHUP in several ways.
//! So signals that arrive together are one.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::{Handle, Signals};
use whittle::property::CommandTest;
use whittle::search::Interrupter;

use super::exit::Exit;
use super::live;

/// A signal so soon after the first is the same one: nobody has read the summary and asks again in that time.
const SAME_SIGNAL: Duration = Duration::from_secs(1);

/// Listens for signals until it is dropped.
pub(crate) struct SignalWatch {
    handle: Handle,
}

impl SignalWatch {
    /// The first signal interrupts. After the next one that is not the same nothing is awaited: helpers notice that this process is gone,
    /// and clean up. `unfinished` is a file that may be half-written then.
    pub(crate) fn start(
        interrupter: Interrupter,
        test: &Arc<CommandTest>,
        unfinished: Option<PathBuf>,
    ) -> io::Result<Self> {
        // This thread may outlive the reduction; it must not keep the helpers from ending.
        let test = Arc::downgrade(test);
        // Signals that were ignored at the start, as by nohup, stay ignored.
        let heard = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal));
        let mut signals = Signals::new(heard)?;
        let handle = signals.handle();
        std::thread::spawn(move || {
            let mut signals = signals.forever();
            if signals.next().is_none() {
                return;
            }
            let first = Instant::now();
            interrupter.interrupt();
            if signals.any(|_| first.elapsed() >= SAME_SIGNAL) {
                if let Some(test) = test.upgrade() {
                    test.abandon();
                }
                let _ = unfinished.as_ref().map(std::fs::remove_file);
                live::restore();
                std::process::exit(Exit::Stopped as i32);
            }
        });
        Ok(Self { handle })
    }
}

/// Whether this process was started with the signal ignored, where the system tells.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

impl Drop for SignalWatch {
    fn drop(&mut self) {
        self.handle.close();
    }
}
