//! Functions whose arguments and values are types.

use batt_core::{Maker, PrimId, Value};
use batt_dsl::{Prim, Type, primitive};

/// A value of which only the type is known and, if it is a function, which one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abstract {
    /// Its type.
    pub ty: Type,
    /// The function that it is if it is one; `None` if that is not known.
    pub function: Option<Function>,
}

/// A function that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// A primitive.
    Primitive(PrimId),
    /// A function that a primitive made, by its number in an [`Inference`].
    Made(u32),
}

impl Abstract {
    /// Anything.
    pub const ANY: Self = Self::of(Type::ANY);
    /// The value of a call that cannot have one.
    pub const NEVER: Self = Self::of(Type::NEVER);

    /// A value of a type.
    pub const fn of(ty: Type) -> Self {
        Self { ty, function: None }
    }

    /// A primitive as a value.
    pub const fn primitive(id: PrimId) -> Self {
        Self { ty: Type::FUNCTION, function: Some(Function::Primitive(id)) }
    }
}

/// How many calls of functions one call may lead to before its type is left open.
const FUEL: u32 = 2000;
/// How deep functions may call each other before the type is left open.
const MAX_DEPTH: u32 = 100;

/// Calls functions on types. It owns the functions that the calls make.
#[derive(Clone, Debug, Default)]
pub struct Inference {
    made: Vec<Made>,
    fuel: u32,
    depth: u32,
    strict: bool,
}

#[derive(Clone, Debug)]
struct Made {
    form: Form,
    /// The last call with one argument: functions that share parts call them on the same type over and over.
    last: Option<(Abstract, Abstract)>,
}

#[derive(Clone, Copy, Debug)]
enum Form {
    Closure(Maker, [Abstract; 3]),
    Either(Function, Function),
}

impl Inference {
    /// Leaves alone what might work: a call with an argument of the wrong type has the type that the table says.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes types by their word: a call with an argument of the wrong type has no value.
    pub fn strict() -> Self {
        Self { strict: true, ..Self::default() }
    }

    pub(super) fn is_strict(&self) -> bool {
        self.strict
    }

    /// Forgets all functions.
    pub fn clear(&mut self) {
        self.made.clear();
    }

    /// What a call gives.
    pub fn call(&mut self, callee: Abstract, args: &[Abstract]) -> Abstract {
        self.fuel = FUEL;
        self.depth = 0;
        match callee.function {
            Some(Function::Primitive(id)) => self.call_primitive(id, args),
            _ => self.call_inside(callee, args),
        }
    }

    /// The number of arguments that a function takes, if it is known.
    pub fn arity(&self, function: Function) -> Option<usize> {
        self.arity_within(function, MAX_DEPTH)
    }

    fn arity_within(&self, function: Function, depth: u32) -> Option<usize> {
        let depth = depth.checked_sub(1)?;
        let made = match function {
            Function::Primitive(id) => return Some(primitive(id).params.len()),
            Function::Made(number) => &self.made[number as usize],
        };
        match made.form {
            Form::Closure(Maker::Compose | Maker::Chain | Maker::Matcher | Maker::Fork, _) => Some(1),
            Form::Closure(Maker::Rbind | Maker::Lbind, [inner, ..]) => {
                Some(match self.arity_within(inner.function?, depth)? {
                    2 => 1,
                    3 => 2,
                    // The reference takes every other function for one of four parameters.
                    _ => 3,
                })
            }
            // The first power of a function is the function itself.
            Form::Closure(Maker::Power, [inner, ..]) => self.arity_within(inner.function?, depth).filter(|&arity| arity == 1),
            Form::Either(a, b) => {
                let arity = self.arity_within(a, depth)?;
                (self.arity_within(b, depth)? == arity).then_some(arity)
            }
        }
    }

    /// What a function gives inside another call.
    pub(super) fn call_inside(&mut self, callee: Abstract, args: &[Abstract]) -> Abstract {
        let Some(function) = callee.function else {
            return if callee.ty.may_be_function() || !self.strict { Abstract::ANY } else { Abstract::NEVER };
        };
        if self.fuel == 0 || self.depth == MAX_DEPTH {
            return Abstract::ANY;
        }
        self.fuel -= 1;
        self.depth += 1;
        let value = match function {
            Function::Primitive(id) => self.call_primitive(id, args),
            Function::Made(number) => self.call_made(number, args),
        };
        self.depth -= 1;
        value
    }

    fn call_primitive(&mut self, id: PrimId, args: &[Abstract]) -> Abstract {
        let row = primitive(id);
        if row.params.len() != args.len() {
            return Abstract::NEVER;
        }
        if self.strict && !args.iter().enumerate().all(|(k, arg)| arg.ty.fits_filled(row.takes(k))) {
            return Abstract::NEVER;
        }
        self.returned(id, row, args)
    }

