//! Views: a task seen through a coarse operation or with its colours renamed, a rule on what is seen, and back.
//!
//! Where outputs have another size than inputs, a view cuts out a part that is as large as the output: an object's box, a panel, what is left
//! without a frame. Where they have the same size, colours are renamed by what they do, and mapped back in the output.

use std::collections::HashSet;
use std::fmt::Write as _;

use batt_dsl::{Cells, Coarse, primitives};
use batt_image::{COLOURS, Image, Images, Kernel, List, Renaming, Work, inverted};

use super::{cells, lines, moves, objects, stamps};
use crate::emit;
use crate::propose::{Budget, Candidate};
use crate::puzzle::{Picture, Puzzle};

/// The most views that rules are fitted to.
const MOST: usize = 3;
/// The most cells of the outputs of all demos together.
const MOST_CELLS: usize = 1500;
/// What a call of a view costs, in bits.
const CALL: u32 = 14;

pub(crate) fn propose(puzzle: &Puzzle, budget: Budget) -> Vec<Candidate> {
    if puzzle.keeps_size() {
        return renamed(puzzle, budget);
    }
    let area: usize = puzzle.demos.iter().map(|demo| demo.1.cells.len()).sum();
    let Some(first) = puzzle.demos.first().filter(|_| area <= MOST_CELLS) else { return Vec::new() };
    let mut seen = HashSet::new();
    let mut views: Vec<(usize, u32, Vec<Call>, Puzzle)> = Vec::new();
    for calls in chains(&first.0, |size| size == first.1.size(), budget) {
        let Some(view) = through(puzzle, &calls) else { continue };
        if view.demos.iter().all(|(input, output)| input.size() == output.size()) && seen.insert(view.inputs().cloned().collect::<Vec<_>>())
        {
            let alike = |(input, output): &(Picture, Picture)| input.cells.iter().zip(&output.cells).filter(|(a, b)| a == b).count();
            let likeness = view.demos.iter().map(alike).sum();
            // What is right already needs no rule.
            if likeness < area {
                views.push((likeness, calls.len() as u32, calls, view));
            }
        }
    }
    views.sort_by_key(|(likeness, calls, ..)| (std::cmp::Reverse(*likeness), *calls));
    let mut found = Vec::new();
    for (_, count, calls, view) in views.into_iter().take(MOST) {
        if budget.is_over() {
            break;
        }
        let lines = lines(&calls, "v");
        for candidate in cells::propose(&view, budget, &mut Vec::new()).into_iter().chain(objects::propose(&view, budget)) {
            let program = with_view(&candidate.program, &lines, "v");
            found.push(Candidate { program, bits: candidate.bits + CALL * count, ..candidate });
        }
    }
    found
}

/// The lines of a program that compute what calls make of the input, as a variable.
pub(super) fn lines(calls: &[Call], variable: &str) -> String {
    let mut lines = String::new();
    let mut last = "I".to_owned();
    for (place, call) in calls.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = writeln!(lines, "    {variable}{place} = {}", call.text(&last));
        last = format!("{variable}{place}");
    }
    let _ = writeln!(lines, "    {variable} = to_origin({last})");
    lines
}

/// The text of a program of rules that begins with other lines and takes another variable for its input.
pub(super) fn with_view(program: &str, lines: &str, input: &str) -> String {
    let (head, body) = program.split_once('\n').unwrap_or((program, ""));
    format!("{head}\n{lines}{}", body.replace("(I, ", &format!("({input}, ")))
}

/// A call of a coarse operation.
#[derive(Clone, Copy)]
pub(super) struct Call {
    name: &'static str,
    coarse: Coarse,
    number: i32,
}

impl Call {
    fn text(&self, argument: &str) -> String {
        if self.coarse.has_number() { format!("{}({argument}, {})", self.name, self.number) } else { format!("{}({argument})", self.name) }
    }

    /// What it gives for one image or for a list of images.
    fn of(&self, images: &Images, work: &mut Work) -> Option<Images> {
        work.out.clear();
        match self.coarse.kernel {
            Kernel::Map(f) | Kernel::Split(f) => f(images.iter().next()?, self.number, work)?,
            Kernel::Pick(f) | Kernel::Sift(f) => f(List { frames: images.frames(), cells: images.cells() }, self.number, work)?,
            Kernel::Merge(_) | Kernel::Colour(_) | Kernel::Count(_) | Kernel::Pair(_) | Kernel::Test(_) => return None,
        }
        Some(work.out.clone())
    }
}

