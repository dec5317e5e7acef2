//! Calling one function on many items at once.
//!
//! A closure is taken apart once for all items: `compose(f, g)` on a list is `g` on the list, then `f` on what that gave.
//! The values and the fuel are those of calling the function on each item in turn. Only a failure is different, since it is found on
//! another item or call than one by one: then the fuel is put back, and the items are gone through in turn.

use std::borrow::Cow;

use batt_core::{Closure, Maker, PrimId, Reason, Value, two_of};

use crate::machine::Machine;
use crate::{Cost, Prim, table};

/// Fewer items than this are called one by one.
const WORTHWHILE: usize = 12;

impl Machine {
    /// A function of one argument on each item.
    pub(crate) fn map(&mut self, function: &Value, items: &[Value]) -> Result<Vec<Value>, Reason> {
        if items.len() >= WORTHWHILE {
            let fuel = self.fuel_left();
            match self.map_all(function, items) {
                Ok(images) => return Ok(images.into_owned()),
                Err(_) => self.put_back(fuel),
            }
        }
        items.iter().map(|item| self.call(function, &[item])).collect()
    }

    /// A function of two arguments on the items of two lists of one length, side by side.
    pub(crate) fn map_pairs(&mut self, function: &Value, left: &[Value], right: &[Value]) -> Result<Vec<Value>, Reason> {
        if left.len() >= WORTHWHILE {
            let fuel = self.fuel_left();
            match self.map_two(function, left, right) {
                Ok(images) => return Ok(images),
                Err(_) => self.put_back(fuel),
            }
        }
        left.iter().zip(right).map(|(x, y)| self.call(function, &[x, y])).collect()
    }

    /// Borrows the items where the function gives them back.
    fn map_all<'a>(&mut self, function: &Value, items: &'a [Value]) -> Result<Cow<'a, [Value]>, Reason> {
        match function {
            Value::Primitive(id) if *id == PrimId::from(Prim::identity) => {
                self.spend(items.len() as u64)?;
                Ok(Cow::Borrowed(items))
            }
            Value::Primitive(id) => self.deeper(|m| m.map_primitive(*id, items.len(), |k| [&items[k]]).map(Cow::Owned)),
            Value::Closure(closure) => self.deeper(|m| m.map_closure(closure, items)),
            _ => Err(Reason::NotCallable),
        }
    }

    fn map_closure<'a>(&mut self, closure: &Closure, items: &'a [Value]) -> Result<Cow<'a, [Value]>, Reason> {
        match (closure.maker(), closure.parts()) {
            (Maker::Compose, [outer, inner]) => {
                let images = self.map_all(inner, items)?;
                Ok(Cow::Owned(self.map_all(outer, &images)?.into_owned()))
            }
            (Maker::Chain, [h, g, f]) => {
                let images = self.map_all(f, items)?;
                let images = self.map_all(g, &images)?;
                Ok(Cow::Owned(self.map_all(h, &images)?.into_owned()))
            }
            (Maker::Matcher, [function, target]) => {
                let images = self.map_all(function, items)?;
                Ok(images.iter().map(|image| Value::Bool(image == target)).collect())
            }
            (Maker::Fork, [outer, a, b]) => {
                let left = self.map_all(a, items)?;
                let right = self.map_all(b, items)?;
                Ok(Cow::Owned(self.map_two(outer, &left, &right)?))
            }
            (Maker::Rbind, [Value::Primitive(id), fixed]) if closure.arity() == 1 => {
                self.deeper(|m| m.map_primitive(*id, items.len(), |k| [&items[k], fixed]).map(Cow::Owned))
            }
            (Maker::Lbind, [Value::Primitive(id), function])
                if *id == Prim::apply.into() && items.iter().all(|item| matches!(item, Value::Pair(..))) =>
            {
                self.deeper(|m| m.map_over_pairs(function, items).map(Cow::Owned))
            }
            (Maker::Lbind, [Value::Primitive(id), fixed]) if closure.arity() == 1 => {
                self.deeper(|m| m.map_primitive(*id, items.len(), |k| [fixed, &items[k]]).map(Cow::Owned))
            }
            (Maker::Power, [function, Value::Int(n)]) => {
                let mut images = Cow::Borrowed(items);
                for _ in 0..*n {
                    images = Cow::Owned(self.map_all(function, &images)?.into_owned());
                }
                Ok(images)
            }
            _ => items.iter().map(|item| self.call_closure(closure, &[item])).collect(),
        }
    }

    /// `apply` of a function to each of many pairs: the function on all their integers.
    fn map_over_pairs(&mut self, function: &Value, pairs: &[Value]) -> Result<Vec<Value>, Reason> {
        let numbers: Vec<Value> = pairs.iter().filter_map(Value::as_pair).flat_map(|(a, b)| [Value::Int(a), Value::Int(b)]).collect();
        // What the calls of `apply` cost: one, and the weight of a function and of a pair, which is one each.
        self.spend(3 * pairs.len() as u64)?;
        let images = self.map_all(function, &numbers)?;
        let images: Vec<Value> = images.chunks_exact(2).map(|two| two_of(&two[0], &two[1])).collect();
        self.spend(images.iter().map(Value::weight).sum())?;
        Ok(images)
    }

    fn map_two(&mut self, function: &Value, left: &[Value], right: &[Value]) -> Result<Vec<Value>, Reason> {
        let count = left.len().min(right.len());
        match function {
            Value::Primitive(id) => self.deeper(|m| m.map_primitive(*id, count, |k| [&left[k], &right[k]])),
            _ => left.iter().zip(right).map(|(x, y)| self.call(function, &[x, y])).collect(),
        }
    }

    /// Calls a primitive `count` times, with the arguments that `args` gives for each call. What does not depend on them is looked up
    /// once.
    #[inline]
    fn map_primitive<'v, const N: usize>(
        &mut self,
        id: PrimId,
        count: usize,
        args: impl Fn(usize) -> [&'v Value; N],
    ) -> Result<Vec<Value>, Reason> {
        let shape = table::shape(id);
        if N != usize::from(shape.arity) {
            return Err(Reason::WrongArity);
        }
        let mut images = Vec::with_capacity(count);
        if shape.cost == Cost::Unit {
            self.spend(count as u64)?;
            let code = self.code(id);
            for k in 0..count {
                images.push(code(self, &args(k))?);
            }
        } else {
            for k in 0..count {
                images.push(self.call_primitive(id, &args(k))?);
            }
        }
        Ok(images)
    }
}
