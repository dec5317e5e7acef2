//! Search on a task, and the programs that come of it.

use std::borrow::Cow;
use std::collections::HashSet;
use std::time::Duration;

use batt_core::{Grid, Task, Value};
use batt_engine::{Behaviour, Inputs, Limits, Outcome, ReferenceExecutor};
use batt_program::{Program, print_program, solver_name};
use batt_vision::{Frame, Images, Puzzle, add_grid};

use crate::formula::BRANCH;
use crate::learnt::Learnt;
use crate::near::Near;
use crate::palettes::Palettes;
use crate::rank::{Evidence, MOST, doubt, join, ranked};
use crate::solve::{Budget, Given, solve};
use crate::solver::{Proposal, Solver};

/// The most proposals of a solver that are run.
const MOST_PROPOSED: usize = 64;

/// The part of the time of a task that all solvers together have.
const SOLVERS: f64 = 0.5;

/// The most columns that solvers give, and the most that one of them costs.
const MOST_GIVEN: usize = 8;
const MOST_GIVEN_COST: u32 = 40;

/// The most rules that are fitted late or to columns, of those that are kept.
const MOST_FOLLOWED: usize = 6;

/// The least probability of an answer with which nothing is asked for late.
const LIKELY: f64 = 0.5;

/// The most columns that are nearly the outputs whose programs are kept.
const MOST_NEAR_MISSES: usize = 3;

/// The family of columns that are nearly the outputs. They are no answers, but what evolution starts from.
pub const NEAR_MISS: &str = "search-near";

/// The family of rules that are fitted to columns.
const FOLLOWED: &str = "rule-after";

