//! The types that inference over programs knows, as sets of possible kinds.
//!
//! The DSL is dynamically typed and its declared types are unions (`Piece`, `Numerical`, `Any`), so a type here is the
//! set of kinds that a value may have, with the kinds of its items where it is a general tuple or set. A call is
//! wrong when an argument can have none of the kinds that the parameter takes. The empty set belongs to every set kind.

use std::fmt;

use crate::Guard;

/// A set of kinds, and of the kinds that the items of a general tuple or set may have.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Type {
    kinds: u16,
    items: u16,
}

const BOOLEAN: u16 = 1;
const INTEGER: u16 = 1 << 1;
const PAIR: u16 = 1 << 2;
const CELL: u16 = 1 << 3;
const GRID: u16 = 1 << 4;
const TUPLE: u16 = 1 << 5;
const INDICES: u16 = 1 << 6;
const OBJECT: u16 = 1 << 7;
const SET: u16 = 1 << 8;
const FUNCTION: u16 = 1 << 9;
const ALL: u16 = (1 << 10) - 1;
const TUPLES: u16 = PAIR | CELL | GRID | TUPLE;
const SETS: u16 = INDICES | OBJECT | SET;

impl Type {
    /// Nothing: no value can be had.
    pub const NEVER: Self = Self::of(0, 0);
    /// Anything.
    pub const ANY: Self = Self::of(ALL, ALL);
    /// A truth value.
    pub const BOOLEAN: Self = Self::of(BOOLEAN, 0);
    /// An integer; a boolean is one too.
    pub const INTEGER: Self = Self::of(INTEGER | BOOLEAN, 0);
    /// Two integers: a location, a direction, dimensions.
    pub const PAIR: Self = Self::of(PAIR, 0);
    /// An integer or two.
    pub const NUMERICAL: Self = Self::of(INTEGER | BOOLEAN | PAIR, 0);
    /// A colour at a location.
    pub const CELL: Self = Self::of(CELL, 0);
    /// A grid. A tuple of tuples may be one.
    pub const GRID: Self = Self::of(GRID | TUPLE, ALL);
    /// A grid and nothing else, as what a primitive returns.
    pub const SURE_GRID: Self = Self::of(GRID, 0);
    /// A tuple of anything.
    pub const TUPLE: Self = Self::of(TUPLES, ALL);
    /// A set of anything.
    pub const SET: Self = Self::of(SETS, ALL);
    /// A tuple or set.
    pub const CONTAINER: Self = Self::of(TUPLES | SETS, ALL);
    /// A tuple or set whose items are tuples or sets.
    pub const CONTAINERS: Self = Self::of((TUPLES & !PAIR) | SETS, TUPLES | SETS);
    /// A set of locations.
    pub const INDICES: Self = Self::of(INDICES, 0);
    /// A set of cells.
    pub const OBJECT: Self = Self::of(OBJECT, 0);
    /// Locations with or without colours. The reference also takes a tuple of them, and an empty set.
    pub const PATCH: Self = Self::of(INDICES | OBJECT | SET | TUPLE | GRID, PAIR | CELL);
    /// Coloured locations, or a grid.
    pub const ELEMENT: Self = Self::of(GRID | TUPLE | INDICES | OBJECT | SET, ALL);
    /// A grid or a patch.
    pub const PIECE: Self = Self::of(TUPLES | SETS, ALL);
    /// A set of objects.
    pub const OBJECTS: Self = Self::of(SET, OBJECT);
    /// A set of integers.
    pub const INTEGER_SET: Self = Self::of(SET, INTEGER | BOOLEAN);
    /// A tuple of integers.
    pub const INTEGERS: Self = Self::of(TUPLE | PAIR, INTEGER | BOOLEAN);
    /// A function.
    pub const FUNCTION: Self = Self::of(FUNCTION, 0);

    const fn of(kinds: u16, items: u16) -> Self {
        Self { kinds, items }
    }

    /// Whether two types are the same.
    pub(crate) const fn is(self, other: Self) -> bool {
        self.kinds == other.kinds && self.items == other.items
    }

    /// Whether values of this type, or their items, are cells or objects and nothing else.
    pub(crate) const fn has_cells(self) -> bool {
        self.kinds & (CELL | OBJECT) != 0 || (self.items & (CELL | OBJECT) != 0 && self.items != ALL)
    }

