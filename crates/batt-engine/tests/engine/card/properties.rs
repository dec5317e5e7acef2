//! Random programs: a card changes nothing, and leaves nothing behind.
//!
//! A soak (`BATT_SOAK`) takes many more programs, others than the normal run.

#![expect(clippy::unwrap_used, reason = "tests")]

use crate::card::common::{check_invariants, meaning, programs};
use batt_core::{Random, Reason, Value, tuple_of, two_of};
use batt_dsl::{Limits, Machine};
use batt_engine::{Card, CardProgram, CardProgramId, NodeId, NodeOp};
use batt_program::random::Generator;
use batt_program::{Operand, Program, StepId, parse_file, print_program};
use batt_testing::draft::with_odd_operands;
use batt_testing::inputs::grid;
use batt_testing::soak::{count, seed};
use proptest::prelude::*;

const LIMITS: Limits = Limits { fuel: 100_000, grid_area: 1 << 16, set_len: 1 << 20, tuple_len: 1 << 16, call_depth: 128 };

/// How many rounds of programs the normal run takes, and how many a soak.
const ROUNDS: (u64, u64) = (300, 20_000);

/// Arguments of a program.
#[derive(Clone, Copy)]
struct Inputs<'a> {
    input: &'a Value,
    demos: &'a Value,
    candidate: Option<&'a Value>,
}

impl Inputs<'_> {
    fn candidate(self) -> Result<Value, Reason> {
        self.candidate.cloned().ok_or(Reason::Missing)
    }
}

/// A program's result, or the step that failed and why; and the fuel that it spent.
type Evaluation = (Result<Value, (Option<StepId>, Reason)>, u64);

/// Runs a program alone, step by step.
fn run_alone(program: &Program, inputs: Inputs<'_>, limits: Limits) -> Evaluation {
    let mut machine = Machine::reference(limits);
    let live = program.live();
    let mut values: Vec<Option<Value>> = Vec::new();
    let lookup = |operand: Operand, values: &[Option<Value>]| match operand {
        Operand::Input => Ok(inputs.input.clone()),
        Operand::Demos => Ok(inputs.demos.clone()),
        Operand::Candidate => inputs.candidate(),
        Operand::Step(id) => Ok(values[id.0 as usize].clone().unwrap()),
        Operand::Constant(id) => Ok(id.value()),
        Operand::Literal(id) => Ok(program.literal(id).clone()),
        Operand::Primitive(id) => Ok(Value::Primitive(id)),
    };
    for (id, step) in program.step_ids() {
        if !live[id.0 as usize] {
            values.push(None);
            continue;
        }
        let args = program.step_args(step).iter().map(|&arg| lookup(arg, &values)).collect::<Result<Vec<_>, _>>();
        let value = args.and_then(|args| {
            let args: Vec<&Value> = args.iter().collect();
            match step.callee {
                Operand::Primitive(primitive) => machine.call_primitive(primitive, &args),
                function => machine.invoke(&lookup(function, &values)?, &args),
            }
        });
        match value {
            Ok(value) => values.push(Some(value)),
            Err(reason) => return (Err((Some(id), reason)), machine.fuel_spent()),
        }
    }
    (lookup(program.output(), &values).map_err(|reason| (None, reason)), machine.fuel_spent())
}

/// Runs a program as a card's list of calls says: each node once, its cost each time.
struct Walk<'a> {
    card: &'a Card,
    machine: Machine,
    inputs: Inputs<'a>,
    memo: Vec<Option<(Result<Value, Reason>, u64)>>,
}

impl Walk<'_> {
    fn run(&mut self, program: &CardProgram) -> Evaluation {
        let mut fuel = 0;
        for &(node, step) in &program.steps {
            if self.memo[node.0 as usize].is_none() {
                self.machine.refuel();
                let result = self.call(node);
                self.memo[node.0 as usize] = Some((result, self.machine.fuel_spent()));
            }
            let (result, cost) = self.memo[node.0 as usize].as_ref().unwrap();
            fuel += cost;
            if fuel > LIMITS.fuel || *result == Err(Reason::OutOfFuel) {
                return (Err((Some(step), Reason::OutOfFuel)), LIMITS.fuel);
            }
            if let Err(reason) = *result {
                return (Err((Some(step), reason)), fuel);
            }
        }
        (self.value(program.output).map_err(|reason| (None, reason)), fuel)
    }

    fn value(&self, id: NodeId) -> Result<Value, Reason> {
        match &self.card.node(id).unwrap().op {
            NodeOp::Input => Ok(self.inputs.input.clone()),
            NodeOp::Demos => Ok(self.inputs.demos.clone()),
            NodeOp::Candidate => self.inputs.candidate(),
            NodeOp::Constant(value) => Ok(value.clone()),
            _ => self.memo[id.0 as usize].clone().unwrap().0,
        }
    }

    fn call(&mut self, id: NodeId) -> Result<Value, Reason> {
        let op = &self.card.node(id).unwrap().op;
        let values = |args: &[NodeId]| args.iter().map(|&arg| self.value(arg)).collect::<Result<Vec<_>, _>>();
        match op {
            NodeOp::Call { primitive, args } => {
                let args = values(args)?;
                self.machine.call_primitive(*primitive, &args.iter().collect::<Vec<_>>())
            }
            NodeOp::CallValue { function, args } => {
                let args = values(args)?;
                let function = self.value(*function)?;
                self.machine.invoke(&function, &args.iter().collect::<Vec<_>>())
            }
            NodeOp::Equals { value, target } => Ok(Value::Bool(self.value(*value)? == self.value(*target)?)),
            _ => Err(Reason::Missing),
        }
    }
}

