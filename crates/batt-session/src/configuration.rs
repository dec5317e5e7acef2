//! Options of a run: all that its result depends on.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use crate::library::{LoadedProgram, Programs};
use batt_core::Task;
use batt_data::{ProgramSource, Selection, Source};
use batt_engine::{Limits, OnUndefined};
use batt_evolve::EvolveOptions;
use batt_evolve::mutate::{Operator, Rates, UnknownOperator};
use batt_profile::RunFacts;
use batt_program::{Cells, ContentHash, Reading, canonical_text, identifier, table_hash};
use batt_run::{Pairing, task_in_name};
use batt_store::{Access, NewRun, RunId, Store, StoreError, StoredProgram, StoredRun};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Options of an evolution. Those that are not given have a default, or are those of the run that goes on.
#[derive(Clone, Debug, Default)]
pub struct EvolveRequest {
    /// Where tasks come from.
    pub source: Option<Source>,
    /// Which of them.
    pub selection: Selection,
    /// Where programs come from.
    pub programs: Vec<ProgramSource>,
    /// How programs are read that do not say how they have their cells.
    pub cells: Option<Reading>,
    /// The seed.
    pub seed: Option<u64>,
    /// Programs made for a task in a generation.
    pub population: Option<u32>,
    /// Programs kept for a task.
    pub keep: Option<u32>,
    /// The fuel of a program on a sample.
    pub fuel: Option<u64>,
    /// The fuel that every program may spend.
    pub fuel_floor: Option<u64>,
    /// Treatment of undefined calls.
    pub on_undefined: Option<OnUndefined>,
    /// Which programs start on which tasks.
    pub pairing: Option<Pairing>,
    /// Rates of operators.
    pub rates: Vec<(Operator, u32)>,
    /// Every n-th task, beginning with one from 1.
    pub shard: Option<(u32, u32)>,
    /// Whether parents are drawn from all that was made, not from the best.
    pub no_selection: bool,
    /// Whether no values of other programs are looked up.
    pub no_substitution: bool,
}

/// The most programs of a task that a new run takes over from its store.
const HELD: usize = 8;
/// Advice to a user who names other programs than the run began with.
const OTHER_PROGRAMS: &str = ": leave out --programs to resume it, or leave out --resume to begin another run, which also starts from what \
                              the store holds";
/// Operator of programs that came from files.
const IMPORTED: &str = "import";

/// Why a run cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("run {run} cannot be resumed: {why}")]
pub struct CannotResume {
    /// The run.
    pub run: i64,
    /// Why.
    pub why: String,
}

/// Why a run cannot begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum ConfigurationError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The run cannot go on.
    #[error(transparent)]
    Resume(#[from] CannotResume),
    /// Its programs are not where they were.
    #[error("run {run} began with {named}, where no program is found: name another place with --programs")]
    NoPrograms {
        /// The run.
        run: i64,
        /// Where they were.
        named: String,
    },
}

/// Options of a run. Budgets, threads and files are not among them: they change nothing but when it ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "options of a run as stores have them")]
pub struct Configuration {
    tasks: String,
    /// Which tasks of the source.
    #[serde(default)]
    ids: Vec<String>,
    #[serde(default)]
    start: usize,
    #[serde(default)]
    number: Option<usize>,
    programs: Vec<PathBuf>,
    /// How programs are read that do not say how they have their cells. Runs that were begun before had arc-dsl's.
    #[serde(default = "cells_of_arc_dsl", serialize_with = "write_reading", deserialize_with = "read_reading")]
    cells: Reading,
    seed: u64,
    population: u32,
    keep: u32,
    fuel: u64,
    /// Runs that were begun before there was one have none but the fuel.
    #[serde(default = "no_floor")]
    fuel_floor: u64,
    #[serde(default)]
    stand_ins: bool,
    pairing_own: bool,
    rates: Vec<(String, u32)>,
    shard: Option<(u32, u32)>,
    selects: bool,
    /// Runs that were begun before there was substitution go on without.
    #[serde(default)]
    substitutes: bool,
    /// Hashes of the tasks, without the outputs of their tests, and of the programs.
    #[serde(default)]
    tasks_hash: String,
    #[serde(default)]
    programs_hash: String,
}

