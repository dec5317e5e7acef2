//! Pieces that are put together: into holes and frames of other objects, beside each other, or over each other on a common anchor.

use batt_vision::{COLOURS, DIRECTIONS, Ground, Image, Item, MAX_SIDE, Mode, Scene, turn};

use super::overlays::{Anchor, overlaid};
use crate::families::stamps::templates::{Part, parts};

/// How pieces are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Fit {
    /// The corners and edges of a frame, each where its fuller sides are.
    Frame(Mode),
    /// Squares of one size, which may touch, as the corners and edges of a frame.
    Squares,
    /// Into a rectangle that they fill.
    Rectangle {
        /// How cells are joined.
        mode: Mode,
        /// Whether pieces may be turned and mirrored.
        turned: bool,
    },
    /// Into the holes of the largest object: all of a piece, or its cells of the object's colour, with the others over the object.
    Holes {
        /// How cells of pieces are joined.
        mode: Mode,
        /// Whether pieces may be turned and mirrored.
        turned: bool,
        /// Whether the largest object's box is cut out.
        cuts: bool,
    },
    /// One piece into what all others frame, enlarged as what is there already tells, else so that it fills it and most colours meet.
    Inside {
        /// How cells of the piece are joined; with [`Mode::Colours`] it is all that is outside the frame, which has corners of one colour.
        mode: Mode,
        /// Whether the piece may be turned and mirrored.
        turned: bool,
        /// Whether the frame is cut out.
        cuts: bool,
    },
    /// Over each other, with their anchors on one cell.
    Over(Anchor),
}

impl Fit {
    /// All ways.
    pub(crate) fn all() -> Vec<Self> {
        let mut all: Vec<Self> = [Mode::Sides, Mode::Corners, Mode::AnySides, Mode::AnyCorners].map(Self::Frame).to_vec();
        all.push(Self::Squares);
        for turned in [false, true] {
            for mode in [Mode::Sides, Mode::AnyCorners] {
                all.push(Self::Rectangle { mode, turned });
                all.extend([true, false].map(|cuts| Self::Holes { mode, turned, cuts }));
            }
            for mode in [Mode::AnyCorners, Mode::Colours] {
                all.extend([true, false].map(|cuts| Self::Inside { mode, turned, cuts }));
            }
        }
        all.extend(Anchor::ALL.iter().map(|&anchor| Self::Over(anchor)));
        all
    }

    /// A way by its number, its place in [`Fit::all`].
    pub(crate) fn from_number(number: i64) -> Option<Self> {
        Self::all().get(usize::try_from(number).ok()?).copied()
    }

    /// Describes it in a sentence.
    pub(crate) fn describe(self) -> String {
        let pieces = |mode: Mode| if mode == Mode::Sides { "Objects of one colour" } else { "Objects of any colours" };
        let may_turn = |turned: bool| if turned { ", turned and mirrored too" } else { "" };
        let shown = |cuts: bool, what: &str| if cuts { format!("; {what} is cut out") } else { String::new() };
        match self {
            Self::Frame(mode) => format!("A frame of objects of the mode {mode:?}, each corner and edge where its fuller sides are."),
            Self::Squares => "A frame of squares of one size, which may touch.".into(),
            Self::Rectangle { mode, turned } => format!("{} as a rectangle that they fill{}.", pieces(mode), may_turn(turned)),
            Self::Holes { mode, turned, cuts } => {
                format!("{} in the holes of the largest object{}{}.", pieces(mode), may_turn(turned), shown(cuts, "its box"))
            }
            Self::Inside { mode, turned, cuts } => {
                let piece = match mode {
                    Mode::Colours => "All that is outside a box with corners of one colour, in the box",
                    _ => "One object in what all others frame",
                };
                format!("{piece}{}{}.", may_turn(turned), shown(cuts, if mode == Mode::Colours { "the box" } else { "the frame" }))
            }
            Self::Over(anchor) => anchor.describe().into(),
        }
    }

    /// Whether what it makes is as large as the image.
    pub(crate) const fn keeps_size(self) -> bool {
        matches!(self, Self::Holes { cuts: false, .. } | Self::Inside { cuts: false, .. })
    }
}

/// Rows, columns and cells.
pub(crate) type Made = (usize, usize, Vec<u8>);

/// The most pieces.
const MOST_PIECES: usize = 16;
/// The most placings that are tried to fill a rectangle.
const MOST_TRIES: usize = 4000;

