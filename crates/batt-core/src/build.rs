//! Making tuples and sets: the only places that choose a form.

use std::sync::Arc;

use crate::{Grid, Nesting, Packed, PackedSet, RowCells, Value};

/// The tuple of these items, in its one form.
///
/// The caller has checked its limits on length and depth; deeper than `u8` can count is clamped, which no
/// limit in use reaches.
pub fn tuple_of(items: Vec<Value>) -> Value {
    match &*items {
        [a, b] => return two_of(a, b),
        [Value::Int(_) | Value::Bool(_), ..] => {
            if let Some(row) = items.iter().map(small_int).collect::<Option<Vec<i8>>>() {
                return Value::Row(RowCells::new(row.into()));
            }
        }
        [Value::Row(_) | Value::Pair(..), ..] => {
            if let Some(grid) = grid_of(&items) {
                return Value::Grid(grid);
            }
        }
        _ => {}
    }
    let nesting = Nesting::of(&items);
    Value::Tuple(items.into(), nesting)
}

/// The tuple of two items, in its one form.
#[inline]
pub fn two_of(a: &Value, b: &Value) -> Value {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => return Value::pair(*a, *b),
        (Value::Int(c), Value::Pair(i, j)) => {
            if let Some(cell) = Packed::cell(*c, i64::from(*i), i64::from(*j)) {
                return Value::Cell(cell);
            }
        }
        (Value::Bool(_), _) | (_, Value::Bool(_)) => {
            // A boolean in a compact form is the integer that it equals.
            let plain = |v: &Value| v.as_int().map_or_else(|| v.clone(), Value::Int);
            if a.as_int().is_some() && (b.as_int().is_some() || matches!(b, Value::Pair(..))) {
                return two_of(&plain(a), &plain(b));
            }
        }
        (Value::Pair(a0, a1), Value::Pair(b0, b1)) => {
            if let (Ok(a0), Ok(a1), Ok(b0), Ok(b1)) = (i8::try_from(*a0), i8::try_from(*a1), i8::try_from(*b0), i8::try_from(*b1))
                && let Some(grid) = Grid::new(2, 2, &[a0, a1, b0, b1])
            {
                return Value::Grid(grid);
            }
        }
        (Value::Row(_), Value::Row(_)) => {
            if let Some(grid) = grid_of(&[a.clone(), b.clone()]) {
                return Value::Grid(grid);
            }
        }
        _ => {}
    }
    let items: Arc<[Value]> = Arc::new([a.clone(), b.clone()]);
    let nesting = Nesting::of(&items);
    Value::Tuple(items, nesting)
}

fn small_int(value: &Value) -> Option<i8> {
    value.as_int().and_then(|n| i8::try_from(n).ok())
}

/// The grid that these rows form, if they do.
fn grid_of(rows: &[Value]) -> Option<Grid> {
    let width = match rows.first()? {
        Value::Pair(..) => 2,
        Value::Row(cells) => cells.len(),
        _ => return None,
    };
    let fits = |row: &Value| match row {
        Value::Pair(a, b) => width == 2 && i8::try_from(*a).is_ok() && i8::try_from(*b).is_ok(),
        Value::Row(cells) => cells.len() == width,
        _ => false,
    };
    if !rows.iter().all(fits) {
        return None;
    }
    Grid::build(rows.len(), width, |target| {
        for (cells, row) in target.chunks_exact_mut(width).zip(rows) {
            match row {
                Value::Pair(a, b) => cells.copy_from_slice(&[*a as i8, *b as i8]),
                Value::Row(row) => cells.copy_from_slice(row),
                _ => {}
            }
        }
    })
}

/// Collects items into a set. Items may come in any order and more than once; while they come ascending,
/// nothing is sorted.
#[derive(Default)]
pub struct SetBuilder {
    state: State,
}

#[derive(Default)]
enum State {
    #[default]
    Empty,
    Indices(Vec<Packed>),
    Object(Vec<Packed>),
    General(Vec<Value>),
}

