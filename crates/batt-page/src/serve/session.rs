//! A run that is started from a page: it goes on in this process, and is in the store like any other.
//!
//! A pause ends the session at a generation that is saved; going on opens the run again from its checkpoint.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use batt_core::Task;
use batt_data::ProgramSource;
use batt_engine::NoProbe;
use batt_evolve::{Evolution, GenerationReport, Standing};
use batt_program::Program;
use batt_search::{Learnt, Solver};
use batt_session::Programs;
use batt_session::search::{Extent, Search, SearchObserver, SearchOptions};
use batt_session::{
    Configuration, EvolveRequest, FittedRules, KnownPrograms, Observer, SearchRequest, Session, SessionError, SessionLimits, open_search,
};
use batt_store::{Access, RunId, Store, StoreError};
use serde::{Deserialize, Serialize};

use crate::serve::Workbench;
use crate::serve::api::{Body, Failure, answered};

/// How long a run goes on if nobody says.
const SECONDS: u64 = 600;
/// The longest that a page may ask for: a week.
const MOST_SECONDS: u64 = 7 * 24 * 3600;
/// The most programs that a generation may make for a task.
const MOST_POPULATION: u32 = 100_000;
/// Bytes of columns that a search may have.
const MEMORY: usize = 1 << 30;

/// The run that was started here last.
#[derive(Default)]
pub(crate) struct Sessions(Mutex<Current>);

#[derive(Default)]
struct Current {
    shown: Shown,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    started: Option<Started>,
}

