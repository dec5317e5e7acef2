//! One object, panel or region, cut out, and maybe turned or reduced.

use batt_core::{Reason, Value};
use batt_vision::{Ground, Image, Item, Mode, Plane, Scene, Work, kinds};

use super::objects::vocabulary;
use super::views::calls::{Call, calls_of, seen};
use crate::examples::{Examples, Picture};
use crate::learn::{Effort, Table};
use crate::parameter::Parameter;
use crate::propose::{Candidate, FitOptions};
use crate::recipe::{Argument, Recipe};
use crate::row::{FamilyRow, Given, OnViews, Part, RuleRow, Turn, When, columns, listed};
use crate::rules::{Paint, Rule, RuleList, Rules, decide_items};
use crate::table::{Vocabulary, candidates, table};

/// One object, cut out.
pub const PICK: FamilyRow = FamilyRow {
    name: "rule-pick",
    rules: &[RuleRow {
        name: "pickrule",
        parameters: columns!(image: Image, ground: Number, mode: Number, rules: Tuple),
        sentence: "The first object that rules give a colour but 0, cut out: its box, its cells alone, or its box without the rim.",
        example: ("pickrule(((1, 0, 2, 2),), 0, 0, ((((0, 4, 0, 0, 0),), 1), ((), 0)))", "((2, 2),)"),
        gives: ("the object that a list of rules picks, cut out", "pickrule"),
        page: &[Part::Text(PAGE), listed!("cut", Cut)],
        apply: applied,
    }],
    place: 4,
    when: When::Early,
    on_views: OnViews { same_size: Turn::Never, other_size: true, cropped: false },
    fit,
};

const PAGE: &str = "The first object in any colour but 0 is cut out. `mode` is the number of the
[mode](#objects) plus 10 times how it is cut:
";

/// How items are grouped and cut out, as one number.
struct Picked(Mode, Cut);

impl Parameter for Picked {
    fn to_value(&self) -> Value {
        (self.0 as u8 + 10 * self.1 as u8).to_value()
    }

    fn from_value(value: &Value) -> Result<Self, Reason> {
        let number = i64::from_value(value)?;
        let (mode, cut) = (Mode::from_number(number.rem_euclid(10)), Cut::from_number(number.div_euclid(10)));
        mode.zip(cut).map(|(mode, cut)| Self(mode, cut)).ok_or(Reason::OutOfRange)
    }
}

fn applied(arguments: &[&Value]) -> Result<Picture, Reason> {
    let (image, ground, Picked(mode, cut), RuleList(rules)): (Picture, Ground, Picked, RuleList) = Given::given(arguments)?;
    pick_rule(image.image(), ground, mode, cut, &rules).map(Picture::new).ok_or(Reason::NoMatch)
}

kinds! {
    /// What of an item is cut out.
    Cut {
        /// Its box with everything in it.
        Box,
        /// Its cells on background.
        Alone,
        /// Its box without the outermost rows and columns.
        Inside,
    }
}

impl Cut {
    /// Rows, columns and colours of what is cut out; `None` if nothing is left.
    fn of(self, scene: &Scene<'_>, item: &Item) -> Option<(usize, usize, Vec<u8>)> {
        let rim = i32::from(self == Self::Inside);
        let (height, width) = (item.height - 2 * rim, item.width - 2 * rim);
        if height < 1 || width < 1 {
            return None;
        }
        let columns = scene.size().1;
        let mut cells = Vec::with_capacity((height * width) as usize);
        for row in 0..height {
            for column in 0..width {
                let place = ((item.top + rim + row) * columns + item.left + rim + column) as u16;
                let shown = self != Self::Alone || item.cells.binary_search(&place).is_ok();
                cells.push(if shown { scene.image().cells[place as usize] } else { scene.ground() });
            }
        }
        Some((height as usize, width as usize, cells))
    }
}

/// The first item to which rules give another colour than 0, cut out.
fn pick_rule(image: Image<'_>, ground: Ground, mode: Mode, cut: Cut, rules: &Rules) -> Option<(usize, usize, Vec<u8>)> {
    let scene = Scene::new(image, ground);
    let decided = decide_items(&scene, mode, rules)?;
    let picked = decided.iter().position(|colour| colour.is_some_and(|colour| colour > 0))?;
    cut.of(&scene, &scene.segments(mode)?.items[picked])
}

const EFFORT: Effort = Effort { tests: 2, rules: 1, lists: 24, steps: 40_000, work: 100, deadline: None };

/// Cost of an operation on the cut-out.
const FINISH: u32 = 8;

const MODES: [Mode; 7] = [Mode::Sides, Mode::Corners, Mode::AnySides, Mode::AnyCorners, Mode::Regions, Mode::Panels, Mode::Colours];

/// Operations on the cut-out, each with its change of size.
const FINISHES: [(&str, Sizes); 11] = [
    ("turned", Sizes::Sides),
    ("squeezed", Sizes::Smaller),
    ("half", Sizes::Smaller),
    ("enlarged", Sizes::Larger),
    ("framed", Sizes::Larger),
    ("exchanged", Sizes::Same),
    ("holes_filled", Sizes::Same),
    ("mirror_repaired", Sizes::Same),
    ("sized", Sizes::Same),
    ("sorted_lines", Sizes::Same),
    ("symmetrized", Sizes::Same),
];

/// How an operation changes the size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sizes {
    /// Not at all.
    Same,
    /// Rows may become columns.
    Sides,
    /// Less of both or of one.
    Smaller,
    /// More of both.
    Larger,
}