/// Calls that make something of a size that fits: one, or one that splits and one that picks.
pub(super) fn chains(input: &Picture, fits: impl Fn((usize, usize)) -> bool, budget: Budget) -> Vec<Vec<Call>> {
    let mut work = Work::default();
    let calls = |such: fn(&Kernel) -> bool| {
        let rows = primitives().filter(|(_, row)| row.cells == Cells::Cij && row.alias.is_none());
        let coarse = rows.filter_map(|(_, row)| Some((row.name, row.image?))).filter(move |(_, coarse)| such(&coarse.kernel));
        coarse.flat_map(|(name, coarse)| coarse.numbers().map(move |number| Call { name, coarse, number })).collect::<Vec<_>>()
    };
    let (maps, splits) = (calls(|kernel| matches!(kernel, Kernel::Map(_))), calls(|kernel| matches!(kernel, Kernel::Split(_))));
    let picks = calls(|kernel| matches!(kernel, Kernel::Pick(_)));
    let mut whole = Images::default();
    let Some(cells) = whole.add(input.image().frame) else { return Vec::new() };
    cells.copy_from_slice(&input.cells);
    let has_size = |image: Image<'_>| fits((image.height(), image.width()));
    let fits = |images: &Images| images.iter().next().is_some_and(has_size);
    let mut found: Vec<Vec<Call>> = Vec::new();
    found.extend(maps.iter().filter(|call| call.of(&whole, &mut work).as_ref().is_some_and(fits)).map(|call| vec![*call]));
    for split in &splits {
        let Some(list) = split.of(&whole, &mut work).filter(|list| list.iter().any(has_size)) else {
            continue;
        };
        if budget.is_over() {
            break;
        }
        found.extend(picks.iter().filter(|pick| pick.of(&list, &mut work).as_ref().is_some_and(fits)).map(|pick| vec![*split, *pick]));
    }
    found
}

/// What calls make of an input.
pub(super) fn seen(picture: &Picture, calls: &[Call], work: &mut Work) -> Option<Picture> {
    let mut images = Images::default();
    images.add(picture.image().frame)?.copy_from_slice(&picture.cells);
    for call in calls {
        images = call.of(&images, work)?;
    }
    let image: Image<'_> = images.iter().next()?;
    Some(Picture { height: image.height(), width: image.width(), cells: image.cells.to_vec() })
}

/// A task seen through calls; `None` where one has no value.
fn through(puzzle: &Puzzle, calls: &[Call]) -> Option<Puzzle> {
    let mut work = Work::default();
    let mut seen = |picture: &Picture| seen(picture, calls, &mut work);
    let mut demos = Vec::new();
    for (input, output) in &puzzle.demos {
        let input = seen(input)?;
        if input.size() != output.size() {
            return None;
        }
        demos.push((input, output.clone()));
    }
    Some(Puzzle { demos, tests: puzzle.tests.iter().map(seen).collect::<Option<_>>()? })
}

/// Rules on the task with its colours renamed by what they do, where that differs by sample.
fn renamed(puzzle: &Puzzle, budget: Budget) -> Vec<Candidate> {
    let palette = |picture: &Picture| picture.image().palette();
    let inputs: Vec<u16> = puzzle.demos.iter().map(|demo| palette(&demo.0)).collect();
    let outputs: Vec<u16> = puzzle.demos.iter().map(|demo| palette(&demo.1)).collect();
    let any = |all: &[u16]| all.iter().fold(0, |a, b| a | b);
    let every = |all: &[u16]| all.iter().fold(!0, |a, b| a & b);
    // Colours that are in all grids are themselves; the others have roles.
    let kept = (every(&inputs) & every(&outputs)) | (any(&outputs) & !any(&inputs));
    if any(&inputs) & !kept & !1 == 0 {
        return Vec::new();
    }
    let renaming = Renaming::fitted(puzzle.demos.iter().map(|demo| demo.0.image()), kept);
    let mut work = Work::default();
    let maps: Vec<[u8; COLOURS]> = puzzle.inputs().map(|input| renaming.of(input.image(), &mut work)).collect();
    if maps.iter().all(|map| map == &maps[0]) {
        return Vec::new();
    }
    let mapped = |picture: &Picture, map: &[u8; COLOURS]| Picture {
        cells: picture.cells.iter().map(|&cell| map[cell as usize]).collect(),
        ..*picture
    };
    let demos = puzzle.demos.len();
    let view = Puzzle {
        demos: puzzle.demos.iter().zip(&maps).map(|((input, output), map)| (mapped(input, map), mapped(output, map))).collect(),
        tests: puzzle.tests.iter().zip(&maps[demos..]).map(|(test, map)| mapped(test, map)).collect(),
    };
    let names = format!("{}, {}", renaming.kept, emit::tuple(renaming.measures.iter()));
    let renaming = format!("    v = renamed(I, {names})\n");
    let mut found = Vec::new();
    let mut parts = Vec::new();
    let mut fitted = cells::propose(&view, budget, &mut parts);
    fitted.extend(objects::propose(&view, budget));
    fitted.extend(lines::propose(&view, budget, &mut parts));
    fitted.extend(stamps::propose(&view, budget, &mut parts));
    fitted.extend(moves::propose(&view, budget));
    for candidate in fitted {
        let program = with_view(&candidate.program, &renaming, "v").replace("    O = ", "    w = ");
        let program = program.replace("    return O\n", &format!("    O = restored(w, I, {names})\n    return O\n"));
        let outputs = candidate.outputs.iter().zip(&maps[demos..]).map(|(output, map)| mapped(output, &inverted(map))).collect();
        found.push(Candidate { program, bits: candidate.bits + CALL, outputs, ..candidate });
    }
    found
}
