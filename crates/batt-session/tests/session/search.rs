//! Searches in a store: whatever ends a pass or a session, what was found stays, and a search goes on where it was left.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use batt_core::Task;
use batt_run::{Contender, Submission, propose};
use batt_search::{Budget, Found, Learnt, Proposal, Solver};
use batt_session::search::{Extent, Search, SearchObserver, SearchOptions};
use batt_session::{AnswersFile, BEST, BestPrograms, OpenError, SearchReport, SearchRequest, open_search, submission, submission_options};
use batt_store::{Access, RunId, Store, StoreError};
use batt_vision::Puzzle;
use proptest::prelude::*;

/// Outcome of a pass.
#[derive(Clone, Copy, Debug)]
enum Act {
    /// A solver proposes the program of this number.
    Propose(usize),
    /// Nothing.
    Nothing,
    /// Somebody asks for an end while the task is searched.
    Stop,
    /// The solver panics.
    Panic,
}

/// Programs: those that fit, with different outputs of the test, and those that do not. Columns do not get that far in these tests.
const FITTING: usize = 3;

fn program(number: usize) -> String {
    let (mirror, from, to) = [("vmirror", 4, 4), ("vmirror", 4, 5), ("vmirror", 4, 6), ("hmirror", 4, 4), ("rot90", 4, 1)][number];
    format!(
        "def f(I):\n    x1 = {mirror}(I)\n    x2 = replace(x1, 1, 9)\n    x3 = hconcat(x2, I)\n    x4 = vconcat(x3, x3)\n    x5 = replace(x4, {from}, {to})\n    \
         x6 = astuple(0, 1)\n    O = fill(x5, 7, initset(x6))\n    return O\n"
    )
}

const PROGRAMS: usize = 5;

/// A solver that does what a script says, an act a pass.
#[derive(Debug, Default)]
struct Scripted {
    script: Mutex<Vec<Act>>,
    stop: Arc<AtomicBool>,
}

impl Solver for Scripted {
    fn name(&self) -> &'static str {
        "scripted"
    }

    fn propose(&self, _: &Puzzle, _: &Budget<'_>) -> Vec<Proposal> {
        let act = self.script.lock().unwrap().pop().unwrap_or(Act::Nothing);
        match act {
            Act::Propose(program) => vec![Proposal {
                program: batt_testing::program(&self::program(program)),
                cost: 3_000 + 400 * program as u32,
                foretold: 1,
                support: 0,
                families: 0,
                family: ["rule-cells", "rule-lines", "rule-pick"][program % 3],
                is_part: false,
            }],
            Act::Nothing => Vec::new(),
            Act::Stop => {
                self.stop.store(true, Ordering::Relaxed);
                Vec::new()
            }
            Act::Panic => panic!("as the script says"),
        }
    }
}

#[derive(Default)]
struct Quiet;

impl SearchObserver for Quiet {
    type Error = StoreError;

    fn searched(&mut self, _: usize, _: usize, _: &Search<'_>) -> Result<(), StoreError> {
        Ok(())
    }

    fn begins(&mut self, _: usize, _: usize) {}
}

/// A task that the first programs fit. Its test has a colour that the demos do not have, and that they exchange.
fn tasks() -> Vec<Task> {
    let demos = ["123 -> 379123 329123", "812 -> 278812 298812"];
    vec![batt_testing::task("one", &demos, &["1234"])]
}

fn options(columns: u64) -> SearchOptions {
    SearchOptions { extent: Extent::Columns(columns), memory: 64 << 20, threads: 1 }
}

fn request(resume: bool) -> SearchRequest {
    SearchRequest { source: "here".to_owned(), resume, ..SearchRequest::default() }
}

fn open<'t>(path: &Path, tasks: &'t [Task], columns: u64, resume: bool) -> Search<'t> {
    let mut store = Store::open(path, Access::Create).unwrap();
    let run = open_search(&mut store, &request(resume), tasks).unwrap();
    Search::open(tasks, options(columns), Learnt::embedded(), Some((store, run))).unwrap()
}

/// Searches as a script says, from its end, with so many columns.
fn session<'t>(search: Search<'t>, acts: &[Act]) -> Search<'t> {
    let stop = Arc::new(AtomicBool::new(false));
    let scripted = Scripted { script: Mutex::new(acts.to_vec()), stop: Arc::clone(&stop) };
    let mut search = search.with_solvers(vec![Box::new(scripted)]);
    search.run(Instant::now(), &stop, &mut Quiet).unwrap();
    search.with_solvers(Vec::new())
}

/// The outputs of all programs that fit the first task.
fn fitting(search: &Search<'_>) -> BTreeSet<String> {
    let fits = search.states[0].answers.found.iter().filter(|found| found.fits());
    fits.map(|found| format!("{:?}", found.outputs)).collect()
}

fn probabilities(found: &[Found]) -> Vec<(String, Option<f64>)> {
    found.iter().map(|found| (found.family.to_string(), found.probability)).collect()
}

