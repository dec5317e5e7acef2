//! Grids as text, for terminals and logs.

use std::fmt::Write;

use batt_core::shown::one_line;

use super::palette::{MARK, NEUTRAL, Rgb, arc_colour, is_dark};
use super::{Canvas, Cell, Row};

/// How text is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextStyle {
    /// Whether cells are drawn with 24-bit ANSI background colours, or else as characters.
    pub colour: bool,
    /// The width of the terminal in characters; panels wrap and wide ones are cut. `None`: as wide as need be.
    pub width: Option<usize>,
}

const GAP: &str = "   ";
const ARROW: &str = " → ";
const GAP_WIDTH: usize = 3;
const CUT: &str = "…";
/// What stands behind a wrong cell.
const WRONG: char = '!';

/// Rows of panels as text: labels above the cells, every cell at least two characters wide, an empty line after each row.
///
/// As characters, a cell is its digit, `.` for 0, nothing for an empty cell and `#` for a location without a colour; a wrong one has a mark
/// behind it.
pub fn to_text(rows: &[Row], style: TextStyle) -> String {
    let mut text = String::new();
    for row in rows {
        let blocks: Vec<Block> = row.panels.iter().map(|panel| Block::new(&panel.label, &panel.canvas, style)).collect();
        let mut line: Vec<(&Block, bool)> = Vec::new();
        let mut used = 0;
        for (k, block) in blocks.iter().enumerate() {
            let arrow = row.arrows && k > 0;
            let needed = GAP_WIDTH + block.width;
            if !line.is_empty() && style.width.is_some_and(|width| used + needed > width) {
                write_blocks(&mut text, &line);
                line.clear();
                used = 0;
            }
            // An arrow that would open a line is kept: it says that the panel continues the one above.
            used += if line.is_empty() && !arrow { block.width } else { needed };
            line.push((block, arrow));
        }
        write_blocks(&mut text, &line);
    }
    text
}

/// The lines of one panel, all of one width.
struct Block {
    width: usize,
    /// Each with the number of characters that it shows.
    lines: Vec<(String, usize)>,
}

impl Block {
    fn new(label: &str, canvas: &Canvas, style: TextStyle) -> Self {
        // Room for an arrow before it.
        let most = style.width.map_or(usize::MAX, |width| width.saturating_sub(GAP_WIDTH).max(1));
        let mut lines = vec![cut_label(label, most)];
        let cell_width = canvas.rows().flatten().map(|&cell| number_of(cell).map_or(1, |number| number.len()) + 1).max().unwrap_or(2);
        let fits = canvas.width().saturating_mul(cell_width) <= most;
        let shown = if fits { canvas.width() } else { (most - 1) / cell_width };
        for row in canvas.rows() {
            let mut line = String::new();
            if style.colour {
                colour_line(&mut line, &row[..shown], cell_width);
            } else {
                plain_line(&mut line, &row[..shown], cell_width);
            }
            let mut count = shown * cell_width;
            if !fits {
                line.push_str(CUT);
                count += 1;
            }
            lines.push((line, count));
        }
        let width = lines.iter().map(|(_, count)| *count).max().unwrap_or(0);
        Self { width, lines }
    }
}

/// A label on one line, without anything that would move the cursor.
fn cut_label(label: &str, most: usize) -> (String, usize) {
    let label = one_line(label, most);
    let count = label.chars().count();
    (label, count)
}

fn write_blocks(text: &mut String, blocks: &[(&Block, bool)]) {
    let height = blocks.iter().map(|(block, _)| block.lines.len()).max().unwrap_or(0);
    for k in 0..height {
        let start = text.len();
        for (position, (block, arrow)) in blocks.iter().enumerate() {
            // The arrow stands beside the first row of cells.
            match (arrow, k) {
                (true, 1) => text.push_str(ARROW),
                (true, _) => text.push_str(GAP),
                (false, _) if position > 0 => text.push_str(GAP),
                (false, _) => {}
            }
            let (line, count) = block.lines.get(k).map_or(("", 0), |(line, count)| (line, *count));
            text.push_str(line);
            text.extend(std::iter::repeat_n(' ', block.width - count));
        }
        let end = start + text[start..].trim_end_matches(' ').len();
        text.truncate(end);
        text.push('\n');
    }
    if height > 0 {
        text.push('\n');
    }
}

/// What is written in a cell that has no colour of its own.
fn number_of(cell: Cell) -> Option<String> {
    match cell {
        Cell::Colour(colour) | Cell::Wrong(colour) if arc_colour(colour).is_none() => Some(colour.to_string()),
        _ => None,
    }
}

fn plain_line(line: &mut String, cells: &[Cell], cell_width: usize) {
    for &cell in cells {
        let content = match cell {
            Cell::Empty => " ".into(),
            Cell::Mark => "#".into(),
            Cell::Colour(0) | Cell::Wrong(0) => ".".into(),
            Cell::Colour(colour) | Cell::Wrong(colour) => colour.to_string(),
        };
        let mark = if matches!(cell, Cell::Wrong(_)) { WRONG } else { ' ' };
        let _ = write!(line, "{content:>width$}{mark}", width = cell_width - 1);
    }
}

fn colour_line(line: &mut String, cells: &[Cell], cell_width: usize) {
    let mut current: Option<Rgb> = None;
    for &cell in cells {
        let background = match cell {
            Cell::Empty => None,
            Cell::Mark => Some(MARK),
            Cell::Colour(colour) | Cell::Wrong(colour) => Some(arc_colour(colour).unwrap_or(NEUTRAL)),
        };
        // Neighbours of one colour share an escape sequence.
        if background != current {
            match background {
                Some([r, g, b]) => {
                    let _ = write!(line, "\x1b[48;2;{r};{g};{b}m");
                }
                None => line.push_str("\x1b[0m"),
            }
            current = background;
        }
        let mark = if matches!(cell, Cell::Wrong(_)) { WRONG } else { ' ' };
        match (cell, number_of(cell)) {
            (_, Some(number)) => {
                // Only a cell with text sets the colour of text, and sets it back.
                let _ = write!(line, "\x1b[38;2;255;255;255m{number:>width$}{mark}\x1b[39m", width = cell_width - 1);
            }
            (Cell::Wrong(colour), None) => {
                let ink = if is_dark(arc_colour(colour).unwrap_or(NEUTRAL)) { 255 } else { 0 };
                let _ = write!(line, "\x1b[1;38;2;{ink};{ink};{ink}m{WRONG:>cell_width$}\x1b[22;39m");
            }
            (Cell::Empty, None) => {
                let _ = write!(line, "{:>width$} ", "·", width = cell_width - 1);
            }
            _ => line.extend(std::iter::repeat_n(' ', cell_width)),
        }
    }
    if current.is_some() {
        line.push_str("\x1b[0m");
    }
}
