//! How fast a large store is written and read, and how large its file is: `cargo bench -p batt-store`.
//!
//! Programs are those of the starter library, each with a number in it that makes it another. They are saved as a run saves them, a
//! generation of 1,000 in a transaction, in two ways: each scored on one task, and each scored on many.

#![expect(clippy::unwrap_used, reason = "benchmarks")]

use std::path::Path;
use std::time::{Duration, Instant};

use batt_program::{ContentHash, canonical_text, parse_file};
use batt_store::{Access, Generation, NewProgram, NewRun, Pool, Score, Store};
use rusqlite::Connection;

const PROGRAMS: u64 = 100_000;
const A_GENERATION: u64 = 1_000;
const MANY_TASKS: u64 = 16;
const READS: usize = 1_000;

fn main() {
    let texts: Vec<String> = parse_file(batt_starter::LIBRARY).programs.iter().map(canonical_text).collect();
    let folder = tempfile::tempdir().unwrap();
    for tasks in [1, MANY_TASKS] {
        let path = folder.path().join(format!("{tasks}.store"));
        let generations: Vec<Generation> = (0..PROGRAMS / A_GENERATION).map(|number| generation(number, tasks, &texts)).collect();
        println!("{PROGRAMS} programs, {tasks} score(s) each");
        let (saved, slowest) = save(&path, &generations);
        println!(
            "  saved in {:.2} s, the slowest generation of {A_GENERATION} in {:.0} ms",
            saved.as_secs_f64(),
            slowest.as_secs_f64() * 1e3
        );
        read_best(&path);
        sizes(&path, PROGRAMS * tasks);
    }
}

fn generation(number: u64, tasks: u64, texts: &[String]) -> Generation {
    let mut generation = Generation { number, ..Generation::default() };
    for program in number * A_GENERATION..(number + 1) * A_GENERATION {
        let base = &texts[program as usize % texts.len()];
        let text = base.replacen("    return O\n", &format!("    x99 = upscale(O, {program})\n    return x99\n"), 1);
        let hash = ContentHash::of_text(&text);
        let parents = generation.programs.last().map(|parent: &NewProgram| ContentHash::of_text(&parent.text)).into_iter().collect();
        generation.programs.push(NewProgram { text, name: None, operator: "swap".to_owned(), parents, seed: mixed(program) });
        for task in 0..tasks {
            let noise = mixed(program * 1_000 + task);
            generation.scores.push(Score {
                program: hash,
                task: format!("ba77{task:04x}"),
                demos_right: u32::from(noise.is_multiple_of(50)),
                demos: 4,
                score: noise % 4_000,
                size: 3 + (noise >> 20) as u32 % 40,
                fuel: (noise >> 30) % 100_000,
                behaviour: noise as i64,
            });
        }
    }
    generation.pools =
        vec![Pool { task: "ba770000".to_owned(), programs: generation.scores.iter().take(64).map(|score| score.program).collect() }];
    generation.pools[0].programs.dedup();
    generation
}

/// Bits that look like chance, always the same.
fn mixed(number: u64) -> u64 {
    let bits = (number ^ (number >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (bits ^ (bits >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

fn save(path: &Path, generations: &[Generation]) -> (Duration, Duration) {
    let started = Instant::now();
    let mut slowest = Duration::ZERO;
    let mut store = Store::open(path, Access::Create).unwrap();
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
    let read = |_| {
        let started = Instant::now();
        assert_eq!(store.best("ba770000", 32).unwrap().len(), 32);
        started.elapsed()
    };
    let first = read(0);
    let mut times: Vec<Duration> = (0..READS).map(read).collect();
    times.sort();
    let micros = |time: Duration| time.as_secs_f64() * 1e6;
    let (median, slow) = (micros(times[READS / 2]), micros(times[READS * 99 / 100]));
    println!("  best 32 of a task: {median:.0} µs in the middle, {slow:.0} µs at 99%, {:.0} µs at first", micros(first));
}

fn sizes(path: &Path, scores: u64) {
    let file = std::fs::metadata(path).unwrap().len();
    let connection = Connection::open(path).unwrap();
    let pages = |table: &str| -> i64 {
        connection
            .query_row("SELECT sum(pgsize) FROM dbstat WHERE name IN (SELECT name FROM sqlite_schema WHERE tbl_name = ?)", [table], |row| {
                row.get(0)
            })
            .unwrap()
    };
    let a_row = |bytes: u64| bytes as f64 / scores as f64;
    let text: i64 = connection.query_row("SELECT sum(length(text)) FROM program", [], |row| row.get(0)).unwrap();
    println!(
        "  file: {file} bytes, {:.0} a score row; of these the table of scores and its index {:.0}, that of programs {:.0} (text {:.0})",
        a_row(file),
        a_row(pages("score") as u64),
        a_row(pages("program") as u64),
        a_row(text as u64)
    );
}
