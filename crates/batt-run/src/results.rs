//! The results of a run as JSON.

use std::collections::BTreeMap;
use std::time::Duration;

use batt_core::{Grid, Task};
use batt_engine::OrderMark;
use serde::Serialize;

use crate::{Candidate, OrderCheck, RankedOutput, RunReport, TaskReport};

/// How many programs that ran out of fuel are listed.
const MOST_OUTLIERS: usize = 100;

/// Results of `batt run --json`.
#[derive(Clone, Debug, Serialize)]
pub struct Results {
    /// All tasks.
    pub tasks: usize,
    /// Their samples.
    pub samples: usize,
    /// All programs.
    pub programs: usize,
    /// Programs run on samples.
    pub evaluations: u64,
    /// Of these, how many were undefined.
    pub undefined: u64,
    /// Of these, how many ran out of fuel.
    pub out_of_fuel: u64,
    /// The card of the programs.
    pub card: CardEntry,
    /// Counts of outputs.
    pub candidates: CandidateCounts,
    /// The first programs that ran out of fuel, and on which task; each once.
    pub outliers: Vec<Outlier>,
    /// How many there are in all.
    pub outlier_count: usize,
    /// Programs that were not run to their end on a task, since the time was over.
    pub unfinished: u64,
    /// Tasks that a panic cost.
    panics: u64,
    /// The fuel that all programs spent.
    pub fuel: u64,
    /// The programs that spent most.
    pub heaviest: Vec<Heavy>,
    /// Tasks that a program fits, and for each of them the programs that do.
    fits: Vec<String>,
    fits_by: BTreeMap<String, Vec<String>>,
    /// Tasks whose test outputs are known.
    graded: usize,
    /// Of these, the solved ones, and for each of them the programs that solve it.
    solved: Vec<String>,
    solved_by: BTreeMap<String, Vec<String>>,
    /// The programs that fit and depend on the order of a set, or change their answers in another order.
    pub order_dependent: Vec<OrderDependent>,
    /// A summary of each task, in the order of the source.
    pub by_task: Vec<TaskSummary>,
    /// Tasks and functions that cannot be read.
    pub skipped: Vec<SkippedEntry>,
    /// Where the wall time went.
    pub phases: Phases,
    /// The wall time of the command.
    pub wall_s: f64,
}

/// Size of the card.
#[derive(Clone, Debug, Serialize)]
pub struct CardEntry {
    programs: usize,
    calls: usize,
    nodes: usize,
    sharing: f64,
}

/// Valid grids that programs gave on samples, and how many of them were distinct on their sample.
#[derive(Clone, Debug, Serialize)]
pub struct CandidateCounts {
    total: u64,
    distinct: u64,
}

/// A program that ran out of fuel on a task.
#[derive(Clone, Debug, Serialize)]
pub struct Outlier {
    /// The task.
    pub task: String,
    /// The program.
    pub program: String,
    /// Fuel spent on a sample before it was ended.
    fuel: u64,
}

/// A program that spent much on all tasks.
#[derive(Clone, Debug, Serialize)]
pub struct Heavy {
    /// The program.
    pub program: String,
    /// Fuel spent on all samples.
    pub fuel: u64,
    /// Of what all programs spent.
    pub share: f64,
}

/// A program that fits a task and depends on the order of a set.
#[derive(Clone, Debug, Serialize)]
pub struct OrderDependent {
    /// The task.
    pub task: String,
    /// The program.
    pub program: String,
    /// Its outputs under other orders; none if that was not asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order_check: Option<OrderCheck>,
}

/// Summary of a task.
#[derive(Clone, Debug, Serialize)]
pub struct TaskSummary {
    id: String,
    fits: bool,
    /// None where the test outputs are not known.
    solved: Option<bool>,
    demos: usize,
    demos_right: usize,
    best: Option<String>,
    evaluations: u64,
    fuel: u64,
    time_s: f64,
}

/// Task or function that was not read.
#[derive(Clone, Debug, Serialize)]
pub struct SkippedEntry {
    /// The task or function.
    pub what: String,
    /// Why it was not read.
    pub why: String,
}

/// Where the wall time went, in seconds.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Phases {
    /// Reading tasks and programs.
    pub load_s: f64,
    /// Merging programs.
    pub card_s: f64,
    /// Running programs.
    pub execute_s: f64,
    /// Grading.
    pub validate_s: f64,
}

/// Results of `--out` for a task. They depend neither on test outputs nor on measured times.
#[derive(Clone, Debug, Serialize)]
struct TaskResult<'a> {
    task: &'a str,
    demos: usize,
    tests: usize,
    programs: usize,
    best: Option<&'a str>,
    demos_right: usize,
    fits: Vec<FittingResult<'a>>,
    /// For each test input the best different outputs.
    proposals: Vec<Vec<ProposalResult<'a>>>,
}

/// An output for a test input.
#[derive(Clone, Debug, Serialize)]
struct ProposalResult<'a> {
    program: &'a str,
    demos_right: u32,
    score: u64,
    votes: u32,
    output: Vec<&'a [i8]>,
}

/// A program that fits, and what it gives for the test inputs.
#[derive(Clone, Debug, Serialize)]
struct FittingResult<'a> {
    program: &'a str,
    demos_right: usize,
    order_dependent: bool,
    outputs: Vec<Option<Vec<&'a [i8]>>>,
}

