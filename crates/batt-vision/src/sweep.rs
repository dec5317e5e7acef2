//! Rules that look at what they made: line by line, or again and again until nothing changes.

use std::collections::HashMap;

use crate::{COLOURS, Image};

use crate::cells::{CellKind, cell_plane};
use crate::kinds::kinds;
use crate::rules::{Paint, Rules, Test};
use crate::scene::{Feature, Ground, NONE, Plane, Scene};

kinds! {
    /// The order in which cells are made.
    Way {
        /// Row by row, from above.
        Down,
        /// Row by row, from below.
        Up,
        /// Column by column, from the left.
        Right,
        /// Column by column, from the right.
        Left,
        /// All at once, beginning with the image, until nothing changes.
        Settle,
    }
}

/// How often all cells may be made again.
const MOST_ROUNDS: usize = 64;

impl Way {
    /// The places of the cells of each line, in the order in which lines are made.
    fn lines(self, height: i32, width: i32) -> Vec<Vec<usize>> {
        let place = |row: i32, column: i32| (row * width + column) as usize;
        let row = |row: i32| (0..width).map(|column| place(row, column)).collect();
        let column = |column: i32| (0..height).map(|row| place(row, column)).collect();
        match self {
            Self::Down => (0..height).map(row).collect(),
            Self::Up => (0..height).rev().map(row).collect(),
            Self::Right => (0..width).map(column).collect(),
            Self::Left => (0..width).rev().map(column).collect(),
            Self::Settle => vec![(0..(height * width) as usize).collect()],
        }
    }
}

/// Where a feature's value comes from.
enum Source {
    Plane(Plane),
    Made(i32, i32),
}

/// The colours that rules give to cells, where the feature `Made` is what they gave before. `None` if some cell gets none, or nothing settles.
pub fn sweep_rule(image: Image<'_>, ground: Ground, way: Way, rules: &Rules) -> Option<Vec<u8>> {
    let scene = Scene::new(image, ground);
    let (height, width) = scene.size();
    let mut sources: HashMap<Feature, Source> = HashMap::new();
    let mut features: Vec<Feature> = rules.iter().flat_map(|rule| rule.tests.iter().map(|test| test.feature)).collect();
    features.extend(rules.iter().filter_map(|rule| match rule.paint {
        Paint::Feature(feature) => Some(feature),
        _ => None,
    }));
    for feature in features {
        sources.entry(feature).or_insert_with(|| {
            if feature.kind == CellKind::Made as u8 {
                Source::Made(i32::from(feature.a), i32::from(feature.b))
            } else {
                Source::Plane(cell_plane(&scene, feature).unwrap_or_else(|| vec![NONE; scene.area()]))
            }
        });
    }
    let resolved: Vec<(Option<Vec<Test>>, Paint)> =
        rules.iter().map(|rule| (rule.tests.iter().map(|test| test.in_scene(&scene)).collect(), rule.paint)).collect();
    let own: Plane = image.cells.iter().map(|&cell| i16::from(cell)).collect();
    let decide = |made: &[i16], place: usize| {
        let (row, column) = (place as i32 / width, place as i32 % width);
        let value = |feature: &Feature| match sources.get(feature) {
            Some(Source::Plane(plane)) => plane[place],
            Some(&Source::Made(rows, columns)) => made_at(made, (height, width), row + rows, column + columns),
            None => NONE,
        };
        resolved.iter().find_map(|(tests, paint)| {
            let holds = tests.as_ref().is_some_and(|tests| tests.iter().all(|test| test.holds(value(&test.feature), own[place])));
            let colour = match paint {
                Paint::Colour(colour) => i16::from(*colour),
                Paint::Ground => i16::from(scene.ground()),
                Paint::Role(role) => scene.role(*role),
                Paint::Feature(feature) if holds => value(feature),
                Paint::Feature(_) => NONE,
            };
            (holds && (0..COLOURS as i16).contains(&colour)).then_some(colour)
        })
    };
    let mut made = if way == Way::Settle { own.clone() } else { vec![NONE; own.len()] };
    let lines = way.lines(height, width);
    let rounds = if way == Way::Settle { MOST_ROUNDS } else { 1 };
    for round in 0..rounds {
        let before = made.clone();
        for line in &lines {
            let colours: Vec<i16> = line.iter().map(|&place| decide(&made, place)).collect::<Option<_>>()?;
            line.iter().zip(colours).for_each(|(&place, colour)| made[place] = colour);
        }
        if made == before {
            break;
        }
        if way == Way::Settle && round + 1 == rounds {
            return None;
        }
    }
    made.into_iter().map(|colour| u8::try_from(colour).ok()).collect()
}

/// The colour at a place of what was made, or [`NONE`].
fn made_at(made: &[i16], (height, width): (i32, i32), row: i32, column: i32) -> i16 {
    let inside = (0..height).contains(&row) && (0..width).contains(&column);
    if inside { made[(row * width + column) as usize] } else { NONE }
}

/// The feature that is what was made so many rows down and columns to the right.
pub fn made_feature(rows: i8, columns: i8) -> Feature {
    Feature { kind: CellKind::Made as u8, a: rows, b: columns }
}

/// That feature on an image that is made.
pub fn made_plane(image: Image<'_>, rows: i8, columns: i8) -> Plane {
    let made: Plane = image.cells.iter().map(|&cell| i16::from(cell)).collect();
    let size = (i32::from(image.frame.height), i32::from(image.frame.width));
    let places = (0..size.0).flat_map(|row| (0..size.1).map(move |column| (row, column)));
    places.map(|(row, column)| made_at(&made, size, row + i32::from(rows), column + i32::from(columns))).collect()
}
