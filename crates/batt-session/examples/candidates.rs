//! Searches tasks and writes every answer, not only the two that are submitted, with what it was ranked by and whether it is right: what the
//! order of answers is calibrated on. A line of JSON for each task.
//!
//! `candidates FOLDER COLUMNS|SECONDSs THREADS OUT [WITHOUT [TASK...]]`. WITHOUT is a kind of fitted rule that is left out, such as
//! `rule-cells`, or `rules` for all of them, or `-`.

#![expect(clippy::unwrap_used, reason = "a tool that may panic")]

use std::io::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use batt_core::{Deadline, Task};
use batt_data::load_bytes;
use batt_program::canonical_text;
use batt_rules::Family;
use batt_search::{Budget, Learnt, Solver, search_task};
use batt_session::FittedRules;
use serde_json::{Value, json};

fn read(path: &std::path::Path) -> Task {
    let name = path.file_name().unwrap().to_string_lossy();
    load_bytes(&name, &std::fs::read(path).unwrap()).unwrap().tasks.pop().unwrap()
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, extent, threads, out, others @ ..] = arguments.as_slice() else {
        eprintln!("candidates FOLDER COLUMNS|SECONDSs THREADS OUT [WITHOUT [TASK...]]");
        std::process::exit(2);
    };
    let (without, chosen) = others.split_first().map_or(("-", others), |(without, chosen)| (without.as_str(), chosen));
    let rules = FittedRules { without: Family::ALL.iter().copied().find(|family| family.name() == without) };
    assert!(rules.without.is_some() || ["rules", "-"].contains(&without), "no rule is called {without}");
    let solvers: &[&dyn Solver] = if without == "rules" { &[] } else { &[&rules] };
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let mut tasks: Vec<Task> = paths.iter().map(|path| read(path)).collect();
    tasks.retain(|task| chosen.is_empty() || chosen.contains(&task.id));
    let (next, file) = (AtomicUsize::new(0), Mutex::new(std::fs::File::create(out).unwrap()));
    let work = || {
        while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
            let began = Instant::now();
            let (deadline, columns) = match extent.strip_suffix('s') {
                Some(seconds) => (Deadline::after(Duration::from_secs_f64(seconds.parse().unwrap()), Instant::now), u64::MAX),
                None => (None, extent.parse().unwrap()),
            };
            let found =
                search_task(task, &Budget { deadline, columns, memory: 2 << 30, stop: None, spare: None }, solvers, Learnt::embedded());
            let answers: Vec<Value> = found
                .found
                .iter()
                .map(|found| {
                    let right = found.outputs.iter().zip(&task.tests).all(|(grid, test)| Some(grid) == test.output.as_ref());
                    json!({
                        "right": right, "demos": found.demos_right(), "cost": found.cost, "probability": found.probability, "family": found.family,
                        "features": found.evidence.features(&found.family, found.cost).into_iter().collect::<std::collections::BTreeMap<_, _>>(),
                        "program": canonical_text(&found.program),
                        "outputs": found.outputs.iter().map(|grid| grid.rows().map(<[i8]>::to_vec).collect::<Vec<_>>()).collect::<Vec<_>>(),
                    })
                })
                .collect();
            let line = json!({
                "id": task.id, "demos": task.demos.len(), "answers": answers, "columns": found.columns, "calls": found.calls,
                "seconds": began.elapsed().as_secs_f64(), "memory": found.memory, "end": found.end.name(), "refuted": found.refuted,
            });
            writeln!(file.lock().unwrap(), "{line}").unwrap();
        }
    };
    std::thread::scope(|scope| (0..threads.parse::<usize>().unwrap()).for_each(|_| drop(scope.spawn(work))));
}
