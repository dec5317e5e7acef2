//! A program with everything that its mutations need to know of it, found out once.

use batt_core::Value;
use batt_dsl::{Origin, Type, primitive};
use batt_program::{Abstract, BuildError, LiteralId, Operand, Params, Program};

use super::alternatives::Words;
use super::draft::{Call, Draft, Place};
use super::places::Places;
use super::screen::{Screen, operand_type};

/// A program that can be mutated: its live calls, their types, and the places where something can change.
#[derive(Clone, Debug)]
pub struct TypedProgram {
    name: String,
    pub(super) draft: Draft,
    /// Inferred type of each call.
    pub(super) types: Vec<Abstract>,
    pub(super) places: Places,
    /// Its primitives and constants.
    pub(super) words: Words,
    hash: u64,
    well_typed: bool,
}

/// Why a program cannot be mutated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot mutate `{name}`: a call has more arguments than any primitive takes")]
pub struct TooManyArguments {
    /// Its name.
    pub name: String,
}

impl TypedProgram {
    /// Finds out all that mutation needs to know of a program.
    pub fn new(program: &Program) -> Result<Self, TooManyArguments> {
        let draft = Draft::of(program).ok_or_else(|| TooManyArguments { name: program.name().to_owned() })?;
        let mut screen = Screen::default();
        let seen = screen.look(&draft);
        Ok(Self {
            name: program.name().to_owned(),
            types: std::mem::take(&mut screen.types),
            places: Places::of(&draft),
            words: words(&draft),
            draft,
            hash: seen.hash,
            well_typed: seen.well_typed,
        })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The calls that its output needs.
    pub fn steps(&self) -> usize {
        self.draft.calls.len()
    }

    /// The function and the arguments of each of these calls.
    pub(crate) fn calls(&self) -> impl Iterator<Item = (Operand, &[Operand])> {
        self.draft.calls.iter().map(|call| (call.callee(), call.args()))
    }

    pub(crate) fn literal(&self, id: LiteralId) -> &Value {
        &self.draft.literals[id.0 as usize]
    }

    /// Its canonical hash, see [`super::canonical_hash`].
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Whether all its calls can work and its output can be a grid. Offspring are well-typed even if this is not.
    pub fn is_well_typed(&self) -> bool {
        self.well_typed
    }

    /// The program, without the calls that its output does not need.
    pub fn to_program(&self) -> Result<Program, BuildError> {
        let all: Vec<Option<u32>> = self.draft.order.iter().map(|&number| Some(number)).collect();
        self.draft.finish(&self.name, &all, &mut Vec::new())
    }

    /// Whether it may look at the demo pairs.
    pub(super) fn sees_demos(&self) -> bool {
        self.draft.params == Params::DemosInputCandidate
    }

    pub(super) fn type_of(&self, operand: Operand) -> Type {
        operand_type(&self.draft, &self.types, operand)
    }

    /// Type that a place takes.
    pub(super) fn wanted(&self, place: Place) -> Type {
        let Place::Call { step, slot } = place else { return Type::GRID };
        let declared = match (self.draft.calls[step as usize].callee(), slot.checked_sub(1)) {
            (Operand::Primitive(id), Some(k)) => primitive(id).takes(usize::from(k)),
            (_, None) => Type::FUNCTION,
            _ => Type::ANY,
        };
        if declared != Type::ANY {
            return declared;
        }
        let present = self.type_of(self.draft.get(place));
        if present.is_never() { Type::ANY } else { present }
    }

    /// How many calls come before a place: these may be used there.
    pub(super) fn calls_before(&self, place: Place) -> usize {
        match place {
            Place::Output => self.draft.calls.len(),
            Place::Call { step, .. } => step as usize,
        }
    }
}

/// A program that takes the demos or calls something of the typed dialect is written in it.
fn words(draft: &Draft) -> Words {
    let foreign = |operand: &Operand| matches!(operand, Operand::Primitive(id) if primitive(*id).origin != Origin::ArcDsl);
    let is_plain = draft.params == Params::Input && !draft.calls.iter().flat_map(Call::operands).any(foreign);
    if is_plain { Words::Plain } else { Words::All }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use batt_program::parse_file;

    use super::*;

    #[test]
    fn what_is_dead_is_left_out() {
        let text = "def solve_a(I):\n x1 = trim(I)\n x2 = hmirror(I)\n O = vmirror(x2)\n return O";
        let program = parse_file(text).programs.remove(0);
        let typed = TypedProgram::new(&program).unwrap();
        assert_eq!(typed.steps(), 2);
        let expected = parse_file("def a(I):\n x1 = hmirror(I)\n O = vmirror(x1)\n return O").programs.remove(0);
        assert_eq!(typed.to_program().unwrap(), expected);
        assert!(typed.is_well_typed());
    }
}
