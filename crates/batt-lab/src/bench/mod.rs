//! Measuring: how long cards and runs take, and how time and memory grow with programs and tasks.
//!
//! `--profile` watches all of this, and says how much is spent inside primitives.

mod memory;
mod mutants;

use std::time::{Duration, Instant};

use batt_core::Task;
use batt_engine::Card;
use batt_profile::{Stage, Watch};
use batt_program::{Program, parse_file, print_file};
use batt_run::{RunError, RunEvent, RunOptions, RunReport, built_in_differs};
use serde::Serialize;

/// Numbers of programs to grow over.
const PROGRAMS: [usize; 4] = [32, 100, 400, 4000];
/// Numbers of tasks to grow over.
const TASKS: [usize; 3] = [40, 400, 4000];
/// On how many tasks programs grow, so that the largest step takes seconds and not minutes.
const GROWTH_TASKS: usize = 20;
/// The most calls that the programs of a row may have: each takes some hundred bytes on a card and on those of the threads.
const MOST_CALLS: usize = 2_000_000;
/// How often something short is measured; the fastest counts.
const REPEAT: usize = 5;
/// The seed of generated tasks.
const SEED: u64 = 1;

/// An event while something is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BenchEvent {
    /// Programs are run on so many tasks for this.
    Begins(&'static str, usize),
    /// Something happened in that.
    Run(RunEvent),
}

/// The measurements. Times are in seconds.
#[derive(Debug, Serialize)]
pub struct Figures {
    /// Programs of the library.
    pub programs: usize,
    /// Tasks.
    pub tasks: usize,
    /// Samples of the tasks.
    pub samples: usize,
    /// Threads.
    pub threads: usize,
    /// The card of the library.
    pub card: CardFigures,
    /// All programs on all tasks, without differs and with.
    pub execute: Vec<ExecuteFigures>,
    /// More and more programs.
    pub by_programs: Vec<Growth>,
    /// More and more tasks.
    pub by_tasks: Vec<Growth>,
    /// The time of all of this.
    pub wall_s: f64,
}

/// The card of the library.
#[derive(Debug, Serialize)]
pub struct CardFigures {
    /// Parsing, typing and merging, from text in memory.
    pub from_text_s: f64,
    /// Adding a program to a card that has all others, on average.
    pub add_one_s: f64,
    /// Writing the card to memory.
    pub to_bytes_s: f64,
    /// Reading it from there.
    pub from_bytes_s: f64,
    /// How long it is then.
    pub bytes: usize,
    /// Calls of the programs.
    pub calls: usize,
    /// Nodes that are calls.
    pub nodes: usize,
    /// Calls for each node.
    pub sharing: f64,
}

/// All programs on all tasks.
#[derive(Debug, Serialize)]
pub struct ExecuteFigures {
    /// How many differs score the candidates.
    pub differs: usize,
    /// Wall time.
    pub execute_s: f64,
    /// Programs run on samples.
    pub evaluations: u64,
    /// Programs run on samples in a second.
    pub evaluations_per_s: f64,
    /// Valid grids that programs gave.
    pub candidates: u64,
    /// Of these, how many were different on their sample.
    pub distinct: u64,
}

/// A row of a growth table: all programs on all tasks, with the built-in differs.
#[derive(Debug, Serialize)]
pub struct Growth {
    /// Programs.
    pub programs: usize,
    /// Tasks.
    pub tasks: usize,
    /// Calls for each node of the card.
    pub sharing: f64,
    /// Making the card.
    pub card_s: f64,
    /// Running the programs.
    pub execute_s: f64,
    /// Programs run on samples.
    pub evaluations: u64,
    /// The most memory of the process while this row was measured; none where the system does not tell.
    pub peak_bytes: Option<u64>,
}

/// Measures a library on tasks. Rows of growth that would go beyond the time, or take much memory, are left out.
pub fn measure(
    library: &[Program],
    tasks: &[Task],
    options: &RunOptions,
    time: Duration,
    watch: &mut Watch,
    tell: &(dyn Fn(BenchEvent) + Sync),
) -> Result<Figures, RunError> {
    let started = Instant::now();
    let card = watch.step(Stage::MakeCard, || card_of(library));
    let card_figures = watch.step(Stage::MeasureCard, || CardFigures::measure(library, &card));
    let threads = options.threads;
    let options = |scored: bool| RunOptions { differs: if scored { built_in_differs() } else { Vec::new() }, ..options.clone() };
    let mut execute = Vec::new();
    for scored in [false, true] {
        let options = options(scored);
        tell(BenchEvent::Begins(if scored { "with scores" } else { "no scores" }, tasks.len()));
        let report = watch.run_card(tasks, &card, &options, Duration::ZERO, &|event| tell(BenchEvent::Run(event)))?;
        execute.push(ExecuteFigures::of(&report, options.differs.len()));
    }

    let starter = parse_file(batt_starter::LIBRARY).programs;
    // Tasks come first: what many programs leave behind would stand in the way of seeing what tasks take.
    let mut by_tasks = GrowthTable::new(started + time.mul_f64(0.6));
    for count in TASKS {
        // Making them takes time too, and a part of what running them takes.
        if by_tasks.fits(count) {
            let tasks = watch.step(Stage::MakeTasks, || batt_starter::generate(count, 4, SEED).tasks);
            tell(BenchEvent::Begins("more tasks", tasks.len()));
            by_tasks.row(&starter, &tasks, &options(true), count, watch, tell)?;
        }
    }
    let some: Vec<Task> = tasks.iter().step_by(tasks.len().div_ceil(GROWTH_TASKS).max(1)).cloned().collect();
    let mut by_programs = GrowthTable::new(started + time);
    let calls: usize = library.iter().map(|program| program.steps().len()).sum();
    for count in PROGRAMS.into_iter().filter(|count| calls.saturating_mul(*count) / library.len().max(1) <= MOST_CALLS) {
        let programs = watch.step(Stage::MutatePrograms, || mutants::programs(library, count));
        tell(BenchEvent::Begins("more programs", some.len()));
        by_programs.row(&programs, &some, &options(true), count, watch, tell)?;
    }
    Ok(Figures {
        programs: library.len(),
        tasks: tasks.len(),
        samples: tasks.iter().map(Task::samples).sum(),
        threads: if threads == 0 { std::thread::available_parallelism().map_or(1, usize::from) } else { threads },
        card: card_figures,
        execute,
        by_programs: by_programs.rows,
        by_tasks: by_tasks.rows,
        wall_s: started.elapsed().as_secs_f64(),
    })
}

