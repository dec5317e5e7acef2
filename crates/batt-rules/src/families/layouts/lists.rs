//! Drawings: objects as a list that is filtered and sorted, then drawn as a run of cells, bars, a staircase or a diagonal.

use batt_vision::roles::is_role;
use batt_vision::{COLOURS, Ground, Image, Item, MAX_SIDE, Mode, Scene, kinds};

/// An item of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Thing {
    /// Its main colour.
    pub colour: u8,
    /// The first of the objects that it is.
    pub item: usize,
    /// Whether all cells of its box are its own.
    pub is_solid: bool,
    /// The value of each [`Key`].
    pub measures: [i32; Key::COUNT],
}

kinds! {
    /// What an item of a list is measured by.
    Key {
        /// Its place in reading order.
        Order,
        /// The number of its cells.
        Cells,
        /// Its rows.
        Rows,
        /// Its columns.
        Columns,
        /// Its first column.
        Left,
        /// Its first row.
        Top,
        /// The number of its colour.
        Colour,
        /// The number of items of its colour.
        Alike,
    }
}

kinds! {
    /// Which items of a colour are listed.
    Which {
        /// All items.
        All,
        /// Items with the most cells.
        Most,
        /// Items with the fewest cells.
        Fewest,
        /// Items of more than one cell.
        Several,
        /// Items that fill their box.
        Solid,
        /// Items that do not fill their box.
        Hollow,
        /// Items whose colour no other item has.
        Alone,
    }
}

kinds! {
    /// How many cells are drawn for an item.
    Length {
        /// One cell.
        One,
        /// As many as it has cells.
        Cells,
        /// As many as it has rows.
        Rows,
        /// As many as it has columns.
        Columns,
        /// The whole side of the canvas.
        Side,
        /// Its place in the list, from 1.
        Place,
    }
}

kinds! {
    /// How a list is drawn.
    Style {
        /// A run of cells, row by row.
        Rows,
        /// The same, with every second row from right to left.
        RowsAndBack,
        /// A run of cells, column by column.
        Columns,
        /// The same, with every second column upwards.
        ColumnsAndBack,
        /// A run of cells along the diagonal.
        Diagonal,
        /// A run of cells along the other diagonal.
        OtherDiagonal,
        /// Bars to the right.
        BarsRight,
        /// Bars to the left.
        BarsLeft,
        /// Bars down.
        BarsDown,
        /// Bars up.
        BarsUp,
        /// The objects themselves, from above to below.
        StackDown,
        /// The objects themselves, from left to right.
        StackRight,
    }
}

impl Style {
    /// Whether it draws a bar for each item.
    pub(crate) const fn is_bars(self) -> bool {
        matches!(self, Self::BarsRight | Self::BarsLeft | Self::BarsDown | Self::BarsUp)
    }

    /// Whether it draws the objects themselves.
    pub(crate) const fn is_stack(self) -> bool {
        matches!(self, Self::StackDown | Self::StackRight)
    }
}

/// Which items are listed, and in which order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Listing {
    /// How cells are joined.
    pub mode: Mode,
    /// Whether items of one colour are one item, of as many cells as there were items.
    pub merged: bool,
    /// The colour of the items or its role, 10 for any; 60 more than a colour for any but that.
    pub colour: u8,
    /// Which of these.
    pub which: Which,
    /// Sort key.
    pub key: Key,
    /// Whether the largest comes first.
    pub descending: bool,
}

/// How a list is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Drawing {
    /// How many cells of an item.
    pub length: Length,
    /// Where they are drawn.
    pub style: Style,
    /// Rows of the canvas, 0 for as many as needed.
    pub height: u8,
    /// Columns.
    pub width: u8,
    /// The colour or its role, 10 for that of the item.
    pub paint: u8,
}

/// Any colour, or that of the item.
const ANY: u8 = 10;
/// Offset from a colour to the number that stands for any other colour.
pub(crate) const OTHER: u8 = 60;

