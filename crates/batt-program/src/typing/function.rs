//! Functions whose arguments and values are types.

use batt_core::{Lower, Maker, PrimId, Value, lower_closure};
use batt_dsl::{Family, Prim, Primitive, Type, primitive};

/// A value of which only the type is known and, if it is a function, which one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abstract {
    /// Its type.
    pub ty: Type,
    /// The function that it is if it is one; `None` if that is not known.
    pub function: Option<Function>,
    /// The integer that it is, if it is a small constant.
    pub integer: Option<i8>,
}

/// A function that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// A primitive.
    Primitive(PrimId),
    /// A function that a primitive made, by its number in an [`Inference`].
    FunctionEntry(u32),
}

impl Abstract {
    /// Anything.
    pub const ANY: Self = Self::of(Type::ANY);
    /// The value of a call that cannot have one.
    pub const NEVER: Self = Self::of(Type::NEVER);

    /// A value of a type.
    pub const fn of(ty: Type) -> Self {
        Self { ty, function: None, integer: None }
    }

    const fn function(function: Function) -> Self {
        Self { function: Some(function), ..Self::of(Type::FUNCTION) }
    }

    /// A primitive as a value.
    pub const fn primitive(id: PrimId) -> Self {
        Self::function(Function::Primitive(id))
    }
}

/// How many calls of functions one call may lead to before its type is left open.
const FUEL: u32 = 2000;
/// How deep functions may call each other before the type is left open.
const MAX_DEPTH: u32 = 100;

/// Calls functions on types. It owns the functions that the calls make.
#[derive(Clone, Debug, Default)]
pub struct Inference {
    made: Vec<FunctionEntry>,
    fuel: u32,
    depth: u32,
    strict: bool,
    /// Where it counts them: calls that are known to fail, and comparisons that are known not to hold.
    doubts: Option<u32>,
}

#[derive(Clone, Debug)]
struct FunctionEntry {
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

    /// Leaves alone what might work, and counts what cannot. Of constants it knows the value.
    pub(super) fn doubting() -> Self {
        Self { doubts: Some(0), ..Self::default() }
    }

    /// The number of calls that cannot work.
    pub(super) fn doubts(&self) -> u32 {
        self.doubts.unwrap_or(0)
    }

    pub(super) fn is_doubting(&self) -> bool {
        self.doubts.is_some()
    }

    fn doubt_if(&mut self, doubtful: bool) {
        if let Some(doubts) = &mut self.doubts {
            *doubts += u32::from(doubtful);
        }
    }

    pub(super) fn is_strict(&self) -> bool {
        self.strict
    }

    /// Forgets all functions.
    pub fn clear(&mut self) {
        self.made.clear();
    }

    /// Type of a call's value.
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
            Function::FunctionEntry(number) => &self.made[number as usize],
        };
        match made.form {
            // The first power of a function is the function itself.
            Form::Closure(Maker::Power, [inner, ..]) => self.arity_within(inner.function?, depth).filter(|&arity| arity == 1),
            Form::Closure(maker, [inner, ..]) => maker.arity(|| self.arity_within(inner.function?, depth)),
            Form::Either(a, b) => {
                let arity = self.arity_within(a, depth)?;
                (self.arity_within(b, depth)? == arity).then_some(arity)
            }
        }
    }

    /// Type of a function's value inside another call.
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
            Function::FunctionEntry(number) => self.call_made(number, args),
        };
        self.depth -= 1;
        value
    }

    fn call_primitive(&mut self, id: PrimId, args: &[Abstract]) -> Abstract {
        let row = primitive(id);
        if row.params.len() != args.len() {
            return Abstract::NEVER;
        }
        if self.is_doubting() {
            self.doubt(id, row, args);
        }
        if self.strict && !args.iter().enumerate().all(|(k, arg)| arg.ty.fits_filled(row.takes(k))) {
            return Abstract::NEVER;
        }
        self.returned(row, args)
    }

    /// Counts what is known to fail about a call.
    fn doubt(&mut self, id: PrimId, row: &Primitive, args: &[Abstract]) {
        let fits = |(k, arg): (usize, &Abstract)| {
            arg.ty.is_never() || arg.ty.fits_filled(row.takes(k)) || arg.ty.fits_filled(super::beyond_declared(row, row.takes(k)))
        };
        self.doubt_if(!args.iter().enumerate().all(fits));
        self.doubt_if(id == Prim::equality.into() && !args[0].ty.may_equal(args[1].ty));
        // What a condition or key gives does not show in the type of the call, so that nothing else calls it.
        if let (Family::HigherOrder | Family::Rank, Some(k @ 1..)) = (row.family, row.function_place()) {
            let item = Abstract::of(row.given(0, args[0].ty).item());
            self.call_inside(args[k], &[item]);
        }
    }

    fn call_made(&mut self, number: u32, args: &[Abstract]) -> Abstract {
        let made = &self.made[number as usize];
        if let (&[arg], Some((known, value))) = (args, made.last)
            && known == arg
        {
            return value;
        }
        let value = match made.form {
            Form::Closure(maker, parts) => lower_closure(self, maker, &parts[..maker.parts()], args),
            Form::Either(a, b) => {
                let a = self.call_inside(Abstract::function(a), args);
                let b = self.call_inside(Abstract::function(b), args);
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

    /// Type of a function's value after any number of calls on its own value.
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
        Abstract { ty, function, integer: a.integer.filter(|_| a.integer == b.integer) }
    }

    /// The function that a primitive makes.
    pub(super) fn closure(&mut self, maker: Maker, args: &[Abstract]) -> Abstract {
        Abstract::function(self.make_closure(maker, args))
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
        self.made.push(FunctionEntry { form, last: None });
        Function::FunctionEntry(number)
    }

    /// Type of a value; of a function, also its identity.
    pub fn value(&mut self, value: &Value) -> Abstract {
        match value {
            Value::Primitive(id) => Abstract::primitive(*id),
            Value::Closure(closure) => {
                let parts: Vec<Abstract> = closure.parts().iter().map(|part| self.value(part)).collect();
                Abstract::function(self.make_closure(closure.maker(), &parts))
            }
            _ => Abstract::of(super::constant_type(value)),
        }
    }
}

impl Lower for Inference {
    type Part = Abstract;
    type Arg<'a> = Abstract;
    type Output = Abstract;

    fn part<'a>(part: &'a Abstract) -> Abstract
    where
        Self: 'a,
    {
        *part
    }

    fn arg<'a>(made: &'a Abstract) -> Result<Abstract, Abstract>
    where
        Self: 'a,
    {
        Ok(*made)
    }

    fn invoke<'a>(&mut self, function: &'a Abstract, args: &[Abstract]) -> Abstract
    where
        Self: 'a,
    {
        self.call_inside(*function, args)
    }

    fn equals(&mut self, made: Abstract, target: &Abstract) -> Abstract {
        self.doubt_if(!made.ty.may_equal(target.ty));
        if self.strict && made.ty.is_never() { Abstract::NEVER } else { Abstract::of(Type::BOOLEAN) }
    }

    /// How many times is not known.
    fn power<'a>(&mut self, function: &'a Abstract, _: &'a Abstract, args: &[Abstract]) -> Abstract
    where
        Self: 'a,
    {
        match *args {
            [x] => self.call_again_and_again(*function, x),
            // The first power of a function is the function itself.
            _ => self.call_inside(*function, args),
        }
    }

    fn wrong_arity(&mut self) -> Abstract {
        Abstract::NEVER
    }
}
