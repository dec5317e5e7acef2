//! `batt evolve`: generation after generation until the budget is spent, each saved before anything is said about it.
//!
//! A generation is saved while the next one is made. A process that is killed then loses the one that was being saved, of which nobody has
//! heard.

mod configuration;
mod plot;
mod profile;
mod report;
mod save;
mod watch;

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use batt_core::Task;
use batt_engine::{NoProbe, Probe};
use batt_profile::{ByPrimitive, RunFacts};
use batt_program::{Program, canonical_text, parse_file};
use batt_search::Contender;
use batt_search::evolve::{Evolution, GenerationReport, Kept, Member, Source, Standing, StepTimes};
use batt_store::{Access, Generation, Import, NewRun, RunId, Store};
use serde_json::json;

use super::Status;
use super::submit::{Limit, submission_text};
use crate::args::{Asked, EvolveArgs};
use crate::device::{self, Lent};
use crate::files::write_whole;
use crate::interrupt;
use crate::output::{Output, Tone, count, grouped, short_time};
use crate::programs::read_programs;
use crate::table::{Align, Table};
use crate::tasks;
use crate::watch::{get_ready, keep, say};
use configuration::Configuration;
use watch::Watch;

/// How often a submission is written while a run goes on.
const SUBMISSION_EVERY: Duration = Duration::from_secs(20);

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StopReason {
    Time,
    Generations,
    Evaluations,
    Interrupted,
}

impl StopReason {
    fn words(self) -> &'static str {
        match self {
            Self::Time => "the time is over",
            Self::Generations => "all generations are done",
            Self::Evaluations => "all evaluations are done",
            Self::Interrupted => "interrupted",
        }
    }
}

/// Evolves programs.
pub(super) fn evolve(args: &EvolveArgs, out: &mut Output) -> anyhow::Result<Status> {
    if args.report {
        return report::report(&args.store, args.plots.as_deref(), out);
    }
    let mut besides = get_ready(args.watch.asked())?;
    let started = Instant::now();
    interrupt::finish_generation_first();
    let mut store = Store::open(&args.store, Access::Create)?;
    let resumed = if args.resume { store.runs()?.pop() } else { None };
    let configuration = match &resumed {
        Some(run) => Configuration::of_run(run, args)?,
        None => Configuration::of_args(args),
    };
    let loaded = tasks::load(&tasks::source(std::ffi::OsStr::new(&configuration.tasks)))?;
    let (programs, bad) = read_programs(&configuration.programs);
    let mut skipped = loaded.skipped;
    skipped.extend(bad);
    tasks::warn_of_skipped(&skipped, out);
    anyhow::ensure!(!programs.is_empty(), "there is no program to start from");
    let all = configuration.shard(loaded.tasks);
    anyhow::ensure!(!all.is_empty(), "there is no task");
    let configuration = configuration.with_inputs(&all, &programs);

    // Before anything is begun: a device that was asked for must be there.
    let devices = Lent::ask(&args.device, &all, configuration.options(args)?.limits)?;
    let run = if let Some(run) = &resumed {
        configuration.check_fits(run)?;
        run.id
    } else {
        store.import(&imports(&programs))?;
        store.begin_run(&NewRun {
            seed: configuration.seed,
            configuration: configuration.to_json(),
            batt_version: env!("CARGO_PKG_VERSION").to_owned(),
            table_hash: batt_program::table_hash().to_string(),
            tasks: all.iter().map(|task| task.id.clone()).collect(),
            unix_ms: save::now(),
        })?
    };
    let mut session = Session { args, out, store, run, started, tasks: &all, submitted: None, devices };
    let (is_resumed, load) = (resumed.is_some(), started.elapsed());
    let reason = if args.watch.asked() == Asked::Nothing {
        let (evolution, times) = session.start::<NoProbe>(&programs, &configuration, is_resumed)?;
        session.go_on(evolution, times, |_| {})?.0
    } else {
        let mut seen = profile::Seen::new(all.len());
        let (evolution, times) = session.start::<ByPrimitive>(&programs, &configuration, is_resumed)?;
        let mut demos_right = vec![0; all.len()];
        let see = |evolution: &mut Evolution<ByPrimitive>| {
            besides.take_meanwhile(|| seen.add(&evolution.take_watched()));
            for (task, right) in demos_right.iter_mut().enumerate() {
                *right = evolution.members(task).first().map_or(0, |best| u64::from(best.fitness.demos_right));
            }
        };
        let (reason, times) = session.go_on(evolution, times, see)?;
        let facts = RunFacts { evaluations: seen.evaluations(), ..configuration.facts(&all, programs.len(), args.threads) };
        let wall = besides.wall(started);
        let mut profile = besides.take(|| profile::of(&seen, &all, &demos_right, &times, facts, load, wall));
        if let Some(report) = session.devices.as_ref().and_then(Lent::report) {
            profile.gpu = profile::gpu(&report.usage);
        }
        keep(args.watch.asked(), &mut profile, &mut besides)?;
        say(&profile, &besides, args.json_to_stdout(), session.out)?;
        reason
    };
    if reason == StopReason::Interrupted {
        session.out.flush()?;
        std::process::exit(interrupt::STATUS);
    }
    Ok(Status::good_if(skipped.is_empty()))
}

