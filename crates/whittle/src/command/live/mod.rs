//! `--live`: the run on the whole screen, with keys that steer it.
//!
//! The search writes a [`State`]; a thread of its own draws it a few times a second and reads keys. The screen is given back
//! whenever the view ends: at the end of the search, on a second signal, after a panic, and after a crash that Whittle
//! survives by starting again.

mod colours;
mod draw;
mod excerpt;
mod screen;
mod state;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, raise};
use ratatui::crossterm::event::{self, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use whittle::output;
use whittle::property::CommandTest;
use whittle::search::{Event, Interrupter, Listener, Moment};
use whittle::syntaxes::SizeUnit;
use whittle::trees::Syntax;

use super::print::tell;
use draw::{Scene, Shows, View, draw};
use screen::Screen;
use state::State;

pub(crate) use screen::{recover, restore};

/// How often the view looks for news.
const TICK: Duration = Duration::from_millis(250);

/// How often it is drawn without news, for the clock.
const CLOCK: Duration = Duration::from_secs(1);

/// What the view watches, and steers.
pub(crate) struct Watched {
    /// The name of the input.
    pub(crate) name: String,
    pub(crate) unit: SizeUnit,
    pub(crate) jobs: usize,
    pub(crate) syntax: Option<Syntax>,
    pub(crate) test: Arc<CommandTest>,
    pub(crate) interrupter: Interrupter,
    /// Copies are saved beside it.
    pub(crate) output: PathBuf,
}

/// Listens to a search, and shows it until it is finished.
pub(crate) struct Live {
    state: Arc<Mutex<State>>,
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Live {
    /// Takes the screen.
    pub(crate) fn start(watched: Watched) -> io::Result<Self> {
        let state = Arc::new(Mutex::new(State::new(watched.name.clone(), watched.unit, watched.jobs)));
        let over = Arc::new(AtomicBool::new(false));
        watched.test.rejections().watch();
        let viewer =
            Viewer { state: Arc::clone(&state), over: Arc::clone(&over), watched, view: View::default(), end: 0 };
        let screen = Screen::take()?;
        let thread = std::thread::spawn(move || viewer.run(screen));
        Ok(Self { state, over, thread: Some(thread) })
    }

    /// Gives the screen back, and prints what it can no longer show.
    fn end(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        let Some(thread) = self.thread.take() else { return };
        thread.thread().unpark();
        // If it panicked, it has said so.
        let _ = thread.join();
        restore();
        lock(&self.state).notices.iter().for_each(|notice| tell(notice));
    }
}

impl Listener for Live {
    fn notify(&mut self, event: &Event, moment: &Moment<'_>) {
        lock(&self.state).notify(event, moment);
        if matches!(event, Event::Finished { .. }) {
            self.end();
        }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.end();
    }
}

/// The thread that draws and reads keys.
struct Viewer {
    state: Arc<Mutex<State>>,
    over: Arc<AtomicBool>,
    watched: Watched,
    view: View,
    /// How far one can scroll.
    end: usize,
}

impl Viewer {
    fn run(mut self, mut screen: Screen) {
        let mut drawn: Option<(u64, Instant)> = None;
        while !self.over.load(Ordering::Relaxed) {
            let version = lock(&self.state).version;
            let is_due = drawn.is_none_or(|(last, at)| last != version || at.elapsed() >= CLOCK);
            if is_due && self.draw(&mut screen).is_err() {
                // A terminal that is gone must not end a reduction.
                return;
            }
            drawn = if is_due { Some((version, Instant::now())) } else { drawn };
            match event::poll(TICK) {
                Ok(true) => drawn = self.take_event().and(drawn),
                Ok(false) => {}
                // Without keys, it is still a view.
                Err(_) => std::thread::park_timeout(TICK),
            }
        }
    }

    fn draw(&mut self, screen: &mut Screen) -> io::Result<()> {
        self.view.is_paused = self.watched.interrupter.is_paused();
        let state = lock(&self.state).clone();
        let rejections = self.watched.test.rejections();
        let scene = Scene {
            state: &state,
            view: &self.view,
            syntax: self.watched.syntax.as_ref(),
            running: self.watched.test.running().count(),
            reasons: &rejections.reasons(),
            rejected: &rejections.last(),
        };
        self.end = screen.draw(|frame| draw(frame, &scene))?;
        self.view.scroll = self.view.scroll.min(self.end);
        Ok(())
    }

    /// `None` if there is something new to draw.
    fn take_event(&mut self) -> Option<()> {
        match event::read() {
            Ok(event::Event::Key(key)) if key.kind != KeyEventKind::Release => {
                self.view.message = self.press(key);
                None
            }
            Ok(event::Event::Resize(..)) => None,
            _ => Some(()),
        }
    }

    /// Does what a key asks for, and says what it did if that is not obvious.
    fn press(&mut self, key: KeyEvent) -> String {
        let page = 10;
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            // A terminal whose input has ended sends other control characters by itself.
            return if key.code == KeyCode::Char('c') { quit() } else { String::new() };
        }
        match key.code {
            KeyCode::Char('q') => return quit(),
            KeyCode::Char('p' | ' ') if self.watched.interrupter.is_paused() => self.watched.interrupter.resume(),
            KeyCode::Char('p' | ' ') => self.watched.interrupter.pause(),
            KeyCode::Char('s') => return self.skip(),
            KeyCode::Char('d') => self.toggle(Shows::Difference),
            KeyCode::Char('f') => self.toggle(Shows::Rejected),
            KeyCode::Char('c') => return self.save_copy(),
            KeyCode::Down | KeyCode::Char('j') => self.view.scroll = (self.view.scroll + 1).min(self.end),
            KeyCode::Up | KeyCode::Char('k') => self.view.scroll = self.view.scroll.saturating_sub(1),
            KeyCode::PageDown => self.view.scroll = (self.view.scroll + page).min(self.end),
            KeyCode::PageUp => self.view.scroll = self.view.scroll.saturating_sub(page),
            KeyCode::Home => self.view.scroll = 0,
            KeyCode::End => self.view.scroll = self.end,
            _ => {}
        }
        String::new()
    }

    fn skip(&self) -> String {
        let pass = lock(&self.state).passes.current().to_owned();
        if pass.is_empty() {
            return "No pass is running".to_owned();
        }
        self.watched.interrupter.skip();
        format!("Skipped {pass}; --resume runs it")
    }

    fn toggle(&mut self, shows: Shows) {
        self.view.shows = if self.view.shows == shows { Shows::Text } else { shows };
        self.view.scroll = 0;
    }

    fn save_copy(&self) -> String {
        let Some(best) = lock(&self.state).best.clone() else { return "The input is still being checked".to_owned() };
        let path = free_copy(&self.watched.output);
        match output::replace(&path, &best, None, false) {
            Ok(()) => format!("Saved {}", path.display()),
            Err(error) => format!("Cannot save {}: {error}", path.display()),
        }
    }
}

/// Ends the run as Ctrl-C does: keeps the best, and exits immediately the second time.
fn quit() -> String {
    match raise(Signal::SIGTERM) {
        Ok(()) => "Stopping; press q again to exit immediately".to_owned(),
        Err(error) => format!("Cannot stop: {error}"),
    }
}

/// A path for a copy of the result, at which there is nothing yet: `bug.reduced.copy1.c` for `bug.reduced.c`.
fn free_copy(output: &Path) -> PathBuf {
    let stem = output.file_stem().unwrap_or_default().to_string_lossy();
    let extension = output.extension().map(|extension| format!(".{}", extension.to_string_lossy())).unwrap_or_default();
    let name = |number: u32| output.with_file_name(format!("{stem}.copy{number}{extension}"));
    (1..).map(name).find(|path| !path.exists()).unwrap_or_else(|| name(0))
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_takes_a_free_name() {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("bug.reduced.c");
        assert_eq!(free_copy(&output), folder.path().join("bug.reduced.copy1.c"));
        std::fs::write(folder.path().join("bug.reduced.copy1.c"), "").unwrap();
        assert_eq!(free_copy(&output), folder.path().join("bug.reduced.copy2.c"));
    }
}
