//! Text to programs and back.

#![expect(
    clippy::unwrap_used,
    clippy::needless_raw_string_hashes,
    clippy::needless_pass_by_value,
    reason = "tests, and what expect-test writes"
)]

use batt_core::{Closure, Maker, Value, tuple_of};
use batt_dsl::{ConstId, Prim};
use batt_program::{
    BuildError, LiteralId, Operand, Params, Program, ProgramBuilder, StepId, parse_expression, parse_file, print_file, print_literal,
    print_program,
};
use batt_testing::program as parse;
use expect_test::{Expect, expect};

/// The text that a program is printed as; reading it again gives the same program.
fn check(text: &str, expected: Expect) {
    let program = parse(text);
    let printed = print_program(&program);
    expected.assert_eq(&printed);
    assert_eq!(parse(&printed), program);
}

#[test]
fn the_plain_form_stays_as_it_is() {
    let text = "def solve_1(I):\n    x1 = objects(I, T, F, T)\n    x2 = argmax(x1, size)\n    O = subgrid(x2, I)\n    return O\n";
    assert_eq!(print_program(&parse(text)), text);
    let text = "def solve_2(S, I, C):\n    x1 = get_color_rank_t(I, L1)\n    x2 = c_iz_n(S, p_g, first)\n    O = replace(C, x1, x2)\n    return O\n";
    assert_eq!(print_program(&parse(text)), text);
}

