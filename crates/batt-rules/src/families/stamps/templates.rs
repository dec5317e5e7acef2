//! Templates: objects that show how others are to be completed.

use batt_vision::{COLOURS, Ground, Image, Item, Mode, Scene, turn};

/// How templates are found and laid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Template {
    /// How objects are joined.
    pub mode: Mode,
    /// Whether they may be turned and mirrored.
    pub turned: bool,
    /// The most that they may be enlarged.
    pub scale: u8,
    /// Whether templates stay in the image.
    pub keeps: bool,
    /// Whether a template is any object of several colours, not only the largest ones.
    pub all: bool,
    /// Kind of partial copies.
    pub copies: Copies,
}

/// Kinds of partial copies of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Copies {
    /// All cells of those of its colours that other objects have.
    Colours,
    /// All cells of any of its colours, with background in place of the others.
    Parts,
    /// An object that is a part of it with colours exchanged. The template is the object that most others are parts of.
    Exchanged,
}

impl Template {
    /// All ways, simple ones first; those of each kind of copies after the others.
    pub(crate) fn all() -> Vec<Self> {
        let mut all = Vec::new();
        for scale in [1, 4] {
            for turned in [false, true] {
                for all_items in [false, true] {
                    for keeps in [true, false] {
                        for mode in [Mode::AnyCorners, Mode::AnySides] {
                            all.push(Self { mode, turned, scale, keeps, all: all_items, copies: Copies::Colours });
                        }
                    }
                }
            }
        }
        for copies in [Copies::Parts, Copies::Exchanged] {
            for scale in [1, 4] {
                for turned in [false, true] {
                    for mode in [Mode::AnyCorners, Mode::AnySides] {
                        all.push(Self { mode, turned, scale, keeps: true, all: false, copies });
                    }
                }
            }
        }
        all
    }

    /// A way by its number, its place in [`Template::all`].
    pub(crate) fn from_number(number: i64) -> Option<Self> {
        Self::all().get(usize::try_from(number).ok()?).copied()
    }

    /// The forms of a patch: turned and mirrored, if that may be.
    fn forms(self, parts: &[Part]) -> Vec<Vec<Part>> {
        let height = parts.iter().map(|part| part.0.0 + 1).max().unwrap_or(0);
        let width = parts.iter().map(|part| part.0.1 + 1).max().unwrap_or(0);
        let mut forms: Vec<Vec<Part>> = Vec::new();
        for which in 0..if self.turned { 8 } else { 1 } {
            let mut form: Vec<Part> = parts.iter().map(|&(place, colour)| (turn(which, place, (height, width)), colour)).collect();
            form.sort_unstable();
            if !forms.contains(&form) {
                forms.push(form);
            }
        }
        forms
    }
}

/// A cell of a template: its place in the box, and its colour.
pub(crate) type Part = ((i32, i32), u8);

/// The image with partial copies of its templates completed. `None` if there is no template or no copy of one.
pub(crate) fn template_rule(image: Image<'_>, ground: Ground, template: Template) -> Option<Vec<u8>> {
    let scene = Scene::new(image, ground);
    match template.copies {
        Copies::Colours | Copies::Parts => completed(&scene, template),
        Copies::Exchanged => exchanged(&scene, template),
    }
}

/// The cells of an item beginning at the corner of its box.
pub(crate) fn parts(scene: &Scene<'_>, item: &Item) -> Vec<Part> {
    let width = scene.size().1;
    let part = |&place: &u16| {
        let (row, column) = (i32::from(place) / width - item.top, i32::from(place) % width - item.left);
        ((row, column), scene.image().cells[place as usize])
    };
    item.cells.iter().map(part).collect()
}

/// Each cell enlarged to a block.
fn enlarged(parts: &[Part], scale: i32) -> Vec<Part> {
    let block =
        |&((row, column), colour): &Part| (0..scale * scale).map(move |k| ((row * scale + k / scale, column * scale + k % scale), colour));
    parts.iter().flat_map(block).collect()
}

