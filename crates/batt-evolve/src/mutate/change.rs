//! Operators that change one operand: constant, primitive, variable, colour, angle.

use batt_dsl::{Prim, Range, primitive};
use batt_program::Operand;

use super::attempt::Attempt;
use super::choices::{Choice, Style, list_choices};
use super::draft::Place;
use super::facts::TURNS;

impl Attempt<'_> {
    /// A constant becomes another one of its range, rather a likely one.
    pub(super) fn constant(&mut self) -> Option<()> {
        let parent = self.parent;
        if parent.places.constants.is_empty() || self.numbers.one_in(16) {
            return self.constant_for_variable();
        }
        let constant = self.numbers.choose(&parent.places.constants)?;
        self.choices.clear();
        list_choices(constant.range, &constant.value, constant.style, self.facts, self.choices);
        let k = self.numbers.rather_early(self.choices.len());
        let choice = *self.choices.get(k)?;
        self.put(constant.place, choice);
        Some(())
    }

    /// A number that was computed becomes a constant.
    fn constant_for_variable(&mut self) -> Option<()> {
        let place = self.some_place()?;
        let Place::Call { step, slot } = place else { return None };
        let Operand::Primitive(id) = self.parent.draft.calls[step as usize].callee() else { return None };
        let range = primitive(id).range(usize::from(slot.checked_sub(1)?))?;
        let constant = self.fresh_constant(range)?;
        self.draft.set(place, constant);
        Some(())
    }

    /// A primitive becomes one with a compatible signature, rather of the same family.
    pub(super) fn primitive(&mut self) -> Option<()> {
        let place = *self.numbers.choose(&self.parent.places.primitives)?;
        let Operand::Primitive(id) = self.parent.draft.get(place) else { return None };
        let (all, near) = self.words.alternatives(id);
        let near_only = near > 0 && self.numbers.one_in(2);
        let other = *self.numbers.choose(if near_only { &all[..near] } else { all })?;
        self.draft.set(place, Operand::Primitive(other));
        Some(())
    }

    /// A variable becomes an earlier value of a compatible type.
    pub(super) fn variable(&mut self) -> Option<()> {
        let place = self.some_place()?;
        let present = self.parent.draft.get(place);
        let other = self.earlier_value(self.parent.calls_before(place), self.parent.wanted(place), present)?;
        self.draft.set(place, other);
        Some(())
    }

    /// A colour becomes one that inputs have and outputs lack, or the reverse: as a constant, or as the call that finds it.
    pub(super) fn colour(&mut self) -> Option<()> {
        let place = self.place_of_colour()?;
        let gone = self.facts.gone.len();
        let count = gone + self.facts.new.len();
        if count == 0 {
            return None;
        }
        let k = self.numbers.below(count);
        if self.parent.sees_demos() && self.numbers.one_in(3) {
            let finder = if k < gone { Prim::c_iz_n } else { Prim::c_zo_n };
            let chosen = if self.numbers.one_in(3) { Prim::last } else { Prim::first };
            let mut position = self.parent.calls_before(place);
            let call = self.add_call(&mut position, finder.into(), &[Operand::Demos, Prim::p_g.into(), chosen.into()])?;
            self.draft.set(place, call);
            return Some(());
        }
        let colour = self.facts.changed_colours().nth(k)?;
        let style = self.style_at(place);
        self.put(place, style.integer(i64::from(colour)));
        Some(())
    }

    /// A place where a colour goes, or may go: an integer of which the use is not known.
    fn place_of_colour(&mut self) -> Option<Place> {
        let parent = self.parent;
        let loose = || parent.places.constants.iter().filter(|constant| constant.range.is_none() && constant.value.as_int().is_some());
        let known = parent.places.colours.len();
        let k = self.numbers.below(known + loose().count());
        if k < known { Some(parent.places.colours[k]) } else { loose().nth(k - known).map(|constant| constant.place) }
    }

    /// A mirror or rotation becomes one that the demos show: a primitive, a number, or the call that finds it.
    pub(super) fn angle(&mut self) -> Option<()> {
        let parent = self.parent;
        let k = self.numbers.below(parent.places.turns.len() + parent.places.angles.len());
        let angle = *self.numbers.choose(&self.facts.angles)?;
        if let Some(&place) = parent.places.turns.get(k) {
            let turn = *TURNS.get(usize::from(angle))?;
            self.put(place, Choice::Primitive(turn));
            return Some(());
        }
        let place = *parent.places.angles.get(k - parent.places.turns.len())?;
        if parent.sees_demos() && self.numbers.one_in(3) {
            let mut position = parent.calls_before(place);
            let call = self.add_call(&mut position, Prim::a_mr.into(), &[Operand::Demos])?;
            self.draft.set(place, call);
            return Some(());
        }
        let style = self.style_at(place);
        self.put(place, style.integer(i64::from(angle)));
        Some(())
    }

    /// How a constant at a place is written: as the one that stands there, or else in the names of arc-dsl.
    fn style_at(&self, place: Place) -> Style {
        match self.parent.draft.get(place) {
            Operand::Constant(id) => Style::of(Some(id)),
            Operand::Literal(_) => Style::Literal,
            _ => Style::of(batt_dsl::ConstId::all().find(|id| id.range() == Range::Small)),
        }
    }

    fn put(&mut self, place: Place, choice: Choice) {
        let operand = self.draft.choice(choice);
        self.draft.set(place, operand);
    }
}
