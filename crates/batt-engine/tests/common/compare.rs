//! Running a program on both executors and comparing what they say.

use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

use batt_core::{Value, tuple_of};
use batt_dsl::primitive;
use batt_engine::{Evaluation, Executor, FastExecutor, Limits, Outcome, ReferenceExecutor};
use batt_program::{Operand, Program, print_program};

use super::draft::Draft;
use super::inputs::Sample;

/// Both executors with the same limits. They are used for many programs, so that what one leaves behind would show.
pub struct Both {
    limits: Limits,
    reference: ReferenceExecutor,
    fast: FastExecutor,
    expected: Vec<Evaluation>,
    found: Vec<Evaluation>,
}

impl Both {
    pub fn new(limits: Limits) -> Self {
        let (reference, fast) = (ReferenceExecutor::new(limits), FastExecutor::new(limits));
        Self { limits, reference, fast, expected: Vec::new(), found: Vec::new() }
    }

    /// Runs a program on both. What the reference gave for each sample, or what is wrong.
    pub fn run(&mut self, program: &Program, samples: &[&Sample]) -> Result<&[Evaluation], Difference> {
        match self.try_run(program, samples) {
            Ok(()) => Ok(&self.expected),
            Err(first) => Err(self.report(program, samples, &first)),
        }
    }

    fn try_run(&mut self, program: &Program, samples: &[&Sample]) -> Result<(), String> {
        let Self { limits, reference, fast, expected, found } = self;
        run_all(reference, program, samples, expected).map_err(|()| "the reference executor panicked")?;
        run_all(fast, program, samples, found).map_err(|()| "the fast executor panicked")?;
        for (k, (a, b)) in expected.iter().zip(found.iter()).enumerate() {
            if !agree(a, b) {
                return Err(format!("on sample {k}\nreference: {}\nfast:      {}", show(a), show(b)));
            }
            for evaluation in [a, b] {
                if let Outcome::Value(value) = &evaluation.outcome {
                    check_form(value, &mut 2_000).map_err(|wrong| format!("on sample {k}: {wrong}\n{}", show(evaluation)))?;
                    check_limits(value, limits, samples[k]).map_err(|wrong| format!("on sample {k}: {wrong}\n{}", show(evaluation)))?;
                }
                if evaluation.fuel > limits.fuel {
                    return Err(format!("on sample {k}: more fuel spent than there is\n{}", show(evaluation)));
                }
            }
        }
        Ok(())
    }

    /// Looks for the smallest program that differs on fresh executors.
    fn report(&self, program: &Program, samples: &[&Sample], first: &str) -> Difference {
        let fails_on = |program: &Program, samples: &[&Sample]| Self::new(self.limits).try_run(program, samples).err();
        let mut text = format!("{first}\n{}limits: {:?}\n", print_program(program), self.limits);
        let alone = samples.iter().find(|sample| fails_on(program, &[sample]).is_some());
        let shown: Vec<&Sample> = alone.map_or_else(|| samples.to_vec(), |&sample| vec![sample]);
        if fails_on(program, &shown).is_none() {
            text.push_str("This happens only on executors that have run other programs before.\n");
            return Difference { calls: vec!["state"], text };
        }
        let small = Draft::of(program).shrink(|smaller| fails_on(smaller, &shown).is_some());
        let mut calls = Vec::new();
        if let Some(small) = small.build() {
            calls.extend(small.steps().iter().map(|step| match step.callee {
                Operand::Primitive(id) => primitive(id).name,
                _ => "a function",
            }));
            let wrong = fails_on(&small, &shown).unwrap_or_default();
            // Writing to a string cannot fail.
            let _ = write!(text, "\nthe smallest like it:\n{}{wrong}\n", print_program(&small));
        }
        for sample in shown {
            let _ = writeln!(text, "I = {:?}\nS = {:?}\nC = {:?}", sample.input, sample.demos, sample.candidate);
        }
        Difference { calls, text }
    }
}

/// Where the executors differ.
#[derive(Debug)]
pub struct Difference {
    /// The calls of the smallest program that was found: much the same for much the same cause.
    pub calls: Vec<&'static str>,
    /// A message to act on.
    pub text: String,
}

fn run_all(executor: &mut impl Executor, program: &Program, samples: &[&Sample], evaluations: &mut Vec<Evaluation>) -> Result<(), ()> {
    evaluations.clear();
    let run = AssertUnwindSafe(|| {
        executor.load(program);
        evaluations.extend(samples.iter().map(|sample| executor.run(sample.inputs())));
    });
    catch_unwind(run).map_err(|_| ())
}

