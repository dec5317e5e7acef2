//! Profiles of commands that do more than one run.

use std::time::{Duration, Instant};

use batt_core::{Grid, Value};
use batt_engine::{Inputs, Limits, OnUndefined};
use batt_profile::{ByPrimitive, One, Profile, RunFacts, Sampled, Session, Stage, Took, Visits, Work};
use batt_run::{Contender, RunOptions, built_in_differs, propose, propose_watched, run_card_watched, run_one_watched};

use crate::support::{Starter, share_of};

fn adds_up(profile: &Profile) {
    crate::support::adds_up(profile);
    assert!(profile.overhead_s > 0.0);
}

#[test]
fn one_thread_alone_and_several_together() {
    let ms = Duration::from_millis;
    let mut session = Session::default();
    session.alone(Stage::LoadTasks, ms(100));
    session.alone(Stage::LoadTasks, ms(50));
    let seen = ByPrimitive::nothing();
    let work = [Work::Stage(Stage::MakePrograms, 3, ms(120)), Work::Programs(&seen, ms(0)), Work::Stage(Stage::KeepPrograms, 3, ms(60))];
    session.together(ms(100), 2, &work);
    let profile = session.finish(RunFacts::default(), ms(300));
    adds_up(&profile);
    let row = |name: &str| profile.row(name).unwrap();
    assert_eq!((row("load tasks").calls, row("make programs").calls), (2, 3));
    assert!((row("load tasks").self_s - 0.150).abs() < 1e-12 && (row("make programs").self_s - 0.120).abs() < 1e-12);
    assert_eq!((profile.run.threads, profile.share_of.as_str()), (2, share_of("thread time")));
    // 300 ms in all, of which 200 were one thread's; in the other 100, two threads worked 180 ms and waited for 20.
    assert!((profile.thread_s + profile.overhead_s - 0.380).abs() < 1e-9, "{}", profile.thread_s);
    assert!((profile.idle_s - 0.020).abs() < 1e-9);
    assert!((profile.not_attributed_share - (0.050 - profile.overhead_s) / profile.thread_s).abs() < 1e-9);
}

#[test]
fn what_one_thread_takes_beyond_its_work_is_handing_out() {
    let ms = Duration::from_millis;
    let mut session = Session::default();
    session.together(ms(100), 1, &[Work::Stage(Stage::TracePrograms, 8, ms(90))]);
    let profile = session.finish(RunFacts::default(), ms(100));
    assert_eq!(profile.share_of, share_of("wall time"));
    assert!((profile.row("hand out tasks").unwrap().self_s - 0.010).abs() < 1e-12);
    adds_up(&profile);
}

#[test]
fn time_without_a_processor_is_in_no_row() {
    let ms = Duration::from_millis;
    let mut session = Session::default();
    session.alone(Stage::LoadTasks, Took { time: ms(20), lost: ms(30) });
    session.alone(Stage::ParsePrograms, ms(10));
    let profile = session.finish(RunFacts::default(), ms(61));
    adds_up(&profile);
    assert!((profile.row("load tasks").unwrap().self_s - 0.020).abs() < 1e-12);
    assert!((profile.lost_s - 0.030).abs() < 1e-12);
    assert!((profile.thread_s + profile.overhead_s - 0.031).abs() < 1e-9, "{}", profile.thread_s);
    assert!((profile.undisturbed_s + profile.overhead_s - 0.031).abs() < 1e-9, "{}", profile.undisturbed_s);
    assert!((profile.wall_s - 0.061).abs() < 1e-12);
}

