//! Messages about Python outside the subset.

use super::Parser;
use crate::Diagnostic;
use crate::lex::{Lexer, Token, TokenKind, is_keyword};

const STATEMENTS: &str = "a program is a list of assignments `x = f(..)` and a `return`";

impl Parser<'_> {
    /// The current token is not what is wanted here.
    #[cold]
    pub(super) fn unexpected(&self, wanted: &str) -> Diagnostic {
        let token = self.token;
        let text = self.text(token);
        let at = |message: &str| Diagnostic::new(token.span, message);
        if let Some(error) = self.unclosed(token) {
            return error;
        }
        match token.kind {
            TokenKind::Name if is_keyword(text) && text != "return" && text != "def" => self.keyword_in_expression(token),
            TokenKind::String if text.starts_with(['f', 'F']) => at("f-strings are not supported"),
            TokenKind::String => at("strings are not supported"),
            TokenKind::OpenString => at("the string has no end"),
            TokenKind::Stray => {
                let c = text.chars().next().unwrap_or(char::REPLACEMENT_CHARACTER);
                let shown = if c.is_control() || c.is_whitespace() { String::new() } else { format!(" `{c}`") };
                at(&format!("unexpected character{shown} (U+{:04X})", u32::from(c)))
            }
            TokenKind::LeftBracket if wanted == "an expression" => at("lists are not supported").with_help("write a tuple: `(a, b)`"),
            TokenKind::LeftBracket => at("subscripts are not supported").with_help("use `first`, `last`, `index` or `get_nth_t`"),
            TokenKind::LeftBrace => at("a set is written `frozenset({..})`"),
            TokenKind::Minus | TokenKind::Plus | TokenKind::Operator if wanted != "an expression" => self.operator(token),
            _ => at(&format!("expected {wanted}, found {}", self.found())),
        }
    }

    fn operator(&self, token: Token) -> Diagnostic {
        let text = self.text(token);
        let primitive = match text {
            "." => return Diagnostic::new(token.span, "attributes are not supported"),
            ";" => return Diagnostic::new(token.span, "there is one statement a line"),
            ":=" => return Diagnostic::new(token.span, "`:=` is not supported").with_help(STATEMENTS),
            "+" => "add",
            "-" => "subtract",
            "*" => "multiply",
            "/" | "//" => "divide",
            "==" => "equality",
            "<" | ">" => "greater",
            "&" => "intersection",
            _ => return Diagnostic::new(token.span, format!("the operator `{text}` is not supported")),
        };
        Diagnostic::new(token.span, format!("the operator `{text}` is not supported")).with_help(format!("use `{primitive}(a, b)`"))
    }

    /// The current token, in words.
    fn found(&self) -> String {
        match self.token.kind {
            TokenKind::End => "the end of the text".to_owned(),
            TokenKind::Newline => "the end of the line".to_owned(),
            _ => format!("`{}`", self.text(self.token)),
        }
    }

    /// The error of an unclosed bracket, if `token` shows one: the text ends, or something starts that cannot be inside brackets.
    pub(super) fn unclosed(&self, token: Token) -> Option<Diagnostic> {
        let next_statement = token.kind == TokenKind::Name && matches!(self.text(token), "def" | "return");
        if !next_statement && !matches!(token.kind, TokenKind::End | TokenKind::Newline) && !self.starts_assignment() {
            return None;
        }
        let open = self.innermost_open(token.span.offset)?;
        Some(Diagnostic::new(open.span, format!("`{}` is never closed", self.text(open))))
    }

    /// The innermost bracket of the function that is open at a place.
    fn innermost_open(&self, end: u32) -> Option<Token> {
        let mut lexer = Lexer::new(self.source);
        let start = self.function_start;
        lexer.restart(start.offset as usize, start.line);
        let mut open = Vec::new();
        loop {
            let mut token = lexer.next_token();
            if token.kind == TokenKind::End || token.span.offset >= end {
                return open.pop();
            }
            match token.kind {
                TokenKind::LeftParen | TokenKind::LeftBrace | TokenKind::LeftBracket => {
                    // The lexer counts columns from where it started.
                    if token.span.line == start.line {
                        token.span.column += start.column - 1;
                    }
                    open.push(token);
                }
                TokenKind::RightParen | TokenKind::RightBrace | TokenKind::RightBracket => {
                    open.pop();
                }
                _ => {}
            }
        }
    }

    /// Whether the current token is a name on a later line than the one before it, as when a bracket was forgotten.
    fn starts_assignment(&self) -> bool {
        if self.token.kind != TokenKind::Name {
            return false;
        }
        let Some(between) = self.source.get(self.last_end as usize..self.token.span.offset as usize) else { return false };
        let after =
            self.source.get((self.token.span.offset + self.token.span.len) as usize..).unwrap_or("").trim_start_matches([' ', '\t']);
        between.contains(['\n', '\r']) && after.starts_with('=') && !after.starts_with("==")
    }

    /// Something at the start of a line that is neither a function nor an import.
    pub(super) fn outside_function(&self) -> Diagnostic {
        let token = self.token;
        match token.kind {
            TokenKind::Name => Diagnostic::new(token.span, format!("expected `def`, found `{}`", self.text(token)))
                .with_help("a file of programs has imports and functions only"),
            TokenKind::Operator if self.text(token) == "@" => Diagnostic::new(token.span, "decorators are not supported"),
            TokenKind::Stray | TokenKind::OpenString => self.unexpected("`def`"),
            _ => Diagnostic::new(token.span, format!("expected `def`, found {}", self.found())),
        }
    }

    /// A keyword where a statement starts.
    pub(super) fn keyword_statement(&self) -> Diagnostic {
        let token = self.token;
        let word = self.text(token);
        let message = match word {
            "def" => "functions inside functions are not supported".to_owned(),
            "for" | "while" => format!("`{word}` loops are not supported"),
            "True" | "False" | "None" => format!("expected an assignment or `return`, found `{word}`"),
            _ => format!("`{word}` statements are not supported"),
        };
        let help = match word {
            "if" | "elif" | "else" => "use `branch(condition, a, b)`",
            "for" | "while" => "use `apply`, `mapply`, `sfilter` or `power`",
            _ => STATEMENTS,
        };
        Diagnostic::new(token.span, message).with_help(help)
    }

    /// A keyword inside an expression.
    pub(super) fn keyword_in_expression(&self, token: Token) -> Diagnostic {
        let word = self.text(token);
        let (message, help) = match word {
            "lambda" => ("`lambda` is not supported".to_owned(), "make functions with `compose`, `fork`, `lbind`, `rbind` and the like"),
            "for" | "async" => ("comprehensions are not supported".to_owned(), "use `apply`, `mapply` or `sfilter`"),
            "if" | "else" => ("conditional expressions are not supported".to_owned(), "use `branch(condition, a, b)`"),
            "and" => (format!("the operator `{word}` is not supported"), "use `both(a, b)`"),
            "or" => (format!("the operator `{word}` is not supported"), "use `either(a, b)`"),
            "not" => (format!("the operator `{word}` is not supported"), "use `flip(a)`"),
            "in" => (format!("the operator `{word}` is not supported"), "use `contained(value, container)`"),
            "is" => (format!("the operator `{word}` is not supported"), "use `equality(a, b)`"),
            "None" => ("`None` is not a value here".to_owned(), "a call without an answer is undefined"),
            _ => return Diagnostic::new(token.span, format!("expected an expression, found `{word}`")),
        };
        Diagnostic::new(token.span, message).with_help(help)
    }

    /// A statement that starts with a name and sets nothing.
    pub(super) fn no_assignment(&self, name: Token) -> Diagnostic {
        let text = self.text(name);
        match self.token.kind {
            TokenKind::LeftParen => {
                Diagnostic::new(name.span, format!("the value of this call of `{text}` is not used")).with_help(STATEMENTS)
            }
            TokenKind::Comma => Diagnostic::new(name.span, "a statement sets one variable only"),
            TokenKind::Operator if self.text(self.token) != "." && self.text(self.token).ends_with('=') => {
                Diagnostic::new(self.token.span, format!("`{}` is not supported", self.text(self.token))).with_help(STATEMENTS)
            }
            TokenKind::Newline | TokenKind::End => Diagnostic::new(name.span, format!("expected `=` after `{text}`")).with_help(STATEMENTS),
            _ => self.unexpected("`=`"),
        }
    }
}
