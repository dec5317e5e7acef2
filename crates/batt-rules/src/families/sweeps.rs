//! Rules that look at what they made: rays that go on, bounce and alternate, patterns that continue, automata.

use std::collections::HashMap;

use batt_core::{Reason, Value};
use batt_vision::{COLOURS, CellKind, Feature, Ground, Image, NONE, Plane, Scene, cell_colour_features, cell_features, cell_plane, kinds};

use super::cells;
use crate::examples::{Examples, Picture};
use crate::learn::{Effort, Table};
use crate::parameter::numbered;
use crate::propose::{Candidate, FitOptions};
use crate::recipe::{Argument, Recipe};
use crate::row::{FamilyRow, Given, OnViews, Part, RuleRow, Turn, When, columns, listed};
use crate::rules::{Paint, Rule, RuleList, Rules, Test};
use crate::table::{Extra, candidates, table, with_columns};

/// A colour for each cell, by what was made before.
pub const SWEEPS: FamilyRow = FamilyRow {
    name: "rule-sweeps",
    rules: &[RuleRow {
        name: "sweeprule",
        parameters: columns!(image: Image, ground: Number, way: Number, rules: Tuple),
        sentence: "Every cell as with cellrule. Rules also see the cells made before: line by line, or in rounds until nothing changes.",
        example: ("sweeprule(((1, 0), (0, 0)), 0, 0, ((((0, 28, -1, 0, 1),), 1), ((), (0, 0, 0))))", "((1, 0), (1, 0))"),
        gives: ("the same as cellrule; rules also see the cells made before", "sweeprule"),
        page: &[Part::Text("`way` is the order in which cells are made:\n"), listed!("way", Way)],
        apply: applied,
    }],
    place: 6,
    when: When::Early,
    on_views: OnViews { same_size: Turn::Last, other_size: false, cropped: false },
    fit,
};

fn applied(arguments: &[&Value]) -> Result<Picture, Reason> {
    let (image, ground, way, RuleList(rules)): (Picture, Ground, Way, RuleList) = Given::given(arguments)?;
    image.with(sweep_rule(image.image(), ground, way, &rules)).ok_or(Reason::NoMatch)
}

numbered!(Way);

const EFFORT: Effort = Effort { tests: 3, rules: 4, lists: 8, steps: 30_000, work: 80, deadline: None };

/// Effort for rules that are fitted to views of a task.
const QUICK_EFFORT: Effort = Effort { tests: 3, rules: 2, lists: 4, steps: 10_000, work: 20, deadline: None };

fn fit(examples: &Examples, budget: FitOptions, _: &mut Vec<Candidate>) -> Vec<Candidate> {
    let cells: usize = examples.demos.iter().map(|demo| demo.0.cells.len()).sum();
    if !examples.keeps_size() || cells > budget.cells || !lines(examples) {
        return Vec::new();
    }
    let effort = if budget.is_quick { QUICK_EFFORT } else { EFFORT };
    let mut found = Vec::new();
    let vocabulary = cells::vocabulary(near(cell_features()), near(cell_colour_features()));
    for ground in examples.grounds() {
        let wanted = |demo: usize| examples.demos[demo].1.cells.iter().map(|&cell| i16::from(cell)).collect();
        let table = table(examples, ground, None, &vocabulary, effort.until(budget), |demo, _| Some(wanted(demo)));
        let Some(mut table) = table else { continue };
        for &way in Way::ALL {
            if budget.is_over() {
                return found;
            }
            found.extend(in_way(examples, ground, way, &mut table));
        }
    }
    found
}

/// Whether cells that change touch each other in every demo: what rules that look at what they made are for.
fn lines(examples: &Examples) -> bool {
    examples.demos.iter().any(|(input, output)| {
        let width = input.width;
        let changed = |place: usize| input.cells[place] != output.cells[place];
        (0..input.cells.len()).filter(|&place| changed(place)).any(|place| {
            let (row, column) = (place / width, place % width);
            (row + 1 < input.height && changed(place + width))
                || (column + 1 < width && changed(place + 1))
                || (row + 1 < input.height && column + 1 < width && changed(place + width + 1))
                || (row + 1 < input.height && column > 0 && changed(place + width - 1))
        })
    })
}

fn in_way(examples: &Examples, ground: Ground, way: Way, table: &mut Table) -> Vec<Candidate> {
    let mut extra = Vec::new();
    for (rows, columns) in offsets(way) {
        let values = examples.demos.iter().flat_map(|demo| made_plane(demo.1.image(), rows, columns)).collect();
        let near = rows.abs().max(columns.abs()) == 1;
        extra.push(Extra { feature: made_feature(rows, columns), values, cost: if near { 4 } else { 6 } });
    }
    let apply = |input: &Picture, rules: &[Rule]| {
        Some(Picture { height: input.height, width: input.width, cells: sweep_rule(input.image(), ground, way, rules)? })
    };
    let recipe =
        |rules: &[Rule]| Recipe::of("sweeprule", [Argument::Input, Argument::of(&ground), Argument::of(&way), Argument::list(rules)]);
    debug_assert!(table.wanted.iter().all(|&colour| colour != NONE));
    with_columns(table, extra, |table| candidates(examples, table, apply, recipe, 4))
}

/// Features of what is near: rules that go on have no need of others.
fn near(features: Vec<Feature>) -> Vec<Feature> {
    let near = |feature: &Feature| match CellKind::from_number(feature.kind) {
        Some(CellKind::Colour) => feature.a.abs().max(feature.b.abs()) <= 1,
        Some(CellKind::RayColour | CellKind::Neighbours | CellKind::NearestColour | CellKind::ImageColour | CellKind::EdgeColour) => true,
        Some(CellKind::NeighboursOf) => feature.a == 1,
        _ => false,
    };
    features.into_iter().filter(near).collect()
}

/// Offsets of made cells that tests see: the two lines before or, where everything is made at once, the cells around.
fn offsets(way: Way) -> Vec<(i8, i8)> {
    let before = [(1, -2), (1, -1), (1, 0), (1, 1), (1, 2), (2, -2), (2, -1), (2, 0), (2, 1), (2, 2)];
    let turned = |(back, side): (i8, i8)| match way {
        Way::Down => (-back, side),
        Way::Up => (back, side),
        Way::Right => (side, -back),
        _ => (side, back),
    };
    if way == Way::Settle {
        let around = [-1, 0, 1].into_iter().flat_map(|rows| [-1, 0, 1].into_iter().map(move |columns| (rows, columns)));
        let near = around.filter(|&place| place != (0, 0));
        let far = [(-2, 0), (2, 0), (0, -2), (0, 2), (-2, -2), (2, 2), (-2, 2), (2, -2)];
        return near.chain(far).collect();
    }
    before.into_iter().map(turned).collect()
}

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
pub(crate) fn sweep_rule(image: Image<'_>, ground: Ground, way: Way, rules: &Rules) -> Option<Vec<u8>> {
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
pub(crate) fn made_feature(rows: i8, columns: i8) -> Feature {
    Feature { kind: CellKind::Made as u8, a: rows, b: columns }
}

/// That feature on an image that is made.
pub(crate) fn made_plane(image: Image<'_>, rows: i8, columns: i8) -> Plane {
    let made: Plane = image.cells.iter().map(|&cell| i16::from(cell)).collect();
    let size = (i32::from(image.frame.height), i32::from(image.frame.width));
    let places = (0..size.0).flat_map(|row| (0..size.1).map(move |column| (row, column)));
    places.map(|(row, column)| made_at(&made, size, row + i32::from(rows), column + i32::from(columns))).collect()
}