/// The eight symmetries, turned before mirrored: jigsaws are turned.
const TURNED: [u8; 8] = [0, 3, 5, 6, 1, 2, 4, 7];
/// The eight symmetries, mirrored before turned: what meets a frame is mirrored.
const MIRRORED: [u8; 8] = [0, 1, 2, 3, 4, 5, 6, 7];

/// A set of cells that is moved as one, beginning at the corner of its box.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Piece {
    height: i32,
    width: i32,
    parts: Vec<Part>,
}

impl Piece {
    fn of(scene: &Scene<'_>, item: &Item) -> Self {
        Self { height: item.height, width: item.width, parts: parts(scene, item) }
    }

    /// The different pieces that it is when it is turned and mirrored, in this order, if it may be.
    fn forms(&self, turned: bool, order: [u8; 8]) -> Vec<Self> {
        let mut forms: Vec<Self> = Vec::new();
        for which in order.into_iter().take(if turned { 8 } else { 1 }) {
            let mut parts: Vec<Part> =
                self.parts.iter().map(|&(place, colour)| (turn(which, place, (self.height, self.width)), colour)).collect();
            parts.sort_unstable();
            let (height, width) = if which & 4 == 0 { (self.height, self.width) } else { (self.width, self.height) };
            let form = Self { height, width, parts };
            if !forms.contains(&form) {
                forms.push(form);
            }
        }
        forms
    }
}

/// Assembles the pieces of an image. `None` if they do not fit.
pub(crate) fn fit_rule(image: Image<'_>, ground: Ground, fit: Fit) -> Option<Made> {
    let scene = Scene::new(image, ground);
    match fit {
        Fit::Frame(mode) => framed(&scene, &pieces(&scene, mode)?),
        Fit::Squares => framed(&scene, &squares(&scene)?),
        Fit::Rectangle { mode, turned } => filled(&pieces(&scene, mode)?, turned),
        Fit::Holes { mode, turned, cuts } => in_holes(&scene, mode, turned, cuts),
        Fit::Inside { mode, turned, cuts } => inside(&scene, mode, turned, cuts),
        Fit::Over(anchor) => overlaid(&scene, anchor),
    }
}

/// All objects as pieces, if there are at least two and not too many.
fn pieces(scene: &Scene<'_>, mode: Mode) -> Option<Vec<Piece>> {
    let items = &scene.segments(mode)?.items;
    (2..=MOST_PIECES).contains(&items.len()).then(|| items.iter().map(|item| Piece::of(scene, item)).collect())
}

/// Nine or four squares of one size that are all that there is but background.
fn squares(scene: &Scene<'_>) -> Option<Vec<Piece>> {
    let (height, width) = scene.size();
    let cells = &scene.image().cells;
    let total = cells.iter().filter(|&&cell| cell != scene.ground()).count() as i32;
    let (count, side) =
        (2..=MAX_SIDE as i32).find_map(|side| [9, 4].into_iter().find(|count| count * side * side == total).map(|count| (count, side)))?;
    let mut is_open: Vec<bool> = cells.iter().map(|&cell| cell != scene.ground()).collect();
    let mut pieces = Vec::new();
    // The first cell that is left is the corner of a square.
    while let Some(first) = is_open.iter().position(|&is_open| is_open) {
        let (top, left) = (first as i32 / width, first as i32 % width);
        if top + side > height || left + side > width || pieces.len() as i32 == count {
            return None;
        }
        let mut parts = Vec::new();
        for k in 0..side * side {
            let place = ((top + k / side) * width + left + k % side) as usize;
            if !std::mem::replace(&mut is_open[place], false) {
                return None;
            }
            parts.push(((k / side, k % side), cells[place]));
        }
        pieces.push(Piece { height: side, width: side, parts });
    }
    Some(pieces)
}