impl Thing {
    const fn measure(&self, key: Key) -> i32 {
        self.measures[key as usize]
    }
}

impl Listing {
    /// From five numbers.
    pub(crate) fn from_numbers([mode, colour, which, key, descending]: [i64; 5]) -> Option<Self> {
        let small = |number: i64, most: u8| u8::try_from(number).ok().filter(|&number| number <= most);
        Some(Self {
            mode: Mode::from_number(mode.rem_euclid(10))?,
            merged: small(mode.div_euclid(10), 1)? == 1,
            colour: small(colour, u8::MAX)
                .filter(|&colour| colour <= ANY || is_role(colour) || (OTHER..OTHER + COLOURS as u8).contains(&colour))?,
            which: Which::from_number(which)?,
            key: Key::from_number(key)?,
            descending: small(descending, 1)? == 1,
        })
    }

    /// The parameters as numbers.
    pub(crate) const fn numbers(self) -> [u8; 5] {
        [self.mode as u8 + 10 * self.merged as u8, self.colour, self.which as u8, self.key as u8, self.descending as u8]
    }

    /// All items in its mode.
    pub(crate) fn things(self, scene: &Scene<'_>) -> Option<Vec<Thing>> {
        let ground = scene.ground();
        let items = &scene.segments(self.mode)?.items;
        let mut things: Vec<Thing> = Vec::new();
        for (number, item) in items.iter().enumerate() {
            let drawn = item.cells.len() as i32 - if self.mode == Mode::Regions { 0 } else { i32::from(item.counts[ground as usize]) };
            let same = things.iter_mut().find(|thing| thing.colour == item.colour);
            if let Some(thing) = same.filter(|_| self.merged) {
                thing.measures[Key::Cells as usize] += 1;
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
            thing.measures[Key::Alike as usize] = alike[thing.colour as usize];
        }
        Some(things)
    }

    /// Those of the items that are listed.
    pub(crate) fn chosen(self, things: &[Thing]) -> Vec<Thing> {
        let of_colour = |thing: &&Thing| match self.colour {
            ANY => true,
            OTHER.. => thing.colour != self.colour - OTHER,
            colour => thing.colour == colour,
        };
        let cells = |thing: &Thing| thing.measure(Key::Cells);
        let coloured: Vec<Thing> = things.iter().filter(of_colour).copied().collect();
        let most = coloured.iter().map(cells).max().unwrap_or(0);
        let fewest = coloured.iter().map(cells).min().unwrap_or(0);
        let is_listed = |thing: &Thing| match self.which {
            Which::All => true,
            Which::Most => cells(thing) == most,
            Which::Fewest => cells(thing) == fewest,
            Which::Several => cells(thing) > 1,
            Which::Solid => thing.is_solid,
            Which::Hollow => !thing.is_solid,
            Which::Alone => thing.measure(Key::Alike) == 1,
        };
        coloured.into_iter().filter(is_listed).collect()
    }

    /// Sorts items; equal ones stay in reading order.
    pub(crate) fn sort(self, things: &mut [Thing]) {
        let sign = if self.descending { -1 } else { 1 };
        things.sort_by_key(|thing| (sign * thing.measure(self.key), thing.measure(Key::Order)));
    }
}

impl Drawing {
    /// From five numbers.
    pub(crate) fn from_numbers([length, style, height, width, paint]: [i64; 5]) -> Option<Self> {
        let small = |number: i64, most: u8| u8::try_from(number).ok().filter(|&number| number <= most);
        let side = |number: i64| small(number, MAX_SIDE as u8);
        Some(Self {
            length: Length::from_number(length)?,
            style: Style::from_number(style)?,
            height: side(height)?,
            width: side(width)?,
            paint: small(paint, u8::MAX).filter(|&paint| paint <= ANY || is_role(paint))?,
        })
    }

    /// The parameters as numbers.
    pub(crate) const fn numbers(self) -> [u8; 5] {
        [self.length as u8, self.style as u8, self.height, self.width, self.paint]
    }

