//! Lines: from cells of a colour in some directions, with what stops and turns them, which of their cells are painted, and in which colour.

use batt_image::Image;

use crate::scene::{DIRECTIONS, Ground};

/// One kind of line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Line {
    /// The colour of the cells that it begins at; 10 for any colour but background.
    pub source: u8,
    /// Which of these cells.
    pub from: From,
    /// The directions, a bit each.
    pub ways: u8,
    /// Whether it stops.
    pub stop: Stop,
    /// What happens where it stops.
    pub turn: Turn,
    /// Which of its cells are painted.
    pub mark: Mark,
    /// The colour; 10 for that of the cell that it begins at, 11 for that of the cell that stopped it.
    pub paint: u8,
}

/// Which cells of a colour lines begin at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum From {
    /// All of them.
    All,
    /// Those that continue a line: the cell behind has the same colour.
    Continued,
    /// Those without a neighbour of the same colour.
    Alone,
    /// Those with a cell of another colour behind.
    Away,
    /// Ends: the cell behind is their only neighbour of the same colour.
    End,
    /// Elbows: both cells beside a diagonal way have the same colour. The line begins in the notch between them.
    Notch,
    /// Those that are no part of the largest object, cells of one colour joined by sides; none if two are equally large.
    Small,
}

/// What a line does with cells that are not background.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Stop {
    /// It stops before them.
    Before,
    /// It goes on behind them.
    Under,
    /// It goes over them.
    Over,
    /// It goes on behind those of other colours than its own, and stops before its own.
    Own,
}

/// What a line does where it is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Turn {
    /// It ends.
    End,
    /// It turns right.
    Right,
    /// It turns left.
    Left,
    /// It is reflected, also by edges.
    Bounce,
    /// It ends, and is there only if something other than the edge stopped it.
    Hit,
    /// The same, only if its own colour stopped it.
    HitOwn,
    /// The same, only if the edge stopped it.
    Free,
    /// The same, only if a cell stopped it that no such line begins at.
    HitOther,
}

/// Which cells of a line are painted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Mark {
    /// All of them.
    All,
    /// Every second one.
    Second,
    /// Not the line, but the cell that stopped it.
    Stopper,
    /// The one in the middle, if there is one.
    Middle,
    /// The first one.
    First,
    /// The last one of the shortest line, where the cell that it begins at moves to. All such cells go away first; those that move far are
    /// stopped by those that move less, and those without a line are gone.
    Moved,
}

impl From {
    /// All of them, by number.
    pub const ALL: [Self; 7] = [Self::All, Self::Continued, Self::Alone, Self::Away, Self::End, Self::Notch, Self::Small];
}

impl Stop {
    /// All of them, by number.
    pub const ALL: [Self; 4] = [Self::Before, Self::Under, Self::Over, Self::Own];
}

impl Turn {
    /// All of them, by number.
    pub const ALL: [Self; 8] = [Self::End, Self::Right, Self::Left, Self::Bounce, Self::Hit, Self::HitOwn, Self::Free, Self::HitOther];
}

impl Mark {
    /// All of them, by number.
    pub const ALL: [Self; 6] = [Self::All, Self::Second, Self::Stopper, Self::Middle, Self::First, Self::Moved];
}

/// What becomes of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touch {
    /// It is painted: the colour of the cell that the line began at, and of the cell that stopped it.
    Painted(u8, Option<u8>),
    /// It becomes background.
    Erased,
}

/// Any colour but background, or the colour of the cell that a line begins at.
pub const ANY: u8 = 10;
/// The colour of the cell that stopped a line.
pub const STOPPER: u8 = 11;
/// The most kinds of lines of a rule.
pub const MOST_LINES: usize = 4;
/// The longest path of a line that turns.
const LONGEST: usize = 240;

/// A place by row and column.
type Place = (i32, i32);
/// Where lines begin in an image.
pub struct Beginnings {
    /// Whether lines may begin at each cell, in a direction that is still to be seen.
    sources: Vec<bool>,
    /// The cells that they begin at, with their directions.
    starts: Vec<(Place, u8)>,
}

