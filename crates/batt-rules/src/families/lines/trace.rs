//! Lines: from cells of a colour in some directions, with what stops and turns them, which of their cells are painted, and in which colour.

use batt_vision::roles::{colour, is_role};
use batt_vision::{DIRECTIONS, Ground, Image, kinds};

use crate::contact::{Place, Stop, at};

/// One kind of line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Line {
    /// The colour of the cells that it begins at; 10 for any colour but background, 20 and more for a role.
    pub source: u8,
    /// Which of these cells.
    pub from: From,
    /// The directions, a bit each.
    pub ways: u8,
    /// Whether it stops.
    pub stop: Stop,
    /// Action where the line is stopped.
    pub turn: Turn,
    /// Which of its cells are painted.
    pub mark: Mark,
    /// The colour; 10 for that of the cell that it begins at, 11 for that of the cell that stopped it, 12 for those of its tail in turn: the
    /// cells behind its beginning up to background, of which each cell repeats the one that is their period behind; 20 and more for a role.
    pub paint: u8,
}

kinds! {
    /// Which cells of a colour lines begin at.
    From {
        /// Every cell.
        All,
        /// Cells that continue a line: the cell behind has the same colour.
        Continued,
        /// Cells without a neighbour of the same colour.
        Alone,
        /// Cells with another colour behind.
        Away,
        /// Ends: the cell behind is their only neighbour of the same colour.
        End,
        /// Elbows: both cells beside a diagonal way have the same colour. The line begins in the notch between them.
        Notch,
        /// Cells outside the largest object of one colour, joined by sides; none if two objects are the largest.
        Small,
        /// Corners: only the cells behind and on one side have the same colour. For a diagonal way: both cells behind have it, and none of
        /// the three ahead.
        Corner,
    }
}

kinds! {
    /// What a line does where it is stopped.
    Turn {
        /// The line ends.
        End,
        /// It turns right.
        Right,
        /// It turns left.
        Left,
        /// It is reflected, also by edges.
        Bounce,
        /// The line ends, and is left out unless something other than the edge stopped it.
        Hit,
        /// The same, unless its own colour stopped it.
        HitOwn,
        /// The same, unless the edge stopped it.
        Free,
        /// The same, unless a cell stopped it that no such line starts at.
        HitOther,
    }
}

kinds! {
    /// Which cells of a line are painted.
    Mark {
        /// All cells.
        All,
        /// Every second cell.
        Second,
        /// Only the cell that stopped it.
        Stopper,
        /// The middle cell, if there is one.
        Middle,
        /// The first cell.
        First,
        /// Cells of other colours that it passes over.
        Crossed,
        /// Cells that such lines along two axes share.
        Twice,
    }
}

/// A cell that is painted: the colours that it may get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Touch {
    /// The colour of the cell that the line began at.
    pub own: u8,
    /// The colour of the cell that stopped it.
    pub stopper: Option<u8>,
    /// The colour that repeats the tail.
    pub tail: u8,
}

/// Any colour but background, or the colour of the cell that a line begins at.
pub(crate) const ANY: u8 = 10;
/// The colour of the cell that stopped a line.
pub(crate) const STOPPER: u8 = 11;
/// The colours of a line's tail in turn.
pub(crate) const TAIL: u8 = 12;
/// The most kinds of lines of a rule.
pub(crate) const MOST_LINES: usize = 4;
/// The longest path of a line that turns.
const LONGEST: usize = 240;

/// Where lines begin in an image.
pub(crate) struct Beginnings {
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
    pub(crate) fn from_numbers(numbers: [i64; 7]) -> Option<Self> {
        let [source, from, ways, stop, turn, mark, paint] = numbers.map(|number| u8::try_from(number).ok());
        Some(Self {
            source: source.filter(|&colour| colour <= ANY || is_role(colour))?,
            from: From::from_number(from?)?,
            ways: ways?,
            stop: Stop::from_number(stop?)?,
            turn: Turn::from_number(turn?)?,
            mark: Mark::from_number(mark?)?,
            paint: paint.filter(|&colour| colour <= TAIL || is_role(colour))?,
        })
    }

    /// The parameters as numbers.
    pub(crate) fn numbers(self) -> [u8; 7] {
        [self.source, self.from as u8, self.ways, self.stop as u8, self.turn as u8, self.mark as u8, self.paint]
    }

    /// Replaces colour roles by their colours in an image; `None` if no colour has one of them.
    pub(crate) fn in_image(self, image: Image<'_>, ground: u8) -> Option<Self> {
        let named = |number: u8| if is_role(number) { colour(number, image, Ground::Colour(ground)) } else { Some(number) };
        Some(Self { source: named(self.source)?, paint: named(self.paint)?, ..self })
    }

    /// The colour that a cell gets; `None` where nothing stopped the line that has its colour.
    pub(crate) fn colour(self, touch: Touch) -> Option<u8> {
        match self.paint {
            ANY => Some(touch.own),
            STOPPER => touch.stopper,
            TAIL => Some(touch.tail),
            colour => Some(colour),
        }
    }

    /// Tells of each cell that it changes, until `change` says `false`. Whether it never did.
    pub(crate) fn trace(self, image: Image<'_>, ground: u8, change: impl FnMut(usize, Touch) -> bool) -> bool {
        self.trace_from(&self.beginnings(image, ground), image, ground, change)
    }

