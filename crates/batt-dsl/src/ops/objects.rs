//! Finding things on grids: objects, colours, occurrences, frontiers.

use std::collections::BTreeMap;

use batt_core::{Reason, SetBuilder, Value};

use super::containers::{by_count, tally};
use super::patches::{height_of, normalized, places_of, width_of};
use super::support::{
    Answer, Rows, at, call1, cell, cell_value, count, grid_rows, grid_shape, int, is_empty, items, plus, rows, subscript, transposed,
    tuple_rows, unpack_two,
};
use crate::machine::{Args, Machine};

/// The colours of a grid or object, one for each cell.
pub(crate) fn colours(m: &Machine, element: &Value) -> Result<Vec<Value>, Reason> {
    if element.is_tuple() {
        return Ok(rows(element)?.into_iter().flatten().collect());
    }
    m.in_order(element)?.map(|item| Ok(unpack_two(&item)?.0)).collect()
}

pub(crate) fn mostcolor(m: &mut Machine, args: Args<'_>) -> Answer {
    let counts = tally(colours(m, args[0])?);
    by_count(m, counts, true)
}

pub(crate) fn leastcolor(m: &mut Machine, args: Args<'_>) -> Answer {
    let counts = tally(colours(m, args[0])?);
    by_count(m, counts, false)
}

pub(crate) fn palette(m: &mut Machine, args: Args<'_>) -> Answer {
    let all = colours(m, args[0])?;
    m.set(all)
}

pub(crate) fn numcolors(m: &mut Machine, args: Args<'_>) -> Answer {
    Ok(Value::Int(count(&palette(m, args)?)? as i64))
}

pub(crate) fn colorcount(m: &mut Machine, args: Args<'_>) -> Answer {
    let all = if args[0].is_tuple() { tuple_rows(args[0])?.into_iter().flatten().collect() } else { colours(m, args[0])? };
    Ok(Value::Int(all.iter().filter(|colour| **colour == *args[1]).count() as i64))
}

/// The colour of the first cell.
pub(crate) fn color(m: &mut Machine, args: Args<'_>) -> Answer {
    let mut cells = m.in_order(args[0])?;
    let colour = subscript(&*cells.next().ok_or(Reason::Empty)?, 0)?;
    if args[0].is_set() && cells.any(|cell| subscript(&cell, 0).as_ref() != Ok(&colour)) {
        m.order_matters();
    }
    Ok(colour)
}

fn of_colour(m: &mut Machine, objects: &Value, colour: &Value) -> Result<Vec<Value>, Reason> {
    let mut kept = Vec::new();
    for object in items(objects)? {
        if color(m, &[&object])? == *colour {
            kept.push(object.into_value());
        }
    }
    Ok(kept)
}

pub(crate) fn colorfilter(m: &mut Machine, args: Args<'_>) -> Answer {
    let kept = of_colour(m, args[0], args[1])?;
    m.set(kept)
}

pub(crate) fn colorfilter_t(m: &mut Machine, args: Args<'_>) -> Answer {
    let kept = of_colour(m, args[0], args[1])?;
    m.tuple(kept)
}

/// The objects of a grid: connected cells of one colour, or of any colour but the background.
pub(crate) fn objects_of(m: &mut Machine, grid: &Value, univalued: bool, diagonal: bool, without_background: bool) -> Answer {
    let (table, width) = grid_rows(grid)?;
    let height = table.len();
    let background = if without_background { Some(by_count(m, tally(table.iter().flatten().cloned().collect()), true)?) } else { None };
    let mut occupied = vec![vec![false; width]; height];
    let mut objects = SetBuilder::new();
    for i in 0..height {
        for j in 0..width {
            let colour = at(&table, i as i64, j as i64)?;
            if occupied[i][j] || Some(&colour) == background.as_ref() {
                continue;
            }
            let belongs = |v: &Value| if univalued { *v == colour } else { Some(v) != background.as_ref() };
            let mut cells = Vec::new();
            let mut open = vec![(i, j)];
            occupied[i][j] = true;
            while let Some((a, b)) = open.pop() {
                cells.push(cell_value(&at(&table, a as i64, b as i64)?, a as i64, b as i64));
                for (c, d) in adjacent_cells(a, b, height, width, diagonal) {
                    if !occupied[c][d] && belongs(&at(&table, c as i64, d as i64)?) {
                        occupied[c][d] = true;
                        open.push((c, d));
                    }
                }
            }
            objects.push(m.set(cells)?);
        }
    }
    Ok(objects.finish())
}

