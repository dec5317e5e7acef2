//! Rules that move items: to contact, by a step, in line with another item, away.

use batt_vision::{DIRECTIONS, Feature, Ground, Image, Item, Mode, Scene, gap};

use crate::contact;
use crate::contact::{Place, at, place_of};
use crate::rules::{Paint, Rules, own_colours, planes};

/// Action on an item. A target is a colour, 10 for any, 11 for its own, 12 for any but its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Move {
    /// It stays.
    Stay,
    /// It goes away.
    Delete,
    /// It slides in a direction until something stops it.
    Slide(Heading),
    /// It slides towards the nearest cell of a target that is straight ahead to a side.
    Towards(u8),
    /// It goes one step towards such a cell; in a diagonal only where no side has one.
    StepTowards(u8),
    /// It goes to contact with that cell, whatever is between.
    Through(u8),
    /// It slides towards that cell and gets the colour of what stops it.
    Into(u8),
    /// It moves by rows and columns.
    Step(i8, i8),
    /// It moves by its own height or width in one of the four directions.
    OwnSize(u8),
    /// It moves in line with the nearest item of a target: by rows (0 to 2), columns (3 to 5) or both (6 to 8), with its first edge, its middle
    /// or its last edge.
    Align(u8, u8),
}

/// A direction: one of the eight, towards the nearest edge (8), towards the largest other item (9), away from it (10), the one in which its
/// cells of other colours lie (11), the opposite one (12).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Heading(pub u8);

impl Heading {
    /// The number of directions.
    pub(crate) const COUNT: u8 = 13;
}

/// The number of targets.
pub(crate) const TARGETS: u8 = 13;
/// The number of ways to be in line.
pub(crate) const ALIGNMENTS: u8 = 9;

impl Move {
    /// The move that a paint stands for.
    fn of(paint: Paint) -> Option<Self> {
        let Paint::Feature(Feature { kind, a, b }) = paint else { return None };
        let below = |number: i8, most: u8| u8::try_from(number).ok().filter(|&number| number < most);
        let target = below(a, TARGETS);
        Some(match kind {
            0 => Self::Stay,
            1 => Self::Delete,
            2 => Self::Slide(Heading(below(a, Heading::COUNT)?)),
            3 => [Self::Towards, Self::StepTowards, Self::Through, Self::Into].get(usize::try_from(b).ok()?)?(target?),
            4 => Self::Step(a, b),
            5 => Self::OwnSize(below(a, 4)?),
            6 => Self::Align(target?, below(b, ALIGNMENTS)?),
            _ => return None,
        })
    }

    /// The paint that stands for it.
    pub(crate) fn paint(self) -> Paint {
        let (kind, a, b) = match self {
            Self::Stay => (0, 0, 0),
            Self::Delete => (1, 0, 0),
            Self::Slide(Heading(way)) => (2, way as i8, 0),
            Self::Towards(target) => (3, target as i8, 0),
            Self::StepTowards(target) => (3, target as i8, 1),
            Self::Through(target) => (3, target as i8, 2),
            Self::Into(target) => (3, target as i8, 3),
            Self::Step(rows, columns) => (4, rows, columns),
            Self::OwnSize(way) => (5, way as i8, 0),
            Self::Align(target, how) => (6, target as i8, how as i8),
        };
        Paint::Feature(Feature { kind, a, b })
    }
}

/// Where an item goes: rows down and columns to the right, and its colour if that changes.
#[derive(Clone, Copy)]
struct Landing {
    by: Place,
    colour: Option<u8>,
}

/// The image while items are moved.
struct Canvas<'a> {
    scene: &'a Scene<'a>,
    items: &'a [Item],
    moves: &'a [Move],
    cells: Vec<u8>,
}

impl<'a> Canvas<'a> {
    /// The image without the items that move: they are in nobody's way before they have arrived.
    fn new(scene: &'a Scene<'a>, items: &'a [Item], moves: &'a [Move]) -> Self {
        let mut cells = scene.image().cells.to_vec();
        let movers = items.iter().zip(moves).filter(|(_, by)| **by != Move::Stay);
        movers.flat_map(|(item, _)| &item.cells).for_each(|&place| cells[place as usize] = scene.ground());
        Self { scene, items, moves, cells }
    }

    fn image(&self) -> Image<'_> {
        Image { frame: self.scene.image().frame, cells: &self.cells }
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

