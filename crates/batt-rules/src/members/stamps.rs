//! Markers that become patches: learnt over the demos, or read from an object of the image; partial copies that are completed.

use batt_vision::{
    Copies, FIRST_ROLE, Ground, Plane, Stamp, Target, Template, copy_rule, roles::colour as colour_of, stamp_rule, template_rule,
};

use super::whole;
use crate::emit;
use crate::propose::{Budget, Candidate};
use crate::puzzle::{FREE, Picture, Puzzle};
use crate::roles;

pub(crate) fn propose(puzzle: &Puzzle, budget: Budget, parts: &mut Vec<Candidate>) -> Vec<Candidate> {
    if !puzzle.keeps_size() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for ground in puzzle.grounds() {
        if budget.is_over() {
            break;
        }
        for (number, template) in Template::all().into_iter().enumerate() {
            let call = format!("templaterule(I, {}, {number})", ground.number());
            let cost = if template.copies == Copies::Colours { 12 + number as u32 / 4 } else { 14 + number as u32 / 8 };
            found.extend(whole(puzzle, |input| picture(input, template_rule(input.image(), ground, template)), call, cost));
        }
        for colour in 0..10 {
            for (which, target) in [Target::Boxes(colour), Target::Cells(colour)].into_iter().enumerate() {
                for keeps in [true, false] {
                    let number = which * 2 + usize::from(!keeps);
                    let call = format!("copyrule(I, {}, {colour}, {number})", ground.number());
                    found.extend(whole(puzzle, |input| picture(input, copy_rule(input.image(), ground, target, keeps)), call, 14));
                }
            }
        }
        let roles = roles::colours(puzzle, ground);
        for &(colour, _) in &roles {
            for which in 0..4 {
                let apply = |input: &Picture| {
                    let colour = colour_of(colour, input.image(), ground)?;
                    let target = if which < 2 { Target::Boxes(colour) } else { Target::Cells(colour) };
                    picture(input, copy_rule(input.image(), ground, target, which % 2 == 0))
                };
                let call = format!("copyrule(I, {}, {colour}, {which})", ground.number());
                found.extend(whole(puzzle, apply, call, 14 + ROLE));
            }
        }
        for over in [true, false] {
            let fit = learnt(puzzle, ground, over, &[], parts);
            // Roles are for colours that differ.
            let by_roles = if fit.is_some() || roles.is_empty() { None } else { learnt(puzzle, ground, over, &roles, parts) };
            found.extend(fit.or(by_roles));
        }
    }
    found
}

/// What was made, as large as the input.
fn picture(input: &Picture, cells: Option<Vec<u8>>) -> Option<Picture> {
    Some(Picture { cells: cells?, ..*input })
}

/// The farthest place of a stamp from its marker.
const REACH: i8 = 4;

/// The roles of colours that stamps may have as arguments, with the colour in each demo.
type Roles = [(u8, Plane)];

fn learnt(puzzle: &Puzzle, ground: Ground, over: bool, roles: &Roles, parts: &mut Vec<Candidate>) -> Option<Candidate> {
    let all: Vec<usize> = (0..puzzle.demos.len()).collect();
    let mut stamps = stamps(puzzle, ground, over, roles, &all)?;
    let apply = |input: &Picture, stamps: &[Stamp]| stamp_rule(input.image(), ground, over, stamps);
    let made = |input: &Picture, stamps: &[Stamp]| Picture { cells: apply(input, stamps), ..*input };
    let fits = |demo: usize, stamps: &[Stamp]| made(&puzzle.demos[demo].0, stamps).is(&puzzle.demos[demo].1);
    let candidate = |stamps: &[Stamp], foretold: u32| {
        let outputs = puzzle.tests.iter().map(|test| Picture { cells: apply(test, stamps), ..*test }).collect();
        let count: usize = stamps.iter().map(|stamp| stamp.parts.len()).sum();
        let extra = ROLE * stamps.iter().filter(|stamp| stamp.marker >= FIRST_ROLE).count() as u32;
        let text = stamps.iter().map(|stamp| {
            let parts = stamp.parts.iter().map(|(rows, columns, colour)| format!("({rows}, {columns}, {colour})"));
            format!("({}, {})", stamp.marker, emit::tuple(parts))
        });
        let call = format!("stamprule(I, {}, {}, {})", ground.number(), u8::from(over), emit::tuple(text));
        Candidate { program: emit::program(&[call]), bits: 8 + 5 * stamps.len() as u32 + 2 * count as u32 + extra, foretold, outputs }
    };
    if !all.iter().all(|&demo| fits(demo, &stamps)) {
        let better = |(input, output): &(Picture, Picture)| {
            let made = apply(input, &stamps);
            made.iter()
                .zip(&output.cells)
                .zip(&input.cells)
                .all(|((made, output), input)| made == output || made == input || *output == FREE)
        };
        if puzzle.demos.iter().all(better) {
            parts.push(candidate(&stamps, 0));
        }
        return None;
    }
    prune(&mut stamps, |stamps| all.iter().all(|&demo| fits(demo, stamps)));
    let foretold = all.iter().filter(|&&demo| {
        let others: Vec<usize> = all.iter().copied().filter(|&other| other != demo).collect();
        let fit = if others.is_empty() { None } else { self::stamps(puzzle, ground, over, roles, &others) };
        fit.is_some_and(|mut stamps| {
            // Roles that a few demos have alike say the same in several ways: one of them is enough.
            if !roles.is_empty() {
                prune(&mut stamps, |stamps| others.iter().all(|&other| fits(other, stamps)));
            }
            fits(demo, &stamps)
        })
    });
    let foretold = foretold.fold(0, |all, demo| all | 1 << demo);
    if foretold == 0 && all.len() > 1 {
        return None;
    }
    Some(candidate(&stamps, foretold))
}

