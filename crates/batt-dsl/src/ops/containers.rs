//! Tuples and sets of anything.

use std::collections::BTreeSet;

use batt_core::{ItemRef, Reason, SetBuilder, Value, two_of};

use super::support::{Answer, count, extreme, int, items, list, unpack_two};
use crate::machine::{Args, Machine};

pub(crate) fn contained(_: &mut Machine, args: Args<'_>) -> Answer {
    Ok(Value::Bool(items(args[1])?.any(|item| *item == *args[0])))
}

pub(crate) fn combine(m: &mut Machine, args: Args<'_>) -> Answer {
    let mut all = list(args[0])?;
    if !args[0].is_set() {
        m.order_matters_in(args[1]);
    }
    all.extend(m.in_order(args[1])?.map(ItemRef::into_value));
    m.same_kind(args[0], all)
}

pub(crate) fn intersection(m: &mut Machine, args: Args<'_>) -> Answer {
    if !args[0].is_set() || !args[1].is_set() {
        return Err(Reason::WrongType);
    }
    let members = members(args[1])?;
    let common = items(args[0])?.filter(|x| members.contains(&**x)).map(ItemRef::into_value).collect();
    m.set(common)
}

pub(crate) fn difference(m: &mut Machine, args: Args<'_>) -> Answer {
    let members = members(args[1])?;
    let kept = items(args[0])?.filter(|x| !members.contains(&**x)).map(ItemRef::into_value).collect();
    m.same_kind(args[0], kept)
}

/// The items of a container, to look others up in.
fn members(container: &Value) -> Result<BTreeSet<Value>, Reason> {
    Ok(items(container)?.map(ItemRef::into_value).collect())
}

pub(crate) fn dedupe(m: &mut Machine, args: Args<'_>) -> Answer {
    let all = list(args[0])?;
    if args[0].is_set() && !all.is_empty() {
        return Err(Reason::WrongType);
    }
    let mut seen = BTreeSet::new();
    let kept = all.iter().filter(|item| seen.insert((*item).clone())).cloned().collect();
    m.tuple(kept)
}

pub(crate) fn repeat(m: &mut Machine, args: Args<'_>) -> Answer {
    let len = int(args[1])?.max(0);
    m.check_tuple(len as u64)?;
    m.tuple(vec![args[0].clone(); len as usize])
}

pub(crate) fn size(_: &mut Machine, args: Args<'_>) -> Answer {
    Ok(Value::Int(count(args[0])? as i64))
}

pub(crate) fn merge(m: &mut Machine, args: Args<'_>) -> Answer {
    if args[0].is_set() {
        let mut builder = SetBuilder::new();
        for container in items(args[0])? {
            builder.extend(items(&container)?.map(ItemRef::into_value));
            m.keep_small(&mut builder)?;
        }
        return m.finish_set(builder);
    }
    let mut all = Vec::new();
    for container in items(args[0])? {
        m.check_tuple((all.len() + count(&container)?) as u64)?;
        m.order_matters_in(&container);
        all.extend(m.in_order(&container)?.map(ItemRef::into_value));
    }
    m.tuple(all)
}

/// The largest or smallest item; zero for an empty container.
fn extreme_item(m: &mut Machine, container: &Value, largest: bool) -> Answer {
    let all = list(container)?;
    m.note_odd_keys(container, &all);
    if all.is_empty() {
        return Ok(Value::Int(0));
    }
    let best = extreme(&all, largest)?;
    Ok(all[best].clone())
}

pub(crate) fn maximum(m: &mut Machine, args: Args<'_>) -> Answer {
    extreme_item(m, args[0], true)
}

pub(crate) fn minimum(m: &mut Machine, args: Args<'_>) -> Answer {
    extreme_item(m, args[0], false)
}

/// The distinct items of a tuple in canonical order, with how often each occurs.
pub(crate) fn tally(all: Vec<Value>) -> Vec<(Value, usize)> {
    let mut counts = std::collections::BTreeMap::new();
    for item in all {
        *counts.entry(item).or_insert(0usize) += 1;
    }
    counts.into_iter().collect()
}

/// The item with the highest or lowest count; of several the first in the order of sets, since Python counts the members of a set.
pub(crate) fn by_count(m: &mut Machine, mut counts: Vec<(Value, usize)>, most: bool) -> Answer {
    let key = |count: usize| if most { usize::MAX - count } else { count };
    m.reorder(&mut counts, |(item, _)| item);
    let best = counts.iter().map(|&(_, count)| key(count)).min().ok_or(Reason::Empty)?;
    let mut winners = counts.into_iter().filter(|&(_, count)| key(count) == best).map(|(item, _)| item);
    let first = winners.next().ok_or(Reason::Empty)?;
    if winners.next().is_some() {
        m.order_matters();
    }
    Ok(first)
}

