//! Program text to tokens. Tokens hold no text, only where it is.
//!
//! A line that holds a statement ends in a `Newline` token; blank lines, comments and line ends inside brackets do not
//! show. The indentation of a line is not a token: it can be asked for while the line's first token is the current one.

use batt_dsl::Cells;

use crate::Span;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Name,
    /// Digits and whatever letters and dots follow them.
    Number,
    /// A string, with its prefix and quotes.
    String,
    /// A string without an end.
    OpenString,
    LeftParen,
    RightParen,
    LeftBrace,
    RightBrace,
    LeftBracket,
    RightBracket,
    Comma,
    Equal,
    Colon,
    Arrow,
    Minus,
    Plus,
    /// Another operator or punctuation of Python.
    Operator,
    /// A character that Python does not use.
    Stray,
    Newline,
    End,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
}

/// The start of a comment that sets the representation of cells: for its function or, at the start of a line, for all functions below.
pub(crate) const CELLS_COMMENT: &str = "# cells: ";

pub(crate) struct Lexer<'s> {
    source: &'s str,
    bytes: &'s [u8],
    pos: usize,
    line: u32,
    line_start: usize,
    /// How many bytes of this line so far do not start a character.
    continuation_bytes: usize,
    depth: u32,
    at_line_start: bool,
    line_has_tokens: bool,
    indent: (usize, usize),
    /// White space at the start of every line that is not indentation: that of a block of code in another text.
    margin: usize,
    /// Cells of the functions that follow, by the comments so far.
    pub(crate) cells_of_file: Option<Cells>,
    /// Cells of the function at hand, by its comment.
    pub(crate) cells_of_function: Option<Cells>,
}

const BYTE_ORDER_MARK: &str = "\u{feff}";

impl<'s> Lexer<'s> {
    /// The most bytes that can be read: places are counted in 32 bits.
    pub(crate) const MAX_LEN: usize = u32::MAX as usize / 2;

    pub(crate) fn new(source: &'s str) -> Self {
        let start = if source.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        let mut lexer = Self {
            source,
            bytes: source.as_bytes(),
            pos: start,
            line: 1,
            line_start: start,
            continuation_bytes: 0,
            depth: 0,
            at_line_start: true,
            line_has_tokens: false,
            indent: (start, start),
            margin: 0,
            cells_of_file: None,
            cells_of_function: None,
        };
        lexer.restart(start, 1);
        lexer
    }

    /// A lexer for lines whose first `margin` bytes of white space are no indentation.
    pub(crate) fn with_margin(source: &'s str, margin: usize) -> Self {
        Self { margin, ..Self::new(source) }
    }

    /// White space at the start of a line that is not indentation.
    pub(crate) fn margin(&self) -> usize {
        self.margin
    }

    /// Goes on at the start of a line.
    pub(crate) fn restart(&mut self, pos: usize, line: u32) {
        self.pos = pos;
        self.line = line;
        self.line_start = pos;
        self.continuation_bytes = 0;
        self.depth = 0;
        self.at_line_start = true;
        self.line_has_tokens = false;
        self.indent = (pos, pos);
    }

