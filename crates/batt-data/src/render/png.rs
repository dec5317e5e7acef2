//! Grids as PNG, with labels in a bitmap font.

use super::palette::{ARC_COLOURS, EMPTY, INK, LINE, MARK, NEUTRAL, PAGE, arc_colour};
use super::picture::{Labels, Layout, layout, layout_within};
use super::{Cell, Row};
use font8x8::UnicodeFonts as _;

/// The most pixels of a picture.
const MAX_PIXELS: usize = 40_000_000;

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum PngError {
    /// Too many pixels.
    #[error("the picture would be {width}x{height} pixels, more than {MAX_PIXELS}")]
    TooLarge {
        /// Columns of pixels.
        width: usize,
        /// Rows of pixels.
        height: usize,
    },
    /// The encoder refused.
    #[error("cannot encode the picture: {0}")]
    Encoding(#[from] png::EncodingError),
}

// Places in the palette after the ten colours.
const ON_PAGE: u8 = 10;
const ON_LINE: u8 = 11;
const ON_EMPTY: u8 = 12;
const ON_MARK: u8 = 13;
const ON_NEUTRAL: u8 = 14;
const ON_INK: u8 = 15;

/// The side of a character.
const GLYPH: usize = 8;
const LABELS: Labels = Labels { height: 16, character: GLYPH };

/// Rows of panels as the bytes of a PNG file, one row below the other.
pub fn to_png(rows: &[Row]) -> Result<Vec<u8>, PngError> {
    drawn(rows, &layout(rows, LABELS))
}

/// A PNG of limited width, in pixels: rows stand side by side where there is room.
pub fn to_png_within(rows: &[Row], width: usize) -> Result<Vec<u8>, PngError> {
    drawn(rows, &layout_within(rows, LABELS, width))
}

fn drawn(rows: &[Row], layout: &Layout) -> Result<Vec<u8>, PngError> {
    let (width, height) = (layout.width, layout.height);
    if width.saturating_mul(height) > MAX_PIXELS {
        return Err(PngError::TooLarge { width, height });
    }
    let mut pixels = Pixels { width, bytes: vec![ON_PAGE; width * height] };
    for placed in &layout.panels {
        let panel = &rows[placed.row].panels[placed.panel];
        let (canvas, size) = (&panel.canvas, layout.cell);
        if let Some((x, y)) = placed.arrow {
            draw_arrow(&mut pixels, x, y);
        }
        pixels.write(placed.x, placed.y - GLYPH - 4, &panel.label);
        pixels.fill(placed.x, placed.y, layout.side(canvas.width()), layout.side(canvas.height()), ON_LINE);
        for (i, row) in canvas.rows().enumerate() {
            for (j, &cell) in row.iter().enumerate() {
                let (x, y) = (placed.x + j * size + 1, placed.y + i * size + 1);
                pixels.fill(x, y, size - 1, size - 1, index_of(cell));
                if cell == Cell::Unknown && size > GLYPH {
                    pixels.write(x + (size - GLYPH) / 2, y + (size - GLYPH) / 2, "?");
                }
            }
        }
    }
    let colours = ARC_COLOURS.into_iter().chain([PAGE, LINE, EMPTY, MARK, NEUTRAL, INK]);
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width as u32, height as u32);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(colours.flatten().collect::<Vec<u8>>());
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&pixels.bytes)?;
    writer.finish()?;
    Ok(bytes)
}

struct Pixels {
    width: usize,
    bytes: Vec<u8>,
}

impl Pixels {
    fn fill(&mut self, x: usize, y: usize, width: usize, height: usize, index: u8) {
        for row in self.bytes.chunks_exact_mut(self.width).skip(y).take(height) {
            if let Some(part) = row.get_mut(x..x + width) {
                part.fill(index);
            }
        }
    }
}

impl Pixels {
    /// Writes text from its left upper corner. What the font does not have is a blank.
    fn write(&mut self, x: usize, y: usize, text: &str) {
        for (k, character) in text.chars().enumerate() {
            let Some(glyph) = font8x8::BASIC_FONTS.get(character) else { continue };
            for (row, bits) in glyph.into_iter().enumerate() {
                for column in (0..GLYPH).filter(|column| bits >> column & 1 == 1) {
                    self.fill(x + k * GLYPH + column, y + row, 1, 1, ON_INK);
                }
            }
        }
    }
}

/// A shaft and a head that points to the right.
fn draw_arrow(pixels: &mut Pixels, x: usize, y: usize) {
    const HALF: usize = 11;
    const HEAD: usize = 7;
    let tip = x + HALF;
    pixels.fill(x - HALF, y.saturating_sub(1), 2 * HALF - HEAD, 2, ON_INK);
    for k in 0..HEAD {
        pixels.fill(tip - HEAD + k, y.saturating_sub(HEAD - k), 1, 2 * (HEAD - k), ON_INK);
    }
}

fn index_of(cell: Cell) -> u8 {
    match cell {
        Cell::Empty | Cell::Unknown => ON_EMPTY,
        Cell::Mark => ON_MARK,
        Cell::Colour(colour) | Cell::Wrong(colour) if arc_colour(colour).is_some() => colour as u8,
        Cell::Colour(_) | Cell::Wrong(_) => ON_NEUTRAL,
    }
}
