//! `batt evolve`: generation after generation until the budget is spent, each saved before anything is said about it.

mod configuration;
mod plot;
mod profile;
mod report;
mod summary;
mod watch;

use std::collections::HashSet;
use std::io::Write;
use std::time::{Duration, Instant};

use batt_core::Task;
use batt_engine::{Limits, NoProbe, Probe};
use batt_evolve::{Accelerator, Evolution, EvolveOptions, GenerationReport, Member, Standing};
use batt_profile::{ByPrimitive, RunFacts};
use batt_program::{Program, parse_file};
use batt_run::{Contender, TaskReport, is_solved, task_in_name};
use batt_session::{Budget, Observer, Session, StopReason};
use batt_store::{Access, ContentHash, NewRun, Store, StoredRun};

use super::Status;
use super::run::tell_panics;
use super::submit::{Limit, proposed, text_of};
use crate::args::{EvolveArgs, ProfileRequest};
use crate::device;
use crate::files::write_whole;
use crate::interrupt;
use crate::output::{Output, Tone, count, grouped, one_line};
use crate::programs::{LoadedProgram, Programs};
use crate::tasks::{self, SelectedTasks, TaskRequest};
use crate::verdict::Verdict;
use crate::watch::{get_ready, keep, say};
use configuration::Configuration;
use summary::FinishedSession;
use watch::Watch;

/// How often a submission is written while a run goes on.
const SUBMISSION_EVERY: Duration = Duration::from_secs(20);

/// How much of the id of a task is shown.
const LONGEST_ID: usize = 60;

/// Evolves programs.
pub(super) fn evolve(args: &EvolveArgs, out: &mut Output) -> anyhow::Result<Status> {
    if args.report {
        return report::report(&args.store, args.plots.as_deref(), out);
    }
    let mut besides = get_ready(args.watch.asked());
    let started = Instant::now();
    let mut store = Store::open(&args.store, Access::Create)?;
    let resumed = if args.resume { store.runs()?.pop() } else { None };
    let configuration = match &resumed {
        Some(run) => goes_on(run, &store, args, out)?,
        None => Configuration::of_args(args)?,
    };
    let chosen = match &resumed {
        Some(run) => configuration.load_tasks_of(run, &args.store, TaskRequest::of(&args.tasks)?.source.is_some(), out)?,
        None => configuration.load_tasks(out)?,
    };
    let SelectedTasks { tasks: all, mut skipped, .. } = chosen;
    let Programs { mut loaded, skipped: bad } = programs(&configuration, resumed.as_ref(), &store, args)?;
    skipped.extend(bad);
    tasks::warn_of_skipped(&skipped, out);
    match &resumed {
        Some(run) if loaded.is_empty() => anyhow::bail!("{}", programs_missing(run, &configuration)),
        _ => anyhow::ensure!(!loaded.is_empty(), "there is no program to start from"),
    }
    anyhow::ensure!(!all.is_empty(), "there is no task");
    if configuration.pairs_own() {
        name_for_tasks(&mut loaded, &all);
    }
    let configuration = configuration.with_inputs(&all, &loaded);
    let options = configuration.options(args.limits.threads())?;

    // Before anything is begun: a device that was asked for must be there.
    let accelerator = device::accelerator(&args.device, &all, options.limits, options.on_undefined)?;
    let run = if let Some(run) = &resumed {
        configuration.check_fits(run)?;
        run.id
    } else {
        store.import(&loaded.iter().map(LoadedProgram::to_import).collect::<Vec<_>>())?;
        store.begin_run(&NewRun {
            seed: configuration.seed,
            configuration: configuration.to_json(),
            batt_version: env!("CARGO_PKG_VERSION").to_owned(),
            table_hash: batt_program::table_hash().to_string(),
            tasks: all.iter().map(|task| task.id.clone()).collect(),
            programs: loaded.iter().map(|one| (one.program.name().to_owned(), ContentHash::of(&one.program))).collect(),
            folder: std::env::current_dir().map_or(String::new(), |folder| folder.to_string_lossy().into_owned()),
            unix_ms: batt_session::now(),
        })?
    };
    let programs: Vec<Program> = loaded.into_iter().map(|one| one.program).collect();
    let budget = Budget {
        deadline: args.time.and_then(|time| started.checked_add(time)),
        generations: args.generations,
        evaluations: args.evaluations,
        interrupt: interrupt::ask_first("unfinished tasks are discarded, the rest is saved"),
    };
    if args.resume && resumed.is_none() {
        out.note("there is no run to resume: starting a new one");
    }
    let load = started.elapsed();
    let mut telling =
        Telling { args, out, started, tasks: &all, options: &options, submission: Submitting::default(), watch: None, panics: 0 };
    let reason = if args.watch.asked() == ProfileRequest::Nothing {
        let mut session = Session::<NoProbe>::open(store, run, &all, &programs, options.clone(), budget)?;
        telling.run(&mut session, accelerator, &mut NoWatch)?
    } else {
        let mut session = Session::<ByPrimitive>::open(store, run, &all, &programs, options.clone(), budget)?;
        let mut seen = profile::Seeing::new(&mut besides, all.len());
        let reason = telling.run(&mut session, accelerator, &mut seen)?;
        let profile::Seeing { seen, demos_right, .. } = seen;
        let facts = RunFacts { evaluations: seen.evaluations(), ..configuration.facts(&all, programs.len(), args.limits.threads()) };
        let wall = besides.wall(started);
        let mut profile = besides.take(|| profile::of(&seen, &all, &demos_right, session.times(), facts, load, wall));
        if let Some(report) = session.evolution().accelerator_report() {
            profile.gpu = profile::gpu(&report.usage);
        }
        keep(args.watch.asked(), &mut profile, &mut besides)?;
        say(&profile, &besides, args.json.to_stdout(), telling.out)?;
        reason
    };
    if reason == StopReason::Interrupted {
        telling.out.flush()?;
        std::process::exit(interrupt::STATUS);
    }
    Ok(Status::good_if(skipped.is_empty() && telling.panics == 0))
}

