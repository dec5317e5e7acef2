//! One look at a draft: whether it is well-typed, and its canonical hash.

use batt_core::Value;
use batt_dsl::{Family, Primitive, Type, primitive, with_cells};
use batt_program::{Abstract, Function, Inference, Operand};
use rustc_hash::FxHashMap;

use super::draft::{Call, Draft, MAX_ARGS};
use super::hash;

/// The type of the demo pairs.
const DEMOS: Type = Type::two(Type::SURE_GRID, Type::SURE_GRID).in_tuple();

/// Looks at drafts, and keeps its memory in between. What it found last can be read until it looks again.
#[derive(Clone, Debug)]
pub(super) struct Screen {
    inference: Inference,
    /// Inferred type of each call, by its number.
    pub(super) types: Vec<Abstract>,
    hashes: Vec<u64>,
    live: Vec<bool>,
    /// For each call that the output needs the call that is kept for it.
    pub(super) stands_for: Vec<Option<u32>>,
    first_with: FxHashMap<u64, u32>,
}

impl Default for Screen {
    fn default() -> Self {
        Self {
            inference: Inference::strict(),
            types: Vec::new(),
            hashes: Vec::new(),
            live: Vec::new(),
            stands_for: Vec::new(),
            first_with: FxHashMap::default(),
        }
    }
}

/// Properties of a draft.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScreenResult {
    /// Whether every call that the output needs can work, and the output can be a grid.
    pub(super) well_typed: bool,
    /// Ignores dead calls, the order of calls, repeated calls and the order of commutative arguments.
    pub(super) hash: u64,
    /// The calls that are kept.
    pub(super) steps: usize,
}

impl Screen {
    /// Looks at a draft to the end.
    pub(super) fn look(&mut self, draft: &Draft) -> ScreenResult {
        self.look_at(draft, false).unwrap_or(ScreenResult { well_typed: false, hash: 0, steps: 0 })
    }

    /// Looks at a draft until something is wrong; then `None`.
    pub(super) fn pass(&mut self, draft: &Draft) -> Option<ScreenResult> {
        self.look_at(draft, true).filter(|seen| seen.well_typed)
    }

    fn look_at(&mut self, draft: &Draft, give_up: bool) -> Option<ScreenResult> {
        self.inference.clear();
        draft.mark_live(&mut self.live);
        let count = draft.calls.len();
        self.types.clear();
        self.types.resize(count, Abstract::NEVER);
        self.hashes.clear();
        self.hashes.resize(count, 0);
        self.stands_for.clear();
        self.stands_for.resize(count, None);
        self.first_with.clear();
        let has_new_calls = count > draft.original;
        let mut well_typed = true;
        let (mut steps, mut merged) = (0, false);
        for &number in &draft.order {
            let index = number as usize;
            if !self.live[index] {
                continue;
            }
            let fits = self.call(draft, index, &draft.calls[index]);
            if !fits && give_up {
                return None;
            }
            well_typed &= fits;
            let kept = if has_new_calls { self.first_equal(draft, number) } else { number };
            self.stands_for[index] = Some(kept);
            steps += 1;
            merged |= kept != number;
        }
        if merged {
            steps = self.drop_unused(draft);
        }
        let (output, hash) = self.operand(draft, draft.output());
        well_typed &= output.ty.fits_filled(Type::GRID);
        Some(ScreenResult { well_typed, hash, steps })
    }

    /// The call that a call stands for: the first equal one if one of the two is new. Equal calls that were there from the beginning stay
    /// two: one more change makes them differ.
    fn first_equal(&mut self, draft: &Draft, number: u32) -> u32 {
        let first = *self.first_with.entry(self.hashes[number as usize]).or_insert(number);
        let is_new = |number: u32| number as usize >= draft.original;
        if is_new(first) || is_new(number) { first } else { number }
    }

    /// Drops calls that only replaced calls need, and counts the others.
    fn drop_unused(&mut self, draft: &Draft) -> usize {
        self.live.fill(false);
        let mark = |live: &mut [bool], stands_for: &[Option<u32>], operand: Operand| {
            if let Operand::Step(id) = operand
                && let Some(kept) = stands_for[id.0 as usize]
            {
                live[kept as usize] = true;
            }
        };
        mark(&mut self.live, &self.stands_for, draft.output());
        let mut left = 0;
        for &number in draft.order.iter().rev() {
            let index = number as usize;
            if self.live[index] {
                left += 1;
                for &operand in draft.calls[index].operands() {
                    mark(&mut self.live, &self.stands_for, operand);
                }
            } else if self.stands_for[index] == Some(number) {
                self.stands_for[index] = None;
            }
        }
        left
    }

