//! How fast a large store is written and read, and how large its file is: `cargo bench -p batt-store [-- STORE]`.
//!
//! Programs are those that an evolution kept, with their parents and scores: that of a store, or one of the starter tasks. They are saved as a run saves them, a generation of 1,000 in a transaction, in two ways: with the scores that they
//! have, nearly always one, and each with scores on 16 tasks.

#![expect(clippy::unwrap_used, reason = "benchmarks")]

use std::collections::HashSet;
use std::path::Path;
use std::time::{Duration, Instant};

use batt_evolve::{Evolution, EvolveOptions, Source};
use batt_program::{Program, canonical_text, parse_file};
use batt_store::{Access, ContentHash, Generation, Import, NewProgram, NewRun, Pool, Score, Store};
use rusqlite::Connection;

const PROGRAMS: usize = 100_000;
const A_GENERATION: usize = 1_000;
const MANY_TASKS: u64 = 16;
const READS: usize = 1_000;
/// The tasks that are asked for their best programs.
const ASKED: usize = 10;

/// Programs that an evolution kept, in their order.
struct Archive {
    imports: Vec<Import>,
    programs: Vec<(NewProgram, Vec<Score>)>,
}

fn main() {
    // Cargo adds an option of its own.
    let given = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let archive = match &given {
        Some(path) => archive_of_store(Path::new(path)),
        None => archive_of_starter_tasks(),
    };
    let text: usize = archive.programs.iter().map(|(program, _)| program.text.len()).sum();
    let count = archive.programs.len();
    println!("{count} programs, made of {} imports; {} bytes of text a program", archive.imports.len(), text / count.max(1));
    let folder = tempfile::tempdir().unwrap();
    for many in [false, true] {
        let path = folder.path().join(format!("{many}.store"));
        let generations = generations(&archive, many);
        let scores: usize = generations.iter().map(|generation| generation.scores.len()).sum();
        println!("{count} programs with {scores} scores");
        let (saved, slowest) = save(&path, &archive.imports, &generations);
        let (saved, slowest) = (saved.as_secs_f64(), slowest.as_secs_f64() * 1e3);
        println!("  saved in {saved:.2} s, the slowest generation of {A_GENERATION} in {slowest:.0} ms");
        read_best(&path);
        sizes(&path, scores);
    }
}

fn archive_of_store(path: &Path) -> Archive {
    let store = Store::open(path, Access::Read).unwrap();
    let mut archive = Archive { imports: Vec::new(), programs: Vec::new() };
    store
        .for_each_program(|program| {
            if program.origin.run.is_none() {
                archive.imports.push(Import { name: program.name(), text: program.text, source: "bench".to_owned() });
            } else if archive.programs.len() < PROGRAMS {
                let scores = store.scores_of(program.hash)?;
                let (operator, seed) = (program.origin.operator, program.origin.seed.unwrap_or(0));
                let new = NewProgram { text: program.text, name: None, operator, parents: program.origin.parents, seed };
                archive.programs.push((new, scores));
            }
            Ok::<(), batt_store::StoreError>(())
        })
        .unwrap();
    archive
}

fn archive_of_starter_tasks() -> Archive {
    let tasks = batt_starter::pack();
    let programs: Vec<Program> = parse_file(batt_starter::LIBRARY).programs;
    let import = |program: &Program| Import { name: program.name().to_owned(), text: canonical_text(program), source: "bench".to_owned() };
    let mut archive = Archive { imports: programs.iter().map(import).collect(), programs: Vec::new() };
    let options = EvolveOptions { keep: 10_000, ..EvolveOptions::default() };
    let (mut evolution, _) = Evolution::new(&tasks, &programs, options).unwrap();
    let mut known: HashSet<ContentHash> = programs.iter().map(ContentHash::of).collect();
    while archive.programs.len() < PROGRAMS {
        let report = evolution.step();
        let before = archive.programs.len();
        for entry in report.entries.iter().filter(|entry| entry.source != Source::Seed && known.insert(entry.hash)) {
            let score = Score {
                program: entry.hash,
                task: evolution.task_name(entry.task).to_owned(),
                demos_right: entry.fitness.demos_right,
                demos: evolution.demo_count(entry.task) as u32,
                score: entry.fitness.score,
                size: entry.fitness.size,
                fuel: entry.fitness.fuel,
                behaviour: Some(entry.fitness.behaviour),
                order_dependent: Some(entry.fitness.is_order_dependent()),
            };
            let operator = entry.source.name().to_owned();
            let new =
                NewProgram { text: entry.text.to_string(), name: None, operator, parents: entry.parents.clone(), seed: report.number };
            archive.programs.push((new, vec![score]));
        }
        if archive.programs.len() == before {
            break;
        }
    }
    archive.programs.truncate(PROGRAMS);
    archive
}

