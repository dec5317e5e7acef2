//! Substitution: replaces a sub-term of a program by a value of another program of the task, so that the program is right on all demos.
//!
//! It is a lookup without random draws. Calls are inverted from the demos' outputs backwards, which gives the value that a sub-term must
//! have. A table by value has the values of all calls of all programs on the demos. Below a layer of an image, a sub-term decides some cells
//! only; then all values of that size are compared. The caller ran the programs.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use batt_core::{Grid, Packed, PrimId, Value};
use batt_dsl::{Cells, Limits, Machine, Undo, primitive};
use batt_program::{Operand, StepId};
use batt_vision::operations::inverses::{Inverse, Wants};
use batt_vision::{COLOURS, Frame, Image};
use rustc_hash::FxHashMap;

use super::draft::{Call, Place};
use super::{Mutator, Offspring, TypedProgram};

/// A program, and what each of its calls gave on all demos; nothing where a call has no value on one of them.
#[derive(Clone, Debug)]
pub struct Traced {
    /// The program.
    pub program: Arc<TypedProgram>,
    /// For each call a value for each demo.
    pub values: Vec<Option<Arc<[Value]>>>,
}

/// Values of all calls of a task's programs.
#[derive(Debug, Default)]
pub struct Columns<'a> {
    programs: &'a [Traced],
    /// By what a call gave: the program and the call, of several the first.
    known: FxHashMap<&'a [Value], (usize, u32)>,
    /// Those that are grids on all demos, each once.
    grids: Vec<(&'a [Value], (usize, u32))>,
}

/// Values that a sub-term must have on the demos.
enum Wanted {
    /// These values.
    Values(Vec<Value>),
    /// Grids that have one of some colours in each cell.
    Cells(Vec<Wants>),
}

/// The most values that are put in one place of a program.
const MOST_AT_A_PLACE: usize = 3;

/// A value that makes a program right: where it goes, and which call of which program gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    place: Place,
    /// The program that gives the value, by its place among the programs.
    pub donor: usize,
    step: u32,
}

impl<'a> Columns<'a> {
    /// The values of some programs.
    pub fn of(programs: &'a [Traced]) -> Self {
        let (mut known, mut grids) = (FxHashMap::default(), Vec::new());
        for (place, traced) in programs.iter().enumerate() {
            for (step, values) in traced.values.iter().enumerate() {
                if let Some(values) = values
                    && let Entry::Vacant(entry) = known.entry(values.as_ref())
                {
                    entry.insert((place, step as u32));
                    if values.iter().all(|value| matches!(value, Value::Grid(_))) {
                        grids.push((values.as_ref(), (place, step as u32)));
                    }
                }
            }
        }
        Self { programs, known, grids }
    }

    /// The calls that give what is wanted.
    fn giving(&self, wanted: &Wanted) -> Vec<(usize, u32)> {
        match wanted {
            Wanted::Values(values) => self.known.get(values.as_slice()).copied().into_iter().collect(),
            Wanted::Cells(wants) => {
                let allowed = |(wants, value): (&Wants, &Value)| match value {
                    Value::Grid(grid) => wants.allows((grid.height(), grid.width()), grid.cells()),
                    _ => false,
                };
                let such = self.grids.iter().filter(|(values, _)| wants.iter().zip(*values).all(allowed));
                such.take(MOST_AT_A_PLACE).map(|(_, call)| *call).collect()
            }
        }
    }

    /// All values that make a program right on all demos when they are put in the place of one of its own, from the output on backwards.
    pub fn hits(&self, parent: usize, inputs: &[Value], outputs: &[Value]) -> Vec<Hit> {
        let traced = &self.programs[parent];
        let mut search = Backwards { traced, inputs, machine: Machine::fast(Limits::default()) };
        let mut hits = Vec::new();
        let mut wanted = vec![(Place::Output, Wanted::Values(outputs.to_vec()))];
        while let Some((place, values)) = wanted.pop() {
            let present = traced.program.draft.get(place);
            for (donor, step) in self.giving(&values) {
                if donor != parent || present != Operand::Step(StepId(step)) && (step as usize) < traced.program.calls_before(place) {
                    hits.push(Hit { place, donor, step });
                }
            }
            if let Operand::Step(StepId(step)) = present {
                let args = traced.program.draft.calls[step as usize].args().len();
                for k in (0..args).rev() {
                    if let Some(before) = search.before(step, k, &values) {
                        wanted.push((Place::Call { step, slot: k as u8 + 1 }, before));
                    }
                }
            }
        }
        hits
    }

