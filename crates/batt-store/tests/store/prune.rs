//! Prunes: which programs stay and which go.

use std::collections::BTreeSet;

use batt_store::{ContentHash, Generation, Keep, NewRun, PruneReport, Store};

use crate::support::{Scratch, evolve, hash, import, new_run, score};

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
    let fits = store.fits().unwrap().len();
    let pruned = store.prune(&Keep { best: 2, ..Keep::default() }).unwrap();
    let kept = expected.len();
    assert_eq!(hashes(&store), expected);
    assert_eq!((pruned.kept, pruned.programs, pruned.scores), (kept, 32 - kept, 2 * (32 - kept)));
    assert_eq!(pruned.fits, fits - store.fits().unwrap().len());
    assert_eq!(pruned.ended_runs, 1);
    assert_eq!((store.checkpoint(run).unwrap(), store.pool(run, "a").unwrap()), (None, vec![]), "the run cannot go on by mistake");
    assert_eq!(store.history(run).unwrap().len(), 3, "but is remembered");
    store.check().unwrap();
    let after: Vec<_> = store.best("a", 2).unwrap();
    assert_eq!(after.iter().map(|one| &one.score).collect::<Vec<_>>(), ranking.iter().map(|one| &one.score).collect::<Vec<_>>());
    assert_eq!(after[0].program.origin.parents_pruned, 1, "a lineage says where it was cut");
    assert_eq!(store.lineage(after[0].program.hash).unwrap().len(), 1);
    assert_eq!(store.prune(&Keep { best: 2, ..Keep::default() }).unwrap(), PruneReport { kept, ..PruneReport::default() });
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

/// A run that goes on needs what it began with.
#[test]
fn what_a_run_began_with_stays_with_its_pools_or_goes_whole() {
    for pools in [true, false] {
        let scratch = Scratch::new();
        let mut store = grown(&scratch);
        let programs = vec![("one".to_owned(), hash(2)), ("two".to_owned(), hash(1)), ("one".to_owned(), hash(2))];
        let told = NewRun { programs, folder: "/somewhere".to_owned(), ..new_run(9) };
        let run = store.begin_run(&told).unwrap();
        assert_eq!(store.run(run).unwrap().folder.as_deref(), Some("/somewhere"));
        let began = |store: &Store, run| -> Vec<(String, ContentHash)> {
            store.run_programs(run).unwrap().into_iter().map(|(name, program)| (name, program.hash)).collect()
        };
        assert_eq!(began(&store, run), told.programs);
        // A score makes an import one that may go.
        let scores = vec![score(1, "a", 0, 0), score(2, "a", 0, 0)];
        store.save_generation(run, &Generation { number: 1, scores, ..Generation::default() }).unwrap();
        let mut copy = scratch.store("copy");
        copy.merge(&store).unwrap();
        let there = copy.runs().unwrap().pop().unwrap();
        assert_eq!((began(&copy, there.id), there.folder), (told.programs.clone(), Some("/somewhere".to_owned())));
        store.prune(&Keep { best: 1, ancestors: false, pools }).unwrap();
        assert_eq!(began(&store, run), if pools { told.programs } else { Vec::new() });
        store.check().unwrap();
    }
}
