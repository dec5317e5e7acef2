//! Integers, pairs of integers and truth values.

use batt_core::{Reason, Value, two_of};

use super::support::{Answer, floor_divide, int, less, list, minus, plus, subscript, times, two_ints};
use crate::machine::{Args, Machine};

/// An operation on two numbers, each an integer or a pair: two pairs are taken part by part, and an integer goes
/// with both parts of a pair.
fn numeric(m: &Machine, a: &Value, b: &Value, f: impl Fn(&Machine, &Value, &Value) -> Answer) -> Answer {
    let parts = |x: &Value| Ok::<_, Reason>((subscript(x, 0)?, subscript(x, 1)?));
    match (a.as_int(), b.as_int()) {
        (Some(_), Some(_)) => f(m, a, b),
        (None, None) => {
            let ((a0, a1), (b0, b1)) = (parts(a)?, parts(b)?);
            m.tuple(vec![f(m, &a0, &b0)?, f(m, &a1, &b1)?])
        }
        (Some(_), None) => {
            let (b0, b1) = parts(b)?;
            m.tuple(vec![f(m, a, &b0)?, f(m, a, &b1)?])
        }
        (None, Some(_)) => {
            let (a0, a1) = parts(a)?;
            m.tuple(vec![f(m, &a0, b)?, f(m, &a1, b)?])
        }
    }
}

/// Like `numeric`, for functions of integers only.
fn integers(m: &Machine, a: &Value, b: &Value, f: impl Fn(i64, i64) -> Result<i64, Reason>) -> Answer {
    numeric(m, a, b, |_, x, y| Ok(Value::Int(f(int(x)?, int(y)?)?)))
}

/// Python's `+`: two tuples are joined.
fn sum(m: &Machine, a: &Value, b: &Value) -> Answer {
    if a.is_tuple() && b.is_tuple() {
        return m.tuple([list(a)?, list(b)?].concat());
    }
    Ok(Value::Int(plus(int(a)?, int(b)?)?))
}

/// Python's `*`: a tuple is repeated.
fn scaled(m: &Machine, a: &Value, b: &Value) -> Answer {
    match (a.as_int(), b.as_int()) {
        (Some(a), Some(b)) => Ok(Value::Int(times(a, b)?)),
        (Some(n), None) if b.is_tuple() => repeated(m, b, n),
        (None, Some(n)) if a.is_tuple() => repeated(m, a, n),
        _ => Err(Reason::WrongType),
    }
}

fn repeated(m: &Machine, tuple: &Value, n: i64) -> Answer {
    let all = list(tuple)?;
    m.check_tuple((all.len() as u64).saturating_mul(n.max(0) as u64))?;
    m.tuple(std::iter::repeat_n(all, n.max(0) as usize).flatten().collect())
}

/// An operation on one number, an integer or a pair.
fn numeric1(x: &Value, f: impl Fn(i64) -> Result<i64, Reason>) -> Answer {
    if let Some(x) = x.as_int() {
        return Ok(Value::Int(f(x)?));
    }
    let (a, b) = two_ints(x)?;
    Ok(Value::pair(f(a)?, f(b)?))
}

pub(crate) fn identity(_: &mut Machine, args: Args<'_>) -> Answer {
    Ok(args[0].clone())
}

pub(crate) fn add(m: &mut Machine, args: Args<'_>) -> Answer {
    numeric(m, args[0], args[1], sum)
}

pub(crate) fn subtract(m: &mut Machine, args: Args<'_>) -> Answer {
    integers(m, args[0], args[1], minus)
}

pub(crate) fn multiply(m: &mut Machine, args: Args<'_>) -> Answer {
    numeric(m, args[0], args[1], scaled)
}

pub(crate) fn divide(m: &mut Machine, args: Args<'_>) -> Answer {
    integers(m, args[0], args[1], floor_divide)
}

pub(crate) fn invert(_: &mut Machine, args: Args<'_>) -> Answer {
    numeric1(args[0], |n| minus(0, n))
}

pub(crate) fn even(_: &mut Machine, args: Args<'_>) -> Answer {
    Ok(Value::Bool(int(args[0])? % 2 == 0))
}

pub(crate) fn double(m: &mut Machine, args: Args<'_>) -> Answer {
    let twice = |x: &Value| scaled(m, x, &Value::Int(2));
    if args[0].as_int().is_some() {
        return twice(args[0]);
    }
    m.tuple(vec![twice(&subscript(args[0], 0)?)?, twice(&subscript(args[0], 1)?)?])
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

pub(crate) fn toivec(_: &mut Machine, args: Args<'_>) -> Answer {
    Ok(two_of(args[0], &Value::Int(0)))
}

pub(crate) fn tojvec(_: &mut Machine, args: Args<'_>) -> Answer {
    Ok(two_of(&Value::Int(0), args[0]))
}

pub(crate) fn astuple(_: &mut Machine, args: Args<'_>) -> Answer {
    Ok(two_of(args[0], args[1]))
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
    // The sum is in range although the product may not be.
    m.tuple((0..len as i64).map(|k| Value::Int(start.wrapping_add(k.wrapping_mul(step)))).collect())
}

/// The second item.
pub(crate) fn second(_: &mut Machine, args: Args<'_>) -> Answer {
    if args[0].is_tuple() { subscript(args[0], 1) } else { Ok(args[0].item(1).ok_or(Reason::OutOfRange)?.into_value()) }
}
