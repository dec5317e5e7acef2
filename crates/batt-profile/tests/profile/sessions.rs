//! Profiles of commands that do more than one run.

use std::time::{Duration, Instant};

use batt_core::{Grid, Value};
use batt_engine::{Inputs, Limits};
use batt_profile::{ByPrimitive, Profile, RunFacts, Sampled, Session, Step, Work};
use batt_search::{Contender, RunOptions, built_in_differs, propose, propose_watched, run_card_watched, run_one_watched};

use crate::support::Starter;

fn adds_up(profile: &Profile) {
    assert!((profile.sum_of_shares() - 1.0).abs() < 1e-9);
    assert!(profile.not_attributed_share >= 0.0 && profile.overhead_s > 0.0);
    let attributed: f64 = profile.rows.iter().map(|row| row.self_s).sum();
    assert!(attributed <= profile.thread_s * (1.0 + 1e-9));
    let in_phases: f64 = profile.phases.iter().map(|phase| phase.time_s).sum();
    assert!((in_phases - attributed).abs() < 1e-6 * profile.thread_s, "phases have the time of the rows");
    let in_stacks: f64 = profile.stacks.iter().map(|stack| stack.self_s).sum();
    assert!((in_stacks - attributed).abs() < 1e-3 * profile.thread_s, "stacks have the time of the rows");
    assert!(profile.rows.is_sorted_by(|a, b| a.self_s >= b.self_s));
}

#[test]
fn one_thread_alone_and_several_together() {
    let ms = Duration::from_millis;
    let mut session = Session::default();
    session.alone(Step::LoadTasks, ms(100));
    session.alone(Step::LoadTasks, ms(50));
    let seen = ByPrimitive::nothing();
    let work = [Work::Step(Step::MakePrograms, 3, ms(120)), Work::Programs(&seen, ms(0)), Work::Step(Step::KeepPrograms, 3, ms(60))];
    session.together(ms(100), 2, &work);
    let profile = session.finish(RunFacts::default(), ms(300));
    adds_up(&profile);
    let row = |name: &str| profile.row(name).unwrap();
    assert_eq!((row("load tasks").calls, row("make programs").calls), (2, 3));
    assert!((row("load tasks").self_s - 0.150).abs() < 1e-12 && (row("make programs").self_s - 0.120).abs() < 1e-12);
    assert_eq!((profile.run.threads, profile.share_of.as_str()), (2, "thread time"));
    // 300 ms in all, of which 200 were one thread's; in the other 100, two threads worked 180 ms and waited for 20.
    assert!((profile.thread_s + profile.overhead_s - 0.380).abs() < 1e-9, "{}", profile.thread_s);
    assert!((profile.idle_s - 0.020).abs() < 1e-9);
    assert!((profile.not_attributed_share - (0.050 - profile.overhead_s) / profile.thread_s).abs() < 1e-9);
}

#[test]
fn what_one_thread_takes_beyond_its_work_is_handing_out() {
    let ms = Duration::from_millis;
    let mut session = Session::default();
    session.together(ms(100), 1, &[Work::Step(Step::TracePrograms, 8, ms(90))]);
    let profile = session.finish(RunFacts::default(), ms(100));
    assert_eq!(profile.share_of, "wall time");
    assert!((profile.row("hand out tasks").unwrap().self_s - 0.010).abs() < 1e-12);
    adds_up(&profile);
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
        evaluations += session.run(watched, &starter.card).evaluations;
    }
    let profile = session.finish(RunFacts::default(), started.elapsed());
    adds_up(&profile);
    assert!(profile.sampling.runs >= evaluations && profile.sampling.timed > 1 && profile.sampling.scale >= 1.0);
    assert_eq!(profile.row("evaluate constants").unwrap().calls, 2);
    assert!(profile.row("walk the differs").is_some() && profile.rows.iter().any(|row| row.fuel > 0));
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
        let reports = session.proposals(propose_watched::<Sampled>(&starter.tasks, &contenders, &options).unwrap());
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
    }
}

#[test]
fn one_program_on_one_sample() {
    let program = batt_program::parse_expression("merge(objects(I, T, F, T))").unwrap();
    let (input, demos) = (Value::Grid(Grid::from_rows(&[&[0, 1], &[2, 0]]).unwrap()), Value::empty_tuple());
    let inputs = Inputs { input: &input, demos: &demos, candidate: None };
    let mut session = Session::default();
    let started = Instant::now();
    let evaluation = session.one(run_one_watched::<Sampled>(&program, inputs, Limits::default()));
    let profile = session.finish(RunFacts::default(), started.elapsed());
    adds_up(&profile);
    assert!(evaluation.outcome.value().is_some());
    assert_eq!((profile.sampling.runs, profile.sampling.timed), (1, 1));
    assert_eq!((profile.row("objects").unwrap().calls, profile.row("merge").unwrap().calls), (1, 1));
}
