//! Saves a generation while the next one is made: on one thread for the whole session, or synchronously if no thread can be started.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use batt_store::{Generation, RunId, Store, StoreError};

use crate::SessionError;

type SaveResult = Result<(), StoreError>;

/// A store that generations of a run are saved in.
pub(crate) struct Saver {
    store: Arc<Mutex<Store>>,
    run: RunId,
    thread: Option<Thread>,
    state: State,
}

struct Thread {
    generations: Sender<Generation>,
    results: Receiver<SaveResult>,
    handle: JoinHandle<()>,
}

enum State {
    Idle,
    /// The thread is at it.
    Saving,
    /// It was done right away.
    Done(SaveResult),
}

impl Saver {
    pub(crate) fn new(store: Store, run: RunId) -> Self {
        let store = Arc::new(Mutex::new(store));
        let ((to_thread, generations), (results, from_thread)) = (channel(), channel());
        let other = Arc::clone(&store);
        let work = move || {
            for generation in generations {
                let saved = locked(&other).save_generation(run, &generation);
                if results.send(saved).is_err() {
                    return;
                }
            }
        };
        let thread = std::thread::Builder::new().name("saver".to_owned()).spawn(work);
        let thread = thread.ok().map(|handle| Thread { generations: to_thread, results: from_thread, handle });
        Self { store, run, thread, state: State::Idle }
    }

    /// The store. Whoever asks for it while a generation is saved waits for that.
    pub(crate) fn store(&self) -> MutexGuard<'_, Store> {
        locked(&self.store)
    }

    /// Begins to save a generation. The one before has to be finished.
    pub(crate) fn begin(&mut self, generation: Generation) {
        self.state = match &self.thread {
            Some(thread) => match thread.generations.send(generation) {
                Ok(()) => State::Saving,
                Err(unsent) => State::Done(self.store().save_generation(self.run, &unsent.0)),
            },
            None => State::Done(self.store().save_generation(self.run, &generation)),
        };
    }

    /// Waits until what was begun is in the store.
    pub(crate) fn finish(&mut self) -> Result<(), SessionError> {
        match (std::mem::replace(&mut self.state, State::Idle), &self.thread) {
            (State::Done(saved), _) => Ok(saved?),
            (State::Saving, Some(thread)) => Ok(thread.results.recv().map_err(|_| SessionError::Saver)??),
            _ => Ok(()),
        }
    }
}

impl Drop for Saver {
    /// Waits for the thread, so that the store is closed when the session is.
    fn drop(&mut self) {
        if let Some(Thread { generations, handle, .. }) = self.thread.take() {
            drop(generations);
            // A panic of the thread was told by `finish`.
            let _ = handle.join();
        }
    }
}

fn locked(store: &Mutex<Store>) -> MutexGuard<'_, Store> {
    store.lock().unwrap_or_else(PoisonError::into_inner)
}
