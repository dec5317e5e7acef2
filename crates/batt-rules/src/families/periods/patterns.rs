//! Patterns that repeat: lattices of two steps, copies along one step, rings, and reflections, carried on over hidden cells or a larger canvas.

use batt_vision::roles::{colour, is_role};
use batt_vision::{COLOURS, Ground, Image, MAX_SIDE, kinds};

use super::symmetries::{Symmetry, mirrored};

kinds! {
    /// How a pattern repeats.
    Repeat {
        /// By the two steps of the smallest lattice that no known cell contradicts. The result is moved down and to the right by `a` and `b`.
        Lattice,
        /// By the smallest step that no known cell contradicts, forwards and backwards.
        Step,
        /// By a step of `a` rows and `b` columns, forwards only.
        Given,
        /// In rings around the box of known cells, whose sides at the edge may be open.
        Rings,
        /// By the symmetry `a`, whose axes or centre are anywhere. `b` says which cells must follow.
        Mirrored,
        /// Not at all. If `a` is 0, the rings of one colour are reversed, from the edge inwards. Otherwise each colour becomes the one `a`
        /// places before it, in the order from the edge inwards.
        Shells,
    }
}

/// The colour of cells that are not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Mask {
    /// All are known.
    None,
    /// A colour.
    Colour(u8),
    /// The least common colour without which the image has the pattern.
    Found,
    /// The most common colour.
    Common,
    /// The colour that has a role, by the number of that argument.
    Role(u8),
}

impl Mask {
    /// From a number: a colour, none (10), found (11), the most common one (12), a role.
    pub(crate) fn from_number(number: i64) -> Option<Self> {
        Some(match u8::try_from(number).ok()? {
            colour if usize::from(colour) < COLOURS => Self::Colour(colour),
            10 => Self::None,
            11 => Self::Found,
            12 => Self::Common,
            role if is_role(role) => Self::Role(role),
            _ => return None,
        })
    }

    /// The colour that it says in an image without looking at patterns.
    pub(crate) fn colour(self, image: Image<'_>) -> Option<u8> {
        match self {
            Self::Colour(colour) => Some(colour),
            Self::Common => Some(Ground::MostCommon.of(image)),
            Self::Role(role) => colour(role, image, Ground::Colour(0)),
            Self::None | Self::Found => None,
        }
    }

    /// The number that `from_number` takes.
    pub(crate) const fn number(self) -> u8 {
        match self {
            Self::Colour(colour) => colour,
            Self::None => 10,
            Self::Found => 11,
            Self::Common => 12,
            Self::Role(role) => role,
        }
    }
}

/// A pattern that repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Period {
    /// How it repeats.
    pub repeat: Repeat,
    /// Rows, or the kind of symmetry.
    pub a: i8,
    /// Columns.
    pub b: i8,
    /// The corner of the canvas that the image is at: upper left, upper right, lower left, lower right.
    pub corner: u8,
    /// Whether only the box of hidden cells is wanted.
    pub cropped: bool,
}

impl Period {
    /// From four numbers.
    pub(crate) fn from_numbers([repeat, a, b, corner]: [i64; 4]) -> Option<Self> {
        let repeat = Repeat::from_number(repeat)?;
        let corner = u8::try_from(corner).ok().filter(|&corner| corner < 8)?;
        let step = |number: i64| i8::try_from(number).ok().filter(|step| step.unsigned_abs() as usize <= MAX_SIDE);
        Some(Self { repeat, a: step(a)?, b: step(b)?, corner: corner & 3, cropped: corner > 3 })
    }

    /// The parameters as numbers.
    pub(crate) const fn numbers(self) -> [i16; 4] {
        [self.repeat as i16, self.a as i16, self.b as i16, self.corner as i16 + 4 * self.cropped as i16]
    }
}

/// A canvas of cells that are known or not.
pub(crate) struct Canvas {
    pub(crate) height: i32,
    pub(crate) width: i32,
    pub(crate) cells: Vec<Option<u8>>,
    /// The colour of cells that stay unknown.
    pub(crate) blank: u8,
}

impl Canvas {
    pub(crate) fn at(&self, row: i32, column: i32) -> Option<u8> {
        let inside = (0..self.height).contains(&row) && (0..self.width).contains(&column);
        if inside { self.cells[(row * self.width + column) as usize] } else { None }
    }

