//! Pieces that are put together: into holes, frames and rectangles, over each other, or over objects of their shape; patterns that are
//! replaced.

mod assembly;
mod overlays;
mod replacing;
mod twins;

use batt_core::{Reason, Value};
use batt_vision::Ground;

use super::whole;
use crate::examples::{Examples, Picture};
use crate::propose::{Candidate, FitOptions};
use crate::recipe::{Argument, Recipe};
use crate::row::{FamilyRow, Given, OnViews, Part, RuleRow, Table, When, columns};
use assembly::{Fit, fit_rule};
use twins::{Twins, twin_rule};

/// Pieces that are put together, and patterns that are replaced.
pub const PIECES: FamilyRow = FamilyRow {
    name: "rule-pieces",
    rules: &[
        RuleRow {
            name: "fitrule",
            parameters: columns!(image: Image, ground: Number, which: Number),
            sentence: "Objects put together: as a frame, as a rectangle, into holes and frames, or over each other.",
            example: ("fitrule(((1, 1, 0, 0), (1, 0, 0, 2), (0, 0, 2, 2)), 0, 5)", "((1, 1, 2), (1, 2, 2))"),
            gives: ("pieces put together", "fitrule"),
            page: &[Part::Table(all_fits), Part::Text(PAGE)],
            apply: applied,
        },
        replacing::ROW,
    ],
    place: 2,
    when: When::Early,
    on_views: OnViews::NEVER,
    fit,
};

const PAGE: &str = "A piece with cells of the largest object's colour fills holes with these, and its other cells cover
the object. A piece inside a frame is enlarged as its cells there demand, else so that it fills the
frame and most colours meet.
";

fn all_fits() -> Table {
    let rows = Fit::all().into_iter().enumerate().map(|(which, fit)| (which, vec![fit.describe()])).collect();
    Table { number: "which", columns: &["pieces"], rows }
}

fn applied(arguments: &[&Value]) -> Result<Picture, Reason> {
    let (image, ground, which): (Picture, Ground, i64) = Given::given(arguments)?;
    let fit = Fit::from_number(which).ok_or(Reason::OutOfRange)?;
    fit_rule(image.image(), ground, fit).map(Picture::new).ok_or(Reason::NoMatch)
}

/// Result of `copyrule` on objects of a colour and their shape.
pub(super) fn twinned(image: &Picture, ground: Ground, colour: u8, which: i64) -> Result<Picture, Reason> {
    let twins = Twins::from_number(colour, which - 4).ok_or(Reason::OutOfRange)?;
    image.with(twin_rule(image.image(), ground, twins)).ok_or(Reason::NoMatch)
}

fn fit(examples: &Examples, budget: FitOptions, _: &mut Vec<Candidate>) -> Vec<Candidate> {
    let mut found = Vec::new();
    for ground in examples.grounds() {
        for (number, fit) in Fit::all().into_iter().enumerate() {
            if budget.is_over() {
                return found;
            }
            if fit.keeps_size() != examples.keeps_size() {
                continue;
            }
            let recipe = || Recipe::of("fitrule", [Argument::Input, Argument::of(&ground), Argument::of(&number)]);
            let cost = if matches!(fit, Fit::Over(_)) { 14 } else { 12 };
            found.extend(whole(examples, |input| fit_rule(input.image(), ground, fit).map(Picture::new), recipe, cost));
        }
        if examples.keeps_size() {
            for twins in (0..=10).rev().flat_map(Twins::all) {
                let Twins { colour, .. } = twins;
                let arguments = || [Argument::Input, Argument::of(&ground), Argument::of(&colour), Argument::of(&(twins.number() + 4))];
                let cost = if colour == 10 { 10 } else { 13 } + u32::from(twins.number()) / 2;
                let apply = |input: &Picture| input.with(twin_rule(input.image(), ground, twins));
                found.extend(whole(examples, apply, || Recipe::of("copyrule", arguments()), cost));
            }
        }
    }
    found.extend(replacing::fit(examples, budget));
    found
}
