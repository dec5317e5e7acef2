//! The families of rules. Each is a row, what it fits, and what its primitives do, in one file or folder; the list below names all of them.

pub mod cells;
pub mod frames;
pub mod layouts;
pub mod lines;
pub mod objects;
pub mod panels;
pub mod periods;
pub mod picks;
pub mod pieces;
mod sizes;
pub mod stamps;
pub mod sweeps;
pub mod views;

use crate::examples::{Examples, Picture};
use crate::propose::Candidate;
use crate::recipe::Recipe;
use crate::row::FamilyRow;

/// The list of families: the name, where the row is, and the primitives of the row. Calls the first of some macros with the others, all that they were
/// given before, and the list. Where families propose the same, the first one counts.
#[macro_export]
macro_rules! for_each_family {
    ([$next:ident $($after:ident)*] $($before:tt)*) => {
        $next! { [$($after)*] $($before)*;
            Cells: cells::CELLS [cellrule];
            Drawn: cells::DRAWN [];
            Objects: objects::OBJECTS [objectrule];
            Pick: picks::PICK [pickrule];
            Panels: panels::PANELS [panelrule];
            Sweeps: sweeps::SWEEPS [sweeprule];
            Stamps: stamps::STAMPS [stamprule templaterule copyrule];
            Periods: periods::PERIODS [periodrule];
            Pieces: pieces::PIECES [fitrule replacerule];
            Layouts: layouts::LAYOUTS [layoutrule drawrule chooserule];
            Lines: lines::LINES [linerule moverule];
            Frames: frames::FRAMES [framerule];
            Views: views::VIEWS [oriented unoriented];
            Lifts: views::LIFTS [];
        }
    };
}

macro_rules! list {
    ([]; $($family:ident: $file:ident::$row:ident [$($rule:ident)*];)*) => {
        /// A family by name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[expect(missing_docs, reason = "the rows document them")]
        pub enum Family { $($family),* }

        const ROWS: &[FamilyRow] = &[$($file::$row),*];

        impl Family {
            /// All families.
            pub const ALL: &'static [Self] = &[$(Self::$family),*];
        }
    };
}
for_each_family! { [list] }

impl Family {
    /// Its row.
    pub fn row(self) -> &'static FamilyRow {
        &ROWS[self as usize]
    }

    /// Its name in stores and JSON.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// All in the order in which they are asked.
    pub(crate) fn by_place() -> impl Iterator<Item = Self> {
        let mut all = Self::ALL.to_vec();
        all.sort_by_key(|family| family.row().place);
        all.into_iter()
    }
}

/// A candidate of a rule without parameters that are fitted one by one, if it fits.
fn whole(
    examples: &Examples,
    apply: impl Fn(&Picture) -> Option<Picture>,
    recipe: impl FnOnce() -> Recipe,
    bits: u32,
) -> Option<Candidate> {
    if !examples.demos.iter().all(|(input, output)| apply(input).as_ref() == Some(output)) {
        return None;
    }
    let outputs = examples.tests.iter().map(apply).collect::<Option<_>>()?;
    Some(Candidate { recipe: recipe(), bits, foretold: (1 << examples.demos.len()) - 1, outputs })
}
