//! Symmetries, periods, places by number.

use crate::bits;
use crate::image::{COLOURS, Frame, Image, MAX_SIDE, Work};
use crate::operation::row;
use crate::words;

row! {
    /// Laid over its mirror image: left-right (0), upside down (1), both (2), diagonals (3, 4), all turns (5).
    SYMMETRIZED = map(symmetrized, 0..6), feature(20);
    "symmetrized(((1, 2, 0),), 0)" => "((1, 2, 1),)"
}

/// The image laid over itself mirrored: left-right (0), upside down (1), both (2), at the diagonal (3), at the counterdiagonal (4), turned by
/// all of 90, 180 and 270 degrees (5).
pub(crate) fn symmetrized(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height(), image.width());
    if which >= 3 && height != width {
        return None;
    }
    let out = work.out.add(image.frame)?;
    out.copy_from_slice(image.cells);
    if matches!(which, 0 | 2) {
        mirror_across(out, width, width - 1);
    }
    if matches!(which, 1 | 2) {
        mirror_down(out, width, height - 1);
    }
    if which >= 3 {
        let last = width - 1;
        for (i, line) in out.chunks_exact_mut(width).enumerate() {
            for (j, cell) in line.iter_mut().enumerate().filter(|(_, cell)| **cell == 0) {
                *cell = match which {
                    3 => image.at(j, i),
                    4 => image.at(last - j, last - i),
                    _ => {
                        let others = [(j, last - i), (last - i, last - j), (last - j, i)];
                        others.iter().map(|&(i, j)| image.at(i, j)).find(|&cell| cell != 0).unwrap_or(0)
                    }
                };
            }
        }
    }
    Some(())
}

/// The places that an axis exchanges with each other, given the sum of any two of them: from, to.
fn exchanged(length: usize, sum: usize) -> (usize, usize) {
    let from = (sum + 1).saturating_sub(length);
    (from, sum - from + 1)
}

/// Gives each cell of background the colour of the cell in the same row that it is exchanged with.
fn mirror_across(cells: &mut [u8], width: usize, sum: usize) {
    let (from, to) = exchanged(width, sum);
    for line in cells.chunks_exact_mut(width) {
        let (left, right) = line[from..to].split_at_mut((to - from) / 2);
        for (a, b) in left.iter_mut().zip(right.iter_mut().rev()) {
            (*a, *b) = (if *a == 0 { *b } else { *a }, if *b == 0 { *a } else { *b });
        }
    }
}

/// Gives each cell of background the colour of the cell in the same column that it is exchanged with.
fn mirror_down(cells: &mut [u8], width: usize, sum: usize) {
    let (from, to) = exchanged(cells.len() / width, sum);
    let (upper, lower) = cells[from * width..to * width].split_at_mut((to - from) / 2 * width);
    for (a, b) in upper.chunks_exact_mut(width).zip(lower.chunks_exact_mut(width).rev()) {
        words::share(a, b);
    }
}

row! {
    /// Background filled by the mirror symmetries that the rest has.
    MIRROR_REPAIRED = map(mirror_repaired, 0..1), feature(8);
    "mirror_repaired(((1, 2, 2, 1), (3, 4, 4, 0)))" => "((1, 2, 2, 1), (3, 4, 4, 3))"
}