    pub(crate) fn places(&self) -> impl Iterator<Item = (i32, i32)> + use<> {
        let width = self.width;
        (0..self.height).flat_map(move |row| (0..width).map(move |column| (row, column)))
    }
}

/// The pattern of an image carried on over a canvas, `(0, 0)` for the image's own size. Unknown are cells of the colour `mask` and those outside
/// of the image. `None` if the image has no such pattern.
pub(crate) fn period_rule(image: Image<'_>, mask: Mask, size: (usize, usize), period: Period) -> Option<(usize, usize, Vec<u8>)> {
    let unknown = match mask {
        Mask::None => None,
        Mask::Colour(_) | Mask::Common | Mask::Role(_) => Some(mask.colour(image)?),
        Mask::Found => {
            let counts = image.counts();
            let mut colours: Vec<u8> = (0..COLOURS as u8).filter(|&colour| counts[usize::from(colour)] > 0).collect();
            colours.sort_by_key(|&colour| counts[usize::from(colour)]);
            return colours.into_iter().find_map(|colour| carried_on(image, Some(colour), size, period));
        }
    };
    carried_on(image, unknown, size, period)
}

fn carried_on(image: Image<'_>, mask: Option<u8>, size: (usize, usize), period: Period) -> Option<(usize, usize, Vec<u8>)> {
    let own = (image.height(), image.width());
    let (height, width) = if size == (0, 0) { own } else { size };
    if height < own.0 || width < own.1 || height > MAX_SIDE || width > MAX_SIDE {
        return None;
    }
    let top = if period.corner & 2 == 0 { 0 } else { height - own.0 };
    let left = if period.corner & 1 == 0 { 0 } else { width - own.1 };
    let mut cells = vec![None; height * width];
    for (place, &cell) in image.cells.iter().enumerate() {
        // Rings may be blank.
        let is_known = period.repeat == Repeat::Rings || Some(cell) != mask;
        cells[(place / own.1 + top) * width + place % own.1 + left] = Some(cell).filter(|_| is_known);
    }
    let canvas = Canvas { height: height as i32, width: width as i32, cells, blank: mask.unwrap_or(0) };
    let made = match period.repeat {
        Repeat::Lattice => on_lattice(&canvas, (i32::from(period.a), i32::from(period.b)))?,
        Repeat::Step => by_step(&canvas)?,
        Repeat::Given => by_given(&canvas, (i32::from(period.a), i32::from(period.b)))?,
        Repeat::Rings => in_rings(&canvas)?,
        Repeat::Mirrored => mirrored(&canvas, Symmetry::from_number(period.a)?, period.b)?,
        Repeat::Shells => in_shells(&canvas, period.a.into())?,
    };
    if !period.cropped {
        return Some((height, width, made));
    }
    let hidden = || {
        image
            .cells
            .iter()
            .enumerate()
            .filter(|&(_, &cell)| Some(cell) == mask)
            .map(|(place, _)| (place / own.1 + top, place % own.1 + left))
    };
    let (first, last) = (hidden().map(|place| place.0).min()?, hidden().map(|place| place.0).max()?);
    let (start, end) = (hidden().map(|place| place.1).min()?, hidden().map(|place| place.1).max()?);
    let cells = (first..=last).flat_map(|row| made[row * width + start..=row * width + end].iter().copied()).collect();
    Some((last - first + 1, end - start + 1, cells))
}

/// The class of a place on the lattice of the steps `(rows, shear)` and `(0, columns)`.
#[derive(Clone, Copy)]
struct Lattice {
    rows: i32,
    columns: i32,
    shear: i32,
}

impl Lattice {
    fn class(self, row: i32, column: i32) -> usize {
        let column = (column - self.shear * row.div_euclid(self.rows)).rem_euclid(self.columns);
        (row.rem_euclid(self.rows) * self.columns + column) as usize
    }