impl ExecuteFigures {
    fn of(report: &RunReport, differs: usize) -> Self {
        let execute_s = report.execute.as_secs_f64();
        Self {
            differs,
            execute_s,
            evaluations: report.evaluations,
            evaluations_per_s: report.evaluations as f64 / execute_s.max(1e-9),
            candidates: report.candidates,
            distinct: report.distinct,
        }
    }
}

impl CardFigures {
    fn measure(library: &[Program], card: &Card) -> Self {
        let text = print_file(library);
        let bytes = card.to_bytes();
        let from_text = fastest(|| card_of(&parse_file(&text).programs));
        let stats = card.stats();
        Self {
            from_text_s: from_text.as_secs_f64(),
            add_one_s: add_one(library, card.clone()).as_secs_f64(),
            to_bytes_s: fastest(|| card.to_bytes()).as_secs_f64(),
            from_bytes_s: fastest(|| Card::from_bytes(&bytes)).as_secs_f64(),
            bytes: bytes.len(),
            calls: stats.calls,
            nodes: stats.call_nodes,
            sharing: stats.sharing,
        }
    }
}

fn card_of(programs: &[Program]) -> Card {
    let mut card = Card::new();
    for program in programs {
        card.add(program);
    }
    card
}

/// The mean time of adding a program to a card that has all others.
fn add_one(library: &[Program], mut card: Card) -> Duration {
    let ids: Vec<_> = card.programs().map(|(id, _)| id).collect();
    let mut total = Duration::ZERO;
    for (id, program) in ids.iter().zip(library) {
        card.remove(*id);
        let started = Instant::now();
        card.add(program);
        total += started.elapsed();
    }
    total / library.len().max(1) as u32
}

fn fastest<T>(mut work: impl FnMut() -> T) -> Duration {
    let once = |_| {
        let started = Instant::now();
        let made = work();
        let time = started.elapsed();
        drop(made);
        time
    };
    (0..REPEAT).map(once).min().unwrap_or_default()
}

/// The rows of a growth table, as far as the time allows.
struct GrowthTable {
    rows: Vec<Growth>,
    deadline: Instant,
    /// The size and the time of the row before.
    last: Option<(usize, Duration)>,
    full: bool,
}

impl GrowthTable {
    fn new(deadline: Instant) -> Self {
        Self { rows: Vec::new(), deadline, last: None, full: false }
    }

    /// Whether a row of this size should be done in time, if time grows with size.
    fn fits(&self, size: usize) -> bool {
        let left = self.deadline.saturating_duration_since(Instant::now()).as_secs_f64();
        let expected = self.last.map_or(0.0, |(before, time)| time.as_secs_f64() * size as f64 / before.max(1) as f64);
        !self.full && left > 0.0 && expected <= left
    }

    fn row(
        &mut self,
        programs: &[Program],
        tasks: &[Task],
        options: &RunOptions,
        size: usize,
        watch: &mut Watch,
        tell: &(dyn Fn(BenchEvent) + Sync),
    ) -> Result<(), RunError> {
        if !self.fits(size) {
            self.full = true;
            return Ok(());
        }
        let started = Instant::now();
        let can_reset = memory::reset_peak();
        let card = card_of(programs);
        let made_in = started.elapsed();
        watch.took(Stage::MakeCard, made_in);
        let report = watch.run_card(tasks, &card, options, made_in, &|event| tell(BenchEvent::Run(event)))?;
        self.rows.push(Growth {
            programs: programs.len(),
            tasks: tasks.len(),
            sharing: report.card.sharing,
            card_s: report.card_time.as_secs_f64(),
            execute_s: report.execute.as_secs_f64(),
            evaluations: report.evaluations,
            peak_bytes: if can_reset { memory::peak_bytes() } else { None },
        });
        self.last = Some((size, started.elapsed()));
        Ok(())
    }
}