    /// The program that a hit makes; `None` if it is ill-typed, nothing new or too long.
    pub fn substituted(&self, parent: usize, hit: Hit, mutator: &mut Mutator) -> Option<Offspring> {
        mutator.with_value_of(&self.programs[parent].program, hit.place, &self.programs[hit.donor].program, hit.step)
    }
}

struct Backwards<'a> {
    traced: &'a Traced,
    inputs: &'a [Value],
    machine: Machine,
}

impl Backwards<'_> {
    /// Values that an argument of a call must have, for each demo, so that the call gives the wanted ones.
    fn before(&mut self, step: u32, k: usize, wanted: &Wanted) -> Option<Wanted> {
        let call = self.traced.program.draft.calls[step as usize];
        let Operand::Primitive(id) = call.callee() else { return None };
        if !matches!(call.args().get(k), Some(Operand::Step(_) | Operand::Input)) {
            return None;
        }
        match (primitive(id).undo, wanted) {
            (Undo::Image(inverse), _) => self.image_before(&call, k, inverse, wanted),
            // Where an image was moved to the origin, nothing else about it is known.
            (Undo::Same, Wanted::Cells(wants)) if primitive(id).image.is_some() => Some(Wanted::Cells(wants.clone())),
            (Undo::None, _) | (_, Wanted::Cells(_)) => None,
            (_, Wanted::Values(values)) => {
                let before = values.iter().enumerate().map(|(demo, wanted)| {
                    let mut args = self.arguments(&call, demo)?;
                    args[k] = self.undone(id, k, &args, wanted)?;
                    let given: Vec<&Value> = args.iter().collect();
                    self.machine.refuel();
                    let again = self.machine.call_primitive(id, &given).ok()?;
                    (&again == wanted).then(|| args.swap_remove(k))
                });
                before.collect::<Option<_>>().map(Wanted::Values)
            }
        }
    }

    /// Values that an image argument of a call may have. An image that is not at the origin is not looked at.
    fn image_before(&self, call: &Call, k: usize, inverse: Inverse, wanted: &Wanted) -> Option<Wanted> {
        let Operand::Primitive(id) = call.callee() else { return None };
        let operation = primitive(id).image?;
        let demos = match wanted {
            Wanted::Values(values) => values.len(),
            Wanted::Cells(wants) => wants.len(),
        };
        let before = (0..demos).map(|demo| {
            let args = self.arguments(call, demo)?;
            let exact;
            let wanted = match wanted {
                Wanted::Values(values) => {
                    let (frame, cells) = image_of(&values[demo])?;
                    exact = Wants::exactly(Image { frame, cells: &cells });
                    &exact
                }
                Wanted::Cells(wants) => &wants[demo],
            };
            let (images, number) = args.split_at(args.len() - usize::from(operation.has_argument()));
            let number = match number {
                [Value::Int(number)] => i32::try_from(*number).ok()?,
                [] => 0,
                _ => return None,
            };
            let images: Vec<(Frame, Vec<u8>)> = images.iter().map(image_of).collect::<Option<_>>()?;
            let given = |place: usize| images.get(place).or(images.first()).map(|(frame, cells)| Image { frame: *frame, cells });
            inverse(wanted, k, [given(0)?, given(1)?], number)
        });
        let before: Vec<Wants> = before.collect::<Option<_>>()?;
        // One value is found faster.
        let values: Option<Vec<Value>> = before.iter().map(only_value).collect();
        Some(values.map_or(Wanted::Cells(before), Wanted::Values))
    }

    fn arguments(&self, call: &Call, demo: usize) -> Option<Vec<Value>> {
        let draft = &self.traced.program.draft;
        call.args()
            .iter()
            .map(|operand| match *operand {
                Operand::Input => Some(self.inputs[demo].clone()),
                Operand::Step(StepId(step)) => Some(self.traced.values[step as usize].as_ref()?[demo].clone()),
                Operand::Literal(id) => Some(draft.literals[id.0 as usize].clone()),
                Operand::Constant(id) => Some(id.value()),
                Operand::Primitive(id) => Some(Value::Primitive(id)),
                _ => None,
            })
            .collect()
    }

    /// A value that the argument `k` of a primitive may have so that it gives `wanted`. Whether it does is for the caller to check.
    fn undone(&mut self, id: PrimId, k: usize, args: &[Value], wanted: &Value) -> Option<Value> {
        let row = primitive(id);
        if row.cells == Cells::Ijc {
            return None;
        }
        match (k, row.undo) {
            (0, Undo::By(prim)) => {
                let given: Vec<&Value> = [wanted].into_iter().chain(args.iter().skip(1)).collect();
                self.machine.refuel();
                self.machine.call_primitive(prim.into(), &given).ok()
            }
            (0, Undo::Same) => Some(wanted.clone()),
            (2, Undo::Indices) => {
                let cells = changed(args.first()?, wanted)?;
                Some(Value::indices_from(cells.into_iter().map(Packed::without_colour).collect()))
            }
            (1, Undo::Cells) => changed(args.first()?, wanted).map(Value::object_from),
            (0, Undo::Beside) => cut(wanted, (0, 0), sides_less(wanted, args.get(1)?, false)?),
            (0, Undo::Below) => cut(wanted, (0, 0), sides_less(wanted, args.get(1)?, true)?),
            (1, Undo::Beside) => cut(wanted, (0, grid(args.first()?)?.width()), sides_less(wanted, args.first()?, false)?),
            (1, Undo::Below) => cut(wanted, (grid(args.first()?)?.height(), 0), sides_less(wanted, args.first()?, true)?),
            _ => None,
        }
    }
}

