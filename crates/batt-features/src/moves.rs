//! Rules that move items: to contact, by a step, in line with another item, away.

use batt_image::Image;

use crate::items::{ItemKind, gap};
use crate::rules::{Paint, Rules, planes};
use crate::scene::{DIRECTIONS, Feature, Ground, NONE, Plane, Scene};
use crate::segments::{Item, Mode};

/// What becomes of an item. A target is a colour, 10 for any, 11 for its own, 12 for any but its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Move {
    /// It stays.
    Stay,
    /// It goes away.
    Delete,
    /// It slides in one of the eight directions until something stops it.
    Slide(u8),
    /// It slides towards the nearest cell of a target that is straight ahead in one of the eight directions.
    Towards(u8),
    /// It goes one step towards that cell.
    StepTowards(u8),
    /// It goes to contact with that cell, whatever is between.
    Through(u8),
    /// It moves by rows and columns.
    Step(i8, i8),
    /// It moves by its own height or width in one of the four directions.
    OwnSize(u8),
    /// It moves in line with the nearest item of a target: by rows (0 to 2), columns (3 to 5) or both (6 to 8), with its first edge, its middle
    /// or its last edge.
    Align(u8, u8),
}

/// The number of targets.
pub(crate) const TARGETS: u8 = 13;
/// The number of ways to be in line.
pub(crate) const ALIGNMENTS: u8 = 9;

impl Move {
    /// The move that a paint stands for.
    pub(crate) fn of(paint: Paint) -> Option<Self> {
        let Paint::Feature(Feature { kind, a, b }) = paint else { return None };
        let below = |number: i8, most: u8| u8::try_from(number).ok().filter(|&number| number < most);
        let target = below(a, TARGETS);
        Some(match kind {
            0 => Self::Stay,
            1 => Self::Delete,
            2 => Self::Slide(below(a, 8)?),
            3 => [Self::Towards, Self::StepTowards, Self::Through].get(usize::try_from(b).ok()?)?(target?),
            4 => Self::Step(a, b),
            5 => Self::OwnSize(below(a, 4)?),
            6 => Self::Align(target?, below(b, ALIGNMENTS)?),
            _ => return None,
        })
    }
}

/// Rows down and columns to the right.
pub(crate) type Offset = (i32, i32);

/// The image while items are moved.
pub(crate) struct Canvas<'a> {
    scene: &'a Scene<'a>,
    items: &'a [Item],
    moves: Vec<bool>,
    cells: Vec<u8>,
}

impl<'a> Canvas<'a> {
    /// The image without the items that move.
    pub(crate) fn new(scene: &'a Scene<'a>, items: &'a [Item], moves: Vec<bool>) -> Self {
        let mut cells = scene.image().cells.to_vec();
        let movers = items.iter().zip(&moves).filter(|(_, moves)| **moves);
        movers.flat_map(|(item, _)| &item.cells).for_each(|&place| cells[place as usize] = scene.ground());
        Self { scene, items, moves, cells }
    }

    /// What was made.
    pub(crate) fn cells(self) -> Vec<u8> {
        self.cells
    }

    /// The row and column of a cell.
    fn place(&self, cell: u16) -> (i32, i32) {
        let width = self.scene.size().1;
        (i32::from(cell) / width, i32::from(cell) % width)
    }

    fn at(&self, row: i32, column: i32) -> Option<u8> {
        let (height, width) = self.scene.size();
        let inside = (0..height).contains(&row) && (0..width).contains(&column);
        inside.then(|| self.cells[(row * width + column) as usize])
    }

    /// Whether an item that is not on the canvas has room so far away.
    fn has_room(&self, item: &Item, rows: i32, columns: i32) -> bool {
        item.cells.iter().all(|&cell| {
            let (row, column) = self.place(cell);
            self.at(row + rows, column + columns) == Some(self.scene.ground())
        })
    }

    fn slide(&self, item: &Item, way: u8) -> (i32, i32) {
        let (rows, columns) = DIRECTIONS[way as usize];
        let mut steps = 0;
        while self.has_room(item, rows * (steps + 1), columns * (steps + 1)) {
            steps += 1;
        }
        (rows * steps, columns * steps)
    }

    fn is_target(&self, item: &Item, target: u8, colour: u8) -> bool {
        colour != self.scene.ground()
            && match target {
                10 => true,
                11 => colour == item.colour,
                12 => colour != item.colour,
                target => colour == target,
            }
    }

    /// The distance and direction of the nearest cell of a target that is straight ahead of an item: to a side, if there is one.
    fn ahead(&self, item: &Item, target: u8) -> Option<(i32, u8)> {
        let mut best: Option<(i32, u8)> = None;
        for way in 0..8 {
            // Corners only where no side has one.
            if way == 4 && best.is_some() {
                break;
            }
            let (rows, columns) = DIRECTIONS[way as usize];
            for &cell in &item.cells {
                let (row, column) = self.place(cell);
                let mut steps = 1;
                while let Some(colour) = self.at(row + rows * steps, column + columns * steps) {
                    if self.is_target(item, target, colour) {
                        if best.is_none_or(|best| (steps, way) < best) {
                            best = Some((steps, way));
                        }
                        break;
                    }
                    steps += 1;
                }
            }
        }
        best
    }

