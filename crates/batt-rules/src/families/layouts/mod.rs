//! Layouts: outputs that are a table of blocks, each of them a symmetry of a part of the input, blank, inverted, or in a colour; a list of
//! objects that is drawn; or one of a few grids.
//!
//! The table is fixed, or a part of the input (the *guide*) whose cells say by rules what their blocks are.

mod blocks;
mod choices;
mod drawings;
mod lists;

pub(super) use choices::MOST_PATTERNS;

use batt_core::{Reason, Value};
use batt_vision::{COLOURS, Frame, Ground, Work};

use super::cells;
use super::sizes::size_of;
use super::views::calls::{chains, seen, show};
use crate::examples::{Examples, Picture};
use crate::parameter::by_numbers;
use crate::propose::{Candidate, FitOptions};
use crate::recipe::{Argument, Recipe, Variable};
use crate::row::{FamilyRow, Given, OnViews, RuleRow, Turn, When, columns, listed};
use blocks::{BLANK, Cells, INVERTED, Layout, block_in_colour, block_of, layout_rule};

/// Tables of blocks, lists of objects that are drawn, grids that are chosen.
pub const LAYOUTS: FamilyRow = FamilyRow {
    name: "rule-layouts",
    rules: &[
        RuleRow {
            name: "layoutrule",
            parameters: columns!(source: Image, table: Image, ground: Number, layout: Tuple),
            sentence: "A block for every cell of a table: the source turned, inverted or blank, or in the cell's colour. A layout is (cells, gap, border, colour).",
            example: ("layoutrule(((1, 2),), ((0, 1), (8, 0)), 0, (0, 0, 0, 0))", "((1, 2, 2, 1), (0, 0, 1, 2))"),
            gives: ("a grid of blocks", "layoutrule"),
            page: &[crate::row::Part::Text(PAGE), listed!("cells", Cells), crate::row::Part::Text(CODES)],
            apply: applied,
        },
        drawings::ROW,
        choices::ROW,
    ],
    place: 5,
    when: When::Early,
    on_views: OnViews { same_size: Turn::Never, other_size: true, cropped: false },
    fit,
};

const PAGE: &str = "Each cell of `table` becomes a block, made from `source`. `layout` is `(cells, gap, border, colour)`:
what the table's cells mean, the lines between blocks, the lines around them, their colour.
";

const CODES: &str = "Codes are the eight symmetries of the source (0 to 7), a blank block (8), and background exchanged
with the rest (9).
";

fn applied(arguments: &[&Value]) -> Result<Picture, Reason> {
    let (source, table, ground, layout): (Picture, Picture, Ground, Layout) = Given::given(arguments)?;
    layout_rule(source.image(), table.image(), ground, layout).map(Picture::new).ok_or(Reason::NoMatch)
}

by_numbers!(Layout);

/// The most parts of the input that are sources or guides.
const MOST_PARTS: usize = 150;
/// The most blocks of a table.
const MOST_BLOCKS: usize = 400;
/// Lines between blocks and around them.
const SEPARATORS: [(u8, u8); 4] = [(0, 0), (1, 0), (1, 1), (0, 1)];

/// The most cells of all tables together, for rules to be fitted.
const MOST_CELLS: usize = 400;
/// The most guides that rules are fitted to, for each source.
const MOST_GUIDES: usize = 4;

/// A part of every input, and the calls that compute it: none for the input itself.
struct Part {
    recipe: Recipe,
    pictures: Vec<Picture>,
    bits: u32,
    /// How many ways there are to compute it.
    ways: u32,
}

impl Part {
    /// Its description length: what many calls give is the more likely part.
    fn bits(&self) -> u32 {
        self.bits.saturating_sub(self.ways.ilog2())
    }

    /// Adds its calls, whose values have a letter.
    fn show(&self, letter: char, recipe: &mut Recipe) -> Argument {
        recipe.append(&self.recipe.clone().lettered(letter), &Argument::Input, Variable(letter, None))
    }

