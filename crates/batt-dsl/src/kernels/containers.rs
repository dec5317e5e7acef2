//! Sets as sorted lists: merging, searching, filtering.

use std::cmp::Ordering;
use std::sync::Arc;

use batt_core::{Grid, Packed, SetBuilder, Value, two_of};

use crate::machine::{Args, Machine};
use crate::ops::{self, support::Answer};

pub(crate) fn contained(m: &mut Machine, args: Args<'_>) -> Answer {
    let found = match (args[0], args[1]) {
        (_, Value::Set(items, _)) => items.binary_search(args[0]).is_ok(),
        (Value::Cell(cell), Value::Object(cells)) => cells.binary_search(cell).is_ok(),
        (Value::Pair(i, j), Value::Indices(cells)) => {
            Packed::location(i64::from(*i), i64::from(*j)).is_some_and(|place| cells.binary_search(&place).is_ok())
        }
        (_, Value::Object(_) | Value::Indices(_)) => false,
        _ => return ops::contained(m, args),
    };
    Ok(Value::Bool(found))
}

/// A set of packed cells, locations or any values with the same form as `like`; which must not change the form of a
/// general set.
fn set_like(like: &Value, cells: &[Packed]) -> Value {
    if matches!(like, Value::Object(_)) { Value::object_from_sorted(cells) } else { Value::indices_from_sorted(cells) }
}

/// A general set's items that were kept, ascending. They may all be cells or locations now, which have forms of their own.
pub(super) fn set_from_kept(kept: Vec<Value>) -> Value {
    match kept.first() {
        Some(Value::Cell(_) | Value::Pair(..)) => Value::set_of(kept),
        _ => Value::set_from_sorted(kept.into()),
    }
}

/// Merges two ascending lists; of items in both, one stays.
fn union<T: Ord + Clone>(a: &[T], b: &[T]) -> Vec<T> {
    let mut all = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        let order = a[i].cmp(&b[j]);
        if order == Ordering::Greater {
            all.push(b[j].clone());
            j += 1;
        } else {
            all.push(a[i].clone());
            i += 1;
            j += usize::from(order == Ordering::Equal);
        }
    }
    all.extend_from_slice(&a[i..]);
    all.extend_from_slice(&b[j..]);
    all
}

/// Adds the items of `a` that are in `b`, or those that are not; both ascend.
fn select<T: Ord + Clone>(a: &[T], b: &[T], in_both: bool, kept: &mut Vec<T>) {
    let mut rest = b;
    // Among many more items, looking in the middle is quicker than going along.
    let far = b.len() / 8 > a.len();
    for item in a {
        let next = if far { rest.partition_point(|other| other < item) } else { rest.iter().take_while(|other| *other < item).count() };
        rest = &rest[next..];
        if rest.first().is_some_and(|other| other == item) == in_both {
            kept.push(item.clone());
        }
    }
}

pub(crate) fn combine(m: &mut Machine, args: Args<'_>) -> Answer {
    match (args[0], args[1]) {
        (Value::Indices(a), Value::Indices(b)) | (Value::Object(a), Value::Object(b)) => {
            let all = union(a, b);
            m.check_set(all.len() as u64)?;
            Ok(set_like(args[0], &all))
        }
        (Value::Set(a, _), Value::Set(b, _)) if !a.is_empty() && !b.is_empty() => {
            let all = union(a, b);
            m.check_set(all.len() as u64)?;
            Ok(Value::set_from_sorted(all.into()))
        }
        (Value::Grid(_), Value::Grid(_)) => super::vconcat(m, args),
        _ => ops::combine(m, args),
    }
}

fn selected(m: &mut Machine, a: &Value, b: &Value, in_both: bool) -> Option<Value> {
    match (a, b) {
        (Value::Indices(x), Value::Indices(y)) | (Value::Object(x), Value::Object(y)) => {
            let kept = &mut m.scratch.cells;
            kept.clear();
            select(x, y, in_both, kept);
            Some(if kept.len() == x.len() { a.clone() } else { set_like(a, kept) })
        }
        // Nothing is in both: locations are not cells, and neither is anything that a general set has.
        (Value::Indices(_) | Value::Object(_), Value::Indices(_) | Value::Object(_)) => {
            Some(if in_both { Value::empty_set() } else { a.clone() })
        }
        (Value::Indices(_) | Value::Object(_), Value::Set(y, _)) if y.is_empty() => {
            Some(if in_both { Value::empty_set() } else { a.clone() })
        }
        (Value::Set(x, _), _) if x.is_empty() && b.is_set() => Some(a.clone()),
        (Value::Set(x, _), Value::Set(y, _)) => {
            let mut kept = Vec::with_capacity(if in_both { x.len().min(y.len()) } else { x.len() });
            select(x, y, in_both, &mut kept);
            Some(set_from_kept(kept))
        }
        _ => None,
    }
}

pub(crate) fn intersection(m: &mut Machine, args: Args<'_>) -> Answer {
    selected(m, args[0], args[1], true).map_or_else(|| ops::intersection(m, args), Ok)
}

