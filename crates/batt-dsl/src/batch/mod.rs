//! Calling one function on many items at once.
//!
//! A closure is taken apart once for all items: `compose(f, g)` on a column of items is `g` on the column, then `f` on what that
//! gave. Columns of integers, truth values, pairs and cells are kept unpacked from `Value`, and arithmetic on them is a plain loop.
//! Functions that such a function makes are a column too, and calling each of them on the items of a container is one long column
//! (`nested.rs`).
//!
//! The values and the fuel are those of calling the function on each item in turn. Only a failure is different, since it is found on
//! another item or call than one by one: then the fuel is put back, and the items are gone through in turn.

mod closures;
mod column;
mod members;
mod nested;
mod scalar;

pub(crate) use column::Column;
pub(crate) use scalar::ScalarOp;

use std::marker::PhantomData;

use batt_core::{Lower, Maker, PrimId, Reason, Value, lower_closure, lower_repeated};

use crate::machine::Machine;
use crate::{Cost, Prim, table};
use closures::Closures;
use column::Chunks;

/// Fewer items than this are called one by one.
const WORTHWHILE: usize = 6;

/// After so many batches that failed, one inside the other, items are called one by one: each failure costs what was done so far.
const PATIENCE: u32 = 2;

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

    fn fixed_if_same(self) -> Self {
        if let Self::Column(column) = self { Self::of(column) } else { self }
    }

    /// Gives the argument of one call to `with`.
    #[inline]
    fn at<R>(self, k: usize, with: impl FnOnce(&Value) -> R) -> R {
        match self {
            Self::Column(column) => column.at(k, with),
            Self::Fixed(value) => with(value),
        }
    }

    /// The arguments, each in a place of its own, if they are kept in fewer and are of a kind that there are loops for.
    fn expanded(self) -> Option<Column<'c>> {
        match self {
            Self::Column(column @ (Column::Repeated(items, _) | Column::Tiled(items, _))) if !matches!(**items, Column::Values(_)) => {
                Some(column.expanded())
            }
            _ => None,
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
            Self::Column(column) => column.part(0..count),
            Self::Fixed(value) => Column::Same(value.clone(), count),
        }
    }
}