/// The cells of a line, and what stopped it.
#[derive(Default)]
struct Path {
    cells: Vec<usize>,
    stopper: Option<(usize, u8)>,
}

impl Line {
    /// A line from its numbers.
    pub fn from_numbers(numbers: [i64; 7]) -> Option<Self> {
        let [source, from, ways, stop, turn, mark, paint] = numbers.map(|number| u8::try_from(number).ok());
        Some(Self {
            source: source.filter(|&colour| colour <= ANY)?,
            from: *From::ALL.get(from? as usize)?,
            ways: ways?,
            stop: *Stop::ALL.get(stop? as usize)?,
            turn: *Turn::ALL.get(turn? as usize)?,
            mark: *Mark::ALL.get(mark? as usize)?,
            paint: paint.filter(|&colour| colour <= STOPPER)?,
        })
    }

    /// The same numbers.
    pub fn numbers(self) -> [u8; 7] {
        [self.source, self.from as u8, self.ways, self.stop as u8, self.turn as u8, self.mark as u8, self.paint]
    }

    /// The colour that a cell gets; `None` for background, or where nothing stopped the line that has its colour.
    pub fn colour(self, touch: Touch) -> Option<u8> {
        match (touch, self.paint) {
            (Touch::Erased, _) => None,
            (Touch::Painted(own, _), ANY) => Some(own),
            (Touch::Painted(_, stopper), STOPPER) => stopper,
            (Touch::Painted(..), colour) => Some(colour),
        }
    }

    /// Tells of each cell that it changes, until `change` says `false`. Whether it never did.
    pub fn trace(self, image: Image<'_>, ground: u8, change: impl FnMut(usize, Touch) -> bool) -> bool {
        self.trace_from(&self.beginnings(image, ground), image, ground, change)
    }

    /// The same, where the cells that lines begin at are known: they depend on source, which of its cells, and directions.
    pub fn trace_from(self, beginnings: &Beginnings, image: Image<'_>, ground: u8, mut change: impl FnMut(usize, Touch) -> bool) -> bool {
        if self.mark == Mark::Moved {
            return self.moved(beginnings, image, ground).into_iter().all(|(place, touch)| change(place, touch));
        }
        let mut path = Path::default();
        for &(place, way) in &beginnings.starts {
            if !self.walk(image, ground, &beginnings.sources, place, way, &mut path) {
                continue;
            }
            let own = image.cells[(place.0 * image.width() as i32 + place.1) as usize];
            let touch = Touch::Painted(own, path.stopper.map(|(_, colour)| colour));
            let count = path.cells.len();
            let is_right = match self.mark {
                Mark::All | Mark::Moved => path.cells.iter().all(|&place| change(place, touch)),
                Mark::Second => path.cells.iter().skip(1).step_by(2).all(|&place| change(place, touch)),
                Mark::Stopper => path.stopper.is_none_or(|(place, _)| change(place, touch)),
                Mark::Middle => count % 2 == 0 || change(path.cells[count / 2], touch),
                Mark::First => path.cells.first().is_none_or(|&place| change(place, touch)),
            };
            if !is_right {
                return false;
            }
        }
        true
    }

    /// Where lines begin.
    pub fn beginnings(self, image: Image<'_>, ground: u8) -> Beginnings {
        let width = image.width() as i32;
        let place = |number: usize| (number as i32 / width, number as i32 % width);
        let has_colour = |colour: u8| colour != ground && (self.source == ANY || colour == self.source);
        let mut sources: Vec<bool> = image.cells.iter().map(|&colour| has_colour(colour)).collect();
        for (number, is_source) in sources.iter_mut().enumerate().filter(|(_, is_source)| **is_source) {
            *is_source = match self.from {
                From::Alone => neighbours(image, place(number), image.cells[number]) == 0,
                From::End => neighbours(image, place(number), image.cells[number]) == 1,
                _ => true,
            };
        }
        if self.from == From::Small {
            match largest(image, ground) {
                Some(cells) => cells.into_iter().for_each(|number| sources[number] = false),
                None => sources.fill(false),
            }
        }
        let mut starts = Vec::new();
        for number in (0..sources.len()).filter(|&number| sources[number]) {
            let ways = (0..8).filter(|&way| self.ways >> way & 1 == 1 && self.begins(image, ground, place(number), way));
            starts.extend(ways.map(|way| (place(number), way)));
        }
        Beginnings { sources, starts }
    }

