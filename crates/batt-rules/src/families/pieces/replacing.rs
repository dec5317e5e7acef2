//! Find and replace: patterns that are learnt from what changes and what is around it.

use batt_core::{Reason, Value};
use batt_vision::{COLOURS, Image, turn};

use crate::examples::{Examples, Picture};
use crate::families::layouts::MOST_PATTERNS;
use crate::parameter::{Parameter, Pattern};
use crate::propose::{Candidate, FitOptions};
use crate::recipe::{Argument, Recipe};
use crate::row::{Given, Part, RuleRow, columns};

/// Patterns found and replaced.
pub(super) const ROW: RuleRow = RuleRow {
    name: "replacerule",
    parameters: columns!(image: Image, turned: Number, patterns: Tuple),
    sentence: "Patterns replaced wherever they occur. A pattern is a pair of grids: what is found and what takes its place.",
    example: ("replacerule(((1, 2, 0), (2, 2, 0)), 0, ((((2,), (2,)), ((3,), (10,))),))", "((1, 3, 0), (2, 2, 0))"),
    gives: ("patterns found and replaced", "replacerule"),
    page: &[Part::Text(PAGE)],
    apply: applied,
};

const PAGE: &str = "A pattern is a pair of grids of one size: the colours to find, 10 for any, and those in their place,
10 where the image stays. `turned` is 1 to find it turned and mirrored too. Patterns are found in
the input.
";

fn applied(arguments: &[&Value]) -> Result<Picture, Reason> {
    let (image, turned, replacements): (Picture, bool, Vec<Replacement>) = Given::given(arguments)?;
    if replacements.len() > MOST_PATTERNS {
        return Err(Reason::TooLarge);
    }
    image.with(replace_rule(image.image(), turned, &replacements)).ok_or(Reason::NoMatch)
}

impl Parameter for Replacement {
    fn to_value(&self) -> Value {
        let side = |cells: &Vec<u8>| Pattern(Picture { height: self.height, width: self.width, cells: cells.clone() });
        (side(&self.find), side(&self.replace)).to_value()
    }

    fn from_value(value: &Value) -> Result<Self, Reason> {
        let (Pattern(find), Pattern(replace)) = Parameter::from_value(value)?;
        let is_same = find.size() == replace.size();
        Self::new(find.height, find.width, find.cells, replace.cells).filter(|_| is_same).ok_or(Reason::OutOfRange)
    }
}

/// The most rows and columns around a change that a pattern tells.
const MARGINS: usize = 3;
/// The most patterns.
const MOST: usize = 6;
/// The most changes of all demos.
const MOST_CHANGES: usize = 120;

pub(super) fn fit(examples: &Examples, budget: FitOptions) -> Vec<Candidate> {
    let mut found = Vec::new();
    if !examples.keeps_size() {
        return found;
    }
    let Some(changes) = examples.demos.iter().map(changes).collect::<Option<Vec<_>>>() else { return found };
    if changes.iter().map(Vec::len).sum::<usize>() > MOST_CHANGES {
        return found;
    }
    let all: Vec<usize> = (0..examples.demos.len()).collect();
    for turned in [false, true] {
        for margin in 0..MARGINS {
            if budget.is_over() {
                return found;
            }
            let learn = |demos: &[usize]| learnt(examples, &changes, demos, margin, turned);
            let fits = |demo: &usize, patterns: &[Replacement]| {
                let (input, output) = &examples.demos[*demo];
                replace_rule(input.image(), turned, patterns).as_ref() == Some(&output.cells)
            };
            let Some(patterns) = learn(&all).filter(|patterns| all.iter().all(|demo| fits(demo, patterns))) else { continue };
            let foretells = |demo: &&usize| {
                let others: Vec<usize> = all.iter().copied().filter(|other| other != *demo).collect();
                !others.is_empty() && learn(&others).is_some_and(|patterns| fits(demo, &patterns))
            };
            let foretold = all.iter().filter(foretells).fold(0, |all, demo| all | 1 << demo);
            // What foretells nothing was made up.
            if foretold == 0 {
                continue;
            }
            let made = |test: &Picture| Some(Picture { cells: replace_rule(test.image(), turned, &patterns)?, ..*test });
            let Some(outputs) = examples.tests.iter().map(made).collect::<Option<_>>() else { continue };
            let told: usize =
                patterns.iter().map(|pattern| pattern.find.iter().chain(&pattern.replace).filter(|&&cell| cell != FREE).count()).sum();
            let recipe = Recipe::of("replacerule", [Argument::Input, Argument::of(&turned), Argument::list(&patterns)]);
            let bits = 10 + 4 * patterns.len() as u32 + told as u32 + u32::from(turned);
            found.push(Candidate { recipe, bits, foretold, outputs });
            // More around it says no more.
            break;
        }
    }
    found
}

