//! The bodies of the fuzz targets on the committed corpus, and on changed copies of it: what a fuzzer does, without one.

use std::path::Path;

use batt_core::Random;
use batt_testing::bytes;
use batt_testing::soak::{count, seed};

use crate::bodies;

/// The files of a target's corpus, in the order of their names.
fn corpus(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(paths.len() >= 5, "the corpus of {target} is there");
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

#[test]
fn the_corpus_holds() {
    for (name, body) in bodies::TARGETS {
        for bytes in corpus(name) {
            body(&bytes);
        }
    }
}

/// Runs a target on changed copies of its corpus; in a soak on a hundred times as many.
fn run_changed(cases: u64, name: &str, body: fn(&[u8])) {
    let files = corpus(name);
    let others: Vec<&[u8]> = files.iter().map(Vec::as_slice).collect();
    for case in 0..count(cases, 100 * cases) {
        let mut rng = Random::new(seed(case));
        let mut bytes = rng.pick(&files).clone();
        for _ in 0..rng.below(6) {
            bytes::change(&mut bytes, &others, &mut rng);
        }
        let held = std::panic::catch_unwind(|| body(&bytes));
        assert!(held.is_ok(), "case {case} of {name}:\n{}", String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn changed_texts_parse_or_say_why_not() {
    run_changed(5000, "parse", bodies::parse);
}

#[test]
fn changed_programs_run_the_same_on_every_executor() {
    run_changed(3000, "execute", bodies::execute);
}

#[test]
fn changed_tasks_load_or_say_why_not() {
    run_changed(3000, "tasks", bodies::tasks);
}

#[test]
fn changed_cards_are_refused_or_hold_together() {
    run_changed(2000, "card_cache", bodies::card_cache);
}