fn common(m: &mut Machine, container: &Value, most: bool) -> Answer {
    if !container.is_tuple() {
        return Err(Reason::WrongType);
    }
    by_count(m, tally(list(container)?), most)
}

pub(crate) fn mostcommon(m: &mut Machine, args: Args<'_>) -> Answer {
    common(m, args[0], true)
}

pub(crate) fn leastcommon(m: &mut Machine, args: Args<'_>) -> Answer {
    common(m, args[0], false)
}

pub(crate) fn mostcommon_f(m: &mut Machine, args: Args<'_>) -> Answer {
    by_count(m, tally(list(args[0])?), true)
}

pub(crate) fn leastcommon_f(m: &mut Machine, args: Args<'_>) -> Answer {
    by_count(m, tally(list(args[0])?), false)
}

pub(crate) fn initset(m: &mut Machine, args: Args<'_>) -> Answer {
    m.set(vec![args[0].clone()])
}

pub(crate) fn totuple(m: &mut Machine, args: Args<'_>) -> Answer {
    m.order_matters_in(args[0]);
    m.tuple(m.list_in_order(args[0])?)
}

pub(crate) fn first(m: &mut Machine, args: Args<'_>) -> Answer {
    m.order_matters_in(args[0]);
    m.in_order(args[0])?.next().map(ItemRef::into_value).ok_or(Reason::Empty)
}

pub(crate) fn last(m: &mut Machine, args: Args<'_>) -> Answer {
    m.order_matters_in(args[0]);
    m.in_order(args[0])?.next_back().map(ItemRef::into_value).ok_or(Reason::Empty)
}

pub(crate) fn insert(m: &mut Machine, args: Args<'_>) -> Answer {
    if !args[1].is_set() {
        return Err(Reason::WrongType);
    }
    let mut all = list(args[1])?;
    all.push(args[0].clone());
    m.set(all)
}

pub(crate) fn remove(m: &mut Machine, args: Args<'_>) -> Answer {
    let kept = items(args[1])?.filter(|item| **item != *args[0]).map(ItemRef::into_value).collect();
    m.same_kind(args[1], kept)
}

pub(crate) fn other(m: &mut Machine, args: Args<'_>) -> Answer {
    let mut others = m.in_order(args[0])?.filter(|item| **item != *args[1]);
    let first = others.next().ok_or(Reason::Empty)?.into_value();
    if args[0].is_set() && others.next().is_some() {
        m.order_matters();
    }
    Ok(first)
}

pub(crate) fn product(m: &mut Machine, args: Args<'_>) -> Answer {
    let (a, b) = (list(args[0])?, list(args[1])?);
    m.check_set(a.len() as u64 * b.len() as u64)?;
    let mut builder = SetBuilder::new();
    for x in &a {
        for y in &b {
            builder.push(two_of(x, y));
        }
    }
    Ok(builder.finish())
}

pub(crate) fn pair(m: &mut Machine, args: Args<'_>) -> Answer {
    let pairs = zipped(m, args[0], args[1])?.map(|(x, y)| two_of(&x, &y)).collect();
    m.tuple(pairs)
}

/// Items of two containers, one by one, as far as both go.
pub(crate) fn zipped<'v>(
    m: &mut Machine,
    a: &'v Value,
    b: &'v Value,
) -> Result<impl Iterator<Item = (ItemRef<'v>, ItemRef<'v>)> + use<'v>, Reason> {
    m.order_matters_in(a);
    m.order_matters_in(b);
    Ok(m.in_order(a)?.zip(m.in_order(b)?))
}

pub(crate) fn sizefilter(m: &mut Machine, args: Args<'_>) -> Answer {
    let kept = of_size(args[0], args[1])?;
    m.set(kept)
}

pub(crate) fn sizefilter_t(m: &mut Machine, args: Args<'_>) -> Answer {
    let kept = of_size(args[0], args[1])?;
    m.tuple(kept)
}

fn of_size(container: &Value, n: &Value) -> Result<Vec<Value>, Reason> {
    let mut kept = Vec::new();
    for item in items(container)? {
        if Value::Int(count(&item)? as i64) == *n {
            kept.push(item.into_value());
        }
    }
    Ok(kept)
}

/// `difference` tells tuples from sets by itself.
pub(crate) fn difference_tuple(m: &mut Machine, args: Args<'_>) -> Answer {
    difference(m, args)
}

/// The pairs whose two grids differ.
pub(crate) fn dedupe_pair_tuple(m: &mut Machine, args: Args<'_>) -> Answer {
    if !args[0].is_tuple() {
        return Err(Reason::WrongType);
    }
    let mut kept = Vec::new();
    for item in items(args[0])? {
        let (a, b) = unpack_two(&item)?;
        if a != b {
            kept.push(item.into_value());
        }
    }
    m.tuple(kept)
}
