//! Lines: smears, rays, joins, growth, falling.

use crate::image::{Frame, Image, Work};
use crate::shapes::{AROUND, Joining, components};
use crate::splits::component;

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

/// Every cell drawn on until the next cell or the border, in directions by number.
pub fn smear(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let size = (image.height(), image.width());
    let out = work.out.add(image.frame)?;
    out.copy_from_slice(image.cells);
    for &direction in DIRECTIONS[which as usize] {
        let mut colour = 0;
        walk(size, direction, |place, first| {
            if first {
                colour = 0;
            }
            if image.cells[place] != 0 {
                colour = image.cells[place];
            }
            if colour != 0 {
                out[place] = colour;
            }
        });
    }
    Some(())
}

/// Rays from all cells but those of the most common colour, which stop them, in directions by number. The rays without what was there.
pub fn rays(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let size = (image.height(), image.width());
    let wall = image.majority();
    let out = work.out.add(image.frame)?;
    for &direction in DIRECTIONS[which as usize] {
        let mut colour = 0;
        walk(size, direction, |place, first| {
            if first {
                colour = 0;
            }
            match image.cells[place] {
                0 => {
                    if colour != 0 {
                        out[place] = colour;
                    }
                }
                cell => colour = if cell == wall { 0 } else { cell },
            }
        });
    }
    Some(())
}

/// Background between two cells of one colour with nothing between: in rows (0), columns (1), both (2), diagonals (3), all (4).
pub fn links(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let size = (image.height(), image.width());
    let directions: &[(i32, i32)] = match which {
        0 => &[RIGHT],
        1 => &[DOWN],
        2 => &[RIGHT, DOWN],
        3 => &[DOWN_RIGHT, DOWN_LEFT],
        _ => &[RIGHT, DOWN, DOWN_RIGHT, DOWN_LEFT],
    };
    let out = work.out.add(image.frame)?;
    for &(di, dj) in directions {
        let back = di * image.width() as i32 + dj;
        let (mut colour, mut gap) = (0, 0);
        walk(size, (di, dj), |place, first| {
            if first {
                (colour, gap) = (0, 0);
            }
            match image.cells[place] {
                0 => gap += 1,
                cell => {
                    if cell == colour {
                        (1..=gap).for_each(|k| out[(place as i32 - k * back) as usize] = cell);
                    }
                    (colour, gap) = (cell, 0);
                }
            }
        });
    }
    Some(())
}

/// Background between a cell of one colour and the next of any: in rows (0), columns (1), both (2).
pub fn bridges(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let size = (image.height(), image.width());
    let directions: &[(i32, i32)] = match which {
        0 => &[RIGHT],
        1 => &[DOWN],
        _ => &[RIGHT, DOWN],
    };
    let colour = image.majority();
    let out = work.out.add(image.frame)?;
    for &(di, dj) in directions {
        let back = di * image.width() as i32 + dj;
        let (mut open, mut gap) = (false, 0);
        walk(size, (di, dj), |place, first| {
            if first {
                (open, gap) = (false, 0);
            }
            if image.cells[place] == 0 {
                gap += 1;
                return;
            }
            if open {
                (1..=gap).for_each(|k| out[(place as i32 - k * back) as usize] = colour);
            }
            (open, gap) = (true, 0);
        });
    }
    Some(())
}

/// Colours grown over background step by step, the nearest first: all of them (0), all but the most common (1); by corners too (2, 3).
pub fn grown(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height(), image.width());
    let skipped = if which % 2 == 1 { image.majority() } else { 0 };
    let ways = if which < 2 { 4 } else { 8 };
    let out = work.out.add(image.frame)?;
    out.copy_from_slice(image.cells);
    work.stack.clear();
    for (place, &cell) in image.cells.iter().enumerate() {
        if cell != 0 && cell != skipped {
            work.stack.push(((place / width) as u8, (place % width) as u8));
        }
    }
    let mut next = 0;
    while next < work.stack.len() {
        let (i, j) = work.stack[next];
        next += 1;
        let colour = out[i as usize * width + j as usize];
        for &(di, dj) in &AROUND[..ways] {
            let (row, column) = (i32::from(i) + di, i32::from(j) + dj);
            if row < 0 || column < 0 || row >= height as i32 || column >= width as i32 {
                continue;
            }
            let place = row as usize * width + column as usize;
            if out[place] == 0 {
                out[place] = colour;
                work.stack.push((row as u8, column as u8));
            }
        }
    }
    Some(())
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
    let (height, width) = (image.height() as i32, image.width() as i32);
    let (di, dj) = [RIGHT, LEFT, DOWN, UP][which as usize & 3];
    let mut parts = crate::image::Images::default();
    let home = Image { frame: Frame::at_origin(image.height(), image.width()), ..image };
    components(image, Joining { ways: 4, one_colour: true }, work, |work, frame, _| {
        component(home, frame, &work.marks, &mut parts);
    });
    let mut order: Vec<(i32, usize)> = parts.frames().iter().enumerate().map(|(k, frame)| (edge(*frame, di, dj), k)).collect();
    order.sort_unstable();
    let all: Vec<Image<'_>> = parts.iter().collect();
    let out = work.out.add(image.frame)?;
    for (_, k) in order {
        let part = all[k];
        let (mut row, mut column) = (i32::from(part.frame.row), i32::from(part.frame.column));
        let free = |row: i32, column: i32, out: &[u8]| {
            (0..part.height()).all(|i| {
                (0..part.width()).all(|j| {
                    if part.at(i, j) == 0 {
                        return true;
                    }
                    let (i, j) = (row + i as i32, column + j as i32);
                    i >= 0 && j >= 0 && i < height && j < width && out[(i * width + j) as usize] == 0
                })
            })
        };
        while free(row + di, column + dj, out) {
            row += di;
            column += dj;
        }
        for i in 0..part.height() {
            for j in 0..part.width() {
                if part.at(i, j) != 0 {
                    out[((row + i as i32) * width + column + j as i32) as usize] = part.at(i, j);
                }
            }
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
