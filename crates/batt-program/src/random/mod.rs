//! Random programs that pass type inference, to compare executors with.
//!
//! Every primitive of the table is drawn. Functions come from the primitives that make them, and each argument has a type that its
//! parameter takes. The numbers come from the caller: same numbers, same programs.

mod functions;
mod leaves;

use std::sync::LazyLock;

use batt_core::{PrimId, Value};
use batt_dsl::{Family, Prim, Primitive, Returns, Type, primitive, primitives};

use crate::typing::DEMOS;
use crate::{Abstract, Inference, Operand, Params, Program, ProgramBuilder};

/// A random program of at most `max_steps` steps. To draw many, keep a [`Generator`].
pub fn random_program(rng: &mut impl FnMut() -> u64, max_steps: usize) -> Program {
    Generator::new().program(rng, max_steps)
}

/// Draws programs and keeps its memory in between.
pub struct Generator {
    draws_coarse: bool,
    inference: Inference,
    values: Vec<(Operand, Abstract)>,
    used: Vec<bool>,
}

impl Default for Generator {
    fn default() -> Self {
        Self::new()
    }
}

impl Generator {
    /// Draws every primitive; coarse ones, on images and with fitted rules, for one program in four.
    pub fn new() -> Self {
        Self { draws_coarse: true, inference: Inference::strict(), values: Vec::with_capacity(32), used: Vec::with_capacity(32) }
    }

    /// Draws no coarse primitives: devices have no code for any of them.
    pub fn for_devices() -> Self {
        Self { draws_coarse: false, ..Self::new() }
    }

    /// A random program of at most `max_steps` steps.
    pub fn program(&mut self, rng: &mut impl FnMut() -> u64, max_steps: usize) -> Program {
        self.inference.clear();
        self.values.clear();
        self.values.push((Operand::Input, Abstract::of(Type::SURE_GRID)));
        let params = if rng().is_multiple_of(3) { Params::DemosInputCandidate } else { Params::Input };
        if params == Params::DemosInputCandidate {
            self.values.push((Operand::Demos, Abstract::of(DEMOS)));
            self.values.push((Operand::Candidate, Abstract::of(Type::SURE_GRID)));
        }
        let first_step = self.values.len();
        self.used.clear();
        self.used.resize(self.values.len(), true);
        let builder = ProgramBuilder::new(params);
        let vocabulary: &Vocabulary = if self.draws_coarse && rng().is_multiple_of(4) { &EVERYTHING } else { &FINE };
        Draft {
            rng,
            vocabulary,
            inference: &mut self.inference,
            values: &mut self.values,
            used: &mut self.used,
            builder,
            params,
            first_step,
            max_steps,
        }
        .program()
    }
}

/// The primitives that are drawn, by number of parameters, and those that always give a grid or images.
struct Vocabulary {
    all: Vec<PrimId>,
    by_arity: [Vec<PrimId>; 5],
    grids: Vec<PrimId>,
    splits: Vec<PrimId>,
}

static EVERYTHING: LazyLock<Vocabulary> = LazyLock::new(|| Vocabulary::of(|_| true));
static FINE: LazyLock<Vocabulary> = LazyLock::new(|| Vocabulary::of(|row| !matches!(row.family, Family::Image | Family::Rule)));

/// The literals of the golden examples of primitives with fitted rules: no random tuple is a rule.
static RULES: LazyLock<Vec<(PrimId, Vec<Option<Value>>)>> = LazyLock::new(|| {
    let literals = |row: &Primitive| {
        let program = crate::parse_expression(row.example.call).ok()?;
        let arguments = program.step_args(program.steps().last()?);
        let literal = |operand: &Operand| if let Operand::Literal(id) = operand { Some(program.literal(*id).clone()) } else { None };
        Some(arguments.iter().map(literal).collect())
    };
    primitives().filter(|(_, row)| row.family == Family::Rule).filter_map(|(id, row)| Some((id, literals(row)?))).collect()
});

impl Vocabulary {
    fn of(is_drawn: impl Fn(&Primitive) -> bool) -> Self {
        let having = |keep: &dyn Fn(&Primitive) -> bool| -> Vec<PrimId> {
            primitives().filter(|(_, row)| is_drawn(row) && keep(row)).map(|(id, _)| id).collect()
        };
        Self {
            all: having(&|_| true),
            by_arity: std::array::from_fn(|arity| having(&|row| row.params.len() == arity)),
            grids: having(&|row| row.returns == Returns::Always(Type::GRID)),
            splits: having(&|row| row.image.is_some() && row.params[0].takes == Type::GRID && row.returns == Returns::Always(Type::TUPLE)),
        }
    }
}

/// A program while it is drawn.
struct Draft<'a, R> {
    rng: &'a mut R,
    vocabulary: &'static Vocabulary,
    inference: &'a mut Inference,
    values: &'a mut Vec<(Operand, Abstract)>,
    /// Whether a call uses a value.
    used: &'a mut Vec<bool>,
    builder: ProgramBuilder,
    params: Params,
    /// The place of the first step among the values.
    first_step: usize,
    max_steps: usize,
}

