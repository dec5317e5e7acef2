//! From several images to one, or to fewer.

use super::boxes::content;
use super::shapes::{component_count, hole_cells};
use crate::image::{COLOURS, Frame, Image, List, Work};
use crate::operation::row;
use crate::words;

/// Criterion that images of a list are compared by: the larger the better.
fn criterion(image: Image<'_>, which: i32, work: &mut Work) -> i32 {
    match which {
        0 => image.filled() as i32,
        1 => -(image.filled() as i32),
        2 => image.cells.len() as i32,
        3 => -(image.cells.len() as i32),
        4 => (image.palette() & !1).count_ones() as i32,
        5 => -i32::from(image.frame.row),
        6 => i32::from(image.frame.row) + image.height() as i32,
        7 => component_count(image, work) as i32,
        8 | 9 => {
            let empty = content(image)
                .map_or(0, |(top, left, bottom, right)| ((bottom + 1 - top) * (right + 1 - left)) as i32 - image.filled() as i32);
            if which == 8 { empty } else { -empty }
        }
        10 => hole_cells(image) as i32,
        11 => -(hole_cells(image) as i32),
        12 => -i32::from(image.frame.column),
        13 => i32::from(image.frame.column) + image.width() as i32,
        14 => symmetries(image),
        15 => -symmetries(image),
        16 => -((image.palette() & !1).count_ones() as i32),
        _ => -(component_count(image, work) as i32),
    }
}

/// The number of criteria by which a list's images are compared one by one.
const CRITERIA: i32 = 18;

/// How many of the mirrors and turns leave an image as it is.
fn symmetries(image: Image<'_>) -> i32 {
    let (height, width) = (image.height(), image.width());
    let across = image.cells.chunks_exact(width).all(|line| (0..width / 2).all(|j| line[j] == line[width - 1 - j]));
    let down = (0..height / 2).all(|i| image.row(i) == image.row(height - 1 - i));
    let mut count = i32::from(across) + i32::from(down);
    if height == width {
        let last = height - 1;
        let diagonal = (1..height).all(|i| (0..i).all(|j| image.at(i, j) == image.at(j, i)));
        let counterdiagonal = (0..last).all(|i| (0..last - i).all(|j| image.at(i, j) == image.at(last - j, last - i)));
        count += i32::from(diagonal) + i32::from(counterdiagonal);
    }
    count
}

/// For every image how many of the list are like it: the same cells (0), the same shape (1), the same main colour (2), the same size (3).
fn alike(list: List<'_>, which: i32, numbers: &mut Vec<i32>) {
    if which == 2 {
        let mut counts = [0; COLOURS];
        numbers.extend(list.map(|image| i32::from(image.majority())));
        for &colour in &*numbers {
            counts[colour as usize] += 1;
        }
        for colour in numbers {
            *colour = counts[*colour as usize];
        }
        return;
    }
    let all: Vec<Image<'_>> = list.collect();
    let same = |a: &Image<'_>, b: &Image<'_>| {
        let sizes = (a.height(), a.width()) == (b.height(), b.width());
        match which {
            0 => sizes && a.cells == b.cells,
            1 => sizes && a.cells.iter().zip(b.cells).all(|(a, b)| (*a == 0) == (*b == 0)),
            _ => sizes,
        }
    };
    numbers.extend(all.iter().map(|one| all.iter().filter(|other| same(one, other)).count() as i32));
}

/// Scores of images: by a criterion, or by the number of similar images, the more (18 to 21) or the fewer (22 to 25) the better.
fn worth(list: List<'_>, which: i32, work: &mut Work) {
    let mut numbers = std::mem::take(&mut work.numbers);
    numbers.clear();
    if which < CRITERIA {
        numbers.extend(list.map(|image| criterion(image, which, work)));
    } else {
        alike(list, (which - CRITERIA) % 4, &mut numbers);
        if which >= CRITERIA + 4 {
            for number in &mut numbers {
                *number = -*number;
            }
        }
    }
    work.numbers = numbers;
}

