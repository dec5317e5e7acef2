//! Calling one function on many items at once.
//!
//! A closure is taken apart once for all items: `compose(f, g)` on a column of items is `g` on the column, then `f` on what that
//! gave. Columns of integers, truth values, pairs and cells are kept unpacked from `Value`, and arithmetic on them is a plain loop.
//!
//! The values and the fuel are those of calling the function on each item in turn. Only a failure is different, since it is found on
//! another item or call than one by one: then the fuel is put back, and the items are gone through in turn.

mod column;
mod scalar;

pub(crate) use column::Column;
pub(crate) use scalar::{ScalarOp, scalar_op};

use batt_core::{Closure, Maker, PrimId, Reason, Value};

use crate::machine::Machine;
use crate::{Cost, Prim, table};
use column::Chunks;

/// Fewer items than this are called one by one.
const WORTHWHILE: usize = 6;

/// An argument of a function on a column: another column of the same length, or one value for all.
#[derive(Clone, Copy)]
pub(crate) enum Arg<'c, 'a> {
    Column(&'a Column<'c>),
    Fixed(&'a Value),
}

impl<'c, 'a> Arg<'c, 'a> {
    fn of(column: &'a Column<'c>) -> Self {
        match column {
            Column::Same(value, _) => Self::Fixed(value),
            _ => Self::Column(column),
        }
    }

    /// Gives the argument of one call to `with`.
    #[inline]
    fn at<R>(self, k: usize, with: impl FnOnce(&Value) -> R) -> R {
        match self {
            Self::Column(column) => column.at(k, with),
            Self::Fixed(value) => with(value),
        }
    }

    /// How deep the arguments are nested at most.
    fn depth(self) -> u16 {
        match self {
            Self::Column(column) => column.depth(),
            Self::Fixed(value) => value.depth(),
        }
    }

    /// The weight of the heaviest argument.
    fn heaviest(self) -> u64 {
        match self {
            Self::Column(column) => column.heaviest(),
            Self::Fixed(value) => value.weight(),
        }
    }

    /// The arguments of all calls.
    fn column(self, count: usize) -> Column<'c> {
        match self {
            Self::Column(column) => column.first(count),
            Self::Fixed(value) => Column::Same(value.clone(), count),
        }
    }
}