/// The submission that `batt submit` makes.
fn submitted(store: &Store, tasks: &[Task]) -> Submission {
    let learnt = Learnt::embedded();
    let best = BestPrograms::of_store(store, tasks, BEST, learnt).unwrap();
    let options = submission_options(batt_engine::Limits::default(), batt_engine::OnUndefined::Propagate, 1);
    let reports = propose(tasks, &best.others, &options).unwrap();
    submission(tasks.iter().zip(&best.answers(&reports)), learnt)
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![4 => (0..PROGRAMS).prop_map(Act::Propose), 2 => Just(Act::Nothing), 2 => Just(Act::Stop), 1 => Just(Act::Panic)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn fits_only_grow_with_any_passes_cuts_and_resumes(acts in prop::collection::vec((act(), 0..3u8), 1..10)) {
        // A panic is part of the script, and needs no trace.
        std::panic::set_hook(Box::new(|_| {}));
        let folder = tempfile::tempdir().unwrap();
        let (path, tasks) = (folder.path().join("s"), tasks());
        let mut expected: BTreeSet<String> = BTreeSet::new();
        let mut most_columns = 0;
        for (number, (act, kind)) in acts.into_iter().enumerate() {
            // The first session, a new run, or the last run with more columns.
            let search = open(&path, &tasks, 20 + 5 * number as u64, kind > 0);
            prop_assert!(fitting(&search).is_superset(&expected), "{act:?} opened without what was stored");
            let search = session(search, &[act]);
            let found = fitting(&search);
            prop_assert!(found.is_superset(&expected), "{act:?} lost a fit");
            if let Act::Propose(program) = act {
                prop_assert!(program >= FITTING || !found.is_empty());
            }
            expected = found;
            let columns = search.states[0].progress.columns;
            prop_assert!(kind == 0 || columns >= most_columns || !search.is_resumed());
            most_columns = columns;
            let report = SearchReport::new(&tasks, &search, std::time::Duration::ZERO);
            prop_assert_eq!(report.fits.is_empty(), expected.is_empty());
            let sum: f64 = search.states[0].answers.found.iter().filter_map(|found| found.probability).sum();
            prop_assert!(sum <= 1.0, "{sum}");
            // The store has the same, in the same order, as likely, and gives the same submission.
            let store = search.store().unwrap();
            let again = Search::open(&tasks, options(1), Learnt::embedded(), Some((Store::open(&path, Access::Write).unwrap(), RunId(1)))).unwrap();
            prop_assert_eq!(probabilities(&again.states[0].answers.found), probabilities(&search.states[0].answers.found));
            prop_assert_eq!(submitted(store, &tasks), search.submission());
            prop_assert_eq!(again.submission(), search.submission());
        }
    }
}

#[test]
fn a_search_that_was_stopped_goes_on_with_the_tasks_that_were_in_progress() {
    let folder = tempfile::tempdir().unwrap();
    let (path, tasks) = (folder.path().join("s"), tasks());
    let search = session(open(&path, &tasks, 30, false), &[Act::Stop]);
    assert_eq!((&*search.states[0].progress.end, search.states[0].progress.passes), ("stopped", 1));
    let search = session(open(&path, &tasks, 30, true), &[Act::Propose(0)]);
    let progress = &search.states[0].progress;
    assert!(search.is_resumed() && fitting(&search).len() == 1);
    assert_eq!((&*progress.end, progress.passes), ("columns", 2), "the report has the passes of both sessions");
    assert!(progress.columns >= 30);
    // All that was asked for is done.
    let search = session(open(&path, &tasks, 30, true), &[Act::Propose(1)]);
    assert_eq!((search.states[0].progress.passes, fitting(&search).len()), (2, 1));
    // Somebody asks for more. The answer did not convince.
    let search = session(open(&path, &tasks, 60, true), &[Act::Propose(1)]);
    assert_eq!((search.states[0].progress.passes, fitting(&search).len()), (3, 2));
}

#[test]
fn a_task_that_changed_under_its_id_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let (path, tasks) = (folder.path().join("s"), tasks());
    session(open(&path, &tasks, 30, false), &[Act::Propose(0)]);
    let mut changed = tasks.clone();
    changed[0].demos.truncate(1);
    changed[0].demos[0].output = batt_testing::grid("9");
    let mut store = Store::open(&path, Access::Write).unwrap();
    let error = open_search(&mut store, &request(true), &changed).unwrap_err();
    assert!(matches!(&error, OpenError::ChangedTask { id, .. } if id == "one"), "{error}");
    // The outputs of its tests are nothing that a search knows.
    let mut graded = tasks;
    graded[0].tests[0].output = Some(batt_testing::grid("9"));
    open_search(&mut store, &request(true), &graded).unwrap();
    // Programs are run on the task as it is now: what fitted the other one is no answer.
    drop(store);
    assert_eq!(fitting(&open(&path, &changed, 1, false)).len(), 0);
}

