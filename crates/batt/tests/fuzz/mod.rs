//! Random changes to files, stores and options: no command may panic, abort, hang, print what a terminal acts upon, or write outside of the
//! folders that it is given.
//!
//! A case is a command that works, with one to three changes. `cargo test` runs a few thousand, the same each time; `scripts/fuzz` as many
//! as it is asked for. Cases are run by processes of their own, because what they change is there once a process: the working directory, the
//! streams, the panic hook. A part of them starts the program itself.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod case;
mod corpus;
mod json;
mod options;
mod sql;
mod worker;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::process::{Command, Stdio};
use std::time::Instant;

use batt_testing::soak::{count, seed};
use case::Case;
use worker::{Counts, Orders, Tally};

/// How a process is told that it is a worker, and what it has to do.
const WORKER: &str = "BATT_FUZZ_WORKER";
/// Cases of a normal run, and of a soak.
const CASES: (u64, u64) = (4_000, 200_000);
/// Commands recurse on the stack of the main thread.
const STACK: usize = 8 << 20;
/// A worker that ends so often is not started again.
const MOST_DEATHS: u32 = 20;

#[test]
fn random_changes_are_survived() {
    if let Ok(orders) = std::env::var(WORKER) {
        let orders: Orders = serde_json::from_str(&orders).unwrap();
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || worker::work(&orders)).unwrap();
        thread.join().unwrap();
        return;
    }
    let number = |name: &str, default| std::env::var(name).map_or(default, |text| text.parse().unwrap());
    let (cases, seed) = (number("BATT_FUZZ", count(CASES.0, CASES.1)), number("BATT_FUZZ_SEED", seed(1)));
    // Cases are told by their numbers, so that one alone can be looked at again: it is kept as if it had failed.
    let only = std::env::var("BATT_FUZZ_CASE").ok().map(|text| text.parse().unwrap());
    let shared_memory = std::path::Path::new("/dev/shm");
    let folder = if shared_memory.is_dir() { tempfile::tempdir_in(shared_memory) } else { tempfile::tempdir() }.unwrap();
    let workers = std::thread::available_parallelism().map_or(1, |number| number.get() as u64);
    let started = Instant::now();
    let mut tallies = Vec::new();
    std::thread::scope(|scope| {
        let start = |worker| {
            let binary = std::env::var_os("BATT_FUZZ_BINARY").map(Into::into);
            let orders = Orders {
                root: folder.path().to_owned(),
                worker,
                workers,
                seed,
                next: only.unwrap_or(0),
                end: only.map_or(cases, |only| only + 1),
                only,
                binary,
            };
            scope.spawn(move || employ(orders))
        };
        let threads: Vec<_> = (0..workers).map(start).collect();
        tallies.extend(threads.into_iter().map(|thread| thread.join().unwrap()));
    });
    println!("{}", summary(&tallies, seed, started.elapsed().as_secs_f64()));
    let failures = folder.path().join("failures");
    if let Ok(found) = fs::read_dir(&failures) {
        let all: Vec<_> = found.flatten().map(|entry| fs::read_to_string(entry.path().join("what.txt")).unwrap_or_default()).collect();
        let folder = folder.keep();
        panic!("{} cases failed, kept in {}\n\n{}", all.len(), folder.join("failures").display(), all[..all.len().min(10)].join("\n"));
    }
    let done: u64 = tallies.iter().flat_map(|tally| tally.commands.values()).map(|counts| counts.cases).sum();
    assert_eq!(done, only.map_or(cases, |_| 1));
}

/// Starts a worker, and another one for the cases after one that ended the process.
fn employ(mut orders: Orders) -> Tally {
    for _ in 0..MOST_DEATHS {
        let stream = |what: &str| File::options().create(true).append(true).open(orders.file(what)).unwrap();
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "fuzz::random_changes_are_survived", "--nocapture"]).env_clear();
        command.env(WORKER, serde_json::to_string(&orders).unwrap());
        command.env("BATT_DATA", orders.folder().join("cache")).env("BATT_CACHE", orders.folder().join("made"));
        // No other program is to be found, so that nothing is downloaded.
        command.env("HOME", orders.folder()).env("PATH", orders.root.join("nowhere")).env("TMPDIR", &orders.root);
        // Devices are hidden, so that cases are the same everywhere.
        command.env("CUDA_VISIBLE_DEVICES", "");
        command.stdin(Stdio::null()).stdout(stream("out")).stderr(stream("err"));
        let status = command.status().unwrap();
        if status.success() {
            break;
        }
        let told = fs::read_to_string(orders.file("err")).unwrap_or_default();
        let Some(last) = fs::read_to_string(orders.file("next")).ok().and_then(|text| text.parse().ok()) else {
            panic!("the worker could not begin: {status}\n{told}\n{}", fs::read_to_string(orders.file("out")).unwrap_or_default());
        };
        let case = Case::new(&orders.corpus(), orders.seed, last, &orders.file("scratch"));
        orders.keep(last, &case, &format!("the worker ended, {status}: {told}"));
        orders.next = last + 1;
    }
    serde_json::from_slice(&fs::read(orders.file("tally")).unwrap_or_default()).unwrap_or_default()
}

/// The result, as Markdown.
fn summary(tallies: &[Tally], seed: u64, seconds: f64) -> String {
    let (mut commands, mut changes) = (BTreeMap::<&str, Counts>::new(), BTreeMap::<&str, u64>::new());
    for tally in tallies {
        for (name, counts) in tally.commands.iter().flat_map(|(name, counts)| [(&**name, counts), ("all", counts)]) {
            let sum = commands.entry(name).or_default();
            sum.cases += counts.cases;
            sum.by_status.iter_mut().zip(counts.by_status).for_each(|(sum, number)| *sum += number);
            sum.processes += counts.processes;
            sum.micros += counts.micros;
            if counts.longest > sum.longest {
                (sum.longest, sum.longest_case) = (counts.longest, counts.longest_case);
            }
        }
        tally.changes.iter().for_each(|(kind, number)| *changes.entry(kind).or_default() += number);
    }
    let mut text = format!("Seed {seed}, {} workers, {seconds:.0} s.\n\n", tallies.len());
    text.push_str("| command | cases | accepted | bad input | wrong usage | own process | mean ms | longest ms | that case |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|\n");
    for (name, counts) in &commands {
        let [good, bad, usage] = counts.by_status;
        let (mean, longest) = (counts.micros as f64 / counts.cases.max(1) as f64 / 1e3, counts.longest as f64 / 1e3);
        let _ = writeln!(
            text,
            "| {name} | {} | {good} | {bad} | {usage} | {} | {mean:.2} | {longest:.0} | {} |",
            counts.cases, counts.processes, counts.longest_case
        );
    }
    text.push_str("\n| change | times |\n|---|--:|\n");
    for (kind, number) in changes {
        let _ = writeln!(text, "| {kind} | {number} |");
    }
    text
}
