//! The other primitives that the typed dialect adds.

use batt_core::{Reason, Value};

use super::containers::pair;
use super::grids::{cmirror, dmirror, hmirror, rot90, rot180, rot270, vmirror};
use super::objects::{colours, gathered};
use super::patches::{leftmost, llcorner, lowermost, lrcorner, rightmost, ulcorner, uppermost, urcorner};
use super::support::{Answer, call1, cell, int, items, list, subscript, unpack_two};
use crate::machine::{Args, Machine};

/// The colours as a tuple, ascending.
fn colours_ascending(m: &Machine, element: &Value) -> Answer {
    let mut all = colours(m, element)?;
    all.sort();
    all.dedup();
    m.tuple(all)
}

pub(crate) fn p_g(m: &mut Machine, args: Args<'_>) -> Answer {
    if args[0].is_tuple() { colours_ascending(m, args[0]) } else { Err(Reason::WrongType) }
}

pub(crate) fn p_o(m: &mut Machine, args: Args<'_>) -> Answer {
    if args[0].is_set() {
        return colours_ascending(m, args[0]);
    }
    let mut all = items(args[0])?.map(|item| Ok(cell(&item)?.0)).collect::<Result<Vec<_>, Reason>>()?;
    all.sort();
    all.dedup();
    m.tuple(all)
}

pub(crate) fn p_f(m: &mut Machine, args: Args<'_>) -> Answer {
    super::objects::palette(m, args)
}

/// Values that `function` finds on one side of the demos and not on the other.
fn only_in(m: &mut Machine, demos: &Value, function: &Value, side: usize) -> Answer {
    if !demos.is_tuple() {
        return Err(Reason::WrongType);
    }
    let here = gathered(m, demos, function, side)?;
    let there = gathered(m, demos, function, 1 - side)?;
    m.tuple(here.into_iter().filter(|value| !there.contains(value)).collect())
}

pub(crate) fn c_iz(m: &mut Machine, args: Args<'_>) -> Answer {
    only_in(m, args[0], args[1], 0)
}

pub(crate) fn c_zo(m: &mut Machine, args: Args<'_>) -> Answer {
    only_in(m, args[0], args[1], 1)
}

pub(crate) fn c_iz_n(m: &mut Machine, args: Args<'_>) -> Answer {
    let found = c_iz(m, &args[..2])?;
    call1(m, args[2], &found)
}

pub(crate) fn c_zo_n(m: &mut Machine, args: Args<'_>) -> Answer {
    let found = c_zo(m, &args[..2])?;
    call1(m, args[2], &found)
}

/// A grid mirrored or turned by number.
fn turned(m: &mut Machine, grid: &Value, angle: i64) -> Answer {
    let args = &[grid];
    match angle {
        0 => hmirror(m, args),
        1 => dmirror(m, args),
        2 => vmirror(m, args),
        3 => cmirror(m, args),
        4 => rot90(m, args),
        5 => rot180(m, args),
        6 => rot270(m, args),
        _ => Ok(grid.clone()),
    }
}

pub(crate) fn mir_rot_t(m: &mut Machine, args: Args<'_>) -> Answer {
    if !args[0].is_tuple() {
        return Err(Reason::WrongType);
    }
    turned(m, args[0], int(args[1])?)
}

pub(crate) fn mir_rot_f(m: &mut Machine, args: Args<'_>) -> Answer {
    let cells = list(args[0])?;
    match int(args[1])? {
        angle @ 0..=3 => {
            let patch = m.set(cells)?;
            turned(m, &patch, angle)
        }
        _ => Ok(args[0].clone()),
    }
}

pub(crate) fn a_mr(m: &mut Machine, args: Args<'_>) -> Answer {
    if !args[0].is_tuple() {
        return Err(Reason::WrongType);
    }
    'angles: for angle in 0..=7 {
        for demo in items(args[0])? {
            let (input, output) = unpack_two(&demo)?;
            if !input.is_tuple() || turned(m, &input, angle)? != output {
                continue 'angles;
            }
        }
        return Ok(Value::Int(angle));
    }
    Err(Reason::NoMatch)
}

pub(crate) fn corner(m: &mut Machine, args: Args<'_>) -> Answer {
    let patch = &args[..1];
    match int(args[1])? {
        0 => ulcorner(m, patch),
        1 => urcorner(m, patch),
        2 => llcorner(m, patch),
        3 => lrcorner(m, patch),
        _ => Err(Reason::OutOfRange),
    }
}

pub(crate) fn col_row(m: &mut Machine, args: Args<'_>) -> Answer {
    let patch = &args[..1];
    match int(args[1])? {
        0 => lowermost(m, patch),
        1 => uppermost(m, patch),
        2 => leftmost(m, patch),
        3 => rightmost(m, patch),
        _ => Err(Reason::OutOfRange),
    }
}

pub(crate) fn c_branch(_: &mut Machine, args: Args<'_>) -> Answer {
    let chosen = if args[0].truth() { args[1] } else { args[2] };
    Ok(Value::Int(int(chosen)?))
}

pub(crate) fn ascell(_: &mut Machine, args: Args<'_>) -> Answer {
    Ok(batt_core::two_of(args[1], args[0]))
}

pub(crate) fn astriple(_: &mut Machine, args: Args<'_>) -> Answer {
    Ok(super::support::cell_value(&Value::Int(int(args[2])?), int(args[0])?, int(args[1])?))
}

pub(crate) fn toij(_: &mut Machine, args: Args<'_>) -> Answer {
    subscript(args[0], 1)
}

pub(crate) fn celltuple(m: &mut Machine, args: Args<'_>) -> Answer {
    // Locations come first in the call and second in a cell.
    pair(m, &[args[1], args[0]])
}