/// The number of colours of an item but background.
fn colours(scene: &Scene<'_>, item: &Item) -> usize {
    (0..COLOURS).filter(|&colour| colour != scene.ground() as usize && item.counts[colour] > 0).count()
}

fn completed(scene: &Scene<'_>, template: Template) -> Option<Vec<u8>> {
    let image = scene.image();
    let items = &scene.segments(template.mode)?.items;
    let colours = |item: &Item| colours(scene, item);
    let most = items.iter().map(colours).max()?;
    if most < 2 {
        return None;
    }
    let mut full: Vec<&Item> = items.iter().filter(|item| if template.all { colours(item) >= 2 } else { colours(item) == most }).collect();
    full.sort_by_key(|item| (std::cmp::Reverse(item.cells.len()), item.cells[0]));
    if template.all {
        // What is much smaller than the largest is a copy of it.
        let largest = full.first()?.cells.len();
        full.retain(|item| item.cells.len() * 2 > largest);
    }
    // What is left to be completed.
    let mut open = image.cells.to_vec();
    for item in &full {
        item.cells.iter().for_each(|&place| open[place as usize] = scene.ground());
    }
    let mut made = if template.keeps { image.cells.to_vec() } else { open.clone() };
    let mut laid = 0;
    for item in full {
        let forms = template.forms(&parts(scene, item));
        for scale in (1..=i32::from(template.scale)).rev() {
            for form in &forms {
                if template.copies == Copies::Colours {
                    let keys: Vec<Part> = form.iter().filter(|part| open.contains(&part.1)).copied().collect();
                    laid += lay(form, &keys, false, scale, scene, &mut open, &mut made);
                } else {
                    for keys in keys(form, &open) {
                        laid += lay(form, &keys, true, scale, scene, &mut open, &mut made);
                    }
                }
            }
        }
    }
    (laid > 0).then_some(made)
}

/// The cells of some of the colours of a form that are open anywhere, for each choice of them, most cells first.
fn keys(form: &[Part], open: &[u8]) -> Vec<Vec<Part>> {
    let mut colours: Vec<u8> = form.iter().map(|part| part.1).filter(|colour| open.contains(colour)).collect();
    colours.sort_unstable();
    colours.dedup();
    // More colours have too many choices.
    colours.truncate(4);
    let choice = |chosen: u32| {
        let is_chosen = |colour: u8| colours.iter().position(|&other| other == colour).is_some_and(|k| chosen >> k & 1 == 1);
        form.iter().filter(|part| is_chosen(part.1)).copied().collect::<Vec<Part>>()
    };
    let mut keys: Vec<Vec<Part>> = (1..1 << colours.len()).map(choice).collect();
    keys.sort_by_key(|keys| std::cmp::Reverse(keys.len()));
    keys
}

/// Lays a form wherever its keys are open, and, if they must be, its other cells background; the number of times that it was laid.
fn lay(form: &[Part], keys: &[Part], is_exact: bool, scale: i32, scene: &Scene<'_>, open: &mut [u8], made: &mut [u8]) -> usize {
    let (height, width) = scene.size();
    if keys.is_empty() || keys.len() == form.len() {
        return 0;
    }
    let (keys, all) = (enlarged(keys, scale), enlarged(form, scale));
    let Some(&(first, colour)) = keys.first() else { return 0 };
    let mut laid = 0;
    for place in 0..height * width {
        if open[place as usize] != colour {
            continue;
        }
        let (down, right) = (place / width - first.0, place % width - first.1);
        let at = |(row, column): (i32, i32)| {
            let (row, column) = (row + down, column + right);
            let inside = (0..height).contains(&row) && (0..width).contains(&column);
            inside.then_some((row * width + column) as usize)
        };
        let is_open = |&(place, colour): &Part| at(place).is_some_and(|place| open[place] == colour);
        if !keys.iter().all(is_open) {
            continue;
        }
        let is_blank = |part: &Part| keys.contains(part) || at(part.0).is_none_or(|place| open[place] == scene.ground());
        if is_exact && !all.iter().all(is_blank) {
            continue;
        }
        for &(place, _) in &keys {
            if let Some(place) = at(place) {
                open[place] = scene.ground();
            }
        }
        for &(place, colour) in &all {
            if let Some(place) = at(place) {
                made[place] = colour;
            }
        }
        laid += 1;
    }
    laid
}

