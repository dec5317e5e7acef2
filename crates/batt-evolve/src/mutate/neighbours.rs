//! All programs that are one constant away.

use batt_program::Operand;

use super::choices::{Choice, list_choices, list_turns};
use super::draft::{Draft, Place};
use super::screen::Screen;
use super::{Offspring, TaskFacts, TypedProgram};

/// All well-typed programs that differ from one in a single constant, mirror or rotation. First the likeliest change of each place, then
/// the second of each, and so on.
#[derive(Clone, Debug)]
pub struct Neighbourhood<'a> {
    parent: &'a TypedProgram,
    changes: std::vec::IntoIter<(Place, Choice)>,
    draft: Draft,
    screen: Screen,
    operands: Vec<Operand>,
}

impl<'a> Neighbourhood<'a> {
    /// The neighbours of a program.
    pub fn new(parent: &'a TypedProgram, facts: &TaskFacts) -> Self {
        let mut ranked: Vec<(usize, Place, Choice)> = Vec::new();
        let mut choices = Vec::new();
        for constant in &parent.places.constants {
            list_choices(constant.range, &constant.value, constant.style, facts, &mut choices);
            ranked.extend(choices.drain(..).enumerate().map(|(rank, choice)| (rank, constant.place, choice)));
        }
        for &place in &parent.places.turns {
            if let Operand::Primitive(id) = parent.draft.get(place) {
                list_turns(id, facts, &mut choices);
                ranked.extend(choices.drain(..).enumerate().map(|(rank, choice)| (rank, place, choice)));
            }
        }
        // The sort keeps the order of equals: that of the places.
        ranked.sort_by_key(|&(rank, ..)| rank);
        let changes: Vec<(Place, Choice)> = ranked.into_iter().map(|(_, place, choice)| (place, choice)).collect();
        Self { parent, changes: changes.into_iter(), draft: Draft::default(), screen: Screen::default(), operands: Vec::new() }
    }

    /// How many changes are left. Some may turn out ill-typed and are left out.
    pub fn at_most(&self) -> usize {
        self.changes.len()
    }
}

impl Iterator for Neighbourhood<'_> {
    type Item = Offspring;

    fn next(&mut self) -> Option<Offspring> {
        loop {
            let (place, choice) = self.changes.next()?;
            self.draft.clone_from(&self.parent.draft);
            let operand = self.draft.choice(choice);
            self.draft.set(place, operand);
            if let Some(seen) = self.screen.pass(&self.draft)
                && seen.hash != self.parent.hash()
                && let Ok(program) = self.draft.finish(self.parent.name(), &self.screen.stands_for, &mut self.operands)
            {
                return Some(Offspring { program, hash: seen.hash });
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.changes.len()))
    }
}
