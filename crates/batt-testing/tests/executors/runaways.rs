//! Programs that would run away, blow up or nest without end: each ends as undefined, out of fuel or as a small value. What is asserted
//! is the outcome and the fuel, never the time.

use std::fmt::Write as _;

use batt_core::Value;
use batt_dsl::Prim;
use batt_engine::Outcome;
use batt_program::{Operand, Params, ProgramBuilder};

use crate::runaway::{Ends, FUEL, check, ends, long, program};

const MAX: &str = "9223372036854775807";
const MIN: &str = "-9223372036854775808";

#[test]
fn powers_run_out_of_fuel() {
    check(
        &[Ends::OutOfFuel],
        &[
            "x = power(rot90, 1000000)\nx1 = chain(x, x, x)\nO = x1(I)",
            "x = power(rot90, 1000000000000)\nO = x(I)",
            "x = power(identity, 9223372036854775807)\nO = x(I)",
            "x = power(increment, 9223372036854775807)\nO = x(0)",
            "x = power(identity, 1000000)\nx1 = power(x, 1000000)\nO = x1(I)",
            "x = power(identity, 1000)\nx1 = power(x, 1000)\nx2 = power(x1, 1000)\nx3 = power(x2, 1000)\nO = x3(I)",
            "x = power(identity, 1000000000)\nO = apply(x, I)",
            "x = power(identity, 1000000000)\nx1 = asindices(I)\nO = mapply(x, x1)",
            "x = power(identity, 1000000000)\nx1 = asindices(I)\nO = sfilter(x1, x)",
            "x = power(identity, 1000000000)\nx1 = asindices(I)\nO = argmax(x1, x)",
        ],
    );
}

#[test]
fn a_million_times_is_within_the_fuel() {
    check(&[Ends::Value], &["x = power(identity, 1000000)\nO = x(I)"]);
    let (_, evaluation) = ends(&program("x = power(increment, 1000000)\nO = x(0)"));
    assert_eq!(evaluation.outcome, Outcome::Value(Value::Int(1_000_000)));
}

#[test]
fn what_would_be_too_large_is_not_made() {
    check(
        &[Ends::Undefined, Ends::OutOfFuel],
        &[
            "O = upscale(I, 1000)",
            "O = upscale(I, 1000000000)",
            "O = upscale(I, 9223372036854775807)",
            "O = hupscale(I, 1000000000)",
            "O = vupscale(I, 1000000000)",
            "x = asobject(I)\nO = upscale(x, 1000)",
            "x = asobject(I)\nO = upscale(x, 1000000000)",
            "O = canvas(0, (1000000000, 1000000000))",
            "O = canvas(0, (9223372036854775807, 9223372036854775807))",
            "O = canvas(0, (4294967296, 4294967296))",
            "O = canvas(0, (1, 1000000000))",
            "O = repeat(I, 1000000000000)",
            "O = repeat(I, 9223372036854775807)",
            "O = interval(0, 1000000000000, 1)",
            "O = interval(-9223372036854775808, 9223372036854775807, 1)",
            "O = interval(9223372036854775807, -9223372036854775808, -1)",
            "x = interval(0, 60000, 1)\nO = product(x, x)",
            "x = interval(0, 1000, 1)\nx1 = product(x, x)\nO = product(x1, x1)",
            "x = interval(0, 60000, 1)\nO = prapply(add, x, x)",
            "x = interval(0, 60000, 1)\nx1 = repeat(x, 60000)\nO = merge(x1)",
            "x = interval(0, 60000, 1)\nx1 = lbind(repeat, x)\nx2 = repeat(60000, 60000)\nO = mapply(x1, x2)",
            "x = connect((0, 0), (0, 1000000))\nO = product(x, x)",
            "O = connect((0, 0), (0, 1000000000000))",
            "O = connect((0, 0), (9000000000000000000, 9000000000000000000))",
            "O = connect((-9000000000000000000, 0), (9000000000000000000, 0))",
            "x = initset((0, 0))\nx1 = insert((1000000000, 1000000000), x)\nO = backdrop(x1)",
            "x = initset((0, 0))\nx1 = insert((9223372036854775807, -9223372036854775808), x)\nO = delta(x1)",
            "x = initset((0, 0))\nx1 = insert((1000000000, 1000000000), x)\nO = box(x1)",
            "x = initset((0, 0))\nx1 = insert((1000000000, 1000000000), x)\nO = outbox(x1)",
            "x = initset((0, 0))\nx1 = insert((1000000000, 1000000000), x)\nO = inbox(x1)",
            "O = crop(I, (0, 0), (9223372036854775807, 9223372036854775807))\nO = upscale(O, 9223372036854775807)",
            "x = lbind(hconcat, I)\nx1 = fork(hconcat, identity, identity)\nx2 = power(x1, 60)\nO = x2(I)",
            "x = fork(combine, identity, identity)\nx1 = power(x, 60)\nO = x1(I)",
            "x = fork(product, identity, identity)\nx1 = asindices(I)\nx2 = power(x, 8)\nO = x2(x1)",
        ],
    );
}

