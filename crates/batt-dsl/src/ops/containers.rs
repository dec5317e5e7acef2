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
    all.extend(list(args[1])?);
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
        all.extend(items(&container)?.map(ItemRef::into_value));
    }
    m.tuple(all)
}

/// The largest or smallest item; zero for an empty container.
fn extreme_item(container: &Value, largest: bool) -> Answer {
    let all = list(container)?;
    if all.is_empty() {
        return Ok(Value::Int(0));
    }
    let best = extreme(&all, largest)?;
    Ok(all[best].clone())
}

pub(crate) fn maximum(_: &mut Machine, args: Args<'_>) -> Answer {
    extreme_item(args[0], true)
}

pub(crate) fn minimum(_: &mut Machine, args: Args<'_>) -> Answer {
    extreme_item(args[0], false)
}

/// The distinct items of a tuple in canonical order, with how often each occurs.
pub(crate) fn tally(all: Vec<Value>) -> Vec<(Value, usize)> {
    let mut counts = std::collections::BTreeMap::new();
    for item in all {
        *counts.entry(item).or_insert(0usize) += 1;
    }
    counts.into_iter().collect()
}

/// The item with the highest or lowest count; of several the first in canonical order.
pub(crate) fn by_count(counts: Vec<(Value, usize)>, most: bool) -> Answer {
    let key = |count: usize| if most { usize::MAX - count } else { count };
    // `min_by_key` returns the first of equal ones.
    counts.into_iter().min_by_key(|&(_, count)| key(count)).map(|(item, _)| item).ok_or(Reason::Empty)
}

fn common(container: &Value, most: bool) -> Answer {
    if !container.is_tuple() {
        return Err(Reason::WrongType);
    }
    by_count(tally(list(container)?), most)
}

pub(crate) fn mostcommon(_: &mut Machine, args: Args<'_>) -> Answer {
    common(args[0], true)
}

pub(crate) fn leastcommon(_: &mut Machine, args: Args<'_>) -> Answer {
    common(args[0], false)
}

/// The lowest item of a set: each occurs once, so all are equally common.
fn lowest(container: &Value) -> Answer {
    if !container.is_set() {
        return Err(Reason::WrongType);
    }
    Ok(container.item(0).ok_or(Reason::Empty)?.into_value())
}

pub(crate) fn mostcommon_f(_: &mut Machine, args: Args<'_>) -> Answer {
    lowest(args[0])
}

pub(crate) fn leastcommon_f(_: &mut Machine, args: Args<'_>) -> Answer {
    lowest(args[0])
}

pub(crate) fn initset(m: &mut Machine, args: Args<'_>) -> Answer {
    m.set(vec![args[0].clone()])
}

pub(crate) fn totuple(m: &mut Machine, args: Args<'_>) -> Answer {
    m.tuple(list(args[0])?)
}

pub(crate) fn first(_: &mut Machine, args: Args<'_>) -> Answer {
    count(args[0])?;
    Ok(args[0].item(0).ok_or(Reason::Empty)?.into_value())
}

pub(crate) fn last(_: &mut Machine, args: Args<'_>) -> Answer {
    let end = count(args[0])?.checked_sub(1).ok_or(Reason::Empty)?;
    Ok(args[0].item(end).ok_or(Reason::Empty)?.into_value())
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

pub(crate) fn other(_: &mut Machine, args: Args<'_>) -> Answer {
    let found = items(args[0])?.find(|item| **item != *args[1]);
    Ok(found.ok_or(Reason::Empty)?.into_value())
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
    let zipped = items(args[0])?.zip(items(args[1])?).map(|(x, y)| two_of(&x, &y));
    m.tuple(zipped.collect())
}

pub(crate) fn sizefilter(m: &mut Machine, args: Args<'_>) -> Answer {
    let kept = of_size(args[0], args[1])?;
    m.set(kept)
}

pub(crate) fn sizefilter_t(m: &mut Machine, args: Args<'_>) -> Answer {
    if !args[0].is_tuple() {
        return Err(Reason::WrongType);
    }
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

/// `a` without the items of `b`, for two tuples.
pub(crate) fn difference_tuple(m: &mut Machine, args: Args<'_>) -> Answer {
    if !args[0].is_tuple() || !args[1].is_tuple() {
        return Err(Reason::WrongType);
    }
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
