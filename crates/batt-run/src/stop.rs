//! When work is to end before it is done.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Tells work when to end: at a moment, or as soon as somebody asks for it. The default never does.
#[derive(Clone, Default)]
pub struct Stop {
    deadline: Option<Instant>,
    asked: Option<Asked>,
}

/// Whether somebody asks for the end.
#[derive(Clone)]
enum Asked {
    Flag(Arc<AtomicBool>),
    Condition(Arc<dyn Fn() -> bool + Send + Sync>),
}

impl Stop {
    /// At a moment, if there is one.
    pub fn at(deadline: Option<Instant>) -> Self {
        Self { deadline, asked: None }
    }

    /// As soon as a condition holds. It is asked before each program, from any thread.
    pub fn when(is_due: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self { deadline: None, asked: Some(Asked::Condition(Arc::new(is_due))) }
    }

    /// Also as soon as this is set.
    #[must_use]
    pub fn or_when(self, asked: Arc<AtomicBool>) -> Self {
        Self { asked: Some(Asked::Flag(asked)), ..self }
    }

    /// Whether the work is to end now.
    pub fn is_due(&self) -> bool {
        self.asked.as_ref().is_some_and(Asked::is_due) || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// How long it may go on; `None` if no moment is set.
    pub fn left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }
}

impl Asked {
    fn is_due(&self) -> bool {
        match self {
            Self::Flag(flag) => flag.load(Ordering::Relaxed),
            Self::Condition(is_due) => is_due(),
        }
    }
}

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stop").field("deadline", &self.deadline).field("asked", &self.asked.as_ref().map(Asked::is_due)).finish()
    }
}
