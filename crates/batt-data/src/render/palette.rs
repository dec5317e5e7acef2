//! The colours that everything is drawn in.

use super::Cell;

/// Red, green and blue.
pub type Rgb = [u8; 3];

/// The ten colours as ARC's own pages show them.
pub const ARC_COLOURS: [Rgb; 10] = [
    [0x00, 0x00, 0x00],
    [0x00, 0x74, 0xD9],
    [0xFF, 0x41, 0x36],
    [0x2E, 0xCC, 0x40],
    [0xFF, 0xDC, 0x00],
    [0xAA, 0xAA, 0xAA],
    [0xF0, 0x12, 0xBE],
    [0xFF, 0x85, 0x1B],
    [0x7F, 0xDB, 0xFF],
    [0x87, 0x0C, 0x25],
];

/// Of a cell whose colour is outside 0 to 9.
pub(super) const NEUTRAL: Rgb = [0x5B, 0x4A, 0x6B];
/// Of a location without a colour.
pub(super) const MARK: Rgb = [0x1B, 0x8A, 0x84];
/// Of an empty cell in a picture.
pub(super) const EMPTY: Rgb = [0xEE, 0xF0, 0xF3];
/// The lines between cells.
pub(super) const LINE: Rgb = [0x55, 0x55, 0x55];
/// The page behind a picture.
pub(super) const PAGE: Rgb = [0xFF, 0xFF, 0xFF];
/// Labels and arrows.
pub(super) const INK: Rgb = [0x33, 0x33, 0x33];

/// The colour of a cell of the ten, if it is one.
pub(super) fn arc_colour(colour: i8) -> Option<Rgb> {
    usize::try_from(colour).ok().and_then(|colour| ARC_COLOURS.get(colour)).copied()
}

/// Whether white is easier to read on a colour than black.
pub(super) fn is_dark([r, g, b]: Rgb) -> bool {
    2 * u32::from(r) + 5 * u32::from(g) + u32::from(b) < 8 * 128
}

/// The colour that a picture fills a cell with.
pub(super) fn fill(cell: Cell) -> Rgb {
    match cell {
        Cell::Empty | Cell::Unknown => EMPTY,
        Cell::Mark => MARK,
        Cell::Colour(colour) | Cell::Wrong(colour) => arc_colour(colour).unwrap_or(NEUTRAL),
    }
}
