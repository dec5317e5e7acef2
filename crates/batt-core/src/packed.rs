//! One location or cell in 32 bits, such that the order of the integers is the canonical order.

use std::ops::RangeInclusive;

/// The rows and columns that a packed cell can hold.
pub const PATCH_COORDINATES: RangeInclusive<i64> = -2048..=2047;
/// The colours that a packed cell can hold.
pub const PATCH_COLOURS: RangeInclusive<i64> = -128..=127;

const OFFSET: i32 = 2048;
const COLOUR_OFFSET: i32 = 128;
const LOCATION_MASK: u32 = 0xFFFF_FF00;

/// A cell `(colour, (i, j))`, or a location `(i, j)` whose colour bits are zero.
///
/// From the highest bit: 12 bits row, 12 bits column, 8 bits colour, each offset to be non-negative.
/// Comparing the integers compares row, then column, then colour: reading order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Packed(pub u32);

impl Packed {
    /// Packs a location, if it is in range.
    #[inline]
    pub fn location(i: i64, j: i64) -> Option<Self> {
        (PATCH_COORDINATES.contains(&i) && PATCH_COORDINATES.contains(&j)).then(|| Self::location_unchecked(i as i32, j as i32))
    }

    /// Packs a location that the caller knows to be in range.
    #[inline]
    pub fn location_unchecked(i: i32, j: i32) -> Self {
        debug_assert!(PATCH_COORDINATES.contains(&i64::from(i)) && PATCH_COORDINATES.contains(&i64::from(j)));
        Self((((i + OFFSET) as u32) << 20) | (((j + OFFSET) as u32) << 8))
    }

    /// Packs a cell, if it is in range.
    #[inline]
    pub fn cell(colour: i64, i: i64, j: i64) -> Option<Self> {
        if PATCH_COLOURS.contains(&colour) { Self::location(i, j).map(|p| p.with_colour(colour as i8)) } else { None }
    }

    /// The row.
    #[inline]
    pub fn i(self) -> i32 {
        (self.0 >> 20) as i32 - OFFSET
    }

    /// The column.
    #[inline]
    pub fn j(self) -> i32 {
        ((self.0 >> 8) & 0xFFF) as i32 - OFFSET
    }

    /// The colour; only of a cell.
    #[inline]
    pub fn colour(self) -> i8 {
        ((self.0 & 0xFF) as i32 - COLOUR_OFFSET) as i8
    }

    /// The location of a cell; a location stays as it is.
    #[inline]
    #[must_use]
    pub fn without_colour(self) -> Self {
        Self(self.0 & LOCATION_MASK)
    }

    /// This place with another colour.
    #[inline]
    #[must_use]
    pub fn with_colour(self, colour: i8) -> Self {
        Self((self.0 & LOCATION_MASK) | (i32::from(colour) + COLOUR_OFFSET) as u32)
    }

    /// The number to add (wrapping) to every packed cell to move it by `(di, dj)`. The caller makes sure that
    /// the moved cells stay in range.
    #[inline]
    pub fn displacement(di: i32, dj: i32) -> u32 {
        ((di as u32) << 20).wrapping_add((dj as u32) << 8)
    }
}
