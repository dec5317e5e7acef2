//! A process that runs cases, one after the other, in this process: its two streams are files that it looks at after each.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::case::Case;
use super::corpus;

/// A case that takes longer has hung: nothing in it asks for so much.
const HANGS_AFTER: Duration = Duration::from_secs(60);
/// Cases between two records of their number.
const COUNTS_EVERY: u64 = 500;
/// The first part of what a case printed that failed.
const SHOWN: usize = 4_000;

/// Messages and places of panics.
static PANICS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Work of a process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Orders {
    /// The folder of the whole run.
    pub(crate) root: PathBuf,
    pub(crate) worker: u64,
    pub(crate) workers: u64,
    pub(crate) seed: u64,
    /// The first case, and how many there are for all workers.
    pub(crate) next: u64,
    pub(crate) end: u64,
    /// The only case, which is kept.
    pub(crate) only: Option<u64>,
    /// The program, for cases that have a process of their own.
    pub(crate) binary: Option<PathBuf>,
}

/// How cases ended.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Counts {
    pub(crate) cases: u64,
    /// By their status: all went well, bad input, wrong usage.
    pub(crate) by_status: [u64; 3],
    pub(crate) processes: u64,
    pub(crate) micros: u64,
    pub(crate) longest: u64,
    /// The number of the case that took longest.
    pub(crate) longest_case: u64,
}

/// Counts by command, and the number of changes of each kind.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Tally {
    pub(crate) commands: BTreeMap<String, Counts>,
    pub(crate) changes: BTreeMap<String, u64>,
}

/// Status and output of a command.
struct Ran {
    status: u8,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    wrong: Option<String>,
}

impl Orders {
    /// A file of this worker.
    pub(crate) fn file(&self, what: &str) -> PathBuf {
        self.root.join(format!("{}.{what}", self.worker))
    }

    /// The folder that commands are run in, two folders below one that nothing else is in.
    pub(crate) fn folder(&self) -> PathBuf {
        self.root.join(format!("{}.sandbox/above/case", self.worker))
    }

    /// The corpus, once it was made.
    pub(crate) fn corpus(&self) -> Vec<(String, Vec<u8>)> {
        let mut files = Vec::new();
        corpus::collect(&self.file("corpus"), "", &mut files);
        files.sort();
        files
    }

    /// Keeps a case that failed, so that it can be tried again.
    pub(crate) fn keep(&self, number: u64, case: &Case, what: &str) {
        let folder = self.root.join(format!("failures/{number}"));
        for (path, data) in &case.files {
            write(&folder.join(path), data);
        }
        write(&folder.join("what.txt"), format!("{:?}\n\n{what}\n", case.args).as_bytes());
    }
}

/// Runs the cases of a worker.
pub(crate) fn work(orders: &Orders) {
    fs::create_dir_all(orders.folder()).unwrap();
    std::env::set_current_dir(orders.folder()).unwrap();
    let mut streams = [Stream::open(&orders.file("out")), Stream::open(&orders.file("err"))];
    if !orders.file("corpus").exists() {
        clear();
        let good = |args: &str| {
            assert_eq!(crate::run(std::iter::once("batt").chain(args.split(' ')).map(Into::into)), 0, "{args}");
        };
        let files = corpus::make(&good);
        for scenario in corpus::SCENARIOS.iter().filter(|scenario| scenario.works()) {
            clear();
            files.iter().filter(|(name, _)| scenario.reads(name)).for_each(|(name, data)| write(Path::new(name), data));
            good(scenario.args);
        }
        for (name, data) in &files {
            write(&orders.file("corpus").join(name), data);
        }
    }
    std::panic::set_hook(Box::new(|panic| PANICS.lock().unwrap_or_else(PoisonError::into_inner).push(panic.to_string())));
    let corpus = orders.corpus();
    let mut tally: Tally = fs::read(orders.file("tally")).ok().and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default();
    let keep_tally = |tally: &Tally| write(&orders.file("tally"), &serde_json::to_vec(tally).unwrap());
    let watchdog = watchdog();
    let numbers = (orders.next..orders.end).filter(|number| number % orders.workers == orders.worker);
    for (done, number) in numbers.enumerate() {
        write(&orders.file("next"), number.to_string().as_bytes());
        watchdog.send(()).unwrap();
        let case = Case::new(&corpus, orders.seed, number, &orders.file("scratch"));
        clear();
        for (path, data) in &case.files {
            write(path, data);
        }
        streams.iter_mut().for_each(Stream::skip);
        let started = Instant::now();
        let binary = orders.binary.as_ref().filter(|_| case.process && !case.args.iter().any(|arg| arg.as_bytes().contains(&0)));
        let ran = match binary {
            Some(binary) => run_process(binary, &case),
            None => run_here(&case, &mut streams),
        };
        let micros = started.elapsed().as_micros() as u64;
        if let Some(what) = ran
            .wrong
            .clone()
            .or_else(|| what_is_wrong(&ran))
            .or_else(|| left_outside(orders))
            .or_else(|| orders.only.map(|_| "asked for".to_owned()))
        {
            let shown = |bytes: &[u8]| format!("{:?}", String::from_utf8_lossy(&bytes[..bytes.len().min(SHOWN)]));
            orders.keep(number, &case, &format!("{what}\n\nstdout: {}\nstderr: {}", shown(&ran.stdout), shown(&ran.stderr)));
        }
        let counts = tally.commands.entry(case.scenario.name()).or_default();
        counts.cases += 1;
        counts.by_status[usize::from(ran.status.min(2))] += 1;
        counts.processes += u64::from(binary.is_some());
        counts.micros += micros;
        if micros > counts.longest {
            (counts.longest, counts.longest_case) = (micros, number);
        }
        for kind in case.kinds {
            *tally.changes.entry(kind.to_owned()).or_default() += 1;
        }
        if (done as u64).is_multiple_of(COUNTS_EVERY) {
            keep_tally(&tally);
        }
    }
    keep_tally(&tally);
}