/// Drops the parts without which the stamps fit too, those far from the marker first.
fn prune(stamps: &mut Vec<Stamp>, fit: impl Fn(&[Stamp]) -> bool) {
    for k in (0..stamps.len()).rev() {
        let mut parts = stamps[k].parts.clone();
        parts.sort_by_key(|&(rows, columns, _)| std::cmp::Reverse(rows.abs().max(columns.abs())));
        for part in parts {
            let kept = stamps[k].parts.clone();
            stamps[k].parts.retain(|&other| other != part);
            if !fit(stamps) {
                stamps[k].parts = kept;
            }
        }
    }
    stamps.retain(|stamp| !stamp.parts.is_empty());
}

/// What markers of a role cost more.
const ROLE: u32 = 3;

/// For each colour what all its cells have around them in the outputs of some demos, where that is a change.
fn stamps(puzzle: &Puzzle, ground: Ground, over: bool, roles: &Roles, demos: &[usize]) -> Option<Vec<Stamp>> {
    let mut changed = false;
    let mut stamps = Vec::new();
    let is_everywhere = |marker: &u8| roles.is_empty() || puzzle.inputs().all(|input| input.cells.contains(marker));
    let constants = (0..10u8).filter(is_everywhere).map(|marker| (marker, vec![i16::from(marker); puzzle.demos.len()]));
    for (marker, colours) in constants.chain(roles.iter().cloned()) {
        let mut parts = Vec::new();
        for rows in -REACH..=REACH {
            for columns in -REACH..=REACH {
                if let Some(colour) = common(puzzle, ground, over, roles, demos, &colours, (rows, columns)) {
                    parts.push((rows, columns, colour));
                }
            }
        }
        changed |= !parts.is_empty();
        if !parts.is_empty() {
            stamps.push(Stamp { marker, parts });
        }
    }
    changed.then_some(stamps)
}

/// The colour that a place beside all markers gets, which have a colour in each demo, if it is one, or one role, and somewhere a change.
fn common(
    puzzle: &Puzzle,
    ground: Ground,
    over: bool,
    roles: &Roles,
    demos: &[usize],
    markers: &[i16],
    (rows, columns): (i8, i8),
) -> Option<u8> {
    // What may be the colour still, a bit each: the first colour, the marker's own, and roles.
    let (mut first, mut left, mut changes) = (None, 1u64, false);
    if !roles.is_empty() {
        left = (4 << roles.len()) - 1;
    }
    for &demo in demos {
        let (input, output) = &puzzle.demos[demo];
        let background = ground.of(input.image());
        let marker = markers[demo];
        if marker == i16::from(background) {
            return None;
        }
        let (height, width) = (input.height as i32, input.width as i32);
        for (place, _) in input.cells.iter().enumerate().filter(|&(_, &cell)| i16::from(cell) == marker) {
            let (row, column) = (place as i32 / width + i32::from(rows), place as i32 % width + i32::from(columns));
            if !(0..height).contains(&row) || !(0..width).contains(&column) {
                continue;
            }
            let there = (row * width + column) as usize;
            if !over && input.cells[there] != background && there != place {
                continue;
            }
            let colour = output.cells[there];
            if colour == FREE {
                continue;
            }
            left &= !u64::from(*first.get_or_insert(colour) != colour);
            if !roles.is_empty() {
                left &= !(u64::from(marker != i16::from(colour)) << 1);
                for (k, (_, colours)) in roles.iter().enumerate() {
                    left &= !(u64::from(colours[demo] != i16::from(colour)) << (k + 2));
                }
            }
            if left == 0 {
                return None;
            }
            changes |= colour != input.cells[there];
        }
    }
    let argument = |bit: u32| match bit {
        0 => first,
        1 => Some(10),
        role => roles.get(role as usize - 2).map(|(role, _)| *role),
    };
    argument(left.trailing_zeros()).filter(|_| changes)
}
