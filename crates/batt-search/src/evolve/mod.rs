//! Evolution: better programs for tasks, generation by generation.
//!
//! A generation visits tasks in turn. For each it makes programs (neighbours of the best, and whatever the operators of
//! [`crate::mutate`] make), drops what was made before, tries the others through a card, and keeps the best that behave differently.
//! What a generation leaves behind is returned as plain data; saving it is the caller's business, and so are clocks and budgets.
//!
//! The same seed gives the same generations on any number of threads: each task draws from a stream of its own, and what tasks share
//! changes between generations only. A test output is not even held: see `puzzle.rs`.

mod accelerated;
mod accelerator;
mod breed;
mod checkpoint;
mod even;
mod litters;
mod pool;
mod puzzle;
mod report;
mod seen;
mod trial;
mod visit;

pub use accelerator::{Accelerator, Job, Judgement};
pub use checkpoint::{Kept, ResumeError};
pub use pool::{Fitness, Member};
pub use report::{Entry, GenerationReport, Source, Standing, StepTimes, Use, WatchedVisit};
pub use trial::try_on_host;

use std::sync::Arc;
use std::time::Instant;

use batt_core::Task;
use batt_engine::{Limits, NoProbe, Probe};
use batt_program::{ContentHash, Program, canonical_text};
use rayon::prelude::*;

use crate::mutate::{Bandit, MutateOptions, Mutator, Rates, TypedProgram};
use crate::{Pairing, RunError};
use accelerated::accelerated;
use breed::Shared;
use even::{Cost, longest_first, longest_piece};
use pool::Pool;
use puzzle::Puzzle;
use seen::Seen;
use visit::{TaskState, Turn, Visit, prepared, try_founders, turns, visit};

/// The fewest programs that a visit of a task makes: fewer would share too little on a card.
const FEWEST: usize = 16;
/// A task that is solved is visited this many times less often: there are shorter programs to find, and others for the second attempt.
const SOLVED_EVERY: u64 = 8;
/// What a program brings that is kept, that is better than all kept so far, and that is right on all demos.
const GAINS: [u64; 3] = [1, 8, 16];

/// How to evolve.
#[derive(Clone, Debug)]
pub struct EvolveOptions {
    /// All randomness comes from here.
    pub seed: u64,
    /// Programs made in a generation, over all tasks.
    pub population: usize,
    /// The most programs kept for a task.
    pub keep: usize,
    /// Limits on each program.
    pub limits: Limits,
    /// What a program that is made may spend on a sample in any case, within the limits; more only if it is no more than four times what
    /// the best program of its task spends.
    pub fuel_floor: u64,
    /// How programs are changed.
    pub mutate: MutateOptions,
    /// How often each operator is chosen to begin with.
    pub rates: Rates,
    /// Which of the first programs are tried on which tasks.
    pub pairing: Pairing,
    /// Number of threads; 0 for one a core.
    pub threads: usize,
    /// How many programs are remembered, so that they are not tried again.
    pub remember: usize,
    /// Whether the best are changed further. Without, only the first programs are, by operators that learn nothing: to compare with.
    pub selects: bool,
}

impl Default for EvolveOptions {
    fn default() -> Self {
        Self {
            seed: 0,
            population: 10_000,
            keep: 32,
            limits: Limits { fuel: 500_000, ..Limits::default() },
            fuel_floor: 100_000,
            mutate: MutateOptions::default(),
            rates: Rates::default(),
            pairing: Pairing::All,
            threads: 0,
            remember: 2_000_000,
            selects: true,
        }
    }
}

/// Evolution of programs for tasks, seen by probes.
pub struct Evolution<P: Probe = NoProbe> {
    options: EvolveOptions,
    threads: rayon::ThreadPool,
    tasks: Vec<TaskState>,
    seeds: Vec<(Arc<TypedProgram>, ContentHash)>,
    bandit: Bandit,
    seen: Seen,
    generation: u64,
    evaluations: u64,
    /// The task at which the next generation goes on.
    next_task: usize,
    watched: Vec<WatchedVisit<P>>,
    accelerator: Option<Box<dyn Accelerator>>,
}

impl Evolution {
    /// Evolution that starts from these programs, and what trying them gave. Programs that cannot be changed are left out.
    pub fn new(tasks: &[Task], programs: &[Program], options: EvolveOptions) -> Result<(Self, GenerationReport), RunError> {
        Self::watched(tasks, programs, options)
    }
}

