//! Lines: smears, rays, joins, growth, falling.

use crate::bits::{self, Rows};
use crate::image::{Frame, Image, MAX_SIDE, Work};
use crate::shapes::{AROUND, Joining, components};

const RIGHT: (i32, i32) = (0, 1);
const LEFT: (i32, i32) = (0, -1);
const DOWN: (i32, i32) = (1, 0);
const UP: (i32, i32) = (-1, 0);
const DOWN_RIGHT: (i32, i32) = (1, 1);
const UP_LEFT: (i32, i32) = (-1, -1);
const UP_RIGHT: (i32, i32) = (-1, 1);
const DOWN_LEFT: (i32, i32) = (1, -1);

/// Sets of directions, by number: one, two that are opposite, four, eight.
const DIRECTIONS: [&[(i32, i32)]; 15] = [
    &[RIGHT],
    &[LEFT],
    &[DOWN],
    &[UP],
    &[RIGHT, LEFT],
    &[DOWN, UP],
    &[RIGHT, LEFT, DOWN, UP],
    &[DOWN_RIGHT],
    &[UP_LEFT],
    &[UP_RIGHT],
    &[DOWN_LEFT],
    &[DOWN_RIGHT, UP_LEFT],
    &[UP_RIGHT, DOWN_LEFT],
    &[DOWN_RIGHT, UP_LEFT, UP_RIGHT, DOWN_LEFT],
    &[RIGHT, LEFT, DOWN, UP, DOWN_RIGHT, UP_LEFT, UP_RIGHT, DOWN_LEFT],
];

/// Calls with the places of every line in a direction, one line after the other: `start` at the beginning of each.
fn walk((height, width): (usize, usize), (di, dj): (i32, i32), mut step: impl FnMut(usize, bool)) {
    let (rows, columns) = (height as i32, width as i32);
    for i in 0..rows {
        for j in 0..columns {
            let (before_i, before_j) = (i - di, j - dj);
            if before_i >= 0 && before_j >= 0 && before_i < rows && before_j < columns {
                continue;
            }
            let (mut row, mut column, mut first) = (i, j, true);
            while row >= 0 && column >= 0 && row < rows && column < columns {
                step((row * columns + column) as usize, first);
                first = false;
                row += di;
                column += dj;
            }
        }
    }
}

/// Goes through an image in a direction, all lines of it at once: `step` is told what is carried along, the cell of the image and the one of
/// `out`, and gives what is carried on and what the cell of `out` becomes.
#[inline]
fn sweep(image: Image<'_>, (di, dj): (i32, i32), out: &mut [u8], step: impl Fn(u8, u8, u8) -> (u8, u8)) {
    let (height, width) = (image.height(), image.width());
    if di == 0 {
        for (line, row) in out.chunks_exact_mut(width).zip(image.cells.chunks_exact(width)) {
            let mut carried = 0;
            let mut take = |(cell, &from): (&mut u8, &u8)| (carried, *cell) = step(carried, from, *cell);
            if dj > 0 { line.iter_mut().zip(row).for_each(&mut take) } else { line.iter_mut().zip(row).rev().for_each(&mut take) }
        }
        return;
    }
    // What is carried to each column of the row at hand, with a column more on either side.
    let mut buffer = [0u8; MAX_SIDE + 2];
    for k in 0..height {
        let row = if di > 0 { k } else { height - 1 - k };
        match dj {
            1 => {
                buffer.copy_within(0..=width, 1);
                buffer[1] = 0;
            }
            -1 => {
                buffer.copy_within(2..width + 2, 1);
                buffer[width] = 0;
            }
            _ => {}
        }
        let line = &mut out[row * width..(row + 1) * width];
        for ((carried, cell), &from) in buffer[1..=width].iter_mut().zip(line).zip(image.row(row)) {
            (*carried, *cell) = step(*carried, from, *cell);
        }
    }
}

