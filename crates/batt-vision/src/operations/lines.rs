//! Lines: smears, rays, joins, growth, falling.

use super::shapes::{AROUND, Joining, components};
use crate::bits::{self, Digits};
use crate::image::{COLOURS, Frame, Image, MAX_SIDE, Work};
use crate::operation::row;

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

row! {
    /// Cells drawn on to the next cell: right, left, down, up (0-3), both ways (4, 5), all four (6), down right, up left, up right,
    /// down left (7-10), both ways (11, 12), all four (13), all eight (14).
    SMEAR = map(smear, 0..15), feature(18);
    "smear(((0, 3, 0),), 0)" => "((0, 3, 3),)"
}

/// Every cell drawn on until the next cell or the border, in directions by number.
pub(crate) fn smear(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    work.out.add_image(image)?;
    draw_rays(image, which, 0, work);
    Some(())
}

row! {
    /// Rays over background from cells but those of the main colour, in directions as smear's.
    RAYS = map(rays, 0..15), feature(15);
    "rays(((2, 0, 0, 3, 3),), 0)" => "((0, 2, 2, 0, 0),)"
}

/// Rays from all cells but those of the most common colour, which stop them, in directions by number. The rays without what was there.
pub(crate) fn rays(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let wall = work.majority(image);
    work.out.add(image.frame)?;
    draw_rays(image, which, wall, work);
    Some(())
}

/// Rows of background.
const BLANK: [Digits; MAX_SIDE] = [[0; 4]; MAX_SIDE];

/// Draws lines over the background of the last image, from all cells but those of one colour, in directions by number. Later directions are drawn over
/// earlier ones.
fn draw_rays(image: Image<'_>, which: i32, wall: u8, work: &mut Work) {
    let (height, width) = (image.height(), image.width());
    let start = work.out.cells().len() - image.cells.len();
    let (mut seeds, mut open, mut drawn) = (BLANK, bits::NONE, BLANK);
    work.digits(image, &mut seeds);
    for (open, seeds) in open[..height].iter_mut().zip(&mut seeds) {
        *open = !bits::any(seeds) & bits::full(width);
        let walls = if wall == 0 { 0 } else { bits::of_colour(seeds, wall) };
        for digit in seeds {
            *digit &= !walls;
        }
    }
    for &direction in DIRECTIONS[which as usize] {
        bits::ahead(&seeds[..height], &open[..height], width, direction, |row, reached| {
            over(&mut drawn[row], reached, bits::any(&reached));
        });
    }
    for (line, drawn) in work.out.cells_mut()[start..].chunks_exact_mut(width).zip(&drawn) {
        bits::write(drawn, line);
    }
}

/// Colours over others, in some cells.
#[inline]
fn over(below: &mut Digits, above: Digits, cells: u64) {
    for (below, above) in below.iter_mut().zip(above) {
        *below = *below & !cells | above & cells;
    }
}

/// Draws on the background between two cells with nothing between, in lines of some directions: `drawn` is told the colours of the two, and gives
/// the colours of the line and the cells that it covers. Later directions are drawn over earlier ones.
fn between(image: Image<'_>, directions: &[(i32, i32)], work: &mut Work, drawn: impl Fn(&Digits, &Digits) -> (Digits, u64)) -> Option<()> {
    let (height, width) = (image.height(), image.width());
    let (mut seeds, mut open) = (BLANK, bits::NONE);
    work.digits(image, &mut seeds);
    for (open, seeds) in open[..height].iter_mut().zip(&seeds) {
        *open = !bits::any(seeds) & bits::full(width);
    }
    let (seeds, open) = (&seeds[..height], &open[..height]);
    let (mut before, mut lines) = (BLANK, BLANK);
    for &(di, dj) in directions {
        bits::ahead(seeds, open, width, (di, dj), |row, reached| before[row] = reached);
        bits::ahead(seeds, open, width, (-di, -dj), |row, reached| {
            let (colours, cells) = drawn(&before[row], &reached);
            over(&mut lines[row], colours, cells);
        });
    }
    for (line, drawn) in work.out.add(image.frame)?.chunks_exact_mut(width).zip(&lines) {
        bits::write(drawn, line);
    }
    Some(())
}

row! {
    /// Background between two cells of one colour: in rows (0), columns (1), both (2), diagonals (3), all (4).
    LINKS = map(links, 0..5), feature(7);
    "links(((3, 0, 3, 0, 2),), 0)" => "((0, 3, 0, 0, 0),)"
}

