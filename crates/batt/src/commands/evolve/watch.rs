//! Telling how a run goes while it goes.

use std::time::{Duration, Instant};

use batt_search::evolve::Standing;
use indicatif::ProgressBar;

use crate::args::EvolveArgs;
use crate::output::{Output, grouped, short_time, spinner};

/// How often a line is written where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Tells how it goes: a line that changes on a terminal, else a line now and then.
pub(super) struct Watch {
    started: Instant,
    first: Standing,
    time: Option<Duration>,
    generations: Option<u64>,
    evaluations: Option<u64>,
    bar: ProgressBar,
    last_line: Instant,
}

impl Watch {
    pub(super) fn new(args: &EvolveArgs, started: Instant, first: &Standing) -> Self {
        Self {
            started,
            first: *first,
            time: args.time,
            generations: args.generations,
            evaluations: args.evaluations,
            bar: spinner("evolving"),
            last_line: Instant::now(),
        }
    }

    pub(super) fn note(&mut self, standing: &Standing, out: &mut Output) {
        if !self.bar.is_hidden() {
            self.bar.set_message(self.line(standing));
        } else if self.last_line.elapsed() >= LINE_EVERY {
            self.last_line = Instant::now();
            out.note(self.line(standing));
        }
    }

    /// Does something while the line is away.
    pub(super) fn suspend<T>(&self, work: impl FnOnce() -> T) -> T {
        self.bar.suspend(work)
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn line(&self, standing: &Standing) -> String {
        let elapsed = self.started.elapsed();
        let rate = (standing.evaluations - self.first.evaluations) as f64 / elapsed.as_secs_f64().max(1e-9);
        let left = self.left(standing, elapsed).map_or(String::new(), |left| format!(", {} left", short_time(left)));
        format!(
            "generation {}: {} of {} solved (+{}), score {}, {} evaluations a second{left}",
            grouped(standing.generations),
            grouped(standing.solved),
            grouped(standing.tasks),
            grouped(standing.solved - self.first.solved),
            grouped(standing.total_score),
            grouped(rate as u64),
        )
    }

    /// How long it will go on, as far as that can be told.
    fn left(&self, standing: &Standing, elapsed: Duration) -> Option<Duration> {
        let rest = |now: u64, first: u64, most: u64| {
            let done = (now - first) as f64;
            (done > 0.0).then(|| elapsed.mul_f64(most.saturating_sub(now) as f64 / done))
        };
        let by_time = self.time.map(|time| time.saturating_sub(elapsed));
        let by_generations = self.generations.and_then(|most| rest(standing.generations, self.first.generations, most));
        let by_evaluations = self.evaluations.and_then(|most| rest(standing.evaluations, self.first.evaluations, most));
        [by_time, by_generations, by_evaluations].into_iter().flatten().min()
    }
}
