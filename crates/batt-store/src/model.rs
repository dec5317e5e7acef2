//! Content of a store as plain data: rows to write, and rows that were read.

use batt_program::{ContentHash, rename};

/// A run, in one store: a store that it is merged into gives it another number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RunId(pub i64);

/// A program that is imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// Its name.
    pub name: String,
    /// Its canonical text ([`batt_program::canonical_text`]).
    pub text: String,
    /// The file that it is from.
    pub source: String,
}

/// Counts of an import.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImportReport {
    /// Programs that were not in the store.
    pub new: usize,
    /// Programs that were.
    pub known: usize,
}

/// A run that begins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewRun {
    /// Its seed.
    pub seed: u64,
    /// All its options, as JSON.
    pub configuration: String,
    /// The version of batt.
    pub batt_version: String,
    /// The hash of the table of primitives ([`batt_program::table_hash`]).
    pub table_hash: String,
    /// The names of its tasks, in its order.
    pub tasks: Vec<String>,
    /// The programs that it begins with, in its order, with their names in the run. They are in the store.
    pub programs: Vec<(String, ContentHash)>,
    /// The folder in which it begins, where paths that it was told are looked for.
    pub folder: String,
    /// The time of the clock, in milliseconds since 1970. Nothing depends on it.
    pub unix_ms: i64,
}

/// All that a generation of a run leaves behind. It is saved whole or not at all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Generation {
    /// Its number, higher than those saved before. The start of a run, which is 0, is saved in parts: again, until it is not cut.
    pub number: u64,
    /// How many tasks had their turn, if it was cut before all had.
    pub cut: Option<u64>,
    /// Programs that were made; those that are in the store stay as they are. A parent is in the store, or earlier in the list.
    pub programs: Vec<NewProgram>,
    /// Scores of programs that are in the store or in the list. A later score takes the place of an earlier one.
    pub scores: Vec<Score>,
    /// The evidence for programs that search found.
    pub answers: Vec<Answer>,
    /// How far the run has come with tasks: their names, and any text.
    pub searched: Vec<(String, String)>,
    /// The pools that changed, whole.
    pub pools: Vec<Pool>,
    /// Tasks that a program fits and none did before, with the program.
    pub fits: Vec<NewFit>,
    /// How well the operators did.
    pub operators: Vec<OperatorUse>,
    /// How the run goes.
    pub progress: Progress,
    /// The state from which the run goes on; replaces the one before.
    pub checkpoint: String,
    /// Hashes that the generation made, in any form.
    pub seen: String,
    /// Hashes that generations before this one made are forgotten.
    pub forget_seen_before: u64,
    /// The time of the clock, in milliseconds since 1970. Nothing depends on it.
    pub unix_ms: i64,
}

/// A program that a run made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewProgram {
    /// Its canonical text ([`batt_program::canonical_text`]), from which its hash follows.
    pub text: String,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its operator.
    pub operator: String,
    /// Its parents, at most two.
    pub parents: Vec<ContentHash>,
    /// The seed of the operator.
    pub seed: u64,
}

/// How good a program is on a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Score {
    /// The program.
    pub program: ContentHash,
    /// The name of the task.
    pub task: String,
    /// Demos that it is right on.
    pub demos_right: u32,
    /// Demos of the task.
    pub demos: u32,
    /// From 0 to 1000 for each demo, added up.
    pub score: u64,
    /// The size of the program.
    pub size: u32,
    /// Fuel spent on the demos.
    pub fuel: u64,
    /// A hash of what it gave on the demos, and on the test inputs if it fits; none in scores that an older batt wrote.
    pub behaviour: Option<u128>,
    /// Whether what it gave depends on the order of a set; none in scores that an older batt wrote.
    pub order_dependent: Option<bool>,
}

/// The evidence for a program that search found for a task, as far as it does not follow from the task and the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The program.
    pub program: ContentHash,
    /// The name of the task.
    pub task: String,
    /// The way in which it was found.
    pub family: String,
    /// The lower the more likely.
    pub cost: u32,
    /// Its place among the answers in the order of costs.
    pub place: u32,
    /// Demos that were right when they were left out of the fit.
    pub foretold: u32,
    /// How many other ways lead to the same columns.
    pub votes: u32,
    /// How many other fits of the family lead to the same outputs.
    pub support: u32,
    /// How many other families do.
    pub families: u32,
    /// Whether its colours are those that the demos tell.
    pub palette: u8,
    /// The probability that it is right, in millionths, beside the answers that were known when it was stored.
    pub probability: Option<u32>,
}