impl Results {
    /// Puts together what a run found and what was skipped before it.
    pub fn new(tasks: &[Task], names: &[String], report: &RunReport, skipped: Vec<SkippedEntry>, load: Duration, fuel: u64) -> Self {
        let (outliers, outlier_count) = outliers(report, names, fuel);
        let ids = |is: fn(&TaskReport) -> bool| report.tasks.iter().filter(|task| is(task)).map(|task| task.id.clone()).collect();
        let named = |programs: &mut dyn Iterator<Item = u32>| programs.map(|k| name_of(names, k).to_owned()).collect();
        let fits_by = |task: &TaskReport| (task.id.clone(), named(&mut task.fitting.iter().map(|candidate| candidate.program)));
        let share = |fuel: u64| fuel as f64 / report.fuel.max(1) as f64;
        let heavy = |&(program, fuel): &(u32, u64)| Heavy { program: name_of(names, program).to_owned(), fuel, share: share(fuel) };
        let solved_by = |task: &TaskReport| (task.id.clone(), named(&mut task.solved_by.iter().copied()));
        Self {
            tasks: tasks.len(),
            samples: tasks.iter().map(Task::samples).sum(),
            programs: names.len(),
            evaluations: report.evaluations,
            undefined: report.undefined,
            out_of_fuel: report.out_of_fuel,
            card: CardEntry {
                programs: report.card.programs,
                calls: report.card.calls,
                nodes: report.card.nodes,
                sharing: report.card.sharing,
            },
            candidates: CandidateCounts { total: report.candidates, distinct: report.distinct },
            outliers,
            outlier_count,
            unfinished: report.unfinished,
            panics: report.panics,
            fuel: report.fuel,
            heaviest: report.heaviest.iter().map(heavy).collect(),
            fits: ids(TaskReport::fits),
            fits_by: report.tasks.iter().filter(|task| task.fits()).map(fits_by).collect(),
            graded: report.tasks.iter().filter(|task| task.graded).count(),
            solved: ids(|task| task.solved() == Some(true)),
            solved_by: report.tasks.iter().filter(|task| task.solved() == Some(true)).map(solved_by).collect(),
            order_dependent: order_dependent(report, names),
            by_task: report.tasks.iter().map(|task| summary_of(task, names)).collect(),
            skipped,
            phases: Phases {
                load_s: load.as_secs_f64(),
                card_s: report.card_time.as_secs_f64(),
                execute_s: report.execute.as_secs_f64(),
                validate_s: report.validate.as_secs_f64(),
            },
            wall_s: 0.0,
        }
    }

    /// The text of the object, with the end of the line.
    pub fn to_text(&self) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

/// The first outliers, and how many there are in all.
fn outliers(report: &RunReport, names: &[String], fuel: u64) -> (Vec<Outlier>, usize) {
    let (mut shown, mut count) = (Vec::new(), 0);
    for task in &report.tasks {
        let mut programs = task.outliers.clone();
        programs.sort_unstable();
        programs.dedup();
        count += programs.len();
        let free = MOST_OUTLIERS.saturating_sub(shown.len());
        let outlier = |&k: &u32| Outlier { task: task.id.clone(), program: name_of(names, k).to_owned(), fuel };
        shown.extend(programs.iter().take(free).map(outlier));
    }
    (shown, count)
}

/// The programs that fit and depend on the order of a set.
fn order_dependent(report: &RunReport, names: &[String]) -> Vec<OrderDependent> {
    let depends = |candidate: &&Candidate| {
        candidate.order == OrderMark::Dependent || candidate.order_check.is_some_and(|check| check.same < check.orders)
    };
    let of_task = |task: &TaskReport| {
        let one = |candidate: &Candidate| OrderDependent {
            task: task.id.clone(),
            program: name_of(names, candidate.program).to_owned(),
            order_check: candidate.order_check,
        };
        task.fitting.iter().filter(depends).map(one).collect::<Vec<_>>()
    };
    report.tasks.iter().flat_map(of_task).collect()
}

/// The name of a program by its position.
pub fn name_of(names: &[String], position: u32) -> &str {
    names.get(position as usize).map_or("?", String::as_str)
}

/// Results for a task as JSON, with at most `top` outputs for a test input.
pub fn task_json(report: &TaskReport, names: &[String], top: usize) -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string(&task_result(report, names, top))? + "\n")
}

fn summary_of(report: &TaskReport, names: &[String]) -> TaskSummary {
    TaskSummary {
        id: report.id.clone(),
        fits: report.fits(),
        solved: report.solved(),
        demos: report.demos,
        demos_right: report.best.map_or(0, |(_, right)| right),
        best: report.best.map(|(k, _)| name_of(names, k).to_owned()),
        evaluations: report.evaluations,
        fuel: report.fuel,
        time_s: report.time.as_secs_f64(),
    }
}

fn task_result<'a>(report: &'a TaskReport, names: &'a [String], top: usize) -> TaskResult<'a> {
    let fitting = report.fitting.iter().map(|candidate| FittingResult {
        program: name_of(names, candidate.program),
        demos_right: report.demos,
        order_dependent: candidate.order == OrderMark::Dependent,
        outputs: candidate.outputs.iter().map(|output| output.as_ref().map(|grid| Grid::rows(grid).collect())).collect(),
    });
    let proposal = |proposal: &'a RankedOutput| ProposalResult {
        program: name_of(names, proposal.program),
        demos_right: proposal.demos_right,
        score: proposal.score,
        votes: proposal.votes,
        output: Grid::rows(&proposal.grid).collect(),
    };
    TaskResult {
        task: &report.id,
        demos: report.demos,
        tests: report.tests,
        programs: report.programs,
        best: report.best.map(|(k, _)| name_of(names, k)),
        demos_right: report.best.map_or(0, |(_, right)| right),
        fits: fitting.collect(),
        proposals: report.proposals.iter().map(|all| all.iter().take(top).map(proposal).collect()).collect(),
    }
}
