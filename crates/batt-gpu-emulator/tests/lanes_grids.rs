//! Loops over grids, patches, colours and tuples whose functions single lanes call to make or change grids, on the kernels through the
//! emulator against the reference executor: value, step and fuel. Among the items are some that have no answer, and some that lanes leave
//! to the warp; where all are as in real programs, they leave few.
#![expect(clippy::unwrap_used, reason = "tests")]

mod common_containers;
#[path = "common_containers/rng.rs"]
mod rng;
#[path = "common_containers/text.rs"]
mod text;

use Takes::{Colour, Direction, Factor, Large, Little, Object, Objects, Parts, Patch, Row, Several, Shape, Size};
use batt_core::{Grid, ItemRef, Value, tuple_of, two_of};
use batt_gpu::kernel_source;
use batt_gpu_emulator::LoopsByLanes;
use batt_program::{Program, print_literal};
use common_containers::{Limits, Tally, differences, none};
use rng::Rng;
use text::program;

/// Loops over each parameter of each primitive, for each order of lanes.
const LOOPS_EACH: usize = 60;

/// What a parameter takes.
#[derive(Clone, Copy, PartialEq)]
enum Takes {
    Grid,
    /// A grid that is no larger than a large one.
    Little,
    Large,
    Patch,
    Object,
    Objects,
    Colour,
    Direction,
    Factor,
    Parts,
    Row,
    /// A set or a tuple of patches.
    Several,
    Shape,
    Size,
}

const PRIMITIVES: &[(&str, &[Takes])] = &[
    ("fill", &[Takes::Grid, Colour, Patch]),
    ("paint", &[Takes::Grid, Object]),
    ("underfill", &[Takes::Grid, Colour, Patch]),
    ("replace", &[Takes::Grid, Colour, Colour]),
    ("vconcat", &[Takes::Grid, Takes::Grid]),
    ("hconcat", &[Takes::Grid, Takes::Grid]),
    ("underpaint", &[Takes::Grid, Object]),
    ("canvas", &[Colour, Shape]),
    ("cover", &[Takes::Grid, Patch]),
    ("switch", &[Takes::Grid, Colour, Colour]),
    ("upscale", &[Takes::Grid, Factor]),
    ("hupscale", &[Takes::Grid, Factor]),
    ("vupscale", &[Takes::Grid, Factor]),
    ("downscale", &[Takes::Grid, Factor]),
    ("move", &[Takes::Grid, Object, Direction]),
    ("tophalf", &[Takes::Grid]),
    ("bottomhalf", &[Takes::Grid]),
    ("lefthalf", &[Takes::Grid]),
    ("righthalf", &[Takes::Grid]),
    ("merge", &[Objects]),
    ("colorfilter", &[Several, Colour]),
    ("sizefilter", &[Several, Size]),
    ("cellwise", &[Little, Large, Colour]),
    ("trim", &[Takes::Grid]),
    ("hsplit", &[Takes::Grid, Parts]),
    ("vsplit", &[Takes::Grid, Parts]),
    ("compress", &[Takes::Grid]),
    ("pair", &[Row, Row]),
    ("mostcommon", &[Row]),
    ("leastcommon", &[Row]),
    ("frontiers", &[Takes::Grid]),
];

const LOOPS: [&str; 10] = [
    "apply(F, I)",
    "apply(F, totuple(I))",
    "apply(F, totuple(I))",
    "mapply(F, totuple(I))",
    "sfilter(I, F)",
    "extract(I, F)",
    "valmax(I, compose(size, F))",
    // What lanes made is given to others by the same lanes.
    "apply(compose(tophalf, F), totuple(I))",
    "apply(compose(rbind(hconcat, ((1, 2, 3), (4, 5, 6))), F), totuple(I))",
    "apply(fork(equality, F, identity), totuple(I))",
];

#[test]
fn loops_by_lanes_agree_with_the_reference_executor() {
    check(1, false);
}

#[test]
fn loops_by_lanes_do_not_depend_on_the_order_of_lanes() {
    check(2, true);
}

#[test]
fn all_of_them_are_for_lanes() {
    let text = kernel_source();
    for (name, _) in PRIMITIVES {
        assert!(text.contains(&format!("\nLANE({name}) {{")), "{name}");
    }
}

