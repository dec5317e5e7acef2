//! The table of primitives, expanded: the enumeration, what a row says, and the code that runs it.
//!
//! Rows stand in files, each a macro of rows; `rows.rs` has those of arc-dsl. A file says first whose its primitives are, an [`Origin`].
//! A row reads:
//!
//! ```text
//! name(parameter: TYPE as Range, ...) -> type of the value; Family Cost [flags] K { column: value, ... };
//!     "What it gives."; "example call" => "its value";
//! ```
//!
//! `ops` must have a function of that name. `K` says that `kernels` has a faster function too. The range of a parameter may be left out if it
//! is that of the type ([`Range::of_type`]). The cost may be left out if it is linear, `K` and the columns in braces if there are none. These
//! are fields of [`Primitive`]; [`DEFAULTS`] has their other values.
//!
//! Coarse operations on images and rules are no rows here: `batt-vision` and `batt-rules` list them, and `images.rs` and `rules.rs` say what primitives
//! they are.
//!
//! To add a file of rows, name its macro in the line that expands them all, below. Rows may stand in any order: they are sorted by name
//! when this crate is compiled. A [`PrimId`] is a position in that order, so that primitives as values are ordered by name. It changes
//! when a row is added, and nothing that outlives a process has one: what is stored has names.

mod aliases;
mod batt_rows;
mod dialect_rows;
mod images;
mod rows;
mod rules;

use batt_core::{Maker, PrimId, Reason, Value};
use batt_rules::{RuleRow, for_each_family};
use batt_vision::for_each_operation;

use crate::batch::ScalarOp;
use crate::cells::{CellRole, Cells, call_on_triples, sees_cells};
use crate::machine::{Args, Machine, PrimFn};
use crate::signature::{
    Alias, Alike, Beyond, Cost, Device, Example, Family, Flags, Guard, InPython, Origin, Param, Primitive, Returns, Undo,
};
use crate::watch::watched;
use crate::{Range, Type, kernels, ops};

use aliases::for_each_alias;
use batt_rows::batt_rows;
use dialect_rows::dialect_rows;
use images::primitive_of;
use rows::rows;
use rules::{parameters, primitive_of_rule, rule_of};

/// The part of a row that every call looks at.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) arity: u8,
    pub(crate) cost: Cost,
    pub(crate) scalar: ScalarOp,
}

macro_rules! fast_code {
    (K $name:ident) => {
        kernels::$name
    };
    ($name:ident) => {
        ops::$name
    };
}

macro_rules! or_linear {
    ($cost:ident) => {
        Cost::$cost
    };
    () => {
        Cost::Linear
    };
}

macro_rules! range {
    ($takes:ident $range:ident) => {
        Some(Range::$range)
    };
    ($takes:ident) => {
        Range::of_type(Type::$takes)
    };
}

macro_rules! has_kernel {
    (K) => {
        true
    };
    () => {
        false
    };
}

macro_rules! expand_names {
    ($($name:ident)*) => {
        /// A primitive by name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u16)]
        #[expect(non_camel_case_types, reason = "the names are the field's")]
        #[expect(missing_docs, reason = "the table documents them")]
        pub enum Prim { $($name,)* }

        const PRIMS: &[Prim] = &[$(Prim::$name,)*];
        const WATCHED_ROWS: &[PrimFn] = &[$(watched::<{ PLACES[Prim::$name as usize] as usize }>,)*];
        const REFERENCE_ROWS_ON_TRIPLES: &[PrimFn] = &[$(on_triples::<{ PLACES[Prim::$name as usize] as usize }, false>,)*];
        const FAST_ROWS_ON_TRIPLES: &[PrimFn] = &[$(on_triples::<{ PLACES[Prim::$name as usize] as usize }, true>,)*];
        const WATCHED_ROWS_ON_TRIPLES: &[PrimFn] = &[$(watched::<{ COUNT + PLACES[Prim::$name as usize] as usize }>,)*];
    };
}

