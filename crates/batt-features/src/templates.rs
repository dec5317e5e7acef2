//! Templates: objects that show how others are to be completed.

use batt_image::{COLOURS, Image};

use crate::scene::{Ground, Scene};
use crate::segments::{Item, Mode, turn};

/// How templates are found and laid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Template {
    /// How objects are joined.
    pub mode: Mode,
    /// Whether they may be turned and mirrored.
    pub turned: bool,
    /// The most that they may be enlarged.
    pub scale: u8,
    /// Whether templates stay in the image.
    pub keeps: bool,
    /// Whether a template is any object of several colours, not only the largest ones.
    pub all: bool,
}

impl Template {
    /// All ways, simple ones first.
    pub fn all() -> Vec<Self> {
        let mut all = Vec::new();
        for scale in [1, 4] {
            for turned in [false, true] {
                for all_items in [false, true] {
                    for keeps in [true, false] {
                        for mode in [Mode::AnyCorners, Mode::AnySides] {
                            all.push(Self { mode, turned, scale, keeps, all: all_items });
                        }
                    }
                }
            }
        }
        all
    }

    /// A way by its number, its place in [`Template::all`].
    pub fn from_number(number: i64) -> Option<Self> {
        Self::all().get(usize::try_from(number).ok()?).copied()
    }
}

/// A cell of a template: its place in the box, and its colour.
type Part = ((i32, i32), u8);

/// The image with partial copies of its templates completed. `None` if there is no template or no copy of one.
pub fn template_rule(image: Image<'_>, ground: Ground, template: Template) -> Option<Vec<u8>> {
    let scene = Scene::new(image, ground);
    let width = scene.size().1;
    let items = &scene.segments(template.mode)?.items;
    let colours = |item: &Item| (0..COLOURS).filter(|&colour| colour != scene.ground() as usize && item.counts[colour] > 0).count();
    let most = items.iter().map(colours).max()?;
    if most < 2 {
        return None;
    }
    let mut full: Vec<&Item> = items.iter().filter(|item| if template.all { colours(item) >= 2 } else { colours(item) == most }).collect();
    full.sort_by_key(|item| (std::cmp::Reverse(item.cells.len()), item.cells[0]));
    if template.all {
        // What is much smaller than the largest is a copy of it.
        let largest = full.first()?.cells.len();
        full.retain(|item| item.cells.len() * 2 > largest);
    }
    // What is left to be completed.
    let mut open = image.cells.to_vec();
    for item in &full {
        item.cells.iter().for_each(|&place| open[place as usize] = scene.ground());
    }
    let mut made = if template.keeps { image.cells.to_vec() } else { open.clone() };
    let mut laid = 0;
    for item in full {
        let cells = |&place: &u16| {
            let (row, column) = (i32::from(place) / width - item.top, i32::from(place) % width - item.left);
            ((row, column), image.cells[place as usize])
        };
        let parts: Vec<Part> = item.cells.iter().map(cells).collect();
        let mut forms: Vec<Vec<Part>> = Vec::new();
        for which in 0..if template.turned { 8 } else { 1 } {
            let mut form: Vec<Part> =
                parts.iter().map(|&(place, colour)| (turn(which, place, (item.height, item.width)), colour)).collect();
            form.sort_unstable();
            if !forms.contains(&form) {
                forms.push(form);
            }
        }
        for scale in (1..=i32::from(template.scale)).rev() {
            for form in &forms {
                laid += lay(form, scale, &scene, &mut open, &mut made);
            }
        }
    }
    (laid > 0).then_some(made)
}

