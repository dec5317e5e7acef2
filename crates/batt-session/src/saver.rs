//! Saving a generation while the next one is made: on one thread for the whole session, or right away where there is none to be had.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use batt_store::{Generation, RunId, Store, StoreError};

use crate::SessionError;

type SaveResult = Result<(), StoreError>;

/// A store that generations of a run are saved in.
pub(crate) struct Saver {
    store: Arc<Mutex<Store>>,
    run: RunId,
    /// What goes to the thread, and what comes back.
    thread: Option<(Sender<Generation>, Receiver<SaveResult>)>,
    state: State,
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
        Self { store, run, thread: thread.is_ok().then_some((to_thread, from_thread)), state: State::Idle }
    }

    /// The store. Whoever asks for it while a generation is saved waits for that.
    pub(crate) fn store(&self) -> MutexGuard<'_, Store> {
        locked(&self.store)
    }

    /// Begins to save a generation. The one before has to be finished.
    pub(crate) fn begin(&mut self, generation: Generation) {
        self.state = match &self.thread {
            Some((to_thread, _)) => match to_thread.send(generation) {
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
            (State::Saving, Some((_, from_thread))) => Ok(from_thread.recv().map_err(|_| SessionError::Saver)??),
            _ => Ok(()),
        }
    }
}

fn locked(store: &Mutex<Store>) -> MutexGuard<'_, Store> {
    store.lock().unwrap_or_else(PoisonError::into_inner)
}
