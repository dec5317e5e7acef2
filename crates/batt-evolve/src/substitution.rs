//! Runs the programs of a task call by call, and looks up what would make one of them right: see [`crate::mutate::Columns`].

use std::sync::Arc;

use batt_core::Value;
use batt_dsl::Machine;
use batt_program::{ContentHash, Operand, StepId};
use rustc_hash::FxHashMap;

use crate::mutate::{Columns, Mutator, Numbers, Offspring, Traced, TypedProgram};
use crate::puzzle::EvolveTask;
use crate::visit::TaskState;
use crate::{EvolveOptions, Source};

/// One visit of so many looks: programs of a task change slowly, and running them call by call takes time.
const EVERY: usize = 4;
/// The most programs that one visit makes so.
const MOST: usize = 32;

/// Programs of a task that no program fits, each with a value of another one with which it is right on all demos, and their parents. It depends on the
/// programs of the task alone; which visits look, on seed, generation and task.
pub(crate) fn substitutions(
    task: usize,
    state: &TaskState,
    options: &EvolveOptions,
    generation: u64,
    mutator: &mut Mutator,
) -> Vec<(Offspring, Source, Vec<ContentHash>)> {
    let mut turns = Numbers::new(options.seed, &[generation, task as u64, u64::from(b's')]);
    if !options.substitutes || !options.selects || state.is_fit() || !turns.one_in(EVERY) {
        return Vec::new();
    }
    let puzzle = &state.puzzle;
    let machine = Machine::fast(state.limits(options));
    let mut tracer = Tracer { puzzle, machine, calls: FxHashMap::default(), values: Vec::new() };
    let (hashes, traced): (Vec<ContentHash>, Vec<Traced>) =
        state.pool.members().iter().map(|member| (member.hash, tracer.traced(&member.program))).unzip();
    let columns = Columns::of(&traced);
    let inputs: Vec<Value> = puzzle.demos.iter().map(|demo| demo.input.clone()).collect();
    let outputs: Vec<Value> = puzzle.demos.iter().map(|demo| demo.output.clone()).collect();
    let mut made = Vec::new();
    for (parent, &hash) in hashes.iter().enumerate() {
        for hit in columns.hits(parent, &inputs, &outputs) {
            if made.len() == MOST {
                return made;
            }
            if let Some(offspring) = columns.substituted(parent, hit, mutator) {
                let parents = if hit.donor == parent { vec![hash] } else { vec![hash, hashes[hit.donor]] };
                made.push((offspring, Source::Substitute, parents));
            }
        }
    }
    made
}

/// Runs programs call by call. Programs of a task have most calls in common, which are run once.
struct Tracer<'a> {
    puzzle: &'a EvolveTask,
    machine: Machine,
    /// The number of each call, by its function and arguments.
    calls: FxHashMap<(Given, Vec<Given>), u32>,
    /// Values of each call on the demos; nothing if it has no value on one of them.
    values: Vec<Option<Arc<[Value]>>>,
}

/// A function or an argument.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Given {
    Input,
    Demos,
    /// A call by its number.
    Call(u32),
    Value(Value),
}

impl Tracer<'_> {
    /// Values of a program's calls on the demos.
    fn traced(&mut self, program: &Arc<TypedProgram>) -> Traced {
        let mut numbers: Vec<Option<u32>> = Vec::new();
        let values = program.calls().map(|(callee, args)| {
            let given = |operand: Operand| match operand {
                Operand::Input => Some(Given::Input),
                Operand::Demos => Some(Given::Demos),
                Operand::Candidate => None,
                Operand::Step(StepId(step)) => numbers[step as usize].map(Given::Call),
                Operand::Constant(id) => Some(Given::Value(id.value())),
                Operand::Literal(id) => Some(Given::Value(program.literal(id).clone())),
                Operand::Primitive(id) => Some(Given::Value(Value::Primitive(id))),
            };
            let call = given(callee).zip(args.iter().map(|&operand| given(operand)).collect::<Option<Vec<_>>>());
            let number = call.map(|(callee, args)| self.number(callee, args)).filter(|&number| self.values[number as usize].is_some());
            numbers.push(number);
            self.values[number? as usize].clone()
        });
        Traced { program: Arc::clone(program), values: values.collect() }
    }

    fn number(&mut self, callee: Given, args: Vec<Given>) -> u32 {
        let key = (callee, args);
        if let Some(&known) = self.calls.get(&key) {
            return known;
        }
        let values = (0..self.puzzle.demos.len()).map(|demo| {
            let value = |given: &Given| match given {
                Given::Input => Some(self.puzzle.demos[demo].input.clone()),
                Given::Demos => Some(self.puzzle.pairs.clone()),
                Given::Call(number) => Some(self.values[*number as usize].as_ref()?[demo].clone()),
                Given::Value(value) => Some(value.clone()),
            };
            let args: Vec<Value> = key.1.iter().map(value).collect::<Option<_>>()?;
            let args: Vec<&Value> = args.iter().collect();
            self.machine.refuel();
            match value(&key.0)? {
                Value::Primitive(id) => self.machine.call_primitive(id, &args).ok(),
                function => self.machine.invoke(&function, &args).ok(),
            }
        });
        let values: Option<Arc<[Value]>> = values.collect();
        let number = self.values.len() as u32;
        self.values.push(values);
        self.calls.insert(key, number);
        number
    }
}
