//! Random functions for a given domain.

use batt_core::{Maker, PrimId};
use batt_dsl::{Prim, Primitive, Type, primitive};

use super::{Draft, Drawn};
use crate::{Abstract, Operand};

/// The primitives that make functions of one argument, as often as they are to be drawn.
const MAKERS: [Prim; 12] = [
    Prim::compose,
    Prim::compose,
    Prim::chain,
    Prim::fork,
    Prim::fork,
    Prim::matcher,
    Prim::rbind,
    Prim::rbind,
    Prim::lbind,
    Prim::lbind,
    Prim::power,
    Prim::branch,
];

impl<R: FnMut() -> u64> Draft<'_, R> {
    /// A function for values of a type: a primitive, an earlier value, or a new closure of at most `depth` nested makers.
    pub(super) fn function(&mut self, domain: Type, depth: u32) -> Option<Drawn> {
        if domain.is_never() {
            return self.function(Type::SURE_GRID, depth);
        }
        if self.one_in(8)
            && let Some(known) = self.known_function(domain)
        {
            return Some(known);
        }
        if depth > 0 && self.room(2) && self.one_in(2) {
            let maker = self.choose(&MAKERS);
            if let Some(made) = self.make_with(maker.into(), domain, depth) {
                return Some(made);
            }
        }
        Some(self.primitive_of(domain))
    }

    /// A function, with a container as its value if one is found.
    pub(super) fn container_function(&mut self, domain: Type, depth: u32) -> Option<Drawn> {
        for _ in 0..6 {
            let function = self.function(domain, depth)?;
            if self.inference.call(function.1, &[Abstract::of(domain)]).ty.is_container() {
                return Some(function);
            }
        }
        None
    }

    /// A function of two arguments.
    pub(super) fn function_of_two(&mut self, first: Type, second: Type) -> Option<Drawn> {
        if self.room(2) && self.one_in(4) {
            let left = self.one_in(2);
            for _ in 0..12 {
                let id = self.choose(&self.vocabulary.by_arity[3]);
                let row = primitive(id);
                let (fixed, a, b) = if left { (0, 1, 2) } else { (2, 0, 1) };
                if first.within(row.takes(a)) && second.within(row.takes(b)) {
                    let fixed = self.fixed(row, fixed, first)?;
                    return self.call_primitive(if left { Prim::lbind } else { Prim::rbind }, &[as_value(id), fixed]);
                }
            }
        }
        for _ in 0..24 {
            let id = self.choose(&self.vocabulary.by_arity[2]);
            let row = primitive(id);
            if first.within(row.takes(0)) && second.within(row.takes(1)) {
                return Some(as_value(id));
            }
        }
        Some(as_value(if self.one_in(2) { Prim::astuple } else { Prim::equality }.into()))
    }

    /// A function made by a primitive, for a domain.
    pub(super) fn make_with(&mut self, maker: PrimId, domain: Type, depth: u32) -> Option<Drawn> {
        let depth = depth.checked_sub(1)?;
        let args: &[Drawn] = match primitive(maker).maker() {
            Some(Maker::Compose) => {
                let inner = self.function(domain, depth)?;
                let image = self.image(inner, domain);
                &[self.function(image, depth)?, inner]
            }
            Some(Maker::Chain) => {
                let inner = self.function(domain, depth)?;
                let middle_domain = self.image(inner, domain);
                let middle = self.function(middle_domain, depth)?;
                let outer_domain = self.image(middle, middle_domain);
                &[self.function(outer_domain, depth)?, middle, inner]
            }
            Some(Maker::Fork) => {
                let (a, b) = (self.function(domain, depth)?, self.function(domain, depth)?);
                let (left, right) = (self.image(a, domain), self.image(b, domain));
                &[self.function_of_two(left, right)?, a, b]
            }
            Some(Maker::Matcher) => {
                let function = self.function(domain, depth)?;
                let image = self.image(function, domain);
                &[function, self.some_value(image).or_else(|| self.leaf(image, primitive(maker), 1))?]
            }
            Some(Maker::Power) => {
                let function = self.function(domain, depth)?;
                if !self.image(function, domain).fits_filled(domain) {
                    return None;
                }
                &[function, self.leaf(Type::INTEGER, primitive(maker), 1)?]
            }
            None => {
                let (a, b) = (self.function(domain, depth)?, self.function(domain, depth)?);
                &[self.some_value(Type::BOOLEAN).or_else(|| self.leaf(Type::BOOLEAN, primitive(maker), 0))?, a, b]
            }
            Some(Maker::Lbind) => return self.bind(maker, domain, true),
            Some(Maker::Rbind) => return self.bind(maker, domain, false),
        };
        let made = self.call_primitive(maker, args)?;
        self.works_on(made, domain)
    }

    /// A primitive of two arguments, or of three, of which all but one are fixed.
    fn bind(&mut self, maker: PrimId, domain: Type, left: bool) -> Option<Drawn> {
        if self.room(3) && self.one_in(5) {
            return self.bind_twice(maker, domain, left);
        }
        for _ in 0..16 {
            let id = self.choose(&self.vocabulary.by_arity[2]);
            let row = primitive(id);
            let (fixed, free) = if left { (0, 1) } else { (1, 0) };
            if domain.within(row.takes(free)) {
                let fixed = self.fixed(row, fixed, domain)?;
                let made = self.call_primitive(maker, &[as_value(id), fixed])?;
                return self.works_on(made, domain);
            }
        }
        None
    }

    fn bind_twice(&mut self, maker: PrimId, domain: Type, left: bool) -> Option<Drawn> {
        for _ in 0..16 {
            let id = self.choose(&self.vocabulary.by_arity[3]);
            let row = primitive(id);
            let (first, second, free) = if left { (0, 1, 2) } else { (2, 1, 0) };
            if domain.within(row.takes(free)) {
                let first = self.fixed(row, first, domain)?;
                let second = self.fixed(row, second, domain)?;
                let bound = self.call_primitive(maker, &[as_value(id), first])?;
                let made = self.call_primitive(maker, &[bound, second])?;
                return self.works_on(made, domain);
            }
        }
        None
    }

    /// A value for a parameter of a function that is to be called on `domain` otherwise.
    fn fixed(&mut self, row: &Primitive, k: usize, domain: Type) -> Option<Drawn> {
        let takes = row.takes(k);
        if takes == Type::FUNCTION {
            return self.function(domain.item(), 1);
        }
        if row.takes_functions(k) {
            return None;
        }
        if takes == Type::INTEGER && self.one_in(2) {
            return self.leaf(takes, row, k);
        }
        self.some_value(takes).or_else(|| self.leaf(takes, row, k))
    }

    /// A primitive of one argument.
    fn primitive_of(&mut self, domain: Type) -> Drawn {
        for _ in 0..24 {
            let id = self.choose(&self.vocabulary.by_arity[1]);
            if domain.within(primitive(id).takes(0)) {
                return as_value(id);
            }
        }
        as_value(Prim::identity.into())
    }

    /// A function among the values so far that can be called on a domain.
    fn known_function(&mut self, domain: Type) -> Option<Drawn> {
        for _ in 0..4 {
            let k = self.below(self.values.len());
            let value = self.values[k];
            if value.1.function.is_some() && value.1.ty == Type::FUNCTION {
                return self.works_on(value, domain);
            }
        }
        None
    }

    /// The function, if it can be called on a domain.
    fn works_on(&mut self, function: Drawn, domain: Type) -> Option<Drawn> {
        (!self.image(function, domain).is_never()).then_some(function)
    }

    fn image(&mut self, function: Drawn, domain: Type) -> Type {
        self.inference.call(function.1, &[Abstract::of(domain)]).ty
    }
}

fn as_value(id: PrimId) -> Drawn {
    (Operand::Primitive(id), Abstract::primitive(id))
}