#[test]
fn several_runs_of_several_cards_are_one_profile() {
    let starter = Starter::new();
    let mut session = Session::default();
    let started = Instant::now();
    let mut evaluations = 0;
    for differs in [Vec::new(), built_in_differs()] {
        let options = RunOptions { threads: 1, differs, ..RunOptions::default() };
        let watched = run_card_watched::<Sampled>(&starter.tasks, &starter.card, &options, Duration::ZERO, &|_| ()).unwrap();
        evaluations += session.run(watched, &starter.tasks, &starter.card).evaluations;
    }
    let profile = session.finish(RunFacts::default(), started.elapsed());
    adds_up(&profile);
    assert!(profile.sampling.runs >= evaluations && profile.sampling.timed > 1 && profile.sampling.scale >= 1.0);
    assert_eq!(profile.row("evaluate constants").unwrap().calls, 2);
    assert!(profile.row("walk the differs").is_some() && profile.rows.iter().any(|row| row.fuel > 0));
    // The same tasks and programs, twice; and two cards.
    singles_add_up(&profile);
    assert_eq!((profile.tasks.len(), profile.programs.len()), (48, 48));
    assert!(profile.tasks.iter().all(|task| task.fits && task.demos_right == task.demos && task.time_s > 0.0));
    assert_eq!(profile.tasks.iter().map(|task| task.evaluations).sum::<u64>(), evaluations);
    assert!([0, 1].iter().all(|card| profile.nodes.iter().any(|node| node.card == *card)));
}

/// The times of tasks, programs and nodes sum to the whole.
fn singles_add_up(profile: &Profile) {
    let phase = |name: &str| profile.phases.iter().find(|phase| phase.name == name).map_or(0.0, |phase| phase.time_s);
    let running: f64 = ["execute", "score", "dedupe", "differs"].map(phase).iter().sum();
    let of_programs: f64 = profile.programs.iter().map(|program| program.time_s).sum();
    let of_nodes: f64 = profile.nodes.iter().map(|node| node.time_s).sum();
    assert!(of_programs > 0.0 && of_programs <= running * 1.2, "{of_programs} of {running}");
    assert!(of_nodes > 0.0 && of_nodes <= of_programs * (1.0 + 1e-9), "{of_nodes} of {of_programs}");
    assert_eq!(profile.programs.iter().map(|program| program.runs).sum::<u64>(), profile.sampling.runs);
    assert!(profile.nodes.is_sorted_by(|a, b| a.time_s >= b.time_s) && profile.nodes.iter().all(|node| node.calls > 0));
    for task in &profile.tasks {
        assert!(task.rows.is_sorted_by(|a, b| a.0 < b.0), "{}: a row is there once", task.id);
        assert!(task.rows.iter().all(|&(place, ..)| profile.rows[place as usize].tasks > 0));
    }
}

#[test]
fn proposals_on_cards_of_their_own_add_up_and_are_the_same() {
    let starter = Starter::new();
    let programs = batt_program::parse_file(batt_starter::LIBRARY).programs;
    let of_task = |k: usize| programs.iter().skip(k % 5).step_by(5).map(|program| Contender::found(program.clone(), 0)).collect();
    let contenders: Vec<Vec<Contender>> = (0..starter.tasks.len()).map(of_task).collect();
    for threads in [1, 2] {
        let options = RunOptions { threads, differs: built_in_differs(), keep: 2, ..RunOptions::default() };
        let mut session = Session::default();
        let started = Instant::now();
        let names: Vec<Vec<String>> =
            contenders.iter().map(|programs| programs.iter().map(|contender| contender.program.name().to_owned()).collect()).collect();
        let watched = propose_watched::<Sampled>(&starter.tasks, &contenders, &options).unwrap();
        let reports = session.proposals(watched, &starter.tasks, &names);
        let profile = session.finish(RunFacts::default(), started.elapsed());
        adds_up(&profile);
        let plain = propose(&starter.tasks, &contenders, &options).unwrap();
        for (watched, plain) in reports.iter().zip(&plain) {
            assert_eq!(format!("{:?}", watched.proposals), format!("{:?}", plain.proposals), "{}", plain.id);
        }
        assert_eq!(profile.row("make cards").unwrap().calls, 48);
        let evaluations: u64 = plain.iter().map(|task| task.evaluations).sum();
        assert!(profile.sampling.runs >= evaluations);
        // How often runs are timed goes on from card to card, so that not each of them begins with one.
        assert!(profile.sampling.timed > 0 && profile.sampling.timed < profile.sampling.runs);
        let calls: u64 = profile.rows.iter().filter(|row| row.fuel > 0).map(|row| row.calls).sum();
        assert!(calls > evaluations, "calls of nodes are counted, not estimated");
        singles_add_up(&profile);
        assert_eq!((profile.tasks.len(), profile.programs.len()), (48, 48));
        for (task, plain) in profile.tasks.iter().zip(&plain) {
            assert_eq!((&task.id, task.evaluations, task.fuel), (&plain.id, plain.evaluations, plain.fuel));
            assert!(task.time_s > 0.0, "{}", task.id);
        }
    }
}

