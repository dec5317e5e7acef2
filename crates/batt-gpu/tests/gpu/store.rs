//! A whole evolution with a device leaves the same store behind as one without.

use std::path::Path;

use batt_core::Task;
use batt_engine::{Limits, NoProbe};
use batt_evolve::EvolveOptions;
use batt_gpu::Fleet;
use batt_gpu::emulator::Emulator;
use batt_program::{ContentHash, Program, canonical_text};
use batt_run::Pairing;
use batt_session::{Observer, Session, SessionError, SessionLimits};
use batt_store::{Access, Import, NewRun, Store};
use batt_testing::{damaged, programs};

const LIMITS: Limits = Limits { fuel: 100_000, grid_area: 1 << 16, set_len: 1 << 20, tuple_len: 1 << 16, call_depth: 16 };

struct Nobody;

impl Observer<NoProbe> for Nobody {
    type Error = SessionError;
}

/// The store after an evolution, with a device or without.
fn store_after(path: &Path, tasks: &[Task], programs: &[Program], options: &EvolveOptions, device: bool) -> String {
    let mut store = Store::open(path, Access::Create).unwrap();
    let import = |program: &Program| Import { name: program.name().to_owned(), text: canonical_text(program), source: "test".to_owned() };
    store.import(&programs.iter().map(import).collect::<Vec<_>>()).unwrap();
    let run = NewRun {
        seed: options.seed,
        configuration: "{}".to_owned(),
        tasks: tasks.iter().map(|task| task.id.clone()).collect(),
        programs: programs.iter().map(|program| (program.name().to_owned(), ContentHash::of(program))).collect(),
        ..NewRun::default()
    };
    let run = store.begin_run(&run).unwrap();
    let budget = SessionLimits { generations: Some(6), ..SessionLimits::default() };
    let mut session = Session::<NoProbe>::open(store, run, tasks, programs, options.clone(), budget).unwrap();
    if device {
        let fleet = Fleet::new(&[0], Box::new(|_| Ok(Emulator::new(false))), tasks, LIMITS);
        session.evolution_mut().accelerate(Box::new(fleet));
    }
    session.run(&mut Nobody, &|| {}).unwrap();
    drop(session);
    Store::open(path, Access::Read).unwrap().dump().unwrap()
}

#[test]
fn whole_evolutions_leave_the_same_store() {
    let folder = tempfile::tempdir().unwrap();
    let tasks: Vec<Task> = batt_starter::pack().into_iter().step_by(3).collect();
    let programs = programs(&damaged(batt_starter::LIBRARY));
    for (seed, pairing) in [(7, Pairing::Own), (8, Pairing::All)] {
        let options = EvolveOptions { seed, population: 600, limits: LIMITS, pairing, threads: 2, ..EvolveOptions::default() };
        let store =
            |name: &str, device: bool| store_after(&folder.path().join(format!("{name}{seed}")), &tasks, &programs, &options, device);
        let here = store("here", false);
        assert!(here.lines().count() > 500, "{}", here.lines().count());
        // By line, so that a difference is easy to find.
        let there = store("device", true);
        for (here, there) in here.lines().zip(there.lines()) {
            assert_eq!(there, here);
        }
        assert_eq!(there.len(), here.len());
    }
}