fn adjacent_cells(i: usize, j: usize, height: usize, width: usize, diagonal: bool) -> impl Iterator<Item = (usize, usize)> {
    let rows = i.saturating_sub(1)..=(i + 1).min(height - 1);
    rows.flat_map(move |c| (j.saturating_sub(1)..=(j + 1).min(width - 1)).map(move |d| (c, d)))
        .filter(move |&(c, d)| (c, d) != (i, j) && (diagonal || c == i || d == j))
}

pub(crate) fn objects(m: &mut Machine, args: Args<'_>) -> Answer {
    objects_of(m, args[0], args[1].truth(), args[2].truth(), args[3].truth())
}

/// The three switches of `objects` from one number: 4 for univalued, 2 for diagonal, 1 for without background.
pub(crate) fn object_kind(kind: &Value) -> Result<(bool, bool, bool), Reason> {
    match int(kind)? {
        r @ 0..=7 => Ok((r & 4 != 0, r & 2 != 0, r & 1 != 0)),
        _ => Err(Reason::OutOfRange),
    }
}

pub(crate) fn o_g(m: &mut Machine, args: Args<'_>) -> Answer {
    let (univalued, diagonal, without_background) = object_kind(args[1])?;
    objects_of(m, args[0], univalued, diagonal, without_background)
}

/// A set of sets as a tuple of tuples.
pub(crate) fn sets_to_tuples(m: &Machine, sets: &Value) -> Answer {
    let tuples = items(sets)?.map(|set| m.tuple(super::support::list(&set)?)).collect::<Result<_, _>>()?;
    m.tuple(tuples)
}

pub(crate) fn objects_t(m: &mut Machine, args: Args<'_>) -> Answer {
    let found = objects(m, args)?;
    sets_to_tuples(m, &found)
}

pub(crate) fn o_g_t(m: &mut Machine, args: Args<'_>) -> Answer {
    let found = o_g(m, args)?;
    sets_to_tuples(m, &found)
}

/// The cells of each colour as one object.
fn by_colour(m: &Machine, table: &Rows, skip: Option<&Value>) -> Answer {
    let mut parts: BTreeMap<&Value, Vec<Value>> = BTreeMap::new();
    for (i, row) in table.iter().enumerate() {
        for (j, v) in row.iter().enumerate().filter(|(_, v)| Some(*v) != skip) {
            parts.entry(v).or_default().push(cell_value(v, i as i64, j as i64));
        }
    }
    let parts = parts.into_values().map(|cells| m.set(cells)).collect::<Result<_, _>>()?;
    m.set(parts)
}

pub(crate) fn partition(m: &mut Machine, args: Args<'_>) -> Answer {
    by_colour(m, &rows(args[0])?, None)
}

pub(crate) fn fgpartition(m: &mut Machine, args: Args<'_>) -> Answer {
    let background = mostcolor(m, args)?;
    by_colour(m, &rows(args[0])?, Some(&background))
}

pub(crate) fn asindices(m: &mut Machine, args: Args<'_>) -> Answer {
    if is_empty(args[0])? {
        return Ok(Value::empty_set());
    }
    let (height, width) = grid_shape(args[0])?;
    m.indices((0..height as i64).flat_map(|i| (0..width as i64).map(move |j| (i, j))))
}

pub(crate) fn asobject(m: &mut Machine, args: Args<'_>) -> Answer {
    let table = rows(args[0])?;
    let cells = table
        .into_iter()
        .enumerate()
        .flat_map(|(i, row)| row.into_iter().enumerate().map(move |(j, v)| cell_value(&v, i as i64, j as i64)));
    m.set(cells.collect())
}