row! {
    /// The first best: most or fewest cells (0, 1), large or small (2, 3), colours (4), up, down (5, 6), components (7), hollow or
    /// solid (8, 9), most or fewest holes (10, 11), left, right (12, 13), symmetric or not (14, 15), fewest colours, components (16,
    /// 17), alike (18-21), odd (22-25) in cells, shape, colour, size.
    PICK = pick(pick, 0..26);
    "pick((((1, 1),), ((2,),)), 1)" => "((2,),)"
}

/// The first image that is best by a criterion: most (0) or fewest (1) cells, largest (2) or smallest (3) frame, most colours (4), uppermost
/// (5), lowest (6), most components (7), least (8) or most (9) solid, most (10) or least (11) hollow, leftmost (12), rightmost (13), most
/// (14) or least (15) symmetric, fewest colours (16) or components (17); like most others in cells (18), shape (19), colour (20), size (21),
/// or like fewest (22 to 25).
pub(crate) fn pick(list: List<'_>, which: i32, work: &mut Work) -> Option<()> {
    worth(list, which, work);
    first_best(list, work)
}

/// The first image that is worth most.
fn first_best(list: List<'_>, work: &mut Work) -> Option<()> {
    let best = *work.numbers.iter().max()?;
    let place = work.numbers.iter().position(|&number| number == best)?;
    let mut list = list;
    work.out.add_image(list.nth(place)?)
}

row! {
    /// The best image, see pick, if no other is as good.
    PICK_ONLY = pick(pick_only, 0..26), never();
    "pick_only((((1, 1),), ((2,),)), 0)" => "((1, 1),)"
}

/// The image that is best by a criterion, if no other is as good.
pub(crate) fn pick_only(list: List<'_>, which: i32, work: &mut Work) -> Option<()> {
    worth(list, which, work);
    let best = *work.numbers.iter().max()?;
    if work.numbers.iter().filter(|&&number| number == best).count() != 1 || work.numbers.len() < 2 {
        return None;
    }
    first_best(list, work)
}

row! {
    /// The image with most cells of a colour.
    PICK_COLOURED = pick_tint(pick_coloured);
    "pick_coloured((((1, 1),), ((1, 2),)), 2)" => "((1, 2),)"
}

pub(crate) fn pick_coloured(list: List<'_>, colour: i32, work: &mut Work) -> Option<()> {
    let colour = u8::try_from(colour).ok()?;
    let most = list.map(|image| image.count(colour)).max().filter(|&most| most > 0)?;
    let mut list = list;
    work.out.add_image(list.find(|image| image.count(colour) == most)?)
}

row! {
    /// The images that are best by a criterion, see pick.
    BEST_OF = sift(best_of, 0..26), never();
    "best_of((((1, 1),), ((1,),), ((2, 2),)), 0)" => "(((1, 1),), ((2, 2),))"
}

/// All images that are best by a criterion.
pub(crate) fn best_of(list: List<'_>, which: i32, work: &mut Work) -> Option<()> {
    sift(list, which, true, work)
}

row! {
    /// The images that are not best by a criterion, see pick.
    OTHERS_OF = sift(others_of, 0..26), never();
    "others_of((((1, 1),), ((1,),)), 0)" => "(((1,),),)"
}

/// All images that are not best by a criterion.
pub(crate) fn others_of(list: List<'_>, which: i32, work: &mut Work) -> Option<()> {
    sift(list, which, false, work)
}

fn sift(list: List<'_>, which: i32, keep: bool, work: &mut Work) -> Option<()> {
    worth(list, which, work);
    let best = *work.numbers.iter().max()?;
    for (k, image) in list.enumerate() {
        if (work.numbers[k] == best) == keep {
            work.out.add_image(image)?;
        }
    }
    (!work.out.is_empty()).then_some(())
}

row! {
    /// The one image with a colour that no other has.
    ODD_COLOUR = pick(odd_colour, 0..1);
    "odd_colour((((1,),), ((1,),), ((2,),)))" => "((2,),)"
}