pub(crate) fn difference(m: &mut Machine, args: Args<'_>) -> Answer {
    selected(m, args[0], args[1], false).map_or_else(|| ops::difference(m, args), Ok)
}

/// Adds all items of a container to a set; `None` if it is no container.
pub(super) fn push_all(builder: &mut SetBuilder, container: &Value) -> Option<()> {
    match container {
        Value::Object(cells) => builder.push_cells(cells),
        Value::Indices(cells) => builder.push_locations(cells),
        _ => builder.extend(container.items()?.map(batt_core::ItemRef::into_value)),
    }
    Some(())
}

pub(crate) fn merge(m: &mut Machine, args: Args<'_>) -> Answer {
    match args[0] {
        Value::Set(containers, _) => {
            if let [only @ (Value::Indices(_) | Value::Object(_))] = &**containers {
                return Ok(only.clone());
            }
            let mut builder = SetBuilder::new();
            for container in &**containers {
                if push_all(&mut builder, container).is_none() {
                    return ops::merge(m, args);
                }
                m.keep_small(&mut builder)?;
            }
            m.finish_set(builder)
        }
        Value::Tuple(containers, _) => {
            if let Some(grid) = stacked(m, containers)? {
                return Ok(Value::Grid(grid));
            }
            if let Some(grid) = listed(m, containers)? {
                containers.iter().for_each(|set| m.order_matters_in(set));
                return Ok(Value::Grid(grid));
            }
            ops::merge(m, args)
        }
        _ => ops::merge(m, args),
    }
}

/// The locations of sets, one after the other, as a table of two columns: which is what a tuple of small pairs is.
fn listed(m: &Machine, sets: &[Value]) -> Result<Option<Grid>, batt_core::Reason> {
    let small = |p: &Packed| i8::try_from(p.i()).is_ok() && i8::try_from(p.j()).is_ok();
    let mut count = 0;
    for set in sets {
        match set {
            Value::Indices(places) if places.iter().all(small) => count += places.len(),
            _ => return Ok(None),
        }
    }
    m.check_tuple(count as u64)?;
    m.check_grid(count as u64, 2)?;
    let places = sets.iter().flat_map(|set| if let Value::Indices(places) = set { &**places } else { &[] });
    Ok(Grid::build(count, 2, |cells| {
        for (row, place) in cells.chunks_exact_mut(2).zip(places) {
            row.copy_from_slice(&[place.i() as i8, place.j() as i8]);
        }
    }))
}

/// Grids of one width, one above the other.
fn stacked(m: &Machine, grids: &[Value]) -> Result<Option<Grid>, batt_core::Reason> {
    let Some(Value::Grid(first)) = grids.first() else { return Ok(None) };
    let width = first.width();
    let mut height = 0;
    for grid in grids {
        match grid {
            Value::Grid(grid) if grid.width() == width => height += grid.height(),
            _ => return Ok(None),
        }
    }
    m.check_grid(height as u64, width as u64)?;
    let mut start = 0;
    Ok(Grid::build(height, width, |cells| {
        for grid in grids.iter().filter_map(Value::as_grid) {
            cells[start..start + grid.area()].copy_from_slice(grid.cells());
            start += grid.area();
        }
    }))
}

pub(crate) fn initset(m: &mut Machine, args: Args<'_>) -> Answer {
    match args[0] {
        Value::Cell(cell) => Ok(Value::object_from_shared(Arc::new([*cell]))),
        Value::Pair(i, j) => match Packed::location(i64::from(*i), i64::from(*j)) {
            Some(place) => Ok(Value::indices_from_shared(Arc::new([place]))),
            None => ops::initset(m, args),
        },
        other => Ok(Value::set_from_sorted(Arc::new([other.clone()]))),
    }
}

pub(crate) fn remove(m: &mut Machine, args: Args<'_>) -> Answer {
    match args[1] {
        Value::Set(items, _) => Ok(match items.binary_search(args[0]) {
            Ok(place) => set_from_kept([&items[..place], &items[place + 1..]].concat()),
            Err(_) => args[1].clone(),
        }),
        _ => ops::remove(m, args),
    }
}

pub(crate) fn insert(m: &mut Machine, args: Args<'_>) -> Answer {
    let packed = match (args[0], args[1]) {
        (Value::Cell(cell), Value::Object(cells)) => Some((*cell, cells)),
        (Value::Pair(i, j), Value::Indices(cells)) => Packed::location(i64::from(*i), i64::from(*j)).map(|place| (place, cells)),
        _ => None,
    };
    let Some((new, cells)) = packed else { return ops::insert(m, args) };
    Ok(match cells.binary_search(&new) {
        Ok(_) => args[1].clone(),
        Err(place) => {
            m.check_set(cells.len() as u64 + 1)?;
            set_like(args[1], &[&cells[..place], &[new], &cells[place..]].concat())
        }
    })
}

pub(crate) fn sizefilter(m: &mut Machine, args: Args<'_>) -> Answer {
    let (Value::Set(items, _), Some(n)) = (args[0], args[1].as_int()) else { return ops::sizefilter(m, args) };
    if !items.iter().all(|item| item.count().is_some()) {
        return ops::sizefilter(m, args);
    }
    Ok(set_from_kept(items.iter().filter(|item| item.count().is_some_and(|count| count as i64 == n)).cloned().collect()))
}