    /// The distance and direction of the nearest cell of a target that is straight ahead of an item in the first directions: to a side, if there is
    /// one.
    fn ahead(&self, item: &Item, target: u8, ways: u8) -> Option<(i32, u8)> {
        let mut best: Option<(i32, u8)> = None;
        for way in 0..ways {
            // Corners only where no side has one.
            if way == 4 && best.is_some() {
                break;
            }
            let (rows, columns) = DIRECTIONS[way as usize];
            for &cell in &item.cells {
                let (row, column) = place_of(self.image(), cell.into());
                let mut steps = 1;
                while let Some(colour) = at(self.image(), (row + rows * steps, column + columns * steps)) {
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
        let nearest = others.min_by_key(|&other| (self.moves[other] != Move::Stay, gap(item, &self.items[other])));
        nearest.map(|other| &self.items[other])
    }

    /// One of the eight directions, if an item has such a one.
    fn heading(&self, number: usize, Heading(which): Heading) -> Option<u8> {
        let item = &self.items[number];
        let (height, width) = self.scene.size();
        let way_of =
            |(rows, columns): Place| DIRECTIONS.iter().position(|&way| way == (rows.signum(), columns.signum())).map(|way| way as u8);
        match which {
            0..8 => Some(which),
            8 => {
                let gaps = [item.top, height - item.top - item.height, item.left, width - item.left - item.width];
                let least = gaps.into_iter().min()?;
                let mut nearest = (0..4).filter(|&way| gaps[way as usize] == least);
                nearest.next().filter(|_| nearest.next().is_none())
            }
            9 | 10 => {
                let others = self.items.iter().enumerate().filter(|(other, _)| *other != number);
                let (_, largest) = others.max_by_key(|(other, item)| (item.cells.len(), std::cmp::Reverse(*other)))?;
                let towards = |first: i32, length: i32, other: i32, others: i32| {
                    i32::from(other >= first + length) - i32::from(first >= other + others)
                };
                let rows = towards(item.top, item.height, largest.top, largest.height);
                let columns = towards(item.left, item.width, largest.left, largest.width);
                way_of(if which == 9 { (rows, columns) } else { (-rows, -columns) })
            }
            _ => {
                // The middle of the other cells as seen from the middle of those of the main colour.
                let image = self.scene.image();
                let (mut main, mut rest) = ([0, 0, 0], [0, 0, 0]);
                for &cell in &item.cells {
                    let (row, column) = place_of(image, cell.into());
                    let sums = if image.cells[cell as usize] == item.colour { &mut main } else { &mut rest };
                    *sums = [sums[0] + row, sums[1] + column, sums[2] + 1];
                }
                let (rows, columns) = (rest[0] * main[2] - main[0] * rest[2], rest[1] * main[2] - main[1] * rest[2]);
                way_of(if which == 11 { (rows, columns) } else { (-rows, -columns) })
            }
        }
    }

    /// How far an item slides, and the colour of what stops it.
    fn slide(&self, item: &Item, way: u8) -> Landing {
        let run = contact::run(self.image(), self.scene.ground(), &item.cells, way);
        let (rows, columns) = DIRECTIONS[way as usize];
        Landing { by: (rows * run.steps, columns * run.steps), colour: run.stopper.map(|(_, colour)| colour) }
    }

    /// Where an item that is not on the canvas goes; `None` if it cannot.
    fn landing(&self, number: usize) -> Option<Landing> {
        let item = &self.items[number];
        let aligned = |first: i32, length: i32, other: i32, others: i32, edge: u8| match edge {
            0 => Some(other - first),
            1 => Some(2 * other + others - 2 * first - length).filter(|twice| twice % 2 == 0).map(|twice| twice / 2),
            _ => Some(other + others - first - length),
        };
        let by = match self.moves[number] {
            Move::Stay => (0, 0),
            Move::Delete => return None,
            // What has no direction stays.
            Move::Slide(heading) => self.heading(number, heading).map_or((0, 0), |way| self.slide(item, way).by),
            Move::Towards(target) => self.slide(item, self.ahead(item, target, 4)?.1).by,
            Move::Into(target) => return Some(self.slide(item, self.ahead(item, target, 4)?.1)),
            Move::StepTowards(target) => DIRECTIONS[self.ahead(item, target, 8)?.1 as usize],
            Move::Through(target) => {
                let (steps, way) = self.ahead(item, target, 4)?;
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
        };
        Some(Landing { by, colour: None })
    }

    /// Lays an item elsewhere; what leaves the image is lost.
    fn lay(&mut self, number: usize, landing: Landing) {
        let image = self.scene.image();
        for &cell in &self.items[number].cells {
            let (row, column) = place_of(image, cell.into());
            let (row, column) = (row + landing.by.0, column + landing.by.1);
            if at(image, (row, column)).is_some() {
                self.cells[(row * image.width() as i32 + column) as usize] = landing.colour.unwrap_or(image.cells[cell as usize]);
            }
        }
    }
}

/// The image with its items moved, the nearest to where they go first: they stop those that come from farther. Those that cannot move are gone.
pub(crate) fn moved(scene: &Scene<'_>, items: &[Item], moves: &[Move]) -> Vec<u8> {
    let mut canvas = Canvas::new(scene, items, moves);
    let way_of = |number: usize| canvas.landing(number).map_or(i32::MAX, |landing| landing.by.0.abs().max(landing.by.1.abs()));
    let mut movers: Vec<(i32, usize)> =
        (0..items.len().min(moves.len())).filter(|&number| moves[number] != Move::Stay).map(|number| (way_of(number), number)).collect();
    movers.sort_unstable();
    for (_, number) in movers {
        if let Some(landing) = canvas.landing(number) {
            canvas.lay(number, landing);
        }
    }
    canvas.cells
}

/// The moves that rules give to items; items that get none stay.
fn decide(scene: &Scene<'_>, mode: Mode, rules: &Rules) -> Option<Vec<Move>> {
    if !rules.iter().all(|rule| Move::of(rule.paint).is_some()) {
        return None;
    }
    let own = own_colours(scene, Some(mode))?;
    let decided =
        crate::rules::decide(rules, &own, scene, &|feature| planes(scene, Some(mode), feature), |paint| vec![Move::of(paint); own.len()]);
    Some(decided.into_iter().map(|by| by.unwrap_or(Move::Stay)).collect())
}

/// The image with its items moved by rules; those that cannot move are gone.
pub(crate) fn move_rule(image: Image<'_>, ground: Ground, mode: Mode, rules: &Rules) -> Option<Vec<u8>> {
    let scene = Scene::new(image, ground);
    let moves = decide(&scene, mode, rules)?;
    Some(moved(&scene, &scene.segments(mode)?.items, &moves))
}
