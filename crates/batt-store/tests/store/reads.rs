//! Reads give back what was written, in the order that was promised.

use batt_store::{Access, Generation, NewFit, NewProgram, OperatorUse, Origin, Pool, RunId, Score, Store, StoreError};

use crate::support::{Scratch, evolve, generation, hash, import, made, new_run, score, text};

#[test]
fn a_run_is_read_back() {
    let scratch = Scratch::new();
    let mut store = scratch.store("s");
    let run = evolve(&mut store, u64::MAX, 3);
    drop(store);
    let store = Store::open(&scratch.path("s"), Access::Read).unwrap();
    let stored = store.run(run).unwrap();
    assert_eq!((stored.seed, &*stored.configuration), (u64::MAX, &*new_run(u64::MAX).configuration));
    assert_eq!((&*stored.batt_version, &*stored.table_hash), ("0.1.0", "00ff"));
    assert_eq!(stored.tasks, ["b", "a"], "in the order of the run");
    assert_eq!(stored.last, Some((3, generation(3, 10).progress)));
    assert_eq!(store.runs().unwrap(), [stored]);
    assert_eq!(store.last_generation(run).unwrap(), Some(3));
    assert_eq!(store.checkpoint(run).unwrap(), Some((3, "after 3".to_owned())));
    assert_eq!(store.seen(run).unwrap(), [(2, "seen in 2".to_owned()), (3, "seen in 3".to_owned())], "older ones are forgotten");
    let expected: Vec<_> = (1..=3).map(|number| (number, generation(number, 10).progress)).collect();
    assert_eq!(store.history(run).unwrap(), expected);
    let total = OperatorUse { operator: "swap".to_owned(), tried: 30, duplicates: 3, improved: 6, fits: 9 };
    assert_eq!(store.operator_totals(run).unwrap(), [total]);
    assert_eq!(store.times(run).unwrap(), [(None, 1_000), (Some(1), 2_001), (Some(2), 2_002), (Some(3), 2_003)]);
    let fits = store.fits().unwrap();
    assert_eq!(fits.len(), 6);
    assert!(fits.iter().all(|found| found.run == run && found.task == "a"));
    assert_eq!(store.tasks().unwrap(), ["a", "b"]);
    let counts = store.counts().unwrap();
    assert_eq!((counts.programs, counts.scores, counts.tasks, counts.runs, counts.fits), (30, 60, 2, 1, 1));
    assert!(matches!(store.run(RunId(7)), Err(StoreError::NoRun { run: RunId(7), .. })));
    store.check().unwrap();
}

#[test]
fn pools_are_those_of_the_last_change() {
    let scratch = Scratch::new();
    let mut store = scratch.store("s");
    let run = evolve(&mut store, 1, 2);
    let other = store.begin_run(&new_run(2)).unwrap();
    let pool = |store: &Store, run| -> Vec<_> { store.pool(run, "a").unwrap().into_iter().map(|ranked| ranked.program.hash).collect() };
    assert_eq!(pool(&store, run), [2_009, 2_008, 2_007].map(hash));
    assert!(pool(&store, other).is_empty(), "another run has its own");
    let entry = &store.pool(run, "a").unwrap()[0];
    assert_eq!(entry.score, Some(score(2_009, "a", 1, 2_009)));
    assert!(store.pool(run, "b").unwrap().is_empty());
    let pools = vec![Pool { task: "a".to_owned(), programs: vec![hash(2_007), hash(1_003)] }];
    store.save_generation(run, &Generation { number: 3, pools, ..Generation::default() }).unwrap();
    assert_eq!(pool(&store, run), [2_007, 1_003].map(hash));
    assert_eq!(store.counts().unwrap().programs, 20, "what leaves a pool stays in the store");
}

