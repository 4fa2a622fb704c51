//! The terminal as a screen to draw on, which is given back in all cases.

use std::io::{self, BufWriter, Stderr, stderr};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use nix::sys::termios::{InputFlags, LocalFlags, OutputFlags, SetArg, tcgetattr, tcsetattr};
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use ratatui::{Frame, Terminal};

/// Whether the screen is taken.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// The alternate screen of the terminal at standard error: standard output may be the result's.
pub(super) struct Screen(Terminal<CrosstermBackend<BufWriter<Stderr>>>);

impl Screen {
    /// Takes the screen, until [`restore`].
    pub(super) fn take() -> io::Result<Self> {
        restore_on_panic();
        enable_raw_mode()?;
        TAKEN.store(true, Ordering::SeqCst);
        let taken = execute!(stderr(), EnterAlternateScreen);
        let terminal = taken.and_then(|()| Terminal::new(CrosstermBackend::new(BufWriter::new(stderr()))));
        terminal.map(Self).inspect_err(|_| restore())
    }

    pub(super) fn draw<T: Default>(&mut self, draw: impl FnOnce(&mut Frame<'_>) -> T) -> io::Result<T> {
        let mut drawn = T::default();
        self.0.draw(|frame| drawn = draw(frame))?;
        Ok(drawn)
    }
}

/// Gives the screen back, if it is taken.
pub(crate) fn restore() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        // Nothing can be done about a terminal that is gone.
        let _ = disable_raw_mode();
        let _ = execute!(stderr(), LeaveAlternateScreen, Show);
    }
}

/// Gives back a screen that this process took before it crashed and started again.
pub(crate) fn recover() {
    let Ok(mut modes) = tcgetattr(stderr()) else { return };
    modes.local_flags |= LocalFlags::ECHO | LocalFlags::ICANON | LocalFlags::ISIG | LocalFlags::IEXTEN;
    modes.input_flags |= InputFlags::ICRNL | InputFlags::IXON | InputFlags::BRKINT;
    modes.output_flags |= OutputFlags::OPOST;
    let _ = tcsetattr(stderr(), SetArg::TCSANOW, &modes);
    let _ = execute!(stderr(), LeaveAlternateScreen, Show);
}

/// What a panic says must be readable.
fn restore_on_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            restore();
            hook(panic);
        }));
    });
}