/// A box of an image: its first row and column, and those after its last.
type Area = (usize, usize, usize, usize);

/// The boxes of cells that change, joined by sides and corners. `None` if nothing or too much changes.
fn changes((input, output): &(Picture, Picture)) -> Option<Vec<Area>> {
    let (height, width) = input.size();
    let mut is_open: Vec<bool> = input.cells.iter().zip(&output.cells).map(|(before, after)| before != after).collect();
    let mut boxes = Vec::new();
    while let Some(first) = is_open.iter().position(|&is_open| is_open) {
        is_open[first] = false;
        let mut cells = vec![first];
        let mut area = (height, width, 0, 0);
        while let Some(place) = cells.pop() {
            let (row, column) = (place / width, place % width);
            area = (area.0.min(row), area.1.min(column), area.2.max(row + 1), area.3.max(column + 1));
            for row in row.saturating_sub(1)..(row + 2).min(height) {
                for column in column.saturating_sub(1)..(column + 2).min(width) {
                    if std::mem::replace(&mut is_open[row * width + column], false) {
                        cells.push(row * width + column);
                    }
                }
            }
        }
        boxes.push(area);
        if boxes.len() > MOST_CHANGES || (area.2 - area.0) * (area.3 - area.1) > MOST_FOUND {
            return None;
        }
    }
    (!boxes.is_empty()).then_some(boxes)
}

/// A pattern for each kind of change in some demos: what all changes of the kind have around them.
fn learnt(examples: &Examples, changes: &[Vec<Area>], demos: &[usize], margin: usize, turned: bool) -> Option<Vec<Replacement>> {
    let mut patterns: Vec<Replacement> = Vec::new();
    for &demo in demos {
        for &area in &changes[demo] {
            let around = around(&examples.demos[demo], area, margin)?;
            let forms: Vec<Replacement> = (0..if turned { 8 } else { 1 }).map(|which| around.turned(which)).collect();
            // Of several ways to lay them over each other, the one in which most cells agree.
            let mut joined: Option<(usize, usize, &Replacement)> = None;
            for form in &forms {
                for (place, pattern) in patterns.iter().enumerate() {
                    let is_same = (pattern.height, pattern.width) == (form.height, form.width) && pattern.replace == form.replace;
                    if is_same && is_alike(pattern, form) {
                        let agreed = pattern.find.iter().zip(&form.find).filter(|(told, cell)| told == cell).count();
                        if joined.is_none_or(|joined| joined.0 < agreed) {
                            joined = Some((agreed, place, form));
                        }
                    }
                }
            }
            let Some((_, place, form)) = joined else {
                patterns.push(around);
                continue;
            };
            for (told, cell) in patterns[place].find.iter_mut().zip(&form.find) {
                if told != cell {
                    *told = FREE;
                }
            }
        }
        if patterns.len() > MOST {
            return None;
        }
    }
    patterns.iter().map(trimmed).collect()
}

/// A pattern without the rows and columns at its edges that say nothing: they may be outside the image.
fn trimmed(pattern: &Replacement) -> Option<Replacement> {
    let told = || (0..pattern.find.len()).filter(|&place| pattern.find[place] != FREE || pattern.replace[place] != FREE);
    let (rows, columns) = (|| told().map(|place| place / pattern.width), || told().map(|place| place % pattern.width));
    let (top, left, bottom, right) = (rows().min()?, columns().min()?, rows().max()?, columns().max()?);
    let cut = |cells: &[u8]| -> Vec<u8> {
        cells[top * pattern.width..(bottom + 1) * pattern.width]
            .chunks_exact(pattern.width)
            .flat_map(|row| &row[left..=right])
            .copied()
            .collect()
    };
    Replacement::new(bottom - top + 1, right - left + 1, cut(&pattern.find), cut(&pattern.replace))
}

/// Whether what changes is the same: the cells that get another colour have the same one before.
fn is_alike(pattern: &Replacement, form: &Replacement) -> bool {
    let cells = pattern.find.iter().zip(&form.find).zip(&form.replace);
    cells.filter(|(_, replace)| **replace != FREE).all(|((told, cell), _)| told == cell || *told == FREE)
}

