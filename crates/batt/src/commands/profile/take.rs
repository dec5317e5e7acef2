//! Runs programs on tasks to take a profile.

use std::ffi::OsStr;
use std::time::{Duration, Instant};

use batt_card::Card;
use batt_core::Task;
use batt_data::Source;
use batt_engine::Limits;
use batt_profile::{Around, Exact, Gather, Mode, Repeat, Sampled, Subject, Taken, assemble};
use batt_program::Program;
use batt_search::{Pairing, RunOptions, run_card_watched};

use crate::args::{ModeArg, PairingArg, SubjectArgs};
use crate::commands::UsageError;
use crate::output::{Output, progress};
use crate::programs::{Caching, Library, read_differs};
use crate::tasks;

/// Everything that is needed to run, and how long it took to get it.
pub(super) struct Ready {
    started: Instant,
    pub(super) source: Source,
    pub(super) tasks: Vec<Task>,
    pub(super) library: Library,
    differs: Vec<Program>,
    /// How many tasks are wanted, if that was said by a number.
    pub(super) number: Option<usize>,
    /// How many tasks were loaded.
    pub(super) loaded: usize,
    /// Whether everything could be read.
    pub(super) complete: bool,
    around: Around,
}

impl Ready {
    /// Reads tasks and programs.
    pub(super) fn new(args: &SubjectArgs, out: &mut Output) -> anyhow::Result<Self> {
        let (source, number) = source_and_number(args)?;
        if args.programs.is_empty() && source != Source::Starter {
            let example = format!("--tasks {source} --programs solvers.py");
            let text = format!("--programs is needed: only the source `starter` comes with programs (for example: {example})");
            return Err(UsageError(text).into());
        }
        let started = Instant::now();
        let library = Library::read(&args.programs, if args.no_cache { Caching::Off } else { Caching::On });
        let (differs, bad_differs) = args.differs.as_ref().map_or_else(Default::default, |paths| read_differs(paths));
        let parse = started.elapsed().saturating_sub(library.made_in);
        let loading = Instant::now();
        let loaded = tasks::load(&source)?;
        let load = loading.elapsed();
        let around = Around { load, parse, card: library.made_in, wall: started.elapsed(), ..Around::default() };
        let mut skipped = loaded.skipped;
        skipped.extend(library.skipped.iter().cloned());
        skipped.extend(bad_differs);
        tasks::warn_of_skipped(&skipped, out);
        anyhow::ensure!(!library.names.is_empty(), "there is no program to profile");
        anyhow::ensure!(!loaded.tasks.is_empty(), "there is no task to profile on");
        let count = loaded.tasks.len();
        let complete = skipped.is_empty();
        Ok(Self { started, source, tasks: loaded.tasks, library, differs, number, loaded: count, complete, around })
    }

    /// Keeps the task with this id only.
    pub(super) fn keep_task(&mut self, id: &str) -> anyhow::Result<()> {
        let count = self.tasks.len();
        self.tasks.retain(|task| task.id == id);
        anyhow::ensure!(!self.tasks.is_empty(), "there is no task {id:?}; searched: {} ({count})", self.source);
        Ok(())
    }

    /// Keeps the first so many tasks from one on.
    pub(super) fn keep_range(&mut self, start: usize, number: Option<usize>) -> anyhow::Result<()> {
        let count = self.tasks.len();
        let number = number.or(self.number).unwrap_or(count);
        anyhow::ensure!(start < count, "there is no task {start}: {} has {count}, counted from 0", self.source);
        anyhow::ensure!(number > 0, "no tasks are wanted, so there is nothing to profile");
        self.tasks = std::mem::take(&mut self.tasks).into_iter().skip(start).take(number).collect();
        Ok(())
    }

    /// Runs all programs on all tasks, as often as it was said, and gives back the run with the median time.
    pub(super) fn take(&self, args: &SubjectArgs, default: Mode) -> anyhow::Result<Taken> {
        self.take_of(args, default, &self.tasks, &self.library.card, &self.library.names)
    }

