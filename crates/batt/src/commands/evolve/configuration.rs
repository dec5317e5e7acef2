//! What a run was told: all that its result depends on.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use batt_core::Task;
use batt_data::{DataError, Selection, Source};
use batt_engine::{Limits, OnUndefined};
use batt_evolve::EvolveOptions;
use batt_evolve::mutate::{Operator, Rates};
use batt_profile::RunFacts;
use batt_program::canonical_text;
use batt_run::Pairing;
use batt_store::StoredRun;
use serde::{Deserialize, Serialize};

use crate::args::{CellsArg, EvolveArgs, ProgramSource};
use crate::commands::UsageError;
use crate::output::Output;
use crate::programs::LoadedProgram;
use crate::tasks::{self, SelectedTasks, TaskRequest};
use crate::{guard, run_tasks};

/// What a run was told. Budgets, threads and files are not among it: they change nothing but when it ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Configuration {
    pub(super) tasks: String,
    /// Which tasks of the source.
    #[serde(default)]
    ids: Vec<String>,
    #[serde(default)]
    start: usize,
    #[serde(default)]
    number: Option<usize>,
    pub(super) programs: Vec<PathBuf>,
    /// How programs are read that do not say how they have their cells. Runs that were begun before had arc-dsl's.
    #[serde(default = "cells_of_arc_dsl")]
    pub(super) cells: CellsArg,
    pub(super) seed: u64,
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
    /// Hashes of the tasks, without the outputs of their tests, and of the programs.
    #[serde(default)]
    tasks_hash: String,
    #[serde(default)]
    programs_hash: String,
}

impl Configuration {
    pub(super) fn of_args(args: &EvolveArgs) -> Result<Self, UsageError> {
        let TaskRequest { source, selection: Selection { ids, start, number } } = TaskRequest::of(&args.tasks)?;
        let mut rates = Rates::default();
        for &(operator, rate) in &args.rates {
            rates.set(operator, rate);
        }
        let (limits, default) = (args.limits.program, EvolveOptions::default());
        Ok(Self {
            tasks: source.unwrap_or(Source::Starter).to_string(),
            ids,
            start,
            number,
            programs: args.programs.programs.iter().map(|source| source.to_string().into()).collect(),
            cells: args.programs.cells.given(),
            seed: args.seed.unwrap_or(default.seed),
            population: args.population.unwrap_or(default.population as u32),
            keep: args.keep.unwrap_or(default.keep as u32),
            fuel: limits.fuel.fuel.unwrap_or(EvolveOptions::FUEL),
            fuel_floor: args.fuel_floor.unwrap_or(default.fuel_floor),
            stand_ins: limits.on_undefined() == OnUndefined::Default,
            pairing_own: args.pairing.pairing() == Pairing::Own,
            rates: Operator::ALL.into_iter().map(|operator| (operator.name().to_owned(), rates.get(operator))).collect(),
            shard: args.shard,
            selects: !args.no_selection,
            tasks_hash: String::new(),
            programs_hash: String::new(),
        })
    }

    /// What a run was begun with. Tasks and programs may be named again, for example because they were moved.
    pub(super) fn of_run(run: &StoredRun, args: &EvolveArgs) -> anyhow::Result<Self> {
        let mut configuration: Self = serde_json::from_str(&run.configuration)
            .map_err(|error| anyhow::anyhow!("run {} cannot be resumed: its configuration cannot be read ({error})", run.id.0))?;
        if let Some((place, count)) = configuration.shard {
            anyhow::ensure!(
                (1..=count).contains(&place),
                "run {} cannot be resumed: it has the impossible shard {place}/{count}",
                run.id.0
            );
        }
        if let Some(source) = TaskRequest::of(&args.tasks)?.source {
            configuration.tasks = source.to_string();
        }
        Ok(configuration)
    }