pub(crate) fn odd_colour(list: List<'_>, _: i32, work: &mut Work) -> Option<()> {
    let mut counts = [0; COLOURS];
    for image in list {
        (0..COLOURS).filter(|colour| image.palette() >> colour & 1 == 1).for_each(|colour| counts[colour] += 1);
    }
    let unique = |image: &Image<'_>| (1..COLOURS).any(|colour| counts[colour] == 1 && image.palette() >> colour & 1 == 1);
    let mut found = list.filter(unique);
    let image = found.next()?;
    if found.next().is_some() {
        return None;
    }
    work.out.add_image(image)
}

row! {
    /// All laid over each other: large ones lowest (0), the last on top (1); at the origin, the first on top (2), the last on top (3).
    OVERLAID = pick(overlaid, 0..4);
    "overlaid((((1, 1),), ((2, 0),)), 1)" => "((2, 1),)"
}

/// All images laid over each other where they are: the one with most cells lowest (0), in their order (1), each at the origin, the first on
/// top (2), at the origin, the last on top (3).
pub(crate) fn overlaid(list: List<'_>, which: i32, work: &mut Work) -> Option<()> {
    let all: Vec<Image<'_>> = list
        .map(|image| {
            let frame = if which >= 2 { Frame::at_origin(image.height(), image.width()) } else { image.frame };
            Image { frame, ..image }
        })
        .collect();
    let mut order: Vec<usize> = (0..all.len()).collect();
    match which {
        0 => order.sort_by_key(|&k| std::cmp::Reverse(all[k].filled())),
        2 => order.reverse(),
        _ => {}
    }
    let frame = around(all.iter().map(|image| image.frame))?;
    let out = work.out.add(frame)?;
    for k in order {
        lay(all[k], frame, out);
    }
    Some(())
}

/// The smallest frame around frames.
pub(crate) fn around(frames: impl Iterator<Item = Frame>) -> Option<Frame> {
    let mut bounds: Option<(i32, i32, i32, i32)> = None;
    for frame in frames {
        let (top, left) = (i32::from(frame.row), i32::from(frame.column));
        let (bottom, right) = (top + i32::from(frame.height), left + i32::from(frame.width));
        bounds = Some(bounds.map_or((top, left, bottom, right), |(a, b, c, d)| (a.min(top), b.min(left), c.max(bottom), d.max(right))));
    }
    let (top, left, bottom, right) = bounds?;
    Some(Frame {
        row: i16::try_from(top).ok()?,
        column: i16::try_from(left).ok()?,
        height: u16::try_from(bottom - top).ok()?,
        width: u16::try_from(right - left).ok()?,
    })
}

/// Draws what is not background of an image on cells that have a frame, as far as it is inside.
pub(crate) fn lay(image: Image<'_>, frame: Frame, cells: &mut [u8]) {
    let (rows, columns) = (i32::from(image.frame.row - frame.row), i32::from(image.frame.column - frame.column));
    let (height, width) = (i32::from(frame.height), frame.width as usize);
    if columns == 0 && image.width() == width {
        // Whole rows, which lie in memory one after the other.
        let skipped = ((-rows).max(0) as usize * width).min(image.cells.len());
        let start = (rows.max(0) as usize * width).min(cells.len());
        words::lay(&image.cells[skipped..], &mut cells[start..]);
        return;
    }
    // The columns of the image that lie on the frame, and where the first of them does.
    let (skipped, start) = ((-columns).max(0) as usize, columns.max(0) as usize);
    if skipped >= image.width() || start >= width {
        return;
    }
    for i in 0..image.height() {
        let row = i as i32 + rows;
        if row < 0 || row >= height {
            continue;
        }
        words::lay(&image.row(i)[skipped..], &mut cells[row as usize * width + start..(row as usize + 1) * width]);
    }
}

row! {
    /// Beside, above or diagonal to each other, small ones first (0-2), in their order (3-5), by column (6), by row (7).
    STACKED = pick(stacked, 0..8), never();
    "stacked((((1,),), ((2,),)), 3)" => "((1, 2),)"
}

