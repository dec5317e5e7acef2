//! The shapes that operations have, and the one place where they are called by shape.

use crate::image::{Image, List, Work};

/// The code of an operation by what it takes and gives.
#[derive(Clone, Copy, Debug)]
pub enum Kernel {
    /// From an image to an image.
    Map(fn(Image<'_>, i32, &mut Work) -> Option<()>),
    /// From two images to one.
    Merge(fn(Image<'_>, Image<'_>, i32, &mut Work) -> Option<()>),
    /// From an image to a list.
    Split(fn(Image<'_>, i32, &mut Work) -> Option<()>),
    /// From a list to an image.
    Pick(fn(List<'_>, i32, &mut Work) -> Option<()>),
    /// From a list to a list.
    Sift(fn(List<'_>, i32, &mut Work) -> Option<()>),
    /// From an image to a colour.
    Colour(fn(Image<'_>, i32, &mut Work) -> Option<i32>),
    /// From an image to an integer.
    Count(fn(Image<'_>, i32, &mut Work) -> Option<i32>),
    /// From an image to a row and a column, as one number ([`Offset`]).
    Pair(fn(Image<'_>, i32, &mut Work) -> Option<i32>),
    /// From an image to whether something holds: 0 or 1.
    Test(fn(Image<'_>, i32, &mut Work) -> Option<i32>),
}

impl Kernel {
    /// Calls what makes images, which are added to those of `work`: on the first image of a list, or of both, or on all of the first list. `None`
    /// where it makes nothing, as a measure does.
    #[inline]
    pub fn make(self, [mut first, mut second]: [List<'_>; 2], number: i32, work: &mut Work) -> Option<()> {
        match self {
            Self::Map(kernel) | Self::Split(kernel) => kernel(first.next()?, number, work),
            Self::Merge(kernel) => kernel(first.next()?, second.next()?, number, work),
            Self::Pick(kernel) | Self::Sift(kernel) => kernel(first, number, work),
            Self::Colour(_) | Self::Count(_) | Self::Pair(_) | Self::Test(_) => None,
        }
    }

    /// Calls what gives a number.
    pub fn measure(self, image: Image<'_>, number: i32, work: &mut Work) -> Option<i32> {
        match self {
            Self::Colour(kernel) | Self::Count(kernel) | Self::Pair(kernel) | Self::Test(kernel) => kernel(image, number, work),
            Self::Map(_) | Self::Merge(_) | Self::Split(_) | Self::Pick(_) | Self::Sift(_) => None,
        }
    }

    /// Whether it is given all images of a list.
    pub const fn takes_list(self) -> bool {
        matches!(self, Self::Pick(_) | Self::Sift(_))
    }
}

/// So many rows down and columns to the right, as one number: the sum of two such numbers is that of the sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offset {
    /// Rows.
    pub rows: i32,
    /// Columns.
    pub columns: i32,
}

impl Offset {
    /// As a number. Rows and columns are fewer than 32,768.
    pub const fn number(self) -> i32 {
        self.rows * 0x1_0000 + self.columns
    }

    /// From a number.
    pub const fn of(number: i32) -> Self {
        let columns = number as i16 as i32;
        Self { rows: number.wrapping_sub(columns) >> 16, columns }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_added_as_numbers() {
        for (rows, columns) in [(0, 0), (3, -4), (-3, 4), (-1, -1), (200, -200), (-30_000, 30_000)] {
            let step = Offset { rows, columns };
            assert_eq!(Offset::of(step.number()), step);
            let more = Offset { rows: 7, columns: -9 };
            assert_eq!(Offset::of(step.number() + more.number()), Offset { rows: rows + 7, columns: columns - 9 });
        }
    }
}
