//! Primitives on columns of integers, truth values, pairs and cells, as plain loops.
//!
//! `None` where there is no loop for the primitive on such columns; `Err` where some call of it is undefined.

use batt_core::{ItemRef, Maker, Packed, Reason, Value};

use super::nested::Extreme;
use super::{Arg, Column};

/// The primitives that have such a loop: a column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScalarOp {
    None,
    Identity,
    First,
    Last,
    Size,
    Add,
    Subtract,
    Multiply,
    Increment,
    Decrement,
    Double,
    Halve,
    Invert,
    Sign,
    Even,
    Positive,
    Flip,
    Equality,
    Greater,
    Both,
    Either,
    Astuple,
    Toivec,
    Tojvec,
    Maximum,
    Minimum,
    /// Makes functions of two parts. The table has it from the type of the value.
    Makes(Maker),
    /// Looks for an extreme among the values of a function.
    Extreme(Extreme),
    /// Selects what is in two sets, or in the first alone.
    Select {
        in_both: bool,
    },
}

impl ScalarOp {
    pub(crate) const ARGMAX: Self = Self::Extreme(Extreme { largest: true, key: false });
    pub(crate) const ARGMIN: Self = Self::Extreme(Extreme { largest: false, key: false });
    pub(crate) const VALMAX: Self = Self::Extreme(Extreme { largest: true, key: true });
    pub(crate) const VALMIN: Self = Self::Extreme(Extreme { largest: false, key: true });
}

type ScalarResult<'c> = Option<Result<Column<'c>, Reason>>;

/// A primitive of one argument.
pub(super) fn unary<'c>(op: ScalarOp, column: &Column<'c>) -> ScalarResult<'c> {
    if op == ScalarOp::Identity {
        return Some(Ok(column.clone()));
    }
    match column {
        Column::Ints(numbers) => on_ints(op, numbers),
        Column::Pairs(pairs) => on_pairs(op, pairs),
        Column::Bools(truths) if op == ScalarOp::Flip => Some(Ok(Column::Bools(truths.iter().map(|b| !b).collect()))),
        Column::Twos(sides) => match op {
            ScalarOp::First => Some(Ok(sides[0].clone())),
            ScalarOp::Last => Some(Ok(sides[1].clone())),
            _ => None,
        },
        Column::Values(values) => match op {
            ScalarOp::First => Some(pair_rows(values, false).map_or_else(|| ends(values, |value| value.item(0)), Ok)),
            ScalarOp::Last => Some(pair_rows(values, true).map_or_else(|| ends(values, last_of), Ok)),
            ScalarOp::Size => {
                values.iter().map(|value| value.count().map(|count| count as i64)).collect::<Option<_>>().map(|n| Ok(Column::Ints(n)))
            }
            _ => None,
        },
        Column::Cells(cells) => match op {
            ScalarOp::First => Some(Ok(Column::Ints(cells.iter().map(|cell| i64::from(cell.colour())).collect()))),
            ScalarOp::Last => Some(Ok(Column::Pairs(cells.iter().map(|cell| (cell.i(), cell.j())).collect()))),
            _ => None,
        },
        _ => None,
    }
}

/// A row of each value, if all are tables of two columns: pairs of locations mostly.
fn pair_rows<'c>(values: &[Value], last: bool) -> Option<Column<'c>> {
    let row = |value: &Value| {
        let Value::Grid(grid) = value else { return None };
        let cells = grid.cells();
        let from = if last { cells.len() - 2 } else { 0 };
        (grid.width() == 2).then(|| (i32::from(cells[from]), i32::from(cells[from + 1])))
    };
    values.iter().map(row).collect::<Option<_>>().map(Column::Pairs)
}

fn last_of(value: &Value) -> Option<ItemRef<'_>> {
    value.item(value.count()?.checked_sub(1)?)
}

/// An item of each value, where all of them have it.
fn ends<'c>(values: &[Value], end: impl Fn(&Value) -> Option<ItemRef<'_>>) -> Result<Column<'c>, Reason> {
    let mut items = Column::empty();
    for value in values {
        items.push(end(value).ok_or(Reason::Empty)?.into_value());
    }
    Ok(items)
}

