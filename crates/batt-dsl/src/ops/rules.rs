//! Primitives whose parameters are fitted: values to rules, the code of `batt-vision`, cells to values.

use batt_core::{Grid, Reason, Value};
use batt_vision::{
    COLOURS, Cut, Drawing, FIRST_ROLE, Feature, Fit, Frame, Ground, Image, Layout, Line, Listing, MAX_SIDE, MOST_LINES, MOST_PATTERNS,
    MOST_TESTS, Mask, Mode, Operator, Orientation, Paint, Pattern, Period, Replacement, Role, Rule, Stamp, Target, Template, Test, Twins,
    Way,
};

use super::support::{Answer, int, list, two_ints};
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
        Some(number) if number >= i64::from(FIRST_ROLE) => {
            Paint::Role(Role::of_argument(number).filter(|role| role.is_colour()).ok_or(Reason::OutOfRange)?)
        }
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
    let cells = batt_vision::cell_rule(picture.image(), ground(args[1])?, &rules(args[2])?).ok_or(Reason::NoMatch)?;
    grid(m, picture.height, picture.width, &cells)
}

fn orientation(value: &Value) -> Result<Orientation, Reason> {
    Orientation::from_number(int(value)?).ok_or(Reason::OutOfRange)
}

pub(crate) fn chooserule(m: &mut Machine, args: Args<'_>) -> Answer {
    let picture = picture(args[0])?;
    if !args[3].is_tuple() {
        return Err(Reason::WrongType);
    }
    let pattern = |value: &Value| -> Result<Pattern, Reason> {
        let Value::Grid(grid) = value else { return Err(Reason::WrongType) };
        if !grid.has_only(0, COLOURS as i8) {
            return Err(Reason::OutOfRange);
        }
        Ok((grid.height(), grid.width(), grid.cells().iter().map(|&cell| cell as u8).collect()))
    };
    let patterns: Vec<Pattern> = list(args[3])?.iter().map(pattern).collect::<Result<_, _>>()?;
    if patterns.len() > MOST_PATTERNS {
        return Err(Reason::TooLarge);
    }
    let made = batt_vision::choose_rule(picture.image(), ground(args[1])?, &rules(args[2])?, &patterns);
    let (height, width, cells) = made.ok_or(Reason::NoMatch)?;
    grid(m, height, width, &cells)
}

pub(crate) fn oriented(m: &mut Machine, args: Args<'_>) -> Answer {
    let made = batt_vision::oriented(picture(args[0])?.image(), orientation(args[1])?);
    let (height, width, cells) = made.ok_or(Reason::TooLarge)?;
    grid(m, height, width, &cells)
}

pub(crate) fn unoriented(m: &mut Machine, args: Args<'_>) -> Answer {
    let made = batt_vision::unoriented(picture(args[0])?.image(), picture(args[1])?.image(), orientation(args[2])?);
    let (height, width, cells) = made.ok_or(Reason::TooLarge)?;
    grid(m, height, width, &cells)
}

pub(crate) fn linerule(m: &mut Machine, args: Args<'_>) -> Answer {
    let picture = picture(args[0])?;
    let line = |value: &Value| -> Result<Line, Reason> {
        let numbers: Vec<i64> = list(value)?.iter().map(int).collect::<Result<_, _>>()?;
        let numbers = <[i64; 7]>::try_from(numbers).map_err(|_| Reason::WrongType)?;
        Line::from_numbers(numbers).ok_or(Reason::OutOfRange)
    };
    if !args[2].is_tuple() {
        return Err(Reason::WrongType);
    }
    let lines: Vec<Line> = list(args[2])?.iter().map(line).collect::<Result<_, _>>()?;
    if lines.len() > MOST_LINES {
        return Err(Reason::TooLarge);
    }
    let cells = batt_vision::line_rule(picture.image(), ground(args[1])?, &lines);
    grid(m, picture.height, picture.width, &cells)
}

pub(crate) fn objectrule(m: &mut Machine, args: Args<'_>) -> Answer {
    let picture = picture(args[0])?;
    let cells = batt_vision::object_rule(picture.image(), ground(args[1])?, mode(args[2])?, &rules(args[3])?).ok_or(Reason::NoMatch)?;
    grid(m, picture.height, picture.width, &cells)
}

pub(crate) fn panelrule(m: &mut Machine, args: Args<'_>) -> Answer {
    let picture = picture(args[0])?;
    let made = batt_vision::panel_rule(picture.image(), ground(args[1])?, mode(args[2])?, &rules(args[3])?);
    let (height, width, cells) = made.ok_or(Reason::NoMatch)?;
    grid(m, height, width, &cells)
}

