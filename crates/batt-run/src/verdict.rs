//! How many tasks programs fit, and how many are solved.

use crate::TaskReport;

/// Counts of tasks by outcome. A task that a program fits is solved only if its test outputs are known and the program is right on them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// All tasks.
    pub tasks: usize,
    /// Tasks that a program fits.
    pub fits: usize,
    /// Tasks whose test outputs are known.
    pub graded: usize,
    /// Of these, how many are solved.
    pub solved: usize,
}

impl Verdict {
    /// Counts tasks: whether a program fits, and whether the task is solved if that is known.
    pub fn of(tasks: impl IntoIterator<Item = (bool, Option<bool>)>) -> Self {
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
    pub fn of_run(tasks: &[TaskReport]) -> Self {
        Self::of(tasks.iter().map(|task| (task.fits(), task.solved())))
    }

    /// How many are solved, if that is known of any.
    pub fn known_solved(&self) -> Option<usize> {
        (self.graded > 0).then_some(self.solved)
    }
}
