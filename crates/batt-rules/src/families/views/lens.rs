//! Lenses: each shows an input in another way, shows its output in the same way, and takes back what it did from what a rule makes.
//!
//! Which lenses a task allows is the business of [`super::enumerate`].

use batt_vision::operations::boxes;
use batt_vision::{COLOURS, Exchange, Frame, Ground, Image, Renaming, Work, inverted};

use super::calls::{Call, seen, show};
use super::orientation::{Orientation, oriented, oriented_as, reinserted, unoriented};
use crate::examples::Picture;
use crate::parameter::numbered;
use crate::recipe::{Argument, Recipe, Variable};

numbered!(Orientation);

/// A way to look at an input.
#[derive(Clone, Debug)]
pub(crate) enum Lens {
    /// Colours renamed by what they do. They are restored.
    Renamed(Renaming),
    /// In a canonical orientation. It is turned back.
    Oriented(Orientation),
    /// With the most common colour as background. They are exchanged again.
    Grounded,
    /// The result of calls: a part, or all of it without noise or with a symmetry repaired.
    Called { calls: Vec<Call>, back: Back },
    /// As it is. What a rule makes is cut out of the background around it.
    Cropped,
}

/// Treatment of the cells that a lens leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Back {
    /// They are gone: what a rule makes is the output.
    Gone,
    /// They come back: the rest of the input stays as it was.
    Kept,
}

/// Picture that a lens shows, and its frame in the input.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Shown {
    pub(crate) frame: Frame,
    pub(crate) picture: Picture,
}

impl Shown {
    fn whole(picture: Picture) -> Self {
        Self { frame: picture.image().frame, picture }
    }

    fn image(&self) -> Image<'_> {
        Image { frame: self.frame, cells: &self.picture.cells }
    }
}

impl Lens {
    /// View of an input; `None` if the lens shows nothing.
    pub(crate) fn lift(&self, input: &Picture) -> Option<Shown> {
        match self {
            Self::Renamed(renaming) => Some(Shown::whole(mapped(input, &renaming.of(input.image(), &mut Work::default())))),
            Self::Oriented(which) => oriented(input.image(), *which).map(Picture::new).map(Shown::whole),
            Self::Grounded => Some(Shown::whole(mapped(input, &exchange(input)))),
            Self::Called { calls, .. } => seen(input, calls, &mut Work::default()).map(|(frame, picture)| Shown { frame, picture }),
            Self::Cropped => Some(Shown::whole(input.clone())),
        }
    }

    /// The output that a rule must make of what is shown; `None` if there is none.
    pub(crate) fn lift_output(&self, output: &Picture, input: &Picture, shown: &Shown) -> Option<Picture> {
        let lifted = match self {
            Self::Renamed(renaming) => mapped(output, &renaming.of(input.image(), &mut Work::default())),
            Self::Oriented(which) => oriented_as(output.image(), input.image(), *which).map(Picture::new)?,
            Self::Grounded => mapped(output, &exchange(input)),
            Self::Called { back: Back::Gone, .. } => output.clone(),
            Self::Called { back: Back::Kept, .. } => wanted(output, input, shown)?,
            Self::Cropped => placed(output, input)?,
        };
        // What is not taken back to the output is no view of it.
        (self.unlift(&lifted, input, shown).as_ref() == Some(output)).then_some(lifted)
    }

    /// The output, from what a rule made of what is shown.
    pub(crate) fn unlift(&self, made: &Picture, input: &Picture, shown: &Shown) -> Option<Picture> {
        match self {
            Self::Renamed(renaming) => Some(mapped(made, &inverted(&renaming.of(input.image(), &mut Work::default())))),
            Self::Oriented(which) => unoriented(made.image(), input.image(), *which).map(Picture::new),
            Self::Grounded => Some(mapped(made, &exchange(input))),
            Self::Called { back: Back::Gone, .. } => Some(made.clone()),
            Self::Cropped => cropped(made),
            Self::Called { back: Back::Kept, .. } => {
                Some(Picture { cells: reinserted(made.image(), shown.image(), input.image())?, ..*input })
            }
        }
    }

