//! From columns back to programs.

use std::collections::HashMap;

use batt_core::{Value, tuple_of};
use batt_dsl::{ConstId, Prim};
use batt_program::{BuildError, Operand, Params, Program, ProgramBuilder};
use batt_vision::{Offset, Renaming};

use crate::columns::{ColumnId, Number, Origin};
use crate::cover::Where;
use crate::enumerate::Enumeration;
use crate::formula::Formula;
use crate::operations::{OPERATIONS, primitive_of};
use crate::scalars::{ScalarId, ScalarKind, ScalarOrigin, Term};
use crate::sizes::{Length, Measure, SizeRule};
use crate::solve::Given;
use crate::tables::Table;

/// A part of a program: the operand that has its value.
type Written = Result<Operand, BuildError>;

/// Inputs of the program writer.
pub(crate) struct Source<'a> {
    /// All columns.
    pub(crate) made: &'a Enumeration<'a>,
    /// The columns of which sizes were looked at.
    pub(crate) sizing: &'a Enumeration<'a>,
    /// How large outputs are, if something tells that.
    pub(crate) rule: Option<&'a SizeRule>,
    /// How the task was seen.
    pub(crate) seen: &'a Seen,
    /// Columns that solvers made.
    pub(crate) given: &'a [Given],
}

/// A way to see the colours of a task.
#[derive(Clone, Debug)]
pub(crate) enum Seen {
    /// As they are.
    Plain,
    /// Renamed by what they do.
    Renamed(Renaming),
    /// With the most common colour as background.
    Grounded,
    /// The same, and then renamed by what they do.
    GroundedRenamed(Renaming),
}

/// The program that makes an output.
pub(crate) fn program(formula: &Formula, source: &Source<'_>) -> Result<Program, BuildError> {
    let builder = ProgramBuilder::new(Params::Input);
    let mut writer = Writer { source, builder, input: Operand::Input, known: HashMap::new(), told: HashMap::new() };
    let output = writer.seen(formula)?;
    writer.builder.finish("solve", output)
}

/// Colours and other small numbers as a tuple.
fn tuple<'a>(numbers: impl Iterator<Item = &'a u8>) -> Value {
    tuple_of(numbers.map(|&number| Value::Int(i64::from(number))).collect())
}

/// Which columns a number is one of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum From {
    /// Those that outputs are made of.
    Made,
    /// Those that sizes were looked for in.
    Sizing,
}

struct Writer<'a> {
    source: &'a Source<'a>,
    builder: ProgramBuilder,
    input: Operand,
    known: HashMap<(From, ColumnId), Operand>,
    /// Operands of columns of colours, integers, pairs and booleans.
    told: HashMap<(From, ScalarId), Operand>,
}