    /// One colour for all inputs, of sizes that a size or a count says.
    fn blank(examples: &Examples, sizes: &[(usize, usize)], colour: u8) -> Option<Self> {
        let canvas = size_of(examples, sizes)?;
        let mut recipe = canvas.recipe;
        recipe.call("canvas", [Argument::of(&colour), canvas.size]);
        let blank = |&(height, width): &(usize, usize)| Picture { height, width, cells: vec![colour; height * width] };
        Some(Self { recipe, pictures: canvas.sizes.iter().map(blank).collect(), bits: canvas.bits, ways: 1 })
    }
}

fn fit(examples: &Examples, budget: FitOptions, _: &mut Vec<Candidate>) -> Vec<Candidate> {
    let Some(first) = examples.demos.first().filter(|_| !examples.keeps_size()) else {
        return choices::fit(examples, budget);
    };
    let parts = parts(examples, first, budget);
    let solids: Vec<Part> = solids(examples, &parts);
    // Blocks may be blank where no input has background.
    let mut grounds = examples.grounds();
    if !grounds.contains(&Ground::Colour(0)) {
        grounds.push(Ground::Colour(0));
    }
    let mut found = of_parts(examples, &parts, &grounds, budget);
    found.extend(drawings::fit(examples, budget));
    found.extend(choices::fit(examples, budget));
    for source in parts.iter().chain(&solids) {
        for (gap, border) in SEPARATORS {
            let layout = Layout { cells: Cells::Codes, gap, border, colour: 0 };
            let counts: Option<Vec<(usize, usize)>> =
                examples.demos.iter().zip(&source.pictures).map(|(demo, source)| counts(&demo.1, source, layout)).collect();
            let Some(counts) = counts.filter(|counts| counts.iter().any(|&(rows, columns)| rows * columns > 1)) else { continue };
            let Some(colour) = separator(examples, source, layout) else { continue };
            let layout = Layout { colour, ..layout };
            for &ground in &grounds {
                if budget.is_over() {
                    return found;
                }
                let codes = codes(examples, source, &counts, ground, layout);
                let mut tables: Vec<(Layout, Vec<Picture>)> = Vec::new();
                if let Some(codes) = codes {
                    found.extend(fixed(examples, source, &counts, &codes, ground, layout));
                    tables.extend(coded(&codes, &counts).map(|table| (layout, table)));
                    tables.dedup();
                }
                let coloured = Layout { cells: Cells::Colours, ..layout };
                tables.extend(colours(examples, source, &counts, ground, layout).map(|table| (coloured, table)));
                if tables.is_empty() {
                    continue;
                }
                let is_guide = |guide: &&Part| guide.pictures.iter().zip(&counts).all(|(guide, &counts)| guide.size() == counts);
                // Where blocks differ and their number does too, only their places can say what they are.
                let blank = Part::blank(examples, &counts, 0).filter(|_| counts.iter().any(|&other| other != counts[0]));
                let guides: Vec<&Part> = parts.iter().chain(&blank).filter(is_guide).collect();
                for (layout, tables) in &tables {
                    let direct: Vec<&Part> = guides.iter().copied().filter(|guide| guide.pictures[..tables.len()] == **tables).collect();
                    let tried = if direct.is_empty() { guides.iter().copied().take(MOST_GUIDES).collect() } else { direct };
                    for guide in tried {
                        found.extend(guided(examples, source, guide, ground, *layout, tables, budget));
                    }
                }
            }
        }
    }
    found
}

/// A part as large as the output, with parts of its own in the colours of a guide.
fn of_parts(examples: &Examples, parts: &[Part], grounds: &[Ground], budget: FitOptions) -> Vec<Candidate> {
    let layout = Layout { cells: Cells::OfParts, gap: 0, border: 0, colour: 0 };
    let demos = examples.demos.len();
    let outputs = || examples.demos.iter().map(|demo| &demo.1);
    let mut found = Vec::new();
    for source in parts.iter().filter(|source| outputs().zip(&source.pictures).all(|(output, source)| output.size() == source.size())) {
        for guide in parts.iter().filter(|guide| guide.pictures[0].cells.len() < source.pictures[0].cells.len()) {
            for &ground in grounds.iter().take_while(|_| !budget.is_over()) {
                let laid = |number: usize| {
                    layout_rule(source.pictures[number].image(), guide.pictures[number].image(), ground, layout).map(Picture::new)
                };
                if outputs().enumerate().all(|(demo, output)| laid(demo).as_ref() == Some(output)) {
                    // The cells of the guide are the table.
                    found.extend(guided(examples, source, guide, ground, layout, &guide.pictures[..demos], budget));
                }
            }
        }
    }
    found
}

