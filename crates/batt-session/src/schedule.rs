//! How long each task is searched in a pass: of a budget for each task, or of one for all of them.
//!
//! It reads no clock. A pass begins a task anew, so one that is no longer than an earlier one finds nothing new.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::progress::{Allowance, TaskProgress};
use crate::search::{Extent, SearchOptions};

/// The parts of the time of a task that passes have: most tasks are solved in the first. The rest is for what has begun when a pass ends.
const PASSES: [f64; 3] = [0.02, 0.13, 0.82];
/// The shortest pass: less is too little for anything but reading the task, so it is part of the next pass.
const SHORTEST_PASS: Duration = Duration::from_millis(10);
/// The part of the time of all tasks that the first pass has.
const FIRST_PASS: f64 = 0.1;
/// The longest that a task has in the first pass of a search that is given a time for all tasks.
const LONGEST_FIRST_PASS: Duration = Duration::from_secs(2);
/// How many times as much the next pass has.
const NEXT_PASS: f64 = 8.0;
/// How many times as long as the longest pass so far another one is at least.
const LONGER: f64 = 1.5;
/// The most passes of a search: with the last, a task would have years.
pub(crate) const MOST_PASSES: usize = 12;

/// Limits of tasks in a pass.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Schedule {
    /// Columns for each task.
    Columns(u64),
    /// Seconds in the pass, of the seconds of the whole task.
    OfTask {
        /// In the pass.
        pass: f64,
        /// In all.
        all: f64,
    },
    /// Seconds for each task.
    Even(f64),
    /// Seconds for each task, or more than ever before: not all tasks have a turn.
    Longer(f64),
}

impl Allowance {
    /// More than any pass has.
    pub(crate) const FOREVER: Self = Self::Time(Duration::MAX);
}

impl Schedule {
    /// Whether it belongs to searches of this extent.
    pub(crate) fn is_for(self, extent: Extent) -> bool {
        match (self, extent) {
            (Self::Columns(columns), Extent::Columns(wanted)) => columns == wanted,
            (Self::OfTask { all, .. }, Extent::TimePerTask(time)) => (all - time.as_secs_f64()).abs() < 1e-9,
            (Self::Even(_) | Self::Longer(_), Extent::Time(_)) => true,
            _ => false,
        }
    }

    /// The limit of a task; `None` if nothing is left for it.
    pub(crate) fn allowance(self, progress: &TaskProgress) -> Option<Allowance> {
        let seconds = match self {
            Self::Columns(columns) => return Some(Allowance::Columns(columns)),
            Self::OfTask { pass, all } => pass.min(all - progress.seconds),
            Self::Even(seconds) => seconds,
            Self::Longer(seconds) => seconds.max(progress.reached_seconds * LONGER),
        };
        Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero()).map(Allowance::Time)
    }
}

/// The schedule of a pass; none if there is no further pass. `open` are the tasks that need one, `left` is what is left of the time for all.
pub(crate) fn next(options: SearchOptions, pass: usize, open: &[&TaskProgress], left: Option<Duration>) -> Option<Schedule> {
    match options.extent {
        Extent::Columns(columns) => Some(Schedule::Columns(columns)),
        Extent::TimePerTask(time) => {
            let lengths: Vec<Duration> = passes(time).collect();
            // A search that goes on with more time has its longest pass again.
            let pass = lengths.get(pass).or(lengths.last())?;
            Some(Schedule::OfTask { pass: pass.as_secs_f64(), all: time.as_secs_f64() })
        }
        Extent::Time(_) => {
            if open.is_empty() {
                return None;
            }
            let even = left?.as_secs_f64() * options.threads as f64 / open.len() as f64;
            let first = LONGEST_FIRST_PASS.as_secs_f64().min(even * FIRST_PASS);
            let time = first * NEXT_PASS.powi(pass.min(MOST_PASSES) as i32);
            // The last pass takes what is left.
            let length = if time * 2.0 > even { even } else { time };
            let reached = open.iter().map(|progress| progress.reached_seconds).fold(0.0, f64::max);
            Some(if length < reached * LONGER && length >= even { Schedule::Longer(length) } else { Schedule::Even(length) })
        }
    }
}

/// The passes of a task that has so much time.
fn passes(time: Duration) -> impl Iterator<Item = Duration> {
    let mut before = Duration::ZERO;
    PASSES.iter().enumerate().filter_map(move |(pass, &part)| {
        let length = before + time.mul_f64(part);
        let is_long = length >= SHORTEST_PASS || pass + 1 == PASSES.len();
        before = if is_long { Duration::ZERO } else { length };
        is_long.then_some(length)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_that_are_too_short_are_part_of_the_next() {
        let milliseconds = |time: u64| passes(Duration::from_millis(time)).map(|pass| pass.as_millis()).collect::<Vec<_>>();
        assert_eq!(milliseconds(10_000), [200, 1300, 8200]);
        assert_eq!(milliseconds(100), [15, 82]);
        assert_eq!(milliseconds(20), [19]);
    }
}
