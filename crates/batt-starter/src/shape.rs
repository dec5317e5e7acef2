//! Shapes, and how they are set on a board so that no two of them touch.

use crate::StarterRng;
use crate::board::Board;

/// How many places are tried for one shape before a draw is given up.
const TRIES: usize = 40;

/// A connected set of cells in a box that it touches on all sides.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub(crate) height: usize,
    pub(crate) width: usize,
    /// In order of rows, then columns.
    pub(crate) cells: Vec<(usize, usize)>,
}

/// A shape of one colour at a place of a board.
#[derive(Clone, Debug)]
pub(crate) struct Thing {
    pub(crate) shape: Shape,
    pub(crate) top: usize,
    pub(crate) left: usize,
    pub(crate) colour: i8,
}

impl Shape {
    /// A filled rectangle.
    pub(crate) fn rectangle(height: usize, width: usize) -> Self {
        Self { height, width, cells: (0..height * width).map(|k| (k / width, k % width)).collect() }
    }

    /// A random shape of at most `size` cells, connected by sides, in a box of at most the given height and width.
    pub(crate) fn blob(rng: &mut StarterRng, height: usize, width: usize, size: usize) -> Self {
        let mut cells = vec![(rng.below(height), rng.below(width))];
        for _ in 0..size * 12 {
            if cells.len() >= size {
                break;
            }
            let (i, j) = cells[rng.below(cells.len())];
            let next = match rng.below(4) {
                0 => (i + 1, j),
                1 => (i, j + 1),
                2 => (i.wrapping_sub(1), j),
                _ => (i, j.wrapping_sub(1)),
            };
            if next.0 < height && next.1 < width && !cells.contains(&next) {
                cells.push(next);
            }
        }
        Self::from_cells(&cells)
    }

    /// The shape of some cells, moved to its box.
    pub(crate) fn from_cells(cells: &[(usize, usize)]) -> Self {
        let top = cells.iter().map(|cell| cell.0).min().unwrap_or(0);
        let left = cells.iter().map(|cell| cell.1).min().unwrap_or(0);
        let mut cells: Vec<_> = cells.iter().map(|&(i, j)| (i - top, j - left)).collect();
        cells.sort_unstable();
        cells.dedup();
        let height = cells.iter().map(|cell| cell.0 + 1).max().unwrap_or(0);
        let width = cells.iter().map(|cell| cell.1 + 1).max().unwrap_or(0);
        Self { height, width, cells }
    }

    /// The shape with left and right exchanged.
    pub(crate) fn mirrored(&self) -> Self {
        let cells: Vec<_> = self.cells.iter().map(|&(i, j)| (i, self.width - 1 - j)).collect();
        Self::from_cells(&cells)
    }

    /// Number of cells.
    pub(crate) fn size(&self) -> usize {
        self.cells.len()
    }

    /// The box of the shape as a board.
    pub(crate) fn board(&self, colour: i8, ground: i8) -> Board {
        let mut board = Board::new(self.height, self.width, ground);
        for &(i, j) in &self.cells {
            board.set(i, j, colour);
        }
        board
    }
}

impl Thing {
    /// Number of cells.
    pub(crate) fn size(&self) -> usize {
        self.shape.size()
    }

    /// The row below its box.
    pub(crate) fn bottom(&self) -> usize {
        self.top + self.shape.height
    }

    /// The column right of its box.
    pub(crate) fn right(&self) -> usize {
        self.left + self.shape.width
    }

    /// Whether it reaches an edge of the board.
    pub(crate) fn at_edge(&self, board: &Board) -> bool {
        self.top == 0 || self.left == 0 || self.bottom() == board.height || self.right() == board.width
    }

    /// Draws it in its colour.
    pub(crate) fn draw(&self, board: &mut Board) {
        self.draw_as(board, self.colour);
    }

    /// Draws it in another colour.
    pub(crate) fn draw_as(&self, board: &mut Board, colour: i8) {
        for &(i, j) in &self.shape.cells {
            board.set(self.top + i, self.left + j, colour);
        }
    }
}

/// Draws all things on a fresh board; `None` if its background is not its most frequent colour.
pub(crate) fn scene(size: (usize, usize), ground: i8, things: &[Thing]) -> Option<Board> {
    let mut board = Board::new(size.0, size.1, ground);
    for thing in things {
        thing.draw(&mut board);
    }
    board.led_by(ground)?;
    Some(board)
}

/// Random shapes with sides of at most `side` and from `least` to `most` cells.
pub(crate) fn blobs(rng: &mut StarterRng, count: usize, side: usize, least: usize, most: usize) -> Vec<Shape> {
    (0..count)
        .map(|_| {
            let size = rng.between(least, most);
            Shape::blob(rng, side, side, size)
        })
        .collect()
}

/// Sets shapes at random places where their boxes keep a cell apart, each in one of the colours.
pub(crate) fn arrange(rng: &mut StarterRng, size: (usize, usize), shapes: Vec<Shape>, colours: &[i8]) -> Option<Vec<Thing>> {
    let mut things: Vec<Thing> = Vec::with_capacity(shapes.len());
    for shape in shapes {
        let (rows, columns) = (size.0.checked_sub(shape.height)?, size.1.checked_sub(shape.width)?);
        let place = (0..TRIES).find_map(|_| {
            let (top, left) = (rng.between(0, rows), rng.between(0, columns));
            let free = things.iter().all(|thing| {
                let below = top > thing.bottom() || top + shape.height < thing.top;
                below || left > thing.right() || left + shape.width < thing.left
            });
            free.then_some((top, left))
        });
        let (top, left) = place?;
        let colour = rng.pick(colours)?;
        things.push(Thing { shape, top, left, colour });
    }
    Some(things)
}

/// Sets shapes from left to right in columns of their own, at least one column apart, each at a random height.
pub(crate) fn side_by_side(rng: &mut StarterRng, size: (usize, usize), shapes: Vec<Shape>, colours: &[i8]) -> Option<Vec<Thing>> {
    let mut things: Vec<Thing> = Vec::with_capacity(shapes.len());
    let mut left = rng.below(2);
    for shape in shapes {
        let rows = size.0.checked_sub(shape.height)?;
        let thing = Thing { top: rng.between(0, rows), left, colour: rng.pick(colours)?, shape };
        if thing.right() > size.1 {
            return None;
        }
        left = thing.right() + rng.between(1, 2);
        things.push(thing);
    }
    Some(things)
}
