//! Connected cells: components, holes, outlines, what is inside.

use crate::image::{COLOURS, Frame, Image, Work};

/// The neighbours by side, then by corner.
pub(crate) const AROUND: [(i32, i32); 8] = [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)];

/// Marks what can be reached from the cells that the stack has, over cells that `open` says, by `ways` neighbours. What is on the stack is
/// marked already.
pub(crate) fn flood(
    (height, width): (usize, usize),
    ways: usize,
    marks: &mut [u8],
    stack: &mut Vec<(u8, u8)>,
    mark: u8,
    open: impl Fn(usize) -> bool,
) {
    while let Some((i, j)) = stack.pop() {
        for &(di, dj) in &AROUND[..ways] {
            let (row, column) = (i32::from(i) + di, i32::from(j) + dj);
            if row < 0 || column < 0 || row >= height as i32 || column >= width as i32 {
                continue;
            }
            let place = row as usize * width + column as usize;
            if marks[place] == 0 && open(place) {
                marks[place] = mark;
                stack.push((row as u8, column as u8));
            }
        }
    }
}

/// How cells are joined to components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Joining {
    /// Neighbours: 4 or 8.
    pub(crate) ways: usize,
    /// Whether a component has one colour.
    pub(crate) one_colour: bool,
}

/// Calls `each` with the box of every component of cells but background, in the order of their first cells. Marks of the component at hand
/// are 1, of earlier ones 2.
pub(crate) fn components(image: Image<'_>, joining: Joining, work: &mut Work, mut each: impl FnMut(&mut Work, Frame, u8)) {
    let (height, width) = (image.height(), image.width());
    let mut marks = std::mem::take(&mut work.marks);
    let mut stack = std::mem::take(&mut work.stack);
    marks.clear();
    marks.resize(image.cells.len(), 0);
    for start in 0..image.cells.len() {
        let colour = image.cells[start];
        if colour == 0 || marks[start] != 0 {
            continue;
        }
        let (i, j) = (start / width, start % width);
        let (mut top, mut bottom, mut left, mut right) = (i, i, j, j);
        marks[start] = 1;
        stack.clear();
        stack.push((i as u8, j as u8));
        let mut next = 0;
        // The stack keeps all cells of the component, so that their marks can be changed after.
        while next < stack.len() {
            let (i, j) = stack[next];
            next += 1;
            let (i, j) = (i as usize, j as usize);
            (top, bottom, left, right) = (top.min(i), bottom.max(i), left.min(j), right.max(j));
            for &(di, dj) in &AROUND[..joining.ways] {
                let (row, column) = (i as i32 + di, j as i32 + dj);
                if row < 0 || column < 0 || row >= height as i32 || column >= width as i32 {
                    continue;
                }
                let place = row as usize * width + column as usize;
                let cell = image.cells[place];
                if marks[place] == 0 && cell != 0 && (!joining.one_colour || cell == colour) {
                    marks[place] = 1;
                    stack.push((row as u8, column as u8));
                }
            }
        }
        let frame = Frame { row: top as i16, column: left as i16, height: (bottom + 1 - top) as u16, width: (right + 1 - left) as u16 };
        work.marks = marks;
        each(work, frame, colour);
        marks = std::mem::take(&mut work.marks);
        for &(i, j) in &stack {
            marks[i as usize * width + j as usize] = 2;
        }
    }
    work.marks = marks;
    work.stack = stack;
}

/// The number of components of any colours, joined by corners too.
pub(crate) fn component_count(image: Image<'_>, work: &mut Work) -> usize {
    let mut count = 0;
    components(image, Joining { ways: 8, one_colour: false }, work, |_, _, _| count += 1);
    count
}

/// Marks background that is joined by `ways` with the border, or would be if the frame were larger: 1.
fn mark_outside(image: Image<'_>, ways: usize, work: &mut Work) {
    let (height, width) = (image.height(), image.width());
    work.marks.clear();
    work.marks.resize(image.cells.len(), 0);
    work.stack.clear();
    for i in 0..height {
        let border = i == 0 || i == height - 1;
        let step = if border { 1 } else { (width - 1).max(1) };
        for j in (0..width).step_by(step) {
            if image.at(i, j) == 0 {
                work.marks[i * width + j] = 1;
                work.stack.push((i as u8, j as u8));
            }
        }
    }
    flood((height, width), ways, &mut work.marks, &mut work.stack, 1, |place| image.cells[place] == 0);
}

