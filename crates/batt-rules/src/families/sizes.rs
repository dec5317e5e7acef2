//! The size of a canvas, and colours that change everywhere: what several families fit besides their own parameters.

use batt_vision::operations::measures;
use batt_vision::{COLOURS, CellKind, Feature, Ground, Work};

use crate::examples::{Examples, Picture};
use crate::propose::Candidate;
use crate::recipe::{Argument, Recipe};
use crate::rules::{Operator, Paint, Rule, Test};

/// A size for every input, and the calls that compute it.
#[derive(Clone, Debug)]
pub(super) struct Canvas {
    /// The calls.
    pub(super) recipe: Recipe,
    /// The pair as an argument after them.
    pub(super) size: Argument,
    /// The sizes, for demos and then tests.
    pub(super) sizes: Vec<(usize, usize)>,
    /// The description length.
    pub(super) bits: u32,
}

/// A number for every input, and what gives it.
struct Side {
    number: Argument,
    values: Vec<usize>,
}

impl Canvas {
    fn fixed(size: (usize, usize), sizes: Vec<(usize, usize)>, bits: u32) -> Self {
        Self { recipe: Recipe::default(), size: Argument::of(&size), sizes, bits }
    }

    /// As large as each input, by a size that stands for that.
    pub(super) fn of_inputs(examples: &Examples) -> Self {
        Self::fixed((0, 0), examples.inputs().map(Picture::size).collect(), 0)
    }
}

/// The largest factor of a count.
const MOST_FACTOR: usize = 10;

/// Sizes that outputs may have, the simplest first: the size of the input, a fixed size, a multiple of the input's size, a multiple of a count.
pub(super) fn canvases(examples: &Examples) -> Vec<Canvas> {
    let inputs: Vec<(usize, usize)> = examples.inputs().map(Picture::size).collect();
    let outputs: Vec<(usize, usize)> = examples.demos.iter().map(|demo| demo.1.size()).collect();
    let Some(&first) = outputs.first() else { return Vec::new() };
    if examples.keeps_size() {
        return vec![Canvas::of_inputs(examples)];
    }
    let mut found = Vec::new();
    if outputs.iter().all(|&size| size == first) {
        found.push(Canvas::fixed(first, vec![first; inputs.len()], 4));
    }
    let (rows, columns) = (first.0 / inputs[0].0, first.1 / inputs[0].1);
    if outputs.iter().zip(&inputs).all(|(output, input)| *output == (input.0 * rows, input.1 * columns)) {
        let mut recipe = Recipe::of("shape", [Argument::Input]);
        let size = recipe.call("multiply", [recipe.output(), Argument::of(&(rows, columns))]);
        let sizes = inputs.iter().map(|input| (input.0 * rows, input.1 * columns)).collect();
        found.push(Canvas { recipe, size, sizes, bits: 5 });
    }
    if found.is_empty() {
        found.extend(counted(examples, &outputs));
    }
    found
}

/// A size that is fixed, or of which sides are multiples of counts.
pub(super) fn size_of(examples: &Examples, wanted: &[(usize, usize)]) -> Option<Canvas> {
    let &first = wanted.first()?;
    if wanted.iter().any(|&size| size != first) {
        return counted(examples, wanted);
    }
    let sizes = vec![first; examples.demos.len() + examples.tests.len()];
    Some(Canvas::fixed(first, sizes, 4))
}

/// Sizes of which a side is a multiple of a count.
fn counted(examples: &Examples, outputs: &[(usize, usize)]) -> Option<Canvas> {
    let heights: Vec<usize> = outputs.iter().map(|size| size.0).collect();
    let widths: Vec<usize> = outputs.iter().map(|size| size.1).collect();
    let mut recipe = Recipe::default();
    let rows = side(examples, &heights, &mut recipe)?;
    let columns = side(examples, &widths, &mut recipe)?;
    let size = recipe.call("astuple", [rows.number, columns.number]);
    Some(Canvas { recipe, size, sizes: rows.values.into_iter().zip(columns.values).collect(), bits: 12 })
}

