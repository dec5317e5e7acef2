//! Random calls of primitives on patches, locations and lines, on the kernels and on the reference executor: value, step and fuel.
#![expect(clippy::unwrap_used, reason = "tests")]

use batt_core::{Grid, Value, tuple_of};
use batt_dsl::{Limits, by_name};
use batt_engine::{Evaluation, Executor, Inputs, Outcome, ReferenceExecutor};
use batt_gpu::{ItemRun, run_items};
use batt_gpu_emulator::Emulator;
use batt_program::{Operand, Params, Program, ProgramBuilder};

/// Calls of each primitive whose arguments are as in real programs, and of those whose arguments are anything.
const PLAIN: usize = 80;
const WILD: usize = 200;
/// Programs run on the emulator at a time.
const BATCH: usize = 64;

/// What a parameter takes.
#[derive(Clone, Copy, PartialEq)]
enum Takes {
    Patch,
    Object,
    Piece,
    Grid,
    Place,
    Direction,
    Colour,
    Choice,
    Cell,
    Tuple,
}

use Takes::{Cell, Choice, Colour, Direction, Object, Patch, Piece, Place, Tuple};

const CALLS: &[(&str, &[Takes])] = &[
    ("shift", &[Patch, Direction]),
    ("recolor", &[Colour, Patch]),
    ("ulcorner", &[Patch]),
    ("width", &[Piece]),
    ("normalize", &[Patch]),
    ("center", &[Patch]),
    ("height", &[Piece]),
    ("toindices", &[Patch]),
    ("shape", &[Piece]),
    ("uppermost", &[Patch]),
    ("leftmost", &[Patch]),
    ("vline", &[Patch]),
    ("hline", &[Patch]),
    ("urcorner", &[Patch]),
    ("lrcorner", &[Patch]),
    ("portrait", &[Piece]),
    ("gravitate", &[Patch, Patch]),
    ("manhattan", &[Patch, Patch]),
    ("adjacent", &[Patch, Patch]),
    ("bordering", &[Patch, Takes::Grid]),
    ("corners", &[Patch]),
    ("llcorner", &[Patch]),
    ("hperiod", &[Object]),
    ("position", &[Patch, Patch]),
    ("vmatching", &[Patch, Patch]),
    ("lowermost", &[Patch]),
    ("rightmost", &[Patch]),
    ("vperiod", &[Object]),
    ("square", &[Piece]),
    ("hmatching", &[Patch, Patch]),
    ("centerofmass", &[Patch]),
    ("ascell", &[Place, Colour]),
    ("astriple", &[Choice, Choice, Colour]),
    ("celltuple", &[Tuple, Tuple]),
    ("col_row", &[Patch, Choice]),
    ("corner", &[Patch, Choice]),
    ("toij", &[Cell]),
    ("mir_rot_f", &[Patch, Choice]),
    ("shoot", &[Place, Direction]),
    ("connect", &[Place, Place]),
    ("neighbors", &[Place]),
    ("outbox", &[Patch]),
    ("vfrontier", &[Place]),
    ("backdrop", &[Patch]),
    ("hfrontier", &[Place]),
    ("box", &[Patch]),
    ("dneighbors", &[Place]),
    ("delta", &[Patch]),
    ("inbox", &[Patch]),
    ("ineighbors", &[Place]),
];

#[test]
fn plain_calls_are_done_on_the_device_and_agree() {
    let mut random = Random(1);
    let calls: Vec<Call> = each_call(PLAIN, |takes| random.plain(takes));
    let refused = compare(&calls);
    assert!(refused.is_empty(), "left to the host: {:?}", &refused[..refused.len().min(10)]);
}

#[test]
fn calls_of_anything_agree_or_are_left_to_the_host() {
    let mut random = Random(2);
    let calls: Vec<Call> = each_call(WILD, |takes| random.wild(takes));
    let refused = compare(&calls);
    // What is no patch is mostly an error, and the device knows.
    assert!(10 * refused.len() < calls.len(), "{} of {} left to the host", refused.len(), calls.len());
}

