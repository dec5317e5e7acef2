//! Programs made of programs.

#![expect(clippy::unwrap_used, reason = "tests")]

use batt_dsl::Prim;
use batt_program::{BuildError, LiteralId, Operand, Params, ProgramBuilder, StepId, print_program};
use batt_testing::program as parsed;

#[test]
fn programs_are_put_one_after_the_other() {
    let first = parsed("def a(I):\n    x1 = trimmed(I)\n    O = to_origin(x1)\n    return O\n");
    let then = parsed("def b(I):\n    x1 = cellrule(I, 0, ())\n    O = over(x1, I, 10)\n    return O\n");
    let both =
        "def a(I):\n    x1 = trimmed(I)\n    x2 = to_origin(x1)\n    x3 = cellrule(x2, 0, ())\n    O = over(x3, x2, 10)\n    return O\n";
    assert_eq!(print_program(&first.then(&then).unwrap()), both);
    // A program without calls gives what the other gives.
    let nothing = parsed("def c(I):\n    return I\n");
    assert_eq!((first.then(&nothing).unwrap(), nothing.then(&first).unwrap()), (first.clone(), first));
    let of_demos = parsed("def d(S, I, C):\n    return astuple(S, I)\n");
    assert_eq!(then.then(&of_demos).unwrap().params(), Params::DemosInputCandidate);
}

#[test]
fn a_program_becomes_a_part_of_another() {
    let part = parsed("def a(I):\n    return replace(I, 1, 2)\n");
    let mut builder = ProgramBuilder::new(Params::Input);
    let turned = builder.call(Prim::rot90, &[Operand::Input]).unwrap();
    let (once, twice) = (builder.inline(&part, turned).unwrap(), builder.inline(&part, Operand::Input).unwrap());
    let output = builder.call(Prim::hconcat, &[once, twice]).unwrap();
    let text =
        "def b(I):\n    x1 = rot90(I)\n    x2 = replace(x1, 1, 2)\n    x3 = replace(I, 1, 2)\n    O = hconcat(x2, x3)\n    return O\n";
    assert_eq!(print_program(&builder.finish("b", output).unwrap()), text);
    // A program that looks at the demos is no part of one that has none.
    let of_demos = parsed("def d(S, I, C):\n    return astuple(S, I)\n");
    assert_eq!(ProgramBuilder::new(Params::Input).inline(&of_demos, Operand::Input), Err(BuildError::NotSet(Operand::Demos)));
}

#[test]
fn operands_are_changed_one_at_a_time() {
    let program = parsed("def a(I):\n    x1 = rot90(I)\n    O = replace(x1, 1, 2)\n    return O\n");
    let last = StepId(1);
    let changed = program.with_argument(last, 2, Operand::Literal(LiteralId(0))).unwrap();
    assert_eq!(print_program(&changed), "def a(I):\n    x1 = rot90(I)\n    O = replace(x1, 1, 1)\n    return O\n");
    let called = program.with_callee(StepId(0), Prim::hmirror.into()).unwrap();
    assert_eq!(print_program(&called), "def a(I):\n    x1 = hmirror(I)\n    O = replace(x1, 1, 2)\n    return O\n");
    // A call cannot use itself or a later one, and has as many arguments as it has.
    assert_eq!(program.with_argument(StepId(0), 0, Operand::Step(last)), Err(BuildError::NotSet(Operand::Step(last))));
    assert_eq!(program.with_argument(last, 3, Operand::Input), Err(BuildError::NoOperand { step: last, place: 4 }));
    assert!(matches!(program.with_callee(last, Prim::hmirror.into()), Err(BuildError::WrongArity { .. })));
}
