//! Drawings: objects as a list that is filtered and sorted, then drawn as a run of cells, bars, a staircase or a diagonal.

use batt_image::{COLOURS, Image, MAX_SIDE};

use crate::roles::is_role;
use crate::scene::{Ground, Scene};
use crate::segments::{Item, Mode};

/// An item of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thing {
    /// Its main colour.
    pub colour: u8,
    /// The first of the objects that it is.
    pub item: usize,
    /// Whether all cells of its box are its own.
    pub is_solid: bool,
    /// Place in reading order, cells, rows, columns, first column, first row, colour, items of the same colour.
    pub measures: [i32; MEASURES],
}

/// The number of measures of a [`Thing`].
pub const MEASURES: usize = 8;
const CELLS: usize = 1;
const ALIKE: usize = 7;

/// Which items are listed, and in which order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Listing {
    /// How cells are joined.
    pub mode: Mode,
    /// Whether items of one colour are one item, of as many cells as there were items.
    pub merged: bool,
    /// The colour of the items or its role, 10 for any; 60 more than a colour for any but that.
    pub colour: u8,
    /// Which of these: all (0), of most (1) or fewest (2) cells, of more than one (3), solid (4) or not (5), alone in their colour (6), of a
    /// number of cells, 10 less (11 and more).
    pub which: u8,
    /// The measure that they are sorted by.
    pub key: u8,
    /// Whether the largest comes first.
    pub descending: bool,
}

/// How a list is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Drawing {
    /// The length of an item: one (0), its cells, rows or columns (1 to 3), all that there is (4), its place in the list (5).
    pub length: u8,
    /// Cells one after the other in rows (0), in rows there and back (1), in columns (2), in columns there and back (3); along the diagonal
    /// (4) or the other one (5); bars to the right (6), to the left (7), down (8), up (9); the objects themselves, from above to below (10) or
    /// from left to right (11).
    pub style: u8,
    /// Rows of the canvas, 0 for as many as needed.
    pub height: u8,
    /// Columns.
    pub width: u8,
    /// The colour or its role, 10 for that of the item.
    pub paint: u8,
}

/// Any colour, or that of the item.
const ANY: u8 = 10;
/// What a colour is less than the number that stands for any other one.
pub const OTHER: u8 = 60;

/// The number of lengths.
pub const LENGTHS: u8 = 6;
/// The number of styles.
pub const STYLES: u8 = 12;
/// The first style that draws the objects themselves.
pub const STACKS: u8 = 10;

impl Listing {
    /// From five numbers.
    pub fn from_numbers([mode, colour, which, key, descending]: [i64; 5]) -> Option<Self> {
        let small = |number: i64, most: u8| u8::try_from(number).ok().filter(|&number| number <= most);
        Some(Self {
            mode: Mode::from_number(mode.rem_euclid(10))?,
            merged: small(mode.div_euclid(10), 1)? == 1,
            colour: small(colour, u8::MAX)
                .filter(|&colour| colour <= ANY || is_role(colour) || (OTHER..OTHER + COLOURS as u8).contains(&colour))?,
            which: small(which, 250)?,
            key: small(key, MEASURES as u8 - 1)?,
            descending: small(descending, 1)? == 1,
        })
    }

    /// The same numbers.
    pub const fn numbers(self) -> [u8; 5] {
        [self.mode as u8 + 10 * self.merged as u8, self.colour, self.which, self.key, self.descending as u8]
    }

    /// All items in its mode.
    pub fn things(self, scene: &Scene<'_>) -> Option<Vec<Thing>> {
        let ground = scene.ground();
        let items = &scene.segments(self.mode)?.items;
        let mut things: Vec<Thing> = Vec::new();
        for (number, item) in items.iter().enumerate() {
            let drawn = item.cells.len() as i32 - if self.mode == Mode::Regions { 0 } else { i32::from(item.counts[ground as usize]) };
            let same = things.iter_mut().find(|thing| thing.colour == item.colour);
            if let Some(thing) = same.filter(|_| self.merged) {
                thing.measures[CELLS] += 1;
                continue;
            }
            let cells = if self.merged { 1 } else { drawn };
            let measures = [things.len() as i32, cells, item.height, item.width, item.left, item.top, i32::from(item.colour), 1];
            things.push(Thing { colour: item.colour, item: number, is_solid: drawn == item.height * item.width, measures });
        }
        let mut alike = [0; COLOURS];
        for thing in &things {
            alike[thing.colour as usize] += 1;
        }
        for thing in &mut things {
            thing.measures[ALIKE] = alike[thing.colour as usize];
        }
        Some(things)
    }