    pub(crate) fn text(&self, span: Span) -> &'s str {
        self.source.get(span.offset as usize..(span.offset + span.len) as usize).unwrap_or("")
    }

    /// The white space before the current statement.
    pub(crate) fn indent(&self) -> &'s str {
        self.source.get(self.indent.0..self.indent.1).unwrap_or("")
    }

    pub(crate) fn next_token(&mut self) -> Token {
        loop {
            if self.at_line_start && !self.start_line() {
                continue;
            }
            let start = self.pos;
            let Some(&byte) = self.bytes.get(start) else {
                if self.line_has_tokens {
                    self.line_has_tokens = false;
                    return self.token(TokenKind::Newline, start);
                }
                return self.token(TokenKind::End, start);
            };
            match byte {
                b' ' | b'\t' | b'\x0c' => self.pos += 1,
                b'#' => self.skip_comment(),
                b'\n' | b'\r' => {
                    if self.depth > 0 {
                        self.new_line();
                        continue;
                    }
                    let token = self.token(TokenKind::Newline, start);
                    self.line_has_tokens = false;
                    self.at_line_start = true;
                    self.new_line();
                    return token;
                }
                b'\\' if matches!(self.bytes.get(start + 1), Some(b'\n' | b'\r')) => {
                    self.pos += 1;
                    self.new_line();
                }
                _ => {
                    self.line_has_tokens = true;
                    return self.visible(byte, start);
                }
            }
        }
    }

    /// Measures the indentation of a line; false if the line is blank.
    fn start_line(&mut self) -> bool {
        let line_start = self.pos;
        while matches!(self.bytes.get(self.pos), Some(b' ' | b'\t' | b'\x0c')) {
            self.pos += 1;
        }
        let start = self.pos.min(line_start + self.margin);
        match self.bytes.get(self.pos) {
            Some(b'\n' | b'\r') => {
                self.new_line();
                false
            }
            Some(b'#') => {
                self.skip_comment();
                if self.pos < self.bytes.len() {
                    self.new_line();
                }
                false
            }
            next => {
                self.at_line_start = false;
                // The end of the file is not indented, whatever stands before it.
                self.indent = if next.is_none() { (self.pos, self.pos) } else { (start, self.pos) };
                true
            }
        }
    }

    fn skip_comment(&mut self) {
        let (start, rest) = (self.pos, &self.bytes[self.pos..]);
        self.pos += rest.iter().position(|&b| b == b'\n' || b == b'\r').unwrap_or(rest.len());
        let name = self.source.get(start..self.pos).and_then(|text| text.strip_prefix(CELLS_COMMENT)).map(str::trim_end);
        if let Some(cells) = Cells::ALL.into_iter().find(|cells| name == Some(cells.name())) {
            let of_file = start <= self.line_start + self.margin;
            *(if of_file { &mut self.cells_of_file } else { &mut self.cells_of_function }) = Some(cells);
        }
    }

    /// Goes on at the start of a line that may be a comment, and looks at that.
    pub(crate) fn look_at_comment(&mut self, pos: usize, line: u32) {
        self.restart(pos, line);
        if self.bytes[pos..].starts_with(CELLS_COMMENT.as_bytes()) {
            self.skip_comment();
        }
    }

    /// Steps over a line end: `\n`, `\r\n` or `\r`.
    fn new_line(&mut self) {
        let crlf = self.bytes[self.pos] == b'\r' && self.bytes.get(self.pos + 1) == Some(&b'\n');
        self.pos += if crlf { 2 } else { 1 };
        self.line += 1;
        self.line_start = self.pos;
        self.continuation_bytes = 0;
    }

    fn visible(&mut self, byte: u8, start: usize) -> Token {
        let kind = match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => return self.name(start),
            b'0'..=b'9' => return self.number(start),
            b'"' | b'\'' => return self.string(start, start),
            b'(' => self.open(TokenKind::LeftParen),
            b'[' => self.open(TokenKind::LeftBracket),
            b'{' => self.open(TokenKind::LeftBrace),
            b')' => self.close(TokenKind::RightParen),
            b']' => self.close(TokenKind::RightBracket),
            b'}' => self.close(TokenKind::RightBrace),
            b',' => TokenKind::Comma,
            b'-' if self.bytes.get(start + 1) == Some(&b'>') => {
                self.pos += 1;
                TokenKind::Arrow
            }
            b'=' if self.bytes.get(start + 1) != Some(&b'=') => TokenKind::Equal,
            b':' if self.bytes.get(start + 1) != Some(&b'=') => TokenKind::Colon,
            b'-' if self.bytes.get(start + 1) != Some(&b'=') => TokenKind::Minus,
            b'+' if self.bytes.get(start + 1) != Some(&b'=') => TokenKind::Plus,
            b'+' | b'-' | b'*' | b'/' | b'%' | b'@' | b'&' | b'|' | b'^' | b'~' | b'<' | b'>' | b'=' | b'!' | b'.' | b';' | b':' => {
                return self.operator(start);
            }
            0x80.. => return self.beyond_ascii(start),
            _ => TokenKind::Stray,
        };
        self.pos += 1;
        self.token(kind, start)
    }

    fn open(&mut self, kind: TokenKind) -> TokenKind {
        self.depth += 1;
        kind
    }

    fn close(&mut self, kind: TokenKind) -> TokenKind {
        self.depth = self.depth.saturating_sub(1);
        kind
    }

    fn operator(&mut self, start: usize) -> Token {
        self.pos += 1;
        while self.pos < start + 3 && matches!(self.bytes.get(self.pos), Some(b'*' | b'/' | b'<' | b'>' | b'=')) {
            self.pos += 1;
        }
        self.token(TokenKind::Operator, start)
    }

    fn name(&mut self, start: usize) -> Token {
        let span = self.token(TokenKind::Name, start).span;
        self.skip_word();
        let len = self.pos - start;
        if len <= 2 && matches!(self.bytes.get(self.pos), Some(b'"' | b'\'')) && is_string_prefix(&self.bytes[start..self.pos]) {
            return self.string(start, self.pos);
        }
        Token { kind: TokenKind::Name, span: Span { len: len as u32, ..span } }
    }

    /// Steps over letters, digits and underscores.
    fn skip_word(&mut self) {
        while let Some(&byte) = self.bytes.get(self.pos) {
            if byte.is_ascii_alphanumeric() || byte == b'_' {
                self.pos += 1;
            } else if byte >= 0x80 {
                match self.char_here() {
                    Some(c) if c.is_alphanumeric() => self.skip_char(c),
                    _ => break,
                }
            } else {
                break;
            }
        }
    }

    fn number(&mut self, start: usize) -> Token {
        let place = self.token(TokenKind::Number, start).span;
        loop {
            self.skip_word();
            let float = self.bytes.get(self.pos) == Some(&b'.');
            if !float {
                break;
            }
            self.pos += 1;
        }
        Token { kind: TokenKind::Number, span: Span { len: (self.pos - start) as u32, ..place } }
    }

    fn string(&mut self, start: usize, quote_at: usize) -> Token {
        self.pos = start;
        let place = self.token(TokenKind::String, start).span;
        let quote = self.bytes[quote_at];
        let triple = self.bytes[quote_at..].starts_with(&[quote; 3]);
        self.pos = quote_at + if triple { 3 } else { 1 };
        let kind = loop {
            match self.bytes.get(self.pos) {
                None => break TokenKind::OpenString,
                Some(b'\n' | b'\r') if !triple => break TokenKind::OpenString,
                Some(b'\n' | b'\r') => self.new_line(),
                Some(b'\\') => {
                    self.pos += 1;
                    match self.bytes.get(self.pos) {
                        Some(b'\n' | b'\r') => self.new_line(),
                        Some(_) => self.skip_any(),
                        None => {}
                    }
                }
                Some(&byte) if byte == quote && !triple => {
                    self.pos += 1;
                    break TokenKind::String;
                }
                Some(&byte) if byte == quote && self.bytes[self.pos..].starts_with(&[quote; 3]) => {
                    self.pos += 3;
                    break TokenKind::String;
                }
                Some(_) => self.skip_any(),
            }
        };
        Token { kind, span: Span { len: (self.pos - start) as u32, ..place } }
    }

    fn beyond_ascii(&mut self, start: usize) -> Token {
        match self.char_here() {
            Some(c) if c.is_alphabetic() => self.name(start),
            _ => {
                let place = self.token(TokenKind::Stray, start).span;
                self.skip_any();
                Token { kind: TokenKind::Stray, span: Span { len: (self.pos - start) as u32, ..place } }
            }
        }
    }

    fn char_here(&self) -> Option<char> {
        self.source.get(self.pos..)?.chars().next()
    }

    fn skip_char(&mut self, c: char) {
        self.pos += c.len_utf8();
        self.continuation_bytes += c.len_utf8() - 1;
    }

    fn skip_any(&mut self) {
        match self.char_here() {
            Some(c) => self.skip_char(c),
            None => self.pos += 1,
        }
    }

    /// The token from `start` to here. To be called before a character beyond ASCII is stepped over.
    fn token(&self, kind: TokenKind, start: usize) -> Token {
        let column = start - self.line_start - self.continuation_bytes + 1;
        Token { kind, span: Span { line: self.line, column: column as u32, offset: start as u32, len: (self.pos - start) as u32 } }
    }
}

fn is_string_prefix(prefix: &[u8]) -> bool {
    prefix.iter().all(|b| matches!(b, b'r' | b'R' | b'b' | b'B' | b'u' | b'U' | b'f' | b'F' | b't' | b'T'))
}

/// Whether Python reserves a word.
pub(crate) fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "False"
            | "None"
            | "True"
            | "and"
            | "as"
            | "assert"
            | "async"
            | "await"
            | "break"
            | "class"
            | "continue"
            | "def"
            | "del"
            | "elif"
            | "else"
            | "except"
            | "finally"
            | "for"
            | "from"
            | "global"
            | "if"
            | "import"
            | "in"
            | "is"
            | "lambda"
            | "nonlocal"
            | "not"
            | "or"
            | "pass"
            | "raise"
            | "return"
            | "try"
            | "while"
            | "with"
            | "yield"
    )
}