/// A program that search found for a task. The reference executor ran it on every sample.
#[derive(Clone, Debug)]
pub struct Found {
    /// The program.
    pub program: Program,
    /// How it was found, as stores and JSON name it.
    pub family: Cow<'static, str>,
    /// Cost; the lower the more likely.
    pub cost: u32,
    /// Evidence for and against it.
    pub evidence: Evidence,
    /// The probability that its outputs are right, where that was learnt.
    pub probability: Option<f64>,
    /// Whether it is right, for each demo.
    pub right: Vec<bool>,
    /// From 0 to 1000 for each demo, added up.
    pub score: u64,
    /// Outputs on the tests.
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

/// Result of a search on a task.
#[derive(Clone, Debug, Default)]
pub struct TaskFound {
    /// Programs, the most likely first, no two with the same outputs on the tests.
    pub found: Vec<Found>,
    /// Programs that are right on no demo and nearly right: to be stored, for evolution to start from. There are none where a program fits.
    pub near_misses: Vec<Found>,
    /// Columns that were made and new.
    pub columns: u64,
    /// Calls of operations on columns.
    pub calls: u64,
    /// How long it took to make the columns.
    pub making: Duration,
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

/// Searches for programs for a task, with the proposals of solvers and what was learnt. The outputs of its tests are not looked at.
pub fn search_task(task: &Task, budget: &Budget<'_>, solvers: &[&dyn Solver], learnt: &Learnt) -> TaskFound {
    let mut checker = Checker::new(task);
    let Some(puzzle) = Puzzle::of(task) else { return TaskFound { end: End::Unfit, ..TaskFound::default() } };
    // Programs are run on all demos.
    let searched = puzzle.demos();
    let task = if task.demos.len() > searched { &Task { demos: task.demos[..searched].to_vec(), ..task.clone() } } else { task };
    let (proposed, given) = proposals(&puzzle, budget, solvers, &mut checker);
    let outcome = solve(&puzzle, &given, budget, learnt, proposed.iter().any(Found::fits));
    let mut found = TaskFound {
        found: Vec::new(),
        near_misses: Vec::new(),
        columns: outcome.columns,
        calls: outcome.calls,
        making: outcome.making,
        memory: outcome.memory,
        depth: outcome.depth,
        refuted: outcome.refuted,
        end: outcome.end,
    };
    for answer in outcome.answers {
        if found.found.len() == MOST || !found.found.is_empty() && budget.is_late().is_some() {
            break;
        }
        let has_room = |frame: &Frame| usize::from(frame.height.max(frame.width)) <= Task::MAX_SIDE;
        if !answer.tests.iter().all(|(frame, _)| has_room(frame)) {
            continue;
        }
        let family = answer.formula.family();
        let expected = |(frame, cells): &(Frame, Vec<u8>), grid: &Grid| {
            (grid.height(), grid.width()) == (frame.height as usize, frame.width as usize)
                && grid.cells().iter().zip(cells).all(|(cell, &expected)| *cell == expected as i8)
        };
        let checked = checker.run(answer.program.clone(), Cow::Borrowed(family), answer.cost).filter(|found| {
            let mut demos = found.right.iter().take(searched).enumerate();
            let claimed = demos.all(|(demo, &right)| right == (answer.right >> demo & 1 == 1));
            claimed && found.outputs.iter().zip(&answer.tests).all(|(grid, answer)| expected(answer, grid))
        });
        debug_assert!(checked.is_some(), "{}: search and reference disagree on\n{}", task.id, print_program(&answer.program));
        found.refuted += usize::from(checked.is_none());
        let (votes, support, foretold) = (answer.votes, answer.support, checker.foretold(answer.foretold));
        let evidence = Evidence { foretold, votes, support, ..Evidence::default() };
        found.found.extend(checked.map(|found| Found { evidence, ..found }));
    }
    found.found.extend(proposed);
    // A branch is weak evidence: others may still find something.
    let strong = found.found.iter().filter(|found| found.fits() && found.family != BRANCH);
    let least = strong.map(|found| found.cost).min();
    if least.is_none() || !is_likely(task, &found.found, &outcome.palettes, learnt) {
        let late = proposed_late(&puzzle, budget, solvers, &mut checker);
        // Beside answers that fit, only what foretells all demos and costs less tells more.
        let tells = |late: &Found| least.is_none_or(|least| late.cost < least && late.evidence.foretold as usize == late.right.len());
        found.found.extend(late.into_iter().filter(tells));
    }
    if least.is_none() {
        let near = outcome.near.iter().take(MOST_NEAR_MISSES).map(|near| &near.program).chain(&outcome.masks);
        found.near_misses = near_misses(near.take_while(|_| budget.is_late().is_none()), &mut checker);
        let followed = followed(&puzzle, budget, solvers, &outcome.near, &mut checker);
        found.found.extend(followed);
    }
    found.found = ranked(task, found.found, &outcome.palettes, learnt);
    found
}

/// Proposals of solvers that are right on a demo, and partial answers as columns.
fn proposals(puzzle: &Puzzle, budget: &Budget<'_>, solvers: &[&dyn Solver], checker: &mut Checker<'_>) -> (Vec<Found>, Vec<Given>) {
    let (mut found, mut given): (Vec<Found>, Vec<Given>) = (Vec::new(), Vec::new());
    for (place, solver) in solvers.iter().enumerate() {
        let share = SOLVERS / (solvers.len() - place) as f64;
        let deadline = budget.deadline.map(|deadline| deadline.part(share));
        let proposed = solver.propose(puzzle, &Budget { deadline, ..*budget });
        for proposal in proposed.into_iter().take(MOST_PROPOSED) {
            // The most likely is run in any case.
            if !found.is_empty() && budget.is_late().is_some() {
                break;
            }
            if proposal.is_part {
                // Where a rule explains everything, its parts tell nothing.
                if given.len() < MOST_GIVEN
                    && !found.iter().any(Found::fits)
                    && let Some(values) = checker.values(&proposal.program)
                {
                    let cost = (proposal.cost / 100).min(MOST_GIVEN_COST) as u16;
                    given.push(Given { program: proposal.program, cost, values });
                }
                continue;
            }
            let family = Cow::Borrowed(proposal.family);
            found.extend(checker.proposed(proposal, family, 0));
        }
    }
    (found, given)
}

/// Whether the first answer is likely to be right.
fn is_likely(task: &Task, found: &[Found], palettes: &Palettes, learnt: &Learnt) -> bool {
    ranked(task, found.to_vec(), palettes, learnt)
        .first()
        .is_some_and(|first| first.probability.is_none_or(|probability| probability >= LIKELY))
}

/// Late proposals of solvers.
fn proposed_late(puzzle: &Puzzle, budget: &Budget<'_>, solvers: &[&dyn Solver], checker: &mut Checker<'_>) -> Vec<Found> {
    let mut found = Vec::new();
    for solver in solvers.iter().filter(|_| budget.is_late().is_none()) {
        let proposed = solver.propose_late(puzzle, budget).into_iter().take(MOST_PROPOSED);
        for proposal in proposed.take_while(|_| budget.is_late().is_none()) {
            let family = Cow::Borrowed(proposal.family);
            found.extend(checker.proposed(proposal, family, 0));
        }
    }
    foretelling(puzzle.demos(), found)
}

/// Those that foretell a demo, the most likely first, one for each output.
fn foretelling(demos: usize, mut found: Vec<Found>) -> Vec<Found> {
    // Of those that foretell no demo, one of fourteen was right on the training tasks.
    found.retain(|found| found.evidence.foretold > 0 || demos == 1);
    // Most of them are alike: others keep their places among the answers.
    found.sort_by_key(|found| (std::cmp::Reverse(found.demos_right()), found.cost));
    let mut seen = HashSet::new();
    found.retain(|found| seen.insert(found.outputs.clone()));
    found.truncate(MOST_FOLLOWED);
    found
}

/// Rules that solvers fit to columns that are nearly the outputs, each after the program of its column.
fn followed(puzzle: &Puzzle, budget: &Budget<'_>, solvers: &[&dyn Solver], near: &[Near], checker: &mut Checker<'_>) -> Vec<Found> {
    let mut found = Vec::new();
    for near in near {
        let Some(seen) = puzzle.with_inputs(&near.values) else { continue };
        for solver in solvers.iter().filter(|_| budget.is_late().is_none()) {
            let proposed = solver.follow(&seen, budget).into_iter().take(MOST_PROPOSED);
            for proposal in proposed.take_while(|_| budget.is_late().is_none()) {
                let Ok(program) = near.program.then(&proposal.program) else { continue };
                found.extend(checker.proposed(Proposal { program, ..proposal }, Cow::Borrowed(FOLLOWED), near.cost));
            }
        }
    }
    foretelling(puzzle.demos(), found)
}

/// Programs of columns that are nearly the outputs, one for each behaviour, and right on no demo: those that are stand among the answers.
fn near_misses<'a>(programs: impl Iterator<Item = &'a Program>, checker: &mut Checker<'_>) -> Vec<Found> {
    let mut seen = HashSet::new();
    let found = programs.filter_map(|program| checker.run(program.clone(), Cow::Borrowed(NEAR_MISS), u32::MAX));
    found.filter(|found| found.demos_right() == 0 && seen.insert(found.behaviour)).collect()
}

/// A program that search found earlier, as a store keeps it.
#[derive(Clone, Debug)]
pub struct Remembered {
    /// The program.
    pub program: Program,
    /// How it was found.
    pub family: String,
    /// Cost; the lower the more likely.
    pub cost: u32,
    /// Evidence for the program itself; its standing among others is computed again.
    pub evidence: Evidence,
}

/// Runs programs that search found earlier, and ranks them. Those right on no demo are dropped: the task may have changed.
pub fn recall(task: &Task, remembered: impl IntoIterator<Item = Remembered>, learnt: &Learnt) -> Vec<Found> {
    let mut checker = Checker::new(task);
    let run = |Remembered { program, family, cost, evidence }| {
        let found = checker.run(program, Cow::Owned(family), cost).filter(|found| found.demos_right() > 0)?;
        Some(Found { evidence, ..found })
    };
    let found = remembered.into_iter().filter_map(run).collect();
    join(task, found, Vec::new(), learnt)
}

/// Runs programs on all samples of a task.
struct Checker<'a> {
    task: &'a Task,
    inputs: Vec<Value>,
    demos: Value,
    executor: ReferenceExecutor,
    /// Name of the programs.
    name: String,
}

