//! From columns back to program text.

use std::collections::HashMap;
use std::fmt::Write as _;

use batt_image::Renaming;

use crate::columns::{ColumnId, Columns, Origin};
use crate::cover::Where;
use crate::operations::OPERATIONS;
use crate::sizes::{Axis, Length, SizeRule};
use crate::solve::Formula;
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
    pub(crate) columns: &'a Columns,
    /// The columns of which sizes were looked at.
    pub(crate) sizing: &'a Columns,
    /// How large outputs are.
    pub(crate) rule: &'a SizeRule,
    /// How the task was seen.
    pub(crate) seen: &'a Seen,
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
}

/// The text of the program that makes an output.
pub(crate) fn program(name: &str, formula: &Formula, source: &Source<'_>) -> String {
    let mut writer = Writer { source, lines: Lines::default(), input: "I".to_owned(), known: HashMap::new(), sized: HashMap::new() };
    match source.seen {
        Seen::Plain => {}
        Seen::Renamed(renaming) => writer.input = writer.lines.call(&format!("renamed(I, {}, {})", renaming.kept, measures(renaming))),
        Seen::Grounded => writer.input = writer.lines.call("grounded(I)"),
    }
    let mut output = match formula {
        Formula::Cover(pieces) => writer.cover(pieces),
        Formula::Table(layers, table) => writer.table(layers, table),
    };
    match source.seen {
        Seen::Plain => {}
        Seen::Renamed(renaming) => {
            output = writer.lines.call(&format!("restored({output}, I, {}, {})", renaming.kept, measures(renaming)));
        }
        Seen::Grounded => output = writer.lines.call(&format!("grounded_as({output}, I)")),
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

struct Writer<'a> {
    source: &'a Source<'a>,
    lines: Lines,
    input: String,
    known: HashMap<ColumnId, String>,
    /// The same for columns of sizes.
    sized: HashMap<ColumnId, String>,
}

impl Writer<'_> {
    /// The variable of a column.
    fn column(&mut self, id: ColumnId) -> String {
        if let Some(known) = self.known.get(&id) {
            return known.clone();
        }
        let variable = match self.source.columns.column(id).origin {
            Origin::Input => self.input.clone(),
            Origin::Canvas => self.canvas(),
            origin @ Origin::Call { arguments, .. } => {
                let arguments = arguments.map(|argument| self.column(argument));
                self.call(origin, &arguments)
            }
        };
        self.known.insert(id, variable.clone());
        variable
    }

    /// The variable of a column of sizes.
    fn size(&mut self, id: ColumnId) -> String {
        if let Some(known) = self.sized.get(&id) {
            return known.clone();
        }
        let variable = match self.source.sizing.column(id).origin {
            Origin::Input | Origin::Canvas => self.input.clone(),
            origin @ Origin::Call { arguments, .. } => {
                let arguments = arguments.map(|argument| self.size(argument));
                self.call(origin, &arguments)
            }
        };
        self.sized.insert(id, variable.clone());
        variable
    }

    fn call(&mut self, origin: Origin, arguments: &[String; 2]) -> String {
        let Origin::Call { operation, number, each, .. } = origin else { return self.input.clone() };
        let operation = &OPERATIONS[operation as usize];
        let (name, [first, second]) = (operation.name, arguments);
        let merges = matches!(operation.coarse.kernel, batt_image::Kernel::Merge(_));
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

    /// The variable of the empty output.
    fn canvas(&mut self) -> String {
        let rule = self.source.rule;
        if let (Some((height, Axis::Height)), Some((width, Axis::Width))) = (rule.height.of, rule.width.of) {
            let plain = |length: &Length| length.times == 1 && length.plus == 0 && length.and.is_none();
            if height == width && plain(&rule.height) && plain(&rule.width) {
                let sized = self.size(height);
                let at_home = self.lines.call(&format!("to_origin({sized})"));
                return self.lines.call(&format!("hull({at_home}, 0)"));
            }
        }
        let rows = self.length(rule.height);
        let columns = self.length(rule.width);
        let dimensions = self.lines.call(&format!("astuple({rows}, {columns})"));
        self.lines.call(&format!("canvas(0, {dimensions})"))
    }

    /// An expression for a length: a number or a variable.
    fn length(&mut self, length: Length) -> String {
        let Some((id, axis)) = length.of else { return length.plus.to_string() };
        let mut value = self.axis(id, axis);
        if length.times != 1 {
            value = self.lines.call(&format!("multiply({value}, {})", length.times));
        }
        if let Some((id, axis)) = length.and {
            let other = self.axis(id, axis);
            value = self.lines.call(&format!("add({value}, {other})"));
        }
        match length.plus {
            0 => value,
            plus => self.lines.call(&format!("add({value}, {plus})")),
        }
    }

    fn axis(&mut self, id: ColumnId, axis: Axis) -> String {
        let sized = self.size(id);
        let at_home = self.lines.call(&format!("to_origin({sized})"));
        let name = match axis {
            Axis::Height => "height",
            Axis::Width => "width",
        };
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
            let mut map: [u8; batt_image::COLOURS] = std::array::from_fn(|colour| colour as u8);
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
