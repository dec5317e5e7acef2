//! Ctrl-C: the process ends with status 130, and no file is left half-written.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// What a shell reports for a process that Ctrl-C ended.
const STATUS: i32 = 130;

/// Held while files are written.
static WRITING: Mutex<()> = Mutex::new(());
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Ends the process on Ctrl-C, after what [`uninterrupted`] is doing; a second Ctrl-C does not wait.
pub(crate) fn install() {
    let handler = || {
        if INTERRUPTED.swap(true, Ordering::SeqCst) {
            std::process::exit(STATUS);
        }
        // The wait has a thread of its own, so that this handler can see a second signal.
        std::thread::spawn(|| {
            let _no_more_writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
            std::process::exit(STATUS);
        });
    };
    // Without a handler Ctrl-C still ends the process; only a temporary file may stay behind.
    let _ = ctrlc::set_handler(handler);
}

/// Does something that Ctrl-C must not cut in two, such as writing files.
pub(crate) fn uninterrupted<T>(work: impl FnOnce() -> T) -> T {
    let guard = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    let result = work();
    drop(guard);
    // What was interrupted, such as a download, is not to be reported as failed: the waiting thread ends the process.
    while INTERRUPTED.load(Ordering::SeqCst) {
        std::thread::park();
    }
    result
}