/// Background filled so that the symmetries that the rest has hold for all: mirrored at an axis anywhere, or at both.
pub(crate) fn mirror_repaired(image: Image<'_>, _: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height(), image.width());
    let filled_cells = image.cells.len() - image.count(0);
    if filled_cells == image.cells.len() {
        return None;
    }
    let mut filled = bits::NONE;
    work.plane(image, 0, &mut filled);
    let filled = &filled[..height];
    let least = filled_cells as u32 / 4;
    // An axis is told by the sum of the two places that it exchanges. It has to leave a third of the image on either side. The cells that have
    // a partner are counted first, since that is cheap; then they are compared, where there are most first.
    let axis = |length: usize, pairs: &dyn Fn(usize) -> u32, same: &dyn Fn(usize) -> bool| {
        let sums = (length * 2 / 3)..=(length - 1 + length / 3);
        let mut worth = [(0, 0, 0); MAX_SIDE];
        let mut count = 0;
        for sum in sums {
            let pairs = pairs(sum);
            if pairs > least {
                worth[count] = (pairs, -(sum as i32 - length as i32 + 1).abs(), sum);
                count += 1;
            }
        }
        worth[..count].sort_unstable();
        worth[..count].iter().rev().map(|&(_, _, sum)| sum).find(|&sum| same(sum))
    };
    let across = axis(
        width,
        &|sum| {
            // Column j becomes sum - j.
            let mirrored = |bits: u64| if sum <= 63 { bits.reverse_bits() >> (63 - sum) } else { bits.reverse_bits() << (sum - 63) };
            filled.iter().map(|&bits| (bits & mirrored(bits)).count_ones()).sum()
        },
        &|sum| {
            let (from, to) = exchanged(width, sum);
            let half = (to - from) / 2;
            let same = |line: &[u8]| {
                line[from..from + half].iter().zip(line[to - half..to].iter().rev()).all(|(&a, &b)| a == b || a == 0 || b == 0)
            };
            image.cells.chunks_exact(width).all(same)
        },
    );
    let down = axis(
        height,
        &|sum| {
            let (from, to) = exchanged(height, sum);
            let lines = &filled[from..to];
            lines.iter().zip(lines.iter().rev()).map(|(a, b)| (a & b).count_ones()).sum()
        },
        &|sum| {
            let (from, to) = exchanged(height, sum);
            (from..from + (to - from) / 2).all(|row| words::agree(image.row(row), image.row(sum - row)).is_some())
        },
    );
    let diagonal = height == width && {
        let mut pairs = 0;
        let same = (0..height).all(|row| {
            (0..=row).all(|column| {
                let (a, b) = (image.at(row, column), image.at(column, row));
                let both = a != 0 && b != 0;
                pairs += u32::from(both) * if row == column { 1 } else { 2 };
                a == b || !both
            })
        });
        same && pairs > least
    };
    if across.is_none() && down.is_none() && !diagonal {
        return None;
    }
    let fill = |cells: &mut [u8]| {
        if let Some(sum) = across {
            mirror_across(cells, width, sum);
        }
        if let Some(sum) = down {
            mirror_down(cells, width, sum);
        }
    };
    let out = work.out.add(image.frame)?;
    if diagonal {
        for (i, line) in out.chunks_exact_mut(width).enumerate() {
            line.iter_mut().enumerate().for_each(|(j, cell)| *cell = image.at(j, i));
        }
        fill(out);
        let mut upright = std::mem::take(&mut work.marks);
        upright.clear();
        upright.extend_from_slice(image.cells);
        fill(&mut upright);
        words::lay(&upright, out);
        work.marks = upright;
    } else {
        out.copy_from_slice(image.cells);
        fill(out);
    }
    Some(())
}

row! {
    /// Background filled by the shortest period of the rest: rows and columns (0), rows (1), columns (2), diagonals (3, 4).
    PERIOD_REPAIRED = map(period_repaired, 0..5), feature(12);
    "period_repaired(((1, 2, 1, 0, 1),), 1)" => "((1, 2, 1, 2, 1),)"
}

/// Background filled by the shortest period that the rest has: in rows and columns (0), in rows only (1), in columns only (2), along
/// diagonals (3: down right, 4: down left).
pub(crate) fn period_repaired(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    continued(image, image.frame, which, work)
}

/// `period_repaired` on a frame of another size, which begins where the image does.
pub(crate) fn continued(image: Image<'_>, frame: Frame, which: i32, work: &mut Work) -> Option<()> {
    if image.frame == frame && !image.cells.contains(&0) {
        return None;
    }
    let mut known = std::mem::take(&mut work.marks);
    known.clear();
    let done = if which < 3 {
        continued_by_tiles(image, frame, which, &mut known, work)
    } else {
        continued_diagonally(image, frame, which == 3, &mut known, work)
    };
    work.marks = known;
    done
}

