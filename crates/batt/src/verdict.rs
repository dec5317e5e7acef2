//! How many tasks programs fit, and how many are solved: the same words in every command.

use std::fmt;

use batt_run::TaskReport;

use crate::output::{count, grouped};

/// What came of tasks. A task that a program fits is solved only if its test outputs are known and the program is right on them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) tasks: usize,
    /// Tasks that a program fits.
    pub(crate) fits: usize,
    /// Tasks whose test outputs are known.
    pub(crate) graded: usize,
    /// Of these, how many are solved.
    pub(crate) solved: usize,
}

impl Verdict {
    /// Counts tasks: whether a program fits, and whether the task is solved if that is known.
    pub(crate) fn of(tasks: impl IntoIterator<Item = (bool, Option<bool>)>) -> Self {
        let mut verdict = Self::default();
        for (fits, solved) in tasks {
            verdict.tasks += 1;
            verdict.fits += usize::from(fits);
            verdict.graded += usize::from(solved.is_some());
            verdict.solved += usize::from(solved == Some(true));
        }
        verdict
    }

    /// The verdict on a run.
    pub(crate) fn of_run(tasks: &[TaskReport]) -> Self {
        Self::of(tasks.iter().map(|task| (task.fits(), task.solved())))
    }

    /// How many are solved, if that is known of any.
    pub(crate) fn known_solved(&self) -> Option<usize> {
        (self.graded > 0).then_some(self.solved)
    }

    /// The second half: `solved 54 (90.0%)`, with what stands before it.
    pub(crate) fn and_solved(&self) -> String {
        let Self { tasks, graded, solved, .. } = *self;
        match graded {
            0 => "; solved: unknown (no test outputs)".to_owned(),
            _ if graded == tasks => format!(", solved {} ({})", grouped(solved as u64), share(solved, tasks)),
            _ => format!(", solved {} of the {} with test outputs", grouped(solved as u64), grouped(graded as u64)),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tasks, fits, .. } = *self;
        write!(f, "fits {} of {} ({}){}", grouped(fits as u64), count(tasks, "task"), share(fits, tasks), self.and_solved())
    }
}

fn share(part: usize, whole: usize) -> String {
    format!("{:.1}%", 100.0 * part as f64 / whole.max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_solved_is_said_as_far_as_it_is_known() {
        let words = |tasks: &[(bool, Option<bool>)]| Verdict::of(tasks.iter().copied()).to_string();
        let (wrong, solved, hidden) = ((true, Some(false)), (true, Some(true)), (true, None));
        assert_eq!(words(&[solved, wrong, (false, Some(false))]), "fits 2 of 3 tasks (66.7%), solved 1 (33.3%)");
        assert_eq!(words(&[hidden, (false, None)]), "fits 1 of 2 tasks (50.0%); solved: unknown (no test outputs)");
        assert_eq!(words(&[hidden, solved, wrong]), "fits 3 of 3 tasks (100.0%), solved 1 of the 2 with test outputs");
        assert_eq!(words(&[]), "fits 0 of 0 tasks (0.0%); solved: unknown (no test outputs)");
    }
}
