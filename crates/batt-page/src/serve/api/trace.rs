//! A program as it is typed: what is wrong with its text, and what its lines give on a sample.

use std::sync::Arc;

use crate::report::{StepShown, output_shown, short_hash, steps_shown};
use axum::extract::State;
use axum::response::Response;
use batt_core::{Grid, Task, Value};
use batt_engine::{Inputs, OnUndefined, ReferenceExecutor, Trace, run_alone};
use batt_program::{Diagnostic, Program, StepId, check_in, parse_file};
use serde::{Deserialize, Serialize};

use super::{Body, Failure, SentGrid, answered, checked_text};
use crate::serve::Workbench;

/// Remark on a line that the output does not depend on.
const NOT_USED: &str = "not used";
/// The most such lines that are run.
const MOST_UNUSED: usize = 24;

/// A program and where it is looked at.
#[derive(Deserialize)]
pub(super) struct Typed {
    text: String,
    task: String,
    #[serde(default)]
    sample: usize,
    /// Takes the place of the input of the sample.
    input: Option<SentGrid>,
}

/// Findings and values of a text.
#[derive(Serialize)]
struct Seen {
    findings: Vec<Finding>,
    /// Nothing where the text has no program.
    #[serde(flatten)]
    program: Option<SeenProgram>,
}

#[derive(Serialize)]
struct SeenProgram {
    name: String,
    hash: String,
    lines: Vec<Line>,
    /// Its output on each sample, as in a report.
    outputs: Vec<String>,
    right: usize,
    size: usize,
    fuel: u64,
    cut: bool,
}

/// Value of the last call of a line of text.
#[derive(Serialize)]
struct Line {
    line: u32,
    #[serde(flatten)]
    shown: StepShown,
}

/// Mistake in a text; columns count characters from 1.
#[derive(Serialize)]
struct Finding {
    line: u32,
    column: u32,
    length: usize,
    message: String,
    help: Option<String>,
    is_error: bool,
}

/// Checks a text, and runs its program.
pub(super) async fn trace(State(workbench): State<Arc<Workbench>>, Body(typed): Body<Typed>) -> Result<Response, Failure> {
    answered(move || {
        let text = checked_text(&typed.text)?;
        let (_, task) = workbench.task(&typed.task).ok_or_else(|| Failure::not_found("task"))?;
        let (findings, program) = checked(text);
        let Some(program) = program else { return Ok(Seen { findings, program: None }) };
        let input = input_of(task, typed.sample, typed.input.as_ref())?;
        let mut seen = seen(&workbench, task, &program, &input);
        add_unused(&workbench, task, text, &input, &mut seen.lines);
        Ok(Seen { findings, program: Some(seen) })
    })
    .await
}

fn seen(workbench: &Workbench, task: &Task, program: &Program, input: &Value) -> SeenProgram {
    let limits = workbench.inputs.limits;
    let demos = Inputs::demos_of(&task.demos);
    let traced = traced(workbench, task, program, input);
    let mut cut = false;
    let steps = steps_shown(program, &traced, &mut cut);
    let inputs: Vec<Value> = (0..task.samples()).filter_map(|sample| task.input(sample).cloned().map(Value::Grid)).collect();
    let samples: Vec<Inputs<'_>> = inputs.iter().map(|input| Inputs { input, demos: &demos, candidate: None }).collect();
    let evaluations = run_alone(program, &samples, limits, OnUndefined::Propagate);
    let outputs: Vec<String> =
        evaluations.iter().enumerate().map(|(sample, one)| output_shown(&one.outcome, expected(task, sample))).collect();
    SeenProgram {
        name: program.name().to_owned(),
        hash: short_hash(program),
        lines: by_line(program, steps),
        right: outputs.iter().take(task.demos.len()).filter(|output| *output == "=").count(),
        size: program.live().into_iter().filter(|&live| live).count(),
        fuel: evaluations.iter().take(task.demos.len()).map(|one| one.fuel).sum(),
        outputs,
        cut,
    }
}

/// Lines that the output does not depend on are not run with the program. Whoever types one wants to see its value before it is used.
fn add_unused(workbench: &Workbench, task: &Task, text: &str, input: &Value, lines: &mut [Line]) {
    for line in lines.iter_mut().filter(|line| line.shown.words == NOT_USED).take(MOST_UNUSED) {
        let Some(program) = before_error(text, line.line + 1) else { continue };
        let trace = traced(workbench, task, &program, input);
        if let Some(shown) = steps_shown(&program, &trace, &mut false).pop() {
            line.shown = StepShown { words: format!("{} ({NOT_USED})", shown.words), ..shown };
        }
    }
}