/// Each piece in its corner, on its edge or in the middle.
fn framed(scene: &Scene<'_>, pieces: &[Piece]) -> Option<Made> {
    if pieces.len() < 4 || pieces.len() > 9 {
        return None;
    }
    // A colour that all pieces have is what they are made of, and says nothing about their places.
    let has = |piece: &Piece, colour: u8| piece.parts.iter().any(|part| part.1 == colour);
    let common = (0..COLOURS as u8).find(|&colour| pieces.iter().all(|piece| has(piece, colour)));
    let mut table: [Option<&Piece>; 9] = [None; 9];
    for piece in pieces {
        let count =
            |is_there: &dyn Fn((i32, i32)) -> bool| piece.parts.iter().filter(|part| Some(part.1) != common && is_there(part.0)).count();
        let (above, below) = (count(&|place| place.0 == 0), count(&|place| place.0 == piece.height - 1));
        let (left, right) = (count(&|place| place.1 == 0), count(&|place| place.1 == piece.width - 1));
        let place = |first: usize, last: usize| 1 + usize::from(last > first) - usize::from(first > last);
        if table[place(above, below) * 3 + place(left, right)].replace(piece).is_some() {
            return None;
        }
    }
    if [0, 2, 6, 8].iter().any(|&corner| table[corner].is_none()) {
        return None;
    }
    // How long a side is: with all pieces that are on it.
    let side =
        |places: [usize; 3], length: &dyn Fn(&Piece) -> i32| places.iter().filter_map(|&place| table[place].map(length)).sum::<i32>();
    let (down, across) = (|piece: &Piece| piece.height, |piece: &Piece| piece.width);
    let (height, width) = (side([0, 3, 6], &down), side([0, 1, 2], &across));
    if height != side([2, 5, 8], &down) || width != side([6, 7, 8], &across) || height > MAX_SIDE as i32 || width > MAX_SIDE as i32 {
        return None;
    }
    let mut made = vec![scene.ground(); (height * width) as usize];
    let mut covered = vec![false; made.len()];
    for (place, piece) in table.iter().enumerate() {
        let Some(piece) = piece else { continue };
        // A piece in the middle begins where the one before it ends.
        let start = |place: usize, before: Option<&Piece>, side: i32, length: &dyn Fn(&Piece) -> i32| match place {
            0 => 0,
            1 => before.map_or(0, length),
            _ => side - length(piece),
        };
        let top = start(place / 3, table[place % 3].or(table[0]), height, &down);
        let left = start(place % 3, table[place / 3 * 3].or(table[0]), width, &across);
        for &((row, column), colour) in &piece.parts {
            let (row, column) = (row + top, column + left);
            if !(0..height).contains(&row) || !(0..width).contains(&column) {
                return None;
            }
            let there = (row * width + column) as usize;
            if std::mem::replace(&mut covered[there], true) {
                return None;
            }
            made[there] = colour;
        }
    }
    Some((height as usize, width as usize, made))
}

/// The rectangle that pieces fill, the squarest first.
fn filled(pieces: &[Piece], turned: bool) -> Option<Made> {
    let area: usize = pieces.iter().map(|piece| piece.parts.len()).sum();
    if area > MAX_SIDE * MAX_SIDE || pieces.len() > 10 {
        return None;
    }
    let forms: Vec<Vec<Piece>> = pieces.iter().map(|piece| piece.forms(turned, TURNED)).collect();
    let tallest = pieces.iter().map(|piece| piece.height.min(if turned { piece.width } else { piece.height })).max()? as usize;
    let widest = pieces.iter().map(|piece| piece.width.min(if turned { piece.height } else { piece.width })).max()? as usize;
    let mut sizes: Vec<(usize, usize)> =
        (1..=MAX_SIDE).filter(|height| area.is_multiple_of(*height)).map(|height| (height, area / height)).collect();
    sizes.retain(|&(height, width)| width <= MAX_SIDE && height >= tallest && width >= widest);
    sizes.sort_by_key(|&(height, width)| height.abs_diff(width));
    let mut tries = MOST_TRIES;
    for (height, width) in sizes {
        let mut made = vec![None; area];
        if fill(&forms, &mut vec![false; forms.len()], &mut made, width, &mut tries) {
            return Some((height, width, made.into_iter().flatten().collect()));
        }
    }
    None
}

