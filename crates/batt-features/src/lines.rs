//! Lines: from cells of a colour in some directions, with what stops them, where they turn, and their colour.

use batt_image::{COLOURS, Image};

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
    /// Whether only every second cell is painted.
    pub dotted: bool,
    /// The colour; 10 for that of the cell that it begins at.
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
}

impl From {
    /// All of them, by number.
    pub const ALL: [Self; 4] = [Self::All, Self::Continued, Self::Alone, Self::Away];
}

impl Stop {
    /// All of them, by number.
    pub const ALL: [Self; 3] = [Self::Before, Self::Under, Self::Over];
}

impl Turn {
    /// All of them, by number.
    pub const ALL: [Self; 7] = [Self::End, Self::Right, Self::Left, Self::Bounce, Self::Hit, Self::HitOwn, Self::Free];
}

/// Any colour but background, or the colour of the cell that a line begins at.
pub const ANY: u8 = 10;
/// The most kinds of lines of a rule.
pub const MOST_LINES: usize = 4;
/// The longest path of a line that turns.
const LONGEST: usize = 240;

impl Line {
    /// A line from its numbers.
    pub fn from_numbers(numbers: [i64; 7]) -> Option<Self> {
        let [source, from, ways, stop, turn, dotted, paint] = numbers.map(|number| u8::try_from(number).ok());
        let colour = |colour: Option<u8>| colour.filter(|&colour| colour <= COLOURS as u8);
        Some(Self {
            source: colour(source)?,
            from: *From::ALL.get(from? as usize)?,
            ways: ways?,
            stop: *Stop::ALL.get(stop? as usize)?,
            turn: *Turn::ALL.get(turn? as usize)?,
            dotted: match dotted? {
                0 => false,
                1 => true,
                _ => return None,
            },
            paint: colour(paint)?,
        })
    }

    /// The same numbers.
    pub fn numbers(self) -> [u8; 7] {
        [self.source, self.from as u8, self.ways, self.stop as u8, self.turn as u8, u8::from(self.dotted), self.paint]
    }

    /// Tells of each cell that it paints, and the colour of the cell that it began at; until `paint` says `false`. Whether it never did.
    pub fn trace(self, image: Image<'_>, ground: u8, mut paint: impl FnMut(usize, u8) -> bool) -> bool {
        let width = image.width() as i32;
        let mut path = Vec::new();
        for (place, &colour) in image.cells.iter().enumerate() {
            if colour == ground || (self.source != ANY && colour != self.source) {
                continue;
            }
            let (row, column) = (place as i32 / width, place as i32 % width);
            if self.from == From::Alone && has_neighbour(image, row, column, colour) {
                continue;
            }
            for way in (0..8).filter(|way| self.ways >> way & 1 == 1) {
                path.clear();
                if !self.begins(image, ground, (row, column), way, colour) || !self.walk(image, ground, (row, column), way, &mut path) {
                    continue;
                }
                let painted = path.iter().enumerate().filter(|(step, _)| !self.dotted || step % 2 == 1).map(|(_, &place)| place);
                for place in painted {
                    if !paint(place, colour) {
                        return false;
                    }
                }
            }
        }
        true
    }

    fn begins(self, image: Image<'_>, ground: u8, (row, column): (i32, i32), way: usize, colour: u8) -> bool {
        let (rows, columns) = DIRECTIONS[way];
        let behind = at(image, row - rows, column - columns);
        match self.from {
            From::All | From::Alone => true,
            From::Continued => behind == Some(colour),
            From::Away => behind.is_some_and(|behind| behind != colour && behind != ground),
        }
    }

