//! Arithmetic on pairs without taking them apart.

use batt_core::Value;

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
