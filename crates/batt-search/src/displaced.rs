//! Columns that are the outputs or a part of them, elsewhere: how far they have to be moved on each demo.

use batt_vision::operations::boxes::content;
use batt_vision::{Image, Images, Offset, Puzzle};

use crate::columns::ColumnId;
use crate::targets::changed_cells;

/// The most columns that are kept of those that have to be moved, and of those that are the same target.
const MOST: usize = 120;
const MOST_OF_A_TARGET: usize = 30;
/// The most colours whose cells are targets.
const COLOURED: usize = 4;

/// Targets at any position: cells of the outputs, compared with columns.
#[derive(Default)]
pub(crate) struct Displaced {
    targets: Vec<Target>,
    /// Columns that have to be moved.
    pub(crate) hits: Vec<Hit>,
}

/// Cells of the outputs.
struct Target {
    part: Part,
    /// The boxes of the cells, demo by demo.
    boxes: Images,
    hits: usize,
}

/// Which cells of the outputs a column is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// All.
    Whole,
    /// Those that the input does not have.
    Changed,
    /// All of one colour.
    Coloured,
}

/// A column that has to be moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    /// The column.
    pub(crate) column: ColumnId,
    /// Part of the outputs that it is after the move.
    pub(crate) part: Part,
    /// How far on each demo, a [`Offset`] as a number.
    pub(crate) steps: Vec<i32>,
}

impl Displaced {
    /// For the outputs of a task.
    pub(crate) fn new(puzzle: &Puzzle) -> Self {
        let mut displaced = Self::default();
        displaced.add(puzzle, Part::Whole, |_, _| true);
        let same_size = puzzle.outputs.frames().iter().zip(puzzle.inputs.frames()).all(|(output, input)| output == input);
        if same_size {
            let changed = changed_cells(puzzle);
            displaced.add(puzzle, Part::Changed, |place, _| changed[place]);
        }
        let common = puzzle.outputs.iter().fold(!0u16, |common, image| common & image.palette());
        let several = puzzle.outputs.iter().any(|image| (image.palette() & !1).count_ones() > 1);
        for colour in (1..10).filter(|colour| several && common >> colour & 1 == 1).take(COLOURED) {
            displaced.add(puzzle, Part::Coloured, |_, cell| cell == colour);
        }
        displaced
    }

    /// Adds the cells that `such` chooses by their place among all cells of all outputs, and their colour.
    fn add(&mut self, puzzle: &Puzzle, part: Part, such: impl Fn(usize, u8) -> bool) {
        let (mut boxes, mut start) = (Images::default(), 0);
        for output in &puzzle.outputs {
            let chosen = |(place, &cell): (usize, &u8)| if such(start + place, cell) { cell } else { 0 };
            let cells: Vec<u8> = output.cells.iter().enumerate().map(chosen).collect();
            start += cells.len();
            if add_box(Image { frame: output.frame, cells: &cells }, &mut boxes).is_none() {
                return;
            }
        }
        if self.targets.iter().all(|other| other.boxes != boxes) {
            self.targets.push(Target { part, boxes, hits: 0 });
        }
    }

    /// Looks whether a column is a target elsewhere.
    pub(crate) fn note<'a>(&mut self, id: ColumnId, images: impl Fn(usize) -> Image<'a>) {
        if self.targets.is_empty() || self.hits.len() >= MOST {
            return;
        }
        let first = images(0);
        let Some((top, left, bottom, right)) = content(first) else { return };
        let size = ((bottom - top + 1) as u16, (right - left + 1) as u16);
        for target in self.targets.iter_mut().filter(|target| target.hits < MOST_OF_A_TARGET) {
            if target.boxes.frames().first().is_some_and(|frame| (frame.height, frame.width) != size) {
                continue;
            }
            let steps: Option<Vec<i32>> = target.boxes.iter().enumerate().map(|(demo, wanted)| step_to(images(demo), wanted)).collect();
            if let Some(steps) = steps.filter(|steps| steps.iter().any(|&step| step != 0)) {
                target.hits += 1;
                self.hits.push(Hit { column: id, part: target.part, steps });
            }
        }
    }
}

/// Adds the box of an image's cells where it is.
fn add_box(image: Image<'_>, boxes: &mut Images) -> Option<()> {
    let (top, left, bottom, right) = content(image)?;
    let mut frame = image.frame.moved(top as i16, left as i16);
    (frame.height, frame.width) = ((bottom - top + 1) as u16, (right - left + 1) as u16);
    let out = boxes.add(frame)?;
    for (row, line) in out.chunks_exact_mut(right - left + 1).enumerate() {
        line.copy_from_slice(&image.row(top + row)[left..=right]);
    }
    Some(())
}

/// How far an image has to be moved so that its cells are those of a box; `None` if they are others.
fn step_to(image: Image<'_>, wanted: Image<'_>) -> Option<i32> {
    let (top, left, bottom, right) = content(image)?;
    if (bottom - top + 1, right - left + 1) != (wanted.height(), wanted.width()) {
        return None;
    }
    let same = (0..wanted.height()).all(|row| image.row(top + row)[left..=right] == *wanted.row(row));
    let (row, column) = (i32::from(image.frame.row) + top as i32, i32::from(image.frame.column) + left as i32);
    same.then(|| Offset { rows: i32::from(wanted.frame.row) - row, columns: i32::from(wanted.frame.column) - column }.number())
}

/// How far an image has to be moved so that an output is what is at the origin then; `None` if that is nowhere or not told.
pub(crate) fn step_to_window(image: Image<'_>, output: Image<'_>) -> Option<i32> {
    let (rows, columns) = (image.height().checked_sub(output.height())?, image.width().checked_sub(output.width())?);
    let is_at =
        |top: usize, left: usize| (0..output.height()).all(|row| image.row(top + row)[left..left + output.width()] == *output.row(row));
    let mut places = (0..=rows).flat_map(|top| (0..=columns).map(move |left| (top, left))).filter(|&(top, left)| is_at(top, left));
    let (top, left) = places.next()?;
    let (row, column) = (i32::from(image.frame.row) + top as i32, i32::from(image.frame.column) + left as i32);
    places.next().is_none().then(|| Offset { rows: -row, columns: -column }.number())
}

#[cfg(test)]
mod tests {
    use batt_vision::Frame;

    use super::*;

    #[test]
    fn columns_elsewhere_are_found_with_their_steps() {
        let mut puzzle = Puzzle::default();
        assert!(puzzle.add_input(1, 4, &[5, 0, 3, 4]) && puzzle.add_output(1, 4, &[5, 3, 4, 0]));
        assert!(puzzle.add_input(1, 4, &[5, 3, 4, 0]) && puzzle.add_output(1, 4, &[5, 0, 3, 4]));
        let mut displaced = Displaced::new(&puzzle);
        displaced.note(ColumnId(7), |sample| Image { frame: Frame::at_origin(1, 2).moved(0, [2, 1][sample]), cells: &[3, 4] });
        // What changes is 3 and 4, to the left and to the right.
        let wanted = Hit { column: ColumnId(7), part: Part::Changed, steps: vec![-1, 1] };
        assert_eq!(displaced.hits, [wanted]);
        let output = Image { frame: Frame::at_origin(1, 1), cells: &[4] };
        let input = puzzle.inputs.iter().next();
        assert_eq!(input.and_then(|input| step_to_window(input, output)), Some(-3));
    }
}