/// What a run was told that is to go on, if it can. What it cannot be told any more is said.
fn goes_on(run: &StoredRun, store: &Store, args: &EvolveArgs, out: &mut Output) -> anyhow::Result<Configuration> {
    if run.last.is_some() && store.checkpoint(run.id)?.is_none() {
        anyhow::bail!(
            "run {} cannot be resumed: `batt lib prune` removed programs that it keeps (with --pools it does not). To begin another run with \
             the programs that are left, leave --resume out and pass --programs {}",
            run.id.0,
            store.path().display()
        );
    }
    let configuration = Configuration::of_run(run, args)?;
    let ignored = configuration.ignored(args)?;
    if !ignored.is_empty() {
        out.warn(format_args!("run {} keeps the options that it began with; ignored: {}", run.id.0, ignored.join(", ")));
    }
    Ok(configuration)
}

/// The programs to start from. Those of a run that goes on are in the store, unless they are named.
fn programs(configuration: &Configuration, resumed: Option<&StoredRun>, store: &Store, args: &EvolveArgs) -> anyhow::Result<Programs> {
    let stored = match resumed {
        Some(run) if args.programs.programs.is_empty() => store.run_programs(run.id)?,
        _ => Vec::new(),
    };
    if stored.is_empty() {
        let named = &args.programs.programs;
        let sources = if named.is_empty() { configuration.program_sources() } else { named.clone() };
        return Ok(Programs::read(&sources, configuration.cells.reading()));
    }
    Ok(Programs::of_store(stored, store.path()))
}

