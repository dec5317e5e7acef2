//! Calling functions on all items of a container at once, and collecting straight into the form of the result.

use batt_core::{ItemRef, Reason, SetBuilder, Value, tuple_of, two_of};

use super::containers::{push_all, set_from_kept};
use crate::batch::Column;
use crate::machine::{Args, Machine};
use crate::ops::support::{Answer, sorted_positions};

/// A column as a tuple or set, whichever `like` is.
fn collected(m: &Machine, like: &Value, images: Column<'_>) -> Answer {
    if like.is_set() {
        return m.finish_set(images.into_set());
    }
    m.tuple(images.into_values())
}

pub(crate) fn apply(m: &mut Machine, args: Args<'_>) -> Answer {
    if let Value::Pair(a, b) = args[1] {
        let a = m.call(args[0], &[&Value::Int(i64::from(*a))])?;
        let b = m.call(args[0], &[&Value::Int(i64::from(*b))])?;
        return Ok(two_of(&a, &b));
    }
    let images = m.map(args[0], args[1])?;
    collected(m, args[1], images)
}

/// The union of what the function gives needs no set of sets in between. Such a set would only remove equal images.
pub(crate) fn mapply(m: &mut Machine, args: Args<'_>) -> Answer {
    let images = m.map(args[0], args[1])?;
    if !args[1].is_set() {
        let images = m.tuple(images.into_values())?;
        return super::merge(m, &[&images]);
    }
    let mut all = SetBuilder::new();
    for image in images.into_values() {
        push_all(&mut all, &image).ok_or(Reason::WrongType)?;
        m.keep_small(&mut all)?;
    }
    m.finish_set(all)
}

pub(crate) fn papply(m: &mut Machine, args: Args<'_>) -> Answer {
    m.order_matters_in(args[1]);
    m.order_matters_in(args[2]);
    let images = m.map_pairs(args[0], args[1], args[2])?;
    m.tuple(images.into_values())
}

pub(crate) fn mpapply(m: &mut Machine, args: Args<'_>) -> Answer {
    let images = papply(m, args)?;
    super::merge(m, &[&images])
}

pub(crate) fn prapply(m: &mut Machine, args: Args<'_>) -> Answer {
    let (Some(a), Some(b)) = (args[1].count(), args[2].items()) else { return Err(Reason::WrongType) };
    m.check_set(a as u64 * b.len() as u64)?;
    let mut images = Column::empty();
    for y in b {
        images.append(m.map_with(args[0], args[1], &y)?);
    }
    m.finish_set(images.into_set())
}

/// The items of a list that are to stay.
fn kept<T: Clone>(items: &[T], stay: &[bool]) -> Vec<T> {
    items.iter().zip(stay).filter(|(_, stay)| **stay).map(|(item, _)| item.clone()).collect()
}

pub(crate) fn sfilter(m: &mut Machine, args: Args<'_>) -> Answer {
    let answers = m.map(args[1], args[0])?;
    let stay = answers.truths();
    match args[0] {
        Value::Indices(cells) => Ok(Value::indices_from_sorted(&kept(cells, &stay))),
        Value::Object(cells) => Ok(Value::object_from_sorted(&kept(cells, &stay))),
        Value::Set(items, _) => Ok(set_from_kept(kept(items, &stay))),
        Value::Tuple(items, _) => Ok(tuple_of(kept(items, &stay))),
        other => {
            let items = other.items().ok_or(Reason::WrongType)?;
            m.tuple(items.zip(&*stay).filter(|(_, stay)| **stay).map(|(item, _)| item.into_value()).collect())
        }
    }
}

pub(crate) fn mfilter(m: &mut Machine, args: Args<'_>) -> Answer {
    let kept = sfilter(m, args)?;
    super::merge(m, &[&kept])
}

pub(crate) fn order(m: &mut Machine, args: Args<'_>) -> Answer {
    let keys = m.map(args[1], args[0])?.into_values();
    let places = sorted_positions(&keys, false)?;
    m.note_ties(args[0], &keys, &places);
    m.tuple(places.into_iter().filter_map(|k| args[0].item(k)).map(ItemRef::into_value).collect())
}

fn extreme_item(m: &mut Machine, args: Args<'_>, largest: bool) -> Answer {
    let keys = m.map(args[1], args[0])?;
    m.extreme_item(args[0], &keys, 0..keys.len(), largest)
}

pub(crate) fn argmax(m: &mut Machine, args: Args<'_>) -> Answer {
    extreme_item(m, args, true)
}

pub(crate) fn argmin(m: &mut Machine, args: Args<'_>) -> Answer {
    extreme_item(m, args, false)
}

fn extreme_key(m: &mut Machine, args: Args<'_>, largest: bool) -> Answer {
    if args[0].count() == Some(0) {
        return m.call(args[1], &[&Value::Int(0)]);
    }
    let keys = m.map(args[1], args[0])?;
    m.extreme_key(args[0], &keys, 0..keys.len(), largest)
}

pub(crate) fn valmax(m: &mut Machine, args: Args<'_>) -> Answer {
    extreme_key(m, args, true)
}

pub(crate) fn valmin(m: &mut Machine, args: Args<'_>) -> Answer {
    extreme_key(m, args, false)
}
