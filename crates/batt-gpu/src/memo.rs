//! Steps of programs that are known: programs that are made from each other have most of theirs in common, and each is compiled once.

use std::ops::Range;

use batt_core::Value;
use batt_dsl::Limits;
use batt_program::{Operand, Program, StepId};
use rustc_hash::FxHashMap;

use crate::compile::{Arg, Compiler, Folding, Literals, Uncovered, argument};
use crate::format::Instruction;
use crate::graph::{Graph, GraphProgram};
use crate::opcodes::Control;

/// Steps of programs that were compiled for a graph.
#[derive(Default)]
pub(crate) struct Memo {
    /// By task, what is called and its arguments.
    outcomes: FxHashMap<[u32; 6], Outcome>,
    /// Nodes that steps come to, each with what is spent before it in the step.
    nodes: Vec<(u32, u32)>,
    /// Known values, each with a number, and how many functions have one.
    values: FxHashMap<Value, u32>,
    functions: u32,
}

/// What came of a step: the nodes that it comes to, what it spends behind the last, and what it gives.
struct Outcome {
    nodes: Range<u32>,
    fuel: u32,
    gives: Gives,
}

enum Gives {
    /// What a node gives.
    Node(u32),
    /// A known value or function, or the input, and its number.
    Known(Arg, u32),
    /// Nothing: the program has no answer.
    Nothing,
    /// It is left to the host.
    Uncovered(Uncovered),
}

/// Kinds of operands, above their numbers.
const OF_INPUT: u32 = 0;
const OF_PRIMITIVE: u32 = 1 << 28;
const OF_CONSTANT: u32 = 2 << 28;
const OF_VALUE: u32 = 3 << 28;
const OF_NODE: u32 = 4 << 28;
const OF_FUNCTION: u32 = 5 << 28;

impl Memo {
    fn number_of(&mut self, value: &Value) -> u32 {
        // A boolean equals an integer, but is another value.
        let key = if let Value::Bool(b) = value { Value::pair(i64::MAX, i64::from(*b)) } else { value.clone() };
        let next = self.values.len() as u32;
        OF_VALUE | *self.values.entry(key).or_insert(next)
    }

    fn number_of_operand(&mut self, program: &Program, operand: Operand, values: &[Option<(u32, Arg)>]) -> Result<u32, Uncovered> {
        Ok(match operand {
            Operand::Input => OF_INPUT,
            Operand::Demos | Operand::Candidate => return Err(Uncovered::Inputs),
            Operand::Step(StepId(step)) => values.get(step as usize).and_then(Option::as_ref).ok_or(Uncovered::Size)?.0,
            Operand::Constant(id) => OF_CONSTANT | u32::from(id.0),
            Operand::Literal(id) => self.number_of(program.literal(id)),
            Operand::Primitive(id) => OF_PRIMITIVE | u32::from(id.0),
        })
    }
}

