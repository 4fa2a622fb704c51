//! Ctrl-C and its relatives: the first asks to end with the best, the second ends the process at once.

use std::io;
use std::sync::Arc;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::{Handle, Signals};
use whittle::property::CommandTest;
use whittle::search::{Cancel, Interrupter};

use super::exit::Exit;

/// Listens for signals until it is dropped.
pub(crate) struct SignalWatch {
    handle: Handle,
}

impl SignalWatch {
    /// The first signal interrupts the search, and cancels the test that runs before there is one. After the second
    /// one nothing is awaited: helpers at work notice that this process is gone, and clean up behind it.
    pub(crate) fn start(interrupter: Interrupter, cancel: Cancel, test: &Arc<CommandTest>) -> io::Result<Self> {
        // This thread may outlive the reduction; it must not keep the helpers from ending.
        let test = Arc::downgrade(test);
        let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
        let handle = signals.handle();
        std::thread::spawn(move || {
            for _ in signals.forever() {
                if interrupter.is_interrupted() {
                    if let Some(test) = test.upgrade() {
                        test.abandon();
                    }
                    std::process::exit(Exit::Stopped as i32);
                }
                interrupter.interrupt();
                cancel.cancel();
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
