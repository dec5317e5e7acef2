//! Evolution: better programs for tasks, generation by generation.
//!
//! A generation visits tasks in turn. For each task it makes programs: neighbours of the best, and offspring by the operators of
//! [`crate::mutate`]. It drops programs made before, tries the others through a card, and keeps the best that behave differently. A
//! generation is returned as plain data; saving it is the caller's business, and so are clocks and budgets.
//!
//! Equal seeds give equal generations on any number of threads: each task draws from a stream of its own, and shared state changes
//! between generations only. A test output is not even held: see `puzzle.rs`.

pub mod mutate;

mod accelerated;
mod accelerator;
mod breed;
mod checkpoint;
mod pool;
mod puzzle;
mod recent;
mod report;
mod schedule;
mod substitution;
mod trial;
mod visit;

pub use accelerator::{Accelerator, AcceleratorReport, AcceleratorUsage, Job, Judgement};
pub use checkpoint::{ResumeError, SavedProgram};
pub use pool::{Fitness, PoolProgram};
pub use report::{Entry, GenerationReport, Source, Standing, StepTimes, Use, WatchedVisit};
pub use trial::try_on_host;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use batt_core::Task;
use batt_engine::{Limits, NoProbe, OnUndefined, Probe};
use batt_program::{ContentHash, Program};

use crate::mutate::{Bandit, MutateOptions, Mutator, Rates, TypedProgram};
use accelerated::accelerated;
use batt_run::{Pairing, RunError, Stop, Threads, catch};
use breed::GenerationContext;
use pool::Pool;
use puzzle::EvolveTask;
use recent::RecentPrograms;
use schedule::{Cost, longest_first, longest_piece};
use visit::{TaskState, Visit, prepared, try_founders, turns, visit};

/// The fewest programs that a visit of a task makes: fewer would share too little on a card.
const FEWEST: usize = 16;
/// A task that a program fits is visited this many times less often: there are shorter programs to find, and others for the second attempt.
const FITS_EVERY: u64 = 8;
/// Factor by which a task may take longer than expected.
const SAFETY: f64 = 2.0;
/// Gain of a program that is kept, that is better than all kept so far, and that fits where none did.
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
    /// Treatment of undefined calls. An accelerator knows of [`OnUndefined::Propagate`] only.
    pub on_undefined: OnUndefined,
    /// Fuel that any program may spend on a sample, within the limits. A program may spend more up to four times the fuel of the best
    /// program of its task, or if it was given and has the id of the task in its name.
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
    /// Whether values of other programs of a task are looked up with which one of its best is right.
    pub substitutes: bool,
}

impl EvolveOptions {
    /// Default fuel of a program on a sample.
    pub const FUEL: u64 = 500_000;
}

impl Default for EvolveOptions {
    fn default() -> Self {
        Self {
            seed: 0,
            population: 10_000,
            keep: 32,
            limits: Limits { fuel: Self::FUEL, ..Limits::default() },
            on_undefined: OnUndefined::default(),
            fuel_floor: 20_000,
            mutate: MutateOptions::default(),
            rates: Rates::default(),
            pairing: Pairing::All,
            threads: 0,
            remember: 2_000_000,
            selects: true,
            substitutes: true,
        }
    }
}

/// Evolution of programs for tasks, seen by probes.
pub struct Evolution<P: Probe = NoProbe> {
    options: EvolveOptions,
    threads: Threads,
    tasks: Vec<TaskState>,
    seeds: Vec<(Arc<TypedProgram>, ContentHash)>,
    bandit: Bandit,
    recent: RecentPrograms,
    generation: u64,
    evaluations: u64,
    /// The task at which the next generation goes on.
    next_task: usize,
    watched: Vec<WatchedVisit<P>>,
    accelerator: Option<Box<dyn Accelerator>>,
    /// Seconds for each program of the last generation that it was given.
    accelerated_pace: Option<f64>,
    /// How many tasks the first programs were tried on.
    started: usize,
}

/// How many programs a turn makes.
fn programs_of(turn: &[(usize, usize)]) -> usize {
    turn.iter().map(|&(_, wanted)| wanted).sum()
}

/// How many tasks of a turn make so many programs at most.
fn tasks_within(turn: &[(usize, usize)], programs: f64) -> usize {
    let mut sum = 0;
    turn.iter()
        .take_while(|&&(_, wanted)| {
            sum += wanted;
            sum as f64 <= programs
        })
        .count()
}

