//! Patterns that repeat, over hidden cells, to the edge or over a larger canvas: lattices, copies along a step, rings, reflections.

mod patterns;
mod symmetries;
#[cfg(test)]
mod tests;

use batt_core::{Reason, Value};
use batt_vision::{COLOURS, Ground, MAX_SIDE};

use super::sizes::{Canvas, canvases, recoloured};
use crate::examples::{Examples, Picture};
use crate::parameter::{by_number, by_numbers};
use crate::propose::{Candidate, FitOptions};
use crate::recipe::Argument;
use crate::row::{FamilyRow, Given, OnViews, Part, RuleRow, Turn, When, columns, listed};
use patterns::{Mask, Period, Repeat, period_rule};
use symmetries::Symmetry;

/// Patterns that repeat, and symmetries.
pub const PERIODS: FamilyRow = FamilyRow {
    name: "rule-periods",
    rules: &[RuleRow {
        name: "periodrule",
        parameters: columns!(image: Image, mask: Number, size: Pair, period: Tuple),
        sentence: "The pattern of the known cells, which are not of the mask's colour, continued over a canvas. A period is (repeat, a, b, corner).",
        example: ("periodrule(((1, 2, 3), (2, 3, 0), (3, 0, 0)), 0, (0, 0), (0, 0, 0, 0))", "((1, 2, 3), (2, 3, 1), (3, 1, 2))"),
        gives: ("a periodic or symmetric pattern completed", "periodrule"),
        page: &[Part::Text(PAGE), listed!("repeat", Repeat), Part::Text(MIRRORED), listed!("a", Symmetry)],
        apply: applied,
    }],
    place: 7,
    when: When::Early,
    on_views: OnViews { same_size: Turn::First, other_size: true, cropped: false },
    fit,
};

const PAGE: &str = "`mask` is the colour of hidden cells: 10 for none, 11 for the least common colour without which the
image has the pattern, 12 for the most common colour. `size` is the size of the result, `(0, 0)` for
the image's. `period` is `(repeat, a, b, corner)`. The image is at a corner of the result: upper
left, upper right, lower left, lower right (0 to 3). 4 more cuts out the hidden part.
";

const MIRRORED: &str = "For Mirrored, `a` is the symmetry. If `b` is 0, all hidden cells must follow from others; if it is 1
or 2, some may stay hidden, but no known cell has its image outside. If it is 2, all known cells of
some colour must be images of each other too.
";

fn applied(arguments: &[&Value]) -> Result<Picture, Reason> {
    let (image, mask, (height, width), period): (Picture, Mask, (i64, i64), Period) = Given::given(arguments)?;
    let side = |side: i64| usize::try_from(side).ok().filter(|&side| side <= MAX_SIDE).ok_or(Reason::OutOfRange);
    period_rule(image.image(), mask, (side(height)?, side(width)?), period).map(Picture::new).ok_or(Reason::NoMatch)
}

by_number!(Mask);
by_numbers!(Period);

/// The longest step that is given.
const REACH: i8 = 1;

fn fit(examples: &Examples, budget: FitOptions, _: &mut Vec<Candidate>) -> Vec<Candidate> {
    let grows = examples.demos.iter().all(|(input, output)| output.height >= input.height && output.width >= input.width);
    if examples.demos.iter().any(|(input, output)| input == output) {
        return Vec::new();
    }
    if !grows {
        return cropped(examples, budget);
    }
    let grounds = examples.grounds();
    let mut found = Vec::new();
    for canvas in canvases(examples) {
        for mask in masks(examples) {
            if budget.is_over() {
                return found;
            }
            let hidden = examples.keeps_size().then(|| hidden(examples, mask));
            if hidden.as_ref().is_some_and(Vec::is_empty) {
                continue;
            }
            // Along a given step only what is drawn on background is copied.
            let is_ground = match mask {
                Mask::Colour(colour) => grounds.contains(&Ground::Colour(colour)),
                mask => mask == Mask::Common,
            };
            for (period, bits) in periods(examples.keeps_size(), is_ground) {
                if budget.is_over() {
                    return found;
                }
                // A colour that is found must be one of those that may be hidden: without such a pattern there is none at all.
                let is_pattern =
                    |&colour: &u8| period_rule(examples.demos[0].0.image(), Mask::Colour(colour), canvas.sizes[0], period).is_some();
                if mask == Mask::Found && hidden.as_ref().is_some_and(|hidden| !hidden.iter().any(is_pattern)) {
                    continue;
                }
                found.extend(repeated(examples, &canvas, mask, period, bits));
            }
        }
        for (period, bits) in shells().filter(|_| examples.keeps_size()) {
            found.extend(repeated(examples, &canvas, Mask::None, period, bits));
        }
    }
    found
}

