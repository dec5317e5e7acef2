//! When work is to end before it is done.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Tells work when to end: at a moment, or as soon as somebody asks for it. The default never does.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    deadline: Option<Instant>,
    asked: Option<Arc<AtomicBool>>,
}

impl Stop {
    /// At a moment, if there is one.
    pub fn at(deadline: Option<Instant>) -> Self {
        Self { deadline, asked: None }
    }

    /// Also as soon as this is set.
    #[must_use]
    pub fn or_when(self, asked: Arc<AtomicBool>) -> Self {
        Self { asked: Some(asked), ..self }
    }

    /// Whether the work is to end now.
    pub fn is_due(&self) -> bool {
        self.asked.as_ref().is_some_and(|asked| asked.load(Ordering::Relaxed))
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// How long it may go on; `None` if no moment is set.
    pub fn left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }
}