/// A change with what is around it; what is outside the image is free.
fn around((input, output): &(Picture, Picture), (top, left, bottom, right): Area, margin: usize) -> Option<Replacement> {
    let (height, width) = (bottom - top + 2 * margin, right - left + 2 * margin);
    let (mut find, mut replace) = (Vec::new(), Vec::new());
    for place in 0..height * width {
        let row = (top + place / width).checked_sub(margin).filter(|&row| row < input.height);
        let column = (left + place % width).checked_sub(margin).filter(|&column| column < input.width);
        let there = row.zip(column).map(|(row, column)| row * input.width + column);
        let (before, after) = there.map_or((FREE, FREE), |there| (input.cells[there], output.cells[there]));
        let is_own = (margin..height - margin).contains(&(place / width)) && (margin..width - margin).contains(&(place % width));
        find.push(before);
        replace.push(if is_own && before != after { after } else { FREE });
    }
    Replacement::new(height, width, find, replace)
}

/// Cells of a pattern that may have any colour; cells of what takes its place that stay.
pub(crate) const FREE: u8 = 10;
/// The most cells of a pattern.
pub(crate) const MOST_FOUND: usize = 81;

/// A pattern and what takes its place, as large as it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Replacement {
    /// Rows.
    pub height: usize,
    /// Columns.
    pub width: usize,
    /// The colours that are looked for, row by row, or [`FREE`].
    pub find: Vec<u8>,
    /// The colours in their place, or [`FREE`].
    pub replace: Vec<u8>,
}

impl Replacement {
    /// `None` if it is empty or too large, if all of it is free, or if the two have another size than it says.
    pub(crate) fn new(height: usize, width: usize, find: Vec<u8>, replace: Vec<u8>) -> Option<Self> {
        let cells = height.checked_mul(width)?;
        let is_colour = |&cell: &u8| cell as usize <= COLOURS;
        let is_whole = (1..=MOST_FOUND).contains(&cells) && find.len() == cells && replace.len() == cells;
        let is_said = find.iter().any(|&cell| cell != FREE) && find.iter().chain(&replace).all(is_colour);
        (is_whole && is_said).then_some(Self { height, width, find, replace })
    }

    /// The replacement under one of the eight symmetries.
    #[must_use]
    pub(crate) fn turned(&self, which: u8) -> Self {
        let size = (self.height as i32, self.width as i32);
        let (height, width) = if which & 4 == 0 { (self.height, self.width) } else { (self.width, self.height) };
        let mut turned = Self { height, width, find: vec![FREE; self.find.len()], replace: vec![FREE; self.find.len()] };
        for place in 0..self.find.len() {
            let (row, column) = turn(which, ((place / self.width) as i32, (place % self.width) as i32), size);
            let there = row as usize * width + column as usize;
            (turned.find[there], turned.replace[there]) = (self.find[place], self.replace[place]);
        }
        turned
    }

    /// All that is found of the pattern in an image, as corners of boxes.
    fn found(&self, image: Image<'_>) -> Vec<(usize, usize)> {
        let (height, width) = (image.height(), image.width());
        let told: Vec<(usize, usize, u8)> = (0..self.find.len())
            .filter(|&place| self.find[place] != FREE)
            .map(|place| (place / self.width, place % self.width, self.find[place]))
            .collect();
        let mut found = Vec::new();
        for top in 0..(height + 1).saturating_sub(self.height) {
            for left in 0..(width + 1).saturating_sub(self.width) {
                if told.iter().all(|&(row, column, colour)| image.at(top + row, left + column) == colour) {
                    found.push((top, left));
                }
            }
        }
        found
    }
}

/// The image with all patterns replaced where the image as it was has them, turned and mirrored too if they may be; later ones over earlier
/// ones. `None` if none is found.
pub(crate) fn replace_rule(image: Image<'_>, turned: bool, replacements: &[Replacement]) -> Option<Vec<u8>> {
    let width = image.width();
    let mut made = image.cells.to_vec();
    let mut is_found = false;
    for replacement in replacements {
        let mut forms: Vec<Replacement> = Vec::new();
        for which in 0..if turned { 8 } else { 1 } {
            let form = replacement.turned(which);
            if !forms.contains(&form) {
                forms.push(form);
            }
        }
        for form in forms {
            for (top, left) in form.found(image) {
                is_found = true;
                for (place, &colour) in form.replace.iter().enumerate().filter(|(_, colour)| **colour != FREE) {
                    made[(top + place / form.width) * width + left + place % form.width] = colour;
                }
            }
        }
    }
    is_found.then_some(made)
}
