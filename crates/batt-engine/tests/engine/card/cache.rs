//! Cards as bytes, and libraries that change.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::convert::Infallible;

use crate::card::common::{card_of, check_invariants, describe, programs};
use batt_engine::{CacheError, Card, CardProgramId, ProgramKind};
use batt_program::{ContentHash, Program};

fn same(a: &Card, b: &Card) -> bool {
    let programs = |card: &Card| card.programs().map(|(id, program)| (id, program.clone())).collect::<Vec<_>>();
    describe(a) == describe(b) && programs(a) == programs(b) && a.node_bound() == b.node_bound() && a.stats() == b.stats()
}

fn small() -> Card {
    let mut card = card_of(
        "
def a(I):
    x1 = objects(I, T, F, T)
    x2 = compose(size, first)
    O = x2(x1)
    return O

def b(S, I, C):
    x1 = branch(T, rot90, rot180)
    x2 = matcher(x1, ((1, 2), (3, 4)))
    x3 = x2(C)
    O = astuple(x3, (1, True, frozenset({(1, 1), (2, 2)}), frozenset({(1, (1, 1))}), (1, 2, 3), ((), -70000000000)))
    return O
",
    );
    card.remove(CardProgramId(0));
    let program = &programs("def c(I):\n    O = rot90(I)\n    return O\n")[0];
    card.add_hashed(program, ProgramKind::Differ, ContentHash::of_text("c"));
    card
}

#[test]
fn what_was_written_is_read() {
    for card in [Card::new(), small(), card_of(batt_starter::LIBRARY)] {
        let read = Card::from_bytes(&card.to_bytes()).unwrap();
        check_invariants(&read);
        assert!(same(&card, &read));
        assert_eq!(card.to_bytes(), read.to_bytes());
    }
}

#[test]
fn a_card_that_was_read_goes_on_like_the_one_that_was_written() {
    let mut card = small();
    let mut read = Card::from_bytes(&card.to_bytes()).unwrap();
    for program in programs(batt_starter::LIBRARY) {
        assert_eq!(card.add(&program), read.add(&program));
    }
    assert!(same(&card, &read));
    card.remove(CardProgramId(1));
    read.remove(CardProgramId(1));
    assert!(same(&card, &read));
    check_invariants(&read);
}

#[test]
fn no_changed_byte_gives_another_card() {
    let card = small();
    let bytes = card.to_bytes();
    for k in 0..bytes.len() {
        for bit in 0..8 {
            let mut changed = bytes.clone();
            changed[k] ^= 1 << bit;
            assert!(Card::from_bytes(&changed).is_err(), "bit {bit} of byte {k}");
        }
    }
}

#[test]
fn what_is_cut_off_or_added_is_noticed() {
    let bytes = small().to_bytes();
    for k in 0..bytes.len() {
        assert!(Card::from_bytes(&bytes[..k]).is_err());
    }
    let mut longer = bytes.clone();
    longer.push(0);
    assert!(matches!(Card::from_bytes(&longer), Err(CacheError::Length { .. })));
    assert_eq!(Card::from_bytes(b"something else entirely").err(), Some(CacheError::NotACard));
    assert_eq!(Card::from_bytes(&[]).err(), Some(CacheError::NotACard));
    let mut stale = bytes;
    stale[8] += 1;
    assert_eq!(Card::from_bytes(&stale).err(), Some(CacheError::Stale));
}

/// With a checksum that fits, changed bytes are no accident; still they give an error or a card that holds together.
#[test]
fn changed_bytes_with_a_good_checksum_do_no_harm() {
    let card = small();
    let bytes = card.to_bytes();
    let mut accepted = 0;
    for k in 36..bytes.len() {
        for value in 0..=255 {
            let mut changed = bytes.clone();
            changed[k] = value;
            let checksum = ContentHash::of_bytes(&changed[36..]).short();
            changed[28..36].copy_from_slice(&checksum.to_le_bytes());
            if let Ok(mut read) = Card::from_bytes(&changed) {
                accepted += 1;
                check_invariants(&read);
                let ids: Vec<CardProgramId> = read.programs().map(|(id, _)| id).collect();
                for id in ids {
                    let _ = read.slice(id);
                    assert!(read.remove(id));
                }
                assert!(read.is_empty());
            }
        }
    }
    // Other names, constants, types and primitives of the same arity make a card as good as any.
    assert!(accepted > 0);
}

fn key(text: &str) -> (ProgramKind, ContentHash) {
    (ProgramKind::Solver, ContentHash::of_text(text))
}

#[test]
fn a_card_follows_its_library() {
    let texts = ["rot90", "rot180", "hmirror", "vmirror"].map(|name| format!("def {name}_(I):\n    O = {name}(I)\n    return O\n"));
    let program = |k: usize| programs(&texts[k]).remove(0);
    let sync = |card: &mut Card, wanted: &[usize]| {
        let keys: Vec<_> = wanted.iter().map(|&k| key(&texts[k])).collect();
        card.sync(&keys, |k| Ok::<_, Infallible>(program(wanted[k]))).unwrap()
    };
    let mut card = Card::new();
    let unhashed = card.add(&program(3));
    let first = sync(&mut card, &[0, 1, 1]);
    assert_eq!((first.added, first.removed, first.programs.len()), (3, 0, 3));
    let second = sync(&mut card, &[2, 1, 0]);
    assert_eq!((second.added, second.removed), (1, 1));
    assert_eq!(second.programs[2], first.programs[0]);
    assert_eq!(second.programs[1], first.programs[1]);
    check_invariants(&card);
    assert_eq!(sync(&mut card, &[2, 1, 0]), batt_engine::SyncReport { added: 0, removed: 0, ..second });
    let failed = card.sync(&[key("other")], |_| Err::<Program, _>("no such program"));
    assert_eq!(failed, Err("no such program"));
    assert_eq!(card.program_count(), 4);
    assert_eq!(sync(&mut card, &[]).removed, 3);
    assert_eq!(card.programs().map(|(id, _)| id).collect::<Vec<_>>(), [unhashed]);
    assert!(card.programs_by_hash().is_empty());
}