fn grid(value: &Value) -> Option<&Grid> {
    match value {
        Value::Grid(grid) => Some(grid),
        _ => None,
    }
}

/// The cells of a grid that another one of its size has in other colours.
fn changed(before: &Value, after: &Value) -> Option<Vec<Packed>> {
    let (before, after) = (grid(before)?, grid(after)?);
    if (before.height(), before.width()) != (after.height(), after.width()) {
        return None;
    }
    let width = after.width();
    let differs = |place: &usize| before.cells()[*place] != after.cells()[*place];
    let cells = (0..after.cells().len()).filter(differs);
    let cell = |place: usize| Packed::cell(i64::from(after.cells()[place]), (place / width) as i64, (place % width) as i64);
    cells.map(cell).collect()
}

/// The image that a grid of colours is.
fn image_of(value: &Value) -> Option<(Frame, Vec<u8>)> {
    let grid = grid(value).filter(|grid| grid.has_only(0, COLOURS as i8 - 1))?;
    Some((Frame::at_origin(grid.height(), grid.width()), grid.cells().iter().map(|&cell| cell as u8).collect()))
}

/// The grid that is wanted, if it is only one.
fn only_value(wants: &Wants) -> Option<Value> {
    let ((height, width), cells) = (wants.size(), wants.only()?);
    Grid::build(height, width, |to| to.iter_mut().zip(&cells).for_each(|(cell, &from)| *cell = from as i8)).map(Value::Grid)
}

/// The height and width of what is left of a grid beside or below another one.
fn sides_less(whole: &Value, part: &Value, upright: bool) -> Option<(usize, usize)> {
    let (whole, part) = (grid(whole)?, grid(part)?);
    let (height, width) = if upright { (part.height(), 0) } else { (0, part.width()) };
    Some((whole.height().checked_sub(height).filter(|&rows| rows > 0)?, whole.width().checked_sub(width).filter(|&columns| columns > 0)?))
}