/// The findings of a text, and its last program.
fn checked(text: &str) -> (Vec<Finding>, Option<Program>) {
    let mut parsed = parse_file(text);
    let finding = |one: Diagnostic, is_error| Finding {
        line: one.span.line,
        column: one.span.column,
        length: one.span.text(text).map_or(1, |marked| marked.chars().take_while(|&c| c != '\n').count().max(1)),
        message: one.message,
        help: one.help,
        is_error,
    };
    let mut findings: Vec<Finding> = parsed.errors.into_iter().map(|error| finding(error, true)).collect();
    for program in &parsed.programs {
        let typing = check_in(program, text);
        findings.extend(typing.errors.into_iter().map(|error| finding(error, true)));
        findings.extend(typing.warnings.into_iter().map(|warning| finding(warning, false)));
    }
    findings.sort_by_key(|one| (one.line, one.column));
    let program = parsed.programs.pop().or_else(|| before_error(text, findings.first()?.line));
    (findings, program)
}

/// The program up to the line before an error, so that typing a line does not hide the values of the others.
fn before_error(text: &str, line: u32) -> Option<Program> {
    let good: Vec<&str> = text.lines().take((line as usize).saturating_sub(1)).collect();
    let name = good.iter().rev().find_map(|line| line.split_once('=').map(|(name, _)| name.trim()))?;
    parse_file(&format!("{}\n    return {name}\n", good.join("\n"))).programs.pop()
}

fn input_of(task: &Task, sample: usize, sent: Option<&SentGrid>) -> Result<Value, Failure> {
    let grid = match sent {
        Some(sent) => sent.grid()?,
        None => task.input(sample).cloned().ok_or_else(|| Failure::not_found("sample"))?,
    };
    Ok(Value::Grid(grid))
}

/// The output of a sample, to be compared with what is shown.
fn expected(task: &Task, sample: usize) -> Option<&Grid> {
    match task.demos.get(sample) {
        Some(pair) => Some(&pair.output),
        None => task.tests.get(sample - task.demos.len()).and_then(|test| test.output.as_ref()),
    }
}

fn traced(workbench: &Workbench, task: &Task, program: &Program, input: &Value) -> Trace {
    let demos = Inputs::demos_of(&task.demos);
    ReferenceExecutor::new(workbench.inputs.limits).trace(program, Inputs { input, demos: &demos, candidate: None })
}

/// The last call of each line: calls within it come first.
fn by_line(program: &Program, steps: Vec<StepShown>) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::with_capacity(steps.len());
    for (k, shown) in steps.into_iter().enumerate() {
        let line = program.span(StepId(k as u32)).line;
        match lines.last_mut().filter(|last| last.line == line) {
            // What failed within a line is why the line has no value.
            Some(last) if last.shown.failed => {}
            Some(last) => last.shown = shown,
            None => lines.push(Line { line, shown }),
        }
    }
    lines
}

/// Two programs on a sample.
#[derive(Deserialize)]
pub(super) struct Two {
    text: String,
    other: String,
    task: String,
    #[serde(default)]
    sample: usize,
}

/// The first line of each program whose value the other has nowhere.
#[derive(Serialize)]
struct Differing {
    /// The line of the program.
    line: Option<u32>,
    /// The line of the other, and its value.
    other_line: Option<u32>,
    other: Option<StepShown>,
    other_text: String,
}

/// Where two programs part.
pub(super) async fn compare(State(workbench): State<Arc<Workbench>>, Body(two): Body<Two>) -> Result<Response, Failure> {
    answered(move || {
        let (_, task) = workbench.task(&two.task).ok_or_else(|| Failure::not_found("task"))?;
        let input = input_of(task, two.sample, None)?;
        let read = |text: &str| parse_file(checked_text(text)?).programs.pop().map_or_else(|| Err(Failure::bad("there is no program")), Ok);
        let (one, other) = (read(&two.text)?, read(&two.other)?);
        let traces = [&one, &other].map(|program| traced(&workbench, task, program, &input));
        let line = first_of_its_own(&traces[0], &traces[1]).map(|step| one.span(StepId(step as u32)).line);
        let other_step = first_of_its_own(&traces[1], &traces[0]);
        let other_line = other_step.map(|step| other.span(StepId(step as u32)).line);
        let mut steps = steps_shown(&other, &traces[1], &mut false);
        let shown = other_step.map(|step| steps.swap_remove(step));
        let other_text = other_line.and_then(|line| two.other.lines().nth(line as usize - 1)).unwrap_or_default().trim().to_owned();
        Ok(Differing { line, other_line, other: shown, other_text })
    })
    .await
}

/// The first step whose value, or lack of one, the other program has nowhere.
fn first_of_its_own(trace: &Trace, other: &Trace) -> Option<usize> {
    let failed = trace.values.iter().position(Option::is_none).filter(|_| trace.evaluation.outcome.value().is_none());
    let own = |value: &Option<Value>| value.as_ref().is_some_and(|value| !other.values.iter().flatten().any(|known| known == value));
    let first = trace.values.iter().position(own);
    match (first, failed.filter(|_| other.evaluation.outcome.value().is_some())) {
        (Some(first), Some(failed)) => Some(first.min(failed)),
        (first, failed) => first.or(failed),
    }
}
