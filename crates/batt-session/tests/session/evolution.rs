//! Sessions in a store: ended anywhere they go on as if they had not been, and what was cut is written down.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use batt_core::Task;
use batt_engine::{Limits, NoProbe};
use batt_evolve::{Evolution, EvolveOptions, GenerationReport, Standing};
use batt_program::{ContentHash, Program, canonical_text};
use batt_session::{Observer, Session, SessionError, SessionLimits, StopReason};
use batt_store::{Access, Import, NewRun, RunId, Store};
use batt_testing::{damaged, programs};

fn inputs() -> (Vec<Task>, Vec<Program>) {
    let tasks = batt_starter::pack().into_iter().take(16).collect();
    (tasks, programs(&damaged(batt_starter::LIBRARY)))
}

fn options() -> EvolveOptions {
    let limits = Limits { fuel: 50_000, ..Limits::default() };
    EvolveOptions { seed: 5, population: 400, threads: 2, limits, ..EvolveOptions::default() }
}

/// A store with a run that is begun and has nothing yet.
fn begun(path: &Path, tasks: &[Task], programs: &[Program]) -> RunId {
    let mut store = Store::open(path, Access::Create).unwrap();
    let import = |program: &Program| Import { name: program.name().to_owned(), text: canonical_text(program), source: "test".to_owned() };
    store.import(&programs.iter().map(import).collect::<Vec<_>>()).unwrap();
    let run = NewRun {
        seed: 5,
        configuration: "{}".to_owned(),
        tasks: tasks.iter().map(|task| task.id.clone()).collect(),
        programs: programs.iter().map(|program| (program.name().to_owned(), ContentHash::of(program))).collect(),
        ..NewRun::default()
    };
    store.begin_run(&run).unwrap()
}

/// Notes what it is told, and asks for an end after so many generations that were made.
#[derive(Default)]
struct Notes {
    told: Vec<String>,
    end_after: Option<(usize, Arc<AtomicBool>)>,
}

impl Observer<NoProbe> for Notes {
    type Error = SessionError;

    fn made(&mut self, _: &mut Evolution) {
        self.told.push("made".to_owned());
        if let Some((left, interrupt)) = &mut self.end_after {
            *left -= 1;
            interrupt.store(*left == 0, Ordering::Relaxed);
        }
    }

    fn saved(&mut self, _: &Evolution, report: &GenerationReport, standing: &Standing) -> Result<(), SessionError> {
        assert_eq!(report.number, standing.generations);
        self.told.push(format!("saved {} {:?}", report.number, report.cut));
        Ok(())
    }

    fn wants_submission(&self) -> bool {
        false
    }

    fn submit(&mut self, evolution: &Evolution) -> Result<(), SessionError> {
        self.told.push(format!("submitted {}", evolution.started()));
        Ok(())
    }
}

fn dump(path: &Path) -> String {
    Store::open(path, Access::Read).unwrap().dump().unwrap()
}

#[test]
fn a_run_that_is_interrupted_everywhere_is_the_run_that_was_not() {
    let folder = tempfile::tempdir().unwrap();
    let (tasks, programs) = inputs();
    let (whole, pieces) = (folder.path().join("whole"), folder.path().join("pieces"));
    let generations = Some(3);

    let run = begun(&whole, &tasks, &programs);
    let store = Store::open(&whole, Access::Write).unwrap();
    let budget = SessionLimits { generations, ..SessionLimits::default() };
    let mut session = Session::<NoProbe>::open(store, run, &tasks, &programs, options(), budget).unwrap();
    let mut notes = Notes::default();
    assert_eq!(session.run(&mut notes, &|| {}).unwrap(), StopReason::Generations);
    // A submission was there before the first program was tried.
    assert_eq!((notes.told[0].as_str(), notes.told.last().unwrap().as_str()), ("submitted 0", "submitted 16"));
    assert!(!notes.told.iter().any(|told| told.starts_with("saved 1 Some")), "{:?}", notes.told);
    drop(session);

    let run = begun(&pieces, &tasks, &programs);
    let (mut in_the_start, mut sessions) = (0, 0);
    loop {
        let interrupt = Arc::new(AtomicBool::new(false));
        let budget = SessionLimits { generations, interrupt: Arc::clone(&interrupt), ..SessionLimits::default() };
        let store = Store::open(&pieces, Access::Write).unwrap();
        let mut session = Session::<NoProbe>::open(store, run, &tasks, &programs, options(), budget).unwrap();
        let mut notes = Notes { end_after: Some((1, Arc::clone(&interrupt))), ..Notes::default() };
        // In the start the end comes after three tasks, in the midst of others.
        let tried = AtomicUsize::new(0);
        let reason = session.run(&mut notes, &|| interrupt.store(tried.fetch_add(1, Ordering::Relaxed) >= 2, Ordering::Relaxed)).unwrap();
        sessions += 1;
        in_the_start += usize::from(session.evolution().started() < tasks.len());
        drop(session);
        if reason == StopReason::Generations {
            break;
        }
        assert_eq!(reason, StopReason::Interrupted);
        assert!(sessions < 40, "{:?}", notes.told);
    }
    assert!(in_the_start >= 3, "{in_the_start} of {sessions}");
    assert_eq!(dump(&pieces), dump(&whole));
}

#[test]
fn what_a_limit_of_time_cuts_is_written_down_and_can_be_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let (tasks, programs) = inputs();
    let path = folder.path().join("cut");
    let run = begun(&path, &tasks, &programs);
    let options = EvolveOptions { population: 4_000, ..options() };
    let mut last = 0;
    for milliseconds in [2_000, 5, 20, 30, 60] {
        let budget = SessionLimits { deadline: Some(Instant::now() + Duration::from_millis(milliseconds)), ..SessionLimits::default() };
        let store = Store::open(&path, Access::Write).unwrap();
        let mut session = Session::<NoProbe>::open(store, run, &tasks, &programs, options.clone(), budget).unwrap();
        assert_eq!(session.run(&mut Notes::default(), &|| {}).unwrap(), StopReason::Time);
        last = session.evolution().standing().generations;
    }
    let store = Store::open(&path, Access::Read).unwrap();
    let cuts = store.cuts(run).unwrap();
    let (mut again, _) = Evolution::new(&tasks, &programs, options).unwrap();
    for generation in 1..=last {
        match cuts.get(&generation) {
            Some(&tasks) => again.step_cut(tasks as usize),
            None => again.step(),
        };
    }
    for (place, task) in tasks.iter().enumerate() {
        let kept: Vec<ContentHash> = store.pool(run, &task.id).unwrap().iter().map(|ranked| ranked.program.hash).collect();
        assert_eq!(kept, again.members(place).iter().map(|member| member.hash).collect::<Vec<_>>(), "{}: {cuts:?}", task.id);
    }
}