    /// This type where cells are `(i, j, c)`: tuples of three integers, and objects sets of them.
    #[must_use]
    pub const fn with_triples(self) -> Self {
        let mut kinds = self.kinds & !(CELL | OBJECT);
        let mut items = self.items & !(CELL | OBJECT);
        if self.kinds & CELL != 0 {
            kinds |= TUPLE;
            items |= INTEGER;
        }
        if self.kinds & OBJECT != 0 {
            kinds |= SET;
            items |= TUPLE;
        }
        if self.items & CELL != 0 {
            items |= TUPLE;
        }
        if self.items & OBJECT != 0 {
            items |= SET;
        }
        Self::of(kinds, items)
    }

    /// Whether no value can have this type.
    pub const fn is_never(self) -> bool {
        self.kinds == 0
    }

    /// The value that stands in for an undefined one of this type under the policy that asks for it: zero, false, the empty tuple or the
    /// empty set. `None` for a type that can be several of these.
    pub fn stand_in(self) -> Option<batt_core::Value> {
        use batt_core::Value;
        match self.kinds {
            BOOLEAN => Some(Value::Bool(false)),
            PAIR => Some(Value::Pair(0, 0)),
            kinds if kinds & !(INTEGER | BOOLEAN) == 0 && kinds != 0 => Some(Value::Int(0)),
            kinds if kinds & !TUPLES == 0 && kinds & (GRID | TUPLE) != 0 => Some(Value::empty_tuple()),
            kinds if kinds & !SETS == 0 && kinds != 0 => Some(Value::empty_set()),
            _ => None,
        }
    }

    /// Whether only containers have this type.
    pub const fn is_container(self) -> bool {
        self.kinds & !(TUPLES | SETS) == 0 && self.kinds & (TUPLE | SETS) != 0
    }