impl<'a> Checker<'a> {
    fn new(task: &'a Task) -> Self {
        let inputs = (0..task.samples()).filter_map(|sample| task.input(sample)).map(|grid| Value::Grid(grid.clone())).collect();
        let name = solver_name(&task.id);
        Self { task, inputs, demos: Inputs::demos_of(&task.demos), executor: ReferenceExecutor::new(Limits::default()), name }
    }

    /// Runs the program of a proposal; `None` if it is right on no demo. `more` is added to its cost.
    fn proposed(&mut self, proposal: Proposal, family: Cow<'static, str>, more: u32) -> Option<Found> {
        let cost = proposal.cost.saturating_add(more).saturating_add(doubt(self.searched() as u32, proposal.foretold));
        let found = self.run(proposal.program, family, cost).filter(|found| found.demos_right() > 0)?;
        let foretold = self.foretold(proposal.foretold);
        let evidence = Evidence { foretold, support: proposal.support, families: proposal.families, ..Evidence::default() };
        Some(Found { evidence, ..found })
    }

    /// The number of demos that are searched with.
    fn searched(&self) -> usize {
        self.task.demos.len().min(Puzzle::MOST_DEMOS)
    }

    /// The number of demos that were foretold, of which there is a bit each; all demos if all that are searched with were.
    fn foretold(&self, demos: u32) -> u32 {
        let all = (1u32 << self.searched()) - 1;
        let foretold = (all & demos).count_ones();
        if foretold as usize == self.searched() { self.task.demos.len() as u32 } else { foretold }
    }

    /// Outputs of a program on all samples that are searched with; `None` if one is no grid of colours.
    fn values(&mut self, program: &Program) -> Option<Images> {
        let mut values = Images::default();
        let searched = self.inputs[..self.searched()].iter().chain(&self.inputs[self.task.demos.len()..]);
        for input in searched {
            let inputs = Inputs { input, demos: &self.demos, candidate: None };
            let Outcome::Value(Value::Grid(grid)) = self.executor.run_one(program, inputs).outcome else { return None };
            add_grid(&mut values, &grid)?;
        }
        Some(values)
    }

    /// Runs a program on the task; `None` if it gives no grid that a task can have on a test.
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
        // What is no grid of a task is no answer: with it, a submission would be refused.
        let outputs: Vec<Grid> =
            values[demos.len()..].iter().cloned().map(|grid| grid.filter(Task::has_room_for)).collect::<Option<_>>()?;
        let right: Vec<bool> = demos.iter().zip(&values).map(|(demo, value)| value.as_ref() == Some(&demo.output)).collect();
        let score = demos.iter().zip(&values).map(|(demo, value)| value.as_ref().map_or(0, |grid| likeness(grid, &demo.output))).sum();
        let behaviour = behaviour(&values, demos.len(), right.iter().all(|&right| right));
        Some(Found { program, family, cost, evidence: Evidence::default(), probability: None, right, score, outputs, fuel, behaviour })
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