    /// Finds the type and hash of a call, and whether it can work.
    fn call(&mut self, draft: &Draft, index: usize, call: &Call) -> bool {
        let mut args = [Abstract::NEVER; MAX_ARGS];
        let mut hashes = [0; MAX_ARGS];
        let count = call.args().len();
        for (k, &operand) in call.args().iter().enumerate() {
            (args[k], hashes[k]) = self.operand(draft, operand);
        }
        let (args, hashes) = (&args[..count], &mut hashes[..count]);
        let (callee, callee_hash) = self.operand(draft, call.callee());
        let value = self.inference.call(callee, args);
        let mut fits = !value.ty.is_never();
        if let Operand::Primitive(id) = call.callee() {
            let row = primitive(with_cells(id, draft.cells));
            fits = fits && self.function_fits(row, args);
            if let ([a, b], true) = (&mut *hashes, row.flags.commutative)
                && *b < *a
                && may_change_places(args[0].ty, row.takes(0))
                && may_change_places(args[1].ty, row.takes(1))
            {
                std::mem::swap(a, b);
            }
        } else {
            fits = fits && callee.ty.may_be_function() && self.arity_fits(callee.function, count);
        }
        self.types[index] = value;
        self.hashes[index] = hashes.iter().fold(hash::mixed(callee_hash, count as u64), |state, &arg| hash::mixed(state, arg));
        fits
    }

    /// Whether the function that looks at the items of a container can be called on them.
    fn function_fits(&mut self, row: &Primitive, args: &[Abstract]) -> bool {
        let looks_at_items = matches!(row.family, Family::HigherOrder | Family::Rank);
        let (true, Some(k)) = (looks_at_items, row.params.iter().position(|param| param.takes == Type::FUNCTION)) else { return true };
        // Where the function comes first, the type of the call comes from what it gives.
        k == 0 || {
            let item = row.given(0, args[0].ty).item();
            !self.inference.call(args[k], &[Abstract::of(item)]).ty.is_never()
        }
    }

    fn arity_fits(&self, function: Option<Function>, given: usize) -> bool {
        function.and_then(|function| self.inference.arity(function)).is_none_or(|arity| arity == given)
    }

    fn operand(&self, draft: &Draft, operand: Operand) -> (Abstract, u64) {
        match operand {
            Operand::Input => (Abstract::of(Type::SURE_GRID), 11),
            Operand::Candidate => (Abstract::of(Type::SURE_GRID), 12),
            Operand::Demos => (Abstract::of(DEMOS), 13),
            Operand::Step(id) => (self.types[id.0 as usize], self.hashes[id.0 as usize]),
            Operand::Constant(id) => {
                let value = id.value();
                (Abstract::of(constant_type(&value)), hash::of_value(&value))
            }
            Operand::Literal(id) => {
                let value = &draft.literals[id.0 as usize];
                (Abstract::of(Type::of_value(value)), hash::of_value(value))
            }
            Operand::Primitive(id) => {
                let id = with_cells(id, draft.cells);
                (Abstract::primitive(id), hash::of_primitive(id))
            }
        }
    }
}

/// Inferred type of an operand; of a step, from the types of all steps.
pub(super) fn operand_type(draft: &Draft, types: &[Abstract], operand: Operand) -> Type {
    match operand {
        Operand::Input | Operand::Candidate => Type::SURE_GRID,
        Operand::Demos => DEMOS,
        Operand::Step(id) => types.get(id.0 as usize).map_or(Type::ANY, |known| known.ty),
        Operand::Constant(id) => constant_type(&id.value()),
        Operand::Literal(id) => Type::of_value(&draft.literals[id.0 as usize]),
        Operand::Primitive(_) => Type::FUNCTION,
    }
}

/// An integer constant may stand where a truth value is wanted.
fn constant_type(value: &Value) -> Type {
    match value {
        Value::Int(_) => Type::INTEGER,
        _ => Type::of_value(value),
    }
}

/// Whether the order of arguments does not matter beyond doubt; the card goes by the same rule.
fn may_change_places(ty: Type, takes: Type) -> bool {
    if takes.is_container() { ty.within(const { Type::INDICES.or(Type::OBJECT) }) } else { ty.within(takes) }
}
