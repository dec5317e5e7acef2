//! The lists of `docs/rules.md` are generated. When this test fails, run it with `UPDATE_EXPECT=1`.

use std::fmt::Write;

use batt_features::{CellKind, ItemKind, Role};
use expect_test::expect_file;

const HEAD: &str = "# Rules

The primitives of the family Rule, such as `cellrule` and `templaterule`, take their parameters as
literals. `batt-rules` fits them to the demos of a task. Each can be written by hand too.

A *rule* is a pair of tests and a paint: `(((0, 0, 0, 0, 3),), 5)`. The first rule whose tests all
hold decides. A test is `(operator, kind, a, b, number)`. The operators: the value of the feature
`(kind, a, b)` is the number (0), is another (1), is not less (2), is there and not more (3), is the
own colour of the cell or object (4), is another than the own colour (5), is the value of the role of
that number (6), is another than that (7). A paint is a colour, 10 for the background's colour, or a
feature `(kind, a, b)`; where a feature has no value, the rule is skipped. A feature without a value is
-1.

A *role* is what a colour or a number is in the image. Colours as arguments are 0 to 9 for themselves;
10 and more for what the rule says; from 20 on, the colour that has the role of the number 20 less.
`b` of the features Modulo and NearestModulo is a number or, again 20 more, the role of a number. Where
two colours have a role alike, nobody has it: then a test fails, and a rule that paints it is skipped.

`ground` is the background's colour, or 10 for the most common colour. The modes of objects are:
one colour joined by sides (0), by corners too (1), any colours by sides (2), by corners too (3),
background regions (4), panels (5), all cells of a colour (6), rows (7), columns (8), all cells but
background (9), each cell but background alone (10). Panels are between lines of one colour; without
such lines they are equal parts between lines of background, or squares of the shorter side.

The eight directions are up, down, left, right, up left, down right, up right, down left (0 to 7).
The eight symmetries are identity, left-right, upside down, half turn (0 to 3) and the same
transposed (4 to 7).

```python
cellrule(((3, 0), (3, 3)), 0, ((((0, 0, 0, 0, 0), (2, 6, 0, 0, 2)), 4), ((), (0, 0, 0))))
```

This paints background with two or more neighbours in colour 4 and leaves all other cells alone.

A paint of `moverule` is a move: stay `(0, 0, 0)`, vanish `(1, 0, 0)`, slide in direction `a`
`(2, a, 0)`, slide towards the nearest cell of target `a` straight ahead to a side `(3, a, 0)`, one step
towards it or, where no side has one, along a diagonal `(3, a, 1)`, to contact
with it whatever is between `(3, a, 2)`, slide towards it and get the colour of what stops it
`(3, a, 3)`, step by rows and columns `(4, a, b)`, move by its own size in direction
`a` `(5, a, 0)`, in line with the nearest object of target `a` by rows, columns or both `(6, a, b)`:
with its first edge (0, 3, 6), its middle (1, 4, 7) or its last edge (2, 5, 8). A target is a colour,
10 for any, 11 for its own, 12 for any but its own. Objects slide in the eight directions, towards the
nearest edge (8), towards the largest other object (9) or away from it (10), or to where their cells of
other colours lie (11) or away from there (12). Objects that move go away first. The nearest to where
they go arrive first, and they stop the others; objects without a target are gone.

`chooserule` takes all cells but background as one object, mode 9. Its paints are numbers of grids.

A kind of line of `linerule` is seven numbers: the colour that it begins at (10 for any); which of
these cells: all (0), those that continue a line (1), without a neighbour of their colour (2), with
another colour behind (3), ends whose only neighbour of their colour is behind (4), elbows with
their colour on both sides of a diagonal (5), where the line begins in the notch, those that are no
part of the one largest object (6), corners from which the line leaves along a side or a diagonal
(7); the sum of 1, 2, 4 to 128 for its directions; whether it stops before what is not background
(0), goes under it (1) or over it (2), or goes under it up to its own colour (3); where it is
stopped, whether it ends (0), turns right (1) or left (2), is reflected (3), or is left out unless
something (4), its own colour (5), the edge (6) or a cell that no such line begins at (7) stopped
it; which cells are painted: all (0), every second (1), the cell that stopped it (2), the middle
(3), the first (4), those of another colour that it goes over (5), those where such a line along
another axis goes too (6); the colour, 10 for its own, 11 for the one that stopped it, 12 for those
of its tail in turn, the cells from its beginning backwards up to background.

