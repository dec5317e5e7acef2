//! Profiles of real runs.

use batt_engine::OnUndefined;
use batt_profile::{Exact, Gather, Mode, NodeRow, Profile, Sampled, TaskRow};
use batt_search::{RunOptions, RunReport, built_in_differs};

use crate::support::Starter;

fn options(threads: usize, scored: bool) -> RunOptions {
    let differs = if scored { built_in_differs() } else { Vec::new() };
    RunOptions { threads, differs, on_undefined: OnUndefined::Spread, ..RunOptions::default() }
}

fn adds_up(profile: &Profile) {
    assert!((profile.sum_of_shares() - 1.0).abs() < 1e-9);
    assert!(profile.not_attributed_share >= 0.0);
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
}

fn found(report: &RunReport) -> String {
    let task = |task: &batt_search::TaskReport| {
        let selected: Vec<u32> = task.selected.iter().map(|candidate| candidate.program).collect();
        format!(
            "{} {selected:?} {:?} {:?} {} {} {} {}\n",
            task.id, task.solved_by, task.best, task.evaluations, task.undefined, task.fuel, task.distinct
        )
    };
    report.tasks.iter().map(task).collect()
}

fn check<P: Gather>(threads: usize, scored: bool) -> Profile {
    let starter = Starter::new();
    let options = options(threads, scored);
    let (taken, report) = starter.taken::<P>(&options);
    assert_eq!(found(&report), found(&starter.plain(&options)), "watching changes nothing");
    let profile = taken.profile;
    adds_up(&profile);
    assert_eq!(profile.run.evaluations, report.evaluations);
    assert_eq!(profile.run.solved, 48);
    assert_eq!(profile.tasks.len(), 48);
    let has_samples = |task: &TaskRow| task.sample_s.len() == task.samples as usize;
    let may_have_none = |task: &TaskRow| P::MODE == Mode::Sampled && task.sample_s.is_empty();
    assert!(profile.tasks.iter().all(|task| task.time_s > 0.0 && (has_samples(task) || may_have_none(task))));
    assert!(profile.tasks.iter().any(has_samples));
    let sampling = profile.sampling;
    assert!(sampling.timed > 0 && sampling.timed <= sampling.counted && sampling.counted <= sampling.runs, "{sampling:?}");
    let (runs, calls): (u64, u64) =
        (profile.programs.iter().map(|program| program.runs).sum(), profile.rows.iter().map(|row| row.calls).sum());
    assert!(runs >= report.evaluations && calls > runs);
    profile
}

#[test]
fn an_exact_profile_adds_up() {
    let profile = check::<Exact>(1, false);
    assert_eq!((profile.mode, profile.share_of.as_str()), (Mode::Exact, "wall time"));
    let apply = profile.row("apply").unwrap();
    assert!(apply.total_s > apply.self_s, "it calls functions");
    assert!(profile.stacks.iter().any(|stack| stack.frames.len() > 3), "what primitives call is told apart");
    assert!(profile.stacks.iter().all(|stack| stack.frames.first().is_some_and(|frame| frame != "differs")));
}

#[test]
fn a_sampled_profile_adds_up() {
    let profile = check::<Sampled>(1, false);
    assert_eq!(profile.mode, Mode::Sampled);
    assert!(profile.sampling.timed > 0 && profile.sampling.timed <= profile.sampling.runs);
    assert!(profile.sampling.scale >= 1.0);
}

#[test]
fn several_threads_and_differs_add_up() {
    for profile in [check::<Exact>(2, true), check::<Sampled>(2, true)] {
        assert_eq!(profile.share_of, "thread time");
        let phase = |name: &str| profile.phases.iter().find(|phase| phase.name == name).unwrap().time_s;
        assert!(phase("differs") > 0.0 && phase("dedupe") > 0.0 && phase("score") > 0.0);
        assert!(profile.classes.iter().any(|class| class.name == "candidate"));
    }
}

#[test]
fn both_modes_count_the_same_calls_of_nodes() {
    let starter = Starter::new();
    let options = options(1, false);
    let (exact, sampled) = (starter.taken::<Exact>(&options).0, starter.taken::<Sampled<1>>(&options).0);
    assert_eq!(counts(&exact.nodes), counts(&sampled.nodes), "where all runs are counted, nothing is estimated");
    assert_eq!(sampled.profile.sampling.counted, sampled.profile.sampling.runs);
    assert!(exact.nodes.iter().any(|node| node.calls > 0 && node.fuel > 0 && node.bytes > 0));
}

#[test]
fn one_run_in_four_stands_for_all() {
    let starter = Starter::new();
    let options = options(1, true);
    let exact = starter.taken::<Exact>(&options).0;
    let [sampled, again] = [0, 1].map(|_| starter.taken::<Sampled<3>>(&options).0);
    adds_up(&sampled.profile);
    assert_eq!(counts(&sampled.nodes), counts(&again.nodes), "what is counted follows from tasks and programs alone");
    let counted = sampled.profile.sampling;
    assert!(counted.counted * 5 > counted.runs && counted.counted * 3 < counted.runs, "{counted:?}");
    // The choice is always the same, so this is no matter of luck.
    let calls = |nodes: &[NodeRow]| nodes.iter().map(|node| node.calls).sum::<u64>() as f64;
    let off = calls(&sampled.nodes) / calls(&exact.nodes) - 1.0;
    assert!(off.abs() < 0.1, "{off}");
}

/// What was counted of each node that was called.
fn counts(nodes: &[NodeRow]) -> Vec<[u64; 5]> {
    let called = nodes.iter().filter(|node| node.calls > 0);
    called.map(|node| [u64::from(node.node), node.calls, node.fuel, node.undefined, node.bytes]).collect()
}
