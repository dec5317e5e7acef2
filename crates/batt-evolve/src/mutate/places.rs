//! Where something can change in a program, and what the numbers there are used for.

use batt_core::{Maker, PrimId, Value};
use batt_dsl::{Alike, Range, primitive};
use batt_program::{Operand, StepId};

use super::choices::{Style, is_turn};
use super::draft::{Draft, Place};

/// Where something can change.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    pub(super) constants: Vec<ConstantPlace>,
    /// Where mirrors and rotations stand.
    pub(super) turns: Vec<Place>,
    /// Where primitives stand, called or as values.
    pub(super) primitives: Vec<Place>,
    /// Where operands stand that are no primitives, constants included.
    pub(super) values: Vec<Place>,
    /// Where colours go, whatever they come from.
    pub(super) colours: Vec<Place>,
    /// Where mirrors and rotations go by number.
    pub(super) angles: Vec<Place>,
}

/// A constant that can change.
#[derive(Clone, Debug)]
pub(super) struct ConstantPlace {
    pub(super) place: Place,
    pub(super) value: Value,
    /// Its use, if that is known.
    pub(super) range: Option<Range>,
    pub(super) style: Style,
}

impl Places {
    /// The places of a draft whose calls are all live and in order.
    pub(super) fn of(draft: &Draft) -> Self {
        let mut found = Self::default();
        let ranges = Ranges::of(draft);
        let places = draft
            .calls
            .iter()
            .enumerate()
            .flat_map(|(step, call)| (0..call.operands().len()).map(move |slot| Place::Call { step: step as u32, slot: slot as u8 }));
        for place in places.chain([Place::Output]) {
            let range = ranges.at(place);
            match draft.get(place) {
                Operand::Primitive(id) => {
                    found.primitives.push(place);
                    if is_turn(id) {
                        found.turns.push(place);
                    }
                    continue;
                }
                Operand::Constant(id) => found.add_constant(place, id.value(), range, Style::of(Some(id))),
                Operand::Literal(id) => {
                    let value = draft.literals[id.0 as usize].clone();
                    found.add_constant(place, value, range, Style::Literal);
                }
                _ => {}
            }
            found.values.push(place);
            match range {
                Some(Range::Colour) => found.colours.push(place),
                Some(Range::AngleOf4 | Range::AngleOf8) => found.angles.push(place),
                _ => {}
            }
        }
        found
    }

    fn add_constant(&mut self, place: Place, value: Value, range: Option<Range>, style: Style) {
        if !matches!(value, Value::Int(_) | Value::Bool(_) | Value::Pair(..)) {
            return;
        }
        // The typed dialect says itself what a constant is used for where the parameter does not.
        let range = range.or(if let Style::Named(range) = style { Some(range) } else { None });
        self.constants.push(ConstantPlace { place, value, range, style });
    }
}

/// How deep functions that are made of functions are looked into.
const MAX_NESTING: u32 = 12;

/// Ranges of the numbers in a program: parameters say them, also through functions that are made of others.
struct Ranges<'a> {
    draft: &'a Draft,
    /// Range of each call's value, as far as its uses tell.
    uses: Vec<Option<Range>>,
}

impl<'a> Ranges<'a> {
    fn of(draft: &'a Draft) -> Self {
        let mut ranges = Self { draft, uses: vec![None; draft.calls.len()] };
        for (step, call) in draft.calls.iter().enumerate().rev() {
            for (slot, &operand) in call.operands().iter().enumerate() {
                if let Operand::Step(id) = operand
                    && let Some(range) = ranges.at(Place::Call { step: step as u32, slot: slot as u8 })
                {
                    ranges.uses[id.0 as usize] = Some(range);
                }
            }
        }
        ranges
    }

    /// Range of a number at a place.
    fn at(&self, place: Place) -> Option<Range> {
        let Place::Call { step, slot } = place else { return None };
        let call = &self.draft.calls[step as usize];
        let k = usize::from(slot.checked_sub(1)?);
        let Operand::Primitive(id) = call.callee() else {
            let (row, low, high) = self.free_params(call.callee(), MAX_NESTING)?;
            return (low + k < high).then(|| primitive(row).range(low + k)).flatten();
        };
        let args = call.args();
        let row = primitive(id);
        match row.maker() {
            Some(Maker::Rbind) if k == 1 => {
                let (row, low, high) = self.free_params(args[0], MAX_NESTING)?;
                return high.checked_sub(1).filter(|&last| last >= low).and_then(|last| primitive(row).range(last));
            }
            Some(Maker::Lbind) if k == 1 => {
                let (row, low, _) = self.free_params(args[0], MAX_NESTING)?;
                return primitive(row).range(low);
            }
            Some(Maker::Matcher) if k == 1 => return self.value_range_of_function(args[0], MAX_NESTING),
            _ => {}
        }
        match row.alike {
            Alike::Arguments => self.value_range(args[1 - k]).or_else(|| row.range(k)),
            Alike::Value if k > 0 => self.uses[step as usize],
            Alike::ItemOf { item, container } if k == usize::from(item) => self.item_range(args[usize::from(container)]),
            _ => row.range(k),
        }
    }