#[test]
fn one_program_on_one_sample() {
    let program = batt_program::parse_expression("merge(objects(I, T, F, T))").unwrap();
    let (input, demos) = (Value::Grid(Grid::from_rows(&[&[0, 1], &[2, 0]]).unwrap()), Value::empty_tuple());
    let inputs = Inputs { input: &input, demos: &demos, candidate: None };
    let mut session = Session::default();
    let started = Instant::now();
    let starter = Starter::new();
    let of = One { name: "mine", of: Some((&starter.tasks[0], 1)) };
    let evaluation = session.one(run_one_watched::<Sampled>(&program, inputs, Limits::default(), OnUndefined::Propagate), of);
    let profile = session.finish(RunFacts::default(), started.elapsed());
    adds_up(&profile);
    assert!(evaluation.outcome.value().is_some());
    assert_eq!((profile.sampling.runs, profile.sampling.timed), (1, 1));
    assert_eq!((profile.row("objects").unwrap().calls, profile.row("merge").unwrap().calls), (1, 1));
    let [task] = &profile.tasks[..] else { unreachable!("one task") };
    assert_eq!((&task.id, task.samples, task.demos, task.evaluations), (&starter.tasks[0].id, 1, 1, 1));
    assert_eq!((task.fuel, task.cells), (evaluation.fuel, starter.tasks[0].demos[1].input.area() as u64));
    assert_eq!((profile.programs[0].name.as_str(), profile.programs[0].runs), ("mine", 1));
    let mut nodes: Vec<&str> = profile.nodes.iter().map(|node| node.name.as_str()).collect();
    nodes.sort_unstable();
    assert_eq!(nodes, ["merge", "objects"]);
}

#[test]
fn what_is_done_for_single_tasks_is_theirs() {
    let (starter, ms) = (Starter::new(), Duration::from_millis);
    let [first, second] = [&starter.tasks[0], &starter.tasks[1]];
    let mut session = Session::default();
    session.together(ms(30), 1, &[Work::Stage(Stage::TracePrograms, 2, ms(30))]);
    session.for_tasks(Stage::TracePrograms, &[(first, ms(10)), (second, ms(20))]);
    let seen = ByPrimitive::nothing();
    session.together(ms(7), 1, &[Work::Stage(Stage::MakePrograms, 3, ms(7))]);
    let steps = [(Stage::MakePrograms, 3, ms(7))];
    let visits =
        Visits { task: second, evaluations: 9, demos_right: second.demos.len() as u64, seen: &seen, running: ms(0), steps: &steps };
    session.visits(&[visits]);
    let profile = session.finish(RunFacts::default(), ms(40));
    adds_up(&profile);
    let place = |name: &str| profile.rows.iter().position(|row| row.name == name).unwrap() as u32;
    let [a, b] = &profile.tasks[..] else { unreachable!("two tasks") };
    assert_eq!(a.rows, [(place("trace programs"), 1, 0.010)]);
    assert_eq!(b.rows, [(place("trace programs"), 1, 0.020), (place("make programs"), 3, 0.007)]);
    assert!((b.time_s - 0.027).abs() < 1e-12 && b.fits && !a.fits && b.evaluations == 9);
    assert_eq!(profile.row("trace programs").unwrap().tasks, 2);
}
