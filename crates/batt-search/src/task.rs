//! Search on a task, and the programs that come of it.

use std::borrow::Cow;
use std::time::Instant;

use batt_core::{Grid, Task, Value};
use batt_engine::{Behaviour, Inputs, Limits, Outcome, ReferenceExecutor};
use batt_program::{Program, parse_file};

use crate::member::{Member, Question};
use crate::puzzle::Puzzle;
use crate::solve::{Budget, Formula, solve};

/// The most answers of a task whose programs are run and kept.
const MOST: usize = 16;
/// The most proposals of a member that are run.
const MOST_PROPOSED: usize = 64;

/// The part of the time of a task that all members together have.
const MEMBERS: f64 = 0.3;
/// What an answer costs more if no demo that was left out is foretold by what is fitted to the others.
pub(crate) const DOUBT: u32 = 300;

/// Names of families in stores and JSON: one column, several columns laid over each other, cell by cell from the colours of columns.
const COLUMN: &str = "search-column";
const COVER: &str = "search-cover";
const TABLE: &str = "search-table";

/// A program that search found for a task. The reference executor ran it on every sample.
#[derive(Clone, Debug)]
pub struct Found {
    /// The program.
    pub program: Program,
    /// How it was found, as stores and JSON name it.
    pub family: Cow<'static, str>,
    /// What it costs; the lower the more likely.
    pub cost: u32,
    /// How many other ways lead to the same columns, and to the same outputs.
    pub votes: (u32, u32),
    /// Whether it is right, for each demo.
    pub right: Vec<bool>,
    /// From 0 to 1000 for each demo, added up.
    pub score: u64,
    /// What it gives on the tests.
    pub outputs: Vec<Grid>,
    /// The fuel that it spent on the demos.
    pub fuel: u64,
    /// A hash of what it gave.
    pub behaviour: u128,
}

impl Found {
    /// Whether it is right on all demos.
    pub fn fits(&self) -> bool {
        self.right.iter().all(|&right| right)
    }

    /// The number of demos that it is right on.
    pub fn demos_right(&self) -> usize {
        self.right.iter().filter(|&&right| right).count()
    }
}

/// What search on a task came to.
#[derive(Clone, Debug, Default)]
pub struct TaskFound {
    /// Programs, the most likely first, no two with the same outputs on the tests.
    pub found: Vec<Found>,
    /// Columns that were made and new.
    pub columns: u64,
    /// Calls of operations on columns.
    pub calls: u64,
    /// The most bytes that columns and pieces took.
    pub memory: usize,
    /// The most calls one after the other of which everything was made.
    pub depth: u16,
    /// Programs that gave something else when they were run, and were dropped.
    pub refuted: usize,
    /// Why the search ended.
    pub end: End,
}

/// Why the search on a task ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum End {
    /// Nothing was left to do.
    #[default]
    Exhausted,
    /// The time was over.
    Time,
    /// So many columns were made.
    Columns,
    /// The memory was full.
    Memory,
    /// Somebody asked for it.
    Stopped,
    /// The task has no demo, or grids that search does not take.
    Unfit,
    /// Something panicked.
    Panic,
}

impl End {
    /// Its name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exhausted => "exhausted",
            Self::Time => "time",
            Self::Columns => "columns",
            Self::Memory => "memory",
            Self::Stopped => "stopped",
            Self::Unfit => "unfit",
            Self::Panic => "panic",
        }
    }
}

/// Searches for programs for a task, with the proposals of members. The outputs of its tests are not looked at.
pub fn search_task(task: &Task, budget: &Budget<'_>, members: &[&dyn Member]) -> TaskFound {
    let Some(puzzle) = puzzle_of(task) else { return TaskFound { end: End::Unfit, ..TaskFound::default() } };
    let mut checker = Checker::new(task);
    let proposed = proposals(task, budget, members, &mut checker);
    let outcome = solve(&puzzle, budget);
    let mut found = TaskFound {
        found: Vec::new(),
        columns: outcome.columns,
        calls: outcome.calls,
        memory: outcome.memory,
        depth: outcome.depth,
        refuted: 0,
        end: outcome.end,
    };
    for answer in outcome.answers {
        if found.found.len() == MOST {
            break;
        }
        let Some(program) = parse_file(&answer.program).programs.pop() else {
            debug_assert!(false, "search wrote a program that cannot be read:\n{}", answer.program);
            found.refuted += 1;
            continue;
        };
        let family = match (&answer.formula, answer.formula.len()) {
            (Formula::Cover(_), 1) => COLUMN,
            (Formula::Cover(_), _) => COVER,
            (Formula::Table(..), _) => TABLE,
        };
        let expected = |(frame, cells): &(batt_image::Frame, Vec<u8>), grid: &Grid| {
            (grid.height(), grid.width()) == (frame.height as usize, frame.width as usize)
                && grid.cells().iter().zip(cells).all(|(cell, &expected)| *cell == expected as i8)
        };
        let checked = checker.run(program, Cow::Borrowed(family), answer.cost).filter(|found| {
            let claimed = found.right.iter().enumerate().all(|(demo, &right)| right == (answer.right >> demo & 1 == 1));
            claimed && found.outputs.iter().zip(&answer.tests).all(|(grid, answer)| expected(answer, grid))
        });
        debug_assert!(checked.is_some(), "{}: search and reference disagree on\n{}", task.id, answer.program);
        found.refuted += usize::from(checked.is_none());
        found.found.extend(checked.map(|found| Found { votes: (answer.votes, answer.support), ..found }));
    }
    found.found.extend(proposed);
    found.found.sort_by_key(|found| (std::cmp::Reverse(found.demos_right()), found.cost));
    let mut seen = std::collections::HashSet::new();
    found.found.retain(|found| seen.insert(found.outputs.clone()));
    found.found.truncate(MOST);
    found
}

