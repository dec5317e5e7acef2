//! Rules that move items: to contact, by a step, away.

use batt_image::Image;

use crate::items::ItemKind;
use crate::rules::{Paint, Rules, planes};
use crate::scene::{DIRECTIONS, Feature, Ground, NONE, Plane, Scene};
use crate::segments::{Item, Mode};

/// What becomes of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    /// It stays.
    Stay,
    /// It goes away.
    Delete,
    /// It slides in one of the four directions to the sides until something stops it.
    Slide(u8),
    /// It slides towards the nearest cell of a colour that is straight ahead in one of the four directions: a colour, 10 for any, 11 for its own.
    Towards(u8),
    /// It moves by rows and columns.
    Step(i8, i8),
    /// It moves by its own height or width in one of the four directions.
    OwnSize(u8),
}

impl Move {
    /// A move as the paint of a rule.
    pub fn paint(self) -> Paint {
        let (kind, a, b) = match self {
            Self::Stay => (0, 0, 0),
            Self::Delete => (1, 0, 0),
            Self::Slide(way) => (2, way as i8, 0),
            Self::Towards(colour) => (3, colour as i8, 0),
            Self::Step(rows, columns) => (4, rows, columns),
            Self::OwnSize(way) => (5, way as i8, 0),
        };
        Paint::Feature(Feature { kind, a, b })
    }

    /// The move that a paint stands for.
    pub fn of(paint: Paint) -> Option<Self> {
        let Paint::Feature(Feature { kind, a, b }) = paint else { return None };
        let below = |most: i8| u8::try_from(a).ok().filter(|_| a < most);
        Some(match kind {
            0 => Self::Stay,
            1 => Self::Delete,
            2 => Self::Slide(below(4)?),
            3 => Self::Towards(below(12)?),
            4 => Self::Step(a, b),
            5 => Self::OwnSize(below(4)?),
            _ => return None,
        })
    }
}

/// The image while items are moved.
pub struct Canvas<'a> {
    scene: &'a Scene<'a>,
    cells: Vec<u8>,
}

impl<'a> Canvas<'a> {
    /// The image without some items.
    pub fn without<'b>(scene: &'a Scene<'a>, items: impl Iterator<Item = &'b Item>) -> Self {
        let mut cells = scene.image().cells.to_vec();
        items.flat_map(|item| &item.cells).for_each(|&place| cells[place as usize] = scene.ground());
        Self { scene, cells }
    }

    /// What was made.
    pub fn cells(self) -> Vec<u8> {
        self.cells
    }

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

    /// The direction and distance of the nearest cell of a colour that is straight ahead of an item.
    fn ahead(&self, item: &Item, wanted: u8) -> Option<u8> {
        let ground = self.scene.ground();
        let is_wanted = |colour: u8| match wanted {
            10 => colour != ground,
            11 => colour == item.colour,
            wanted => colour == wanted,
        };
        let mut best: Option<(i32, u8)> = None;
        for way in 0..4 {
            let (rows, columns) = DIRECTIONS[way as usize];
            for &cell in &item.cells {
                let (row, column) = self.place(cell);
                let mut steps = 1;
                while let Some(colour) = self.at(row + rows * steps, column + columns * steps) {
                    if is_wanted(colour) && colour != ground {
                        if best.is_none_or(|best| (steps, way) < best) {
                            best = Some((steps, way));
                        }
                        break;
                    }
                    steps += 1;
                }
            }
        }
        best.map(|best| best.1)
    }

    /// How far an item that is not on the canvas moves; `None` if it cannot.
    pub fn offset(&self, item: &Item, by: Move) -> Option<(i32, i32)> {
        match by {
            Move::Stay => Some((0, 0)),
            Move::Delete => None,
            Move::Slide(way) => Some(self.slide(item, way)),
            Move::Towards(colour) => Some(self.slide(item, self.ahead(item, colour)?)),
            Move::Step(rows, columns) => Some((i32::from(rows), i32::from(columns))),
            Move::OwnSize(way) => {
                let (rows, columns) = DIRECTIONS[way as usize];
                Some((rows * item.height, columns * item.width))
            }
        }
    }

    /// Lays an item so far away; what leaves the image is lost.
    pub fn lay(&mut self, item: &Item, (rows, columns): (i32, i32)) {
        let (height, width) = self.scene.size();
        for &cell in &item.cells {
            let (row, column) = self.place(cell);
            let (to_row, to_column) = (row + rows, column + columns);
            if (0..height).contains(&to_row) && (0..width).contains(&to_column) {
                self.cells[(to_row * width + to_column) as usize] = self.scene.image().cells[cell as usize];
            }
        }
    }
}

/// The order in which items move: those in front first.
pub fn order_of(by: Move, item: &Item) -> i32 {
    match by {
        Move::Slide(0) => item.top,
        Move::Slide(1) => -(item.top + item.height),
        Move::Slide(2) => item.left,
        Move::Slide(3) => -(item.left + item.width),
        _ => 0,
    }
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
    let mut canvas = Canvas::without(&scene, movers.iter().map(|&k| &items[k]));
    for k in movers {
        if let Some(offset) = canvas.offset(&items[k], moves[k]) {
            canvas.lay(&items[k], offset);
        }
    }
    Some(canvas.cells())
}
