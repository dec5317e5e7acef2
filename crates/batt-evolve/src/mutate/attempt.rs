//! One attempt at an offspring: what the operators work with.

use std::sync::Arc;

use batt_core::Maker;
use batt_dsl::{Prim, Primitive, Range, Returns, Type, primitive};
use batt_program::{Operand, StepId};

use super::alternatives::Words;
use super::choices::{Choice, list_fresh};
use super::draft::{Call, Draft, Place};
use super::{Numbers, Operator, TaskFacts, TypedProgram};

/// The programs that parts are taken from.
#[derive(Clone, Copy, Debug, Default)]
pub struct Donors<'a> {
    /// Other programs of the same task, for [`Operator::Crossover`].
    pub mates: &'a [Arc<TypedProgram>],
    /// Programs that fit other tasks, for [`Operator::Graft`].
    pub fitting: &'a [Arc<TypedProgram>],
}

/// An offspring that is being made. An operator answers `None` if it cannot do anything with what it drew.
pub(super) struct Attempt<'a> {
    pub(super) parent: &'a TypedProgram,
    pub(super) donors: Donors<'a>,
    pub(super) facts: &'a TaskFacts,
    pub(super) numbers: &'a mut Numbers,
    pub(super) draft: &'a mut Draft,
    pub(super) choices: &'a mut Vec<Choice>,
    pub(super) words: Words,
    pub(super) max_steps: usize,
}

impl Attempt<'_> {
    /// Changes the draft, which is a copy of the parent, by an operator.
    pub(super) fn apply(&mut self, operator: Operator) -> Option<()> {
        match operator {
            Operator::Constant => self.constant(),
            Operator::Primitive => self.primitive(),
            Operator::Variable => self.variable(),
            Operator::Insert => self.insert(),
            Operator::Delete => self.delete(),
            Operator::Wrap => self.wrap(),
            Operator::Crossover => self.crossover(),
            Operator::Colour => self.colour(),
            Operator::Angle => self.angle(),
            Operator::Graft => self.graft(),
        }
    }

    /// Any place where a value stands, the output included.
    pub(super) fn some_place(&mut self) -> Option<Place> {
        self.numbers.choose(&self.parent.places.values).copied()
    }

    /// A value of the parent before a position that may stand where a type is wanted, and is not `present`.
    pub(super) fn earlier_value(&mut self, before: usize, wanted: Type, present: Operand) -> Option<Operand> {
        let parent = self.parent;
        let steps = (0..before as u32).map(|step| Operand::Step(StepId(step)));
        let demos = parent.sees_demos().then_some(Operand::Demos);
        let all = [Some(Operand::Input), demos].into_iter().flatten().chain(steps);
        let mut fitting = all.filter(|&value| value != present && parent.type_of(value).fits_filled(wanted));
        let count = fitting.clone().count();
        if count == 0 {
            return None;
        }
        fitting.nth(self.numbers.below(count))
    }

    /// An argument for a parameter of a new call at a position of the order; calls that it needs are put there, and the position moves.
    pub(super) fn argument(&mut self, row: &Primitive, k: usize, before: usize, position: &mut usize, item: Type) -> Option<Operand> {
        let takes = row.takes(k);
        if row.takes_demos(k) {
            return self.parent.sees_demos().then_some(Operand::Demos);
        }
        if takes == Type::FUNCTION {
            let arity = match row.returns {
                Returns::Closure(Maker::Fork) if k == 0 => 2,
                _ => row.items_at_a_time(),
            };
            return self.function(before, position, arity, item);
        }
        if let Some(range) = row.range(k)
            && !self.numbers.one_in(3)
        {
            return self.fresh_constant(range);
        }
        self.earlier_value(before, takes, Operand::Candidate).or_else(|| row.range(k).and_then(|range| self.fresh_constant(range)))
    }

    /// A constant of a range, rather a likely one.
    pub(super) fn fresh_constant(&mut self, range: Range) -> Option<Operand> {
        self.choices.clear();
        list_fresh(range, self.facts, self.choices);
        let k = self.numbers.rather_early(self.choices.len());
        let choice = *self.choices.get(k)?;
        Some(self.draft.choice(choice))
    }

    /// A function: one of the parent's, a primitive, or a primitive with one argument fixed.
    fn function(&mut self, before: usize, position: &mut usize, arity: usize, item: Type) -> Option<Operand> {
        match self.numbers.below(4) {
            0 => {
                if let Some(found) = self.earlier_value(before, Type::FUNCTION, Operand::Candidate) {
                    return Some(found);
                }
            }
            1 if arity == 1 => return self.bound_function(before, position, item),
            _ => {}
        }
        self.primitive_on(arity, 0, item).map(Operand::Primitive)
    }

    /// A primitive of two arguments with one of them fixed.
    fn bound_function(&mut self, before: usize, position: &mut usize, item: Type) -> Option<Operand> {
        let left = self.numbers.one_in(2);
        let (fixed, free) = if left { (0, 1) } else { (1, 0) };
        let id = self.primitive_on(2, free, item)?;
        let row = primitive(id);
        if row.takes(fixed) == Type::FUNCTION {
            return None;
        }
        let value = self.argument(row, fixed, before, position, Type::ANY)?;
        let maker = if left { Prim::lbind } else { Prim::rbind };
        self.add_call(position, maker.into(), &[Operand::Primitive(id), value])
    }

    /// A primitive with so many parameters, of which one takes a type.
    fn primitive_on(&mut self, arity: usize, k: usize, ty: Type) -> Option<batt_core::PrimId> {
        let list = self.words.rows_of(arity);
        (0..12).find_map(|_| self.numbers.choose(list).copied().filter(|&id| ty.fits_filled(primitive(id).takes(k))))
    }

    /// Puts a call at a position and moves on.
    pub(super) fn add_call(&mut self, position: &mut usize, callee: Operand, args: &[Operand]) -> Option<Operand> {
        let made = self.draft.insert(*position, Call::new(callee, args)?);
        *position += 1;
        Some(made)
    }
}
