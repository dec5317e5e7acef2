//! Lines and growth against plain definitions, cell by cell, and operations on images that are attended to against the same on others.

use batt_vision::operations::lines::{BRIDGES, DROPPED, GROWN, LINKS, POURED, RAYS, RINGS, SMEAR};
use batt_vision::{Frame, Image, Images, OPERATIONS, OperationRow, Work};
use proptest::prelude::*;

/// Sets of directions, by number, as rows and columns.
const DIRECTIONS: [&[(i32, i32)]; 15] = [
    &[(0, 1)],
    &[(0, -1)],
    &[(1, 0)],
    &[(-1, 0)],
    &[(0, 1), (0, -1)],
    &[(1, 0), (-1, 0)],
    &[(0, 1), (0, -1), (1, 0), (-1, 0)],
    &[(1, 1)],
    &[(-1, -1)],
    &[(-1, 1)],
    &[(1, -1)],
    &[(1, 1), (-1, -1)],
    &[(-1, 1), (1, -1)],
    &[(1, 1), (-1, -1), (-1, 1), (1, -1)],
    &[(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1), (-1, 1), (1, -1)],
];

#[derive(Clone, Debug)]
struct Picture {
    height: i32,
    width: i32,
    cells: Vec<u8>,
}

impl Picture {
    fn image(&self) -> Image<'_> {
        Image { frame: Frame::at_origin(self.height as usize, self.width as usize), cells: &self.cells }
    }

    fn at(&self, row: i32, column: i32) -> Option<u8> {
        let inside = (0..self.height).contains(&row) && (0..self.width).contains(&column);
        inside.then(|| self.cells[(row * self.width + column) as usize])
    }

    /// The first cell but background on the way from a cell in a direction.
    fn next(&self, (row, column): (i32, i32), (di, dj): (i32, i32)) -> Option<u8> {
        (1..).map_while(|steps| self.at(row + steps * di, column + steps * dj)).find(|&cell| cell != 0)
    }

    fn places(&self) -> impl Iterator<Item = (i32, i32)> {
        let width = self.width;
        (0..self.height * self.width).map(move |place| (place / width, place % width))
    }

    /// The most common colour but background, the lowest of equal ones.
    fn majority(&self) -> u8 {
        let count = |colour: u8| self.image().count(colour);
        (1..10).rev().max_by_key(|&colour| count(colour)).filter(|&colour| count(colour) > 0).unwrap_or(0)
    }

    /// A picture of the same size, cell by cell.
    fn with(&self, cell: impl Fn((i32, i32)) -> u8) -> Vec<u8> {
        self.places().map(cell).collect()
    }
}

fn pictures() -> impl Strategy<Value = Picture> {
    let sizes = prop_oneof![4 => (1i32..12, 1i32..12), 1 => (1i32..40, 1i32..61)];
    (sizes, 1u8..10, 0u8..10).prop_flat_map(|((height, width), colours, sparse)| {
        let cell = (0..colours, 0..10u8).prop_map(move |(colour, chance)| if chance < sparse { 0 } else { colour });
        prop::collection::vec(cell, (height * width) as usize).prop_map(move |cells| Picture { height, width, cells })
    })
}

fn call(operation: OperationRow, picture: &Picture, which: i32) -> Option<Vec<u8>> {
    let mut work = Work::default();
    operation.on(picture.image(), which, &mut work)?;
    Some(work.out.cells().to_vec())
}

/// The last colour that a direction draws on a background cell; what comes from behind goes on until something stops it.
fn drawn(picture: &Picture, place: (i32, i32), which: i32, wall: u8) -> u8 {
    let lines = DIRECTIONS[which as usize].iter().rev().filter_map(|&(di, dj)| picture.next(place, (-di, -dj)));
    lines.into_iter().find(|&colour| colour != wall).unwrap_or(0)
}

