//! Functions that make functions, and functions that call them on the items of containers.

use std::sync::Arc;

use batt_core::{Closure, ItemRef, Maker, Reason, SetBuilder, Value};

use super::containers::merge;
use super::support::{Answer, call1, count, extreme, int, items, list, sorted_positions};
use crate::machine::{Args, Machine};

fn closure(maker: Maker, arity: u8, args: Args<'_>) -> Answer {
    let parts = args.iter().map(|&part| part.clone()).collect();
    Closure::new(maker, arity, parts).map(|made| Value::Closure(Arc::new(made))).ok_or(Reason::TooDeep)
}

pub(crate) fn compose(_: &mut Machine, args: Args<'_>) -> Answer {
    closure(Maker::Compose, 1, args)
}

pub(crate) fn chain(_: &mut Machine, args: Args<'_>) -> Answer {
    closure(Maker::Chain, 1, args)
}

pub(crate) fn matcher(_: &mut Machine, args: Args<'_>) -> Answer {
    closure(Maker::Matcher, 1, args)
}

/// The arity of a function with one argument fixed. The reference looks for two and three parameters and
/// takes everything else for four.
pub(crate) fn bound_arity(arity: u8) -> u8 {
    match arity {
        2 => 1,
        3 => 2,
        _ => 3,
    }
}

fn bound(maker: Maker, args: Args<'_>) -> Answer {
    closure(maker, bound_arity(Machine::arity(args[0]).ok_or(Reason::NotCallable)?), args)
}

pub(crate) fn rbind(_: &mut Machine, args: Args<'_>) -> Answer {
    bound(Maker::Rbind, args)
}

pub(crate) fn lbind(_: &mut Machine, args: Args<'_>) -> Answer {
    bound(Maker::Lbind, args)
}

pub(crate) fn power(_: &mut Machine, args: Args<'_>) -> Answer {
    match int(args[1])? {
        1 => Ok(args[0].clone()),
        n if n > 1 => closure(Maker::Power, 1, &[args[0], &Value::Int(n)]),
        _ => Err(Reason::OutOfRange),
    }
}

pub(crate) fn fork(_: &mut Machine, args: Args<'_>) -> Answer {
    closure(Maker::Fork, 1, args)
}

fn map(m: &mut Machine, function: &Value, container: &Value) -> Result<Vec<Value>, Reason> {
    items(container)?.map(|item| call1(m, function, &item)).collect()
}

pub(crate) fn apply(m: &mut Machine, args: Args<'_>) -> Answer {
    let images = map(m, args[0], args[1])?;
    m.same_kind(args[1], images)
}

pub(crate) fn rapply(m: &mut Machine, args: Args<'_>) -> Answer {
    let images = items(args[0])?.map(|function| call1(m, &function, args[1])).collect::<Result<_, _>>()?;
    m.same_kind(args[0], images)
}

pub(crate) fn mapply(m: &mut Machine, args: Args<'_>) -> Answer {
    let applied = apply(m, args)?;
    merge(m, &[&applied])
}

pub(crate) fn papply(m: &mut Machine, args: Args<'_>) -> Answer {
    let images = items(args[1])?.zip(items(args[2])?).map(|(x, y)| m.call(args[0], &[&x, &y])).collect::<Result<_, _>>()?;
    m.tuple(images)
}

pub(crate) fn mpapply(m: &mut Machine, args: Args<'_>) -> Answer {
    let applied = papply(m, args)?;
    merge(m, &[&applied])
}

pub(crate) fn prapply(m: &mut Machine, args: Args<'_>) -> Answer {
    m.check_set(count(args[1])? as u64 * count(args[2])? as u64)?;
    let mut images = SetBuilder::new();
    for y in items(args[2])? {
        for x in items(args[1])? {
            images.push(m.call(args[0], &[&x, &y])?);
        }
    }
    Ok(images.finish())
}

fn filtered(m: &mut Machine, container: &Value, condition: &Value) -> Answer {
    let mut kept = Vec::new();
    for item in items(container)? {
        if call1(m, condition, &item)?.truth() {
            kept.push(item.into_value());
        }
    }
    m.same_kind(container, kept)
}

pub(crate) fn sfilter(m: &mut Machine, args: Args<'_>) -> Answer {
    filtered(m, args[0], args[1])
}

pub(crate) fn mfilter(m: &mut Machine, args: Args<'_>) -> Answer {
    let kept = filtered(m, args[0], args[1])?;
    merge(m, &[&kept])
}

pub(crate) fn extract(m: &mut Machine, args: Args<'_>) -> Answer {
    for item in items(args[0])? {
        if call1(m, args[1], &item)?.truth() {
            return Ok(item.into_value());
        }
    }
    Err(Reason::NoMatch)
}

pub(crate) fn order(m: &mut Machine, args: Args<'_>) -> Answer {
    let all = list(args[0])?;
    let keys = map(m, args[1], args[0])?;
    m.tuple(sorted_positions(&keys, false)?.into_iter().map(|k| all[k].clone()).collect())
}

/// The item with the largest or smallest key, and that key.
fn extreme_by(m: &mut Machine, container: &Value, function: &Value, largest: bool) -> Result<(Value, Value), Reason> {
    let keys = map(m, function, container)?;
    let best = extreme(&keys, largest)?;
    let item = container.item(best).map(ItemRef::into_value).ok_or(Reason::Empty)?;
    Ok((item, keys[best].clone()))
}

/// The largest or smallest key; of an empty container the function's value at zero.
fn extreme_key(m: &mut Machine, container: &Value, function: &Value, largest: bool) -> Answer {
    if count(container)? == 0 {
        return call1(m, function, &Value::Int(0));
    }
    Ok(extreme_by(m, container, function, largest)?.1)
}

pub(crate) fn argmax(m: &mut Machine, args: Args<'_>) -> Answer {
    Ok(extreme_by(m, args[0], args[1], true)?.0)
}

pub(crate) fn argmin(m: &mut Machine, args: Args<'_>) -> Answer {
    Ok(extreme_by(m, args[0], args[1], false)?.0)
}

pub(crate) fn valmax(m: &mut Machine, args: Args<'_>) -> Answer {
    extreme_key(m, args[0], args[1], true)
}

pub(crate) fn valmin(m: &mut Machine, args: Args<'_>) -> Answer {
    extreme_key(m, args[0], args[1], false)
}
