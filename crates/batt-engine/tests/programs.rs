//! Runs the program files beside this test on every executor.
//!
//! A file is a program, then what it is run on and what must come of it:
//!
//! ```text
//! # What is shown.
//! def solve(I):
//!     O = vmirror(I)
//!     return O
//! ---
//! I = ((1, 2),)
//! gives ((2, 1),)
//! ```
//!
//! Below the line `---`: `I`, `S` and `C` are set with an expression each and stay until they are set again; `fuel` is set with a number;
//! `gives EXPRESSION`, `undefined` (or `undefined at STEP`, from 1) and `out of fuel` run the program. Where the first word is `error`,
//! the text must not parse, and the rest of that line is part of the message.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod common;

use std::path::{Path, PathBuf};

use batt_core::Value;
use batt_engine::{Executor, FastExecutor, Limits, Outcome, ReferenceExecutor};
use batt_program::{Program, StepId, parse_expression, parse_file, print_program};
use common::compare::same;
use common::inputs::Sample;

#[test]
fn program_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program_files");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(paths.len() >= 20, "the program files are there");
    let mut wrong = Vec::new();
    for path in &paths {
        let name = path.file_name().unwrap().to_string_lossy();
        let text = std::fs::read_to_string(path).unwrap();
        if let Err(message) = run_file(&text) {
            wrong.push(format!("{name}: {message}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What the lines below the program have set so far.
struct State {
    sample: Sample,
    limits: Limits,
}

fn run_file(text: &str) -> Result<(), String> {
    let (source, directives) = text.split_once("\n---\n").ok_or("no line `---`")?;
    let parsed = parse_file(source);
    let mut state =
        State { sample: Sample { input: expression("((0,),)")?, demos: Value::empty_tuple(), candidate: None }, limits: Limits::default() };
    let mut runs = 0;
    for (k, line) in directives.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        runs += usize::from(
            directive(line, &parsed.programs, &parsed.errors, &mut state).map_err(|wrong| format!("line {} below ---: {wrong}", k + 1))?,
        );
    }
    if runs == 0 { Err("nothing is checked".to_owned()) } else { Ok(()) }
}

/// Follows one line; whether it checks something.
fn directive(line: &str, programs: &[Program], errors: &[batt_program::Diagnostic], state: &mut State) -> Result<bool, String> {
    if let Some((name, set)) = line.split_once(" = ") {
        match name {
            "I" => state.sample.input = expression(set)?,
            "S" => state.sample.demos = expression(set)?,
            "C" if set == "none" => state.sample.candidate = None,
            "C" => state.sample.candidate = Some(expression(set)?),
            "fuel" => state.limits.fuel = set.parse().map_err(|_| format!("{set} is no number"))?,
            _ => return Err(format!("{name} cannot be set")),
        }
        return Ok(false);
    }
    if let Some(message) = line.strip_prefix("error ") {
        let found = errors.iter().any(|error| error.message.contains(message));
        return if found { Ok(true) } else { Err(format!("no error says so: {errors:?}")) };
    }
    let [program] = programs else { return Err(format!("{} programs, errors: {errors:?}", programs.len())) };
    let executors: [(&str, Box<dyn Executor>); 2] =
        [("reference", Box::new(ReferenceExecutor::new(state.limits))), ("fast", Box::new(FastExecutor::new(state.limits)))];
    for (name, mut executor) in executors {
        let outcome = executor.run_one(program, state.sample.inputs()).outcome;
        let step = |id: StepId| id.0 as usize + 1;
        let good = match (line, &outcome) {
            ("undefined", Outcome::Undefined { .. }) | ("out of fuel", Outcome::OutOfFuel) => true,
            (_, Outcome::Undefined { step: Some(id), .. }) => {
                line.strip_prefix("undefined at ").is_some_and(|told| told == step(*id).to_string())
            }
            (_, Outcome::Value(value)) => match line.strip_prefix("gives ") {
                Some(told) => same(value, &expression(told)?),
                None => false,
            },
            _ => false,
        };
        if !good {
            return Err(format!("`{line}`, but the {name} executor says {outcome:?}\n{}", print_program(program)));
        }
    }
    Ok(true)
}

/// The value of an expression without inputs.
fn expression(text: &str) -> Result<Value, String> {
    let program = parse_expression(text).map_err(|error| error.render("expression", text))?;
    let none = Value::empty_tuple();
    let sample = Sample { input: none.clone(), demos: none, candidate: None };
    match ReferenceExecutor::new(Limits::default()).run_one(&program, sample.inputs()).outcome {
        Outcome::Value(value) => Ok(value),
        other => panic!("{text} is {other:?}"),
    }
}
