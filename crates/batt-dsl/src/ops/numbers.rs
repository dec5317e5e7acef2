//! Integers, pairs of integers and truth values.

use batt_core::{Reason, Value};

use super::support::{Answer, floor_divide, int, less, minus, plus, subscript, times, two_ints};
use crate::machine::{Args, Machine};

/// An operation on two numbers, each an integer or a pair.
fn numeric(a: &Value, b: &Value, f: impl Fn(i64, i64) -> Result<i64, Reason>) -> Answer {
    match (a.as_int(), b.as_int()) {
        (Some(a), Some(b)) => Ok(Value::Int(f(a, b)?)),
        (None, None) => {
            let ((a0, a1), (b0, b1)) = (two_ints(a)?, two_ints(b)?);
            Ok(Value::pair(f(a0, b0)?, f(a1, b1)?))
        }
        (Some(a), None) => {
            let (b0, b1) = two_ints(b)?;
            Ok(Value::pair(f(a, b0)?, f(a, b1)?))
        }
        (None, Some(b)) => {
            let (a0, a1) = two_ints(a)?;
            Ok(Value::pair(f(a0, b)?, f(a1, b)?))
        }
    }
}

/// An operation on one number, an integer or a pair.
fn numeric1(x: &Value, f: impl Fn(i64) -> Result<i64, Reason>) -> Answer {
    match x.as_int() {
        Some(x) => Ok(Value::Int(f(x)?)),
        None => {
            let (a, b) = two_ints(x)?;
            Ok(Value::pair(f(a)?, f(b)?))
        }
    }
}

pub(crate) fn identity(_: &mut Machine, args: Args<'_>) -> Answer {
    Ok(args[0].clone())
}

pub(crate) fn add(_: &mut Machine, args: Args<'_>) -> Answer {
    numeric(args[0], args[1], plus)
}

pub(crate) fn subtract(_: &mut Machine, args: Args<'_>) -> Answer {
    numeric(args[0], args[1], minus)
}

pub(crate) fn multiply(_: &mut Machine, args: Args<'_>) -> Answer {
    numeric(args[0], args[1], times)
}

pub(crate) fn divide(_: &mut Machine, args: Args<'_>) -> Answer {
    numeric(args[0], args[1], floor_divide)
}

pub(crate) fn invert(_: &mut Machine, args: Args<'_>) -> Answer {
    numeric1(args[0], |n| minus(0, n))
}

pub(crate) fn even(_: &mut Machine, args: Args<'_>) -> Answer {
    Ok(Value::Bool(int(args[0])? % 2 == 0))
}

pub(crate) fn double(_: &mut Machine, args: Args<'_>) -> Answer {
    numeric1(args[0], |n| times(n, 2))
}

pub(crate) fn halve(_: &mut Machine, args: Args<'_>) -> Answer {
    numeric1(args[0], |n| floor_divide(n, 2))
}

pub(crate) fn flip(_: &mut Machine, args: Args<'_>) -> Answer {
    Ok(Value::Bool(!args[0].truth()))
}

pub(crate) fn equality(_: &mut Machine, args: Args<'_>) -> Answer {
    Ok(Value::Bool(args[0] == args[1]))
}

pub(crate) fn greater(_: &mut Machine, args: Args<'_>) -> Answer {
    Ok(Value::Bool(less(args[1], args[0])?))
}

pub(crate) fn both(_: &mut Machine, args: Args<'_>) -> Answer {
    Ok(if args[0].truth() { args[1] } else { args[0] }.clone())
}

pub(crate) fn either(_: &mut Machine, args: Args<'_>) -> Answer {
    Ok(if args[0].truth() { args[0] } else { args[1] }.clone())
}

pub(crate) fn increment(_: &mut Machine, args: Args<'_>) -> Answer {
    numeric1(args[0], |n| plus(n, 1))
}

pub(crate) fn decrement(_: &mut Machine, args: Args<'_>) -> Answer {
    numeric1(args[0], |n| minus(n, 1))
}

pub(crate) fn crement(_: &mut Machine, args: Args<'_>) -> Answer {
    numeric1(args[0], |n| plus(n, n.signum()))
}

pub(crate) fn sign(_: &mut Machine, args: Args<'_>) -> Answer {
    numeric1(args[0], |n| Ok(n.signum()))
}

pub(crate) fn positive(_: &mut Machine, args: Args<'_>) -> Answer {
    Ok(Value::Bool(int(args[0])? > 0))
}

pub(crate) fn toivec(m: &mut Machine, args: Args<'_>) -> Answer {
    m.tuple(vec![args[0].clone(), Value::Int(0)])
}

pub(crate) fn tojvec(m: &mut Machine, args: Args<'_>) -> Answer {
    m.tuple(vec![Value::Int(0), args[0].clone()])
}

pub(crate) fn astuple(m: &mut Machine, args: Args<'_>) -> Answer {
    m.tuple(vec![args[0].clone(), args[1].clone()])
}

pub(crate) fn branch(_: &mut Machine, args: Args<'_>) -> Answer {
    Ok(if args[0].truth() { args[1] } else { args[2] }.clone())
}

pub(crate) fn interval(m: &mut Machine, args: Args<'_>) -> Answer {
    let (start, stop, step) = (int(args[0])?, int(args[1])?, int(args[2])?);
    if step == 0 {
        return Err(Reason::DivisionByZero);
    }
    let distance = i128::from(stop) - i128::from(start);
    let step_wide = i128::from(step);
    let len = if (distance > 0) == (step > 0) { (distance.abs() + step_wide.abs() - 1) / step_wide.abs() } else { 0 };
    m.check_tuple(u64::try_from(len).map_err(|_| Reason::TooLarge)?)?;
    m.tuple((0..len as i64).map(|k| Value::Int(start + k * step)).collect())
}

/// The second item.
pub(crate) fn second(_: &mut Machine, args: Args<'_>) -> Answer {
    if args[0].is_tuple() { subscript(args[0], 1) } else { Ok(args[0].item(1).ok_or(Reason::OutOfRange)?.into_value()) }
}
