//! Telling how a run goes while it goes.

use std::time::{Duration, Instant};

use batt_engine::Probe;
use batt_evolve::{Evolution, GenerationReport, Standing};
use indicatif::ProgressBar;

use crate::args::EvolveArgs;
use crate::output::{Output, grouped, progress, rough_time, spinner};

/// How often a line is written where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Tells how it goes: a line that changes on a terminal, else a line now and then.
pub(super) struct Watch {
    started: Instant,
    /// When the first part of the start or the first generation began, and how it stood then: what was done in which time is of these alone.
    began: Instant,
    first: Standing,
    first_started: usize,
    time: Option<Duration>,
    generations: Option<u64>,
    evaluations: Option<u64>,
    /// The tasks that the first programs were tried on.
    start: ProgressBar,
    /// Generations, once they are made.
    bar: Option<ProgressBar>,
    last_line: Instant,
}

impl Watch {
    pub(super) fn new<P: Probe>(args: &EvolveArgs, started: Instant, evolution: &Evolution<P>) -> Self {
        let (first, begun) = (evolution.standing(), evolution.started());
        let is_started = begun as u64 == first.tasks;
        let start = if is_started { ProgressBar::hidden() } else { progress(first.tasks, "start: tasks") };
        start.set_position(begun as u64);
        start.reset_eta();
        Self {
            started,
            began: Instant::now(),
            first,
            first_started: begun,
            time: args.time,
            generations: args.generations,
            evaluations: args.evaluations,
            start,
            bar: is_started.then(|| spinner("evolving")),
            last_line: Instant::now(),
        }
    }

    /// Progress bar over the tasks that the first programs are tried on.
    pub(super) fn start_bar(&self) -> ProgressBar {
        self.start.clone()
    }

    /// A part of the start or a generation was saved.
    pub(super) fn note(&mut self, report: &GenerationReport, standing: &Standing, out: &mut Output) {
        let is_part = report.number == 0 && report.cut.is_some();
        if report.number == 0 && !is_part {
            self.start.finish_and_clear();
            (self.first, self.began) = (*standing, Instant::now());
            self.bar = Some(spinner("evolving"));
            return;
        }
        let line = || match report.cut.filter(|_| is_part) {
            Some(started) => self.start_line(started, standing),
            None => self.line(standing),
        };
        match &self.bar {
            Some(bar) if !bar.is_hidden() => bar.set_message(line()),
            // The bar of the start moves by itself.
            None if !self.start.is_hidden() => {}
            _ if self.last_line.elapsed() >= LINE_EVERY => {
                out.note(line());
                self.last_line = Instant::now();
            }
            _ => {}
        }
    }

    /// Does something while the line is away.
    pub(super) fn suspend<T>(&self, work: impl FnOnce() -> T) -> T {
        self.bar.as_ref().unwrap_or(&self.start).suspend(work)
    }

    pub(super) fn finish(&self) {
        self.start.finish_and_clear();
        self.bar.iter().for_each(ProgressBar::finish_and_clear);
    }

    fn start_line(&self, started: u64, standing: &Standing) -> String {
        let done = started.saturating_sub(self.first_started as u64);
        let left = done_in(self.began.elapsed(), done, standing.tasks - started);
        let left = left.map_or(String::new(), |left| format!(", {} left", rough_time(left)));
        format!("start: {} of {} tasks, fits {}{left}", grouped(started), grouped(standing.tasks), grouped(standing.fits))
    }

    fn line(&self, standing: &Standing) -> String {
        let rate = (standing.evaluations - self.first.evaluations) as f64 / self.began.elapsed().as_secs_f64().max(1e-9);
        line(standing, self.first.fits, rate, self.left(standing))
    }

    /// How long it will go on, as far as that can be told.
    fn left(&self, standing: &Standing) -> Option<Duration> {
        let elapsed = self.began.elapsed();
        let rest = |now: u64, first: u64, most: u64| done_in(elapsed, now - first, most.saturating_sub(now));
        let by_time = self.time.map(|time| time.saturating_sub(self.started.elapsed()));
        let by_generations = self.generations.and_then(|most| rest(standing.generations, self.first.generations, most));
        let by_evaluations = self.evaluations.and_then(|most| rest(standing.evaluations, self.first.evaluations, most));
        [by_time, by_generations, by_evaluations].into_iter().flatten().min()
    }
}

/// How long the rest takes if so much was done in that time.
fn done_in(elapsed: Duration, done: u64, rest: u64) -> Option<Duration> {
    (done > 0).then(|| elapsed.mul_f64(rest as f64 / done as f64))
}

/// A number in thousands, if it is not small.
fn thousands(number: u64) -> String {
    if number < 10_000 { grouped(number) } else { format!("{}k", grouped(number / 1000)) }
}

fn line(standing: &Standing, fitted: u64, rate: f64, left: Option<Duration>) -> String {
    let left = left.map_or(String::new(), |left| format!(", {} left", rough_time(left)));
    format!(
        "generation {}: fits {}/{} (+{}), {} evaluations/s{left}",
        thousands(standing.generations),
        grouped(standing.fits),
        grouped(standing.tasks),
        grouped(standing.fits - fitted),
        thousands(rate as u64),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_a_long_run_is_whole_in_80_columns() {
        let standing = Standing { generations: 250_000, fits: 1_119, tasks: 1_120, ..Standing::default() };
        let line = line(&standing, 100, 9_999_400.0, Some(Duration::from_secs(43_000)));
        assert_eq!(line, "generation 250k: fits 1,119/1,120 (+1,019), 9,999k evaluations/s, 11.9 h left");
        // With the sign of life before it.
        assert!(line.chars().count() + 2 <= 80, "{}", line.len());
    }
}