impl Sizes {
    fn may_become(self, (height, width): (usize, usize), (rows, columns): (usize, usize)) -> bool {
        match self {
            Self::Same => (height, width) == (rows, columns),
            Self::Sides => (height, width) == (rows, columns) || (height, width) == (columns, rows),
            Self::Smaller => height >= rows && width >= columns && (height, width) != (rows, columns),
            Self::Larger => height < rows && width < columns,
        }
    }
}

/// An operation on what was cut out.
#[derive(Clone, Copy)]
struct Finish {
    call: Call,
    sizes: Sizes,
}

impl Finish {
    /// Nothing, and all operations.
    fn all() -> Vec<Option<Self>> {
        let of = |(name, sizes): (&str, Sizes)| calls_of(&[name]).into_iter().map(move |call| Some(Self { call, sizes }));
        [None].into_iter().chain(FINISHES.into_iter().flat_map(of)).collect()
    }

    /// Applies the operation if its result may have the size.
    fn apply(self, picture: &Picture, size: Option<(usize, usize)>) -> Option<Picture> {
        if size.is_some_and(|size| !self.sizes.may_become(picture.size(), size)) {
            return None;
        }
        let (frame, made) = seen(picture, &[self.call], &mut Work::default())?;
        // What is elsewhere is no grid.
        (frame.row == 0 && frame.column == 0).then_some(made)
    }
}

fn fit(examples: &Examples, budget: FitOptions, _: &mut Vec<Candidate>) -> Vec<Candidate> {
    let mut found = Vec::new();
    let finishes = Finish::all();
    for ground in examples.grounds() {
        let scenes: Vec<Scene<'_>> = examples.demos.iter().map(|demo| Scene::new(demo.0.image(), ground)).collect();
        for mode in MODES {
            for &cut in Cut::ALL {
                if budget.is_over() {
                    return found;
                }
                let pieces = |scene: &Scene<'_>| -> Option<Vec<Option<Picture>>> {
                    Some(scene.segments(mode)?.items.iter().map(|item| cut.of(scene, item).map(Picture::new)).collect())
                };
                let Some(pieces) = scenes.iter().map(pieces).collect::<Option<Vec<_>>>() else { continue };
                for &finish in &finishes {
                    found.extend(in_mode(examples, ground, (mode, cut, finish), &pieces, EFFORT.until(budget)));
                }
            }
        }
    }
    found
}

fn in_mode(
    examples: &Examples,
    ground: Ground,
    (mode, cut, finish): (Mode, Cut, Option<Finish>),
    pieces: &[Vec<Option<Picture>>],
    effort: Effort,
) -> Vec<Candidate> {
    let finished = |piece: &Picture| match finish {
        Some(finish) => finish.apply(piece, None),
        None => Some(piece.clone()),
    };
    let picked = |(demo, pieces): (usize, &Vec<Option<Picture>>)| -> Option<Plane> {
        let output = &examples.demos[demo].1;
        let is_output = |piece: &Option<Picture>| match (piece, finish) {
            (Some(piece), Some(finish)) => finish.apply(piece, Some(output.size())).as_ref() == Some(output),
            (piece, _) => piece.as_ref() == Some(output),
        };
        let picked: Plane = pieces.iter().map(|piece| i16::from(is_output(piece))).collect();
        picked.contains(&1).then_some(picked)
    };
    let Some(picked) = pieces.iter().enumerate().map(picked).collect::<Option<Vec<Plane>>>() else { return Vec::new() };
    let wanted = |demo: usize, _: &Scene<'_>| picked.get(demo).cloned();
    let words = Vocabulary { paints: Vec::new(), ..vocabulary() };
    let Some(mut table) = table(examples, ground, Some(mode), &words, effort, wanted) else { return Vec::new() };
    only_numbers(&mut table);
    let apply =
        |input: &Picture, rules: &[Rule]| pick_rule(input.image(), ground, mode, cut, rules).map(Picture::new).as_ref().and_then(finished);
    let recipe = |rules: &[Rule]| {
        let mut recipe =
            Recipe::of("pickrule", [Argument::Input, Argument::of(&ground), Argument::of(&Picked(mode, cut)), Argument::list(rules)]);
        if let Some(finish) = finish {
            recipe.call(finish.call.name(), finish.call.arguments(recipe.output()));
        }
        recipe
    };
    candidates(examples, &table, apply, recipe, if finish.is_some() { 2 + FINISH } else { 2 })
}

/// Items are picked (1) or not (0): no colour of anything is painted.
fn only_numbers(table: &mut Table) {
    let count = table.wanted.len();
    table.paints = vec![(Paint::Colour(0), vec![0; count], 0), (Paint::Colour(1), vec![1; count], 0)];
    table.defaults = vec![0];
}
