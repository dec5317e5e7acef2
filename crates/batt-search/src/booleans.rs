//! Columns of booleans: tests of the samples. They are made when something asks for one, of the cheapest columns only.

use batt_vision::Kernel;

use crate::columns::{ColumnId, ColumnKind, Columns};
use crate::scalars::{ScalarId, ScalarKind, ScalarOrigin, Scalars, Term, Verb};

/// Columns of images that are tested, and that are compared with each other: the first ones.
const TESTED: u32 = 30;
const COMPARED: usize = 24;
/// Columns of colours and integers that are compared with literals, and with each other: the first ones.
const MEASURED: usize = 40;
const RELATED: usize = 12;

/// All columns of booleans that are not the same on all demos, the cheapest first, each with what it is on the demos, a bit each.
pub(crate) fn tests(scalars: &mut Scalars, columns: &Columns, demos: usize) -> Vec<(ScalarId, u32)> {
    make(scalars, columns, demos);
    let all = (1u32 << demos) - 1;
    let bits = |id: ScalarId| scalars.values(id)[..demos].iter().enumerate().fold(0, |bits, (demo, &holds)| bits | (holds as u32) << demo);
    let told = scalars.of_kind(ScalarKind::Boolean).map(|id| (id, bits(id)));
    let mut tests: Vec<(ScalarId, u32)> = told.filter(|&(_, bits)| bits != 0 && bits != all).collect();
    tests.sort_by_key(|&(id, _)| (scalars.cost(id), id));
    tests
}

fn make(scalars: &mut Scalars, columns: &Columns, demos: usize) {
    let end = (columns.len() as u32).min(TESTED);
    let images: Vec<ColumnId> = (0..end).map(ColumnId).filter(|&id| columns.column(id).kind == ColumnKind::Image).collect();
    let tested = std::mem::replace(&mut scalars.tested, end);
    for &id in images.iter().filter(|id| id.0 >= tested) {
        scalars.measure_each(columns, id, |kernel| matches!(kernel, Kernel::Test(_)));
    }
    let first = |scalars: &Scalars, kind: ScalarKind| -> Vec<ScalarId> {
        scalars.of_kind(kind).filter(|&id| !scalars.is_constant(id)).take(MEASURED).collect()
    };
    let (integers, colours) = (first(scalars, ScalarKind::Integer), first(scalars, ScalarKind::Colour));
    let boolean = ScalarKind::Boolean;
    for &id in &integers {
        let values = distinct(&scalars.values(id)[..demos]);
        for pair in values.windows(2) {
            // In the middle of what the demos have.
            let least = pair[0] + (pair[1] - pair[0]) / 2;
            let least = least.min(pair[1] - 1);
            scalars.call(boolean, Verb::Greater, [Term::Column(id), Term::Literal(least)]);
        }
    }
    for &id in integers.iter().chain(&colours) {
        for value in distinct(&scalars.values(id)[..demos]) {
            scalars.call(boolean, Verb::Equality, [Term::Column(id), Term::Literal(value)]);
        }
    }
    for (verb, ids) in [(Verb::Greater, &integers), (Verb::Equality, &integers), (Verb::Equality, &colours)] {
        let ids = &ids[..ids.len().min(RELATED)];
        for (place, &id) in ids.iter().enumerate() {
            for &other in &ids[..place] {
                scalars.call(boolean, verb, [Term::Column(id), Term::Column(other)]);
            }
        }
    }
    for (place, &id) in images.iter().take(COMPARED).enumerate() {
        for &other in &images[..place] {
            let same = |sample: usize| i32::from(columns.image(id, sample) == columns.image(other, sample));
            let values = (0..scalars.samples()).map(same).collect();
            let cost = columns.column(id).cost.max(columns.column(other).cost) + 5;
            scalars.add(boolean, values, ScalarOrigin::Same([other, id]), cost);
        }
    }
}

/// Values, each once, the lowest first.
fn distinct(values: &[i32]) -> Vec<i32> {
    let mut values = values.to_vec();
    values.sort_unstable();
    values.dedup();
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Spare;
    use crate::enumerate::{Bounds, Enumeration};
    use crate::learnt::{Learnt, Preferences};
    use batt_vision::Puzzle;

    #[test]
    fn samples_are_told_apart() {
        let mut puzzle = Puzzle::default();
        for cells in [[1, 0, 1], [1, 0, 2], [0, 3, 0], [0, 3, 3]] {
            assert!(puzzle.add_input(1, 3, &cells) && puzzle.add_output(1, 3, &cells));
        }
        let preferences = std::sync::Arc::new(Preferences::of(Learnt::nothing()));
        let mut made = Enumeration::new(&puzzle, Bounds::of(&puzzle), &preferences, true, &Spare::default());
        let found = tests(&mut made.scalars, &made.columns, 4);
        let first = |bits: u32| found.iter().find(|test| test.1 == bits).map(|test| made.scalars.origin(test.0));
        // Mirror images of themselves, and those with one component.
        assert!(matches!(first(0b0101), Some(ScalarOrigin::Measured { which: 0, .. })));
        assert!(matches!(first(0b1100), Some(ScalarOrigin::Measured { .. })));
        // More than one cell.
        assert!(matches!(first(0b1011), Some(ScalarOrigin::Called(Verb::Greater, [_, Term::Literal(1)]))), "{:?}", first(0b1011));
        assert!(found.iter().all(|test| test.1 != 0 && test.1 != 15));
    }
}