/// Loops over what real programs have are left to the warp seldom.
#[test]
fn lanes_refuse_little_that_is_plain() {
    let mut rng = Rng(3);
    let mut wrong = Vec::new();
    for (name, takes) in PRIMITIVES {
        let mut runs: Vec<(Program, Value)> = Vec::new();
        for item in 0..takes.len() {
            for _ in 0..LOOPS_EACH / 2 {
                let bound: Vec<String> = takes.iter().map(|&takes| print_literal(&plain(&mut rng, takes))).collect();
                let function = bound_to_all_but(name, &bound, item);
                let items = (0..3 + rng.below(40)).map(|_| small(&mut rng, takes[item])).collect();
                runs.push((program(&format!("O = sfilter(I, {function})")), tuple_of(items)));
            }
        }
        let pairs: Vec<(&Program, &Value)> = runs.iter().map(|(program, input)| (program, input)).collect();
        let mut tallies: Vec<Tally> = pairs.iter().map(|_| Tally::default()).collect();
        LoopsByLanes::take();
        none(&differences(&pairs, &Limits::default(), false, &mut tallies));
        let loops = LoopsByLanes::take();
        if 10 * loops.refused > loops.done || 2 * loops.done as usize <= pairs.len() {
            wrong.push(format!("{name}: {loops:?} of {}", pairs.len()));
        }
    }
    assert!(wrong.is_empty(), "too many are left to the warp:\n{}", wrong.join("\n"));
}

fn check(seed: u64, backwards: bool) {
    let mut rng = Rng(seed);
    let mut runs: Vec<(&str, Program, Value)> = Vec::new();
    for (name, takes) in PRIMITIVES {
        for item in 0..takes.len() {
            for _ in 0..LOOPS_EACH {
                let (program, input) = random_loop(&mut rng, name, takes, item);
                runs.push((name, program, input));
            }
        }
        if let [first, second] = takes {
            for _ in 0..LOOPS_EACH {
                let body = format!("x1 = first(I)\nx2 = last(I)\nO = papply({name}, x1, x2)");
                let (a, b) = (container(&mut rng, *first), container(&mut rng, *second));
                runs.push((name, program(&body), tuple_of(vec![a, b])));
            }
        }
    }
    let pairs: Vec<(&Program, &Value)> = runs.iter().map(|(_, program, input)| (program, input)).collect();
    let mut tallies: Vec<Tally> = pairs.iter().map(|_| Tally::default()).collect();
    none(&differences(&pairs, &Limits::default(), backwards, &mut tallies));
    let mut wrong = Vec::new();
    for (name, _) in PRIMITIVES {
        let of_name = || runs.iter().zip(&tallies).filter(|((other, ..), _)| other == name).map(|(_, tally)| tally);
        let values: u32 = of_name().map(|tally| tally.values).sum();
        let others: u32 = of_name().map(|tally| tally.others).sum();
        // Some inputs cannot be laid out for a device, such as locations beside other things in a set.
        let left: u32 = of_name().map(|tally| tally.refused + tally.uncovered).sum();
        let all = values + others + left;
        if 4 * values < all || others < 5 || 2 * left > all {
            wrong.push(format!("{name}: {values} values, {others} others, {left} left to the host"));
        }
    }
    assert!(wrong.is_empty(), "too few were done:\n{}", wrong.join("\n"));
}

/// A loop over items for one parameter of a primitive; the others are bound.
fn random_loop(rng: &mut Rng, name: &str, takes: &[Takes], item: usize) -> (Program, Value) {
    let bound: Vec<String> = takes
        .iter()
        .map(|&takes| {
            let value = if rng.below(20) == 0 { odd(rng) } else { plain(rng, takes) };
            print_literal(&value)
        })
        .collect();
    let function = bound_to_all_but(name, &bound, item);
    let body = format!("O = {}", rng.pick(&LOOPS).replace('F', &function));
    (program(&body), container(rng, takes[item]))
}

/// A primitive of which one parameter is left, in words.
fn bound_to_all_but(name: &str, bound: &[String], item: usize) -> String {
    match (bound.len(), item) {
        (1, _) => name.to_owned(),
        (2, 0) => format!("rbind({name}, {})", bound[1]),
        (2, _) => format!("lbind({name}, {})", bound[0]),
        (_, 0) => format!("rbind(rbind({name}, {}), {})", bound[2], bound[1]),
        (_, 1) => format!("lbind(rbind({name}, {}), {})", bound[2], bound[0]),
        _ => format!("lbind(lbind({name}, {}), {})", bound[0], bound[1]),
    }
}

