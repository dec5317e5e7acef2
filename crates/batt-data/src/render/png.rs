//! Grids as PNG. Labels are not drawn: a picture with words is what SVG is for.

use super::palette::{ARC_COLOURS, EMPTY, INK, LINE, MARK, NEUTRAL, PAGE, arc_colour};
use super::picture::{CELL, layout, side};
use super::{Cell, Row};

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

/// Rows of panels as the bytes of a PNG file.
pub fn to_png(rows: &[Row]) -> Result<Vec<u8>, PngError> {
    let layout = layout(rows, 0);
    let (width, height) = (layout.width, layout.height);
    if width.saturating_mul(height) > MAX_PIXELS {
        return Err(PngError::TooLarge { width, height });
    }
    let mut pixels = Pixels { width, bytes: vec![ON_PAGE; width * height] };
    for placed in &layout.panels {
        let canvas = &rows[placed.row].panels[placed.panel].canvas;
        if let Some((x, y)) = placed.arrow {
            draw_arrow(&mut pixels, x, y);
        }
        pixels.fill(placed.x, placed.y, side(canvas.width()), side(canvas.height()), ON_LINE);
        for (i, row) in canvas.rows().enumerate() {
            for (j, &cell) in row.iter().enumerate() {
                pixels.fill(placed.x + j * CELL + 1, placed.y + i * CELL + 1, CELL - 1, CELL - 1, index_of(cell));
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
        Cell::Empty => ON_EMPTY,
        Cell::Mark => ON_MARK,
        Cell::Colour(colour) | Cell::Wrong(colour) if arc_colour(colour).is_some() => colour as u8,
        Cell::Colour(_) | Cell::Wrong(_) => ON_NEUTRAL,
    }
}
