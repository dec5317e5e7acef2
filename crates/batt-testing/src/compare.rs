//! Running programs on executors and comparing what they say.

use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

use batt_core::{Value, tuple_of};
use batt_dsl::primitive;
use batt_engine::{Evaluation, Executor, Inputs, Limits, OrderMark, Outcome, RunEnd};
use batt_program::{Operand, Program, print_program};

use crate::draft::Draft;
use crate::executors::Contender;
use crate::inputs::Sample;

/// Executors with the same limits, compared with the first. They are used for many programs, so that what one leaves behind would show.
pub struct Comparison {
    limits: Limits,
    executors: Vec<(Contender, Box<dyn Executor>)>,
    expected: Vec<Evaluation>,
    /// Runs that devices were asked for.
    pub emulated: u64,
    /// Runs that they refused.
    pub refused: u64,
}

impl Comparison {
    /// These executors, of which the first is right.
    pub fn new(limits: Limits, contenders: &[Contender]) -> Self {
        let executors = contenders.iter().map(|&contender| (contender, (contender.make)(limits))).collect();
        Self { limits, executors, expected: Vec::new(), emulated: 0, refused: 0 }
    }

    /// Runs a program. What the first executor gave for each sample, or what is wrong.
    pub fn run(&mut self, program: &Program, samples: &[&Sample]) -> Result<&[Evaluation], Difference> {
        self.run_all(&[program], samples)
    }

    /// Runs programs together. What the first executor gave, program by program, for each sample, or what is wrong.
    pub fn run_all(&mut self, programs: &[&Program], samples: &[&Sample]) -> Result<&[Evaluation], Difference> {
        match self.try_run(programs, samples) {
            Ok(()) => Ok(&self.expected),
            Err(first) => Err(self.report(programs, samples, &first)),
        }
    }

    fn try_run(&mut self, programs: &[&Program], samples: &[&Sample]) -> Result<(), String> {
        let Self { limits, executors, expected, emulated, refused } = self;
        let inputs: Vec<Inputs<'_>> = samples.iter().map(|sample| sample.inputs()).collect();
        let sample = |k: usize| samples[k % samples.len()];
        for (number, (Contender { name, is_device, .. }, executor)) in executors.iter_mut().enumerate() {
            let run = AssertUnwindSafe(|| executor.run_all(programs, &inputs));
            let ran = catch_unwind(run).map_err(|_| format!("the {name} executor panicked"))?;
            let ran = ran.map_err(|error| format!("the {name} executor failed: {error}"))?;
            if ran.len() != programs.len() * samples.len() {
                return Err(format!("the {name} executor gave {} evaluations", ran.len()));
            }
            if number == 0 {
                *expected = ran.into_iter().map(|ran| ran.done_within(*limits)).collect();
                for (k, evaluation) in expected.iter().enumerate() {
                    check(evaluation, limits, sample(k)).map_err(|wrong| format!("{wrong}\n{}", show(evaluation)))?;
                }
                continue;
            }
            *emulated += if *is_device { ran.len() as u64 } else { 0 };
            for (k, (expected, ran)) in expected.iter().zip(&ran).enumerate() {
                let found = match ran {
                    RunEnd::Done(found) => found,
                    RunEnd::Deferred if *is_device => {
                        *refused += 1;
                        continue;
                    }
                    RunEnd::Deferred => return Err(format!("the {name} executor refused a program")),
                };
                // A device does not note the order of sets.
                let same_order = expected.order == found.order || (*is_device && found.order == OrderMark::Unsure);
                if !agree(expected, found) || !same_order {
                    return Err(format!("reference: {}\n{name}: {}", show(expected), show(found)));
                }
                check(found, limits, sample(k)).map_err(|wrong| format!("{name}: {wrong}\n{}", show(found)))?;
            }
        }
        Ok(())
    }

    /// Looks for the smallest program that differs on fresh executors.
    fn report(&self, programs: &[&Program], samples: &[&Sample], first: &str) -> Difference {
        let contenders: Vec<Contender> = self.executors.iter().map(|(contender, _)| *contender).collect();
        let fails_on = |programs: &[&Program], samples: &[&Sample]| Self::new(self.limits, &contenders).try_run(programs, samples).err();
        let mut text = format!("{first}\nlimits: {:?}\n", self.limits);
        let alone = programs.iter().find_map(|&program| {
            let sample = samples.iter().find(|&&sample| fails_on(&[program], &[sample]).is_some())?;
            Some((program, *sample))
        });
        let Some((program, sample)) = alone else {
            let when = if fails_on(programs, samples).is_some() { "together" } else { "on executors that have run other programs before" };
            let _ = writeln!(text, "This happens only {when}.");
            for program in programs {
                text.push_str(&print_program(program));
            }
            return Difference { calls: vec!["state"], text };
        };
        text.push_str(&print_program(program));
        let small = Draft::of(program).shrink(|smaller| fails_on(&[smaller], &[sample]).is_some());
        let mut calls = Vec::new();
        if let Some(small) = small.build() {
            calls.extend(small.steps().iter().map(|step| match step.callee {
                Operand::Primitive(id) => primitive(id).name,
                _ => "a function",
            }));
            let wrong = fails_on(&[&small], &[sample]).unwrap_or_default();
            // Writing to a string cannot fail.
            let _ = write!(text, "\nthe smallest like it:\n{}{wrong}\n", print_program(&small));
        }
        let _ = writeln!(text, "I = {:?}\nS = {:?}\nC = {:?}", sample.input, sample.demos, sample.candidate);
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

/// A value has its form and is within the limits, and so is the fuel.
fn check(evaluation: &Evaluation, limits: &Limits, sample: &Sample) -> Result<(), String> {
    if let Outcome::Value(value) = &evaluation.outcome {
        check_form(value, &mut 2_000)?;
        check_limits(value, limits, sample)?;
    }
    if evaluation.fuel > limits.fuel { Err("more fuel spent than there is".to_owned()) } else { Ok(()) }
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

/// Whether two evaluations are the same in everything but the reason of undefined, and the order mark.
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