pub(crate) fn pickrule(m: &mut Machine, args: Args<'_>) -> Answer {
    let picture = picture(args[0])?;
    let number = int(args[2])?;
    let mode = Mode::from_number(number.rem_euclid(10)).ok_or(Reason::OutOfRange)?;
    let cut = Cut::from_number(number.div_euclid(10)).ok_or(Reason::OutOfRange)?;
    let made = batt_vision::pick_rule(picture.image(), ground(args[1])?, mode, cut, &rules(args[3])?);
    let (height, width, cells) = made.ok_or(Reason::NoMatch)?;
    grid(m, height, width, &cells)
}

pub(crate) fn sweeprule(m: &mut Machine, args: Args<'_>) -> Answer {
    let picture = picture(args[0])?;
    let way = Way::from_number(int(args[2])?).ok_or(Reason::OutOfRange)?;
    let cells = batt_vision::sweep_rule(picture.image(), ground(args[1])?, way, &rules(args[3])?).ok_or(Reason::NoMatch)?;
    grid(m, picture.height, picture.width, &cells)
}

pub(crate) fn moverule(m: &mut Machine, args: Args<'_>) -> Answer {
    let picture = picture(args[0])?;
    let cells = batt_vision::move_rule(picture.image(), ground(args[1])?, mode(args[2])?, &rules(args[3])?).ok_or(Reason::NoMatch)?;
    grid(m, picture.height, picture.width, &cells)
}

pub(crate) fn templaterule(m: &mut Machine, args: Args<'_>) -> Answer {
    let picture = picture(args[0])?;
    let template = Template::from_number(int(args[2])?).ok_or(Reason::OutOfRange)?;
    let cells = batt_vision::template_rule(picture.image(), ground(args[1])?, template).ok_or(Reason::NoMatch)?;
    grid(m, picture.height, picture.width, &cells)
}

/// The colour that an argument stands for in an image: a role may have none there.
fn colour_of(value: &Value, picture: &Picture, ground: Ground) -> Result<u8, Reason> {
    let number: u8 = small(value)?;
    let is_meant = usize::from(number) < COLOURS || Role::of_argument(number.into()).is_some_and(Role::is_colour);
    if !is_meant {
        return Err(Reason::OutOfRange);
    }
    batt_vision::roles::colour(number, picture.image(), ground).ok_or(Reason::NoMatch)
}

pub(crate) fn copyrule(m: &mut Machine, args: Args<'_>) -> Answer {
    let picture = picture(args[0])?;
    let (ground, which) = (ground(args[1])?, int(args[3])?);
    if which > 3 {
        let any = args[2].as_int() == Some(10);
        let colour = if any { 10 } else { colour_of(args[2], &picture, ground)? };
        let twins = Twins::from_number(colour, which - 4).ok_or(Reason::OutOfRange)?;
        let cells = batt_vision::twin_rule(picture.image(), ground, twins).ok_or(Reason::NoMatch)?;
        return grid(m, picture.height, picture.width, &cells);
    }
    let colour = colour_of(args[2], &picture, ground)?;
    let target = match which {
        0 | 1 => Target::Boxes(colour),
        2 | 3 => Target::Cells(colour),
        _ => return Err(Reason::OutOfRange),
    };
    let cells = batt_vision::copy_rule(picture.image(), ground, target, which % 2 == 0).ok_or(Reason::NoMatch)?;
    grid(m, picture.height, picture.width, &cells)
}

/// A colour, ten, or a role.
fn colour_or_role(value: &Value) -> Result<u8, Reason> {
    let is_meant = |&colour: &u8| colour as usize <= COLOURS || Role::of_argument(colour.into()).is_some_and(Role::is_colour);
    Some(small::<u8>(value)?).filter(is_meant).ok_or(Reason::OutOfRange)
}

fn stamp(value: &Value) -> Result<Stamp, Reason> {
    let parts = list(value)?;
    let [marker, parts] = parts.as_slice() else { return Err(Reason::WrongType) };
    let part = |value: &Value| {
        let parts = list(value)?;
        let [rows, columns, colour] = parts.as_slice() else { return Err(Reason::WrongType) };
        Ok((small(rows)?, small(columns)?, colour_or_role(colour)?))
    };
    Ok(Stamp { marker: colour_or_role(marker)?, parts: list(parts)?.iter().map(part).collect::<Result<_, _>>()? })
}

pub(crate) fn stamprule(m: &mut Machine, args: Args<'_>) -> Answer {
    let picture = picture(args[0])?;
    let over = match int(args[2])? {
        0 => false,
        1 => true,
        _ => return Err(Reason::OutOfRange),
    };
    if !args[3].is_tuple() {
        return Err(Reason::WrongType);
    }
    let stamps: Vec<Stamp> = list(args[3])?.iter().map(stamp).collect::<Result<_, _>>()?;
    if stamps.iter().map(|stamp| stamp.parts.len() + 1).sum::<usize>() > 10 * MOST_TESTS {
        return Err(Reason::TooLarge);
    }
    let cells = batt_vision::stamp_rule(picture.image(), ground(args[1])?, over, &stamps);
    grid(m, picture.height, picture.width, &cells)
}

