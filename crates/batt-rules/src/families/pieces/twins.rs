//! Objects of one colour that get the look of the object of several colours that has their shape.

use batt_vision::{COLOURS, Ground, Image, Item, Mode, Scene, turn};

use crate::families::stamps::templates::{Part, parts};

/// How objects become copies of those of their shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Twins {
    /// The colour of the objects, or 10 for any.
    pub colour: u8,
    /// Whether they may be turned and mirrored.
    pub turned: bool,
    /// Whether they may be enlarged.
    pub enlarged: bool,
    /// Whether the object that is copied stays.
    pub keeps: bool,
}

impl Twins {
    /// All for a colour, simple ones first.
    pub(crate) fn all(colour: u8) -> impl Iterator<Item = Self> {
        (0..8).filter_map(move |number| Self::from_number(colour, number))
    }

    /// By a sum: 1 if the object that is copied goes away, 2 if objects may be turned, 4 if they may be enlarged.
    pub(crate) fn from_number(colour: u8, number: i64) -> Option<Self> {
        let has = |bit: i64| number & bit != 0;
        ((0..8).contains(&number) && colour <= 10).then(|| Self { colour, turned: has(2), enlarged: has(4), keeps: !has(1) })
    }

    /// The number that `from_number` takes.
    pub(crate) const fn number(self) -> u8 {
        !self.keeps as u8 + 2 * self.turned as u8 + 4 * self.enlarged as u8
    }
}

/// The image with each object of one colour in the colours of that of its shape. `None` if there is no such pair.
pub(crate) fn twin_rule(image: Image<'_>, ground: Ground, twins: Twins) -> Option<Vec<u8>> {
    let scene = Scene::new(image, ground);
    let colours = |item: &Item| (0..COLOURS).filter(|&colour| colour != scene.ground() as usize && item.counts[colour] > 0).count();
    let patches: Vec<&Item> = scene.segments(Mode::AnySides)?.items.iter().filter(|item| colours(item) >= 2).take(MOST).collect();
    let is_target = |item: &&Item| {
        let is_coloured = twins.colour == 10 || twins.colour == item.colour;
        is_coloured && item.cells.len() > 1 && !patches.iter().any(|patch| patch.cells.binary_search(&item.cells[0]).is_ok())
    };
    let targets: Vec<&Item> = scene.segments(Mode::Sides)?.items.iter().filter(is_target).collect();
    if patches.is_empty() || targets.is_empty() {
        return None;
    }
    let width = scene.size().1;
    let mut made = image.cells.to_vec();
    let mut copied = 0;
    if !twins.keeps {
        patches.iter().flat_map(|patch| &patch.cells).for_each(|&place| made[usize::from(place)] = scene.ground());
    }
    let patches: Vec<((i32, i32), Vec<Part>)> = patches.iter().map(|patch| ((patch.height, patch.width), parts(&scene, patch))).collect();
    for target in targets {
        let Some(look) = patches.iter().find_map(|(size, patch)| look(&scene, twins, *size, patch, target)) else { continue };
        for ((row, column), colour) in look {
            made[((row + target.top) * width + column + target.left) as usize] = colour;
        }
        copied += 1;
    }
    (copied > 0).then_some(made)
}

/// The most objects that are copied.
const MOST: usize = 12;

/// The cells of a target in the colours of a patch, if it has its shape.
fn look(scene: &Scene<'_>, twins: Twins, size: (i32, i32), patch: &[Part], target: &Item) -> Option<Vec<Part>> {
    let cells = parts(scene, target);
    if cells.len() < patch.len() || !cells.len().is_multiple_of(patch.len()) {
        return None;
    }
    for which in [0, 3, 5, 6, 1, 2, 4, 7].into_iter().take(if twins.turned { 8 } else { 1 }) {
        let (height, width) = if which & 4 == 0 { size } else { (size.1, size.0) };
        let scale = target.height / height;
        let is_scaled = target.height == height * scale && target.width == width * scale && (scale == 1 || twins.enlarged);
        if !is_scaled || cells.len() as i32 != patch.len() as i32 * scale * scale {
            continue;
        }
        let mut form: Vec<Part> = patch.iter().map(|&(place, colour)| (turn(which, place, size), colour)).collect();
        form.sort_unstable();
        let colour_of = |&((row, column), _): &Part| {
            let found = form.binary_search_by_key(&(row / scale, column / scale), |part| part.0).ok()?;
            Some(((row, column), form[found].1))
        };
        if let Some(look) = cells.iter().map(colour_of).collect() {
            return Some(look);
        }
    }
    None
}