impl SetBuilder {
    /// An empty set to add to.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an item.
    #[inline]
    pub fn push(&mut self, value: Value) {
        match (&mut self.state, &value) {
            (State::Object(cells), Value::Cell(cell)) => cells.push(*cell),
            (State::Indices(cells), Value::Pair(i, j)) => match Packed::location(i64::from(*i), i64::from(*j)) {
                Some(location) => cells.push(location),
                None => self.push_general(value),
            },
            (State::General(items), _) => items.push(value),
            (State::Empty, Value::Cell(cell)) => self.state = State::Object(vec![*cell]),
            (State::Empty, Value::Pair(i, j)) => match Packed::location(i64::from(*i), i64::from(*j)) {
                Some(location) => self.state = State::Indices(vec![location]),
                None => self.push_general(value),
            },
            _ => self.push_general(value),
        }
    }

    /// How many items were added so far, duplicates counted.
    pub fn len(&self) -> usize {
        match &self.state {
            State::Empty => 0,
            State::Indices(cells) | State::Object(cells) => cells.len(),
            State::General(items) => items.len(),
        }
    }

    /// Whether nothing was added yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Removes duplicates so far, and says how many distinct items there are.
    pub fn compact(&mut self) -> usize {
        match &mut self.state {
            State::Empty => {}
            State::Indices(cells) | State::Object(cells) => *cells = sorted_packed(std::mem::take(cells)),
            State::General(items) => *items = sorted(std::mem::take(items)),
        }
        self.len()
    }

    /// Adds packed cells of an object.
    pub fn push_cells(&mut self, cells: &[Packed]) {
        match &mut self.state {
            State::Object(all) => all.extend_from_slice(cells),
            State::Empty if !cells.is_empty() => self.state = State::Object(cells.to_vec()),
            _ => self.extend(cells.iter().map(|&cell| Value::Cell(cell))),
        }
    }

    /// Adds packed locations.
    pub fn push_locations(&mut self, locations: &[Packed]) {
        match &mut self.state {
            State::Indices(all) => all.extend_from_slice(locations),
            State::Empty if !locations.is_empty() => self.state = State::Indices(locations.to_vec()),
            _ => self.extend(locations.iter().map(|p| Value::Pair(p.i(), p.j()))),
        }
    }

    /// The set, in its one form.
    pub fn finish(self) -> Value {
        match self.state {
            State::Empty => Value::empty_set(),
            State::Indices(cells) => Value::indices_from(cells),
            State::Object(cells) => Value::object_from(cells),
            State::General(items) => {
                let items = sorted(items);
                // The item that made the set general is still in it, or an equal one.
                let nesting = Nesting::of(&items);
                Value::Set(items.into(), nesting)
            }
        }
    }

    #[cold]
    fn push_general(&mut self, value: Value) {
        let mut items: Vec<Value> = match std::mem::take(&mut self.state) {
            State::Empty => Vec::new(),
            State::Indices(cells) => cells.into_iter().map(|p| Value::Pair(p.i(), p.j())).collect(),
            State::Object(cells) => cells.into_iter().map(Value::Cell).collect(),
            State::General(items) => items,
        };
        items.push(value);
        self.state = State::General(items);
    }
}

impl Extend<Value> for SetBuilder {
    fn extend<T: IntoIterator<Item = Value>>(&mut self, values: T) {
        for value in values {
            self.push(value);
        }
    }
}

impl Value {
    /// The set of these items.
    pub fn set_of(items: impl IntoIterator<Item = Value>) -> Self {
        let mut builder = SetBuilder::new();
        builder.extend(items);
        builder.finish()
    }

    /// The set of these locations, which are sorted and deduplicated here.
    pub fn indices_from(cells: Vec<Packed>) -> Self {
        Self::indices_from_shared(sorted_packed(cells).into())
    }

    /// The set of these cells, which are sorted and deduplicated here.
    pub fn object_from(cells: Vec<Packed>) -> Self {
        Self::object_from_shared(sorted_packed(cells).into())
    }

