//! Cells as `(i, j, c)`, as the ancestor of the typed dialect has them.
//!
//! A primitive that takes or gives cells has a second entry in the table, for programs whose cells are triples. Its code is that of the
//! first between two translations: triples become cells on the way in, and cells triples on the way out. Everything else sees a
//! triple as what it is, a tuple of three, so that `last` is its colour and `neighbors` looks at its row and column.

use batt_core::{Reason, SetBuilder, Value, tuple_of, two_of};

use crate::Type;
use crate::machine::{Args, Machine, PrimFn};
use crate::ops::support::{cell_value, int, items, list, subscript};
use crate::signature::{Family, Guard, Primitive, Returns};

/// How a program has its cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cells {
    /// `(c, (i, j))`, as arc-dsl has them.
    #[default]
    Cij,
    /// `(i, j, c)`, as the ancestor has them.
    Ijc,
}

impl Cells {
    /// Both, arc-dsl's first.
    pub const ALL: [Self; 2] = [Self::Cij, Self::Ijc];

    /// Its name in program text and options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cij => "cij",
            Self::Ijc => "ijc",
        }
    }
}

/// Role of an argument of a primitive whose cells are `(i, j, c)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellRole {
    /// Locations or cells, in a set or tuple.
    Patch,
    /// Locations or cells; a tuple is taken for the set of its items.
    MeasuredPatch,
    /// Those in a set; a tuple is a grid.
    Piece,
    /// A container of patches.
    Patches,
    /// A cell, of which the location is wanted.
    Cell,
    /// Nothing with cells.
    Other,
}

impl CellRole {
    /// Role of the argument at position `k` of a row or alias.
    pub(crate) const fn of(row: &Primitive, k: usize) -> Self {
        let takes = row.params[k].takes;
        if let Some(alias) = row.alias
            && matches!(alias.guard, Guard::Tuple | Guard::AsTuple)
        {
            return Self::Other;
        }
        if takes.is(Type::PATCH) {
            return if row.measures { Self::MeasuredPatch } else { Self::Patch };
        }
        if takes.is(Type::CELL) {
            return Self::Cell;
        }
        if !takes.is(Type::ELEMENT) && !takes.is(Type::PIECE) {
            return Self::Other;
        }
        match (row.family, row.alias) {
            (Family::Patch | Family::Grid | Family::Colour | Family::Rank, Some(alias))
                if matches!(alias.guard, Guard::Patch | Guard::Indices | Guard::Object) =>
            {
                Self::Patch
            }
            (Family::Object, _) => Self::Patches,
            (Family::Patch | Family::Grid | Family::Colour, _) => Self::Piece,
            (Family::Rank, _) if takes.is(Type::ELEMENT) => Self::Piece,
            _ => Self::Other,
        }
    }
}

/// Whether it matters to a row how cells are made.
pub(crate) const fn sees_cells(row: &Primitive) -> bool {
    if let Returns::Always(ty) = row.returns
        && ty.has_cells()
    {
        return true;
    }
    let mut k = 0;
    while k < row.params.len() {
        if !matches!(CellRole::of(row, k), CellRole::Other) {
            return true;
        }
        k += 1;
    }
    false
}

/// Calls a row whose cells are `(c, (i, j))` in a program whose cells are `(i, j, c)`.
pub(crate) fn call_on_triples(m: &mut Machine, row: &Primitive, code: PrimFn, args: Args<'_>) -> Result<Value, Reason> {
    let mut made = Vec::with_capacity(args.len());
    for (k, arg) in args.iter().enumerate() {
        made.push(taken(CellRole::of(row, k), arg)?);
    }
    let given: Vec<&Value> = made.iter().zip(args).map(|(made, arg)| made.as_ref().unwrap_or(arg)).collect();
    let value = code(m, &given)?;
    Ok(given_back(&value).unwrap_or(value))
}

/// An argument with cells in the place of triples; `None` for one that stays as it is.
fn taken(role: CellRole, arg: &Value) -> Result<Option<Value>, Reason> {
    match role {
        CellRole::Patch => patch(arg, false),
        CellRole::MeasuredPatch => patch(arg, true),
        CellRole::Piece if arg.is_set() => patch(arg, false),
        CellRole::Patches => each(arg, |item| patch(item, false)),
        CellRole::Cell => Ok(Some(two_of(&Value::Int(0), &two_of(&subscript(arg, 0)?, &subscript(arg, 1)?)))),
        CellRole::Piece | CellRole::Other => Ok(None),
    }
}

/// A patch with cells in the place of triples.
fn patch(value: &Value, as_set: bool) -> Result<Option<Value>, Reason> {
    let Some(first) = items(value)?.next() else { return Ok(None) };
    if first.as_cell().is_some() {
        return Err(Reason::WrongType);
    }
    if first.is_tuple() && first.count() == Some(3) {
        let cells = items(value)?.map(|item| cell_of_triple(&item)).collect::<Result<Vec<_>, _>>()?;
        return Ok(Some(if as_set || value.is_set() { Value::set_of(cells) } else { tuple_of(cells) }));
    }
    if as_set && value.is_tuple() { Ok(Some(Value::set_of(list(value)?))) } else { Ok(None) }
}

fn cell_of_triple(triple: &Value) -> Result<Value, Reason> {
    if triple.count() != Some(3) {
        return Err(Reason::WrongType);
    }
    Ok(cell_value(&subscript(triple, 2)?, int(&subscript(triple, 0)?)?, int(&subscript(triple, 1)?)?))
}

/// A container whose items are translated; `None` if all stay as they are.
fn each(value: &Value, translate: impl Fn(&Value) -> Result<Option<Value>, Reason>) -> Result<Option<Value>, Reason> {
    let (mut all, mut changed) = (Vec::new(), false);
    for item in items(value)? {
        let made = translate(&item)?;
        changed |= made.is_some();
        all.push(made.unwrap_or_else(|| item.into_value()));
    }
    Ok(changed.then(|| if value.is_set() { Value::set_of(all) } else { tuple_of(all) }))
}

/// A value with triples in the place of cells; `None` for one that stays as it is.
fn given_back(value: &Value) -> Option<Value> {
    match value {
        Value::Cell(cell) => {
            Some(triple(&Value::Int(i64::from(cell.colour())), &Value::Int(i64::from(cell.i())), &Value::Int(i64::from(cell.j()))))
        }
        Value::Object(_) => {
            let mut set = SetBuilder::new();
            set.extend(value.items()?.filter_map(|item| given_back(&item)));
            Some(set.finish())
        }
        Value::Tuple(parts, _) if parts.len() == 2 && parts[1].is_tuple() && !parts[0].is_tuple() && !parts[0].is_set() => {
            Some(triple(&parts[0], &*parts[1].item(0)?, &*parts[1].item(1)?))
        }
        Value::Tuple(..) | Value::Set(..) => each(value, |item| Ok(given_back(item))).ok().flatten(),
        _ => None,
    }
}

fn triple(colour: &Value, i: &Value, j: &Value) -> Value {
    tuple_of(vec![i.clone(), j.clone(), colour.clone()])
}
