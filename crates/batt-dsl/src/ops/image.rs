//! Coarse primitives: values to images, a kernel of `batt-vision`, images to values.

use batt_core::{Grid, Reason, Value};
use batt_vision::{Argument, COLOURS, Frame, Image, Images, Kernel, MAX_PLACE, MAX_SIDE, Offset, OperationRow, Renaming, Work, inverted};

use super::support::{Answer, int, items, list, location};
use crate::machine::{Args, Machine};

/// Appends the image that a value is.
fn add_image(value: &Value, images: &mut Images) -> Result<(), Reason> {
    let (grid, (row, column)) = if matches!(value, Value::Grid(_)) {
        (value.clone(), (0, 0))
    } else {
        let parts = list(value)?;
        let [grid, place] = parts.as_slice() else { return Err(Reason::WrongType) };
        (grid.clone(), location(place)?)
    };
    let Value::Grid(grid) = &grid else { return Err(Reason::WrongType) };
    let near = |place: i64| i16::try_from(place).ok().filter(|place| place.unsigned_abs() <= MAX_PLACE).ok_or(Reason::TooLarge);
    let (height, width) = (grid.height(), grid.width());
    if height > MAX_SIDE || width > MAX_SIDE {
        return Err(Reason::TooLarge);
    }
    if grid.cells().iter().any(|cell| !(0..COLOURS as i8).contains(cell)) {
        return Err(Reason::OutOfRange);
    }
    let frame = Frame { row: near(row)?, column: near(column)?, ..Frame::at_origin(height, width) };
    let cells = images.add(frame).ok_or(Reason::TooLarge)?;
    cells.iter_mut().zip(grid.cells()).for_each(|(cell, &from)| *cell = from as u8);
    Ok(())
}

/// The value that an image is: a grid if it is at the origin.
fn value_of(m: &Machine, image: Image<'_>) -> Answer {
    let grid = Grid::build(image.height(), image.width(), |cells| {
        cells.iter_mut().zip(image.cells).for_each(|(cell, &from)| *cell = from as i8);
    });
    let grid = Value::Grid(grid.ok_or(Reason::Empty)?);
    if (image.frame.row, image.frame.column) == (0, 0) {
        return Ok(grid);
    }
    m.tuple(vec![grid, Value::Pair(i32::from(image.frame.row), i32::from(image.frame.column))])
}

/// The one image that was made.
fn first(m: &Machine, work: &Work) -> Answer {
    value_of(m, work.out.iter().next().ok_or(Reason::Empty)?)
}

/// The tuple of all images that were made.
fn all(m: &Machine, work: &Work) -> Answer {
    let values: Result<Vec<Value>, Reason> = work.out.iter().map(|image| value_of(m, image)).collect();
    m.tuple(values?)
}

/// The number that the last argument of an operation is.
fn number(operation: &OperationRow, argument: &Value) -> Result<i32, Reason> {
    match operation.argument {
        Argument::None => Ok(operation.numbers().start),
        Argument::Which | Argument::Colour => {
            let number = i32::try_from(int(argument)?).map_err(|_| Reason::OutOfRange)?;
            if operation.numbers().contains(&number) { Ok(number) } else { Err(Reason::OutOfRange) }
        }
        Argument::Offset => {
            let (rows, columns) = location(argument)?;
            let near = |length: i64| i32::try_from(length).ok().filter(|length| length.unsigned_abs() <= 2 * u32::from(MAX_PLACE));
            let (rows, columns) = near(rows).zip(near(columns)).ok_or(Reason::TooLarge)?;
            Ok(Offset { rows, columns }.number())
        }
    }
}

/// Every coarse operation, by its number in the order of the files.
pub(crate) fn coarse<const ROW: u16>(m: &mut Machine, args: Args<'_>) -> Answer {
    call(ROW, m, args)
}

fn call(row: u16, m: &mut Machine, args: Args<'_>) -> Answer {
    let operation = crate::table::declared(row).image.ok_or(Reason::WrongType)?;
    let number = number(operation, args[args.len() - 1])?;
    let (mut given, mut work) = (Images::default(), Work::default());
    if operation.kernel.takes_list() {
        if !args[0].is_tuple() {
            return Err(Reason::WrongType);
        }
        for item in items(args[0])? {
            add_image(&item.into_value(), &mut given)?;
        }
    } else {
        for image in &args[..args.len() - usize::from(operation.has_argument())] {
            add_image(image, &mut given)?;
        }
    }
    let all_given = given.iter();
    let mut after_first = all_given;
    let first_given = after_first.next();
    let mut measured = || first_given.and_then(|image| operation.kernel.measure(image, number, &mut work)).ok_or(Reason::Empty);
    match operation.kernel {
        Kernel::Colour(_) | Kernel::Count(_) => return Ok(Value::Int(i64::from(measured()?))),
        Kernel::Test(_) => return Ok(Value::Bool(measured()? != 0)),
        Kernel::Pair(_) => {
            let Offset { rows, columns } = Offset::of(measured()?);
            return Ok(Value::Pair(rows, columns));
        }
        Kernel::Map(_) | Kernel::Merge(_) | Kernel::Split(_) | Kernel::Pick(_) | Kernel::Sift(_) => {}
    }
    operation.kernel.make([all_given, after_first], number, &mut work).ok_or(Reason::Empty)?;
    if operation.gives_list() { all(m, &work) } else { first(m, &work) }
}

