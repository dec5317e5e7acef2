//! Calls of closures, written as text.

use batt_core::{Lower, Maker, lower_closure, lower_repeated};

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
    type Output = String;

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