/// Adds a program to a graph, step by step, as [`crate::compile::translate`] and [`Graph::add`] would; steps that are known are not compiled again.
pub(crate) fn add_to_graph(
    program: &Program,
    task: u32,
    limits: &Limits,
    literals: &mut Literals,
    graph: &mut Graph,
    memo: &mut Memo,
) -> Result<GraphProgram, Uncovered> {
    let mut compiler = Compiler::new(limits, Folding::Fold, literals);
    let live = program.live();
    let mut values: Vec<Option<(u32, Arg)>> = vec![None; program.steps().len()];
    let mut adding = graph.begin(task);
    for (id, step) in program.step_ids() {
        if !live[id.0 as usize] {
            continue;
        }
        let args = program.step_args(step);
        let mut key = [task, memo.number_of_operand(program, step.callee, &values)?, u32::MAX, u32::MAX, u32::MAX, u32::MAX];
        if args.len() > key.len() - 2 {
            return Err(Uncovered::Size);
        }
        for (place, &arg) in key[2..].iter_mut().zip(args) {
            *place = memo.number_of_operand(program, arg, &values)?;
        }
        if let Some(outcome) = memo.outcomes.get(&key) {
            for &(node, fuel) in &memo.nodes[outcome.nodes.start as usize..outcome.nodes.end as usize] {
                adding.spend(fuel)?;
                graph.come_to(&mut adding, node);
            }
            adding.spend(outcome.fuel)?;
            values[id.0 as usize] = Some(match &outcome.gives {
                Gives::Node(node) => (OF_NODE | node, Arg::Node(*node)),
                Gives::Known(value, number) => (*number, value.clone()),
                Gives::Nothing => return graph.fail(&adding),
                Gives::Uncovered(why) => return Err(*why),
            });
            continue;
        }
        let (first, before) = (graph.steps.len(), adding.fuel);
        let compiled = compiler.compile_step(program, step.callee, args, &values).and_then(|value| {
            compiler.laid.iter().for_each(|&(register, node)| graph.lay(register.0, node));
            let ended = graph.take(&mut adding, &compiler.code)?;
            Ok((value, ended))
        });
        let nodes = memo.nodes.len() as u32;
        memo.nodes
            .extend(graph.steps[first..].iter().enumerate().map(|(k, step)| (step.node, step.fuel - if k == 0 { before } else { 0 })));
        let fuel = adding.fuel - if first == graph.steps.len() { before } else { 0 };
        let nodes = nodes..memo.nodes.len() as u32;
        let given = match compiled {
            Ok((value, None)) => value.without_registers(graph),
            Ok((_, Some(ended))) => {
                memo.outcomes.insert(key, Outcome { nodes, fuel, gives: Gives::Nothing });
                return Ok(ended);
            }
            Err(why) => Err(why),
        };
        let gives = match given {
            Ok(Arg::Node(node)) => Gives::Node(node),
            Ok(Arg::Known(value)) => {
                let number = memo.number_of(&value);
                Gives::Known(Arg::Known(value), number)
            }
            // It has no other register than the input's.
            Ok(input @ Arg::Register(_)) => Gives::Known(input, OF_INPUT),
            // A function is the same if it was made by the same step.
            Ok(function @ Arg::Function(_)) => {
                memo.functions += 1;
                Gives::Known(function, OF_FUNCTION | memo.functions)
            }
            Err(why) => Gives::Uncovered(why),
        };
        let value = match &gives {
            Gives::Node(node) => Ok((OF_NODE | node, Arg::Node(*node))),
            Gives::Known(value, number) => Ok((*number, value.clone())),
            Gives::Uncovered(why) => Err(*why),
            Gives::Nothing => Err(Uncovered::Size),
        };
        memo.outcomes.insert(key, Outcome { nodes, fuel, gives });
        values[id.0 as usize] = Some(value?);
    }
    compiler.begin_step();
    let output =
        argument(program, program.output(), &|step| values.get(step as usize).and_then(Option::as_ref).map(|(_, arg)| arg.clone()))?;
    let mut end = Instruction::control(Control::Return, 0);
    end.args[0] = compiler.operand(&output)?.0;
    compiler.laid.iter().for_each(|&(register, node)| graph.lay(register.0, node));
    graph.take(&mut adding, &[end])?.ok_or(Uncovered::Size)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::compile::translate;
    use batt_program::parse_file;

    /// What a program comes to: the primitives of its nodes with what it spends before each, and behind the last, and whether it fails.
    type Way = (Vec<(Option<u16>, u32)>, u32, bool);

    fn way_of(graph: &Graph, program: &GraphProgram) -> Way {
        let steps = &graph.steps[program.first_step as usize..][..usize::from(program.steps)];
        let step = |step: &crate::graph::Step| (graph.nodes[step.node as usize].primitive().map(|id| id.0), step.fuel);
        (steps.iter().map(step).collect(), program.last_fuel, program.fails)
    }

    /// Programs come to the same whether their steps are known or not, and as if they were compiled as a whole.
    #[test]
    fn known_steps_are_as_if_they_were_compiled() {
        let more = "def solve_a(I):\n    x1 = rbind(ofcolor, TWO)\n    x2 = branch(T, x1, size)\n    O = x2(I)\n    return O\n\n\
                    def solve_b(I):\n    x1 = lbind(recolor, THREE)\n    x2 = objects(I, T, F, T)\n    x3 = compose(x1, delta)\n    x4 = mapply(x3, x2)\n    \
                    O = fill(I, ONE, x4)\n    return O\n\n\
                    def solve_c(I):\n    x1 = add(TWO, THREE)\n    x2 = first(x1)\n    O = fill(I, x2, I)\n    return O\n";
        let programs = parse_file(batt_starter::LIBRARY).programs.into_iter().chain(parse_file(more).programs).collect::<Vec<_>>();
        let limits = Limits::default();
        let (mut graph, mut whole) = (Graph::default(), Graph::default());
        let (mut literals, mut whole_literals, mut memo) = (Literals::default(), Literals::default(), Memo::default());
        let mut compared = 0;
        for program in &programs {
            let expected = translate(program, &limits, Folding::Fold, &mut whole_literals).and_then(|code| whole.add(0, &code));
            for _ in 0..2 {
                let added = add_to_graph(program, 0, &limits, &mut literals, &mut graph, &mut memo);
                match (&added, &expected) {
                    (Ok(added), Ok(expected)) => assert_eq!(way_of(&graph, added), way_of(&whole, expected), "{}", program.name()),
                    (added, expected) => assert_eq!(added.as_ref().err(), expected.as_ref().err(), "{}", program.name()),
                }
                compared += usize::from(added.is_ok());
            }
        }
        assert!(compared > programs.len(), "{compared} of {}", 2 * programs.len());
        assert_eq!(graph.nodes.len(), whole.nodes.len());
        // A second task has nodes of its own.
        let nodes = graph.nodes.len();
        add_to_graph(&programs[0], 1, &limits, &mut literals, &mut graph, &mut memo).unwrap();
        assert!(graph.nodes.len() > nodes);
    }
}
