//! An image with its background, and what is computed of it once.

use std::cell::OnceCell;

use crate::operations::colours::ground;
use crate::roles::{NUMBER_ROLES, Role, colour_roles, number_roles};
use crate::segments::{Mode, Segments};
use crate::{COLOURS, Exchange, Image};

/// The value of a feature where there is none.
pub const NONE: i16 = -1;

/// A feature's values, one for each cell or item.
pub type Plane = Vec<i16>;

/// A feature by its kind, which is a number of `CellKind` or `ItemKind`, and what the kind asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Feature {
    /// The kind.
    pub kind: u8,
    /// Its first argument.
    pub a: i8,
    /// Its second argument.
    pub b: i8,
}

/// Definition of background.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ground {
    /// A colour.
    Colour(u8),
    /// The most common colour of the image.
    MostCommon,
}

impl Ground {
    /// From a number: a colour, or ten for the most common one.
    pub fn from_number(number: i64) -> Option<Self> {
        match u8::try_from(number).ok()? {
            colour if (colour as usize) < COLOURS => Some(Self::Colour(colour)),
            10 => Some(Self::MostCommon),
            _ => None,
        }
    }

    /// The number that `from_number` takes.
    pub const fn number(self) -> u8 {
        match self {
            Self::Colour(colour) => colour,
            Self::MostCommon => 10,
        }
    }

    /// The background of an image.
    pub fn of(self, image: Image<'_>) -> u8 {
        match self {
            Self::Colour(colour) => colour,
            Self::MostCommon => ground(image),
        }
    }
}

/// An image with its background and its objects.
pub struct Scene<'a> {
    image: Image<'a>,
    ground: u8,
    grounded: OnceCell<Vec<u8>>,
    counts: [u32; COLOURS],
    segments: [OnceCell<Option<Segments>>; Mode::COUNT],
    rays: OnceCell<Vec<[Hit; 8]>>,
    nearest: [OnceCell<Vec<(i16, i16)>>; 2],
    boxes: [OnceCell<Option<Vec<i16>>>; Mode::COUNT],
    colour_roles: OnceCell<[i16; Role::COLOURS]>,
    number_roles: OnceCell<[i16; NUMBER_ROLES]>,
}

/// First hit of a ray: the colour and the distance, or [`NONE`] for both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    pub(crate) colour: i16,
    pub(crate) distance: i16,
}

/// The eight directions: sides first, then corners; a direction and its opposite are neighbours in the list.
pub const DIRECTIONS: [(i32, i32); 8] = [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, 1), (-1, 1), (1, -1)];

impl<'a> Scene<'a> {
    /// A scene of an image.
    pub fn new(image: Image<'a>, ground: Ground) -> Self {
        Self {
            image,
            ground: ground.of(image),
            grounded: OnceCell::new(),
            counts: image.counts(),
            segments: [const { OnceCell::new() }; Mode::COUNT],
            rays: OnceCell::new(),
            nearest: [const { OnceCell::new() }; 2],
            boxes: [const { OnceCell::new() }; Mode::COUNT],
            colour_roles: OnceCell::new(),
            number_roles: OnceCell::new(),
        }
    }

