//! Primitives whose parameters are fitted: values to rules, the code of `batt-features`, cells to values.

use batt_core::{Grid, Reason, Value};
use batt_features::{Cut, Feature, Ground, MOST_TESTS, Mode, Operator, Paint, Rule, Test, Way};
use batt_image::{COLOURS, Frame, Image, MAX_SIDE};

use super::support::{Answer, int, list};
use crate::machine::{Args, Machine};

/// An image's cells, of a plain grid.
struct Picture {
    height: usize,
    width: usize,
    cells: Vec<u8>,
}

impl Picture {
    fn image(&self) -> Image<'_> {
        Image { frame: Frame::at_origin(self.height, self.width), cells: &self.cells }
    }
}

fn picture(value: &Value) -> Result<Picture, Reason> {
    let Value::Grid(grid) = value else { return Err(Reason::WrongType) };
    let (height, width) = (grid.height(), grid.width());
    if height > MAX_SIDE || width > MAX_SIDE {
        return Err(Reason::TooLarge);
    }
    if !grid.has_only(0, COLOURS as i8 - 1) {
        return Err(Reason::OutOfRange);
    }
    Ok(Picture { height, width, cells: grid.cells().iter().map(|&cell| cell as u8).collect() })
}

fn grid(m: &Machine, height: usize, width: usize, cells: &[u8]) -> Answer {
    m.check_grid(height as u64, width as u64)?;
    let grid = Grid::build(height, width, |to| to.iter_mut().zip(cells).for_each(|(to, &from)| *to = from as i8));
    Ok(Value::Grid(grid.ok_or(Reason::Empty)?))
}

fn small<T: TryFrom<i64>>(value: &Value) -> Result<T, Reason> {
    T::try_from(int(value)?).map_err(|_| Reason::OutOfRange)
}

fn feature(parts: &[Value]) -> Result<Feature, Reason> {
    let [kind, a, b] = parts else { return Err(Reason::WrongType) };
    Ok(Feature { kind: small(kind)?, a: small(a)?, b: small(b)? })
}

fn test(value: &Value) -> Result<Test, Reason> {
    let parts = list(value)?;
    let [operator, about @ .., number] = parts.as_slice() else { return Err(Reason::WrongType) };
    let operator = Operator::from_number(int(operator)?).ok_or(Reason::OutOfRange)?;
    Ok(Test { operator, feature: feature(about)?, value: small(number)? })
}

fn rule(value: &Value) -> Result<Rule, Reason> {
    let parts = list(value)?;
    let [tests, paint] = parts.as_slice() else { return Err(Reason::WrongType) };
    let paint = match paint.as_int() {
        Some(10) => Paint::Ground,
        Some(colour) => Paint::Colour(u8::try_from(colour).ok().filter(|&colour| (colour as usize) < COLOURS).ok_or(Reason::OutOfRange)?),
        None => Paint::Feature(feature(&list(paint)?)?),
    };
    Ok(Rule { tests: list(tests)?.iter().map(test).collect::<Result<_, _>>()?, paint })
}

fn rules(value: &Value) -> Result<Vec<Rule>, Reason> {
    if !value.is_tuple() {
        return Err(Reason::WrongType);
    }
    let rules: Vec<Rule> = list(value)?.iter().map(rule).collect::<Result<_, _>>()?;
    // Each test may look at all cells: so few that fuel, which counts cells and items, stays true.
    if rules.iter().map(|rule| rule.tests.len() + 1).sum::<usize>() > MOST_TESTS { Err(Reason::TooLarge) } else { Ok(rules) }
}

fn ground(value: &Value) -> Result<Ground, Reason> {
    Ground::from_number(int(value)?).ok_or(Reason::OutOfRange)
}

fn mode(value: &Value) -> Result<Mode, Reason> {
    Mode::from_number(int(value)?).ok_or(Reason::OutOfRange)
}

pub(crate) fn cellrule(m: &mut Machine, args: Args<'_>) -> Answer {
    let picture = picture(args[0])?;
    let cells = batt_features::cell_rule(picture.image(), ground(args[1])?, &rules(args[2])?).ok_or(Reason::NoMatch)?;
    grid(m, picture.height, picture.width, &cells)
}

pub(crate) fn objectrule(m: &mut Machine, args: Args<'_>) -> Answer {
    let picture = picture(args[0])?;
    let cells = batt_features::object_rule(picture.image(), ground(args[1])?, mode(args[2])?, &rules(args[3])?).ok_or(Reason::NoMatch)?;
    grid(m, picture.height, picture.width, &cells)
}

pub(crate) fn panelrule(m: &mut Machine, args: Args<'_>) -> Answer {
    let picture = picture(args[0])?;
    let made = batt_features::panel_rule(picture.image(), ground(args[1])?, mode(args[2])?, &rules(args[3])?);
    let (height, width, cells) = made.ok_or(Reason::NoMatch)?;
    grid(m, height, width, &cells)
}

pub(crate) fn pickrule(m: &mut Machine, args: Args<'_>) -> Answer {
    let picture = picture(args[0])?;
    let number = int(args[2])?;
    let mode = Mode::from_number(number.rem_euclid(10)).ok_or(Reason::OutOfRange)?;
    let cut = Cut::from_number(number.div_euclid(10)).ok_or(Reason::OutOfRange)?;
    let made = batt_features::pick_rule(picture.image(), ground(args[1])?, mode, cut, &rules(args[3])?);
    let (height, width, cells) = made.ok_or(Reason::NoMatch)?;
    grid(m, height, width, &cells)
}

pub(crate) fn sweeprule(m: &mut Machine, args: Args<'_>) -> Answer {
    let picture = picture(args[0])?;
    let way = Way::from_number(int(args[2])?).ok_or(Reason::OutOfRange)?;
    let cells = batt_features::sweep_rule(picture.image(), ground(args[1])?, way, &rules(args[3])?).ok_or(Reason::NoMatch)?;
    grid(m, picture.height, picture.width, &cells)
}

pub(crate) fn moverule(m: &mut Machine, args: Args<'_>) -> Answer {
    let picture = picture(args[0])?;
    let cells = batt_features::move_rule(picture.image(), ground(args[1])?, mode(args[2])?, &rules(args[3])?).ok_or(Reason::NoMatch)?;
    grid(m, picture.height, picture.width, &cells)
}
