//! How far a search has come with a task, as the store keeps it.

use std::time::Duration;

use batt_search::{End, TaskFound};
use serde::{Deserialize, Serialize};

/// How far a search has come with a task, in all its passes and sessions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TaskProgress {
    /// The passes that it had, those that were stopped among them.
    pub passes: usize,
    /// How many passes of the run are over for it.
    pub done: usize,
    /// How long it was searched.
    pub seconds: f64,
    /// Columns that were made and new.
    pub columns: u64,
    /// Calls of operations on columns.
    pub calls: u64,
    /// The seconds in which columns were made.
    pub making: f64,
    /// The most bytes of a pass.
    pub memory: usize,
    /// The cost up to which all columns were made.
    pub depth: u16,
    /// Programs that gave something else when they were run.
    pub refuted: usize,
    /// Why the last pass ended.
    pub end: String,
    /// The seconds of the longest pass that came to its end. A shorter one finds nothing new.
    pub reached_seconds: f64,
    /// The columns that it was to make, if it was told a number.
    pub reached_columns: u64,
    /// Whether no further pass is needed, unless there is more memory.
    pub is_over: bool,
    /// The bytes that were too few, if memory ended it.
    pub memory_was: usize,
}

/// Limit of a pass over a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Allowance {
    Time(Duration),
    Columns(u64),
}

impl TaskProgress {
    /// Adds what a pass came to. `convinces` says whether its answers need no further pass.
    pub(crate) fn add(&mut self, pass: usize, found: &TaskFound, took: Duration, allowed: Allowance, memory: usize, convinces: bool) {
        self.passes += 1;
        self.seconds += took.as_secs_f64();
        self.columns += found.columns;
        self.calls += found.calls;
        self.making += found.making.as_secs_f64();
        self.memory = self.memory.max(found.memory);
        self.depth = self.depth.max(found.depth);
        self.refuted += found.refuted;
        found.end.name().clone_into(&mut self.end);
        // What was stopped is searched again in the same pass.
        if found.end == End::Stopped {
            return;
        }
        self.done = pass + 1;
        match allowed {
            Allowance::Time(time) => self.reached_seconds = self.reached_seconds.max(took.min(time).as_secs_f64()),
            Allowance::Columns(columns) => self.reached_columns = self.reached_columns.max(columns),
        }
        self.memory_was = if found.end == End::Memory { memory } else { 0 };
        self.is_over = convinces || matches!(found.end, End::Exhausted | End::Memory | End::Unfit);
    }

    /// Whether a pass with this allowance and memory can find anything new.
    pub(crate) fn wants(&self, allowed: Allowance, memory: usize) -> bool {
        if self.is_over && !(self.memory_was > 0 && memory > self.memory_was + self.memory_was / 4) {
            return false;
        }
        match allowed {
            Allowance::Time(time) => time.as_secs_f64() > self.reached_seconds,
            Allowance::Columns(columns) => columns > self.reached_columns,
        }
    }
}
