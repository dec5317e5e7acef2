//! A program line by line: what each of its calls gives on some samples.

use batt_core::{Reason, Task, Value};
use batt_engine::{Inputs, Limits, Outcome, ReferenceExecutor, Trace};
use batt_program::Program;

use crate::report::picture::shown;
use crate::report::{StepShown, TraceEntry, TracedSample};

/// On how many demos a program is traced, from the first, besides the first that it has wrong: traces are most of a page.
const DEMOS: usize = 1;
/// On how many tests a program is traced; few tasks have more than two.
const TESTS: usize = 8;
/// The most text of the values of one program on one sample; calls after that are not shown.
const MOST_TEXT: usize = 40_000;

/// Values of a program's calls on the first demo of a task, on the first demo that it has wrong, and on the tests. Test outputs have
/// no say in this: a test that turns out to be wrong is there because all are.
pub(crate) fn trace(program: &Program, task: &Task, first_wrong: Option<usize>, limits: Limits) -> TraceEntry {
    let mut executor = ReferenceExecutor::new(limits);
    let demos = Inputs::demos_of(&task.demos);
    let live = program.live();
    let mut entry = TraceEntry { samples: Vec::new(), cut: false };
    let first = 0..task.demos.len().min(DEMOS);
    let tests = (task.demos.len()..task.samples()).take(TESTS);
    let wrong = first_wrong.filter(|sample| !first.contains(sample));
    for sample in first.chain(wrong).chain(tests) {
        let Some(input) = task.input(sample) else { continue };
        let input = Value::Grid(input.clone());
        let trace = executor.trace(program, Inputs { input: &input, demos: &demos, candidate: None });
        entry.samples.push(TracedSample { sample, steps: steps(&trace, &live, &mut entry.cut) });
    }
    entry
}

/// Values of a program's calls, one by one; `cut` is set where a picture is left out.
pub fn steps_shown(program: &Program, trace: &Trace, cut: &mut bool) -> Vec<StepShown> {
    steps(trace, &program.live(), cut)
}

fn steps(trace: &Trace, live: &[bool], cut: &mut bool) -> Vec<StepShown> {
    let (mut room, mut failed) = (MOST_TEXT, false);
    let mut step = |(value, live): (&Option<Value>, &bool)| match value {
        _ if !live => in_words("not used"),
        Some(value) => {
            let shown = shown(value);
            let size = shown.words.len() + shown.pictures.iter().map(|picture| picture.as_str().len()).sum::<usize>();
            if size > room {
                // The lines after this one may still be small.
                *cut = true;
                return StepShown { pictures: Vec::new(), more: shown.pictures.len() + shown.more, ..shown };
            }
            room -= size;
            shown
        }
        None if failed => in_words("not reached"),
        None => {
            failed = true;
            StepShown { words: why(&trace.evaluation.outcome), failed: true, ..StepShown::default() }
        }
    };
    trace.values.iter().zip(live).map(&mut step).collect()
}

fn in_words(words: &str) -> StepShown {
    StepShown { words: words.to_owned(), ..StepShown::default() }
}

/// Why a program gives nothing.
pub fn why(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Value(_) => "not a grid".to_owned(),
        Outcome::Undefined { reason, .. } => format!("undefined: {}", reason.describe()),
        Outcome::OutOfFuel => Reason::OutOfFuel.describe().to_owned(),
    }
}
