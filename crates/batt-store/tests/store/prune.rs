//! What a prune keeps and what it drops.

use std::collections::BTreeSet;

use batt_store::{ContentHash, Keep, Pruned, Store};

use crate::support::{Scratch, evolve, hash, import};

fn grown(scratch: &Scratch) -> Store {
    let mut store = scratch.store("s");
    store.import(&[import("untried", 1), import("also", 2)]).unwrap();
    evolve(&mut store, 1, 3);
    store
}

fn hashes(store: &Store) -> BTreeSet<ContentHash> {
    store.list().unwrap().into_iter().map(|listed| listed.hash).collect()
}

fn best(store: &Store, most: usize) -> BTreeSet<ContentHash> {
    let of_task = |task| store.best(task, most).unwrap().into_iter().map(|ranked| ranked.program.hash);
    ["a", "b"].into_iter().flat_map(of_task).collect()
}

#[test]
fn the_best_of_each_task_stay() {
    let scratch = Scratch::new();
    let mut store = grown(&scratch);
    let run = store.runs().unwrap()[0].id;
    let mut expected = best(&store, 2);
    let ranking = store.best("a", 2).unwrap();
    expected.extend([hash(1), hash(2)]);
    let solved = store.solutions().unwrap().len();
    let pruned = store.prune(&Keep { best: 2, ..Keep::default() }).unwrap();
    let kept = expected.len();
    assert_eq!(hashes(&store), expected);
    assert_eq!((pruned.kept, pruned.programs, pruned.scores), (kept, 32 - kept, 2 * (32 - kept)));
    assert_eq!(pruned.solutions, solved - store.solutions().unwrap().len());
    assert_eq!(pruned.ended_runs, 1);
    assert_eq!((store.checkpoint(run).unwrap(), store.pool(run, "a").unwrap()), (None, vec![]), "the run cannot go on by mistake");
    assert_eq!(store.history(run).unwrap().len(), 3, "but is remembered");
    store.check().unwrap();
    let after: Vec<_> = store.best("a", 2).unwrap();
    assert_eq!(after.iter().map(|one| &one.score).collect::<Vec<_>>(), ranking.iter().map(|one| &one.score).collect::<Vec<_>>());
    assert_eq!(after[0].program.origin.parents_pruned, 1, "a lineage says where it was cut");
    assert_eq!(store.lineage(after[0].program.hash).unwrap().len(), 1);
    assert_eq!(store.prune(&Keep { best: 2, ..Keep::default() }).unwrap(), Pruned { kept, ..Pruned::default() });
}

#[test]
fn ancestors_and_pools_stay_if_they_are_to() {
    let scratch = Scratch::new();
    let mut store = grown(&scratch);
    let run = store.runs().unwrap()[0].id;
    let pool: BTreeSet<_> = store.pool(run, "a").unwrap().into_iter().map(|ranked| ranked.program.hash).collect();
    let lineages = |store: &Store, of: &BTreeSet<ContentHash>| -> BTreeSet<ContentHash> {
        of.iter().flat_map(|&hash| store.lineage(hash).unwrap()).map(|ancestor| ancestor.program.hash).collect()
    };
    let mut expected = lineages(&store, &(&best(&store, 1) | &pool));
    expected.extend([hash(1), hash(2)]);
    let pruned = store.prune(&Keep { best: 1, ancestors: true, pools: true }).unwrap();
    assert_eq!(hashes(&store), expected);
    assert!(pruned.programs > 0 && expected.len() > 10);
    assert_eq!(pruned.ended_runs, 0);
    assert_eq!(store.checkpoint(run).unwrap(), Some((3, "after 3".to_owned())));
    store.check().unwrap();
    let top = store.best("a", 1).unwrap().remove(0).program;
    assert_eq!(store.lineage(top.hash).unwrap().last().unwrap().program.origin.operator, "seed", "back to the start");
}

#[test]
fn room_is_given_back() {
    let scratch = Scratch::new();
    let mut store = scratch.store("s");
    store.import(&(0..5_000).map(|number| import("f", number)).collect::<Vec<_>>()).unwrap();
    evolve(&mut store, 1, 200);
    let size = || std::fs::metadata(scratch.path("s")).unwrap().len();
    store.compact().unwrap();
    let before = size();
    store.prune(&Keep { best: 1, ..Keep::default() }).unwrap();
    store.compact().unwrap();
    let after = size();
    assert!(after < before - 250_000, "{before} bytes before, {after} after");
    store.check().unwrap();
}