    /// The image.
    pub fn image(&self) -> Image<'a> {
        self.image
    }

    /// The background's colour.
    pub fn ground(&self) -> u8 {
        self.ground
    }

    /// Its background and 0, exchanged.
    pub(crate) fn exchange(&self) -> Exchange {
        Exchange::of_ground(self.ground)
    }

    /// The image with 0 as background, as operations take it.
    pub(crate) fn grounded(&self) -> Image<'_> {
        if self.ground == 0 {
            return self.image;
        }
        let exchanged = || self.image.cells.iter().map(|&cell| self.exchange().of(cell)).collect();
        Image { frame: self.image.frame, cells: self.grounded.get_or_init(exchanged) }
    }

    /// How often each colour occurs.
    pub fn counts(&self) -> &[u32; COLOURS] {
        &self.counts
    }

    /// Rows and columns.
    pub fn size(&self) -> (i32, i32) {
        (i32::from(self.image.frame.height), i32::from(self.image.frame.width))
    }

    /// The number of cells.
    pub fn area(&self) -> usize {
        self.image.cells.len()
    }

    /// The colour at a place, or [`NONE`] outside.
    pub fn at(&self, row: i32, column: i32) -> i16 {
        let (height, width) = self.size();
        let inside = (0..height).contains(&row) && (0..width).contains(&column);
        if inside { i16::from(self.image.cells[(row * width + column) as usize]) } else { NONE }
    }

    /// The colour but background that occurs most (of several the lowest), or least; [`NONE`] if there is no other.
    pub(crate) fn colour_by_count(&self, most: bool) -> i16 {
        let there = (0..COLOURS).filter(|&colour| colour != self.ground as usize && self.counts[colour] > 0);
        let best =
            if most { there.rev().max_by_key(|&colour| self.counts[colour]) } else { there.min_by_key(|&colour| self.counts[colour]) };
        best.map_or(NONE, |colour| colour as i16)
    }

    /// The colour but background that occurs most, of several the lowest.
    pub fn main_colour(&self) -> Option<u8> {
        u8::try_from(self.colour_by_count(true)).ok()
    }

    /// The values of the roles that are colours.
    pub(crate) fn colour_roles(&self) -> &[i16; Role::COLOURS] {
        self.colour_roles.get_or_init(|| colour_roles(self))
    }

    /// The values of the roles that are numbers.
    pub(crate) fn number_roles(&self) -> &[i16; NUMBER_ROLES] {
        self.number_roles.get_or_init(|| number_roles(self))
    }

    /// Its objects in a mode; `None` where there are too many.
    pub fn segments(&self, mode: Mode) -> Option<&Segments> {
        self.segments[mode as usize].get_or_init(|| Segments::of(self, mode)).as_ref()
    }

    /// First hits of the eight rays from each cell: cells that are not background.
    pub(crate) fn rays(&self) -> &[[Hit; 8]] {
        self.rays.get_or_init(|| {
            let (height, width) = self.size();
            let mut rays = vec![[Hit { colour: NONE, distance: NONE }; 8]; self.area()];
            for (way, (rows, columns)) in DIRECTIONS.into_iter().enumerate() {
                // The cell that a ray comes to next is done before.
                for place in 0..height * width {
                    let place = if rows > 0 || (rows == 0 && columns > 0) { height * width - 1 - place } else { place };
                    let (row, column) = (place / width + rows, place % width + columns);
                    let colour = self.at(row, column);
                    let hit = if colour == NONE {
                        Hit { colour: NONE, distance: NONE }
                    } else if colour != i16::from(self.ground) {
                        Hit { colour, distance: 1 }
                    } else {
                        let next = rays[(row * width + column) as usize][way];
                        Hit { colour: next.colour, distance: if next.distance == NONE { NONE } else { next.distance + 1 } }
                    };
                    rays[place as usize][way] = hit;
                }
            }
            rays
        })
    }

    /// For each cell the colour of the nearest cell that is not background and its distance, by steps to the side or, where `corners`, in all
    /// eight directions. Background in the middle between two colours has no colour.
    pub(crate) fn nearest(&self, corners: bool) -> &[(i16, i16)] {
        self.nearest[usize::from(corners)].get_or_init(|| {
            let (height, width) = self.size();
            let ways = if corners { 8 } else { 4 };
            let mut found = vec![(NONE, NONE); self.area()];
            let mut front: Vec<i32> = Vec::new();
            for (place, &cell) in self.image.cells.iter().enumerate() {
                if cell != self.ground {
                    found[place] = (i16::from(cell), 0);
                    front.push(place as i32);
                }
            }
            let mut distance = 0;
            while !front.is_empty() {
                distance += 1;
                let mut next = Vec::new();
                for &place in &front {
                    let colour = found[place as usize].0;
                    for (rows, columns) in &DIRECTIONS[..ways] {
                        let (row, column) = (place / width + rows, place % width + columns);
                        if !(0..height).contains(&row) || !(0..width).contains(&column) {
                            continue;
                        }
                        let there = &mut found[(row * width + column) as usize];
                        if there.1 == NONE {
                            *there = (colour, distance);
                            next.push(row * width + column);
                        } else if there.1 == distance && there.0 != colour {
                            there.0 = NONE;
                        }
                    }
                }
                front = next;
            }
            found
        })
    }

    /// For each cell the number of steps to the nearest cell of a colour: to the side or, where `corners`, in all eight directions.
    pub(crate) fn distance_to(&self, colour: u8, corners: bool) -> Plane {
        let (height, width) = self.size();
        let ways = if corners { 8 } else { 4 };
        let mut found = vec![NONE; self.area()];
        let mut queue: Vec<i32> = Vec::new();
        for (place, &cell) in self.image.cells.iter().enumerate() {
            if cell == colour {
                found[place] = 0;
                queue.push(place as i32);
            }
        }
        let mut next = 0;
        while let Some(&place) = queue.get(next) {
            next += 1;
            for (rows, columns) in &DIRECTIONS[..ways] {
                let (row, column) = (place / width + rows, place % width + columns);
                if (0..height).contains(&row) && (0..width).contains(&column) {
                    let there = row * width + column;
                    if found[there as usize] == NONE {
                        found[there as usize] = found[place as usize] + 1;
                        queue.push(there);
                    }
                }
            }
        }
        found
    }

    /// For each cell the item with the smallest box that it is in.
    pub(crate) fn boxes(&self, mode: Mode) -> Option<&[i16]> {
        let boxes = self.boxes[mode as usize].get_or_init(|| {
            let items = &self.segments(mode)?.items;
            let width = self.size().1;
            let mut order: Vec<usize> = (0..items.len()).collect();
            // The smallest box is written last.
            order.sort_by_key(|&k| std::cmp::Reverse(items[k].height * items[k].width));
            let mut boxes = vec![NONE; self.area()];
            for k in order {
                let item = &items[k];
                for row in item.top..item.top + item.height {
                    let start = (row * width + item.left) as usize;
                    boxes[start..start + item.width as usize].fill(k as i16);
                }
            }
            Some(boxes)
        });
        boxes.as_deref()
    }
}
