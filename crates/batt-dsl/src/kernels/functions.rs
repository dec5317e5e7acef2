//! Calling functions on all items of a container at once, and collecting straight into the form of the result.

use std::borrow::Cow;

use batt_core::{ItemRef, Reason, SetBuilder, Value, two_of};

use super::containers::{push_all, set_from_kept};
use crate::machine::{Args, Machine};
use crate::ops::support::{Answer, extreme, sorted_positions};

/// The items of a container as values: those that are stored as such are borrowed.
fn values(container: &Value) -> Result<Cow<'_, [Value]>, Reason> {
    match container {
        Value::Set(items, _) | Value::Tuple(items, _) => Ok(Cow::Borrowed(items)),
        _ => Ok(container.items().ok_or(Reason::WrongType)?.map(ItemRef::into_value).collect()),
    }
}

pub(crate) fn apply(m: &mut Machine, args: Args<'_>) -> Answer {
    if let Value::Pair(a, b) = args[1] {
        let a = m.call(args[0], &[&Value::Int(i64::from(*a))])?;
        let b = m.call(args[0], &[&Value::Int(i64::from(*b))])?;
        return Ok(two_of(&a, &b));
    }
    let images = m.map(args[0], &values(args[1])?)?;
    m.same_kind(args[1], images)
}

/// The union of what the function gives needs no set of sets in between. Such a set would only remove equal images.
pub(crate) fn mapply(m: &mut Machine, args: Args<'_>) -> Answer {
    let images = m.map(args[0], &values(args[1])?)?;
    if !args[1].is_set() {
        let images = m.tuple(images)?;
        return super::merge(m, &[&images]);
    }
    let mut all = SetBuilder::new();
    for image in &images {
        push_all(&mut all, image).ok_or(Reason::WrongType)?;
        m.keep_small(&mut all)?;
    }
    m.finish_set(all)
}

pub(crate) fn papply(m: &mut Machine, args: Args<'_>) -> Answer {
    let images = m.map_pairs(args[0], &values(args[1])?, &values(args[2])?)?;
    m.tuple(images)
}

pub(crate) fn mpapply(m: &mut Machine, args: Args<'_>) -> Answer {
    let images = papply(m, args)?;
    super::merge(m, &[&images])
}

/// The items of a list for which the answer is true.
fn kept<T: Clone>(items: &[T], answers: &[Value]) -> Vec<T> {
    items.iter().zip(answers).filter(|(_, answer)| answer.truth()).map(|(item, _)| item.clone()).collect()
}

pub(crate) fn sfilter(m: &mut Machine, args: Args<'_>) -> Answer {
    let items = values(args[0])?;
    let answers = m.map(args[1], &items)?;
    match args[0] {
        Value::Indices(cells) => Ok(Value::indices_from_sorted(&kept(cells, &answers))),
        Value::Object(cells) => Ok(Value::object_from_sorted(&kept(cells, &answers))),
        Value::Set(..) => Ok(set_from_kept(kept(&items, &answers))),
        _ => m.tuple(kept(&items, &answers)),
    }
}

pub(crate) fn mfilter(m: &mut Machine, args: Args<'_>) -> Answer {
    let kept = sfilter(m, args)?;
    super::merge(m, &[&kept])
}

pub(crate) fn order(m: &mut Machine, args: Args<'_>) -> Answer {
    let items = values(args[0])?;
    let keys = m.map(args[1], &items)?;
    let places = sorted_positions(&keys, false)?;
    m.tuple(places.into_iter().map(|k| items[k].clone()).collect())
}

fn extreme_item(m: &mut Machine, args: Args<'_>, largest: bool) -> Answer {
    let items = values(args[0])?;
    let keys = m.map(args[1], &items)?;
    let best = extreme(&keys, largest)?;
    Ok(items[best].clone())
}

pub(crate) fn argmax(m: &mut Machine, args: Args<'_>) -> Answer {
    extreme_item(m, args, true)
}

pub(crate) fn argmin(m: &mut Machine, args: Args<'_>) -> Answer {
    extreme_item(m, args, false)
}

fn extreme_key(m: &mut Machine, args: Args<'_>, largest: bool) -> Answer {
    let items = values(args[0])?;
    if items.is_empty() {
        return m.call(args[1], &[&Value::Int(0)]);
    }
    let mut keys = m.map(args[1], &items)?;
    let best = extreme(&keys, largest)?;
    Ok(keys.swap_remove(best))
}

pub(crate) fn valmax(m: &mut Machine, args: Args<'_>) -> Answer {
    extreme_key(m, args, true)
}

pub(crate) fn valmin(m: &mut Machine, args: Args<'_>) -> Answer {
    extreme_key(m, args, false)
}

pub(crate) fn prapply(m: &mut Machine, args: Args<'_>) -> Answer {
    let (a, b) = (values(args[1])?, values(args[2])?);
    m.check_set(a.len() as u64 * b.len() as u64)?;
    let mut images = SetBuilder::new();
    let mut right = Vec::new();
    for y in &*b {
        right.clear();
        right.resize(a.len(), y.clone());
        images.extend(m.map_pairs(args[0], &a, &right)?);
    }
    m.finish_set(images)
}