macro_rules! expand_rows {
    ([] $($origin:ident { $(
        $name:ident ( $($param:ident : $takes:ident $(as $range:ident)?),* ) -> $returns:expr;
        $family:ident $($cost:ident)? [$($flag:ident)*] $($kernel:ident)? $({ $($column:ident : $value:expr),* $(,)? })?;
        $doc:literal; $call:literal => $gives:literal;
    )* })*; $($operation:ident: $file:ident::$row:ident;)*; $($of_rules:ident: $rules:ident::$family_row:ident [$($rule:ident)*];)*) => {
        expand_names! { $($($name)*)* $($operation)* $($($rule)*)* }

        const ROWS: &[Primitive] = {
            use Device::*;
            use InPython::*;
            use Returns::*;
            &[$($(Primitive {
                name: plain_name(stringify!($name)),
                params: &[$(Param { name: stringify!($param), takes: Type::$takes, range: range!($takes $($range)?) }),*],
                returns: $returns,
                family: Family::$family,
                cost: or_linear!($($cost)?),
                flags: Flags { $($flag: true,)* ..DEFAULTS.flags },
                origin: Origin::$origin,
                doc: $doc,
                example: Example { call: $call, gives: $gives },
                kernel: has_kernel!($($kernel)?),
                $($($column: $value,)*)?
                ..DEFAULTS
            },)*)* $(primitive_of(const { &batt_vision::operations::$file::$row.named(stringify!($operation)) }),)*
            $($({
                const RULE: &RuleRow = rule_of(stringify!($rule), &batt_rules::families::$rules::$family_row);
                const PARAMETERS: [Param; RULE.parameters.len()] = parameters(RULE);
                primitive_of_rule(RULE, &PARAMETERS)
            },)*)*]
        };

        const REFERENCE_ROWS: &[PrimFn] =
            &[$($(ops::$name,)*)* $(ops::coarse::<{ Prim::$operation as u16 }>,)* $($(ops::rule::<{ Prim::$rule as u16 }>,)*)*];
        const FAST_ROWS: &[PrimFn] =
            &[$($(fast_code!($($kernel)? $name),)*)* $(ops::coarse::<{ Prim::$operation as u16 }>,)* $($(ops::rule::<{ Prim::$rule as u16 }>,)*)*];
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
            origin: Origin::Dialect,
            // The loops over columns know no guards.
            scalar: ScalarOp::None,
            // A guard may change the containers, and Python has its own for them.
            undo: Undo::None,
            python: InPython::Plain,
            alias: Some(Alias { base: Prim::$base, guard: Guard::$guard }),
            ..ROWS[Prim::$base as usize]
        }),*];

        const ALIAS_BASES: &[Prim] = &[$(Prim::$base),*];
        const REFERENCE_ALIASES: &[PrimFn] = &[$(guarded::<{ AliasRow::$name as usize }, false>),*];
        const FAST_ALIASES: &[PrimFn] = &[$(guarded::<{ AliasRow::$name as usize }, true>),*];
        const WATCHED_ALIASES: &[PrimFn] = &[$(watched::<{ PLACES[ROWS.len() + AliasRow::$name as usize] as usize }>),*];
        const REFERENCE_ALIASES_ON_TRIPLES: &[PrimFn] =
            &[$(on_triples::<{ PLACES[ROWS.len() + AliasRow::$name as usize] as usize }, false>),*];
        const FAST_ALIASES_ON_TRIPLES: &[PrimFn] =
            &[$(on_triples::<{ PLACES[ROWS.len() + AliasRow::$name as usize] as usize }, true>),*];
        const WATCHED_ALIASES_ON_TRIPLES: &[PrimFn] =
            &[$(watched::<{ COUNT + PLACES[ROWS.len() + AliasRow::$name as usize] as usize }>),*];
    };
}

/// The columns that a row does not have to name.
const DEFAULTS: Primitive = Primitive {
    name: "",
    params: &[],
    returns: Returns::Always(Type::ANY),
    family: Family::Grid,
    cost: Cost::Linear,
    flags: Flags { total: false, ordered: false, flattens: false, compares: false, ties: false, commutative: false },
    origin: Origin::ArcDsl,
    doc: "",
    example: Example { call: "", gives: "" },
    kernel: false,
    device: Device::None,
    grid_step: false,
    scalar: ScalarOp::None,
    numbers: None,
    alike: Alike::None,
    condition: false,
    beyond: Beyond::Nothing,
    takes_beyond: None,
    runs_on: &[],
    turn: None,
    undo: Undo::None,
    python: InPython::Plain,
    measures: false,
    triples: false,
    image: None,
    rule: None,
    alias: None,
    cells: Cells::Cij,
};

