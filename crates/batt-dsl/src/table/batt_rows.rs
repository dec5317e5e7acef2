//! The primitives that batt has and no one else, but coarse operations on images and rules.

/// Adds these rows to those before, and calls the next macro with them.
macro_rules! batt_rows {
    ([$next:ident $($after:ident)*] $($before:tt)*) => {
        $next! { [$($after)*] $($before)* Batt {
        enclosed(patch: PATCH) -> Always(Type::INDICES); Line [total];
            "The locations that a patch encloses: no way of steps to the side leads out."; "enclosed(frozenset({(0, 1), (1, 0), (1, 2), (2, 1)}))" => "frozenset({(1, 1)})";
        recoloured(image: GRID, colours: TUPLE) -> Always(Type::GRID); Image [];
            "Every colour replaced: the item of a tuple of ten at its place.";
            "recoloured(((1, 0, 2),), (0, 2, 1, 3, 4, 5, 6, 7, 8, 9))" => "((2, 0, 1),)";
        reinserted(image: GRID, seen: GRID, source: GRID) -> Always(Type::GRID); Image [];
            "The source with an image in the place of a part that was seen; what was seen otherwise than it is in the source stays as it is there.";
            "reinserted(((7, 7),), (((1, 0),), (0, 1)), ((1, 1, 2),))" => "((1, 7, 2),)";
        renamed(image: GRID, kept: INTEGER, measures: TUPLE) -> Always(Type::GRID); Image [];
            "Colours renamed by what they do: those of a bit set keep their places, each other place goes to the colour that leads in a measure.";
            "renamed(((7, 7, 4),), 1, (0, 0))" => "((1, 1, 2),)";
        restored(image: GRID, source: GRID, kept: INTEGER, measures: TUPLE) -> Always(Type::GRID); Image [];
            "The colours that an image had before those of its source were renamed, see renamed.";
            "restored(((1, 1, 2),), ((7, 7, 4),), 1, (0, 0))" => "((7, 7, 4),)";
        tabled(images: TUPLE, rows: TUPLE) -> Always(Type::GRID); Image [];
            "Cell by cell the last item of the row that begins with the colours of images of one size there.";
            "tabled((((1, 0),), ((0, 2),)), ((0, 2, 5), (1, 0, 3)))" => "((3, 5),)";
        } }
    };
}
pub(super) use batt_rows;