    /// The primitive behind a function of which arguments are fixed from the left and the right, and the parameters that are left.
    fn free_params(&self, function: Operand, nesting: u32) -> Option<(PrimId, usize, usize)> {
        match function {
            Operand::Primitive(id) => Some((id, 0, primitive(id).params.len())),
            Operand::Step(step) => {
                let (maker, args) = self.made_by(step)?;
                let (id, low, high) = self.free_params(*args.first()?, nesting.checked_sub(1)?)?;
                match maker {
                    Maker::Lbind => Some((id, low + 1, high)),
                    Maker::Rbind => Some((id, low, high.checked_sub(1)?)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Range of a function's value.
    fn value_range_of_function(&self, function: Operand, nesting: u32) -> Option<Range> {
        match function {
            Operand::Primitive(id) => primitive(id).value_range(),
            Operand::Step(step) => {
                let (maker, args) = self.made_by(step)?;
                matches!(maker, Maker::Lbind | Maker::Rbind | Maker::Compose | Maker::Chain | Maker::Fork)
                    .then(|| self.value_range_of_function(*args.first()?, nesting.checked_sub(1)?))
                    .flatten()
            }
            _ => None,
        }
    }

    /// Range of an operand's value.
    fn value_range(&self, operand: Operand) -> Option<Range> {
        let Operand::Step(step) = operand else { return None };
        self.value_range_of_function(self.draft.calls[step.0 as usize].callee(), MAX_NESTING)
    }

    /// Range of an operand's items.
    fn item_range(&self, container: Operand) -> Option<Range> {
        let Operand::Step(step) = container else { return None };
        let Operand::Primitive(id) = self.draft.calls[step.0 as usize].callee() else { return None };
        primitive(id).item_range()
    }

    fn made_by(&self, step: StepId) -> Option<(Maker, &[Operand])> {
        let call = &self.draft.calls[step.0 as usize];
        let Operand::Primitive(id) = call.callee() else { return None };
        Some((primitive(id).maker()?, call.args()))
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use batt_program::parse_file;

    use super::*;
    use Range::{Boolean, Colour};

    fn ranges(text: &str) -> Vec<Option<Range>> {
        let program = parse_file(text).programs.remove(0);
        Places::of(&Draft::of(&program).unwrap()).constants.iter().map(|constant| constant.range).collect()
    }

    #[test]
    fn constants_are_known_by_what_uses_them() {
        let text = "def solve_a(I):\n x1 = rbind(replace, THREE)\n x2 = rbind(x1, ONE)\n x3 = x2(I)\n x4 = matcher(color, FIVE)\n x5 = objects(x3, T, F, T)\n \
                    x6 = sfilter(x5, x4)\n x7 = merge(x6)\n x8 = palette(I)\n x9 = other(x8, ZERO)\n x10 = contained(TWO, x8)\n x11 = branch(x10, x9, SIX)\n \
                    O = fill(x3, x11, x7)\n return O";
        let expected = [Colour, Colour, Colour, Boolean, Boolean, Boolean, Colour, Colour, Colour].map(Some);
        assert_eq!(ranges(text), expected);
    }

    #[test]
    fn numbers_are_told_from_colours() {
        let text = "def solve_a(I):\n x1 = lbind(canvas, FOUR)\n x2 = astuple(THREE, TWO)\n x3 = x1(x2)\n x4 = size(I)\n x5 = equality(x4, ONE)\n \
                    x6 = shift(I, UP)\n x7 = add(x4, EIGHT)\n x8 = hupscale(x3, x7)\n O = branch(x5, x3, x8)\n return O";
        assert_eq!(ranges(text)[..4], [Some(Range::Colour), None, None, Some(Range::Small)]);
        let dialect = "def solve_a(I):\n x1 = add(RED, F0)\n O = canvas(x1, UNITY)\n return O";
        assert_eq!(ranges(dialect), [Some(Range::Colour), Some(Range::Rank), Some(Range::Pair)]);
    }
}
