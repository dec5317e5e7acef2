//! The operations that search calls: the rows of the table that work on images.

use std::sync::LazyLock;

use batt_core::PrimId;
use batt_dsl::{Cells, Coarse, primitives};

/// A row of the table that works on images.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    /// The primitive.
    pub id: PrimId,
    /// Its name.
    pub name: &'static str,
    /// What runs it.
    pub coarse: Coarse,
    /// What a call costs.
    pub cost: u16,
    /// How late what it gives is used, of columns that cost the same.
    pub rank: u16,
}

/// What a call costs.
const COST: u16 = 10;

/// Operations that give no column that others do not give: `pick_only` is `pick` where that has one answer, `grounded_as` is for answers.
const SKIPPED: [&str; 2] = ["grounded_as", "pick_only"];

/// Ranks learnt from the programs that solve training tasks that may be looked at: the logarithm of how many columns an operation makes for
/// each program that uses it, to the base of 2, from 0 to 6. Other operations have [`RANK`].
const RANKS: [(u16, &[&str]); 6] = [
    (
        0,
        &[
            "block_product",
            "embed",
            "enlarged",
            "exchanged",
            "holes",
            "holes_filled",
            "hull",
            "in_colour",
            "masked",
            "odd_colour",
            "over",
            "overlaid",
            "patched",
            "pick",
            "reflected",
            "repeated",
            "self_product",
            "summary",
            "to_origin",
        ],
    ),
    (
        1,
        &[
            "bridges",
            "compared",
            "extended",
            "grounded",
            "grown",
            "largest_rectangle",
            "line_colours",
            "marked_of",
            "panels_of",
            "parts_of",
            "period_repaired",
            "rim",
            "rooms",
            "stretched",
            "trimmed",
        ],
    ),
    (
        3,
        &[
            "brought",
            "coloured_by",
            "dropped",
            "framed",
            "leapt",
            "links",
            "middle",
            "mirror_repaired",
            "one_cell",
            "only_common",
            "outlined",
            "sized",
            "smear",
            "squeezed",
        ],
    ),
    (4, &["negative", "places", "poured", "rays", "sorted_lines", "stacked", "symmetrized", "turned"]),
    (
        5,
        &[
            "centred",
            "colours_of",
            "concentric",
            "corners_of_boxes",
            "edges",
            "fitted",
            "homed",
            "hopped",
            "others_of",
            "recycled",
            "thirds",
            "without_colour",
        ],
    ),
    (6, &["best_of", "lines_of", "stepped"]),
];
const RANK: u16 = 2;
/// How much later what is made of each image of a list is used.
pub(crate) const EACH_RANK: u16 = 4;

/// All operations, in the order of their names.
pub static OPERATIONS: LazyLock<Vec<Operation>> = LazyLock::new(|| {
    let rows = primitives().filter(|(_, row)| row.cells == Cells::Cij && row.alias.is_none());
    let rows = rows.filter(|(_, row)| !SKIPPED.contains(&row.name));
    rows.filter_map(|(id, row)| Some(Operation { id, name: row.name, coarse: row.image?, cost: COST, rank: rank(row.name) })).collect()
});

fn rank(name: &str) -> u16 {
    RANKS.iter().find(|(_, names)| names.contains(&name)).map_or(RANK, |(rank, _)| *rank)
}

/// The place of an operation in [`OPERATIONS`].
pub(crate) fn named(name: &str) -> u16 {
    let place = OPERATIONS.iter().position(|operation| operation.name == name);
    debug_assert!(place.is_some(), "no operation is called {name}");
    place.unwrap_or(0) as u16
}
