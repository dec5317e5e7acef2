//! Columns that are nearly the outputs: what rules are fitted to after the columns are made.
//!
//! It chooses columns and puts programs one after the other. What is fitted to them is the members' business.

use std::collections::HashSet;

use batt_core::{Grid, Pair, Task};
use batt_vision::Frame;

/// A column that is nearly the outputs.
#[derive(Clone, Debug)]
pub(crate) struct Near {
    /// The program that makes it.
    pub(crate) program: String,
    /// What its column costs.
    pub(crate) cost: u32,
    /// The cells of the demos that are wrong.
    pub(crate) wrong: u32,
    /// What it is on every sample, with the colours of the task.
    pub(crate) values: Vec<(Frame, Vec<u8>)>,
}

/// The most columns of a task that rules are fitted to.
pub(crate) const MOST: usize = 6;

/// The columns that differ least from the outputs, none twice.
pub(crate) fn nearest(mut all: Vec<Near>) -> Vec<Near> {
    all.sort_by_key(|near| (near.wrong, near.cost));
    let mut seen = HashSet::new();
    all.retain(|near| seen.insert(near.values.clone()));
    all.truncate(MOST);
    all
}

impl Near {
    /// The demos and tests of a task with the column as their inputs.
    pub(crate) fn question(&self, task: &Task) -> Option<(Vec<Pair>, Vec<Grid>)> {
        let grid = |(frame, cells): &(Frame, Vec<u8>)| {
            let cells: Vec<i8> = cells.iter().map(|&cell| cell as i8).collect();
            Grid::new(frame.height as usize, frame.width as usize, &cells)
        };
        let mut grids = self.values.iter().map(grid).collect::<Option<Vec<_>>>()?;
        let tests = grids.split_off(task.demos.len().min(grids.len()));
        let demos = grids.into_iter().zip(&task.demos).map(|(input, demo)| Pair { input, output: demo.output.clone() });
        Some((demos.collect(), tests))
    }
}

/// The program that calls one program on what another one gives: both are functions of `I` that return `O`.
pub(crate) fn chained(first: &str, then: &str) -> String {
    let mut text = String::from("def solve(I):\n");
    for line in lines_of(first) {
        text.push_str(&renamed(line, |name| if name == "O" { Some("y".to_owned()) } else { None }));
        text.push('\n');
    }
    let set: HashSet<&str> = lines_of(then).filter_map(|line| line.trim_start().split(' ').next()).collect();
    for line in lines_of(then) {
        text.push_str(&renamed(line, |name| match name {
            "I" => Some("y".to_owned()),
            "O" => None,
            name => set.contains(name).then(|| format!("y{name}")),
        }));
        text.push('\n');
    }
    text.push_str("    return O\n");
    text
}

/// The lines of a program between its first and its last.
pub(crate) fn lines_of(program: &str) -> impl Iterator<Item = &str> {
    program.lines().skip(1).filter(|line| !line.trim_start().starts_with("return "))
}

/// A line with other names.
pub(crate) fn renamed(line: &str, name: impl Fn(&str) -> Option<String>) -> String {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let mut text = String::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|letter| is_part(letter) != is_part(first)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        text.push_str(&name(word).unwrap_or_else(|| word.to_owned()));
        rest = after;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_put_one_after_the_other() {
        let first = "def a(I):\n    x1 = trimmed(I)\n    O = to_origin(x1)\n    return O\n";
        let then = "def b(I):\n    x1 = cellrule(I, 0, ())\n    O = over(x1, I, 10)\n    return O\n";
        let both = "def solve(I):\n    x1 = trimmed(I)\n    y = to_origin(x1)\n    yx1 = cellrule(y, 0, ())\n    O = over(yx1, y, 10)\n    return O\n";
        assert_eq!(chained(first, then), both);
    }
}