/// What is enclosed, and what encloses it, in the most common colour.
pub fn holes_filled(image: Image<'_>, _: i32, work: &mut Work) -> Option<()> {
    mark_outside(image, 4, work);
    let colour = image.majority();
    let out = work.out.add(image.frame)?;
    for (cell, &outside) in out.iter_mut().zip(&work.marks) {
        *cell = if outside == 1 { 0 } else { colour };
    }
    Some(())
}

/// Background that is enclosed by sides and corners (0) or by sides (1), in the most common colour.
pub fn holes(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    mark_outside(image, if which == 0 { 4 } else { 8 }, work);
    let colour = image.majority();
    let out = work.out.add(image.frame)?;
    for ((cell, &outside), &from) in out.iter_mut().zip(&work.marks).zip(image.cells) {
        *cell = if outside == 1 || from != 0 { 0 } else { colour };
    }
    Some(())
}

/// Enclosed background in the colour of what encloses it: the colour that most of its neighbours have.
pub fn rooms(image: Image<'_>, _: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height(), image.width());
    mark_outside(image, 4, work);
    let mut marks = std::mem::take(&mut work.marks);
    let mut stack = std::mem::take(&mut work.stack);
    let Some(out) = work.out.add(image.frame) else {
        work.marks = marks;
        work.stack = stack;
        return None;
    };
    for start in 0..image.cells.len() {
        if image.cells[start] != 0 || marks[start] != 0 {
            continue;
        }
        stack.clear();
        stack.push(((start / width) as u8, (start % width) as u8));
        marks[start] = 2;
        let (mut counts, mut next) = ([0u32; COLOURS], 0);
        while next < stack.len() {
            let (i, j) = stack[next];
            next += 1;
            for &(di, dj) in &AROUND[..4] {
                let (row, column) = (i32::from(i) + di, i32::from(j) + dj);
                if row < 0 || column < 0 || row >= height as i32 || column >= width as i32 {
                    continue;
                }
                let place = row as usize * width + column as usize;
                let cell = image.cells[place];
                counts[cell as usize] += 1;
                if cell == 0 && marks[place] == 0 {
                    marks[place] = 2;
                    stack.push((row as u8, column as u8));
                }
            }
        }
        let colour = crate::image::most_common(&counts);
        for &(i, j) in &stack {
            out[i as usize * width + j as usize] = colour;
        }
    }
    work.marks = marks;
    work.stack = stack;
    Some(())
}

/// Marks cells at which the outside ends: on the border, or beside background that is joined with it by corners. 1: outside, 2: such cells.
fn mark_border(image: Image<'_>, work: &mut Work) {
    let (height, width) = (image.height(), image.width());
    mark_outside(image, 8, work);
    for i in 0..height {
        for j in 0..width {
            let place = i * width + j;
            if image.cells[place] == 0 {
                continue;
            }
            let touches = AROUND.iter().any(|&(di, dj)| {
                let (row, column) = (i as i32 + di, j as i32 + dj);
                let beyond = row < 0 || column < 0 || row >= height as i32 || column >= width as i32;
                beyond || work.marks[row as usize * width + column as usize] == 1
            });
            if touches {
                work.marks[place] = 2;
            }
        }
    }
}

/// The cells at which the outside ends (0), or all others (1).
pub fn rim(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    mark_border(image, work);
    let out = work.out.add(image.frame)?;
    for ((cell, &mark), &from) in out.iter_mut().zip(&work.marks).zip(image.cells) {
        *cell = if (mark == 2) == (which == 0) { from } else { 0 };
    }
    Some(())
}

