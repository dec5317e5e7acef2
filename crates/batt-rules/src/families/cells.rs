//! A colour for each cell by its features.

use batt_core::{Reason, Value};
use batt_vision::{CellKind, Feature, Ground, Image, Scene, cell_colour_features, cell_features, cell_plane};

use crate::examples::{Examples, Picture};
use crate::learn::{Effort, Table};
use crate::propose::{Candidate, FitOptions};
use crate::recipe::{Argument, Recipe};
use crate::row::{FamilyRow, Given, OnViews, RuleRow, Turn, When, columns};
use crate::rules::{Rule, RuleList, Rules, decide_colours, own_colours};
use crate::table::{Vocabulary, candidates, table};

/// A colour for each cell by its features.
pub const CELLS: FamilyRow = FamilyRow {
    name: "rule-cells",
    rules: &[RuleRow {
        name: "cellrule",
        parameters: columns!(image: Image, ground: Number, rules: Tuple),
        sentence: "Every cell in the colour of the first rule that holds for it. A rule is a pair of tests of features and a colour.",
        example: ("cellrule(((1, 2),), 0, ((((0, 0, 0, 0, 1),), 3), ((), (0, 0, 0))))", "((3, 2),)"),
        gives: ("every cell in the colour that a list of rules decides", "lists-of-rules"),
        page: &[],
        apply: applied,
    }],
    place: 11,
    when: When::EarlyAndAfter,
    on_views: OnViews { same_size: Turn::First, other_size: false, cropped: false },
    fit,
};

/// A colour for each cell by what coarse operations make of it.
pub const DRAWN: FamilyRow = FamilyRow {
    name: "rule-drawn",
    rules: &[],
    place: 8,
    when: When::Early,
    on_views: OnViews { same_size: Turn::Last, other_size: false, cropped: false },
    fit: fit_drawn,
};

fn applied(arguments: &[&Value]) -> Result<Picture, Reason> {
    let (image, ground, RuleList(rules)): (Picture, Ground, RuleList) = Given::given(arguments)?;
    apply(&image, ground, &rules).ok_or(Reason::NoMatch)
}

/// Every cell in the colour that rules give it; `None` if they give none to some cell.
fn cell_rule(image: Image<'_>, ground: Ground, rules: &Rules) -> Option<Vec<u8>> {
    let scene = Scene::new(image, ground);
    let own = own_colours(&scene, None)?;
    decide_colours(rules, &own, &scene, &|feature| cell_plane(&scene, feature)).into_iter().collect()
}

const EFFORT: Effort = Effort { tests: 3, rules: 4, lists: 12, steps: 60_000, work: 150, deadline: None };

/// Effort for rules that are fitted to many views of a task.
const QUICK_EFFORT: Effort = Effort { tests: 3, rules: 2, lists: 6, steps: 30_000, work: 60, deadline: None };

/// Rules over all features but those of operations on the whole image.
pub(super) fn fit(examples: &Examples, budget: FitOptions, parts: &mut Vec<Candidate>) -> Vec<Candidate> {
    let plain = |feature: &Feature| feature.kind != CellKind::Drawn as u8;
    with_features(examples, budget, plain, 0, parts)
}

/// Rules over all features, with what operations on the whole image make of cells; on views, where other features failed before, over these
/// and the colours of the cell and its neighbours.
fn fit_drawn(examples: &Examples, budget: FitOptions, parts: &mut Vec<Candidate>) -> Vec<Candidate> {
    let is_near = |feature: &Feature| feature.kind == CellKind::Colour as u8 && feature.a.abs().max(feature.b.abs()) <= 1;
    let such = |feature: &Feature| !budget.is_quick || feature.kind == CellKind::Drawn as u8 || is_near(feature);
    with_features(examples, budget, such, 2, parts)
}

fn with_features(
    examples: &Examples,
    budget: FitOptions,
    such: impl Fn(&Feature) -> bool,
    base: u32,
    parts: &mut Vec<Candidate>,
) -> Vec<Candidate> {
    let cells: usize = examples.demos.iter().map(|demo| demo.0.cells.len()).sum();
    if !examples.keeps_size() || cells > budget.cells {
        return Vec::new();
    }
    let mut found = Vec::new();
    for ground in examples.grounds() {
        if budget.is_over() {
            break;
        }
        let only = |features: Vec<Feature>| features.into_iter().filter(&such).collect();
        let vocabulary = vocabulary(only(cell_features()), only(cell_colour_features()));
        found.extend(chain(examples, ground, &vocabulary, base, budget, &Recipe::default(), parts));
    }
    found
}