    /// Those of the items that are listed.
    pub fn chosen(self, things: &[Thing]) -> Vec<Thing> {
        let of_colour = |thing: &&Thing| match self.colour {
            ANY => true,
            OTHER.. => thing.colour != self.colour - OTHER,
            colour => thing.colour == colour,
        };
        let cells = |thing: &Thing| thing.measures[CELLS];
        let coloured: Vec<Thing> = things.iter().filter(of_colour).copied().collect();
        let most = coloured.iter().map(cells).max().unwrap_or(0);
        let fewest = coloured.iter().map(cells).min().unwrap_or(0);
        let is_listed = |thing: &Thing| match self.which {
            0 => true,
            1 => cells(thing) == most,
            2 => cells(thing) == fewest,
            3 => cells(thing) > 1,
            4 => thing.is_solid,
            5 => !thing.is_solid,
            6 => thing.measures[ALIKE] == 1,
            number => cells(thing) == i32::from(number) - 10,
        };
        coloured.into_iter().filter(is_listed).collect()
    }

    /// Sorts items; equal ones stay in reading order.
    pub fn sort(self, things: &mut [Thing]) {
        let key = |thing: &Thing| thing.measures.get(self.key as usize).copied().unwrap_or(0);
        things.sort_by_key(|thing| (if self.descending { -key(thing) } else { key(thing) }, thing.measures[0]));
    }
}

impl Drawing {
    /// From five numbers.
    pub fn from_numbers([length, style, height, width, paint]: [i64; 5]) -> Option<Self> {
        let small = |number: i64, most: u8| u8::try_from(number).ok().filter(|&number| number <= most);
        let side = |number: i64| small(number, MAX_SIDE as u8);
        let (length, style) = (small(length, LENGTHS - 1)?, small(style, STYLES - 1)?);
        Some(Self {
            length,
            style,
            height: side(height)?,
            width: side(width)?,
            paint: small(paint, u8::MAX).filter(|&paint| paint <= ANY || is_role(paint))?,
        })
    }

    /// The same numbers.
    pub const fn numbers(self) -> [u8; 5] {
        [self.length, self.style, self.height, self.width, self.paint]
    }

    /// The same with the colour that has its role in a scene; `None` if nobody has it.
    fn in_scene(self, scene: &Scene<'_>) -> Option<Self> {
        let paint = if is_role(self.paint) { scene.colour_argument(self.paint.into())? } else { self.paint };
        Some(Self { paint, ..self })
    }

    /// The length of the item at a place of the list, 0 for all that there is.
    pub fn length_of(self, thing: &Thing, place: usize) -> usize {
        match self.length {
            0 => 1,
            measure @ 1..=3 => usize::try_from(thing.measures[measure as usize]).unwrap_or(0),
            4 => 0,
            _ => place + 1,
        }
    }

    /// Rows and columns of the canvas for as many items, the longest of some length, all together of some length.
    fn size(self, count: usize, longest: usize, total: usize) -> (usize, usize) {
        let (height, width) = match self.style {
            0 | 1 => (1, total),
            2 | 3 => (total, 1),
            4 | 5 => (total, total),
            6 | 7 => (count, longest),
            _ => (longest, count),
        };
        let given = |side: u8, read: usize| if side == 0 { read } else { usize::from(side) };
        (given(self.height, height), given(self.width, width))
    }

