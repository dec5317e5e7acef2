//! Functions that make functions, and functions that call them on the items of containers.

use std::ops::Not;
use std::sync::Arc;

use batt_core::{Closure, Maker, Reason, SetBuilder, Value};

use super::containers::{merge, zipped};
use super::support::{Answer, call1, count, extreme, int, items, sorted_positions};
use crate::machine::{Args, Machine};
use crate::order::{InOrder, OrderMark};

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

fn bound(maker: Maker, args: Args<'_>) -> Answer {
    closure(maker, maker.arity(|| Machine::arity(args[0])).ok_or(Reason::NotCallable)?, args)
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
    let pairs = zipped(m, args[1], args[2])?;
    let images = pairs.map(|(x, y)| m.call(args[0], &[&x, &y])).collect::<Result<_, _>>()?;
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
    let mut all = m.in_order(args[0])?;
    while let Some(item) = all.next() {
        if call1(m, args[1], &item)?.truth() {
            if args[0].is_set() {
                note_another(m, args[1], all);
            }
            return Ok(item.into_value());
        }
    }
    Err(Reason::NoMatch)
}

/// Notes that the order of a set matters if one of the other items satisfies the condition too, or has no answer. It costs nothing.
fn note_another(m: &mut Machine, condition: &Value, mut others: InOrder<'_>) {
    if !m.set_order.looks_further {
        m.note(if others.next().is_some() { OrderMark::Unsure } else { OrderMark::Free });
        return;
    }
    let before = m.before();
    let another = others.any(|item| call1(m, condition, &item).is_ok_and(|value| !value.truth()).not());
    m.take_back(before);
    m.note(if another { OrderMark::Dependent } else { OrderMark::Free });
}

/// The items of a container and what a function gives for each, in the order of sets.
pub(crate) fn keyed(m: &mut Machine, container: &Value, function: &Value) -> Result<(Vec<Value>, Vec<Value>), Reason> {
    let all = m.list_in_order(container)?;
    let keys = all.iter().map(|item| call1(m, function, item)).collect::<Result<_, _>>()?;
    Ok((all, keys))
}

pub(crate) fn order(m: &mut Machine, args: Args<'_>) -> Answer {
    let (all, keys) = keyed(m, args[0], args[1])?;
    let places = sorted_positions(&keys, false)?;
    m.note_ties(args[0], &keys, &places);
    m.tuple(places.into_iter().map(|k| all[k].clone()).collect())
}

/// The item with the largest or smallest key.
fn extreme_by(m: &mut Machine, container: &Value, function: &Value, largest: bool) -> Answer {
    let (all, keys) = keyed(m, container, function)?;
    let best = extreme(&keys, largest)?;
    if container.is_set() && keys[best + 1..].contains(&keys[best]) {
        m.order_matters();
    }
    m.note_odd_keys(container, &keys);
    Ok(all[best].clone())
}

/// The largest or smallest key; of an empty container the function's value at zero.
fn extreme_key(m: &mut Machine, container: &Value, function: &Value, largest: bool) -> Answer {
    if count(container)? == 0 {
        return call1(m, function, &Value::Int(0));
    }
    let keys = map(m, function, container)?;
    m.note_odd_keys(container, &keys);
    Ok(keys[extreme(&keys, largest)?].clone())
}

pub(crate) fn argmax(m: &mut Machine, args: Args<'_>) -> Answer {
    extreme_by(m, args[0], args[1], true)
}

pub(crate) fn argmin(m: &mut Machine, args: Args<'_>) -> Answer {
    extreme_by(m, args[0], args[1], false)
}

pub(crate) fn valmax(m: &mut Machine, args: Args<'_>) -> Answer {
    extreme_key(m, args[0], args[1], true)
}

pub(crate) fn valmin(m: &mut Machine, args: Args<'_>) -> Answer {
    extreme_key(m, args[0], args[1], false)
}