/// Ten colours, or fewer, from a tuple.
fn colours(value: &Value) -> Result<Vec<u8>, Reason> {
    let colour = |item: batt_core::ItemRef<'_>| u8::try_from(int(&item.into_value())?).map_err(|_| Reason::OutOfRange);
    let colours: Vec<u8> = items(value)?.map(colour).collect::<Result<_, _>>()?;
    if colours.iter().any(|&colour| colour as usize >= COLOURS.max(batt_vision::MEASURES)) {
        return Err(Reason::OutOfRange);
    }
    Ok(colours)
}

/// An image with each colour exchanged.
fn mapped(m: &Machine, image: Image<'_>, map: &[u8; COLOURS]) -> Answer {
    let mut work = Work::default();
    let cells = work.out.add(image.frame).ok_or(Reason::TooLarge)?;
    cells.iter_mut().zip(image.cells).for_each(|(cell, &from)| *cell = map[from as usize]);
    first(m, &work)
}

pub(crate) fn recoloured(m: &mut Machine, args: Args<'_>) -> Answer {
    let mut given = Images::default();
    add_image(args[0], &mut given)?;
    let map: [u8; COLOURS] = colours(args[1])?.try_into().map_err(|_| Reason::WrongType)?;
    if map.iter().any(|&colour| colour as usize >= COLOURS) {
        return Err(Reason::OutOfRange);
    }
    mapped(m, given.iter().next().ok_or(Reason::Empty)?, &map)
}

fn renaming(kept: &Value, measures: &Value) -> Result<Renaming, Reason> {
    let kept = u16::try_from(int(kept)?).ok().filter(|kept| kept >> COLOURS == 0).ok_or(Reason::OutOfRange)?;
    Ok(Renaming { kept: kept | 1, measures: colours(measures)? })
}

pub(crate) fn renamed(m: &mut Machine, args: Args<'_>) -> Answer {
    let mut given = Images::default();
    add_image(args[0], &mut given)?;
    let image = given.iter().next().ok_or(Reason::Empty)?;
    let map = renaming(args[1], args[2])?.of(image, &mut Work::default());
    mapped(m, image, &map)
}

pub(crate) fn restored(m: &mut Machine, args: Args<'_>) -> Answer {
    let mut given = Images::default();
    add_image(args[0], &mut given)?;
    add_image(args[1], &mut given)?;
    let mut images = given.iter();
    let (image, source) = images.next().zip(images.next()).ok_or(Reason::Empty)?;
    let map = renaming(args[2], args[3])?.of(source, &mut Work::default());
    mapped(m, image, &inverted(&map))
}

pub(crate) fn reinserted(m: &mut Machine, args: Args<'_>) -> Answer {
    let (mut given, mut work) = (Images::default(), Work::default());
    for value in args {
        add_image(value, &mut given)?;
    }
    let mut images = given.iter();
    let ((image, seen), source) = images.next().zip(images.next()).zip(images.next()).ok_or(Reason::Empty)?;
    let cells = batt_rules::reinserted(image, seen, source).ok_or(Reason::NoMatch)?;
    work.out.add(source.frame).ok_or(Reason::TooLarge)?.copy_from_slice(&cells);
    first(m, &work)
}

pub(crate) fn tabled(m: &mut Machine, args: Args<'_>) -> Answer {
    let mut given = Images::default();
    for item in items(args[0])? {
        add_image(&item.into_value(), &mut given)?;
    }
    let mut rows = Vec::new();
    for row in items(args[1])? {
        let mut row = colours(&row.into_value())?;
        let colour = row.pop().filter(|&colour| (colour as usize) < COLOURS).ok_or(Reason::WrongType)?;
        if row.len() != given.len() {
            return Err(Reason::WrongType);
        }
        rows.push((row, colour));
    }
    let mut images = given.iter();
    let frame = images.next().ok_or(Reason::Empty)?.frame;
    if images.any(|image| image.frame != frame) {
        return Err(Reason::WrongType);
    }
    let mut work = Work::default();
    let cells = work.out.add(frame).ok_or(Reason::TooLarge)?;
    for (place, cell) in cells.iter_mut().enumerate() {
        let here = |row: &[u8]| given.iter().zip(row).all(|(image, &colour)| image.cells[place] == colour);
        *cell = rows.iter().find(|(row, _)| here(row)).map(|(_, colour)| *colour).ok_or(Reason::NoMatch)?;
    }
    first(m, &work)
}