    /// The same with other tasks and programs.
    pub(super) fn take_of(
        &self,
        args: &SubjectArgs,
        default: Mode,
        tasks: &[Task],
        card: &Card,
        names: &[String],
    ) -> anyhow::Result<Taken> {
        let bar = progress(tasks.len() as u64 * u64::from(args.repeat), "tasks");
        let tick = || bar.inc(1);
        let mut all = Vec::new();
        for _ in 0..args.repeat {
            all.push(self.once_in(mode_of(args, default), args, tasks, card, names, &tick)?);
        }
        bar.finish_and_clear();
        median_of(all).ok_or_else(|| anyhow::anyhow!("nothing was run"))
    }

    /// Runs all programs on some tasks, once.
    pub(super) fn take_once(&self, args: &SubjectArgs, default: Mode, tasks: &[Task]) -> anyhow::Result<Taken> {
        let bar = progress(tasks.len() as u64, "tasks");
        let Library { card, names, .. } = &self.library;
        let taken = self.once_in(mode_of(args, default), args, tasks, card, names, &|| bar.inc(1));
        bar.finish_and_clear();
        taken
    }

    fn once_in(
        &self,
        mode: Mode,
        args: &SubjectArgs,
        tasks: &[Task],
        card: &Card,
        names: &[String],
        tick: &(dyn Fn() + Sync),
    ) -> anyhow::Result<Taken> {
        match mode {
            Mode::Exact => self.once::<Exact>(args, tasks, card, names, tick),
            Mode::Sampled => self.once::<Sampled>(args, tasks, card, names, tick),
        }
    }

    fn once<P: Gather>(
        &self,
        args: &SubjectArgs,
        tasks: &[Task],
        card: &Card,
        names: &[String],
        tick: &(dyn Fn() + Sync),
    ) -> anyhow::Result<Taken> {
        // What watching costs is measured before the clock starts.
        P::cost();
        let options = self.options(args);
        let started = Instant::now();
        let watched = run_card_watched::<P>(tasks, card, &options, Duration::ZERO, &|_| tick())?;
        let mut around = self.around.clone();
        around.wall += started.elapsed();
        let library = if args.programs.is_empty() {
            "starter".to_owned()
        } else {
            args.programs.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(" ")
        };
        // On the time line, running follows right after reading, whatever was done in between.
        let began = started.checked_sub(self.around.wall).unwrap_or(self.started);
        let subject = Subject { started: began, tasks, card, names, source: self.source.to_string(), library };
        Ok(assemble(watched, &subject, &around))
    }

    fn options(&self, args: &SubjectArgs) -> RunOptions {
        let pairing = match args.pairing {
            PairingArg::Own => Pairing::Own,
            PairingArg::All => Pairing::All,
        };
        RunOptions {
            pairing,
            threads: args.threads.map_or(0, usize::from),
            limits: Limits { fuel: args.fuel, ..Limits::default() },
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

/// The run with the median wall time, which knows of the others; none if there is none.
pub(super) fn median_of(mut all: Vec<Taken>) -> Option<Taken> {
    all.sort_by(|a, b| a.profile.wall_s.total_cmp(&b.profile.wall_s));
    if all.is_empty() {
        return None;
    }
    let mut middle = all.swap_remove(all.len() / 2);
    let names: Vec<String> = middle.profile.rows.iter().map(|row| row.name.clone()).collect();
    let repeats = std::iter::once(&middle).chain(&all).map(|taken| Repeat {
        wall_s: taken.profile.wall_s,
        thread_s: taken.profile.thread_s,
        self_s: names.iter().map(|name| taken.profile.row(name).map_or(0.0, |row| row.self_s)).collect(),
    });
    middle.profile.repeats = repeats.collect();
    Some(middle)
}

/// `--tasks` says where tasks come from, or how many.
fn source_and_number(args: &SubjectArgs) -> Result<(Source, Option<usize>), UsageError> {
    let number = |text: &OsStr| text.to_str().and_then(|text| text.parse::<usize>().ok());
    let sources: Vec<&OsStr> = args.tasks.iter().map(AsRef::as_ref).filter(|text| number(text).is_none()).collect();
    let numbers: Vec<usize> = args.tasks.iter().filter_map(|text| number(text)).collect();
    if sources.len() > 1 || numbers.len() > 1 {
        return Err(UsageError("--tasks takes one source and one number at most".to_owned()));
    }
    let source = sources.first().map_or(Source::Starter, |source| tasks::source(source));
    Ok((source, numbers.first().copied()))
}
