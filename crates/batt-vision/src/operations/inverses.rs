//! Backwards: what an image may be so that an operation makes of it what is wanted.
//!
//! `Wants` is a set of colours for each cell. A layer decides some cells only, so the others may be anything. Places are ignored: all
//! images are at the origin.

use crate::image::{COLOURS, Image};

/// The colours that each cell may have, a bit each, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wants {
    height: usize,
    width: usize,
    sets: Vec<u16>,
}

/// Allowed values of the image at `position` of an operation; `given` has the images at hand, and `number` is the last argument.
/// `None` if no image is known to give the wanted result.
pub type Inverse = fn(wanted: &Wants, position: usize, given: [Image<'_>; 2], number: i32) -> Option<Wants>;

const ALL: u16 = (1 << COLOURS) - 1;
const BACKGROUND: u16 = 1;

impl Wants {
    /// Only this image.
    pub fn exactly(image: Image<'_>) -> Self {
        Self { height: image.height(), width: image.width(), sets: image.cells.iter().map(|&cell| 1 << cell).collect() }
    }

    /// The rows and columns.
    pub fn size(&self) -> (usize, usize) {
        (self.height, self.width)
    }

    /// Whether an image of some rows and columns is as wanted.
    pub fn allows<C: Copy + TryInto<u8>>(&self, size: (usize, usize), cells: &[C]) -> bool {
        let allowed = |(&set, &cell): (&u16, &C)| cell.try_into().is_ok_and(|cell| (cell as usize) < COLOURS && set >> cell & 1 == 1);
        size == self.size() && self.sets.iter().zip(cells).all(allowed)
    }

    /// The cells of the only image that is as wanted; `None` if there are several.
    pub fn only(&self) -> Option<Vec<u8>> {
        self.sets.iter().map(|set| set.is_power_of_two().then(|| set.trailing_zeros() as u8)).collect()
    }

    /// Allowed values of an image of a size, if each wanted cell is copied from a place of it, or is background.
    fn gathered(&self, (height, width): (usize, usize), from: impl Fn(usize, usize) -> Option<(usize, usize)>) -> Option<Self> {
        let mut sets = vec![ALL; height * width];
        for (place, &wanted) in self.sets.iter().enumerate() {
            match from(place / self.width, place % self.width) {
                Some((row, column)) => sets[row * width + column] &= wanted,
                None if wanted & BACKGROUND == 0 => return None,
                None => {}
            }
        }
        Self { height, width, sets }.possible()
    }

    /// Maps the set of each cell; the size stays.
    fn each(&self, set: impl Fn(u16, usize, usize) -> u16) -> Option<Self> {
        let sets = self.sets.iter().enumerate().map(|(place, &wanted)| set(wanted, place / self.width, place % self.width)).collect();
        Self { sets, ..*self }.possible()
    }

    fn possible(self) -> Option<Self> {
        (!self.sets.contains(&0)).then_some(self)
    }
}

const fn has(set: u16, colour: u8) -> bool {
    set >> colour & 1 == 1
}

/// Before `turned`.
pub fn turned(wanted: &Wants, _: usize, _: [Image<'_>; 2], which: i32) -> Option<Wants> {
    let across = matches!(which, 0 | 2 | 5 | 6);
    let (height, width) = if across { (wanted.width, wanted.height) } else { wanted.size() };
    wanted.gathered((height, width), |i, j| {
        Some(match which {
            0 => (height - 1 - j, i),
            1 => (height - 1 - i, width - 1 - j),
            2 => (j, width - 1 - i),
            3 => (i, width - 1 - j),
            4 => (height - 1 - i, j),
            5 => (j, i),
            _ => (height - 1 - j, width - 1 - i),
        })
    })
}

/// Before `enlarged`.
pub fn enlarged(wanted: &Wants, _: usize, _: [Image<'_>; 2], factor: i32) -> Option<Wants> {
    let factor = usize::try_from(factor).ok().filter(|&factor| factor > 0)?;
    if !wanted.height.is_multiple_of(factor) || !wanted.width.is_multiple_of(factor) {
        return None;
    }
    wanted.gathered((wanted.height / factor, wanted.width / factor), |i, j| Some((i / factor, j / factor)))
}

/// Before `framed`. Whether the ring has the most common colour is not looked at.
pub fn framed(wanted: &Wants, _: usize, _: [Image<'_>; 2], which: i32) -> Option<Wants> {
    let size = (wanted.height.checked_sub(2).filter(|&rows| rows > 0)?, wanted.width.checked_sub(2).filter(|&columns| columns > 0)?);
    let is_ring = |i: usize, j: usize| i == 0 || j == 0 || i + 1 == wanted.height || j + 1 == wanted.width;
    let ring = if which == 0 { 1 << 1 } else { ALL };
    let mut inner = wanted.clone();
    for (place, set) in inner.sets.iter_mut().enumerate() {
        if which != 2 && is_ring(place / wanted.width, place % wanted.width) {
            if *set & ring == 0 {
                return None;
            }
            *set = ALL;
        }
    }
    inner.gathered(size, |i, j| Some((i.clamp(1, size.0) - 1, j.clamp(1, size.1) - 1)))
}

/// Before `repeated`: the first image, of the size that it has.
pub fn repeated(wanted: &Wants, position: usize, [image, _]: [Image<'_>; 2], gap: i32) -> Option<Wants> {
    let ((height, width), gap) = ((image.height(), image.width()), usize::try_from(gap).ok()?);
    if position != 0 {
        return None;
    }
    wanted.gathered((height, width), |i, j| {
        let (row, column) = (i % (height + gap), j % (width + gap));
        (row < height && column < width).then_some((row, column))
    })
}

/// Before `reflected`: the first image, of the size that it has.
pub fn reflected(wanted: &Wants, position: usize, [image, _]: [Image<'_>; 2], gap: i32) -> Option<Wants> {
    let ((height, width), gap) = ((image.height(), image.width()), usize::try_from(gap).ok()?);
    let folded = |place: usize, length: usize| {
        let (place, period) = (place % (2 * (length + gap)), length + gap);
        let there = place % period;
        (there < length).then(|| if place < period { there } else { length - 1 - there })
    };
    if position != 0 {
        return None;
    }
    wanted.gathered((height, width), |i, j| folded(i, height).zip(folded(j, width)))
}

/// Before `over`, with the size of the second image: what the layer above has to show, or what has to show through it.
pub fn over(wanted: &Wants, position: usize, [top, bottom]: [Image<'_>; 2], which: i32) -> Option<Wants> {
    if which != 0 {
        return None;
    }
    if position == 0 {
        if (bottom.height(), bottom.width()) != wanted.size() {
            return None;
        }
        return wanted.each(|set, row, column| set & !BACKGROUND | u16::from(has(set, bottom.at(row, column))));
    }
    wanted.each(|set, row, column| match top.at_or_blank(row as i32, column as i32) {
        0 => set,
        cell if has(set, cell) => ALL,
        _ => 0,
    })
}

/// Before `masked`: what has to be where the mask shows it, or where a mask has to have cells.
pub fn masked(wanted: &Wants, position: usize, [image, mask]: [Image<'_>; 2], which: i32) -> Option<Wants> {
    if position == 0 {
        return wanted.each(|set, row, column| match (mask.at_or_blank(row as i32, column as i32) != 0) == (which == 0) {
            true => set,
            false if has(set, 0) => ALL,
            false => 0,
        });
    }
    if (image.height(), image.width()) != wanted.size() {
        return None;
    }
    let (shows, hides) = if which == 0 { (ALL & !BACKGROUND, BACKGROUND) } else { (BACKGROUND, ALL & !BACKGROUND) };
    let either = |yes: bool, set: u16| if yes { set } else { 0 };
    wanted.each(|set, row, column| either(has(set, image.at(row, column)), shows) | either(has(set, 0), hides))
}

/// Before `in_colour`.
pub fn in_colour(wanted: &Wants, _: usize, _: [Image<'_>; 2], colour: i32) -> Option<Wants> {
    let colour = u8::try_from(colour).ok().filter(|&colour| (colour as usize) < COLOURS)?;
    wanted.each(|set, _, _| set & BACKGROUND | if has(set, colour) { ALL & !BACKGROUND } else { 0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::{Frame, Work};
    use crate::kernel::Kernel;

    /// Every operation on random images: its arguments are what the inverse says of its value, and whatever else that allows gives the value.
    #[test]
    fn what_is_allowed_gives_what_is_wanted() {
        let mut state = 7u32;
        let mut below = |most: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % most
        };
        let operations: [(Kernel, Inverse, std::ops::Range<i32>, bool); 8] = [
            (Kernel::Map(crate::operations::boxes::turned), turned, 0..7, false),
            (Kernel::Map(crate::operations::boxes::enlarged), enlarged, 2..5, false),
            (Kernel::Map(crate::operations::boxes::framed), framed, 0..3, false),
            (Kernel::Map(crate::operations::colours::in_colour), in_colour, 1..4, false),
            (Kernel::Merge(crate::operations::merges::repeated), repeated, 0..2, true),
            (Kernel::Merge(crate::operations::merges::reflected), reflected, 0..2, true),
            (Kernel::Merge(crate::operations::merges::over), over, 0..1, false),
            (Kernel::Merge(crate::operations::merges::masked), masked, 0..2, false),
        ];
        for round in 0..400 {
            let mut image = |frame: Frame| -> Vec<u8> { (0..frame.area()).map(|_| below(3) as u8).collect() };
            let frame = Frame::at_origin(1 + round % 4, 1 + round / 4 % 5);
            let room = Frame::at_origin(7, 6);
            let (first, second, large, other) = (image(frame), image(frame), image(room), image(frame));
            for (kernel, inverse, numbers, on_room) in operations.clone() {
                let second = if on_room { Image { frame: room, cells: &large } } else { Image { frame, cells: &second } };
                for number in numbers {
                    let call = |given: [Image<'_>; 2]| {
                        let mut work = Work::default();
                        let done = match kernel {
                            Kernel::Map(map) => map(given[0], number, &mut work),
                            Kernel::Merge(merge) => merge(given[0], given[1], number, &mut work),
                            _ => None,
                        };
                        done.and_then(|()| work.out.iter().next().map(|out| (out.height(), out.width(), out.cells.to_vec())))
                    };
                    let given = [Image { frame, cells: &first }, second];
                    let Some((height, width, cells)) = call(given) else { continue };
                    let wanted = Wants::exactly(Image { frame: Frame::at_origin(height, width), cells: &cells });
                    for position in 0..if matches!(kernel, Kernel::Merge(_)) && !on_room { 2 } else { 1 } {
                        let before = inverse(&wanted, position, given, number);
                        assert!(before.is_some(), "{kernel:?} {number} {position}");
                        let Some(before) = before else { continue };
                        let present = given[position];
                        assert!(before.allows((present.height(), present.width()), present.cells), "{kernel:?} {number} {position}");
                        // Where it is possible, other cells than at hand.
                        let mixed: Vec<u8> = before
                            .sets
                            .iter()
                            .zip(&other)
                            .zip(present.cells)
                            .map(|((set, &to), &cell)| if has(*set, to) { to } else { cell })
                            .collect();
                        let mut changed = given;
                        changed[position] = Image { frame, cells: &mixed };
                        assert_eq!(call(changed), Some((height, width, cells.clone())), "{kernel:?} {number} {position}");
                    }
                }
            }
        }
    }
}
