//! A colour for each object, background region or line: recolour, delete, keep.

use batt_vision::{Feature, Ground, ItemKind, Mode, NONE, Plane, Rule, Scene, item_colour_features, item_features, object_rule};

use crate::emit;
use crate::learn::{self, Effort, Table};
use crate::propose::{Budget, Candidate};
use crate::puzzle::{FREE, Picture, Puzzle};
use crate::table::{Vocabulary, candidates, table};

const EFFORT: Effort = Effort { tests: 2, rules: 4, lists: 12, steps: 40_000, work: 100, deadline: None };

const MODES: [Mode; 8] =
    [Mode::Sides, Mode::Corners, Mode::AnySides, Mode::AnyCorners, Mode::Regions, Mode::Colours, Mode::Rows, Mode::Columns];

pub(crate) fn propose(puzzle: &Puzzle, budget: Budget) -> Vec<Candidate> {
    if !puzzle.keeps_size() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for ground in puzzle.grounds() {
        for mode in MODES {
            if budget.is_over() {
                return found;
            }
            found.extend(in_mode(puzzle, ground, mode, EFFORT.until(budget)));
        }
    }
    found
}

fn in_mode(puzzle: &Puzzle, ground: Ground, mode: Mode, effort: Effort) -> Vec<Candidate> {
    let Some(table) = items(puzzle, ground, mode, effort, false) else { return Vec::new() };
    candidates(puzzle, &table, |input, rules| apply(input, ground, mode, rules), |rules| program(ground, mode, rules), BASE)
}

/// What a list of rules costs besides them.
const BASE: u32 = 2;

fn apply(input: &Picture, ground: Ground, mode: Mode, rules: &[Rule]) -> Option<Picture> {
    Some(Picture { cells: object_rule(input.image(), ground, mode, rules)?, ..*input })
}

fn program(ground: Ground, mode: Mode, rules: &[Rule]) -> String {
    emit::program(&[format!("objectrule(I, {}, {}, {})", ground.number(), mode as u8, emit::rules(rules))])
}

/// Rules that are right on the items that change as a whole, where something else changes too.
pub(super) fn parts(puzzle: &Puzzle, budget: Budget) -> Vec<Candidate> {
    let mut found = Vec::new();
    for ground in puzzle.grounds() {
        for mode in MODES {
            if budget.is_over() {
                return found;
            }
            let effort = Effort { rules: 2, lists: 1, ..EFFORT.until(budget) };
            let Some(table) = items(puzzle, ground, mode, effort, true) else { continue };
            for list in table.fit(None, effort.lists) {
                let outputs = puzzle.tests.iter().map(|test| apply(test, ground, mode, &list.rules)).collect::<Option<_>>();
                let candidate =
                    |outputs| Candidate { program: program(ground, mode, &list.rules), bits: BASE + list.cost, foretold: 0, outputs };
                found.extend(outputs.filter(|_| !list.rules.is_empty()).map(candidate));
            }
        }
    }
    found
}

/// A table of items; of those that change as a whole if rules may explain a part.
fn items(puzzle: &Puzzle, ground: Ground, mode: Mode, effort: Effort, is_part: bool) -> Option<Table> {
    let wanted = |demo: usize, scene: &Scene<'_>| wanted(scene, mode, &puzzle.demos[demo].1, is_part);
    let table = table(puzzle, ground, Some(mode), &vocabulary(), effort, wanted)?;
    Some(Table { keeps: true, ..table })
}

/// The colour of each item in the output. If one has several, or something else changes, no rule may decide it where a part is to be explained;
/// otherwise there is no rule.
fn wanted(scene: &Scene<'_>, mode: Mode, output: &Picture, is_part: bool) -> Option<Plane> {
    let segments = scene.segments(mode)?;
    let image = scene.image().cells;
    let is_same = |place: usize| image[place] == output.cells[place] || output.cells[place] == FREE;
    if !is_part && !segments.labels.iter().enumerate().all(|(place, &label)| label != NONE || is_same(place)) {
        return None;
    }
    let colour = |cells: &[u16]| {
        let mut decided = cells.iter().map(|&place| output.cells[place as usize]).filter(|&colour| colour != FREE);
        let Some(first) = decided.next() else { return Some(learn::FREE) };
        decided.all(|colour| colour == first).then_some(i16::from(first))
    };
    let stays = |cells: &[u16]| is_part || cells.iter().all(|&place| is_same(place as usize));
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

/// What a feature costs: about as many bits as there are alternatives that are as likely.
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
