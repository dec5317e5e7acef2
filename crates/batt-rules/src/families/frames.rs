//! Frames: borders of the boxes of objects, at a distance from them.

use batt_core::{Reason, Value};
use batt_vision::{Ground, Mode, Scene, kinds};

use crate::examples::{Examples, Picture};
use crate::parameter::{Parameter, is_colour, numbered};
use crate::propose::{Candidate, FitOptions};
use crate::recipe::{Argument, Recipe};
use crate::roles;
use crate::row::{FamilyRow, Given, OnViews, Part, RuleRow, When, columns, listed};

/// Borders of the boxes of objects.
pub const FRAMES: FamilyRow = FamilyRow {
    name: "rule-frames",
    rules: &[RuleRow {
        name: "framerule",
        parameters: columns!(image: Image, ground: Number, mode: Number, frame: Tuple),
        sentence: "Background around the boxes of objects painted. A frame is (colour, distance, border, paint).",
        example: ("framerule(((0, 0, 0), (0, 2, 0), (0, 0, 0)), 0, 0, (10, 1, 1, 3))", "((3, 0, 3), (0, 2, 0), (3, 0, 3))"),
        gives: ("borders of the boxes of objects", "framerule"),
        page: &[Part::Text(PAGE), listed!("border", Border)],
        apply: applied,
    }],
    place: 6,
    when: When::Early,
    on_views: OnViews::NEVER,
    fit,
};

const PAGE: &str = "A frame is four numbers: colour, distance, border, paint. `colour` is that of the objects, 10 for any.
`distance` is that of the frame from their boxes (0 to 3). `paint` is a colour, 10 for the object's
own. Only background is painted.
";

kinds! {
    /// Which cells of a frame are painted.
    Border {
        /// Its edge.
        Edge,
        /// The corners of its edge.
        Corners,
        /// Its edge without the corners.
        Sides,
        /// Its edge and all that it encloses.
        Area,
    }
}
numbered!(Border);

/// A frame of objects of a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Frame {
    colour: u8,
    distance: u8,
    border: Border,
    paint: u8,
}

/// Any colour, or an object's own.
const ANY: u8 = 10;
/// The longest distance.
const FARTHEST: u8 = 3;

impl Parameter for Frame {
    fn to_value(&self) -> Value {
        (self.colour, self.distance, self.border, self.paint).to_value()
    }

    fn from_value(value: &Value) -> Result<Self, Reason> {
        let (colour, distance, border, paint) = Parameter::from_value(value)?;
        let is_meant = is_colour(colour) && is_colour(paint) && distance <= FARTHEST;
        if is_meant { Ok(Self { colour, distance, border, paint }) } else { Err(Reason::OutOfRange) }
    }
}

fn applied(arguments: &[&Value]) -> Result<Picture, Reason> {
    let (image, ground, mode, frame): (Picture, Ground, Mode, Frame) = Given::given(arguments)?;
    image.with(framed(&Scene::new(image.image(), ground), mode, frame)).ok_or(Reason::NoMatch)
}

/// The image with frames; `None` if there is no object to frame.
fn framed(scene: &Scene<'_>, mode: Mode, frame: Frame) -> Option<Vec<u8>> {
    let meant = |number: u8| if number == ANY { Some(ANY) } else { scene.colour_argument(number.into()) };
    let (colour, paint) = (meant(frame.colour)?, meant(frame.paint)?);
    let (image, (height, width), distance) = (scene.image(), scene.size(), i32::from(frame.distance));
    let mut cells = image.cells.to_vec();
    let mut items = scene.segments(mode)?.items.iter().filter(|item| colour == ANY || item.colour == colour).peekable();
    items.peek()?;
    for item in items {
        let (top, left) = (item.top - distance, item.left - distance);
        let (bottom, right) = (item.top + item.height - 1 + distance, item.left + item.width - 1 + distance);
        for row in top.max(0)..=bottom.min(height - 1) {
            for column in left.max(0)..=right.min(width - 1) {
                let (across, down) = (row == top || row == bottom, column == left || column == right);
                let is_painted = match frame.border {
                    Border::Edge => across || down,
                    Border::Corners => across && down,
                    Border::Sides => across != down,
                    Border::Area => true,
                };
                let place = (row * width + column) as usize;
                if is_painted && image.cells[place] == scene.ground() {
                    cells[place] = if paint == ANY { item.colour } else { paint };
                }
            }
        }
    }
    Some(cells)
}

/// How objects are found, and what it costs to say so.
const MODES: [(Mode, u32); 4] = [(Mode::Sides, 1), (Mode::AnyCorners, 1), (Mode::Corners, 2), (Mode::Colours, 3)];
/// The most candidates.
const MOST: usize = 4;

/// A frame that makes some demos, a bit each.
struct Fit {
    bits: u32,
    mode: Mode,
    frame: Frame,
    demos: u32,
}

fn fit(examples: &Examples, budget: FitOptions, _: &mut Vec<Candidate>) -> Vec<Candidate> {
    let grounds = if examples.keeps_size() { examples.grounds() } else { Vec::new() };
    grounds.into_iter().flat_map(|ground| on_ground(examples, ground, budget)).collect()
}