fn table_of(examples: &Examples, ground: Ground, words: &Vocabulary, effort: Effort) -> Option<Table> {
    let wanted = |demo: usize| examples.demos[demo].1.cells.iter().map(|&cell| i16::from(cell)).collect();
    table(examples, ground, None, words, effort, |demo, _| Some(wanted(demo)))
}

fn apply(input: &Picture, ground: Ground, rules: &[Rule]) -> Option<Picture> {
    input.with(cell_rule(input.image(), ground, rules))
}

/// Steps and one more.
fn after(steps: &Recipe, ground: Ground, rules: &[Rule]) -> Recipe {
    let mut recipe = steps.clone();
    let input = recipe.output();
    recipe.call("cellrule", [input, Argument::of(&ground), Argument::list(rules)]);
    recipe
}

/// The most rules one after the other.
const MOST_STEPS: usize = 3;
/// The most rules that explain a part, for each step.
const MOST_PARTS: usize = 3;

/// Lists of rules for what earlier steps made of the inputs. Where none fits, the rule that explains most becomes one more step.
fn chain(
    examples: &Examples,
    ground: Ground,
    words: &Vocabulary,
    base: u32,
    budget: FitOptions,
    steps: &Recipe,
    parts: &mut Vec<Candidate>,
) -> Vec<Candidate> {
    let (effort, most) = if budget.is_quick { (QUICK_EFFORT, 1) } else { (EFFORT, MOST_STEPS) };
    let Some(table) = table_of(examples, ground, words, effort.until(budget)) else { return Vec::new() };
    let apply = |input: &Picture, rules: &[Rule]| apply(input, ground, rules);
    let recipe = |rules: &[Rule]| after(steps, ground, rules);
    let found = candidates(examples, &table, apply, recipe, base);
    if !found.is_empty() || steps.calls().len() + 1 == most {
        return found;
    }
    let first = table.first_steps(MOST_PARTS);
    for step in &first {
        let outputs = examples.tests.iter().map(|test| apply(test, &step.rules)).collect::<Option<_>>();
        let bits = base + step.cost;
        parts.extend(outputs.map(|outputs| Candidate { recipe: recipe(&step.rules), bits, foretold: 0, outputs }));
    }
    let Some(step) = first.first() else { return Vec::new() };
    let done = |input: &Picture| apply(input, &step.rules).unwrap_or_else(|| input.clone());
    let next = Examples {
        demos: examples.demos.iter().map(|(input, output)| (done(input), output.clone())).collect(),
        tests: examples.tests.iter().map(done).collect(),
    };
    chain(&next, ground, words, base + step.cost + STEP_COST, budget, &recipe(&step.rules), parts)
}

const STEP_COST: u32 = 6;

pub(super) fn vocabulary(tests: Vec<Feature>, paints: Vec<Feature>) -> Vocabulary {
    let with_cost = |features: Vec<Feature>| features.into_iter().map(|feature| (feature, cost(feature))).collect();
    Vocabulary {
        tests: with_cost(tests),
        paints: with_cost(paints),
        colours: cell_colour_features(),
        own: Feature { kind: CellKind::Colour as u8, a: 0, b: 0 },
    }
}

/// Cost of a feature: about as many bits as its kind has alternatives.
fn cost(feature: Feature) -> u32 {
    let Some(kind) = CellKind::from_number(feature.kind) else { return 20 };
    match kind {
        CellKind::Colour => match (feature.a.unsigned_abs(), feature.b.unsigned_abs()) {
            (0, 0) => 2,
            (a, b) if a + b == 1 => 4,
            (a, b) if a <= 1 && b <= 1 => 5,
            _ => 7,
        },
        CellKind::RayColour | CellKind::Neighbours | CellKind::Between | CellKind::Enclosing => 5,
        CellKind::Mirrored
        | CellKind::NearestColour
        | CellKind::LineColour
        | CellKind::PanelCell
        | CellKind::NextColour
        | CellKind::NeighboursOf
        | CellKind::EdgeColour
        | CellKind::ImageColour
        | CellKind::PanelOfPanels
        | CellKind::LineFilled => 6,
        CellKind::NearestDistance
        | CellKind::DistanceTo
        | CellKind::PanelPlace
        | CellKind::Uniform
        | CellKind::NearestModulo
        | CellKind::Modulo
        | CellKind::RayDistance
        | CellKind::OfItem
        | CellKind::BoxMirrored
        | CellKind::InBox => 7,
        CellKind::OfBox | CellKind::ColourCount | CellKind::Made | CellKind::Drawn | CellKind::Beyond => 8,
        CellKind::Coordinate => 9,
    }
}