    fn call_made(&mut self, number: u32, args: &[Abstract]) -> Abstract {
        let made = &self.made[number as usize];
        if let (&[arg], Some((known, value))) = (args, made.last)
            && known == arg
        {
            return value;
        }
        let value = match made.form {
            Form::Closure(maker, parts) => self.call_closure(maker, parts, args),
            Form::Either(a, b) => {
                let a = self.call_inside(Abstract { ty: Type::FUNCTION, function: Some(a) }, args);
                let b = self.call_inside(Abstract { ty: Type::FUNCTION, function: Some(b) }, args);
                self.join(a, b)
            }
        };
        if let &[arg] = args
            && self.fuel > 0
        {
            self.made[number as usize].last = Some((arg, value));
        }
        value
    }

    fn call_closure(&mut self, maker: Maker, parts: [Abstract; 3], args: &[Abstract]) -> Abstract {
        let [f, g, h] = parts;
        match (maker, args) {
            (Maker::Compose, &[x]) => {
                let y = self.call_inside(g, &[x]);
                self.call_inside(f, &[y])
            }
            (Maker::Chain, &[x]) => {
                let y = self.call_inside(h, &[x]);
                let z = self.call_inside(g, &[y]);
                self.call_inside(f, &[z])
            }
            (Maker::Matcher, &[x]) => {
                let y = self.call_inside(f, &[x]);
                if self.strict && y.ty.is_never() { Abstract::NEVER } else { Abstract::of(Type::BOOLEAN) }
            }
            (Maker::Fork, &[x]) => {
                let left = self.call_inside(g, &[x]);
                let right = self.call_inside(h, &[x]);
                self.call_inside(f, &[left, right])
            }
            (Maker::Rbind, &[x]) => self.call_inside(f, &[x, g]),
            (Maker::Rbind, &[x, y]) => self.call_inside(f, &[x, y, g]),
            (Maker::Rbind, &[x, y, z]) => self.call_inside(f, &[x, y, z, g]),
            (Maker::Lbind, &[x]) => self.call_inside(f, &[g, x]),
            (Maker::Lbind, &[x, y]) => self.call_inside(f, &[g, x, y]),
            (Maker::Lbind, &[x, y, z]) => self.call_inside(f, &[g, x, y, z]),
            (Maker::Power, &[x]) => self.call_again_and_again(f, x),
            // The first power of a function is the function itself.
            (Maker::Power, _) => self.call_inside(f, args),
            _ => Abstract::NEVER,
        }
    }

    /// What a function gives when it is called on its own value any number of times.
    fn call_again_and_again(&mut self, function: Abstract, x: Abstract) -> Abstract {
        let mut all = self.call_inside(function, &[x]);
        for _ in 0..8 {
            let next = self.call_inside(function, &[all]);
            let joined = self.join(all, next);
            if joined == all {
                return all;
            }
            all = joined;
        }
        Abstract::ANY
    }

    /// Either of two values.
    pub(super) fn join(&mut self, a: Abstract, b: Abstract) -> Abstract {
        let ty = a.ty.or(b.ty);
        let function = match (a.function, b.function) {
            (Some(f), Some(g)) if f == g => Some(f),
            (Some(f), Some(g)) => Some(self.make(Form::Either(f, g))),
            (Some(f), None) if !b.ty.may_be_function() => Some(f),
            (None, Some(g)) if !a.ty.may_be_function() => Some(g),
            _ => None,
        };
        Abstract { ty, function }
    }

    /// The function that a primitive makes.
    pub(super) fn closure(&mut self, id: PrimId, args: &[Abstract]) -> Abstract {
        let maker = match id {
            _ if id == Prim::compose.into() => Maker::Compose,
            _ if id == Prim::chain.into() => Maker::Chain,
            _ if id == Prim::matcher.into() => Maker::Matcher,
            _ if id == Prim::rbind.into() => Maker::Rbind,
            _ if id == Prim::lbind.into() => Maker::Lbind,
            _ if id == Prim::power.into() => Maker::Power,
            _ if id == Prim::fork.into() => Maker::Fork,
            _ => return Abstract::of(Type::FUNCTION),
        };
        Abstract { ty: Type::FUNCTION, function: Some(self.make_closure(maker, args)) }
    }

    fn make_closure(&mut self, maker: Maker, args: &[Abstract]) -> Function {
        let mut parts = [Abstract::NEVER; 3];
        for (part, &arg) in parts.iter_mut().zip(args) {
            *part = arg;
        }
        self.make(Form::Closure(maker, parts))
    }

    fn make(&mut self, form: Form) -> Function {
        let number = self.made.len() as u32;
        self.made.push(Made { form, last: None });
        Function::Made(number)
    }

    /// What is known of a value.
    pub fn value(&mut self, value: &Value) -> Abstract {
        match value {
            Value::Primitive(id) => Abstract::primitive(*id),
            Value::Closure(closure) => {
                let parts: Vec<Abstract> = closure.parts().iter().map(|part| self.value(part)).collect();
                Abstract { ty: Type::FUNCTION, function: Some(self.make_closure(closure.maker(), &parts)) }
            }
            _ => Abstract::of(super::constant_type(value)),
        }
    }
}