#[test]
fn the_best_are_in_order() {
    let scratch = Scratch::new();
    let mut store = scratch.store("s");
    let run = store.begin_run(&new_run(1)).unwrap();
    let with =
        |number: u64, demos_right: u32, points: u64, size: u32, fuel: u64| Score { size, fuel, ..score(number, "a", demos_right, points) };
    // In the order that they are to come out, but for the last two, which are equally good.
    let depends = |score: Score, order_dependent| Score { order_dependent, ..score };
    let scores = [
        depends(with(1, 3, 10, 9, 900), Some(true)),
        with(2, 2, 99, 9, 900),
        with(3, 2, 98, 1, 900),
        with(4, 2, 98, 2, 5),
        with(5, 2, 98, 2, 6),
        depends(with(9, 2, 98, 1, 1), None),
        depends(with(10, 2, 98, 1, 2), Some(true)),
    ];
    let equal = [with(6, 0, 0, 1, 1), with(7, 0, 0, 1, 1), with(8, 0, 0, 1, 1)];
    let programs = (1..=10).rev().map(|number| made(number, "seed", &[])).collect();
    let all = scores.iter().rev().chain(&equal).cloned().chain([score(3, "b", 3, 0)]).collect();
    store.save_generation(run, &Generation { number: 1, programs, scores: all, ..Generation::default() }).unwrap();
    let mut by_hash = equal.to_vec();
    by_hash.sort_by_key(|score| score.program.to_string());
    let expected: Vec<Score> = scores.into_iter().chain(by_hash).collect();
    for most in [0, 1, 4, 6, 7, 8, 10, 100] {
        let best: Vec<Score> = store.best("a", most).unwrap().into_iter().map(|ranked| ranked.score.unwrap()).collect();
        assert_eq!(best, expected[..most.min(expected.len())], "{most}");
    }
    assert!(matches!(store.best("c", 3), Err(StoreError::NoTask { wanted, .. }) if wanted == "c"));
    assert_eq!(store.scores_of(hash(3)).unwrap(), [with(3, 2, 98, 1, 900), score(3, "b", 3, 0)]);
    // A later score counts.
    store.save_generation(run, &Generation { number: 2, scores: vec![with(8, 3, 3_000, 1, 1)], ..Generation::default() }).unwrap();
    assert_eq!(store.best("a", 1).unwrap()[0].program.hash, hash(8));
    assert_eq!(store.counts().unwrap().scores, 11);
}

#[test]
fn a_program_is_there_once_and_keeps_its_first_origin() {
    let scratch = Scratch::new();
    let mut store = scratch.store("s");
    let imported = store.import(&[import("solve_b", 1), import("solve_a", 1), import("solve_a", 2)]).unwrap();
    assert_eq!((imported.new, imported.known), (2, 1));
    let run = store.begin_run(&new_run(1)).unwrap();
    let programs = vec![made(1, "swap", &[2]), made(3, "cross", &[1, 2]), made(3, "swap", &[])];
    store.save_generation(run, &Generation { number: 5, programs, ..Generation::default() }).unwrap();
    let program = store.program(hash(1)).unwrap().unwrap();
    assert_eq!(program.names, ["solve_a", "solve_b"]);
    assert_eq!((&*program.origin.operator, program.origin.source.as_deref()), ("import", Some("mine.py")));
    assert_eq!(program.named_text(), text(1).replace("program", "solve_a"));
    let child = store.program(hash(3)).unwrap().unwrap();
    let expected = Origin {
        operator: "cross".to_owned(),
        run: Some(run),
        generation: Some(5),
        seed: Some(3),
        parents: vec![hash(1), hash(2)],
        parents_pruned: 0,
        source: None,
    };
    assert_eq!(child.origin, expected);
    assert_eq!(child.name(), format!("p_{}", &hash(3).to_string()[..12]));
    assert_eq!(store.program(hash(4)).unwrap(), None);
    let listed = store.list().unwrap();
    assert_eq!(
        listed.iter().map(|one| (one.hash, one.name.as_deref())).collect::<Vec<_>>(),
        [(hash(1), Some("solve_a")), (hash(2), Some("solve_a")), (hash(3), None)]
    );
}