/// Every cell drawn on until the next cell or the border, in directions by number.
pub fn smear(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let out = work.out.add(image.frame)?;
    out.copy_from_slice(image.cells);
    for &direction in DIRECTIONS[which as usize] {
        sweep(image, direction, out, |carried, cell, there| {
            let carried = if cell == 0 { carried } else { cell };
            (carried, if carried == 0 { there } else { carried })
        });
    }
    Some(())
}

/// Rays from all cells but those of the most common colour, which stop them, in directions by number. The rays without what was there.
pub fn rays(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let wall = image.majority();
    let out = work.out.add(image.frame)?;
    for &direction in DIRECTIONS[which as usize] {
        sweep(image, direction, out, |carried, cell, there| {
            let on = if cell == wall { 0 } else { cell };
            let drawn = if carried == 0 { there } else { carried };
            if cell == 0 { (carried, drawn) } else { (on, there) }
        });
    }
    Some(())
}

/// Draws on the background between two cells with nothing between, in lines of some directions: `drawn` is told the two cells and gives the
/// colour, 0 for nothing.
fn between(image: Image<'_>, directions: &[(i32, i32)], work: &mut Work, drawn: impl Fn(u8, u8) -> u8) -> Option<()> {
    let area = image.cells.len();
    work.marks.resize((2 * area).max(work.marks.len()), 0);
    let (before, after) = work.marks.split_at_mut(area);
    let after = &mut after[..area];
    let out = work.out.add(image.frame)?;
    for &(di, dj) in directions {
        let on = |carried: u8, cell: u8, _: u8| {
            let carried = if cell == 0 { carried } else { cell };
            (carried, carried)
        };
        sweep(image, (di, dj), before, on);
        sweep(image, (-di, -dj), after, on);
        for (((cell, &from), &a), &b) in out.iter_mut().zip(image.cells).zip(before.iter()).zip(after.iter()) {
            let colour = drawn(a, b);
            *cell = if from == 0 && a != 0 && b != 0 && colour != 0 { colour } else { *cell };
        }
    }
    Some(())
}

/// Background between two cells of one colour with nothing between: in rows (0), columns (1), both (2), diagonals (3), all (4).
pub fn links(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let directions: &[(i32, i32)] = match which {
        0 => &[RIGHT],
        1 => &[DOWN],
        2 => &[RIGHT, DOWN],
        3 => &[DOWN_RIGHT, DOWN_LEFT],
        _ => &[RIGHT, DOWN, DOWN_RIGHT, DOWN_LEFT],
    };
    between(image, directions, work, |a, b| if a == b { a } else { 0 })
}

/// Background between a cell and the next one, in the most common colour: in rows (0), columns (1), both (2).
pub fn bridges(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let directions: &[(i32, i32)] = match which {
        0 => &[RIGHT],
        1 => &[DOWN],
        _ => &[RIGHT, DOWN],
    };
    let colour = image.majority();
    between(image, directions, work, |_, _| colour)
}

/// Colours grown over background step by step, the nearest first: all of them (0), all but the most common (1); by corners too (2, 3).
pub fn grown(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let skipped = if which % 2 == 1 { image.majority() } else { 0 };
    work.out.add(image.frame)?.copy_from_slice(image.cells);
    spread(image, if which < 2 { 4 } else { 8 }, skipped, work, |_| true);
    Some(())
}

/// Background at an even (0) or odd (1) distance from the nearest cell, in its colour, counted by sides and corners; by sides only (2, 3).
pub fn rings(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    if image.cells.iter().all(|&cell| cell == 0) {
        return None;
    }
    work.out.add(image.frame)?;
    spread(image, if which < 2 { 8 } else { 4 }, 0, work, |distance| distance % 2 == which % 2);
    Some(())
}

