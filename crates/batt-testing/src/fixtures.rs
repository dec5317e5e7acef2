//! Grids, tasks and programs from short texts.

use batt_core::{Grid, Pair, Task, TestCase};
use batt_program::{Program, parse_file};

/// A grid: a digit for each cell, or a dot for 0, and a blank between rows, as in `"12. ..3"`.
pub fn grid(rows: &str) -> Grid {
    let cell = |digit: char| if digit == '.' { 0 } else { digit.to_digit(10).expect("a digit for each cell") as i8 };
    let rows: Vec<Vec<i8>> = rows.split_whitespace().map(|row| row.chars().map(cell).collect()).collect();
    Grid::from_rows(&rows).expect("rows of one length")
}

/// A task, of which each demo reads `"12 -> 21"`, and each test the same or, without an output, `"12"`.
pub fn task(id: &str, demos: &[&str], tests: &[&str]) -> Task {
    let sides = |text: &str| match text.split_once(" -> ") {
        Some((input, output)) => (grid(input), Some(grid(output))),
        None => (grid(text), None),
    };
    let demo = |text: &&str| {
        let (input, output) = sides(text);
        Pair { input, output: output.expect("a demo has an output") }
    };
    let test = |text: &&str| {
        let (input, output) = sides(text);
        TestCase { input, output }
    };
    Task { id: id.to_owned(), demos: demos.iter().map(demo).collect(), tests: tests.iter().map(test).collect() }
}

/// A task of grids. Its tests have no outputs.
pub fn task_of(id: &str, demos: &[(Grid, Grid)], tests: &[Grid]) -> Task {
    let demo = |(input, output): &(Grid, Grid)| Pair { input: input.clone(), output: output.clone() };
    let test = |input: &Grid| TestCase { input: input.clone(), output: None };
    Task { id: id.to_owned(), demos: demos.iter().map(demo).collect(), tests: tests.iter().map(test).collect() }
}

/// A grid without a pattern, another one for every seed.
pub fn noise(height: usize, width: usize, seed: usize) -> Grid {
    Grid::build(height, width, |cells| cells.iter_mut().zip(seed..).for_each(|(cell, k)| *cell = (k * k % 7) as i8))
        .expect("a size that grids have")
}

/// The programs of a text without errors.
#[track_caller]
pub fn programs(text: &str) -> Vec<Program> {
    let parsed = parse_file(text);
    let errors: String = parsed.errors.iter().map(|error| error.render("text", text)).collect();
    assert!(errors.is_empty(), "{errors}");
    parsed.programs
}

/// The text of a library with other constants, so that there is something to repair.
pub fn damaged(library: &str) -> String {
    library.replace("ONE)", "TWO)").replace("T, F, T)", "F, T, T)").replace("FIVE,", "SIX,")
}

/// The only program of a text.
#[track_caller]
pub fn program(text: &str) -> Program {
    let mut programs = programs(text);
    assert_eq!(programs.len(), 1, "{text}");
    programs.remove(0)
}

/// A program of lines, or of calls with `; ` between them, of which the last sets `O`. `head` reads `"solve(I)"`.
#[track_caller]
pub fn lines(head: &str, lines: &str) -> Program {
    let calls: Vec<&str> = lines.split('\n').flat_map(|line| line.split("; ")).map(str::trim).collect();
    program(&format!("def {head}:\n    {}\n    return O\n", calls.join("\n    ")))
}
