//! Calling functions on the items of containers, and collecting straight into the form of the result.

use batt_core::{Packed, Reason, SetBuilder, Value};

use super::containers::{push_all, set_from_kept};
use crate::machine::{Args, Machine};
use crate::ops::{self, support::Answer};

pub(crate) fn apply(m: &mut Machine, args: Args<'_>) -> Answer {
    if !args[1].is_set() {
        return ops::apply(m, args);
    }
    let mut images = SetBuilder::new();
    for item in args[1].items().ok_or(Reason::WrongType)? {
        images.push(m.call(args[0], &[&item])?);
    }
    m.finish_set(images)
}

/// The union of what the function gives needs no set of sets in between. Such a set would only remove equal images.
pub(crate) fn mapply(m: &mut Machine, args: Args<'_>) -> Answer {
    if !args[1].is_set() {
        return ops::mapply(m, args);
    }
    let mut all = SetBuilder::new();
    let mut failure = None;
    for item in args[1].items().ok_or(Reason::WrongType)? {
        let image = m.call(args[0], &[&item])?;
        // The plain function merges after the last call: an image that is no container is found out only then.
        if push_all(&mut all, &image).is_none() {
            failure = Some(Reason::WrongType);
        }
        m.keep_small(&mut all)?;
    }
    failure.map_or_else(|| m.finish_set(all), Err)
}

fn holds(m: &mut Machine, condition: &Value, item: &Value) -> Result<bool, Reason> {
    Ok(m.call(condition, &[item])?.truth())
}

fn filter_packed(m: &mut Machine, cells: &[Packed], condition: &Value, unpack: impl Fn(Packed) -> Value) -> Result<Vec<Packed>, Reason> {
    let mut kept = Vec::with_capacity(cells.len());
    for &cell in cells {
        if holds(m, condition, &unpack(cell))? {
            kept.push(cell);
        }
    }
    Ok(kept)
}

pub(crate) fn sfilter(m: &mut Machine, args: Args<'_>) -> Answer {
    match args[0] {
        Value::Indices(cells) => {
            let kept = filter_packed(m, cells, args[1], |p| Value::Pair(p.i(), p.j()))?;
            Ok(Value::indices_from_sorted(&kept))
        }
        Value::Object(cells) => Ok(Value::object_from_sorted(&filter_packed(m, cells, args[1], Value::Cell)?)),
        Value::Set(items, _) => {
            let mut kept = Vec::new();
            for item in &**items {
                if holds(m, args[1], item)? {
                    kept.push(item.clone());
                }
            }
            Ok(set_from_kept(kept))
        }
        _ => ops::sfilter(m, args),
    }
}

pub(crate) fn mfilter(m: &mut Machine, args: Args<'_>) -> Answer {
    if !args[0].is_set() {
        return ops::mfilter(m, args);
    }
    let kept = sfilter(m, args)?;
    super::merge(m, &[&kept])
}