pub(crate) fn links(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let directions: &[(i32, i32)] = match which {
        0 => &[RIGHT],
        1 => &[DOWN],
        2 => &[RIGHT, DOWN],
        3 => &[DOWN_RIGHT, DOWN_LEFT],
        _ => &[RIGHT, DOWN, DOWN_RIGHT, DOWN_LEFT],
    };
    between(image, directions, work, |a, b| {
        let other = (0..a.len()).fold(0, |other, digit| other | a[digit] ^ b[digit]);
        (*a, bits::any(a) & !other)
    })
}

row! {
    /// Background between two cells, in the main colour: in rows (0), columns (1), both (2).
    BRIDGES = map(bridges, 0..3), feature(0);
    "bridges(((3, 0, 0, 2),), 0)" => "((0, 2, 2, 0),)"
}

/// Background between a cell and the next one, in the most common colour: in rows (0), columns (1), both (2).
pub(crate) fn bridges(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let directions: &[(i32, i32)] = match which {
        0 => &[RIGHT],
        1 => &[DOWN],
        _ => &[RIGHT, DOWN],
    };
    let colour = work.majority(image);
    let colours = std::array::from_fn(|digit| if colour >> digit & 1 == 1 { !0 } else { 0 });
    between(image, directions, work, |a, b| (colours, bits::any(a) & bits::any(b)))
}

row! {
    /// Colours grown over background, the nearest first: all (0), all but the main one (1); by corners too (2, 3).
    GROWN = map(grown, 0..4), feature(2);
    "grown(((1, 0, 0, 0, 2),), 0)" => "((1, 1, 1, 2, 2),)"
}

/// Colours grown over background step by step, the nearest first: all of them (0), all but the most common (1); by corners too (2, 3).
pub(crate) fn grown(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let skipped = if which % 2 == 1 { work.majority(image) } else { 0 };
    work.out.add_image(image)?;
    spread(image, if which < 2 { 4 } else { 8 }, skipped, work, |_| true);
    Some(())
}

row! {
    /// Background at an even (0) or odd (1) distance from the nearest cell, in its colour; the same by sides only (2, 3).
    RINGS = map(rings, 0..4);
    "rings(((3, 0, 0, 0),), 0)" => "((0, 0, 3, 0),)"
}

pub(crate) fn rings(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    if image.cells.iter().all(|&cell| cell == 0) {
        return None;
    }
    work.out.add(image.frame)?;
    spread(image, if which < 2 { 8 } else { 4 }, 0, work, |distance| distance % 2 == which % 2);
    Some(())
}

