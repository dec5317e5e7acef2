//! Objects, holes and background regions, panels, and lines: sets of cells with a box.

use std::cell::OnceCell;
use std::collections::HashMap;

use crate::COLOURS;
use crate::bits;
use crate::kinds;
use crate::panels::{Lines, Spans};
use crate::scene::{NONE, Scene};

/// The most items that an image may have.
const MOST_ITEMS: usize = 300;

/// The most equal parts of a side.
const MOST_PARTS: usize = 6;

kinds! {
    /// How cells are grouped.
    Mode {
        /// Cells of one colour but background, joined by sides.
        Sides,
        /// Cells of one colour but background, joined by sides or corners.
        Corners,
        /// Cells but background, joined by sides.
        AnySides,
        /// Cells but background, joined by sides or corners.
        AnyCorners,
        /// Background, joined by sides.
        Regions,
        /// Panels between lines of one colour.
        Panels,
        /// All cells of a colour but background.
        Colours,
        /// Each row.
        Rows,
        /// Each column.
        Columns,
        /// All cells but background, as one.
        Whole,
        /// Each cell but background.
        Cells,
    }
}

/// A set of cells with its box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The first row of its box.
    pub top: i32,
    /// The first column.
    pub left: i32,
    /// The rows of its box.
    pub height: i32,
    /// The columns.
    pub width: i32,
    /// The places of its cells in the image, ascending.
    pub cells: Vec<u16>,
    /// Its most common colour, of several the lowest; background only if it has no other.
    pub colour: u8,
    /// How often it has each colour.
    pub counts: [u16; COLOURS],
}

/// The items of an image in a mode.
#[derive(Debug)]
pub struct Segments {
    /// The items, by their first cell.
    pub items: Vec<Item>,
    /// For each cell its item, or none.
    pub labels: Vec<i16>,
    /// For panels: how many there are in a row of panels.
    pub across: usize,
    pub(crate) shapes: OnceCell<Vec<Shapes>>,
}

/// Rows and columns of cells.
type Places = Vec<(i32, i32)>;

/// Numbers for what an item looks like: equal numbers, equal looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shapes {
    /// The set of cells in the box.
    pub(crate) shape: u16,
    /// The same, whichever way it is turned or mirrored.
    pub(crate) turned: u16,
    /// The cells with their colours.
    pub(crate) look: u16,
    /// The symmetries that it has, a bit each, in the order of [`turn`].
    pub(crate) symmetries: u8,
}

/// A row and a column of a box under one of the eight symmetries: as it is, left-right, upside down, half turn, and those transposed.
pub fn turn(which: u8, (row, column): (i32, i32), (height, width): (i32, i32)) -> (i32, i32) {
    let (row, column) = match which & 3 {
        0 => (row, column),
        1 => (row, width - 1 - column),
        2 => (height - 1 - row, column),
        _ => (height - 1 - row, width - 1 - column),
    };
    if which & 4 == 0 { (row, column) } else { (column, row) }
}

impl Segments {
    pub(crate) fn of(scene: &Scene<'_>, mode: Mode) -> Option<Self> {
        let area = scene.area();
        let mut segments = Self { items: Vec::new(), labels: vec![NONE; area], across: 1, shapes: OnceCell::new() };
        let (_, width) = scene.size();
        match mode {
            Mode::Sides | Mode::Corners | Mode::AnySides | Mode::AnyCorners | Mode::Regions => segments.join(scene, mode)?,
            Mode::Panels => segments.panels(scene)?,
            Mode::Colours => {
                for colour in (0..COLOURS as u8).filter(|&colour| colour != scene.ground()) {
                    let cells = (0..area as u16).filter(|&place| scene.image().cells[place as usize] == colour).collect();
                    segments.add(scene, cells);
                }
            }
            Mode::Rows => {
                for row in scene_lines(scene, true) {
                    segments.add(scene, row);
                }
            }
            Mode::Columns => {
                for column in scene_lines(scene, false) {
                    segments.add(scene, column);
                }
                segments.across = width as usize;
            }
            Mode::Whole => {
                let cells = (0..area as u16).filter(|&place| scene.image().cells[place as usize] != scene.ground()).collect();
                segments.add(scene, cells);
            }
            Mode::Cells => {
                let filled = (0..area as u16).filter(|&place| scene.image().cells[place as usize] != scene.ground());
                if filled.clone().count() > MOST_ITEMS {
                    return None;
                }
                filled.for_each(|place| segments.add(scene, vec![place]));
            }
        }
        Some(segments)
    }

    /// Adds an item of these cells, if there are any.
    fn add(&mut self, scene: &Scene<'_>, cells: Vec<u16>) {
        let width = scene.size().1;
        let Some(&first) = cells.first() else { return };
        let (mut top, mut bottom) = (i32::from(first) / width, 0);
        let (mut left, mut right) = (i32::from(first) % width, 0);
        let mut counts = [0; COLOURS];
        for &place in &cells {
            let (row, column) = (i32::from(place) / width, i32::from(place) % width);
            (top, bottom) = (top.min(row), bottom.max(row));
            (left, right) = (left.min(column), right.max(column));
            counts[scene.image().cells[place as usize] as usize] += 1;
            self.labels[place as usize] = self.items.len() as i16;
        }
        let ground = scene.ground();
        let main = (0..COLOURS as u8).filter(|&colour| colour != ground).rev().max_by_key(|&colour| counts[colour as usize]);
        let colour = main.filter(|&colour| counts[colour as usize] > 0).unwrap_or(ground);
        self.items.push(Item { top, left, height: bottom - top + 1, width: right - left + 1, cells, colour, counts });
    }

