//! Coarse operations as calls: what they make of a picture, and their text.
//!
//! What is done with a part of a picture is the caller's business.

use std::fmt::Write as _;

use batt_dsl::{Cells, Coarse, primitives};
use batt_vision::{Frame, Image, Images, Kernel, List, Work};

use crate::propose::Budget;
use crate::puzzle::Picture;

/// A call of a coarse operation.
#[derive(Clone, Copy)]
pub(crate) struct Call {
    name: &'static str,
    coarse: Coarse,
    number: i32,
}

impl Call {
    /// Its text for an argument.
    pub(crate) fn text(&self, argument: &str) -> String {
        if self.coarse.has_number() { format!("{}({argument}, {})", self.name, self.number) } else { format!("{}({argument})", self.name) }
    }

    /// What it gives for one image or for a list of images.
    fn of(&self, images: &Images, work: &mut Work) -> Option<Images> {
        work.out.clear();
        match self.coarse.kernel {
            Kernel::Map(f) | Kernel::Split(f) => f(images.iter().next()?, self.number, work)?,
            Kernel::Pick(f) | Kernel::Sift(f) => f(List { frames: images.frames(), cells: images.cells() }, self.number, work)?,
            Kernel::Merge(_) | Kernel::Colour(_) | Kernel::Count(_) | Kernel::Pair(_) | Kernel::Test(_) => return None,
        }
        Some(work.out.clone())
    }
}

/// All calls of operations of a kind.
fn calls(such: impl Fn(&str, &Kernel) -> bool) -> Vec<Call> {
    let rows = primitives().filter(|(_, row)| row.cells == Cells::Cij && row.alias.is_none());
    let coarse = rows.filter_map(|(_, row)| Some((row.name, row.image?))).filter(|(name, coarse)| such(name, &coarse.kernel));
    coarse.flat_map(|(name, coarse)| coarse.numbers().map(move |number| Call { name, coarse, number })).collect()
}

/// All calls of operations by name.
pub(crate) fn calls_of(names: &[&str]) -> Vec<Call> {
    calls(|name, _| names.contains(&name))
}

/// Calls that make something of a frame that fits: one, or one that splits and one that picks.
pub(crate) fn chains(input: &Picture, fits: impl Fn(Frame) -> bool, budget: Budget) -> Vec<Vec<Call>> {
    let mut work = Work::default();
    let maps = calls(|_, kernel| matches!(kernel, Kernel::Map(_)));
    let splits = calls(|_, kernel| matches!(kernel, Kernel::Split(_)));
    let picks = calls(|_, kernel| matches!(kernel, Kernel::Pick(_)));
    let mut whole = Images::default();
    let Some(cells) = whole.add(input.image().frame) else { return Vec::new() };
    cells.copy_from_slice(&input.cells);
    let has_frame = |image: Image<'_>| fits(image.frame);
    let fits = |images: &Images| images.iter().next().is_some_and(has_frame);
    let mut found: Vec<Vec<Call>> = Vec::new();
    found.extend(
        maps.iter().filter(|call| !budget.is_over() && call.of(&whole, &mut work).as_ref().is_some_and(fits)).map(|call| vec![*call]),
    );
    for split in &splits {
        if budget.is_over() {
            break;
        }
        let Some(list) = split.of(&whole, &mut work).filter(|list| list.iter().any(has_frame)) else {
            continue;
        };
        found.extend(picks.iter().filter(|pick| pick.of(&list, &mut work).as_ref().is_some_and(fits)).map(|pick| vec![*split, *pick]));
    }
    found
}

/// What calls make of an input, and where it is.
pub(crate) fn seen(picture: &Picture, calls: &[Call], work: &mut Work) -> Option<(Frame, Picture)> {
    let mut images = Images::default();
    images.add(picture.image().frame)?.copy_from_slice(&picture.cells);
    for call in calls {
        images = call.of(&images, work)?;
    }
    let image: Image<'_> = images.iter().next()?;
    Some((image.frame, Picture { height: image.height(), width: image.width(), cells: image.cells.to_vec() }))
}

/// The lines of a program that compute what calls make of a variable, as another variable; and the variable that has its place.
pub(crate) fn lines(calls: &[Call], source: &str, variable: &str) -> (String, String) {
    let mut lines = String::new();
    let mut last = source.to_owned();
    for (place, call) in calls.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = writeln!(lines, "    {variable}{place} = {}", call.text(&last));
        last = format!("{variable}{place}");
    }
    let _ = writeln!(lines, "    {variable} = to_origin({last})");
    (lines, last)
}