fn run_here(case: &Case, streams: &mut [Stream; 2]) -> Ran {
    let status = catch_unwind(AssertUnwindSafe(|| crate::run(case.args.iter().cloned()))).unwrap_or(101);
    let panics = std::mem::take(&mut *PANICS.lock().unwrap_or_else(PoisonError::into_inner));
    let [stdout, stderr] = streams.each_mut().map(Stream::take);
    Ran { status, stdout, stderr, wrong: (!panics.is_empty()).then(|| panics.join("\n")) }
}

fn run_process(binary: &Path, case: &Case) -> Ran {
    let programs = case.files.iter().find(|(path, _)| path.extension().is_some_and(|extension| extension == "py"));
    let stdin = programs.and_then(|(path, _)| File::open(path).ok()).map_or_else(Stdio::null, Stdio::from);
    let output = match Command::new(binary).args(&case.args[1..]).stdin(stdin).output() {
        Ok(output) => output,
        // More than the system takes.
        Err(error) => return Ran { status: 2, stdout: Vec::new(), stderr: error.to_string().into(), wrong: None },
    };
    let wrong = output.status.signal().map(|signal| format!("the process was ended by signal {signal}"));
    Ran { status: output.status.code().map_or(255, |code| code as u8), stdout: output.stdout, stderr: output.stderr, wrong }
}

/// Whether a status is none that there is, or something was printed that no command may print.
fn what_is_wrong(ran: &Ran) -> Option<String> {
    if ran.status > 2 {
        return Some(format!("status {}", ran.status));
    }
    for (name, bytes) in [("stdout", &ran.stdout), ("stderr", &ran.stderr)] {
        let Ok(text) = std::str::from_utf8(bytes) else { return Some(format!("{name} is no UTF-8")) };
        if let Some(c) = text.chars().find(|&c| batt_core::shown::is_active(c) && c != '\n' && c != '\t') {
            return Some(format!("{c:?} on {name}"));
        }
        if text.contains("panicked at") || text.contains("has overflowed its stack") || text.contains("memory allocation of") {
            return Some(format!("a panic on {name}"));
        }
    }
    None
}

/// Whether something was written beside the folder that commands are run in.
fn left_outside(orders: &Orders) -> Option<String> {
    let folder = orders.folder();
    let mut outside = None;
    for above in folder.ancestors().skip(1).take(2) {
        for entry in fs::read_dir(above).unwrap().flatten().filter(|entry| !folder.starts_with(entry.path())) {
            let _ = fs::remove_file(entry.path()).or_else(|_| fs::remove_dir_all(entry.path()));
            outside = Some(format!("{} was written", entry.path().display()));
        }
    }
    outside
}

/// One of the two streams of this process, which goes to a file.
struct Stream {
    file: File,
    read: u64,
}

impl Stream {
    fn open(path: &Path) -> Self {
        Self { file: File::options().read(true).write(true).open(path).unwrap(), read: 0 }
    }

    /// Text written since the last call. The file is emptied: whoever writes to it writes to its end.
    fn take(&mut self) -> Vec<u8> {
        let mut data = Vec::new();
        if self.file.metadata().unwrap().len() > self.read {
            self.file.seek(SeekFrom::Start(self.read)).unwrap();
            self.file.read_to_end(&mut data).unwrap();
            self.file.set_len(0).unwrap();
            self.read = 0;
        }
        data
    }

    fn skip(&mut self) {
        self.take();
    }
}

/// Ends this process when it is not told for long that something goes on.
fn watchdog() -> Sender<()> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        while receiver.recv_timeout(HANGS_AFTER) != Err(RecvTimeoutError::Timeout) {}
        let _ = writeln!(std::io::stderr(), "the case hangs");
        std::process::abort();
    });
    sender
}

/// Empties the working directory.
pub(crate) fn clear() {
    for entry in fs::read_dir(".").unwrap().flatten() {
        let path = entry.path();
        let _ = if entry.file_type().is_ok_and(|kind| kind.is_dir()) { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
    }
}

/// Writes a file, and makes its folder if need be.
fn write(path: &Path, data: &[u8]) {
    if fs::write(path, data).is_err() {
        fs::create_dir_all(path.parent().unwrap_or(Path::new(OsStr::new(".")))).unwrap();
        // A name that the system does not take is one more file that is not there.
        let _ = fs::write(path, data);
    }
}
