//! Steps of programs that are known: programs that are made from each other have most of theirs in common, and each is compiled once.

use std::rc::Rc;

use batt_core::{PrimId, Value};
use batt_dsl::Limits;
use batt_program::{Operand, Program, StepId};
use rustc_hash::FxHashMap;

use crate::compile::{Arg, Compiler, Folding, Function, Literals, Uncovered, known};
use crate::format::Instruction;
use crate::graph::{Graph, GraphProgram};
use crate::opcodes::Control;
use crate::registers::Virtual;

/// Steps of programs that were compiled for a graph.
#[derive(Default)]
pub(crate) struct Memo {
    /// By task, what is called and its arguments.
    outcomes: FxHashMap<[u32; 6], Outcome>,
    /// Nodes that steps come to, each with what is spent before it in the step.
    nodes: Vec<(u32, u32)>,
    /// Known values, each with a number, and by their numbers.
    numbers: FxHashMap<Value, u32>,
    values: Vec<Value>,
    /// The numbers of constants, as far as they were asked for.
    constants: Vec<u32>,
    functions: Vec<Rc<Function>>,
    uncovered: Vec<Uncovered>,
    /// By step of the program that is being added, what it gives.
    given: Vec<u32>,
}

/// What came of a step: the nodes that it comes to, what it spends behind the last, and what it gives.
#[derive(Clone, Copy)]
struct Outcome {
    first: u32,
    end: u32,
    fuel: u32,
    gives: u32,
}

/// Operands, and what steps give, are numbers: what they are stands above 28 bits.
const KIND: u32 = 0xF << 28;
const OF_INPUT: u32 = 0;
const OF_PRIMITIVE: u32 = 1 << 28;
const OF_VALUE: u32 = 2 << 28;
const OF_NODE: u32 = 3 << 28;
const OF_FUNCTION: u32 = 4 << 28;
/// Nothing: the program has no answer.
const NO_ANSWER: u32 = 5 << 28;
/// The step is left to the host.
const UNCOVERED: u32 = 6 << 28;
/// There is no such operand, or it was not come to.
const NONE: u32 = u32::MAX;

impl Memo {
    fn number_of(&mut self, value: &Value) -> u32 {
        // A boolean equals an integer, but is another value.
        let key = if let Value::Bool(b) = value { Value::pair(i64::MAX, i64::from(*b)) } else { value.clone() };
        let next = self.values.len() as u32;
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.values.push(value.clone());
        }
        OF_VALUE | number
    }

    fn number_of_operand(&mut self, program: &Program, operand: Operand) -> Result<u32, Uncovered> {
        Ok(match operand {
            Operand::Input => OF_INPUT,
            Operand::Demos | Operand::Candidate => return Err(Uncovered::Inputs),
            Operand::Step(StepId(step)) => {
                self.given.get(step as usize).copied().filter(|&number| number != NONE).ok_or(Uncovered::Size)?
            }
            Operand::Constant(id) => {
                let place = usize::from(id.0);
                if self.constants.len() <= place {
                    self.constants.resize(place + 1, NONE);
                }
                if self.constants[place] == NONE {
                    self.constants[place] = self.number_of(&id.value());
                }
                self.constants[place]
            }
            Operand::Literal(id) => self.number_of(program.literal(id)),
            Operand::Primitive(id) => OF_PRIMITIVE | u32::from(id.0),
        })
    }

    /// What a number stands for.
    fn arg(&self, number: u32) -> Result<Arg, Uncovered> {
        let place = number & !KIND;
        Ok(match number & KIND {
            OF_INPUT => Arg::Register(Virtual::INPUT),
            OF_PRIMITIVE => Arg::Function(Rc::new(Function::Primitive(PrimId(place as u16)))),
            OF_NODE => Arg::Node(place),
            OF_VALUE => known(self.values.get(place as usize).ok_or(Uncovered::Size)?),
            OF_FUNCTION => Arg::Function(Rc::clone(self.functions.get(place as usize).ok_or(Uncovered::Size)?)),
            _ => return Err(Uncovered::Size),
        })
    }

    /// The number of what a step gives.
    fn number_of_result(&mut self, result: Result<Arg, Uncovered>) -> u32 {
        match result {
            Ok(Arg::Node(node)) => OF_NODE | node,
            Ok(Arg::Known(value)) => self.number_of(&value),
            // It has no other register than the input's.
            Ok(Arg::Register(_)) => OF_INPUT,
            // A function is the same if it was made by the same step.
            Ok(Arg::Function(function)) => {
                self.functions.push(function);
                OF_FUNCTION | (self.functions.len() as u32 - 1)
            }
            Err(why) => {
                self.uncovered.push(why);
                UNCOVERED | (self.uncovered.len() as u32 - 1)
            }
        }
    }
}

