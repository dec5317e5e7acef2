//! From columns back to program text.

use std::collections::HashMap;
use std::fmt::Write as _;

use batt_vision::{Renaming, Step};

use crate::columns::{ColumnId, Number, Origin};
use crate::cover::Where;
use crate::enumerate::Enumeration;
use crate::formula::Formula;
use crate::near::{lines_of, renamed};
use crate::operations::OPERATIONS;
use crate::scalars::{ScalarId, ScalarKind, ScalarOrigin, Term};
use crate::sizes::{Length, Measure, SizeRule};
use crate::solve::Given;
use crate::tables::Table;

/// The lines of a program being written.
#[derive(Default)]
struct Lines {
    text: String,
    count: usize,
}

impl Lines {
    /// A line for a call, and the variable that it sets.
    fn call(&mut self, call: &str) -> String {
        self.count += 1;
        let variable = format!("x{}", self.count);
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "    {variable} = {call}");
        variable
    }
}

/// What a program is written from.
pub(crate) struct Source<'a> {
    /// All columns.
    pub(crate) made: &'a Enumeration<'a>,
    /// The columns of which sizes were looked at.
    pub(crate) sizing: &'a Enumeration<'a>,
    /// How large outputs are, if something tells that.
    pub(crate) rule: Option<&'a SizeRule>,
    /// How the task was seen.
    pub(crate) seen: &'a Seen,
    /// Columns that members made.
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

/// The text of the program that makes an output.
pub(crate) fn program(name: &str, formula: &Formula, source: &Source<'_>) -> String {
    let mut writer = Writer { source, lines: Lines::default(), input: "I".to_owned(), known: HashMap::new(), told: HashMap::new() };
    if let Seen::Grounded | Seen::GroundedRenamed(_) = source.seen {
        writer.input = writer.lines.call("grounded(I)");
    }
    let grounded = writer.input.clone();
    if let Seen::Renamed(renaming) | Seen::GroundedRenamed(renaming) = source.seen {
        writer.input = writer.lines.call(&format!("renamed({grounded}, {}, {})", renaming.kept, measures(renaming)));
    }
    let mut output = writer.formula(formula);
    if let Seen::Renamed(renaming) | Seen::GroundedRenamed(renaming) = source.seen {
        output = writer.lines.call(&format!("restored({output}, {grounded}, {}, {})", renaming.kept, measures(renaming)));
    }
    if let Seen::Grounded | Seen::GroundedRenamed(_) = source.seen {
        output = writer.lines.call(&format!("grounded_as({output}, I)"));
    }
    let mut text = format!("def {name}(I):\n");
    // The last line sets what the program returns.
    let last = format!("    {output} = ");
    if let Some(place) = writer.lines.text.rfind(&last) {
        text.push_str(&writer.lines.text[..place]);
        text.push_str("    O = ");
        text.push_str(&writer.lines.text[place + last.len()..]);
    } else {
        text.push_str(&writer.lines.text);
        let _ = writeln!(text, "    O = to_origin({output})");
    }
    text.push_str("    return O\n");
    text
}

fn measures(renaming: &Renaming) -> String {
    tuple(renaming.measures.iter())
}

fn tuple<T: std::fmt::Display>(items: impl Iterator<Item = T>) -> String {
    let items: Vec<String> = items.map(|item| item.to_string()).collect();
    if items.len() == 1 { format!("({},)", items[0]) } else { format!("({})", items.join(", ")) }
}

/// A literal of a kind.
fn literal(kind: ScalarKind, value: i32) -> String {
    match kind {
        ScalarKind::Pair => {
            let Step { rows, columns } = Step::of(value);
            format!("({rows}, {columns})")
        }
        ScalarKind::Boolean => if value == 0 { "F" } else { "T" }.to_owned(),
        ScalarKind::Colour | ScalarKind::Integer => value.to_string(),
    }
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
    lines: Lines,
    input: String,
    known: HashMap<(From, ColumnId), String>,
    /// The same for columns of colours, integers, pairs and booleans.
    told: HashMap<(From, ScalarId), String>,
}

