//! Operators that take parts from other programs: crossover, graft.

use batt_dsl::Type;
use batt_program::{Operand, StepId};

use super::TypedProgram;
use super::attempt::Attempt;
use super::draft::{Call, Draft, Place};

impl Attempt<'_> {
    /// A value becomes one of the same type from another program of the task, with the calls that make it.
    pub(super) fn crossover(&mut self) -> Option<()> {
        let donor = self.numbers.choose(self.donors.mates)?;
        let place = self.some_place()?;
        let ty = self.parent.type_of(self.parent.draft.get(place));
        let root = self.step_of(donor, |other| are_equal(other, ty))?;
        self.transplant(donor, root, place, Operand::Input)
    }

    /// A part of a program that fits another task is called on a value: its input becomes a grid of this program.
    pub(super) fn graft(&mut self) -> Option<()> {
        let donor = self.numbers.choose(self.donors.fitting)?;
        // Most of all such a program is of use on what a program gives.
        let place = if self.numbers.one_in(3) { Place::Output } else { self.some_place()? };
        let wanted = self.parent.wanted(place);
        let root = match donor.draft.output() {
            Operand::Step(id) if wanted == Type::GRID && self.numbers.one_in(2) => id.0,
            _ => self.step_of(donor, |ty| ty.fits_filled(wanted))?,
        };
        let present = self.parent.draft.get(place);
        let input = if self.parent.type_of(present).within(Type::GRID) && self.numbers.one_in(2) {
            present
        } else {
            self.earlier_value(self.parent.calls_before(place), Type::SURE_GRID, Operand::Candidate)?
        };
        self.transplant(donor, root, place, input)
    }

    /// A step of a donor whose type is liked.
    fn step_of(&mut self, donor: &TypedProgram, likes: impl Fn(Type) -> bool) -> Option<u32> {
        let fitting = || donor.types.iter().enumerate().filter(|(_, known)| !known.ty.is_never() && likes(known.ty));
        let count = fitting().count();
        if count == 0 {
            return None;
        }
        fitting().nth(self.numbers.below(count)).map(|(step, _)| step as u32)
    }

    fn transplant(&mut self, donor: &TypedProgram, root: u32, place: Place, input: Operand) -> Option<()> {
        transplant(self.draft, self.parent, self.max_steps, (donor, root), place, input)
    }
}

/// Copies the calls that a step of a donor needs before a place of a draft of `parent`, and puts the step there.
pub(super) fn transplant(
    draft: &mut Draft,
    parent: &TypedProgram,
    max_steps: usize,
    (donor, root): (&TypedProgram, u32),
    place: Place,
    input: Operand,
) -> Option<()> {
    if donor.sees_demos() && !parent.sees_demos() && looks_at_demos(donor) {
        return None;
    }
    let mut needed = vec![false; root as usize + 1];
    needed[root as usize] = true;
    for step in (0..=root as usize).rev() {
        if needed[step] {
            for &operand in donor.draft.calls[step].operands() {
                if let Operand::Step(id) = operand {
                    needed[id.0 as usize] = true;
                }
            }
        }
    }
    let count = needed.iter().filter(|&&needed| needed).count();
    if count > max_steps {
        return None;
    }
    let mut copies = vec![Operand::Input; needed.len()];
    let steps = (0..needed.len()).filter(|&step| needed[step]);
    for (position, step) in (parent.calls_before(place)..).zip(steps) {
        let mut call = donor.draft.calls[step];
        for operand in call.operands_mut() {
            *operand = match *operand {
                Operand::Step(StepId(id)) => copies[id as usize],
                Operand::Literal(id) => draft.literal(donor.draft.literals[id.0 as usize].clone()),
                Operand::Input => input,
                other => other,
            };
        }
        copies[step] = draft.insert(position, call);
    }
    draft.set(place, copies[root as usize]);
    Some(())
}
/// Whether values of one type can replace values of the other: one type is within the other, as an input, surely a grid, is within the
/// values of primitives, maybe another tuple. The type of any value equals only itself.
fn are_equal(donated: Type, present: Type) -> bool {
    donated == present || (donated != Type::ANY && present != Type::ANY && (donated.within(present) || present.within(donated)))
}

fn looks_at_demos(program: &TypedProgram) -> bool {
    program.draft.calls.iter().flat_map(Call::operands).any(|operand| matches!(operand, Operand::Demos | Operand::Candidate))
}