/// The most objects of which one may be the template of others whose colours are exchanged.
const MOST_EXCHANGED: usize = 12;

/// A form where an object is a part of it: the place of the form's corner, and the colours for those of the form.
struct Fitted {
    form: Vec<Part>,
    corner: (i32, i32),
    colours: [Option<u8>; COLOURS],
}

fn exchanged(scene: &Scene<'_>, template: Template) -> Option<Vec<u8>> {
    let items = &scene.segments(template.mode)?.items;
    let several: Vec<&Item> = items.iter().filter(|item| colours(scene, item) >= 2).collect();
    if several.len() < 2 || several.len() > MOST_EXCHANGED {
        return None;
    }
    let mut best: Option<Vec<Fitted>> = None;
    for (k, item) in several.iter().enumerate() {
        let forms = template.forms(&parts(scene, item));
        let others = several.iter().enumerate().filter(|(other, _)| *other != k).map(|(_, other)| *other);
        let fitted: Vec<Fitted> = others.filter_map(|other| fit(scene, &forms, other, i32::from(template.scale))).collect();
        if best.as_ref().is_none_or(|best| best.len() < fitted.len()) {
            best = Some(fitted);
        }
    }
    let fitted = best.filter(|fitted| fitted.len() + 1 == several.len())?;
    let mut made = scene.image().cells.to_vec();
    let width = scene.size().1;
    for fitted in fitted {
        for ((row, column), colour) in fitted.form {
            let place = (row + fitted.corner.0) * width + column + fitted.corner.1;
            made[place as usize] = fitted.colours[colour as usize].unwrap_or(colour);
        }
    }
    Some(made)
}

/// Where an object is a part of a form: where most colours stay as they are.
fn fit(scene: &Scene<'_>, forms: &[Vec<Part>], item: &Item, most_scale: i32) -> Option<Fitted> {
    let (height, width) = scene.size();
    let cells = parts(scene, item);
    let mut best: Option<(usize, Fitted)> = None;
    for scale in 1..=most_scale {
        for form in forms.iter().map(|form| enlarged(form, scale)).filter(|form| form.len() > cells.len()) {
            let (rows, columns) = form.iter().fold((0, 0), |(rows, columns), part| (rows.max(part.0.0 + 1), columns.max(part.0.1 + 1)));
            let mut at = vec![None; (rows * columns) as usize];
            for &((row, column), colour) in &form {
                at[(row * columns + column) as usize] = Some(colour);
            }
            // Where the corner of the object's box is in the form.
            for down in 0..=rows - item.height {
                for right in 0..=columns - item.width {
                    let corner = (item.top - down, item.left - right);
                    if down % scale != 0 || right % scale != 0 || corner.0 < 0 || corner.1 < 0 {
                        continue;
                    }
                    if corner.0 + rows > height || corner.1 + columns > width {
                        continue;
                    }
                    let there = |(row, column): (i32, i32)| at[((row + down) * columns + column + right) as usize];
                    let Some(colours) = exchange(&cells, there) else { continue };
                    let same = colours.iter().enumerate().filter(|(from, to)| **to == Some(*from as u8)).count();
                    if best.as_ref().is_none_or(|best| best.0 < same) {
                        best = Some((same, Fitted { form: form.clone(), corner, colours }));
                    }
                }
            }
        }
    }
    best.map(|best| best.1)
}

/// The colours that stand for those of a form, if cells are a part of it and no colour stands for two.
fn exchange(cells: &[Part], form: impl Fn((i32, i32)) -> Option<u8>) -> Option<[Option<u8>; COLOURS]> {
    let mut colours = [None; COLOURS];
    for &(place, colour) in cells {
        let from = form(place)?;
        if *colours[from as usize].get_or_insert(colour) != colour {
            return None;
        }
    }
    let mut to: Vec<u8> = colours.iter().flatten().copied().collect();
    to.sort_unstable();
    to.windows(2).all(|two| two[0] != two[1]).then_some(colours)
}