    fn begins(self, image: Image<'_>, ground: u8, (row, column): Place, way: u8) -> bool {
        let Some(colour) = at(image, row, column) else { return false };
        let (rows, columns) = DIRECTIONS[way as usize];
        let behind = at(image, row - rows, column - columns);
        match self.from {
            From::All | From::Alone | From::Small => true,
            From::Continued | From::End => behind == Some(colour),
            From::Away => behind.is_some_and(|behind| behind != colour && behind != ground),
            From::Notch => {
                let is_beside = at(image, row + rows, column) == Some(colour) && at(image, row, column + columns) == Some(colour);
                rows != 0 && columns != 0 && is_beside && at(image, row + rows, column + columns) == Some(ground)
            }
        }
    }

    /// The cells of a line and what stops it; whether it is there.
    fn walk(self, image: Image<'_>, ground: u8, sources: &[bool], (mut row, mut column): Place, way: u8, path: &mut Path) -> bool {
        path.cells.clear();
        path.stopper = None;
        let width = image.width() as i32;
        let (mut rows, mut columns) = DIRECTIONS[way as usize];
        let own = at(image, row, column);
        if self.from == From::Notch {
            (row, column) = (row + rows, column + columns);
        }
        let is_free = |row: i32, column: i32| at(image, row, column) == Some(ground);
        let mut turns = 0;
        for _ in 0..LONGEST {
            let ahead = at(image, row + rows, column + columns);
            let blocked = match (ahead, self.stop) {
                (None, _) => true,
                (Some(colour), Stop::Before) => colour != ground,
                (colour, Stop::Own) => colour == own,
                _ => false,
            };
            if !blocked {
                (row, column) = (row + rows, column + columns);
                if self.stop == Stop::Over || ahead == Some(ground) {
                    path.cells.push((row * width + column) as usize);
                }
                turns = 0;
                continue;
            }
            turns += 1;
            path.stopper = ahead.map(|colour| (((row + rows) * width + column + columns) as usize, colour));
            match (self.turn, ahead) {
                (Turn::Hit, _) => return ahead.is_some(),
                (Turn::HitOwn, _) => return ahead == own,
                (Turn::HitOther, _) => return path.stopper.is_some_and(|(place, _)| !sources[place]),
                (Turn::Free, _) => return ahead.is_none(),
                (Turn::End, _) | (Turn::Right | Turn::Left, None) => return true,
                (Turn::Right, Some(_)) => (rows, columns) = (columns, -rows),
                (Turn::Left, Some(_)) => (rows, columns) = (-columns, rows),
                (Turn::Bounce, _) => {
                    let (down, side) = (is_free(row + rows, column), is_free(row, column + columns));
                    (rows, columns) = (if down && !side { rows } else { -rows }, if side && !down { columns } else { -columns });
                    if rows == 0 || columns == 0 {
                        return true;
                    }
                }
            }
            // Nowhere to go.
            if turns > 3 {
                return true;
            }
        }
        true
    }

