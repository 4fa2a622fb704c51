//! Ctrl-C and its relatives: the first asks the search to end with the best, the second ends the process at once.

use std::io;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::{Handle, Signals};
use whittle::search::Interrupter;

/// Listens for signals until it is dropped.
pub(crate) struct SignalWatch {
    handle: Handle,
}

impl SignalWatch {
    /// `at_once` runs on the second signal, before the process ends; it must be quick.
    pub(crate) fn start(interrupter: Interrupter, at_once: impl Fn() + Send + 'static) -> io::Result<Self> {
        let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
        let handle = signals.handle();
        std::thread::spawn(move || {
            for _ in signals.forever() {
                if interrupter.is_interrupted() {
                    at_once();
                    std::process::exit(super::Exit::Stopped as i32);
                }
                interrupter.interrupt();
            }
        });
        Ok(Self { handle })
    }
}

impl Drop for SignalWatch {
    fn drop(&mut self) {
        self.handle.close();
    }
}
