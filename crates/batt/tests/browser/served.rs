//! A workbench to look at: `batt serve` on a store with two runs, as a user starts it.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use batt_program::{ContentHash, canonical_text, parse_file};
use batt_store::{Access, Generation, NewFit, NewProgram, NewRun, OperatorUse, Pool, Progress, RunId, Score, Store};

use crate::browser::pages::{EVIL, PROGRAMS, Pages, TASKS, json, profile};

/// A running workbench. It ends with this value.
pub(crate) struct Served {
    pub(crate) pages: Pages,
    process: Child,
    /// The address with the token.
    pub(crate) address: String,
}

impl Served {
    /// Starts a workbench that may write, with tasks of each kind, one of 30 by 30 cells, and one with an evil name.
    pub(crate) fn start() -> Self {
        let pages = Pages::new();
        for (id, task) in TASKS {
            pages.write(&format!("tasks/{id}.json"), task);
        }
        pages.write(&format!("tasks/{EVIL}.json"), TASKS[0].1);
        let large: Vec<Vec<usize>> = (0..30).map(|i| (0..30).map(|j| (i * 3 + j) % 10).collect()).collect();
        let large = serde_json::json!({"train": [{"input": large, "output": [[1]]}], "test": [{"input": [[5]]}]});
        pages.write("tasks/large.json", &large.to_string());
        pages.write("programs.py", PROGRAMS);
        pages.write("profile.json", &json(profile()));
        pages.batt(&["lib", "import", "my.store", "programs.py"]);
        fill(&mut Store::open(&pages.path("my.store"), Access::Write).unwrap());
        let mut command = Command::new(env!("CARGO_BIN_EXE_batt"));
        command.args(["serve", "my.store", "--write", "--tasks", "tasks", "--programs", "programs.py", "--profile", "profile.json"]);
        command.current_dir(pages.path("")).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().unwrap();
        let mut address = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut address).unwrap();
        Self { pages, process, address: address.trim().to_owned() }
    }

    /// The address without the token.
    pub(crate) fn origin(&self) -> &str {
        self.address.split_once("?token=").unwrap().0
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Two runs: the second gains one task and loses one. Its program for `half` is a child of `solve_flip`, and behaves otherwise.
fn fill(store: &mut Store) {
    let [flip, open] = ["solve_flip", "solve_open"].map(|name| store.find(name).unwrap().hash);
    let child = parse_file("def child(I):\n    x1 = hmirror(I)\n    O = vmirror(x1)\n    return O\n").programs.remove(0);
    let tasks = ["flip", "half", "late", "none", "open"].map(str::to_owned).to_vec();
    let score = |task: &str, program, demos_right, demos| Score {
        program,
        task: task.to_owned(),
        demos_right,
        demos,
        score: 1_000,
        size: 1,
        fuel: 8,
        behaviour: Some(1),
        order_dependent: Some(false),
    };
    for (seed, fits) in [(1, [("flip", flip), ("late", flip)]), (2, [("flip", flip), ("open", open)])] {
        let new = NewRun {
            seed,
            tasks: tasks.clone(),
            configuration: "{\"tasks\": \"tasks\"}".to_owned(),
            batt_version: "0.1.0".to_owned(),
            unix_ms: 1_000,
            ..NewRun::default()
        };
        let run: RunId = store.begin_run(&new).unwrap();
        for number in 0..12u64 {
            let found = fits.iter().enumerate().filter(|(k, _)| number == 4 * *k as u64);
            let mut generation = Generation {
                number,
                fits: found.map(|(_, (task, program))| NewFit { task: (*task).to_owned(), program: *program }).collect(),
                operators: vec![OperatorUse { operator: "swap".to_owned(), tried: 50, duplicates: 10, improved: 3, fits: 0 }],
                progress: Progress {
                    evaluations: 100 * (number + 1),
                    fits: 1 + number / 5,
                    total_score: 500 + 60 * number,
                    mean_size_milli: 3_000,
                    distinct_behaviours: 10,
                },
                checkpoint: "{}".to_owned(),
                unix_ms: 1_000 + 2_000 * number as i64,
                ..Generation::default()
            };
            if number == 5 {
                let hash = ContentHash::of(&child);
                generation.programs = vec![NewProgram {
                    text: canonical_text(&child),
                    name: None,
                    operator: "swap".to_owned(),
                    parents: vec![flip],
                    seed: 3,
                }];
                generation.scores = vec![score("half", hash, 0, 2), score("flip", flip, 2, 2)];
                generation.pools = vec![Pool { task: "half".to_owned(), programs: vec![hash] }];
            }
            store.save_generation(run, &generation).unwrap();
        }
    }
}
