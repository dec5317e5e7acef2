//! The table of primitives, expanded: the enumeration, what a row says, and the code that runs it.

mod aliases;
mod rows;

use batt_core::{PrimId, Reason, Value};

use crate::batch::{ScalarOp, scalar_op};
use crate::machine::{Args, Machine, PrimFn};
use crate::signature::{Alias, Cost, Example, Family, Flags, Guard, Param, Primitive, Returns};
use crate::watch::watched;
use crate::{Type, kernels, ops};

use aliases::for_each_alias;
use rows::for_each_primitive;

/// The part of a row that every call looks at.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) arity: u8,
    pub(crate) cost: Cost,
    pub(crate) scalar: ScalarOp,
}

macro_rules! kernel {
    (K $name:ident) => {
        kernels::$name
    };
    (_ $name:ident) => {
        ops::$name
    };
}

macro_rules! has_kernel {
    (K) => {
        true
    };
    (_) => {
        false
    };
}

macro_rules! expand_rows {
    ($($name:ident ( $($param:ident : $takes:ident),* ) -> $returns:expr; $family:ident $cost:ident [$($flag:ident)*] $kernel:tt; $doc:literal; $call:literal => $gives:literal;)*) => {
        /// A primitive by name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u16)]
        #[expect(non_camel_case_types, reason = "the names are the field's")]
        #[expect(missing_docs, reason = "the table documents them")]
        pub enum Prim { $($name),* }

        const ROWS: &[Primitive] = {
            use Returns::*;
            &[$(Primitive {
                name: plain_name(stringify!($name)),
                params: &[$(Param { name: stringify!($param), takes: Type::$takes }),*],
                returns: $returns,
                family: Family::$family,
                cost: Cost::$cost,
                flags: Flags { $($flag: true,)* ..NO_FLAGS },
                doc: $doc,
                example: Example { call: $call, gives: $gives },
                kernel: has_kernel!($kernel),
                alias: None,
            }),*]
        };

        const REFERENCE_ROWS: &[PrimFn] = &[$(ops::$name),*];
        const FAST_ROWS: &[PrimFn] = &[$(kernel!($kernel $name)),*];
        const WATCHED_ROWS: &[PrimFn] = &[$(watched::<{ PLACES[Prim::$name as usize] as usize }>),*];
    };
}

macro_rules! expand_aliases {
    ($($name:ident = $base:ident $guard:ident; $call:literal => $gives:literal;)*) => {
        #[derive(Clone, Copy)]
        #[expect(non_camel_case_types, reason = "the names are the field's")]
        enum AliasRow { $($name),* }

        const ALIASES: &[Primitive] = &[$(Primitive {
            name: stringify!($name),
            example: Example { call: $call, gives: $gives },
            flags: Flags { added: true, ..ROWS[Prim::$base as usize].flags },
            alias: Some(Alias { base: Prim::$base, guard: Guard::$guard }),
            ..ROWS[Prim::$base as usize]
        }),*];

        const REFERENCE_ALIASES: &[PrimFn] = &[$(guarded::<{ AliasRow::$name as usize }, false>),*];
        const FAST_ALIASES: &[PrimFn] = &[$(guarded::<{ AliasRow::$name as usize }, true>),*];
        const WATCHED_ALIASES: &[PrimFn] = &[$(watched::<{ PLACES[ROWS.len() + AliasRow::$name as usize] as usize }>),*];
    };
}

const NO_FLAGS: Flags = Flags { total: false, ordered: false, commutative: false, added: false };

for_each_primitive!(expand_rows);
for_each_alias!(expand_aliases);

const COUNT: usize = ROWS.len() + ALIASES.len();

/// Where the rows and the aliases stand when both are put in one order, by name: first the rows' places, then the aliases'.
const PLACES: [u16; COUNT] = places();

/// All rows and aliases by name: a [`PrimId`] is a position here, so that primitives as values are ordered by name.
static TABLE: [Primitive; COUNT] = joined(ROWS, ALIASES);
static SHAPES: [Shape; COUNT] = shapes();
/// The plain functions.
pub(crate) static REFERENCE_CODE: [PrimFn; COUNT] = joined(REFERENCE_ROWS, REFERENCE_ALIASES);
/// Kernels where there are any, else the plain functions.
pub(crate) static FAST_CODE: [PrimFn; COUNT] = joined(FAST_ROWS, FAST_ALIASES);
/// The same as [`FAST_CODE`], each call seen by the machine's watch.
pub(crate) static WATCHED_CODE: [PrimFn; COUNT] = joined(WATCHED_ROWS, WATCHED_ALIASES);

/// Merges two lists that are each in order.
const fn places() -> [u16; COUNT] {
    let mut places = [0; COUNT];
    let (mut row, mut alias, mut place) = (0, 0, 0);
    while place < COUNT {
        let row_next = alias == ALIASES.len() || (row < ROWS.len() && before(ROWS[row].name, ALIASES[alias].name));
        if row_next {
            places[row] = place as u16;
            row += 1;
        } else {
            places[ROWS.len() + alias] = place as u16;
            alias += 1;
        }
        place += 1;
    }
    places
}

const fn before(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut k = 0;
    while k < a.len() && k < b.len() {
        if a[k] != b[k] {
            return a[k] < b[k];
        }
        k += 1;
    }
    a.len() < b.len()
}