/// Fills the first open cell with the first cell of a piece that is left, and so on.
fn fill(forms: &[Vec<Piece>], used: &mut [bool], made: &mut [Option<u8>], width: usize, tries: &mut usize) -> bool {
    let Some(first) = made.iter().position(Option::is_none) else { return true };
    for piece in 0..forms.len() {
        if used[piece] {
            continue;
        }
        for form in &forms[piece] {
            if *tries == 0 {
                return false;
            }
            *tries -= 1;
            let Some(&(start, _)) = form.parts.first() else { continue };
            let (top, left) = ((first / width) as i32 - start.0, (first % width) as i32 - start.1);
            let place = |(row, column): (i32, i32)| {
                let is_inside = row + top >= 0 && (0..width as i32).contains(&(column + left));
                is_inside.then_some((row + top) as usize * width + (column + left).max(0) as usize)
            };
            let places: Option<Vec<usize>> =
                form.parts.iter().map(|part| place(part.0).filter(|&place| made.get(place).is_some_and(Option::is_none))).collect();
            let Some(places) = places else { continue };
            for (&place, part) in places.iter().zip(&form.parts) {
                made[place] = Some(part.1);
            }
            used[piece] = true;
            if fill(forms, used, made, width, tries) {
                return true;
            }
            used[piece] = false;
            for place in places {
                made[place] = None;
            }
        }
    }
    false
}

/// A box: its first row and column, its rows and columns.
type Area = (i32, i32, i32, i32);

fn contains(area: Area, (row, column): (i32, i32)) -> bool {
    (area.0..area.0 + area.2).contains(&row) && (area.1..area.1 + area.3).contains(&column)
}

fn cut(made: &[u8], across: i32, area: Area) -> Made {
    let row = |row: i32| made[(row * across + area.1) as usize..][..area.3 as usize].iter().copied();
    (area.2 as usize, area.3 as usize, (area.0..area.0 + area.2).flat_map(row).collect())
}

fn in_holes(scene: &Scene<'_>, mode: Mode, turned: bool, cuts: bool) -> Option<Made> {
    let image = scene.image();
    let (height, width) = scene.size();
    let host = scene.segments(Mode::Sides)?.items.iter().rev().max_by_key(|item| item.cells.len())?;
    let area = (host.top, host.left, host.height, host.width);
    let ground = scene.ground();
    if host.cells.len() as i32 == host.height * host.width {
        return None;
    }
    // Pieces are what is left when the object is gone, outside its box.
    let mut others = image.cells.to_vec();
    host.cells.iter().for_each(|&place| others[usize::from(place)] = ground);
    let rest = Scene::new(Image { frame: image.frame, cells: &others }, Ground::Colour(ground));
    let items: Vec<&Item> = rest.segments(mode)?.items.iter().collect();
    let is_outside = |item: &&Item| {
        item.top >= host.top + host.height
            || item.left >= host.left + host.width
            || item.top + item.height <= host.top
            || item.left + item.width <= host.left
    };
    let items: Vec<&Item> = items.into_iter().filter(is_outside).collect();
    if items.is_empty() || items.len() > MOST_PIECES {
        return None;
    }
    let has_key = |item: &Item| item.counts[host.colour as usize] > 0;
    let mut pieces: Vec<(usize, Piece, &Item)> = Vec::new();
    for item in items {
        let keys = if has_key(item) { usize::from(item.counts[host.colour as usize]) } else { item.cells.len() };
        pieces.push((keys, Piece::of(&rest, item), item));
    }
    // The largest holes are filled first, so that none is filled by parts.
    pieces.sort_by_key(|(keys, _, item)| (std::cmp::Reverse(*keys), item.cells[0]));
    let mut made = image.cells.to_vec();
    let mut placed = 0;
    for (keys, piece, item) in pieces {
        let is_key = |colour: u8| keys == piece.parts.len() || colour == host.colour;
        let open = |(row, column): (i32, i32)| contains(area, (row, column)) && made[(row * width + column) as usize] == ground;
        let mut best: Option<(usize, Piece, (i32, i32))> = None;
        for form in piece.forms(turned, TURNED) {
            for top in host.top..=host.top + host.height - form.height {
                for left in host.left..=host.left + host.width - form.width {
                    let fits = form.parts.iter().all(|&((row, column), colour)| {
                        let there = (row + top, column + left);
                        if is_key(colour) { open(there) } else { made[(there.0 * width + there.1) as usize] == host.colour }
                    });
                    if !fits {
                        continue;
                    }
                    // What is open beside it is a part of the same hole.
                    let is_of_key = |place: (i32, i32)| form.parts.iter().any(|part| part.0 == place && is_key(part.1));
                    let beside = |&((row, column), colour): &Part| {
                        let is_left = |way: &&(i32, i32)| {
                            let place = (row + way.0, column + way.1);
                            open((place.0 + top, place.1 + left)) && !is_of_key(place)
                        };
                        if is_key(colour) { DIRECTIONS[..4].iter().filter(is_left).count() } else { 0 }
                    };
                    let left_open: usize = form.parts.iter().map(beside).sum();
                    if best.as_ref().is_none_or(|best| left_open < best.0) {
                        best = Some((left_open, form.clone(), (top, left)));
                    }
                }
            }
        }
        let Some((left_open, form, (top, left))) = best else { continue };
        // A piece that is a whole fills a whole hole.
        if left_open > 0 && keys == piece.parts.len() {
            continue;
        }
        item.cells.iter().for_each(|&place| made[usize::from(place)] = ground);
        for ((row, column), colour) in form.parts {
            made[((row + top) * width + column + left) as usize] = colour;
        }
        placed += 1;
    }
    if placed == 0 {
        return None;
    }
    Some(if cuts { cut(&made, width, area) } else { (height as usize, width as usize, made) })
}

