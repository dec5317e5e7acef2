//! The bodies of the fuzz targets on the committed corpus, and on changed copies of it: what a fuzzer does, without one.

use std::path::Path;

use batt_testing::fuzz;
use proptest::prelude::*;
use proptest::sample::Index;

/// The files of a target's corpus, in the order of their names.
fn corpus(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(paths.len() >= 5, "the corpus of {target} is there");
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

#[derive(Clone, Debug)]
enum Change {
    Set(Index, u8),
    Insert(Index, Vec<u8>),
    Remove(Index, usize),
    /// A part of another file, at a place of this one.
    Splice(Index, Index, Index, usize),
    /// A word of the language.
    Word(Index, Index),
}

const WORDS: [&str; 24] = [
    "def f(I):\n    ",
    "def g(S, I, C):\n    ",
    "return ",
    "O = ",
    "I",
    "S",
    "C",
    "(",
    ")",
    ", ",
    "frozenset({",
    "})",
    "()",
    "\n    ",
    "\n",
    "x1",
    "identity",
    "compose(",
    "apply(",
    "-9223372036854775808",
    "T",
    "ZERO",
    "value=",
    "#",
];

fn change() -> impl Strategy<Value = Change> {
    let place = any::<Index>;
    prop_oneof![
        (place(), any::<u8>()).prop_map(|(at, byte)| Change::Set(at, byte)),
        (place(), prop::collection::vec(any::<u8>(), 1..9)).prop_map(|(at, bytes)| Change::Insert(at, bytes)),
        (place(), 1usize..40).prop_map(|(at, count)| Change::Remove(at, count)),
        (place(), place(), place(), 1usize..80).prop_map(|(at, file, from, count)| Change::Splice(at, file, from, count)),
        (place(), place()).prop_map(|(at, word)| Change::Word(at, word)),
    ]
}

fn changed(files: &[Vec<u8>], file: Index, changes: &[Change]) -> Vec<u8> {
    let mut bytes = file.get(files).clone();
    for change in changes {
        let at = |index: &Index| index.index(bytes.len() + 1);
        match change {
            Change::Set(index, byte) if !bytes.is_empty() => *index.get_mut(&mut bytes) = *byte,
            Change::Set(..) => {}
            Change::Insert(index, new) => drop(bytes.splice(at(index)..at(index), new.iter().copied())),
            Change::Remove(index, count) => drop(bytes.drain(at(index)..(at(index) + count).min(bytes.len()))),
            Change::Splice(index, other, from, count) => {
                let other = other.get(files);
                let from = from.index(other.len() + 1);
                let part = other[from..(from + count).min(other.len())].to_vec();
                drop(bytes.splice(at(index)..at(index), part));
            }
            Change::Word(index, word) => drop(bytes.splice(at(index)..at(index), word.get(&WORDS).bytes())),
        }
    }
    bytes
}

/// How many changed inputs a normal run takes; a soak takes a hundred times as many.
fn config(cases: u32) -> ProptestConfig {
    let soak = std::env::var_os("BATT_SOAK").is_some();
    ProptestConfig { cases: if soak { cases * 100 } else { cases }, failure_persistence: None, ..ProptestConfig::default() }
}

#[test]
fn the_corpus_holds() {
    for (name, body) in fuzz::TARGETS {
        for bytes in corpus(name) {
            body(&bytes);
        }
    }
}

/// Runs a target on changed copies of its corpus.
fn run_changed(cases: u32, name: &str, body: fn(&[u8])) {
    let files = corpus(name);
    proptest!(config(cases), |(file in any::<Index>(), changes in prop::collection::vec(change(), 0..6))| {
        body(&changed(&files, file, &changes));
    });
}

#[test]
fn changed_texts_parse_or_say_why_not() {
    run_changed(5000, "parse", fuzz::parse);
}

#[test]
fn changed_programs_run_the_same_on_every_executor() {
    run_changed(3000, "execute", fuzz::execute);
}

#[test]
fn changed_tasks_load_or_say_why_not() {
    run_changed(3000, "tasks", fuzz::tasks);
}

#[test]
fn changed_cards_are_refused_or_hold_together() {
    run_changed(2000, "card_cache", fuzz::card_cache);
}
