//! Random calls of the primitives that find objects and colours, on the kernels through the emulator, against the reference executor.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

use batt_core::{Grid, Packed, PrimId, Value, tuple_of};
use batt_dsl::{Limits, by_name};
use batt_engine::{Executor, Inputs, Outcome, ReferenceExecutor};
use batt_gpu::{ItemRun, run_items};
use batt_gpu_emulator::Emulator;
use batt_program::{Operand, Params, Program, ProgramBuilder};

/// Programs run on the emulator at a time.
const BATCH: usize = 64;

/// A call, and whether the device may leave it to the host.
struct Call {
    name: &'static str,
    args: Vec<Value>,
    may_refuse: bool,
}

fn call(name: &'static str, args: Vec<Value>) -> Call {
    Call { name, args, may_refuse: false }
}

#[test]
fn objects_of_all_kinds() {
    let mut rng = Rng(1);
    let mut calls = Vec::new();
    for round in 0..90 {
        let grid = Value::from(any_grid(&mut rng));
        for kind in 0..8 {
            calls.push(objects_call("objects", &grid, kind));
        }
        let kind = rng.between(-1, 8);
        calls.push(call("o_g", vec![grid.clone(), Value::Int(kind)]));
        if round % 3 == 0 {
            calls.push(objects_call("objects_t", &grid, kind & 7));
            calls.push(call("o_g_t", vec![grid, Value::Int(kind & 7)]));
        }
    }
    check(&calls);
}

#[test]
fn objects_that_wind() {
    let mut calls = Vec::new();
    for (height, width) in
        [(1, 1), (1, 33), (33, 1), (2, 2), (7, 5), (16, 16), (30, 30), (31, 32), (20, 33), (13, 64), (5, 200), (128, 128)]
    {
        for pattern in [comb, rings, snake, diagonals, crosses] {
            let grid = drawn(height, width, |i, j| i8::from(pattern(i, j, height, width)));
            // The reference takes its time for the largest.
            for kind in (0..8).step_by(if grid.area() > 8192 { 5 } else { 1 }) {
                calls.push(objects_call("objects", &Value::from(grid.clone()), kind));
            }
        }
    }
    // A set of thousands of objects, each with its item, may be more than a run's memory holds.
    for call in &mut calls {
        call.may_refuse = call.args[0].weight() > 2048;
    }
    check(&calls);
}

#[test]
fn colours_of_grids_and_objects() {
    let mut rng = Rng(2);
    let mut calls = Vec::new();
    for round in 0..160 {
        let element = match round % 8 {
            0..=3 => Value::from(any_grid(&mut rng)),
            7 => Value::empty_set(),
            _ => object(&mut rng),
        };
        for name in ["mostcolor", "leastcolor", "palette", "numcolors", "p_f", "p_g", "p_o", "color"] {
            calls.push(call(name, vec![element.clone()]));
        }
        for _ in 0..3 {
            let wanted = number(&mut rng);
            calls.push(call("colorcount", vec![element.clone(), wanted]));
        }
    }
    check(&calls);
}

#[test]
fn objects_by_colour() {
    let mut rng = Rng(3);
    let mut calls = Vec::new();
    for _ in 0..150 {
        let items: Vec<Value> = (0..rng.below(70)).map(|_| object(&mut rng)).collect();
        let tuples = items.iter().map(|item| tuple_of(item.items().unwrap().map(batt_core::ItemRef::into_value).collect())).collect();
        calls.push(call("colorfilter", vec![Value::set_of(items.clone()), number(&mut rng)]));
        calls.push(call("colorfilter", vec![tuple_of(items), number(&mut rng)]));
        calls.push(call("colorfilter_t", vec![tuple_of(tuples), number(&mut rng)]));
        calls.push(call("c_branch", vec![anything(&mut rng), number(&mut rng), number(&mut rng)]));
    }
    check(&calls);
}

