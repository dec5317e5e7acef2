//! Drawings: a list of objects, filtered and sorted, as cells, bars, a staircase or a diagonal.

use batt_core::{Reason, Value};
use batt_vision::{Ground, Mode, Plane, Scene};

use super::lists::{Drawing, Key, Length, Listing, OTHER, Style, Thing, Which, draw_rule};
use crate::examples::{Examples, Picture};
use crate::parameter::by_numbers;
use crate::propose::{Candidate, FitOptions};
use crate::recipe::{Argument, Recipe};
use crate::roles;
use crate::row::{Given, Part, RuleRow, columns, listed};

/// Lists of objects that are drawn.
pub(super) const ROW: RuleRow = RuleRow {
    name: "drawrule",
    parameters: columns!(image: Image, ground: Number, listing: Tuple, drawing: Tuple),
    sentence: "A list of objects (mode, colour, which, key, descending) drawn as cells or bars (length, style, height, width, colour).",
    example: ("drawrule(((2, 0, 3, 3, 3),), 0, (0, 10, 0, 1, 1), (1, 6, 0, 0, 10))", "((3, 3, 3), (2, 0, 0))"),
    gives: ("a list of objects drawn as cells, bars or a stack", "drawrule"),
    page: &[
        Part::Text(LISTING),
        listed!("which", Which),
        listed!("key", Key),
        Part::Text(DRAWING),
        listed!("length", Length),
        listed!("style", Style),
    ],
    apply: applied,
};

const LISTING: &str = "`listing` is `(mode, colour, which, key, descending)`. 10 more for the mode makes all objects of one
colour one item of as many cells. The colour is 10 for any, 60 plus a colour for any other.
`descending` is 1 for the largest key first.
";

const DRAWING: &str = "`drawing` is `(length, style, height, width, colour)`. Height and width are those of the canvas, 0 for
as many as needed. The colour is 10 for the object's own.
";

fn applied(arguments: &[&Value]) -> Result<Picture, Reason> {
    let (image, ground, listing, drawing): (Picture, Ground, Listing, Drawing) = Given::given(arguments)?;
    draw_rule(image.image(), ground, listing, drawing).map(Picture::new).ok_or(Reason::NoMatch)
}

by_numbers!(Listing, Drawing);

/// Modes of lists; merged ones join objects of one colour.
const MODES: [(Mode, bool); 11] = [
    (Mode::Corners, false),
    (Mode::Sides, false),
    (Mode::Colours, false),
    (Mode::Corners, true),
    (Mode::Sides, true),
    (Mode::AnyCorners, false),
    (Mode::AnySides, false),
    (Mode::Panels, false),
    (Mode::Rows, false),
    (Mode::Columns, false),
    (Mode::Regions, false),
];
/// The most cells of an output.
const MOST_CELLS: usize = 400;
/// The most ways to draw the outputs of a view.
const MOST_QUICK_FITS: usize = 400;
/// The most items of a list.
const MOST_THINGS: usize = 60;

/// Candidate that fits all demos but at most one: parameters, description length, and a bit for each demo that it fits.
struct Fit {
    listing: Listing,
    drawing: Drawing,
    bits: u32,
    fits: u32,
}

pub(super) fn fit(examples: &Examples, budget: FitOptions) -> Vec<Candidate> {
    let is_small = |(_, output): &(Picture, Picture)| output.cells.len() <= MOST_CELLS;
    if examples.keeps_size() || !examples.demos.iter().all(is_small) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for ground in examples.grounds() {
        found.extend(on_ground(examples, ground, budget));
    }
    found
}