fn imports(programs: &[Program]) -> Vec<Import> {
    let import = |program: &Program| Import { name: program.name().to_owned(), text: canonical_text(program), source: "evolve".to_owned() };
    programs.iter().map(import).collect()
}

/// One process that evolves.
struct Session<'a> {
    args: &'a EvolveArgs,
    out: &'a mut Output,
    store: Store,
    run: RunId,
    started: Instant,
    tasks: &'a [Task],
    /// When the submission was written.
    submitted: Option<Instant>,
    /// What judges programs beside this processor.
    devices: Option<Lent>,
}

/// Where the time of a session went. Generations have the time of all threads; the rest is of one.
#[derive(Default)]
struct Times {
    generations: StepTimes,
    /// Wall time of the generations.
    together: Duration,
    /// For which generations waited for the store. It saves while the next one is made.
    store: Duration,
    submission: Duration,
    steps: u64,
}

/// A generation that is made and not yet saved.
struct Made {
    generation: Generation,
    report: GenerationReport,
    standing: Standing,
}

impl Session<'_> {
    /// The evolution as it was left, or after the first programs were tried.
    fn start<P: Probe>(
        &mut self,
        programs: &[Program],
        configuration: &Configuration,
        resumed: bool,
    ) -> anyhow::Result<(Evolution<P>, Times)> {
        let mut times = Times::default();
        let options = configuration.options(self.args)?;
        if let Some((_, checkpoint)) = self.store.checkpoint(self.run)? {
            let mut pools = Vec::with_capacity(self.tasks.len());
            for task in self.tasks {
                let pool = self.store.pool(self.run, &task.id)?;
                let kept = |ranked: batt_store::Ranked| {
                    let fitness = save::fitness(&ranked.score?);
                    Some(Kept { text: ranked.program.text, fitness })
                };
                pools.push(pool.into_iter().map(kept).collect::<Option<Vec<Kept>>>().ok_or_else(|| {
                    anyhow::anyhow!("{}: a program of the pool of {} has no score", self.store.path().display(), task.id)
                })?);
            }
            let seen = self.store.seen(self.run)?;
            let evolution = Evolution::resume_watched(self.tasks, programs, options, &checkpoint, pools, &seen)?;
            self.out.note(format_args!("going on after generation {}", grouped(evolution.standing().generations)));
            return Ok((evolution, times));
        }
        if self.args.resume && !resumed {
            self.out.note("there is no run to go on with: beginning one");
        }
        let trying = Instant::now();
        let (evolution, report) = Evolution::watched(self.tasks, programs, options)?;
        times.together += trying.elapsed();
        times.generations.add(&report.times);
        let saving = Instant::now();
        self.store.save_generation(self.run, &save::generation(&evolution, &report))?;
        times.store += saving.elapsed();
        Ok((evolution, times))
    }

    /// Makes generations until there is a reason to stop.
    fn go_on<P: Probe>(
        &mut self,
        mut evolution: Evolution<P>,
        mut times: Times,
        mut see: impl FnMut(&mut Evolution<P>),
    ) -> anyhow::Result<(StopReason, Times)> {
        if let Some(devices) = &self.devices {
            evolution.accelerate(Box::new(devices.clone()));
        }
        let first = evolution.standing();
        let mut watch = Watch::new(self.args, self.started, &first);
        see(&mut evolution);
        self.write_submission(&evolution, &mut times)?;
        let mut unsaved: Option<Made> = None;
        let reason = loop {
            if let Some(reason) = self.reason_to_stop(&evolution) {
                break reason;
            }
            let report = self.step_and_save(&mut evolution, unsaved.as_ref(), &mut times)?;
            if let Some(saved) = unsaved.take() {
                self.tell_of(&evolution, &saved, &mut watch)?;
            }
            see(&mut evolution);
            times.generations.add(&report.times);
            times.steps += 1;
            let preparing = Instant::now();
            let generation = save::generation(&evolution, &report);
            times.store += preparing.elapsed();
            let made = Made { generation, report, standing: evolution.standing() };
            if self.submitted.is_some_and(|at| at.elapsed() > SUBMISSION_EVERY) {
                // What is submitted is in the store.
                self.save(&made, &mut times)?;
                self.tell_of(&evolution, &made, &mut watch)?;
                self.write_submission(&evolution, &mut times)?;
            } else {
                unsaved = Some(made);
            }
        };
        if let Some(last) = unsaved {
            self.save(&last, &mut times)?;
            self.tell_of(&evolution, &last, &mut watch)?;
        }
        watch.finish();
        self.write_submission(&evolution, &mut times)?;
        let standing = evolution.standing();
        self.summary(&evolution, &first, &times, reason)?;
        if let Some(path) = &self.args.json {
            let text = self.json(&standing, &first, reason)?;
            if path == Path::new("-") { self.out.write_all(text.as_bytes())? } else { write_whole(path, text.as_bytes())? }
        }
        Ok((reason, times))
    }

    fn reason_to_stop<P: Probe>(&self, evolution: &Evolution<P>) -> Option<StopReason> {
        let standing = evolution.standing();
        if interrupt::requested() {
            return Some(StopReason::Interrupted);
        }
        if self.args.generations.is_some_and(|most| standing.generations >= most) {
            return Some(StopReason::Generations);
        }
        if self.args.evaluations.is_some_and(|most| standing.evaluations >= most) {
            return Some(StopReason::Evaluations);
        }
        self.args.time.is_some_and(|most| self.started.elapsed() >= most).then_some(StopReason::Time)
    }

    /// Makes a generation, and meanwhile saves the one before.
    fn step_and_save<P: Probe>(
        &mut self,
        evolution: &mut Evolution<P>,
        before: Option<&Made>,
        times: &mut Times,
    ) -> anyhow::Result<GenerationReport> {
        let (store, run) = (&mut self.store, self.run);
        let stepping = Instant::now();
        let (report, waiting, saved) = std::thread::scope(|scope| {
            let saving = before.map(|made| scope.spawn(move || store.save_generation(run, &made.generation)));
            let report = evolution.step();
            times.together += stepping.elapsed();
            let waiting = Instant::now();
            (report, waiting, saving.map(std::thread::ScopedJoinHandle::join))
        });
        times.store += waiting.elapsed();
        if let Some(saved) = saved {
            saved.map_err(|_| anyhow::anyhow!("saving a generation broke off"))??;
        }
        Ok(report)
    }

    fn save(&mut self, made: &Made, times: &mut Times) -> anyhow::Result<()> {
        let saving = Instant::now();
        self.store.save_generation(self.run, &made.generation)?;
        times.store += saving.elapsed();
        Ok(())
    }

    /// Says how it goes, and what a generation solved that is in the store.
    fn tell_of<P: Probe>(&mut self, evolution: &Evolution<P>, made: &Made, watch: &mut Watch) -> anyhow::Result<()> {
        watch.note(&made.standing, self.out);
        watch.suspend(|| self.tell(evolution, &made.report))
    }

    /// Says what was solved. It is in the store already.
    fn tell<P: Probe>(&mut self, evolution: &Evolution<P>, report: &GenerationReport) -> anyhow::Result<()> {
        if self.args.json_to_stdout() {
            return Ok(());
        }
        for (task, hash) in &report.solved {
            let entry = report.entries.iter().find(|entry| entry.hash == *hash && entry.task == *task);
            let by = entry.map_or("", |entry| entry.source.name());
            let size = entry.map_or(0, |entry| entry.fitness.size);
            let name = evolution.task_name(*task);
            writeln!(self.out, "{} {name} by {hash} ({by}, {})", self.out.paint(Tone::Good, "solved"), count(size, "call"))?;
        }
        self.out.flush()?;
        Ok(())
    }

    fn write_submission<P: Probe>(&mut self, evolution: &Evolution<P>, times: &mut Times) -> anyhow::Result<()> {
        let Some(path) = &self.args.submission else { return Ok(()) };
        let started = Instant::now();
        let contenders = |member: &Member| {
            let found = member.found;
            parse_file(&member.text).programs.into_iter().map(move |program| Contender::found(program, found))
        };
        let programs: Vec<Vec<Contender>> =
            (0..self.tasks.len()).map(|task| evolution.members(task).iter().flat_map(contenders).collect()).collect();
        let limit = Limit { fuel: self.args.fuel, threads: self.args.threads };
        write_whole(path, submission_text(self.tasks, &programs, limit)?.as_bytes())?;
        self.submitted = Some(Instant::now());
        times.submission += started.elapsed();
        Ok(())
    }

    fn summary<P: Probe>(&mut self, evolution: &Evolution<P>, first: &Standing, times: &Times, reason: StopReason) -> anyhow::Result<()> {
        let standing = evolution.standing();
        let elapsed = self.started.elapsed();
        let done = standing.evaluations - first.evaluations;
        let rate = (done as f64 / elapsed.as_secs_f64()) as u64;
        self.out.note(format_args!(
            "{}: {} in all, {} here in {} ({} a second)",
            reason.words(),
            count(standing.generations, "generation"),
            count(done, "evaluation"),
            short_time(elapsed),
            grouped(rate)
        ));
        self.out.note(format_args!(
            "right on all demos: {} of {} ({} at the start); {} kept, {}.{} calls on average",
            grouped(standing.solved),
            count(standing.tasks, "task"),
            grouped(first.solved),
            count(standing.distinct_behaviours, "program"),
            standing.mean_size_milli / 1000,
            standing.mean_size_milli % 1000 / 100
        ));
        if let Some(report) = self.devices.as_ref().and_then(Lent::report) {
            device::tell(&report, self.out);
        }
        let StepTimes { breed, card, batt, keep, .. } = times.generations;
        let total = (breed + card + batt + keep + times.store).as_secs_f64().max(1e-9);
        let share = |part: Duration| format!("{:.1}%", 100.0 * part.as_secs_f64() / total);
        self.out.note(format_args!(
            "thread time: cards and programs {}, making programs {}, keeping {}, waiting for the store {}",
            share(card + batt),
            share(breed),
            share(keep),
            share(times.store)
        ));
        if self.args.json_to_stdout() {
            return Ok(());
        }
        let mut table = Table::new([
            ("operator", Align::Left),
            ("tried", Align::Right),
            ("seen before", Align::Right),
            ("kept", Align::Right),
            ("solved", Align::Right),
            ("share now", Align::Right),
        ]);
        let totals = self.store.operator_totals(self.run)?;
        for source in Source::all() {
            let Some(uses) = totals.iter().find(|uses| uses.operator == source.name()) else { continue };
            let now = match source {
                Source::Operator(operator) => format!("{:.1}%", evolution.bandit().share(operator) as f64 / 1e4),
                _ => String::new(),
            };
            table.plain_row([
                uses.operator.clone(),
                grouped(uses.tried),
                grouped(uses.duplicates),
                grouped(uses.improved),
                grouped(uses.solved),
                now,
            ]);
        }
        let look = self.out.look;
        table.print(self.out, look, 0)?;
        Ok(())
    }

    fn json(&self, standing: &Standing, first: &Standing, reason: StopReason) -> anyhow::Result<String> {
        let seconds = self.started.elapsed().as_secs_f64();
        let totals = self.store.operator_totals(self.run)?;
        let operators: serde_json::Map<String, serde_json::Value> = totals
            .iter()
            .map(|uses| {
                let row = json!({"tried": uses.tried, "duplicates": uses.duplicates, "kept": uses.improved, "solved": uses.solved});
                (uses.operator.clone(), row)
            })
            .collect();
        let value = json!({
            "run": self.run.0,
            "stopped": reason.words(),
            "generations": standing.generations,
            "evaluations": standing.evaluations,
            "evaluations_here": standing.evaluations - first.evaluations,
            "tasks": standing.tasks,
            "solved": standing.solved,
            "solved_at_start": first.solved,
            "total_score": standing.total_score,
            "kept": standing.distinct_behaviours,
            "operators": operators,
            "wall_s": seconds,
        });
        Ok(serde_json::to_string_pretty(&value)? + "\n")
    }
}
