//! Operators that add and remove calls: insert, wrap, delete.

use batt_core::PrimId;
use batt_dsl::{Family, Type, primitive};
use batt_program::{Operand, StepId};

use super::alternatives::may_give;
use super::attempt::Attempt;
use super::draft::MAX_ARGS;

impl Attempt<'_> {
    /// A call comes between a value and one of its uses.
    pub(super) fn insert(&mut self) -> Option<()> {
        let functions = self.parent.places.primitives.len();
        // A primitive that is a value is a use too: it may become part of a function that is made of it.
        let place = if functions > 0 && self.numbers.one_in(6) {
            *self.numbers.choose(&self.parent.places.primitives)?
        } else {
            self.some_place()?
        };
        if matches!(place, super::draft::Place::Call { slot: 0, .. }) && matches!(self.parent.draft.get(place), Operand::Primitive(_)) {
            return None;
        }
        let before = self.parent.calls_before(place);
        let inner = self.parent.draft.get(place);
        let made = self.call_around(inner, before, before, self.parent.wanted(place))?;
        self.draft.set(place, made);
        Some(())
    }

    /// A call comes around a call, for all its uses.
    pub(super) fn wrap(&mut self) -> Option<()> {
        let count = self.parent.draft.calls.len();
        let step = self.numbers.below(count) as u32;
        if count == 0 {
            return None;
        }
        let inner = Operand::Step(StepId(step));
        let ty = self.parent.type_of(inner);
        let after = step as usize + 1;
        let made = self.call_around(inner, step as usize, after, ty)?;
        let Operand::Step(id) = made else { return None };
        let kept = self.draft.calls[id.0 as usize];
        let helpers = self.parent.draft.calls.len()..self.draft.calls.len();
        let saved: Vec<_> = helpers.clone().map(|k| self.draft.calls[k]).collect();
        self.draft.replace_uses(step, made);
        // The new calls themselves go on using the value that they are around.
        for (k, call) in helpers.zip(saved) {
            self.draft.calls[k] = call;
        }
        self.draft.calls[id.0 as usize] = kept;
        Some(())
    }

    /// A call gives way to one of its arguments.
    pub(super) fn delete(&mut self) -> Option<()> {
        let parent = self.parent;
        let step = self.numbers.below(parent.draft.calls.len());
        let call = parent.draft.calls.get(step)?;
        let ty = parent.types[step].ty;
        let is_value = matches!(call.callee(), Operand::Step(_));
        let candidates = &call.operands()[usize::from(!is_value)..];
        let mut fitting = candidates.iter().filter(|&&operand| ty.is_never() || parent.type_of(operand).fits_filled(ty));
        let count = fitting.clone().count();
        let operand =
            if count == 0 { self.earlier_value(step, ty, Operand::Candidate)? } else { *fitting.nth(self.numbers.below(count))? };
        self.draft.replace_uses(step as u32, operand);
        Some(())
    }

    /// A new call at a position of the order with `inner` as one of its arguments, which may give what is wanted.
    fn call_around(&mut self, inner: Operand, before: usize, position: usize, wanted: Type) -> Option<Operand> {
        let ty = self.parent.type_of(inner);
        let (id, k) = (0..24).find_map(|_| self.primitive_around(ty, wanted))?;
        let row = primitive(id);
        let item = if takes_items(row.family) { ty.item() } else { ty };
        let mut position = position;
        let mut args = [inner; MAX_ARGS];
        for (other, arg) in args.iter_mut().enumerate().take(row.params.len()) {
            if other != k {
                *arg = self.argument(row, other, before, &mut position, item)?;
            }
        }
        self.add_call(&mut position, Operand::Primitive(id), &args[..row.params.len()])
    }

    /// A primitive that takes a type somewhere and may give another, and where it takes it.
    fn primitive_around(&mut self, ty: Type, wanted: Type) -> Option<(PrimId, usize)> {
        let id = *self.numbers.choose(self.words.rows())?;
        let row = primitive(id);
        if !may_give(row, wanted) {
            return None;
        }
        let k = self.numbers.below(row.params.len());
        ty.fits_filled(row.takes(k)).then_some((id, k))
    }
}

fn takes_items(family: Family) -> bool {
    matches!(family, Family::HigherOrder | Family::Rank)
}
