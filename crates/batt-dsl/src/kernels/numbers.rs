//! Arithmetic on pairs without taking them apart.

use batt_core::{Packed, Value};

use crate::machine::{Args, Machine};
use crate::ops::{self, support::Answer};

macro_rules! arithmetic {
    ($name:ident, $checked:ident) => {
        pub(crate) fn $name(m: &mut Machine, args: Args<'_>) -> Answer {
            let parts = match (args[0], args[1]) {
                (Value::Int(a), Value::Int(b)) => return a.$checked(*b).map(Value::Int).ok_or(batt_core::Reason::Overflow),
                (Value::Pair(a, b), Value::Pair(c, d)) => a.$checked(*c).zip(b.$checked(*d)),
                (Value::Pair(a, b), Value::Int(n)) => i32::try_from(*n).ok().and_then(|n| a.$checked(n).zip(b.$checked(n))),
                (Value::Int(n), Value::Pair(a, b)) => i32::try_from(*n).ok().and_then(|n| n.$checked(*a).zip(n.$checked(*b))),
                _ => None,
            };
            match parts {
                Some((a, b)) => Ok(Value::Pair(a, b)),
                None => ops::$name(m, args),
            }
        }
    };
}

arithmetic!(add, checked_add);
arithmetic!(subtract, checked_sub);
arithmetic!(multiply, checked_mul);

pub(crate) fn astuple(m: &mut Machine, args: Args<'_>) -> Answer {
    match (args[0], args[1]) {
        (Value::Int(a), Value::Int(b)) => Ok(Value::pair(*a, *b)),
        (Value::Int(c), Value::Pair(i, j)) => match Packed::cell(*c, i64::from(*i), i64::from(*j)) {
            Some(cell) => Ok(Value::Cell(cell)),
            None => ops::astuple(m, args),
        },
        _ => ops::astuple(m, args),
    }
}

pub(crate) fn toivec(m: &mut Machine, args: Args<'_>) -> Answer {
    if let Value::Int(i) = args[0] { Ok(Value::pair(*i, 0)) } else { ops::toivec(m, args) }
}

pub(crate) fn tojvec(m: &mut Machine, args: Args<'_>) -> Answer {
    if let Value::Int(j) = args[0] { Ok(Value::pair(0, *j)) } else { ops::tojvec(m, args) }
}