fn on_ground(examples: &Examples, ground: Ground, budget: FitOptions) -> Vec<Candidate> {
    let demos = examples.demos.len();
    let all = (1u32 << demos) - 1;
    let scenes: Vec<Scene<'_>> = examples.inputs().map(|input| Scene::new(input.image(), ground)).collect();
    let paints = paints(examples, &scenes, &roles::colours(examples, ground));
    let mut fits: Vec<Fit> = Vec::new();
    for (mode, merged) in MODES {
        let plain = Listing { mode, merged, colour: 10, which: Which::All, key: Key::Order, descending: false };
        let things: Option<Vec<Vec<Thing>>> =
            scenes.iter().map(|scene| plain.things(scene).filter(|things| !things.is_empty() && things.len() <= MOST_THINGS)).collect();
        let Some(things) = things else { continue };
        for (listing, bits) in listings(examples, plain) {
            if budget.is_over() {
                return Vec::new();
            }
            // Views tell colours apart already.
            if budget.is_quick && (listing.colour != 10 || fits.len() > MOST_QUICK_FITS) {
                break;
            }
            let chosen: Vec<Vec<Thing>> = things.iter().map(|things| listing.chosen(things)).collect();
            if chosen.iter().all(|things| !things.is_empty()) {
                drawn(examples, &scenes, listing, bits, &paints, &chosen, &mut fits);
            }
        }
    }
    // On a view, what can be drawn in so many ways tells nothing.
    if budget.is_quick && fits.len() > MOST_QUICK_FITS {
        return Vec::new();
    }
    // A demo is foretold if the shortest parameters that fit the others fit it.
    let foretells = |demo: &usize| {
        let others = all & !(1 << demo);
        let best = fits.iter().filter(|fit| fit.fits & others == others).min_by_key(|fit| (fit.bits, fit.fits != all));
        demos > 1 && best.is_some_and(|best| best.fits == all)
    };
    let foretold = (0..demos).filter(foretells).fold(0, |all, demo| all | 1 << demo);
    // What foretells nothing was made up.
    if foretold == 0 && demos > 1 {
        return Vec::new();
    }
    let candidate = |fit: &Fit| {
        let draw = |input: &Picture| draw_rule(input.image(), ground, fit.listing, fit.drawing).map(Picture::new);
        let outputs = examples.tests.iter().map(draw).collect::<Option<_>>()?;
        let arguments = [Argument::Input, Argument::of(&ground), Argument::of(&fit.listing), Argument::of(&fit.drawing)];
        Some(Candidate { recipe: Recipe::of("drawrule", arguments), bits: fit.bits, foretold, outputs })
    };
    fits.iter().filter(|fit| fit.fits == all).filter_map(candidate).collect()
}

/// Which items to list, with description lengths: by colour and by size.
fn listings(examples: &Examples, plain: Listing) -> Vec<(Listing, u32)> {
    let in_all = |colour: &u8| examples.inputs().all(|input| input.cells.contains(colour));
    let mut all = Vec::new();
    for colour in [10].into_iter().chain((0..10).filter(in_all).flat_map(|colour| [colour, colour + OTHER])) {
        for &which in Which::ALL {
            let bits = if colour == 10 { 0 } else { 5 } + if which == Which::All { 0 } else { 4 };
            all.push((Listing { colour, which, ..plain }, bits + 6 + u32::from(plain.merged)));
        }
    }
    all
}

/// The side of all outputs, 0 where they differ.
fn fixed(mut sides: impl Iterator<Item = usize>) -> u8 {
    let first = sides.next().unwrap_or(0);
    if sides.all(|side| side == first) { u8::try_from(first).unwrap_or(0) } else { 0 }
}

