//! Functions that are known when a program is added: which calls a call of them makes.

use batt_core::{Maker, PrimId, Value};
use batt_dsl::{maker, primitive};

use crate::graph::Graph;
use crate::node::{NodeId, NodeOp};

/// The most calls that one call is resolved into.
const MAX_CALLS: u32 = 200;
/// How deep functions that are resolved may be nested.
const MAX_NESTING: u32 = 32;
/// The most times that a function is repeated by `power` when it is resolved.
const MAX_POWER: i64 = 16;

/// A function of which it is known what it does.
#[derive(Clone, Copy)]
pub(crate) enum Known {
    /// A primitive.
    Primitive(PrimId),
    /// A function that a call of a maker gives, with the arguments of that call; what there is no third argument for is the first.
    Made(Maker, [NodeId; 3]),
    /// A function repeated so many times, at least twice.
    Repeated(NodeId, i64),
}

impl Graph {
    /// The function that a node is, if that is known.
    pub(crate) fn known(&self, mut function: NodeId) -> Option<Known> {
        loop {
            let (id, args) = match self.op(function)? {
                NodeOp::Constant(Value::Primitive(id)) => return Some(Known::Primitive(*id)),
                NodeOp::Call { primitive, args } => (*primitive, args),
                _ => return None,
            };
            let maker = maker(id)?;
            let &[first, second, ..] = &**args else { return None };
            if maker != Maker::Power {
                return Some(Known::Made(maker, [first, second, args.get(2).copied().unwrap_or(first)]));
            }
            match self.op(second)? {
                // The first power of a function is the function itself, which has a lower id.
                NodeOp::Constant(count) if count.as_int() == Some(1) => function = first,
                NodeOp::Constant(count) => {
                    return count.as_int().filter(|count| (2..=MAX_POWER).contains(count)).map(|count| Known::Repeated(first, count));
                }
                _ => return None,
            }
        }
    }

    /// Whether a call of a node with so many arguments can be resolved into calls, and not into too many.
    pub(crate) fn is_resolvable(&self, function: NodeId, arguments: usize) -> bool {
        let known = self.known(function).is_some_and(|known| self.arity(known, MAX_NESTING) == Some(arguments));
        known && self.count(function, arguments, MAX_NESTING, &mut { MAX_CALLS }).is_some()
    }

    /// The number of arguments that a function takes, as far as that is known without looking deeper than `nesting`.
    pub(crate) fn arity(&self, function: Known, nesting: u32) -> Option<usize> {
        let nesting = nesting.checked_sub(1)?;
        match function {
            Known::Primitive(id) => Some(primitive(id).params.len()),
            Known::Made(Maker::Rbind | Maker::Lbind, [inner, ..]) => Some(match self.arity(self.known(inner)?, nesting)? {
                2 => 1,
                3 => 2,
                // The reference takes every other function for one of four parameters.
                _ => 3,
            }),
            Known::Made(..) | Known::Repeated(..) => Some(1),
        }
    }

    /// The arity by which a function that is being resolved is called.
    pub(crate) fn fits(&self, function: Known, arguments: usize) -> bool {
        self.arity(function, MAX_NESTING) == Some(arguments)
    }

    /// Takes the calls that a call is resolved into from `calls`; none if there are too many or they are nested too deep.
    fn count(&self, function: NodeId, arguments: usize, nesting: u32, calls: &mut u32) -> Option<()> {
        let nesting = nesting.checked_sub(1)?;
        let one = |calls: &mut u32| {
            *calls = calls.checked_sub(1)?;
            Some(())
        };
        match self.known(function) {
            Some(known) if !self.fits(known, arguments) => one(calls),
            None | Some(Known::Primitive(_)) => one(calls),
            Some(Known::Made(maker, [f, g, h])) => match maker {
                Maker::Compose => {
                    self.count(g, 1, nesting, calls)?;
                    self.count(f, 1, nesting, calls)
                }
                Maker::Chain => {
                    self.count(h, 1, nesting, calls)?;
                    self.count(g, 1, nesting, calls)?;
                    self.count(f, 1, nesting, calls)
                }
                Maker::Fork => {
                    self.count(g, 1, nesting, calls)?;
                    self.count(h, 1, nesting, calls)?;
                    self.count(f, 2, nesting, calls)
                }
                Maker::Matcher => {
                    self.count(f, 1, nesting, calls)?;
                    one(calls)
                }
                Maker::Rbind | Maker::Lbind => self.count(f, arguments + 1, nesting, calls),
                Maker::Power => None,
            },
            Some(Known::Repeated(f, count)) => (0..count).try_for_each(|_| self.count(f, 1, nesting, calls)),
        }
    }
}
