//! `batt evolve`: generation after generation until the budget is spent, each saved before anything is said about it.

mod report;
mod summary;
mod watch;

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use batt_core::Task;
use batt_data::{Skipped, Source};
use batt_engine::{NoProbe, Probe};
use batt_evolve::{Accelerator, Evolution, EvolveOptions, GenerationReport, Standing};
use batt_profile::ByPrimitive;
use batt_program::Program;
use batt_session::Programs;
use batt_session::{
    Configuration, EvolutionProfile, EvolveRequest, Observer, Session, SessionLimits, SessionReport, StopReason, Submissions, locate,
};
use batt_store::{Access, Store, StoredRun};

use super::Status;
use super::run::tell_panics;
use super::submit::submission_text;
use crate::args::{CellsArg, EvolveArgs, ProfileRequest};
use crate::files::write_whole;
use crate::output::{Output, Tone, count, grouped, one_line};
use crate::tasks::{self, SelectedTasks, TaskRequest};
use crate::watch::{get_ready, keep, say};
use crate::{device, guard, interrupt};
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
    let request = request(args)?;
    let mut store = Store::open(&args.store, Access::Create)?;
    let resumed = if args.resume { store.runs()?.pop() } else { None };
    let configuration = match &resumed {
        Some(run) => Configuration::of_run(run, &store, request.source.as_ref())?,
        None => Configuration::new(&request),
    };
    if let Some(run) = &resumed {
        let ignored = configuration.ignored(&request);
        if !ignored.is_empty() {
            out.warn(format_args!("run {} keeps the options that it began with; ignored: {}", run.id.0, ignored.join(", ")));
        }
    }
    let (all, mut skipped) = match &resumed {
        Some(run) => tasks_of_run(&configuration, run, request.source.is_some(), &args.store, out)?,
        None => new_tasks(&configuration, out)?,
    };
    let Programs { mut loaded, skipped: bad } = configuration.programs(resumed.as_ref(), &store, &request.programs, &all)?;
    skipped.extend(bad);
    tasks::warn_of_skipped(&skipped, out);
    match &resumed {
        Some(run) if loaded.is_empty() => return Err(configuration.no_programs(run).into()),
        _ => anyhow::ensure!(!loaded.is_empty(), "there is no program to start from"),
    }
    anyhow::ensure!(!all.is_empty(), "there is no task");
    let configuration = configuration.with_inputs(&all, &mut loaded);
    let options = configuration.options(args.limits.threads())?;

    // Before anything is begun: a device that was asked for must be there.
    let accelerator = device::accelerator(&args.device, &all, options.limits, options.on_undefined)?;
    let run = if let Some(run) = &resumed {
        configuration.check_fits(run)?;
        run.id
    } else {
        let folder = std::env::current_dir().map_or(String::new(), |folder| folder.to_string_lossy().into_owned());
        configuration.begin(&mut store, &all, &loaded, folder)?
    };
    let programs: Vec<Program> = loaded.into_iter().map(|one| one.program).collect();
    let budget = SessionLimits {
        deadline: args.time.and_then(|time| started.checked_add(time)),
        generations: args.generations,
        evaluations: args.evaluations,
        interrupt: interrupt::ask_first("unfinished tasks are discarded, the rest is saved"),
    };
    if args.resume && resumed.is_none() {
        out.note("there is no run to resume: starting a new one");
    }
    let load = started.elapsed();
    let mut telling = Telling {
        args,
        out,
        started,
        tasks: &all,
        options: &options,
        submissions: Submissions::of_store(&args.store, &all)?,
        submitted: None,
        watch: None,
        panics: 0,
    };
    let reason = if args.watch.asked() == ProfileRequest::Nothing {
        let mut session = Session::<NoProbe>::open(store, run, &all, &programs, options.clone(), budget)?;
        telling.run(&mut session, accelerator, &mut |_: &mut Evolution<NoProbe>| {})?
    } else {
        let mut session = Session::<ByPrimitive>::open(store, run, &all, &programs, options.clone(), budget)?;
        let mut seen = EvolutionProfile::new(all.len());
        let reason = telling
            .run(&mut session, accelerator, &mut |evolution: &mut Evolution<ByPrimitive>| besides.take_meanwhile(|| seen.add(evolution)))?;
        let facts = configuration.facts(&all, programs.len(), args.limits.threads());
        let wall = besides.wall(started);
        let mut profile = besides.take(|| seen.finish(&session, &all, facts, load, wall));
        keep(args.watch.asked(), &mut profile, &mut besides)?;
        say(&profile, &besides, args.json.to_stdout(), telling.out)?;
        reason
    };
    if reason == StopReason::Interrupted {
        return Ok(Status::Interrupted);
    }
    Ok(Status::good_if(skipped.is_empty() && telling.panics == 0))
}