fn on_ground(examples: &Examples, ground: Ground, budget: FitOptions) -> Vec<Candidate> {
    let scenes: Vec<Scene<'_>> = examples.demos.iter().map(|demo| Scene::new(demo.0.image(), ground)).collect();
    // Something is painted in every demo, and all of it was background.
    for (scene, (input, output)) in scenes.iter().zip(&examples.demos) {
        let mut changed = input.cells.iter().zip(&output.cells).filter(|(from, to)| from != to).peekable();
        if changed.peek().is_none() || changed.any(|(from, _)| *from != scene.ground()) {
            return Vec::new();
        }
    }
    let demos = scenes.len();
    let all = (1u32 << demos) - 1;
    let mut fits: Vec<Fit> = Vec::new();
    for (mode, mode_bits) in MODES {
        for (frame, bits) in frames(examples, ground) {
            if budget.is_over() {
                return Vec::new();
            }
            let (mut made, mut missed) = (0, 0);
            for (demo, (scene, (_, output))) in scenes.iter().zip(&examples.demos).enumerate() {
                let is_made = framed(scene, mode, frame).as_ref() == Some(&output.cells);
                made |= u32::from(is_made) << demo;
                missed += usize::from(!is_made);
                // What misses two demos is of no use for leaving one out.
                if missed > 1 {
                    break;
                }
            }
            if missed == 0 || missed == 1 && demos > 1 {
                fits.push(Fit { bits: bits + mode_bits, mode, frame, demos: made });
            }
        }
    }
    // A demo is foretold if the simplest frame that makes the others makes it too.
    let foretells = |demo: &usize| {
        let others = all & !(1 << demo);
        let simplest = fits.iter().filter(|fit| fit.demos & others == others).min_by_key(|fit| (fit.bits, fit.demos != all));
        demos > 1 && simplest.is_some_and(|fit| fit.demos == all)
    };
    let foretold = (0..demos).filter(foretells).fold(0, |all, demo| all | 1 << demo);
    if foretold == 0 && demos > 1 {
        return Vec::new();
    }
    fits.sort_by_key(|fit| fit.bits);
    let candidate = |fit: &Fit| {
        let made = |test: &Picture| test.with(framed(&Scene::new(test.image(), ground), fit.mode, fit.frame));
        let outputs = examples.tests.iter().map(made).collect::<Option<_>>()?;
        let arguments = [Argument::Input, Argument::of(&ground), Argument::of(&fit.mode), Argument::of(&fit.frame)];
        Some(Candidate { recipe: Recipe::of("framerule", arguments), bits: fit.bits, foretold, outputs })
    };
    fits.iter().filter(|fit| fit.demos == all).filter_map(candidate).take(MOST).collect()
}

/// The frames that are tried, with their description lengths: of colours that all inputs have, of any, and of roles.
fn frames(examples: &Examples, ground: Ground) -> Vec<(Frame, u32)> {
    let roles: Vec<(u8, u32)> = roles::colours(examples, ground).into_iter().map(|(role, _)| (role, 5)).collect();
    let in_inputs = |colour: &u8| examples.inputs().all(|input| input.cells.contains(colour));
    let in_outputs = |colour: &u8| examples.demos.iter().all(|(_, output)| output.cells.contains(colour));
    let with_roles = |such: &dyn Fn(&u8) -> bool| -> Vec<(u8, u32)> {
        [(ANY, 1)].into_iter().chain((0..ANY).filter(such).map(|colour| (colour, 4))).chain(roles.iter().copied()).collect()
    };
    let (colours, paints) = (with_roles(&in_inputs), with_roles(&in_outputs));
    let mut frames = Vec::new();
    for &(colour, colour_bits) in &colours {
        for distance in 0..=FARTHEST {
            for &border in Border::ALL {
                let shape = 5 + u32::from(distance.abs_diff(1)) + if border == Border::Edge { 1 } else { 3 };
                let of_paint = |&(paint, bits): &(u8, u32)| (Frame { colour, distance, border, paint }, colour_bits + shape + bits);
                frames.extend(paints.iter().map(of_paint));
            }
        }
    }
    frames
}

#[cfg(test)]
mod tests {
    use batt_core::Grid;
    use batt_vision::Puzzle;

    use crate::{Family, FitOptions, propose_family};

    fn grid(width: usize, cells: &[i8]) -> Grid {
        Grid::new(cells.len() / width, width, cells).unwrap_or_else(|| unreachable!("a grid"))
    }

    #[test]
    fn boxes_of_objects_get_corners() {
        let demos = [
            (
                grid(5, &[0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 0, 0, 5]),
                grid(5, &[4, 0, 0, 4, 0, 0, 2, 0, 0, 0, 0, 2, 2, 0, 0, 4, 0, 0, 4, 5]),
            ),
            (grid(5, &[5, 0, 0, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 0, 0]), grid(5, &[5, 4, 0, 0, 4, 0, 0, 2, 2, 0, 0, 4, 0, 0, 4])),
        ];
        let test = grid(4, &[0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5]);
        let wanted = grid(4, &[4, 0, 4, 0, 0, 2, 0, 0, 4, 0, 4, 0, 0, 0, 0, 5]);
        let puzzle = Puzzle::of_grids(demos.iter().map(|(input, output)| (input, output)), [&test].into_iter()).unwrap_or_default();
        let proposals = propose_family(Family::Frames, &puzzle, FitOptions::default());
        let first = proposals.first().map(|proposal| (&proposal.outputs, proposal.foretold));
        assert_eq!(first, Some((&vec![wanted], 0b11)), "{proposals:?}");
    }
}
