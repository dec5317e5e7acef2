//! Random calls of the primitives that draw, mirror, scale, cut and join grids, on the kernels and on the reference executor. Arguments
//! have the forms that they should have, and now and then another.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::collections::BTreeMap;

use batt_core::{Grid, Packed, PrimId, Value, tuple_of};
use batt_dsl::Limits;
use batt_engine::{Evaluation, Executor, Inputs, Outcome, ReferenceExecutor};
use batt_gpu::{ItemRun, run_items};
use batt_gpu_emulator::Emulator;
use batt_program::{Operand, Params, Program, ProgramBuilder};

/// Programs run on the emulator at a time.
const BATCH: usize = 64;
/// Calls of each primitive.
const CALLS: usize = 120;
/// Programs of several calls.
const CHAINS: usize = 500;

/// What an argument should be.
#[derive(Clone, Copy)]
enum Form {
    Grid,
    Piece,
    Colour,
    Patch,
    Factor,
    Angle,
    Pair,
}

use Form::{Angle, Colour, Factor, Pair, Patch, Piece};

const PRIMITIVES: [(&str, &[Form]); 35] = [
    ("fill", &[Form::Grid, Colour, Patch]),
    ("underfill", &[Form::Grid, Colour, Patch]),
    ("paint", &[Form::Grid, Patch]),
    ("underpaint", &[Form::Grid, Patch]),
    ("cover", &[Form::Grid, Patch]),
    ("move", &[Form::Grid, Patch, Pair]),
    ("replace", &[Form::Grid, Colour, Colour]),
    ("switch", &[Form::Grid, Colour, Colour]),
    ("cellwise", &[Form::Grid, Form::Grid, Colour]),
    ("canvas", &[Colour, Pair]),
    ("subgrid", &[Patch, Form::Grid]),
    ("crop", &[Form::Grid, Pair, Pair]),
    ("index", &[Form::Grid, Pair]),
    ("hmirror", &[Piece]),
    ("vmirror", &[Piece]),
    ("dmirror", &[Piece]),
    ("cmirror", &[Piece]),
    ("rot90", &[Form::Grid]),
    ("rot180", &[Form::Grid]),
    ("rot270", &[Form::Grid]),
    ("mir_rot_t", &[Form::Grid, Angle]),
    ("hconcat", &[Form::Grid, Form::Grid]),
    ("vconcat", &[Form::Grid, Form::Grid]),
    ("upscale", &[Piece, Factor]),
    ("hupscale", &[Form::Grid, Factor]),
    ("vupscale", &[Form::Grid, Factor]),
    ("downscale", &[Form::Grid, Factor]),
    ("tophalf", &[Form::Grid]),
    ("bottomhalf", &[Form::Grid]),
    ("lefthalf", &[Form::Grid]),
    ("righthalf", &[Form::Grid]),
    ("hsplit", &[Form::Grid, Factor]),
    ("vsplit", &[Form::Grid, Factor]),
    ("trim", &[Form::Grid]),
    ("compress", &[Form::Grid]),
];

#[test]
fn calls_give_what_the_reference_gives() {
    for backwards in [false, true] {
        let mut random = Random(41);
        let mut programs = Vec::new();
        for (name, forms) in PRIMITIVES {
            let id = batt_dsl::by_name(name).unwrap();
            for _ in 0..CALLS {
                let args: Vec<Value> = forms.iter().map(|&form| random.argument(form)).collect();
                programs.extend(one_call(id, &args).map(|(program, input)| (name, program, input)));
            }
        }
        let done = compare(&programs, backwards);
        for (name, _) in PRIMITIVES {
            let all = programs.iter().filter(|(other, ..)| *other == name).count();
            let done = done.get(name).copied().unwrap_or(0);
            // What is left to the host is rare even among arguments as odd as these.
            assert!(4 * done >= 3 * all, "{name}: {done} of {all} calls were done");
        }
    }
}

/// Each call takes what an earlier one made, and all that was made is in the value: memory that was given back too early shows.
#[test]
fn what_a_call_made_stays_when_others_follow() {
    for backwards in [false, true] {
        let mut random = Random(42);
        let programs: Vec<_> = (0..CHAINS).map(|_| random.chain()).map(|(program, input)| ("chain", program, input)).collect();
        let done = compare(&programs, backwards);
        assert!(done["chain"] > CHAINS * 9 / 10, "{} of {CHAINS} chains were done", done["chain"]);
    }
}