/// Sides that are fixed, or a multiple of a count that calls are added for.
fn side(examples: &Examples, wanted: &[usize], recipe: &mut Recipe) -> Option<Side> {
    let &first = wanted.first()?;
    let all = examples.demos.len() + examples.tests.len();
    if wanted.iter().all(|&side| side == first) {
        return Some(Side { number: Argument::of(&first), values: vec![first; all] });
    }
    let mut work = Work::default();
    for which in measures::COUNT_OF.numbers() {
        let count = |input: &Picture| {
            measures::COUNT_OF.kernel.measure(input.image(), which, &mut work).and_then(|count| usize::try_from(count).ok())
        };
        let Some(counts) = examples.inputs().map(count).collect::<Option<Vec<usize>>>() else { continue };
        let factor = first / counts[0].max(1);
        if !(1..=MOST_FACTOR).contains(&factor) || counts.iter().zip(wanted).any(|(count, side)| count * factor != *side) {
            continue;
        }
        let mut number = recipe.call("count_of", [Argument::Input, Argument::of(&which)]);
        if factor > 1 {
            number = recipe.call("multiply", [number, Argument::of(&factor)]);
        }
        return Some(Side { number, values: counts.iter().map(|count| count * factor).collect() });
    }
    None
}

/// A colour for each colour, where the demos say so.
pub(super) fn colour_map<'a>(pairs: impl Iterator<Item = (&'a Picture, &'a Picture)>) -> Option<[Option<u8>; COLOURS]> {
    let mut map = [None; COLOURS];
    for (made, wanted) in pairs {
        if made.size() != wanted.size() {
            return None;
        }
        for (&from, &to) in made.cells.iter().zip(&wanted.cells) {
            if *map[from as usize].get_or_insert(to) != to {
                return None;
            }
        }
    }
    Some(map)
}

/// A candidate of calls that make the outputs, maybe in other colours: `made` says what they make of an input by its number.
pub(super) fn recoloured(
    examples: &Examples,
    mut recipe: Recipe,
    bits: u32,
    made: impl Fn(usize, &Picture) -> Option<Picture>,
) -> Option<Candidate> {
    let mut demos: Vec<Picture> = Vec::new();
    for (number, (input, output)) in examples.demos.iter().enumerate() {
        let picture = made(number, input)?;
        // What does not fit seldom fits the first demo.
        colour_map([(&picture, output)].into_iter())?;
        demos.push(picture);
    }
    let count = demos.len();
    let pairs = |without: usize| {
        demos.iter().zip(&examples.demos).enumerate().filter(move |(demo, _)| *demo != without).map(|(_, (made, demo))| (made, &demo.1))
    };
    let map = colour_map(pairs(count))?;
    let changed: Vec<(usize, u8)> =
        map.iter().enumerate().filter_map(|(from, to)| Some((from, (*to)?))).filter(|&(from, to)| from != to as usize).collect();
    let mapped = |picture: &Picture, map: &[Option<u8>; COLOURS]| Picture {
        cells: picture.cells.iter().map(|&cell| map[cell as usize].unwrap_or(cell)).collect(),
        ..*picture
    };
    let foretold = (0..count).filter(|&demo| {
        changed.is_empty() || colour_map(pairs(demo)).is_some_and(|map| mapped(&demos[demo], &map) == examples.demos[demo].1)
    });
    let foretold = foretold.fold(0, |all, demo| all | 1 << demo);
    // Colours that foretell nothing were made up.
    if foretold == 0 && count > 1 {
        return None;
    }
    let outputs =
        examples.tests.iter().enumerate().map(|(test, input)| Some(mapped(&made(count + test, input)?, &map))).collect::<Option<_>>()?;
    if !changed.is_empty() {
        let of = |&(from, paint): &(usize, u8)| {
            let own = Test { operator: Operator::Equal, feature: OWN, value: from as i16 };
            Rule { tests: vec![own], paint: Paint::Colour(paint) }
        };
        let rules: Vec<Rule> = changed.iter().map(of).chain([Rule { tests: Vec::new(), paint: Paint::Feature(OWN) }]).collect();
        recipe.call("cellrule", [recipe.output(), Argument::of(&Ground::Colour(0)), Argument::list(&rules)]);
    }
    Some(Candidate { recipe, bits: bits + CHANGE * changed.len() as u32, foretold, outputs })
}

/// Cost of a colour that changes.
const CHANGE: u32 = 6;

/// A cell's own colour.
const OWN: Feature = Feature { kind: CellKind::Colour as u8, a: 0, b: 0 };