#[test]
fn annotations_docstrings_and_comments() {
    check(
        "from dsl import *\nimport typing as t\nfrom x import (\n    a,\n    b)\n\n'''A module.\ndef no(I):\n'''\n# comment\n\
         def verify_1(I: Grid) -> t.Tuple[t.Tuple[int], 'x']:\n    \"\"\" Says what\n it does. \"\"\"\n    # no\n\n    x0: Indices = ofcolor(I, 1)  # why\n    'no'\n    x1 : Grid = fill(I, 2, x0)\n    return x1 # done",
        expect![[r#"
            def verify_1(I):
                x1 = ofcolor(I, 1)
                O = fill(I, 2, x1)
                return O
        "#]],
    );
}

#[test]
fn nested_calls_are_flattened_in_order() {
    check(
        "def f(I):\n    return hconcat(fill(I, TWO, asindices(rot90(I))), vmirror(I))\n",
        expect![[r#"
        def f(I):
            x1 = rot90(I)
            x2 = asindices(x1)
            x3 = fill(I, TWO, x2)
            x4 = vmirror(I)
            O = hconcat(x3, x4)
            return O
    "#]],
    );
    check(
        "def f(I):\n    return compose(rot90, lbind(fill, I))(size(I))(I)\n",
        expect![[r#"
        def f(I):
            x1 = lbind(fill, I)
            x2 = compose(rot90, x1)
            x3 = size(I)
            x4 = x2(x3)
            O = x4(I)
            return O
    "#]],
    );
    check(
        "def f(I): return rot90(I)",
        expect![[r#"
        def f(I):
            O = rot90(I)
            return O
    "#]],
    );
}

#[test]
fn keyword_arguments_go_to_their_parameters() {
    check(
        "def f(I):\n    return fill(patch=asindices(I), grid=rot90(I), value=ONE)\n",
        expect![[r#"
        def f(I):
            x1 = asindices(I)
            x2 = rot90(I)
            O = fill(x2, ONE, x1)
            return O
    "#]],
    );
    check(
        "def f(I):\n    return fill(I, patch=asindices(I), value=ONE,)\n",
        expect![[r#"
        def f(I):
            x1 = asindices(I)
            O = fill(I, ONE, x1)
            return O
    "#]],
    );
}

#[test]
fn literals() {
    check(
        "def f(I):\n    x = add(-3, +4)\n    y = astuple((1, (TWO, T)), (True, False))\n    z = combine(frozenset({(1, 2), (0, 1),}), frozenset({}))\n    \
         w = combine(frozenset(), frozenset({(3, (0, 0)), (4, (1, 1))}))\n    v = (rot90, (), (5,), ((7, 8), (9, 1)), 1_000)\n    u = last(v)\n    return ((1, 2, 3), (4, 5, 6))\n",
        expect![[r#"
            def f(I):
                x1 = add(-3, 4)
                x2 = astuple((1, (2, 1)), (1, 0))
                x3 = combine(frozenset({(0, 1), (1, 2)}), frozenset())
                x4 = combine(frozenset(), frozenset({(3, (0, 0)), (4, (1, 1))}))
                x5 = last((rot90, (), (5,), ((7, 8), (9, 1)), 1000))
                return ((1, 2, 3), (4, 5, 6))
        "#]],
    );
    check(
        "def f(I):\n    x = -9223372036854775808\n    return add(x, 9223372036854775807)\n",
        expect![[r#"
        def f(I):
            O = add(-9223372036854775808, 9223372036854775807)
            return O
    "#]],
    );
    check(
        "def f(I):\n    x = 1, 2\n    return x, (UP, x)\n",
        expect![[r#"
        def f(I):
            return ((1, 2), ((-1, 0), (1, 2)))
    "#]],
    );
    check(
        "def f(I):\n    x = size(I)\n    return (x, 3)\n",
        expect![[r#"
        def f(I):
            x1 = size(I)
            O = astuple(x1, 3)
            return O
    "#]],
    );
    check(
        "def f(I):\n    return (((-3)))(I)\n",
        expect![[r#"
        def f(I):
            O = (-3)(I)
            return O
    "#]],
    );
}

#[test]
fn outputs_that_are_no_last_step() {
    check(
        "def f(I):\n    return I\n",
        expect![[r#"
        def f(I):
            return I
    "#]],
    );
    check(
        "def f(I):\n    x1 = rot90(I)\n    x2 = rot90(x1)\n    return x1\n",
        expect![[r#"
        def f(I):
            x1 = rot90(I)
            x2 = rot90(x1)
            return x1
    "#]],
    );
    check(
        "def f(I):\n    x1 = rot90(I)\n    return UNITY\n",
        expect![[r#"
        def f(I):
            x1 = rot90(I)
            return UNITY
    "#]],
    );
    check(
        "def f(I):\n    return rot90\n",
        expect![[r#"
        def f(I):
            return rot90
    "#]],
    );
}

#[test]
fn names_may_be_set_again_and_hide_others() {
    check(
        "def f(I):\n    x = rot90(I)\n    x = rot180(x)\n    x = hconcat(x, I)\n    return x\n",
        expect![[r#"
        def f(I):
            x1 = rot90(I)
            x2 = rot180(x1)
            O = hconcat(x2, I)
            return O
    "#]],
    );
    check(
        "def f(I):\n    size = height(I)\n    T = width(I)\n    return add(size, T)\n",
        expect![[r#"
        def f(I):
            x1 = height(I)
            x2 = width(I)
            O = add(x1, x2)
            return O
    "#]],
    );
    check(
        "def f(grid, fill, x):\n    g = rot90\n    return g(fill)\n",
        expect![[r#"
        def f(S, I, C):
            O = rot90(I)
            return O
    "#]],
    );
}

#[test]
fn lines_and_blanks() {
    let expected = parse("def f(I):\n    x = fill(I, ONE, asindices(I))\n    return x\n");
    for text in [
        "\u{feff}def f(I):\r\n    x = fill(I, ONE, asindices(I))\r\n    return x\r\n",
        "def f(I):\r    x = fill(I, ONE, asindices(I))\r    return x",
        "def f(I):\n\tx = fill(\n  I, # the grid\n\n ONE,\n asindices(I)\n)\n\n\n\treturn (\n x)\n   ",
        "def f ( I ) :\n  x=fill( I,ONE , asindices ( I ) )\n\n  # more\n\n  return x\n  # the end",
        "def f(I):\n    x = \\\n  fill(I, ONE, \\\r\n asindices(I))\n    return x\n",
    ] {
        assert_eq!(parse(text), expected, "{text:?}");
    }
    assert!(parse_file("").programs.is_empty());
    assert!(parse_file("\u{feff}\n\n# nothing\n").errors.is_empty());
}

#[test]
fn files() {
    let text = "from dsl import *\nfrom constants import *\n\n\ndef a(I):\n    O = rot90(I)\n    return O\n\n\ndef b(I):\n    return I\n";
    let file = parse_file(text);
    assert_eq!(file.programs.len(), 2);
    assert_eq!(print_file(&file.programs), text);
}

#[test]
fn places() {
    let text = "def f(I):\n    é = fill(I,\n             ONE, asindices(I))\n    return é\n";
    let program = parse(text);
    let outer = program.span(StepId(1));
    assert_eq!((outer.line, outer.column), (2, 9));
    assert_eq!(outer.text(text), Some("fill(I,\n             ONE, asindices(I))"));
    let inner = program.arg_span(StepId(1), 2);
    assert_eq!((inner.line, inner.column, inner.text(text)), (3, 19, Some("asindices(I)")));
    assert_eq!(inner, program.span(StepId(0)));
    assert_eq!(program.name_span().text(text), Some("f"));
    assert_eq!(program.output_span().text(text), Some("é"));
}

#[test]
fn expressions() {
    let program = parse_expression("fill(I, 2, ofcolor(I, 0))\n").unwrap();
    assert_eq!(program.params(), Params::Input);
    assert_eq!(program.steps().len(), 2);
    assert_eq!(parse_expression("hconcat(I, C)").unwrap().params(), Params::DemosInputCandidate);
    let literal = parse_expression("(1, 2, 3)").unwrap();
    assert_eq!(literal.output(), Operand::Literal(LiteralId(0)));
    assert_eq!(literal.literal(LiteralId(0)), &tuple_of(vec![1.into(), 2.into(), 3.into()]));
}

#[test]
fn liveness() {
    let program = parse("def f(I):\n    a = rot90(I)\n    b = rot90(a)\n    c = compose(rot90, rot90)\n    d = c(a)\n    return d\n");
    assert_eq!(program.live(), [true, false, true, true]);
    assert!(program.is_live(StepId(0)) && !program.is_live(StepId(1)) && !program.is_live(StepId(9)));
}

#[test]
fn equality_ignores_names_and_places() {
    let a = parse("def a(I):\n    x = 3\n    y = 4\n    return add(y, x)\n");
    let b = parse("def b(I):\n\n    return add(4, 3)\n");
    assert_eq!(a, b);
    let hash = |program: &Program| {
        use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
        BuildHasherDefault::<DefaultHasher>::default().hash_one(program)
    };
    assert_eq!(hash(&a), hash(&b));
    assert_ne!(a, parse("def a(I):\n    return add(3, 4)\n"));
    assert_ne!(a, parse("def a(S, I, C):\n    return add(4, 3)\n"));
    assert_ne!(a, parse("def a(I):\n    return add(FOUR, 3)\n"));
}

#[test]
fn values_as_text() {
    let closure = Closure::new(Maker::Rbind, 1, Box::new([Value::Primitive(Prim::add.into()), Value::Int(-1)])).unwrap();
    let value = tuple_of(vec![Value::Closure(closure.into()), Value::empty_set(), Value::empty_tuple(), Value::Bool(true)]);
    expect!["(rbind(add, -1), frozenset(), (), True)"].assert_eq(&print_literal(&value));
}

#[test]
fn the_builder_checks() {
    let mut builder = ProgramBuilder::new(Params::Input);
    let one = Operand::from(ConstId::by_name("ONE").unwrap());
    let arity = builder.call(Prim::fill, &[Operand::Input, one]).unwrap_err();
    expect!["`fill` takes 3 arguments (grid, value, patch), 2 given"].assert_eq(&arity.to_string());
    let step = Operand::Step(StepId(0));
    assert_eq!(builder.call(Prim::rot90, &[step]), Err(BuildError::NotSet(step)));
    assert_eq!(builder.call(Prim::rot90, &[Operand::Demos]), Err(BuildError::NotSet(Operand::Demos)));
    let bad = Operand::Primitive(batt_core::PrimId(u16::MAX));
    assert_eq!(builder.call(bad, &[]), Err(BuildError::NotSet(bad)));
    let closure = Closure::new(Maker::Rbind, 1, Box::new([Value::Primitive(Prim::add.into()), Value::Int(-1)])).unwrap();
    assert_eq!(builder.literal(tuple_of(vec![Value::Closure(closure.into())])), Err(BuildError::FunctionInLiteral));
    assert_eq!(builder.literal(Value::Primitive(Prim::add.into())), Ok(Operand::from(Prim::add)));
    assert_eq!(builder.call(Prim::rot90, &[Operand::Input]), Ok(step));
    for name in ["", "1a", "a b", "return", "a-b"] {
        assert_eq!(builder.clone().finish(name, step), Err(BuildError::BadName(name.to_owned())));
    }
    assert_eq!(print_program(&builder.finish("f", step).unwrap()), "def f(I):\n    O = rot90(I)\n    return O\n");
}
