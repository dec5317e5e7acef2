//! Find and replace: patterns that are learnt from what changes and what is around it.

use batt_vision::{FREE, MOST_FOUND, Replacement, replace_rule};

use crate::emit;
use crate::propose::{Budget, Candidate};
use crate::puzzle::{Picture, Puzzle};

/// The most rows and columns around a change that a pattern tells.
const MARGINS: usize = 3;
/// The most patterns.
const MOST: usize = 6;
/// The most changes of all demos.
const MOST_CHANGES: usize = 120;

pub(crate) fn propose(puzzle: &Puzzle, budget: Budget) -> Vec<Candidate> {
    let mut found = Vec::new();
    if !puzzle.keeps_size() {
        return found;
    }
    let Some(changes) = puzzle.demos.iter().map(changes).collect::<Option<Vec<_>>>() else { return found };
    if changes.iter().map(Vec::len).sum::<usize>() > MOST_CHANGES {
        return found;
    }
    let all: Vec<usize> = (0..puzzle.demos.len()).collect();
    for turned in [false, true] {
        for margin in 0..MARGINS {
            if budget.is_over() {
                return found;
            }
            let learn = |demos: &[usize]| learnt(puzzle, &changes, demos, margin, turned);
            let fits = |demo: &usize, patterns: &[Replacement]| {
                let (input, output) = &puzzle.demos[*demo];
                replace_rule(input.image(), turned, patterns).as_ref() == Some(&output.cells)
            };
            let Some(patterns) = learn(&all).filter(|patterns| all.iter().all(|demo| fits(demo, patterns))) else { continue };
            let foretells = |demo: &&usize| {
                let others: Vec<usize> = all.iter().copied().filter(|other| other != *demo).collect();
                !others.is_empty() && learn(&others).is_some_and(|patterns| fits(demo, &patterns))
            };
            let foretold = all.iter().filter(foretells).fold(0, |all, demo| all | 1 << demo);
            // What foretells nothing was made up.
            if foretold == 0 {
                continue;
            }
            let made = |test: &Picture| Some(Picture { cells: replace_rule(test.image(), turned, &patterns)?, ..*test });
            let Some(outputs) = puzzle.tests.iter().map(made).collect::<Option<_>>() else { continue };
            let told: usize =
                patterns.iter().map(|pattern| pattern.find.iter().chain(&pattern.replace).filter(|&&cell| cell != FREE).count()).sum();
            let side = |cells: &[u8], width: usize| emit::tuple(cells.chunks_exact(width).map(emit::tuple));
            let pair =
                |pattern: &Replacement| format!("({}, {})", side(&pattern.find, pattern.width), side(&pattern.replace, pattern.width));
            let call = format!("replacerule(I, {}, {})", u8::from(turned), emit::tuple(patterns.iter().map(pair)));
            let bits = 10 + 4 * patterns.len() as u32 + told as u32 + u32::from(turned);
            found.push(Candidate { program: emit::program(&[call]), bits, foretold, outputs });
            // More around it says no more.
            break;
        }
    }
    found
}

/// A box of an image: its first row and column, and those after its last.
type Area = (usize, usize, usize, usize);

/// The boxes of cells that change, joined by sides and corners. `None` if nothing or too much changes.
fn changes((input, output): &(Picture, Picture)) -> Option<Vec<Area>> {
    let (height, width) = input.size();
    let mut is_open: Vec<bool> = input.cells.iter().zip(&output.cells).map(|(before, after)| before != after).collect();
    let mut boxes = Vec::new();
    while let Some(first) = is_open.iter().position(|&is_open| is_open) {
        is_open[first] = false;
        let mut cells = vec![first];
        let mut area = (height, width, 0, 0);
        while let Some(place) = cells.pop() {
            let (row, column) = (place / width, place % width);
            area = (area.0.min(row), area.1.min(column), area.2.max(row + 1), area.3.max(column + 1));
            for row in row.saturating_sub(1)..(row + 2).min(height) {
                for column in column.saturating_sub(1)..(column + 2).min(width) {
                    if std::mem::replace(&mut is_open[row * width + column], false) {
                        cells.push(row * width + column);
                    }
                }
            }
        }
        boxes.push(area);
        if boxes.len() > MOST_CHANGES || (area.2 - area.0) * (area.3 - area.1) > MOST_FOUND {
            return None;
        }
    }
    (!boxes.is_empty()).then_some(boxes)
}