/// Background beside cells: by side or corner in colour 1 (0), by side in colour 1 (1), by side or corner in the colour of a neighbour (2),
/// by corner only in colour 1 (3).
pub fn outline(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height(), image.width());
    let around = match which {
        1 => &AROUND[..4],
        3 => &AROUND[4..],
        _ => &AROUND[..],
    };
    let out = work.out.add(image.frame)?;
    for i in 0..height {
        for j in 0..width {
            if image.cells[i * width + j] != 0 {
                continue;
            }
            let beside = around.iter().map(|&(di, dj)| image.at_or_blank(i as i32 + di, j as i32 + dj)).find(|&cell| cell != 0);
            if let Some(colour) = beside {
                out[i * width + j] = if which == 2 { colour } else { 1 };
            }
        }
    }
    Some(())
}

/// Components of one colour without those of one cell (0), only those of one cell (1), without the smallest (2), only the largest (3).
pub fn by_size(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let width = image.width();
    let mut sizes = std::mem::take(&mut work.numbers);
    sizes.clear();
    components(image, Joining { ways: if which < 2 { 8 } else { 4 }, one_colour: true }, work, |work, frame, _| {
        sizes.push(marked(&work.marks, width, frame) as i32);
    });
    let (least, most) = (sizes.iter().copied().min().unwrap_or(0), sizes.iter().copied().max().unwrap_or(0));
    let keep = |size: i32| match which {
        0 => size > 1,
        1 => size == 1,
        2 => size > least,
        _ => size == most,
    };
    if work.out.add(image.frame).is_none() {
        work.numbers = sizes;
        return None;
    }
    let start = work.out.cells().len() - image.cells.len();
    let mut next = 0;
    components(image, Joining { ways: if which < 2 { 8 } else { 4 }, one_colour: true }, work, |work, frame, colour| {
        let size = sizes[next];
        next += 1;
        if keep(size) {
            let Work { out, marks, .. } = work;
            each_marked(marks, width, frame, |place| out.cells_mut()[start + place] = colour);
        }
    });
    work.numbers = sizes;
    Some(())
}

/// Components in colours by what they are: by the rank of their size, the largest in colour 1 (0), the smallest in colour 1 (1), by the
/// number of their cells (2), by the number of their holes and one (3), in the order of columns (4), of rows (5), by symmetry (6).
pub fn ranked(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let width = image.width();
    let joining = Joining { ways: 8, one_colour: false };
    let mut keys = std::mem::take(&mut work.numbers);
    keys.clear();
    components(image, joining, work, |work, frame, _| {
        let size = marked(&work.marks, width, frame) as i32;
        keys.push(match which {
            0 => -size,
            1 | 2 => size,
            3 => hole_count(&work.marks, width, frame),
            4 => i32::from(frame.column),
            5 => i32::from(frame.row),
            _ => i32::from(!symmetric(&work.marks, width, frame)),
        });
    });
    let mut ranks: Vec<i32> = keys.clone();
    ranks.sort_unstable();
    ranks.dedup();
    let colour_of = |key: i32| match which {
        2 => key,
        3 | 6 => key + 1,
        _ => ranks.partition_point(|&rank| rank < key) as i32 + 1,
    };
    let good = !keys.is_empty() && keys.iter().all(|&key| (1..COLOURS as i32).contains(&colour_of(key)));
    if !good || work.out.add(image.frame).is_none() {
        work.numbers = keys;
        return None;
    }
    let start = work.out.cells().len() - image.cells.len();
    let mut next = 0;
    components(image, joining, work, |work, frame, _| {
        let colour = colour_of(keys[next]) as u8;
        next += 1;
        let Work { out, marks, .. } = work;
        each_marked(marks, width, frame, |place| out.cells_mut()[start + place] = colour);
    });
    work.numbers = keys;
    Some(())
}

/// Calls with the places of the cells that are marked 1 in a frame.
pub(crate) fn each_marked(marks: &[u8], width: usize, frame: Frame, mut each: impl FnMut(usize)) {
    for i in 0..frame.height as usize {
        let start = (frame.row as usize + i) * width + frame.column as usize;
        let row = marks[start..start + frame.width as usize].iter().enumerate();
        row.filter(|(_, mark)| **mark == 1).for_each(|(place, _)| each(start + place));
    }
}