fn continued_by_tiles(image: Image<'_>, frame: Frame, which: i32, tile: &mut Vec<u8>, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height(), image.width());
    let repeats_down =
        |step: usize| words::agree(&image.cells[..image.cells.len() - step * width], &image.cells[step * width..]) == Some(true);
    let repeats_across = |step: usize| {
        let mut pairs = false;
        image.cells.chunks_exact(width).all(|line| match words::agree(&line[..width - step], &line[step..]) {
            Some(some) => {
                pairs |= some;
                true
            }
            None => false,
        }) && pairs
    };
    let rows = if which == 1 { height } else { (1..height).find(|&step| repeats_down(step))? };
    let columns = if which == 2 { width } else { (1..width).find(|&step| repeats_across(step))? };
    // What repeats, first only from row to row.
    let (first, others) = image.cells.split_at(rows * width);
    tile.extend_from_slice(first);
    let mut clash = false;
    for other in others.chunks(rows * width) {
        clash |= words::unite(tile, other);
    }
    for line in tile.chunks_exact_mut(width) {
        clash |= words::fold(line, columns);
    }
    if clash {
        return None;
    }
    let wide = frame.width as usize;
    let out = work.out.add(frame)?;
    for (line, tile) in out.chunks_exact_mut(wide).zip(tile.chunks_exact(width)) {
        let both = wide.min(columns);
        line[..both].copy_from_slice(&tile[..both]);
        if which != 2 {
            words::repeat(line, columns);
        }
    }
    if which != 1 {
        words::repeat(out, rows * wide);
    }
    Some(())
}

fn continued_diagonally(image: Image<'_>, frame: Frame, to_the_right: bool, diagonals: &mut Vec<u8>, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height(), image.width());
    let mut pairs = false;
    for row in 1..height {
        let (above, below) = (image.row(row - 1), image.row(row));
        let (above, below) = if to_the_right { (&above[..width - 1], &below[1..]) } else { (&above[1..], &below[..width - 1]) };
        pairs |= words::agree(above, below)?;
    }
    if !pairs {
        return None;
    }
    let (rows, columns) = (frame.height as usize, frame.width as usize);
    let (tall, wide) = (rows.max(height), columns.max(width));
    // The diagonals of a row's cells lie beside each other, from this one on.
    let start = |row: usize| if to_the_right { tall - 1 - row } else { row };
    diagonals.resize(tall + wide, 0);
    let mut clash = false;
    for (row, line) in image.cells.chunks_exact(width).enumerate() {
        clash |= words::unite(&mut diagonals[start(row)..start(row) + width], line);
    }
    if clash {
        return None;
    }
    let out = work.out.add(frame)?;
    for (row, line) in out.chunks_exact_mut(columns).enumerate() {
        line.copy_from_slice(&diagonals[start(row)..start(row) + columns]);
    }
    Some(())
}

row! {
    /// Cells at places: both even (0), sum even or odd (1, 2), row even or odd (3, 4), column (5, 6), diagonals (7, 8), border (9),
    /// every other ring (10).
    PLACES = map(places, 0..11);
    "places(((1, 1), (1, 1)), 1)" => "((1, 0), (0, 1))"
}

/// Cells at some places: where row and column are both even (0), of an even sum (1), of an odd sum (2), in even rows (3), odd rows (4), even
/// columns (5), odd columns (6), on the diagonal (7), on the counterdiagonal (8), on the border (9), on every other ring (10).
pub(crate) fn places(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    const EVERY_OTHER: [u8; MAX_SIDE + 2] = {
        let mut every_other = [0; MAX_SIDE + 2];
        let mut place = 0;
        while place < every_other.len() {
            every_other[place] = 1;
            place += 2;
        }
        every_other
    };
    let (height, width) = (image.height(), image.width());
    let (even, odd) = (&EVERY_OTHER[..], &EVERY_OTHER[1..]);
    let out = work.out.add(image.frame)?;
    for (row, (line, from)) in out.chunks_exact_mut(width).zip(image.cells.chunks_exact(width)).enumerate() {
        // The cells of all rows, of none, or those of a mask.
        let mask = match (which, row % 2) {
            (0 | 3, 1) | (4, 0) => continue,
            (3, 0) | (4, 1) => None,
            (0 | 1, 0) | (2, 1) | (5, _) => Some(even),
            (1, 1) | (2, 0) | (6, _) => Some(odd),
            (7 | 8, _) => {
                let column = if which == 7 { row } else { width.wrapping_sub(row + 1) };
                if column < width {
                    line[column] = from[column];
                }
                continue;
            }
            _ => {
                // The rings that a row crosses, at either side, and the one that it runs along.
                let ring = row.min(height - 1 - row);
                let crossed = if which == 9 { ring.min(1) } else { ring.min(width) };
                for column in (0..crossed.min(width.div_ceil(2))).step_by(2) {
                    (line[column], line[width - 1 - column]) = (from[column], from[width - 1 - column]);
                }
                if 2 * ring < width && (ring == 0 || which == 10 && ring % 2 == 0) {
                    line[ring..width - ring].copy_from_slice(&from[ring..width - ring]);
                }
                continue;
            }
        };
        line.copy_from_slice(from);
        if let Some(mask) = mask {
            words::keep(mask, line);
        }
    }
    Some(())
}

