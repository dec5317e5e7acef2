//! From what probes have seen to a profile.

use std::time::{Duration, Instant};

use batt_core::Task;
use batt_engine::Card;
use batt_run::{ProbedRun, RunReport};

use crate::collect::Gather;
use crate::processor::Took;
use crate::profile::{NodeRow, Profile, RunFacts};
use crate::session::{RunRecord, Session};
use crate::stage::Stage;
use crate::timeline::{Timeline, timeline_of};

/// Times of the steps before and after the programs ran.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// Reading tasks.
    pub load: Took,
    /// Reading and parsing programs.
    pub parse: Took,
    /// Merging programs, or reading the card.
    pub card: Took,
    /// Getting ready to run programs, and what comes between that and writing results.
    pub between: Took,
    /// Writing results.
    pub store: Took,
    /// All of it, with running programs.
    pub wall: Duration,
}

/// Tasks and programs of a run.
pub struct Subject<'a> {
    /// When it began.
    pub started: Instant,
    /// The tasks.
    pub tasks: &'a [Task],
    /// The card.
    pub card: &'a Card,
    /// The name of each program.
    pub names: &'a [String],
    /// Where the tasks came from.
    pub source: String,
    /// Where the programs came from.
    pub library: String,
}

/// A profile, and what is known beyond it as long as the run is not forgotten.
pub struct Recording {
    /// The profile.
    pub profile: Profile,
    /// When what was done.
    pub timeline: Timeline,
    /// Cost of every node of the programs' card, by its number.
    pub nodes: Vec<NodeRow>,
    /// Results of the run.
    pub report: RunReport,
}

/// Makes a profile of what probes have seen.
pub fn assemble<P: Gather>(watched: ProbedRun<P>, subject: &Subject<'_>, around: &Surroundings) -> Recording {
    let mut session = Session::new::<P>();
    session.alone(Stage::LoadTasks, around.load);
    session.alone(Stage::ParsePrograms, around.parse);
    session.alone(Stage::MakeCard, around.card);
    session.alone(Stage::GetReady, around.between);
    let RunRecord { report, gathered, nodes, differs } = session.seen_run(watched, subject.tasks, subject.card, subject.names);
    session.alone(Stage::WriteResults, around.store);
    let timeline = timeline_of(&gathered, subject, &differs, around);
    let profile = session.finish(run_facts(subject, &report), around.wall);
    Recording { profile, timeline, nodes, report }
}

fn run_facts(subject: &Subject<'_>, report: &RunReport) -> RunFacts {
    let mut facts = RunFacts {
        source: subject.source.clone(),
        library: subject.library.clone(),
        tasks: subject.tasks.len() as u64,
        samples: subject.tasks.iter().map(|task| task.samples() as u64).sum(),
        programs: subject.names.len() as u64,
        nodes: report.card.nodes as u64,
        ..RunFacts::default()
    };
    facts.add_runs(&report.tasks);
    facts.set_right(&report.tasks);
    facts
}