fn show(evaluation: &Evaluation) -> String {
    let mut text = Shown(String::new());
    if write!(text, "{:?}", evaluation.outcome).is_err() {
        text.0.push_str(" ...");
    }
    format!("{}, fuel {}", text.0, evaluation.fuel)
}

/// The beginning of a text: a value that shares its parts can be endless when written out.
struct Shown(String);

impl std::fmt::Write for Shown {
    fn write_str(&mut self, part: &str) -> std::fmt::Result {
        self.0.push_str(part);
        if self.0.len() > 3000 { Err(std::fmt::Error) } else { Ok(()) }
    }
}

/// Whether two evaluations are the same in everything but the reason of undefined.
pub fn agree(a: &Evaluation, b: &Evaluation) -> bool {
    let outcomes = match (&a.outcome, &b.outcome) {
        (Outcome::Value(a), Outcome::Value(b)) => same(a, b),
        (Outcome::Undefined { step: a, .. }, Outcome::Undefined { step: b, .. }) => a == b,
        (Outcome::OutOfFuel, Outcome::OutOfFuel) => true,
        _ => false,
    };
    outcomes && a.fuel == b.fuel
}

/// Equality that tells booleans from integers. Of values that share their parts so often that they have no end, a beginning is compared.
pub fn same(a: &Value, b: &Value) -> bool {
    same_within(a, b, &mut 100_000)
}

fn same_within(a: &Value, b: &Value, budget: &mut u32) -> bool {
    if *budget == 0 {
        return true;
    }
    *budget -= 1;
    let mut all = |a: &[Value], b: &[Value]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_within(a, b, budget));
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Bool(_), _) | (_, Value::Bool(_)) => false,
        (Value::Tuple(a, _), Value::Tuple(b, _)) | (Value::Set(a, _), Value::Set(b, _)) => all(a, b),
        (Value::Closure(a), Value::Closure(b)) => a.maker() == b.maker() && a.arity() == b.arity() && all(a.parts(), b.parts()),
        _ => a == b,
    }
}

/// Every value has one form: making it anew from its items gives the same form.
fn check_form(value: &Value, budget: &mut u32) -> Result<(), String> {
    let Some(items) = value.items() else { return Ok(()) };
    if *budget == 0 {
        return Ok(());
    }
    *budget -= 1;
    let items: Vec<Value> = items.map(batt_core::ItemRef::into_value).collect();
    // The items of compact forms are numbers, pairs and cells.
    if matches!(value, Value::Tuple(..) | Value::Set(..)) {
        items.iter().try_for_each(|item| check_form(item, budget))?;
    }
    if *budget == 0 {
        return Ok(());
    }
    let again = if value.is_tuple() { tuple_of(items) } else { Value::set_of(items) };
    if std::mem::discriminant(&again) == std::mem::discriminant(value) && same(&again, value) && again.depth() == value.depth() {
        Ok(())
    } else {
        Err("the value is not in the form that a value made from its items has".to_owned())
    }
}

/// A value that was made is within the limits. One that was given may be larger.
fn check_limits(value: &Value, limits: &Limits, sample: &Sample) -> Result<(), String> {
    let given = std::iter::once(&sample.input).chain([&sample.demos]).chain(&sample.candidate);
    if given.into_iter().any(|given| holds(given, value)) {
        return Ok(());
    }
    if value.depth() > Value::MAX_DEPTH && !value.is_function() {
        return Err(format!("the value is nested {} deep", value.depth()));
    }
    let (what, size, limit) = match value {
        Value::Grid(grid) => ("grid", grid.area() as u64, limits.grid_area),
        _ if value.is_set() => ("set", value.count().unwrap_or(0) as u64, limits.set_len),
        Value::Tuple(..) => ("tuple", value.count().unwrap_or(0) as u64, limits.tuple_len),
        _ => return Ok(()),
    };
    // The smallest limits are below what a pair or a few neighbours take.
    if size > limit.max(16) { Err(format!("a {what} of {size}, and {limit} is the most")) } else { Ok(()) }
}

fn holds(whole: &Value, part: &Value) -> bool {
    whole == part || (matches!(whole, Value::Tuple(..)) && whole.items().into_iter().flatten().any(|item| holds(&item, part)))
}
