//! Objects that are laid over each other, each with its anchor on the same cell.

use batt_vision::{COLOURS, MAX_SIDE, Mode, Scene, kinds};

use super::assembly::Made;
use crate::families::stamps::templates::{Part, parts};

kinds! {
    /// What is laid over each other, and on which cell of it.
    Anchor {
        /// Colours over each other, each on its cell of the colour that has one cell for each of them.
        Key,
        /// Colours over each other, on the middles of their boxes.
        Middle,
        /// Colours over each other, on the corners of their boxes.
        Corner,
        /// Objects of any colours over each other, on the middles of their boxes.
        ObjectMiddle,
        /// Objects of any colours over each other, on the corners of their boxes.
        ObjectCorner,
    }
}

/// The most objects.
const MOST: usize = 16;

/// The objects over each other: the largest below.
pub(crate) fn overlaid(scene: &Scene<'_>, anchor: Anchor) -> Option<Made> {
    let mut groups = match anchor {
        Anchor::Key => keyed(scene)?,
        Anchor::Middle | Anchor::Corner => boxed(scene, Mode::Colours, anchor == Anchor::Middle)?,
        Anchor::ObjectMiddle | Anchor::ObjectCorner => boxed(scene, Mode::AnyCorners, anchor == Anchor::ObjectMiddle)?,
    };
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    let places = || groups.iter().flatten().map(|part| part.0);
    let (top, left) = (places().map(|place| place.0).min()?, places().map(|place| place.1).min()?);
    let (bottom, right) = (places().map(|place| place.0).max()?, places().map(|place| place.1).max()?);
    let (height, width) = ((bottom - top + 1) as usize, (right - left + 1) as usize);
    if height > MAX_SIDE || width > MAX_SIDE {
        return None;
    }
    let mut made = vec![scene.ground(); height * width];
    for ((row, column), colour) in groups.into_iter().flatten() {
        made[(row - top) as usize * width + (column - left) as usize] = colour;
    }
    Some((height, width, made))
}

/// Objects with the middle or the corner of their boxes at the origin.
fn boxed(scene: &Scene<'_>, mode: Mode, is_middle: bool) -> Option<Vec<Vec<Part>>> {
    let items = &scene.segments(mode)?.items;
    if items.len() < 2 || items.len() > MOST {
        return None;
    }
    let mut groups = Vec::new();
    for item in items {
        let mut group = parts(scene, item);
        if is_middle {
            // Only boxes whose sides are all even, or all odd, have their middles on one cell.
            if (item.height - items[0].height) % 2 != 0 || (item.width - items[0].width) % 2 != 0 {
                return None;
            }
            for part in &mut group {
                part.0 = (part.0.0 - item.height / 2, part.0.1 - item.width / 2);
            }
        }
        groups.push(group);
    }
    Some(groups)
}

/// All cells of each colour with the place of the nearest key as their origin.
fn keyed(scene: &Scene<'_>) -> Option<Vec<Vec<Part>>> {
    let (image, width) = (scene.image(), scene.size().1);
    let colours: Vec<u8> = (0..COLOURS as u8).filter(|&colour| colour != scene.ground() && scene.counts()[colour as usize] > 0).collect();
    if colours.len() < 2 {
        return None;
    }
    let places = |colour: u8| {
        let of_colour = image.cells.iter().enumerate().filter(move |(_, cell)| **cell == colour);
        of_colour.map(|(place, _)| (place as i32 / width, place as i32 % width)).collect::<Vec<_>>()
    };
    let mut best: Option<(i32, Vec<Vec<Part>>)> = None;
    for &key in colours.iter().filter(|&&key| scene.counts()[key as usize] as usize + 1 == colours.len()) {
        let keys = places(key);
        let mut used = vec![false; keys.len()];
        let mut groups = vec![vec![((0, 0), key)]];
        let mut total = 0;
        for &colour in colours.iter().filter(|&&colour| colour != key) {
            let cells = places(colour);
            let far = |&(row, column): &(i32, i32)| cells.iter().map(|cell| (cell.0 - row).abs().max((cell.1 - column).abs())).sum::<i32>();
            let Some((nearest, distance)) = keys.iter().map(far).enumerate().min_by_key(|&(_, distance)| distance) else { continue };
            total += if std::mem::replace(&mut used[nearest], true) { 10_000 } else { distance };
            let (top, left) = keys[nearest];
            groups.push(cells.iter().map(|&(row, column)| ((row - top, column - left), colour)).collect());
        }
        if total < 10_000 && best.as_ref().is_none_or(|best| total < best.0) {
            best = Some((total, groups));
        }
    }
    best.map(|best| best.1)
}