/// What members propose, as far as it is right on a demo.
fn proposals(task: &Task, budget: &Budget<'_>, members: &[&dyn Member], checker: &mut Checker<'_>) -> Vec<Found> {
    let question = Question { id: &task.id, demos: &task.demos, tests: task.tests.iter().map(|test| &test.input).collect() };
    let (mut found, demos) = (Vec::new(), task.demos.len() as u32);
    for (place, member) in members.iter().enumerate() {
        let now = Instant::now();
        let share = MEMBERS / (members.len() - place) as f64;
        let deadline = budget.deadline.map(|deadline| now + deadline.saturating_duration_since(now).mul_f64(share));
        let proposed = member.propose(&question, &Budget { deadline, ..*budget });
        for proposal in proposed.into_iter().take(MOST_PROPOSED) {
            let Some(program) = parse_file(&proposal.program).programs.pop() else { continue };
            let all = u32::MAX >> (32 - demos);
            let doubt = DOUBT * (all & !proposal.foretold).count_ones() / demos;
            let checked = checker.run(program, Cow::Borrowed(proposal.family), proposal.cost.saturating_add(doubt));
            found.extend(checked.filter(|found| found.demos_right() > 0));
        }
    }
    found
}

/// What programs that search found earlier, as text and with the names of their families, come to when they are run again.
pub fn recall<'a>(task: &Task, programs: impl Iterator<Item = (&'a str, &'a str)>) -> TaskFound {
    let mut checker = Checker::new(task);
    let found =
        programs.filter_map(|(text, family)| checker.run(parse_file(text).programs.pop()?, Cow::Owned(family.to_owned()), u32::MAX));
    TaskFound { found: found.collect(), ..TaskFound::default() }
}

/// Runs programs on all samples of a task.
struct Checker<'a> {
    task: &'a Task,
    inputs: Vec<Value>,
    demos: Value,
    executor: ReferenceExecutor,
    /// What programs are called.
    name: String,
}

impl<'a> Checker<'a> {
    fn new(task: &'a Task) -> Self {
        let inputs = (0..task.samples()).filter_map(|sample| task.input(sample)).map(|grid| Value::Grid(grid.clone())).collect();
        let name = format!("solve_{}", identifier(&task.id));
        Self { task, inputs, demos: Inputs::demos_of(&task.demos), executor: ReferenceExecutor::new(Limits::default()), name }
    }

    /// What a program comes to; `None` if it gives no grid on a test.
    fn run(&mut self, program: Program, family: Cow<'static, str>, cost: u32) -> Option<Found> {
        let program = program.named(self.name.clone());
        let demos = &self.task.demos;
        let (mut fuel, mut values) = (0, Vec::new());
        for (sample, input) in self.inputs.iter().enumerate() {
            let evaluation = self.executor.run_one(&program, Inputs { input, demos: &self.demos, candidate: None });
            if sample < demos.len() {
                fuel += evaluation.fuel;
            }
            values.push(match evaluation.outcome {
                Outcome::Value(Value::Grid(grid)) => Some(grid),
                _ => None,
            });
        }
        let outputs: Vec<Grid> = values[demos.len()..].iter().cloned().collect::<Option<_>>()?;
        let right: Vec<bool> = demos.iter().zip(&values).map(|(demo, value)| value.as_ref() == Some(&demo.output)).collect();
        let score = demos.iter().zip(&values).map(|(demo, value)| value.as_ref().map_or(0, |grid| likeness(grid, &demo.output))).sum();
        let behaviour = behaviour(&values, demos.len(), right.iter().all(|&right| right));
        Some(Found { program, family, cost, votes: (0, 0), right, score, outputs, fuel, behaviour })
    }
}

/// How many of a thousand cells are right; none if the size is wrong.
fn likeness(grid: &Grid, wanted: &Grid) -> u64 {
    if (grid.height(), grid.width()) != (wanted.height(), wanted.width()) {
        return 0;
    }
    let same = grid.cells().iter().zip(wanted.cells()).filter(|(a, b)| a == b).count();
    (same * 1000 / wanted.cells().len()) as u64
}

/// A hash of what a program gave on the demos, and on the tests if it fits.
fn behaviour(values: &[Option<Grid>], demos: usize, fits: bool) -> u128 {
    let mut behaviour = Behaviour::default();
    for value in &values[..if fits { values.len() } else { demos }] {
        behaviour.take(value.as_ref());
    }
    behaviour.finish()
}

/// A task's id as part of a name: what no name can have is an underscore.
fn identifier(id: &str) -> String {
    let letters = id.chars().take(60).map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' });
    letters.collect()
}

/// The grids of a task; `None` if there is no demo, or a grid that is no image.
fn puzzle_of(task: &Task) -> Option<Puzzle> {
    let mut puzzle = Puzzle::default();
    let add = |images: &mut Puzzle, grid: &Grid| images.add_input(grid.height(), grid.width(), grid.cells());
    for demo in &task.demos {
        if !add(&mut puzzle, &demo.input) || !puzzle.add_output(demo.output.height(), demo.output.width(), demo.output.cells()) {
            return None;
        }
    }
    for test in &task.tests {
        if !add(&mut puzzle, &test.input) {
            return None;
        }
    }
    (!task.demos.is_empty() && task.demos.len() < 32).then_some(puzzle)
}
