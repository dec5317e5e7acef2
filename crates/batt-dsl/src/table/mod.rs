//! The table of primitives, expanded: the enumeration, what a row says, and the code that runs it.

mod aliases;
mod rows;

use batt_core::{PrimId, Reason, Value};

use crate::machine::{Args, Machine, PrimFn};
use crate::signature::{Alias, Cost, Example, Family, Flags, Guard, Param, Primitive, Returns};
use crate::{Type, kernels, ops};

use aliases::for_each_alias;
use rows::for_each_primitive;

/// The part of a row that every call looks at.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) arity: u8,
    pub(crate) cost: Cost,
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
            alias: Some(Alias { base: PrimId(Prim::$base as u16), guard: Guard::$guard }),
            ..ROWS[Prim::$base as usize]
        }),*];

        const REFERENCE_ALIASES: &[PrimFn] = &[$(guarded::<{ AliasRow::$name as usize }, false>),*];
        const FAST_ALIASES: &[PrimFn] = &[$(guarded::<{ AliasRow::$name as usize }, true>),*];
    };
}

const NO_FLAGS: Flags = Flags { total: false, ordered: false, commutative: false };

for_each_primitive!(expand_rows);
for_each_alias!(expand_aliases);

const COUNT: usize = ROWS.len() + ALIASES.len();

/// All rows, then all aliases: a [`PrimId`] is a position here.
static TABLE: [Primitive; COUNT] = joined(ROWS, ALIASES);
static SHAPES: [Shape; COUNT] = shapes();
/// The plain functions.
pub(crate) static REFERENCE_CODE: [PrimFn; COUNT] = joined(REFERENCE_ROWS, REFERENCE_ALIASES);
/// Kernels where there are any, else the plain functions.
pub(crate) static FAST_CODE: [PrimFn; COUNT] = joined(FAST_ROWS, FAST_ALIASES);

const fn joined<T: Copy>(rows: &[T], aliases: &[T]) -> [T; COUNT] {
    let mut all = [rows[0]; COUNT];
    let mut k = 0;
    while k < COUNT {
        all[k] = if k < rows.len() { rows[k] } else { aliases[k - rows.len()] };
        k += 1;
    }
    all
}

const fn shapes() -> [Shape; COUNT] {
    let mut all = [Shape { arity: 0, cost: Cost::Unit }; COUNT];
    let mut k = 0;
    while k < COUNT {
        let row = if k < ROWS.len() { ROWS[k] } else { ALIASES[k - ROWS.len()] };
        all[k] = Shape { arity: row.params.len() as u8, cost: row.cost };
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
    code[usize::from(alias.base.0)](m, args)
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
        Self(prim as u16)
    }
}

/// What the table says about a primitive.
pub fn primitive(id: PrimId) -> &'static Primitive {
    &TABLE[usize::from(id.0)]
}

/// All primitives: the rows, then the aliases.
pub fn primitives() -> impl ExactSizeIterator<Item = (PrimId, &'static Primitive)> {
    TABLE.iter().enumerate().map(|(k, row)| (PrimId(k as u16), row))
}
