//! Types of programs.

#![expect(
    clippy::unwrap_used,
    clippy::needless_raw_string_hashes,
    clippy::needless_pass_by_value,
    clippy::format_push_string,
    clippy::format_collect,
    reason = "tests, and what expect-test writes"
)]

use batt_program::{check_in, infer, parse_expression, parse_file};
use expect_test::{Expect, expect};

/// The errors and warnings of a body.
fn check(body: &str, expected: Expect) {
    let lines: String = body.lines().map(|line| format!("    {line}\n")).collect();
    let text = format!("def f(I):\n{lines}");
    let file = parse_file(&text);
    assert!(file.errors.is_empty(), "{:?}", file.errors);
    let typing = check_in(&file.programs[0], &text);
    let errors = typing.errors.iter().map(|error| format!("error {}", error.render("p.py", &text)));
    let warnings = typing.warnings.iter().map(|warning| format!("warning {}", warning.render("p.py", &text)));
    expected.assert_eq(&errors.chain(warnings).collect::<String>());
}

/// The type of an expression.
fn type_of(text: &str) -> String {
    infer(&parse_expression(text).unwrap()).output.to_string()
}

#[test]
fn wrong_arguments() {
    check(
        "x3 = size(I)\nreturn fill(I, TWO, x3)",
        expect![[r#"
        error p.py:3:25: `fill` takes a Patch as `patch`, but `x3` is an Integer
            return fill(I, TWO, x3)
                                ^^
    "#]],
    );
    check(
        "return fill(I, rot90, asindices(I))",
        expect![[r#"
            warning p.py:2:20: `fill` takes an Integer as `value`, but `rot90` is a Function
                return fill(I, rot90, asindices(I))
                               ^^^^^
              help: it may run all the same
        "#]],
    );
    check(
        "return canvas(ZERO, THREE)",
        expect![[r#"
        error p.py:2:25: `canvas` takes a Pair as `dimensions`, but `THREE` is an Integer
            return canvas(ZERO, THREE)
                                ^^^^^
    "#]],
    );
    check(
        "return apply(I, I)",
        expect![[r#"
        error p.py:2:18: `apply` takes a Function as `function`, but `I` is a Grid
            return apply(I, I)
                         ^
    "#]],
    );
    check(
        "return paint(palette(I), asobject(I))",
        expect![[r#"
        error p.py:2:18: `paint` takes a Grid as `grid`, but `palette(I)` is an IntegerSet
            return paint(palette(I), asobject(I))
                         ^^^^^^^^^^
    "#]],
    );
    check(
        "f = rot90\nreturn f(UNITY)",
        expect![[r#"
        error p.py:3:14: `rot90` takes a Grid as `grid`, but `UNITY` is a Pair
            return f(UNITY)
                     ^^^^^
    "#]],
    );
}

#[test]
fn wrong_calls() {
    check(
        "x = size(I)\nreturn x(I)",
        expect![[r#"
        error p.py:3:12: `x` is an Integer and cannot be called
            return x(I)
                   ^^^^
    "#]],
    );
    check(
        "return THREE(I)",
        expect![[r#"
        error p.py:2:12: `THREE` is an Integer and cannot be called
            return THREE(I)
                   ^^^^^^^^
    "#]],
    );
    check(
        "x = compose(rot90, rot90)\nreturn x(I, I)",
        expect![[r#"
        error p.py:3:12: `x` takes 1 argument, 2 given
            return x(I, I)
                   ^^^^^^^
    "#]],
    );
    check(
        "x = lbind(fill, I)\nreturn x(TWO)",
        expect![[r#"
        error p.py:3:12: `x` takes 2 arguments, 1 given
            return x(TWO)
                   ^^^^^^
    "#]],
    );
    check(
        "x = rbind(rbind(fill, I), TWO)\nreturn x(I, I)",
        expect![[r#"
        error p.py:3:12: `x` takes 1 argument, 2 given
            return x(I, I)
                   ^^^^^^^
    "#]],
    );
    check(
        "x = branch(T, rot90, rot180)\nreturn x()",
        expect![[r#"
        error p.py:3:12: `x` takes 1 argument, 0 given
            return x()
                   ^^^
    "#]],
    );
    check("x = branch(T, rot90, fill)\nreturn x(I)", expect![""]);
}

#[test]
fn wrong_outputs() {
    check(
        "return size(I)",
        expect![[r#"
        error p.py:2:12: the output is to be a grid, but `size(I)` is an Integer
            return size(I)
                   ^^^^^^^
    "#]],
    );
    check(
        "return rot90",
        expect![[r#"
        error p.py:2:12: the output is to be a grid, but `rot90` is a Function
            return rot90
                   ^^^^^
    "#]],
    );
    check(
        "return asindices(I)",
        expect![[r#"
        error p.py:2:12: the output is to be a grid, but `asindices(I)` is Indices
            return asindices(I)
                   ^^^^^^^^^^^^
    "#]],
    );
    check(
        "x = 3\nreturn x",
        expect![[r#"
        error p.py:3:12: the output is to be a grid, but `x` is an Integer
            return x
                   ^
    "#]],
    );
    // A tuple may be a grid.
    check("return apply(dedupe, I)", expect![""]);
}

#[test]
fn warnings() {
    check(
        "x = fill(I, TWO, THREE)\nreturn I",
        expect![[r#"
        warning p.py:2:22: `fill` takes a Patch as `patch`, but `THREE` is an Integer
            x = fill(I, TWO, THREE)
                             ^^^^^
    "#]],
    );
    check(
        "x = objects(I, T, F, T)\nreturn fill(I, TWO, x)",
        expect![[r#"
        warning p.py:3:25: `fill` takes a Patch as `patch`, but `x` is Objects
            return fill(I, TWO, x)
                                ^
          help: it works on an empty container only
    "#]],
    );
    check(
        "x = asindices(I)\nreturn canvas(height_o(x), UNITY)",
        expect![[r#"
            warning p.py:3:28: `height_o` takes a Tuple or Object of Cell as `piece`, but `x` is Indices
                return canvas(height_o(x), UNITY)
                                       ^
              help: it works on an empty container only
        "#]],
    );
    check("x = shape(I)\nreturn canvas(size_f(x), UNITY)", expect![""]);
}

#[test]
fn what_may_work_is_left_alone() {
    for body in [
        "x = first(first(objects(I, T, F, T)))\nreturn canvas(first(x), last(x))",
        "x = order(objects(I, T, F, T), size)\nreturn subgrid(last(x), I)",
        "x = astuple(ONE, ORIGIN)\ny = initset(x)\nreturn paint(I, insert(x, y))",
        "x = branch(portrait(I), height, width)\nreturn canvas(x(I), UNITY)",
        "x = lbind(lbind, shift)\ny = x(asindices(I))\nreturn fill(I, ONE, y(UP))",
        "x = compose(lbind(rbind, add), identity)\ny = x(ONE)\nreturn canvas(y(TWO), UNITY)",
        "x = rapply((height, width), I)\nreturn canvas(ZERO, x)",
        "x = power(rbind(hconcat, I), THREE)\nreturn x(I)",
        "x = first(())\nreturn fill(x, x, x)",
        "x = fork(equality, size, chain(size, totuple, identity))\nreturn sfilter(I, x)",
        "x = dedupe(first_t(objects_t(I, T, F, T)))\nreturn paint(I, x)",
        "x = objects(I, ONE, ZERO, 1)\nreturn paint(I, merge(x))",
        "x = ascell(ORIGIN, THREE)\nreturn paint(I, initset(x))",
        "x = papply(astuple, (1, 2), (3, 4))\nreturn x",
        // Twice a tuple of rows is a tuple of longer rows.
        "x1 = pair(I, I)\nx4 = valmin(x1, double)\nx5 = bottomhalf(x4)\nreturn dmirror(x5)",
        "x = mostcommon(apply(mostcommon, I))\nreturn replace(I, x, maximum(frozenset()))",
    ] {
        check(body, expect![""]);
    }
}

/// A call that runs on a value of another type is a warning, and an error if it fails on every input.
#[test]
fn what_runs_is_no_error() {
    check(
        "return double(I)",
        expect![[r#"
        warning p.py:2:19: `double` takes a Numerical as `n`, but `I` is a Grid
            return double(I)
                          ^
          help: it may run all the same
    "#]],
    );
    check(
        "return increment(I)",
        expect![[r#"
            error p.py:2:22: `increment` takes a Numerical as `x`, but `I` is a Grid
                return increment(I)
                                 ^
            error p.py:2:12: the output is to be a grid, but `increment(I)` is a Pair
                return increment(I)
                       ^^^^^^^^^^^^
        "#]],
    );
    check(
        "x = compose(I, rot90)\nreturn branch(T, I, x)",
        expect![[r#"
        warning p.py:2:17: `compose` takes a Function as `outer`, but `I` is a Grid
            x = compose(I, rot90)
                        ^
          help: it may run all the same
    "#]],
    );
    check(
        "return apply(I, remove(I, I))",
        expect![[r#"
        warning p.py:2:18: `apply` takes a Function as `function`, but `I` is a Grid
            return apply(I, remove(I, I))
                         ^
          help: it may run all the same
    "#]],
    );
    check(
        "return replace(I, asindices(I), TWO)",
        expect![[r#"
        warning p.py:2:23: `replace` takes an Integer as `replacee`, but `asindices(I)` is Indices
            return replace(I, asindices(I), TWO)
                              ^^^^^^^^^^^^
          help: it may run all the same
    "#]],
    );
    check(
        "x = first(asobject(I))\nreturn rot90(shape(x))",
        expect![[r#"
        warning p.py:3:18: `rot90` takes a Grid as `grid`, but `shape(x)` is a Pair
            return rot90(shape(x))
                         ^^^^^^^^
          help: it may run all the same
    "#]],
    );
}

#[test]
fn inferred_types() {
    let table: String = [
        "I",
        "S",
        "ONE",
        "(1, (2, 3))",
        "fill(I, 1, asindices(I))",
        "objects(I, T, F, T)",
        "first(objects(I, T, F, T))",
        "first(first(objects(I, T, F, T)))",
        "merge(objects(I, T, F, T))",
        "apply(size, objects(I, T, F, T))",
        "apply(compose(lbind(recolor, TWO), toindices), objects(I, T, F, T))",
        "mapply(rbind(shift, UP), objects(I, T, F, T))",
        "order(objects(I, T, F, T), size)",
        "argmax(objects(I, T, F, T), fork(subtract, height, width))",
        "valmax(objects(I, T, F, T), chain(shape, toindices, identity))",
        "prapply(connect, asindices(I), asindices(I))",
        "papply(astuple, (1, 2), (3, 4))",
        "product(asindices(I), asindices(I))",
        "sfilter(I, matcher(size, 3))",
        "remove(1, (1, 2))",
        "power(compose(trim, rot90), TWO)(I)",
        "branch(T, I, 3)",
        "branch(T, height, width)(I)",
        "rapply((height, width), I)",
        "c_iz(S, p_g)",
        "c_iz_n(S, p_g, first)",
        "compose(rot90, rot90)",
        "first(())",
        "rot90(I)(I)",
    ]
    .iter()
    .map(|text| format!("{text}: {}\n", type_of(text)))
    .collect();
    expect![[r#"
        I: Grid
        S: Grid or Tuple of Tuple
        ONE: Integer
        (1, (2, 3)): Cell
        fill(I, 1, asindices(I)): Grid
        objects(I, T, F, T): Objects
        first(objects(I, T, F, T)): Object
        first(first(objects(I, T, F, T))): Cell
        merge(objects(I, T, F, T)): Object
        apply(size, objects(I, T, F, T)): IntegerSet
        apply(compose(lbind(recolor, TWO), toindices), objects(I, T, F, T)): Objects
        mapply(rbind(shift, UP), objects(I, T, F, T)): Object
        order(objects(I, T, F, T), size): Tuple of Object
        argmax(objects(I, T, F, T), fork(subtract, height, width)): Object
        valmax(objects(I, T, F, T), chain(shape, toindices, identity)): Pair
        prapply(connect, asindices(I), asindices(I)): Set of Indices
        papply(astuple, (1, 2), (3, 4)): Grid or Tuple of Pair
        product(asindices(I), asindices(I)): Set of Grid/Tuple
        sfilter(I, matcher(size, 3)): Grid or Tuple of Pair/Tuple
        remove(1, (1, 2)): Pair or Tuple of Integer
        power(compose(trim, rot90), TWO)(I): Grid
        branch(T, I, 3): Integer or Grid
        branch(T, height, width)(I): Integer
        rapply((height, width), I): Tuple
        c_iz(S, p_g): Pair or Tuple of Integer
        c_iz_n(S, p_g, first): Integer
        compose(rot90, rot90): Function
        first(()): nothing
        rot90(I)(I): Any
    "#]]
    .assert_eq(&table);
}

#[test]
fn shared_functions_are_quick() {
    // Each function calls the one before it twice or more: followed naively, that is 3^200 calls.
    let mut body = String::from("    x0 = fork(add, identity, identity)\n");
    for k in 1..200 {
        let before = k - 1;
        body += &match k % 3 {
            0 => format!("    x{k} = fork(add, x{before}, x{before})\n"),
            1 => format!("    x{k} = chain(x{before}, x{before}, x{before})\n"),
            _ => format!("    x{k} = power(branch(T, x{before}, x{before}), THREE)\n"),
        };
    }
    let text = format!("def f(I):\n{body}    y = x199(ONE)\n    z = apply(x199, (1, 2))\n    return canvas(y, z)\n");
    let file = parse_file(&text);
    assert!(file.errors.is_empty());
    assert!(check_in(&file.programs[0], &text).errors.is_empty());
}

/// A differ gives a score, or a score and its evidence; what uses `C` can be nothing else.
#[test]
fn differs_give_scores() {
    let errors = |text: &str| {
        let file = parse_file(text);
        assert!(file.errors.is_empty(), "{:?}", file.errors);
        let typing = check_in(&file.programs[0], text);
        typing.errors.iter().chain(&typing.warnings).map(|error| error.message.clone()).collect::<Vec<_>>()
    };
    let none: [&str; 0] = [];
    let colours = "x1 = identity(p_g)\n    x2 = x1(I)\n    x3 = x1(C)\n    x4 = difference_tuple(x2, x3)";
    let scored = "x5 = size(x4)\n    x6 = get_nth_t(x4, F0)\n    x7 = astuple(x5, x6)\n    return x7";
    assert_eq!(errors(&format!("def differ_p_g_iz(S, I, C):\n    {colours}\n    {scored}\n")), none);
    assert_eq!(errors(&format!("def how_far(S, I, C):\n    {colours}\n    {scored}\n")), none);
    assert_eq!(errors("def differ_shape(S, I, C):\n    x1 = shape(I)\n    return x1\n"), none);
    assert_eq!(errors("def differ_height(S, I, C):\n    x1 = height(C)\n    return x1\n"), none);
    let wanted = "the output of a differ is to be a score, or a score and its evidence";
    assert_eq!(errors("def how_far(S, I, C):\n    x1 = palette(C)\n    return x1\n"), [format!("{wanted}, but `x1` is an IntegerSet")]);
    let solver = "def solve(S, I, C):\n    x1 = shape(I)\n    x2 = shape(C)\n    return x1\n";
    assert_eq!(errors(solver), ["the output is to be a grid, but `x1` is a Pair"]);
}

#[test]
fn a_frontier_looks_at_one_item() {
    check("x1 = first(asobject(I))\nx2 = hfrontier(x1)\nreturn fill(I, 3, x2)", expect![""]);
    check(
        "return fill(I, 3, vfrontier(height(I)))",
        expect![[r#"
        error p.py:2:33: `vfrontier` takes a Pair as `location`, but `height(I)` is an Integer
            return fill(I, 3, vfrontier(height(I)))
                                        ^^^^^^^^^
    "#]],
    );
    assert_eq!(type_of("hfrontier((1, 2))"), "Indices");
    assert_eq!(type_of("vfrontier((1, (2, 3)))"), "Set");
}
