//! Stores joined.

use batt_store::{Access, Merged, Store, StoreError};

use crate::support::{Scratch, answer, evolve, generation, hash, import, new_run};

/// A store with an import, and a run.
fn store_with(scratch: &Scratch, name: &str, seed: u64, generations: u64) -> Store {
    let mut store = scratch.store(name);
    store.import(&[import("f", seed), import("g", 1_000_000)]).unwrap();
    evolve(&mut store, seed, generations);
    store
}

#[test]
fn a_store_merged_into_an_empty_one_is_the_same() {
    let scratch = Scratch::new();
    let mut from = store_with(&scratch, "from", 1, 3);
    // Twice the same run is two runs.
    evolve(&mut from, 1, 3);
    evolve(&mut from, 1, 2);
    let mut into = scratch.store("into");
    let merged = into.merge(&from).unwrap();
    assert_eq!(merged, Merged { new_programs: 32, known_programs: 0, new_scores: 60, new_runs: 3, continued_runs: 0, known_runs: 0 });
    assert_eq!(into.dump().unwrap(), from.dump().unwrap());
    let run = from.runs().unwrap()[0].id;
    assert_eq!(into.times(run).unwrap(), from.times(run).unwrap());
    into.check().unwrap();
    // Again changes nothing.
    let again = into.merge(&from).unwrap();
    assert_eq!(again, Merged { known_programs: 32, known_runs: 3, ..Merged::default() });
    assert_eq!(into.dump().unwrap(), from.dump().unwrap());
}

#[test]
fn what_speaks_for_an_answer_is_joined() {
    let scratch = Scratch::new();
    let store = |name: &str, cost: u32, family: &str, votes: u32| {
        let mut store = scratch.store(name);
        store.import(&[import("f", 7)]).unwrap();
        let run = store.begin_run(&new_run(1)).unwrap();
        let answers = vec![batt_store::Answer { family: family.to_owned(), votes, ..answer(7, "a", cost) }];
        store.save_generation(run, &batt_store::Generation { answers, ..generation(1, 0) }).unwrap();
        store
    };
    let (one, two) = (store("one", 2_000, "search-cover", 1), store("two", 1_500, "rule-cells", 0));
    let mut dumps = Vec::new();
    for (name, first, second) in [("there", &one, &two), ("and back", &two, &one)] {
        let mut into = scratch.store(name);
        into.merge(first).unwrap();
        into.merge(second).unwrap();
        let answers = into.answers("a").unwrap();
        let found = &answers[0].1;
        assert_eq!((answers.len(), found.cost, &*found.family, found.votes), (1, 1_500, "rule-cells", 1));
        dumps.push(found.clone());
    }
    assert_eq!(dumps[0], dumps[1]);
    // A store that has the program, from a file, learns what speaks for it; of programs that it does not have, nothing.
    let mut other = scratch.store("other");
    assert_eq!(other.import_answers(&one).unwrap(), 0);
    other.import(&[import("g", 7)]).unwrap();
    assert_eq!(other.import_answers(&one).unwrap(), 1);
    assert_eq!(other.answers("a").unwrap()[0].1, one.answers("a").unwrap()[0].1);
    assert_eq!(other.answers("nothing").unwrap(), []);
}

#[test]
fn what_both_have_is_there_once() {
    let scratch = Scratch::new();
    let mut one = store_with(&scratch, "one", 1, 2);
    let two = store_with(&scratch, "two", 2, 4);
    let merged = one.merge(&two).unwrap();
    assert_eq!(merged, Merged { new_programs: 21, known_programs: 21, new_scores: 40, new_runs: 1, continued_runs: 0, known_runs: 0 });
    one.check().unwrap();
    let runs = one.runs().unwrap();
    assert_eq!(runs.iter().map(|run| (run.id.0, run.seed)).collect::<Vec<_>>(), [(1, 1), (2, 2)], "a run gets a number of its own");
    assert_eq!(one.checkpoint(runs[1].id).unwrap(), two.checkpoint(two.runs().unwrap()[0].id).unwrap());
    assert_eq!(one.program(hash(4_003)).unwrap().unwrap().origin.run, Some(runs[1].id));
    assert_eq!(one.program(hash(1_003)).unwrap().unwrap().origin.run, Some(runs[0].id), "what was here first stays");
    assert_eq!(one.pool(runs[1].id, "a").unwrap().len(), 3);
    let all = one.dump().unwrap();
    // In the other direction the same programs and scores come out.
    let mut other = store_with(&scratch, "other", 2, 4);
    other.merge(&store_with(&scratch, "and", 1, 2)).unwrap();
    let list = |store: &Store| {
        let mut hashes: Vec<_> = store.list().unwrap().into_iter().map(|one| (one.hash, one.name, one.tasks, one.fits)).collect();
        hashes.sort();
        hashes
    };
    assert_eq!(list(&one), list(&other));
    assert_eq!(one.merge(&two).unwrap().new_runs, 0);
    assert_eq!(one.dump().unwrap(), all);
}

#[test]
fn a_run_that_went_on_elsewhere_is_continued() {
    let scratch = Scratch::new();
    let mut here = store_with(&scratch, "here", 1, 2);
    let there = store_with(&scratch, "there", 1, 5);
    let merged = here.merge(&there).unwrap();
    assert_eq!((merged.new_runs, merged.continued_runs, merged.known_runs), (0, 1, 0));
    assert_eq!(here.dump().unwrap(), there.dump().unwrap());
    let short = store_with(&scratch, "short", 1, 2);
    assert_eq!(here.merge(&short).unwrap().known_runs, 1);
    assert_eq!(here.dump().unwrap(), there.dump().unwrap(), "and never set back");
    here.save_generation(here.runs().unwrap()[0].id, &generation(6, 10)).unwrap();
}

#[test]
fn a_run_that_went_otherwise_is_another() {
    let scratch = Scratch::new();
    let mut here = store_with(&scratch, "here", 1, 2);
    let mut there = scratch.store("there");
    let run = there.begin_run(&new_run(1)).unwrap();
    let mut otherwise = generation(1, 10);
    otherwise.progress.evaluations += 1;
    there.save_generation(run, &otherwise).unwrap();
    assert_eq!(here.merge(&there).unwrap().new_runs, 1);
}

#[test]
fn a_store_is_not_merged_into_itself() {
    let scratch = Scratch::new();
    let mut one = store_with(&scratch, "one", 1, 1);
    let same = Store::open(&scratch.path("one"), Access::Read).unwrap();
    assert!(matches!(one.merge(&same), Err(StoreError::SameStore { .. })));
}
