//! Lines: kinds of lines that are right wherever they go, one after the other until nothing is left to explain.

use batt_features::{ANY, From, Ground, Line, Stop, Turn, line_rule};
use batt_image::{Frame, Image};

use crate::emit;
use crate::propose::{Budget, Candidate};
use crate::puzzle::{Picture, Puzzle};

/// The most kinds of lines.
const MOST: usize = 3;
/// Sets of directions: one, two opposite ones, all sides, all corners, all.
const WAYS: [u8; 15] = [1, 2, 4, 8, 16, 32, 64, 128, 3, 12, 48, 192, 15, 240, 255];

pub(crate) fn propose(puzzle: &Puzzle, budget: Budget, parts: &mut Vec<Candidate>) -> Vec<Candidate> {
    if !puzzle.keeps_size() || puzzle.demos.iter().any(|(input, output)| input == output) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for ground in puzzle.grounds() {
        // Lines erase nothing: where cells become background, they explain a part at most.
        let explains = !budget.is_quick || !erases(puzzle, ground);
        if explains && !budget.is_over() {
            found.extend(on_ground(puzzle, ground, budget, parts));
        }
    }
    found
}

/// Whether cells become background.
fn erases(puzzle: &Puzzle, ground: Ground) -> bool {
    puzzle.demos.iter().any(|(input, output)| {
        let ground = ground.of(input.image());
        input.cells.iter().zip(&output.cells).any(|(&from, &to)| to == ground && from != ground)
    })
}

fn on_ground(puzzle: &Puzzle, ground: Ground, budget: Budget, parts: &mut Vec<Candidate>) -> Option<Candidate> {
    let all: Vec<&(Picture, Picture)> = puzzle.demos.iter().collect();
    let (lines, fits) = some_fitted(&all, ground, budget);
    let candidate = |lines: &[Line], foretold: u32| {
        let outputs = puzzle.tests.iter().map(|test| Picture { cells: line_rule(test.image(), ground, lines), ..*test }).collect();
        let call = format!("linerule(I, {}, {})", ground.number(), emit::tuple(lines.iter().map(|line| emit::tuple(line.numbers()))));
        Candidate { program: emit::program(&[call]), bits: lines.iter().map(|line| cost(*line)).sum(), foretold, outputs }
    };
    if !fits {
        parts.extend((1..=lines.len()).map(|count| candidate(&lines[..count], 0)));
        return None;
    }
    let foretold = (0..all.len()).filter(|&left_out| {
        let others: Vec<&(Picture, Picture)> =
            all.iter().enumerate().filter(|(demo, _)| *demo != left_out).map(|(_, demo)| *demo).collect();
        let fits = |lines: Vec<Line>| line_rule(all[left_out].0.image(), ground, &lines) == all[left_out].1.cells;
        !others.is_empty() && fitted(&others, ground, budget).is_some_and(fits)
    });
    let foretold = foretold.fold(0, |all, demo| all | 1 << demo);
    // What foretells nothing was made up.
    if foretold == 0 && all.len() > 1 {
        return None;
    }
    Some(candidate(&lines, foretold))
}

/// Kinds of lines that make the outputs of the inputs: first those that explain most.
fn fitted(demos: &[&(Picture, Picture)], ground: Ground, budget: Budget) -> Option<Vec<Line>> {
    let (lines, fits) = some_fitted(demos, ground, budget);
    fits.then_some(lines)
}

/// The same as far as it goes, and whether that is all the way.
fn some_fitted(demos: &[&(Picture, Picture)], ground: Ground, budget: Budget) -> (Vec<Line>, bool) {
    let mut made: Vec<Picture> = demos.iter().map(|demo| demo.0.clone()).collect();
    let mut lines = Vec::new();
    while lines.len() < MOST {
        let Some(line) = best(&made, demos, ground, budget) else { break };
        lines.push(line);
        for picture in &mut made {
            picture.cells = line_rule(picture.image(), ground, &[line]);
        }
        if made.iter().zip(demos).all(|(made, demo)| made.cells == demo.1.cells) {
            return (lines, true);
        }
    }
    (lines, false)
}