/// Parts of the input that may be blocks or tables: the input, and what calls cut out whose size is part of the output's.
fn parts(examples: &Examples, (input, output): &(Picture, Picture), budget: FitOptions) -> Vec<Part> {
    let mut parts = vec![Part { recipe: Recipe::default(), pictures: examples.inputs().cloned().collect(), bits: 0, ways: 1 }];
    // With lines between blocks a side is one more than a multiple, and one less with lines around.
    let divides = |part: usize, side: usize| {
        part <= side && (0..4).any(|lines| (side + 1).checked_sub(lines).is_some_and(|side| side % part == 0 || side % (part + 1) == 0))
    };
    let fits = |frame: Frame| {
        let (height, width) = (frame.height as usize, frame.width as usize);
        (height, width) != input.size() && height * width > 1 && divides(height, output.height) && divides(width, output.width)
    };
    let mut work = Work::default();
    for calls in chains(input, fits, budget) {
        if parts.len() == MOST_PARTS || budget.is_over() {
            break;
        }
        let pictures: Option<Vec<Picture>> = examples.inputs().map(|input| Some(seen(input, &calls, &mut work)?.1)).collect();
        let Some(pictures) = pictures else { continue };
        if let Some(part) = parts.iter_mut().find(|part| part.pictures == pictures) {
            part.ways += 1;
            continue;
        }
        let mut recipe = Recipe::default();
        show(&calls, &Argument::Input, 's', &mut recipe);
        parts.push(Part { recipe, pictures, bits: 7 * calls.len() as u32, ways: 1 });
    }
    parts
}

/// Blocks of one colour, of the sizes that make outputs of parts.
fn solids(examples: &Examples, parts: &[Part]) -> Vec<Part> {
    let mut solids: Vec<Part> = Vec::new();
    for part in parts {
        let size = |((_, output), part): (&(Picture, Picture), &Picture)| {
            let divides = output.height % part.height == 0 && output.width % part.width == 0;
            divides.then(|| (output.height / part.height, output.width / part.width))
        };
        let Some(sizes) = examples.demos.iter().zip(&part.pictures).map(size).collect::<Option<Vec<_>>>() else { continue };
        let Some(solid) = Part::blank(examples, &sizes, 1)
            .filter(|solid| sizes.iter().any(|&size| size != (1, 1)) && solids.iter().all(|other| other.pictures != solid.pictures))
        else {
            continue;
        };
        solids.push(solid);
    }
    solids
}

/// Rows and columns of blocks, if the output has the size of a table of them.
fn counts(output: &Picture, source: &Picture, layout: Layout) -> Option<(usize, usize)> {
    let side = |side: usize, block: usize| {
        let blocks = (side + layout.gap as usize).checked_sub(2 * layout.border as usize)? / (block + layout.gap as usize);
        (blocks > 0 && layout.side(blocks, block) == side).then_some(blocks)
    };
    let (rows, columns) = (side(output.height, source.height)?, side(output.width, source.width)?);
    (rows * columns <= MOST_BLOCKS).then_some((rows, columns))
}

/// The one colour of all lines between and around blocks; any colour where there are none.
fn separator(examples: &Examples, source: &Part, layout: Layout) -> Option<u8> {
    let mut colour = None;
    for ((_, output), source) in examples.demos.iter().zip(&source.pictures) {
        let inside = |place: usize, block: usize, side: usize| {
            let border = layout.border as usize;
            place >= border && place < side - border && (place - border) % (block + layout.gap as usize) < block
        };
        for (place, &cell) in output.cells.iter().enumerate() {
            let (row, column) = (place / output.width, place % output.width);
            let is_line = !inside(row, source.height, output.height) || !inside(column, source.width, output.width);
            if is_line && *colour.get_or_insert(cell) != cell {
                return None;
            }
        }
    }
    Some(colour.unwrap_or(0))
}