The mask of `periodrule` is the colour of cells that are not known, 10 for none, 11 for the least common
colour without which the image has the pattern, 12 for the most common colour. A pattern is four
numbers: how it repeats, `a`, `b`, and the corner of the canvas that the image is at (upper left, upper
right, lower left, lower right), 4 more for the part that was hidden. It repeats by the smallest lattice
of two steps that no known cell contradicts, moved by `a` rows and `b` columns (0); by the smallest such
step (1); by `a` rows and `b` columns, forwards only (2); in rings around the box of known cells, whose
sides at the edge may be open (3); or by reflections and turns whose axes or centre are anywhere (4):
left-right, upside down, both, quarter turns, the diagonal, all, half turn, by `a` from 0 to 6. All
hidden cells must follow from others; with 1 for `b` others stay, and the image of no known cell may be
outside; with 2 the known cells of some colour must be images of each other too. With 5, nothing
repeats: if `a` is 0, rings of one colour each come in reversed order from the edge inwards; otherwise,
in the order in which colours appear from the edge inwards, each becomes the one `a` places before it.

The number of `templaterule` is a sum: 1 if objects are joined by sides only, 2 if the templates go
away, 4 if any object of several colours is one, not only those of most colours, 8 if copies may be
turned, 16 if they may be enlarged up to four times. A partial copy has all cells of those colours of
the template that other objects have. From 32 on, it has all cells of any of the template's colours
and background in place of the others; from 40 on, it is an object that is a part of the template with
colours exchanged, and the template is the object that all others are parts of. In these, 1 stands
for sides, 2 for turned, 4 for enlarged copies, and templates stay.

A pattern of `replacerule` is a pair of grids of one size: the colours that are looked for, 10 for
any, and those in their place, 10 where the image stays. All is looked for in the image as it was.

Up to 3, `copyrule` copies the object of most colours. From 4 on, each object of one colour, 10 for any,
becomes a copy of the object of several colours that has its shape: 1 if that goes away, 2 if copies may
be turned, 4 if they may be enlarged.

The number of `fitrule` says how pieces are put together. As a frame, each where its fuller sides
are: objects of the first four modes (0 to 3), squares of one size (4). Objects of one colour as a
rectangle that they fill (5), or into the holes of the largest object, which is cut out (6) or stays
in the image (7); the same for objects of any colours (8 to 10). A piece with cells of the largest
object's colour fills holes with these and covers the object with its others. One object into what
all others frame, cut out (11) or in the image (12): enlarged as its cells there tell, else so that
it fills the frame and most colours meet. The same for all that is outside a box with corners of one
colour (13, 14). With 10 more, from 15 to 24, pieces may be turned and mirrored. Over each other:
all cells of a colour, with the nearest cell of the colour that has one for each of the others on
one place (25), with the middle (26) or the corner (27) of their boxes on one place; the same for
objects of any colours (28, 29).

A layout of `layoutrule` is four numbers: whether the table has codes (0), colours (1) or colours of
parts (2), the number of lines between blocks, the number of lines around them, and the colour of these
lines. Codes are the eight symmetries of the source (0 to 7), blank (8) and background exchanged with
the rest (9). A colour stands for the source in that colour; background stands for a blank block. With
colours of parts, the source is divided into as many parts as the table has cells, each in its colour.

A listing of `drawrule` is five numbers: the mode of objects, 10 more if objects of one colour count as
one of as many cells; their colour, 10 for any, or 60 plus a colour for any other; which of these: all
(0), of most (1) or fewest (2) cells, of more than one cell (3), solid (4) or not (5), alone in their
colour (6), of a number of cells (that number plus 10); the key that they are sorted by: place in
reading order, cells, rows, columns, first column, first row, colour, objects of the same colour (0 to
7); whether the largest comes first. A drawing is five numbers: the length of an object: one cell (0),
its cells, rows or columns (1 to 3), the whole side (4), its place in the list (5); the style: a run of
cells in rows (0), there and back (1), in columns (2), there and back (3), along the diagonal (4) or the
other one (5), bars to the right (6), left (7), down (8), up (9), the objects themselves from above to
below (10) or from left to right (11); rows and columns of the canvas, 0 for as many as needed; the
colour, 10 for that of the object.
";

fn page() -> Result<String, std::fmt::Error> {
    let mut out = String::from(HEAD);
    writeln!(out, "\n## Features of cells\n\n| kind | name | value |\n|---|---|---|")?;
    for kind in CellKind::ALL {
        writeln!(out, "| {} | {kind:?} | {} |", *kind as u8, kind.describe())?;
    }
    writeln!(out, "\n## Features of objects\n\n| kind | name | value |\n|---|---|---|")?;
    for kind in ItemKind::ALL {
        writeln!(out, "| {} | {kind:?} | {} |", *kind as u8, kind.describe())?;
    }
    writeln!(out, "\n## Roles\n\n| role | name | value |\n|---|---|---|")?;
    for role in Role::ALL {
        writeln!(out, "| {} | {role:?} | {} |", *role as u8, role.describe())?;
    }
    Ok(out)
}

#[test]
fn the_page_of_rules_is_fresh() {
    expect_file!["../../../docs/rules.md"].assert_eq(&page().unwrap_or_default());
}