/// A tuple or set of 3 to 50 items for a parameter: all as it takes them, or with one among them or a few that are not.
fn container(rng: &mut Rng, takes: Takes) -> Value {
    let count = if rng.below(3) == 0 { 3 + rng.below(48) } else { 3 + rng.below(9) };
    let mut items: Vec<Value> = (0..count).map(|_| small(rng, takes)).collect();
    match rng.below(6) {
        0 => items[rng.below(count)] = odd(rng),
        1 => items.iter_mut().for_each(|item| {
            if rng.below(10) == 0 {
                *item = odd(rng);
            }
        }),
        // Lanes do not begin a loop over large items; one among many they do.
        2 => items[rng.below(count)] = plain(rng, takes),
        _ => {}
    }
    if rng.below(3) == 0 { Value::set_of(items) } else { tuple_of(items) }
}

fn between(rng: &mut Rng, low: i64, high: i64) -> i64 {
    low + rng.below((high - low + 1) as usize) as i64
}

fn pair(rng: &mut Rng, low: i64, high: i64) -> Value {
    Value::pair(between(rng, low, high), between(rng, low, high))
}

/// An argument as real programs have it, grids of up to 30x30.
fn plain(rng: &mut Rng, takes: Takes) -> Value {
    let side = *rng.pick(&[8, 12, 16, 30]);
    match takes {
        Takes::Grid => grid(rng, 1, side),
        Large => grid(rng, 5, side),
        _ => small(rng, takes),
    }
}

/// The same, with grids that are small enough for loops over them to go by lanes.
fn small(rng: &mut Rng, takes: Takes) -> Value {
    match takes {
        Takes::Grid => grid(rng, 1, 9),
        Little => grid(rng, 1, 5),
        Large => grid(rng, 5, 9),
        Patch => patch(rng, 2, 9),
        Object => patch(rng, 1, 9),
        Objects => {
            let kind = rng.below(4).min(1);
            let patches: Vec<Value> = (0..=rng.below(5)).map(|_| patch(rng, kind, 3)).collect();
            Value::set_of(patches)
        }
        Several => {
            let mut patches: Vec<Value> = (0..=rng.below(5)).map(|_| patch(rng, 1, 2)).collect();
            // Some come twice; a set has them once.
            patches.extend(patches.clone().into_iter().filter(|_| rng.below(3) == 0));
            if rng.below(2) == 0 { Value::set_of(patches) } else { tuple_of(patches) }
        }
        Colour if rng.below(6) == 0 => Value::Int(*rng.pick(&[10, 31, 32, 63, 100, 127, -1, -128])),
        Colour => Value::Int(between(rng, 0, 9)),
        Direction => pair(rng, -4, 4),
        Factor => Value::Int(*rng.pick(&[-2, -1, 0, 1, 2, 2, 3, 3, 4, 5])),
        Parts => Value::Int(*rng.pick(&[1, 2, 2, 3, 3, 4, 5, 7, 10])),
        Row => match rng.below(6) {
            0 => pair(rng, 0, 5),
            1 => tuple_of((0..=rng.below(6)).map(|_| pair(rng, 0, 2)).collect()),
            2 => tuple_of((0..=rng.below(5)).map(|_| patch(rng, 1, 1)).collect()),
            _ => tuple_of((0..=rng.below(30)).map(|_| Value::Int(between(rng, 0, 4))).collect()),
        },
        Shape => pair(rng, 0, 12),
        Size => Value::Int(between(rng, 1, 6)),
    }
}

/// A grid with sides of so many cells: few colours or many, one of them often the most, and at times with lines of one colour.
fn grid(rng: &mut Rng, least: usize, most: usize) -> Value {
    let height = least + rng.below(most - least + 1);
    // Some have a width in common.
    let width = if rng.below(3) == 0 { least.max(3) } else { least + rng.below(most - least + 1) };
    let (colours, sparse) = (1 + rng.below(10), 1 + rng.below(4));
    let base = if rng.below(4) == 0 { rng.below(9) as i8 } else { 0 };
    let mut cells: Vec<i8> = (0..height * width).map(|_| if rng.below(sparse) > 0 { base } else { rng.below(colours) as i8 }).collect();
    if rng.below(3) == 0 {
        let colour = rng.below(10) as i8;
        let (across, down) = (rng.below(height), rng.below(width));
        cells[across * width..][..width].fill(colour);
        cells.iter_mut().skip(down).step_by(width).for_each(|cell| *cell = colour);
    }
    Value::Grid(Grid::new(height, width, &cells).unwrap())
}