fn inside(scene: &Scene<'_>, mode: Mode, turned: bool, cuts: bool) -> Option<Made> {
    let image = scene.image();
    let (height, width) = scene.size();
    let mut found: Option<Made> = None;
    for (item, area) in if mode == Mode::Colours { cornered(scene)? } else { surrounded(scene, mode)? } {
        let overlaps =
            item.top < area.0 + area.2 && area.0 < item.top + item.height && item.left < area.1 + area.3 && area.1 < item.left + item.width;
        if item.cells.len() < 2 || overlaps || area.2 < 3 || area.3 < 3 {
            continue;
        }
        let piece = Piece::of(scene, &item);
        let Some((form, (rows, columns), (top, left))) = placing(scene, &piece, turned, area) else { continue };
        let mut made = image.cells.to_vec();
        item.cells.iter().for_each(|&place| made[usize::from(place)] = scene.ground());
        for ((row, column), colour) in form.parts {
            for k in 0..rows * columns {
                made[((row * rows + k / columns + top) * width + column * columns + k % columns + left) as usize] = colour;
            }
        }
        // Two that fit would say nothing.
        if found.replace(if cuts { cut(&made, width, area) } else { (height as usize, width as usize, made) }).is_some() {
            return None;
        }
    }
    found
}

/// Each object with the box of all others.
fn surrounded(scene: &Scene<'_>, mode: Mode) -> Option<Vec<(Item, Area)>> {
    let items = &scene.segments(mode)?.items;
    if items.len() < 2 || items.len() > 4 * MOST_PIECES {
        return None;
    }
    let corners = |item: &Item| [(item.top, item.left), (item.top + item.height - 1, item.left + item.width - 1)];
    let others = |number: usize| items.iter().enumerate().filter(move |(other, _)| *other != number);
    let hull = |number: usize| hull(others(number).flat_map(|(_, item)| corners(item)));
    Some(items.iter().enumerate().filter_map(|(number, item)| Some((item.clone(), hull(number)?))).collect())
}

/// The boxes whose corners all have the one colour of which they are the box, each with all that is outside as one piece.
fn cornered(scene: &Scene<'_>) -> Option<Vec<(Item, Area)>> {
    let (image, width) = (scene.image(), scene.size().1);
    let mut found = Vec::new();
    for item in &scene.segments(Mode::Colours)?.items {
        let area = (item.top, item.left, item.height, item.width);
        let corners = [0, item.height - 1].map(|row| [0, item.width - 1].map(|column| scene.at(row + item.top, column + item.left)));
        if item.height < 3 || item.width < 3 || corners.as_flattened().iter().any(|&corner| corner != i16::from(item.colour)) {
            continue;
        }
        // Mode::Whole of what is left without the box.
        let is_inside = |place: usize| contains(area, (place as i32 / width, place as i32 % width));
        let cells: Vec<u8> =
            image.cells.iter().enumerate().map(|(place, &cell)| if is_inside(place) { scene.ground() } else { cell }).collect();
        let rest = Scene::new(Image { frame: image.frame, cells: &cells }, Ground::Colour(scene.ground()));
        if let Some(item) = rest.segments(Mode::Whole).and_then(|segments| segments.items.first()) {
            found.push((item.clone(), area));
        }
    }
    Some(found)
}

