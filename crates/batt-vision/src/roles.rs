//! Roles: colours and numbers by what they are in an image. An argument that takes a colour or a number takes a role in its place.
//!
//! A role that two colours have alike is nobody's: it has no value.

use crate::cells::CellKind;
use crate::items::{ItemKind, item_plane};
use crate::kinds;
use crate::operations::measures;
use crate::scene::{Feature, Ground, NONE, Scene};
use crate::segments::{Item, Mode};
use crate::{COLOURS, COMMON_MEASURES, Image, Work, measured};

kinds! {
    /// What a colour or a number is in an image. Background has no role but its own; objects are joined by sides and corners.
    Role {
        /// The colour of most cells.
        MostCommon,
        /// The colour of fewest cells.
        LeastCommon,
        /// The colour of most objects of one colour.
        MostObjects,
        /// The colour of fewest objects of one colour.
        FewestObjects,
        /// The colour with the largest box.
        LargestBox,
        /// The colour with the smallest box.
        SmallestBox,
        /// The colour with most other cells in its box.
        LeastSolid,
        /// The colour with fewest other cells in its box.
        MostSolid,
        /// The colour that begins farthest up.
        BeginsUp,
        /// The colour that ends farthest down.
        EndsDown,
        /// The colour that begins farthest left.
        BeginsLeft,
        /// The colour that ends farthest right.
        EndsRight,
        /// The colour that ends farthest up.
        EndsUp,
        /// The colour that begins farthest down.
        BeginsDown,
        /// The colour that ends farthest left.
        EndsLeft,
        /// The colour that begins farthest right.
        BeginsRight,
        /// The most common colour on the border.
        Border,
        /// The colour of the cell in the middle.
        Middle,
        /// The colour of the smallest object.
        SmallestObject,
        /// The colour that touches most other colours.
        TouchesMost,
        /// The colour of most rows and columns of one colour: what separates panels.
        Separator,
        /// The colour of most cells that have other colours on all four sides, near or far.
        Enclosed,
        /// The colour of most single cells: markers.
        Marker,
        /// The colour of the largest object.
        LargestObject,
        /// The colour of the one object whose shape, turned or mirrored too, no other object has.
        OddObject,
        /// The rarest colour of the one object of most colours: its key.
        Key,
        /// The colour of most cells after the most common one.
        SecondCommon,
        /// Background.
        Background,
        /// The number of cells but background.
        Cells,
        /// The number of colours but background.
        Colours,
        /// The number of objects of one colour.
        Objects,
        /// The number of objects of any colours.
        Groups,
        /// The number of enclosed parts of background.
        Holes,
        /// The number of rows.
        Rows,
        /// The number of columns.
        Columns,
        /// The number of rows that are not all background.
        FilledRows,
        /// The number of columns that are not all background.
        FilledColumns,
        /// The cells of the largest object of one colour.
        LargestCells,
        /// The rows of its box.
        LargestRows,
        /// The columns of its box.
        LargestColumns,
        /// The cells of the smallest object of one colour.
        SmallestCells,
        /// The cells of the most common colour.
        MostCommonCells,
        /// The cells of the least common colour.
        LeastCommonCells,
    }
}

/// Offset added to the number of a role as an argument, so that colours and small numbers keep theirs.
pub const FIRST_ROLE: u8 = 20;

impl Role {
    /// The number of roles that are colours: those of the lowest numbers.
    pub const COLOURS: usize = Self::Background as usize + 1;

    /// Whether its value is a colour.
    pub const fn is_colour(self) -> bool {
        (self as usize) < Self::COLOURS
    }

    /// The role that an argument stands for.
    pub fn of_argument(number: i64) -> Option<Self> {
        Self::from_number(number.checked_sub(FIRST_ROLE.into())?)
    }

    /// The argument that stands for it.
    pub const fn argument(self) -> u8 {
        self as u8 + FIRST_ROLE
    }
}

/// Whether an argument stands for a role of colours.
pub fn is_role(number: u8) -> bool {
    Role::of_argument(number.into()).is_some_and(Role::is_colour)
}

/// The colour that an argument stands for in an image: itself, or a role.
pub fn colour(number: u8, image: Image<'_>, ground: Ground) -> Option<u8> {
    if usize::from(number) < COLOURS { Some(number) } else { Scene::new(image, ground).colour_argument(number.into()) }
}