/// Rows and columns of a canvas.
fn size(value: &Value) -> Result<(usize, usize), Reason> {
    let (height, width) = two_ints(value)?;
    let side = |side: i64| usize::try_from(side).ok().filter(|&side| side <= MAX_SIDE).ok_or(Reason::OutOfRange);
    Ok((side(height)?, side(width)?))
}

/// As many numbers as a rule has.
fn numbers<const N: usize>(value: &Value) -> Result<[i64; N], Reason> {
    if !value.is_tuple() {
        return Err(Reason::WrongType);
    }
    let numbers: Vec<i64> = list(value)?.iter().map(int).collect::<Result<_, _>>()?;
    <[i64; N]>::try_from(numbers).map_err(|_| Reason::WrongType)
}

pub(crate) fn periodrule(m: &mut Machine, args: Args<'_>) -> Answer {
    let picture = picture(args[0])?;
    let mask = Mask::from_number(int(args[1])?).ok_or(Reason::OutOfRange)?;
    let period = Period::from_numbers(numbers(args[3])?).ok_or(Reason::OutOfRange)?;
    let made = batt_vision::period_rule(picture.image(), mask, size(args[2])?, period);
    let (height, width, cells) = made.ok_or(Reason::NoMatch)?;
    grid(m, height, width, &cells)
}

pub(crate) fn layoutrule(m: &mut Machine, args: Args<'_>) -> Answer {
    let (source, table) = (picture(args[0])?, picture(args[1])?);
    let layout = Layout::from_numbers(numbers(args[3])?).ok_or(Reason::OutOfRange)?;
    let made = batt_vision::layout_rule(source.image(), table.image(), ground(args[2])?, layout);
    let (height, width, cells) = made.ok_or(Reason::NoMatch)?;
    grid(m, height, width, &cells)
}

pub(crate) fn drawrule(m: &mut Machine, args: Args<'_>) -> Answer {
    let picture = picture(args[0])?;
    let listing = Listing::from_numbers(numbers(args[2])?).ok_or(Reason::OutOfRange)?;
    let drawing = Drawing::from_numbers(numbers(args[3])?).ok_or(Reason::OutOfRange)?;
    let made = batt_vision::draw_rule(picture.image(), ground(args[1])?, listing, drawing);
    let (height, width, cells) = made.ok_or(Reason::NoMatch)?;
    grid(m, height, width, &cells)
}

pub(crate) fn fitrule(m: &mut Machine, args: Args<'_>) -> Answer {
    let picture = picture(args[0])?;
    let fit = Fit::from_number(int(args[2])?).ok_or(Reason::OutOfRange)?;
    let (height, width, cells) = batt_vision::fit_rule(picture.image(), ground(args[1])?, fit).ok_or(Reason::NoMatch)?;
    grid(m, height, width, &cells)
}

/// The cells of a pattern, each a colour or ten.
fn pattern(value: &Value) -> Result<(usize, usize, Vec<u8>), Reason> {
    let Value::Grid(grid) = value else { return Err(Reason::WrongType) };
    let cells = grid.cells().iter().map(|&cell| u8::try_from(cell).map_err(|_| Reason::OutOfRange)).collect::<Result<_, _>>()?;
    Ok((grid.height(), grid.width(), cells))
}

pub(crate) fn replacerule(m: &mut Machine, args: Args<'_>) -> Answer {
    let picture = picture(args[0])?;
    let turned = match int(args[1])? {
        0 => false,
        1 => true,
        _ => return Err(Reason::OutOfRange),
    };
    if !args[2].is_tuple() {
        return Err(Reason::WrongType);
    }
    let replacement = |value: &Value| {
        let parts = list(value)?;
        let [find, replace] = parts.as_slice() else { return Err(Reason::WrongType) };
        let ((height, width, find), (other_height, other_width, replace)) = (pattern(find)?, pattern(replace)?);
        let same = (height, width) == (other_height, other_width);
        Replacement::new(height, width, find, replace).filter(|_| same).ok_or(Reason::OutOfRange)
    };
    let replacements: Vec<Replacement> = list(args[2])?.iter().map(replacement).collect::<Result<_, _>>()?;
    if replacements.len() > MOST_PATTERNS {
        return Err(Reason::TooLarge);
    }
    let cells = batt_vision::replace_rule(picture.image(), turned, &replacements).ok_or(Reason::NoMatch)?;
    grid(m, picture.height, picture.width, &cells)
}