fn cut(whole: &Value, (top, left): (usize, usize), (height, width): (usize, usize)) -> Option<Value> {
    let whole = grid(whole)?;
    if top + height > whole.height() || left + width > whole.width() {
        return None;
    }
    let rows: Vec<&[i8]> = whole.rows().skip(top).take(height).map(|row| &row[left..left + width]).collect();
    Grid::new(height, width, &rows.concat()).map(Value::Grid)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use batt_program::{canonical_text, parse_file};

    use super::*;
    use crate::mutate::MutateOptions;

    fn grid(cells: [i8; 4]) -> Value {
        Value::Grid(Grid::new(2, 2, &cells).unwrap())
    }

    /// A program of calls whose values are given.
    fn traced(body: &str, values: &[Value]) -> Traced {
        let program = parse_file(&format!("def p(I):\n{body}    return O\n")).programs.remove(0);
        let values = values.iter().map(|value| Some(Arc::from([value.clone()]))).collect();
        Traced { program: Arc::new(TypedProgram::new(&program).unwrap()), values }
    }

    fn texts(programs: &[Traced], parent: usize, input: Value, output: Value) -> Vec<String> {
        let (columns, mut mutator) = (Columns::of(programs), Mutator::new(MutateOptions::default()));
        let hits = columns.hits(parent, &[input], &[output]);
        hits.into_iter()
            .filter_map(|hit| columns.substituted(parent, hit, &mut mutator))
            .map(|made| canonical_text(&made.program))
            .collect()
    }

    #[test]
    fn a_value_before_calls_that_can_be_undone_is_looked_up() {
        let input = grid([1, 0, 0, 3]);
        let first = traced("    x1 = rot90(I)\n    O = hmirror(x1)\n", &[grid([0, 1, 3, 0]), grid([3, 0, 0, 1])]);
        let second = traced("    x1 = replace(I, ONE, TWO)\n    O = rot90(x1)\n", &[grid([2, 0, 0, 3]), grid([0, 2, 3, 0])]);
        let programs = [first, second];
        // Upside down, with 2 for 1: the first program, if it had the first value of the second one.
        let made = texts(&programs, 0, input.clone(), grid([0, 3, 2, 0]));
        let wanted = parse_file("def p(I):\n    x1 = replace(I, ONE, TWO)\n    O = hmirror(x1)\n    return O\n").programs.remove(0);
        assert_eq!(made, [canonical_text(&wanted)]);
        assert_eq!(texts(&programs, 0, input, grid([7, 7, 7, 7])), [""; 0]);
    }

    #[test]
    fn what_a_layer_has_to_be_where_it_shows_is_looked_up() {
        // 5 on the diagonal, laid over what the other program has: the cells below do not matter.
        let input = grid([1, 0, 0, 3]);
        let first = traced(
            "    x1 = in_colour(I, 5)\n    x2 = turned(I, 0)\n    x3 = over(x1, x2, 0)\n    O = turned(x3, 3)\n",
            &[grid([5, 0, 0, 5]), grid([0, 1, 3, 0]), grid([5, 1, 3, 5]), grid([1, 5, 5, 3])],
        );
        let second = traced("    x1 = replace(I, ZERO, TWO)\n    O = turned(x1, 1)\n", &[grid([1, 2, 2, 3]), grid([3, 2, 2, 1])]);
        let made = texts(&[first, second], 0, input.clone(), grid([2, 5, 5, 2]));
        // Both values of the second program are right there.
        assert!(made.len() == 2 && made.iter().all(|made| made.contains("replace") && made.contains("over")), "{made:?}");
    }

    #[test]
    fn what_a_fill_has_to_fill_is_looked_up() {
        let input = grid([1, 0, 0, 3]);
        let corner = Value::indices_from(vec![Packed::location(0, 1).unwrap()]);
        let threes = Value::indices_from(vec![Packed::location(1, 1).unwrap()]);
        let first = traced("    x1 = ofcolor(I, THREE)\n    O = fill(I, FIVE, x1)\n", &[threes, grid([1, 0, 0, 5])]);
        let second = traced("    x1 = initset((0, 1))\n    O = fill(I, ONE, x1)\n", &[corner, grid([1, 1, 0, 3])]);
        let made = texts(&[first, second], 0, input, grid([1, 5, 0, 3]));
        assert_eq!(made.len(), 1);
        assert!(made[0].contains("(0, 1)") && made[0].contains("FIVE"), "{made:?}");
    }
}