fn marked(marks: &[u8], width: usize, frame: Frame) -> usize {
    let mut count = 0;
    each_marked(marks, width, frame, |_| count += 1);
    count
}

/// The number of parts of a frame that a component encloses.
fn hole_count(marks: &[u8], width: usize, frame: Frame) -> i32 {
    let (height, columns) = (frame.height as usize, frame.width as usize);
    let inside = |i: usize, j: usize| marks[(frame.row as usize + i) * width + frame.column as usize + j] == 1;
    let mut seen = vec![false; height * columns];
    let mut count = 0;
    for start in 0..height * columns {
        if seen[start] || inside(start / columns, start % columns) {
            continue;
        }
        let (mut stack, mut open) = (vec![start], false);
        seen[start] = true;
        while let Some(place) = stack.pop() {
            let (i, j) = (place / columns, place % columns);
            for &(di, dj) in &AROUND[..4] {
                let (row, column) = (i as i32 + di, j as i32 + dj);
                if row < 0 || column < 0 || row >= height as i32 || column >= columns as i32 {
                    open = true;
                    continue;
                }
                let next = row as usize * columns + column as usize;
                if !seen[next] && !inside(row as usize, column as usize) {
                    seen[next] = true;
                    stack.push(next);
                }
            }
        }
        count += i32::from(!open);
    }
    count
}

/// Whether a component is the same mirrored left-right or upside down.
fn symmetric(marks: &[u8], width: usize, frame: Frame) -> bool {
    let (height, columns) = (frame.height as usize, frame.width as usize);
    let inside = |i: usize, j: usize| marks[(frame.row as usize + i) * width + frame.column as usize + j] == 1;
    let all = |same: &dyn Fn(usize, usize) -> bool| (0..height).all(|i| (0..columns).all(|j| same(i, j)));
    all(&|i, j| inside(i, j) == inside(i, columns - 1 - j)) || all(&|i, j| inside(i, j) == inside(height - 1 - i, j))
}

/// Cells that are in a square of 2 (0) or 3 (1) cells of one colour, or all others (2, 3).
pub fn opened(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height(), image.width());
    let side = if which % 2 == 0 { 2 } else { 3 };
    work.marks.clear();
    work.marks.resize(image.cells.len(), 0);
    for i in 0..(height + 1).saturating_sub(side) {
        for j in 0..(width + 1).saturating_sub(side) {
            let colour = image.at(i, j);
            let solid = colour != 0 && (i..i + side).all(|row| image.row(row)[j..j + side].iter().all(|&cell| cell == colour));
            if solid {
                for row in i..i + side {
                    work.marks[row * width + j..row * width + j + side].fill(1);
                }
            }
        }
    }
    let out = work.out.add(image.frame)?;
    for ((cell, &mark), &from) in out.iter_mut().zip(&work.marks).zip(image.cells) {
        *cell = if (mark == 1) == (which < 2) { from } else { 0 };
    }
    Some(())
}

/// The largest rectangle of background (0) or of one colour (1), in colour 1.
pub fn largest_rectangle(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height(), image.width());
    let mut best = (0, 0, 0, 0, 0);
    for colour in if which == 0 { 0..1u8 } else { 1..COLOURS as u8 } {
        // For every row: how many cells of the colour stand above each other in each column.
        let mut run = [0usize; crate::image::MAX_SIDE];
        for i in 0..height {
            for (above, &cell) in run.iter_mut().zip(image.row(i)) {
                *above = if cell == colour { *above + 1 } else { 0 };
            }
            for j in 0..width {
                let mut low = usize::MAX;
                for (k, &above) in run[j..width].iter().enumerate().take_while(|(_, above)| **above > 0) {
                    low = low.min(above);
                    let area = low * (k + 1);
                    if area > best.0 {
                        best = (area, i + 1 - low, j, low, k + 1);
                    }
                }
            }
        }
    }
    let (area, top, left, rows, columns) = best;
    if area == 0 {
        return None;
    }
    let out = work.out.add(image.frame)?;
    for row in top..top + rows {
        out[row * width + left..row * width + left + columns].fill(1);
    }
    Some(())
}
