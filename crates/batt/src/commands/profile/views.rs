//! The views that run something.

use std::time::Instant;

use batt_core::Task;
use batt_engine::Card;
use batt_profile::views::{self, Chance, Check, Draw, Projection, WarmUp, affordable, guess_of, lines_of_card, lines_of_program};
use batt_profile::{Mode, Profile, Recording, Sheet};
use batt_program::print_program;
use batt_run::{Pairing, RunOptions, run_card};
use batt_session::{Library, LoadedProgram, Programs};

use super::show::{Show, read_gpu_bench};
use super::take::{Ready, Tasks};
use crate::args::{BatchProfileArgs, FrameworkProfileArgs, LinesProfileArgs, PipelineProfileArgs, SubjectArgs, TaskProfileArgs};
use crate::commands::Status;
use crate::output::Output;

/// Number of tasks that is projected to by default, besides all tasks of the source.
const PROJECTED: u64 = 400;
/// The least number of tasks that a projection is from by default. So many light tasks take little longer than ten heavy ones, with half
/// the error.
const PROJECTED_FROM: usize = 30;

/// Programs on one task.
pub(super) fn task(args: &TaskProfileArgs, out: &mut Output) -> anyhow::Result<Status> {
    let show = Show::of_run("task", &args.take)?;
    let bench = read_gpu_bench(&args.take.output)?;
    let ready = Ready::new(&args.take.subject, Tasks::Named, out)?;
    let taken = ready.take(&args.take.subject, Mode::Exact)?;
    let sheets = views::primitives(&taken.profile, bench.as_ref());
    show.all(&taken.profile, Some(&taken.timeline), &sheets, out)?;
    Ok(Status::good_if(ready.complete))
}

/// Programs on many tasks.
pub(super) fn batch(args: &BatchProfileArgs, out: &mut Output) -> anyhow::Result<Status> {
    let show = Show::of_run("batch", &args.take)?.with_json(args.output_file.as_ref());
    let bench = read_gpu_bench(&args.take.output)?;
    let ready = Ready::new(&args.take.subject, Tasks::Any, out)?;
    let taken = ready.take(&args.take.subject, Mode::Sampled)?;
    let mut sheets = views::primitives(&taken.profile, bench.as_ref());
    sheets.extend(views::batch(&taken.profile));
    show.all(&taken.profile, Some(&taken.timeline), &sheets, out)?;
    Ok(Status::good_if(ready.complete))
}

/// The framework by category.
pub(super) fn framework(args: &FrameworkProfileArgs, out: &mut Output) -> anyhow::Result<Status> {
    let show = Show::of_run("framework", &args.take)?;
    let ready = Ready::new(&args.take.subject, Tasks::Any, out)?;
    let mut taken = ready.take(&args.take.subject, Mode::Exact)?;
    let sheets = views::framework(&mut taken.profile, args.top);
    show.all(&taken.profile, Some(&taken.timeline), &sheets, out)?;
    Ok(Status::good_if(ready.complete))
}

/// The phases, and what more tasks would take.
pub(super) fn pipeline(args: &PipelineProfileArgs, out: &mut Output) -> anyhow::Result<Status> {
    let show = Show::of_run("pipeline", &args.take)?;
    let ready = Ready::new(&args.take.subject, Tasks::SampledTask, out)?;
    let guesses = guesses_of(&ready, &args.take.subject)?;
    let tasks_of = |draw: &Draw| -> Vec<Task> { draw.tasks.iter().map(|drawn| ready.tasks[drawn.place].clone()).collect() };
    let draw = if let Some(number) = ready.number {
        Draw::new(&guesses, number, Chance::Guess)
    } else {
        let chance = if args.take.subject.pairing.pairing() == Pairing::All { Chance::Root } else { Chance::Guess };
        let few = Draw::new(&guesses, PROJECTED_FROM, chance);
        let took = ready.take_once(&args.take.subject, Mode::Sampled, &tasks_of(&few))?;
        let took_s = took.profile.tasks.iter().map(|task| task.time_s).sum();
        Draw::new(&guesses, affordable(few.tasks.len(), took_s, guesses.len()), chance)
    };
    let chosen = tasks_of(&draw);
    let warm_up = warm_up(&ready, &args.take.subject, &chosen)?;
    let profiler = ready.profiler(&args.take.subject, Mode::Sampled, &ready.library);
    let (mut of_draw, mut of_all, started) = (Vec::new(), Vec::new(), Instant::now());
    // In turn, so that both see the same machine.
    while !profiler.has_enough(&of_draw, started) {
        of_draw.push(ready.take_once(&args.take.subject, Mode::Sampled, &chosen)?);
        if args.check {
            of_all.push(ready.take_once(&args.take.subject, Mode::Sampled, &ready.tasks)?.profile);
        }
    }
    let all = ready.tasks.len() as u64;
    let mut targets = vec![all];
    targets.extend(if args.project.is_empty() { &[PROJECTED][..] } else { &args.project });
    targets.dedup();
    let runs: Vec<Profile> = of_draw.iter().map(|taken| taken.profile.clone()).collect();
    let projections: Vec<Projection> = targets.iter().map(|&tasks| Projection::new(&runs, &draw, tasks)).collect();
    let check = projections.first().filter(|_| args.check).map(|projection| Check::new(projection, &draw, &of_all));
    let mut taken = Recording::of_runs(of_draw).ok_or_else(|| anyhow::anyhow!("nothing was run"))?;
    let sheets = views::pipeline(&mut taken.profile, ready.loaded as u64, Some(warm_up), &projections, check.as_ref());
    show.all(&taken.profile, Some(&taken.timeline), &sheets, out)?;
    Ok(Status::good_if(ready.complete))
}

