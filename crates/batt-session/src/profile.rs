//! Where the time of an evolution went.

use std::time::Duration;

use batt_core::Task;
use batt_evolve::{Evolution, StepTimes};
use batt_profile::{ByPrimitive, Gpu, Profile, RunFacts, Session as Steps, Stage, Visits, Work};

use crate::Session;

/// Observations of an evolution.
pub struct EvolutionProfile {
    /// For each task, in their order.
    of_task: Vec<TaskProfile>,
}

struct TaskProfile {
    visits: u64,
    times: StepTimes,
    evaluations: u64,
    /// Demos that the best program has right.
    demos_right: u64,
    probe: ByPrimitive,
}

impl EvolutionProfile {
    /// Of so many tasks.
    pub fn new(tasks: usize) -> Self {
        let nothing =
            || TaskProfile { visits: 0, times: StepTimes::default(), evaluations: 0, demos_right: 0, probe: ByPrimitive::nothing() };
        Self { of_task: (0..tasks).map(|_| nothing()).collect() }
    }

    /// Adds what was seen of the evolution since the last time.
    pub fn add(&mut self, evolution: &mut Evolution<ByPrimitive>) {
        for visit in evolution.take_watched() {
            let Some(seen) = self.of_task.get_mut(visit.task) else { continue };
            seen.visits += 1;
            seen.times.add(&visit.times);
            seen.evaluations += visit.evaluations;
            visit.probes.iter().for_each(|probe| seen.probe.join(probe));
        }
        for (task, seen) in self.of_task.iter_mut().enumerate() {
            seen.demos_right = evolution.members(task).first().map_or(0, |best| u64::from(best.fitness.demos_right));
        }
    }

    /// The profile of a session that is over. Generations are of all threads; loading, writing, and what is left to save when the next
    /// generation is made are of one, while the others wait.
    pub fn finish(&self, session: &Session<'_, ByPrimitive>, tasks: &[Task], run: RunFacts, load: Duration, wall: Duration) -> Profile {
        let (mut parts, times) = (Steps::default(), session.times());
        let steps = times.generations;
        let run = RunFacts { evaluations: self.of_task.iter().map(|seen| seen.evaluations).sum(), ..run };
        let mut all = ByPrimitive::nothing();
        self.of_task.iter().for_each(|seen| all.join(&seen.probe));
        parts.alone(Stage::BeginEvolution, load);
        let work = [
            Work::Stage(Stage::MakePrograms, times.steps, steps.breed),
            Work::Stage(Stage::MakeCards, times.steps, steps.card),
            Work::Programs(&all, steps.batt),
            Work::Stage(Stage::KeepPrograms, times.steps, steps.keep),
        ];
        parts.together(times.together, run.threads as usize, &work);
        for (task, seen) in tasks.iter().zip(&self.of_task) {
            let TaskProfile { visits, times, evaluations, demos_right, probe } = seen;
            let steps = [
                (Stage::MakePrograms, *visits, times.breed),
                (Stage::MakeCards, *visits, times.card),
                (Stage::KeepPrograms, *visits, times.keep),
            ];
            let (evaluations, demos_right, running) = (*evaluations, *demos_right, times.batt);
            parts.visits(&[Visits { task, evaluations, demos_right, seen: probe, running, steps: &steps }]);
        }
        parts.alone_often(Stage::SaveGeneration, times.steps + 1, times.store);
        parts.alone_often(Stage::WriteSubmission, 1, times.submission);
        let mut profile = parts.finish(run, wall);
        // What devices did meanwhile is no part of the threads' time: while devices work, threads do too.
        if let Some(report) = session.evolution().accelerator_report() {
            let usage = &report.usage;
            let (transfer_s, kernel_s) = (usage.transfer.as_secs_f64(), usage.kernel.as_secs_f64());
            profile.gpu = Gpu { transfers: usage.transfers, bytes: usage.bytes, transfer_s, kernel_s };
        }
        profile
    }
}
