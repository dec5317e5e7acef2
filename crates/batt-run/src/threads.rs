//! Threads to run programs on, as many as the system gives.

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::RunError;

/// Threads that work together.
pub struct Threads(Workers);

enum Workers {
    Several(ThreadPool),
    /// The one that calls, which is the only one of the pool for whatever names no pool.
    Caller,
}

impl Threads {
    /// Starts this many threads; with 0, one for each core. If the system refuses, fewer, down to the caller alone.
    pub fn start(wanted: usize) -> Result<Self, RunError> {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let mut number = if wanted == 0 { cores() } else { wanted };
        loop {
            let source = match ThreadPoolBuilder::new().num_threads(number).build() {
                Ok(pool) => return Ok(Self(Workers::Several(pool))),
                Err(source) => source,
            };
            if number == 1 {
                tracing::warn!(error = %source, "no thread could be started: the first one does everything");
                // It is set up already if this happened before.
                let _ = ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global();
                return Ok(Self(Workers::Caller));
            }
            if wanted > 1 {
                return Err(RunError::Threads { threads: wanted, source });
            }
            tracing::warn!(threads = number, error = %source, "fewer threads are started");
            number /= 2;
        }
    }

    /// Does something in which whatever is done in parallel is done by these threads.
    pub fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.0 {
            Workers::Several(pool) => pool.install(work),
            Workers::Caller => work(),
        }
    }

    /// How many they are.
    pub fn count(&self) -> usize {
        match &self.0 {
            Workers::Several(pool) => pool.current_num_threads(),
            Workers::Caller => 1,
        }
    }
}