const fn joined<T: Copy>(rows: &[T], aliases: &[T]) -> [T; COUNT] {
    let mut all = [rows[0]; COUNT];
    let mut k = 0;
    while k < COUNT {
        all[PLACES[k] as usize] = if k < rows.len() { rows[k] } else { aliases[k - rows.len()] };
        k += 1;
    }
    all
}

const fn shapes() -> [Shape; COUNT] {
    let mut all = [Shape { arity: 0, cost: Cost::Unit, scalar: ScalarOp::None }; COUNT];
    let mut k = 0;
    while k < COUNT {
        let row = if k < ROWS.len() { ROWS[k] } else { ALIASES[k - ROWS.len()] };
        all[PLACES[k] as usize] = Shape { arity: row.params.len() as u8, cost: row.cost, scalar: scalar_op(row.name) };
        k += 1;
    }
    all
}

/// A raw identifier without its prefix.
const fn plain_name(name: &'static str) -> &'static str {
    match name.as_bytes() {
        [b'r', b'#', ..] => name.split_at(2).1,
        _ => name,
    }
}

/// The code of an alias: the row that it stands for, after a look at the container arguments.
fn guarded<const ROW: usize, const FAST: bool>(m: &mut Machine, args: Args<'_>) -> Result<Value, Reason> {
    let Some(alias) = ALIASES[ROW].alias else { return Err(Reason::WrongType) };
    for (param, arg) in ALIASES[ROW].params.iter().zip(args) {
        if param.takes.is_container() && !alias.guard.admits(arg) {
            return Err(Reason::WrongType);
        }
    }
    let code = if FAST { FAST_ROWS } else { REFERENCE_ROWS };
    code[alias.base as usize](m, args)
}

impl Guard {
    /// Whether a value has the type that the suffix names. The empty set is a set of anything.
    pub fn admits(self, value: &Value) -> bool {
        let empty = || matches!(value, Value::Set(items, _) if items.is_empty());
        match self {
            Self::Tuple => value.is_tuple(),
            Self::Set => value.is_set(),
            Self::Indices => {
                matches!(value, Value::Indices(_))
                    || empty()
                    || matches!(value, Value::Set(items, _) if items.iter().all(|v| v.as_pair().is_some()))
            }
            Self::Object => {
                matches!(value, Value::Object(_))
                    || empty()
                    || matches!(value, Value::Set(items, _) if items.iter().all(|v| v.as_cell().is_some()))
            }
            Self::None => true,
        }
    }
}

#[inline]
pub(crate) fn shape(id: PrimId) -> Shape {
    SHAPES[usize::from(id.0)]
}

impl From<Prim> for PrimId {
    fn from(prim: Prim) -> Self {
        Self(PLACES[prim as usize])
    }
}

/// What the table says about a primitive.
pub fn primitive(id: PrimId) -> &'static Primitive {
    &TABLE[usize::from(id.0)]
}

/// All primitives by name, aliases included.
pub fn primitives() -> impl ExactSizeIterator<Item = (PrimId, &'static Primitive)> {
    TABLE.iter().enumerate().map(|(k, row)| (PrimId(k as u16), row))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_in_order() {
        assert!(TABLE.is_sorted_by(|a, b| a.name < b.name));
    }

    #[test]
    fn every_row_is_documented_and_has_an_example_of_itself() {
        for row in &TABLE {
            assert!(row.doc.ends_with('.') && row.doc.len() > 8, "{}: the doc line is a sentence", row.name);
            assert!(row.example.call.contains(&format!("{}(", row.name)), "{}: the example calls it", row.name);
            assert!(!row.example.gives.is_empty(), "{}: the example has a value", row.name);
        }
    }

    #[test]
    fn parameters_have_names_that_python_and_cpp_allow() {
        let reserved = [
            "and", "as", "class", "def", "del", "for", "from", "if", "import", "in", "is", "lambda", "not", "or", "pass", "return",
            "while", "with", "int", "auto", "case", "char", "new", "this", "switch", "template", "union", "delete", "operator", "default",
            "register",
        ];
        for row in &TABLE {
            assert!((1..=4).contains(&row.params.len()), "{}: takes one to four arguments", row.name);
            for (k, param) in row.params.iter().enumerate() {
                assert!(!reserved.contains(&param.name), "{}: {} is a keyword", row.name, param.name);
                assert!(row.params[..k].iter().all(|other| other.name != param.name), "{}: {} twice", row.name, param.name);
            }
        }
    }

    #[test]
    fn commutative_rows_take_two_arguments_of_one_type() {
        for row in TABLE.iter().filter(|row| row.flags.commutative) {
            assert!(matches!(row.params, [a, b] if a.takes == b.takes), "{}", row.name);
        }
    }

    #[test]
    fn an_alias_stands_for_a_row_with_the_same_parameters() {
        for row in &TABLE {
            if let Some(alias) = row.alias {
                let base = primitive(alias.base.into());
                assert!(base.alias.is_none(), "{}", row.name);
                assert_eq!(base.params.len(), row.params.len(), "{}", row.name);
                let guarded = row.params.iter().any(|param| param.takes.is_container());
                assert!(guarded || alias.guard == Guard::None, "{}: the guard has nothing to look at", row.name);
            }
        }
    }
}
