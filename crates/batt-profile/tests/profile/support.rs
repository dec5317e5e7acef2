//! Runs of the starter pack, and random profiles.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use batt_core::Task;
use batt_engine::Card;
use batt_profile::{
    Gather, Gpu, Mode, Phase, Profile, ProgramRow, Recording, Row, RunFacts, SCHEMA, Sampling, Stack, Subject, Surroundings, TaskRow,
    assemble,
};
use batt_run::{RunOptions, RunReport, run_card, run_card_watched};
use proptest::prelude::*;

pub(crate) struct Starter {
    pub(crate) tasks: Vec<Task>,
    pub(crate) card: Card,
    pub(crate) names: Vec<String>,
}

impl Starter {
    pub(crate) fn new() -> Self {
        let mut card = Card::new();
        let mut names = Vec::new();
        for program in batt_program::parse_file(batt_starter::LIBRARY).programs {
            card.add(&program);
            names.push(program.name().to_owned());
        }
        Self { tasks: batt_starter::pack(), card, names }
    }

    pub(crate) fn plain(&self, options: &RunOptions) -> RunReport {
        run_card(&self.tasks, &self.card, options, Duration::ZERO, &|_| ()).unwrap()
    }

    pub(crate) fn taken<P: Gather>(&self, options: &RunOptions) -> (Recording, RunReport) {
        P::cost();
        let started = Instant::now();
        let watched = run_card_watched::<P>(&self.tasks, &self.card, options, Duration::ZERO, &|_| ()).unwrap();
        let around = Surroundings { wall: started.elapsed(), ..Surroundings::default() };
        let report = watched.report.clone();
        let subject = Subject {
            started,
            tasks: &self.tasks,
            card: &self.card,
            names: &self.names,
            source: "starter".to_owned(),
            library: "starter".to_owned(),
        };
        (assemble(watched, &subject, &around), report)
    }
}

/// Reference of shares; the wall clock where the system does not report processor time.
pub(crate) fn share_of(by_wall: &'static str) -> &'static str {
    if cfg!(any(target_os = "linux", target_os = "macos")) { "processor time" } else { by_wall }
}

/// A profile of rows with these self times and calls, and of tasks that spend these times on each row.
pub(crate) fn profile_of(rows: &[(f64, f64, u64)], tasks: &[Vec<f64>], rest: f64) -> Profile {
    let families = ["Object", "Grid", "Framework", "Pipeline"];
    let rows: Vec<Row> = rows
        .iter()
        .enumerate()
        .map(|(k, &(self_s, beyond, calls))| Row {
            name: format!("row{k}"),
            family: families[k % families.len()].to_owned(),
            category: if k % 4 < 2 { format!("DSL {}", families[k % 4]) } else { "other".to_owned() },
            calls,
            self_s,
            total_s: self_s + beyond,
            undefined: calls / 3,
            undefined_s: self_s / 3.0,
            ..Row::default()
        })
        .collect();
    let task = |(k, times): (usize, &Vec<f64>)| TaskRow {
        id: format!("task{k}"),
        time_s: times.iter().sum(),
        samples: 4,
        demos: 3,
        cells: 100,
        evaluations: 10,
        rows: times.iter().take(rows.len()).enumerate().map(|(place, &time)| (place as u32, 2, time)).collect(),
        ..TaskRow::default()
    };
    let tasks: Vec<TaskRow> = tasks.iter().enumerate().map(task).collect();
    let whole = rows.iter().map(|row| row.self_s).sum::<f64>() + rest;
    let stacks =
        rows.iter().map(|row| Stack { frames: vec!["execute".to_owned(), row.name.clone()], calls: row.calls, self_s: row.self_s });
    let mut profile = Profile {
        schema: SCHEMA.to_owned(),
        mode: Mode::Exact,
        run: RunFacts {
            tasks: tasks.len() as u64,
            samples: 4 * tasks.len() as u64,
            programs: 3,
            evaluations: 10 * tasks.len() as u64,
            candidates: 7,
            threads: 1,
            ..RunFacts::default()
        },
        wall_s: whole,
        thread_s: whole,
        share_of: "wall time".to_owned(),
        idle_s: 0.0,
        lost_s: 0.0,
        undisturbed_s: whole,
        overhead_s: whole / 100.0,
        overhead_share: 0.0,
        making_s: 0.0,
        not_attributed_share: 0.0,
        sampling: Sampling::default(),
        gpu: Gpu::default(),
        phases: vec![Phase { name: "execute".to_owned(), time_s: whole, ..Phase::default() }],
        classes: Vec::new(),
        programs: (0..3)
            .map(|k| ProgramRow { name: format!("program{k}"), runs: 5, time_s: whole / 3.0, ..ProgramRow::default() })
            .collect(),
        nodes: Vec::new(),
        stacks: stacks.collect(),
        repeats: Vec::new(),
        views: BTreeMap::new(),
        rows,
        tasks,
    };
    for row in &mut profile.rows {
        row.tasks = profile.tasks.iter().filter(|task| task.rows.iter().any(|spent| row.name == format!("row{}", spent.0))).count() as u64;
    }
    profile.settle();
    profile
}

/// Any profile: rows, of whose time tasks spent a part, and some time in no row.
pub(crate) fn any_profile() -> impl Strategy<Value = Profile> {
    let rows = prop::collection::vec((0.0..10.0f64, 0.0..5.0f64, 0..1_000_000u64), 1..12);
    let parts = prop::collection::vec(prop::collection::vec(0.0..1.0f64, 12), 0..12);
    (rows, parts, 0.0..1.0f64).prop_map(|(rows, parts, rest)| {
        let count = parts.len().max(1) as f64;
        let tasks: Vec<Vec<f64>> =
            parts.iter().map(|parts| rows.iter().zip(parts).map(|(row, part)| row.0 * part / count).collect()).collect();
        profile_of(&rows, &tasks, rest)
    })
}

/// Rows, stacks and phases of a profile have the same time, and nothing takes longer than everything.
#[track_caller]
pub(crate) fn adds_up(profile: &Profile) {
    assert!((profile.sum_of_shares() - 1.0).abs() < 1e-9 && profile.not_attributed_share >= 0.0);
    let attributed: f64 = profile.rows.iter().map(|row| row.self_s).sum();
    assert!(attributed <= profile.thread_s * (1.0 + 1e-9));
    for row in &profile.rows {
        assert!(row.self_s <= row.total_s && row.self_s >= 0.0, "{row:?}");
        assert!(row.total_s <= profile.thread_s * (1.0 + 1e-9), "nothing takes longer than everything: {row:?}");
        assert!(row.undefined <= row.calls && row.undefined_s <= row.self_s * (1.0 + 1e-9), "{row:?}");
    }
    let in_stacks: f64 = profile.stacks.iter().map(|stack| stack.self_s).sum();
    assert!((in_stacks - attributed).abs() < 1e-3 * profile.thread_s, "stacks have the time of the rows");
    let in_phases: f64 = profile.phases.iter().map(|phase| phase.time_s).sum();
    assert!((in_phases - attributed).abs() < 1e-6 * profile.thread_s, "phases have the time of the rows");
    assert!(profile.rows.is_sorted_by(|a, b| a.self_s >= b.self_s));
}
