//! Primitives whose parameters are fitted: what a row of `batt-rules` makes of the arguments, as a value.

use batt_core::{Grid, Reason, Value};
use batt_rules::Kind;

use super::support::Answer;
use crate::machine::{Args, Machine};

/// Every primitive of a family of rules, by its number in the order of the files.
pub(crate) fn rule<const ROW: u16>(m: &mut Machine, args: Args<'_>) -> Answer {
    call(ROW, m, args)
}

fn call(row: u16, m: &Machine, args: Args<'_>) -> Answer {
    let rule = crate::table::declared(row).rule.ok_or(Reason::WrongType)?;
    if rule.parameters.iter().zip(args).any(|(column, value)| column.kind == Kind::Tuple && !value.is_tuple()) {
        return Err(Reason::WrongType);
    }
    let made = (rule.apply)(args)?;
    m.check_grid(made.height as u64, made.width as u64)?;
    let grid = Grid::build(made.height, made.width, |to| to.iter_mut().zip(&made.cells).for_each(|(to, &from)| *to = from as i8));
    Ok(Value::Grid(grid.ok_or(Reason::Empty)?))
}
