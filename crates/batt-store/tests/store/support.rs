//! Scratch folders, and runs that are made up but always in the same way.

use std::path::PathBuf;

use batt_store::{
    Access, Answer, ContentHash, Generation, Import, NewFit, NewProgram, NewRun, OperatorUse, Pool, Progress, RunId, Score, Store,
};

/// A folder that goes away with its stores.
pub(crate) struct Scratch {
    folder: tempfile::TempDir,
}

impl Scratch {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn store(&self, name: &str) -> Store {
        Store::open(&self.path(name), Access::Create).unwrap()
    }

    /// The names of the files.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

/// The text of a program that has a number in it.
pub(crate) fn text(number: u64) -> String {
    format!("def program(I):\n    x1 = upscale(I, {number})\n    O = hmirror(x1)\n    return O\n")
}

pub(crate) fn hash(number: u64) -> ContentHash {
    ContentHash::of_text(&text(number))
}

pub(crate) fn import(name: &str, number: u64) -> Import {
    Import { name: name.to_owned(), text: text(number), source: "mine.py".to_owned() }
}

pub(crate) fn new_run(seed: u64) -> NewRun {
    NewRun {
        seed,
        configuration: format!("{{\"seed\":{seed}}}"),
        batt_version: "0.1.0".to_owned(),
        table_hash: "00ff".to_owned(),
        tasks: vec!["b".to_owned(), "a".to_owned()],
        programs: Vec::new(),
        folder: String::new(),
        unix_ms: 1_000,
    }
}

pub(crate) fn made(number: u64, operator: &str, parents: &[u64]) -> NewProgram {
    NewProgram {
        text: text(number),
        name: None,
        operator: operator.to_owned(),
        parents: parents.iter().copied().map(hash).collect(),
        seed: number,
    }
}

pub(crate) fn score(number: u64, task: &str, demos_right: u32, score: u64) -> Score {
    Score {
        program: hash(number),
        task: task.to_owned(),
        demos_right,
        demos: 3,
        score,
        size: 2,
        fuel: 100,
        behaviour: Some(u128::from(number) << 70 | 5),
        order_dependent: Some(false),
    }
}

pub(crate) fn answer(number: u64, task: &str, cost: u32) -> Answer {
    Answer {
        program: hash(number),
        task: task.to_owned(),
        family: "search-cover".to_owned(),
        cost,
        place: 0,
        foretold: 2,
        votes: 3,
        support: 4,
        families: 1,
        palette: 1,
        probability: Some(700_000),
    }
}

/// A generation of programs whose numbers begin with its own: `size` of them, each made of the one before.
pub(crate) fn generation(number: u64, size: u64) -> Generation {
    let first = number * 1_000;
    let numbers = first..first + size;
    Generation {
        answers: vec![answer(first, "a", 1_000 + number as u32)],
        searched: vec![("a".to_owned(), format!("{number} passes"))],
        cut: None,
        number,
        programs: numbers.clone().map(|n| if n == first { made(n, "seed", &[]) } else { made(n, "swap", &[n - 1]) }).collect(),
        scores: numbers.clone().flat_map(|n| [score(n, "a", (n % 4) as u32, n), score(n, "b", 0, n % 7)]).collect(),
        pools: vec![Pool { task: "a".to_owned(), programs: numbers.clone().rev().take(3).map(hash).collect() }],
        fits: numbers.filter(|n| n % 4 == 3).map(|n| NewFit { task: "a".to_owned(), program: hash(n) }).collect(),
        operators: vec![OperatorUse { operator: "swap".to_owned(), tried: size, duplicates: 1, improved: 2, fits: 3 }],
        progress: Progress { evaluations: 10 * number, fits: 1, total_score: number, mean_size_milli: 2_500, distinct_behaviours: size },
        checkpoint: format!("after {number}"),
        seen: format!("seen in {number}"),
        forget_seen_before: number.saturating_sub(1),
        unix_ms: 2_000 + number as i64,
    }
}

/// A run of some generations of ten programs.
pub(crate) fn evolve(store: &mut Store, seed: u64, generations: u64) -> RunId {
    let run = store.begin_run(&new_run(seed)).unwrap();
    (1..=generations).for_each(|number| store.save_generation(run, &generation(number, 10)).unwrap());
    run
}
