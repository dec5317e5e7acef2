//! The typed dialect's ways to choose an item by its position or rank.

use batt_core::{Reason, Value};

use super::containers::tally;
use super::functions::keyed;
use super::objects::colours;
use super::support::{Answer, int, items, list, sorted_positions};
use crate::machine::{Args, Machine};

/// The n-th item, from 0; negative counts from the end.
fn nth(items: &[Value], n: &Value) -> Answer {
    let n = int(n)?;
    let k = if n < 0 { n.checked_add(items.len() as i64).ok_or(Reason::OutOfRange)? } else { n };
    usize::try_from(k).ok().and_then(|k| items.get(k)).cloned().ok_or(Reason::OutOfRange)
}

pub(crate) fn get_nth(m: &mut Machine, args: Args<'_>) -> Answer {
    m.order_matters_in(args[0]);
    nth(&m.list_in_order(args[0])?, args[1])
}

/// The items and their keys, sorted by key; equal keys keep their order.
fn ranked(m: &mut Machine, container: &Value, function: &Value, descending: bool) -> Result<(Vec<Value>, Vec<Value>), Reason> {
    let (all, keys) = keyed(m, container, function)?;
    let places = sorted_positions(&keys, descending)?;
    m.note_odd_keys(container, &keys);
    Ok(places.iter().map(|&k| (all[k].clone(), keys[k].clone())).unzip())
}

/// The n-th item of a container by key.
fn nth_by_key(m: &mut Machine, container: &Value, function: &Value, descending: bool, n: &Value) -> Answer {
    let (sorted, keys) = ranked(m, container, function, descending)?;
    let key = nth(&keys, n)?;
    if container.is_set() && keys.iter().filter(|other| **other == key).count() > 1 {
        m.order_matters();
    }
    nth(&sorted, n)
}

pub(crate) fn get_nth_by_key(m: &mut Machine, args: Args<'_>) -> Answer {
    nth_by_key(m, args[0], args[2], false, args[1])
}

pub(crate) fn get_arg_rank(m: &mut Machine, args: Args<'_>) -> Answer {
    nth_by_key(m, args[0], args[1], true, args[2])
}

pub(crate) fn get_val_rank(m: &mut Machine, args: Args<'_>) -> Answer {
    let (_, keys) = ranked(m, args[0], args[1], false)?;
    nth(&keys, args[2])
}

pub(crate) fn get_rank(_: &mut Machine, args: Args<'_>) -> Answer {
    let mut numbers = items(args[0])?.map(|item| int(&item)).collect::<Result<Vec<_>, _>>()?;
    numbers.sort_unstable_by(|a, b| b.cmp(a));
    nth(&numbers.into_iter().map(Value::Int).collect::<Vec<_>>(), args[1])
}

pub(crate) fn get_common_rank(m: &mut Machine, args: Args<'_>) -> Answer {
    let mut counts = tally(list(args[0])?);
    m.reorder(&mut counts, |(item, _)| item);
    counts.sort_by_key(|&(_, count)| count);
    nth_by_count(m, counts, args[1], true)
}

/// The n-th of items that are sorted by count; notes whether `ties` between equal counts decide which that is.
fn nth_by_count(m: &mut Machine, counts: Vec<(Value, usize)>, n: &Value, ties: bool) -> Answer {
    let (all, counts): (Vec<Value>, Vec<Value>) = counts.into_iter().map(|(item, count)| (item, Value::Int(count as i64))).unzip();
    let count = nth(&counts, n)?;
    if ties && counts.iter().filter(|other| **other == count).count() > 1 {
        m.order_matters();
    }
    nth(&all, n)
}

/// The n-th colour by descending count; of equal counts the colour met first.
pub(crate) fn get_color_rank(m: &mut Machine, args: Args<'_>) -> Answer {
    let mut counts: Vec<(Value, usize)> = Vec::new();
    let mut places = std::collections::BTreeMap::new();
    for colour in colours(m, args[0])? {
        let place = *places.entry(colour.clone()).or_insert(counts.len());
        match counts.get_mut(place) {
            Some((_, count)) => *count += 1,
            None => counts.push((colour, 1)),
        }
    }
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    nth_by_count(m, counts, args[1], args[0].is_set())
}