/// A run that is older than the programs of runs in stores has them in files only.
fn programs_missing(run: &StoredRun, configuration: &Configuration) -> String {
    let named: Vec<String> = configuration.program_sources().iter().map(ToString::to_string).collect();
    format!("run {} began with {}, where no program is found: name another place with --programs", run.id.0, named.join(" "))
}

/// Gives programs whose file is named after a task that name, too: they keep it in the store.
fn name_for_tasks(programs: &mut [LoadedProgram], tasks: &[Task]) {
    let ids: HashSet<&str> = tasks.iter().map(|task| &*task.id).collect();
    let find = |part: &str| ids.get(part).map(|&id| id.to_owned());
    for one in programs {
        let name = one.program.name();
        if let (None, Some(id)) = (task_in_name(name, find), task_in_name(&one.stem, find)) {
            let name = format!("{name}_{id}");
            one.program = one.program.clone().named(name);
        }
    }
}

/// Sees what is made, if anything is watched.
trait See<P: Probe> {
    fn see(&mut self, evolution: &mut Evolution<P>);
}

/// Nothing is watched.
struct NoWatch;

impl See<NoProbe> for NoWatch {
    fn see(&mut self, _: &mut Evolution<NoProbe>) {}
}

/// Tells the user what a session does.
struct Telling<'a> {
    args: &'a EvolveArgs,
    out: &'a mut Output,
    started: Instant,
    tasks: &'a [Task],
    options: &'a EvolveOptions,
    submission: Submitting,
    watch: Option<Watch>,
    /// Visits of tasks that a panic ended.
    panics: u64,
}

/// What is known about submissions.
#[derive(Default)]
struct Submitting {
    /// When the last was written.
    at: Option<Instant>,
    /// What it had for each task, and the programs that this came from.
    known: Vec<(Vec<ContentHash>, Option<TaskReport>)>,
}