fn on_ints<'c>(op: ScalarOp, numbers: &[i64]) -> ScalarResult<'c> {
    let checked = |f: fn(i64) -> Option<i64>| {
        let made: Option<Vec<i64>> = numbers.iter().map(|&n| f(n)).collect();
        Some(made.map(Column::Ints).ok_or(Reason::Overflow))
    };
    let test = |f: fn(i64) -> bool| Some(Ok(Column::Bools(numbers.iter().map(|&n| f(n)).collect())));
    let pair = |f: fn(i32) -> (i32, i32)| {
        let made: Option<Vec<(i32, i32)>> = numbers.iter().map(|&n| i32::try_from(n).ok().map(f)).collect();
        made.map(|pairs| Ok(Column::Pairs(pairs)))
    };
    match op {
        ScalarOp::Increment => checked(|n| n.checked_add(1)),
        ScalarOp::Decrement => checked(|n| n.checked_sub(1)),
        ScalarOp::Double => checked(|n| n.checked_mul(2)),
        ScalarOp::Halve => checked(|n| Some(n.div_euclid(2))),
        ScalarOp::Invert => checked(i64::checked_neg),
        ScalarOp::Sign => checked(|n| Some(n.signum())),
        ScalarOp::Even => test(|n| n % 2 == 0),
        ScalarOp::Positive => test(|n| n > 0),
        ScalarOp::Flip => test(|n| n == 0),
        ScalarOp::Toivec => pair(|n| (n, 0)),
        ScalarOp::Tojvec => pair(|n| (0, n)),
        _ => None,
    }
}

fn on_pairs<'c>(op: ScalarOp, pairs: &[(i32, i32)]) -> ScalarResult<'c> {
    let number = |f: fn((i32, i32)) -> i32| Some(Ok(Column::Ints(pairs.iter().map(|&pair| i64::from(f(pair))).collect())));
    let both = |f: fn(i32) -> Option<i32>| {
        let made: Option<Vec<(i32, i32)>> = pairs.iter().map(|&(a, b)| f(a).zip(f(b))).collect();
        made.map(|pairs| Ok(Column::Pairs(pairs)))
    };
    match op {
        ScalarOp::First => number(|(a, _)| a),
        ScalarOp::Last => number(|(_, b)| b),
        ScalarOp::Maximum => number(|(a, b)| a.max(b)),
        ScalarOp::Minimum => number(|(a, b)| a.min(b)),
        ScalarOp::Increment => both(|n| n.checked_add(1)),
        ScalarOp::Decrement => both(|n| n.checked_sub(1)),
        ScalarOp::Double => both(|n| n.checked_mul(2)),
        ScalarOp::Halve => both(|n| Some(n.div_euclid(2))),
        ScalarOp::Invert => both(i32::checked_neg),
        ScalarOp::Sign => both(|n| Some(n.signum())),
        _ => None,
    }
}

/// The integers that an argument is.
enum Ints<'c> {
    Many(&'c [i64]),
    One(i64),
}

