//! Programs in Markdown: the functions in its fenced blocks of Python.
//!
//! Places are those of the Markdown text. Each block is a file of its own, so that the same name may stand in several. Nothing else of
//! Markdown is understood.

use super::{ParsedFile, Parser};
use crate::lex::Lexer;
use crate::{Diagnostic, Span};

/// Languages after the fence of a block that is read.
const LANGUAGES: [&str; 3] = ["python", "py", "python3"];

/// Reads the programs in the blocks of Python. A block without any `def` is not meant to be a program, and nothing is said about it.
pub fn parse_markdown(text: &str) -> ParsedFile {
    let mut file = ParsedFile::default();
    if text.len() > Lexer::MAX_LEN {
        file.errors.push(Diagnostic::new(Span { line: 1, column: 1, offset: 0, len: 0 }, "the file is too large"));
        return file;
    }
    for block in blocks(text) {
        let source = &text[..block.end];
        if lines(&source[block.start..]).any(|(_, line)| line.trim_start().starts_with("def ")) {
            let mut lexer = Lexer::with_margin(source, block.margin);
            lexer.restart(block.start, block.line);
            Parser::of(source, lexer).read_functions(&mut file);
        }
    }
    file
}

/// Whether a text of which nothing is known is Markdown with Python in it: Python has no line that begins with a fence.
pub fn is_markdown(text: &str) -> bool {
    blocks(text).next().is_some()
}

/// A block of Python in a text.
struct Block {
    /// Its first byte, and the one after its last.
    start: usize,
    end: usize,
    /// The number of its first line.
    line: u32,
    /// The white space before its fence, which its lines have too.
    margin: usize,
}

/// The line that begins or ends a block.
struct Fence {
    mark: char,
    length: usize,
    margin: usize,
    is_python: bool,
}

fn blocks(text: &str) -> impl Iterator<Item = Block> {
    let mut lines = lines(text);
    let mut number = 0;
    std::iter::from_fn(move || {
        loop {
            let (fence, start) = lines.find_map(|(start, line)| {
                number += 1;
                Some((Fence::opening(line)?, start + line.len()))
            })?;
            // Without an end, a block goes on to the end of the text.
            let (first, start) = (number + 1, start + line_end(&text[start..]));
            let mut end = text.len();
            for (at, line) in lines.by_ref() {
                number += 1;
                if fence.is_closed_by(line) {
                    end = at;
                    break;
                }
            }
            if fence.is_python {
                return Some(Block { start, end, line: first, margin: fence.margin });
            }
        }
    })
}

impl Fence {
    fn opening(line: &str) -> Option<Self> {
        let rest = line.trim_start_matches([' ', '\t']);
        let mark = rest.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
        let info = rest.trim_start_matches(mark);
        let (length, margin) = (rest.len() - info.len(), line.len() - rest.len());
        // What has more of these marks in the line is code within a sentence.
        if length < 3 || (mark == '`' && info.contains('`')) {
            return None;
        }
        let language = info.split_whitespace().next().unwrap_or_default();
        Some(Self { mark, length, margin, is_python: LANGUAGES.iter().any(|known| known.eq_ignore_ascii_case(language)) })
    }

    fn is_closed_by(&self, line: &str) -> bool {
        let line = line.trim_matches([' ', '\t']);
        line.len() >= self.length && line.chars().all(|c| c == self.mark)
    }
}

/// The lines of a text and where they begin, without their ends: `\n`, `\r\n` or `\r`.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut next = 0;
    std::iter::from_fn(move || {
        let rest = text.get(next..).filter(|rest| !rest.is_empty())?;
        let (start, length) = (next, rest.find(['\n', '\r']).unwrap_or(rest.len()));
        next += length + line_end(&rest[length..]);
        Some((start, &rest[..length]))
    })
}

/// The length of the line end that a text begins with.
fn line_end(text: &str) -> usize {
    if text.starts_with("\r\n") { 2 } else { usize::from(text.starts_with(['\n', '\r'])) }
}
