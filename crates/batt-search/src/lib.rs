//! Trying programs on tasks: running them on every sample through a card, scoring and choosing what they give by the demos, grading.
//!
//! Long jobs return a report as plain data; printing is the caller's business. Test outputs are looked at by [`grade_submission`] and
//! the last step of [`run`] alone.

mod choose;
mod differ;
pub mod evolve;
pub mod mutate;
mod one;
mod pairing;
mod propose;
mod run;
mod submission;
mod worker;

pub use choose::{Proposal, Showing, proposals};
pub use differ::{BUILT_IN_DIFFERS, FULL_SCORE, built_in_differs};
pub use one::{WatchedOne, run_one_watched};
pub use pairing::{Pairing, task_in_name};
pub use propose::{Contender, WatchedProposals, propose, propose_watched};
pub use run::{Candidate, CardSummary, RunError, RunOptions, RunReport, TaskReport, Watched, grade, run, run_card, run_card_watched};
pub use submission::{Attempts, Grade, Misfit, Submission, grade_submission};