/// Adds a program to a graph, step by step, as [`crate::compile::translate`] and [`Graph::add`] would; steps that are known are not compiled again.
/// `live` says which of its steps the output depends on.
pub(crate) fn add_to_graph(
    program: &Program,
    live: &[bool],
    task: u32,
    limits: &Limits,
    literals: &mut Literals,
    graph: &mut Graph,
    memo: &mut Memo,
) -> Result<GraphProgram, Uncovered> {
    let mut compiler = Compiler::new(limits, Folding::Fold, literals);
    memo.given.clear();
    let mut adding = graph.begin(task);
    for (step, &live) in program.steps().iter().zip(live) {
        if !live {
            memo.given.push(NONE);
            continue;
        }
        let args = program.step_args(step);
        let mut key = [task, memo.number_of_operand(program, step.callee)?, NONE, NONE, NONE, NONE];
        if args.len() > key.len() - 2 {
            return Err(Uncovered::Size);
        }
        for (place, &arg) in key[2..].iter_mut().zip(args) {
            *place = memo.number_of_operand(program, arg)?;
        }
        let gives = if let Some(&outcome) = memo.outcomes.get(&key) {
            for &(node, fuel) in &memo.nodes[outcome.first as usize..outcome.end as usize] {
                adding.spend(fuel)?;
                graph.come_to(&mut adding, node);
            }
            adding.spend(outcome.fuel)?;
            match outcome.gives & KIND {
                NO_ANSWER => return graph.fail(&adding),
                UNCOVERED => return Err(memo.uncovered[(outcome.gives & !KIND) as usize]),
                _ => outcome.gives,
            }
        } else {
            let callee = memo.arg(key[1])?;
            let args = key[2..2 + args.len()].iter().map(|&number| memo.arg(number)).collect::<Result<Vec<_>, _>>()?;
            let (first, before) = (graph.steps.len(), adding.fuel);
            let compiled = compiler.compile_step(&callee, &args).and_then(|value| {
                compiler.laid.iter().for_each(|&(register, node)| graph.lay(register.0, node));
                let ended = graph.take(&mut adding, &compiler.code)?;
                Ok((value, ended))
            });
            let nodes = memo.nodes.len() as u32;
            memo.nodes
                .extend(graph.steps[first..].iter().enumerate().map(|(k, step)| (step.node, step.fuel - if k == 0 { before } else { 0 })));
            let fuel = adding.fuel - if first == graph.steps.len() { before } else { 0 };
            let outcome = Outcome { first: nodes, end: memo.nodes.len() as u32, fuel, gives: NO_ANSWER };
            let given = match compiled {
                Ok((value, None)) => value.without_registers(graph),
                Ok((_, Some(ended))) => {
                    memo.outcomes.insert(key, outcome);
                    return Ok(ended);
                }
                Err(why) => Err(why),
            };
            let gives = memo.number_of_result(given);
            memo.outcomes.insert(key, Outcome { gives, ..outcome });
            if gives & KIND == UNCOVERED {
                return Err(memo.uncovered[(gives & !KIND) as usize]);
            }
            gives
        };
        memo.given.push(gives);
    }
    let output = memo.number_of_operand(program, program.output())?;
    if output & KIND == OF_NODE {
        return graph.give(&adding, output & !KIND);
    }
    compiler.begin_step();
    let mut end = Instruction::control(Control::Return, 0);
    end.args[0] = compiler.operand(&memo.arg(output)?)?.0;
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
                let added = add_to_graph(program, &program.live(), 0, &limits, &mut literals, &mut graph, &mut memo);
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
        add_to_graph(&programs[0], &programs[0].live(), 1, &limits, &mut literals, &mut graph, &mut memo).unwrap();
        assert!(graph.nodes.len() > nodes);
    }
}
