//! Program text to programs.
//!
//! The text is Python: functions of assignments that end in a `return`. Nested calls become steps of their own, in the order
//! in which Python makes them. An error loses its function only; the next one starts at the next `def` without indentation.

mod expression;
mod markdown;
mod names;
mod outside;

use batt_core::Value;
use rustc_hash::FxHashMap;

pub use markdown::{is_markdown, parse_markdown};
use names::Names;

use crate::lex::{Lexer, Token, TokenKind, is_keyword};
use crate::{Diagnostic, Operand, Params, Program, ProgramBuilder, Span};

/// Programs and errors of a file.
#[derive(Clone, Debug, Default)]
pub struct ParsedFile {
    /// The programs without errors, in order.
    pub programs: Vec<Program>,
    /// Errors of the others, in order.
    pub errors: Vec<Diagnostic>,
    /// How many functions there are, with and without errors.
    pub functions: usize,
}

/// Reads a file of programs.
pub fn parse_file(text: &str) -> ParsedFile {
    let mut file = ParsedFile::default();
    if text.len() > Lexer::MAX_LEN {
        file.errors.push(Diagnostic::new(Span { line: 1, column: 1, offset: 0, len: 0 }, "the file is too large"));
        return file;
    }
    Parser::new(text).read_functions(&mut file);
    file
}

/// Reads a file of programs from bytes. Bytes that are not UTF-8 are an error; what is readable is read all the same.
pub fn parse_bytes(bytes: &[u8]) -> ParsedFile {
    let error = match std::str::from_utf8(bytes) {
        Ok(text) => return parse_file(text),
        Err(error) => error,
    };
    let offset = error.valid_up_to();
    let text = String::from_utf8_lossy(bytes);
    let mut file = parse_file(&text);
    let before = &text[..offset];
    let ends = before.matches('\n').count() + before.matches('\r').count() - before.matches("\r\n").count();
    let line_start = before.rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let column = before[line_start..].trim_start_matches('\u{feff}').chars().count() + 1;
    let span =
        Span { line: ends as u32 + 1, column: column as u32, offset: offset as u32, len: char::REPLACEMENT_CHARACTER.len_utf8() as u32 };
    let message = format!("the byte 0x{:02x} is not UTF-8 text", bytes[offset]);
    file.errors.retain(|error| error.span.offset != span.offset);
    let place = file.errors.partition_point(|error| error.span.offset < span.offset);
    file.errors.insert(place, Diagnostic::new(span, message));
    file
}

/// Reads one expression, with the free names `I`, `S` and `C`. It becomes the output of a program.
pub fn parse_expression(text: &str) -> Result<Program, Diagnostic> {
    if text.len() > Lexer::MAX_LEN {
        return Err(Diagnostic::new(Span { line: 1, column: 1, offset: 0, len: 0 }, "the expression is too large"));
    }
    let mut parser = Parser::new(text);
    parser.begin(Params::DemosInputCandidate, &["S", "I", "C"]);
    let (output, span) = parser.value()?;
    while parser.token.kind == TokenKind::Newline {
        parser.bump();
    }
    if parser.token.kind != TokenKind::End {
        return Err(parser.unexpected("the end of the expression"));
    }
    let mut builder = parser.take_builder();
    if !parser.uses_task {
        builder.set_params(Params::Input);
    }
    Ok(builder.finish_at("expression", Span::default(), (output, span), None))
}

/// Result of parsing a part.
type Parsed<T> = Result<T, Diagnostic>;

struct Function<'s> {
    name: &'s str,
    program: Program,
}

struct Parser<'s> {
    source: &'s str,
    lexer: Lexer<'s>,
    token: Token,
    /// The byte after the token before this one.
    last_end: u32,
    builder: ProgramBuilder,
    names: Names<'s>,
    /// Whether the demo pairs or the candidate are used.
    uses_task: bool,
    arguments: Vec<(Operand, Span)>,
    nesting: u32,
    /// Where the function at hand starts.
    function_start: Span,
}

impl<'s> Parser<'s> {
    fn new(source: &'s str) -> Self {
        Self::of(source, Lexer::new(source))
    }

    fn of(source: &'s str, mut lexer: Lexer<'s>) -> Self {
        let token = lexer.next_token();
        Self {
            source,
            lexer,
            token,
            last_end: 0,
            builder: ProgramBuilder::new(Params::Input),
            names: Names::default(),
            uses_task: false,
            arguments: Vec::new(),
            nesting: 0,
            function_start: token.span,
        }
    }

