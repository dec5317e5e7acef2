//! Making tuples and sets: the only places that choose a form.

use crate::{Grid, Packed, Value};

/// The tuple of these items, in its one form.
///
/// The caller has checked its limits on length and depth; deeper than `u8` can count is clamped, which no
/// limit in use reaches.
pub fn tuple_of(items: Vec<Value>) -> Value {
    if let [a, b] = &*items {
        if let (Some(a), Some(b)) = (a.as_int(), b.as_int()) {
            return Value::pair(a, b);
        }
        if let (Some(c), Value::Pair(i, j)) = (a.as_int(), b)
            && let Some(cell) = Packed::cell(c, i64::from(*i), i64::from(*j))
        {
            return Value::Cell(cell);
        }
    }
    if let Some(grid) = grid_of(&items) {
        return Value::Grid(grid);
    }
    let depth = depth_of(&items);
    Value::Tuple(items.into(), depth)
}

fn depth_of(items: &[Value]) -> u8 {
    let inner = items.iter().map(Value::depth).max().unwrap_or(0);
    (inner + 1).min(u16::from(u8::MAX)) as u8
}

/// The grid that these rows form, if they do.
fn grid_of(rows: &[Value]) -> Option<Grid> {
    let width = match rows.first()? {
        Value::Pair(..) => 2,
        Value::Tuple(items, 1) if !items.is_empty() => items.len(),
        _ => return None,
    };
    let mut cells = Vec::with_capacity(rows.len() * width);
    for row in rows {
        match row {
            Value::Pair(a, b) if width == 2 => {
                cells.push(i8::try_from(*a).ok()?);
                cells.push(i8::try_from(*b).ok()?);
            }
            Value::Tuple(items, 1) if items.len() == width => {
                for item in &**items {
                    cells.push(i8::try_from(item.as_int()?).ok()?);
                }
            }
            _ => return None,
        }
    }
    Grid::new(rows.len(), width, &cells)
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
            State::Indices(cells) | State::Object(cells) => *cells = sorted(std::mem::take(cells)),
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
            State::Indices(cells) => Value::Indices(sorted(cells).into()),
            State::Object(cells) => Value::Object(sorted(cells).into()),
            State::General(items) => {
                let items = sorted(items);
                // A general state can still hold only cells: a large location may have been a duplicate's neighbour.
                if items.iter().all(|v| matches!(v, Value::Cell(_))) {
                    return Value::Object(items.iter().filter_map(|v| if let Value::Cell(c) = v { Some(*c) } else { None }).collect());
                }
                let depth = depth_of(&items);
                Value::Set(items.into(), depth)
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
        if cells.is_empty() { Self::empty_set() } else { Self::Indices(sorted(cells).into()) }
    }

    /// The set of these cells, which are sorted and deduplicated here.
    pub fn object_from(cells: Vec<Packed>) -> Self {
        if cells.is_empty() { Self::empty_set() } else { Self::Object(sorted(cells).into()) }
    }

    /// The set of these locations, ascending and without duplicates already.
    pub fn indices_from_sorted(cells: &[Packed]) -> Self {
        debug_assert!(cells.is_sorted_by(|a, b| a < b));
        if cells.is_empty() { Self::empty_set() } else { Self::Indices(cells.into()) }
    }

    /// The set of these cells, ascending and without duplicates already.
    pub fn object_from_sorted(cells: &[Packed]) -> Self {
        debug_assert!(cells.is_sorted_by(|a, b| a < b));
        if cells.is_empty() { Self::empty_set() } else { Self::Object(cells.into()) }
    }

    /// The set of these values, ascending and without duplicates already, none of which is a cell or a location.
    pub fn set_from_sorted(items: Vec<Value>) -> Self {
        debug_assert!(items.is_sorted_by(|a, b| a < b));
        let depth = depth_of(&items);
        Self::Set(items.into(), depth)
    }
}

fn sorted<T: Ord>(mut items: Vec<T>) -> Vec<T> {
    if !items.is_sorted_by(|a, b| a < b) {
        // Stable, so that of equal items the first added stays, as in Python.
        items.sort();
        items.dedup();
    }
    items
}
