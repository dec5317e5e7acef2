//! Machine that calls primitives: fuel, limits, and function values.

use batt_core::{Closure, Lower, PrimId, Reason, Value, lower_closure, lower_repeated};

use crate::{Cost, OrderMark, Watch, table};

/// The arguments of a call.
pub type Args<'a> = &'a [&'a Value];

/// A primitive as code.
pub(crate) type PrimFn = fn(&mut Machine, Args<'_>) -> Result<Value, Reason>;

/// Comparing a cell with another is less work than calling a primitive: so many comparisons cost one unit of fuel.
const PAIRS_PER_UNIT: u64 = 8;

/// Limits on what a program may make and spend. The defaults stop a runaway in well under a second; no public program
/// meets them (`bench/runs/2026-11-15-limits`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The work that a program may spend, see [`Machine::call_primitive`].
    pub fuel: u64,
    /// The most cells of a grid.
    pub grid_area: u64,
    /// The most items of a set.
    pub set_len: u64,
    /// The most items of a tuple.
    pub tuple_len: u64,
    /// How deep primitives may call functions that call primitives that call functions.
    pub call_depth: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { fuel: 5_000_000, grid_area: 1 << 16, set_len: 1 << 20, tuple_len: 1 << 16, call_depth: 16 }
    }
}

/// The state of a machine before calls that may come to nothing.
#[derive(Clone, Copy)]
pub(crate) struct Before {
    fuel: u64,
    mark: OrderMark,
}

/// Runs calls of primitives and of function values, counts their fuel and keeps their limits.
///
/// A machine is built for one table of code: the plain functions of `ops` (the reference) or the same with
/// `kernels` where there are any. Both give the same values and spend the same fuel.
pub struct Machine {
    code: &'static [PrimFn],
    limits: Limits,
    fuel_left: u64,
    /// Fuel after the last filling.
    tank: u64,
    depth: u32,
    /// How many batches that failed are being gone through in turn.
    pub(crate) failed_batches: u32,
    pub(crate) scratch: crate::kernels::Scratch,
    pub(crate) set_order: crate::order::SetOrder,
    /// Asked by the code of [`Machine::watched`] alone.
    pub(crate) watch: Option<Box<dyn Watch>>,
}

impl Machine {
    /// A machine that runs the plain functions.
    pub fn reference(limits: Limits) -> Self {
        Self::with_code(&table::REFERENCE_CODE, limits)
    }

    /// A machine that runs kernels where there are any.
    pub fn fast(limits: Limits) -> Self {
        Self::with_code(&table::FAST_CODE, limits)
    }

    /// A machine that runs kernels too, and tells its watch of every call.
    pub fn watched(limits: Limits) -> Self {
        Self::with_code(&table::WATCHED_CODE, limits)
    }

    fn with_code(code: &'static [PrimFn], limits: Limits) -> Self {
        Self {
            code,
            limits,
            fuel_left: limits.fuel,
            tank: limits.fuel,
            depth: 0,
            failed_batches: 0,
            scratch: crate::kernels::Scratch::default(),
            set_order: crate::order::SetOrder::default(),
            watch: None,
        }
    }

    /// Gives a watch to the machine, which only one that is [`Machine::watched`] looks at, and takes back what it had.
    pub fn exchange_watch(&mut self, watch: Option<Box<dyn Watch>>) -> Option<Box<dyn Watch>> {
        std::mem::replace(&mut self.watch, watch)
    }

    /// Fills the tank for the next program.
    pub fn refuel(&mut self) {
        self.refuel_with(self.limits.fuel);
    }

    /// Fills the tank with less than the limits allow: for a first try.
    pub fn refuel_with(&mut self, fuel: u64) {
        self.fuel_left = fuel.min(self.limits.fuel);
        self.tank = self.fuel_left;
        self.depth = 0;
        self.failed_batches = 0;
        self.set_order.mark = OrderMark::Free;
    }

    /// Fuel spent since the last [`Machine::refuel`].
    pub fn fuel_spent(&self) -> u64 {
        self.tank - self.fuel_left
    }

    pub(crate) fn fuel_left(&self) -> u64 {
        self.fuel_left
    }

    /// Undo log of speculative calls.
    pub(crate) fn before(&self) -> Before {
        Before { fuel: self.fuel_left, mark: self.set_order.mark }
    }

    /// Takes back what was spent and noted since.
    pub(crate) fn take_back(&mut self, before: Before) {
        self.fuel_left = before.fuel;
        self.set_order.mark = before.mark;
    }

    /// The limits it keeps.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Spends fuel.
    #[inline]
    pub fn spend(&mut self, amount: u64) -> Result<(), Reason> {
        if let Some(left) = self.fuel_left.checked_sub(amount) {
            self.fuel_left = left;
            Ok(())
        } else {
            self.fuel_left = 0;
            Err(Reason::OutOfFuel)
        }
    }

    /// Calls a primitive. It costs one unit, and by its cost class the weight of its arguments and of its
    /// value, or the product of its arguments' weights. What a primitive does inside is not counted again, except the
    /// function values that it calls; so fuel is the same for every implementation of a primitive.
    #[inline]
    pub fn call_primitive(&mut self, id: PrimId, args: Args<'_>) -> Result<Value, Reason> {
        let shape = table::shape(id);
        // There is one result, changed where it is and returned at one place: a value that was just written is slow to move.
        let mut result;
        if let Err(reason) = self.pay(shape, args) {
            result = Err(reason);
        } else {
            result = self.code[usize::from(id.0)](self, args);
            if let Ok(value) = &result
                && let Err(reason) = self.accept(shape.cost, value)
            {
                result = Err(reason);
            }
        }
        result
    }