/// Writes colours to background, the nearest first, one step of so many ways after the other, at distances that are wanted. Cells of one colour do
/// not spread.
fn spread(image: Image<'_>, ways: usize, skipped: u8, work: &mut Work, is_wanted: impl Fn(i32) -> bool) {
    let (height, width) = (image.height(), image.width());
    // With a frame around, no step leaves the image.
    let wide = width + 2;
    work.marks.clear();
    work.marks.resize(wide * (height + 2), 1);
    // A cell by its place in the frame and in the image.
    let queue = &mut work.numbers;
    queue.clear();
    for row in 0..height {
        let start = (row + 1) * wide + 1;
        work.marks[start..start + width].copy_from_slice(image.row(row));
        for (column, _) in image.row(row).iter().enumerate().filter(|(_, cell)| **cell != 0 && **cell != skipped) {
            queue.push(((start + column) << 16 | (row * width + column)) as i32);
        }
    }
    let mut steps = [(0, 0); 8];
    for (step, (di, dj)) in steps.iter_mut().zip(&AROUND[..ways]) {
        *step = (di * wide as i32 + dj, di * width as i32 + dj);
    }
    let out = work.out.cells_mut();
    let (mut next, mut distance) = (0, 0);
    while next < queue.len() {
        let end = queue.len();
        distance += 1;
        let writes = is_wanted(distance);
        while next < end {
            let (framed, place) = (queue[next] >> 16, queue[next] & 0xffff);
            let colour = work.marks[framed as usize];
            next += 1;
            for (across, along) in &steps[..ways] {
                let beside = (framed + across) as usize;
                if work.marks[beside] == 0 {
                    work.marks[beside] = colour;
                    queue.push((framed + across) << 16 | (place + along));
                    if writes {
                        out[(place + along) as usize] = colour;
                    }
                }
            }
        }
    }
}

/// Cells fallen one by one to the right (0), to the left (1), down (2), up (3).
pub fn poured(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let size = (image.height(), image.width());
    let direction = [LEFT, RIGHT, UP, DOWN][which as usize & 3];
    let out = work.out.add(image.frame)?;
    let mut free = 0usize;
    let step = direction.0 * image.width() as i32 + direction.1;
    walk(size, direction, |place, first| {
        if first {
            free = place;
        }
        if image.cells[place] != 0 {
            out[free] = image.cells[place];
            free = (free as i32 + step) as usize;
        }
    });
    Some(())
}

/// Components of one colour fallen as far as they go to the right (0), to the left (1), down (2), up (3).
pub fn dropped(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height() as i32, image.width());
    let (di, dj) = [RIGHT, LEFT, DOWN, UP][which as usize & 3];
    let mut parts: Vec<(i32, Frame, u8)> = Vec::new();
    let mut rows: Vec<Rows> = Vec::new();
    components(image, Joining { ways: 4, one_colour: true }, work, |_, set, frame, colour| {
        parts.push((edge(frame, di, dj), frame, colour));
        rows.push(*set);
    });
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|&k| parts[k].0);
    let out = work.out.add(image.frame)?;
    let mut taken = bits::NONE;
    for k in order {
        let (_, frame, colour) = parts[k];
        let shifted = |bits: u64, steps: i32| if dj > 0 { bits << steps } else { bits >> if dj < 0 { steps } else { 0 } };
        let free = |steps: i32| {
            let (top, left) = (i32::from(frame.row) + di * steps, i32::from(frame.column) + dj * steps);
            let inside = top >= 0 && left >= 0 && top + i32::from(frame.height) <= height && left + i32::from(frame.width) <= width as i32;
            inside && bits::span(frame).all(|row| shifted(rows[k][row], steps) & taken[(row as i32 + di * steps) as usize] == 0)
        };
        let steps = (1..height.max(width as i32)).take_while(|&steps| free(steps)).last().unwrap_or(0);
        for row in bits::span(frame) {
            let (set, to) = (shifted(rows[k][row], steps), (row as i32 + di * steps) as usize);
            taken[to] |= set;
            bits::paint(set, colour, &mut out[to * width..(to + 1) * width]);
        }
    }
    Some(())
}

/// How late something is moved in a direction: what is ahead goes first.
fn edge(frame: Frame, di: i32, dj: i32) -> i32 {
    match (di, dj) {
        (1, _) => -(i32::from(frame.row) + i32::from(frame.height)),
        (-1, _) => i32::from(frame.row),
        (_, 1) => -(i32::from(frame.column) + i32::from(frame.width)),
        _ => i32::from(frame.column),
    }
}