/// Adds the ways to draw lists that fit all demos but one at most.
fn drawn(
    examples: &Examples,
    scenes: &[Scene<'_>],
    listing: Listing,
    bits: u32,
    paints: &[u8],
    chosen: &[Vec<Thing>],
    fits: &mut Vec<Fit>,
) {
    let demos = examples.demos.len();
    let height = fixed(examples.demos.iter().map(|demo| demo.1.height));
    let width = fixed(examples.demos.iter().map(|demo| demo.1.width));
    let painted = |output: &Picture, ground: u8| output.cells.iter().filter(|&&cell| cell != ground).count();
    for &length in Length::ALL {
        let plain = Drawing { length, style: Style::Rows, height, width, paint: 10 };
        // As many cells must be drawn, whatever the order: what cannot fit is seen here.
        let is_possible = |&demo: &usize| {
            let things = &chosen[demo];
            let total: usize = things.iter().enumerate().map(|(place, thing)| plain.length_of(thing, place)).sum();
            let painted = painted(&examples.demos[demo].1, scenes[demo].ground());
            if length == Length::Side { painted.is_multiple_of(things.len()) } else { total == painted }
        };
        if (0..demos).filter(is_possible).count() + 1 < demos.max(2) {
            continue;
        }
        for &paint in paints {
            for (key, descending) in Key::ALL.iter().flat_map(|&key| [(key, false), (key, true)]) {
                let listing = Listing { key, descending, ..listing };
                let sorted: Vec<Vec<Thing>> = chosen[..demos].iter().map(|things| sorted(listing, things)).collect();
                for &style in Style::ALL {
                    // All that there is has a meaning for bars only; objects themselves are as long as they are.
                    let is_meant = match length {
                        Length::Side => style.is_bars(),
                        Length::Cells => !listing.merged || !style.is_stack(),
                        _ => !style.is_stack(),
                    };
                    if !is_meant {
                        continue;
                    }
                    // Sides that never differ are fixed, or what the list says.
                    for sides in 0..4 {
                        if (sides & 1 == 1 && height == 0) || (sides & 2 == 2 && width == 0) {
                            continue;
                        }
                        let (height, width) = (if sides & 1 == 1 { height } else { 0 }, if sides & 2 == 2 { width } else { 0 });
                        let drawing = Drawing { length, style, height, width, paint };
                        let fit = fitted(examples, scenes, listing.mode, drawing, &sorted);
                        if fit.count_ones() as usize + 1 >= demos.max(2) {
                            let bits = bits + cost(listing, drawing);
                            fits.push(Fit { listing, drawing, bits, fits: fit });
                        }
                    }
                }
            }
        }
    }
}

fn sorted(listing: Listing, things: &[Thing]) -> Vec<Thing> {
    let mut things = things.to_vec();
    listing.sort(&mut things);
    things
}

/// The demos that a drawing fits; after two that it does not, no more are tried.
fn fitted(examples: &Examples, scenes: &[Scene<'_>], mode: Mode, drawing: Drawing, sorted: &[Vec<Thing>]) -> u32 {
    let (mut fits, mut misses) = (0, 0);
    for (demo, (_, output)) in examples.demos.iter().enumerate() {
        let made = drawing.of(&sorted[demo], &scenes[demo], mode);
        if made.is_some_and(|made| (made.0, made.1) == output.size() && made.2 == output.cells) {
            fits |= 1 << demo;
        } else {
            misses += 1;
            if misses > 1 {
                break;
            }
        }
    }
    fits
}

/// The colour of items, and the one colour of all outputs or its role, if there is one.
fn paints(examples: &Examples, scenes: &[Scene<'_>], roles: &[(u8, Plane)]) -> Vec<u8> {
    let mut paints = vec![10];
    let colour = |((_, output), scene): (&(Picture, Picture), &Scene<'_>)| {
        let mut colours = output.cells.iter().copied().filter(|&cell| cell != scene.ground());
        let first = colours.next()?;
        colours.all(|colour| colour == first).then_some(i16::from(first))
    };
    if let Some(colours) = examples.demos.iter().zip(scenes).map(colour).collect::<Option<Plane>>() {
        if colours.iter().all(|&colour| colour == colours[0]) {
            paints.extend(u8::try_from(colours[0]));
        } else if examples.demos.iter().all(|(_, output)| output.cells.len() > 1) {
            // One cell is drawn in too many ways.
            paints.extend(roles.iter().find(|(_, values)| *values == colours).map(|(role, _)| *role));
        }
    }
    paints
}

fn cost(listing: Listing, drawing: Drawing) -> u32 {
    let key = if listing.key == Key::Order { 1 } else { 4 } + u32::from(listing.descending);
    let paint = if drawing.paint == 10 { 1 } else { 4 };
    let sides = if drawing.height == 0 { 1 } else { 2 } + if drawing.width == 0 { 1 } else { 2 };
    let style = if matches!(drawing.style, Style::Rows | Style::BarsRight | Style::BarsDown) { 2 } else { 4 };
    key + paint + sides + style + 3
}