impl<P: Probe> Evolution<P> {
    /// The same, seen by probes.
    pub fn watched(tasks: &[Task], programs: &[Program], options: EvolveOptions) -> Result<(Self, GenerationReport), RunError> {
        let mut evolution = Self::empty(tasks, programs, options)?;
        let report = evolution.try_seeds(programs);
        Ok((evolution, report))
    }

    fn empty(tasks: &[Task], programs: &[Program], options: EvolveOptions) -> Result<Self, RunError> {
        let count = options.threads;
        let threads =
            rayon::ThreadPoolBuilder::new().num_threads(count).build().map_err(|source| RunError::Threads { threads: count, source })?;
        let state = |task: &Task| TaskState {
            puzzle: Puzzle::new(task),
            pool: Pool::new(options.keep, task.demos.len()),
            founders: Vec::new(),
            cost: Cost::default(),
        };
        Ok(Self {
            threads,
            tasks: tasks.iter().map(state).collect(),
            seeds: programs.iter().filter_map(|program| prepared(&canonical_text(program))).collect(),
            bandit: Bandit::new(options.rates),
            seen: Seen::new(options.remember),
            generation: 0,
            evaluations: 0,
            next_task: 0,
            watched: Vec::new(),
            accelerator: None,
            options,
        })
    }

    /// Tries the first programs on the tasks.
    fn try_seeds(&mut self, programs: &[Program]) -> GenerationReport {
        let names: Vec<&str> = programs.iter().map(Program::name).collect();
        let puzzle_names: Vec<&str> = self.tasks.iter().map(|task| task.puzzle.name.as_str()).collect();
        let chosen = self.options.pairing.programs_by_name(&puzzle_names, &names);
        let options = &self.options;
        let visits: Vec<(usize, Visit<P>)> = self.threads.install(|| {
            self.tasks
                .par_iter_mut()
                .zip(&chosen)
                .enumerate()
                .with_max_len(1)
                .map(|(task, (state, chosen))| (task, try_founders(task, state, programs, chosen, options)))
                .collect()
        });
        if !self.options.selects {
            for task in &mut self.tasks {
                task.founders = task.pool.members().iter().map(|member| (Arc::clone(&member.program), member.hash)).collect();
            }
        }
        self.finish(visits)
    }

    /// Makes and tries the next generation.
    pub fn step(&mut self) -> GenerationReport {
        self.generation += 1;
        let wanted = self.plan_visits();
        let solutions = self.solutions();
        let costs = self.tasks.iter().zip(&wanted).map(|(task, &wanted)| task.cost.of(wanted));
        let shared = Shared {
            longest_piece: self.threads.install(|| longest_piece(costs)),
            options: &self.options,
            bandit: &self.bandit,
            seen: &self.seen,
            seeds: &self.seeds,
            solutions: &solutions,
            generation: self.generation,
        };
        let started = Instant::now();
        let programs: usize = wanted.iter().sum();
        let is_given = self.accelerator.as_mut().is_some_and(|accelerator| accelerator.wants(programs));
        let given = self.accelerator.as_mut().filter(|_| is_given);
        let tasks = &mut self.tasks;
        let visits = self.threads.install(|| match given {
            Some(accelerator) => accelerated(tasks, &wanted, &shared, &mut **accelerator),
            None => longest_first(
                turns(tasks, &wanted),
                Turn::cost,
                || Mutator::new(shared.options.mutate),
                |mutator, turn| (turn.task, visit(turn.task, turn.state, &shared, mutator, turn.wanted)),
            ),
        });
        if let Some(accelerator) = &mut self.accelerator {
            accelerator.took(programs, is_given, started.elapsed());
        }
        self.finish(visits)
    }

    /// The best program of each solved task, by task.
    fn solutions(&self) -> Vec<(usize, Arc<TypedProgram>, ContentHash)> {
        let tasks = self.tasks.iter().enumerate().filter(|(_, task)| task.is_solved());
        tasks.filter_map(|(k, task)| task.pool.best().map(|best| (k, Arc::clone(&best.program), best.hash))).collect()
    }

    /// Lets something else judge programs too. The results are the same.
    pub fn accelerate(&mut self, accelerator: Box<dyn Accelerator>) {
        self.accelerator = Some(accelerator);
    }

    /// What judges programs too.
    pub fn accelerator(&mut self) -> Option<&mut (dyn Accelerator + 'static)> {
        self.accelerator.as_deref_mut()
    }