/// The colours of the first demo that a mask may hide, where canvases are as large as inputs: all other cells stay, or each colour becomes another.
fn hidden(examples: &Examples, mask: Mask) -> Vec<u8> {
    let may_hide = |such: &dyn Fn(&Picture) -> Option<u8>, demos: &[(Picture, Picture)]| {
        let mut map = [None; COLOURS];
        demos.iter().all(|(input, output)| {
            let Some(colour) = such(input) else { return false };
            let mut others = input.cells.iter().zip(&output.cells).filter(|(cell, _)| **cell != colour);
            others.all(|(&from, &to)| *map[from as usize].get_or_insert(to) == to)
        })
    };
    let first = &examples.demos[0].0;
    let of_all = |such: &dyn Fn(&Picture) -> Option<u8>| such(first).filter(|_| may_hide(such, &examples.demos)).into_iter().collect();
    match mask {
        Mask::Colour(_) | Mask::Common | Mask::Role(_) => of_all(&|input| mask.colour(input.image())),
        Mask::Found => {
            let of_one = |demo: &(Picture, Picture)| {
                let colours = (0..COLOURS as u8).filter(|colour| demo.0.cells.contains(colour));
                colours.filter(|&colour| may_hide(&|_| Some(colour), std::slice::from_ref(demo))).collect::<Vec<u8>>()
            };
            let all: Vec<Vec<u8>> = examples.demos.iter().map(of_one).collect();
            if all.iter().any(Vec::is_empty) { Vec::new() } else { all.into_iter().next().unwrap_or_default() }
        }
        Mask::None => (0..COLOURS as u8).collect(),
    }
}

/// Patterns of which the output is the part that was hidden.
fn cropped(examples: &Examples, budget: FitOptions) -> Vec<Candidate> {
    let canvas = Canvas::of_inputs(examples);
    let mut found = Vec::new();
    for mask in masks(examples) {
        if budget.is_over() || !examples.demos.iter().all(|(input, output)| is_box(mask, input, output.size())) {
            continue;
        }
        for (period, bits) in periods(true, false) {
            if budget.is_over() {
                return found;
            }
            found.extend(repeated(examples, &canvas, mask, Period { cropped: true, ..period }, bits + 1));
        }
    }
    found
}

/// Whether a mask may hide a box of a size.
fn is_box(mask: Mask, input: &Picture, size: (usize, usize)) -> bool {
    match mask {
        Mask::Found => true,
        Mask::None => false,
        mask => mask.colour(input.image()).and_then(|colour| box_size(input, colour)) == Some(size),
    }
}

/// The size of the box of a colour.
fn box_size(picture: &Picture, colour: u8) -> Option<(usize, usize)> {
    let places = || picture.cells.iter().enumerate().filter(|&(_, &cell)| cell == colour).map(|(place, _)| place);
    let columns = || places().map(|place| place % picture.width);
    let height = places().next_back()? / picture.width - places().next()? / picture.width + 1;
    Some((height, columns().max()? - columns().min()? + 1))
}

fn repeated(examples: &Examples, canvas: &Canvas, mask: Mask, period: Period, bits: u32) -> Option<Candidate> {
    let mut recipe = canvas.recipe.clone();
    recipe.call("periodrule", [Argument::Input, Argument::of(&mask), canvas.size.clone(), Argument::of(&period)]);
    let made = |number: usize, input: &Picture| period_rule(input.image(), mask, canvas.sizes[number], period).map(Picture::new);
    let more = if matches!(mask, Mask::Found | Mask::Common) { 3 } else { 0 };
    recoloured(examples, recipe, bits + canvas.bits + more, made)
}

/// Colours that are in all inputs; none, where the canvas is larger; the most common one, where it differs; and what the pattern says.
fn masks(examples: &Examples) -> Vec<Mask> {
    let in_all = |colour: &u8| examples.inputs().all(|input| input.cells.contains(colour));
    let mut masks: Vec<Mask> = (0..10).filter(in_all).map(Mask::Colour).collect();
    if !examples.keeps_size() {
        masks.push(Mask::None);
    }
    let mut common = examples.inputs().map(|input| Ground::MostCommon.of(input.image()));
    let first = common.next();
    if common.any(|colour| Some(colour) != first) {
        masks.push(Mask::Common);
    }
    masks.push(Mask::Found);
    masks
}

/// Colours that change places in the order from the edge inwards.
fn shells() -> impl Iterator<Item = (Period, u32)> {
    [0, 1, -1].into_iter().map(|a| (Period { repeat: Repeat::Shells, a, b: 0, corner: 0, cropped: false }, 10))
}

/// Patterns with their description lengths, for a canvas as large as the image or larger; with given steps where the mask is background.
fn periods(is_as_large: bool, is_ground: bool) -> Vec<(Period, u32)> {
    let mut all = Vec::new();
    for corner in 0..if is_as_large { 1 } else { 4 } {
        let bits = 8 + u32::from(corner != 0) * 3;
        let mut add = |repeat, a, b, bits| all.push((Period { repeat, a, b, corner, cropped: false }, bits));
        add(Repeat::Lattice, 0, 0, bits);
        add(Repeat::Step, 0, 0, bits + 1);
        add(Repeat::Rings, 0, 0, bits + 3);
        // Blocks that are reflected into a larger canvas are a layout.
        for kind in (0..Symmetry::COUNT as i8).filter(|_| is_as_large) {
            (0..3).for_each(|how| add(Repeat::Mirrored, kind, how, bits + 3));
        }
        if is_ground {
            let steps = (-REACH..=REACH).flat_map(|a| (-REACH..=REACH).map(move |b| (a, b)));
            for (a, b) in steps.filter(|&step| step != (0, 0)) {
                add(Repeat::Given, a, b, bits + 4 + 2 * u32::from(a.unsigned_abs().max(b.unsigned_abs())));
            }
        }
    }
    all
}