/// The kind of line that is right on most of the cells that differ, and wrong nowhere; of several the simplest.
fn best(made: &[Picture], demos: &[&(Picture, Picture)], ground: Ground, budget: Budget) -> Option<Line> {
    // Where colours differ in each demo, the source may be any.
    let in_all = |colour: u8| made.iter().all(|picture| picture.cells.contains(&colour) && ground.of(picture.image()) != colour);
    let sources: Vec<u8> = (0..10).filter(|&colour| in_all(colour)).chain([ANY]).collect();
    let mut best: Option<(usize, std::cmp::Reverse<u32>, Line)> = None;
    for &source in &sources {
        for from in From::ALL {
            // The directions in which lines of each end are wrong, without and with gaps: together with others they are wrong too.
            let mut wrong = [[0u8; 2]; ENDS];
            for ways in WAYS {
                if budget.is_over() {
                    return None;
                }
                for (end, (stop, turn)) in ends().enumerate() {
                    for dotted in [false, true] {
                        let line = Line { source, from, ways, stop, turn, dotted, paint: ANY };
                        let wrong = &mut wrong[end][usize::from(dotted)];
                        if *wrong & ways != 0 {
                            continue;
                        }
                        let Some((explained, paint)) = explained(line, made, demos, ground) else {
                            *wrong |= ways;
                            continue;
                        };
                        if explained == 0 {
                            continue;
                        }
                        let line = Line { paint, ..line };
                        let rank = (explained, std::cmp::Reverse(cost(line)), line);
                        if best.is_none_or(|best| (best.0, best.1) < (rank.0, rank.1)) {
                            best = Some(rank);
                        }
                    }
                }
            }
        }
    }
    best.map(|(_, _, line)| line)
}

/// The number of ways in which lines end.
const ENDS: usize = Turn::ALL.len() + 2;

fn ends() -> impl Iterator<Item = (Stop, Turn)> {
    let before = Turn::ALL.into_iter().map(|turn| (Stop::Before, turn));
    before.chain([(Stop::Under, Turn::End), (Stop::Over, Turn::End)])
}

/// How many cells that differ a kind of line gets right, and in which colour; `None` if it is wrong somewhere.
fn explained(line: Line, made: &[Picture], demos: &[&(Picture, Picture)], ground: Ground) -> Option<(usize, u8)> {
    let (mut explained, mut fixed, mut is_own) = (0, None, true);
    for (picture, (_, output)) in made.iter().zip(demos) {
        let image = Image { frame: Frame::at_origin(picture.height, picture.width), cells: &picture.cells };
        let is_right = line.trace(image, ground.of(image), |place, own| {
            let wanted = output.cells[place];
            is_own &= wanted == own;
            let is_fixed = *fixed.get_or_insert(wanted) == wanted;
            explained += usize::from(wanted != picture.cells[place]);
            if !is_fixed {
                fixed = Some(ANY);
            }
            is_own || fixed != Some(ANY)
        });
        if !is_right {
            return None;
        }
    }
    let paint = if is_own { ANY } else { fixed.filter(|&colour| colour != ANY)? };
    Some((explained, paint))
}

/// What a kind of line costs: about as many bits as there are alternatives.
fn cost(line: Line) -> u32 {
    let source = if line.source == ANY { 1 } else { 3 };
    let from = if line.from == From::All { 1 } else { 3 };
    let ways = match line.ways.count_ones() {
        1 => 3,
        2 => 4,
        _ => 2,
    };
    let end = match (line.stop, line.turn) {
        (Stop::Before, Turn::End | Turn::HitOwn | Turn::Hit) | (Stop::Under, _) => 2,
        _ => 4,
    };
    4 + source + from + ways + end + if line.dotted { 4 } else { 1 } + if line.paint == ANY { 1 } else { 3 }
}