#[test]
fn programs_are_found_by_name_and_by_the_start_of_their_hash() {
    let scratch = Scratch::new();
    let mut store = scratch.store("s");
    let mut imports: Vec<_> = (0..600).map(|number| import(&format!("f{number}"), number)).collect();
    imports.push(import("f0", 1));
    // A name that could be a hash is a name.
    let looks_like_one = hash(9).to_string()[..6].to_owned();
    imports.push(import(&looks_like_one, 8));
    store.import(&imports).unwrap();
    let find = |wanted: &str| store.find(wanted);
    assert_eq!(find("f7").unwrap().hash, hash(7));
    assert_eq!(find(&hash(7).to_string()).unwrap().hash, hash(7));
    assert_eq!(find(&hash(7).to_string()[..20].to_uppercase()).unwrap().hash, hash(7));
    assert_eq!(find(&looks_like_one).unwrap().hash, hash(8));
    let Err(StoreError::Ambiguous { candidates, .. }) = find("f0") else { panic!("two programs have this name") };
    assert_eq!(candidates.len(), 2);
    for missing in ["f600", "", "%", "xyz", &hash(7).to_string()[..3], "00000000000000000000000000000000"] {
        assert!(matches!(find(missing), Err(StoreError::NoProgram { .. })), "{missing:?}");
    }
}

#[test]
fn a_lineage_goes_back_to_imports() {
    let scratch = Scratch::new();
    let mut store = scratch.store("s");
    store.import(&[import("one", 1), import("two", 2)]).unwrap();
    let run = store.begin_run(&new_run(1)).unwrap();
    let programs = vec![made(3, "swap", &[1]), made(4, "cross", &[3, 2]), made(5, "cross", &[4, 3]), made(6, "other", &[])];
    store.save_generation(run, &Generation { number: 1, programs, ..Generation::default() }).unwrap();
    let lineage: Vec<_> = store.lineage(hash(5)).unwrap().into_iter().map(|ancestor| (ancestor.depth, ancestor.program.hash)).collect();
    assert_eq!(lineage, [(0, hash(5)), (1, hash(4)), (1, hash(3)), (2, hash(2)), (2, hash(1))]);
}

#[test]
fn what_is_wrong_is_not_saved_at_all() {
    let scratch = Scratch::new();
    let mut store = scratch.store("s");
    let run = evolve(&mut store, 1, 2);
    let before = store.dump().unwrap();
    let good = generation(3, 4);
    let bad_text = Generation { programs: vec![made(1, "swap", &[]), NewProgram::default()], ..good.clone() };
    let unknown = [
        Generation { programs: vec![made(1, "swap", &[77])], ..good.clone() },
        Generation { scores: vec![score(77, "a", 1, 1)], ..good.clone() },
        Generation { pools: vec![Pool { task: "a".to_owned(), programs: vec![hash(77)] }], ..good.clone() },
        Generation { fits: vec![NewFit { task: "a".to_owned(), program: hash(77) }], ..good.clone() },
    ];
    assert!(matches!(store.save_generation(run, &bad_text), Err(StoreError::BadProgram { .. })));
    let three_parents = Generation { programs: vec![made(1, "x", &[1_000, 1_001, 1_002])], ..good.clone() };
    assert!(matches!(store.save_generation(run, &three_parents), Err(StoreError::BadProgram { .. })));
    for wrong in &unknown {
        assert!(matches!(store.save_generation(run, wrong), Err(StoreError::UnknownProgram { .. })));
    }
    assert!(matches!(store.save_generation(RunId(9), &good), Err(StoreError::NoRun { .. })));
    assert!(matches!(store.import(&[import("two words", 1)]), Err(StoreError::BadProgram { .. })));
    let again = store.save_generation(run, &generation(2, 4));
    assert!(matches!(again, Err(StoreError::GenerationThere { last: 2, given: 2, .. })), "{again:?}");
    assert_eq!(store.dump().unwrap(), before);
    store.save_generation(run, &good).unwrap();
}
