//! Columns of pairs, looked up: places, sizes, and steps from one place to another, by what they are on the demos.
//!
//! Pairs are measured when the first one is asked for, of the cheapest columns of images only.

use std::collections::HashMap;

use batt_vision::{Kernel, Offset};

use crate::columns::{ColumnId, ColumnKind, Columns};
use crate::scalars::{ScalarId, ScalarKind, Scalars, Term, Verb};

/// Columns of images that pairs are measured of: the first ones.
const MEASURED: u32 = 120;
/// Pairs that sums and differences are made of: the first ones.
const ADDED: usize = 120;
/// The most rows and columns of a literal that is added to a pair.
const NEAR: i32 = 2;
/// The most columns that one question is answered with.
const MOST: usize = 4;

/// Columns of pairs for one question, and how they were fitted.
pub(crate) struct Told {
    /// The columns, the simplest first.
    pub(crate) ids: Vec<ScalarId>,
    /// The demos, a bit each, that the simplest pair tells which the other demos ask for.
    pub(crate) foretold: u32,
}

/// How a pair is made of columns.
#[derive(Clone, Copy)]
enum Made {
    Literal(i32),
    Is(ScalarId),
    Called(Verb, [Term; 2]),
}

/// Measures the pairs of the first columns of images.
pub(crate) fn measure(scalars: &mut Scalars, columns: &Columns) {
    let end = (columns.len() as u32).min(MEASURED);
    for id in (scalars.paired..end).map(ColumnId).filter(|id| columns.column(*id).kind == ColumnKind::Image) {
        scalars.measure_each(columns, id, |kernel| matches!(kernel, Kernel::Pair(_)));
    }
    scalars.paired = scalars.paired.max(end);
}

/// The pairs that are these on the demos: columns, one turned round, sums and differences of two, and a column and a literal.
pub(crate) fn told(scalars: &mut Scalars, wanted: &[i32]) -> Told {
    let all: Vec<usize> = (0..wanted.len()).collect();
    let pairs: Vec<ScalarId> = scalars.of_kind(ScalarKind::Pair).take(ADDED).collect();
    let found = made(scalars, &pairs, wanted, &all, MOST);
    let mut foretold = 0;
    for left_out in all.iter().filter(|_| wanted.len() > 1 && !found.is_empty()) {
        let others: Vec<usize> = all.iter().copied().filter(|demo| demo != left_out).collect();
        let first = made(scalars, &pairs, wanted, &others, 1).into_iter().next();
        let value = first.map(|made| value(scalars, made, *left_out));
        foretold |= u32::from(value == Some(wanted[*left_out])) << left_out;
    }
    let mut ids: Vec<ScalarId> = Vec::new();
    for made in found {
        let id = match made {
            Made::Literal(literal) => scalars.literal(ScalarKind::Pair, literal),
            Made::Is(id) => Some(id),
            Made::Called(verb, terms) => scalars.call(ScalarKind::Pair, verb, terms),
        };
        ids.extend(id.filter(|id| !ids.contains(id)));
    }
    Told { ids, foretold }
}

fn value(scalars: &Scalars, made: Made, sample: usize) -> i32 {
    match made {
        Made::Literal(literal) => literal,
        Made::Is(id) => scalars.values(id)[sample],
        Made::Called(verb, terms) => {
            let [first, second] = terms.map(|term| match term {
                Term::Column(id) => scalars.values(id)[sample],
                Term::Literal(literal) => literal,
            });
            verb.of(first, second)
        }
    }
}

/// The first ways to make pairs that are as wanted on some demos.
fn made(scalars: &Scalars, pairs: &[ScalarId], wanted: &[i32], demos: &[usize], most: usize) -> Vec<Made> {
    let Some(&first) = demos.first() else { return Vec::new() };
    let fits = |such: &dyn Fn(usize) -> i32| demos.iter().all(|&demo| such(demo) == wanted[demo]);
    let mut found = Vec::new();
    let literal = wanted[first];
    if fits(&|_| literal) {
        found.push(Made::Literal(literal));
    }
    let values = |id: ScalarId| scalars.values(id);
    found.extend(pairs.iter().filter(|id| fits(&|demo| values(**id)[demo])).map(|&id| Made::Is(id)));
    let back = pairs.iter().filter(|id| fits(&|demo| -values(**id)[demo]));
    found.extend(back.map(|&id| Made::Called(Verb::Subtract, [Term::Literal(0), Term::Column(id)])));
    if found.len() >= most {
        found.truncate(most);
        return found;
    }
    for &id in pairs {
        let more = wanted[first] - values(id)[first];
        let Offset { rows, columns } = Offset::of(more);
        if more != 0 && rows.abs().max(columns.abs()) <= NEAR && fits(&|demo| values(id)[demo] + more) {
            found.push(Made::Called(Verb::Add, [Term::Column(id), Term::Literal(more)]));
        }
        let from = wanted[first] + values(id)[first];
        let Offset { rows, columns } = Offset::of(from);
        if from != 0 && rows.abs().max(columns.abs()) <= NEAR && fits(&|demo| from - values(id)[demo]) {
            found.push(Made::Called(Verb::Subtract, [Term::Literal(from), Term::Column(id)]));
        }
    }
    // Pairs by what they are on the first of the demos.
    let mut by_value: HashMap<i32, Vec<ScalarId>> = HashMap::new();
    for &id in pairs.iter().filter(|id| !scalars.is_constant(**id)) {
        by_value.entry(values(id)[first]).or_default().push(id);
    }
    let with = |value: i32| by_value.get(&value).map_or(&[][..], Vec::as_slice);
    for &id in pairs.iter().filter(|id| !scalars.is_constant(**id)) {
        if found.len() >= most {
            break;
        }
        let less = with(values(id)[first].wrapping_sub(wanted[first])).iter();
        let less = less.filter(|other| fits(&|demo| values(id)[demo].wrapping_sub(values(**other)[demo])));
        found.extend(less.map(|&other| Made::Called(Verb::Subtract, [Term::Column(id), Term::Column(other)])));
        let more = with(wanted[first].wrapping_sub(values(id)[first])).iter().filter(|other| other.0 <= id.0);
        let more = more.filter(|other| fits(&|demo| values(id)[demo].wrapping_add(values(**other)[demo])));
        found.extend(more.map(|&other| Made::Called(Verb::Add, [Term::Column(id), Term::Column(other)])));
    }
    found.truncate(most);
    found
}
