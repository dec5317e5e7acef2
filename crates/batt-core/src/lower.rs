//! The calls that a call of a closure stands for, in their order. They are written once, generic over the operands of those calls:
//! values, columns of values, types, nodes of a graph, instructions.

use crate::Maker;

/// Makes the calls that closures consist of.
pub trait Lower {
    /// Component of a closure: a function, a fixed argument, a target, a number of times.
    type Part;
    /// Argument of a call.
    type Arg<'a>: Clone
    where
        Self: 'a;
    /// Result of a call, failures included.
    type Output;

    /// A part of a closure as an argument.
    fn part<'a>(part: &'a Self::Part) -> Self::Arg<'a>
    where
        Self: 'a;

    /// A result as an argument of the next call, or, if the call failed, the result of the whole.
    fn arg<'a>(made: &'a Self::Output) -> Result<Self::Arg<'a>, Self::Output>
    where
        Self: 'a;

    /// A call of a function, which may be another closure.
    fn invoke<'a>(&mut self, function: &'a Self::Part, args: &[Self::Arg<'a>]) -> Self::Output
    where
        Self: 'a;

    /// Whether what a call gave equals a target.
    fn equals(&mut self, made: Self::Output, target: &Self::Part) -> Self::Output;

    /// A function called again and again on what it gave.
    fn power<'a>(&mut self, function: &'a Self::Part, times: &'a Self::Part, args: &[Self::Arg<'a>]) -> Self::Output
    where
        Self: 'a;

    /// Result of a call with a number of arguments that the closure does not take.
    fn wrong_arity(&mut self) -> Self::Output;
}

/// Calls the closure that a maker made of these parts.
#[inline]
pub fn lower_closure<'a, L: Lower + 'a>(to: &mut L, maker: Maker, parts: &'a [L::Part], args: &[L::Arg<'a>]) -> L::Output {
    match lower(to, maker, parts, args) {
        Ok(made) | Err(made) => made,
    }
}

#[inline]
fn lower<'a, L: Lower + 'a>(to: &mut L, maker: Maker, parts: &'a [L::Part], args: &[L::Arg<'a>]) -> Result<L::Output, L::Output> {
    Ok(match (maker, parts, args) {
        (Maker::Compose, [outer, inner], [_]) => {
            let y = to.invoke(inner, args);
            then(to, outer, &y)?
        }
        (Maker::Chain, [h, g, f], [_]) => {
            let y = to.invoke(f, args);
            let z = then(to, g, &y)?;
            then(to, h, &z)?
        }
        (Maker::Fork, [outer, a, b], [_]) => {
            let left = to.invoke(a, args);
            L::arg(&left)?;
            let right = to.invoke(b, args);
            both(to, outer, &left, &right)?
        }
        (Maker::Matcher, [function, target], [_]) => {
            let made = to.invoke(function, args);
            to.equals(made, target)
        }
        (Maker::Rbind, [function, fixed], [x]) => to.invoke(function, &[x.clone(), L::part(fixed)]),
        (Maker::Rbind, [function, fixed], [x, y]) => to.invoke(function, &[x.clone(), y.clone(), L::part(fixed)]),
        (Maker::Rbind, [function, fixed], [x, y, z]) => to.invoke(function, &[x.clone(), y.clone(), z.clone(), L::part(fixed)]),
        (Maker::Lbind, [function, fixed], [x]) => to.invoke(function, &[L::part(fixed), x.clone()]),
        (Maker::Lbind, [function, fixed], [x, y]) => to.invoke(function, &[L::part(fixed), x.clone(), y.clone()]),
        (Maker::Lbind, [function, fixed], [x, y, z]) => to.invoke(function, &[L::part(fixed), x.clone(), y.clone(), z.clone()]),
        (Maker::Power, [function, times], _) => to.power(function, times, args),
        _ => to.wrong_arity(),
    })
}

/// A function called so many times, at least once: [`Lower::power`] where the number is known.
#[inline]
pub fn lower_repeated<'a, L: Lower + 'a>(to: &mut L, function: &'a L::Part, times: i64, args: &[L::Arg<'a>]) -> L::Output {
    let mut made = to.invoke(function, args);
    for _ in 1..times {
        made = match then(to, function, &made) {
            Ok(next) => next,
            Err(failed) => return failed,
        };
    }
    made
}

#[inline]
fn then<L: Lower>(to: &mut L, function: &L::Part, made: &L::Output) -> Result<L::Output, L::Output> {
    let arg = L::arg(made)?;
    Ok(to.invoke(function, &[arg]))
}

#[inline]
fn both<L: Lower>(to: &mut L, function: &L::Part, left: &L::Output, right: &L::Output) -> Result<L::Output, L::Output> {
    let args = [L::arg(left)?, L::arg(right)?];
    Ok(to.invoke(function, &args))
}