#[test]
fn cells_of_grids() {
    let mut rng = Rng(4);
    let mut calls = Vec::new();
    for round in 0..150 {
        let grid = any_grid(&mut rng);
        let few_colours = grid.has_only(0, 15);
        let value = Value::from(grid.clone());
        for name in ["asindices", "asobject", "frontiers"] {
            calls.push(call(name, vec![value.clone()]));
        }
        for name in ["partition", "fgpartition"] {
            calls.push(Call { name, args: vec![value.clone()], may_refuse: !few_colours });
        }
        calls.push(call("ofcolor", vec![value.clone(), number(&mut rng)]));
        calls.push(call("ofcolor", vec![value.clone(), Value::Int(i64::from(grid.cells()[grid.area() / 2]))]));
        let patch = match round % 5 {
            0 => Value::empty_set(),
            1 | 2 => indices(&mut rng),
            _ => object(&mut rng),
        };
        calls.push(call("toobject", vec![patch.clone(), value.clone()]));
        calls.push(call("occurrences", vec![value.clone(), patch]));
        let part = part_of(&grid, &mut rng);
        calls.push(call("occurrences", vec![value, part]));
    }
    check(&calls);
}

#[test]
fn tables_that_are_no_grids() {
    let mut rng = Rng(6);
    let mut calls = Vec::new();
    for _ in 0..120 {
        let table = table(&mut rng);
        for name in ["palette", "p_f", "numcolors", "asindices"] {
            calls.push(call(name, vec![table.clone()]));
        }
        for _ in 0..2 {
            let wanted = number(&mut rng);
            calls.push(call("ofcolor", vec![table.clone(), wanted.clone()]));
            calls.push(call("colorcount", vec![table.clone(), wanted]));
        }
    }
    check(&calls);
    // Where rows are none, or there is none, all know what comes of it.
    let mut calls = Vec::new();
    for broken in [tuple_of(Vec::new()), tuple_of(vec![tuple_of(vec![Value::Int(1), Value::Int(2), Value::Int(3)]), Value::Int(4)])] {
        calls.extend((0..8).map(|kind| objects_call("objects", &broken, kind)));
        for name in ["asobject", "palette", "numcolors", "asindices"] {
            calls.push(call(name, vec![broken.clone()]));
        }
        for other in [object(&mut rng), indices(&mut rng), Value::empty_set()] {
            calls.push(call("toobject", vec![other.clone(), broken.clone()]));
            calls.push(call("occurrences", vec![broken.clone(), other]));
        }
        for name in ["ofcolor", "colorcount"] {
            calls.push(call(name, vec![broken.clone(), number(&mut rng)]));
        }
    }
    check(&calls);
}

#[test]
fn arguments_of_any_type() {
    let mut rng = Rng(5);
    let mut calls = Vec::new();
    let names = [
        ("objects", 4),
        ("objects_t", 4),
        ("o_g", 2),
        ("o_g_t", 2),
        ("ofcolor", 2),
        ("color", 1),
        ("colorfilter", 2),
        ("colorfilter_t", 2),
        ("leastcolor", 1),
        ("mostcolor", 1),
        ("palette", 1),
        ("numcolors", 1),
        ("colorcount", 2),
        ("asobject", 1),
        ("asindices", 1),
        ("toobject", 2),
        ("occurrences", 2),
        ("partition", 1),
        ("fgpartition", 1),
        ("frontiers", 1),
        ("c_branch", 3),
        ("p_f", 1),
        ("p_g", 1),
        ("p_o", 1),
    ];
    for _ in 0..60 {
        for (name, arity) in names {
            calls.push(Call { name, args: (0..arity).map(|_| anything(&mut rng)).collect(), may_refuse: true });
        }
    }
    check(&calls);
}

/// Runs the calls in both orders of lanes; what the device gives must be what the reference executor gives.
fn check(calls: &[Call]) {
    let programs: Vec<Program> = calls.iter().map(program_of).collect();
    let mut reference = ReferenceExecutor::new(Limits::default());
    let expected: Vec<_> = calls
        .iter()
        .zip(&programs)
        .map(|(call, program)| reference.run_one(program, Inputs { input: &call.args[0], demos: &Value::Nothing, candidate: None }))
        .collect();
    for backwards in [false, true] {
        let mut emulator = Emulator::new(backwards);
        let mut done = 0;
        for (start, batch) in calls.chunks(BATCH).enumerate().map(|(k, batch)| (k * BATCH, batch)) {
            let items: Vec<(&Program, &Value)> =
                batch.iter().zip(&programs[start..]).map(|(call, program)| (program, &call.args[0])).collect();
            for (k, run) in
                run_items(&mut emulator, &items, &Limits::default(), batt_gpu::Folding::LeaveAll).unwrap().into_iter().enumerate()
            {
                let (Call { name, args, may_refuse }, expected) = (&batch[k], &expected[start + k]);
                match run {
                    ItemRun::Done(found) => {
                        let same = found.fuel == expected.fuel && same(&found.outcome, &expected.outcome);
                        assert!(same, "{name} of {args:?}: {found:?} instead of {expected:?}");
                        done += 1;
                    }
                    ItemRun::Refused(_) | ItemRun::Uncovered(_) => assert!(*may_refuse, "{name} of {args:?} is refused"),
                    ItemRun::Bad(bad) => panic!("{name} of {args:?}: {bad}"),
                }
            }
        }
        assert!(2 * done > calls.len(), "{done} of {} calls are done on the device", calls.len());
    }
}