#[test]
fn mapping_that_multiplies_ends() {
    check(
        &[Ends::Undefined, Ends::OutOfFuel],
        &[
            "x = mapply(neighbors, asindices(I))\nx1 = lbind(mapply, neighbors)\nx2 = power(x1, 100000)\nO = x2(x)",
            "x = lbind(mapply, shoot)\nx1 = asindices(I)\nO = prapply(shoot, x1, x1)\nx2 = lbind(prapply, shoot)\nx3 = fork(x2, identity, identity)\nx4 = power(x3, 30)\nO = x4(x1)",
            "x = lbind(apply, identity)\nx1 = lbind(apply, x)\nx2 = power(x1, 1000000)\nO = x2(I)",
            "x = lbind(repeat, I)\nx1 = interval(0, 60000, 1)\nx2 = apply(x, x1)\nO = merge(x2)",
            "x = rbind(repeat, 60000)\nx1 = interval(0, 60000, 1)\nx2 = apply(x, x1)\nO = merge(x2)",
        ],
    );
}

#[test]
fn deep_nesting_of_functions_is_undefined() {
    let compose = |last| (Prim::compose, vec![last, Operand::Primitive(Prim::identity.into())]);
    let (end, _) = ends(&long(10_000, Prim::initset, compose));
    assert_eq!(end, Ends::Undefined);
    for maker in [Prim::matcher, Prim::lbind, Prim::rbind] {
        let (end, _) = ends(&long(10_000, Prim::initset, |last| (maker, vec![Operand::Primitive(Prim::add.into()), last])));
        assert_eq!(end, Ends::Undefined, "{maker:?}");
    }
    let (end, _) = ends(&long(10_000, Prim::initset, |last| (Prim::fork, vec![Prim::add.into(), last, last])));
    assert_eq!(end, Ends::Undefined);
    check(
        &[Ends::Undefined],
        &[
            "x = rbind(compose, identity)\nx1 = power(x, 1000000)\nO = x1(identity)",
            "x = lbind(lbind, add)\nx1 = power(x, 1000000)\nO = x1(identity)",
            "x = fork(compose, identity, identity)\nx1 = power(x, 1000000)\nO = x1(identity)",
        ],
    );
}

#[test]
fn shared_functions_that_call_each_other_end() {
    for (levels, end) in [(20, Ends::Value), (40, Ends::OutOfFuel), (100, Ends::Undefined)] {
        let mut lines = "x0 = identity".to_owned();
        for k in 1..=levels {
            // Writing to a string cannot fail.
            let _ = write!(lines, "\nx{k} = compose(x{0}, x{0})", k - 1);
        }
        let (found, _) = ends(&program(&format!("{lines}\nO = x{levels}(I)")));
        assert_eq!(found, end, "{levels}");
    }
}

#[test]
fn functions_that_call_themselves_end() {
    check(
        &[Ends::Undefined, Ends::OutOfFuel],
        &[
            "w = fork(rapply, initset, identity)\nO = w(w)",
            "w = fork(rapply, initset, identity)\nx = compose(first, w)\nO = x(x)",
            "w = fork(apply, identity, initset)\nO = w(w)",
            "w = fork(mapply, identity, initset)\nO = w(w)",
            "w = fork(sfilter, initset, identity)\nO = w(w)",
            "w = fork(argmax, initset, identity)\nO = w(w)",
            "w = fork(valmax, initset, identity)\nO = w(w)",
            "w = fork(order, initset, identity)\nO = w(w)",
            "w = fork(extract, initset, identity)\nO = w(w)",
            // Twice itself, at every level.
            "w = fork(rapply, fork(astuple, identity, identity), identity)\nO = w(w)",
            "x = fork(astuple, identity, identity)\nx1 = compose(x, initset)\nw = fork(rapply, x, identity)\nx2 = power(w, 1000)\nO = x2(w)",
        ],
    );
}

