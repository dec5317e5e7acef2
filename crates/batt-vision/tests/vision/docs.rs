//! `docs/rules.md` is generated: its tables from the enums, its text from here. When this test fails, run it with `UPDATE_EXPECT=1`.

use std::fmt::Write;

use batt_vision::{
    CellKind, Cells, Cut, Fit, From, ItemKind, Key, Length, Mark, Mode, Operator, Orientation, Repeat, Role, Stop, Style, Symmetry, Turn,
    Way, Which,
};
use expect_test::expect_file;

const LISTS: &str = "# Rules

The primitives of the family Rule take their parameters as literals. `batt search` fits them to the
demos of a task. They can be written by hand too: [primitives.md](primitives.md#rule) has an
example of each.

| primitive | gives |
|---|---|
| [`cellrule`](#lists-of-rules) | every cell in the colour that a list of rules decides |
| [`sweeprule`](#sweeprule) | the same; rules also see the cells made before |
| [`objectrule`](#lists-of-rules) | every object in the colour that a list of rules decides |
| [`moverule`](#moverule) | every object moved as a list of rules decides |
| [`pickrule`](#pickrule) | the object that a list of rules picks, cut out |
| [`panelrule`](#lists-of-rules) | one cell for each panel, in the colour that a list of rules decides |
| [`chooserule`](#chooserule) | one of several grids, whose number a list of rules decides |
| [`linerule`](#linerule) | lines from cells, with what stops and turns them |
| [`stamprule`](#stamprule) | patches around cells |
| [`replacerule`](#replacerule) | patterns found and replaced |
| [`templaterule`](#templaterule) | partial copies of an object completed |
| [`copyrule`](#copyrule) | copies of an object on markers |
| [`fitrule`](#fitrule) | pieces put together |
| [`periodrule`](#periodrule) | a periodic or symmetric pattern completed |
| [`layoutrule`](#layoutrule) | a grid of blocks |
| [`drawrule`](#drawrule) | a list of objects drawn as cells, bars or a stack |
| [`oriented`, `unoriented`](#oriented) | an image in a canonical orientation, and back |

## Lists of rules

`rules` is a tuple of rules. A rule is a pair of tests and a paint: `(((0, 0, 0, 0, 3),), 5)`. The
first rule whose tests all hold decides. Objects without such a rule keep their colour.

```python
cellrule(((3, 0), (3, 3)), 0, ((((0, 0, 0, 0, 0), (2, 6, 0, 0, 2)), 4), ((), (0, 0, 0))))
```

This paints background cells with two or more neighbours in colour 4 and keeps all other cells.

A test is `(operator, kind, a, b, number)`. It compares the feature `(kind, a, b)` of a
[cell](#features-of-cells) or an [object](#features-of-objects) with the number. A feature without a
value is -1.
";

const PAINTS: &str = "A paint is a [colour](#colours), 10 for the background's colour, or a feature `(kind, a, b)`. Where
it has no value, the next rule decides.

## Colours

A colour as an argument is 0 to 9 for itself, 20 plus the number of a [role](#roles), or one of the
numbers from 10 on that its rule explains. `ground` is the background's colour, or 10 for the most
common colour.

A role is a colour or a number by what it is in the image. `b` of the features Modulo and
NearestModulo takes roles of numbers, 20 more as well. If two colours share a role, it has no value.

## Objects

`mode` says how cells are grouped. Where there are no lines, panels are equal parts between
lines of background, or squares of the shorter side.
";

const DIRECTIONS: &str = "## Directions and symmetries

The eight directions are up, down, left, right, up left, down right, up right, down left (0 to 7).
The eight symmetries are identity, left-right, upside down, half turn (0 to 3) and the same
transposed (4 to 7).
";

const MOVES: &str = "## `moverule`

A paint of `moverule` is a move:

| move | object |
|---|---|
| `(0, 0, 0)` | stays |
| `(1, 0, 0)` | vanishes |
| `(2, way, 0)` | slides until something stops it |
| `(3, target, 0)` | slides towards the nearest cell of the target straight ahead to a side |
| `(3, target, 1)` | moves one step towards it, along a diagonal where no side has a target |
| `(3, target, 2)` | moves next to it, whatever is between |
| `(3, target, 3)` | slides towards it and takes the colour of what stops it |
| `(4, rows, columns)` | moves by rows and columns |
| `(5, way, 0)` | moves by its own size, up, down, left or right |
| `(6, target, line)` | moves in line with the nearest object of the target |

- A way is a direction (0 to 7), towards the nearest edge (8), towards the largest other object (9),
  away from it (10), to where its cells of other colours lie (11), away from there (12).
- A target is a colour, 10 for any, 11 for the object's own, 12 for any other.
- A line aligns rows (0 to 2), columns (3 to 5) or both (6 to 8): first edges, middles, last edges.

Objects that move leave the image first. Objects with the shortest way arrive first and stop the
others. Objects without a target vanish.

## `pickrule`

The first object in any colour but 0 is cut out. `mode` is the number of the
[mode](#objects) plus 10 times how it is cut:
";

const CHOOSE: &str = "## `chooserule`

All cells but background are one object, the mode Whole. A paint is the number of a grid in
`patterns`. 10 in a pattern is the image's most common colour but background.

## `sweeprule`

`way` is the order in which cells are made:
";

const LINES: &str = "## `linerule`

A line is seven numbers: source, start, ways, stop, turn, mark, paint.

- **source**: the colour of the cells where it starts, 10 for any.
- **start**: which of these cells.
- **ways**: the sum of 1, 2, 4, ... 128 for its [directions](#directions-and-symmetries).
- **stop**: what it does before other cells than background.
- **turn**: what it does where it is stopped.
- **mark**: which of its cells are painted.
- **paint**: a colour, 10 for the source's, 11 for the colour that stopped it, 12 for the colours of
  its tail in turn: the cells behind its start, up to background.
";

const STAMPS: &str = "## `stamprule`

A stamp is a marker and parts: `(2, ((0, 1, 3), (0, -1, 3)))` paints both neighbours of each cell of
colour 2 in colour 3. A marker is a colour, 10 for any. A part is `(rows, columns, colour)`, 10 for
the marker's colour. `over` is 1 to paint over everything, 0 to paint over background only.

## `replacerule`

A pattern is a pair of grids of one size: the colours to find, 10 for any, and those in their place,
10 where the image stays. `turned` is 1 to find it turned and mirrored too. Patterns are found in
the input.

## `templaterule`

The template is the object of most colours. A partial copy of it has all cells of those colours of
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

## `copyrule`

| which | copies |
|--:|---|
| 0, 1 | the object of most colours, on objects of `colour` with a box as large |
| 2, 3 | the same, around single cells of `colour` |
| 4 to 11 | the object of several colours that has its shape, on each object of `colour`, 10 for any |

With an odd number the copied object vanishes. From 4 on, 2 more means that copies may be turned and
mirrored, 4 more that they may be enlarged.

## `fitrule`
";

const FITS: &str = "A piece with cells of the largest object's colour fills holes with these, and its other cells cover
the object. A piece inside a frame is enlarged as its cells there demand, else so that it fills the
frame and most colours meet.

## `periodrule`

`mask` is the colour of hidden cells: 10 for none, 11 for the least common colour without which the
image has the pattern, 12 for the most common colour. `size` is the size of the result, `(0, 0)` for
the image's. `period` is `(repeat, a, b, corner)`. The image is at a corner of the result: upper
left, upper right, lower left, lower right (0 to 3). 4 more cuts out the hidden part.
";

const MIRRORED: &str = "For Mirrored, `a` is the symmetry. If `b` is 0, all hidden cells must follow from others; if it is 1
or 2, some may stay hidden, but no known cell has its image outside. If it is 2, all known cells of
some colour must be images of each other too.
";

const LAYOUTS: &str = "## `layoutrule`

Each cell of `table` becomes a block, made from `source`. `layout` is `(cells, gap, border, colour)`:
what the table's cells mean, the lines between blocks, the lines around them, their colour.
";

const CODES: &str = "Codes are the eight symmetries of the source (0 to 7), a blank block (8), and background exchanged
with the rest (9).

## `drawrule`

`listing` is `(mode, colour, which, key, descending)`. 10 more for the mode makes all objects of one
colour one item of as many cells. The colour is 10 for any, 60 plus a colour for any other.
`descending` is 1 for the largest key first.
";

const DRAWING: &str = "`drawing` is `(length, style, height, width, colour)`. Height and width are those of the canvas, 0 for
as many as needed. The colour is 10 for the object's own.
";

/// A table of what has a number, a name and a description.
fn table(out: &mut String, number: &str, rows: impl IntoIterator<Item = (usize, String, String)>) -> std::fmt::Result {
    writeln!(out, "\n| {number} | name | meaning |\n|--:|---|---|")?;
    for (number, name, meaning) in rows {
        writeln!(out, "| {number} | {name} | {meaning} |")?;
    }
    writeln!(out)
}

macro_rules! kinds {
    ($out:expr, $number:expr, $kind:ident) => {
        table($out, $number, $kind::ALL.iter().map(|kind| (*kind as usize, format!("{kind:?}"), kind.describe().to_owned())))
    };
}

fn page() -> Result<String, std::fmt::Error> {
    let mut page = String::from(LISTS);
    let out = &mut page;
    kinds!(out, "operator", Operator)?;
    out.write_str(PAINTS)?;
    kinds!(out, "mode", Mode)?;
    out.write_str(DIRECTIONS)?;
    writeln!(out)?;
    out.write_str(MOVES)?;
    kinds!(out, "cut", Cut)?;
    out.write_str(CHOOSE)?;
    kinds!(out, "way", Way)?;
    out.write_str(LINES)?;
    kinds!(out, "start", From)?;
    kinds!(out, "stop", Stop)?;
    kinds!(out, "turn", Turn)?;
    kinds!(out, "mark", Mark)?;
    out.write_str(STAMPS)?;
    writeln!(out, "\n| which | pieces |\n|--:|---|")?;
    for (which, fit) in Fit::all().into_iter().enumerate() {
        writeln!(out, "| {which} | {} |", fit.describe())?;
    }
    writeln!(out)?;
    out.write_str(FITS)?;
    kinds!(out, "repeat", Repeat)?;
    out.write_str(MIRRORED)?;
    kinds!(out, "a", Symmetry)?;
    out.write_str(LAYOUTS)?;
    kinds!(out, "cells", Cells)?;
    out.write_str(CODES)?;
    kinds!(out, "which", Which)?;
    kinds!(out, "key", Key)?;
    out.write_str(DRAWING)?;
    kinds!(out, "length", Length)?;
    kinds!(out, "style", Style)?;
    out.write_str("## `oriented`\n\n`unoriented` takes the same number and the source, and turns an image back.\n")?;
    kinds!(out, "which", Orientation)?;
    out.write_str("## Features of cells\n")?;
    kinds!(out, "kind", CellKind)?;
    out.write_str("## Features of objects\n")?;
    kinds!(out, "kind", ItemKind)?;
    out.write_str("## Roles\n")?;
    kinds!(out, "role", Role)?;
    // Two tables in a row have two blank lines between them.
    Ok(page.replace("\n\n\n", "\n\n").trim_end().to_owned() + "\n")
}

#[test]
fn the_page_of_rules_is_fresh() {
    expect_file!["../../../../docs/rules.md"].assert_eq(&page().unwrap_or_default());
}
