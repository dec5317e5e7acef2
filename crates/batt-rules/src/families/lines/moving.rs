//! Items that move, all of those of one kind in the same way: part of the family of lines, since what they go along are lines.

use batt_core::{Reason, Value};
use batt_vision::{COLOURS, Feature, Ground, ItemKind, Mode, Plane, Scene};

use super::moves::{ALIGNMENTS, Heading, Move, TARGETS, move_rule, moved};
use crate::examples::{Examples, Picture};
use crate::propose::{Candidate, FitOptions};
use crate::recipe::{Argument, Recipe};
use crate::row::{Given, Part, RuleRow, columns};
use crate::rules::{Operator, Rule, RuleList, Test, planes};

/// Objects that move.
pub(super) const ROW: RuleRow = RuleRow {
    name: "moverule",
    parameters: columns!(image: Image, ground: Number, mode: Number, rules: Tuple),
    sentence: "Every object moved as the first rule that holds for it says: it stays, vanishes, slides, steps, moves in line with another.",
    example: ("moverule(((1, 0, 0, 2),), 0, 0, ((((0, 0, 0, 0, 1),), (2, 3, 0)),))", "((0, 0, 1, 2),)"),
    gives: ("every object moved as a list of rules decides", "moverule"),
    page: &[Part::Text(PAGE)],
    apply: applied,
};

const PAGE: &str = "A paint of `moverule` is a move:

| move | object |
|---|---|
| `(0, 0, 0)` | stays |
| `(1, 0, 0)` | vanishes |
| `(2, way, 0)` | slides until something stops it |
| `(3, target, 0)` | slides towards the nearest cell of the target straight ahead to a side |
| `(3, target, 1)` | moves one step towards it, along a diagonal where no side has a target |
| `(3, target, 2)` | moves next to it, whatever is between |
| `(3, target, 3)` | slides towards it and takes the colour of what stops it |
| `(4, rows, columns)` | moves by rows and columns |
| `(5, way, 0)` | moves by its own size, up, down, left or right |
| `(6, target, line)` | moves in line with the nearest object of the target |

- A way is a direction (0 to 7), towards the nearest edge (8), towards the largest other object (9),
  away from it (10), to where its cells of other colours lie (11), away from there (12).
- A target is a colour, 10 for any, 11 for the object's own, 12 for any other.
- A line aligns rows (0 to 2), columns (3 to 5) or both (6 to 8): first edges, middles, last edges.

Objects that move leave the image first. Objects with the shortest way arrive first and stop the
others. Objects without a target vanish.
";

fn applied(arguments: &[&Value]) -> Result<Picture, Reason> {
    let (image, ground, mode, RuleList(rules)): (Picture, Ground, Mode, RuleList) = Given::given(arguments)?;
    image.with(move_rule(image.image(), ground, mode, &rules)).ok_or(Reason::NoMatch)
}

/// Movable items and the cost of each choice: cells, objects of one colour and of several, all cells of a colour.
const MODES: [(Mode, u32); 6] =
    [(Mode::Cells, 1), (Mode::Sides, 2), (Mode::Corners, 1), (Mode::AnySides, 3), (Mode::AnyCorners, 2), (Mode::Colours, 3)];
/// The most items of a demo.
const MOST_ITEMS: usize = 300;
/// The longest step that is tried.
const REACH: i8 = 3;
/// The most candidates.
const MOST: usize = 2;

pub(super) fn fit(examples: &Examples, budget: FitOptions) -> Vec<Candidate> {
    let mut fits = Vec::new();
    // One demo foretells no other.
    if examples.demos.len() < 2 || !examples.keeps_size() {
        return Vec::new();
    }
    for ground in examples.grounds() {
        let Some(kept) = kept(examples, ground) else { continue };
        for (mode, bits) in MODES {
            if budget.is_over() {
                return Vec::new();
            }
            in_mode(examples, ground, (mode, bits), kept, budget, &mut fits);
        }
    }
    chosen(examples, &fits)
}

/// Items of one kind that make one move.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Fit {
    bits: u32,
    ground: Ground,
    mode: Mode,
    rule: Rule,
    /// The demos that it makes, a bit each.
    demos: u32,
}

