//! Where the time of an evolution went.

use std::time::Duration;

use batt_core::Task;
use batt_evolve::{AcceleratorUsage, Evolution, StepTimes, WatchedVisit};
use batt_profile::{ByPrimitive, Gpu, Profile, RunFacts, Session, Step, Visits, Work};

use batt_session::Times;

use super::See;
use crate::watch::Besides;

/// Sees what a session makes.
pub(super) struct Seeing<'b> {
    besides: &'b mut Besides,
    pub(super) seen: TaskProfiles,
    /// What the best program of each task has right.
    pub(super) demos_right: Vec<u64>,
}

impl<'b> Seeing<'b> {
    pub(super) fn new(besides: &'b mut Besides, tasks: usize) -> Self {
        Self { besides, seen: TaskProfiles::new(tasks), demos_right: vec![0; tasks] }
    }
}

impl See<ByPrimitive> for Seeing<'_> {
    fn see(&mut self, evolution: &mut Evolution<ByPrimitive>) {
        self.besides.take_meanwhile(|| self.seen.add(&evolution.take_watched()));
        for (task, right) in self.demos_right.iter_mut().enumerate() {
            *right = evolution.members(task).first().map_or(0, |best| u64::from(best.fitness.demos_right));
        }
    }
}

/// What was seen of all tasks.
pub(super) struct TaskProfiles {
    /// For each task, in their order.
    of_task: Vec<TaskProfile>,
}

struct TaskProfile {
    visits: u64,
    times: StepTimes,
    evaluations: u64,
    probe: ByPrimitive,
}

impl TaskProfiles {
    pub(super) fn new(tasks: usize) -> Self {
        let nothing = || TaskProfile { visits: 0, times: StepTimes::default(), evaluations: 0, probe: ByPrimitive::nothing() };
        Self { of_task: (0..tasks).map(|_| nothing()).collect() }
    }

    /// Adds what was seen of visits.
    pub(super) fn add(&mut self, visits: &[WatchedVisit<ByPrimitive>]) {
        for visit in visits {
            let Some(seen) = self.of_task.get_mut(visit.task) else { continue };
            seen.visits += 1;
            seen.times.add(&visit.times);
            seen.evaluations += visit.evaluations;
            visit.probes.iter().for_each(|probe| seen.probe.join(probe));
        }
    }

    /// Programs run on samples.
    pub(super) fn evaluations(&self) -> u64 {
        self.of_task.iter().map(|seen| seen.evaluations).sum()
    }
}

/// The profile of a session. Generations are of all threads; loading, writing, and what is left to save when the next generation is made
/// are of one, while the others wait. `demos_right` is what the best program of each task has right.
pub(super) fn of(
    seen: &TaskProfiles,
    tasks: &[Task],
    demos_right: &[u64],
    times: &Times,
    run: RunFacts,
    load: Duration,
    wall: Duration,
) -> Profile {
    let mut session = Session::default();
    let steps = times.generations;
    let mut all = ByPrimitive::nothing();
    seen.of_task.iter().for_each(|seen| all.join(&seen.probe));
    session.alone(Step::BeginEvolution, load);
    let work = [
        Work::Step(Step::MakePrograms, times.steps, steps.breed),
        Work::Step(Step::MakeCards, times.steps, steps.card),
        Work::Programs(&all, steps.batt),
        Work::Step(Step::KeepPrograms, times.steps, steps.keep),
    ];
    session.together(times.together, run.threads as usize, &work);
    for ((task, seen), &demos_right) in tasks.iter().zip(&seen.of_task).zip(demos_right) {
        let TaskProfile { visits, times, evaluations, probe } = seen;
        let steps =
            [(Step::MakePrograms, *visits, times.breed), (Step::MakeCards, *visits, times.card), (Step::KeepPrograms, *visits, times.keep)];
        let (evaluations, running) = (*evaluations, times.batt);
        session.visits(&[Visits { task, evaluations, demos_right, seen: probe, running, steps: &steps }]);
    }
    session.alone_often(Step::SaveGeneration, times.steps + 1, times.store);
    session.alone_often(Step::WriteSubmission, 1, times.submission);
    session.finish(run, wall)
}

/// What devices did meanwhile. It is no part of the threads' time: while devices work, threads do too.
pub(super) fn gpu(usage: &AcceleratorUsage) -> Gpu {
    Gpu { transfers: usage.transfers, bytes: usage.bytes, transfer_s: usage.transfer.as_secs_f64(), kernel_s: usage.kernel.as_secs_f64() }
}