#[test]
fn deep_calls_through_apply_end() {
    let program = |functions: usize, values: usize| {
        let mut lines = "x0 = identity\ny0 = initset(I)".to_owned();
        for k in 1..=functions {
            let _ = write!(lines, "\nx{k} = lbind(apply, x{})", k - 1);
        }
        for k in 1..=values {
            let _ = write!(lines, "\ny{k} = initset(y{})", k - 1);
        }
        format!("{lines}\nO = x{functions}(y{values})")
    };
    check(&[Ends::Value], &[&program(8, 8), &program(8, 20)]);
    // Calls nested too deep, a function nested too deep, and a value not as deep as the function goes.
    check(&[Ends::Undefined], &[&program(40, 40), &program(200, 8), &program(14, 8)]);
}

#[test]
fn a_function_that_is_nested_deep_and_calls_itself_ends() {
    for depth in [10, 30, 40, 44, 46] {
        let mut lines = "x0 = fork(rapply, initset, identity)".to_owned();
        for k in 1..=depth {
            let _ = write!(lines, "\nx{k} = compose(x{}, identity)", k - 1);
        }
        check(&[Ends::Undefined, Ends::OutOfFuel], &[&format!("{lines}\nO = x{depth}(x{depth})")]);
    }
}

#[test]
fn huge_numbers_are_undefined_or_right() {
    let undefined = [
        format!("O = add({MAX}, 1)"),
        format!("O = add(({MAX}, 0), 1)"),
        format!("O = add(({MAX}, 0), (1, 1))"),
        format!("O = subtract({MIN}, 1)"),
        format!("O = multiply({MAX}, 2)"),
        format!("O = multiply({MIN}, -1)"),
        format!("O = divide({MIN}, -1)"),
        "O = divide(1, 0)".to_owned(),
        format!("O = invert({MIN})"),
        format!("O = double({MAX})"),
        format!("O = increment({MAX})"),
        format!("O = decrement({MIN})"),
        format!("O = crement({MAX})"),
        format!("O = crement({MIN})"),
        format!("O = interval(0, {MAX}, 0)"),
        format!("O = neighbors(({MAX}, {MIN}))"),
        format!("O = dneighbors(({MAX}, {MIN}))"),
        format!("O = ineighbors(({MAX}, {MIN}))"),
        format!("O = shift(initset((1, 1)), ({MAX}, 0))"),
        format!("O = shoot((0, 0), ({MAX}, {MAX}))"),
        format!("O = shoot(({MAX}, 0), (1, 1))"),
        format!("O = upscale(initset((3, ({MAX}, 1))), 2)"),
    ];
    let lines: Vec<&str> = undefined.iter().map(|line| &**line).collect();
    check(&[Ends::Undefined], &lines);
    let defined = [
        "O = shift(initset((1, 1)), (1000000000, -1000000000))".to_owned(),
        "O = shift(asobject(I), (1000000000000000000, 0))".to_owned(),
        format!("O = halve({MIN})"),
        format!("O = sign({MIN})"),
        format!("O = even({MIN})"),
        format!("O = interval({MIN}, {MAX}, {MAX})"),
        format!("O = interval({MAX}, {MIN}, {MIN})"),
        format!("O = greater({MAX}, {MIN})"),
        format!("O = divide({MIN}, {MAX})"),
        format!("O = fill(I, 3, initset(({MAX}, {MIN})))"),
        format!("O = toobject(initset(({MAX}, {MIN})), I)"),
        format!("O = replace(I, 0, {MAX})"),
        format!("O = canvas({MAX}, (2, 2))"),
        format!("O = recolor({MAX}, asindices(I))"),
    ];
    let lines: Vec<&str> = defined.iter().map(|line| &**line).collect();
    check(&[Ends::Value], &lines);
}