fn request(args: &EvolveArgs) -> anyhow::Result<EvolveRequest> {
    let TaskRequest { source, selection } = TaskRequest::of(&args.tasks)?;
    let limits = args.limits.program;
    Ok(EvolveRequest {
        source,
        selection,
        programs: args.programs.programs.clone(),
        cells: args.programs.cells.cells.map(CellsArg::reading),
        seed: args.seed,
        population: args.population,
        keep: args.keep,
        fuel: limits.fuel.fuel,
        fuel_floor: args.fuel_floor,
        on_undefined: limits.undefined.map(|_| limits.on_undefined()),
        pairing: args.pairing.pairing.map(|_| args.pairing.pairing()),
        rates: args.rates.clone(),
        shard: args.shard,
        no_selection: args.no_selection,
        no_substitution: args.no_substitution,
    })
}

/// The tasks of a new run, and what could not be loaded.
fn new_tasks(configuration: &Configuration, out: &mut Output) -> anyhow::Result<(Vec<Task>, Vec<Skipped>)> {
    let wanted = TaskRequest { source: None, selection: configuration.selection() };
    let SelectedTasks { tasks, skipped, .. } = wanted.load(&tasks::source(OsStr::new(configuration.tasks())), out)?;
    Ok((configuration.shard(tasks), skipped))
}

/// The tasks of a run that goes on, from the place that was named now, or else from where they were.
fn tasks_of_run(
    configuration: &Configuration,
    run: &StoredRun,
    is_named_now: bool,
    store: &Path,
    out: &mut Output,
) -> anyhow::Result<(Vec<Task>, Vec<Skipped>)> {
    let source = if is_named_now { Source::parse(configuration.tasks()) } else { locate(configuration.tasks(), run, store)? };
    guard::reads_tasks_of(&source, "--store")?;
    let loaded = tasks::load(&source, out)?;
    Ok((Configuration::tasks_of_run(run, loaded.tasks, &source.to_string())?, loaded.skipped))
}

/// Tells the user what a session does.
struct Telling<'a> {
    args: &'a EvolveArgs,
    out: &'a mut Output,
    started: Instant,
    tasks: &'a [Task],
    options: &'a EvolveOptions,
    submissions: Submissions,
    /// When the last submission was written.
    submitted: Option<Instant>,
    watch: Option<Watch>,
    /// Visits of tasks that a panic ended.
    panics: u64,
}

impl Telling<'_> {
    fn run<P: Probe>(
        &mut self,
        session: &mut Session<'_, P>,
        accelerator: Option<Box<dyn Accelerator>>,
        see: &mut dyn FnMut(&mut Evolution<P>),
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
        let wall = self.started.elapsed();
        let report = SessionReport::new(session, self.tasks, self.options.on_undefined, reason, self.panics, wall)?;
        summary::tell(&report, self.args.json.to_stdout(), self.out)?;
        if let Some(path) = &self.args.json.json {
            let text = serde_json::to_string_pretty(&report.to_json())? + "\n";
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
        for (task, hash) in &report.fits {
            if let Some(entry) = report.entries.iter().find(|entry| entry.hash == *hash && entry.task == *task) {
                self.out.found(evolution.task_name(*task), &entry.text);
            }
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

    fn write_submission<P: Probe>(&mut self, evolution: &Evolution<P>) -> anyhow::Result<()> {
        let Some(path) = &self.args.submission else { return Ok(()) };
        let (submission, changed) = self.submissions.next(evolution, self.tasks, self.options)?;
        self.panics += tell_panics(&changed, self.out);
        write_whole(path, submission_text(&submission)?.as_bytes())?;
        self.submitted = Some(Instant::now());
        Ok(())
    }
}

/// Observer that shows the events of a session to the user.
struct Events<'e, 'a, P: Probe> {
    telling: &'e mut Telling<'a>,
    see: &'e mut dyn FnMut(&mut Evolution<P>),
}

impl<P: Probe> Observer<P> for Events<'_, '_, P> {
    type Error = anyhow::Error;

    fn made(&mut self, evolution: &mut Evolution<P>) {
        (self.see)(evolution);
    }

    fn saved(&mut self, evolution: &Evolution<P>, report: &GenerationReport, standing: &Standing) -> anyhow::Result<()> {
        let Some(mut watch) = self.telling.watch.take() else { return Ok(()) };
        watch.note(report, standing, self.telling.out);
        let told = watch.suspend(|| self.telling.tell(evolution, report));
        self.telling.watch = Some(watch);
        told
    }

    fn wants_submission(&self) -> bool {
        self.telling.submitted.is_some_and(|at| at.elapsed() > SUBMISSION_EVERY)
    }

    fn submit(&mut self, evolution: &Evolution<P>) -> anyhow::Result<()> {
        self.telling.write_submission(evolution)
    }
}
