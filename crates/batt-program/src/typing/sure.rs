//! Sure types: those that the value of a call has whatever its arguments. They separate errors from warnings.
//!
//! Inference takes the table by its word: a grid has integers, and a function gets what it is for. The DSL does not check that, so a
//! program that breaks it may still have a value. Types here are wide enough to hold then, too. Functions are not followed.

use batt_core::Maker;
use batt_dsl::{Beyond, Guard, Prim, Primitive, Returns, Type, primitive};

use super::DEMOS;
use crate::{Operand, Program, Step};

/// Sure type of an operand.
pub(super) fn operand(program: &Program, steps: &[Type], operand: Operand) -> Type {
    match operand {
        Operand::Input | Operand::Candidate => Type::SURE_GRID,
        // There may be no demo.
        Operand::Demos => DEMOS.or(Type::TUPLE),
        Operand::Step(id) => steps[id.0 as usize],
        Operand::Constant(id) => super::constant_type(&id.value()),
        Operand::Literal(id) => Type::of_value(program.literal(id)),
        Operand::Primitive(_) => Type::FUNCTION,
    }
}

/// Sure type of a call's value.
pub(super) fn value(program: &Program, steps: &[Type], step: &Step) -> Type {
    let Operand::Primitive(id) = step.callee else { return Type::ANY };
    let args: Vec<Type> = program.step_args(step).iter().map(|&arg| operand(program, steps, arg)).collect();
    let row = primitive(id);
    // An empty tuple stays as it is.
    let is_box = id == Prim::r#box.into() || row.alias.is_some_and(|alias| alias.base == Prim::r#box);
    match () {
        () if args.len() != row.params.len() => Type::ANY,
        () if is_box && args[0].may_be_tuple() => Type::CONTAINER,
        () => returned(row, &args),
    }
}

/// Whether a call fails for its argument at position `k`, whatever the values of its arguments.
pub(super) fn fails(row: &Primitive, k: usize, args: &[Type]) -> bool {
    if row.params.get(k).is_none_or(|param| param.takes != Type::FUNCTION) {
        return !args[k].fits(row.runs_on(k));
    }
    if args[k].may_be_function() {
        return false;
    }
    match row.returns {
        // A function is made, and never called perhaps.
        Returns::Closure(maker) => matches!(maker, Maker::Lbind | Maker::Rbind),
        // Without an item there is no value.
        Returns::Item(_) | Returns::Key | Returns::KeyOrOfZero => true,
        // A function is not called if there is no item.
        _ => row.params.iter().zip(args).all(|(param, arg)| !param.takes.is_container() || is_filled(*arg)),
    }
}

/// Whether a container of this type has an item.
fn is_filled(ty: Type) -> bool {
    ty.within(const { Type::SURE_GRID.or(Type::PAIR).or(Type::CELL) })
}

fn returned(row: &Primitive, args: &[Type]) -> Type {
    let is_viewed = row.alias.is_some_and(|alias| alias.guard != Guard::None);
    // The kind of container that an argument is.
    let like = |k: u8| {
        let ty = args[usize::from(k)];
        match (ty.may_be_tuple(), ty.may_be_set()) {
            (true, false) if !is_viewed => Type::TUPLE,
            (false, true) if !is_viewed => Type::SET,
            _ => Type::CONTAINER,
        }
    };
    match row.beyond {
        Beyond::Nothing => {}
        Beyond::SetOfItems | Beyond::SetUnlessPair => return Type::SET,
        Beyond::Two | Beyond::Zipped | Beyond::CellTuples | Beyond::OrTuple | Beyond::Found => return Type::CONTAINER,
    }
    match row.returns {
        Returns::Always(ty) if ty == Type::BOOLEAN => ty,
        // Colours may be anything.
        Returns::Always(ty) if ty == Type::INTEGER && row.runs_on.is_empty() && row.numbers.is_none() => ty,
        Returns::Always(ty) if ty == Type::PAIR && row.runs_on.is_empty() => Type::INTEGERS,
        Returns::Always(ty) if !row.runs_on.is_empty() && [Type::INTEGER, Type::PAIR, Type::CELL].contains(&ty) => Type::ANY,
        Returns::Always(ty) => match () {
            () if ty.within(Type::SET) => Type::SET,
            () if ty.within(Type::TUPLE) => Type::TUPLE,
            () => Type::ANY,
        },
        Returns::Itself(k) => args[usize::from(k)],
        Returns::Either(a, b) => args[usize::from(a)].or(args[usize::from(b)]),
        Returns::Filtered(k) if row.params[usize::from(k)].takes == Type::TUPLE => Type::TUPLE,
        Returns::Same(k) | Returns::Resized(k) | Returns::Filtered(k) => like(k),
        Returns::PatchLike(k) => like(k).or(Type::SET),
        Returns::Combined | Returns::Merged | Returns::FilteredMerged | Returns::AppliedEach => like(0),
        Returns::Applied | Returns::AppliedMerged => like(1),
        Returns::Arithmetic(a, b) => {
            let (a, b) = (args[usize::from(a)], args[usize::from(b)]);
            match () {
                () if !a.may_be_tuple() && !b.may_be_tuple() => Type::INTEGER,
                () if row.runs_on.is_empty() => const { Type::INTEGERS.or(Type::INTEGER) },
                () => const { Type::TUPLE.or(Type::INTEGER) },
            }
        }
        Returns::Two(..)
        | Returns::TupleOf(_)
        | Returns::Copies(_)
        | Returns::Zipped
        | Returns::AppliedPairs
        | Returns::AppliedPairsMerged => Type::TUPLE,
        Returns::SetOf(_) | Returns::Singleton(_) | Returns::Inserted | Returns::Product | Returns::AppliedProduct => Type::SET,
        // The first power of a function is what was given for one.
        Returns::Closure(Maker::Power) => Type::FUNCTION.or(args[0]),
        Returns::Closure(_) => Type::FUNCTION,
        Returns::Item(_)
        | Returns::ItemOrZero(_)
        | Returns::ItemAt(..)
        | Returns::Nth(..)
        | Returns::Key
        | Returns::KeyOrOfZero
        | Returns::Picked => Type::ANY,
    }
}