impl Machine {
    /// A function of one argument on each item of a container.
    pub(crate) fn map(&mut self, function: &Value, container: &Value) -> Result<Column<'static>, Reason> {
        let mut images = Column::empty();
        for part in Chunks::of(container).ok_or(Reason::WrongType)? {
            let together = |m: &mut Self| m.map_column(function, &part);
            self.add_images(&mut images, part.len(), together, |m, k| part.at(k, |item| m.call(function, &[item])))?;
        }
        Ok(images)
    }

    /// A function of two arguments on the items of two containers, side by side, as far as the shorter goes.
    pub(crate) fn map_pairs(&mut self, function: &Value, left: &Value, right: &Value) -> Result<Column<'static>, Reason> {
        let (left, right) = (Chunks::of(left).ok_or(Reason::WrongType)?, Chunks::of(right).ok_or(Reason::WrongType)?);
        let mut images = Column::empty();
        for (left, right) in left.zip(right) {
            let count = left.len().min(right.len());
            let together = |m: &mut Self| m.map_two(function, count, Arg::of(&left), Arg::of(&right));
            self.add_images(&mut images, count, together, |m, k| left.at(k, |x| right.at(k, |y| m.call(function, &[x, y]))))?;
        }
        Ok(images)
    }

    /// A function of two arguments on each item of a container and a value that is the same for all.
    pub(crate) fn map_with(&mut self, function: &Value, container: &Value, right: &Value) -> Result<Column<'static>, Reason> {
        let mut images = Column::empty();
        for part in Chunks::of(container).ok_or(Reason::WrongType)? {
            let together = |m: &mut Self| m.map_two(function, part.len(), Arg::of(&part), Arg::Fixed(right));
            self.add_images(&mut images, part.len(), together, |m, k| part.at(k, |x| m.call(function, &[x, right])))?;
        }
        Ok(images)
    }

    /// Adds what `count` calls give: made all together where that is worthwhile, and in turn where it is not or fails.
    fn add_images<'c>(
        &mut self,
        images: &mut Column<'static>,
        count: usize,
        together: impl FnOnce(&mut Self) -> Result<Column<'c>, Reason>,
        in_turn: impl Fn(&mut Self, usize) -> Result<Value, Reason>,
    ) -> Result<(), Reason> {
        if count >= WORTHWHILE {
            let fuel = self.fuel_left();
            if let Ok(made) = self.deeper(together) {
                images.append(made);
                return Ok(());
            }
            self.put_back(fuel);
        }
        for k in 0..count {
            let image = in_turn(self, k);
            images.push_result(image)?;
        }
        Ok(())
    }

    fn map_column<'c>(&mut self, function: &Value, column: &Column<'c>) -> Result<Column<'c>, Reason> {
        match function {
            Value::Primitive(id) => self.map_one(*id, column),
            Value::Closure(closure) => self.map_closure(closure, column),
            _ => Err(Reason::NotCallable),
        }
    }

    fn map_closure<'c>(&mut self, closure: &Closure, column: &Column<'c>) -> Result<Column<'c>, Reason> {
        match (closure.maker(), closure.parts()) {
            (Maker::Compose, [outer, inner]) => {
                let images = self.map_column(inner, column)?;
                self.map_column(outer, &images)
            }
            (Maker::Chain, [h, g, f]) => {
                let images = self.map_column(f, column)?;
                let images = self.map_column(g, &images)?;
                self.map_column(h, &images)
            }
            (Maker::Matcher, [function, target]) => Ok(self.map_column(function, column)?.equals(target)),
            (Maker::Fork, [outer, a, b]) => {
                let left = self.map_column(a, column)?;
                let right = self.map_column(b, column)?;
                self.map_two(outer, column.len(), Arg::of(&left), Arg::of(&right))
            }
            (Maker::Rbind, [function @ Value::Primitive(_), fixed]) if closure.arity() == 1 => {
                self.map_two(function, column.len(), Arg::of(column), Arg::Fixed(fixed))
            }
            (Maker::Lbind, [function @ Value::Primitive(id), fixed]) if closure.arity() == 1 => match column {
                Column::Pairs(pairs) if *id == Prim::apply.into() => self.map_over_pairs(fixed, pairs),
                _ => self.map_two(function, column.len(), Arg::Fixed(fixed), Arg::of(column)),
            },
            (Maker::Power, [function, Value::Int(n)]) => {
                let mut images = self.map_column(function, column)?;
                for _ in 1..*n {
                    images = self.map_column(function, &images)?;
                }
                Ok(images)
            }
            _ => {
                let mut images = Column::empty();
                for k in 0..column.len() {
                    images.push_result(column.at(k, |item| self.call_closure(closure, &[item])))?;
                }
                Ok(images)
            }
        }
    }

    /// A primitive of one argument on a column.
    fn map_one<'c>(&mut self, id: PrimId, column: &Column<'c>) -> Result<Column<'c>, Reason> {
        let shape = table::shape(id);
        if shape.arity != 1 {
            return Err(Reason::WrongArity);
        }
        if let Some(images) = scalar::unary(shape.scalar, column) {
            self.spend(scalar_cost(shape.cost, 1) * column.len() as u64)?;
            return images;
        }
        if let (Column::Same(value, count), Cost::Unit) = (column, shape.cost) {
            let image = self.call_primitive(id, &[value])?;
            self.spend(*count as u64 - 1)?;
            return Ok(Column::Same(image, *count));
        }
        self.map_primitive(id, column.len(), |k, call| column.at(k, |x| call(&[x])))
    }

    /// A function of two arguments on columns of a length.
    fn map_two<'c>(&mut self, function: &Value, count: usize, a: Arg<'c, '_>, b: Arg<'c, '_>) -> Result<Column<'c>, Reason> {
        let Value::Primitive(id) = function else {
            let mut images = Column::empty();
            for k in 0..count {
                images.push_result(a.at(k, |x| b.at(k, |y| self.invoke(function, &[x, y]))))?;
            }
            return Ok(images);
        };
        let shape = table::shape(*id);
        if shape.arity != 2 {
            return Err(Reason::WrongArity);
        }
        if let (Arg::Fixed(x), Arg::Fixed(y), Cost::Unit) = (a, b, shape.cost) {
            let image = self.call_primitive(*id, &[x, y])?;
            self.spend(count as u64 - 1)?;
            return Ok(Column::Same(image, count));
        }
        if let Some(images) = scalar::binary(shape.scalar, count, a, b) {
            self.spend(scalar_cost(shape.cost, 2) * count as u64)?;
            return images;
        }
        self.map_primitive(*id, count, |k, call| a.at(k, |x| b.at(k, |y| call(&[x, y]))))
    }

    /// Calls a primitive `count` times; `with_args` passes on the arguments of each call.
    #[inline]
    fn map_primitive<'c>(
        &mut self,
        id: PrimId,
        count: usize,
        with_args: impl Fn(usize, &mut dyn FnMut(&[&Value]) -> Result<Value, Reason>) -> Result<Value, Reason>,
    ) -> Result<Column<'c>, Reason> {
        let mut images = Column::empty();
        for k in 0..count {
            images.push_result(with_args(k, &mut |args| self.call_primitive(id, args)))?;
        }
        Ok(images)
    }

    /// `apply` of a function to each of many pairs: the function on all their integers.
    fn map_over_pairs<'c>(&mut self, function: &Value, pairs: &[(i32, i32)]) -> Result<Column<'c>, Reason> {
        let numbers = Column::Ints(pairs.iter().flat_map(|&(a, b)| [i64::from(a), i64::from(b)]).collect());
        // What the calls of `apply` cost: one, and the weight of a function and of a pair, which is one each.
        self.spend(3 * pairs.len() as u64)?;
        let images = self.map_column(function, &numbers)?.two_by_two();
        self.spend(images.weight())?;
        Ok(images)
    }
}

/// What a call of a primitive costs whose arguments and value weigh one each.
fn scalar_cost(cost: Cost, args: u64) -> u64 {
    if cost == Cost::Unit { 1 } else { 1 + args + 1 }
}
