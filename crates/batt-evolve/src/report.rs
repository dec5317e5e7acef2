//! Reports of an evolution, as plain data: a generation, the programs kept in it with their sources, and the state of all tasks.

use std::sync::Arc;
use std::time::Duration;

use batt_program::ContentHash;
use batt_run::TaskPanic;

use crate::Fitness;
use crate::mutate::Operator;

/// Maker of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// It was there to begin with.
    Seed,
    /// It is one constant away from one of the best.
    Neighbour,
    /// It has a value of another program with which one of the best is right on all demos.
    Substitute,
    /// An operator.
    Operator(Operator),
}

impl Source {
    /// Its name, as stores and reports have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Seed => "import",
            Self::Neighbour => "neighbour",
            Self::Substitute => "substitute",
            Self::Operator(operator) => operator.name(),
        }
    }

    /// All sources that make programs, in the order of reports.
    pub fn all() -> impl Iterator<Item = Self> {
        [Self::Neighbour, Self::Substitute].into_iter().chain(Operator::ALL.into_iter().map(Self::Operator))
    }

    /// Its position in [`Source::all`]; none for what was there to begin with.
    pub(crate) fn place(self) -> Option<usize> {
        match self {
            Self::Seed => None,
            Self::Neighbour => Some(0),
            Self::Substitute => Some(1),
            Self::Operator(operator) => Some(2 + operator.index()),
        }
    }
}

/// Statistics of a source of programs in a generation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Use {
    /// Programs that it made, or was asked for in vain.
    pub tried: u64,
    /// Of these, how many had been made before.
    pub duplicates: u64,
    /// Of these, how many were kept.
    pub improved: u64,
    /// Tasks that one of these fits and none did before: the program that [`GenerationReport::fits`] names.
    pub fits: u64,
}

/// A program that was kept.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The task, by position.
    pub task: usize,
    /// The program's canonical text.
    pub text: Arc<str>,
    /// The hash of the text.
    pub hash: ContentHash,
    /// How good it is.
    pub fitness: Fitness,
    /// Its maker.
    pub source: Source,
    /// The programs that it was made of.
    pub parents: Vec<ContentHash>,
}

/// Results of a generation.
#[derive(Clone, Debug, Default)]
pub struct GenerationReport {
    /// Its number; 0 tries the first programs.
    pub number: u64,
    /// How many tasks had their turn, if it was cut before all had.
    pub cut: Option<u64>,
    /// Programs that were made and tried.
    pub tried: u64,
    /// Programs that had been made before and were dropped.
    pub duplicates: u64,
    /// Programs run on samples.
    pub evaluations: u64,
    /// Programs that went into pools.
    pub entries: Vec<Entry>,
    /// Tasks whose pools changed, by position, ascending.
    pub changed: Vec<usize>,
    /// Tasks that a program fits now and none did before, with the program that leads the task's pool.
    pub fits: Vec<(usize, ContentHash)>,
    /// Programs that seemed right, but not to the reference executor. There should be none.
    pub refuted: u64,
    /// Tasks, by position, whose visit a panic ended. There should be none.
    pub panics: Vec<(usize, TaskPanic)>,
    /// Statistics of each source, in the order of [`Source::all`].
    pub uses: Vec<Use>,
    /// The hashes of what was made, as text, for [`crate::Evolution::resume`].
    pub seen: String,
    /// Generations whose hashes are still needed begin here.
    pub oldest_seen: u64,
    /// Thread time in all, and of it in cards and programs.
    pub times: StepTimes,
}

/// Where the time of a generation went, summed over threads.
#[derive(Clone, Copy, Debug, Default)]
pub struct StepTimes {
    /// Making programs.
    pub breed: Duration,
    /// Making cards of them.
    pub card: Duration,
    /// Running them.
    pub batt: Duration,
    /// Keeping and verifying.
    pub keep: Duration,
    /// Waiting for an accelerator, on one thread; what this processor judges meanwhile is in `batt` too.
    pub device: Duration,
}

/// Observations of a visit of a task.
#[derive(Clone, Debug)]
pub struct WatchedVisit<P> {
    /// The task.
    pub task: usize,
    /// Where its time went.
    pub times: StepTimes,
    /// Programs run on samples.
    pub evaluations: u64,
    /// Probes of its runs.
    pub probes: Vec<P>,
}

impl StepTimes {
    /// Time of trying programs.
    pub(crate) fn trying(&self) -> Duration {
        self.card + self.batt
    }

    /// Adds the times of another generation.
    pub fn add(&mut self, other: &Self) {
        self.breed += other.breed;
        self.card += other.card;
        self.batt += other.batt;
        self.keep += other.keep;
        self.device += other.device;
    }
}

/// How an evolution goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Generations done.
    pub generations: u64,
    /// Programs run on samples.
    pub evaluations: u64,
    /// Tasks that some program fits.
    pub fits: u64,
    /// Tasks.
    pub tasks: u64,
    /// The score of the best program of each task, added up.
    pub total_score: u64,
    /// The mean size of the kept programs, in thousandths.
    pub mean_size_milli: u64,
    /// Different behaviours among the kept programs.
    pub distinct_behaviours: u64,
}
