//! One object, panel or region, cut out, and maybe turned or reduced.

use batt_features::{Cut, Ground, Mode, Paint, Plane, Rule, Scene, pick_rule};
use batt_image::{Image, Work, boxes};

use super::objects::vocabulary;
use crate::emit;
use crate::learn::{Effort, Table};
use crate::propose::{Budget, Candidate};
use crate::puzzle::{Picture, Puzzle};
use crate::table::{Vocabulary, candidates, table};

const EFFORT: Effort = Effort { tests: 2, rules: 1, lists: 24, steps: 40_000, work: 100, deadline: None };

/// What an operation on what was cut out costs.
const FINISH: u32 = 8;

const MODES: [Mode; 7] = [Mode::Sides, Mode::Corners, Mode::AnySides, Mode::AnyCorners, Mode::Regions, Mode::Panels, Mode::Colours];

/// What is done with what was cut out: nothing, or an operation with its name and number.
#[derive(Clone, Copy)]
struct Finish {
    name: &'static str,
    number: i32,
    of: fn(Image<'_>, i32, &mut Work) -> Option<()>,
}

impl Finish {
    fn all() -> impl Iterator<Item = Option<Self>> {
        let turned = (0..7).map(|number| Self { name: "turned", number, of: boxes::turned });
        let squeezed = (0..3).map(|number| Self { name: "squeezed", number, of: boxes::squeezed });
        [None].into_iter().chain(turned.chain(squeezed).map(Some))
    }

    fn apply(self, picture: &Picture) -> Option<Picture> {
        let mut work = Work::default();
        (self.of)(picture.image(), self.number, &mut work)?;
        let image = work.out.iter().next()?;
        Some(Picture { height: image.height(), width: image.width(), cells: image.cells.to_vec() })
    }
}

pub(crate) fn propose(puzzle: &Puzzle, budget: Budget) -> Vec<Candidate> {
    let mut found = Vec::new();
    for ground in puzzle.grounds() {
        let scenes: Vec<Scene<'_>> = puzzle.demos.iter().map(|demo| Scene::new(demo.0.image(), ground)).collect();
        for mode in MODES {
            for cut in Cut::ALL {
                if budget.is_over() {
                    return found;
                }
                let pieces = |scene: &Scene<'_>| -> Option<Vec<Option<Picture>>> {
                    Some(scene.segments(mode)?.items.iter().map(|item| cut.of(scene, item).map(Picture::new)).collect())
                };
                let Some(pieces) = scenes.iter().map(pieces).collect::<Option<Vec<_>>>() else { continue };
                for finish in Finish::all() {
                    found.extend(in_mode(puzzle, ground, (mode, cut, finish), &pieces, EFFORT.until(budget)));
                }
            }
        }
    }
    found
}

fn in_mode(
    puzzle: &Puzzle,
    ground: Ground,
    (mode, cut, finish): (Mode, Cut, Option<Finish>),
    pieces: &[Vec<Option<Picture>>],
    effort: Effort,
) -> Vec<Candidate> {
    let finished = |piece: &Picture| match finish {
        Some(finish) => finish.apply(piece),
        None => Some(piece.clone()),
    };
    let wanted = |demo: usize, _: &Scene<'_>| -> Option<Plane> {
        let output = &puzzle.demos[demo].1;
        let is_output = |piece: &Option<Picture>| piece.as_ref().and_then(finished).as_ref() == Some(output);
        let picked: Plane = pieces[demo].iter().map(|piece| i16::from(is_output(piece))).collect();
        picked.contains(&1).then_some(picked)
    };
    let words = Vocabulary { paints: Vec::new(), ..vocabulary() };
    let Some(mut table) = table(puzzle, ground, Some(mode), &words, effort, wanted) else { return Vec::new() };
    only_numbers(&mut table);
    let apply =
        |input: &Picture, rules: &[Rule]| pick_rule(input.image(), ground, mode, cut, rules).map(Picture::new).as_ref().and_then(finished);
    let number = mode as u8 + 10 * cut as u8;
    let program = |rules: &[Rule]| {
        let mut calls = vec![format!("pickrule(I, {}, {number}, {})", ground.number(), emit::rules(rules))];
        calls.extend(finish.map(|Finish { name, number, .. }| format!("{name}(x1, {number})")));
        emit::program(&calls)
    };
    candidates(puzzle, &table, apply, program, if finish.is_some() { 2 + FINISH } else { 2 })
}

/// Items are picked (1) or not (0): no colour of anything is painted.
fn only_numbers(table: &mut Table) {
    let count = table.wanted.len();
    table.paints = vec![(Paint::Colour(0), vec![0; count], 0), (Paint::Colour(1), vec![1; count], 0)];
    table.defaults = vec![0];
}