#[test]
fn patches_far_from_each_other_agree() {
    let mut random = Random(4);
    let mut calls = Vec::new();
    for far in 30..=70 {
        // Gravity gives up after 42 steps; lines are compared 32 at a time.
        for (i, j) in [(far, 0), (-far, 0), (0, far), (0, -far), (far, 1), (1, -far)] {
            let near = Value::set_of([Value::pair(3, 4), Value::pair(random.between(2, 4), random.between(3, 5))]);
            let other = Value::set_of([Value::pair(3 + i, 4 + j), Value::pair(3 - i, 4 + 2 * j), Value::pair(3 + 2 * i, 4 - j)]);
            let single = Value::set_of([Value::pair(3 + i, 4 + j)]);
            for name in ["gravitate", "vmatching", "hmatching", "manhattan"] {
                calls.push(call(name, &[near.clone(), single.clone()]));
                calls.push(call(name, &[other.clone(), near.clone()]));
                calls.push(call(name, &[single.clone(), other.clone()]));
            }
        }
    }
    // Wide patches that have one line in common, anywhere, or none.
    for shared in 0..=100 {
        let places = |all: [(i64, i64); 3], turned: bool| {
            Value::set_of(all.map(|(i, j)| if turned { Value::pair(j, i) } else { Value::pair(i, j) }))
        };
        for turned in [false, true] {
            let a = places([(0, 0), (1, shared), (2, 100)], turned);
            for b in [places([(8, 1), (7, shared), (6, 99)], turned), places([(8, 1), (7, shared + 1), (6, 98)], turned)] {
                calls.push(call("vmatching", &[a.clone(), b.clone()]));
                calls.push(call("hmatching", &[b, a.clone()]));
            }
        }
    }
    assert!(compare(&calls).is_empty());
}

#[test]
fn values_last_while_others_are_made() {
    let mut random = Random(3);
    let steps = ["normalize", "toindices", "corners", "outbox", "backdrop", "delta", "box", "inbox"];
    let calls: Vec<Call> = (0..300)
        .map(|_| {
            let mut builder = ProgramBuilder::new(Params::Input);
            let mut made = vec![Operand::Input];
            for _ in 0..4 {
                let step = steps[random.below(steps.len() as u64) as usize];
                let from = made[random.below(made.len() as u64) as usize];
                made.push(builder.call(by_name(step).unwrap(), &[from]).unwrap());
            }
            let last = *made.last().unwrap();
            let (name, with) = if random.one_in(2) { ("gravitate", made[1]) } else { ("manhattan", made[2]) };
            let output = builder.call(by_name(name).unwrap(), &[with, last]).unwrap();
            Call { name: "a chain", program: builder.finish("chain", output).unwrap(), input: random.plain(Patch) }
        })
        .collect();
    assert!(compare(&calls).is_empty());
}

struct Call {
    name: &'static str,
    program: Program,
    input: Value,
}

/// So many calls of each primitive with arguments of this source.
fn each_call(times: usize, mut argument: impl FnMut(Takes) -> Value) -> Vec<Call> {
    let mut calls = Vec::new();
    for (name, takes) in CALLS {
        for _ in 0..times {
            let args: Vec<Value> = takes.iter().map(|&takes| argument(takes)).collect();
            calls.push(call(name, &args));
        }
    }
    calls
}

/// A program that makes one call; its input is the first argument, the others are literals.
fn call(name: &'static str, args: &[Value]) -> Call {
    let mut builder = ProgramBuilder::new(Params::Input);
    let mut operands = vec![Operand::Input];
    for arg in &args[1..] {
        operands.push(builder.literal(arg.clone()).unwrap());
    }
    let output = builder.call(by_name(name).unwrap(), &operands).unwrap();
    Call { name, program: builder.finish("one_call", output).unwrap(), input: args[0].clone() }
}

/// Runs the calls on the emulator and on the reference executor; gives those that the device left to the host.
fn compare(calls: &[Call]) -> Vec<String> {
    let mut reference = ReferenceExecutor::new(Limits::default());
    let mut refused = Vec::new();
    let mut differences = Vec::new();
    for (number, batch) in calls.chunks(BATCH).enumerate() {
        let items: Vec<(&Program, &Value)> = batch.iter().map(|call| (&call.program, &call.input)).collect();
        let ran = run_items(&mut Emulator::new(number % 2 == 1), &items, &Limits::default(), batt_gpu::Folding::LeaveAll).unwrap();
        for (call, run) in batch.iter().zip(ran) {
            let about = || short(&format!("{} of {:?}", call.name, call.input));
            match run {
                ItemRun::Uncovered(_) | ItemRun::Refused(_) => refused.push(about()),
                ItemRun::Bad(bad) => differences.push(format!("{}: {bad}", about())),
                ItemRun::Done(found) => {
                    let expected = reference.run_one(&call.program, Inputs { input: &call.input, demos: &Value::Nothing, candidate: None });
                    if !same(&found, &expected) {
                        let (found, expected) = (short(&format!("{found:?}")), short(&format!("{expected:?}")));
                        differences.push(format!("{}: {found} instead of {expected}", about()));
                    }
                }
            }
        }
    }
    assert!(differences.is_empty(), "{} calls differ:\n{}", differences.len(), differences[..differences.len().min(20)].join("\n"));
    refused
}

