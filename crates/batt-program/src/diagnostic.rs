//! Places in program text, and what is wrong there.

use std::fmt::Write as _;

use batt_core::shown::is_active;
use unicode_width::UnicodeWidthChar;

/// A place in program text. Lines and columns count from 1, columns in characters. Line 0 is no place: the steps of a program that was not
/// parsed have it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The line.
    pub line: u32,
    /// The column of the first character.
    pub column: u32,
    /// The byte at which it starts.
    pub offset: u32,
    /// Its length in bytes.
    pub len: u32,
}

impl Span {
    /// The text at this place of a source.
    pub fn text(self, source: &str) -> Option<&str> {
        let start = self.offset as usize;
        if self.line == 0 { None } else { source.get(start..start + self.len as usize) }
    }
}

/// Error or warning about a program, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The place.
    pub span: Span,
    /// The mistake, in one line.
    pub message: String,
    /// Advice; none if there is none to give.
    pub help: Option<String>,
}

/// The most columns of source that a rendered diagnostic shows.
const SHOWN: usize = 100;
/// How many columns a tab is shown as.
const TAB: usize = 4;

impl Diagnostic {
    /// A diagnostic without help.
    pub fn new(span: Span, message: impl Into<String>) -> Self {
        Self { span, message: message.into(), help: None }
    }

    /// Adds advice.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// `file:line:column: message`, and under it the line with carets, and the help.
    pub fn render(&self, file_name: &str, source: &str) -> String {
        let mut text = if self.span.line == 0 {
            format!("{file_name}: {}\n", self.message)
        } else {
            format!("{file_name}:{}:{}: {}\n", self.span.line, self.span.column, self.message)
        };
        if self.span.line != 0 {
            self.render_line(source, &mut text);
        }
        if let Some(help) = &self.help {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "  help: {help}");
        }
        text
    }

    fn render_line(&self, source: &str, text: &mut String) {
        let place = (self.span.offset as usize).min(source.len());
        let Some((before, after)) = source.split_at_checked(place) else { return };
        let line_start = before.rfind(['\n', '\r']).map_or(0, |end| end + 1);
        let line_end = after.find(['\n', '\r']).map_or(source.len(), |len| place + len);
        let marked_end = (place + self.span.len as usize).min(line_end);
        let mut shown = Shown::default();
        let (mut caret_start, mut caret_end) = (None, 0);
        for (k, c) in source[line_start..line_end].char_indices() {
            let at = line_start + k;
            if at == place {
                caret_start = Some(shown.columns);
            }
            // Far behind the place nothing is of interest any more; a line can be a megabyte long.
            if caret_start.is_some_and(|start| shown.columns > start + SHOWN) {
                break;
            }
            shown.push(c);
            if at < marked_end {
                caret_end = shown.columns;
            }
        }
        let start = caret_start.unwrap_or(shown.columns);
        let end = caret_end.max(start + 1);
        shown.render(start, end, text);
    }
}

/// A line as it is shown: tabs and control characters replaced, each character with its column.
#[derive(Default)]
struct Shown {
    chars: Vec<(char, usize)>,
    columns: usize,
}

impl Shown {
    fn push(&mut self, c: char) {
        match c {
            '\t' => {
                for _ in 0..TAB - self.columns % TAB {
                    self.push(' ');
                }
            }
            // A byte order mark has no width and no business in a terminal.
            '\u{feff}' => {}
            _ => {
                let shown = c.width().filter(|_| !is_active(c));
                let (c, width) = shown.map_or((char::REPLACEMENT_CHARACTER, 1), |width| (c, width));
                self.chars.push((c, self.columns));
                self.columns += width;
            }
        }
    }

    /// The line and the carets from column `start` to `end`, cut to what can be shown.
    fn render(&self, start: usize, end: usize, text: &mut String) {
        let first = if end <= SHOWN { 0 } else { start.saturating_sub(SHOWN / 3) };
        let last = first + SHOWN;
        let mut line = String::new();
        if first > 0 {
            line.push('…');
        }
        line.extend(self.chars.iter().filter(|&&(_, column)| (first..last).contains(&column)).map(|&(c, _)| c));
        if self.columns > last {
            line.push('…');
        }
        let indent = start - first + usize::from(first > 0);
        let carets = end.min(last).saturating_sub(start).max(1);
        let _ = writeln!(text, "{}", line.trim_end());
        let _ = writeln!(text, "{}{}", " ".repeat(indent), "^".repeat(carets));
    }
}
