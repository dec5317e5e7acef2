//! Where the time of an evolution went.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use batt_profile::{ByPrimitive, Gpu, Mode, Phase, Profile, RunFacts, SCHEMA, Sampling, framework_row};

use super::Times;
use crate::args::EvolveArgs;
use crate::commands::profile::{lines_about, write_profile};
use crate::output::Output;

/// How often the clock is read to find out what that costs.
const READS: u32 = 10_000;

/// The profile of a session. Generations are of all threads; loading, saving and writing are of one, while the others wait.
pub(super) fn of(seen: &ByPrimitive, times: &Times, mut run: RunFacts, load: Duration, wall: Duration) -> Profile {
    let (runs, timed) = seen.runs();
    run.evaluations = runs;
    let steps = times.generations;
    let clock = clock_cost();
    let overhead = clock * seen.clock_reads() as f64;
    let running = steps.batt.as_secs_f64() - overhead;
    let mut rows = seen.rows(Duration::from_secs_f64(running.max(0.0)));
    let mut phases = Vec::new();
    let parts = [
        ("load and begin", 1, load, "once"),
        ("make programs", times.steps, steps.breed, "programs"),
        ("make cards", times.steps, steps.card, "programs"),
        ("keep and verify", times.steps, steps.keep, "programs"),
        ("save to the store", times.steps + 1, times.store, "programs"),
        ("write the submission", 1, times.submission, "tasks"),
    ];
    for (name, calls, time, grows_with) in parts {
        rows.push(framework_row(name, calls, time.as_secs_f64()));
        phases.push(phase(name, time.as_secs_f64(), grows_with));
    }
    phases.insert(3, phase("run programs", running, "samples"));
    let attributed: f64 = rows.iter().map(|row| row.self_s).sum();
    let threads = run.threads.max(1) as f64;
    // While one thread loads, saves, writes or does anything else between generations, the others wait.
    let alone = load + times.store + times.submission;
    let between = wall.saturating_sub(alone + times.together).as_secs_f64();
    let in_steps = (steps.breed + steps.card + steps.batt + steps.keep).as_secs_f64();
    let waiting = (times.together.as_secs_f64() * threads - in_steps).max(0.0);
    let mut profile = Profile {
        schema: SCHEMA.to_owned(),
        mode: Mode::Sampled,
        share_of: if run.threads > 1 { "thread time" } else { "wall time" }.to_owned(),
        run,
        wall_s: wall.as_secs_f64(),
        thread_s: attributed + between,
        idle_s: waiting + (alone.as_secs_f64() + between) * (threads - 1.0),
        overhead_s: overhead,
        overhead_share: 0.0,
        not_attributed_share: 0.0,
        sampling: Sampling { runs, timed, scale: if timed == 0 { 0.0 } else { runs as f64 / timed as f64 }, span_ns: clock * 2e9 },
        gpu: Gpu::default(),
        rows,
        phases,
        classes: Vec::new(),
        tasks: Vec::new(),
        programs: Vec::new(),
        nodes: Vec::new(),
        stacks: Vec::new(),
        repeats: Vec::new(),
        views: BTreeMap::new(),
    };
    profile.settle();
    profile.rows.sort_by(|a, b| b.self_s.total_cmp(&a.self_s));
    profile
}

/// Says it, and writes it where it was asked for.
pub(super) fn tell(args: &EvolveArgs, profile: &Profile, out: &mut Output) -> anyhow::Result<()> {
    let to_stdout = args.json.as_deref() == Some(Path::new("-"));
    for line in lines_about(profile) {
        if to_stdout { out.note(line) } else { writeln!(out, "{line}")? }
    }
    if let Some(Some(path)) = &args.profile {
        write_profile(path, profile)?;
    }
    Ok(())
}

fn phase(name: &str, time_s: f64, grows_with: &str) -> Phase {
    Phase { name: name.to_owned(), time_s, grows_with: grows_with.to_owned(), ..Phase::default() }
}

/// What reading the clock costs, in seconds.
fn clock_cost() -> f64 {
    let started = Instant::now();
    for _ in 0..READS {
        std::hint::black_box(Instant::now());
    }
    started.elapsed().as_secs_f64() / f64::from(READS)
}
