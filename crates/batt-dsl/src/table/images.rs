//! Coarse operations on images as primitives: what a person would call one step.
//!
//! An *image* is a grid, or a grid and the place of its upper left cell, `(grid, (i, j))`; one at `(0, 0)` is always given as a plain grid. Colour
//! 0 is background. The operations are those of `batt-vision`.

use batt_vision::{Argument, Kernel, OperationRow, Undone};

use super::DEFAULTS;
use crate::signature::{Example, Family, Origin, Param, Primitive, Returns, Undo};
use crate::{Range, Type};

const fn parameter(name: &'static str, takes: Type) -> Param {
    Param { name, takes, range: Range::of_type(takes) }
}

const IMAGE: Param = parameter("image", Type::GRID);
const FIRST: Param = parameter("first", Type::GRID);
const SECOND: Param = parameter("second", Type::GRID);
const IMAGES: Param = parameter("images", Type::TUPLE);
const WHICH: Param = parameter("which", Type::INTEGER);
const COLOUR: Param = parameter("colour", Type::INTEGER);
const STEP: Param = parameter("step", Type::PAIR);

const fn parameters(row: &OperationRow) -> &'static [Param] {
    match (row.kernel, row.argument) {
        (Kernel::Merge(_), Argument::None) => &[FIRST, SECOND],
        (Kernel::Merge(_), Argument::Which) => &[FIRST, SECOND, WHICH],
        (Kernel::Merge(_), Argument::Colour) => &[FIRST, SECOND, COLOUR],
        (Kernel::Merge(_), Argument::Offset) => &[FIRST, SECOND, STEP],
        (Kernel::Pick(_) | Kernel::Sift(_), Argument::None) => &[IMAGES],
        (Kernel::Pick(_) | Kernel::Sift(_), Argument::Which) => &[IMAGES, WHICH],
        (Kernel::Pick(_) | Kernel::Sift(_), Argument::Colour) => &[IMAGES, COLOUR],
        (Kernel::Pick(_) | Kernel::Sift(_), Argument::Offset) => &[IMAGES, STEP],
        (_, Argument::None) => &[IMAGE],
        (_, Argument::Which) => &[IMAGE, WHICH],
        (_, Argument::Colour) => &[IMAGE, COLOUR],
        (_, Argument::Offset) => &[IMAGE, STEP],
    }
}

/// The primitive that an operation is.
pub(super) const fn primitive_of(row: &'static OperationRow) -> Primitive {
    let returns = match row.kernel {
        Kernel::Map(_) | Kernel::Merge(_) | Kernel::Pick(_) => Type::GRID,
        Kernel::Split(_) | Kernel::Sift(_) => Type::TUPLE,
        Kernel::Colour(_) | Kernel::Count(_) => Type::INTEGER,
        Kernel::Pair(_) => Type::PAIR,
        Kernel::Test(_) => Type::BOOLEAN,
    };
    Primitive {
        name: row.name,
        params: parameters(row),
        returns: Returns::Always(returns),
        family: Family::Image,
        origin: Origin::Batt,
        doc: row.sentence,
        example: Example { call: row.example.0, gives: row.example.1 },
        undo: match row.undone {
            Undone::Unknown => Undo::None,
            Undone::Same => Undo::Same,
            Undone::By(inverse) => Undo::Image(inverse),
        },
        image: Some(row),
        ..DEFAULTS
    }
}