/// A patch in a box of up to so many rows and columns, which may lie past the edges of a grid: of locations (0), of cells (1), or either (2);
/// now and then none, or cells of several colours at one location.
fn patch(rng: &mut Rng, kind: usize, side: i64) -> Value {
    if rng.below(40) == 0 {
        return Value::empty_set();
    }
    let (top, left) =
        if rng.below(5) == 0 { (between(rng, -3, 31), between(rng, -3, 31)) } else { (between(rng, 0, 6), between(rng, 0, 6)) };
    let (height, width) = (between(rng, 1, side), between(rng, 1, side));
    let coloured = if kind == 2 { rng.below(2) == 0 } else { kind == 1 };
    let (sparse, several) = (1 + rng.below(4), rng.below(8) == 0);
    let first = between(rng, 0, 9);
    let mut cells = Vec::new();
    for i in top..top + height {
        for j in left..left + width {
            // The first keeps the patch from being empty.
            if !cells.is_empty() && rng.below(sparse) > 0 {
                continue;
            }
            for _ in 0..=usize::from(several) {
                let colour = if several { between(rng, 0, 9) } else { first };
                cells.push(if coloured { two_of(&Value::Int(colour), &Value::pair(i, j)) } else { Value::pair(i, j) });
            }
        }
    }
    Value::set_of(cells)
}

/// An argument of another kind, or one at the limits of what is packed or made.
fn odd(rng: &mut Rng) -> Value {
    let edges = [-2049, -2048, -1, 0, 127, 128, 2047, 2048, i64::from(i32::MAX), i64::MIN];
    match rng.below(20) {
        0 | 1 => Value::Int(*rng.pick(&[0, -7, 127, 128, -128, -129, 257, 20_000, i64::MAX, i64::MIN])),
        2 => Value::Bool(rng.below(2) == 0),
        3 => Value::empty_tuple(),
        4 => Value::empty_set(),
        5 => tuple_of(vec![Value::Int(3), Value::Int(-4), Value::Int(between(rng, 0, 500))]),
        6 => tuple_of(vec![Value::Int(7)]),
        7 => Value::pair(*rng.pick(&edges), *rng.pick(&edges)),
        8 => Value::set_of([Value::Int(3), Value::Int(between(rng, 3, 6))]),
        9 => Value::set_of([patch(rng, 0, 3), patch(rng, 1, 3), Value::Int(3)]),
        10 => tuple_of(vec![grid(rng, 1, 5), patch(rng, 2, 4)]),
        // Tuples stand for sets in many places.
        11 | 12 => tuple_of(patch(rng, 2, 4).items().unwrap().map(ItemRef::into_value).collect()),
        13 => two_of(&Value::Int(4), &pair(rng, 0, 5)),
        14 => Value::set_of([Value::pair(-2000, between(rng, -5, 5)), Value::pair(between(rng, -5, 2047), 2047)]),
        // Rows of several lengths, and of none.
        15 => tuple_of((0..3).map(|k| tuple_of(vec![Value::Int(1); rng.below(4) + k])).collect()),
        16 => tuple_of(vec![Value::empty_tuple(); 1 + rng.below(4)]),
        17 => {
            let colours = [-128, -1, 0, 9, 31, 32, 63, 64, 127];
            let (height, width) = (1 + rng.below(6), 1 + rng.below(20));
            let cells: Vec<i8> = (0..height * width).map(|_| *rng.pick(&colours)).collect();
            Value::Grid(Grid::new(height, width, &cells).unwrap())
        }
        18 => tuple_of((0..=rng.below(4)).map(|_| patch(rng, 1, 3)).collect()),
        _ => {
            let takes = *rng.pick(&[Patch, Takes::Grid, Objects, Colour, Row, Direction]);
            small(rng, takes)
        }
    }
}