impl Configuration {
    /// Options of a new run.
    pub fn new(request: &EvolveRequest) -> Self {
        let Selection { ids, start, number } = request.selection.clone();
        let mut rates = Rates::default();
        for &(operator, rate) in &request.rates {
            rates.set(operator, rate);
        }
        let default = EvolveOptions::default();
        Self {
            tasks: request.source.clone().unwrap_or(Source::Starter).to_string(),
            ids,
            start,
            number,
            programs: match (request.programs.as_slice(), &request.source) {
                // The starter pack has a library of its own.
                ([], Some(source)) if *source != Source::Starter => vec![ProgramSource::Found.to_string().into()],
                (named, _) => named.iter().map(|source| source.to_string().into()).collect(),
            },
            cells: request.cells.unwrap_or_default(),
            seed: request.seed.unwrap_or(default.seed),
            population: request.population.unwrap_or(default.population as u32),
            keep: request.keep.unwrap_or(default.keep as u32),
            fuel: request.fuel.unwrap_or(EvolveOptions::FUEL),
            fuel_floor: request.fuel_floor.unwrap_or(default.fuel_floor),
            stand_ins: request.on_undefined == Some(OnUndefined::Default),
            pairing_own: request.pairing == Some(Pairing::Own),
            rates: Operator::ALL.into_iter().map(|operator| (operator.name().to_owned(), rates.get(operator))).collect(),
            shard: request.shard,
            selects: !request.no_selection,
            substitutes: !request.no_substitution,
            tasks_hash: String::new(),
            programs_hash: String::new(),
        }
    }

    /// Options of a run of a store, if it can go on. Tasks may be named again, for example because they were moved.
    pub fn of_run(run: &StoredRun, store: &Store, source: Option<&Source>) -> Result<Self, ConfigurationError> {
        let cannot = |why: String| CannotResume { run: run.id.0, why };
        if run.last.is_some() && store.checkpoint(run.id)?.is_none() {
            let why = format!(
                "`batt lib prune` removed programs that it keeps (with --pools it does not). To begin another run with the programs that \
                 are left, leave --resume out and pass --programs {}",
                store.path().display()
            );
            return Err(cannot(why).into());
        }
        let read = |error| cannot(format!("its configuration cannot be read ({error})"));
        let mut configuration: Self = serde_json::from_str(&run.configuration).map_err(read)?;
        if let Some((place, count)) = configuration.shard
            && !(1..=count).contains(&place)
        {
            return Err(cannot(format!("it has the impossible shard {place}/{count}")).into());
        }
        if let Some(source) = source {
            configuration.tasks = source.to_string();
        }
        Ok(configuration)
    }

    /// Options that a run which goes on has no use for, and that say something else than what it was told.
    pub fn ignored(&self, request: &EvolveRequest) -> Vec<String> {
        let told = Self::new(request);
        let mut ignored = Vec::new();
        let mut compare = |option: &str, is_given: bool, given: String, has: String| {
            if is_given && given != has {
                ignored.push(format!("{option} {given} (it has {has})"));
            }
        };
        compare("--seed", request.seed.is_some(), told.seed.to_string(), self.seed.to_string());
        compare("--population", request.population.is_some(), told.population.to_string(), self.population.to_string());
        compare("--keep", request.keep.is_some(), told.keep.to_string(), self.keep.to_string());
        compare("--fuel", request.fuel.is_some(), told.fuel.to_string(), self.fuel.to_string());
        compare("--fuel-floor", request.fuel_floor.is_some(), told.fuel_floor.to_string(), self.fuel_floor.to_string());
        compare("--cells", request.cells.is_some(), told.cells.name().to_owned(), self.cells.name().to_owned());
        let undefined = |one: &Self| if one.stand_ins { "default" } else { "propagate" }.to_owned();
        compare("--undefined", request.on_undefined.is_some(), undefined(&told), undefined(self));
        let pairing = |one: &Self| if one.pairing_own { "own" } else { "all" }.to_owned();
        compare("--pairing", request.pairing.is_some(), pairing(&told), pairing(self));
        let shard = |one: &Self| one.shard.map_or("none".to_owned(), |(place, count)| format!("{place}/{count}"));
        compare("--shard", request.shard.is_some(), shard(&told), shard(self));
        for (operator, given) in &told.rates {
            let has = self.rates.iter().find(|(name, _)| name == operator).map_or(0, |(_, rate)| *rate);
            let is_given = request.rates.iter().any(|(one, _)| one.name() == operator);
            compare("--rate", is_given, format!("{operator}={given}"), format!("{operator}={has}"));
        }
        if request.no_selection && self.selects {
            ignored.push("--no-selection (it selects)".to_owned());
        }
        if request.no_substitution && self.substitutes {
            ignored.push("--no-substitution (it substitutes)".to_owned());
        }
        let tasks = |one: &Self| (one.ids.clone(), one.start, one.number);
        if !request.selection.is_all() && tasks(&told) != tasks(self) {
            ignored.push("--task, -n and --start (it has its tasks)".to_owned());
        }
        ignored
    }

