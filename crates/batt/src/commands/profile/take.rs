//! Runs programs on tasks to take a profile.

use std::time::{Duration, Instant};

use batt_core::Task;
use batt_library::{Library, read_differs};
use batt_profile::{Exact, Gather, Mode, Recording, Sampled, Stopwatch, Subject, Surroundings, are_enough, assemble};
use batt_program::Program;
use batt_run::{RunEvent, RunOptions, run_card_watched};

use crate::args::{ModeArg, SubjectArgs};
use crate::commands::UsageError;
use crate::output::{Output, progress};
use crate::programs::{Caching, library, needs_programs};
use crate::tasks::{self, SelectedTasks, TaskRequest};
use crate::watch::about;

/// Everything that is needed to run, and how long it took to get it.
pub(super) struct Ready {
    started: Instant,
    source: String,
    pub(super) tasks: Vec<Task>,
    pub(super) library: Library,
    differs: Vec<Program>,
    /// How many tasks are wanted, if that was said by a number.
    pub(super) number: Option<usize>,
    /// How many tasks were loaded.
    pub(super) loaded: usize,
    /// Whether everything could be read.
    pub(super) complete: bool,
    around: Surroundings,
}

/// Which tasks a view is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tasks {
    /// All, or some of them.
    Any,
    /// So many that stand for all.
    SampledTask,
    /// Some that are named.
    Named,
    /// One that is named.
    One,
}

impl Ready {
    /// Reads tasks and programs.
    pub(super) fn new(args: &SubjectArgs, of: Tasks, out: &mut Output) -> anyhow::Result<Self> {
        let mut wanted = TaskRequest::of(&args.tasks)?;
        let source = wanted.source_or_starter();
        needs_programs("profile batch", &args.programs, &source)?;
        if matches!(of, Tasks::Named | Tasks::One) && wanted.selection.is_all() {
            return Err(UsageError("no task is named: use --task ID".to_owned()).into());
        }
        let number = if of == Tasks::SampledTask { wanted.selection.number.take() } else { None };
        let reading = Stopwatch::start();
        let started = reading.started();
        let library = library(&args.programs, if args.no_cache { Caching::Off } else { Caching::On });
        let (differs, bad_differs) =
            args.differs.as_ref().map_or_else(Default::default, |paths| read_differs(paths, args.programs.cells.reading()));
        let (card, parse) = reading.took().split(library.made_in);
        let loading = Stopwatch::start();
        let loaded = wanted.load(&source, out)?;
        let load = loading.took();
        let around = Surroundings { load, parse, card, wall: started.elapsed(), ..Surroundings::default() };
        let mut skipped = loaded.skipped;
        skipped.extend(library.skipped.iter().cloned());
        skipped.extend(bad_differs);
        tasks::warn_of_skipped(&skipped, out);
        anyhow::ensure!(!library.names.is_empty(), "there is no program to profile");
        anyhow::ensure!(!loaded.tasks.is_empty(), "there is no task to profile on");
        let (count, complete) = (loaded.all.len(), skipped.is_empty());
        let SelectedTasks { source, tasks, .. } = loaded;
        if of == Tasks::One && tasks.len() != 1 {
            return Err(UsageError(format!("one task is needed, but {} were given: name one with --task ID", tasks.len())).into());
        }
        Ok(Self { started, source, tasks, library, differs, number, loaded: count, complete, around })
    }

    /// Runs all programs on all tasks, as often as it was said or as is needed, and gives back medians.
    pub(super) fn take(&self, args: &SubjectArgs, default: Mode) -> anyhow::Result<Recording> {
        self.take_of(args, default, &self.library)
    }

    /// The same with other programs.
    pub(super) fn take_of(&self, args: &SubjectArgs, default: Mode, library: &Library) -> anyhow::Result<Recording> {
        let tasks = &self.tasks[..];
        let bar = progress(tasks.len() as u64 * u64::from(args.repeat.unwrap_or(1)), "tasks");
        let tick = || bar.inc(1);
        let (mut all, started) = (Vec::new(), Instant::now());
        while !are_all(args, &all, started) {
            if args.repeat.is_none() {
                bar.set_length(tasks.len() as u64 * (all.len() as u64 + 1));
            }
            all.push(self.once_in(mode_of(args, default), args, tasks, library, &tick)?);
        }
        bar.finish_and_clear();
        Recording::of_runs(all).ok_or_else(|| anyhow::anyhow!("nothing was run"))
    }

    /// Runs all programs on some tasks, once.
    pub(super) fn take_once(&self, args: &SubjectArgs, default: Mode, tasks: &[Task]) -> anyhow::Result<Recording> {
        let bar = progress(tasks.len() as u64, "tasks");
        let taken = self.once_in(mode_of(args, default), args, tasks, &self.library, &|| bar.inc(1));
        bar.finish_and_clear();
        taken
    }

    fn once_in(
        &self,
        mode: Mode,
        args: &SubjectArgs,
        tasks: &[Task],
        library: &Library,
        tick: &(dyn Fn() + Sync),
    ) -> anyhow::Result<Recording> {
        match mode {
            Mode::Exact => self.once::<Exact>(args, tasks, library, tick),
            Mode::Sampled => self.once::<Sampled<1>>(args, tasks, library, tick),
        }
    }

    fn once<P: Gather>(
        &self,
        args: &SubjectArgs,
        tasks: &[Task],
        library: &Library,
        tick: &(dyn Fn() + Sync),
    ) -> anyhow::Result<Recording> {
        // What watching costs is measured before the clock starts.
        P::cost();
        let options = self.options(args, library);
        let started = Instant::now();
        let watched = run_card_watched::<P>(tasks, &library.card, &options, Duration::ZERO, &|event| {
            if event == RunEvent::Task {
                tick();
            }
        })?;
        let mut around = self.around.clone();
        around.wall += started.elapsed();
        let place = about(&self.source, &args.programs.programs, tasks, 0).library;
        // On the time line, running follows right after reading, whatever was done in between.
        let began = started.checked_sub(self.around.wall).unwrap_or(self.started);
        let Library { card, names, .. } = library;
        let subject = Subject { started: began, tasks, card, names, source: self.source.clone(), library: place };
        Ok(assemble(watched, &subject, &around))
    }

    /// How programs are run.
    pub(super) fn options(&self, args: &SubjectArgs, library: &Library) -> RunOptions {
        RunOptions {
            pairing: args.pairing.pairing(),
            files: library.stems.clone(),
            threads: args.limits.threads(),
            limits: args.limits.program.limits(),
            on_undefined: args.limits.program.on_undefined(),
            differs: self.differs.clone(),
            ..RunOptions::default()
        }
    }
}

fn mode_of(args: &SubjectArgs, default: Mode) -> Mode {
    match args.mode {
        Some(ModeArg::Exact) => Mode::Exact,
        Some(ModeArg::Sampled) => Mode::Sampled,
        None => default,
    }
}

/// Whether these are all runs that are wanted, since then.
pub(super) fn are_all(args: &SubjectArgs, runs: &[Recording], since: Instant) -> bool {
    match args.repeat {
        Some(repeat) => runs.len() >= repeat as usize,
        None => are_enough(&runs.iter().map(|taken| &taken.profile).collect::<Vec<_>>(), since.elapsed()),
    }
}
