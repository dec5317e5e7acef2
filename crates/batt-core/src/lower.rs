//! What a call of a closure means: the calls that it makes, in their order. It is written here once, for everything that those calls may
//! be made on or become: values, columns of values, types, nodes of a graph, instructions.

use crate::Maker;

/// Makes the calls that closures consist of.
pub trait Lower {
    /// What a closure was made of: functions, fixed arguments, a target, a number of times.
    type Part;
    /// What a call takes.
    type Arg<'a>: Clone
    where
        Self: 'a;
    /// What a call gives, failures included.
    type Made;

    /// A part of a closure as an argument.
    fn part<'a>(part: &'a Self::Part) -> Self::Arg<'a>
    where
        Self: 'a;

    /// What a call gave as an argument; what the whole gives, if the call failed.
    fn arg<'a>(made: &'a Self::Made) -> Result<Self::Arg<'a>, Self::Made>
    where
        Self: 'a;

    /// A call of a function, which may be another closure.
    fn invoke<'a>(&mut self, function: &'a Self::Part, args: &[Self::Arg<'a>]) -> Self::Made
    where
        Self: 'a;

    /// Whether what a call gave equals a target.
    fn equals(&mut self, made: Self::Made, target: &Self::Part) -> Self::Made;

    /// A function called again and again on what it gave.
    fn power<'a>(&mut self, function: &'a Self::Part, times: &'a Self::Part, args: &[Self::Arg<'a>]) -> Self::Made
    where
        Self: 'a;

    /// What a call gives with a number of arguments that the closure does not take.
    fn wrong_arity(&mut self) -> Self::Made;
}

/// Calls the closure that a maker made of these parts.
#[inline]
pub fn lower_closure<'a, L: Lower + 'a>(to: &mut L, maker: Maker, parts: &'a [L::Part], args: &[L::Arg<'a>]) -> L::Made {
    match lower(to, maker, parts, args) {
        Ok(made) | Err(made) => made,
    }
}

#[inline]
fn lower<'a, L: Lower + 'a>(to: &mut L, maker: Maker, parts: &'a [L::Part], args: &[L::Arg<'a>]) -> Result<L::Made, L::Made> {
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
pub fn lower_repeated<'a, L: Lower + 'a>(to: &mut L, function: &'a L::Part, times: i64, args: &[L::Arg<'a>]) -> L::Made {
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
fn then<L: Lower>(to: &mut L, function: &L::Part, made: &L::Made) -> Result<L::Made, L::Made> {
    let arg = L::arg(made)?;
    Ok(to.invoke(function, &[arg]))
}

#[inline]
fn both<L: Lower>(to: &mut L, function: &L::Part, left: &L::Made, right: &L::Made) -> Result<L::Made, L::Made> {
    let args = [L::arg(left)?, L::arg(right)?];
    Ok(to.invoke(function, &args))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes calls as text.
    struct Text {
        calls: Vec<String>,
    }

    impl Lower for Text {
        type Part = &'static str;
        type Arg<'a>
            = String
        where
            Self: 'a;
        type Made = String;

        fn part<'a>(part: &'a &'static str) -> String
        where
            Self: 'a,
        {
            (*part).to_owned()
        }

        fn arg<'a>(made: &'a String) -> Result<String, String>
        where
            Self: 'a,
        {
            if made.starts_with("fails") { Err(made.clone()) } else { Ok(made.clone()) }
        }

        fn invoke<'a>(&mut self, function: &'a &'static str, args: &[String]) -> String
        where
            Self: 'a,
        {
            let call = format!("{function}({})", args.join(", "));
            self.calls.push(call.clone());
            call
        }

        fn equals(&mut self, made: String, target: &&'static str) -> String {
            format!("{made} == {target}")
        }

        fn power<'a>(&mut self, function: &'a &'static str, times: &'a &'static str, args: &[String]) -> String
        where
            Self: 'a,
        {
            lower_repeated(self, function, times.parse().unwrap_or(0), args)
        }

        fn wrong_arity(&mut self) -> String {
            "wrong arity".to_owned()
        }
    }

    fn lowered(maker: Maker, parts: &[&'static str], args: &[&str]) -> (String, usize) {
        let mut text = Text { calls: Vec::new() };
        let args: Vec<String> = args.iter().map(|&arg| arg.to_owned()).collect();
        let made = lower_closure(&mut text, maker, parts, &args);
        (made, text.calls.len())
    }

    #[test]
    fn closures_are_the_calls_that_they_stand_for() {
        for (maker, parts, args, expected, calls) in [
            (Maker::Compose, &["f", "g"][..], &["x"][..], "f(g(x))", 2),
            (Maker::Chain, &["h", "g", "f"], &["x"], "h(g(f(x)))", 3),
            (Maker::Fork, &["f", "a", "b"], &["x"], "f(a(x), b(x))", 3),
            (Maker::Matcher, &["f", "7"], &["x"], "f(x) == 7", 1),
            (Maker::Lbind, &["f", "1"], &["x"], "f(1, x)", 1),
            (Maker::Rbind, &["f", "1"], &["x", "y", "z"], "f(x, y, z, 1)", 1),
            (Maker::Power, &["f", "3"], &["x"], "f(f(f(x)))", 3),
            (Maker::Compose, &["f", "g"], &["x", "y"], "wrong arity", 0),
        ] {
            assert_eq!(lowered(maker, parts, args), (expected.to_owned(), calls));
        }
    }

    #[test]
    fn nothing_is_called_after_a_failure() {
        assert_eq!(lowered(Maker::Chain, &["h", "g", "fails"], &["x"]), ("fails(x)".to_owned(), 1));
        assert_eq!(lowered(Maker::Fork, &["f", "fails", "b"], &["x"]), ("fails(x)".to_owned(), 1));
        assert_eq!(lowered(Maker::Power, &["fails", "9"], &["x"]), ("fails(x)".to_owned(), 1));
    }

    #[test]
    fn a_fixed_argument_is_one_less_and_never_more_than_three_are_left() {
        let bound = |arity: usize| Maker::Lbind.arity(|| Some(arity));
        assert_eq!([1, 2, 3, 4].map(bound), [Some(3), Some(1), Some(2), Some(3)]);
        assert_eq!(Maker::Rbind.arity(|| None::<u8>), None);
        assert_eq!(Maker::Compose.arity(|| None::<u8>), Some(1));
    }
}