impl Machine {
    /// A function of one argument on each item of a container.
    pub(crate) fn map(&mut self, function: &Value, container: &Value) -> Result<Column<'static>, Reason> {
        let mut images = Column::empty();
        let mut worthwhile = Worthwhile::Unknown;
        for part in Chunks::of(container).ok_or(Reason::WrongType)? {
            let together = |m: &mut Self| m.map_column(Arg::Fixed(function), &part);
            let in_turn = |m: &mut Self, k| part.at(k, |item| m.call(function, &[item]));
            self.add_images(&mut images, part.len(), worthwhile.decide(function, part.len()), together, in_turn)?;
        }
        Ok(images)
    }

    /// A function of two arguments on the items of two containers, side by side, as far as the shorter goes.
    pub(crate) fn map_pairs(&mut self, function: &Value, left: &Value, right: &Value) -> Result<Column<'static>, Reason> {
        let (left, right) = (Chunks::of(left).ok_or(Reason::WrongType)?, Chunks::of(right).ok_or(Reason::WrongType)?);
        let mut images = Column::empty();
        let mut worthwhile = Worthwhile::Unknown;
        for (left, right) in left.zip(right) {
            let count = left.len().min(right.len());
            let together = |m: &mut Self| m.map_two(Arg::Fixed(function), count, Arg::of(&left), Arg::of(&right));
            let in_turn = |m: &mut Self, k| left.at(k, |x| right.at(k, |y| m.call(function, &[x, y])));
            self.add_images(&mut images, count, worthwhile.decide(function, count), together, in_turn)?;
        }
        Ok(images)
    }

    /// A function of two arguments on each item of a container and a value that is the same for all.
    pub(crate) fn map_with(&mut self, function: &Value, container: &Value, right: &Value) -> Result<Column<'static>, Reason> {
        let mut images = Column::empty();
        let mut worthwhile = Worthwhile::Unknown;
        for part in Chunks::of(container).ok_or(Reason::WrongType)? {
            let together = |m: &mut Self| m.map_two(Arg::Fixed(function), part.len(), Arg::of(&part), Arg::Fixed(right));
            let in_turn = |m: &mut Self, k| part.at(k, |x| m.call(function, &[x, right]));
            self.add_images(&mut images, part.len(), worthwhile.decide(function, part.len()), together, in_turn)?;
        }
        Ok(images)
    }

    /// Adds what `count` calls give: made all together where that is worthwhile, and in turn where it is not or fails.
    fn add_images<'c>(
        &mut self,
        images: &mut Column<'static>,
        count: usize,
        worthwhile: bool,
        together: impl FnOnce(&mut Self) -> Result<Column<'c>, Reason>,
        in_turn: impl Fn(&mut Self, usize) -> Result<Value, Reason>,
    ) -> Result<(), Reason> {
        let mut failed = 0;
        if worthwhile && self.failed_batches < PATIENCE {
            let before = self.before();
            if let Ok(made) = self.deeper(together) {
                images.append(made);
                return Ok(());
            }
            self.take_back(before);
            failed = 1;
        }
        self.failed_batches += failed;
        let done = (0..count).try_for_each(|k| {
            let image = in_turn(self, k);
            images.push_result(image)
        });
        self.failed_batches -= failed;
        done
    }

    /// Does for `count` equal items what is done for one: the value is the same, and so is the fuel of each.
    fn once_for<T>(&mut self, count: usize, call: impl FnOnce(&mut Self) -> Result<T, Reason>) -> Result<T, Reason> {
        let before = self.fuel_left();
        let made = call(self)?;
        let spent = before - self.fuel_left();
        self.spend(spent.saturating_mul((count as u64).saturating_sub(1)))?;
        Ok(made)
    }

    /// Functions of one argument, or one for all, on the items of a column.
    fn map_column<'c>(&mut self, function: Arg<'c, '_>, column: &Column<'c>) -> Result<Column<'c>, Reason> {
        match (function, column) {
            (Arg::Fixed(_), Column::Repeated(items, times)) => {
                Ok(self.once_for(*times, |m| m.map_column(function, items))?.repeated(*times))
            }
            (Arg::Fixed(_), Column::Tiled(items, times)) => Ok(self.once_for(*times, |m| m.map_column(function, items))?.tiled(*times)),
            (Arg::Fixed(function), Column::Same(value, count)) => {
                Ok(Column::Same(self.once_for(*count, |m| m.invoke(function, &[value]))?, *count))
            }
            (Arg::Fixed(Value::Primitive(id)), _) => self.map_one(*id, column),
            (Arg::Fixed(Value::Closure(closure)), _) => match closure.parts() {
                _ if closure.arity() != 1 => Err(Reason::WrongArity),
                [a, b] => self.map_closure(closure.maker(), &[Arg::Fixed(a), Arg::Fixed(b)], column),
                [a, b, c] => self.map_closure(closure.maker(), &[Arg::Fixed(a), Arg::Fixed(b), Arg::Fixed(c)], column),
                _ => Err(Reason::WrongArity),
            },
            (Arg::Fixed(_), _) => Err(Reason::NotCallable),
            (Arg::Column(Column::Closures(closures)), _) if closures.arity == 1 => {
                let [a, b] = &closures.parts;
                self.map_closure(closures.maker, &[Arg::of(a), Arg::of(b)], column)
            }
            (Arg::Column(functions), _) => {
                let mut images = Column::empty();
                for k in 0..column.len() {
                    images.push_result(functions.at(k, |function| column.at(k, |item| self.invoke(function, &[item]))))?;
                }
                Ok(images)
            }
        }
    }

    /// Closures of one argument, given by their parts, on the items of a column.
    fn map_closure<'c>(&mut self, maker: Maker, parts: &[Arg<'c, '_>], column: &Column<'c>) -> Result<Column<'c>, Reason> {
        let mut columns = Columns { machine: self, count: column.len(), parts: PhantomData };
        lower_closure(&mut columns, maker, parts, &[Arg::Column(column)])
    }

    /// A primitive of one argument on a column.
    fn map_one<'c>(&mut self, id: PrimId, column: &Column<'c>) -> Result<Column<'c>, Reason> {
        let shape = table::shape(id);
        if shape.arity != 1 {
            return Err(Reason::WrongArity);
        }
        if let (ScalarOp::First | ScalarOp::Last, Column::Values(containers)) = (shape.scalar, column) {
            containers.iter().for_each(|container| self.order_matters_in(container));
        }
        if let Some(images) = scalar::unary(shape.scalar, column) {
            self.spend(scalar_cost(shape.cost, 1) * column.len() as u64)?;
            return images;
        }
        self.map_primitive(id, column.len(), |k, call| column.at(k, |x| call(&[x])))
    }

    /// Functions of two arguments, or one for all, on columns of a length.
    fn map_two<'c>(&mut self, function: Arg<'c, '_>, count: usize, a: Arg<'c, '_>, b: Arg<'c, '_>) -> Result<Column<'c>, Reason> {
        if let (Arg::Fixed(function), Arg::Fixed(x), Arg::Fixed(y)) = (function, a, b) {
            return Ok(Column::Same(self.once_for(count, |m| m.invoke(function, &[x, y]))?, count));
        }
        let Arg::Fixed(Value::Primitive(id)) = function else {
            let mut images = Column::empty();
            for k in 0..count {
                images.push_result(function.at(k, |function| a.at(k, |x| b.at(k, |y| self.invoke(function, &[x, y])))))?;
            }
            return Ok(images);
        };
        let shape = table::shape(*id);
        if shape.arity != 2 {
            return Err(Reason::WrongArity);
        }
        match shape.scalar {
            ScalarOp::None => {}
            ScalarOp::Makes(maker) => {
                if let Some(closures) = Self::make_closures(maker, count, a, b) {
                    self.spend(count as u64)?;
                    return Ok(Column::Closures(Box::new(closures)));
                }
            }
            ScalarOp::Extreme(wanted) => {
                if let (Arg::Fixed(container), Arg::Column(Column::Closures(closures))) = (a, b)
                    && (1..=nested::MOST_ITEMS).contains(&container.count().unwrap_or(0))
                {
                    return self.map_extremes(wanted, container, closures);
                }
            }
            ScalarOp::Select { in_both } => {
                if let (Arg::Column(sets), Arg::Fixed(other)) = (a, b)
                    && let Some(images) = self.map_selected(in_both, sets, other)
                {
                    return images;
                }
            }
            op => {
                let (plain_a, plain_b) = (a.expanded(), b.expanded());
                let (a, b) = (plain_a.as_ref().map_or(a, Arg::Column), plain_b.as_ref().map_or(b, Arg::Column));
                if let Some(images) = scalar::binary(op, count, a, b) {
                    self.spend(scalar_cost(shape.cost, 2) * count as u64)?;
                    return images;
                }
            }
        }
        self.map_primitive(*id, count, |k, call| a.at(k, |x| b.at(k, |y| call(&[x, y]))))
    }

    /// The functions that a maker of functions makes of two columns.
    fn make_closures<'c>(maker: Maker, count: usize, a: Arg<'c, '_>, b: Arg<'c, '_>) -> Option<Closures<'c>> {
        let arity = maker.arity(|| match a {
            Arg::Fixed(function) => Self::arity(function),
            Arg::Column(Column::Closures(closures)) => Some(closures.arity),
            Arg::Column(_) => None,
        })?;
        Closures::new(maker, arity, count, a, b)
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
        let images = self.deeper(|m| m.map_column(Arg::Fixed(function), &numbers))?.two_by_two();
        self.spend(images.weight())?;
        Ok(images)
    }
}

