//! Contents of a page, as plain data. The names of the fields are those that the page's script reads.

use serde::Serialize;

use crate::report::{Frame, ShownGrid};

/// Contents of a page.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// Title of the page.
    pub title: String,
    /// Where the tasks come from.
    pub source: String,
    /// Where the programs come from.
    pub programs: Vec<String>,
    /// When the page was made, as the caller wants it read.
    pub made: String,
    /// The version of batt.
    pub version: String,
    /// Remarks for readers: what was skipped, or left out.
    pub notes: Vec<String>,
    /// The tasks.
    pub tasks: Vec<TaskEntry>,
    /// The runs of a store.
    pub runs: Vec<RunEntry>,
    /// Where the time went.
    pub profile: Option<ProfileEntry>,
}

/// How far a task got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// A program fits and is right on every test.
    Solved,
    /// A program fits, which is to be right on every demo; it is wrong on a test, or the test outputs are not known.
    Fits,
    /// No program fits; the best is right on at least half of the demos.
    Nearly,
    /// Anything less.
    #[default]
    Unsolved,
}

/// A task and what programs make of it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct TaskEntry {
    /// Its id.
    pub id: String,
    /// How far it got.
    pub status: Status,
    /// Whether its test outputs are known.
    pub graded: bool,
    /// Its demos.
    pub demos: Vec<SampleEntry>,
    /// Its tests, with the outputs that the data has.
    pub tests: Vec<SampleEntry>,
    /// The best programs by the demos, best first.
    pub candidates: Vec<CandidateEntry>,
    /// How many programs were proposed.
    pub proposed: usize,
    /// The best program line by line.
    pub trace: Option<TraceEntry>,
}

impl TaskEntry {
    /// Whether a program fits.
    pub fn fits(&self) -> bool {
        matches!(self.status, Status::Solved | Status::Fits)
    }

    /// Whether it is solved. `None` if its test outputs are not known.
    pub fn solved(&self) -> Option<bool> {
        self.graded.then_some(self.status == Status::Solved)
    }
}

/// A sample of a task.
#[derive(Clone, Debug, Serialize)]
pub struct SampleEntry {
    /// The grid before.
    pub input: ShownGrid,
    /// The grid after; none if it is unknown or hidden.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<ShownGrid>,
}

/// A program and what it gives on the samples of a task.
#[derive(Clone, Debug, Serialize)]
pub struct CandidateEntry {
    /// The first digits of its hash, by which addresses name it.
    pub hash: String,
    /// Its name.
    pub name: String,
    /// Where it comes from.
    pub origin: String,
    /// Its text, one call a line.
    pub text: String,
    /// Demos that it is right on.
    pub right: usize,
    /// From 0 to 1000 for each demo, added up, where it was scored.
    pub score: Option<u64>,
    /// Its number of calls.
    pub size: usize,
    /// Fuel spent on all demos.
    pub fuel: u64,
    /// Whether what it gives depends on the order of a set, which Python does not fix.
    #[serde(skip_serializing_if = "is_false")]
    pub order_dependent: bool,
    /// Whether it fits and is right on every test.
    pub solves: bool,
    /// Its output on each sample, demos first: `=` for the expected grid, `!` and the reason if there is none, or a picture.
    pub outputs: Vec<String>,
}

/// Values of a program's lines.
#[derive(Clone, Debug, Serialize)]
pub struct TraceEntry {
    /// For each sample that it was run on.
    pub samples: Vec<TracedSample>,
    /// Whether something was left out so that the page does not become too large.
    pub cut: bool,
}

/// Values of a program's lines on a sample.
#[derive(Clone, Debug, Serialize)]
pub struct TracedSample {
    /// The sample, by its position: demos come first, then tests.
    pub sample: usize,
    /// Value of each call.
    pub steps: Vec<StepShown>,
}

/// Value of a call, as pictures or in words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StepShown {
    /// In words: the kind and size of what is drawn, or the value itself.
    pub words: String,
    /// Grids, patches, or the first of several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<ShownGrid>,
    /// Row and column of the first cell of each picture, where the value has places on a grid.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub at: Vec<(i32, i32)>,
    /// How many more there are.
    #[serde(skip_serializing_if = "is_zero")]
    pub more: usize,
    /// Whether there is no value.
    #[serde(skip_serializing_if = "is_false")]
    pub failed: bool,
}

/// A run of a store.
#[derive(Clone, Debug, Default, Serialize)]
pub struct RunEntry {
    /// Its number in the store.
    pub id: i64,
    /// Name of the run, for people.
    pub name: String,
    /// Its options, in words.
    pub about: String,
    /// How many tasks it works on.
    pub tasks: usize,
    /// How it went, generation by generation.
    pub points: Vec<RunPoint>,
    /// Statistics of its operators.
    pub operators: Vec<OperatorEntry>,
}

/// How a run stood after a generation.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct RunPoint {
    /// The generation.
    pub generation: u64,
    /// Evaluations so far.
    pub evaluations: u64,
    /// Tasks that a program fits, so far.
    pub fits: u64,
    /// Of these, tasks whose first program that fits is right on every test, where test outputs are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solved: Option<u64>,
    /// The score of the best program of each task, added up.
    pub score: u64,
    /// The mean size of the programs in the pools.
    pub size: f64,
    /// How many different behaviours are in the pools.
    pub behaviours: u64,
    /// Seconds since the run began, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// Statistics of an operator in a run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct OperatorEntry {
    /// Its name.
    pub name: String,
    /// How often it was tried.
    pub tried: u64,
    /// How often it made a program that had been made before.
    pub duplicates: u64,
    /// How often it made one that went into a pool.
    pub improved: u64,
    /// Tasks that one of its programs fits and none did before.
    pub fits: u64,
}

/// Where the time went.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ProfileEntry {
    /// The file that it was read from.
    pub name: String,
    /// Seconds from start to finish.
    pub wall_s: f64,
    /// Seconds of all threads together.
    pub thread_s: f64,
    /// Reference of shares, as in the profile.
    pub share_of: String,
    /// The share that no row has.
    pub not_attributed: f64,
    /// The share that measuring took.
    pub overhead: f64,
    /// Phases, in their order.
    pub phases: Vec<Phase>,
    /// The families of primitives, the largest share first.
    pub families: Vec<Family>,
    /// The primitives, the largest share first.
    pub primitives: Vec<PrimitiveEntry>,
    /// A flame graph.
    pub flame: Vec<Frame>,
}

/// A phase of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Phase {
    /// Its name.
    pub name: String,
    /// Time in seconds.
    pub seconds: f64,
}

/// A family of primitives.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Family {
    /// Its name.
    pub name: String,
    /// Its primitives' share of the time.
    pub share: f64,
    /// Their calls.
    pub calls: u64,
}

/// A primitive, or whatever else has a row of its own in a profile.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PrimitiveEntry {
    /// Its name.
    pub name: String,
    /// Its family.
    pub family: String,
    /// How often it was called.
    pub calls: u64,
    /// Seconds in it, without what it calls.
    pub self_s: f64,
    /// Between what that lies, by several runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval_s: Option<[f64; 2]>,
    /// Seconds in it, with what it calls.
    pub total_s: f64,
    /// Its share of the time.
    pub share: f64,
    /// How much it would be worth to make it faster, where the profile says so.
    pub priority: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_false(flag: &bool) -> bool {
    !*flag
}
