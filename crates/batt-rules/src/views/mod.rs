//! Views: a task seen through lenses, every kind of rule on what is seen, and back.
//!
//! A rule that is fitted to a view has the roles that the view gives as its arguments: a colour is the one that leads in a measure, a direction
//! the one in which something lies, a part of the image the one that a call picks.

pub(crate) mod calls;
mod enumerate;
mod lens;

use crate::propose::{Budget, Candidate, Family, fitted};
use crate::puzzle::{Picture, Puzzle};
use enumerate::{early, late};
use lens::{Lens, Shown};

/// The kinds of rules for outputs as large as what is seen, and for others.
const SAME_SIZE: [Family; 5] = [Family::Cells, Family::Objects, Family::Lines, Family::Stamps, Family::Periods];
/// Those that are tried on the first view where no other kind fits it, and that must foretell all demos: with less, few of them are right.
const LAST: [Family; 2] = [Family::Drawn, Family::Sweeps];
/// The kinds for outputs that are cut out of what they make: most things are erased.
const CROPPED: [Family; 1] = [Family::Objects];
const OTHER_SIZE: [Family; 4] = [Family::Pick, Family::Panels, Family::Periods, Family::Layouts];

/// Rules on the views that cost little.
pub(crate) fn propose(puzzle: &Puzzle, budget: Budget) -> Vec<Candidate> {
    through(early(puzzle, budget), budget)
}

/// Rules on all other views.
pub(crate) fn propose_late(puzzle: &Puzzle, budget: Budget) -> Vec<Candidate> {
    through(late(puzzle, budget), Budget { is_quick: true, ..budget })
}

/// Every kind of rule on every view, as rules on the task.
fn through(views: Vec<View>, budget: Budget) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (place, view) in views.into_iter().enumerate() {
        let keeps_size = view.puzzle.keeps_size();
        let all = (1 << view.puzzle.demos.len()) - 1;
        let is_cropped = view.lenses.iter().any(|(lens, _)| matches!(lens, Lens::Cropped));
        let families: &[Family] = match keeps_size {
            true if is_cropped => &CROPPED,
            true => &SAME_SIZE,
            false => &OTHER_SIZE,
        };
        let budget = Budget { is_quick: budget.is_quick || !keeps_size, ..budget };
        let before = found.len();
        for &family in families.iter().filter(|family| budget.without != Some(**family)) {
            if budget.is_over() {
                return found;
            }
            // Rules that erase most things often fit by chance: with less than all demos foretold, few of them are right.
            let fits = fitted(family, &view.puzzle, budget, &mut Vec::new()).into_iter().filter(|fit| !is_cropped || fit.foretold == all);
            found.extend(fits.filter_map(|candidate| view.unlift(candidate)));
        }
        for &family in LAST.iter().filter(|family| place == 0 && keeps_size && !is_cropped && budget.without != Some(**family)) {
            if found.len() > before || budget.is_over() {
                break;
            }
            let fits = fitted(family, &view.puzzle, budget, &mut Vec::new()).into_iter().filter(|fit| fit.foretold == all);
            found.extend(fits.filter_map(|candidate| view.unlift(candidate)));
        }
    }
    found
}

/// The letters of the first and of the second lens: what it shows, and what a rule made of that.
const VARIABLES: [(char, char); 2] = [('v', 'w'), ('p', 'q')];

/// A task seen through lenses, at most two, one after the other.
#[derive(Clone, Debug)]
struct View {
    /// The task as it is seen.
    puzzle: Puzzle,
    /// The lenses, each with what it is given of the tests and what it shows.
    lenses: Vec<(Lens, Vec<(Picture, Shown)>)>,
}

impl View {
    /// The task as it is.
    fn whole(puzzle: &Puzzle) -> Self {
        Self { puzzle: puzzle.clone(), lenses: Vec::new() }
    }

    /// The same through one more lens; `None` if it does not show every input and output.
    fn through(&self, lens: Lens) -> Option<Self> {
        let pair = |(input, output): &(Picture, Picture)| {
            let shown = lens.lift(input)?;
            let output = lens.lift_output(output, input, &shown)?;
            Some((shown.picture, output))
        };
        let demos = self.puzzle.demos.iter().map(pair).collect::<Option<Vec<_>>>()?;
        let tests = self.puzzle.tests.iter().map(|test| Some((test.clone(), lens.lift(test)?))).collect::<Option<Vec<_>>>()?;
        let puzzle = Puzzle { demos, tests: tests.iter().map(|(_, shown)| shown.picture.clone()).collect() };
        let mut lenses = self.lenses.clone();
        lenses.push((lens, tests));
        Some(Self { puzzle, lenses })
    }

    /// A rule on what is seen as a rule on the task.
    fn unlift(&self, candidate: Candidate) -> Option<Candidate> {
        let mut outputs = candidate.outputs;
        for (lens, tests) in self.lenses.iter().rev() {
            let back = |(made, (input, shown)): (&Picture, &(Picture, Shown))| lens.unlift(made, input, shown);
            outputs = outputs.iter().zip(tests).map(back).collect::<Option<_>>()?;
        }
        let mut recipe = candidate.recipe;
        for (place, (lens, _)) in self.lenses.iter().enumerate().rev() {
            recipe = lens.around(&recipe, VARIABLES[place.min(1)]);
        }
        Some(Candidate { recipe, bits: candidate.bits + self.bits(), outputs, ..candidate })
    }

    /// The description length of its lenses.
    fn bits(&self) -> u32 {
        self.lenses.iter().map(|(lens, _)| lens.bits()).sum()
    }

    /// The cells that are seen of the demos.
    fn cells(&self) -> usize {
        self.puzzle.demos.iter().map(|(input, _)| input.cells.len()).sum()
    }
}
