//! More programs than a library has: its programs with a constant or a function changed.

use batt_core::{PrimId, Random, Value};
use batt_dsl::{ConstId, primitive, primitives};
use batt_program::{Operand, Program, ProgramBuilder, StepId};

/// How much of the name of a program its mutants have.
const LONGEST_NAME: usize = 60;

/// So many programs: the first of a library, and if it has fewer, mutants of them.
pub(super) fn programs(library: &[Program], count: usize) -> Vec<Program> {
    let mut random = Random::new(1);
    let mut all: Vec<Program> = library.iter().take(count).cloned().collect();
    while all.len() < count && !library.is_empty() {
        let original = &library[all.len() % library.len()];
        let name = format!("{}_mutant_{}", original.name().chars().take(LONGEST_NAME).collect::<String>(), all.len());
        match mutant(original, &name, &mut random) {
            Some(program) => all.push(program),
            // Text that was read can always be built again.
            None => break,
        }
    }
    all
}

/// A program with one operand changed, so that it shares most calls with the one that it came from.
fn mutant(program: &Program, name: &str, random: &mut Random) -> Option<Program> {
    let mut places: Vec<(StepId, usize, Operand)> = Vec::new();
    for (id, step) in program.step_ids() {
        let operands = std::iter::once(step.callee).chain(program.step_args(step).iter().copied());
        places.extend(operands.enumerate().filter_map(|(k, operand)| Some((id, k, changed(operand, random)?))));
    }
    let change = (!places.is_empty()).then(|| places[random.below(places.len())]);
    let changed = match change {
        Some((step, 0, callee)) => program.with_callee(step, callee).ok()?,
        Some((step, place, operand)) => program.with_argument(step, place - 1, operand).ok()?,
        None => {
            let turns: Vec<PrimId> = primitives().filter(|(_, row)| row.alias.is_none() && row.turn.is_some()).map(|(id, _)| id).collect();
            let mut builder = ProgramBuilder::new(program.params());
            let output = builder.inline(program, Operand::Input).ok()?;
            let turned = builder.call(turns[random.below(turns.len())], &[output]).ok()?;
            builder.finish(name, turned).ok()?
        }
    };
    Some(changed.named(name))
}

/// Another operand of the same kind; none if there is no other.
fn changed(operand: Operand, random: &mut Random) -> Option<Operand> {
    match operand {
        Operand::Constant(id) => {
            let kind = std::mem::discriminant::<Value>(&id.value());
            let others: Vec<ConstId> =
                ConstId::all().filter(|&other| other != id && std::mem::discriminant(&other.value()) == kind).collect();
            others.get(random.below(others.len())).map(|&other| Operand::Constant(other))
        }
        Operand::Primitive(id) => {
            let row = primitive(id);
            let alike = |other: PrimId| {
                let candidate = primitive(other);
                other != id
                    && candidate.family == row.family
                    && candidate.params.len() == row.params.len()
                    && (0..row.params.len()).all(|k| candidate.takes(k) == row.takes(k))
            };
            let others: Vec<PrimId> = primitives().map(|(other, _)| other).filter(|&other| alike(other)).collect();
            others.get(random.below(others.len())).map(|&other| Operand::Primitive(other))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn mutants_are_many_and_different_and_the_same_each_time() {
        let library = batt_program::parse_file(batt_starter::LIBRARY).programs;
        let all = programs(&library, 1000);
        assert_eq!(all.len(), 1000);
        assert_eq!(all[..library.len()], library);
        assert_eq!(all, programs(&library, 1000));
        let texts: HashSet<String> =
            all.iter().map(|program| batt_program::print_program(program).lines().skip(1).collect::<Vec<_>>().join("\n")).collect();
        assert!(texts.len() > 500, "{}", texts.len());
        assert_eq!(programs(&library, 5).len(), 5);
        assert!(programs(&[], 5).is_empty());
    }
}
