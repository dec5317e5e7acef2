//! The values of the DSL.

use std::sync::Arc;

use crate::{Closure, Grid, Packed, PackedSet, PrimId, RowCells};

/// A value of the DSL. In Python, the reference, a grid is a tuple of rows and an object a frozen set of cells. Here common shapes have
/// compact forms.
///
/// **Each abstract value has exactly one form**, the first of these that can hold it:
///
/// | abstract value | form |
/// |---|---|
/// | tuple of two integers that fit 32 bits | `Pair` |
/// | `(colour, (i, j))` within the packed ranges | `Cell` |
/// | any other non-empty tuple of integers that fit 8 bits | `Row` |
/// | non-empty tuple of equally long, non-empty tuples of integers that fit 8 bits | `Grid` |
/// | any other tuple | `Tuple` |
/// | non-empty set of locations within the packed range | `Indices` |
/// | non-empty set of cells within the packed range | `Object` |
/// | any other set | `Set`, sorted, no duplicates |
///
/// [`crate::tuple_of`], [`crate::SetBuilder`] and the constructors of sets beside it choose the form. Outside this crate nothing else can
/// make one that might be a second: [`RowCells`], [`PackedSet`] and [`Nesting`] have no public constructor. Every `Pair`, `Cell` and
/// `Grid` is the one form of its value. A boolean is the integer 0 or 1 wherever values are compared, as in Python.
#[derive(Clone)]
pub enum Value {
    /// Python's `None`: only what `index` gives for a location outside the grid. It equals nothing but itself.
    Nothing,
    /// An integer.
    Int(i64),
    /// A boolean.
    Bool(bool),
    /// A tuple of two integers.
    Pair(i32, i32),
    /// `(colour, (i, j))`.
    Cell(Packed),
    /// A tuple of small integers, such as a row of a grid.
    Row(RowCells),
    /// A grid.
    Grid(Grid),
    /// A set of locations, ascending.
    Indices(PackedSet),
    /// A set of cells, ascending.
    Object(PackedSet),
    /// Any other tuple, and how deep and heavy it is.
    Tuple(Arc<[Value]>, Nesting),
    /// Any other set in canonical order, and how deep and heavy it is.
    Set(Arc<[Value]>, Nesting),
    /// A primitive as a value.
    Primitive(PrimId),
    /// A function made by a primitive.
    Closure(Arc<Closure>),
}

/// How deep a general tuple or set is nested, and what it weighs. Parts may be shared, so that little memory may represent a huge value.
/// Traversals are limited by weight.
///
/// Both in 32 bits, so that `Value` stays at 24 bytes: 8 bits depth, and 24 bits weight, which stops counting at their end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nesting(u32);

impl Nesting {
    const HEAVIEST: u64 = (1 << 24) - 1;

    /// The nesting of a container that has `depth` levels, itself included, and this weight.
    pub(crate) fn new(depth: u16, weight: u64) -> Self {
        Self(u32::from(depth.min(u16::from(u8::MAX))) << 24 | weight.min(Self::HEAVIEST) as u32)
    }

    /// The nesting of a container of these items.
    pub(crate) fn of(items: &[Value]) -> Self {
        let (mut depth, mut weight) = (0, 0u64);
        for item in items {
            depth = depth.max(item.depth());
            weight += item.weight();
        }
        Self::new(depth + 1, weight.max(items.len() as u64))
    }

    /// Levels of tuples and sets.
    #[inline]
    pub fn depth(self) -> u16 {
        (self.0 >> 24) as u16
    }

    /// Cells and items at all levels, each as often as it occurs.
    #[inline]
    pub fn weight(self) -> u32 {
        self.0 & Self::HEAVIEST as u32
    }
}

const _: () = assert!(size_of::<Value>() == 24, "Value has grown");

impl Value {
    /// The deepest nesting of tuples and sets.
    pub const MAX_DEPTH: u16 = 64;
    /// The most that a general tuple or set may weigh.
    pub const MAX_WEIGHT: u32 = 1 << 22;

    /// How deep tuples, sets and closures are nested in this value.
    #[inline]
    pub fn depth(&self) -> u16 {
        match self {
            Self::Nothing | Self::Int(_) | Self::Bool(_) | Self::Primitive(_) => 0,
            Self::Pair(..) | Self::Row(_) => 1,
            Self::Cell(_) | Self::Grid(_) | Self::Indices(_) => 2,
            Self::Object(_) => 3,
            Self::Tuple(_, nesting) | Self::Set(_, nesting) => nesting.depth(),
            Self::Closure(closure) => closure.depth(),
        }
    }