    /// The objects themselves, one beside the other.
    fn stack(self, things: &[Thing], scene: &Scene<'_>, mode: Mode) -> Option<(usize, usize, Vec<u8>)> {
        let all = &scene.segments(mode)?.items;
        let items: Vec<&Item> = things.iter().map(|thing| all.get(thing.item)).collect::<Option<_>>()?;
        let is_down = self.style == STACKS;
        let (heights, widths) = (|| items.iter().map(|item| item.height as usize), || items.iter().map(|item| item.width as usize));
        let read = if is_down { (heights().sum(), widths().max()?) } else { (heights().max()?, widths().sum()) };
        let given = |side: u8, read: usize| if side == 0 { read } else { usize::from(side) };
        let (height, width) = (given(self.height, read.0), given(self.width, read.1));
        if height > MAX_SIDE || width > MAX_SIDE || height < read.0 || width < read.1 {
            return None;
        }
        let mut cells = vec![scene.ground(); height * width];
        let mut start = 0;
        for item in items {
            let from = if is_down { (start, 0) } else { (0, start) };
            let across = scene.size().1;
            for &place in &item.cells {
                let (row, column) = (i32::from(place) / across - item.top, i32::from(place) % across - item.left);
                let colour = if self.paint == ANY { scene.image().cells[usize::from(place)] } else { self.paint };
                cells[(row as usize + from.0) * width + column as usize + from.1] = colour;
            }
            start += if is_down { item.height } else { item.width } as usize;
        }
        Some((height, width, cells))
    }

    /// The drawing of a sorted list. `None` if there is nothing to draw or it does not fit on the canvas.
    pub fn of(self, things: &[Thing], scene: &Scene<'_>, mode: Mode) -> Option<(usize, usize, Vec<u8>)> {
        let drawing = self.in_scene(scene)?;
        if self.style >= STACKS {
            return drawing.stack(things, scene, mode);
        }
        let ground = scene.ground();
        let lengths: Vec<usize> = things.iter().enumerate().map(|(place, thing)| self.length_of(thing, place)).collect();
        let (longest, total) = (lengths.iter().copied().max()?, lengths.iter().sum());
        let (height, width) = self.size(things.len(), longest, total);
        if height == 0 || width == 0 || height > MAX_SIDE || width > MAX_SIDE {
            return None;
        }
        let mut cells = vec![ground; height * width];
        let mut done = 0;
        for (place, (thing, &length)) in things.iter().zip(&lengths).enumerate() {
            let colour = if drawing.paint == ANY { thing.colour } else { drawing.paint };
            let (across, along) = if self.style < 8 { (height, width) } else { (width, height) };
            let is_bar = self.style >= 6;
            let length = if self.length == 4 { along } else { length };
            if is_bar && (place >= across || length > along) {
                return None;
            }
            for k in 0..length {
                let (row, column) = match self.style {
                    0..=3 => snake(self.style, done, (height, width)),
                    4 => (done, done),
                    5 => (done, width.checked_sub(done + 1)?),
                    6 => (place, k),
                    7 => (place, width - 1 - k),
                    8 => (k, place),
                    _ => (height - 1 - k, place),
                };
                if row >= height || column >= width {
                    return None;
                }
                cells[row * width + column] = colour;
                done += 1;
            }
        }
        Some((height, width, cells))
    }
}

/// The place of a cell of a run: in rows (0), there and back (1), in columns (2), there and back (3).
fn snake(style: u8, number: usize, (height, width): (usize, usize)) -> (usize, usize) {
    let side = if style < 2 { width } else { height };
    let (line, k) = (number / side, number % side);
    let k = if style % 2 == 1 && line % 2 == 1 { side - 1 - k } else { k };
    if style < 2 { (line, k) } else { (k, line) }
}

/// The drawing of a list of objects.
pub fn draw_rule(image: Image<'_>, ground: Ground, listing: Listing, drawing: Drawing) -> Option<(usize, usize, Vec<u8>)> {
    let scene = Scene::new(image, ground);
    let colour = if is_role(listing.colour) { scene.colour_argument(listing.colour.into())? } else { listing.colour };
    let listing = Listing { colour, ..listing };
    let mut things = listing.chosen(&listing.things(&scene)?);
    listing.sort(&mut things);
    drawing.of(&things, &scene, listing.mode)
}