    /// A rule on what is shown, as a recipe on the input: the calls that show it, those of the rule, and those that take it back. The letters
    /// are for what is shown and what the rule made.
    pub(crate) fn around(&self, rule: &Recipe, (shown, made): (char, char)) -> Recipe {
        let mut recipe = Recipe::default();
        let (view, made) = (Variable(shown, None), Variable(made, None));
        match self {
            Self::Renamed(Renaming { kept, measures }) => {
                let names = || [Argument::of(kept), Argument::list(measures)];
                let [kept, measures] = names();
                let seen = recipe.named(view, "renamed", [Argument::Input, kept, measures]);
                let output = recipe.append(rule, &seen, made);
                let [kept, measures] = names();
                recipe.call("restored", [output, Argument::Input, kept, measures]);
            }
            Self::Oriented(which) => {
                let seen = recipe.named(view, "oriented", [Argument::Input, Argument::of(which)]);
                let output = recipe.append(rule, &seen, made);
                recipe.call("unoriented", [output, Argument::Input, Argument::of(which)]);
            }
            Self::Grounded => {
                let seen = recipe.named(view, "grounded", [Argument::Input]);
                let output = recipe.append(rule, &seen, made);
                recipe.call("grounded_as", [output, Argument::Input]);
            }
            Self::Cropped => {
                let seen = recipe.named(view, "identity", [Argument::Input]);
                let output = recipe.append(rule, &seen, made);
                let trimmed = recipe.call("trimmed", [output]);
                recipe.call("to_origin", [trimmed]);
            }
            Self::Called { calls, back } => {
                let (placed, seen) = show(calls, &Argument::Input, shown, &mut recipe);
                let output = recipe.append(rule, &seen, made);
                if *back == Back::Kept {
                    recipe.call("reinserted", [output, placed, Argument::Input]);
                }
            }
        }
        recipe
    }

    /// Its description length.
    pub(crate) fn bits(&self) -> u32 {
        match self {
            Self::Renamed(_) | Self::Oriented(_) => CALL,
            Self::Grounded | Self::Cropped => CALL / 2,
            Self::Called { calls, back } => CALL * calls.len() as u32 + if *back == Back::Kept { 2 } else { 0 },
        }
    }
}

/// Cost of a lens in bits.
const CALL: u32 = 14;

/// A picture with each colour exchanged.
fn mapped(picture: &Picture, map: &[u8; COLOURS]) -> Picture {
    Picture { cells: picture.cells.iter().map(|&cell| map[cell as usize]).collect(), ..*picture }
}

/// Background exchanged with the most common colour.
fn exchange(input: &Picture) -> [u8; COLOURS] {
    Exchange::of_ground(Ground::MostCommon.of(input.image())).map()
}

/// Drawing without the background around it.
fn cropped(picture: &Picture) -> Option<Picture> {
    let mut work = Work::default();
    boxes::TRIMMED.on(picture.image(), 0, &mut work)?;
    let image = work.out.iter().next()?;
    Some(Picture { height: image.height(), width: image.width(), cells: image.cells.to_vec() })
}

/// The output on background, in the first place of the input where most of its cells are the same; `None` if fewer than half are.
fn placed(output: &Picture, input: &Picture) -> Option<Picture> {
    if output.size() == input.size() || output.height > input.height || output.width > input.width {
        return None;
    }
    let filled: Vec<(usize, u8)> = output.cells.iter().copied().enumerate().filter(|&(_, cell)| cell != 0).collect();
    let mut best = (0, 0);
    for start in 0..=(input.height - output.height) * input.width + input.width - output.width {
        if start % input.width + output.width > input.width {
            continue;
        }
        let there = |place: usize| start + place / output.width * input.width + place % output.width;
        let same = filled.iter().filter(|&&(place, cell)| input.cells[there(place)] == cell).count();
        if same > best.0 {
            best = (same, start);
        }
    }
    if 2 * best.0 < filled.len() || best.0 == 0 {
        return None;
    }
    let mut cells = vec![0; input.cells.len()];
    for (row, line) in output.cells.chunks_exact(output.width).enumerate() {
        let start = best.1 + row * input.width;
        cells[start..start + output.width].copy_from_slice(line);
    }
    Some(Picture { cells, ..*input })
}

/// View of an input with the changes that the output has there.
fn wanted(output: &Picture, input: &Picture, shown: &Shown) -> Option<Picture> {
    let Frame { row, column, .. } = shown.frame;
    let (top, left) = (usize::try_from(row).ok()?, usize::try_from(column).ok()?);
    let Picture { height, width, .. } = shown.picture;
    if output.size() != input.size() || top + height > input.height || left + width > input.width {
        return None;
    }
    let mut cells = shown.picture.cells.clone();
    for (place, cell) in cells.iter_mut().enumerate() {
        let there = (top + place / width) * input.width + left + place % width;
        if *cell == input.cells[there] {
            *cell = output.cells[there];
        }
    }
    Some(Picture { cells, ..shown.picture })
}
