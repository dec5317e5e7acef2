//! Symmetries, periods, places by number.

use crate::bits;
use crate::image::{COLOURS, Frame, Image, Work};

/// The image laid over itself mirrored: left-right (0), upside down (1), both (2), at the diagonal (3), at the counterdiagonal (4), turned by
/// all of 90, 180 and 270 degrees (5).
pub fn symmetrized(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height(), image.width());
    if which >= 3 && height != width {
        return None;
    }
    let out = work.out.add(image.frame)?;
    for i in 0..height {
        for j in 0..width {
            let (up, left) = (height - 1 - i, width - 1 - j);
            let others: [(usize, usize); 3] = match which {
                0 => [(i, left); 3],
                1 => [(up, j); 3],
                2 => [(i, left), (up, j), (up, left)],
                3 => [(j, i); 3],
                4 => [(left, up); 3],
                _ => [(j, up), (up, left), (left, i)],
            };
            let own = image.at(i, j);
            out[i * width + j] =
                if own == 0 { others.iter().map(|&(i, j)| image.at(i, j)).find(|&cell| cell != 0).unwrap_or(0) } else { own };
        }
    }
    Some(())
}

/// Background filled so that the symmetries that the rest has hold for all: mirrored at an axis anywhere, or at both.
pub fn mirror_repaired(image: Image<'_>, _: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height() as i32, image.width() as i32);
    if image.filled() == image.cells.len() {
        return None;
    }
    // An axis is told by the sum of the two places that it exchanges. It has to leave a third of the image on either side.
    let axis = |length: i32, same: &dyn Fn(i32) -> Option<u32>| {
        let sums = (length * 2 / 3)..=(length - 1 + length / 3);
        sums.filter_map(|sum| same(sum).map(|pairs| (pairs, sum)))
            .max_by_key(|&(pairs, sum)| (pairs, -(sum - length + 1).abs()))
            .map(|(_, sum)| sum)
    };
    let mut filled = bits::NONE;
    bits::filled_rows(image, &mut filled);
    let least = image.filled() as u32 / 4;
    // The cells that have a partner are counted first, since that is cheap; then they are compared.
    let agree = |both: &dyn Fn(usize) -> u64, other: &dyn Fn(usize, usize) -> u8| {
        let pairs = (0..height as usize).map(|row| both(row).count_ones()).sum::<u32>();
        let same = |row: usize| all(both(row), |column| image.at(row, column) == other(row, column));
        (pairs > least && (0..height as usize).all(same)).then_some(pairs)
    };
    let across = axis(width, &|sum| {
        // Column j becomes sum - j.
        let mirrored = |bits: u64| if sum <= 63 { bits.reverse_bits() >> (63 - sum) } else { bits.reverse_bits() << (sum - 63) };
        agree(&|row| filled[row] & mirrored(filled[row]), &|row, column| image.at(row, sum as usize - column))
    });
    let down = axis(height, &|sum| {
        let other = |row: usize| usize::try_from(sum - row as i32).ok().filter(|&other| other < height as usize);
        agree(&|row| other(row).map_or(0, |other| filled[row] & filled[other]), &|row, column| {
            other(row).map_or(0, |other| image.at(other, column))
        })
    });
    let diagonal = height == width && {
        let both = |row: usize| {
            let mut bits = 0;
            bits::each(filled[row], |column| bits |= (filled[column] >> row & 1) << column);
            bits
        };
        agree(&both, &|row, column| image.at(column, row)).is_some()
    };
    if across.is_none() && down.is_none() && !diagonal {
        return None;
    }
    let out = work.out.add(image.frame)?;
    for i in 0..height {
        for j in 0..width {
            let mut places = [(i, j); 8];
            let mut known = 1;
            if let Some(sum) = across {
                places[known] = (i, sum - j);
                known += 1;
            }
            if let Some(sum) = down {
                for k in 0..known {
                    places[known + k] = (sum - places[k].0, places[k].1);
                }
                known *= 2;
            }
            if diagonal {
                for k in 0..known {
                    places[known + k] = (places[k].1, places[k].0);
                }
                known *= 2;
            }
            out[(i * width + j) as usize] =
                places[..known].iter().map(|&(i, j)| image.at_or_blank(i, j)).find(|&cell| cell != 0).unwrap_or(0);
        }
    }
    Some(())
}

/// Whether something holds for the place of every bit.
fn all(bits: u64, holds: impl Fn(usize) -> bool) -> bool {
    let mut left = bits;
    while left != 0 {
        if !holds(left.trailing_zeros() as usize) {
            return false;
        }
        left &= left - 1;
    }
    true
}

/// Background filled by the shortest period that the rest has: in rows and columns (0), in rows only (1), in columns only (2), along
/// diagonals (3: down right, 4: down left).
pub fn period_repaired(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    continued(image, image.frame, which, work)
}

