//! `batt run --show`: for each unsolved task, the first wrong output of its best program beside the expected one.

use std::io::Write;

use batt_core::{Task, Value};
use batt_data::render::{Panel, Row, TextStyle, to_text};
use batt_engine::Card;
use batt_engine::Outcome;
use batt_program::{Program, print_program};
use batt_run::{RunOptions, TaskReport, WrongSample, first_wrong};

use crate::output::{Output, Tone, one_line};

/// How wide pictures side by side may be where there is no terminal.
const WIDTH: usize = 80;
/// How much of a name or a call is shown.
const LONGEST: usize = 60;

/// Draws what is wrong. With `aside`, stdout belongs to something else.
pub(super) fn show(
    tasks: &[Task],
    reports: &[TaskReport],
    card: &Card,
    options: &RunOptions,
    aside: bool,
    out: &mut Output,
) -> anyhow::Result<()> {
    let ids: Vec<_> = card.programs().map(|(id, _)| id).collect();
    for (task, report) in tasks.iter().zip(reports).filter(|(_, report)| report.solved() != Some(true)) {
        let best = report.fitting.first().map(|candidate| candidate.program).or(report.best.map(|(program, _)| program));
        let program = best.and_then(|best| ids.get(best as usize)).and_then(|&id| card.slice(id));
        let Some(program) = program else { continue };
        let Some(wrong) = first_wrong(task, &program, options.limits, options.on_undefined) else { continue };
        let look = out.look;
        let text = picture(task, &program, &wrong, TextStyle { colour: look.colour && !aside, width: Some(look.width.unwrap_or(WIDTH)) });
        let heading = format!("{}, {}", one_line(&task.id, LONGEST), sample_name(task, wrong.sample));
        let heading = if aside { heading } else { out.paint(Tone::Strong, heading) };
        let picture = text.trim_end_matches('\n');
        if aside {
            out.lines(format_args!("{heading}\n{picture}\n"));
        } else {
            writeln!(out, "{heading}")?;
            out.picture(picture)?;
            writeln!(out, "\n")?;
        }
    }
    Ok(())
}

fn picture(task: &Task, program: &Program, wrong: &WrongSample, style: TextStyle) -> String {
    let name = one_line(program.name(), LONGEST);
    let only_expected = |words: String| {
        let row = Row::plain(vec![Panel::grid("expected", &wrong.expected)]);
        format!("{words}\n{}", to_text(&[row], style))
    };
    match &wrong.outcome {
        Outcome::Value(Value::Grid(found)) => {
            let same = task.input(wrong.sample) == Some(found);
            let label = format!("{name} gives{}", if same { " the input" } else { "" });
            let panels = vec![Panel::compared(&label, found, &wrong.expected), Panel::compared("expected", &wrong.expected, found)];
            to_text(&[Row::plain(panels)], style)
        }
        Outcome::Value(_) => only_expected(format!("{name} gives something that is no grid")),
        Outcome::OutOfFuel => only_expected(format!("{name} is out of fuel")),
        Outcome::Undefined { step, reason } => {
            // One call a line, after the line that has the name.
            let text = print_program(program);
            let line = step.and_then(|step| text.lines().nth(step.0 as usize + 1));
            let call = line.map_or(String::new(), |line| format!(" at `{}`", one_line(line.trim(), LONGEST)));
            only_expected(format!("{name} is undefined{call}: {reason}"))
        }
    }
}

fn sample_name(task: &Task, sample: usize) -> String {
    match sample.checked_sub(task.demos.len()) {
        None => format!("demo {}", sample + 1),
        Some(test) => format!("test {}", test + 1),
    }
}
