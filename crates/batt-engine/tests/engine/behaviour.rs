//! Hashes of behaviours.

use std::collections::BTreeSet;

use proptest::prelude::*;

use batt_core::Grid;
use batt_engine::Behaviour;

fn of(answers: &[Option<&Grid>]) -> u128 {
    let mut behaviour = Behaviour::default();
    for answer in answers {
        behaviour.take(*answer);
    }
    behaviour.finish()
}

fn grid(height: usize, width: usize, seed: u64) -> Grid {
    let cell = |k: usize| (batt_core::mix(seed ^ (k as u64) << 32) % 10) as i8;
    Grid::build(height, width, |cells| cells.iter_mut().enumerate().for_each(|(k, to)| *to = cell(k))).unwrap()
}

#[test]
fn another_shape_or_order_is_another_behaviour() {
    let grids = ["12 34", "12 43"].map(batt_testing::grid);
    let (row, column) = (batt_testing::grid("1234"), batt_testing::grid("1 2 3 4"));
    let all = [
        of(&[Some(&grids[0])]),
        of(&[Some(&grids[1])]),
        of(&[Some(&row)]),
        of(&[Some(&column)]),
        of(&[None]),
        of(&[None, None]),
        of(&[None, Some(&row)]),
        of(&[Some(&row), None]),
        of(&[Some(&row), Some(&column)]),
        of(&[Some(&column), Some(&row)]),
        of(&[]),
    ];
    let distinct: BTreeSet<u128> = all.into_iter().collect();
    assert_eq!(distinct.len(), all.len(), "{all:?}");
}

/// The shapes up to 30x30, each with every one of its cells changed to every other colour: no two hashes are equal.
#[test]
fn one_cell_makes_another_behaviour() {
    for height in 1..=30 {
        for width in 1..=30 {
            let plain = grid(height, width, (height * 31 + width) as u64);
            let mut hashes = vec![of(&[Some(&plain)])];
            for cell in 0..plain.area() {
                for by in [1, 8] {
                    hashes.push(of(&[Some(&plain.modified(|cells| cells[cell] = (cells[cell] + by) % 10))]));
                }
            }
            let count = hashes.len();
            hashes.sort_unstable();
            hashes.dedup();
            assert_eq!(hashes.len(), count, "{height}x{width}");
        }
    }
}

/// Ten million pairs of grids that differ in one or two cells: all bits of the hash take part, so that even half of it tells them
/// apart.
#[test]
fn ten_million_pairs_are_told_apart() {
    let pairs = 10_000_000u64;
    let mut equal_halves = 0u32;
    let mut flipped = [0u32; 128];
    for seed in 0..pairs / 100 {
        let draw = |k: u64, below: usize| (batt_core::mix(seed.wrapping_mul(1000) + k) % below as u64) as usize;
        let plain = grid(1 + draw(0, 30), 1 + draw(1, 30), seed);
        let before = of(&[Some(&plain)]);
        for k in 0..100 {
            let (a, b) = (draw(10 * k + 2, plain.area()), draw(10 * k + 3, plain.area()));
            let changed = plain.modified(|cells| {
                cells[a] = (cells[a] + 1 + draw(10 * k + 4, 9) as i8) % 10;
                if a != b && k % 2 == 1 {
                    cells[b] = (cells[b] + 1 + draw(10 * k + 5, 9) as i8) % 10;
                }
            });
            let difference = before ^ of(&[Some(&changed)]);
            assert_ne!(difference, 0, "{plain:?} and {changed:?}");
            equal_halves += u32::from(difference as u64 == 0) + u32::from(difference >> 64 == 0);
            for (bit, flips) in flipped.iter_mut().enumerate() {
                *flips += (difference >> bit & 1) as u32;
            }
        }
    }
    assert_eq!(equal_halves, 0);
    // Half of the pairs differ in each bit, within eight standard deviations.
    let (half, deviation) = (pairs as f64 / 2.0, (pairs as f64).sqrt() / 2.0);
    for (bit, flips) in flipped.into_iter().enumerate() {
        assert!((f64::from(flips) - half).abs() < 8.0 * deviation, "bit {bit}: {flips} of {pairs}");
    }
}

proptest! {
    #[test]
    fn any_two_cells_make_another_behaviour(
        (height, width) in (1..=30usize, 1..=30usize), seed: u64, (a, b) in (0..900usize, 0..900usize), (x, y) in (1..10i8, 1..10i8),
    ) {
        let plain = grid(height, width, seed);
        let (a, b) = (a % plain.area(), b % plain.area());
        let changed = plain.modified(|cells| {
            cells[a] = (cells[a] + x) % 10;
            if a != b {
                cells[b] = (cells[b] + y) % 10;
            }
        });
        prop_assert_ne!(of(&[Some(&plain)]), of(&[Some(&changed)]));
        prop_assert_ne!(of(&[Some(&plain), None]), of(&[Some(&changed), None]));
    }
}

#[test]
fn it_stays_the_same() {
    let mut behaviour = Behaviour::default();
    behaviour.take(Grid::from_rows(&[[1i8, 2, 3], [4, 5, 6]]).ok().as_ref());
    behaviour.take(None);
    behaviour.take(Grid::from_rows(&[[7i8; 20]]).ok().as_ref());
    // Computed from the definition by a few lines of Python.
    assert_eq!(behaviour.finish(), 0x2DA1_6C2D_37EB_E06E_9DB9_1796_6A51_7830);
}