    /// Where its tasks come from, as it was told.
    pub fn tasks(&self) -> &str {
        &self.tasks
    }

    /// Which tasks of the source a new run has. A shard has some of these.
    pub fn selection(&self) -> Selection {
        Selection { ids: self.ids.clone(), start: self.start, number: self.number }
    }

    /// The tasks of a resumed run, from the tasks of a source.
    pub fn tasks_of_run(run: &StoredRun, loaded: Vec<Task>, source: &str) -> Result<Vec<Task>, CannotResume> {
        let mut by_id: HashMap<String, Task> = loaded.into_iter().map(|task| (task.id.clone(), task)).collect();
        let missing: Vec<&str> = run.tasks.iter().map(String::as_str).filter(|id| !by_id.contains_key(*id)).collect();
        if let Some(first) = missing.first() {
            let others = if missing.len() == 1 { String::new() } else { format!(" and {} more of its tasks", missing.len() - 1) };
            let why = format!("{first}{others} cannot be loaded from {source} (--tasks SRC names another place)");
            return Err(CannotResume { run: run.id.0, why });
        }
        Ok(run.tasks.iter().filter_map(|id| by_id.remove(id)).collect())
    }

    /// The programs to start from. A new run starts from what its store holds for the tasks, besides. A resumed run has them in the store,
    /// unless files are named. After a prune they may be in files only.
    pub fn programs(
        &self,
        resumed: Option<&StoredRun>,
        store: &Store,
        named: &[ProgramSource],
        tasks: &[Task],
    ) -> Result<Programs, StoreError> {
        let stored = match resumed {
            Some(run) if named.is_empty() => store.run_programs(run.id)?,
            _ => Vec::new(),
        };
        if !stored.is_empty() {
            return Ok(Programs::of_store(stored, store.path()));
        }
        let own = self.program_sources();
        let mut programs = Programs::read(if named.is_empty() { &own } else { named }, self.cells);
        if resumed.is_none() {
            let mut held = Programs::of_store(held(store, tasks)?, store.path());
            let known: HashSet<ContentHash> = programs.loaded.iter().map(|one| ContentHash::of(&one.program)).collect();
            held.loaded.retain(|one| !known.contains(&ContentHash::of(&one.program)));
            programs.loaded.append(&mut held.loaded);
            programs.skipped.append(&mut held.skipped);
        }
        Ok(programs)
    }

    /// The error if a run that goes on has no programs.
    pub fn no_programs(&self, run: &StoredRun) -> ConfigurationError {
        let named: Vec<String> = self.program_sources().iter().map(ToString::to_string).collect();
        ConfigurationError::NoPrograms { run: run.id.0, named: named.join(" ") }
    }

    fn program_sources(&self) -> Vec<ProgramSource> {
        self.programs.iter().map(|path| ProgramSource::parse(path.as_os_str())).collect()
    }

