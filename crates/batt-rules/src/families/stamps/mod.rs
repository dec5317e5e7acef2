//! Markers that become patches: learnt over the demos, or read from an object of the image; partial copies that are completed.

pub(super) mod templates;
#[cfg(test)]
mod tests;

use batt_core::{Reason, Value, tuple_of};
use batt_vision::roles::colour as colour_of;
use batt_vision::roles::is_role;
use batt_vision::{COLOURS, FIRST_ROLE, Ground, Plane};

use super::pieces::twinned;
use super::whole;
use crate::examples::{Examples, Picture};
use crate::parameter::{Parameter, is_colour};
use crate::propose::{Candidate, FitOptions};
use crate::recipe::{Argument, Recipe};
use crate::roles;
use crate::row::{FamilyRow, Given, OnViews, Part, RuleRow, Turn, When, columns};
use crate::rules::MOST_TESTS;
use templates::{Copies, Stamp, Target, Template, copy_rule, stamp_rule, template_rule};

/// Markers that become patches, and partial copies that are completed.
pub const STAMPS: FamilyRow = FamilyRow {
    name: "rule-stamps",
    rules: &[
        RuleRow {
            name: "stamprule",
            parameters: columns!(image: Image, ground: Number, over: Number, stamps: Tuple),
            sentence: "Patches around cells. A stamp is a marker's colour and the cells beside it, each (rows, columns, colour).",
            example: ("stamprule(((0, 2, 0),), 0, 1, ((2, ((0, 1, 3), (0, -1, 3))),))", "((3, 2, 3),)"),
            gives: ("patches around cells", "stamprule"),
            page: &[Part::Text(STAMP_PAGE)],
            apply: stamped,
        },
        RuleRow {
            name: "templaterule",
            parameters: columns!(image: Image, ground: Number, which: Number),
            sentence: "Partial copies of the object of most colours completed, turned and enlarged ones too.",
            example: ("templaterule(((1, 2, 3, 0, 1, 2),), 0, 0)", "((1, 2, 3, 0, 1, 2),)"),
            gives: ("partial copies of an object completed", "templaterule"),
            page: &[Part::Text(TEMPLATE_PAGE)],
            apply: completed,
        },
        RuleRow {
            name: "copyrule",
            parameters: columns!(image: Image, ground: Number, colour: Number, which: Number),
            sentence: "An object copied onto markers of a colour: objects as large as it, single cells, or objects of its shape.",
            example: ("copyrule(((1, 2, 0, 5, 5),), 0, 5, 0)", "((1, 2, 0, 1, 2),)"),
            gives: ("copies of an object on markers", "copyrule"),
            page: &[Part::Text(COPY_PAGE)],
            apply: copied,
        },
    ],
    place: 3,
    when: When::EarlyAndAfter,
    on_views: OnViews { same_size: Turn::First, other_size: false, cropped: false },
    fit,
};

const STAMP_PAGE: &str = "A stamp is a marker and parts: `(2, ((0, 1, 3), (0, -1, 3)))` paints both neighbours of each cell of
colour 2 in colour 3. A marker is a colour, 10 for any. A part is `(rows, columns, colour)`, 10 for
the marker's colour. `over` is 1 to paint over everything, 0 to paint over background only.
";

const TEMPLATE_PAGE: &str = "The template is the object of most colours. A partial copy of it has all cells of those colours of
the template that other objects have. `which` is a sum:

| number | meaning |
|--:|---|
| 1 | objects are joined by sides only |
| 2 | templates vanish |
| 4 | every object of several colours is a template |
| 8 | copies may be turned and mirrored |
| 16 | copies may be enlarged up to four times |

Two more kinds of copies have the sum of 1 for sides, 2 for turned and 4 for enlarged:

| from | copy |
|--:|---|
| 32 | all cells of any colour of the template, with background in place of the others |
| 40 | an object that is a part of the template in other colours; the template is the object that most others are parts of |
";

const COPY_PAGE: &str = "| which | copies |
|--:|---|
| 0, 1 | the object of most colours, on objects of `colour` with a box as large |
| 2, 3 | the same, around single cells of `colour` |
| 4 to 11 | the object of several colours that has its shape, on each object of `colour`, 10 for any |

With an odd number the copied object vanishes. From 4 on, 2 more means that copies may be turned and
mirrored, 4 more that they may be enlarged.
";

fn stamped(arguments: &[&Value]) -> Result<Picture, Reason> {
    let (image, ground, over, stamps): (Picture, Ground, bool, Vec<Stamp>) = Given::given(arguments)?;
    if stamps.iter().map(|stamp| stamp.parts.len() + 1).sum::<usize>() > 10 * MOST_TESTS {
        return Err(Reason::TooLarge);
    }
    image.with(Some(stamp_rule(image.image(), ground, over, &stamps))).ok_or(Reason::NoMatch)
}

fn completed(arguments: &[&Value]) -> Result<Picture, Reason> {
    let (image, ground, which): (Picture, Ground, i64) = Given::given(arguments)?;
    let template = Template::from_number(which).ok_or(Reason::OutOfRange)?;
    image.with(template_rule(image.image(), ground, template)).ok_or(Reason::NoMatch)
}

