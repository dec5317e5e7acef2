//! The results of a run as JSON.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use batt_core::{Grid, Task};
use batt_data::Skipped;
use batt_search::{Proposal, RunReport, TaskReport};
use serde::Serialize;

use crate::files::{make_folder, write_whole};

/// How many programs that ran out of fuel are listed.
const MOST_OUTLIERS: usize = 100;

/// What `--json` writes.
#[derive(Serialize)]
pub(crate) struct Results {
    pub(crate) tasks: usize,
    pub(crate) samples: usize,
    pub(crate) programs: usize,
    pub(crate) evaluations: u64,
    pub(crate) undefined: u64,
    pub(crate) out_of_fuel: u64,
    pub(crate) card: CardJson,
    pub(crate) candidates: CandidatesJson,
    /// The first programs that ran out of fuel, and on which task; each once.
    pub(crate) outliers: Vec<Outlier>,
    /// How many there are in all.
    pub(crate) outlier_count: usize,
    pub(crate) solved: Vec<String>,
    pub(crate) solved_by: BTreeMap<String, Vec<String>>,
    pub(crate) by_task: Vec<TaskSummary>,
    pub(crate) skipped: Vec<SkippedJson>,
    pub(crate) phases: Phases,
    pub(crate) wall_s: f64,
}

/// What the card is like.
#[derive(Serialize)]
pub(crate) struct CardJson {
    programs: usize,
    calls: usize,
    nodes: usize,
    sharing: f64,
}

/// Valid grids that programs gave on samples, and how many of them were distinct on their sample.
#[derive(Serialize)]
pub(crate) struct CandidatesJson {
    total: u64,
    distinct: u64,
}

/// A program that ran out of fuel on a task.
#[derive(Serialize)]
pub(crate) struct Outlier {
    pub(crate) task: String,
    pub(crate) program: String,
    /// What it spent on a sample before it was ended.
    fuel: u64,
}

/// What is told of every task, in the order of the source.
#[derive(Serialize)]
pub(crate) struct TaskSummary {
    id: String,
    solved: bool,
    demos: usize,
    demos_right: usize,
    best: Option<String>,
    evaluations: u64,
    fuel: u64,
    time_s: f64,
}

/// Something that was not read.
#[derive(Serialize)]
pub(crate) struct SkippedJson {
    what: String,
    why: String,
}

/// Where the wall time went, in seconds.
#[derive(Clone, Copy, Serialize)]
#[expect(clippy::struct_field_names, reason = "the names of the JSON keys")]
pub(crate) struct Phases {
    pub(crate) load_s: f64,
    pub(crate) card_s: f64,
    pub(crate) execute_s: f64,
    pub(crate) validate_s: f64,
}

/// What `--out` writes for a task. Nothing in it depends on test outputs, or on the time that anything took.
#[derive(Serialize)]
struct TaskResult<'a> {
    task: &'a str,
    demos: usize,
    tests: usize,
    programs: usize,
    best: Option<&'a str>,
    demos_right: usize,
    selected: Vec<SelectedResult<'a>>,
    /// For each test input the best different outputs.
    proposals: Vec<Vec<ProposalResult<'a>>>,
}

/// An output for a test input.
#[derive(Serialize)]
struct ProposalResult<'a> {
    program: &'a str,
    demos_right: u32,
    score: u64,
    votes: u32,
    output: Vec<&'a [i8]>,
}

/// A program that is right on every demo, and what it gives for the test inputs.
#[derive(Serialize)]
struct SelectedResult<'a> {
    program: &'a str,
    demos_right: usize,
    outputs: Vec<Option<Vec<&'a [i8]>>>,
}

impl Results {
    /// Puts together what a run found and what was skipped before it.
    pub(crate) fn new(tasks: &[Task], names: &[String], report: &RunReport, skipped: &[Skipped], load: Duration, fuel: u64) -> Self {
        let (outliers, outlier_count) = outliers(report, names, fuel);
        let solved: Vec<&TaskReport> = report.tasks.iter().filter(|task| task.solved()).collect();
        let programs_of = |task: &TaskReport| task.solved_by.iter().map(|&k| name_of(names, k).to_owned()).collect();
        Self {
            tasks: tasks.len(),
            samples: tasks.iter().map(Task::samples).sum(),
            programs: names.len(),
            evaluations: report.evaluations,
            undefined: report.undefined,
            out_of_fuel: report.out_of_fuel,
            card: CardJson {
                programs: report.card.programs,
                calls: report.card.calls,
                nodes: report.card.nodes,
                sharing: report.card.sharing,
            },
            candidates: CandidatesJson { total: report.candidates, distinct: report.distinct },
            outliers,
            outlier_count,
            solved: solved.iter().map(|task| task.id.clone()).collect(),
            solved_by: solved.iter().map(|task| (task.id.clone(), programs_of(task))).collect(),
            by_task: report.tasks.iter().map(|task| summary_of(task, names)).collect(),
            skipped: skipped_as_json(skipped),
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
    pub(crate) fn to_text(&self) -> anyhow::Result<String> {
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

/// What was not read, and why.
pub(crate) fn skipped_as_json(skipped: &[Skipped]) -> Vec<SkippedJson> {
    skipped.iter().map(|one| SkippedJson { what: one.what.clone(), why: one.why.clone() }).collect()
}

/// The name of a program by its position.
pub(crate) fn name_of(names: &[String], position: u32) -> &str {
    names.get(position as usize).map_or("?", String::as_str)
}

/// Writes one file a task to the folder `tasks` of a folder, with at most `top` outputs for a test input. Returns the ids that cannot be
/// the name of a file.
pub(crate) fn write_tasks<'a>(folder: &Path, names: &[String], reports: &'a [TaskReport], top: usize) -> anyhow::Result<Vec<&'a str>> {
    let folder = folder.join("tasks");
    make_folder(&folder)?;
    let mut refused = Vec::new();
    for report in reports {
        if !is_file_name(&report.id) {
            refused.push(&*report.id);
            continue;
        }
        let text = serde_json::to_string(&task_result(report, names, top))? + "\n";
        write_whole(&folder.join(format!("{}.json", report.id)), text.as_bytes())?;
    }
    Ok(refused)
}

fn summary_of(report: &TaskReport, names: &[String]) -> TaskSummary {
    TaskSummary {
        id: report.id.clone(),
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
    let selected = report.selected.iter().map(|candidate| SelectedResult {
        program: name_of(names, candidate.program),
        demos_right: report.demos,
        outputs: candidate.outputs.iter().map(|output| output.as_ref().map(|grid| Grid::rows(grid).collect())).collect(),
    });
    let proposal = |proposal: &'a Proposal| ProposalResult {
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
        selected: selected.collect(),
        proposals: report.proposals.iter().map(|all| all.iter().take(top).map(proposal).collect()).collect(),
    }
}

fn is_file_name(id: &str) -> bool {
    !id.is_empty() && id.len() <= 200 && !id.starts_with('.') && !id.contains(['/', '\\', ':']) && !id.contains(char::is_control)
}
