//! Results of coarse operations on the whole image, cell by cell.

use std::sync::LazyLock;

use crate::operations::OPERATIONS;
use crate::scene::{NONE, Plane, Scene};
use crate::{OperationRow, Work};

/// The operations that are asked, in the order of their numbers, and how many numbers each takes.
static FEATURES: LazyLock<Vec<(&OperationRow, i32)>> = LazyLock::new(|| {
    let asked = OPERATIONS.iter().filter_map(|row| row.feature.map(|(number, numbers)| (number, row, numbers)));
    let mut asked: Vec<_> = asked.collect();
    asked.sort_unstable_by_key(|(number, ..)| *number);
    debug_assert!(asked.iter().enumerate().all(|(place, (number, ..))| place == usize::from(*number)), "numbers are left out");
    asked.into_iter().map(|(_, row, numbers)| (row, numbers)).collect()
});

/// All operations with all their numbers.
pub(crate) fn operations() -> impl Iterator<Item = (i32, i32)> {
    FEATURES.iter().enumerate().flat_map(|(operation, &(_, numbers))| (0..numbers).map(move |number| (operation as i32, number)))
}

/// The colour of each cell after an operation; background where it leaves nothing.
pub(crate) fn drawn(scene: &Scene<'_>, operation: i32, number: i32) -> Option<Plane> {
    let &(operation, numbers) = FEATURES.get(usize::try_from(operation).ok()?)?;
    if !(0..numbers).contains(&number) {
        return None;
    }
    let (image, exchange) = (scene.grounded(), scene.exchange());
    let mut work = Work::default();
    operation.on(image, number, &mut work)?;
    let made = work.out.iter().next()?;
    let (down, right) = (i32::from(made.frame.row - image.frame.row), i32::from(made.frame.column - image.frame.column));
    let (height, width) = scene.size();
    let mut plane = Vec::with_capacity(scene.area());
    for row in 0..height {
        for column in 0..width {
            plane.push(i16::from(exchange.of(made.at_or_blank(row - down, column - right))));
        }
    }
    debug_assert!(plane.iter().all(|&colour| colour != NONE));
    Some(plane)
}
