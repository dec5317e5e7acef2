//! Ctrl-C and SIGTERM: the process ends with status 130, and no file is left half-written.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// What a shell reports for a process that Ctrl-C ended.
pub(crate) const STATUS: i32 = 130;

/// Held while files are written.
static WRITING: Mutex<()> = Mutex::new(());
static INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// Whether whoever works looks at [`requested`] and ends by itself.
static POLITE: AtomicBool = AtomicBool::new(false);

/// Ends the process on Ctrl-C, after what [`uninterrupted`] is doing; a second Ctrl-C does not wait.
pub(crate) fn install() {
    let handler = || {
        if INTERRUPTED.swap(true, Ordering::SeqCst) {
            std::process::exit(STATUS);
        }
        if POLITE.load(Ordering::SeqCst) {
            return;
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

/// From now on the first Ctrl-C only asks: whoever works ends where it suits. A second one does not wait.
pub(crate) fn finish_generation_first() {
    POLITE.store(true, Ordering::SeqCst);
}

/// Whether the user has asked for an end.
pub(crate) fn requested() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// Does something that Ctrl-C must not cut in two, such as writing files.
pub(crate) fn uninterrupted<T>(work: impl FnOnce() -> T) -> T {
    let guard = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    let result = work();
    drop(guard);
    // What was interrupted, such as a download, is not to be reported as failed: the waiting thread ends the process.
    while INTERRUPTED.load(Ordering::SeqCst) && !POLITE.load(Ordering::SeqCst) {
        std::thread::park();
    }
    result
}
