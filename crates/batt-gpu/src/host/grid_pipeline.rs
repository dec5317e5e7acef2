//! Programs that only transform whole grids: `grid_pipeline.cuh` runs them without memory.

use crate::kernels::{Control, Instruction, Word, grid_step};
use batt_core::{Grid, Task, Value};
use batt_dsl::Limits;

use super::judge::JudgedTask;

/// The longest side of a grid that the kernel takes.
pub(crate) const MAX_SIDE: u32 = Task::MAX_SIDE as u32;
/// Bytes of a sample: 32 rows of the input and 32 of the expected output, 32 cells of four bits each.
pub(crate) const SAMPLE_BYTES: usize = 2 * 32 * ROW_BYTES;
const ROW_BYTES: usize = 16;

/// The most calls; so many never spend the fuel that there is, see [`is_grid_pipeline`].
const MAX_CALLS: usize = 64;

/// Whether a program is one: each call takes what the call before gave.
pub(crate) fn is_grid_pipeline(code: &[Instruction], limits: &Limits) -> bool {
    let Some((end, calls)) = code.split_last() else { return false };
    let most_fuel = calls.len() as u64 * (3 + 2 * u64::from(MAX_SIDE * MAX_SIDE));
    if calls.is_empty() || calls.len() > MAX_CALLS || most_fuel > limits.fuel || end.op != Control::Return as u16 {
        return false;
    }
    let mut last = 0;
    for call in calls {
        let Some(row) = grid_step(call.op) else { return false };
        let is_colour = |&arg: &u16| (0..=9).any(|colour| Word::integer(colour) == Some(Word(arg)));
        if call.args[0] != last || !call.args[1..row.params.len()].iter().all(is_colour) {
            return false;
        }
        last = call.target;
    }
    end.args[0] == last
}

/// The longest side of a task's grids; more than [`MAX_SIDE`] if the kernel does not take it.
pub(crate) fn side_of(puzzle: &JudgedTask<'_>) -> u32 {
    let grids = puzzle.demos.iter().flat_map(|&(input, output)| [input, output]).chain(puzzle.tests.iter().copied());
    let side = |value: &Value| match value.as_grid() {
        Some(grid) if grid.has_only(0, Task::MAX_COLOUR) => grid.height().max(grid.width()) as u32,
        _ => u32::MAX,
    };
    grids.map(side).max().unwrap_or(u32::MAX)
}

/// Lays out a sample as rows; what does not fit is left empty, and [`side_of`] says so.
pub(crate) fn rows_of(input: &Value, output: Option<&Value>, bytes: &mut Vec<u8>) {
    for value in [Some(input), output] {
        let start = bytes.len();
        bytes.resize(start + SAMPLE_BYTES / 2, 0);
        if let Some(grid) = value.and_then(Value::as_grid) {
            lay(grid, &mut bytes[start..]);
        }
    }
}

fn lay(grid: &Grid, bytes: &mut [u8]) {
    for (row, cells) in bytes.chunks_exact_mut(ROW_BYTES).zip(grid.rows()) {
        for (byte, pair) in row.iter_mut().zip(cells.chunks(2)) {
            *byte = pair.iter().rev().fold(0, |byte, &cell| byte << 4 | (cell as u8 & 15));
        }
    }
}