/// Whatever the answers are, they come at once.
#[test]
fn places_far_apart_are_no_trouble() {
    let (huge, far) = (MAX, "1000000000000000000");
    let any = [
        "center",
        "centerofmass",
        "height",
        "width",
        "shape",
        "ulcorner",
        "lrcorner",
        "corners",
        "hline",
        "vline",
        "square",
        "portrait",
        "normalize",
        "hmirror",
        "vmirror",
        "dmirror",
        "cmirror",
        "backdrop",
        "delta",
        "box",
        "inbox",
        "outbox",
        "toindices",
        "palette",
        "color",
        "numcolors",
    ];
    for (a, b) in [(huge, MIN), (far, "-1000000000000000000"), (MIN, huge), ("1000000000", "-1000000000"), ("2048", "-2049")] {
        let patch =
            format!("x = initset((3, ({a}, {b})))\nx1 = insert((4, ({b}, {a})), x)\ny = initset(({a}, {b}))\ny1 = insert(({b}, {a}), y)");
        for name in any {
            for argument in ["x1", "y1"] {
                ends(&program(&format!("{patch}\nO = {name}({argument})")));
            }
        }
        for call in [
            "manhattan(x1, y1)",
            "adjacent(x1, y1)",
            "gravitate(x1, y1)",
            "position(x1, y1)",
            "hmatching(x1, y1)",
            "occurrences(I, x1)",
            "subgrid(y1, I)",
            "move(I, x1, (1, 1))",
            "paint(I, x1)",
            "underpaint(I, x1)",
            "cover(I, y1)",
            "bordering(y1, I)",
            "connect(first(y1), last(y1))",
            "crop(I, first(y1), last(y1))",
            "crop(I, (0, 0), last(y1))",
            "shoot(first(y1), last(y1))",
            "index(I, first(y1))",
            "hfrontier(first(y1))",
            "vfrontier(first(y1))",
            "upscale(x1, 2)",
            "shift(x1, last(y1))",
            "downscale(I, first(first(y1)))",
            "downscale(I, first(last(y1)))",
            "hsplit(I, first(first(y1)))",
            "vsplit(I, first(last(y1)))",
            "get_nth(I, first(first(y1)))",
            "get_nth(I, first(last(y1)))",
            "upscale(I, first(last(y1)))",
            "repeat(I, first(last(y1)))",
            "col_row(y1, first(first(y1)))",
            "corner(y1, first(first(y1)))",
            "mir_rot_t(I, first(first(y1)))",
            "o_g(I, first(first(y1)))",
        ] {
            ends(&program(&format!("{patch}\nO = {call}")));
        }
    }
}

#[test]
fn long_programs_are_run() {
    let (end, evaluation) = ends(&long(100_000, Prim::rot90, |last| (Prim::rot90, vec![last])));
    assert_eq!(end, Ends::Value);
    assert!(evaluation.fuel > 100_000);
    let (end, _) = ends(&long(100_000, Prim::identity, |last| (Prim::identity, vec![last])));
    assert_eq!(end, Ends::Value);
    // All fixed: none depends on the input but the last.
    let mut builder = ProgramBuilder::new(Params::Input);
    let mut last = builder.literal(Value::Int(0)).unwrap();
    for _ in 0..100_000 {
        last = builder.call(Prim::increment, &[last]).unwrap();
    }
    let output = builder.call(Prim::astuple, &[last, Operand::Input]).unwrap();
    let (end, _) = ends(&builder.finish("solve", output).unwrap());
    assert_eq!(end, Ends::Value);
    // Dear steps, all fixed: the fuel is for all of them together.
    let mut builder = ProgramBuilder::new(Params::Input);
    let (zero, many) = (builder.literal(Value::Int(0)).unwrap(), builder.literal(Value::Int(60_000)).unwrap());
    let mut last = zero;
    for _ in 0..2000 {
        let row = builder.call(Prim::repeat, &[last, many]).unwrap();
        last = builder.call(Prim::mostcommon, &[row]).unwrap();
    }
    let (end, evaluation) = ends(&builder.finish("solve", last).unwrap());
    assert_eq!((end, evaluation.fuel), (Ends::OutOfFuel, FUEL));
}
