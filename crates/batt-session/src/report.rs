//! Results of a session, as plain data.

use std::time::Duration;

use batt_core::Task;
use batt_engine::{OnUndefined, Probe};
use batt_evolve::{AcceleratorReport, Source, Standing};
use batt_run::Verdict;
use batt_store::{OperatorUse, RunId, StoreError};
use serde_json::{Map, Value as Json, json};

use crate::submission::verdict;
use crate::{Session, StopReason, Throughput, Times};

/// Results of a session.
#[derive(Clone, Debug)]
pub struct SessionReport {
    /// The run.
    pub run: RunId,
    /// Why it ended.
    pub reason: StopReason,
    /// How the run stood before the first generation of the session.
    pub first: Standing,
    /// How it stands now.
    pub standing: Standing,
    /// Tasks that the first programs were tried on.
    pub started: u64,
    /// Where the time went.
    pub times: Times,
    /// Verdict on the kept programs.
    pub verdict: Verdict,
    /// Statistics of operators in the run, and their share of the next programs in millionths, in a fixed order.
    pub operators: Vec<(OperatorUse, Option<u64>)>,
    /// Report of the devices; none without any.
    pub accelerator: Option<AcceleratorReport>,
    /// Visits of tasks that a panic ended.
    pub panics: u64,
    /// The time of the session.
    pub wall: Duration,
}

impl StopReason {
    /// The words for it.
    pub fn words(self) -> &'static str {
        match self {
            Self::Time => "time limit reached",
            Self::Generations => "generation limit reached",
            Self::Evaluations => "evaluation limit reached",
            Self::Interrupted => "interrupted",
        }
    }
}

impl Throughput {
    fn json(&self) -> Json {
        json!({"evaluations": self.evaluations, "time_s": self.time.as_secs_f64(), "evaluations_a_second": self.per_second()})
    }
}

impl SessionReport {
    /// The report of a session that is over. Its programs are graded by the test outputs, where there are any.
    pub fn new<P: Probe>(
        session: &Session<'_, P>,
        tasks: &[Task],
        on_undefined: OnUndefined,
        reason: StopReason,
        panics: u64,
        wall: Duration,
    ) -> Result<Self, StoreError> {
        let evolution = session.evolution();
        let totals = session.operator_totals()?;
        let of_source = |source: Source| {
            let uses = totals.iter().find(|uses| uses.operator == source.name())?;
            let share = if let Source::Operator(operator) = source { Some(evolution.bandit().share(operator)) } else { None };
            Some((uses.clone(), share))
        };
        Ok(Self {
            run: session.run_id(),
            reason,
            first: *session.first(),
            standing: evolution.standing(),
            started: evolution.started() as u64,
            times: *session.times(),
            verdict: verdict(evolution, tasks, on_undefined),
            operators: Source::all().filter_map(of_source).collect(),
            accelerator: evolution.accelerator_report().cloned(),
            panics,
            wall,
        })
    }

    /// Evaluations of this session.
    pub fn evaluations_here(&self) -> u64 {
        self.times.made.evaluations + self.times.start.map_or(0, |start| start.evaluations)
    }

    /// The report as JSON.
    pub fn to_json(&self) -> Json {
        let Self { standing, times, verdict, .. } = self;
        let row = |(uses, _): &(OperatorUse, Option<u64>)| {
            let row = json!({"tried": uses.tried, "duplicates": uses.duplicates, "kept": uses.improved, "fits": uses.fits});
            (uses.operator.clone(), row)
        };
        json!({
            "run": self.run.0,
            "stopped": self.reason.words(),
            "started": self.started,
            "generations": standing.generations,
            "generations_here": times.steps,
            "generations_cut": times.cut,
            "panics": self.panics,
            "evaluations": standing.evaluations,
            "evaluations_here": self.evaluations_here(),
            "start": times.start.map(|start| start.json()),
            "made": times.made.json(),
            "tasks": standing.tasks,
            "fits": standing.fits,
            "fits_at_start": self.first.fits,
            "graded": verdict.graded,
            "solved": verdict.known_solved(),
            "total_score": standing.total_score,
            "kept": standing.distinct_behaviours,
            "operators": self.operators.iter().map(row).collect::<Map<_, _>>(),
            "wall_s": self.wall.as_secs_f64(),
        })
    }
}