impl Evolution {
    /// Evolution that starts from these programs, and what trying them gave. Programs that cannot be changed are left out.
    pub fn new(tasks: &[Task], programs: &[Program], options: EvolveOptions) -> Result<(Self, GenerationReport), RunError> {
        Self::watched(tasks, programs, options)
    }
}

impl<P: Probe> Evolution<P> {
    /// [`Evolution::new`], seen by probes.
    pub fn watched(tasks: &[Task], programs: &[Program], options: EvolveOptions) -> Result<(Self, GenerationReport), RunError> {
        let mut evolution = Self::empty(tasks, programs, options)?;
        let report = evolution.start(programs);
        Ok((evolution, report))
    }

    /// Evolution that is to start from these programs, which were not tried yet: see [`Evolution::start_some`].
    pub fn unstarted(tasks: &[Task], programs: &[Program], options: EvolveOptions) -> Result<Self, RunError> {
        Self::empty(tasks, programs, options)
    }

    fn empty(tasks: &[Task], programs: &[Program], options: EvolveOptions) -> Result<Self, RunError> {
        let count = options.threads;
        let threads = Threads::start(count)?;
        let state = |task: &Task| TaskState {
            puzzle: EvolveTask::new(task),
            pool: Pool::new(options.keep, task.demos.len()),
            founders: Vec::new(),
            cost: Cost::default(),
            on_undefined: options.on_undefined,
        };
        Ok(Self {
            threads,
            tasks: tasks.iter().map(state).collect(),
            seeds: programs.iter().filter_map(prepared).map(|(program, _, hash)| (program, hash)).collect(),
            bandit: Bandit::new(options.rates),
            recent: RecentPrograms::new(options.remember),
            generation: 0,
            evaluations: 0,
            next_task: 0,
            watched: Vec::new(),
            accelerator: None,
            accelerated_pace: None,
            started: 0,
            options,
        })
    }

    /// Tries the first programs on all tasks.
    fn start(&mut self, programs: &[Program]) -> GenerationReport {
        let visits = self.try_founders(programs, usize::MAX, &Stop::default(), None, &|| {});
        self.finish(visits)
    }

    /// How many tasks the first programs were tried on. Generations come after all of them.
    pub fn started(&self) -> usize {
        self.started
    }

    /// Tries the first programs on further tasks, until about `about` has passed or `stop` says so. Calls `done` after each task, from any
    /// thread. The report is cut as long as tasks are left. All these reports together are the report of [`Evolution::new`].
    pub fn start_some(&mut self, programs: &[Program], about: Duration, stop: &Stop, done: &(dyn Fn() + Sync)) -> GenerationReport {
        let visits = self.try_founders(programs, usize::MAX, stop, Instant::now().checked_add(about), done);
        let report = self.finish(visits);
        GenerationReport { cut: (self.started < self.tasks.len()).then_some(self.started as u64), ..report }
    }

    /// Tries the first programs on the next tasks, on these many at most. None is begun after `enough`.
    fn try_founders(
        &mut self,
        programs: &[Program],
        most: usize,
        stop: &Stop,
        enough: Option<Instant>,
        done: &(dyn Fn() + Sync),
    ) -> Vec<(usize, Visit<P>)> {
        let names: Vec<&str> = programs.iter().map(Program::name).collect();
        let ids: Vec<&str> = self.tasks.iter().map(|task| task.puzzle.name.as_str()).collect();
        let paired = self.options.pairing.of_tasks(&ids, &names, &[]);
        let options = &self.options;
        let first = self.started;
        let is_begun = AtomicBool::new(false);
        let turns: Vec<(usize, &mut TaskState)> = self.tasks.iter_mut().enumerate().skip(first).take(most).collect();
        let try_one = |(): &mut (), (task, state): (usize, &mut TaskState)| {
            // However short the time is, a part has a task: so parts come to an end.
            if enough.is_some_and(|enough| Instant::now() >= enough) && is_begun.swap(true, Ordering::Relaxed) {
                return None;
            }
            is_begun.store(true, Ordering::Relaxed);
            let visit = match catch(|| try_founders(task, state, programs, paired.of(task), options, stop)) {
                Ok(visit) => visit?,
                Err(panic) => {
                    state.pool = Pool::new(options.keep, state.puzzle.demos.len());
                    Visit::lost(panic)
                }
            };
            done();
            Some((task, visit))
        };
        let visits = self.threads.install(|| longest_first(turns, |_| None, || (), try_one));
        let count = visits.iter().take_while(|visit| visit.is_some()).count();
        for task in &mut self.tasks[first + count..] {
            task.pool = Pool::new(self.options.keep, task.puzzle.demos.len());
        }
        if !self.options.selects {
            for task in &mut self.tasks[first..first + count] {
                task.founders = task.pool.members().iter().map(|member| (Arc::clone(&member.program), member.hash)).collect();
            }
        }
        self.started = first + count;
        visits.into_iter().map_while(|visit| visit).collect()
    }

