//! Trying programs on tasks: running them on every sample through a card, scoring and choosing what they give by the demos, grading.
//!
//! Long jobs return a report as plain data; printing is the caller's business. Test outputs are looked at by [`grade_submission`],
//! the last step of [`run`] and, to be shown, [`first_wrong`] alone.

mod choose;
mod differ;
mod one;
mod order;
mod pairing;
mod panics;
mod propose;
mod results;
mod run;
mod stop;
mod submission;
mod submission_file;
mod threads;
mod verdict;
mod worker;
mod wrong;

pub use choose::{Performance, RankedOutput, proposals};
pub use differ::{BUILT_IN_DIFFERS, FULL_SCORE, built_in_differs, valid_output};
pub use one::{WatchedOne, run_one_watched};
pub use order::{OrderCheck, order_mark, order_on};
pub use pairing::{Pairing, ProgramsByTask, task_in_name};
pub use panics::{TaskPanic, catch, install_panic_hook, resume_with_program};
pub use propose::{Contender, WatchedProposals, propose, propose_watched};
pub use results::{
    CandidateCounts, CardEntry, Heavy, OrderDependent, Outlier, Phases, Results, SkippedEntry, TaskSummary, name_of, task_json,
};
pub use run::{
    Candidate, CardSummary, ProbedRun, Progress, RunError, RunEvent, RunOptions, RunReport, TaskReport, grade, is_solved, run, run_card,
    run_card_watched,
};
pub use stop::Stop;
pub use submission::{Attempts, Completeness, Grade, Misfit, Submission, grade_submission};
pub use submission_file::{Refusal, SUBMISSION_SHAPE, SubmissionFile};
pub use threads::Threads;
pub use verdict::Verdict;
pub use wrong::{WrongSample, first_wrong};
