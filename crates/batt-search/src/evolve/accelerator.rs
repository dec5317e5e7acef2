//! What judges programs beside this processor, such as a GPU.

use batt_program::Program;

use super::pool::Fitness;

/// Programs to judge on a task.
pub struct Job<'a> {
    /// The task, by position.
    pub task: usize,
    /// The programs.
    pub programs: Vec<&'a Program>,
    /// What a program must reach in right demos and score, or it may be given up.
    pub bar: Option<(u32, u64)>,
    /// What a program may spend on a sample; no more than the limits say.
    pub fuel: u64,
}

/// What an accelerator found out about a program. It is what this processor would have found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// Demos that it is right on.
    pub demos_right: u32,
    /// From 0 to 1000 for each demo, added up.
    pub score: u64,
    /// What it spent on the demos.
    pub fuel: u64,
    /// The hash of what it gave.
    pub behaviour: u64,
    /// Samples that it ran on.
    pub evaluations: u32,
    /// Whether it cannot be kept: it could not reach the bar, or an earlier program of the same job does the same and costs no more by
    /// calls and fuel. Nothing else need then be known of it but its evaluations.
    pub out_of_question: bool,
}

impl Judgement {
    /// How good the program is, if it can be kept.
    pub(super) fn fitness(self, program: &Program) -> Option<Fitness> {
        (!self.out_of_question).then(|| Fitness {
            demos_right: self.demos_right,
            score: self.score,
            size: program.live().iter().filter(|live| **live).count() as u32,
            fuel: self.fuel,
            behaviour: self.behaviour,
        })
    }
}

/// Judges programs. What it cannot judge, or cannot judge any more, it leaves to this processor; so there are no errors here.
pub trait Accelerator: Send {
    /// Whether it would have a generation of so many programs.
    fn wants(&mut self, programs: usize) -> bool;

    /// Starts judging, and returns while it is under way. For each program of each job, whether it is being judged; the others are for
    /// this processor.
    fn start(&mut self, jobs: &[Job<'_>]) -> Vec<Vec<bool>>;

    /// Waits for the same jobs. `None` for each program that this processor must judge, those that were not started among them.
    fn finish(&mut self, jobs: &[Job<'_>]) -> Vec<Vec<Option<Judgement>>>;

    /// How long a generation of so many programs took, and whether it was given it.
    fn took(&mut self, programs: usize, given: bool, time: std::time::Duration);
}
