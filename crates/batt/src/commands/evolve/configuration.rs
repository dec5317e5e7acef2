//! What a run was told: all that its result depends on.

use std::ffi::OsString;
use std::path::PathBuf;

use batt_core::Task;
use batt_engine::Limits;
use batt_profile::RunFacts;
use batt_program::{Program, canonical_text};
use batt_search::Pairing;
use batt_search::evolve::EvolveOptions;
use batt_search::mutate::{Operator, Rates};
use batt_store::StoredRun;
use serde::{Deserialize, Serialize};

use crate::args::{EvolveArgs, PairingArg};

/// What a run was told. Budgets, threads and files are not among it: they change nothing but when it ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Configuration {
    pub(super) tasks: String,
    pub(super) programs: Vec<PathBuf>,
    pub(super) seed: u64,
    population: u32,
    keep: u32,
    fuel: u64,
    /// Runs that were begun before there was one have none but the fuel.
    #[serde(default = "no_floor")]
    fuel_floor: u64,
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
    pub(super) fn of_args(args: &EvolveArgs) -> Self {
        let tasks = args.tasks.clone().unwrap_or_else(|| OsString::from("starter"));
        let mut rates = Rates::default();
        for &(operator, rate) in &args.rates {
            rates.set(operator, rate);
        }
        Self {
            tasks: tasks.to_string_lossy().into_owned(),
            programs: args.programs.clone(),
            seed: args.seed,
            population: args.population,
            keep: args.keep,
            fuel: args.fuel,
            fuel_floor: args.fuel_floor,
            pairing_own: args.pairing == PairingArg::Own,
            rates: Operator::ALL.into_iter().map(|operator| (operator.name().to_owned(), rates.get(operator))).collect(),
            shard: args.shard,
            selects: !args.no_selection,
            tasks_hash: String::new(),
            programs_hash: String::new(),
        }
    }

    /// What a run was begun with. Tasks and programs may be named again, for example because they were moved.
    pub(super) fn of_run(run: &StoredRun, args: &EvolveArgs) -> anyhow::Result<Self> {
        let mut configuration: Self = serde_json::from_str(&run.configuration)
            .map_err(|error| anyhow::anyhow!("run {} cannot go on: what it was told cannot be read ({error})", run.id.0))?;
        if let Some(tasks) = &args.tasks {
            configuration.tasks = tasks.to_string_lossy().into_owned();
        }
        if !args.programs.is_empty() {
            configuration.programs.clone_from(&args.programs);
        }
        Ok(configuration)
    }

    /// The tasks of this shard.
    pub(super) fn shard(&self, tasks: Vec<Task>) -> Vec<Task> {
        let Some((place, count)) = self.shard else { return tasks };
        tasks.into_iter().enumerate().filter(|(k, _)| *k as u32 % count == place - 1).map(|(_, task)| task).collect()
    }

    pub(super) fn with_inputs(mut self, tasks: &[Task], programs: &[Program]) -> Self {
        self.tasks_hash = hash_of(tasks.iter().map(|task| {
            let inputs: Vec<_> = task.tests.iter().map(|test| &test.input).collect();
            format!("{} {:?} {inputs:?}", task.id, task.demos)
        }));
        self.programs_hash = hash_of(programs.iter().map(|program| format!("{} {}", program.name(), canonical_text(program))));
        self
    }

    /// Whether a run can go on with this.
    pub(super) fn check_fits(&self, run: &StoredRun) -> anyhow::Result<()> {
        let was: Self = serde_json::from_str(&run.configuration)?;
        let wrong = |what: &str| anyhow::anyhow!("run {} cannot go on: {what} are not those that it was begun with", run.id.0);
        anyhow::ensure!(was.tasks_hash == self.tasks_hash, wrong("the tasks"));
        anyhow::ensure!(was.programs_hash == self.programs_hash, wrong("the programs"));
        let table = batt_program::table_hash().to_string();
        anyhow::ensure!(run.table_hash == table, wrong("the primitives of this batt"));
        Ok(())
    }

    /// What is run, for a profile.
    pub(super) fn facts(&self, tasks: &[Task], programs: usize, threads: Option<u16>) -> RunFacts {
        let threads = threads.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
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

    pub(super) fn options(&self, args: &EvolveArgs) -> anyhow::Result<EvolveOptions> {
        let mut rates = Rates::none();
        for (name, rate) in &self.rates {
            rates.set(name.parse()?, *rate);
        }
        Ok(EvolveOptions {
            seed: self.seed,
            population: self.population as usize,
            keep: self.keep as usize,
            limits: Limits { fuel: self.fuel, ..Limits::default() },
            fuel_floor: self.fuel_floor,
            rates,
            pairing: if self.pairing_own { Pairing::Own } else { Pairing::All },
            threads: args.threads.map_or(0, usize::from),
            selects: self.selects,
            ..EvolveOptions::default()
        })
    }
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