    /// Options that a run which goes on has no use for, and that say something else than what it was told.
    pub(super) fn ignored(&self, args: &EvolveArgs) -> anyhow::Result<Vec<String>> {
        let told = Self::of_args(args)?;
        let mut ignored = Vec::new();
        let mut compare = |option: &str, is_given: bool, given: String, has: String| {
            if is_given && given != has {
                ignored.push(format!("{option} {given} (it has {has})"));
            }
        };
        let limits = args.limits.program;
        compare("--seed", args.seed.is_some(), told.seed.to_string(), self.seed.to_string());
        compare("--population", args.population.is_some(), told.population.to_string(), self.population.to_string());
        compare("--keep", args.keep.is_some(), told.keep.to_string(), self.keep.to_string());
        compare("--fuel", limits.fuel.fuel.is_some(), told.fuel.to_string(), self.fuel.to_string());
        compare("--fuel-floor", args.fuel_floor.is_some(), told.fuel_floor.to_string(), self.fuel_floor.to_string());
        compare("--cells", args.programs.cells.cells.is_some(), told.cells.name().to_owned(), self.cells.name().to_owned());
        let undefined = |one: &Self| if one.stand_ins { "default" } else { "propagate" }.to_owned();
        compare("--undefined", limits.undefined.is_some(), undefined(&told), undefined(self));
        let pairing = |one: &Self| if one.pairing_own { "own" } else { "all" }.to_owned();
        compare("--pairing", args.pairing.pairing.is_some(), pairing(&told), pairing(self));
        let shard = |one: &Self| one.shard.map_or("none".to_owned(), |(place, count)| format!("{place}/{count}"));
        compare("--shard", args.shard.is_some(), shard(&told), shard(self));
        for (operator, given) in &told.rates {
            let has = self.rates.iter().find(|(name, _)| name == operator).map_or(0, |(_, rate)| *rate);
            let is_given = args.rates.iter().any(|(one, _)| one.name() == operator);
            compare("--rate", is_given, format!("{operator}={given}"), format!("{operator}={has}"));
        }
        if args.no_selection && self.selects {
            ignored.push("--no-selection (it selects)".to_owned());
        }
        let tasks = |one: &Self| (one.ids.clone(), one.start, one.number);
        if !TaskRequest::of(&args.tasks)?.selection.is_all() && tasks(&told) != tasks(self) {
            ignored.push("--task, -n and --start (it has its tasks)".to_owned());
        }
        Ok(ignored)
    }

    /// The programs that it was begun with.
    pub(super) fn program_sources(&self) -> Vec<ProgramSource> {
        self.programs.iter().map(|path| ProgramSource::parse(path.as_os_str())).collect()
    }

    /// The tasks of a run that goes on, from the place that was named now, or else from where they were.
    pub(super) fn load_tasks_of(
        &self,
        run: &StoredRun,
        store: &Path,
        is_named_now: bool,
        out: &mut Output,
    ) -> anyhow::Result<SelectedTasks> {
        let source = if is_named_now { Source::parse(&self.tasks) } else { run_tasks::locate(&self.tasks, run, store)? };
        guard::reads_tasks_of(&source, "--store")?;
        let mut chosen = TaskRequest { source: None, selection: Selection::default() }.load(&source, out)?;
        let mut by_id: HashMap<String, Task> = chosen.tasks.into_iter().map(|task| (task.id.clone(), task)).collect();
        let missing: Vec<&str> = run.tasks.iter().map(String::as_str).filter(|id| !by_id.contains_key(*id)).collect();
        if let Some(first) = missing.first() {
            let others = if missing.len() == 1 { String::new() } else { format!(" and {} more of its tasks", missing.len() - 1) };
            anyhow::bail!(
                "run {} cannot be resumed: {first}{others} cannot be loaded from {} (--tasks SRC names another place)",
                run.id.0,
                chosen.source
            );
        }
        chosen.tasks = run.tasks.iter().filter_map(|id| by_id.remove(id)).collect();
        Ok(chosen)
    }

