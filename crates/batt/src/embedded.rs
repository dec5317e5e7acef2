//! Commands inside another process, such as a Python interpreter. Their output is data, their progress can be read, and they can be
//! stopped.
//!
//! Whoever embeds batt runs one command at a time: what a process reads and writes is kept in one place (`guard.rs`).

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, Once, PoisonError, RwLock};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget};

/// The command that is run in this process for somebody else.
static CURRENT: RwLock<Option<Arc<Embedded>>> = RwLock::new(None);

/// A command that is run for somebody else in the same process.
#[derive(Default)]
pub struct Embedded {
    stop: Arc<AtomicBool>,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    events: VecDeque<Event>,
    stdout: Vec<u8>,
    error: Option<String>,
    bar: Option<ProgressBar>,
}

/// Event of a running command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A line about what was done.
    Note(String),
    /// A line about something that was skipped or is odd.
    Warning(String),
    /// A line about something that went wrong, while the command goes on.
    Error(String),
    /// A program fits a task that no program fitted before.
    Found {
        /// The id of the task.
        task: String,
        /// The text of the program.
        program: String,
    },
}

/// How far a command is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Unit of the count, such as `tasks`.
    pub what: String,
    /// How many of them are done.
    pub done: u64,
    /// How many there are, if that is known.
    pub all: Option<u64>,
}

/// How a command ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The status that a process would have ended with.
    pub status: u8,
    /// Output to stdout.
    pub stdout: String,
    /// Error that ended the command; none if it finished.
    pub error: Option<String>,
}

impl Embedded {
    /// Runs a command and waits for its end. The first argument is the name of the program.
    pub fn run(self: &Arc<Self>, args: impl IntoIterator<Item = OsString>) -> Ended {
        static HOOK: Once = Once::new();
        HOOK.call_once(batt_run::install_panic_hook);
        set_current(Some(Arc::clone(self)));
        let status = crate::run(args);
        set_current(None);
        self.changed.notify_all();
        let mut state = self.state();
        let stdout = String::from_utf8_lossy(&std::mem::take(&mut state.stdout)).into_owned();
        Ended { status, stdout, error: state.error.take() }
    }

    /// Asks the command to end. What it has is saved.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::SeqCst);
    }

    /// Events since the last call; waits for one, but not longer than `longest`.
    pub fn events(&self, longest: Duration) -> Vec<Event> {
        let mut state = self.state();
        if state.events.is_empty() && !longest.is_zero() {
            state = self.changed.wait_timeout(state, longest).unwrap_or_else(PoisonError::into_inner).0;
        }
        state.events.drain(..).collect()
    }

    /// Ends a wait for events.
    pub fn wake(&self) {
        self.changed.notify_all();
    }

    /// How far the command is, while it counts something.
    pub fn progress(&self) -> Option<Progress> {
        // A bar is not asked while the state is held: whoever holds the bar may want to tell something.
        let bar = self.state().bar.clone();
        let bar = bar.filter(|bar| !bar.is_finished())?;
        let what = if bar.prefix().is_empty() { bar.message() } else { bar.prefix() };
        Some(Progress { what, done: bar.position(), all: bar.length() })
    }

    pub(crate) fn tell(&self, event: Event) {
        self.state().events.push_back(event);
        self.changed.notify_all();
    }

    /// The command ends here.
    pub(crate) fn fail(&self, error: String) {
        self.state().error = Some(error);
    }

    /// Flag that stops the command.
    pub(crate) fn stop_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// A bar that nobody draws.
    pub(crate) fn bar(&self, length: Option<u64>) -> ProgressBar {
        let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::hidden());
        let before = self.state().bar.replace(bar.clone());
        drop(before);
        bar
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The command that is run for somebody else; none in the program `batt`.
pub(crate) fn current() -> Option<Arc<Embedded>> {
    CURRENT.read().unwrap_or_else(PoisonError::into_inner).clone()
}

fn set_current(command: Option<Arc<Embedded>>) {
    *CURRENT.write().unwrap_or_else(PoisonError::into_inner) = command;
}

/// The stdout of a command.
pub(crate) struct Captured(pub(crate) Arc<Embedded>);

impl Write for Captured {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.state().stdout.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One test, because one command runs at a time.
    #[test]
    fn a_command_runs_without_a_process_of_its_own() {
        let run = |line: &str| {
            let command = Arc::new(Embedded::default());
            let ended = command.run(line.split(' ').map(OsString::from));
            (ended, command.events(Duration::ZERO))
        };
        let (ended, events) = run("batt run --json - --no-cache");
        assert_eq!((ended.status, ended.error), (0, None));
        assert!(ended.stdout.contains("\"fits\""), "{}", ended.stdout);
        assert!(matches!(events.first(), Some(Event::Note(_))), "{events:?}");
        let (ended, _) = run("batt run --programs no-such-file.py --no-cache");
        assert_eq!((ended.status, ended.error.as_deref()), (1, Some("there is no program to run")));
        let (ended, _) = run("batt run --nonsense");
        assert_eq!(ended.status, 2);
        assert!(ended.error.is_some_and(|error| error.contains("--nonsense")));
        let (ended, _) = run("batt dsl fill --json");
        assert!(ended.stdout.contains("fill"), "{}", ended.stdout);
    }
}