/// Whether outputs have as many cells of each colour as inputs; `None` if no items move: nothing goes away, or there is more than before.
fn kept(examples: &Examples, ground: Ground) -> Option<bool> {
    let mut kept = true;
    for (input, output) in &examples.demos {
        let ground = ground.of(input.image());
        let (before, after) = (input.image().counts(), output.image().counts());
        let erases = input.cells.iter().zip(&output.cells).any(|(&from, &to)| to == ground && from != ground);
        if !erases || after[ground as usize] < before[ground as usize] {
            return None;
        }
        kept &= before == after;
    }
    Some(kept)
}

/// The items of the demos in a mode, and what of them changes.
struct Items<'a> {
    scenes: &'a [Scene<'a>],
    mode: Mode,
    /// Whether items may not stay, for all demos one after the other.
    changes: Vec<Vec<bool>>,
}

fn in_mode(examples: &Examples, ground: Ground, (mode, bits): (Mode, u32), kept: bool, budget: FitOptions, fits: &mut Vec<Fit>) {
    let scenes: Vec<Scene<'_>> = examples.demos.iter().map(|demo| Scene::new(demo.0.image(), ground)).collect();
    let mut changes = Vec::new();
    for (scene, (_, output)) in scenes.iter().zip(&examples.demos) {
        let Some(segments) = scene.segments(mode).filter(|segments| segments.items.len() <= MOST_ITEMS) else { return };
        let changed = |&cell: &u16| output.cells[cell as usize] != scene.image().cells[cell as usize];
        changes.push(segments.items.iter().map(|item| item.cells.iter().any(changed)).collect());
    }
    let items = Items { scenes: &scenes, mode, changes };
    for (tests, masks, test_bits) in items.kinds() {
        for &(by, move_bits) in &moves(examples, kept) {
            if budget.is_over() {
                return;
            }
            let mut made = 0;
            for (demo, (scene, (_, output))) in scenes.iter().zip(&examples.demos).enumerate() {
                let Some(segments) = scene.segments(mode) else { return };
                let moves: Vec<Move> = masks[demo].iter().map(|&is_moved| if is_moved { by } else { Move::Stay }).collect();
                made |= u32::from(moved(scene, &segments.items, &moves) == output.cells) << demo;
                // A fit that misses two demos is of no use for leaving one out.
                if (made.count_ones() as usize) + 1 < demo + 1 {
                    break;
                }
            }
            if made.count_ones() as usize + 1 >= scenes.len() {
                let rule = Rule { tests: tests.clone(), paint: by.paint() };
                fits.push(Fit { bits: bits + test_bits + move_bits, ground, mode, rule, demos: made });
            }
        }
    }
}

/// Tests that say which items move, for each demo which these are, and what the tests cost.
type Kind = (Vec<Test>, Vec<Vec<bool>>, u32);

impl Items<'_> {
    /// Kinds of items that have all those in them that change, but for one demo; nothing twice.
    fn kinds(&self) -> Vec<Kind> {
        let mut kinds: Vec<Kind> = Vec::new();
        let everything = self.changes.iter().map(|changes| vec![true; changes.len()]).collect();
        kinds.push((Vec::new(), everything, 0));
        for (test, bits) in tests() {
            let columns = |kind: ItemKind| -> Option<Vec<Plane>> {
                let feature = Feature { kind: kind as u8, a: 0, b: 0 };
                self.scenes.iter().map(|scene| planes(scene, Some(self.mode), feature)).collect()
            };
            let feature = Feature { a: 0, b: 0, ..test.feature };
            let values: Option<Vec<Plane>> = self.scenes.iter().map(|scene| planes(scene, Some(self.mode), feature)).collect();
            let (Some(values), Some(own)) = (values, columns(ItemKind::Colour)) else { continue };
            let masks: Vec<Vec<bool>> = values
                .iter()
                .zip(&own)
                .map(|(values, own)| values.iter().zip(own).map(|(&value, &own)| test.holds(value, own)).collect())
                .collect();
            let missed = masks
                .iter()
                .zip(&self.changes)
                .filter(|(mask, changes)| mask.iter().zip(*changes).any(|(&is_in, &changes)| changes && !is_in));
            if missed.count() <= 1 && masks.iter().all(|mask| mask.contains(&true)) && kinds.iter().all(|(_, others, _)| *others != masks) {
                kinds.push((vec![test], masks, bits));
            }
        }
        kinds
    }
}

