//! Events that are pushed to pages: tasks that were run, and changes of the store.

use std::convert::Infallible;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use axum::extract::State;
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use futures_util::Stream;
use futures_util::stream::unfold;
use serde::Serialize;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::broadcast::{Receiver, Sender, channel};

use crate::serve::Workbench;
use crate::serve::entries::TaskLine;

/// Events that wait for a page; one that is slower misses some, and is told to look again.
const WAITING: usize = 256;
/// How often the store is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// Event for pages.
#[derive(Clone, Debug)]
struct Told {
    kind: &'static str,
    data: Arc<str>,
}

/// The way to all pages.
pub(crate) struct Events(Sender<Told>);

impl Default for Events {
    fn default() -> Self {
        Self(channel(WAITING).0)
    }
}

impl Events {
    /// A task was run.
    pub(crate) fn task(&self, line: &TaskLine) {
        self.tell("task", line);
    }

    /// The store has changed, or a run that was started here.
    pub(crate) fn runs(&self) {
        self.tell("runs", &());
    }

    fn tell(&self, kind: &'static str, data: &impl Serialize) {
        let data = serde_json::to_string(data).unwrap_or_default().into();
        // There may be no page.
        let _ = self.0.send(Told { kind, data });
    }
}

/// The events, to a page.
pub(crate) async fn stream(State(workbench): State<Arc<Workbench>>) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let events = unfold(workbench.events.0.subscribe(), |mut events: Receiver<Told>| async move {
        let event = match events.recv().await {
            Ok(Told { kind, data }) => Event::default().event(kind).data(&*data),
            Err(RecvError::Lagged(_)) => Event::default().event("missed").data("null"),
            Err(RecvError::Closed) => return None,
        };
        Some((Ok(event), events))
    });
    Sse::new(events).keep_alive(KeepAlive::default())
}

/// Looks whether the store changes, for as long as the server answers. Another process may write to it.
pub(crate) fn start(workbench: &Arc<Workbench>) {
    let Some(store) = workbench.inputs.store.clone() else { return };
    let workbench = Arc::clone(workbench);
    tokio::spawn(async move {
        let mut known = state_of(&store);
        loop {
            tokio::time::sleep(LOOK_EVERY).await;
            let now = state_of(&store);
            if now != known {
                known = now;
                workbench.events.runs();
            }
        }
    });
}

/// Lengths and times of the files of a store: they change with every write.
fn state_of(store: &Path) -> [Option<(u64, SystemTime)>; 2] {
    let mut log = store.as_os_str().to_owned();
    log.push("-wal");
    [store.to_path_buf(), PathBuf::from(log)].map(|path| fs::metadata(path).ok().and_then(|file| Some((file.len(), file.modified().ok()?))))
}