/// Public state of a session.
#[derive(Clone, Debug, Default, Serialize)]
struct Shown {
    status: Status,
    run: Option<i64>,
    kind: RunKind,
    /// Why it ended, if something went wrong.
    message: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Status {
    #[default]
    Idle,
    Running,
    Pausing,
    Paused,
    Stopping,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum RunKind {
    #[default]
    Evolve,
    Search,
}

/// Request of a page.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Asked {
    action: Action,
    #[serde(default)]
    kind: RunKind,
    #[serde(default)]
    seed: u64,
    population: Option<u32>,
    seconds: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Action {
    Start,
    Pause,
    Resume,
    Stop,
}

/// Request and remaining time of a run that may go on.
#[derive(Clone, Debug)]
struct Started {
    asked: Asked,
    seconds_left: f64,
}

/// Why a run ended before its time.
#[derive(Debug, thiserror::Error)]
enum Failed {
    #[error(transparent)]
    Session(#[from] SessionError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Configuration(#[from] batt_session::ConfigurationError),
    #[error(transparent)]
    Resume(#[from] batt_session::CannotResume),
    #[error(transparent)]
    Operator(#[from] batt_evolve::mutate::UnknownOperator),
    #[error(transparent)]
    Search(#[from] batt_session::OpenError),
    #[error("{0}")]
    Nothing(&'static str),
}

impl Sessions {
    /// Ends the run, and waits until it is saved.
    pub(crate) fn end(&self) {
        let mut current = self.lock();
        current.stop.store(true, Ordering::Relaxed);
        let thread = current.thread.take();
        drop(current);
        if let Some(thread) = thread {
            // A panic of it was told where it happened.
            let _ = thread.join();
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Current> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How the run stands.
pub(crate) async fn state(State(workbench): State<Arc<Workbench>>) -> Result<Response, Failure> {
    answered(move || Ok(workbench.sessions.lock().shown.clone())).await
}

/// Starts, pauses, goes on with or stops the run.
pub(crate) async fn control(State(workbench): State<Arc<Workbench>>, Body(asked): Body<Asked>) -> Result<Response, Failure> {
    answered(move || {
        if !workbench.inputs.writes || workbench.inputs.store.is_none() {
            return Err(Failure::read_only());
        }
        let conflict = |message: &str| Failure::new(StatusCode::CONFLICT, message);
        let mut current = workbench.sessions.lock();
        match (asked.action, current.shown.status) {
            (Action::Start, Status::Idle | Status::Paused) => {
                let seconds_left = asked.seconds.unwrap_or(SECONDS).clamp(1, MOST_SECONDS) as f64;
                begin(&workbench, &mut current, Started { asked, seconds_left }, false)?;
            }
            (Action::Resume, Status::Paused) => {
                let started = current.started.clone().ok_or_else(|| conflict("no run is paused"))?;
                begin(&workbench, &mut current, started, true)?;
            }
            (Action::Pause, Status::Running) => {
                current.shown.status = Status::Pausing;
                current.stop.store(true, Ordering::Relaxed);
            }
            (Action::Stop, Status::Running | Status::Pausing) => {
                current.shown.status = Status::Stopping;
                current.stop.store(true, Ordering::Relaxed);
            }
            (Action::Stop, Status::Paused) => current.shown.status = Status::Idle,
            (Action::Start, _) => return Err(conflict("a run is going on already")),
            (Action::Resume, _) => return Err(conflict("no run is paused")),
            (Action::Pause | Action::Stop, _) => return Err(conflict("no run is going on")),
        }
        workbench.events.runs();
        Ok(current.shown.clone())
    })
    .await
}

/// Starts the thread of a run. Its end is told to whoever looks.
fn begin(workbench: &Arc<Workbench>, current: &mut Current, started: Started, resumes: bool) -> Result<(), Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    current.stop = Arc::clone(&stop);
    let run = current.shown.run.filter(|_| resumes);
    current.shown = Shown { status: Status::Running, run, kind: started.asked.kind, message: String::new() };
    current.started = Some(started.clone());
    let workbench = Arc::clone(workbench);
    let work = move || {
        let began = Instant::now();
        let ended = batt_run::catch(|| match started.asked.kind {
            RunKind::Evolve => evolve(&workbench, &started, run, &stop),
            RunKind::Search => search(&workbench, &started, resumes, &stop),
        });
        let mut current = workbench.sessions.lock();
        if let Some(started) = &mut current.started {
            started.seconds_left = (started.seconds_left - began.elapsed().as_secs_f64()).max(1.0);
        }
        let shown = &mut current.shown;
        shown.message = match ended {
            Ok(Ok(())) => String::new(),
            Ok(Err(error)) => error.to_string(),
            Err(panic) => panic.to_string(),
        };
        shown.status = if shown.status == Status::Pausing { Status::Paused } else { Status::Idle };
        drop(current);
        workbench.entries.forget_all();
        workbench.events.runs();
    };
    let thread = std::thread::Builder::new().name("run".to_owned()).spawn(work);
    current.thread = Some(thread.map_err(|error| Failure::new(StatusCode::CONFLICT, format!("no thread could be started: {error}")))?);
    Ok(())
}

fn evolve(workbench: &Workbench, started: &Started, resumed: Option<i64>, stop: &Arc<AtomicBool>) -> Result<(), Failed> {
    let inputs = &workbench.inputs;
    let path = inputs.store.as_ref().ok_or(Failed::Nothing("there is no store"))?;
    let mut store = Store::open(path, Access::Write)?;
    let request = EvolveRequest {
        source: inputs.tasks_from.clone(),
        selection: inputs.selection.clone(),
        programs: inputs.program_sources.clone(),
        seed: Some(started.asked.seed),
        population: started.asked.population.map(|population| population.clamp(1, MOST_POPULATION)),
        ..EvolveRequest::default()
    };
    let before = resumed.map(|run| store.run(RunId(run))).transpose()?;
    let configuration = match &before {
        Some(run) => Configuration::of_run(run, &store, None)?,
        None => Configuration::new(&request),
    };
    let tasks: &[Task] = &inputs.tasks;
    let named: &[ProgramSource] = if before.is_some() { &[] } else { &request.programs };
    let Programs { mut loaded, .. } = configuration.programs(before.as_ref(), &store, named, tasks)?;
    if loaded.is_empty() {
        return Err(Failed::Nothing("there is no program to start from"));
    }
    let configuration = configuration.with_inputs(tasks, &mut loaded);
    let options = configuration.options(inputs.threads)?;
    let run = match &before {
        Some(run) => {
            configuration.check_fits(run)?;
            run.id
        }
        None => configuration.begin(&mut store, tasks, &loaded, folder())?,
    };
    workbench.sessions.lock().shown.run = Some(run.0);
    let programs: Vec<Program> = loaded.into_iter().map(|one| one.program).collect();
    let deadline = Instant::now().checked_add(Duration::from_secs_f64(started.seconds_left));
    let budget = SessionLimits { deadline, interrupt: Arc::clone(stop), ..SessionLimits::default() };
    let mut session = Session::<NoProbe>::open(store, run, tasks, &programs, options, budget)?;
    session.run(&mut Telling(workbench), &|| {})?;
    Ok(())
}

fn search(workbench: &Workbench, started: &Started, resumes: bool, stop: &Arc<AtomicBool>) -> Result<(), Failed> {
    let inputs = &workbench.inputs;
    let path = inputs.store.as_ref().ok_or(Failed::Nothing("there is no store"))?;
    let mut store = Store::open(path, Access::Write)?;
    let source = inputs.tasks_from.as_ref().map_or_else(|| inputs.source.clone(), ToString::to_string);
    let request = SearchRequest { source, resume: resumes, folder: folder(), ..SearchRequest::default() };
    let run = open_search(&mut store, &request, &inputs.tasks)?;
    workbench.sessions.lock().shown.run = Some(run.0);
    let options = SearchOptions {
        extent: Extent::Time(Duration::from_secs_f64(started.seconds_left)),
        memory: MEMORY,
        threads: if inputs.threads == 0 { std::thread::available_parallelism().map_or(1, usize::from) } else { inputs.threads },
    };
    let solvers: Vec<Box<dyn Solver>> = vec![Box::new(FittedRules::default()), Box::new(KnownPrograms::found())];
    let mut search = Search::open(&inputs.tasks, options, Learnt::embedded(), Some((store, run)))?.with_solvers(solvers);
    search.run(Instant::now(), stop, &mut Telling(workbench))?;
    Ok(())
}

/// Where paths begin.
fn folder() -> String {
    std::env::current_dir().map_or(String::new(), |folder| folder.to_string_lossy().into_owned())
}

/// Tells pages that something was saved.
struct Telling<'a>(&'a Workbench);

impl Observer<NoProbe> for Telling<'_> {
    type Error = SessionError;

    fn saved(&mut self, evolution: &Evolution<NoProbe>, report: &GenerationReport, _: &Standing) -> Result<(), SessionError> {
        for (task, _) in &report.fits {
            if let Some(&place) = self.0.places.get(evolution.task_name(*task)) {
                self.0.entries.forget(place);
            }
        }
        self.0.events.runs();
        Ok(())
    }
}

impl SearchObserver for Telling<'_> {
    type Error = StoreError;

    fn searched(&mut self, place: usize, _: usize, _: &Search<'_>) -> Result<(), StoreError> {
        self.0.entries.forget(place);
        self.0.events.runs();
        Ok(())
    }

    fn begins(&mut self, _: usize, _: usize) {}
}