    /// The colour of each class, if no two known cells of a class differ and every class has a known cell.
    fn colours(self, known: &[(i32, i32, u8)], colours: &mut Vec<Option<u8>>) -> bool {
        colours.clear();
        colours.resize((self.rows * self.columns) as usize, None);
        let mut open = colours.len();
        for &(row, column, colour) in known {
            match &mut colours[self.class(row, column)] {
                Some(other) if *other != colour => return false,
                Some(_) => {}
                free => {
                    *free = Some(colour);
                    open -= 1;
                }
            }
        }
        open == 0
    }
}

/// The most classes of a lattice.
const MOST_CLASSES: usize = 200;

/// Lattices in the order of their number of classes; of equally many those without shear first.
fn on_lattice(canvas: &Canvas, (down, right): (i32, i32)) -> Option<Vec<u8>> {
    let known: Vec<(i32, i32, u8)> = canvas.places().filter_map(|(row, column)| Some((row, column, canvas.at(row, column)?))).collect();
    let first = known.first()?.2;
    // One colour alone has no pattern. A period is seen where more than half of its classes recur.
    if known.iter().all(|&(_, _, colour)| colour == first) {
        return None;
    }
    // Both steps alone must not be contradicted: cheaper to see, and seen once.
    let is_step: Vec<bool> = (0..=canvas.width).map(|columns| agreement(canvas, (0, columns)).is_some()).collect();
    let mut is_shear: Vec<Option<bool>> = vec![None; ((canvas.height + 1) * canvas.width) as usize];
    let mut colours = Vec::new();
    for classes in 2..=MOST_CLASSES.min(known.len() * 2 / 3) as i32 {
        for rows in (1..=canvas.height.min(classes)).filter(|rows| classes % rows == 0 && classes / rows <= canvas.width) {
            let columns = classes / rows;
            if !is_step[columns as usize] {
                continue;
            }
            for shear in 0..columns {
                let is_free = &mut is_shear[(rows * canvas.width + shear) as usize];
                let lattice = Lattice { rows, columns, shear };
                if *is_free.get_or_insert_with(|| agreement(canvas, (rows, shear)).is_some()) && lattice.colours(&known, &mut colours) {
                    let colour = |(row, column)| colours[lattice.class(row - down, column - right)].unwrap_or(canvas.blank);
                    return Some(canvas.places().map(colour).collect());
                }
            }
        }
    }
    None
}

/// How many pairs of known cells a step joins that are equal, not counting the blank colour; `None` if two differ.
fn agreement(canvas: &Canvas, (rows, columns): (i32, i32)) -> Option<usize> {
    let mut agree = 0;
    for (row, column) in canvas.places() {
        if let (Some(one), Some(other)) = (canvas.at(row, column), canvas.at(row + rows, column + columns)) {
            if one != other {
                return None;
            }
            agree += usize::from(one != canvas.blank);
        }
    }
    Some(agree)
}

fn by_step(canvas: &Canvas) -> Option<Vec<u8>> {
    let drawn = canvas.cells.iter().flatten().filter(|&&cell| cell != canvas.blank).count();
    let mut steps: Vec<(i32, i32)> =
        (0..canvas.height).flat_map(|rows| (1 - canvas.width..canvas.width).map(move |columns| (rows, columns))).collect();
    steps.retain(|&(rows, columns)| rows > 0 || columns > 0);
    steps.sort_by_key(|&(rows, columns)| rows * rows + columns * columns);
    let (rows, columns) = steps.into_iter().find(|&step| agreement(canvas, step).is_some_and(|agree| agree > 0 && agree * 3 >= drawn))?;
    let longest = canvas.height.max(canvas.width);
    let colour = |(row, column): (i32, i32)| {
        let away = (0..longest).flat_map(|times| [times, -times]);
        away.into_iter().find_map(|times| canvas.at(row + times * rows, column + times * columns)).unwrap_or(canvas.blank)
    };
    Some(canvas.places().map(colour).collect())
}

fn by_given(canvas: &Canvas, (rows, columns): (i32, i32)) -> Option<Vec<u8>> {
    if (rows, columns) == (0, 0) {
        return None;
    }
    let longest = canvas.height.max(canvas.width);
    let colour = |(row, column): (i32, i32)| {
        let drawn = (0..longest).find_map(|times| canvas.at(row - times * rows, column - times * columns));
        drawn.unwrap_or(canvas.blank)
    };
    Some(canvas.places().map(colour).collect())
}