/// Guesses at what tasks cost: by their cells; or, where each has programs of its own, by what these take on the first demo.
fn guesses_of(ready: &Ready, args: &SubjectArgs) -> anyhow::Result<Vec<u64>> {
    if args.pairing.pairing() == Pairing::All {
        return Ok(ready.tasks.iter().map(|task| guess_of(task, args.differs.is_some())).collect());
    }
    let first_demo = |task: &Task| Task { demos: task.demos.iter().take(1).cloned().collect(), tests: Vec::new(), ..task.clone() };
    let first_demos: Vec<Task> = ready.tasks.iter().map(first_demo).collect();
    let taken = ready.take_once(args, Mode::Sampled, &first_demos)?;
    Ok(taken.profile.tasks.iter().map(|task| (task.time_s * 1e9) as u64).collect())
}

/// Runs the first task twice, without watching.
fn warm_up(ready: &Ready, args: &SubjectArgs, tasks: &[Task]) -> anyhow::Result<WarmUp> {
    let options = RunOptions { threads: 1, ..ready.profiler(args, Mode::Sampled, &ready.library).options };
    let first = &tasks[..tasks.len().min(1)];
    let once = || -> anyhow::Result<f64> {
        let report = run_card(first, &ready.library.card, &options, std::time::Duration::ZERO, &|_| ())?;
        Ok(report.execute.as_secs_f64())
    };
    Ok(WarmUp { cold_s: once()?, warm_s: once()? })
}

/// A program or the card, line by line.
pub(super) fn lines(args: &LinesProfileArgs, out: &mut Output) -> anyhow::Result<Status> {
    let show = Show::of_run("lines", &args.take)?;
    let ready = Ready::new(&args.take.subject, Tasks::One, out)?;
    if args.card {
        let mut taken = ready.take(&args.take.subject, Mode::Exact)?;
        let lines = lines_of_card(&ready.library.card, &taken.nodes);
        taken.profile.views.insert("lines".to_owned(), serde_json::to_value([&lines])?);
        show.all(&taken.profile, Some(&taken.timeline), &[lines.sheet(args.top)], out)?;
        return Ok(Status::good_if(ready.complete));
    }
    // A card of these programs alone, so that every line is paid for by its own program.
    let task = ready.tasks.first().map_or("", |task| &task.id);
    let wanted = |one: &LoadedProgram| match &args.program {
        Some(name) => one.program.name() == name,
        None => one.is_for(task),
    };
    let programs: Vec<LoadedProgram> = Programs::read(&args.take.subject.programs.programs, args.take.subject.programs.cells.reading())
        .loaded
        .into_iter()
        .filter(wanted)
        .collect();
    match &args.program {
        Some(name) => anyhow::ensure!(!programs.is_empty(), "there is no program {name:?}"),
        None => anyhow::ensure!(
            !programs.is_empty(),
            "no program has the task's id {task:?} in its name; name one with --program, or see the card with --card"
        ),
    }
    let (taken, sheets) = lines_of(&ready, &args.take.subject, programs)?;
    show.all(&taken.profile, Some(&taken.timeline), &sheets, out)?;
    Ok(Status::good_if(ready.complete))
}

/// Each program on a card of its own; the profile is that of the last.
fn lines_of(ready: &Ready, args: &SubjectArgs, programs: Vec<LoadedProgram>) -> anyhow::Result<(Recording, Vec<Sheet>)> {
    let (mut found, mut sheets, mut last) = (Vec::new(), Vec::new(), None);
    for LoadedProgram { program, stem, .. } in programs {
        let mut card = Card::new();
        let id = card.add(&program);
        let library = Library { card, names: vec![program.name().to_owned()], stems: vec![stem], ..Library::default() };
        let taken = ready.take_of(args, Mode::Exact, &library)?;
        if let Some(on_card) = library.card.program(id) {
            let lines = lines_of_program(on_card, &print_program(&program), &taken.nodes);
            sheets.push(lines.sheet(usize::MAX));
            found.push(lines);
        }
        last = Some(taken);
    }
    let mut taken = last.ok_or_else(|| anyhow::anyhow!("there is no program to profile"))?;
    taken.profile.views.insert("lines".to_owned(), serde_json::to_value(found)?);
    Ok((taken, sheets))
}