/// Runs programs on both, and says how many of each name the device did.
fn compare(programs: &[(&'static str, Program, Value)], backwards: bool) -> BTreeMap<&'static str, usize> {
    let mut emulator = Emulator::new(backwards);
    let mut reference = ReferenceExecutor::new(Limits::default());
    let mut done = BTreeMap::new();
    for batch in programs.chunks(BATCH) {
        let items: Vec<(&Program, &Value)> = batch.iter().map(|(_, program, input)| (program, input)).collect();
        for ((name, program, input), run) in
            batch.iter().zip(run_items(&mut emulator, &items, &Limits::default(), batt_gpu::Folding::LeaveAll).unwrap())
        {
            match run {
                ItemRun::Uncovered(_) | ItemRun::Refused(_) => {}
                ItemRun::Bad(bad) => panic!("{name} of {input:?} and {:?}: {bad}", literals(program)),
                ItemRun::Done(found) => {
                    *done.entry(*name).or_default() += 1;
                    let expected = reference.run_one(program, Inputs { input, demos: &Value::Nothing, candidate: None });
                    assert!(same(&found, &expected), "{name} of {input:?} and {:?}: {found:?} instead of {expected:?}", literals(program));
                }
            }
        }
    }
    done
}

/// The literals among the arguments of a program's steps, to show what failed.
fn literals(program: &Program) -> Vec<Value> {
    let operands = program.steps().iter().flat_map(|step| program.step_args(step));
    operands.filter_map(|operand| if let Operand::Literal(id) = operand { Some(program.literal(*id).clone()) } else { None }).collect()
}

/// The reason is for people and may differ; the step may not.
fn same(a: &Evaluation, b: &Evaluation) -> bool {
    let alike = match (&a.outcome, &b.outcome) {
        (Outcome::Undefined { step: a, .. }, Outcome::Undefined { step: b, .. }) => a == b,
        (Outcome::Value(a), Outcome::Value(b)) => a == b && matches!(a, Value::Bool(_)) == matches!(b, Value::Bool(_)),
        (a, b) => a == b,
    };
    alike && a.fuel == b.fuel
}

/// A program that makes one call: the first argument is the input, the others are literals. There is none for what is no literal.
fn one_call(id: PrimId, args: &[Value]) -> Option<(Program, Value)> {
    let mut builder = ProgramBuilder::new(Params::Input);
    let mut operands = vec![Operand::Input];
    for arg in &args[1..] {
        operands.push(builder.literal(arg.clone()).ok()?);
    }
    let output = builder.call(id, &operands).ok()?;
    Some((builder.finish("one_call", output).ok()?, args[0].clone()))
}

/// A generator of numbers by one seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number from `low` to `high`, both included.
    fn between(&mut self, low: i64, high: i64) -> i64 {
        low + i64::try_from(self.next() % u64::try_from(high - low + 1).unwrap()).unwrap()
    }

    fn one_in(&mut self, n: i64) -> bool {
        self.between(1, n) == 1
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[usize::try_from(self.between(0, items.len() as i64 - 1)).unwrap()]
    }

    fn argument(&mut self, form: Form) -> Value {
        if self.one_in(20) {
            return self.anything();
        }
        match form {
            Form::Grid => self.grid(30),
            Piece if self.one_in(2) => self.grid(30),
            Piece | Patch => self.patch(),
            Colour => {
                let plain = self.between(0, 9);
                Value::Int(self.pick(&[plain, plain, plain, plain, plain, plain, plain, -1, -128, 127]))
            }
            Factor => {
                let plain = self.between(1, 4);
                Value::Int(self.pick(&[plain, plain, plain, plain, 0, -2, 7, 31, 1 << 40, i64::MIN]))
            }
            Angle => Value::Int(self.between(-1, 8)),
            Pair => self.pair(),
        }
    }

    fn pair(&mut self) -> Value {
        let far = self.one_in(15);
        let (low, high) = if far { (i64::from(i32::MIN), i64::from(i32::MAX)) } else { (-4, 31) };
        Value::pair(self.between(low, high), self.between(low, high))
    }

    /// A grid with sides up to `longest`: of one colour, of few that are often equally frequent, of ten, or of all there are.
    fn grid(&mut self, longest: i64) -> Value {
        let sides = if self.one_in(3) { 3 } else { longest };
        let (height, width) = (self.between(1, sides), self.between(1, sides));
        let (low, high) = self.pick(&[(0, 0), (0, 1), (3, 5), (0, 9), (0, 9), (-3, 33), (-128, 127)]);
        let mut cells: Vec<i8> = (0..height * width).map(|_| i8::try_from(self.between(low, high)).unwrap()).collect();
        if self.one_in(3) {
            // Lines of one colour, which `compress` takes out.
            let (i, j, width) = (self.between(0, height - 1), self.between(0, width - 1), usize::try_from(width).unwrap());
            cells.chunks_exact_mut(width).for_each(|row| row[usize::try_from(j).unwrap()] = 0);
            cells.chunks_exact_mut(width).nth(usize::try_from(i).unwrap()).unwrap().fill(0);
        }
        Value::Grid(Grid::new(usize::try_from(height).unwrap(), usize::try_from(width).unwrap(), &cells).unwrap())
    }

    /// A patch inside and around where grids are: mostly of cells, also with several colours at a place, or of locations; as a set, or as
    /// a tuple in any order.
    fn patch(&mut self) -> Value {
        if self.one_in(15) {
            return if self.one_in(2) { Value::empty_set() } else { Value::empty_tuple() };
        }
        let count = self.pick(&[1, 2, 7, 30, 120]);
        let (low, high) = self.pick(&[(0, 3), (0, 9), (0, 29), (-5, 35), (-2048, 2047)]);
        let few_colours = self.one_in(2);
        let cells: Vec<Packed> = (0..count)
            .map(|_| {
                let colour = if few_colours { self.between(0, 2) } else { self.between(-128, 127) };
                Packed::cell(colour, self.between(low, high), self.between(low, high)).unwrap()
            })
            .collect();
        let locations = cells.iter().map(|cell| cell.without_colour());
        match self.between(1, 8) {
            1 => tuple_of(cells.iter().map(|cell| Value::Cell(*cell)).collect()),
            2 => tuple_of(locations.map(|cell| Value::Pair(cell.i(), cell.j())).collect()),
            3 | 4 => Value::indices_from(locations.collect()),
            _ => Value::object_from(cells),
        }
    }

    /// A value that may be no argument at all.
    fn anything(&mut self) -> Value {
        let grid = self.grid(4);
        let patch = self.patch();
        match self.between(1, 16) {
            1 => Value::Int(self.between(-300, 300)),
            2 => Value::Bool(self.one_in(2)),
            3 => Value::Nothing,
            4 => self.pair(),
            5 => Value::Cell(Packed::cell(3, 1, 2).unwrap()),
            6 => tuple_of((0..self.between(3, 5)).map(Value::Int).collect()),
            7 => tuple_of(vec![Value::Int(4)]),
            8 => grid,
            9 => patch,
            10 => tuple_of(vec![grid.clone(), self.grid(4), grid]),
            11 => Value::set_of([patch, self.patch()]),
            12 => tuple_of(vec![Value::empty_tuple(); 3]),
            13 => tuple_of(vec![Value::pair(1, 2), Value::Int(3), grid]),
            14 => Value::set_of([grid, patch]),
            15 => Value::set_of([Value::Int(1), Value::Int(2)]),
            _ => tuple_of(vec![patch.clone(), patch]),
        }
    }

    /// A program of several calls from grid to grid, whose value has the rows of all that they made, one below the other.
    fn chain(&mut self) -> (Program, Value) {
        let mut builder = ProgramBuilder::new(Params::Input);
        let mut made = vec![Operand::Input];
        for _ in 0..self.between(2, 6) {
            let grid = self.pick(&made);
            let mut literal = |value: Value| builder.literal(value).unwrap();
            let (name, others) = match self.between(1, 9) {
                1 => ("fill", vec![literal(Value::Int(self.between(0, 9))), literal(self.patch())]),
                2 => ("paint", vec![literal(self.patch())]),
                3 => ("underpaint", vec![literal(self.patch())]),
                4 => ("cellwise", vec![literal(self.grid(30)), literal(Value::Int(7))]),
                5 => ("replace", vec![literal(Value::Int(0)), literal(Value::Int(5))]),
                6 => ("hconcat", vec![self.pick(&made)]),
                7 => ("hupscale", vec![literal(Value::Int(2))]),
                8 => ("crop", vec![literal(Value::pair(self.between(0, 2), 1)), literal(Value::pair(9, 5))]),
                _ => (self.pick(&["vmirror", "rot90", "compress", "tophalf", "righthalf", "trim"]), Vec::new()),
            };
            let operands: Vec<Operand> = std::iter::once(grid).chain(others).collect();
            made.push(builder.call(batt_dsl::by_name(name).unwrap(), &operands).unwrap());
        }
        let vconcat = batt_dsl::by_name("vconcat").unwrap();
        let output = made[1..].iter().fold(made[0], |above, &below| builder.call(vconcat, &[above, below]).unwrap());
        (builder.finish("chain", output).unwrap(), self.grid(12))
    }
}