#[test]
fn a_weaker_run_keeps_better_answers() {
    let folder = tempfile::tempdir().unwrap();
    let (path, tasks) = (folder.path().join("s"), tasks());
    let strong = session(open(&path, &tasks, 30, false), &[Act::Propose(0)]);
    let mut file = AnswersFile::default();
    file.take(&strong);
    // Into the same store.
    let weak = session(open(&path, &tasks, 10, false), &[Act::Propose(3)]);
    assert_eq!((weak.fits(), weak.kept()), (1, 1));
    assert_eq!(weak.submission().tasks["one"][0].attempt_1, strong.submission().tasks["one"][0].attempt_1);
    // Into the same folder, without a store.
    let mut weak = Search::open(&tasks, options(10), Learnt::embedded(), None).unwrap();
    AnswersFile::parse(&file.to_text().unwrap()).unwrap().give(&mut weak);
    let weak = session(weak, &[Act::Propose(3)]);
    assert_eq!((weak.fits(), weak.kept()), (1, 1));
    file.take(&weak);
    assert!(file.to_text().unwrap().contains("vmirror"));
    // Into a store that does not have them, even if nothing is left to search.
    let other = folder.path().join("other");
    drop(session(open(&other, &tasks, 10, false), &[Act::Propose(3)]));
    let mut done = open(&other, &tasks, 10, true);
    AnswersFile::parse(&file.to_text().unwrap()).unwrap().give(&mut done);
    let submission = session(done, &[]).submission();
    assert_eq!(submission.tasks["one"][0].attempt_1, strong.submission().tasks["one"][0].attempt_1);
    assert_eq!(submitted(&Store::open(&other, Access::Read).unwrap(), &tasks), submission);
    // A run that finds the answer too keeps nothing.
    let equal = session(open(&path, &tasks, 30, false), &[Act::Propose(0)]);
    assert_eq!(equal.kept(), 0);
}

#[test]
fn shards_are_joined_by_their_stores() {
    let folder = tempfile::tempdir().unwrap();
    let mut tasks = tasks();
    tasks.push(Task { id: "two".to_owned(), ..tasks[0].clone() });
    let [first, second, all] = ["1", "2", "all"].map(|name| folder.path().join(name));
    let shards = [(&first, &tasks[..1], 0), (&second, &tasks[1..], 1)];
    let mut submissions = Submission::default();
    for (path, tasks, program) in shards {
        let search = session(open(path, tasks, 30, false), &[Act::Propose(program)]);
        submissions.tasks.extend(search.submission().tasks);
    }
    let mut merged = Store::open(&all, Access::Create).unwrap();
    for path in [&first, &second, &first] {
        merged.merge(&Store::open(path, Access::Read).unwrap()).unwrap();
    }
    assert_eq!(submitted(&merged, &tasks), submissions);
    // A merged search goes on where it was.
    drop(merged);
    let search = session(open(&all, &tasks[1..], 60, true), &[Act::Propose(2)]);
    assert_eq!((search.states[0].progress.passes, fitting(&search).len()), (2, 2));
}

#[test]
fn an_output_of_another_program_replaces_no_guess_that_is_more_likely_and_an_evolved_one_none() {
    let folder = tempfile::tempdir().unwrap();
    let (path, tasks) = (folder.path().join("s"), tasks());
    session(open(&path, &tasks, 30, false), &[Act::Propose(0)]);
    let search = session(open(&path, &tasks, 60, true), &[Act::Propose(1)]);
    let (task, learnt) = (&tasks[0], Learnt::embedded());
    let mut answers = search.states[0].answers.clone();
    let grid = batt_testing::grid("5");
    let order = batt_engine::OrderMark::Free;
    answers.others = vec![vec![batt_run::RankedOutput { grid: grid.clone(), program: 0, demos_right: 2, score: 2_000, order, votes: 1 }]];
    let written = Contender::found(search.states[0].answers.found[0].program.clone(), 0);
    for (second, evolved, is_kept) in [(0.2, true, true), (0.001, true, true), (0.001, false, false)] {
        answers.contenders = vec![Contender { evolved, ..written.clone() }];
        answers.found[0].probability = Some(0.5);
        answers.found[1].probability = Some(second);
        let guesses = &answers.attempts(task, learnt)[0];
        let rows = |found: &Found| found.outputs[0].rows().map(<[i8]>::to_vec).collect::<Vec<_>>();
        assert_eq!(guesses.attempt_1, rows(&answers.found[0]));
        assert_eq!(guesses.attempt_2 == rows(&answers.found[1]), is_kept);
        let ranked = answers.ranked(task, 0, learnt);
        let sum: f64 = ranked.iter().filter_map(|choice| choice.probability).sum();
        assert!(ranked.iter().any(|choice| choice.grid == &grid) && sum <= 1.0, "{sum}");
    }
    // Where search has one answer, it is the second guess, and the first where there is none.
    answers.contenders = vec![Contender { evolved: true, ..written }];
    answers.found.truncate(1);
    assert_eq!(answers.attempts(task, learnt)[0].attempt_2, [[5]]);
    answers.found.clear();
    assert_eq!(answers.attempts(task, learnt)[0].attempt_1, [[5]]);
}