impl Telling<'_> {
    fn run<P: Probe>(
        &mut self,
        session: &mut Session<'_, P>,
        accelerator: Option<Box<dyn Accelerator>>,
        see: &mut (dyn See<P> + Send + Sync),
    ) -> anyhow::Result<StopReason> {
        if let Some(accelerator) = accelerator {
            session.evolution_mut().accelerate(accelerator);
        }
        let (is_resumed, started, all) = (session.is_resumed(), session.evolution().started(), self.tasks.len());
        if is_resumed && started < all {
            self.out.note(format_args!("going on with the start, after {} of {}", grouped(started as u64), count(all, "task")));
        } else if is_resumed {
            self.out.note(format_args!("going on after generation {}", grouped(session.first().generations)));
        }
        let watch = Watch::new(self.args, self.started, session.evolution());
        let start = watch.start_bar();
        self.watch = Some(watch);
        let reason = session.run(&mut Events { telling: self, see }, &|| start.inc(1))?;
        if let Some(watch) = self.watch.take() {
            watch.finish();
        }
        let verdict = self.verdict(session.evolution());
        let ended = FinishedSession { args: self.args, started: self.started, session, verdict: &verdict, reason, panics: self.panics };
        ended.tell(self.out)?;
        if let Some(path) = &self.args.json.json {
            let text = ended.json()?;
            if path.is_stdout() { self.out.data(&text)? } else { write_whole(path, text.as_bytes())? }
        }
        Ok(reason)
    }

    /// Says which tasks programs fit now, and what panicked. They are in the store already.
    fn tell<P: Probe>(&mut self, evolution: &Evolution<P>, report: &GenerationReport) -> anyhow::Result<()> {
        for (task, panic) in &report.panics {
            self.panics += 1;
            self.out.error(format_args!("the task {:?} is left out of generation {}: {panic}", evolution.task_name(*task), report.number));
        }
        if self.args.json.to_stdout() || report.number == 0 {
            return Ok(());
        }
        for (task, hash) in &report.fits {
            let entry = report.entries.iter().find(|entry| entry.hash == *hash && entry.task == *task);
            let by = entry.map_or("", |entry| entry.source.name());
            let size = entry.map_or(0, |entry| entry.fitness.size);
            let name = one_line(evolution.task_name(*task), LONGEST_ID);
            writeln!(self.out, "{} {name}: {hash} ({by}, {})", self.out.paint(Tone::Good, "fits"), count(size, "call"))?;
        }
        self.out.flush()?;
        Ok(())
    }

    /// Writes a submission. Only tasks whose programs have changed since the last one are looked at again.
    fn write_submission<P: Probe>(&mut self, evolution: &Evolution<P>) -> anyhow::Result<()> {
        let Some(path) = &self.args.submission else { return Ok(()) };
        let known = &mut self.submission.known;
        known.resize_with(self.tasks.len(), Default::default);
        let hashes = |task: usize| evolution.members(task).iter().map(|member| member.hash).collect::<Vec<_>>();
        let changed: Vec<usize> = (0..self.tasks.len()).filter(|&task| known[task].1.is_none() || known[task].0 != hashes(task)).collect();
        let contenders = |member: &Member| {
            let found = member.found;
            parse_file(&member.text).programs.into_iter().map(move |program| Contender::found(program, found))
        };
        let programs: Vec<Vec<Contender>> =
            changed.iter().map(|&task| evolution.members(task).iter().flat_map(contenders).collect()).collect();
        let tasks: Vec<Task> = changed.iter().map(|&task| self.tasks[task].clone()).collect();
        let EvolveOptions { limits, on_undefined, threads, .. } = *self.options;
        let reports = proposed(&tasks, &programs, Limit { limits, on_undefined, threads })?;
        self.panics += tell_panics(&reports, self.out);
        for (&task, report) in changed.iter().zip(reports) {
            known[task] = (hashes(task), Some(report));
        }
        let reports: Vec<TaskReport> = known.iter().filter_map(|(_, report)| report.clone()).collect();
        write_whole(path, text_of(self.tasks, &reports)?.as_bytes())?;
        self.submission.at = Some(Instant::now());
        Ok(())
    }

    /// What the kept programs came to. Here, after all is done, they are graded by the test outputs, where there are any.
    fn verdict<P: Probe>(&self, evolution: &Evolution<P>) -> Verdict {
        // As `batt report` does by default, so that both say the same of a store.
        let (limits, on_undefined) = (Limits::default(), self.options.on_undefined);
        let came_to = |(place, task): (usize, &Task)| {
            let demos = task.demos.len();
            let fitting = evolution.members(place).iter().filter(|member| member.fitness.demos_right as usize == demos);
            (evolution.is_fit(place), is_solved(task, fitting.flat_map(|member| parse_file(&member.text).programs), limits, on_undefined))
        };
        Verdict::of(self.tasks.iter().enumerate().map(came_to))
    }
}

/// What happens in a session, on its way to the user.
struct Events<'e, 'a, P: Probe> {
    telling: &'e mut Telling<'a>,
    see: &'e mut (dyn See<P> + Send + Sync),
}

impl<P: Probe> Observer<P> for Events<'_, '_, P> {
    type Error = anyhow::Error;

    fn made(&mut self, evolution: &mut Evolution<P>) {
        self.see.see(evolution);
    }

    fn saved(&mut self, evolution: &Evolution<P>, report: &GenerationReport, standing: &Standing) -> anyhow::Result<()> {
        let Some(mut watch) = self.telling.watch.take() else { return Ok(()) };
        watch.note(report, standing, self.telling.out);
        let told = watch.suspend(|| self.telling.tell(evolution, report));
        self.telling.watch = Some(watch);
        told
    }

    fn wants_submission(&self) -> bool {
        self.telling.submission.at.is_some_and(|at| at.elapsed() > SUBMISSION_EVERY)
    }

    fn submit(&mut self, evolution: &Evolution<P>) -> anyhow::Result<()> {
        self.telling.write_submission(evolution)
    }
}