/// The pairs that an argument is, or the integers as pairs of themselves.
enum Pairs<'c> {
    Many(&'c [(i32, i32)]),
    Numbers(&'c [i64]),
    One((i32, i32)),
}

impl<'c> Ints<'c> {
    fn of(arg: Arg<'_, 'c>) -> Option<Self> {
        match arg {
            Arg::Column(Column::Ints(numbers)) => Some(Ints::Many(numbers)),
            Arg::Fixed(Value::Int(n)) => Some(Ints::One(*n)),
            _ => None,
        }
    }

    #[inline]
    fn get(&self, k: usize) -> i64 {
        match self {
            Self::Many(numbers) => numbers[k],
            Self::One(n) => *n,
        }
    }
}

impl<'c> Pairs<'c> {
    fn of(arg: Arg<'_, 'c>) -> Option<Self> {
        match arg {
            Arg::Column(Column::Pairs(pairs)) => Some(Pairs::Many(pairs)),
            Arg::Column(Column::Ints(numbers)) => Some(Pairs::Numbers(numbers)),
            Arg::Fixed(Value::Pair(a, b)) => Some(Pairs::One((*a, *b))),
            Arg::Fixed(Value::Int(n)) => i32::try_from(*n).ok().map(|n| Pairs::One((n, n))),
            _ => None,
        }
    }

    #[inline]
    fn get(&self, k: usize) -> Option<(i32, i32)> {
        match self {
            Self::Many(pairs) => Some(pairs[k]),
            Self::Numbers(numbers) => i32::try_from(numbers[k]).ok().map(|n| (n, n)),
            Self::One(pair) => Some(*pair),
        }
    }
}

/// A primitive of two arguments on columns of this length.
pub(super) fn binary<'c>(op: ScalarOp, count: usize, a: Arg<'c, '_>, b: Arg<'c, '_>) -> ScalarResult<'c> {
    match op {
        ScalarOp::Add => arithmetic(count, a, b, i64::checked_add, i32::checked_add),
        ScalarOp::Subtract => arithmetic(count, a, b, i64::checked_sub, i32::checked_sub),
        ScalarOp::Multiply => arithmetic(count, a, b, i64::checked_mul, i32::checked_mul),
        ScalarOp::Greater => {
            let (a, b) = (Ints::of(a)?, Ints::of(b)?);
            Some(Ok(Column::Bools((0..count).map(|k| a.get(k) > b.get(k)).collect())))
        }
        ScalarOp::Equality => equality(count, a, b),
        ScalarOp::Both | ScalarOp::Either => {
            let (Arg::Column(Column::Bools(a)), Arg::Column(Column::Bools(b))) = (a, b) else { return None };
            let either = op == ScalarOp::Either;
            Some(Ok(Column::Bools(a.iter().zip(b).map(|(&a, &b)| if either { a || b } else { a && b }).collect())))
        }
        ScalarOp::Astuple => {
            if let Some(made) = tuples(count, a, b) {
                return Some(Ok(made));
            }
            if a.depth().max(b.depth()) >= Value::MAX_DEPTH || a.heaviest() + b.heaviest() > u64::from(Value::MAX_WEIGHT) {
                return Some(Err(Reason::TooLarge));
            }
            Some(Ok(Column::twos(a.column(count), b.column(count))))
        }
        _ => None,
    }
}

/// Pairs and cells, where the arguments are integers and pairs that they can hold.
fn tuples<'c>(count: usize, a: Arg<'_, '_>, b: Arg<'_, '_>) -> Option<Column<'c>> {
    let a = Ints::of(a)?;
    if let Some(b) = Ints::of(b) {
        let pairs: Option<Vec<_>> = (0..count).map(|k| Some((i32::try_from(a.get(k)).ok()?, i32::try_from(b.get(k)).ok()?))).collect();
        return pairs.map(Column::Pairs);
    }
    let (Arg::Column(Column::Pairs(_)) | Arg::Fixed(Value::Pair(..))) = b else { return None };
    let b = Pairs::of(b)?;
    let cell = |k: usize| b.get(k).and_then(|(i, j)| Packed::cell(a.get(k), i64::from(i), i64::from(j)));
    let cells: Option<Vec<Packed>> = (0..count).map(cell).collect();
    cells.map(|cells| Column::Cells(cells.into()))
}

fn arithmetic<'c>(
    count: usize,
    a: Arg<'_, '_>,
    b: Arg<'_, '_>,
    wide: fn(i64, i64) -> Option<i64>,
    narrow: fn(i32, i32) -> Option<i32>,
) -> ScalarResult<'c> {
    if let (Some(a), Some(b)) = (Ints::of(a), Ints::of(b)) {
        let made: Option<Vec<i64>> = (0..count).map(|k| wide(a.get(k), b.get(k))).collect();
        return Some(made.map(Column::Ints).ok_or(Reason::Overflow));
    }
    let (a, b) = (Pairs::of(a)?, Pairs::of(b)?);
    let sum = |k: usize| {
        let ((a0, a1), (b0, b1)) = (a.get(k)?, b.get(k)?);
        narrow(a0, b0).zip(narrow(a1, b1))
    };
    // A part that leaves 32 bits makes a general tuple: no loop for that.
    let made: Option<Vec<(i32, i32)>> = (0..count).map(sum).collect();
    made.map(|pairs| Ok(Column::Pairs(pairs)))
}

fn equality<'c>(count: usize, a: Arg<'_, '_>, b: Arg<'_, '_>) -> ScalarResult<'c> {
    if let (Some(a), Some(b)) = (Ints::of(a), Ints::of(b)) {
        return Some(Ok(Column::Bools((0..count).map(|k| a.get(k) == b.get(k)).collect())));
    }
    let pairs = |arg: Arg<'_, '_>| matches!(arg, Arg::Column(Column::Pairs(_)) | Arg::Fixed(Value::Pair(..)));
    if !pairs(a) || !pairs(b) {
        return None;
    }
    let (a, b) = (Pairs::of(a)?, Pairs::of(b)?);
    Some(Ok(Column::Bools((0..count).map(|k| a.get(k) == b.get(k)).collect())))
}