// All files of rows, the lists of coarse operations and of families of rules, and what becomes of them.
rows! { [dialect_rows batt_rows for_each_operation for_each_family expand_rows] }
for_each_alias!(expand_aliases);

/// Rows and aliases.
const COUNT: usize = ROWS.len() + ALIASES.len();
/// The same, and each once more with cells as `(i, j, c)`.
const BOUND: usize = 2 * COUNT;

/// Where the rows and the aliases stand when both are put in one order, by name: first the rows' places, then the aliases'.
const PLACES: [u16; COUNT] = places();

/// All rows and aliases by name. After all of them, each stands once more, for programs whose cells are `(i, j, c)`.
static TABLE: [Primitive; BOUND] = rows_on_both(&joined(ROWS, ALIASES));
static SHAPES: [Shape; BOUND] = shapes();
/// The plain functions.
pub(crate) static REFERENCE_CODE: [PrimFn; BOUND] =
    both(&joined(REFERENCE_ROWS, REFERENCE_ALIASES), &joined(REFERENCE_ROWS_ON_TRIPLES, REFERENCE_ALIASES_ON_TRIPLES));
/// Kernels where there are any, else the plain functions.
pub(crate) static FAST_CODE: [PrimFn; BOUND] =
    both(&joined(FAST_ROWS, FAST_ALIASES), &joined(FAST_ROWS_ON_TRIPLES, FAST_ALIASES_ON_TRIPLES));
/// [`FAST_CODE`] with each call seen by the machine's watch.
pub(crate) static WATCHED_CODE: [PrimFn; BOUND] =
    both(&joined(WATCHED_ROWS, WATCHED_ALIASES), &joined(WATCHED_ROWS_ON_TRIPLES, WATCHED_ALIASES_ON_TRIPLES));

/// A row or alias by its number in the order of the files.
pub(crate) const fn declared(k: u16) -> &'static Primitive {
    let k = k as usize;
    if k < ROWS.len() { &ROWS[k] } else { &ALIASES[k - ROWS.len()] }
}