impl Scene<'_> {
    /// The value of a role, or [`NONE`].
    pub fn role(&self, role: Role) -> i16 {
        if role.is_colour() { self.colour_roles()[role as usize] } else { self.number_roles()[role as usize - Role::COLOURS] }
    }

    /// The colour that an argument stands for: itself, or a role.
    pub fn colour_argument(&self, number: i64) -> Option<u8> {
        match u8::try_from(number).ok()? {
            colour if usize::from(colour) < COLOURS => Some(colour),
            number => {
                let role = Role::of_argument(number.into()).filter(|role| role.is_colour())?;
                u8::try_from(self.role(role)).ok()
            }
        }
    }

    /// The number that an argument stands for: itself, or a role.
    pub(crate) fn number_argument(&self, number: i64) -> Option<i16> {
        match Role::of_argument(number).filter(|role| !role.is_colour()) {
            Some(role) => Some(self.role(role)).filter(|&value| value != NONE),
            None => i16::try_from(number).ok(),
        }
    }
}

/// The roles that are colours, of a scene.
pub(crate) fn colour_roles(scene: &Scene<'_>) -> [i16; Role::COLOURS] {
    let mut roles = [NONE; Role::COLOURS];
    let mut work = Work::default();
    let image = scene.grounded();
    let measured = measured(image, &mut work);
    let back = |colour: Option<u8>| colour.map_or(NONE, |colour| i16::from(scene.exchange().of(colour)));
    let leading = |measure: usize| {
        let best = (1..COLOURS as u8).max_by_key(|&colour| measured[usize::from(colour)][measure])?;
        let value = measured[usize::from(best)][measure];
        let is_alone = (1..COLOURS).filter(|&colour| measured[colour][measure] == value).count() == 1;
        (value > 0 && is_alone).then_some(best)
    };
    // The first roles are the measures that every colour has, in their order.
    for (measure, role) in roles.iter_mut().enumerate().take(COMMON_MEASURES) {
        *role = back(leading(measure));
    }
    for (role, which) in [(Role::Border, 16), (Role::Middle, 17), (Role::TouchesMost, 19)] {
        roles[role as usize] = back(measures::colour_of(image, which, &mut work).and_then(|colour| u8::try_from(colour).ok()));
    }
    for (role, measure) in [(Role::Separator, 16), (Role::Enclosed, 17), (Role::Marker, 18)] {
        roles[role as usize] = back(leading(measure));
    }
    roles[Role::SecondCommon as usize] = {
        let cells = |colour: u8| measured[usize::from(colour)][0];
        let mut order: Vec<u8> = (1..COLOURS as u8).filter(|&colour| cells(colour) > 0).collect();
        order.sort_by_key(|&colour| std::cmp::Reverse(cells(colour)));
        let is_alone = |k: usize| order.get(k + 1).is_none_or(|&next| cells(next) < cells(order[k]));
        back(order.get(1).copied().filter(|_| is_alone(0) && is_alone(1)))
    };
    if let Some(segments) = scene.segments(Mode::Corners) {
        let of_size = |size: Option<usize>| {
            let mut colours = segments.items.iter().filter(|item| Some(item.cells.len()) == size).map(|item| i16::from(item.colour));
            colours.next().filter(|&first| colours.all(|colour| colour == first)).unwrap_or(NONE)
        };
        roles[Role::SmallestObject as usize] = of_size(segments.items.iter().map(|item| item.cells.len()).min());
        roles[Role::LargestObject as usize] = of_size(segments.items.iter().map(|item| item.cells.len()).max());
        roles[Role::OddObject as usize] = odd(scene).map_or(NONE, |item| i16::from(item.colour));
    }
    roles[Role::Key as usize] = key(scene).map_or(NONE, i16::from);
    roles[Role::Background as usize] = i16::from(scene.ground());
    roles
}

/// The one object whose shape no other has, of three or more.
fn odd<'a>(scene: &'a Scene<'_>) -> Option<&'a Item> {
    let twins = item_plane(scene, Mode::Corners, ItemKind::SameTurned)?;
    let mut odd = (0..twins.len()).filter(|&k| twins[k] == 0);
    let first = odd.next().filter(|_| odd.next().is_none() && twins.len() > 2)?;
    scene.segments(Mode::Corners)?.items.get(first)
}