    /// The set of these locations, ascending and without duplicates already.
    pub fn indices_from_sorted(cells: &[Packed]) -> Self {
        if cells.is_empty() { Self::empty_set() } else { Self::indices_from_shared(cells.into()) }
    }

    /// The set of these cells, ascending and without duplicates already.
    pub fn object_from_sorted(cells: &[Packed]) -> Self {
        if cells.is_empty() { Self::empty_set() } else { Self::object_from_shared(cells.into()) }
    }

    /// The set of these locations, ascending and without duplicates already, which are not copied.
    #[inline]
    pub fn indices_from_shared(cells: Arc<[Packed]>) -> Self {
        debug_assert!(cells.iter().all(|cell| cell.without_colour() == *cell), "locations have no colour: {cells:?}");
        if cells.is_empty() { Self::empty_set() } else { Self::Indices(PackedSet::new(cells)) }
    }

    /// The set of these cells, ascending and without duplicates already, which are not copied.
    #[inline]
    pub fn object_from_shared(cells: Arc<[Packed]>) -> Self {
        if cells.is_empty() { Self::empty_set() } else { Self::Object(PackedSet::new(cells)) }
    }

    /// The set of these values, ascending and without duplicates already, which are not all cells nor all locations.
    pub fn set_from_sorted(items: Arc<[Value]>) -> Self {
        debug_assert!(items.is_sorted_by(|a, b| a < b));
        debug_assert!(items.is_empty() || !items.iter().all(|item| matches!(item, Self::Cell(_))), "an object: {items:?}");
        debug_assert!(items.is_empty() || !items.iter().all(is_packed_location), "indices: {items:?}");
        let nesting = Nesting::of(&items);
        Self::Set(items, nesting)
    }
}

fn is_packed_location(value: &Value) -> bool {
    matches!(value, Value::Pair(i, j) if Packed::location(i64::from(*i), i64::from(*j)).is_some())
}

fn sorted<T: Ord>(mut items: Vec<T>) -> Vec<T> {
    if !items.is_sorted_by(|a, b| a < b) {
        // Stable, so that of equal items the first added stays, as in Python.
        items.sort();
        items.dedup();
    }
    items
}

/// Packed cells in order, without duplicates. Many cells in a small box are put in order by marking them in a table of the box.
fn sorted_packed(mut cells: Vec<Packed>) -> Vec<Packed> {
    const FEW: usize = 24;
    if cells.is_sorted_by(|a, b| a < b) {
        return cells;
    }
    if cells.len() > FEW && sort_in_box(&mut cells) {
        return cells;
    }
    cells.sort_unstable();
    cells.dedup();
    cells
}

/// Sorts by marking; false, and nothing changed, where the box is too large or a location has two colours.
fn sort_in_box(cells: &mut Vec<Packed>) -> bool {
    let (mut top, mut bottom, mut left, mut right) = (i32::MAX, i32::MIN, i32::MAX, i32::MIN);
    for cell in &*cells {
        top = top.min(cell.i());
        bottom = bottom.max(cell.i());
        left = left.min(cell.j());
        right = right.max(cell.j());
    }
    let (height, width) = ((bottom - top + 1) as usize, (right - left + 1) as usize);
    if height * width > 4 * cells.len() + 1024 {
        return false;
    }
    // Colour bits plus one; zero for no cell.
    let mut marks = vec![0u16; height * width];
    for cell in &*cells {
        let mark = &mut marks[(cell.i() - top) as usize * width + (cell.j() - left) as usize];
        let colour = (cell.0 & 0xFF) as u16 + 1;
        if *mark != 0 && *mark != colour {
            return false;
        }
        *mark = colour;
    }
    cells.clear();
    for (i, row) in (top..).zip(marks.chunks_exact(width)) {
        let start = Packed::location_unchecked(i, left).0;
        for (j, &mark) in row.iter().enumerate() {
            if mark != 0 {
                cells.push(Packed(start + ((j as u32) << 8) + u32::from(mark - 1)));
            }
        }
    }
    true
}
