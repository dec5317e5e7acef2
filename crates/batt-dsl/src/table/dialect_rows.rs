//! The primitives that the typed dialect has and arc-dsl has not.

/// Adds these rows to those before, and calls the next macro with them.
macro_rules! dialect_rows {
    ([$next:ident $($after:ident)*] $($before:tt)*) => {
        $next! { [$($after)*] $($before)* Dialect {
        a_mr(S: TUPLE) -> Always(Type::INTEGER); Demo [] { numbers: Some(Range::AngleOf8) };
            "The first mirror or rotation that turns every demo input into its output."; "a_mr(((((1, 2),), ((2, 1),)),))" => "2";
        ascell(ij: PAIR, c: INTEGER as Colour) -> Always(Type::CELL); Patch Unit [] { device: Warp, beyond: Beyond::Two, takes_beyond: Some(Type::ANY) };
            "The cell of a colour at a location."; "ascell((1, 2), 5)" => "(5, (1, 2))";
        astriple(i: INTEGER, j: INTEGER, c: INTEGER as Colour) -> Always(Type::CELL); Patch Unit [] { device: Warp, triples: true };
            "The cell of a colour at a row and column."; "astriple(1, 2, 5)" => "(5, (1, 2))";
        c_branch(condition: ANY, a: INTEGER as Colour, b: INTEGER as Colour) -> Always(Type::INTEGER); Colour Unit [] { device: Warp, numbers: Some(Range::Colour) };
            "The first colour if the condition holds, else the second."; "c_branch(F, RED, BLUE)" => "1";
        c_iz(S: TUPLE, function: FUNCTION) -> Always(Type::INTEGERS); Demo [ordered] { beyond: Beyond::Found };
            "What a function finds on the demo inputs and on no demo output."; "c_iz(((((1, 2),), ((1, 3),)),), p_g)" => "(2,)";
        c_iz_n(S: TUPLE, function: FUNCTION, pick: FUNCTION) -> Picked; Demo [ordered];
            "One pick of what is on the demo inputs only."; "c_iz_n(((((1, 2),), ((1, 3),)),), p_g, first)" => "2";
        c_zo(S: TUPLE, function: FUNCTION) -> Always(Type::INTEGERS); Demo [ordered] { beyond: Beyond::Found };
            "What a function finds on the demo outputs and on no demo input."; "c_zo(((((1, 2),), ((1, 3),)),), p_g)" => "(3,)";
        c_zo_n(S: TUPLE, function: FUNCTION, pick: FUNCTION) -> Picked; Demo [ordered];
            "One pick of what is on the demo outputs only."; "c_zo_n(((((1, 2),), ((1, 3),)),), p_g, first)" => "3";
        celltuple(a: CONTAINER, b: CONTAINER) -> Always(Type::CELL.in_tuple()); Patch [ordered] { device: Warp, triples: true, beyond: Beyond::Zipped };
            "Locations zipped with colours into cells."; "celltuple(((0, 0), (0, 1)), (5, 6))" => "((5, (0, 0)), (6, (0, 1)))";
        col_row(patch: PATCH, kind: INTEGER as KindOf4) -> Always(Type::INTEGER); Patch [] { device: Warp };
            "A side of the bounding box by number: lowest, uppermost, leftmost, rightmost."; "col_row(frozenset({(0, 0), (2, 4)}), R3)" => "4";
        colorfilter_t(objs: CONTAINER, value: INTEGER as Colour) -> TupleOf(0); Object [ordered flattens] { device: Warp, triples: true };
            "The objects whose first cell has a colour, as a tuple."; "colorfilter_t((((1, (0, 0)),), ((2, (1, 1)),)), 2)" => "(((2, (1, 1)),),)";
        corner(patch: PATCH, kind: INTEGER as KindOf4) -> Always(Type::PAIR); Patch [] { device: Warp };
            "A corner of the bounding box by number: upper left, upper right, lower left, lower right."; "corner(frozenset({(0, 0), (2, 4)}), R3)" => "(2, 4)";
        dedupe_pair_tuple(S: TUPLE) -> Filtered(0); Demo [] { device: Warp };
            "The pairs whose two grids differ."; "dedupe_pair_tuple((((1,), (1,)), ((1,), (2,))))" => "(((1,), (2,)),)";
        difference_tuple(a: CONTAINER, b: CONTAINER) -> Filtered(0); Container [total] { device: Warp };
            "The items of the first that are not in the second, order kept."; "difference_tuple((3, 1, 2), (1,))" => "(3, 2)";
        get_arg_rank(container: CONTAINER, function: FUNCTION, n: INTEGER as Rank) -> Item(0); Rank [ordered] { device: Loop };
            "The n-th item by descending key."; "get_arg_rank(((1,), (2, 3), (4, 5, 6)), size, F1)" => "(2, 3)";
        get_color_rank(element: ELEMENT, n: INTEGER as Rank) -> Always(Type::INTEGER); Rank [ordered] { device: Warp, numbers: Some(Range::Colour) };
            "The n-th colour by descending count; of equal counts the one met first."; "get_color_rank(((1, 2, 2), (3, 3, 3)), F1)" => "2";
        get_common_rank(container: CONTAINER, n: INTEGER as Rank) -> Item(0); Rank [ties] { device: Warp };
            "The n-th distinct item by ascending count; of equal counts the lower first."; "get_common_rank((1, 1, 2, 3, 3, 3), F0)" => "2";
        get_nth(container: CONTAINER, n: INTEGER as Rank) -> Nth(0, 1); Rank [ordered] K { device: Lanes };
            "The n-th item, from 0; negative counts from the end."; "get_nth((7, 8, 9), -1)" => "9";
        get_nth_by_key(container: CONTAINER, n: INTEGER as Rank, function: FUNCTION) -> Item(0); Rank [ordered] { device: Loop };
            "The n-th item after a stable sort by a key."; "get_nth_by_key(((1, 2, 3), (4,)), 0, size)" => "(4,)";
        get_rank(ints: CONTAINER, n: INTEGER as Rank) -> Always(Type::INTEGER); Rank [] { device: Warp };
            "The n-th of several integers by descending value."; "get_rank((3, 9, 5), F1)" => "5";
        get_val_rank(container: CONTAINER, function: FUNCTION, n: INTEGER as Rank) -> Key; Rank [compares] { device: Loop };
            "The key of the n-th item by ascending key."; "get_val_rank(((1,), (2, 3), (4, 5, 6)), size, L1)" => "3";
        leastcommon_f(container: CONTAINER) -> Item(0); Container [ties] { device: Warp };
            "The least frequent item; of several, as of a set, the lowest."; "leastcommon_f(frozenset({4, 5}))" => "4";
        mir_rot_f(patch: PATCH, angle: INTEGER as AngleOf4) -> PatchLike(0); Patch [] { device: Warp, runs_on: &[(1, Type::ANY)] };
            "The patch mirrored by number, 0 to 3."; "mir_rot_f(frozenset({(0, 0), (1, 1), (0, 1)}), A0)" => "frozenset({(0, 1), (1, 0), (1, 1)})";
        mir_rot_t(grid: GRID, angle: INTEGER as AngleOf8) -> Always(Type::GRID); Grid [] { device: Warp, runs_on: &[(0, Type::TUPLE)] };
            "The grid mirrored or turned by number: 0 to 3 mirror, 4 to 6 turn."; "mir_rot_t(((1, 2), (3, 4)), A4)" => "((3, 1), (4, 2))";
        mostcommon_f(container: CONTAINER) -> Item(0); Container [ties] { device: Warp };
            "The most frequent item; of several, as of a set, the lowest."; "mostcommon_f(frozenset({4, 5}))" => "4";
        o_g(grid: GRID, r: INTEGER as KindOf8) -> Always(Type::OBJECTS); Object [ties] K { device: Warp };
            "The objects by kind: 4 for one colour each, 2 for diagonals, 1 for without background, added up."; "o_g(((1, 0), (0, 0)), R5)" => "frozenset({frozenset({(1, (0, 0))})})";
        o_g_t(grid: GRID, r: INTEGER as KindOf8) -> Always(Type::OBJECT.in_tuple()); Object [ties] K { device: Warp, triples: true, beyond: Beyond::CellTuples };
            "The objects by kind, as a tuple of tuples of cells."; "o_g_t(((1, 0), (0, 0)), R5)" => "(((1, (0, 0)),),)";
        objects_t(grid: GRID, univalued: BOOLEAN, diagonal: BOOLEAN, without_bg: BOOLEAN) -> Always(Type::OBJECT.in_tuple()); Object [ties] K { device: Warp, triples: true, beyond: Beyond::CellTuples };
            "The connected objects as a tuple of tuples of cells."; "objects_t(((1, 0), (0, 0)), T, F, T)" => "(((1, (0, 0)),),)";
        p_f(element: ELEMENT) -> Always(Type::INTEGER_SET); Colour [] { device: Warp, numbers: Some(Range::Colour) };
            "The colours as a set."; "p_f(((3, 1), (1, 2)))" => "frozenset({1, 2, 3})";
        p_g(grid: GRID) -> Always(Type::INTEGERS); Colour [] { device: Warp, numbers: Some(Range::Colour) };
            "The colours of a grid, ascending, as a tuple."; "p_g(((3, 1), (1, 2)))" => "(1, 2, 3)";
        p_o(obj: PATCH) -> Always(Type::INTEGERS); Colour [] { device: Warp, numbers: Some(Range::Colour) };
            "The colours of an object, ascending, as a tuple."; "p_o(frozenset({(3, (0, 0)), (1, (0, 1)), (4, (1, 1))}))" => "(1, 3, 4)";
        second(container: CONTAINER) -> ItemAt(0, 1); Rank Unit [ordered] { device: Lanes };
            "The second item; undefined if there is none."; "second((7, 8, 9))" => "8";
        sizefilter_t(container: CONTAINER, n: INTEGER as Count) -> TupleOf(0); Container [] { device: Warp, runs_on: &[(1, Type::ANY)] };
            "The items of a size, as a tuple."; "sizefilter_t(((1,), (2, 3)), 1)" => "((1,),)";
        toij(cell: CELL) -> Always(Type::PAIR); Patch Unit [] { device: Warp, triples: true, runs_on: &[(0, Type::TUPLE)] };
            "The location of a cell."; "toij((5, (1, 2)))" => "(1, 2)";
        } }
    };
}
pub(super) use dialect_rows;