/// The reason is for people and may differ; the step may not.
fn same(a: &Outcome, b: &Outcome) -> bool {
    match (a, b) {
        (Outcome::Undefined { step: a, .. }, Outcome::Undefined { step: b, .. }) => a == b,
        // A boolean and an integer are equal, but not the same value.
        (Outcome::Value(a), Outcome::Value(b)) => a == b && matches!(a, Value::Bool(_)) == matches!(b, Value::Bool(_)),
        _ => a == b,
    }
}

/// A program that makes one call: the first argument is the input, the others are literals.
fn program_of(call: &Call) -> Program {
    let mut builder = ProgramBuilder::new(Params::Input);
    let mut operands = vec![Operand::Input];
    operands.extend(call.args[1..].iter().map(|arg| builder.literal(arg.clone()).unwrap()));
    let id: PrimId = by_name(call.name).unwrap();
    let output = builder.call(id, &operands).unwrap();
    builder.finish("one_call", output).unwrap()
}

fn objects_call(name: &'static str, grid: &Value, kind: i64) -> Call {
    call(name, vec![grid.clone(), Value::Bool(kind & 4 != 0), Value::Bool(kind & 2 != 0), Value::Bool(kind & 1 != 0)])
}

/// `SplitMix64`.
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as usize) as i64
    }
}

fn drawn(height: usize, width: usize, mut colour: impl FnMut(usize, usize) -> i8) -> Grid {
    let cells: Vec<i8> = (0..height * width).map(|k| colour(k / width, k % width)).collect();
    Grid::new(height, width, &cells).unwrap()
}

/// Noise of few or many colours, sparse cells, larger tiles, and lines through everything.
fn any_grid(rng: &mut Rng) -> Grid {
    let extent = |rng: &mut Rng| match rng.below(6) {
        0 => 1 + rng.below(3),
        1 => 28 + rng.below(8),
        _ => 1 + rng.below(20),
    };
    let (height, width) = (extent(rng), extent(rng));
    match rng.below(7) {
        0 => drawn(height, width, |_, _| rng.between(0, 9) as i8),
        1 => drawn(height, width, |_, _| rng.between(-128, 127) as i8),
        2 => drawn(height, width, |_, _| if rng.below(6) == 0 { rng.between(0, 4) as i8 } else { 0 }),
        3 => {
            let tiles: Vec<i8> = (0..64).map(|_| rng.between(0, 3) as i8).collect();
            drawn(height, width, |i, j| tiles[i / 4 % 8 * 8 + j / 5 % 8])
        }
        4 => {
            let (row, column) = (rng.below(height), rng.below(width));
            drawn(height, width, |i, j| if i == row || j == column { 5 } else { rng.between(0, 1) as i8 })
        }
        5 => drawn(height, width, |_, _| rng.between(-1, 20) as i8),
        // About the density at which objects wind most.
        _ => drawn(height, width, |_, _| i8::from(rng.below(100) < 58)),
    }
}

fn comb(i: usize, j: usize, height: usize, _: usize) -> bool {
    j.is_multiple_of(2) || i + 1 == height
}

fn rings(i: usize, j: usize, height: usize, width: usize) -> bool {
    i.min(j).min(height - 1 - i).min(width - 1 - j).is_multiple_of(2)
}

fn snake(i: usize, j: usize, _: usize, width: usize) -> bool {
    i.is_multiple_of(2) || j == if i % 4 == 1 { width - 1 } else { 0 }
}

fn diagonals(i: usize, j: usize, height: usize, _: usize) -> bool {
    (i + j).is_multiple_of(3) || (height + i - j % height).is_multiple_of(5)
}

fn crosses(i: usize, j: usize, _: usize, _: usize) -> bool {
    (i + j).is_multiple_of(2)
}

