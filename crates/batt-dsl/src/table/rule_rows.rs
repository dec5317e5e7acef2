//! Primitives whose parameters are fitted to demos. [docs/rules.md] lists the features that rules test and paint with.
//!
//! [docs/rules.md]: ../../../../docs/rules.md

/// Adds these rows to those before, and calls the next macro with them.
macro_rules! rule_rows {
    ([$next:ident $($after:ident)*] $($before:tt)*) => {
        $next! { [$($after)*] $($before)* Batt {
        cellrule(image: GRID, ground: INTEGER, rules: TUPLE) -> Always(Type::SURE_GRID); Rule [];
            "Every cell in the colour of the first rule that holds for it; a rule is a tuple of tests of features and a colour.";
            "cellrule(((1, 2),), 0, ((((0, 0, 0, 0, 1),), 3), ((), (0, 0, 0))))" => "((3, 2),)";
        chooserule(image: GRID, ground: INTEGER, rules: TUPLE, patterns: TUPLE) -> Always(Type::SURE_GRID); Rule [];
            "One of several grids: rules give its number to all that is drawn as one object. 10 stands for the image's most common colour.";
            "chooserule(((0, 3),), 0, ((((0, 1, 0, 0, 1),), 1), ((), 0)), (((5, 5),), ((10,), (0,))))" => "((3,), (0,))";
        copyrule(image: GRID, ground: INTEGER, colour: INTEGER, which: INTEGER) -> Always(Type::SURE_GRID); Rule [];
            "An object on markers of a colour: as large as it (0, 1), single cells (2, 3), of its shape (4-11); with 1, 3, 5 it goes away itself.";
            "copyrule(((1, 2, 0, 5, 5),), 0, 5, 0)" => "((1, 2, 0, 1, 2),)";
        drawrule(image: GRID, ground: INTEGER, listing: TUPLE, drawing: TUPLE) -> Always(Type::SURE_GRID); Rule [];
            "A list of objects (mode, colour, which, key, descending) drawn as cells or bars (length, style, height, width, colour).";
            "drawrule(((2, 0, 3, 3, 3),), 0, (0, 10, 0, 1, 1), (1, 6, 0, 0, 10))" => "((3, 3, 3), (2, 0, 0))";
        fitrule(image: GRID, ground: INTEGER, which: INTEGER) -> Always(Type::SURE_GRID); Rule [];
            "Objects put together: as a frame (0-4), into rectangles, holes and frames (5-24), or over each other on a common anchor (25-29).";
            "fitrule(((1, 1, 0, 0), (1, 0, 0, 2), (0, 0, 2, 2)), 0, 5)" => "((1, 1, 2), (1, 2, 2))";
        layoutrule(source: GRID, table: GRID, ground: INTEGER, layout: TUPLE) -> Always(Type::SURE_GRID); Rule [];
            "A block for every cell of a table: the source turned (0-7), blank (8), inverted (9), or in the cell's colour; cells, gap, border, colour.";
            "layoutrule(((1, 2),), ((0, 1), (8, 0)), 0, (0, 0, 0, 0))" => "((1, 2, 2, 1), (0, 0, 1, 2))";
        linerule(image: GRID, ground: INTEGER, lines: TUPLE) -> Always(Type::SURE_GRID); Rule [];
            "Lines of each kind after the other: source colour, which cells, directions, stop, turn, painted cells, colour.";
            "linerule(((1, 0, 0, 5),), 0, ((1, 0, 8, 0, 0, 0, 10),))" => "((1, 1, 1, 5),)";
        moverule(image: GRID, ground: INTEGER, mode: INTEGER, rules: TUPLE) -> Always(Type::SURE_GRID); Rule [];
            "Every object moved as the first rule that holds for it says: it stays, vanishes, slides, steps, moves in line with another.";
            "moverule(((1, 0, 0, 2),), 0, 0, ((((0, 0, 0, 0, 1),), (2, 3, 0)),))" => "((0, 0, 1, 2),)";
        objectrule(image: GRID, ground: INTEGER, mode: INTEGER, rules: TUPLE) -> Always(Type::SURE_GRID); Rule [];
            "Every object in the colour of the first rule that holds for it; others stay as they are.";
            "objectrule(((1, 0, 1, 1),), 0, 0, ((((0, 1, 0, 0, 2),), 3),))" => "((1, 0, 3, 3),)";
        oriented(image: GRID, which: INTEGER) -> Always(Type::SURE_GRID); Rule [];
            "The image turned or reflected so that its longer axis, fuller half, rarest colour or fullest edge lies where it should; ten ways.";
            "oriented(((0, 0), (0, 0), (0, 3)), 2)" => "((3, 0), (0, 0), (0, 0))";
        panelrule(image: GRID, ground: INTEGER, mode: INTEGER, rules: TUPLE) -> Always(Type::SURE_GRID); Rule [];
            "A cell for every panel, in the colour of the first rule that holds for it.";
            "panelrule(((1, 5, 0),), 0, 5, (((), (0, 0, 0)),))" => "((1, 0),)";
        periodrule(image: GRID, mask: INTEGER, size: PAIR, period: TUPLE) -> Always(Type::SURE_GRID); Rule [];
            "The pattern of known cells, those not of the mask's colour, carried on over a canvas, (0, 0) for the image's size: repeat, a, b, corner.";
            "periodrule(((1, 2, 3), (2, 3, 0), (3, 0, 0)), 0, (0, 0), (0, 0, 0, 0))" => "((1, 2, 3), (2, 3, 1), (3, 1, 2))";
        pickrule(image: GRID, ground: INTEGER, mode: INTEGER, rules: TUPLE) -> Always(Type::SURE_GRID); Rule [];
            "The first object to which the rules give 1, cut out: its box, its cells alone (mode plus 10), its box without the rim (plus 20).";
            "pickrule(((1, 0, 2, 2),), 0, 0, ((((0, 4, 0, 0, 0),), 1), ((), 0)))" => "((2, 2),)";
        replacerule(image: GRID, turned: INTEGER, patterns: TUPLE) -> Always(Type::SURE_GRID); Rule [];
            "Patterns replaced wherever they occur, turned too (1) or not (0): pairs of grids, 10 for any colour and for cells that stay.";
            "replacerule(((1, 2, 0), (2, 2, 0)), 0, ((((2,), (2,)), ((3,), (10,))),))" => "((1, 3, 0), (2, 2, 0))";
        stamprule(image: GRID, ground: INTEGER, over: INTEGER, stamps: TUPLE) -> Always(Type::SURE_GRID); Rule [];
            "Patches around the cells of colours, each a colour and (row, column, colour) beside it; over everything (1) or over background only (0).";
            "stamprule(((0, 2, 0),), 0, 1, ((2, ((0, 1, 3), (0, -1, 3))),))" => "((3, 2, 3),)";
        sweeprule(image: GRID, ground: INTEGER, way: INTEGER, rules: TUPLE) -> Always(Type::SURE_GRID); Rule [];
            "Every cell as with cellrule, looking also at cells made before: from above, below, left, right (0-3), or until nothing changes (4).";
            "sweeprule(((1, 0), (0, 0)), 0, 0, ((((0, 28, -1, 0, 1),), 1), ((), (0, 0, 0))))" => "((1, 0), (1, 0))";
        templaterule(image: GRID, ground: INTEGER, which: INTEGER) -> Always(Type::SURE_GRID); Rule [];
            "Partial copies of the most colourful objects completed; the number says whether turned, enlarged, and whether the objects stay.";
            "templaterule(((1, 2, 3, 0, 1, 2),), 0, 0)" => "((1, 2, 3, 0, 1, 2),)";
        unoriented(image: GRID, source: GRID, which: INTEGER) -> Always(Type::SURE_GRID); Rule [];
            "The image turned back to the orientation that its source had before oriented.";
            "unoriented(((3, 4, 0), (0, 0, 0)), ((0, 0), (0, 0), (0, 3)), 0)" => "((3, 0), (4, 0), (0, 0))";
        } }
    };
}
pub(super) use rule_rows;