/// How a patch is laid on markers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Target {
    /// On objects of a colour that have boxes as large as the patch.
    Boxes(u8),
    /// Around single cells of a colour, with the middle on the cell.
    Cells(u8),
}

/// The image with its most colourful object laid on all markers; the object itself goes away unless it is kept.
pub(crate) fn copy_rule(image: Image<'_>, ground: Ground, target: Target, keeps: bool) -> Option<Vec<u8>> {
    let scene = Scene::new(image, ground);
    let items = &scene.segments(Mode::AnyCorners)?.items;
    let colours = |item: &Item| (0..COLOURS).filter(|&colour| colour != scene.ground() as usize && item.counts[colour] > 0).count();
    let patch = items.iter().filter(|item| colours(item) >= 2).max_by_key(|item| (colours(item), item.cells.len()))?;
    let mut made = image.cells.to_vec();
    if !keeps {
        patch.cells.iter().for_each(|&place| made[place as usize] = scene.ground());
    }
    let (height, width) = scene.size();
    let mut laid = 0;
    let markers = scene.segments(Mode::Sides)?;
    for marker in &markers.items {
        let (colour, corner) = match target {
            Target::Boxes(colour) if (marker.height, marker.width) == (patch.height, patch.width) => (colour, (marker.top, marker.left)),
            Target::Cells(colour) if marker.cells.len() == 1 && patch.height % 2 == 1 && patch.width % 2 == 1 => {
                (colour, (marker.top - patch.height / 2, marker.left - patch.width / 2))
            }
            _ => continue,
        };
        if marker.colour != colour || patch.cells.contains(&marker.cells[0]) {
            continue;
        }
        marker.cells.iter().for_each(|&place| made[place as usize] = scene.ground());
        for &place in &patch.cells {
            let row = i32::from(place) / width - patch.top + corner.0;
            let column = i32::from(place) % width - patch.left + corner.1;
            if (0..height).contains(&row) && (0..width).contains(&column) {
                made[(row * width + column) as usize] = image.cells[place as usize];
            }
        }
        laid += 1;
    }
    (laid > 0).then_some(made)
}

/// A patch for the cells of a colour: places beside the cell and the colours that they get, 10 for the colour of the cell; from
/// 20 on a role.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Stamp {
    /// The colour of the markers, 10 for all that are not background, or a role.
    pub marker: u8,
    /// Rows down, columns to the right, colour.
    pub parts: Vec<(i8, i8, u8)>,
}

/// The image with stamps laid on their markers: over everything, or only over background.
pub(crate) fn stamp_rule(image: Image<'_>, ground: Ground, over: bool, stamps: &[Stamp]) -> Vec<u8> {
    let scene = Scene::new(image, ground);
    let (height, width) = scene.size();
    let mut made = image.cells.to_vec();
    for stamp in stamps {
        let marker = scene.colour_argument(stamp.marker.into());
        // A part in the colour of a role that nobody has is left out.
        let colour_of = |colour: u8| if colour == 10 { Some(None) } else { scene.colour_argument(colour.into()).map(Some) };
        let parts: Vec<(i8, i8, Option<u8>)> =
            stamp.parts.iter().filter_map(|&(rows, columns, colour)| Some((rows, columns, colour_of(colour)?))).collect();
        for (place, &cell) in image.cells.iter().enumerate() {
            let marks = Some(cell) == marker || (stamp.marker == 10 && cell != scene.ground());
            if !marks {
                continue;
            }
            for &(rows, columns, colour) in &parts {
                let (row, column) = (place as i32 / width + i32::from(rows), place as i32 % width + i32::from(columns));
                if (0..height).contains(&row) && (0..width).contains(&column) {
                    let there = (row * width + column) as usize;
                    if over || image.cells[there] == scene.ground() || there == place {
                        made[there] = colour.unwrap_or(cell);
                    }
                }
            }
        }
    }
    made
}
