//! Relations between input and output that hold on all demos. An answer that breaks one of them on a test is less likely to be right.

use batt_core::{Grid, Pair};

/// A relation between input and output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Invariant {
    /// Both have the same colours.
    EqualPalette,
    /// The output has no colour that the input does not have.
    PaletteSubset,
    /// Both have the same number of cells of each colour.
    EqualHistogram,
    /// The output has no fewer cells that are not background.
    ForegroundNeverShrinks,
    /// Cells that are not background keep their colours.
    ForegroundKept,
    /// The input is a part of the output.
    InputInside,
}

impl Invariant {
    /// All of them.
    pub(crate) const ALL: [Self; 6] = [
        Self::EqualPalette,
        Self::PaletteSubset,
        Self::EqualHistogram,
        Self::ForegroundNeverShrinks,
        Self::ForegroundKept,
        Self::InputInside,
    ];

    /// Its name among what speaks for an answer.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::EqualPalette => "breaks_equal_palette",
            Self::PaletteSubset => "breaks_palette_subset",
            Self::EqualHistogram => "breaks_equal_histogram",
            Self::ForegroundNeverShrinks => "breaks_foreground_never_shrinks",
            Self::ForegroundKept => "breaks_foreground_kept",
            Self::InputInside => "breaks_input_inside",
        }
    }

    fn holds(self, input: &Grid, output: &Grid) -> bool {
        let (before, after) = (histogram(input), histogram(output));
        let ground = (0..COLOURS).max_by_key(|&colour| before[colour]).unwrap_or(0);
        let filled = |counts: &[u32; COLOURS]| counts.iter().sum::<u32>() - counts[ground];
        match self {
            Self::EqualPalette => (0..COLOURS).all(|colour| (before[colour] > 0) == (after[colour] > 0)),
            Self::PaletteSubset => (0..COLOURS).all(|colour| before[colour] > 0 || after[colour] == 0),
            Self::EqualHistogram => before == after,
            Self::ForegroundNeverShrinks => filled(&after) >= filled(&before),
            Self::ForegroundKept => {
                let cells = || input.cells().iter().zip(output.cells());
                (input.height(), input.width()) == (output.height(), output.width())
                    && cells().all(|(from, to)| *from == ground as i8 || from == to)
            }
            Self::InputInside => is_inside(input, output),
        }
    }
}

const COLOURS: usize = 10;

/// The invariants, a bit each, that hold on all demos.
pub(crate) fn held(demos: &[Pair]) -> u8 {
    bits(|invariant| demos.iter().all(|demo| invariant.holds(&demo.input, &demo.output)))
}

/// Those of them that an answer breaks on some test.
pub(crate) fn broken(held: u8, answer: &[(&Grid, &Grid)]) -> u8 {
    held & bits(|invariant| answer.iter().any(|(input, output)| !invariant.holds(input, output)))
}

fn bits(is_set: impl Fn(Invariant) -> bool) -> u8 {
    Invariant::ALL.into_iter().enumerate().fold(0, |bits, (place, invariant)| bits | u8::from(is_set(invariant)) << place)
}

fn histogram(grid: &Grid) -> [u32; COLOURS] {
    let mut counts = [0; COLOURS];
    for &cell in grid.cells() {
        if let Some(count) = usize::try_from(cell).ok().and_then(|colour| counts.get_mut(colour)) {
            *count += 1;
        }
    }
    counts
}

fn is_inside(input: &Grid, output: &Grid) -> bool {
    if input.height() > output.height() || input.width() > output.width() {
        return false;
    }
    let (cells, width) = (output.cells(), output.width());
    let is_at = |row: usize, column: usize| {
        input.rows().enumerate().all(|(down, line)| {
            let from = (row + down) * width + column;
            cells[from..from + line.len()] == *line
        })
    };
    (0..=output.height() - input.height()).any(|row| (0..=width - input.width()).any(|column| is_at(row, column)))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn grid(height: usize, width: usize, cells: &[i8]) -> Grid {
        Grid::new(height, width, cells).unwrap()
    }

    #[test]
    fn invariants_are_told_apart() {
        let input = grid(2, 2, &[0, 0, 0, 3]);
        let of = |output: &Grid| bits(|invariant| invariant.holds(&input, output));
        assert_eq!(of(&input), 0b11_1111);
        assert_eq!(of(&grid(2, 2, &[3, 0, 0, 0])), 0b1111, "moved: colours and counts stay");
        assert_eq!(of(&grid(2, 2, &[0, 0, 3, 3])), 0b01_1011, "grown");
        assert_eq!(of(&grid(2, 2, &[0, 0, 2, 3])), 0b01_1000, "another colour");
        assert_eq!(of(&grid(1, 1, &[0])), 0b10, "gone");
        assert_eq!(of(&grid(2, 3, &[3, 0, 0, 3, 0, 3])), 0b10_1011, "as a part of it");
        let demos = [Pair { input: input.clone(), output: input.clone() }];
        assert_eq!(broken(held(&demos), &[(&input, &grid(2, 2, &[3, 0, 0, 0]))]), 0b11_0000);
    }
}
