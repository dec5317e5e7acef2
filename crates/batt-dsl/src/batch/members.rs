//! Intersections and differences of many sets of locations with one, which is looked up in a table.

use batt_core::{Packed, Reason, Value};

use super::Column;
use crate::machine::Machine;
use crate::ops::support::Bounds;

/// Sets with fewer locations are quick to go through.
const FEW: usize = 16;
/// The largest box that has a table.
const LARGEST_BOX: i64 = 4096;

/// The locations of a set, as marks in a table of its box.
struct Members {
    top: i32,
    left: i32,
    width: i32,
    marks: Vec<bool>,
}

impl Members {
    fn of(cells: &[Packed]) -> Option<Self> {
        let b = Bounds::of_packed(cells)?;
        let (height, width) = (b.bottom - b.top + 1, b.right - b.left + 1);
        if cells.len() < FEW || height * width > LARGEST_BOX {
            return None;
        }
        let (top, left, width) = (b.top as i32, b.left as i32, width as i32);
        let mut marks = vec![false; (height * i64::from(width)) as usize];
        for cell in cells {
            marks[((cell.i() - top) * width + cell.j() - left) as usize] = true;
        }
        Some(Self { top, left, width, marks })
    }

    #[inline]
    fn has(&self, cell: Packed) -> bool {
        let (i, j) = (cell.i() - self.top, cell.j() - self.left);
        // Of a location above or to the left, the number is huge.
        (j as u32) < self.width as u32 && i >= 0 && self.marks.get((i * self.width + j) as usize).is_some_and(|&mark| mark)
    }
}

impl Machine {
    /// `intersection` (what is in both) or `difference` of each of many sets of locations and one; `None` where another way is better.
    pub(super) fn map_selected<'c>(&mut self, in_both: bool, sets: &Column<'_>, other: &Value) -> Option<Result<Column<'c>, Reason>> {
        let (Column::Values(sets), Value::Indices(other)) = (sets, other) else { return None };
        if !sets.iter().all(|set| matches!(set, Value::Indices(_))) {
            return None;
        }
        let members = Members::of(other)?;
        let empty = Value::empty_set();
        let mut kept = std::mem::take(&mut self.scratch.cells);
        let mut images = Vec::with_capacity(sets.len());
        let mut cost = 0;
        for set in sets.iter() {
            let Value::Indices(cells) = set else { continue };
            kept.clear();
            kept.extend(cells.iter().filter(|&&cell| members.has(cell) == in_both));
            cost += (1 + cells.len() + other.len() + kept.len()) as u64;
            images.push(match kept.len() {
                0 => empty.clone(),
                all if all == cells.len() => set.clone(),
                _ => Value::indices_from_sorted(&kept),
            });
        }
        self.scratch.cells = kept;
        Some(self.spend(cost).map(|()| Column::Values(images.into())))
    }
}
