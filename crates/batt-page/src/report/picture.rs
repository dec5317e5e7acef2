//! Grids, patches and other values as compact text that the page draws.

use batt_core::{Closure, Grid, Packed, Value};
use batt_program::print_literal;
use serde::Serialize;

use crate::report::StepShown;

/// The longest side of a picture; what is larger is cut.
const LONGEST_SIDE: usize = 40;
/// The most pictures of a value.
const MOST_PICTURES: usize = 8;
/// The longest text of a value.
const LONGEST_TEXT: usize = 200;
/// The heaviest value that is printed, to be cut at [`LONGEST_TEXT`].
const HEAVIEST_TEXT: u64 = 2_000;
/// The heaviest part of a function that is written out.
const HEAVIEST_PART: u64 = 8;

/// A rectangle of cells: its width, a colon, and a character a cell, row by row. A digit is a colour, `.` an empty cell, `#` a location
/// without a colour, and `?` a colour outside 0 to 9.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ShownGrid(String);

impl ShownGrid {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn of(width: usize, cells: impl Iterator<Item = char>) -> Self {
        let mut text = format!("{width}:");
        text.extend(cells);
        Self(text)
    }

    /// The cells of a patch in their bounding box; the last cell at a place is the one that is seen.
    fn patch(cells: &[Packed], coloured: bool, area: &Bounds) -> Self {
        let (height, width) = (area.height.min(LONGEST_SIDE), area.width.min(LONGEST_SIDE));
        let mut drawn = vec!['.'; height * width];
        for cell in cells {
            let (i, j) = ((cell.i() - area.top) as usize, (cell.j() - area.left) as usize);
            if i < height && j < width {
                drawn[i * width + j] = if coloured { character(cell.colour()) } else { '#' };
            }
        }
        Self::of(width, drawn.into_iter())
    }
}

impl From<&Grid> for ShownGrid {
    fn from(grid: &Grid) -> Self {
        let width = grid.width().min(LONGEST_SIDE);
        let cells = grid.rows().take(LONGEST_SIDE).flat_map(|row| &row[..width]);
        Self::of(width, cells.map(|&colour| character(colour)))
    }
}

/// A value as pictures, or in words.
pub fn shown(value: &Value) -> StepShown {
    if let Some(Drawn { words, picture, at }) = drawn(value) {
        return StepShown { words, pictures: vec![picture], at: at.into_iter().collect(), ..StepShown::default() };
    }
    if let Value::Tuple(items, _) | Value::Set(items, _) = value {
        // Several of a kind are drawn side by side; a mixture is told in words.
        let shown: Option<Vec<Drawn>> = items.iter().take(MOST_PICTURES).map(drawn).collect();
        if let Some(shown) = shown.filter(|shown| !shown.is_empty()) {
            let kind = if value.is_set() { "set" } else { "tuple" };
            let more = items.len() - shown.len();
            let at: Option<Vec<(i32, i32)>> = shown.iter().map(|one| one.at).collect();
            let pictures = shown.into_iter().map(|one| one.picture).collect();
            return StepShown { words: format!("{kind} of {}", items.len()), pictures, at: at.unwrap_or_default(), more, failed: false };
        }
    }
    StepShown { words: in_words(value), ..StepShown::default() }
}

struct Bounds {
    top: i32,
    left: i32,
    height: usize,
    width: usize,
}

fn bounds(cells: &[Packed]) -> Option<Bounds> {
    let rows = cells.iter().map(|cell| cell.i());
    let columns = cells.iter().map(|cell| cell.j());
    let (top, bottom) = rows.clone().min().zip(rows.max())?;
    let (left, right) = columns.clone().min().zip(columns.max())?;
    Some(Bounds { top, left, height: (bottom - top + 1) as usize, width: (right - left + 1) as usize })
}

/// A grid or a patch as a picture, what is to be said of it, and its place if it has one.
struct Drawn {
    words: String,
    picture: ShownGrid,
    at: Option<(i32, i32)>,
}

fn drawn(value: &Value) -> Option<Drawn> {
    let cut = |height: usize, width: usize| if height.max(width) > LONGEST_SIDE { ", cut" } else { "" };
    let (cells, coloured, kind) = match value {
        Value::Grid(grid) => {
            let (height, width) = (grid.height(), grid.width());
            return Some(Drawn { words: format!("grid {height}×{width}{}", cut(height, width)), picture: grid.into(), at: None });
        }
        Value::Object(cells) => (cells, true, "object"),
        Value::Indices(cells) => (cells, false, "indices"),
        _ => return None,
    };
    let area = bounds(cells)?;
    let Bounds { top, left, height, width } = area;
    let words = format!("{kind} {height}×{width} at ({top}, {left}){}", cut(height, width));
    Some(Drawn { words, picture: ShownGrid::patch(cells, coloured, &area), at: Some((top, left)) })
}

