//! Tables: aligned columns with a heading, cut at the width of the terminal.

use std::io::{self, Write};

use crate::output::{Look, Tone, one_line};

/// Spaces between columns.
const GAP: usize = 2;
/// The last column is never cut shorter than this.
const LEAST: usize = 12;
/// The widest that a column gets, and the last one where there is no terminal: names may be of any length.
const WIDEST: usize = 60;
const LAST_WIDEST: usize = 200;

/// How the cells of a column stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    /// At the left, as words do.
    Left,
    /// At the right, as numbers do.
    Right,
}

/// Rows of cells below a heading.
pub(crate) struct Table {
    columns: Vec<(&'static str, Align)>,
    rows: Vec<Vec<(String, Tone)>>,
}

impl Table {
    /// A table with these columns; if no column has a heading, none is printed.
    pub(crate) fn new(columns: impl Into<Vec<(&'static str, Align)>>) -> Self {
        Self { columns: columns.into(), rows: Vec::new() }
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, cells: impl Into<Vec<(String, Tone)>>) {
        let last = self.columns.len().saturating_sub(1);
        let cut = |(k, (text, tone)): (usize, (String, Tone))| (one_line(&text, if k == last { LAST_WIDEST } else { WIDEST }), tone);
        self.rows.push(cells.into().into_iter().enumerate().map(cut).collect());
    }

    /// Adds a row without colours.
    pub(crate) fn plain_row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.row(cells.into_iter().map(|cell| (cell, Tone::Plain)).collect::<Vec<_>>());
    }

    /// Prints it, every line after `indent` spaces. On a terminal, the last column is cut where a line would wrap.
    pub(crate) fn print(&self, out: &mut impl Write, look: Look, indent: usize) -> io::Result<()> {
        let widths: Vec<usize> = (0..self.columns.len()).map(|column| self.width_of(column)).collect();
        let before: usize = indent + widths.iter().rev().skip(1).map(|width| width + GAP).sum::<usize>();
        let last = look.width.map_or(LAST_WIDEST, |width| width.saturating_sub(before).max(LEAST));
        if self.columns.iter().any(|(heading, _)| !heading.is_empty()) {
            let headings: Vec<_> = self.columns.iter().map(|(heading, _)| ((*heading).to_owned(), Tone::Faint)).collect();
            self.print_row(out, look, indent, &headings, &widths, last)?;
        }
        self.rows.iter().try_for_each(|row| self.print_row(out, look, indent, row, &widths, last))
    }

    fn width_of(&self, column: usize) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.get(column)).map(|(text, _)| text.chars().count());
        cells.chain([self.columns[column].0.chars().count()]).max().unwrap_or(0)
    }

    fn print_row(
        &self,
        out: &mut impl Write,
        look: Look,
        indent: usize,
        row: &[(String, Tone)],
        widths: &[usize],
        last: usize,
    ) -> io::Result<()> {
        write!(out, "{:indent$}", "")?;
        // Spaces are written only before a cell that has something in it, so that no line ends with them.
        let mut owed = 0;
        for (position, ((text, tone), (&width, (_, align)))) in row.iter().zip(widths.iter().zip(&self.columns)).enumerate() {
            let is_last = position + 1 == self.columns.len();
            let text = one_line(text, if is_last { last } else { WIDEST });
            let rest = width.saturating_sub(text.chars().count());
            if !text.is_empty() {
                let before = if *align == Align::Right { rest } else { 0 };
                write!(out, "{:spaces$}{}", "", look.paint(*tone, &text), spaces = owed + before)?;
                owed = 0;
            }
            let after = if text.is_empty() {
                width
            } else if *align == Align::Left {
                rest
            } else {
                0
            };
            owed += after + GAP;
        }
        writeln!(out)
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn printed(width: Option<usize>) -> String {
        let mut table = Table::new([("name", Align::Left), ("n", Align::Right), ("about", Align::Left)]);
        table.plain_row(["a".to_owned(), "1".to_owned(), "short".to_owned()]);
        table.plain_row(["longer".to_owned(), "12".to_owned(), "a sentence that is long".to_owned()]);
        table.plain_row(["b".to_owned(), String::new(), String::new()]);
        let mut bytes = Vec::new();
        table.print(&mut bytes, Look { colour: false, width }, 0).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn columns_are_aligned() {
        expect_test::expect![[r"
            name     n  about
            a        1  short
            longer  12  a sentence that is long
            b
        "]]
        .assert_eq(&printed(None));
    }

    #[test]
    fn the_last_column_is_cut_at_the_width_of_the_terminal() {
        assert!(printed(Some(28)).contains("longer  12  a sentence that…\n"));
        assert!(printed(Some(5)).contains("longer  12  a sentence …\n"), "but not to nothing");
    }
}
