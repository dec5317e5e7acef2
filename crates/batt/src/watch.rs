//! `--profile` of a command: where its time goes, step by step, if somebody wants to know.

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use batt_card::Card;
use batt_core::Task;
use batt_engine::{Evaluation, Inputs, Limits, NoProbe};
use batt_profile::{Gather, Profile, RunFacts, Sampled, Session, Step, Work, views};
use batt_program::Program;
use batt_search::{Contender, RunError, RunOptions, RunReport, TaskReport};

use crate::args::Asked;
use crate::files::{check_place, write_whole};
use crate::output::Output;

/// So many rows a command tells of its own accord.
const SAID: usize = 8;

/// Watches a command, or does nothing.
pub(crate) struct Watch {
    started: Instant,
    session: Option<Session>,
    facts: RunFacts,
}

impl Watch {
    /// Begins to watch, if it was asked for. A file that cannot be written is told now, before the work.
    pub(crate) fn begin(asked: Asked<'_>) -> anyhow::Result<Self> {
        get_ready(asked)?;
        let session = asked.is_asked().then(Session::default);
        Ok(Self { started: Instant::now(), session, facts: RunFacts::default() })
    }

    /// Does something, and takes the time.
    pub(crate) fn step<R>(&mut self, step: Step, work: impl FnOnce() -> R) -> R {
        let Some(session) = &mut self.session else { return work() };
        let started = Instant::now();
        let result = work();
        session.alone(step, started.elapsed());
        result
    }

    /// Something was done that took so long.
    pub(crate) fn took(&mut self, step: Step, time: Duration) {
        if let Some(session) = &mut self.session {
            session.alone(step, time);
        }
    }

    /// Several threads did something, all together for `thread_time`.
    pub(crate) fn together(&mut self, step: Step, times: usize, wall: Duration, threads: usize, thread_time: Duration) {
        if let Some(session) = &mut self.session {
            session.together(wall, threads, &[Work::Step(step, times as u64, thread_time)]);
        }
    }

    /// Runs the programs of a card on tasks.
    pub(crate) fn run_card(
        &mut self,
        tasks: &[Task],
        card: &Card,
        options: &RunOptions,
        made_in: Duration,
        progress: &(dyn Fn(&TaskReport) + Sync),
    ) -> Result<RunReport, RunError> {
        let Some(session) = &mut self.session else { return batt_search::run_card(tasks, card, options, made_in, progress) };
        let watched = batt_search::run_card_watched::<Sampled>(tasks, card, options, made_in, progress)?;
        let report = session.run(watched, card);
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
        let Some(session) = &mut self.session else { return batt_search::propose(tasks, programs, options) };
        let reports = session.proposals(batt_search::propose_watched::<Sampled>(tasks, programs, options)?);
        self.facts.add_runs(&reports);
        Ok(reports)
    }

    /// Runs one program on one sample.
    pub(crate) fn run_one(&mut self, program: &Program, inputs: Inputs<'_>, limits: Limits) -> Evaluation {
        let Some(session) = &mut self.session else {
            return batt_search::run_one_watched::<NoProbe>(program, inputs, limits).evaluation;
        };
        let evaluation = session.one(batt_search::run_one_watched::<Sampled>(program, inputs, limits));
        self.facts.evaluations += 1;
        self.facts.fuel += evaluation.fuel;
        evaluation
    }

    /// Says where the time went: what it was about is known by now. With `aside`, stdout belongs to something else.
    pub(crate) fn tell(self, asked: Asked<'_>, about: RunFacts, aside: bool, out: &mut Output) -> anyhow::Result<()> {
        let Some(session) = self.session else { return Ok(()) };
        let Self { started, facts, .. } = self;
        let facts = RunFacts {
            source: about.source,
            library: about.library,
            tasks: about.tasks,
            samples: about.samples,
            programs: about.programs,
            nodes: about.nodes,
            solved: about.solved,
            samples_right: about.samples_right,
            ..facts
        };
        tell(asked, &session.finish(facts, started.elapsed()), aside, out)
    }
}

/// Finds out before the work whether there is a place for the profile, and what watching costs here and now.
pub(crate) fn get_ready(asked: Asked<'_>) -> anyhow::Result<()> {
    if let Asked::InFile(path) = asked {
        check_place(path)?;
    }
    if asked.is_asked() {
        <Sampled>::cost();
    }
    Ok(())
}

/// Writes a profile where it was asked for, and says the most important of it. With `aside`, stdout belongs to something else.
pub(crate) fn tell(asked: Asked<'_>, profile: &Profile, aside: bool, out: &mut Output) -> anyhow::Result<()> {
    keep(asked, profile)?;
    say(profile, aside, out)
}

/// Writes a profile where it was asked for.
pub(crate) fn keep(asked: Asked<'_>, profile: &Profile) -> anyhow::Result<()> {
    match asked {
        Asked::InFile(path) => write_profile(path, profile),
        _ => Ok(()),
    }
}

/// Says the most important of a profile. With `aside`, stdout belongs to something else.
pub(crate) fn say(profile: &Profile, aside: bool, out: &mut Output) -> anyhow::Result<()> {
    let rows = profile.rows.iter().take(SAID).map(|row| format!("  {:5.1}%  {}", row.share * 100.0, row.name));
    for line in views::summary(profile).into_iter().chain(rows) {
        if aside { out.note(line) } else { writeln!(out, "{line}")? }
    }
    Ok(())
}

/// Writes a profile as JSON.
pub(crate) fn write_profile(path: &Path, profile: &Profile) -> anyhow::Result<()> {
    write_whole(path, profile.to_json(true)?.as_bytes())
}

/// What a command is about, for its profile. Without paths, the programs are those of the starter library.
pub(crate) fn about(source: &impl ToString, paths: &[impl AsRef<Path>], tasks: &[Task], programs: usize) -> RunFacts {
    let paths: Vec<String> = paths.iter().map(|path| path.as_ref().display().to_string()).collect();
    RunFacts {
        source: source.to_string(),
        library: if paths.is_empty() { "starter".to_owned() } else { paths.join(" ") },
        tasks: tasks.len() as u64,
        samples: tasks.iter().map(|task| task.samples() as u64).sum(),
        programs: programs as u64,
        ..RunFacts::default()
    }
}