    /// Either type.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self::of(self.kinds | other.kinds, self.items | other.items)
    }

    /// Both types at once.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self::of(self.kinds & other.kinds, self.items & other.items)
    }

    /// Whether a value of this type can be passed where `wanted` is: some kind is common to both, or both have sets,
    /// since an empty set has the kind of every set.
    pub const fn fits(self, wanted: Self) -> bool {
        self.kinds & wanted.kinds != 0 || (self.kinds & SETS != 0 && wanted.kinds & SETS != 0)
    }

    /// Whether a value of this type that is no empty container can be passed where `wanted` is: as [`Type::fits`], but
    /// where only general containers are common to both, some kind of item must be common too.
    pub const fn fits_filled(self, wanted: Self) -> bool {
        let common = self.kinds & wanted.kinds;
        if common & !(TUPLE | SET) != 0 {
            return true;
        }
        common != 0 && (self.items == 0 || wanted.items == 0 || self.items & wanted.items != 0)
    }

    /// Whether every value of this type can be passed where `wanted` is, as far as kinds tell.
    pub const fn within(self, wanted: Self) -> bool {
        self.kinds != 0 && self.kinds & !wanted.kinds == 0 && self.fits_filled(wanted)
    }

    /// Whether a value of this type may be a set.
    pub const fn may_be_set(self) -> bool {
        self.kinds & SETS != 0
    }

    /// Whether a value of this type may be a tuple.
    pub const fn may_be_tuple(self) -> bool {
        self.kinds & TUPLES != 0
    }

    /// Whether a value of this type may equal a value of the other. What cannot be had is not compared.
    pub const fn may_equal(self, other: Self) -> bool {
        const NUMBERS: u16 = INTEGER | BOOLEAN;
        if self.kinds == 0 || other.kinds == 0 {
            return true;
        }
        let (mine, its) = (self.kinds, other.kinds);
        (mine & NUMBERS != 0 && its & NUMBERS != 0)
            || (mine & TUPLES != 0 && its & TUPLES != 0)
            || (mine & SETS != 0 && its & SETS != 0)
            || (mine & FUNCTION != 0 && its & FUNCTION != 0)
    }

    /// Whether a value of this type may be a function.
    pub const fn may_be_function(self) -> bool {
        self.kinds & FUNCTION != 0
    }

    /// The values that a parameter of this type is for. Some take any tuple for a grid, or a grid for a patch, and make nothing of it.
    #[must_use]
    pub fn intended(self) -> Self {
        match self {
            Self::GRID => Self::SURE_GRID,
            Self::PATCH => Self::INDICES.or(Self::OBJECT),
            Self::PIECE | Self::ELEMENT => Self::INDICES.or(Self::OBJECT).or(Self::SURE_GRID),
            _ => Self::ANY,
        }
    }

    /// This type without the kinds that `wanted` does not have; unchanged if none is left.
    #[must_use]
    pub const fn narrowed(self, wanted: Self) -> Self {
        let kinds = self.kinds & wanted.kinds;
        if kinds == 0 { self } else { Self::of(kinds, self.items) }
    }

    /// This type as far as an alias with a guard takes it.
    #[must_use]
    pub const fn guarded(self, guard: Guard) -> Self {
        match guard {
            Guard::None | Guard::AsTuple | Guard::AsSet => self,
            Guard::Tuple => Self::of(self.kinds & TUPLES, self.items),
            Guard::Set => Self::of(self.kinds & SETS, self.items),
            Guard::Patch => Self::of(self.kinds & (SETS | TUPLE), self.items & (PAIR | CELL)),
            Guard::Indices => Self::of(self.kinds & (INDICES | TUPLE), self.items & PAIR),
            Guard::Object => Self::of(self.kinds & (OBJECT | TUPLE), self.items & CELL),
        }
    }

    /// The type that a container of this type is taken for by an alias.
    #[must_use]
    pub const fn viewed(self, guard: Guard) -> Self {
        let (kept, made) = match guard {
            Guard::None | Guard::Tuple | Guard::Set => return self,
            Guard::AsTuple => (TUPLES, self.item().in_tuple()),
            Guard::AsSet | Guard::Patch => (SETS, self.item().in_set()),
            Guard::Indices => (SETS, Self::INDICES),
            Guard::Object => (SETS, Self::OBJECT),
        };
        if self.kinds & !kept == 0 { self } else { Self::of(self.kinds & kept, self.items).or(made) }
    }

    /// A patch, as a set, made from a patch of this type.
    #[must_use]
    pub const fn patch(self) -> Self {
        let item = self.item();
        let places = Self::of(item.kinds & (PAIR | CELL), 0);
        if self.kinds & TUPLES == 0 {
            return places.in_set();
        }
        // An empty tuple stays as it is.
        places.in_set().or(Self::of(TUPLE, 0))
    }

    /// Whether a value has this type. The empty set has every set type; integers of any size make a pair or cell.
    pub fn admits(self, value: &batt_core::Value) -> bool {
        use batt_core::Value;
        let kinds = match value {
            Value::Int(_) | Value::Bool(_) => INTEGER | BOOLEAN,
            Value::Set(items, _) if items.is_empty() => SETS,
            Value::Tuple(..) => TUPLE | if value.as_pair().is_some() { PAIR } else { 0 } | if value.as_cell().is_some() { CELL } else { 0 },
            Value::Set(items, _) if items.iter().all(|item| item.as_pair().is_some()) => SET | INDICES,
            Value::Set(items, _) if items.iter().all(|item| item.as_cell().is_some()) => SET | OBJECT,
            _ => Self::of_value(value).kinds,
        };
        if self.kinds & kinds == 0 {
            return false;
        }
        match value {
            Value::Tuple(items, _) | Value::Set(items, _) if self.kinds & kinds & !(TUPLE | SET) == 0 => {
                items.iter().all(|item| Self::of(self.items, ALL).admits(item))
            }
            _ => true,
        }
    }

    /// The type of the items of a container of this type.
    #[must_use]
    pub const fn item(self) -> Self {
        let mut kinds = 0;
        if self.kinds & PAIR != 0 {
            kinds |= INTEGER;
        }
        if self.kinds & CELL != 0 {
            kinds |= INTEGER | PAIR;
        }
        if self.kinds & INDICES != 0 {
            kinds |= PAIR;
        }
        if self.kinds & OBJECT != 0 {
            kinds |= CELL;
        }
        let mut items = 0;
        if self.kinds & GRID != 0 {
            kinds |= PAIR | TUPLE;
            items |= INTEGER;
        }
        if self.kinds & (TUPLE | SET) != 0 {
            kinds |= self.items;
            if self.items & (TUPLE | SET) != 0 {
                items = ALL;
            }
        }
        Self::of(kinds, items)
    }

    /// A tuple of items of this type.
    #[must_use]
    pub const fn in_tuple(self) -> Self {
        let mut kinds = TUPLE;
        if self.kinds & (INTEGER | BOOLEAN) != 0 {
            kinds |= PAIR;
            if self.kinds & PAIR != 0 {
                kinds |= CELL;
            }
        }
        if self.kinds & (PAIR | TUPLE) != 0 {
            kinds |= GRID;
        }
        Self::of(kinds, self.kinds)
    }

    /// A set of items of this type.
    #[must_use]
    pub const fn in_set(self) -> Self {
        let mut kinds = 0;
        if self.kinds & PAIR != 0 {
            kinds |= INDICES;
        }
        if self.kinds & CELL != 0 {
            kinds |= OBJECT;
        }
        if self.kinds & !(PAIR | CELL) != 0 || kinds == 0 {
            kinds |= SET;
        }
        Self::of(kinds, self.kinds)
    }

    /// A tuple of two items.
    #[must_use]
    pub const fn two(first: Self, second: Self) -> Self {
        let mut kinds = 0;
        let number = INTEGER | BOOLEAN;
        if first.kinds & number != 0 && second.kinds & number != 0 {
            kinds |= PAIR;
        }
        if first.kinds & number != 0 && second.kinds & PAIR != 0 {
            kinds |= CELL;
        }
        if first.kinds & (PAIR | TUPLE) != 0 && second.kinds & (PAIR | TUPLE) != 0 {
            kinds |= GRID;
        }
        if first.kinds & !number != 0 || second.kinds & !(number | PAIR) != 0 {
            kinds |= TUPLE;
        }
        Self::of(kinds, first.kinds | second.kinds)
    }

    /// The kind of container that `self` is, with items of type `item`.
    #[must_use]
    pub const fn with_items(self, item: Self) -> Self {
        let mut result = Self::NEVER;
        if self.kinds & TUPLES != 0 {
            result = result.or(item.in_tuple());
        }
        if self.kinds & SETS != 0 {
            result = result.or(item.in_set());
        }
        result
    }

    /// Arithmetic on two of these: a pair if either is one.
    #[must_use]
    pub const fn arithmetic(self, other: Self) -> Self {
        let mut kinds = 0;
        if (self.kinds | other.kinds) & PAIR != 0 {
            kinds |= PAIR;
        }
        if self.kinds & (INTEGER | BOOLEAN) != 0 && other.kinds & (INTEGER | BOOLEAN) != 0 {
            kinds |= INTEGER;
        }
        if self.kinds & (TUPLE | GRID) != 0 || other.kinds & (TUPLE | GRID) != 0 {
            kinds |= PAIR;
        }
        Self::of(kinds, 0)
    }

    /// The type of a value.
    pub fn of_value(value: &batt_core::Value) -> Self {
        use batt_core::Value;
        match value {
            Value::Int(_) => Self::of(INTEGER, 0),
            Value::Bool(_) => Self::BOOLEAN,
            Value::Pair(..) => Self::PAIR,
            Value::Cell(_) => Self::CELL,
            Value::Row(_) => Self::of(TUPLE, INTEGER),
            Value::Nothing => Self::ANY,
            Value::Grid(_) => Self::SURE_GRID,
            Value::Indices(_) => Self::INDICES,
            Value::Object(_) => Self::OBJECT,
            Value::Tuple(items, _) => items.iter().fold(Self::NEVER, |all, item| all.or(Self::of_value(item))).in_tuple(),
            Value::Set(items, _) => items.iter().fold(Self::NEVER, |all, item| all.or(Self::of_value(item))).in_set(),
            Value::Primitive(_) | Value::Closure(_) => Self::FUNCTION,
        }
    }
}

