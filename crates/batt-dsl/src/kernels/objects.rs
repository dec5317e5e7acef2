//! Finding objects by labelling cells in one scan.

use std::sync::Arc;

use batt_core::{Grid, Packed, Reason, Value};

use super::colours::{Histogram, most_frequent};
use super::{Scratch, colour, packed};
use crate::machine::{Args, Machine};
use crate::ops::{
    self,
    support::{Answer, Bounds},
};

/// Which cells belong together.
#[derive(Clone, Copy)]
struct Connection {
    univalued: bool,
    diagonal: bool,
    background: Option<i8>,
}

/// Cells side by side in a row that belong together.
#[derive(Clone, Copy)]
pub(super) struct Run {
    row: u16,
    start: u16,
    end: u16,
    label: u32,
}

/// The objects of a grid.
///
/// Each row is cut into runs of connected cells, and a run is joined with the runs above that it touches. Runs come in reading order,
/// so an object's cells, and the objects by their first cells, come out in canonical order.
fn find_objects(grid: &Grid, connection: Connection, scratch: &mut Scratch) -> Value {
    let Scratch { runs, parents, starts, cells: sorted } = scratch;
    find_runs(grid, connection, runs, parents);
    // A root is the lowest label of its object, so roots ascend with the objects' first cells. Parents become object
    // numbers: labels are joined to lower ones, which are numbered before them.
    let mut objects = 0;
    for k in 0..parents.len() {
        parents[k] = if parents[k] == k as u32 {
            objects += 1;
            objects - 1
        } else {
            parents[parents[k] as usize]
        };
    }
    // Where each object's cells start when they are put one object after the other.
    starts.clear();
    starts.resize(objects as usize + 1, 0);
    for run in &mut *runs {
        run.label = parents[run.label as usize];
        starts[run.label as usize + 1] += u32::from(run.end - run.start);
    }
    for k in 1..starts.len() {
        starts[k] += starts[k - 1];
    }
    sorted.clear();
    sorted.resize(starts[objects as usize] as usize, Packed(0));
    for run in &*runs {
        let from = usize::from(run.row) * grid.width();
        let colours = &grid.cells()[from + usize::from(run.start)..from + usize::from(run.end)];
        let place = &mut starts[run.label as usize];
        let target = &mut sorted[*place as usize..][..colours.len()];
        *place += colours.len() as u32;
        let mut location = Packed::location_unchecked(i32::from(run.row), i32::from(run.start)).0;
        for (cell, &colour) in target.iter_mut().zip(colours) {
            *cell = Packed(location).with_colour(colour);
            location += Packed::displacement(0, 1);
        }
    }
    // Each start has moved to the next object's start.
    let mut from = 0;
    let all = starts[..objects as usize].iter().map(|&to| {
        let object = Value::object_from_sorted(&sorted[from..to as usize]);
        from = to as usize;
        object
    });
    Value::set_from_sorted(all.collect::<Arc<[Value]>>())
}

/// The runs of a grid, in reading order, each labelled; labels of runs that touch are joined in `parents`.
fn find_runs(grid: &Grid, connection: Connection, runs: &mut Vec<Run>, parents: &mut Vec<u32>) {
    runs.clear();
    parents.clear();
    // How far a run above may be beyond this one's ends and still touch it.
    let reach = u16::from(connection.diagonal);
    let mut above = 0..0;
    for (i, row) in grid.rows().enumerate() {
        let first = runs.len();
        let mut candidate = above.start;
        let mut j = 0;
        while j < row.len() {
            let colour = row[j];
            let start = j;
            j += 1;
            if connection.background == Some(colour) {
                continue;
            }
            if connection.univalued {
                while j < row.len() && row[j] == colour {
                    j += 1;
                }
            } else {
                while j < row.len() && Some(row[j]) != connection.background {
                    j += 1;
                }
            }
            let (start, end) = (start as u16, j as u16);
            let mut label = u32::MAX;
            while candidate < above.end && runs[candidate].end + reach <= start {
                candidate += 1;
            }
            let mut k = candidate;
            while k < above.end && runs[k].start < end + reach {
                let upper = runs[k];
                let same = !connection.univalued || grid.row(i - 1)[usize::from(upper.start)] == colour;
                if same {
                    let root = find(parents, upper.label);
                    if label == u32::MAX {
                        label = root;
                    } else if root != label {
                        let (low, high) = (root.min(label), root.max(label));
                        parents[high as usize] = low;
                        label = low;
                    }
                }
                k += 1;
            }
            if label == u32::MAX {
                label = parents.len() as u32;
                parents.push(label);
            }
            runs.push(Run { row: i as u16, start, end, label });
        }
        above = first..runs.len();
    }
}

