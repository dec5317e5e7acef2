//! Coarse operations on images, in flat memory: what a person would call one step.
//!
//! An *image* is a grid that has a place. Operations take 0 for background. They panic on nothing: what has no answer is `None`. An operation is a kernel
//! with its row above it, and a line of the list below.

pub mod boxes;
pub mod colours;
pub mod drawing;
pub mod inverses;
pub mod joints;
pub mod lines;
pub mod measures;
pub mod merges;
pub mod objects;
pub mod patterns;
pub mod picks;
pub mod placing;
pub mod shapes;
pub mod splits;

use crate::operation::OperationRow;

/// The list of operations, in the order of their names: the name, and where the row is. Calls the first of some macros with the others, all that they
/// were given before, and the list.
#[macro_export]
macro_rules! for_each_operation {
    ([$next:ident $($after:ident)*] $($before:tt)*) => {
        $next! { [$($after)*] $($before)*;
            aligned: objects::ALIGNED;
            attracted: objects::ATTRACTED;
            best_of: picks::BEST_OF;
            block_product: merges::BLOCK_PRODUCT;
            blocks_of: splits::BLOCKS_OF;
            bounced: drawing::BOUNCED;
            boxed: objects::BOXED;
            bridges: lines::BRIDGES;
            brought: merges::BROUGHT;
            centred: placing::CENTRED;
            centres: objects::CENTRES;
            colour_bars: drawing::COLOUR_BARS;
            colour_of: measures::COLOUR_OF;
            coloured_by: merges::COLOURED_BY;
            colours_of: splits::COLOURS_OF;
            compared: picks::COMPARED;
            components_of: splits::COMPONENTS_OF;
            concentric: placing::CONCENTRIC;
            corners_of_boxes: placing::CORNERS_OF_BOXES;
            count_bar: boxes::COUNT_BAR;
            count_of: measures::COUNT_OF;
            cut: merges::CUT;
            dropped: lines::DROPPED;
            edges: placing::EDGES;
            embed: merges::EMBED;
            enlarged: boxes::ENLARGED;
            exchanged: colours::EXCHANGED;
            extended: merges::EXTENDED;
            fitted: placing::FITTED;
            flipped: objects::FLIPPED;
            flooded: objects::FLOODED;
            framed: boxes::FRAMED;
            grounded: colours::GROUNDED;
            grounded_as: merges::GROUNDED_AS;
            grown: lines::GROWN;
            half: boxes::HALF;
            holds: measures::HOLDS;
            holes: shapes::HOLES;
            holes_filled: shapes::HOLES_FILLED;
            holes_of: splits::HOLES_OF;
            homed: placing::HOMED;
            hopped: placing::HOPPED;
            hull: boxes::HULL;
            in_colour: colours::IN_COLOUR;
            in_common: colours::IN_COMMON;
            joints: joints::JOINTS;
            largest_rectangle: shapes::LARGEST_RECTANGLE;
            leapt: boxes::LEAPT;
            line_colours: colours::LINE_COLOURS;
            lines_of: splits::LINES_OF;
            links: lines::LINKS;
            marked_of: splits::MARKED_OF;
            masked: merges::MASKED;
            middle: boxes::MIDDLE;
            mirror_repaired: patterns::MIRROR_REPAIRED;
            moved: boxes::MOVED;
            negative: colours::NEGATIVE;
            odd_colour: picks::ODD_COLOUR;
            one_cell: boxes::ONE_CELL;
            only_colour: colours::ONLY_COLOUR;
            only_common: colours::ONLY_COMMON;
            opened: shapes::OPENED;
            others_of: picks::OTHERS_OF;
            outlined: shapes::OUTLINED;
            over: merges::OVER;
            overlaid: picks::OVERLAID;
            pair_of: measures::PAIR_OF;
            panels_of: splits::PANELS_OF;
            parts_of: splits::PARTS_OF;
            patched: patterns::PATCHED;
            period_repaired: patterns::PERIOD_REPAIRED;
            pick: picks::PICK;
            pick_coloured: picks::PICK_COLOURED;
            pick_only: picks::PICK_ONLY;
            pinwheel: objects::PINWHEEL;
            places: patterns::PLACES;
            poured: lines::POURED;
            ranked: shapes::RANKED;
            rays: lines::RAYS;
            rectangles: drawing::RECTANGLES;
            recycled: placing::RECYCLED;
            reflected: merges::REFLECTED;
            repeated: merges::REPEATED;
            rim: shapes::RIM;
            rings: lines::RINGS;
            rooms: shapes::ROOMS;
            self_product: patterns::SELF_PRODUCT;
            shaved: objects::SHAVED;
            sized: shapes::SIZED;
            smear: lines::SMEAR;
            sorted_lines: boxes::SORTED_LINES;
            squeezed: boxes::SQUEEZED;
            stacked: picks::STACKED;
            stamped: objects::STAMPED;
            stepped: boxes::STEPPED;
            stretched: merges::STRETCHED;
            summary: picks::SUMMARY;
            symmetrized: patterns::SYMMETRIZED;
            thirds: placing::THIRDS;
            to_origin: boxes::TO_ORIGIN;
            trimmed: boxes::TRIMMED;
            turned: boxes::TURNED;
            without_colour: colours::WITHOUT_COLOUR;
            wrapped: merges::WRAPPED;
        }
    };
}

macro_rules! list {
    ([]; $($name:ident: $file:ident::$row:ident;)*) => {
        /// All operations by name.
        pub static OPERATIONS: &[OperationRow] = &[$($file::$row.named(stringify!($name))),*];
    };
}
for_each_operation! { [list] }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_in_the_order_of_their_names() {
        assert!(OPERATIONS.is_sorted_by(|a, b| a.name < b.name));
    }
}