    /// The cells that change if the cells that lines begin at move along them.
    fn moved(self, beginnings: &Beginnings, image: Image<'_>, ground: u8) -> Vec<(usize, Touch)> {
        let width = image.width() as i32;
        let number = |place: Place| (place.0 * width + place.1) as usize;
        let Beginnings { sources, starts: movers } = beginnings;
        // What moves is in nobody's way before it has arrived.
        let mut cells = image.cells.to_vec();
        for &(place, _) in movers {
            cells[number(place)] = ground;
        }
        let mut path = Path::default();
        let mut walk = |cells: &mut Vec<u8>, place: Place, way: u8| {
            let here = number(place);
            let before = std::mem::replace(&mut cells[here], image.cells[here]);
            let is_there = self.walk(Image { frame: image.frame, cells }, ground, sources, place, way, &mut path);
            cells[here] = before;
            is_there.then(|| (path.cells.len(), path.cells.last().copied().unwrap_or(here), path.stopper.map(|(_, colour)| colour)))
        };
        let mut order: Vec<(usize, usize)> = Vec::new();
        for (mover, &(place, way)) in movers.iter().enumerate() {
            order.extend(walk(&mut cells, place, way).map(|(length, ..)| (length, mover)));
        }
        order.sort_unstable();
        let mut changes: Vec<(usize, Touch)> = Vec::new();
        let mut has_moved = vec![false; cells.len()];
        for (_, mover) in order {
            let (place, way) = movers[mover];
            if std::mem::replace(&mut has_moved[number(place)], true) {
                continue;
            }
            let Some((_, last, stopper)) = walk(&mut cells, place, way) else { continue };
            let touch = Touch::Painted(image.cells[number(place)], stopper);
            if let Some(colour) = self.colour(touch) {
                cells[last] = colour;
                changes.push((last, touch));
            }
        }
        let mut is_changed = vec![false; image.cells.len()];
        for &(place, _) in &changes {
            is_changed[place] = true;
        }
        for &(place, _) in movers {
            if !std::mem::replace(&mut is_changed[number(place)], true) {
                changes.push((number(place), Touch::Erased));
            }
        }
        changes
    }
}

/// The image with lines, each kind after the other; a kind does not see the lines of its own kind.
pub fn line_rule(image: Image<'_>, ground: Ground, lines: &[Line]) -> Vec<u8> {
    let ground = ground.of(image);
    let mut cells = image.cells.to_vec();
    for line in lines {
        let before = cells.clone();
        line.trace(Image { frame: image.frame, cells: &before }, ground, |place, touch| {
            match (line.colour(touch), touch) {
                (Some(colour), _) => cells[place] = colour,
                (None, Touch::Erased) => cells[place] = ground,
                // At the edge nothing gives it a colour.
                (None, Touch::Painted(..)) => {}
            }
            true
        });
    }
    cells
}

fn at(image: Image<'_>, row: i32, column: i32) -> Option<u8> {
    let (height, width) = (image.height() as i32, image.width() as i32);
    ((0..height).contains(&row) && (0..width).contains(&column)).then(|| image.cells[(row * width + column) as usize])
}

/// The largest object, cells of one colour but background joined by sides, if there is one.
fn largest(image: Image<'_>, ground: u8) -> Option<Vec<usize>> {
    let width = image.width() as i32;
    let mut seen: Vec<bool> = image.cells.iter().map(|&colour| colour == ground).collect();
    let mut best: Vec<usize> = Vec::new();
    let mut is_one = false;
    for start in 0..seen.len() {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        let mut cells = vec![start];
        let mut next = 0;
        while let Some(&place) = cells.get(next) {
            next += 1;
            for (rows, columns) in &DIRECTIONS[..4] {
                let (row, column) = (place as i32 / width + rows, place as i32 % width + columns);
                let there = (row * width + column) as usize;
                if at(image, row, column) == Some(image.cells[start]) && !std::mem::replace(&mut seen[there], true) {
                    cells.push(there);
                }
            }
        }
        if cells.len() >= best.len() {
            is_one = cells.len() > best.len();
            best = cells;
        }
    }
    is_one.then_some(best)
}

/// The number of the eight neighbours that have a colour.
fn neighbours(image: Image<'_>, (row, column): Place, colour: u8) -> usize {
    DIRECTIONS.iter().filter(|(rows, columns)| at(image, row + rows, column + columns) == Some(colour)).count()
}