    /// Reads all functions from here on.
    fn read_functions(mut self, file: &mut ParsedFile) {
        let mut lines: FxHashMap<&str, u32> = FxHashMap::default();
        loop {
            let start = self.token.span;
            match self.top_level() {
                Ok(None) => return,
                Ok(Some(function)) => {
                    file.functions += 1;
                    if let Some(line) = lines.get(function.name) {
                        let message = format!("`{}` is defined already, on line {line}", function.name);
                        file.errors.push(Diagnostic::new(function.program.name_span(), message));
                    } else {
                        lines.insert(function.name, function.program.name_span().line);
                        file.programs.push(function.program);
                    }
                }
                Err(error) => {
                    let begun = self.function_start;
                    let is_in_function = begun.offset >= start.offset && self.lexer.text(begun) == "def";
                    file.functions += usize::from(is_in_function);
                    file.errors.push(error);
                    self.recover(if is_in_function { begun } else { start });
                }
            }
        }
    }

    fn bump(&mut self) -> Token {
        let token = self.token;
        self.last_end = token.span.offset + token.span.len;
        self.token = self.lexer.next_token();
        token
    }

    fn text(&self, token: Token) -> &'s str {
        self.lexer.text(token.span)
    }

    fn take(&mut self, kind: TokenKind) -> bool {
        let found = self.token.kind == kind;
        if found {
            self.bump();
        }
        found
    }

    fn expect(&mut self, kind: TokenKind, what: &str) -> Parsed<Token> {
        if self.token.kind == kind { Ok(self.bump()) } else { Err(self.unexpected(what)) }
    }

    /// The place from `start` to the end of the token before this one.
    fn since(&self, start: Span) -> Span {
        Span { len: self.last_end.saturating_sub(start.offset), ..start }
    }

    /// The next function; `None` at the end of the file.
    fn top_level(&mut self) -> Parsed<Option<Function<'s>>> {
        loop {
            match self.token.kind {
                TokenKind::Newline => {
                    self.bump();
                }
                TokenKind::End => return Ok(None),
                _ if !self.lexer.indent().is_empty() => {
                    return Err(Diagnostic::new(self.token.span, "unexpected indentation")
                        .with_help("a function starts with `def` at the start of a line"));
                }
                TokenKind::Name => match self.text(self.token) {
                    "def" => return self.function().map(Some),
                    "from" | "import" => self.skip_line(),
                    _ => return Err(self.outside_function()),
                },
                TokenKind::String => {
                    self.bump();
                    self.end_of_statement()?;
                }
                _ => return Err(self.outside_function()),
            }
        }
    }

    fn skip_line(&mut self) {
        while !matches!(self.token.kind, TokenKind::Newline | TokenKind::End) {
            self.bump();
        }
    }

    /// Goes on at the first `def` after `start`, where an erroneous part began.
    fn recover(&mut self, start: Span) {
        let bytes = self.source.as_bytes();
        let mut pos = start.offset as usize;
        let mut line = start.line;
        while pos < bytes.len() {
            let byte = bytes[pos];
            pos += 1;
            if byte != b'\n' && byte != b'\r' {
                continue;
            }
            if byte == b'\r' && bytes.get(pos) == Some(&b'\n') {
                pos += 1;
            }
            line += 1;
            let blanks = bytes[pos..].iter().take(self.lexer.margin()).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
            if matches!(&bytes[pos + blanks..], [b'd', b'e', b'f', b' ' | b'\t', ..]) {
                break;
            }
            self.lexer.look_at_comment(pos + blanks, line);
        }
        self.lexer.restart(pos, line);
        self.token = self.lexer.next_token();
        self.nesting = 0;
        self.arguments.clear();
    }

    fn begin(&mut self, params: Params, names: &[&'s str]) {
        self.builder = ProgramBuilder::new(params);
        self.names.begin_function();
        self.uses_task = false;
        let operands: &[Operand] = match params {
            Params::Input => &[Operand::Input],
            Params::DemosInputCandidate => &[Operand::Demos, Operand::Input, Operand::Candidate],
        };
        for (&name, &operand) in names.iter().zip(operands) {
            // Nothing was used before, so that this cannot fail.
            let _ = self.names.set(name, operand);
        }
    }

    fn take_builder(&mut self) -> ProgramBuilder {
        std::mem::replace(&mut self.builder, ProgramBuilder::new(Params::Input))
    }

    fn function(&mut self) -> Parsed<Function<'s>> {
        let cells_of_file = self.lexer.cells_of_file;
        self.lexer.cells_of_function = None;
        self.function_start = self.bump().span;
        let name_token = self.expect(TokenKind::Name, "the name of the function")?;
        let name = self.text(name_token);
        if is_keyword(name) {
            return Err(Diagnostic::new(name_token.span, format!("`{name}` cannot be the name of a function")));
        }
        self.parameters()?;
        if self.take(TokenKind::Arrow) {
            self.skip_annotation(&[TokenKind::Colon])?;
        }
        self.expect(TokenKind::Colon, "`:`")?;
        let output = if self.take(TokenKind::Newline) { self.body(name_token)? } else { self.one_line_body(name_token)? };
        let cells = self.lexer.cells_of_function.or(cells_of_file);
        let builder = self.take_builder();
        Ok(Function { name, program: builder.finish_at(name, name_token.span, output, cells) })
    }

    fn parameters(&mut self) -> Parsed<()> {
        let open = self.expect(TokenKind::LeftParen, "`(` and the parameters")?;
        let mut names: Vec<&'s str> = Vec::with_capacity(3);
        while self.token.kind != TokenKind::RightParen {
            let token = self.expect(TokenKind::Name, "the name of a parameter")?;
            let name = self.text(token);
            if is_keyword(name) {
                return Err(Diagnostic::new(token.span, format!("`{name}` cannot be the name of a parameter")));
            }
            if names.contains(&name) {
                return Err(Diagnostic::new(token.span, format!("the parameter `{name}` is given twice")));
            }
            names.push(name);
            if self.take(TokenKind::Colon) {
                self.skip_annotation(&[TokenKind::Comma, TokenKind::RightParen])?;
            }
            if self.token.kind == TokenKind::Equal {
                return Err(Diagnostic::new(self.token.span, "parameters have no default values here"));
            }
            if !self.take(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::RightParen, "`)`")?;
        let params = match names.len() {
            1 => Params::Input,
            3 => Params::DemosInputCandidate,
            n => {
                let message = format!("a program takes one parameter or three, not {n}");
                return Err(Diagnostic::new(self.since(open.span), message)
                    .with_help("write `(I)` for the input, or `(S, I, C)` for the demo pairs, the input and the candidate"));
            }
        };
        self.begin(params, &names);
        Ok(())
    }

    /// Skips an annotation up to one of `ends` outside brackets.
    fn skip_annotation(&mut self, ends: &[TokenKind]) -> Parsed<()> {
        let mut depth = 0u32;
        let start = self.token.span;
        loop {
            let kind = self.token.kind;
            if depth == 0 && ends.contains(&kind) {
                break;
            }
            match kind {
                TokenKind::LeftParen | TokenKind::LeftBracket | TokenKind::LeftBrace => depth += 1,
                TokenKind::RightParen | TokenKind::RightBracket | TokenKind::RightBrace if depth > 0 => depth -= 1,
                TokenKind::Name | TokenKind::String | TokenKind::Number | TokenKind::Comma | TokenKind::Operator
                    if kind != TokenKind::Comma || depth > 0 => {}
                _ => return Err(self.unexpected("a type")),
            }
            self.bump();
        }
        if self.since(start).len == 0 {
            return Err(self.unexpected("a type"));
        }
        Ok(())
    }

    fn body(&mut self, name: Token) -> Parsed<(Operand, Span)> {
        let indent = self.lexer.indent();
        if self.token.kind == TokenKind::End || indent.is_empty() {
            return Err(Diagnostic::new(name.span, format!("`{}` has no body", self.text(name)))
                .with_help("its statements go on the next lines, indented"));
        }
        let mut output = None;
        while self.token.kind != TokenKind::End && !self.lexer.indent().is_empty() {
            if self.lexer.indent() != indent {
                let more = self.lexer.indent().len() > indent.len();
                let message = if more {
                    "this line is indented deeper than the one before"
                } else {
                    "this line is not indented like the lines before"
                };
                return Err(Diagnostic::new(self.token.span, message).with_help("all lines of a function start with the same white space"));
            }
            if output.is_some() {
                return Err(Diagnostic::new(self.token.span, "there is code after `return`"));
            }
            output = self.statement()?;
        }
        output.ok_or_else(|| self.no_return(name))
    }

    fn one_line_body(&mut self, name: Token) -> Parsed<(Operand, Span)> {
        let output = self.statement()?.ok_or_else(|| self.no_return(name))?;
        if self.token.kind != TokenKind::End && !self.lexer.indent().is_empty() {
            return Err(Diagnostic::new(self.token.span, "there is code after `return`"));
        }
        Ok(output)
    }

    fn no_return(&self, name: Token) -> Diagnostic {
        Diagnostic::new(name.span, format!("`{}` has no `return`", self.text(name)))
            .with_help("a program ends in `return` and the value that it gives")
    }

    /// A statement; what it returns if it is a `return`.
    fn statement(&mut self) -> Parsed<Option<(Operand, Span)>> {
        if self.token.kind == TokenKind::String {
            self.bump();
            self.end_of_statement()?;
            return Ok(None);
        }
        if self.token.kind != TokenKind::Name {
            return Err(self.unexpected("an assignment or `return`"));
        }
        let token = self.token;
        let name = self.text(token);
        if name == "return" {
            self.bump();
            if matches!(self.token.kind, TokenKind::Newline | TokenKind::End) {
                return Err(self.unexpected("the value to return"));
            }
            let output = self.value()?;
            self.end_of_statement()?;
            return Ok(Some(output));
        }
        if is_keyword(name) {
            return Err(self.keyword_statement());
        }
        self.bump();
        if self.take(TokenKind::Colon) {
            self.skip_annotation(&[TokenKind::Equal])?;
        }
        if self.token.kind != TokenKind::Equal {
            return Err(self.no_assignment(token));
        }
        self.bump();
        let (operand, _) = self.value()?;
        if self.token.kind == TokenKind::Equal {
            return Err(Diagnostic::new(self.token.span, "a statement sets one variable only"));
        }
        self.end_of_statement()?;
        self.assign(token, name, operand)?;
        Ok(None)
    }

    fn end_of_statement(&mut self) -> Parsed<()> {
        match self.token.kind {
            TokenKind::Newline => {
                self.bump();
                Ok(())
            }
            TokenKind::End => Ok(()),
            _ => Err(self.unexpected("the end of the line")),
        }
    }

    fn assign(&mut self, token: Token, name: &'s str, operand: Operand) -> Parsed<()> {
        self.names.set(name, operand).map_err(|used| {
            let message = format!("`{name}` is used before it is set, which is on line {}", token.span.line);
            Diagnostic::new(used, message).with_help("a function that sets a name cannot use the primitive or constant of that name")
        })
    }

    /// The operand that a name stands for.
    fn look_up(&mut self, token: Token) -> Parsed<Operand> {
        let Some(operand) = self.names.get(self.text(token), token.span) else { return Err(self.unknown(token)) };
        self.uses_task |= matches!(operand, Operand::Demos | Operand::Candidate);
        Ok(operand)
    }

    #[cold]
    fn unknown(&self, token: Token) -> Diagnostic {
        let name = self.text(token);
        if is_keyword(name) {
            return self.unclosed(token).unwrap_or_else(|| self.keyword_in_expression(token));
        }
        if self.token.kind == TokenKind::Equal {
            return Diagnostic::new(token.span, format!("an expression cannot set `{name}`"));
        }
        if self.token.kind == TokenKind::Name && self.text(self.token) == "for" {
            return self.keyword_in_expression(self.token);
        }
        if let Some(line) = self.set_later(token, name) {
            return Diagnostic::new(token.span, format!("`{name}` is used before it is set, which is on line {line}"));
        }
        let error = Diagnostic::new(token.span, format!("unknown name `{name}`"));
        if self.token.kind == TokenKind::Operator && self.text(self.token) == "." {
            return error.with_help("names of primitives stand alone, without a module before them");
        }
        match self.names.nearest(name) {
            Some(near) => error.with_help(format!("did you mean `{near}`?")),
            None => error,
        }
    }

    /// The line on which the rest of the function sets a variable.
    fn set_later(&self, token: Token, name: &str) -> Option<u32> {
        let rest = self.source.get(token.span.offset as usize..)?;
        let mut line = token.span.line;
        for text in rest.split('\n').skip(1) {
            line += 1;
            let statement = text.trim_start();
            if !statement.is_empty() && text.len() - statement.len() <= self.lexer.margin() && !statement.starts_with('#') {
                return None;
            }
            if let Some(after) = statement.strip_prefix(name) {
                let after = after.trim_start();
                if after.starts_with(':') || (after.starts_with('=') && !after.starts_with("==")) {
                    return Some(line);
                }
            }
        }
        None
    }

    /// The value of an operand that is known before the program runs.
    fn known_value(&self, operand: Operand) -> Option<Value> {
        match operand {
            Operand::Constant(id) => Some(id.value()),
            Operand::Primitive(id) => Some(Value::Primitive(id)),
            Operand::Literal(id) => self.builder.literal_value(id).cloned(),
            Operand::Input | Operand::Demos | Operand::Candidate | Operand::Step(_) => None,
        }
    }
}
