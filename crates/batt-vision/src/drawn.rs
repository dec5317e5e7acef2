//! What coarse operations on the whole image make of a cell.

use crate::operations::{boxes, colours, lines, patterns, shapes};
use crate::{Image, Work};

use crate::scene::{NONE, Plane, Scene};

type Operation = fn(Image<'_>, i32, &mut Work) -> Option<()>;

/// The operations that are asked, by number, and how many numbers each takes.
const OPERATIONS: [(Operation, i32); 24] = [
    (lines::bridges, 3),
    (lines::dropped, 4),
    (lines::grown, 4),
    (shapes::holes, 2),
    (shapes::holes_filled, 1),
    (shapes::largest_rectangle, 2),
    (colours::line_colours, 2),
    (lines::links, 5),
    (patterns::mirror_repaired, 1),
    (shapes::opened, 4),
    (shapes::outline, 4),
    (patterns::patched, 1),
    (patterns::period_repaired, 5),
    (lines::poured, 4),
    (shapes::ranked, 7),
    (lines::rays, 15),
    (shapes::rim, 2),
    (shapes::rooms, 1),
    (lines::smear, 15),
    (shapes::by_size, 4),
    (patterns::symmetrized, 6),
    (boxes::hull, 2),
    (boxes::middle, 1),
    (colours::only_common, 4),
];

/// All operations with all their numbers.
pub(crate) fn operations() -> impl Iterator<Item = (i32, i32)> {
    OPERATIONS.iter().enumerate().flat_map(|(operation, &(_, numbers))| (0..numbers).map(move |number| (operation as i32, number)))
}

/// The colour of each cell after an operation; background where it leaves nothing.
pub(crate) fn drawn(scene: &Scene<'_>, operation: i32, number: i32) -> Option<Plane> {
    let &(operation, numbers) = OPERATIONS.get(usize::try_from(operation).ok()?)?;
    if !(0..numbers).contains(&number) {
        return None;
    }
    // Operations take 0 for background: the two colours change places, and back.
    let ground = scene.ground();
    let swap = |colour: u8| match colour {
        0 => ground,
        colour if colour == ground => 0,
        colour => colour,
    };
    let image = scene.image();
    let cells: Vec<u8> = image.cells.iter().map(|&cell| swap(cell)).collect();
    let mut work = Work::default();
    operation(Image { frame: image.frame, cells: &cells }, number, &mut work)?;
    let made = work.out.iter().next()?;
    let (down, right) = (i32::from(made.frame.row - image.frame.row), i32::from(made.frame.column - image.frame.column));
    let (height, width) = scene.size();
    let mut plane = Vec::with_capacity(scene.area());
    for row in 0..height {
        for column in 0..width {
            plane.push(i16::from(swap(made.at_or_blank(row - down, column - right))));
        }
    }
    debug_assert!(plane.iter().all(|&colour| colour != NONE));
    Some(plane)
}