/// Calls on columns of a length.
struct Columns<'m, 'c, 'p> {
    machine: &'m mut Machine,
    count: usize,
    parts: PhantomData<Arg<'c, 'p>>,
}

impl<'c, 'p> Lower for Columns<'_, 'c, 'p> {
    type Part = Arg<'c, 'p>;
    type Arg<'a>
        = Arg<'c, 'a>
    where
        Self: 'a;
    type Output = Result<Column<'c>, Reason>;

    fn part<'a>(part: &'a Arg<'c, 'p>) -> Arg<'c, 'a>
    where
        Self: 'a,
    {
        *part
    }

    fn arg<'a>(made: &'a Self::Output) -> Result<Arg<'c, 'a>, Self::Output>
    where
        Self: 'a,
    {
        made.as_ref().map(Arg::Column).map_err(|reason| Err(*reason))
    }

    fn invoke<'a>(&mut self, function: &'a Arg<'c, 'p>, args: &[Arg<'c, 'a>]) -> Self::Output
    where
        Self: 'a,
    {
        match *args {
            [Arg::Column(column)] => self.machine.map_column(*function, column),
            [a, b] => match (*function, a.fixed_if_same(), b.fixed_if_same()) {
                (Arg::Fixed(Value::Primitive(id)), Arg::Fixed(inner), Arg::Column(Column::Pairs(pairs))) if *id == Prim::apply.into() => {
                    self.machine.map_over_pairs(inner, pairs)
                }
                (function, a, b) => self.machine.map_two(function, self.count, a, b),
            },
            _ => Err(Reason::WrongArity),
        }
    }

    fn equals(&mut self, made: Self::Output, target: &Arg<'c, 'p>) -> Self::Output {
        let images = made?;
        Ok(match target {
            Arg::Fixed(target) => images.equals(target),
            Arg::Column(targets) => {
                Column::Bools((0..self.count).map(|k| images.at(k, |image| targets.at(k, |target| image == target))).collect())
            }
        })
    }

    fn power<'a>(&mut self, function: &'a Arg<'c, 'p>, times: &'a Arg<'c, 'p>, args: &[Arg<'c, 'a>]) -> Self::Output
    where
        Self: 'a,
    {
        let Arg::Fixed(Value::Int(times)) = times else { return Err(Reason::WrongArity) };
        lower_repeated(self, function, *times, args)
    }

    fn wrong_arity(&mut self) -> Self::Output {
        Err(Reason::WrongArity)
    }
}

/// Whether calling a function on many items together is better than in turn.
#[derive(Clone, Copy)]
enum Worthwhile {
    Unknown,
    Known(bool),
}

impl Worthwhile {
    /// It is for more than a few items, unless the function goes through a long container for each of them: then that is where many
    /// items are called together.
    fn decide(&mut self, function: &Value, count: usize) -> bool {
        if count < WORTHWHILE {
            return false;
        }
        if let Self::Known(known) = self {
            return *known;
        }
        let known = !nested::goes_through_many(function);
        *self = Self::Known(known);
        known
    }
}

/// Fuel of a call of a primitive whose arguments and value weigh one each.
fn scalar_cost(cost: Cost, args: u64) -> u64 {
    if cost == Cost::Unit { 1 } else { 1 + args + 1 }
}