    /// Limits of its programs.
    fn limits(&self) -> (Limits, OnUndefined) {
        let on_undefined = if self.stand_ins { OnUndefined::Default } else { OnUndefined::Propagate };
        (Limits { fuel: self.fuel, ..Limits::default() }, on_undefined)
    }

    /// The tasks of this shard.
    pub fn shard(&self, tasks: Vec<Task>) -> Vec<Task> {
        let Some((place, count)) = self.shard else { return tasks };
        // A damaged store may have a shard of none.
        tasks
            .into_iter()
            .enumerate()
            .filter(|(k, _)| (*k as u32).checked_rem(count).is_some_and(|k| k + 1 == place))
            .map(|(_, task)| task)
            .collect()
    }

    /// Adds the tasks and programs of the run. Programs whose file is named after a task get that name, too: they keep it in the
    /// store.
    #[must_use]
    pub fn with_inputs(mut self, tasks: &[Task], programs: &mut [LoadedProgram]) -> Self {
        if self.pairing_own {
            name_for_tasks(programs, tasks);
        }
        self.tasks_hash = hash_of(tasks.iter().map(content_of));
        self.programs_hash = hash_of(programs.iter().map(|one| format!("{} {}", one.program.name(), canonical_text(&one.program))));
        self
    }

    /// Whether a run can go on with this.
    pub fn check_fits(&self, run: &StoredRun) -> Result<(), CannotResume> {
        let cannot = |why: String| CannotResume { run: run.id.0, why };
        let was: Self = serde_json::from_str(&run.configuration).map_err(|error| cannot(error.to_string()))?;
        let pairs = [
            ("the tasks", "", was.tasks_hash == self.tasks_hash),
            ("the programs", OTHER_PROGRAMS, was.programs_hash == self.programs_hash),
            ("the primitives of this batt", "", run.table_hash == table_hash().to_string()),
        ];
        match pairs.iter().find(|(.., is_same)| !is_same) {
            Some((what, advice, _)) => Err(cannot(format!("{what} differ from those that it began with{advice}"))),
            None => Ok(()),
        }
    }

    /// Begins a run in a store, with these inputs. `folder` is where paths begin. What other stores know of programs that are taken from them
    /// comes along.
    pub fn begin(&self, store: &mut Store, tasks: &[Task], programs: &[LoadedProgram], folder: String) -> Result<RunId, StoreError> {
        store.import(&programs.iter().map(LoadedProgram::to_import).collect::<Vec<_>>())?;
        let own = store.path().canonicalize().ok();
        for place in programs.iter().map(|one| one.place.as_str()).collect::<BTreeSet<&str>>() {
            let path = Path::new(place);
            if path.is_file()
                && path.canonicalize().ok() != own
                && let Ok(other) = Store::open(path, Access::Read)
            {
                store.import_answers(&other)?;
            }
        }
        store.begin_run(&NewRun {
            seed: self.seed,
            configuration: serde_json::to_string(self).unwrap_or_default(),
            batt_version: env!("CARGO_PKG_VERSION").to_owned(),
            table_hash: table_hash().to_string(),
            tasks: tasks.iter().map(|task| task.id.clone()).collect(),
            programs: programs.iter().map(|one| (one.program.name().to_owned(), ContentHash::of(&one.program))).collect(),
            folder,
            unix_ms: crate::now(),
        })
    }

    /// Facts about the run, for a profile.
    pub fn facts(&self, tasks: &[Task], programs: usize, threads: usize) -> RunFacts {
        let threads = if threads == 0 { std::thread::available_parallelism().map_or(1, usize::from) } else { threads };
        let library: Vec<String> = self.programs.iter().map(|path| path.display().to_string()).collect();
        RunFacts {
            source: self.tasks.clone(),
            library: if library.is_empty() { "starter".to_owned() } else { library.join(" ") },
            tasks: tasks.len() as u64,
            samples: tasks.iter().map(|task| task.samples() as u64).sum(),
            programs: programs as u64,
            threads: threads as u64,
            ..RunFacts::default()
        }
    }

