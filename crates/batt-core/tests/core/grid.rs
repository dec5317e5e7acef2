//! Grids: bounds, cells inline and shared, and what is counted in them.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use batt_core::{Grid, GridError};
use proptest::prelude::*;

use crate::cases;

/// Sides and cells, on both sides of the border between inline and shared cells.
fn sides_and_cells() -> impl Strategy<Value = (usize, usize, Vec<i8>)> {
    (1..8usize, 1..8usize, prop_oneof![Just(0..3i8), Just(0..10), Just(-128..127)])
        .prop_flat_map(|(height, width, colours)| (Just(height), Just(width), prop::collection::vec(colours, height * width)))
}

fn hash_of(grid: &Grid) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(grid)
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn cells_are_where_they_were_put((height, width, cells) in sides_and_cells()) {
        let grid = Grid::new(height, width, &cells).unwrap();
        prop_assert_eq!((grid.height(), grid.width(), grid.area()), (height, width, height * width));
        prop_assert_eq!(grid.cells(), &cells[..]);
        let rows: Vec<&[i8]> = grid.rows().collect();
        prop_assert_eq!(rows.len(), height);
        prop_assert_eq!(&Grid::from_rows(&rows).unwrap(), &grid);
        for i in -1..=height as i64 {
            for j in -1..=width as i64 {
                let inside = (0..height as i64).contains(&i) && (0..width as i64).contains(&j);
                prop_assert_eq!(grid.get(i, j), inside.then(|| rows[i as usize][j as usize]));
            }
        }
        for far in [i64::MIN, i64::MAX, 1 << 32] {
            prop_assert_eq!((grid.get(far, 0), grid.get(0, far)), (None, None));
        }
        for (i, row) in rows.iter().enumerate() {
            prop_assert_eq!(grid.row(i), *row);
        }
    }

    /// Only shape and cells count, not how a grid came about.
    #[test]
    fn equal_grids_are_equal((height, width, cells) in sides_and_cells(), other in any::<i8>()) {
        let grid = Grid::new(height, width, &cells).unwrap();
        let changed = Grid::filled(height, width, other).unwrap().modified(|target| target.copy_from_slice(&cells));
        prop_assert_eq!(&changed, &grid);
        prop_assert_eq!(hash_of(&changed), hash_of(&grid));
        let turned = Grid::new(width, height, &cells).unwrap();
        prop_assert_eq!(turned == grid, width == height);
        let before = grid.clone();
        let last = cells.len() - 1;
        let unlike = grid.modified(|target| target[last] = target[last].wrapping_add(1));
        prop_assert_ne!(&unlike, &grid);
        prop_assert_eq!(&before, &grid);
    }

    #[test]
    fn counting((height, width, cells) in sides_and_cells(), low in any::<i8>(), high in any::<i8>()) {
        let grid = Grid::new(height, width, &cells).unwrap();
        prop_assert_eq!(grid.has_only(low, high), cells.iter().all(|c| (low..=high).contains(c)));
        let count = |colour: i8| cells.iter().filter(|&&c| c == colour).count();
        let most = (i8::MIN..=i8::MAX).map(count).max().unwrap();
        let best: Vec<i8> = (i8::MIN..=i8::MAX).filter(|&c| count(c) == most).collect();
        prop_assert_eq!(grid.most_frequent(), (best[0], best.len() > 1));
    }

    #[test]
    fn sides_must_fit_the_cells(height in 0..6usize, width in 0..6usize, count in 0..30usize) {
        let made = Grid::new(height, width, &vec![0; count]);
        prop_assert_eq!(made.is_some(), height * width == count && count > 0);
    }

    #[test]
    fn rows_must_be_equally_long(lengths in prop::collection::vec(0..4usize, 0..5)) {
        let rows: Vec<Vec<i8>> = lengths.iter().map(|&n| vec![1; n]).collect();
        let first = lengths.first().copied().unwrap_or(0);
        let expected = if first == 0 {
            Some(GridError::Empty)
        } else {
            let row = lengths.iter().position(|&n| n != first);
            row.map(|row| GridError::Ragged { row, found: lengths[row], expected: first })
        };
        prop_assert_eq!(Grid::from_rows(&rows).err(), expected);
    }
}

#[test]
fn no_side_is_zero_or_too_long() {
    let most = Grid::MAX_SIDE;
    for (height, width) in
        [(0, 0), (0, 1), (1, 0), (most + 1, 1), (1, most + 1), (usize::MAX, 2), (2, usize::MAX), (usize::MAX, usize::MAX)]
    {
        assert!(Grid::new(height, width, &[]).is_none(), "{height}x{width}");
        assert!(Grid::filled(height, width, 1).is_none(), "{height}x{width}");
    }
    for (height, width) in [(most, 1), (1, most)] {
        let grid = Grid::filled(height, width, 7).unwrap();
        assert_eq!((grid.height(), grid.width(), grid.area()), (height, width, most));
        assert_eq!(grid.get(height as i64 - 1, width as i64 - 1), Some(7));
        assert_eq!(grid.most_frequent(), (7, false));
    }
    let long = vec![0i8; most + 1];
    assert_eq!(Grid::from_rows(&[&long]), Err(GridError::TooLarge { height: 1, width: most + 1 }));
    assert_eq!(GridError::TooLarge { height: 1, width: most + 1 }.to_string(), "the grid is 1x65536");
}