    /// The integer that this value is; a boolean counts as 0 or 1.
    #[inline]
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Self::Int(n) => Some(*n),
            Self::Bool(b) => Some(i64::from(*b)),
            _ => None,
        }
    }

    /// The two integers of a tuple of two integers.
    #[inline]
    pub fn as_pair(&self) -> Option<(i64, i64)> {
        match self {
            Self::Pair(a, b) => Some((i64::from(*a), i64::from(*b))),
            Self::Tuple(items, _) => match &**items {
                [a, b] => a.as_int().zip(b.as_int()),
                _ => None,
            },
            _ => None,
        }
    }

    /// A tuple of two integers.
    #[inline]
    pub fn pair(a: i64, b: i64) -> Self {
        match (i32::try_from(a), i32::try_from(b)) {
            (Ok(a), Ok(b)) => Self::Pair(a, b),
            _ => Self::Tuple(Arc::new([Self::Int(a), Self::Int(b)]), Nesting::new(1, 2)),
        }
    }

    /// The colour, row and column of a cell, in whichever form.
    #[inline]
    pub fn as_cell(&self) -> Option<(i64, i64, i64)> {
        match self {
            Self::Cell(p) => Some((i64::from(p.colour()), i64::from(p.i()), i64::from(p.j()))),
            Self::Tuple(items, _) => match &**items {
                [c, ij] => {
                    let (i, j) = ij.as_pair()?;
                    Some((c.as_int()?, i, j))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The grid that this value is.
    #[inline]
    pub fn as_grid(&self) -> Option<&Grid> {
        match self {
            Self::Grid(grid) => Some(grid),
            _ => None,
        }
    }

    /// Whether this is a tuple of any form.
    #[inline]
    pub fn is_tuple(&self) -> bool {
        matches!(self, Self::Pair(..) | Self::Cell(_) | Self::Row(_) | Self::Grid(_) | Self::Tuple(..))
    }

    /// Whether this is a set of any form.
    #[inline]
    pub fn is_set(&self) -> bool {
        matches!(self, Self::Indices(_) | Self::Object(_) | Self::Set(..))
    }

    /// Whether this can be called.
    #[inline]
    pub fn is_function(&self) -> bool {
        matches!(self, Self::Primitive(_) | Self::Closure(_))
    }

    /// The number of items of a tuple or set.
    #[inline]
    pub fn count(&self) -> Option<usize> {
        match self {
            Self::Pair(..) | Self::Cell(_) => Some(2),
            Self::Row(cells) => Some(cells.len()),
            Self::Grid(grid) => Some(grid.height()),
            Self::Indices(cells) | Self::Object(cells) => Some(cells.len()),
            Self::Tuple(items, _) | Self::Set(items, _) => Some(items.len()),
            _ => None,
        }
    }

    /// Python's truth of a value: zero, false and empty containers are false.
    #[inline]
    pub fn truth(&self) -> bool {
        match self {
            Self::Nothing => false,
            Self::Int(n) => *n != 0,
            Self::Bool(b) => *b,
            Self::Tuple(items, _) | Self::Set(items, _) => !items.is_empty(),
            _ => true,
        }
    }

    /// How much there is of it, in cells and items at all levels. Fuel is counted in this.
    #[inline]
    pub fn weight(&self) -> u64 {
        match self {
            Self::Row(cells) => cells.len() as u64,
            Self::Grid(grid) => grid.area() as u64,
            Self::Indices(cells) | Self::Object(cells) => cells.len() as u64,
            Self::Tuple(_, nesting) | Self::Set(_, nesting) => u64::from(nesting.weight()),
            _ => 1,
        }
    }

    /// The empty tuple.
    pub fn empty_tuple() -> Self {
        Self::Tuple(Arc::new([]), Nesting::new(1, 0))
    }

    /// The empty set.
    pub fn empty_set() -> Self {
        Self::Set(Arc::new([]), Nesting::new(1, 0))
    }
}

impl From<i64> for Value {
    fn from(n: i64) -> Self {
        Self::Int(n)
    }
}

impl From<bool> for Value {
    fn from(b: bool) -> Self {
        Self::Bool(b)
    }
}

impl From<Grid> for Value {
    fn from(grid: Grid) -> Self {
        Self::Grid(grid)
    }
}
