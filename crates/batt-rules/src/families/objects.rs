//! A colour for each object, background region or line: recolour, delete, keep.

use batt_core::{Reason, Value};
use batt_vision::{Feature, Ground, Image, ItemKind, Mode, NONE, Plane, Scene, item_colour_features, item_features};

use crate::examples::{Examples, Picture};
use crate::learn::{Effort, Table};
use crate::propose::{Candidate, FitOptions};
use crate::recipe::{Argument, Recipe};
use crate::row::{FamilyRow, Given, OnViews, RuleRow, Turn, When, columns};
use crate::rules::{Rule, RuleList, Rules, decide_items};
use crate::table::{Vocabulary, candidates, table};

/// A colour for each object.
pub const OBJECTS: FamilyRow = FamilyRow {
    name: "rule-objects",
    rules: &[RuleRow {
        name: "objectrule",
        parameters: columns!(image: Image, ground: Number, mode: Number, rules: Tuple),
        sentence: "Every object in the colour of the first rule that holds for it; others stay as they are.",
        example: ("objectrule(((1, 0, 1, 1),), 0, 0, ((((0, 1, 0, 0, 2),), 3),))", "((1, 0, 3, 3),)"),
        gives: ("every object in the colour that a list of rules decides", "lists-of-rules"),
        page: &[],
        apply: applied,
    }],
    place: 0,
    when: When::EarlyAndAfter,
    on_views: OnViews { same_size: Turn::First, other_size: false, cropped: true },
    fit,
};

fn applied(arguments: &[&Value]) -> Result<Picture, Reason> {
    let (image, ground, mode, RuleList(rules)): (Picture, Ground, Mode, RuleList) = Given::given(arguments)?;
    apply(&image, ground, mode, &rules).ok_or(Reason::NoMatch)
}

/// The image with its items in the colours that rules give them; those that get none stay as they are.
fn object_rule(image: Image<'_>, ground: Ground, mode: Mode, rules: &Rules) -> Option<Vec<u8>> {
    let scene = Scene::new(image, ground);
    let decided = decide_items(&scene, mode, rules)?;
    let mut cells = image.cells.to_vec();
    for (item, &colour) in scene.segments(mode)?.items.iter().zip(&decided) {
        if let Some(colour) = colour {
            item.cells.iter().for_each(|&place| cells[place as usize] = colour);
        }
    }
    Some(cells)
}

const EFFORT: Effort = Effort { tests: 2, rules: 4, lists: 12, steps: 40_000, work: 100, deadline: None };

const MODES: [Mode; 8] =
    [Mode::Sides, Mode::Corners, Mode::AnySides, Mode::AnyCorners, Mode::Regions, Mode::Colours, Mode::Rows, Mode::Columns];

fn fit(examples: &Examples, budget: FitOptions, _: &mut Vec<Candidate>) -> Vec<Candidate> {
    if !examples.keeps_size() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for ground in examples.grounds() {
        for mode in MODES {
            if budget.is_over() {
                return found;
            }
            found.extend(in_mode(examples, ground, mode, EFFORT.until(budget)));
        }
    }
    found
}

fn in_mode(examples: &Examples, ground: Ground, mode: Mode, effort: Effort) -> Vec<Candidate> {
    let Some(table) = items(examples, ground, mode, effort) else { return Vec::new() };
    candidates(examples, &table, |input, rules| apply(input, ground, mode, rules), |rules| recipe(ground, mode, rules), BASE)
}

/// Base cost of a list of rules.
const BASE: u32 = 2;

fn apply(input: &Picture, ground: Ground, mode: Mode, rules: &[Rule]) -> Option<Picture> {
    input.with(object_rule(input.image(), ground, mode, rules))
}

fn recipe(ground: Ground, mode: Mode, rules: &[Rule]) -> Recipe {
    Recipe::of("objectrule", [Argument::Input, Argument::of(&ground), Argument::of(&mode), Argument::list(rules)])
}

/// A table of items and the colour of each in the output.
fn items(examples: &Examples, ground: Ground, mode: Mode, effort: Effort) -> Option<Table> {
    let wanted = |demo: usize, scene: &Scene<'_>| wanted(scene, mode, &examples.demos[demo].1);
    let table = table(examples, ground, Some(mode), &vocabulary(), effort, wanted)?;
    Some(Table { keeps: true, ..table })
}

/// The colour of each item in the output; `None` if one that changes has several, or something else changes.
fn wanted(scene: &Scene<'_>, mode: Mode, output: &Picture) -> Option<Plane> {
    let segments = scene.segments(mode)?;
    let image = scene.image().cells;
    let is_same = |place: usize| image[place] == output.cells[place];
    if !segments.labels.iter().enumerate().all(|(place, &label)| label != NONE || is_same(place)) {
        return None;
    }
    let colour = |cells: &[u16]| {
        let first = output.cells[usize::from(*cells.first()?)];
        cells.iter().all(|&place| output.cells[usize::from(place)] == first).then_some(i16::from(first))
    };
    let stays = |cells: &[u16]| cells.iter().all(|&place| is_same(place as usize));
    // No rule may decide an item of several colours that stays as it is.
    segments.items.iter().map(|item| colour(&item.cells).or_else(|| stays(&item.cells).then_some(NONE))).collect()
}

pub(super) fn vocabulary() -> Vocabulary {
    let with_cost = |features: &mut dyn Iterator<Item = Feature>| features.map(|feature| (feature, cost(feature))).collect();
    Vocabulary {
        tests: with_cost(&mut item_features()),
        paints: with_cost(&mut item_colour_features()),
        colours: item_colour_features().collect(),
        own: Feature { kind: ItemKind::Colour as u8, a: 0, b: 0 },
    }
}

/// Cost of a feature: about as many bits as there are equally likely alternatives.
fn cost(feature: Feature) -> u32 {
    let Some(kind) = ItemKind::from_number(feature.kind) else { return 20 };
    match kind {
        ItemKind::Colour | ItemKind::Larger | ItemKind::Smaller | ItemKind::Size => 3,
        ItemKind::Holes
        | ItemKind::Edges
        | ItemKind::SameShape
        | ItemKind::SameTurned
        | ItemKind::Colours
        | ItemKind::MirrorAny
        | ItemKind::Solid
        | ItemKind::Square
        | ItemKind::MirrorLeftRight
        | ItemKind::MirrorUpDown
        | ItemKind::Touching => 4,
        ItemKind::Top | ItemKind::Left | ItemKind::Order | ItemKind::Items | ItemKind::Height | ItemKind::Width => 7,
        ItemKind::OrderParity | ItemKind::RowParity | ItemKind::ColumnParity | ItemKind::SizeParity => 6,
        _ => 5,
    }
}
