//! Primitives whose parameters are fitted to demos. [docs/rules.md] lists the features that rules test and paint with.
//!
//! [docs/rules.md]: ../../../../docs/rules.md

/// Adds these rows to those before, and calls the next macro with them.
macro_rules! rule_rows {
    ([$next:ident $($after:ident)*] $($before:tt)*) => {
        $next! { [$($after)*] $($before)* Batt {
        cellrule(image: GRID, ground: INTEGER, rules: TUPLE) -> Always(Type::SURE_GRID); Rule [];
            "Every cell in the colour of the first rule that holds for it. A rule is a pair of tests of features and a colour.";
            "cellrule(((1, 2),), 0, ((((0, 0, 0, 0, 1),), 3), ((), (0, 0, 0))))" => "((3, 2),)";
        chooserule(image: GRID, ground: INTEGER, rules: TUPLE, patterns: TUPLE) -> Always(Type::SURE_GRID); Rule [];
            "One of several grids, whose number rules give to all cells but background as one object.";
            "chooserule(((0, 3),), 0, ((((0, 1, 0, 0, 1),), 1), ((), 0)), (((5, 5),), ((10,), (0,))))" => "((3,), (0,))";
        copyrule(image: GRID, ground: INTEGER, colour: INTEGER, which: INTEGER) -> Always(Type::SURE_GRID); Rule [];
            "An object copied onto markers of a colour: objects as large as it, single cells, or objects of its shape.";
            "copyrule(((1, 2, 0, 5, 5),), 0, 5, 0)" => "((1, 2, 0, 1, 2),)";
        drawrule(image: GRID, ground: INTEGER, listing: TUPLE, drawing: TUPLE) -> Always(Type::SURE_GRID); Rule [];
            "A list of objects (mode, colour, which, key, descending) drawn as cells or bars (length, style, height, width, colour).";
            "drawrule(((2, 0, 3, 3, 3),), 0, (0, 10, 0, 1, 1), (1, 6, 0, 0, 10))" => "((3, 3, 3), (2, 0, 0))";
        fitrule(image: GRID, ground: INTEGER, which: INTEGER) -> Always(Type::SURE_GRID); Rule [];
            "Objects put together: as a frame, as a rectangle, into holes and frames, or over each other.";
            "fitrule(((1, 1, 0, 0), (1, 0, 0, 2), (0, 0, 2, 2)), 0, 5)" => "((1, 1, 2), (1, 2, 2))";
        layoutrule(source: GRID, table: GRID, ground: INTEGER, layout: TUPLE) -> Always(Type::SURE_GRID); Rule [];
            "A block for every cell of a table: the source turned, inverted or blank, or in the cell's colour. A layout is (cells, gap, border, colour).";
            "layoutrule(((1, 2),), ((0, 1), (8, 0)), 0, (0, 0, 0, 0))" => "((1, 2, 2, 1), (0, 0, 1, 2))";
        linerule(image: GRID, ground: INTEGER, lines: TUPLE) -> Always(Type::SURE_GRID); Rule [];
            "Lines of one kind after the other. A kind is (source, start, ways, stop, turn, mark, paint).";
            "linerule(((1, 0, 0, 5),), 0, ((1, 0, 8, 0, 0, 0, 10),))" => "((1, 1, 1, 5),)";
        moverule(image: GRID, ground: INTEGER, mode: INTEGER, rules: TUPLE) -> Always(Type::SURE_GRID); Rule [];
            "Every object moved as the first rule that holds for it says: it stays, vanishes, slides, steps, moves in line with another.";
            "moverule(((1, 0, 0, 2),), 0, 0, ((((0, 0, 0, 0, 1),), (2, 3, 0)),))" => "((0, 0, 1, 2),)";
        objectrule(image: GRID, ground: INTEGER, mode: INTEGER, rules: TUPLE) -> Always(Type::SURE_GRID); Rule [];
            "Every object in the colour of the first rule that holds for it; others stay as they are.";
            "objectrule(((1, 0, 1, 1),), 0, 0, ((((0, 1, 0, 0, 2),), 3),))" => "((1, 0, 3, 3),)";
        oriented(image: GRID, which: INTEGER) -> Always(Type::SURE_GRID); Rule [];
            "The image turned or mirrored so that its longer axis, fuller half, rarest colour or fullest edge lies where it should.";
            "oriented(((0, 0), (0, 0), (0, 3)), 2)" => "((3, 0), (0, 0), (0, 0))";
        panelrule(image: GRID, ground: INTEGER, mode: INTEGER, rules: TUPLE) -> Always(Type::SURE_GRID); Rule [];
            "A cell for every panel, in the colour of the first rule that holds for it.";
            "panelrule(((1, 5, 0),), 0, 5, (((), (0, 0, 0)),))" => "((1, 0),)";
        periodrule(image: GRID, mask: INTEGER, size: PAIR, period: TUPLE) -> Always(Type::SURE_GRID); Rule [];
            "The pattern of the known cells, which are not of the mask's colour, continued over a canvas. A period is (repeat, a, b, corner).";
            "periodrule(((1, 2, 3), (2, 3, 0), (3, 0, 0)), 0, (0, 0), (0, 0, 0, 0))" => "((1, 2, 3), (2, 3, 1), (3, 1, 2))";
        pickrule(image: GRID, ground: INTEGER, mode: INTEGER, rules: TUPLE) -> Always(Type::SURE_GRID); Rule [];
            "The first object that rules give a colour but 0, cut out: its box, its cells alone, or its box without the rim.";
            "pickrule(((1, 0, 2, 2),), 0, 0, ((((0, 4, 0, 0, 0),), 1), ((), 0)))" => "((2, 2),)";
        replacerule(image: GRID, turned: INTEGER, patterns: TUPLE) -> Always(Type::SURE_GRID); Rule [];
            "Patterns replaced wherever they occur. A pattern is a pair of grids: what is found and what takes its place.";
            "replacerule(((1, 2, 0), (2, 2, 0)), 0, ((((2,), (2,)), ((3,), (10,))),))" => "((1, 3, 0), (2, 2, 0))";
        stamprule(image: GRID, ground: INTEGER, over: INTEGER, stamps: TUPLE) -> Always(Type::SURE_GRID); Rule [];
            "Patches around cells. A stamp is a marker's colour and the cells beside it, each (rows, columns, colour).";
            "stamprule(((0, 2, 0),), 0, 1, ((2, ((0, 1, 3), (0, -1, 3))),))" => "((3, 2, 3),)";
        sweeprule(image: GRID, ground: INTEGER, way: INTEGER, rules: TUPLE) -> Always(Type::SURE_GRID); Rule [];
            "Every cell as with cellrule. Rules also see the cells made before: line by line, or in rounds until nothing changes.";
            "sweeprule(((1, 0), (0, 0)), 0, 0, ((((0, 28, -1, 0, 1),), 1), ((), (0, 0, 0))))" => "((1, 0), (1, 0))";
        templaterule(image: GRID, ground: INTEGER, which: INTEGER) -> Always(Type::SURE_GRID); Rule [];
            "Partial copies of the object of most colours completed, turned and enlarged ones too.";
            "templaterule(((1, 2, 3, 0, 1, 2),), 0, 0)" => "((1, 2, 3, 0, 1, 2),)";
        unoriented(image: GRID, source: GRID, which: INTEGER) -> Always(Type::SURE_GRID); Rule [];
            "The image turned back to the orientation that its source had before oriented.";
            "unoriented(((3, 4, 0), (0, 0, 0)), ((0, 0), (0, 0), (0, 3)), 0)" => "((3, 0), (4, 0), (0, 0))";
        } }
    };
}
pub(super) use rule_rows;
