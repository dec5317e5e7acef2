//! Changing programs without breaking their types.
//!
//! A [`TypedProgram`] is a program with its types and the places that can change, computed once. A [`Mutator`] makes offspring of it: an
//! [`Operator`] changes a copy, one pass over the copy checks its types and computes its canonical hash, and dead calls are dropped.
//! [`TaskFacts`] say which constants are likely; they come from the demos alone. [`Neighbourhood`] lists all programs that are one constant
//! away, and a [`Bandit`] learns which operators pay.
//!
//! Nothing here runs a program.

mod alternatives;
mod attempt;
mod bandit;
mod change;
mod choices;
mod draft;
mod exchange;
mod facts;
pub(crate) mod hash;
mod neighbours;
mod numbers;
mod operator;
mod places;
mod screen;
mod structure;
mod substitute;
mod typed;

pub use attempt::Donors;
pub use bandit::{Bandit, OperatorTally, Rates};
pub use facts::TaskFacts;
pub use neighbours::Neighbourhood;
pub use numbers::Numbers;
pub use operator::{Operator, UnknownOperator};
pub use substitute::{Columns, Hit, Traced};
pub use typed::{TooManyArguments, TypedProgram};

use batt_program::{Operand, Program};

use alternatives::Words;
use attempt::Attempt;
use choices::Choice;
use draft::{Draft, Place};
use screen::Screen;

/// How to mutate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MutateOptions {
    /// The most calls of an offspring. The longest public program has 157.
    pub max_steps: usize,
    /// How often an operator draws anew when what it made is ill-typed or nothing new, before it gives up.
    pub attempts: u32,
    /// Whether primitives of the typed dialect may come into programs that are written in arc-dsl's alone. Without, arc-dsl runs what comes
    /// of programs that it runs, unless a donor brings something.
    pub all_words: bool,
}

impl Default for MutateOptions {
    fn default() -> Self {
        Self { max_steps: 200, attempts: 8, all_words: false }
    }
}

/// A program that was made from others. It is well-typed and all its calls are needed.
#[derive(Clone, Debug)]
pub struct Offspring {
    /// The program; it has the name of its parent.
    pub program: Program,
    /// Its canonical hash, see [`canonical_hash`].
    pub hash: u64,
}

/// Makes offspring, and keeps its memory in between.
#[derive(Clone, Debug, Default)]
pub struct Mutator {
    options: MutateOptions,
    draft: Draft,
    screen: Screen,
    choices: Vec<Choice>,
    operands: Vec<Operand>,
}

impl Mutator {
    /// A mutator.
    pub fn new(options: MutateOptions) -> Self {
        Self { options, ..Self::default() }
    }

    /// An offspring of a program by an operator, other than the parent; `None` if the operator finds nothing to do.
    pub fn mutate(
        &mut self,
        operator: Operator,
        parent: &TypedProgram,
        donors: Donors<'_>,
        facts: &TaskFacts,
        numbers: &mut Numbers,
    ) -> Option<Offspring> {
        for _ in 0..self.options.attempts {
            self.draft.clone_from(&parent.draft);
            let mut attempt = Attempt {
                parent,
                donors,
                facts,
                numbers: &mut *numbers,
                draft: &mut self.draft,
                choices: &mut self.choices,
                words: if self.options.all_words { Words::All } else { parent.words },
                max_steps: self.options.max_steps,
            };
            if attempt.apply(operator).is_some()
                && let Some(offspring) = self.finished(parent)
            {
                return Some(offspring);
            }
        }
        None
    }

    /// A program with a value of another one at one of its places, and the calls that make it.
    fn with_value_of(&mut self, parent: &TypedProgram, place: Place, donor: &TypedProgram, step: u32) -> Option<Offspring> {
        self.draft.clone_from(&parent.draft);
        exchange::transplant(&mut self.draft, parent, self.options.max_steps, (donor, step), place, Operand::Input)?;
        self.finished(parent)
    }

    /// The program of the draft, if it is well-typed, something new, and not too long. A parent that is too long may become shorter.
    fn finished(&mut self, parent: &TypedProgram) -> Option<Offspring> {
        let seen = self.screen.pass(&self.draft)?;
        if seen.hash == parent.hash() || seen.steps > self.options.max_steps.max(parent.steps()) {
            return None;
        }
        let program = self.draft.finish(parent.name(), &self.screen.stands_for, &mut self.operands).ok()?;
        Some(Offspring { program, hash: seen.hash })
    }
}

/// A hash that ignores dead calls, the order of calls, repeated calls, the names of constants, and the order of commutative arguments. It
/// is the same on every machine.
///
/// `None` for a program that cannot be mutated either, see [`TooManyArguments`].
pub fn canonical_hash(program: &Program) -> Option<u64> {
    let draft = Draft::of(program)?;
    Some(Screen::default().look(&draft).hash)
}
