//! Expressions: names, literals and calls.

use batt_core::{PrimId, Value, tuple_of};
use batt_dsl::{Prim, primitive};

use super::{Parsed, Parser};
use crate::builder::wrong_arity;
use crate::lex::{Token, TokenKind};
use crate::{BuildError, Diagnostic, Operand, Span};

/// How deep expressions may be nested: the parser recurses as deep.
const MAX_NESTING: u32 = 100;

/// A part of an expression: a literal becomes an operand only where it is used, since it may be part of another.
enum Item {
    Operand(Operand),
    Value(Value),
}

impl Parser<'_> {
    /// The right side of an assignment, or what is returned: an expression, or a tuple without its brackets.
    pub(super) fn value(&mut self) -> Parsed<(Operand, Span)> {
        let start = self.token.span;
        let (item, _) = self.item()?;
        if self.token.kind != TokenKind::Comma {
            let span = self.since(start);
            return Ok((self.operand(item, span)?, span));
        }
        let mut items = vec![item];
        while self.take(TokenKind::Comma) {
            if matches!(self.token.kind, TokenKind::Newline | TokenKind::End) {
                break;
            }
            items.push(self.item()?.0);
        }
        let span = self.since(start);
        let tuple = self.tuple(items, span)?;
        Ok((self.operand(tuple, span)?, span))
    }

    fn operand(&mut self, item: Item, span: Span) -> Parsed<Operand> {
        match item {
            Item::Operand(operand) => Ok(operand),
            Item::Value(value) => self.builder.literal(value).map_err(|error| refused(&error, span)),
        }
    }

    fn item(&mut self) -> Parsed<(Item, Span)> {
        let start = self.token;
        if start.kind == TokenKind::Name {
            self.bump();
        }
        self.item_from(start)
    }

    /// An item from its first token, which is stepped over already if it is a name.
    fn item_from(&mut self, start: Token) -> Parsed<(Item, Span)> {
        if self.nesting == MAX_NESTING {
            return Err(Diagnostic::new(start.span, format!("expressions are nested more than {MAX_NESTING} deep here")));
        }
        self.nesting += 1;
        let result = self.item_at_depth(start);
        self.nesting -= 1;
        result
    }

    fn item_at_depth(&mut self, start: Token) -> Parsed<(Item, Span)> {
        let item = match start.kind {
            TokenKind::Name => self.name(start)?,
            TokenKind::Number => {
                self.bump();
                Item::Value(self.integer(start, false, start.span)?)
            }
            TokenKind::Minus | TokenKind::Plus => {
                self.bump();
                let number = self.expect(TokenKind::Number, "a number after the sign")?;
                let item = Item::Value(self.integer(number, start.kind == TokenKind::Minus, self.since(start.span))?);
                // Python would call the number and change the sign of the result.
                return Ok((item, self.since(start.span)));
            }
            TokenKind::LeftParen => self.parenthesised()?,
            _ => return Err(self.unexpected("an expression")),
        };
        let item = self.calls(item, start.span)?;
        Ok((item, self.since(start.span)))
    }

    /// The calls that follow an item: `f(x)(y)`.
    fn calls(&mut self, mut item: Item, start: Span) -> Parsed<Item> {
        while self.token.kind == TokenKind::LeftParen {
            let callee = self.operand(item, self.since(start))?;
            item = Item::Operand(self.call(callee, start)?);
        }
        Ok(item)
    }

    fn name(&mut self, token: Token) -> Parsed<Item> {
        match self.text(token) {
            "True" => Ok(Item::Value(Value::Bool(true))),
            "False" => Ok(Item::Value(Value::Bool(false))),
            "frozenset" if !self.names.is_variable("frozenset") => self.frozenset(token).map(Item::Value),
            _ => self.look_up(token).map(Item::Operand),
        }
    }

    fn integer(&self, token: Token, negative: bool, span: Span) -> Parsed<Value> {
        let text = self.text(token);
        if text.contains('.') {
            return Err(Diagnostic::new(span, "fractions are not supported").with_help("numbers are integers"));
        }
        let digits = text.bytes().all(|b| b.is_ascii_digit() || b == b'_');
        if !digits || (text.len() > 1 && text.starts_with('0')) || text.ends_with('_') || text.contains("__") {
            return Err(
                Diagnostic::new(span, format!("`{text}` is not a number")).with_help("write integers in decimal, without leading zeros")
            );
        }
        let limit = i64::MAX.unsigned_abs() + u64::from(negative);
        let magnitude = text.bytes().filter(|&b| b != b'_').try_fold(0u64, |n, b| n.checked_mul(10)?.checked_add(u64::from(b - b'0')));
        match magnitude.filter(|&n| n <= limit) {
            Some(n) if negative => Ok(Value::Int(0i64.wrapping_sub_unsigned(n))),
            Some(n) => Ok(Value::Int(n.cast_signed())),
            None => Err(Diagnostic::new(span, "the integer does not fit 64 bits")),
        }
    }

    /// A tuple, or an expression in brackets.
    fn parenthesised(&mut self) -> Parsed<Item> {
        let open = self.bump();
        if self.take(TokenKind::RightParen) {
            return Ok(Item::Value(Value::empty_tuple()));
        }
        let (first, _) = self.item()?;
        if self.take(TokenKind::RightParen) {
            return Ok(first);
        }
        let mut items = vec![first];
        self.more_items(&mut items, TokenKind::RightParen, "`,` or `)`")?;
        self.tuple(items, self.since(open.span))
    }

    /// The rest of a list of items after the first, and the bracket that closes it.
    fn more_items(&mut self, items: &mut Vec<Item>, close: TokenKind, what: &str) -> Parsed<()> {
        while self.take(TokenKind::Comma) {
            if self.token.kind == close {
                break;
            }
            items.push(self.item()?.0);
        }
        self.expect(close, what)?;
        Ok(())
    }

    fn tuple(&mut self, items: Vec<Item>, span: Span) -> Parsed<Item> {
        if let Some(values) = self.literal_values(&items) {
            return literal(tuple_of(values), span).map(Item::Value);
        }
        if items.len() != 2 {
            let message = format!(
                "a tuple of {} with variables in it",
                if items.len() == 1 { "one item".to_owned() } else { format!("{} items", items.len()) }
            );
            return Err(Diagnostic::new(span, message)
                .with_help("use `repeat`, `astuple` or `combine`; other tuples may contain literals and constants only"));
        }
        let mut args = [(Operand::Input, span); 2];
        for (arg, item) in args.iter_mut().zip(items) {
            arg.0 = self.operand(item, span)?;
        }
        let made = self.builder.call_at(Operand::from(Prim::astuple), span, &args).map_err(|error| refused(&error, span))?;
        Ok(Item::Operand(made))
    }

    fn literal_values(&self, items: &[Item]) -> Option<Vec<Value>> {
        items
            .iter()
            .map(|item| match item {
                Item::Value(value) => Some(value.clone()),
                Item::Operand(operand) => self.known_value(*operand),
            })
            .collect()
    }

    /// `frozenset()` or `frozenset({..})`.
    fn frozenset(&mut self, name: Token) -> Parsed<Value> {
        self.expect(TokenKind::LeftParen, "`(` after `frozenset`")?;
        if self.take(TokenKind::RightParen) {
            return Ok(Value::empty_set());
        }
        self.expect(TokenKind::LeftBrace, "`{` and the items of the set")?;
        let mut items = Vec::new();
        if self.token.kind == TokenKind::RightBrace {
            self.bump();
        } else {
            items.push(self.item()?.0);
            self.more_items(&mut items, TokenKind::RightBrace, "`,` or `}`")?;
        }
        self.expect(TokenKind::RightParen, "`)`")?;
        let span = self.since(name.span);
        let Some(values) = self.literal_values(&items) else {
            let error = Diagnostic::new(span, "a set with variables in it");
            return Err(error.with_help("use `initset` and `insert`; `frozenset({..})` may contain literals and constants only"));
        };
        literal(Value::set_of(values), span)
    }

    /// A call, from its opening bracket.
    fn call(&mut self, callee: Operand, start: Span) -> Parsed<Operand> {
        let base = self.arguments.len();
        self.bump();
        let mut keywords: Vec<(Token, usize)> = Vec::new();
        while self.token.kind != TokenKind::RightParen {
            self.argument(callee, &mut keywords)?;
            if !self.take(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::RightParen, "`,` or `)`")?;
        let span = self.since(start);
        if !keywords.is_empty() {
            self.place_keywords(callee, base, &keywords, span)?;
        }
        let made = self.builder.call_at(callee, span, &self.arguments[base..]);
        self.arguments.truncate(base);
        made.map_err(|error| refused(&error, span))
    }

    fn argument(&mut self, callee: Operand, keywords: &mut Vec<(Token, usize)>) -> Parsed<()> {
        let start = self.token;
        let (item, span) = if start.kind == TokenKind::Name {
            self.bump();
            if self.take(TokenKind::Equal) {
                keywords.push((start, self.keyword(callee, start)?));
                let (item, span) = self.item()?;
                let operand = self.operand(item, span)?;
                self.arguments.push((operand, span));
                return Ok(());
            }
            self.item_from(start)?
        } else {
            self.item()?
        };
        if !keywords.is_empty() {
            return Err(Diagnostic::new(span, "an argument without a name after one with a name"));
        }
        let operand = self.operand(item, span)?;
        self.arguments.push((operand, span));
        Ok(())
    }

    /// The position of the parameter that a keyword names.
    fn keyword(&self, callee: Operand, token: Token) -> Parsed<usize> {
        let name = self.text(token);
        let Operand::Primitive(id) = callee else {
            let error = Diagnostic::new(token.span, format!("the argument `{name}` has a name, but only primitives have named parameters"));
            return Err(error.with_help("only the parameters of primitives have names"));
        };
        let params = primitive(id).params;
        params.iter().position(|param| param.name == name).ok_or_else(|| {
            let names: Vec<&str> = params.iter().map(|param| param.name).collect();
            let message = format!("`{}` has no parameter `{name}`", primitive(id).name);
            Diagnostic::new(token.span, message).with_help(format!("its parameters are ({})", names.join(", ")))
        })
    }

    /// Puts the arguments with names where their parameters are.
    fn place_keywords(&mut self, callee: Operand, base: usize, keywords: &[(Token, usize)], span: Span) -> Parsed<()> {
        let Operand::Primitive(id) = callee else { return Ok(()) };
        let given = self.arguments.len() - base;
        let positional = given - keywords.len();
        let mut placed: Vec<Option<(Operand, Span)>> = vec![None; primitive(id).params.len().max(given)];
        for (k, &argument) in self.arguments[base..].iter().enumerate() {
            let place = if k < positional { k } else { keywords[k - positional].1 };
            if placed[place].is_some() {
                let (token, _) = keywords[k - positional];
                return Err(Diagnostic::new(token.span, format!("the argument `{}` is given twice", self.text(token))));
            }
            placed[place] = Some(argument);
        }
        placed.truncate(primitive(id).params.len());
        let complete: Option<Vec<_>> = placed.into_iter().collect();
        let Some(complete) = complete.filter(|all| all.len() == given) else {
            return Err(arity_error(id, given, span));
        };
        self.arguments.truncate(base);
        self.arguments.extend(complete);
        Ok(())
    }
}

fn literal(value: Value, span: Span) -> Parsed<Value> {
    if value.depth() > Value::MAX_DEPTH {
        return Err(refused(&BuildError::TooDeep(value.depth()), span));
    }
    Ok(value)
}

fn arity_error(id: PrimId, given: usize, span: Span) -> Diagnostic {
    Diagnostic::new(span, wrong_arity(id, given))
}

/// Why the builder does not take something, as an error at a place.
fn refused(error: &BuildError, span: Span) -> Diagnostic {
    match error {
        BuildError::WrongArity { primitive, given } => arity_error(*primitive, *given, span),
        _ => Diagnostic::new(span, error.to_string()),
    }
}
