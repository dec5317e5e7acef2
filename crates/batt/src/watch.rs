//! `--profile` of a command: where its time goes, step by step, if somebody wants to know.

use std::io::Write;
use std::time::{Duration, Instant};

use batt_card::Card;
use batt_core::Task;
use batt_engine::{Evaluation, Inputs, Limits, NoProbe, OnUndefined};
use batt_profile::{Gather, One, Profile, RunFacts, Sampled, Session, Step, Stopwatch, Work, views};
use batt_program::{ContentHash, Program};
use batt_run::{Contender, Progress, RunError, RunOptions, RunReport, TaskReport};

use crate::args::ProfileRequest;
use crate::files::write_whole_soon;
use crate::output::{Output, one_line, short_time};

/// How much of a name is shown.
const LONGEST: usize = 60;
/// So many rows a command tells of its own accord.
const SAID: usize = 8;

/// What a profile takes besides watching: finding out what that costs, putting the profile together, and writing it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Besides {
    time: Duration,
    /// The part of it while the command goes on.
    meanwhile: Duration,
}

impl Besides {
    /// Does something for the profile, before the command or after it.
    pub(crate) fn take<R>(&mut self, work: impl FnOnce() -> R) -> R {
        let started = Instant::now();
        let result = work();
        self.time += started.elapsed();
        result
    }

    /// Does something for the profile while the command goes on.
    pub(crate) fn take_meanwhile<R>(&mut self, work: impl FnOnce() -> R) -> R {
        let before = self.time;
        let result = self.take(work);
        self.meanwhile += self.time.saturating_sub(before);
        result
    }

    /// How long the command itself took, which began then.
    pub(crate) fn wall(&self, started: Instant) -> Duration {
        started.elapsed().saturating_sub(self.meanwhile)
    }
}

/// Watches a command, or does nothing.
pub(crate) struct Watch {
    started: Instant,
    /// When the last thing was done that is told of.
    until: Instant,
    session: Option<Session>,
    facts: RunFacts,
    besides: Besides,
}

impl Watch {
    /// Begins to watch, if it was asked for.
    pub(crate) fn begin(asked: ProfileRequest<'_>) -> Self {
        let besides = get_ready(asked);
        let session = asked.is_asked().then(Session::default);
        let started = Instant::now();
        Self { started, until: started, session, facts: RunFacts::default(), besides }
    }

    /// Something is done now that is told of: what came since the last was getting ready for it.
    fn go_on(&mut self) {
        if let Some(session) = &mut self.session {
            session.alone(Step::GetReady, self.until.elapsed());
        }
    }

    /// Does something, and takes the time.
    pub(crate) fn step<R>(&mut self, step: Step, work: impl FnOnce() -> R) -> R {
        self.go_on();
        let Some(session) = &mut self.session else { return work() };
        let stopwatch = Stopwatch::start();
        let result = work();
        session.alone(step, stopwatch.took());
        self.until = Instant::now();
        result
    }

    /// Something was done that took so long.
    pub(crate) fn took(&mut self, step: Step, time: Duration) {
        if let Some(session) = &mut self.session {
            session.alone(step, time);
            self.until = Instant::now();
        }
    }

    /// Several threads did something, all together for `thread_time`.
    pub(crate) fn together(&mut self, step: Step, times: usize, wall: Duration, threads: usize, thread_time: Duration) {
        if let Some(session) = &mut self.session {
            session.together(wall, threads, &[Work::Step(step, times as u64, thread_time)]);
            self.until = Instant::now();
        }
    }

    /// A part of that was done for single tasks.
    pub(crate) fn for_tasks(&mut self, step: Step, tasks: &[(&Task, Duration)]) {
        if let Some(session) = &mut self.session {
            self.besides.take_meanwhile(|| session.for_tasks(step, tasks));
            self.until = Instant::now();
        }
    }

    /// Runs the programs of a card on tasks.
    pub(crate) fn run_card(
        &mut self,
        tasks: &[Task],
        card: &Card,
        options: &RunOptions,
        made_in: Duration,
        progress: Progress<'_>,
    ) -> Result<RunReport, RunError> {
        self.go_on();
        let Some(session) = &mut self.session else { return batt_run::run_card(tasks, card, options, made_in, progress) };
        let watched = batt_run::run_card_watched::<Sampled>(tasks, card, options, made_in, progress)?;
        let report = self.besides.take_meanwhile(|| session.run(watched, tasks, card));
        self.until = Instant::now();
        self.facts.add_runs(&report.tasks);
        Ok(report)
    }