/// The same on a frame of another size, which begins where the image does.
pub(crate) fn continued(image: Image<'_>, frame: Frame, which: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height() as i32, image.width() as i32);
    if image.filled() == image.cells.len() && image.frame == frame {
        return None;
    }
    let mut filled = bits::NONE;
    bits::filled_rows(image, &mut filled);
    let periodic = |di: i32, dj: i32| {
        let mut pairs = 0;
        for i in 0..height - di {
            let (row, below) = (i as usize, (i + di) as usize);
            let both = filled[row] & if dj >= 0 { filled[below] >> dj } else { filled[below] << -dj };
            let other = |column: usize| image.at(below, (column as i32 + dj) as usize);
            if !all(both, |column| image.at(row, column) == other(column)) {
                return false;
            }
            pairs += both.count_ones();
        }
        pairs > 0
    };
    // Two steps, either of which may be none: whatever is some of one and some of the other away is the same.
    let steps: [(i32, i32); 2] = match which {
        0 => {
            let row = (1..height).find(|&step| periodic(step, 0));
            let column = (1..width).find(|&step| periodic(0, step));
            [(row?, 0), (0, column?)]
        }
        1 => [(0, (1..width).find(|&step| periodic(0, step))?), (0, 0)],
        2 => [((1..height).find(|&step| periodic(step, 0))?, 0), (0, 0)],
        3 => [(1, 1), (0, 0)],
        _ => [(1, -1), (0, 0)],
    };
    if which >= 3 && !periodic(steps[0].0, steps[0].1) {
        return None;
    }
    let (rows, columns) = (i32::from(frame.height), i32::from(frame.width));
    let (first, second) = (steps[0], steps[1]);
    // For what is the same, by the smallest place of it: its colour.
    let class = |i: i32, j: i32| match which {
        0 => (i.rem_euclid(first.0), j.rem_euclid(second.1)),
        1 => (i, j.rem_euclid(first.1)),
        2 => (i.rem_euclid(first.0), j),
        3 => (0, j - i),
        _ => (0, j + i),
    };
    let span = (rows.max(height) + columns.max(width)) * 2;
    let key = |i: i32, j: i32| {
        let (i, j) = class(i, j);
        (i * span + j + span / 2) as usize
    };
    let mut colours = std::mem::take(&mut work.numbers);
    colours.clear();
    colours.resize((rows.max(height) as usize + 1) * span as usize, 0);
    let mut contradicts = false;
    for i in 0..height {
        for j in 0..width {
            let cell = i32::from(image.at_or_blank(i, j));
            if cell != 0 {
                let seen = &mut colours[key(i, j)];
                contradicts |= *seen != 0 && *seen != cell;
                *seen = cell;
            }
        }
    }
    if contradicts || work.out.add(frame).is_none() {
        work.numbers = colours;
        return None;
    }
    let start = work.out.cells().len() - frame.area();
    let out = &mut work.out.cells_mut()[start..];
    for i in 0..rows {
        for j in 0..columns {
            out[(i * columns + j) as usize] = colours[key(i, j)] as u8;
        }
    }
    work.numbers = colours;
    Some(())
}

/// Cells at some places: where row and column are both even (0), of an even sum (1), of an odd sum (2), in even rows (3), odd rows (4), even
/// columns (5), odd columns (6), on the diagonal (7), on the counterdiagonal (8), on the border (9), on every other ring (10).
pub fn places(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height(), image.width());
    let out = work.out.add(image.frame)?;
    for i in 0..height {
        for j in 0..width {
            let ring = i.min(j).min(height - 1 - i).min(width - 1 - j);
            let chosen = match which {
                0 => i % 2 == 0 && j % 2 == 0,
                1 => (i + j) % 2 == 0,
                2 => (i + j) % 2 == 1,
                3 => i % 2 == 0,
                4 => i % 2 == 1,
                5 => j % 2 == 0,
                6 => j % 2 == 1,
                7 => i == j,
                8 => i + j + 1 == width,
                9 => ring == 0,
                _ => ring % 2 == 0,
            };
            if chosen {
                out[i * width + j] = image.at(i, j);
            }
        }
    }
    Some(())
}

/// The image in the place of each of its cells that is not background (0), is background (1), or has the most common (2) or the least
/// common (3) colour.
pub fn self_product(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let counts = image.counts();
    let chosen = match which {
        2 => image.majority(),
        3 => (1..COLOURS).filter(|&colour| counts[colour] > 0).min_by_key(|&colour| counts[colour])? as u8,
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

/// Background, if it is no more than half of the image, filled with squares of three cells that occur elsewhere, turned and mirrored as
/// well, the most certain places first.
pub fn patched(image: Image<'_>, _: i32, work: &mut Work) -> Option<()> {
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
