//! The colours of the output, before the output: from the palettes of columns that are cheap to make, and from columns of colours.
//!
//! A rule is exact on all demos. It says which answers are likely; it leaves out no column.

use std::collections::HashSet;

use batt_core::Grid;

use crate::columns::{ColumnId, ColumnKind, Columns};
use crate::enumerate::{Enumeration, Visitor};
use crate::scalars::{ScalarId, ScalarKind};

/// The most columns that are made for palettes, where none were made for sizes.
const FEW: usize = 300;
/// The most palettes of columns, and columns of colours alone and in pairs.
const MOST_COLUMNS: usize = 200;
const MOST_COLOURS: usize = 40;
const MOST_PAIRED: usize = 12;
/// The rules that are likely.
const LIKELY: usize = 3;
/// Losses of a constant set, a column of colours, a pair of them, and the palette of a column.
const CONSTANT: u32 = 2;
const COLOUR: u32 = 4;
const PAIR: u32 = 8;
const COLUMN: u32 = 4;

/// Colours, a bit each, for every sample.
pub(crate) type Palette = u16;

/// A rule that tells the palettes of outputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PaletteRule {
    /// The palette of every sample.
    pub(crate) palettes: Vec<Palette>,
    /// The lower the more likely.
    pub(crate) loss: u32,
}

/// Candidate rules for the colours of outputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Palettes {
    /// Rules that give different palettes, the most likely first.
    pub(crate) rules: Vec<PaletteRule>,
}

/// Support of the palette rules for an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PaletteTold {
    /// There is no rule.
    #[default]
    Nothing,
    /// The first rule gives them on all tests.
    First,
    /// Another likely rule does.
    Likely,
    /// No likely rule does.
    Unlikely,
}

impl PaletteTold {
    /// All of them, in the order of their numbers in stores.
    const ALL: [Self; 4] = [Self::Nothing, Self::First, Self::Likely, Self::Unlikely];

    /// Its number in stores.
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The one of a number; [`Self::Nothing`] for a number of a later batt.
    pub fn of_number(number: u8) -> Self {
        Self::ALL.get(usize::from(number)).copied().unwrap_or_default()
    }

    /// Names and values of what probabilities are computed from.
    pub(crate) fn features(self) -> [(&'static str, bool); 3] {
        [("palette_first", self == Self::First), ("palette_likely", self == Self::Likely), ("palette_unlikely", self == Self::Unlikely)]
    }
}

impl Palettes {
    /// Support of the rules for the outputs of the tests.
    pub(crate) fn told(&self, outputs: &[Grid]) -> PaletteTold {
        let palettes: Vec<Palette> = outputs.iter().map(palette_of).collect();
        // Tests are the last samples.
        let gives = |rule: &PaletteRule| rule.palettes.ends_with(&palettes);
        match self.rules.iter().take(LIKELY).position(gives) {
            _ if self.rules.is_empty() => PaletteTold::Nothing,
            Some(0) => PaletteTold::First,
            Some(_) => PaletteTold::Likely,
            None => PaletteTold::Unlikely,
        }
    }
}

/// The colours of a grid.
fn palette_of(grid: &Grid) -> Palette {
    grid.cells().iter().fold(0, |palette, &cell| palette | 1 << (cell as u32 & 15))
}

/// Stops after some columns.
struct Few;

impl Visitor for Few {
    fn visit(&mut self, columns: &mut Columns, _: ColumnId) -> bool {
        columns.len() < FEW
    }
}

/// The literal sets that make palettes of others: what is added, and what is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Change {
    added: Palette,
    removed: Palette,
}

impl Change {
    /// The smallest change that makes the outputs' palettes of others, on some demos.
    fn fitted(wanted: &[Palette], from: &[Palette], demos: impl Iterator<Item = usize> + Clone) -> Option<Self> {
        let every = demos.clone().fold(!0, |every, demo| every & wanted[demo]);
        let any = demos.clone().fold(0, |any, demo| any | wanted[demo]);
        let added = demos.clone().fold(0, |added, demo| added | (wanted[demo] & !from[demo]));
        let removed = demos.fold(0, |removed, demo| removed | (from[demo] & !wanted[demo]));
        // What is added or removed is so in every output.
        (added & !every == 0 && removed & any == 0).then_some(Self { added, removed })
    }

