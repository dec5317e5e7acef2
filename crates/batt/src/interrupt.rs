//! Ctrl-C and SIGTERM: the process ends with status 130, and no file is left half-written.

use std::io::{IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

use crate::embedded;
use crate::output::can_start_threads;

/// Exit status of a process that Ctrl-C ended.
pub(crate) const STATUS: u8 = 130;

/// Held while files are written.
static WRITING: Mutex<()> = Mutex::new(());
static INTERRUPTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
/// Message on Ctrl-C, if the work then ends by itself.
static POLITE: OnceLock<&'static str> = OnceLock::new();

/// Ends the process on Ctrl-C, after what [`uninterrupted`] is doing; a second Ctrl-C does not wait.
pub(crate) fn install() {
    let handler = || {
        if INTERRUPTED.swap(true, Ordering::SeqCst) {
            std::process::exit(STATUS.into());
        }
        if let Some(what) = POLITE.get() {
            // At once, and above whatever is drawn there.
            let clear = if std::io::stderr().is_terminal() { "\r\x1b[2K" } else { "" };
            let _ = writeln!(std::io::stderr(), "{clear}ending: {what}; again to end at once");
            return;
        }
        // The wait has a thread of its own, so that this handler can see a second signal.
        if std::thread::Builder::new().spawn(end_after_writing).is_err() {
            end_after_writing();
        }
    };
    // A handler needs a thread. Without one Ctrl-C still ends the process; only a temporary file may stay behind.
    if can_start_threads() {
        let _ = ctrlc::set_handler(handler);
    }
}

fn end_after_writing() {
    let _no_more_writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    std::process::exit(STATUS.into());
}

/// From now on the first Ctrl-C only asks, and says what happens: whoever works looks at what is returned, and ends by itself. A second one
/// does not wait.
pub(crate) fn ask_first(what_happens: &'static str) -> Arc<AtomicBool> {
    if let Some(command) = embedded::current() {
        return command.stop_flag();
    }
    let _ = POLITE.set(what_happens);
    Arc::clone(&INTERRUPTED)
}

/// Flag that ends the work when batt runs inside another process; none if it does not.
pub(crate) fn if_embedded() -> Option<Arc<AtomicBool>> {
    embedded::current().map(|command| command.stop_flag())
}

/// Does something that Ctrl-C must not cut in two, such as writing files.
pub(crate) fn uninterrupted<T>(work: impl FnOnce() -> T) -> T {
    let guard = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    let result = work();
    drop(guard);
    // What was interrupted, such as a download, is not to be reported as failed: the waiting thread ends the process.
    while INTERRUPTED.load(Ordering::SeqCst) && POLITE.get().is_none() {
        std::thread::park();
    }
    result
}