    /// Adds all parts of the cells of a mode that are joined.
    fn join(&mut self, scene: &Scene<'_>, mode: Mode) -> Option<()> {
        let (image, ground) = (scene.image(), scene.ground());
        let (height, width) = (image.height(), image.width());
        let (mut wanted, mut plane) = (bits::NONE, bits::NONE);
        if mode == Mode::Regions {
            bits::colour_rows(image, ground, &mut wanted);
        } else {
            bits::other_rows(image, ground, &mut wanted);
        }
        let mut parts = bits::Parts::of(&wanted[..height], matches!(mode, Mode::Corners | Mode::AnyCorners));
        while let Some(first) = parts.first() {
            if self.items.len() == MOST_ITEMS {
                return None;
            }
            let frame = if matches!(mode, Mode::Sides | Mode::Corners) {
                bits::colour_rows(image, image.at(first.0, first.1), &mut plane);
                parts.take(first, &plane)
            } else {
                parts.take(first, &wanted)
            };
            let mut cells = Vec::new();
            for row in bits::span(frame) {
                bits::each(parts.taken()[row], |column| cells.push((row * width + column) as u16));
            }
            self.add(scene, cells);
        }
        Some(())
    }

    fn panels(&mut self, scene: &Scene<'_>) -> Option<()> {
        let (image, ground) = (scene.image(), scene.ground());
        let width = image.width();
        let lines = Lines::of(image);
        let counts = lines.counts();
        let separator = (0..COLOURS as u8).filter(|&colour| colour != ground).max_by_key(|&colour| counts[colour as usize])?;
        let separated = if counts[separator as usize] > 0 { lines.panels(separator) } else { None };
        let (rows, columns) = separated.or_else(|| equal_parts(&lines, ground))?;
        if rows.len() * columns.len() > MOST_ITEMS {
            return None;
        }
        for &(top, bottom) in &rows {
            for &(left, right) in &columns {
                let cells = (top..bottom).flat_map(|i| (left..right).map(move |j| (i * width + j) as u16)).collect();
                self.add(scene, cells);
            }
        }
        self.across = columns.len();
        Some(())
    }

    /// Shape classes of the items.
    pub(crate) fn shapes(&self, scene: &Scene<'_>) -> &[Shapes] {
        self.shapes.get_or_init(|| {
            let mut shapes: HashMap<Places, u16> = HashMap::new();
            let mut turned: HashMap<Places, u16> = HashMap::new();
            let mut looks: HashMap<(Places, Vec<u8>), u16> = HashMap::new();
            let width = scene.size().1;
            let mut all = Vec::with_capacity(self.items.len());
            for item in &self.items {
                let size = (item.height, item.width);
                let place = |&cell: &u16| (i32::from(cell) / width - item.top, i32::from(cell) % width - item.left);
                let cells: Vec<(i32, i32)> = item.cells.iter().map(place).collect();
                let colours: Vec<u8> = item.cells.iter().map(|&cell| scene.image().cells[cell as usize]).collect();
                let mut smallest: Option<Vec<(i32, i32)>> = None;
                let mut symmetries = 0;
                for which in 0..8 {
                    let mut form: Vec<(i32, i32)> = cells.iter().map(|&cell| turn(which, cell, size)).collect();
                    form.sort_unstable();
                    symmetries |= u8::from(form == cells) << which;
                    if smallest.as_ref().is_none_or(|smallest| form < *smallest) {
                        smallest = Some(form);
                    }
                }
                let (next_shape, next_turned, next_look) = (shapes.len() as u16, turned.len() as u16, looks.len() as u16);
                all.push(Shapes {
                    shape: *shapes.entry(cells.clone()).or_insert(next_shape),
                    turned: *turned.entry(smallest.unwrap_or_default()).or_insert(next_turned),
                    look: *looks.entry((cells, colours)).or_insert(next_look),
                    symmetries,
                });
            }
            all
        })
    }
}

fn scene_lines(scene: &Scene<'_>, rows: bool) -> Vec<Vec<u16>> {
    let (height, width) = scene.size();
    let (lines, length) = if rows { (height, width) } else { (width, height) };
    let place = |line: i32, k: i32| if rows { line * width + k } else { k * width + line };
    (0..lines).map(|line| (0..length).map(|k| place(line, k) as u16).collect()).collect()
}

/// Equal parts without lines of a colour of their own: as many as lines of background divide, or squares of the shorter side.
fn equal_parts(lines: &Lines, ground: u8) -> Option<(Spans, Spans)> {
    let parts = |lines: &[Option<u8>]| {
        let length = lines.len();
        (1..=MOST_PARTS).rev().find(|&parts| {
            let side = (length + 1) / parts;
            let is_divided = || (1..parts).all(|part| lines[part * side - 1] == Some(ground));
            parts == 1 || ((length + 1).is_multiple_of(parts) && side > 2 && is_divided())
        })
    };
    let at = |parts: usize, side: usize, gap: usize| (0..parts).map(|part| (part * (side + gap), part * (side + gap) + side)).collect();
    let (height, width) = (lines.rows.len(), lines.columns.len());
    let (rows, columns) = (parts(&lines.rows)?, parts(&lines.columns)?);
    if rows * columns > 1 {
        return Some((at(rows, (height + 1) / rows - 1, 1), at(columns, (width + 1) / columns - 1, 1)));
    }
    let side = height.min(width);
    let is_divided = side > 1 && height != width && height.is_multiple_of(side) && width.is_multiple_of(side);
    is_divided.then(|| (at(height / side, side, 0), at(width / side, side, 0)))
}