const NAMES: [(u16, &str); 10] = [
    (BOOLEAN, "Boolean"),
    (INTEGER, "Integer"),
    (PAIR, "Pair"),
    (CELL, "Cell"),
    (GRID, "Grid"),
    (TUPLE, "Tuple"),
    (INDICES, "Indices"),
    (OBJECT, "Object"),
    (SET, "Set"),
    (FUNCTION, "Function"),
];

fn write_kinds(f: &mut fmt::Formatter<'_>, kinds: u16, separator: &str) -> fmt::Result {
    // Every integer parameter takes a boolean: naming both tells nobody anything.
    let kinds = if kinds & INTEGER != 0 { kinds & !BOOLEAN } else { kinds };
    let mut first = true;
    for (bit, name) in NAMES {
        if kinds & bit != 0 {
            if !first {
                f.write_str(separator)?;
            }
            f.write_str(name)?;
            first = false;
        }
    }
    Ok(())
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = [
            (Self::ANY, "Any"),
            (Self::NEVER, "nothing"),
            (Self::CONTAINER, "Container"),
            (Self::CONTAINERS, "Container of containers"),
            (Self::NUMERICAL, "Numerical"),
            (Self::PATCH, "Patch"),
            (Self::ELEMENT, "Element"),
            (Self::GRID, "Grid"),
            (Self::TUPLE, "Tuple"),
            (Self::SET, "Set"),
            (Self::OBJECTS, "Objects"),
            (Self::INTEGER_SET, "IntegerSet"),
        ];
        if let Some((_, name)) = named.iter().find(|(known, _)| known == self) {
            return f.write_str(name);
        }
        write_kinds(f, self.kinds, " or ")?;
        let general = self.kinds & (TUPLE | SET) != 0;
        if general && self.items != 0 && self.items != ALL {
            f.write_str(" of ")?;
            write_kinds(f, self.items, "/")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
