//! One object, panel or region, cut out, and maybe turned or reduced.

use batt_vision::{Cut, Ground, Mode, Paint, Plane, Rule, Scene, Work, pick_rule};

use super::objects::vocabulary;
use crate::emit;
use crate::learn::{Effort, Table};
use crate::propose::{Budget, Candidate};
use crate::puzzle::{Picture, Puzzle};
use crate::table::{Vocabulary, candidates, table};
use crate::views::calls::{Call, calls_of, seen};

const EFFORT: Effort = Effort { tests: 2, rules: 1, lists: 24, steps: 40_000, work: 100, deadline: None };

/// What an operation on what was cut out costs.
const FINISH: u32 = 8;

const MODES: [Mode; 7] = [Mode::Sides, Mode::Corners, Mode::AnySides, Mode::AnyCorners, Mode::Regions, Mode::Panels, Mode::Colours];

/// What is done with what was cut out, besides nothing, and how the size changes.
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

    /// What becomes of a picture, if that may have a size.
    fn apply(self, picture: &Picture, size: Option<(usize, usize)>) -> Option<Picture> {
        if size.is_some_and(|size| !self.sizes.may_become(picture.size(), size)) {
            return None;
        }
        let (frame, made) = seen(picture, &[self.call], &mut Work::default())?;
        // What is elsewhere is no grid.
        (frame.row == 0 && frame.column == 0).then_some(made)
    }
}

pub(crate) fn propose(puzzle: &Puzzle, budget: Budget) -> Vec<Candidate> {
    let mut found = Vec::new();
    let finishes = Finish::all();
    for ground in puzzle.grounds() {
        let scenes: Vec<Scene<'_>> = puzzle.demos.iter().map(|demo| Scene::new(demo.0.image(), ground)).collect();
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
        Some(finish) => finish.apply(piece, None),
        None => Some(piece.clone()),
    };
    let picked = |(demo, pieces): (usize, &Vec<Option<Picture>>)| -> Option<Plane> {
        let output = &puzzle.demos[demo].1;
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
    let Some(mut table) = table(puzzle, ground, Some(mode), &words, effort, wanted) else { return Vec::new() };
    only_numbers(&mut table);
    let apply =
        |input: &Picture, rules: &[Rule]| pick_rule(input.image(), ground, mode, cut, rules).map(Picture::new).as_ref().and_then(finished);
    let number = mode as u8 + 10 * cut as u8;
    let program = |rules: &[Rule]| {
        let mut calls = vec![format!("pickrule(I, {}, {number}, {})", ground.number(), emit::rules(rules))];
        calls.extend(finish.map(|finish| finish.call.text("x1")));
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