    fn of(self, palette: Palette) -> Palette {
        (palette | self.added) & !self.removed
    }
}

/// The rules for the palettes of the demos that begin with given palettes.
struct Fitter {
    wanted: Vec<Palette>,
    found: Vec<PaletteRule>,
}

impl Fitter {
    /// Keeps the rule that makes the palettes of others, if there is one.
    fn fit(&mut self, from: &[Palette], loss: u32) {
        let demos = self.wanted.len();
        let Some(change) = Change::fitted(&self.wanted, from, 0..demos) else { return };
        // Demos that the change does not foretell when they are left out speak against it.
        let missed = |left_out: &usize| {
            let others = (0..demos).filter(move |demo| demo != left_out);
            let change = Change::fitted(&self.wanted, from, others);
            change.is_none_or(|change| change.of(from[*left_out]) != self.wanted[*left_out])
        };
        let missed = (0..demos).filter(|_| demos > 1).filter(missed).count() as u32;
        let literals = (change.added.count_ones(), change.removed.count_ones());
        let loss = loss * (1 + literals.0) * (1 + literals.1) * (1 + missed);
        self.found.push(PaletteRule { palettes: from.iter().map(|&palette| change.of(palette)).collect(), loss });
    }
}

/// Palette rules from columns that were made for sizes, or from a few that are made now.
pub(crate) fn palettes(enumeration: &mut Enumeration<'_>, most_cost: u16) -> Palettes {
    let puzzle = enumeration.puzzle();
    let wanted: Vec<Palette> = puzzle.outputs.iter().map(|image| image.palette()).collect();
    let inputs: Vec<Palette> = puzzle.inputs.iter().map(|image| image.palette()).collect();
    let mut fitter = Fitter { wanted, found: Vec::new() };
    fitter.fit(&inputs, 1);
    // Nothing is more likely than the palette of the input.
    let is_kept = fitter.found.first().is_some_and(|rule| rule.loss == 1);
    if !is_kept && enumeration.columns.len() == 1 {
        enumeration.run(most_cost, &mut Few);
    }
    if fitter.wanted.iter().all(|&palette| palette == fitter.wanted[0]) {
        let palettes = vec![fitter.wanted[0]; inputs.len()];
        fitter.found.push(PaletteRule { palettes, loss: CONSTANT + fitter.wanted[0].count_ones() / 2 });
    }
    enumeration.tell_scalars();
    let columns = &enumeration.columns;
    let mut seen = HashSet::from([inputs.clone()]);
    let images = (0..columns.len() as u32).map(ColumnId).filter(|&id| columns.column(id).kind == ColumnKind::Image);
    let of_column = |id: ColumnId| (0..columns.samples()).map(|sample| columns.image(id, sample).palette()).collect::<Vec<_>>();
    for (rank, palettes) in images.map(of_column).filter(|palettes| seen.insert(palettes.clone())).take(MOST_COLUMNS).enumerate() {
        fitter.fit(&palettes, COLUMN + rank as u32);
    }
    let scalars = &enumeration.scalars;
    let colours: Vec<ScalarId> = scalars.of_kind(ScalarKind::Colour).filter(|&id| !scalars.is_constant(id)).take(MOST_COLOURS).collect();
    let bits = |id: ScalarId| scalars.values(id).iter().map(|&colour| 1 << colour);
    for (rank, &id) in colours.iter().enumerate() {
        fitter.fit(&bits(id).collect::<Vec<_>>(), COLOUR + rank as u32);
        for (other_rank, &other) in colours[..rank.min(MOST_PAIRED)].iter().enumerate().filter(|_| rank < MOST_PAIRED) {
            let both: Vec<Palette> = bits(id).zip(bits(other)).map(|(a, b): (Palette, Palette)| a | b).collect();
            fitter.fit(&both, PAIR + (rank + other_rank) as u32);
        }
    }
    let mut rules = fitter.found;
    rules.sort_by_key(|rule| rule.loss);
    let mut seen = HashSet::new();
    rules.retain(|rule| seen.insert(rule.palettes.clone()));
    Palettes { rules }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::arena::Spare;
    use crate::enumerate::Bounds;
    use crate::learnt::{Learnt, Preferences};
    use batt_vision::Puzzle;

    /// Palette rules from demos and a test of one row each.
    fn known(demos: &[(&[u8], &[u8])], test: &[u8]) -> Palettes {
        let mut puzzle = Puzzle::default();
        for (input, output) in demos {
            assert!(puzzle.add_input(1, input.len(), input) && puzzle.add_output(1, output.len(), output));
        }
        assert!(puzzle.add_input(1, test.len(), test));
        let preferences = std::sync::Arc::new(Preferences::of(Learnt::nothing()));
        let mut made = Enumeration::new(&puzzle, Bounds::of(&puzzle), &preferences, true, &Spare::default());
        palettes(&mut made, 10)
    }

    fn set(colours: &[u8]) -> Palette {
        colours.iter().fold(0, |set, colour| set | 1 << colour)
    }

    fn grid(cells: &[i8]) -> Grid {
        Grid::new(1, cells.len(), cells).unwrap()
    }

    #[test]
    fn literals_are_added_and_removed() {
        // 5 becomes 7, and the rest stays.
        let demos: [(&[u8], &[u8]); 3] = [(&[0, 1, 5], &[0, 1, 7]), (&[0, 2, 5], &[0, 2, 7]), (&[0, 3, 5], &[0, 3, 7])];
        let palettes = known(&demos, &[0, 4, 5]);
        assert_eq!(palettes.rules.first().map(|rule| rule.palettes[3]), Some(set(&[0, 4, 7])));
        assert_eq!(palettes.told(&[grid(&[4, 7, 0])]), PaletteTold::First);
        // 7 is missing, and 8 comes from nowhere.
        assert_eq!(palettes.told(&[grid(&[0, 4, 8])]), PaletteTold::Unlikely);
    }

    #[test]
    fn without_a_rule_nothing_is_told() {
        // Some of the colours stay, and nothing tells which.
        let demos: [(&[u8], &[u8]); 3] = [(&[1, 2, 3, 6], &[1, 2]), (&[1, 2, 3, 6], &[1, 3]), (&[1, 2, 3, 6], &[1, 2, 3])];
        let palettes = known(&demos, &[1, 2, 6, 8]);
        assert_eq!(palettes.rules, []);
        assert_eq!(palettes.told(&[grid(&[1, 8])]), PaletteTold::Nothing);
    }

    #[test]
    fn a_column_of_colours_tells_the_palette() {
        // All cells get the most common colour.
        let demos: [(&[u8], &[u8]); 2] = [(&[1, 1, 0, 2], &[1, 1, 1, 1]), (&[4, 0, 4, 3], &[4, 4, 4, 4])];
        let palettes = known(&demos, &[5, 6, 5, 0]);
        assert_eq!(palettes.rules.first().map(|rule| rule.palettes[2]), Some(set(&[5])));
        assert!(palettes.rules[1..].iter().all(|rule| rule.loss >= palettes.rules[0].loss));
    }

    #[test]
    fn literals_that_one_demo_needs_cost_more() {
        let from = [set(&[0, 1]), set(&[0, 2]), set(&[0, 3])];
        let loss = |last: &[u8]| {
            let mut fitter = Fitter { wanted: vec![set(&[0, 1, 7]), set(&[0, 2, 7]), set(last)], found: Vec::new() };
            fitter.fit(&from, 1);
            fitter.found.first().map(|rule| rule.loss)
        };
        assert_eq!(loss(&[0, 3, 7]), Some(2), "7 is added");
        assert_eq!(loss(&[0, 7]), Some(8), "and 3 removed, which no other demo foretells");
        assert_eq!(loss(&[0, 3]), None, "7 is not added everywhere");
    }
}
