//! The typed dialect's ways to choose an item by its position or rank.

use batt_core::{Reason, Value};

use super::containers::tally;
use super::objects::colours;
use super::support::{Answer, call1, int, items, list, sorted_positions};
use crate::machine::{Args, Machine};

/// The n-th item, from 0; negative counts from the end.
fn nth(items: &[Value], n: &Value) -> Answer {
    let n = int(n)?;
    let k = if n < 0 { n.checked_add(items.len() as i64).ok_or(Reason::OutOfRange)? } else { n };
    usize::try_from(k).ok().and_then(|k| items.get(k)).cloned().ok_or(Reason::OutOfRange)
}

pub(crate) fn get_nth(_: &mut Machine, args: Args<'_>) -> Answer {
    nth(&list(args[0])?, args[1])
}

/// The items and their keys, sorted by key; equal keys keep their order.
fn ranked(m: &mut Machine, container: &Value, function: &Value, descending: bool) -> Result<(Vec<Value>, Vec<Value>), Reason> {
    let all = list(container)?;
    let keys = items(container)?.map(|item| call1(m, function, &item)).collect::<Result<Vec<_>, _>>()?;
    let places = sorted_positions(&keys, descending)?;
    Ok(places.iter().map(|&k| (all[k].clone(), keys[k].clone())).unzip())
}

pub(crate) fn get_nth_by_key(m: &mut Machine, args: Args<'_>) -> Answer {
    let (sorted, _) = ranked(m, args[0], args[2], false)?;
    nth(&sorted, args[1])
}

pub(crate) fn get_arg_rank(m: &mut Machine, args: Args<'_>) -> Answer {
    let (sorted, _) = ranked(m, args[0], args[1], true)?;
    nth(&sorted, args[2])
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

pub(crate) fn get_common_rank(_: &mut Machine, args: Args<'_>) -> Answer {
    let mut counts = tally(list(args[0])?);
    counts.sort_by_key(|&(_, count)| count);
    nth(&counts.into_iter().map(|(item, _)| item).collect::<Vec<_>>(), args[1])
}

/// The n-th colour by descending count; of equal counts the colour met first.
fn colour_rank(element: &Value, n: &Value) -> Answer {
    let mut counts: Vec<(Value, usize)> = Vec::new();
    let mut places = std::collections::BTreeMap::new();
    for colour in colours(element)? {
        let place = *places.entry(colour.clone()).or_insert(counts.len());
        match counts.get_mut(place) {
            Some((_, count)) => *count += 1,
            None => counts.push((colour, 1)),
        }
    }
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    nth(&counts.into_iter().map(|(colour, _)| colour).collect::<Vec<_>>(), n)
}

pub(crate) fn get_color_rank(_: &mut Machine, args: Args<'_>) -> Answer {
    colour_rank(args[0], args[1])
}
