//! The views that run something.

use batt_card::Card;
use batt_core::Task;
use batt_engine::Limits;
use batt_profile::views::{self, Chance, Check, Draw, Projection, WarmUp, guess_of, lines_of_card, lines_of_program};
use batt_profile::{Mode, Profile, Sheet, Taken};
use batt_program::{Program, print_program};
use batt_search::{RunOptions, run_card, task_in_name};

use super::show::{Show, read_gpu_bench};
use super::take::{Ready, median_of};
use crate::args::{
    BatchProfileArgs, FrameworkProfileArgs, LinesProfileArgs, PairingArg, PipelineProfileArgs, SubjectArgs, TaskProfileArgs,
};
use crate::commands::Status;
use crate::output::Output;
use crate::programs::read_programs;

/// What the projection is to if nothing else was said, besides all tasks of the source.
const PROJECTED: u64 = 400;
/// How many tasks the projection is from if nothing was said: so many light ones take little longer than ten heavy ones, and are half as
/// far off.
const PROJECTED_FROM: usize = 30;

/// Programs on one task.
pub(super) fn task(args: &TaskProfileArgs, out: &mut Output) -> anyhow::Result<Status> {
    let show = Show::of_run("task", &args.take)?;
    let bench = read_gpu_bench(&args.take.output)?;
    let mut ready = Ready::new(&args.take.subject, out)?;
    ready.keep_task(&args.of.task)?;
    let taken = ready.take(&args.take.subject, Mode::Exact)?;
    let sheets = views::primitives(&taken.profile, bench.as_ref());
    show.all(&taken.profile, Some(&taken.timeline), &sheets, out)?;
    Ok(Status::good_if(ready.complete))
}

/// Programs on many tasks.
pub(super) fn batch(args: &BatchProfileArgs, out: &mut Output) -> anyhow::Result<Status> {
    let show = Show::of_run("batch", &args.take)?.with_json(args.output_file.as_deref());
    let bench = read_gpu_bench(&args.take.output)?;
    let mut ready = Ready::new(&args.take.subject, out)?;
    ready.keep_range(args.start, args.number)?;
    let taken = ready.take(&args.take.subject, Mode::Exact)?;
    let mut sheets = views::primitives(&taken.profile, bench.as_ref());
    sheets.extend(views::batch(&taken.profile));
    show.all(&taken.profile, Some(&taken.timeline), &sheets, out)?;
    Ok(Status::good_if(ready.complete))
}

/// The framework by category.
pub(super) fn framework(args: &FrameworkProfileArgs, out: &mut Output) -> anyhow::Result<Status> {
    let show = Show::of_run("framework", &args.take)?;
    let mut ready = Ready::new(&args.take.subject, out)?;
    ready.keep_range(0, None)?;
    let mut taken = ready.take(&args.take.subject, Mode::Exact)?;
    let sheets = views::framework(&mut taken.profile, args.top);
    show.all(&taken.profile, Some(&taken.timeline), &sheets, out)?;
    Ok(Status::good_if(ready.complete))
}

/// The phases, and what more tasks would take.
pub(super) fn pipeline(args: &PipelineProfileArgs, out: &mut Output) -> anyhow::Result<Status> {
    let show = Show::of_run("pipeline", &args.take)?;
    let ready = Ready::new(&args.take.subject, out)?;
    let all_samples = args.take.subject.differs.is_some() || args.take.subject.pairing == PairingArg::Own;
    let guesses: Vec<u64> = ready.tasks.iter().map(|task| guess_of(task, all_samples)).collect();
    anyhow::ensure!(ready.number != Some(0), "no tasks are wanted, so there is nothing to profile");
    let draw = match ready.number {
        Some(number) => Draw::new(&guesses, number, Chance::Guess),
        None => Draw::new(&guesses, PROJECTED_FROM, Chance::Root),
    };
    let chosen: Vec<Task> = draw.tasks.iter().map(|drawn| ready.tasks[drawn.place].clone()).collect();
    let warm_up = warm_up(&ready, &args.take.subject, &chosen)?;
    let (mut of_draw, mut of_all) = (Vec::new(), Vec::new());
    // In turn, so that both see the same machine.
    for _ in 0..args.take.subject.repeat {
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
    let mut taken = median_of(of_draw).ok_or_else(|| anyhow::anyhow!("nothing was run"))?;
    let sheets = views::pipeline(&mut taken.profile, ready.loaded as u64, Some(warm_up), &projections, check.as_ref());
    show.all(&taken.profile, Some(&taken.timeline), &sheets, out)?;
    Ok(Status::good_if(ready.complete))
}

/// Runs the first task twice, without watching.
fn warm_up(ready: &Ready, args: &SubjectArgs, tasks: &[Task]) -> anyhow::Result<WarmUp> {
    let options = RunOptions { threads: 1, limits: Limits { fuel: args.fuel, ..Limits::default() }, ..RunOptions::default() };
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
    let mut ready = Ready::new(&args.take.subject, out)?;
    ready.keep_task(&args.of.task)?;
    if args.card {
        let mut taken = ready.take(&args.take.subject, Mode::Exact)?;
        let lines = lines_of_card(&ready.library.card, &taken.nodes);
        taken.profile.views.insert("lines".to_owned(), serde_json::to_value([&lines])?);
        show.all(&taken.profile, Some(&taken.timeline), &[lines.sheet(args.top)], out)?;
        return Ok(Status::good_if(ready.complete));
    }
    // A card of these programs alone, so that every line is paid for by its own program.
    let (programs, _) = read_programs(&args.take.subject.programs);
    let wanted = |program: &Program| match &args.program {
        Some(name) => program.name() == name,
        None => task_in_name(program.name(), |part| (part == args.of.task).then_some(())).is_some(),
    };
    let programs: Vec<Program> = programs.into_iter().filter(wanted).collect();
    match &args.program {
        Some(name) => anyhow::ensure!(!programs.is_empty(), "there is no program {name:?}"),
        None => anyhow::ensure!(
            !programs.is_empty(),
            "no program has the task's id {:?} in its name; name one with --program, or see the card with --card",
            args.of.task
        ),
    }
    let (taken, sheets) = lines_of(&ready, &args.take.subject, &programs)?;
    show.all(&taken.profile, Some(&taken.timeline), &sheets, out)?;
    Ok(Status::good_if(ready.complete))
}

/// Each program on a card of its own; the profile is that of the last.
fn lines_of(ready: &Ready, args: &SubjectArgs, programs: &[Program]) -> anyhow::Result<(Taken, Vec<Sheet>)> {
    let (mut found, mut sheets, mut last) = (Vec::new(), Vec::new(), None);
    for program in programs {
        let mut card = Card::new();
        let id = card.add(program);
        let taken = ready.take_of(args, Mode::Exact, &ready.tasks, &card, &[program.name().to_owned()])?;
        if let Some(on_card) = card.program(id) {
            let lines = lines_of_program(on_card, &print_program(program), &taken.nodes);
            sheets.push(lines.sheet(usize::MAX));
            found.push(lines);
        }
        last = Some(taken);
    }
    let mut taken = last.ok_or_else(|| anyhow::anyhow!("there is no program to profile"))?;
    taken.profile.views.insert("lines".to_owned(), serde_json::to_value(found)?);
    Ok((taken, sheets))
}