    /// Proposes outputs for tasks, from programs of their own.
    pub(crate) fn propose(
        &mut self,
        tasks: &[Task],
        programs: &[Vec<Contender>],
        options: &RunOptions,
    ) -> Result<Vec<TaskReport>, RunError> {
        self.go_on();
        let Some(session) = &mut self.session else { return batt_run::propose(tasks, programs, options) };
        let watched = batt_run::propose_watched::<Sampled>(tasks, programs, options)?;
        let reports = self.besides.take_meanwhile(|| {
            // Programs of a store have no names but their hashes.
            let name = |contender: &Contender| ContentHash::of(&contender.program).to_string();
            let names: Vec<Vec<String>> = programs.iter().map(|programs| programs.iter().map(name).collect()).collect();
            session.proposals(watched, tasks, &names)
        });
        self.until = Instant::now();
        self.facts.add_runs(&reports);
        Ok(reports)
    }

    /// Runs one program on one sample.
    pub(crate) fn run_one(&mut self, program: &Program, inputs: Inputs<'_>, rules: (Limits, OnUndefined), of: One<'_>) -> Evaluation {
        let (limits, on_undefined) = rules;
        self.go_on();
        let Some(session) = &mut self.session else {
            return batt_run::run_one_watched::<NoProbe>(program, inputs, limits, on_undefined).evaluation;
        };
        let watched = batt_run::run_one_watched::<Sampled>(program, inputs, limits, on_undefined);
        let evaluation = self.besides.take_meanwhile(|| session.one(watched, of));
        self.until = Instant::now();
        self.facts.evaluations += 1;
        self.facts.fuel += evaluation.fuel;
        evaluation
    }

    /// Says where the time went: what it was about is known by now. With `aside`, stdout belongs to something else.
    pub(crate) fn tell(self, asked: ProfileRequest<'_>, about: RunFacts, aside: bool, out: &mut Output) -> anyhow::Result<()> {
        let Some(session) = self.session else { return Ok(()) };
        let Self { started, facts, mut besides, .. } = self;
        let facts = RunFacts {
            source: about.source,
            library: about.library,
            tasks: about.tasks,
            samples: about.samples,
            programs: about.programs,
            nodes: about.nodes,
            fits: about.fits,
            solved: about.solved,
            samples_right: about.samples_right,
            ..facts
        };
        let wall = besides.wall(started);
        let mut profile = besides.take(|| session.finish(facts, wall));
        keep(asked, &mut profile, &mut besides)?;
        say(&profile, &besides, aside, out)
    }
}

/// Finds out before the work what watching costs here and now.
pub(crate) fn get_ready(asked: ProfileRequest<'_>) -> Besides {
    let mut besides = Besides::default();
    if asked.is_asked() {
        besides.take(<Sampled>::cost);
    }
    besides
}

/// Writes a profile where it was asked for. What it took besides is said in it, but for the writing.
pub(crate) fn keep(asked: ProfileRequest<'_>, profile: &mut Profile, besides: &mut Besides) -> anyhow::Result<()> {
    profile.making_s = besides.time.as_secs_f64();
    match asked {
        ProfileRequest::InFile(path) => besides.take(|| write_whole_soon(path, profile.to_json(true)?.as_bytes())),
        _ => Ok(()),
    }
}

/// Says the most important of a profile, and what it took besides. With `aside`, stdout belongs to something else.
pub(crate) fn say(profile: &Profile, besides: &Besides, aside: bool, out: &mut Output) -> anyhow::Result<()> {
    let rows = profile.rows.iter().take(SAID).map(|row| format!("  {:5.1}%  {}", row.share * 100.0, one_line(&row.name, LONGEST)));
    let took = format!("the profile itself took {} more: calibrating, assembling and writing it", short_time(besides.time));
    for line in views::summary(profile).into_iter().chain([took]).chain(rows) {
        if aside { out.note(line) } else { writeln!(out, "{line}")? }
    }
    Ok(())
}

/// What a command is about, for its profile. Without places, the programs are those of the starter library.
pub(crate) fn about(source: &impl ToString, places: &[impl ToString], tasks: &[Task], programs: usize) -> RunFacts {
    let places: Vec<String> = places.iter().map(ToString::to_string).collect();
    RunFacts {
        source: source.to_string(),
        library: if places.is_empty() { "starter".to_owned() } else { places.join(" ") },
        tasks: tasks.len() as u64,
        samples: tasks.iter().map(|task| task.samples() as u64).sum(),
        programs: programs as u64,
        ..RunFacts::default()
    }
}
