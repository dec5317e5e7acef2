//! Profiles of real runs.

use batt_engine::OnUndefined;
use batt_profile::{Exact, Gather, Mode, NodeRow, Profile, Sampled, TaskRow};
use batt_run::{RunOptions, RunReport, built_in_differs};

use crate::support::{Starter, adds_up, share_of};

fn options(threads: usize, scored: bool) -> RunOptions {
    let differs = if scored { built_in_differs() } else { Vec::new() };
    RunOptions { threads, differs, on_undefined: OnUndefined::Propagate, ..RunOptions::default() }
}

fn found(report: &RunReport) -> String {
    let task = |task: &batt_run::TaskReport| {
        let fitting: Vec<u32> = task.fitting.iter().map(|candidate| candidate.program).collect();
        format!(
            "{} {fitting:?} {:?} {:?} {} {} {} {}\n",
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
    assert_eq!((profile.run.fits, profile.run.solved), (48, Some(48)));
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
    assert_eq!((profile.mode, profile.share_of.as_str()), (Mode::Exact, share_of("wall time")));
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
        assert_eq!(profile.share_of, share_of("thread time"));
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
    assert_eq!(counts(&exact.nodes), counts(&sampled.nodes), "where all runs are timed, nothing is estimated");
    assert_eq!(sampled.profile.sampling.counted, sampled.profile.sampling.runs);
    assert!(exact.nodes.iter().any(|node| node.calls > 0 && node.fuel > 0 && node.bytes > 0));
}

#[test]
fn a_sampled_profile_counts_every_call_and_estimates_the_rest() {
    let starter = Starter::new();
    for scored in [false, true] {
        let options = options(1, scored);
        let exact = starter.taken::<Exact>(&options).0;
        // As in a command, where few runs are timed; and one in seven, whatever the machine.
        let (afforded, seventh) = (starter.taken::<Sampled>(&options).0, starter.taken::<Sampled<7>>(&options).0);
        for sampled in [&afforded, &seventh] {
            adds_up(&sampled.profile);
            let calls = |nodes: &[NodeRow]| nodes.iter().map(|node| (node.node, node.calls)).filter(|node| node.1 > 0).collect::<Vec<_>>();
            assert_eq!(calls(&exact.nodes), calls(&sampled.nodes), "no call is estimated");
            let of_classes = |profile: &Profile| profile.classes.iter().map(|class| (class.name.clone(), class.calls)).collect::<Vec<_>>();
            assert_eq!(of_classes(&exact.profile), of_classes(&sampled.profile), "those of differs neither");
            assert_eq!(sampled.profile.sampling.counted, sampled.profile.sampling.runs);
        }
        let timed = seventh.profile.sampling;
        assert!(timed.timed == timed.runs.div_ceil(7), "{timed:?}");
        let [seen, all] = [&seventh, &exact].map(|taken| sums(&taken.nodes));
        // Which runs are timed follows from the input alone, so this is no matter of luck. Few calls are undefined: 33 without differs.
        for ((name, within), (seen, all)) in [("fuel", 0.0), ("undefined", 15.0), ("bytes", 0.0)].into_iter().zip(seen.into_iter().zip(all))
        {
            assert!((seen - all).abs() < 0.1 * all + within, "{name}: {seen} of {all}");
        }
        let [seen, all] = [&seventh, &exact].map(|taken| calls_of_tasks(&taken.profile));
        assert!((seen / all - 1.0).abs() < 0.05, "the calls of tasks are those of the rows: {seen} of {all}");
    }
}

/// Fuel, undefined calls and bytes of all nodes.
fn sums(nodes: &[NodeRow]) -> [f64; 3] {
    let sum = |of: fn(&NodeRow) -> u64| nodes.iter().map(of).sum::<u64>() as f64;
    [sum(|node| node.fuel), sum(|node| node.undefined), sum(|node| node.bytes)]
}

/// Calls of primitives that no primitive makes, over all tasks, by the share of a row's calls that tasks have.
fn calls_of_tasks(profile: &Profile) -> f64 {
    let of_rows: u64 = profile.rows.iter().filter(|row| row.fuel > 0).map(|row| row.calls).sum();
    let is_call = |place: &u32| profile.rows[*place as usize].fuel > 0;
    let of_tasks: u64 = profile.tasks.iter().flat_map(|task| &task.rows).filter(|(place, ..)| is_call(place)).map(|row| row.1).sum();
    of_tasks as f64 / of_rows as f64
}

/// Counts of each called node.
fn counts(nodes: &[NodeRow]) -> Vec<[u64; 5]> {
    let called = nodes.iter().filter(|node| node.calls > 0);
    called.map(|node| [u64::from(node.node), node.calls, node.fuel, node.undefined, node.bytes]).collect()
}