/// Writes colours to background, the nearest first, one step of so many ways after the other, at distances that are wanted. Cells of one colour do
/// not spread. Where two colours are equally near, the cell that was reached first goes on first.
fn spread(image: Image<'_>, ways: usize, skipped: u8, work: &mut Work, is_wanted: impl Fn(i32) -> bool) {
    if spread_apart(image, ways == 8, skipped, work, &is_wanted).is_some() {
        return;
    }
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

/// The most colours that are spread all at once.
const APART: usize = 3;

/// Spreads few colours that never meet, all cells of a row at once; `None` if they meet.
fn spread_apart(image: Image<'_>, corners: bool, skipped: u8, work: &mut Work, is_wanted: impl Fn(i32) -> bool) -> Option<()> {
    let (height, width) = (image.height(), image.width());
    let counts = work.counts(image);
    let colours = || (1..COLOURS as u8).filter(|&colour| counts[colour as usize] > 0 && colour != skipped);
    let count = colours().count();
    if count > APART {
        return None;
    }
    let (mut open, all) = (bits::NONE, bits::full(width));
    work.plane(image, 0, &mut open);
    for row in &mut open[..height] {
        *row = !*row & all;
    }
    // For each colour the cells that were reached last, with an empty row above and below, and those that are written.
    let (mut fronts, mut written) = ([[0; MAX_SIDE + 2]; APART], [bits::NONE; APART]);
    for (front, colour) in fronts.iter_mut().zip(colours()) {
        let mut rows = bits::NONE;
        work.plane(image, colour, &mut rows);
        front[1..=height].copy_from_slice(&rows[..height]);
    }
    let (mut distance, mut goes_on) = (0, true);
    while goes_on {
        distance += 1;
        goes_on = false;
        let writes = is_wanted(distance);
        let mut above = [0; APART];
        for row in 0..height {
            let mut reached = 0;
            for (front, (above, written)) in fronts[..count].iter_mut().zip(above.iter_mut().zip(&mut written)) {
                let (own, below) = (front[row + 1], front[row + 2]);
                let ends = *above | below;
                let sides = if corners { ends | own } else { own };
                let next = (sides << 1 | sides >> 1 | ends) & open[row];
                if next & reached != 0 {
                    return None;
                }
                reached |= next;
                front[row + 1] = next;
                *above = own;
                if writes {
                    written[row] |= next;
                }
            }
            open[row] &= !reached;
            goes_on |= reached != 0;
        }
    }
    let out = work.out.cells_mut();
    for (written, colour) in written.iter().zip(colours()) {
        for (row, &bits) in written[..height].iter().enumerate().filter(|(_, bits)| **bits != 0) {
            bits::paint(bits, colour, &mut out[row * width..(row + 1) * width]);
        }
    }
    Some(())
}

row! {
    /// Cells fallen one by one to the right (0), left (1), down (2), up (3).
    POURED = map(poured, 0..4), feature(13);
    "poured(((5, 0, 3, 0),), 0)" => "((0, 0, 5, 3),)"
}

pub(crate) fn poured(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height(), image.width());
    let mut filled = bits::NONE;
    work.plane(image, 0, &mut filled);
    let out = work.out.add(image.frame)?;
    if which < 2 {
        for ((row, line), &bits) in out.chunks_exact_mut(width).enumerate().zip(&filled) {
            let mut free = if which == 0 { width - bits.count_ones() as usize } else { 0 };
            bits::each(bits, |column| {
                line[free] = image.at(row, column);
                free += 1;
            });
        }
        return Some(());
    }
    // The cells of each column that are taken.
    let mut taken = [0; MAX_SIDE];
    for k in 0..height {
        let row = if which == 2 { height - 1 - k } else { k };
        bits::each(filled[row], |column| {
            let to = if which == 2 { height - 1 - taken[column] } else { taken[column] };
            out[to * width + column] = image.at(row, column);
            taken[column] += 1;
        });
    }
    Some(())
}

row! {
    /// Components of one colour fallen to the right (0), left (1), down (2), up (3).
    DROPPED = map(dropped, 0..4), feature(1);
    "dropped(((5, 0), (0, 0)), 2)" => "((0, 0), (5, 0))"
}

pub(crate) fn dropped(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height() as i32, image.width());
    let (di, dj) = [RIGHT, LEFT, DOWN, UP][which as usize & 3];
    // Where it lies, its colour, and where its rows begin.
    let mut parts: Vec<(i32, Frame, u8, usize)> = Vec::new();
    let mut rows: Vec<u64> = Vec::new();
    components(image, Joining { ways: 4, one_colour: true }, work, |_, set, frame, colour| {
        parts.push((edge(frame, di, dj), frame, colour, rows.len()));
        rows.extend_from_slice(&set[bits::span(frame)]);
    });
    parts.sort_by_key(|part| part.0);
    let out = work.out.add(image.frame)?;
    let mut taken = bits::NONE;
    for (_, frame, colour, start) in parts {
        let (top, left) = (i32::from(frame.row), i32::from(frame.column));
        let rows = &rows[start..start + frame.height as usize];
        let shifted = |bits: u64, steps: i32| if dj > 0 { bits << steps } else { bits >> if dj < 0 { steps } else { 0 } };
        let free = |steps: i32| {
            let first = (top + di * steps) as usize;
            rows.iter().zip(&taken[first..]).all(|(&bits, taken)| shifted(bits, steps) & taken == 0)
        };
        let room = match (di, dj) {
            (1, _) => height - top - i32::from(frame.height),
            (-1, _) => top,
            (_, 1) => width as i32 - left - i32::from(frame.width),
            _ => left,
        };
        let steps = (1..=room).take_while(|&steps| free(steps)).last().unwrap_or(0);
        let first = (top + di * steps) as usize;
        for (row, &bits) in rows.iter().enumerate() {
            let set = shifted(bits, steps);
            taken[first + row] |= set;
            bits::paint(set, colour, &mut out[(first + row) * width..(first + row + 1) * width]);
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