fn copied(arguments: &[&Value]) -> Result<Picture, Reason> {
    let (image, ground, number, which): (Picture, Ground, u8, i64) = Given::given(arguments)?;
    if number == ANY && which > 3 {
        return twinned(&image, ground, number, which);
    }
    if usize::from(number) >= COLOURS && !is_role(number) {
        return Err(Reason::OutOfRange);
    }
    let colour = colour_of(number, image.image(), ground).ok_or(Reason::NoMatch)?;
    let target = match which {
        0 | 1 => Target::Boxes(colour),
        2 | 3 => Target::Cells(colour),
        which => return twinned(&image, ground, colour, which),
    };
    image.with(copy_rule(image.image(), ground, target, which % 2 == 0)).ok_or(Reason::NoMatch)
}

/// Any colour.
const ANY: u8 = COLOURS as u8;

impl Parameter for Stamp {
    fn to_value(&self) -> Value {
        tuple_of(vec![self.marker.to_value(), self.parts.to_value()])
    }

    fn from_value(value: &Value) -> Result<Self, Reason> {
        let (marker, parts): (u8, Vec<(i8, i8, u8)>) = Parameter::from_value(value)?;
        if is_colour(marker) && parts.iter().all(|part| is_colour(part.2)) { Ok(Self { marker, parts }) } else { Err(Reason::OutOfRange) }
    }
}

fn fit(examples: &Examples, budget: FitOptions, parts: &mut Vec<Candidate>) -> Vec<Candidate> {
    if !examples.keeps_size() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for ground in examples.grounds() {
        if budget.is_over() {
            break;
        }
        for (number, template) in Template::all().into_iter().enumerate() {
            let recipe = || Recipe::of("templaterule", [Argument::Input, Argument::of(&ground), Argument::of(&number)]);
            let cost = if template.copies == Copies::Colours { 12 + number as u32 / 4 } else { 14 + number as u32 / 8 };
            found.extend(whole(examples, |input| input.with(template_rule(input.image(), ground, template)), recipe, cost));
        }
        for colour in 0..10 {
            for (which, target) in [Target::Boxes(colour), Target::Cells(colour)].into_iter().enumerate() {
                for keeps in [true, false] {
                    let number = which * 2 + usize::from(!keeps);
                    let recipe = || copies(ground, colour, number);
                    found.extend(whole(examples, |input| input.with(copy_rule(input.image(), ground, target, keeps)), recipe, 14));
                }
            }
        }
        let roles = roles::colours(examples, ground);
        for &(colour, _) in &roles {
            for which in 0..4 {
                let apply = |input: &Picture| {
                    let colour = colour_of(colour, input.image(), ground)?;
                    let target = if which < 2 { Target::Boxes(colour) } else { Target::Cells(colour) };
                    input.with(copy_rule(input.image(), ground, target, which % 2 == 0))
                };
                found.extend(whole(examples, apply, || copies(ground, colour, which), 14 + ROLE));
            }
        }
        for over in [true, false] {
            let fit = learnt(examples, ground, over, &[], parts);
            // Roles are for colours that differ.
            let by_roles = if fit.is_some() || roles.is_empty() { None } else { learnt(examples, ground, over, &roles, parts) };
            found.extend(fit.or(by_roles));
        }
    }
    found
}

fn copies(ground: Ground, colour: u8, which: usize) -> Recipe {
    Recipe::of("copyrule", [Argument::Input, Argument::of(&ground), Argument::of(&colour), Argument::of(&which)])
}

/// The farthest place of a stamp from its marker.
const REACH: i8 = 4;

/// The roles of colours that stamps may have as arguments, with the colour in each demo.
type Roles = [(u8, Plane)];

fn learnt(examples: &Examples, ground: Ground, over: bool, roles: &Roles, parts: &mut Vec<Candidate>) -> Option<Candidate> {
    let all: Vec<usize> = (0..examples.demos.len()).collect();
    let mut stamps = stamps(examples, ground, over, roles, &all)?;
    let apply = |input: &Picture, stamps: &[Stamp]| stamp_rule(input.image(), ground, over, stamps);
    let made = |input: &Picture, stamps: &[Stamp]| Picture { cells: apply(input, stamps), ..*input };
    let fits = |demo: usize, stamps: &[Stamp]| made(&examples.demos[demo].0, stamps) == examples.demos[demo].1;
    let candidate = |stamps: &[Stamp], foretold: u32| {
        let outputs = examples.tests.iter().map(|test| Picture { cells: apply(test, stamps), ..*test }).collect();
        let count: usize = stamps.iter().map(|stamp| stamp.parts.len()).sum();
        let extra = ROLE * stamps.iter().filter(|stamp| stamp.marker >= FIRST_ROLE).count() as u32;
        let recipe = Recipe::of("stamprule", [Argument::Input, Argument::of(&ground), Argument::of(&over), Argument::list(stamps)]);
        Candidate { recipe, bits: 8 + 5 * stamps.len() as u32 + 2 * count as u32 + extra, foretold, outputs }
    };
    if !all.iter().all(|&demo| fits(demo, &stamps)) {
        let better = |(input, output): &(Picture, Picture)| {
            let made = apply(input, &stamps);
            made.iter().zip(&output.cells).zip(&input.cells).all(|((made, output), input)| made == output || made == input)
        };
        if examples.demos.iter().all(better) {
            parts.push(candidate(&stamps, 0));
        }
        return None;
    }
    prune(&mut stamps, |stamps| all.iter().all(|&demo| fits(demo, stamps)));
    let foretold = all.iter().filter(|&&demo| {
        let others: Vec<usize> = all.iter().copied().filter(|&other| other != demo).collect();
        let fit = if others.is_empty() { None } else { self::stamps(examples, ground, over, roles, &others) };
        fit.is_some_and(|mut stamps| {
            // Roles that a few demos have alike say the same in several ways: one of them is enough.
            if !roles.is_empty() {
                prune(&mut stamps, |stamps| others.iter().all(|&other| fits(other, stamps)));
            }
            fits(demo, &stamps)
        })
    });
    let foretold = foretold.fold(0, |all, demo| all | 1 << demo);
    if foretold == 0 && all.len() > 1 {
        return None;
    }
    Some(candidate(&stamps, foretold))
}

