//! Choices: outputs that are one of a few grids, by counts and other features of what is drawn.

use batt_vision::{COLOURS, Ground, MOST_PATTERNS, Mode, Paint, Pattern, Rule, Scene, choose_rule};

use super::objects::vocabulary;
use crate::emit;
use crate::learn::Effort;
use crate::propose::{Budget, Candidate};
use crate::puzzle::{Picture, Puzzle};
use crate::table::{Vocabulary, candidates, table};

const EFFORT: Effort = Effort { tests: 1, rules: MOST_PATTERNS, lists: 12, steps: 10_000, work: 60, deadline: None };

/// The most cells of an output.
const MOST_CELLS: usize = 100;
/// What a grid costs besides the rule that chooses it.
const PATTERN: u32 = 3;

pub(super) fn propose(puzzle: &Puzzle, budget: Budget) -> Vec<Candidate> {
    let mut found = Vec::new();
    if puzzle.demos.iter().any(|(_, output)| output.cells.len() > MOST_CELLS) {
        return found;
    }
    for ground in puzzle.grounds() {
        for is_coloured in [false, true] {
            if !budget.is_over() {
                found.extend(chosen(puzzle, ground, is_coloured, EFFORT.until(budget)).unwrap_or_default());
            }
        }
    }
    // A view is one more thing to choose: what it shows must foretell all demos.
    let all = (1 << puzzle.demos.len()) - 1;
    found.retain(|candidate| !budget.is_quick || candidate.foretold == all);
    found
}

/// Choices of outputs as they are, or with the most common colour of each image for all images.
fn chosen(puzzle: &Puzzle, ground: Ground, is_coloured: bool, effort: Effort) -> Option<Vec<Candidate>> {
    let mut patterns: Vec<Pattern> = Vec::new();
    let mut numbers: Vec<i16> = Vec::new();
    for (input, output) in &puzzle.demos {
        let main = Scene::new(input.image(), ground).main_colour()?;
        let abstracted = |&cell: &u8| if is_coloured && cell == main { COLOURS as u8 } else { cell };
        let pattern = (output.height, output.width, output.cells.iter().map(abstracted).collect());
        let number = patterns.iter().position(|other| *other == pattern);
        numbers.push(number.unwrap_or(patterns.len()) as i16);
        if number.is_none() {
            patterns.push(pattern);
        }
    }
    // Grids that all occur once are not chosen; one grid for all is no choice.
    let is_choice = patterns.len() < numbers.len() && patterns.len() <= MOST_PATTERNS && (patterns.len() > 1 || is_coloured);
    if !is_choice || (is_coloured && patterns.iter().all(|pattern| !pattern.2.contains(&(COLOURS as u8)))) {
        return None;
    }
    let words = Vocabulary { paints: Vec::new(), ..vocabulary() };
    let wanted = |demo: usize, scene: &Scene<'_>| (scene.segments(Mode::Whole)?.items.len() == 1).then(|| vec![numbers[demo]]);
    let mut table = table(puzzle, ground, Some(Mode::Whole), &words, effort, wanted)?;
    let count = numbers.len();
    table.paints = (0..patterns.len() as u8).map(|number| (Paint::Colour(number), vec![i16::from(number); count], 1)).collect();
    table.defaults = (0..patterns.len()).collect();
    let apply = |input: &Picture, rules: &[Rule]| choose_rule(input.image(), ground, rules, &patterns).map(Picture::new);
    let row = |cells: &[u8]| emit::tuple(cells.iter());
    let grids = emit::tuple(patterns.iter().map(|(_, width, cells)| emit::tuple(cells.chunks(*width).map(row))));
    let program = |rules: &[Rule]| emit::program(&[format!("chooserule(I, {}, {}, {grids})", ground.number(), emit::rules(rules))]);
    let mut found = candidates(puzzle, &table, apply, program, 2 + PATTERN * patterns.len() as u32);
    // A few images have many features in common: what foretells no demo was made up.
    found.retain(|candidate| candidate.foretold > 0);
    Some(found)
}