/// The root of a label, halving the path to it.
#[inline]
fn find(parents: &mut [u32], mut label: u32) -> u32 {
    while parents[label as usize] != label {
        let grandparent = parents[parents[label as usize] as usize];
        parents[label as usize] = grandparent;
        label = grandparent;
    }
    label
}

/// A grid whose rows and columns are in the packed range.
fn packable(value: &Value) -> Option<&Grid> {
    value.as_grid().filter(|grid| grid.height() <= 2048 && grid.width() <= 2048)
}

fn objects_by(m: &mut Machine, grid: &Value, univalued: bool, diagonal: bool, without_background: bool) -> Option<Value> {
    let cells = packable(grid)?;
    let background = if without_background { Some(most_frequent(m, grid)? as i8) } else { None };
    Some(find_objects(cells, Connection { univalued, diagonal, background }, &mut m.scratch))
}

pub(crate) fn objects(m: &mut Machine, args: Args<'_>) -> Answer {
    match objects_by(m, args[0], args[1].truth(), args[2].truth(), args[3].truth()) {
        Some(found) => Ok(found),
        None => ops::objects(m, args),
    }
}

pub(crate) fn o_g(m: &mut Machine, args: Args<'_>) -> Answer {
    let (univalued, diagonal, without_background) = ops::object_kind(args[1])?;
    match objects_by(m, args[0], univalued, diagonal, without_background) {
        Some(found) => Ok(found),
        None => ops::o_g(m, args),
    }
}

pub(crate) fn objects_t(m: &mut Machine, args: Args<'_>) -> Answer {
    let found = objects(m, args)?;
    ops::sets_to_tuples(m, &found)
}

pub(crate) fn o_g_t(m: &mut Machine, args: Args<'_>) -> Answer {
    let found = o_g(m, args)?;
    ops::sets_to_tuples(m, &found)
}

/// All locations of a grid, packed, ascending.
fn places(grid: &Grid) -> Arc<[Packed]> {
    let width = grid.width() as u32;
    let rows_of = |k: u32| Packed::location_unchecked((k / width) as i32, (k % width) as i32);
    (0..grid.area() as u32).map(rows_of).collect()
}

/// The locations at which a colour is, packed, ascending, in a buffer. Eight cells are looked at together: most are of other colours.
fn places_of(grid: &Grid, wanted: i8, found: &mut Vec<Packed>) {
    const LOW_BITS: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let wanted = wanted as u8;
    let pattern = u64::from_le_bytes([wanted; 8]);
    found.clear();
    for (i, row) in grid.rows().enumerate() {
        for (k, part) in row.chunks(8).enumerate() {
            // A cell that is not there is of another colour.
            let mut bytes = [!wanted; 8];
            for (byte, &cell) in bytes.iter_mut().zip(part) {
                *byte = cell as u8;
            }
            let other = u64::from_le_bytes(bytes) ^ pattern;
            // The highest bit of each byte that is zero, and no other bit.
            let mut zero = !(((other & LOW_BITS) + LOW_BITS) | other | LOW_BITS);
            while zero != 0 {
                let j = 8 * k as u32 + zero.trailing_zeros() / 8;
                found.push(Packed::location_unchecked(i as i32, j as i32));
                zero &= zero - 1;
            }
        }
    }
}