/// The blocks of an output, row by row.
fn blocks(output: &Picture, source: &Picture, (rows, columns): (usize, usize), layout: Layout) -> Vec<Vec<u8>> {
    let mut blocks = Vec::with_capacity(rows * columns);
    for row in 0..rows {
        for column in 0..columns {
            let (top, left) = (layout.start(row, source.height), layout.start(column, source.width));
            let line = |k: usize| output.cells[(top + k) * output.width + left..][..source.width].iter().copied();
            blocks.push((0..source.height).flat_map(line).collect());
        }
    }
    blocks
}

/// For each block of each demo the codes that make it, a bit each. `None` if no code makes one.
fn codes(examples: &Examples, source: &Part, counts: &[(usize, usize)], ground: Ground, layout: Layout) -> Option<Vec<Vec<u16>>> {
    let mut all = Vec::new();
    for (demo, (_, output)) in examples.demos.iter().enumerate() {
        let source = &source.pictures[demo];
        let ground = ground.of(source.image());
        let made: Vec<Option<Vec<u8>>> = (0..=INVERTED).map(|code| block_of(source.image(), ground, code)).collect();
        let of = |block: &Vec<u8>| {
            let codes =
                made.iter().enumerate().filter(|(_, made)| made.as_ref() == Some(block)).fold(0, |codes, (code, _)| codes | 1 << code);
            Some(codes).filter(|&codes| codes != 0)
        };
        all.push(blocks(output, source, counts[demo], layout).iter().map(of).collect::<Option<_>>()?);
    }
    Some(all)
}

/// A table that is the same for all inputs.
fn fixed(
    examples: &Examples,
    source: &Part,
    counts: &[(usize, usize)],
    all: &[Vec<u16>],
    ground: Ground,
    layout: Layout,
) -> Option<Candidate> {
    let &(rows, columns) = counts.first()?;
    if counts.iter().any(|&other| other != (rows, columns)) {
        return None;
    }
    let table = |without: usize| -> Option<Picture> {
        let mut cells = Vec::new();
        for block in 0..rows * columns {
            let common =
                all.iter().enumerate().filter(|(demo, _)| *demo != without).fold(!0u16, |common, (_, codes)| common & codes[block]);
            cells.push(Some(common.trailing_zeros() as u8).filter(|&code| code <= INVERTED)?);
        }
        Some(Picture { height: rows, width: columns, cells })
    };
    let laid =
        |number: usize, table: &Picture| layout_rule(source.pictures[number].image(), table.image(), ground, layout).map(Picture::new);
    let demos = examples.demos.len();
    let fitted = table(demos)?;
    let foretold = (0..demos)
        .filter(|&demo| demos > 1 && table(demo).is_some_and(|table| laid(demo, &table).as_ref() == Some(&examples.demos[demo].1)));
    let foretold = foretold.fold(0, |all, demo| all | 1 << demo);
    let outputs = (0..examples.tests.len()).map(|test| laid(demos + test, &fitted)).collect::<Option<_>>()?;
    let mut recipe = Recipe::default();
    let shown = source.show('s', &mut recipe);
    recipe.call("layoutrule", [shown, Argument::of(&fitted), Argument::of(&ground), Argument::of(&layout)]);
    let distinct = fitted.cells.iter().collect::<std::collections::BTreeSet<_>>().len() as u32;
    let bits = 6 + 3 * distinct + if distinct > 1 { (rows * columns) as u32 } else { 0 } + source.bits() + separator_bits(layout);
    Some(Candidate { recipe, bits, foretold, outputs })
}

fn separator_bits(layout: Layout) -> u32 {
    if layout.gap == 0 && layout.border == 0 { 0 } else { 6 }
}

