//! Tables as data, and figures as text.

pub(crate) use batt_core::shown::{count, grouped};
use std::fmt::Write as _;

use batt_core::shown::{inert, one_line};

/// The most of a cell that is shown: names may be of any length.
const LONGEST: usize = 200;

/// A table with a title above and remarks below.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sheet {
    /// Text above the table.
    pub title: String,
    /// The headings.
    pub columns: Vec<Heading>,
    /// The cells, row by row.
    pub rows: Vec<Vec<String>>,
    /// Remarks below the table.
    pub notes: Vec<String>,
}

/// The heading of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heading {
    /// Its text.
    pub text: &'static str,
    /// Whether the cells are numbers, which stand at the right.
    pub number: bool,
}

/// A column of words.
pub(crate) const fn words(text: &'static str) -> Heading {
    Heading { text, number: false }
}

/// A column of numbers.
pub(crate) const fn number(text: &'static str) -> Heading {
    Heading { text, number: true }
}

impl Sheet {
    /// An empty table.
    pub(crate) fn new(title: impl Into<String>, columns: impl Into<Vec<Heading>>) -> Self {
        Self { title: title.into(), columns: columns.into(), rows: Vec::new(), notes: Vec::new() }
    }

    pub(crate) fn row(&mut self, cells: impl Into<Vec<String>>) {
        self.rows.push(cells.into());
    }

    pub(crate) fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }

    /// As plain text, for a file.
    pub fn to_text(&self) -> String {
        let mut text = format!("{}\n\n", one_line(&self.title, LONGEST));
        let rows: Vec<Vec<String>> = self.rows.iter().map(|row| row.iter().map(|cell| one_line(cell, LONGEST)).collect()).collect();
        let width = |k: usize| {
            let cells = rows.iter().filter_map(|row| row.get(k)).map(|cell| cell.chars().count());
            cells.chain([self.columns[k].text.chars().count()]).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        let mut line = |cells: &mut dyn Iterator<Item = &str>| {
            let mut out = String::new();
            for (cell, (&width, heading)) in cells.zip(widths.iter().zip(&self.columns)) {
                // Writing to a string cannot fail.
                let _ = if heading.number { write!(out, "{cell:>width$}  ") } else { write!(out, "{cell:<width$}  ") };
            }
            text.push_str(out.trim_end());
            text.push('\n');
        };
        if !self.rows.is_empty() {
            line(&mut self.columns.iter().map(|heading| heading.text));
        }
        for row in &rows {
            line(&mut row.iter().map(String::as_str));
        }
        if !self.notes.is_empty() && !self.rows.is_empty() {
            text.push('\n');
        }
        for note in &self.notes {
            text.push_str(&inert(note));
            text.push('\n');
        }
        text
    }
}

/// A time in the unit that suits it.
pub(crate) fn time(seconds: f64) -> String {
    let size = seconds.abs();
    if size >= 100.0 {
        format!("{seconds:.0} s")
    } else if size >= 1.0 {
        format!("{seconds:.2} s")
    } else if size >= 1e-3 {
        format!("{:.2} ms", seconds * 1e3)
    } else if size >= 1e-6 {
        format!("{:.2} µs", seconds * 1e6)
    } else if size > 0.0 {
        format!("{:.0} ns", seconds * 1e9)
    } else {
        "0".to_owned()
    }
}

/// The ends of an interval; empty if it is unknown.
pub(crate) fn between(interval: Option<[f64; 2]>) -> String {
    interval.map_or_else(String::new, |[low, high]| format!("{} to {}", time(low), time(high)))
}

/// A share as a percentage.
pub(crate) fn percent(share: f64) -> String {
    // A share that is nothing but rounding is zero, without a sign.
    let share = if share.abs() < 5e-5 { 0.0 } else { share };
    format!("{:.1}%", share * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_units_and_commas() {
        assert_eq!([2e-9, 3.5e-6, 0.0123, 1.5, 250.0].map(time), ["2 ns", "3.50 µs", "12.30 ms", "1.50 s", "250 s"]);
        assert_eq!([0.1234, -1e-9].map(percent), ["12.3%", "0.0%"]);
    }

    #[test]
    fn text_is_aligned() {
        let mut sheet = Sheet::new("title", [words("name"), number("n")]);
        sheet.row(["a".to_owned(), "10".to_owned()]);
        sheet.row(["longer".to_owned(), "5".to_owned()]);
        sheet.note("remark");
        assert_eq!(sheet.to_text(), "title\n\nname     n\na       10\nlonger   5\n\nremark\n");
    }
}