/// An operand and what is known of it.
type Drawn = (Operand, Abstract);

impl<R: FnMut() -> u64> Draft<'_, R> {
    fn program(mut self) -> Program {
        let first = self.first_step;
        if self.max_steps > 0 {
            // The last step is kept for a grid.
            let goal = self.below(self.max_steps);
            let mut attempts = 4 * self.max_steps + 8;
            while self.builder.len() < goal && attempts > 0 {
                attempts -= 1;
                let id = self.choose(&self.vocabulary.all);
                self.step(id);
            }
            for _ in 0..8 {
                let found = self.values[first..].last().is_some_and(|(_, value)| is_grid(value.ty)) && !self.one_in(4);
                if found || self.builder.len() >= self.max_steps {
                    break;
                }
                let id = self.choose(&self.vocabulary.grids);
                self.step(id);
            }
        }
        let output = self.output(first);
        let Self { builder, params, .. } = self;
        builder.finish("random", output).unwrap_or_else(|_| fallback(params))
    }

    /// A step that gives a grid, mostly the last one; else any value.
    fn output(&mut self, first: usize) -> Operand {
        let steps = &self.values[first..];
        let grids = steps.iter().rev().filter(|(_, value)| is_grid(value.ty));
        let skipped = usize::from((self.rng)().is_multiple_of(8));
        let grid = grids.clone().nth(skipped).or_else(|| grids.clone().next());
        grid.or(steps.last()).map_or(Operand::Input, |&(operand, _)| operand)
    }

    fn below(&mut self, n: usize) -> usize {
        // The upper half of a product is uniform enough, and cheaper than a remainder.
        ((u128::from((self.rng)()) * n as u128) >> 64) as usize
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn choose<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// Whether so many more steps may be made.
    fn room(&self, steps: usize) -> bool {
        self.builder.len() + steps <= self.max_steps
    }

    /// Adds a call, unless its type says that it cannot work.
    fn call(&mut self, callee: Drawn, args: &[Drawn]) -> Option<Drawn> {
        if !self.room(1) {
            return None;
        }
        let mut operands = [Operand::Input; 4];
        let mut types = [Abstract::NEVER; 4];
        for (k, &(operand, ty)) in args.iter().enumerate().take(4) {
            operands[k] = operand;
            types[k] = ty;
        }
        let value = self.inference.call(callee.1, types.get(..args.len())?);
        if value.ty.is_never() {
            return None;
        }
        let operand = self.builder.call(callee.0, operands.get(..args.len())?).ok()?;
        for &(used, _) in args.iter().chain([&callee]) {
            if let Operand::Step(id) = used {
                let place = self.first_step + id.0 as usize;
                self.used[place] = true;
            }
        }
        self.values.push((operand, value));
        self.used.push(false);
        Some((operand, value))
    }

    fn call_primitive(&mut self, id: impl Into<PrimId>, args: &[Drawn]) -> Option<Drawn> {
        let id = id.into();
        self.call((Operand::Primitive(id), Abstract::primitive(id)), args)
    }

    /// Tries to add a call of a primitive.
    fn step(&mut self, id: PrimId) -> Option<Drawn> {
        if self.one_in(24) {
            return self.indirect_call();
        }
        let row = primitive(id);
        if row.maker().is_some() {
            let domain = self.domain();
            return self.make_with(id, domain, 2);
        }
        let mut args = [(Operand::Input, Abstract::NEVER); 4];
        if row.family == Family::Rule && !self.one_in(8) {
            return self.example_of_rule(id);
        }
        // Functions come last: what they are called on must be known.
        for pass in 0..2 {
            for k in 0..row.params.len() {
                let is_function = row.params[k].takes == Type::FUNCTION;
                if is_function == (pass == 1) {
                    args[k] = if is_function { self.function_argument(row, &args)? } else { self.argument(row, k, &args)? };
                }
            }
        }
        self.call_primitive(id, &args[..row.params.len()])
    }

    /// A call with the rules of the golden example, on a grid of the program or of the example.
    fn example_of_rule(&mut self, id: PrimId) -> Option<Drawn> {
        let (_, literals) = RULES.iter().find(|(rule, _)| *rule == id)?;
        let mut args = [(Operand::Input, Abstract::NEVER); 4];
        for (k, literal) in literals.iter().enumerate().take(4) {
            args[k] = match literal {
                Some(value) if k > 0 || self.one_in(4) => self.literal(value.clone())?,
                _ => self.some_value(Type::SURE_GRID)?,
            };
        }
        self.call_primitive(id, &args[..literals.len().min(4)])
    }

    /// A call of a function that is a value.
    fn indirect_call(&mut self) -> Option<Drawn> {
        let argument = self.some_value(Type::ANY)?;
        let function = self.function(argument.1.ty, 3)?;
        self.call(function, &[argument])
    }

    /// An argument that is no function, or may be anything.
    fn argument(&mut self, row: &Primitive, k: usize, args: &[Drawn; 4]) -> Option<Drawn> {
        let takes = row.takes(k);
        if row.takes_functions(k) {
            return self.functions(takes);
        }
        if row.image.is_some() && takes == Type::TUPLE && !self.one_in(8) {
            return self.images();
        }
        if row.takes_demos(k) {
            if self.params == Params::DemosInputCandidate && !self.one_in(16) {
                return Some((Operand::Demos, Abstract::of(DEMOS)));
            }
            if !self.one_in(16) {
                return None;
            }
        }
        // Two grids or patches that have something to do with each other make more of a call.
        if k > 0 && args[0].1.ty.within(takes) && takes.is_container() && self.one_in(6) {
            return Some(args[0]);
        }
        if (takes != Type::INTEGER || self.one_in(2))
            && let Some(value) = self.some_value_like(takes, row.params[k].takes.intended())
        {
            return Some(value);
        }
        self.leaf(takes, row, k)
    }

    /// One of the values so far, rather a recent one.
    fn some_value(&mut self, takes: Type) -> Option<Drawn> {
        self.some_value_like(takes, Type::ANY)
    }

    /// One of the values so far, rather a recent one that nothing uses yet, of a type that has something of `preferred`.
    fn some_value_like(&mut self, takes: Type, preferred: Type) -> Option<Drawn> {
        let count = self.values.len();
        // Now and then a value of which it is not known that it fits will do.
        if self.one_in(12) {
            let k = self.below(count);
            let value = self.values[k];
            return value.1.ty.fits_filled(takes).then_some(value);
        }
        let fits = |ty: Type| ty.within(takes) && ty.fits_filled(preferred);
        if !self.one_in(3) {
            let unused = (self.first_step..count).rev().take(8).find(|&k| !self.used[k] && fits(self.values[k].1.ty));
            if let Some(k) = unused {
                return Some(self.values[k]);
            }
        }
        for _ in 0..6 {
            let k = if self.one_in(3) { self.below(count) } else { count - 1 - self.below(count.min(4)) };
            if fits(self.values[k].1.ty) {
                return Some(self.values[k]);
            }
        }
        None
    }

    /// A type that a function may be made for: that of a value, or of its items.
    fn domain(&mut self) -> Type {
        let k = self.below(self.values.len());
        let ty = self.values[k].1.ty;
        let item = ty.item();
        match self.below(3) {
            _ if ty.is_never() => Type::SURE_GRID,
            0 if !item.is_never() => item,
            1 => self.choose(&[Type::OBJECT, Type::INDICES, Type::INTEGER, Type::PAIR, Type::SURE_GRID, Type::CELL, Type::OBJECTS]),
            _ => ty,
        }
    }

    /// The function argument of a primitive whose other arguments are drawn.
    fn function_argument(&mut self, row: &Primitive, args: &[Drawn; 4]) -> Option<Drawn> {
        let item = |k: usize| row.given(k, args[k].1.ty).item();
        match row.returns {
            Returns::AppliedPairs | Returns::AppliedPairsMerged | Returns::AppliedProduct => self.function_of_two(item(1), item(2)),
            Returns::AppliedMerged => self.container_function(item(1), 3),
            Returns::Applied => self.function(item(1), 3),
            // The first function looks at grids; the last picks from what it found.
            Returns::Picked if args[2].1.ty.is_never() && args[1].1.ty == Type::FUNCTION => self.function(Type::INTEGERS, 1),
            Returns::Picked => self.container_function(Type::SURE_GRID, 2),
            Returns::Always(_) if row.takes_demos(0) => self.container_function(Type::SURE_GRID, 2),
            _ => self.function(item(0), 3),
        }
    }

    /// A tuple of images.
    fn images(&mut self) -> Option<Drawn> {
        let id = self.choose(&self.vocabulary.splits);
        self.step(id)
    }

    /// A container of functions of one value.
    fn functions(&mut self, takes: Type) -> Option<Drawn> {
        let domain = self.domain();
        let (f, g) = (self.function(domain, 2)?, self.function(domain, 2)?);
        if Type::SET.fits(takes) && (!Type::TUPLE.fits(takes) || self.one_in(3)) {
            let one = self.call_primitive(Prim::initset, &[f])?;
            return self.call_primitive(Prim::insert, &[g, one]);
        }
        self.call_primitive(Prim::astuple, &[f, g])
    }
}

fn is_grid(ty: Type) -> bool {
    ty.within(Type::GRID)
}

/// A program that gives its input.
fn fallback(params: Params) -> Program {
    ProgramBuilder::new(params).finish_at("random", crate::Span::default(), (Operand::Input, crate::Span::default()), None)
}