/// The rarest colour of the one object of most colours, if it has two or more.
fn key(scene: &Scene<'_>) -> Option<u8> {
    let colours = item_plane(scene, Mode::AnyCorners, ItemKind::Colours)?;
    let most = *colours.iter().max().filter(|&&most| most > 1)?;
    let mut found = (0..colours.len()).filter(|&k| colours[k] == most);
    let first = found.next().filter(|_| found.next().is_none())?;
    let item = scene.segments(Mode::AnyCorners)?.items.get(first)?;
    let there = || (0..COLOURS).filter(|&colour| colour != usize::from(scene.ground()) && item.counts[colour] > 0);
    let least = there().min_by_key(|&colour| item.counts[colour])?;
    (there().filter(|&colour| item.counts[colour] == item.counts[least]).count() == 1).then_some(least as u8)
}

/// The number of roles that are numbers.
pub(crate) const NUMBER_ROLES: usize = Role::ALL.len() - Role::COLOURS;

/// The roles that are numbers, of a scene.
pub(crate) fn number_roles(scene: &Scene<'_>) -> [i16; NUMBER_ROLES] {
    let ground = usize::from(scene.ground());
    let counts = scene.counts();
    let (height, width) = (scene.image().height(), scene.image().width());
    let others = || (0..COLOURS).filter(|&colour| colour != ground && counts[colour] > 0);
    let items = |mode: Mode| scene.segments(mode).map(|segments| &segments.items);
    let objects = items(Mode::Corners);
    let largest = objects.and_then(|items| items.iter().max_by_key(|item| item.cells.len()));
    let is_alone =
        |item: &&Item| objects.is_some_and(|items| items.iter().filter(|other| other.cells.len() == item.cells.len()).count() == 1);
    let number = |count: Option<usize>| count.and_then(|count| i16::try_from(count).ok()).unwrap_or(NONE);
    let filled = |row: usize, column: usize| usize::from(scene.image().at(row, column)) != ground;
    let holes = items(Mode::Regions).map(|regions| {
        let is_enclosed = |item: &&Item| {
            item.top > 0 && item.left > 0 && (item.top + item.height) < height as i32 && (item.left + item.width) < width as i32
        };
        regions.iter().filter(is_enclosed).count()
    });
    let value = |role: Role| match role {
        Role::Cells => Some(scene.area() - counts[ground] as usize),
        Role::Colours => Some(others().count()),
        Role::Objects => objects.map(Vec::len),
        Role::Groups => items(Mode::AnyCorners).map(Vec::len),
        Role::Holes => holes,
        Role::Rows => Some(height),
        Role::Columns => Some(width),
        Role::FilledRows => Some((0..height).filter(|&row| (0..width).any(|column| filled(row, column))).count()),
        Role::FilledColumns => Some((0..width).filter(|&column| (0..height).any(|row| filled(row, column))).count()),
        Role::LargestCells => largest.map(|item| item.cells.len()),
        Role::LargestRows => largest.filter(is_alone).map(|item| item.height as usize),
        Role::LargestColumns => largest.filter(is_alone).map(|item| item.width as usize),
        Role::SmallestCells => objects.and_then(|items| items.iter().map(|item| item.cells.len()).min()),
        Role::MostCommonCells => others().map(|colour| counts[colour] as usize).max(),
        Role::LeastCommonCells => others().map(|colour| counts[colour] as usize).min(),
        _ => None,
    };
    let mut roles = [NONE; NUMBER_ROLES];
    for (role, there) in Role::ALL[Role::COLOURS..].iter().zip(&mut roles) {
        *there = number(value(*role));
    }
    roles
}

/// A feature with another colour as its argument, of those that take one: features of items, or of cells.
pub fn with_colour(of_items: bool, feature: Feature, colour: u8) -> Option<Feature> {
    let colour = i8::try_from(colour).ok()?;
    if of_items {
        let takes = matches!(ItemKind::from_number(feature.kind)?, ItemKind::CountOf | ItemKind::MoreOf | ItemKind::FewerOf);
        takes.then_some(Feature { a: colour, ..feature })
    } else {
        let takes = matches!(CellKind::from_number(feature.kind)?, CellKind::NeighboursOf | CellKind::DistanceTo | CellKind::Beyond);
        takes.then_some(Feature { b: colour, ..feature })
    }
}
