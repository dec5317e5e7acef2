//! Runs programs on tasks to take a profile.

use std::time::Instant;

use batt_core::Task;
use batt_profile::{Mode, Profiler, ProfilerEvent, Recording, Stopwatch, Surroundings};
use batt_program::Program;
use batt_run::RunOptions;
use batt_session::{Library, read_differs};

use crate::args::{ModeArg, SubjectArgs};
use crate::commands::UsageError;
use crate::output::{Output, progress};
use crate::programs::{Caching, library, needs_programs};
use crate::tasks::{self, SelectedTasks, TaskRequest};
use crate::watch::about;

/// Tasks and programs to run, and the time of loading them.
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
    /// Drawn tasks that represent all.
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

    /// Runs other programs on all tasks, as [`Self::take`] does.
    pub(super) fn take_of(&self, args: &SubjectArgs, default: Mode, library: &Library) -> anyhow::Result<Recording> {
        let tasks = self.tasks.len() as u64;
        let bar = progress(tasks * u64::from(args.repeat.unwrap_or(1)), "tasks");
        let taken = self.profiler(args, default, library).run((&library.card, &library.names), &self.tasks, &|event| match event {
            ProfilerEvent::Run(run) if args.repeat.is_none() => bar.set_length(tasks * (run as u64 + 1)),
            ProfilerEvent::Run(_) => {}
            ProfilerEvent::Task => bar.inc(1),
        });
        bar.finish_and_clear();
        taken?.ok_or_else(|| anyhow::anyhow!("nothing was run"))
    }

    /// Runs all programs on some tasks, once.
    pub(super) fn take_once(&self, args: &SubjectArgs, default: Mode, tasks: &[Task]) -> anyhow::Result<Recording> {
        let bar = progress(tasks.len() as u64, "tasks");
        let Library { card, names, .. } = &self.library;
        let taken = self.profiler(args, default, &self.library).run_once((card, names), tasks, &|event| {
            if event == ProfilerEvent::Task {
                bar.inc(1);
            }
        });
        bar.finish_and_clear();
        Ok(taken?)
    }

    /// How programs are run for a profile.
    pub(super) fn profiler(&self, args: &SubjectArgs, default: Mode, library: &Library) -> Profiler {
        let mode = match args.mode {
            Some(ModeArg::Exact) => Mode::Exact,
            Some(ModeArg::Sampled) => Mode::Sampled,
            None => default,
        };
        let options = RunOptions {
            pairing: args.pairing.pairing(),
            files: library.stems.clone(),
            threads: args.limits.threads(),
            limits: args.limits.program.limits(),
            on_undefined: args.limits.program.on_undefined(),
            differs: self.differs.clone(),
            ..RunOptions::default()
        };
        let place = about(&self.source, &args.programs.programs, &[], 0).library;
        let (started, around) = (self.started, self.around.clone());
        Profiler { started, around, source: self.source.clone(), library: place, mode, repeat: args.repeat, options }
    }
}