/// Distances to all cells that spread, and what would be written if no two colours were equally near.
fn nearest(picture: &Picture, corners: bool, skipped: u8) -> Vec<Option<(i32, Vec<u8>)>> {
    let mut reached: Vec<Option<(i32, Vec<u8>)>> =
        picture.cells.iter().map(|&cell| (cell != 0 && cell != skipped).then(|| (0, vec![cell]))).collect();
    for distance in 1..picture.height + picture.width + 3000 {
        let mut changed = false;
        for (i, j) in picture.places() {
            let place = (i * picture.width + j) as usize;
            if picture.cells[place] != 0 || reached[place].is_some() {
                continue;
            }
            let mut colours: Vec<u8> = Vec::new();
            for (di, dj) in (-1..=1).flat_map(|di| (-1..=1).map(move |dj| (di, dj))).filter(|(di, dj)| corners || di * dj == 0) {
                if picture.at(i + di, j + dj).is_some()
                    && let Some((steps, from)) = &reached[((i + di) * picture.width + j + dj) as usize]
                    && *steps == distance - 1
                {
                    colours.extend(from);
                }
            }
            if !colours.is_empty() {
                reached[place] = Some((distance, colours));
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    reached
}

proptest! {
    #[test]
    fn rays_and_smears_go_on_until_something_stops_them(picture in pictures(), which in 0i32..15) {
        let blank = |(i, j)| picture.at(i, j) == Some(0);
        let smeared = picture.with(|place| if blank(place) { drawn(&picture, place, which, 0) } else { picture.at(place.0, place.1).unwrap_or(0) });
        prop_assert_eq!(call(SMEAR, &picture, which), Some(smeared));
        let wall = picture.majority();
        let rayed = picture.with(|place| if blank(place) { drawn(&picture, place, which, wall) } else { 0 });
        prop_assert_eq!(call(RAYS, &picture, which), Some(rayed));
    }

    #[test]
    fn links_join_equal_colours_and_bridges_any(picture in pictures(), which in 0i32..5) {
        let directions: &[(i32, i32)] = match which {
            0 => &[(0, 1)],
            1 => &[(1, 0)],
            2 => &[(0, 1), (1, 0)],
            3 => &[(1, 1), (1, -1)],
            _ => &[(0, 1), (1, 0), (1, 1), (1, -1)],
        };
        let ends = |place, (di, dj): (i32, i32)| Some((picture.next(place, (-di, -dj))?, picture.next(place, (di, dj))?));
        let blank = |(i, j)| picture.at(i, j) == Some(0);
        let linked = picture.with(|place| {
            let pairs = directions.iter().rev().filter_map(|&direction| ends(place, direction));
            if blank(place) { pairs.into_iter().find(|(a, b)| a == b).map_or(0, |pair| pair.0) } else { 0 }
        });
        prop_assert_eq!(call(LINKS, &picture, which), Some(linked));
        if which < 3 {
            let colour = picture.majority();
            let bridged = picture.with(|place| {
                if blank(place) && directions.iter().any(|&direction| ends(place, direction).is_some()) { colour } else { 0 }
            });
            prop_assert_eq!(call(BRIDGES, &picture, which), Some(bridged));
        }
    }

    #[test]
    fn growth_takes_the_nearest_colour(picture in pictures(), which in 0i32..4) {
        let skipped = if which % 2 == 1 { picture.majority() } else { 0 };
        let grown = call(GROWN, &picture, which).unwrap_or_default();
        for (place, near) in nearest(&picture, which >= 2, skipped).into_iter().enumerate() {
            let own = picture.cells[place];
            let allowed = near.map_or_else(|| vec![own], |(_, colours)| if own == 0 { colours } else { vec![own] });
            prop_assert!(allowed.contains(&grown[place]), "{place}: {} is none of {allowed:?}", grown[place]);
        }
        let Some(ringed) = call(RINGS, &picture, which) else {
            prop_assert!(picture.cells.iter().all(|&cell| cell == 0));
            return Ok(());
        };
        for (place, near) in nearest(&picture, which < 2, 0).into_iter().enumerate() {
            let allowed = near.filter(|(distance, _)| *distance > 0 && distance % 2 == which % 2).map_or_else(|| vec![0], |near| near.1);
            prop_assert!(allowed.contains(&ringed[place]), "{place}: {} is none of {allowed:?}", ringed[place]);
        }
    }

    #[test]
    fn cells_fall_and_keep_their_order(picture in pictures(), which in 0i32..4) {
        let fallen = call(POURED, &picture, which).unwrap_or_default();
        let fallen = Picture { cells: fallen, ..picture.clone() };
        let (lines, length) = if which < 2 { (picture.height, picture.width) } else { (picture.width, picture.height) };
        for line in 0..lines {
            let of = |picture: &Picture| -> Vec<u8> {
                (0..length).filter_map(|k| if which < 2 { picture.at(line, k) } else { picture.at(k, line) }).collect()
            };
            let mut cells: Vec<u8> = of(&picture).into_iter().filter(|&cell| cell != 0).collect();
            let blank = vec![0; length as usize - cells.len()];
            cells = if which % 2 == 0 { [blank, cells].concat() } else { [cells, blank].concat() };
            prop_assert_eq!(of(&fallen), cells);
        }
    }

    #[test]
    fn components_fall_one_after_the_other(picture in pictures(), which in 0i32..4) {
        let (di, dj) = [(0, 1), (0, -1), (1, 0), (-1, 0)][which as usize];
        let mut work = Work::default();
        // The cells of each component, joined by sides, whatever their number.
        let mut parts: Vec<(u8, Vec<(i32, i32)>)> = Vec::new();
        let mut left: Vec<(i32, i32)> = picture.places().filter(|&(i, j)| picture.at(i, j) != Some(0)).collect();
        while !left.is_empty() {
            let mut part = vec![left.remove(0)];
            let colour = picture.at(part[0].0, part[0].1);
            while let Some(place) = left.iter().position(|&(i, j)| {
                picture.at(i, j) == colour && part.iter().any(|&(k, l)| (i - k).abs() + (j - l).abs() == 1)
            }) {
                part.push(left.remove(place));
            }
            parts.push((colour.unwrap_or(0), part));
        }
        // Those ahead fall first; nothing stops a component but the edge and what has fallen before.
        parts.sort_by_key(|(_, part)| -part.iter().map(|&(i, j)| i * di + j * dj).max().unwrap_or(0));
        let mut fallen = Picture { cells: vec![0; picture.cells.len()], ..picture.clone() };
        for (colour, mut part) in parts {
            while part.iter().all(|&(i, j)| fallen.at(i + di, j + dj) == Some(0)) {
                for place in &mut part {
                    *place = (place.0 + di, place.1 + dj);
                }
            }
            for (i, j) in part {
                fallen.cells[(i * fallen.width + j) as usize] = colour;
            }
        }
        prop_assert!(DROPPED.on(picture.image(), which, &mut work).is_some());
        prop_assert_eq!(work.out.cells(), fallen.cells.as_slice());
    }

    #[test]
    fn attention_changes_nothing(pictures in prop::collection::vec(pictures(), 1..6)) {
        let (mut attentive, mut other) = (Work::default(), Work::default());
        for _ in 0..2 {
            for picture in &pictures {
                for operation in OPERATIONS.iter().filter(|operation| !operation.kernel.takes_list()) {
                    for which in operation.numbers() {
                        let mut made: Vec<Option<Images>> = Vec::new();
                        for (work, attends) in [(&mut attentive, true), (&mut other, false)] {
                            work.out.clear();
                            if attends {
                                work.attend(picture.image());
                            }
                            let done = operation.on(picture.image(), which, work);
                            made.push(done.map(|()| work.out.clone()));
                        }
                        prop_assert_eq!(&made[0], &made[1]);
                    }
                }
            }
        }
    }
}
