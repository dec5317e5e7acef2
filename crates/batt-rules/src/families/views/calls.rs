//! Coarse operations as calls: what they make of a picture.
//!
//! The caller decides how to use a part of a picture.

use batt_vision::{Frame, Image, Images, Kernel, List, OPERATIONS, OperationRow, Work};

use crate::examples::Picture;
use crate::propose::FitOptions;
use crate::recipe::{Argument, Recipe, Variable};

/// A call of a coarse operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    operation: &'static OperationRow,
    number: i32,
}

impl Call {
    /// The operation.
    pub(crate) fn name(&self) -> &'static str {
        self.operation.name
    }

    /// Its arguments.
    pub(crate) fn arguments(&self, image: Argument) -> Vec<Argument> {
        if self.operation.has_argument() { vec![image, Argument::of(&self.number)] } else { vec![image] }
    }

    /// Applies the call to one image or to a list of images.
    fn of(&self, images: &Images, work: &mut Work) -> Option<Images> {
        work.out.clear();
        self.operation.kernel.make([images.iter(), List::default()], self.number, work)?;
        Some(work.out.clone())
    }
}

/// All calls of operations of a kind.
fn calls(such: impl Fn(&OperationRow) -> bool) -> Vec<Call> {
    let operations = OPERATIONS.iter().filter(|operation| such(operation));
    operations.flat_map(|operation| operation.numbers().map(move |number| Call { operation, number })).collect()
}

/// All calls of operations by name.
pub(crate) fn calls_of(names: &[&str]) -> Vec<Call> {
    calls(|operation| names.contains(&operation.name))
}

/// Calls that make something of a frame that fits: one, or one that splits and one that picks.
pub(crate) fn chains(input: &Picture, fits: impl Fn(Frame) -> bool, budget: FitOptions) -> Vec<Vec<Call>> {
    let mut work = Work::default();
    let maps = calls(|operation| matches!(operation.kernel, Kernel::Map(_)));
    let splits = calls(|operation| matches!(operation.kernel, Kernel::Split(_)));
    let picks = calls(|operation| matches!(operation.kernel, Kernel::Pick(_)));
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

/// Result of calls on an input, and its frame.
pub(crate) fn seen(picture: &Picture, calls: &[Call], work: &mut Work) -> Option<(Frame, Picture)> {
    let mut images = Images::default();
    images.add(picture.image().frame)?.copy_from_slice(&picture.cells);
    for call in calls {
        images = call.of(&images, work)?;
    }
    let image: Image<'_> = images.iter().next()?;
    Some((image.frame, Picture { height: image.height(), width: image.width(), cells: image.cells.to_vec() }))
}

/// Adds calls on a value, and one that puts what they make at the origin. The value that has its place, and the one at the origin.
pub(crate) fn show(calls: &[Call], source: &Argument, letter: char, recipe: &mut Recipe) -> (Argument, Argument) {
    let mut placed = source.clone();
    for (place, call) in calls.iter().enumerate() {
        placed = recipe.named(Variable(letter, Some(place)), call.name(), call.arguments(placed));
    }
    let shown = recipe.named(Variable(letter, None), "to_origin", [placed.clone()]);
    (placed, shown)
}
