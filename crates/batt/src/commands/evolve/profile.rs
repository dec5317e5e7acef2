//! Where the time of an evolution went.

use std::time::Duration;

use batt_gpu::Usage;
use batt_profile::{ByPrimitive, Gpu, Profile, RunFacts, Session, Step, Work};

use super::Times;

/// The profile of a session. Generations are of all threads; loading, writing, and what is left to save when the next generation is made
/// are of one, while the others wait.
pub(super) fn of(seen: &ByPrimitive, times: &Times, run: RunFacts, load: Duration, wall: Duration) -> Profile {
    let mut session = Session::default();
    let steps = times.generations;
    session.alone(Step::BeginEvolution, load);
    let work = [
        Work::Step(Step::MakePrograms, times.steps, steps.breed),
        Work::Step(Step::MakeCards, times.steps, steps.card),
        Work::Programs(seen, steps.batt),
        Work::Step(Step::KeepPrograms, times.steps, steps.keep),
    ];
    session.together(times.together, run.threads as usize, &work);
    session.alone_often(Step::SaveGeneration, times.steps + 1, times.store);
    session.alone_often(Step::WriteSubmission, 1, times.submission);
    session.finish(run, wall)
}

/// What devices did meanwhile. It is no part of the threads' time: while devices work, threads do too.
pub(super) fn gpu(usage: &Usage) -> Gpu {
    Gpu { transfers: usage.transfers, bytes: usage.bytes, transfer_s: usage.transfer.as_secs_f64(), kernel_s: usage.kernel.as_secs_f64() }
}
