//! Runs the files of `tests/program_files` on the executors that they name.
//!
//! A file says where it runs, then has a program, what that is run on and what must come of it:
//!
//! ```text
//! run: reference card emulator
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
//! the text must not parse, and the rest of that line is part of the message; such files say `run: parser`.
//!
//! A file that the emulator runs names it. How many do not is a number below, which may only be lowered.

use std::path::{Path, PathBuf};

use batt_core::Value;
use batt_engine::{Evaluation, Limits, Outcome, ReferenceExecutor, RunEnd};
use batt_program::{Diagnostic, Program, StepId, parse_expression, parse_file, print_program};
use batt_testing::compare::same;
use batt_testing::inputs::Sample;

use crate::bodies::ALL;

/// Files with a program that the emulator refuses.
const NOT_EMULATED: u64 = 9;

#[test]
fn program_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program_files");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(paths.len() >= 20, "the program files are there");
    let mut wrong = Vec::new();
    let mut not_emulated = 0;
    for path in &paths {
        let name = path.file_name().unwrap().to_string_lossy();
        let text = std::fs::read_to_string(path).unwrap();
        match run_file(&text) {
            Ok(emulated) => not_emulated += u64::from(!emulated),
            Err(message) => wrong.push(format!("{name}: {message}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    super::assert_refused(not_emulated, NOT_EMULATED, "files");
}

/// Settings made so far by the lines below the program.
struct State {
    /// The executors that the file names.
    executors: Vec<String>,
    sample: Sample,
    limits: Limits,
    /// Whether the emulator has refused a run.
    refused: bool,
}

/// Runs a file. Whether nothing of it is left out on the emulator.
fn run_file(text: &str) -> Result<bool, String> {
    let (head, rest) = text.split_once('\n').ok_or("an empty file")?;
    let executors: Vec<String> =
        head.strip_prefix("run: ").ok_or("the first line is not `run: ..`")?.split(' ').map(str::to_owned).collect();
    let (source, directives) = rest.split_once("\n---\n").ok_or("no line `---`")?;
    let parsed = parse_file(source);
    let is_parsed = executors != ["parser"];
    let known = |name: &&str| executors.iter().any(|executor| executor == name);
    if is_parsed
        && (executors.len() != ALL.iter().filter(|contender| known(&contender.name)).count() || !known(&"reference") || !known(&"card"))
    {
        let names = ALL.map(|contender| contender.name);
        return Err(format!("`{head}`: the executors are {names:?}, and no file leaves out the first two"));
    }
    let sample = Sample { input: expression("((0,),)")?, demos: Value::empty_tuple(), candidate: None };
    let mut state = State { executors, sample, limits: Limits::default(), refused: false };
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
    let is_named = state.executors.iter().any(|name| name == "emulator");
    match (runs, is_parsed, is_named, state.refused) {
        (0, ..) => Err("nothing is checked".to_owned()),
        (_, false, ..) => Ok(true),
        (_, _, true, true) => Err("the emulator refuses a run, and the file names it".to_owned()),
        (_, _, false, false) => Err("the emulator runs it: name the emulator in the first line, and lower the number of files".to_owned()),
        (_, _, _, refused) => Ok(!refused),
    }
}

/// Follows one line; whether it checks something.
fn directive(line: &str, programs: &[Program], errors: &[Diagnostic], state: &mut State) -> Result<bool, String> {
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
        return if found && state.executors == ["parser"] { Ok(true) } else { Err(format!("no error says so: {errors:?}")) };
    }
    let [program] = programs else { return Err(format!("{} programs, errors: {errors:?}", programs.len())) };
    for contender in ALL {
        let ran = (contender.make)(state.limits).run_all(&[program], &[state.sample.inputs()]).map_err(|error| error.to_string())?;
        match ran.as_slice() {
            [RunEnd::Done(evaluation)] if is_told(line, evaluation)? => {}
            [RunEnd::Deferred] if contender.is_device => state.refused = true,
            other => return Err(format!("`{line}`, but the {} executor says {other:?}\n{}", contender.name, print_program(program))),
        }
    }
    Ok(true)
}

/// Whether a line says how a program ended.
fn is_told(line: &str, evaluation: &Evaluation) -> Result<bool, String> {
    let step = |id: StepId| id.0 as usize + 1;
    Ok(match (line, &evaluation.outcome) {
        ("undefined", Outcome::Undefined { .. }) | ("out of fuel", Outcome::OutOfFuel) => true,
        (_, Outcome::Undefined { step: Some(id), .. }) => {
            line.strip_prefix("undefined at ").is_some_and(|told| told == step(*id).to_string())
        }
        (_, Outcome::Value(value)) => match line.strip_prefix("gives ") {
            Some(told) => same(value, &expression(told)?),
            None => false,
        },
        _ => false,
    })
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