fn short(text: &str) -> String {
    text.chars().take(300).collect()
}

/// The reason is for people and may differ; the step may not.
fn same(a: &Evaluation, b: &Evaluation) -> bool {
    a.fuel == b.fuel
        && match (&a.outcome, &b.outcome) {
            (Outcome::Undefined { step: a, .. }, Outcome::Undefined { step: b, .. }) => a == b,
            // A boolean and an integer are equal, but not the same value.
            (Outcome::Value(a), Outcome::Value(b)) => a == b && matches!(a, Value::Bool(_)) == matches!(b, Value::Bool(_)),
            (a, b) => a == b,
        }
}

/// `SplitMix64`, and values made by it.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as u64) as i64
    }

    /// An argument as real programs have it.
    fn plain(&mut self, takes: Takes) -> Value {
        match takes {
            Patch => {
                let origin = if self.one_in(6) { (self.between(-40, -1), self.between(-40, 5)) } else { self.place(0, 20) };
                let coloured = self.one_in(2);
                if self.one_in(12) { Value::empty_set() } else { self.patch(origin, coloured, false) }
            }
            Object => {
                let origin = self.place(-3, 20);
                if self.one_in(2) { self.repeating(origin) } else { self.patch(origin, true, false) }
            }
            Piece if self.one_in(2) => self.plain(Takes::Grid),
            Piece => self.plain(Patch),
            Takes::Grid => {
                let (height, width) = (self.between(1, 30) as usize, self.between(1, 30) as usize);
                let colours = if self.one_in(2) { 2 } else { 10 };
                let cells: Vec<i8> = (0..height * width).map(|_| self.below(colours) as i8).collect();
                Value::Grid(Grid::new(height, width, &cells).unwrap())
            }
            Place => self.pair(-2, 31),
            Direction if self.one_in(3) => self.pair(-30, 30),
            Direction => self.pair(-1, 1),
            Colour => Value::Int(self.between(0, 9)),
            Choice => Value::Int(self.between(0, 3)),
            Cell => Value::set_of([self.cell((2, 3), 5, 9)]).items().unwrap().next().unwrap().into_value(),
            Tuple => {
                let places = self.one_in(2);
                let count = self.between(0, 6);
                tuple_of((0..count).map(|_| if places { self.pair(-5, 20) } else { Value::Int(self.between(0, 9)) }).collect())
            }
        }
    }

    /// An argument of the right kind at its limits, or of any other.
    fn wild(&mut self, takes: Takes) -> Value {
        match self.below(10) {
            0..=3 => self.plain(takes),
            4 | 5 => self.extreme(takes),
            6 => self.other(),
            7 => {
                let takes = [Patch, Object, Takes::Grid, Place, Colour, Cell, Tuple][self.below(7) as usize];
                self.plain(takes)
            }
            8 => {
                let takes = [Patch, Place, Colour][self.below(3) as usize];
                self.extreme(takes)
            }
            // Tuples stand for sets in many places.
            _ => {
                let patch = self.plain(Patch);
                let mut items: Vec<Value> = patch.items().unwrap().map(batt_core::ItemRef::into_value).collect();
                if self.one_in(2) {
                    items.reverse();
                    items.extend(items.first().cloned());
                }
                tuple_of(items)
            }
        }
    }

    fn extreme(&mut self, takes: Takes) -> Value {
        match takes {
            Patch | Object | Piece => match self.below(5) {
                0 => {
                    let origin = ([-2048, 2020][self.below(2) as usize], [-2048, 2030][self.below(2) as usize]);
                    let coloured = self.one_in(2);
                    self.patch(origin, coloured, true)
                }
                // Two cells far from each other.
                1 => Value::set_of([Value::pair(-2048, self.between(-5, 5)), Value::pair(self.between(-5, 2047), 2047)]),
                2 => Value::set_of([self.cell((-70, 2000), 40, 127), self.cell((0, -100), 3, 127)]),
                3 => Value::empty_set(),
                // Cells of several colours at one location.
                _ => {
                    let origin = self.place(-3, 9);
                    let cells: Vec<Value> = (0..self.between(2, 40)).map(|_| self.cell(origin, 5, 3)).collect();
                    Value::set_of(cells)
                }
            },
            Takes::Grid => tuple_of(vec![Value::Int(1), Value::empty_set()]),
            Place | Direction => {
                let numbers =
                    [0, 1, -1, 48, 49, -49, 2046, 2047, 2048, -2047, -2048, -2049, i64::from(i32::MAX), i64::from(i32::MIN), i64::MAX];
                Value::pair(numbers[self.below(15) as usize], numbers[self.below(15) as usize])
            }
            Colour | Choice => Value::Int([-1, 4, 9, 127, 128, -128, -129, 2047, 2048, i64::MAX, i64::MIN][self.below(11) as usize]),
            Cell | Tuple => self.other(),
        }
    }

    fn other(&mut self) -> Value {
        match self.below(14) {
            0 => Value::Bool(self.one_in(2)),
            1 => Value::empty_tuple(),
            2 => tuple_of(vec![Value::Int(3), Value::Int(-4), Value::Int(5)]),
            3 => tuple_of(vec![Value::Int(3), Value::Int(-400), Value::Int(5)]),
            4 => tuple_of(vec![Value::Int(7)]),
            5 => Value::set_of([Value::Int(3), Value::Int(self.between(3, 6))]),
            6 => Value::set_of([self.plain(Patch), self.plain(Object)]),
            7 => tuple_of(vec![self.plain(Patch), self.plain(Object)]),
            8 => tuple_of(vec![self.plain(Takes::Grid), self.plain(Takes::Grid)]),
            9 => Value::set_of([Value::empty_tuple()]),
            10 => tuple_of(vec![self.plain(Cell), self.plain(Place), self.plain(Cell)]),
            11 => tuple_of(vec![Value::pair(3, 300), Value::pair(-300, 2), Value::pair(3, 300)]),
            12 => tuple_of(vec![tuple_of(vec![Value::Int(1)]), tuple_of(vec![Value::Int(2)])]),
            _ => Value::set_of([tuple_of(vec![Value::Int(1), Value::Int(2), Value::Int(3)]), Value::Int(4)]),
        }
    }

    fn place(&mut self, low: i64, high: i64) -> (i64, i64) {
        (self.between(low, high), self.between(low, high))
    }

    fn pair(&mut self, low: i64, high: i64) -> Value {
        let (i, j) = self.place(low, high);
        Value::pair(i, j)
    }

    fn cell(&mut self, (i, j): (i64, i64), reach: i64, colours: i64) -> Value {
        let place = Value::pair(i + self.between(0, reach), j + self.between(0, reach));
        batt_core::two_of(&Value::Int(self.between(0, colours)), &place)
    }

    /// A patch of cells in a box: a single one, a line, a few, or all of it. Each location has one colour.
    fn patch(&mut self, (top, left): (i64, i64), coloured: bool, small: bool) -> Value {
        let most = if small {
            8
        } else if self.one_in(8) {
            30
        } else {
            10
        };
        let (mut height, mut width) = (self.between(1, most), self.between(1, most));
        match self.below(6) {
            0 => (height, width) = (1, 1),
            1 => height = 1,
            2 => width = 1,
            _ => {}
        }
        let density = [1, 1, 2, 4, 12][self.below(5) as usize];
        let colours = if self.one_in(2) { 1 } else { 9 };
        let mut cells = Vec::new();
        for i in top..top + height {
            for j in left..left + width {
                // The first keeps the patch from being empty.
                if cells.is_empty() || self.one_in(density) {
                    let place = Value::pair(i, j);
                    cells.push(if coloured { batt_core::two_of(&Value::Int(self.between(1, colours)), &place) } else { place });
                }
            }
        }
        Value::set_of(cells)
    }

    /// An object that repeats along both axes, now and then with a fault.
    fn repeating(&mut self, (top, left): (i64, i64)) -> Value {
        let (height, width) = (self.between(1, 14), self.between(1, 14));
        let (down, across) = (self.between(1, 5), self.between(1, 5));
        let tile: Vec<i64> = (0..down * across).map(|_| self.between(-1, 3)).collect();
        let fault = self.below(200) as i64;
        let mut cells = Vec::new();
        for i in 0..height {
            for j in 0..width {
                let colour = if i * width + j == fault { 8 } else { tile[((i % down) * across + j % across) as usize] };
                if colour >= 0 {
                    cells.push(batt_core::two_of(&Value::Int(colour), &Value::pair(top + i, left + j)));
                }
            }
        }
        Value::set_of(cells)
    }
}