/// Sorts rows and aliases by name: a merge sort, since what a constant takes to compute is limited.
const fn places() -> [u16; COUNT] {
    let mut sorted = [0; COUNT];
    let mut k = 0;
    while k < COUNT {
        sorted[k] = k as u16;
        k += 1;
    }
    let mut width = 1;
    while width < COUNT {
        let runs = sorted;
        let mut place = 0;
        while place < COUNT {
            let start = place - place % (2 * width);
            let (mut a, mut b) = (start, start + width);
            while place < COUNT && place < start + 2 * width {
                let a_is_left = a < start + width && a < COUNT;
                let b_is_left = b < start + 2 * width && b < COUNT;
                let a_is_next = a_is_left && !(b_is_left && before(declared(runs[b]).name, declared(runs[a]).name));
                sorted[place] = if a_is_next { runs[a] } else { runs[b] };
                a += a_is_next as usize;
                b += !a_is_next as usize;
                place += 1;
            }
        }
        width *= 2;
    }
    let mut places = [0; COUNT];
    let mut place = 0;
    while place < COUNT {
        places[sorted[place] as usize] = place as u16;
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

const fn both<T: Copy>(first: &[T; COUNT], second: &[T; COUNT]) -> [T; BOUND] {
    let mut all = [first[0]; BOUND];
    let mut k = 0;
    while k < COUNT {
        all[k] = first[k];
        all[COUNT + k] = second[k];
        k += 1;
    }
    all
}

const fn rows_on_both(rows: &[Primitive; COUNT]) -> [Primitive; BOUND] {
    let mut all = both(rows, rows);
    let mut k = COUNT;
    while k < BOUND {
        all[k].cells = Cells::Ijc;
        k += 1;
    }
    all
}

const fn shapes() -> [Shape; BOUND] {
    let mut all = [Shape { arity: 0, cost: Cost::Unit, scalar: ScalarOp::None }; BOUND];
    let mut k = 0;
    while k < BOUND {
        let row = &TABLE[k];
        // No loop over columns knows triples.
        let scalar = match row.returns {
            _ if k >= COUNT => ScalarOp::None,
            Returns::Closure(maker) if row.params.len() == 2 && !matches!(maker, Maker::Power) => ScalarOp::Makes(maker),
            _ => row.scalar,
        };
        all[k] = Shape { arity: row.params.len() as u8, cost: row.cost, scalar };
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

/// The code of an alias: the row that it stands for, given the container arguments as the guard takes them.
fn guarded<const ROW: usize, const FAST: bool>(m: &mut Machine, args: Args<'_>) -> Result<Value, Reason> {
    let Some(alias) = ALIASES[ROW].alias else { return Err(Reason::WrongType) };
    let code = if FAST { FAST_ROWS } else { REFERENCE_ROWS };
    let code = code[alias.base as usize];
    let mut made = None;
    for (k, (param, arg)) in ALIASES[ROW].params.iter().zip(args).enumerate() {
        if param.takes.is_container()
            && let Some(value) = alias.guard.view(m, arg)?
        {
            made = Some((k, value));
        }
    }
    // What makes containers takes one.
    let Some((k, value)) = made else { return code(m, args) };
    let mut given = args.to_vec();
    given[k] = &value;
    code(m, &given)
}

/// The code of a row or alias in a program whose cells are `(i, j, c)`.
fn on_triples<const PLACE: usize, const FAST: bool>(m: &mut Machine, args: Args<'_>) -> Result<Value, Reason> {
    let code = if FAST { FAST_CODE[PLACE] } else { REFERENCE_CODE[PLACE] };
    call_on_triples(m, &TABLE[PLACE], code, args)
}

impl Guard {
    /// Converts a container argument: `None` if it is used unchanged, else the tuple or set of its items. Other values are errors.
    fn view(self, m: &Machine, value: &Value) -> Result<Option<Value>, Reason> {
        let wanted = match self {
            Self::None => return Ok(None),
            Self::Tuple => value.is_tuple(),
            Self::Set => value.is_set(),
            Self::AsTuple | Self::AsSet | Self::Patch => value.count().is_some(),
            Self::Indices => matches!(value, Value::Indices(_)) || all_items(value, |item| item.as_pair().is_some()),
            Self::Object => matches!(value, Value::Object(_)) || all_items(value, |item| item.as_cell().is_some()),
        };
        if !wanted {
            return Err(Reason::WrongType);
        }
        match self {
            Self::AsTuple if value.is_set() => m.tuple(ops::support::list(value)?).map(Some),
            Self::AsSet | Self::Patch | Self::Indices | Self::Object if value.is_tuple() => m.set(ops::support::list(value)?).map(Some),
            _ => Ok(None),
        }
    }
}

/// Whether a value is a container, and all of its items are such.
fn all_items(value: &Value, such: impl Fn(&Value) -> bool) -> bool {
    value.items().is_some_and(|mut items| items.all(|item| such(&item)))
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

/// The row that does the work, by the place of a row or alias.
static BASES: [Prim; COUNT] = joined(PRIMS, ALIAS_BASES);

/// One more than the highest number of a primitive, whichever its cells.
pub const fn primitive_bound() -> usize {
    BOUND
}

/// Variant of a primitive for a form of cells. Primitives that do not see cells have one variant for both.
pub fn with_cells(id: PrimId, cells: Cells) -> PrimId {
    let place = usize::from(id.0) % COUNT;
    match cells {
        Cells::Ijc if sees_cells(&TABLE[place]) => PrimId((COUNT + place) as u16),
        _ => PrimId(place as u16),
    }
}

/// How a primitive has its cells.
pub fn cells_of(id: PrimId) -> Cells {
    primitive(id).cells
}

/// Role of the argument at position `k` of a primitive, where cells are `(i, j, c)`.
pub fn cell_role(id: PrimId, k: usize) -> CellRole {
    let place = usize::from(id.0) % COUNT;
    if k < TABLE[place].params.len() { CellRole::of(&TABLE[place], k) } else { CellRole::Other }
}

/// The row that does the work of a primitive, with cells as arc-dsl has them: what an alias stands for, or the primitive itself.
pub fn base_of(id: PrimId) -> PrimId {
    BASES[usize::from(id.0) % COUNT].into()
}

/// Table row of a primitive.
pub fn primitive(id: PrimId) -> &'static Primitive {
    &TABLE[usize::from(id.0)]
}

/// All primitives by name, aliases included, with cells as arc-dsl has them.
pub fn primitives() -> impl ExactSizeIterator<Item = (PrimId, &'static Primitive)> {
    TABLE[..COUNT].iter().enumerate().map(|(k, row)| (PrimId(k as u16), row))
}
