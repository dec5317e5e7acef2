//! How many tasks programs fit, and how many are solved: the same words in every command.

use batt_run::Verdict;

use crate::output::{count, grouped};

/// `fits 2 of 3 tasks (66.7%), solved 1 (33.3%)`.
pub(crate) fn in_words(verdict: &Verdict) -> String {
    let Verdict { tasks, fits, graded, solved } = *verdict;
    let solved = match graded {
        0 => "; solved: unknown (no test outputs)".to_owned(),
        _ if graded == tasks => format!(", solved {} ({})", grouped(solved as u64), share(solved, tasks)),
        _ => format!(", solved {} of the {} with test outputs", grouped(solved as u64), grouped(graded as u64)),
    };
    format!("fits {} of {} ({}){solved}", grouped(fits as u64), count(tasks, "task"), share(fits, tasks))
}

/// A share as a percentage.
pub(crate) fn share(part: usize, whole: usize) -> String {
    format!("{:.1}%", 100.0 * part as f64 / whole.max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_solved_is_said_as_far_as_it_is_known() {
        let words = |tasks: &[(bool, Option<bool>)]| in_words(&Verdict::of(tasks.iter().copied()));
        let (wrong, solved, hidden) = ((true, Some(false)), (true, Some(true)), (true, None));
        assert_eq!(words(&[solved, wrong, (false, Some(false))]), "fits 2 of 3 tasks (66.7%), solved 1 (33.3%)");
        assert_eq!(words(&[hidden, (false, None)]), "fits 1 of 2 tasks (50.0%); solved: unknown (no test outputs)");
        assert_eq!(words(&[hidden, solved, wrong]), "fits 3 of 3 tasks (100.0%), solved 1 of the 2 with test outputs");
        assert_eq!(words(&[]), "fits 0 of 0 tasks (0.0%); solved: unknown (no test outputs)");
    }
}