impl Writer<'_> {
    /// An output of the task, from a formula for the task as it was seen.
    fn seen(&mut self, formula: &Formula) -> Written {
        let (is_grounded, renaming) = match self.source.seen {
            Seen::Plain => (false, None),
            Seen::Renamed(renaming) => (false, Some(renaming)),
            Seen::Grounded => (true, None),
            Seen::GroundedRenamed(renaming) => (true, Some(renaming)),
        };
        if is_grounded {
            self.input = self.call(Prim::grounded, &[Operand::Input])?;
        }
        let grounded = self.input;
        let renaming = renaming.map(|renaming| self.renaming(renaming)).transpose()?;
        if let Some([kept, measures]) = renaming {
            self.input = self.call(Prim::renamed, &[grounded, kept, measures])?;
        }
        let mut output = self.formula(formula)?;
        if let Some([kept, measures]) = renaming {
            output = self.call(Prim::restored, &[output, grounded, kept, measures])?;
        }
        if is_grounded {
            output = self.call(Prim::grounded_as, &[output, Operand::Input])?;
        }
        // A program makes at least one call.
        if matches!(output, Operand::Step(_)) { Ok(output) } else { self.call(Prim::to_origin, &[output]) }
    }

    fn renaming(&mut self, Renaming { kept, measures }: &Renaming) -> Result<[Operand; 2], BuildError> {
        Ok([self.number(*kept)?, self.builder.literal(tuple(measures.iter()))?])
    }

    fn call(&mut self, primitive: impl Into<Operand>, args: &[Operand]) -> Written {
        self.builder.call(primitive, args)
    }

    fn number(&mut self, number: impl Into<i64>) -> Written {
        self.builder.literal(number.into())
    }

    /// A call with a number as its last argument.
    fn call_with(&mut self, primitive: impl Into<Operand>, args: &[Operand], number: impl Into<i64>) -> Written {
        let args = [args, &[self.number(number)?]].concat();
        self.call(primitive, &args)
    }

    /// A literal of a kind; booleans have names.
    fn literal(&mut self, kind: ScalarKind, value: i32) -> Written {
        match kind {
            ScalarKind::Colour | ScalarKind::Integer => self.number(value),
            ScalarKind::Pair => {
                let Offset { rows, columns } = Offset::of(value);
                self.builder.literal(Value::pair(i64::from(rows), i64::from(columns)))
            }
            ScalarKind::Boolean => match ConstId::by_name(if value == 0 { "F" } else { "T" }) {
                Some(name) => Ok(name.into()),
                None => self.builder.literal(value != 0),
            },
        }
    }

    fn formula(&mut self, formula: &Formula) -> Written {
        match formula {
            Formula::Cover(pieces) => self.cover(pieces),
            Formula::Table(layers, table) => self.table(layers, table),
            Formula::Blocks(across, ids) => self.blocks(*across, ids),
            Formula::Branch(branch) => {
                let test = self.scalar(From::Made, branch.test)?;
                let then = self.formula(&branch.then)?;
                let otherwise = self.formula(&branch.otherwise)?;
                self.call(Prim::branch, &[test, then, otherwise])
            }
        }
    }

    fn columns(&self, from: From) -> &Enumeration<'_> {
        match from {
            From::Made => self.source.made,
            From::Sizing => self.source.sizing,
        }
    }

    /// The value of a column.
    fn column(&mut self, id: ColumnId) -> Written {
        self.column_of(From::Made, id)
    }

    fn column_of(&mut self, from: From, id: ColumnId) -> Written {
        if let Some(&known) = self.known.get(&(from, id)) {
            return Ok(known);
        }
        let value = match (self.columns(from).columns.column(id).origin, from) {
            (Origin::Input, _) | (Origin::Canvas, From::Sizing) => self.input,
            (Origin::Canvas, From::Made) => self.canvas()?,
            (Origin::Given(given), _) => match self.source.given.get(given as usize) {
                Some(given) => self.builder.inline(&given.program, self.input)?,
                None => self.input,
            },
            (Origin::Call { operation, number, each, arguments: [first, second] }, _) => {
                let arguments = [self.column_of(from, first)?, self.column_of(from, second)?];
                self.operation(from, operation, each, arguments, number)?
            }
        };
        self.known.insert((from, id), value);
        Ok(value)
    }

    /// The value of a column of colours, integers, pairs or booleans.
    fn scalar(&mut self, from: From, id: ScalarId) -> Written {
        if let Some(&known) = self.told.get(&(from, id)) {
            return Ok(known);
        }
        let value = match self.columns(from).scalars.origin(id) {
            ScalarOrigin::Measured { operation, which, of } => {
                let of = self.column_of(from, of)?;
                self.call_with(primitive_of(operation), &[of], which)?
            }
            ScalarOrigin::Size(list) => {
                let list = self.column_of(from, list)?;
                self.call(Prim::size, &[list])?
            }
            ScalarOrigin::Literal(value) => self.literal(self.columns(from).scalars.kind(id), value)?,
            ScalarOrigin::Called(verb, [first, second]) => {
                // A pair is made of pairs, and a boolean of integers or colours.
                let is_pair = self.columns(from).scalars.kind(id) == ScalarKind::Pair;
                let kind = if is_pair { ScalarKind::Pair } else { ScalarKind::Integer };
                let terms = [self.term(from, kind, first)?, self.term(from, kind, second)?];
                self.call(verb.primitive(), &terms)?
            }
            ScalarOrigin::Same([first, second]) => {
                let columns = [self.column_of(from, first)?, self.column_of(from, second)?];
                self.call(Prim::equality, &columns)?
            }
        };
        self.told.insert((from, id), value);
        Ok(value)
    }

    fn term(&mut self, from: From, kind: ScalarKind, term: Term) -> Written {
        match term {
            Term::Column(id) => self.scalar(from, id),
            Term::Literal(value) => self.literal(kind, value),
        }
    }

    fn operation(&mut self, from: From, operation: u16, each: bool, [first, second]: [Operand; 2], number: Number) -> Written {
        let (id, operation) = (primitive_of(operation), OPERATIONS[operation as usize]);
        let number = match number {
            _ if !operation.has_argument() => None,
            Number::Column(id) => Some(self.scalar(from, id)?),
            Number::Literal(number) => Some(self.number(number)?),
        };
        if each {
            let function = match number {
                Some(number) => self.call(Prim::rbind, &[id.into(), number])?,
                None => id.into(),
            };
            return self.call(Prim::apply, &[function, first]);
        }
        let second = matches!(operation.kernel, batt_vision::Kernel::Merge(_)).then_some(second);
        let args: Vec<Operand> = std::iter::once(first).chain(second).chain(number).collect();
        self.call(id, &args)
    }

    /// Columns beside each other, so many in a row.
    fn blocks(&mut self, across: usize, ids: &[ColumnId]) -> Written {
        let blocks = ids.iter().map(|&id| self.column(id)).collect::<Result<Vec<_>, _>>()?;
        let rows = blocks.chunks(across).map(|row| self.joined(Prim::hconcat, row)).collect::<Result<Vec<_>, _>>()?;
        self.joined(Prim::vconcat, &rows)
    }

    fn joined(&mut self, join: Prim, parts: &[Operand]) -> Written {
        let Some((&first, others)) = parts.split_first() else { return Ok(self.input) };
        others.iter().try_fold(first, |all, &next| self.call(join, &[all, next]))
    }

    /// The empty output.
    fn canvas(&mut self) -> Written {
        let Some(rule) = self.source.rule else { return Ok(self.input) };
        if let (Some(Measure::Height(height)), Some(Measure::Width(width))) = (rule.height.of, rule.width.of) {
            let plain = |length: &Length| length.times == 1 && length.plus == 0 && length.and.is_none();
            if height == width && plain(&rule.height) && plain(&rule.width) {
                let sized = self.column_of(From::Sizing, height)?;
                let at_home = self.call(Prim::to_origin, &[sized])?;
                return self.call_with(Prim::hull, &[at_home], 0);
            }
        }
        if let (Some(Measure::Rows(pair)), Some(Measure::Columns(other))) = (rule.height.of, rule.width.of)
            && pair == other
        {
            let dimensions = self.scalar(From::Sizing, pair)?;
            return self.blank(dimensions);
        }
        let sides = [self.length(rule.height)?, self.length(rule.width)?];
        let dimensions = self.call(Prim::astuple, &sides)?;
        self.blank(dimensions)
    }

    fn blank(&mut self, dimensions: Operand) -> Written {
        let background = self.number(0)?;
        self.call(Prim::canvas, &[background, dimensions])
    }

    /// A length: a literal or a call.
    fn length(&mut self, length: Length) -> Written {
        let Some(of) = length.of else { return self.number(length.plus) };
        let mut value = self.measure(of)?;
        if length.times != 1 {
            value = self.call_with(Prim::multiply, &[value], length.times)?;
        }
        if let Some(and) = length.and {
            let other = self.measure(and)?;
            value = self.call(Prim::add, &[value, other])?;
        }
        if length.plus == 0 { Ok(value) } else { self.call_with(Prim::add, &[value], length.plus) }
    }

    fn measure(&mut self, measure: Measure) -> Written {
        let (side, id) = match measure {
            Measure::Height(id) => (Prim::height, id),
            Measure::Width(id) => (Prim::width, id),
            Measure::Number(id) => return self.scalar(From::Sizing, id),
            Measure::Rows(id) | Measure::Columns(id) => {
                let pair = self.scalar(From::Sizing, id)?;
                return self.call(if matches!(measure, Measure::Rows(_)) { Prim::first } else { Prim::last }, &[pair]);
            }
        };
        let sized = self.column_of(From::Sizing, id)?;
        let at_home = self.call(Prim::to_origin, &[sized])?;
        self.call(side, &[at_home])
    }

    /// Pieces laid over each other, the last one lowest.
    fn cover(&mut self, pieces: &[(ColumnId, Where)]) -> Written {
        let mut below: Option<Operand> = None;
        for &(id, place) in pieces.iter().rev() {
            let piece = self.column(id)?;
            below = Some(match (place, below) {
                (Where::Everywhere, _) | (Where::Cells, None) => piece,
                (Where::Background, None) => self.call_with(Prim::hull, &[piece], 0)?,
                (Where::Cells, Some(below)) => self.call_with(Prim::over, &[piece, below], 0)?,
                (Where::Background, Some(below)) => self.call_with(Prim::masked, &[below, piece], 0)?,
            });
        }
        Ok(below.unwrap_or(self.input))
    }

    fn table(&mut self, layers: &[ColumnId], table: &Table) -> Written {
        let layers = layers.iter().map(|&id| self.column(id)).collect::<Result<Vec<_>, _>>()?;
        let (first, second, others) = match layers.as_slice() {
            [] => return Ok(self.input),
            [only] => {
                let mut map: [u8; batt_vision::COLOURS] = std::array::from_fn(|colour| colour as u8);
                for (key, colour) in table {
                    map[key[0] as usize] = *colour;
                }
                let map = self.builder.literal(tuple(map.iter()))?;
                return self.call(Prim::recoloured, &[*only, map]);
            }
            [first, second, others @ ..] => (*first, *second, others),
        };
        let mut all = self.call(Prim::astuple, &[first, second])?;
        for &layer in others {
            let alone = self.call_with(Prim::repeat, &[layer], 1)?;
            all = self.call(Prim::combine, &[all, alone])?;
        }
        let rows = table.iter().map(|(key, colour)| tuple(key.iter().chain([colour])));
        let rows = self.builder.literal(tuple_of(rows.collect()))?;
        self.call(Prim::tabled, &[all, rows])
    }
}