fn in_words(value: &Value) -> String {
    if let Value::Closure(closure) = value {
        return cut_text(&function_in_words(closure));
    }
    if value.weight() > HEAVIEST_TEXT {
        let kind = if value.is_set() { "set" } else { "tuple" };
        return format!("a {kind} of {}, too large to be shown", value.count().unwrap_or(0));
    }
    let text = print_literal(value);
    if text.is_empty() { "None".to_owned() } else { cut_text(&text) }
}

/// The expression that makes a function; of large values in it, such as grids, only what they are.
fn function_in_words(closure: &Closure) -> String {
    let part = |part: &Value| match part {
        Value::Closure(inner) => function_in_words(inner),
        _ if part.weight() <= HEAVIEST_PART => print_literal(part),
        _ => shown(part).words,
    };
    let parts: Vec<String> = closure.parts().iter().map(part).collect();
    format!("{}({})", closure.maker().name(), parts.join(", "))
}

/// Text that is not longer than what is shown of any.
fn cut_text(text: &str) -> String {
    match text.char_indices().nth(LONGEST_TEXT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn character(colour: i8) -> char {
    u8::try_from(colour).ok().filter(|colour| *colour < 10).map_or('?', |colour| char::from(b'0' + colour))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use batt_core::{Pair, Task, TestCase};
    use batt_engine::{Inputs, Limits, OnUndefined, run_alone};
    use expect_test::expect;

    use super::*;

    fn evaluated(expression: &str) -> StepShown {
        let grid = Grid::from_rows(&[[0i8, 3, 3, 0], [0, 0, 0, 0], [5, 0, 0, 3]]).unwrap();
        let pair = Pair { input: grid.clone(), output: grid.clone() };
        let task = Task { id: String::new(), demos: vec![pair], tests: vec![TestCase { input: grid.clone(), output: None }] };
        let (input, demos) = (Value::Grid(grid), Inputs::demos_of(&task.demos));
        let program = batt_program::parse_expression(expression).unwrap();
        let inputs = Inputs { input: &input, demos: &demos, candidate: None };
        shown(run_alone(&program, &[inputs], Limits::default(), OnUndefined::Propagate)[0].outcome.value().unwrap())
    }

    #[test]
    fn values_become_pictures_or_words() {
        let expressions = [
            "hmirror(I)",
            "objects(I, T, F, T)",
            "ofcolor(I, 3)",
            "first(objects(I, T, F, T))",
            "palette(I)",
            "canvas(-3, UNITY)",
            "canvas(1, astuple(2, 60))",
            "size",
            "compose(first, palette)",
            "fork(add, lbind(colorcount, I), rbind(power, TWO_BY_TWO))",
            "difference(palette(I), palette(I))",
            "first(S)",
            "astuple(I, 3)",
            "interval(0, 300, 1)",
        ];
        let text: String =
            expressions.map(|expression| format!("{expression}: {}\n", serde_json::to_string(&evaluated(expression)).unwrap())).concat();
        expect![[r#"
            hmirror(I): {"words":"grid 3×4","pictures":["4:500300000330"]}
            objects(I, T, F, T): {"words":"set of 3","pictures":["2:33","1:5","1:3"],"at":[[0,1],[2,0],[2,3]]}
            ofcolor(I, 3): {"words":"indices 3×3 at (0, 1)","pictures":["3:##......#"],"at":[[0,1]]}
            first(objects(I, T, F, T)): {"words":"object 1×2 at (0, 1)","pictures":["2:33"],"at":[[0,1]]}
            palette(I): {"words":"frozenset({0, 3, 5})"}
            canvas(-3, UNITY): {"words":"grid 1×1","pictures":["1:?"]}
            canvas(1, astuple(2, 60)): {"words":"grid 2×60, cut","pictures":["40:11111111111111111111111111111111111111111111111111111111111111111111111111111111"]}
            size: {"words":"size"}
            compose(first, palette): {"words":"compose(first, palette)"}
            fork(add, lbind(colorcount, I), rbind(power, TWO_BY_TWO)): {"words":"fork(add, lbind(colorcount, grid 3×4), rbind(power, (2, 2)))"}
            difference(palette(I), palette(I)): {"words":"frozenset()"}
            first(S): {"words":"tuple of 2","pictures":["4:033000005003","4:033000005003"]}
            astuple(I, 3): {"words":"(((0, 3, 3, 0), (0, 0, 0, 0), (5, 0, 0, 3)), 3)"}
            interval(0, 300, 1): {"words":"(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 5…"}
        "#]].assert_eq(&text);
    }

    #[test]
    fn what_would_be_endless_is_cut() {
        let many = evaluated("apply(rbind(canvas, UNITY), interval(0, 9, 1))");
        assert_eq!((many.pictures.len(), many.more), (8, 1));
        let words = evaluated("apply(initset, interval(0, 3000, 1))").words;
        assert_eq!(words, "a tuple of 3000, too large to be shown");
    }
}