/// The programs that a run keeps for a task, the best first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pool {
    /// The name of the task.
    pub task: String,
    /// The programs.
    pub programs: Vec<ContentHash>,
}

/// A program that fits a task: it is right on all its demos.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewFit {
    /// The name of the task.
    pub task: String,
    /// The program.
    pub program: ContentHash,
}

/// How well an operator did, in a generation or in a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OperatorUse {
    /// Its name.
    pub operator: String,
    /// How often it was tried.
    pub tried: u64,
    /// How often it made a program that had been made before.
    pub duplicates: u64,
    /// How often it made one that went into a pool.
    pub improved: u64,
    /// Tasks that one of its programs fits and none did before.
    pub fits: u64,
}

/// How a run goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Evaluations so far.
    pub evaluations: u64,
    /// Tasks that some program fits, so far.
    pub fits: u64,
    /// The score of the best program of each task, added up.
    pub total_score: u64,
    /// The mean size of the programs in the pools, in thousandths.
    pub mean_size_milli: u64,
    /// How many different behaviours are in the pools.
    pub distinct_behaviours: u64,
}

/// A program of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredProgram {
    /// Its hash, which is that of its text.
    pub hash: ContentHash,
    /// Its canonical text.
    pub text: String,
    /// Its names, in order; evolved programs have none.
    pub names: Vec<String>,
    /// Where it came from first.
    pub origin: Origin,
}

/// Where a program came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Its operator: `import`, a mutation operator, or a family of search.
    pub operator: String,
    /// The run that made it.
    pub run: Option<RunId>,
    /// The generation of the run.
    pub generation: Option<u64>,
    /// The seed of the operator.
    pub seed: Option<u64>,
    /// Its parents, as far as they are still in the store.
    pub parents: Vec<ContentHash>,
    /// How many of its parents were pruned.
    pub parents_pruned: u32,
    /// The file that it was imported from.
    pub source: Option<String>,
}

/// A program and how good it is on a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankedProgram {
    /// The program.
    pub program: StoredProgram,
    /// How good it is; `None` if a pool has a program whose score was never saved.
    pub score: Option<Score>,
}

/// A program in few words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramSummary {
    /// Its hash.
    pub hash: ContentHash,
    /// The first of its names.
    pub name: Option<String>,
    /// Its operator.
    pub operator: String,
    /// How many tasks it has a score on.
    pub tasks: u64,
    /// How many of them it fits.
    pub fits: u64,
}

/// An ancestor of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ancestor {
    /// How many generations back: 0 is the program itself.
    pub depth: u32,
    /// The program.
    pub program: StoredProgram,
}

/// A run of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRun {
    /// Its number.
    pub id: RunId,
    /// Its seed.
    pub seed: u64,
    /// All its options, as JSON.
    pub configuration: String,
    /// The version of batt.
    pub batt_version: String,
    /// The hash of the table of primitives.
    pub table_hash: String,
    /// The names of its tasks, in its order.
    pub tasks: Vec<String>,
    /// The folder in which it began, if that is known: paths that it was told are looked for there.
    pub folder: Option<String>,
    /// The last generation that was saved, and how the run went until then.
    pub last: Option<(u64, Progress)>,
}

/// When a run found that a program fits a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fit {
    /// The run.
    pub run: RunId,
    /// The generation.
    pub generation: u64,
    /// The name of the task.
    pub task: String,
    /// The program.
    pub program: ContentHash,
}

/// How much is in a store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Programs.
    pub programs: u64,
    /// Scores.
    pub scores: u64,
    /// Tasks.
    pub tasks: u64,
    /// Runs.
    pub runs: u64,
    /// Tasks that some program fits.
    pub fits: u64,
}

impl StoredProgram {
    /// The first of its names, or one made of its hash.
    pub fn name(&self) -> String {
        self.function_names().swap_remove(0)
    }

    /// At least one name: its names that are valid names of functions, or one made of its hash. A store of others may have any text as a
    /// name.
    pub fn function_names(&self) -> Vec<String> {
        let is_name = |name: &&String| {
            let mut letters = name.chars();
            letters.next().is_some_and(|first| first == '_' || first.is_alphabetic()) && letters.all(|c| c == '_' || c.is_alphanumeric())
        };
        let names: Vec<String> = self.names.iter().filter(is_name).cloned().collect();
        if names.is_empty() { vec![format!("p_{}", &self.hash.to_string()[..12])] } else { names }
    }

    /// Its text under that name.
    pub fn named_text(&self) -> String {
        rename(&self.text, &self.name())
    }
}