/// Lays a form wherever all cells of those of its colours that are open anywhere are open; the number of times that it was laid.
fn lay(form: &[Part], scale: i32, scene: &Scene<'_>, open: &mut [u8], made: &mut [u8]) -> usize {
    let (height, width) = scene.size();
    let blocks = |parts: &[Part]| -> Vec<Part> {
        let block = |&((row, column), colour): &Part| {
            (0..scale * scale).map(move |k| ((row * scale + k / scale, column * scale + k % scale), colour))
        };
        parts.iter().flat_map(block).collect()
    };
    let keys: Vec<Part> = form.iter().filter(|part| open.contains(&part.1)).copied().collect();
    if keys.is_empty() || keys.len() == form.len() {
        return 0;
    }
    let (keys, all) = (blocks(&keys), blocks(form));
    let Some(&(first, colour)) = keys.first() else { return 0 };
    let mut laid = 0;
    for place in 0..height * width {
        if open[place as usize] != colour {
            continue;
        }
        let (down, right) = (place / width - first.0, place % width - first.1);
        let at = |(row, column): (i32, i32)| {
            let (row, column) = (row + down, column + right);
            let inside = (0..height).contains(&row) && (0..width).contains(&column);
            inside.then_some((row * width + column) as usize)
        };
        let is_open = |&(place, colour): &Part| at(place).is_some_and(|place| open[place] == colour);
        if !keys.iter().all(is_open) {
            continue;
        }
        for &(place, _) in &keys {
            if let Some(place) = at(place) {
                open[place] = scene.ground();
            }
        }
        for &(place, colour) in &all {
            if let Some(place) = at(place) {
                made[place] = colour;
            }
        }
        laid += 1;
    }
    laid
}

/// How a patch is laid on markers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// On objects of a colour that have boxes as large as the patch.
    Boxes(u8),
    /// Around single cells of a colour, with the middle on the cell.
    Cells(u8),
}

/// The image with its most colourful object laid on all markers; the object itself goes away unless it is kept.
pub fn copy_rule(image: Image<'_>, ground: Ground, target: Target, keeps: bool) -> Option<Vec<u8>> {
    let scene = Scene::new(image, ground);
    let items = &scene.segments(Mode::AnyCorners)?.items;
    let colours = |item: &Item| (0..COLOURS).filter(|&colour| colour != scene.ground() as usize && item.counts[colour] > 0).count();
    let patch = items.iter().filter(|item| colours(item) >= 2).max_by_key(|item| (colours(item), item.cells.len()))?;
    let mut made = image.cells.to_vec();
    if !keeps {
        patch.cells.iter().for_each(|&place| made[place as usize] = scene.ground());
    }
    let (height, width) = scene.size();
    let mut laid = 0;
    let markers = scene.segments(Mode::Sides)?;
    for marker in &markers.items {
        let (colour, corner) = match target {
            Target::Boxes(colour) if (marker.height, marker.width) == (patch.height, patch.width) => (colour, (marker.top, marker.left)),
            Target::Cells(colour) if marker.cells.len() == 1 && patch.height % 2 == 1 && patch.width % 2 == 1 => {
                (colour, (marker.top - patch.height / 2, marker.left - patch.width / 2))
            }
            _ => continue,
        };
        if marker.colour != colour || patch.cells.contains(&marker.cells[0]) {
            continue;
        }
        marker.cells.iter().for_each(|&place| made[place as usize] = scene.ground());
        for &place in &patch.cells {
            let row = i32::from(place) / width - patch.top + corner.0;
            let column = i32::from(place) % width - patch.left + corner.1;
            if (0..height).contains(&row) && (0..width).contains(&column) {
                made[(row * width + column) as usize] = image.cells[place as usize];
            }
        }
        laid += 1;
    }
    (laid > 0).then_some(made)
}

/// A patch for the cells of a colour: places beside the cell and the colours that they get, 10 for the colour of the cell.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Stamp {
    /// The colour of the markers, or 10 for all that are not background.
    pub marker: u8,
    /// Rows down, columns to the right, colour.
    pub parts: Vec<(i8, i8, u8)>,
}

/// The image with stamps laid on their markers: over everything, or only over background.
pub fn stamp_rule(image: Image<'_>, ground: Ground, over: bool, stamps: &[Stamp]) -> Vec<u8> {
    let scene = Scene::new(image, ground);
    let (height, width) = scene.size();
    let mut made = image.cells.to_vec();
    for stamp in stamps {
        for (place, &cell) in image.cells.iter().enumerate() {
            let marks = cell == stamp.marker || (stamp.marker == 10 && cell != scene.ground());
            if !marks {
                continue;
            }
            for &(rows, columns, colour) in &stamp.parts {
                let (row, column) = (place as i32 / width + i32::from(rows), place as i32 % width + i32::from(columns));
                if (0..height).contains(&row) && (0..width).contains(&column) {
                    let there = (row * width + column) as usize;
                    if over || image.cells[there] == scene.ground() || there == place {
                        made[there] = if colour == 10 { cell } else { colour };
                    }
                }
            }
        }
    }
    made
}