    /// The cells that a line paints; whether it is there.
    fn walk(self, image: Image<'_>, ground: u8, (mut row, mut column): (i32, i32), way: usize, path: &mut Vec<usize>) -> bool {
        let (mut rows, mut columns) = DIRECTIONS[way];
        let own = at(image, row, column);
        let is_free = |row: i32, column: i32| at(image, row, column) == Some(ground);
        let mut turns = 0;
        for _ in 0..LONGEST {
            let ahead = at(image, row + rows, column + columns);
            let blocked = match (ahead, self.stop) {
                (None, _) => true,
                (Some(colour), Stop::Before) => colour != ground,
                _ => false,
            };
            if !blocked {
                (row, column) = (row + rows, column + columns);
                if self.stop == Stop::Over || ahead == Some(ground) {
                    path.push((row * image.width() as i32 + column) as usize);
                }
                turns = 0;
                continue;
            }
            turns += 1;
            match (self.turn, ahead) {
                (Turn::Hit, _) => return ahead.is_some(),
                (Turn::HitOwn, _) => return ahead == own,
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
pub fn line_rule(image: Image<'_>, ground: Ground, lines: &[Line]) -> Vec<u8> {
    let ground = ground.of(image);
    let mut cells = image.cells.to_vec();
    for line in lines {
        let before = cells.clone();
        line.trace(Image { frame: image.frame, cells: &before }, ground, |place, own| {
            cells[place] = if line.paint == ANY { own } else { line.paint };
            true
        });
    }
    cells
}

fn at(image: Image<'_>, row: i32, column: i32) -> Option<u8> {
    let (height, width) = (image.height() as i32, image.width() as i32);
    ((0..height).contains(&row) && (0..width).contains(&column)).then(|| image.cells[(row * width + column) as usize])
}

fn has_neighbour(image: Image<'_>, row: i32, column: i32, colour: u8) -> bool {
    DIRECTIONS.iter().any(|(rows, columns)| at(image, row + rows, column + columns) == Some(colour))
}

#[cfg(test)]
mod tests {
    use batt_image::Frame;

    use super::*;

    fn drawn(width: usize, cells: &[u8], numbers: [i64; 7]) -> Vec<u8> {
        let image = Image { frame: Frame::at_origin(cells.len() / width, width), cells };
        line_rule(image, Ground::Colour(0), &Line::from_numbers(numbers).into_iter().collect::<Vec<_>>())
    }

    #[test]
    fn lines_stop_turn_and_bounce() {
        // To the right until something is there.
        assert_eq!(drawn(4, &[1, 0, 0, 5], [1, 0, 8, 0, 0, 0, 10]), [1, 1, 1, 5]);
        // Behind it and over it.
        assert_eq!(drawn(4, &[1, 0, 5, 0], [1, 0, 8, 1, 0, 0, 3]), [1, 3, 5, 3]);
        assert_eq!(drawn(4, &[1, 0, 5, 0], [1, 0, 8, 2, 0, 0, 3]), [1, 3, 3, 3]);
        // Every second cell.
        assert_eq!(drawn(5, &[1, 0, 0, 0, 0], [1, 0, 8, 1, 0, 1, 3]), [1, 0, 3, 0, 3]);
        // Only to its own colour, and only to the edge.
        assert_eq!(drawn(6, &[0, 1, 0, 1, 0, 5], [1, 0, 12, 0, 5, 0, 3]), [0, 1, 3, 1, 0, 5]);
        assert_eq!(drawn(6, &[0, 1, 0, 1, 0, 5], [1, 0, 12, 0, 6, 0, 3]), [3, 1, 0, 1, 0, 5]);
        // It continues what is there.
        assert_eq!(drawn(5, &[0, 1, 1, 0, 0], [1, 1, 8, 0, 0, 0, 10]), [0, 1, 1, 1, 1]);
        // It turns right at an obstacle, and goes down to the edge.
        assert_eq!(drawn(3, &[1, 0, 5, 0, 0, 0], [1, 0, 8, 0, 1, 0, 2]), [1, 2, 5, 0, 2, 0]);
        // A diagonal is reflected by the edge.
        assert_eq!(drawn(2, &[0, 0, 0, 0, 1, 0], [1, 0, 64, 0, 3, 0, 2]), [2, 0, 0, 2, 1, 0]);
    }
}
