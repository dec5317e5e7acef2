//! `batt eval`: one expression on one sample.

use std::io::Write;

use batt_core::{Grid, Task, Value};
use batt_data::render::{Panel, Row, TextStyle, patch_as_panel, to_text};
use batt_engine::{Inputs, Outcome};
use batt_profile::{One, RunFacts, Stage, Watch};
use batt_program::{Diagnostic, Operand, Program, print_literal};

use super::{Lines, Status, UsageError};
use crate::args::EvalArgs;
use crate::output::{Output, Tone, count, grouped, one_line};
use crate::tasks;
use crate::watch::tell;

/// Name of the expression in messages.
const PLACE: &str = "expression";
/// The most pictures that a container is shown as.
const MOST_PICTURES: usize = 64;
/// How much of a call a message repeats.
const LONGEST_CALL: usize = 60;
/// How wide several pictures side by side may be where there is no terminal.
const PIPE_WIDTH: usize = 120;

/// Evaluates an expression and shows its value.
pub(super) fn eval(args: &EvalArgs, out: &mut Output) -> anyhow::Result<Status> {
    let mut watch = Watch::begin(args.watch.asked().is_asked());
    let program = match watch.step(Stage::ParsePrograms, || batt_program::parse_expression(&args.expr)) {
        Ok(program) => program,
        Err(error) => anyhow::bail!(Lines(in_place(&error, &args.expr))),
    };
    // A part of a program says little about the whole.
    let program = if args.cells.cells.is_some() { program.read_as(args.cells.reading()) } else { program };
    let Sample { input, demos, task } = watch.step(Stage::LoadTasks, || sample(args, &program, out))?;
    let inputs = Inputs { input: &input, demos: &demos, candidate: None };
    let one = One { name: PLACE, of: task.as_ref().map(|task| (task, args.sample)) };
    let outcome = watch.run_one(&program, inputs, (args.limits.limits(), args.limits.on_undefined()), one).outcome;
    let said = watch.step(Stage::WriteResults, || say(outcome, &program, args, out));
    let one = u64::from(task.is_some());
    let source = task.map(|task| task.id).unwrap_or_default();
    let about = RunFacts { source, library: PLACE.to_owned(), tasks: one, samples: one, programs: 1, ..RunFacts::default() };
    tell(watch, args.watch.asked(), about, false, out)?;
    said
}

/// Shows the value of an expression; an error if it has none.
fn say(outcome: Outcome, program: &Program, args: &EvalArgs, out: &mut Output) -> anyhow::Result<Status> {
    match outcome {
        Outcome::Value(value) => show(&value, args.python, out).map(|()| Status::Good),
        Outcome::Undefined { step, reason } => {
            let span = step.map_or(program.output_span(), |step| program.span(step));
            let call = one_line(span.text(&args.expr).unwrap_or(&args.expr), LONGEST_CALL);
            let problem = Diagnostic::new(span, format!("undefined: `{call}`: {reason}"));
            anyhow::bail!(Lines(in_place(&problem, &args.expr)))
        }
        Outcome::OutOfFuel => anyhow::bail!("undefined: out of fuel, after {}", count(args.limits.limits().fuel, "unit")),
    }
}

/// Values of `I` and `S`, and their task.
struct Sample {
    input: Value,
    demos: Value,
    task: Option<Task>,
}

fn sample(args: &EvalArgs, program: &Program, out: &mut Output) -> anyhow::Result<Sample> {
    if args.tasks.is_empty() {
        return match task_operand(program) {
            Some(name) => anyhow::bail!("the expression uses {name}, which comes from a task: name one with --task ID"),
            None => Ok(Sample { input: Value::empty_tuple(), demos: Value::empty_tuple(), task: None }),
        };
    }
    let mut tasks = tasks::find(&args.tasks, out)?;
    if tasks.len() > 1 {
        let message = format!("one task is needed, but {} were given: name one with --task ID, or -n 1", grouped(tasks.len() as u64));
        return Err(UsageError(message).into());
    }
    let Some(task) = tasks.pop() else { anyhow::bail!("there is no task") };
    let Some(input) = task.input(args.sample) else {
        anyhow::bail!(
            "the task {} has no sample {}: it has {}, counted from 0 ({}, then {})",
            one_line(&task.id, LONGEST_CALL),
            args.sample,
            count(task.samples(), "sample"),
            count(task.demos.len(), "demo"),
            count(task.tests.len(), "test")
        );
    };
    Ok(Sample { input: Value::Grid(input.clone()), demos: Inputs::demos_of(&task.demos), task: Some(task) })
}

fn in_place(error: &Diagnostic, expression: &str) -> String {
    error.render(PLACE, expression).trim_end().to_owned()
}

/// The name of a parameter that the program uses, if it uses one.
fn task_operand(program: &Program) -> Option<&'static str> {
    let name = |operand: &Operand| match operand {
        Operand::Input => Some("I"),
        Operand::Demos => Some("S"),
        Operand::Candidate => Some("C"),
        _ => None,
    };
    let of_steps = program.steps().iter().flat_map(|step| program.step_args(step).iter().chain([&step.callee]));
    of_steps.chain([&program.output()]).find_map(name)
}

fn show(value: &Value, as_python: bool, out: &mut Output) -> anyhow::Result<()> {
    let pictures = if as_python { None } else { pictures(value) };
    let Some(panels) = pictures else {
        writeln!(out, "{}", print_literal(value))?;
        return Ok(());
    };
    if let (Some(items), [_, _, ..]) = (value.count(), &panels[..]) {
        let kind = if value.is_set() { "set" } else { "tuple" };
        writeln!(out, "{}", out.paint(Tone::Strong, format_args!("a {kind} of {items}")))?;
    }
    // One picture is never cut in a pipe; several go on below.
    let width = out.look.width.or((panels.len() > 1).then_some(PIPE_WIDTH));
    let style = TextStyle { colour: out.look.colour, width };
    let text = to_text(&[Row::plain(panels)], style);
    out.picture(text.trim_end_matches('\n'))?;
    writeln!(out)?;
    Ok(())
}

/// A grid or patch, or a few of either, as pictures; `None` for what is better told in words.
fn pictures(value: &Value) -> Option<Vec<Panel>> {
    if let Some(panel) = picture(value) {
        return Some(vec![panel]);
    }
    let (Value::Tuple(items, _) | Value::Set(items, _)) = value else { return None };
    if items.is_empty() || items.len() > MOST_PICTURES { None } else { items.iter().map(picture).collect() }
}

fn picture(value: &Value) -> Option<Panel> {
    match value {
        Value::Grid(grid) if is_drawable(grid) => Some(Panel::grid("grid", grid)),
        Value::Object(_) => patch_as_panel("object", value),
        Value::Indices(_) => patch_as_panel("indices", value),
        _ => None,
    }
}

/// Whether nothing of a picture would be cut.
fn is_drawable(grid: &Grid) -> bool {
    let most = batt_data::render::Canvas::MAX_SIDE;
    grid.height() <= most && grid.width() <= most
}