/// A table with a cell for every cell of a guide, by rules for its cells.
fn guided(
    examples: &Examples,
    source: &Part,
    guide: &Part,
    ground: Ground,
    layout: Layout,
    tables: &[Picture],
    budget: FitOptions,
) -> Vec<Candidate> {
    let demos = examples.demos.len();
    let view = Examples {
        demos: guide.pictures[..demos].iter().cloned().zip(tables.iter().cloned()).collect(),
        tests: guide.pictures[demos..].to_vec(),
    };
    // The calls that give the table are added between those of the parts and the layout.
    let recipe = |table: &Recipe| {
        let mut recipe = Recipe::default();
        let (source, guide) = (source.show('s', &mut recipe), guide.show('g', &mut recipe));
        let table = recipe.append(table, &guide, Variable('t', None));
        recipe.call("layoutrule", [source, table, Argument::of(&ground), Argument::of(&layout)]);
        recipe
    };
    let laid =
        |test: usize, table: &Picture| layout_rule(source.pictures[demos + test].image(), table.image(), ground, layout).map(Picture::new);
    // A first call that both have is described once.
    let shared = source.recipe.calls().first().is_some_and(|first| guide.recipe.calls().first() == Some(first));
    let bits = 6 + source.bits() + guide.bits() + separator_bits(layout) - if shared { 6 } else { 0 };
    let mut found = Vec::new();
    if view.demos.iter().all(|(guide, table)| guide == table) {
        let outputs = view.tests.iter().enumerate().map(|(test, table)| laid(test, table)).collect::<Option<_>>();
        let recipe = recipe(&Recipe::default());
        found.extend(outputs.map(|outputs| Candidate { recipe, bits, foretold: (1 << demos) - 1, outputs }));
        return found;
    }
    let area: usize = tables.iter().map(|table| table.cells.len()).sum();
    if area > MOST_CELLS {
        return found;
    }
    for candidate in cells::fit(&view, budget, &mut Vec::new()) {
        let recipe = recipe(&candidate.recipe);
        let outputs = candidate.outputs.iter().enumerate().map(|(test, table)| laid(test, table)).collect::<Option<_>>();
        found.extend(outputs.map(|outputs| Candidate { recipe, bits: candidate.bits + bits, foretold: candidate.foretold, outputs }));
    }
    found
}

/// Tables of codes. Where several codes make a block, it has the one that makes most blocks, or the lowest one.
fn coded(all: &[Vec<u16>], counts: &[(usize, usize)]) -> [Vec<Picture>; 2] {
    let makes = |code: u8| all.iter().flatten().filter(|&codes| codes >> code & 1 == 1).count();
    let mut order: Vec<u8> = (0..=INVERTED).collect();
    order.sort_by_key(|&code| std::cmp::Reverse(makes(code)));
    let plain: Vec<u8> = [BLANK].into_iter().chain(0..BLANK).chain([INVERTED]).collect();
    let table = |order: &[u8]| -> Vec<Picture> {
        let code = |codes: &u16| order.iter().copied().find(|code| codes >> code & 1 == 1).unwrap_or(BLANK);
        all.iter().zip(counts).map(|(codes, &(height, width))| Picture { height, width, cells: codes.iter().map(code).collect() }).collect()
    };
    [table(&order), table(&plain)]
}

/// A table of colours, where each block is the source in one colour or blank.
fn colours(examples: &Examples, source: &Part, counts: &[(usize, usize)], ground: Ground, layout: Layout) -> Option<Vec<Picture>> {
    let mut tables = Vec::new();
    for (demo, (_, output)) in examples.demos.iter().enumerate() {
        let (source, (height, width)) = (&source.pictures[demo], counts[demo]);
        let ground = ground.of(source.image());
        let made: Vec<Vec<u8>> = (0..COLOURS as u8).map(|colour| block_in_colour(source.image(), ground, colour)).collect();
        let of = |block: &Vec<u8>| made.iter().position(|made| made == block).map(|colour| colour as u8);
        let cells: Option<Vec<u8>> = blocks(output, source, (height, width), layout).iter().map(of).collect();
        tables.push(Picture { height, width, cells: cells? });
    }
    Some(tables)
}