    /// Spends what a call costs before its value is known.
    #[inline]
    fn pay(&mut self, shape: table::Shape, args: Args<'_>) -> Result<(), Reason> {
        if args.len() != usize::from(shape.arity) {
            return Err(Reason::WrongArity);
        }
        self.spend(match shape.cost {
            Cost::Unit => 1,
            Cost::Linear => args.iter().fold(1, |sum, arg| sum + arg.weight()),
            Cost::Product => 1 + args.iter().fold(1, |product: u64, arg| product.saturating_mul(arg.weight())) / PAIRS_PER_UNIT,
        })
    }

    /// Spends what the value of a call costs, and sees that it is within the limits.
    #[inline]
    fn accept(&mut self, cost: Cost, value: &Value) -> Result<(), Reason> {
        if cost != Cost::Unit {
            self.spend(value.weight())?;
        }
        self.check_made(value)
    }

    /// Calls a function value from within a primitive. How deep primitives call functions that call primitives is limited; how deep
    /// functions are made of functions is limited when they are made.
    #[inline]
    pub(crate) fn call(&mut self, function: &Value, args: Args<'_>) -> Result<Value, Reason> {
        self.deeper(|m| m.invoke(function, args))
    }

    /// Calls a function value.
    #[inline]
    pub fn invoke(&mut self, function: &Value, args: Args<'_>) -> Result<Value, Reason> {
        match function {
            Value::Primitive(id) => self.call_primitive(*id, args),
            Value::Closure(closure) => self.call_closure(closure, args),
            _ => Err(Reason::NotCallable),
        }
    }

    /// Does something one call deeper.
    #[inline]
    pub(crate) fn deeper<T>(&mut self, call: impl FnOnce(&mut Self) -> Result<T, Reason>) -> Result<T, Reason> {
        if self.depth == self.limits.call_depth {
            return Err(Reason::TooDeep);
        }
        self.depth += 1;
        let result = call(self);
        self.depth -= 1;
        result
    }

    pub(crate) fn call_closure(&mut self, closure: &Closure, args: Args<'_>) -> Result<Value, Reason> {
        if args.len() != usize::from(closure.arity()) {
            return Err(Reason::WrongArity);
        }
        lower_closure(self, closure.maker(), closure.parts(), args)
    }

    /// The number of arguments that a function value takes.
    pub fn arity(function: &Value) -> Option<u8> {
        match function {
            Value::Primitive(id) => Some(table::shape(*id).arity),
            Value::Closure(closure) => Some(closure.arity()),
            _ => None,
        }
    }

    /// Whether a value that was made is within the limits.
    #[inline]
    fn check_made(&self, value: &Value) -> Result<(), Reason> {
        let (len, most) = match value {
            Value::Tuple(items, nesting) | Value::Set(items, nesting) => {
                if nesting.depth() > Value::MAX_DEPTH {
                    return Err(Reason::TooDeep);
                }
                if nesting.weight() > Value::MAX_WEIGHT {
                    return Err(Reason::TooLarge);
                }
                (items.len(), if value.is_set() { self.limits.set_len } else { self.limits.tuple_len })
            }
            Value::Indices(cells) | Value::Object(cells) => (cells.len(), self.limits.set_len),
            Value::Row(cells) => (cells.len(), self.limits.tuple_len),
            Value::Grid(grid) => return self.check_grid(grid.height() as u64, grid.width() as u64),
            _ => return Ok(()),
        };
        if len as u64 > most { Err(Reason::TooLarge) } else { Ok(()) }
    }

    /// Whether a tuple of so many items may be made.
    #[inline]
    pub fn check_tuple(&self, len: u64) -> Result<(), Reason> {
        if len > self.limits.tuple_len { Err(Reason::TooLarge) } else { Ok(()) }
    }

    /// Whether a set of so many items may be made.
    #[inline]
    pub fn check_set(&self, len: u64) -> Result<(), Reason> {
        if len > self.limits.set_len { Err(Reason::TooLarge) } else { Ok(()) }
    }

    /// Whether a grid of this shape may be made.
    #[inline]
    pub fn check_grid(&self, height: u64, width: u64) -> Result<(), Reason> {
        match height.checked_mul(width) {
            Some(area) if area <= self.limits.grid_area && height <= self.limits.tuple_len && width <= self.limits.tuple_len => Ok(()),
            _ => Err(Reason::TooLarge),
        }
    }
}

impl Lower for Machine {
    type Part = Value;
    type Arg<'a> = &'a Value;
    // What a call gave stays where it is: a value that was just written is slow to move.
    type Output = Result<Value, Reason>;

    #[inline]
    fn part<'a>(part: &'a Value) -> &'a Value
    where
        Self: 'a,
    {
        part
    }

    #[inline]
    fn arg<'a>(made: &'a Self::Output) -> Result<&'a Value, Self::Output>
    where
        Self: 'a,
    {
        made.as_ref().map_err(|reason| Err(*reason))
    }

    #[inline]
    fn invoke<'a>(&mut self, function: &'a Value, args: &[&'a Value]) -> Self::Output
    where
        Self: 'a,
    {
        self.invoke(function, args)
    }

    #[inline]
    fn equals(&mut self, made: Self::Output, target: &Value) -> Self::Output {
        made.map(|value| Value::Bool(value == *target))
    }

    fn power<'a>(&mut self, function: &'a Value, times: &'a Value, args: &[&'a Value]) -> Self::Output
    where
        Self: 'a,
    {
        let Value::Int(times) = times else { return Err(Reason::WrongArity) };
        lower_repeated(self, function, *times, args)
    }

    fn wrong_arity(&mut self) -> Self::Output {
        Err(Reason::WrongArity)
    }
}