    /// How the evolution is made.
    pub fn options(&self, threads: usize) -> Result<EvolveOptions, UnknownOperator> {
        let (limits, on_undefined) = self.limits();
        let mut rates = Rates::none();
        for (name, rate) in &self.rates {
            rates.set(name.parse()?, *rate);
        }
        Ok(EvolveOptions {
            seed: self.seed,
            population: self.population as usize,
            keep: self.keep as usize,
            limits,
            on_undefined,
            fuel_floor: self.fuel_floor,
            rates,
            pairing: if self.pairing_own { Pairing::Own } else { Pairing::All },
            threads,
            selects: self.selects,
            substitutes: self.substitutes,
            ..EvolveOptions::default()
        })
    }
}

/// Gives programs whose file is named after a task that name, too.
fn name_for_tasks(programs: &mut [LoadedProgram], tasks: &[Task]) {
    let ids: HashSet<&str> = tasks.iter().map(|task| &*task.id).collect();
    let find = |part: &str| ids.get(part).map(|&id| id.to_owned());
    for one in programs {
        let name = one.program.name();
        if let (None, Some(id)) = (task_in_name(name, find), task_in_name(&one.stem, find)) {
            let name = format!("{name}_{}", identifier(&id));
            one.program = one.program.clone().named(name);
        }
    }
}

fn cells_of_arc_dsl() -> Reading {
    Reading::As(Cells::Cij)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde wants it")]
fn write_reading<S: Serializer>(reading: &Reading, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(reading.name())
}

fn read_reading<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Reading, D::Error> {
    let name = String::deserialize(deserializer)?;
    let known = Reading::ALL.into_iter().find(|reading| reading.name() == name);
    known.ok_or_else(|| serde::de::Error::custom(format!("there are no cells `{name}`")))
}

fn no_floor() -> u64 {
    u64::MAX
}

fn hash_of(parts: impl Iterator<Item = String>) -> String {
    let hashes: Vec<u8> = parts.flat_map(|part| ContentHash::of_text(&part).0).collect();
    ContentHash::of_bytes(&hashes).to_string()
}

/// The programs of a store that a new run starts from: the best of its tasks, and imports that were never tried.
fn held(store: &Store, tasks: &[Task]) -> Result<Vec<(String, StoredProgram)>, StoreError> {
    let mut held = Vec::new();
    let mut taken: HashSet<ContentHash> = HashSet::new();
    let known: HashSet<String> = store.tasks()?.into_iter().collect();
    for task in tasks.iter().filter(|task| known.contains(&task.id)) {
        let best = store.best(&task.id, HELD)?;
        held.extend(best.into_iter().map(|ranked| ranked.program).filter(|program| taken.insert(program.hash)));
    }
    for summary in store.list()?.into_iter().filter(|summary| summary.operator == IMPORTED && summary.tasks == 0) {
        held.extend(store.program(summary.hash)?.filter(|program| taken.insert(program.hash)));
    }
    Ok(held.into_iter().map(|program| (program.name(), program)).collect())
}

/// Content of a task without the outputs of its tests.
fn content_of(task: &Task) -> String {
    let inputs: Vec<_> = task.tests.iter().map(|test| &test.input).collect();
    format!("{} {:?} {inputs:?}", task.id, task.demos)
}

/// A hash of a task without the outputs of its tests.
pub(crate) fn hash_of_task(task: &Task) -> String {
    hash_of(std::iter::once(content_of(task)))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    /// Configurations of runs from before there was a floor for fuel.
    #[test]
    fn a_run_that_was_begun_without_a_floor_goes_on_without() {
        let told = r#"{"tasks":"starter","programs":[],"seed":1,"population":10,"keep":4,"fuel":500000,"pairing_own":false,"rates":[],
            "shard":null,"selects":true}"#;
        let configuration: Configuration = serde_json::from_str(told).unwrap();
        assert!(configuration.fuel_floor >= configuration.fuel);
        let again: Configuration = serde_json::from_str(&serde_json::to_string(&configuration).unwrap()).unwrap();
        assert_eq!(again, configuration);
    }
}