    /// Replaces a colour role by its colour in a scene; `None` if no colour has the role.
    fn in_scene(self, scene: &Scene<'_>) -> Option<Self> {
        let paint = if is_role(self.paint) { scene.colour_argument(self.paint.into())? } else { self.paint };
        Some(Self { paint, ..self })
    }

    /// The length of the item at a place of the list, 0 for all that there is.
    pub(crate) fn length_of(self, thing: &Thing, place: usize) -> usize {
        match self.length {
            Length::One => 1,
            Length::Cells => thing.measure(Key::Cells) as usize,
            Length::Rows => thing.measure(Key::Rows) as usize,
            Length::Columns => thing.measure(Key::Columns) as usize,
            Length::Side => 0,
            Length::Place => place + 1,
        }
    }

    /// Rows and columns of the canvas for as many items, the longest of some length, all together of some length.
    fn size(self, count: usize, longest: usize, total: usize) -> (usize, usize) {
        let (height, width) = match self.style {
            Style::Rows | Style::RowsAndBack => (1, total),
            Style::Columns | Style::ColumnsAndBack => (total, 1),
            Style::Diagonal | Style::OtherDiagonal => (total, total),
            Style::BarsRight | Style::BarsLeft => (count, longest),
            _ => (longest, count),
        };
        let given = |side: u8, read: usize| if side == 0 { read } else { usize::from(side) };
        (given(self.height, height), given(self.width, width))
    }

    /// The objects themselves, one beside the other.
    fn stack(self, things: &[Thing], scene: &Scene<'_>, mode: Mode) -> Option<(usize, usize, Vec<u8>)> {
        let all = &scene.segments(mode)?.items;
        let items: Vec<&Item> = things.iter().map(|thing| all.get(thing.item)).collect::<Option<_>>()?;
        let is_down = self.style == Style::StackDown;
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
    pub(crate) fn of(self, things: &[Thing], scene: &Scene<'_>, mode: Mode) -> Option<(usize, usize, Vec<u8>)> {
        let drawing = self.in_scene(scene)?;
        if self.style.is_stack() {
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
            let is_upright = matches!(self.style, Style::BarsDown | Style::BarsUp);
            let (across, along) = if is_upright { (width, height) } else { (height, width) };
            let length = if self.length == Length::Side { along } else { length };
            if self.style.is_bars() && (place >= across || length > along) {
                return None;
            }
            for k in 0..length {
                let (row, column) = match self.style {
                    Style::Diagonal => (done, done),
                    Style::OtherDiagonal => (done, width.checked_sub(done + 1)?),
                    Style::BarsRight => (place, k),
                    Style::BarsLeft => (place, width - 1 - k),
                    Style::BarsDown => (k, place),
                    Style::BarsUp => (height - 1 - k, place),
                    style => snake(style, done, (height, width)),
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

/// The place of a cell of a run in rows or columns.
fn snake(style: Style, number: usize, (height, width): (usize, usize)) -> (usize, usize) {
    let in_rows = matches!(style, Style::Rows | Style::RowsAndBack);
    let side = if in_rows { width } else { height };
    let (line, k) = (number / side, number % side);
    let is_back = matches!(style, Style::RowsAndBack | Style::ColumnsAndBack) && line % 2 == 1;
    let k = if is_back { side - 1 - k } else { k };
    if in_rows { (line, k) } else { (k, line) }
}

/// The drawing of a list of objects.
pub(crate) fn draw_rule(image: Image<'_>, ground: Ground, listing: Listing, drawing: Drawing) -> Option<(usize, usize, Vec<u8>)> {
    let scene = Scene::new(image, ground);
    let colour = if is_role(listing.colour) { scene.colour_argument(listing.colour.into())? } else { listing.colour };
    let listing = Listing { colour, ..listing };
    let mut things = listing.chosen(&listing.things(&scene)?);
    listing.sort(&mut things);
    drawing.of(&things, &scene, listing.mode)
}
