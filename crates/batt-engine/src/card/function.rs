//! Functions that are known when a program is added: which calls a call of them makes.

use batt_core::{Lower, Maker, PrimId, Value, lower_closure, lower_repeated};
use batt_dsl::primitive;

use crate::card::graph::Graph;
use crate::card::node::{NodeId, NodeOp};

/// The most calls that one call is resolved into.
const MAX_CALLS: u32 = 200;
/// How deep functions that are resolved may be nested.
const MAX_NESTING: u32 = 32;
/// The most times that a function is repeated by `power` when it is resolved.
const MAX_POWER: i64 = 16;

/// A function of which it is known what it does.
#[derive(Clone, Copy)]
pub(crate) enum KnownFunction {
    /// A primitive.
    Primitive(PrimId),
    /// A function that a call of a maker gives, with the arguments of that call; what there is no third argument for is the first.
    Closure(Maker, [NodeId; 3]),
}

impl Graph {
    /// The function that a node is, if that is known.
    pub(crate) fn known(&self, mut function: NodeId) -> Option<KnownFunction> {
        loop {
            let (id, args) = match self.op(function)? {
                NodeOp::Constant(Value::Primitive(id)) => return Some(KnownFunction::Primitive(*id)),
                NodeOp::Call { primitive, args } => (*primitive, args),
                _ => return None,
            };
            let maker = primitive(id).maker()?;
            let &[first, second, ..] = &**args else { return None };
            match if maker == Maker::Power { self.times(second)? } else { 0 } {
                // The first power of a function is the function itself, which has a lower id.
                1 => function = first,
                0 | 2..=MAX_POWER => return Some(KnownFunction::Closure(maker, [first, second, args.get(2).copied().unwrap_or(first)])),
                _ => return None,
            }
        }
    }

    /// The number of times that a power repeats its function, at least once.
    pub(crate) fn times(&self, times: NodeId) -> Option<i64> {
        let NodeOp::Constant(times) = self.op(times)? else { return None };
        times.as_int().filter(|&times| times > 0)
    }

    /// Whether a call of a node with so many arguments can be resolved into calls, and not into too many.
    pub(crate) fn is_resolvable(&self, function: NodeId, arguments: usize) -> bool {
        let known = self.known(function).is_some_and(|known| self.arity(known, MAX_NESTING) == Some(arguments));
        known && Counter { graph: self, nesting: MAX_NESTING, calls: MAX_CALLS }.invoke(&function, &[(); 4][..arguments.min(4)]).is_some()
    }

    /// The number of arguments that a function takes, as far as that is known without looking deeper than `nesting`.
    pub(crate) fn arity(&self, function: KnownFunction, nesting: u32) -> Option<usize> {
        let nesting = nesting.checked_sub(1)?;
        match function {
            KnownFunction::Primitive(id) => Some(primitive(id).params.len()),
            KnownFunction::Closure(maker, [inner, ..]) => maker.arity(|| self.arity(self.known(inner)?, nesting)),
        }
    }

    /// The arity by which a function that is being resolved is called.
    pub(crate) fn fits(&self, function: KnownFunction, arguments: usize) -> bool {
        self.arity(function, MAX_NESTING) == Some(arguments)
    }
}

/// Counts the calls that a call is resolved into; gives none if there are too many or they are nested too deep.
struct Counter<'a> {
    graph: &'a Graph,
    nesting: u32,
    calls: u32,
}

impl Counter<'_> {
    fn one(&mut self) -> Option<()> {
        self.calls = self.calls.checked_sub(1)?;
        Some(())
    }
}

impl Lower for Counter<'_> {
    type Part = NodeId;
    type Arg<'a>
        = ()
    where
        Self: 'a;
    type Output = Option<()>;

    fn part<'a>(_: &'a NodeId)
    where
        Self: 'a,
    {
    }

    fn arg<'a>(made: &'a Option<()>) -> Result<(), Option<()>>
    where
        Self: 'a,
    {
        made.ok_or(None)
    }

    fn invoke<'a>(&mut self, function: &'a NodeId, args: &[()]) -> Option<()>
    where
        Self: 'a,
    {
        self.nesting = self.nesting.checked_sub(1)?;
        let counted = match self.graph.known(*function) {
            Some(known @ KnownFunction::Closure(maker, parts)) if self.graph.fits(known, args.len()) => {
                lower_closure(self, maker, &parts[..maker.parts()], args)
            }
            _ => self.one(),
        };
        self.nesting += 1;
        counted
    }

    fn equals(&mut self, made: Option<()>, _: &NodeId) -> Option<()> {
        made?;
        self.one()
    }

    fn power<'a>(&mut self, function: &'a NodeId, times: &'a NodeId, args: &[()]) -> Option<()>
    where
        Self: 'a,
    {
        let times = self.graph.times(*times)?;
        lower_repeated(self, function, times, args)
    }

    fn wrong_arity(&mut self) -> Option<()> {
        None
    }
}