impl Writer<'_> {
    fn formula(&mut self, formula: &Formula) -> String {
        match formula {
            Formula::Cover(pieces) => self.cover(pieces),
            Formula::Table(layers, table) => self.table(layers, table),
            Formula::Blocks(across, ids) => self.blocks(*across, ids),
            Formula::Branch(branch) => {
                let test = self.scalar(From::Made, branch.test);
                let then = self.formula(&branch.then);
                let otherwise = self.formula(&branch.otherwise);
                self.lines.call(&format!("branch({test}, {then}, {otherwise})"))
            }
        }
    }

    fn columns(&self, from: From) -> &Enumeration<'_> {
        match from {
            From::Made => self.source.made,
            From::Sizing => self.source.sizing,
        }
    }

    /// The variable of a column.
    fn column(&mut self, id: ColumnId) -> String {
        self.column_of(From::Made, id)
    }

    fn column_of(&mut self, from: From, id: ColumnId) -> String {
        if let Some(known) = self.known.get(&(from, id)) {
            return known.clone();
        }
        let variable = match (self.columns(from).columns.column(id).origin, from) {
            (Origin::Input, _) | (Origin::Canvas, From::Sizing) => self.input.clone(),
            (Origin::Canvas, From::Made) => self.canvas(),
            (Origin::Given(given), _) => self.given(given),
            (Origin::Call { operation, number, each, arguments }, _) => {
                let arguments = arguments.map(|argument| self.column_of(from, argument));
                let number = match number {
                    Number::Literal(number) => number.to_string(),
                    Number::Column(id) => self.scalar(from, id),
                };
                self.call(operation, each, &arguments, &number)
            }
        };
        self.known.insert((from, id), variable.clone());
        variable
    }

    /// The variable of what a member's program gives.
    fn given(&mut self, given: u16) -> String {
        let source = self.source;
        let mut names: HashMap<&str, String> = HashMap::from([("I", self.input.clone())]);
        let mut last = self.input.clone();
        for line in source.given.get(given as usize).into_iter().flat_map(|given| lines_of(&given.program)) {
            let Some((name, call)) = line.trim_start().split_once(" = ") else { continue };
            last = self.lines.call(&renamed(call, |name| names.get(name).cloned()));
            names.insert(name, last.clone());
        }
        last
    }

    /// The variable of a column of colours, integers, pairs or booleans.
    fn scalar(&mut self, from: From, id: ScalarId) -> String {
        if let Some(known) = self.told.get(&(from, id)) {
            return known.clone();
        }
        let variable = match self.columns(from).scalars.origin(id) {
            ScalarOrigin::Measured { operation, which, of } => {
                let of = self.column_of(from, of);
                self.lines.call(&format!("{}({of}, {which})", OPERATIONS[operation as usize].name))
            }
            ScalarOrigin::Size(list) => {
                let list = self.column_of(from, list);
                self.lines.call(&format!("size({list})"))
            }
            ScalarOrigin::Literal(value) => literal(self.columns(from).scalars.kind(id), value),
            ScalarOrigin::Called(verb, terms) => {
                // A pair is made of pairs, and a boolean of integers or colours.
                let is_pair = self.columns(from).scalars.kind(id) == ScalarKind::Pair;
                let kind = if is_pair { ScalarKind::Pair } else { ScalarKind::Integer };
                let [first, second] = terms.map(|term| match term {
                    Term::Column(id) => self.scalar(from, id),
                    Term::Literal(value) => literal(kind, value),
                });
                self.lines.call(&format!("{}({first}, {second})", verb.name()))
            }
            ScalarOrigin::Same(ids) => {
                let [first, second] = ids.map(|id| self.column_of(from, id));
                self.lines.call(&format!("equality({first}, {second})"))
            }
        };
        self.told.insert((from, id), variable.clone());
        variable
    }

    fn call(&mut self, operation: u16, each: bool, [first, second]: &[String; 2], number: &str) -> String {
        let operation = &OPERATIONS[operation as usize];
        let name = operation.name;
        let merges = matches!(operation.coarse.kernel, batt_vision::Kernel::Merge(_));
        let call = match (each, merges, operation.coarse.has_number()) {
            (true, _, true) => format!("apply(rbind({name}, {number}), {first})"),
            (true, _, false) => format!("apply({name}, {first})"),
            (false, true, true) => format!("{name}({first}, {second}, {number})"),
            (false, true, false) => format!("{name}({first}, {second})"),
            (false, false, true) => format!("{name}({first}, {number})"),
            (false, false, false) => format!("{name}({first})"),
        };
        self.lines.call(&call)
    }

    /// Columns beside each other, so many in a row.
    fn blocks(&mut self, across: usize, ids: &[ColumnId]) -> String {
        let variables: Vec<String> = ids.iter().map(|&id| self.column(id)).collect();
        let mut joined = |name: &str, parts: Vec<String>| {
            parts.into_iter().reduce(|all, next| self.lines.call(&format!("{name}({all}, {next})"))).unwrap_or_default()
        };
        let rows: Vec<String> = variables.chunks(across).map(|row| joined("hconcat", row.to_vec())).collect();
        joined("vconcat", rows)
    }

    /// The variable of the empty output.
    fn canvas(&mut self) -> String {
        let Some(rule) = self.source.rule else { return self.input.clone() };
        if let (Some(Measure::Height(height)), Some(Measure::Width(width))) = (rule.height.of, rule.width.of) {
            let plain = |length: &Length| length.times == 1 && length.plus == 0 && length.and.is_none();
            if height == width && plain(&rule.height) && plain(&rule.width) {
                let sized = self.column_of(From::Sizing, height);
                let at_home = self.lines.call(&format!("to_origin({sized})"));
                return self.lines.call(&format!("hull({at_home}, 0)"));
            }
        }
        if let (Some(Measure::Rows(pair)), Some(Measure::Columns(other))) = (rule.height.of, rule.width.of)
            && pair == other
        {
            let dimensions = self.scalar(From::Sizing, pair);
            return self.lines.call(&format!("canvas(0, {dimensions})"));
        }
        let rows = self.length(rule.height);
        let columns = self.length(rule.width);
        let dimensions = self.lines.call(&format!("astuple({rows}, {columns})"));
        self.lines.call(&format!("canvas(0, {dimensions})"))
    }

    /// An expression for a length: a number or a variable.
    fn length(&mut self, length: Length) -> String {
        let Some(of) = length.of else { return length.plus.to_string() };
        let mut value = self.measure(of);
        if length.times != 1 {
            value = self.lines.call(&format!("multiply({value}, {})", length.times));
        }
        if let Some(and) = length.and {
            let other = self.measure(and);
            value = self.lines.call(&format!("add({value}, {other})"));
        }
        match length.plus {
            0 => value,
            plus => self.lines.call(&format!("add({value}, {plus})")),
        }
    }

    fn measure(&mut self, measure: Measure) -> String {
        let (name, id) = match measure {
            Measure::Height(id) => ("height", id),
            Measure::Width(id) => ("width", id),
            Measure::Number(id) => return self.scalar(From::Sizing, id),
            Measure::Rows(id) | Measure::Columns(id) => {
                let pair = self.scalar(From::Sizing, id);
                let name = if matches!(measure, Measure::Rows(_)) { "first" } else { "last" };
                return self.lines.call(&format!("{name}({pair})"));
            }
        };
        let sized = self.column_of(From::Sizing, id);
        let at_home = self.lines.call(&format!("to_origin({sized})"));
        self.lines.call(&format!("{name}({at_home})"))
    }

    /// Pieces laid over each other, the last one lowest.
    fn cover(&mut self, pieces: &[(ColumnId, Where)]) -> String {
        let mut below: Option<String> = None;
        for &(id, place) in pieces.iter().rev() {
            let piece = self.column(id);
            below = Some(match (place, below) {
                (Where::Everywhere, _) | (Where::Cells, None) => piece,
                (Where::Background, None) => self.lines.call(&format!("hull({piece}, 0)")),
                (Where::Cells, Some(below)) => self.lines.call(&format!("over({piece}, {below}, 0)")),
                (Where::Background, Some(below)) => self.lines.call(&format!("masked({below}, {piece}, 0)")),
            });
        }
        below.unwrap_or_else(|| self.input.clone())
    }

    fn table(&mut self, layers: &[ColumnId], table: &Table) -> String {
        let variables: Vec<String> = layers.iter().map(|&id| self.column(id)).collect();
        if let [only] = variables.as_slice() {
            let mut map: [u8; batt_vision::COLOURS] = std::array::from_fn(|colour| colour as u8);
            for (key, colour) in table {
                map[key[0] as usize] = *colour;
            }
            return self.lines.call(&format!("recoloured({only}, {})", tuple(map.iter())));
        }
        let mut all = self.lines.call(&format!("astuple({}, {})", variables[0], variables[1]));
        for variable in &variables[2..] {
            let one = self.lines.call(&format!("repeat({variable}, 1)"));
            all = self.lines.call(&format!("combine({all}, {one})"));
        }
        let rows = table.iter().map(|(key, colour)| tuple(key.iter().chain([colour])));
        self.lines.call(&format!("tabled({all}, {})", tuple(rows)))
    }
}
