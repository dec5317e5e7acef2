//! Functions that make functions for each of many items, on every executor.
//!
//! Programs are put together from a list of every part: which items there are, what is made of each, and what is done with the
//! functions that come of it. Random programs hardly ever have all of these at once.

use batt_core::{Grid, Random, Value};
use batt_engine::{Limits, Outcome};
use batt_program::parse_file;
use batt_testing::compare::Comparison;
use batt_testing::inputs::Sample;

/// Items for which functions are made.
const MANY: [&str; 6] =
    ["asindices(I)", "objects(I, T, F, F)", "asobject(I)", "interval(0, 70, 1)", "totuple(fgpartition(I))", "product(x0, x0)"];

/// Containers that those functions go through.
const THROUGH: [&str; 8] = [
    "objects(I, T, F, T)",
    "partition(I)",
    "asindices(crop(I, ORIGIN, TWO_BY_TWO))",
    "interval(0, 9, 1)",
    "initset(ORIGIN)",
    "difference(x0, x0)",
    "asobject(I)",
    "astuple(UP, DOWN)",
];

/// Functions made of an item; each is given an item of the container.
const MADE: [&str; 10] = [
    "compose(lbind(compose, fork(add, size, compose(size, last))), lbind(lbind, astuple))",
    "compose(lbind(compose, fork(subtract, first, last)), lbind(lbind, astuple))",
    "compose(lbind(compose, chain(maximum, center, last)), lbind(rbind, astuple))",
    "compose(lbind(compose, chain(fork(add, first, last), lbind(apply, sign), fork(subtract, center, compose(first, last)))), lbind(rbind, astuple))",
    "lbind(lbind, equality)",
    "lbind(matcher, identity)",
    "lbind(rbind, add)",
    "lbind(lbind, contained)",
    "chain(lbind(rbind, astuple), center, identity)",
    "compose(lbind(lbind, manhattan), initset)",
];

/// Uses of the function.
const DONE: [&str; 8] = [
    "lbind(argmin, x2)",
    "lbind(argmax, x2)",
    "compose(size, lbind(argmin, x2))",
    "lbind(valmin, x2)",
    "lbind(valmax, x2)",
    "lbind(sfilter, x2)",
    "rbind(apply, x2)",
    "compose(flip, lbind(valmax, x2))",
];

const ALL: [&str; 4] = ["apply(x5, x1)", "sfilter(x1, x5)", "argmax(x1, x5)", "mapply(x5, x1)"];

/// How many of the runs the emulator may refuse.
const REFUSED: u64 = 4036;

#[test]
fn functions_for_each_item_give_the_same_on_every_executor() {
    let mut rng = Random::new(7);
    let samples: Vec<Sample> = [(2, 2, 3), (5, 4, 3), (10, 10, 2), (12, 9, 10), (20, 20, 4)]
        .map(|(height, width, colours)| {
            let cells: Vec<i8> = (0..height * width).map(|_| if rng.one_in(3) { rng.below(colours) as i8 } else { 0 }).collect();
            let input = Value::Grid(Grid::new(height, width, &cells).unwrap());
            Sample { input, demos: Value::empty_tuple(), candidate: None }
        })
        .into();
    let samples: Vec<&Sample> = samples.iter().collect();
    let limits = [
        Limits { fuel: 40_000, ..Limits::default() },
        Limits { fuel: 4_000, ..Limits::default() },
        Limits { call_depth: 2, fuel: 20_000, ..Limits::default() },
    ];
    let mut executors = limits.map(|limits| Comparison::new(limits, &crate::bodies::ALL));
    let (mut values, mut others) = (0, 0);
    for many in MANY {
        for through in THROUGH {
            for made in MADE {
                for (done, all) in DONE.iter().flat_map(|done| ALL.iter().map(move |all| (done, all))) {
                    if !rng.one_in(3) {
                        continue;
                    }
                    let text = format!(
                        "def solve(I):\n x0 = ofcolor(I, 0)\n x1 = {many}\n x2 = {through}\n x3 = {made}\n x4 = {done}\n x5 = compose(x4, x3)\n O = {all}\n return O\n"
                    );
                    let parsed = parse_file(&text);
                    assert!(parsed.errors.is_empty(), "{text}{:?}", parsed.errors);
                    let comparison = &mut executors[rng.below(3)];
                    let chosen = [samples[rng.below(samples.len())], samples[rng.below(samples.len())]];
                    match comparison.run(&parsed.programs[0], &chosen) {
                        Ok(evaluations) => {
                            let given = evaluations.iter().filter(|evaluation| matches!(evaluation.outcome, Outcome::Value(_))).count();
                            values += given;
                            others += evaluations.len() - given;
                        }
                        Err(difference) => panic!("{text}{difference:?}"),
                    }
                }
            }
        }
    }
    assert!(values > 500 && others > 500, "{values} values, {others} others");
    let refused = executors.iter().map(|comparison| comparison.refused).sum();
    super::assert_refused(refused, REFUSED, "runs");
}