fn generations(archive: &Archive, many: bool) -> Vec<Generation> {
    let mut all = Vec::new();
    for (number, portion) in archive.programs.chunks(A_GENERATION).enumerate() {
        let mut generation = Generation { number: number as u64, ..Generation::default() };
        for (place, (program, scores)) in portion.iter().enumerate() {
            generation.programs.push(NewProgram { seed: number as u64, ..program.clone() });
            if many {
                let program = ContentHash::of_text(&program.text);
                generation.scores.extend((0..MANY_TASKS).map(|task| noise(program, (number * A_GENERATION + place) as u64, task)));
            } else {
                generation.scores.extend(scores.iter().cloned());
            }
        }
        if let Some(task) = generation.scores.first().map(|score| score.task.clone()) {
            let members = generation.scores.iter().filter(|score| score.task == task).take(32).map(|score| score.program);
            generation.pools = vec![Pool { programs: members.collect(), task }];
        }
        all.push(generation);
    }
    all
}

/// A score that looks like chance, always the same.
fn noise(program: ContentHash, number: u64, task: u64) -> Score {
    let noise = batt_core::Random::new(number * 1_000 + task).next_u64();
    Score {
        program,
        task: format!("ba77{task:04x}"),
        demos_right: u32::from(noise.is_multiple_of(50)),
        demos: 4,
        score: noise % 4_000,
        size: 3 + (noise >> 20) as u32 % 40,
        fuel: (noise >> 30) % 100_000,
        behaviour: Some(u128::from(noise) << 64 | u128::from(noise)),
        order_dependent: Some(false),
    }
}

fn save(path: &Path, imports: &[Import], generations: &[Generation]) -> (Duration, Duration) {
    let mut store = Store::open(path, Access::Create).unwrap();
    store.import(imports).unwrap();
    let started = Instant::now();
    let mut slowest = Duration::ZERO;
    let run = store.begin_run(&NewRun::default()).unwrap();
    for generation in generations {
        let started = Instant::now();
        store.save_generation(run, generation).unwrap();
        slowest = slowest.max(started.elapsed());
    }
    drop(store);
    (started.elapsed(), slowest)
}

fn read_best(path: &Path) {
    let store = Store::open(path, Access::Read).unwrap();
    let tasks: Vec<String> = store.tasks().unwrap();
    let asked: Vec<&String> = tasks.iter().step_by(tasks.len().div_ceil(ASKED)).collect();
    let read = |place: usize| {
        let started = Instant::now();
        assert!(!store.best(asked[place % asked.len()], 32).unwrap().is_empty());
        started.elapsed()
    };
    let first = read(0);
    let mut times: Vec<Duration> = (0..READS).map(read).collect();
    times.sort();
    let micros = |time: Duration| time.as_secs_f64() * 1e6;
    let (median, slow) = (micros(times[READS / 2]), micros(times[READS * 99 / 100]));
    println!("  best 32 of a task: {median:.0} µs in the middle, {slow:.0} µs at 99%, {:.0} µs at first", micros(first));
}

fn sizes(path: &Path, scores: usize) {
    let file = std::fs::metadata(path).unwrap().len();
    let connection = Connection::open(path).unwrap();
    let mut parts = connection.prepare("SELECT name, sum(pgsize) FROM dbstat GROUP BY name ORDER BY 2 DESC LIMIT 6").unwrap();
    let parts = parts.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap().collect::<rusqlite::Result<Vec<(String, i64)>>>();
    let a_row = |bytes: u64| bytes as f64 / scores as f64;
    let parts: Vec<String> = parts.unwrap().iter().map(|(name, bytes)| format!("{name} {:.1}", a_row(*bytes as u64))).collect();
    println!("  file: {file} bytes, {:.1} a score row; of these {}", a_row(file), parts.join(", "));
}
