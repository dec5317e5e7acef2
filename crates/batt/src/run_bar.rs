//! A bar that moves while programs are run on tasks.

use batt_run::RunEvent;
use indicatif::ProgressBar;

use crate::output::progress;

/// Moves with each task, and then with the programs that were deferred because they spend much.
pub(crate) struct RunBar(ProgressBar);

impl RunBar {
    /// For so many tasks.
    pub(crate) fn new(tasks: usize) -> Self {
        Self(progress(tasks as u64, "tasks"))
    }

    /// Starts again, for another run on this number of tasks.
    pub(crate) fn begin(&self, what: &str, tasks: usize) {
        self.restart(format!("{what}: tasks"), tasks);
    }

    /// Moves the bar.
    pub(crate) fn tell(&self, event: RunEvent) {
        match event {
            RunEvent::Task | RunEvent::Piece => self.0.inc(1),
            RunEvent::Deferred(pieces) => self.restart("heavy programs".to_owned(), pieces),
        }
    }

    pub(crate) fn finish(&self) {
        self.0.finish_and_clear();
    }

    fn restart(&self, what: String, length: usize) {
        self.0.set_position(0);
        self.0.set_prefix(what);
        self.0.set_length(length as u64);
        self.0.reset_eta();
    }
}
