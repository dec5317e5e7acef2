//! Views: a task seen through lenses, every kind of rule on what is seen, and back.
//!
//! A rule that is fitted to a view has the roles that the view gives as its arguments: a colour is the one that leads in a measure, a direction
//! the one in which something lies, a part of the image the one that a call picks.

use std::borrow::Cow;

pub(super) mod calls;
mod enumerate;
mod lens;
mod orientation;

pub use orientation::reinserted;

use batt_core::{Reason, Value};

use crate::examples::{Examples, Picture};
use crate::families::Family;
use crate::propose::{Candidate, FitOptions};
use crate::row::{FamilyRow, Given, OnViews, Part, RuleRow, Turn, When, columns, listed};
use enumerate::{early, late};
use lens::{Lens, Shown};
use orientation::{Orientation, oriented, unoriented};

/// Rules on a part of the image, or with colours renamed.
pub const VIEWS: FamilyRow = FamilyRow {
    name: "rule-views",
    rules: &[
        RuleRow {
            name: "oriented",
            parameters: columns!(image: Image, which: Number),
            sentence: "The image turned or mirrored so that its longer axis, fuller half, rarest colour or fullest edge lies where it should.",
            example: ("oriented(((0, 0), (0, 0), (0, 3)), 2)", "((3, 0), (0, 0), (0, 0))"),
            gives: ("an image in a canonical orientation", "oriented"),
            page: &[
                Part::Text("`unoriented` takes the same number and the source, and turns an image back.\n"),
                listed!("which", Orientation),
            ],
            apply: turned,
        },
        RuleRow {
            name: "unoriented",
            parameters: columns!(image: Image, source: Image, which: Number),
            sentence: "The image turned back to the orientation that its source had before oriented.",
            example: ("unoriented(((3, 4, 0), (0, 0, 0)), ((0, 0), (0, 0), (0, 3)), 0)", "((3, 0), (4, 0), (0, 0))"),
            gives: ("an image as it was before", "oriented"),
            page: &[],
            apply: turned_back,
        },
    ],
    place: 10,
    when: When::Early,
    on_views: OnViews::NEVER,
    fit,
};

/// Rules on all other views, where nothing else fits.
pub const LIFTS: FamilyRow =
    FamilyRow { name: "rule-lifts", rules: &[], place: 12, when: When::Late, on_views: OnViews::NEVER, fit: fit_late };

fn turned(arguments: &[&Value]) -> Result<Picture, Reason> {
    let (image, which): (Picture, Orientation) = Given::given(arguments)?;
    oriented(image.image(), which).map(Picture::new).ok_or(Reason::TooLarge)
}

fn turned_back(arguments: &[&Value]) -> Result<Picture, Reason> {
    let (image, source, which): (Picture, Picture, Orientation) = Given::given(arguments)?;
    unoriented(image.image(), source.image(), which).map(Picture::new).ok_or(Reason::TooLarge)
}

/// Rules on the views that cost little.
fn fit(examples: &Examples, budget: FitOptions, _: &mut Vec<Candidate>) -> Vec<Candidate> {
    through(early(examples, budget), budget)
}

/// Rules on all other views.
fn fit_late(examples: &Examples, budget: FitOptions, _: &mut Vec<Candidate>) -> Vec<Candidate> {
    through(late(examples, budget), FitOptions { is_quick: true, ..budget })
}

/// Every kind of rule on every view, as rules on the task.
fn through(views: Vec<View<'_>>, budget: FitOptions) -> Vec<Candidate> {
    let mut found = Vec::new();
    let asked = |such: &dyn Fn(OnViews) -> bool| -> Vec<Family> {
        Family::by_place().filter(|family| budget.without != Some(*family) && such(family.row().on_views)).collect()
    };
    let (first, last) = (asked(&|views| views.same_size == Turn::First), asked(&|views| views.same_size == Turn::Last));
    let (other_size, of_cropped) = (asked(&|views| views.other_size), asked(&|views| views.cropped));
    for (place, view) in views.into_iter().enumerate() {
        let keeps_size = view.examples.keeps_size();
        let all = (1 << view.examples.demos.len()) - 1;
        let is_cropped = view.lenses.iter().any(|(lens, _)| matches!(lens, Lens::Cropped));
        let families = match keeps_size {
            true if is_cropped => &of_cropped,
            true => &first,
            false => &other_size,
        };
        let budget = FitOptions { is_quick: budget.is_quick || !keeps_size, ..budget };
        let before = found.len();
        for family in families {
            if budget.is_over() {
                return found;
            }
            // Rules that erase most things often fit by chance: with less than all demos foretold, few of them are right.
            let fits =
                (family.row().fit)(&view.examples, budget, &mut Vec::new()).into_iter().filter(|fit| !is_cropped || fit.foretold == all);
            found.extend(fits.filter_map(|candidate| view.unlift(candidate)));
        }
        for family in last.iter().filter(|_| place == 0 && keeps_size && !is_cropped) {
            if found.len() > before || budget.is_over() {
                break;
            }
            let fits = (family.row().fit)(&view.examples, budget, &mut Vec::new()).into_iter().filter(|fit| fit.foretold == all);
            found.extend(fits.filter_map(|candidate| view.unlift(candidate)));
        }
    }
    found
}

/// The letters of the first and of the second lens: what it shows, and what a rule made of that.
const VARIABLES: [(char, char); 2] = [('v', 'w'), ('p', 'q')];

/// A task seen through lenses, at most two, one after the other.
#[derive(Clone, Debug)]
struct View<'a> {
    /// The task as it is seen.
    examples: Cow<'a, Examples>,
    /// The lenses, each with what it is given of the tests and what it shows.
    lenses: Vec<(Lens, Vec<(Picture, Shown)>)>,
}

impl<'a> View<'a> {
    /// The task as it is.
    fn whole(examples: &'a Examples) -> Self {
        Self { examples: Cow::Borrowed(examples), lenses: Vec::new() }
    }

    /// Views the task through one more lens; `None` if it does not show every input and output.
    fn through(&self, lens: Lens) -> Option<Self> {
        let pair = |(input, output): &(Picture, Picture)| {
            let shown = lens.lift(input)?;
            let output = lens.lift_output(output, input, &shown)?;
            Some((shown.picture, output))
        };
        let demos = self.examples.demos.iter().map(pair).collect::<Option<Vec<_>>>()?;
        let tests = self.examples.tests.iter().map(|test| Some((test.clone(), lens.lift(test)?))).collect::<Option<Vec<_>>>()?;
        let examples = Examples { demos, tests: tests.iter().map(|(_, shown)| shown.picture.clone()).collect() };
        let mut lenses = self.lenses.clone();
        lenses.push((lens, tests));
        Some(Self { examples: Cow::Owned(examples), lenses })
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
        self.examples.demos.iter().map(|(input, _)| input.cells.len()).sum()
    }
}