    /// Makes and tries the next generation.
    pub fn step(&mut self) -> GenerationReport {
        self.generate(usize::MAX, &Stop::default())
    }

    /// Like [`Self::step`], but may be stopped: the generation is cut at a task then, and the next one goes on there. `None` if stopped
    /// before the first task was done; nothing has changed then.
    pub fn step_until(&mut self, stop: &Stop) -> Option<GenerationReport> {
        let next_task = self.next_task;
        let report = self.generate(usize::MAX, stop);
        if report.cut == Some(0) {
            self.generation -= 1;
            self.next_task = next_task;
            return None;
        }
        Some(report)
    }

    /// A generation as it was that was cut after so many tasks.
    pub fn step_cut(&mut self, tasks: usize) -> GenerationReport {
        self.generate(tasks, &Stop::default())
    }

    fn generate(&mut self, most: usize, stop: &Stop) -> GenerationReport {
        self.generation += 1;
        let plan = self.plan_visits();
        let mut turn = &plan[..most.min(plan.len())];
        let is_given = self.accelerator.as_ref().is_some_and(|accelerator| accelerator.is_working());
        if let (true, Some(left), Some(pace)) = (is_given, stop.left(), self.accelerated_pace) {
            // A visit cannot be taken back from the device, so only as many are given to it as there is time for.
            turn = &turn[..tasks_within(turn, left.as_secs_f64() / pace)];
        }
        let fitting = self.fitting();
        let costs: Vec<Option<f64>> = turn.iter().map(|&(task, wanted)| self.tasks[task].cost.of(wanted)).collect();
        let expected: Option<f64> = costs.iter().copied().sum();
        let threads = self.threads.count() as f64;
        // What may be cut goes in the order of the turn, so that little is lost: only what is before the cut is kept.
        let may_be_cut = stop.left().is_some_and(|left| expected.is_none_or(|all| SAFETY * all / threads > left.as_secs_f64()));
        let shared = GenerationContext {
            longest_piece: self.threads.install(|| longest_piece(costs.into_iter())),
            options: &self.options,
            bandit: &self.bandit,
            recent: &self.recent,
            seeds: &self.seeds,
            fitting: &fitting,
            generation: self.generation,
            stop,
        };
        let before: Vec<Pool> = turn.iter().map(|&(task, _)| self.tasks[task].pool.clone()).collect();
        let started = Instant::now();
        let given = self.accelerator.as_mut().filter(|_| is_given);
        let tasks = &mut self.tasks;
        let visits = self.threads.install(|| match given {
            Some(accelerator) => accelerated(turns(tasks, turn), &shared, &mut **accelerator),
            None => longest_first(
                turns(tasks, turn),
                |turn| if may_be_cut { None } else { turn.cost() },
                || Mutator::new(shared.options.mutate),
                |mutator, turn| {
                    let visit = match catch(|| visit(turn.task, turn.state, &shared, mutator, turn.wanted)) {
                        Ok(visit) => visit?,
                        Err(panic) => {
                            *mutator = Mutator::new(shared.options.mutate);
                            Visit::lost(panic)
                        }
                    };
                    Some((turn.task, visit))
                },
            ),
        });
        let count = visits.iter().take_while(|visit| visit.is_some()).count();
        let mut visits: Vec<(usize, Visit<P>)> = visits.into_iter().map_while(|visit| visit).collect();
        for ((task, visit), pool) in visits.iter().zip(&before) {
            if visit.panic.is_some() {
                self.tasks[*task].pool = pool.clone();
            }
        }
        visits.sort_unstable_by_key(|&(task, _)| task);
        if count == turn.len() {
            let programs = programs_of(turn);
            if is_given && programs > 0 {
                self.accelerated_pace = Some(started.elapsed().as_secs_f64() / programs as f64);
            }
        }
        for (&(task, _), pool) in turn.iter().zip(before).skip(count) {
            self.tasks[task].pool = pool;
        }
        let is_cut = count < plan.len();
        if is_cut {
            self.next_task = plan[count].0;
        }
        GenerationReport { cut: is_cut.then_some(count as u64), ..self.finish(visits) }
    }

