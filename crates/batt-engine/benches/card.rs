//! Building, changing, slicing and reading cards.
//!
//! The programs are those of the starter pack, or of the files that the environment variable `BATT_BENCH_PROGRAMS` names, separated by
//! colons: the numbers that matter are those of a large library.

#![expect(clippy::unwrap_used, reason = "benchmarks")]

use std::sync::LazyLock;

use batt_engine::{Card, CardProgramId, ProgramKind};
use batt_program::{ContentHash, Program, parse_file, print_program};
use divan::{Bencher, black_box};

static PROGRAMS: LazyLock<Vec<Program>> = LazyLock::new(|| match std::env::var("BATT_BENCH_PROGRAMS") {
    Ok(paths) => paths.split(':').flat_map(|path| parse_file(&std::fs::read_to_string(path).unwrap()).programs).collect(),
    Err(_) => parse_file(batt_starter::LIBRARY).programs,
});

static CARD: LazyLock<Card> = LazyLock::new(card);

fn main() {
    let stats = CARD.stats();
    println!("{}", serde_json::to_string_pretty(&stats).unwrap());
    println!("{} bytes", CARD.to_bytes().len());
    divan::main();
}

fn card() -> Card {
    let mut card = Card::new();
    for program in &*PROGRAMS {
        card.add(program);
    }
    card
}

#[divan::bench]
fn build() -> Card {
    card()
}

/// A step through the library that comes by every program: libraries begin with their shortest programs.
const STRIDE: usize = 7919;

/// A program that is removed and added again, all over the library.
#[divan::bench(sample_count = 1000, sample_size = 1)]
fn remove_and_add_one(bencher: Bencher) {
    let mut card = CARD.clone();
    let mut k = 0;
    bencher.bench_local(move || {
        k = (k + STRIDE) % PROGRAMS.len();
        card.remove(CardProgramId(k as u32));
        card.add(&PROGRAMS[k])
    });
}

/// A program that is on the card already, so that all its calls are found.
#[divan::bench(sample_count = 1000, sample_size = 1)]
fn add_and_remove_one_more(bencher: Bencher) {
    let mut card = CARD.clone();
    let mut k = 0;
    bencher.bench_local(move || {
        k = (k + STRIDE) % PROGRAMS.len();
        let id = card.add(&PROGRAMS[k]);
        card.remove(id)
    });
}

#[divan::bench]
fn slice_all() {
    for (id, _) in CARD.programs() {
        black_box(CARD.slice(id));
    }
}

#[divan::bench]
fn sync_with_nothing_new(bencher: Bencher) {
    let keys: Vec<_> = PROGRAMS.iter().map(|program| (ProgramKind::Solver, ContentHash::of_text(&print_program(program)))).collect();
    let mut card = Card::new();
    card.sync(&keys, |k| Ok::<_, ()>(PROGRAMS[k].clone())).unwrap();
    bencher.bench_local(move || card.sync(&keys, |_| Err(())).unwrap());
}

#[divan::bench]
fn to_bytes() -> Vec<u8> {
    CARD.to_bytes()
}

#[divan::bench]
fn from_bytes(bencher: Bencher) {
    let bytes = CARD.to_bytes();
    bencher.bench(|| Card::from_bytes(&bytes).unwrap());
}
