//! Texts of programs: what comes out is what went in, by this crate and by plain SQL.

use std::collections::HashMap;

use batt_evolve::{Evolution, EvolveOptions, Source};
use batt_program::canonical_text;
use batt_store::{Access, ContentHash, Generation, Import, Keep, NewProgram, Store, StoreError};
use rusqlite::Connection;

use crate::support::{Scratch, new_run};

/// A store with real mutants in it, each made of the ones before, and their texts.
fn evolved(scratch: &Scratch, generations: usize) -> (Store, HashMap<String, String>) {
    let (tasks, programs) = (batt_starter::pack(), batt_program::parse_file(batt_starter::LIBRARY).programs);
    let mut store = scratch.store("s");
    let import = |program: &batt_program::Program| Import {
        name: program.name().to_owned(),
        text: canonical_text(program),
        source: "starter.py".to_owned(),
    };
    let imports: Vec<Import> = programs.iter().map(import).collect();
    store.import(&imports).unwrap();
    let mut texts: HashMap<String, String> = imports.into_iter().map(|import| (hash(&import.text), import.text)).collect();
    let run = store.begin_run(&new_run(1)).unwrap();
    let options = EvolveOptions { population: 1_000, threads: 1, ..EvolveOptions::default() };
    let (mut evolution, _) = Evolution::new(&tasks, &programs, options).unwrap();
    for _ in 0..generations {
        let report = evolution.step();
        let kept = report.entries.iter().filter(|entry| entry.source != Source::Seed);
        let programs: Vec<NewProgram> = kept
            .map(|entry| NewProgram {
                text: entry.text.to_string(),
                operator: entry.source.name().to_owned(),
                parents: entry.parents.clone(),
                ..NewProgram::default()
            })
            .collect();
        texts.extend(programs.iter().map(|program| (hash(&program.text), program.text.clone())));
        store.save_generation(run, &Generation { number: report.number, programs, ..Generation::default() }).unwrap();
    }
    (store, texts)
}

fn hash(text: &str) -> String {
    ContentHash::of_text(text).to_string()
}

/// All texts, as this crate reads them.
fn read(store: &Store) -> HashMap<String, String> {
    let mut texts = HashMap::new();
    let visit = |program: batt_store::StoredProgram| {
        texts.insert(program.hash.to_string(), program.text);
        Ok::<(), StoreError>(())
    };
    store.for_each_program(visit).unwrap();
    texts
}

/// All texts, as anyone reads them.
fn queried(store: &Store) -> HashMap<String, String> {
    let connection = Connection::open(store.path()).unwrap();
    let mut texts = connection.prepare("SELECT hash, text FROM program_text").unwrap();
    let texts = texts.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    texts.collect::<rusqlite::Result<_>>().unwrap()
}

#[test]
fn mutants_come_back() {
    let scratch = Scratch::new();
    let (store, texts) = evolved(&scratch, 12);
    assert!(texts.len() > 1_000, "{}", texts.len());
    assert!(read(&store) == texts && queried(&store) == texts);
}

#[test]
fn programs_outlive_their_parents() {
    let scratch = Scratch::new();
    let (mut store, mut texts) = evolved(&scratch, 12);
    // Nothing has a score, so only imports stay; every second program is put into a pool before.
    let kept: Vec<ContentHash> = store.list().unwrap().into_iter().map(|listed| listed.hash).step_by(2).collect();
    let run = store.runs().unwrap()[0].id;
    let pools = vec![batt_store::Pool { task: "a".to_owned(), programs: kept.clone() }];
    store.save_generation(run, &Generation { number: 99, pools, ..Generation::default() }).unwrap();
    store.prune(&Keep { pools: true, ..Keep::default() }).unwrap();
    let imported: Vec<String> =
        store.list().unwrap().into_iter().filter(|one| one.operator == "import").map(|one| one.hash.to_string()).collect();
    texts.retain(|hash, _| imported.contains(hash) || kept.iter().any(|kept| kept.to_string() == *hash));
    assert!(read(&store) == texts && queried(&store) == texts);
    store.check().unwrap();
    let mut other = scratch.store("other");
    other.merge(&store).unwrap();
    assert!(read(&other) == texts && queried(&other) == texts);
}

#[test]
fn damage_to_a_parent_leaves_its_children() {
    let scratch = Scratch::new();
    let (store, texts) = evolved(&scratch, 12);
    let other = Connection::open(store.path()).unwrap();
    // A circle, a parent that is not there, another text.
    let damages = [
        ("UPDATE program SET first_parent = id WHERE id = ?", true),
        ("UPDATE program SET first_parent = 999999 WHERE id = ?", false),
        ("UPDATE program SET text = text || 'a' WHERE id = ?", false),
    ];
    let child = "SELECT c.id, p.id FROM program c JOIN program p ON p.id = c.first_parent WHERE p.first_parent IS NOT NULL LIMIT 1";
    let (child, parent): (i64, i64) = other.query_row(child, [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    let hash = |id: i64| other.query_row("SELECT hash FROM program_text WHERE id = ?", [id], |row| row.get::<_, String>(0)).unwrap();
    for (damage, is_sound) in damages {
        let copy = scratch.path("copy");
        let _ = std::fs::remove_file(&copy);
        other.execute("VACUUM INTO ?", [copy.to_str().unwrap()]).unwrap();
        let damaged = Connection::open(&copy).unwrap();
        damaged.execute_batch("PRAGMA foreign_keys = OFF").unwrap();
        assert_eq!(damaged.execute(damage, [parent]).unwrap(), 1);
        drop(damaged);
        let damaged = Store::open(&copy, Access::Read).unwrap();
        let found = damaged.find(&hash(child)).unwrap();
        assert_eq!(found.text, texts[&hash(child)]);
        assert_eq!(damaged.check().is_ok(), is_sound, "{damage}");
        if is_sound {
            assert!(damaged.lineage(found.hash).unwrap().len() > 1, "a lineage ends");
        }
    }
}
