//! Texts of programs are stored as what they change of their parents; what comes out is what went in, by this crate and by plain SQL.

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

fn count(store: &Store, what: &str) -> i64 {
    Connection::open(store.path()).unwrap().query_row(&format!("SELECT {what} FROM program"), [], |row| row.get(0)).unwrap()
}

#[test]
fn mutants_come_back_and_are_small() {
    let scratch = Scratch::new();
    let (store, texts) = evolved(&scratch, 12);
    assert!(texts.len() > 1_000, "{}", texts.len());
    assert!(read(&store) == texts && queried(&store) == texts);
    let changes = count(&store, "sum(is_change)");
    assert!(changes > texts.len() as i64 / 2, "{changes}");
    let (stored, text): (i64, usize) = (count(&store, "sum(length(CAST(code AS BLOB)))"), texts.values().map(String::len).sum());
    assert!(8 * stored < text as i64, "{stored} of {text}");
}

#[test]
fn programs_outlive_the_parents_that_they_are_changes_of() {
    let scratch = Scratch::new();
    let (mut store, mut texts) = evolved(&scratch, 12);
    // Nothing has a score, so only imports stay; every second program is put into a pool before.
    let kept: Vec<ContentHash> = store.list().unwrap().into_iter().map(|listed| listed.hash).step_by(2).collect();
    let run = store.runs().unwrap()[0].id;
    let pools = vec![batt_store::Pool { task: "a".to_owned(), programs: kept.clone() }];
    store.save_generation(run, &Generation { number: 99, pools, ..Generation::default() }).unwrap();
    let before = count(&store, "sum(is_change)");
    store.prune(&Keep { pools: true, ..Keep::default() }).unwrap();
    let imported: Vec<String> =
        store.list().unwrap().into_iter().filter(|one| one.operator == "import").map(|one| one.hash.to_string()).collect();
    texts.retain(|hash, _| imported.contains(hash) || kept.iter().any(|kept| kept.to_string() == *hash));
    assert!(read(&store) == texts && queried(&store) == texts);
    store.check().unwrap();
    let after = count(&store, "sum(is_change)");
    assert!(after > 0 && after < before, "{before}, {after}");
    let mut other = scratch.store("other");
    other.merge(&store).unwrap();
    assert!(read(&other) == texts && queried(&other) == texts);
}

#[test]
fn a_long_line_is_cut() {
    let scratch = Scratch::new();
    let mut store = scratch.store("s");
    let run = store.begin_run(&new_run(1)).unwrap();
    let body: String = (1..40).map(|n| format!("    x{n} = f(I, {n})\n")).collect::<Vec<_>>().concat();
    let text = |number: u32| format!("def program(I):\n{body}    O = f({number})\n    return O\n");
    let made = |number: u32| NewProgram {
        text: text(number),
        operator: "swap".to_owned(),
        parents: number.checked_sub(1).map(|parent| ContentHash::of_text(&text(parent))).into_iter().collect(),
        ..NewProgram::default()
    };
    // Some in one transaction, and some each in its own.
    let generations = std::iter::once(0..100).chain((100..130).map(|number| number..number + 1));
    for (number, programs) in (1..).zip(generations) {
        store.save_generation(run, &Generation { number, programs: programs.map(made).collect(), ..Generation::default() }).unwrap();
    }
    assert_eq!(count(&store, "count(*) - sum(is_change)"), 10, "every thirteenth is whole");
    for number in [0, 12, 13, 99, 129] {
        assert_eq!(store.program(ContentHash::of_text(&text(number))).unwrap().unwrap().text, text(number));
    }
    assert!(queried(&store) == read(&store));
}

#[test]
fn damage_to_an_ancestor_is_noticed_in_its_descendants() {
    let scratch = Scratch::new();
    let (store, _) = evolved(&scratch, 12);
    let other = Connection::open(store.path()).unwrap();
    // A circle, a parent that is not there, a change of something else, a word that is not there.
    let damages = [
        "UPDATE program SET first_parent = id WHERE id = ?",
        "UPDATE program SET first_parent = 999999 WHERE id = ?",
        "UPDATE program SET code = replace(hex(zeroblob(50)), '0', 'Z') WHERE id = ?",
        "UPDATE program SET code = code || char(40000) WHERE id = ?",
    ];
    let child = "SELECT c.id, p.id FROM program c JOIN program p ON p.id = c.first_parent WHERE c.is_change AND p.is_change LIMIT 1";
    let (child, parent): (i64, i64) = other.query_row(child, [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    let hash: String = other.query_row("SELECT hash FROM program_text WHERE id = ?", [child], |row| row.get(0)).unwrap();
    store.find(&hash).unwrap();
    for damage in damages {
        let copy = scratch.path("copy");
        let _ = std::fs::remove_file(&copy);
        other.execute("VACUUM INTO ?", [copy.to_str().unwrap()]).unwrap();
        let damaged = Connection::open(&copy).unwrap();
        damaged.execute_batch("PRAGMA foreign_keys = OFF").unwrap();
        assert_eq!(damaged.execute(damage, [parent]).unwrap(), 1);
        drop(damaged);
        let error = Store::open(&copy, Access::Read).unwrap().find(&hash).unwrap_err();
        assert!(matches!(&error, StoreError::Corrupted { what, .. } if what.contains(&hash)), "{damage}: {error:?}");
    }
}