pub(crate) fn ofcolor(m: &mut Machine, args: Args<'_>) -> Answer {
    let (Some(grid), Some(wanted)) = (packable(args[0]), args[1].as_int()) else { return ops::ofcolor(m, args) };
    let Ok(wanted) = i8::try_from(wanted) else { return Ok(Value::empty_set()) };
    places_of(grid, wanted, &mut m.scratch.cells);
    Ok(Value::indices_from_sorted(&m.scratch.cells))
}

pub(crate) fn asindices(m: &mut Machine, args: Args<'_>) -> Answer {
    let Some(grid) = packable(args[0]) else { return ops::asindices(m, args) };
    Ok(Value::indices_from_shared(places(grid)))
}

pub(crate) fn asobject(m: &mut Machine, args: Args<'_>) -> Answer {
    let Some(grid) = packable(args[0]) else { return ops::asobject(m, args) };
    let mut cells = places(grid);
    for (cell, &colour) in Arc::make_mut(&mut cells).iter_mut().zip(grid.cells()) {
        *cell = cell.with_colour(colour);
    }
    Ok(Value::object_from_shared(cells))
}

/// The cells of each colour but one as an object of its own.
fn by_colour(grid: &Grid, skip: Option<i8>, scratch: &mut Scratch) -> Value {
    let counts = Histogram::of_colours(grid.cells().iter().copied());
    // Cells are put one colour after the other; where the next cell of each colour goes.
    let mut places = [0u32; 256];
    let mut total = 0;
    for (colour, count) in counts.present() {
        places[colour as u8 as usize] = total;
        total += count;
    }
    let sorted = &mut scratch.cells;
    sorted.clear();
    sorted.resize(total as usize, Packed(0));
    for (i, row) in grid.rows().enumerate() {
        let mut location = Packed::location_unchecked(i as i32, 0).0;
        for &colour in row {
            let place = &mut places[colour as u8 as usize];
            sorted[*place as usize] = Packed(location).with_colour(colour);
            *place += 1;
            location += Packed::displacement(0, 1);
        }
    }
    // Each place has moved to where the next colour starts.
    let mut objects: Vec<Value> = counts
        .present()
        .filter(|&(colour, _)| skip != Some(colour))
        .map(|(colour, count)| {
            let end = places[colour as u8 as usize] as usize;
            Value::object_from_sorted(&sorted[end - count as usize..end])
        })
        .collect();
    objects.sort_unstable();
    Value::set_from_sorted(objects.into())
}

pub(crate) fn partition(m: &mut Machine, args: Args<'_>) -> Answer {
    match packable(args[0]) {
        Some(grid) => Ok(by_colour(grid, None, &mut m.scratch)),
        None => ops::partition(m, args),
    }
}

pub(crate) fn fgpartition(m: &mut Machine, args: Args<'_>) -> Answer {
    match (packable(args[0]), most_frequent(m, args[0])) {
        (Some(grid), Some(background)) => Ok(by_colour(grid, Some(background as i8), &mut m.scratch)),
        _ => ops::fgpartition(m, args),
    }
}

pub(crate) fn toobject(m: &mut Machine, args: Args<'_>) -> Answer {
    let (Some((cells, coloured)), Some(grid)) = (packed(args[0]), args[1].as_grid()) else { return ops::toobject(m, args) };
    let (height, width) = (grid.height() as i32, grid.width() as i32);
    let mut found = Vec::with_capacity(cells.len());
    for cell in cells {
        let (i, j) = (cell.i(), cell.j());
        if (0..height).contains(&i) && (0..width).contains(&j) {
            found.push(cell.with_colour(grid.cells()[(i * width + j) as usize]));
        }
    }
    if coloured {
        found.dedup();
    }
    Ok(Value::object_from_sorted(&found))
}