fn colour(rng: &mut Rng) -> i64 {
    if rng.below(12) == 0 { rng.between(-128, 127) } else { rng.between(0, 4) }
}

fn number(rng: &mut Rng) -> Value {
    match rng.below(10) {
        0 => Value::Bool(rng.below(2) == 1),
        1 => Value::Int(rng.between(-300, 300)),
        2 => Value::Int(i64::MIN),
        3 => Value::Int(rng.between(-128, 127)),
        _ => Value::Int(rng.between(0, 4)),
    }
}

/// A corner of a box, which may be outside of any grid, and its extent.
fn place(rng: &mut Rng) -> (i64, i64, i64) {
    let far = rng.below(8) == 0;
    let corner = |rng: &mut Rng| if far { rng.between(-2048, 2035) } else { rng.between(-6, 12) };
    (corner(rng), corner(rng), rng.between(0, 12))
}

/// Cells in a box, in places several of different colours.
fn object(rng: &mut Rng) -> Value {
    let (top, left, extent) = place(rng);
    let one = (rng.below(3) > 0).then(|| colour(rng));
    let cells = (0..=rng.below(60)).map(|_| {
        let (i, j) = (top + rng.between(0, extent), left + rng.between(0, extent));
        Value::Cell(Packed::cell(one.unwrap_or_else(|| colour(rng)), i, j).unwrap())
    });
    Value::set_of(cells.collect::<Vec<_>>())
}

/// Rows of different lengths, or grids or other things in the place of cells.
fn table(rng: &mut Rng) -> Value {
    let row = |rng: &mut Rng| match rng.below(5) {
        0 => Value::from(drawn(1 + rng.below(3), 3 + rng.below(3), |_, _| rng.between(0, 3) as i8)),
        1 => tuple_of((0..rng.below(36)).map(|_| number(rng)).collect()),
        2 => tuple_of((0..rng.below(4)).map(|_| object(rng)).collect()),
        _ => tuple_of((0..rng.below(6)).map(|_| Value::Int(colour(rng))).collect()),
    };
    tuple_of((0..rng.below(9)).map(|_| row(rng)).collect())
}

fn indices(rng: &mut Rng) -> Value {
    let (top, left, extent) = place(rng);
    let places = (0..=rng.below(60)).map(|_| Value::pair(top + rng.between(0, extent), left + rng.between(0, extent)));
    Value::set_of(places.collect::<Vec<_>>())
}

/// Some cells of a part of a grid, moved.
fn part_of(grid: &Grid, rng: &mut Rng) -> Value {
    let (top, left) = (rng.below(grid.height()), rng.below(grid.width()));
    let (height, width) = (1 + rng.below(grid.height() - top).min(3), 1 + rng.below(grid.width() - left).min(3));
    let (down, right) = (rng.between(-40, 40), rng.between(-40, 40));
    let mut cells = Vec::new();
    for i in 0..height {
        for j in 0..width {
            if rng.below(4) > 0 {
                let colour = i64::from(grid.row(top + i)[left + j]);
                cells.push(Value::Cell(Packed::cell(colour, i as i64 + down, j as i64 + right).unwrap()));
            }
        }
    }
    Value::set_of(cells)
}

fn anything(rng: &mut Rng) -> Value {
    match rng.below(18) {
        0 => Value::Nothing,
        1 | 2 => number(rng),
        3 => Value::pair(rng.between(-3, 3), rng.between(0, 3)),
        4 => Value::Cell(Packed::cell(colour(rng), 1, 2).unwrap()),
        5 => tuple_of((0..3 + rng.below(4)).map(|_| Value::Int(colour(rng))).collect()),
        6..=8 => Value::from(any_grid(rng)),
        9 => indices(rng),
        10 => object(rng),
        11 => Value::empty_set(),
        12 => Value::empty_tuple(),
        13 => tuple_of((0..=rng.below(3)).map(|_| object(rng)).collect()),
        14 => Value::set_of((0..=rng.below(3)).map(|_| if rng.below(2) == 0 { object(rng) } else { indices(rng) }).collect::<Vec<_>>()),
        15 => Value::set_of((0..=rng.below(3)).map(|_| number(rng)).collect::<Vec<_>>()),
        16 => tuple_of((0..=rng.below(3)).map(|_| Value::from(any_grid(rng))).collect()),
        _ => tuple_of(vec![Value::Bool(true), Value::pair(0, 1), tuple_of(vec![Value::Bool(false), Value::empty_set()])]),
    }
}
