//! `batt profile lines`: a program or a card, line by line.

use batt_engine::{Card, CardProgram, NodeId};
use serde::Serialize;

use crate::names::line_of_node;
use crate::profile::NodeRow;
use crate::sheet::{Sheet, grouped, number, percent, time, words};

/// Lines of a text, and what they took.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Lines {
    /// Name of the program or card.
    pub name: String,
    /// The lines.
    pub lines: Vec<Line>,
}

/// A line.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[expect(clippy::struct_field_names, reason = "the names of the JSON keys")]
pub struct Line {
    /// Its number, from 1.
    pub line: usize,
    /// Calls that it made.
    pub hits: u64,
    /// Time in them.
    pub time_s: f64,
    /// Calls without an answer.
    pub undefined: u64,
    /// Fuel spent.
    pub fuel: u64,
    /// Its text.
    pub text: String,
}

/// A program as it is printed, one step a line after the first: each node goes to the first line that makes its call.
pub fn lines_of_program(program: &CardProgram, text: &str, nodes: &[NodeRow]) -> Lines {
    let mut lines: Vec<Line> =
        text.lines().enumerate().map(|(k, text)| Line { line: k + 1, text: text.to_owned(), ..Line::default() }).collect();
    let mut seen = std::collections::BTreeSet::new();
    for &(node, step) in &program.steps {
        if let (true, Some(line), Some(row)) = (seen.insert(node), lines.get_mut(step.0 as usize + 1), nodes.get(node.0 as usize)) {
            line.add(row);
        }
    }
    Lines { name: program.name.to_string(), lines }
}

/// The calls of a card, each a line.
pub fn lines_of_card(card: &Card, nodes: &[NodeRow]) -> Lines {
    let called = nodes.iter().filter(|row| row.calls > 0).enumerate();
    let line = |(k, row): (usize, &NodeRow)| {
        let mut line = Line { line: k + 1, text: line_of_node(card, NodeId(row.node)), ..Line::default() };
        line.add(row);
        line
    };
    Lines { name: "the card".to_owned(), lines: called.map(line).collect() }
}

impl Line {
    fn add(&mut self, row: &NodeRow) {
        self.hits += row.calls;
        self.time_s += row.time_s;
        self.undefined += row.undefined;
        self.fuel += row.fuel;
    }
}

impl Lines {
    /// As a table; of more than `most` lines the most expensive, in their order.
    pub fn sheet(&self, most: usize) -> Sheet {
        let columns =
            [number("line"), number("hits"), number("time"), number("a hit"), number("share"), number("undefined"), words("text")];
        let mut sheet = Sheet::new(format!("{}, line by line", self.name), columns);
        let whole: f64 = self.lines.iter().map(|line| line.time_s).sum();
        let mut by_time: Vec<f64> = self.lines.iter().map(|line| line.time_s).collect();
        by_time.sort_by(|a, b| b.total_cmp(a));
        let least = if most < by_time.len() { by_time[most] } else { -1.0 };
        for line in self.lines.iter().filter(|line| line.time_s > least) {
            let (mut cells, text) = (vec![line.line.to_string()], line.text.clone());
            if line.hits > 0 {
                let share = line.time_s / whole.max(f64::MIN_POSITIVE);
                cells.extend([grouped(line.hits), time(line.time_s), time(line.time_s / line.hits as f64), percent(share)]);
                cells.push(grouped(line.undefined));
            } else {
                cells.extend(std::iter::repeat_n(String::new(), 5));
            }
            cells.push(text);
            sheet.row(cells);
        }
        let shown = sheet.rows.len();
        if shown < self.lines.len() {
            sheet.note(format!("{} lines that take less are not shown.", grouped((self.lines.len() - shown) as u64)));
        }
        sheet.note(format!(
            "Shares are of the {} in these lines. A line without hits depends on no sample, or was not reached.",
            time(whole)
        ));
        sheet
    }
}