pub(crate) fn occurrences(m: &mut Machine, args: Args<'_>) -> Answer {
    let (Some(grid), Value::Object(cells)) = (packable(args[0]), args[1]) else { return ops::occurrences(m, args) };
    let b = Bounds::of_packed(cells).ok_or(Reason::Empty)?;
    let (height, width) = (grid.height() as i64, grid.width() as i64);
    let (rows, columns) = (height - (b.bottom - b.top), width - (b.right - b.left));
    // How far each cell of the object is from its upper left corner, in the grid's cells, and its colour.
    let offsets: Vec<(usize, i8)> =
        cells.iter().map(|cell| (((i64::from(cell.i()) - b.top) * width + i64::from(cell.j()) - b.left) as usize, cell.colour())).collect();
    let mut found = Vec::new();
    for i in 0..rows.max(0) {
        for j in 0..columns.max(0) {
            let window = &grid.cells()[(i * width + j) as usize..];
            if offsets.iter().all(|&(offset, colour)| window[offset] == colour) {
                found.push(Packed::location_unchecked(i as i32, j as i32));
            }
        }
    }
    Ok(Value::indices_from_sorted(&found))
}

/// The rows and the columns that have one colour.
fn frontier_lines(grid: &Grid) -> (Vec<bool>, Vec<bool>) {
    let rows = grid.rows().map(|row| row.iter().all(|&cell| cell == row[0])).collect();
    let mut columns = vec![true; grid.width()];
    for row in grid.rows() {
        for ((column, &cell), &top) in columns.iter_mut().zip(row).zip(grid.row(0)) {
            *column &= cell == top;
        }
    }
    (rows, columns)
}

pub(crate) fn frontiers(m: &mut Machine, args: Args<'_>) -> Answer {
    let Some(grid) = packable(args[0]) else { return ops::frontiers(m, args) };
    let (rows, columns) = frontier_lines(grid);
    let line = |places: &mut dyn Iterator<Item = (usize, usize)>| {
        let cells: Vec<_> = places.map(|(i, j)| Packed::location_unchecked(i as i32, j as i32).with_colour(grid.row(i)[j])).collect();
        Value::object_from_sorted(&cells)
    };
    let mut all: Vec<Value> = Vec::new();
    all.extend((0..grid.height()).filter(|&i| rows[i]).map(|i| line(&mut (0..grid.width()).map(|j| (i, j)))));
    all.extend((0..grid.width()).filter(|&j| columns[j]).map(|j| line(&mut (0..grid.height()).map(|i| (i, j)))));
    Ok(Value::set_of(all))
}

pub(crate) fn compress(m: &mut Machine, args: Args<'_>) -> Answer {
    let Value::Grid(grid) = args[0] else { return ops::compress(m, args) };
    let (rows, columns) = frontier_lines(grid);
    let height = rows.iter().filter(|&&frontier| !frontier).count();
    let width = columns.iter().filter(|&&frontier| !frontier).count();
    if height == 0 || width == 0 {
        return ops::compress(m, args);
    }
    let mut kept = Vec::with_capacity(height * width);
    for (row, _) in grid.rows().zip(&rows).filter(|(_, frontier)| !**frontier) {
        kept.extend(row.iter().zip(&columns).filter(|(_, frontier)| !**frontier).map(|(&cell, _)| cell));
    }
    super::built(Grid::new(height, width, &kept))
}

pub(crate) fn index(m: &mut Machine, args: Args<'_>) -> Answer {
    match (args[0], args[1]) {
        (Value::Grid(grid), Value::Pair(i, j)) => {
            Ok(grid.get(i64::from(*i), i64::from(*j)).map_or(Value::Nothing, |cell| Value::Int(i64::from(cell))))
        }
        _ => ops::index(m, args),
    }
}

pub(crate) fn canvas(m: &mut Machine, args: Args<'_>) -> Answer {
    let (Some(fill), Value::Pair(height, width)) = (colour(args[0]), args[1]) else { return ops::canvas(m, args) };
    if *height <= 0 || *width <= 0 {
        return ops::canvas(m, args);
    }
    m.check_grid(*height as u64, *width as u64)?;
    super::built(Grid::filled(*height as usize, *width as usize, fill))
}