/// Rings of one colour each, repeated by their shortest period.
fn in_rings(canvas: &Canvas) -> Option<Vec<u8>> {
    let is_drawn = |&(row, column): &(i32, i32)| canvas.at(row, column).is_some_and(|cell| cell != canvas.blank);
    let drawn: Vec<(i32, i32)> = canvas.places().filter(is_drawn).collect();
    let rows = || drawn.iter().map(|place| place.0);
    let columns = || drawn.iter().map(|place| place.1);
    let (top, bottom, left, right) = (rows().min()?, rows().max()?, columns().min()?, columns().max()?);
    // The sides of the box that may go on outside of the canvas.
    let at_edge = [top == 0, bottom == canvas.height - 1, left == 0, right == canvas.width - 1];
    let touching = at_edge.into_iter().enumerate().fold(0, |all, (side, is_there)| all | u8::from(is_there) << side);
    let ways = (0..15u8).rev().filter(|open| open & !touching == 0);
    ways.into_iter().find_map(|open| {
        let ring = |(row, column): (i32, i32)| {
            let inwards = [row - top, bottom - row, column - left, right - column];
            let closed = inwards.into_iter().enumerate().filter(|(side, _)| open >> side & 1 == 0);
            closed.map(|(_, inwards)| inwards).min().unwrap_or(0)
        };
        rings(canvas, ring)
    })
}

fn rings(canvas: &Canvas, ring: impl Fn((i32, i32)) -> i32) -> Option<Vec<u8>> {
    let last = canvas.places().filter(|&(row, column)| canvas.at(row, column).is_some()).map(&ring).max()?;
    let mut colours = vec![None; usize::try_from(last).ok()? + 1];
    let mut goes_on = false;
    for place in canvas.places() {
        let colour = usize::try_from(ring(place)).ok().and_then(|number| colours.get_mut(number));
        goes_on |= colour.is_none();
        let (Some(colour), Some(cell)) = (colour, canvas.at(place.0, place.1)) else { continue };
        if *colour.get_or_insert(cell) != cell {
            return None;
        }
    }
    let colours: Vec<u8> = colours.into_iter().collect::<Option<_>>()?;
    let count = colours.len();
    if !goes_on || colours.iter().all(|&colour| colour == colours[0]) {
        return None;
    }
    let period = (1..=count).find(|&period| (period..count).all(|k| colours[k] == colours[k - period]))?;
    Some(canvas.places().map(|place| colours[ring(place).rem_euclid(period as i32) as usize]).collect())
}

/// Rings from the edge inwards in reversed order; or colours in the order in which they appear from the edge, which change places.
/// `None` if a ring has two colours, two colours appear at once, or some cells are hidden.
fn in_shells(canvas: &Canvas, rotated: i32) -> Option<Vec<u8>> {
    let ring = |(row, column): (i32, i32)| row.min(canvas.height - 1 - row).min(column).min(canvas.width - 1 - column) as usize;
    let count = (canvas.height.min(canvas.width) as usize).div_ceil(2);
    if rotated == 0 {
        let mut colours = vec![None; count];
        for place in canvas.places() {
            let cell = canvas.at(place.0, place.1)?;
            if *colours[ring(place)].get_or_insert(cell) != cell {
                return None;
            }
        }
        return canvas.places().map(|place| colours[count - 1 - ring(place)]).collect();
    }
    let mut first = [None; COLOURS];
    for place in canvas.places() {
        let first = first[canvas.at(place.0, place.1)? as usize].get_or_insert(count);
        *first = ring(place).min(*first);
    }
    let mut order: Vec<(usize, u8)> = (0..COLOURS as u8).filter_map(|colour| Some((first[colour as usize]?, colour))).collect();
    order.sort_unstable();
    if order.len() < 2 || order.windows(2).any(|two| two[0].0 == two[1].0) {
        return None;
    }
    let mut to = [0; COLOURS];
    for (place, &(_, colour)) in order.iter().enumerate() {
        to[colour as usize] = order[(place as i32 - rotated).rem_euclid(order.len() as i32) as usize].1;
    }
    canvas.cells.iter().map(|cell| Some(to[(*cell)? as usize])).collect()
}
