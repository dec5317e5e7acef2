//! What programs say about operations: how often each is used, which follows which, and which chains recur.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use batt_core::Value;
use batt_dsl::primitive;
use batt_program::{Operand, Program, Step};
use batt_search::{Call, Learnt, Macro, OPERATIONS};
use serde::Serialize;

use crate::Solution;

/// A chain of two calls that several programs have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Chain {
    /// The first call.
    pub first: Call,
    /// The call on what it gave.
    pub then: Call,
    /// The tasks whose programs have it.
    pub tasks: usize,
}

impl Chain {
    /// The same as a macro.
    pub fn to_macro(&self) -> Macro {
        Macro { first: self.first.clone(), then: self.then.clone() }
    }
}

impl fmt::Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |call: &Call| format!("{}{}[{}]", if call.each { "each " } else { "" }, call.operation, call.number);
        write!(f, "{} then {}", shown(&self.first), shown(&self.then))
    }
}

/// The highest rank.
const MOST_RANK: f64 = 6.0;
/// An operation that is used less often says nothing about what follows it.
const FEWEST_USES: usize = 8;

/// A call of a program, with the call that made its first argument.
struct Used {
    call: Call,
    before: Option<Call>,
}

/// Chains of two calls, those that shorten most programs first. The programs are few, so that all chains are counted.
pub fn chains(solutions: &[&Solution]) -> Vec<Chain> {
    let mut found: BTreeMap<(Call, Call), BTreeSet<&str>> = BTreeMap::new();
    for solution in solutions {
        for Used { call, before } in calls(&solution.program) {
            if let Some(before) = before {
                found.entry((before, call)).or_default().insert(&solution.task);
            }
        }
    }
    let mut chains: Vec<Chain> =
        found.into_iter().map(|((first, then), tasks)| Chain { first, then, tasks: tasks.len() }).filter(|chain| chain.tasks > 1).collect();
    chains.sort_by_key(|chain| std::cmp::Reverse(chain.tasks));
    chains
}

/// How late operations are used: the fewer programs use one, the later.
pub(crate) fn ranks(solutions: &[&Solution]) -> BTreeMap<String, u16> {
    let mut uses: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for solution in solutions {
        for Used { call, .. } in calls(&solution.program) {
            uses.entry(call.operation).or_default().insert(&solution.task);
        }
    }
    let most = uses.values().map(BTreeSet::len).max().unwrap_or(1) as f64;
    let rank = |name: &str| {
        let count = uses.get(name).map_or(0.5, |tasks| tasks.len() as f64);
        (most / count).log2().round().clamp(0.0, MOST_RANK) as u16
    };
    OPERATIONS.iter().map(|operation| (operation.name.to_owned(), rank(operation.name))).filter(|(_, rank)| *rank != Learnt::RANK).collect()
}

/// How much later an operation is used after another one, where that differs from how it is used otherwise.
pub(crate) fn follows(solutions: &[&Solution]) -> BTreeMap<String, BTreeMap<String, i16>> {
    let (mut pairs, mut befores, mut afters) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    let mut all = 0.0;
    for solution in solutions {
        for Used { call, before } in calls(&solution.program) {
            if let Some(before) = before {
                *pairs.entry((before.operation.clone(), call.operation.clone())).or_insert(0) += 1;
                *befores.entry(before.operation).or_insert(0) += 1;
                *afters.entry(call.operation).or_insert(0) += 1;
                all += 1.0;
            }
        }
    }
    let mut follows: BTreeMap<String, BTreeMap<String, i16>> = BTreeMap::new();
    for (before, count) in befores.iter().filter(|(_, count)| **count >= FEWEST_USES) {
        for (after, uses) in &afters {
            let expected = (*uses * *count) as f64 / all;
            let seen = pairs.get(&(before.clone(), after.clone())).copied().unwrap_or(0) as f64;
            // One more of each keeps rare pairs near what is expected.
            let later = ((expected + 1.0) / (seen + 1.0)).log2().round().clamp(-2.0, 2.0) as i16;
            if later != 0 {
                follows.entry(before.clone()).or_default().insert(after.clone(), later);
            }
        }
    }
    follows
}

/// The calls of operations in a program.
fn calls(program: &Program) -> Vec<Used> {
    let call_of = |operand: Operand| match operand {
        Operand::Step(id) => call(program, &program.steps()[id.0 as usize]).map(|(call, _)| call),
        _ => None,
    };
    let used = |step| call(program, step).map(|(call, argument)| Used { call, before: call_of(argument) });
    program.steps().iter().filter_map(used).collect()
}

/// A step as a call of an operation, and its first argument.
fn call(program: &Program, step: &Step) -> Option<(Call, Operand)> {
    let name = |operand: Operand| match operand {
        Operand::Primitive(id) => Some(primitive(id).name),
        _ => None,
    };
    let number = |operand: Option<&Operand>| match operand {
        Some(Operand::Literal(id)) => match program.literal(*id) {
            Value::Int(number) => i8::try_from(*number).ok(),
            _ => None,
        },
        _ => None,
    };
    let (callee, arguments) = (name(step.callee)?, program.step_args(step));
    let is_operation = |name: &str| OPERATIONS.iter().any(|operation| operation.name == name);
    if callee == "apply" {
        // On each image of a list, alone or with a number.
        let [function, list] = arguments else { return None };
        let (operation, number) = match function {
            Operand::Primitive(_) => (name(*function)?, 0),
            Operand::Step(id) => {
                let bound = &program.steps()[id.0 as usize];
                let [function, value] = program.step_args(bound) else { return None };
                (name(*function)?, number(Some(value))?)
            }
            _ => return None,
        };
        return is_operation(operation).then(|| (Call { operation: operation.to_owned(), number, each: true }, *list));
    }
    let first = *arguments.first()?;
    is_operation(callee).then(|| (Call { operation: callee.to_owned(), number: number(arguments.last()).unwrap_or(0), each: false }, first))
}