    /// The tasks of a new run.
    pub(super) fn load_tasks(&self, out: &mut Output) -> Result<SelectedTasks, DataError> {
        let selection = Selection { ids: self.ids.clone(), start: self.start, number: self.number };
        let wanted = TaskRequest { source: None, selection };
        let mut chosen = wanted.load(&tasks::source(OsStr::new(&self.tasks)), out)?;
        chosen.tasks = self.shard(chosen.tasks);
        Ok(chosen)
    }

    /// Whether its programs are tried on their own tasks only.
    pub(super) fn pairs_own(&self) -> bool {
        self.pairing_own
    }

    /// What programs may do in it.
    pub(super) fn limits(&self) -> (Limits, OnUndefined) {
        let on_undefined = if self.stand_ins { OnUndefined::Default } else { OnUndefined::Propagate };
        (Limits { fuel: self.fuel, ..Limits::default() }, on_undefined)
    }

    /// The tasks of this shard.
    fn shard(&self, tasks: Vec<Task>) -> Vec<Task> {
        let Some((place, count)) = self.shard else { return tasks };
        // A damaged store may have a shard of none.
        tasks
            .into_iter()
            .enumerate()
            .filter(|(k, _)| (*k as u32).checked_rem(count).is_some_and(|k| k + 1 == place))
            .map(|(_, task)| task)
            .collect()
    }

    pub(super) fn with_inputs(mut self, tasks: &[Task], programs: &[LoadedProgram]) -> Self {
        self.tasks_hash = hash_of(tasks.iter().map(|task| {
            let inputs: Vec<_> = task.tests.iter().map(|test| &test.input).collect();
            format!("{} {:?} {inputs:?}", task.id, task.demos)
        }));
        self.programs_hash = hash_of(programs.iter().map(|one| format!("{} {}", one.program.name(), canonical_text(&one.program))));
        self
    }

    /// Whether a run can go on with this.
    pub(super) fn check_fits(&self, run: &StoredRun) -> anyhow::Result<()> {
        let was: Self = serde_json::from_str(&run.configuration)?;
        let wrong = |what: &str| anyhow::anyhow!("run {} cannot be resumed: {what} differ from those that it began with", run.id.0);
        anyhow::ensure!(was.tasks_hash == self.tasks_hash, wrong("the tasks"));
        anyhow::ensure!(was.programs_hash == self.programs_hash, wrong("the programs"));
        let table = batt_program::table_hash().to_string();
        anyhow::ensure!(run.table_hash == table, wrong("the primitives of this batt"));
        Ok(())
    }

    /// What is run, for a profile.
    pub(super) fn facts(&self, tasks: &[Task], programs: usize, threads: usize) -> RunFacts {
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

    pub(super) fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    pub(super) fn options(&self, threads: usize) -> anyhow::Result<EvolveOptions> {
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
            ..EvolveOptions::default()
        })
    }
}

fn cells_of_arc_dsl() -> CellsArg {
    CellsArg::Cij
}

fn no_floor() -> u64 {
    u64::MAX
}

fn hash_of(parts: impl Iterator<Item = String>) -> String {
    let mut hasher = xxhash_rust::xxh3::Xxh3::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    format!("{:032x}", hasher.digest128())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    /// What a run was told before there was a floor for fuel.
    #[test]
    fn a_run_that_was_begun_without_a_floor_goes_on_without() {
        let told = r#"{"tasks":"starter","programs":[],"seed":1,"population":10,"keep":4,"fuel":500000,"pairing_own":false,"rates":[],
            "shard":null,"selects":true}"#;
        let configuration: Configuration = serde_json::from_str(told).unwrap();
        assert!(configuration.fuel_floor >= configuration.fuel);
        let again: Configuration = serde_json::from_str(&configuration.to_json()).unwrap();
        assert_eq!(again, configuration);
    }
}