/// Drops the parts without which the stamps fit too, those far from the marker first.
fn prune(stamps: &mut Vec<Stamp>, fit: impl Fn(&[Stamp]) -> bool) {
    for k in (0..stamps.len()).rev() {
        let mut parts = stamps[k].parts.clone();
        parts.sort_by_key(|&(rows, columns, _)| std::cmp::Reverse(rows.abs().max(columns.abs())));
        for part in parts {
            let kept = stamps[k].parts.clone();
            stamps[k].parts.retain(|&other| other != part);
            if !fit(stamps) {
                stamps[k].parts = kept;
            }
        }
    }
    stamps.retain(|stamp| !stamp.parts.is_empty());
}

/// Extra cost of markers of a role.
const ROLE: u32 = 3;

/// For each colour what all its cells have around them in the outputs of some demos, where that is a change.
fn stamps(examples: &Examples, ground: Ground, over: bool, roles: &Roles, demos: &[usize]) -> Option<Vec<Stamp>> {
    let mut changed = false;
    let mut stamps = Vec::new();
    let is_everywhere = |marker: &u8| roles.is_empty() || examples.inputs().all(|input| input.cells.contains(marker));
    let constants = (0..10u8).filter(is_everywhere).map(|marker| (marker, vec![i16::from(marker); examples.demos.len()]));
    for (marker, colours) in constants.chain(roles.iter().cloned()) {
        let mut parts = Vec::new();
        for rows in -REACH..=REACH {
            for columns in -REACH..=REACH {
                if let Some(colour) = common(examples, ground, over, roles, demos, &colours, (rows, columns)) {
                    parts.push((rows, columns, colour));
                }
            }
        }
        changed |= !parts.is_empty();
        if !parts.is_empty() {
            stamps.push(Stamp { marker, parts });
        }
    }
    changed.then_some(stamps)
}

/// The colour that a place beside all markers gets, which have a colour in each demo, if it is one, or one role, and somewhere a change.
fn common(
    examples: &Examples,
    ground: Ground,
    over: bool,
    roles: &Roles,
    demos: &[usize],
    markers: &[i16],
    (rows, columns): (i8, i8),
) -> Option<u8> {
    // What may be the colour still, a bit each: the first colour, the marker's own, and roles.
    let (mut first, mut left, mut changes) = (None, 1u64, false);
    if !roles.is_empty() {
        left = (4 << roles.len()) - 1;
    }
    for &demo in demos {
        let (input, output) = &examples.demos[demo];
        let background = ground.of(input.image());
        let marker = markers[demo];
        if marker == i16::from(background) {
            return None;
        }
        let (height, width) = (input.height as i32, input.width as i32);
        for (place, _) in input.cells.iter().enumerate().filter(|&(_, &cell)| i16::from(cell) == marker) {
            let (row, column) = (place as i32 / width + i32::from(rows), place as i32 % width + i32::from(columns));
            if !(0..height).contains(&row) || !(0..width).contains(&column) {
                continue;
            }
            let there = (row * width + column) as usize;
            if !over && input.cells[there] != background && there != place {
                continue;
            }
            let colour = output.cells[there];
            left &= !u64::from(*first.get_or_insert(colour) != colour);
            if !roles.is_empty() {
                left &= !(u64::from(marker != i16::from(colour)) << 1);
                for (k, (_, colours)) in roles.iter().enumerate() {
                    left &= !(u64::from(colours[demo] != i16::from(colour)) << (k + 2));
                }
            }
            if left == 0 {
                return None;
            }
            changes |= colour != input.cells[there];
        }
    }
    let argument = |bit: u32| match bit {
        0 => first,
        1 => Some(10),
        role => roles.get(role as usize - 2).map(|(role, _)| *role),
    };
    argument(left.trailing_zeros()).filter(|_| changes)
}
