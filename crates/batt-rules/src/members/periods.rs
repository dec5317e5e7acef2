//! Patterns that repeat, over hidden cells, to the edge or over a larger canvas: lattices, copies along a step, rings, reflections.

use batt_features::{Ground, Period, RING_KINDS, Repeat, SYMMETRY_KINDS, period_rule};
use batt_image::{Work, measures};

use super::sizes::{Canvas, canvases, recoloured};
use crate::propose::{Budget, Candidate};
use crate::puzzle::{Picture, Puzzle};

/// The longest step that is fitted.
const REACH: i8 = 3;

/// The colour of hidden cells in every input, 10 for none, and the call that computes it.
struct Mask {
    call: Option<String>,
    colours: Vec<u8>,
    /// How many roles have these colours.
    roles: u32,
}

impl Mask {
    /// Its description length: a colour that many roles have is the more likely one.
    fn bits(&self) -> u32 {
        if self.call.is_some() { 8 - self.roles.ilog2() } else { 0 }
    }
}

pub(crate) fn propose(puzzle: &Puzzle, budget: Budget) -> Vec<Candidate> {
    let grows = puzzle.demos.iter().all(|(input, output)| output.height >= input.height && output.width >= input.width);
    if puzzle.demos.iter().any(|(input, output)| input == output) {
        return Vec::new();
    }
    if !grows {
        return cropped(puzzle, budget);
    }
    let grounds = puzzle.grounds();
    let mut found = Vec::new();
    for canvas in canvases(puzzle) {
        for mask in masks(puzzle) {
            if budget.is_over() {
                return found;
            }
            // Along a given step only what is drawn on background is copied.
            let is_ground = mask.call.is_none() && grounds.contains(&Ground::Colour(mask.colours[0]));
            for (period, bits) in periods(puzzle.keeps_size(), is_ground) {
                found.extend(repeated(puzzle, &canvas, &mask, period, bits));
            }
        }
    }
    found
}

/// Patterns of which the output is the part that was hidden.
fn cropped(puzzle: &Puzzle, budget: Budget) -> Vec<Candidate> {
    let sizes = puzzle.inputs().map(Picture::size).collect();
    let canvas = Canvas { calls: Vec::new(), text: "(0, 0)".to_owned(), sizes, bits: 0 };
    let mut found = Vec::new();
    for mask in masks(puzzle) {
        let is_hidden =
            |(number, (input, output)): (usize, &(Picture, Picture))| box_size(input, mask.colours[number]) == Some(output.size());
        if budget.is_over() || !puzzle.demos.iter().enumerate().all(is_hidden) {
            continue;
        }
        for (period, bits) in periods(true, false) {
            found.extend(repeated(puzzle, &canvas, &mask, Period { cropped: true, ..period }, bits + 1));
        }
    }
    found
}

/// The size of the box of a colour.
fn box_size(picture: &Picture, colour: u8) -> Option<(usize, usize)> {
    let places = || picture.cells.iter().enumerate().filter(|&(_, &cell)| cell == colour).map(|(place, _)| place);
    let columns = || places().map(|place| place % picture.width);
    let height = places().next_back()? / picture.width - places().next()? / picture.width + 1;
    Some((height, columns().max()? - columns().min()? + 1))
}

fn repeated(puzzle: &Puzzle, canvas: &Canvas, mask: &Mask, period: Period, bits: u32) -> Option<Candidate> {
    let mut calls = canvas.calls.clone();
    let colour = match &mask.call {
        Some(call) => {
            calls.push(call.clone());
            format!("x{}", calls.len())
        }
        None => mask.colours.first()?.to_string(),
    };
    let numbers = crate::emit::tuple(period.numbers());
    calls.push(format!("periodrule(I, {colour}, {}, {numbers})", canvas.text));
    let made = |number: usize, input: &Picture| {
        let mask = Some(mask.colours[number]).filter(|&colour| colour < 10);
        period_rule(input.image(), mask, canvas.sizes[number], period).map(Picture::new)
    };
    recoloured(puzzle, calls, bits + canvas.bits + mask.bits(), made)
}

/// Colours that are in all inputs; none, where the canvas is larger; and colours by what they do, where they differ.
fn masks(puzzle: &Puzzle) -> Vec<Mask> {
    let count = puzzle.inputs().count();
    let in_all = |colour: u8| puzzle.inputs().all(|input| input.cells.contains(&colour));
    let mut masks: Vec<Mask> =
        (0..10).filter(|&colour| in_all(colour)).map(|colour| Mask { call: None, colours: vec![colour; count], roles: 0 }).collect();
    if !puzzle.keeps_size() {
        masks.push(Mask { call: None, colours: vec![10; count], roles: 0 });
    }
    let mut work = Work::default();
    for which in 0..measures::COLOUR_ROLES {
        let colour = |input: &Picture| measures::colour_of(input.image(), which, &mut work).and_then(|colour| u8::try_from(colour).ok());
        let Some(colours) = puzzle.inputs().map(colour).collect::<Option<Vec<u8>>>() else { continue };
        let differ = colours.iter().any(|&colour| colour != colours[0]);
        match masks.iter_mut().find(|mask| mask.colours == colours) {
            Some(mask) => mask.roles += 1,
            None if differ => masks.push(Mask { call: Some(format!("colour_of(I, {which})")), colours, roles: 1 }),
            None => {}
        }
    }
    masks
}

/// Patterns with their description lengths, for a canvas as large as the image or larger; with given steps where the mask is background.
fn periods(is_as_large: bool, is_ground: bool) -> Vec<(Period, u32)> {
    let mut all = Vec::new();
    for corner in 0..if is_as_large { 1 } else { 4 } {
        let bits = 8 + u32::from(corner != 0) * 3;
        let mut add = |repeat, a, b, bits| all.push((Period { repeat, a, b, corner, cropped: false }, bits));
        add(Repeat::Lattice, 0, 0, bits);
        add(Repeat::Step, 0, 0, bits + 1);
        for kind in 0..RING_KINDS {
            add(Repeat::Rings, kind, 0, bits + 3);
        }
        // Blocks that are reflected into a larger canvas are a layout.
        for kind in (0..SYMMETRY_KINDS as i8).filter(|_| is_as_large) {
            (0..2).for_each(|is_incomplete| add(Repeat::Mirrored, kind, is_incomplete, bits + 3));
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
