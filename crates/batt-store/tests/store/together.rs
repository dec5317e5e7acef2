//! Several writers and readers at once.

use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};

use batt_store::{Access, Store};

use crate::support::{Scratch, generation, import, new_run};

const GENERATIONS: u64 = 25;

#[test]
fn two_writers_and_a_reader() {
    let scratch = Scratch::new();
    let path = scratch.path("s");
    let barrier = Barrier::new(3);
    let done = AtomicBool::new(false);
    let write = |seed: u64| {
        barrier.wait();
        // Nobody made the store before: each may be the one who does.
        let mut store = Store::open(&path, Access::Create).unwrap();
        let run = store.begin_run(&new_run(seed)).unwrap();
        for number in 1..=GENERATIONS {
            store.save_generation(run, &generation(number, 20)).unwrap();
            store.import(&[import(&format!("f{seed}"), number)]).unwrap();
        }
        run
    };
    let read = || {
        barrier.wait();
        let store = std::iter::repeat_with(|| Store::open(&path, Access::Read)).find_map(Result::ok).unwrap();
        let mut looks = 0;
        loop {
            let last_look = done.load(Ordering::SeqCst);
            for run in store.runs().unwrap() {
                // The history is read once more, so it may have gone on, but never back.
                let history = store.history(run.id).unwrap();
                assert!(history.last().map(|(number, _)| *number) >= run.last.map(|(number, _)| number));
                assert!(history.iter().map(|(number, _)| *number).eq(1..=history.len() as u64), "whole generations");
            }
            let counts = store.counts().unwrap();
            assert_eq!(counts.scores % 40, 0, "whole generations");
            looks += 1;
            if last_look {
                return looks;
            }
        }
    };
    std::thread::scope(|scope| {
        let writers = [1, 2].map(|seed| scope.spawn(move || write(seed)));
        let reader = scope.spawn(read);
        let runs = writers.map(|writer| writer.join().unwrap());
        done.store(true, Ordering::SeqCst);
        assert!(reader.join().unwrap() > 0);
        assert_ne!(runs[0], runs[1]);
    });
    let store = Store::open(&path, Access::Read).unwrap();
    store.check().unwrap();
    let counts = store.counts().unwrap();
    assert_eq!((counts.runs, counts.programs, counts.scores), (2, 20 * GENERATIONS + GENERATIONS, 40 * GENERATIONS));
    for run in store.runs().unwrap() {
        assert_eq!(run.last.map(|(number, _)| number), Some(GENERATIONS));
        assert_eq!(store.pool(run.id, "a").unwrap().len(), 3);
    }
    drop(store);
    assert_eq!(scratch.files(), ["s"], "no log is left behind");
}

#[test]
fn equal_runs_make_equal_stores() {
    let scratch = Scratch::new();
    let run = |name: &str, clock: i64| {
        let mut store = scratch.store(name);
        store.import(&[import("f", 1), import("g", 2)]).unwrap();
        let run = store.begin_run(&batt_store::NewRun { unix_ms: clock, ..new_run(7) }).unwrap();
        (1..=4).for_each(|number| store.save_generation(run, &generation(number, 15)).unwrap());
        store.dump().unwrap()
    };
    let dump = run("one", 0);
    assert_eq!(run("other", 99), dump);
    assert!(dump.contains("# pool: run, task, rank, program\n1\t\"a\"\t0\t"), "{dump}");
}