row! {
    /// The image in the place of its cells (0), of its background (1), of its most (2) or least (3) common colour.
    SELF_PRODUCT = map(self_product, 0..4);
    "self_product(((1, 0),), 0)" => "((1, 0, 0, 0),)"
}

/// The image in the place of each of its cells that is not background (0), is background (1), or has the most common (2) or the least
/// common (3) colour.
pub(crate) fn self_product(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let chosen = match which {
        2 => work.majority(image),
        3 => {
            let counts = work.counts(image);
            (1..COLOURS).filter(|&colour| counts[colour] > 0).min_by_key(|&colour| counts[colour])? as u8
        }
        _ => 0,
    };
    let (height, width) = (image.height(), image.width());
    let out = work.out.add(Frame::at_origin(height * height, width * width))?;
    for i in 0..height {
        for j in 0..width {
            let cell = image.at(i, j);
            let placed = match which {
                0 => cell != 0,
                1 => cell == 0,
                _ => cell == chosen,
            };
            if placed {
                for k in 0..height {
                    let start = (i * height + k) * width * width + j * width;
                    out[start..start + width].copy_from_slice(image.row(k));
                }
            }
        }
    }
    Some(())
}

row! {
    /// Background filled with 3x3 squares that occur elsewhere, also turned or mirrored.
    PATCHED = map(patched, 0..1), never(), feature(11);
    "patched(((1, 2, 1, 2), (2, 1, 2, 1), (1, 2, 1, 2), (2, 1, 2, 0)))" => "((1, 2, 1, 2), (2, 1, 2, 1), (1, 2, 1, 2), (2, 1, 2, 1))"
}

/// Background, if it is no more than half of the image, filled with squares of three cells that occur elsewhere, turned and mirrored as
/// well, the most certain places first.
pub(crate) fn patched(image: Image<'_>, _: i32, work: &mut Work) -> Option<()> {
    const SIDE: usize = 3;
    let (height, width) = (image.height(), image.width());
    let filled = image.filled();
    if filled == image.cells.len() || filled * 2 < image.cells.len() || height < SIDE || width < SIDE {
        return None;
    }
    let mut patches: Vec<([u8; SIDE * SIDE], u32)> = Vec::new();
    for i in 0..=height - SIDE {
        for j in 0..=width - SIDE {
            let mut patch = [0; SIDE * SIDE];
            for (k, cell) in patch.iter_mut().enumerate() {
                *cell = image.at(i + k / SIDE, j + k % SIDE);
            }
            if patch.contains(&0) {
                continue;
            }
            for _ in 0..2 {
                for _ in 0..4 {
                    patches.push((patch, 1));
                    patch = std::array::from_fn(|k| patch[(SIDE - 1 - k % SIDE) * SIDE + k / SIDE]);
                }
                patch = std::array::from_fn(|k| patch[k % SIDE * SIDE + k / SIDE]);
            }
        }
    }
    patches.sort_unstable();
    patches.dedup_by(|next, first| {
        next.0 == first.0 && {
            first.1 += next.1;
            true
        }
    });
    patches.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    let out = work.out.add(image.frame)?;
    out.copy_from_slice(image.cells);
    let mut left = image.count(0);
    while left > 0 {
        // The place that knows most of its cells, and is not whole.
        let mut best: Option<(usize, usize, usize)> = None;
        for i in 0..=height - SIDE {
            for j in 0..=width - SIDE {
                let known = (0..SIDE * SIDE).filter(|k| out[(i + k / SIDE) * width + j + k % SIDE] != 0).count();
                if known < SIDE * SIDE && best.is_none_or(|(most, _, _)| known > most) {
                    best = Some((known, i, j));
                }
            }
        }
        let (_, i, j) = best?;
        let fits = |patch: &[u8; SIDE * SIDE]| {
            (0..SIDE * SIDE).all(|k| {
                let cell = out[(i + k / SIDE) * width + j + k % SIDE];
                cell == 0 || cell == patch[k]
            })
        };
        let (patch, _) = patches.iter().find(|(patch, _)| fits(patch))?;
        for k in 0..SIDE * SIDE {
            let cell = &mut out[(i + k / SIDE) * width + j + k % SIDE];
            if *cell == 0 {
                *cell = patch[k];
                left -= 1;
            }
        }
    }
    Some(())
}