/// Compares all programs of a card with what they give alone.
fn compare(card: &Card, originals: &[(CardProgramId, &Program)], rng: &mut Random) {
    let input = Value::Grid(grid(rng, 8));
    let demos = tuple_of((0..rng.below(4)).map(|_| two_of(&Value::Grid(grid(rng, 8)), &Value::Grid(grid(rng, 8)))).collect());
    let candidate = (rng.below(3) > 0).then(|| Value::Grid(grid(rng, 8)));
    let inputs = Inputs { input: &input, demos: &demos, candidate: candidate.as_ref() };
    let mut walk = Walk { card, machine: Machine::reference(LIMITS), inputs, memo: vec![None; card.node_bound()] };
    let plenty = Limits { fuel: 10 * LIMITS.fuel, ..LIMITS };
    for &(id, original) in originals {
        let alone = run_alone(original, inputs, LIMITS);
        let merged = walk.run(card.program(id).unwrap());
        assert_eq!(alone, merged, "{}", print_program(original));
        let slice = card.slice(id).unwrap();
        let sliced = run_alone(&slice, inputs, plenty).0.ok();
        // A slice may meet another undefined call first, since functions are not made where they are resolved.
        if !matches!(alone.0, Err((_, Reason::OutOfFuel))) {
            assert_eq!(alone.0.ok(), sliced, "{}\n{}", print_program(original), print_program(&slice));
        }
    }
}

#[test]
fn programs_give_on_a_card_what_they_give_alone() {
    let mut generator = Generator::new();
    for round in 0..count(ROUNDS.0, ROUNDS.1) {
        let mut rng = Random::new(seed(round));
        let max_steps = [3, 8, 16, 40][rng.below(4)];
        let mut all: Vec<Program> = (0..20).map(|_| generator.program(&mut || rng.next_u64(), max_steps)).collect();
        for k in 0..all.len() {
            all.push(with_odd_operands(&all[k], 12, &mut rng));
        }
        let mut card = Card::new();
        let ids: Vec<_> = all.iter().map(|program| (card.add(program), program)).collect();
        check_invariants(&card);
        for _ in 0..3 {
            compare(&card, &ids, &mut rng);
        }
    }
}

#[test]
fn starter_programs_give_on_a_card_what_they_give_alone() {
    let all = programs(batt_starter::LIBRARY);
    let mut card = Card::new();
    let ids: Vec<_> = all.iter().map(|program| (card.add(program), program)).collect();
    for seed in 0..20 {
        compare(&card, &ids, &mut Random::new(seed));
    }
}

#[test]
fn slices_of_random_programs_are_read_back() {
    let mut rng = Random::new(7);
    let mut generator = Generator::new();
    let mut card = Card::new();
    for _ in 0..3000 {
        let id = card.add(&generator.program(&mut || rng.next_u64(), 20));
        let slice = card.slice(id).unwrap();
        assert_eq!(parse_file(&print_program(&slice)).programs, [slice]);
    }
    let read = Card::from_bytes(&card.to_bytes()).unwrap();
    assert_eq!(meaning(&card), meaning(&read));
    assert_eq!(card.stats(), read.stats());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// Whatever was added and removed before, a card has the nodes of the programs on it and no others.
    #[test]
    fn a_card_depends_only_on_what_is_on_it(seed: u64, choices in prop::collection::vec((any::<bool>(), any::<u16>()), 1..60)) {
        let mut rng = Random::new(seed);
        let mut generator = Generator::new();
        // Few and short programs, so that they share much; some start like others.
        let pool: Vec<Program> = (0..12).map(|k| {
            let mut rng = Random::new(seed ^ (k / 2));
            generator.program(&mut || rng.next_u64(), [12, 30][k as usize % 2])
        }).collect();
        let mut card = Card::new();
        let mut on_it: Vec<(CardProgramId, usize, CardProgram)> = Vec::new();
        for (add, choice) in choices {
            if add || on_it.is_empty() {
                let k = usize::from(choice) % pool.len();
                let id = card.add(&pool[k]);
                prop_assert!(on_it.iter().all(|(other, ..)| *other != id));
                on_it.push((id, k, card.program(id).unwrap().clone()));
            } else {
                let (id, ..) = on_it.swap_remove(usize::from(choice) % on_it.len());
                prop_assert!(card.remove(id));
            }
        }
        check_invariants(&card);
        for (id, _, program) in &on_it {
            prop_assert_eq!(card.program(*id).unwrap(), program);
        }
        let mut fresh = Card::new();
        for (_, k, _) in &on_it {
            fresh.add(&pool[*k]);
        }
        prop_assert_eq!(meaning(&card), meaning(&fresh));
        let stats = card.stats();
        prop_assert_eq!(&stats, &fresh.stats());
        let ids: Vec<_> = on_it.iter().map(|(id, k, _)| (*id, &pool[*k])).collect();
        compare(&card, &ids, &mut rng);
        prop_assert_eq!(Card::from_bytes(&card.to_bytes()).unwrap().stats(), stats);
        for (id, ..) in on_it {
            card.remove(id);
        }
        prop_assert!(card.is_empty());
    }
}