/// The tests that say which items move: of one colour or of any other, of the colour that leads in something, the largest, single cells.
fn tests() -> Vec<(Test, u32)> {
    let test = |operator: Operator, kind: ItemKind, value: i16| Test { operator, feature: Feature { kind: kind as u8, a: 0, b: 0 }, value };
    let mut tests = Vec::new();
    for colour in 0..COLOURS as i16 {
        tests.push((test(Operator::Equal, ItemKind::Colour, colour), 4));
        tests.push((test(Operator::Unequal, ItemKind::Colour, colour), 5));
    }
    for kind in [ItemKind::MostCommon, ItemKind::LeastCommon, ItemKind::LargestColour, ItemKind::SmallestColour] {
        tests.push((test(Operator::Own, kind, 0), 5));
        tests.push((test(Operator::NotOwn, kind, 0), 5));
    }
    for kind in [ItemKind::Larger, ItemKind::Smaller, ItemKind::Holes, ItemKind::Edges, ItemKind::SameColour, ItemKind::Touching] {
        tests.push((test(Operator::Equal, kind, 0), 5));
        tests.push((test(Operator::Unequal, kind, 0), 5));
    }
    for (kind, bits) in [(ItemKind::Size, 5), (ItemKind::Colours, 5), (ItemKind::Line, 5)] {
        tests.push((test(Operator::Equal, kind, 1), bits));
        tests.push((test(Operator::Unequal, kind, 1), bits));
    }
    tests
}

/// The moves that are tried, and what each costs: targets are colours that all inputs have.
fn moves(examples: &Examples, kept: bool) -> Vec<(Move, u32)> {
    let is_there = |target: &u8| usize::from(*target) >= COLOURS || examples.inputs().all(|input| input.cells.contains(target));
    let targets: Vec<u8> = (0..TARGETS).filter(is_there).collect();
    let mut moves = Vec::new();
    moves.extend(targets.iter().flat_map(|&target| [(Move::Towards(target), 5), (Move::Through(target), 5)]));
    if !kept {
        moves.extend(targets.iter().map(|&target| (Move::Into(target), 7)));
        return moves;
    }
    moves.extend((0..Heading::COUNT).map(|way| (Move::Slide(Heading(way)), 4 + u32::from(way / 4).min(2))));
    moves.extend((0..4).map(|way| (Move::OwnSize(way), 6)));
    moves.extend(targets.iter().map(|&target| (Move::StepTowards(target), 6)));
    moves.extend(targets.iter().flat_map(|&target| (0..ALIGNMENTS).map(move |how| (Move::Align(target, how), 7))));
    for rows in -REACH..=REACH {
        let columns = (-REACH..=REACH).filter(|&columns| (rows, columns) != (0, 0));
        moves.extend(columns.map(|columns| (Move::Step(rows, columns), 6 + u32::from(rows.unsigned_abs() + columns.unsigned_abs()))));
    }
    moves
}

/// The simplest fits, if the simplest without each demo foretells it.
fn chosen(examples: &Examples, fits: &[Fit]) -> Vec<Candidate> {
    let all = (1 << examples.demos.len()) - 1;
    // Of fits that are as simple, one that fits all demos is meant.
    let simplest = |demos: u32| fits.iter().filter(|fit| fit.demos & demos == demos).min_by_key(|fit| (fit.bits, fit.demos != all, *fit));
    let is_foretold = |demo: usize| simplest(all & !(1 << demo)).is_some_and(|fit| fit.demos >> demo & 1 == 1);
    if !(0..examples.demos.len()).all(is_foretold) {
        return Vec::new();
    }
    let mut right: Vec<&Fit> = fits.iter().filter(|fit| fit.demos == all).collect();
    right.sort();
    let mut found: Vec<Candidate> = Vec::new();
    for fit in right {
        let rules = std::slice::from_ref(&fit.rule);
        let apply = |test: &Picture| {
            let cells = move_rule(test.image(), fit.ground, fit.mode, rules)?;
            Some(Picture { cells, ..*test })
        };
        let Some(outputs) = examples.tests.iter().map(apply).collect::<Option<Vec<Picture>>>() else { continue };
        if found.iter().any(|other| other.outputs == outputs) {
            continue;
        }
        let arguments = [Argument::Input, Argument::of(&fit.ground), Argument::of(&fit.mode), Argument::list(rules)];
        found.push(Candidate { recipe: Recipe::of("moverule", arguments), bits: 4 + fit.bits, foretold: all, outputs });
        if found.len() == MOST {
            break;
        }
    }
    found
}