    /// The same, where the cells that lines begin at are known: they depend on source, which of its cells, and directions.
    pub(crate) fn trace_from(
        self,
        beginnings: &Beginnings,
        image: Image<'_>,
        ground: u8,
        mut change: impl FnMut(usize, Touch) -> bool,
    ) -> bool {
        let mut path = Path::default();
        let mut axes = if self.mark == Mark::Twice { vec![(0_u8, 0_u8); image.cells.len()] } else { Vec::new() };
        let mut tail = Vec::new();
        for &(place, way) in &beginnings.starts {
            if !self.walk(image, ground, &beginnings.sources, place, way, &mut path) {
                continue;
            }
            let own = image.cells[(place.0 * image.width() as i32 + place.1) as usize];
            let stopper = path.stopper.map(|(_, colour)| colour);
            let count = path.cells.len();
            if count > 0 {
                behind(image, ground, place, way, &mut tail);
            }
            let touch =
                |steps: usize| Touch { own, stopper, tail: if tail.is_empty() { own } else { tail[tail.len() - 1 - steps % tail.len()] } };
            let mut cells = path.cells.iter().enumerate();
            let is_crossed = |place: usize| image.cells[place] != ground && image.cells[place] != own;
            let is_right = match self.mark {
                Mark::All => cells.all(|(steps, &place)| change(place, touch(steps))),
                Mark::Second => cells.skip(1).step_by(2).all(|(steps, &place)| change(place, touch(steps))),
                Mark::Stopper => path.stopper.is_none_or(|(place, _)| change(place, touch(count))),
                Mark::Middle => count % 2 == 0 || change(path.cells[count / 2], touch(count / 2)),
                Mark::First => path.cells.first().is_none_or(|&place| change(place, touch(0))),
                Mark::Crossed => cells.filter(|(_, place)| is_crossed(**place)).all(|(steps, &place)| change(place, touch(steps))),
                Mark::Twice => {
                    for (_, &place) in cells {
                        axes[place] = (axes[place].0 | 1 << (way / 2), own);
                    }
                    true
                }
            };
            if !is_right {
                return false;
            }
        }
        let twice = axes.into_iter().enumerate().filter(|(_, (axes, _))| axes.count_ones() > 1);
        twice.into_iter().all(|(place, (_, own))| change(place, Touch { own, stopper: None, tail: own }))
    }

    /// Where lines begin.
    pub(crate) fn beginnings(self, image: Image<'_>, ground: u8) -> Beginnings {
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
        let Some(colour) = at(image, (row, column)) else { return false };
        let (rows, columns) = DIRECTIONS[way as usize];
        let behind = at(image, (row - rows, column - columns));
        match self.from {
            From::All | From::Alone | From::Small => true,
            From::Continued | From::End => behind == Some(colour),
            From::Away => behind.is_some_and(|behind| behind != colour && behind != ground),
            From::Notch => {
                let is_beside = at(image, (row + rows, column)) == Some(colour) && at(image, (row, column + columns)) == Some(colour);
                rows != 0 && columns != 0 && is_beside && at(image, (row + rows, column + columns)) == Some(ground)
            }
            From::Corner => {
                let is_own = |rows: i32, columns: i32| at(image, (row + rows, column + columns)) == Some(colour);
                if is_own(rows, columns) {
                    false
                } else if rows != 0 && columns != 0 {
                    !is_own(rows, 0) && !is_own(0, columns) && is_own(-rows, 0) && is_own(0, -columns)
                } else {
                    is_own(-rows, -columns) && is_own(columns, rows) != is_own(-columns, -rows)
                }
            }
        }
    }

    /// The cells of a line and what stops it; whether it is there.
    fn walk(self, image: Image<'_>, ground: u8, sources: &[bool], (mut row, mut column): Place, way: u8, path: &mut Path) -> bool {
        path.cells.clear();
        path.stopper = None;
        let width = image.width() as i32;
        let (mut rows, mut columns) = DIRECTIONS[way as usize];
        let own = at(image, (row, column));
        if self.from == From::Notch {
            (row, column) = (row + rows, column + columns);
        }
        let is_free = |row: i32, column: i32| at(image, (row, column)) == Some(ground);
        let mut turns = 0;
        for _ in 0..LONGEST {
            let ahead = at(image, (row + rows, column + columns));
            if !self.stop.is_stopped(ahead, own, ground) {
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
}

/// The image with lines, each kind after the other; a kind does not see the lines of its own kind.
pub(crate) fn line_rule(image: Image<'_>, ground: Ground, lines: &[Line]) -> Vec<u8> {
    let ground = ground.of(image);
    let mut cells = image.cells.to_vec();
    for line in lines.iter().filter_map(|line| line.in_image(image, ground)) {
        let before = cells.clone();
        line.trace(Image { frame: image.frame, cells: &before }, ground, |place, touch| {
            // At the edge nothing gives it a colour.
            cells[place] = line.colour(touch).unwrap_or(cells[place]);
            true
        });
    }
    cells
}

/// The tail of a line: the colours from its beginning backwards up to background, as many as their period.
fn behind(image: Image<'_>, ground: u8, (row, column): Place, way: u8, tail: &mut Vec<u8>) {
    let (rows, columns) = DIRECTIONS[way as usize];
    tail.clear();
    let cells = (0..).map_while(|steps| at(image, (row - rows * steps, column - columns * steps)));
    tail.extend(cells.take_while(|&colour| colour != ground));
    let repeats = |period: &usize| (*period..tail.len()).all(|place| tail[place] == tail[place - period]);
    let period = (1..tail.len()).find(repeats).unwrap_or(tail.len());
    tail.truncate(period);
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
                if at(image, (row, column)) == Some(image.cells[start]) && !std::mem::replace(&mut seen[there], true) {
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
    DIRECTIONS.iter().filter(|(rows, columns)| at(image, (row + rows, column + columns)) == Some(colour)).count()
}