    /// How many programs are made for each task: all tasks have their turn, those that are solved less often.
    fn plan_visits(&mut self) -> Vec<usize> {
        let count = self.tasks.len();
        let mut wanted = vec![0; count];
        let turn: Vec<usize> = (0..count)
            .map(|k| (self.next_task + k) % count)
            .filter(|&k| !self.tasks[k].is_solved() || (self.generation + k as u64).is_multiple_of(SOLVED_EVERY))
            .collect();
        if turn.is_empty() {
            return wanted;
        }
        let each = (self.options.population / turn.len()).max(FEWEST).min(self.options.population);
        let mut left = self.options.population;
        for &task in &turn {
            if left == 0 {
                break;
            }
            wanted[task] = each.min(left);
            left -= wanted[task];
            self.next_task = (task + 1) % count;
        }
        wanted
    }

    /// Puts together what the visits of a generation gave, in the order of the tasks.
    fn finish(&mut self, visits: Vec<(usize, Visit<P>)>) -> GenerationReport {
        let mut report =
            GenerationReport { number: self.generation, uses: vec![Use::default(); Source::all().count()], ..GenerationReport::default() };
        let mut keys = Vec::new();
        for (task, visit) in visits {
            for &(operator, made) in &visit.asked {
                self.bandit.asked(operator, made);
                if !made {
                    report.uses[1 + operator.index()].tried += 1;
                }
            }
            for &source in &visit.seen_before {
                if let Source::Operator(operator) = source {
                    self.bandit.seen_before(operator);
                }
                if let Some(place) = source.place() {
                    report.uses[place].tried += 1;
                    report.uses[place].duplicates += 1;
                }
            }
            for &(source, gain) in &visit.gains {
                if let (Source::Operator(operator), true) = (source, self.options.selects) {
                    self.bandit.reward(operator, if gain == 0 { 0 } else { GAINS[gain - 1] });
                }
                if let Some(place) = source.place() {
                    report.uses[place].tried += 1;
                    report.uses[place].improved += u64::from(gain > 0);
                    report.uses[place].solved += u64::from(gain == GAINS.len());
                }
            }
            report.tried += visit.tried;
            report.duplicates += visit.seen_before.len() as u64;
            report.evaluations += visit.evaluations;
            report.refuted += visit.refuted;
            report.times.add(&visit.times);
            if P::WATCHES {
                let Visit { times, evaluations, probes, .. } = visit;
                self.watched.push(WatchedVisit { task, times, evaluations, probes });
            }
            report.solved.extend(visit.solved.map(|hash| (task, hash)));
            if !visit.entries.is_empty() {
                report.changed.push(task);
            }
            report.entries.extend(visit.entries);
            keys.extend(visit.keys);
        }
        self.evaluations += report.evaluations;
        report.seen = seen::to_text(&keys);
        self.seen.add(self.generation, keys);
        report.oldest_seen = self.seen.oldest();
        report
    }

    /// What was seen of the visits of tasks since it was last taken; nothing if nothing is watched.
    pub fn take_watched(&mut self) -> Vec<WatchedVisit<P>> {
        std::mem::take(&mut self.watched)
    }

    /// How it goes.
    pub fn standing(&self) -> Standing {
        let mut standing =
            Standing { generations: self.generation, evaluations: self.evaluations, tasks: self.tasks.len() as u64, ..Standing::default() };
        let (mut size, mut members) = (0, 0);
        for task in &self.tasks {
            standing.solved += u64::from(task.is_solved());
            standing.total_score += task.pool.best().map_or(0, |best| best.fitness.score);
            size += task.pool.members().iter().map(|member| u64::from(member.fitness.size)).sum::<u64>();
            members += task.pool.members().len() as u64;
        }
        // In a pool no two behave alike.
        standing.distinct_behaviours = members;
        standing.mean_size_milli = (1000 * size).checked_div(members).unwrap_or(0);
        standing
    }

    /// The programs that are kept for a task, the best first.
    pub fn members(&self, task: usize) -> &[Member] {
        self.tasks[task].pool.members()
    }

    /// The name of a task.
    pub fn task_name(&self, task: usize) -> &str {
        &self.tasks[task].puzzle.name
    }

    /// The number of demos of a task.
    pub fn demo_count(&self, task: usize) -> usize {
        self.tasks[task].puzzle.demos.len()
    }

    /// Whether some program is right on all demos of a task.
    pub fn is_solved(&self, task: usize) -> bool {
        self.tasks[task].is_solved()
    }

    /// What the operators were asked for and brought, and how often each is chosen now.
    pub fn bandit(&self) -> &Bandit {
        &self.bandit
    }
}