/// A pattern for each kind of change in some demos: what all changes of the kind have around them.
fn learnt(puzzle: &Puzzle, changes: &[Vec<Area>], demos: &[usize], margin: usize, turned: bool) -> Option<Vec<Replacement>> {
    let mut patterns: Vec<Replacement> = Vec::new();
    for &demo in demos {
        for &area in &changes[demo] {
            let around = around(&puzzle.demos[demo], area, margin)?;
            let forms: Vec<Replacement> = (0..if turned { 8 } else { 1 }).map(|which| around.turned(which)).collect();
            // Of several ways to lay them over each other, the one in which most cells agree.
            let mut joined: Option<(usize, usize, &Replacement)> = None;
            for form in &forms {
                for (place, pattern) in patterns.iter().enumerate() {
                    let is_same = (pattern.height, pattern.width) == (form.height, form.width) && pattern.replace == form.replace;
                    if is_same && is_alike(pattern, form) {
                        let agreed = pattern.find.iter().zip(&form.find).filter(|(told, cell)| told == cell).count();
                        if joined.is_none_or(|joined| joined.0 < agreed) {
                            joined = Some((agreed, place, form));
                        }
                    }
                }
            }
            let Some((_, place, form)) = joined else {
                patterns.push(around);
                continue;
            };
            for (told, cell) in patterns[place].find.iter_mut().zip(&form.find) {
                if told != cell {
                    *told = FREE;
                }
            }
        }
        if patterns.len() > MOST {
            return None;
        }
    }
    patterns.iter().map(trimmed).collect()
}

/// A pattern without the rows and columns at its edges that say nothing: they may be outside the image.
fn trimmed(pattern: &Replacement) -> Option<Replacement> {
    let told = || (0..pattern.find.len()).filter(|&place| pattern.find[place] != FREE || pattern.replace[place] != FREE);
    let (rows, columns) = (|| told().map(|place| place / pattern.width), || told().map(|place| place % pattern.width));
    let (top, left, bottom, right) = (rows().min()?, columns().min()?, rows().max()?, columns().max()?);
    let cut = |cells: &[u8]| -> Vec<u8> {
        cells[top * pattern.width..(bottom + 1) * pattern.width]
            .chunks_exact(pattern.width)
            .flat_map(|row| &row[left..=right])
            .copied()
            .collect()
    };
    Replacement::new(bottom - top + 1, right - left + 1, cut(&pattern.find), cut(&pattern.replace))
}

/// Whether what changes is the same: the cells that get another colour have the same one before.
fn is_alike(pattern: &Replacement, form: &Replacement) -> bool {
    let cells = pattern.find.iter().zip(&form.find).zip(&form.replace);
    cells.filter(|(_, replace)| **replace != FREE).all(|((told, cell), _)| told == cell || *told == FREE)
}

/// A change with what is around it; what is outside the image is free.
fn around((input, output): &(Picture, Picture), (top, left, bottom, right): Area, margin: usize) -> Option<Replacement> {
    let (height, width) = (bottom - top + 2 * margin, right - left + 2 * margin);
    let (mut find, mut replace) = (Vec::new(), Vec::new());
    for place in 0..height * width {
        let row = (top + place / width).checked_sub(margin).filter(|&row| row < input.height);
        let column = (left + place % width).checked_sub(margin).filter(|&column| column < input.width);
        let there = row.zip(column).map(|(row, column)| row * input.width + column);
        let (before, after) = there.map_or((FREE, FREE), |there| (input.cells[there], output.cells[there]));
        let is_own = (margin..height - margin).contains(&(place / width)) && (margin..width - margin).contains(&(place % width));
        find.push(before);
        replace.push(if is_own && before != after { after } else { FREE });
    }
    Replacement::new(height, width, find, replace)
}