/// Images put beside each other (0), above each other (1), diagonally (2), smaller ones first; in their order (3, 4, 5); or in the order of
/// places: beside each other by column (6), above each other by row (7).
pub(crate) fn stacked(list: List<'_>, which: i32, work: &mut Work) -> Option<()> {
    let mut all: Vec<Image<'_>> = list.collect();
    match which {
        0..=2 => all.sort_by_key(|image| image.cells.len()),
        6 => all.sort_by_key(|image| image.frame.column),
        7 => all.sort_by_key(|image| image.frame.row),
        _ => {}
    }
    let way = if which >= 6 { which - 6 } else { which % 3 };
    let (mut row, mut column) = (0i16, 0i16);
    for image in &mut all {
        image.frame.row = row;
        image.frame.column = column;
        if way != 0 {
            row += image.frame.height as i16;
        }
        if way != 1 {
            column += image.frame.width as i16;
        }
        if row > 99 || column > 99 {
            return None;
        }
    }
    let frame = around(all.iter().map(|image| image.frame))?;
    let out = work.out.add(frame)?;
    for image in all {
        lay(image, frame, out);
    }
    Some(())
}

row! {
    /// The main colour of each image, in a row (0), a column (1), or as they lie (2).
    SUMMARY = pick(summary, 0..3);
    "summary((((1,),), ((2,),)), 0)" => "((1, 2),)"
}

/// One cell in the main colour of each image, in a row (0) or a column (1), or as they lie in rows and columns (2).
pub(crate) fn summary(list: List<'_>, which: i32, work: &mut Work) -> Option<()> {
    let count = list.len();
    if which < 2 {
        let out = work.out.add(if which == 0 { Frame::at_origin(1, count) } else { Frame::at_origin(count, 1) })?;
        out.iter_mut().zip(list).for_each(|(cell, image)| *cell = image.majority());
        return Some(());
    }
    let distinct = |places: &mut Vec<i16>| {
        places.sort_unstable();
        places.dedup();
    };
    let mut rows: Vec<i16> = list.map(|image| image.frame.row).collect();
    let mut columns: Vec<i16> = list.map(|image| image.frame.column).collect();
    distinct(&mut rows);
    distinct(&mut columns);
    if rows.len() * columns.len() != count {
        return None;
    }
    let width = columns.len();
    let out = work.out.add(Frame::at_origin(rows.len(), width))?;
    for image in list {
        let (i, j) = (rows.binary_search(&image.frame.row).ok()?, columns.binary_search(&image.frame.column).ok()?);
        out[i * width + j] = image.majority();
    }
    Some(())
}

row! {
    /// Images of one size laid on each other: colour 1 where all (0), none (1), one (2), some (3) have cells; what all agree on (4).
    COMPARED = pick(compared, 0..5);
    "compared((((1, 0),), ((2, 3),)), 0)" => "((1, 0),)"
}

/// Images of one size compared cell by cell, at the origin: in colour 1 where all have a cell (0), none (1), exactly one (2), at least one
/// (3), or where all agree in their colour, in that (4).
pub(crate) fn compared(list: List<'_>, which: i32, work: &mut Work) -> Option<()> {
    let mut images = list;
    let first = images.next()?;
    let (height, width) = (first.height(), first.width());
    if images.is_empty() || images.any(|image| (image.height(), image.width()) != (height, width)) {
        return None;
    }
    let count = list.len();
    let out = work.out.add(Frame::at_origin(height, width))?;
    for (place, cell) in out.iter_mut().enumerate() {
        let filled = list.filter(|image| image.cells[place] != 0).count();
        *cell = match which {
            0 => u8::from(filled == count),
            1 => u8::from(filled == 0),
            2 => u8::from(filled == 1),
            3 => u8::from(filled > 0),
            _ => {
                let colour = first.cells[place];
                if list.map(|image| image.cells[place]).all(|cell| cell == colour) { colour } else { 0 }
            }
        };
    }
    Some(())
}
