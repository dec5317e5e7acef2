//! What a session came to, when it is over.

use std::time::{Duration, Instant};

use batt_engine::Probe;
use batt_evolve::{Source, StepTimes};
use batt_session::{Session, StopReason, Throughput};
use serde_json::json;

use crate::args::EvolveArgs;
use crate::device;
use crate::output::{Output, count, grouped, short_time};
use crate::table::{Align, Table};
use crate::verdict::Verdict;

/// A session that is over.
pub(super) struct FinishedSession<'s, 't, P: Probe> {
    pub(super) args: &'s EvolveArgs,
    pub(super) started: Instant,
    pub(super) session: &'s Session<'t, P>,
    pub(super) verdict: &'s Verdict,
    pub(super) reason: StopReason,
    /// Visits of tasks that a panic ended.
    pub(super) panics: u64,
}

/// The words for the reason of an end.
fn words(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Time => "time limit reached",
        StopReason::Generations => "generation limit reached",
        StopReason::Evaluations => "evaluation limit reached",
        StopReason::Interrupted => "interrupted",
    }
}

fn pace_words(pace: &Throughput) -> String {
    let rate = grouped(pace.per_second() as u64);
    format!("{} in {} ({rate} a second)", count(pace.evaluations, "evaluation"), short_time(pace.time))
}

fn pace_json(pace: &Throughput) -> serde_json::Value {
    json!({"evaluations": pace.evaluations, "time_s": pace.time.as_secs_f64(), "evaluations_a_second": pace.per_second()})
}

impl<P: Probe> FinishedSession<'_, '_, P> {
    /// Tells the user.
    pub(super) fn tell(&self, out: &mut Output) -> anyhow::Result<()> {
        let (evolution, first, times) = (self.session.evolution(), self.session.first(), self.session.times());
        let (standing, verdict) = (evolution.standing(), self.verdict);
        let is_started = evolution.started() as u64 == standing.tasks;
        let cut = if times.cut > 0 { ", the last one cut" } else { "" };
        let generations = match times.start {
            _ if !is_started => {
                format!("start on {} of {} (--resume continues)", grouped(evolution.started() as u64), count(standing.tasks, "task"))
            }
            Some(_) => format!("start and {}{cut}", count(standing.generations, "generation")),
            None => format!("{} ({} in all{cut})", count(times.steps, "generation"), grouped(standing.generations)),
        };
        let evaluations = times.made.evaluations + times.start.map_or(0, |start| start.evaluations);
        out.note(format_args!(
            "{}: {generations}, {} in {}",
            words(self.reason),
            count(evaluations, "evaluation"),
            short_time(self.started.elapsed())
        ));
        let start = times.start.map(|start| format!("start: {}", pace_words(&start)));
        let made = (times.steps > 0).then(|| format!("generations: {}", pace_words(&times.made)));
        let paces: Vec<String> = start.into_iter().chain(made).collect();
        if !paces.is_empty() {
            out.note(paces.join("; "));
        }
        out.note(format_args!(
            "{verdict}{}; {} kept, {}.{} calls on average",
            if is_started { format!("; {} fitted at the start", grouped(first.fits)) } else { String::new() },
            count(standing.distinct_behaviours, "program"),
            standing.mean_size_milli / 1000,
            standing.mean_size_milli % 1000 / 100
        ));
        if let Some(report) = evolution.accelerator_report() {
            device::tell(report, out);
        }
        let StepTimes { breed, card, batt, keep, .. } = times.generations;
        let total = (breed + card + batt + keep + times.store).as_secs_f64().max(1e-9);
        let share = |part: Duration| format!("{:.1}%", 100.0 * part.as_secs_f64() / total);
        out.note(format_args!(
            "thread time: cards and programs {}, making programs {}, keeping {}, waiting for the store {}",
            share(card + batt),
            share(breed),
            share(keep),
            share(times.store)
        ));
        if self.args.json.to_stdout() || standing.generations == 0 {
            return Ok(());
        }
        let mut table = Table::new([
            ("operator", Align::Left),
            ("tried", Align::Right),
            ("seen before", Align::Right),
            ("kept", Align::Right),
            ("fits", Align::Right),
            ("share now", Align::Right),
        ]);
        let totals = self.session.operator_totals()?;
        for source in Source::all() {
            let Some(uses) = totals.iter().find(|uses| uses.operator == source.name()) else { continue };
            let now = match source {
                Source::Operator(operator) => format!("{:.1}%", evolution.bandit().share(operator) as f64 / 1e4),
                _ => String::new(),
            };
            table.plain_row([
                uses.operator.clone(),
                grouped(uses.tried),
                grouped(uses.duplicates),
                grouped(uses.improved),
                grouped(uses.fits),
                now,
            ]);
        }
        let look = out.look;
        table.print(out, look, 0)?;
        Ok(())
    }

    /// The same as JSON.
    pub(super) fn json(&self) -> anyhow::Result<String> {
        let (evolution, first, times) = (self.session.evolution(), self.session.first(), self.session.times());
        let (standing, verdict) = (evolution.standing(), self.verdict);
        let seconds = self.started.elapsed().as_secs_f64();
        let totals = self.session.operator_totals()?;
        let operators: serde_json::Map<String, serde_json::Value> = totals
            .iter()
            .map(|uses| {
                let row = json!({"tried": uses.tried, "duplicates": uses.duplicates, "kept": uses.improved, "fits": uses.fits});
                (uses.operator.clone(), row)
            })
            .collect();
        let value = json!({
            "run": self.session.run_id().0,
            "stopped": words(self.reason),
            "started": evolution.started(),
            "generations": standing.generations,
            "generations_here": times.steps,
            "generations_cut": times.cut,
            "panics": self.panics,
            "evaluations": standing.evaluations,
            "evaluations_here": times.made.evaluations + times.start.map_or(0, |start| start.evaluations),
            "start": times.start.map(|start| pace_json(&start)),
            "made": pace_json(&times.made),
            "tasks": standing.tasks,
            "fits": standing.fits,
            "fits_at_start": first.fits,
            "graded": verdict.graded,
            "solved": verdict.known_solved(),
            "total_score": standing.total_score,
            "kept": standing.distinct_behaviours,
            "operators": operators,
            "wall_s": seconds,
        });
        Ok(serde_json::to_string_pretty(&value)? + "\n")
    }
}