    /// The nearest other item of a target; one that stays, if there is such a one.
    fn nearest(&self, number: usize, target: u8) -> Option<&'a Item> {
        let item = &self.items[number];
        let others = (0..self.items.len()).filter(|&other| other != number && self.is_target(item, target, self.items[other].colour));
        let nearest = others.min_by_key(|&other| (self.moves[other], gap(item, &self.items[other])));
        nearest.map(|other| &self.items[other])
    }

    /// Where an item that is not on the canvas goes; `None` if it cannot.
    pub(crate) fn offset(&self, number: usize, by: Move) -> Option<Offset> {
        let item = &self.items[number];
        let aligned = |first: i32, length: i32, other: i32, others: i32, edge: u8| match edge {
            0 => Some(other - first),
            1 => Some(2 * other + others - 2 * first - length).filter(|twice| twice % 2 == 0).map(|twice| twice / 2),
            _ => Some(other + others - first - length),
        };
        Some(match by {
            Move::Stay => (0, 0),
            Move::Delete => return None,
            Move::Slide(way) => self.slide(item, way),
            Move::Towards(target) => self.slide(item, self.ahead(item, target)?.1),
            Move::StepTowards(target) => DIRECTIONS[self.ahead(item, target)?.1 as usize],
            Move::Through(target) => {
                let (steps, way) = self.ahead(item, target)?;
                let (rows, columns) = DIRECTIONS[way as usize];
                (rows * (steps - 1), columns * (steps - 1))
            }
            Move::Step(rows, columns) => (i32::from(rows), i32::from(columns)),
            Move::OwnSize(way) => {
                let (rows, columns) = DIRECTIONS[way as usize];
                (rows * item.height, columns * item.width)
            }
            Move::Align(target, how) => {
                let other = self.nearest(number, target)?;
                let rows = if how / 3 == 1 { 0 } else { aligned(item.top, item.height, other.top, other.height, how % 3)? };
                let columns = if how / 3 == 0 { 0 } else { aligned(item.left, item.width, other.left, other.width, how % 3)? };
                (rows, columns)
            }
        })
    }

    /// Lays an item elsewhere; what leaves the image is lost.
    pub(crate) fn lay(&mut self, number: usize, (rows, columns): Offset) {
        let (height, width) = self.scene.size();
        for &cell in &self.items[number].cells {
            let (row, column) = self.place(cell);
            let (row, column) = (row + rows, column + columns);
            if (0..height).contains(&row) && (0..width).contains(&column) {
                self.cells[(row * width + column) as usize] = self.scene.image().cells[cell as usize];
            }
        }
    }
}

/// The order in which items move: those in front first.
pub(crate) fn order_of(by: Move, item: &Item) -> i32 {
    let Move::Slide(way) = by else { return 0 };
    let (rows, columns) = DIRECTIONS[way as usize];
    let front = |step: i32, first: i32, length: i32| if step > 0 { -(first + length) } else { first * -step };
    front(rows, item.top, item.height) + front(columns, item.left, item.width)
}

/// The moves that rules give to items; items that get none stay.
fn decide(scene: &Scene<'_>, mode: Mode, rules: &Rules) -> Option<Vec<Move>> {
    let own = crate::items::item_plane(scene, mode, ItemKind::Colour)?;
    let mut decided: Vec<Option<Move>> = vec![None; own.len()];
    for rule in rules {
        let by = Move::of(rule.paint)?;
        let columns: Vec<Plane> =
            rule.tests.iter().map(|test| planes(scene, Some(mode), test.feature).unwrap_or_else(|| vec![NONE; own.len()])).collect();
        for (k, decided) in decided.iter_mut().enumerate() {
            let holds = rule.tests.iter().zip(&columns).all(|(test, values)| test.holds(values[k], own[k]));
            if holds && decided.is_none() {
                *decided = Some(by);
            }
        }
    }
    Some(decided.into_iter().map(|by| by.unwrap_or(Move::Stay)).collect())
}

/// The image with its items moved by rules; those that cannot move are gone.
pub fn move_rule(image: Image<'_>, ground: Ground, mode: Mode, rules: &Rules) -> Option<Vec<u8>> {
    let scene = Scene::new(image, ground);
    let moves = decide(&scene, mode, rules)?;
    let items = &scene.segments(mode)?.items;
    let mut movers: Vec<usize> = (0..items.len()).filter(|&k| moves[k] != Move::Stay).collect();
    movers.sort_by_key(|&k| (moves[k], order_of(moves[k], &items[k]), k));
    let mut canvas = Canvas::new(&scene, items, moves.iter().map(|&by| by != Move::Stay).collect());
    for k in movers {
        if let Some(offset) = canvas.offset(k, moves[k]) {
            canvas.lay(k, offset);
        }
    }
    Some(canvas.cells())
}
