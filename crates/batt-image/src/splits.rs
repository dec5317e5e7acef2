//! From an image to several.

use crate::boxes::part;
use crate::image::{COLOURS, Frame, Image, Images, Work};
use crate::shapes::{AROUND, Joining, components};

/// The most images that a list may have.
const MOST: usize = 120;

/// Appends the component that is marked 1, in its place.
pub(crate) fn component(image: Image<'_>, frame: Frame, marks: &[u8], out: &mut Images) -> Option<()> {
    let (width, columns) = (image.width(), frame.width as usize);
    let placed = Frame { height: frame.height, width: frame.width, ..image.frame.moved(frame.row, frame.column) };
    let cells = out.add(placed)?;
    for (i, line) in cells.chunks_exact_mut(columns).enumerate() {
        let start = (frame.row as usize + i) * width + frame.column as usize;
        for (j, cell) in line.iter_mut().enumerate() {
            if marks[start + j] == 1 {
                *cell = image.cells[start + j];
            }
        }
    }
    Some(())
}

/// Components but background: of one colour joined by sides (0), by corners too (1), of any colours by sides (2), by corners too (3); the
/// box of each of those with all that is in it (4: of one colour joined by corners too, 5: of any).
pub fn components_of(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let joining = match which {
        0 => Joining { ways: 4, one_colour: true },
        1 | 4 => Joining { ways: 8, one_colour: true },
        2 => Joining { ways: 4, one_colour: false },
        _ => Joining { ways: 8, one_colour: false },
    };
    components(image, joining, work, |work, frame, _| {
        if which < 4 {
            let Work { out, marks, .. } = work;
            component(image, frame, marks, out);
        } else {
            part(image, frame.row as usize, frame.column as usize, frame.height as usize, frame.width as usize, work);
        }
    });
    enough(work)
}

fn enough(work: &Work) -> Option<()> {
    (1..=MOST).contains(&work.out.len()).then_some(())
}

/// Every colour by itself, on the whole frame, in the order of their numbers.
pub fn colours_of(image: Image<'_>, _: i32, work: &mut Work) -> Option<()> {
    let palette = image.palette();
    for colour in (1..COLOURS as u8).filter(|colour| palette >> colour & 1 == 1) {
        crate::colours::only_colour(image, i32::from(colour), work)?;
    }
    enough(work)
}

/// The rows (0) or the columns (1).
pub fn lines_of(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height(), image.width());
    if which == 0 {
        (0..height).try_for_each(|row| part(image, row, 0, 1, width, work))?;
    } else {
        (0..width).try_for_each(|column| part(image, 0, column, height, 1, work))?;
    }
    enough(work)
}

/// The colour that divides an image into parts, none of which is enclosed: where there are several such colours, the one that leaves the
/// largest of smallest parts.
fn divider(image: Image<'_>, work: &mut Work) -> Option<u8> {
    let (height, width) = (image.height(), image.width());
    let palette = image.palette();
    let mut best: Option<(usize, u8)> = None;
    let mut marks = std::mem::take(&mut work.marks);
    for colour in (0..COLOURS as u8).filter(|colour| palette >> colour & 1 == 1) {
        let has = |row: usize, column: usize| image.at(row, column) == colour;
        let across = (0..height).any(|row| has(row, 0)) && (0..height).any(|row| has(row, width - 1));
        let down = (0..width).any(|column| has(0, column)) && (0..width).any(|column| has(height - 1, column));
        if !across && !down {
            continue;
        }
        // 1: of the colour and joined with the border; 2: parts that were looked at.
        marks.clear();
        marks.resize(image.cells.len(), 0);
        work.stack.clear();
        for (place, mark) in marks.iter_mut().enumerate() {
            let (i, j) = (place / width, place % width);
            let border = i == 0 || j == 0 || i == height - 1 || j == width - 1;
            if border && image.cells[place] == colour {
                *mark = 1;
                work.stack.push((i as u8, j as u8));
            }
        }
        crate::shapes::flood((height, width), 8, &mut marks, &mut work.stack, 1, |place| image.cells[place] == colour);
        let (mut parts, mut smallest, mut enclosed) = (0, usize::MAX, false);
        for start in 0..image.cells.len() {
            if marks[start] != 0 || image.cells[start] == colour {
                continue;
            }
            marks[start] = 2;
            work.stack.clear();
            work.stack.push(((start / width) as u8, (start % width) as u8));
            let (mut next, mut touches) = (0, false);
            while next < work.stack.len() {
                let (i, j) = work.stack[next];
                next += 1;
                for &(di, dj) in &AROUND {
                    let (row, column) = (i32::from(i) + di, i32::from(j) + dj);
                    if row < 0 || column < 0 || row >= height as i32 || column >= width as i32 {
                        continue;
                    }
                    let place = row as usize * width + column as usize;
                    if image.cells[place] == colour {
                        touches |= marks[place] == 1;
                    } else if marks[place] == 0 {
                        marks[place] = 2;
                        work.stack.push((row as u8, column as u8));
                    }
                }
            }
            parts += 1;
            smallest = smallest.min(next);
            enclosed |= !touches;
        }
        if parts >= 2 && !enclosed && best.is_none_or(|(most, _)| smallest > most) {
            best = Some((smallest, colour));
        }
    }
    work.marks = marks;
    best.map(|(_, colour)| colour)
}

