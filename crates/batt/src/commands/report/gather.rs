//! What the page is about: programs from files, run and scored first, and programs and runs from a store.

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::Instant;

use batt_card::Card;
use batt_core::Task;
use batt_data::Skipped;
use batt_engine::Limits;
use batt_profile::Step;
use batt_program::{Program, parse_file};
use batt_report::{OperatorEntry, Proposed, RunEntry, RunPoint, TaskToShow, thinned};
use batt_search::{Pairing, RunOptions, RunReport, TaskReport};
use batt_store::{Ranked, Store, StoreError, StoredRun};

use crate::args::{PairingArg, ReportArgs};
use crate::output::{count, progress};
use crate::programs::{problems, read_files};
use crate::watch::Watch;

/// The most programs that are right on all demos of a task and taken over, besides the best outputs.
const MOST_SELECTED: usize = 32;

/// The most runs of a store that are shown.
const MOST_RUNS: usize = 30;

/// What running files was about.
pub(super) struct FromFiles {
    pub(super) skipped: Vec<Skipped>,
    /// Where the programs came from, in words.
    pub(super) about: String,
    /// How many there were.
    pub(super) programs: usize,
    /// What they found.
    pub(super) report: RunReport,
}

/// Runs the programs of files on the tasks, and proposes the best of each.
pub(super) fn from_files(args: &ReportArgs, tasks: &[Task], shown: &mut [TaskToShow<'_>], watch: &mut Watch) -> anyhow::Result<FromFiles> {
    let Read { programs, origins, skipped } = watch.step(Step::ParsePrograms, || read(&args.programs));
    anyhow::ensure!(!programs.is_empty(), "there is no program to run");
    let options = RunOptions {
        pairing: if args.pairing == PairingArg::Own { Pairing::Own } else { Pairing::All },
        limits: Limits { fuel: args.fuel, ..Limits::default() },
        differs: batt_search::built_in_differs(),
        keep: usize::from(args.top),
        ..RunOptions::default()
    };
    let mut card = Card::new();
    let started = Instant::now();
    for program in &programs {
        card.add(program);
    }
    let made_in = started.elapsed();
    watch.took(Step::MakeCard, made_in);
    let bar = progress(tasks.len() as u64, "tasks");
    let report = watch.run_card(tasks, &card, &options, made_in, &|_| bar.inc(1));
    bar.finish_and_clear();
    let report = report?;
    for (shown, found) in shown.iter_mut().zip(&report.tasks) {
        let proposed = |(position, score): (u32, Option<u64>)| {
            let (program, origin) = (programs.get(position as usize)?, origins.get(position as usize)?);
            Some(Proposed { program: program.clone(), name: program.name().to_owned(), origin: origin.clone(), score })
        };
        shown.proposed.extend(best_of(found).into_iter().filter_map(proposed));
    }
    let names: Vec<String> = args.programs.iter().map(|path| path.display().to_string()).collect();
    let place = if names.is_empty() { "the starter library".to_owned() } else { names.join(", ") };
    let about = format!("{place} ({})", count(programs.len(), "program"));
    Ok(FromFiles { skipped, about, programs: programs.len(), report })
}

/// Programs, each with what it comes from.
struct Read {
    programs: Vec<Program>,
    origins: Vec<String>,
    skipped: Vec<Skipped>,
}

fn read(paths: &[PathBuf]) -> Read {
    let (mut programs, mut origins, mut skipped) = (Vec::new(), Vec::new(), Vec::new());
    let mut add = |name: &str, parsed: Vec<Program>| {
        origins.extend(std::iter::repeat_n(name.to_owned(), parsed.len()));
        programs.extend(parsed);
    };
    if paths.is_empty() {
        add("the starter library", parse_file(batt_starter::LIBRARY).programs);
    } else {
        let (files, unread) = read_files(paths);
        skipped.extend(unread);
        for file in files {
            skipped.extend(problems(&file.name, file.parsed.errors));
            add(&file.name, file.parsed.programs);
        }
    }
    Read { programs, origins, skipped }
}

/// The programs of the best outputs, those that are right on all demos, and the one with the most right demos; each with its score.
fn best_of(found: &TaskReport) -> Vec<(u32, Option<u64>)> {
    let outputs = found.proposals.iter().flatten().map(|proposal| (proposal.program, Some(proposal.score)));
    // The solvers are among the selected, but may come late there.
    let selected = found.selected.iter().map(|candidate| candidate.program).take(MOST_SELECTED).chain(found.solved_by.first().copied());
    let mut best: Vec<(u32, Option<u64>)> = outputs.collect();
    for program in selected.chain(found.best.map(|(program, _)| program)) {
        if best.iter().all(|&(known, _)| known != program) {
            best.push((program, None));
        }
    }
    best
}

/// Proposes the best programs of a store for the tasks. Returns what could not be read: a program of another table of primitives.
pub(super) fn from_store(store: &Store, most: usize, shown: &mut [TaskToShow<'_>]) -> anyhow::Result<Vec<Skipped>> {
    let mut skipped = Vec::new();
    for shown in shown {
        let best = match store.best(&shown.task.id, most) {
            Ok(best) => best,
            Err(StoreError::NoTask { .. }) => continue,
            Err(error) => return Err(error.into()),
        };
        for Ranked { program, score } in best {
            let mut parsed = parse_file(&program.text);
            let (Some(read), None) = (parsed.programs.pop(), parsed.errors.pop()) else {
                let what = format!("the program {} of {}", program.name(), store.path().display());
                skipped.push(Skipped { what, why: "this batt does not understand its text".to_owned() });
                continue;
            };
            let origin = match (program.origin.run, program.origin.generation) {
                (Some(run), Some(generation)) => format!("{}, run {} generation {generation}", program.origin.operator, run.0),
                _ => program.origin.source.clone().unwrap_or_else(|| program.origin.operator.clone()),
            };
            shown.proposed.push(Proposed { program: read, name: program.name(), origin, score: score.map(|score| score.score) });
        }
    }
    Ok(skipped)
}

/// How the last runs of a store went, the last first; and a note if there were more.
pub(super) fn runs(store: &Store) -> Result<(Vec<RunEntry>, Option<String>), StoreError> {
    let runs = store.runs()?;
    let note = (runs.len() > MOST_RUNS).then(|| format!("{} are not shown", count(runs.len() - MOST_RUNS, "earlier run")));
    let shown = runs.iter().rev().take(MOST_RUNS).map(|run| run_entry(store, run)).collect::<Result<_, _>>()?;
    Ok((shown, note))
}

fn run_entry(store: &Store, run: &StoredRun) -> Result<RunEntry, StoreError> {
    let times = store.times(run.id)?;
    let started = times.iter().find(|(generation, _)| generation.is_none()).map(|&(_, time)| time);
    let by_generation: HashMap<u64, i64> = times.iter().filter_map(|&(generation, time)| Some((generation?, time))).collect();
    // A clock may have been set back meanwhile.
    let seconds =
        |generation: u64| Some(by_generation.get(&generation)?.saturating_sub(started?) as f64 / 1e3).filter(|&seconds| seconds >= 0.0);
    let points = store.history(run.id)?.into_iter().map(|(generation, progress)| RunPoint {
        generation,
        evaluations: progress.evaluations,
        solved: progress.solved,
        score: progress.total_score,
        size: progress.mean_size_milli as f64 / 1e3,
        behaviours: progress.distinct_behaviours,
        seconds: seconds(generation),
    });
    let operators = store.operator_totals(run.id)?.into_iter().map(|one| OperatorEntry {
        name: one.operator,
        tried: one.tried,
        duplicates: one.duplicates,
        improved: one.improved,
        solved: one.solved,
    });
    Ok(RunEntry {
        name: format!("Run {}", run.id.0),
        about: format!("seed {}, {}, batt {}", run.seed, count(run.tasks.len(), "task"), run.batt_version),
        tasks: run.tasks.len(),
        points: thinned(&points.collect::<Vec<_>>()),
        operators: operators.collect(),
    })
}
