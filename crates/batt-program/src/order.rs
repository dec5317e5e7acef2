//! Which calls of a program may depend on the order of a set, as far as types tell.

use batt_core::PrimId;
use batt_dsl::{Family, Guard, Type, primitive};

use crate::{Operand, Program, Typing};

/// The primitives of a program whose values may depend on the order of a set, ascending. If there is none, the program gives the same
/// in every order.
///
/// A primitive that is passed as a function may be called on anything.
pub fn order_sensitive(program: &Program, typing: &Typing) -> Vec<PrimId> {
    let live = program.live();
    let mut found = Vec::new();
    for (id, step) in program.step_ids().filter(|(id, _)| live[id.0 as usize]) {
        let operands = program.step_args(step);
        if let Operand::Primitive(callee) = step.callee {
            let types: Vec<Type> = operands.iter().map(|&operand| operand_type(program, typing, operand)).collect();
            if may_show_order(callee, &types, typing.steps[id.0 as usize]) {
                found.push(callee);
            }
        }
        found.extend(operands.iter().filter_map(|operand| match operand {
            Operand::Primitive(function) if may_show_order(*function, &[], Type::ANY) => Some(*function),
            _ => None,
        }));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether a call with arguments and a value of these types may depend on the order of a set. Arguments that are not known may be anything.
fn may_show_order(id: PrimId, arguments: &[Type], value: Type) -> bool {
    let row = primitive(id);
    let containers = || {
        let known = |k: usize| arguments.get(k).copied().unwrap_or(Type::ANY);
        row.params.iter().enumerate().filter(|(_, param)| param.takes.is_container()).map(move |(k, _)| known(k))
    };
    // A function that is called on the demos may give sets.
    let of_demos = row.family == Family::Demo;
    let ordered = row.flags.ordered && (of_demos || containers().any(Type::may_be_set));
    let compares = row.flags.compares && !value.within(Type::NUMERICAL) && containers().any(Type::may_be_set);
    let makes_tuple = row.alias.is_some_and(|alias| alias.guard == Guard::AsTuple) && containers().any(Type::may_be_set);
    row.flags.ties || makes_tuple || ordered || compares || (row.flags.flattens && containers().any(Type::may_be_tuple))
}

fn operand_type(program: &Program, typing: &Typing, operand: Operand) -> Type {
    match operand {
        Operand::Input | Operand::Candidate => Type::SURE_GRID,
        Operand::Demos => crate::typing::DEMOS,
        Operand::Step(id) => typing.steps[id.0 as usize],
        Operand::Constant(id) => Type::of_value(&id.value()),
        Operand::Literal(id) => Type::of_value(program.literal(id)),
        Operand::Primitive(_) => Type::FUNCTION,
    }
}