/// The box of some places.
fn hull(places: impl Iterator<Item = (i32, i32)>) -> Option<Area> {
    let bounds = places.fold(None, |bounds, (row, column)| {
        let (top, left, bottom, right) = bounds.unwrap_or((row, column, row, column));
        Some((row.min(top), column.min(left), row.max(bottom), column.max(right)))
    });
    bounds.map(|(top, left, bottom, right): Area| (top, left, bottom - top + 1, right - left + 1))
}

/// Where a piece comes to be in a frame: its form, how much it is enlarged down and across, and its corner.
type Placing = (Piece, (i32, i32), (i32, i32));

fn placing(scene: &Scene<'_>, piece: &Piece, turned: bool, area: Area) -> Option<Placing> {
    let image = scene.image();
    let width = scene.size().1;
    let inner = (area.0 + 1, area.1 + 1, area.2 - 2, area.3 - 2);
    let mut content: Vec<Part> = Vec::new();
    for row in inner.0..inner.0 + inner.2 {
        for column in inner.1..inner.1 + inner.3 {
            let colour = image.cells[(row * width + column) as usize];
            if colour != scene.ground() {
                content.push(((row, column), colour));
            }
        }
    }
    let mut best: Option<(usize, Placing)> = None;
    for form in piece.forms(turned, MIRRORED) {
        // Where it would be if a colour of it were there as a whole; else it fills the frame.
        let mut ways: Vec<((i32, i32), (i32, i32))> = Vec::new();
        for colour in 0..COLOURS as u8 {
            let hull = |parts: &[Part]| hull(parts.iter().filter(|part| part.1 == colour).map(|part| part.0));
            let (Some(there), Some(own)) = (hull(&content), hull(&form.parts)) else { continue };
            if there.2 % own.2 == 0 && there.3 % own.3 == 0 {
                let scale = (there.2 / own.2, there.3 / own.3);
                ways.push((scale, (there.0 - own.0 * scale.0, there.1 - own.1 * scale.1)));
            }
        }
        if content.is_empty() && inner.2 % form.height == 0 && inner.3 % form.width == 0 {
            ways.push(((inner.2 / form.height, inner.3 / form.width), (inner.0, inner.1)));
        }
        for (scale, (top, left)) in ways {
            // It may cover the frame.
            let (bottom, right) = (top + form.height * scale.0, left + form.width * scale.1);
            let fits = top >= area.0 && left >= area.1 && bottom <= area.0 + area.2 && right <= area.1 + area.3;
            if !fits {
                continue;
            }
            let at = |(row, column): (i32, i32)| {
                let place = ((row - top).div_euclid(scale.0), (column - left).div_euclid(scale.1));
                form.parts.binary_search_by_key(&place, |part| part.0).ok().map(|part| form.parts[part].1)
            };
            if !content.iter().all(|&(place, colour)| at(place) == Some(colour)) {
                continue;
            }
            let score = if content.is_empty() { meeting(scene, &form, scale, (top, left)) } else { whole(&content, &form, scale) };
            if best.as_ref().is_none_or(|best| score > best.0) {
                best = Some((score, (form.clone(), scale, (top, left))));
            }
        }
    }
    best.map(|best| best.1)
}

/// The number of cells on the edge of a piece that meet a cell of their colour.
fn meeting(scene: &Scene<'_>, form: &Piece, scale: (i32, i32), (top, left): (i32, i32)) -> usize {
    let mut meeting = 0;
    for &((row, column), colour) in &form.parts {
        for (rows, columns) in &DIRECTIONS[..4] {
            let (to_row, to_column) = (row + rows, column + columns);
            let is_out = !(0..form.height).contains(&to_row) || !(0..form.width).contains(&to_column);
            let row = if to_row < 0 { top - 1 } else { top + to_row * scale.0 };
            let column = if to_column < 0 { left - 1 } else { left + to_column * scale.1 };
            meeting += usize::from(is_out && scene.at(row, column) == i16::from(colour));
        }
    }
    meeting
}

/// The number of colours of a piece that are there as a whole.
fn whole(content: &[Part], form: &Piece, scale: (i32, i32)) -> usize {
    let count = |parts: &[Part], colour: u8| parts.iter().filter(|part| part.1 == colour).count();
    let is_whole =
        |&colour: &u8| count(content, colour) > 0 && count(content, colour) == count(&form.parts, colour) * (scale.0 * scale.1) as usize;
    (0..COLOURS as u8).filter(is_whole).count()
}