pub(crate) fn ofcolor(m: &mut Machine, args: Args<'_>) -> Answer {
    let table = rows(args[0])?;
    let places = table.iter().enumerate().flat_map(|(i, row)| row.iter().enumerate().map(move |(j, v)| (i as i64, j as i64, v)));
    m.indices(places.filter(|(_, _, v)| **v == *args[1]).map(|(i, j, _)| (i, j)))
}

pub(crate) fn toobject(m: &mut Machine, args: Args<'_>) -> Answer {
    let (table, width) = grid_rows(args[1])?;
    let mut cells = Vec::new();
    for (i, j) in places_of(m, args[0])? {
        if (0..table.len() as i64).contains(&i) && (0..width as i64).contains(&j) {
            cells.push(cell_value(&at(&table, i, j)?, i, j));
        }
    }
    m.set(cells)
}

pub(crate) fn occurrences(m: &mut Machine, args: Args<'_>) -> Answer {
    let (table, width) = grid_rows(args[0])?;
    let height = table.len() as i64;
    let normal = normalized(m, args[1])?;
    let rows_left = plus(height - height_of(args[1])?, 1)?;
    let columns_left = plus(width as i64 - width_of(args[1])?, 1)?;
    let cells = || items(&normal)?.map(|item| cell(&item)).collect::<Result<Vec<_>, _>>();
    let cells = if rows_left > 0 && columns_left > 0 { cells()? } else { Vec::new() };
    let mut found = Vec::new();
    for i in 0..rows_left {
        for j in 0..columns_left {
            let mut here = true;
            for (colour, (a, b)) in &cells {
                let (a, b) = (i + a, j + b);
                // Inside by the first row's length, a shorter row is an error.
                here = (0..height).contains(&a) && (0..width as i64).contains(&b) && at(&table, a, b)? == *colour;
                if !here {
                    break;
                }
            }
            if here {
                found.push((i, j));
            }
        }
    }
    m.indices(found)
}

fn one_coloured(line: &[Value]) -> bool {
    line.first().is_some_and(|first| line.iter().all(|v| v == first))
}

/// The rows and the columns that have one colour.
fn frontier_lines(table: &Rows) -> (Vec<usize>, Vec<usize>) {
    let find = |lines: &Rows| lines.iter().enumerate().filter(|(_, line)| one_coloured(line)).map(|(k, _)| k).collect();
    (find(table), find(&transposed(table)))
}

pub(crate) fn frontiers(m: &mut Machine, args: Args<'_>) -> Answer {
    let (table, width) = grid_rows(args[0])?;
    let (lines, columns) = frontier_lines(&table);
    let mut all = Vec::new();
    for i in lines {
        let cells =
            (0..width).map(|j| Ok(cell_value(&at(&table, i as i64, j as i64)?, i as i64, j as i64))).collect::<Result<_, Reason>>()?;
        all.push(m.set(cells)?);
    }
    for j in columns {
        let cells = (0..table.len())
            .map(|i| Ok(cell_value(&at(&table, i as i64, j as i64)?, i as i64, j as i64)))
            .collect::<Result<_, Reason>>()?;
        all.push(m.set(cells)?);
    }
    m.set(all)
}

pub(crate) fn compress(m: &mut Machine, args: Args<'_>) -> Answer {
    let table = tuple_rows(args[0])?;
    let (lines, columns) = frontier_lines(&table);
    let kept = table.into_iter().enumerate().filter(|(i, _)| !lines.contains(i));
    m.table(kept.map(|(_, row)| row.into_iter().enumerate().filter(|(j, _)| !columns.contains(j)).map(|(_, v)| v).collect()).collect())
}

/// Calls `function` on each demo's input (or output) and joins what it gives, without duplicates.
pub(crate) fn gathered(m: &mut Machine, demos: &Value, function: &Value, side: usize) -> Result<Vec<Value>, Reason> {
    let mut all = Vec::new();
    for demo in items(demos)? {
        let values = call1(m, function, &subscript(&demo, side)?)?;
        m.order_matters_in(&values);
        for value in m.in_order(&values)? {
            if !all.contains(&*value) {
                all.push(value.into_value());
            }
        }
    }
    Ok(all)
}