pub(crate) fn totuple(m: &mut Machine, args: Args<'_>) -> Answer {
    let Value::Indices(places) = args[0] else { return ops::totuple(m, args) };
    m.order_matters_in(args[0]);
    m.check_tuple(places.len() as u64)?;
    m.check_grid(places.len() as u64, 2)?;
    if !places.iter().all(|p| i8::try_from(p.i()).is_ok() && i8::try_from(p.j()).is_ok()) {
        return ops::totuple(m, args);
    }
    super::built(Grid::build(places.len(), 2, |cells| {
        for (row, place) in cells.chunks_exact_mut(2).zip(&**places) {
            row[0] = place.i() as i8;
            row[1] = place.j() as i8;
        }
    }))
}

pub(crate) fn get_nth(m: &mut Machine, args: Args<'_>) -> Answer {
    let (Some(count), Some(n)) = (args[0].count(), args[1].as_int()) else { return ops::get_nth(m, args) };
    m.order_matters_in(args[0]);
    let place = if n < 0 { n.saturating_add(count as i64) } else { n };
    let item = usize::try_from(place).ok().and_then(|k| args[0].item(k));
    Ok(item.ok_or(batt_core::Reason::OutOfRange)?.into_value())
}

/// The largest or smallest of integers that need no unpacking. A set of integers has them in order.
fn extreme_int(container: &Value, largest: bool) -> Option<i64> {
    match container {
        Value::Pair(a, b) => Some(i64::from(if largest { *a.max(b) } else { *a.min(b) })),
        Value::Row(cells) => (if largest { cells.iter().max() } else { cells.iter().min() }).map(|&n| i64::from(n)),
        Value::Set(items, _) => match (items.first(), items.last()) {
            (Some(Value::Int(low)), Some(Value::Int(high))) => Some(if largest { *high } else { *low }),
            _ => None,
        },
        _ => None,
    }
}

pub(crate) fn maximum(m: &mut Machine, args: Args<'_>) -> Answer {
    extreme_int(args[0], true).map_or_else(|| ops::maximum(m, args), |n| Ok(Value::Int(n)))
}

pub(crate) fn minimum(m: &mut Machine, args: Args<'_>) -> Answer {
    extreme_int(args[0], false).map_or_else(|| ops::minimum(m, args), |n| Ok(Value::Int(n)))
}

pub(crate) fn pair(m: &mut Machine, args: Args<'_>) -> Answer {
    match (args[0], args[1]) {
        (Value::Row(a), Value::Row(b)) if a.len().min(b.len()) > 2 => {
            let height = a.len().min(b.len());
            super::built(Grid::build(height, 2, |cells| {
                for ((row, &x), &y) in cells.chunks_exact_mut(2).zip(&**a).zip(&**b) {
                    row.copy_from_slice(&[x, y]);
                }
            }))
        }
        _ => ops::pair(m, args),
    }
}

pub(crate) fn product(m: &mut Machine, args: Args<'_>) -> Answer {
    let (a, b) = match (args[0], args[1]) {
        (Value::Indices(a), Value::Indices(b)) => (a, b),
        (Value::Object(a), Value::Object(b)) => {
            m.check_set(a.len() as u64 * b.len() as u64)?;
            // Tuples of cells come in order, and are in no other form.
            let right: Vec<Value> = b.iter().map(|&cell| Value::Cell(cell)).collect();
            let tuples = |&x: &Packed| right.iter().map(move |y| two_of(&Value::Cell(x), y));
            return Ok(Value::set_from_sorted(a.iter().flat_map(tuples).collect()));
        }
        _ => return ops::product(m, args),
    };
    m.check_set(a.len() as u64 * b.len() as u64)?;
    let small = |cells: &[Packed]| cells.iter().all(|p| i8::try_from(p.i()).is_ok() && i8::try_from(p.j()).is_ok());
    if !small(a) || !small(b) {
        return ops::product(m, args);
    }
    // Pairs of locations are tables of two rows and two columns, and come in order.
    let mut all = Vec::with_capacity(a.len() * b.len());
    for x in &**a {
        for y in &**b {
            all.extend(Grid::new(2, 2, &[x.i() as i8, x.j() as i8, y.i() as i8, y.j() as i8]).map(Value::Grid));
        }
    }
    Ok(Value::set_from_sorted(all.into()))
}

pub(crate) fn dedupe(m: &mut Machine, args: Args<'_>) -> Answer {
    let Value::Grid(grid) = args[0] else { return ops::dedupe(m, args) };
    if grid.height() > 64 {
        // Comparing each row with each is slow for many rows.
        return ops::dedupe(m, args);
    }
    let mut kept: Vec<&[i8]> = Vec::with_capacity(grid.height());
    for row in grid.rows() {
        if !kept.contains(&row) {
            kept.push(row);
        }
    }
    super::built(Grid::from_rows(&kept).ok())
}