/// The parts between the cells of the colour that divides the image.
pub fn parts_of(image: Image<'_>, _: i32, work: &mut Work) -> Option<()> {
    let colour = divider(image, work)?;
    // Every other colour is one higher for a moment, so that background is no background.
    let raised: Vec<u8> = image.cells.iter().map(|&cell| u8::from(cell != colour)).collect();
    let mask = Image { frame: image.frame, cells: &raised };
    components(mask, Joining { ways: 8, one_colour: false }, work, |work, frame, _| {
        let Work { out, marks, .. } = work;
        component(image, frame, marks, out);
    });
    enough(work)
}

/// Equal parts: two beside each other (0), two above each other (1), three beside (2), three above (3), four (4), nine (5), squares as large
/// as the shorter side (6).
pub fn blocks_of(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height(), image.width());
    let (rows, columns) = match which {
        0 => (1, 2),
        1 => (2, 1),
        2 => (1, 3),
        3 => (3, 1),
        4 => (2, 2),
        5 => (3, 3),
        _ => {
            let side = height.min(width);
            (height / side, width / side)
        }
    };
    let square = which != 6 || rows * columns > 1;
    if height % rows != 0 || width % columns != 0 || !square {
        return None;
    }
    for i in 0..rows {
        for j in 0..columns {
            part(image, i * (height / rows), j * (width / columns), height / rows, width / columns, work)?;
        }
    }
    enough(work)
}

/// The colour of all cells, if they have one.
fn one_colour(mut cells: impl Iterator<Item = u8>) -> Option<u8> {
    let first = cells.next()?;
    cells.all(|cell| cell == first).then_some(first)
}

/// The panels between whole rows and columns of one colour, row by row, which colour that be: the one of most such lines.
pub fn panels_of(image: Image<'_>, _: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height(), image.width());
    let row = |i: usize| one_colour(image.row(i).iter().copied());
    let column = |j: usize| one_colour((0..height).map(|i| image.at(i, j)));
    let mut lines = [0u32; COLOURS];
    (0..height).filter_map(row).for_each(|colour| lines[colour as usize] += 1);
    (0..width).filter_map(column).for_each(|colour| lines[colour as usize] += 1);
    let colour = crate::image::most_common(&lines);
    if colour == 0 {
        return None;
    }
    let spans = |length: usize, separates: &dyn Fn(usize) -> bool| {
        let mut spans: Vec<(usize, usize)> = Vec::new();
        let mut start = None;
        for k in 0..=length {
            let open = k < length && !separates(k);
            match (open, start) {
                (true, None) => start = Some(k),
                (false, Some(from)) => {
                    spans.push((from, k - from));
                    start = None;
                }
                _ => {}
            }
        }
        spans
    };
    let rows = spans(height, &|i| row(i) == Some(colour));
    let columns = spans(width, &|j| column(j) == Some(colour));
    if rows.len() * columns.len() < 2 {
        return None;
    }
    for &(top, rows) in &rows {
        for &(left, columns) in &columns {
            part(image, top, left, rows, columns, work)?;
        }
    }
    enough(work)
}

/// What is inside of four corners of one colour, each an L of three cells.
pub fn marked_of(image: Image<'_>, _: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height(), image.width());
    // Whether the square of four cells at a place has the colour everywhere but in one corner, the one that looks inside.
    let corner = |i: usize, j: usize, inner: usize, colour: u8| (0..4).all(|k| (image.at(i + k / 2, j + k % 2) == colour) == (k != inner));
    for i in 0..height.saturating_sub(1) {
        for j in 0..width.saturating_sub(1) {
            let colour = image.at(i, j);
            if colour == 0 || !corner(i, j, 3, colour) {
                continue;
            }
            for bottom in i + 1..height - 1 {
                for right in j + 1..width - 1 {
                    let marked = corner(i, right, 2, colour) && corner(bottom, j, 1, colour) && corner(bottom, right, 0, colour);
                    if marked {
                        part(image, i + 1, j + 1, bottom - i, right - j, work)?;
                    }
                }
            }
        }
    }
    enough(work)
}

/// Enclosed parts of background, in colour 1.
pub fn holes_of(image: Image<'_>, _: i32, work: &mut Work) -> Option<()> {
    crate::shapes::holes(image, 0, work)?;
    let holes = std::mem::take(&mut work.out);
    let found = holes.iter().next()?;
    let filled: Vec<u8> = found.cells.iter().map(|&cell| u8::from(cell != 0)).collect();
    let mask = Image { frame: found.frame, cells: &filled };
    components_of(mask, 0, work)
}