    /// The best program of each task that a program fits, by task.
    fn fitting(&self) -> Vec<(usize, Arc<TypedProgram>, ContentHash)> {
        let tasks = self.tasks.iter().enumerate().filter(|(_, task)| task.is_fit());
        tasks.filter_map(|(k, task)| task.pool.best().map(|best| (k, Arc::clone(&best.program), best.hash))).collect()
    }

    /// Lets something else judge programs too. The results are the same.
    pub fn accelerate(&mut self, accelerator: Box<dyn Accelerator>) {
        self.accelerator = (self.options.on_undefined == OnUndefined::Propagate).then_some(accelerator);
    }

    /// Results of the accelerator, if there is one.
    pub fn accelerator_report(&self) -> Option<&AcceleratorReport> {
        self.accelerator.as_ref().map(|accelerator| accelerator.report())
    }

    /// The tasks to visit, in order, and the number of programs to make for each. Tasks that a program fits are visited less often.
    fn plan_visits(&mut self) -> Vec<(usize, usize)> {
        let count = self.tasks.len();
        let turn: Vec<usize> = (0..count)
            .map(|k| (self.next_task + k) % count)
            .filter(|&k| !self.tasks[k].is_fit() || (self.generation + k as u64).is_multiple_of(FITS_EVERY))
            .collect();
        let each = self.options.population.checked_div(turn.len()).unwrap_or(0).max(FEWEST).min(self.options.population);
        let mut plan = Vec::with_capacity(turn.len());
        let mut left = self.options.population;
        for &task in &turn {
            if left == 0 {
                break;
            }
            plan.push((task, each.min(left)));
            left -= each.min(left);
            self.next_task = (task + 1) % count;
        }
        plan
    }

    /// Puts together what the visits of a generation gave, in the order of the tasks.
    fn finish(&mut self, visits: Vec<(usize, Visit<P>)>) -> GenerationReport {
        let mut report =
            GenerationReport { number: self.generation, uses: vec![Use::default(); Source::all().count()], ..GenerationReport::default() };
        let mut keys = Vec::new();
        for (task, visit) in visits {
            for &(operator, made) in &visit.asked {
                self.bandit.asked(operator, made);
                if let (false, Some(place)) = (made, Source::Operator(operator).place()) {
                    report.uses[place].tried += 1;
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
                }
            }
            report.tried += visit.tried;
            report.duplicates += visit.seen_before.len() as u64;
            report.evaluations += visit.evaluations;
            report.refuted += visit.refuted;
            report.panics.extend(visit.panic.map(|panic| (task, panic)));
            report.times.add(&visit.times);
            if P::WATCHES {
                let Visit { times, evaluations, probes, .. } = visit;
                self.watched.push(WatchedVisit { task, times, evaluations, probes });
            }
            // Credit goes to the program that is reported, which may have taken the place of the first that fitted on this visit.
            let named = visit.fits.and_then(|hash| visit.entries.iter().find(|entry| entry.hash == hash));
            if let Some(place) = named.and_then(|entry| entry.source.place()) {
                report.uses[place].fits += 1;
            }
            report.fits.extend(visit.fits.map(|hash| (task, hash)));
            if !visit.entries.is_empty() {
                report.changed.push(task);
            }
            report.entries.extend(visit.entries);
            keys.extend(visit.keys);
        }
        self.evaluations += report.evaluations;
        report.seen = recent::to_text(&keys);
        self.recent.add(self.generation, keys);
        report.oldest_seen = self.recent.oldest();
        report
    }

    /// Observations of visits since the last call; empty if nothing is watched.
    pub fn take_watched(&mut self) -> Vec<WatchedVisit<P>> {
        std::mem::take(&mut self.watched)
    }

    /// How it goes.
    pub fn standing(&self) -> Standing {
        let mut standing =
            Standing { generations: self.generation, evaluations: self.evaluations, tasks: self.tasks.len() as u64, ..Standing::default() };
        let (mut size, mut members) = (0, 0);
        for task in &self.tasks {
            standing.fits += u64::from(task.is_fit());
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
    pub fn members(&self, task: usize) -> &[PoolProgram] {
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

    /// Whether some program fits a task.
    pub fn is_fit(&self, task: usize) -> bool {
        self.tasks[task].is_fit()
    }

    /// Statistics of the operators, and how often each is chosen now.
    pub fn bandit(&self) -> &Bandit {
        &self.bandit
    }
}
