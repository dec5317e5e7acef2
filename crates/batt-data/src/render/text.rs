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
/// Gap between rows side by side.
const BETWEEN: &str = "      ";
const CUT: &str = "…";
/// Mark behind a wrong cell.
const WRONG: char = '!';

/// Rows of panels as text: labels above the cells, every cell at least two characters wide, an empty line after each row.
///
/// As characters, a cell is its digit, `.` for 0, nothing for an empty cell and `#` for a location without a colour; a wrong one has a mark
/// behind it.
pub fn to_text(rows: &[Row], style: TextStyle) -> String {
    lines_of(rows, style, false)
}

/// Text with rows side by side, where the width has room for them.
pub fn to_text_beside(rows: &[Row], style: TextStyle) -> String {
    lines_of(rows, style, true)
}

/// Mark before a panel.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Nothing,
    Gap,
    Arrow,
    /// The panel begins another row.
    Row,
}

impl Before {
    fn width(self) -> usize {
        match self {
            Self::Nothing => 0,
            Self::Gap | Self::Arrow => GAP_WIDTH,
            Self::Row => BETWEEN.len(),
        }
    }
}

fn lines_of(rows: &[Row], style: TextStyle, beside: bool) -> String {
    let mut text = String::new();
    let blocks: Vec<Vec<Block>> =
        rows.iter().map(|row| row.panels.iter().map(|panel| Block::new(&panel.label, &panel.canvas, style)).collect()).collect();
    let mut line: Vec<(&Block, Before)> = Vec::new();
    let mut used = 0;
    for (row, blocks) in rows.iter().zip(&blocks) {
        let whole = blocks.iter().map(|block| block.width + GAP_WIDTH).sum::<usize>().saturating_sub(GAP_WIDTH);
        let fits = beside && style.width.is_some_and(|width| used + BETWEEN.len() + whole <= width);
        if !line.is_empty() && !fits {
            write_blocks(&mut text, &line);
            line.clear();
            used = 0;
        }
        for (k, block) in blocks.iter().enumerate() {
            if k > 0 && !line.is_empty() && style.width.is_some_and(|width| used + GAP_WIDTH + block.width > width) {
                write_blocks(&mut text, &line);
                line.clear();
                used = 0;
            }
            // An arrow that would open a line is kept: it says that the panel continues the one above.
            let before = match (k, line.is_empty()) {
                (0, true) => Before::Nothing,
                (0, false) => Before::Row,
                _ if row.arrows => Before::Arrow,
                (_, true) => Before::Nothing,
                (_, false) => Before::Gap,
            };
            used += before.width() + block.width;
            line.push((block, before));
        }
    }
    write_blocks(&mut text, &line);
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

fn write_blocks(text: &mut String, blocks: &[(&Block, Before)]) {
    let height = blocks.iter().map(|(block, _)| block.lines.len()).max().unwrap_or(0);
    for k in 0..height {
        let start = text.len();
        for (block, before) in blocks {
            // The arrow stands beside the first row of cells.
            text.push_str(match (before, k) {
                (Before::Arrow, 1) => ARROW,
                (Before::Arrow | Before::Gap, _) => GAP,
                (Before::Row, _) => BETWEEN,
                (Before::Nothing, _) => "",
            });
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

/// Text in a cell that has no colour of its own.
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
            Cell::Unknown => "?".into(),
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
            Cell::Empty | Cell::Unknown => None,
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
            (Cell::Unknown, None) => {
                let _ = write!(line, "{:>width$} ", "?", width = cell_width - 1);
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
