//! All programs there are, of files and of the store, to be found by what they do.

use std::sync::{Arc, Mutex, PoisonError};

use crate::report::{ShownGrid, short_hash};
use batt_core::{Grid, Value};
use batt_engine::{Inputs, OnUndefined, run_alone};
use batt_program::{Program, print_program, shown_name};
use batt_session::program_of;
use batt_store::{Store, StoreError};
use rayon::prelude::*;
use serde::Serialize;

use crate::serve::Workbench;
use crate::serve::api::Failure;

/// The most programs that are searched; of a larger store, the newest.
const MOST: usize = 20_000;
/// The most that are told.
const TOLD: usize = 24;
/// Fuel for each program: many are run, and few that are worth finding spend more.
const FUEL: u64 = 500_000;

/// The programs, as far as they were read.
#[derive(Default)]
pub(crate) struct Searchable(Mutex<Option<(u64, Arc<Vec<Known>>)>>);

/// A program that can be found.
struct Known {
    name: String,
    origin: String,
    program: Program,
}

/// Output of a program, and its distance from the wanted one: in sizes, then in cells.
struct Given {
    distance: (u64, usize),
    given: Grid,
}

/// Programs of the library, the closest first.
#[derive(Serialize)]
pub(crate) struct Found {
    /// How many programs were run.
    tried: usize,
    /// How many there are.
    of: u64,
    exact: usize,
    closest: Vec<Close>,
}

/// A program, and how far what it gives is from what is wanted.
#[derive(Serialize)]
struct Close {
    name: String,
    origin: String,
    hash: String,
    text: String,
    /// Cells that differ; none if the sizes do.
    wrong: Option<usize>,
    cells: usize,
    output: ShownGrid,
}

impl Searchable {
    /// Runs all programs, and tells those that come closest.
    pub(crate) fn find(&self, workbench: &Workbench, sample: Inputs<'_>, wanted: &Grid) -> Result<Found, Failure> {
        let (of, known) = self.known(workbench)?;
        let limits = batt_engine::Limits { fuel: FUEL.min(workbench.inputs.limits.fuel), ..workbench.inputs.limits };
        let run = |one: &Known| {
            let evaluation = run_alone(&one.program, &[sample], limits, OnUndefined::Propagate).pop()?;
            let given = evaluation.outcome.value().and_then(Value::as_grid)?.clone();
            Some(Given { distance: distance(&given, wanted), given })
        };
        let outputs: Vec<Option<Given>> = known.par_iter().map(run).collect();
        let mut ranked: Vec<(usize, Given)> = outputs.into_iter().enumerate().filter_map(|(k, output)| Some((k, output?))).collect();
        // Of equally close programs, the shorter.
        ranked.sort_by_key(|(k, one)| (one.distance, known[*k].program.steps().len(), *k));
        let exact = ranked.iter().filter(|(_, one)| one.distance == (0, 0)).count();
        let close = |(k, Given { distance: (sizes, wrong), given }): (usize, Given)| Close {
            name: known[k].name.clone(),
            origin: known[k].origin.clone(),
            hash: short_hash(&known[k].program),
            text: print_program(&known[k].program),
            wrong: (sizes == 0).then_some(wrong),
            cells: wanted.height() * wanted.width(),
            output: ShownGrid::from(&given),
        };
        Ok(Found { tried: known.len(), of, exact, closest: ranked.into_iter().take(TOLD).map(close).collect() })
    }

    /// The programs, read again if the store has others now.
    fn known(&self, workbench: &Workbench) -> Result<(u64, Arc<Vec<Known>>), Failure> {
        let stored = workbench.read(Store::counts).transpose()?.map_or(0, |counts| counts.programs);
        let all = stored + workbench.inputs.programs.len() as u64;
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((count, known)) = kept.as_ref().filter(|(count, _)| *count == all) {
            return Ok((*count, Arc::clone(known)));
        }
        let mut known: Vec<Known> = workbench.inputs.programs.iter().map(of_file).collect();
        let skipped = (stored as usize).saturating_sub(MOST.saturating_sub(known.len()));
        let mut place = 0;
        let read = workbench.read(|store| {
            store.for_each_program(|program| {
                place += 1;
                if place > skipped {
                    let read = program_of(&program);
                    let origin = program.origin.source.clone().unwrap_or_else(|| program.origin.operator.clone());
                    known.extend(read.map(|read| Known { name: shown_name(&program.name()), origin, program: read }));
                }
                Ok::<(), StoreError>(())
            })
        });
        read.transpose()?;
        known.retain(|one| !one.program.is_differ());
        let known = Arc::new(known);
        *kept = Some((all, Arc::clone(&known)));
        Ok((all, known))
    }
}

fn of_file(one: &batt_session::LoadedProgram) -> Known {
    Known { name: shown_name(one.program.name()), origin: one.place.clone(), program: one.program.clone() }
}

/// How far two sizes are from each other, and then how many cells differ.
fn distance(given: &Grid, wanted: &Grid) -> (u64, usize) {
    let sizes = given.height().abs_diff(wanted.height()) + given.width().abs_diff(wanted.width());
    let differing = given.rows().zip(wanted.rows()).map(|(a, b)| a.iter().zip(b).filter(|(a, b)| a != b).count()).sum();
    (sizes as u64, differing)
}
